"""The contract of elements: records, compiled functions and signals, and the scalar coordinates that many elements share.

Definition of an element: records with named fields, and up to six compiled functions.

| record | content | lifetime | written by |
|---|---|---|---|
| `s` | parameters: frames in node axes, derived numbers, tables | the system | the compile step |
| `m` | memory: counted revolutions, forces of the last step | the state | only `accept` |
| `x` | nodes (`Node`), multipliers `lam`, own coordinates | one evaluation | the engine; if condensed: only `accept` |
| `w` | scratch, kept between the functions of one step | one step | all functions of the element |
| `ask` | the request, see `Ask` | one evaluation | the engine; `evaluate` adds to the powers |
| `r`, `J` | local block: six rows for each node, open coordinates, inputs, multipliers | one evaluation | `evaluate` |
| `out` | energies, power and signals by name | one sample | `report` |

| function | call | task |
|---|---|---|
| `begin(s, m, x, w, ask)` | once in a step, before Newton; at rest before every evaluation | values that are constant in the
iterations | | `evaluate(s, m, x, w, ask, r, J)` | in every iteration | see the modes below |
| `guard(s, m, x, w, ask)` | at the end of a step, before it is accepted | `ask.cut`, if an event occurs within the step |
| `accept(s, m, x, w, ask)` | at an accepted state | memory, condensed coordinates |
| `respond(s, m, x, w, ask, y, Y)` | before elements that read its outputs | outputs y from own coordinates and inputs, and
their derivatives Y by the columns of J |
| `report(s, m, x, w, ask, out)` | for every sample | energies, power, signals; if `ask.open`, from the coordinates themselves |

Scratch has any content before `begin`. In `begin`, x is the accepted state, and `ask.t` and `ask.h` are those of the step; an
element that switches increases `ask.grip` to its largest effort at rest over the root of its inertia. In
`accept`, `ask.h` is 0 at rest (start, statics). If `ask.open`, condensed coordinates belong to the engine: `accept` does not
change them.

| `ask.mode` | `evaluate` adds |
|---|---|
| RESIDUAL | r: inertia + internal forces - loads + B^T lambda for the nodes, equations of open coordinates, Phi |
| TANGENT | the same, and J = M dr/da + D dr/dv + K dr/dq with the factors of `ask`, with B and B^T unscaled |
| RATE | r of the multiplier rows: dPhi/dt = B v + Phi_t; prescribed motions `ask.shift` later, to first order |

**Events.** An element that switches (friction: stick, slip) finds in `guard` the fraction of the step at which it will switch, and
decreases `ask.cut` to it. The step is repeated up to that instant. While it is located, `ask.cut` is 2 at first: fractions
above 1 are then events shortly after the end of the step. If the fraction differs from 1 by no more than `ask.shift` (if that is
negative: if it is below -`ask.shift`, the event occurs at the start of the step, and `accept` follows with the state there), the
element switches in the next `accept`, and sets `ask.restart` to 1: forces jump. In the next step `ask.restart` is 1 from the
start, and its accelerations do not depend on those before. In it an element may change its law within Newton's iteration, and
sets `ask.restart` to 2 then, so that the matrix is computed again. An element with a very steep law does the same in any step if
its derivative is far from that of the evaluation before. At rest, `accept` with `ask.restart` 1 chooses the law from
velocities, accelerations and multipliers; 2 after a change.

Functions never allocate memory, and do not depend on the real coordinates of a node (`system` transforms them). In machine
code all records are addresses: every element has the same signature, and a new element requires no recompilation of the
assembly or the step loop.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numba import types

from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    Any_,
    Fields,
    elsewhere,
    embedded,
    fields,
    inline,
    numbers,
    reference,
)
from pitchline.numerics.machine_code.calling import address_of, caller_of
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from pitchline.numerics.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, outer, skew, sub, tr

RESIDUAL, TANGENT, RATE = 0, 1, 2
KEEP = 3
"""Value of `ask.restart`: `guard` stores the law that was chosen within Newton's iteration, which starts again from it."""
NEVER = 1e300
"""Time of a stop that no element requires [s]."""

