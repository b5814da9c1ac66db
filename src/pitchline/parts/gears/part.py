"""Wheels of a model, and hubs that increase the stiffness of a shaft.

Effective outline of a shaft for its stiffness: includes the hubs on the shaft and excludes the corners of its steps.

Next to a step the outer material of the thicker section carries little load. By the usual rule the effective diameter
increases from the smaller diameter along a cone. Mass and stresses are computed with the real sections.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import Frame, part_subject
from pitchline.errors import ModelError, PitchlineError, Subject, shown
from pitchline.solids.mass_properties import MassProperties

from ..shafts.sections import BeamSection, ShaftSection, round_section
from ..shafts.segment import Segment, SegmentPiece
from . import modifications
from .geometry.gear import Gear
from .geometry.inputs import GearBody, Hob, Material, Shaper, in_mm
from .geometry.pair import GearPair
from .geometry.rack import Rack
from .surfaces.patch import FlankPatch, FlankSurfaces

__all__ = ["HubSeat", "effective_line", "Wheel"]


# ---- described gears

# Gears and pairs from the description of a model, so that a result file is sufficient for their data sheets.

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Material, GearBody, Hob, Shaper, modifications.FlankModifications, modifications.Bias, modifications.DeviationGrid,
        modifications.EndRelief, modifications.HelixSlope, modifications.LeadCrowning, modifications.PitchDeviation,
        FlankPatch, FlankSurfaces,
        modifications.PressureAngleSlope, modifications.ProfileCrowning, modifications.RootRelief, modifications.TipRelief,
    )
}  # fmt: skip
_PARTS = ("material", "body", "tool", "modifications", "flanks")


def gear_of(said: Any) -> Gear | Rack | None:
    """Make the gear or rack again. None if the description was written by another version."""
    if not isinstance(said, dict):
        return None
    arguments = {key: value for key, value in said.items() if key != "type"}
    kind: Any = {"Gear": Gear, "Rack": Rack}.get(said.get("type", ""))
    if kind is None:
        return None
    try:
        for key in _PARTS:
            if isinstance(arguments.get(key), dict):
                arguments[key] = _part(arguments[key])
        if "body" in arguments:  # the body contains bore and rim diameter
            del arguments["bore"], arguments["rim_diameter"]
        made: Gear | Rack = kind(**arguments)
    except (PitchlineError, TypeError, ValueError, LookupError):
        return None
    return made


def _part(said: Any) -> Any:
    """Make a material, body, tool or modification from its description."""
    if isinstance(said, list):
        return [_part(item) for item in said]
    if not isinstance(said, dict):
        return said
    values = {key: _part(value) for key, value in said.items() if key != "type"}
    if said.get("type") == "FlankModifications":
        values["per_tooth"] = {(tooth, side): parts for (tooth, side), parts in values["per_tooth"]}
    if said.get("type") == "FlankSurfaces":
        values["per_tooth"] = tuple(((tooth, side), patch) for (tooth, side), patch in values["per_tooth"])
    return _KINDS[said["type"]](**values)


def pair_of(said: dict[str, Any], model: dict[str, Any]) -> GearPair | None:
    """Make the pair again. None if its wheels have no teeth."""
    wheels = model.get("wheels", {})
    a, b = (gear_of(wheels.get(said.get(side), {}).get("gear")) for side in ("wheel_a", "wheel_b"))
    if not isinstance(a, Gear) or b is None:
        return None
    distance, angle = said.get("centre_distance"), said.get("shaft_angle")
    # the kind of the pair determines which of the two it takes
    for wanted, turned in ((distance, None), (None, angle), (distance, angle), (None, None)):
        try:
            made = GearPair(a, b, centre_distance=wanted, shaft_angle=turned)
        except (PitchlineError, TypeError, ValueError):
            continue
        if str(made.kind) == said.get("kind"):
            return made
    return None


@dataclass(frozen=True)
class HubSeat:
    """Hub that stiffens a shaft: outer diameter [m], and the positions of its two ends [m]."""

    outer: float
    begin: float
    end: float


@dataclass(frozen=True)
class _OuterLine:
    """Outer diameter between two positions, linear: at + slope (z - begin)."""

    begin: float
    end: float
    at: float
    slope: float

    def value(self, z: float) -> float:
        return self.at + self.slope * (z - self.begin)

    def holds(self, z: float) -> bool:
        return self.begin <= z <= self.end


def effective_line(
    sections: Sequence[ShaftSection],
    material: Material,
    hubs: Mapping[str, HubSeat],
    angle: float | None,
    what: Subject,
) -> Segment:
    """Combine all sections in one segment whose stiffness follows the effective outline."""
    if not hubs and angle is None:
        return Segment.of_shaft(sections, material)
    places = np.concatenate([[0.0], np.cumsum([section.length for section in sections])])
    outline = _with_hubs(sections, places, hubs, what)
    cones = [] if angle is None else _cones(outline, math.tan(angle))
    marks = {float(z) for z in places} | {z for line in outline for z in (line.begin, line.end)}
    for one, other in combinations([*outline, *cones], 2):
        marks |= _crossing(one, other)
    stops = sorted(marks)
    stops = [z for k, z in enumerate(stops) if k == 0 or z - stops[k - 1] > 1e-9 * places[-1]]
    stops[-1] = float(places[-1])
    pieces = []
    for begin, end in pairwise(stops):
        third = (end - begin) / 3.0
        inside = [_outer(outline, cones, begin + k * third) for k in (1, 2)]
        ends = (2.0 * inside[0] - inside[1], 2.0 * inside[1] - inside[0])
        k = int(np.clip(np.searchsorted(places, 0.5 * (begin + end)) - 1, 0, len(sections) - 1))
        pieces.append(_piece(sections[k], float(places[k]), begin, end, ends, material, what))
    return Segment(tuple(pieces))


def _with_hubs(
    sections: Sequence[ShaftSection], places: np.ndarray, hubs: Mapping[str, HubSeat], what: Subject
) -> list[_OuterLine]:
    """Outer diameter of the sections, or of the hubs on them."""
    borders = sorted({*map(float, places), *(z for hub in hubs.values() for z in (hub.begin, hub.end))})
    found = []
    for begin, end in pairwise(borders):
        k = int(np.clip(np.searchsorted(places, 0.5 * (begin + end)) - 1, 0, len(sections) - 1))
        section = sections[k]
        d0, d1 = (section.diameters((z - places[k]) / section.length)[0] for z in (begin, end))
        for name, hub in hubs.items():
            if hub.begin <= begin and end <= hub.end:
                if hub.outer < max(d0, d1):
                    raise ModelError(
                        f'{what}: hub "{name}": its outer diameter {in_mm(hub.outer)} is smaller than the diameter of '
                        "the shaft inside it, "
                        f"{in_mm(max(d0, d1))}; specify a larger diameter, or omit the hub",
                        about=what.at("hubs", name),
                    )
                d0 = d1 = hub.outer
        found.append(_OuterLine(begin, end, d0, (d1 - d0) / (end - begin)))
    return found


def _cones(outline: Sequence[_OuterLine], tangent: float) -> list[_OuterLine]:
    """Lines that limit the effective diameter on the thicker side of each step, to the ends of the shaft."""
    start, stop = outline[0].begin, outline[-1].end
    found = []
    for left, right in pairwise(outline):
        z, before, after = right.begin, left.value(right.begin), right.at
        if after > before * (1.0 + 1e-12):
            found.append(_OuterLine(z, stop, before, 2.0 * tangent))
        elif before > after * (1.0 + 1e-12):
            found.append(_OuterLine(start, z, after + 2.0 * tangent * (z - start), -2.0 * tangent))
    return found


def _crossing(one: _OuterLine, other: _OuterLine) -> set[float]:
    slope = one.slope - other.slope
    if abs(slope) < 1e-12:
        return set()
    z = (other.value(0.0) - one.value(0.0)) / slope
    return {z} if one.holds(z) and other.holds(z) else set()


def _outer(outline: Sequence[_OuterLine], cones: Sequence[_OuterLine], z: float) -> float:
    real = next(line.value(z) for line in outline if line.holds(z))
    return min([real, *(cone.value(z) for cone in cones if cone.holds(z))])


def _piece(
    section: ShaftSection,
    start: float,
    begin: float,
    end: float,
    outer: tuple[float, float],
    material: Material,
    what: Subject,
) -> SegmentPiece:
    """Piece of a section with another outer diameter for its stiffness."""
    own = section.material or material
    low, high = ((z - start) / section.length for z in (begin, end))
    for share, d in ((low, outer[0]), (high, outer[1])):
        bore = section.diameters(share)[1]
        if d <= bore * (1.0 + 1e-9):
            raise ModelError(
                f"{what}: step_angle: at {in_mm(start + share * section.length)} the effective diameter {in_mm(d)} "
                "would be smaller "
                f"than the bore {in_mm(bore)}; omit step_angle",
                about=what.at("step_angle"),
            )

    def at(share: float) -> BeamSection:
        place = low + share * (high - low)
        real = section.at(place, material)
        made = copy.copy(real)
        stiff = round_section(outer[0] + share * (outer[1] - outer[0]), section.diameters(place)[1], own)
        object.__setattr__(made, "stiffness", stiff.stiffness)
        return made

    same = at(0.0) if section.uniform and abs(outer[1] - outer[0]) < 1e-12 else None
    return SegmentPiece(end - begin, at if same is None else lambda share: same, section.notch_factor)


# ---- wheels

# Wheel: a gear or a rack fixed on a body.


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Wheel:
    """Gear or rack on a body. `Model.gear_body` and `Model.wheel` make it.

    Attributes
    ----------
    name : str
    gear : Gear | Rack | None
        None for a body that rolls without teeth.
    frame : Frame
        Frame on the body with the axes of the gear: z is the wheel axis, the origin is in the middle of the face, x passes
        through the middle of a tooth. For a rack x points out of the teeth, y along the rack.
    solid : MassProperties | None
        Mass that it adds to its body, in the axes of its frame. None: it adds no mass.
    """

    name: str
    gear: Gear | Rack | None
    frame: Frame
    solid: MassProperties | None = None

    def __post_init__(self) -> None:
        what = part_subject("wheel", self.name)
        if self.gear is not None and not isinstance(self.gear, (Gear, Rack)):
            raise ModelError(f"{what}: expected a Gear or a Rack, got {shown(self.gear)}", about=what)
        if not isinstance(self.frame, Frame):
            raise ModelError(f"{what}: expected a frame on a body, got {shown(self.frame)}", about=what)

    @property
    def body_name(self) -> str:
        """Name of its body."""
        return self.frame.body_name

    @property
    def is_rack(self) -> bool:
        return isinstance(self.gear, Rack)

    def __repr__(self) -> str:
        if self.gear is None:
            return f"Wheel({self.name!r} without teeth, on {self.body_name!r})"
        kind = "Rack" if self.is_rack else "Gear"
        return f"Wheel({self.name!r}: {kind} of {self.gear.teeth} teeth on {self.body_name!r})"
