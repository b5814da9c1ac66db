"""A file that appears complete or not at all, and never takes the place of another one unasked.

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
"""Open ones of this process."""


@contextmanager
def atomic_file(
    path: str | Path,
    *,
    overwrite: bool = False,
    size: int | None = None,
    how_to_overwrite: str = "pass overwrite=True",
) -> Iterator[tuple[Path, Path]]:
    """(draft, target): what is written to the draft gets the name of the target when all went well.

    size:  bytes that will be written, where they are known; for the message where they do not fit
    """
    target = Path(path).expanduser()
    if isinstance(path, str) and path.endswith(("/", os.sep)):  # which Path leaves out
        raise StorageError(f'cannot write "{path}": this is the name of a folder; give the name of a file')
    if target.absolute() in _drafts:  # of a file that is being written in this way already
        try:
            yield target, target
        except OSError as error:
            raise StorageError(cannot_write(target, error, size)) from error
        return
    check_target(target, overwrite=overwrite, how_to_overwrite=how_to_overwrite)
    target = target.resolve()  # a link is written through, not replaced
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
                draft.close()  # first: what it took is free again when the free space is looked at
        raise StorageError(cannot_write(target, error, size)) from error
    finally:
        if draft is not None:
            _drafts.discard(draft.path)
            with contextlib.suppress(OSError):
                draft.close()


def write_text(path: str | Path, text: str, *, overwrite: bool = False) -> Path:
    """A text file (UTF-8), in this way."""
    with atomic_file(path, overwrite=overwrite, size=len(text)) as (draft, target):
        draft.write_text(text, encoding="utf-8", newline="\n")
    return target


def check_target(target: Path, *, overwrite: bool, how_to_overwrite: str = "pass overwrite=True") -> None:
    """All that can be known beforehand of a file that is to be written."""
    _check_name(target)
    if target.is_dir():
        raise StorageError(f'cannot write "{target}": it is a folder; give the name of a file')
    if not target.parent.is_dir():
        raise StorageError(f'cannot write "{target}": the folder "{target.parent}" does not exist; make it first')
    if target.exists() and not overwrite:
        raise _taken(target, how_to_overwrite)


def check_folder(folder: Path) -> None:
    """Whether files can be made in a folder: one is made, and removed again, with the drafts of processes that were killed."""
    if not folder.is_dir():
        raise StorageError(f'the folder "{folder}" does not exist; make it first')
    remove_leftovers(folder)
    try:
        Draft(folder.resolve() / "check").close()
    except OSError as error:
        raise StorageError(
            f'cannot write to the folder "{folder}": {error.strerror or error}; choose another one'
        ) from error


def _check_name(target: Path) -> None:
    name = target.name
    if not name or "\0" in str(target):
        raise StorageError(f"cannot write {str(target)!r}: this is not the name of a file")
    try:
        size = len(os.fsencode(name))
    except UnicodeEncodeError:
        raise StorageError(
            f"cannot write {str(target)!r}: the name has characters that no file name can have"
        ) from None
    if size > 255:
        raise StorageError(
            f'cannot write "{name[:40]}...": the name is {size} bytes long, 255 are possible; choose a shorter one'
        )


def _taken(target: Path, how: str) -> StorageError:
    return StorageError(f'"{target}" exists already; choose another name or {how}')


def _publish(draft: Path, target: Path, overwrite: bool, how: str) -> None:
    """Give the finished draft its name."""
    if not overwrite:
        # A hard link fails if the name was taken meanwhile, which no check beforehand can promise.
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
    """The new name too survives a loss of power, where folders can be synchronised."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
