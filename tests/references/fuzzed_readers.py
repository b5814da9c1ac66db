"""Readers of files of other programs, each with valid files to start from: `scripts/fuzz.py` and tests damage these files.

A reader is a function without arguments that returns the read function and the files, as (name, contents).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

Reader = tuple[Callable[[Path], object], Sequence[tuple[str, bytes]]]


def _rexs_document() -> Reader:
    from references.rexs_files import read_check_and_write, seeds

    return read_check_and_write, seeds()


def _fmu() -> Reader:
    from references.damaged_fmus import read, seeds

    return read, seeds()


def _urdf() -> Reader:
    from references.robot_files import urdf_seeds

    from pitchline.exchange.robots.urdf import import_urdf

    return lambda path: import_urdf(path, locked=["massless"]), urdf_seeds()


def _mjcf() -> Reader:
    from references.robot_files import mjcf_seeds

    from pitchline.exchange.robots.mjcf import import_mjcf

    return import_mjcf, mjcf_seeds()


READERS: dict[str, Callable[[], Reader]] = {
    "fmu": _fmu,
    "rexs-document": _rexs_document,
    "urdf": _urdf,
    "mjcf": _mjcf,
}
"""By name."""
