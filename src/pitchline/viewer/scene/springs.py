"""Springs, dampers, strings and rods between two places; bushings as rings about the axis that they leave free."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.names import GROUND_NAME
from .colours import RING, STEEL
from .parts import PartList
from .poses import frame_pose, rest_pose
from .scene_size import rest_size
from .solids import SEGMENTS, disc, turned_piece
from .surfaces import turned_shape

__all__ = ["add_bushings", "springs_of"]

FloatArray = NDArray[np.float64]


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
