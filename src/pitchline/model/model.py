"""Model: description of a machine, and the problems that it can have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME, part_subject
from pitchline.declare.readable_signals import element_problems, element_warnings, signal_problems
from pitchline.declare.registry import Registry, Vector
from pitchline.declare.structure import Station
from pitchline.errors import ModelError
from pitchline.facades import machine_state, save_model
from pitchline.facades import view as view_in_browser
from pitchline.parts.bearings.methods import BearingMethods
from pitchline.parts.belts.methods import TransmissionMethods
from pitchline.parts.bodies.methods import large_angle
from pitchline.parts.bodies.part import Body, Joint, joint_misfit
from pitchline.parts.bodies.plane_checks import mean_place, total_mass
from pitchline.parts.cams.methods import CamMethods
from pitchline.parts.control.methods import SensorMethods
from pitchline.parts.couplings.methods import CouplingMethods
from pitchline.parts.friction.methods import FrictionMethods
from pitchline.parts.gears.eccentric import eccentric_problems, eccentric_warnings
from pitchline.parts.gears.geometry.gear import Gear, seat_compliance
from pitchline.parts.gears.geometry.inputs import in_mm, positive
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.table import iso_stiffness
from pitchline.parts.gears.methods import GearMethods
from pitchline.parts.gears.part import Wheel
from pitchline.parts.membranes.methods import MembraneMethods
from pitchline.parts.membranes.part import Membrane, membrane_problems
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.motors.methods import MotorMethods
from pitchline.parts.shafts.part import Shaft, shaft_warnings
from pitchline.parts.springs.methods import SpringMethods
from pitchline.parts.springs.part import Bushing
from pitchline.parts.springs.speed_methods import SpeedLoadMethods

from .describe import assembly_problems, assembly_warnings, describe, summary
from .replaced import Part, replaced
from .shared_flanks import shared_body_warnings

__all__ = ["seat_warnings", "ring_warnings", "turning_problems", "MOST_GAP", "find_problems", "Model"]


# ---- flank seats

# Warnings about `Flank` meshes whose gears deform between their seats and their mean motion, on which a shaft acts.

_SMALL = 0.05
"""Share of the deflection of the teeth that is left without a warning."""


def seat_warnings(model: Registry) -> list[str]:
    """Warn if the deflection that `Flank` leaves out is more than a small share of that of the teeth, with its estimated amount."""
    notes = []
    for part in model.gear_pairs.values():
        pair = part.pair
        if not isinstance(part.mesh, Flank) or not isinstance(pair, GearPair) or not pair.kind.parallel:
            continue
        missing = dict(_missing(part))
        share = sum(missing.values()) * iso_stiffness(pair).mesh_alpha * pair.face_width
        if share > _SMALL:
            each = " and ".join(f'{1e9 * value:.2g} um for "{name}"' for name, value in missing.items())
            notes.append(
                f'gear pair "{part.name}": Flank does not contain the deformation of the gears between the bore (of a ring, the '
                f"outside) and their mean motion. Estimated for 1 kN of tooth force: {each}, in total about {100 * share:.0f} % of "
                "the deflection of the teeth. Loaded() contains it"
            )
    return notes


def _missing(part: GearMesh) -> Iterator[tuple[str, float]]:
    """Wheels with an elastic body, and the displacement of their teeth that is left out [m/N]."""
    assert isinstance(part.mesh, Flank)
    for wheel, elements in ((part.wheel_a, part.mesh.elements_a), (part.wheel_b, part.mesh.elements_b)):
        gear = wheel.gear
        if "body" in elements or not isinstance(gear, Gear):
            continue
        given = elements.get("rim_diameter" if gear.internal else "bore")
        own = gear.rim_diameter if gear.internal else gear.bore
        seat = own if given is None else positive(given, "length", "seat of an elastic gear")
        if seat is not None:
            yield wheel.name, seat_compliance(gear, seat=0.5 * seat)


# ---- ring warnings

# Warnings about rings of membranes whose diameters are probably radii.

_CLOSE = 0.02
"""Relative difference up to which a circle of a ring is that of a body."""


def ring_warnings(model: Registry) -> list[str]:
    """Warn where a circle of `MembraneMesh.ring` has half the diameter of a shape of the body it is fixed to."""
    found = []
    for web in model.structures.values():
        if not isinstance(web, Membrane) or web.mesh.shape != "ring":
            continue
        for group in ("inner", "outer"):
            diameter = float(web.mesh.given[group])
            frames = {web.attached[i].body_name: web.attached[i] for i in web.mesh.groups[group] if i in web.attached}
            for name, frame in frames.items():
                radii = [r for r in _radii(model, name, frame.owner) if r > 0.0]
                half = [r for r in radii if abs(diameter - r) <= _CLOSE * r]
                if half and not any(abs(diameter - 2.0 * r) <= 2.0 * _CLOSE * r for r in radii):
                    found.append(
                        f'{web.subject}: its {group} circle has the diameter {in_mm(diameter)}, half of that of "{name}" '
                        f"({in_mm(2.0 * half[0])}) to which it is fixed. MembraneMesh.ring takes diameters; solids such as "
                        "cylinder take radii"
                    )
    return found


def _radii(model: Registry, name: str, body: Body | None) -> Iterator[float]:
    """Radii of the shapes of a body, of the wheels on it, and of a shaft at a station."""
    look = model._looks.get(name)
    for piece in () if look is None or look.shape is None else look.shape.pieces:
        for key in ("radius", "inner", "end_radius"):
            yield float(piece.sizes.get(key, 0.0))
    for wheel in model.wheels.values():
        gear = wheel.gear
        if wheel.body_name == name and isinstance(gear, Gear):
            for diameter in (gear.bore, gear.rim_diameter, gear.root_diameter, gear.tip_diameter):
                yield 0.5 * (diameter or 0.0)
            if gear.body.has_web:
                yield 0.5 * gear.inside_of_rim
                yield 0.5 * (gear.body.hub_diameter or 0.0)
    if isinstance(body, Station):
        shaft = model.structures[body.structure]
        if isinstance(shaft, Shaft):
            place = next(node.place for node in shaft.nodes if node.body is body)
            yield 0.5 * shaft.outer_at(place)


# ---- turning wheels

# Gear pairs whose wheels cannot turn about their axes: their joints hold both of them.

_ACROSS = 1e-6
"""Sine of the angle between an axis of rotation and the plane across a wheel axis that counts as zero."""
_ALL_AXES = ("spherical", "distance", "point_on_line", "point_on_plane")
_NO_AXIS = ("prismatic", "fixed")


def turning_problems(model: Registry) -> list[ModelError]:
    """Errors for pairs that no motion of the joints can turn."""
    problems = []
    held = _held_by(model)
    for pair in model.gear_pairs.values():
        wheels = (pair.wheel_a, pair.wheel_b)
        if all(_cannot_turn(model, wheel, pair, held) for wheel in wheels) or _turn_together(model, pair, held):
            problems.append(_problem(pair, held))
    return problems


def _problem(pair: GearMesh, held: dict[str, list[Joint]]) -> ModelError:
    what = part_subject("gear pair", pair.name)
    texts = []
    for wheel in (pair.wheel_a, pair.wheel_b):
        if wheel.body_name == GROUND_NAME:
            texts.append(f'"{wheel.name}" is on the ground')
        else:
            joints = " and ".join(f'"{joint.name}" ({joint.kind})' for joint in held[wheel.body_name])
            texts.append(f'"{wheel.name}" is held by {joints}')
    motion = "its wheels cannot turn about their axes relative to each other"
    if pair.wheel_b.is_rack:
        motion = "neither can its pinion turn about its axis nor its rack move"
    return ModelError(
        f"{what}: {motion}: {' and '.join(texts)}. Use a revolute joint along the axis of a wheel, or remove the gear pair",
        about=what,
    )


def _held_by(model: Registry) -> dict[str, list[Joint]]:
    found: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        for name in (joint.body_a, joint.body_b):
            found.setdefault(name, []).append(joint)
    return found


def _cannot_turn(model: Registry, wheel: Wheel, pair: GearMesh, held: dict[str, list[Joint]]) -> bool:
    """Whether joints prevent the rotation of a wheel about its axis, or the travel of a rack."""
    if wheel.is_rack:
        return wheel.body_name == GROUND_NAME or _cannot_travel(model, wheel, pair, held)
    return GROUND_NAME in _fixed_with(model, wheel.body_name, model.placed(wheel.frame)[1][:, 2], held)


def _cannot_travel(model: Registry, rack: Wheel, pair: GearMesh, held: dict[str, list[Joint]]) -> bool:
    """Whether a rack is fixed to the ground, or slides across its length."""
    along = model.placed(rack.frame)[1] @ pair.alignment.triad_b[:, 2]
    for joint in held.get(rack.body_name, ()):
        on_ground = GROUND_NAME in (joint.body_a, joint.body_b)
        slides = joint.kind == "prismatic" and abs(float(model.placed(joint.frame_a)[1][:, 2] @ along)) > _ACROSS
        if on_ground and joint.kind in _NO_AXIS and not slides:
            return True
    return False


def _turn_together(model: Registry, pair: GearMesh, held: dict[str, list[Joint]]) -> bool:
    """Whether joints prevent rotation of the wheels of parallel axes relative to each other."""
    if pair.wheel_b.is_rack:
        return False
    a, b = (model.placed(wheel.frame)[1][:, 2] for wheel in (pair.wheel_a, pair.wheel_b))
    if float(np.linalg.norm(np.cross(a, b))) > _ACROSS:
        return False
    return pair.wheel_b.body_name in _fixed_with(model, pair.wheel_a.body_name, a, held)


def _fixed_with(model: Registry, name: str, axis: FloatArray, held: dict[str, list[Joint]]) -> set[str]:
    """Bodies that have the same angular velocity about an axis as a body, because of their joints."""
    reached, waiting = {name}, [name]
    while waiting:
        for joint in held.get(waiting.pop(), ()):
            other = joint.body_b if joint.body_a in reached else joint.body_a
            if other not in reached and not _turns_about(model, joint, axis):
                reached.add(other)
                waiting.append(other)
    return reached


def _turns_about(model: Registry, joint: Joint, axis: FloatArray) -> bool:
    """Whether a joint allows relative rotation with a component about an axis."""
    if joint.kind in _ALL_AXES:
        return True
    if joint.kind in _NO_AXIS:
        return False
    z_a, (_, b) = model.placed(joint.frame_a)[1][:, 2], model.placed(joint.frame_b)
    free = (z_a, b[:, 0]) if joint.kind == "universal" else (z_a,)
    return any(abs(float(one @ axis)) > _ACROSS for one in free)


# ---- checks

# Checks of the whole model. Each problem is one error.

MOST_GAP = 0.05
"""If joint frames are farther apart in the initial pose than this fraction of the model's size, it is an error."""


