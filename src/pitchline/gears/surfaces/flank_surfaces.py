"""Imported flanks as part of the description of a gear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...errors import ModelError, Subject, shown
from .patch import FlankPatch

__all__ = ["FlankSurfaces"]


@dataclass(frozen=True)
class FlankSurfaces:
    """Flanks of a gear that replace those of the nominal teeth: `Gear(..., flanks=...)`.

    `Teeth.from_points` and `Teeth.from_surface` make them. Objects with the same content are equal.

    Attributes
    ----------
    left, right
        Patches of tooth 0, in the axes of the gear.
    per_tooth
        ((tooth, side), patch) of single teeth that differ, rotated back to tooth 0.
    """

    left: FlankPatch
    right: FlankPatch
    per_tooth: tuple[tuple[tuple[int, str], FlankPatch], ...] = field(default=())

    def of_side(self, side: str) -> dict[int, FlankPatch]:
        """Patches of single teeth on the "left" or "right" side."""
        return {tooth: patch for (tooth, where), patch in self.per_tooth if where == side}

    @property
    def patches(self) -> tuple[FlankPatch, ...]:
        """All patches."""
        return (self.left, self.right, *(patch for _, patch in self.per_tooth))

    @property
    def words(self) -> str:
        """ "imported, 45 × 9 and 45 × 9 control points, 2 flanks of single teeth" """
        sizes = [" × ".join(map(str, patch.control.shape[:2])) for patch in (self.left, self.right)]
        single = f", {len(self.per_tooth)} of single teeth" if self.per_tooth else ""
        return f"imported, {sizes[0]} and {sizes[1]} control points{single}"


def spline_of_table(table: Mapping[str, object], facing: float, what: Subject) -> FlankPatch:
    """A patch from its control points and knots, as model files have them."""
    names = ("control", "knots_u", "knots_v")
    for name in names:
        if name not in table:
            raise ModelError(f"{what}: a spline requires {', '.join(names)}. {name} is missing", about=what)
    for name in table:
        if name not in (*names, "error"):
            raise ModelError(
                f"{what}: a spline has no {shown(name)}. It has {', '.join(names)} and error", about=what.at(str(name))
            )
    try:
        control, knots_u, knots_v = (np.array(table[name], dtype=np.float64) for name in names)
        error = float(table.get("error", 0.0))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ModelError(
            f"{what}: control points and knots of a spline must be numbers [m], in rows of equal length", about=what
        ) from None
    check_spline(control, knots_u, knots_v, what)
    return FlankPatch(control, knots_u, knots_v, facing=facing, error=error)


def check_spline(control: np.ndarray, knots_u: np.ndarray, knots_v: np.ndarray, what: Subject) -> None:
    """An error if these are not control points and clamped knots of a spline of degrees 1 to 5 over [0, 1]²."""
    if control.ndim != 3 or control.shape[2] != 3 or not np.isfinite(control).all():
        raise ModelError(
            f"{what}: control must be finite points of shape (rows, lines, 3), got {control.shape}",
            about=what.at("control"),
        )
    for name, knots, count in (("knots_u", knots_u, control.shape[0]), ("knots_v", knots_v, control.shape[1])):
        degree = len(knots) - count - 1
        good = knots.ndim == 1 and 1 <= degree <= 5 and np.isfinite(knots).all() and (np.diff(knots) >= 0.0).all()
        if good:
            ends = knots[: degree + 1], knots[-degree - 1 :]
            _, times = np.unique(knots[degree + 1 : -degree - 1], return_counts=True)
            good = bool((ends[0] == 0.0).all() and (ends[1] == 1.0).all() and (times <= degree).all())
        if not good:
            raise ModelError(
                f"{what}: {name} must be increasing knots from 0 to 1, the first and last ones (degree + 1) times, for "
                f"{count} control points and a degree from 1 to 5; got {len(knots)} knots",
                about=what.at(name),
            )
