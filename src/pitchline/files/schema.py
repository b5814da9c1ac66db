"""JSON Schema of model files, from the tables of the reader; and the files of shapes that they name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pitchline.errors import ModelError
from pitchline.model.model import Model
from pitchline.parts.gears.teeth.generating_rack import basic_rack
from pitchline.solids.mass_properties import ShapePiece, TriangleMesh

from . import catalogue
from .analysis_steps import own_keys
from .catalogue import Entry
from .element_schema import argument_texts, elements_schema, first_line
from .figure_specs import KEYS, OF, OF_MODES
from .parameters import KEYS as PARAMETER_KEYS
from .plot_specs import KEYS as PLOT_KEYS
from .plot_specs import study_definitions, study_plot_keys, study_value
from .reader import fmu_schema
from .schema_types import (
    ANALYSES,
    DEFINITIONS,
    OF_SIGNALS,
    QUANTITY,
    SIGNALS,
    STUDIES,
    Schema,
    analysis,
    shape_schema,
    value_schema,
)

__all__ = ["generate", "schema", "schema_text", "in_a_folder", "shape_files", "stl_bytes"]


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of model files, as plain data."""
    text = resources.files(__package__).joinpath("schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def schema_text() -> str:
    """Contents of `schema.json`."""
    return json.dumps(generate(), indent=1, ensure_ascii=False) + "\n"


def generate() -> Schema:
    """Generate the schema from the API."""
    by_name = {
        "gears": ("A gear, or a rack.", _ref("gear")),
        "materials": ("A material of gears.", _table(catalogue.MATERIAL, "material")),
        "bodies": ("A rigid body; with `gear` it is also a wheel.", _ref("body")),
        "shafts": (first_line(catalogue.SHAFT.call), _table(catalogue.SHAFT, "shaft")),
        "beams": (first_line(catalogue.BEAM.call), _table(catalogue.BEAM, "beam")),
        "flexible_bodies": (first_line(catalogue.FLEXIBLE_BODY.call), _table(catalogue.FLEXIBLE_BODY, "flexible_body")),
        "membranes": (first_line(catalogue.MEMBRANE.call), _table(catalogue.MEMBRANE, "membrane")),
        "wheels": ("A gear on an existing body.", _table(catalogue.WHEEL, "wheel")),
        "planetary": (first_line(catalogue.PLANETARY.call), _table(catalogue.PLANETARY, "planetary")),
        "frames": ("A frame on a body, in its axes.", _ref("frame_here")),
        "joints": ("A joint.", _kinds(catalogue.JOINTS, "joint")),
        "gear_pairs": (first_line(catalogue.GEAR_PAIR.call), _table(catalogue.GEAR_PAIR, "gear_pair")),
        "drives": (first_line(catalogue.DRIVE.call), _table(catalogue.DRIVE, "drive")),
        "loads": ("A load.", _kinds(catalogue.LOADS, "load")),
        "elements": ("An element of a declared class.", elements_schema()),
        "looks": ("Appearance of an element or of the ground in pictures.", _table(catalogue.LOOK, "look")),
    }
    head: Schema = {
        "name": {"type": "string", "description": "Name of the model."},
        "description": {"type": "string", "description": "Short description of the model."},
        "gravity": {**_ref("vector"), "description": "Acceleration of gravity in world axes [m/s^2]; default: none."},
        "plane": {
            "enum": ["xy", "yz", "zx", "yx", "zy", "xz"],
            "description": "All bodies move parallel to this plane.",
        },
    }
    properties: Schema = {
        **head,
        "include": {
            "description": "Files to read first, relative to this one.",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
        },
        "model": {"type": "object", "properties": head, "additionalProperties": False},
        "parameters": {
            "type": "object",
            "additionalProperties": {"anyOf": [QUANTITY, _parameter(), _CHOICES]},
            "description": 'Values, or "= expression" over others; or tables with a value, a description and bounds, or choices.',
        },
        **{
            section: {"type": "object", "description": text, "additionalProperties": item}
            for section, (text, item) in by_name.items()
        },
        "analyses": {"type": "array", "description": "Analyses, in order.", "items": {"oneOf": _analyses()}},
        "figures": {
            "type": "object",
            "description": "Figures (named result values) by name.",
            "additionalProperties": _figure(),
        },
        "plot": {"anyOf": [_plot(), {"type": "array", "items": _plot()}], "description": "Pictures of results."},
        "fmu": fmu_schema(),
    }
    assert set(properties) == set(catalogue.TOP)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pitchline model file",
        "description": "Gears in multibody dynamics: a model, its analyses and its figures.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": {**DEFINITIONS, **_definitions()},
    }


