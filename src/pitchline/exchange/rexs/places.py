"""Positions of components by the rules of REXS: vectors in the frame of a reference component, or coordinates on shafts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...solids.rotations import Array
from ..imported import ImportReport
from .component import RexsComponent
from .structure import COUPLINGS, ROLLING, Connection, StageParts, UnitStructure

__all__ = ["RexsPlace", "RexsPlaces"]

SAME = 1e-6
"""Largest difference of two statements of one position [m]."""
_SQUARE = 1e-6
"""Largest product of the directions u and w, which must be perpendicular."""
_FARTHEST = 1e4
"""Positions beyond this distance [m] are refused."""


@dataclass(frozen=True)
class RexsPlace:
    """Frame of a component in the gear unit.

    origin: (3,) [m]
    axes:   (3, 3), columns u, v, w
    """

    origin: Array
    axes: Array

    @property
    def u(self) -> Array:
        """Direction of the axis."""
        return self.axes[:, 0]

    @property
    def turned(self) -> Array:
        """Axes of pitchline as columns: x = w, y = -v, z = u."""
        return np.column_stack([self.axes[:, 2], 0.0 - self.axes[:, 1], self.axes[:, 0]])

    def along(self, distance: float) -> RexsPlace:
        """The same axes, moved along u."""
        return RexsPlace(tidy(self.origin + distance * self.u), self.axes)


WORLD = RexsPlace(np.zeros(3), np.eye(3))


def tidy(values: Array) -> Array:
    """Values without the rounding errors of units: multiples of 1e-13 (m, or a direction), and 0 without a sign."""
    return np.asarray(np.round(values, 13) + 0.0)


class RexsPlaces:
    """Frames of all components that have a position."""

    def __init__(self, structure: UnitStructure, report: ImportReport) -> None:
        self.structure, self.report = structure, report
        self._found: dict[int, RexsPlace] = {structure.unit.id: WORLD}
        self._connections = {one.component.id: one for one in (*structure.bearings, *structure.couplings)}
        unit = self._own(structure.unit)
        if unit is not None and (np.abs(unit.origin).max() > SAME or np.abs(unit.axes - np.eye(3)).max() > _SQUARE):
            report.add(
                "ignored", f"{structure.unit.label}: its own position; the world axes are those of the gear unit"
            )
        self._lay_out_shafts()

    def of(self, component: RexsComponent) -> RexsPlace:
        """Frame of a component in the world."""
        found = self._vectors(component, ())
        if found is None:
            found = self._by_coordinate(component)
        if found is None:
            found = self._at_an_end(component)
        if found is None:
            raise component.error(
                "support_vector", "the position is missing. Specify support_vector, u_axis_vector and w_axis_vector"
            )
        return found

    def on_shaft(
        self, component: RexsComponent, shaft: RexsComponent, coordinate: str = "u_coordinate_on_shaft"
    ) -> float:
        """Distance of a part from the left end of its shaft [m]. The vectors win; both are compared."""
        written = component.number(coordinate)
        place = self._vectors(component, ())
        if place is None:
            if written is None:
                raise component.error(coordinate, "the position on the shaft is missing")
            if component.new_type.endswith("gear") and self.structure.document.version.startswith("1.0"):
                self.report.add(
                    "assumed",
                    f"{component.label}: u_coordinate_on_shaft is the middle of its face (files of version 1.0 differ)",
                )
            return written
        line = self.of(shaft)
        offset = place.origin - line.origin
        along = round(float(offset @ line.u), 13)
        if written is not None and abs(written - along) > SAME:
            self.report.add(
                "assumed",
                f"{component.label}: at {1e3 * along:.6g} mm on its shaft by its vectors; "
                f"{coordinate} {1e3 * written:.6g} mm differs",
            )
        return along

    # ------------------------------------------------------------------------------------------------ vectors

    def _own(self, component: RexsComponent) -> RexsPlace | None:
        """Frame in the axes of the reference component; None without vectors."""
        origin = component.numbers("support_vector")
        if origin is None:
            return None
        u, w = component.numbers("u_axis_vector"), component.numbers("w_axis_vector")
        vectors = {"support_vector": origin, "u_axis_vector": u, "w_axis_vector": w}
        for name, value in vectors.items():
            if value is None:
                if name == "w_axis_vector" and u is not None and u.shape == (3,):
                    continue
                raise component.error(name, "the value is missing, but support_vector is given")
            if value.shape != (3,) or not np.all(np.isfinite(value)):
                raise component.error(name, f"must have three finite numbers, got {value.size}")
        if np.abs(origin).max() > _FARTHEST:
            raise component.error("support_vector", f"is {np.abs(origin).max():.3g} m away; check the unit")
        assert u is not None
        if w is None:
            w = np.eye(3)[int(np.argmin(np.abs(u)))]
            w = w - (w @ u) * u / max(float(u @ u), 1e-30)
        return RexsPlace(origin, _axes(component, u, w))

    def _vectors(self, component: RexsComponent, waiting: tuple[int, ...]) -> RexsPlace | None:
        """Frame in the world by vectors, through the tree of references."""
        if component.id in self._found:
            return self._found[component.id]
        if component.id in waiting:
            raise component.error("reference_component_for_position", "refers to itself through other components")
        if len(waiting) > 500:
            raise component.error("reference_component_for_position", "the references are nested more than 500 deep")
        own = self._own(component)
        if own is None:
            return None
        number = component.reference("reference_component_for_position")
        if number is None:
            self.report.add("assumed", f"{component.label}: its position is relative to the gear unit")
            number = self.structure.unit.id
        parent = self.structure.document.components.get(number)
        if parent is None:
            raise component.error("reference_component_for_position", f"component {number} does not exist")
        base = self._vectors(parent, (*waiting, component.id)) or self._by_coordinate(parent)
        if base is None:
            raise component.error("reference_component_for_position", f"{parent.label} has no position")
        found = RexsPlace(tidy(base.origin + base.axes @ own.origin), tidy(base.axes @ own.axes))
        self._found[component.id] = found
        return found

    # ------------------------------------------------------------------------------------------------ coordinates

    def _by_coordinate(self, component: RexsComponent) -> RexsPlace | None:
        """Frame of a part by its coordinate on its shaft."""
        shaft: RexsComponent | None = None
        coordinate = component.number("u_coordinate_on_shaft")
        connection = self._connections.get(component.id)
        if connection is not None:
            shaft, coordinate = self._side(component, connection)
        elif component.id in self.structure.shaft_of:
            shaft = self.structure.document.components[self.structure.shaft_of[component.id]]
        if shaft is None or coordinate is None:
            return None
        line = self._vectors(shaft, ())
        return None if line is None else line.along(coordinate)

    def _at_an_end(self, component: RexsComponent) -> RexsPlace | None:
        """Place of a coupling without any position."""
        connection = self._connections.get(component.id)
        if connection is None or component.new_type not in COUPLINGS:
            return None
        for part in (connection.inner, connection.outer):
            if part.id in self.structure.shafts and self.structure.shafts[part.id].sections:
                line = self._vectors(part, ())
                if line is not None:
                    self.report.add(
                        "assumed", f"{component.label}: without a position; at the left end of {part.label}"
                    )
                    return line
        return None

    def _side(self, component: RexsComponent, connection: Connection) -> tuple[RexsComponent | None, float | None]:
        for part, side in ((connection.inner, "inner"), (connection.outer, "outer")):
            value = component.number(f"u_coordinate_on_shaft_{side}_side")
            if part.new_type == "shaft" and value is not None:
                return part, value
        if component.new_type in ROLLING:
            return connection.inner, component.number("u_coordinate_on_shaft")
        return None, None

    def _lay_out_shafts(self) -> None:
        """RexsPlace shafts without vectors from the first one by centre distances and angles of the stages."""
        shafts = {number: one.component for number, one in self.structure.shafts.items()}
        missing = [one for one in shafts.values() if self._vectors(one, ()) is None]
        if not missing:
            return
        if len(missing) == len(shafts):
            first = missing[0]
            self._found[first.id] = WORLD
            self.report.add("assumed", f"{first.label}: its left end is at the origin of the gear unit, along u")
        changed = True
        while changed:
            changed = any([self._place_by_stage(stage, shafts) for stage in self.structure.stages])
            changed = changed or self._place_by_connection(shafts)

    def _place_by_connection(self, shafts: dict[int, RexsComponent]) -> bool:
        """Place one shaft on the axis of another one, to which a bearing or a coupling connects it."""
        for one in (*self.structure.couplings, *self.structure.bearings):
            for part, other in ((one.inner, one.outer), (one.outer, one.inner)):
                if part.id in shafts and part.id not in self._found and other.id in shafts and other.id in self._found:
                    self._found[part.id] = self._found[other.id]
                    self.report.add(
                        "assumed",
                        f"{part.label}: without a position; on the axis of {other.label}, to which {one.component.label} "
                        "connects it, with the same left end",
                    )
                    return True
        return False

    def _place_by_stage(self, stage: StageParts, shafts: dict[int, RexsComponent]) -> bool:
        numbers = [self.structure.shaft_of[gear.id] for gear in stage.gears]
        known = [number in self._found for number in numbers]
        if sum(known) != 1 or stage.component.new_type != "cylindrical_stage":
            return False
        distance = stage.component.require_number("center_distance")
        angle = stage.component.number("rotating_angle_around_neg_u_axis")
        if angle is None:
            angle = 0.0
            self.report.add("assumed", f"{stage.component.label}: rotating_angle_around_neg_u_axis is 0")
        old = 0 if known[0] else 1
        line = self._found[numbers[old]]
        towards = math.sin(angle) * line.axes[:, 1] + math.cos(angle) * line.axes[:, 2]
        places = [gear.require_number("u_coordinate_on_shaft") for gear in stage.gears]
        shift = places[old] - places[1 - old]
        sign = 1.0 if known[0] else -1.0
        at = tidy(line.origin + shift * line.u + sign * distance * towards)
        self._found[numbers[1 - old]] = RexsPlace(at, line.axes)
        self.report.add(
            "used", f"{shafts[numbers[1 - old]].label}: placed by the centre distance of {stage.component.label}"
        )
        return True


def _axes(component: RexsComponent, u: Array, w: Array) -> Array:
    lengths = float(np.linalg.norm(u)), float(np.linalg.norm(w))
    for name, length in zip(("u_axis_vector", "w_axis_vector"), lengths, strict=True):
        if not 1e-6 < length < 1e6:
            raise component.error(name, f"must be a direction of length 1, got length {length:.3g}")
    u, w = u / lengths[0], w / lengths[1]
    if abs(float(u @ w)) > _SQUARE:
        raise component.error("w_axis_vector", f"must be perpendicular to u_axis_vector; u·w is {float(u @ w):.3g}")
    w = w - float(u @ w) * u
    w = w / np.linalg.norm(w)
    return np.column_stack([u, np.cross(w, u), w])
