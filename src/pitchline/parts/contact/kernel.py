"""Contact of the flank nodes of two elastic gears with the flank surfaces of the other gear, by a penalty.

The method of Do, Ziegler and Eberhard, section 2.1. A node that penetrates the opposite face by g gets the force c_p g along the
normal n of the face; the four nodes of the face get its negative, shared by their shape functions. Gears deform by their modes or
by finite elements; the nodes of both are displaced before the search. If nodes of both gears touch (two passes), each pass has
half of the penalty. Forces and torques are the derivatives of sum 1/2 c_p g^2 by all coordinates: contact conserves energy, except
where a node passes from face to face.
"""

import math

from pitchline.numerics.fields import record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, block, entry, leaf

from ..meshes.kernel_flank_records import SLOTS
from ..meshes.kernel_flank_search import TWO_PI, modulo
from .kernel_records import LANES, NodeContact, NodeGear, NodeSide

# ---- node search

# Contact search of nodes on surfaces of bilinear faces: projection of a point, and the list of nodes near contact.
#
# The fine search of Do, Ziegler and Eberhard (section 2.1): on the face x(xi, eta) the point nearest to q obeys
#
# x_xi . (q - x) = 0 , x_eta . (q - x) = 0 , gap = n . (q - x) ,
#
# solved by Newton's method. If it lies beyond an edge, the search goes on in the next face. The coarse search takes
# the teeth next to the line of centres.

MOVES = 24
"""Faces that a search visits at most."""
OVER_TIP, OVER_END = 1.02, 1.1
"""Reference coordinates up to which a point next to a flank still touches its edge: along the profile and along the face."""


