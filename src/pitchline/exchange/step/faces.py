"""Points on the faces of a STEP file, by the CAD kernel. Only the reading process imports this."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["face_points"]

MOST_FACES = 20_000


def face_points(path: str, samples: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Points [mm] on all faces of a file, `samples` along u and v of each surface, inside its edges."""
    from OCP.TopAbs import TopAbs_FACE
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    from .kernel import labels, read_document
    from .solid_shape import subshapes

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
