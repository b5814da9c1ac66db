"""Parts of a model as REXS components: bearings, couplings, masses, and values that changed since a file was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitchline.declare.names import Frame
from pitchline.errors import ModelError
from pitchline.functions.piecewise import Constant
from pitchline.model.model import Model
from pitchline.parts.bearings import ball_types, roller_types
from pitchline.parts.bearings import roller_types as inclined_roller_types
from pitchline.parts.bearings.design import BearingDesign
from pitchline.parts.bodies.plane_checks import seated_wheels
from pitchline.parts.couplings.design import ElasticCoupling
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import GearBody, Material
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.springs.part import Bushing, Force, Torque
from pitchline.solids.mass_properties import MassProperties

from .component import RexsDocument
from .export_hosts import (
    ExportedGears,
    Host,
    Hosts,
    RexsExport,
    RigidPart,
    constant_stiffness,
    gear_values,
    normal_backlash,
    rim_of,
)
from .export_results import ComponentFrames, constants
from .importing import RexsBuilder

__all__ = ["ExportedConnections", "ExportedMasses", "inertia_of", "PartValues", "Values"]


# ---- export connections

# Bearings, bushings, joints and couplings of a new REXS document.

RIGID = 1e20
"""Stiffness that stands for a rigid direction."""
TYPES: tuple[tuple[type[BearingDesign], str], ...] = (
    (ball_types.DeepGrooveBall, "radial_grooved_ball_bearing"),
    (ball_types.AngularContactBall, "angular_contact_ball_bearing"),
    (roller_types.NeedleRoller, "radial_needle_roller_bearing"),
    (roller_types.CylindricalRoller, "radial_roller_bearing"),
    (inclined_roller_types.TaperedRoller, "radial_tapered_roller_bearing"),
    (inclined_roller_types.SphericalRoller, "radial_self_aligning_roller_bearing"),
)
_TO_UVW = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
"""Rows u = z, v = -y, w = x."""
_JOINTS: dict[str, dict[str, Any]] = {
    "revolute": {"radial": True, "axial": True, "tilt": True},
    "cylindrical": {"radial": True, "axial": False, "tilt": True},
    "spherical": {"radial": True, "axial": True, "tilt": False},
    "point_on_line": {"radial": True, "axial": False, "tilt": False},
}


@dataclass
class ExportedConnections:
    """Adds what connects shafts with each other and with the casing."""

    hosts: Hosts
    builder: RexsBuilder
    report: RexsExport
    numbers: dict[str, int] = field(default_factory=dict)

    def add_all(self) -> None:
        """Add bearings and couplings, bushings and joints."""
        for name, element in self.hosts.model.elements.items():
            design = element.values.get("design") if hasattr(element, "values") else None
            if isinstance(design, BearingDesign):
                self._bearing(name, element, design)
            elif isinstance(design, ElasticCoupling):
                self._coupling(name, element, design)
            elif type(element).__name__ != "AttachedMass":
                self.report.note(self.report.left_out, f'element "{name}" ({type(element).__name__})')
        for name, load in self.hosts.model.loads.items():
            if isinstance(load, Bushing):
                self._bushing(name, load)
        for name, joint in self.hosts.model.joints.items():
            self._joint(name, joint.kind, joint.frame_a, joint.frame_b)

    def _place(self, number: int, name: str, outer: Frame, inner: Frame) -> bool:
        """Position and sides of a connection; False (and nothing is related) if a side is not in the document."""
        sides = [self.hosts.side(frame.body_name) for frame in (outer, inner)]
        if None in sides or sides[0] == sides[1]:
            self.builder.document.components.pop(number)
            missing = next(
                (frame.body_name for frame, side in zip((outer, inner), sides, strict=True) if side is None), None
            )
            why = f'"{missing}" is not written' if missing else "both sides are the same part"
            self.report.note(self.report.left_out, f'connection "{name}": {why}')
            return False
        frame = inner if self.hosts.of(inner.body_name) is not None else outer
        origin, axes = self.hosts.model.placed(frame)
        self.builder.position(number, origin, axes, self.hosts.unit)
        for side, one in (("inner", inner), ("outer", outer)):
            host = self.hosts.of(one.body_name) or self.hosts.of(frame.body_name)
            if host is not None:
                self.builder.put(number, {f"u_coordinate_on_shaft_{side}_side": host.coordinate(origin)})
        assert sides[0] is not None and sides[1] is not None
        self.builder.relate("side", assembly=number, inner_part=sides[1], outer_part=sides[0])
        self.numbers[name] = number
        return True

    def _bearing(self, name: str, element: Any, design: BearingDesign) -> None:
        kind = next((text for one, text in TYPES if isinstance(design, one)), None)
        if kind is None:
            self.report.note(self.report.left_out, f'bearing "{name}" ({type(design).__name__})')
            return
        given = element.values
        way = "both_directions"
        if isinstance(design, (roller_types.CylindricalRoller, roller_types.NeedleRoller)):
            way = "no_direction" if getattr(design, "flanges", "none") == "none" else "both_directions"
        elif getattr(design, "one_way", False):
            way = "negative" if given["flipped"] else "positive"
        number = self.builder.add(
            "rolling_bearing_with_catalog_geometry" if design.estimated else "rolling_bearing_with_detailed_geometry", name,
            {
                "bearing_type": kind, "inner_diameter": design.bore, "outer_diameter": design.outer, "width": design.width,
                "radial_dynamic_load_rating": design.rating, "radial_static_load_rating": design.static_rating,
                "radial_force_absorption": True, "axial_force_absorption": way, "number_of_bearing_rows": design.rows,
                "operating_radial_bearing_clearance": design.clearance, "preload_force": given["preload"] or None,
                "distance_between_bearing_rows": getattr(design, "distance", None) if design.rows > 1 else None,
            },
        )  # fmt: skip
        if not self._place(number, name, given["a"], given["b"]):
            return
        for row in range(design.rows):
            self._row(number, f"{name}, row {row + 1}", row + 1, design)
        for key in ("damping", "offset", "viscosity"):
            if given.get(key):
                self.report.note(self.report.left_out, f'bearing "{name}": {key}')

    def _row(self, bearing: int, name: str, order: int, design: BearingDesign) -> None:
        values: dict[str, Any] = {
            "number_of_rolling_elements": design.number, "pressure_angle": design.contact_angle,
            "reference_diameter_rolling_bearing": design.pitch,
        }  # fmt: skip
        for ring in ("inner", "outer"):
            groove = getattr(design, f"{ring}_groove", None)
            values[f"raceway_radius_of_{ring}_ring"] = None if groove is None else groove * design.diameter
        row = self.builder.add("rolling_bearing_row", name, values)
        self.builder.relate("ordered_assembly", order=order, assembly=bearing, part=row)
        length = getattr(design, "length", None)
        sizes = {"diameter_of_rolling_element": design.diameter, "length_of_rolling_element": length}
        element = self.builder.add("rolling_element", f"{name}, rolling element", sizes)
        self.builder.relate("ordered_assembly", order=1, assembly=row, part=element)

    def _coupling(self, name: str, element: Any, design: ElasticCoupling) -> None:
        values = {
            "rotational_stiffness": getattr(design, "torsional_stiffness", None), "radial_stiffness": design.radial_stiffness,
            "axial_stiffness": design.axial_stiffness, "bending_stiffness": design.tilt_stiffness,
        }  # fmt: skip
        number = self.builder.add("coupling", name, values)
        if self._place(number, name, element.values["a"], element.values["b"]):
            if values["rotational_stiffness"] is None:
                self.report.note(self.report.left_out, f'coupling "{name}": its progressive torsional law')
            if any(getattr(design, f"{kind}_damping", 0.0) for kind in ("torsional", "radial", "axial", "tilt")):
                self.report.note(self.report.left_out, f'coupling "{name}": damping')

    def _bushing(self, name: str, bushing: Bushing) -> None:
        stiffness = np.asarray(bushing.stiffness, dtype=float)
        if stiffness.ndim == 1:
            stiffness = np.diag(stiffness)
        inner = bushing.frame_b if self.hosts.of(bushing.frame_b.body_name) is not None else bushing.frame_a
        turn = self._turn_to(bushing.frame_a, inner)
        both = np.kron(np.eye(2), _TO_UVW @ turn)
        found = both @ stiffness @ both.T
        found[np.abs(found) < 1e-12 * max(float(np.abs(found).max()), 1e-300)] = 0.0
        scalars = {
            "radial_stiffness": 0.5 * (found[1, 1] + found[2, 2]), "axial_stiffness": found[0, 0],
            "bending_stiffness": 0.5 * (found[4, 4] + found[5, 5]),
        }  # fmt: skip
        if found[3, 3] != 0.0:
            number = self.builder.add("coupling", name, {**scalars, "rotational_stiffness": found[3, 3]})
            simple = np.diag(
                [found[0, 0], *2 * [scalars["radial_stiffness"]], found[3, 3], *2 * [scalars["bending_stiffness"]]]
            )
            if not np.allclose(found, simple, rtol=1e-12, atol=1e-12 * np.abs(found).max()):
                self.report.note(
                    self.report.left_out,
                    f'bushing "{name}": terms of its stiffness other than radial, axial, tilt, torsion',
                )
        else:
            absorbs = {
                "radial_force_absorption": bool(scalars["radial_stiffness"]),
                "axial_force_absorption": "both_directions" if found[0, 0] else "no_direction",
            }  # fmt: skip
            number = self.builder.add("concept_bearing", name, {**absorbs, **scalars})
            labels = (("f_u", "d_u", 0), ("f_v", "d_v", 1), ("f_w", "d_w", 2), ("m_v", "rot_v", 4), ("m_w", "rot_w", 5))
            for row, _, i in labels:
                for _, column, j in labels:
                    if found[i, j]:
                        self.builder.put(number, {f"operating_point_stiffness_{row}_{column}": found[i, j]})
        outer = bushing.frame_a if inner is bushing.frame_b else bushing.frame_b
        if self._place(number, name, outer, inner) and np.any(bushing.damping):
            self.report.note(self.report.left_out, f'bushing "{name}": damping')

    def _turn_to(self, frame: Frame, other: Frame) -> np.ndarray:
        """Rotation from the axes of one frame to those of another."""
        turned: np.ndarray = self.hosts.model.placed(other)[1].T @ self.hosts.model.placed(frame)[1]
        return turned

    def _joint(self, name: str, kind: str, outer: Frame, inner: Frame) -> None:
        if self.hosts.of(inner.body_name) is None and self.hosts.of(outer.body_name) is not None:
            outer, inner = inner, outer
        if kind == "fixed":
            values = dict.fromkeys(
                ("radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness"), RIGID
            )
            self._place(self.builder.add("coupling", name, values), name, outer, inner)
            return
        if kind not in _JOINTS:
            self.report.note(self.report.left_out, f'joint "{name}" ({kind})')
            return
        held = _JOINTS[kind]
        values_ = {
            "radial_force_absorption": held["radial"], "radial_stiffness": RIGID if held["radial"] else 0.0,
            "axial_force_absorption": "both_directions" if held["axial"] else "no_direction",
            "axial_stiffness": RIGID if held["axial"] else 0.0, "bending_stiffness": RIGID if held["tilt"] else 0.0,
        }  # fmt: skip
        if self._place(self.builder.add("concept_bearing", name, values_), name, outer, inner):
            self.report.note(self.report.assumed, f'joint "{name}" ({kind}) is written as a rigid bearing ({RIGID:g})')


# ---- export masses

# Masses of a new REXS document: attached masses, and mass and inertia of rigid bodies.

_SHARES = (1.0, 0.5, 0.2, 0.05)
"""Parts of the mass of the blanks that are stated for the gears of a body. A body may weigh no more than its blanks, and the
shaft in their bores has a mass too; the additional mass must be positive."""


@dataclass(frozen=True)
class _Moments:
    """Mass [kg], first moments [kg m] and inertia [kg m^2] about the origin of a shaft, in its axes."""

    mass: float
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def of(cls, mass: float, centre: np.ndarray, inertia: np.ndarray) -> _Moments:
        return cls(mass, mass * centre, inertia + mass * _spread(centre))

    def plus(self, other: _Moments, factor: float) -> _Moments:
        return _Moments(
            self.mass + factor * other.mass, self.first + factor * other.first, self.second + factor * other.second
        )

    @property
    def centre(self) -> np.ndarray:
        return self.first / self.mass

    @property
    def inertia(self) -> np.ndarray:
        """About the centre of mass."""
        found: np.ndarray = self.second - self.mass * _spread(self.centre)
        return found

    def possible(self, least: float) -> bool:
        """Whether a body with more than the least mass can have these moments."""
        if self.mass <= least:
            return False
        small, middle, large = sorted(self.inertia.diagonal())
        return bool(small > 0.0 and small + middle >= large)

    def thickened(self) -> np.ndarray:
        """Inertia with moments about x and y that are at least those of a thin disc with the same moment about z."""
        found = self.inertia.copy()
        for i in (0, 1):
            found[i, i] = max(found[i, i], 0.5 * found[2, 2])
        return found


def _spread(centre: np.ndarray) -> np.ndarray:
    found: np.ndarray = float(centre @ centre) * np.eye(3) - np.outer(centre, centre)
    return found


@dataclass
class ExportedMasses:
    """Adds additional masses, and the masses of gears on rigid bodies."""

    hosts: Hosts
    gears: ExportedGears
    builder: RexsBuilder
    report: RexsExport
    numbers: dict[str, int] = field(default_factory=dict)

    def add_all(self) -> None:
        """Add all masses."""
        for name, element in self.hosts.model.elements.items():
            if type(element).__name__ == "AttachedMass":
                self._attached(name, element.values)
        for name, part in self.hosts.rigid.items():
            self._body(name, part)

    def _attached(self, name: str, given: Any) -> None:
        frame = given["on"]
        host = self.hosts.of(frame.body_name)
        if host is None:
            self.report.note(self.report.left_out, f'attached mass "{name}": its body is not written')
            return
        origin, axes = self.hosts.model.placed(frame)
        centre = origin + axes @ np.asarray(given["centre_of_mass"], dtype=float)
        turned = host.axes.T @ axes @ inertia_of(given) @ axes.T @ host.axes
        self.numbers[name] = self._add(host, name, f'attached mass "{name}"', float(given["mass"]), centre, turned)

    def _add(self, host: Host, name: str, label: str, mass: float, centre: np.ndarray, inertia: np.ndarray) -> int:
        """Additional mass with its centre in the world, and its inertia about it in the axes of the shaft."""
        if np.abs(inertia - np.diag(inertia.diagonal())).max() > 1e-9 * max(float(np.abs(inertia).max()), 1e-300):
            self.report.note(self.report.left_out, f"{label}: its products of inertia in the axes of the shaft")
        moments = dict(zip("uvw", (inertia[2, 2], inertia[1, 1], inertia[0, 0]), strict=True))
        values: dict[str, Any] = {f"moment_of_inertia_{axis}_axis": float(value) for axis, value in moments.items()}
        place = host.origin + host.coordinate(centre) * host.axes[:, 2]
        values.update({"u_coordinate_on_shaft": host.coordinate(centre), "mass_of_component": mass})
        number = self.builder.add("additional_mass", name, values)
        self.builder.position(number, place, host.axes, self.hosts.unit)
        shift = host.components(centre - place)
        if np.abs(shift).max() > 1e-9:
            self.builder.put(number, {"eccentricity_vector": shift})
        self.builder.relate("assembly", assembly=host.number, part=number)
        return number

    def _body(self, name: str, part: RigidPart) -> None:
        """Mass and inertia of a rigid body, less those of its section and gears, as an additional mass."""
        total = self._total(name, part.host)
        try:
            blanks = self._blanks(part)
        except ModelError:  # a gear without face width has no blank
            text = f'body "{name}": its mass {total.mass:.6g} kg and its inertia, because a gear has no face width'
            self.report.note(self.report.left_out, text)
            return
        rest = total if part.section is None else total.plus(_moments_of(part.section), -1.0)
        # gears on a shaft without sections have the mass of their blanks, which the file does not state
        if part.section is None:
            for wheel in part.wheels:
                if isinstance(wheel.gear, Gear) and wheel.gear.internal and wheel.name in blanks:
                    self.builder.put(self.gears.gears[wheel.name], {"outer_diameter": rim_of(wheel.gear)})
        shares = _SHARES if blanks and part.section is not None else _SHARES[:1]
        found = [(share, _less(rest, blanks, share)) for share in shares]
        least = 1e-9 * total.mass
        if (
            part.section is None and blanks and abs(found[0][1].mass) <= least
        ):  # a reader expects a mass of the shaft itself
            self.builder.put(part.host.number, {"mass_of_component": least})
            return
        exact = next(((share, one) for share, one in found if one.possible(least)), None)
        spinning = next(((share, one) for share, one in found if one.mass > least and one.inertia[2, 2] > 0.0), None)
        chosen = exact or spinning
        if chosen is None:
            self._refuse(name, total.mass)
            return
        share, left = chosen
        inertia = left.inertia if exact is not None else left.thickened()
        if exact is None:
            more = float(np.diag(inertia - left.inertia).max() / max(float(np.diag(total.inertia)[:2].max()), 1e-300))
            text = f'body "{name}": its moments of inertia across its axis; those of the file are up to {100 * more:.2g} % larger'
            self.report.note(self.report.left_out, text)
        for gear, blank in blanks.items() if part.section is not None else ():
            self.builder.put(self.gears.gears[gear], {"mass_of_component": share * blank.mass})
        centre = part.host.origin + part.host.axes @ left.centre
        self._add(part.host, f"{name} mass", f'body "{name}"', left.mass, centre, inertia)

    def _refuse(self, name: str, mass: float) -> None:
        text = f'body "{name}": its mass {mass:.6g} kg and its inertia, less than those of shaft and gears in the file'
        if self.hosts.rigid[name].section is None:
            text = f'body "{name}": its mass {mass:.6g} kg and its inertia; no part with this mass has this inertia'
        self.report.note(self.report.left_out, text)

    def _total(self, name: str, host: Host) -> _Moments:
        model = self.hosts.model
        body = model.bodies[name]
        turn = host.axes.T @ body.orientation
        shift = host.axes.T @ (body.position - host.origin)
        found = _Moments.of(body.mass, turn @ body.centre_of_mass + shift, turn @ body.inertia @ turn.T)
        wheels = seated_wheels(model).get(name)
        return found if wheels is None else found.plus(_moments_of(wheels, turn, shift), 1.0)

    def _blanks(self, part: RigidPart) -> dict[str, _Moments]:
        """Blanks of the gears in stages, by the name of the gear."""
        pairs = (self.hosts.model.gear_pairs[name] for name in self.gears.stages)
        meshing = {wheel.name for pair in pairs for wheel in (pair.wheel_a, pair.wheel_b)}
        found = {}
        for wheel in part.wheels:
            if wheel.name in meshing and isinstance(wheel.gear, Gear):
                origin, axes = self.hosts.model.placed(wheel.frame)
                turn, shift = part.host.axes.T @ axes, part.host.axes.T @ (origin - part.host.origin)
                found[wheel.name] = _moments_of(self._blank(wheel.name, wheel.gear), turn, shift)
        return found

    def _blank(self, name: str, gear: Gear) -> MassProperties:
        """Blank of a gear as it is in the file, which has bores of cylindrical gears only, and no webs and hubs."""
        if gear.internal:
            return gear.with_(body=GearBody(rim_diameter=rim_of(gear))).solid
        kind = self.builder.document.components[self.gears.gears[name]].new_type
        return gear.with_(body=GearBody(bore=gear.bore if kind == "cylindrical_gear" else 0.0)).solid


def _less(rest: _Moments, blanks: dict[str, _Moments], share: float) -> _Moments:
    for blank in blanks.values():
        rest = rest.plus(blank, -share)
    return rest


def _moments_of(solid: MassProperties, turn: np.ndarray | None = None, shift: np.ndarray | None = None) -> _Moments:
    turned = np.eye(3) if turn is None else turn
    centre = turned @ solid.centre_of_mass + (0.0 if shift is None else shift)
    return _Moments.of(solid.mass, centre, turned @ solid.inertia @ turned.T)


def inertia_of(given: Any) -> np.ndarray:
    """Inertia of an attached mass about its centre, in the axes of its frame (3, 3)."""
    (xx, yy, zz), (xy, xz, yz) = given["moments"], given["products"]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)


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
