"""Model method that sets the appearance of parts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Place, Subject, near_names, shown
from .body import Body
from .declared_element import DeclaredElement
from .look import Look
from .names import GROUND_NAME
from .registry import Registry
from .structure import Structure
from .wheels import Wheel

__all__ = ["LookMethods", "described_look"]


@names_wrong_arguments
class LookMethods(Registry):
    """Shapes, colours and visibility of parts, for pictures and the viewer. They have no effect on computations."""

    @property
    def looks(self) -> Mapping[str, Look]:
        """Specified appearance of parts, by name; "ground" for the ground. Read-only."""
        return MappingProxyType(self._looks)

    def look(
        self,
        part: Body | Structure | Wheel | DeclaredElement | str,
        *,
        shape: Any = None,
        colour: str | None = None,
        hidden: bool | None = None,
    ) -> Look:
        """Set the appearance of a part of the model. Arguments that are not given stay unchanged. Computations do not change.

        Parameters
        ----------
        part
            Body, ground, station, shaft, beam, flexible body, wheel or attached mass, or its name.
        shape
            Shape such as ``cylinder("20 mm", "0.1 m")`` or ``stl("arm.stl", scale="1 mm")``, or a list of shapes, in the axes
            of the part. An empty list: the part is not drawn. For bodies, the ground, stations and attached masses.
        colour
            "#RRGGBB", or a name such as "blue" or "brass". "#RRGGBBAA" is transparent, with the opacity AA from 01 to FF.
        hidden
            Whether viewers hide the part at first. Wheels and attached masses are hidden with their bodies.
        """
        name = self._part_name(part)
        what = Subject(f'look of "{name}"', Place(("looks", name)))
        if hidden is not None and name not in self._bodies and name not in self._structures and name != GROUND_NAME:
            raise ModelError(
                f"{what}: it is hidden with its body; specify hidden for the body", about=what.at("hidden")
            )
        if shape is not None and not self._takes_shape(name):
            raise ModelError(
                f"{what}: its shape follows from its type; specify shape for a body, a station, the ground or an attached mass",
                about=what.at("shape"),
            )
        look = self._looks.get(name, Look()).changed(what, shape, colour, hidden)
        self._looks[name] = look
        return look

    def _part_name(self, part: object) -> str:
        name = part if isinstance(part, str) else getattr(part, "name", None)
        if not isinstance(name, str):
            raise ModelError(
                "look: expected a body, the ground, a shaft, a beam, a flexible body, a wheel, an attached mass or a name, got "
                f"{shown(part)}",
                about=Subject("look").at("part"),
            )
        masses = {key: element for key, element in self._declared.items() if element.key == "attached_mass"}
        kinds: tuple[Mapping[str, Any], ...] = (self._bodies, self._structures, self._wheels, masses)
        known = {GROUND_NAME: self._ground, **{key: item for kind in reversed(kinds) for key, item in kind.items()}}
        if name not in known:
            what = Subject("look", Place(("looks", name)))
            raise ModelError(
                f'{what}: there is no body, shaft, beam, flexible body, wheel or attached mass "{name}"; {near_names(name, known)}',
                about=what,
            )
        if not isinstance(part, str) and not any(part is kind.get(name) for kind in kinds) and part is not self._ground:
            own = "use the ground of this model" if name == GROUND_NAME else "use the part of this model, or its name"
            raise self._foreign(part, f'look: "{name}"', own, Subject("look").at("part"))  # type: ignore[arg-type]
        return name

    def _takes_shape(self, name: str) -> bool:
        element = self._declared.get(name)
        return name == GROUND_NAME or name in self._bodies or (element is not None and element.key == "attached_mass")

    def _keep_look(self, name: str, look: Look) -> None:
        """Keep the appearance of a new part, if one was specified."""
        if look.described():
            self._looks[name] = look


def described_look(model: Registry, name: str) -> dict[str, Any]:
    """Appearance of a part as plain data."""
    look = model._looks.get(name)
    if look is None:
        return {}
    wheels = look.for_wheels and any(wheel.body_name == name and wheel.solid is None for wheel in model.wheels.values())
    return look.described(has_wheels=wheels)
