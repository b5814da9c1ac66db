"""Model methods that add wheels and gear pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.declared_element import DeclaredElement
from pitchline.declare.names import GROUND_NAME, Frame, one_of, part_subject
from pitchline.declare.registry import Direction, OnBody, Orientation, Quantity, Registry, Vector, read_look
from pitchline.declare.structure import Station
from pitchline.errors import ModelError, Subject, shown
from pitchline.model.shared_flanks import shared_body_problem
from pitchline.solids.mass_properties import MassProperties
from pitchline.solids.rotations import Rotation, direction, read_rotation, z_to
from pitchline.units.quantity import quantity, vector

from ..bearings.seats import LEAN
from ..bodies.methods import BodyMethods
from ..bodies.part import Body, Placed
from ..bodies.plane_checks import mesh_problem
from ..meshes.force_law import MeshLaw, effective_mass
from ..meshes.inertia import inertia_in_mesh
from ..meshes.laws import Mesh
from ..meshes.laws.elastic import Elastic, Rigid, Rolling
from ..meshes.laws.flank import Flank
from ..meshes.laws.loaded import Loaded
from ..meshes.laws.own import OwnMesh
from ..meshes.part import GearMesh, face_offset, fitted, fixed, measured_pair, shared_face_width
from ..meshes.table_request import bends, mesh_standing, table_request
from ..planetary.methods import RatioMethods, check_sign, on_one_axis, ratio_on_axis
from ..shafts.part import Shaft
from .geometry.axes import RollingPair, in_phase, rolling_on_rack, rolling_wheels, without_teeth
from .geometry.gear import Gear
from .geometry.inputs import MOST, in_mm
from .geometry.kinds import beveloid_rack_pitch
from .geometry.pair import GearPair
from .geometry.rack import Rack
from .part import Wheel

__all__ = [
    "check_gear",
    "check_two_bodies",
    "none_of",
    "GearPlacement",
    "WheelPlace",
    "blank_on_body",
    "blank_or_given",
    "GearMethods",
]


# ---- gear checks

# Checks of the arguments that make wheels and gear pairs.


def check_gear(gear: object, what: Subject) -> None:
    if not isinstance(gear, (Gear, Rack)):
        raise ModelError(f"{what}: expected a Gear or a Rack, got {shown(gear)}", about=what.at("gear"))


def check_two_bodies(a: Wheel, b: Wheel, what: str) -> None:
    if a.body_name == b.body_name:
        raise ModelError(
            f'{what}: "{a.name}" and "{b.name}" are both on "{a.body_name}" and cannot rotate relative to each other. '
            "Put them on two bodies",
            about=what,
        )


def none_of(given: Mapping[str, object], what: Subject, text: str) -> None:
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise ModelError(f"{what}: {text} {' and '.join(names)}", about=what.at(names[0]))


# ---- gear placement

# Position of a new wheel in the world: from its own arguments, or in mesh with another wheel.


class WheelPlace:
    """Position of a wheel: the given point with the name of its argument, and the default origin and axes."""

    def __init__(self, point: object, name: str, origin: FloatArray, axes: FloatArray) -> None:
        self.point, self.name, self.origin, self.axes = point, name, origin, axes


class GearPlacement(BodyMethods):
    """Placement of wheels."""

    def _gear_pose(
        self,
        name: str,
        gear: Gear | Rack,
        what: Subject,
        at: WheelPlace,
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
        if abs(int(tooth)) > MOST:
            raise ModelError(
                f"{what}: tooth must be from {-MOST} to {MOST}, got {shown(tooth)}. It counts the spaces of the rack",
                about=what.at("tooth"),
            )
        if turn and isinstance(gear, Rack):
            raise ModelError(
                f"{what}: phase rotates a wheel about its axis, but a rack has no axis; omit phase, and move the rack",
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
            none_of(by_mesh, what, "mesh_with is missing; specify the other wheel, or omit")
            if axis is not None and orientation is not None:
                raise ModelError(f"{what}: specify axis or orientation, not both", about=what.at("orientation"))
            R = at.axes
            if axis is not None:
                R = z_to(direction(axis, what=what / "axis"))
            elif orientation is not None:
                R = read_rotation(orientation, what=what / "orientation")
            x = at.origin if at.point is None else vector(at.point, "length", what=what / at.name)
            return x, R @ Rotation("z", turn).matrix if turn else R
        none_of(by_axes, what, "mesh_with already defines position and axes; omit")
        other = self._wheel(mesh_with, what / "mesh_with")
        if not isinstance(other.gear, Gear):
            raise ModelError(
                f'{what}: "{other.name}" is a rack, so that the position of the wheel along it is not defined; make the '
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
                f"{what}: tooth is the space of a rack that is at the pinion; omit it for a gear",
                about=what.at("tooth"),
            )
        origin, axes = self.placed(other.frame)
        side = None if towards is None else direction(towards, what=what / "towards")
        placed = pair.place(position=origin, rotation=axes, towards=side, axial_shift=shift, tooth=int(tooth))
        return placed.position, placed.rotation


# ---- seated blank

# Mass of the blank of a gear: of a body that is a gear, and of a wheel that is added to a body.


def blank_on_body(
    model: Registry, body: Body, gear: Gear | Rack, frame: Frame, with_mass: object, what: Subject
) -> MassProperties | None:
    """Return the blank of a gear in the axes of its frame, if its mass is added to its body.

    On a shaft its bore is the outer diameter of the shaft in the middle of the wheel, unless its own bore is larger. Teeth
    that are cut into the shaft add no mass.
    """
    if with_mass not in (None, True, False):
        raise ModelError(f"{what}: with_mass must be True or False, got {shown(with_mass)}", about=what.at("with_mass"))
    if isinstance(body, Station):
        _check_on_shaft(model, body, gear, frame, with_mass, what)
    if with_mass is False or (with_mass is None and not isinstance(body, Station)):
        return None
    if body.is_ground:
        raise ModelError(
            f"{what}: is on the ground, whose mass has no effect; omit with_mass", about=what.at("with_mass")
        )
    try:
        if isinstance(body, Station) and isinstance(gear, Gear) and not gear.internal:
            structure = model.structures[body.structure]
            if isinstance(structure, Shaft):
                outer = structure.outer_at(structure.place_of(frame, body))
                if outer >= gear.root_diameter:
                    if with_mass:
                        raise ModelError(
                            f"the diameter of the shaft there, {in_mm(outer)}, is not smaller than its root diameter, "
                            f"{in_mm(gear.root_diameter)}: "
                            "its teeth are cut into the shaft, which already includes the mass"
                        )
                    return None
                if outer > gear.bore:
                    gear = gear.with_(body=gear.body.with_(bore=outer))
        return gear.solid
    except ModelError as error:
        raise ModelError(
            f"{what}: its mass is added to that of the shaft, but {error}; or specify with_mass=False, and the mass with "
            "attached_mass(...)",
            about=what,
        ) from None


def _check_on_shaft(
    model: Registry, station: Station, gear: Gear | Rack, frame: Frame, with_mass: object, what: Subject
) -> None:
    """Check that a wheel on a shaft is on its axis, between its ends and not inclined, and that its teeth are not inside the
    shaft. With with_mass=False these checks are not made, because the wheel may be used only for rolling."""
    shaft = model.structures[station.structure]
    if not isinstance(shaft, Shaft) or isinstance(gear, Rack):
        return
    place = shaft.place_of(frame, station)
    off = float((frame.position[0] ** 2 + frame.position[1] ** 2) ** 0.5)
    half = 0.5 * (gear.face_width or 0.0)
    if place < -half or place > shaft.length + half:
        raise ModelError(
            f"{what}: its middle would be at {in_mm(place)} from the start of {shaft.subject}, beyond its ends (0 and "
            f"{in_mm(shaft.length)}); move it, or make the shaft longer",
            about=what,
        )
    if off > 0.5 * shaft.outer_at(min(max(place, 0.0), shaft.length)):
        raise ModelError(
            f"{what}: its centre would be {in_mm(off)} off the axis of {shaft.subject}; move it to the axis, or to another body",
            about=what,
        )
    lean = math.degrees(math.acos(min(abs(float(frame.rotation[2, 2])), 1.0)))
    if lean > LEAN:
        raise ModelError(
            f"{what}: its axis would be inclined by {lean:.3g} deg to {shaft.subject}; specify the axis of the shaft, or omit axis",
            about=what,
        )
    seat = shaft.outer_at(min(max(place, 0.0), shaft.length), smaller=True)
    if with_mass is not False and not gear.internal and seat > gear.tip_diameter * (1.0 + 1e-3):
        raise ModelError(
            f"{what}: the diameter of {shaft.subject} there, {in_mm(seat)}, is larger than the tip diameter of the gear, "
            f"{in_mm(gear.tip_diameter)}; make the shaft thinner, or move the wheel, or specify with_mass=False if only its "
            "pitch circle is used",
            about=what,
        )


def blank_or_given(
    gear: Gear | Rack, mass: object, inertia: object, centre_of_mass: object, what: Subject
) -> tuple[Any, Any, Any]:
    """Mass, inertia and centre of mass as specified. Missing values are those of the blank."""
    if mass is not None and inertia is not None:
        return mass, inertia, centre_of_mass
    try:
        blank = gear.blank
    except ModelError as error:
        raise ModelError(f"{what}: {error}; or specify mass and inertia of the body, or solid", about=what) from None
    scale = 1.0
    if mass is not None:
        scale = quantity(mass, "mass", what=what / "mass") / blank.mass
    return (
        blank.mass if mass is None else mass,
        tuple(tuple(scale * moment for moment in row) for row in blank.matrix) if inertia is None else inertia,
        blank.centre_of_mass if centre_of_mass is None else centre_of_mass,
    )


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
