"""Store of a sweep: outcomes of blocks of points, the plan, the request, and the result from a folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import StorageError, atomic_file, check_folder, made_folder, write_text
from pitchline.errors import ModelError, PitchlineError, listed, near_names, shown
from pitchline.results.series import from_json, to_json
from pitchline.version import __version__

from ..points.parameter_values import Points
from ..sources import FileSource, FunctionSource, Source
from ..study_result import FAILED, FINE, NOT_COMPUTED, StudyResult, StudyVariable

__all__ = [
    "PointBlock",
    "PointColumn",
    "PointOutcome",
    "StudyValue",
    "result_of",
    "SweepRequest",
    "OtherPlanError",
    "SweepPlan",
    "SweepStore",
    "is_store",
    "read_store",
]


class StudyValue(NamedTuple):
    """One value of one point.

    values : number or array
    unit : SI unit
    dims : dimensions of the array, e.g. ("time", "component")
    description : short text
    """

    values: NDArray[Any]
    unit: str = ""
    dims: tuple[str, ...] = ()
    description: str = ""


@dataclass
class PointOutcome:
    """What was found at one point.

    status, reason : as in `StudyResult`
    seconds : duration of the computation [s]
    values : by name
    axes : dimension -> numbers along it, e.g. the times of signals
    labels : dimension -> texts along it
    warnings : of the analyses
    files : path -> checksum of the files that the point read
    """

    status: int = 0
    reason: str = ""
    seconds: float = 0.0
    values: dict[str, StudyValue] = field(default_factory=dict)
    axes: dict[str, StudyValue] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)


class PointColumn(NamedTuple):
    """A value of several points that has the same shape at all of them.

    name : of the value, or of the dimension
    rows : (r,) points, counted from the first one of the block
    value : with values of shape (r, ...)
    """

    name: str
    rows: NDArray[np.int64]
    value: StudyValue


@dataclass
class PointBlock:
    """Outcomes of the points first, first + 1, ...

    status, seconds : one for each point
    reasons, warnings : index of a point -> texts
    columns, axes : values, and numbers along dimensions
    labels : dimension -> texts along it
    files : path -> checksum of the files that the points read
    """

    first: int
    status: NDArray[np.int8]
    seconds: NDArray[np.float64]
    reasons: dict[int, str]
    warnings: dict[int, tuple[str, ...]]
    columns: list[PointColumn]
    axes: list[PointColumn]
    labels: dict[str, tuple[str, ...]]
    files: dict[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def points(self) -> range:
        """Indices of the points."""
        return range(self.first, self.first + len(self))

    @staticmethod
    def of(first: int, outcomes: Sequence[PointOutcome]) -> PointBlock:
        """From the outcomes of consecutive points."""
        labels: dict[str, tuple[str, ...]] = {}
        for outcome in outcomes:
            labels |= outcome.labels
        return PointBlock(
            first,
            np.array([outcome.status for outcome in outcomes], dtype=np.int8),
            np.array([outcome.seconds for outcome in outcomes], dtype=float),
            {first + k: outcome.reason for k, outcome in enumerate(outcomes) if outcome.reason},
            {first + k: outcome.warnings for k, outcome in enumerate(outcomes) if outcome.warnings},
            _columns([outcome.values for outcome in outcomes]),
            _columns([outcome.axes for outcome in outcomes]),
            labels,
            {path: digest for outcome in outcomes for path, digest in outcome.files.items()},
        )

    # ---- as arrays, for files

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Arrays with all data; those that are not numbers are JSON in `head`."""
        arrays: dict[str, NDArray[Any]] = {"status": self.status, "seconds": self.seconds}
        head: dict[str, Any] = {
            "first": self.first,
            "reasons": {str(i): text for i, text in self.reasons.items()},
            "warnings": {str(i): list(texts) for i, texts in self.warnings.items()},
            "labels": {dim: list(texts) for dim, texts in self.labels.items()},
            "files": self.files,
        }
        for kind, columns in (("columns", self.columns), ("axes", self.axes)):
            head[kind] = []
            for k, (name, rows, value) in enumerate(columns):
                head[kind].append([name, value.unit, list(value.dims), value.description])
                arrays[f"{kind}_{k}"], arrays[f"{kind}_{k}_rows"] = value.values, rows
        arrays["head"] = np.frombuffer(to_json(head).encode(), dtype=np.uint8)
        return arrays

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> PointBlock:
        """From `to_arrays`. KeyError, ValueError or TypeError if the data are damaged."""
        head = from_json(arrays["head"].tobytes().decode())
        found = {
            kind: [
                PointColumn(
                    name, arrays[f"{kind}_{k}_rows"], StudyValue(arrays[f"{kind}_{k}"], unit, tuple(dims), description)
                )
                for k, (name, unit, dims, description) in enumerate(head[kind])
            ]
            for kind in ("columns", "axes")
        }
        return PointBlock(
            int(head["first"]),
            arrays["status"],
            arrays["seconds"],
            {int(i): str(text) for i, text in head["reasons"].items()},
            {int(i): tuple(texts) for i, texts in head["warnings"].items()},
            found["columns"],
            found["axes"],
            {dim: tuple(texts) for dim, texts in head["labels"].items()},
            {str(path): str(digest) for path, digest in head["files"].items()},
        )


