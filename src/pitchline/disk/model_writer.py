"""The function that writes models to files, registered where models and files are both known.

`Model.to_toml` needs the writer of `pitchline.files`, which itself needs `Model`. Dependencies run one way only, so the
top package registers the writer here when it is imported, and the model asks for it when it is used.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["model_writer", "register_model_writer"]

Writer = Callable[..., str]

_registered: list[Writer] = []


def register_model_writer(function: Writer) -> None:
    """Make `function(model, path, overwrite=...)`, which returns the text, the one behind `Model.to_toml`."""
    _registered[:] = [function]


def model_writer() -> Writer:
    """The registered writer; the import of the package has registered one."""
    return _registered[0]
