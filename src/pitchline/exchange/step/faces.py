"""Volume, centre, inertia and triangles of one part, by the CAD kernel. Lengths in mm. Only the reading process imports this."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

__all__ = ["face_points", "measured", "triangles_by_colour"]


# ---- faces

# Points on the faces of a STEP file, by the CAD kernel. Only the reading process imports this.

MOST_FACES = 20_000


def face_points(path: str, samples: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Points [mm] on all faces of a file, `samples` along u and v of each surface, inside its edges."""
    from OCP.TopAbs import TopAbs_FACE
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    from .reading import labels, read_document

    pass

    document = read_document(path)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    arrays: dict[str, np.ndarray] = {}
    count = 0
    for top in labels(shapes.GetFreeShapes):
        for face in subshapes(shapes.GetShape_s(top), TopAbs_FACE):
            count += 1
            if count > MOST_FACES:
                raise ValueError(f"it has more than {MOST_FACES} faces")
            arrays[f"f{count}"] = _points(_as_face(face), samples)
    document.Main().Root().ForgetAllAttributes(True)
    return {"faces": count}, arrays


def _points(face: Any, samples: int) -> np.ndarray:
    """(n, 3): a grid over the parameters of the surface, less the points outside the edges of the face."""
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.BRepTools import BRepTools
    from OCP.gp import gp_Pnt2d
    from OCP.IntTools import IntTools_FClass2d
    from OCP.TopAbs import TopAbs_OUT

    surface = BRepAdaptor_Surface(face)
    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    classify = IntTools_FClass2d(face, 1e-7)
    found = []
    for u in np.linspace(u0, u1, samples):
        for v in np.linspace(v0, v1, samples):
            if classify.Perform(gp_Pnt2d(float(u), float(v))) == TopAbs_OUT:
                continue
            p = surface.Value(float(u), float(v))
            found.append((p.X(), p.Y(), p.Z()))
    return np.array(found).reshape(-1, 3)


def _as_face(shape: Any) -> Any:
    """A shape as a face: a static function until OCCT 7.9, the name differs from 8.0 on."""
    from OCP import TopoDS

    cast = getattr(TopoDS.TopoDS, "Face_s", None) or getattr(TopoDS.TopoDS, "Face", None)
    return shape if isinstance(shape, TopoDS.TopoDS_Face) or cast is None else cast(shape)


MOST_TRIANGLES = 200_000
"""Of one part: the limit of a surface in results. Larger ones get a coarser tolerance."""
FAR = 100.0
"""Distance of a solid from the origin, in its own size, from which it is moved before integration: the moments of inertia
about the centre of mass lose as many digits as the square of this ratio has."""
TIGHT = 1e-10
"""Relative error at which adaptive integration of a curved face ends."""


def subshapes(shape: Any, kind: Any) -> Iterator[Any]:
    from OCP.TopExp import TopExp_Explorer

    explorer = TopExp_Explorer(shape, kind)
    while explorer.More():
        yield explorer.Current()
        explorer.Next()


def measured(shape: Any) -> dict[str, Any]:
    """Mass properties of the solids of a part, for density 1, and what else it contains.

    volume [mm^3], centre [mm], inertia [mm^5] about the centre in the axes of the part; solids; open: solids with a gap in
    their surface; negative: solids that are inside out; loose: faces that belong to no solid; area [mm^2]; size [mm]: diagonal
    of the box about the part; difference: relative, of the volume by two integrations.
    """
    from OCP.BRep import BRep_Tool
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps
    from OCP.TopAbs import TopAbs_FACE, TopAbs_SHELL, TopAbs_SOLID

    total, adaptive = GProp_GProps(), 0.0
    count = open_solids = negative = inside = 0
    shift = _far_away(shape)
    integrated = shape if shift is None else _moved(shape, shift)
    for solid in subshapes(integrated, TopAbs_SOLID):
        count += 1
        shells = list(subshapes(solid, TopAbs_SHELL))
        open_solids += not shells or not all(BRep_Tool.IsClosed_s(shell) for shell in shells)
        inside += sum(1 for _ in subshapes(solid, TopAbs_FACE))
        one, again = GProp_GProps(), GProp_GProps()
        BRepGProp.VolumeProperties_s(solid, one)
        negative += not one.Mass() > 0.0
        BRepGProp.VolumeProperties_s(solid, again, TIGHT)
        adaptive += again.Mass()
        total.Add(one)
    surface = GProp_GProps()
    BRepGProp.SurfaceProperties_s(shape, surface)
    volume = total.Mass()
    centre, inertia = total.CentreOfMass(), total.MatrixOfInertia()
    back = (0.0, 0.0, 0.0) if shift is None else shift
    return {
        "volume": volume,
        "centre": [centre.Coord(i + 1) - back[i] for i in range(3)],
        "inertia": [[inertia.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)],
        "solids": count,
        "open": open_solids,
        "negative": negative,
        "loose": sum(1 for _ in subshapes(shape, TopAbs_FACE)) - inside,
        "area": surface.Mass(),
        "size": _diagonal(shape),
        "difference": abs(adaptive - volume) / abs(volume) if volume else 0.0,
    }


