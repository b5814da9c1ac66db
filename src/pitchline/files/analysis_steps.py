"""Analyses of a model file, in order, each with its own start, and the parts that a study leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pitchline.base.budget import read_budget
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.results.part_quantities import INITIAL
from pitchline.studies.points.samples import Distribution
from pitchline.units.quantity import quantity

from .catalogue import ELEMENTS
from .key_lines import Path
from .parameters import Broken
from .schema_types import (
    ABOUT_POSES,
    ANALYSES,
    EXPLICIT,
    GEAR_BORES,
    LINEARISED,
    OF_GEARS,
    OF_PAIRS,
    OF_SIGNALS,
    OF_WHEELS,
    STUDIES,
    WITH_SIGNALS,
    WITH_STATES,
    analysis,
    the_pair,
    the_wheel,
)
from .sources import Sources
from .study_runs import OF_POINTS, Tell, points_of_table, read_values_table

if TYPE_CHECKING:
    from .figure_specs import FigureSpec

__all__ = [
    "check_study",
    "check_study_figures",
    "figures_of_study",
    "varied_names",
    "Step",
    "own_keys",
    "read_steps",
    "with_earlier",
]


# ---- study steps

# Checks of the tables of studies in a model file, before anything is computed.


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
    from pitchline.studies.optimisation import OF_CASES, read_limits
    from pitchline.studies.optimum_result import METHODS

    from .study_runs import cases_table

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


_DIMENSIONS = {"duration": "time", "step": "time", "time": "time", "output_step": "time", "max_step": "time", "min_step": "time",
               "lowest": "frequency", "highest": "frequency", "after": "time", "before": "time",
               "penalty": "stiffness", "up_to": "frequency"}  # fmt: skip
_OWN = ("name", "kind", "start", "parameters", "without", "when")


@dataclass(frozen=True)
class Step:
    """One analysis.

    name:       reference for later analyses and figures; default: its kind
    kind:       "statics", "dynamics", ...
    options:    further arguments of the analysis
    start:      name of the earlier analysis whose final state is the initial state (for modes and similar: the
                operating point; for spectra and similar: the source of the signals), or None
    parameters: parameter values for this analysis only
    without:    elements of the model that are left out in this analysis only
    when:       condition for the analysis to run: a value, and the values that it must be; empty: always
    """

    name: str
    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    start: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    when: dict[str, Any] = field(default_factory=dict)

    @property
    def skipped(self) -> bool:
        """Whether its condition is not met: it runs only on request."""
        return bool(self.when) and self.when["value"] not in self.when["is"]

    @property
    def is_study(self) -> bool:
        """Whether it runs the model of the file at many points."""
        return self.kind in STUDIES

    @property
    def key(self) -> str:
        """Key of the file for the initial state, or for the source of signals."""
        if self.kind in OF_SIGNALS:
            return "analysis"
        return "start" if self.kind in WITH_STATES else "about"


def read_steps(data: Mapping[str, Any], sources: Sources, model: Model) -> tuple[Step, ...]:
    """The analyses of a file. Errors are added to the problems of the sources."""
    given = data.get("analyses", [])
    if not isinstance(given, list):
        sources.problems.append(
            sources.problem(("analyses",), f"must be a list of tables, [[analyses]], got {shown(given)}")
        )
        return ()
    steps: dict[str, Step] = {}
    for n, table in enumerate(given):
        try:
            step = _StepReader(sources, ("analyses", n), model, steps).step(table)
        except _Wrong:
            continue
        steps[step.name] = step
    return tuple(steps.values())


LEFT_OUT = ("joints", "gear_pairs", "drives", "loads", "elements")
"""Sections with elements that an analysis may leave out."""


def parts_to_leave_out(model: Model) -> tuple[str, ...]:
    """Elements that no other element depends on: joints, gear pairs, drives, loads and elements."""
    return (*model.joints, *model.gear_pairs, *model.drives, *model.loads, *model.elements)


class _Wrong(Exception):
    """Already reported."""


class _StepReader:
    def __init__(self, sources: Sources, path: Path, model: Model, earlier: Mapping[str, Step]) -> None:
        self.sources, self.path, self.model, self.earlier = sources, path, model, earlier
        self.bad = False

    def tell(self, path: Path, message: str) -> None:
        """Report an error; without a message: one that is already reported."""
        self.bad = True
        if message:
            self.sources.problems.append(self.sources.problem((*self.path, *path), message))

    def step(self, table: Any) -> Step:
        if not isinstance(table, dict):
            self.tell((), f'must be a table, e.g. {{ kind = "statics" }}, got {shown(table)}')
            raise _Wrong
        kind = table.get("kind")
        if not isinstance(kind, str) or kind not in ANALYSES:
            if kind is None:
                self.tell((), f'"kind" is missing. Specify one of: {", ".join(ANALYSES)}')
            elif not isinstance(kind, Broken):
                self.tell(("kind",), f"there is no analysis {shown(kind)}; {near_names(str(kind), ANALYSES)}")
            raise _Wrong
        name = table.get("name", kind)
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or "/" in name:
            self.tell(("name",), f'must be a text without "/", got {shown(name)}')
        elif name in self.earlier:
            self.tell(
                ("name",) if "name" in table else (),
                f'another analysis has the name "{name}". Specify a different name for each',
            )
        options = self._options(kind, table)
        start = self._start(kind, table)
        if start is None and self._initial(kind, table):
            options["about"] = INITIAL
        parameters = table.get("parameters", {})
        if not isinstance(parameters, dict):
            self.tell(("parameters",), f"must be a table of parameters, got {shown(parameters)}")
        elif kind in STUDIES:
            for name_twice in (own for own in varied_names(options) if own in parameters):
                self.tell(("parameters", name_twice), f'"{name_twice}" is varied by the study. Remove it here')
        without = self._without(table.get("without", []))
        when = self._when(table.get("when"))
        if self.bad:
            raise _Wrong
        return Step(name, kind, options, start, dict(parameters), without, when)

    def _when(self, given: Any) -> dict[str, Any]:
        """Condition of an analysis: { value = "= method", is = ["strips", "all"] }."""
        if given is None:
            return {}
        advice = 'must be a table such as { value = "= method", is = ["strips"] }'
        if (
            not isinstance(given, dict)
            or set(given) != {"value", "is"}
            or not isinstance(given["is"], list)
            or not given["is"]
        ):
            self.tell(("when",), f"{advice}, got {shown(given)}")
            return {}
        if any(isinstance(one, Broken) for one in (given["value"], *given["is"])):
            self.bad = True
            return {}
        plain = (str, int, float)
        if not isinstance(given["value"], plain) or not all(isinstance(one, plain) for one in given["is"]):
            self.tell(("when",), f"{advice}: texts or numbers, got {shown(given)}")
            return {}
        return dict(given)

    def _is_said(self, name: str) -> bool:
        """Whether the file contains an element with this name."""
        sections = [self.sources.data.get(section) for section in LEFT_OUT]
        return any(isinstance(section, dict) and name in section for section in sections)

    def _without(self, given: Any) -> tuple[str, ...]:
        parts = parts_to_leave_out(self.model)
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            self.tell(("without",), f'must be a list of parts to leave out, e.g. ["motor"], got {shown(given)}')
            return ()
        for n, name in enumerate(given):
            if name not in parts and not self._is_said(name):  # errors of the element are already reported
                self.tell(("without", n), f"there is no part {shown(name)} to leave out; {near_names(name, parts)}")
        return tuple(given)

    def _options(self, kind: str, table: Mapping[str, Any]) -> dict[str, Any]:
        entry = analysis(kind)
        own = own_keys(kind)
        known = [key for key in entry.arguments if key not in own]
        options = {}
        for key, value in table.items():
            if key in own:
                continue
            if key not in known:
                self.tell((key,), f'unknown key "{key}"; {near_names(key, [*known, *own])}')
            elif isinstance(value, Broken):
                self.bad = True
            else:
                options[key] = value
                self._check(key, value)
        for key in entry.required:
            if key not in table:
                self.tell((), f'"{key}" is missing. Add it')
        if kind == "dynamics" and not self.bad:
            self._check_dynamics(options)
        if kind in ABOUT_POSES and "torque" not in table and "about" not in table:
            self.tell(
                (),
                '"torque" is missing. Add it, or add about = "..." with the name of an earlier analysis that provides the load',
            )
        if kind in OF_PAIRS:
            self._check_pair(options)
        if kind in OF_WHEELS:
            self._check_wheel(options)
        if kind in OF_GEARS:
            self._check_gear(options)
        if kind in STUDIES and not self.bad:
            check_study(kind, options, self.sources.data.get("parameters", {}), self.tell)
        return options

    def _check_gear(self, options: dict[str, Any]) -> None:
        gears = [*self.sources.data.get("gears", {}), *self.model.wheels]
        name = options.get("gear")
        if name is not None and name not in gears:
            self.tell(("gear",), f"there is no gear {shown(name)}; {near_names(str(name), gears)}")
        self._check_elements(options, "grid")

    def _check_pair(self, options: dict[str, Any]) -> None:
        """Check the pair, its torque and its finite elements."""
        said = self.sources.data.get("gear_pairs", {})
        if isinstance(said, dict) and set(said) - set(self.model.gear_pairs):  # errors of pairs are already reported
            self.bad = True
            return
        try:
            the_pair(self.model, options.get("pair"))
        except ModelError as error:
            self.tell(("pair",) if "pair" in options else (), str(error))
        torque = options.get("torque")
        for n, value in enumerate(torque if isinstance(torque, list) else [] if torque is None else [torque]):
            try:
                quantity(value, "torque", what="torque")
            except ModelError as error:
                self.tell(("torque", n) if isinstance(torque, list) else ("torque",), str(error))
        self._check_elements(options, "elements_a", "elements_b")

    def _check_wheel(self, options: dict[str, Any]) -> None:
        """Check the wheel and its finite elements."""
        said = [self.sources.data.get(section, {}) for section in ("bodies", "wheels")]
        named = {name for table in said if isinstance(table, dict) for name in table}
        if named - {*self.model.bodies, *self.model.wheels}:  # errors of bodies are already reported
            self.bad = True
            return
        try:
            the_wheel(self.model, options.get("gear"))
        except ModelError as error:
            self.tell(("gear",) if "gear" in options else (), str(error))
        bore = options.get("bore", GEAR_BORES[0])
        if bore not in GEAR_BORES:
            self.tell(("bore",), f"{shown(bore)} is unknown; {near_names(str(bore), GEAR_BORES)}")
        self._check_elements(options, "grid")

    def _check_elements(self, options: dict[str, Any], *names: str) -> None:
        for name in names:
            elements = options.get(name, {})
            if not isinstance(elements, dict):
                self.tell((name,), f"must be a table of finite-element options, got {shown(elements)}")
                continue
            for key in elements:
                if key not in ELEMENTS.arguments:
                    self.tell((name, key), f'unknown key "{key}"; {near_names(key, ELEMENTS.arguments)}')
            if "mesh" in elements:
                file = self.sources.data_file((*self.path, name, "mesh"), str(elements["mesh"]))
                if isinstance(file, str):
                    self.tell((name, "mesh"), file)
                else:
                    options[name] = {**elements, "mesh": str(file)}

    def _check(self, key: str, value: Any) -> None:
        try:
            if key in _DIMENSIONS:
                quantity(value, _DIMENSIONS[key], what=key)
            if key == "budget":
                read_budget(value, "")
        except ModelError as error:
            self.tell((key,), str(error))
        parts = {"shaft": {**self.model.joints, **self.model.shafts}, "turning_with": self.model.bodies}.get(key)
        if parts is not None and (not isinstance(value, str) or value not in parts):
            self.tell((key,), f"there is no part {shown(value)}; {near_names(str(value), parts)}")

    def _check_dynamics(self, options: Mapping[str, Any]) -> None:
        from pitchline.analyses.time_options import TimeOptions

        entry = analysis("dynamics")
        keys = [field.name for field in fields(TimeOptions)]
        said = {key: options.get(key, entry.default(key)) for key in keys}
        try:
            TimeOptions.read(**said)
        except ModelError as error:
            argument = error.places[0].argument[:1]
            self.tell(argument if argument and argument[0] in options else (), str(error))

    def _start(self, kind: str, table: Mapping[str, Any]) -> str | None:
        if kind in OF_SIGNALS:
            return self._source(table)
        if not _chained(kind) and kind not in ABOUT_POSES:
            return None
        key = "about" if "about" in table or kind in ABOUT_POSES else "start"
        if "about" in table and "start" in table and _chained(kind):
            self.tell(("start",), '"start" and "about" have the same meaning. Specify only one of them')
        start = table.get(key)
        if start is None or self._initial(kind, table):
            return None
        if not self._is_earlier(key, start):
            return None
        if self.earlier[start].kind not in WITH_STATES:
            kind = self.earlier[start].kind
            self.tell(
                (key,),
                f'"{start}" ({kind}) has no state to start from. Specify an analysis of kind {", ".join(WITH_STATES)}',
            )
        return str(start)

    def _initial(self, kind: str, table: Mapping[str, Any]) -> bool:
        """Whether a linear analysis is about the initial state in any case. An analysis may have this name."""
        return kind in LINEARISED and table.get("about") == INITIAL and INITIAL not in self.earlier

    def _source(self, table: Mapping[str, Any]) -> str | None:
        """The analysis that provides the signals. Without a name: the last one with signals."""
        name = table.get("analysis")
        if name is None:
            found = [step.name for step in self.earlier.values() if step.kind in WITH_SIGNALS and not step.skipped]
            if not found:
                self.tell((), "there is no earlier analysis with signals. Place this analysis after one")
                return None
            return found[-1]
        if self._is_earlier("analysis", name) and self.earlier[name].kind not in WITH_SIGNALS:
            kinds = ", ".join(WITH_SIGNALS)
            self.tell(
                ("analysis",),
                f'"{name}" ({self.earlier[name].kind}) has no signals. Specify an analysis of kind {kinds}',
            )
        return str(name)

    def _is_earlier(self, key: str, name: Any) -> bool:
        if isinstance(name, str) and name in self.earlier:
            return True
        self.tell((key,), f"there is no earlier analysis {shown(name)}; {near_names(str(name), self.earlier)}")
        return False


def with_earlier(steps: Iterable[Step], names: Iterable[str] | None) -> set[str]:
    """Names of analyses and of those that they start from; None: of all whose conditions are met."""
    by_name = {step.name: step for step in steps}
    found: set[str] = set()
    waiting = [step.name for step in by_name.values() if not step.skipped] if names is None else [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            start = by_name[name].start
            waiting += [] if start is None else [start]
    return found


def _chained(kind: str) -> bool:
    """Whether an analysis can continue from an earlier one."""
    return kind not in (*OF_GEARS, *OF_PAIRS, *OF_WHEELS, *OF_SIGNALS, *STUDIES, *EXPLICIT)


def own_keys(kind: str) -> tuple[str, ...]:
    """Keys of the table that are not arguments of the analysis."""
    if kind in OF_SIGNALS:
        return ("name", "kind", "analysis", "when")
    if kind in OF_GEARS:
        return ("name", "kind", "when")
    if kind in STUDIES:
        return ("name", "kind", "parameters", "when")
    if kind in ABOUT_POSES:
        return ("name", "kind", "parameters", "without", "when", "about")
    return (*_OWN, "about") if _chained(kind) else ("name", "kind", "parameters", "without", "when")
