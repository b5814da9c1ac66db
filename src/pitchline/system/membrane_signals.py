"""Signals of membranes: stresses of all elements, the largest stress, the elastic energy."""

from collections.abc import Iterator

import numpy as np

from ..elements.contract import SignalSpec
from ..model.membrane import Membrane

__all__ = ["membrane_specs", "membrane_values"]

ENERGY = SignalSpec("strain_energy", "J", "elastic energy, with the work of the prestress")
LARGEST = SignalSpec("largest_stress", "Pa", "largest von Mises stress at the integration points of all elements")
_STRESSES = ("xx", "yy", "xy")


def membrane_specs(membrane: Membrane) -> tuple[SignalSpec, ...]:
    """Signals of a membrane, in the order of `membrane_values`."""
    count = len(membrane.mesh.elements)
    of_elements = [
        SignalSpec(f"stress_{name}", "Pa", f"mean stress {name} of each element, in its axes", count)
        for name in _STRESSES
    ]
    worst = SignalSpec("von_mises", "Pa", "largest von Mises stress at the integration points of each element", count)
    return (ENERGY, LARGEST, *of_elements, worst)


def membrane_values(
    membrane: Membrane, reports: list[dict[str, np.ndarray]]
) -> Iterator[tuple[SignalSpec, np.ndarray]]:
    """Signals with their values; first axis samples. reports: of the elements."""
    specs = membrane_specs(membrane)
    stress = np.stack([one["stress"] for one in reports], axis=1)  # (samples, elements, 3)
    worst = np.stack([one["von_mises"] for one in reports], axis=1).reshape(stress.shape[:2])
    energy = np.sum([one["strain_energy"].reshape(len(stress)) for one in reports], axis=0)
    values = (energy, worst.max(axis=1), *(stress[:, :, i] for i in range(3)), worst)
    yield from zip(specs, (v[:, 0] if v.ndim == 2 and v.shape[1] == 1 else v for v in values), strict=True)