@leaf
def put_displacement(g: NodeGear, node: I8, now: F8, by_modes: I8, sector: I8):
    """Displacement of a node of the present tooth; its force becomes zero. Once for each stamp."""
    if g.stamp[node] == now:
        return
    g.stamp[node] = now
    d = g.displacement
    f = g.force
    f[node, 0] = 0.0
    f[node, 1] = 0.0
    f[node, 2] = 0.0
    if by_modes == 0:
        at = g.places[node]
        u = g.u
        d[node, 0] = u[at, sector]
        d[node, 1] = u[at + 1, sector]
        d[node, 2] = u[at + 2, sector]
        return
    moving = g.moving
    for c in range(3):
        row = g.shapes[3 * node + c]
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for k in range(g.padded // LANES):
            m = LANES * k
            s0 += row[m] * moving[m]
            s1 += row[m + 1] * moving[m + 1]
            s2 += row[m + 2] * moving[m + 2]
            s3 += row[m + 3] * moving[m + 3]
        d[node, c] = (s0 + s1) + (s2 + s3)


@block
def project(g: NodeGear, s: NodeContact, side: I8, elastic: I8, sector: I8, q0: F8, q1: F8, q2: F8, i: I8, j: I8) -> I8:
    """Nearest point of a flank of the present tooth, from face (i, j) on. 1: there is one, in s.found."""
    rows = g.data.rows
    lines = g.data.faces
    P = g.points
    D = g.displacement
    first = side * g.nodes
    found = s.found
    before_i = -1
    before_j = -1
    xi = 0.0
    eta = 0.0
    for _move in range(MOVES):
        a = first + i * lines + j
        b = a + lines
        if elastic == 1:
            put_displacement(g, a, s.now, s.by_modes, sector)
            put_displacement(g, a + 1, s.now, s.by_modes, sector)
            put_displacement(g, b, s.now, s.by_modes, sector)
            put_displacement(g, b + 1, s.now, s.by_modes, sector)
            ax, ay, az = P[a, 0] + D[a, 0], P[a, 1] + D[a, 1], P[a, 2] + D[a, 2]
            bx, by, bz = P[b, 0] + D[b, 0], P[b, 1] + D[b, 1], P[b, 2] + D[b, 2]
            cx, cy, cz = P[b + 1, 0] + D[b + 1, 0], P[b + 1, 1] + D[b + 1, 1], P[b + 1, 2] + D[b + 1, 2]
            ex, ey, ez = P[a + 1, 0] + D[a + 1, 0], P[a + 1, 1] + D[a + 1, 1], P[a + 1, 2] + D[a + 1, 2]
        else:
            ax, ay, az = P[a, 0], P[a, 1], P[a, 2]
            bx, by, bz = P[b, 0], P[b, 1], P[b, 2]
            cx, cy, cz = P[b + 1, 0], P[b + 1, 1], P[b + 1, 2]
            ex, ey, ez = P[a + 1, 0], P[a + 1, 1], P[a + 1, 2]
        # x = m + p xi + r eta + w xi eta
        mx, my, mz = 0.25 * (ax + bx + cx + ex), 0.25 * (ay + by + cy + ey), 0.25 * (az + bz + cz + ez)
        px, py, pz = 0.25 * (bx + cx - ax - ex), 0.25 * (by + cy - ay - ey), 0.25 * (bz + cz - az - ez)
        rx, ry, rz = 0.25 * (cx + ex - ax - bx), 0.25 * (cy + ey - ay - by), 0.25 * (cz + ez - az - bz)
        wx, wy, wz = 0.25 * (ax + cx - bx - ex), 0.25 * (ay + cy - by - ey), 0.25 * (az + cz - bz - ez)
        xi = 0.0
        eta = 0.0
        for _turn in range(12):
            sx, sy, sz = px + wx * eta, py + wy * eta, pz + wz * eta
            tx, ty, tz = rx + wx * xi, ry + wy * xi, rz + wz * xi
            dx, dy, dz = q0 - mx - sx * xi - rx * eta, q1 - my - sy * xi - ry * eta, q2 - mz - sz * xi - rz * eta
            one = sx * dx + sy * dy + sz * dz
            two = tx * dx + ty * dy + tz * dz
            h11 = sx * sx + sy * sy + sz * sz
            h22 = tx * tx + ty * ty + tz * tz
            h12 = sx * tx + sy * ty + sz * tz - (wx * dx + wy * dy + wz * dz)
            det = h11 * h22 - h12 * h12
            if not det > 0.0:
                return 0
            d_xi = (one * h22 - two * h12) / det
            d_eta = (two * h11 - one * h12) / det
            xi = min(max(xi + d_xi, -8.0), 8.0)
            eta = min(max(eta + d_eta, -8.0), 8.0)
            if abs(d_xi) + abs(d_eta) < 1e-11:
                break
        next_i = i
        next_j = j
        if xi > 1.0:
            next_i = min(i + 1, rows - 2)
        elif xi < -1.0:
            next_i = max(i - 1, 0)
        if eta > 1.0:
            next_j = min(j + 1, lines - 2)
        elif eta < -1.0:
            next_j = max(j - 1, 0)
        if next_i == i and next_j == j:
            if abs(xi) > OVER_TIP or abs(eta) > OVER_END:
                return 0
            break
        if next_i == before_i and next_j == before_j:
            break  # on the edge between two faces
        before_i = i
        before_j = j
        i = next_i
        j = next_j
    xi = min(max(xi, -1.0), 1.0)
    eta = min(max(eta, -1.0), 1.0)
    sx, sy, sz = px + wx * eta, py + wy * eta, pz + wz * eta
    tx, ty, tz = rx + wx * xi, ry + wy * xi, rz + wz * xi
    x0, x1, x2 = mx + sx * xi + rx * eta, my + sy * xi + ry * eta, mz + sz * xi + rz * eta
    nx, ny, nz = sy * tz - sz * ty, sz * tx - sx * tz, sx * ty - sy * tx
    size = g.outward[side] / math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx * size, ny * size, nz * size
    found[0] = nx * (q0 - x0) + ny * (q1 - x1) + nz * (q2 - x2)
    found[1] = nx
    found[2] = ny
    found[3] = nz
    found[4] = xi
    found[5] = eta
    found[6] = x0
    found[7] = x1
    found[8] = x2
    found[9] = i
    found[10] = j
    return 1


@leaf
def side_at(s: NodeContact, number: I8) -> NodeSide:
    return s.drive if number == 0 else s.coast


@block
def place_teeth_pair(s: NodeContact, number: I8, k: I8, q_a: F8, q_b: F8):
    """Position of tooth k of A and its opposite tooth of B: rotation and shift from the axes of the first to the second."""
    side = side_at(s, number)
    a = s.a
    b = s.b
    s.tooth = k
    s.tooth_b = side.tooth_b + s.direction * k
    angle = a.sense * q_a + TWO_PI * k / a.data.teeth
    other = b.sense * q_b + TWO_PI * s.tooth_b / b.data.teeth + side.more
    A = a.rotation
    B = b.rotation
    c = math.cos(angle)
    d = math.sin(angle)
    e = math.cos(other)
    f = math.sin(other)
    # columns of both frames in space
    a0, a3, a6 = c * A[0] + d * A[1], c * A[3] + d * A[4], c * A[6] + d * A[7]
    a1, a4, a7 = c * A[1] - d * A[0], c * A[4] - d * A[3], c * A[7] - d * A[6]
    b0, b3, b6 = e * B[0] + f * B[1], e * B[3] + f * B[4], e * B[6] + f * B[7]
    b1, b4, b7 = e * B[1] - f * B[0], e * B[4] - f * B[3], e * B[7] - f * B[6]
    R = s.turn
    R[0] = b0 * a0 + b3 * a3 + b6 * a6
    R[1] = b0 * a1 + b3 * a4 + b6 * a7
    R[2] = b0 * A[2] + b3 * A[5] + b6 * A[8]
    R[3] = b1 * a0 + b4 * a3 + b7 * a6
    R[4] = b1 * a1 + b4 * a4 + b7 * a7
    R[5] = b1 * A[2] + b4 * A[5] + b7 * A[8]
    R[6] = B[2] * a0 + B[5] * a3 + B[8] * a6
    R[7] = B[2] * a1 + B[5] * a4 + B[8] * a7
    R[8] = B[2] * A[2] + B[5] * A[5] + B[8] * A[8]
    o = a.origin
    p = b.origin
    x, y, z = o[0] - p[0], o[1] - p[1], o[2] - p[2]
    t = s.shift
    t[0] = b0 * x + b3 * y + b6 * z
    t[1] = b1 * x + b4 * y + b7 * z
    t[2] = B[2] * x + B[5] * y + B[8] * z


@block
def to_other(s: NodeContact, from_b: I8, x: F8, y: F8, z: F8, to: A1):
    """A point in the axes of its tooth, in those of the opposite tooth: to[:3]."""
    R = s.turn
    t = s.shift
    if from_b == 0:
        to[0] = R[0] * x + R[1] * y + R[2] * z + t[0]
        to[1] = R[3] * x + R[4] * y + R[5] * z + t[1]
        to[2] = R[6] * x + R[7] * y + R[8] * z + t[2]
    else:
        x -= t[0]
        y -= t[1]
        z -= t[2]
        to[0] = R[0] * x + R[3] * y + R[6] * z
        to[1] = R[1] * x + R[4] * y + R[7] * z
        to[2] = R[2] * x + R[5] * y + R[8] * z


@block
def _list_nodes(s: NodeContact, slave: NodeGear, master: NodeGear, from_b: I8, number: I8, on: I8, opposite: I8, k: I8):
    """Add the nodes of a flank that are near the opposite flank."""
    rows = master.data.rows
    lines = master.data.faces
    P = slave.points
    Q = master.points
    entries = s.entries
    found = s.found
    first = opposite * master.nodes
    middle = first + (rows // 2) * lines
    for n in range(slave.nodes):
        node = on * slave.nodes + n
        to_other(s, from_b, P[node, 0], P[node, 1], P[node, 2], found)
        x = found[0]
        y = found[1]
        z = found[2]
        j = 0
        while j < lines - 2 and z > Q[middle + j + 1, 2]:
            j += 1
        # rows: by the radius, which grows or falls from row to row
        r = x * x + y * y
        low = first + j
        high = first + (rows - 1) * lines + j
        rl = Q[low, 0] * Q[low, 0] + Q[low, 1] * Q[low, 1]
        rh = Q[high, 0] * Q[high, 0] + Q[high, 1] * Q[high, 1]
        part = (r - rl) / (rh - rl)
        if part < -0.2 or part > 1.2:
            continue
        i = min(max(int(part * (rows - 1)), 0), rows - 2)
        if project(master, s, opposite, 0, 0, x, y, z, i, j) == 0:
            continue
        if found[0] > s.near + s.margin or found[0] < -s.deep or s.count == s.room:
            continue
        e = entries[s.count]
        e[0] = from_b
        e[1] = number
        e[2] = k
        e[3] = node
        e[4] = int(found[9])
        e[5] = int(found[10])
        s.count += 1


@block
def list_nodes(s: NodeContact, q_a: F8, q_b: F8):
    """Find the nodes near contact: of the tooth of A next to the line of centres, and of its neighbours."""
    pitch = TWO_PI / s.a.data.teeth
    centre = math.floor((s.towards - s.a.sense * q_a) / pitch + 0.5)
    s.count = 0
    s.listed_a = q_a
    s.listed_b = q_b
    for k in range(centre - s.reach, centre + s.reach + 1):
        for number in range(2):
            side = side_at(s, number)
            place_teeth_pair(s, number, k, q_a, q_b)
            if s.from_a == 1:
                _list_nodes(s, s.a, s.b, 0, number, side.side_a, side.side_b, k)
            if s.from_b == 1:
                _list_nodes(s, s.b, s.a, 1, number, side.side_b, side.side_a, k)


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
