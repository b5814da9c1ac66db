"""Declared elements with random values in random states, for checks."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..model.declared_element import DeclaredElement
from ..model.description_field import DescriptionField
from ..model.element_fields import REQUIRED, FrameField, JointField, ParameterField
from ..model.functions import Function, Harmonic
from ..model.joints import ANGLE as ANGLE_NAME
from ..model.joints import DISPLACEMENT as DISPLACEMENT_NAME
from .declared_kind import Surroundings, declared_element
from .probed_element import ProbedElement, exponential, pose, random_rotation
from .scalar_geometry import ANGLE, DISPLACEMENT, Turns, encode_measure, initial_turns
from .sticking import MODE, STICKS

__all__ = ["random_declared"]

_LAWS: dict[int, Callable[..., float]] = {
    1: lambda a: 0.4 + 0.7 * math.sin(a),
    2: lambda a, b: 0.4 + 0.7 * math.sin(a) - 0.5 * math.cos(b),
    3: lambda a, b, c: 0.4 + 0.7 * math.sin(a) - 0.5 * math.cos(b) + 0.3 * math.sin(c),
    4: lambda a, b, c, d: 0.4 + 0.7 * math.sin(a) - 0.5 * math.cos(b) + 0.3 * math.sin(c) * math.cos(d),
}
"""Smooth functions of so many numbers."""
_USUAL = (0.5, 2.0)
"""Range of numbers without a range for checks and without a default in the declaration."""


def random_declared(cls: type[DeclaredElement], rng: np.random.Generator, **fixed: Any) -> ProbedElement:
    """Element of a class: values from the ranges of its declaration, random bodies, own coordinates of typical magnitude.

    fixed: values of parameters that are not random. The static method `check_values(rng)` of a class can return values that must
    agree with each other (lists in rising order)."""
    hook = vars(cls).get("check_values")
    if hook is not None:
        fixed = {**getattr(hook, "__func__", hook)(rng), **fixed}
    places: list[np.ndarray] = []

    def place_of(function: Function) -> int:
        at = sum(part.size for part in places)
        places.append(np.asarray(function.encode(), float))
        return at

    given: dict[str, Any] = dict.fromkeys(cls.fields_of(FrameField), "body")
    given |= {name: f"joint {name}" for name in cls.fields_of(JointField)}
    lengths: dict[str, int] = {}
    for name, field in cls.fields_of(ParameterField).items():
        value = fixed[name] if name in fixed else _random_value(field, lengths, rng)
        if value is not REQUIRED:
            given[name] = value
    poses: list[np.ndarray] = []
    frames: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    world: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    measures: dict[str, np.void] = {}
    turns: dict[str, np.ndarray] = {}
    for name, declared in cls.fields.items():
        if isinstance(declared, FrameField):
            x, R = rng.normal(size=3), random_rotation(rng)
            frames[name] = 0.5 * rng.normal(size=3), random_rotation(rng)
            world[name] = x + R @ frames[name][0], R @ frames[name][1]
            poses.append(pose(x, R))
        elif isinstance(declared, JointField):
            ends, measures[name], turns[f"{name}_turns"] = _random_joint(
                declared.coordinate or str(rng.choice((ANGLE_NAME, DISPLACEMENT_NAME))), rng
            )
            poses += ends
    around = Surroundings(
        tuple(range(1, len(poses) + 1)),
        frames,
        world,
        place_of,
        measures,
        start=dict.fromkeys(measures, 0.0),
        source_of=lambda *_: None,
    )
    element = declared_element(cls("element", **given), around)
    if element.switches:
        element.memory[MODE] = STICKS
    own = {c.name: c.typical * rng.normal(size=(3, element.counts[c.count])) for c in element.kind.coordinates}
    return ProbedElement(
        element,
        np.stack(poses) if poses else np.zeros((0, 12)),
        rng.normal(size=(len(poses), 6)),
        rng.normal(size=(len(poses), 6)),
        rng.normal(size=len(element.rows)),
        functions=np.concatenate(places) if places else np.zeros(1),
        memory=next(iter(turns.values())) if element.kind.memory is Turns else element.memory.copy(),
        turns=turns,
        inputs=rng.normal(size=(2, len(element.kind.inputs))),
        t=float(rng.uniform(0.0, 1.0)),
        own=own,
        opened=any(c.condensed for c in element.kind.coordinates),
    )


def _random_value(field: ParameterField, lengths: dict[str, int], rng: np.random.Generator) -> Any:
    """A value of a parameter; REQUIRED in place of one that is left to its default."""
    if field.kind == "flag":
        return bool(rng.integers(2))
    if field.kind == "choice":
        return str(rng.choice(field.options))
    if field.kind in ("function", "input"):
        a, b, frequency = rng.uniform(0.5, 1.5, size=3)
        return Harmonic(amplitude=a, frequency=frequency, offset=b)
    if isinstance(field, DescriptionField) and field.random is not None:
        return field.random(rng)
    if field.check is None and field.default is not REQUIRED:
        return REQUIRED
    if field.kind == "law":
        return _LAWS[len(field.arguments)]
    if field.kind == "integer":
        least = int(field.limits[0] or 1)
        first, last = field.check or (least, field.limits[1] or least + 3)
        return int(rng.integers(int(first), int(last) + 1))
    low, high = field.check or _USUAL
    lowest, highest = field.limits
    low, high = max(low, low if lowest is None else lowest), min(high, high if highest is None else highest)
    size: int | None = None
    if field.kind == "vector":
        size = 3
    elif field.kind == "numbers":
        size = field.count if isinstance(field.count, int) else lengths.setdefault(field.count, int(rng.integers(2, 5)))
    values = rng.uniform(low, high, size=size)
    return float(values) if size is None else np.sort(values) if field.increasing else values


def _random_joint(coordinate: str, rng: np.random.Generator) -> tuple[list[np.ndarray], np.void, np.ndarray]:
    """Poses of two nodes, the measure between a frame on each with axes that nearly agree, and the memory of its turns."""
    a, b = ((rng.normal(size=3), random_rotation(rng)) for _ in range(2))
    x, R = rng.normal(size=3), random_rotation(rng)
    twist = float(rng.uniform(-3.0, 3.0))
    axes = R @ a[1] @ exponential(np.array([0.0, 0.0, twist])) @ exponential(0.2 * rng.normal(size=3))
    other = axes @ b[1].T
    measure = encode_measure(ANGLE if coordinate == ANGLE_NAME else DISPLACEMENT, a, b)
    return [pose(x, R), pose(rng.normal(size=3), other)], measure, initial_turns(twist, 0.0)
