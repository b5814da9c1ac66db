"""Options of the public parts, walked from their signatures, and random values for them.

The type of an argument, with its unit, is that of the documentation (`docs/argument_types.py`). An argument that is neither
drawn nor listed in `NOT_DRAWN` fails a test, so that a new one cannot be forgotten.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from machines.ranges import CHOICES, DRAWN, NOT_DRAWN, PARTS, RANGES
from machines.values import Arrow, Number, Point

import pitchline as pl

_FILE = Path(__file__).parents[2] / "docs" / "argument_types.py"
_spec = importlib.util.spec_from_file_location("argument_types", _FILE)
assert _spec is not None and _spec.loader is not None
argument_types = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(argument_types)

SHOWN = 12
"""Number of options that the report names."""
Draw = Callable[[np.random.Generator], Any]


def target(place: str) -> Any:
    """Method of the model or class of the package by its name."""
    if place == "planetary":
        return pl.planetary
    return getattr(pl, place.removeprefix("pl.")) if place.startswith("pl.") else getattr(pl.Model, place)


def parameters(place: str) -> dict[str, inspect.Parameter]:
    """Arguments of a method or class, without self and name."""
    found = inspect.signature(target(place)).parameters
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return {key: p for key, p in found.items() if key not in ("self", "name", "model") and p.kind not in kinds}


def type_of(place: str, name: str) -> str:
    """Type of an argument as in the documentation."""
    where = place.removeprefix("pl.") if place.startswith("pl.") or place == "planetary" else f"Model.{place}"
    return str(argument_types.argument_type(where, name, parameters(place)[name].annotation))


def drawer(place: str, name: str) -> Draw | None:
    """Function that draws a value; None if the argument is in NOT_DRAWN, or is drawn by the kind of machine."""
    for key in (f"{place}.{name}", name):
        if key in DRAWN:
            return DRAWN[key]
        if key in CHOICES:
            options = CHOICES[key]
            return lambda rng, options=options: options[int(rng.integers(len(options)))]
    kind = type_of(place, name).removesuffix(" | None").split(" | ")[0]
    if kind == "bool":
        return lambda rng: bool(rng.integers(2))
    if kind in RANGES:
        unit = str(argument_types.QUANTITIES[kind][0])
        low, high = RANGES[kind]
        return lambda rng: Number(float(np.exp(rng.uniform(np.log(low), np.log(high)))), units(unit))
    if kind == "Point":
        return lambda rng: Point(tuple(rng.normal(size=3)))
    if kind == "Direction":
        return lambda rng: Arrow(tuple(unit_vector(rng)), axial=True)
    return None


def units(text: str) -> str:
    """Unit of the documentation as text for the parser."""
    return text.replace("²", "^2").replace("³", "^3").replace("⁴", "^4").replace("N m", "N*m").replace("N s", "N*s").replace(
        "m s", "m*s"
    ).replace("kg m", "kg*m")  # fmt: skip


def unit_vector(rng: np.random.Generator) -> np.ndarray:
    """Random direction."""
    a = rng.normal(size=3)
    return a / np.linalg.norm(a)


def draw(
    rng: np.random.Generator, place: str, given: Mapping[str, Any], *, share: float = 0.4, never: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Arguments of a part: those given, all others that are required, and a share of the optional ones."""
    values = dict(given)
    for name, parameter in parameters(place).items():
        if name in values or name in never or reason(place, name):
            continue
        required = parameter.default is inspect.Parameter.empty
        if not required and rng.random() > share:
            continue
        function = drawer(place, name)
        if function is None:
            if required:
                raise LookupError(f"{place}.{name} is required and not drawn")
            continue
        values[name] = function(rng)
    return values


def reason(place: str, name: str) -> str:
    """Reason why an argument is not drawn; empty if it is."""
    return NOT_DRAWN.get(f"{place}.{name}") or NOT_DRAWN.get(name, "")


def all_options() -> dict[str, list[str]]:
    """All arguments of all parts that the machines can have."""
    return {place: list(parameters(place)) for place in PARTS}


class Coverage:
    """Options and pairs of options that occurred."""

    def __init__(self) -> None:
        self.options: Counter[tuple[str, str]] = Counter()
        self.pairs: set[tuple[tuple[str, str], tuple[str, str]]] = set()
        self.parts: set[tuple[str, str]] = set()

    def add(self, machine: Any) -> None:
        """Count the parts of a machine, with nested objects."""
        makers = sorted({maker for part in machine.parts for maker, _ in nested(part.maker, part.given)})
        self.parts |= set(combinations(makers, 2)) | {(maker, maker) for maker in makers}
        for part in machine.parts:
            for maker, given in nested(part.maker, part.given):
                if maker not in PARTS:
                    continue
                names = sorted((maker, key) for key in given)
                self.options.update(names)
                self.pairs |= set(combinations(names, 2))

    def report(self) -> list[str]:
        """Lines with the shares that were covered."""
        lines = []
        drawn = {(place, name) for place, names in all_options().items() for name in names if not reason(place, name)}
        occurred = drawn & set(self.options)
        pairs = {
            pair for place, names in all_options().items()
            for pair in combinations(sorted((place, name) for name in names if not reason(place, name)), 2)
        }  # fmt: skip
        lines.append(f"options: {len(occurred)} of {len(drawn)}")
        lines.append(f"pairs of options of one part: {len(pairs & self.pairs)} of {len(pairs)}")
        count = len(PARTS)
        lines.append(f"pairs of parts in one machine: {len(self.parts)} of {count * (count + 1) // 2}")
        missing = sorted(f"{place}.{name}" for place, name in drawn - occurred)
        if missing:
            some = ", ".join(missing[:SHOWN]) + (f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else "")
            lines.append(f"options that did not occur: {some}")
        return lines


def nested(maker: str, given: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """A call and all calls among its arguments."""
    result = [(maker, given)]
    for value in given.values():
        result += _inside(value)
    return result


def with_places(maker: str, given: Mapping[str, Any], places: tuple[Any, ...]) -> dict[str, Any]:
    """Arguments by name, also those that are given by place."""
    names = list(parameters(maker))[: len(places)] if places and maker in PARTS else []
    return {**dict(zip(names, places, strict=False)), **given}


def _inside(value: Any) -> list[tuple[str, Mapping[str, Any]]]:
    from machines.values import Call

    if isinstance(value, Call):
        return nested(value.maker, with_places(value.maker, value.given, value.places))
    if isinstance(value, Mapping):
        return [item for inner in value.values() for item in _inside(inner)]
    if isinstance(value, (list, tuple)):
        return [item for inner in value for item in _inside(inner)]
    return []
