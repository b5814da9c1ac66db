"""Gears and racks by their true tooth surfaces: one pitch, which a page draws as many times as there are teeth."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy.typing as npt

from ...errors import PitchlineError
from ...files.gear_surface import surface_of_teeth, teeth_of
from ...files.gear_surface_profile import SurfaceFineness
from ...files.rack_surface import rack_surface
from ...files.spiral_bevel_surface import spiral_bevel_surface
from ...files.triangles import Triangles
from ...gears import Gear, Rack, Shaper
from ...gears.modifications import Deviation, FlankModifications, FlankRange, Modification
from ...gears.words import modification_words
from ...model.described_gears import gear_of
from ..block import Block
from .plain_teeth import plain_teeth_surface
from .solids import SEGMENTS, disc, turned
from .surfaces import mesh_shape, one_of, turned_shape

__all__ = ["GearShape", "GearShapes", "fineness", "magnified"]

_MOST_SECTIONS = 300
SPIRAL = "spherical involutes along an arc with the mean spiral angle: the flanks that the machine cuts are not part of the model"


def fineness(teeth: int) -> SurfaceFineness:
    """Of gears with so many teeth in all: coarser where there are many, which are small in the picture."""
    points = 8 if teeth <= 120 else 6 if teeth <= 700 else 4 if teeth <= 2000 else 3
    return SurfaceFineness(
        points=points,
        half_root=2,
        tip=2,
        arc=math.radians(10.0),
        turn=math.radians(5.0 if teeth <= 700 else 8.0),
        curved=7,
    )


@dataclass(frozen=True)
class GearShape:
    """name: of the shape. gear: as it is drawn; None where the description makes none. notes: what was assumed.

    modifications: of the flanks, as text.
    """

    name: str
    gear: Gear | Rack | None
    notes: tuple[str, ...] = ()
    modifications: str = ""


@dataclass(frozen=True)
class _Magnified(Modification):
    """A modification times a factor."""

    of: Modification
    factor: float

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        return Deviation(*(self.factor * term for term in self.of.deviation(flank, length, face)))


class GearShapes:
    """The gears of a scene; equal ones share a shape."""

    def __init__(
        self, model: dict[str, Any], block: Block, shapes: dict[str, Any], *, magnify_corrections: float = 1.0
    ) -> None:
        self._block, self._shapes, self._magnify = block, shapes, magnify_corrections
        wheels = model.get("wheels", {})
        teeth = sum(int(wheel["gear"].get("teeth", 0)) for wheel in wheels.values() if wheel.get("gear"))
        self._fine = fineness(teeth)
        self._widths = _widths_of_mates(model)
        self._known: dict[str, GearShape] = {}

    def of_wheel(self, wheel: dict[str, Any]) -> GearShape | None:
        """The shape of a wheel; None where it has no gear."""
        said = wheel.get("gear")
        if said is None:
            return None
        width = None if said.get("face_width") else self._widths.get(wheel["name"])
        key = json.dumps([said, width], sort_keys=True)
        if key not in self._known:
            self._known[key] = self._made(f"gear {len(self._known) + 1}", said, width)
        return self._known[key]

    def _made(self, name: str, said: dict[str, Any], width: float | None) -> GearShape:
        gear = gear_of(said)
        if gear is None:
            return GearShape("", None, ("the description of its gear is not one of this version: not drawn",))
        notes = []
        if gear.face_width is None:
            gear = _with_width(gear, width)
            notes.append(f"face width not given: drawn {1e3 * (gear.face_width or 0.0):.4g} mm wide")
        if isinstance(gear, Gear) and gear.internal and gear.rim_diameter is None:
            notes.append("rim diameter not given: rim drawn three modules thick")
        if isinstance(gear, Rack):
            if gear.depth is None:
                notes.append("depth not given: bar drawn two modules thick")
            elif gear.depth < 1.05 * gear.dedendum:
                notes.append("its depth is less than that of its teeth: bar drawn below them")
            self._shapes[name] = mesh_shape(
                self._block, name, rack_surface(gear, profile_points=max(self._fine.points // 2, 2))
            )
            return GearShape(name, gear, tuple(notes))
        words = modification_words(gear.modifications)
        if gear.modifications and self._magnify != 1.0:
            gear = magnified(gear, self._magnify)
            notes.append(f"modifications of the flanks drawn {self._magnify:g} times as large")
        surface, count, more = _surface(gear, self._fine)
        self._shapes[name] = _shape(self._block, name, surface, count, whole=bool(gear.modifications.per_tooth))
        return GearShape(name, gear, (*notes, *more), words)


def magnified(gear: Gear, factor: float) -> Gear:
    """The gear with all modifications of its flanks times a factor."""
    given = gear.modifications
    sides = {side: [_Magnified(part, factor) for part in getattr(given, side)] for side in ("both", "left", "right")}
    single = {key: [_Magnified(part, factor) for part in parts] for key, parts in given.per_tooth}
    return gear.with_(modifications=FlankModifications(**sides, per_tooth=single))  # type: ignore[arg-type]


def _with_width(gear: Gear | Rack, width: float | None) -> Gear | Rack:
    """A face width for the eye: that of the mate, or eight modules; at most 0.3 of the cone distance."""
    chosen = 8.0 * gear.normal_module if width is None else width
    if isinstance(gear, Rack):
        return Rack(**{field.name: getattr(gear, field.name) for field in fields(gear)} | {"face_width": chosen})
    if gear.cone_angle:
        chosen = min(chosen, 0.3 * gear.mean_cone_distance)
    return gear.with_(face_width=chosen)


def _widths_of_mates(model: dict[str, Any]) -> dict[str, float]:
    wheels = model.get("wheels", {})
    found: dict[str, float] = {}
    for pair in model.get("gear_pairs", {}).values():
        a, b = pair.get("wheel_a"), pair.get("wheel_b")
        for own, other in ((a, b), (b, a)):
            width = (wheels.get(other, {}).get("gear") or {}).get("face_width")
            if own in wheels and width:
                found.setdefault(own, float(width))
    return found


def _shape(block: Block, name: str, surface: Triangles, count: int, *, whole: bool) -> dict[str, Any]:
    """One pitch of `count` equal ones; the whole where single teeth differ."""
    piece = None if whole else one_of(surface, count)
    return mesh_shape(block, name, surface) if piece is None else turned_shape(block, name, piece, count)


def _surface(gear: Gear, fine: SurfaceFineness) -> tuple[Triangles, int, tuple[str, ...]]:
    """The surface, the number of its equal pieces about its axis, and a note on it, by the first method that works."""
    reason = ""
    for make, note in _ways(gear, fine):
        try:
            return make(), gear.teeth, (note.format(reason=reason),) if note else ()
        except PitchlineError as error:
            reason = reason or str(error).partition(";")[0]
    width = gear.face_width or 0.0
    blank = turned(disc(0.5 * gear.reference_diameter, 0.5 * gear.bore, -0.5 * width, 0.5 * width))
    return blank, SEGMENTS, (f"drawn as a disc without teeth: {reason}",)


def _ways(gear: Gear, fine: SurfaceFineness) -> Iterator[tuple[Callable[[], Triangles], str]]:
    """How the surface of a gear may be made, the truest first, and the note that goes with it."""
    if gear.cone_angle:
        near = abs(gear.cone_angle) > math.radians(88.9)
        cone = gear.with_(cone_angle=math.copysign(math.radians(88.9), gear.cone_angle)) if near else gear
        said = ["crown wheel drawn with a cone angle of 88.9 deg"] if near else []
        said += [SPIRAL] if gear.helix_angle else []

        def bevel(shorter: float) -> Callable[[], Triangles]:
            def make() -> Triangles:
                made = cone.with_(tip_alteration=cone.tip_alteration - shorter) if shorter else cone
                return spiral_bevel_surface(made, fine) if made.helix_angle else surface_of_teeth(teeth_of(made), fine)

            return make

        yield bevel(0.0), "; ".join(said)
        for shorter in (0.1, 0.2, 0.4, 0.6, 0.8):
            less = f"{1e3 * shorter * gear.normal_module:.3g} mm"
            yield bevel(shorter), "; ".join([*said, f"tips drawn shorter by {less}: {{reason}}"])
        return
    turn = fine.turn if abs(gear.helix_angle) < math.radians(60.0) else max(fine.turn, math.radians(8.0))
    wound = 2.0 * abs(math.tan(gear.helix_angle)) / gear.reference_diameter * (gear.face_width or 0.0)
    turn = max(turn, wound / _MOST_SECTIONS)  # of long worms
    fine = SurfaceFineness(fine.points, fine.half_root, fine.tip, fine.arc, turn, fine.curved)
    yield lambda: surface_of_teeth(teeth_of(gear), fine), ""
    if gear.internal:
        for teeth in (round(0.6 * gear.teeth), round(0.75 * gear.teeth), gear.teeth - 8):
            if teeth >= 3:
                cut = gear.with_(tool=Shaper(teeth=teeth, tip_rounding=0.0))
                yield lambda cut=cut: surface_of_teeth(teeth_of(cut), fine), "roots drawn sharp: {reason}"  # type: ignore[misc]
    yield lambda: plain_teeth_surface(gear, fine.turn), "teeth drawn as trapezoids: {reason}"
