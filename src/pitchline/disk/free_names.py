"""Unused names in a folder, reserved until the files are written, so that two simultaneous runs do not get the same
names."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from .drafts import Reservation
from .errors import StorageError
from .names import safe_stem

__all__ = ["free_names", "made_folder"]


def made_folder(folder: Path) -> Path:
    """The folder; created if it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise StorageError(
            f'cannot create the folder "{folder}": {getattr(error, "strerror", None) or error}'
        ) from error
    return folder


@contextlib.contextmanager
def free_names(folder: Path, stem: str, suffixes: Sequence[str]) -> Iterator[list[Path]]:
    """One path for each suffix, `stem.png` or else `stem-2.png`, `stem-3.png`, ...: the first number that is free for
    all.

    No other process gets these names while the context is open. The folder is created if it does not exist.
    """
    made_folder(folder)
    whole = safe_stem(stem)
    number = 1
    while True:
        name = whole if number == 1 else f"{whole}-{number}"
        paths = [folder / f"{name}{suffix}" for suffix in suffixes]
        reservation = Reservation(folder, name)
        try:
            mine = reservation.taken()
        except OSError as error:
            raise StorageError(
                f'cannot write to the folder "{folder}": {error.strerror or error}. Choose another folder'
            ) from error
        try:
            if mine and not any(path.exists() or path.is_symlink() for path in paths):
                yield paths
                return
        finally:
            reservation.close()
        number += 1
