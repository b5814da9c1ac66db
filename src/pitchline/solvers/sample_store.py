"""Samples of a run, in blocks that grow as it does."""

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from ..system.system import System
from .motion import Samples, new_samples
from .time_loop import record_at_address

if TYPE_CHECKING:
    from .integrator import Integrator


class SampleStore:
    """Samples in blocks that grow as the run does.

    A run that samples after every step and exceeds MOST samples goes on with every second, fourth ... step, and thins out
    what it has: the blocks fill at the same steps whatever the chunks, so that this too is the same in every run.
    """

    BLOCK = 256
    MOST = 16384

    def __init__(self, system: System) -> None:
        self.most, self._system = self.MOST, system
        self._closed: list[Samples] = []
        self.open = new_samples(self.BLOCK, system)

    def __len__(self) -> int:
        """Samples in blocks that are full."""
        return sum(len(block.t) for block in self._closed)

    def add(self, integrator: "Integrator") -> None:
        """Sample the present motion."""
        integrator.motion.write_to(self.open)
        record_at_address(integrator.motion.address)

    def close(self, integrator: "Integrator") -> None:
        """The open block is full: begin another."""
        new = new_samples(self.BLOCK, self._system)  # first: where there is no memory for it, all is as it was
        self._closed.append(self.open)
        self.open = new
        progress = integrator.motion.progress
        progress["samples"] = 0
        if integrator.motion.options["every"] == 0 and sum(len(b.t) for b in self._closed) >= self.most:
            self._closed = [Samples(*(x[::2].copy() for x in self._joined(self._closed)))]
            progress["stride"] *= 2

    def restore(self, samples: Samples, integrator: "Integrator") -> None:
        """Take over the samples of the earlier part of a run, blocks as they were."""
        filled = int(integrator.motion.progress["samples"])
        whole = len(samples.t) - filled
        if whole:
            self._closed = [Samples(*(x[:whole] for x in samples))]
        for mine, theirs in zip(self.open, samples, strict=True):
            mine[:filled] = theirs[whole:]

    def thin(self, integrator: "Integrator") -> bool:
        """Give up every second sample, to get over a lack of memory; False where there is nothing to give up."""
        filled = int(integrator.motion.progress["samples"])
        blocks = [*self._closed, Samples(*(x[:filled] for x in self.open))]
        if sum(len(b.t) for b in blocks) < 3:
            return False
        integrator.motion.progress["samples"] = 0
        self._closed = []
        at = 0
        while blocks:  # block by block, so that memory comes free before more is taken
            one = Samples(*(x[at % 2 :: 2] for x in blocks[0]))
            at += len(blocks.pop(0).t)
            with contextlib.suppress(MemoryError):  # as it is then: joined, it takes half the memory all the same
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
