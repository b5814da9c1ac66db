"""Where the outputs of a commanded run are in its memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ....analyses.signals import parts_of, published_by
from ....elements.body import BODY
from ....elements.contract import Element
from ....elements.loaded_flank import ERROR, FLANK, FORCE, TURNED, is_gear_pair, play_of
from ....math.record_addresses import address
from ....solvers.commanded_records import Followed, PairFlank
from ....solvers.motion import Samples
from ....solvers.run_record import Work
from ....system.rank import Rank
from ....system.reporting import Reporter
from ....system.signal_list import ORIENTATION, component_names
from ....system.system import System
from ...limits import ExchangeError
from .model_object import PLAIN, TURNED_ERROR, TURNED_VALUE

__all__ = ["OutputPlace", "OutputPlaces"]


@dataclass(frozen=True)
class OutputPlace:
    """Address of one number of an output, and how it is read (see `model_object.NativeVariable`)."""

    kind: int
    address: int
    side: int = 0
    play: float = 0.0


class OutputPlaces:
    """Report of the chosen signals of a system, with the records that `commanded_run.tell` needs in addition."""

    def __init__(self, system: System, names: Iterable[str], samples: Samples) -> None:
        self._system, self._names, self._samples = system, list(names), samples
        self.reporter = Reporter(system, parts_of(system, self._names))
        self.report = self.reporter.live(samples)
        self.followed = self._followed_records()
        self.sides = self._side_records()

    def _followed_records(self) -> np.ndarray:
        """Records of the orientations of bodies that are outputs."""
        wanted = {name.partition(f".{ORIENTATION.name}")[0] for name in self._names if ORIENTATION.name in name}
        bodies = [e for e in self._system.elements if e.kind is BODY and e.signals is None and e.name in wanted]
        self._row_of = {element.name: k for k, element in enumerate(bodies)}
        table = np.zeros(len(bodies), Followed.dtype)
        for row, element in zip(table, bodies, strict=True):
            row["n"], row["source"] = 4, address(self._samples.pose) + 8 * (7 * element.nodes[0] + 3)
        return table

    def _side_records(self) -> np.ndarray:
        """Records of the flanks of gear pairs that are reported."""
        elements, first_row = self._system.elements, address(self.report.signals)
        pairs = [e for e, one in enumerate(elements) if self.reporter.asked[e] and is_gear_pair(one)]
        self._side_of = {elements[e].name: k for k, e in enumerate(pairs)}
        table = np.zeros(len(pairs), PairFlank.dtype)
        for row, e in zip(table, pairs, strict=True):
            at = {spec.name: int(self.reporter.first[e]) + first for spec, first, _ in elements[e].kind.columns}
            row["n"] = 1
            for field, name in (("flank", FLANK), ("force", FORCE), ("error", ERROR)):
                row[field] = first_row + 8 * at[name]
            row["play"], row["has_backlash"], row["unfelt"] = play_of(elements[e])
        return table

    def find(self, rank: Rank, balance_error: int) -> dict[str, list[OutputPlace]]:
        """Places of the numbers of all outputs, by name. balance_error: address of the error of the energies.

        ExchangeError for signals that are computed in Python."""
        shared = {self._system.row_owner(int(l)).name for group in rank.groups for l in group}
        made = dict(self._elements()) | dict(self._own()) | dict(self._energies(balance_error))
        found: dict[str, list[OutputPlace]] = {}
        for name in self._names:
            whole, _, component = name.rpartition(".")
            owner = (name if name in made else whole).rpartition(".")[0]
            if any(e.name == owner and e.rows for e in self._system.elements) and owner in shared:
                raise ExchangeError(
                    f'output "{name}": redundant joints share the load of "{owner}", and its distribution is computed in Python, '
                    "which this FMU does not have. Remove the redundant constraint, or choose another output"
                )
            if name in made:
                found[name] = made[name]
            elif whole in made:
                found[name] = [made[whole][component_names(len(made[whole])).index(component)]]
            else:
                raise ExchangeError(
                    f'output "{name}" is computed in Python from the signals of several elements, which an FMU without Python '
                    "does not have. Choose another output"
                )
        return found

    def _elements(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        """Signals of the elements that are reported."""
        columns, row = self.reporter.first.tolist(), address(self.report.signals)
        for e, element in enumerate(self._system.elements):
            if not self.reporter.asked[e]:
                continue
            at = row + 8 * columns[e]
            turned = self._turned(element, columns[e]) if is_gear_pair(element) else {}
            for what, spec, first, last in published_by(element):
                plain = [OutputPlace(PLAIN, at + 8 * k) for k in range(first, last)]
                yield f"{element.name}.{spec.name}", turned.get(what, plain)
            if element.name in self._row_of and element.kind is BODY:
                record = address(self.followed) + 8 * Followed.size * self._row_of[element.name]
                last_value = record + 8 * Followed.place("last")[0]
                yield f"{element.name}.{ORIENTATION.name}", [OutputPlace(PLAIN, last_value + 8 * k) for k in range(4)]

    def _turned(self, element: Element, column: int) -> dict[str, list[OutputPlace]]:
        """Signals of a gear pair relative to its loaded flank."""
        row = address(self.report.signals)
        places = {spec.name: (column + first, column + last) for spec, first, last in element.kind.columns}
        record = address(self.sides) + 8 * PairFlank.size * self._side_of[element.name]
        side, play = record + 8 * PairFlank.place("side")[0], play_of(element)[0]
        found = {
            name: [OutputPlace(TURNED_VALUE, row + 8 * k, side, play) for k in range(*places[name])]
            for name in TURNED
            if name in places
        }
        return found | {ERROR: [OutputPlace(TURNED_ERROR, row + 8 * places[ERROR][0], side, play)]}

    def _own(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        """Own coordinates of elements, unless the element has a signal of that name."""
        own, known = self._system.own, dict(self._elements())
        for g in own.open:
            name = f"{self._system.elements[g.element].name}.{g.what.name}"
            parts = [(name, self._samples.own, 0)]
            if g.what.order == 2:
                parts.append((f"{name}_rate", self._samples.v, own.first))
            for called, values, first in parts:
                if called not in known:
                    at = address(values) + 8 * (first + g.first)
                    yield called, [OutputPlace(PLAIN, at + 8 * k) for k in range(g.count)]

    def _energies(self, balance_error: int) -> Iterator[tuple[str, list[OutputPlace]]]:
        energies, work = address(self.report.energies), address(self._samples.work)
        places = {"kinetic": energies, "potential": energies + 8, "balance_error": balance_error}
        for name, field in (("work", "put_in"), ("dissipated", "dissipated"), ("teeth", "by_teeth")):
            places[name] = work + 8 * Work.place(field)[0]
        for name, at in places.items():
            yield f"energy.{name}", [OutputPlace(PLAIN, at)]
