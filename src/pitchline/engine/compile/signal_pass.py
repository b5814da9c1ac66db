"""Records and compiled pass for the signals that elements read: values, and derivatives by the chain rule."""

from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    elsewhere,
    embedded,
    fields,
    inline,
    matrix_over,
    numbers,
    reference,
    table,
)
from pitchline.numerics.functions import value_of
from pitchline.numerics.gradient_laws import call_gradient_law
from pitchline.numerics.machine_code.compiled import A1, B1, F8, I8, V3, block, leaf
from pitchline.numerics.vectors import add, cross, dot, mtv, mv, set_vec

from ..elements.contract import (
    ANGLE,
    Any_,
    Ask,
    Input,
    Measure,
    Node,
    Turns,
    call_evaluate,
    counted_angle,
    measure,
    measure_stiffness,
    rate,
    turning,
)

# ---- signal records

# Records of the signals that elements read (see `signal_graph`).

CLOCK, FUNCTION, MEASURE, MEASURE_RATE, SPIN, POINT, POINT_RATE, TURN_RATE, OWN, OWN_RATE, LAW, RESPONSE = range(12)
"""Kinds of signals."""

SignalItem = fields(
    "SignalItem",
    kind=INTEGER,
    value=INTEGER,  # its place among the values; the first, for the outputs of an element
    count=INTEGER,
    place=INTEGER,  # index of a function, of an own coordinate among all coordinates, or of an element
    address=INTEGER,  # of a law
    node_a=INTEGER,
    node_b=INTEGER,
    factor=NUMBER,  # derivative of a spin by the rate of the coordinate
    measure=embedded(Measure),
    turns=reference(Turns),
    point=VECTOR,
    direction=VECTOR,
    n_inputs=INTEGER,
    inputs=elsewhere("n_inputs", of="integer"),  # places of the values that a law reads
    first=INTEGER,  # its derivatives
    last=INTEGER,
    chain0=INTEGER,  # its entries of the chain rule
    chain1=INTEGER,
)

SignalTable = fields(
    "SignalTable",
    n_items=INTEGER,  # those that elements read
    n_all=INTEGER,  # and the outputs that are only reported
    n_values=INTEGER,
    n_derivatives=INTEGER,
    n_combined=INTEGER,
    n_chain=INTEGER,
    n_inputs=INTEGER,
    n_feeds=INTEGER,
    n_buffer=INTEGER,
    items=table(SignalItem),
    inputs=table(Input),
    input_value=elsewhere("n_inputs", of="integer"),  # value of each input of an element
    values=elsewhere("n_values"),
    by_time=elsewhere("n_values"),  # explicit derivatives by time
    by_position=elsewhere("n_derivatives"),
    by_rate=elsewhere("n_derivatives"),
    column=elsewhere("n_derivatives", of="integer"),  # coordinate of each derivative
    combined=elsewhere("n_combined"),  # K by_position + D by_rate; then the same for rows of constraints
    chain_partial=elsewhere("n_chain", of="integer"),
    chain_from=elsewhere("n_chain", of="integer"),
    chain_to=elsewhere("n_chain", of="integer"),
    feed_from=elsewhere("n_feeds", of="integer"),  # derivative of a row by an input, in the element's tangent
    feed_by=elsewhere("n_feeds", of="integer"),  # derivative of the input
    feed_to=elsewhere("n_feeds", of="integer"),  # place in the matrix values
    feed_scale=elsewhere("n_feeds"),
    gradient=inline(12),
    hessian=inline(12, 12),
    arguments=elsewhere("n_buffer"),
    results=elsewhere("n_buffer"),
)
"""Signals of a system in the order of their evaluation, and their derivatives with respect to coordinates and rates."""


# ---- records

# Record of a system: all data that compiled code reads and writes during the evaluation of elements.
#
# The arrays belong to a `Workspace`, which keeps them and never replaces them. The evaluated state is the accepted
# one, `pose0` and `own0`, plus the increments `dq`; rates, accelerations and multipliers are `v`, `vd` and `lam`.

Pose = fields("Pose", x=VECTOR, q=numbers(4))
"""Position x_WN and unit quaternion (w, x, y, z) of R_WN."""

Turn = fields("Turn", M=MATRIX)
"""Tangent operator of the rotation increments of a node."""

NodeMap = fields("NodeMap", first=INTEGER, count=INTEGER, free=INTEGER, elastic=INTEGER, T=inline(6, 6))
"""Coordinates of a node: the first one, their number, the first of three free rotation increments or -1; the same if an
elastic element acts on the node, otherwise -1; V = T v."""

