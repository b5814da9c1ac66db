"""How a model reaches its writer, which stands in a later package: by name, at the moment it is asked for.

Nothing of this package needs files; `Model.to_toml` is there so that a model can be asked itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

__all__ = ["writer"]


def writer() -> Callable[..., str]:
    """The function that writes models: save(model, path, overwrite=...)."""
    package = __name__.partition(".")[0]
    found: Callable[..., str] = importlib.import_module(f"{package}.files").save
    return found
