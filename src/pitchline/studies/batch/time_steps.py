"""Number of time steps of a base cycle, from the fastest vibration of each lane."""

from __future__ import annotations

import math

import numpy as np

from .lane_arrays import LaneArrays
from .lane_train import FourierSum

__all__ = ["LEAST_STEPS", "WAVE_STEPS", "chosen_steps", "fastest"]

PHASE_STEP = 0.3
"""Largest product of eigenfrequency and time step."""
DAMPED_STEP = 1.0
"""Largest product of the rate of decay by dampers and time step."""
WAVE_STEPS = 16
"""Least number of steps for the shortest wave of stiffness or error."""
LEAST_STEPS = 50
LEAST_STEPS_APART = 100
"""The same where teeth can part: their kinks make the method one of second order."""
MOST_SOLVED = 20_000
"""Most lanes whose eigenvalues are computed; for more different lanes a bound is used."""


def fastest(arrays: LaneArrays) -> tuple[np.ndarray, np.ndarray]:
    """(lanes,) largest eigenfrequency with the largest stiffness of the teeth [rad/s], and largest rate of decay [1/s]."""
    free = arrays.free
    if not free:
        return np.zeros(arrays.lanes), np.zeros(arrays.lanes)
    scale = 1.0 / np.sqrt(arrays.inertia[:, free])
    rows, k, c = [], [], []
    for mesh in arrays.meshes:
        rows.append(mesh.levers[:, free] * scale)
        k.append(mesh.stiffest)
        c.append(mesh.damping)
    for a, stiffness, damping, _ in arrays.springs:
        rows.append(a[:, free] * scale)
        k.append(stiffness)
        c.append(damping)
    B = np.stack(rows, axis=1)
    return np.sqrt(_largest(B, np.stack(k, axis=1))), _largest(B, np.stack(c, axis=1))


def _largest(B: np.ndarray, k: np.ndarray) -> np.ndarray:
    """(lanes,) largest eigenvalue of B^T diag(k) B. B: (lanes, springs, rotors), k: (lanes, springs)."""
    W = B * np.sqrt(np.maximum(k, 0.0))[..., None]
    flat = W.reshape(len(W), -1)
    varies = np.ptp(flat, axis=0) > 0.0
    if not np.any(varies):
        different, place = W[:1], np.zeros(len(W), np.int64)
    else:
        _, first, place = np.unique(flat[:, varies], axis=0, return_index=True, return_inverse=True)
        different = W[first]
    if len(different) <= MOST_SOLVED:
        found = np.linalg.norm(different, ord=2, axis=(1, 2)) ** 2
    else:  # a norm is an upper bound
        found = np.linalg.norm(different, axis=2).max(axis=1) ** 2 * min(W.shape[1], W.shape[2])
        found = np.minimum(found, np.sum(different**2, axis=(1, 2)))
    return found[np.ravel(place)]


def chosen_steps(arrays: LaneArrays, least: int = 0) -> np.ndarray:
    """(lanes,) steps of a base cycle, `least` or more. Lanes share few numbers of steps, so that few launches are needed."""
    omega = arrays.of(arrays.train.omega)
    frequency, decay = fastest(arrays)
    apart = np.max([arrays.of(mesh.backlash) for mesh in arrays.train.meshes], axis=0) > 0.0
    floor = np.where(apart, LEAST_STEPS_APART, LEAST_STEPS)
    floor = np.maximum(floor, max(float(least), WAVE_STEPS * _highest(arrays)))
    needed = np.maximum(2.0 * math.pi / omega * np.maximum(frequency / PHASE_STEP, decay / DAMPED_STEP), floor)
    # powers of the square root of 2, as even numbers
    levels = np.ceil(2.0 * np.log2(needed / LEAST_STEPS) - 1e-9)
    return (2 * np.ceil(LEAST_STEPS * 2.0 ** (0.5 * levels) / 2.0)).astype(np.int64)


def _highest(arrays: LaneArrays) -> float:
    """Largest number of waves in a base cycle."""
    found = [0.0]
    for mesh in arrays.train.meshes:
        for term in (*mesh.stiffness, *mesh.errors):
            waves = len(term.cos) if isinstance(term, FourierSum) else 1
            found.append(abs(mesh.phases[term.phase].order) * waves)
        if mesh.loaded is not None:
            found.append(abs(mesh.phases[mesh.loaded.phase].order))
    return max(found)
