"""Mass matrix, equations of motion, inverse dynamics and Jacobians in joint coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import names_wrong_arguments
from ..model import Model
from ..results.joint_results import FrameJacobian, JointDynamics, JointForces, MassMatrix
from .joint_space import JointSpace

__all__ = ["inverse_dynamics", "jacobian", "joint_dynamics", "mass_matrix"]


@names_wrong_arguments
def mass_matrix(model: Model, coordinates: Any = None, *, state: Any = None, at: Any = None) -> MassMatrix:
    """Compute the mass matrix of a model over independent joint coordinates.

    Inertias of rotors and gears are included with their ratios. Closed loops are reduced to the coordinates.

    Parameters
    ----------
    model
        Model.
    coordinates, state, at
        As in `JointSpace`.
    """
    return JointSpace(model, coordinates, state=state, at=at).mass_matrix()


@names_wrong_arguments
def joint_dynamics(
    model: Model, coordinates: Any = None, *, state: Any = None, at: Any = None, speeds: Any = None, without: Any = ()
) -> JointDynamics:
    """Compute the terms of the equations of motion in joint coordinates, M q'' + bias + gravity = applied + τ.

    Parameters
    ----------
    model
        Model.
    coordinates, state, at, speeds, without
        As in `JointSpace`.
    """
    return JointSpace(model, coordinates, state=state, at=at, speeds=speeds, without=without).dynamics()


@names_wrong_arguments
def inverse_dynamics(
    model: Model,
    q: Any,
    qd: Any = None,
    qdd: Any = None,
    *,
    coordinates: Any = None,
    times: str | ArrayLike | None = None,
    state: Any = None,
    at: Any = None,
    without: Any = (),
) -> JointForces:
    """Compute the torques and forces of joint coordinates for a motion.

    Gravity, springs, dampers, friction and loads of the model are included.

    Parameters
    ----------
    model
        Model.
    q, qd, qdd, times
        As in `JointSpace.inverse_dynamics`.
    coordinates, state, at, without
        As in `JointSpace`.
    """
    last = None if times is None or isinstance(times, str) else float(np.max(np.asarray(times, float), initial=0.0))
    space = JointSpace(model, coordinates, state=state, at=at, without=without, until=times if last is None else last)
    return space.inverse_dynamics(q, qd, qdd, times=times)


@names_wrong_arguments
def jacobian(
    model: Model,
    frame: Any,
    coordinates: Any = None,
    *,
    state: Any = None,
    at: Any = None,
    speeds: Any = None,
    point: Any = None,
    axes: str = "world",
) -> FrameJacobian:
    """Compute the Jacobian of a frame or point: (v, ω) = J q'.

    Parameters
    ----------
    model
        Model.
    frame, point, axes
        As in `JointSpace.jacobian`.
    coordinates, state, at, speeds
        As in `JointSpace`.
    """
    return JointSpace(model, coordinates, state=state, at=at, speeds=speeds).jacobian(frame, point=point, axes=axes)
