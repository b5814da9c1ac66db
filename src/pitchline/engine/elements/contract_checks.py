"""Checks of the contract of elements: requirements for every element.

Each check evaluates an element in one state and returns its deviation, relative to the numbers involved; 0 or infinity for
comparisons of bytes; None if the check does not apply.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .contract import RATE, RESIDUAL, TANGENT, Element
from .random_declared import (
    STEP,
    ContractError,
    ProbedElement,
    accepted,
    call,
    central,
    contents,
    derivatives,
    energies,
    moved,
    pose,
    random_rotation,
    reported,
    residual,
    scale_of,
    single,
)

__all__ = ["CHECKS", "Check", "Verdict", "check_element", "memory_traces", "scratch_traces", "tangent_deviation"]

FINITE = 1e-6
"""Tolerance for finite differences."""
ROUNDING = 1e-9
CLOSE = 1e-9
"""Larger deviations of tangents are measured again with a shorter step: the error of differences falls with its fourth power."""
SHORTER = 0.1
FACTORS = {"mass": 0.3, "damping": 0.5, "stiffness": 0.7}


def _off(a: object, b: object, *sizes: np.ndarray) -> float:
    """Largest difference, relative to the numbers involved."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        return float("inf")
    return float(np.max(np.abs(a - b), initial=0.0)) / scale_of(a, b, *sizes)


def _exact(same: bool) -> float:
    return 0.0 if same else float("inf")


def tangent_deviation(probe: ProbedElement) -> float:
    """J = M dr/da + D dr/dv + K dr/dq, each factor separately; B and B^T, for all factors.

    A wrong tangent deviates with every step of the differences. With the longer step, laws that are curved or have a kink nearby
    deviate too."""
    worst = _tangent_deviation(probe, STEP)
    return worst if worst < CLOSE else min(worst, _tangent_deviation(probe, SHORTER * STEP))


def _tangent_deviation(probe: ProbedElement, step: float) -> float:
    n = probe.n
    by_a, by_v, by_q, by_lam = derivatives(probe, step)
    fixed = call(probe, TANGENT).J
    scale = scale_of(by_a, by_v, by_q, by_lam, residual(probe))
    pairs = [(fixed[n:, :n], by_q[n:]), (fixed[:, n:], by_lam)]
    same = [not np.any(fixed[:n, :n]), not np.any(by_a[n:]), not np.any(by_v[n:])]
    for name, expected in (("mass", by_a), ("damping", by_v), ("stiffness", by_q)):
        J = call(probe, TANGENT, **{name: 1.7}).J
        pairs.append((J[:n, :n], 1.7 * expected[:n]))
        same.append(np.array_equal(J[n:], fixed[n:]) and np.array_equal(J[:, n:], fixed[:, n:]))
    worst = max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs) / scale
    return worst if all(same) and np.isfinite(worst) else float("inf")


def _tangents(probe: ProbedElement, rng: np.random.Generator) -> float:
    """With condensed coordinates open and, at rest, closed."""
    worst = tangent_deviation(probe)
    return max(worst, tangent_deviation(replace(probe, opened=False))) if probe.opened else worst


def _residual_alone(probe: ProbedElement, rng: np.random.Generator) -> float:
    return _exact(np.array_equal(call(probe, RESIDUAL).r, call(probe, TANGENT, **FACTORS).r))


def scratch_traces(probe: ProbedElement) -> list[str]:
    """Results that depend on the content of scratch before `begin`."""
    found = []
    for mode, name in ((RESIDUAL, "residual"), (TANGENT, "tangent"), (RATE, "rate")):
        clean = call(probe, mode, **FACTORS)
        for rest in (1e3, np.nan):
            other = call(probe, mode, **FACTORS, rest=rest)
            for part in ("r", "J", "power"):
                if not np.array_equal(getattr(other, part), getattr(clean, part)):
                    found.append(f"{part} of the {name}")
    signals = reported(probe)
    for rest in (1e3, np.nan):
        found += [
            name for name, value in reported(probe, rest=rest).items() if not np.array_equal(value, signals[name])
        ]
        if not np.array_equal(accepted(probe, rest=rest), accepted(probe), equal_nan=True):
            found.append("memory")
    return found