_CHOICES: Schema = {
    "type": "object",
    "properties": {
        "choices": {"type": "array", "items": {"type": "string"}},
        "value": {"type": "string"},
        "description": {"type": "string"},
    },
    "required": ["choices"],
    "additionalProperties": False,
    "description": "One of these texts; default: the first one.",
}
_STEP: Schema = {
    "name": {"type": "string", "description": "Name for references in later analyses and figures."},
    "start": {"type": "string", "description": "Name of an earlier analysis. Its final state is the initial state."},
    "about": {
        "type": "string",
        "description": 'Name of an earlier analysis. Its final state is the operating point. Linear analyses: also "initial".',
    },
    "analysis": {
        "type": "string",
        "description": "Name of an earlier analysis that provides the signals; default: the last one with signals.",
    },
    "parameters": {
        "type": "object",
        "additionalProperties": QUANTITY,
        "description": "Parameter values for this analysis only.",
    },
    "without": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Elements of the model that this analysis leaves out.",
    },
    "when": {
        "type": "object",
        "properties": {
            "value": {"type": ["string", "number"]},
            "is": {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
        },
        "required": ["value", "is"],
        "additionalProperties": False,
        "description": 'The analysis runs if the value, such as "= method", is one of these.',
    },
}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _analyses() -> list[Schema]:
    """One table for every kind of analysis."""
    found = []
    for kind in ANALYSES:
        entry, own = analysis(kind), own_keys(kind)
        arguments = {key: value for key, value in entry.arguments.items() if key not in own}
        group = "study" if kind in STUDIES else "analysis"
        table = _table(Entry(entry.call, arguments, entry.renamed), group, {"kind": {"const": kind}})
        table["properties"] |= {key: text for key, text in _STEP.items() if key in own}
        if kind in OF_SIGNALS:
            table["properties"] |= {key: {"type": "string"} for key in SIGNALS if key in arguments}
        table["required"] = ["kind", *table["required"]]
        found.append(table)
    return found


_OWN_MESH: Schema = {
    "type": "object",
    "description": "User-defined mesh law; its module must be allowed.",
    "properties": {"type": {"type": "string", "pattern": ":"}},
    "required": ["type"],
}
_A_PARAMETER: Schema = {"type": "string", "pattern": "^ *="}


