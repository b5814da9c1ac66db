"""Drives, forces, torques, springs, bushings and stops of a model.

Loads: forces, torques, springs, bushings and stops.

This module describes loads; other modules compute them. Sign of every load between two bodies: it acts on B (or on the joint
coordinate of B relative to A), and its reaction acts on A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, StateLaw, check_name, one_of, part_subject
from pitchline.declare.signal_expression import SignalExpression
from pitchline.errors import ModelError, Subject, shown
from pitchline.functions.piecewise import Function

from ..bodies.part import ANGLE, DISPLACEMENT

__all__ = ["Drive", "Bushing", "Force", "JointLoad", "Load", "Spring", "Stop", "TorsionSpring", "Torque"]


# ---- drives

# Drive: a joint coordinate that follows a specified function of time.


@dataclass(frozen=True, eq=False)
class Drive:
    """Joint coordinate that follows a function of time.

    Attributes
    ----------
    joint_name : str
    coordinate : str
        "angle" or "displacement".
    function : Function, or expression over signals
        given = "position": the coordinate [rad or m]. given = "speed": its rate [rad/s or m/s], integrated from the initial
        value of the coordinate.
    given : str
        "position" or "speed".
    """

    name: str
    joint_name: str
    coordinate: str
    function: Function | SignalExpression
    given: str

    def __post_init__(self) -> None:
        what = part_subject("drive", self.name)
        if not one_of(self.coordinate, (ANGLE, DISPLACEMENT)):
            raise ModelError(
                f'{what}: coordinate must be "angle" or "displacement", got {shown(self.coordinate)}',
                about=what.at("coordinate"),
            )
        if not one_of(self.given, ("position", "speed")):
            raise ModelError(
                f'{what}: given must be "position" or "speed", got {shown(self.given)}', about=what.at("given")
            )
        if not isinstance(self.function, (Function, SignalExpression)):
            raise ModelError(
                f"{what}: function must be a Function, got {shown(self.function)}", about=what.at("function")
            )


Component = Function | SignalExpression
"""Value over time, or from signals of the model."""
_AXES = ("world", "body")


def _check_axes(axes: object, what: Subject) -> None:
    if not one_of(axes, _AXES):
        raise ModelError(f'{what}: axes must be "world" or "body", got {shown(axes)}', about=what.at("axes"))


def _check_not_negative(value: float, name: str, unit: str, what: Subject) -> None:
    if value < 0.0:
        raise ModelError(f"{what}: {name} must not be negative, got {value:g} {unit}", about=what.at(name))


def _check_two_bodies(frame_a: Frame, frame_b: Frame, what: str) -> None:
    if frame_a.body_name == frame_b.body_name:
        raise ModelError(f'{what}: both ends are on "{frame_a.body_name}"; connect two different bodies', about=what)


def _check_reaction(reaction: str | None, body_name: str, what: Subject) -> None:
    if reaction == body_name:
        raise ModelError(
            f'{what}: the reaction is on the same body "{body_name}"; choose another body', about=what.at("reaction")
        )


@dataclass(frozen=True, eq=False)
class Force:
    """Force at the origin of a frame.

    Attributes
    ----------
    components : three values over time, or expressions over signals [N]
    axes : str
        "world": components in world axes. "body": in the axes of the frame's body, which rotate with it.
    reaction : str | None
        Body on which the opposite force acts, at the same point of space. None: outside the model.
    """

    name: str
    frame: Frame
    components: tuple[Component, Component, Component]
    axes: str = "world"
    reaction: str | None = None

    def __post_init__(self) -> None:
        what = part_subject("force", self.name)
        _check_axes(self.axes, what)
        _check_reaction(self.reaction, self.frame.body_name, what)


@dataclass(frozen=True, eq=False)
class Torque:
    """Torque on a body. Components [N*m] in world axes or body axes. reaction: body with the opposite torque, optional."""

    name: str
    body_name: str
    components: tuple[Component, Component, Component]
    axes: str = "world"
    reaction: str | None = None

    def __post_init__(self) -> None:
        what = part_subject("torque", self.name)
        _check_axes(self.axes, what)
        _check_reaction(self.reaction, self.body_name, what)


@dataclass(frozen=True, eq=False)
class JointLoad:
    """Torque on the angle of a joint [N*m], or force on its displacement [N]. It acts on B, its reaction on A."""

    name: str
    joint_name: str
    coordinate: str
    function: Function | SignalExpression | StateLaw
    """Value over time, or from signals of the model."""

    def __post_init__(self) -> None:
        check_name(self.name, "load")

    @property
    def words(self) -> Subject:
        """Name of the load in messages."""
        return part_subject("torque" if self.coordinate == ANGLE else "force", self.name)


@dataclass(frozen=True, eq=False)
class Spring:
    """Spring and damper on the line between the origins of two frames.

    With l = |o_B - o_A| and e = l - free_length, the force that pulls the ends together is

        F = stiffness e + damping dl/dt,   or   F = table(e) + damping dl/dt,

    tension_only: zero if e <= 0, and never negative.

    Attributes
    ----------
    free_length : [m]; stiffness : [N/m]; damping : [N*s/m]
    table : None, or (extensions (n,) [m], forces (n,) [N]), linear between the points, constant outside.
    """

    name: str
    frame_a: Frame
    frame_b: Frame
    free_length: float
    stiffness: float
    damping: float = 0.0
    table: tuple[FloatArray, FloatArray] | None = None
    tension_only: bool = False

    def __post_init__(self) -> None:
        what = part_subject("spring", self.name)
        _check_two_bodies(self.frame_a, self.frame_b, what)
        _check_not_negative(self.stiffness, "stiffness", "N/m", what)
        _check_not_negative(self.damping, "damping", "N*s/m", what)
        _check_not_negative(self.free_length, "free_length", "m", what)
        if not isinstance(self.tension_only, bool):
            raise ModelError(
                f"{what}: tension_only must be True or False, got {shown(self.tension_only)}",
                about=what.at("tension_only"),
            )
        if self.tension_only and self.table is not None:
            extension, force = self.table
            if np.any(np.asarray(force)[np.asarray(extension) > 0.0] < 0.0):
                raise ModelError(
                    f"{what}: the table of a string has a pushing force at a positive extension; its forces there must be >= 0",
                    about=what.at("table"),
                )
        if self.table is not None and self.stiffness != 0.0:
            raise ModelError(f"{what}: specify stiffness or table, not both", about=what.at("table"))
        if self.table is None and self.stiffness == 0.0 and self.damping == 0.0:
            raise ModelError(
                f"{what}: has no stiffness, no damping and no table, so it has no effect; specify one", about=what
            )


@dataclass(frozen=True, eq=False)
class TorsionSpring:
    """Spring on the angle of a joint: T = -stiffness (angle - free_angle) - damping d(angle)/dt, on B, reaction on A.

    stiffness [N*m/rad], damping [N*m*s/rad], free_angle [rad].
    """

    name: str
    joint_name: str
    stiffness: float
    damping: float
    free_angle: float

    def __post_init__(self) -> None:
        what = part_subject("torsion spring", self.name)
        _check_not_negative(self.stiffness, "stiffness", "N*m/rad", what)
        _check_not_negative(self.damping, "damping", "N*m*s/rad", what)


@dataclass(frozen=True, eq=False)
class Bushing:
    """Linear bushing: wrench = -stiffness u - damping du/dt, on B, reaction on A.

    u = (x, y, z [m], rx, ry, rz [rad]) is the displacement and the small rotation of frame_b relative to frame_a, in the axes of
    frame_a. stiffness and damping are (6, 6), symmetric, positive semidefinite, in N, m, rad and s.
    """

    name: str
    frame_a: Frame
    frame_b: Frame
    stiffness: FloatArray
    damping: FloatArray

    def __post_init__(self) -> None:
        what = part_subject("bushing", self.name)
        _check_two_bodies(self.frame_a, self.frame_b, what)
        for name in ("stiffness", "damping"):
            _check_semidefinite(getattr(self, name), what / name)
        if not self.stiffness.any() and not self.damping.any():
            raise ModelError(f"{what}: has no stiffness and no damping, so it has no effect; specify one", about=what)


def _check_semidefinite(k: FloatArray, what: str) -> None:
    """Check that a matrix is symmetric and positive semidefinite.

    Lengths and angles have different units. Therefore rows and columns are first scaled to a unit diagonal.
    """
    if np.any(np.abs(k - k.T) > 1e-9 * (np.abs(k) + np.abs(k.T))):
        i, j = np.unravel_index(int(np.argmax(np.abs(k - k.T))), k.shape)
        raise ModelError(
            f"{what} is not symmetric: [{i}, {j}] is {k[i, j]:g}, [{j}, {i}] is {k[j, i]:g}; make them equal",
            about=what,
        )
    diagonal = np.diag(k)
    if np.any(diagonal < 0.0):
        n = int(np.argmax(diagonal < 0.0))
        raise ModelError(f"{what} must not be negative, but [{n}, {n}] is {diagonal[n]:g}", about=what)
    scale = np.sqrt(diagonal)
    empty = scale == 0.0
    if np.any(k[empty] != 0.0):
        n = int(np.flatnonzero(empty & np.any(k != 0.0, axis=1))[0])
        raise ModelError(
            f"{what} is not positive semidefinite: row {n} has couplings but its diagonal is zero", about=what
        )
    scale[empty] = 1.0
    smallest = float(np.linalg.eigvalsh(k / scale[:, None] / scale[None, :])[0])
    if smallest < -1e-9:
        raise ModelError(
            f"{what} is not positive semidefinite (scaled eigenvalue {smallest:.3g}): it would add "
            "energy to the model; make the couplings smaller",
            about=what,
        )


@dataclass(frozen=True, eq=False)
class Stop:
    """End stops of a joint coordinate c: elastic with a stiffness, otherwise rigid.

    Elastic, above `upper`: F = -stiffness (c - upper) - damping dc/dt, without pulling. Below `lower` in the same way. With
    `damping_limit`, the damping force is at most this multiple of the spring force. On an angle: lower, upper [rad], stiffness
    [N*m/rad], damping [N*m*s/rad]; on a displacement: [m], [N/m], [N*s/m]. lower or upper may be None: no stop on that side.
    Rigid (stiffness None): lower <= c <= upper exactly. At an impact dc/dt becomes -restitution times its value.
    """

    name: str
    joint_name: str
    coordinate: str
    lower: float | None
    upper: float | None
    stiffness: float | None = None
    damping: float = 0.0
    damping_limit: float | None = None
    restitution: float | None = None

    @property
    def rigid(self) -> bool:
        """Whether the stop has no stiffness."""
        return self.stiffness is None

    def __post_init__(self) -> None:
        what = part_subject("stop", self.name)
        if self.lower is None and self.upper is None:
            raise ModelError(f"{what}: specify lower, upper or both", about=what)
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise ModelError(
                f"{what}: lower must be less than upper, got {self.lower:g} and {self.upper:g}", about=what.at("lower")
            )
        if self.stiffness is None:
            self._check_rigid(what)
            return
        if self.stiffness <= 0.0:
            raise ModelError(
                f"{what}: stiffness must be greater than zero, got {self.stiffness:g}; omit it for a rigid stop",
                about=what.at("stiffness"),
            )
        if self.restitution is not None:
            raise ModelError(
                f"{what}: restitution is for rigid stops, but the stop has a stiffness; specify damping, or omit stiffness",
                about=what.at("restitution"),
            )
        _check_not_negative(self.damping, "damping", "", what)
        if self.damping_limit is not None:
            if not self.damping:
                raise ModelError(
                    f"{what}: damping_limit limits the damping force; specify damping too",
                    about=what.at("damping_limit"),
                )
            if self.damping_limit <= 0.0:
                raise ModelError(
                    f"{what}: damping_limit must be greater than zero, got {self.damping_limit:g}",
                    about=what.at("damping_limit"),
                )

    def _check_rigid(self, what: Subject) -> None:
        if self.damping or self.damping_limit is not None:
            name = "damping" if self.damping else "damping_limit"
            raise ModelError(
                f"{what}: {name} is for elastic stops; specify stiffness too, or restitution in place of {name}",
                about=what.at(name),
            )
        if self.restitution is not None and not 0.0 <= self.restitution <= 1.0:
            raise ModelError(
                f"{what}: restitution must be between 0 and 1, got {self.restitution:g}", about=what.at("restitution")
            )


Load: TypeAlias = Force | Torque | JointLoad | Spring | TorsionSpring | Bushing | Stop
