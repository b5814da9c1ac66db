"""Checks of the arguments that make wheels and gear pairs."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import ModelError, Subject, shown
from ..gears import Gear, Rack
from .wheels import Wheel

__all__ = ["check_gear", "check_two_bodies", "none_of"]


def check_gear(gear: object, what: Subject) -> None:
    if not isinstance(gear, (Gear, Rack)):
        raise ModelError(f"{what}: expected a Gear or a Rack, got {shown(gear)}", about=what.at("gear"))


def check_two_bodies(a: Wheel, b: Wheel, what: str) -> None:
    if a.body_name == b.body_name:
        raise ModelError(
            f'{what}: "{a.name}" and "{b.name}" are both on "{a.body_name}" and cannot rotate relative to each other. '
            "Put them on two bodies",
            about=what,
        )


def none_of(given: Mapping[str, object], what: Subject, text: str) -> None:
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise ModelError(f"{what}: {text} {' and '.join(names)}", about=what.at(names[0]))
