"""Memory of elements with outputs, from one analysis to the next: past of delays, states of sampled controllers, relays.

Memory of other elements (counted revolutions, teeth in mesh) follows from the pose.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from .system import State, System

__all__ = ["kept_memory", "recall_memory", "remembers"]


def _places(system: System) -> Iterator[tuple[str, slice]]:
    for e, element in enumerate(system.elements):
        if element.kind.outputs and element.memory.size:
            yield f"{element.name}.memory", slice(int(system.mem0[e]), int(system.mem1[e]))


def remembers(system: System) -> bool:
    """Whether the system has such elements."""
    return any(True for _ in _places(system))


def kept_memory(system: System, memory: np.ndarray) -> dict[str, np.ndarray]:
    """Memory by "ELEMENT.memory", as integers: the bits of its numbers."""
    return {name: memory[place].copy().view(np.int64) for name, place in _places(system)}


def recall_memory(system: System, state: State, kept: Mapping[str, np.ndarray]) -> None:
    """Set the memory of elements to that of an earlier analysis, if it has the same layout."""
    for name, place in _places(system):
        known = kept.get(name)
        if known is not None and known.shape == state.mem[place].shape and known.dtype == np.int64:
            state.mem[place] = known.view(np.float64)
