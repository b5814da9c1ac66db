"""Two gears with flanks of any shape and their relative position: from two gears, a pair or a model."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..contact.surface_pair import SurfacePair, nominal_play
from ..errors import ModelError, near_names, shown
from ..fem.elastic_gear import ElasticGear
from ..gears import Gear, GearPair, Rack
from ..gears.aligned_pose import in_phase
from ..gears.assembly_errors import AssemblyErrors
from ..gears.directions import length_factor
from ..gears.kinds import Kind
from ..gears.pitch import PitchGeometry
from ..gears.placement import Placement
from ..gears.surfaces import SurfaceTeeth, surface_teeth
from ..gears.teeth import BevelTeeth, Teeth, place_teeth
from ..model import Model
from ..model.gear_mesh import GearMesh

__all__ = ["AnyTeeth", "SurfaceGears", "base_lever", "surface_gears"]

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
        of its transverse pressure angle; of gears without common base circles the lever of the normal (`gears.directions`).
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
