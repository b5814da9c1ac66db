"""Campbell diagram and Floquet multipliers: frequencies and stability over the speed of a shaft."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import as_far_as_allowed, budgeted, foresee
from pitchline.base.progress.display import staged
from pitchline.engine.solvers.consistent import consistent_accelerations
from pitchline.engine.solvers.eigenmodes import Eigenmodes
from pitchline.engine.solvers.linearised import linear_motion
from pitchline.engine.solvers.sparse_modes import Wanted
from pitchline.errors import ModelError, shown
from pitchline.model.model import Model
from pitchline.parts.bodies.part import Joint
from pitchline.parts.shafts.analysis import whirl_of
from pitchline.parts.shafts.part import Shaft
from pitchline.results.modes import Campbell, Crossing, Floquet, kept_places
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from .modes import found_modes, modes_of, normalised
from .operating_point import OperatingPoint, check_model, check_turning_with, speed_of
from .operating_warnings import operating_warnings
from .steady_motion import (
    at_rest,
    check_shaft,
    growing,
    growth_warnings,
    rates,
    shaft_name,
    steady_motion,
    turning_point,
)

__all__ = ["campbell", "floquet"]


BEYOND = 2.0
"""Highest frequency of the modes that are computed, divided by the highest one of the diagram. Frequencies change "
"with the speed."""
UNLIKE = 0.05
"""Similarity of two mode shapes (1: identical). Up to this value, modes at two speeds do not belong together."""
WHIRLS = 1e-3
"""Whirl of a mode (1: circular orbits) above which the mode has a whirl direction."""
LEAST_TIME = 2e-4
"""Least computing time of the modes at one speed on any machine [s]."""
SAME = 1e-9
"""Relative difference of two frequencies up to which they are equal."""
OSCILLATES = 1e-12
"""Imaginary part divided by magnitude above which an eigenvalue is a vibration."""


