"""Checks of the parts of a planar model: positions, masses, loads. Each problem is one error; None if there is none."""

from __future__ import annotations

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Registry
from pitchline.declare.signal_expression import SignalExpression
from pitchline.declare.structure import NodeShare, Structure
from pitchline.errors import ModelError, shown, unknown_part
from pitchline.functions.piecewise import Constant, Function
from pitchline.solids.mass_properties import MassProperties

from ..flexible.part import FlexibleBody
from ..membranes.part import Membrane
from ..meshes.part import GearMesh
from ..shafts.beam import BeamLine
from ..springs.part import Bushing, Component, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from .part import ANGLE, Body, Joint
from .plane import Plane

__all__ = [
    "masses_of_elements",
    "mean_place",
    "seated_wheels",
    "shares_of_structures",
    "total_mass",
    "body_problem",
    "coordinate_problem",
    "joint_problem",
    "load_problem",
    "mesh_problem",
    "structure_problem",
]


# ---- masses

# Masses of a model: on each body, and in total.


def seated_wheels(model: Registry) -> dict[str, MassProperties]:
    """Mass of the wheels on each body that have their own mass (see `Wheel.solid`), in body axes. Other bodies are omitted."""
    found: dict[str, MassProperties] = {}
    for wheel in model.wheels.values():
        if wheel.solid is not None:
            _add(found, wheel.frame, wheel.solid)
    return found


def masses_of_elements(model: Registry) -> dict[str, MassProperties]:
    """Mass that elements add to each body, in body axes. Bodies without added mass are omitted."""
    found: dict[str, MassProperties] = {}
    for element in model.elements.values():
        solid = element.added_mass()
        if solid is not None:
            (frame,) = element.frames.values()
            _add(found, frame, solid)
    return found


def shares_of_structures(model: Registry) -> dict[str, NodeShare]:
    """Fraction of the inertia of structures that acts on each body. Bodies that are not part of a structure are omitted."""
    found: dict[str, NodeShare] = {}
    for structure in model.structures.values():
        for name, share in structure.shares.items():
            known = found.get(name)
            found[name] = share if known is None else NodeShare(known.mass + share.mass, known.inertia + share.inertia)
    return found


def total_mass(model: Registry) -> float:
    """Total mass of bodies, wheels, structures and elements [kg]."""
    return (
        sum(body.mass for body in model.bodies.values())
        + sum(solid.mass for found in (seated_wheels(model), masses_of_elements(model)) for solid in found.values())
        + sum(structure.solid.mass for structure in model.structures.values())
    )


def mean_place(model: Registry) -> np.ndarray:
    """Centre of mass of the model in the initial pose, world axes (3,) [m]; the origin if the model has no mass."""
    moment, mass = np.zeros(3), 0.0
    parts: list[tuple[float, np.ndarray]] = [(b.mass, b.to_world(b.centre_of_mass)) for b in model.bodies.values()]
    for added in (seated_wheels(model), masses_of_elements(model)):
        parts += [(solid.mass, _placed(model.bodies.get(name), solid.centre_of_mass)) for name, solid in added.items()]
    parts += [(structure.solid.mass, structure.solid.centre_of_mass) for structure in model.structures.values()]
    for m, x in parts:
        moment, mass = moment + m * x, mass + m
    return moment / mass if mass > 0.0 else moment


def _placed(body: Body | None, point: np.ndarray) -> np.ndarray:
    return point if body is None else body.to_world(point)


def _add(found: dict[str, MassProperties], frame: Frame, solid: MassProperties) -> None:
    part = solid.turned(frame.rotation).moved(frame.position)
    known = found.get(frame.body_name)
    found[frame.body_name] = part if known is None else known + part


_ACROSS = ("revolute", "planar", "plane_on_plane")
_ALONG = ("prismatic",)
_EITHER = ("cylindrical", "point_on_line", "point_on_plane", "parallel_axes")
_NEVER = {"screw": "moves out of it; use revolute or prismatic", "universal": "rotates out of it; use revolute"}
_SMALL = 1e-9
_TIMES = (0.0, 0.0123, 0.41, 1.0, 7.3)
"""Times at which functions of time are checked [s]."""


