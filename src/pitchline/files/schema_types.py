"""Types of values in the schema of model files, and readers of single values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, get_args

from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.flexible.shapes import OPTIONAL, SHAPES
from pitchline.parts.gears.geometry.directions import ALONG
from pitchline.parts.meshes.laws.common import DAMPING_ACTS, DAMPING_RATES, LINES_OF_ACTION, SIDES, SLIDING
from pitchline.parts.meshes.laws.elastic import ISO_6336, LOADED, TOOTH_VARIATIONS, Elastic
from pitchline.parts.meshes.laws.flank import BORES, BORES_OF_TABLES, Flank
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.laws.varying import CYCLES
from pitchline.parts.shafts.segment import MassKind
from pitchline.results.order_track import Window

from .catalogue import Entry, entry_of

__all__ = [
    "ABOUT_POSES",
    "ANALYSES",
    "EXPLICIT",
    "GEAR_BORES",
    "LINEARISED",
    "OF_GEARS",
    "OF_PAIRS",
    "OF_SIGNALS",
    "OF_WHEELS",
    "SIGNALS",
    "STUDIES",
    "WITH_SIGNALS",
    "WITH_STATES",
    "analysis",
    "the_pair",
    "the_wheel",
    "DEFINITIONS",
    "value_schema",
    "shape_schema",
]


# ---- analysis kinds

# Kinds of analyses in model files, and the function of the Python API for each kind.
#
# Their modules import the compiled engine. They are imported only when needed.

ANALYSES = (
    "statics",
    "kinematics",
    "dynamics",
    "penalty_motion",
    "node_contact_motion",
    "explicit_motion",
    "modes",
    "frequency_response",
    "linear_model",
    "campbell",
    "floquet",
    "loaded_contact",
    "flank_contact",
    "rigid_contact",
    "gear_modes",
    "gear_grid",
    "elastic_gear",
    "spectrum",
    "spectrogram",
    "order_spectrum",
    "order_map",
    "order_track",
    "peak_hold",
    "fold",
    "sweep",
    "batch",
    "batch_sweep",
    "continuation",
    "optimum",
)
"""Kinds of analyses."""
STUDIES = ("sweep", "batch", "batch_sweep", "continuation", "optimum")
"""Kinds that run the model of the file at many points."""
WITH_STATES = ("statics", "kinematics", "dynamics")
"""Kinds with results that another analysis can start from."""
EXPLICIT = ("penalty_motion", "node_contact_motion", "explicit_motion")
"""Kinds of explicit steps, which start from the initial pose of the model."""
WITH_SIGNALS = (*WITH_STATES, *EXPLICIT)
"""Kinds with signals."""
LINEARISED = ("modes", "linear_model", "frequency_response", "campbell", "floquet")
"""Kinds of linear analyses, which accept about = "initial"."""
OF_PAIRS = ("loaded_contact", "flank_contact", "rigid_contact")
"""Kinds for the teeth of one gear pair, in its position in the model."""
ABOUT_POSES = ("loaded_contact",)
"""Kinds that can use the gear positions at the end of an earlier analysis."""
OF_WHEELS = ("gear_modes", "gear_grid")
"""Kinds for one gear of the model."""
GEAR_BORES = ("free", "fixed", "shaft")
"""Boundary conditions for the bore of such a gear."""
OF_GEARS = ("elastic_gear",)
"""Kinds for one gear of the file."""
OF_SIGNALS = ("spectrum", "spectrogram", "order_spectrum", "order_map", "order_track", "peak_hold", "fold")
"""Kinds that use signals of an earlier analysis."""
SIGNALS = ("signal", "angle", "speed", "phase")
"""Their arguments that are signals."""


@cache
def analysis(kind: str) -> Entry:
    """The analysis function of a kind. Its first argument is the model, for gear analyses the gear, for signal analyses
    none."""
    function = (_function_of_signals if kind in OF_SIGNALS else _study if kind in STUDIES else _function)(kind)
    if kind in OF_PAIRS:
        return _of_pair(function)
    if kind in OF_WHEELS:
        return _of_wheel(function)
    if kind in OF_SIGNALS:
        return _of_signals(function)
    if kind in OF_GEARS:
        return _of_gear(function)
    return (
        entry_of(function, never=("source", "overrides", "allow", "state")) if kind in STUDIES else entry_of(function)
    )


def _of_pair(function: Callable[..., Any]) -> Entry:
    """Both gears and their relative position are those of a pair of the model."""

    @wraps(function)
    def call(model: Model, pair: str | None = None, **options: Any) -> Any:
        return function(model, the_pair(model, pair), **options)

    said = entry_of(function, never=("a", "b", "centre_distance", "shaft_angle")).arguments
    return Entry(call, {"pair": inspect.Parameter("pair", inspect.Parameter.KEYWORD_ONLY, default=None), **said})


def the_pair(model: Model, name: object) -> str:
    """The pair with this name. Without a name: the only pair of the model."""
    if name is None and len(model.gear_pairs) == 1:
        return next(iter(model.gear_pairs))
    if not isinstance(name, str) or name not in model.gear_pairs:
        said = "specify the gear pair" if name is None else f"there is no gear pair {shown(name)}"
        raise ModelError(f"{said}; {near_names(str(name), model.gear_pairs)}")
    return name


def _of_wheel(function: Callable[..., Any]) -> Entry:
    """The gear is that of a wheel of the model."""

    @wraps(function)
    def call(model: Model, gear: str | None = None, **options: Any) -> Any:
        return function(model, the_wheel(model, gear), **options)

    said = entry_of(function, never=("gear", "wheel")).arguments
    return Entry(call, {"gear": inspect.Parameter("gear", inspect.Parameter.KEYWORD_ONLY, default=None), **said})


def the_wheel(model: Model, name: object) -> str:
    """The wheel with this name. Without a name: the only wheel of the model."""
    if name is None and len(model.wheels) == 1:
        return next(iter(model.wheels))
    if not isinstance(name, str) or name not in model.wheels:
        said = "specify the gear" if name is None else f"no body or wheel {shown(name)} of the model has a gear"
        raise ModelError(f"{said}; {near_names(str(name), model.wheels)}")
    return name


def _of_gear(function: Callable[..., Any]) -> Entry:
    """The function gets the gear and its name. The material is that of the gear."""
    said = entry_of(function, never=("teeth", "material", "cache", "name")).arguments
    return Entry(function, {"gear": inspect.Parameter("gear", inspect.Parameter.KEYWORD_ONLY), **said})


def _of_signals(function: Callable[..., Any]) -> Entry:
    """after, before: limits of the time range."""
    further = {key: inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=None) for key in ("after", "before")}
    said = entry_of(function)
    return Entry(said.call, {**said.arguments, **further})


def _function(kind: str) -> Callable[..., Any]:
    match kind:
        case "statics":
            from pitchline.analyses.statics import statics

            return statics
        case "kinematics":
            from pitchline.analyses.kinematics import kinematics

            return kinematics
        case "dynamics":
            from pitchline.analyses.dynamics import dynamics

            return dynamics
        case "penalty_motion":
            from pitchline.parts.contact.penalty_motion import penalty_motion

            return penalty_motion
        case "node_contact_motion":
            from pitchline.parts.contact.node_contact import node_contact_motion

            return node_contact_motion
        case "explicit_motion":
            from pitchline.parts.contact.explicit_motion import explicit_motion

            return explicit_motion
        case "modes":
            from pitchline.analyses.modes import modes

            return modes
        case "frequency_response":
            from pitchline.analyses.frequency_response import frequency_response

            return frequency_response
        case "linear_model":
            from pitchline.analyses.frequency_response import linear_model

            return linear_model
        case "campbell":
            from pitchline.analyses.campbell import campbell

            return campbell
        case "floquet":
            from pitchline.analyses.campbell import floquet

            return floquet
        case "loaded_contact":
            from pitchline.parts.contact.loaded_contact import loaded_contact

            return loaded_contact
        case "flank_contact":
            from pitchline.parts.contact.flank_contact import flank_contact

            return flank_contact
        case "rigid_contact":
            from pitchline.parts.contact.rigid_contact import rigid_contact

            return rigid_contact
        case "gear_modes":
            from pitchline.parts.gears.analysis import gear_modes

            return gear_modes
        case "gear_grid":
            from pitchline.parts.gears.analysis import gear_grid

            return gear_grid
        case "elastic_gear":
            from pitchline.fem.elastic_gear import elastic_gear

            return elastic_gear
    raise ModelError(f"there is no analysis {shown(kind)}; {near_names(str(kind), ANALYSES)}")


def _function_of_signals(kind: str) -> Callable[..., Any]:
    match kind:
        case "spectrum":
            from pitchline.results.order_track import spectrum

            return spectrum
        case "spectrogram":
            from pitchline.results.order_track import spectrogram

            return spectrogram
        case "order_spectrum":
            from pitchline.results.order_track import order_spectrum

            return order_spectrum
        case "order_map":
            from pitchline.results.order_track import order_map

            return order_map
        case "order_track":
            from pitchline.results.order_track import order_track

            return order_track
        case "peak_hold":
            from pitchline.results.signal import peak_hold

            return peak_hold
        case "fold":
            from pitchline.results.folding import fold

            return fold
    raise ModelError(f"there is no analysis {shown(kind)}; {near_names(str(kind), ANALYSES)}")


def _study(kind: str) -> Callable[..., Any]:
    from .study_runs import study_function

    return study_function(kind)


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


# ---- shape schema

# Schema of the shapes of flexible bodies, from the table of their kinds.

_SEAT: Schema = {
    "type": "object", "required": ["at", "diameter"], "additionalProperties": False,
    "properties": {
        "at": {"type": "array", "items": QUANTITY, "minItems": 2, "maxItems": 2}, "diameter": QUANTITY,
        "plate": {"enum": ["low", "high"]},
    },
}  # fmt: skip
_VALUES: dict[str, Schema] = {
    "size": {"type": "array", "items": QUANTITY, "minItems": 3, "maxItems": 3},
    "seats": {"type": "object", "additionalProperties": _SEAT},
}


def shape_schema() -> Schema:
    """One of several tables, by its kind."""
    found = []
    for kind, keys in SHAPES.items():
        properties: Schema = {"kind": {"const": kind}}
        properties |= {key: {**_VALUES.get(key, QUANTITY), "description": text} for key, text in keys.items()}
        required = ["kind", *(key for key in keys if key not in OPTIONAL)]
        found.append({"type": "object", "properties": properties, "required": required, "additionalProperties": False})
    return {"oneOf": found}
