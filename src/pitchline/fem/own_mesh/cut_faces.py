"""The two cuts of a mesh of one tooth: nodes of the high cut are those of the low one, rotated by one pitch."""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from ..meshes.solid_mesh import FloatArray, IntArray
from .gear_solid import GearSolid
from .options import MeshedGear

__all__ = ["Cuts", "find_cuts", "rotated"]

_TOLERANCE = 2e-5
"""Distance of matching nodes, by the tip diameter; they are then moved to the same position."""

Cuts = tuple[IntArray, IntArray]


def rotated(points: FloatArray, angle: float) -> FloatArray:
    """Points rotated about z [rad]."""
    P = (points[:, 0] + 1j * points[:, 1]) * np.exp(1j * angle)
    return np.stack([P.real, P.imag, points[:, 2]], axis=-1)


def find_cuts(solid: GearSolid, own: MeshedGear, teeth: int) -> Cuts | None:
    """Matching nodes of the low and the high cut of one tooth; None for a whole gear."""
    if own.sector is False:  # also a segment, which does not go all round
        return None
    pitch = 2.0 * math.pi / teeth
    if isinstance(own.sector, tuple):
        low, high = (solid.nodes_in(name) for name in own.sector)
        return _matched(solid, low, high, own.sector, pitch)
    outer = solid.outer
    low, high = _pairs(solid, outer, outer, pitch)
    if len(low) > 0.5 * len(outer):  # every tooth is the next one rotated
        if own.sector:
            raise ModelError(f"{solid.what}: sector=True is specified, but the mesh is a whole gear. Leave out sector")
        _check_all_round(solid, teeth)
        return None
    if len(low) >= 4:
        _check_cut(solid, low, high, pitch)
        return low, high
    if own.sector:
        raise ModelError(
            f"{solid.what}: no cut faces were found: nodes that are rotated by one pitch of "
            f"{math.degrees(pitch):.6g} deg do not meet "
            "others. Use the same nodes on both cuts, and specify their sets: sector=(low, high)"
        )
    _check_all_round(solid, teeth)
    return None


def _pairs(solid: GearSolid, low: IntArray, high: IntArray, pitch: float) -> Cuts:
    from scipy.spatial import cKDTree

    away, at = cKDTree(solid.nodes[high]).query(rotated(solid.nodes[low], pitch))
    good = away <= _TOLERANCE * solid.size
    return low[good], high[at[good]]


def _matched(solid: GearSolid, low: IntArray, high: IntArray, names: tuple[str, str], pitch: float) -> Cuts:
    """Named cuts, in either order."""
    from scipy.spatial import cKDTree

    worst: tuple[float, int, str, str] = (math.inf, 0, names[0], names[1])
    for first, second, from_set, to_set in ((low, high, *names), (high, low, *names[::-1])):
        away, at = cKDTree(solid.nodes[second]).query(rotated(solid.nodes[first], pitch))
        far = int(np.argmax(away))
        if away[far] <= _TOLERANCE * solid.size and len(first) == len(second) == len(np.unique(at)):
            return first, second[at]
        if away[far] < worst[0]:
            worst = float(away[far]), int(first[far]), from_set, to_set
    distance, node, from_set, to_set = worst
    if len(low) != len(high):
        raise ModelError(
            f'{solid.what}: the cut "{names[0]}" has {len(low)} nodes, but "{names[1]}" has {len(high)}. Mesh one '
            f"cut as a copy of the "
            "other one (periodic mesh)"
        )
    raise ModelError(
        f'{solid.what}: the cuts do not match: node {solid.mesh.label(node)} of "{from_set}", rotated by one pitch of '
        f'{math.degrees(pitch):.6g} deg, is {1e3 * distance:.4g} mm away from the closest node of "{to_set}". Mesh '
        f"one cut as a copy of "
        "the other one (periodic mesh)"
    )


def _check_cut(solid: GearSolid, low: IntArray, high: IntArray, pitch: float) -> None:
    """All outer faces next to the low cut that are on it must match: a cut with only some matching nodes is an error."""
    for nodes, name, turn in ((low, "low", pitch), (high, "high", -pitch)):
        chosen = np.zeros(len(solid.nodes), dtype=bool)
        chosen[nodes] = True
        own = [faces[chosen[faces].all(axis=1)] for faces in solid.faces]
        covered = (
            np.unique(np.concatenate([faces.ravel() for faces in own])) if any(map(len, own)) else np.zeros(0, int)
        )
        loose = np.setdiff1d(nodes, covered)
        if len(loose):
            at = rotated(solid.nodes[loose[:1]], turn)[0] * 1e3
            raise ModelError(
                f"{solid.what}: the cuts of the sector match only in part: node {solid.mesh.label(int(loose[0]))} "
                f"on the {name} cut has "
                f"a matching node at ({at[0]:.4g}, {at[1]:.4g}, {at[2]:.4g}) mm, but no face around it has. Mesh "
                f"one cut as a copy of the "
                "other one, and specify their sets: sector=(low, high)"
            )


def _check_all_round(solid: GearSolid, teeth: int) -> None:
    angle = np.sort(np.angle(solid.nodes[:, 0] + 1j * solid.nodes[:, 1]))
    gap = max(float(np.diff(angle).max(initial=0.0)), float(angle[0] + 2.0 * math.pi - angle[-1]))
    if gap > 2.5 * 2.0 * math.pi / teeth:
        raise ModelError(
            f"{solid.what}: the mesh covers only {360.0 - math.degrees(gap):.4g} deg of the gear, and its ends do "
            f"not match as cuts of one "
            f"tooth ({360.0 / teeth:.6g} deg). Use a mesh of one tooth with matching cuts (sector=(low, high)), or "
            f"specify sector=False "
            "for a gear that is a segment. Check the axis of the gear (axis=...)"
        )
