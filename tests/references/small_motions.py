"""Accelerations of the nonlinear equations of motion near an operating point, to hold linear models against.

A displacement x and a velocity x' of the linear model are put into the state, brought onto the constraints (which changes them
by the second order alone), and the accelerations follow from the balance. The central difference

    (a(e x, e x') - a(-e x, -e x')) / 2e = x'' + O(e^2)

is that of the exact derivative. In turning axes x = Q y, at the instant Q = 1:  x' = y' + W y,  x'' = y'' + 2 W y' + W^2 y.
"""

import numpy as np

from pitchline.analyses.operating_point import OperatingPoint
from pitchline.engine.solvers.consistent import (
    assemble_positions,
    consistent_accelerations,
    displace,
    project_velocities,
)
from pitchline.engine.solvers.linearised import turning_matrix

Array = np.ndarray


def resting_accelerations(point: OperatingPoint, x: Array, v: Array) -> tuple[Array, Array]:
    """(x'', multipliers) after a displacement x and a change of velocity v, both in resting axes.

    Of rotations: delta omega = R^T phi',  delta (d omega/dt) = R^T (phi'' - omega x phi'), in body axes."""
    s, m, state = point.system, point.motion, point.state.copy()
    displace(s, state, point.increments(x))
    assemble_positions(s, state)
    state.v += point.increments(v)
    project_velocities(s, state)
    consistent_accelerations(s, state, point.state.lam)
    return m.axes @ state.vd + m.spin @ v, state.lam.copy()


def difference(
    point: OperatingPoint, y: Array, yd: Array, step: float, turning: Array | None = None
) -> tuple[Array, Array]:
    """Central differences of y'' and of the multipliers, by `step` times (y, y')."""
    W = np.zeros((len(y), len(y))) if turning is None else turning_matrix(point.system, turning)
    sides = [resting_accelerations(point, e * y, e * (yd + W @ y)) for e in (step, -step)]
    acceleration, lam = ((a - b) / (2 * step) for a, b in zip(*sides, strict=True))
    return acceleration - 2 * W @ yd - W @ W @ y, lam


def linear(point: OperatingPoint, y: Array, yd: Array) -> tuple[Array, Array]:
    """The same of the linear model."""
    m, layout = point.motion, point.system.layout
    M, _, _ = m.reduced()
    acceleration = m.N @ np.linalg.solve(M, -m.L.T @ (m.D @ yd + m.K @ y))
    scaled = -np.linalg.pinv(m.C) @ (m.M @ acceleration + m.D @ yd + m.K @ y)
    lam = np.zeros_like(point.state.lam)
    live = np.flatnonzero(layout.equation >= 0)
    lam[live] = layout.lam_scale[live] * scaled[layout.equation[live] - point.system.n_q]
    return acceleration, lam


def errors(
    point: OperatingPoint, steps: tuple[float, ...], turning: Array | None = None
) -> tuple[list[float], list[float]]:
    """Largest differences of accelerations and of multipliers, relative to the largest of them, for a random motion."""
    random = np.random.default_rng(7)
    N = point.motion.N
    y, yd = (N @ random.normal(size=N.shape[1]) for _ in range(2))
    exact = linear(point, y, yd)
    found = [difference(point, y, yd, step, turning) for step in steps]
    sizes = [max(float(np.abs(part).max(initial=0.0)), 1e-300) for part in exact]
    a, b = ([float(np.abs(f[i] - exact[i]).max(initial=0.0)) / sizes[i] for f in found] for i in (0, 1))
    return a, b
