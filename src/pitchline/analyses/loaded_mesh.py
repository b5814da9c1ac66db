"""From the gears to the law of their teeth in motion: tables of loaded tooth contact for `Loaded`.

At every phase and load two elastic gears are pressed together (`contact.elastic_pair`), and how far gear B gives way on
its base circle is the approach of the table,

    u(F, φ) = x/cos β_b ,    F = T/r_b ,

with x along the normals of the flanks, which is the lagging transmission error of `loaded_contact`. Without load x is
the least gap of the rigid flanks: first touch.

**Which phase.** `Loaded` counts φ = z_A ψ_A / 2π from where the middle of a tooth of A points at the pitch point, A
turning forwards; so does the pose of the contact analysis, whose tooth 0 of A then stands in a space of B. Wheel A pushes
forwards with its left flanks: these are the drive side, the right flanks the coast side at the same phases.

**Which loads.** Hertz's contact stiffens with the logarithm of the load, crowned flanks with its square root or so:
most of the bend is at light loads. Loads spaced with the square of their number meet it.

**Which phases.** Where a pair of spur teeth comes in or leaves, the approach has a kink, and the jump of its rate is what
rings the wheels. A spline rounds it off over the distance of two phases, which is to be short against the period of the
mesh's own vibration at the speed of the run: too few phases make gears too quiet.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..arguments import names_wrong_arguments
from ..contact.elastic_pair import ElasticPair
from ..contact.load_cycle import load_cycle
from ..contact.mesh_pose import MeshPose, mesh_pose
from ..errors import ModelError, shown
from ..fem.elastic_gear import ElasticGear, elastic_gear
from ..gears import Gear, GearPair
from ..gears.inputs import number, whole
from ..gears.teeth import Teeth
from ..model import Loaded
from ..progress import current, staged
from ..units import array, quantity

__all__ = ["loaded_mesh"]

FloatArray = npt.NDArray[np.float64]
Tell = Callable[[float, str], None]

_WHAT = "loaded mesh"
_SAME = 1e-9
"""[m] Flanks that differ by less are alike."""
_SAMPLES = 41


@names_wrong_arguments
@staged("table of loaded contact")
def loaded_mesh(
    a: ElasticGear | Teeth | Gear | GearPair,
    b: ElasticGear | Teeth | Gear | None = None,
    *,
    torque: object,
    loads: object = 8,
    phases: object = 128,
    coast: object = "auto",
    bore: str = "fixed",
    centre_distance: object = None,
    misalignment: object = 0.0,
    deviation: object = 0.0,
    inclination: object = 0.0,
    face_offset: object = 0.0,
    resolution: object = 4.0,
    cells: object = 15,
    progress: Tell | None = None,
    **options: object,
) -> Loaded:
    """The teeth of two gears as a mesh for dynamics: `Loaded`, its tables computed from the gears themselves.

    ``m.gear_pair("mesh", a, b, mesh=pl.loaded_mesh(teeth_a, teeth_b, torque="100 N*m"))``: no stiffness is made up, none
    is averaged, and modified flanks bring their transmission error with them. It is called as `loaded_contact` is, and
    what it gives is a `Loaded`: hence the name. It is no way to make an `Elastic`, whose spring does not know its load.

    The finite elements of a gear take some seconds the first time, the table one or two, of helical gears up to ten.

    Parameters
    ----------
    a, b
        The gears in the order of the gear pair: `ElasticGear`, `Teeth` (made elastic with the default mesh, and kept), or a
        `Gear` with unmodified teeth; or one `GearPair`, whose centre distance holds. Their axes point the same way. Every
        tooth of a gear is alike: errors of single teeth are `error=pl.Varying(..., over="revolution of a")`.
    torque
        The largest on gear B [N m] that the table reaches, or several increasing ones, the loads of the table. Beyond it
        the last stiffness stays.
    loads, phases
        How many loads from 0 on, spaced with the square of their number, and how many phases in a mesh cycle. 32 are enough
        for statics, and for teeth that take over gradually; kinks of spur teeth without relief want 128 or more.
    coast
        Whether the coast flanks have a table of their own. "auto": where flanks or axes are not symmetric; else they are
        the drive flanks seen at −φ, which takes half the time.
    bore
        Of gears that are not elastic yet. "fixed": held at the bore, as a torque that passes through a shaft holds them.
        "free": the gear floats, deflections count from its mean motion, as in `Flank`.
    centre_distance, misalignment, deviation, inclination, face_offset, resolution, cells
        As in `loaded_contact`; misalignment is that of the drive side, the axes stand the same on the coast side.
    progress
        Called with how much is done, from 0 to 1, and what is being done.
    options
        Of `Loaded`: `damping_ratio`, `backlash`, `error`, `friction` and the like.
    """
    first, second, distance = _gears(a, b, centre_distance)
    for name in ("approach", "along"):
        if name in options:
            raise ModelError(f"{_WHAT}: {name} follows from the gears; leave it out, or write a Loaded(...)")
    torques = _torques(torque, loads)
    count = whole(phases, f"{_WHAT}: phases", at_least=4, at_most=4096)
    fine = number(resolution, f"{_WHAT}: resolution")
    if not 1.0 <= fine <= 50.0:
        raise ModelError(f"{_WHAT}: resolution must be from 1 to 50 cells in a half width, got {shown(resolution)}")
    across = whole(cells, f"{_WHAT}: cells", at_least=5, at_most=200)
    if bore not in ("fixed", "free"):
        raise ModelError(f'{_WHAT}: bore is "fixed" or "free", got {shown(bore)}')
    Loaded([0.0, 1.0], [[0.0], [1.0]], **options)  # type: ignore[arg-type]  # what is wrong is told before computing
    teeth_a, teeth_b = (one.teeth if isinstance(one, ElasticGear) else one for one in (first, second))
    for one, name in ((teeth_a, "a"), (teeth_b, "b")):
        if one.left.of_tooth or one.right.of_tooth:
            raise ModelError(
                f"{_WHAT}: gear {name} has teeth that differ from the others (per_tooth), and a table knows one mesh cycle; "
                f'leave them out and say error=pl.Varying(..., over="revolution of {name}")'
            )
    where: dict[str, object] = {
        "centre_distance": distance, "misalignment": misalignment, "deviation": deviation, "inclination": inclination,
        "face_offset": face_offset,
    }  # fmt: skip
    pose = mesh_pose(teeth_a, teeth_b, "left", **where)
    sides = ["left"]
    if _wants_coast(coast, (teeth_a, teeth_b), where):
        sides.append("right")
    tell = current().telling(progress)
    reach = math.ceil(pose.pair.total_contact_ratio)
    elastic_a, elastic_b = _elastic(first, bore, reach, "a", tell), _elastic(second, bore, reach, "b", tell)
    tables = []
    for i, side in enumerate(sides):
        if side == "right":
            pose = mesh_pose(teeth_a, teeth_b, "right", **_seen_from_coast(pose, where))
        pair = ElasticPair(elastic_a, elastic_b, side=side, pose=pose.placement, resolution=fine, cells=across)

        def done(part: float, before: int = i) -> None:
            tell((before + part) / len(sides), "contact")

        tables.append(load_cycle(pair, pose, torques, count, done))
    force = np.concatenate([[0.0], torques / pair.shape_b.base_radius])
    return Loaded(force, tables[0], coast=tables[1] if len(tables) > 1 else None, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------- what was said


def _gears(a: object, b: object, distance: object) -> tuple[ElasticGear | Teeth, ElasticGear | Teeth, object]:
    if isinstance(a, GearPair):
        if b is not None or distance is not None:
            raise ModelError(f"{_WHAT}: a GearPair has both gears and their centre distance; give nothing more of that kind")
        if not isinstance(a.b, Gear):
            raise ModelError(f"{_WHAT}: gear b is a rack; tables are made of two wheels: use Elastic(...), or a Loaded(...)")
        return Teeth(a.a), Teeth(a.b), a.centre_distance
    return _teeth(a, "a"), _teeth(b, "b"), distance


def _teeth(gear: object, name: str) -> ElasticGear | Teeth:
    if isinstance(gear, (ElasticGear, Teeth)):
        return gear
    if isinstance(gear, Gear):
        return Teeth(gear)
    raise ModelError(f"{_WHAT}: {name} must be an ElasticGear, Teeth or a Gear, got {shown(gear)}")


def _torques(value: object, loads: object) -> FloatArray:
    """Torques [N m] above zero."""
    if isinstance(value, (list, tuple, np.ndarray)):
        found = array(value, "torque", what=f"{_WHAT}: torque")
        if found[0] <= 0.0 or (np.diff(found) <= 0.0).any():
            raise ModelError(f"{_WHAT}: several torques must be greater than zero and increase, got {shown(value)}")
        return found
    largest = quantity(value, "torque", what=f"{_WHAT}: torque")
    if largest <= 0.0:
        raise ModelError(
            f"{_WHAT}: torque must be greater than zero, got {shown(value)}; the table is for both senses of the load"
        )
    count = whole(loads, f"{_WHAT}: loads", at_least=3, at_most=1000)
    part = np.arange(1, count) / (count - 1)
    return largest * part**2


def _wants_coast(value: object, teeth: tuple[Teeth, Teeth], where: dict[str, object]) -> bool:
    if isinstance(value, bool):
        return value
    if value != "auto":
        raise ModelError(f'{_WHAT}: coast is True, False or "auto", got {shown(value)}')
    moved = quantity(where["face_offset"], "length", what=f"{_WHAT}: face_offset")
    tilts = [_angle(where, key) for key in ("misalignment", "deviation", "inclination")]
    return bool(moved or any(tilts)) or not all(_symmetric(one) for one in teeth)


def _symmetric(teeth: Teeth) -> bool:
    """Whether the right flank is the left one turned half a turn about the middle of the tooth: δ_R(L, ζ) = δ_L(L, −ζ)."""
    left, right = teeth.left, teeth.right
    if not (left.modified or right.modified):
        return True
    half = 0.5 * teeth.gear.required_face_width(_WHAT)
    L = np.linspace(left.range.form, left.range.tip, 10 * _SAMPLES)[:, None]
    z = np.linspace(-half, half, _SAMPLES)
    return bool(np.abs(left.deviation(L, z) - right.deviation(L, -z)).max() < _SAME)


def _seen_from_coast(pose: MeshPose, where: dict[str, object]) -> dict[str, object]:
    """The same pose with the misalignment of the drive side by its parts out of and in the plane of the axes."""
    alpha = pose.pair.transverse_working_pressure_angle
    tilt = _angle(where, "misalignment")
    return {
        **where,
        "misalignment": 0.0,
        "deviation": _angle(where, "deviation") - tilt * math.cos(alpha),
        "inclination": _angle(where, "inclination") - tilt * math.sin(alpha),
    }


def _angle(where: dict[str, object], key: str) -> float:
    return quantity(where[key], "angle", what=f"{_WHAT}: {key}")


def _elastic(gear: ElasticGear | Teeth, bore: str, reach: int, name: str, tell: Tell) -> ElasticGear:
    """The gear with the compliance of its teeth on those up to `reach` pitches away, as many as carry load at once."""
    if isinstance(gear, ElasticGear):
        known = int(gear.offsets.max())
        if known < reach - 1 and len(gear.offsets) < gear.teeth.gear.teeth:
            raise ModelError(
                f"{_WHAT}: pairs of teeth {reach - 1} pitches apart carry load at once, and the elastic gear {name} knows its "
                f"neighbours up to {known}; build it with offsets={reach}"
            )
        return gear
    return elastic_gear(gear, bore=bore, offsets=max(reach, 3), progress=lambda part, what: tell(0.0, f"gear {name}: {what}"))