@names_wrong_arguments
@staged("Campbell diagram of {}")
@budgeted
def campbell(
    model: Model,
    shaft: Joint | Shaft | str,
    speeds: Any,
    *,
    about: Result | str | None = None,
    orders: dict[str, float] | None = None,
    highest: Any = None,
    mean_stiffness: bool = True,
    turning_with: str | None = None,
    reduce: bool = True,
    dense: bool = False,
    budget: Any = None,
) -> Campbell:
    """Compute the modes at several speeds (Campbell diagram), with the excitation orders.

    All shafts rotate with the speed ratios of the machine.

    Parameters
    ----------
    shaft : revolute joint or elastic shaft to which the speeds refer, or its name.
    speeds : [rad/s], increasing numbers or strings with units.
    about : result whose end gives positions and loads; default as in `modes`, without velocities.
    orders : excitations per revolution of the shaft; default: the first three harmonics of every mesh frequency. Without
        gears: the rotation of the shaft.
    highest : highest frequency of the diagram [Hz]; default: all modes.
    mean_stiffness : use the mean mesh stiffness over the mesh cycle; False: the mesh stiffness of the present position.
    turning_with : name of a body (a carrier). Motions are described in axes that rotate with it, as in `modes`.
    dense : as in `modes`. With `highest`, large models are solved with sparse matrices.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the diagram up to the last computed speed.

    Modes are tracked from the first speed on. A mode that stops oscillating ends there (nan). Frequencies between speeds are
    interpolated by cubic polynomials. `critical_forward` and `critical_backward` are the critical speeds for unbalance. They
    do not depend on `orders`.
    """
    check_model(model)
    called: str = shaft_name(model, shaft)
    check_shaft(model, called)
    check_turning_with(model, turning_with)
    values = read_speeds(speeds, "speeds")
    end = math.inf if highest is None else quantity(highest, "frequency", what="campbell: highest")
    said = None if orders is None else _read_orders(orders)
    rest = at_rest(model, about, mean_stiffness=mean_stiffness, reduce=reduce, dense=dense)
    x = steady_motion(rest, called)
    foresee(len(values), LEAST_TIME, f"{len(values):,} speeds", "use fewer speeds")
    points = [turning_point(rest, v * x, turning_with) for v in values]
    wanted = Wanted(high=2 * np.pi * BEYOND * end)
    found, too_long = as_far_as_allowed(points, lambda p: found_modes(p, wanted))
    points, values = points[: len(found)], values[: len(found)]
    kinds = modes_of(points[0], wanted).kinds[found[0].rigid :]
    s, whirl, numbers = _followed(
        points, found, [whirl_of(p, x * np.sign(v)) for p, v in zip(points, values, strict=True)]
    )
    frequencies = np.abs(s) / (2 * np.pi)
    keep = np.min(np.where(np.isnan(frequencies), math.inf, frequencies), axis=0, initial=math.inf) <= end
    chosen = [i for i in _by_frequency(frequencies) if keep[i]]
    s, frequencies, whirl, numbers = s[:, chosen], frequencies[:, chosen], whirl[:, chosen], numbers[:, chosen]
    kinds = tuple(kinds[i] for i in chosen)
    given = (mesh_orders(rest, x) or {"once": 1.0}) if said is None else said
    synchronous = _crossings(values, frequencies, whirl, {"speed": 1.0})
    fastest = points[-1]
    turning = None if turning_with is None else speed_of(fastest.system, fastest.state, turning_with)
    pose = rest.pose(model)
    shapes_at = kept_places(len(values), 8 * 6 * numbers.shape[1] * len(pose.bodies))
    diagram = Campbell(
        model_name=model.name,
        shaft=called,
        speeds=values,
        frequencies=frequencies,
        damping_ratios=-s.real / np.abs(s),
        orders=given,
        crossings=_crossings(values, frequencies, whirl, given),
        whirl=whirl,
        critical_forward=np.array([c.speed for c in synchronous if c.whirl > WHIRLS]),
        critical_backward=np.array([c.speed for c in synchronous if c.whirl < -WHIRLS]),
        kinds=tuple(kinds),
        warnings=tuple(
            dict.fromkeys(
                [
                    *([] if too_long is None else [str(too_long)]),
                    *rest.warnings,
                    *operating_warnings(fastest, turning=turning),
                    *_first_growth(values, points, found),
                ]
            )
        ),
        pose=pose,
        shapes=_shapes([(points[k], found[k], numbers[k]) for k in shapes_at], (numbers.shape[1], len(pose.bodies), 6)),
        shapes_at=shapes_at,
        operating_point=rest.stated,
    )
    if too_long is not None:
        too_long.result = diagram
        raise too_long
    return diagram


def _shapes(chosen: list[tuple[OperatingPoint, Eigenmodes, np.ndarray]], shape: tuple[int, int, int]) -> np.ndarray:
    """Mode shapes (k, modes, bodies, 6) at the chosen speeds; nan if a mode has ended. numbers: of the modes at each speed."""
    shapes = np.full((len(chosen), *shape), np.nan, np.complex64)
    for mine, (point, found, numbers) in zip(shapes, chosen, strict=True):
        there = numbers >= 0
        X = normalised(found.vectors[:, numbers[there]].astype(complex), point)
        mine[there] = np.moveaxis(point.body_motion(X), -1, 0)
    return shapes


def _first_growth(speeds: np.ndarray, points: list[OperatingPoint], found: list[Eigenmodes]) -> list[str]:
    """Warnings for the first speed at which a vibration grows."""
    for speed, point, modes in zip(speeds, points, found, strict=True):
        grows = [(s, x) for s, x in growing(point.small, modes) if abs(s.imag) > OSCILLATES * abs(s)]
        if grows:
            return [
                f"from {speed:.5g} rad/s ({speed * 30 / math.pi:.5g} rpm) on {text}"
                for text in growth_warnings(point, grows)
            ]
    return []


