"""Definition of an element: records with named fields, and up to six compiled functions.

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

from ..math.calling import address_of, caller_of
from ..math.compiled import A1, A2
from ..math.fields import INTEGER, MATRIX, NUMBER, VECTOR, Any_, Fields, elsewhere, fields, numbers, reference

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
    """Sources of its inputs (`signal_sources`), in the order of `kind.inputs`."""
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
    """Place of the law (`sticking`) in the memory of an element that switches."""
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
