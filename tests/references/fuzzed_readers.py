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


def _measurement(kind: str) -> Callable[[], Reader]:
    def reader() -> Reader:
        from references import damaged_measurements

        return damaged_measurements.read, getattr(damaged_measurements, kind)()

    return reader


READERS: dict[str, Callable[[], Reader]] = {
    "fmu": _fmu,
    "csv": _measurement("texts"),
    "wav": _measurement("wavs"),
    "mat": _measurement("mats"),
    "hdf5": _measurement("hdf5s"),
    "parquet": _measurement("parquets"),
    "rexs-document": _rexs_document,
}
"""By name."""
