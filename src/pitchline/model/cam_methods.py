"""The method of a model that makes cams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..arguments import names_wrong_arguments
from ..cams import CamProfile
from ..disk.element_finder import element_of_package
from ..errors import ModelError
from ..solids.rotations import direction as read_direction
from ..solids.rotations import z_to
from ..units import vector
from .body import Body
from .element_methods import ElementMethods
from .names import part_subject
from .types import Direction, OnBody, Quantity, Vector

if TYPE_CHECKING:
    from .declared_element import DeclaredElement

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
        """A disc cam on body `a` and its follower on body `b`.

        Parameters
        ----------
        a
            The cam: a body, or a frame whose z is the axis of the cam.
        b
            The follower: a body, or a frame whose origin is the centre of the roller, or a point of the flat face.
        profile
            The cam, by the lift of its follower or by its outline.
        roller_radius
            Radius of the roller [m]; 0 is a knife edge.
        bilateral
            The cam guides its follower both ways (roller in a groove, conjugate cams): a constraint. Otherwise it pushes only,
            and the follower may lift off.
        stiffness, damping
            Of the contact: normal force over its depth [N/m] and over the rate of the depth [N*s/m]. Not for bilateral cams.
        face
            "roller" or "flat".
        direction
            Normal of a flat face, away from the cam; of a roller the direction in which the follower moves, for the
            pressure angle, where the profile does not tell. World axes, initial pose.
        cam_angle
            Angle of the cam in the initial pose, as the lift counts it [rad].
        axis
            Axis of the cam, world axes, where `a` is a body; z of the body by default.
        at_a, at_b
            World points of the frames, where bodies are given; their origins by default.
        width, modulus
            Of the contact: width [m] and modulus 1/((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2) [Pa], by default that of steel on
            steel; with a width there is the signal `contact_pressure`.
        """
        what = part_subject("cam", name) if isinstance(name, str) else "cam"
        if axis is not None:
            if not isinstance(a, (Body, str)):
                raise ModelError(f"{what}: a frame already says the axis; leave out axis, or give the body instead")
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
            raise ModelError(f"{what}: a bilateral cam is a constraint without {next(iter(contact))}; leave it out")
        made: DeclaredElement = element_of_package("grooved_cam" if bilateral else "cam")(name, **given, **contact)
        return self.add(made)
