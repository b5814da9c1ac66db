"""read: a model file, or a text, becomes a ModelFile; check: all that is wrong with one."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any

from ..errors import ModelError, near_names, shown
from ..gears import Gear, Rack
from ..model import Model
from ..units import quantity
from .analysis_kinds import OF_SIGNALS, SIGNALS, WITH_SIGNALS
from .analysis_steps import Step, read_steps
from .builder import build
from .document import Document, read_document, read_text
from .element_types import allowed_modules
from .figure_scope import FigureScope, FileParts, unknown_signal
from .figure_specs import EXPRESSIONS, read_figures
from .model_file import ModelFile, plain_parameters
from .parameters import Broken, Known, compute, filled
from .problems import FileError, Path, Problem, key_text
from .signal_steps import check_signals
from .sources import Sources
from .unlikely_numbers import unlikely_numbers

__all__ = ["check", "read"]

_PLOT = ("signals", "analysis", "title", "after", "before")
_LEFT_OUT = ("joints", "gear_pairs", "drives", "loads", "elements")
"""Sections whose parts an analysis may do without."""


def read(
    path_or_text: str | os.PathLike[str],
    *,
    overrides: Mapping[str, object] | None = None,
    source: str | None = None,
    allow: str | Iterable[str] = (),
) -> ModelFile:
    """Read a model file.

    Parameters
    ----------
    path_or_text
        The name of a file; or the text itself, which is what anything with a line break is taken for.
    overrides
        Values of parameters in place of those of the file, as numbers or texts: {"module": "2.5 mm"}.
    source
        What messages call the file; its name without.
    allow
        Modules with elements of your own, whose code the file may run: "my.module".

    Raises
    ------
    FileError
        With every problem of the file, each with its file, line and key.
    """
    return _read(_document(path_or_text, source), dict(overrides or {}), allowed_modules(allow))


def check(
    path_or_text: str | os.PathLike[str],
    *,
    overrides: Mapping[str, object] | None = None,
    source: str | None = None,
    allow: str | Iterable[str] = (),
) -> list[Problem]:
    """Every problem of a model file; empty where there is none. Nothing is run, but for modules that `allow` names."""
    try:
        read(path_or_text, overrides=overrides, source=source, allow=allow)
    except FileError as error:
        return error.found
    return []


def _document(given: str | os.PathLike[str], source: str | None) -> Document:
    if isinstance(given, str) and "\n" in given:
        return read_text(given, source or "text")
    path = FilePath(given)
    return read_document(path, source or str(path))


def _read(document: Document, overrides: Mapping[str, object], allow: tuple[str, ...]) -> ModelFile:
    sources, known, data, model, gears = _built(document, overrides, allow)
    broken = bool(sources.problems)
    steps = read_steps(data, sources, model)
    _check_parameters(steps, known, sources)
    if broken or sources.problems:  # parts may be missing that figures speak of
        raise FileError([*sources.problems, *_late(data, sources, steps)])
    parts = FileParts(model, gears, steps, known)
    check_signals(parts, sources)
    figures = read_figures(data, sources, steps, parts)
    plot = _plot(data, sources, steps, parts)
    if sources.problems:
        raise FileError(sources.problems)
    table = data.get("model", {})
    lines = {key_text(path): sources.where(path) for path in [("analyses", n) for n in range(len(steps))]}
    lines |= {f"figures.{spec.key}": sources.where(("figures", spec.key)) for spec in figures}
    lines |= {f"gear_pairs.{name}": sources.where(("gear_pairs", name)) for name in model.gear_pairs}
    unlikely = tuple(sources.problem(path, text) for path, text in unlikely_numbers(data))

    def again(step: Step) -> Model:
        there, _, _, changed, _ = _built(document, {**overrides, **step.parameters}, allow, step.without)
        if there.problems:
            raise FileError(there.problems)
        return changed

    description = str(data.get("description", table.get("description", "")))
    return ModelFile(
        model.name, document.name, description, model, plain_parameters(known), steps, figures, *plot, gears, again, lines,
        unlikely,
    )


def _built(
    document: Document, overrides: Mapping[str, object], allow: tuple[str, ...], without: tuple[str, ...] = ()
) -> tuple[Sources, dict[str, Known], dict[str, Any], Model, Mapping[str, Gear | Rack]]:
    """The model, less the parts that are left out, and its gears; what is wrong goes to the problems of the sources."""
    sources = Sources(document)
    if sources.incomplete:  # whatever else is missing would only be a consequence
        raise FileError(sources.problems)
    known = compute(sources, overrides)
    data = {key: _filled(key, item, known, sources) for key, item in sources.data.items() if key != "parameters"}
    for section in _LEFT_OUT if without else ():
        data[section] = {name: part for name, part in data.get(section, {}).items() if name not in without}
    stem = document.path.stem if document.path is not None else "model"
    return sources, known, data, *build(data, sources, stem, allow)


def _late(data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...]) -> list[Problem]:
    """Problems of figures that do not come from parts that could not be made."""
    before = len(sources.problems)
    analyses = data.get("analyses")
    told = {step.name for step in steps}
    whole = isinstance(analyses, list) and len(told) == len(analyses)
    if whole:
        read_figures(data, sources, steps)
        _plot(data, sources, steps)
    return sources.problems[before:]


def _filled(section: str, value: Any, known: Mapping[str, Known], sources: Sources) -> Any:
    """A section with its expressions computed, but for those of figures and analyses that ask for results."""

    def table_filled(table: Any, path: Path, later: tuple[str, ...]) -> Any:
        if not isinstance(table, dict):
            return filled(table, path, known, sources)
        return {key: item if key in later else filled(item, (*path, key), known, sources) for key, item in table.items()}

    if section == "figures" and isinstance(value, dict):
        return {name: table_filled(table, (section, name), EXPRESSIONS) for name, table in value.items()}
    if section == "analyses" and isinstance(value, list):
        return [table_filled(table, (section, n), _later_keys(table)) for n, table in enumerate(value)]
    return filled(value, (section,), known, sources)


def _later_keys(table: Any) -> tuple[str, ...]:
    """Keys of an analysis whose expressions are over signals of an earlier one."""
    return SIGNALS if isinstance(table, dict) and table.get("kind") in OF_SIGNALS else ()


def _check_parameters(steps: tuple[Step, ...], known: Mapping[str, Any], sources: Sources) -> None:
    for n, step in enumerate(steps):
        for name in step.parameters:
            if name not in known:
                path = ("analyses", n, "parameters", name)
                sources.problems.append(sources.problem(path, f'there is no parameter "{name}"; {near_names(name, known)}'))


def _plot(
    data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...], parts: FileParts | None = None
) -> tuple[tuple[str, ...], str | None, dict[str, Any]]:
    """Signals to draw, the analysis they are of, further options of the picture."""
    table = data.get("plot", {})

    def tell(key: str, message: str) -> None:
        sources.problems.append(sources.problem(("plot", key) if key else ("plot",), message))

    if not isinstance(table, dict):
        tell("", f'must be a table, such as signals = ["mesh.normal_force"], got {shown(table)}')
        return (), None, {}
    for key in table:
        if key not in _PLOT:
            tell(key, f'unknown key "{key}"; {near_names(key, _PLOT)}')
    signals = table.get("signals", [])
    if not isinstance(signals, list) or not all(isinstance(name, str) for name in signals):
        tell("signals", f"must be a list of names of signals, got {shown(signals)}")
        signals = []
    for name in signals:
        if parts is None:
            break
        if FigureScope.spec_of(name, parts.signals) is None and not fnmatch.filter(parts.signals, name):
            tell("signals", unknown_signal(name, parts.signals))
    of = table.get("analysis")
    names = [step.name for step in steps if step.kind in WITH_SIGNALS]
    if of is not None and of not in names:
        tell("analysis", f"there is no analysis {shown(of)} with signals; {near_names(str(of), names)}")
    options: dict[str, Any] = {}
    if "title" in table:
        options["title"] = table["title"]
        if not isinstance(table["title"], str):
            tell("title", f"must be a text, got {shown(table['title'])}")
    for key, argument in (("after", "start"), ("before", "end")):
        if key in table and not isinstance(table[key], Broken):
            try:
                options[argument] = quantity(table[key], "time", what=key)
            except ModelError as error:
                tell(key, str(error))
    return tuple(signals), of, options
