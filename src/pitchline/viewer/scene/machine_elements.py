"""Cams, couplings and attached masses on their bodies."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cams.followers import FollowerLayout
from ...cams.mounting import cam_turn
from ...cams.profile import CamProfile
from ...errors import PitchlineError
from ...files.triangles import Triangles
from .colours import RING, STEEL
from .parts import Info, PartList
from .poses import frame_pose, rest_pose
from .scene_size import rest_size
from .solids import SEGMENTS, disc, extruded, together, turned_piece
from .stand_ins import inertia_solid, link_bars
from .surfaces import mesh_shape, turned_shape

__all__ = ["add_attached_masses", "add_cams", "add_couplings", "cam_profile"]

FloatArray = NDArray[np.float64]
_POINTS = 360
_LARGEST = 0.5
"""Of the size of all other parts that an attached mass is drawn with at most."""


def _values(element: dict[str, Any]) -> dict[str, Any]:
    return {name: field["value"] for name, field in element["parameters"].items()}


# ----------------------------------------------------------------------------------------------------------------- cams


def cam_profile(said: dict[str, Any]) -> CamProfile | None:
    """The profile of a described cam; None where it is not one of this version."""
    layout = said.get("layout")
    try:
        return CamProfile(
            layout=None if layout is None else FollowerLayout(**{key: layout[key] for key in layout if key != "type"}),
            segments=tuple(tuple(segment) for segment in said.get("segments") or ()),
            **{
                key: None if said.get(key) is None else np.array(said[key], dtype=float)
                for key in ("angles", "lifts", "points")
            },
        )
    except (PitchlineError, TypeError, ValueError):
        return None


def add_cams(parts: PartList) -> None:
    """Cams as plates with their true outline, rollers as discs; a cam that stands for another one in the same place once."""
    seen = set()
    elements = [e for e in parts.model.get("elements", {}).values() if e.get("type") in ("Cam", "GroovedCam")]
    for element in sorted(elements, key=lambda each: each["type"] != "Cam"):
        values, frames = _values(element), element["frames"]
        key = json.dumps([values["profile"], frames["a"]["body_name"], frames["a"]["position"]], sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        _add_cam(parts, element, values)


def _add_cam(parts: PartList, element: dict[str, Any], values: dict[str, Any]) -> None:
    name, frames = element["name"], element["frames"]
    profile = cam_profile(values["profile"])
    poses = {side: frame_pose(parts.model, frames[side]) for side in "ab"}
    flat = values["face"] == "flat"
    try:
        if profile is None:
            raise PitchlineError("its profile is not one of this version")
        turn = cam_turn({**values, **poses, "profile": profile})
        outline = profile.outline(None if flat else values["roller_radius"], points=_POINTS)
    except (PitchlineError, TypeError, ValueError, ZeroDivisionError) as error:
        parts.note(f"cam not drawn: {str(error).partition(';')[0]}", name)
        return
    width = values["width"] or 0.3 * float(np.hypot(*outline.T).max())
    notes = [] if values["width"] else [f"width not given: drawn {1e3 * width:.3g} mm wide"]
    groove = element["type"] == "GroovedCam" and not flat
    surface = (
        _grooved(profile, values["roller_radius"], width) if groove else extruded(outline, -0.5 * width, 0.5 * width)
    )
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.asarray(frames["a"]["rotation"]) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    shape = parts.shape(f"cam {name}", lambda n: mesh_shape(parts.block, n, surface))
    info: Info = [
        ("Kind", "grooved cam" if groove else "disc cam"),
        ("Profile", str(values["profile"].get("words", ""))),
    ]
    parts.add(
        frames["a"]["body_name"], shape, name=name, kind="cam", position=frames["a"]["position"], rotation=rotation, notes=notes,
        info=info,
    )  # fmt: skip
    radius = values["roller_radius"]
    _add_guided_rod(parts, element, poses, float(np.hypot(*outline.T).max()), width)
    if flat or not radius:
        return
    _, R = rest_pose(parts.model, frames["b"]["body_name"])
    roller = parts.shape(
        f"roller {radius} {width}",
        lambda n: turned_shape(
            parts.block, n, turned_piece(disc(radius, 0.35 * radius, -0.5 * width, 0.5 * width)), SEGMENTS
        ),
    )
    parts.add(
        frames["b"]["body_name"], roller, name=name, kind="roller", position=frames["b"]["position"],
        rotation=R.T @ poses["a"][1], colour=RING, info=[("Roller diameter", f"{2e3 * radius:.4g} mm")],
    )  # fmt: skip


def _add_guided_rod(parts: PartList, element: dict[str, Any], poses: Any, size: float, width: float) -> None:
    """A rod along the guide of a follower that slides, away from the cam; nothing if the model specifies its shape."""
    body = element["frames"]["b"]["body_name"]
    if body not in parts.model["bodies"] or "shape" in parts.model["bodies"][body]:
        return
    guides = [j for j in parts.model.get("joints", {}).values() if j["kind"] == "prismatic"]
    guide = next((f for j in guides for f in (j["frame_a"], j["frame_b"]) if f["body_name"] == body), None)
    if guide is None:
        return
    x, R = rest_pose(parts.model, body)
    along = np.asarray(guide["rotation"], dtype=np.float64)[:, 2]
    away = R.T @ (poses["b"][0] - poses["a"][0])
    start = R.T @ (poses["b"][0] - x)
    along = along if along @ away >= 0.0 else -along
    radius = 0.3 * width
    surface = link_bars(np.array([start, start + 1.2 * size * along]), 2.0 * radius)
    shape = parts.shape(f"follower {element['name']}", lambda n: mesh_shape(parts.block, n, surface))
    note = "shape not given: drawn as a rod along its guide"
    parts.add(body, shape, name=body, kind="stand-in", notes=[note], opacity=1.0)


def _grooved(profile: CamProfile, roller: float, width: float) -> Triangles:
    """A disc with a groove in which the roller runs: the parts inside and outside of it, on a thin back."""
    angle = np.linspace(0.0, 2.0 * math.pi, _POINTS, endpoint=False)
    way = np.exp(1j * angle)
    r, slope = profile.pitch_curve(roller)(angle), profile.pitch_curve(roller)(angle, 1)
    out = way * (r - 1j * slope)
    out /= np.abs(out)
    inner, outer = r * way - roller * out, r * way + roller * out
    rim = (float(np.abs(outer).max()) + 0.6 * roller) * outer / np.abs(outer)
    low, high = -0.5 * width, 0.5 * width

    def plane(z: NDArray[np.complex128]) -> FloatArray:
        return np.column_stack([z.real, z.imag])

    back = extruded(plane(rim), low - 0.25 * width, low)
    return together([extruded(plane(inner), low, high), extruded(plane(rim), low, high, plane(outer)), back])


# ------------------------------------------------------------------------------------------------- couplings and masses


def add_couplings(parts: PartList) -> None:
    """A flange on each of the two bodies, with a gap between them."""
    size = rest_size(parts.model)
    for name, element in parts.model.get("elements", {}).items():
        if element.get("type") not in ("Coupling",) or set(element["frames"]) != {"a", "b"}:
            continue
        frames = element["frames"]
        radius = _coupling_radius(parts, frames) or 0.05 * size
        (xa, Ra), (xb, _) = (frame_pose(parts.model, frames[side]) for side in "ab")
        gap = float((xb - xa) @ Ra[:, 2])
        words = (
            str(_values(element).get("design", {}).get("words", ""))
            if isinstance(_values(element).get("design"), dict)
            else ""
        )
        for side, sign in (("a", -1.0), ("b", 1.0)):
            low, high = sorted(
                (sign * 0.08 * radius - (0.5 * gap if side == "b" else -0.5 * gap), sign * 0.55 * radius)
            )
            outline = disc(radius, 0.0, low, high)
            shape = parts.shape(
                f"coupling {radius} {low} {high}",
                lambda n, o=outline: turned_shape(parts.block, n, turned_piece(o), SEGMENTS),  # type: ignore[misc]
            )
            parts.add(
                frames[side]["body_name"], shape, name=name, kind="coupling", position=frames[side]["position"],
                rotation=frames[side]["rotation"], colour=STEEL,
                info=[("Kind", "coupling"), *([("Design", words)] if words else [])],
                notes=["shape not given: drawn as two flanges"] if side == "a" else (),
            )  # fmt: skip


def _coupling_radius(parts: PartList, frames: dict[str, Any]) -> float:
    """From the shafts that it joins: as wide as twice the thinner one [m]; 0 where there is none."""
    found = []
    for frame in frames.values():
        for shaft in parts.model.get("shafts", {}).values():
            if frame["body_name"] in shaft["stations"]:
                found.append(min(min(s["outer"], s["outer_end"]) for s in shaft["sections"]))
    return min(found, default=0.0)


def add_attached_masses(parts: PartList) -> None:
    """Solids of equal inertia, on their bodies."""
    limit = _LARGEST * rest_size(parts.model)
    for name, element in parts.model.get("elements", {}).items():
        if element.get("type") != "AttachedMass" or "shape" in element:
            continue
        values, frame = _values(element), element["frames"]["on"]
        (xx, yy, zz), (xy, xz, yz) = values["moments"], values["products"]
        body = {"mass": values["mass"], "inertia": [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]}
        solid = inertia_solid({**body, "centre_of_mass": values["centre_of_mass"]})
        if solid is None:
            continue
        notes = ["drawn as a solid of equal inertia"]
        factor = float(solid.size.max()) / limit if limit else 1.0
        if factor > 1.0:
            solid = replace(solid, size=solid.size / factor)
            notes = [f"drawn as a solid of equal inertia, {factor:.3g} times smaller than it is"]
        surface = solid.surface
        shape = parts.shape(f"mass {name}", lambda n, s=surface: mesh_shape(parts.block, n, s))  # type: ignore[misc]
        parts.add(
            frame["body_name"], shape, name=name, kind="mass", position=frame["position"], rotation=frame["rotation"],
            notes=notes, opacity=0.5, colour=STEEL, info=[("Mass", f"{values['mass']:.5g} kg")],
        )  # fmt: skip
