"""The two gears of a contact analysis and their relative position, from two gears, a pair or a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import ModelError, near_names, shown
from ..fem.elastic_gear import ElasticGear
from ..gears import Gear, GearPair, Rack
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import BevelTeeth, Teeth
from ..model import Model
from ..model.table_request import teeth_of
from .mesh_at_result import standing_at

__all__ = ["ContactGears", "closed_form", "contact_gears"]


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
