"""Values of the parts of a model as values of REXS attributes, to find what changed since a file was read."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bearings.design import BearingDesign
from ...couplings import ElasticCoupling
from ...gears import Gear
from ...gears.material import Material
from ...gears.pair import GearPair
from ...model import Model
from ...model.functions import Constant
from ...model.loads import Bushing, Force, Torque
from ...model.shaft import Shaft
from .component_frames import ComponentFrames
from .document import RexsDocument
from .export_gears import constant_stiffness, gear_values, normal_backlash
from .export_masses import inertia_of
from .settled_values import constants

__all__ = ["PartValues", "Values"]

Values = dict[tuple[int, str], Any]
"""Value in SI units by component id and attribute (name of the newest version)."""
_TURN = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
"""Rows u = z, v = -y, w = x."""
_STIFFNESS = (("f_u", "d_u", 0), ("f_v", "d_v", 1), ("f_w", "d_w", 2), ("m_v", "rot_v", 4), ("m_w", "rot_w", 5))


class PartValues:
    """Values of the parts of one model, by the components of a document."""

    def __init__(self, model: Model, document: RexsDocument) -> None:
        self.model, self.document = model, document
        self.frames = ComponentFrames(document)
        self.parents = {
            part: relation.role("assembly")
            for relation in document.relations_of("assembly")
            for part in relation.roles("part")
        }
        self.materials = {
            relation.role("origin"): number
            for relation in document.relations_of("reference")
            if (number := relation.role("referenced")) in document.components
            and document.components[number].new_type == "material"
        }
        self.flanks = {
            relation.role("gear"): [ref.id for ref in relation.refs if ref.role in ("left", "right")]
            for relation in document.relations_of("flank")
        }
        steps = reversed(document.relations_of("manufacturing_step"))  # the first step is kept
        self.tools = {relation.role("workpiece"): relation.role("tool") for relation in steps}

    def of(self, name: str, number: int) -> Values:
        """Values of a part; empty for parts that are only kept."""
        model = self.model
        if name in model.wheels:
            return self._wheel(name, number)
        if name in model.gear_pairs:
            return self._pair(name, number)
        if name in model.structures:
            return self._shaft(name, number)
        if name in model.elements:
            return self._element(name, number)
        if name in model.loads:
            return self._load(name, number)
        return {}

    def gravity(self, unit: int) -> Values:
        """Values of the gear unit."""
        size = float(np.linalg.norm(self.model.gravity))
        found: Values = {(unit, "account_for_gravity"): size > 0.0}
        if size > 0.0:
            found[unit, "gravitational_acceleration"] = size
            for axis, x in zip("uvw", self.model.gravity / size, strict=True):
                found[unit, f"direction_vector_gravity_{axis}"] = float(x)
        return found

    def drives(self, parts: dict[str, int]) -> Values:
        """Speeds of shafts with a drive."""
        found: Values = {}
        for drive in self.model.drives.values():
            number = parts.get(drive.joint_name)
            component = self.document.components.get(number) if number is not None else None
            if component is None or component.new_type != "shaft" or not isinstance(drive.function, Constant):
                continue
            found[component.id, "rotational_speed"] = drive.function.value
        return found

    def _material(self, owner: int, material: Material) -> Values:
        number = self.materials.get(owner)
        if number is None:
            return {}
        return {
            (number, "density"): material.density, (number, "elastic_modulus"): material.youngs_modulus,
            (number, "poisson_ratio"): material.poissons_ratio,
        }  # fmt: skip

    def _shaft(self, name: str, number: int) -> Values:
        shaft = self.model.structures[name]
        if not isinstance(shaft, Shaft):
            return {}
        sections = [part for part in self.document.parts_of(number) if part.new_type == "shaft_section"]
        sections.sort(key=lambda part: part.number("u_coordinate_on_shaft") or 0.0)
        found = self._material(number, shaft.material)
        if self.document.components[number].has("rotational_speed"):
            found[number, "rotational_speed"] = shaft.speed
        if len(sections) != len(shaft.sections):
            return found  # gaps or overlaps in the file: the sections of the model are not those of the file
        place = sections[0].number("u_coordinate_on_shaft") or 0.0
        for part, section in zip(sections, shaft.sections, strict=True):
            found.update({
                (part.id, "u_coordinate_on_shaft"): place, (part.id, "length"): section.length,
                (part.id, "outer_diameter_begin"): section.outer, (part.id, "outer_diameter_end"): section.outer_end,
                (part.id, "inner_diameter_begin"): section.inner, (part.id, "inner_diameter_end"): section.inner_end,
            })  # fmt: skip
            place += section.length
        return found

    def _wheel(self, name: str, number: int) -> Values:
        gear = self.model.wheels[name].gear
        kind = self.document.components[number].new_type
        if not isinstance(gear, Gear):
            return {}
        own = {key: value for key, value in gear_values(gear, kind).items() if value is not None}
        component = self.document.components[number]
        thickness = "normal_tooth_thickness_at_reference_diameter"
        if component.has(thickness):
            own[thickness] = gear.normal_tooth_thickness
        if not component.has("tip_diameter") and gear.tip_alteration == 0.0 and gear.addendum_factor == 1.0:
            own.pop("tip_diameter", None)  # it follows from the other data, as in the file
        if not component.has("root_diameter"):
            own.pop("root_diameter", None)
        own.pop("datum_face_orientation", None)
        own.pop("flank_form", None)
        found: Values = {(number, key): value for key, value in own.items()}
        found.update(self._material(number, gear.material))
        for flank in self.flanks.get(number, []):
            found[flank, "normal_pressure_angle"] = gear.normal_pressure_angle
            if kind in ("cylindrical_gear", "ring_gear"):
                found[flank, "addendum_modification_coefficient"] = gear.profile_shift
            tool = self.tools.get(flank)
            if tool in self.document.components and kind in ("cylindrical_gear", "ring_gear"):
                found[tool, "addendum_coefficient_reference_profile"] = gear.dedendum_factor
                found[tool, "normal_module"] = gear.normal_module
                found[tool, "normal_pressure_angle"] = gear.normal_pressure_angle
                if gear.root_radius_factor is not None:
                    found[tool, "tip_corner_radius_factor_reference_profile"] = gear.root_radius_factor
        return found

    def _pair(self, name: str, number: int) -> Values:
        mesh = self.model.gear_pairs[name]
        found: Values = {}
        if self.document.components[number].new_type != "cylindrical_stage":
            return found
        if isinstance(mesh.pair, GearPair):
            found[number, "center_distance"] = mesh.pair.centre_distance
        stiffness, backlash = constant_stiffness(mesh), normal_backlash(mesh)
        widths = [wheel.gear.face_width for wheel in (mesh.wheel_a, mesh.wheel_b) if isinstance(wheel.gear, Gear)]
        common = self.document.components[number].number("common_face_width")
        width = common or min((width for width in widths if width), default=0.0)
        if stiffness is not None and width:
            found[number, "mesh_stiffness_for_load_distribution_along_face_width"] = stiffness / width
        if backlash is not None:
            found[number, "minimum_normal_backlash"] = found[number, "maximum_normal_backlash"] = backlash
        return found

    def _element(self, name: str, number: int) -> Values:
        given = getattr(self.model.elements[name], "values", {})
        design = given.get("design")
        if isinstance(design, BearingDesign):
            own = {
                "inner_diameter": design.bore, "outer_diameter": design.outer, "width": design.width,
                "radial_dynamic_load_rating": design.rating, "radial_static_load_rating": design.static_rating,
                "operating_radial_bearing_clearance": design.clearance, "preload_force": given.get("preload") or None,
            }  # fmt: skip
            found = {(number, key): value for key, value in own.items() if value is not None}
            for row in self.document.parts_of(number):
                if row.new_type == "rolling_bearing_row" and not design.estimated:
                    found[row.id, "number_of_rolling_elements"] = design.number
                    found[row.id, "reference_diameter_rolling_bearing"] = design.pitch
                    for element in self.document.parts_of(row.id):
                        found[element.id, "diameter_of_rolling_element"] = design.diameter
            return found
        if isinstance(design, ElasticCoupling):
            torsion = getattr(design, "torsional_stiffness", None)
            return {
                (number, "radial_stiffness"): design.radial_stiffness, (number, "axial_stiffness"): design.axial_stiffness,
                (number, "bending_stiffness"): design.tilt_stiffness,
                **({(number, "rotational_stiffness"): torsion} if torsion is not None else {}),
            }  # fmt: skip
        if type(self.model.elements[name]).__name__ == "AttachedMass":
            return self._mass(number, given)
        return {}

    def _mass(self, number: int, given: Any) -> Values:
        axes = self.frames.axes(number)
        own = self.model.placed(given["on"])[1]
        inertia = axes.T @ own @ inertia_of(given) @ own.T @ axes
        found: Values = {(number, "mass_of_component"): float(given["mass"])}
        found.update({(number, f"moment_of_inertia_{axis}_axis"): float(inertia[i, i]) for i, axis in enumerate("uvw")})
        return found

    def _load(self, name: str, number: int) -> Values:
        load = self.model.loads[name]
        kind = self.document.components[number].new_type
        if isinstance(load, Bushing):
            return self._bushing(load, number) if kind != "external_load" else {}
        if kind != "external_load" or not isinstance(load, (Force, Torque)):
            return {}
        values = constants(load.components)
        if values is None or load.axes != "world":
            return {}
        parts = values @ self.frames.axes(number)
        pattern = "force_{}_direction" if isinstance(load, Force) else "torque_around_{}_axis"
        return {(number, pattern.format(axis)): float(x) for axis, x in zip("uvw", parts, strict=True)}

    def _bushing(self, bushing: Bushing, number: int) -> Values:
        own = self.model.placed(bushing.frame_a)[1]
        turn = self.frames.axes(number).T @ own
        both = np.kron(np.eye(2), turn)
        stiffness = np.asarray(bushing.stiffness, dtype=float)
        matrix = both @ (np.diag(stiffness) if stiffness.ndim == 1 else stiffness) @ both.T
        component = self.document.components[number]
        if any(name.startswith("operating_point_stiffness") for name in component.attributes):
            pairs = [(one, other) for one in _STIFFNESS for other in _STIFFNESS]
            return {(number, f"operating_point_stiffness_{a[0]}_{b[1]}"): matrix[a[2], b[2]] for a, b in pairs}
        found: Values = {
            (number, "radial_stiffness"): 0.5 * (matrix[1, 1] + matrix[2, 2]), (number, "axial_stiffness"): matrix[0, 0],
            (number, "bending_stiffness"): 0.5 * (matrix[4, 4] + matrix[5, 5]),
        }  # fmt: skip
        return found
