"""Interactions: forces and moments of joints, bushings, bearings, drives, springs and teeth between two bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.units.quantity import quantity

from .signal import NOT_UNIQUE, RECORDED, on_bodies

if TYPE_CHECKING:
    from .result import Result

__all__ = ["FramePose", "Record", "BEARING", "Interaction", "interactions", "not_counted", "part_words", "supports"]


# ---- record

# Record: the samples of a result within a window of time, with the poses of bodies and frames.

GROUND = "ground"


class FramePose:
    """A frame on a body over time.

    body:   name of the body
    origin: (n, 3), m, world
    axes:   (n, 3, 3), columns are its x, y, z in world axes
    """

    def __init__(self, body: str, origin: FloatArray, axes: FloatArray) -> None:
        self.body, self.origin, self.axes = body, origin, axes

    @property
    def axis(self) -> FloatArray:
        """Its z axis (n, 3)."""
        return self.axes[:, :, 2]


class Record:
    """Signals of a result from `after` to `before` (s, or texts with a unit), and the model it is about."""

    def __init__(self, result: Result, after: object = None, before: object = None) -> None:
        if not result.samples:
            raise PitchlineError(
                f'result of "{result.model_name}": it holds no sample; the analysis ended before the first one'
            )
        self.result = result
        self.model: dict[str, Any] = result.model
        first = -np.inf if after is None else quantity(after, "time", what="after")
        last = np.inf if before is None else quantity(before, "time", what="before")
        span = result.time[-1] - result.time[0]
        self.keep = (result.time >= first - 1e-9 * span) & (result.time <= last + 1e-9 * span)
        if result.samples == 1:
            self.keep[:] = True  # statics has one sample, whenever it is
        if not self.keep.any():
            raise PitchlineError(
                f'result of "{result.model_name}": no sample from {first:g} to {last:g} s; it runs from {result.time[0]:g} '
                f"to {result.time[-1]:g} s"
            )
        self.time: FloatArray = result.time[self.keep]

    @property
    def states(self) -> dict[str, Any]:
        """Arrays that the result has besides its signals."""
        return self.result.states

    @property
    def recorded(self) -> bool:
        """Whether the result contains powers and forces of all its parts: those of earlier versions do not."""
        return RECORDED in self.result.states

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.time)

    @property
    def weights(self) -> FloatArray:
        """Share of the time of each sample."""
        return time_weights(self.time)

    def sample(self, at: float | str | None) -> int:
        """Index of the sample nearest to a time; the last one without."""
        if at is None:
            return self.count - 1
        t = quantity(at, "time", what="at")
        slack = 1e-9 * (self.time[-1] - self.time[0])
        if not self.time[0] - slack <= t <= self.time[-1] + slack:
            raise PitchlineError(
                f"at: t = {t:g} s is outside the record, which runs from {self.time[0]:g} to {self.time[-1]:g} s"
            )
        return int(np.argmin(np.abs(self.time - t)))

    def has(self, name: str) -> bool:
        """Whether there is such a signal."""
        return name in self.result.signals

    def values(self, name: str) -> FloatArray:
        """Samples of a signal within the window."""
        return np.asarray(self.result.signals[name].values)[self.keep]

    def vectors(self, name: str) -> FloatArray:
        """Samples of a vector signal; zeros (n, 3) if there is no such signal."""
        return self.values(name) if self.has(name) else np.zeros((self.count, 3))

    def pose(self, body: str) -> tuple[FloatArray, FloatArray]:
        """Origin (n, 3) and axes (n, 3, 3) of a body."""
        if body == GROUND:
            return np.zeros((self.count, 3)), np.broadcast_to(np.eye(3), (self.count, 3, 3))
        return self.values(f"{body}.position"), matrices(self.values(f"{body}.orientation"))

    def frame(self, said: dict[str, Any]) -> FramePose:
        """A frame of the description of the model."""
        origin, axes = self.pose(said["body_name"])
        at, rotation = np.asarray(said["position"], float), said.get("rotation")
        turned = axes if rotation is None else axes @ np.asarray(rotation, float)
        return FramePose(said["body_name"], origin + axes @ at, turned)

    def spin(self, body: str) -> FloatArray:
        """Angular velocity of a body (n, 3), world axes. In statics: the one with which the model starts."""
        if body == GROUND:
            return np.zeros((self.count, 3))
        if self.result.kind == "statics":
            return np.broadcast_to(self._first_spin(body), (self.count, 3))
        return self.vectors(f"{body}.angular_velocity")

    def _first_spin(self, body: str) -> FloatArray:
        """Angular velocity with which the model starts, of bodies and of stations of shafts."""
        for shaft in self.model.get("shafts", {}).values():
            if body in shaft["stations"]:
                axis = np.asarray(shaft["orientation"], float)[:, 2]
                return np.asarray(shaft["angular_velocity"], float) + float(shaft["speed"]) * axis
        said = self.model.get("bodies", {}).get(body, {})
        return np.asarray(said.get("angular_velocity", np.zeros(3)), float)

    @property
    def structures(self) -> dict[str, list[str]]:
        """Shafts, beams and flexible bodies, each with the bodies of its stations."""
        return {
            name: list(part["stations"])
            for section in ("shafts", "beams", "flexible_bodies", "membranes")
            for name, part in self.model.get(section, {}).items()
        }

    @property
    def bodies(self) -> list[str]:
        """Names of all bodies, the ground and stations of structures among them."""
        return [GROUND, *self.model.get("bodies", {}), *(body for part in self.structures.values() for body in part)]


def time_weights(time: FloatArray) -> FloatArray:
    """Of the time average by the trapezoidal rule."""
    span = time[-1] - time[0]
    if span == 0.0:
        return np.full(len(time), 1.0 / len(time))
    steps = np.diff(time)
    return np.asarray((np.concatenate([steps, [0.0]]) + np.concatenate([[0.0], steps])) / (2.0 * span))


def matrices(q: FloatArray) -> FloatArray:
    """Rotation matrices (n, 3, 3) of quaternions (n, 4), scalar first."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