def find_problems(model: Registry) -> list[ModelError]:
    """Find all problems of a model that cannot be detected when its single parts are made."""
    problems = []
    if not model.bodies:
        problems.append(ModelError(f'model "{model.name}": has no bodies; add one with body(...)'))
    problems += _weightless(model)
    size = model.size
    for joint in model.joints.values():
        problems += _joint_problems(model, joint, size)
    for element in model.elements.values():
        problems += element_problems(model, element)
    problems += membrane_problems(model) + signal_problems(model) + eccentric_problems(model)
    return problems + turning_problems(model) + assembly_problems(model)


def _weightless(model: Registry) -> list[ModelError]:
    """Errors for bodies without joints that have no mass or no inertia, so that their motion is undetermined."""
    held = {name for joint in model.joints.values() for name in (joint.body_a, joint.body_b)}
    turned = {
        frame.body_name
        for load in model.loads.values()
        if isinstance(load, Bushing)
        for frame in (load.frame_a, load.frame_b)
    }
    problems = []
    for body in model.bodies.values():
        if body.name in held or isinstance(body, Station):  # the inertia of a station is that of its structure
            continue
        what = part_subject("body", body.name)
        if body.mass == 0.0:
            problems.append(
                ModelError(
                    f"{what}: zero mass on a free body: it has no joint, so its motion is "
                    "undetermined; specify a mass, or add a joint",
                    about=what,
                )
            )
        elif not np.any(body.inertia) and body.name not in turned:
            problems.append(
                ModelError(
                    f"{what}: zero inertia on a free body: it has no joint, so its rotation "
                    "is undetermined; specify an inertia, or add a joint",
                    about=what,
                )
            )
    return problems


