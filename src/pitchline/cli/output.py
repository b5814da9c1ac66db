"""Where commands write: complete files or none, and none that exists already unless it was said."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from ..disk.atomic import atomic_file, check_folder, check_target
from ..disk.errors import StorageError
from ..disk.free_names import free_names, made_folder
from ..disk.names import safe_stem

__all__ = ["chosen_file", "folder_names", "ready_folder", "write_atomically", "write_text"]

_FORCE = "replace it with --force"


def ready_folder(folder: Path) -> Path:
    """A folder that files can be written to: made where it does not exist, and tried."""
    made_folder(folder)
    check_folder(folder)
    return folder


@contextlib.contextmanager
def folder_names(folder: Path, stem: str, suffixes: list[str], *, force: bool) -> Iterator[list[Path]]:
    """One path in the folder for each suffix: numbered where names are taken, or with `force` those names themselves.

    They are reserved while the context is open.
    """
    if force:
        made_folder(folder)
        yield [folder / f"{safe_stem(stem)}{suffix}" for suffix in suffixes]
        return
    with free_names(folder, stem, suffixes) as paths:
        yield paths


def chosen_file(path: Path | None, stem: str, suffix: str, *, force: bool) -> Path:
    """The file to write: the one that was named, or `stem.suffix` in the present folder (numbered where it is taken)."""
    if path is None or path.is_dir():
        folder = Path() if path is None else path
        check_folder(folder)
        with folder_names(folder, stem, [suffix], force=force) as (found,):
            return found
    check_target(path, overwrite=force, how_to_overwrite=_FORCE)
    check_folder(path.parent)
    return path


def write_atomically(path: Path, write: Callable[[Path], object], *, force: bool) -> Path:
    """Let `write` fill a draft beside `path`, and give it that name when it is complete."""
    with atomic_file(path, overwrite=force, how_to_overwrite=_FORCE) as (draft, _):
        try:
            write(draft)
        except StorageError as error:  # speaks of the draft, a name that nobody knows
            raise StorageError(str(error).replace(str(draft), str(path))) from error
    return path


def write_text(path: Path, text: str, *, force: bool) -> Path:
    """A text file, in the same manner."""
    return write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"), force=force)
