"""Jobs from NAME|FILE: a model with its analyses, figures and picture, from a file, the gallery or a result."""

from __future__ import annotations

import contextlib
import math
import shutil
import sys
import tempfile
import tomllib
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.base.progress.display import stage
from pitchline.base.storage.free_names import StorageError, distinct_stems, free_space, safe_stem, size_text
from pitchline.errors import ModelError, PitchlineError, SolveError, near_names, shown
from pitchline.exchange.formats import is_importable

from .ltca import asked_to_try_again, kept_elsewhere
from .run import FAILED, FINE, INTERRUPTED, WRONG, folder_names, ready_folder, write_atomically, write_text
from .sweep import RunResults, stop_on_signals

if TYPE_CHECKING:
    from pitchline.analyses.chosen_signals import CheckpointPlan
    from pitchline.files.analysis_steps import Step
    from pitchline.files.model_file import ModelFile
    from pitchline.files.parameters import DeclaredParameter
    from pitchline.gallery.figures import Figure
    from pitchline.gallery.model_kinds import GalleryModel, Parameter
    from pitchline.model.model import Model
    from pitchline.results.result import Result

__all__ = [
    "ModelTexts",
    "FileJob",
    "Found",
    "GalleryJob",
    "Job",
    "analysis_of",
    "find_job",
    "job_behind",
    "read_allowed",
    "read_settings",
    "parameters_of",
    "Outcome",
    "Written",
    "as_data",
    "perform",
    "report_to",
    "write_files",
    "check_output",
    "predicted_size",
]


# ---- model texts

# Texts of a model file and its included files. A result stores them, and the model can be read from them again.


@dataclass
class ModelTexts:
    """name: of the file; text: its contents; included: name relative to its folder -> text; data: the same for files that
    are not texts, for example shapes. A result does not store the data."""

    name: str
    text: str
    included: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of_file(cls, path: Path) -> ModelTexts:
        """Texts of a file that was read without errors."""
        texts = cls(path.name, _text(path))
        root = path.resolve().parent
        left = [path.resolve()]
        while left:
            here = left.pop()
            given = tomllib.loads(_text(here)).get("include", [])
            for name in [given] if isinstance(given, str) else given:
                other = (here.parent / name).resolve()
                key = other.relative_to(root).as_posix()
                if key not in texts.included:
                    texts.included[key] = _text(other)
                    left.append(other)
        return texts

    @classmethod
    def of_source(cls, source: dict[str, Any]) -> ModelTexts:
        """Read from the data of a result. The data is untrusted."""
        text, included, name = source.get("text"), source.get("included", {}), source.get("name", "")
        texts = [text, name, *included, *included.values()] if isinstance(included, dict) else [None]
        if not all(isinstance(one, str) for one in texts):
            raise PitchlineError("cannot read the model file that is stored in the result")
        return cls(f"{safe_stem(Path(str(name)).stem)}.toml", str(text), dict(included))

    def as_source(self) -> dict[str, Any]:
        """Plain data to store in a result."""
        return {"name": self.name, "text": self.text} | ({"included": self.included} if self.included else {})

    def read(self, settings: dict[str, str], called: str, allow: tuple[str, ...] = ()) -> ModelFile:
        """Read the model file. Messages use the name `called`. allow: modules whose elements it may use."""
        from pitchline.files.reader import read

        if not self.included and not self.data:
            return read(self.text + "\n", overrides=settings, source=called, allow=allow)
        # included files are found next to the first one, also later: the folder exists as long as these texts
        root = Path(tempfile.mkdtemp(prefix="pitchline-")).resolve()
        weakref.finalize(self, shutil.rmtree, root, ignore_errors=True)
        for name, contents in {**self.data, **self.included, self.name: self.text}.items():
            if "\0" in name or len(name) > 1000 or not name.isprintable():
                raise PitchlineError(f"{called}: {shown(name)} is not a valid name of an included file")
            path = (root / name).resolve()
            if not path.is_relative_to(root) or path == root:
                raise PitchlineError(f'{called}: the included file "{name}" is outside the folder of the model')
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(contents.encode("utf-8") if isinstance(contents, str) else contents)
            except (OSError, UnicodeEncodeError) as error:
                raise PitchlineError(f"{called}: cannot unpack the included file {shown(name)}: {error}") from error
        return read(root / self.name, overrides=settings, source=called, allow=allow)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


