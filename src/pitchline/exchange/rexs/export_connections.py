"""Bearings, bushings, joints and couplings of a new REXS document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...bearings import ball_types, inclined_roller_types, roller_types
from ...bearings.design import BearingDesign
from ...couplings import ElasticCoupling
from ...model.frames import Frame
from ...model.loads import Bushing
from .building import RexsBuilder
from .export_hosts import Hosts
from .export_report import RexsExport

__all__ = ["ExportedConnections"]

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
