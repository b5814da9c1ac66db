"""Loads as the page draws them: forces and torques as arrows, springs, bushings.

Forces and torques as arrows where they act: at teeth, bearings, loads, springs and joints.

Each arrow names the body on which it acts. Its origin is a point that moves with a body (`at`), or one that the result has
(`point`). What it shows is a vector in world axes (`vector`), or one number (`value`) along an axis of a body (`along`) or from
one point to another (`from`, `to`). Arrays are kept as those of the signals are, and so only once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import (
    RING,
    SEGMENTS,
    STEEL,
    PartList,
    SceneSource,
    disc,
    frame_pose,
    rest_pose,
    rest_size,
    turned_piece,
)

from ..gears.scene import turned_shape
from ..meshes.scene import pair_frames

__all__ = ["arrows_of", "add_bushings", "springs_of"]


Said = dict[str, Any]

_NOTHING = 1e-9
"""Of the greatest force or torque: what rounding leaves."""


def arrows_of(source: SceneSource, block: Block) -> list[Said]:
    """All arrows that are not zero throughout. Values that are negligible compared with the greatest of the same unit are zero."""
    if not source.signals:
        return []
    made = (*_teeth(source), *_elements(source), *_loads(source), *_drives(source), *_joints(source))
    known = [
        (arrow, values) for arrow in made if (values := source.signal(arrow["signal"])) is not None and values.size
    ]
    greatest: dict[str, float] = {"N": 0.0, "N*m": 0.0}
    for arrow, values in known:
        greatest[arrow["unit"]] = max(greatest[arrow["unit"]], _greatest(values))
    said = []
    for arrow, values in known:
        if _greatest(values) <= _NOTHING * greatest[arrow["unit"]]:
            continue
        name = arrow.pop("signal")
        key = "vector" if values.ndim == 2 else "value"
        arrow[key] = block.add_columns(f"arrow/{name}", values)
        if "point" in arrow:
            points = source.signal(arrow["point"])
            if points is None:
                continue
            arrow["point"] = block.add_columns(f"arrow point/{name}", points)
        said.append({"text": source.signals[name].description, **arrow})
    return said


def _greatest(values: np.ndarray) -> float:
    return float(np.abs(np.nan_to_num(values, posinf=0.0, neginf=0.0)).max())


def _arrow(name: str, signal: str, kind: str, group: str, on: str, **more: Any) -> Said:
    """of: the part of the model; signal: what it shows; on: the body on which it acts; opposite: that of its reaction, if any."""
    unit = "N" if kind == "force" else "N*m"
    whole = f"{name}.{signal}"
    return {"name": whole, "of": name, "signal": whole, "kind": kind, "group": group, "unit": unit, "on": on, **more}


def _place(frame: Said) -> Said:
    return {"body": frame["body_name"], "position": list(frame["position"])}


def _axis(frame: Said) -> Said:
    return {"body": frame["body_name"], "direction": [row[2] for row in frame["rotation"]]}


def _wrench(name: str, group: str, frame: Said, other: str) -> Iterator[Said]:
    """Force and moment on the body of a frame, at its origin."""
    for signal, kind in (("force", "force"), ("moment", "torque")):
        yield _arrow(name, signal, kind, group, frame["body_name"], opposite=other, at=_place(frame))


def _teeth(source: SceneSource) -> Iterator[Said]:
    for name, pair in source.model.get("gear_pairs", {}).items():
        a, b = (frame["body_name"] for frame in pair_frames(source.model, pair))
        point = f"{name}.contact_point"
        yield _arrow(name, "force_b", "force", "mesh", b, opposite=a, point=point)
        yield _arrow(name, "contact_moment", "torque", "mesh", a, opposite=b, point=point)


_ON_JOINTS = (
    "SpeedControl", "DCMotor", "InductionMotor", "KlossMotor", "MotorMap", "CombustionEngine", "FanLoad", "SpeedLoad", "RoadLoad",
)  # fmt: skip
"""Elements with the signal `torque` on the second body of their joint."""


def _elements(source: SceneSource) -> Iterator[Said]:
    """Rolling bearings, couplings, cams and springs; of elements of users it is not known where their signals act."""
    for name, element in source.model.get("elements", {}).items():
        frames, kind = element.get("frames", {}), element.get("type")
        if kind in ("RollingBearing", "Coupling"):
            yield from _wrench(name, "bearing", frames["b"], frames["a"]["body_name"])
        elif kind in ("Cam", "GroovedCam"):
            follower = frames["b"]["body_name"]
            yield _arrow(
                name,
                "force",
                "force",
                "mesh",
                follower,
                opposite=frames["a"]["body_name"],
                point=f"{name}.contact_point",
            )
        elif kind == "CubicSpring":
            yield _tension(name, "tension", frames["a"], frames["b"])
        elif kind in ("BeltDrive", "ChainDrive"):
            frame, other = frames["b"], frames["a"]["body_name"]
            yield _arrow(name, "force", "force", "mesh", frame["body_name"], opposite=other, at=_place(frame))
        elif kind in _ON_JOINTS:
            yield from _on_joint(source, name, next(iter(element.get("joints", {}).values()), ""), "torque", "load")


def _tension(name: str, signal: str, a: Said, b: Said) -> Said:
    """Of a spring between two points: in tension it pulls B towards A."""
    ends = {"at": _place(b), "from": _place(b), "to": _place(a)}
    return _arrow(name, signal, "force", "spring", b["body_name"], opposite=a["body_name"], **ends)


def _on_joint(source: SceneSource, name: str, joint: str, signal: str, group: str) -> Iterator[Said]:
    """A number along the axis of a joint, on its second body."""
    said = source.model.get("joints", {}).get(joint)
    if said is not None:
        a, b = said["frame_a"], said["frame_b"]
        kind = "torque" if signal == "torque" else "force"
        # forces act along the axis of the first frame, torques about that of both
        axis = _axis(b if kind == "torque" else a)
        yield _arrow(name, signal, kind, group, b["body_name"], opposite=a["body_name"], at=_place(b), along=axis)


def _loads(source: SceneSource) -> Iterator[Said]:
    for name, load in source.model.get("loads", {}).items():
        match load.get("type"):
            case "Force":
                at = _place(load["frame"])
                yield _arrow(name, "force", "force", "load", at["body"], at=at, **_reaction(load))
            case "Torque":
                body = source.model["bodies"].get(load["body_name"], {})
                at = {"body": load["body_name"], "position": list(body.get("centre_of_mass", (0.0, 0.0, 0.0)))}
                yield _arrow(name, "torque", "torque", "load", load["body_name"], at=at, **_reaction(load))
            case "Bushing":
                yield from _wrench(name, "bearing", load["frame_b"], load["frame_a"]["body_name"])
            case "Spring":
                yield _tension(name, "force", load["frame_a"], load["frame_b"])
            case "JointLoad" | "Stop" | "TorsionSpring" as kind:
                signal = "force" if load.get("coordinate") == "displacement" else "torque"
                group = "spring" if kind == "TorsionSpring" else "load"
                yield from _on_joint(source, name, load["joint_name"], signal, group)


def _reaction(load: Said) -> Said:
    return {"opposite": load["reaction"]} if load.get("reaction") else {}


def _drives(source: SceneSource) -> Iterator[Said]:
    for name, drive in source.model.get("drives", {}).items():
        signal = "force" if drive.get("coordinate") == "displacement" else "torque"
        yield from _on_joint(source, name, drive["joint_name"], signal, "load")


def _joints(source: SceneSource) -> Iterator[Said]:
    for name, joint in source.model.get("joints", {}).items():
        a, b = joint["frame_a"], joint["frame_b"]
        if joint["kind"] == "distance":  # pushes apart where it is positive
            ends = {"at": _place(b), "from": _place(a), "to": _place(b)}
            yield _arrow(name, "force", "force", "joint", b["body_name"], opposite=a["body_name"], **ends)
            continue
        yield from _wrench(name, "joint", b, a["body_name"])
        if joint["kind"] == "screw":
            thrust = {"at": _place(b), "along": _axis(a)}
            yield _arrow(name, "thrust", "force", "joint", b["body_name"], opposite=a["body_name"], **thrust)


# ---- springs

# Springs, dampers, strings and rods between two places; bushings as rings about the axis that they leave free.


def springs_of(model: dict[str, Any]) -> list[dict[str, Any]]:
    """What a page draws from a place on one body to a place on another: springs, dampers, strings, and joints that keep a
    distance, as rods."""
    size = rest_size(model)
    said = []
    for load in model.get("loads", {}).values():
        if load.get("type") == "Spring":
            kind = _kind(load)
            entry = _entry(model, load["name"], kind, load["frame_a"], load["frame_b"], size, _info(load))
            said.append(entry | ({"damped": True} if kind == "spring" and load.get("damping") else {}))
    for joint in model.get("joints", {}).values():
        if joint.get("kind") == "distance" and joint.get("length"):
            rod = _entry(model, joint["name"], "rod", joint["frame_a"], joint["frame_b"], size, [])
            said.append(rod | {"radius": min(0.03 * joint["length"], 0.01 * size) or rod["radius"]})
    for element in model.get("elements", {}).values():
        frames = element.get("frames", {})
        if element.get("type") == "CubicSpring" and set(frames) == {"a", "b"}:
            said.append(
                _entry(model, element["name"], "spring", frames["a"], frames["b"], size, [("Kind", "cubic spring")])
            )
    return said


def _kind(load: dict[str, Any]) -> str:
    if load.get("tension_only"):
        return "string"
    return "damper" if load.get("damping") and not load.get("stiffness") and not load.get("table") else "spring"


def _info(load: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("Kind", _kind(load))]
    if load.get("stiffness"):
        rows.append(("Stiffness", f"{load['stiffness']:.5g} N/m"))
    if load.get("damping"):
        rows.append(("Damping", f"{load['damping']:.5g} N s/m"))
    if load.get("free_length") is not None:
        rows.append(("Free length", f"{1e3 * load['free_length']:.5g} mm"))
    return rows


def _entry(
    model: dict[str, Any], name: str, kind: str, a: dict[str, Any], b: dict[str, Any], size: float, info: Any
) -> dict[str, Any]:
    length = float(np.linalg.norm(frame_pose(model, a)[0] - frame_pose(model, b)[0]))
    radius = min(0.08 * length, 0.03 * max(size, length)) or 0.02 * (size or 1.0)
    return {
        "name": name, "kind": kind, "a": {"body": a["body_name"], "position": a["position"]},
        "b": {"body": b["body_name"], "position": b["position"]}, "radius": radius, "info": info,
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- bushings


def add_bushings(parts: PartList) -> None:
    """Bushings that hold a place: a ring about the axis that turns freely, else about z; torsion shafts as thin rods."""
    size = rest_size(parts.model)
    for load in parts.model.get("loads", {}).values():
        if load.get("type") != "Bushing":
            continue
        K = np.asarray(load["stiffness"], dtype=np.float64)
        held, turned = np.diag(K)[:3], np.diag(K)[3:]
        if not held.any() and turned[2] > 0.0:
            _torsion_shaft(parts, load, size)
        elif held.any():
            _ring(parts, load, turned, size)


def _ring(parts: PartList, load: dict[str, Any], turned: FloatArray, size: float) -> None:
    frame = load["frame_a"] if load["frame_b"]["body_name"] == GROUND_NAME else load["frame_b"]
    axis = int(np.argmin(turned)) if turned.max() > 0.0 else 2
    radius = _seat_radius(parts.model, frame["body_name"]) or 0.03 * size
    if not radius:
        return
    shape = parts.shape(
        f"bushing {radius}",
        lambda n: turned_shape(
            parts.block, n, turned_piece(disc(1.5 * radius, radius, -0.3 * radius, 0.3 * radius)), SEGMENTS
        ),
    )
    about = np.asarray(frame["rotation"], dtype=np.float64) @ np.roll(np.eye(3), axis - 2, axis=1)
    parts.add(
        frame["body_name"], shape, name=load["name"], kind="bushing", position=frame["position"], rotation=about, colour=RING,
        info=[("Kind", "bushing"), ("Stiffness", _numbers(np.diag(np.asarray(load["stiffness"]))[:3], "N/m"))],
    )  # fmt: skip


def _torsion_shaft(parts: PartList, load: dict[str, Any], size: float) -> None:
    """A rod along z from the origin of one body to that of the other."""
    a, b = load["frame_a"], load["frame_b"]
    at, R = frame_pose(parts.model, a)
    ends = [float((rest_pose(parts.model, frame["body_name"])[0] - at) @ R[:, 2]) for frame in (a, b)]
    low, high = min(ends), max(ends)
    if high - low <= 1e-3 * size:
        return
    radius = min(0.04 * (high - low), 0.03 * size)
    shape = parts.shape(
        f"rod {radius} {low} {high}",
        lambda n: turned_shape(parts.block, n, turned_piece(disc(radius, 0.0, low, high)), SEGMENTS),
    )
    parts.add(
        a["body_name"], shape, name=load["name"], kind="bushing", position=a["position"], rotation=a["rotation"], colour=STEEL,
        notes=["torsional spring drawn as a thin shaft"],
        info=[("Kind", "torsional spring"), ("Stiffness", f"{np.asarray(load['stiffness'])[5][5]:.5g} N m/rad")],
    )  # fmt: skip


def _seat_radius(model: dict[str, Any], body: str) -> float:
    """Of the bore of a gear on the body, or of the shaft at the station [m]; 0 where there is none."""
    bores = []
    for wheel in model.get("wheels", {}).values():
        gear = wheel.get("gear")
        if gear and wheel["frame"]["body_name"] == body and gear.get("type") == "Gear" and not gear.get("internal"):
            bores.append(gear.get("bore") or 0.35 * gear["teeth"] * gear["normal_module"])
    for shaft in model.get("shafts", {}).values():
        if body in shaft["stations"]:
            bores += [section["outer"] for section in shaft["sections"]]
    return 0.5 * min(bores, default=0.0)


def _numbers(values: FloatArray, unit: str) -> str:
    return ", ".join(f"{value:.4g}" for value in values) + f" {unit}"
