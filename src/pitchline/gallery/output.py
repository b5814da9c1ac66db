"""Output of the gallery: a folder that is created if necessary, and file names that are not yet in use."""

from pathlib import Path

from ..disk import free_names as names

__all__ = ["free_names"]


def free_names(folder: Path, stem: str, *suffixes: str) -> list[Path]:
    """One path for each suffix, `stem.png` or else `stem-2.png`, `stem-3.png`, ...: the first number that is free for
    all.

    The folder is created if it does not exist.
    """
    with names.free_names(folder, stem, suffixes) as paths:
        return paths
