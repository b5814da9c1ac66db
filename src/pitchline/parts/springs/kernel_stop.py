"""Stops with rigid or elastic contact, and the dead zone of a backlash.

Dead zone of the backlash: penetration of the flanks, its energy divided by the stiffness, and their derivatives.

g(s) = s beyond the drive flank (s >= 0), 0 in the backlash (-b < s < 0), s + b beyond the coast flank; rounded by hyperbolas if
a smoothing length d is given: g = (s + r(s))/2 + (s + b - r(s + b))/2 with r(x) = sqrt(x^2 + d^2). G' = g.

Line contact: a row of such springs over the face width w, tilted by tau; with a = tau w/2,

    G = 1/(2a) [Y(s + a) - Y(s - a)] ,   Y' = G of a point.

If teeth follow their centres, each flank is closer by t y: n, the sum of both penetrations, is the derivative of G with
respect to t y.
"""

import math
from dataclasses import dataclass

import numpy as np

from pitchline.engine.elements.contract import (
    RATE,
    TANGENT,
    Ask,
    Element,
    ElementKind,
    Gradient,
    Measure,
    SignalSpec,
    Turns,
    measure,
    measure_stiffness,
    rate,
    seen,
)
from pitchline.numerics.fields import INTEGER, NUMBER, embedded, fields, packed, reference
from pitchline.numerics.machine_code.compiled import B1, F8, V2, V4, block, kernel, leaf

from ..meshes.kernel_law import Law

DeadZone = fields(
    "DeadZone",
    G=NUMBER,  # energy over the stiffness, and its derivatives by s: g, g1, g2
    g=NUMBER,
    g1=NUMBER,
    g2=NUMBER,
    GT=NUMBER,  # derivatives by the tilt: of G, of g and g1, and the second of G
    gT=NUMBER,
    g1T=NUMBER,
    GTT=NUMBER,
    n=NUMBER,  # derivative of G by t y, of n by s and by the tilt, of n1 by the tilt; of g1 by t y
    n1=NUMBER,
    nT=NUMBER,
    n1T=NUMBER,
    g2y=NUMBER,
)


@leaf
def _depths(s: F8, b: F8) -> V2:
    """Penetration of the drive and the coast flank; g is their difference."""
    return (s if s > 0.0 else 0.0, -(s + b) if s < -b else 0.0)


@leaf
def _bearing(s: F8, b: F8, small: F8) -> V2:
    """Whether they are in contact, 1 or 0. Without backlash (except for rounding) one of them always is."""
    if abs(b) <= small:
        return (1.0, 0.0) if s + 0.5 * b >= 0.0 else (0.0, 1.0)
    return (1.0 if s >= 0.0 else 0.0, 1.0 if s <= -b else 0.0)


@leaf
def _strips(s: F8, b: F8) -> V4:
    """Of strips of a line contact, integrals by s: of G and of g, of the sum of both depths; and that sum."""
    e, c = _depths(s, b)
    return ((e * e * e - c * c * c) / 6.0, 0.5 * (e * e + c * c), 0.5 * (e * e - c * c), e + c)


@leaf
def _whole(s: F8, a: F8, b: F8) -> B1:
    """Whether each flank is in contact over the whole width or nowhere, for a penetration s +- a from edge to edge."""
    coast_nowhere = s - a > -b or (b == 0.0 and s - a >= 0.0)
    return (s - a >= 0.0 or s + a < 0.0) and (coast_nowhere or (s + a <= -b and (s + a < 0.0 or b < 0.0)))


@block
def _rounded(s: F8, b: F8, gap: F8, d: F8, out: DeadZone):
    """Rounded dead zone. G is zero in the middle of `gap`, the backlash at the nominal centre distance."""
    t = s + b
    r = math.sqrt(s * s + d * d)
    q = math.sqrt(t * t + d * d)
    h = 0.5 * gap
    w = math.sqrt(h * h + d * d)
    G = 0.25 * (s * s + s * r + d * d * math.asinh(s / d) + t * t - t * q - d * d * math.asinh(t / d))
    G0 = 0.5 * (h * h - h * w - d * d * math.asinh(h / d))
    d2 = 0.5 * d * d
    out.G = G - G0
    out.g = 0.5 * (s + r) + 0.5 * (t - q)
    out.g1 = 1.0 + 0.5 * (s / r - t / q)
    out.g2 = d2 / (r * r * r) - d2 / (q * q * q)
    out.n = 0.5 * (r + q - b)
    out.n1 = 0.5 * (s / r + t / q)
    out.g2y = d2 * (1.0 / (r * r * r) + 1.0 / (q * q * q))


