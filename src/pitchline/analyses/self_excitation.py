"""Cause of a growing vibration: elements whose forces have no potential and add energy to it, with advice for each."""

from __future__ import annotations

import numpy as np

from ..model.functions import Function
from ..model.loads import Force, Torque
from ..model.mesh_law import MeshLaw
from ..model.meshes import FrictionTable, Stribeck, Varying
from .operating_point import OperatingPoint

__all__ = ["why_growing"]

MAIN = 0.1
"""Fraction of the power added to a vibration from which an element is named."""
MOST = 3
"""Number of elements of a type that are named."""


def why_growing(point: OperatingPoint, values: np.ndarray, X: np.ndarray) -> str:
    """Text on the fastest growing vibration: source of its energy, and advice. Empty if nothing grows or the source is not known.

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
        return (
            'The loads {} rotate with their bodies and have no potential. If this is not intended, specify axes="world"'
        )
    if isinstance(load, Torque):
        return (
            "The torques {} act on bodies that can tilt, and have no potential. A bearing damping of more than "
            f"{100 * s.real / abs(s):.2g} % of critical damping prevents this"
        )
    return "The energy comes from {}"


def _of_teeth(law: MeshLaw, pushed: bool) -> str:
    if pushed:
        return (
            "The separating force of gear pairs {} has no potential and adds energy to vibrations of flexible supports. Specify "
            "follow_centres=True, the default of elastic teeth, for their meshes"
        )
    varying = law.tables is not None or any(
        isinstance(part, Varying) for part in (*law.stiffness, *law.errors, *law.plays)
    )
    if varying and not law.energy_consistent:
        return (
            "Stiffness and errors of gear pairs {} have no potential. Specify energy_consistent=True for their meshes"
        )
    if isinstance(law.friction, (FrictionTable, Function, Stribeck)):
        return (
            "The friction of gear pairs {} may decrease with speed and add energy. Compare with a constant coefficient"
        )
    if law.friction is not None or law.efficiency is not None:
        return "Friction and losses of gear pairs {} rotate with their wheels and add energy. Compare without them"
    return "The energy comes from gear pairs {}"
