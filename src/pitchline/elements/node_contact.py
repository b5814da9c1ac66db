"""Contact of the flank nodes of two elastic gears with the flank surfaces of the other gear, by a penalty.

The method of Do, Ziegler and Eberhard, section 2.1. A node that penetrates the opposite face by g gets the force c_p g along the
normal n of the face; the four nodes of the face get its negative, shared by their shape functions. Gears deform by their modes or
by finite elements; the nodes of both are displaced before the search. If nodes of both gears touch (two passes), each pass has
half of the penalty. Forces and torques are the derivatives of sum 1/2 c_p g^2 by all coordinates: contact conserves energy, except
where a node passes from face to face.
"""

import math

from ..math.compiled import A1, A2, F8, I8, block, entry, leaf
from ..math.fields import record_over
from .flank_candidates import TWO_PI, modulo
from .flank_records import SLOTS
from .node_records import NodeContact, NodeGear
from .node_search import list_nodes, place_teeth_pair, project, put_displacement, side_at, to_other

_contact = record_over(NodeContact)


@block
def _coordinates_at(g: NodeGear, tooth: I8, x: A1, first: I8):
    """Modal coordinates as the present tooth has them, no forces on them yet."""
    modes = g.data.modes
    paired = g.data.paired
    diameters = g.data.diameters
    angle = TWO_PI * modulo(tooth, g.data.teeth) / g.data.teeth
    moving = g.moving
    pull = g.pull
    for m in range(g.padded):
        moving[m] = 0.0
        pull[m] = 0.0
    for m in range(modes):
        c = math.cos(diameters[m] * angle)
        if m < paired:
            d = math.sin(diameters[m] * angle)
            moving[m] = c * x[first + m] - d * x[first + modes + m]
            moving[modes + m] = d * x[first + m] + c * x[first + modes + m]
        else:
            moving[m] = c * x[first + m]


@block
def _pull_modes(g: NodeGear, side: I8, now: F8, tooth: I8, a: A1, first: I8):
    """Effect of the forces of the nodes on the modes, added to a."""
    start = side * g.nodes
    f = g.force
    pull = g.pull
    for node in range(start, start + g.nodes):
        if g.stamp[node] != now:
            continue
        fx = f[node, 0]
        fy = f[node, 1]
        fz = f[node, 2]
        if fx == 0.0 and fy == 0.0 and fz == 0.0:
            continue
        rx = g.shapes[3 * node]
        ry = g.shapes[3 * node + 1]
        rz = g.shapes[3 * node + 2]
        for m in range(g.padded):
            pull[m] += fx * rx[m] + fy * ry[m] + fz * rz[m]
    modes = g.data.modes
    paired = g.data.paired
    diameters = g.data.diameters
    angle = TWO_PI * modulo(tooth, g.data.teeth) / g.data.teeth
    for m in range(modes):
        c = math.cos(diameters[m] * angle)
        if m < paired:
            d = math.sin(diameters[m] * angle)
            a[first + m] += c * pull[m] + d * pull[modes + m]
            a[first + modes + m] += c * pull[modes + m] - d * pull[m]
        else:
            a[first + m] += c * pull[m]


@block
def _pull_elements(g: NodeGear, side: I8, now: F8, sector: I8):
    """Forces of the nodes, added to those of the finite elements."""
    start = side * g.nodes
    for node in range(start, start + g.nodes):
        if g.stamp[node] == now:
            at = g.places[node]
            for c in range(3):
                g.f[at + c, sector] += g.force[node, c]


@leaf
def _add_force(g: NodeGear, node: I8, fx: F8, fy: F8, fz: F8):
    f = g.force
    f[node, 0] += fx
    f[node, 1] += fy
    f[node, 2] += fz


