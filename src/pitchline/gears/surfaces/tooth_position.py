"""Which tooth an imported flank belongs to, and its rotation onto tooth 0."""

from __future__ import annotations

import numpy as np

from ...errors import ModelError, Subject
from ..arrays import FloatArray
from ..inputs import in_deg, in_mm
from ..rack import Rack
from .patch import FlankPatch
from .surface_teeth import ToothStep
from .tooth_coordinates import ToothCoordinates

__all__ = ["apart_from_nominal", "moved_by", "on_tooth_zero", "pitches_off"]

_NEAR = 0.12
"""Largest distance of a flank from the nominal one, in pitches. A tooth is about half a pitch thick."""


def apart_from_nominal(patch: FlankPatch, side: str, coordinates: ToothCoordinates) -> float:
    """Angle [rad] (racks: distance [m]) of a flank from the nominal flank of tooth 0, on the pitch surface, middle of the face.

    Where the patch does not reach there, at its nearest place.
    """
    u, v = np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 41)
    u, v = (x.ravel() for x in np.meshgrid(u, v, indexing="ij"))
    places = coordinates.of(patch.point(u, v))
    off = np.hypot(places.height / coordinates.depth, places.along / coordinates.width)
    k = int(off.argmin())
    found = _near(np.array([u[k], v[k]]), patch, coordinates)
    at = coordinates.of(patch.point(found[0], found[1]))
    apart = float(at.angle - coordinates.nominal_angle(side, at.height))
    return apart


def _near(start: FloatArray, patch: FlankPatch, coordinates: ToothCoordinates) -> FloatArray:
    """Newton's method for h = w = 0, inside the patch."""
    at, h = start, 1e-5
    for _ in range(6):
        probes = at + h * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        places = coordinates.of(patch.point(probes[:, 0], probes[:, 1]))
        values = np.stack([places.height, places.along], axis=-1)
        slopes = (values[1:] - values[0]).T / h
        if abs(np.linalg.det(slopes)) < 1e-30:
            break
        at = np.clip(at - np.linalg.solve(slopes, values[0]), 0.0, 1.0)
    return at


def pitches_off(apart: float, coordinates: ToothCoordinates) -> int:
    """Number of the tooth, 0 to z − 1 for gears."""
    k = round(apart / coordinates.pitch)
    return k if isinstance(coordinates.gear, Rack) else k % coordinates.gear.teeth


def on_tooth_zero(
    patch: FlankPatch, side: str, coordinates: ToothCoordinates, what: Subject, tooth: int | None = None
) -> FlankPatch:
    """The patch rotated by whole pitches onto tooth 0; an error if it is far from the nominal flanks there.

    tooth: its number if it is one of the teeth with their own flanks; it may be located there or on tooth 0.
    """
    apart = apart_from_nominal(patch, side, coordinates)
    number = pitches_off(apart, coordinates)
    rest = apart - coordinates.pitch * round(apart / coordinates.pitch)
    if abs(rest) > _NEAR * coordinates.pitch:
        length = in_mm(rest * coordinates.lever)
        turn = length if isinstance(coordinates.gear, Rack) else f"{length} ({in_deg(rest)})"
        raise ModelError(
            f"{what}: the flank is {turn} away from the nominal flank of the nearest tooth, on the pitch surface in the middle "
            f"of the face. A pitch is {in_mm(coordinates.pitch * coordinates.lever)}. The x axis goes through the middle of "
            'tooth 0. Specify rotation="centre" to rotate the points onto tooth 0, or a rotation angle, or check the gear',
            about=what,
        )
    if tooth is not None and number not in (tooth, 0):
        raise ModelError(
            f"{what}: the points are located on tooth {number}. Rotate them to tooth {tooth} or to tooth 0, or correct the "
            "number of the tooth",
            about=what,
        )
    return moved_by(patch, -number * coordinates.pitch, coordinates)


def moved_by(patch: FlankPatch, amount: float, coordinates: ToothCoordinates) -> FlankPatch:
    """The patch rotated about z [rad], of a rack shifted along y [m]."""
    if not amount:
        return patch
    if isinstance(coordinates.gear, Rack):
        return patch.moved(np.eye(3), (0.0, amount, 0.0))
    return patch.moved(ToothStep(amount).rotation(1))
