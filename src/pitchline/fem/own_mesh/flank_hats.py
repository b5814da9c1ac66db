"""Hats on the flanks of a mesh of a user: their grid, and their nodal forces.

The position of a point of a face on the flank is interpolated from those of its nodes, so that hats are bilinear on
the elements of a
regular mesh, as those of `surface_grid`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from ..surface_grid import FlankGrid, SurfaceGrid, surface_grid, surface_hats
from ..surface_loads import FacePoints
from .bore_nodes import ToothFaces
from .gear_solid import GearSolid, MeshedGear, gear_solid

__all__ = ["HatPlan", "hat_plan", "tooth_loads", "points_of_tooth"]


_SAME = 1e-4
"""Positions closer than this part of the flank are in one row."""
_MOST_ROWS, _MOST_LINES = 60, 80
_EQUAL, _UNEQUAL = 1.05, 4.0
"""Largest ratio of the distances of rows, and of lines."""
_COVERED = 0.25
"""The least part of the area of a hat, by that of its neighbours."""


class HatPlan(NamedTuple):
    """Rows of the hats along the profile, 0 at the form line to 1 at the tip, and lines along the face [m] (v of a surface)."""

    rows: FloatArray
    lines: FloatArray


def hat_plan(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, sides: list[ToothFaces], hats: tuple[int, int] | None, most: int
) -> HatPlan:
    """The grid of both flanks: as specified, that of the nodes, or as fine as the elements. most: hats of one flank."""
    profile = np.concatenate([side.profile[side.corners()] for side in sides])
    face = np.concatenate([side.face[side.nodes()] for side in sides])
    low, high = max(float(profile.min()), 0.0), min(float(profile.max()), 1.0)
    ends = float(face.min()), float(face.max())
    if isinstance(teeth, SurfaceTeeth):
        low, high, ends = 0.0, 1.0, (0.0, 1.0)
    if hats is not None:
        return HatPlan(np.linspace(low, high, hats[0]), np.linspace(*ends, hats[1]))
    rows = _clusters(profile, _SAME, _MOST_ROWS, _EQUAL)
    lines = _clusters(face, _SAME * (ends[1] - ends[0]), _MOST_LINES, _UNEQUAL)
    if rows is not None and lines is not None and len(rows) * len(lines) <= most and isinstance(teeth, Teeth):
        return HatPlan(rows, lines)
    height, width = _extent(solid, sides[0])
    faces = [(table, 2.0 if table.shape[1] in (3, 6) else 1.0) for table in next(iter(sides[0].faces.values()))]
    area = sum(
        part * float(np.linalg.norm(FacePoints(solid.nodes, table, 1).areas, axis=-1).sum()) for table, part in faces
    )
    edge = math.sqrt(area / sum(len(table) for table, _ in faces))
    n, m = max(4, round(height / edge) + 1), max(3, round(width / edge) + 1)
    while n * m > most and (n > 4 or m > 3):
        n, m = max(4, round(0.9 * n)), max(3, round(0.9 * m))
    return HatPlan(np.linspace(low, high, min(n, _MOST_ROWS)), np.linspace(*ends, min(m, _MOST_LINES)))


def _clusters(values: FloatArray, same: float, most: int, ratio: float) -> FloatArray | None:
    """Distinct values in ascending order; None if they are too many, or too unequally spaced."""
    ordered = np.sort(values)
    cuts = np.flatnonzero(np.diff(ordered) > same) + 1
    if not 2 <= len(cuts) < most:
        return None
    found = np.array([part.mean() for part in np.split(ordered, cuts)])
    found[0], found[-1] = ordered[0], ordered[-1]
    steps = np.diff(found)
    return found if float(steps.max()) <= ratio * float(steps.min()) else None


def _extent(solid: GearSolid, side: ToothFaces) -> tuple[float, float]:
    """Height and width of the flank of a tooth [m]."""
    nodes = np.unique(np.concatenate([table.ravel() for table in next(iter(side.faces.values()))]))
    at, z = solid.nodes[nodes], solid.nodes[nodes, 2]
    width = float(np.ptp(z))
    radii = np.hypot(at[:, 0], at[:, 1])
    return max(float(np.ptp(radii)), 1e-12), max(width, 1e-12)


def tooth_loads(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: ToothFaces, plan: HatPlan
) -> tuple[FlankGrid | SurfaceGrid, dict[int, sp.csc_matrix]]:
    """The grid of hats of a flank, and of each tooth the nodal forces (3 nodes, hats) of unit forces into the material."""
    loads, areas = {}, []
    for k, tables in side.faces.items():
        if isinstance(teeth, Teeth):
            area, load = _loads(solid, side, tables, plan)
        else:
            area, load = _surface_loads(solid, teeth, side.side, k, tables, plan)
        loads[k] = load
        areas.append(area)
    mean: FloatArray = np.mean(areas, axis=0)
    if isinstance(teeth, SurfaceTeeth):
        grid = surface_grid(teeth.flank(side.side), len(plan.rows), len(plan.lines))
        return SurfaceGrid(grid.u, grid.v, grid.points, grid.normals, grid.spacing, grid.distance, mean), loads
    flank = teeth.flank(side.side)
    form, tip = flank.form_roll_length(plan.lines), flank.tip_roll_length(plan.lines)
    lengths = np.sqrt(form**2 + plan.rows[:, None] * (tip**2 - form**2))
    return FlankGrid(lengths, plan.lines, mean), loads


def _loads(
    solid: GearSolid, side: ToothFaces, tables: tuple[IntArray, ...], plan: HatPlan
) -> tuple[FloatArray, sp.csc_matrix]:
    n_rows, n_lines = len(plan.rows), len(plan.lines)
    count, n = n_rows * n_lines, len(solid.nodes)
    areas: FloatArray = np.zeros(count)
    total = sp.csc_matrix((3 * n, count))
    for faces in tables:
        if not len(faces):
            continue
        row = np.interp(side.profile[faces], plan.rows, np.arange(n_rows))
        line = np.interp(side.face[faces], plan.lines, np.arange(n_lines))
        span = max(float(np.median(np.ptp(row, axis=1))), float(np.median(np.ptp(line, axis=1))))
        points = FacePoints(solid.nodes, faces, int(np.clip(2 * math.ceil(2.0 * span - 1e-6), 4, 12)))
        at_row, at_line = (np.clip(v @ points.shapes.T, 0.0, m - 1.0) for v, m in ((row, n_rows), (line, n_lines)))
        i, j = (np.minimum(v.astype(np.int64), m - 2) for v, m in ((at_row, n_rows), (at_line, n_lines)))
        a, b = at_row - i, at_line - j
        first = i * n_lines + j
        hats = np.stack([first, first + 1, first + n_lines, first + n_lines + 1], axis=-1)
        values = np.stack([(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b], axis=-1)
        size = np.linalg.norm(points.areas, axis=-1)
        areas += np.bincount(hats.ravel(), (values * size[..., None]).ravel(), minlength=count)
        many = size.size
        H = sp.csr_matrix((values.ravel(), (np.repeat(np.arange(many), 4), hats.ravel())), (many, count))
        each = points.shapes.shape[1]
        columns = np.broadcast_to(faces[:, None, :], (len(faces), len(points.shapes), each)).ravel()
        N = sp.csr_matrix(
            (np.tile(points.shapes.ravel(), len(faces)), (np.repeat(np.arange(many), each), columns)), (many, n)
        )
        into = -points.areas.reshape(-1, 3)  # faces are counter-clockwise seen from outside
        parts = [(N.T @ sp.diags(into[:, k]) @ H).tocoo() for k in range(3)]
        rows = np.concatenate([3 * part.row + k for k, part in enumerate(parts)])
        data, where = (np.concatenate([getattr(part, name) for part in parts]) for name in ("data", "col"))
        total = total + sp.csc_matrix((data, (rows, where)), (3 * n, count))
    if float(areas.min()) < _COVERED * 0.25 * float(np.median(areas)):
        g = int(np.argmin(areas))
        raise ModelError(
            f"{solid.what}: faces on the {side.side} flanks do not cover the flank near "
            f"{100 * plan.rows[g // n_lines]:.0f} % of its height, "
            f"{1e3 * plan.lines[g % n_lines]:.3g} mm along the face. Add them to the set, or use fewer rows and lines"
        )
    loads = (total @ sp.diags(1.0 / areas)).tocsc()
    loads.eliminate_zeros()
    return areas, loads


def _surface_loads(
    solid: GearSolid, teeth: SurfaceTeeth, side: str, tooth: int, tables: tuple[IntArray, ...], plan: HatPlan
) -> tuple[FloatArray, sp.csc_matrix]:
    """Of one tooth, which is rotated to tooth 0 and back."""
    R = teeth.step.rotation(tooth)
    patch = teeth.flank(side, tooth)
    grid = surface_grid(patch, len(plan.rows), len(plan.lines))
    used = [table for table in tables if len(table)]
    found, loads = surface_hats(patch, solid.nodes @ R, used, grid, what=f"{solid.what}, {side} flank of tooth {tooth}")
    back = sp.kron(sp.eye(len(solid.nodes)), R, format="csr")
    return found.areas, (back @ loads).tocsc()


# ---- flank points

# Points on the flanks of one tooth of a mesh of a user, to make teeth of them.


def points_of_tooth(own: MeshedGear, gear: Gear, side: str) -> FloatArray:
    """(n, 3) nodes of the named flank, of the tooth closest to the x axis [m]."""
    if side not in ("left", "right"):
        raise ModelError(f'{own.called}: side must be "left" or "right", got {shown(side)}')
    if own.flanks is None:
        raise ModelError(f'{own.called}: name the sets of the flanks: flanks={{"left": ..., "right": ...}}')
    solid = gear_solid(own, gear, gear.material)
    tables = [table for name in own.flanks[side] for table in solid.faces_in(name) if len(table)]
    n = len(solid.nodes)
    first = np.concatenate([np.repeat(t[:, 0], t.shape[1] - 1) for t in tables])
    other = np.concatenate([t[:, 1:].ravel() for t in tables])
    _, part = connected_components(sp.coo_matrix((np.ones(len(first)), (first, other)), shape=(n, n)), directed=False)
    members = np.unique(np.concatenate([t.ravel() for t in tables]))
    turn = 0.0 if own.turn is None else own.turn
    P = (solid.nodes[:, 0] + 1j * solid.nodes[:, 1]) * np.exp(1j * turn)
    best = min(np.unique(part[members]), key=lambda k: abs(np.angle(P[members[part[members] == k]].mean())))
    chosen = members[part[members] == best]
    if abs(np.angle(P[chosen].mean())) > 2.0 * math.pi / gear.teeth:
        raise ModelError(f"{solid.what}: no {side} flank is next to the x axis. Rotate the mesh: turn=...")
    return np.stack([P[chosen].real, P[chosen].imag, solid.nodes[chosen, 2]], axis=-1)
