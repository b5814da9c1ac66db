"""Elements with coordinates of their own, and how to put them into a model.

`InnerMass`: a mass on an inner spring inside a body (order 2). `SpeedControl`: a PI controller whose integral is a state (order 1).
`Relaxing`: a damper behind a spring (order 1, with a static equilibrium). `ElasticPair`: two bodies pressed on each other through
elastic ones with modes, condensed.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pitchline.engine.compile import compiler
from pitchline.engine.elements.contract import TANGENT, Coordinates, Element, ElementKind, SignalSpec, seen
from pitchline.numerics.fields import INTEGER, NUMBER, behind, fields, packed
from pitchline.numerics.machine_code.compiled import A1, F8, I8, kernel, leaf

Build = Callable[[Callable[[str], int]], Element]


@contextmanager
def added(*builders: Build) -> Iterator[None]:
    """Within it, every model that is compiled has these elements too. A builder gets a function from bodies to nodes."""
    finish = compiler._Compilation.finish

    def with_more(self: Any) -> Any:
        self.active.extend(build(lambda name: self._place(name)[0]) for build in builders)
        return finish(self)

    compiler._Compilation.finish = with_more  # type: ignore[method-assign]
    try:
        yield
    finally:
        compiler._Compilation.finish = finish  # type: ignore[method-assign]


# ------------------------------------------------------------------------------------------------------ a mass inside a body

_INNER = Coordinates("u", "count", "m", "mass inside", typical=1e-3)
_InnerMass = fields("InnerMass", mass=NUMBER, stiffness=NUMBER, damping=NUMBER, gravity=NUMBER)


@kernel
def _inner_mass(s, m, x, w, ask, r, J):
    """A mass that slides along the world's x in a body, u its way against it: m (a + u'') + k u + c u' - m g = 0."""
    c = ask.damp * s.damping
    inertia = s.mass * (x.a.a[0] + x.u_acceleration[0] - ask.load * s.gravity)
    r[0] += inertia
    r[6] += inertia + s.stiffness * x.u[0] + c * x.u_rate[0]
    ask.power_out += c * x.u_rate[0] * x.u_rate[0]
    if ask.mode == TANGENT:
        mass = ask.M * s.mass
        J[0, 0] += mass
        J[0, 6] += mass
        J[6, 0] += mass
        J[6, 6] += mass + ask.K * s.stiffness + ask.D * c


@kernel
def _inner_mass_report(s, m, x, w, ask, out):
    v = x.a.v[0] + x.u_rate[0]
    out.kinetic = 0.5 * s.mass * v * v
    out.potential = 0.5 * s.stiffness * x.u[0] * x.u[0] - s.mass * s.gravity * (x.a.x[0] + x.u[0])
    out.inner_force = s.stiffness * x.u[0]


INNER_MASS = ElementKind(
    "inner mass", _inner_mass, _InnerMass, seen=seen("a", coordinates=(_INNER,)), report=_inner_mass_report,
    signals=(SignalSpec("inner_force", "N", "force of the inner spring"),), coordinates=(_INNER,), exchanges_power=True,
    has_inertia=True,
)  # fmt: skip


def inner_mass(
    name: str, body: str, *, mass: float, stiffness: float, damping: float = 0.0, gravity: float = 0.0
) -> Build:
    values = {"mass": mass, "stiffness": stiffness, "damping": damping, "gravity": gravity}
    return lambda node: Element(INNER_MASS, name, (node(body),), packed(_InnerMass, values), counts={"count": 1})


# ---------------------------------------------------------------------------------------------------------- a PI controller

_INTEGRAL = Coordinates("integral", "states", "rad", "integral of the speed error", order=1, typical=0.1)
_Control = fields("SpeedControl", wanted=NUMBER, proportional=NUMBER, integral=NUMBER)


@kernel
def _speed_control(s, m, x, w, ask, r, J):
    """A torque about the axis z of a body, p e + i y, y' = e: e the error of its speed."""
    error = s.wanted - x.a.w[2]
    r[5] -= s.proportional * error + s.integral * x.integral[0]
    r[6] += x.integral_rate[0] - error
    ask.power_in += (s.proportional * error + s.integral * x.integral[0]) * x.a.w[2]
    if ask.mode == TANGENT:
        J[5, 5] += ask.D * s.proportional
        J[5, 6] -= ask.K * s.integral
        J[6, 6] += ask.D
        J[6, 5] += ask.D


@kernel
def _speed_control_report(s, m, x, w, ask, out):
    out.torque = s.proportional * (s.wanted - x.a.w[2]) + s.integral * x.integral[0]