def _joint_problems(model: Registry, joint: Joint, size: float) -> list[ModelError]:
    """Errors in the initial positions and directions of the frames of a joint."""
    a, b = model.placed(joint.frame_a), model.placed(joint.frame_b)
    misfit = joint_misfit(joint, a, b)
    gap = misfit[0]
    if model.plane is not None and joint.kind != "distance":  # offsets along the normal have no effect
        gap, _ = joint_misfit(joint, a, (a[0] + model.plane.flat(b[0] - a[0]), b[1]))
    found = (_gap_problem(joint, gap, size), large_angle(joint, misfit[1]))
    return [problem for problem in found if problem is not None]


def _gap_problem(joint: Joint, gap: float, size: float) -> ModelError | None:
    if gap <= MOST_GAP * size:
        return None
    what = part_subject("joint", joint.name, f" ({joint.kind})")
    return ModelError(
        f'{what}: its frames on "{joint.body_a}" and "{joint.body_b}" are {gap:.4g} m apart '
        f"in the initial pose (the size of the model is {size:.4g} m); move a frame or a body so that they coincide, "
        "or give bodies with at=, so that the joint places both frames",
        about=what,
    )


@names_wrong_arguments
class Model(
    CouplingMethods,
    FrictionMethods,
    SpringMethods,
    GearMethods,
    CamMethods,
    MembraneMethods,
    BearingMethods,
    SensorMethods,
    MotorMethods,
    SpeedLoadMethods,
    TransmissionMethods,
):
    """Description of a machine: bodies, shafts, beams, joints, drives, loads, bearings, wheels, gear pairs and elements.

    Every method makes one part, checks it and keeps it under its name. If the arguments are wrong, it raises a `ModelError`
    immediately, and the model does not change. Numbers are in SI; texts such as "2 mm" have a unit.

    Parameters
    ----------
    name
        Name of the model.
    gravity
        Gravitational acceleration in world axes [m/s^2]. Default: none.
    plane
        "xy", "yz" or "zx": planar model. All bodies move parallel to this plane, with two translations and one rotation. Motions or
        loads out of the plane are an error. Joints act only within the plane, and positions along its normal have no effect.
        Default: motion in space.

    Attributes
    ----------
    ground : Body
        The world, to which joints and loads may connect.
    plane : Plane | None
    bodies, structures, shafts, beams, flexible_bodies, membranes, joints, drives, loads, wheels, gear_pairs, elements
        Mappings by name, in the order in which the parts were made; read-only.
    """

    def __init__(self, name: str, *, gravity: Vector = (0.0, 0.0, 0.0), plane: str | None = None) -> None:
        super().__init__(name, gravity=gravity, plane=plane)

    def check(self) -> None:
        """Check the whole model. Raise one ModelError that lists every problem."""
        known = self._of_parts()
        if "checked" in known:
            return
        problems = find_problems(self)
        if problems:
            raise ModelError(problems, title=f'model "{self.name}" has problems')
        if not self.elements:  # checks of elements may read other data than the parts of the model
            known["checked"] = True

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about gear pairs, shafts and elements; one sentence each."""
        of_pairs = (text for pair in self.gear_pairs.values() for text in pair.warnings)
        of_parts = (*eccentric_warnings(self), *shaft_warnings(self), *ring_warnings(self), *element_warnings(self))
        return (*of_pairs, *shared_body_warnings(self), *seat_warnings(self), *assembly_warnings(self), *of_parts)

    @property
    def mass(self) -> float:
        """Total mass of all bodies, wheels, shafts, beams, flexible bodies and attached masses [kg]."""
        return total_mass(self)

    @property
    def centre_of_mass(self) -> FloatArray:
        """Centre of mass of the whole model in the initial pose, world axes (3,) [m]; the origin if the model has no mass."""
        return mean_place(self)

    def replaced(self, *parts: Part, without: str | Iterable[str] = ()) -> Model:
        """Return a copy of the model in which some parts are replaced, added or removed. This model does not change.

        Parameters
        ----------
        parts
            Bodies, joints, drives, loads, wheels, gear pairs, elements, shafts or beams. Each replaces the part of the same
            name. A part with a new name is added. `dataclasses.replace` makes a changed part:
            ``m.replaced(replace(m.loads["spring"], stiffness=2e5))``. Elements, shafts and beams have a method `replaced`.
        without
            Name or names of parts to remove. A wheel that was made with its body is removed with the body, stations with their
            shaft.

        The copy shares its parts with this model and has its own mappings, so that parts can be added to either model. If a
        part refers to a removed part, a `ModelError` names both. Frames on a replaced body keep their position on the new
        body. A gear pair depends on the inertias and poses of its bodies: remove it with them, and make it again in the copy.
        """
        return replaced(self, parts, without)

    def summary(self) -> str:
        """Return a readable text with one line for each part."""
        return summary(self)

    def describe(self) -> dict[str, Any]:
        """Return the complete model as plain data for JSON (callables as their repr)."""
        return describe(self)

    def view(self, **options: Any) -> Any:
        """Show the model in a page, a `View`.

        Parameters
        ----------
        options
            Options of `pitchline.view`.
        """
        return view_in_browser(self, **options)

    def plot_state(self, *, path: str | Path | None = None, **options: Any) -> Any:
        """Draw the model as built as a solid picture; options as in `pitchline.views.plot_state`."""
        return machine_state(self, path, **options)

    def to_toml(self, path: str | Path | None = None, *, overwrite: bool = False) -> str:
        """Return the model as the text of a model file. `load` makes the same model from it.

        Python callables cannot be written. The ModelError names all of them.

        Parameters
        ----------
        path
            File to write. Optional. If writing fails, no incomplete file remains.
        overwrite
            Whether an existing file is replaced. Default False.
        """
        return save_model(self, path, overwrite=overwrite)

    def __repr__(self) -> str:
        pairs = f", {len(self.gear_pairs)} gear pairs" if self.gear_pairs else ""
        return f"Model({self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints{pairs})"
