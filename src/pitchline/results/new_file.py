"""A file that appears complete or not at all, and never takes the place of another one unasked."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitchline.results.errors import ResultFileError


@contextmanager
def new_file(path: str | Path, *, overwrite: bool = False) -> Iterator[tuple[Path, Path]]:
    """(draft, target): what is written to the draft gets the name of the target when all went well."""
    target = Path(path).expanduser()
    _check_target(target, overwrite)
    target = target.resolve()  # a link is written through, not replaced
    # In the same folder, so that the final rename stays on one disk and is atomic.
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        yield draft, target
        _publish(draft, target, overwrite)
    except OSError as error:
        raise ResultFileError(f'cannot write "{target}": {error}') from error
    finally:
        draft.unlink(missing_ok=True)


def _check_target(target: Path, overwrite: bool) -> None:
    if target.is_dir():
        raise ResultFileError(f'cannot write "{target}": it is a folder; give the name of a file')
    if not target.parent.is_dir():
        raise ResultFileError(f'cannot write "{target}": the folder "{target.parent}" does not exist')
    if target.exists() and not overwrite:
        raise _already_there(target)


def _already_there(target: Path) -> ResultFileError:
    return ResultFileError(f'"{target}" exists already; choose another name or pass overwrite=True')


def _publish(draft: Path, target: Path, overwrite: bool) -> None:
    """Give the finished draft its name."""
    with draft.open("rb+") as stream:
        os.fsync(stream.fileno())
    if not overwrite:
        # A hard link fails if the name was taken meanwhile, which no check beforehand can promise.
        try:
            os.link(draft, target)
            return
        except FileExistsError:
            raise _already_there(target) from None
        except OSError:  # a disk without hard links
            if target.exists():
                raise _already_there(target) from None
    os.replace(draft, target)
