"""Model method that adds declared elements."""

from __future__ import annotations

from typing import TypeVar

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from ..solids.rotations import direction, z_to
from .declared_element import DeclaredElement, point_argument
from .element_checks import element_problems
from .element_fields import FrameField, JointField
from .names import GROUND_NAME
from .plane_checks import coordinate_problem
from .registry import Registry

__all__ = ["ElementMethods"]

AnyElement = TypeVar("AnyElement", bound=DeclaredElement)


@names_wrong_arguments
class ElementMethods(Registry):
    """Elements that are declared as classes (`pitchline.extend`)."""

    def add(self, element: AnyElement) -> AnyElement:
        """Add a declared element, such as ``CubicSpring("s", a=..., b=..., stiffness="2 kN/mm")``.

        Its frames are bodies or frames of this model. A body without a point means the origin of the body.

        Parameters
        ----------
        element
            Instance of a declared class (`pitchline.extend.Element`).

        Returns
        -------
        The element of the model, with its frames.
        """
        if not isinstance(element, DeclaredElement):
            raise ModelError(
                f'model "{self.name}": expected an element (pitchline.extend.Element), got {shown(element)}'
            )
        self._new_name(element.name, type(element).__name__)
        placed = placed_on(self, element)
        problems = element_problems(self, placed)
        if problems:
            raise problems[0] if len(problems) == 1 else ModelError(problems, title=f"{element.words} has problems")
        self._declared[element.name] = placed
        return placed


def _met(model: Registry, element: DeclaredElement) -> dict[str, object]:
    """Make two frames that coincide in the initial pose."""
    axis = element.values.get("axis")
    axes = None if axis is None else z_to(direction(axis, what=element.argument("axis")))
    names = list(element.fields_of(FrameField))
    first, second = (element.values[name] for name in names)
    frames = model._meeting_frames(first, second, element.values.get("at"), axes, element.words, element.name)
    return dict(zip(names, frames, strict=True))


def placed_on(model: Registry, element: AnyElement) -> AnyElement:
    """Return the element with its frames and joint in a model. Raise a ModelError if this is not possible."""
    found: dict[str, object] = _met(model, element) if type(element).meeting else {}
    for name in element.fields_of(FrameField).keys() - found.keys():
        point = point_argument(type(element), name)
        what = element.words.called(element.argument(name))
        found[name] = model._end(
            element.values[name], element.values.get(point), what, element.name, on=name, point=point
        )
    for name, field in element.fields_of(JointField).items():
        what = element.argument(name)
        joint = model._joint(element.values[name], what)
        problem = coordinate_problem(model, joint, model._coordinate(joint, field.coordinate, what), what)
        if problem is not None:
            raise problem
        found[name] = joint.name
    placed = element.replaced(**found)
    bodies = {frame.body_name for frame in placed.frames.values()}
    if len(bodies) == 1 and not element.fields_of(JointField):
        (body,) = bodies
        if len(placed.frames) > 1:
            raise ModelError(
                f'{element.words}: all its ends are on "{body}"; connect different bodies', about=element.words
            )
        if body == GROUND_NAME:
            raise ModelError(
                f"{element.words}: acts only on the ground, which cannot move; specify a body", about=element.words
            )
    return placed  # type: ignore[return-value]  # of the same class
