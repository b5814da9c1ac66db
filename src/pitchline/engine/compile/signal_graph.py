"""The signals that elements read, ordered so that each follows from those before it, and their names.

Signals are explicit functions of the state: joint coordinates, motions of points, own coordinates of elements, laws, outputs
of elements. Their derivatives follow by the chain rule during the evaluation (`signal_pass`); they are not unknowns. A signal
that depends on itself without an own coordinate in between (an algebraic loop) is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.declare.names import StateLaw
from pitchline.declare.readable_signals import (
    AXES,
    MOTIONS,
    BodySignal,
    ElementCoordinate,
    ElementOutput,
    JointSignal,
    readable_signal,
)
from pitchline.declare.signal_expression import ShiftedSignal, SignalExpression
from pitchline.errors import ModelError, Subject
from pitchline.functions.piecewise import Constant, Function
from pitchline.functions.polynomial import HeldInput, HeldIntegral
from pitchline.model.model import Model
from pitchline.numerics.gradient_laws import address_of_gradient_law
from pitchline.parts.bodies.compile import joint_measure
from pitchline.parts.control import kernel as of
from pitchline.parts.control.kernel import Source

from ..elements.contract import ANGLE, Element
from . import signal_pass as kinds
from .signal_pass import SignalItem

if TYPE_CHECKING:
    from .system import System

__all__ = ["Feeds", "SignalGraph", "SignalNames"]


# ---- functions

# The table of functions of time of a compiled model.

MOST_KINKS = 1000
"""Largest number of kinks of one function at which steps end: more of them are samples of a signal."""


class FunctionTable:
    """Collection of functions over an interval of time, in one flat array."""

    def __init__(self, t0: float, t1: float) -> None:
        self.t0, self.t1 = t0, t1
        self._parts: list[np.ndarray] = []
        self._size = 0
        self._kinks: list[np.ndarray] = []
        self.held: list[tuple[HeldInput | HeldIntegral, int]] = []
        """Inputs that are set during a run, with their indices."""

    def add(self, function: Function) -> int:
        """Add a function, and return its index. A Python callable is sampled over the interval here."""
        code = np.asarray(function.resolved(self.t0, self.t1).encode(), float)
        place = self._size
        if isinstance(function, (HeldInput, HeldIntegral)):
            self.held.append((function, place))
        self._parts.append(code)
        self._size += code.size
        if getattr(function, "over", "time") == "time":
            self._kinks.append(self._kinks_of(function))
        return place

    def _kinks_of(self, function: Function) -> np.ndarray:
        """Times at which a function or one of its derivatives is discontinuous."""
        for order in (3, 1):  # all pieces, or only jumps and kinks
            found = function.resolved(self.t0, self.t1).breakpoints(self.t0, self.t1, order=order)
            if len(found) <= MOST_KINKS:
                return np.asarray(found, float)
        return np.zeros(0)

    def kinks(self) -> np.ndarray:
        """Times of all functions at which they are not smooth, in their order."""
        return np.unique(np.concatenate([np.zeros(0), *self._kinks]))

    def add_numbers(self, numbers: np.ndarray) -> int:
        """Add numbers that are not a function, and return their index: a table that an element reads."""
        place = self._size
        self._parts.append(np.asarray(numbers, float))
        self._size += numbers.size
        return place

    def array(self) -> np.ndarray:
        return np.concatenate(self._parts) if self._parts else np.zeros(1)


_POINT_KINDS = (kinds.POINT, kinds.POINT_RATE, kinds.TURN_RATE)


@dataclass
class _GraphItem:
    """One item of the graph."""

    item: np.void
    inputs: list[int]
    """Places of the values that it reads."""
    columns: list[int]
    """Coordinates of its derivatives, the same for each of its values."""
    source: Source | int
    """Source, or the element of a response."""
    own: tuple[int, ...] = ()
    """Places of the values of the element's own coordinates, for a response."""
    which: tuple[int, ...] = ()
    """Which inputs of the element those of a response are."""


@dataclass(frozen=True)
class Feeds:
    """Entries of the matrix through inputs: rows of elements times derivatives of signals."""

    ptr: np.ndarray
    source: np.ndarray
    by: np.ndarray
    row: np.ndarray
    column: np.ndarray
    scale: np.ndarray


