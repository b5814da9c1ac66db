"""Types of values in the schema of model files: quantities, vectors, choices, functions."""

from __future__ import annotations

import inspect
from typing import Any, get_args

from ..beams.tuned_mass import MassKind
from ..gears.directions import ALONG
from ..model.meshes.common import LINES_OF_ACTION, SIDES, SLIDING
from ..model.meshes.elastic import ISO_6336, LOADED, TOOTH_VARIATIONS, Elastic
from ..model.meshes.flank import BORES, Flank
from ..model.meshes.loaded import Loaded
from ..model.meshes.options import DAMPING_ACTS, DAMPING_RATES
from ..model.meshes.table_options import BORES_OF_TABLES
from ..model.meshes.varying import CYCLES
from ..results.windows import Window
from .analysis_kinds import GEAR_BORES
from .catalogue import Entry

__all__ = ["DEFINITIONS", "value_schema"]

Schema = dict[str, Any]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


QUANTITY = _ref("quantity")
_ROWS: Schema = {"type": "array", "items": {"anyOf": [QUANTITY, {"type": "array", "items": QUANTITY}]}}

DEFINITIONS: dict[str, Schema] = {
    "quantity": {
        "description": 'A number in SI units, a text with a unit, e.g. "2 mm", or "= expression" over parameters.',
        "anyOf": [{"type": "number"}, {"type": "string"}],
    },
    "whole": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^\\s*="}]},
    "vector": {"type": "array", "items": QUANTITY, "minItems": 3, "maxItems": 3},
    "direction": {
        "description": 'Three numbers, or an axis, e.g. "x" or "-z".',
        "anyOf": [{"enum": ["x", "y", "z", "-x", "-y", "-z", "+x", "+y", "+z"]}, _ref("vector")],
    },
    "orientation": {
        "description": "A quaternion (w, x, y, z), a 3x3 matrix, or axis and angle.",
        "anyOf": [
            {"type": "array", "items": QUANTITY, "minItems": 4, "maxItems": 4},
            {"type": "array", "items": _ref("vector"), "minItems": 3, "maxItems": 3},
            {
                "type": "object", "properties": {"axis": _ref("direction"), "angle": QUANTITY}, "required": ["axis", "angle"],
                "additionalProperties": False,
            },
        ],
    },
    "inertia": {"description": "Moments (Ixx, Iyy, Izz), a 3x3 matrix, or one number if plane.", "anyOf": [QUANTITY, _ROWS]},
    "list": {"type": "array", "items": QUANTITY},
    "rows": _ROWS,
    "time_value": {"anyOf": [QUANTITY, _ref("function")]},
    "expression": {
        "type": "object",
        "description": "Formula over signals of the model, such as 2*axis.angle, with named constants.",
        "properties": {
            "expression": {"type": "string"},
            "constants": {"type": "object", "additionalProperties": QUANTITY},
        },
        "required": ["expression"],
        "additionalProperties": False,
    },
    "signal_value": {"anyOf": [_ref("time_value"), _ref("expression")]},
    "signal_values": {"anyOf": [_ref("signal_value"), {"type": "array", "items": _ref("signal_value")}]},
    "time_values": {"anyOf": [_ref("time_value"), {"type": "array", "items": _ref("time_value")}]},
    "end": {
        "description": "The name of a body or of a frame, or the table of a frame.",
        "anyOf": [{"type": "string"}, _ref("frame_here")],
    },
}  # fmt: skip

