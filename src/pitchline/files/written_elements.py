"""Tables for the declared elements of a model: values that differ from their defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model import Frame, Model
from ..model.declared_element import DeclaredElement, point_argument
from ..model.description_field import DescriptionField
from ..model.element_fields import CoordinatesField, JointField, ParameterField
from .descriptions import description_data
from .program_elements import FMU, fmu_table
from .written_places import Places, Table
from .written_quantities import dimension_of_unit, quantities, with_unit
from .written_values import CannotWrite, function_data

__all__ = ["ElementWords"]


class ElementWords:
    """Possible tables for the declared elements of a model, the shortest first."""

    def __init__(self, model: Model, places: Places) -> None:
        self.m, self.places = model, places

    def of(self, name: str) -> Iterator[tuple[type[DeclaredElement], Table]]:
        element = self.m.elements[name]
        cls = type(element)
        if cls.key == FMU:
            yield cls, fmu_table(element)
            return
        if cls.key.startswith("__main__:") or "<locals>" in cls.key:
            raise CannotWrite(
                f"{element.words}: its class is not in a module that can be imported by name. Move it to one"
            )
        joints = {key: element.values[key] for key in cls.fields_of(JointField)}
        rest = {**joints, **{key: self._value(element, key, value) for key, value in element.given.items()}}
        for c in cls.fields_of(CoordinatesField).values():
            for key, unit in c.start_arguments.items():
                if key in element.start:
                    rest[key] = quantities(element.start[key], dimension_of_unit(unit))
        frames = element.frames
        bodies = {key: frame.body_name for key, frame in frames.items()}
        for where in self._meeting(frames) if cls.meeting else self._points(cls, frames):
            yield cls, {"type": cls.key, **bodies, **where, **rest}
        yield cls, {"type": cls.key, **{key: self.places.frame(frame) for key, frame in frames.items()}, **rest}

    def _meeting(self, frames: dict[str, Frame]) -> Iterator[Table]:
        return self.places.meeting(*frames.values())

    def _points(self, cls: type[DeclaredElement], frames: dict[str, Frame]) -> list[Table]:
        points: list[Table] = [{}]
        for key, frame in frames.items():
            at = self.places.places(point_argument(cls, key), self.m.placed(frame)[0])
            points = [{**before, **one} for before in points for one in ({}, *at)]
        return sorted(points, key=len)

    @staticmethod
    def _value(element: DeclaredElement, key: str, value: Any) -> Any:
        field = element.fields_of(ParameterField)[key]
        what = element.argument(key)
        if field.kind == "law":
            raise CannotWrite(
                f"{what} is a Python function. Model files contain data, not code. Add a default to the class"
            )
        if isinstance(field, DescriptionField):
            return description_data(field, value, what)
        dimension = dimension_of_unit(field.unit)
        if field.kind in ("function", "input"):
            return function_data(value, dimension, what)
        if field.kind in ("vector", "numbers"):
            return quantities(value, dimension)
        return with_unit(value, dimension) if field.kind == "number" else value
