"""Model method that adds sensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.registry import OnBody, Vector
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods

if TYPE_CHECKING:
    from pitchline.declare.declared_element import DeclaredElement

__all__ = ["SensorMethods"]


@names_wrong_arguments
class SensorMethods(ElementMethods):
    """Sensors."""

    def sensor(
        self,
        name: str,
        on: OnBody,
        *,
        at: Vector | None = None,
        relative_to: OnBody | None = None,
        at_reference: Vector | None = None,
    ) -> DeclaredElement:
        """Add a sensor: position, velocity, acceleration and orientation of a frame or point. It causes no forces.

        Parameters
        ----------
        name
            Name of the sensor. Its signals are `NAME.position`, `NAME.velocity` and so on.
        on
            Body, or a frame on it.
        at
            World point of the sensor in the initial pose [m], if `on` is a body. Default: the origin of the body.
        relative_to
            Body or frame of reference. Positions and rates are as an observer on this body measures them, in the axes of the
            frame. Default: the ground.
        at_reference
            World point of the reference in the initial pose [m], if `relative_to` is a body. Default: the origin of the body.
        """
        given = {"relative_to": relative_to, "at_on": at, "at_relative_to": at_reference}
        made: DeclaredElement = element_of_package("sensor")(
            name, on=on, **{key: value for key, value in given.items() if value is not None}
        )
        return self.add(made)