Node = fields("Node", x=VECTOR, R=MATRIX, v=VECTOR, w=VECTOR, a=VECTOR, al=VECTOR)
"""Position x_WN, velocity and acceleration in world axes; rotation R_WN; angular velocity and acceleration in node axes."""

Placed = fields("Placed", at=VECTOR, axes=MATRIX)
"""Frame fixed in a node: its origin, and its axes as columns, in node axes."""

Ask = fields(
    "Ask",
    mode=INTEGER,
    open=INTEGER,  # 1: condensed coordinates have their own rows, after the open ones (linear analyses)
    t=NUMBER,
    h=NUMBER,  # 0: at rest; otherwise the time since the accepted state
    M=NUMBER,  # factors of the tangent
    D=NUMBER,
    K=NUMBER,
    L=NUMBER,  # 1/s, s the factor of the rows of motion: factor of the derivative of a row with respect to its multiplier
    load=NUMBER,  # load factor of statics, 1 elsewhere
    damp=NUMBER,  # 0 in statics and kinematics, where velocities must not cause forces
    shift=NUMBER,
    cut=NUMBER,  # `guard` decreases it to the fraction of the step at which an event occurs
    stop=NUMBER,  # `accept` decreases it to the next time at which a step must end
    restart=INTEGER,  # see "Events" above
    grip=NUMBER,  # largest effort at rest of elements that switch, and largest multiplier; both over the root of their inertia
    acting=NUMBER,
    power_in=NUMBER,
    power_out=NUMBER,
    power_teeth=NUMBER,  # part of power_in from teeth whose force has no potential
    n_functions=INTEGER,
    functions=elsewhere("n_functions"),  # value_of(ask.functions, s.place, ask.t)
)
Nothing = fields("Nothing")

Input = fields("Input", value=NUMBER, rate=NUMBER, column=INTEGER)
"""Signal that an element reads: its value; its rate, if `ask.mode` is RATE; its column in J, for derivatives of rows by it."""

EVALUATE: Any = types.void(Any_, Any_, Any_, Any_, Ask, A1, A2)  # type: ignore[call-overload]
HOOK: Any = types.void(Any_, Any_, Any_, Any_, Ask)
REPORT: Any = types.void(Any_, Any_, Any_, Any_, Ask, Any_)
call_evaluate, call_hook, call_report = caller_of(EVALUATE), caller_of(HOOK), caller_of(REPORT)

ENERGIES = ("kinetic", "potential", "power_in", "power_out")
"""The first fields of every `out`."""


@dataclass(frozen=True)
class SignalSpec:
    """One output of an element: `size` numbers of its report, with unit and meaning."""

    name: str
    unit: str
    description: str
    size: int = 1


def unit_signal(name: str, unit: str, description: str) -> SignalSpec:
    """A vector signal in world axes."""
    return SignalSpec(name, unit, description, 3)


@dataclass(frozen=True)
class Coordinates:
    """Coordinates that belong to elements of a kind: part of the state, with names in results."""

    name: str
    count: str
    """Name of their number, a field of `x`."""
    unit: str
    description: str
    order: int = 2
    """1: the row is y' - f = 0 (controllers); 2: it has a mass."""
    condensed: bool = False
    """The element eliminates them within the step; otherwise they are unknowns of Newton."""
    typical: float = 1.0
    """Their typical magnitude, for Newton's tolerance and the error estimate."""


def seen(
    *names: str,
    nodes: str = "",
    rows: bool = False,
    coordinates: tuple[Coordinates, ...] = (),
    more: Mapping[str, Any] = {},
) -> Fields:
    """Record `x`: nodes by name, multipliers `lam` if the element has rows, own coordinates, rates and accelerations.

    nodes: name of the number of nodes, if it differs between elements; `x.nodes` then contains their addresses.
    more: further fields, by name.
    """
    layout: dict[str, Any] = {name: reference(Node) for name in names}
    if nodes:
        layout |= {nodes: INTEGER, "nodes": elsewhere(nodes, of="integer")}
    if rows:
        layout |= {"n_rows": INTEGER, "lam": elsewhere("n_rows")}
    for c in coordinates:
        layout[c.count] = INTEGER
    for c in coordinates:
        layout |= {f"{c.name}{part}": elsewhere(c.count) for part in ("", "_rate", "_acceleration")}
    return fields("Seen", **layout, **more)


