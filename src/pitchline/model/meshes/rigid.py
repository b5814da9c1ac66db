"""Rigid: rigid teeth."""

from __future__ import annotations

from dataclasses import dataclass

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject
from ...units import quantity
from .common import (
    Variable,
    choice,
    positive,
    read_along,
    read_backlash,
)
from .friction import Friction
from .options import read_flanks

__all__ = ["Rigid"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Rigid:
    """Rigid teeth: the constraint u + x = 0 on the approach u and the errors x. Its multiplier is the tooth force.

    With backlash b both flanks are unilateral: −b <= u + x − offset <= 0, with zero force in between.

    Parameters
    ----------
    along, backlash_side, error, energy_consistent
        As in `Elastic`.
    backlash
        b [m]. Default None: from the geometry of the pair. 0: no backlash. It can vary, as in `Elastic`.
    friction, friction_speed, sliding, efficiency, efficiency_speed, sticks, line_of_action, separating
        As in `Elastic`.
    contact
        "point" (default), or "line": a second constraint keeps the teeth parallel, without tilt about the line of centres. Its
        multiplier is the moment that the teeth transmit; as a second contact force at half the face width it is the signal
        `second_contact_force`. It needs the face widths, parallel or intersecting axes, and no backlash.
    follow_centres
        As in `Elastic`, but the default is False for both methods: rigid teeth constrain u regardless of the motion of the
        centres. On elastic bearings their separating force then has no potential. Specify True there, or use `Elastic`.
    method
        "multiplier" (default), or "penalty": a stiff spring with a damping ratio of 0.1 (if the wheels have an inertia).
    penalty
        Stiffness of that spring [N/m]. Default: ten times that of ISO 6336, which is on the base circle.
    restitution
        Speed of the teeth after an impact divided by their speed before it, from 0 to 1. It applies to the method "multiplier"
        with backlash. Default 0: no rebound.
    """

    along: str | None
    backlash: float | tuple[Variable, ...] | None
    backlash_side: str
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    sticks: bool
    sliding: str
    contact: str
    method: str
    penalty: float | None
    line_of_action: str
    separating: bool
    follow_centres: bool
    restitution: float

    def __init__(
        self,
        *,
        along: str | None = None,
        backlash: object = None,
        backlash_side: str = "centred",
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        sticks: bool = False,
        sliding: str = "pitch point",
        contact: str = "point",
        method: str = "multiplier",
        penalty: object = None,
        line_of_action: str = "automatic",
        separating: bool = True,
        follow_centres: bool = False,
        restitution: object = 0.0,
    ) -> None:
        what = Subject("Rigid")
        method = choice(method, ("multiplier", "penalty"), what / "method")
        if penalty is not None and method != "penalty":
            raise ModelError(
                f'{what}: penalty is the stiffness for method="penalty"; specify this method too, or omit penalty',
                about=what.at("penalty"),
            )
        e = quantity(restitution, "number", what=what / "restitution")
        if not 0.0 <= e <= 1.0:
            raise ModelError(f"{what}: restitution must be between 0 and 1, got {e:g}", about=what.at("restitution"))
        if e and method == "penalty":
            raise ModelError(
                f'{what}: restitution is for method="multiplier"; the spring of method="penalty" rebounds by itself. Omit one '
                "of them",
                about=what.at("restitution"),
            )
        if e and backlash is not None and read_backlash(backlash, what / "backlash") == 0.0:
            raise ModelError(
                f"{what}: restitution has no effect without backlash, because the teeth never separate; omit it, or specify "
                "backlash",
                about=what.at("restitution"),
            )
        if follow_centres and method == "multiplier" and isinstance(read_backlash(backlash, what / "backlash"), tuple):
            raise ModelError(
                f"{what}: rigid teeth cannot follow their centres with a backlash that varies; omit follow_centres, or use "
                "Elastic(...)",
                about=what.at("follow_centres"),
            )
        values: dict[str, object] = {
            "restitution": e,
            "along": read_along(along, what / "along"),
            "method": method,
            "contact": choice(contact, ("point", "line"), what / "contact"),
            "penalty": None if penalty is None else positive(penalty, "stiffness", what / "penalty"),
            **read_flanks(
                what, backlash=backlash, backlash_side=backlash_side, error=error, energy_consistent=energy_consistent,
                friction=friction, friction_speed=friction_speed, efficiency=efficiency, efficiency_speed=efficiency_speed,
                sticks=sticks, sliding=sliding, line_of_action=line_of_action,
                separating=separating, follow_centres=follow_centres,
            ),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)
