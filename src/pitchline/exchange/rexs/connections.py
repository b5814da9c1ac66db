"""Bearings and couplings of REXS as bearings, bushings, joints and couplings of the model."""

from __future__ import annotations

import math

import numpy as np

from ...bearings.design import BearingDesign
from ...bearings.roller_types import CylindricalRoller, NeedleRoller
from ...couplings import ElasticCoupling
from ...model import Body, Model
from ...solids.rotations import Array
from ..imported import ImportReport
from .bearing_designs import design_of
from .bodies import Bodies
from .component import RexsComponent
from .naming_errors import about
from .part_names import PartNames
from .places import RexsPlaces
from .stiffness import Held, held_by_bearing, operating_matrix
from .structure import ROLLING, Connection, UnitStructure

__all__ = ["Connections"]

_STIFF, _STIFF_ANGLE = 1e11, 1e8
"""Stiffness in place of a rigid direction of a coupling that is elastic in other directions [N/m, N m/rad]."""
_SLEEVE_MASS = 0.01
_STIFF_SUPPORT = 1e10
"""Stiffness in place of a rigid support in one direction [N/m]."""
_MOST_PRELOAD = 1e7


class Connections:
    """Adds bearings and couplings to a model."""

    def __init__(
        self, model: Model, structure: UnitStructure, places: RexsPlaces, bodies: Bodies, names: PartNames, report: ImportReport,
        *, by_geometry: bool,
    ) -> None:  # fmt: skip
        self.model, self.structure, self.places, self.bodies = model, structure, places, bodies
        self.names, self.report, self.by_geometry = names, report, by_geometry
        self._held_axially: set[frozenset[str]] = set()

    # ------------------------------------------------------------------------------------------- bearings

    def bearing(self, connection: Connection) -> None:
        """Add a bearing between its outer and its inner part."""
        one = connection.component
        point = self.places.of(one).origin
        outer, inner = self.bodies.at(connection.outer, point), self.bodies.at(connection.inner, point)
        if outer is inner or (outer.is_ground and inner.is_ground):
            self.report.add("ignored", f"{one.label}: its two parts are one rigid body")
            return
        if one.new_type not in (*ROLLING, "concept_bearing"):
            self.report.add("assumed", f"{one.label}: plain bearings are computed by their stiffness")
        name = self.names.of(one)
        design = design_of(self.structure, one, self.report) if self.by_geometry and one.new_type in ROLLING else None
        matrix = None if design is not None else operating_matrix(one, self.report)
        with about(one):
            own_way = design is not None and design.one_way  # its notes about directions do not apply
            held = held_by_bearing(one, ImportReport() if own_way else self.report)
            if held.way and matrix is not None:
                self.report.add("assumed", f"{one.label}: its operating point stiffness acts in both axial directions")
            finite = 0.0 < held.radial < np.inf or 0.0 < held.axial < np.inf
            if design is not None and not (design.estimated and finite):
                self._rolling(name, one, outer, inner, design, point, held)
            elif matrix is not None:
                turned = self._in_axes_of(one, inner if not inner.is_ground else outer, matrix)
                self.model.bushing(name, outer, inner, stiffness=turned, at=tuple(point))
                self.report.add("used", f"{one.label}: stiffness at its operating point")
            else:
                if design is not None:
                    self.report.add("used", f"{one.label}: the stiffness of the file, not its catalogue data")
                self._by_stiffness(name, one, outer, inner, held, point)
        self.bodies.parts[name] = one.id

    def _in_axes_of(self, one: RexsComponent, body: Body, matrix: Array) -> Array:
        turn = body.orientation.T @ self.places.of(one).turned
        both = np.kron(np.eye(2), turn)
        found: Array = both @ matrix @ both.T
        found[np.abs(found) < 1e-12 * np.abs(found).max()] = 0.0
        return found

    def _rolling(
        self, name: str, one: RexsComponent, outer: Body, inner: Body, design: BearingDesign, point: Array, held: Held
    ) -> None:
        free_axially = held.axial == 0.0
        carries = not isinstance(design, (CylindricalRoller, NeedleRoller))
        u, z = self.places.of(one).u, (inner if not inner.is_ground else outer).orientation[:, 2]
        options: dict[str, object] = {"cage": "smooth"}
        preload = one.number("preload_force")
        if design.one_way:
            way = one.string("axial_force_absorption")
            along = -1.0 if way == "negative" else 1.0
            if way not in ("positive", "negative"):
                angle = self._signed_angle(one)
                along = math.copysign(1.0, angle)
                self.report.add(
                    "assumed",
                    f"{one.label}: supports axial forces on its inner ring along {'+' if along > 0 else '-'}u",
                )
            options["flipped"] = bool(along * float(u @ z) < 0.0)
            if preload and 0.0 < preload < _MOST_PRELOAD:
                options["preload"] = preload
        elif (free_axially or held.way) and carries:
            ring = self._sleeve(name, one, outer, point, held.way)
            if held.way:
                self._one_way(one, outer, ring, Held(0.0, np.inf, 0.0, way=held.way), point)
            outer = ring
        elif not carries and not free_axially:
            self._axial_stop(name, one, outer, inner, held, point)
        self.model.bearing(name, outer, inner, design, at=tuple(point), **options)  # type: ignore[arg-type]

    def _signed_angle(self, one: RexsComponent) -> float:
        rows = [row for row in self.structure.parts.get(one.id, []) if row.new_type == "rolling_bearing_row"]
        return (rows[0].number("pressure_angle") if rows else None) or 1.0

    def _sleeve(self, name: str, one: RexsComponent, outer: Body, point: Array, way: str = "") -> Body:
        """Outer ring that can move along the axis: the bearing carries no axial force, or in one direction only."""
        place = self.places.of(one)
        ring = self.names.of(one, "ring")
        inertia = 3 * (_SLEEVE_MASS * 4e-4,)
        body = self.model.body(
            ring, mass=_SLEEVE_MASS, inertia=inertia, position=tuple(point), orientation=place.turned, hidden=True
        )
        self.model.prismatic(self.names.of(one, "seat"), outer, body)
        if not way:
            self.report.add("used", f"{one.label}: its outer ring is free to move along the axis")
        return body

    def _one_way(self, one: RexsComponent, outer: Body, inner: Body, held: Held, point: Array) -> None:
        """Axial support in one direction."""
        k = held.axial
        if not np.isfinite(k):
            k = _STIFF_SUPPORT
            self.report.add("assumed", f"{one.label}: axial stiffness {k:.3g} N/m of its support in one direction")
        self.model.axial_support(
            self.names.of(one, "support"), outer, inner, stiffness=k, direction=held.way, at=tuple(point),
            axis=tuple(self.places.of(one).u),
        )  # fmt: skip
        sign = "+" if held.way == "positive" else "-"
        self.report.add("used", f"{one.label}: carries axial forces on its inner part along {sign}u only")

    def _axial_stop(self, name: str, one: RexsComponent, outer: Body, inner: Body, held: Held, point: Array) -> None:
        """Flanges of a roller bearing as a spring along the axis, or as a support in one direction."""
        k = held.axial
        if not np.isfinite(k):
            k = 1e8
            self.report.add("assumed", f"{one.label}: axial stiffness of its flanges 1e8 N/m")
        if held.way:
            self._one_way(one, outer, inner, Held(0.0, k, 0.0, way=held.way), point)
            return
        self.model.bushing(self.names.of(one, "flanges"), outer, inner, stiffness=(0, 0, k, 0, 0, 0), at=tuple(point))

    def _by_stiffness(self, name: str, one: RexsComponent, outer: Body, inner: Body, held: Held, point: Array) -> None:
        """Joint for the rigid directions, bushing for the elastic ones."""
        at = tuple(point)
        way = held.way
        if way:
            self._one_way(one, outer, inner, held, point)
            held = Held(held.radial, 0.0, held.tilt)
        held = self._without_redundancy(one, outer, inner, held)
        rigid = held.radial == np.inf, held.axial == np.inf, held.tilt == np.inf
        soft = [0.0 if value == np.inf else value for value in (held.radial, held.axial, held.tilt)]
        makers = {
            (True, True, False): self.model.spherical, (True, False, False): self.model.point_on_line,
            (False, True, False): self.model.point_on_plane, (True, True, True): self.model.revolute,
            (True, False, True): self.model.cylindrical, (False, False, True): self.model.parallel_axes,
            (False, True, True): self.model.planar,
        }  # fmt: skip
        joint = makers.get(rigid)
        if joint is not None:
            if joint == self.model.spherical:
                self.model.spherical(name, outer, inner, at=at)
            else:
                joint(name, outer, inner, at=at)
            self.report.add("used", f"{one.label}: rigid in the directions that it holds without a stiffness")
        if any(soft):
            called = name if joint is None else self.names.of(one, "spring")
            radial, axial, tilt = soft
            self.model.bushing(called, outer, inner, stiffness=(radial, radial, axial, tilt, tilt, 0.0), at=at)
            self.report.add(
                "used", f"{one.label}: radial {radial:.4g} N/m, axial {axial:.4g} N/m, tilt {tilt:.4g} N m/rad"
            )
        elif joint is None and not way:
            self.report.add("ignored", f"{one.label}: holds no direction")

    def _without_redundancy(self, one: RexsComponent, outer: Body, inner: Body, held: Held) -> Held:
        """Two rigid bodies are held along their axis only once."""
        if self.bodies.elastic or held.axial != np.inf:
            return held
        pair = frozenset((outer.name, inner.name))
        if pair in self._held_axially:
            self.report.add("assumed", f"{one.label}: another rigid bearing of these parts carries the axial force")
            return Held(held.radial, 0.0, held.tilt)
        self._held_axially.add(pair)
        return held

    # ------------------------------------------------------------------------------------------- couplings

    def coupling(self, connection: Connection, held: Held) -> None:
        """Add a coupling; rigid ones between rigid parts are already one body."""
        one = connection.component
        if self.bodies.same_body(connection.inner, connection.outer):
            self.report.add("used", f"{one.label}: its two parts are one rigid body")
            return
        point = self.places.of(one).origin
        a, b = self.bodies.at(connection.outer, point), self.bodies.at(connection.inner, point)
        if a is b:
            return
        name, at = self.names.of(one), tuple(point)
        with about(one):
            if held.rigid:
                self.model.fixed(name, a, b, at=at)
                self.report.add("used", f"{one.label}: rigid")
            elif held.torsion < np.inf and (held.radial, held.axial, held.tilt) == (np.inf, np.inf, np.inf):
                self.model.revolute(name, a, b, at=at)
                if held.torsion:
                    self.model.torsion_spring(self.names.of(one, "torsion"), name, stiffness=held.torsion)
            else:
                self._elastic(name, one, a, b, held, at)
        self.bodies.parts[name] = one.id

    def _elastic(self, name: str, one: RexsComponent, a: Body, b: Body, held: Held, at: tuple[float, ...]) -> None:
        values = [held.radial, held.axial, held.tilt, held.torsion]
        if np.inf in values:
            self.report.add(
                "assumed", f"{one.label}: its rigid directions have {_STIFF:g} N/m and {_STIFF_ANGLE:g} N m/rad"
            )
        radial, axial, tilt, torsion = (
            (_STIFF if n < 2 else _STIFF_ANGLE) if value == np.inf else value for n, value in enumerate(values)
        )
        if torsion:
            design = ElasticCoupling(torsion, radial_stiffness=radial, axial_stiffness=axial, tilt_stiffness=tilt)
            self.model.coupling(name, a, b, design, at=at)
        elif radial or axial or tilt:
            self.model.bushing(name, a, b, stiffness=(radial, radial, axial, tilt, tilt, 0.0), at=at)
        self.report.add(
            "used",
            f"{one.label}: radial {radial:.4g} N/m, axial {axial:.4g} N/m, tilt {tilt:.4g}, torsion {torsion:.4g} N m/rad",
        )
