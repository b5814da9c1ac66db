"""Where commands write: complete files or none, and none that exists already unless it was said."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from ..errors import PitchlineError

__all__ = ["chosen_file", "folder_names", "write_atomically", "write_text"]


def folder_names(folder: Path, stem: str, suffixes: list[str], *, force: bool) -> list[Path]:
    """One path in the folder for each suffix: numbered where names are taken, or with `force` those names themselves."""
    from ..gallery.output import free_names

    if not force:
        return free_names(folder, stem, *suffixes)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PitchlineError(f'cannot make the folder "{folder}": {error.strerror}') from error
    return [folder / f"{stem}{suffix}" for suffix in suffixes]


def chosen_file(path: Path | None, stem: str, suffix: str, *, force: bool) -> Path:
    """The file to write: the one that was named, or `stem.suffix` in the present folder (numbered where it is taken)."""
    if path is None:
        return folder_names(Path(), stem, [suffix], force=force)[0]
    if path.is_dir():
        return folder_names(path, stem, [suffix], force=force)[0]
    if not path.parent.is_dir():
        raise PitchlineError(f'cannot write "{path}": the folder "{path.parent}" does not exist; make it first')
    if path.exists() and not force:
        raise _taken(path)
    return path


def write_atomically(path: Path, write: Callable[[Path], object], *, force: bool) -> Path:
    """Let `write` fill a draft beside `path`, and give it that name when it is complete."""
    draft = path.with_name(f".{path.stem}.{secrets.token_hex(6)}{path.suffix}")
    try:
        write(draft)
        if force:
            os.replace(draft, path)
        else:
            _publish(draft, path)
    except OSError as error:
        raise PitchlineError(f'cannot write "{path}": {error.strerror or error}') from error
    finally:
        draft.unlink(missing_ok=True)
    return path


def write_text(path: Path, text: str, *, force: bool) -> Path:
    """A text file, in the same manner."""
    return write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"), force=force)


def _publish(draft: Path, path: Path) -> None:
    # a hard link fails where the name was taken meanwhile, which no check beforehand can promise
    try:
        os.link(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a disk without hard links
        if path.exists():
            raise _taken(path) from None
        os.replace(draft, path)


def _taken(path: Path) -> PitchlineError:
    return PitchlineError(f'"{path}" exists already; choose another name, or replace it with --force')
