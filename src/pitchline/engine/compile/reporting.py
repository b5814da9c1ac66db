"""From sampled states to the reports of the elements, including reactions of reduced joints."""

from collections.abc import Collection
from typing import Any

import numpy as np

from pitchline.numerics.fields import (
    INTEGER,
    address,
    elsewhere,
    fields,
    matrix_over,
    new_record,
    record_at,
    record_over,
    reference,
    table,
)
from pitchline.numerics.machine_code.compiled import A1, A2, B1, I8, block, entry

from ..elements.contract import ENERGIES, RESIDUAL, TANGENT, Any_, call_report
from . import signal_pass as records
from .assembly import begin_step, evaluate, evaluate_open
from .nodes import move, rest, spread_rates
from .signal_pass import update_all_signals
from .structure import report_plan
from .system import System, Workspace

SampleTable = fields(
    "Samples",
    count=INTEGER,
    n_q=INTEGER,
    n_own=INTEGER,
    n_lam=INTEGER,
    n_mem=INTEGER,
    n_condensed=INTEGER,
    t=elsewhere("count"),
    pose=table(records.Pose),  # of all nodes, for each sample
    v=elsewhere("count", "n_q"),
    vd=elsewhere("count", "n_q"),
    lam=elsewhere("count", "n_lam"),
    mem=elsewhere("count", "n_mem"),
    own=elsewhere("count", "n_own"),
    condensed=elsewhere("count", "n_condensed"),
)
"""One row for each sample; the rates of condensed coordinates follow them."""

Report = fields(
    "Report",
    system=reference(records.SystemRecord),
    samples=reference(SampleTable),
    n_energies=INTEGER,
    n_signals=INTEGER,
    n_elements1=INTEGER,
    n_nodes=INTEGER,
    n_out=INTEGER,
    n_held=INTEGER,
    n_ptr=INTEGER,
    first=elsewhere("n_elements1", of="integer"),  # first signal of each element
    asked=elsewhere("n_elements1", of="integer"),  # 1: the element reports
    energies=elsewhere("samples_count", "n_energies"),
    n_powers=INTEGER,
    power_at=elsewhere(
        "n_elements1", of="integer"
    ),  # place of the power in, and behind it out, of each element; -1: none
    powers=elsewhere("samples_count", "n_powers"),
    signals=elsewhere("samples_count", "n_signals"),
    samples_count=INTEGER,
    out=elsewhere("n_out"),
    # joints that became coordinates: passive constraint elements by node, and their ranges
    held=elsewhere("n_held", of="integer"),
    ptr=elsewhere("n_ptr", of="integer"),
    wrench=elsewhere("n_nodes", 6),
)
_at, _over = record_at(Report), record_over(Any_)
MOST_HELD = 8
"""Maximum number of rows of the joints on one node."""


@block
def _solve_in_place(n: I8, G: A2, b: A1):
    """b <- G^-1 b for a small symmetric positive matrix."""
    for k in range(n):
        for i in range(k + 1, n):
            factor = G[i, k] / G[k, k]
            for j in range(k, n):
                G[i, j] -= factor * G[k, j]
            b[i] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= G[k, j] * b[j]
        b[k] /= G[k, k]


@block
def _recover(report: Report, B: A2, G: A2, b: A1):
    """Multipliers of joints that became coordinates: B^T lam balances all other wrenches at their node that is not ground."""
    sys = report.system
    wrench = report.wrench
    r = sys.local_r
    for k in range(sys.n_nodes):
        for i in range(6):
            wrench[k, i] = 0.0
    for n in range(sys.n_active):
        e = sys.elements[n]
        if sys.ask.open != 0:
            evaluate_open(sys, e)
        else:
            evaluate(sys, e, RESIDUAL)
        for k in range(e.n_nodes):
            for i in range(6):
                wrench[e.nodes[k], i] += r[6 * k + i]
    for q in range(report.n_ptr - 1):
        n = 0
        node = 0
        for p in range(report.ptr[q], report.ptr[q + 1]):
            e = sys.elements[report.held[p]]
            evaluate(sys, e, TANGENT)
            J = matrix_over(sys.local_J, e.size, e.size)
            m = e.size - e.n_rows
            k = 0 if e.nodes[0] > 0 else 1
            node = e.nodes[k]
            for i in range(e.n_rows):
                for j in range(6):
                    B[n, j] = J[m + i, 6 * k + j]
                n += 1
        for i in range(n):
            b[i] = 0.0
            for j in range(6):
                b[i] -= B[i, j] * wrench[node, j]
            for l in range(n):
                s = 0.0
                for j in range(6):
                    s += B[i, j] * B[l, j]
                G[i, l] = s
        _solve_in_place(n, G, b)
        n = 0
        for p in range(report.ptr[q], report.ptr[q + 1]):
            e = sys.elements[report.held[p]]
            for i in range(e.n_rows):
                sys.lam[e.lam + i] = b[n]
                n += 1


