"""View: models and results as a page that moves, to look at, to show in a notebook, to save and to pass on."""

from __future__ import annotations

import html
import json
import struct
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import names_wrong_arguments
from ..disk.atomic import atomic_file
from ..disk.errors import size_text
from ..errors import PitchlineError, shown
from ..progress import note, stage
from .browser import open_in_browser
from .notebook import MOST_INLINE, frame, in_notebook
from .page import page_html
from .records import ViewRecord
from .temporary_pages import write_temporary_page
from .things import listed_things, records_of

if TYPE_CHECKING:
    from ..model import Model

__all__ = ["LARGE", "View", "view"]

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
    from ..model import Model

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
