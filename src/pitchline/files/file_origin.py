"""FileOrigin: what a model file was read from, so that it can be read again elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from .document import Document
from .sources import Sources

__all__ = ["FileOrigin"]


@dataclass(frozen=True, eq=False)
class FileOrigin:
    """What a model file was read from.

    called:     name of the file in messages
    text:       text of the main file
    path:       path of the main file; None for a text
    others:     included files and data files
    overrides:  parameter values set by the user
    allow:      modules with user-defined elements that the file may use
    """

    called: str = ""
    text: str = ""
    path: FilePath | None = None
    others: tuple[FilePath, ...] = ()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    allow: tuple[str, ...] = ()

    @staticmethod
    def of(document: Document, sources: Sources, overrides: Mapping[str, Any], allow: tuple[str, ...]) -> FileOrigin:
        """Origin of a file that was just read."""
        path = None if document.path is None else document.path.resolve()
        others = tuple(other for other in dict.fromkeys(sources.files) if other != path)
        return FileOrigin(document.name, document.text, path, others, dict(overrides), allow)