PAIR = seen("a", "b")
PAIR_ROWS = seen("a", "b", rows=True)


@dataclass(frozen=True, eq=False)
class ElementKind:
    """Data that all elements of a kind share. Kinds are compared by identity."""

    name: str
    evaluate: Callable[..., Any]
    parameters: Fields
    seen: Fields = PAIR
    memory: Fields = Nothing
    scratch: Fields = Nothing
    begin: Callable[..., Any] | None = None
    accept: Callable[..., Any] | None = None
    guard: Callable[..., Any] | None = None
    report: Callable[..., Any] | None = None
    signals: tuple[SignalSpec, ...] = ()
    coordinates: tuple[Coordinates, ...] = ()
    inputs: tuple[str, ...] = ()
    """Fields of `x` with the signals that it reads (`Input`)."""
    outputs: tuple[SignalSpec, ...] = ()
    """Signals that `respond` computes and other elements can read; the last of `signals`."""
    respond: Callable[..., Any] | None = None
    turns: tuple[str, ...] = ()
    """Fields of `x` that refer to the counted revolutions of joints (`Turns`)."""
    has_inertia: bool = False
    """Its tangent contains the factor M: the assembly transforms it to the basis of the increments."""
    exchanges_power: bool = False
    """It supplies or dissipates power (drives, loads, dampers), which the energy balance integrates."""
    full_pattern: bool = False
    """Every entry of its tangent may become nonzero; otherwise zeros are determined by probing."""

    def show_nodes(self, seen: Any, addresses: np.ndarray) -> None:
        """Write addresses of nodes into records `x`: (elements, nodes), contiguous. The caller must keep them."""
        names = [name for name, _ in self.seen.layout]
        if "nodes" in names:
            seen[names[0]] = addresses.shape[1]
            seen["nodes"] = addresses.ctypes.data + addresses.strides[0] * np.arange(len(addresses))
        else:
            for name, of_each in zip(names, addresses.T, strict=False):
                seen[name] = of_each

    @cached_property
    def out(self) -> Fields:
        """Record that `report` fills."""
        parts = {s.name: NUMBER if s.size == 1 else numbers(s.size) for s in self.signals}
        return fields(f"{self.name} out", **dict.fromkeys(ENERGIES, NUMBER), **parts)

    @cached_property
    def columns(self) -> tuple[tuple[SignalSpec, int, int], ...]:
        """Signals of a report with their first and last columns."""
        ends = np.cumsum([spec.size for spec in self.signals]).tolist()
        return tuple((spec, end - spec.size, end) for spec, end in zip(self.signals, ends, strict=True))

    @cached_property
    def reported(self) -> int:
        """Number of columns of a report."""
        return sum(spec.size for spec in self.signals)

    @cached_property
    def addresses(self) -> dict[str, int]:
        """Machine addresses of its functions, 0 for missing ones. They are compiled if necessary. Not to be changed."""
        found = {}
        for name in ("evaluate", "begin", "accept", "guard", "respond", "report"):
            function = getattr(self, name)
            found[name] = 0 if function is None else address_of(function, self.signature(name))
        return found

    def signature(self, name: str) -> Any:
        """Types for the compilation of one of its functions."""
        more: dict[str, tuple[Any, ...]] = {"evaluate": (A1, A2), "respond": (A1, A2), "report": (self.out,)}
        return types.void(self.parameters, self.memory, self.seen, self.scratch, Ask, *more.get(name, ()))


