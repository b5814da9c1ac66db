"""Relative position and load of the gears of a pair at the end of a result, for contact analyses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pitchline.errors import ModelError, shown
from pitchline.model.model import Model
from pitchline.results.result import Result
from pitchline.solids.rotations import read_rotation

from ..bodies.part import Placed
from ..gears.geometry.gear import Gear
from ..gears.geometry.pair import GearPair
from ..gears.part import Wheel
from .table_request import MeshStanding, standing_of_poses

__all__ = ["force_at", "standing_at", "torque_at", "wheel_pose"]

_NO_FORCE = 1e-9
"""[N] Tooth force that counts as zero."""


def standing_at(model: Model, name: str, about: object, what: str) -> MeshStanding:
    """Return centre distance, face offset and axes of a pair of cylindrical gears at the end of a result."""
    found = _result(about, what)
    made = model.gear_pairs[name]
    stands = made.standing
    if stands is None or not isinstance(made.pair, GearPair):
        raise ModelError(
            f'{what}: about: gear pair "{name}" is {made.pair.kind}, but about is for cylindrical gears. Leave it out'
        )
    poses = (_pose(model, wheel, found, what) for wheel in (made.wheel_a, made.wheel_b))
    now = standing_of_poses(made.pair, *poses)
    return replace(now, pitch_point=stands.pitch_point, start=stands.start)


def torque_at(model: Model, name: str, about: object, what: str) -> float:
    """Torque on wheel B [N m]: normal force times lever; positive if the drive flank of A carries the load."""
    pair = model.gear_pairs[name].pair
    assert isinstance(pair, GearPair) and isinstance(pair.b, Gear)
    gear = pair.b
    return force_at(name, about, what) * 0.5 * gear.base_diameter * math.cos(gear.base_helix_angle)


def force_at(name: str, about: object, what: str) -> float:
    """Normal force of a pair of wheels at the end of a result [N]; positive if the drive flank of A carries the load."""
    found = _result(about, what)
    signal = f"{name}.signed_force"
    if signal not in found:
        raise ModelError(
            f'{what}: about: the result of model "{found.model_name}" has no "{signal}". Use a result of this model'
        )
    force = float(np.asarray(found[signal].final))
    if not math.isfinite(force) or abs(force) <= _NO_FORCE:
        raise ModelError(
            f'{what}: about: gear pair "{name}" carries no load at the end of that result. Specify torque=...'
        )
    return force


def wheel_pose(model: Model, wheel: Wheel, about: object, what: str) -> Placed:
    """Centre and axes of a wheel at the end of a result."""
    return _pose(model, wheel, _result(about, what), what)


def _result(about: object, what: str) -> Result:
    if not isinstance(about, Result) or not about.time.size:
        raise ModelError(f"{what}: about must be a result of statics, kinematics or dynamics, got {shown(about)}")
    return about


def _pose(model: Model, wheel: Wheel, found: Result, what: str) -> Placed:
    """Centre and axes of a wheel at the end of a result."""
    frame = wheel.frame
    body = model.bodies.get(frame.body_name)
    if body is None or body.is_ground:
        return model.placed(frame)
    if f"{body.name}.position" not in found:
        raise ModelError(
            f'{what}: about: the result of model "{found.model_name}" has no body "{body.name}". Use a result of this model'
        )
    R = read_rotation(np.asarray(found[f"{body.name}.orientation"].final), what=what)
    return np.asarray(found[f"{body.name}.position"].final) + R @ frame.position, R @ frame.rotation
