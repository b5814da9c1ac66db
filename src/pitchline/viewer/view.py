"""View: models and results as a page that moves, to look at, to show in a notebook, to save and to pass on."""

from __future__ import annotations

import builtins
import contextlib
import html
import json
import os
import shutil
import struct
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.progress.display import note, stage
from pitchline.base.storage.free_names import StorageError, atomic_file, safe_stem, size_text
from pitchline.errors import PitchlineError, shown

from .records import NotViewable, ViewRecord, page_html, record_of

if TYPE_CHECKING:
    from pitchline.files.parameters import DeclaredParameter
    from pitchline.model.model import Model

__all__ = [
    "has_screen",
    "open_in_browser",
    "frame",
    "in_notebook",
    "write_temporary_page",
    "Thing",
    "last_first",
    "listed_things",
    "records_of",
    "LARGE",
    "View",
    "view",
]


# ---- browser

# Open pages in the browser of the user if there is a screen. Text browsers are not started.


def has_screen() -> bool:
    """Return whether a graphical browser can be expected. Without a screen Python would start a text browser in the terminal."""
    if sys.platform in ("win32", "darwin", "cygwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_in_browser(address: str) -> bool:
    """Open an address; return False if there is no browser."""
    if not has_screen():
        return False
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False


# ---- notebook

# Pages inside notebooks: where they are shown, and the frame that holds one.

MOST_INLINE = 20_000_000
"""Bytes of a page inside a notebook: it is stored with the notebook, and sent to the browser with every output."""


def in_notebook() -> bool:
    """Whether the program runs in a kernel of Jupyter, which shows the last value of a cell by itself."""
    shell = getattr(builtins, "get_ipython", None)  # of IPython, while it runs a cell
    return shell is not None and hasattr(shell(), "kernel")


def frame(page: str, title: str, height: int) -> str:
    """A page in a frame of its own: its styles and scripts and those of the notebook do not touch each other.

    The sandbox gives it an origin of its own, so that it reaches neither the notebook nor its server. It has its own colours
    (`View.theme`), whatever the notebook has. A grey border with transparency fits both.
    """
    called, inside = html.escape(title, quote=True), html.escape(page, quote=True)
    return (
        f'<iframe title="{called}" width="100%" height="{height}" sandbox="allow-scripts allow-downloads" '
        f'allow="fullscreen" loading="lazy" style="border: 1px solid #8884; border-radius: 4px" '
        f'srcdoc="{inside}"></iframe>'
    )


# ---- temporary pages

# Pages that are only looked at: files that nobody else on the machine can read, removed when they are a day old.

PREFIX = "pitchline-page-"
OLD = 24 * 3600.0
"""Age at which a page is removed by the next one that is written [s]; until then a tab can be loaded again."""


def write_temporary_page(text: str, title: str) -> Path:
    """The page in a new folder that only the user can enter; only the user can read the file, too."""
    base = Path(tempfile.gettempdir())
    _remove_old(base)
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))  # mode 0700
        path = folder / f"{safe_stem(title, otherwise='page')}.html"
        with open(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline="\n"
        ) as file:
            file.write(text)
    except OSError as error:
        raise StorageError(
            f'cannot write a page to "{base}": {error.strerror or error}; save(path) writes it elsewhere'
        ) from error
    return path


def _remove_old(base: Path) -> None:
    """Folders of this user with pages that are a day old."""
    with contextlib.suppress(OSError):
        for folder in base.glob(f"{PREFIX}*"):
            with contextlib.suppress(OSError):
                about = folder.lstat()
                mine = not hasattr(os, "getuid") or about.st_uid == os.getuid()
                if mine and not folder.is_symlink() and time.time() - about.st_mtime > OLD:
                    shutil.rmtree(folder, ignore_errors=True)


# ---- things

# The arguments of a view as a list of named items, each of which becomes one record.


@dataclass(frozen=True, eq=False)
class Thing:
    """One item that becomes a record.

    item:       a model, a result or the result of another analysis
    name:       what the page calls it; without it, its analysis or its model
    of_run:     whether it is one of a whole run, of which results without a view are left out
    parameters: declared ones of its model file
    model:      makes the model that a result was computed from, if it is available
    """

    item: Any
    name: str | None = None
    of_run: bool = False
    parameters: Sequence[DeclaredParameter] = ()
    model: Callable[[], Model] | None = None

    def model_needed(self) -> Model | None:
        """The model, if the item is a result with flexible bodies: the model contains their deformation shapes."""
        described = getattr(self.item, "model", None)
        flexible = isinstance(described, dict) and described.get("flexible_bodies")
        return self.model() if flexible and self.model is not None else None


