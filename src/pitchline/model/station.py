"""Station: a node of a shaft, beam or flexible body at which other parts can be placed."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from .body import Body
from .names import part_subject

__all__ = ["Station"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Station(Body):
    """Node of a structure. It is a body of the model, so that joints, loads, wheels and elements can be connected to it.

    Its inertia is part of the structure, in the elements between stations. Its own mass is 0 unless it is specified.

    Attributes
    ----------
    structure : str
        Name of its structure.
    station : str
        Its name in the structure. The name of the body consists of both, "input left".
    """

    structure: str
    station: str

    def __init__(
        self,
        name: str,
        mass: object = 0.0,
        inertia: object = (0.0, 0.0, 0.0),
        *,
        structure: str,
        station: str,
        centre_of_mass: object = (0.0, 0.0, 0.0),
        position: object = (0.0, 0.0, 0.0),
        orientation: object = None,
        velocity: object = (0.0, 0.0, 0.0),
        angular_velocity: object = (0.0, 0.0, 0.0),
    ) -> None:
        super().__init__(
            name,
            mass,
            inertia,
            centre_of_mass=centre_of_mass,
            position=position,
            orientation=orientation,
            velocity=velocity,
            angular_velocity=angular_velocity,
        )
        for attribute, value in (("structure", structure), ("station", station)):
            if not isinstance(value, str) or not value:
                what = part_subject("body", name)
                raise ModelError(f"{what}: {attribute} must be a name, got {shown(value)}", about=what)
            object.__setattr__(self, attribute, value)

    def __repr__(self) -> str:
        return f"Station({self.station!r} of {self.structure!r})"