def _columns(points: Sequence[Mapping[str, StudyValue]]) -> list[PointColumn]:
    """Values of the same name, unit and shape together."""
    groups: dict[tuple[Any, ...], list[tuple[int, StudyValue]]] = {}
    for k, values in enumerate(points):
        for name, value in values.items():
            key = (name, value.unit, value.dims, value.values.shape, value.values.dtype.str)
            groups.setdefault(key, []).append((k, value))
    return [
        PointColumn(
            key[0],
            np.array([k for k, _ in group], dtype=np.int64),
            group[0][1]._replace(values=np.stack([value.values for _, value in group])),
        )
        for key, group in groups.items()
    ]


# ---- assembly

# result_of: the result of a sweep from the outcomes of its points.

Coordinates = dict[str, tuple[NDArray[Any], str]]
_SHOWN_WARNINGS = 20


def result_of(name: str, points: Points, blocks: Iterable[PointBlock]) -> StudyResult:
    """Result with the outcomes of all blocks. Points of no block have the status "not computed"."""
    n = len(points)
    status = np.full(n, NOT_COMPUTED, dtype=np.int8)
    reasons: dict[int, str] = {}
    texts: Counter[str] = Counter()
    first_with: dict[str, int] = {}
    labels: dict[str, tuple[str, ...]] = {}
    columns: dict[str, list[PointColumn]] = {}
    axes: dict[str, list[PointColumn]] = {}
    seconds = 0.0
    for block in blocks:
        # Two processes may have computed a point, and a failed point may have been computed again.
        before = status[block.first : block.first + len(block)]
        mine = (before == NOT_COMPUTED) | ((before == FAILED) & (block.status == FINE))
        before[mine] = block.status[mine]
        seconds += float(block.seconds[mine].sum())
        reasons |= {i: reason for i, reason in block.reasons.items() if mine[i - block.first]}
        for i, found in block.warnings.items():
            for text in found:
                texts[text] += int(mine[i - block.first])
                first_with.setdefault(text, i)
        labels |= block.labels
        for kind, found_in in ((block.columns, columns), (block.axes, axes)):
            for column in kind:
                found_in.setdefault(column.name, []).append(column._replace(rows=column.rows + block.first))
    taken = {*points.names, *(dim for dim, _ in points.dims), "status"}
    dims = {dim: f"signal.{dim}" if dim in taken or dim in columns else dim for dim in (*axes, *labels)}
    coordinates, varying = _axes({dims[dim]: group for dim, group in axes.items()})
    coordinates |= {dims[dim]: (np.array(names, dtype=object), "") for dim, names in labels.items()}
    variables: dict[str, StudyVariable] = {}
    for key, group in {**columns, **varying}.items():
        variables[f"figure.{key}" if key in taken else key] = _variable(key, group, n, dims, coordinates)
    used = {dim for variable in variables.values() for dim in variable.dims}
    return StudyResult(
        name,
        points,
        variables,
        status,
        {i: reasons[i] for i in sorted(reasons) if status[i] != FINE},
        coordinates={dim: found for dim, found in coordinates.items() if dim in used},
        warnings=_warnings(texts, first_with),
        facts={"pitchline_version": __version__, "seconds": seconds},
    )