def records_of(things: Sequence[Thing], **options: Any) -> tuple[list[ViewRecord], list[str]]:
    """Records of items, and the names of results of a run that have no view, such as spectra. Names that are taken get a number.

    options: as for `record_of`.
    """
    records: list[ViewRecord] = []
    left_out: list[str] = []
    taken: set[str] = set()
    for one in things:
        try:
            whole = {"model": one.model_needed(), **options, "parameters": one.parameters}
            record = record_of(one.item, one.name, **whole)
            if record.name in taken:
                record = record_of(one.item, _free(record.name, taken), **whole)
        except NotViewable:
            if not one.of_run:
                raise
            left_out.append(one.name or type(one.item).__name__)
            continue
        taken.add(record.name)
        records.append(record)
    return records, left_out


def listed_things(given: Sequence[object], names: str | Iterable[str] | None = None) -> list[Thing]:
    """What Python was given, one by one. names: what the page calls them, one each.

    Arguments are models, model files, results of all analyses; lists of them; mappings of them by name, as `ModelFile.run` returns
    them; names of result files and model files.
    """
    things = [one for each in given for one in _listed(each)]
    if not isinstance(names, str | Iterable | None):
        raise PitchlineError(f"view: names must be texts, one for each item, got {shown(names)}")
    said = [names] if isinstance(names, str) else None if names is None else [str(name) for name in names]
    if said is None:
        return things
    if len(said) != len(things):
        raise PitchlineError(f"view: {len(said)} names for {len(things)} items. Specify one name for each item")
    if len(set(said)) != len(said):
        raise PitchlineError(f"view: names must differ, got {shown(said)}")
    return [replace(thing, name=name) for thing, name in zip(things, said, strict=True)]


def last_first(things: Sequence[Thing]) -> list[Thing]:
    """The analyses of a run in the order of a page: the last one is what the model is about."""
    return [*things[-1:], *things[:-1]]


def _listed(given: object) -> list[Thing]:
    from pitchline.files.model_file import ModelFile

    if isinstance(given, list | tuple):
        return [one for each in given for one in _listed(each)]
    if isinstance(given, Mapping):
        return last_first([Thing(one, str(name), of_run=True) for name, one in given.items()])
    if isinstance(given, ModelFile):
        return [Thing(given.model, parameters=given.declared)]
    if isinstance(given, str | os.PathLike):
        return [_of_file(Path(given))]
    return [Thing(given)]


def _of_file(path: Path) -> Thing:
    from pitchline.files.reader import read
    from pitchline.results.linear_files import load_found

    ending = path.suffix.lower()
    if ending == ".toml":
        file = read(path)
        return Thing(file.model, parameters=file.declared)
    if ending == ".nc":
        return Thing(load_found(path, lazy=True), path.stem)
    raise PitchlineError(f'view: "{path}" cannot be shown. Specify a result file (.nc) or a model file (.toml)')


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"


LARGE = 30_000_000
"""Bytes of a page up to which browsers open it at once."""
MOST = 250_000_000
"""Bytes of a page that browsers still open."""
THEMES = ("system", "light", "dark")
LOWEST, HIGHEST = 200, 4000
"""Height of a page in a notebook [pixels]."""


