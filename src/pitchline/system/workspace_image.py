"""Content of a new workspace of a system: made once for each layout, then copied.

The arrays of a workspace lie in two blocks of memory. The first one has the evaluated state, which does not depend on the omitted
rows. The second one has the records for compiled code and the arrays that depend on the layout. The records contain addresses
within both blocks. In the image they are relative to the start of the blocks; a copy adds the start.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..elements.contract import Ask, ElementKind, Input, Node
from ..math.fields import Fields
from ..math.record_words import address
from . import records
from .signal_records import SignalTable

if TYPE_CHECKING:
    from .system import System

__all__ = ["STATE", "ArrayPlace", "WorkspaceImage"]

STATE = ("pose0", "pose", "dq", "v", "vd", "own0", "own", "lam", "mem", "condensed", "node_rows")
"""Arrays that do not depend on the omitted rows."""
_ELSEWHERE, _IN_STATE, _IN_REST = 0, 1, 2
"""What an address refers to: memory outside of the workspace, the block of the state, the other block."""
_LISTS = ("constraints", "begins", "accepts", "guards", "opening", "driven")


class ArrayPlace(NamedTuple):
    """Place of an array in its block, in numbers, and its shape."""

    first: int
    last: int
    shape: tuple[int, ...]


class _Block:
    """A block of memory that is planned: places of its arrays."""

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

    def bytes_to(self, name: str) -> int:
        """Distance of an array from the start [bytes]."""
        return 8 * self.places[name].first


class WorkspaceImage:
    """Places and first content of the arrays of a workspace, for the present layout of a system."""

    def __init__(self, system: "System") -> None:
        self.system = s = system
        self.state, self._rest = _Block(), _Block()
        nodes, tables, g = len(s.ndof), s.element_tables, s.graph
        for name, shape in (
            ("pose0", (nodes, 7)), ("pose", (nodes, 7)), ("dq", (s.n_q,)), ("v", (s.n_q,)), ("vd", (s.n_q,)),
            ("own0", (s.own.count,)), ("own", (s.own.count,)), ("lam", (max(s.n_lam, 1),)), ("mem", (max(s.n_mem, 1),)),
            ("condensed", (2, s.own.condensed_count)), ("node_rows", (nodes, Node.size)),
        ):  # fmt: skip
            self.state.add(name, *shape)
        add = self._rest.add
        add("record", records.SystemRecord.size)
        add("signals", SignalTable.size)
        add("nodes", nodes, records.NodeMap.size)
        add("elements", len(s.elements), records.PlacedElement.size)
        for i, (kind, members, on) in enumerate(tables.kinds):
            add(f"seen {i}", len(members), kind.seen.size)
            if "nodes" in kind.seen:
                add(f"on {i}", *on.shape)
        add("items", g.item_words.size)
        add("inputs", max(len(g.input_values), 1), Input.size)
        add("weight", s.n)
        add("scratch", tables.scratch.size)
        self._filled = self._rest.size
        """The arrays up to here have a content. The others are zero at first."""
        n, derivatives = max(g.n_values, 1), max(g.n_derivatives, 1)
        for name, size in (
            ("r", s.n), ("Ax", s.n_values), ("local_r", tables.most_open), ("local_J", tables.most_local**2),
            ("no_acceleration", s.own.condensed_count), ("turns", 9 * nodes), ("values", n), ("by_time", n),
            ("by_position", derivatives), ("by_rate", derivatives), ("combined", 2 * derivatives), ("arguments", g.buffer),
            ("results", g.buffer),
        ):  # fmt: skip
            add(name, size)
        self._words = np.zeros(self._filled, np.int64)
        self._numbers = self._words.view(np.float64)
        self._base = np.zeros(self._filled, np.int8)
        self._external: list[np.ndarray] = []
        self._fill_nodes()
        self._fill_elements()
        for i, (kind, members, on) in enumerate(tables.kinds):
            self._fill_seen(i, kind, members, on)
        self._fill_signals()
        self._numbers[self._in("weight")] = s.layout.weight
        self._numbers[self._in("scratch")] = tables.scratch
        self._fill_record()
        self._to_state = np.flatnonzero(self._base == _IN_STATE)
        self._to_rest = np.flatnonzero(self._base == _IN_REST)
        self.state_views = tuple(self.state.places.items())
        self.views = tuple((name, self._rest.places[name]) for name in ("r", "Ax", "local_r"))
        self._first_state = np.zeros(self.state.size)
        for name in ("pose0", "pose"):
            self._first_state[self.state.first(name) + 3] = 1.0  # the ground
        rotation = self.state.first("node_rows") + Node.place("R")[0]
        self._first_state[rotation : rotation + 9 : 4] = 1.0

    # ---- copies

    def new_state(self) -> np.ndarray:
        """Block of the state of a new workspace."""
        return self._first_state.copy()

    def new_rest(self, state: np.ndarray) -> np.ndarray:
        """The other block, for a workspace with this block of the state."""
        words = np.zeros(self._rest.size, np.int64)
        words[: self._filled] = self._words
        words[self._to_state] += address(state)
        words[self._to_rest] += address(words)
        return words

    def place(self, name: str) -> ArrayPlace:
        """Place of an array in the second block."""
        return self._rest.places[name]

    # ---- content

    def _in(self, name: str) -> slice:
        place = self._rest.places[name]
        return slice(place.first, place.last)

    def _table(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Words of a table, one row for each record, and what each refers to."""
        place = self._rest.places[name]
        return tuple(x[place.first : place.last].reshape(place.shape) for x in (self._words, self._base))  # type: ignore[return-value]

    def _fill_nodes(self) -> None:
        s, place = self.system, records.NodeMap.place
        words, _ = self._table("nodes")
        words[:, place("first")[0]], words[:, place("count")[0]] = s.dof0, s.ndof
        words[:, place("free")[0]] = s.free_rotation
        words[:, place("elastic")[0]] = np.where(s.held_elastically, s.free_rotation, -1)
        first = place("T")[0]
        words.view(np.float64)[:, first : first + 36] = s.T.reshape(-1, 36)

    def _fill_elements(self) -> None:
        """One record for each element. The addresses of its own records are relative to the memory and to the scratch."""
        words, base = self._table("elements")
        words[:] = self.system.element_tables.table.view(np.int64).reshape(words.shape)
        for name, what, start in (
            ("m", _IN_STATE, self.state.bytes_to("mem")),
            ("w", _IN_REST, self._rest.bytes_to("scratch")),
        ):
            column = records.PlacedElement.place(name)[0]
            words[:, column] += start
            base[:, column] = what

    def _fill_seen(self, i: int, kind: ElementKind, members: np.ndarray, on: np.ndarray) -> None:
        """Records that elements of one kind read."""
        s, (words, base) = self.system, self._table(f"seen {i}")
        nodes = self.state.bytes_to("node_rows") + 8 * Node.size * on
        if "nodes" in kind.seen:
            lists, lists_base = self._table(f"on {i}")
            lists[:], lists_base[:] = nodes, _IN_STATE
            words[:, 0] = on.shape[1]
            column = kind.seen.place("nodes")[0]
            words[:, column] = self._rest.bytes_to(f"on {i}") + 8 * on.shape[1] * np.arange(len(members))
            base[:, column] = _IN_REST
        else:
            named = min(on.shape[1], len(kind.seen.layout))
            words[:, :named], base[:, :named] = nodes[:, :named], _IN_STATE
        if "lam" in kind.seen:
            column = kind.seen.place("lam")[0]
            words[:, kind.seen.place("n_rows")[0]] = s.nlam[members]
            words[:, column], base[:, column] = self.state.bytes_to("lam") + 8 * s.lam0[members], _IN_STATE
        if kind.coordinates:
            self._fill_own(kind, members, words, base)
        for row, e in enumerate(members if kind.inputs or kind.turns else ()):
            for j, name in enumerate(kind.inputs):
                column = kind.seen.place(name)[0]
                words[row, column] = self._rest.bytes_to("inputs") + 8 * Input.size * (int(s.graph.input0[e]) + j)
                base[row, column] = _IN_REST
            for name, counter in s.elements[e].turns.items():
                column = kind.seen.place(name)[0]
                words[row, column] = self.state.bytes_to("mem") + 8 * s.memory_of[id(counter)]
                base[row, column] = _IN_STATE
        column = records.PlacedElement.place("x")[0]
        elements, elements_base = self._table("elements")
        elements[members, column] = self._rest.bytes_to(f"seen {i}") + 8 * kind.seen.size * np.arange(len(members))
        elements_base[members, column] = _IN_REST

    def _fill_own(self, kind: ElementKind, members: np.ndarray, words: np.ndarray, base: np.ndarray) -> None:
        """Own coordinates of elements."""
        s = self.system
        position = {int(e): i for i, e in enumerate(members)}
        # the rates of own coordinates with rows are among those of the nodes
        first, of = 8 * s.own.first, self.state.bytes_to
        condensed, count = of("condensed"), s.own.condensed_count
        for groups, arrays in (
            (s.own.open, ((of("own"), _IN_STATE), (of("v") + first, _IN_STATE), (of("vd") + first, _IN_STATE))),
            (s.own.condensed, ((condensed, _IN_STATE), (condensed + 8 * count, _IN_STATE),
                               (self._rest.bytes_to("no_acceleration"), _IN_REST))),
        ):  # fmt: skip
            for g in groups:
                if g.element in position:
                    row = position[g.element]
                    words[row, kind.seen.place(g.what.count)[0]] = g.count
                    for part, (start, what) in zip(("", "_rate", "_acceleration"), arrays, strict=True):
                        column = kind.seen.place(g.what.name + part)[0]
                        words[row, column], base[row, column] = start + 8 * g.first, what

    def _fill_signals(self) -> None:
        """Signals that elements read."""
        s, g, fed = self.system, self.system.graph, self.system.feeds
        self._words[self._in("items")] = g.item_words
        items = self._rest.first("items")
        for at, place in g.turns_of_items():
            self._words[items + at], self._base[items + at] = self.state.bytes_to("mem") + 8 * place, _IN_STATE
        inputs, _ = self._table("inputs")
        for i, e in enumerate(s.elements):
            if e.inputs:
                first, column = int(g.input0[i]), e.size(opened=s.opened) - len(e.rows) - len(e.inputs)
                inputs[first : first + len(e.inputs), Input.place("column")[0]] = column + np.arange(len(e.inputs))
        self._point("signals", SignalTable, {
            "n_items": g.needed, "n_all": g.count, "n_values": max(g.n_values, 1), "n_derivatives": g.n_derivatives,
            "n_combined": 2 * max(g.n_derivatives, 1), "n_chain": g.n_chain, "n_inputs": len(g.input_values),
            "n_feeds": fed.source.size, "n_buffer": g.buffer,
        }, ("items", "inputs", "values", "by_time", "by_position", "by_rate", "combined", "arguments", "results"), {
            "input_value": g.input_places, "column": g.column, "chain_partial": g.chain[0], "chain_from": g.chain[1],
            "chain_to": g.chain[2], "feed_from": fed.source, "feed_by": fed.by, "feed_to": s.feed_to, "feed_scale": fed.scale,
        })  # fmt: skip

    def _fill_record(self) -> None:
        s, y, tables = self.system, self.system.layout, self.system.element_tables
        numbers: dict[str, int] = {
            "n_nodes": len(s.ndof), "n_elements": len(s.elements), "n_active": s.active, "n_q": s.n_q, "n_own": s.own.count,
            "first_own": s.own.first, "n": s.n, "n_lam": max(s.n_lam, 1), "n_mem": max(s.n_mem, 1),
            "n_condensed": s.own.condensed_count, "n_values": s.n_values, "n_entries": y.entry_from.size,
            "n_local": tables.most_open, "n_local_squared": tables.most_local**2, "is_dense": int(s.dense),
            "n_massless": s.own.first_order.size,
        }  # fmt: skip
        external = {
            "equation": y.equation, "lam_scale": y.lam_scale, "usual_weight": y.weight, "entry_from": y.entry_from,
            "entry_to": y.entry_to, "entry_scale": y.entry_scale, "massless": s.own.first_order,
        }  # fmt: skip
        for name in _LISTS:
            external[name] = getattr(y, name)
            numbers[f"n_{name}"] = external[name].size
        inside = ("signals", "nodes", "elements", "turns", "weight", "r", "Ax", "local_r", "local_J")
        self._point("record", records.SystemRecord, numbers, inside, external)
        first, place = self._rest.first("record"), records.SystemRecord.place
        for name in ("pose0", "pose", "dq", "v", "vd", "own0", "own", "lam", "mem", "condensed"):
            at = first + place(name)[0]
            self._words[at], self._base[at] = self.state.bytes_to(name), _IN_STATE
        for name, start in (
            ("bodies", self.state.bytes_to("node_rows")),
            ("condensed_rate", self.state.bytes_to("condensed") + 8 * s.own.condensed_count),
        ):
            at = first + place(name)[0]
            self._words[at], self._base[at] = start, _IN_STATE
        ask = first + place("ask")[0]
        self._words[ask + Ask.place("n_functions")[0]] = s.functions.size
        self._words[ask + Ask.place("functions")[0]] = address(s.functions)
        self._external.append(s.functions)

    def _point(
        self, name: str, record: Fields, numbers: dict[str, int], inside: tuple[str, ...],
        external: dict[str, np.ndarray],
    ) -> None:  # fmt: skip
        """Fill a record: integers, arrays of the second block by their names, and arrays outside of the workspace."""
        first = self._rest.first(name)
        for field, value in numbers.items():
            self._words[first + record.place(field)[0]] = value
        for field in inside:
            at = first + record.place(field)[0]
            self._words[at], self._base[at] = self._rest.bytes_to(field), _IN_REST
        for field, array in external.items():
            self._words[first + record.place(field)[0]] = address(array)
            self._external.append(array)
