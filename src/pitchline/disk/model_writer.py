"""Registered function that writes models to files.

`Model.to_toml` needs the writer of `pitchline.files`, which itself needs `Model`. Dependencies go in one direction
only. The
top package therefore registers the writer here on import, and the model uses it.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["model_writer", "register_model_writer"]

Writer = Callable[..., str]

_registered: list[Writer] = []


def register_model_writer(function: Writer) -> None:
    """Register `function(model, path, overwrite=...)`, which returns the text, for `Model.to_toml`."""
    _registered[:] = [function]


def model_writer() -> Writer:
    """The registered writer; the import of the package registers it."""
    return _registered[0]
