"""Shafts and casing of a new REXS document, and the component on which each body of a model is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...gears import Gear
from ...gears.material import STEEL, Material
from ...model import Model
from ...model.shaft import Shaft
from ...model.station import Station
from ...model.wheels import Wheel
from ...solids.mass_properties import MassProperties
from .building import RexsBuilder
from .export_report import RexsExport
from .export_rotors import rotor_frames
from .sections import tube_properties

__all__ = ["Host", "Hosts", "RigidPart", "rim_of"]

_HOLLOW = (0.7, 0.9, 0.95)
"""Inner diameters of shafts in the bores of light bodies, compared with their outer diameters."""


def rim_of(ring: Gear) -> float:
    """Outer diameter of a ring gear [m]; the rim is 3.5 modules thick if it is not given."""
    return ring.rim_diameter or ring.root_diameter + 7.0 * ring.normal_module


@dataclass(frozen=True)
class Host:
    """Shaft of the document.

    origin, axes: its left end and its axes in pitchline (z along the shaft), world
    """

    number: int
    name: str
    origin: np.ndarray
    axes: np.ndarray

    def coordinate(self, point: np.ndarray) -> float:
        """Coordinate u of a point [m]."""
        return float((point - self.origin) @ self.axes[:, 2])

    def components(self, vector: np.ndarray) -> np.ndarray:
        """Components u, v, w of a vector in world axes: u = z, v = -y, w = x."""
        x, y, z = self.axes.T @ vector
        return np.array([z, 0.0 - y, x])


@dataclass(frozen=True)
class RigidPart:
    """Shaft of a rigid body.

    section: mass properties of its section in the axes of the shaft; None for a shaft without section
    """

    host: Host
    wheels: tuple[Wheel, ...] = ()
    section: MassProperties | None = None


@dataclass
class Hosts:
    """Casing and shafts. Rigid bodies with gears become shafts with one section, other rotors shafts without sections.

    rigid: shafts of rigid bodies, by the name of the body
    """

    model: Model
    builder: RexsBuilder
    report: RexsExport
    unit: int = field(init=False)
    casing: int = field(init=False)
    rigid: dict[str, RigidPart] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._materials: dict[Material, int] = {}
        self._of_body: dict[str, Host] = {}
        self._unit()
        self.casing = self.builder.add("gear_casing", "Casing")
        self.builder.relate("assembly", assembly=self.unit, part=self.casing)
        for structure in self.model.structures.values():
            if isinstance(structure, Shaft):
                self._shaft(structure)
            else:
                self.report.note(
                    self.report.left_out,
                    f'{structure.kind} "{structure.name}": REXS has shafts with round sections only',
                )
        self._rigid_bodies()

    def of(self, body_name: str) -> Host | None:
        """Shaft of a body or station; None for the ground and for bodies that are not in the document."""
        return self._of_body.get(body_name)

    def side(self, body_name: str) -> int | None:
        """Component of a body for a bearing or coupling: shaft or casing."""
        if body_name == self.model.ground.name:
            return self.casing
        host = self.of(body_name)
        return None if host is None else host.number

    def material(self, owner: int, material: Material) -> None:
        """Refer from a component to its material."""
        if material not in self._materials:
            values = {
                "material_designation": material.name, "density": material.density,
                "elastic_modulus": material.youngs_modulus, "poisson_ratio": material.poissons_ratio,
            }  # fmt: skip
            self._materials[material] = self.builder.add("material", material.name, values)
        self.builder.relate("reference", origin=owner, referenced=self._materials[material])

    def _unit(self) -> None:
        gravity = self.model.gravity
        size = float(np.linalg.norm(gravity))
        values: dict[str, object] = {"number_of_gears": 1, "gear_shift_index": 1, "account_for_gravity": size > 0.0}
        if size > 0.0:
            values["gravitational_acceleration"] = size
            values.update(
                {f"direction_vector_gravity_{name}": float(x) for name, x in zip("uvw", gravity / size, strict=True)}
            )
        self.unit = self.builder.add("gear_unit", self.model.name, values)
        # The world axes are u, v, w of the gear unit.
        self.builder.put(self.unit, {
            "reference_component_for_position": self.unit, "support_vector": np.zeros(3), "u_axis_vector": np.eye(3)[0],
            "w_axis_vector": np.eye(3)[2],
        })  # fmt: skip

    def _new_shaft(self, name: str, origin: np.ndarray, axes: np.ndarray) -> Host:
        number = self.builder.add("shaft", name)
        self.builder.position(number, origin, axes, self.unit)
        self.builder.relate("assembly", assembly=self.unit, part=number)
        return Host(number, name, origin, axes)

    def _section(self, host: Host, name: str, place: float, sizes: tuple[float, float, float, float, float]) -> None:
        length, outer, outer_end, inner, inner_end = sizes
        values = {
            "u_coordinate_on_shaft": place, "length": length, "outer_diameter_begin": outer, "outer_diameter_end": outer_end,
            "inner_diameter_begin": inner, "inner_diameter_end": inner_end,
        }  # fmt: skip
        self.builder.relate("assembly", assembly=host.number, part=self.builder.add("shaft_section", name, values))

    def _shaft(self, shaft: Shaft) -> None:
        host = self._new_shaft(shaft.name, shaft.position, shaft.orientation)
        place = 0.0
        for index, section in enumerate(shaft.sections):
            sizes = section.length, section.outer, section.outer_end, section.inner, section.inner_end
            self._section(host, f"{shaft.name} {index + 1}", place, sizes)
            place += section.length
            if section.material is not None and section.material != shaft.material:
                text = f'shaft "{shaft.name}", section {index + 1}: its own material {section.material.name}'
                self.report.note(self.report.left_out, text)
            if section.notch_factor != 1.0:
                text = f'shaft "{shaft.name}", section {index + 1}: notch_factor {section.notch_factor:g}'
                self.report.note(self.report.left_out, text)
        self.material(host.number, shaft.material)
        for station in shaft.stations.values():
            self._of_body[station.name] = host
        if shaft.speed:
            self.builder.put(host.number, {"rotational_speed": shaft.speed, "defines_speed": False})
        for what, given in (("hubs", shaft.hubs), ("step_angle", shaft.step_angle)):
            if given:
                self.report.note(self.report.left_out, f'shaft "{shaft.name}": {what}')

    def _rigid_bodies(self) -> None:
        """Bodies that are not stations."""
        names = (self.model.ground.name, *self.model.bodies)
        wheels = {name: [one for one in self.model.wheels.values() if one.body_name == name] for name in names}
        for name, body in self.model.bodies.items():
            if isinstance(body, Station):
                continue
            gears = [one for one in wheels[name] if isinstance(one.gear, Gear)]
            if gears:
                self._keep(name, self._short_shaft(name, gears, body.mass))
                text = f'body "{name}" is written as a shaft with one section in its gears'
                self.report.note(self.report.assumed, text)
        rotors = rotor_frames(self.model, self._of_body.keys())
        for name, body in self.model.bodies.items():
            if name in rotors:
                self._keep(name, RigidPart(self._new_shaft(name, *self.model.placed(rotors[name]))))
                self.report.note(self.report.assumed, f'body "{name}" is written as a shaft without sections')
            elif not isinstance(body, Station) and name not in self._of_body:
                self.report.note(self.report.left_out, f'body "{name}": a rigid body without gears')
        fixed = [one for one in wheels[self.model.ground.name] if isinstance(one.gear, Gear)]
        for wheel in fixed:
            host = self._short_shaft(wheel.name, [wheel], 0.0).host
            self._of_body[f"ground {wheel.name}"] = host
            values = dict.fromkeys(
                ("radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness"), 1e20
            )
            origin, axes = self.model.placed(wheel.frame)
            number = self.builder.add("coupling", f"{wheel.name} to casing", values)
            self.builder.position(number, origin, axes, self.unit)
            self.builder.relate("side", assembly=number, inner_part=host.number, outer_part=self.casing)
            self.builder.put(number, {"u_coordinate_on_shaft_inner_side": host.coordinate(origin)})

    def _keep(self, name: str, part: RigidPart) -> None:
        self.rigid[name] = part
        self._of_body[name] = part.host

    def _short_shaft(self, name: str, gears: list[Any], body_mass: float) -> RigidPart:
        places = [self.model.placed(one.frame) for one in gears]
        origin, axes = places[0]
        reach = [
            (float((at - origin) @ axes[:, 2]), 0.5 * (one.gear.face_width or one.gear.normal_module))
            for one, (at, _) in zip(gears, places, strict=True)
        ]
        begin, end = min(z - half for z, half in reach), max(z + half for z, half in reach)
        ring = next((one.gear for one in gears if one.gear.internal), None)
        if ring is not None:  # the shaft is a tube around the ring gear
            inner = rim_of(ring)
            outer = 1.1 * inner
        else:
            outer = min(one.gear.bore or 0.5 * min(one.gear.root_diameter, one.gear.tip_diameter) for one in gears)
            inner = 0.0
        material = gears[0].gear.material or STEEL
        made = tube_properties((outer, outer), (inner, inner), end - begin, material.density)
        if ring is None and body_mass > 0.0:  # a shaft that is heavier than a quarter of its body is hollow
            for hollow in _HOLLOW:
                if made.mass > 0.25 * body_mass:
                    inner = hollow * outer
                    made = tube_properties((outer, outer), (inner, inner), end - begin, material.density)
        host = self._new_shaft(f"{name} shaft", origin + begin * axes[:, 2], axes)
        self._section(host, f"{name} shaft 1", 0.0, (end - begin, outer, outer, inner, inner))
        self.material(host.number, material)
        return RigidPart(host, tuple(gears), made.moved((0.0, 0.0, 0.5 * (end - begin))))