Found = dict[str, Any]
"""Analyses by name: results, modes, frequency responses, Campbell diagrams."""


class Job(ABC):
    """Model that can be run."""

    name: str
    line: str
    """Short description; may be empty."""

    @abstractmethod
    def model(self) -> Model:
        """The model in its initial state, before its analyses."""

    @abstractmethod
    def planned(self) -> list[tuple[str, str]]:
        """(name, kind) of its analyses, if they are known before the run."""

    @abstractmethod
    def run(self) -> Found:
        """Run all analyses."""

    @abstractmethod
    def figures(self, run: Found) -> Sequence[Figure]:
        """Declared figures."""

    @abstractmethod
    def plot(self, run: Found, path: Path) -> None:
        """Its picture."""

    def reached(self) -> Found:
        """Results without signals of a run that ended early: tooth contacts, modes, spectra."""
        return {}

    def drawn(self, run: Found) -> dict[str, tuple[str, Callable[[Path], None]]]:
        """Further pictures by name: the analysis of each picture, and how to save it."""
        return {}

    @property
    @abstractmethod
    def signals(self) -> tuple[str, ...]:
        """Signals to plot."""

    @abstractmethod
    def draws(self, run: Found) -> bool:
        """Whether it has a picture."""

    @abstractmethod
    def source(self, analysis: str) -> dict[str, Any]:
        """Source of the model, as stored in a result file."""


@dataclass
class GalleryJob(Job):
    """Gallery program."""

    one: GalleryModel
    settings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name, self.line = self.one.name, self.one.line

    def model(self) -> Model:
        return self.one.build()

    def planned(self) -> list[tuple[str, str]]:
        return []

    def run(self) -> Found:
        return dict(self.one.run())

    def figures(self, run: Found) -> Sequence[Figure]:
        return self.one.figures(run)

    @property
    def signals(self) -> tuple[str, ...]:
        return self.one.plot_signals

    def draws(self, run: Found) -> bool:
        return True

    def plot(self, run: Found, path: Path) -> None:
        self.one.plot(run, path)

    def source(self, analysis: str) -> dict[str, Any]:
        return _gallery_source(self.name, self.settings, analysis)


@dataclass
class FileJob(Job):
    """Model file, or the text of a model file that a result stores."""

    file: ModelFile
    texts: ModelTexts
    settings: dict[str, str] = field(default_factory=dict)
    gallery: str = ""
    """Its name in the gallery, if it is a gallery file."""

    def __post_init__(self) -> None:
        self.name, self.line = self.file.name, self.file.description
        self.found: Found = {}

    def model(self) -> Model:
        return self.file.model

    def planned(self) -> list[tuple[str, str]]:
        return [(step.name, step.kind) for step in self.file.steps]

    def run(self) -> Found:
        if not self.file.steps:
            raise ModelError(
                f"{self.file.source}: the file has no analyses to run. Add one, e.g.\n\n"
                '[[analyses]]\nname = "run"\nkind = "dynamics"\nduration = "1 s"'
            )
        from pitchline.results.figures import status_of
        from pitchline.results.status import Status

        self.found = {}
        run = self.file.run(on_step=self._note)
        if any(status_of(found) is Status.INTERRUPTED for found in run.values()):
            raise KeyboardInterrupt
        return run

    def _note(self, step: Step, found: Any) -> None:
        from pitchline.results.result import Result

        if found is not None and not isinstance(found, Result):
            self.found[step.name] = found

    def reached(self) -> Found:
        return dict(self.found)

    def figures(self, run: Found) -> Sequence[Figure]:
        return self.file.findings(run)

    def figures_of(self, analysis: str, result: Result) -> Sequence[Figure]:
        """Figures of this analysis only."""
        from dataclasses import replace

        mine = tuple(spec for spec in self.file.figures if set(spec.needed) <= {analysis})
        return replace(self.file, figures=mine).findings({analysis: result})

    @property
    def signals(self) -> tuple[str, ...]:
        return self.file.plot

    def draws(self, run: Found) -> bool:
        return self.file.draws(run)

    def plot(self, run: Found, path: Path) -> None:
        self.file.draw(run, path)

    def drawn(self, run: Found) -> dict[str, tuple[str, Callable[[Path], None]]]:
        return {
            plot.name or plot.analysis: (plot.analysis, lambda path, n=n: self.file.draw(run, path, n))  # type: ignore[misc]
            for n, plot in enumerate(self.file.plots)
            if n and plot.analysis in run
        }

    def source(self, analysis: str) -> dict[str, Any]:
        if self.gallery:
            return _gallery_source(self.gallery, self.settings, analysis)
        return {**self.texts.as_source(), "set": dict(self.settings), "analysis": analysis}


