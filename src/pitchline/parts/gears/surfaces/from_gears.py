"""Teeth of gears and racks as spline surfaces.

The profile coordinate of an involute is t = L² + 2 k L L_m, L_m the largest roll length of the flank. It is close to
proportional to the length on the flank, which grows as L², but smooth also where L is 0, on the base circle. The spherical
involute has ε in place of L.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, shown

from ..geometry.gear import Gear
from ..geometry.inputs import in_deg
from ..geometry.rack import Rack, form_depth
from ..teeth.bevel import BevelTeeth
from ..teeth.flank import ToothFlank
from ..teeth.teeth import Teeth
from .fitting import FlankFit, fit_patch
from .patch import FlankPatch, FlankSurfaces

__all__ = ["SurfaceTeeth", "ToothStep", "surface_teeth"]


# ---- surface teeth

# The teeth of a gear as spline surfaces: a left and a right flank, and how the other teeth follow from tooth 0.


@dataclass(frozen=True)
class ToothStep:
    """From one tooth to the next: rotation about z [rad], or travel along y [m] for a rack."""

    angle: float
    travel: float = 0.0

    @classmethod
    def of(cls, gear: Gear | Rack) -> ToothStep:
        """Of a gear or a rack."""
        if isinstance(gear, Rack):
            return cls(0.0, gear.transverse_pitch)
        return cls(2.0 * math.pi / gear.teeth)

    def rotation(self, tooth: int) -> FloatArray:
        """(3, 3) from tooth 0 to a tooth."""
        c, s = math.cos(self.angle * tooth), math.sin(self.angle * tooth)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def offset(self, tooth: int) -> FloatArray:
        """(3,) [m] from tooth 0 to a tooth."""
        return np.array([0.0, self.travel * tooth, 0.0])

    def to_tooth(self, points: npt.ArrayLike, tooth: int) -> FloatArray:
        """Points (…, 3) of tooth 0, on another tooth."""
        return np.asarray(np.asarray(points, dtype=np.float64) @ self.rotation(tooth).T + self.offset(tooth))


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class SurfaceTeeth:
    """Teeth of any shape. All patches are those of tooth 0, in the axes of the gear.

    Attributes
    ----------
    gear
        The nominal gear: number of teeth, pitch geometry, face width, body and material.
    left, right
        The flanks on the +y and on the −y side of tooth 0.
    of_tooth
        Patches of single teeth that differ, for each side; rotated (shifted) back to tooth 0.
    fits
        For flanks from points: how the splines were made, with their residuals; keys "left", "right", "tooth 3 left".
    """

    gear: Gear | Rack
    left: FlankPatch
    right: FlankPatch
    of_tooth: Mapping[str, Mapping[int, FlankPatch]] = field(default_factory=dict)
    fits: Mapping[str, FlankFit] = field(default_factory=dict)

    @classmethod
    def of(cls, gear: Gear | Rack, flanks: FlankSurfaces, fits: Mapping[str, FlankFit] | None = None) -> SurfaceTeeth:
        """Of a gear with imported flanks."""
        own = {side: flanks.of_side(side) for side in ("left", "right")}
        return cls(gear, flanks.left, flanks.right, {side: of for side, of in own.items() if of}, fits or {})

    def report(self) -> str:
        """How the flanks were made: points, residuals and errors, one line for each flank."""
        lines = [f"{name}: {fit}" for name, fit in self.fits.items()]
        return "\n".join(lines or [f"splines within {1e9 * self.error:.3g} nm of the surfaces"])

    @property
    def step(self) -> ToothStep:
        """From one tooth to the next."""
        return ToothStep.of(self.gear)

    def flank(self, side: str, tooth: int = 0) -> FlankPatch:
        """The "left" or "right" flank of a tooth, in the position of tooth 0."""
        if side not in ("left", "right"):
            raise ModelError(f'teeth: side must be "left" or "right", got {shown(side)}')
        usual = self.left if side == "left" else self.right
        own = self.of_tooth.get(side)
        if not own:
            return usual
        return own.get(tooth % self.gear.teeth if isinstance(self.gear, Gear) else tooth, usual)

    @property
    def error(self) -> float:
        """Largest distance of the splines from the surfaces that they were made from [m]."""
        others = (patch.error for patches in self.of_tooth.values() for patch in patches.values())
        return max(self.left.error, self.right.error, *others)

    def points(self, side: str, rows: int = 9, lines: int = 9, *, tooth: int = 0) -> FloatArray:
        """A grid of points of a flank [m], (rows from root to tip, lines along the face, 3), in the axes of the gear."""
        u, v = np.linspace(0.0, 1.0, rows), np.linspace(0.0, 1.0, lines)
        return self.step.to_tooth(self.flank(side, tooth).point(u[:, None], v), tooth)

    def __repr__(self) -> str:
        what = "rack of" if isinstance(self.gear, Rack) else "gear of"
        return f"SurfaceTeeth({what} {self.gear.teeth} teeth, left {self.left!r}, right {self.right!r})"


_NEAR_BASE = 0.5
"""k."""
_LEAST = 0.02
"""Smallest L, in parts of the largest one. A flank that begins on the base circle, where its curvature has no bound, begins
there as a surface: it lacks 1/2500 of its height."""


def _spread(length: FloatArray, most: float) -> FloatArray:
    return np.asarray(length * (length + 2.0 * _NEAR_BASE * most))


def _gathered(t: FloatArray, most: float) -> FloatArray:
    """L from t."""
    a = _NEAR_BASE * most
    return np.asarray(t / (a + np.sqrt(np.maximum(a * a + t, 0.0))))


@names_wrong_arguments
def surface_teeth(teeth: object) -> SurfaceTeeth:
    """The teeth of a `Gear`, a `Rack`, of `Teeth` or `BevelTeeth` as spline surfaces; imported flanks as they are.

    Spur, helical and conical involute gears, external or internal, with their modifications; straight bevel gears; racks.
    Points are within 1 nm, normals within 1e-8; `error` of the result has what was reached. `SurfaceTeeth` are returned as
    they are.
    """
    if isinstance(teeth, SurfaceTeeth):
        return teeth
    if isinstance(teeth, Gear | Rack) and teeth.flanks is not None:
        return SurfaceTeeth.of(teeth, teeth.flanks)
    if isinstance(teeth, Gear):
        return surface_teeth(_teeth_of(teeth))
    if isinstance(teeth, Teeth):
        return _of_involutes(teeth)
    if isinstance(teeth, BevelTeeth):
        return SurfaceTeeth(teeth.gear, _bevel_patch(teeth, "left"), _bevel_patch(teeth, "right"))
    if isinstance(teeth, Rack):
        return SurfaceTeeth(teeth, _rack_patch(teeth, 1.0), _rack_patch(teeth, -1.0))
    raise ModelError(f"surface teeth: expected a Gear, a Rack or teeth, got {shown(teeth)}")


def _teeth_of(gear: Gear) -> Teeth | BevelTeeth:
    if not gear.cone_angle:
        return Teeth(gear)
    if gear.helix_angle:
        raise ModelError(
            f"surface teeth: the flanks of a spiral bevel gear (spiral angle {in_deg(gear.helix_angle)}) depend on the "
            "machine that cuts them. Specify them with Teeth.from_points or Teeth.from_surface"
        )
    return BevelTeeth(gear)


def _of_involutes(teeth: Teeth) -> SurfaceTeeth:
    usual = {
        side: next((k for k in range(teeth.gear.teeth) if k not in teeth.flank(side).of_tooth), 0)
        for side in ("left", "right")
    }
    patches = {side: _involute_patch(teeth.flank(side), usual[side]) for side in usual}
    own = {
        side: {tooth: _involute_patch(teeth.flank(side), tooth) for tooth in teeth.flank(side).of_tooth}
        for side in usual
        if teeth.flank(side).of_tooth
    }
    return SurfaceTeeth(teeth.gear, patches["left"], patches["right"], own)


def _involute_patch(flank: ToothFlank, tooth: int) -> FlankPatch:
    gear = flank.gear
    width = gear.required_face_width("a flank as a surface")
    places = np.linspace(-0.5, 0.5, 9) * width
    most = float(max(flank.form_roll_length(places).max(), flank.tip_roll_length(places).max()))
    ends = [_off_base(at, most) for at in (flank.form_roll_length, flank.tip_roll_length)]
    back = np.exp(-1j * gear.angular_pitch * tooth)

    def surface(u: FloatArray, v: FloatArray) -> FloatArray:
        zeta = (np.asarray(v) - 0.5) * width
        form, tip = (_spread(at(zeta), most) for at in ends)
        p = flank.point(_gathered(form + (tip - form) * u, most), zeta, tooth)
        P = (p[..., 0] + 1j * p[..., 1]) * back
        return np.stack([P.real, P.imag, p[..., 2]], axis=-1)

    kinks_u: list[float] = []
    kinks_v: list[float] = []
    if flank.modified:
        lengths, faces = _breaks(flank, tooth)
        kinks_v = [z / width + 0.5 for z in faces]
        if not flank.conical:
            form, tip = (float(_spread(at(np.zeros(())), most)) for at in ends)
            kinks_u = [(float(_spread(np.asarray(L), most)) - form) / (tip - form) for L in lengths]
    facing = -flank.involute.side * flank.involute.sense
    return fit_patch(surface, facing=facing, kinks_u=kinks_u, kinks_v=kinks_v)


def _off_base(at: Callable[[FloatArray], FloatArray], most: float) -> Callable[[FloatArray], FloatArray]:
    """L(ζ), not less than the smallest one."""
    return lambda zeta: np.maximum(at(zeta), _LEAST * most)


def _breaks(flank: ToothFlank, tooth: int) -> tuple[list[float], list[float]]:
    """Roll lengths and face coordinates [m] at which the modifications of a tooth have a kink."""
    parts = [flank.modification]
    if tooth in flank.of_tooth:
        parts.append(flank.of_tooth[tooth])
    lengths: list[float] = []
    faces: list[float] = []
    for part in parts:
        more_lengths, more_faces = part.breaks(flank.range)
        lengths.extend(more_lengths)
        faces.extend(more_faces)
    return lengths, faces


def _bevel_patch(teeth: BevelTeeth, side: str) -> FlankPatch:
    flank = teeth.left if side == "left" else teeth.right
    inner, outer = teeth.cone_distances
    most = max(flank.form, flank.tip)
    form, tip = (float(_spread(np.asarray(max(at, _LEAST * most)), most)) for at in (flank.form, flank.tip))

    def surface(u: FloatArray, v: FloatArray) -> FloatArray:
        return flank.involute.point(_gathered(form + (tip - form) * u, most), inner + (outer - inner) * v)

    facing = -flank.involute.side * flank.involute.away
    return fit_patch(surface, facing=facing, start=(8, 1))


def _rack_patch(rack: Rack, side: float) -> FlankPatch:
    """The plane flank of a rack, from the fillet to the tip."""
    half_face = 0.5 * rack.required_face_width("a flank as a surface")
    half = 0.5 * rack.normal_tooth_thickness / math.cos(rack.helix_angle)
    x = np.array([-form_depth(rack), rack.addendum])[:, None]
    z = np.array([-half_face, half_face])
    y = side * (half - x * math.tan(rack.transverse_pressure_angle)) + math.tan(rack.helix_angle) * z
    corners = np.stack(np.broadcast_arrays(x, y, z), axis=-1)
    ends = np.array([0.0, 0.0, 1.0, 1.0])
    return FlankPatch(corners, ends, ends, facing=-side)
