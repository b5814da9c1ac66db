"""Arguments of an export, completed by the table [fmu] of the model file."""

from __future__ import annotations

import os
from typing import Any

from ...files import ModelFile, read

__all__ = ["with_table"]


def with_table(model: Any, given: dict[str, Any], allow: Any) -> tuple[Any, dict[str, Any]]:
    """The model or model file, and all arguments: those that are not given are those of the table."""
    if isinstance(model, (str, os.PathLike)):
        model = read(model, allow=allow)
    table = model.fmu if isinstance(model, ModelFile) else {}
    said = {key: table.get(key) if value is None else value for key, value in given.items()}
    for key in ("inputs", "outputs"):
        if said[key] is None:
            said[key] = ()
    return model, said
