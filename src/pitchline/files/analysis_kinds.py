"""Kinds of analyses in model files, and the function of the Python API for each kind.

Their modules import the compiled engine. They are imported only when needed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from ..errors import ModelError, near_names, shown
from ..model import Model
from .catalogue import Entry, entry_of

__all__ = [
    "ABOUT_POSES", "ANALYSES", "EXPLICIT", "GEAR_BORES", "LINEARISED", "OF_GEARS", "OF_PAIRS", "OF_SIGNALS", "OF_WHEELS",
    "SIGNALS", "STUDIES", "WITH_SIGNALS", "WITH_STATES", "analysis", "the_pair", "the_wheel",
]  # fmt: skip

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
            from ..analyses.statics import statics

            return statics
        case "kinematics":
            from ..analyses.kinematics import kinematics

            return kinematics
        case "dynamics":
            from ..analyses.dynamics import dynamics

            return dynamics
        case "penalty_motion":
            from ..analyses.penalty_motion import penalty_motion

            return penalty_motion
        case "node_contact_motion":
            from ..analyses.node_contact_motion import node_contact_motion

            return node_contact_motion
        case "explicit_motion":
            from ..analyses.explicit_motion import explicit_motion

            return explicit_motion
        case "modes":
            from ..analyses.modes import modes

            return modes
        case "frequency_response":
            from ..analyses.frequency_response import frequency_response

            return frequency_response
        case "linear_model":
            from ..analyses.frequency_response import linear_model

            return linear_model
        case "campbell":
            from ..analyses.campbell import campbell

            return campbell
        case "floquet":
            from ..analyses.floquet import floquet

            return floquet
        case "loaded_contact":
            from ..analyses.loaded_contact import loaded_contact

            return loaded_contact
        case "flank_contact":
            from ..analyses.flank_contact import flank_contact

            return flank_contact
        case "rigid_contact":
            from ..analyses.rigid_contact import rigid_contact

            return rigid_contact
        case "gear_modes":
            from ..analyses.gear_modes import gear_modes

            return gear_modes
        case "gear_grid":
            from ..analyses.gear_grid import gear_grid

            return gear_grid
        case "elastic_gear":
            from ..fem.elastic_gear import elastic_gear

            return elastic_gear
    raise ModelError(f"there is no analysis {shown(kind)}; {near_names(str(kind), ANALYSES)}")


def _function_of_signals(kind: str) -> Callable[..., Any]:
    match kind:
        case "spectrum":
            from ..results.spectrum import spectrum

            return spectrum
        case "spectrogram":
            from ..results.spectrogram import spectrogram

            return spectrogram
        case "order_spectrum":
            from ..results.order_spectrum import order_spectrum

            return order_spectrum
        case "order_map":
            from ..results.order_map import order_map

            return order_map
        case "order_track":
            from ..results.order_track import order_track

            return order_track
        case "peak_hold":
            from ..results.peak_hold import peak_hold

            return peak_hold
        case "fold":
            from ..results.folding import fold

            return fold
    raise ModelError(f"there is no analysis {shown(kind)}; {near_names(str(kind), ANALYSES)}")


def _study(kind: str) -> Callable[..., Any]:
    from .study_kinds import study_function

    return study_function(kind)
