"""An elastic gear from a mesh of a user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from ...errors import ModelError, SolveError
from ...gears.gear import Gear
from ...gears.material import Material
from ...gears.surfaces.surface_teeth import SurfaceTeeth
from ...gears.teeth import Teeth
from ...progress import note
from ..blas_threads import one_blas_thread
from ..elastic_gear import ElasticGear
from ..flank_compliance import by_sides
from ..meshes.solid_mesh import FloatArray, IntArray
from .bore_nodes import bore_of
from .cut_faces import find_cuts, rotated
from .flank_faces import flank_faces
from .flank_hats import hat_plan, tooth_loads
from .flank_places import involute_offsets
from .gear_solid import GearSolid, gear_solid
from .options import MeshedGear
from .results import kept, mesh_key
from .sector_results import sector_results
from .whole_elastic_gear import WholeElasticGear, by_tooth
from .whole_results import whole_results

__all__ = ["built_from"]

SIDES = ("left", "right")
_MOST_LOADS = 8000
"""Hats of all teeth of a whole gear: their compliance takes 0.5 GB."""
_MOST_HATS = 1500
"""Of one flank of a sector."""

Tell = Callable[[float, str], None]


def built_from(
    teeth: Teeth | SurfaceTeeth,
    own: MeshedGear,
    material: Material,
    *,
    bore: str,
    limit: float,
    reach: int,
    cache: bool,
    tell: Tell,
) -> ElasticGear:
    """The gear of a mesh: `ElasticGear` of one tooth, `WholeElasticGear` of all."""
    if not isinstance(teeth.gear, Gear):
        raise ModelError(f"{own.called}: meshes of racks are not supported. Specify the mesh of a gear")
    tell(0.0, "reading the mesh")
    z = teeth.gear.teeth
    beyond = [k for k in own.missing if k >= z]
    if beyond:
        raise ModelError(f"{own.called}: missing: there is no tooth {beyond[0]}. The gear has the teeth 0 to {z - 1}")
    solid = gear_solid(own, teeth.gear, material)
    cuts = find_cuts(solid, own, z)
    if cuts is not None:
        low, high = cuts
        nodes = solid.nodes.copy()
        nodes[high] = rotated(nodes[low], 2.0 * np.pi / z)
        solid = solid.moved(nodes)
    solid = _in_gear_axes(solid, teeth, own)
    sides = [flank_faces(solid, teeth, side, own.flanks[side] if own.flanks else None, own.missing) for side in SIDES]
    if own.flanks is None:
        found = ", ".join(f"{side.count} faces of {len(side.faces)} teeth on the {side.side} flanks" for side in sides)
        note(f"{solid.what}: {found}")
    present = sorted(set(sides[0].faces) & set(sides[1].faces))
    if cuts is not None and (len(present) != 1 or any(len(side.faces) != 1 for side in sides)):
        raise ModelError(
            f"{solid.what}: a sector must contain both flanks of one tooth, but has those of the teeth "
            f"{sorted(sides[0].faces)} (left) and "
            f"{sorted(sides[1].faces)} (right). Cut the sector in the middle of the spaces"
        )
    if not present:
        raise ModelError(f"{solid.what}: there is no tooth with a left and a right flank")
    sides = [replace(side, faces={k: side.faces[k] for k in present}) for side in sides]
    most = _MOST_HATS if cuts is not None else max(12, _MOST_LOADS // (2 * len(present)))
    if own.hats is not None and cuts is None and own.hats[0] * own.hats[1] > most:
        raise ModelError(
            f"{solid.what}: {own.rows} rows and {own.lines} lines of hats on both flanks of {len(present)} teeth "
            f"are more than {_MOST_LOADS} in all. Specify at most "
            f"{most} hats (rows times lines) on a flank"
        )
    plan = hat_plan(solid, teeth, sides, own.hats, most)
    made = {side.side: tooth_loads(solid, teeth, side, plan) for side in sides}
    bore_nodes = np.zeros(0, dtype=np.int64) if bore == "free" else bore_of(solid, own, teeth.gear.internal, sides)
    options = (teeth, solid, material, bore, limit, cache, tell)
    grids = {side: grid for side, (grid, _) in made.items()}
    loads = {side: each for side, (_, each) in made.items()}
    try:
        with one_blas_thread():
            if cuts is not None:
                return _of_sector(
                    *options, cuts, bore_nodes, grids, {s: each[present[0]] for s, each in loads.items()}, reach
                )
            return _of_whole(*options, bore_nodes, grids, loads, present, reach)
    except SolveError as error:
        raise ModelError(
            f"{solid.what}: the equations of the mesh cannot be solved ({error}). Look for elements that are "
            f"connected along an edge "
            "only, and for very flat ones"
        ) from None


def _of_sector(
    teeth: Teeth | SurfaceTeeth, solid: GearSolid, material: Material, bore: str, limit: float, cache: bool, tell: Tell,
    cuts: tuple[IntArray, IntArray], bore_nodes: IntArray, grids: dict, loads: dict[str, sp.csc_matrix], reach: int,
) -> ElasticGear:  # fmt: skip
    z = teeth.gear.teeth
    key = None
    if cache:
        arrays = {"low": cuts[0], "high": cuts[1], "bore": bore_nodes}
        both = sp.hstack([loads[side] for side in SIDES], format="csc")
        key = mesh_key(solid.mesh, both, arrays, bore=bore, limit=limit, more=("sector", z, reach))
    found = kept(
        key,
        lambda: sector_results(solid, cuts, bore_nodes, loads, teeth=z, bore=bore, limit=limit, reach=reach, tell=tell),
    )
    sizes = {side: load.shape[1] for side, load in loads.items()}
    ends = np.cumsum([0, *sizes.values()])
    return ElasticGear(
        teeth=teeth,
        material=_material(solid, material),
        grids=grids,
        compliance=by_sides(found.compliance, sizes),
        offsets=np.arange(-reach, reach + 1),
        bore=bore,
        frequencies=found.frequencies,
        nodal_diameters=found.diameters,
        traces={s: np.ascontiguousarray(found.traces[:, ends[k] : ends[k + 1]]) for k, s in enumerate(sizes)},
        limit=limit,
        mass=found.mass,
        inertia=np.diagonal(found.inertia).copy(),
        centre_of_mass=float(found.centre[2]),
    )


def _of_whole(
    teeth: Teeth | SurfaceTeeth, solid: GearSolid, material: Material, bore: str, limit: float, cache: bool, tell: Tell,
    bore_nodes: IntArray, grids: dict, loads: dict[str, dict[int, sp.csc_matrix]], present: list[int], reach: int,
) -> WholeElasticGear:  # fmt: skip
    z = teeth.gear.teeth
    reach = min(reach, (z - 1) // 2)
    every = sp.hstack([loads[side][k] for side in SIDES for k in present], format="csc")
    key = mesh_key(solid.mesh, every, {"bore": bore_nodes}, bore=bore, limit=limit, more=("whole",)) if cache else None
    found = kept(key, lambda: whole_results(solid, bore_nodes, every, bore=bore, limit=limit, tell=tell))
    sizes = {side: grids[side].size for side in SIDES}
    traces, start = {}, 0
    for side, size in sizes.items():
        mine = np.zeros((len(found.frequencies), z, size))
        mine[:, present] = found.traces[:, start : start + size * len(present)].reshape(-1, len(present), size)
        start += size * len(present)
        traces[side] = mine
    missing = np.ones(z, dtype=bool)
    missing[present] = False
    return WholeElasticGear(
        teeth=teeth,
        material=_material(solid, material),
        grids=grids,
        compliance=by_tooth(found.compliance, sizes, present, z, reach),
        offsets=np.arange(-reach, reach + 1),
        bore=bore,
        frequencies=found.frequencies,
        nodal_diameters=found.diameters,
        traces=traces,
        limit=limit,
        mass=found.mass,
        inertia=np.diagonal(found.inertia).copy(),
        centre_of_mass=float(found.centre[2]),
        missing=missing,
        centre=found.centre,
        inertia_tensor=found.inertia,
    )


def _material(solid: GearSolid, material: Material) -> Material:
    """That of the flanks, for the local contact: the only one of the mesh, or that of the gear."""
    found = {group.material for group in solid.mesh.groups}
    return next(iter(found)) or material if len(found) == 1 else material


def _in_gear_axes(solid: GearSolid, teeth: Teeth | SurfaceTeeth, own: MeshedGear) -> GearSolid:
    """Rotated about the axis, and moved along it, so that named flanks are on those of the gear."""
    nodes = solid.nodes
    if own.turn is not None:
        return solid.moved(rotated(nodes, own.turn)) if own.turn else solid
    if own.flanks is None or not isinstance(teeth, Teeth):
        return solid
    flanks = {side: np.unique(np.concatenate([solid.nodes_in(n) for n in own.flanks[side]])) for side in SIDES}
    if not teeth.left.conical:
        z = nodes[np.concatenate(list(flanks.values())), 2]
        middle = 0.5 * float(z.min() + z.max())
        if abs(middle) > 1e-7 * solid.size:
            nodes = nodes - np.array([0.0, 0.0, middle])
    turn = _turned(teeth, nodes, flanks)
    if abs(turn) > 1e-9:
        nodes = rotated(nodes, -turn)
    return solid if nodes is solid.nodes else solid.moved(nodes)


def _turned(teeth: Teeth, nodes: FloatArray, flanks: dict[str, IntArray]) -> float:
    """How far the mesh is rotated from the axes of the gear [rad], within half a pitch: the mean of both flanks."""
    pitch = teeth.gear.angular_pitch
    means = []
    for side, members in flanks.items():
        r = np.hypot(nodes[members, 0], nodes[members, 1])
        low = teeth.flank(side).involute.radius(teeth.flank(side).form_roll_length(nodes[members, 2]))
        high = teeth.flank(side).involute.radius(teeth.flank(side).tip_roll_length(nodes[members, 2]))
        inside = (r - low) * (r - high) <= 0.0
        if not inside.any():
            return 0.0
        waves = np.exp(2j * np.pi * involute_offsets(teeth, side, nodes[members[inside]]) / pitch)
        means.append(complex(waves.mean()))
    if min(map(abs, means)) < 0.9:  # not the flanks of this gear; the check of the flanks reports it
        return 0.0
    both = means[0] / abs(means[0]) + means[1] / abs(means[1])
    if abs(both) < 1.8:  # thickness of the teeth differs, or the sides are exchanged
        return 0.0
    return float(np.angle(both)) * pitch / (2.0 * np.pi)