@block
def _press(s: NodeContact, slave: NodeGear, master: NodeGear, from_b: I8, opposite: I8, node: I8, gap: F8, force: F8):
    """Force of a node on the face that was found, on both gears."""
    found = s.found
    fx = force * found[1]
    fy = force * found[2]
    fz = force * found[3]
    xi = found[4]
    eta = found[5]
    lines = master.data.faces
    at = opposite * master.nodes + int(found[9]) * lines + int(found[10])
    n00 = 0.25 * (1.0 - xi) * (1.0 - eta)
    n10 = 0.25 * (1.0 + xi) * (1.0 - eta)
    n11 = 0.25 * (1.0 + xi) * (1.0 + eta)
    n01 = 0.25 * (1.0 - xi) * (1.0 + eta)
    _add_force(master, at, -n00 * fx, -n00 * fy, -n00 * fz)
    _add_force(master, at + lines, -n10 * fx, -n10 * fy, -n10 * fz)
    _add_force(master, at + lines + 1, -n11 * fx, -n11 * fy, -n11 * fz)
    _add_force(master, at + 1, -n01 * fx, -n01 * fy, -n01 * fz)
    about_master = -(found[6] * fy - found[7] * fx)
    R = s.turn
    if from_b == 0:
        gx, gy, gz = (
            R[0] * fx + R[3] * fy + R[6] * fz,
            R[1] * fx + R[4] * fy + R[7] * fz,
            R[2] * fx + R[5] * fy + R[8] * fz,
        )
    else:
        gx, gy, gz = (
            R[0] * fx + R[1] * fy + R[2] * fz,
            R[3] * fx + R[4] * fy + R[5] * fz,
            R[6] * fx + R[7] * fy + R[8] * fz,
        )
    _add_force(slave, node, gx, gy, gz)
    x = slave.points[node, 0] + slave.displacement[node, 0]
    y = slave.points[node, 1] + slave.displacement[node, 1]
    about_slave = x * gy - y * gx
    if from_b == 0:
        s.torque_a += s.a.sense * about_slave
        s.torque_b += s.b.sense * about_master
    else:
        s.torque_b += s.b.sense * about_slave
        s.torque_a += s.a.sense * about_master
    s.normal += force
    s.touching += 1.0
    s.stored += 0.5 * force * -gap
    s.pressure = max(s.pressure, force / s.area)
    s.deepest = max(s.deepest, -gap)


@block
def _touch(s: NodeContact, slave: NodeGear, master: NodeGear, from_b: I8, on: I8, opposite: I8, e: I8, stiffness: F8, x: A1,
           first_a: I8, first_b: I8, ready: I8) -> I8:  # fmt: skip
    """One listed node: rigid search, then the search on displaced flanks, and its force. 1: the coordinates are at the tooth."""
    entries = s.entries
    found = s.found
    node = entries[e, 3]
    P = slave.points
    to_other(s, from_b, P[node, 0], P[node, 1], P[node, 2], found)
    if project(master, s, opposite, 0, 0, found[0], found[1], found[2], entries[e, 4], entries[e, 5]) == 0:
        return ready
    entries[e, 4] = int(found[9])
    entries[e, 5] = int(found[10])
    if found[0] > s.near or found[0] < -s.deep:
        return ready
    if ready == 0:
        s.now += 1.0
        if s.by_modes == 1:
            _coordinates_at(s.a, s.tooth, x, first_a)
            _coordinates_at(s.b, s.tooth_b, x, first_b)
    at_slave = modulo(s.tooth if from_b == 0 else s.tooth_b, slave.data.teeth)
    at_master = modulo(s.tooth_b if from_b == 0 else s.tooth, master.data.teeth)
    put_displacement(slave, node, s.now, s.by_modes, at_slave)
    D = slave.displacement
    to_other(s, from_b, P[node, 0] + D[node, 0], P[node, 1] + D[node, 1], P[node, 2] + D[node, 2], found)
    if project(master, s, opposite, 1, at_master, found[0], found[1], found[2], entries[e, 4], entries[e, 5]) == 0:
        return 1
    gap = found[0]
    if gap < 0.0:
        before = s.normal
        _press(s, slave, master, from_b, opposite, node, gap, -stiffness * gap)
        sign = 1.0 - 2.0 * entries[e, 1]
        s.pairs[modulo(s.tooth, SLOTS)] += sign * (s.normal - before)
    return 1


@block
def touch_nodes(s: NodeContact, q_a: F8, q_b: F8, x: A1, first_a: I8, first_b: I8, a: A1):
    """Contact of all nodes in the given position: results in s, effect on the modes added to a (from first_a and first_b on), or on
    the forces of the finite elements."""
    s.torque_a = 0.0
    s.torque_b = 0.0
    s.normal = 0.0
    s.touching = 0.0
    s.stored = 0.0
    s.pressure = 0.0
    for i in range(SLOTS):
        s.pairs[i] = 0.0
    way = abs(q_a - s.listed_a) * s.radius_a + abs(q_b - s.listed_b) * s.radius_b
    if s.count < 0 or not way < s.margin:
        list_nodes(s, q_a, q_b)
    stiffness = s.penalty / (s.from_a + s.from_b)
    entries = s.entries
    e = 0
    while e < s.count:
        number = entries[e, 1]
        k = entries[e, 2]
        side = side_at(s, number)
        place_teeth_pair(s, number, k, q_a, q_b)
        ready = 0
        while e < s.count and entries[e, 1] == number and entries[e, 2] == k:
            if entries[e, 0] == 0:
                ready = _touch(s, s.a, s.b, 0, side.side_a, side.side_b, e, stiffness, x, first_a, first_b, ready)
            else:
                ready = _touch(s, s.b, s.a, 1, side.side_b, side.side_a, e, stiffness, x, first_a, first_b, ready)
            e += 1
        if ready == 1:
            if s.by_modes == 1:
                _pull_modes(s.a, side.side_a, s.now, s.tooth, a, first_a)
                _pull_modes(s.b, side.side_b, s.now, s.tooth_b, a, first_b)
            else:
                _pull_elements(s.a, side.side_a, s.now, modulo(s.tooth, s.a.data.teeth))
                _pull_elements(s.b, side.side_b, s.now, modulo(s.tooth_b, s.b.data.teeth))
    s.most = max(s.most, s.touching)


