"""Warning for runs that start from an equilibrium: the initial velocities of the model are not used."""

from __future__ import annotations

from ..model import Model
from ..model.station import Station
from ..results.result import Result

__all__ = ["lost_speeds"]

_NAMED = 3


def lost_speeds(model: Model, start: Result | None) -> list[str]:
    """Warn if bodies with an initial velocity start at rest, from the end of statics."""
    if start is None or start.kind != "statics":
        return []
    moving = [body for body in model.bodies.values() if body.velocity.any() or body.angular_velocity.any()]
    found = list(dict.fromkeys(_subject(model, body) for body in moving))
    if not found:
        return []
    named = ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} others" if len(found) > _NAMED else "")
    return [
        f"the run starts at rest, from the end of statics. The initial speed of {named} is not used. Leave out "
        "start= to use it, or "
        "set the speed with kinematics(start=...) first"
    ]


def _subject(model: Model, body: object) -> str:
    if isinstance(body, Station):
        return str(model.structures[body.structure].subject)
    return f'body "{body.name}"'  # type: ignore[attr-defined]  # all that moves is a body