PlacedElement = fields(
    "PlacedElement",
    evaluate=INTEGER,  # addresses of its functions, 0: none
    begin=INTEGER,
    accept=INTEGER,
    guard=INTEGER,
    respond=INTEGER,
    report=INTEGER,
    s=reference(Any_),
    m=reference(Any_),
    x=reference(Any_),
    w=reference(Any_),
    n_nodes=INTEGER,
    nodes=elsewhere("n_nodes", of="integer"),
    n_own=INTEGER,  # own coordinates with rows
    own=INTEGER,  # the first of them, counted among all coordinates
    n_inputs=INTEGER,
    input0=INTEGER,  # the first of them, among the inputs of all elements
    n_outputs=INTEGER,
    output0=INTEGER,  # the first of them, among the values of signals
    n_rows=INTEGER,
    lam=INTEGER,  # first multiplier
    size=INTEGER,  # of its local block
    open_size=INTEGER,  # with a row for each condensed coordinate
    has_inertia=INTEGER,
    is_reduced=INTEGER,  # a node has fewer than six coordinates
    entry0=INTEGER,  # its entries in the scatter list
    entry1=INTEGER,
    feed0=INTEGER,  # its entries through inputs
    feed1=INTEGER,
)

SystemRecord = fields(
    "System",
    n_nodes=INTEGER,
    n_elements=INTEGER,
    n_active=INTEGER,  # active elements come first; the others are only reported
    n_q=INTEGER,  # coordinates: of the nodes, then open coordinates of elements
    n_own=INTEGER,
    first_own=INTEGER,
    n=INTEGER,  # unknowns: coordinates, then live multipliers
    n_lam=INTEGER,
    n_mem=INTEGER,
    n_condensed=INTEGER,
    n_values=INTEGER,
    n_entries=INTEGER,
    n_local=INTEGER,
    n_local_squared=INTEGER,
    is_dense=INTEGER,
    ask=embedded(Ask),
    signals=reference(SignalTable),
    nodes=table(NodeMap),
    elements=table(PlacedElement),
    # evaluated state
    bodies=table(Node),
    pose0=table(Pose),
    pose=table(Pose),
    turns=table(Turn),
    dq=elsewhere("n_q"),
    v=elsewhere("n_q"),
    vd=elsewhere("n_q"),
    own0=elsewhere("n_own"),
    own=elsewhere("n_own"),
    lam=elsewhere("n_lam"),
    mem=elsewhere("n_mem"),
    condensed=elsewhere("n_condensed"),
    condensed_rate=elsewhere("n_condensed"),
    # equations
    equation=elsewhere(
        "n_lam", of="integer"
    ),  # row of each multiplier, -1: redundant, -2: idle in the plane; both are omitted
    lam_scale=elsewhere("n_lam"),
    lam_factor=elsewhere("n_lam"),  # part of lam_scale that the user has set; also in the weight of the multiplier
    lam_penalty=elsewhere("n_lam"),  # s times the penalty of the row, 0: none
    penalised=INTEGER,  # 1 during the assembly of a matrix that includes the penalties
    weight=elsewhere("n"),  # of each unknown: 1 for an angle, 1/length of the model for a length, see `weigh_own`
    usual_weight=elsewhere("n"),  # the same for own coordinates of typical magnitude
    entry_from=elsewhere("n_entries", of="index"),  # place in the element's tangent, row by row
    entry_to=elsewhere("n_entries", of="index"),  # place in the matrix values
    entry_scale=elsewhere("n_entries"),
    r=elsewhere("n"),
    Ax=elsewhere("n_values"),
    local_r=elsewhere("n_local"),
    local_J=elsewhere("n_local_squared"),
    # lists of elements and multipliers by task
    n_constraints=INTEGER,
    n_begins=INTEGER,
    n_accepts=INTEGER,
    n_guards=INTEGER,
    n_opening=INTEGER,
    n_driven=INTEGER,
    n_massless=INTEGER,
    constraints=elsewhere("n_constraints", of="integer"),  # active elements with multipliers
    begins=elsewhere("n_begins", of="integer"),  # elements that prepare a step
    accepts=elsewhere("n_accepts", of="integer"),  # elements with memory
    guards=elsewhere("n_guards", of="integer"),  # active elements that watch for events within a step
    opening=elsewhere("n_opening", of="integer"),  # multipliers of rows that open and close
    driven=elsewhere("n_driven", of="integer"),  # elements whose coordinate follows a function of time
    massless=elsewhere("n_massless", of="integer"),  # own coordinates of order 1
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
