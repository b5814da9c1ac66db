"""The line that shows how far a run is: on a terminal only, and gone when the run ends."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from ..analyses.watching import Moment

__all__ = ["ProgressLine", "engineering", "in_words", "span"]

_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"))
_PAUSE = 0.2
"""Shortest time between two drawings [s]."""
_SETTLED = 0.5
"""Time after which a rate means something [s]."""


class ProgressLine:
    """Draws moments of a run over each other; silent where the stream is not a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.alive = self.stream.isatty()
        self._analysis: tuple[str, str, float] | None = None
        self._began = self._drawn = time.perf_counter()
        self._first = 0.0

    def show(self, moment: Moment) -> None:
        """Draw, unless this was done just now."""
        if not self.alive:
            return
        now = time.perf_counter()
        analysis = (moment.kind, moment.model_name, moment.start)
        if analysis != self._analysis:
            self._analysis, self._began, self._first = analysis, now, moment.time
        elif now - self._drawn < _PAUSE:
            return
        self._drawn = now
        worked = now - self._began
        rate = (moment.time - self._first) / worked if worked > _SETTLED else 0.0
        width = shutil.get_terminal_size().columns - 1
        self.stream.write(f"\r{in_words(moment, rate)[:width]}\x1b[K")
        self.stream.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self.alive and self._analysis is not None:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self._analysis = None


def in_words(moment: Moment, rate: float) -> str:
    """One line: part done, simulated time, step, steps, and where the rate (simulated over real time) is known, time left."""
    done, whole = moment.time - moment.start, moment.end - moment.start
    words = [
        f"{moment.kind} {done / whole if whole > 0.0 else 1.0:4.0%}",
        f"t = {engineering(moment.time)} of {engineering(moment.end)}",
        f"step {engineering(moment.step)}",
        f"{moment.steps} {'positions' if moment.kind == 'kinematics' else 'steps'}",
    ]
    if rate > 0.0:
        words += [f"{rate:.3g} x real time", f"{span((moment.end - moment.time) / rate)} left"]
    return "  ".join(words)


def engineering(seconds: float) -> str:
    """A time with a prefix: 12.5 ms."""
    size = abs(seconds)
    scale, prefix = next(((s, p) for s, p in _PREFIXES if size >= 0.9995 * s), _PREFIXES[-1] if size else _PREFIXES[0])
    return f"{seconds / scale:.4g} {prefix}s"


def span(seconds: float) -> str:
    """How long something takes: 8 s, 2 min 5 s, 3 h 12 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
