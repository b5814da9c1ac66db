"""Faces of a STEP file as points, for flanks of gears."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...progress import stage
from ..limits import MOST_BYTES, ExchangeError, file_bytes
from .part21 import check_text, placements_problem
from .parts import MM, TIME_LIMIT
from .reading import CadProcess, kernel_version, need_kernel

__all__ = ["flank_faces"]

_SAMPLES = 24
"""Points along both parameters of a face."""


def flank_faces(path: str | Path) -> list[npt.NDArray[np.float64]]:
    """Points (n, 3) [m] on each face of a STEP file, in the axes of the file. Needs the extra ``cad``."""
    file = Path(path).expanduser()
    data = file_bytes(file, most=MOST_BYTES)
    problem = check_text(data)
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    need_kernel()
    problem = placements_problem(data, kernel_version())
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    del data
    with stage(f"reading {file.name}"), CadProcess() as reader:
        _, arrays = reader.read(file, seconds=TIME_LIMIT, face_samples=_SAMPLES)
    return [MM * points for points in arrays.values() if len(points)]
