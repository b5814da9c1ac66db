"""File names from names that users choose: inside the folder, and valid on every system."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable

__all__ = ["distinct_stems", "safe_stem"]

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
