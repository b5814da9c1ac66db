"""Arrays of a workspace for the signals that elements read."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..elements.contract import Input
from ..math.gradient_laws import reason_of_nan
from .signal_records import SignalTable

if TYPE_CHECKING:
    from .system import System


class SignalArrays:
    """Values and derivatives of signals, and the record for compiled code. memory: address of the elements' memory."""

    def __init__(self, system: "System", memory: int) -> None:
        g, fed = system.graph, system.feeds
        n, inputs = max(g.n_values, 1), max(len(g.input_values), 1)
        derivatives = max(g.n_derivatives, 1)
        self._inputs = np.zeros(inputs, Input.dtype)
        for i, e in enumerate(system.elements):
            if e.inputs:
                first, column = int(g.input0[i]), e.size(opened=system.opened) - len(e.rows) - len(e.inputs)
                self._inputs["column"][first : first + len(e.inputs)] = column + np.arange(len(e.inputs))
        self._laws = g.laws
        self.values = np.zeros(n)
        """Values of all signals."""
        values: dict[str, Any] = {
            "n_items": g.needed, "n_all": g.count, "n_values": n, "n_derivatives": g.n_derivatives,
            "n_combined": 2 * derivatives, "n_chain": g.n_chain, "n_inputs": len(g.input_values), "n_feeds": fed.source.size,
            "n_buffer": g.buffer,
            "items": g.items(memory), "inputs": self._inputs, "input_value": np.array(g.input_values or [0], np.int64),
            "values": self.values, "by_time": np.zeros(n), "by_position": np.zeros(derivatives),
            "by_rate": np.zeros(derivatives), "column": g.column, "combined": np.zeros(2 * derivatives),
            "chain_partial": g.chain[0], "chain_from": g.chain[1], "chain_to": g.chain[2],
            "feed_from": fed.source, "feed_by": fed.by, "feed_to": np.asarray(system.feed_to, np.int64),
            "feed_scale": fed.scale, "arguments": np.zeros(g.buffer), "results": np.zeros(g.buffer),
        }  # fmt: skip
        self._kept = values
        self.record = np.zeros(1, SignalTable.dtype)
        for name, value in values.items():
            self.record[name] = value.ctypes.data if isinstance(value, np.ndarray) else value
        self.address = self.record.ctypes.data

    def input_address(self, i: int) -> int:
        """Address of an input, counted over all elements."""
        return int(self._inputs.ctypes.data + self._inputs.itemsize * i)

    def input_value(self, i: int) -> float:
        """Value of an input at the evaluated state."""
        return float(self._inputs["value"][i])

    def law_failure(self) -> str:
        """Why a law gave no number in the last evaluation; empty if all are numbers."""
        for value, address, arguments in self._laws:
            numbers = self.values[arguments]
            if np.isnan(self.values[value]) and np.all(np.isfinite(numbers)):
                return reason_of_nan(address, numbers.tolist())
        return ""
