"""Checks of the tables of studies in a model file, before anything is computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, near_names, shown
from ..studies.points import Distribution
from .analysis_kinds import STUDIES
from .parameters import Broken
from .problems import Path
from .sources import Sources
from .study_points import OF_POINTS, Tell, points_of_table, read_values_table

if TYPE_CHECKING:
    from .analysis_steps import Step
    from .figure_specs import FigureSpec

__all__ = ["check_study", "check_study_figures", "figures_of_study", "varied_names"]


def varied_names(options: Mapping[str, Any]) -> list[str]:
    """Names of the parameters that a study varies."""
    over, points = options.get("over", {}), options.get("points", [])
    first = [options["swept"]] if "swept" in options else [over] if isinstance(over, str) else []
    listed = points[0] if isinstance(points, list) and points and isinstance(points[0], dict) else {}
    return [*dict.fromkeys([*first, *(over if isinstance(over, dict) else {}), *listed])]


def figures_of_study(options: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """Figures of the file that a study evaluates, and the places of their names in its table."""
    found: list[tuple[Path, str]] = [((key,), options[key]) for key in ("minimise", "maximise") if key in options]
    found += [(("limits", name), name) for name in options.get("limits", {})]
    found += [(("figures", n), name) for n, name in enumerate(options.get("figures", ()))]
    return found


def check_study_figures(steps: Sequence[Step], figures: Sequence[FigureSpec], sources: Sources) -> None:
    """Check the figures that studies evaluate at each point. Errors are added to the problems of the sources."""
    known = {spec.key: spec for spec in figures}
    given = sources.data.get("figures", {})
    studies = {step.name: step.kind for step in steps if step.kind in STUDIES}
    for n, step in enumerate(steps):
        for path, name in figures_of_study(step.options) if step.kind in STUDIES else ():
            place: Path = ("analyses", n, *path)
            if name not in known:
                if name not in given:  # the errors of other figures are already reported
                    message = f'there is no figure "{name}"; {near_names(str(name), known)}'
                    sources.problems.append(sources.problem(place, message))
                continue
            nested = [other for other in known[name].needed if other in studies]
            if nested:
                message = (
                    f'the figure "{name}" needs the study "{nested[0]}". A study can only use figures of other analyses'
                )
                sources.problems.append(sources.problem(place, message))
            elif not known[name].needed:
                message = f'the figure "{name}" needs no analysis. Specify a figure of a result'
                sources.problems.append(sources.problem(place, message))


def check_study(kind: str, options: Mapping[str, Any], parameters: Any, tell: Tell) -> None:
    """Check the table of a study. parameters: those of the file."""
    if _has_broken(options):  # an expression with an error, which is already reported
        tell((), "")
        return
    declared = parameters if isinstance(parameters, dict) else {}
    if kind == "optimum":
        _check_optimum(options, declared, tell)
    elif kind == "continuation":
        _check_parameter("over", options.get("over", "speed"), declared, tell)
    else:
        points_of_table({key: options[key] for key in OF_POINTS if key in options}, tell, needed=kind != "batch_sweep")
        _check_names(options, declared, tell)
    if kind == "batch_sweep":
        _check_parameter("swept", options["swept"], declared, tell)
        values = read_values_table(options["values"], ("values",), tell)
        if isinstance(values, Distribution):
            tell(("values",), "must be a list or a range, not a distribution")
        elif values is not None and len(values) < 2:
            tell(("values",), f"a sweep needs two values or more, got {len(values)}")
        _check_choice(options, "then", THEN, tell)
    _check_texts(options, tell)


THEN = ("down", "stop")
"""What a sweep with carried states does after its last value."""


def _check_parameter(key: str, name: Any, declared: Mapping[str, Any], tell: Tell) -> None:
    if name not in declared:
        tell((key,), f"there is no parameter {shown(name)}; {near_names(str(name), declared)}")


def _has_broken(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_broken, value.values()))
    return any(map(_has_broken, value)) if isinstance(value, list) else isinstance(value, Broken)


def _check_names(options: Mapping[str, Any], declared: Mapping[str, Any], tell: Tell, key: str = "over") -> None:
    """Check that all varied names are parameters of the file."""
    over, points = options.get(key), options.get("points") if key == "over" else None
    tables: list[tuple[Any, ...]] = [((key,), over)] if isinstance(over, dict) else []
    if isinstance(points, list):
        tables += [(("points", n), point) for n, point in enumerate(points) if isinstance(point, dict)]
    for path, table in tables:
        for name in table:
            if name not in declared:
                tell((*path, name), f'there is no parameter "{name}"; {near_names(name, declared)}')


def _check_texts(options: Mapping[str, Any], tell: Tell) -> None:
    for key, example in (("figures", '["mesh.force"]'), ("reduce", '["mesh.transmission_error.peak_to_peak"]')):
        names = options.get(key)
        if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            tell((key,), f"must be a list of names, e.g. {example}, got {shown(names)}")
        elif names == []:
            tell((key,), f"the list is empty. Specify at least one, e.g. {example}")


def _check_optimum(options: Mapping[str, Any], declared: Mapping[str, Any], tell: Tell) -> None:
    from ..studies.optimum.objective import OF_CASES, read_limits
    from ..studies.optimum.search import METHODS
    from .study_kinds import cases_table

    if not isinstance(options["over"], dict) or not options["over"]:
        tell(
            ("over",), f'must be a table of bounds, e.g. {{ relief = ["0 um", "40 um"] }}, got {shown(options["over"])}'
        )
        return
    _check_names(options, declared, tell)
    for name, pair in options["over"].items():
        if not isinstance(pair, list) or len(pair) != 2:
            tell(("over", name), f'must be a lower and an upper bound, e.g. ["0 um", "40 um"], got {shown(pair)}')
    if ("minimise" in options) == ("maximise" in options):
        tell((), 'specify the figure, either minimise = "..." or maximise = "..."')
    for key, known in (("of_cases", OF_CASES), ("method", METHODS)):
        _check_choice(options, key, known, tell)
    if "start" in options:
        if not isinstance(options["start"], dict):
            tell(
                ("start",), f'must be a table of parameters, e.g. {{ relief = "10 um" }}, got {shown(options["start"])}'
            )
        else:
            for name in options["start"]:
                if name not in options["over"]:
                    tell(("start", name), f'"{name}" is not varied; {near_names(name, options["over"])}')
    if "cases" in options:
        _check_cases(options, cases_table(options["cases"]), declared, tell)
    try:
        read_limits(options.get("limits"))
    except ModelError as error:
        tell(("limits",), str(error).removeprefix("optimum: "))


def _check_cases(options: Mapping[str, Any], table: Mapping[str, Any], declared: Mapping[str, Any], tell: Tell) -> None:
    points = points_of_table(table, lambda path, message: tell(("cases", *path[1:]), message))
    for name in points.names if points is not None else ():
        if name not in declared:
            tell(("cases",), f'there is no parameter "{name}"; {near_names(name, declared)}')
        elif name in options["over"]:
            tell(("cases",), f'"{name}" is varied and also specified by the cases. Remove one of them')


def _check_choice(options: Mapping[str, Any], key: str, known: Iterable[str], tell: Tell) -> None:
    if key in options and options[key] not in known:
        tell(
            (key,), f"there is no {key.replace('_', ' ')} {shown(options[key])}; {near_names(str(options[key]), known)}"
        )
