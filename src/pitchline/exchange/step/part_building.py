"""Parts from the answer of the reading process: names, placement, checks, shapes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...solids.shape import Shape, ShapePiece
from ...solids.triangle_mesh import TriangleMesh
from ..limits import ExchangeError
from .part21 import FileDensity
from .part_names import unique_names
from .parts import MM, CadPart, FloatArray

__all__ = ["parts_of", "solid_problem"]

SURFACE_ERROR = 0.05
"""Largest difference of the volume inside the triangles from that of the solid, relative, besides their tolerance."""
INTEGRATION_ERROR = 1e-4
"""Largest relative difference of two integrations of the volume."""


def parts_of(
    file: Path, head: dict[str, Any], arrays: Mapping[str, FloatArray], stated: Mapping[str, FileDensity]
) -> list[CadPart]:
    instances, definitions = head["instances"], head["definitions"]
    if not instances:
        raise ExchangeError(f"{file}: the file has no parts")
    products = [definitions[one["definition"]]["name"] for one in instances]
    parents = [one["path"][-2] if len(one["path"]) > 2 else "" for one in instances]
    names = unique_names(products, [one.get("instance", "") for one in instances], parents)
    stem = _file_stem(file.stem)
    made: dict[str, CadPart] = {}
    parts = []
    for name, one in zip(names, instances, strict=True):
        key = one["definition"]
        if key not in made:
            made[key] = _definition(file, name, definitions[key], arrays, stated, stem, len(made) + 1)
        part = replace(made[key], name=name, path=tuple(one["path"]))
        if one["colour"]:
            shape = Shape(
                tuple(replace(p, colour=p.colour if _own(p, made[key]) else one["colour"]) for p in part.shape.pieces)
            )
            part = replace(part, shape=shape)
        parts.append(_placed(file, part, np.array(one["placement"])))
    return parts


def _own(piece: ShapePiece, part: CadPart) -> bool:
    """Whether a piece has the colour of its faces, not that of the whole part."""
    return len({each.colour for each in part.shape.pieces}) > 1 and piece.colour is not None


def _definition(
    file: Path, name: str, data: dict[str, Any], arrays: Mapping[str, FloatArray], stated: Mapping[str, FileDensity],
    stem: str, number: int,
) -> CadPart:  # fmt: skip
    """A part in its own axes. Lengths of `data` are in mm."""
    corners = {piece["array"]: arrays[piece["array"]] for piece in data["pieces"]}
    problem = solid_problem(data, list(corners.values()))
    density = stated.get(data["name"], FileDensity())
    notes = []
    if density.assumed:
        notes.append(f"assumed: {density.assumed}")
    if data["loose"]:
        notes.append(f"{data['loose']} faces that belong to no solid have no mass")
    pieces = []
    for k, piece in enumerate(data["pieces"]):
        mesh = TriangleMesh.from_corners(corners[piece["array"]].astype(np.float32))
        if not len(mesh.triangles):
            continue
        title = f"{stem}_{_file_stem(data['name']) or 'part'}_{number}" + (
            f"_{k + 1}" if len(data["pieces"]) > 1 else ""
        )
        colour = piece["colour"] or data["colour"] or None
        pieces.append(
            ShapePiece("mesh", {"scale": MM, "file": f"{title}.stl"}, np.zeros(3), np.eye(3), mesh, None, colour)
        )
    return CadPart(
        name, data["name"] or name, (), np.zeros(3), np.eye(3),
        data["volume"] * MM**3, MM * np.array(data["centre"]), MM**5 * np.array(data["inertia"]),
        density.material, density.density, Shape(tuple(pieces)), tuple(notes), density.problem,
    ) if problem is None else _without_volume(name, data, problem, pieces)  # fmt: skip


def _without_volume(name: str, data: dict[str, Any], problem: str, pieces: list[ShapePiece]) -> CadPart:
    """A part that has no mass: it can be left out, or only drawn."""
    none = np.full((3, 3), np.nan)
    return CadPart(
        name, data["name"] or name, (), np.zeros(3), np.eye(3), math.nan, none[0], none, shape=Shape(tuple(pieces)),
        density_problem=problem,
    )  # fmt: skip


def solid_problem(data: dict[str, Any], corners: list[FloatArray]) -> str | None:
    """Why a part has no mass properties, or None."""
    if data["solids"] == 0:
        return "it has no solid, only surfaces, curves or points. Export it as a solid"
    if data["open"]:
        return "its surface is open, so that it encloses no volume. Repair it in the CAD program"
    if data["negative"] or not data["volume"] > 0.0:
        return f"its volume is not positive, {data['volume']:.6g} mm^3. Repair it in the CAD program"
    if not np.isfinite([data["volume"], *data["centre"], *np.ravel(data["inertia"])]).all():
        return "its volume is not a finite number. Repair it in the CAD program"
    if data["difference"] > INTEGRATION_ERROR:
        return (
            f"two integrations of its volume differ by {100 * data['difference']:.2g} %: its surface is damaged. "
            "Repair it in the CAD program"
        )
    inside = sum(float(np.einsum("ni,ni->", x[:, 0], np.cross(x[:, 1], x[:, 2]))) for x in corners) / 6.0
    allowed = SURFACE_ERROR * data["volume"] + data["area"] * data.get("tolerance", 0.0)
    if corners and not data["loose"] and abs(inside - data["volume"]) > allowed:
        return (
            f"its solid has {data['volume']:.6g} mm^3, but its triangles enclose {inside:.6g} mm^3: its surface is damaged. "
            "Repair it in the CAD program"
        )
    return None


def _placed(file: Path, part: CadPart, A: FloatArray) -> CadPart:
    """The part at its place. A mirrored part gets mirrored geometry."""
    L = A[:, :3]
    if not np.isfinite(A).all() or np.abs(L.T @ L - np.eye(3)).max() > 1e-6:
        raise ExchangeError(f'{file}: part "{part.name}": its placement is not a rotation and a displacement')
    mirror = np.diag([-1.0, 1.0, 1.0]) if np.linalg.det(L) < 0.0 else np.eye(3)
    U, _, V = np.linalg.svd(L @ mirror)
    if mirror[0, 0] < 0.0:
        part = replace(
            part,
            centre=mirror @ part.centre,
            second_moment=mirror @ part.second_moment @ mirror,
            shape=Shape(tuple(_mirrored(piece, mirror) for piece in part.shape.pieces)),
        )
    return replace(part, position=MM * A[:, 3], orientation=U @ V)


def _mirrored(piece: ShapePiece, mirror: FloatArray) -> ShapePiece:
    assert piece.mesh is not None
    corners = (piece.mesh.vertices @ mirror)[piece.mesh.triangles][:, [0, 2, 1]]
    sizes = {**piece.sizes, "file": str(piece.sizes["file"]).removesuffix(".stl") + "_mirrored.stl"}
    return replace(piece, mesh=TriangleMesh.from_corners(corners.astype(np.float32)), sizes=sizes)


def _file_stem(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")[:60]