def _model(model: Registry, plane: Plane) -> str:
    return f'model "{model.name}" moves in the {plane.name} plane'


def body_problem(model: Registry, body: Body) -> ModelError | None:
    """Check the initial velocities of a body."""
    plane = model.plane
    if plane is None:
        return None
    what = part_subject("body", body.name)
    v, w = body.velocity, body.angular_velocity
    letter = "xyz"[int(np.argmax(plane.normal))]
    if abs(float(v @ plane.normal)) > _SMALL * float(np.linalg.norm(v)):
        return ModelError(
            f"{what}: its velocity has {v @ plane.normal:.6g} m/s along {letter}, but {_model(model, plane)}; omit "
            "this component",
            about=what.at("velocity"),
        )
    if float(np.linalg.norm(plane.flat(w))) > _SMALL * float(np.linalg.norm(w)):
        return ModelError(
            f"{what}: its angular velocity ({', '.join(f'{x:.6g}' for x in w)}) rad/s is not along {letter}, but "
            f"{_model(model, plane)}; keep only the component along {letter}",
            about=what.at("angular_velocity"),
        )
    return None


def structure_problem(model: Registry, structure: Structure) -> ModelError | None:
    """Check the axis of a shaft or beam. If it is not in the plane, the shaft cannot bend and is too stiff."""
    plane = model.plane
    if plane is None:
        return None
    if isinstance(structure, FlexibleBody):
        return ModelError(
            f"{structure.subject}: {_model(model, plane)}, but flexible bodies deform in space; omit plane= of the model",
            about=structure.subject,
        )
    if isinstance(structure, Membrane):
        off = (structure.mesh.nodes - structure.mesh.nodes[0]) @ plane.normal
        if np.abs(off).max() > 1e-6 * np.ptp(structure.mesh.nodes, axis=0).max():
            return ModelError(
                f"{structure.subject}: {_model(model, plane)}, but its nodes are not in one plane parallel to it; rotate the mesh "
                "into the plane, or omit plane= of the model",
                about=structure.subject.at("mesh"),
            )
    for node in structure.nodes if isinstance(structure, BeamLine) else ():
        axis = node.pose[1][:, 2]
        if not plane.contains(axis):
            return ModelError(
                f"{structure.subject}: {_model(model, plane)}, but its axis {_shown(axis)} is not in that plane, so that it cannot "
                "bend; rotate it into the plane, or omit plane= of the model",
                about=structure.subject,
            )
    return None


def joint_problem(model: Registry, joint: Joint) -> ModelError | None:
    """Check the axis of a joint."""
    plane = model.plane
    if plane is None:
        return None
    what = part_subject("joint", joint.name, f" ({joint.kind})")
    letter = "xyz"[int(np.argmax(plane.normal))]
    if joint.kind in _NEVER:
        return ModelError(f"{what}: {_model(model, plane)}, but a {joint.kind} joint {_NEVER[joint.kind]}", about=what)
    axes = [model.placed(frame)[1][:, 2] for frame in (joint.frame_a, joint.frame_b)]
    across, along = all(map(plane.is_normal, axes)), all(map(plane.contains, axes))
    if joint.kind in _ACROSS and not across:
        problem = f'{what}: {_model(model, plane)}, but its axis is {_shown(axes[0])}; specify axis="{letter}"'
        return ModelError(problem, about=what.at("axis"))
    if joint.kind in _ALONG and not along:
        problem = f"{what}: {_model(model, plane)}, but its axis is {_shown(axes[0])}; specify an axis in that plane"
        return ModelError(problem, about=what.at("axis"))
    if joint.kind in _EITHER and not across and not along:
        return ModelError(
            f"{what}: {_model(model, plane)}, but its axis {_shown(axes[0])} is neither parallel nor normal to that plane; specify "
            f'axis="{letter}", or an axis in the plane',
            about=what.at("axis"),
        )
    return None


