"""Model method that adds couplings."""

from __future__ import annotations

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.declared_element import DeclaredElement
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Direction, OnBody, Quantity, Vector
from pitchline.errors import ModelError, shown
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods

from ..bodies.methods import JointMethods
from ..bodies.part import Joint
from .design import CardanJoint, ElasticCoupling, GearCoupling, Spline

__all__ = ["CouplingMethods"]


@names_wrong_arguments
class CouplingMethods(JointMethods, ElementMethods):
    """Couplings of shafts."""

    def coupling(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        design: ElasticCoupling | GearCoupling | Spline | CardanJoint,
        *,
        at: Vector | None = None,
        axis: Direction | None = None,
        initial_twist: Quantity = 0.0,
    ) -> DeclaredElement | Joint:
        """Add a coupling between two shafts.

        Parameters
        ----------
        name
            Name of the coupling.
        a, b
            Shafts: bodies, or frames whose z axes are the shaft axes. The frames need not coincide: their offset and tilt are
            the misalignment of the shafts.
        design
            `ElasticCoupling`, `GearCoupling` or `Spline`. `CardanJoint` makes a joint of the kind "universal".
        at
            World point of the coupling [m], if bodies are given. Default: the origin of b.
        axis
            Axis of both shafts, if bodies are given. Default: z of b. For a `CardanJoint` the axes are the z axes of a and b.
        initial_twist
            Twist of b relative to a in the initial pose [rad]. Default 0.
        """
        what = part_subject("coupling", name) if isinstance(name, str) else part_subject("coupling", "")
        if isinstance(design, CardanJoint):
            if axis is not None or initial_twist:
                raise ModelError(
                    f"{what}: a cardan joint has no axis and no initial_twist; its shafts define both", about=what
                )
            end_a, end_b = (self._end(end, None if isinstance(end, Frame) else at, what, name) for end in (a, b))
            (_, axes_a), (point, axes_b) = self.placed(end_a), self.placed(end_b)
            pin_a, pin_b = design.pins(axes_a, axes_b, what)
            return self.universal(name, end_a.body_name, end_b.body_name, at=point, axis=pin_a, axis_b=pin_b)
        if not isinstance(design, (ElasticCoupling, GearCoupling, Spline)):
            raise ModelError(
                f"{what}: expected an ElasticCoupling, a GearCoupling, a Spline or a CardanJoint, got {shown(design)}",
                about=what,
            )
        made: DeclaredElement = element_of_package("coupling")(
            name, a=a, b=b, design=design, at=at, axis=axis, initial_twist=initial_twist
        )
        return self.add(made)