def _box(shape: Any) -> tuple[float, ...] | None:
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    if box.IsVoid():
        return None
    low, high = box.CornerMin(), box.CornerMax()
    return tuple(corner.Coord(i) for corner in (low, high) for i in (1, 2, 3))


def _diagonal(shape: Any) -> float:
    box = _box(shape)
    return 0.0 if box is None else math.dist(box[:3], box[3:])


def _far_away(shape: Any) -> tuple[float, float, float] | None:
    """Way to the origin of a part that is far from it."""
    box = _box(shape)
    if box is None:
        return None
    x, y, z = ((box[i] + box[i + 3]) / 2 for i in range(3))
    size = math.dist(box[:3], box[3:])
    return (-x, -y, -z) if math.hypot(x, y, z) > FAR * size > 0.0 else None


def _moved(shape: Any, by: tuple[float, float, float]) -> Any:
    """The part with all its geometry moved: a location would move the origin of the integration with it."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
    from OCP.gp import gp_Trsf, gp_Vec

    motion = gp_Trsf()
    motion.SetTranslation(gp_Vec(*by))
    return BRepBuilderAPI_Transform(shape, motion, True).Shape()


def triangles_by_colour(
    shape: Any, colour_of: Callable[[Any], str], tolerance: float, angle: float
) -> tuple[dict[str, np.ndarray], float]:
    """Corners (n, 3, 3) of the triangles of a part [mm] by the colour of their faces, and the tolerance that was used [mm].

    tolerance: largest distance between surface and triangles [mm]; angle: largest angle between neighbours [rad].
    """
    from OCP.BRepMesh import BRepMesh_IncrementalMesh
    from OCP.BRepTools import BRepTools

    while True:
        BRepTools.Clean_s(shape)
        BRepMesh_IncrementalMesh(shape, tolerance, False, angle, False)
        found = _triangles(shape, colour_of)
        if sum(map(len, found.values())) <= MOST_TRIANGLES or angle > 2.0:
            return found, tolerance
        tolerance, angle = 3.0 * tolerance, 1.6 * angle


def _triangles(shape: Any, colour_of: Callable[[Any], str]) -> dict[str, np.ndarray]:
    from OCP.BRep import BRep_Tool
    from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED
    from OCP.TopLoc import TopLoc_Location
    from OCP.TopoDS import TopoDS

    found: dict[str, list[np.ndarray]] = {}
    for item in subshapes(shape, TopAbs_FACE):
        to_face = getattr(TopoDS, "Face_s", None) or TopoDS.Face
        face = to_face(item)
        place = TopLoc_Location()
        mesh = BRep_Tool.Triangulation_s(face, place)
        if mesh is None or mesh.NbTriangles() == 0:
            continue
        nodes = np.array([mesh.Node(i).Coord() for i in range(1, mesh.NbNodes() + 1)])
        motion = place.Transformation()
        A = np.array([[motion.Value(i, j) for j in (1, 2, 3, 4)] for i in (1, 2, 3)])
        nodes = nodes @ A[:, :3].T + A[:, 3]
        corners = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)]) - 1
        if face.Orientation() == TopAbs_REVERSED:
            corners = corners[:, [0, 2, 1]]
        found.setdefault(colour_of(face), []).append(nodes[corners])
    return {colour: np.concatenate(parts) for colour, parts in found.items()}
