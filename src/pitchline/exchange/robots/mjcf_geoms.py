"""MJCF: geoms as mass properties and as shapes for pictures."""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from ...solids import bar, cylinder, sphere
from ...solids.rotations import Array
from ...solids.shape import Shape
from ..limits import ExchangeError
from .attributes import ElementReading
from .description import Robot
from .mesh_files import MeshFiles
from .mjcf_defaults import MjcfFile, smallest_rotation
from .placement import RobotPlacement
from .urdf_shapes import colour_of

__all__ = ["GeomReader"]

TYPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "hfield", "sdf")
WITH_ENDS = ("capsule", "cylinder", "box", "ellipsoid")
MOST_GROUP = 2
"""Geoms of higher groups are not drawn: they are for contact."""
MassParts = tuple[float, Array, Array, RobotPlacement]


class GeomReader:
    """Reads the geoms of one file."""

    def __init__(self, file: MjcfFile, robot: Robot, meshes: MeshFiles, *, draw: bool) -> None:
        self.file, self.robot, self.meshes, self.draw = file, robot, meshes, draw
        self.assets: dict[str, tuple[str, Array]] = {}
        meshes.mesh_folder = file.mesh_folder
        for element in file.all("asset"):
            if element.tag == "mesh":
                self._asset(file.reading(element, "mesh"))

    def _asset(self, reading: ElementReading) -> None:
        name, source = reading.text("name"), reading.text("file")
        if source is None:
            self.robot.report.add("kept", f'mesh "{name}": meshes without a file are not read')
            return
        last = source.replace("\\", "/").rpartition("/")[2]
        self.assets[name or last.rpartition(".")[0] or last] = (
            last if self.file.strip_path else source,
            reading.vector("scale", (1.0, 1.0, 1.0)),
        )

    def placed(self, reading: ElementReading) -> tuple[str, Array, RobotPlacement]:
        """Type, sizes and placement of a geom."""
        kind = reading.choice("type", TYPES, "mesh" if reading.text("mesh") and not reading.text("type") else "sphere")
        size = reading.vector("size", (), 1, 2, 3) if reading.text("size") is not None else np.zeros(0)
        place = self.file.placement(reading)
        if reading.text("fromto") is not None and kind in WITH_ENDS:
            ends = reading.vector("fromto", None, 6)
            along = ends[3:] - ends[:3]
            length = float(np.linalg.norm(along))
            if length < 1e-12:
                raise reading.error("both points of fromto are the same")
            # z points from the second point to the first
            place = RobotPlacement(smallest_rotation(-along / length), 0.5 * (ends[:3] + ends[3:]))
            if not size.size:
                raise reading.error('attribute "size" is missing. Specify the radius')
            size = (
                np.array([size[0], 0.5 * length])
                if kind in ("capsule", "cylinder")
                else np.array([size[0], size[0], 0.5 * length])
            )
        needed = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}.get(kind, 0)
        if size.size < needed:
            raise reading.error(f"a geom of the type {kind} needs {needed} sizes, got {size.size}")
        if needed and size[:needed].min() <= 0.0:
            raise reading.error(f"the sizes of a geom must be positive, got {' '.join(f'{s:g}' for s in size)}")
        return kind, size, place

    def mass(self, reading: ElementReading) -> MassParts | None:
        """Mass, centre and inertia of a geom with its placement; None for geoms without mass."""
        group = int(reading.number("group", 0.0))
        if not self.file.groups[0] <= group <= self.file.groups[1]:
            return None
        mass, density = reading.optional("mass"), reading.not_negative("density", 1000.0)
        if (mass is not None and mass == 0.0) or (mass is None and density == 0.0):
            return None
        if mass is not None and mass < 0.0:
            raise reading.error(f"mass must not be negative, got {mass:g}")
        kind, size, place = self.placed(reading)
        if kind in ("plane", "hfield"):
            return None
        if kind == "sdf" or reading.flag("shellinertia", False) or reading.text("fluidshape") == "shell":
            raise reading.error("the inertia of this geom (sdf or shellinertia) is not computed. Specify <inertial>")
        if kind == "mesh":
            return self._mesh_mass(reading, mass, density, place)
        volume, unit = _unit_inertia(kind, size)
        total = density * volume if mass is None else mass
        return total, np.zeros(3), total * unit, place

    def _mesh_mass(
        self, reading: ElementReading, mass: float | None, density: float, place: RobotPlacement
    ) -> MassParts:
        source, scale = self._mesh(reading)
        try:
            solid = self.meshes.solid(source, scale, None if mass is not None else density, mass)
        except (ExchangeError, ModelError) as error:
            raise reading.error(str(error)) from error
        return solid.mass, solid.centre_of_mass, solid.inertia, place

    def _mesh(self, reading: ElementReading) -> tuple[str, Array]:
        name = reading.text("mesh") or ""
        if name not in self.assets:
            raise reading.error(f'there is no mesh "{name[:80]}" in <asset>')
        return self.assets[name]

    def shape(self, reading: ElementReading) -> Shape | None:
        """Shape of a geom for pictures; None if it is not drawn."""
        if not self.draw or int(reading.number("group", 0.0)) > MOST_GROUP:
            return None
        kind, size, place = self.placed(reading)
        shape: Shape | None = None
        if kind == "sphere":
            shape = sphere(float(size[0]))
        elif kind == "capsule":
            r, h = float(size[0]), float(size[1])
            shape = cylinder(r, 2 * h) + sphere(r).moved((0, 0, h)) + sphere(r).moved((0, 0, -h))
        elif kind == "cylinder":
            shape = cylinder(float(size[0]), 2 * float(size[1]))
        elif kind in ("box", "ellipsoid"):
            if kind == "ellipsoid":
                self.robot.report.add("kept", "ellipsoids are drawn as boxes")
            shape = bar(*(2 * float(s) for s in size))
        elif kind == "mesh" and (reading.text("mesh") or "") in self.assets:
            shape = self.meshes.shape(*self._mesh(reading))
        if shape is None:
            return None
        shape = shape.turned(place.rotation).moved(place.position)
        colour = colour_of(list(reading.vector("rgba", (), 4))) if reading.text("rgba") is not None else None
        return shape if colour is None or colour.endswith("01") else shape.coloured(colour)


def _unit_inertia(kind: str, size: Array) -> tuple[float, Array]:
    """Volume, and inertia divided by mass, of a homogeneous solid about its centre."""
    if kind == "sphere":
        r = float(size[0])
        return 4.0 / 3.0 * math.pi * r**3, np.diag([0.4 * r * r] * 3)
    if kind in ("box", "ellipsoid"):
        a, b, c = (float(s) for s in size)
        factor = 1.0 / 3.0 if kind == "box" else 0.2
        volume = 8.0 * a * b * c if kind == "box" else 4.0 / 3.0 * math.pi * a * b * c
        return volume, factor * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    r, h = float(size[0]), float(size[1])
    if kind == "cylinder":
        across = (3.0 * r * r + 4.0 * h * h) / 12.0
        return 2.0 * math.pi * r * r * h, np.diag([across, across, 0.5 * r * r])
    middle, caps = 2.0 * math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
    volume = middle + caps
    across = (middle * (3.0 * r * r + 4.0 * h * h) / 12.0 + caps * (0.4 * r * r + h * h + 0.75 * h * r)) / volume
    along = (middle * 0.5 * r * r + caps * 0.4 * r * r) / volume
    return volume, np.diag([across, across, along])
