"""Gear pairs: their wheels, the normal force between them, where they touch, and how far their teeth have passed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import SceneSource

from ..gears.scene import rotation_in_mesh

__all__ = ["pair_frames", "pairs_of"]


def pairs_of(source: SceneSource, block: Block) -> list[dict[str, Any]]:
    """All pairs. cycles: mesh cycles passed, whose fraction is the phase of the mesh; without teeth there are none.

    axis_a, centre_a (and b): axis and centre of a wheel on its body; size: a length by which to look at the teeth [m].
    """
    said = []
    for name, pair in source.model.get("gear_pairs", {}).items():
        frames = pair_frames(source.model, pair)
        entry: dict[str, Any] = {
            "name": name,
            "kind": pair.get("kind", ""),
            "law": pair.get("mesh", {}).get("type", ""),
        }
        for side, frame in zip("ab", frames, strict=True):
            entry |= {
                f"wheel_{side}": pair[f"wheel_{side}"], f"body_{side}": frame["body_name"],
                f"axis_{side}": [row[2] for row in frame["rotation"]], f"centre_{side}": list(frame["position"]),
            }  # fmt: skip
        entry["size"] = _size(source.model, pair)
        for key, signal in (("force", "normal_force"), ("point", "contact_point"), ("contact", "contact")):
            values = source.signal(f"{name}.{signal}")
            if values is not None:
                entry[key] = block.add_columns(f"{name}/{key}", values)
        cycles = mesh_cycles(source, name, pair)
        if cycles is not None:
            entry["cycles"] = block.add(f"{name}/cycles", cycles, "f8")
        said.append(entry)
    return said


def pair_frames(model: dict[str, Any], pair: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Frames of both wheels on their bodies; for bodies that roll without gears they are part of the pair."""
    wheels = model.get("wheels", {})
    a, b = (
        pair[f"frame_{side}"] if f"frame_{side}" in pair else wheels[pair[f"wheel_{side}"]]["frame"] for side in "ab"
    )
    return a, b


def mesh_cycles(source: SceneSource, name: str, pair: dict[str, Any]) -> FloatArray | None:
    """Pitches of A that have passed the mesh, from the pose in which a tooth of A is on the line of centres.

    That is z_A ψ_A/2π; ψ_A is a signal that counts turns. Where it was not kept, it follows from how the bodies moved.
    """
    teeth = source.model.get("wheels", {}).get(pair["wheel_a"], {}).get("gear", {}).get("teeth")
    if not teeth:
        return None
    psi = source.signal(f"{name}.psi_a")
    if psi is None:
        psi = rotation_in_mesh(source, pair, pair_frames(source.model, pair))
    return None if psi is None else teeth * np.asarray(psi) / (2.0 * math.pi)


def _size(model: dict[str, Any], pair: dict[str, Any]) -> float:
    """Some ten teeth; of wheels without teeth, half the distance of their centres."""
    modules = [
        gear["normal_module"]
        for side in "ab"
        if (gear := model.get("wheels", {}).get(pair[f"wheel_{side}"], {}).get("gear", {})).get("normal_module")
    ]
    return 24.0 * max(modules) if modules else 0.5 * abs(float(pair.get("centre_distance") or 0.0))
