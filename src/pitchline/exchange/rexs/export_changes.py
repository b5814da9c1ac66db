"""Changes of a model that came from a REXS file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import ModelError
from ...model import Model
from .export_report import RexsExport

__all__ = ["changed_document", "source_of"]


def source_of(model: Model, source: str | Path | None) -> Any:
    """Origin of a model, or None."""
    if source is not None:
        raise ModelError("not available")
    return None


def changed_document(model: Model, origin: Any, report: RexsExport) -> dict[str, int]:
    """Change the document of the report."""
    return {}
