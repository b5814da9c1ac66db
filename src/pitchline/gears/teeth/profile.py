"""The outline of a transverse section, point by point: for pictures, drawings and meshes."""

from __future__ import annotations

import numpy as np

from .arrays import ComplexArray, FloatArray
from .surface import ToothSurface
from .teeth import Teeth

__all__ = ["outline", "tooth_section"]


def _line(surface: ToothSurface, low: float, high: float, z: float, points: int, power: float = 1.0) -> ComplexArray:
    t = np.linspace(0.0, 1.0, points) ** power
    return surface.section(low + (high - low) * t, z)


def tooth_section(teeth: Teeth, z: float = 0.0, *, points: int = 24) -> dict[str, FloatArray]:
    """One pitch of the section ζ = z [m]: tooth 0 with half a space on each side, right to left.

    The keys are "right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root", the
    values (points, 2) arrays [m]; each begins where the one before ends. The involutes are spaced so that their chords
    are about equal.
    """
    parts: dict[str, FloatArray] = {}
    for name, flank in (("right", teeth.right), ("left", teeth.left)):
        form, tip = float(flank.form_roll_length(z)), float(flank.tip_roll_length(z))
        lengths = np.sqrt(np.linspace(form**2, tip**2, points))  # arc length of an involute is L²/(2 r_b)
        end = float(flank.fillet.limits(z)[1])
        parts[f"{name} root"] = _plane(_line(flank.root, 0.0, 1.0, z, max(points // 4, 2)))
        parts[f"{name} fillet"] = _plane(_line(flank.fillet, 0.0, end, z, points))
        parts[f"{name} involute"] = _plane(flank.involute.section(lengths, z))
    parts["tip"] = _plane(_line(teeth.tip, -1.0, 1.0, z, max(points // 3, 2)))
    order = ("right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root")
    return {name: parts[name][::-1] if name.startswith("left") else parts[name] for name in order}


def outline(teeth: Teeth, z: float = 0.0, *, points: int = 24) -> FloatArray:
    """The whole section ζ = z [m] as one closed polygon, (n, 2) [m], counter-clockwise, its last point the first."""
    pieces = list(tooth_section(teeth, z, points=points).values())
    one = np.concatenate([piece[:-1] for piece in pieces])
    pitch = one[:, 0] + 1j * one[:, 1]
    turns = np.exp(1j * teeth.gear.angular_pitch * np.arange(teeth.gear.teeth))
    closed = (turns[:, None] * pitch).ravel()
    return _plane(np.append(closed, closed[0]))


def _plane(section: ComplexArray) -> FloatArray:
    return np.stack([section.real, section.imag], axis=-1)
