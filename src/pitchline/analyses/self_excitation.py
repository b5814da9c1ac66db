"""Why a vibration grows: elements whose forces have no potential and feed it, and what to do about each."""

from __future__ import annotations

import numpy as np

from ..model.functions import Function
from ..model.loads import Force, Torque
from ..model.mesh_law import MeshLaw
from ..model.meshes import Stribeck, Varying
from .operating_point import OperatingPoint

__all__ = ["why_growing"]

MAIN = 0.1
"""Part of the power that feeds a vibration from which on an element is named."""
MOST = 3
"""Elements of a kind that are named."""


def why_growing(point: OperatingPoint, values: np.ndarray, X: np.ndarray) -> str:
    """A sentence on the vibration that grows fastest: what feeds it, and the cure. Empty if nothing grows or nothing is known.

    values: eigenvalues [1/s]; X (n, modes): shapes in the coordinates of the point's motion.
    """
    swinging = np.flatnonzero(values.imag > 0.0)
    if not swinging.size:
        return ""
    worst = swinging[np.argmax(values[swinging].real)]
    if values[worst].real <= 0.0:
        return ""
    fed = point.fed_by(complex(values[worst]), X[:, worst])
    total = sum(power for power in fed.values() if power > 0.0)
    named = sorted((name for name, power in fed.items() if power > MAIN * total), key=lambda name: -fed[name])
    # rigid teeth push by a multiplier, whose share is not in their matrix
    rigid = [name for name in point.without_potential() if point.model.gear_pairs[name].law.rigid]
    by_cure: dict[str, list[str]] = {}
    for name in dict.fromkeys([*named, *rigid]):
        by_cure.setdefault(_cure(point, name, complex(values[worst])), []).append(f'"{name}"')
    return "".join(f". {cure.format(_listed(names))}" for cure, names in by_cure.items())


def _listed(names: list[str]) -> str:
    return ", ".join(names[:MOST]) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")


def _cure(point: OperatingPoint, name: str, s: complex) -> str:
    """What is special about an element that feeds a vibration of eigenvalue s; {} stands for the names of those alike."""
    pairs, load = point.model.gear_pairs, point.model.loads.get(name)
    if name in pairs:
        return _of_teeth(pairs[name].law, name in point.without_potential())
    if isinstance(load, (Force, Torque)) and load.axes == "body":
        return 'The loads {} turn with their bodies and have no potential: give them axes="world" if that is not meant'
    if isinstance(load, Torque):
        return (
            "The torques {} act on bodies that can tilt, and have no potential there: damping of their bearings of more than "
            f"{100 * s.real / abs(s):.2g} % of the critical one is enough against it"
        )
    return "What feeds it is {}"


def _of_teeth(law: MeshLaw, pushed: bool) -> str:
    if pushed:
        return (
            "The separating force of gear pairs {} has no potential and feeds vibrations of centres that yield: give their mesh "
            "follow_centres=True, the default of elastic teeth"
        )
    varying = law.tables is not None or any(isinstance(part, Varying) for part in (*law.stiffness, *law.errors))
    if varying and not law.energy_consistent:
        return "Stiffness and errors of gear pairs {} have no potential: give their mesh energy_consistent=True"
    if isinstance(law.friction, (Stribeck, Function)):
        return "The friction of gear pairs {} may fall with the speed and feed vibrations: compare with a constant coefficient"
    if law.friction is not None or law.efficiency is not None:
        return (
            "Friction and losses of gear pairs {} turn with their wheels and feed this vibration: compare without them"
        )
    return "What feeds it are gear pairs {}"
