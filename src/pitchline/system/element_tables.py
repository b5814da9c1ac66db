"""Data of the elements that all workspaces of a system share, for one layout of its equations."""

from typing import TYPE_CHECKING

import numpy as np

from ..elements.contract import ElementKind
from . import records

if TYPE_CHECKING:
    from .system import System


class ElementTables:
    """Sizes, positions and functions of the elements. Addresses in the arrays of a workspace are relative to their start."""

    def __init__(self, system: "System") -> None:
        s, self.layout = system, system.layout
        count = np.array([len(e.nodes) for e in s.elements], np.int64)
        scratch = [e.first_scratch for e in s.elements]
        self.scratch = np.concatenate([*scratch, np.zeros(1)])
        """Initial content of the scratch memory of all elements."""
        self.most_local = max([1, *(e.size(opened=s.opened) for e in s.elements)])
        open_size = [e.size(opened=True) for e in s.elements]
        self.most_open = max([1, *open_size])
        self._node_lists = np.array([g for e in s.elements for g in e.nodes] or [0], np.int64)
        moving = (s.ndof < 6) & (np.arange(len(s.ndof)) > 0)
        self.kinds = self._by_kind(s)
        """Kinds, their elements with the same number of nodes, and the nodes (elements, nodes)."""
        table = self.table = np.zeros(len(s.elements), records.PlacedElement.dtype)
        table["s"] = s.parameters.ctypes.data + 8 * s.parameter0
        table["m"] = 8 * s.mem0
        table["w"] = 8 * np.cumsum([0, *(part.size for part in scratch)])[:-1]
        table["n_nodes"] = count
        table["nodes"] = self._node_lists.ctypes.data + 8 * (np.cumsum(count) - count)
        table["n_own"], table["own"] = s.own.count_of, s.own.first_of
        table["n_inputs"], table["input0"] = [len(e.inputs) for e in s.elements], s.graph.input0
        table["n_outputs"] = [len(e.kind.outputs) for e in s.elements]
        table["output0"] = s.graph.first_output
        table["feed0"][: s.active], table["feed1"][: s.active] = s.feeds.ptr[:-1], s.feeds.ptr[1:]
        table["n_rows"], table["lam"] = s.nlam, s.lam0[:-1]
        table["size"] = 6 * count + s.own.count_of + table["n_inputs"] + s.nlam
        table["open_size"] = open_size
        table["is_reduced"] = [any(moving[g] for g in e.nodes) for e in s.elements]
        table["entry0"][: s.active], table["entry1"][: s.active] = s.layout.entry0[:-1], s.layout.entry0[1:]
        for kind, members, _ in self.kinds:
            for name, address in kind.addresses.items():
                table[name][members] = address
            table["has_inertia"][members] = kind.has_inertia

    @staticmethod
    def _by_kind(s: "System") -> list[tuple[ElementKind, np.ndarray, np.ndarray]]:
        members: dict[tuple[int, int], list[int]] = {}
        for i, e in enumerate(s.elements):
            members.setdefault((id(e.kind), len(e.nodes)), []).append(i)
        return [
            (s.elements[group[0]].kind, np.array(group), np.array([s.elements[i].nodes for i in group], np.int64))
            for group in members.values()
        ]