@entry
def rigid_gap(record: A1, q_a: F8, q_b: F8, number: I8) -> F8:
    """Smallest gap [m] of rigid flanks of one side (0: drive, 1: coast); 1e9 without a node near contact."""
    s = _contact(record, 0)
    list_nodes(s, q_a, q_b)
    s.count, count = -1, s.count
    least = 1e9
    entries = s.entries
    found = s.found
    for e in range(count):
        if entries[e, 1] != number:
            continue
        side = side_at(s, number)
        place_teeth_pair(s, number, entries[e, 2], q_a, q_b)
        node = entries[e, 3]
        if entries[e, 0] == 0:
            to_other(s, 0, s.a.points[node, 0], s.a.points[node, 1], s.a.points[node, 2], found)
            there = project(s.b, s, side.side_b, 0, 0, found[0], found[1], found[2], entries[e, 4], entries[e, 5])
        else:
            to_other(s, 1, s.b.points[node, 0], s.b.points[node, 1], s.b.points[node, 2], found)
            there = project(s.a, s, side.side_a, 0, 0, found[0], found[1], found[2], entries[e, 4], entries[e, 5])
        if there == 1:
            least = min(least, found[0])
    return least


@entry
def nodes_near(
    record: A1, q_a: F8, q_b: F8, number: I8, x: A1, limit: F8, rows: A2, gaps: A1, which: A2, least: A1
) -> I8:
    """Nodes of one side whose gap is at most `limit`, displaced by the modes in x: q of both wheels (not used), modes of A, of B.
    Return their number, at most rows.shape[0]. least[0]: smallest gap of rigid flanks.

    For each: rows, generalized forces of a unit force on all coordinates, which are the derivatives of its gap; gaps; which: gear
    of the node (0: A, 1: B), tooth of A, node, row and line of the opposite face, and reference coordinates in it.
    """
    s = _contact(record, 0)
    first_b = 2 + s.a.coordinates
    list_nodes(s, q_a, q_b)
    s.count, count = -1, s.count
    entries = s.entries
    found = s.found
    n = 0
    least[0] = 1e9
    for e in range(count):
        if entries[e, 1] != number or n == rows.shape[0]:
            continue
        side = side_at(s, number)
        place_teeth_pair(s, number, entries[e, 2], q_a, q_b)
        node = entries[e, 3]
        from_b = entries[e, 0]
        slave = s.a if from_b == 0 else s.b
        master = s.b if from_b == 0 else s.a
        opposite = side.side_b if from_b == 0 else side.side_a
        P = slave.points
        to_other(s, from_b, P[node, 0], P[node, 1], P[node, 2], found)
        if project(master, s, opposite, 0, 0, found[0], found[1], found[2], entries[e, 4], entries[e, 5]) == 1:
            least[0] = min(least[0], found[0])
        s.now += 1.0
        _coordinates_at(s.a, s.tooth, x, 2)
        _coordinates_at(s.b, s.tooth_b, x, first_b)
        put_displacement(slave, node, s.now, 1, 0)
        D = slave.displacement
        to_other(s, from_b, P[node, 0] + D[node, 0], P[node, 1] + D[node, 1], P[node, 2] + D[node, 2], found)
        there = project(master, s, opposite, 1, 0, found[0], found[1], found[2], entries[e, 4], entries[e, 5])
        if there == 0 or found[0] > limit:
            continue
        s.torque_a = 0.0
        s.torque_b = 0.0
        _press(s, slave, master, from_b, opposite, node, 0.0, 1.0)
        row = rows[n]
        for m in range(row.size):
            row[m] = 0.0
        _pull_modes(s.a, side.side_a, s.now, s.tooth, row, 2)
        _pull_modes(s.b, side.side_b, s.now, s.tooth_b, row, first_b)
        row[0] = s.torque_a
        row[1] = s.torque_b
        gaps[n] = found[0]
        to = which[n]
        to[0] = from_b
        to[1] = s.tooth
        to[2] = node
        to[3] = found[9]
        to[4] = found[10]
        to[5] = found[4]
        to[6] = found[5]
        n += 1
    return n