def _gallery_source(name: str, settings: dict[str, str], analysis: str) -> dict[str, Any]:
    changed = {"set": dict(settings)} if settings else {}
    return {"gallery": name, **changed, "analysis": analysis}


def read_settings(texts: Sequence[str]) -> dict[str, str]:
    """Parse parameter=value, several of them."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ModelError(f"--set {shown(text)}: expected PARAMETER=VALUE, e.g. teeth=21")
        settings[name.strip()] = value.strip()
    return settings


def read_allowed(modules: Sequence[str]) -> tuple[str, ...]:
    """Modules that --allow names. They are also looked for in the current folder, as Python does for a script."""
    here = str(Path.cwd())
    if modules and here not in sys.path:
        sys.path.insert(0, here)
    return tuple(modules)


def find_job(what: str, settings: Sequence[str] = (), allow: Sequence[str] = ()) -> Job:
    """The model that NAME|FILE names. allow: modules whose elements it may use."""
    given, allowed = read_settings(settings), read_allowed(allow)
    path = Path(what).expanduser()
    if path.suffix.lower() == ".nc":
        return _job_of_result(path, given, allowed)
    if is_importable(path):
        return _job_of_import(path, given, allowed)
    from pitchline.gallery.catalogue import MODELS

    name = what.replace("_", "-")
    if name not in MODELS and (path.is_file() or path.suffix.lower() == ".toml"):
        return _job_of_file(path, given, allowed)
    if name not in MODELS and (path.suffix or len(path.parts) > 1):
        raise ModelError(f'file "{what}" not found. Model files end in .toml, result files in .nc')
    return _job_of_gallery(what, given)


def _job_of_gallery(name: str, settings: dict[str, str]) -> Job:
    from pitchline.gallery.catalogue import model
    from pitchline.gallery.model_kinds import GalleryFile

    one = model(name, **settings)
    if isinstance(one, GalleryFile):
        return FileJob(one.file, ModelTexts.of_file(one.path), settings, one.name)
    return GalleryJob(one, settings)


def _job_of_file(path: Path, settings: dict[str, str], allow: tuple[str, ...]) -> FileJob:
    from pitchline.files.reader import read

    file = read(path, overrides=settings, allow=allow)
    return FileJob(file, ModelTexts.of_file(path), settings)


def _job_of_import(path: Path, settings: dict[str, str], allow: tuple[str, ...]) -> FileJob:
    """Model from a file of another program. What is not in the model, and what was assumed, is printed as notes."""
    from pitchline.base.progress.display import note
    from pitchline.exchange.formats import import_model

    imported = import_model(path)
    for line in imported.report.text(("ignored", "assumed")).splitlines():
        note(line)
    texts = ModelTexts(f"{path.name.split('.')[0]}.toml", imported.file_text(), data=imported.files)
    return FileJob(texts.read(settings, path.name, allow), texts, settings)


def _job_of_result(path: Path, settings: dict[str, str], allow: tuple[str, ...]) -> Job:
    from pitchline.results.result import Result

    with Result.load(path, lazy=True) as result:
        job = job_behind(result, path.name, settings, allow)
    if job is None:
        raise PitchlineError(
            f'"{path}" does not contain a model file, because the model was built in Python. Run the Python program again, or '
            "write the model to a file with Model.to_toml()"
        )
    return job


def job_behind(result: Result, called: str, settings: dict[str, str], allow: tuple[str, ...] = ()) -> Job | None:
    """The model of a result, from the texts stored in the result; None if the model was built in Python."""
    source = result.source
    if "gallery" in source:
        return _job_of_gallery(str(source["gallery"]), {**source.get("set", {}), **settings})
    if "text" not in source:
        return None
    texts = ModelTexts.of_source(source)
    kept = source.get("set", {})
    if not isinstance(kept, dict) or not all(isinstance(value, str) for value in kept.values()):
        raise PitchlineError(f"{called}: cannot read the parameters of the result's model")
    whole = {**kept, **settings}
    return FileJob(texts.read(whole, f"{called}: {texts.name}", allow), texts, whole)


def analysis_of(job: Job, name: str | None) -> Result | None:
    """Operating point of ``--about``: an analysis of the model, "statics" or a result file; None: none."""
    if name is None:
        return None
    from pitchline.results.result import Result

    if name.lower().endswith(".nc"):
        return Result.load(Path(name))
    if name == "statics" and name not in dict(job.planned()):
        from pitchline.analyses.statics import statics

        return statics(job.model())
    run = job.run()
    known = [key for key, found in run.items() if isinstance(found, Result)]
    if name not in known:
        raise ModelError(f'--about {name}: "{job.name}" has no such analysis; {near_names(name, [*known, "statics"])}')
    found: Result = run[name]
    return found


# ---- job parameters

# Declared parameters of a model file or of a gallery program.


def parameters_of(job: Job) -> tuple[DeclaredParameter, ...]:
    """Parameters with the values that they have in this job."""
    if isinstance(job, FileJob):
        return job.file.declared
    if isinstance(job, GalleryJob):
        settings = getattr(job.one, "settings", {})
        return tuple(
            _declared(name, known, settings.get(name, known.default)) for name, known in job.one.parameters.items()
        )
    return ()


def _declared(name: str, known: Parameter, value: float) -> DeclaredParameter:
    from pitchline.files.parameters import DeclaredParameter
    from pitchline.units.quantity import canonical_unit

    unit = "" if known.dimension is None else canonical_unit(known.dimension)
    low, high = (bound if math.isfinite(bound) else None for bound in (known.lowest, known.highest))
    return DeclaredParameter(name, f"{value:.12g}", unit, known.line, low, high)


# ---- job run

# Run a job and keep its outcome, also if it failed or was interrupted.

_File = tuple[str, str, Callable[[Path], object]]
"""File extension, description and write function."""


@dataclass
class Outcome:
    """Outcome of a job.

    run:      completed analyses by name
    failure:  reason of an early end, if any
    status:   the exit status
    """

    job: Job
    run: Found = field(default_factory=dict)
    figures: Sequence[Figure] = ()
    failure: str = ""
    status: int = FINE


def perform(job: Job, *, quiet: bool = False, plan: CheckpointPlan | None = None) -> Outcome:
    """Run the job. Failures and interruptions are part of the outcome. `quiet`: print nothing to stdout. `plan`: of its
    checkpoints.

    Errors before the first computation are raised. After a later error, the results computed until then are kept.
    """
    from pitchline.analyses.chosen_signals import checkpointed
    from pitchline.analyses.observers import observed_by
    from pitchline.results.result import Result

    kept = RunResults()
    run: Found = {}
    # output of the model itself must not mix with the JSON output that a program reads
    aside = contextlib.redirect_stdout(sys.stderr) if quiet else contextlib.nullcontext()
    try:
        with stop_on_signals(kept), observed_by(kept), checkpointed(plan), aside:
            run = job.run()
            return Outcome(job, run, job.figures(run))
    except SolveError as error:
        if isinstance(error.result, Result):
            kept.results.append(error.result)
        return Outcome(job, _reached(job, kept), failure=str(error), status=FAILED)
    except MemoryError:
        failure = "out of memory. Store fewer samples (larger output_step), or close other programs"
        return Outcome(job, _reached(job, kept), failure=failure, status=FAILED)
    except KeyboardInterrupt:
        named = kept.named(job.planned())
        message = next((result.message for result in named.values() if result.status == "interrupted"), "")
        return Outcome(job, _reached(job, kept), failure=message or "interrupted", status=INTERRUPTED)
    except PitchlineError as error:
        run = run or _reached(job, kept)
        if not run:
            raise
        return Outcome(job, run, failure=str(error), status=WRONG)


def _reached(job: Job, kept: RunResults) -> Found:
    """Results until a run ended early, in the order of its analyses."""
    found: Found = {**kept.named(job.planned()), **job.reached()}
    order = [name for name, _ in job.planned() if name in found]
    return {name: found[name] for name in [*order, *(name for name in found if name not in order)]}


def as_data(outcome: Outcome) -> dict[str, Any]:
    """The object printed by ``--json``."""
    from pitchline.results.figures import report

    data = report(outcome.job.name, outcome.run, outcome.figures)
    kinds = dict(outcome.job.planned())
    for analysis in data["analyses"]:  # the name in the model file
        analysis["kind"] = kinds.get(analysis["name"], analysis["kind"])
    return data


def report_to(path: Path, outcome: Outcome, *, scene: bool = True, force: bool) -> None:
    """HTML report of an outcome."""
    from pitchline.views.report.page import write_report

    job = outcome.job
    file = getattr(job, "file", None)
    plots = {} if file is None else file.study_pictures(outcome.run)
    write_report(
        path, outcome.run, model=job.model(), figures=outcome.figures, signals=job.signals, source=getattr(file, "source", None),
        plots=plots, scene=scene, overwrite=force,
    )  # fmt: skip


@dataclass(frozen=True)
class Written:
    """File of a run. problem: why it could not be written, if so; then `path` is the intended path, or where it was
    saved instead."""

    path: Path
    what: str
    problem: str = ""


def write_files(outcome: Outcome, folder: Path, *, force: bool, with_report: bool = False) -> Iterator[Written]:
    """Write all results and the picture, and yield each when it is written. Results come first. A failed file does not
    stop the others.

    The last analysis has the name of the model. The other files have the name of their analysis appended.
    """
    from pitchline import views  # noqa: F401  (results can then draw themselves)

    job, run = outcome.job, outcome.run
    parts = distinct_stems(list(run)[:-1], _file_part)
    suffixes = {name: f".{part}" for name, part in parts.items()} | dict.fromkeys(list(run)[-1:], "")
    wanted: list[_File] = []
    further = job.drawn(run) if outcome.status == FINE else {}
    drawn = {analysis for analysis, _ in further.values()}
    if outcome.status == FINE:  # the first one is the picture of the run
        drawn |= {plot.analysis for plot in getattr(getattr(job, "file", None), "plots", ())[:1]}
    for name, found in run.items():
        wanted += _files_of(job, name, found, suffixes[name], force, drawn=name in drawn)
    if outcome.status == FINE and job.draws(run):
        wanted.append((".png", "picture", lambda path: _draw(path, lambda draft: job.plot(run, draft), force)))
    taken = {suffix for suffix, _, _ in wanted}
    for part, (_, draw) in zip(distinct_stems(list(further), _file_part).values(), further.values(), strict=True):
        suffix = f".{part}.png" if f".{part}.png" not in taken else f".{part}-plot.png"
        wanted.append((suffix, "picture", lambda path, draw=draw: _draw(path, draw, force)))  # type: ignore[misc]
    if with_report:
        wanted.append((".html", "report", lambda path: report_to(path, outcome, force=force)))
    wanted.sort(key=lambda file: file[1] != "result")
    endings = [suffix for suffix, _, _ in wanted]
    with contextlib.ExitStack() as open_until_written:
        try:
            paths = open_until_written.enter_context(folder_names(folder, job.name, endings, force=force))
        except (
            StorageError
        ):  # the folder changed after the check: each file reports it, and results are saved elsewhere
            paths = [folder / f"{safe_stem(job.name)}{ending}" for ending in endings]
        for path, (_, what, write) in zip(paths, wanted, strict=True):
            with stage(f"writing {path.name}"):
                file = _written(path, what, write)
            yield file


def _written(path: Path, what: str, write: Callable[[Path], object]) -> Written:
    """Write one file. A result that cannot be written to its folder is saved to another one, because it may have taken
    hours."""
    while True:
        try:
            write(path)
            return Written(path, what)
        except StorageError as error:
            problem = str(error)
            if what == "result":
                if asked_to_try_again(problem):
                    continue
                kept = kept_elsewhere(path, write)
                if kept is not None:
                    return Written(kept, what, f"{problem}. The result was saved as {kept} instead. Move it from there")
            return Written(path, what, problem)
        except (PitchlineError, MemoryError) as error:
            return Written(path, what, str(error) or f'cannot write "{path}": out of memory')


def _files_of(job: Job, name: str, found: Any, suffix: str, force: bool, *, drawn: bool = False) -> list[_File]:
    """Files of one analysis. drawn: whether the model describes its picture."""
    from dataclasses import replace

    from pitchline.results.linear_files import LinearFinding
    from pitchline.results.result import Result

    from .ltca import csv_text

    if isinstance(found, Result):
        whole = found if found.source else replace(found, source=job.source(name))
        return [(f"{suffix}.nc", "result", lambda path: whole.save(path, overwrite=force))]
    files: list[_File] = []
    if isinstance(found, LinearFinding) or getattr(found, "kind", "") in ("study", "continuation", "optimum"):
        files.append((f"{suffix}.nc", "result", lambda path: found.save(path, overwrite=force)))
    text = csv_text(found)
    if text is not None:
        files.append((f"{suffix}.csv", "table", lambda path: write_text(path, text, force=force)))
    if suffix and not drawn and hasattr(found, "plot"):  # the last one is the picture of the run
        files.append(
            (f"{suffix}.png", "picture", lambda path: _draw(path, lambda draft: found.plot(path=draft), force))
        )
    return files


def _draw(path: Path, draw: Any, force: bool) -> None:
    write_atomically(path, draw, force=force)


def _file_part(name: str) -> str:
    """Name of an analysis as part of a file name."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in safe_stem(name, otherwise="_"))


