"""Places of the arrays and records of a workspace, and all of their content that follows from the structure of a system.

The arrays of a workspace lie in two blocks of memory. The first one has the evaluated state. The second one has the records for
compiled code, then arrays whose sizes depend on the omitted rows. The records contain addresses within both blocks. Here they
are relative to the start of the blocks; every workspace adds the start of its own.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pitchline.numerics.fields import Fields, address

from ..elements.contract import ElementKind, Input, Node
from .signal_pass import NodeMap, PlacedElement, SignalTable, SystemRecord
from .structure import LARGEST_KEPT, MOST_KEPT, SystemStructure

__all__ = ["ArrayPlace", "BlockPlan", "WorkspacePlan", "workspace_plan"]

_IN_STATE, _IN_REST = 1, 2
"""Block to which an address refers."""


class ArrayPlace(NamedTuple):
    """Place of an array in its block, in numbers, and its shape."""

    first: int
    last: int
    shape: tuple[int, ...]


class BlockPlan:
    """Places of the arrays of a block of memory."""

    def __init__(self) -> None:
        self.places: dict[str, ArrayPlace] = {}
        self.size = 0

    def add(self, name: str, *shape: int) -> None:
        count = 1
        for n in shape:
            count *= n
        self.places[name] = ArrayPlace(self.size, self.size + count, shape)
        self.size += count

    def first(self, name: str) -> int:
        return self.places[name].first

    def offset(self, name: str) -> int:
        """Distance of an array from the start [bytes]."""
        return 8 * self.places[name].first


def workspace_plan(structure: SystemStructure, items: int, inputs: tuple[int, ...]) -> "WorkspacePlan":
    """Plan of the workspaces of a system. items: size of the records of its signals; inputs: first input of each element."""
    if len(structure.forms) > LARGEST_KEPT:
        return WorkspacePlan(structure, items, inputs)
    return _kept(structure, items, inputs)


class WorkspacePlan:
    """Plan of the first block, of the records of the second one, and their content."""

    def __init__(self, structure: SystemStructure, items: int, inputs: tuple[int, ...]) -> None:
        self._structure, self._first_input, s = structure, inputs, structure
        self.state, self.records = BlockPlan(), BlockPlan()
        nodes = len(s.ndof)
        for name, shape in (
            ("pose0", (nodes, 7)), ("pose", (nodes, 7)), ("dq", (s.n_q,)), ("v", (s.n_q,)), ("vd", (s.n_q,)),
            ("own0", (s.own.count,)), ("own", (s.own.count,)), ("lam", (max(s.n_lam, 1),)), ("mem", (max(s.n_mem, 1),)),
            ("condensed", (2, s.own.condensed_count)), ("node_rows", (nodes, Node.size)),
        ):  # fmt: skip
            self.state.add(name, *shape)
        add = self.records.add
        add("record", SystemRecord.size)
        add("signals", SignalTable.size)
        add("nodes", nodes, NodeMap.size)
        add("elements", len(s.forms), PlacedElement.size)
        for i, (kind, members, on) in enumerate(s.by_kind):
            add(f"seen {i}", len(members), kind.seen.size)
            if "nodes" in kind.seen:
                add(f"on {i}", *on.shape)
        add("items", items)
        add("inputs", max(sum(form.inputs for form in s.forms), 1), Input.size)
        add("scratch", s.scratch0[-1] + 1)
        add("no_acceleration", s.own.condensed_count)
        self.words = np.zeros(self.records.size, np.int64)
        """Content of the records."""
        self._base = np.zeros(self.records.size, np.int8)
        self._fill_nodes()
        self._fill_elements()
        for i, (kind, members, on) in enumerate(s.by_kind):
            self._fill_seen(i, kind, members, on)
        self._fill_inputs()
        self._fill_record()
        self._base[self._pointers("signals", SignalTable, ("items", "inputs"))] = _IN_REST
        self._base[self._pointers("record", SystemRecord, ("signals", "nodes", "elements"))] = _IN_REST
        self.to_state = np.flatnonzero(self._base == _IN_STATE)
        """Places of addresses in the first block."""
        self.to_records = np.flatnonzero(self._base == _IN_REST)
        """Places of addresses of records."""
        self.first_state = np.zeros(self.state.size)
        """First content of the first block: the ground does not move."""
        for name in ("pose0", "pose"):
            self.first_state[self.state.first(name) + 3] = 1.0
        rotation = self.state.first("node_rows") + Node.place("R")[0]
        self.first_state[rotation : rotation + 9 : 4] = 1.0

    def table(self, name: str, words: np.ndarray) -> np.ndarray:
        """Records of a table in a second block, one row each."""
        place = self.records.places[name]
        return words[place.first : place.last].reshape(place.shape)

    def _table(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """A table, and the blocks to which its addresses refer."""
        return self.table(name, self.words), self.table(name, self._base)

    def _fill_nodes(self) -> None:
        s, words = self._structure, self.table("nodes", self.words)
        words[:, NodeMap.place("first")[0]], words[:, NodeMap.place("count")[0]] = s.dof0, s.ndof

    def _fill_elements(self) -> None:
        """One record for each element, without the address of its parameters, its signals and its entries of the matrix."""
        s, (words, base) = self._structure, self._table("elements")
        count = np.array([len(form.nodes) for form in s.forms], np.int64)
        self._node_lists = np.array([g for form in s.forms for g in form.nodes] or [0], np.int64)
        moving = (s.ndof < 6) & (np.arange(len(s.ndof)) > 0)
        inputs = np.array([form.inputs for form in s.forms], np.int64)
        columns: dict[str, Any] = {
            "m": self.state.offset("mem") + 8 * s.mem0,
            "w": self.records.offset("scratch") + 8 * np.array(s.scratch0[:-1], np.int64),
            "n_nodes": count,
            "nodes": address(self._node_lists) + 8 * (np.cumsum(count) - count),
            "n_own": s.own.count_of,
            "own": s.own.first_of,
            "n_inputs": inputs,
            "n_outputs": [len(form.kind.outputs) for form in s.forms],
            "n_rows": s.nlam,
            "lam": s.lam0[:-1],
            "open_size": s.open_sizes,
            "is_reduced": [any(moving[g] for g in form.nodes) for form in s.forms],
            "has_inertia": [form.kind.has_inertia for form in s.forms],
        }
        if len(s.forms):
            for name, values in columns.items():
                words[:, PlacedElement.place(name)[0]] = values
            words[:, PlacedElement.place("size")[0]] = 6 * count + s.own.count_of + inputs + s.nlam
        for name, block in (("m", _IN_STATE), ("w", _IN_REST)):
            base[:, PlacedElement.place(name)[0]] = block
        for kind, members, _ in s.by_kind:
            for name, function in kind.addresses.items():
                words[members, PlacedElement.place(name)[0]] = function

    def _fill_seen(self, i: int, kind: ElementKind, members: np.ndarray, on: np.ndarray) -> None:
        """Records that elements of one kind read."""
        s, (words, base) = self._structure, self._table(f"seen {i}")
        nodes = self.state.offset("node_rows") + 8 * Node.size * on
        if "nodes" in kind.seen:
            lists, lists_base = self._table(f"on {i}")
            lists[:], lists_base[:] = nodes, _IN_STATE
            words[:, 0] = on.shape[1]
            column = kind.seen.place("nodes")[0]
            words[:, column] = self.records.offset(f"on {i}") + 8 * on.shape[1] * np.arange(len(members))
            base[:, column] = _IN_REST
        else:
            named = min(on.shape[1], len(kind.seen.layout))
            words[:, :named], base[:, :named] = nodes[:, :named], _IN_STATE
        if "lam" in kind.seen:
            column = kind.seen.place("lam")[0]
            words[:, kind.seen.place("n_rows")[0]] = s.nlam[members]
            words[:, column], base[:, column] = self.state.offset("lam") + 8 * s.lam0[members], _IN_STATE
        if kind.coordinates:
            self._fill_own(kind, members, words, base)
        for row, e in enumerate(members if kind.inputs or kind.turns else ()):
            for j, name in enumerate(kind.inputs):
                column = kind.seen.place(name)[0]
                words[row, column] = self.records.offset("inputs") + 8 * Input.size * (self._first_input[e] + j)
                base[row, column] = _IN_REST
            for name, counter in s.forms[e].turns:
                column = kind.seen.place(name)[0]
                words[row, column] = self.state.offset("mem") + 8 * int(s.mem0[counter])
                base[row, column] = _IN_STATE
        column = PlacedElement.place("x")[0]
        elements, elements_base = self._table("elements")
        elements[members, column] = self.records.offset(f"seen {i}") + 8 * kind.seen.size * np.arange(len(members))
        elements_base[members, column] = _IN_REST

    def _fill_own(self, kind: ElementKind, members: np.ndarray, words: np.ndarray, base: np.ndarray) -> None:
        """Own coordinates of elements."""
        own, of = self._structure.own, self.state.offset
        position = {int(e): i for i, e in enumerate(members)}
        # the rates of own coordinates with rows are among those of the nodes
        first, condensed = 8 * own.first, of("condensed")
        rates = condensed + 8 * own.condensed_count
        for groups, arrays in (
            (own.open, ((of("own"), _IN_STATE), (of("v") + first, _IN_STATE), (of("vd") + first, _IN_STATE))),
            (own.condensed, ((condensed, _IN_STATE), (rates, _IN_STATE),
                             (self.records.offset("no_acceleration"), _IN_REST))),
        ):  # fmt: skip
            for g in groups:
                if g.element in position:
                    row = position[g.element]
                    words[row, kind.seen.place(g.what.count)[0]] = g.count
                    for part, (start, block) in zip(("", "_rate", "_acceleration"), arrays, strict=True):
                        column = kind.seen.place(g.what.name + part)[0]
                        words[row, column], base[row, column] = start + 8 * g.first, block

    def _fill_inputs(self) -> None:
        """Columns of the inputs in the local blocks of their elements."""
        words, s = self.table("inputs", self.words), self._structure
        for form, first, size in zip(s.forms, self._first_input, s.sizes, strict=True):
            if form.inputs:
                column = size - len(form.rows) - form.inputs
                words[first : first + form.inputs, Input.place("column")[0]] = column + np.arange(form.inputs)

    def _fill_record(self) -> None:
        """Counts of the record of the system that do not depend on the omitted rows, and the arrays of the state."""
        s, first = self._structure, self.records.first("record")
        for name, value in {
            "n_nodes": len(s.ndof), "n_elements": len(s.forms), "n_active": s.active, "n_q": s.n_q, "n_own": s.own.count,
            "first_own": s.own.first, "n_lam": max(s.n_lam, 1), "n_mem": max(s.n_mem, 1),
            "n_condensed": s.own.condensed_count,
        }.items():  # fmt: skip
            self.words[first + SystemRecord.place(name)[0]] = value
        for name, array in {
            "constraints": s.constraints, "begins": s.begins, "accepts": s.accepts, "guards": s.guards,
            "massless": s.own.first_order,
        }.items():  # fmt: skip
            self.words[first + SystemRecord.place(f"n_{name}")[0]] = array.size
            self.words[first + SystemRecord.place(name)[0]] = address(array)  # the structure owns it
        arrays = {name: self.state.offset(name) for name in self.state.places if name != "node_rows"}
        arrays["bodies"] = self.state.offset("node_rows")
        arrays["condensed_rate"] = self.state.offset("condensed") + 8 * s.own.condensed_count
        for name, offset in arrays.items():
            at = first + SystemRecord.place(name)[0]
            self.words[at], self._base[at] = offset, _IN_STATE

    def _pointers(self, name: str, record: Fields, arrays: tuple[str, ...]) -> list[int]:
        """Set the addresses of arrays of the second block in a record, and return their places."""
        places = []
        for array in arrays:
            at = self.records.first(name) + record.place(array)[0]
            self.words[at] = self.records.offset(array)
            places.append(at)
        return places


@lru_cache(maxsize=MOST_KEPT)
def _kept(structure: SystemStructure, items: int, inputs: tuple[int, ...]) -> WorkspacePlan:
    return WorkspacePlan(structure, items, inputs)
