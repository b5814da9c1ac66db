"""What a file may say: for every kind of table the callable of the Python API behind it, and its arguments.

Keys of a table are the arguments of that callable, read from its signature, so that files and Python cannot drift apart.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..errors import ModelError, near_names, shown
from ..fem.sector_grid import sector_grid
from ..gears import Gear, GearBody, Hob, Material, Rack, Shaper, hypoid_pinion
from ..gears.teeth import (
    Bias,
    DeviationGrid,
    EndRelief,
    FlankModifications,
    HelixSlope,
    LeadCrowning,
    PitchDeviation,
    PressureAngleSlope,
    ProfileCrowning,
    RootRelief,
    TipRelief,
)
from ..model import (
    KINDS,
    Body,
    Constant,
    Elastic,
    Flank,
    Fourier,
    Harmonic,
    Loaded,
    MassProperties,
    Model,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Rigid,
    Rolling,
    Stribeck,
    Sum,
    Support,
    Table,
    Varying,
    bar,
    cylinder,
    planetary,
    sphere,
    tube,
)

__all__ = [
    "ANALYSES",
    "BODY",
    "DRIVE",
    "ELEMENTS",
    "FLANK_MODIFICATIONS",
    "FRAME",
    "FUNCTIONS",
    "GEARS",
    "GEAR_BODY",
    "GEAR_PAIR",
    "GEAR_SHAPE",
    "GRID_FILE",
    "JOINTS",
    "LOADS",
    "MATERIAL",
    "MESHES",
    "MODIFICATIONS",
    "MODULES",
    "OF_THE_GEAR",
    "PLANETARY",
    "SOLIDS",
    "STRIBECK",
    "SUPPORT",
    "TOOLS",
    "TOP",
    "VARYING",
    "WHEEL",
    "Entry",
    "analysis",
]

_NOT_SAID = ("self", "name", "model", "what", "progress", "checkpoint", "checkpoint_seconds")


@dataclass(frozen=True)
class Entry:
    """One kind of table.

    call:      what makes the thing
    arguments: keys of the table and the parameters behind them
    renamed:   keys that are called otherwise in Python
    """

    call: Callable[..., Any]
    arguments: Mapping[str, inspect.Parameter]
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def required(self) -> tuple[str, ...]:
        """Keys that have no default."""
        return tuple(key for key, parameter in self.arguments.items() if parameter.default is parameter.empty)

    def default(self, key: str) -> Any:
        return self.arguments[key].default


def _entry(call: Callable[..., Any], *, also: tuple[str, ...] = (), never: tuple[str, ...] = (), **renamed: str) -> Entry:
    """also, never: arguments that are keys, or none, whatever the rule says."""
    back = {there: here for here, there in renamed.items()}
    found = {
        back.get(name, name): parameter
        for name, parameter in inspect.signature(call).parameters.items()
        if name in also or (name not in (*_NOT_SAID, *never) and parameter.kind is not parameter.VAR_KEYWORD)
    }
    return Entry(call, found, renamed)


TOP = (
    "name", "description", "gravity", "plane", "include", "model", "parameters", "materials", "gears", "bodies", "wheels",
    "planetary", "frames", "joints", "gear_pairs", "drives", "loads", "elements", "analyses", "figures", "plot",
)  # fmt: skip
"""Keys at the top of a file; name, description, gravity and plane may stand in [model] as well."""

MATERIAL = _entry(Material)


def _hypoid() -> Entry:
    """A hypoid pinion: what its wheel does not decide is said as of any gear."""
    own = _entry(hypoid_pinion).arguments
    decided = (*own, "normal_module", "normal_pressure_angle", "helix_angle", "lead_angle", "cone_angle", "starts", "internal", "worm")
    others = {key: p for key, p in _entry(Gear).arguments.items() if key not in decided}
    return Entry(hypoid_pinion, {**own, **others})


GEARS = {"gear": _entry(Gear), "rack": _entry(Rack), "hypoid_pinion": _hypoid()}


def _by_module(call: Callable[..., Any], *more: str) -> Entry:
    """A gear with another module in place of the normal one; more: further keys, which may be left out."""
    arguments = {key: p for key, p in GEARS["gear"].arguments.items() if key != "normal_module"}
    further = {key: inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=None) for key in more}
    return Entry(call, {**arguments, **_entry(call).arguments, **further})


MODULES = {
    "outer_module": _by_module(Gear.from_outer_module),
    "axial_module": _by_module(Gear.from_axial_module, "hand"),
}
BODY, GEAR_BODY, WHEEL = _entry(Model.body), _entry(Model.gear_body), _entry(Model.wheel)
PLANETARY = _entry(planetary)
SUPPORT = _entry(Support)
FRAME = _entry(Body.frame, also=("name",))
JOINTS = {kind: _entry(getattr(Model, kind)) for kind in KINDS}
GEAR_PAIR, DRIVE = _entry(Model.gear_pair), _entry(Model.drive)
LOADS = {
    kind: _entry(getattr(Model, kind))
    for kind in ("force", "torque", "spring", "string", "torsion_spring", "bushing", "stop")
}
SOLIDS = {"bar": _entry(bar), "cylinder": _entry(cylinder), "sphere": _entry(sphere), "tube": _entry(tube),
          "mass_properties": _entry(MassProperties)}  # fmt: skip
OF_THE_GEAR = {
    key: "the teeth of a wheel are those of its gear, with their modifications: give them to the gear in [gears]"
    for key in ("modifications_a", "modifications_b", "teeth_a", "teeth_b", "modifications")
}
"""Keys that people look for on a mesh, and what to do instead."""
MESHES = {
    "elastic": _entry(Elastic),
    "loaded": _entry(Loaded),
    "flank": _entry(Flank),
    "rigid": _entry(Rigid),
    "rolling": _entry(Rolling),
}
MODIFICATIONS = {
    "tip_relief": _entry(TipRelief),
    "root_relief": _entry(RootRelief),
    "end_relief": _entry(EndRelief),
    "profile_crowning": _entry(ProfileCrowning),
    "lead_crowning": _entry(LeadCrowning),
    "pressure_angle_slope": _entry(PressureAngleSlope),
    "helix_slope": _entry(HelixSlope),
    "bias": _entry(Bias),
    "pitch_deviation": _entry(PitchDeviation),
    "deviation_grid": _entry(DeviationGrid),
}
GRID_FILE = _entry(DeviationGrid.from_csv, file="path")
"""A measured flank in a file of its own."""
FLANK_MODIFICATIONS = _entry(FlankModifications)
"""Of a gear: those of both flanks, of one, and of single teeth."""
TOOLS = {"hob": _entry(Hob), "shaper": _entry(Shaper)}
GEAR_SHAPE = _entry(GearBody)
"""The body of a gear, below its teeth."""
ELEMENTS = _entry(sector_grid, never=("teeth", "modified"))
"""Options of the finite elements of a gear."""
FUNCTIONS = {
    "constant": _entry(Constant),
    "harmonic": _entry(Harmonic),
    "fourier": _entry(Fourier),
    "polynomial": _entry(Polynomial),
    "ramp": _entry(Ramp),
    "table": _entry(Table, interpolation="kind"),
    "piecewise_polynomial": _entry(PiecewisePolynomial),
    "sum": _entry(Sum),
}
VARYING, STRIBECK = _entry(Varying), _entry(Stribeck)

ANALYSES = ("statics", "kinematics", "dynamics", "modes", "frequency_response", "campbell", "floquet", "linear_model")
"""Kinds of analyses."""


@cache
def analysis(kind: str) -> Entry:
    """The analysis of a kind. Its module brings the compiled engine, so it is imported only when asked for."""
    return _entry(_analysis_function(kind))


def _analysis_function(kind: str) -> Callable[..., Any]:
    match kind:
        case "statics":
            from ..analyses.statics import statics

            return statics
        case "kinematics":
            from ..analyses.kinematics import kinematics

            return kinematics
        case "dynamics":
            from ..analyses.dynamics import dynamics

            return dynamics
        case "modes":
            from ..analyses.modes import modes

            return modes
        case "frequency_response":
            from ..analyses.frequency_response import frequency_response

            return frequency_response
        case "campbell":
            from ..analyses.campbell import campbell

            return campbell
        case "floquet":
            from ..analyses.floquet import floquet

            return floquet
        case "linear_model":
            from ..analyses.frequency_response import linear_model

            return linear_model
    raise ModelError(f"there is no analysis {shown(kind)}; {near_names(str(kind), ANALYSES)}")