def _warnings(texts: Mapping[str, int], first_with: Mapping[str, int]) -> tuple[str, ...]:
    """Warnings of the analyses, each once, with the number of points."""
    shown = [
        f"{count} point{'s' if count > 1 else ''}, first point {first_with[text]}: {text}"
        for text, count in list(texts.items())[:_SHOWN_WARNINGS]
    ]
    left = len(texts) - len(shown)
    return (*shown, f"and {left} other warnings") if left > 0 else tuple(shown)


def _axes(axes: Mapping[str, list[PointColumn]]) -> tuple[Coordinates, dict[str, list[PointColumn]]]:
    """Dimensions whose numbers are the same at all points, and those of which each point has its own numbers."""
    same: Coordinates = {}
    varying: dict[str, list[PointColumn]] = {}
    for dim, group in axes.items():
        first = group[0].value
        line = first.values[0]
        equal = all(
            column.value.values.shape[1:] == line.shape and bool((column.value.values == line).all())
            for column in group
        )
        if equal:
            same[dim] = (line, first.unit)
        else:
            varying[dim] = [column._replace(value=column.value._replace(dims=(_sample(dim),))) for column in group]
    return same, varying


def _sample(dim: str) -> str:
    """Dimension of signals of which each point has its own times."""
    return f"{dim.removesuffix('time')}sample"


def _variable(
    name: str, group: list[PointColumn], n: int, names: Mapping[str, str], coordinates: Coordinates
) -> StudyVariable:
    """Values at all points; nan where there is none, and after the end of a shorter array."""
    first: StudyValue = group[0].value
    for _, rows, value in group:
        if value.values.ndim != first.values.ndim or value.unit != first.unit:
            one, other = (f"{len(each.dims)} dimensions and unit {each.unit or '-'}" for each in (first, value))
            raise PitchlineError(
                f'the value "{name}" is not of the same kind at all points: {one} at point {group[0].rows[0]}, '
                f"{other} at point {rows[0]}. Return the same kind of value for all points"
            )
    sizes = np.array([column.value.values.shape[1:] for column in group], dtype=int).reshape(len(group), -1)
    shape = tuple(int(size) for size in sizes.max(axis=0))
    ragged = bool((sizes != shape).any())
    values = np.full((n, *shape), np.nan)
    for column in group:
        part = column.value.values
        place: Any = (column.rows, *(slice(size) for size in part.shape[1:]))
        values[place] = part
    dims = tuple(_dim(names.get(dim, dim), name, ragged, coordinates) for dim in first.dims)
    return StudyVariable(values, first.unit, dims, first.description)


def _dim(dim: str, name: str, ragged: bool, coordinates: Coordinates) -> str:
    if dim.startswith("item_"):
        return f"{name}.item" if ragged else dim
    return _sample(dim) if dim.endswith("time") and dim not in coordinates else dim


# ---- request

# SweepRequest: what a sweep computes at each point, checked before it starts.

LAST = ""
"""In place of the name of an analysis: the last one."""
_WITH_SIGNALS = ("statics", "kinematics", "dynamics")


