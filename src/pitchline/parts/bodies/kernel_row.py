"""Drives by a signal, and one element without a system, called from Python for patterns and checks."""

from typing import Any

import numpy as np

from pitchline.engine.elements.contract import (
    DISPLACEMENT,
    RATE,
    RESIDUAL,
    TANGENT,
    Any_,
    Ask,
    Element,
    ElementKind,
    Gradient,
    Input,
    Measure,
    Node,
    Turns,
    call_evaluate,
    call_hook,
    call_report,
    measure,
    measure_stiffness,
    rate,
    seen,
)
from pitchline.numerics.fields import embedded, fields, packed, record_at, reference
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, entry, kernel, leaf

from .kernel_constraint import SCALAR_CONSTRAINT, gap_to

# ---- signal drive

# Joint coordinate that follows a signal: a drive whose target depends on other joints, or on a controller.
#
# Phi = s - s*, s* = start + (signal - start) * load factor
#
# The multiplier acts on the joint only, as a servo drive does: the source of the signal has no reaction. The load
# factor is 1 except in statics.

SignalDrive = fields("SignalDrive", on=embedded(Measure))


@leaf
def _start(s: SignalDrive, m: Turns) -> F8:
    return m.start_displacement if s.on.kind == DISPLACEMENT else m.start_angle


@leaf
def _target(s: SignalDrive, m: Turns, ask: Ask, value: F8) -> F8:
    start = _start(s, m)
    return value if ask.load == 1.0 else start + ask.load * (value - start)


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    value = measure(s.on, m, x.a, x.b, g)
    if ask.mode == RATE:
        r[13] += rate(g, x.a, x.b) - ask.load * x.target.rate
        return
    l = x.lam[0]
    r[13] += gap_to(s.on, x.a, x.b, value, _target(s, m, ask, x.target.value))
    ask.power_in += -l * rate(g, x.a, x.b)
    for i in range(12):
        r[i] = l * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.a, x.b, J)
        k = ask.K * l
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
        for i in range(12):
            J[13, i] += g[i]
            J[i, 13] += g[i]
        J[13, x.target.column] = -ask.load


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    l = x.lam[0]
    out.coordinate = measure(s.on, m, x.a, x.b, g)
    out.rate = rate(g, x.a, x.b)
    out.power_in = -l * out.rate
    out.effort = -l
    out.power = -l * out.rate


SIGNAL_DRIVE = ElementKind(
    "signal drive",
    evaluate,
    SignalDrive,
    seen=seen("a", "b", rows=True, more={"target": reference(Input)}),
    memory=Turns,
    scratch=Gradient,
    report=report,
    signals=SCALAR_CONSTRAINT.signals,
    inputs=("target",),
    exchanges_power=True,
    full_pattern=True,
)


def signal_drive(
    name: str, nodes: tuple[int, int], on: np.void, *, memory_of: Element, source: object, rotational: bool
) -> Element:
    """Prescribe a measure by a signal."""
    values, row = packed(SignalDrive, {"on": on}), "r" if rotational else "t"
    return Element(SIGNAL_DRIVE, name, nodes, values, rows=row, shares_memory_of=memory_of, inputs=(source,))


_any, _ask = record_at(Any_), record_at(Ask)
POWERS = ("power_in", "power_out", "power_teeth")
"""Fields of the request to which `evaluate` adds."""


@entry
def evaluate_element(function: I8, s: I8, m: I8, x: I8, w: I8, ask: I8, r: A1, J: A2):
    """Call `evaluate` or `respond` of an element, by addresses."""
    call_evaluate(function, _any(s), _any(m), _any(x), _any(w), _ask(ask), r, J)


@entry
def _hook(function: I8, s: I8, m: I8, x: I8, w: I8, ask: I8):
    call_hook(function, _any(s), _any(m), _any(x), _any(w), _ask(ask))


@entry
def _report(function: I8, s: I8, m: I8, x: I8, w: I8, ask: I8, out: I8):
    call_report(function, _any(s), _any(m), _any(x), _any(w), _ask(ask), _any(out))


