"""What a reader of another program's file returns: the model and a list of what was done with the file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ..arguments import names_wrong_arguments
from ..disk.atomic import atomic_file, check_target
from ..model import Model

__all__ = ["KINDS", "ImportReport", "Imported", "Note"]

Kind = Literal["ignored", "repaired", "assumed", "kept", "used"]
KINDS: tuple[Kind, ...] = ("ignored", "repaired", "assumed", "kept", "used")
HEADINGS: dict[Kind, str] = {
    "ignored": "Not in the model",
    "repaired": "Repaired",
    "assumed": "Assumed",
    "kept": "Kept for writing, without effect on the model",
    "used": "Used",
}


@dataclass(frozen=True)
class Note:
    """One line of the report of an import.

    kind: "ignored": changes the mechanics and is not in the model, for example a load; "repaired": an error of the file with
          the way in which it is read; "assumed": a value that the file does not state; "kept": without effect on the mechanics;
          "used": what became what
    text: names the item, and the line of the file where it helps
    """

    kind: Kind
    text: str


@names_wrong_arguments
@dataclass
class ImportReport:
    """Report of an import: what was used, kept, assumed and ignored.

    Parameters
    ----------
    notes
        Notes in the order in which they were made; each text once. Default: none.
    """

    notes: list[Note] = field(default_factory=list)

    def add(self, kind: Kind, text: str) -> None:
        """Add a note, unless it is there.

        Parameters
        ----------
        kind
            "ignored", "repaired", "assumed", "kept" or "used".
        text
            Names the item.
        """
        note = Note(kind, text)
        if note not in self.notes:
            self.notes.append(note)

    def of(self, kind: Kind) -> list[str]:
        """Return the texts of one kind.

        Parameters
        ----------
        kind
            "ignored", "repaired", "assumed", "kept" or "used".
        """
        return [note.text for note in self.notes if note.kind == kind]

    def text(self, kinds: Iterable[Kind] = KINDS) -> str:
        """Return the report as text; what is not in the model comes first.

        Parameters
        ----------
        kinds
            Kinds of notes. Default: all.
        """
        blocks = []
        for kind in kinds:
            lines = self.of(kind)
            if lines:
                blocks.append("\n".join([f"{HEADINGS[kind]}:", *(f"  - {line}" for line in lines)]))
        return "\n".join(blocks)


@dataclass
class Imported:
    """Model from another program's file.

    model:  the model
    report: what was used, kept, assumed and ignored
    text:   of the model file, if it contains more than the model, for example analyses and parameters
    files:  that the model file reads from its folder, for example shapes: name -> contents
    """

    model: Model
    report: ImportReport
    text: str | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    def file_text(self) -> str:
        """Text of the model file."""
        return self.text if self.text is not None else self.model.to_toml()

    def write(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, how_to_overwrite: str = "pass overwrite=True"
    ) -> list[Path]:
        """Write the model file and the files that it reads. Returns their paths; the model file is the first one.

        All names are checked before the first file is written.
        """
        target = Path(path).expanduser()
        contents = {target: self.file_text().encode("utf-8")}
        contents |= {target.parent / name: data for name, data in self.files.items()}
        for one in contents:
            check_target(one, overwrite=overwrite, how_to_overwrite=how_to_overwrite)
        for one, data in reversed(contents.items()):  # the model file last: it is complete if it exists
            one.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(one, overwrite=overwrite, how_to_overwrite=how_to_overwrite) as (draft, _):
                draft.write_bytes(data)
        return list(contents)