class SignalGraph:
    """Signals of a system with numbered coordinates."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._items = np.zeros(0, SignalItem.dtype)
        self._nodes: list[_GraphItem] = []
        self._value_of: dict[object, int] = {}
        self._busy: list[str] = []
        self._named = {
            e.name: i for i, e in enumerate(system.elements) if e.kind.inputs or e.kind.outputs or e.kind.coordinates
        }
        self._own = {(g.element, g.what.name): g for g in system.own.open}
        self.n_values = 0
        self._node_of_value: list[int] = []
        self.input_values: list[int] = []
        self.input0 = np.zeros(len(system.elements), np.int64)
        self.first_output = np.full(len(system.elements), -1, np.int64)
        for i, e in enumerate(system.elements):
            self.input0[i] = len(self.input_values)
            self.input_values += [self._value(source) for source in e.inputs]
        self.needed = len(self._nodes)
        for i, e in enumerate(system.elements):
            if e.kind.outputs:
                self._outputs(i)
        self._finish()

    @property
    def count(self) -> int:
        """Number of items."""
        return len(self._nodes)

    @property
    def laws(self) -> list[tuple[int, int, list[int]]]:
        """Place of the value, address, and places of the arguments of each law."""
        return [
            (int(node.item["value"]), int(node.item["address"]), node.inputs)
            for node in self._nodes
            if node.item["kind"] == kinds.LAW
        ]

    # ---- nodes of the graph

    def _value(self, source: Source) -> int:
        """Place of the value of a source, which is added if it is new."""
        key: object = source
        if isinstance(source, of.JointValue):
            key = (id(source.observer), source.measure.tobytes(), source.rate)
        elif isinstance(source, of.LawValue):
            key = id(source)
        if isinstance(source, of.OutputValue):
            return self._output(source)
        if key not in self._value_of:
            self._value_of[key] = self._make(source)
        return self._value_of[key]

    def _make(self, source: Source) -> int:
        item = np.zeros(1, SignalItem.dtype)[0]
        inputs: list[int] = []
        columns: list[int] = []
        match source:
            case of.Clock():
                item["kind"] = kinds.CLOCK
            case of.FunctionValue(place):
                item["kind"], item["place"] = kinds.FUNCTION, place
            case of.JointValue(observer, measure, rate):
                columns = [c for k in observer.nodes for c in self._coordinates(k)]
                factor = self._rate_of_coordinate(observer, measure) if rate else 0.0
                if factor:
                    item["kind"], item["node_b"], item["factor"] = kinds.SPIN, observer.nodes[1], factor
                    item["direction"] = measure["b"]["axes"].reshape(3, 3)[:, 2]
                else:
                    item["kind"] = kinds.MEASURE_RATE if rate else kinds.MEASURE
                    item["measure"] = measure
                    item["node_a"], item["node_b"] = observer.nodes
            case of.PointValue(what, node, point, component):
                item["kind"], item["node_a"] = _POINT_KINDS[what], node
                item["point"], item["direction"] = point, np.eye(3)[component]
                columns = self._coordinates(node)
            case of.CoordinateValue():
                item["kind"] = kinds.OWN_RATE if source.rate else kinds.OWN
                item["place"] = self._own_coordinate(source)
                columns = [int(item["place"])]
            case of.LawValue(address, sources):
                inputs = [self._value(one) for one in sources]
                item["kind"], item["address"] = kinds.LAW, address
                columns = self._joined(inputs)
        return self._add(_GraphItem(item, inputs, columns, source), 1)

    def _rate_of_coordinate(self, observer: Element, measure: np.void) -> float:
        """Rate of the angle of a joint divided by the rate of the coordinate of its second body, if that is the only one and
        rotates about the axis of the joint on a fixed first body; otherwise 0."""
        s = self.system
        a, b = observer.nodes
        if measure["kind"] != ANGLE or s.ndof[a] or s.ndof[b] != 1:
            return 0.0
        axis, motion = measure["b"]["axes"].reshape(3, 3)[:, 2], s.T[b, 3:, 0]
        factor = float(axis @ motion)
        return factor if np.allclose(motion, factor * axis, rtol=0, atol=1e-14) else 0.0

    def _output(self, source: of.OutputValue) -> int:
        e = self._named[source.element]
        first = self._outputs(e)
        names = [spec.name for spec in self.system.elements[e].kind.outputs]
        return first + names.index(source.output)

    def _outputs(self, e: int) -> int:
        """First of the outputs of an element."""
        if self.first_output[e] < 0:
            element = self.system.elements[e]
            if element.name in self._busy:
                loop = [*self._busy[self._busy.index(element.name) :], element.name]
                raise ModelError(
                    f"signals form a loop without a state: {' -> '.join(loop)}. Each output depends directly on the next; "
                    "add a filter, which has a state, to one of these elements"
                )
            self._busy.append(element.name)
            which = tuple(i for i in range(len(element.inputs)) if not element.direct or element.direct[i])
            inputs = [self._value(element.inputs[i]) for i in which]
            self._busy.pop()
            own = [
                self._value(of.CoordinateValue(element.name, c.name, i, False))
                for c in element.kind.coordinates
                if (e, c.name) in self._own
                for i in range(self._own[e, c.name].count)
            ]
            item = np.zeros(1, SignalItem.dtype)[0]
            item["kind"], item["place"] = kinds.RESPONSE, e
            node = _GraphItem(item, inputs, self._joined([*own, *inputs]), e, tuple(own), which)
            self.first_output[e] = self._add(node, len(element.kind.outputs))
        return int(self.first_output[e])

    def _add(self, node: _GraphItem, count: int) -> int:
        node.item["value"], node.item["count"] = self.n_values, count
        self._nodes.append(node)
        self._node_of_value += [len(self._nodes) - 1] * count
        self.n_values += count
        return self.n_values - count

    def _coordinates(self, node: int) -> list[int]:
        s = self.system
        return list(range(int(s.dof0[node]), int(s.dof0[node] + s.ndof[node])))

    def _own_coordinate(self, source: of.CoordinateValue) -> int:
        g = self._own[self._named[source.element], source.coordinate]
        return self.system.own.first + g.first + source.index

    def _joined(self, values: list[int]) -> list[int]:
        """Coordinates on which several values depend."""
        return sorted({c for v in values for c in self._nodes[self._node_of_value[v]].columns})

    # ---- arrays

    def _finish(self) -> None:
        nodes = self._nodes
        items = self._items = np.zeros(max(len(nodes), 1), SignalItem.dtype)
        at, chain = 0, ([], [], [])  # type: tuple[int, tuple[list[int], list[int], list[int]]]
        column: list[int] = []
        lists: list[int] = []
        starts: list[int] = []
        self._first: list[int] = []
        largest = 1
        for k, node in enumerate(nodes):
            item = node.item
            item["first"], item["last"] = at, at + int(item["count"]) * len(node.columns)
            self._first.append(at)
            column += node.columns * int(item["count"])
            at = int(item["last"])
            item["chain0"] = len(chain[0])
            for o in range(int(item["count"])):
                for partial, value in self._partials(node, o):
                    self._chain(k, o, partial, value, chain)
            item["chain1"] = len(chain[0])
            item["n_inputs"] = len(node.inputs)
            starts.append(len(lists))
            lists += node.inputs
            size = (
                self.system.elements[node.source].size(opened=self.system.opened) if isinstance(node.source, int) else 0
            )
            largest = max(largest, len(node.inputs) + 1, int(item["count"]) * (size + 1))
            items[k] = item
        self._lists = np.array(lists or [0], np.int64)
        if nodes:
            items["inputs"] = self._lists.ctypes.data + 8 * np.array(starts)
        self.item_words = items.view(np.int64)
        """Records of all items, without the addresses of counted revolutions."""
        self.input_places = np.array(self.input_values or [0], np.int64)
        self.column = np.array(column or [0], np.int64)
        self.n_derivatives = at
        self.chain = tuple(np.array(part or [0], np.int64) for part in chain)
        self.n_chain = len(chain[0])
        self.buffer = largest

    def _partials(self, node: _GraphItem, output: int) -> list[tuple[int, int]]:
        """Places of derivatives in the buffer of results, and the values by which they are."""
        if node.item["kind"] == kinds.LAW:
            return [(1 + i, value) for i, value in enumerate(node.inputs)]
        if not isinstance(node.source, int):
            return []
        element = self.system.elements[node.source]
        size = element.size(opened=self.system.opened)
        first = int(node.item["count"]) + output * size
        own = 6 * len(element.nodes)
        inputs = size - len(element.rows) - len(element.inputs)
        return [(first + own + i, v) for i, v in enumerate(node.own)] + [
            (first + inputs + i, v) for i, v in zip(node.which, node.inputs, strict=True)
        ]

    def _chain(
        self, k: int, output: int, partial: int, value: int, chain: tuple[list[int], list[int], list[int]]
    ) -> None:
        mine, theirs = self._nodes[k].columns, self._nodes[self._node_of_value[value]]
        for j, c in enumerate(theirs.columns):
            chain[0].append(partial)
            chain[1].append(self.first_derivative(value) + j)
            chain[2].append(self._first[k] + output * len(mine) + mine.index(c))

    def first_derivative(self, value: int) -> int:
        """Place of the first derivative of a value."""
        k = self._node_of_value[value]
        node = self._nodes[k]
        return self._first[k] + (value - int(node.item["value"])) * len(node.columns)

    def columns_of(self, value: int) -> list[int]:
        """Coordinates on which a value depends."""
        return self._nodes[self._node_of_value[value]].columns

    def turns_of_items(self) -> list[tuple[int, int]]:
        """Places in `item_words` that refer to counted revolutions, and the places of these in the memory of the elements."""
        first, memory = SignalItem.place("turns")[0], self.system.memory_of
        return [
            (k * SignalItem.size + first, memory[id(node.source.observer)])
            for k, node in enumerate(self._nodes)
            if isinstance(node.source, of.JointValue)
        ]

    def feeds(self, equation: np.ndarray) -> Feeds:
        """Entries of the matrix for all active elements with inputs. equation: row of each multiplier."""
        s = self.system
        found: list[tuple[int, int, int, int, float]] = []
        ptr = [0]
        for e, element in enumerate(s.elements[: s.active]):
            if element.inputs:
                found += self._feeds_of(e, element, equation)
            ptr.append(len(found))
        columns = list(zip(*found, strict=True)) if found else [(), (), (), (), ()]
        source, by, row, column = (np.array(part, np.int64) for part in columns[:4])
        return Feeds(np.array(ptr, np.int64), source, by, row, column, np.array(columns[4], float))

    def _feeds_of(self, e: int, element: Element, equation: np.ndarray) -> list[tuple[int, int, int, int, float]]:
        s, m = self.system, element.size(opened=self.system.opened)
        places: list[tuple[int, int, int, float]] = []  # local row, equation, which derivatives, scale
        for k, g in enumerate(element.nodes):
            places += [(6 * k + j, c, 0, 1.0) for j, c in enumerate(self._coordinates(g))]
        own = 6 * len(element.nodes)
        places += [(own + i, int(s.own.first_of[e]) + i, 0, 1.0) for i in range(int(s.own.count_of[e]))]
        rows = m - len(element.rows)
        for i in range(len(element.rows)):
            l = int(s.lam0[e]) + i
            if equation[l] >= 0:
                places.append((rows + i, int(equation[l]), self.n_derivatives, float(s.lam_scale[l])))
        inputs = rows - len(element.inputs)
        found = []
        for u in range(len(element.inputs)):
            value = self.input_values[int(self.input0[e]) + u]
            first = self.first_derivative(value)
            for local, row, shift, scale in places:
                found += [
                    (local * m + inputs + u, shift + first + j, row, column, scale)
                    for j, column in enumerate(self.columns_of(value))
                ]
        return found


# ---- signal names

# From named signals, expressions and laws of a model to the sources that elements read.


def _sum(a: float, b: float) -> float:
    return a + b


class SignalNames:
    """Sources of the signals of a model. place: node and frame of a body; observers: elements of joints by name."""

    def __init__(self, model: Model, place: Any, observers: dict[str, Element], functions: FunctionTable) -> None:
        self.model, self._place, self._observers, self._functions = model, place, observers, functions

    def source(self, value: Function | SignalExpression | StateLaw | ShiftedSignal, what: Subject) -> Source:
        """Source of a value that is a function of time, an expression over signals, or a law."""
        if isinstance(value, Function):
            return of.FunctionValue(self._functions.add(value))
        if isinstance(value, ShiftedSignal):
            law = address_of_gradient_law(_sum, 2, what)
            return of.LawValue(law.address, (self.source(value.value, what), self.source(Constant(value.shift), what)))
        if isinstance(value, StateLaw):
            names, function = value.signals, value.function
        else:
            names, function = ("t", *value.signals), value.function
            if value.text in value.signals:  # the signal itself
                return self._named(value.text, what)
        law = address_of_gradient_law(function, len(names), what)
        return of.LawValue(law.address, tuple(self._named(name, what) for name in names))

    def _named(self, name: str, what: Subject) -> Source:
        if name == "t":
            return of.Clock()
        found = readable_signal(self.model, name, what)
        match found:
            case JointSignal(joint, coordinate, rate):
                observer = self._observers[joint]
                return of.JointValue(observer, joint_measure(observer, coordinate), rate)
            case BodySignal(body, motion, axis, at):
                node, (origin, _) = self._place(body)
                x, y, z = (float(c) for c in origin + at)
                return of.PointValue(MOTIONS.index(motion), node, (x, y, z), AXES.index(axis))
            case ElementCoordinate(element, coordinate, index, rate):
                return of.CoordinateValue(element, coordinate, index, rate)
            case ElementOutput(element, output):
                return of.OutputValue(element, output)
