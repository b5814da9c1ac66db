"""Plots: the pictures that a file declares for its results and its studies."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from pitchline.errors import ModelError, near_names, shown
from pitchline.facades import plotter
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from .analysis_steps import THEN, Step, varied_names
from .element_schema import first_line
from .figure_scope import FigureScope, FileParts, unknown_signal
from .key_lines import Path
from .parameters import Broken
from .schema_types import QUANTITY, STUDIES, WITH_SIGNALS, Schema, value_schema
from .sources import Sources
from .study_runs import RANGE, VALUES

if TYPE_CHECKING:
    from .analysis_steps import Step

__all__ = [
    "OF_STUDY_PLOTS",
    "STUDY_KEYS",
    "check_study_plot",
    "draw_study",
    "KEYS",
    "PlotSpec",
    "draw_plot",
    "read_plots",
    "study_definitions",
    "study_plot_keys",
    "study_value",
]


# ---- study plots

# Pictures of studies that a file declares: their keys, checks before the run, and arguments of the plot functions.

WHAT = ("curves", "map", "scatter", "histogram", "sensitivity", "bars")
_OF_POINTS = ("variables", "what", "over", "by", "each", "boundary", "compare", "items", "labels", "log", "where")
OF_STUDY_PLOTS: dict[str, tuple[str, ...]] = {
    "sweep": _OF_POINTS,
    "batch": _OF_POINTS,
    "batch_sweep": _OF_POINTS,
    "continuation": ("variables", "sweep", "branches"),
    "optimum": (),
}
"""Keys of a plot of a study, by its kind."""
TEXTS = ("by", "each", "boundary", "sweep")
LISTS = ("variables", "compare", "items", "labels", "branches")
STUDY_KEYS = (*TEXTS, *LISTS, "where")
"""Keys that only plots of studies have."""

TellPlot = Callable[..., None]


def check_study_plot(table: Mapping[str, Any], step: Step, steps: Sequence[Step], tell: TellPlot) -> None:
    """Check the values of a plot of a study."""
    if step.kind == "optimum":
        return
    if table.get("what", WHAT[0]) not in WHAT:
        tell(f"there is no picture {shown(table['what'])}; {near_names(str(table['what']), WHAT)}", "what")
    known = [*step.options.get("figures", ()), *step.options.get("reduce", ())]
    poincare = step.options.get("poincare")
    if isinstance(poincare, list) and poincare:
        known += [f"{poincare[0]}.poincare", f"{poincare[0]}.poincare_rate"]
    if step.kind in ("batch", "batch_sweep"):
        known.append("closure")
    for n, name in enumerate(table.get("variables", ())):
        if name not in known:
            tell(f'"{step.name}" has no variable {shown(name)}; {near_names(str(name), known)}', "variables", n)
    if "boundary" in table and table["boundary"] not in known:
        boundary = table["boundary"]
        tell(f'"{step.name}" has no variable {shown(boundary)}; {near_names(str(boundary), known)}', "boundary")
    varied = [*varied_names(step.options), *(("direction",) if step.kind == "batch_sweep" else ())]
    for key in ("over", "by", "each"):
        if key in table and table[key] not in varied:
            tell(f'"{step.name}" has no parameter {shown(table[key])}; {near_names(str(table[key]), varied)}', key)
    where = table.get("where", {})
    if not isinstance(where, dict):
        tell(f'must be a table of parameters, e.g. {{ torque = "100 N*m" }}, got {shown(where)}', "where")
    else:
        for name in where:
            if name not in varied:
                tell(f'"{step.name}" has no parameter {shown(name)}; {near_names(name, varied)}', "where", name)
    _check_others(table, steps, tell)


def _check_others(table: Mapping[str, Any], steps: Sequence[Step], tell: TellPlot) -> None:
    """Check the names of other analyses."""
    kinds = {step.name: step.kind for step in steps}
    sweeps = [name for name, kind in kinds.items() if kind in STUDIES and kind not in ("continuation", "optimum")]
    branches = [name for name, kind in kinds.items() if kind == "continuation"]
    if "sweep" in table and table["sweep"] not in sweeps:
        tell(f"there is no study {shown(table['sweep'])}; {near_names(str(table['sweep']), sweeps)}", "sweep")
    for key, known in (("compare", sweeps), ("branches", branches)):
        for n, name in enumerate(table.get(key, ())):
            if name not in known:
                tell(f"there is no study {shown(name)}; {near_names(str(name), known)}", key, n)


def draw_study(spec: PlotSpec, run: Mapping[str, Any], path: str | FilePath | None) -> Any:
    """Draw the picture of a study, and save it if a path is given; returns the figure."""
    found = run[spec.analysis]
    options = dict(spec.options)
    names = options.pop("variables", ())
    if found.kind == "optimum":
        return plotter("Optimum")(found, path=path, **options)
    if found.kind == "continuation":
        options["branches"] = [run[name] for name in options.pop("branches", ()) if name in run]
        sweep = options.pop("sweep", None)
        return plotter("Continuation")(found, *names, sweep=run.get(sweep) if sweep else None, path=path, **options)
    where = options.pop("where", None)
    options["kind"] = options.pop("what", None)
    if "compare" in options:
        options["compare"] = {spec.analysis: found, **{name: run[name] for name in options["compare"] if name in run}}
    return plotter("StudyResult")(found.where(**where) if where else found, *names, path=path, **options)


STUDY_LISTS = LISTS

STUDY_TEXTS = TEXTS


_TEXTS, _FLAGS = (
    ("name", "title", "what", "over", "pair", "shaft", "bearing", "view", "up"),
    ("log", "decibels", "phase", "crossings"),
)
_LISTS = ("signals", "others", "outputs", "inputs", "hide", "transparent", "arrows")
_NUMBERS = ("after", "before", "end", "torque", "limit", "position", "scale", "time")
KEYS = ("analysis", *_TEXTS, *_FLAGS, *_LISTS, *_NUMBERS, *STUDY_KEYS)
_COMMON = ("analysis", "name", "title")
_OF_KIND: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        WITH_SIGNALS,
        (
            "signals",
            "others",
            "what",
            "pair",
            "shaft",
            "bearing",
            "scale",
            "time",
            "hide",
            "transparent",
            "arrows",
            "view",
            "up",
            "after",
            "before",
        ),
    ),
    "modes": ("end",),
    "frequency_response": ("outputs", "inputs", "decibels"),
    "campbell": ("end", "crossings"),
    "floquet": (),
    "loaded_contact": ("what", "torque"),
    "flank_contact": ("what", "others", "torque", "position", "over", "limit"),
    "rigid_contact": ("what",),
    "gear_modes": ("end",),
    "gear_grid": (),
    "spectrum": ("end", "log"),
    "order_spectrum": ("end", "log"),
    "spectrogram": ("over", "end", "log"),
    "order_map": ("over", "end", "log"),
    "order_track": ("over", "phase"),
    "peak_hold": (),
    "fold": (),
    **OF_STUDY_PLOTS,
}
"""Keys of a plot of the result of an analysis, by its kind."""
_DIMENSIONS = {
    "after": "time",
    "before": "time",
    "torque": "torque",
    "limit": "pressure",
    "position": "number",
    "scale": "number",
    "time": "time",
}
_ARGUMENTS = {"after": "start", "before": "end", "time": "t"}
TOOTH_PAIRS = "tooth pairs"
_MACHINE = {
    "shaft": ("shaft",),
    "bearing": ("bearing",),
    "deformed": ("scale",),
    "state": ("time", "scale", "hide", "transparent", "arrows", "view", "up"),
}
"""Pictures of a machine, and the keys that only they have."""
_WHAT = {
    **dict.fromkeys(WITH_SIGNALS, ("signals", TOOTH_PAIRS, *_MACHINE)),
    "loaded_contact": (
        "overview",
        "transmission error",
        "stiffness",
        "load sharing",
        "spectrum",
        "pattern",
        "face load",
    ),
    "flank_contact": ("flank", "teeth"),
    "rigid_contact": ("transmission error", "pattern"),
}


@dataclass(frozen=True)
class PlotSpec:
    """One picture.

    name:     part of its file name, if there are several pictures
    analysis: name of the analysis whose result is drawn
    signals:  names or patterns, for an analysis with signals
    others:   names of analyses whose results are drawn in the same picture
    options:  further arguments of the plot
    """

    name: str
    analysis: str
    signals: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def drawn(self, run: Mapping[str, Any]) -> list[str]:
        """The analyses of the picture that ran: that of the plot, or else the first of the others, comes first."""
        return [name for name in (self.analysis, *self.others) if name in run]


def draw_plot(spec: PlotSpec, run: Mapping[str, Any], path: str | FilePath | None) -> Any:
    """Draw a picture of a run, and save it if a path is given; returns the figure. Requires `pitchline.views` to be imported."""
    names = spec.drawn(run) or [spec.analysis]
    found = run[names[0]]
    if getattr(found, "kind", "") in ("study", "continuation", "optimum"):
        return draw_study(spec, run, path)
    options = dict(spec.options)
    if len(names) > 1:
        options |= {"label": names[0], "others": {name: run[name] for name in names[1:]}}
    kind = type(found).__name__
    if isinstance(found, Result):
        what = options.pop("what", "signals")
        kind = "Result" if what == "signals" else what
        if what == "shaft":
            options.setdefault("shaft", None)
        if what == "bearing":
            named = options.pop("bearing", None)
            return plotter(kind)(found, *([named] if named else []), path=path, **options)
    return plotter(kind)(found, *spec.signals, path=path, **options)


def read_plots(
    data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...], parts: FileParts | None = None
) -> tuple[PlotSpec, ...]:
    """The plots of a file. parts: None if the model is not complete. Errors are added to the problems."""
    given = data.get("plot", [])
    if not isinstance(given, (dict, list)):
        message = (
            f'must be a table, e.g. signals = ["mesh.normal_force"], or several tables, [[plot]]; got {shown(given)}'
        )
        sources.problems.append(sources.problem(("plot",), message))
        return ()
    tables: list[tuple[Path, Any]] = [(("plot",), given)] if isinstance(given, dict) else [
        (("plot", n), table) for n, table in enumerate(given)
    ]  # fmt: skip
    found: list[PlotSpec] = []
    for n, (path, table) in enumerate(tables):
        spec = _PlotReader(sources, path, steps, parts).plot(table, n)
        if spec is not None and any(spec.name == other.name for other in found):
            sources.problems.append(
                sources.problem(path, f'another plot has the name "{spec.name}". Specify a different name for each')
            )
        elif spec is not None:
            found.append(spec)
    return tuple(found)


class _PlotReader:
    def __init__(self, sources: Sources, path: Path, steps: tuple[Step, ...], parts: FileParts | None) -> None:
        self.sources, self.path, self.steps, self.parts = sources, path, steps, parts
        self.bad = False

    def tell(self, message: str, *key: str | int) -> None:
        self.bad = True
        self.sources.problems.append(self.sources.problem((*self.path, *key), message))

    def plot(self, table: Any, number: int) -> PlotSpec | None:
        if not isinstance(table, dict):
            self.tell(f'must be a table, e.g. signals = ["mesh.normal_force"], got {shown(table)}')
            return None
        for key in table:
            if key not in KEYS:
                self.tell(f'unknown key "{key}" of a plot; {near_names(key, KEYS)}', key)
        step = self._step(table)
        if step is None:  # without analyses only the keys are checked; other commands may run analyses
            return None
        known = (*_COMMON, *_OF_KIND.get(step.kind, ()))
        for key, value in table.items():
            if key in KEYS and key not in known:
                self.tell(f'a plot of {step.kind} has no "{key}"; {near_names(key, known)}', key)
            elif isinstance(value, Broken):
                self.bad = True
            else:
                self._check(key, value)
        self._others(table, step)
        if step.kind in WITH_SIGNALS:
            self._signals(table.get("signals"), step, needed=table.get("what", "signals") == "signals")
            self._pair(table)
            self._machine(table)
        if step.is_study and not self.bad:
            check_study_plot(table, step, self.steps, self.tell)
        pictures = _WHAT.get(step.kind, ())
        if "what" in known and pictures and table.get("what", pictures[0]) not in pictures:
            self.tell(f"there is no picture {shown(table['what'])}; {near_names(str(table['what']), pictures)}", "what")
        name = table.get("name", step.name if number else "")
        if isinstance(name, str) and "/" in name:
            self.tell(f'must be a text without "/", got {shown(name)}', "name")
        options = {} if self.bad else self._options(table, step)
        if self.bad:
            return None
        signals, others = tuple(table.get("signals", ())), tuple(table.get("others", ()))
        return PlotSpec(str(name), step.name, signals, others, options)

    def _step(self, table: Mapping[str, Any]) -> Step | None:
        """The analysis to draw: the last one that has the signals, or the last one of all."""
        name = table.get("analysis")
        if name is None:
            runs = [step for step in self.steps if not step.skipped]
            able = [step for step in runs if "signals" not in table or step.kind in WITH_SIGNALS]
            if not able and self.steps:
                self.tell("the file has no analysis with signals to plot. Add one, or remove the signals", "signals")
            return able[-1] if able else None
        for step in self.steps:
            if step.name == name:
                return step
        self.tell(
            f"there is no analysis {shown(name)}; {near_names(str(name), [s.name for s in self.steps])}", "analysis"
        )
        return None

    def _check(self, key: str, value: Any) -> None:
        if key in (*_TEXTS, *STUDY_TEXTS) and not isinstance(value, str):
            self.tell(f"must be a text, got {shown(value)}", key)
        if key in _FLAGS and not isinstance(value, bool):
            self.tell(f"must be true or false, got {shown(value)}", key)
        if key in (*_LISTS, *STUDY_LISTS) and not (
            isinstance(value, list) and all(isinstance(name, str) for name in value)
        ):
            self.tell(f"must be a list of names, got {shown(value)}", key)

    def _others(self, table: Mapping[str, Any], step: Step) -> None:
        """Further analyses in the picture: they must have results of the same type."""
        given = table.get("others", [])
        picture = table.get("what", "signals")
        if given and (picture in _MACHINE or picture == "teeth"):
            self.tell(f'a plot with what = "{picture}" has no "others"', "others")
        alike = WITH_SIGNALS if step.kind in WITH_SIGNALS else (step.kind,)
        able = [one.name for one in self.steps if one.kind in alike and one.name != step.name]
        for n, name in enumerate(given if isinstance(given, list) else []):
            if isinstance(name, str) and name not in able:
                self.tell(
                    f"there is no other analysis of this type, {shown(name)}; {near_names(name, able)}", "others", n
                )

    def _pair(self, table: Mapping[str, Any]) -> None:
        """The gear pair whose tooth pairs are drawn; its mesh must compute single tooth pairs."""
        if table.get("what") != TOOTH_PAIRS:
            if "pair" in table:
                self.tell(f'only a plot with what = "{TOOTH_PAIRS}" has "pair"', "pair")
            return
        if self.parts is None:
            return
        able = [name.removesuffix(".pair_forces") for name in self.parts.signals if name.endswith(".pair_forces")]
        pair = table.get("pair")
        if not able:
            self.tell(
                'forces of single tooth pairs need a gear pair with mesh = "flank", but the model has none', "what"
            )
        elif pair is None and len(able) > 1:
            self.tell(f"specify the gear pair: {', '.join(able)}")
        elif pair is not None and pair not in able:
            self.tell(f'there is no gear pair {shown(pair)} with mesh = "flank"; {near_names(str(pair), able)}', "pair")

    def _machine(self, table: Mapping[str, Any]) -> None:
        """Check a picture of a shaft, a bearing or the whole machine: what the model has, and only its own keys."""
        what = table.get("what")
        for key in {key: None for keys in _MACHINE.values() for key in keys}:
            able = [picture for picture, keys in _MACHINE.items() if key in keys]
            if key in table and what not in able:
                named = " or ".join(f'"{picture}"' for picture in able)
                self.tell(f'only a plot with what = {named} has "{key}"', key)
        if what not in _MACHINE:
            return
        for key in ("signals", "after", "before"):
            if key in table:
                self.tell(f'a plot with what = "{what}" has no "{key}". It shows one sample', key)
        if self.parts is None or what == "state":
            return
        model = self.parts.model
        known = (
            [name for name, one in model.elements.items() if one.key == "bearing"]
            if what == "bearing"
            else list(model.shafts)
        )
        if not known:
            self.tell(f"the model has no {'rolling bearings' if what == 'bearing' else 'shafts'} to draw", "what")
        elif what in table and table[what] not in known:
            self.tell(f"there is no {what} {shown(table[what])}; {near_names(str(table[what]), known)}", str(what))
        elif what == "shaft" and what not in table and len(known) > 1:
            self.tell(f"specify the shaft: {', '.join(known)}")

    def _signals(self, given: Any, step: Step, *, needed: bool = True) -> None:
        if not isinstance(given, list) or not given:
            if needed and (given is None or given == []):
                self.tell(f'specify the signals of "{step.name}" to plot: signals = ["mesh.normal_force"]')
            return
        known = {} if self.parts is None else self.parts.signals_of_step(step)
        for n, name in enumerate(given):
            if self.parts is None or not isinstance(name, str):
                continue
            if FigureScope.spec_of(name, known) is None and not fnmatch.filter(known, name):
                self.tell(unknown_signal(name, known), "signals", n)

    def _options(self, table: Mapping[str, Any], step: Step) -> dict[str, Any]:
        options: dict[str, Any] = {}
        for key, value in table.items():
            if key in ("name", "analysis", "signals", "others"):
                continue
            if key in _NUMBERS and not (key == "scale" and value == "auto"):
                dimension = _DIMENSIONS.get(key) or ("number" if step.kind.startswith("order") else "frequency")
                try:
                    value = quantity(value, dimension, what=key)
                except ModelError as error:
                    self.tell(str(error), key)
                    continue
            options[_ARGUMENTS.get(key, key)] = int(value) if key == "position" else value
        return options


# ---- study schema

# Schema of studies in model files: values of parameters, points, figures.

_NAMES: Schema = {"type": "array", "items": {"type": "string"}}
_VALUES: Schema = {"type": "object", "additionalProperties": {"$ref": "#/$defs/study_values"}, "minProperties": 1}
_POINTS: Schema = {"type": "array", "items": {"type": "object", "additionalProperties": QUANTITY}, "minItems": 1}
_WHOLE: Schema = {"$ref": "#/$defs/whole"}

OF_STUDIES: dict[str, Schema] = {
    "over": _VALUES,
    "points": _POINTS,
    "samples": _WHOLE,
    "seed": _WHOLE,
    "evaluations": _WHOLE,
    "method": {"type": "string"},
    "figures": _NAMES,
    "cases": {"anyOf": [_VALUES, _POINTS]},
    "of_cases": {"type": "string"},
    "minimise": {"type": "string"},
    "maximise": {"type": "string"},
    "start": {"anyOf": [QUANTITY, {"type": "object", "additionalProperties": QUANTITY}]},
    "reduce": _NAMES,
    "swept": {"type": "string"},
    "values": {"$ref": "#/$defs/study_values"},
    "then": {"enum": list(THEN)},
    "poincare": {"type": "array", "prefixItems": [{"type": "string"}, _WHOLE], "minItems": 2, "maxItems": 2},
    **dict.fromkeys(("settle", "record", "steps", "cycles", "max_points"), _WHOLE),
    **{key: {"type": "string"} for key in ("cycle", "period", "shaft", "flow", "device")},
    "limits": {
        "type": "object",
        "additionalProperties": {
            "type": "object", "properties": {"min": QUANTITY, "max": QUANTITY}, "additionalProperties": False, "minProperties": 1,
        },
    },
}  # fmt: skip
"""Keys of studies."""


def study_value(key: str, table: Mapping[str, Any]) -> Schema | None:
    """Schema of a key of a study. table: the properties that it already has, with its kind."""
    if key == "over" and table.get("kind") == {"const": "continuation"}:
        return {"type": "string"}
    return OF_STUDIES.get(key)


def study_plot_keys() -> Schema:
    """Keys of plots of studies."""
    texts: Schema = {key: {"type": "string"} for key in TEXTS}
    lists: Schema = dict.fromkeys(LISTS, _NAMES)
    return {**texts, **lists, "where": {"type": "object", "additionalProperties": QUANTITY}}


def study_definitions() -> Schema:
    """Values of a parameter in a study: a list, a range or a distribution."""
    tables = []
    for kind, entry in VALUES.items():
        properties: Schema = {"kind": {"const": kind}}
        for key in entry.arguments:
            properties[key] = _VALUES_OF.get(key) or value_schema(entry, key, "study_values")
        required = [*([] if kind == RANGE else ["kind"]), *entry.required]
        tables.append(
            {
                "type": "object", "description": first_line(entry.call), "properties": properties, "required": required,
                "additionalProperties": False,
            }
        )  # fmt: skip
    listed: Schema = {"type": "array", "items": {"anyOf": [QUANTITY, {"type": "boolean"}]}, "minItems": 1}
    return {"study_values": {"anyOf": [listed, QUANTITY, *tables]}}


_VALUES_OF: dict[str, Schema] = {
    "count": _WHOLE, "options": {"type": "array", "minItems": 1}, "weights": {"type": "array", "items": {"type": "number"}},
}  # fmt: skip