class Single:
    """Element with its own arrays for all data that it reads and writes. Set them, then call its functions."""

    def __init__(self, element: Element, functions: np.ndarray) -> None:
        self.element, self.functions = element, np.ascontiguousarray(functions, float)
        kind = element.kind
        self.parameters = element.parameters
        self.memory = element.memory.copy()
        self.scratch = element.first_scratch.copy()
        self.nodes = np.zeros((len(element.nodes), Node.size))
        """One row for each node: position, rotation (row-major), velocity (6), acceleration (6)."""
        self.nodes[:, 3:12] = np.eye(3).ravel()
        self.lam = np.zeros(len(element.rows))
        self.coordinates = {c.name: np.zeros((3, element.counts[c.count])) for c in kind.coordinates}
        """Values, rates and accelerations."""
        self.ask_record = np.zeros(1, Ask.dtype)
        self.ask: np.void = self.ask_record[0]
        """Request, by name."""
        self.ask["load"] = self.ask["damp"] = self.ask["L"] = 1.0
        self.ask["n_functions"], self.ask["functions"] = self.functions.size, self.functions.ctypes.data
        self.seen = np.zeros(1, kind.seen.dtype)
        """Addresses of nodes, multipliers and coordinates."""
        x = self.seen[0]
        self._node_addresses = self.nodes.ctypes.data + self.nodes.strides[0] * np.arange(len(element.nodes))[None, :]
        kind.show_nodes(self.seen, self._node_addresses)
        if element.rows:
            x["n_rows"], x["lam"] = self.lam.size, self.lam.ctypes.data
        self.turns = {name: np.zeros(Turns.size) for name in kind.turns}
        """Counted revolutions of joints, by the name of the field."""
        for name, memory in self.turns.items():
            x[name] = memory.ctypes.data
        self.inputs = np.zeros(len(kind.inputs), Input.dtype)
        """Signals that it reads, in the order of its kind."""
        for i, name in enumerate(kind.inputs):
            x[name] = self.inputs.ctypes.data + self.inputs.itemsize * i
        for c in kind.coordinates:
            x[c.count] = element.counts[c.count]
            for i, part in enumerate(("", "_rate", "_acceleration")):
                x[c.name + part] = self.coordinates[c.name][i].ctypes.data
        self._address = kind.addresses

    @property
    def _records(self) -> tuple[int, ...]:
        return tuple(a.ctypes.data for a in (self.parameters, self.memory, self.seen, self.scratch, self.ask_record))

    def evaluate(self, mode: int = RESIDUAL, *, opened: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """(r, J) of the local block."""
        n = self.element.size(opened=opened)
        r, J = np.zeros(n), np.zeros((n, n))
        self.number_inputs(n)
        self.ask["mode"], self.ask["open"] = mode, opened
        for power in POWERS:
            self.ask[power] = 0.0
        evaluate_element(self._address["evaluate"], *self._records, r, J)
        return r, J

    def respond(self, *, opened: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Outputs, and their derivatives by the columns of the local block."""
        n = self.element.size(opened=opened)
        self.ask["open"] = opened
        y, Y = np.zeros(len(self.element.kind.outputs)), np.zeros((len(self.element.kind.outputs), n))
        self.number_inputs(n)
        if self._address["respond"]:
            evaluate_element(self._address["respond"], *self._records, y, Y)
        return y, Y

    def number_inputs(self, size: int) -> None:
        """Columns of the inputs in a local block of this size."""
        if self.inputs.size:
            self.inputs["column"] = size - len(self.element.rows) - len(self.inputs) + np.arange(len(self.inputs))

    def begin(self) -> None:
        """Begin a step."""
        self._call("begin")

    def accept(self) -> None:
        """Accept the current state."""
        self._call("accept")

    def report(self, *, opened: bool = False) -> dict[str, Any]:
        """Energies, power and signals by name."""
        self.ask["open"] = opened
        out = np.zeros(1, self.element.kind.out.dtype)
        if self._address["report"]:
            _report(self._address["report"], *self._records, out.ctypes.data)
        return {name: out[name][0] for name in out.dtype.names or ()}

    def _call(self, name: str) -> None:
        self.ask["open"] = 0
        if self._address[name]:
            _hook(self._address[name], *self._records)
