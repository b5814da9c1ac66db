"""Rigid stops of a scalar measure: lower <= s <= upper, with a force that only pushes.

One multiplier lam for both limits, positive at the upper one. The limit in contact follows from the force, as that of rigid
teeth (`multiplier_law`): upper if lam + rho (s - upper) >= 0, lower if lam + rho (s - lower) <= 0, otherwise free, where
lam = 0. Any rho > 0 has the same solution; m_e/s, s being the factor of the increments, closes a gap within one step.

Impacts are computed by `solvers.impact`, which also writes the memory: number of impacts, sum of their impulses.
"""

from dataclasses import dataclass

import numpy as np

from ..math.compiled import F8, V2, kernel, leaf
from ..math.fields import INTEGER, NUMBER, embedded, fields, packed, reference
from .contract import RATE, TANGENT, Ask, Element, ElementKind, SignalSpec, seen
from .scalar_geometry import Gradient, Measure, Turns, measure, measure_stiffness, rate

OPEN_LIMIT = 1e300
"""Limit of a stop that is open on one side."""

LOWER, BY_FORCE, UPPER, APART = -1, 0, 1, 2
"""Choice of the limit in contact: the lower one, by the force, the upper one, none."""
RigidStop = fields(
    "RigidStop",
    on=embedded(Measure),
    lower=NUMBER,
    upper=NUMBER,
    mass=NUMBER,  # effective mass or inertia of the measure, for the choice of the limit by the force
    held=INTEGER,
)
Impacts = fields("Impacts", impacts=NUMBER, impulse=NUMBER)
"""Memory: impacts since the start, and the sum of their impulses on the second body."""


@leaf
def _contact(s: RigidStop, lam: F8, at: F8, ask: Ask) -> V2:
    """Limit in contact (1 upper, -1 lower, 0 none), and the violation of the row."""
    rho = s.mass * ask.L
    held = s.held
    if held == UPPER or (held == BY_FORCE and lam + rho * (at - s.upper) >= 0.0):
        return (1.0, at - s.upper)
    if held == LOWER or (held == BY_FORCE and lam + rho * (at - s.lower) <= 0.0):
        return (-1.0, at - s.lower)
    return (0.0, -lam / rho)


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    at = measure(s.on, x.turns, x.a, x.b, g)
    lam = x.lam[0]
    side, gap = _contact(s, lam, at, ask)
    if ask.mode == RATE:
        if side != 0.0:
            r[12] += rate(g, x.a, x.b)
        elif ask.K > 0.0:
            r[12] += gap * ask.D / ask.K  # the same row lambda = 0, in the scale of a rate
        return
    r[12] += gap
    for i in range(12):
        r[i] = lam * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.a, x.b, J)
        k = ask.K * lam
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
        for i in range(12):
            J[i, 12] += g[i]
            if side != 0.0:
                J[12, i] += g[i]
        if side == 0.0:
            J[12, 12] += -ask.L / (s.mass * ask.L)


@kernel
def report(s, m, x, w, ask, out):
    at = measure(s.on, x.turns, x.a, x.b, w.gradient)
    lam = x.lam[0]
    out.effort = 0.0 - lam  # no minus zero
    out.contact = 0.0 if lam == 0.0 else _contact(s, lam, at, ask)[0]
    out.impacts = m.impacts
    out.impulse = m.impulse


RIGID_STOP = ElementKind(
    "rigid stop",
    evaluate,
    RigidStop,
    seen("a", "b", rows=True, more={"turns": reference(Turns)}),
    memory=Impacts,
    scratch=Gradient,
    report=report,
    signals=(
        SignalSpec("effort", "", "load on the second body along the coordinate"),
        SignalSpec("contact", "", "1 at the upper limit, -1 at the lower limit, 0 between them"),
        SignalSpec("impacts", "", "number of impacts since the start"),
        SignalSpec("impulse", "", "sum of the impulses of all impacts on the second body"),
    ),
    turns=("turns",),
    full_pattern=True,
)


@dataclass(frozen=True)
class StopLimits:
    """Limits of a rigid stop, in units of the measure; `start` is its initial value, `mass` its effective mass or inertia."""

    lower: float
    upper: float
    start: float
    mass: float

    @property
    def span(self) -> float:
        """A distance that is not smaller than that from the position to a limit, with a large reserve."""
        ends = [x for x in (self.lower, self.upper) if abs(x) < OPEN_LIMIT]
        if len(ends) == 2:
            return 10.0 * (self.upper - self.lower)
        return 1e3 * max(abs(ends[0] - self.start), abs(ends[0]), 1.0)


def rigid_stop(
    name: str, nodes: tuple[int, int], measure: np.void, limits: StopLimits, restitution: float, observer: Element,
    *, rotational: bool,
) -> Element:  # fmt: skip
    """Rigid stops on the coordinate of a joint; `observer` counts its revolutions."""
    values = {"on": measure, "lower": limits.lower, "upper": limits.upper, "mass": limits.mass, "held": BY_FORCE}
    apart = packed(RigidStop, values | {"held": APART})
    return Element(
        RIGID_STOP, name, nodes, packed(RigidStop, values), rows="r" if rotational else "t", memory=packed(Impacts, {}),
        turns={"turns": observer}, soft=True, closing_force=1.1 * limits.mass * limits.span, apart=apart,
        restitution=restitution,
    )  # fmt: skip
