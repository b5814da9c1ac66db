"""Warnings for a sequence of equilibria: lost speed or deformation of a shaft, lost contact of a cam."""

from __future__ import annotations

import numpy as np

from ..declared_elements.cam import Cam
from ..model import Model
from ..results.signal import Signal
from ..system.snapshot import Snapshot
from ..system.system import State, System
from .jerked_structures import angular_velocities

__all__ = ["parted_cams", "started_at_rest", "stopped_structures", "straightened_structures"]

_STANDS = 1e-3
"""Fraction of its initial speed below which a structure is at rest."""
_OFF = 1e-6
"""Gap of a cam that gives a warning, divided by the largest displacement of its follower."""
_DEFORMED = 1e-9
"""Deformation of a structure that gives a warning: rotation [rad], and displacement divided by its size."""


def stopped_structures(system: System, state: State, before: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """Warn for every structure that rotates at the start but is at rest in equilibrium, because it has no drive.

    before: `angular_velocities` of the start."""
    return [
        f"{what} rotates at {speed:.4g} rad/s at the start, but has no drive. Kinematics has no inertia, so it is at rest here "
        "and in a run that starts from here. Add a drive, or start dynamics without start="
        for what, speed in _standing(system, state, before)
    ]


def started_at_rest(system: System, state: State) -> list[str]:
    """Warn for every structure with an initial speed that is at rest because the run starts from statics."""
    said = {
        name: {station.name: station.angular_velocity for station in structure.stations.values()}
        for name, structure in system.model.structures.items()
    }
    return [
        f"{what} has a speed of {speed:.4g} rad/s in the model, but the run starts from statics, where it is at rest. Start from "
        "kinematics(model, times=[0], elastic=True) with a drive, or leave out start="
        for what, speed in _standing(system, state, said)
    ]


def _standing(system: System, state: State, before: dict[str, dict[str, np.ndarray]]) -> list[tuple[str, float]]:
    """Structures that rotated before and are at rest now, with their speed before [rad/s]."""
    found = []
    for name, now in angular_velocities(system, state).items():
        said = max(float(np.linalg.norm(w)) for w in before[name].values())
        if max(float(np.linalg.norm(w)) for w in now.values()) < _STANDS * said:
            found.append((str(system.model.structures[name].subject), said))
    return found


def straightened_structures(model: Model, start: Snapshot) -> list[str]:
    """Warn for every structure that is deformed at the start, if kinematics keeps it rigid."""
    found = []
    for structure in model.structures.values():
        stations = list(structure.stations.values())
        if len(stations) < 2 or not structure.links:  # membranes are elastic in every analysis
            continue
        first = stations[0]
        turn = start.orientation[first.name] @ first.orientation.T
        moved = np.stack([
            start.position[s.name] - start.position[first.name] - turn @ (s.position - first.position) for s in stations
        ])  # fmt: skip
        turned = max(
            float(np.linalg.norm(start.orientation[s.name] - turn @ s.orientation)) / np.sqrt(2.0) for s in stations
        )
        size = max(float(np.linalg.norm(s.position - first.position)) for s in stations)
        bent = float(np.linalg.norm(moved, axis=1).max())
        if bent > _DEFORMED * size or turned > _DEFORMED:
            found.append(
                f'{structure.subject} is deformed in start= (relative to its station "{first.station}" by up to '
                f"{1e3 * bent:.4g} mm and {1e3 * turned:.4g} mrad), but it is rigid in kinematics, in its initial shape. Specify "
                "elastic=True to keep it elastic"
            )
    return found


def parted_cams(model: Model, signals: dict[str, Signal]) -> list[str]:
    """Warn for every cam whose follower has left it: in a sequence of equilibria no force presses it on the cam."""
    found = []
    for name, element in model.elements.items():
        gap = signals.get(f"{name}.gap")
        if not isinstance(element, Cam) or gap is None:
            continue
        way = signals[f"{name}.contact_point"].values
        size = float(np.abs(way - way[0]).max())
        at = int(np.argmax(gap.values))
        if gap.values[at] > _OFF * size:
            found.append(
                f'cam "{name}": its follower is not in contact with the cam. The gap is {1e3 * gap.values[at]:.4g} '
                f"mm at t = {gap.time[at]:.6g} s. "
                "Add a spring, a weight or a force that presses it on, or guide it in both directions (bilateral=True)"
            )
    return found
