"""Files of either kind by one call: results and models."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..results.linear_files import load_found
from .reader import read

__all__ = ["load"]


def load(
    path: str | os.PathLike[str], /, *, allow: str | Iterable[str] = (), lazy: bool = False, **parameters: object
) -> Any:
    """Load a result file, of modes and the like too; or read a model file, one that is named .toml: a `ModelFile`.

    The parameters of a model file may be given other values: ``load("pair.toml", module="2.5 mm")``. Elements of your
    own classes need their modules to be allowed: ``load("rig.toml", allow="my.module")``.

    lazy: of a result file, open it without reading the signals; see `Result.load`.
    """
    if str(path).lower().endswith(".toml"):
        if lazy:
            raise TypeError("load: only result files are read lazily; leave out lazy for a model file")
        return read(path, overrides=parameters, allow=allow)
    if parameters or allow:
        raise TypeError(f"load: only model files (.toml) have parameters, such as {next(iter(parameters), 'allow')}")
    return load_found(os.fspath(path), lazy=lazy)
