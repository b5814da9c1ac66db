"""Frames, names of parts and their checks, and laws of the state."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Place, Subject, shown
from pitchline.solids.rotations import read_rotation
from pitchline.units.quantity import vector

if TYPE_CHECKING:
    from pitchline.parts.bodies.part import Body

__all__ = [
    "Frame",
    "GROUND_NAME",
    "check_name",
    "one_of",
    "part_subject",
    "STATE_OF_ROTATION",
    "STATE_OF_TRANSLATION",
    "arguments_of",
    "StateLaw",
]


# ---- frames

# Frame: a point and three axes fixed on a body, at which joints and loads act.


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Frame:
    """Frame F fixed on a body B. `Body.frame` makes it.

    Attributes
    ----------
    body_name : str
        Name of its body.
    position : (3,)
        x_BF, from the body origin, in body axes [m].
    rotation : (3, 3)
        R_BF: its columns are the axes of the frame in body axes.
    name : str
        Name for messages; may be empty.
    owner : Body | None
        The body object, if known. It distinguishes frames of different models.
    """

    body_name: str
    position: FloatArray
    rotation: FloatArray
    name: str
    owner: Body | None

    def __init__(
        self,
        body_name: str,
        position: object,
        rotation: object = None,
        name: str = "",
        *,
        owner: Body | None = None,
    ) -> None:
        if not isinstance(body_name, str) or not body_name:
            raise ModelError(f"frame: body_name must be the name of a body, got {shown(body_name)}")
        if not isinstance(name, str):
            raise ModelError(f'frame on body "{body_name}": the name must be a text, got {shown(name)}')
        what = Subject(f'frame "{name}" on body "{body_name}"' if name else f'frame on body "{body_name}"')
        object.__setattr__(self, "body_name", body_name)
        object.__setattr__(self, "position", vector(position, "length", what=what / "position"))
        object.__setattr__(self, "rotation", read_rotation(rotation, what=what / "rotation"))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "owner", owner)

    def __repr__(self) -> str:
        label = f"{self.name!r} on " if self.name else "on "
        return f"Frame({label}{self.body_name!r} at {self.position.tolist()})"


# ---- names

# Rules for names. A signal is called "item.signal", so the name of an item must not be ambiguous.

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


STATE_OF_ROTATION = ("t", "angle", "speed")
STATE_OF_TRANSLATION = ("t", "displacement", "speed")


def arguments_of(
    function: Callable[..., Any], what: str, allowed: tuple[str, ...] = STATE_OF_ROTATION
) -> tuple[str, ...]:
    """Names of the arguments, in their order. ("t",) is a function of time.

    One argument is the time, whatever its name is, except for the names of other quantities of the state. Arguments with default
    values are constants of the function.

    allowed: names of the quantities. ModelError for other names, if there are several arguments.
    """
    plain = getattr(function, "function", getattr(function, "py_func", function))  # of slow(...), or of numba
    try:
        parameters = list(inspect.signature(plain).parameters.values())
    except (TypeError, ValueError):  # some functions in C have no signature
        return ("t",)
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty:
            if parameter.name in allowed and names:
                raise _error(plain, what, allowed, f"the argument {parameter.name} has a default value; remove it")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise _error(plain, what, allowed, f"the argument {parameter.name} can only be given by name")
        names.append(parameter.name)
    if len(names) <= 1 and (not names or names[0] not in allowed):
        return ("t",)
    unknown = [name for name in names if name not in allowed]
    if unknown:
        raise _error(plain, what, allowed, f'"{unknown[0]}" is not one of them')
    return tuple(names)


def _error(function: Any, what: str, allowed: tuple[str, ...], problem: str) -> ModelError:
    return ModelError(
        f"{what}: {shown(function)} takes {inspect.signature(function)}. A function of the state has the arguments "
        f"{', '.join(allowed)}, or some of them: {problem}",
        about=what,
    )


# ---- state law

# StateLaw: a Python function of time, angle and speed of the joint on which a load acts.


@dataclass(frozen=True, eq=False)
class StateLaw:
    """Python function of signals.

    Attributes
    ----------
    function
        Function of numbers in SI. It is compiled.
    signals
        Names of its arguments: "t" for the time, otherwise "PART.SIGNAL".
    """

    function: Callable[..., float]
    signals: tuple[str, ...]

    def describe(self) -> dict[str, Any]:
        """Return the law as plain data."""
        return {"function": "law", "callable": repr(self.function), "signals": list(self.signals)}
