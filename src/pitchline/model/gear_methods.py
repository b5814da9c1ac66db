"""The methods of a model that make wheels and put them in mesh."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..gears import Gear, GearPair, Rack
from ..gears.rolling import RollingPair, rolling_on_rack, rolling_wheels, without_teeth
from ..solids.mass_properties import MassProperties
from ..solids.rotations import Array, Rotation, direction, read_rotation, z_to
from ..units import quantity, vector
from .body import Body
from .body_methods import BodyMethods
from .felt_tilt import bends
from .frames import Frame
from .gear_checks import check_gear, check_two_bodies, none_of
from .gear_mesh import GearMesh, face_offset, fitted, fixed, measured_pair, shared_face_width
from .joints import Placed
from .look import read_look
from .mesh_inertia import inertia_in_mesh
from .mesh_law import MeshLaw, effective_mass
from .mesh_standing import mesh_standing
from .meshes import Elastic, Flank, Loaded, Mesh, Rigid, Rolling
from .names import GROUND_NAME, one_of, part_subject
from .plane_checks import mesh_problem
from .seated_blank import blank_on_body, blank_or_given
from .table_request import table_request
from .types import Direction, OnBody, Orientation, Quantity, Vector
from .wheels import Wheel

__all__ = ["GearMethods"]


@names_wrong_arguments
class GearMethods(BodyMethods):
    """Wheels on bodies, and pairs of them in mesh.

    A gear has axes of its own: z along the axis of the wheel, the origin in the middle of its face, x through the
    middle of a tooth (a rack: x out of the teeth, y along them). A wheel is placed by those axes, or by `mesh_with`
    another wheel, so that the teeth engage.
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
        shape: Any = None,
        colour: str | None = None,
        hidden: bool = False,
    ) -> Body:
        """A gear or a rack as a body of its own, whose origin and axes are those of the gear.

        Its wheel has the same name, so that the body itself can be given to `gear_pair`.

        Where it stands: `position` of its centre [m] with `axis`, or with `orientation` (as in `body`), and turned by
        `phase` [rad] about its z; or `mesh_with` another wheel, which places it in mesh with that one, teeth in phase:
        `towards` a direction from the centre of that wheel to the side where the pitch point shall lie (its x axis
        without), moved by `axial_shift` [m] along its own z (parallel axes), at a `centre_distance` [m] and a
        `shaft_angle` [rad] as in `GearPair`, both of which may be left out where they follow from the gears. A new rack
        has its space number `tooth` at the pinion.

        What it weighs: the blank of the gear, from bore to pitch surface, unless `solid`, or `mass` and `inertia`
        (about the centre of mass, body axes), are given. A mass alone scales the inertia of the blank; an inertia
        alone leaves its mass. `centre_of_mass` replaces that of the blank, and moves a solid as in `body`.

        What it looks like: its teeth, and `shape` besides, such as its shaft; `colour` and `hidden` as in `body`.
        """
        what = part_subject("gear body", self._new_name(name, "gear body"))
        check_gear(gear, what)
        x, R = self._gear_pose(
            name,
            gear,
            what,
            _At(position, "position", np.zeros(3), np.eye(3)),
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
        """A gear or a rack on a body that exists, or on the ground: compound shafts, fixed ring gears and racks.

        with_mass: whether the mass of its blank is added to the body; without, on stations of structures alone. On a shaft the
        blank begins at the shaft's outer diameter, and teeth that are cut into it add nothing. `at`, `axis`, `orientation` and
        `phase` say where it stands in the world in the initial pose: the body's origin and axes without them. A frame in place of
        the body says it all but the phase. `mesh_with` and what goes with it: as in `gear_body`. `colour`: as in `body`.
        """
        what = part_subject("wheel", self._new_name(name, "wheel"))
        check_gear(gear, what)
        if isinstance(body, Frame):
            given = [
                key for key, value in (("at", at), ("axis", axis), ("orientation", orientation)) if value is not None
            ]
            if given or mesh_with is not None:
                raise ModelError(
                    f"{what}: a frame already says where and which way; leave out "
                    f"{' and '.join(given) or 'mesh_with'}, or give the body instead",
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
            _At(at, "at", x, R),
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
            frame = Frame(carrier.name, body.position, body.rotation, name, owner=carrier)  # to the bit
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
        phase: str = "fit",
    ) -> GearMesh:
        """Two wheels in mesh, of any kind: spur, helical, internal, crossed, worm, bevel, hypoid, rack and pinion.

        a, b: wheels, bodies that have one wheel, or their names. Of a rack and its pinion **the pinion is a in all
        results**, whichever is given first. mesh: `Elastic(...)`, `Loaded(...)`, `Flank(...)`, `Rigid(...)` or
        `Rolling(...)`; Rigid() without. With Rolling(ratio=...) or Rolling(radius=...) a and b are bodies or frames
        without gears. The kind, the centre distance of parallel axes and the shaft angle of crossed ones follow from the
        initial poses, unless said; what does not fit is an error. phase: "fit" takes the teeth of b to be cut where they
        engage in the initial pose (u = 0); "as placed" leaves all teeth where the axes of the gears say.
        """
        what = part_subject("gear pair", self._new_name(name, "gear pair"))
        if mesh is not None and not isinstance(mesh, (Elastic, Flank, Loaded, Rigid, Rolling)):
            raise ModelError(
                f"{what}: mesh must be Elastic(...), Loaded(...), Flank(...), Rigid(...) or Rolling(...), got {shown(mesh)}",
                about=what.at("mesh"),
            )
        if not one_of(phase, ("fit", "as placed")):
            raise ModelError(f'{what}: phase must be "fit" or "as placed", got {shown(phase)}', about=what.at("phase"))
        if isinstance(mesh, Rolling) and not mesh.needs_gears:
            by_place = {"centre_distance": centre_distance, "shaft_angle": shaft_angle}
            none_of(by_place, what, "wheels without gears roll where they stand; move the bodies, and leave out")
            return self._rolling(name, a, b, mesh, what)
        wheel_a, wheel_b = self._wheel(a, what / "a"), self._wheel(b, what / "b")
        if wheel_a.is_rack and wheel_b.is_rack:
            raise ModelError(
                f'{what}: "{wheel_a.name}" and "{wheel_b.name}" are both racks; one must be a pinion', about=what
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
            phase = "fit"
        standing = fitted(alignment) if phase == "fit" else fixed(alignment)
        width = shared_face_width(pair, pose_a, pose_b)
        parallel = pair.kind.parallel and isinstance(gear_b, Gear)
        place = mesh_standing(pair, standing, pose_a, pose_b) if parallel else None
        request = table_request(mesh, pair, place, face_width=width, what=what.at("mesh"))
        on = [self._body_named(wheel.body_name, what) for wheel in (wheel_a, wheel_b)]
        law = MeshLaw.of(
            mesh, pair, inertia_in_mesh(self, wheel_a), inertia_in_mesh(self, wheel_b), face_width=width,
            on_structure=any(bends(body) for body in on), what=what.at("mesh"),
        )  # fmt: skip
        made = GearMesh(
            name, wheel_a, wheel_b, pair, mesh, standing, law, face_offset=face_offset(pose_a, pose_b), standing=place,
            request=request,
        )  # fmt: skip
        return self._add_pair(made)

    def _rolling(self, name: str, a: object, b: object, mesh: Rolling, what: Subject) -> GearMesh:
        """Two bodies or frames without gears that roll on each other."""
        for side, x in (("a", a), ("b", b)):
            called = x.name if isinstance(x, (Wheel, Body)) else x
            if isinstance(x, Wheel) or (isinstance(called, str) and called in self._wheels):
                raise ModelError(
                    f'{what}: {side}: "{called}" has a gear, whose teeth say how it rolls; leave out '
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
        problem = mesh_problem(self, made)
        if problem:
            raise problem
        self._gear_pairs[made.name] = made
        return made

    # ------------------------------------------------------------------------------------------------ where it stands

    def _gear_pose(
        self,
        name: str,
        gear: Gear | Rack,
        what: Subject,
        at: _At,
        *,
        axis: object,
        orientation: object,
        phase: object,
        mesh_with: object,
        towards: object,
        axial_shift: object,
        tooth: object,
        centre_distance: object,
        shaft_angle: object,
    ) -> Placed:
        """Centre (3,) and axes (3, 3) of a new wheel in the world."""
        turn = quantity(phase, "angle", what=what / "phase")
        shift = quantity(axial_shift, "length", what=what / "axial_shift")
        if isinstance(tooth, bool) or not isinstance(tooth, (int, np.integer)):
            raise ModelError(f"{what}: tooth must be a whole number, got {shown(tooth)}", about=what.at("tooth"))
        if turn and isinstance(gear, Rack):
            raise ModelError(
                f"{what}: phase turns a wheel about its axis, a rack has none; leave it out, move the rack",
                about=what.at("phase"),
            )
        by_axes = {at.name: at.point, "axis": axis, "orientation": orientation, "phase": turn or None}
        by_mesh = {
            "towards": towards,
            "axial_shift": shift or None,
            "tooth": tooth or None,
            "centre_distance": centre_distance,
            "shaft_angle": shaft_angle,
        }
        if mesh_with is None:
            none_of(by_mesh, what, "mesh_with is missing; say which wheel, or leave out")
            if axis is not None and orientation is not None:
                raise ModelError(f"{what}: give axis or orientation, not both", about=what.at("orientation"))
            R = at.axes
            if axis is not None:
                R = z_to(direction(axis, what=what / "axis"))
            elif orientation is not None:
                R = read_rotation(orientation, what=what / "orientation")
            x = at.origin if at.point is None else vector(at.point, "length", what=what / at.name)
            return x, R @ Rotation("z", turn).matrix if turn else R
        none_of(by_axes, what, "mesh_with already says where and which way; leave out")
        other = self._wheel(mesh_with, what / "mesh_with")
        if not isinstance(other.gear, Gear):
            raise ModelError(
                f'{what}: "{other.name}" is a rack, which does not say where along it the wheel shall stand; make the '
                f"pinion first and the rack with mesh_with=, or place the wheel with {at.name} and orientation",
                about=what.at("mesh_with"),
            )
        pair = GearPair(
            other.gear,
            gear,
            centre_distance=centre_distance,
            shaft_angle=shaft_angle,
            what=what.called(f'{what} ("{other.name}" is A, "{name}" is B)'),
        )
        if tooth and not isinstance(gear, Rack):
            raise ModelError(
                f"{what}: tooth says which space of a rack stands at the pinion; leave it out", about=what.at("tooth")
            )
        origin, axes = self.placed(other.frame)
        side = None if towards is None else direction(towards, what=what / "towards")
        placed = pair.place(position=origin, rotation=axes, towards=side, axial_shift=shift, tooth=int(tooth))
        return placed.position, placed.rotation


class _At:
    """Where a wheel goes: the point given and what its argument is called, and origin and axes without it."""

    def __init__(self, point: object, name: str, origin: Array, axes: Array) -> None:
        self.point, self.name, self.origin, self.axes = point, name, origin, axes
