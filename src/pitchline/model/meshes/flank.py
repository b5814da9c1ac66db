"""Flank: elastic gears with contact on their true flanks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import quantity
from .common import at_least_zero, flag, optional, positive, read_follow_centres, read_tilt
from .table_options import grid_options

__all__ = ["Flank"]

BORES = ("free", "shaft")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Flank:
    """Elastic gears with contact on their true flanks, for each tooth and each strip of the face.

    Both gears are finite element models, reduced by their cyclic symmetry. Natural modes below a frequency are dynamic; the
    others are kept as static stiffness, so that statics is exact. Contact forces are unilateral and need no penalty. The first
    use of a gear takes a few seconds for its finite elements, which are then kept in the user's cache.

    Flanks, modifications, single teeth, bodies and materials are those of the gears. `Flank` supports all kinds of pairs:
    cylindrical gears, conical involute, crossed helical, worm and straight bevel gears, rack and pinion, and gears with imported
    flanks (spiral bevel, hypoid, throated worm wheels). Faces may be offset and axes misaligned in the initial pose. With `tilt`
    the flanks also respond to the tilt of the wheels during motion. The wheels may be part of any model.
    Choose a time step that is short compared with the period of the highest mode (a fixed step of 1 to 2.5 µs for 80 kHz).

    Parameters
    ----------
    modes
        Natural modes below this frequency are dynamic [Hz]. "80 kHz" is sufficient for forces with an error of about 1 % (default).
    elements_a, elements_b
        Options of the finite element grids, as for `sector_grid`: ``{"size": "1 mm"}``.
    bore
        Bore of both gears. "free" (default): the bore is not stiffened. "shaft": the nodes of the bore move as one rigid body,
        as on a stiff shaft.
    damping_ratio
        Damping ratio of every mode. Default 0.
    backlash
        Total play [m], on the base circle; of crossed axes, hypoid and conical involute gears along the normal. Default
        None: from the geometry of the pair.
    friction, friction_speed
        Coefficient of friction of the flanks, and the sliding speed [m/s] below which friction decreases to zero.
        Default 0 and 1 mm/s.
    penalty
        Penalty stiffness [N/m], for comparison with penalty methods: each strip is a spring of this stiffness along the normal
        of the flanks, in place of the local and residual compliance. Default: none.
    tilt
        Whether the flanks respond to the tilt of the wheels from their initial pose, in the plane of action. Each strip of the
        face then closes by f ζ, where ζ is its distance from the pitch point along the face (for helical teeth including the
        axial displacement due to the tilt). The forces of the strips resist the tilt with their moment. Default None: True if
        a wheel is on a shaft or another elastic structure, and the axes are parallel. Flanks of all other pairs than cylindrical
        and conical involute gears respond to all displacements of the axes, and act with their own normals at their points of
        contact; False switches this off.
    separating, follow_centres
        As in `Elastic`.
    """

    modes: float
    elements_a: Mapping[str, object]
    elements_b: Mapping[str, object]
    bore: str
    damping_ratio: float
    backlash: float | None
    friction: float
    friction_speed: float
    penalty: float
    tilt: bool | None
    separating: bool
    follow_centres: bool

    said_elsewhere: ClassVar[Mapping[str, str]] = {
        name: "the gear defines the teeth of a wheel: specify the modifications of the Gear"
        for name in ("modifications_a", "modifications_b", "teeth_a", "teeth_b", "modifications")
    }

    def __init__(
        self,
        *,
        modes: object = "80 kHz",
        elements_a: Mapping[str, object] | None = None,
        elements_b: Mapping[str, object] | None = None,
        bore: str = "free",
        damping_ratio: object = 0.0,
        backlash: object = None,
        friction: object = 0.0,
        friction_speed: object = "1 mm/s",
        penalty: object = None,
        tilt: bool | None = None,
        separating: bool = True,
        follow_centres: bool | None = None,
    ) -> None:
        what = Subject("Flank")
        if not isinstance(bore, str) or bore not in BORES:
            raise ModelError(
                f'{what}: bore must be "free" or "shaft", got {shown(bore)}; the joints of the model support the gears',
                about=what.at("bore"),
            )
        ratio = at_least_zero(damping_ratio, "number", what / "damping_ratio")
        if ratio >= 1.0:
            raise ModelError(
                f"{what}: damping_ratio must be less than 1, got {shown(damping_ratio)}; typical values for steel are "
                "0.001 to 0.02",
                about=what.at("damping_ratio"),
            )
        for name, value in (
            ("modes", _frequency(modes, what / "modes")),
            ("elements_a", grid_options(elements_a, what / "elements_a")),
            ("elements_b", grid_options(elements_b, what / "elements_b")),
            ("bore", bore),
            ("damping_ratio", ratio),
            ("backlash", optional(backlash, "length", what / "backlash")),
            ("friction", at_least_zero(friction, "number", what / "friction")),
            ("friction_speed", positive(friction_speed, "velocity", what / "friction_speed")),
            ("penalty", 0.0 if penalty is None else positive(penalty, "stiffness", what / "penalty")),
            ("tilt", read_tilt(tilt, what / "tilt")),
            ("separating", flag(separating, what / "separating")),
            ("follow_centres", read_follow_centres(follow_centres, separating, what / "follow_centres")),
        ):
            object.__setattr__(self, name, value)


def _frequency(value: object, what: str) -> float:
    found = quantity(value, "frequency", what=what)
    if found < 0.0:
        raise ModelError(
            f"{what} must not be negative, got {shown(value)}; with 0 only the static compliance remains", about=what
        )
    return found
