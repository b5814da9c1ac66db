"""Gears of loaded contacts with flanks of any shape: which method they need, their elasticity, and their position in a result."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..errors import ModelError
from ..fem.elastic_gear import ElasticGear, elastic_gear
from ..gears import Gear, GearPair, Rack
from ..gears.placement import Placement
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import BevelTeeth, Teeth
from ..model import Model
from ..model.table_request import teeth_of
from .kept_gears import KeptGears
from .mesh_at_result import force_at, wheel_pose
from .surface_gears import SurfaceGears

__all__ = ["elastic_gears", "gears_at_result", "kept_elastic", "on_parallel_axes"]

Array = np.ndarray

_ON_AXIS = 1e-3
"""The centre of B is on the axis of A within this part of its distance: the axis of B gives the direction."""


def on_parallel_axes(a: object, b: object) -> bool:
    """Whether two gears are cylindrical, on parallel axes that point in one direction. Objects that are not gears are left to the
    functions that read them."""
    if isinstance(a, Model):
        made = a.gear_pairs.get(b) if isinstance(b, str) else None
        if made is None:
            return True
        if not isinstance(made.pair, GearPair) or not isinstance(made.pair.b, Gear):
            return False
        return made.pair.kind.parallel and not (made.standing is not None and made.standing.reversed)
    if isinstance(a, GearPair):
        return isinstance(a.b, Gear) and a.kind.parallel
    gears = [one.teeth if isinstance(one, ElasticGear) else one for one in (a, b)]
    gears = [one.gear if isinstance(one, (Teeth, BevelTeeth, SurfaceTeeth)) else one for one in gears]
    if any(isinstance(one, Rack) for one in gears):
        return False
    if any(isinstance(one, Gear) and (one.cone_angle or one.profile_shift_angle or one.worm) for one in gears):
        return False
    first, second = gears
    if not (isinstance(first, Gear) and isinstance(second, Gear)):
        return True
    sense = -1.0 if first.internal or second.internal else 1.0
    return abs(first.helix_angle + sense * second.helix_angle) < 1e-6


def kept_elastic(gear: object, kept: KeptGears, progress: Callable[[float, str], None]) -> ElasticGear:
    """The elastic gear of teeth with its default grid, from those kept if it is among them."""
    if isinstance(gear, ElasticGear):
        return gear
    if not isinstance(gear, Teeth):
        return elastic_gear(gear, progress=progress)  # type: ignore[arg-type]
    found = kept.found(gear)
    if found is None:
        found = elastic_gear(gear, progress=progress)
        kept.keep(found)
    return found


def elastic_gears(
    gears: SurfaceGears, kept: KeptGears, tell: Callable[[float, str], None], what: str, bore: str = "fixed"
) -> tuple[ElasticGear, ElasticGear]:
    """Both gears with their elasticity; an error for gears without supports, or for gears that need a surface."""
    found = []
    for name, one in (("a", gears.a), ("b", gears.b)):
        if isinstance(one, ElasticGear) and one.bore not in ("fixed", "rigid") and bore == "fixed":
            raise ModelError(
                f'{what}: gear {name} is free (bore "{one.bore}"), but torque requires a fixed bore. Specify an ElasticGear with '
                'bore="fixed"'
            )
        try:
            given = teeth_of(one) if isinstance(one, Gear) else one
            found.append(kept_elastic(given, kept, lambda part, doing, of=name: tell(0.0, f"gear {of}: {doing}")))  # type: ignore[misc]
        except ModelError as error:
            raise ModelError(f"{what}: gear {name}: {error}") from None
    return found[0], found[1]


def gears_at_result(a: object, b: object, gears: SurfaceGears, about: object, what: str) -> tuple[SurfaceGears, float]:
    """The gears in the position of their axes at the end of a result of the model, and the torque on B [N m] there.

    The axes and centres are those of the result. Turns about the own axes are left out: the position of the teeth follows from
    their contact.
    """
    if not isinstance(a, Model) or not isinstance(b, str):
        raise ModelError(
            f"{what}: about specifies the positions of the wheels of a model. Specify the model and the name of a "
            'pair: (model, "mesh")'
        )
    made = a.gear_pairs[b]
    rack = isinstance(gears.pair.b, Rack)
    before = [a.placed(wheel.frame) for wheel in (made.wheel_a, made.wheel_b)]
    after = [wheel_pose(a, wheel, about, what) for wheel in (made.wheel_a, made.wheel_b)]
    swings = [_swing(R_0[:, 2], R[:, 2]) for (_, R_0), (_, R) in zip(before, after, strict=True)]
    if rack:
        swings[1] = after[1][1] @ before[1][1].T
    # from the axes of A, in which the placement is given, to the world: in phase, as it was placed
    turned = _in_phase_a(gears.placement, *before, rack=rack)
    moved_a, moved_b = swings[0] @ turned, swings[1] @ turned @ gears.placement.rotation
    x_a, x_b = after[0][0], after[1][0]
    if rack:
        # along its travel a rack is where the placement has it
        travel = moved_b[:, 1]
        before_b = swings[0] @ turned @ gears.placement.position
        away = x_b - x_a - before_b
        x_b = x_b - travel * float(away @ travel)
    pose = Placement(moved_a.T @ (x_b - x_a), moved_a.T @ moved_b)
    pitch = made.alignment.pitch  # with the directions of the axes as they are
    lever = math.cos(pitch.beta_b) if pitch.is_rack else 0.5 * pitch.normal_module * pitch.teeth_b
    torque = force_at(b, about, what) * math.cos(pitch.pressure_angle) * lever * pitch.axis_sign_a
    return replace(gears, placement=pose), torque


def _in_phase_a(
    placement: Placement, before_a: tuple[Array, Array], before_b: tuple[Array, Array], *, rack: bool
) -> Array:
    """Axes of A in the world in which gear B is placed: R_A turned about its z axis."""
    (x_a, R_a), (x_b, R_b) = before_a, before_b
    towards, wanted = R_a.T @ (x_b - x_a), placement.position
    if rack:  # it may be anywhere along its travel: out of its reference plane
        towards, wanted = R_a.T @ R_b[:, 0], placement.rotation[:, 0]
    elif math.hypot(wanted[0], wanted[1]) < _ON_AXIS * float(np.linalg.norm(wanted)):
        towards, wanted = R_a.T @ R_b[:, 2], placement.rotation[:, 2]
    angle = math.atan2(towards[1], towards[0]) - math.atan2(wanted[1], wanted[0])
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(R_a @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))


def _swing(before: Array, after: Array) -> Array:
    """The rotation without spin that takes one axis to another; (3, 3)."""
    axis = np.cross(before, after)
    cosine = float(before @ after)
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))