BEARING = "bearing"
"""Key of rolling bearings."""
SUPPORTS = (BEARING, "axial_support")
"""Keys of elements that support a shaft."""
_OPPOSITE = 1e-9
"""Difference of action and reaction that is rounding, relative to the largest force or moment."""
_STRUCTURES = (("shaft", "shafts"), ("beam", "beams"), ("flexible body", "flexible_bodies"), ("membrane", "membranes"))


@dataclass(frozen=True, eq=False)
class Interaction:
    """Force and moment of one part on its second body; the opposite acts on the first body.

    force:  (n, 3), N, on body B, world axes
    moment: (n, 3), N m, on body B about `point`, world axes
    point:  (n, 3), m, world
    frame:  of the part on body A, whose z axis is its axis; None if it has no axis
    """

    name: str
    words: str
    body_a: str
    body_b: str
    force: FloatArray
    moment: FloatArray
    point: FloatArray
    frame: FramePose | None = None
    unique: bool = True
    """Whether equilibrium determines the numbers; otherwise they are the smallest ones in equilibrium."""

    def moment_about(self, point: FloatArray) -> FloatArray:
        """On body B about another point."""
        return self.moment + np.cross(self.point - point, self.force)


def supports(record: Record) -> Iterator[Interaction]:
    """Parts that support bodies: rolling bearings, bushings and joints, in the order of the model.

    Kinematics has no bearing loads.
    """
    for name, said in record.model.get("elements", {}).items():
        if said.get("key") in SUPPORTS and record.result.kind != "kinematics":
            yield _two_ended(record, name, _element_words(said), *said["frames"].values())
    for name, said in record.model.get("loads", {}).items():
        if said.get("type") == "Bushing":
            yield _two_ended(record, name, "bushing", said["frame_a"], said["frame_b"])
    for name, said in record.model.get("joints", {}).items():
        if record.has(f"{name}.force") and said["kind"] != "distance":
            yield _two_ended(record, name, f"{said['kind'].replace('_', ' ')} joint", said["frame_a"], said["frame_b"])


