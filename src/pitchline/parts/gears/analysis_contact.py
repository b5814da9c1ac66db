"""Gears of loaded contacts: which method they need, their elasticity, and their position in a result."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.contact.surface_strips import SurfacePair, nominal_play
from pitchline.errors import ModelError, near_names, shown
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.model.model import Model

from ..meshes.analysis import force_at, standing_at, wheel_pose
from ..meshes.part import GearMesh
from ..meshes.table_request import teeth_of
from .geometry.axes import in_phase
from .geometry.directions import length_factor
from .geometry.gear import Gear
from .geometry.kinds import Kind, PitchGeometry
from .geometry.pair import GearPair
from .geometry.placement import AssemblyErrors, Placement
from .geometry.rack import Rack
from .surfaces.from_gears import SurfaceTeeth, surface_teeth
from .teeth.bevel import BevelTeeth
from .teeth.rigid_contact import place_teeth
from .teeth.teeth import Teeth

__all__ = [
    "ContactGears",
    "closed_form",
    "contact_gears",
    "KeptGears",
    "AnyTeeth",
    "SurfaceGears",
    "base_lever",
    "surface_gears",
    "elastic_gears",
    "gears_at_result",
    "kept_elastic",
    "on_parallel_axes",
]


# ---- contact gears

# The two gears of a contact analysis and their relative position, from two gears, a pair or a model.


@dataclass(frozen=True, eq=False)
class ContactGears:
    """Two gears and their relative position from the pair or model.

    Attributes
    ----------
    a, b : ElasticGear | Teeth | SurfaceTeeth
    centre_distance : object
        [m] None if not specified.
    face_offset, deviation, inclination, start : float
        As in `MeshStanding`; 0 for gears without a model.
    pitch_point : float | None
        For wheels of a model: position of the pitch point along the face of A [m]. The mesh of the model measures its approach
        there.
    """

    a: ElasticGear | Teeth | SurfaceTeeth
    b: ElasticGear | Teeth | SurfaceTeeth
    centre_distance: object = None
    face_offset: float = 0.0
    deviation: float = 0.0
    inclination: float = 0.0
    start: float = 0.0
    pitch_point: float | None = None

    @property
    def teeth(self) -> tuple[Any, Any]:
        """`Teeth` of both gears, `SurfaceTeeth` of those with imported flanks."""
        first, second = (one.teeth if isinstance(one, ElasticGear) else one for one in (self.a, self.b))
        return first, second


def closed_form(a: object, b: object) -> bool:
    """Whether contact has a closed form: involute flanks on parallel axes that point in one direction, or conical involute gears.

    Other gears are those of `surface_gears`. Objects that are not gears are left to the functions that read them.
    """
    if isinstance(a, Model):
        made = a.gear_pairs.get(b) if isinstance(b, str) else None
        if made is None:
            return True
        return _parallel(made.pair) and not (made.standing is not None and made.standing.reversed)
    if isinstance(a, GearPair):
        return _parallel(a)
    gears = [one.teeth if isinstance(one, ElasticGear) else one for one in (a, b)]
    gears = [one.gear if isinstance(one, Teeth) else one for one in gears]
    if any(isinstance(one, (BevelTeeth, SurfaceTeeth, Rack)) for one in gears):
        return False
    return not any(isinstance(one, Gear) and (one.cone_angle or one.flanks is not None) for one in gears)


def _parallel(pair: object) -> bool:
    if not isinstance(pair, GearPair) or not isinstance(pair.b, Gear):
        return False
    if pair.a.flanks is not None or pair.b.flanks is not None:
        return False
    return pair.kind.parallel or pair.kind == "beveloid"


def contact_gears(
    a: object, b: object, what: str, *, centre_distance: object = None, about: object = None
) -> ContactGears:
    """Return the gears of an analysis that was called with (a, b), (pair) or (model, "name of a pair").

    about: result whose end gives the positions of the wheels of a model; default: the initial pose."""
    if isinstance(a, Model):
        return _in_model(a, b, what, centre_distance, about)
    if about is not None:
        raise ModelError(
            f"{what}: about specifies the positions of the wheels of a model. Specify the model and the name of a "
            'pair: (model, "mesh")'
        )
    if isinstance(a, GearPair):
        if b is not None or centre_distance is not None:
            raise ModelError(
                f"{what}: a GearPair contains both gears and their centre distance. Leave out gear b and centre_distance"
            )
        if not isinstance(a.b, Gear):
            raise ModelError(f"{what}: gear b is a rack. Specify two gears that are not racks")
        conical = a.a.profile_shift_angle or a.b.profile_shift_angle
        return ContactGears(teeth_of(a.a), teeth_of(a.b), None if conical else a.centre_distance)
    return ContactGears(_teeth(a, "a", what), _teeth(b, "b", what), centre_distance)


def _teeth(gear: object, name: str, what: str) -> ElasticGear | Teeth | SurfaceTeeth:
    if isinstance(gear, (ElasticGear, Teeth, SurfaceTeeth)):
        return gear
    if isinstance(gear, Gear):
        return teeth_of(gear)
    whole = "" if name == "b" else ', or a GearPair, or a model and the name of a pair: (model, "mesh")'
    raise ModelError(f"{what}: {name} must be a Gear, Teeth or an ElasticGear{whole}, got {shown(gear)}")


def _in_model(model: Model, name: object, what: str, centre_distance: object, about: object) -> ContactGears:
    if not isinstance(name, str) or name not in model.gear_pairs:
        if name is None:
            known = ", ".join(f'"{pair}"' for pair in model.gear_pairs) or "none"
            raise ModelError(f'{what}: specify the gear pair of model "{model.name}". It has {known}')
        raise ModelError(
            f'{what}: model "{model.name}" has no gear pair {shown(name)}; {near_names(str(name), model.gear_pairs)}'
        )
    if centre_distance is not None:
        raise ModelError(
            f"{what}: the model specifies the centre distance of the gears. Leave out centre_distance, or move a wheel"
        )
    made = model.gear_pairs[name]
    pair = made.pair
    if (
        not isinstance(pair, GearPair)
        or not isinstance(pair.b, Gear)
        or not (pair.kind.parallel or pair.kind == "beveloid")
    ):
        raise ModelError(
            f'{what}: gear pair "{name}" is {pair.kind}. Contact is computed for two gears with parallel axes, or for conical '
            "involute gears"
        )
    teeth = teeth_of(pair.a), teeth_of(pair.b)
    stands = made.standing if about is None else standing_at(model, name, about, what)
    if stands is None:
        return ContactGears(*teeth)
    if stands.reversed:
        raise ModelError(
            f'{what}: gear pair "{name}": the axes of both wheels must point in the same direction. Reverse one '
            "wheel, as mesh_with= "
            "does"
        )
    return ContactGears(
        *teeth,
        stands.centre_distance,
        stands.face_offset,
        stands.deviation,
        stands.inclination,
        stands.start,
        stands.pitch_point,
    )


# ---- kept gears

# Elastic gears of the last loaded contact analyses in this process.
#
# Studies compute many contacts of the same gears with other modifications of their flanks, which do not change the
# finite elements.


class KeptGears:
    """The last elastic gears.

    most : their number. memory : size of the compliances of all but the last two [bytes]
    """

    def __init__(self, most: int = 6, memory: float = 3e8) -> None:
        self.most, self.memory = most, memory
        self._gears: list[ElasticGear] = []

    def found(self, teeth: Teeth) -> ElasticGear | None:
        """The elastic gear of these teeth, also if their flanks have other modifications; None if it is not kept."""
        for kept in self._gears:
            if kept.material == teeth.gear.material and kept.has_shape_of(teeth):
                return kept.with_teeth(teeth)
        return None

    def keep(self, gear: ElasticGear) -> None:
        """Keep a gear; the oldest ones give way."""
        self._gears = [gear, *self._gears[: self.most - 1]]
        sizes = itertools.accumulate(sum(C.nbytes for C in kept.compliance.values()) for kept in self._gears)
        self._gears = [
            kept for k, (kept, size) in enumerate(zip(self._gears, sizes, strict=True)) if k < 2 or size < self.memory
        ]


# ---- surface gears

# Two gears with flanks of any shape and their relative position: from two gears, a pair or a model.

AnyTeeth = Teeth | BevelTeeth | SurfaceTeeth | Gear | Rack


@dataclass(frozen=True, eq=False)
class SurfaceGears:
    """Two gears in mesh, at any position of their axes.

    Attributes
    ----------
    a, b
        The teeth as they were specified (elastic gears too).
    pair : GearPair
        The nominal gears in mesh.
    placement : Placement
        Of gear B in the axes of A, a tooth of A in the middle of a space of B at the angle 0, with the errors of assembly.
    ratio : float
        Angle of B over angle of A about their own z axes; of a rack: travel along y over angle [m].
    play : float
        How far B can turn from there [rad] (a rack travel [m]) until ideal flanks touch.
    lever : float
        Length in the direction of transmission errors over the angle of B [m]: the radius of its base circle; of a rack the cosine
        of its transverse pressure angle; of gears without common base circles the lever of the normal
        (`parts.gears.geometry.directions`).
    """

    a: ElasticGear | AnyTeeth
    b: ElasticGear | AnyTeeth
    pair: GearPair
    placement: Placement
    ratio: float
    play: float
    lever: float

    @property
    def teeth(self) -> tuple[SurfaceTeeth, SurfaceTeeth]:
        """Of both gears, as surfaces."""
        return _surfaces(self.a), _surfaces(self.b)

    def contact(self, side: str) -> SurfacePair:
        """The flanks that touch while the "left" or "right" flank of A does."""
        return SurfacePair(*self.teeth, self.placement, side, ratio=self.ratio)


def surface_gears(
    a: object, b: object, what: str, *, centre_distance: object = None, shaft_angle: object = None,
    errors: object = None,
) -> SurfaceGears:  # fmt: skip
    """Return the gears of an analysis that was called with (a, b), (pair) or (model, "name of a pair")."""
    wrong = AssemblyErrors.of(errors, f"{what}: errors")
    if isinstance(a, Model):
        made = pair_of_model(a, b, what)
        pair = made.pair
        if not isinstance(pair, GearPair):
            raise ModelError(f'{what}: gear pair "{b}" rolls without teeth. Specify a pair of gears')
        for name, value in (("centre_distance", centre_distance), ("shaft_angle", shaft_angle)):
            if value is not None:
                raise ModelError(f"{what}: the model contains the positions of the gears. Leave out {name}")
        poses = a.placed(made.wheel_a.frame), a.placed(made.wheel_b.frame)
        # not that of the mesh, which may have fitted its phase
        aligned = pair.align(*poses[0], *poses[1])
        return _in_mesh(pair.a, pair.b, pair, aligned.pitch, in_phase(aligned, *poses), wrong)
    if isinstance(a, GearPair):
        if b is not None or centre_distance is not None or shaft_angle is not None:
            raise ModelError(
                f"{what}: a GearPair contains both gears and their position. Leave out gear b, centre_distance and shaft_angle"
            )
        return _in_mesh(a.a, a.b, a, a.pitch, None, wrong)
    gears = [_nominal(one, name, what) for one, name in ((a, "a"), (b, "b"))]
    if isinstance(gears[0], Rack):
        raise ModelError(f"{what}: gear a is a rack. Specify the pinion first and the rack second")
    pair = GearPair(gears[0], gears[1], centre_distance=centre_distance, shaft_angle=shaft_angle, what=what)
    return _in_mesh(a, b, pair, pair.pitch, None, wrong)


def _nominal(one: object, name: str, what: str) -> Gear | Rack:
    if isinstance(one, (Gear, Rack)):
        return one
    if isinstance(one, ElasticGear):
        one = one.teeth
    if isinstance(one, (Teeth, BevelTeeth, SurfaceTeeth)):
        return one.gear
    whole = "" if name == "b" else ', or a GearPair, or a model and the name of a pair: (model, "mesh")'
    raise ModelError(
        f"{what}: {name} must be a Gear, a Rack, Teeth, BevelTeeth, SurfaceTeeth or an ElasticGear{whole}, got {shown(one)}"
    )


def _in_mesh(
    a: object, b: object, pair: GearPair, pitch: PitchGeometry, pose: Placement | None, errors: AssemblyErrors | None
) -> SurfaceGears:
    play = nominal_play(pitch, pair.backlash)
    if pose is None:
        if pair.kind == "beveloid":
            assert isinstance(pair.b, Gear)
            pose, play = place_teeth(Teeth(pair.a.with_(flanks=None)), Teeth(pair.b.with_(flanks=None)))
        else:
            pose = pair.place()
    if errors is not None:
        pose = errors.applied(pose, rack=pitch.is_rack)
    return SurfaceGears(a, b, pair, pose, pitch.speed_ratio, play, base_lever(pair.kind, pitch))  # type: ignore[arg-type]


def base_lever(kind: Kind, pitch: PitchGeometry) -> float:
    """Radius of the base circle of B [m], r_B cos α_t; of a rack cos α_t; of crossed axes r_B cos β_B cos α_n."""
    along_hoop = math.cos(pitch.beta_b) if pitch.is_rack else 0.5 * pitch.normal_module * pitch.teeth_b
    return length_factor(kind, pitch) * along_hoop


def pair_of_model(model: Model, name: object, what: str) -> GearMesh:
    """The gear pair of a model with this name."""
    if not isinstance(name, str) or name not in model.gear_pairs:
        if name is None:
            known = ", ".join(f'"{pair}"' for pair in model.gear_pairs) or "none"
            raise ModelError(f'{what}: specify the gear pair of model "{model.name}". It has {known}')
        raise ModelError(
            f'{what}: model "{model.name}" has no gear pair {shown(name)}; {near_names(str(name), model.gear_pairs)}'
        )
    return model.gear_pairs[name]


def _surfaces(one: object) -> SurfaceTeeth:
    return surface_teeth(one.teeth if isinstance(one, ElasticGear) else one)


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