_RANGE: Schema = {
    "type": "object",
    "properties": {"lowest": QUANTITY, "highest": QUANTITY, "points": _ref("whole")},
    "required": ["lowest", "highest", "points"],
    "additionalProperties": False,
}
_BY_NAME: dict[str, Schema] = {
    "a": _ref("end"), "b": _ref("end"), "on": _ref("end"), "body": _ref("end"), "reaction": _ref("end"),
    "gear": {"anyOf": [{"type": "string"}, _ref("gear")]},
    "solid": _ref("solid"), "mesh": _ref("mesh"), "material": {"anyOf": [{"type": "string"}, _ref("material")]},
    "at": _ref("vector"), "at_a": _ref("vector"), "at_b": _ref("vector"), "position": _ref("vector"),
    "centre_of_mass": _ref("vector"), "velocity": _ref("vector"), "angular_velocity": _ref("vector"),
    "axis": _ref("direction"), "axis_b": _ref("direction"), "towards": _ref("direction"),
    "orientation": _ref("orientation"), "rotation": _ref("orientation"), "inertia": _ref("inertia"),
    "value": _ref("time_values"), "joint": {"type": "string"}, "mesh_with": {"type": "string"}, "table": _ref("rows"),
    "teeth": _ref("whole"), "starts": _ref("whole"), "tooth": _ref("whole"), "planets": _ref("whole"), "count": _ref("whole"),
    "coordinate": {"enum": ["angle", "displacement"]}, "axes": {"enum": ["world", "body"]},
    "along": {"enum": list(ALONG)}, "backlash_side": {"enum": list(SIDES)}, "damping_acts": {"enum": list(DAMPING_ACTS)},
    "damping_rate": {"enum": list(DAMPING_RATES)},
    "follow_centres": {"type": "boolean"}, "tilt": {"type": "boolean"}, "contact": {"enum": ["point", "line"]},
    "method": {"enum": ["multiplier", "penalty"]},
    "outside": {"enum": ["hold", "continue", "error"]}, "interpolation": {"enum": ["linear", "cubic"]},
    "arrangement": {"enum": ["simple", "stepped", "meshed"]}, "fixed": {"enum": ["sun", "ring", "carrier"]},
    "terms": {"type": "array", "items": _ref("time_value")}, "function": _ref("time_value"),
    "coefficients": _ref("rows"), "cos": _ref("list"), "sin": _ref("list"), "values": _ref("list"), "t": _ref("list"),
    "angles": _ref("list"), "radial_errors": _ref("list"), "tangential_errors": _ref("list"), "times": _ref("list"),
    "speeds": {"anyOf": [QUANTITY, _ref("list")]}, "frequencies": {"anyOf": [QUANTITY, _ref("list"), _RANGE]},
    "ripples": {"anyOf": [QUANTITY, _ref("list")]}, "shaft": {"type": "string"}, "turning_with": {"type": "string"},
    "cycle": {"type": "string"}, "orders": {"type": "object", "additionalProperties": QUANTITY},
    "inputs": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    "outputs": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    "shape": {"anyOf": [_ref("solid"), {"type": "array", "items": _ref("solid")}]}, "colour": {"type": "string"},
    "hidden": {"type": "boolean"}, "hand": {"enum": ["right", "left"]}, "stabilised": {"type": "boolean"},
    "name": {"type": "string"},
}  # fmt: skip
_MODIFICATIONS: Schema = {"anyOf": [_ref("modification"), {"type": "array", "items": _ref("modification")}]}
_TABLE: Schema = {"type": "array", "items": _ref("list")}
_TABLE_OVER_TILTS: Schema = {"anyOf": [_TABLE, {"type": "array", "items": _TABLE}]}
_MESHES: Schema = {"anyOf": [_ref("mesh"), {"type": "array", "items": _ref("mesh")}]}
_LINE: dict[str, Schema] = {
    "stations": {"type": "object", "additionalProperties": QUANTITY}, "elements": _ref("whole"),
    "mass": {"enum": list(get_args(MassKind))},
    "damping": {
        "anyOf": [
            QUANTITY,
            {
                "type": "object", "properties": {key: QUANTITY for key in ("bending", "torsion", "axial")},
                "additionalProperties": False,
            },
        ]
    },
}  # fmt: skip
"""Of shafts and beams."""


def _selection(keys: dict[str, str], *optional: str) -> Schema:
    """Table with these keys. The names refer to definitions; an empty name is a quantity."""
    return {
        "type": "object", "properties": {key: _ref(name) if name else QUANTITY for key, name in keys.items()},
        "required": [key for key in keys if key not in optional], "additionalProperties": False,
    }  # fmt: skip


