"""Records of a commanded run (`solvers.commanded_run`) from a stepper that has not moved yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....analyses.signals import parts_of, published_by
from ....analyses.stepper import Stepper
from ....analyses.stepper_inputs import StepperInput
from ....elements.body import BODY
from ....elements.contract import Element
from ....elements.loaded_flank import ERROR, FLANK, FORCE, TURNED, is_gear_pair, play_of
from ....math.calling import address_of
from ....math.record_addresses import address, new_record
from ....solvers import commanded_run, general_steps, train_steps
from ....solvers.commanded_run import CommandedInput, CommandedRun, FlankSide, Followed
from ....solvers.motion import Samples, new_samples
from ....solvers.run_record import Work
from ....system.reporting import MOST_HELD, Reporter
from ....system.signal_list import ORIENTATION, component_names
from ...limits import ExchangeError
from .model_object import PLAIN, TURNED as TURNED_KIND, TURNED_ERROR

__all__ = ["CommandedModel", "OutputPlace"]

_QUANTITIES = {"value": commanded_run.LOAD, "speed": commanded_run.SPEED, "position": commanded_run.POSITION}
_HOLDS = {"hold": commanded_run.HOLD, "extrapolate": commanded_run.EXTRAPOLATE, "ramp": commanded_run.RAMP}


@dataclass(frozen=True)
class OutputPlace:
    """Address of one number of an output, and how it is read (see `model_object.NativeVariable`)."""

    kind: int
    address: int
    side: int = 0
    play: float = 0.0


class CommandedModel:
    """Records of a stepper for compiled code, with the arrays that they refer to."""

    def __init__(self, stepper: Stepper) -> None:
        self.stepper = stepper
        begun = stepper._run
        self.integrator, self.system = begun.integrator, begun.integrator.system
        self.courses, self._direct = begun.courses, begun._jump._direct
        self._rows_of_drives: dict[int, int] = begun._jump._places
        self._kept: list[Any] = []
        self.samples: Samples = new_samples(1, self.system)
        motion = self.integrator.motion
        motion._samples = None
        motion.progress["samples"] = 0
        begun.sample.open = self.samples
        begun.sample.add(self.integrator)
        self.reporter = Reporter(self.system, parts_of(self.system, list(stepper.outputs)))
        self.report = self.reporter._record(self.samples, True, 1.0)
        self.inputs = self._inputs()
        self.followed, self.sides = self._followed_records(), self._side_records()
        self.record = self._record()
        self._place_evaluators()

    # ---- records

    def _inputs(self) -> np.ndarray:
        """Records of the inputs, in their order."""
        table = np.zeros(max(len(self.courses), 1), CommandedInput.dtype)
        places: list[int] = []
        for row, course in zip(table, self.courses.values(), strict=False):
            spec: StepperInput = course.spec
            row["quantity"], row["hold"] = _QUANTITIES[spec.quantity], _HOLDS[spec.hold]
            row["first"], row["last"] = len(places), len(places) + len(course.places)
            places += course.places
            names = ("target", "t", "c0", "c1", "c2", "c3", "end_value", "end_slope", "before_t", "before_value")
            for name, value in zip(names, course.state(), strict=True):
                row[name] = value
        self.places = np.array(places, np.int64)
        return table

    def _record(self) -> np.ndarray:
        s, motion = self.system, self.integrator.motion
        drives = [(self._rows_of_drives[p], k) for k, p in enumerate(self.places.tolist()) if p in self._rows_of_drives]
        arrays: dict[str, np.ndarray] = {
            "inputs": self.inputs, "places": self.places, "jumps": np.zeros(self.places.size),
            "curvatures": np.zeros(self.places.size), "rows": np.array([row for row, _ in drives], np.int64),
            "place_of_row": np.array([k for _, k in drives], np.int64), "row_curvatures": np.zeros(len(drives)),
            "before": np.zeros(s.n), "matrix": np.zeros(motion.work.Ax.size if s.own.first_order.size else 1), "B": np.zeros((MOST_HELD, 6)), "G": np.zeros((MOST_HELD, MOST_HELD)),
            "b": np.zeros(MOST_HELD), "followed": self.followed, "sides": self.sides,
        }  # fmt: skip
        self._kept.append(arrays)
        energies, massless = self.reporter._energies, int(s.own.first_order.size > 0)
        record = new_record(CommandedRun, arrays | {
            "run_address": motion.address, "run": motion.address, "report_address": self.report, "report": self.report,
            "direct": int(self._direct), "massless": massless, "n_matrix": arrays["matrix"].size, "is_train": int(self.integrator.train is not None), "n_inputs": len(self.courses),
            "n_places": self.places.size, "n_rows": len(drives), "n_followed": len(self.followed), "n_sides": len(self.sides), "n": s.n, "n_held": MOST_HELD,
            "recovers": int(self.reporter.held.size > 0), "opens": int(s.own.condensed_count > 0),
        })  # fmt: skip
        named = CommandedRun.named(record)
        named["step"] = motion.options["step"]
        commanded_run.tell(address(record))
        work = self.samples.work[0]
        named["start_energy"] = energies[0, 0] + energies[0, 1]
        named["start_work"], named["start_losses"] = work[0], work[1]
        return record

    def _place_evaluators(self) -> None:
        """Addresses of the functions of both evaluators. A train that fails continues as a general system."""
        run, integrator = self.integrator.motion.run, self.integrator
        stabilised = bool(integrator.motion.options["stabilised"])
        general = general_steps.addresses(self.system.dense, stabilised)
        named = CommandedRun.named(self.record)
        named["take_steps"], named["show"] = general["take_steps"], general["show"]
        train = train_steps.addresses() if integrator.train is not None else general
        named["train_take_steps"], named["train_show"] = train["take_steps"], train["show"]
        for name, value in general.items():
            if name not in ("take_steps", "show"):
                run[name] = value
        if not self.system.dense and integrator.motion.sparse_factors[0][0] != self.system.n:
            train_of, integrator.train = integrator.train, None
            if not integrator._take_pivots():
                raise ExchangeError("the matrix of the system is singular at the start")
            integrator.train = train_of

    @property
    def objects(self) -> tuple[Any, ...]:
        """All objects that keep arrays of the records."""
        return (
            self.integrator,
            self.reporter,
            self.report,
            self.record,
            self.samples,
            self.inputs,
            self.followed,
            self.sides,
            self._kept,
        )

    def _followed_records(self) -> np.ndarray:
        """Records of the orientations of bodies that are outputs."""
        wanted = {
            name.partition(f".{ORIENTATION.name}")[0] for name in self.stepper.outputs if ORIENTATION.name in name
        }
        bodies = [e for e in self.system.elements if e.kind is BODY and e.signals is None and e.name in wanted]
        self._row_of = {element.name: k for k, element in enumerate(bodies)}
        table = np.zeros(len(bodies), Followed.dtype)
        for row, element in zip(table, bodies, strict=True):
            row["n"], row["source"] = 4, address(self.samples.pose) + 8 * (7 * element.nodes[0] + 3)
        return table

    def _side_records(self) -> np.ndarray:
        """Records of the flanks of gear pairs that are reported."""
        pairs = [e for e, one in enumerate(self.system.elements) if self.reporter.asked[e] and is_gear_pair(one)]
        self._side_of = {self.system.elements[e].name: k for k, e in enumerate(pairs)}
        table = np.zeros(len(pairs), FlankSide.dtype)
        for row, e in zip(table, pairs, strict=True):
            element = self.system.elements[e]
            at = {spec.name: int(self.reporter.first[e]) + first for spec, first, _ in element.kind.columns}
            row["n"] = 1
            for field, name in (("flank", FLANK), ("force", FORCE), ("error", ERROR)):
                row[field] = address(self.reporter._signals) + 8 * at[name]
            row["play"], row["has_backlash"], row["unfelt"] = play_of(element)
        return table

    # ---- outputs

    def outputs(self) -> dict[str, list[OutputPlace]]:
        """Places of the numbers of all outputs, by name."""
        made = dict(self._all_places())
        found: dict[str, list[OutputPlace]] = {}
        for name in self.stepper.outputs:
            whole, _, component = name.rpartition(".")
            if name in made:
                found[name] = made[name]
            elif whole in made:
                found[name] = [made[whole][component_names(len(made[whole])).index(component)]]
            else:
                raise ExchangeError(
                    f'output "{name}" is computed in Python from the signals of several elements, which an FMU without Python '
                    "does not have. Choose other outputs"
                )
        return found

    def _all_places(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        """Places of all signals of the elements that are reported."""
        columns, asked = self.reporter.first.tolist(), self.reporter.asked
        shared = {self.system.row_owner(int(l)).name for group in self.integrator.rank.groups for l in group}
        row = address(self.reporter._signals)
        for e, element in enumerate(self.system.elements):
            if not asked[e] or (element.name in shared and element.rows):
                continue
            at = row + 8 * columns[e]
            turned = self._turned(element, columns[e]) if is_gear_pair(element) else {}
            for what, spec, first, last in published_by(element):
                plain = [OutputPlace(PLAIN, at + 8 * k) for k in range(first, last)]
                yield f"{element.name}.{spec.name}", turned.get(what, plain)
            if element.kind is BODY and element.signals is None:
                yield from self._orientation(element)
        yield from self._own()
        yield from self._energies()

    def _orientation(self, element: Element) -> Iterator[tuple[str, list[OutputPlace]]]:
        if element.name in self._row_of:
            record = address(self.followed) + 8 * Followed.size * self._row_of[element.name]
            last = record + 8 * Followed.place("last")[0]
            yield f"{element.name}.{ORIENTATION.name}", [OutputPlace(PLAIN, last + 8 * k) for k in range(4)]

    def _turned(self, element: Element, column: int) -> dict[str, list[OutputPlace]]:
        """Signals of a gear pair relative to its loaded flank."""
        row = address(self.reporter._signals)
        places = {spec.name: (column + first, column + last) for spec, first, last in element.kind.columns}
        record = address(self.sides) + 8 * FlankSide.size * self._side_of[element.name]
        side, play = record + 8 * FlankSide.place("side")[0], play_of(element)[0]
        found = {
            name: [OutputPlace(TURNED_KIND, row + 8 * k, side, play) for k in range(*places[name])]
            for name in TURNED
            if name in places
        }
        return found | {ERROR: [OutputPlace(TURNED_ERROR, row + 8 * places[ERROR][0], side, play)]}

    def _own(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        """Own coordinates of elements."""
        own = self.system.own
        for g in own.open:
            name = f"{self.system.elements[g.element].name}.{g.what.name}"
            parts = [(name, self.samples.own, 0)]
            if g.what.order == 2:
                parts.append((f"{name}_rate", self.samples.v, own.first))
            for called, values, first in parts:
                at = address(values) + 8 * (first + g.first)
                yield called, [OutputPlace(PLAIN, at + 8 * k) for k in range(g.count)]

    def _energies(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        energies, work = address(self.reporter._energies), address(self.samples.work)
        places = {"kinetic": energies, "potential": energies + 8}
        for name, field in (("work", "put_in"), ("dissipated", "dissipated"), ("teeth", "by_teeth")):
            places[name] = work + 8 * Work.place(field)[0]
        places["balance_error"] = address(self.record) + 8 * CommandedRun.place("balance_error")[0]
        for name, at in places.items():
            yield f"energy.{name}", [OutputPlace(PLAIN, at)]
