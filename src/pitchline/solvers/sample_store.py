"""Samples of a run, in blocks that are added during the run."""

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from ..system.system import System
from .motion import Samples, new_samples
from .time_loop import record_at_address

if TYPE_CHECKING:
    from .integrator import Integrator


class SampleStore:
    """Samples in blocks that are added during the run.

    A run that samples after every step and exceeds MOST samples continues with every second, fourth ... step, and removes the
    samples in between. The blocks are filled at the same steps for all chunk sizes, so that the samples are the same in every run.
    """

    BLOCK = 256
    MOST = 16384

    def __init__(self, system: System) -> None:
        self.most, self._system = self.MOST, system
        self._closed: list[Samples] = []
        self.open = new_samples(self.BLOCK, system)

    def __len__(self) -> int:
        """Number of samples in full blocks."""
        return sum(len(block.t) for block in self._closed)

    def add(self, integrator: "Integrator") -> None:
        """Sample the current motion."""
        integrator.motion.write_to(self.open)
        record_at_address(integrator.motion.address)

    def close(self, integrator: "Integrator") -> None:
        """The open block is full: start another one."""
        new = new_samples(self.BLOCK, self._system)  # first: if there is not enough memory, nothing has changed
        self._closed.append(self.open)
        self.open = new
        progress = integrator.motion.progress
        progress["samples"] = 0
        if integrator.motion.options["every"] == 0 and sum(len(b.t) for b in self._closed) >= self.most:
            self._closed = [Samples(*(x[::2].copy() for x in self._joined(self._closed)))]
            progress["stride"] *= 2

    def restore(self, samples: Samples, integrator: "Integrator") -> None:
        """Set the samples of the earlier part of a run, with the same blocks."""
        filled = int(integrator.motion.progress["samples"])
        whole = len(samples.t) - filled
        if whole:
            self._closed = [Samples(*(x[:whole] for x in samples))]
        for mine, theirs in zip(self.open, samples, strict=True):
            mine[:filled] = theirs[whole:]

    def thin(self, integrator: "Integrator") -> bool:
        """Remove every second sample, if memory is insufficient. False if there is nothing to remove."""
        filled = int(integrator.motion.progress["samples"])
        blocks = [*self._closed, Samples(*(x[:filled] for x in self.open))]
        if sum(len(b.t) for b in blocks) < 3:
            return False
        integrator.motion.progress["samples"] = 0
        self._closed = []
        at = 0
        while blocks:  # one block at a time, so that memory is released before more is allocated
            one = Samples(*(x[at % 2 :: 2] for x in blocks[0]))
            at += len(blocks.pop(0).t)
            with contextlib.suppress(MemoryError):  # unchanged in this case: joined, it needs half the memory anyway
                one = Samples(*(x.copy() for x in one))
            self._closed.append(one)
        return True

    def samples(self, integrator: "Integrator") -> Samples:
        """All samples so far."""
        filled = int(integrator.motion.progress["samples"])
        return self._joined([*self._closed, Samples(*(x[:filled] for x in self.open))])

    @staticmethod
    def _joined(blocks: list[Samples]) -> Samples:
        return Samples(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))
