"""Files that are written completely or not at all, free names for them, free memory, and the cache folder of the user.

Write a file completely or not at all, and replace an existing file only on request.

All files of pitchline are written in this way: results, checkpoints, gears, reports, pictures, meshes and models.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import math
import os
import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pitchline.errors import PitchlineError

__all__ = [
    "Draft",
    "Reservation",
    "remove_leftovers",
    "StorageError",
    "cannot_write",
    "free_space",
    "size_text",
    "atomic_file",
    "check_folder",
    "check_target",
    "write_text",
    "available_memory",
    "distinct_stems",
    "safe_stem",
    "free_names",
    "made_folder",
    "user_cache",
]


# ---- drafts

# Drafts: temporary files that are not complete yet; and reservations of names. The process that creates one locks it.
# A draft without a lock belongs to a killed process, and the next process that writes to the folder removes it.

_locks: Any = None
with contextlib.suppress(ImportError):  # Windows: a file that is open cannot be removed, which serves as a lock
    import fcntl

    _locks = fcntl


_NAME = re.compile(r"\..*\.([0-9a-f]{12}\.part(\.\w+)?|reserved)")
_STEM_BYTES = 150
OLD = 24 * 3600.0
"""Age after which a draft counts as abandoned, if locks do not work or the draft has no lock [s]."""


class Draft:
    """New, empty file in the folder of its target, locked while this object is open."""

    def __init__(self, target: Path) -> None:
        while True:
            self.path = target.with_name(_draft_name(target))
            self._file = open(self.path, "xb")  # noqa: SIM115 (stays open: it holds the lock)
            if _locked(self._file) is not False and _same_file(self._file, self.path):
                return
            self._file.close()  # another process removed it between creation and lock

    def sync(self) -> None:
        """Make sure that the contents of the draft are on the disk."""
        with self.path.open("rb+") as stream:
            os.fsync(stream.fileno())

    def release(self) -> None:
        """If open files cannot be renamed (Windows), release the lock before the draft is renamed."""
        if os.name == "nt":
            self._file.close()

    def close(self) -> None:
        """Release the lock. The draft is removed unless it was renamed."""
        self._file.close()
        self.path.unlink(missing_ok=True)


class Reservation:
    """Exclusive right to create files with one stem in a folder, while this object is open; valid for all processes."""

    def __init__(self, folder: Path, stem: str) -> None:
        self.path = folder / f".{stem}.reserved"
        self._file: Any = None

    def taken(self) -> bool:
        """Try to get the reservation."""
        while True:
            try:
                file = open(self.path, "ab" if _locks is not None else "xb")  # noqa: SIM115 (stays open: it holds the lock)
            except FileExistsError:
                return False
            if _locked(file) is False:
                file.close()
                return False
            if _same_file(file, self.path):
                self._file = file
                return True
            file.close()  # another process removed it just before the lock

    def close(self) -> None:
        """Release the reservation."""
        if self._file is not None:
            if _locks is not None:
                self.path.unlink(missing_ok=True)  # while it is locked, so that no other reservation is removed
            self._file.close()
            if _locks is None:
                self.path.unlink(missing_ok=True)
            self._file = None


def _draft_name(target: Path) -> str:
    # with the extension of the target, because some writers choose the format by it
    stem = target.name.encode()[:_STEM_BYTES].decode(errors="ignore")
    suffix = target.suffix if len(target.suffix) < 10 else ""
    return f".{stem}.{secrets.token_hex(6)}.part{suffix}"


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove the drafts and reservations in a folder that no process uses any more; return them."""
    removed = []
    try:
        drafts = [Path(entry.path) for entry in os.scandir(folder) if _NAME.fullmatch(entry.name)]
    except OSError:
        return []
    for path in drafts:
        try:
            if path.is_symlink() or not path.is_file():
                continue
            with path.open("rb+") as file:
                free = _locked(file)
                if free is False or (free is None and time.time() - path.stat().st_mtime < OLD):
                    continue
                if _locks is not None:
                    path.unlink()
            if _locks is None:
                path.unlink()  # fails if it is open elsewhere
            removed.append(path)
        except OSError:
            continue  # in use by another process, or already removed
    return removed