def interactions(record: Record) -> Iterator[Interaction]:
    """All parts that act between two bodies; loads without a reaction act from outside and are not included."""
    yield from supports(record)
    model = record.model
    yield from _others(record)
    yield from _beam_ends(record)
    for name, said in model.get("joints", {}).items():
        if said["kind"] == "distance":
            yield _along_line(record, name, "rod", said, record.values(f"{name}.force"))
        elif said["kind"] == "screw":
            yield _along_axis(
                record, name, "thread", said, record.values(f"{name}.thrust"), turning=False, pitch=said["pitch"]
            )
    for name, said in model.get("drives", {}).items():
        joint = model["joints"][said["joint_name"]]
        turning = record.has(f"{name}.torque")
        yield _along_axis(
            record, name, "drive", joint, record.values(f"{name}.{'torque' if turning else 'force'}"), turning=turning
        )
    for name, said in model.get("loads", {}).items():
        yield from _load(record, name, said)
    for name, said in model.get("gear_pairs", {}).items():
        yield _teeth(record, name, said)


def not_counted(record: Record) -> list[str]:
    """Elements between two bodies whose signals do not contain their forces, in results of earlier versions."""
    if record.recorded:
        return []
    elements = record.model.get("elements", {})
    return [
        name
        for name, said in elements.items()
        if (len(said.get("frames", {})) > 1 or said.get("joints"))
        and said.get("key") not in SUPPORTS
        and _element(record, name, said) is None
    ]


def _others(record: Record) -> Iterator[Interaction]:
    """Parts whose forces were recorded by the analysis; in results of earlier versions, elements whose signals contain them."""
    if not record.recorded:
        for name, said in record.model.get("elements", {}).items():
            made = None if said.get("key") in SUPPORTS else _element(record, name, said)
            if made is not None:
                yield made
        return
    for name, bodies in on_bodies(record.states).items():
        yield from _recorded(record, name, bodies)


def _recorded(record: Record, name: str, bodies: dict[str, tuple[FloatArray, FloatArray]]) -> Iterator[Interaction]:
    """Between two bodies if the forces on them are opposite to each other; otherwise between the part and each body."""
    words = part_words(record.model, name)
    made = [
        Interaction(name, words, name, body, force[record.keep], moment[record.keep], record.pose(body)[0])
        for body, (force, moment) in bodies.items()
    ]
    if len(made) == 2:
        first, second = made if made[1].body_b != GROUND else made[::-1]
        opposite = first.force + second.force, first.moment_about(second.point) + second.moment
        size = np.abs(first.force).max(), np.abs(first.moment).max() + np.abs(second.moment).max()
        if all(np.abs(x).max() <= _OPPOSITE * max(size) for x in opposite):
            made = [replace(second, body_a=first.body_b)]
    yield from made


def part_words(model: dict[str, Any], name: str) -> str:
    """What a part is, for a table."""
    if name in model.get("elements", {}):
        return _element_words(model["elements"][name])
    loads = model.get("loads", {})
    if name in loads:
        kind = loads[name]["type"]
        return _LOAD_WORDS.get(kind, kind.lower())
    sections = (("joint", "joints"), ("drive", "drives"), ("teeth", "gear_pairs"), *_STRUCTURES)
    return next((words for words, section in sections if name in model.get(section, {})), name)


def _element(record: Record, name: str, said: dict[str, Any]) -> Interaction | None:
    """Force and moment of an element from its signals; None if the signals do not contain them."""
    frames, joints = list(said.get("frames", {}).values()), list((said.get("joints") or {}).values())
    words = _element_words(said)
    if len(frames) == 2 and record.has(f"{name}.force") and record.values(f"{name}.force").ndim == 2:
        if record.has(f"{name}.moment") or not record.has(f"{name}.contact_point"):
            return _two_ended(record, name, words, *frames)
        a, b = record.frame(frames[0]), record.frame(frames[1])
        force = record.values(f"{name}.force")
        return Interaction(
            name, words, a.body, b.body, force, np.zeros_like(force), record.values(f"{name}.contact_point")
        )
    if len(frames) == 2 and record.has(f"{name}.tension"):
        ends = {"frame_a": frames[0], "frame_b": frames[1]}
        return _along_line(record, name, words, ends, -record.values(f"{name}.tension"))
    if len(joints) == 1 and not frames and record.has(f"{name}.torque"):
        return _along_axis(
            record, name, words, record.model["joints"][joints[0]], record.values(f"{name}.torque"), turning=True
        )
    return None


