"""Structure of a system: connections, sizes and own coordinates, without its numbers.

Systems that differ in numbers only (speeds, torques, stiffnesses, inertias, lengths) share one structure. It is computed from
a key with all data on which it depends, and never changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ..elements.contract import Coordinates, Element, ElementKind

__all__ = ["ElementForm", "ReportPlan", "SystemStructure", "element_forms", "report_plan", "structure_of"]


# ---- own coordinates

# Coordinates of elements, and their positions in the state.


@dataclass(frozen=True)
class Group:
    """Coordinates with one name of one element."""

    element: int
    what: Coordinates
    first: int
    """Index of the first one, among the open or among the condensed coordinates."""
    count: int


class OwnCoordinates:
    """Open coordinates of all elements, after those of the nodes, and condensed coordinates.

    elements: their kinds, and the numbers of their coordinates in the order of the kind. first: number of coordinates of the nodes.
    opened: condensed coordinates are also open."""

    def __init__(self, elements: Sequence[tuple[ElementKind, tuple[int, ...]]], *, first: int, opened: bool) -> None:
        self.first = first
        self.open: list[Group] = []
        self.condensed: list[Group] = []
        self.first_of = np.zeros(len(elements), np.int64)
        """First open coordinate of each element, among all coordinates."""
        self.count_of = np.zeros(len(elements), np.int64)
        self.count = self.condensed_count = 0
        for i, (kind, counts) in enumerate(elements):
            self.first_of[i] = first + self.count
            # in the local block open coordinates come before condensed ones
            for c, n in sorted(zip(kind.coordinates, counts, strict=True), key=lambda item: item[0].condensed):
                if c.condensed and not opened:
                    self.condensed.append(Group(i, c, self.condensed_count, n))
                    self.condensed_count += n
                else:
                    self.open.append(Group(i, c, self.count, n))
                    self.count += n
                    self.count_of[i] += n

    @cached_property
    def typical(self) -> np.ndarray:
        """Typical magnitude of each open coordinate."""
        return np.concatenate([np.full(g.count, g.what.typical) for g in self.open] + [np.zeros(0)])

    @cached_property
    def first_order(self) -> np.ndarray:
        """Indices of open coordinates without a mass, among all coordinates."""
        parts = [self.first + g.first + np.arange(g.count) for g in self.open if g.what.order == 1]
        return np.concatenate([*parts, np.zeros(0)]).astype(np.int64)

    def with_mass(self, elements: list[Element]) -> list[tuple[str, slice]]:
        """Names, by element and coordinate, and slices among all coordinates, of open coordinates of order 2."""
        first = self.first
        return [
            (f"{elements[g.element].name}.{g.what.name}", slice(first + g.first, first + g.first + g.count))
            for g in self.open
            if g.what.order == 2 and g.count
        ]

    def owner(self, coordinate: int) -> int:
        """Element of a coordinate."""
        at = coordinate - self.first
        return next(g.element for g in self.open if g.first <= at < g.first + g.count)


MOST_KEPT = 32
"""Number of structures that are kept."""
LARGEST_KEPT = 400
"""Structures with more elements are not kept: the time to make one is then small compared with an analysis."""


class ElementForm(NamedTuple):
    """Properties of an element on which the structure depends."""

    kind: ElementKind
    nodes: tuple[int, ...]
    rows: str
    passive: bool
    inputs: int
    own: tuple[int, ...]  # number of own coordinates, in the order of its kind
    parameters: int  # sizes of its records
    memory: int
    scratch: int
    shares: int  # element whose memory it uses; -1: it has its own
    turns: tuple[tuple[str, int], ...]  # elements that count the revolutions of its joints

    def size(self, *, opened: bool) -> int:
        """Number of rows of its local block; `opened`: including those of condensed coordinates."""
        own = sum(n for c, n in zip(self.kind.coordinates, self.own, strict=True) if opened or not c.condensed)
        return 6 * len(self.nodes) + own + len(self.kind.inputs) + len(self.rows)


def element_forms(elements: Sequence[Element]) -> tuple[ElementForm, ...]:
    """Forms of the elements of a system."""
    place = {id(e): i for i, e in enumerate(elements)}
    return tuple(
        ElementForm(
            e.kind,
            e.nodes,
            e.rows,
            e.passive,
            len(e.inputs),
            tuple(e.counts[c.count] for c in e.kind.coordinates) if e.kind.coordinates else (),
            e.parameters.size,
            e.memory.size,
            e.kind.scratch.size if e.scratch is None else e.scratch.size,
            -1 if e.shares_memory_of is None else place[id(e.shares_memory_of)],
            tuple((name, place[id(counter)]) for name, counter in e.turns.items()) if e.turns else (),
        )
        for e in elements
    )


def structure_of(forms: tuple[ElementForm, ...], ndof: tuple[int, ...], *, opened: bool) -> "SystemStructure":
    """Structure of a system with these elements and numbers of coordinates of its nodes. opened: see `System`."""
    return _kept(forms, ndof, opened) if len(forms) <= LARGEST_KEPT else SystemStructure(forms, ndof, opened)


class SystemStructure:
    """Numbers and places of coordinates, multipliers, memory and parameters of all elements."""

    def __init__(self, forms: tuple[ElementForm, ...], ndof: tuple[int, ...], opened: bool) -> None:
        self.forms, self.opened = forms, opened
        self.ndof = _constant(ndof)
        self.dof0 = _constant([0, *accumulate(ndof[:-1])])
        self.own = OwnCoordinates([(form.kind, form.own) for form in forms], first=sum(ndof), opened=opened)
        self.n_q = sum(ndof) + self.own.count
        self.nlam = _constant([len(form.rows) for form in forms])
        self.lam0 = _constant([0, *accumulate(len(form.rows) for form in forms)])
        self.n_lam = int(self.lam0[-1])
        self.active = sum(not form.passive for form in forms)
        self.n_lam_active = int(self.lam0[self.active])
        self.is_length = np.array([row == "t" for form in forms for row in form.rows], bool)
        """For every multiplier, whether its row is a length."""
        spans: list[tuple[int, int]] = []
        self.n_mem = 0
        for form in forms:
            size = form.memory if form.shares < 0 else 0
            spans.append((self.n_mem, self.n_mem + size))
            self.n_mem += size
        shared = [spans[form.shares] if form.shares >= 0 else span for form, span in zip(forms, spans, strict=True)]
        self.mem0, self.mem1 = _constant([a for a, _ in shared]), _constant([b for _, b in shared])
        self.parameter0 = _constant([0, *accumulate(form.parameters for form in forms)][:-1])
        self.scratch0 = [0, *accumulate(form.scratch for form in forms)]
        """Places of the scratch memory of the elements, and its size."""
        self.sizes = [form.size(opened=opened) for form in forms]
        """Sizes of the local blocks."""
        self.open_sizes = [form.size(opened=True) for form in forms]
        numbered = list(enumerate(forms))
        self.constraints = _constant([i for i, form in numbered if form.rows and not form.passive])
        self.begins = _constant([i for i, form in numbered if form.kind.begin is not None and not form.passive])
        self.accepts = _constant([i for i, form in numbered if form.kind.accept is not None])
        self.guards = _constant([i for i, form in numbered if form.kind.guard is not None and not form.passive])

    @cached_property
    def held_elastically(self) -> np.ndarray:
        """For every node: whether a force between it and another node depends on their positions."""
        found = np.zeros(len(self.ndof), bool)
        for form in self.forms[: self.active]:
            if not form.rows and len(form.nodes) > 1:
                found[list(form.nodes)] = True
        return found

    @cached_property
    def reports(self) -> "ReportPlan":
        """Columns of the reports of all elements."""
        return report_plan(self.forms, [True] * len(self.forms))

    @cached_property
    def reports_of_others(self) -> "ReportPlan":
        """Columns of the reports without those of joints that became coordinates."""
        return report_plan(self.forms, [not (form.passive and form.rows) for form in self.forms])

    @cached_property
    def by_kind(self) -> list[tuple[ElementKind, np.ndarray, np.ndarray]]:
        """Kinds, their elements with the same number of nodes, and the nodes (elements, nodes)."""
        members: dict[tuple[ElementKind, int], list[int]] = {}
        for i, form in enumerate(self.forms):
            members.setdefault((form.kind, len(form.nodes)), []).append(i)
        return [
            (kind, np.array(group), np.array([self.forms[i].nodes for i in group], np.int64))
            for (kind, _), group in members.items()
        ]


class ReportPlan(NamedTuple):
    """Places of the reports of elements, and the joints whose multipliers are recovered for them."""

    asked: np.ndarray  # 1: the element reports; one more entry, 0
    first: np.ndarray  # first column of each element, and their number
    widest: int
    held: np.ndarray  # passive constraint elements by node
    ptr: np.ndarray  # their ranges


def report_plan(forms: Sequence[ElementForm], asked: Sequence[bool]) -> ReportPlan:
    """Plan of the reports of some elements."""
    sizes = [form.kind.reported if mine else 0 for form, mine in zip(forms, asked, strict=True)]
    by_node: dict[int, list[int]] = {}
    for i, form in enumerate(forms):
        if form.passive and form.rows:
            by_node.setdefault(max(form.nodes), []).append(i)
    return ReportPlan(
        _constant([*asked, False]),
        _constant([0, *accumulate(sizes)]),
        max([0, *sizes]),
        _constant([e for group in by_node.values() for e in group]),
        _constant([0, *accumulate(len(group) for group in by_node.values())]),
    )


def _constant(values: Sequence[int]) -> np.ndarray:
    found = np.array(values, np.int64)
    found.flags.writeable = False
    return found


@lru_cache(maxsize=MOST_KEPT)
def _kept(forms: tuple[ElementForm, ...], ndof: tuple[int, ...], opened: bool) -> SystemStructure:
    return SystemStructure(forms, ndof, opened)