@block
def _lifted(s: F8, a: F8, b: F8, small: F8, tilt: F8, width: F8, out: DeadZone):
    """Line contact with partial lift-off."""
    i = 0.5 / a
    up = _strips(s + a, b)
    down = _strips(s - a, b)
    drive_up, coast_up = _depths(s + a, b)
    drive_down, coast_down = _depths(s - a, b)
    G = i * (up[0] - down[0])
    g = i * (up[1] - down[1])
    g1 = i * (drive_up - coast_up - drive_down + coast_down)
    n = i * (up[2] - down[2])
    # by a
    Ga = i * (up[1] + down[1]) - 2.0 * i * G
    ga = i * (drive_up - coast_up + drive_down - coast_down) - 2.0 * i * g
    na = i * (up[3] + down[3]) - 2.0 * i * n
    Gaa = g1 - 4.0 * i * Ga
    on_drive_up, on_coast_up = _bearing(s + a, b, small)
    on_drive_down, on_coast_down = _bearing(s - a, b, small)
    up_bears = on_drive_up + on_coast_up
    down_bears = on_drive_down + on_coast_down
    h = 0.5 * width
    sign = 1.0 if tilt >= 0.0 else -1.0
    out.G = G
    out.g = g
    out.g1 = g1
    out.g2 = i * (up_bears - down_bears)
    out.GT = sign * h * Ga
    out.gT = sign * h * ga
    out.g1T = sign * h * (i * (up_bears + down_bears) - 2.0 * i * g1)
    out.GTT = h * h * Gaa
    out.n = n
    out.n1 = i * (up[3] - down[3])
    out.nT = sign * h * na
    out.n1T = sign * h * (i * (on_drive_up - on_coast_up + on_drive_down - on_coast_down) - 2.0 * i * out.n1)
    out.g2y = i * (on_drive_up - on_coast_up - on_drive_down + on_coast_down)


@leaf
def dead_zone(law: Law, s: F8, b: F8, small: F8, tilt: F8, out: DeadZone):
    """For a backlash b; small: backlash that counts as zero."""
    width = law.width
    a = 0.5 * abs(tilt) * width
    out.g2 = 0.0
    out.GT = 0.0
    out.gT = 0.0
    out.g1T = 0.0
    out.GTT = 0.0
    out.nT = 0.0
    out.n1T = 0.0
    out.g2y = 0.0
    if law.smoothing > 0.0:
        _rounded(s, b, law.backlash, law.smoothing, out)
        return
    if width != 0.0 and not _whole(s, a, b):
        _lifted(s, a, b, small, tilt, width, out)
        return
    drive, coast = _depths(s, b)
    on_drive, on_coast = _bearing(s, b, small)
    g1 = on_drive + on_coast
    G = 0.5 * (drive * drive + coast * coast)
    if g1 > 0.0 and width > 0.0:
        w2 = g1 * width * width / 12.0
        G += 0.5 * w2 * tilt * tilt
        out.GT = w2 * tilt
        out.GTT = w2
    out.G = G
    out.g = drive - coast
    out.g1 = g1
    out.n = drive + coast
    out.n1 = on_drive - on_coast


# ---- rigid stop

# Rigid stops of a scalar measure: lower <= s <= upper, with a force that only pushes.
#
# One multiplier lam for both limits, positive at the upper one. The limit in contact follows from the force, as that
# of rigid teeth (`multiplier_law`): upper if lam + rho (s - upper) >= 0, lower if lam + rho (s - lower) <= 0,
# otherwise free, where lam = 0. Any rho > 0 has the same solution; m_e/s, s being the factor of the increments,
# closes a gap within one step.
#
# Impacts are computed by `engine.solvers.impact`, which also writes the memory: number of impacts, sum of their impulses.

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
