"""Model methods that add wheels and gear pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..gears import Gear, Rack
from ..gears.aligned_pose import in_phase
from ..gears.kinds import beveloid_rack_pitch
from ..gears.rolling import RollingPair, rolling_on_rack, rolling_wheels, without_teeth
from ..solids.mass_properties import MassProperties
from ..units import quantity
from .body import Body
from .declared_element import DeclaredElement
from .felt_tilt import bends
from .frames import Frame
from .gear_checks import check_gear, check_two_bodies, none_of
from .gear_mesh import GearMesh, face_offset, fitted, fixed, measured_pair, shared_face_width
from .gear_placement import GearPlacement, WheelPlace
from .look import read_look
from .mesh_inertia import inertia_in_mesh
from .mesh_law import MeshLaw, effective_mass
from .mesh_standing import mesh_standing
from .meshes import Elastic, Flank, Loaded, Mesh, OwnMesh, Rigid, Rolling
from .names import GROUND_NAME, one_of, part_subject
from .plane_checks import mesh_problem
from .ratio_methods import RatioMethods
from .ratio_on_axis import check_sign, on_one_axis, ratio_on_axis
from .seated_blank import blank_on_body, blank_or_given
from .shared_flanks import shared_body_problem
from .table_request import table_request
from .types import Direction, OnBody, Orientation, Quantity, Vector
from .wheels import Wheel

__all__ = ["GearMethods"]


@names_wrong_arguments
class GearMethods(GearPlacement, RatioMethods):
    """Wheels on bodies, and pairs of wheels in mesh.

    A gear has its own axes: z along the wheel axis, origin in the middle of the face, x through the middle of a tooth. A rack: x
    out of the teeth, y along the rack. A wheel is placed with these axes, or with `mesh_with` so that its teeth engage with those
    of another wheel.
    """

    def gear_body(
        self,
        name: str,
        gear: Gear | Rack,
        *,
        position: Vector | None = None,
        axis: Direction | None = None,
        orientation: Orientation = None,
        phase: Quantity = 0.0,
        mesh_with: Wheel | Body | str | None = None,
        towards: Direction | None = None,
        axial_shift: Quantity = 0.0,
        tooth: int = 0,
        centre_distance: Quantity | None = None,
        shaft_angle: Quantity | None = None,
        mass: Quantity | None = None,
        inertia: Any = None,
        centre_of_mass: Vector | None = None,
        solid: MassProperties | None = None,
        velocity: Vector = (0.0, 0.0, 0.0),
        angular_velocity: Vector = (0.0, 0.0, 0.0),
        any_inertia: bool = False,
        shape: Any = None,
        colour: str | None = None,
        hidden: bool = False,
    ) -> Body:
        """Add a gear or rack as a body. Its origin and axes are those of the gear.

        The wheel has the name of the body, so that the body can be used in `gear_pair`.

        Parameters
        ----------
        name
            Name of the body and of its wheel.
        gear
            Gear or rack.
        position
            Centre of the gear in the world [m]. Default: the world origin.
        axis
            Direction of the wheel axis (z), world axes. Default "z".
        orientation
            All three axes, in place of `axis`; as in `body`.
        phase
            Rotation of the wheel about its z axis [rad]. Default 0.
        mesh_with
            Other wheel. The new wheel is placed in mesh with it, with the teeth in phase. Replaces position, axis, orientation and
            phase.
        towards
            With `mesh_with`: direction from the centre of the other wheel to the pitch point. Default: its x axis.
        axial_shift
            With `mesh_with`: shift of the new wheel along its own z axis [m], for parallel axes. Default 0.
        tooth
            With `mesh_with`: number of the space of a new rack that is at the pinion. Default 0.
        centre_distance, shaft_angle
            With `mesh_with`: centre distance [m] and shaft angle [rad] as in `GearPair`. Default: from the gears, if possible.
        mass
            Mass [kg]. Default: that of the gear with its teeth (`Gear.blank`). With a mass only, this inertia is scaled.
        inertia
            As in `body` [kg*m^2]. Default: that of the gear. With an inertia only, the mass is that of the gear.
        centre_of_mass
            In body axes [m]. Default: that of the gear. A solid is moved to this point, as in `body`.
        solid
            Solid with a mass, in place of mass and inertia.
        velocity, angular_velocity
            Initial velocity of the centre [m/s] and angular velocity [rad/s], world axes. Default 0.
        any_inertia
            As in `body`. Default False.
        shape
            Shape for pictures in addition to the teeth, such as the shaft of the gear.
        colour, hidden
            As in `body`.
        """
        what = part_subject("gear body", self._new_name(name, "gear body"))
        check_gear(gear, what)
        x, R = self._gear_pose(
            name,
            gear,
            what,
            WheelPlace(position, "position", np.zeros(3), np.eye(3)),
            axis=axis,
            orientation=orientation,
            phase=phase,
            mesh_with=mesh_with,
            towards=towards,
            axial_shift=axial_shift,
            tooth=tooth,
            centre_distance=centre_distance,
            shaft_angle=shaft_angle,
        )
        if solid is None:
            mass, inertia, centre_of_mass = blank_or_given(gear, mass, inertia, centre_of_mass, what)
        body = self.body(
            name,
            mass=mass,
            inertia=inertia,
            centre_of_mass=(0.0, 0.0, 0.0) if centre_of_mass is None else centre_of_mass,
            solid=solid,
            position=x,
            orientation=R,
            velocity=velocity,
            angular_velocity=angular_velocity,
            any_inertia=any_inertia,
            shape=shape,
            colour=colour,
            hidden=hidden,
        )
        self._wheels[name] = Wheel(name, gear, Frame(name, np.zeros(3), None, name, owner=body))
        return body

    def wheel(
        self,
        name: str,
        body: OnBody,
        gear: Gear | Rack,
        *,
        at: Vector | None = None,
        axis: Direction | None = None,
        orientation: Orientation = None,
        phase: Quantity = 0.0,
        mesh_with: Wheel | Body | str | None = None,
        towards: Direction | None = None,
        axial_shift: Quantity = 0.0,
        tooth: int = 0,
        centre_distance: Quantity | None = None,
        shaft_angle: Quantity | None = None,
        with_mass: bool | None = None,
        colour: str | None = None,
    ) -> Wheel:
        """Add a gear or rack on an existing body, or on the ground: compound shafts, fixed ring gears, racks.

        Parameters
        ----------
        name
            Name of the wheel.
        body
            Body, station of a shaft, the ground, or a frame. A frame defines position and axes of the wheel, except the phase.
        gear
            Gear or rack.
        at
            Centre of the wheel in the world, in the initial pose [m]. Default: the origin of the body.
        axis, orientation
            Direction of the wheel axis, or all three axes, in the world in the initial pose. Default: the axes of the body.
        phase, mesh_with, towards, axial_shift, tooth, centre_distance, shaft_angle
            As in `gear_body`.
        with_mass
            Whether the mass of the gear is added to the body. Default: only on stations of structures. On a shaft the bore of the
            gear is the outer diameter of the shaft. Teeth that are cut into the shaft add no mass.
        colour
            Colour for pictures: "#RRGGBB" or a name.
        """
        what = part_subject("wheel", self._new_name(name, "wheel"))
        check_gear(gear, what)
        if isinstance(body, Frame):
            given = [
                key for key, value in (("at", at), ("axis", axis), ("orientation", orientation)) if value is not None
            ]
            if given or mesh_with is not None:
                raise ModelError(
                    f"{what}: a frame already defines position and axes; omit "
                    f"{' and '.join(given) or 'mesh_with'}, or give the body in place of the frame",
                    about=what.at(*(given or ["mesh_with"])[:1]),
                )
            x, R = self.placed(self._own_frame(body, what.at("body")))
            carrier = self._body_named(body.body_name, what)
        else:
            carrier = self._body(body, what.at("body"))
            x, R = carrier.position, carrier.orientation
        x, R = self._gear_pose(
            name,
            gear,
            what,
            WheelPlace(at, "at", x, R),
            axis=axis,
            orientation=orientation,
            phase=phase,
            mesh_with=mesh_with,
            towards=towards,
            axial_shift=axial_shift,
            tooth=tooth,
            centre_distance=centre_distance,
            shaft_angle=shaft_angle,
        )
        if isinstance(body, Frame) and not quantity(phase, "angle", what=what / "phase"):
            frame = Frame(carrier.name, body.position, body.rotation, name, owner=carrier)  # exactly as given
        else:
            frame = self._frame_at(carrier, x, R, name)
        wheel = Wheel(name, gear, frame, blank_on_body(self, carrier, gear, frame, with_mass, what))
        look = read_look(what, colour=colour)
        self._wheels[name] = wheel
        self._keep_look(name, look)
        return wheel

    def gear_pair(
        self,
        name: str,
        a: Wheel | OnBody,
        b: Wheel | OnBody,
        *,
        mesh: Mesh | None = None,
        centre_distance: Quantity | None = None,
        shaft_angle: Quantity | None = None,
        phase: str | None = None,
    ) -> GearMesh | DeclaredElement:
        """Add a pair of wheels in mesh: spur, helical, internal, crossed, worm, bevel, hypoid, rack and pinion.

        The kind of the pair follows from the gears and their initial poses. If the gears cannot mesh, it is an error.

        Parameters
        ----------
        name
            Name of the gear pair.
        a, b
            Wheels, bodies that have one wheel, or their names. For a rack and its pinion, **the pinion is a in all results**,
            regardless of the order. For Rolling(ratio=...) or Rolling(radius=...): bodies or frames without gears. Two shafts
            on one axis with Rolling(ratio=...) are a gearbox, see `ratio`; its part is an element.
        mesh
            `Elastic(...)`, `Loaded(...)`, `Flank(...)`, `Rigid(...)` or `Rolling(...)`. Default Rigid().
        centre_distance
            Centre distance of parallel axes [m]. Default: from the initial poses.
        shaft_angle
            Shaft angle of crossed axes [rad]. Default: from the initial poses.
        phase
            Default: the teeth of b are moved on their wheel so that they engage in the initial pose (u = 0). The teeth of a closed
            train, such as sun, planets and ring, must fit, otherwise analyses report an error. "fit": the same, but closed
            trains that cannot be assembled are accepted with a warning. "as placed": the axes of the gears define the position of
            all teeth.
        """
        what = part_subject("gear pair", self._new_name(name, "gear pair"))
        if mesh is not None and not isinstance(mesh, (Elastic, Flank, Loaded, OwnMesh, Rigid, Rolling)):
            raise ModelError(
                f"{what}: mesh must be Elastic(...), Loaded(...), Flank(...), Rigid(...) or Rolling(...), got {shown(mesh)}",
                about=what.at("mesh"),
            )
        if phase is not None and not one_of(phase, ("fit", "as placed")):
            raise ModelError(f'{what}: phase must be "fit" or "as placed", got {shown(phase)}', about=what.at("phase"))
        if isinstance(mesh, Rolling) and not mesh.needs_gears:
            by_place = {"centre_distance": centre_distance, "shaft_angle": shaft_angle}
            none_of(
                by_place, what, "the positions of wheels without gears define how they roll; move the bodies, and omit"
            )
            return self._rolling(name, a, b, mesh, what)
        wheel_a, wheel_b = self._wheel(a, what / "a"), self._wheel(b, what / "b")
        if wheel_a.is_rack and wheel_b.is_rack:
            raise ModelError(
                f'{what}: "{wheel_a.name}" and "{wheel_b.name}" are both racks; one of them must be a pinion',
                about=what,
            )
        check_two_bodies(wheel_a, wheel_b, what)
        if wheel_a.is_rack:
            wheel_a, wheel_b = wheel_b, wheel_a
        gear_a, gear_b = wheel_a.gear, wheel_b.gear
        assert isinstance(gear_a, Gear) and gear_b is not None
        pose_a, pose_b = self.placed(wheel_a.frame), self.placed(wheel_b.frame)
        what = what.called(f'{what} ("{wheel_a.name}" is A, "{wheel_b.name}" is B)')
        pair = measured_pair(gear_a, gear_b, pose_a, pose_b, centre_distance, shaft_angle, what)
        alignment = pair.align(*pose_a, *pose_b)
        mesh = Rigid() if mesh is None else mesh
        if isinstance(mesh, Rolling):
            if (
                pair.kind.crossed
                or pair.kind == "hypoid"
                or (pair.kind == "rack and pinion" and pair.shaft_angle > 1e-6)
            ):
                raise ModelError(
                    f"{what}: the pitch surfaces of a {pair.kind} pair on crossed axes slide on each other and do not roll; use "
                    "Rigid() or Elastic(...)",
                    about=what.at("mesh"),
                )
            alignment = replace(alignment, pitch=without_teeth(alignment.pitch))
            phase = None
        elif pair.kind == "beveloid":
            assert isinstance(gear_b, Gear)
            alignment = replace(alignment, pitch=beveloid_rack_pitch(gear_a, gear_b, alignment.pitch))
        standing = fixed(alignment) if phase == "as placed" else fitted(alignment)
        width = shared_face_width(pair, pose_a, pose_b)
        parallel = pair.kind.parallel and isinstance(gear_b, Gear)
        place = mesh_standing(pair, standing, pose_a, pose_b) if parallel else None
        request = table_request(
            mesh, pair, place, face_width=width, what=what.at("mesh"), pitch=alignment.pitch,
            pose=in_phase(alignment, pose_a, pose_b),
        )  # fmt: skip
        on = [self._body_named(wheel.body_name, what) for wheel in (wheel_a, wheel_b)]
        law = MeshLaw.of(
            mesh, pair, inertia_in_mesh(self, wheel_a), inertia_in_mesh(self, wheel_b), face_width=width,
            on_structure=any(bends(body) for body in on), what=what.at("mesh"),
        )  # fmt: skip
        made = GearMesh(
            name, wheel_a, wheel_b, pair, mesh, standing, law, face_offset=face_offset(pose_a, pose_b), standing=place,
            request=request, poses=(pose_a, pose_b), phase=phase or "",
        )  # fmt: skip
        return self._add_pair(made)

    def _rolling(self, name: str, a: object, b: object, mesh: Rolling, what: Subject) -> GearMesh | DeclaredElement:
        """Make a pair of two bodies or frames without gears that roll on each other."""
        for side, x in (("a", a), ("b", b)):
            called = x.name if isinstance(x, (Wheel, Body)) else x
            if isinstance(x, Wheel) or (isinstance(called, str) and called in self._wheels):
                raise ModelError(
                    f'{what}: {side}: "{called}" has a gear, whose teeth define how it rolls; omit '
                    f"{'ratio' if mesh.radius is None else 'radius'}, or give a frame on the body instead",
                    about=what.at(side),
                )
        wheel_a, wheel_b = (
            Wheel(name if frame.body_name == GROUND_NAME else frame.body_name, None, frame)
            for frame in (
                self._end(x, None, what.called(f"{what}: {side}"), name, on=side) for side, x in (("a", a), ("b", b))
            )
        )
        check_two_bodies(wheel_a, wheel_b, what)
        if mesh.ratio is not None and on_one_axis(self, wheel_a.frame, wheel_b.frame):
            joint_a, joint_b, ratio = ratio_on_axis(self, mesh, wheel_a.frame, wheel_b.frame, what)
            return self.ratio(name, joint_a, joint_b, ratio=ratio, efficiency=mesh.efficiency or 1.0)
        check_sign(mesh, what)
        poses = (*self.placed(wheel_a.frame), *self.placed(wheel_b.frame))
        pair: RollingPair
        if mesh.radius is not None:
            pair, alignment = rolling_on_rack(mesh.radius, *poses, what)
        else:
            pair, alignment = rolling_wheels(mesh.teeth, mesh.internal, *poses, what)
        inertias = [inertia_in_mesh(self, w, rack=mesh.radius is not None and w is wheel_b) for w in (wheel_a, wheel_b)]
        law = MeshLaw(rigid=True, effective_mass=effective_mass(pair, *inertias))
        return self._add_pair(GearMesh(name, wheel_a, wheel_b, pair, mesh, fitted(alignment), law))

    def _add_pair(self, made: GearMesh) -> GearMesh:
        problem = mesh_problem(self, made) or shared_body_problem(self, made)
        if problem:
            raise problem
        self._gear_pairs[made.name] = made
        return made
