"""Parametric stability of gears with varying mesh stiffness.

    y'' + d(t) y' + k(t) y = 0  (masses taken out),   k(t + T) = k(t),   d(t + T) = d(t),

T is a mesh cycle or a revolution. Internal coordinates of elements of order 1 have y' in place of y''. The means of d and k are
those of the speed, with gyroscopic terms. Both are sampled at equal steps of the rotation and interpolated by their Fourier
series, which is exact for smooth variations. The matrix of a period is a product of exponentials (commutator-free Magnus method
of fourth order, two stages per step: S. Blanes and P. C. Moan, Appl. Numer. Math. 56, 2006). It is exact for stiff modes that
do not vary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..budget import as_far_as_allowed, budgeted, foresee
from ..errors import ModelError, shown
from ..model import Joint, Model
from ..progress import staged
from ..results.floquet import Floquet
from ..results.result import Result
from ..solvers.consistent import consistent_accelerations
from ..solvers.linearised import linear_motion
from .campbell import read_speeds
from .operating_point import OperatingPoint, check_model
from .steady_motion import at_rest, check_shaft, rates, shaft_name, steady_motion, turning_point

__all__ = ["floquet"]

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
