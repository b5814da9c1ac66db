"""Options that several mesh descriptions share."""

from __future__ import annotations

from ...errors import ModelError, Subject
from .common import (
    LINES_OF_ACTION,
    SIDES,
    SLIDING,
    Variable,
    choice,
    flag,
    optional,
    positive,
    read_backlash,
    read_efficiency,
    read_errors,
    read_follow_centres,
    read_springs,
    read_sticks,
)
from .friction import read_friction
from .varying import Varying

__all__ = [
    "DAMPING_ACTS",
    "DAMPING_RATES",
    "read_damping",
    "read_flanks",
    "read_line_of_action",
    "read_sliding",
    "read_speeds",
]

DAMPING_ACTS = ("never pulling", "in contact", "always", "limited")
DAMPING_RATES = ("deflection", "approach")


def read_flanks(
    what: Subject,
    *,
    backlash: object,
    backlash_side: str,
    error: object,
    energy_consistent: bool,
    friction: object,
    friction_speed: object,
    efficiency: object,
    efficiency_speed: object,
    sticks: bool,
    sliding: str,
    line_of_action: str,
    separating: bool,
    follow_centres: bool | None,
) -> dict[str, object]:
    """Read play, errors, losses and centres, which rigid, elastic and loaded teeth have in common."""
    return {
        "backlash": read_backlash(backlash, what / "backlash"),
        "backlash_side": choice(backlash_side, SIDES, what / "backlash_side"),
        "error": read_errors(error, what / "error"),
        "energy_consistent": flag(energy_consistent, what / "energy_consistent"),
        "friction": read_friction(friction, what),
        "efficiency": read_efficiency(efficiency, friction, what / "efficiency", locking=sticks is True),
        **read_speeds(what, friction_speed, efficiency_speed),
        "sticks": read_sticks(sticks, friction, efficiency, what),
        "sliding": read_sliding(sliding, friction, what),
        "line_of_action": read_line_of_action(line_of_action, separating, what),
        "separating": flag(separating, what / "separating"),
        "follow_centres": read_follow_centres(follow_centres, separating, what / "follow_centres"),
    }


def read_sliding(value: object, friction: object, what: Subject) -> str:
    """Read where the teeth slide, which needs friction."""
    found = choice(value, SLIDING, what / "sliding")
    if found != SLIDING[0] and friction is None:
        raise ModelError(
            f'{what}: sliding="{found}" needs friction; specify friction, or omit sliding', about=what.at("sliding")
        )
    return found


def read_line_of_action(value: object, separating: object, what: Subject) -> str:
    """Read the line of action, which needs the separating force."""
    found = choice(value, LINES_OF_ACTION, what / "line_of_action")
    if found != LINES_OF_ACTION[0] and not separating:
        raise ModelError(
            f'{what}: line_of_action="{found}" has no effect without the separating force; omit separating=False',
            about=what.at("line_of_action"),
        )
    return found


def read_speeds(what: Subject, friction_speed: object, efficiency_speed: object) -> dict[str, float]:
    """Read the speeds over which friction and losses are regularised."""
    return {
        "friction_speed": positive(friction_speed, "velocity", what / "friction_speed"),
        "efficiency_speed": positive(efficiency_speed, "angular velocity", what / "efficiency_speed"),
    }


def read_damping(
    what: Subject,
    *,
    damping: object,
    damping_ratio: object,
    effective_mass: object,
    damping_acts: str,
    damping_rate: str,
) -> dict[str, object]:
    """Read the damper of elastic teeth: a value or a ratio."""
    if damping is not None and damping_ratio is not None:
        raise ModelError(
            f"{what}: specify damping or damping_ratio, not both",
            about=what.at("damping_ratio"),
        )
    return {
        "damping": _read_dampers(damping, what / "damping"),
        "damping_ratio": optional(damping_ratio, "number", what / "damping_ratio"),
        "effective_mass": None if effective_mass is None else positive(effective_mass, "mass", what / "effective_mass"),
        "damping_acts": choice(damping_acts, DAMPING_ACTS, what / "damping_acts"),
        "damping_rate": choice(damping_rate, DAMPING_RATES, what / "damping_rate"),
    }


def _read_dampers(value: object, what: Subject) -> float | tuple[Variable, ...] | None:
    """Read a damping constant [N s/m], or dampers in series of which at least one varies. None: no damping."""
    if value is None or isinstance(value, (int, float, str)):
        return optional(value, "damping", what)
    dampers = read_springs(value, what, "damping")
    if any(isinstance(damper, Varying) for damper in dampers):
        return dampers
    return 1.0 / sum(1.0 / damper for damper in dampers if not isinstance(damper, Varying))
