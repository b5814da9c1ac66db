"""Elastic gears of the last loaded contact analyses in this process.

Studies compute many contacts of the same gears with other modifications of their flanks, which do not change the finite elements.
"""

from __future__ import annotations

import itertools

from ..fem.elastic_gear import ElasticGear
from ..gears.teeth import Teeth

__all__ = ["KeptGears"]


class KeptGears:
    """The last elastic gears.

    most : their number. memory : size of the compliances of all but the last two [bytes]
    """

    def __init__(self, most: int = 6, memory: float = 3e8) -> None:
        self.most, self.memory = most, memory
        self._gears: list[ElasticGear] = []

    def found(self, teeth: Teeth) -> ElasticGear | None:
        """The elastic gear of these teeth, also if their flanks have other modifications; None if it is not kept."""
        for kept in self._gears:
            if kept.material == teeth.gear.material and kept.has_shape_of(teeth):
                return kept.with_teeth(teeth)
        return None

    def keep(self, gear: ElasticGear) -> None:
        """Keep a gear; the oldest ones give way."""
        self._gears = [gear, *self._gears[: self.most - 1]]
        sizes = itertools.accumulate(sum(C.nbytes for C in kept.compliance.values()) for kept in self._gears)
        self._gears = [
            kept for k, (kept, size) in enumerate(zip(self._gears, sizes, strict=True)) if k < 2 or size < self.memory
        ]
