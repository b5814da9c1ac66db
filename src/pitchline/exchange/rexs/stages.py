"""Gear stages of REXS as wheels and gear pairs, and the loads of a train."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject
from pitchline.model.model import Model
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.kinds import ANGLE_TOLERANCE
from pitchline.parts.meshes.laws.elastic import Elastic, Rigid, Rolling
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.part import measured_pair

from ..mass_table import ImportReport
from .bodies import Bodies, Kinematics, MeshRow, PartMotion, pitch_direction
from .component import RexsComponent
from .gears import Gears, bevel_centre
from .places import RexsPlace, RexsPlaces, StageParts, UnitStructure
from .sections import DAMPING_RATIO, PartNames, SectionLine, about

__all__ = ["Stages", "GivenLoad", "Hold", "LoadedTrain", "read_train"]


_LEAST_PLAY, _USUAL_PLAY = 0.02, 0.05
"""A smaller backlash in modules is a nominal value without allowances; the usual one replaces it."""
_FITS = 0.02
"""Largest error of a stated tooth phase, in pitches."""


@dataclass
class Stages:
    """Gears, wheels and gear pairs."""

    structure: UnitStructure
    places: RexsPlaces
    gears: Gears
    lines: dict[int, SectionLine]
    report: ImportReport

    def __post_init__(self) -> None:
        self._made: dict[int, Gear] = {}
        for stage in self.structure.stages:
            self._same_hand(stage)

    def shaft(self, gear: RexsComponent) -> RexsComponent:
        """Shaft of a gear."""
        return self.structure.document.components[self.structure.shaft_of[gear.id]]

    def gear(self, component: RexsComponent) -> Gear:
        """Gear of a component."""
        if component.id not in self._made:
            rim = None
            shaft = self.structure.shaft_of.get(component.id)
            if component.new_type == "ring_gear" and shaft in self.lines:
                place = self.places.on_shaft(component, self.shaft(component))
                outer, inner = self.lines[shaft].diameters(place)
                rim = inner if inner > 0.0 else outer
            self._made[component.id] = self.gears.of(component, rim=rim)
        return self._made[component.id]

    def _same_hand(self, stage: StageParts) -> None:
        """Ring and planet have the same hand in pitchline; files may have opposite signs."""
        a, b = stage.gears
        rings = [one for one in (a, b) if one.new_type == "ring_gear"]
        if len(rings) != 1:
            return
        ring, planet = rings[0], (b if rings[0] is a else a)
        if self.gear(ring).helix_angle * self.gear(planet).helix_angle < 0.0:
            self.report.add("assumed", f"{ring.label}: helix angle with the sign of its planets (opposite in the file)")
            self._made[ring.id] = self.gear(ring).with_(helix_angle=-self.gear(ring).helix_angle)

    def place(self, component: RexsComponent) -> RexsPlace:
        """Centre and axes of a gear. The centre is on the axis of its shaft."""
        line = self.places.of(self.shaft(component))
        if component.new_type == "bevel_gear":
            stage = next(one for one in self.structure.stages if component.id in (one.gears[0].id, one.gears[1].id))
            mate = stage.gears[1] if stage.gears[0].id == component.id else stage.gears[0]
            own = RexsPlace(line.origin, self._axes(component, line))
            other = self.places.of(self.shaft(mate))
            return RexsPlace(bevel_centre(self.gear(component), component, own, other, self.report), own.axes)
        along = self.places.on_shaft(component, self.shaft(component))
        return RexsPlace(line.along(along).origin, self._axes(component, line))

    def _axes(self, component: RexsComponent, line: RexsPlace) -> FloatArray:
        try:
            own = self.places.of(component)
        except Exception:  # a gear may have a coordinate only, or a bevel gear no position at all
            return line.axes
        if abs(abs(float(own.u @ line.u)) - 1.0) > 1e-6:
            raise component.error("u_axis_vector", f"must be parallel to the axis of {self.shaft(component).label}")
        return own.axes

    # ------------------------------------------------------------------------------------------- speeds

    def mesh_row(self, stage: StageParts, groups: dict[int, int | None]) -> MeshRow:
        """Pitch point of a stage and the direction in which the velocities agree."""
        a, b = stage.gears
        gear_a, gear_b = self.gear(a), self.gear(b)
        place_a, place_b = self.place(a), self.place(b)
        number = groups[self.structure.shaft_of[a.id]], groups[self.structure.shaft_of[b.id]]
        between = place_b.origin - place_a.origin
        across = between - float(between @ place_a.u) * place_a.u
        if stage.component.new_type == "cylindrical_stage" or (a.new_type, b.new_type) == 2 * ("cylindrical_gear",):
            distance = float(np.linalg.norm(across))
            if distance < 1e-9:
                raise stage.component.error("center_distance", "the axes of its gears coincide")
            towards = across / distance
            sign_a, sign_b = gear_a.sense, gear_b.sense
            total = sign_a * gear_a.teeth + sign_b * gear_b.teeth
            if total == 0:
                raise stage.component.error(None, "ring and planet have the same number of teeth")
            radius = distance * sign_a * gear_a.teeth / total
            point = place_a.origin + radius * towards
            return MeshRow(*number, point, np.cross(place_a.u, towards))
        if stage.component.new_type == "bevel_stage":
            apart = place_b.u - float(place_b.u @ place_a.u) * place_a.u
            side = math.copysign(1.0, gear_b.cone_angle) * math.copysign(1.0, 1.0)
            radial = side * apart / np.linalg.norm(apart)
            point = place_a.origin + 0.5 * gear_a.reference_diameter * radial
            return MeshRow(*number, point, np.cross(place_a.u, radial))
        worm, other = (place_a, place_b) if a.new_type == "worm_gear" else (place_b, place_a)
        gear = gear_a if a.new_type == "worm_gear" else gear_b
        arm = other.origin - worm.origin
        arm = arm - float(arm @ worm.u) * worm.u
        normal = np.cross(worm.u, other.u)
        normal = normal / np.linalg.norm(normal)
        radial = normal if float(normal @ arm) > 0.0 else -normal
        at = worm.origin + float((other.origin - worm.origin) @ worm.u) * worm.u
        point = at + 0.5 * gear.reference_diameter * radial
        return MeshRow(*number, point, pitch_direction(worm.u, radial, gear.helix_angle))

    # ------------------------------------------------------------------------------------------- model

    def add(self, model: Model, bodies: Bodies, names: PartNames, mesh: str) -> None:
        """Add wheels and pairs."""
        used = {gear.id: gear for stage in self.structure.stages for gear in stage.gears}
        halves = self._phases()
        for gear in used.values():
            if mesh == "loaded":
                self._made[gear.id] = self._with_bore(gear)
            self._wheel(model, bodies, names, gear, halves)
        for stage in self.structure.stages:
            phase = "as placed" if halves is not None and stage.component.new_type == "cylindrical_stage" else None
            name = names.of(stage.component)
            with about(stage.component):
                law = self._law(stage, mesh)
                model.gear_pair(name, names.of(stage.gears[0]), names.of(stage.gears[1]), mesh=law, phase=phase)  # type: ignore[arg-type]
            bodies.parts[name] = stage.component.id
            self._compare_distance(stage)

    def _wheel(
        self, model: Model, bodies: Bodies, names: PartNames, component: RexsComponent, halves: dict[int, float] | None
    ) -> None:
        place, gear, name = self.place(component), self.gear(component), names.of(component)
        shaft = self.shaft(component)
        body = bodies.at(shaft, place.origin)
        mass = component.number("mass_of_component")
        with_mass: bool | None = None if not mass or mass <= 0.0 else False
        if body.is_ground:
            with_mass = None
        elif with_mass is None and not bodies.is_elastic(shaft.id):
            line = self.lines.get(shaft.id)
            outer = (
                0.0
                if line is None
                else line.diameters(self.places.on_shaft(component, shaft))[0]
                if component.new_type != "bevel_gear"
                else 0.0
            )
            if not gear.internal and outer >= gear.root_diameter:
                with_mass = False
            else:
                with_mass = True
                if not gear.internal and outer > gear.bore:
                    gear = gear.with_(bore=outer)
        with about(component):
            model.wheel(
                name, body, gear, at=tuple(place.origin), orientation=place.turned, with_mass=with_mass,
                phase=(halves or {}).get(component.id, 0.0),
            )  # fmt: skip
            if mass and mass > 0.0 and not body.is_ground:
                blank = gear.solid
                scale = mass / blank.mass
                turn = body.orientation.T @ place.turned
                solid = type(blank)(mass, tuple(blank.centre_of_mass), scale * blank.inertia).turned(turn)
                shift = body.orientation.T @ (place.origin - body.position)
                model.attached_mass(names.of(component, "mass"), body, solid=solid.moved(tuple(shift)))
        bodies.parts[name] = component.id
        hand = "" if not gear.helix_angle else f", helix {math.degrees(gear.helix_angle):.6g} deg"
        self.report.add(
            "used", f"{component.label}: {gear.teeth} teeth, normal module {1e3 * gear.normal_module:.6g} mm{hand}"
        )

    def _with_bore(self, component: RexsComponent) -> Gear:
        """Gear with a bore, which finite elements need: the diameter of its shaft, at most 60 % of the root diameter."""
        gear, line = self.gear(component), self.lines.get(self.shaft(component).id)
        if gear.internal or gear.bore or component.new_type != "cylindrical_gear":
            return gear
        most = 0.6 * gear.root_diameter
        outer = most if line is None else line.diameters(self.places.on_shaft(component, self.shaft(component)))[0]
        bore = round(min(outer, most), 4)
        self.report.add("assumed", f"{component.label}: bore {1e3 * bore:g} mm for the finite elements of its teeth")
        return gear.with_(bore=bore)

    def _law(self, stage: StageParts, mesh: str) -> object:
        one = stage.component
        cylindrical = one.new_type == "cylindrical_stage"
        if mesh == "rigid" or (mesh == "rolling" and one.new_type == "worm_stage"):
            return Rigid()
        if mesh == "rolling":
            return Rolling()
        smallest, largest = one.number("minimum_normal_backlash"), one.number("maximum_normal_backlash")
        given = [value for value in (smallest, largest) if value is not None and value >= 0.0]
        options: dict[str, object] = {"damping_ratio": DAMPING_RATIO}
        self.report.add("assumed", f"gear pairs: damping ratio {DAMPING_RATIO:g} of the mesh")
        if given:
            options["backlash"] = sum(given) / len(given)
        else:
            options |= self._play(stage) if cylindrical else {"backlash": 0.0}
        if "backlash" in options:
            options["backlash"] /= self._base_helix_cosine(stage)  # type: ignore[operator]
        if mesh == "loaded" and cylindrical:
            return Loaded(**options)  # type: ignore[arg-type]
        stiffness = self._stiffness(stage)
        if stiffness is None and not cylindrical:
            self.report.add("assumed", f"{one.label}: rigid teeth, because the file has no mesh stiffness")
            return Rigid()
        return Elastic(**({} if stiffness is None else {"stiffness": stiffness}), **options)  # type: ignore[arg-type]

    def _base_helix_cosine(self, stage: StageParts) -> float:
        """cos β_b: backlash of a file, along the normal of the flanks, divided by that on the base circle. 1 for gears without
        common base circles, whose meshes have lengths along the normal."""
        a, b = (self.gear(gear) for gear in stage.gears)
        inner = -1.0 if a.internal or b.internal else 1.0
        if a.worm or b.worm or abs(a.helix_angle + inner * b.helix_angle) > ANGLE_TOLERANCE:
            return 1.0
        return math.sqrt(1.0 - (math.sin(a.helix_angle) * math.cos(a.normal_pressure_angle)) ** 2)

    def _play(self, stage: StageParts) -> dict[str, object]:
        """Normal backlash of a stage for which the file states none. The nominal tooth thickness gives none or almost none; both
        flanks would then be in contact under load, which a real gear unit avoids."""
        a, b = stage.gears
        place_a, place_b = self.place(a), self.place(b)
        pair = measured_pair(
            self.gear(a), self.gear(b), (place_a.origin, place_a.turned), (place_b.origin, place_b.turned), None, None,
            Subject("gear pair"),
        )  # fmt: skip
        module = self.gear(a).normal_module
        if pair.normal_backlash >= _LEAST_PLAY * module:
            return {}
        play = float(f"{_USUAL_PLAY * module:.3g}")
        self.report.add(
            "assumed",
            f"{stage.component.label}: backlash {1e3 * play:.3g} mm; the nominal tooth thicknesses give "
            f"{1e3 * pair.normal_backlash:.3g} mm",
        )
        return {"backlash": play}

    def _stiffness(self, stage: StageParts) -> float | None:
        """Mesh stiffness of the file [N/m], on the base circle as in ISO 6336."""
        one = stage.component
        per_width = one.number("mesh_stiffness_for_load_distribution_along_face_width")
        curve = one.numbers("meshing_stiffness_characteristic")
        if curve is not None and curve.size and np.all(curve > 0.0):
            self.report.add("assumed", f"{one.label}: mean of its meshing_stiffness_characteristic")
            return float(np.mean(curve))
        if not per_width or per_width <= 0.0:
            if one.new_type == "cylindrical_stage":
                self.report.add("assumed", f"{one.label}: mesh stiffness by ISO 6336-1, because the file has none")
            return None
        width = one.number("common_face_width")
        if not width:
            width = min(self.gear(gear).required_face_width("the mesh stiffness") for gear in stage.gears)
        self.report.add("used", f"{one.label}: mesh stiffness {per_width * width:.4g} N/m")
        return per_width * width

    # ------------------------------------------------------------------------------------------- phases and distance

    def _phases(self) -> dict[int, float] | None:
        """Rotation of ring gears [rad] with which all stated tooth phases fit; None if they do not."""
        pairs = [one for one in self.structure.stages if one.component.new_type == "cylindrical_stage"]
        if not pairs:
            return None
        rings = {gear.id: gear for stage in pairs for gear in stage.gears if gear.new_type == "ring_gear"}
        for turned in (False, True):
            halves = {number: math.pi / self.gear(ring).teeth for number, ring in rings.items()} if turned else {}
            if all(self._fits(stage, halves) for stage in pairs):
                where = "; ring gears have a space at w" if turned else ""
                self.report.add("used", f"phases of the teeth as in the file{where}")
                return halves
            if not rings:
                break
        self.report.add(
            "assumed",
            "phases of the teeth: each pair is placed in mesh, because the directions w of the file do not fit",
        )
        return None

    def _fits(self, stage: StageParts, halves: dict[int, float]) -> bool:
        poses = []
        for component in stage.gears:
            place = self.place(component)
            turn = halves.get(component.id, 0.0)
            about_z = np.array(
                [[math.cos(turn), -math.sin(turn), 0.0], [math.sin(turn), math.cos(turn), 0.0], [0.0, 0.0, 1.0]]
            )
            poses.append((place.origin, place.turned @ about_z))
        a, b = (self.gear(one) for one in stage.gears)
        try:
            with about(stage.component):
                pair = measured_pair(
                    a, b, poses[0], poses[1], None, None, Subject(f'gear pair "{stage.component.name}"')
                )
                offset = pair.align(*poses[0], *poses[1]).tooth_offset
        except ModelError as error:
            raise stage.component.error(None, str(error)) from error
        return abs(offset) < _FITS * math.pi * a.normal_module

    def _compare_distance(self, stage: StageParts) -> None:
        stated = stage.component.number("center_distance")
        if stated is None or stage.component.new_type == "bevel_stage":
            return
        a, b = (self.place(gear) for gear in stage.gears)
        normal = np.cross(a.u, b.u)
        between = b.origin - a.origin
        if np.linalg.norm(normal) < 1e-9:
            found = float(np.linalg.norm(between - float(between @ a.u) * a.u))
        else:
            found = abs(float(between @ normal)) / float(np.linalg.norm(normal))
        if abs(found - stated) > 1e-6:
            self.report.add(
                "assumed",
                f"{stage.component.label}: centre distance {1e3 * found:.6f} mm by the positions; "
                f"center_distance is {1e3 * stated:.6f} mm",
            )


# ---- train

# Speeds and torques of a gear unit: who drives, what is given, and where the free load balances.

_LARGEST = 1e12
"""Largest torque [N m] or force [N]."""
_FASTEST = 1e6
"""Largest speed [rad/s]."""


@dataclass(frozen=True)
class GivenLoad:
    """Load with given values, in the axes u, v, w of its shaft.

    forces, torques: (3,) [N], [N m]
    """

    component: RexsComponent
    shaft: RexsComponent
    point: FloatArray
    axes: FloatArray
    forces: tuple[float, float, float]
    torques: tuple[float, float, float]


@dataclass(frozen=True)
class Hold:
    """RexsPlace where the speed is prescribed, so that the torque there balances the others.

    component: the load, or the shaft if no load is free
    row:       coefficients of its speed
    """

    component: RexsComponent
    shaft: RexsComponent
    point: FloatArray
    row: FloatArray


@dataclass
class LoadedTrain:
    """Speeds and torques of one load case.

    speeds:    (shaft, given speed [rad/s]) that determine all others
    rotations: of the groups
    balanced:  torque of each hold [N m] about u of its shaft, without losses
    """

    kinematics: Kinematics
    groups: dict[int, int | None]
    loads: list[GivenLoad] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    speeds: list[tuple[RexsComponent, float]] = field(default_factory=list)
    speed_rows: list[FloatArray] = field(default_factory=list)
    balanced: list[float] = field(default_factory=list)

    @property
    def rotations(self) -> FloatArray:
        """Rotations of the groups [rad/s]."""
        return self.kinematics.motion(self.speed_rows, [value for _, value in self.speeds])

    def unit_rotations(self) -> list[FloatArray]:
        """Rotations of the groups for the speed 1 rad/s of each given speed, the others 0."""
        count = len(self.speeds)
        return [self.kinematics.motion(self.speed_rows, [float(n == k) for n in range(count)]) for k in range(count)]

    def motion(self, number: int, rotations: FloatArray | None = None) -> PartMotion:
        """Motion of a part."""
        found = self.rotations if rotations is None else rotations
        group = self.groups.get(number)
        spins = [found @ self.kinematics.spin_row(group, axis) for axis in np.eye(3)]

        def velocity(point: FloatArray) -> FloatArray:
            return np.array([found @ self.kinematics.velocity_row(group, point, axis) for axis in np.eye(3)])

        return PartMotion(np.array(spins), velocity)


def read_train(
    structure: UnitStructure, places: RexsPlaces, kinematics: Kinematics, groups: dict[int, int | None], report: ImportReport,
    *, also: frozenset[int] = frozenset(),
) -> LoadedTrain:  # fmt: skip
    """Read loads and speeds, and choose the holds.

    also: ids of loads that are part of the model even if they are zero, because they are not in another load case
    """
    train = LoadedTrain(kinematics, groups)
    _read_speeds(train, structure, places, report)
    free: list[Hold] = []
    for shaft in structure.shafts.values():
        place = places.of(shaft.component)
        row = kinematics.spin_row(groups[shaft.component.id], place.u)
        speed = float(train.rotations @ row) if len(row) else 0.0
        for load in shaft.loads:
            point = place.along(load.number("u_coordinate_on_shaft") or 0.0).origin
            forces, torques, is_free = _values(load, speed, report)
            if any(forces) or any(torques) or load.id in also:
                train.loads.append(GivenLoad(load, shaft.component, point, place.axes, forces, torques))
            if is_free:
                free.append(Hold(load, shaft.component, point, row))
    _choose_holds(train, structure, places, free, report)
    return train


def _read_speeds(train: LoadedTrain, structure: UnitStructure, places: RexsPlaces, report: ImportReport) -> None:
    found = []
    for shaft in structure.shafts.values():
        one = shaft.component
        speed = one.number("rotational_speed")
        if speed is None:
            continue
        if abs(speed) > _FASTEST:
            raise one.error("rotational_speed", "is not plausible")
        found.append((one, speed, bool(one.flag("defines_speed"))))
    found.sort(key=lambda item: not item[2])
    rows = [train.kinematics.spin_row(train.groups[one.id], places.of(one).u) for one, _, _ in found]
    chosen = train.kinematics.independent(rows)
    train.speeds = [found[n][:2] for n in chosen]
    train.speed_rows = [rows[n] for n in chosen]
    rotations = train.rotations
    for n, (one, speed, _) in enumerate(found):
        computed = float(rows[n] @ rotations) if len(rotations) else 0.0
        if n not in chosen and abs(computed - speed) > 1e-4 * max(abs(computed), abs(speed), 1.0):
            report.add(
                "ignored",
                f"{one.label}: rotational_speed {speed * 30 / np.pi:.6g} 1/min; "
                f"{computed * 30 / np.pi:.6g} 1/min follows from the ratios",
            )


def _values(
    load: RexsComponent, speed: float, report: ImportReport
) -> tuple[tuple[float, float, float], tuple[float, float, float], bool]:
    """Forces and torques of a load, and whether its torque is free."""
    numbers: list[float] = []
    keys = [*(f"force_{axis}_direction" for axis in "uvw"), *(f"torque_around_{axis}_axis" for axis in "uvw")]
    for key in keys:
        value = load.number(key)
        if value is None and key[-6] in "vw" and key.startswith("torque"):
            value = load.number(key.replace("around_", "around_the_"))
        if value is not None and abs(value) > _LARGEST:
            raise load.error(key, f"{value:g} is not plausible")
        numbers.append(0.0 if value is None else value)
    stated = load.has("torque_around_u_axis")
    defines, transmits = load.flag("defines_torque"), load.flag("transmits_torque")
    power = load.number("power")
    if not stated and power and defines is not False:
        if not speed:
            raise load.error(
                "power", "needs the speed of its shaft to give a torque. Specify rotational_speed of a shaft"
            )
        numbers[3] = power / speed
        stated = True
        report.add("used", f"{load.label}: torque {numbers[3]:.6g} N m from its power")
    is_free = bool(transmits) and (defines is False or not stated)
    if is_free and stated and numbers[3]:
        report.add(
            "kept",
            f"{load.label}: torque_around_u_axis {numbers[3]:.6g} N m is a result, because defines_torque is false",
        )
        numbers[3] = 0.0
    return (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5]), is_free


def _choose_holds(
    train: LoadedTrain, structure: UnitStructure, places: RexsPlaces, free: list[Hold], report: ImportReport
) -> None:
    """Free loads hold first, then shafts with a given speed, then any shaft on a fixed axis."""
    kinematics = train.kinematics
    candidates = list(free)
    shafts = [one.component for one in structure.shafts.values()]
    ordered = [one for one, _ in train.speeds] + [one for one in shafts if all(one is not x for x, _ in train.speeds)]
    for one in ordered:
        place = places.of(one)
        group = train.groups[one.id]
        if group is not None and kinematics.groups[group].carrier is None:
            candidates.append(Hold(one, one, place.origin, kinematics.spin_row(group, place.u)))
    chosen = kinematics.independent([one.row for one in candidates])
    train.holds = [candidates[n] for n in chosen]
    for n, hold in enumerate(free):
        if n not in chosen:
            report.add(
                "assumed", f"{hold.component.label}: torque 0, because other free loads already balance the gear unit"
            )
    torques = []
    for load in train.loads:
        total = load.axes @ np.array(load.torques)
        group = train.groups[load.shaft.id]
        rows = [kinematics.spin_row(group, axis) for axis in np.eye(3)]
        torques += [(row, float(value)) for row, value in zip(rows, total, strict=True) if value]
    train.balanced, _ = kinematics.balance([one.row for one in train.holds], torques)
    for hold, torque in zip(train.holds, train.balanced, strict=True):
        if any(hold is one for one in free):
            report.add(
                "used",
                f"{hold.component.label}: balances the other loads, with {torque:.6g} N m about u without losses",
            )
        else:
            largest = max((abs(value) for _, value in torques), default=0.0)
            rest = (
                f"; the given torques leave {torque:.6g} N m there" if abs(torque) > 1e-6 * max(largest, 1e-9) else ""
            )
            report.add(
                "assumed", f"{hold.component.label}: its speed is prescribed, because no load is free there{rest}"
            )