@dataclass(frozen=True)
class SweepRequest:
    """What to compute at each point.

    figures : names of figures; None for all
    signals : name of an analysis ("" for the last one) -> names or patterns of its signals
    run : function of the model, for sources that are functions
    """

    figures: tuple[str, ...] | None = None
    signals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    run: Callable[[Any], Any] | None = None

    @staticmethod
    def of(
        figures: str | Iterable[str] | None,
        signals: str | Iterable[str] | Mapping[str, str | Iterable[str]] | None,
        run: Callable[[Any], Any] | None,
    ) -> SweepRequest:
        """From arguments of the user."""
        if run is not None and not callable(run):
            raise ModelError(f"sweep: run must be a function of the model, got {shown(run)}")
        by_analysis = signals if isinstance(signals, Mapping) else {LAST: signals}
        chosen = {str(name): _texts(given, "signals") for name, given in by_analysis.items() if given is not None}
        return SweepRequest(
            None if figures is None else _texts(figures, "figures"),
            {name: texts for name, texts in chosen.items() if texts},
            run,
        )

    def check(self, source: Source) -> None:
        """ModelError if the source does not have what is requested."""
        if isinstance(source, FunctionSource):
            return
        if self.run is not None:
            raise ModelError(
                "sweep: run is for models that a function builds. A model file specifies its own analyses: remove run"
            )
        if isinstance(source, FileSource):
            self._check_file(source)

    def _check_file(self, source: FileSource) -> None:
        file = source.file
        if not file.steps:
            raise ModelError(f"{source.called}: the file has no analyses to run. Add one to [[analyses]]")
        own = [step for step in file.steps if not step.is_study]
        known = [spec.key for spec in file.figures if spec.show]
        if not own and (self.figures is None or self.signals):
            raise ModelError(
                f"{source.called}: all analyses of the file are studies, which would run at every point. If this is intended, name "
                f'the figures, e.g. figures=["{known[-1] if known else "NAME"}"]'
            )
        for name in self.figures or ():
            if name not in known:
                raise ModelError(f'{source.called} has no figure "{name}"; {near_names(name, known)}')
        if not self.signals and not (known if self.figures is None else self.figures):
            raise ModelError(
                f"{source.called}: there is nothing to keep of a point. Add a [figures] table to the file, or choose signals, "
                'e.g. signals=["mesh.normal_force"]'
            )
        steps = {step.name: step for step in own}
        for analysis, names in self.signals.items():
            if analysis != LAST and analysis not in steps:
                raise ModelError(f'{source.called} has no analysis "{analysis}"; {near_names(analysis, steps)}')
            step = steps[analysis] if analysis != LAST else own[-1]
            _check_signals(source, step, names)

    def to_data(self) -> dict[str, Any]:
        """Plain data for a plan."""
        return {
            "figures": None if self.figures is None else list(self.figures),
            "signals": {name: list(texts) for name, texts in self.signals.items()},
            "run": None if self.run is None else FunctionSource(self.run).to_data(),
        }


def _check_signals(source: FileSource, step: Any, names: tuple[str, ...]) -> None:
    from pitchline.engine.compile.station_signals import signals_of

    if step.kind not in _WITH_SIGNALS:
        with_signals = [one.name for one in source.file.steps if one.kind in _WITH_SIGNALS]
        way_out = f'e.g. signals={{"{with_signals[-1]}": [...]}}' if with_signals else "and has no other with signals"
        raise ModelError(
            f'{source.called}: the analysis "{step.name}" ({step.kind}) does not have signals. Choose another analysis, {way_out}'
        )
    specs = signals_of(source.file.model_of(step), energies=step.kind == "dynamics")
    for name in names:
        # a component, such as "wheel.position.z", has the name of its signal before the last point
        if name in specs or name.rpartition(".")[0] in specs or any(fnmatchcase(known, name) for known in specs):
            continue
        raise ModelError(
            f'{source.called}: the analysis "{step.name}" has no signal "{name}"; {near_names(name, specs)}'
        )


def _texts(given: Any, what: str) -> tuple[str, ...]:
    items = [given] if isinstance(given, str) else given
    if not isinstance(items, Iterable):
        raise ModelError(f"sweep: {what} must be names, got {shown(given)}")
    texts = tuple(items)
    wrong = [item for item in texts if not isinstance(item, str)]
    if wrong:
        raise ModelError(f"sweep: {what} must be names, got {shown(wrong[0])}")
    twice = [text for k, text in enumerate(texts) if text in texts[:k]]
    if twice:
        raise ModelError(f"sweep: {what}: {listed(twice)} is given twice")
    return texts


# ---- plan

# SweepPlan: everything that determines the values of a sweep. A store belongs to one plan.

FORMAT = 2
_PARTS = ("version", "python", "source", "request", "points")
"""Entries that determine the values."""


class OtherPlanError(PitchlineError):
    """A store belongs to another sweep."""


