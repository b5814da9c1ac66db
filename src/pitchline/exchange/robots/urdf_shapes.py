"""Shapes of URDF links for pictures: boxes, cylinders, spheres and STL meshes of <visual>, otherwise of <collision>."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ...solids import bar, cylinder, sphere
from ...solids.shape import Shape
from ..imported import ImportReport
from ..limits import ExchangeError
from ..safe_xml import XmlElement
from .attributes import ElementReading
from .mesh_files import MeshFiles
from .placement import RobotPlacement, from_rpy

__all__ = ["UrdfShapes", "colour_of", "origin_of"]


class UrdfShapes:
    """Reads shapes of links. A shape that cannot be drawn is listed in the report, not refused."""

    def __init__(self, path: Path, root: XmlElement, meshes: MeshFiles, report: ImportReport) -> None:
        self.path, self.meshes, self.report = path, meshes, report
        self.colours = {
            one.attributes.get("name", ""): colour
            for one in root.all("material")
            if (colour := _colour(one)) is not None
        }

    def of(self, link: ElementReading) -> list[Shape]:
        """Shapes of a link: of its visual elements, or of its collision elements if no visual one can be drawn."""
        for tag in ("visual", "collision"):
            found = [shape for element in link.element.all(tag) if (shape := self._one(link.of(element))) is not None]
            if found:
                return found
        return []

    def _one(self, reading: ElementReading) -> Shape | None:
        try:
            geometry = reading.element.first("geometry")
            if geometry is None or not geometry.children:
                return None
            shape = self._form(reading.of(geometry.children[0]))
            if shape is None:
                return None
            place = origin_of(reading)
            shape = shape.turned(place.rotation).moved(place.position)
            colour = self._colour(reading.element)
            return shape if colour is None else shape.coloured(colour)
        except ExchangeError as error:
            self.report.add("kept", f"a shape is not drawn: {error}")
            return None

    def _form(self, reading: ElementReading) -> Shape | None:
        tag = reading.element.tag
        if tag == "box":
            size = reading.vector("size", None)
            return bar(*(float(s) for s in size)) if size.min() > 0.0 else None
        if tag == "cylinder" or tag == "capsule":
            radius, length = reading.number("radius"), reading.number("length")
            return cylinder(radius, length) if radius > 0.0 and length > 0.0 else None
        if tag == "sphere":
            radius = reading.number("radius")
            return sphere(radius) if radius > 0.0 else None
        if tag == "mesh":
            name = reading.needed("filename", "Specify the mesh file")
            return self.meshes.shape(name, reading.vector("scale", (1.0, 1.0, 1.0)))
        self.report.add("kept", f"shapes of the type <{tag[:40]}> are not drawn")
        return None

    def _colour(self, element: XmlElement) -> str | None:
        material = element.first("material")
        if material is None:
            return None
        return _colour(material) or self.colours.get(material.attributes.get("name", ""))


def origin_of(reading: ElementReading) -> RobotPlacement:
    """RobotPlacement of <origin xyz rpy>; the identity without it."""
    element = reading.element.first("origin")
    if element is None:
        return RobotPlacement(np.eye(3), np.zeros(3))
    own = reading.of(element)
    return RobotPlacement(from_rpy(own.vector("rpy", (0.0, 0.0, 0.0))), own.vector("xyz", (0.0, 0.0, 0.0)))


def _colour(material: XmlElement) -> str | None:
    element = material.first("color")
    if element is None:
        return None
    try:
        return colour_of([float(word) for word in element.attributes.get("rgba", "").split()])
    except ValueError:
        return None


def colour_of(rgba: list[float]) -> str | None:
    """Colour "#RRGGBB", with the opacity if it is below 1, from four numbers between 0 and 1."""
    if len(rgba) not in (3, 4) or not all(math.isfinite(v) for v in rgba):
        return None
    levels = [round(255 * min(1.0, max(0.0, v))) for v in rgba]
    text = "#" + "".join(f"{v:02X}" for v in levels[:3])
    if len(levels) == 4 and levels[3] < 255:
        return f"{text}{max(1, levels[3]):02X}"
    return text