# ---- preflight

# Checks before a run: the output folder, the file names, and the disk space for the samples.

_BODY, _JOINT, _PAIR = 19, 6, 10
"""Numbers per sample of a body, and at least per joint and per gear pair."""


def check_output(job: Job, folder: Path, *, force: bool, with_report: bool) -> None:
    """Raise an error if the files of a run cannot be written to the folder."""
    ready_folder(folder)
    if force:  # otherwise existing names get a number
        for suffix in (".nc", ".png", *([".html"] if with_report else [])):
            path = folder / f"{safe_stem(job.name)}{suffix}"
            if path.is_dir():
                raise StorageError(f'cannot write "{path}": it is a folder. Rename it, or choose another folder')
    size, free = predicted_size(job), free_space(folder)
    if free is not None and size > free:
        raise StorageError(
            f'the requested samples need at least {size_text(size)}, but only {size_text(free)} are free in "{folder}". Specify a '
            "larger output_step, free space there, or choose another folder"
        )


def predicted_size(job: Job) -> int:
    """Lower limit of the size of the results of a model file in bytes; 0 if the number of samples is not known before
    the run."""
    if not isinstance(job, FileJob):
        return 0
    model = job.model()
    a_sample = _BODY * len(model.bodies) + _JOINT * len(model.joints) + _PAIR * len(model.gear_pairs)
    return 8 * a_sample * sum(_samples(step.kind, step.options) for step in job.file.steps)


def _samples(kind: str, options: dict[str, Any]) -> int:
    """Number of samples of an analysis that specifies their distance."""
    from pitchline.units.quantity import quantity

    between = {"dynamics": "output_step", "kinematics": "step"}.get(kind)
    if between is None or options.get(between) is None or options.get("duration") is None:
        return 0
    duration, step = (quantity(options[key], "time", what=key) for key in ("duration", between))
    ratio = duration / step if step > 0.0 else 0.0
    return int(ratio) if math.isfinite(ratio) else 0
