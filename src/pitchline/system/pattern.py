"""Sparsity of the tangent of an element: the entries that can be nonzero."""

import threading

import numpy as np

from ..elements.contract import TANGENT, Element, ElementKind
from ..elements.single import Single, evaluate_element
from ..math.record_addresses import address

__all__ = ["local_pattern"]

MOST_PROBES = 64
"""Number of probes that are kept."""
_probes: dict[tuple[object, ...], "_PatternProbe"] = {}
_lock = threading.Lock()


def local_pattern(element: Element, functions: np.ndarray, *, opened: bool = False) -> np.ndarray:
    """Entries of an element's tangent that can be nonzero (boolean, local size).

    Determined by evaluation at random states: entries that the parameters make zero are zero in every state.
    """
    m = element.size(opened=opened)
    if element.kind.full_pattern:
        return np.ones((m, m), bool)
    functions = np.ascontiguousarray(functions, float)
    counts = tuple(element.counts.values())
    key = (
        id(element.kind),
        len(element.nodes),
        len(element.rows),
        counts,
        element.memory.size,
        element.first_scratch.size,
    )
    with _lock:  # a probe serves one element at a time
        probe = _probes.get(key)
        if probe is None:
            if len(_probes) >= MOST_PROBES:
                _probes.clear()
            probe = _probes[key] = _PatternProbe(element)
        return probe.pattern(element, functions, opened=opened)


class _PatternProbe:
    """Two random states of elements of one kind with the same sizes, and the arrays to evaluate an element there."""

    def __init__(self, like: Element) -> None:
        self.kind: ElementKind = like.kind  # its address is part of the key: it must not be used for another kind
        random = np.random.default_rng(0)
        self.states = [Single(like, np.zeros(1)) for _ in range(2)]
        for state in self.states:
            for array in (state.nodes, state.lam, *state.coordinates.values()):
                array[...] = random.normal(size=array.shape)
            for name in ("t", "M", "D", "K", "L", "load", "damp"):
                state.ask[name] = random.normal()
        self.memory, self.scratch = self.states[0].memory, self.states[0].scratch
        self.evaluate = self.kind.addresses["evaluate"]
        self.address = [address(array) for array in (self.memory, self.scratch)]
        self.requests = [(address(state.seen), address(state.ask_record)) for state in self.states]
        self.inputs = bool(self.kind.inputs)

    def pattern(self, element: Element, functions: np.ndarray, *, opened: bool) -> np.ndarray:
        """Pattern of an element of these sizes, with the memory and scratch of a new one."""
        m = element.size(opened=opened)
        r, J, found = np.zeros(m), np.zeros((m, m)), np.zeros((m, m), bool)
        if self.memory.size:
            self.memory[:] = element.memory
        if self.scratch.size:
            self.scratch[:] = element.first_scratch
        parameters, table = address(element.parameters), address(functions)
        memory, scratch = self.address
        for state, (seen, request) in zip(self.states, self.requests, strict=True):
            if self.inputs:
                state.number_inputs(m)
            ask = state.ask
            ask["n_functions"], ask["functions"] = functions.size, table
            ask["mode"], ask["open"] = TANGENT, opened
            r.fill(0.0)
            J.fill(0.0)
            evaluate_element(self.evaluate, parameters, memory, seen, scratch, request, r, J)
            found |= J != 0
        return found
