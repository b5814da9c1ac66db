"""Values of the signals that elements read, and their derivatives by the chain rule, in one pass over the signal graph."""

from ..elements.contract import call_evaluate
from ..elements.scalar_geometry import ANGLE, counted_angle, measure, measure_stiffness, rate, turning
from ..math.compiled import A1, B1, F8, I8, V3, block, leaf
from ..math.fields import matrix_over
from ..math.functions import value_of
from ..math.gradient_laws import call_gradient_law
from ..math.vectors import add, cross, dot, mtv, mv, set_vec
from .records import PlacedElement, SystemRecord
from .signal_records import (
    CLOCK,
    FUNCTION,
    LAW,
    MEASURE,
    MEASURE_RATE,
    OWN,
    OWN_RATE,
    POINT,
    POINT_RATE,
    SPIN,
    TURN_RATE,
    SignalItem,
)


@leaf
def _of_node(sys: SystemRecord, k: I8, g: A1, o: I8, turn: B1, out: A1, at: I8) -> I8:
    """Derivatives g[o:o+6] by displacement and rotation of a node, as derivatives by its coordinates. Return the next place."""
    node = sys.nodes[k]
    nd = node.count
    x = (g[o], g[o + 1], g[o + 2])
    w = (g[o + 3], g[o + 4], g[o + 5])
    if turn and node.free >= 0:
        E = sys.turns[k].M
        w = (
            w[0] * E[0] + w[1] * E[3] + w[2] * E[6],
            w[0] * E[1] + w[1] * E[4] + w[2] * E[7],
            w[0] * E[2] + w[1] * E[5] + w[2] * E[8],
        )
    T = node.T
    for j in range(nd):
        out[at + j] += (
            x[0] * T[0, j] + x[1] * T[1, j] + x[2] * T[2, j] + w[0] * T[3, j] + w[1] * T[4, j] + w[2] * T[5, j]
        )
    return at + nd


@block
def _joint_signal(sys: SystemRecord, item: SignalItem, derivatives: B1, turn: B1) -> F8:
    """Measure of a joint, or its rate."""
    t = sys.signals
    g = t.gradient
    a = sys.bodies[item.node_a]
    b = sys.bodies[item.node_b]
    if item.kind == MEASURE and item.measure.kind == ANGLE and not derivatives:
        return counted_angle(item.measure, item.turns, a, b)
    value = measure(item.measure, item.turns, a, b, g)
    if item.kind == MEASURE_RATE:
        value = rate(g, a, b)
    if derivatives:
        plain = t.by_position if item.kind == MEASURE else t.by_rate
        # derivatives by rates are not rotated: increments of rates are those of the rates themselves
        at = _of_node(sys, item.node_a, g, 0, turn and item.kind == MEASURE, plain, item.first)
        _of_node(sys, item.node_b, g, 6, turn and item.kind == MEASURE, plain, at)
        if item.kind == MEASURE_RATE:
            H = t.hessian
            for i in range(12):
                for j in range(12):
                    H[i, j] = 0.0
            measure_stiffness(item.measure, a, b, H)
            for j in range(12):
                g[j] = turning(H, j, a, b)
            at = _of_node(sys, item.node_a, g, 0, turn, t.by_position, item.first)
            _of_node(sys, item.node_b, g, 6, turn, t.by_position, at)
    return value


@leaf
def _set_six(g: A1, x: V3, w: V3):
    set_vec(g, 0, x)
    set_vec(g, 3, w)


@block
def _point_signal(sys: SystemRecord, item: SignalItem, derivatives: B1, turn: B1) -> F8:
    """Component of the position or velocity of a point, or of the angular velocity of its node."""
    t = sys.signals
    g = t.gradient
    node = sys.bodies[item.node_a]
    e = item.direction
    p = item.point
    local = mtv(node.R, e)
    zero = (0.0, 0.0, 0.0)
    if item.kind == POINT:
        if derivatives:
            _set_six(g, e, cross(p, local))
            _of_node(sys, item.node_a, g, 0, turn, t.by_position, item.first)
        return dot(e, add(node.x, mv(node.R, p)))
    if item.kind == POINT_RATE:
        u = cross(node.w, p)
        if derivatives:
            _set_six(g, e, cross(p, local))
            _of_node(sys, item.node_a, g, 0, False, t.by_rate, item.first)
            _set_six(g, zero, cross(u, local))
            _of_node(sys, item.node_a, g, 0, turn, t.by_position, item.first)
        return dot(e, add(node.v, mv(node.R, u)))
    if derivatives:
        _set_six(g, zero, local)
        _of_node(sys, item.node_a, g, 0, False, t.by_rate, item.first)
        _set_six(g, zero, cross(node.w, local))
        _of_node(sys, item.node_a, g, 0, turn, t.by_position, item.first)
    return dot(local, node.w)


@leaf
def read_inputs(sys: SystemRecord, e: PlacedElement):
    """Give an element the values of its inputs."""
    t = sys.signals
    for i in range(e.input0, e.input0 + e.n_inputs):
        t.inputs[i].value = t.values[t.input_value[i]]


@block
def _response(sys: SystemRecord, item: SignalItem):
    """Outputs of an element, and their derivatives by its own coordinates and inputs, into `results`."""
    t = sys.signals
    e = sys.elements[item.place]
    read_inputs(sys, e)
    n = item.count
    results = t.results
    for i in range(n + n * e.size):
        results[i] = 0.0
    call_evaluate(
        e.respond, e.s, e.m, e.x, e.w, sys.ask, results[0:n], matrix_over(results[n : n + n * e.size], n, e.size)
    )
    for i in range(n):
        t.values[item.value + i] = results[i]


