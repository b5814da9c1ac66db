"""Where the gallery writes: a folder that is made, and names that are never taken twice."""

from pathlib import Path

from ..errors import PitchlineError

__all__ = ["free_names"]


def free_names(folder: Path, stem: str, *suffixes: str) -> list[Path]:
    """One path for each suffix, `stem.png` or else `stem-2.png`, `stem-3.png`, ...: the first number that is free for all.

    The folder is made where it does not exist.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PitchlineError(f'cannot make the folder "{folder}": {error.strerror}') from error
    number = 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        paths = [folder / f"{name}{suffix}" for suffix in suffixes]
        if not any(path.exists() for path in paths):
            return paths
        number += 1
