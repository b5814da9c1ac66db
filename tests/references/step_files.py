"""STEP files made by the CAD kernel: shapes with closed forms, in assemblies."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest


@contextmanager
def silent() -> Iterator[None]:
    """The kernel prints to standard output; not to that of the tests."""
    kept = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


def trsf(rotation: np.ndarray, position: Any) -> Any:
    """Placement of the kernel; a left-handed rotation is a mirrored placement. position: [mm]"""
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf

    made = gp_Trsf()
    R = np.asarray(rotation, dtype=float)
    mirrored = np.linalg.det(R) < 0.0
    if mirrored:  # x -> -x first
        R = R @ np.diag([-1.0, 1.0, 1.0])
    made.SetValues(*(float(v) for row, x in zip(R, position, strict=True) for v in (*row, x)))
    if mirrored:
        mirror = gp_Trsf()
        mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)))
        made = made.Multiplied(mirror)
    return made


class StepAssembly:
    """Document of the kernel with parts, sub-assemblies, colours and materials. Lengths in mm."""

    def __init__(self, name: str = "top") -> None:
        pytest.importorskip("OCP")
        from OCP.XCAFDoc import XCAFDoc_DocumentTool

        from pitchline.exchange.step.reading import new_document

        self.document = new_document()
        main = self.document.Main()
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(main)
        self.colours = XCAFDoc_DocumentTool.ColorTool_s(main)
        self.materials = XCAFDoc_DocumentTool.MaterialTool_s(main)
        self.top = self.assembly(name)

    def named(self, label: Any, name: str) -> Any:
        from OCP.TCollection import TCollection_ExtendedString
        from OCP.TDataStd import TDataStd_Name

        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name, True))
        return label

    def assembly(self, name: str) -> Any:
        return self.named(self.shapes.NewShape(), name)

    def part(self, name: str, shape: Any, *, colour: Any = None, density: float | None = None) -> Any:
        """density: [g/cm^3]"""
        label = self.named(self.shapes.AddShape(shape, False), name)
        if colour is not None:
            self.paint(label, colour)
        if density is not None:
            from OCP.TCollection import TCollection_HAsciiString as Text

            texts = [Text(t) for t in ("alloy", "test", "density measure", "POSITIVE_RATIO_MEASURE")]
            self.materials.SetMaterial(label, texts[0], texts[1], density, texts[2], texts[3])
        return label

    def paint(self, item: Any, rgb: Any) -> None:
        from OCP.Quantity import Quantity_Color, Quantity_TOC_sRGB
        from OCP.XCAFDoc import XCAFDoc_ColorSurf

        self.colours.SetColor(item, Quantity_Color(*rgb, Quantity_TOC_sRGB), XCAFDoc_ColorSurf)

    def place(
        self, part: Any, name: str = "", *, rotation: Any = None, position: Any = (0, 0, 0), into: Any = None
    ) -> Any:
        from OCP.TopLoc import TopLoc_Location

        R = np.eye(3) if rotation is None else np.asarray(rotation)
        label = self.shapes.AddComponent(self.top if into is None else into, part, TopLoc_Location(trsf(R, position)))
        return self.named(label, name) if name else label

    def write(self, path: Path, unit: str = "MM") -> Path:
        from OCP.Interface import Interface_Static
        from OCP.STEPCAFControl import STEPCAFControl_Writer
        from OCP.STEPControl import STEPControl_AsIs

        self.shapes.UpdateAssemblies()
        with silent():
            writer = STEPCAFControl_Writer()
            Interface_Static.SetCVal_s("write.step.unit", unit)
            try:
                writer.Transfer(self.document, STEPControl_AsIs)
                writer.Write(str(path))
            finally:
                Interface_Static.SetCVal_s("write.step.unit", "MM")
        return path


def single(path: Path, shape: Any, name: str = "part", unit: str = "MM") -> Path:
    """File with one part."""
    made = StepAssembly()
    made.place(made.part(name, shape))
    return made.write(path, unit)


# ---- shapes


def box(a: float, b: float, c: float) -> Any:
    """From the origin."""
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox

    return BRepPrimAPI_MakeBox(a, b, c).Shape()


def tube(outer: float, inner: float, length: float) -> Any:
    """About z, from z = 0."""
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder

    return BRepAlgoAPI_Cut(
        BRepPrimAPI_MakeCylinder(outer, length).Shape(), BRepPrimAPI_MakeCylinder(inner, length).Shape()
    ).Shape()


def cone(radius: float, end: float, height: float) -> Any:
    """About z, from z = 0."""
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCone

    return BRepPrimAPI_MakeCone(radius, end, height).Shape()


def torus(radius: float, pipe: float) -> Any:
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeTorus

    return BRepPrimAPI_MakeTorus(radius, pipe).Shape()


def first_of(shape: Any, kind: str) -> Any:
    """First face, shell, ... of a shape."""
    from OCP import TopAbs

    from pitchline.exchange.step.faces import subshapes

    return next(iter(subshapes(shape, getattr(TopAbs, f"TopAbs_{kind.upper()}"))))


Written = Callable[[Path], Path]
