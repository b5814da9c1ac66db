"""Record of a system: all data that compiled code reads and writes during the evaluation of elements.

The arrays belong to a `Workspace`, which keeps them and never replaces them. The evaluated state is the accepted one, `pose0`
and `own0`, plus the increments `dq`; rates, accelerations and multipliers are `v`, `vd` and `lam`.
"""

from ..elements.contract import Any_, Ask, Node
from ..math.fields import INTEGER, MATRIX, VECTOR, elsewhere, embedded, fields, inline, numbers, reference, table
from .signal_records import SignalTable

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
