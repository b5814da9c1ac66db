"""Faces of a mesh on the flanks of a gear, tooth by tooth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import ModelError
from ...gears.surfaces.surface_teeth import SurfaceTeeth
from ...gears.teeth import Teeth
from ..face_points import FacePoints
from ..meshes.solid_mesh import FloatArray, IntArray
from .flank_fit import check_fit
from .flank_places import FlankPlaces, places_on_flank
from .gear_solid import GearSolid

__all__ = ["ToothFaces", "flank_faces"]

_NAMED, _FOUND = 0.05, 0.01
"""Distance of nodes from the flank, in modules: of named sets, and of faces that are found by their position."""
_BEYOND = 0.02
"""How far nodes may be beyond form line and tip, by the height of the flank."""
_WHOLE = 0.97
"""A tooth is complete if its flank has this part of the area of the largest one."""


@dataclass(frozen=True, eq=False)
class ToothFaces:
    """The faces on one side of all teeth.

    faces: tooth → faces by their nodes, one array for each kind. profile, face: positions of nodes of the mesh on the flank
    (`FlankPlaces`), NaN elsewhere.
    """

    side: str
    faces: Mapping[int, tuple[IntArray, ...]]
    profile: FloatArray
    face: FloatArray

    @property
    def count(self) -> int:
        """Faces of all teeth."""
        return sum(len(table) for tables in self.faces.values() for table in tables)

    def corners(self) -> IntArray:
        """Nodes at corners of faces."""
        found = [t[:, : 3 if t.shape[1] in (3, 6) else 4].ravel() for tables in self.faces.values() for t in tables]
        return np.unique(np.concatenate(found))

    def nodes(self) -> IntArray:
        """All nodes of the faces."""
        return np.unique(np.concatenate([t.ravel() for tables in self.faces.values() for t in tables]))


def flank_faces(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: str, names: tuple[str, ...] | None, missing: tuple[int, ...]
) -> ToothFaces:
    """Faces on the "left" or "right" flanks: those of named sets, or all that are on the flanks of the gear."""
    tables = solid.faces if names is None else _together([solid.faces_in(name) for name in names])
    nodes = np.unique(np.concatenate([table.ravel() for table in tables]))
    places = places_on_flank(teeth, side, solid.nodes[nodes])
    limit = (_FOUND if names is None else _NAMED) * teeth.gear.normal_module
    within = (places.profile > -_BEYOND) & (places.profile < 1.0 + _BEYOND)
    near = np.abs(places.above) <= limit
    if names is not None and (within & ~near).any():
        _check_named(solid, teeth, side, names, nodes, places, within, limit)
    good = np.zeros(len(solid.nodes), dtype=bool)
    good[nodes] = within & near
    tooth, profile, face = np.full(len(solid.nodes), -1), *np.full((2, len(solid.nodes)), np.nan)
    tooth[nodes], profile[nodes], face[nodes] = places.tooth, np.clip(places.profile, 0.0, 1.0), places.face
    found: dict[int, list[IntArray]] = {}
    for table in tables:
        own = table[good[table].all(axis=1) & (tooth[table] == tooth[table[:, :1]]).all(axis=1)]
        for k in np.unique(tooth[own[:, 0]]).tolist():
            found.setdefault(int(k), []).append(own[tooth[own[:, 0]] == k])
    if not found:
        raise ModelError(
            f"{solid.what}: no faces were found on the {side} flanks of the gear. Specify the sets of the flanks "
            f"(flanks=...), or place "
            "the mesh in the axes of the gear: z axis of rotation, x through the middle of a tooth, z = 0 in the middle of the face"
        )
    faces = {k: tuple(found[k]) for k in sorted(found) if k not in missing}
    if faces:
        check_fit(solid, teeth, side, faces)
    result = ToothFaces(side, faces, profile, face)
    _check_cover(solid, teeth, result)
    return result


def _together(many: list[tuple[IntArray, ...]]) -> tuple[IntArray, ...]:
    return tuple(np.unique(np.concatenate(tables), axis=0) for tables in zip(*many, strict=True))


def _check_named(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: str, names: tuple[str, ...], nodes: IntArray, places: FlankPlaces,
    within: npt.NDArray[np.bool_], limit: float,
) -> None:  # fmt: skip
    """Named nodes away from the flank: of the other side, or of another gear."""
    quoted = ", ".join(f'"{name}"' for name in names)
    other = "right" if side == "left" else "left"
    there = places_on_flank(teeth, other, solid.nodes[nodes])
    if np.median(np.abs(there.above[within])) < 0.2 * np.median(np.abs(places.above[within])):
        raise ModelError(
            f"{solid.what}: the set {quoted} is on the {other} flanks, but was specified for the {side} ones (left: "
            f"on the +y side of a "
            "tooth that points to +x, seen against z). Exchange the sets, or reverse the axis of the mesh"
        )
    far = np.abs(places.above) * within
    worst = int(np.argmax(far))
    raise ModelError(
        f"{solid.what}: node {solid.mesh.label(int(nodes[worst]))} of the set {quoted} is {1e3 * far[worst]:.3g} mm "
        f"away from the {side} "
        f"flank of the gear, more than {1e3 * limit:.3g} mm ({int((far > limit).sum())} such nodes). Specify the gear of this mesh "
        "(module, teeth, profile shift, helix angle, tool), or the flanks of the mesh itself: `MeshedGear.flank_points`"
    )


def _check_cover(solid: GearSolid, teeth: Teeth | SurfaceTeeth, found: ToothFaces) -> None:
    """Every tooth must have a whole flank, or none."""
    if not found.faces:
        raise ModelError(f"{solid.what}: all teeth are missing")
    areas = {k: sum(_area(solid.nodes, table) for table in tables) for k, tables in found.faces.items()}
    largest = max(areas.values())
    broken = [k for k, area in areas.items() if area < _WHOLE * largest]
    if broken:
        k = broken[0]
        raise ModelError(
            f"{solid.what}: the {found.side} flank of tooth {k} has {100 * areas[k] / largest:.0f} % of the area of a whole flank "
            f"({len(broken)} such teeth: {', '.join(map(str, broken[:10]))}). Specify the broken teeth that carry no load "
            f"(missing={broken[:10]}), or add their faces to the set. If they are whole, check that the axis of the gear is "
            "z of the mesh, through its origin"
        )
    nodes = found.nodes()
    low, high = float(found.profile[nodes].min()), float(found.profile[nodes].max())
    if low > 0.15 or high < 0.85:
        raise ModelError(
            f"{solid.what}: the faces on the {found.side} flanks cover the profile only from {100 * low:.0f} % to "
            f"{100 * high:.0f} % between "
            "form line and tip. Add the faces of the whole flank to the set"
        )
    if isinstance(teeth, Teeth):
        width, wanted = float(np.ptp(found.face[nodes])), teeth.gear.required_face_width("elastic gear")
        if abs(width - wanted) > 0.02 * wanted:
            raise ModelError(
                f"{solid.what}: the {found.side} flanks of the mesh are {1e3 * width:.5g} mm wide, but the face "
                f"width of the gear is "
                f"{1e3 * wanted:.5g} mm. Specify the face width of the mesh for the gear"
            )


def _area(nodes: FloatArray, faces: IntArray) -> float:
    return float(np.linalg.norm(FacePoints(nodes, faces, 1).areas, axis=-1).sum()) if len(faces) else 0.0
