"""Interactions: forces and moments of joints, bushings, bearings, drives, springs and teeth between two bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..part_records import on_bodies
from ..signal import NOT_UNIQUE
from .record import GROUND, Array, FramePose, Record

__all__ = ["BEARING", "Interaction", "interactions", "not_counted", "part_words", "supports"]

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
    force: Array
    moment: Array
    point: Array
    frame: FramePose | None = None
    unique: bool = True
    """Whether equilibrium determines the numbers; otherwise they are the smallest ones in equilibrium."""

    def moment_about(self, point: Array) -> Array:
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


def _recorded(record: Record, name: str, bodies: dict[str, tuple[Array, Array]]) -> Iterator[Interaction]:
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


def _along_line(record: Record, name: str, words: str, said: dict[str, Any], push: Array) -> Interaction:
    """A force along the line between two points, positive pushing apart."""
    a, b = record.frame(said["frame_a"]), record.frame(said["frame_b"])
    line = b.origin - a.origin
    length = np.linalg.norm(line, axis=1, keepdims=True)
    direction = np.divide(line, length, out=np.zeros_like(line), where=length > 0.0)
    return Interaction(name, words, a.body, b.body, push[:, None] * direction, np.zeros_like(line), b.origin)


def _along_axis(
    record: Record, name: str, words: str, joint: dict[str, Any], effort: Array, *, turning: bool, pitch: float = 0.0
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
