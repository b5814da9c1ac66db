"""Names of the CAD kernel (OCCT) that differ between its versions, and its documents.

Only the reading process imports this file (`worker`): a damaged file can end the process in which the kernel runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["labels", "name_of", "new_document", "read_document"]


def _label_sequence() -> Any:
    """Sequence of labels: `TDF_LabelSequence` until OCCT 7.9, a template of `OCP.collections` from 8.0 on."""
    from OCP import TDF

    if hasattr(TDF, "TDF_LabelSequence"):
        return TDF.TDF_LabelSequence
    from OCP.collections import Sequence_TDF_Label

    return Sequence_TDF_Label


def labels(fill: Any, *arguments: Any) -> Iterator[Any]:
    """Labels that a function of the kernel puts into its last argument."""
    found = _label_sequence()()
    fill(*arguments, found)
    for i in range(1, found.Length() + 1):
        yield found.Value(i)


def name_of(label: Any) -> str:
    """Name of a label, "" without one."""
    from OCP.TDataStd import TDataStd_Name

    attribute = TDataStd_Name()
    if not label.FindAttribute(TDataStd_Name.GetID_s(), attribute):
        return ""
    return str(attribute.Get().ToExtString())


def new_document() -> Any:
    """Empty document of shapes, names, colours and materials."""
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document
    from OCP.XCAFApp import XCAFApp_Application

    document = TDocStd_Document(TCollection_ExtendedString("BinXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    return document


def read_document(path: str) -> Any:
    """Document with the contents of a STEP file, lengths in mm whatever the unit of the file. ValueError: the reason."""
    from OCP.IFSelect import IFSelect_RetDone
    from OCP.STEPCAFControl import STEPCAFControl_Reader

    document = new_document()
    reader = STEPCAFControl_Reader()
    for mode in ("Name", "Color", "Mat", "Props"):
        getattr(reader, f"Set{mode}Mode")(True)
    if reader.ReadFile(path) != IFSelect_RetDone:
        raise ValueError("the CAD kernel cannot read it as STEP: it is damaged")
    if not reader.Transfer(document):
        raise ValueError("the CAD kernel finds no shapes in it")
    return document
