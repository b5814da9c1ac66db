"""Launch: base cycles of all lanes that one call of a kernel makes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .phase_table import PhaseTable
from .phase_text import TURN

__all__ = ["Launch", "launches"]


@dataclass(frozen=True)
class Launch:
    """One call of a kernel.

    whole : cycles, steps, keep, first_cycle, table_start, table_end, first_point, as `KernelText.argument_text` reads them.
    angles : of a base cycle, a step and half a step. table : of the phases.
    """

    whole: tuple[int, ...]
    angles: tuple[float, ...]
    table: np.ndarray


def launches(
    phases: PhaseTable, *, settle: int, record: int, steps: int, points: int, first_cycle: int, most: int
) -> list[Launch]:
    """Launches of a run: at most `most` cycles each, first those that are not recorded. points: samples at the ends of the last
    cycles."""
    most = max(min(most, phases.most or most), 1)
    out, at = [], 0
    for cycles, keep in ((settle, 0), (record, 1)):
        end = at + cycles
        while at < end:
            part = min(most, end - at)
            table, start, stop = phases.of(first_cycle + at, part)
            first_point = settle + record - points - at
            whole = (part, steps, keep, first_cycle + at, start, stop, first_point)
            out.append(Launch(whole, (TURN, TURN / steps, 0.5 * TURN / steps), table))
            at += part
    return out
