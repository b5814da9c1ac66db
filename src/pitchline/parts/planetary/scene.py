"""Carriers of planetary gear trains: a plate behind the planets with a pin through each, if nothing else specifies their shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.viewer.scene_parts import PartList, circle, extruded, frame_pose, rest_pose, together, turned

from ..gears.scene import mesh_shape

__all__ = ["add_carriers", "planet_pins"]

_PARALLEL = math.cos(math.radians(1.0))


def add_carriers(parts: PartList, done: set[str]) -> None:
    """Every body without parts that two or more wheels turn on, about parallel axes."""
    model = parts.model
    for name in model["bodies"]:
        if name in done or parts.by_body.get(name):
            continue
        pins = planet_pins(model, name)
        if len(pins) < 2:
            continue
        surface = _carrier(pins, _centre_axis(model, name, pins))
        if surface is None:
            continue
        shape = parts.shape(f"carrier {name}", lambda n, s=surface: mesh_shape(parts.block, n, s))  # type: ignore[misc]
        parts.add(
            name, shape, name=name, kind="stand-in", opacity=1.0, notes=["shape not given: drawn as a plate with pins"]
        )


def planet_pins(model: dict[str, Any], carrier: str) -> list[dict[str, Any]]:
    """Wheels that turn on a body: place and axis in its axes, radius of the pin, width, and reach of the wheel [m]."""
    wheels: dict[str, list[dict[str, Any]]] = {}
    for wheel in model.get("wheels", {}).values():
        if wheel.get("gear") and wheel["gear"].get("type") == "Gear" and not wheel["gear"].get("internal"):
            wheels.setdefault(wheel["frame"]["body_name"], []).append(wheel)
    found = []
    for joint in model.get("joints", {}).values():
        for own, other in ((joint["frame_a"], joint["frame_b"]), (joint["frame_b"], joint["frame_a"])):
            if own["body_name"] != carrier or other["body_name"] not in wheels or joint["kind"] != "revolute":
                continue
            mine = wheels[other["body_name"]]
            if len(mine) > 2 or any(wheel["gear"].get("cone_angle") for wheel in mine):
                continue
            found.append(_pin(model, carrier, other["body_name"], mine))
    return found


def _pin(model: dict[str, Any], carrier: str, body: str, wheels: list[dict[str, Any]]) -> dict[str, Any]:
    x, R = rest_pose(model, carrier)
    ends, bores, reaches = [], [], []
    axis = np.zeros(3)
    for wheel in wheels:
        at, Q = frame_pose(model, wheel["frame"])
        gear = wheel["gear"]
        half = 0.5 * (gear.get("face_width") or 8.0 * gear["normal_module"])
        axis = R.T @ Q[:, 2] if not axis.any() else axis
        height = float((R.T @ (at - x)) @ axis)
        ends += [height - half, height + half]
        pitch = gear["teeth"] * gear["normal_module"] / math.cos(gear["helix_angle"])
        reaches.append(0.5 * pitch)
        bores.append(gear.get("bore") or 0.25 * pitch)
    place = R.T @ (frame_pose(model, wheels[0]["frame"])[0] - x)
    return {"body": body, "place": place - (place @ axis) * axis, "axis": axis, "low": min(ends), "high": max(ends),
            "radius": 0.5 * min(bores), "reach": min(reaches)}  # fmt: skip


def _centre_axis(model: dict[str, Any], name: str, pins: list[dict[str, Any]]) -> FloatArray:
    """A point of the axis of a carrier: its joint to a body that is not a planet, else the middle of its pins."""
    planets = {pin["body"] for pin in pins}
    axis = pins[0]["axis"]
    for joint in model.get("joints", {}).values():
        for own, other in ((joint["frame_a"], joint["frame_b"]), (joint["frame_b"], joint["frame_a"])):
            if own["body_name"] == name and other["body_name"] not in planets and joint["kind"] == "revolute":
                place = np.asarray(own["position"], dtype=np.float64)
                return place - (place @ axis) * axis
    return np.asarray(np.mean([pin["place"] for pin in pins], axis=0))


def _carrier(pins: list[dict[str, Any]], centre: FloatArray) -> Any:
    """Plate and pins in the axes of the body; None where the axes of the pins are not parallel."""
    axis = pins[0]["axis"]
    if any(abs(float(pin["axis"] @ axis)) < _PARALLEL for pin in pins):
        return None
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    e1 = np.cross(other, axis)
    e1 /= np.linalg.norm(e1)
    R = np.column_stack([e1, np.cross(axis, e1), axis])
    places = np.array([(pin["place"] - centre) @ R for pin in pins])[:, :2]
    pin_radius = 0.92 * min(pin["radius"] for pin in pins)
    low, high = min(pin["low"] for pin in pins), max(pin["high"] for pin in pins)
    thick = max(0.2 * (high - low), 0.5 * pin_radius)
    gap = 0.08 * (high - low)
    rim = 1.5 * pin_radius
    outline = _hull([*(place + circle(rim, 40) for place in places), circle(1.2 * rim, 40)])
    solids = [extruded(outline, low - gap - thick, low - gap)]
    end = high + 0.25 * gap  # a pin ends beside its wheel, not in one plane with it
    for place in places:
        pin = turned([(0.0, low - gap), (pin_radius, low - gap), (pin_radius, end), (0.0, end)])
        solids.append(pin.moved(np.eye(3), (*place, 0.0)))
    return together(solids).moved(R, centre)


def _hull(rings: list[FloatArray]) -> FloatArray:
    """The convex outline around rings of points, counter-clockwise (Andrew's chains, over points sorted along x)."""
    points: FloatArray = np.asarray(np.unique(np.round(np.concatenate(rings), 12), axis=0), dtype=np.float64)

    def chain(order: FloatArray) -> list[FloatArray]:
        kept: list[FloatArray] = []
        for p in order:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0.0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return np.array(chain(points) + chain(points[::-1]))


def _turn(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
