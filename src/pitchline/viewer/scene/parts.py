"""The parts of a scene by the bodies that carry them, and the shapes that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..block import Block

__all__ = ["Info", "PartList"]

Info = list[tuple[str, str]]
"""Labels and texts of what a panel shows of a part."""

_AXES = np.eye(3)
_NAMED = 4
"""Parts that a note names."""


class PartList:
    """Collects parts. Shapes with the same key are made once.

    Attributes
    ----------
    model : dict
        The description.
    shapes : dict
        By name, for the head.
    by_body : dict
        Parts by the name of their body.
    structures : dict
        Shafts and flexible bodies that are drawn as one, by name, and the bodies of the stations that they move with.
    """

    def __init__(self, model: dict[str, Any], block: Block) -> None:
        self.model, self.block = model, block
        self.shapes: dict[str, Any] = {}
        self._noted: dict[str, list[str]] = {}
        self.by_body: dict[str, list[dict[str, Any]]] = {}
        self.structures: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def shape(self, key: str, make: Callable[[str], dict[str, Any]]) -> str:
        """The name of the shape with a key; `make` makes it from its name where it is new."""
        if key not in self._known:
            name = f"shape {len(self._known) + 1}"
            self.shapes[name] = make(name)
            self._known[key] = name
        return self._known[key]

    def add_structure(self, name: str, station: str) -> None:
        """Note that a structure is drawn as one body that moves with one of its stations."""
        self.structures[name] = station

    def note(self, text: str, *of: str) -> None:
        """Note an assumption about parts, or about the whole if none is named."""
        self._noted.setdefault(text, []).extend(of)

    @property
    def notes(self) -> list[str]:
        """Assumptions; parts with the same note are listed together."""
        said = []
        for text, names in self._noted.items():
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            said.append(f"{', '.join(names[:_NAMED])}{more}: {text}" if names else text)
        return said

    def add(
        self,
        body: str,
        shape: str,
        *,
        name: str,
        kind: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = _AXES,
        notes: Sequence[str] = (),
        colour: str | None = None,
        opacity: float | None = None,
        info: Info | None = None,
        **more: Any,
    ) -> None:
        """Put a part on a body. Its notes are also notes of the scene. more: further entries; None leaves one out."""
        part: dict[str, Any] = {
            "shape": shape, "position": np.asarray(position, dtype=np.float64).tolist(),
            "rotation": np.asarray(rotation, dtype=np.float64).tolist(), "name": name, "kind": kind,
        }  # fmt: skip
        if notes:
            part["note"] = "; ".join(notes)
            for note in notes:
                self.note(note, name)
        for key, value in (("colour", colour), ("opacity", opacity), ("info", info)):
            if value is not None:
                part[key] = value
        self.by_body.setdefault(body, []).append(
            part | {key: value for key, value in more.items() if value is not None}
        )