def _definitions() -> Schema:
    moved = {"moved": _ref("vector"), "turned": _ref("orientation"), "colour": {"type": "string"}}
    parts = {"kind": {"const": "sum"}, "parts": {"type": "array", "items": _ref("solid"), "minItems": 1}, **moved}
    solids = _kinds(catalogue.SOLIDS, "solid", moved)
    solids["oneOf"].append(
        {"type": "object", "properties": parts, "required": ["kind", "parts"], "additionalProperties": False}
    )
    blank = {
        "kind": {"const": "gear"}, "gear": {"anyOf": [{"type": "string"}, _ref("gear")]}, **moved,
        "from": {"enum": list(catalogue.GEAR_SOLIDS), "description": "Blank of the gear, or its finite elements with teeth."},
    }  # fmt: skip
    solids["oneOf"].append(
        {"type": "object", "properties": blank, "required": ["kind", "gear"], "additionalProperties": False}
    )
    measured = _kinds({"deviation_grid": catalogue.GRID_FILE}, "modification")
    gear = _kinds(catalogue.GEARS, "gear", default="gear")
    normal = gear["oneOf"][0]
    for key, entry in catalogue.MODULES.items():
        for name in entry.arguments:
            normal["properties"].setdefault(name, value_schema(entry, name, "gear"))
        normal["properties"][key] = {**QUANTITY, "description": first_line(entry.call)}
    for table in gear["oneOf"][:2]:
        table["properties"]["basic_rack"] = {"enum": ["A", "B", "C", "D"], "description": first_line(basic_rack)}
    normal["required"].remove("normal_module")
    normal["anyOf"] = [{"required": [key]} for key in ("normal_module", *catalogue.MODULES)]
    frame = _table(catalogue.FRAME, "frame", {"body": {"type": "string"}})
    frame["required"] = ["body"]
    body = _table(catalogue.BODY, "body")
    wheel = _table(catalogue.GEAR_BODY, "gear_body")
    material = _table(catalogue.MATERIAL, "material", {"name": {"type": "string"}})
    varying = _kinds({"varying": catalogue.VARYING}, "varying")
    return {
        "gear": gear,
        "material": material,
        "solid": solids,
        "body": {"if": {"required": ["gear"]}, "then": wheel, "else": body},
        "frame_here": frame,
        "mesh": {"anyOf": [{"enum": list(catalogue.MESHES)}, _A_PARAMETER, _ref("mesh_table"), _OWN_MESH]},
        "mesh_table": _kinds(catalogue.MESHES, "mesh"),
        "modification": {"oneOf": [*_kinds(catalogue.MODIFICATIONS, "modification")["oneOf"], *measured["oneOf"]]},
        "flank_modifications": _table(catalogue.FLANK_MODIFICATIONS, "flank_modifications"),
        "imported_flanks": _table(catalogue.IMPORTED_FLANKS, "imported_flanks"),
        "tool": _kinds(catalogue.TOOLS, "tool"),
        "gear_shape": _table(catalogue.GEAR_SHAPE, "gear_shape"),
        "elements": _table(catalogue.ELEMENTS, "elements"),
        "function": _kinds(catalogue.FUNCTIONS, "function"),
        "varying": {"anyOf": [_ref("time_value"), *varying["oneOf"]]},
        "stribeck": _kinds({"stribeck": catalogue.STRIBECK}, "stribeck")["oneOf"][0],
        "friction_table": _kinds({"friction_table": catalogue.FRICTION_TABLE}, "friction_table")["oneOf"][0],
        "support": _table(catalogue.SUPPORT, "support"),
        "shaft_section": _table(catalogue.SHAFT_SECTION, "shaft_section"),
        "beam_section": _kinds(catalogue.BEAM_SECTIONS, "beam_section"),
        "membrane_mesh": _kinds(catalogue.MEMBRANE_MESHES, "membrane_mesh"),
        "superelement": {"oneOf": [_table(entry, "superelement") for entry in catalogue.SUPERELEMENTS.values()]},
        "interface": _table(catalogue.INTERFACE, "interface"),
        "body_shape": shape_schema(),
        **study_definitions(),
    }


def _table(entry: Entry, group: str, also: Mapping[str, Any] | None = None) -> Schema:
    """Table whose keys are the arguments of a callable."""
    texts = argument_texts(entry.call)
    properties: Schema = dict(also or {})
    for key in entry.arguments:
        own = study_value(key, also or {}) if group == "study" else None
        own = own or value_schema(entry, key, group)
        text = texts.get(entry.renamed.get(key, key))
        properties[key] = {**own, "description": text} if text else own
    return {
        "type": "object",
        "description": first_line(entry.call),
        "properties": properties,
        "additionalProperties": False,
        "required": list(entry.required),
    }