SPEED_CONTROL = ElementKind(
    "speed control", _speed_control, _Control, seen=seen("a", coordinates=(_INTEGRAL,)), report=_speed_control_report,
    signals=(SignalSpec("torque", "N*m", "torque of the motor"),), coordinates=(_INTEGRAL,), exchanges_power=True,
)  # fmt: skip


def speed_control(name: str, body: str, *, wanted: float, proportional: float, integral: float) -> Build:
    values = {"wanted": wanted, "proportional": proportional, "integral": integral}
    return lambda node: Element(SPEED_CONTROL, name, (node(body),), packed(_Control, values), counts={"states": 1})


# --------------------------------------------------------------------------------------------------- a spring before a damper

_CREEP = Coordinates("creep", "states", "m", "way of the damper", order=1, typical=1e-3)
_Relaxing = fields("Relaxing", stiffness=NUMBER, parallel=NUMBER, damping=NUMBER)


@kernel
def _relaxing(s, m, x, w, ask, r, J):
    """Along the world's x, held at 0: a spring in line with a damper and a weaker spring side by side (a standard solid)."""
    f = s.stiffness * (x.a.x[0] - x.creep[0])
    r[0] += f
    r[6] += x.creep_rate[0] - (f - s.parallel * x.creep[0]) / s.damping
    ask.power_out += s.damping * x.creep_rate[0] * x.creep_rate[0]
    if ask.mode == TANGENT:
        k = ask.K * s.stiffness
        J[0, 0] += k
        J[0, 6] -= k
        J[6, 6] += ask.D + (k + ask.K * s.parallel) / s.damping
        J[6, 0] -= k / s.damping


@kernel
def _relaxing_report(s, m, x, w, ask, out):
    e = x.a.x[0] - x.creep[0]
    out.potential = 0.5 * s.stiffness * e * e + 0.5 * s.parallel * x.creep[0] * x.creep[0]


RELAXING = ElementKind(
    "relaxing", _relaxing, _Relaxing, seen=seen("a", coordinates=(_CREEP,)), report=_relaxing_report, coordinates=(_CREEP,),
    exchanges_power=True,
)  # fmt: skip


def relaxing(name: str, body: str, *, stiffness: float, parallel: float, damping: float) -> Build:
    values = {"stiffness": stiffness, "parallel": parallel, "damping": damping}
    return lambda node: Element(RELAXING, name, (node(body),), packed(_Relaxing, values), counts={"states": 1})


# ------------------------------------------------------------------------------------------------- elastic bodies with modes

_MODES = Coordinates("c", "modes", "m*sqrt(kg)", "modes of elastic bodies", condensed=True, typical=1e-4)
_Pair = fields(
    "ElasticPair", stiffness=NUMBER, zeta=NUMBER, modes=INTEGER, omega=behind("modes"), phi=behind("modes"),
)  # fmt: skip
_PairMemory = fields("ElasticPair memory", force=NUMBER)
_PairScratch = fields(
    "ElasticPair scratch", modes=INTEGER, eight=INTEGER, S=NUMBER, P=behind("eight"), free=behind("modes"),
)  # fmt: skip


@leaf
def _propagators(w: F8, z: F8, h: F8, P: A1, o: I8):
    """Of one mode over a step h, forces linear in time."""
    a = 1.0 / (w * w)
    wd = w * math.sqrt(1.0 - z * z)
    si = math.exp(-z * w * h) * math.sin(wd * h) / wd
    co = math.exp(-z * w * h) * math.cos(wd * h)
    g = 2.0 * z * a / (w * h)
    q = a / h
    P[o] = co + z * w * si
    P[o + 1] = si
    P[o + 2] = -P[o] * (a + g) + si * q + g
    P[o + 3] = P[o] * g - si * q + a - g
    P[o + 4] = -w * w * si
    P[o + 5] = co - z * w * si
    P[o + 6] = -P[o + 4] * (a + g) + P[o + 5] * q - q
    P[o + 7] = P[o + 4] * g - P[o + 5] * q + q


@leaf
def _product(n: I8, a: A1, b: A1) -> F8:
    t = 0.0
    for i in range(n):
        t += a[i] * b[i]
    return t


@leaf
def _rest(n: I8, phi: A1, omega: A1) -> F8:
    """Compliance of the modes at rest."""
    t = 0.0
    for i in range(n):
        t += phi[i] * phi[i] / (omega[i] * omega[i])
    return t


