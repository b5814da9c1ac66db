"""Steady rotation of a machine about an operating point: velocities of all bodies while a shaft rotates and nothing "
"is stretched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import ModelError, near_names
from ..model import Joint, Model, Shaft
from ..model.joints import ANGLE
from ..results.result import Result
from ..solvers.consistent import consistent_accelerations
from ..solvers.linearised import sparse_motion
from ..solvers.switching import omit_free_rows
from .inputs import drive_row
from .operating_point import OperatingPoint, check_model, speed_of, with_mean_stiffness
from .outputs import output_map
from .signals import build_signals, parts_of, samples_of

RATE_STEP = 1e-3
"""Time step of the differences of order 4 that give rates along a motion [s]."""
STRETCHES_NOTHING = 1e-9
"""Square of a frequency, relative to the largest one, that counts as zero."""


def shaft_name(model: Model, shaft: Any) -> Any:
    """The name of a joint or an elastic shaft of the model that is given as such; other values are returned as they are."""
    for kind, own in ((Joint, model.joints), (Shaft, model.shafts)):
        if isinstance(shaft, kind):
            if own.get(shaft.name) is not shaft:
                raise ModelError(
                    f'shaft: "{shaft.name}" is not part of model "{model.name}". Use one of its own, or a name'
                )
            return shaft.name
    return shaft


def check_shaft(model: Model, shaft: str) -> None:
    """Check that the name is that of a joint with an angle or of an elastic shaft."""
    check_model(model)
    if isinstance(shaft, str) and shaft in model.shafts:
        return
    if not isinstance(shaft, str) or shaft not in model.joints:
        known, word = [*model.joints, *model.shafts], "joint or shaft" if model.shafts else "joint"
        raise ModelError(f'shaft: the model has no {word} "{shaft}"; {near_names(str(shaft), known)}')
    if ANGLE not in model.joints[shaft].coordinates:
        raise ModelError(f'shaft: joint "{shaft}" has no angle. Specify a revolute joint of the shaft')


def rates(point: OperatingPoint, signals: tuple[str, ...], x: np.ndarray) -> np.ndarray:
    """Derivatives of signals that depend only on positions, along velocities x (n,) in fixed axes."""
    parts = parts_of(point.system, signals)
    moved = [point.moved(way * x) for way in (RATE_STEP, -RATE_STEP, 2 * RATE_STEP, -2 * RATE_STEP)]
    found = build_signals(point.system, samples_of(moved), point.rank, inertial=True, parts=parts)
    near, far = (np.array([found[name].values[i] - found[name].values[i + 1] for name in signals]) for i in (0, 2))
    return np.asarray((8.0 * near - far) / (12.0 * RATE_STEP))


def steady_motion(point: OperatingPoint, shaft: str) -> np.ndarray:
    """Velocities x' (n,), in fixed axes, while the shaft rotates at 1 rad/s and nothing is stretched. point: at rest."""
    check_shaft(point.model, shaft)
    even = even_point(point)
    m = even.motion
    _, _, K = m.reduced()
    scale = np.linalg.cholesky(m.metric())
    # in coordinates of unit mass: of several motions the one with the least energy
    k = np.linalg.solve(scale, np.linalg.solve(scale, K.T).T)
    left, size, right = np.linalg.svd(k)
    free = size <= STRETCHES_NOTHING * size.max(initial=0.0)
    x = _imposed(point, shaft)
    if x is None:
        h = np.linalg.solve(scale, _gradient(point, shaft) @ m.N)
        turns = right[free] @ h
        if turns @ turns <= 1e-12 * (h @ h) or not np.any(h):
            raise ModelError(
                f'shaft "{shaft}" cannot rotate steadily: joints, drives, springs or weights hold it. Remove them, or '
                "specify the shaft that rotates"
            )
        y = right[free].T @ turns / (turns @ turns)
        x = m.N @ np.linalg.solve(scale.T, y)
    else:
        force = left.T @ np.linalg.solve(scale, m.L.T @ (m.K @ x))
        y = right.T @ (np.where(free, 0.0, force) / np.where(free, 1.0, size))
        x = x - m.N @ np.linalg.solve(scale.T, y)
    stretched = even.stretched_by(x)
    if stretched:  # beyond what turning the loads that it carries explains
        raise ModelError(
            f'shaft "{shaft}" cannot rotate steadily: it would stretch "{stretched[0]}". Remove that item, or '
            "specify the shaft that rotates"
            ". For a model under load, specify its equilibrium: about=statics(model)"
        )
    return x


def even_point(point: OperatingPoint) -> OperatingPoint:
    """Operating point with constant mesh stiffness and without transmission errors, so that rotation does not load the teeth."""
    system, state = point.compiled(with_mean_stiffness(point.model, errors=False)), point.state.copy()
    consistent_accelerations(system, state, state.lam)
    omit_free_rows(system, state)
    return replace(point, system=system, state=state, small=sparse_motion(system, state))


def _imposed(point: OperatingPoint, shaft: str) -> np.ndarray | None:
    """Some motion of the constraints with a shaft at 1 rad/s that a drive turns."""
    drives = [d.name for d in point.model.drives.values() if d.joint_name == shaft and d.coordinate == ANGLE]
    if not drives:
        return None
    s = point.system
    row = drive_row(s, drives[0])
    p = np.zeros(s.n)
    p[row] = s.layout.lam_scale[int(np.flatnonzero(s.layout.equation == row)[0])]
    return np.asarray(np.linalg.pinv(point.motion.B) @ p[s.n_q :])


def _gradient(point: OperatingPoint, shaft: str) -> np.ndarray:
    """Of the angular speed of the shaft by velocities (n,); of an elastic one that of its start."""
    if shaft in point.model.shafts:
        start = next(iter(point.model.shafts[shaft].stations.values())).name
        k = point.system.node_of[start]
        axis = point.rotations()[k - 1][:, 2]
        return np.asarray(axis @ point.body_motion(np.eye(point.system.n_q))[k - 1, 3:])
    return output_map(point, (f"{shaft}.angular_speed",), [], point.model).V[0]


def turning_point(point: OperatingPoint, x: np.ndarray, turning_with: str | None = None) -> OperatingPoint:
    """Same positions with velocities x (n,); motions in axes that rotate with a body, if one is given."""
    state = point.state.copy()
    state.v[:] = point.increments(x)
    consistent_accelerations(point.system, state)
    turning = None if turning_with is None else speed_of(point.system, state, turning_with)
    return replace(point, state=state, small=sparse_motion(point.system, state, turning=turning))


def at_rest(
    model: Model, about: Result | str | None, *, mean_stiffness: bool = False, reduce: bool = True, dense: bool = False
) -> OperatingPoint:
    """The operating point without its velocities."""
    point = OperatingPoint.of(model, about, mean_stiffness=mean_stiffness, reduce=reduce, dense=dense)
    return turning_point(point, np.zeros(point.system.n_q)) if np.any(point.state.v) else point