@block
def set_sample(sys: records.SystemRecord, z: SampleTable, k: I8, inertial: B1):
    """Set sample k. inertial=False: without its rates."""
    sys.ask.t = z.t[k]
    first = k * sys.n_nodes
    for g in range(sys.n_nodes):
        pose = z.pose[first + g]
        sys.pose0[g].x = pose.x
        sys.pose0[g].q = pose.q
    for i in range(sys.n_q):
        sys.dq[i] = 0.0
        sys.v[i] = z.v[k, i]
        sys.vd[i] = z.vd[k, i]
    for i in range(sys.n_own):
        sys.own0[i] = z.own[k, i]
    for i in range(sys.n_lam):
        sys.lam[i] = z.lam[k, i]
    for i in range(sys.n_mem):
        sys.mem[i] = z.mem[k, i]
    n = sys.n_condensed
    for i in range(n):
        sys.condensed[i] = z.condensed[k, i]
        sys.condensed_rate[i] = z.condensed[k, n + i]
    move(sys)
    if inertial:
        spread_rates(sys)
    else:
        rest(sys)
    begin_step(sys)


@entry
def recover_samples(address: I8, inertial: B1, B: A2, G: A2, b: A1):
    """Write the multipliers of reduced joints into the samples."""
    report = _at(address)
    sys = report.system
    z = report.samples
    for k in range(z.count):
        set_sample(sys, z, k, inertial)
        _recover(report, B, G, b)
        for i in range(sys.n_lam):
            z.lam[k, i] = sys.lam[i]


@entry
def report_samples(address: I8):
    """Energies and signals of all elements, for all samples."""
    report = _at(address)
    sys = report.system
    z = report.samples
    out = report.out
    energies = report.energies
    signals = report.signals
    n_energies = report.n_energies
    for k in range(z.count):
        set_sample(sys, z, k, True)
        update_all_signals(sys)
        for e in range(sys.n_elements):
            el = sys.elements[e]
            if report.asked[e] == 0:
                continue
            first = report.first[e]
            count = report.first[e + 1] - first
            for i in range(el.n_outputs):  # the last of its signals
                signals[k, first + count - el.n_outputs + i] = sys.signals.values[el.output0 + i]
            count -= el.n_outputs
            if el.report == 0:
                continue
            for i in range(n_energies + count):
                out[i] = 0.0
            call_report(el.report, el.s, el.m, el.x, el.w, sys.ask, _over(out, 0))
            for i in range(n_energies):
                energies[k, i] += out[i]
            if report.power_at[e] >= 0:
                report.powers[k, report.power_at[e]] += out[2]
                report.powers[k, report.power_at[e] + 1] += out[3]
            for i in range(count):
                signals[k, first + i] = out[n_energies + i]


class SampleArrays:
    """Record of samples: an object with arrays t, pose, v, vd, lam, mem, own, condensed. The first axis is the sample."""

    def __init__(self, z: Any, part: slice = slice(None)) -> None:
        n = len(z.t[part])
        values: dict[str, Any] = {"count": n}
        for name in ("t", "pose", "v", "vd", "lam", "mem", "own", "condensed"):
            array = getattr(z, name)[part].reshape(n, -1) if n else np.zeros((0, 0))
            assert array.flags.c_contiguous and array.dtype == float, name
            values[name] = array
            if name not in ("t", "pose"):
                values["n_q" if name in ("v", "vd") else f"n_{name}"] = array.shape[1]
        self._kept = values, new_record(SampleTable, values)
        self.address = address(self._kept[1])


