"""Named signals of a result from the samples of a system."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.reporting import Reporter
from pitchline.engine.compile.station_signals import (
    ENERGIES,
    ORIENTATION,
    TEETH_ENERGY,
    component_names,
    part_wrenches,
    station_signals,
)
from pitchline.engine.compile.system import State, System
from pitchline.engine.elements.contract import Element, ElementKind, SignalSpec
from pitchline.engine.solvers.linear import Samples
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.meshes.compile import least_norm
from pitchline.parts.meshes.kernel_engagement import TABLE_LOAD, TABLE_TILT, is_gear_pair, sides, turned
from pitchline.results.series import deferred_signal
from pitchline.results.signal import NOT_UNIQUE, ResultSignals, Signal, part_records, run_signal

from .reactions import Reactions

RATES = {"position": "velocity", "velocity": "acceleration", "angle": "angular_speed", "displacement": "speed"}
"""Signals whose rate is also a signal: interpolation between samples is a cubic in both."""
_OF_TABLES = (f".{TABLE_LOAD}", f".{TABLE_TILT}")
Raw = dict[str, tuple[Any, SignalSpec, str]]
"""By the name of a signal: its values, or a function that makes the signal later; its specification; and the name of the part of
the model to which it belongs. Values are read-only."""


def samples_of(states: list[State]) -> Samples:
    """Samples from a list of states, without work."""

    def stacked(name: str) -> np.ndarray:
        return np.array([getattr(s, name) for s in states])

    return Samples(
        t=stacked("t"),
        pose=stacked("pose"),
        v=stacked("v"),
        vd=stacked("vd"),
        lam=stacked("lam"),
        mem=stacked("mem"),
        own=stacked("own"),
        condensed=stacked("condensed"),
        work=np.zeros((len(states), 3)),
    )


def build_signals(
    system: System,
    samples: Samples,
    rank: Rank,
    *,
    inertial: bool,
    load: float = 1.0,
    flanks: dict[str, float] | None = None,
    parts: set[str] | None = None,
    reactions: Reactions | None = None,
) -> ResultSignals:
    """Build the signals of all elements, and the energies.

    `inertial`: inertia forces belong to the balance. `flanks`: flank that defines the signs of the gear pairs (see `flanks_of`);
    default: the loaded flank (see `kernel_engagement`). `parts`: names of the elements whose signals are built (see
    `parts_of`), without the energies; None: all. `reactions`: they are computed later; only without redundant constraints."""
    reporter = Reporter(system, parts, reactions=reactions is None)
    if reactions is None:
        reporter.recover(samples, inertial=inertial, load=load)
    if rank.groups:
        least_norm(system, rank.groups, samples)
    energies, values = (_read_only(x) for x in reporter.report(samples, inertial=inertial, load=load))
    shared = {system.row_owner(int(l)).name for group in rank.groups for l in group}
    flipped = _flipped(samples.pose)
    columns = reporter.first.tolist()
    raw: Raw = {}
    for e, element in enumerate(system.elements):
        if reactions is not None and e in reactions.elements:
            for _, spec, first, last in published_by(element):
                raw[f"{element.name}.{spec.name}"] = (reactions.later(e, first, last), spec, element.name)
            continue
        if parts is not None and not reporter.asked[e]:
            continue
        mine = values[:, columns[e] : columns[e + 1]]
        turned_signals: dict[str, np.ndarray] = {}
        if is_gear_pair(element):
            reported = _reported(element, mine)
            side = sides(element, reported) if flanks is None else np.full(len(samples.t), flanks[element.name])
            turned_signals = turned(element, reported, side)
        _collect(raw, element, mine, turned_signals, bool(shared) and element.name in shared)
        if element.kind is BODY and element.signals is None:
            node = element.nodes[0]
            q = samples.pose[:, node, 3:]
            q = _continuous(q) if flipped[node] else q.copy()
            raw[f"{element.name}.{ORIENTATION.name}"] = (_read_only(q), ORIENTATION, element.name)
    _own_coordinates(raw, system, samples)
    _stations(raw, system, reporter, values)
    raw = _in_model_order(raw, system)
    if inertial and parts is None:
        _energies(raw, energies, samples.work)
    table = ResultSignals(_signals(raw, samples.t))
    if parts is None and flanks is None:
        table.parts = part_records(
            powers_of(reporter), part_wrenches(system, samples, inertial=inertial, load=load), len(samples.t)
        )
    return table


def powers_of(reporter: Reporter) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """(supplied, dissipated) power of each part that exchanges power, after its report."""
    return {name: (reporter.powers[:, 2 * k], reporter.powers[:, 2 * k + 1]) for k, name in enumerate(reporter.powered)}


def parts_of(system: System, signals: Iterable[str]) -> set[str] | None:
    """Names of the elements that have these signals or components; for a structure, all its elements.

    None: all elements, needed for the energies."""
    if any(name.startswith("energy.") for name in signals):
        return None
    starts = {name[:i] for name in signals for i in range(len(name)) if name[i] == "."}
    found = {e.name for e in system.elements if e.name in starts}
    for structure in system.model.structures.values():
        stations = {station.name for station in structure.stations.values()}
        if structure.name in starts or stations & starts:
            found |= {structure.name, *stations, *(frame.body_name for frame in structure.outside)}
    return found


def flanks_of(system: System, state: State) -> dict[str, float]:
    """Flank that defines the signs of every gear pair in a state: 1 drive, -1 coast. Nearby states, in which the loaded flank can
    change, are then compared with the same flank."""
    reporter, samples = Reporter(system), samples_of([state.copy()])
    reporter.recover(samples, inertial=True)
    _, values = reporter.report(samples, inertial=True)
    return {
        element.name: float(sides(element, _reported(element, values[:, reporter.first[e] : reporter.first[e + 1]]))[0])
        for e, element in enumerate(system.elements)
        if is_gear_pair(element)
    }


def left_tables(signals: dict[str, Signal]) -> list[str]:
    """Warn for every gear pair whose load or tilt exceeded the range of its table."""
    found = []
    for name, signal in signals.items():
        if not name.endswith(_OF_TABLES):
            continue
        pair, _, last = name.rpartition(".")
        most = float(np.max(signal.values, initial=0.0))
        if most > 1.0 + 1e-9 and last == TABLE_LOAD:
            found.append(
                f'gear pair "{pair}": its teeth carried up to {most:.3g} times the largest load of their table. '
                "Beyond it the table "
                "is extrapolated with constant stiffness. Specify Loaded(torque=...) with a larger torque, or a "
                "table with higher loads"
            )
        elif most > 1.0 + 1e-9:
            found.append(
                f'gear pair "{pair}": its wheels tilted up to {most:.3g} times the largest tilt of their table. '
                "Beyond it the table is "
                f"extrapolated linearly. Specify Loaded(tilts=...) with tilts {np.ceil(1.2 * most):g} times as "
                "large, or check where "
                "table_tilt is greater than 1"
            )
    return found


def _in_model_order(raw: Raw, system: System) -> Raw:
    """Order of the signals: bodies, joints, gear pairs, drives, loads, each in the order of the model; signals of "
    "an element stay together."""
    m = system.model
    parts = (m.bodies, m.structures, m.joints, m.gear_pairs, m.drives, m.loads, m.elements)
    order = {name: k for k, name in enumerate(name for items in parts for name in items)}
    last = len(order)
    return dict(sorted(raw.items(), key=lambda item: order.get(item[1][2], last)))


