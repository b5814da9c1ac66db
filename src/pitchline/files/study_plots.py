"""Pictures of studies that a file declares: their keys, checks before the run, and arguments of the plot functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from ..errors import near_names, shown
from ..results.plotter import plotter
from .analysis_kinds import STUDIES
from .study_steps import varied_names

if TYPE_CHECKING:
    from .analysis_steps import Step
    from .plot_specs import PlotSpec

__all__ = ["OF_STUDY_PLOTS", "STUDY_KEYS", "check_study_plot", "draw_study"]

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