class Reporter:
    """Reports of a system at samples. parts: names of the elements that report; default: all. reactions=False: without joints
    that became coordinates."""

    def __init__(self, system: System, parts: Collection[str] | None = None, *, reactions: bool = True) -> None:
        self.system = system
        plan = system.structure.reports if reactions else system.structure.reports_of_others
        if parts is not None:
            plan = report_plan(system.structure.forms, [e.name in parts for e in system.elements])
        self.asked, self.first, widest, self.held, self.ptr = plan
        self._out = np.zeros(len(ENERGIES) + widest)
        self.powered, self._power_at = _powered(system)
        self._work = Workspace(system)
        self._made_for: Any = None
        self._made = np.zeros(0, np.int64)

    def recover(self, samples: Any, *, inertial: bool, load: float = 1.0) -> None:
        """Compute the multipliers of reduced joints, and write them into samples.lam."""
        if self.held.size:
            record = self._record(samples, inertial, load)
            if inertial and self.system.own.condensed_count:
                self._work.ask["open"] = 1
            recover_samples(
                address(record),
                inertial,
                np.zeros((MOST_HELD, 6)),
                np.zeros((MOST_HELD, MOST_HELD)),
                np.zeros(MOST_HELD),
            )

    def report(self, samples: Any, *, inertial: bool, load: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """(energies (n, 4), signals (n, total)). Dampers act if the samples belong to a motion with inertia."""
        record = self._record(samples, inertial, load)
        report_samples(address(record))
        self._made_for = None  # the reports belong to the caller
        return self._energies, self._signals

    def _record(self, z: Any, inertial: bool, load: float) -> np.ndarray:
        """Record for these samples. The arrays of its reports are zero when it is made."""
        self._work.question(load=load, damped=inertial)
        if z is self._made_for:
            return self._made
        rows = len(z.t)
        self._energies, self._signals = np.zeros((rows, len(ENERGIES))), np.zeros((rows, int(self.first[-1])))
        self.powers = np.zeros((rows, 2 * len(self.powered)))
        wrench = np.zeros((len(self.system.ndof), 6))
        self._kept = (samples := SampleArrays(z), wrench)
        self._made_for, self._made = z, new_record(Report, {
            "system": self._work.address, "samples": samples.address, "n_energies": len(ENERGIES), "n_signals": self.first[-1],
            "n_elements1": self.first.size, "n_nodes": len(wrench), "n_out": self._out.size, "n_held": self.held.size,
            "n_ptr": self.ptr.size, "samples_count": rows,
            "first": self.first, "asked": self.asked, "energies": self._energies, "signals": self._signals, "out": self._out,
            "held": self.held,
            "ptr": self.ptr, "wrench": wrench,
            "n_powers": 2 * len(self.powered), "power_at": self._power_at, "powers": self.powers,
        })  # fmt: skip
        return self._made

    def live(self, samples: Any) -> "LiveReport":
        """Reports that are computed again whenever the values of these samples have changed."""
        return LiveReport(self, samples)


def _powered(system: System) -> tuple[list[str], np.ndarray]:
    """Names of the parts that supply or dissipate power, and the place of their two powers for each element."""
    places = {
        name: 2 * k for k, name in enumerate(dict.fromkeys(e.name for e in system.elements if e.kind.exchanges_power))
    }
    at = [places[e.name] if e.kind.exchanges_power else -1 for e in system.elements]
    return list(places), np.array([*at, -1], np.int64)


class LiveReport:
    """Reports of samples whose arrays are written again and again. The arrays of the reports stay the same."""

    def __init__(self, reporter: Reporter, samples: Any) -> None:
        self._reporter = reporter
        self._record = reporter._record(samples, True, 1.0)
        self._address = address(self._record)
        self.energies, self.signals = reporter._energies, reporter._signals
        self._rows = np.zeros((MOST_HELD, 6)), np.zeros((MOST_HELD, MOST_HELD)), np.zeros(MOST_HELD)

    def update(self, *, reactions: bool) -> None:
        """Compute the reports. reactions: first the multipliers of joints that became coordinates, into samples.lam."""
        self.energies[:] = 0.0
        self._reporter.powers[:] = 0.0
        if reactions and self._reporter.held.size:
            ask = self._reporter._work.ask
            opened = int(ask["open"][0])
            if self._reporter.system.own.condensed_count:
                ask["open"] = 1
            recover_samples(self._address, True, *self._rows)
            ask["open"] = opened
        report_samples(self._address)
