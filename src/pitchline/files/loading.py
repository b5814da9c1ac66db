"""Load results and models with one function."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..arguments import names_wrong_arguments
from ..results.linear_files import load_found
from ..studies.study_files import is_study, read_study
from ..studies.sweep.store import is_store
from ..studies.sweep.stored_results import read_store
from .reader import read

__all__ = ["load"]


@names_wrong_arguments
def load(
    path: str | os.PathLike[str], /, *, allow: str | Iterable[str] = (), lazy: bool = False, **parameters: object
) -> Any:
    """Load a result file, including modes, studies etc.; or read a model file with the extension .toml: a `ModelFile`.

    Parameters of a model file can be changed: ``load("pair.toml", module="2.5 mm")``. Modules with user-defined
    elements must be
    allowed: ``load("rig.toml", allow="my.module")``.

    lazy: for a result file, open it without reading the signals; see `Result.load`.
    """
    if str(path).lower().endswith(".toml"):
        if lazy:
            raise TypeError("load: only result files can be read lazily. Remove lazy for a model file")
        return read(path, overrides=parameters, allow=allow)
    if parameters or allow:
        raise TypeError(f"load: only model files (.toml) have parameters, e.g. {next(iter(parameters), 'allow')}")
    if is_store(path):
        return read_store(path)
    if is_study(path):
        return read_study(path)
    return load_found(os.fspath(path), lazy=lazy)
