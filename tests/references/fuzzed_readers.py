"""Readers of files of other programs, each with valid files to start from: `scripts/fuzz.py` and tests damage these files.

A reader is a function without arguments that returns the read function and the files, as (name, contents).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

Reader = tuple[Callable[[Path], object], Sequence[tuple[str, bytes]]]

READERS: dict[str, Callable[[], Reader]] = {}
"""By name."""
