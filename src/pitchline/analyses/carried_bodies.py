"""Warnings for rotating flexible bodies whose modes do not include centrifugal forces."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..model import Model
from ..model.flexible_body import FlexibleBody
from ..results.signal import Signal
from ..system.station_signals import world_axes

__all__ = ["carried_bodies"]

NOTED = 0.1
"""Fraction of the deformation of a body that may be missing without a warning."""
SMALL = 1e-6
"""Deformation divided by the size of a body that counts as zero."""


def carried_bodies(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for each flexible body that would deform noticeably under the centrifugal forces of rotation about its centre.

    The modes include the acceleration of the centre of mass and the angular acceleration, but not omega x (omega x r) about the
    centre."""
    found = []
    for name, body in model.flexible_bodies.items():
        amplitude, energy = _missing(body, signals)
        if amplitude <= SMALL * (float(np.ptp(body.superelement.positions, axis=0).max()) or 1.0):
            continue
        part = float(np.sqrt(energy / max(_strain_energy(name, body, signals), energy)))
        if part > NOTED:
            found.append(
                f'flexible body "{name}": its modes do not include the centrifugal forces of rotation about its own '
                "centre of mass. "
                f"{'About' if len(body.superelement.points) else 'Up to'} {100.0 * part:.0f} % of its deformation is missing. "
                "Add an interface where it deforms, or model it with beams or with several flexible bodies"
            )
    return found


def _missing(body: FlexibleBody, signals: Mapping[str, Signal]) -> tuple[float, float]:
    """Largest amplitude [m] and mean energy [J] of the modes under centrifugal forces about the centre of mass.

    The mass is assumed to be distributed like the points of the surface. Without a surface the result is an upper bound."""
    first = next(iter(body.stations.values()))
    w, q = (signals.get(f"{first.name}.{what}") for what in ("angular_velocity", "orientation"))
    if w is None or q is None:
        return 0.0, 0.0
    element = body.superelement
    k = 6 * len(element.positions)
    spin = np.einsum("nji,nj->ni", world_axes(q.values), w.values) @ element.axes[0].T
    if len(element.points):
        arm = element.points - element.centre_of_mass
        # omega (omega r) - omega^2 r, times the modes
        spread = element.mass / len(arm) * np.einsum("pi,pjm->ijm", arm, element.shapes[:, :, k:])
        load = np.einsum("ni,nj,ijm->nm", spin, spin, spread) - np.outer(
            np.sum(spin**2, axis=1), np.einsum("iim->m", spread)
        )
    else:
        push = np.sqrt(np.sum(spin**2, axis=1) * np.einsum("ni,ij,nj->n", spin, element.inertia, spin))
        load = np.outer(push, np.sqrt(np.diagonal(element.mass_matrix)[k:]))
    amplitude = load / element.modal_stiffness
    return float(np.abs(amplitude).max(initial=0.0)), 0.5 * float(np.sum(load * amplitude, axis=1).mean())


def _strain_energy(name: str, body: FlexibleBody, signals: Mapping[str, Signal]) -> float:
    """Mean elastic energy of modes and interfaces [J], by small motions of the interfaces against the first one."""
    first, *others = body.stations.values()
    x0, R0 = signals[f"{first.name}.position"].values, world_axes(signals[f"{first.name}.orientation"].values)
    moved = [np.zeros((len(x0), 6))]
    for station in others:
        x, R = signals[f"{station.name}.position"].values, world_axes(signals[f"{station.name}.orientation"].values)
        rest = first.orientation.T @ station.orientation
        place = np.einsum("nji,nj->ni", R0, x - x0) - first.orientation.T @ (station.position - first.position)
        turn = np.einsum("ji,nkj,nkl->nil", rest, R0, R)
        small = 0.5 * np.column_stack(
            [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]]
        )
        moved.append(np.hstack([place @ rest, small]))
    q, modes = np.hstack(moved), signals[f"{name}.modes"].values
    modes = modes.reshape(len(q), -1)
    stiffness = body.superelement
    energy = np.einsum("ni,ij,nj->n", q, stiffness.stiffness, q) + modes**2 @ stiffness.modal_stiffness
    return 0.5 * float(energy.mean())
