"""Output of commands: files are complete or not written, and existing files are overwritten only on request."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from ..disk.atomic import atomic_file, check_folder, check_target
from ..disk.errors import StorageError
from ..disk.free_names import free_names, made_folder
from ..disk.names import safe_stem
from ..errors import PitchlineError

__all__ = ["chosen_file", "folder_names", "ready_folder", "write_atomically", "write_text"]

_FORCE = "overwrite it with --force"


def ready_folder(folder: Path) -> Path:
    """Return a folder with write access. It is created if it does not exist."""
    made_folder(folder)
    check_folder(folder)
    return folder


@contextlib.contextmanager
def folder_names(folder: Path, stem: str, suffixes: list[str], *, force: bool) -> Iterator[list[Path]]:
    """One path in the folder for each suffix. Names that exist get a number; with `force` they are used as they are.

    The names are reserved while the context is open.
    """
    if force:
        made_folder(folder)
        yield [folder / f"{safe_stem(stem)}{suffix}" for suffix in suffixes]
        return
    with free_names(folder, stem, suffixes) as paths:
        yield paths


def chosen_file(path: Path | None, stem: str, suffix: str, *, force: bool) -> Path:
    """The file to write: the specified file, or `stem.suffix` in the current folder (numbered if it exists)."""
    if path is None or path.is_dir():
        folder = Path() if path is None else path
        check_folder(folder)
        with folder_names(folder, stem, [suffix], force=force) as (found,):
            return found
    check_target(path, overwrite=force, how_to_overwrite=_FORCE)
    check_folder(path.parent)
    return path


def write_atomically(path: Path, write: Callable[[Path], object], *, force: bool) -> Path:
    """Call `write` with a temporary file in the folder of `path`, and rename it when it is complete."""
    with atomic_file(path, overwrite=force, how_to_overwrite=_FORCE) as (draft, _):
        try:
            write(draft)
        except PitchlineError as error:  # names the temporary file, which the user does not know
            if str(draft) not in str(error):
                raise
            kind = StorageError if isinstance(error, StorageError) else PitchlineError
            raise kind(str(error).replace(str(draft), str(path))) from error
    return path


def write_text(path: Path, text: str, *, force: bool) -> Path:
    """Write a text file in the same manner."""
    return write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"), force=force)