@dataclass(eq=False)
class Element:
    """One element of a compiled model."""

    kind: ElementKind
    name: str
    """Name of its part of the model."""
    nodes: tuple[int, ...]
    parameters: np.ndarray
    """Record of the parameters, with the arrays behind it (see `fields.packed`)."""
    rows: str = ""
    """One letter for each multiplier: 't' a length (the multiplier is a force), 'r' an angle (a moment)."""
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Initial value of its memory, packed in the same way."""
    shares_memory_of: "Element | None" = None
    turns: dict[str, "Element"] = field(default_factory=dict)
    """Elements that count the revolutions of its joints, by the name of the field of `x` that refers to their memory."""
    scratch: np.ndarray | None = None
    """Initial content of its scratch: the positions of arrays behind the record. None: zeros."""
    inputs: tuple[Any, ...] = ()
    """Sources of its inputs (`parts.control.kernel`), in the order of `kind.inputs`."""
    direct: tuple[bool, ...] = ()
    """Whether its outputs depend directly on each input. Others may depend on its outputs: a state is in between."""
    counts: dict[str, int] = field(default_factory=dict)
    """Number of own coordinates, by the name of their number."""
    start: dict[str, Any] = field(default_factory=dict)
    """Initial values of its open coordinates by name, and of their rates, NAME_rate. Default 0."""
    every_step: bool = False
    """Its memory is updated at every accepted step; otherwise after some rotation, and before output."""
    passive: bool = False
    """Not in the equations (a joint that became coordinates of a node, an observer), but reported."""
    soft: bool = False
    """Its rows are compliant, or open and close: they are never redundant, and an open row is not an error."""
    switches: bool = False
    """Its rows change between a constraint and a law of their multiplier at events, without impact (friction). They are soft."""
    firm: int = 0
    """Of an element that switches: number of its first rows that do not (the teeth of a mesh whose friction sticks)."""
    firm_soft: bool = False
    """Whether these rows are soft."""
    law_place: int = 0
    """Place of the law (`parts.friction.kernel_sticking`) in the memory of an element that switches."""
    closing_force: float = 0.0
    """For compliant rows that can open: a multiplier at which they are closed at any position."""
    outside: Any = None
    """Program outside the engine that belongs to it (`outside_program.OutsideSession`)."""
    apart: np.ndarray | None = None
    """For rigid rows that can open: parameters with which they stay open at any position (see `impact`)."""
    restitution: float = 0.0
    """For rigid rows that can open: speed after an impact divided by the speed before it."""
    signals: tuple[str, ...] | None = None
    """Names of the signals of its kind that it publishes; None: all."""
    rename: dict[str, SignalSpec] = field(default_factory=dict)
    """Signals published with another name or unit (a force that is a torque in this element)."""

    @property
    def values(self) -> np.void:
        """Parameters by name, without the arrays behind the record."""
        return self.kind.parameters.named(self.parameters)

    @property
    def soft_rows(self) -> list[bool]:
        """For each row, whether it is compliant, or opens and closes."""
        return [self.firm_soft] * self.firm + [self.soft] * (len(self.rows) - self.firm)

    @property
    def opening_rows(self) -> list[int]:
        """Rows that open and close, and do not switch."""
        if self.switches:
            return list(range(self.firm)) if self.firm_soft else []
        return list(range(len(self.rows))) if self.soft else []

    @property
    def first_scratch(self) -> np.ndarray:
        """Initial content of its scratch."""
        return np.zeros(self.kind.scratch.size) if self.scratch is None else self.scratch

    def own(self, *, condensed: bool) -> int:
        """Number of own coordinates that are open, or condensed."""
        return sum(self.counts[c.count] for c in self.kind.coordinates if c.condensed == condensed)

    def size(self, *, opened: bool = False) -> int:
        """Number of rows of its local block; `opened`: including those of condensed coordinates."""
        return (
            6 * len(self.nodes)
            + self.own(condensed=False)
            + (self.own(condensed=True) if opened else 0)
            + len(self.kind.inputs)
            + len(self.rows)
        )


# ---- scalar geometry

# Scalar measures between two nodes: value, gradient and second derivative, independent of the force law.
#
# | measure | s | |---|---| | ANGLE | twist of frame B relative to frame A about their z axes, including full
# revolutions | | DISPLACEMENT | z_A . (o_B - o_A) | | DISTANCE | distance between o_A and o_B | | HELIX |
# displacement - pitch * angle |
#
# The twist is atan2(x_B.y_A - y_B.x_A, x_B.x_A + y_B.y_A). Its spatial gradient is (z_A + z_B)/(1 + z_A.z_B), which
# is the common axis if the axes agree, and exact otherwise.

Measure = fields("Measure", kind=INTEGER, pitch=NUMBER, a=embedded(Placed), b=embedded(Placed))
_FRAME_A, _FRAME_B = Measure.place("a")[0], Measure.place("b")[0]
_AT, _AXES = Placed.place("at")[0], Placed.place("axes")[0]
Turns = fields(
    "Turns",
    angle=NUMBER,  # at the last accepted step
    start_angle=NUMBER,  # at the start of the analysis
    start_displacement=NUMBER,
)
"""Memory of a measure."""
Gradient = fields("Gradient", gradient=inline(12))
"""Scratch of elements with one measure: its gradient by the coordinates of both nodes."""

ANGLE, DISPLACEMENT, DISTANCE, HELIX = 0, 1, 2, 3
TWO_PI = 2.0 * np.pi


@leaf
def _z(M: M9) -> V3:
    return (M[2], M[5], M[8])


@leaf
def principal_angle(frame_a: Placed, frame_b: Placed, a: Node, b: Node) -> F8:
    """Twist in (-pi, pi]."""
    A = frame_a.axes
    B = frame_b.axes
    xA = mv(a.R, (A[0], A[3], A[6]))
    yA = mv(a.R, (A[1], A[4], A[7]))
    xB = mv(b.R, (B[0], B[3], B[6]))
    yB = mv(b.R, (B[1], B[4], B[7]))
    return np.arctan2(dot(yA, xB) - dot(xA, yB), dot(xA, xB) + dot(yA, yB))


@leaf
def nearest_turn(angle: F8, reference: F8) -> F8:
    """Angle that differs from a principal one by full revolutions and is closest to the reference."""
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def counted_angle(s: Measure, m: Turns, a: Node, b: Node) -> F8:
    """Twist including full revolutions."""
    return nearest_turn(principal_angle(s.a, s.b, a, b), m.angle)


@leaf
def seen_from_a(p: V3, a: Node, b: Node) -> V3:
    """R_A^T (x_B + R_B p - x_A): a point of B relative to A, in node axes of A."""
    return mtv(a.R, sub(add(b.x, mv(b.R, p)), a.x))


@leaf
def displacement(s: Measure, a: Node, b: Node) -> F8:
    return dot(_z(s.a.axes), sub(seen_from_a(s.b.at, a, b), s.a.at))


@block
def angle_gradient(frame_a: Placed, frame_b: Placed, a: Node, b: Node, scale: F8, g: A1):
    """Adds the gradient of the twist, times `scale`."""
    RA = a.R
    RB = b.R
    zA = mv(RA, _z(frame_a.axes))
    zB = mv(RB, _z(frame_b.axes))
    q = 1.0 / (1.0 + dot(zA, zB))
    spatial = mul(q, add(zA, zB))
    add_vec(g, 3, mul(-scale, mtv(RA, spatial)))
    add_vec(g, 9, mul(scale, mtv(RB, spatial)))


@block
def angle_stiffness(frame_a: Placed, frame_b: Placed, a: Node, b: Node, scale: F8, J: A2):
    """Adds the second derivative of the twist, times `scale`."""
    RA = a.R
    RB = b.R
    zA = mv(RA, _z(frame_a.axes))
    zB = mv(RB, _z(frame_b.axes))
    q = 1.0 / (1.0 + dot(zA, zB))
    g = mul(q, add(zA, zB))
    n = cross(zA, zB)
    G = skew(g)
    # spatial: dg/dtheta_A = -q z_A~ - q g n^T, dg/dtheta_B = -q z_B~ + q g n^T; the frame of the row adds g~
    SA = skew(zA)
    SB = skew(zB)
    N = outer(g, n)
    TA = tr(RA)
    TB = tr(RB)
    for i in range(2):
        T = TA if i == 0 else TB
        k = -scale if i == 0 else scale
        at = 3 if i == 0 else 9
        add_mat(J, at, 3, -k * q, mm(mm(T, SA), RA))
        add_mat(J, at, 3, -k * q, mm(mm(T, N), RA))
        add_mat(J, at, 9, -k * q, mm(mm(T, SB), RB))
        add_mat(J, at, 9, k * q, mm(mm(T, N), RB))
    add_mat(J, 3, 3, -scale, mm(mm(TA, G), RA))
    add_mat(J, 9, 9, scale, mm(mm(TB, G), RB))


@block
def direction_stiffness(pB: V3, a: Node, b: Node, e: V3, k: F8, J: A2):
    """k times the second derivative of e . R_A^T (x_B + R_B p_B - x_A), e fixed in A (node axes)."""
    RA = a.R
    RB = b.R
    d = seen_from_a(pB, a, b)
    Se = skew(e)
    Sp = skew(pB)
    RE = mm(RA, Se)
    add_mat(J, 0, 3, k, RE)
    add_mat(J, 6, 3, -k, RE)
    add_mat(J, 3, 0, k, tr(RE))  # -e~ R_A^T = (R_A e~)^T
    add_mat(J, 3, 6, -k, tr(RE))
    add_mat(J, 3, 3, k, mm(Se, skew(d)))
    AB = mm(Se, mm(mm(tr(RA), RB), Sp))
    add_mat(J, 3, 9, -k, AB)
    add_mat(J, 9, 3, -k, tr(AB))
    add_mat(J, 9, 9, k, mm(Sp, skew(mtv(RB, mv(RA, e)))))


@block
def displacement_gradient(s: Measure, a: Node, b: Node, g: A1):
    """Adds the gradient of the displacement."""
    pB = s.b.at
    z = _z(s.a.axes)
    zW = mv(a.R, z)
    add_vec(g, 0, mul(-1.0, zW))
    add_vec(g, 3, cross(z, seen_from_a(pB, a, b)))
    add_vec(g, 6, zW)
    add_vec(g, 9, cross(pB, mtv(b.R, zW)))


@leaf
def _between(s: Measure, a: Node, b: Node) -> V3:
    """o_B - o_A, world axes."""
    return sub(add(b.x, mv(b.R, s.b.at)), add(a.x, mv(a.R, s.a.at)))


@leaf
def _along(d: V3, length: F8) -> V3:
    """Direction of a difference. Two coincident points have none: no force."""
    n = (0.0, 0.0, 0.0)
    if length > 0.0:
        n = mul(1.0 / length, d)
    return n


@block
def _distance_gradient(s: Measure, a: Node, b: Node, g: A1) -> F8:
    d = _between(s, a, b)
    length = np.sqrt(dot(d, d))
    n = _along(d, length)
    add_vec(g, 0, mul(-1.0, n))
    add_vec(g, 3, cross(mtv(a.R, n), s.a.at))
    add_vec(g, 6, n)
    add_vec(g, 9, cross(s.b.at, mtv(b.R, n)))
    return length


@block
def _distance_stiffness(s: Measure, a: Node, b: Node, J: A2):
    RA = a.R
    RB = b.R
    pA = s.a.at
    pB = s.b.at
    d = _between(s, a, b)
    length = np.sqrt(dot(d, d))
    if length == 0.0:
        return
    n = _along(d, length)
    # delta n = N delta d with N = (1 - n n^T)/length, delta d = (-1, R_A p_A~, 1, -R_B p_B~) delta q
    O = outer(n, n)
    i = 1.0 / length
    N = (i - i * O[0], -i * O[1], -i * O[2], -i * O[3], i - i * O[4], -i * O[5], -i * O[6], -i * O[7], i - i * O[8])
    DA = mm(RA, skew(pA))
    DB = mm(RB, skew(pB))
    NA = mm(N, DA)
    NB = mm(N, DB)
    add_mat(J, 0, 0, 1.0, N)
    add_mat(J, 0, 3, -1.0, NA)
    add_mat(J, 0, 6, -1.0, N)
    add_mat(J, 0, 9, 1.0, NB)
    add_mat(J, 6, 0, -1.0, N)
    add_mat(J, 6, 3, 1.0, NA)
    add_mat(J, 6, 6, 1.0, N)
    add_mat(J, 6, 9, -1.0, NB)
    add_mat(J, 3, 0, -1.0, tr(NA))
    add_mat(J, 3, 3, 1.0, mm(tr(DA), NA))
    add_mat(J, 3, 6, 1.0, tr(NA))
    add_mat(J, 3, 9, -1.0, mm(tr(DA), NB))
    add_mat(J, 9, 0, 1.0, tr(NB))
    add_mat(J, 9, 3, -1.0, mm(tr(DB), NA))
    add_mat(J, 9, 6, -1.0, tr(NB))
    add_mat(J, 9, 9, 1.0, mm(tr(DB), NB))
    add_mat(J, 3, 3, -1.0, mm(skew(pA), skew(mtv(RA, n))))
    add_mat(J, 9, 9, 1.0, mm(skew(pB), skew(mtv(RB, n))))


@block
def measure(s: Measure, m: Turns, a: Node, b: Node, g: A1) -> F8:
    """The measure; its gradient into g."""
    for i in range(12):
        g[i] = 0.0
    kind = s.kind
    if kind == DISTANCE:
        return _distance_gradient(s, a, b, g)
    value = 0.0
    if kind == DISPLACEMENT or kind == HELIX:
        displacement_gradient(s, a, b, g)
        value = displacement(s, a, b)
    if kind == ANGLE or kind == HELIX:
        angle = counted_angle(s, m, a, b)
        if kind == ANGLE:
            angle_gradient(s.a, s.b, a, b, 1.0, g)
            value = angle
        else:
            angle_gradient(s.a, s.b, a, b, -s.pitch, g)
            value -= s.pitch * angle
    return value


@block
def measure_stiffness(s: Measure, a: Node, b: Node, J: A2):
    """Adds the derivative of the gradient to J[0:12, 0:12]."""
    kind = s.kind
    if kind == DISTANCE:
        _distance_stiffness(s, a, b, J)
    if kind == DISPLACEMENT or kind == HELIX:
        direction_stiffness(s.b.at, a, b, _z(s.a.axes), 1.0, J)
    if kind == ANGLE:
        angle_stiffness(s.a, s.b, a, b, 1.0, J)
    elif kind == HELIX:
        angle_stiffness(s.a, s.b, a, b, -s.pitch, J)


@leaf
def _more(s: F8, g: A1, i: I8, v: V3) -> F8:
    """s + g[i:i+3] . v, summed from left to right."""
    return s + g[i] * v[0] + g[i + 1] * v[1] + g[i + 2] * v[2]


@leaf
def rate(g: A1, a: Node, b: Node) -> F8:
    """ds/dt from the gradient of s."""
    return _more(_more(_more(_more(0.0, g, 0, a.v), g, 3, a.w), g, 6, b.v), g, 9, b.w)


@leaf
def _more_of_column(s: F8, J: A2, i: I8, j: I8, v: V3) -> F8:
    return s + v[0] * J[i, j] + v[1] * J[i + 1, j] + v[2] * J[i + 2, j]


@leaf
def turning(J: A2, j: I8, a: Node, b: Node) -> F8:
    """d(ds/dt)/dq_j at constant velocities, from the second derivative of s."""
    s = _more_of_column(_more_of_column(0.0, J, 0, j, a.v), J, 3, j, a.w)
    return _more_of_column(_more_of_column(s, J, 6, j, b.v), J, 9, j, b.w)


def encode_measure(
    kind: int,
    frame_a: tuple[np.ndarray, np.ndarray],
    frame_b: tuple[np.ndarray, np.ndarray],
    pitch: float = 0.0,
) -> np.void:
    """A record `Measure` between two frames (origin, rotation), each in the axes of its node."""
    numbers = np.zeros(Measure.size)
    for first, (origin, axes) in ((_FRAME_A, frame_a), (_FRAME_B, frame_b)):
        numbers[first + _AT : first + _AT + 3] = origin
        numbers[first + _AXES : first + _AXES + 9] = axes.ravel()
    measure = Measure.named(numbers)
    measure["kind"], measure["pitch"] = kind, pitch
    return measure


def initial_turns(angle: float = 0.0, displacement: float = 0.0) -> np.ndarray:
    """Initial memory: the angle, and angle and displacement as the start of a prescribed motion."""
    memory = np.zeros(Turns.size)
    turns = Turns.named(memory)
    turns["angle"], turns["start_angle"], turns["start_displacement"] = angle, angle, displacement
    return memory