@dataclass(frozen=True)
class SweepPlan:
    """Plan of a sweep as plain data.

    data : format, version, version of Python, source (texts of the files, or checksums of what a function depends on), request,
        points
    """

    data: Mapping[str, Any]

    @staticmethod
    def of(source: Source, points: Points, request: SweepRequest) -> SweepPlan:
        """Plan of a sweep."""
        data = {
            "format": FORMAT,
            "version": __version__,
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            "source": source.to_data(),
            "request": request.to_data(),
            "points": points.to_data(),
        }
        return SweepPlan(json.loads(json.dumps(data)))  # as it is read back: tuples are lists

    @property
    def digest(self) -> str:
        """Checksum of what determines the values."""
        text = json.dumps([self.data.get(part) for part in _PARTS], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> str:
        """Text of plan.json."""
        return json.dumps({**self.data, "sha256": self.digest}, indent=1, ensure_ascii=False) + "\n"

    @staticmethod
    def from_json(text: str) -> SweepPlan:
        """Plan from `to_json`. ValueError if the text is damaged."""
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("it is not a table")
        plan = SweepPlan({key: value for key, value in data.items() if key != "sha256"})
        if data.get("format") != FORMAT:
            raise ValueError(f"its format is {data.get('format')!r:.20}; this version of pitchline reads {FORMAT}")
        if data.get("sha256") != plan.digest:
            raise ValueError("its checksum is wrong; it was changed")
        return plan

    def differences(self, other: SweepPlan) -> Iterator[str]:
        """What is different in another plan, as texts."""
        mine, its = self.data, other.data
        if mine["version"] != its["version"]:
            yield f"pitchline {its['version']} instead of {mine['version']}"
        if mine["python"] != its["python"]:
            yield f"Python {its['python']} instead of {mine['python']}"
        yield from _source_differences(mine["source"], its["source"])
        for key, words in (("figures", "the figures"), ("signals", "the signals")):
            if mine["request"][key] != its["request"][key]:
                yield words
        run, its_run = mine["request"]["run"], its["request"]["run"]
        if run is not None and its_run is not None:
            yield from (f"the function run: {text}" for text in _source_differences(run, its_run))
        elif run != its_run:
            yield "the function run"
        yield from _point_differences(mine["points"], its["points"])


def _source_differences(mine: Mapping[str, Any], its: Mapping[str, Any]) -> Iterator[str]:
    if mine["kind"] != its["kind"]:
        yield f"a {its['kind']} instead of a {mine['kind']}"
        return
    if mine["name"] != its["name"]:
        yield f'the model "{its["name"]}" instead of "{mine["name"]}"'
    if mine["kind"] == "file":
        files = [*mine["files"], *(name for name in its["files"] if name not in mine["files"])]
        changed = [name for name in files if mine["files"].get(name) != its["files"].get(name)]
        if changed:
            yield f"the text of {listed(changed)}"
        yield from _value_differences(mine["overrides"], its["overrides"], "the value of the file")
    else:
        yield from _value_differences(mine.get("values", {}), its.get("values", {}), "its default")
    parts, others = mine.get("parts", {}), its.get("parts", {})
    changed = [name for name in {**parts, **others} if parts.get(name) != others.get(name)]
    if changed:
        yield f"other content of {listed(changed)}"


def _value_differences(mine: Mapping[str, str], its: Mapping[str, str], absent: str) -> Iterator[str]:
    for name in [*mine, *(name for name in its if name not in mine)]:
        if mine.get(name) != its.get(name):
            yield f"{name}: {its.get(name, absent)} instead of {mine.get(name, absent)}"


def _point_differences(mine: Mapping[str, Any], its: Mapping[str, Any]) -> Iterator[str]:
    before = len(mine["axes"]), len(its["axes"])
    names = [*mine["axes"], *(name for name in its["axes"] if name not in mine["axes"])]
    for name in names:
        own, other = mine["axes"].get(name), its["axes"].get(name)
        if own is None or other is None:
            yield f"{name} is {'not ' if other is None else ''}varied"
        elif any(own[key] != other[key] for key in ("values", "unit", "along")):
            yield f"values of {name}: {_range(other)} instead of {_range(own)}"
    if before[0] == before[1] and list(mine["axes"]) != list(its["axes"]) and set(mine["axes"]) == set(its["axes"]):
        yield "the order of the parameters"


def _range(axis: Mapping[str, Any]) -> str:
    values = axis["values"]
    ends = _short(values[0]) if len(values) == 1 else f"{_short(values[0])} ... {_short(values[-1])}"
    return f"{len(values)} value{'s' if len(values) > 1 else ''} {ends}{' ' + axis['unit'] if axis['unit'] else ''}"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


# ---- store

# SweepStore: a folder with the plan of a sweep and the parts that are complete.
#
# `plan.json` has the plan. `parts/000120-000127.npz` has the outcomes of the points 120 to 127. Each file is written
# under another name and renamed when it is complete, so any number of processes can write, and a part is complete or
# absent. A sweep that was stopped continues with the points that no part has. `result.nc` is written when all points
# are there.

PLAN, PARTS, RESULT = "plan.json", "parts", "result.nc"
_PART = re.compile(r"(\d{6,})-(\d{6,})\.npz")
_MAY_EXIST = (PLAN, PARTS, RESULT)


def is_store(path: str | os.PathLike[str]) -> bool:
    """Whether a folder is the store of a sweep."""
    return (Path(path).expanduser() / PLAN).is_file()


class SweepStore:
    """Store of a sweep. `open` makes the folder, or checks that it belongs to the same plan."""

    def __init__(self, folder: str | Path, plan: SweepPlan) -> None:
        self.folder = Path(folder).expanduser()
        self.plan = plan

    @staticmethod
    def open(folder: str | Path, plan: SweepPlan) -> SweepStore:
        """The store of this plan. OtherPlanError if the folder has another plan, StorageError if it cannot be used."""
        store = SweepStore(folder, plan)
        path = store.folder
        if path.is_file():
            raise StorageError(f'"{path}" is a file. Specify the name of a folder for the store of a sweep')
        if path.is_dir() and not is_store(path):
            others = [entry.name for entry in path.iterdir() if entry.name not in _MAY_EXIST and not _hidden(entry)]
            if others:
                raise StorageError(
                    f'the folder "{path}" is not the store of a sweep: it contains "{sorted(others)[0]}" and has no {PLAN}. '
                    "Specify another folder"
                )
        made_folder(path / PARTS)
        check_folder(path / PARTS)
        if is_store(path):
            store._check_plan()
        else:
            # Two processes may begin at the same time: both write the same, or the later one sees the plan of the first.
            write_text(path / PLAN, plan.to_json(), overwrite=True)
            store._check_plan()
        return store

    @staticmethod
    def read(folder: str | Path) -> SweepStore:
        """The store in a folder, with its own plan."""
        path = Path(folder).expanduser()
        return SweepStore(path, _read_plan(path))

    def _check_plan(self) -> None:
        found = _read_plan(self.folder)
        if found.digest == self.plan.digest:
            return
        differences = "; ".join(self.plan.differences(found)) or "other data"
        raise OtherPlanError(
            f'the store "{self.folder}" belongs to another sweep. It has {differences}. Choose another folder for this sweep, or '
            "remove that one if it is not needed any more"
        )

    def write(self, block: PointBlock) -> None:
        """Write a part, completely or not at all."""
        points = block.points
        path = self.folder / PARTS / f"{points[0]:06d}-{points[-1]:06d}.npz"
        arrays = block.to_arrays()
        size = sum(array.nbytes for array in arrays.values())
        try:
            with atomic_file(path, overwrite=True, size=size) as (draft, _), draft.open("wb") as stream:
                np.savez(stream, allow_pickle=False, **arrays)
        except StorageError as error:
            raise StorageError(
                f"{error}. The parts that were written before are complete: the same call continues there"
            ) from error

    def blocks(self) -> Iterator[PointBlock]:
        """All parts that can be read. A damaged part is reported, and its points are computed again."""
        for path in sorted((self.folder / PARTS).glob("*.npz")):
            if not _PART.fullmatch(path.name):
                continue
            try:
                with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                    yield PointBlock.from_arrays({key: arrays[key] for key in arrays.files})
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StorageError(f'cannot read "{path}": {error.strerror or error}') from error
            except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
                note(f'the part "{path}" is damaged ({error}). Its points are computed again')


def _hidden(entry: Path) -> bool:
    return entry.name.startswith(".")


def _read_plan(folder: Path) -> SweepPlan:
    path = folder / PLAN
    try:
        return SweepPlan.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f'cannot read "{path}": {error.strerror or error}') from error
    except (ValueError, KeyError) as error:
        raise StorageError(
            f'"{path}" is damaged: {error}. Move the folder away, or restore the file, and run the sweep again'
        ) from error


# ---- stored results

# read_store: the result of a sweep as far as its store has it.


def read_store(folder: str | os.PathLike[str]) -> StudyResult:
    """The result of a sweep as far as its store has it. Other points have the status "not computed"."""
    store = SweepStore.read(Path(folder))
    return result_of(store.plan.data["source"]["name"], Points.from_data(store.plan.data["points"]), store.blocks())
