"""Gears and stages of a new REXS document."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...gears import Gear, GearPair
from ...gears.directions import NORMAL, length_factor
from ...gears.modifications import (
    Bias,
    EndRelief,
    HelixSlope,
    LeadCrowning,
    Modification,
    PressureAngleSlope,
    ProfileCrowning,
    RootRelief,
    TipRelief,
)  # fmt: skip
from ...gears.tool import Hob, Shaper
from ...model import Model
from ...model.gear_mesh import GearMesh
from ...model.meshes import Elastic
from ...model.wheels import Wheel
from .building import RexsBuilder
from .export_hosts import Host, Hosts
from .export_report import RexsExport

__all__ = ["ExportedGears", "constant_stiffness", "gear_values", "normal_backlash"]

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