def read_speeds(speeds: Any, what: str) -> np.ndarray:
    """Return increasing speeds [rad/s]."""
    if isinstance(speeds, (str, int, float)):
        speeds = [speeds]
    try:
        values = np.array([quantity(v, "angular velocity", what=what) for v in speeds], float)
    except TypeError:
        raise ModelError(f"{what} must be numbers [rad/s] or strings with units, got {shown(speeds)}") from None
    if not values.size or np.any(np.diff(values) <= 0):
        raise ModelError(f"{what} must be one or more increasing numbers [rad/s]")
    return values


def _read_orders(orders: Any) -> dict[str, float]:
    if not isinstance(orders, dict):
        raise ModelError(f"campbell: orders must be a dictionary {{name: cycles per revolution}}, got {shown(orders)}")
    for name, order in orders.items():
        if isinstance(order, bool) or not isinstance(order, (int, float, np.number)):
            raise ModelError(
                f'campbell: orders: "{name}" must be a number of cycles per revolution, got {shown(order)}'
            )
    return {str(name): float(order) for name, order in orders.items()}


def mesh_orders(point: OperatingPoint, x: np.ndarray, multiples: int = 3) -> dict[str, float]:
    """Mesh orders of all gear pairs and their multiples, in cycles per revolution of the shaft."""
    pairs = [p for p in point.model.gear_pairs.values() if p.wheel_a.gear is not None]
    turning = rates(point, tuple(f"{p.name}.psi_a" for p in pairs), x) if pairs else np.zeros(0)
    orders: dict[str, float] = {}
    for pair, psi in zip(pairs, turning, strict=True):
        one = abs(float(psi)) * pair.pair.pitch.teeth_a
        for n in range(1, multiples + 1):
            name = pair.name if n == 1 else f"{n} x {pair.name}"
            if one > 0.0 and not any(abs(one * n - other) < 1e-9 * other for other in orders.values()):
                orders[name] = float(f"{one * n:.9g}")  # a whole number where it is one but for rounding
    return orders


