"""What `to_rexs` returns: the document that was written, and what has no place in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .document import RexsDocument

__all__ = ["RexsExport"]


@dataclass
class RexsExport:
    """Written REXS file.

    Attributes
    ----------
    path : Path
    document : RexsDocument
    written : list of str
        What was written or changed.
    assumed : list of str
        What was written in another form than in the model.
    left_out : list of str
        What has no place in the file.
    """

    path: Path
    document: RexsDocument
    written: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def note(self, kind: list[str], text: str) -> None:
        """Add a text to one of the lists, once."""
        if text not in kind:
            kind.append(text)

    def text(self) -> str:
        """Report as text; what was left out comes first."""
        blocks = []
        for heading, lines in (("Not written", self.left_out), ("Assumed", self.assumed), ("Written", self.written)):
            if lines:
                blocks.append("\n".join([f"{heading}:", *(f"  - {line}" for line in lines)]))
        return "\n".join(blocks)

    def __str__(self) -> str:
        return self.text()
