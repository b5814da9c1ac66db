"""The nodes at the bore of a mesh: of a named set, or of the surface next to the axis."""

from __future__ import annotations

import numpy as np

from ...errors import ModelError
from ..meshes.solid_mesh import IntArray
from .flank_faces import ToothFaces
from .gear_solid import GearSolid
from .options import MeshedGear

__all__ = ["bore_of"]

_NEAR = 5e-4
"""Distance of the nodes of a bore from its radius, by the tip diameter."""
_CHORD = 1.0 / 6.0
"""The same by e²/r: e is the length of a face across the axis, whose straight edges are e²/(8 r) away from the circle."""
_RADIAL = 0.7
"""Cosine of the greatest angle of faces of a bore to the cylinder."""


def bore_of(solid: GearSolid, own: MeshedGear, internal: bool, sides: list[ToothFaces]) -> IntArray:
    """Rows of nodes that are held, or move as one rigid body; the outer surface of an internal gear."""
    found = solid.nodes_in(own.bore_set) if own.bore_set is not None else _found(solid, internal)
    both = np.intersect1d(found, np.concatenate([side.nodes() for side in sides]))
    if len(both):
        raise ModelError(
            f"{solid.what}: node {solid.mesh.label(int(both[0]))} is on the bore and on a flank ({len(both)} such nodes): the "
            "flanks would be held. Name the set of the nodes of the bore only (bore_set=...)"
        )
    return found


def _found(solid: GearSolid, internal: bool) -> IntArray:
    nodes = solid.nodes
    radius = np.hypot(nodes[:, 0], nodes[:, 1])
    outer = solid.outer
    edge = float(radius[outer].max() if internal else radius[outer].min())
    if edge < 1e-4 * solid.size:
        raise ModelError(
            f'{solid.what}: the mesh has no bore. Name the set of nodes that is held (bore_set=...), or specify bore="free"'
        )
    chosen = []
    for faces in solid.faces:
        corners = nodes[faces[:, : 3 if faces.shape[1] in (3, 6) else 4]]
        area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        middle = corners.mean(axis=1)[:, :2]
        radial = np.einsum("ij,ij->i", area[:, :2], middle)
        radial /= np.maximum(np.linalg.norm(area, axis=1) * np.linalg.norm(middle, axis=1), 1e-300)
        length = np.linalg.norm((corners - np.roll(corners, 1, axis=1))[..., :2], axis=2).max(axis=1)
        near = np.abs(radius[faces] - edge).max(axis=1) <= _NEAR * solid.size + _CHORD * length**2 / edge
        chosen.append(faces[near & (np.abs(radial) > _RADIAL)].ravel())
    found = np.unique(np.concatenate(chosen))
    if len(found) < 3:
        raise ModelError(
            f"{solid.what}: only {len(found)} nodes were found on the bore of {2e3 * edge:.5g} mm. Name the set of "
            f"its nodes (bore_set=...)"
        )
    return found
