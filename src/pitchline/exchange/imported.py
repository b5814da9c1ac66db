"""What a reader of another program's file returns: the model and a list of what was done with the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ..model import Model

__all__ = ["ImportReport", "Imported", "Note"]

Kind = Literal["ignored", "assumed", "kept", "used"]
KINDS: tuple[Kind, ...] = ("ignored", "assumed", "kept", "used")
HEADINGS: dict[Kind, str] = {
    "ignored": "Not in the model",
    "assumed": "Assumed",
    "kept": "Kept for writing, without effect on the model",
    "used": "Used",
}


@dataclass(frozen=True)
class Note:
    """One line of the report of an import.

    kind: "ignored": changes the mechanics and is not in the model, for example a load; "assumed": a value that the file does
          not state; "kept": without effect on the mechanics; "used": what became what
    text: names the item, and the line of the file where it helps
    """

    kind: Kind
    text: str


@dataclass
class ImportReport:
    """Notes of an import, in the order in which they were made; each text once."""

    notes: list[Note] = field(default_factory=list)

    def add(self, kind: Kind, text: str) -> None:
        """Add a note, unless it is there."""
        note = Note(kind, text)
        if note not in self.notes:
            self.notes.append(note)

    def of(self, kind: Kind) -> list[str]:
        """Texts of one kind."""
        return [note.text for note in self.notes if note.kind == kind]

    def text(self, kinds: Iterable[Kind] = KINDS) -> str:
        """Report as text; what is not in the model comes first."""
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
    """

    model: Model
    report: ImportReport
