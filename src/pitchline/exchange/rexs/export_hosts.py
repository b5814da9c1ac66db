"""Hosts of a new REXS document: shafts, rigid parts, gears and stages of a model."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.declare.names import Frame
from pitchline.declare.structure import Station
from pitchline.model.model import Model
from pitchline.parts.bearings.design import BearingDesign
from pitchline.parts.couplings.design import ElasticCoupling
from pitchline.parts.gears.geometry.directions import NORMAL, length_factor
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import STEEL, Hob, Material, Shaper
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.modifications.deviations import (
    Bias,
    HelixSlope,
    LeadCrowning,
    Modification,
    PressureAngleSlope,
    ProfileCrowning,
)
from pitchline.parts.gears.modifications.relief import EndRelief, RootRelief, TipRelief  # fmt: skip
from pitchline.parts.gears.part import Wheel
from pitchline.parts.meshes.laws.elastic import Elastic
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.springs.part import Bushing
from pitchline.solids.mass_properties import MassProperties

from .component import RexsDocument
from .importing import RexsBuilder
from .sections import tube_properties

__all__ = [
    "RexsExport",
    "rotor_frames",
    "Host",
    "Hosts",
    "RigidPart",
    "rim_of",
    "ExportedGears",
    "constant_stiffness",
    "gear_values",
    "normal_backlash",
]


# ---- export report

# What `to_rexs` returns: the document that was written, and what has no place in it.


@dataclass
class RexsExport:
    """Written REXS file.

    Attributes
    ----------
    path : Path
    document : RexsDocument
    written : list of str
        What was written or changed.
    assumed : list of str
        What was written in another form than in the model.
    left_out : list of str
        What has no place in the file.
    """

    path: Path
    document: RexsDocument
    written: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def note(self, kind: list[str], text: str) -> None:
        """Add a text to one of the lists, once."""
        if text not in kind:
            kind.append(text)

    def text(self) -> str:
        """Report as text; what was left out comes first."""
        blocks = []
        for heading, lines in (("Not written", self.left_out), ("Assumed", self.assumed), ("Written", self.written)):
            if lines:
                blocks.append("\n".join([f"{heading}:", *(f"  - {line}" for line in lines)]))
        return "\n".join(blocks)

    def __str__(self) -> str:
        return self.text()


# ---- export rotors

# Rigid bodies without gears that belong to a gear unit: rotors on couplings, and carriers of planets.


@dataclass(frozen=True)
class _RotorConnection:
    """Connection of two bodies: "coupled" (transmits torque) or "guided" (rotates about an axis)."""

    kind: str
    frames: tuple[Frame, Frame]

    def ends(self, name: str) -> tuple[Frame, str] | None:
        """Frame on a body, and the name of the other body; None if the body is not connected."""
        a, b = self.frames
        if a.body_name == name:
            return a, b.body_name
        return (b, a.body_name) if b.body_name == name else None


def rotor_frames(model: Model, written: Collection[str]) -> dict[str, Frame]:
    """Frames, with z along the axis, of bodies that are coupled to written bodies, or that carry them on an axis of the casing.

    written: names of bodies and stations in the document
    """
    links = _links(model)
    ground = model.ground.name
    found: dict[str, Frame] = {}
    searching = True
    while searching:
        searching = False
        for name, body in model.bodies.items():
            if isinstance(body, Station) or name in written or name in found:
                continue
            own = [(link.kind, *ends) for link in links if (ends := link.ends(name)) is not None]
            axes = [frame for kind, frame, other in own if kind == "guided" and other == ground]
            coupled = [
                frame for kind, frame, other in own if kind == "coupled" and (other in written or other in found)
            ]
            carries = any(kind == "guided" and other in written for kind, _, other in own)
            if coupled or (axes and carries):
                found[name] = (axes or coupled)[0]
                searching = True
    return found


def _links(model: Model) -> list[_RotorConnection]:
    found = []
    for element in model.elements.values():
        values = getattr(element, "values", {})
        design = values.get("design")
        if isinstance(design, (BearingDesign, ElasticCoupling)):
            kind = "coupled" if isinstance(design, ElasticCoupling) else "guided"
            found.append(_RotorConnection(kind, (values["a"], values["b"])))
    for load in model.loads.values():
        if isinstance(load, Bushing):
            stiffness = np.asarray(load.stiffness, dtype=float)
            if stiffness[(5,) * stiffness.ndim]:
                found.append(_RotorConnection("coupled", (load.frame_a, load.frame_b)))
    for joint in model.joints.values():
        if joint.kind in ("fixed", "revolute", "cylindrical"):
            kind = "coupled" if joint.kind == "fixed" else "guided"
            found.append(_RotorConnection(kind, (joint.frame_a, joint.frame_b)))
    return found


# ---- export hosts

# Shafts and casing of a new REXS document, and the component on which each body of a model is.

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
            if (
                len({one.gear.internal for one in gears if isinstance(one.gear, Gear)}) == 2
            ):  # no section is both around a ring gear and in a gear
                self._keep(
                    name, RigidPart(self._new_shaft(f"{name} shaft", *self.model.placed(gears[0].frame)), tuple(gears))
                )
                text = f'body "{name}" is written as a shaft without sections: it has a ring gear and other gears'
                self.report.note(self.report.assumed, text)
            elif gears:
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
            text = f'gear "{wheel.name}" of the ground is written on a shaft fixed to the casing; both have a mass in the file'
            self.report.note(self.report.assumed, text)
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


FLANKS = {
    "cylindrical_gear": "cylindrical_gear_flank", "ring_gear": "cylindrical_gear_flank", "bevel_gear": "bevel_gear_flank",
    "worm_gear": "worm_gear_flank", "worm_wheel": "worm_gear_flank",
}  # fmt: skip
"""Type of the flanks of each type of gear."""


@dataclass
class ExportedGears:
    """Adds the gears and stages of a model to a document."""

    hosts: Hosts
    builder: RexsBuilder
    report: RexsExport
    gears: dict[str, int] = field(default_factory=dict)
    stages: dict[str, int] = field(default_factory=dict)
    stage_data: dict[tuple[str, str], int] = field(default_factory=dict)
    _with_worm: set[str] = field(default_factory=set)

    def add_all(self) -> None:
        """Add all wheels and pairs."""
        self._with_worm = _mates_of_worms(self.hosts.model)
        for wheel in self.hosts.model.wheels.values():
            self._wheel(wheel)
        for pair in self.hosts.model.gear_pairs.values():
            self._stage(pair)

    def host(self, wheel: Wheel) -> Host | None:
        """Shaft of a wheel; a wheel on the ground has its own shaft."""
        return self.hosts.of(wheel.body_name) or self.hosts.of(f"ground {wheel.name}")

    # ------------------------------------------------------------------------------------------- gears

    def _wheel(self, wheel: Wheel) -> None:
        gear, host = wheel.gear, self.host(wheel)
        if not isinstance(gear, Gear) or host is None:
            what = "a rack" if wheel.is_rack else "without teeth" if gear is None else f'on body "{wheel.body_name}"'
            self.report.note(self.report.left_out, f'wheel "{wheel.name}" ({what})')
            return
        if gear.profile_shift_angle:
            self.report.note(
                self.report.left_out, f'gear "{wheel.name}": a conical involute gear (profile_shift_angle)'
            )
            return
        origin, axes = self.hosts.model.placed(wheel.frame)
        kind = "worm_wheel" if wheel.name in self._with_worm else _type(gear)
        number = self.builder.add(kind, wheel.name, gear_values(gear, kind))
        self.builder.put(number, {"u_coordinate_on_shaft": host.coordinate(origin)})
        self.builder.position(number, origin, axes, self.hosts.unit)
        self.builder.relate("assembly", assembly=host.number, part=number)
        self.hosts.material(number, gear.material)
        self._flanks(number, wheel.name, gear, kind)
        self.gears[wheel.name] = number

    def _flanks(self, number: int, name: str, gear: Gear, kind: str) -> None:
        flank_type = FLANKS[kind]
        values: dict[str, Any] = {"normal_pressure_angle": gear.normal_pressure_angle}
        if kind in ("cylindrical_gear", "ring_gear"):
            values["addendum_modification_coefficient"] = gear.profile_shift
        sides = {side: self.builder.add(flank_type, f"{name}, {side} flank", values) for side in ("left", "right")}
        self.builder.relate("flank", gear=number, **sides)
        if kind in ("cylindrical_gear", "ring_gear"):
            self._tool(name, gear, list(sides.values()))
        if gear.flanks is not None:
            self.report.note(self.report.left_out, f'gear "{name}": imported flanks; the file contains involutes')
        parts = gear.modifications
        for modification in parts.both:
            self._modification(name, modification, list(sides.values()))
        for side, found in (("left", parts.left), ("right", parts.right)):
            for modification in found:
                self._modification(name, modification, [sides[side]])
        if parts.per_tooth:
            self.report.note(self.report.left_out, f'gear "{name}": modifications of single teeth')

    def _tool(self, name: str, gear: Gear, flanks: list[int]) -> None:
        values: dict[str, Any] = {
            "normal_module": gear.normal_module, "normal_pressure_angle": gear.normal_pressure_angle,
            "addendum_coefficient_reference_profile": gear.dedendum_factor,
            "tip_corner_radius_factor_reference_profile": gear.root_radius_factor,
        }  # fmt: skip
        kind = "rack_shaped_tool"
        if gear.internal:
            kind = "cutter_wheel_tool"
            values["number_of_teeth"] = gear.tool.teeth if isinstance(gear.tool, Shaper) else max(gear.teeth // 2, 3)
        elif isinstance(gear.tool, Hob) and gear.tool.protuberance:
            values["protuberance_amount"] = gear.tool.protuberance
            values["protuberance_angle"] = gear.tool.protuberance_angle
        tool = self.builder.add(kind, f"{name}, tool", values)
        settings = self.builder.add(
            "cylindrical_gear_manufacturing_settings", f"{name}, settings", {"machining_allowance": 0.0}
        )
        for flank in flanks:
            self.builder.relate(
                "manufacturing_step", order=1, workpiece=flank, tool=tool, manufacturing_settings=settings
            )

    def _modification(self, name: str, modification: Modification, flanks: list[int]) -> None:
        found = _modification_values(modification)
        if found is None:
            self.report.note(self.report.left_out, f'gear "{name}": modification {type(modification).__name__}')
            return
        for kind, values in found:
            number = self.builder.add(kind, f"{name}, {kind}", values)
            for flank in flanks:
                self.builder.relate("reference", origin=flank, referenced=number)

    # ------------------------------------------------------------------------------------------- stages

    def _stage(self, mesh: GearMesh) -> None:
        names = mesh.wheel_a.name, mesh.wheel_b.name
        if any(name not in self.gears for name in names):
            missing = next(name for name in names if name not in self.gears)
            self.report.note(self.report.left_out, f'gear pair "{mesh.name}": its wheel "{missing}" is not written')
            return
        a, b = mesh.wheel_a.gear, mesh.wheel_b.gear
        host = self.host(mesh.wheel_a)
        assert isinstance(a, Gear) and isinstance(b, Gear) and host is not None
        kind = (
            "worm_stage" if a.worm or b.worm else "bevel_stage" if a.cone_angle or b.cone_angle else "cylindrical_stage"
        )
        if kind == "cylindrical_stage" and self._crossed(mesh):
            self.report.note(
                self.report.left_out, f'gear pair "{mesh.name}": its axes are not parallel (crossed helical gears)'
            )
            return
        number = self.builder.add(kind, mesh.name, self._stage_values(mesh, kind, host))
        self.builder.relate("assembly", assembly=self.hosts.unit, part=number)
        self.builder.relate("stage", stage=number, gear_1=self.gears[names[0]], gear_2=self.gears[names[1]])
        family = kind.removesuffix("_stage")
        for name in names:
            data = self.builder.add(f"{family}_stage_gear_data", f"{name} in {mesh.name}")
            self.builder.relate("stage_gear_data", stage=number, gear=self.gears[name], stage_gear_data=data)
            self.stage_data[mesh.name, name] = data
        self.stages[mesh.name] = number
        self._mesh_law(mesh, number, min(a.face_width or 0.0, b.face_width or 0.0), kind)

    def _crossed(self, mesh: GearMesh) -> bool:
        first, second = (self.hosts.model.placed(wheel.frame)[1][:, 2] for wheel in (mesh.wheel_a, mesh.wheel_b))
        return float(np.linalg.norm(np.cross(first, second))) > 1e-9

    def _stage_values(self, mesh: GearMesh, kind: str, host: Host) -> dict[str, Any]:
        pair = mesh.pair
        (at_a, _), (at_b, _) = (self.hosts.model.placed(wheel.frame) for wheel in (mesh.wheel_a, mesh.wheel_b))
        across = host.components(at_b - at_a)
        if kind == "cylindrical_stage":
            angle = math.atan2(across[1], across[2])
            return {"center_distance": float(np.hypot(across[1], across[2])), "rotating_angle_around_neg_u_axis": angle}
        if kind == "worm_stage":
            return {"center_distance": pair.centre_distance}
        return {"shaft_angle": getattr(pair, "shaft_angle", None), "hypoid_offset": 0.0}

    def _mesh_law(self, mesh: GearMesh, number: int, width: float, kind: str) -> None:
        law = mesh.mesh
        stiffness = getattr(law, "stiffness", None)
        constant, backlash = constant_stiffness(mesh), normal_backlash(mesh)
        if kind == "cylindrical_stage" and constant is not None and width > 0.0:
            self.builder.put(number, {"mesh_stiffness_for_load_distribution_along_face_width": constant / width})
        elif stiffness not in (None, "ISO 6336"):
            self.report.note(self.report.left_out, f'gear pair "{mesh.name}": its mesh stiffness')
        if backlash is not None and kind == "cylindrical_stage":
            self.builder.put(number, {"minimum_normal_backlash": backlash, "maximum_normal_backlash": backlash})
        for key in ("damping", "damping_ratio", "friction", "efficiency", "error"):
            if getattr(law, key, None) not in (None, (), 0.0):
                self.report.note(self.report.left_out, f'gear pair "{mesh.name}": {key} of the mesh')


def constant_stiffness(mesh: GearMesh) -> float | None:
    """Stiffness of an elastic mesh on the base circle, if it was specified as one number [N/m]."""
    law = mesh.mesh
    if not isinstance(law, Elastic) or not isinstance(mesh.pair, GearPair):
        return None
    given = law.stiffness
    if not isinstance(given, tuple) or len(given) != 1 or not isinstance(given[0], float):
        return None
    return given[0] * _ratio(mesh, law.along, None) ** 2


def normal_backlash(mesh: GearMesh) -> float | None:
    """Backlash along the normal of the flanks, if it was specified as one number [m]."""
    given = getattr(mesh.mesh, "backlash", None)
    if not isinstance(given, float) or not isinstance(mesh.pair, GearPair):
        return None
    return given / _ratio(mesh, getattr(mesh.mesh, "along", None), NORMAL)


def _ratio(mesh: GearMesh, first: str | None, second: str | None) -> float:
    """Lengths in a direction divided by the same lengths in another one."""
    kind, pitch = mesh.pair.kind, mesh.pair.pitch
    return length_factor(kind, pitch, first) / length_factor(kind, pitch, second)


def _type(gear: Gear) -> str:
    if gear.worm:
        return "worm_gear"
    if gear.cone_angle:
        return "bevel_gear"
    return "ring_gear" if gear.internal else "cylindrical_gear"


def _mates_of_worms(model: Model) -> set[str]:
    """Names of wheels that mesh with a worm."""
    found = set()
    for pair in model.gear_pairs.values():
        for one, other in ((pair.wheel_a, pair.wheel_b), (pair.wheel_b, pair.wheel_a)):
            if getattr(one.gear, "worm", False) and not getattr(other.gear, "worm", False):
                found.add(other.name)
    return found


def gear_values(gear: Gear, kind: str) -> dict[str, Any]:
    """Attributes of a gear, in SI units."""
    if kind == "worm_gear":
        return {
            "number_of_teeth": gear.teeth, "axial_module": gear.axial_module, "lead_angle_worm_gear": gear.lead_angle,
            "reference_diameter_worm_gear": gear.reference_diameter, "length_worm_gear": gear.face_width,
            "pressure_angle_worm_gear": gear.normal_pressure_angle, "flank_form": "zi",
        }  # fmt: skip
    if kind == "worm_wheel":
        shift = gear.profile_shift
        return {
            "number_of_teeth": gear.teeth, "face_width_worm_wheel": gear.face_width,
            "addendum_modification_coefficient_worm_wheel": shift,
        }  # fmt: skip
    if kind == "bevel_gear":
        values: dict[str, Any] = {
            "number_of_teeth": gear.teeth, "mean_normal_module": gear.normal_module, "pitch_angle": abs(gear.cone_angle),
            "mean_spiral_angle": abs(gear.helix_angle), "face_width": gear.face_width,
            "profile_shift_coefficient": gear.profile_shift,
            "bevel_cone_orientation": "negative" if gear.cone_angle > 0.0 else "positive",
        }  # fmt: skip
        if gear.helix_angle:
            values["spiral_angle_pitch_direction"] = "right" if gear.helix_angle > 0.0 else "left"
        return values
    return {
        "number_of_teeth": gear.teeth, "normal_module": gear.normal_module, "helix_angle_reference_diameter": gear.helix_angle,
        "face_width": gear.face_width, "tip_diameter": gear.tip_diameter, "root_diameter": gear.root_diameter,
        "inner_diameter": gear.bore or None if not gear.internal else None, 
        "normal_tooth_thickness_at_reference_diameter": gear.normal_tooth_thickness if gear.backlash_allowance else None,
        "datum_face_orientation": "negative",
    }  # fmt: skip


def _modification_values(one: Modification) -> list[tuple[str, dict[str, Any]]] | None:
    """Components of a modification. The datum face is the one towards -z (datum_face_orientation "negative")."""
    if isinstance(one, (TipRelief, RootRelief)):
        kind = "tip_relief" if isinstance(one, TipRelief) else "root_relief"
        if one.roll_length is not None:
            return None
        place = {f"{kind}_datum_diameter": one.diameter, f"{kind}_datum_length": one.length}
        return [(kind, {f"{kind}_depth": one.amount, **place, "shape_of_relief": one.shape})]
    if isinstance(one, EndRelief):
        ends = {"lower": ["datum_face"], "upper": ["non_datum_face"], "both": ["datum_face", "non_datum_face"]}[one.end]
        return [
            (
                f"end_relief_{end}",
                {
                    f"end_relief_depth_{end}": one.amount,
                    f"end_relief_length_{end}": one.length,
                    "shape_of_relief": one.shape,
                },
            )
            for end in ends
        ]
    if isinstance(one, LeadCrowning):
        ends = ["datum_face", "non_datum_face"]
        values: dict[str, Any] = {f"helix_crowning_amount_{end}": one.amount for end in ends}
        return [("helix_crowning", {**values, "shape_of_helix_crowning": "parabolic"})]
    if isinstance(one, ProfileCrowning):
        return [
            (
                "profile_crowning",
                {"profile_crowning_amount_tip": one.amount, "profile_crowning_amount_root": one.amount},
            )
        ]
    slopes = ((PressureAngleSlope, "profile_slope"), (HelixSlope, "helix_slope"), (Bias, "profile_twist"))
    for slope, attribute in slopes:
        if isinstance(one, slope):
            return [(attribute, {attribute: one.amount})]
    return None
