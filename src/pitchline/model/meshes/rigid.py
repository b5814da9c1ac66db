"""Rigid: teeth that do not give."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ModelError
from .common import (
    ALONG,
    SIDES,
    Variable,
    choice,
    flag,
    optional,
    positive,
    read_efficiency,
    read_errors,
    read_follow_centres,
)
from .friction import Friction, read_friction

__all__ = ["Rigid"]


@dataclass(frozen=True, eq=False, init=False)
class Rigid:
    """Rigid teeth: the approach u and the errors x are held, u + x = 0, by one multiplier, the tooth force.

    With backlash b both flanks are one-sided: −b <= u + x − offset <= 0, the force zero in between.

    Parameters
    ----------
    along, backlash, backlash_side, error, energy_consistent
        As in `Elastic`.
    friction, friction_speed, efficiency, efficiency_speed, separating, follow_centres
        As in `Elastic`. Without `backlash` that of the geometry of the pair is taken; 0 leaves none.
    method
        "multiplier", or "penalty": a stiff spring with a damping ratio of 0.1 (where the wheels have an inertia) in
        its place.
    penalty
        The stiffness of that spring [N/m]; ten times that of ISO 6336 without it.
    """

    along: str
    backlash: float | None
    backlash_side: str
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    method: str
    penalty: float | None
    separating: bool
    follow_centres: bool

    def __init__(
        self,
        *,
        along: str = "line of action",
        backlash: object = None,
        backlash_side: str = "centred",
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        method: str = "multiplier",
        penalty: object = None,
        separating: bool = True,
        follow_centres: bool = False,
    ) -> None:
        what = "Rigid"
        method = choice(method, ("multiplier", "penalty"), f"{what}: method")
        if penalty is not None and method != "penalty":
            raise ModelError(f'{what}: penalty is the stiffness of method="penalty"; say that too, or leave it out')
        for name, value in (
            ("along", choice(along, ALONG, f"{what}: along")),
            ("backlash", optional(backlash, "length", f"{what}: backlash")),
            ("backlash_side", choice(backlash_side, SIDES, f"{what}: backlash_side")),
            ("error", read_errors(error, f"{what}: error")),
            ("energy_consistent", flag(energy_consistent, f"{what}: energy_consistent")),
            ("friction", read_friction(friction, what)),
            ("friction_speed", positive(friction_speed, "velocity", f"{what}: friction_speed")),
            ("efficiency", read_efficiency(efficiency, friction, f"{what}: efficiency")),
            ("efficiency_speed", positive(efficiency_speed, "angular velocity", f"{what}: efficiency_speed")),
            ("method", method),
            ("separating", flag(separating, f"{what}: separating")),
            ("follow_centres", read_follow_centres(follow_centres, separating, f"{what}: follow_centres")),
            ("penalty", None if penalty is None else positive(penalty, "stiffness", f"{what}: penalty")),
        ):
            object.__setattr__(self, name, value)
