"""Rolling bearings on shafts: checks whether the inner ring fits its seat."""

from __future__ import annotations

import math

from pitchline.declare.declared_element import DeclaredElement
from pitchline.declare.names import Frame
from pitchline.declare.registry import Registry
from pitchline.declare.structure import Station
from pitchline.errors import ModelError

from ..gears.geometry.inputs import in_mm
from ..shafts.part import Shaft
from .design import BearingDesign

__all__ = ["LEAN", "seat_problems", "seat_warnings"]

_BEARING = "bearing"
_SLACK = 1e-3
"""Tolerance for a ring that is too small or too wide, as a fraction of bore or width: chamfers and rounded values."""
_LOOSE = 2e-3
"""Fraction of the bore by which the shaft may be smaller than the bore."""
LEAN = 5.0
"""Angle [deg] between the axes of ring and shaft. From this angle on it is an error and not a misalignment."""


def seat_problems(model: Registry, element: DeclaredElement) -> list[ModelError]:
    """Errors of a bearing whose inner ring is on a shaft: not on the shaft or its axis, bore too small, ring too wide."""
    frame = element.frames.get("b") if element.key == _BEARING else None
    if not isinstance(frame, Frame) or not isinstance(frame.owner, Station):
        return []
    shaft = model.structures.get(frame.owner.structure)
    if not isinstance(shaft, Shaft):
        return []
    text = _misfit(shaft, frame, frame.owner, element.values["design"])
    return [ModelError(f"{element.words}: {text}", about=element.words)] if text else []


def seat_warnings(model: Registry, element: DeclaredElement) -> list[str]:
    """Warnings about a bearing whose inner ring is on a station of a shaft: a bore larger than the shaft."""
    frame = element.frames.get("b") if element.key == _BEARING else None
    if not isinstance(frame, Frame) or not isinstance(frame.owner, Station):
        return []
    shaft, bore = model.structures.get(frame.owner.structure), element.values["design"].bore
    if not isinstance(shaft, Shaft) or bore is None:
        return []
    seat = shaft.outer_at(shaft.place_of(frame, frame.owner))
    if seat < bore * (1.0 - _LOOSE):
        return [f"its bore is {in_mm(bore)}, but the diameter of {shaft.subject} there is {in_mm(seat)}"]
    return []


def _misfit(shaft: Shaft, frame: Frame, station: Station, design: BearingDesign) -> str:
    place = shaft.place_of(frame, station)
    if not -1e-9 * shaft.length <= place <= (1.0 + 1e-9) * shaft.length:
        return (
            f"at {in_mm(place)} from its start it is not on {shaft.subject}, which ends at {in_mm(shaft.length)}; move it, or "
            "make the shaft longer"
        )
    off = float((frame.position[0] ** 2 + frame.position[1] ** 2) ** 0.5)
    if off > 0.5 * design.pitch:
        return ""  # a ring off the shaft axis: a planet on a pin of the carrier, or a rod on a crank
    if off > 0.01 * shaft.outer_at(place):
        return f"it is {in_mm(off)} off the axis of {shaft.subject}; move it to the axis"
    lean = math.degrees(math.acos(min(abs(float(frame.rotation[2, 2])), 1.0)))
    if lean > LEAN:
        return f"its axis is inclined by {lean:.3g} deg to {shaft.subject}; specify the axis of the shaft, or omit axis"
    bore, width = getattr(design, "bore", None), getattr(design, "width", None)
    if bore is None:
        return ""
    seat = shaft.outer_at(place, smaller=True)
    if seat > bore * (1.0 + _SLACK):
        return f"its bore of {in_mm(bore)} is smaller than {shaft.subject}, whose diameter there is {in_mm(seat)}"
    if width is None:
        return ""
    if design.is_pair:  # two bearings next to each other, or with a distance between them
        width += getattr(design, "distance", None) or width
    half = 0.5 * width * (1.0 - _SLACK)
    thickest = shaft.thickest(place - half, place + half)
    if thickest > bore * (1.0 + _SLACK):
        return (
            f"its ring, {in_mm(width)} wide, is wider than its seat: the diameter of {shaft.subject} is up to {in_mm(thickest)} "
            f"between {in_mm(place - 0.5 * width)} and {in_mm(place + 0.5 * width)}, the bore is {in_mm(bore)}; move the station, "
            "or make the seat longer"
        )
    return ""
