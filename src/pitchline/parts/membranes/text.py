"""Tables for membranes: values that differ from the defaults."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.files.written_values import Table, direction, quantities, with_unit

from ..gears.geometry.inputs import STEEL
from ..gears.text import material_data
from .mesh import MembraneMesh
from .part import Membrane

__all__ = ["membrane_table"]


def membrane_table(membrane: Membrane) -> Table:
    """Table that makes a membrane again."""
    table: Table = {"mesh": _mesh(membrane.mesh), "thickness": with_unit(membrane.thickness, "length")}
    if membrane.material != STEEL:
        table["material"] = material_data(membrane.material)
    if membrane.attached:
        table["attached"] = _attached(membrane)
    xx, yy, xy = (float(value) for value in membrane.prestress)
    if xx or yy or xy:
        plain = xx == yy and xy == 0.0
        table["prestress"] = with_unit(xx, "pressure") if plain else quantities(membrane.prestress, "pressure")
    if membrane.axis is not None:
        table["axis"] = direction(membrane.axis)
    if membrane.damping:
        table["damping"] = with_unit(membrane.damping, "time")
    for key, dimension in (("velocity", "velocity"), ("angular_velocity", "angular velocity")):
        if getattr(membrane, key) is not None:
            table[key] = quantities(getattr(membrane, key), dimension)
    return table


def _attached(membrane: Membrane) -> dict[str, Any]:
    """Nodes by body: as a group of the mesh where they are one."""
    by_body: dict[str, list[int]] = {}
    for node, frame in membrane.attached.items():
        by_body.setdefault(frame.body_name, []).append(node)
    found: dict[str, Any] = {}
    for body, nodes in by_body.items():
        same = [name for name, group in membrane.mesh.groups.items() if list(group) == nodes]
        found[body] = same[0] if same else nodes
    return found


def _mesh(mesh: MembraneMesh) -> Table:
    given = mesh.given
    table: Table = {"kind": mesh.shape}
    if mesh.shape == "nodes":
        table["nodes"] = [quantities(point, "length") for point in given["nodes"]]
        table["elements"] = [list(one) for one in given["elements"]]
        if given["groups"]:
            table["groups"] = {name: list(group) for name, group in given["groups"].items()}
        return table
    if mesh.shape == "patch":
        table["corners"] = [quantities(point, "length") for point in given["corners"]]
        table["divisions"] = list(given["divisions"])
    else:
        table |= {key: with_unit(given[key], "length") for key in ("inner", "outer")}
        table |= {key: given[key] for key, usual in (("around", 24), ("across", 3)) if given[key] != usual}
        if np.any(given["centre"]):
            table["centre"] = quantities(given["centre"], "length")
        if direction(given["axis"]) != "z":
            table["axis"] = direction(given["axis"])
    if given["triangles"]:
        table["triangles"] = True
    return table