def _beam_ends(record: Record) -> Iterator[Interaction]:
    """Forces of beams on the bodies that their ends are fixed to; the opposite acts on the beam."""
    for name, said in record.model.get("beams", {}).items():
        for end, sign, frame in (("start", 1.0, said["a"]), ("end", -1.0, said["b"])):
            if record.has(f"{name}.{end}_force") and isinstance(frame, dict):
                force, moment = record.values(f"{name}.{end}_force"), record.values(f"{name}.{end}_moment")
                place = record.frame(frame)
                yield Interaction(f"{name} {end}", "beam", name, place.body, sign * force, sign * moment, place.origin)


def _two_ended(record: Record, name: str, words: str, a: dict[str, Any], b: dict[str, Any]) -> Interaction:
    frame_a, frame_b = record.frame(a), record.frame(b)
    signal = record.result.signals[f"{name}.force"]
    return Interaction(
        name, words, frame_a.body, frame_b.body, record.values(f"{name}.force"), record.vectors(f"{name}.moment"),
        frame_b.origin, frame_a, NOT_UNIQUE not in signal.description,
    )  # fmt: skip


def _element_words(said: dict[str, Any]) -> str:
    """The type of a bearing or coupling; of other elements their key."""
    design = said.get("parameters", {}).get("design", {}).get("value")
    if isinstance(design, dict) and "words" in design:
        return str(design["words"]).partition(",")[0]
    return str(said.get("key", said["type"])).replace("_", " ")


def _along_line(record: Record, name: str, words: str, said: dict[str, Any], push: FloatArray) -> Interaction:
    """A force along the line between two points, positive pushing apart."""
    a, b = record.frame(said["frame_a"]), record.frame(said["frame_b"])
    line = b.origin - a.origin
    length = np.linalg.norm(line, axis=1, keepdims=True)
    direction = np.divide(line, length, out=np.zeros_like(line), where=length > 0.0)
    return Interaction(name, words, a.body, b.body, push[:, None] * direction, np.zeros_like(line), b.origin)


def _along_axis(
    record: Record,
    name: str,
    words: str,
    joint: dict[str, Any],
    effort: FloatArray,
    *,
    turning: bool,
    pitch: float = 0.0,
) -> Interaction:
    """A torque about the axis of a joint, or a force along it."""
    a, b = record.frame(joint["frame_a"]), record.frame(joint["frame_b"])
    along = effort[:, None] * a.axis
    force = np.zeros_like(along) if turning else along
    moment = along if turning else -pitch * along
    return Interaction(name, words, a.body, b.body, force, moment, b.origin)


def _load(record: Record, name: str, said: dict[str, Any]) -> Iterator[Interaction]:
    kind = said["type"]
    if kind in ("JointLoad", "TorsionSpring", "Stop"):
        turning = record.has(f"{name}.torque")
        effort = record.values(f"{name}.{'torque' if turning else 'force'}")
        joint = record.model["joints"][said["joint_name"]]
        yield _along_axis(record, name, _LOAD_WORDS[kind], joint, effort, turning=turning)
    elif kind == "Spring":
        yield _along_line(record, name, "spring", said, -record.values(f"{name}.force"))
    elif kind in ("Force", "Torque") and said.get("reaction") is not None:
        body = said["frame"]["body_name"] if kind == "Force" else said["body_name"]
        other = said["reaction"]
        other = other["body_name"] if isinstance(other, dict) else other
        point = record.frame(said["frame"]).origin if kind == "Force" else record.pose(body)[0]
        yield Interaction(
            name, kind.lower(), other, body, record.vectors(f"{name}.force"), record.vectors(f"{name}.torque"), point
        )


_LOAD_WORDS = {"JointLoad": "load on a joint", "TorsionSpring": "torsion spring", "Stop": "stop"}


def _teeth(record: Record, name: str, said: dict[str, Any]) -> Interaction:
    wheels = record.model.get("wheels", {})
    frames = [
        said[f"frame_{side}"] if f"frame_{side}" in said else wheels[said[f"wheel_{side}"]]["frame"] for side in "ab"
    ]
    b = record.frame(frames[1])
    is_rack = wheels.get(said["wheel_b"], {}).get("gear", {}).get("type") == "Rack"
    point = record.values(f"{name}.contact_point") if is_rack else b.origin
    return Interaction(
        name,
        "teeth",
        frames[0]["body_name"],
        b.body,
        record.values(f"{name}.force_b"),
        record.values(f"{name}.moment_b"),
        point,
    )
