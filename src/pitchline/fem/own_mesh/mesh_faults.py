"""Faults of a mesh that would give wrong elasticity without an error of the solver."""

from __future__ import annotations

import numpy as np

from ...errors import ModelError
from ..meshes.solid_mesh import IntArray, SolidMesh

__all__ = ["check_finite", "check_joined", "check_twice"]


def check_finite(mesh: SolidMesh, what: str) -> None:
    """All coordinates are numbers."""
    wrong = ~np.isfinite(mesh.nodes).all(axis=1)
    if wrong.any():
        node = int(np.flatnonzero(wrong)[0])
        raise ModelError(
            f"{what}: the coordinates of node {mesh.label(node)} are not finite ({int(wrong.sum())} such nodes). Correct them"
        )


def check_twice(mesh: SolidMesh, what: str) -> None:
    """No element is there twice: stiffness and mass would be counted twice."""
    for group in mesh.groups:
        each = group.elements.shape[1]
        corners = np.sort(group.elements[:, : 4 if each in (4, 10) else 8], axis=1)
        _, first, back = np.unique(corners, axis=0, return_index=True, return_inverse=True)
        again = np.flatnonzero(first[back.ravel()] != np.arange(len(corners)))
        if len(again):
            one, other = (group.label(int(k)) for k in (first[back.ravel()[again[0]]], again[0]))
            raise ModelError(
                f"{what}: elements {one} and {other} have the same nodes ({len(again)} elements are there twice). "
                "Remove one of them"
            )


def check_joined(mesh: SolidMesh, outer: tuple[IntArray, ...], what: str) -> None:
    """Elements of different kinds that share corners share their faces: otherwise nodes between corners are loose.

    outer: faces that belong to one element only. Two of them with the same corners do not fit together; nor does a triangle on
    half of a quadrangle.
    """
    triples: list[IntArray] = []
    for faces in outer:
        sides = 3 if faces.shape[1] in (3, 6) else 4
        corners = np.sort(faces[:, :sides], axis=1)
        parts = [corners] if sides == 3 else [np.delete(corners, k, axis=1) for k in range(4)]
        # a face has each of its triples once, so that a triple that is there twice is on two faces
        triples += [np.unique(part, axis=0) for part in parts]
    if not triples:
        return
    found, count = np.unique(np.concatenate(triples), axis=0, return_counts=True)
    if (count > 1).any():
        nodes = found[int(np.argmax(count > 1))]
        labels = ", ".join(str(mesh.label(int(node))) for node in nodes)
        raise ModelError(
            f"{what}: elements of different kinds meet at the nodes {labels}, but do not have the same face there "
            f"({int((count > 1).sum())} such places). Use elements of the same order, and no tetrahedra on faces of hexahedra"
        )
