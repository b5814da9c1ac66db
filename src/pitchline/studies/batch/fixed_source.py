"""FixedSource: a Model without parameters as the source of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...model import Model
from ..source import Source, SourceParameter

__all__ = ["FixedSource"]

LANE = "lane"
"""Its only parameter: a number without effect, because a study has at least one parameter."""


@dataclass(frozen=True, eq=False)
class FixedSource(Source):
    """A model. fixed : the model."""

    fixed: Model

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the model."""
        return self.fixed.name

    @property
    def called(self) -> str:  # type: ignore[override]
        """Name in messages."""
        return f'model "{self.fixed.name}"'

    @property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """One number without effect."""
        return {LANE: SourceParameter(0)}

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model."""
        return self.fixed

    def to_data(self) -> dict[str, Any]:
        """The description of the model."""
        return {"kind": "model", "name": self.fixed.name, "model": self.fixed.describe()}
