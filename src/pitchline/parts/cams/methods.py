"""Model method that adds cams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import part_subject
from pitchline.declare.registry import Direction, OnBody, Quantity, Vector
from pitchline.errors import ModelError
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods
from pitchline.solids.rotations import direction as read_direction
from pitchline.solids.rotations import z_to
from pitchline.units.quantity import vector

from ..bodies.part import Body
from .profile import CamProfile

if TYPE_CHECKING:
    from pitchline.declare.declared_element import DeclaredElement

__all__ = ["CamMethods"]


@names_wrong_arguments
class CamMethods(ElementMethods):
    """Cams."""

    def cam(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        profile: CamProfile,
        *,
        roller_radius: Quantity | None = None,
        bilateral: bool = False,
        stiffness: Quantity | None = None,
        damping: Quantity | None = None,
        face: str = "roller",
        direction: Vector | None = None,
        cam_angle: Quantity = 0.0,
        axis: Direction | None = None,
        at_a: Vector | None = None,
        at_b: Vector | None = None,
        width: Quantity | None = None,
        modulus: Quantity | None = None,
    ) -> DeclaredElement:
        """Add a disc cam on body `a` with its follower on body `b`.

        Parameters
        ----------
        name
            Name of the cam.
        a
            Body of the cam, or a frame on it. The z axis of the frame is the cam axis.
        b
            Body of the follower, or a frame on it. The origin of the frame is the centre of the roller, or a point of the flat
            face.
        profile
            Cam profile, defined by the lift of the follower or by the outline of the cam.
        roller_radius
            Radius of the roller [m]; 0 is a knife edge.
        bilateral
            If True, the cam guides the follower in both directions (roller in a groove, conjugate cams): a constraint. If False
            (default), the cam only pushes, and the follower may lift off.
        stiffness, damping
            Contact stiffness, normal force per penetration [N/m], and contact damping, normal force per rate of penetration
            [N*s/m]. Not for bilateral cams.
        face
            Face of the follower: "roller" (default) or "flat".
        direction
            Flat face: its normal, away from the cam. Roller: the direction of motion of the follower, for the pressure angle,
            if the profile does not define it. World axes, initial pose.
        cam_angle
            Cam angle in the initial pose, on the scale of the lift [rad]. Default 0.
        axis
            Direction of the cam axis, world axes, if `a` is a body. Default: z of the body.
        at_a, at_b
            World points of the frames [m], if bodies are given. Default: the origins of the bodies.
        width
            Contact width [m]. With a width there is the signal `contact_pressure`.
        modulus
            Contact modulus 1/((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2) [Pa]. Default: steel on steel.
        """
        what = part_subject("cam", name) if isinstance(name, str) else "cam"
        if axis is not None:
            if not isinstance(a, (Body, str)):
                raise ModelError(
                    f"{what}: a frame already defines the axis; omit axis, or give the body in place of the frame"
                )
            body = self._body(a, what)
            point = body.position if at_a is None else vector(at_a, "length", what=f"{what}: at_a")
            a, at_a = self._frame_at(body, point, z_to(read_direction(axis, what=f"{what}: axis")), name), None
        given: dict[str, Any] = {"a": a, "b": b, "profile": profile, "face": face, "cam_angle": cam_angle}
        optional = {
            "roller_radius": roller_radius, "direction": direction, "at_a": at_a, "at_b": at_b, "width": width, "modulus": modulus,
        }  # fmt: skip
        given |= {key: value for key, value in optional.items() if value is not None}
        contact = {key: value for key, value in (("stiffness", stiffness), ("damping", damping)) if value is not None}
        if bilateral and contact:
            raise ModelError(f"{what}: a bilateral cam is a constraint and has no {next(iter(contact))}; omit it")
        made: DeclaredElement = element_of_package("grooved_cam" if bilateral else "cam")(name, **given, **contact)
        return self.add(made)
