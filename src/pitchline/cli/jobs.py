"""Jobs from NAME|FILE: a model with its analyses, figures and picture, from a file, the gallery or a result."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, PitchlineError, near_names, shown
from ..exchange.formats import is_importable
from .model_texts import ModelTexts

if TYPE_CHECKING:
    from ..files import ModelFile, Step
    from ..gallery import Figure, GalleryModel
    from ..model import Model
    from ..results import Result

__all__ = [
    "FileJob",
    "Found",
    "GalleryJob",
    "Job",
    "analysis_of",
    "find_job",
    "job_behind",
    "read_allowed",
    "read_settings",
]

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
        from ..results import Status
        from ..results.figures import status_of

        self.found = {}
        run = self.file.run(on_step=self._note)
        if any(status_of(found) is Status.INTERRUPTED for found in run.values()):
            raise KeyboardInterrupt
        return run

    def _note(self, step: Step, found: Any) -> None:
        from ..results import Result

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
    from ..gallery import MODELS

    name = what.replace("_", "-")
    if name not in MODELS and (path.is_file() or path.suffix.lower() == ".toml"):
        return _job_of_file(path, given, allowed)
    if name not in MODELS and (path.suffix or len(path.parts) > 1):
        raise ModelError(f'file "{what}" not found. Model files end in .toml, result files in .nc')
    return _job_of_gallery(what, given)


def _job_of_gallery(name: str, settings: dict[str, str]) -> Job:
    from ..gallery import GalleryFile, model

    one = model(name, **settings)
    if isinstance(one, GalleryFile):
        return FileJob(one.file, ModelTexts.of_file(one.path), settings, one.name)
    return GalleryJob(one, settings)


def _job_of_file(path: Path, settings: dict[str, str], allow: tuple[str, ...]) -> FileJob:
    from ..files import read

    file = read(path, overrides=settings, allow=allow)
    return FileJob(file, ModelTexts.of_file(path), settings)


def _job_of_import(path: Path, settings: dict[str, str], allow: tuple[str, ...]) -> FileJob:
    """Model from a file of another program. What is not in the model, and what was assumed, is printed as notes."""
    from ..exchange.formats import import_model
    from ..progress import note

    imported = import_model(path)
    for line in imported.report.text(("ignored", "assumed")).splitlines():
        note(line)
    texts = ModelTexts(f"{path.name.split('.')[0]}.toml", imported.file_text(), data=imported.files)
    return FileJob(texts.read(settings, path.name, allow), texts, settings)


def _job_of_result(path: Path, settings: dict[str, str], allow: tuple[str, ...]) -> Job:
    from ..results import Result

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
    from ..results import Result

    if name.lower().endswith(".nc"):
        return Result.load(Path(name))
    if name == "statics" and name not in dict(job.planned()):
        from ..analyses.statics import statics

        return statics(job.model())
    run = job.run()
    known = [key for key, found in run.items() if isinstance(found, Result)]
    if name not in known:
        raise ModelError(f'--about {name}: "{job.name}" has no such analysis; {near_names(name, [*known, "statics"])}')
    found: Result = run[name]
    return found
