"""Write a file completely or not at all, and replace an existing file only on request.

All files of pitchline are written in this way: results, checkpoints, gears, reports, pictures, meshes and models.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .drafts import Draft, remove_leftovers
from .errors import StorageError, cannot_write

__all__ = ["atomic_file", "check_folder", "check_target", "write_text"]

_drafts: set[Path] = set()
"""Files that this process is writing."""


@contextmanager
def atomic_file(
    path: str | Path,
    *,
    overwrite: bool = False,
    size: int | None = None,
    how_to_overwrite: str = "pass overwrite=True",
) -> Iterator[tuple[Path, Path]]:
    """(draft, target): a temporary file, which is renamed to the target after success.

    size:  number of bytes to write, if known; for the message about insufficient space
    """
    target = Path(path).expanduser()
    if isinstance(path, str) and path.endswith(("/", os.sep)):  # Path removes it
        raise StorageError(f'cannot write "{path}": this is the name of a folder. Specify a file name')
    if target.absolute() in _drafts:  # the file is already being written in this way
        try:
            yield target, target
        except OSError as error:
            raise StorageError(cannot_write(target, error, size)) from error
        return
    check_target(target, overwrite=overwrite, how_to_overwrite=how_to_overwrite)
    target = target.resolve()  # the target of a link is written, the link stays
    draft: Draft | None = None
    try:
        remove_leftovers(target.parent)
        # In the same folder, so that the final rename stays on one disk and is atomic.
        draft = Draft(target)
        _drafts.add(draft.path)
        yield draft.path, target
        draft.sync()
        draft.release()
        _publish(draft.path, target, overwrite, how_to_overwrite)
        _sync_folder(target.parent)
    except OSError as error:
        if draft is not None:
            with contextlib.suppress(OSError):
                draft.close()  # first, so that its space counts as free in the message
        raise StorageError(cannot_write(target, error, size)) from error
    finally:
        if draft is not None:
            _drafts.discard(draft.path)
            with contextlib.suppress(OSError):
                draft.close()


def write_text(path: str | Path, text: str, *, overwrite: bool = False) -> Path:
    """Write a text file (UTF-8) in this way."""
    with atomic_file(path, overwrite=overwrite, size=len(text)) as (draft, target):
        draft.write_text(text, encoding="utf-8", newline="\n")
    return target


def check_target(target: Path, *, overwrite: bool, how_to_overwrite: str = "pass overwrite=True") -> None:
    """Check everything that can be checked before a file is written. A file that is being written in this way may exist."""
    if target.absolute() in _drafts:
        return
    _check_name(target)
    if target.is_dir():
        raise StorageError(f'cannot write "{target}": it is a folder. Specify a file name')
    if not target.parent.is_dir():
        raise StorageError(f'cannot write "{target}": the folder "{target.parent}" does not exist. Create it first')
    if target.exists() and not overwrite:
        raise _taken(target, how_to_overwrite)


def check_folder(folder: Path) -> None:
    """Check that files can be created in a folder: create and remove one, and remove temporary files of killed
    processes."""
    if not folder.is_dir():
        raise StorageError(f'the folder "{folder}" does not exist. Create it first')
    remove_leftovers(folder)
    try:
        Draft(folder.resolve() / "check").close()
    except OSError as error:
        raise StorageError(
            f'cannot write to the folder "{folder}": {error.strerror or error}. Choose another folder'
        ) from error


def _check_name(target: Path) -> None:
    name = target.name
    if not name or "\0" in str(target):
        raise StorageError(f"cannot write {str(target)!r}: this is not a file name")
    try:
        size = len(os.fsencode(name))
    except UnicodeEncodeError:
        raise StorageError(
            f"cannot write {str(target)!r}: the name contains characters that are not allowed in file names"
        ) from None
    if size > 255:
        raise StorageError(
            f'cannot write "{name[:40]}...": the name has {size} bytes, but at most 255 are possible. Choose a shorter name'
        )


def _taken(target: Path, how: str) -> StorageError:
    return StorageError(f'"{target}" already exists. Choose another name or {how}')


def _publish(draft: Path, target: Path, overwrite: bool, how: str) -> None:
    """Rename the finished draft."""
    if not overwrite:
        # A hard link fails if the name exists in the meantime; no check in advance can guarantee that.
        try:
            os.link(draft, target)
            return
        except FileExistsError:
            raise _taken(target, how) from None
        except OSError:  # a disk without hard links
            if target.exists():
                raise _taken(target, how) from None
    os.replace(draft, target)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power failure, if folders can be synchronised."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