def memory_traces(probe: ProbedElement, rng: np.random.Generator) -> list[str]:
    """Functions that change data, other than `accept` for memory and condensed coordinates; at random poses, in all modes."""
    one = single(probe)
    found = []
    for name in ("M", "D", "K"):
        one.ask[name] = rng.uniform(0.1, 1.0)

    def look(what: str) -> None:
        if contents(one) != before:
            found.append(what)

    for far in (0.0, 0.1, 10.0):
        one.nodes[:, :12] = moved(probe.P, far * rng.normal(size=probe.V.shape))
        one.nodes[:, 12:] += far * rng.normal(size=(len(probe.V), 12))
        one.lam[:] += far * rng.normal(size=one.lam.size)
        for h in (0.0, 1e-6, 1e-3):
            one.ask["t"], one.ask["h"] = probe.t + rng.normal(), h
            before = contents(one)
            one.begin()
            look("begin")
            one.report()
            look("report")
            for mode in (RESIDUAL, TANGENT, RATE):
                one.evaluate(mode, opened=probe.opened)
                look("evaluate")
                one.evaluate(mode)
                look("evaluate")
                one.report()
                look("report")
    if not np.array_equal(one.memory, probe.memory, equal_nan=True):
        found.append("memory")
    own = {name: x.copy() for name, x in one.coordinates.items()}
    before = contents(one)
    one.accept()
    one.memory[:] = probe.memory
    condensed = {c.name for c in probe.element.kind.coordinates if c.condensed}
    for name, x in own.items():
        if name in condensed:
            one.coordinates[name][:] = x
    look("accept")
    return found


def _power(probe: ProbedElement, rng: np.random.Generator) -> float:
    """`ask.power_in` and `ask.power_out` equal those of the report; both are zero unless the class declares an exchange
    of power."""
    stated = energies(probe)[2:]
    if not probe.element.kind.exchanges_power and np.any(stated):
        return float("inf")
    outs = [call(probe, mode, **FACTORS) for mode in (RESIDUAL, TANGENT)]
    return max(_off(out.power, stated, out.r) for out in outs)


def _balance_of_power(probe: ProbedElement, rng: np.random.Generator) -> float:
    """r . v = d(kinetic + potential)/dt + dissipated - supplied + lambda . dPhi/dt. Dissipation is not negative."""
    r, e = residual(probe), energies(probe)
    stored = float(central(lambda x: np.sum(energies(probe.along(x))[:2])))
    expected = stored + e[3] - e[2] + float(probe.lam @ call(probe, RATE).r[probe.size - probe.lam.size :])
    size = scale_of(r, probe.V, e) ** 2
    n = 6 * len(probe.element.nodes)
    power = float(r[:n] @ probe.V.ravel())
    orders = {c.name: c.order for c in probe.element.kind.coordinates}
    for name in probe.own_in_block:
        count = probe.own[name].shape[1]
        if orders[name] == 2:
            power += float(r[n : n + count] @ probe.own[name][1])
        n += count
    return max(abs(power - expected) / size, float("inf") if e[3] < -ROUNDING * size else 0.0)


def _balance_of_forces(probe: ProbedElement, rng: np.random.Generator) -> float | None:
    """The sums of forces, and of moments about the origin, of an element between bodies are zero."""
    nodes = len(probe.element.nodes)
    if nodes < 2 or probe.element.kind.has_inertia:
        return None
    r = residual(probe)
    f, m = np.zeros(3), np.zeros(3)
    for k in range(nodes):
        f += r[6 * k : 6 * k + 3]
        m += np.cross(probe.P[k, :3], r[6 * k : 6 * k + 3]) + probe.rotation(k) @ r[6 * k + 3 : 6 * k + 6]
    return _off(np.concatenate([f, m]), np.zeros(6), r, probe.P)


def _objectivity(probe: ProbedElement, rng: np.random.Generator) -> float:
    """After a rigid motion of the whole system, forces rotate with the world; moments in node axes and energies do not change."""
    if not len(probe.P):
        return 0.0
    x0, Q = rng.normal(size=3), random_rotation(rng)
    P = np.stack([pose(x0 + Q @ row[:3], Q @ row[3:].reshape(3, 3)) for row in probe.P])
    V, A = probe.V.copy(), probe.A.copy()
    V[:, :3], A[:, :3] = V[:, :3] @ Q.T, A[:, :3] @ Q.T
    other = replace(probe, P=P, V=V, A=A)
    before, after = residual(probe).copy(), residual(other)
    for k in range(len(probe.P)):
        before[6 * k : 6 * k + 3] = Q @ before[6 * k : 6 * k + 3]
    return max(_off(after, before), _off(energies(other), energies(probe), before))


def _rate(probe: ProbedElement, rng: np.random.Generator) -> float | None:
    """dPhi/dt of constraint rows is their derivative along the motion."""
    if not probe.element.rows:
        return None
    n = probe.size - probe.lam.size
    return _off(call(probe, RATE).r[n:], central(lambda e: residual(probe.along(e))[n:]), residual(probe))


