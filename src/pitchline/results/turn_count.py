"""Revolutions of bodies, counted over a run.

The rotation of a body relative to a reference is split into a rotation about an axis of the body (twist) and a tilt of this axis
(swing). The twist follows from the orientation of every sample, exactly. Full revolutions between samples follow from the
angular velocities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import names_wrong_arguments
from ..errors import near_names, shown
from ..solids.rotations import direction
from .errors import SignalError
from .signal import Signal

if TYPE_CHECKING:
    from .result import Result

__all__ = ["CountedTurns"]

Array = NDArray[np.float64]
TURN = 2.0 * np.pi
UNCERTAIN = 0.2 * TURN
"""Uncertainty of the rotation between two samples [rad] above which revolutions cannot be counted."""
MOST_SWING = 0.98
"""Sine of half the tilt of an axis above which the rotation about it is not defined."""


@names_wrong_arguments
class CountedTurns:
    """Method of results that counts revolutions."""

    def turns(self, body: str, *, axis: object = None, relative_to: str = "ground") -> Signal:
        """Revolutions of a body since the start of the record; negative about the opposite direction.

        Parameters
        ----------
        body
            Name of a body.
        axis
            Axis of the body, in body axes. Default: the axis of its first joint with an angle, or the z axis of its first wheel.
        relative_to
            Name of the body that is the reference. Default: the ground.
        """
        result: Any = self
        found: Signal = _turns(result, body, axis, relative_to)
        return found


def _turns(result: Result, body: str, axis: object, reference: str) -> Signal:
    bodies = result.model.get("bodies", {})
    for name in (body, reference):
        if name != "ground" and f"{name}.orientation" not in result:
            known = [n for n in bodies if f"{n}.orientation" in result]
            raise SignalError(f'turns: the result has no body "{name}"; {near_names(str(name), known)}')
    if body in ("ground", reference):
        raise SignalError(f'turns: "{body}" does not rotate relative to {shown(reference)}. Specify another body')
    e = _axis_of(result, body) if axis is None else np.asarray(direction(axis, what="turns: axis"))
    q = _relative(_orientation(result, body), _orientation(result, reference))
    q = _product(_conjugate(q[:1]), q)  # since the start
    angle = _counted(result, body, reference, e, q)
    text = f'revolutions of "{body}" about its axis since the start, relative to "{reference}"'
    return Signal(f"{body}.turns", angle / TURN, result.time, "1", text)


def _axis_of(result: Result, body: str) -> Array:
    """Axis of the first joint of a body that has an angle, in body axes; or of its first wheel."""
    for joint in result.model.get("joints", {}).values():
        if f"{joint['name']}.angle" in result:
            for frame in (joint["frame_b"], joint["frame_a"]):
                if frame["body_name"] == body:
                    return np.array(frame["rotation"], float)[:, 2]
    for wheel in result.model.get("wheels", {}).values():
        if wheel["frame"]["body_name"] == body:
            return np.array(wheel["frame"]["rotation"], float)[:, 2]
    raise SignalError(
        f'turns: body "{body}" has neither a joint with an angle nor a wheel. Specify the axis in body axes, such as axis="z"'
    )


def _orientation(result: Result, body: str) -> Array:
    if body == "ground":
        return np.tile([1.0, 0.0, 0.0, 0.0], (result.samples, 1))
    return np.asarray(result[f"{body}.orientation"].values)


def _conjugate(q: Array) -> Array:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def _product(a: Array, b: Array) -> Array:
    """Products of quaternions (n, 4)."""
    w = a[:, :1] * b[:, :1] - np.sum(a[:, 1:] * b[:, 1:], axis=1, keepdims=True)
    return np.concatenate([w, a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])], axis=1)


def _relative(q: Array, reference: Array) -> Array:
    """Orientation relative to the reference."""
    return _product(_conjugate(reference), q)


def _turned(q: Array, v: Array) -> Array:
    """R^T v for quaternions and vectors (n, 3)."""
    u = -q[:, 1:]
    t = 2.0 * np.cross(u, v)
    return np.asarray(v + q[:, :1] * t + np.cross(u, t))


def _counted(result: Result, body: str, reference: str, e: Array, q: Array) -> Array:
    """Rotation about axis e [rad] of orientations q since the start, with all revolutions."""
    along = q[:, 1:] @ e
    swing = np.sqrt(np.maximum(0.0, 1.0 - q[:, 0] ** 2 - along**2))
    if np.any(swing > MOST_SWING):
        k = int(np.argmax(swing > MOST_SWING))
        raise SignalError(
            f'turns: at t = {result.time[k]:g} s the axis of "{body}" points against its initial direction, where the rotation '
            f"about it is not defined. Specify another axis, or relative_to= the body that carries it"
        )
    twist = 2.0 * np.arctan2(along, q[:, 0])
    t = result.time
    # rate of the twist about the axis, from angular velocities; exact if the axis does not tilt
    R = _orientation(result, body)
    w, al = (
        sum(sign * result[f"{name}.{s}"].values for name, sign in ((body, 1.0), (reference, -1.0)) if name != "ground")
        for s in ("angular_velocity", "angular_acceleration")
    )
    rate, change = _turned(R, np.asarray(w)) @ e, _turned(R, np.asarray(al)) @ e
    h = np.diff(t)
    mean = 0.5 * h * (rate[1:] + rate[:-1])
    expected = mean - h * h / 12.0 * np.diff(change)
    doubt = np.abs(expected - mean) + 0.5 * np.abs(np.diff(swing**2)) * np.abs(mean)
    if np.any(doubt > UNCERTAIN):
        k = int(np.argmax(doubt))
        raise SignalError(
            f'turns: "{body}" rotates by about {abs(expected[k]) / TURN:.3g} revolutions between t = {t[k]:g} s and '
            f"t = {t[k + 1]:g} s, with a speed that changes too much to count them. Use a shorter output step"
        )
    steps = np.diff(twist)
    steps += TURN * np.round((expected - steps) / TURN)
    return np.concatenate([[0.0], np.cumsum(steps)])