def _kinds(
    entries: Mapping[str, Entry], group: str, also: Mapping[str, Any] | None = None, default: str = ""
) -> Schema:
    """One of several tables, by its kind."""
    found = []
    for kind, entry in entries.items():
        name = kind if group == "load" else group
        table = _table(entry, name, {"kind": {"const": kind}, **(also or {})})
        if kind != default:
            table["required"] = ["kind", *table["required"]]
        found.append(table)
    return {"oneOf": found}


def _figure() -> Schema:
    texts = {key: {"type": "string"} for key in ("signal", "analysis", "angle", "unit", "description")}
    expression = {"anyOf": [QUANTITY, {"type": "boolean"}, {"type": "array"}]}
    own = {
        "of": {"enum": [*OF, *OF_MODES]},
        "mode": _ref("whole"),
        "value": {
            **expression,
            "description": "= expression over signals, properties, parameters and earlier figures.",
        },
        "expected": {**expression, "description": "Reference value, in the unit of the figure; or = expression."},
        "digits": {"type": "integer", "minimum": 1, "maximum": 17, "description": "Number of digits in tables."},
        "show": {
            "type": "boolean",
            "description": "Whether it is listed. Figures that are not listed serve other figures.",
        },
    }
    properties = {key: texts.get(key, QUANTITY) for key in KEYS} | own
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _parameter() -> Schema:
    properties: Schema = {key: QUANTITY for key in PARAMETER_KEYS if key != "choices"} | {
        "description": {"type": "string"}
    }
    return {"type": "object", "properties": properties, "required": ["value"], "additionalProperties": False}


def _plot() -> Schema:
    texts: Schema = {
        key: {"type": "string"}
        for key in ("analysis", "name", "title", "what", "over", "pair", "shaft", "bearing", "view", "up")
    }
    flags: Schema = {key: {"type": "boolean"} for key in ("log", "decibels", "phase", "crossings")}
    names: Schema = {
        key: {"type": "array", "items": {"type": "string"}}
        for key in ("signals", "others", "outputs", "inputs", "hide", "transparent", "arrows")
    }
    properties = {key: QUANTITY for key in PLOT_KEYS} | texts | flags | names | study_plot_keys()
    return {"type": "object", "properties": properties, "additionalProperties": False}


if __name__ == "__main__":  # python -m pitchline.files.schema > src/pitchline/files/schema.json
    print(schema_text(), end="")


# ---- shape files

# STL files of shapes that were made in memory, such as parts of a CAD file. A model file reads them from its folder.

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def stl_bytes(mesh: TriangleMesh) -> bytes:
    """Binary STL file of a surface. Reading it gives the same surface."""
    corners = mesh.vertices[mesh.triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).astype(np.float64)
    length = np.linalg.norm(area, axis=1, keepdims=True)
    records = np.zeros(len(corners), _RECORD)
    records["normal"] = np.divide(area, length, out=np.zeros_like(area), where=length > 0.0)
    records["corners"] = corners
    return b"pitchline".ljust(80) + len(corners).to_bytes(4, "little") + records.tobytes()


def _pieces(model: Model) -> Iterator[ShapePiece]:
    for look in model.looks.values():
        for piece in () if look.shape is None else look.shape.pieces:
            if piece.mesh is not None and piece.source is None:
                yield piece


def shape_files(model: Model) -> dict[str, bytes]:
    """Files by name, for shapes that have none yet."""
    found: dict[str, bytes] = {}
    seen: dict[tuple[str, int], None] = {}
    for piece in _pieces(model):
        name = str(piece.sizes["file"])
        if (name, id(piece.mesh)) in seen:
            continue
        seen[name, id(piece.mesh)] = None
        assert piece.mesh is not None
        data = stl_bytes(piece.mesh)
        if found.setdefault(name, data) != data:
            raise ModelError(
                f'model "{model.name}": two shapes have the file name "{name}" and cannot both be written. Rename the CAD file '
                "of one of them"
            )
    return found


@contextmanager
def in_a_folder(model: Model) -> Iterator[Path | None]:
    """Folder with these files for a while; None if there are none."""
    files = shape_files(model)
    if not files:
        yield None
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        yield folder