@names_wrong_arguments
class View:
    """A page with one or several records: models as built, results, modes, diagrams.

    Made by `pitchline.view` and by the method `view` of models and results. As the last value of a notebook cell it is shown
    there.

    Attributes
    ----------
    names : tuple of str
        What the page calls its records.
    title : str
        Of the page.
    height : int
        In a notebook [pixels].
    theme : str
        Its colours: "light", "dark", or "system" for those of the reader.
    """

    def __init__(self, records: Sequence[ViewRecord], title: str, *, height: int = 600, theme: str = "system") -> None:
        if isinstance(height, bool) or not isinstance(height, int) or not LOWEST <= height <= HIGHEST:
            raise PitchlineError(
                f"view: height must be a whole number of pixels from {LOWEST} to {HIGHEST}, got {shown(height)}"
            )
        if theme not in THEMES:
            raise PitchlineError(f"view: theme must be one of {', '.join(THEMES)}, got {shown(theme)}")
        if not isinstance(records, (list, tuple)) or not all(isinstance(one, ViewRecord) for one in records):
            raise PitchlineError(f"view: expected a list of records, got {shown(records)}. Use pitchline.view(...)")
        self.title, self.height, self.theme = title, height, theme
        self.names = tuple(record.name for record in records)
        self._records = tuple(records)

    @cached_property
    def _page(self) -> str:
        with stage("page"):
            text = page_html(self._records, self.title, theme=self.theme)
        if len(text) > MOST:
            raise PitchlineError(
                f"the page would take {size_text(len(text))}, and browsers open at most {size_text(MOST)}: show fewer results at a "
                "time, or save them and use pitchline view RESULT.nc, which reads what is looked at"
            )
        return text

    def html(self) -> str:
        """The page as text: one HTML document that needs nothing else, and asks nothing of the network."""
        return self._page

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the page as one file, which opens offline. It appears complete or not at all; an existing file stays unless
        `overwrite` is true.
        """
        check_page_name(path)
        data = self._page.encode()
        with atomic_file(path, overwrite=overwrite, size=len(data)) as (draft, target):
            draft.write_bytes(data)
        if len(data) > LARGE:
            note(f"{target.name} takes {size_text(len(data))}: a browser needs some seconds to open it")
        return target

    def open(self) -> Path:
        """Show the page in the browser, from a temporary file that only you can read; it is kept for a day. Returns the file.

        Without a screen nothing is opened, and the path of the file is printed: copy the file, or use `save`.
        """
        path = write_temporary_page(self._page, self.title)
        if open_in_browser(path.as_uri()):
            print(f"shown in the browser: {path}")
        else:
            print(f"no browser to open here; the page is {path}. Open it in a browser on a machine with a screen.")
        return path

    def _repr_html_(self) -> str:
        if len(self._page) > MOST_INLINE:
            words = (
                f"The page takes {size_text(len(self._page))}; a notebook shows up to {size_text(MOST_INLINE)}. "
                "view.open() shows it in the browser, view.save(path) writes it."
            )
            return f"<p>{html.escape(self.title)}: {html.escape(words)}</p>"
        return frame(self._page, self.title, self.height)

    def __repr__(self) -> str:
        what = ", ".join(self.names[:6]) + (f" and {len(self.names) - 6} more" if len(self.names) > 6 else "")
        return f"View of {self.title}: {what}; open() shows it in a browser, save(path) writes the page"


@names_wrong_arguments
def view(
    *items: Any,
    names: str | Iterable[str] | None = None,
    title: str | None = None,
    path: str | Path | None = None,
    overwrite: bool = False,
    show: bool | None = None,
    height: int = 600,
    theme: str = "system",
    magnify_corrections: object = 1.0,
    contact: bool = False,
    model: Model | None = None,
) -> View:
    """Show models and results in a page: true teeth in motion, forces, curves. One page can show several of them for comparison.

    Parameters
    ----------
    items
        Results, models, modes, Campbell diagrams, frequency responses, analyses of contact; model files and what their `run`
        returns; names of result files (.nc) and model files (.toml); lists of these. A model is shown as it is built.
    names
        What the page calls them, one each; without it the names of their analyses.
    title
        Of the page; without it the names of the models.
    path
        Write the page to this file, and open nothing.
    overwrite
        Whether an existing file is replaced.
    show
        Whether the page is opened in a browser. Without it: in a script or a terminal, but not where a `path` is given. In a
        Jupyter notebook nothing is opened: the view is shown in place, as the last value of its cell.
    height
        In a notebook [pixels].
    theme
        Colours of the page: "light", "dark", or "system" for those of the reader. A page inside a notebook cannot see the colours
        of the notebook.
    magnify_corrections
        How many times larger tip reliefs, crownings and other modifications of flanks are drawn than they are.
    contact
        Whether pressures on the flanks of gear pairs are computed for the results, under the forces that they have. It takes the
        finite elements of the gears: seconds to a minute the first time, then from the cache.
    model
        The model that the results were computed from. It contains the shapes in which its flexible bodies deform, and the
        places of its gears.
    """
    from pitchline.model.model import Model

    for option, said in (("contact", contact), ("overwrite", overwrite), ("show", False if show is None else show)):
        if not isinstance(said, bool):
            raise PitchlineError(f"view: {option} must be True or False, got {shown(said)}")
    if model is not None and not isinstance(model, Model):
        raise PitchlineError(f"view: model must be the model that the results were computed from, got {shown(model)}")
    options = {
        "magnify_corrections": magnify_corrections,
        "contact": contact,
        **({} if model is None else {"model": model}),
    }
    records, left_out = records_of(listed_things(items, names), **options)
    if not records:
        none = f"none of {', '.join(left_out)} has a view" if left_out else "nothing to show"
        raise PitchlineError(
            f"view: {none}; give a result, a model, modes, a Campbell diagram, a frequency response or contact"
        )
    if left_out:
        note(f"not in the page, having no view: {', '.join(left_out)}")
    made = View(records, _title(records) if title is None else str(title), height=height, theme=theme)
    if path is not None:
        made.save(path, overwrite=overwrite)
    if (not in_notebook() and path is None) if show is None else show:
        made.open()
    return made


def check_page_name(path: str | Path) -> None:
    """Refuse a name that browsers do not open as a page: perhaps that of a result or a model."""
    folder = str(path).endswith(("/", "\\"))  # that is said where it is written
    if not folder and Path(path).suffix.lower() not in (".html", ".htm"):
        raise PitchlineError(f'view: "{path}" is not a valid name of a page. Specify a name that ends in .html')


def _title(records: Sequence[ViewRecord]) -> str:
    """The names of the models, each once."""
    titles = dict.fromkeys(str(_head(record)["title"]) for record in records)
    return ", ".join(titles)


def _head(record: ViewRecord) -> dict[str, Any]:
    (length,) = struct.unpack_from("<I", record.block, 8)
    head: dict[str, Any] = json.loads(record.block[12 : 12 + length])
    return head
