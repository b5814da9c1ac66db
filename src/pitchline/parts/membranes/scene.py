"""Membranes: the edges of their elements as thin rods between nodes, and their elements as a surface of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["membrane_edges", "membrane_sheets"]

MOST_EDGES = 3000
"""A membrane with more edges is drawn with those at its border only."""
THIN = 0.008
"""Radius of a rod, beyond the surface of the sheet, relative to the mean length of an edge."""


def _corner(said: dict[str, Any], node: int) -> dict[str, Any]:
    """Body of a node, and its position on it."""
    frame = said["attached"].get(str(node))
    if frame is None:
        return {"body": f"{said['name']} {node}", "position": [0.0, 0.0, 0.0]}
    return {"body": frame["body_name"], "position": list(frame["position"])}


def _edges(elements: list[list[int]]) -> dict[tuple[int, int], int]:
    """Number of elements at each edge."""
    found: dict[tuple[int, int], int] = {}
    for corners in elements:
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            found[min(a, b), max(a, b)] = found.get((min(a, b), max(a, b)), 0) + 1
    return found


def membrane_edges(model: dict[str, Any]) -> list[dict[str, Any]]:
    """A rod for each edge, from node to node."""
    said = []
    for name, membrane in model.get("membranes", {}).items():
        if membrane.get("hidden"):
            continue
        edges = _edges(membrane["mesh"]["elements"])
        chosen = [edge for edge, count in edges.items() if count == 1 or len(edges) <= MOST_EDGES]
        nodes = np.asarray(membrane["mesh"]["nodes"], dtype=np.float64)
        lengths = [float(np.linalg.norm(nodes[a] - nodes[b])) for a, b in chosen]
        radius = 0.5 * float(membrane["thickness"]) + THIN * float(np.mean(lengths))
        info = [
            ("Kind", "membrane"), ("Mass", f"{membrane['total_mass']:.5g} kg"),
            ("Thickness", f"{1e3 * membrane['thickness']:.5g} mm"), ("Material", str(membrane["material"]["name"])),
        ]  # fmt: skip
        for a, b in chosen:
            said.append({
                "name": name, "kind": "rod", "a": _corner(membrane, a), "b": _corner(membrane, b), "radius": radius,
                "info": info,
            })  # fmt: skip
    return said


def membrane_sheets(model: dict[str, Any]) -> list[dict[str, Any]]:
    """The surface of each membrane: its corners on bodies, and triangles."""
    said = []
    for name, membrane in model.get("membranes", {}).items():
        if membrane.get("hidden"):
            continue
        triangles = []
        for corners in membrane["mesh"]["elements"]:
            triangles += [[corners[0], corners[k], corners[k + 1]] for k in range(1, len(corners) - 1)]
        count = len(membrane["mesh"]["nodes"])
        corners = [_corner(membrane, node) for node in range(count)]
        colour = {"colour": membrane["colour"]} if membrane.get("colour") else {}
        entry = {"name": name, "thickness": float(membrane["thickness"]), "corners": corners, "triangles": triangles}
        said.append(entry | colour)
    return said
