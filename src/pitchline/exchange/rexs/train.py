"""Speeds and torques of a gear unit: who drives, what is given, and where the free load balances."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...solids.rotations import Array
from ..imported import ImportReport
from .bodies import PartMotion
from .component import RexsComponent
from .kinematics import Kinematics
from .places import RexsPlaces
from .structure import UnitStructure

__all__ = ["GivenLoad", "Hold", "LoadedTrain", "read_train"]

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
    point: Array
    axes: Array
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
    point: Array
    row: Array


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
    speed_rows: list[Array] = field(default_factory=list)
    balanced: list[float] = field(default_factory=list)

    @property
    def rotations(self) -> Array:
        """Rotations of the groups [rad/s]."""
        return self.kinematics.motion(self.speed_rows, [value for _, value in self.speeds])

    def unit_rotations(self) -> list[Array]:
        """Rotations of the groups for the speed 1 rad/s of each given speed, the others 0."""
        count = len(self.speeds)
        return [self.kinematics.motion(self.speed_rows, [float(n == k) for n in range(count)]) for k in range(count)]

    def motion(self, number: int, rotations: Array | None = None) -> PartMotion:
        """Motion of a part."""
        found = self.rotations if rotations is None else rotations
        group = self.groups.get(number)
        spins = [found @ self.kinematics.spin_row(group, axis) for axis in np.eye(3)]

        def velocity(point: Array) -> Array:
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
