"""What does not fit into the plane of a planar model, each as one error; None where all is well."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError, unknown_part
from ..solids.rotations import Array
from .beam_line import BeamLine
from .body import Body
from .flexible_body import FlexibleBody
from .functions import Constant, Function
from .gear_mesh import GearMesh
from .joints import ANGLE, Joint
from .loads import Bushing, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from .names import part_subject
from .plane import Plane
from .registry import Registry
from .structure import Structure

__all__ = ["body_problem", "coordinate_problem", "joint_problem", "load_problem", "mesh_problem", "structure_problem"]

_ACROSS = ("revolute", "planar", "plane_on_plane")
_ALONG = ("prismatic",)
_EITHER = ("cylindrical", "point_on_line", "point_on_plane", "parallel_axes")
_NEVER = {"screw": "advances out of it; use revolute or prismatic", "universal": "turns out of it; use revolute"}
_SMALL = 1e-9
_TIMES = (0.0, 0.0123, 0.41, 1.0, 7.3)
"""When functions of time are looked at [s]."""


def _model(model: Registry, plane: Plane) -> str:
    return f'model "{model.name}" moves in the {plane.name} plane'


def body_problem(model: Registry, body: Body) -> ModelError | None:
    """Initial velocities of a body."""
    plane = model.plane
    if plane is None:
        return None
    what = part_subject("body", body.name)
    v, w = body.velocity, body.angular_velocity
    letter = "xyz"[int(np.argmax(plane.normal))]
    if abs(float(v @ plane.normal)) > _SMALL * float(np.linalg.norm(v)):
        return ModelError(
            f"{what}: its velocity has {v @ plane.normal:.6g} m/s along {letter}, but {_model(model, plane)}; leave "
            "that part out",
            about=what.at("velocity"),
        )
    if float(np.linalg.norm(plane.flat(w))) > _SMALL * float(np.linalg.norm(w)):
        return ModelError(
            f"{what}: its angular velocity ({', '.join(f'{x:.6g}' for x in w)}) rad/s is not along {letter}, but "
            f"{_model(model, plane)}; keep the part along {letter} alone",
            about=what.at("angular_velocity"),
        )
    return None


def structure_problem(model: Registry, structure: Structure) -> ModelError | None:
    """The axis of a shaft or a beam: across the plane it could not bend, and would be stiffer than it is."""
    plane = model.plane
    if plane is None:
        return None
    if isinstance(structure, FlexibleBody):
        return ModelError(
            f"{structure.subject}: {_model(model, plane)}, but flexible bodies deform in space; leave out plane= of the model",
            about=structure.subject,
        )
    for node in structure.nodes if isinstance(structure, BeamLine) else ():
        axis = node.pose[1][:, 2]
        if not plane.contains(axis):
            return ModelError(
                f"{structure.subject}: {_model(model, plane)}, but its axis {_shown(axis)} is not in that plane, where it could "
                "not bend; turn it into the plane, or leave out plane= of the model",
                about=structure.subject,
            )
    return None


def joint_problem(model: Registry, joint: Joint) -> ModelError | None:
    """The axis of a joint."""
    plane = model.plane
    if plane is None:
        return None
    what = part_subject("joint", joint.name, f" ({joint.kind})")
    letter = "xyz"[int(np.argmax(plane.normal))]
    if joint.kind in _NEVER:
        return ModelError(f"{what}: {_model(model, plane)}, and a {joint.kind} joint {_NEVER[joint.kind]}", about=what)
    axes = [model.placed(frame)[1][:, 2] for frame in (joint.frame_a, joint.frame_b)]
    across, along = all(map(plane.is_normal, axes)), all(map(plane.contains, axes))
    if joint.kind in _ACROSS and not across:
        problem = f'{what}: {_model(model, plane)}, but its axis is {_shown(axes[0])}; give axis="{letter}"'
        return ModelError(problem, about=what.at("axis"))
    if joint.kind in _ALONG and not along:
        problem = f"{what}: {_model(model, plane)}, but its axis is {_shown(axes[0])}; give an axis in that plane"
        return ModelError(problem, about=what.at("axis"))
    if joint.kind in _EITHER and not across and not along:
        return ModelError(
            f"{what}: {_model(model, plane)}, but its axis {_shown(axes[0])} neither lies in that plane nor stands on it; give "
            f'axis="{letter}", or one in the plane',
            about=what.at("axis"),
        )
    return None


def coordinate_problem(model: Registry, joint: Joint, coordinate: str, what: str) -> ModelError | None:
    """An angle or a displacement that a joint cannot change within the plane."""
    plane = model.plane
    if plane is None:
        return None
    across = plane.is_normal(model.placed(joint.frame_a)[1][:, 2])
    if across == (coordinate == ANGLE):
        return None
    other = "turn" if across else "slide"
    return ModelError(
        f'{what}: {_model(model, plane)}, where joint "{joint.name}" ({joint.kind}) can only {other}, and its {coordinate} stays '
        "as it is; choose the other coordinate, or another axis",
        about=what,
    )


def load_problem(model: Registry, load: Load) -> ModelError | None:
    """The components of a force or a torque on a body."""
    plane = model.plane
    if plane is None or isinstance(load, (JointLoad, Spring, TorsionSpring, Bushing, Stop)):
        return None
    if not isinstance(load, (Force, Torque)):
        raise unknown_part("load", load, "the check of planar models")
    name = load.frame.body_name if isinstance(load, Force) else load.body_name
    body = model.bodies[name]
    axes = plane.axes if load.axes == "world" else body.orientation.T @ plane.axes
    outside = axes[:, 2:] if isinstance(load, Force) else axes[:, :2]
    amount = _largest(load.components, outside)
    if amount == 0.0:
        return None
    letter = "xyz"[int(np.argmax(plane.normal))]
    if isinstance(load, Force):
        what = part_subject("force", load.name)
        problem = f"{what}: has {amount:.6g} N along {letter}, but {_model(model, plane)}; leave that component out"
        return ModelError(problem, about=what.at("value"))
    what = part_subject("torque", load.name)
    return ModelError(
        f"{what}: has {amount:.6g} N*m across {letter}, but {_model(model, plane)}; keep the component along {letter} alone",
        about=what.at("value"),
    )


def mesh_problem(model: Registry, pair: GearMesh) -> ModelError | None:
    """The axes of two wheels in mesh."""
    plane = model.plane
    if plane is None:
        return None
    what = part_subject("gear pair", pair.name)
    wheels = (pair.wheel_a,) if pair.alignment.pitch.is_rack else (pair.wheel_a, pair.wheel_b)
    for wheel in wheels:
        axis = model.placed(wheel.frame)[1][:, 2]
        if not plane.is_normal(axis):
            return ModelError(
                f'{what}: {_model(model, plane)}, but wheel "{wheel.name}" of this {pair.pair.kind} pair turns about '
                f"{_shown(axis)}; turn its axis to the normal, or leave out plane= of the model",
                about=what,
            )
    if pair.alignment.pitch.is_rack:
        travel = model.placed(pair.wheel_b.frame)[1] @ pair.alignment.triad_b[:, 2]
        if not plane.contains(travel):
            return ModelError(
                f'{what}: {_model(model, plane)}, but rack "{pair.wheel_b.name}" travels along {_shown(travel)}; turn it into '
                "that plane, or leave out plane= of the model",
                about=what,
            )
    return None


def _largest(components: tuple[Function, Function, Function], directions: Array) -> float:
    """The largest component along some directions, the columns of an array (3, n), at any of the times looked at."""
    size = worst = 0.0
    times = (0.0,) if all(isinstance(f, Constant) for f in components) else _TIMES
    for t in times:
        v = np.array([float(f(t)) if np.abs(directions[i]).max() > _SMALL else 0.0 for i, f in enumerate(components)])
        size = max(size, float(np.abs(v).max()))
        worst = max(worst, float(np.abs(v @ directions).max()))
    return worst if worst > _SMALL * size else 0.0


def _shown(v: Array) -> str:
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in v) + ")"
