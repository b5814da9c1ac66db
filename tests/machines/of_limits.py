"""Invariances of limits: what is almost nothing acts as nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from machines.cases import Case, Skip
from machines.machine import Part
from machines.values import Call, Number, scaled

NOTHING: dict[str, tuple[str, ...]] = {
    "friction": ("coulomb", "static", "viscous", "coefficient"), "spring": ("stiffness", "damping"),
    "string": ("stiffness", "damping"), "torsion_spring": ("stiffness", "damping"), "attached_mass": ("mass", "inertia"),
}  # fmt: skip
"""Parts that act as none if these values are almost zero."""


def almost_nothing(case: Case) -> None:
    """Friction, springs and masses of almost zero act as if they were not there."""
    machine = case.machine
    names = {part.name for part in machine.parts if part.maker in NOTHING and "table" not in part.given}
    names = {name for name in names if not any(name in part.refers for part in machine.parts)}
    if not names or len(names) == len(machine.parts):
        raise Skip("no part that can be almost nothing")
    tiny = [_tiny(part) if part.name in names else part for part in machine.parts]
    none = [part for part in machine.parts if part.name not in names]
    other = type(case)(machine.with_parts(none), case.rng)
    # a change from sticking to sliding begins a step of another formula: the error of the steps differs
    other.converges(machine.with_parts(tiny), signals=(".position", ".velocity", ".angle", ".displacement"))


def _tiny(part: Part) -> Part:
    given: dict[str, Any] = {}
    for key, value in part.given.items():
        given[key] = _less(value) if key in NOTHING[part.maker] else value
    return replace(part, given=given)


def _less(value: Any) -> Any:
    if isinstance(value, Number):
        return replace(value, value=scaled(value.value, 1e-12))
    if isinstance(value, Call):
        return Number(0.0)
    if hasattr(value, "value"):
        return replace(value, value=tuple(tuple(1e-12 * x for x in row) for row in value.value))
    return value
