"""Steady rolling: speeds of the rotors at which all meshes and springs stay as they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ....model import Model
from ....system.train_search import NotATrain
from .rolling_tree import RollingTree
from .time_lines import TimeLine, last_change, line_of

__all__ = ["DriveRead", "last_drive_change", "read_drives", "rolling_speeds", "whole_ratio"]

CLOSED = 1e-9
"""Largest rate of an approach, relative to the rates of its wheels."""
LARGEST_RATIO = 100_000
"""Largest denominator of a ratio of speeds that is made exact."""


@dataclass(frozen=True)
class DriveRead:
    """Drive of a coordinate: its speed over time. ahead: by how much its prescribed position is ahead of the initial pose."""

    name: str
    coordinate: int
    speed: TimeLine
    ahead: float = 0.0


def _speed_function(model: Model, name: str) -> np.ndarray:
    drive = model.drives[name]
    function = drive.function if drive.given == "speed" else drive.function.derivative()  # type: ignore[union-attr]
    return function.encode()  # type: ignore[union-attr]


def last_drive_change(model: Model) -> float:
    """Time from which on the speeds of all drives are straight lines."""
    return max((last_change(_speed_function(model, name), 0) for name in model.drives), default=0.0)


def read_drives(tree: RollingTree, t: float) -> list[DriveRead]:
    """Drives from time t on."""
    found: list[DriveRead] = []
    names = [c.name for c in tree.coordinates]
    for name, drive in tree.model.drives.items():
        own = [
            c
            for c in tree.coordinates
            if c.joint is not None and (c.joint.name, c.coordinate) == (drive.joint_name, drive.coordinate)
        ]
        if not own:
            raise NotATrain(
                f'drive "{name}" acts on joint "{drive.joint_name}", which follows from other drives by teeth or ratios'
            )
        at = names.index(own[0].name)
        if any(other.coordinate == at for other in found):
            raise NotATrain(f'drive "{name}" acts on joint "{drive.joint_name}", which has another drive')
        ahead = 0.0
        if drive.given == "position":
            ahead = float(drive.function(0.0)) - float(tree.q0[at])  # type: ignore[operator]
            if own[0].unit == "rad":
                ahead -= 2.0 * math.pi * round(ahead / (2.0 * math.pi))
        found.append(DriveRead(name, at, line_of(_speed_function(tree.model, name), 0, t, f'drive "{name}"'), ahead))
    return found


def rolling_speeds(
    rows: np.ndarray, names: list[str], held: dict[int, float], start: np.ndarray, inertia: np.ndarray
) -> np.ndarray:
    """(n,) speeds of the rotors for which rows @ speeds = 0.

    rows: derivatives of approaches and extensions by the rotors; names: of their parts. held: speeds of driven rotors. What they
    leave open is as at the start: the motion of the initial speeds that satisfies the rows, by inertia.
    """
    n = len(start)
    free = [i for i in range(n) if i not in held]
    speeds = np.zeros(n)
    for i, v in held.items():
        speeds[i] = v
    sizes = np.abs(rows).max(axis=1, keepdims=True)
    scaled = rows / np.where(sizes > 0.0, sizes, 1.0)
    if free:
        A, right = scaled[:, free], -scaled @ speeds
        # singular values tell which motions the rows leave open
        U, s, Vt = np.linalg.svd(A, full_matrices=True)
        rank = int(np.sum(s > 1e-9 * max(float(s.max(initial=0.0)), 1e-300)))
        speeds[free] = Vt[:rank].T @ ((U[:, :rank].T @ right) / s[:rank])
        open_motions = Vt[rank:].T
        if open_motions.size:
            J = inertia[free]
            missing = start[free] - speeds[free]
            weighted = open_motions.T * J
            speeds[free] += open_motions @ np.linalg.solve(weighted @ open_motions, weighted @ missing)
    rates = np.abs(scaled @ speeds)
    wrong = rates > CLOSED * np.maximum(np.abs(scaled) @ np.abs(speeds), 1e-300)
    if np.any(wrong) and np.any(speeds):
        name = names[int(np.argmax(rates))]
        raise NotATrain(
            f'it has no steady rolling: at the speeds of its drives the teeth or the spring "{name}" would move on. Check the '
            "speeds of the drives, or remove a drive"
        )
    return speeds


def whole_ratio(value: float) -> float:
    """A ratio of speeds, exact if it is one of whole numbers."""
    near = Fraction(value).limit_denominator(LARGEST_RATIO)
    return float(near) if abs(float(near) - value) <= 1e-12 * max(1.0, abs(value)) else value