def _locked(file: Any) -> bool | None:
    """Whether the lock was free and is now ours; None if locks are not available."""
    if _locks is None:
        return None
    try:
        _locks.flock(file.fileno(), _locks.LOCK_EX | _locks.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _same_file(file: Any, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


# ---- errors

# Messages about file errors: which file could not be written, the reason, and the disk space to free.

_NO_SPACE = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_NO_RIGHT = {errno.EACCES, errno.EPERM, errno.EROFS}


class StorageError(PitchlineError):
    """File that cannot be written, or whose contents are invalid."""


def cannot_write(target: Path, error: OSError, size: int | None = None) -> str:
    """Message about a failed write; `size`: number of bytes of the file, if known."""
    text = f'cannot write "{target}": {error.strerror or error}'
    if error.errno in _NO_SPACE:
        free = free_space(target.parent)
        needs = "" if size is None else f"it needs {size_text(size)}, "
        left = "" if free is None else f"{size_text(free)} are free in that folder"
        if size is not None and free is not None and size > free:
            return f"{text} ({needs}{left}). Free {size_text(size - free)} there, or choose another folder"
        limited = f"{left}{'; ' if left else ''}a quota or a limit on file sizes may apply"
        return f"{text} ({needs}{limited}). Free space, or choose another folder"
    if error.errno in _NO_RIGHT:
        return f"{text}. Choose a folder with write access"
    return text


def free_space(folder: Path) -> int | None:
    """Free bytes of a folder; None if the system does not report it."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def size_text(size: float) -> str:
    """Number of bytes as text: 512 B, 12.3 kB, 4.56 GB."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size:.0f} B"


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


# ---- free memory

# Memory that a process can still use.


def available_memory() -> float:
    """Memory that this process can still use [bytes]; inf if the system does not report it.

    This is the minimum of the free memory of the machine, of its control groups and of the limits of the process.
    """
    found = [math.inf]
    for read in (_machine, _control_group, _process_limit):
        try:
            found.append(read())
        except (OSError, ValueError, IndexError, KeyError, ImportError):
            continue
    return max(0.0, min(found))


def _machine() -> float:
    fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines() if ":" in line)
    return 1024.0 * float(fields["MemAvailable"].split()[0])


def _control_group() -> float:
    """Of version 2 and version 1; a page cache can be given back, so it does not count as taken."""
    least = math.inf
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory") and "memory" not in controllers.split(","):
            continue
        second = controllers == ""
        root = Path("/sys/fs/cgroup") if second else Path("/sys/fs/cgroup/memory")
        names = ("memory.max", "memory.current") if second else ("memory.limit_in_bytes", "memory.usage_in_bytes")
        folder = root / path.lstrip("/")
        for group in (folder, *folder.parents):
            if group == root.parent:
                break
            try:
                limit, used = ((group / name).read_text().strip() for name in names)
                statistics = dict(entry.split() for entry in (group / "memory.stat").read_text().splitlines())
                cache = float(statistics.get("inactive_file", statistics.get("total_inactive_file", 0.0)))
                if limit != "max":
                    least = min(least, float(limit) - float(used) + cache)
            except (OSError, ValueError):
                continue
    return least


def _process_limit() -> float:
    import resource

    used = 4096.0 * float(Path("/proc/self/statm").read_text().split()[0])
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return min((float(limit) - used for limit in limits if limit != resource.RLIM_INFINITY), default=math.inf)


# ---- names

# File names from names that users choose: inside the folder, and valid on every system.

MOST_BYTES = 120
"""Longest stem: with number, analysis, extension and the mark of a draft, a name is below the 255 bytes of common file
systems."""

_FORBIDDEN = re.compile(r'[/\\:*?"<>|]+')  # separators, and characters that Windows does not allow
_DEVICES = re.compile(
    r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE
)  # names of devices on Windows, with any extension
_HASH = 8


def safe_stem(name: str, *, otherwise: str = "model") -> str:
    """File name without extension, from any text; `otherwise` if nothing of the text can be used.

    Separators, control characters and characters that some system does not allow become "_". Dots and dashes are
    removed from the
    beginning. A long name is shortened, and gets a hash of the whole name to distinguish it from others with the same
    beginning.

    >>> safe_stem("../../report")
    'report'
    >>> safe_stem("two stages, 1:3")
    'two stages, 1_3'
    """
    text = unicodedata.normalize("NFC", str(name))
    text = _FORBIDDEN.sub("_", "".join(sign if sign.isprintable() else "_" for sign in text))
    # "..", "._.._" and similar are the rest of a path, not part of a name
    text = re.sub(r"^[\s._-]+", "", text).rstrip(" .")
    if len(text.encode()) > MOST_BYTES:
        digest = hashlib.sha256(str(name).encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
        text = text.encode()[: MOST_BYTES - _HASH - 1].decode(errors="ignore").rstrip(" .") + f"-{digest}"
    if _DEVICES.match(text):
        text = f"{text}_" if "." not in text else text.replace(".", "_.", 1)
    return text or otherwise


def distinct_stems(names: Iterable[str], form: Callable[[str], str] = safe_stem) -> dict[str, str]:
    """Name -> stem (its `form`), all different, also if the file system ignores upper and lower case.

    >>> distinct_stems(["a/b", "a:b", "A_B"])
    {'a/b': 'a_b', 'a:b': 'a_b-2', 'A_B': 'A_B-3'}
    """
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        stem = whole = form(name)
        number = 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{whole}-{number}"
        taken.add(stem.casefold())
        stems[name] = stem
    return stems


# ---- free names

# Unused names in a folder, reserved until the files are written, so that two simultaneous runs do not get the same
# names.


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


# ---- user cache

# Folder for results of long computations that can be used again.


def user_cache() -> Path:
    """$PITCHLINE_CACHE_DIR, or `pitchline` in the user's cache folder."""
    given = os.environ.get("PITCHLINE_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitchline"
