"""Bodies of the model from REXS: elastic shafts with stations, rigid bodies, and how they rotate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.model.model import Model
from pitchline.parts.bodies.part import Body
from pitchline.solids.mass_properties import MassProperties, Shape
from pitchline.solids.stl_solid import tube

from ..mass_table import ImportReport
from .component import RexsComponent
from .places import Connection, RexsPlace, RexsPlaces, UnitStructure
from .sections import Materials, PartNames, SectionLine, about, cleaned, tube_properties

__all__ = [
    "Kinematics",
    "MeshRow",
    "Spinning",
    "RIGID",
    "Held",
    "held_by_bearing",
    "held_by_coupling",
    "operating_matrix",
    "GROUND",
    "Merged",
    "spinning_groups",
    "Bodies",
    "PartMotion",
]


# ---- kinematics

# Speeds of all shafts by the ratios of the stages, and the balance of torques (virtual power).

_RANK = 1e-9


@dataclass(frozen=True)
class Spinning:
    """Group of parts that rotate together about one axis.

    carrier: number of the group whose rotation moves the axis, or None
    """

    origin: FloatArray
    axis: FloatArray
    carrier: int | None = None


@dataclass(frozen=True)
class MeshRow:
    """Two groups in mesh: at the pitch point their velocities agree along a direction. None is the ground."""

    a: int | None
    b: int | None
    point: FloatArray
    direction: FloatArray


@dataclass
class Kinematics:
    """Rotation of groups with ideal meshes.

    The unknowns are the rotations of the groups relative to their carriers. `free` has one column for each independent motion.
    """

    groups: list[Spinning]
    meshes: list[MeshRow]
    free: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        rows = [
            self.velocity_row(one.a, one.point, one.direction) - self.velocity_row(one.b, one.point, one.direction)
            for one in self.meshes
        ]
        count = len(self.groups)
        if not rows:
            self.free = np.eye(count)
            return
        matrix = np.array(rows)
        sizes = np.linalg.norm(matrix, axis=1, keepdims=True)
        matrix = matrix / np.where(sizes > 0.0, sizes, 1.0)
        _, values, right = np.linalg.svd(matrix)
        rank = int(np.sum(values > _RANK))
        self.free = right[rank:].T

    def chain(self, group: int | None) -> list[int]:
        """The group and its carriers."""
        found: list[int] = []
        while group is not None and group not in found:
            found.append(group)
            group = self.groups[group].carrier
        return found

    def velocity_row(self, group: int | None, point: FloatArray, direction: FloatArray) -> FloatArray:
        """Coefficients of the velocity of a point of a group along a direction."""
        row = np.zeros(len(self.groups))
        for one in self.chain(group):
            row[one] = float(np.cross(self.groups[one].axis, point - self.groups[one].origin) @ direction)
        return row

    def spin_row(self, group: int | None, direction: FloatArray) -> FloatArray:
        """Coefficients of the angular velocity of a group about a direction."""
        row = np.zeros(len(self.groups))
        for one in self.chain(group):
            row[one] = float(self.groups[one].axis @ direction)
        return row

    def independent(self, rows: list[FloatArray]) -> list[int]:
        """Numbers of the rows that determine motions which earlier rows do not."""
        chosen: list[int] = []
        basis: list[FloatArray] = []
        for number, row in enumerate(rows):
            rest = row @ self.free
            size = float(np.linalg.norm(rest))
            for one in basis:
                rest = rest - (rest @ one) * one
            if size > 0.0 and np.linalg.norm(rest) > 1e-7 * max(size, 1e-3):
                basis.append(rest / np.linalg.norm(rest))
                chosen.append(number)
        return chosen

    def motion(self, rows: list[FloatArray], values: list[float]) -> FloatArray:
        """Rotations of all groups that give the values of some rows."""
        if not rows or not self.free.shape[1]:
            return np.zeros(len(self.groups))
        matrix = np.array(rows) @ self.free
        solved, *_ = np.linalg.lstsq(matrix, np.array(values), rcond=1e-10)
        found: FloatArray = self.free @ solved
        scale = max(float(np.abs(found).max(initial=0.0)), 1e-300)
        found[np.abs(found) < 1e-13 * scale] = 0.0
        return found

    def balance(self, holds: list[FloatArray], torques: list[tuple[FloatArray, float]]) -> tuple[list[float], float]:
        """Torques of the holds that balance the given torques, and the part of the given power that no hold balances."""
        load = np.zeros(self.free.shape[1])
        for row, torque in torques:
            load = load + torque * (row @ self.free)
        if not holds:
            return [], float(np.linalg.norm(load))
        matrix = (np.array(holds) @ self.free).T
        solved, *_ = np.linalg.lstsq(matrix, -load, rcond=1e-10)
        rest = float(np.linalg.norm(matrix @ solved + load))
        return [float(value) for value in solved], rest


def pitch_direction(axis: FloatArray, radial: FloatArray, helix: float) -> FloatArray:
    """Direction across the teeth in the pitch plane, for a gear with a helix angle."""
    around = np.cross(axis, radial)
    tooth = math.cos(helix) * axis + math.sin(helix) * around
    across: FloatArray = np.cross(tooth, radial)
    return across / np.linalg.norm(across)


# ---- stiffness

# Stiffness of bearings and couplings: what is held, what is rigid, and the matrix at the operating point in our axes.

RIGID = 1e15
"""From this stiffness [N/m] on a direction is rigid: programs write 1e20 and 1e23."""
RIGID_ANGLE = 1e12
"""The same for rotations [N m/rad]."""
_ROWS, _COLUMNS = ("f_u", "f_v", "f_w", "m_v", "m_w"), ("d_u", "d_v", "d_w", "rot_v", "rot_w")
_UNEQUAL = 0.01


@dataclass(frozen=True)
class Held:
    """Stiffness of a connection: 0 is free, infinity rigid [N/m, N m/rad].

    way: "positive" or "negative": the direction along u of axial forces on the inner part that it carries; "" for both
    """

    radial: float
    axial: float
    tilt: float
    torsion: float = 0.0
    way: str = field(default="", kw_only=True)

    @property
    def rigid(self) -> bool:
        """Whether all directions are rigid."""
        return all(value == np.inf for value in (self.radial, self.axial, self.tilt, self.torsion))

    @property
    def elastic(self) -> bool:
        """Whether no direction is rigid."""
        return all(value < np.inf for value in (self.radial, self.axial, self.tilt, self.torsion))


def held_by_bearing(bearing: RexsComponent, report: ImportReport) -> Held:
    """What a bearing holds. A direction that is held without a stiffness is rigid."""
    radial, axial, tilt = (bearing.number(f"{kind}_stiffness") for kind in ("radial", "axial", "bending"))
    holds = bearing.flag("radial_force_absorption")
    if holds is None:
        holds = True
    way = (bearing.string("axial_force_absorption") or "").lower()
    if not way:
        along = bool(axial)
        if axial is None:
            report.add("assumed", f"{bearing.label}: no axial_force_absorption; it carries no axial force")
    else:
        along = way not in ("no_direction", "none", "no")
    return Held(
        _value(bearing, "radial_stiffness", radial, RIGID) if holds else 0.0,
        _value(bearing, "axial_stiffness", axial, RIGID) if along else 0.0,
        0.0 if not tilt else _value(bearing, "bending_stiffness", tilt, RIGID_ANGLE),
        way=way if way in ("positive", "negative") else "",
    )


def held_by_coupling(coupling: RexsComponent) -> Held:
    """What a coupling holds. Without any stiffness it is rigid; with some, a missing one is 0."""
    keys = ("radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness")
    values = [coupling.number(key) for key in keys]
    if all(value is None for value in values):
        return Held(*(4 * [np.inf]))
    limits = (RIGID, RIGID, RIGID_ANGLE, RIGID_ANGLE)
    found = [
        0.0 if not value else _value(coupling, key, value, limit)
        for key, value, limit in zip(keys, values, limits, strict=True)
    ]
    return Held(*found)


def _value(component: RexsComponent, key: str, value: float | None, limit: float) -> float:
    if value is None or value == 0.0 or value >= limit:
        return float(np.inf)
    if value < 0.0:
        raise component.error(key, "must not be negative")
    return value


def operating_matrix(bearing: RexsComponent, report: ImportReport) -> FloatArray | None:
    """Stiffness at the operating point, 6x6 in the axes x = w, y = -v, z = u; None if the file has none.

    Nothing is held about u.
    """
    found = np.zeros((6, 6))
    places = (0, 1, 2, 4, 5)
    given = False
    for row, i in zip(_ROWS, places, strict=True):
        for column, j in zip(_COLUMNS, places, strict=True):
            value = bearing.number(f"operating_point_stiffness_{row}_{column}")
            if value is not None:
                found[i, j], given = value, True
    if not given or not np.any(found):
        return None
    if not np.all(np.isfinite(found)) or np.abs(found).max() >= RIGID:
        raise bearing.error("operating_point_stiffness_f_u_d_u", "the operating point stiffness has too large values")
    largest = np.abs(found).max()
    unequal = np.abs(found - found.T).max() / largest
    if unequal > _UNEQUAL:
        report.add(
            "assumed",
            f"{bearing.label}: the operating point stiffness is not symmetric by {100 * unequal:.3g} %; the mean is used",
        )
    found = 0.5 * (found + found.T)
    # x = w, y = -v, z = u: the rows of the turn are the new axes in u, v, w
    turn = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
    both = np.kron(np.eye(2), turn)
    turned: FloatArray = both @ found @ both.T
    if np.linalg.eigvalsh(turned).min() < -1e-9 * largest:
        report.add(
            "assumed", f"{bearing.label}: the operating point stiffness has a negative direction; it is used as it is"
        )
    return turned


# ---- groups

# Parts that move together: rigid bodies for the model, and rotating groups for the speeds.

GROUND = -1
"""Number of the casing and of all parts that are fixed on it."""
_COAXIAL = 1e-5


class Merged:
    """Sets of parts, joined in pairs."""

    def __init__(self, parts: list[int]) -> None:
        self._of = {number: number for number in parts}
        self._of[GROUND] = GROUND

    def __contains__(self, number: int) -> bool:
        return number in self._of

    def root(self, number: int) -> int:
        """Number of the set of a part; GROUND if it is fixed on the casing."""
        while self._of[number] != number:
            number = self._of[number]
        return number

    def join(self, a: int, b: int) -> None:
        """Join the sets of two parts."""
        first, second = self.root(a), self.root(b)
        if first != second:
            keep, drop = (
                (first, second) if first == GROUND or (second != GROUND and first < second) else (second, first)
            )
            self._of[drop] = keep

    def members(self) -> dict[int, list[int]]:
        """Parts of each set, by its number."""
        found: dict[int, list[int]] = {}
        for number in self._of:
            if number != GROUND:
                found.setdefault(self.root(number), []).append(number)
        return found


def part_number(component: RexsComponent) -> int:
    """Number of a part; the casing and the gear unit are the ground."""
    return GROUND if component.new_type in ("gear_casing", "gear_unit") else component.id


def carrier_parts(structure: UnitStructure) -> list[tuple[int, int]]:
    """Pairs of carrier and side plate that belong together."""
    found = []
    for component in structure.document.components.values():
        if component.new_type == "planet_carrier":
            found += [
                (component.id, one.id) for one in structure.parts.get(component.id, []) if one.new_type == "side_plate"
            ]
    return found


def all_parts(structure: UnitStructure) -> list[int]:
    """Numbers of all shafts, side plates and carriers."""
    carriers = [one.id for one in structure.document.components.values() if one.new_type == "planet_carrier"]
    return [*structure.shafts, *(one.id for one in structure.plates), *carriers]


def spinning_groups(
    structure: UnitStructure, places: RexsPlaces, couplings: list[tuple[Connection, Held]]
) -> tuple[dict[int, int | None], list[Spinning]]:
    """Group of each part (None: fixed on the casing), and the groups.

    Couplings that transmit torque join their parts. Planets move with the carrier of their pins.
    """
    merged = Merged(all_parts(structure))
    for connection, held in couplings:
        if held.torsion > 0.0:
            merged.join(part_number(connection.inner), part_number(connection.outer))
    document = structure.document
    pins = {one.role("shaft") for one in document.relations if one.type == "planet_pin"}
    planets = {one.role("shaft") for one in document.relations if one.type == "planet_shaft"}
    sets = {root: parts for root, parts in merged.members().items() if root != GROUND}
    sets = {
        root: [n for n in parts if document.components[n].new_type != "planet_carrier"] or parts
        for root, parts in sets.items()
    }
    axes: dict[int, tuple[FloatArray, FloatArray]] = {}
    for root, parts in sets.items():
        first = next((n for n in parts if n in structure.shafts and n not in pins), None)
        first = next((n for n in parts if n not in pins), parts[0]) if first is None else first
        component = document.components[first]
        if component.new_type == "planet_carrier":
            continue
        place = places.of(component)
        axes[root] = place.origin, place.u
    on_ground = {merged.root(part_number(x)) for one in structure.bearings for x in (one.inner, one.outer)
                 if GROUND in (part_number(one.inner), part_number(one.outer))}  # fmt: skip
    numbers = {root: count for count, root in enumerate(axes)}
    carriers: dict[int, int] = {}
    for one in structure.bearings:
        pair = [merged.root(part_number(x)) for x in (one.inner, one.outer)]
        if GROUND in pair or pair[0] == pair[1] or any(root not in axes for root in pair):
            continue
        if _coaxial(axes[pair[0]], axes[pair[1]]):
            continue
        moved = _carried(pair, sets, planets, on_ground)
        carriers.setdefault(moved, pair[1] if moved == pair[0] else pair[0])
    groups = [Spinning(*axes[root], numbers.get(carriers.get(root, GROUND))) for root in axes]
    return {number: numbers.get(merged.root(number)) for number in all_parts(structure)}, groups


def _carried(pair: list[int], sets: dict[int, list[int]], planets: set[int | None], on_ground: set[int]) -> int:
    """Which of two groups on each other is carried by the other one."""
    for root in pair:
        if any(part in planets for part in sets[root]):
            return root
    free = [root for root in pair if root not in on_ground]
    return free[0] if len(free) == 1 else min(pair, key=lambda root: len(sets[root]))


def _coaxial(a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray]) -> bool:
    between = b[0] - a[0]
    away = between - float(between @ a[1]) * a[1]
    return float(np.linalg.norm(np.cross(a[1], b[1]))) < 1e-6 and float(np.linalg.norm(away)) < _COAXIAL


_SAME_STATION = 2e-6
_LIGHTEST = 1e-3
"""Mass [kg] of a body for which the file states none."""


@dataclass(frozen=True)
class PartMotion:
    """Initial motion of a part: velocity at a point [m/s] and angular velocity [rad/s], world axes."""

    angular_velocity: FloatArray
    velocity_at: Callable[[FloatArray], FloatArray]


@dataclass
class _StationPlace:
    """Position on an elastic shaft, with the names that were requested for it."""

    place: float
    name: str


@dataclass
class Bodies:
    """Bodies of a model. First `attach` all points, then `build`, then ask for bodies with `at`."""

    model: Model
    structure: UnitStructure
    places: RexsPlaces
    lines: dict[int, SectionLine]
    materials: Materials
    names: PartNames
    report: ImportReport
    parts: dict[str, int]
    elastic: bool
    rigid_links: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stations: dict[int, list[_StationPlace]] = {
            number: [] for number in self.structure.shafts if self.is_elastic(number)
        }
        self._bodies: dict[int, Body] = {}
        rigid = [number for number in all_parts(self.structure) if not self.is_elastic(number)]
        self.merged = Merged(rigid)
        for a, b in (*self.rigid_links, *carrier_parts(self.structure)):
            if a in self.merged and b in self.merged:
                self.merged.join(a, b)

    def is_elastic(self, number: int) -> bool:
        """Whether a part is an elastic shaft."""
        return self.elastic and number in self.lines

    def same_body(self, a: RexsComponent, b: RexsComponent) -> bool:
        """Whether two parts are one rigid body."""
        first, second = part_number(a), part_number(b)
        return first in self.merged and second in self.merged and self.merged.root(first) == self.merged.root(second)

    # ------------------------------------------------------------------------------------------- stations

    def attach(self, part: RexsComponent, point: FloatArray, name: str) -> None:
        """Request a station of an elastic shaft at a point."""
        number = part_number(part)
        if number not in self._stations:
            return
        place = self._along(number, point)
        if place is None:
            return
        stations = self._stations[number]
        if all(abs(one.place - place) > _SAME_STATION for one in stations):
            wanted = cleaned(name) or "station"
            used = {one.name for one in stations} | {"start", "end"}
            wanted = f"at {wanted}" if wanted.startswith("node ") else wanted
            free = next(text for text in (wanted, *(f"{wanted} {n}" for n in range(2, 10_000))) if text not in used)
            stations.append(_StationPlace(place, free))

    def _along(self, number: int, point: FloatArray) -> float | None:
        """Distance from the start of the sections; None beyond the ends."""
        line, place = self.lines[number], self.places.of(self.structure.document.components[number])
        along = float((point - place.origin) @ place.u) - line.start
        if along < -_SAME_STATION or along > line.length + _SAME_STATION:
            return None
        return round(min(max(along, 0.0), line.length), 13)

    def at(self, part: RexsComponent, point: FloatArray) -> Body:
        """Body of a part at a point: the nearest station, the rigid body, or the ground."""
        number = part_number(part)
        if number not in self._stations:
            root = self.merged.root(number)
            return self.model.ground if root == GROUND else self._bodies[root]
        shaft = self.model.shafts[self.names.of(part)]
        along = self._along(number, point)
        if along is None:
            self.report.add("assumed", f"{part.label}: parts beyond its ends are rigidly connected to its ends")
            line, place = self.lines[number], self.places.of(part)
            ahead = float((point - place.origin) @ place.u) - line.start > 0.0
            along = line.length if ahead else 0.0
        name = min(shaft.places, key=lambda one: abs(shaft.places[one] - along))
        return shaft[name]

    # ------------------------------------------------------------------------------------------- bodies

    def build(self, motion: Callable[[int], PartMotion]) -> None:
        """Add all bodies to the model."""
        components = self.structure.document.components
        for number in self._stations:
            self._add_shaft(components[number], motion(number))
        for root, members in self.merged.members().items():
            if root != GROUND:
                self._add_rigid(root, [components[number] for number in members], motion)
            else:
                for number in members:
                    self.report.add("used", f"{components[number].label}: fixed on the casing")

    def _add_shaft(self, shaft: RexsComponent, motion: PartMotion) -> None:
        line, place, name = self.lines[shaft.id], self.places.of(shaft), self.names.of(shaft)
        start = place.along(line.start).origin
        spin = float(motion.angular_velocity @ place.u)
        moving = motion.velocity_at(start)
        speed: dict[str, object] = {"speed": spin} if spin else {}
        if np.linalg.norm(moving) > 1e-12 or np.linalg.norm(motion.angular_velocity - spin * place.u) > 1e-12:
            speed = {"velocity": tuple(moving), "angular_velocity": tuple(motion.angular_velocity)}
        stations = {one.name: one.place for one in sorted(self._stations[shaft.id], key=lambda one: one.place)}
        with about(shaft):
            self.model.shaft(
                name, line.sections, material=line.material, position=tuple(start), orientation=place.turned,
                stations=stations, **speed,  # type: ignore[arg-type]
            )  # fmt: skip
        self.parts[name] = shaft.id
        self.report.add(
            "used", f"{shaft.label}: elastic shaft with {len(line.sections)} sections, {line.mass():.4g} kg"
        )

    def _add_rigid(self, root: int, members: list[RexsComponent], motion: Callable[[int], PartMotion]) -> None:
        physical = [one for one in members if one.new_type != "planet_carrier"]
        if not physical:
            return
        first = next((one for one in physical if one.id in self.structure.shafts), physical[0])
        place = self.places.of(first)
        solid: MassProperties | None = None
        shapes: list[Shape] = []
        for one in physical:
            made, drawn = self._rigid_part(one, place)
            if made is not None:
                solid = made if solid is None else solid + made
            shapes += drawn
        name = self.names.of(first)
        if solid is None and self._has_added_mass(physical):
            solid = MassProperties(0.0, (0.0, 0.0, 0.0), 3 * (0.0,))
        elif solid is None:
            self.report.add("assumed", f"{first.label}: no mass and no sections; mass {_LIGHTEST:g} kg")
            solid = MassProperties(_LIGHTEST, (0.0, 0.0, 0.0), 3 * (1e-6,))
        moves = motion(first.id)
        with about(first):
            self._bodies[root] = self.model.body(
                name, mass=solid.mass, inertia=solid.inertia, centre_of_mass=tuple(solid.centre_of_mass),
                position=tuple(place.origin), orientation=place.turned, shape=shapes or None,
                velocity=tuple(moves.velocity_at(place.origin)), angular_velocity=tuple(moves.angular_velocity),
            )  # fmt: skip
        self.parts[name] = first.id
        joined = ", ".join(one.label for one in physical if one is not first)
        self.report.add(
            "used", f"{first.label}: rigid body, {solid.mass:.4g} kg" + (f", joined with {joined}" if joined else "")
        )

    def _has_added_mass(self, members: list[RexsComponent]) -> bool:
        """Whether an additional mass with moments of inertia is on one of the parts, so that the body needs no other mass."""
        masses = [
            mass for one in members if one.id in self.structure.shafts for mass in self.structure.shafts[one.id].masses
        ]
        keys = "mass_of_component", *(f"moment_of_inertia_{axis}_axis" for axis in "uvw")
        return any(all((mass.number(key) or 0.0) > 0.0 for key in keys) for mass in masses)

    def _rigid_part(self, one: RexsComponent, frame: RexsPlace) -> tuple[MassProperties | None, list[Shape]]:
        """Mass properties and shapes of one part in the axes of the body."""
        place = self.places.of(one)
        turn, shift = frame.turned.T @ place.turned, frame.turned.T @ (place.origin - frame.origin)
        if one.id in self.lines:
            solid, shapes = self.lines[one.id].properties(), self.lines[one.id].shapes()
        elif one.new_type == "side_plate":
            made = self._plate(one)
            if made is None:
                return None, []
            solid, shapes = made
        else:
            mass = one.number("mass_of_component")
            if not mass or mass <= 0.0:
                return None, []
            solid, shapes = MassProperties(mass, (0.0, 0.0, 0.0), 3 * (1e-4 * mass,)), []
            self.report.add("assumed", f"{one.label}: radius of gyration 10 mm, because it has no sections")
        return solid.turned(turn).moved(tuple(shift)), [shape.turned(turn).moved(tuple(shift)) for shape in shapes]

    def _plate(self, plate: RexsComponent) -> tuple[MassProperties, list[Shape]] | None:
        """Side plate of a carrier: a tube from its origin along u."""
        length, outer = plate.number("length"), plate.number("outer_diameter")
        inner = plate.number("inner_diameter") or 0.0
        if not length or not outer:
            self.report.add("ignored", f"{plate.label}: no length or outer diameter, so it has no mass")
            return None
        if inner >= outer or inner < 0.0 or length < 0.0:
            raise plate.error(
                "inner_diameter", "must be smaller than the outer diameter, and the length must be positive"
            )
        with about(plate):
            solid = tube_properties((outer, outer), (inner, inner), length, self.materials.of(plate).density)
            shape = tube(0.5 * outer, 0.5 * inner, length) if inner else None
            from pitchline.solids.stl_solid import cylinder

            drawn = shape if shape is not None else cylinder(0.5 * outer, length)
        middle = (0.0, 0.0, 0.5 * length)
        return solid.moved(middle), [drawn.moved(middle)]
