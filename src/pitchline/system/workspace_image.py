"""Content of a new workspace of a system: made once for each layout, then copied.

It has the content that follows from the structure (see `workspace_plan`), and the numbers and arrays of the system.
"""

from typing import TYPE_CHECKING

import numpy as np

from ..elements.contract import Ask
from ..math.fields import Fields
from ..math.record_addresses import address
from .records import NodeMap, PlacedElement, SystemRecord
from .signal_records import SignalTable
from .workspace_plan import ArrayPlace, BlockPlan, workspace_plan

if TYPE_CHECKING:
    from .system import System

__all__ = ["WorkspaceImage"]

_S, _INPUT0, _OUTPUT0, _FEED0, _FEED1, _ENTRY0, _ENTRY1 = (
    PlacedElement.place(name)[0] for name in ("s", "input0", "output0", "feed0", "feed1", "entry0", "entry1")
)
_FREE, _ELASTIC = NodeMap.place("free")[0], NodeMap.place("elastic")[0]
_T = slice(NodeMap.place("T")[0], NodeMap.place("T")[0] + 36)


class WorkspaceImage:
    """Places and first content of the arrays of a workspace, for the present layout of a system."""

    def __init__(self, system: "System") -> None:
        s, g = system, system.graph
        plan = self.plan = workspace_plan(s.structure, g.item_words.size, tuple(g.input0.tolist()))
        self._words = words = plan.words.copy()
        self._numbers = words.view(np.float64)
        nodes = plan.table("nodes", words)
        nodes[:, _FREE], nodes[:, _ELASTIC] = s.free_rotation, np.where(s.held_elastically, s.free_rotation, -1)
        nodes.view(np.float64)[:, _T] = s.T.reshape(-1, 36)
        elements = plan.table("elements", words)
        elements[:, _S] = address(s.parameters) + 8 * s.parameter0
        elements[:, _INPUT0], elements[:, _OUTPUT0] = g.input0, g.first_output
        elements[: s.active, _FEED0], elements[: s.active, _FEED1] = s.feeds.ptr[:-1], s.feeds.ptr[1:]
        elements[: s.active, _ENTRY0], elements[: s.active, _ENTRY1] = s.layout.entry0[:-1], s.layout.entry0[1:]
        items = plan.records.places["items"]
        words[items.first : items.last] = g.item_words
        self._numbers[self._in("scratch")][:-1] = s.first_scratch
        self._arrays: dict[str, ArrayPlace] = self._plan_arrays(system)
        self._kept: list[np.ndarray] = [s.parameters]
        self._point_records(system)
        in_state = [plan.to_state]
        memory = plan.state.offset("mem")
        for at, place in g.turns_of_items():
            words[items.first + at] = memory + 8 * place
            in_state.append(np.array([items.first + at]))
        self._to_state = plan.to_state if len(in_state) == 1 else np.concatenate(in_state)
        self.state_views = tuple(plan.state.places.items())
        self.views = tuple((name, self._arrays[name]) for name in ("r", "Ax", "local_r"))

    # ---- copies

    def new_state(self) -> np.ndarray:
        """Block of the state of a new workspace."""
        return self.plan.first_state.copy()

    def new_rest(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """The other block, for a workspace with this block of the state: as integers, as numbers, and its address."""
        words = np.zeros(self._size, np.int64)
        numbers, here = words.view(np.float64), address(words)
        words[: self._words.size] = self._words
        words[self._to_state] += address(state)
        words[self._to_rest] += here
        weight = self._arrays["weight"]
        numbers[weight.first : weight.last] = self._weight
        return words, numbers, here

    def place(self, name: str) -> ArrayPlace:
        """Place of an array or table in the second block."""
        return self._arrays.get(name) or self.plan.records.places[name]

    # ---- content

    def _in(self, name: str) -> slice:
        place = self.plan.records.places[name]
        return slice(place.first, place.last)

    def _plan_arrays(self, s: "System") -> dict[str, ArrayPlace]:
        """Places of the arrays that follow the records."""
        block, g, structure = BlockPlan(), s.graph, s.structure
        block.size = self.plan.records.size
        self.n_local = max([1, *structure.open_sizes])
        self.n_local_squared = max([1, *structure.sizes]) ** 2
        n, derivatives = max(g.n_values, 1), max(g.n_derivatives, 1)
        for name, size in (
            ("weight", s.n), ("r", s.n), ("Ax", s.n_values), ("local_r", self.n_local), ("local_J", self.n_local_squared),
            ("turns", 9 * len(s.ndof)), ("values", n), ("by_time", n), ("by_position", derivatives), ("by_rate", derivatives),
            ("combined", 2 * derivatives), ("arguments", g.buffer), ("results", g.buffer),
        ):  # fmt: skip
            block.add(name, size)
        self._size, self._weight = block.size, s.layout.weight
        return block.places

    def _point_records(self, s: "System") -> None:
        """Counts and addresses of the records of the system and of its signals."""
        y, g, fed = s.layout, s.graph, s.feeds
        external: dict[str, np.ndarray] = {}
        if g.count:  # otherwise all of these are empty, and never read
            external = {
                "input_value": g.input_places, "column": g.column, "chain_partial": g.chain[0], "chain_from": g.chain[1],
                "chain_to": g.chain[2], "feed_from": fed.source, "feed_by": fed.by, "feed_to": s.feed_to,
                "feed_scale": fed.scale,
            }  # fmt: skip
        inside = self._point("signals", SignalTable, {
            "n_items": g.needed, "n_all": g.count, "n_values": max(g.n_values, 1), "n_derivatives": g.n_derivatives,
            "n_combined": 2 * max(g.n_derivatives, 1), "n_chain": g.n_chain, "n_inputs": len(g.input_values),
            "n_feeds": fed.source.size, "n_buffer": g.buffer,
        }, ("values", "by_time", "by_position", "by_rate", "combined", "arguments", "results"), external)  # fmt: skip
        numbers: dict[str, int] = {
            "n": s.n, "n_values": s.n_values, "n_entries": y.entry_from.size, "n_local": self.n_local,
            "n_local_squared": self.n_local_squared, "is_dense": int(s.dense), "n_opening": y.opening.size,
            "n_driven": y.driven.size,
        }  # fmt: skip
        external = {
            "equation": y.equation, "lam_scale": y.lam_scale, "lam_factor": y.lam_factor,
            "lam_penalty": y.lam_penalty, "usual_weight": y.weight, "entry_from": y.entry_from,
            "entry_to": y.entry_to, "entry_scale": y.entry_scale, "opening": y.opening, "driven": y.driven,
        }  # fmt: skip
        inside += self._point(
            "record", SystemRecord, numbers, ("turns", "weight", "r", "Ax", "local_r", "local_J"), external
        )
        ask = self.plan.records.first("record") + SystemRecord.place("ask")[0]
        self._words[ask + Ask.place("n_functions")[0]] = s.functions.size
        self._words[ask + Ask.place("functions")[0]] = address(s.functions)
        self._kept.append(s.functions)
        self._to_rest = np.concatenate([self.plan.to_records, np.array(inside)])

    def _point(
        self,
        name: str,
        record: Fields,
        numbers: dict[str, int],
        inside: tuple[str, ...],
        external: dict[str, np.ndarray],
    ) -> list[int]:
        """Fill a record: integers, arrays of the second block by their names, and arrays outside of the workspace. Return the
        places of addresses in the second block."""
        words, first, places, found = self._words, self.plan.records.first(name), record.places, []
        for field, value in numbers.items():
            words[first + places[field][0]] = value
        for field in inside:
            at = first + places[field][0]
            words[at] = 8 * self._arrays[field].first
            found.append(at)
        for field, array in external.items():
            words[first + places[field][0]] = address(array)
        self._kept += external.values()
        return found