def _facts(probe: ProbedElement, rng: np.random.Generator) -> float:
    """The residual depends on accelerations only if the class declares it."""
    n = 6 * len(probe.element.nodes)
    inertia = (call(probe, TANGENT, mass=1.0).J - call(probe, TANGENT).J)[:n, :n]
    return _exact(probe.element.kind.has_inertia == bool(np.any(inertia)))


def _response(probe: ProbedElement, rng: np.random.Generator) -> float | None:
    """Derivatives of outputs by own coordinates and inputs."""
    if not probe.element.kind.outputs:
        return None
    one = single(probe)
    one.begin()
    y, Y = one.respond(opened=probe.opened)
    numbers = [(one.coordinates[name][0], i) for name in probe.own_in_block for i in range(probe.own[name].shape[1])]
    numbers += [(one.inputs["value"], i) for i in range(len(one.inputs))]
    first = 6 * len(probe.element.nodes)
    expected = np.zeros_like(Y)
    for k, (x, i) in enumerate(numbers):
        before = float(x[i])

        def at(d: float, x: np.ndarray = x, i: int = i, before: float = before) -> np.ndarray:
            x[i] = before + d
            found = one.respond(opened=probe.opened)[0]
            x[i] = before
            return found

        expected[:, first + k] = central(at)
    return _off(Y, expected, y)


def _condensed(probe: ProbedElement, rng: np.random.Generator) -> float | None:
    """At rest, the closed result is the open one with eliminated coordinates: K_qq - K_qc K_cc^-1 K_cq."""
    count = probe.element.own(condensed=True)
    if not count:
        return None
    one = single(replace(probe, V=0 * probe.V, A=0 * probe.A), rest=float("nan"))
    one.ask["K"], one.ask["damp"], one.ask["h"] = 1.0, 0.0, 0.0
    for c in probe.element.kind.coordinates:
        one.coordinates[c.name][1:] = 0.0
    one.begin()
    r, J = one.evaluate(TANGENT)
    one.accept()
    one.begin()
    r_open, J_open = one.evaluate(TANGENT, opened=True)
    n = 6 * len(probe.element.nodes) + probe.element.own(condensed=False)
    rest = [*range(n), *range(n + count, len(r_open))]
    inner = list(range(n, n + count))
    schur = J_open[np.ix_(rest, rest)] - J_open[np.ix_(rest, inner)] @ np.linalg.solve(
        J_open[np.ix_(inner, inner)], J_open[np.ix_(inner, rest)]
    )
    return max(_off(r_open[rest], r), _off(r_open[inner], np.zeros(count), r), _off(schur, J))


@dataclass(frozen=True)
class Check:
    """One check of the contract."""

    name: str
    measure: Callable[[ProbedElement, np.random.Generator], float | None]
    allowed: float = 0.0


CHECKS = (
    Check("tangents are derivatives of the residual", _tangents, FINITE),
    Check("the residual is the same with and without tangent", _residual_alone),
    Check("memory is written only in accept", lambda probe, rng: _exact(not memory_traces(probe, rng))),
    Check("scratch may have any content before begin", lambda probe, rng: _exact(not scratch_traces(probe))),
    Check("forces between bodies are in balance", _balance_of_forces, ROUNDING),
    Check("forces rotate with the world", _objectivity, ROUNDING),
    Check("power in evaluate equals that of report", _power, ROUNDING),
    Check("power of the forces changes the energies", _balance_of_power, FINITE),
    Check("inertia is as declared", _facts),
    Check("rates of constraints", _rate, FINITE),
    Check("derivatives of outputs", _response, FINITE),
    Check("open and condensed coordinates agree at rest", _condensed, ROUNDING),
)


@dataclass(frozen=True)
class Verdict:
    """Result of a check: largest deviation over all states, None if it does not apply; a reason if a rule was violated."""

    check: Check
    worst: float | None
    reason: str = ""

    @property
    def passed(self) -> bool:
        return self.worst is None or self.worst <= self.check.allowed


def check_element(
    make: Callable[[np.random.Generator], ProbedElement], *, states: int = 20, seed: int = 0
) -> tuple[list[Verdict], Element]:
    """Run all checks on elements in random states, and return also the last element."""
    rng = np.random.default_rng(seed)
    probes = [make(rng) for _ in range(states)]
    verdicts = []
    for check in CHECKS:
        worst: float | None = None
        reason = ""
        for probe in probes:
            try:
                found = check.measure(probe, rng)
            except ContractError as error:
                found, reason = float("inf"), str(error)
            if found is not None:
                worst = found if worst is None else max(worst, found)
        verdicts.append(Verdict(check, worst, reason))
    return verdicts, probes[-1].element