def _stations(raw: Raw, system: System, reporter: Reporter, values: np.ndarray) -> None:
    """What stations of structures have besides the signals of every body."""
    if not system.model.structures:
        return
    bodies = {
        name: (raw[f"{name}.position"][0], raw[f"{name}.{ORIENTATION.name}"][0])
        for name in system.model.bodies
        if f"{name}.position" in raw
    }
    parts: dict[str, list[int]] = {}
    for e, element in enumerate(system.elements):
        if reporter.asked[e] and element.name in system.model.structures:
            parts.setdefault(element.name, [])
            parts[element.name].append(e)
    for name, places in parts.items():
        elements = [system.elements[e] for e in places]
        reports = [_reported(system.elements[e], values[:, reporter.first[e] : reporter.first[e + 1]]) for e in places]
        for called, (signal, spec) in station_signals(system.model.structures[name], elements, reports, bodies).items():
            raw[called] = _read_only(signal), spec, called.rpartition(".")[0]


def _own_coordinates(raw: Raw, system: System, samples: Samples) -> None:
    """Open coordinates of elements, and the rates of those of order 2, unless the element has a signal of that name."""
    first = system.own.first
    for g in system.own.open:
        what, name = g.what, f"{system.elements[g.element].name}.{g.what.name}"
        parts = [(name, samples.own, 0, what.unit, what.description)]
        if what.order == 2:
            parts.append((f"{name}_rate", samples.v, first, f"{what.unit}/s", f"rate: {what.description}"))
        for called, values, at, unit, text in parts:
            if called not in raw and g.count:
                part = values[:, at + g.first : at + g.first + g.count]
                spec = SignalSpec(called.rpartition(".")[2], unit, text, g.count)
                raw[called] = (_read_only(part if g.count > 1 else part[:, 0]), spec, called.rpartition(".")[0])


