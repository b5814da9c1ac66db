"""The faces of a CAD file that are a flank of tooth 0."""

from __future__ import annotations

import numpy as np

from ...errors import ModelError, Subject
from ..arrays import FloatArray
from .point_grid import outside_teeth, unwrapped
from .tooth_coordinates import ToothCoordinates

__all__ = ["flank_of_faces"]

_NEAR = 0.12
"""Distance from the nominal flank, in pitches."""


def flank_of_faces(faces: list[FloatArray], coordinates: ToothCoordinates, side: str, what: Subject) -> FloatArray:
    """Points (n, 3) of all faces that are close to the nominal flank of tooth 0 and lean as it does.

    One face is taken as it is: it may be located on any tooth.
    """
    if len(faces) == 1:
        return faces[0]
    found = [points for points in faces if _is_flank(points, coordinates, side)]
    if not found:
        raise ModelError(
            f"{what}: none of its {len(faces)} faces is a {side} flank of tooth 0. The axis of the gear must be z, its origin in "
            "the middle of the face, and the x axis must go through the middle of a tooth. Or export the face of one flank",
            about=what,
        )
    return np.concatenate(found)


def _is_flank(points: FloatArray, coordinates: ToothCoordinates, side: str) -> bool:
    places = coordinates.of(points)
    if outside_teeth(places, coordinates).any():
        return False
    h = places.height
    if np.ptp(h) < 0.3 * coordinates.depth:
        return False
    angle = unwrapped(places.angle, coordinates)
    apart = angle - coordinates.nominal_angle(side, h)
    if abs(float(apart.mean())) > _NEAR * coordinates.pitch:
        return False
    terms = np.stack([np.ones_like(h), h, places.along], axis=-1)
    slope = float(np.linalg.lstsq(terms, angle * coordinates.lever, rcond=None)[0][1])
    lean = slope * (1.0 if side == "left" else -1.0)
    return -4.0 * coordinates.nominal_slope < lean < 0.0
