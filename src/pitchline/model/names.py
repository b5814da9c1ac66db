"""Rules for names. A signal is called "item.signal", so the name of an item must not be ambiguous."""

from __future__ import annotations

from collections.abc import Collection

from ..errors import ModelError, Place, Subject, shown

__all__ = ["GROUND_NAME", "check_name", "one_of", "part_subject"]

GROUND_NAME = "ground"

_SECTIONS = {
    "body": "bodies",
    "gear body": "bodies",
    "wheel": "wheels",
    "joint": "joints",
    "drive": "drives",
    "gear pair": "gear_pairs",
    "planetary": "planetary",
    "shaft": "shafts",
    "beam": "beams",
    "flexible body": "flexible_bodies",
    "membrane": "membranes",
}
"""Sections of a model by the kind of part. Loads have their own kinds."""


def check_name(name: object, what: str) -> str:
    """Check the name of an item called `what` ("body", "joint", ...), and return it."""
    if not isinstance(name, str):
        raise ModelError(f"{what}: the name must be a text, got {shown(name)} ({type(name).__name__})")
    if not name.strip():
        raise ModelError(f'{what}: the name {shown(name)} is empty; specify a name such as "link"')
    if name != name.strip():
        raise ModelError(f"{what} {shown(name)}: the name starts or ends with a blank; write {shown(name.strip())}")
    for sign in "./":
        if sign in name:
            raise ModelError(
                f'{what} "{name}": a name must not contain "{sign}", which separates item and '
                f"signal in results; write {shown(name.replace(sign, '_'))}"
            )
    if not name.isprintable():
        raise ModelError(f"{what} {shown(name)}: the name contains non-printable characters; remove them")
    if name == GROUND_NAME:
        raise ModelError(f'{what} "{name}": the name is reserved for the ground of the model; choose another')
    return name


def part_subject(kind: str, name: object, more: str = "") -> Subject:
    """Name of a part in messages, 'joint "hinge" (revolute)', with its location in the model. more: text after the name."""
    checked = check_name(name, kind)
    return Subject(f'{kind} "{checked}"{more}', Place((_SECTIONS.get(kind, "loads"), checked)))


def one_of(value: object, options: Collection[str]) -> bool:
    """Whether a value is one of several texts. False for other types."""
    return isinstance(value, str) and value in options