def _followed(
    points: list[OperatingPoint], found: list[Eigenmodes], whirl: list[Callable[[np.ndarray], np.ndarray]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and whirl (speeds, modes) of the modes of the first speed, tracked by the similarity of mode shapes; and their
    numbers among the modes of each speed, -1 if a mode has ended."""
    from scipy.optimize import linear_sum_assignment

    last = found[0].vectors[:, found[0].rigid :].astype(complex)
    values = np.full((len(found), last.shape[1]), np.nan + 0j)
    turns = np.full(values.shape, np.nan)
    numbers = np.full(values.shape, -1, np.int64)
    numbers[0] = found[0].rigid + np.arange(last.shape[1])
    values[0], turns[0] = found[0].values[found[0].rigid :], whirl[0](last)
    alive = np.ones(last.shape[1], bool)
    for k in range(1, len(found)):
        now, s = found[k].vectors[:, found[k].rigid :], found[k].values[found[k].rigid :]
        mine = np.flatnonzero(alive)
        M = points[k].small.metric()
        before = last[:, mine]
        like = np.abs(before.conj().T @ M @ now) ** 2
        size = np.einsum("in,in->n", now.conj(), M @ now).real
        old = np.einsum("in,in->n", before.conj(), M @ before).real
        # of shapes alike (multiple modes) the nearest in frequency
        near = np.abs(np.log(np.abs(values[k - 1, mine])[:, None] / np.abs(s)))
        like = like / np.outer(old, size)
        rows, columns = linear_sum_assignment(-like + 1e-3 * near)
        same = like[rows, columns] > UNLIKE
        rows, columns = rows[same], columns[same]
        alive[:] = False
        alive[mine[rows]] = True
        values[k, mine[rows]] = s[columns]
        numbers[k, mine[rows]] = found[k].rigid + columns
        turns[k, mine[rows]] = whirl[k](now[:, columns])
        last[:, mine[rows]] = now[:, columns]
    return values, turns, numbers


def _by_frequency(frequencies: np.ndarray) -> list[int]:
    """Modes in the order of their frequencies at the first speed. Where these are equal, as for both whirl directions of a rotor
    at rest, rounding must not decide: their frequencies at the next speeds do."""
    f = np.where(np.isnan(frequencies), np.finfo(float).max, frequencies)

    def compare(i: int, j: int) -> int:
        differ = np.flatnonzero(np.abs(f[:, i] - f[:, j]) > SAME * np.maximum(f[:, i], f[:, j]))
        return int(np.sign(f[differ[0], i] - f[differ[0], j])) if differ.size else 0

    return sorted(range(f.shape[1]), key=cmp_to_key(compare))


def _crossings(
    speeds: np.ndarray, frequencies: np.ndarray, whirl: np.ndarray, orders: dict[str, float]
) -> tuple[Crossing, ...]:
    """By cubic interpolation between speeds."""
    found = []
    for name, order in orders.items():
        gap = frequencies - (order * speeds / (2 * np.pi))[:, None]
        for mode in range(frequencies.shape[1]):
            for k in range(len(speeds) - 1):
                a, b = gap[k, mode], gap[k + 1, mode]
                # where it meets the mode at one of the speeds: once
                if not (a * b < 0.0 or (b == 0.0 != a) or (a == 0.0 != b and k == 0)):
                    continue
                speed = _root(speeds, gap[:, mode], k)
                turns = whirl[k + 1 if b == 0.0 or speeds[k] == 0.0 else k, mode]
                found.append(Crossing(name, mode, speed, order * speed / (2 * np.pi), float(turns)))
    return tuple(sorted(found, key=lambda c: (c.speed, c.order, c.mode)))


def _root(speeds: np.ndarray, gap: np.ndarray, k: int) -> float:
    """Speed between speeds k and k + 1 at which frequency and order are equal, on the cubic through four points."""
    a, b = float(gap[k]), float(gap[k + 1])
    linear = float(speeds[k] + a / (a - b) * (speeds[k + 1] - speeds[k]))
    first = min(max(k - 1, 0), max(len(speeds) - 4, 0))
    near = slice(first, first + 4)
    if len(speeds[near]) < 4 or not np.all(np.isfinite(gap[near])):
        return linear
    middle, width = speeds[k], speeds[k + 1] - speeds[k]
    roots = np.roots(np.polyfit((speeds[near] - middle) / width, gap[near], 3))
    inside = [float(r.real) for r in roots if abs(r.imag) < 1e-9 and -1e-9 <= r.real <= 1 + 1e-9]
    return float(middle + width * inside[0]) if len(inside) == 1 else linear


# ---- floquet

# Parametric stability of gears with varying mesh stiffness.
#
# y'' + d(t) y' + k(t) y = 0 (masses taken out), k(t + T) = k(t), d(t + T) = d(t),
#
# T is a mesh cycle or a revolution. Internal coordinates of elements of order 1 have y' in place of y''. The means of
# d and k are those of the speed, with gyroscopic terms. Both are sampled at equal steps of the rotation and
# interpolated by their Fourier series, which is exact for smooth variations. The matrix of a period is a product of
# exponentials (commutator-free Magnus method of fourth order, two stages per step: S. Blanes and P. C. Moan, Appl.
# Numer. Math. 56, 2006). It is exact for stiff modes that do not vary.

LEAST_STEP = 1e-6
"""Least computing time of a step of a period on any machine [s]."""

_GAUSS = (0.5 - np.sqrt(3.0) / 6.0, 0.5 + np.sqrt(3.0) / 6.0)
_WEIGHTS = (0.25 + np.sqrt(3.0) / 6.0, 0.25 - np.sqrt(3.0) / 6.0)


@names_wrong_arguments
@staged("Floquet multipliers of {}")
@budgeted
def floquet(
    model: Model,
    shaft: Joint | str,
    speeds: Any,
    *,
    cycle: str | None = None,
    ripples: Any = (1.0,),
    about: Result | str | None = None,
    steps: int = 64,
    samples: int = 64,
    reduce: bool = True,
    dense: bool = False,
    budget: Any = None,
) -> Floquet:
    """Compute the Floquet multipliers of a machine in steady rotation, over speed and stiffness variation.

    Parameters
    ----------
    shaft : revolute joint to which the speeds refer, or its name.
    speeds : [rad/s], not zero.
    cycle : name of the gear pair whose mesh cycle is the period; "revolution": one revolution of the shaft. Default: the only pair.
    ripples : factors on the variation of stiffness and damping about their means.
    about : result whose end gives positions and loads; default as in `modes`, without velocities.
    steps, samples : steps of the integration over a period, and samples of stiffness and damping over the rotation.
    dense : as in `modes`. Matrices are dense.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the computed speeds.
    """
    check_model(model)
    called: str = shaft_name(model, shaft)
    check_shaft(model, called)
    values = read_speeds(speeds, "speeds")
    if np.any(values == 0.0):
        raise ModelError("floquet: speeds must not be zero. A machine at rest has no period")
    factors = _read_ripples(ripples)
    for name, count in (("steps", steps), ("samples", samples)):
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 2:
            raise ModelError(f"floquet: {name} must be a whole number of 2 or more, got {shown(count)}")
    computed = len(values) * len(factors) * int(steps)
    foresee(computed, LEAST_STEP, f"{computed:,} steps", "use fewer speeds, ripples or steps")
    period = _period(model, cycle)
    rest = at_rest(model, about, reduce=reduce, dense=dense)
    x = steady_motion(rest, called)
    turn = 2 * np.pi / _cycles(rest, x, period)  # of the shaft in a period [rad]
    K, C = _over_a_period(rest, x * turn, samples)
    swings = np.ptp(C, axis=0).max() > 1e-12 * np.abs(C).max()
    free = _free(rest.motion.metric(), K)
    inverse = np.linalg.inv(rest.motion.rates())
    second = rest.motion.second_order

    def at_speed(speed: float) -> list[np.ndarray]:
        row = []
        D, more = _by_speed(rest, speed * x)
        mean = K.mean(axis=0) + more
        for ripple in factors:
            k = inverse @ (mean + ripple * (K - K.mean(axis=0)))
            d = inverse @ D[None]
            if swings:  # D is that of the initial position
                d = d + inverse @ (C.mean(axis=0) - C[0] + ripple * (C - C.mean(axis=0)))
            mu = np.linalg.eigvals(_monodromy(d, k, second, turn / abs(speed), steps))
            mu = mu[np.argsort(np.abs(mu - 1.0))][_left_out(mu, free) :]
            row.append(mu[np.argsort(-np.abs(mu))])
        return row

    out, too_long = as_far_as_allowed(values, at_speed)
    values = values[: len(out)]
    count = min(len(mu) for row in out for mu in row)
    multipliers = np.array([[mu[:count] for mu in row] for row in out])
    ended = () if too_long is None else (str(too_long),)
    found = Floquet(
        model.name, called, values, factors, turn / np.abs(values), multipliers, (*ended, *rest.warnings), rest.stated
    )
    if too_long is not None:
        too_long.result = found
        raise too_long
    return found


def _read_ripples(ripples: Any) -> np.ndarray:
    try:
        factors = np.atleast_1d(np.asarray(ripples, float))
    except (TypeError, ValueError):
        factors = np.zeros((0, 0))
    if factors.ndim != 1 or not factors.size or not np.all(np.isfinite(factors)):
        raise ModelError(f"floquet: ripples must be numbers, got {shown(ripples)}")
    return factors


def _period(model: Model, cycle: str | None) -> str:
    """Name of the pair whose mesh cycle is the period, or "revolution"."""
    if cycle == "revolution":
        return cycle
    pairs = model.gear_pairs
    if cycle is None:
        if len(pairs) != 1:
            known = ", ".join(pairs)
            raise ModelError(
                f'floquet: specify with cycle= the gear pair that defines the period: {known}, or "revolution"'
            )
        cycle = next(iter(pairs))
    if cycle not in pairs:
        raise ModelError(f'floquet: cycle: no gear pair "{cycle}"; the model has {", ".join(pairs)}')
    return cycle


def _cycles(point: OperatingPoint, x: np.ndarray, cycle: str) -> float:
    """Periods per revolution of the shaft."""
    if cycle == "revolution":
        return 1.0
    pairs = point.model.gear_pairs
    return abs(float(rates(point, (f"{cycle}.psi_a",), x)[0])) * pairs[cycle].pair.pitch.teeth_a


def _by_speed(rest: OperatingPoint, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(D, what K has more than at rest) of the free coordinates, with velocities v (n,) in resting axes."""
    now, first = turning_point(rest, v).motion, rest.motion
    return first.L.T @ now.D @ first.N, first.L.T @ (now.K - first.K) @ first.N


def _over_a_period(point: OperatingPoint, way: np.ndarray, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """K and D (samples, n, n) at rest of the free coordinates along a motion by `way` (n,)."""
    first = point.motion
    stiffness, damping = [], []
    for k in range(samples):
        moved = point.moved(way * k / samples)
        consistent_accelerations(point.system, moved, moved.lam)  # multipliers turn along with their axes
        now = linear_motion(point.system, moved)
        if np.abs(now.B @ first.N).max(initial=0.0) > 1e-6 * np.abs(now.B).max(initial=1.0):
            raise ModelError(
                "floquet: constraints rotate with the machine (a carrier?). This analysis is only for machines whose joints do not "
                "rotate"
            )
        stiffness.append(first.L.T @ now.K @ first.N)
        damping.append(first.L.T @ now.D @ first.N)
    return np.array(stiffness), np.array(damping)


def _free(M: np.ndarray, K: np.ndarray) -> int:
    """Number of motions that stretch nothing at any phase."""
    whole = np.concatenate(list(K))
    scale = np.sqrt(np.diag(M))
    values = np.linalg.svd(whole / scale, compute_uv=False)
    return len(M) - int(np.sum(values > 1e-9 * values.max(initial=0.0)))


def _left_out(mu: np.ndarray, free: int) -> int:
    """A free rotation has the multiplier 1, twice where nothing damps it."""
    return min(2 * free, int(np.sum(np.abs(mu - 1.0) < 1e-4)))


def _monodromy(d: np.ndarray, k: np.ndarray, second: np.ndarray, T: float, steps: int) -> np.ndarray:
    """Matrix of a period of z' = [0 1; -k(t) -d(t)] z, z = (y, y'); y' only of the coordinates of order 2, `second`.

    d, k: (samples, n, n); one sample of d if it is constant."""
    from scipy.linalg import expm

    n, m, h = k.shape[1], len(second), T / steps
    first = np.setdiff1d(np.arange(n), second)
    v = n + np.arange(m)
    k_at, d_at = _fourier(k), _fourier(d[:, :, second])

    def system(phase: np.ndarray) -> np.ndarray:
        now, damped = -k_at(phase), -d_at(phase)
        A = np.zeros((len(phase), n + m, n + m))
        A[:, second, v] = 1.0
        A[:, n:, :n], A[:, n:, n:] = now[:, second], damped[:, second]
        A[:, first, :n], A[:, first, n:] = now[:, first], damped[:, first]
        return A

    start = np.arange(steps) / steps
    one, two = (system(start + g / steps) for g in _GAUSS)
    begins = expm(h * (_WEIGHTS[0] * one + _WEIGHTS[1] * two))
    ends = expm(h * (_WEIGHTS[1] * one + _WEIGHTS[0] * two))
    whole = np.eye(n + m)
    for a, b in zip(begins, ends, strict=True):
        whole = b @ a @ whole
    return whole


def _fourier(values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Interpolation of equally spaced values (samples, ...) of a period by their Fourier series, as a function of phases."""
    if len(values) == 1:
        return lambda phase: np.repeat(values, len(phase), axis=0)
    series = np.fft.rfft(values, axis=0) / len(values)
    order = np.arange(len(series))
    weight = np.where(order == 0, 1.0, 2.0)
    if len(values) % 2 == 0:
        weight[-1] = 1.0

    def at(phase: np.ndarray) -> np.ndarray:
        waves = weight * np.exp(2j * np.pi * np.outer(phase, order))
        return np.asarray(np.tensordot(waves, series, axes=1).real)

    return at