def coordinate_problem(model: Registry, joint: Joint, coordinate: str, what: str) -> ModelError | None:
    """Check that a joint can change an angle or displacement within the plane."""
    plane = model.plane
    if plane is None:
        return None
    across = plane.is_normal(model.placed(joint.frame_a)[1][:, 2])
    if across == (coordinate == ANGLE):
        return None
    other = "rotate" if across else "slide"
    return ModelError(
        f'{what}: {_model(model, plane)}, where joint "{joint.name}" ({joint.kind}) can only {other}, and its {coordinate} is '
        "constant; choose the other coordinate, or another axis",
        about=what,
    )


def load_problem(model: Registry, load: Load) -> ModelError | None:
    """Check the components of a force or torque on a body."""
    plane = model.plane
    if plane is None or isinstance(load, (JointLoad, Spring, TorsionSpring, Bushing, Stop)):
        return None
    if not isinstance(load, (Force, Torque)):
        raise unknown_part("load", load, "the check of planar models")
    name = load.frame.body_name if isinstance(load, Force) else load.body_name
    body = model.bodies[name]
    axes = plane.axes if load.axes == "world" else body.orientation.T @ plane.axes
    outside = axes[:, 2:] if isinstance(load, Force) else axes[:, :2]
    for component, direction in zip(load.components, outside, strict=True):
        if isinstance(component, SignalExpression) and np.abs(direction).max() > _SMALL:
            what = part_subject(type(load).__name__.lower(), load.name)
            return ModelError(
                f"{what}: the component {shown(component.text)} is out of the plane, but {_model(model, plane)}; omit it",
                about=what.at("value"),
            )
    amount = _largest(load.components, outside)
    if amount == 0.0:
        return None
    letter = "xyz"[int(np.argmax(plane.normal))]
    if isinstance(load, Force):
        what = part_subject("force", load.name)
        problem = f"{what}: has {amount:.6g} N along {letter}, but {_model(model, plane)}; omit this component"
        return ModelError(problem, about=what.at("value"))
    what = part_subject("torque", load.name)
    return ModelError(
        f"{what}: has {amount:.6g} N*m across {letter}, but {_model(model, plane)}; keep only the component along {letter}",
        about=what.at("value"),
    )


def mesh_problem(model: Registry, pair: GearMesh) -> ModelError | None:
    """Check the axes of two wheels in mesh."""
    plane = model.plane
    if plane is None:
        return None
    what = part_subject("gear pair", pair.name)
    wheels = (pair.wheel_a,) if pair.alignment.pitch.is_rack else (pair.wheel_a, pair.wheel_b)
    for wheel in wheels:
        axis = model.placed(wheel.frame)[1][:, 2]
        if not plane.is_normal(axis):
            return ModelError(
                f'{what}: {_model(model, plane)}, but wheel "{wheel.name}" of this {pair.pair.kind} pair rotates about '
                f"{_shown(axis)}; make its axis normal to the plane, or omit plane= of the model",
                about=what,
            )
    if pair.alignment.pitch.is_rack:
        travel = model.placed(pair.wheel_b.frame)[1] @ pair.alignment.triad_b[:, 2]
        if not plane.contains(travel):
            return ModelError(
                f'{what}: {_model(model, plane)}, but rack "{pair.wheel_b.name}" moves along {_shown(travel)}; rotate it into '
                "that plane, or omit plane= of the model",
                about=what,
            )
    return None


def _largest(components: tuple[Component, Component, Component], directions: FloatArray) -> float:
    """Largest component along several directions, the columns of an array (3, n), at the checked times."""
    size = worst = 0.0
    times = (0.0,) if all(isinstance(f, Constant) for f in components) else _TIMES
    for t in times:
        v = np.array(
            [
                float(f(t)) if isinstance(f, Function) and np.abs(directions[i]).max() > _SMALL else 0.0
                for i, f in enumerate(components)
            ]
        )
        size = max(size, float(np.abs(v).max()))
        worst = max(worst, float(np.abs(v @ directions).max()))
    return worst if worst > _SMALL * size else 0.0


def _shown(v: FloatArray) -> str:
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in v) + ")"
