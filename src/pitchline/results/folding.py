"""Signals folded over revolutions or periods, and revolutions of bodies counted over a run.

Revolutions of bodies, counted over a run.

The rotation of a body relative to a reference is split into a rotation about an axis of the body (twist) and a tilt of this axis
(swing). The twist follows from the orientation of every sample, exactly. Full revolutions between samples follow from the
angular velocities.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import near_names, shown
from pitchline.facades import plotter
from pitchline.solids.rotations import direction

from .signal import Signal, scalar
from .status import SignalError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .result import Result

__all__ = ["CountedTurns"]


# ---- folding

# A signal over the mesh cycle: all cycles of a record in one diagram.

#: Largest fraction of a cycle between two samples; at larger steps the number of cycles is not known.
_COARSEST = 0.25

#: Fraction of a cycle by which a phase may step back by rounding.
_ROUNDING = 1e-9


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Folded:
    """The signal `name` over one cycle.

    phase:     (m,), fraction of the cycle, 0 to 1
    mean:      (m,), over all cycles, in `unit`
    low, high: (m,), lowest and highest value of all cycles
    cycles:    number of whole cycles used
    over:      name of the phase
    """

    kind: ClassVar[str] = "folded"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    phase: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    cycles: int
    over: str
    unit: str = ""

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot mean and range of all cycles; options as in `pitchline.views.plot_cycle`."""
        return plotter("Folded")(self, path=path, **options)


@names_wrong_arguments
def fold(signal: Signal, phase: Signal, *, points: int = 201) -> Folded:
    """Fold a record over its cycles: mean, lowest and highest value at every phase.

    phase: fraction of the cycle, 0 to 1, with the samples of the signal, such as `run["mesh.phase"]`. It must increase or
    decrease throughout, with four samples per cycle or more. Only whole cycles from the start of the record are used.
    """
    what = f'fold of "{signal.name}"'
    scalar(signal, what)
    scalar(phase, what)
    if phase.unit not in ("", "1"):
        raise SignalError(f'{what}: "{phase.name}" is in {phase.unit}; give a phase from 0 to 1, such as "mesh.phase"')
    if not np.array_equal(signal.time, phase.time):
        raise SignalError(f'{what}: "{phase.name}" is not sampled at the same times; take both from one result')
    if points < 2:
        raise SignalError(f"{what}: points must be 2 or more, got {points}")
    sense, way = _way(phase, what)
    count = int(np.floor(way[-1] - way[0] + _ROUNDING))
    if count < 1:
        raise SignalError(
            f'{what}: "{phase.name}" passes {way[-1] - way[0]:.3g} cycles in the record, but one whole cycle is needed'
        )
    grid = np.linspace(0.0, 1.0, points)
    # where each phase comes first, and again in every further cycle
    first = sense * grid + np.ceil(way[0] - sense * grid - _ROUNDING)
    values = np.interp(first + np.arange(count)[:, None], way, signal.values)
    return Folded(
        signal.name, grid, values.mean(axis=0), values.min(axis=0), values.max(axis=0), count, phase.name, signal.unit
    )


def _way(phase: Signal, what: str) -> tuple[float, FloatArray]:
    """Direction of the phase, +1 or -1, and direction · phase in cycles, which always increases."""
    if len(phase) < 2:
        raise SignalError(f"{what}: needs two samples or more, has {len(phase)}")
    way = np.unwrap(phase.values, period=1.0)
    sense = -1.0 if way[-1] < way[0] else 1.0
    way = sense * way
    steps = np.diff(way)
    widest = float(np.max(np.abs(steps)))
    if widest > _COARSEST:
        k = int(np.argmax(np.abs(steps)))
        raise SignalError(
            f'{what}: "{phase.name}" moves by {widest:.2g} cycles between two samples, at t = {phase.time[k]:.6g} s; '
            "ask the analysis for output at least four times a cycle (output_step)"
        )
    if np.any(steps < -_ROUNDING):
        k = int(np.argmax(steps < -_ROUNDING))
        raise SignalError(
            f'{what}: "{phase.name}" turns back at t = {phase.time[k]:.6g} s; cut the record there with '
            "signal.between(start, end)"
        )
    return sense, np.asarray(np.maximum.accumulate(way))


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


def _axis_of(result: Result, body: str) -> FloatArray:
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


def _orientation(result: Result, body: str) -> FloatArray:
    if body == "ground":
        return np.tile([1.0, 0.0, 0.0, 0.0], (result.samples, 1))
    return np.asarray(result[f"{body}.orientation"].values)


def _conjugate(q: FloatArray) -> FloatArray:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Products of quaternions (n, 4)."""
    w = a[:, :1] * b[:, :1] - np.sum(a[:, 1:] * b[:, 1:], axis=1, keepdims=True)
    return np.concatenate([w, a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])], axis=1)


def _relative(q: FloatArray, reference: FloatArray) -> FloatArray:
    """Orientation relative to the reference."""
    return _product(_conjugate(reference), q)


def _turned(q: FloatArray, v: FloatArray) -> FloatArray:
    """R^T v for quaternions and vectors (n, 3)."""
    u = -q[:, 1:]
    t = 2.0 * np.cross(u, v)
    return np.asarray(v + q[:, :1] * t + np.cross(u, t))


def _counted(result: Result, body: str, reference: str, e: FloatArray, q: FloatArray) -> FloatArray:
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