@kernel
def _pair_begin(s, m, x, w, ask):
    if ask.h == 0.0:
        return
    w.S = 0.0
    for i in range(s.modes):
        _propagators(s.omega[i], s.zeta, ask.h, w.P, 8 * i)
        w.S += s.phi[i] * s.phi[i] * w.P[8 * i + 3]
        w.free[i] = w.P[8 * i] * x.c[i] + w.P[8 * i + 1] * x.c_rate[i] + w.P[8 * i + 2] * s.phi[i] * m.force


@kernel
def _pair(s, m, x, w, ask, r, J):
    e = x.a.x[0] - x.b.x[0]
    k = s.stiffness
    slope = k
    if ask.open == 1:
        e -= _product(s.modes, s.phi, x.c)
        for i in range(s.modes):
            wi = s.omega[i]
            d = 2.0 * s.zeta * wi * ask.damp
            r[12 + i] += x.c_acceleration[i] + d * x.c_rate[i] + wi * wi * x.c[i] - s.phi[i] * k * e
            if ask.mode == TANGENT:
                J[12 + i, 12 + i] += ask.M + ask.D * d + ask.K * wi * wi
                t = ask.K * k * s.phi[i]
                J[12 + i, 0] -= t
                J[12 + i, 6] += t
                J[0, 12 + i] -= t
                J[6, 12 + i] += t
                for j in range(s.modes):
                    J[12 + i, 12 + j] += t * s.phi[j]
    elif ask.h > 0.0:
        slope = k / (1.0 + k * w.S)
        e -= _product(s.modes, s.phi, w.free)
    else:
        slope = k / (1.0 + k * _rest(s.modes, s.phi, s.omega))
    r[0] += slope * e
    r[6] -= slope * e
    if ask.mode == TANGENT:
        for i in range(2):
            for j in range(2):
                J[6 * i, 6 * j] += ask.K * slope if i == j else -ask.K * slope


@kernel
def _pair_accept(s, m, x, w, ask):
    if ask.open == 1:
        return
    e = x.a.x[0] - x.b.x[0]
    k = s.stiffness
    before = m.force
    if ask.h > 0.0:
        force = k / (1.0 + k * w.S) * (e - _product(s.modes, s.phi, w.free))
    else:
        force = k / (1.0 + k * _rest(s.modes, s.phi, s.omega)) * e
    m.force = force
    for i in range(s.modes):
        o = 8 * i
        f0 = s.phi[i] * before
        f1 = s.phi[i] * force
        if ask.h > 0.0:
            x.c_rate[i] = w.P[o + 4] * x.c[i] + w.P[o + 5] * x.c_rate[i] + w.P[o + 6] * f0 + w.P[o + 7] * f1
            x.c[i] = w.free[i] + w.P[o + 3] * f1
        else:
            x.c_rate[i] = 0.0
            x.c[i] = f1 / (s.omega[i] * s.omega[i])


@kernel
def _pair_report(s, m, x, w, ask, out):
    force = m.force
    if ask.open == 1:
        force = s.stiffness * (x.a.x[0] - x.b.x[0] - _product(s.modes, s.phi, x.c))
    out.contact = force
    out.kinetic = 0.5 * _product(s.modes, x.c_rate, x.c_rate)
    out.potential = 0.5 * force * force / s.stiffness
    for i in range(s.modes):
        out.potential += 0.5 * s.omega[i] * s.omega[i] * x.c[i] * x.c[i]


ELASTIC_PAIR = ElementKind(
    "elastic pair", _pair, _Pair, seen=seen("a", "b", coordinates=(_MODES,)), memory=_PairMemory, scratch=_PairScratch,
    begin=_pair_begin, accept=_pair_accept, report=_pair_report, coordinates=(_MODES,), exchanges_power=True,
    signals=(SignalSpec("contact", "N", "force between the bodies"),),
)  # fmt: skip


def elastic_pair(
    name: str, a: str, b: str, *, stiffness: float, omega: np.ndarray, phi: np.ndarray, zeta: float = 0.0
) -> Build:
    n = len(omega)
    values = {"stiffness": stiffness, "zeta": zeta, "omega": omega, "phi": phi}
    scratch = {"P": np.zeros(8 * n), "free": np.zeros(n)}
    return lambda node: Element(
        ELASTIC_PAIR, name, (node(a), node(b)), packed(_Pair, values), memory=packed(_PairMemory, {}),
        scratch=packed(_PairScratch, scratch), counts={"modes": n}, every_step=True,
    )  # fmt: skip
