"""Process that reads STEP files. The CAD kernel can crash on a damaged file: then this process ends, not that of the user.

It reads requests as lines of JSON and writes each answer as its length in bytes (a line) and an archive of arrays (.npz) with
the description as JSON in the array "head". Standard output of the kernel goes to the null device.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

__all__ = ["main"]

MOST_DEPTH = 200
MOST_INSTANCES = 20_000
MEMORY = 12 * 1024**3
"""Address space of the process [bytes], where the system can limit it."""


def main() -> None:
    """Answer requests until standard input is closed."""
    answers = _own_stdout()
    _limit_memory()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            head, arrays = _read(request)
        except MemoryError:
            head, arrays = {"error": "reading it needs more memory than the limit of 12 GB"}, {}
        except Exception as error:  # of the kernel, each of its packages has its own
            text = str(error).strip() or type(error).__name__
            head, arrays = {"error": text if isinstance(error, ValueError) else f"the CAD kernel reports: {text}"}, {}
        buffer = io.BytesIO()
        np.savez(buffer, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays)  # type: ignore[arg-type]
        data = buffer.getvalue()
        answers.write(f"{len(data)}\n".encode())
        answers.write(data)
        answers.flush()


def _own_stdout() -> BinaryIO:
    """Reserve standard output for answers; whatever the kernel prints goes to the null device."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    return stream


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _read(request: dict[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Definitions of parts, each once, and their instances; or points on all faces."""
    if "face_samples" in request:
        from .faces import face_points

        return face_points(request["path"], int(request["face_samples"]))
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    from .reading import labels, name_of, read_document

    document = read_document(request["path"])
    tools = _Tools(XCAFDoc_DocumentTool.ShapeTool_s(document.Main()), XCAFDoc_DocumentTool.ColorTool_s(document.Main()))
    parts: dict[str, Any] = {}
    instances = []
    for top in labels(tools.shapes.GetFreeShapes):
        for entry, label, found in _walk(tools, top, [name_of(top)], np.eye(3, 4), None):
            parts.setdefault(entry, label)
            instances.append(found)
            if len(instances) > MOST_INSTANCES:
                raise ValueError(f"it has more than {MOST_INSTANCES} parts")
    arrays: dict[str, np.ndarray] = {}
    definitions = {}
    for number, (entry, label) in enumerate(parts.items()):
        definitions[entry] = _definition(tools, label, number, request, arrays)
    document.Main().Root().ForgetAllAttributes(True)  # the kernel keeps the shapes of a document in memory otherwise
    return {"definitions": definitions, "instances": instances}, arrays


class _Tools:
    """Shapes and colours of a document."""

    def __init__(self, shapes: Any, colours: Any) -> None:
        self.shapes, self.colours = shapes, colours

    def colour(self, item: Any) -> str:
        """Colour of a label or of a shape as "#RRGGBB" or "#RRGGBBAA", "" without one."""
        from OCP.Quantity import Quantity_ColorRGBA, Quantity_TOC_sRGB
        from OCP.TDF import TDF_Label
        from OCP.XCAFDoc import XCAFDoc_ColorGen, XCAFDoc_ColorSurf

        found = Quantity_ColorRGBA()
        ask = self.colours.GetColor_s if isinstance(item, TDF_Label) else self.colours.GetColor
        for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen):
            if ask(item, kind, found):
                rgb = found.GetRGB().Values(Quantity_TOC_sRGB)
                levels = [round(255 * min(max(value, 0.0), 1.0)) for value in (*rgb, found.Alpha())]
                text = "#" + "".join(f"{level:02X}" for level in levels[:3])
                return text if levels[3] in (0, 255) else f"{text}{levels[3]:02X}"
        return ""


def _walk(
    tools: _Tools, label: Any, path: list[str], A: np.ndarray, colour: str | None
) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Parts below a label: entry and label of the definition, and the instance. A: placement (3, 4) [mm]."""
    from OCP.TCollection import TCollection_AsciiString
    from OCP.TDF import TDF_Label, TDF_Tool

    from .reading import labels, name_of

    if len(path) > MOST_DEPTH:
        raise ValueError(f"assemblies are nested more than {MOST_DEPTH} deep")
    if tools.shapes.IsAssembly_s(label):
        for component in labels(tools.shapes.GetComponents_s, label):
            part = TDF_Label()
            if not tools.shapes.GetReferredShape_s(component, part):
                continue
            motion = tools.shapes.GetLocation_s(component).Transformation()
            B = np.array([[motion.Value(i, j) for j in (1, 2, 3, 4)] for i in (1, 2, 3)])
            placed = np.hstack([A[:, :3] @ B[:, :3], A[:, :3] @ B[:, 3:] + A[:, 3:]])
            instance = name_of(component)
            own = tools.colour(component) or colour
            for entry, leaf, found in _walk(tools, part, [*path, instance or name_of(part)], placed, own):
                found.setdefault("instance", instance)
                yield entry, leaf, found
        return
    entry = TCollection_AsciiString()
    TDF_Tool.Entry_s(label, entry)
    key = str(entry.ToCString())
    yield key, label, {"definition": key, "path": path, "placement": A.tolist(), "colour": colour or ""}


def _definition(
    tools: _Tools, label: Any, number: int, request: dict[str, Any], arrays: dict[str, np.ndarray]
) -> dict[str, Any]:
    from .faces import measured, triangles_by_colour
    from .reading import labels, name_of

    shape = tools.shapes.GetShape_s(label)
    found = {"name": name_of(label), **measured(shape)}
    coloured = any(tools.colour(sub) for sub in labels(tools.shapes.GetSubShapes_s, label))
    own = tools.colour(label)
    pieces: list[dict[str, Any]] = []
    if request["shapes"] and found["size"] > 0.0:
        tolerance = request["tolerance"] or 0.002 * found["size"]
        by_colour, used = triangles_by_colour(
            shape, (lambda face: tools.colour(face)) if coloured else (lambda face: ""), tolerance, request["angle"]
        )
        for k, (colour, corners) in enumerate(by_colour.items()):
            arrays[f"p{number}_{k}"] = corners
            pieces.append({"colour": colour, "array": f"p{number}_{k}"})
        found["tolerance"] = used
    return {**found, "colour": own, "pieces": pieces}


if __name__ == "__main__":
    main()