@leaf
def _leaf_value(sys: SystemRecord, item: SignalItem) -> F8:
    """Value of a signal without derivatives by coordinates; writes its derivative by time."""
    t = sys.signals
    ask = sys.ask
    now = ask.t + ask.shift  # prescribed motions `shift` later, for their accelerations
    if item.kind == CLOCK:
        t.by_time[item.value] = 1.0
        return now
    f = value_of(ask.functions, item.place, now)
    t.by_time[item.value] = f[1]
    return f[0]


@block
def _evaluate_signals(sys: SystemRecord, count: I8, derivatives: B1, turn: B1):
    """Values of the first `count` signals and, if requested, their derivatives."""
    t = sys.signals
    if derivatives:
        for i in range(t.n_derivatives):
            t.by_position[i] = 0.0
            t.by_rate[i] = 0.0
    for n in range(count):
        item = t.items[n]
        kind = item.kind
        if kind == CLOCK or kind == FUNCTION:
            t.values[item.value] = _leaf_value(sys, item)
            continue
        t.by_time[item.value] = 0.0
        if kind == MEASURE or kind == MEASURE_RATE:
            t.values[item.value] = _joint_signal(sys, item, derivatives, turn)
        elif kind == POINT or kind == POINT_RATE or kind == TURN_RATE:
            t.values[item.value] = _point_signal(sys, item, derivatives, turn)
        elif kind == SPIN:
            t.values[item.value] = dot(item.direction, sys.bodies[item.node_b].w)
            t.by_rate[item.first] = item.factor
        elif kind == OWN:
            t.values[item.value] = sys.own[item.place - sys.first_own]
            t.by_position[item.first] = 1.0
        elif kind == OWN_RATE:
            t.values[item.value] = sys.v[item.place]
            t.by_rate[item.first] = 1.0
        else:
            if kind == LAW:
                for i in range(item.n_inputs):
                    t.arguments[i] = t.values[item.inputs[i]]
                call_gradient_law(item.address, t.arguments, t.results)
                t.values[item.value] = t.results[0]
                for i in range(item.n_inputs):
                    t.by_time[item.value] += t.results[1 + i] * t.by_time[item.inputs[i]]
            else:
                _response(sys, item)
                for o in range(item.count):
                    t.by_time[item.value + o] = 0.0
                    e = sys.elements[item.place]
                    for i in range(e.n_inputs):
                        at = item.count + o * e.size + t.inputs[e.input0 + i].column
                        t.by_time[item.value + o] += t.results[at] * t.by_time[t.input_value[e.input0 + i]]
            if derivatives:
                for c in range(item.chain0, item.chain1):
                    p = t.results[t.chain_partial[c]]
                    t.by_position[t.chain_to[c]] += p * t.by_position[t.chain_from[c]]
                    t.by_rate[t.chain_to[c]] += p * t.by_rate[t.chain_from[c]]


@leaf
def update_signals(sys: SystemRecord):
    """Values of all inputs at the evaluated state."""
    t = sys.signals
    if t.n_items > 0:
        _evaluate_signals(sys, t.n_items, False, False)
        for i in range(t.n_inputs):
            t.inputs[i].value = t.values[t.input_value[i]]


@block
def update_all_signals(sys: SystemRecord):
    """Values of all inputs, and of outputs that no element reads."""
    t = sys.signals
    if t.n_all > 0:
        _evaluate_signals(sys, t.n_all, False, False)
        for i in range(t.n_inputs):
            t.inputs[i].value = t.values[t.input_value[i]]


@block
def differentiate_signals(sys: SystemRecord, turn: B1):
    """Values of all inputs, and their derivatives, combined with the factors of the tangent."""
    t = sys.signals
    if t.n_items == 0:
        return
    _evaluate_signals(sys, t.n_items, True, turn)
    for i in range(t.n_inputs):
        t.inputs[i].value = t.values[t.input_value[i]]
    K = sys.ask.K
    D = sys.ask.D
    ratio = D / K if K != 0.0 else 0.0
    n = t.n_derivatives
    for i in range(n):
        t.combined[i] = K * t.by_position[i] + D * t.by_rate[i]
        t.combined[n + i] = t.by_position[i] + ratio * t.by_rate[i]


@block
def rate_signals(sys: SystemRecord):
    """Values and rates of all inputs."""
    t = sys.signals
    if t.n_items == 0:
        return
    _evaluate_signals(sys, t.n_items, True, False)
    for i in range(t.n_inputs):
        t.inputs[i].value = t.values[t.input_value[i]]
        t.inputs[i].rate = t.by_time[t.input_value[i]]
    for n in range(t.n_items):
        item = t.items[n]
        width = (item.last - item.first) // item.count
        for o in range(item.count):
            change = 0.0
            for i in range(item.first + o * width, item.first + (o + 1) * width):
                change += t.by_position[i] * sys.v[t.column[i]] + t.by_rate[i] * sys.vd[t.column[i]]
            for i in range(t.n_inputs):
                if t.input_value[i] == item.value + o:
                    t.inputs[i].rate += change


@leaf
def feed_tangent(sys: SystemRecord, e: PlacedElement, J: A1):
    """Add the derivatives of the rows of an element through its inputs to the matrix."""
    t = sys.signals
    Ax = sys.Ax
    for q in range(e.feed0, e.feed1):
        Ax[t.feed_to[q]] += J[t.feed_from[q]] * t.combined[t.feed_by[q]] * t.feed_scale[q]