def _reported(element: Element, values: np.ndarray) -> dict[str, np.ndarray]:
    """Columns of a report by the name of their signal."""
    return {
        spec.name: values[:, first:last] if spec.size > 1 else values[:, first]
        for spec, first, last in element.kind.columns
    }


def _collect(
    raw: Raw, element: Element, report: np.ndarray, turned_signals: dict[str, np.ndarray], shared: bool
) -> None:
    """Add the signals that an element publishes. turned_signals: those that replace signals of its report."""
    name, not_unique = element.name, shared and bool(element.rows)
    for what, spec, first, last in published_by(element):
        if what in turned_signals:
            values = _read_only(turned_signals[what])
        elif spec.size == 1:
            values = report[:, first]
        else:
            values = report[:, first:last]
            if spec.size == ORIENTATION.size and what == ORIENTATION.name:
                values = _read_only(_continuous(values))
        if not_unique:
            spec = SignalSpec(spec.name, spec.unit, f"{spec.description} ({NOT_UNIQUE})", spec.size)
        raw[f"{name}.{spec.name}"] = (values, spec, name)


def published_by(element: Element) -> tuple[tuple[str, SignalSpec, int, int], ...]:
    """Signals that an element publishes: name in the report, specification, first and last columns."""
    return _published(element.kind, element.signals, tuple(element.rename.items()))


@lru_cache(maxsize=512)
def _published(
    kind: ElementKind, signals: tuple[str, ...] | None, rename: tuple[tuple[str, SignalSpec], ...]
) -> tuple[tuple[str, SignalSpec, int, int], ...]:
    """Signals that an element publishes: name in the report, specification, first and last columns."""
    renamed = dict(rename)
    return tuple(
        (spec.name, renamed.get(spec.name, spec), first, last)
        for spec, first, last in kind.columns
        if signals is None or spec.name in signals
    )


TEETH_WORK = f"energy.{TEETH_ENERGY.name}"
"""Signal of runs in which tooth forces without a potential add more energy than round-off."""


def _energies(raw: Raw, energies: np.ndarray, work: np.ndarray) -> None:
    total = energies[:, 0] + energies[:, 1]
    balance = total - total[:1] - (work[:, 0] - work[:1, 0]) + (work[:, 1] - work[:1, 1])
    for spec, values in zip(ENERGIES, (energies[:, 0], energies[:, 1], work[:, 0], work[:, 1], balance), strict=True):
        raw[f"energy.{spec.name}"] = (_read_only(values), spec, "energy")
    if work.shape[1] > 2 and np.abs(work[:, 2]).max() > 1e-9 * max(
        np.abs(x).max() for x in (total, work[:, 0], work[:, 1])
    ):
        raw[TEETH_WORK] = (_read_only(work[:, 2]), TEETH_ENERGY, "energy")


def _flipped(pose: np.ndarray) -> list[bool]:
    """For each node, whether the sign of its quaternion changes from one sample to the next."""
    q = pose[:, :, 3:]
    flips: list[bool] = (np.einsum("ijk,ijk->ij", q[1:], q[:-1]) < 0).any(axis=0).tolist()
    return flips


def _continuous(q: np.ndarray) -> np.ndarray:
    """Quaternions with signs such that neighbours agree."""
    flip = np.cumprod(np.where(np.sum(q[1:] * q[:-1], axis=1) < 0, -1.0, 1.0))
    return q * np.concatenate([[1.0], flip])[:, None]


def _signals(raw: Raw, t: np.ndarray) -> dict[str, Signal]:
    t = _read_only(t)
    signals: dict[str, Signal] = {}
    for name, (values, spec, owner) in raw.items():
        if not isinstance(values, np.ndarray):
            signals[name] = deferred_signal(name, values, t, spec.unit, spec.description, component_names(spec.size))
            continue
        last = spec.name
        rate = raw.get(f"{owner}.{RATES.get(last) or f'{last}_rate'}")
        known = None if rate is None or not isinstance(rate[0], np.ndarray) else rate[0]
        signals[name] = run_signal(name, values, t, spec.unit, spec.description, component_names(spec.size), known)
    return signals


def _read_only(values: np.ndarray) -> np.ndarray:
    if not values.flags.writeable:
        return values
    view = values.view()
    view.flags.writeable = False
    return view
