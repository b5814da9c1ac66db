"""A machine as data: parts with their arguments, from which models are built."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from machines.values import SAME, Arrow, Call, Change, Name, On, Point, Text, Turn, changed, shown

import pitchline as pl


@dataclass(frozen=True)
class Part:
    """One call of a method of the model. maker: name of the method, or of a class of elements with "pl." before it."""

    maker: str
    name: str
    given: Mapping[str, Any]
    kept: bool = False
    """A part that shrinking does not remove while others refer to it."""

    @property
    def refers(self) -> set[str]:
        """Names of the parts that it needs."""
        return set(_names(self.given))


def _stiffnesses(value: Any) -> Iterable[float]:
    """Sizes of all forces, stiffnesses and dampings in the arguments."""
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, Call):
        value = (*value.given.values(), *value.places) if value.maker != "pl.Material" else ()
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _stiffnesses(item)
    elif getattr(value, "unit", "").startswith("N") and getattr(value, "value", None) is not None:
        yield float(np.max(np.abs(np.asarray(value.value, float))))


def _names(value: Any) -> Iterable[str]:
    """Names of parts in the arguments; of a part of a planetary stage also the name of the stage."""
    if isinstance(value, Name):
        yield from _with_owners(value.value)
    elif isinstance(value, On):
        yield from _with_owners(value.body)
    elif isinstance(value, Call):
        yield from _names(tuple(value.given.values()))
        yield from _names(value.places)
    elif isinstance(value, Mapping):
        yield from _names((*value.keys(), *value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _names(item)
    elif isinstance(value, Text):
        text = value.value
        while "{" in text:
            name, _, text = text.partition("{")[2].partition("}")
            yield from _with_owners(name)


def _with_owners(name: str) -> Iterable[str]:
    words = name.split(" ")
    return (" ".join(words[:count]) for count in range(1, len(words) + 1))


@dataclass(frozen=True)
class Machine:
    """Parts, gravity, and how it is analysed."""

    kind: str
    seed: int
    parts: tuple[Part, ...]
    gravity: Any
    step: float = 1e-3
    steps: int = 20
    traits: frozenset[str] = frozenset()
    """Properties on which invariances depend: "floating" (no part is on the ground), "exact mirror" and so on."""
    options: Mapping[str, Any] = field(default_factory=lambda: {"newton_tolerance": 1e-12})
    """Options of the run in time."""

    @property
    def makers(self) -> set[str]:
        """Methods that the machine uses."""
        return {part.maker for part in self.parts}

    def of(self, *makers: str) -> list[Part]:
        """Parts of these methods."""
        return [part for part in self.parts if part.maker in makers]

    def part(self, name: str) -> Part:
        """Part by its name."""
        return next(part for part in self.parts if part.name == name)

    def with_parts(self, parts: Iterable[Part]) -> Machine:
        """Machine with other parts."""
        return replace(self, parts=tuple(parts))

    def without(self, name: str) -> Machine:
        """Machine without a part and all parts that refer to it."""
        gone = {name}
        kept: list[Part] = []
        for part in self.parts:
            if part.name in gone or part.refers & gone:
                gone.add(part.name)
            else:
                kept.append(part)
        return self.with_parts(kept)

    @property
    def stiffest(self) -> float:
        """Largest stiffness of its springs [N/m]."""
        return max([1.0, *(size for part in self.parts for size in _stiffnesses(part.given))])

    @property
    def local(self) -> set[str]:
        """Sensors with a frame of reference on a body."""
        return {p.name for p in self.of("sensor") if getattr(p.given.get("relative_to"), "value", "ground") != "ground"}

    @property
    def placed(self) -> set[str]:
        """Sensors with a point of reference."""
        return {p.name for p in self.of("sensor") if "at_reference" in p.given}

    def time(self, by: Change = SAME) -> dict[str, float]:
        """Duration and step of its run."""
        step = self.step * by.factor("s")
        return {"duration": self.steps * step, "step": step}


TURNED = ("body", "flexible_body", "gear_body", "shaft")
"""Parts whose position and orientation are those of the world if they are not given."""


def calls(machine: Machine, by: Change = SAME) -> list[tuple[Call, str]]:
    """Calls that build the model, each with the name of its part."""
    gravity = tuple(by.factor("m/s^2") * by.matrix @ np.asarray(machine.gravity))
    made: list[tuple[Call, str]] = [(Call("pl.Model", {"gravity": gravity}, (machine.kind,)), "")]
    for part in machine.parts:
        name = by.names(part.name)
        given = {key: changed(value, by) for key, value in part.given.items()}
        free = part.maker in TURNED and "mesh_with" not in given
        if free and "orientation" not in given and "axis" not in given and not np.array_equal(by.matrix, np.eye(3)):
            given["orientation"] = Turn(np.eye(3)).changed(by)
        if free and "position" not in given and np.any(by.shift):
            given["position"] = Point((0.0, 0.0, 0.0)).changed(by)
        if part.maker in TURNED and "velocity" not in given and np.any(by.velocity):
            given["velocity"] = Arrow((0.0, 0.0, 0.0), "m/s", moves=True).changed(by)
        given = {key: value for key, value in given.items() if value is not None}
        if part.maker.startswith("pl."):
            made.append((Call("m.add", {}, (Call(part.maker, given, (name,)),)), part.name))
        elif part.maker == "planetary":
            made.append((Call("pl.planetary", given, (Call("m", {}), name)), part.name))
        else:
            made.append((Call(f"m.{part.maker}", given, (name,)), part.name))
    return made


def build(machine: Machine, by: Change = SAME) -> pl.Model:
    """Model of a machine after a change."""
    first, *rest = calls(machine, by)
    m = pl.Model(*first[0].places, **first[0].given)
    for call, _ in rest:
        _evaluated(call, m)
    return m


COSTLY = ("pl.Superelement.from_shape",)
"""Objects that are made once."""
_made: dict[str, Any] = {}


def _evaluated(value: Any, m: pl.Model) -> Any:
    if isinstance(value, Call):
        if value.maker == "m":
            return m
        places = [_evaluated(item, m) for item in value.places]
        given = {key: _evaluated(item, m) for key, item in value.given.items()}
        if value.maker in COSTLY:
            key = repr((value.maker, places, given))
            if key not in _made:
                _made[key] = _target(value.maker, m)(*places, **given)
            return _made[key]
        return _target(value.maker, m)(*places, **given)
    if isinstance(value, (list, tuple)):
        return type(value)(_evaluated(item, m) for item in value)
    if isinstance(value, Mapping):
        return {key: _evaluated(item, m) for key, item in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def _target(path: str, m: pl.Model) -> Any:
    """Object by its path as in Python code: "pl.Gear", "m.bodies['a'].frame"."""
    if "[" in path:
        before, _, rest = path.partition("[")
        name, _, after = rest.rpartition("]")
        return getattr(getattr(m, before.removeprefix("m."))[name.strip("'\"")], after.lstrip("."))
    start, *names = path.split(".")
    target: Any = pl if start == "pl" else m
    for name in names:
        target = getattr(target, name)
    return target


def script(machine: Machine, by: Change = SAME, variable: str = "m") -> str:
    """Python code that builds the model."""
    lines = []
    for i, (call, _) in enumerate(calls(machine, by)):
        text = shown(call)
        if variable != "m":
            text = re.sub(r"(?<![\w'.])m(?=[.,])", variable, text)
        lines.append(f"{variable} = {text}" if i == 0 else text)
    return "\n".join(lines)