_FLANK: Schema = {
    "anyOf": [
        {"type": "string", "description": "name of a file with points"},
        {"type": "array", "description": "points (rows, lines, 3) or (n, 3)"},
        {
            "type": "object", "description": "spline",
            "properties": {
                **{key: {"type": "array"} for key in ("control", "knots_u", "knots_v")}, "error": {"type": "number"},
            },
            "required": ["control", "knots_u", "knots_v"], "additionalProperties": False,
        },
    ]
}  # fmt: skip
"""Flank of a gear that is imported."""
_IN: dict[str, dict[str, Schema]] = {
    "drive": {key: _ref("time_value") for key in ("angle", "displacement", "speed")},
    "bushing": {"stiffness": _ref("rows"), "damping": _ref("rows")},
    "mesh": {
        "stiffness": {"anyOf": [{"enum": [ISO_6336, LOADED]}, _ref("varying"), {"type": "array", "items": _ref("varying")}]},
        "error": {"anyOf": [_ref("varying"), {"type": "array", "items": _ref("varying")}]},
        "friction": {"anyOf": [_ref("time_value"), _ref("stribeck"), _ref("friction_table"), _ref("rows")]},
        "backlash": {"anyOf": [_ref("varying"), {"type": "array", "items": _ref("varying"), "minItems": 1}]},
        "damping": {"anyOf": [_ref("varying"), {"type": "array", "items": _ref("varying"), "minItems": 1}]},
        "tooth_stiffness": {"anyOf": [QUANTITY, _ref("list")]}, "tooth_variation": {"enum": list(TOOTH_VARIATIONS)},
        "sliding": {"enum": list(SLIDING)}, "line_of_action": {"enum": list(LINES_OF_ACTION)},
        "efficiency": {"anyOf": [QUANTITY, _ref("list")]},
        "loads": {"anyOf": [_ref("list"), _ref("whole")]}, "approach": _TABLE_OVER_TILTS,
        "coast": {"anyOf": [*_TABLE_OVER_TILTS["anyOf"], {"type": "boolean"}]}, "tilts": {"anyOf": [QUANTITY, _ref("list")]},
        "face_load_factor": _TABLE_OVER_TILTS, "coast_face_load_factor": _TABLE_OVER_TILTS,
        "torque": {"anyOf": [QUANTITY, _ref("list")]}, "phases": _ref("whole"), "cells": _ref("whole"),
        "elements_a": _ref("elements"), "elements_b": _ref("elements"),
    },
    "modification": {
        "shape": {"enum": ["linear", "parabolic"]}, "end": {"enum": ["both", "upper", "lower"]}, "values": _ref("rows"),
        "roll_lengths": _ref("list"), "faces": _ref("list"), "file": {"type": "string"}, "length_unit": {"type": "string"},
        "deviation_unit": {"type": "string"},
    },
    "flank_modifications": {
        "both": _MODIFICATIONS, "left": _MODIFICATIONS, "right": _MODIFICATIONS,
        "per_tooth": {
            "type": "object", "additionalProperties": False,
            "patternProperties": {"^\\s*[0-9]+\\s*(left|right)?\\s*$": _MODIFICATIONS},
        },
    },
    "gear": {
        "wheel": _BY_NAME["gear"],
        "modifications": {"anyOf": [*_MODIFICATIONS["anyOf"], _ref("flank_modifications")]}, "tool": _ref("tool"),
        "body": _ref("gear_shape"), "flanks": _ref("imported_flanks"),
    },
    "imported_flanks": {
        "left": _FLANK, "right": _FLANK, "unit": {"type": "string"}, "rotation": {"anyOf": [QUANTITY, {"const": "centre"}]},
        "per_tooth": {
            "type": "object", "additionalProperties": False,
            "patternProperties": {"^\\s*[0-9]+\\s*(left|right)\\s*$": _FLANK},
        },
    },
    "analysis": {
        "pair": {"type": "string"}, "side": {"enum": ["left", "right"]}, "method": {"enum": ["cells", "strips", "nodes"]},
        "bore": {"enum": list(GEAR_BORES)}, "window": {"enum": list(get_args(Window))},
        **{key: {"anyOf": [QUANTITY, _ref("list")]} for key in ("torque", "phase", "bins", "modes")},
        "slave": {"enum": ["a", "b", "both"]},
        **{key: _ref("elements") for key in ("elements_a", "elements_b", "grid")}, "gear": {"type": "string"},
        "formulation": {"type": "string"},
        **{key: _ref("whole") for key in ("positions", "pitches", "cells", "strips", "points", "periods")},
        **{key: _ref("whole") for key in ("steps", "samples", "offsets")},
    },
    "elements": {
        "order": {"enum": [1, 2]},
        **{f"{name}_elements": _ref("whole") for name in ("face", "flank", "fillet", "root", "across", "body")},
        "rows": _ref("whole"), "lines": _ref("whole"),
        "body": {"enum": ["rigid"], "description": "Only the flanks deform: no finite elements."},
        "mesh": {"type": "string", "description": "File with a solid mesh of the gear: .inp, .vtu or .msh."},
        "units": {"enum": ["mm", "m"]}, "axis": {"enum": ["x", "y", "z"]}, "cracks": {"type": "boolean"},
        "material": {"anyOf": [{"type": "string"}, _ref("material")]}, "bore_set": {"type": "string"},
        "flanks": {
            "type": "object", "required": ["left", "right"], "additionalProperties": False,
            "properties": {
                side: {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
                for side in ("left", "right")
            },
        },
        "sector": {"anyOf": [
            {"type": "boolean"}, {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
        ]},
        "missing": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    },
    "gear_pair": {"phase": {"enum": ["fit", "as placed"]}},
    "planetary": {
        "phase": {"enum": ["fit", "as placed"]},
        "sun": _BY_NAME["gear"], "ring": _BY_NAME["gear"],
        "planet": {"anyOf": [_BY_NAME["gear"], {"type": "array", "items": _BY_NAME["gear"], "minItems": 2, "maxItems": 2}]},
        "on": {"type": "object", "additionalProperties": {"type": "string"}},
        "masses": {"type": "object", "additionalProperties": {"anyOf": [_ref("solid"), {"type": "array"}]}},
        "bearings": {"type": "object", "additionalProperties": {"anyOf": [QUANTITY, _ref("support")]}},
        "mesh_sun": _MESHES, "mesh_ring": _MESHES, "mesh_planets": _MESHES,
    },
    "shaft": {
        **_LINE, "hubs": {"type": "object", "additionalProperties": _ref("list")},
        "sections": {"type": "array", "items": _ref("shaft_section"), "minItems": 1},
    },
    "beam": {
        **_LINE, "section": _ref("beam_section"), "points": {"type": "array", "items": _ref("vector")},
        **{key: {"anyOf": [_ref("end"), _ref("vector")]} for key in "ab"},
        **{key: _ref("direction") for key in ("tangent", "end_tangent", "up")},
    },
    "beam_section": {
        **{key: _ref("list") for key in ("centroid", "shear_centre", "second_moments", "shear_areas", "bending_moduli")},
        **{key: _ref("rows") for key in ("stiffness", "mass")},
    },
    "flexible_body": {
        "superelement": _ref("superelement"), "modal_damping": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
    },
    "membrane": {
        "mesh": _ref("membrane_mesh"), "axis": _ref("direction"), "prestress": {"anyOf": [QUANTITY, _ref("vector")]},
        "attached": {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "array"}]},
        },
    },
    "membrane_mesh": {
        "nodes": {"type": "array", "items": _ref("vector"), "minItems": 3},
        "corners": {"type": "array", "items": _ref("vector"), "minItems": 4, "maxItems": 4},
        "elements": {"type": "array", "items": {"type": "array", "items": _ref("whole"), "minItems": 3, "maxItems": 4}},
        "groups": {"type": "object", "additionalProperties": {"type": "array", "items": _ref("whole")}},
        "divisions": {"type": "array", "items": _ref("whole"), "minItems": 2, "maxItems": 2},
        "triangles": {"type": "boolean"}, "around": _ref("whole"), "across": _ref("whole"), "centre": _ref("vector"),
        "axis": _ref("direction"),
    },
    "superelement": {
        "shape": _ref("body_shape"), "file": {"type": "string"}, "mesh": {"type": "string"}, "units": {"enum": ["mm", "m"]},
        "modes": _ref("whole"), "matrices": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
        "positions": {"type": "object", "additionalProperties": _ref("vector")},
        "interfaces": {
            "type": "object", "minProperties": 1, "additionalProperties": {"anyOf": [{"type": "string"}, _ref("interface")]}
        },
    },
    "interface": {
        "node_set": {"type": "string"}, "nodes": {"type": "array", "items": _ref("whole")}, "position": _ref("vector"),
        "cylinder": _selection({"centre": "vector", "axis": "direction", "radius": "", "length": ""}, "length"),
        "plane": _selection({"point": "vector", "normal": "direction"}), "box": _selection({"low": "vector", "high": "vector"}),
    },
    "friction_table": {"speeds": _ref("list"), "forces": _ref("list"), "coefficients": _ref("rows")},
    "varying": {"over": {"enum": list(CYCLES)}},
    "function": {"over": {"enum": ["time", "angle"]}},
    "wheel": {"with_mass": {"type": "boolean"}}, "solid": {"axis": {"enum": ["x", "y", "z"]}, "file": {"type": "string"}},
}  # fmt: skip


def value_schema(entry: Entry, key: str, group: str) -> Schema:
    """Schema of one argument."""
    parameter: inspect.Parameter = entry.arguments[key]
    if entry.call in (Flank, Loaded) and key == "bore":
        return {"enum": list(BORES if entry.call is Flank else BORES_OF_TABLES)}
    if entry.call is Elastic and key == "torque":
        return QUANTITY
    if entry.call is Flank and key in ("backlash", "friction"):
        return QUANTITY
    own = _IN.get(group, {}).get(key)
    if own is not None:
        return own
    if isinstance(parameter.default, bool):
        return {"type": "boolean"}
    return _BY_NAME.get(key, QUANTITY)
