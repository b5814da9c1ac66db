"""Printing of measurements: one block of lines for each size of a mechanism, one line for each contestant."""

import os
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Measurement:
    """The best of several runs of one contestant on one mechanism."""

    contestant: str
    size: int
    wall_time: float  # s
    steps: int
    iterations: int
    error: float  # m, of the worst body


def machine() -> str:
    """What was measured, and on what."""
    packages = []
    for name in ("pitchline", "exudyn", "numpy", "numba"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"{name} not installed")
    hardware = f"{_processor()}, {os.cpu_count()} cores"
    return " · ".join((hardware, f"Python {platform.python_version()}", *packages))


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


HEADER = "  size  code                          time    steps/s   steps  iter/step       error    ratio"


def print_header() -> None:
    print(HEADER)
    print("-" * len(HEADER))


def print_rows(rows: list[Measurement], subject: str) -> None:
    """One line for each contestant; the ratio says how many times its time the subject's is shorter."""
    times = {row.contestant: row.wall_time for row in rows}
    for k, row in enumerate(rows):
        size = row.size if k == 0 else ""
        ratio = ""
        if subject in times and row.contestant != subject:
            ratio = f"{row.wall_time / times[subject]:.2f} ×"
        iterations = f"{row.iterations / row.steps:.2f}" if row.iterations else "–"
        rate = row.steps / row.wall_time
        print(
            f"{size:>6}  {row.contestant:<24}{_duration(row.wall_time):>10}{rate:>11,.0f}{row.steps:>8}"
            f"{iterations:>11}{row.error:>10.1e} m{ratio:>9}".rstrip(),
            flush=True,
        )


def growth_exponent(rows: list[Measurement], contestant: str, smallest: int) -> float | None:
    """p in (time of a step) ~ size^p by least squares over sizes from `smallest` on; None below two sizes."""
    chosen = [r for r in rows if r.contestant == contestant and r.size >= smallest]
    if len(chosen) < 2:
        return None
    sizes = np.log([r.size for r in chosen])
    times = np.log([r.wall_time / r.steps for r in chosen])
    return float(np.polyfit(sizes, times, 1)[0])


def _duration(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
