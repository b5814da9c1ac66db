"""Runs the invariances over many machines, counts, shrinks, and prints one line for each invariance."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from machines import counts, limit, shrink
from machines.cams import cams
from machines.cases import Case, Skip, Violation
from machines.compound import compound
from machines.elastic_pairs import flanks, tables
from machines.gears import gears
from machines.invariances import BY_NAME, INVARIANCES
from machines.machine import Machine
from machines.mechanisms import mechanism
from machines.options import Coverage
from machines.shafts import shaft
from machines.small import simple_pair, simple_rotor, simple_shaft
from machines.trains import train

KINDS = {
    "mechanism": mechanism,
    "gears": gears,
    "train": train,
    "shaft": shaft,
    "simple pair": simple_pair,
    "simple rotor": simple_rotor,
    "simple shaft": simple_shaft,
}
"""Kinds of machines that are drawn in turn."""
LATER = {"cams": cams, "compound": compound, "flanks": flanks, "tables": tables}
"""Kinds that take the place of one of the above with a share, so that the others keep their seeds."""
OF_LATER = 0.3
"""Share of these kinds, if all kinds are drawn."""
ALL_KINDS = {**KINDS, **LATER}

SHARE = 0.14
"""Share of the invariances that are tried with each machine."""
FIRST = 50
"""First seed with which rare invariances are tried."""
NUMBER = {name: i for i, name in enumerate(INVARIANCES)}


@dataclass
class Count:
    """Trials of one invariance."""

    tried: int = 0
    violations: int = 0
    seconds: float = 0.0
    skipped: Counter[str] = field(default_factory=Counter)


@dataclass
class Totals:
    """Counts of a run over many machines."""

    counts: dict[str, Count]
    machines: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    analyses: Counter[str] = field(default_factory=Counter)
    coverage: Coverage = field(default_factory=Coverage)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def violations(self) -> int:
        """Number of all violations."""
        return sum(count.violations for count in self.counts.values())

    def lines(self) -> list[str]:
        """Counts as text: one line for each invariance."""
        width = max(map(len, self.counts))
        lines = [
            f"{name:<{width}}  {count.tried:6d} machines tried  {count.violations:4d} violations"
            for name, count in self.counts.items()
        ]
        for kind, number in sorted(self.machines.items()):
            lines.append(f"{kind}: {number} machines, {self.refused[kind]} refused by name")
        for analysis in ("motion", "statics", "modes"):
            done, stopped = self.analyses[f"{analysis} done"], self.analyses[f"{analysis} stopped"]
            lines.append(f"{analysis}: {done} completed, {stopped} stopped by name")
        return [*lines, *self.coverage.report()]


def try_machine(machine: Machine, totals: Totals, names: Sequence[str], *, shrinking: bool = True) -> None:
    """Try invariances with one machine."""
    totals.machines[machine.kind] += 1
    totals.coverage.add(machine)
    case = Case(machine, np.random.default_rng(0))
    refused = case.result("model").refusal is not None
    if refused:
        totals.refused[machine.kind] += 1
    for name in names:
        count = totals.counts[name]
        key = [machine.seed, NUMBER[name]]
        case.rng = np.random.default_rng(key)
        begin = time.process_time()
        try:
            with limit.ends():
                INVARIANCES[name](case)
        except Skip as reason:
            count.skipped[str(reason)[:60]] += 1
            continue
        except Exception as error:
            count.tried += 1
            count.violations += 1
            totals.failures.append(_told(machine, name, error, key, shrinking=shrinking))
            continue
        finally:
            count.seconds += time.process_time() - begin
        count.tried += 1
    for (analysis, variant), outcome in case.results.items():
        if variant == 0 and analysis != "model":
            done = "done" if outcome.refusal is None else "stopped" if outcome.stopped else "refused"
            totals.analyses[f"{analysis} {done}"] += 1


def _told(machine: Machine, name: str, error: Exception, key: list[int], *, shrinking: bool) -> str:
    """Text of a failure: the script of the smallest machine that fails."""
    head = f"{name}: {machine.kind} {machine.seed}: {type(error).__name__}: {str(error)[:300]}"
    if not isinstance(error, Violation):
        head += "\n" + "".join(traceback.format_tb(error.__traceback__)[-2:])
    if not shrinking:
        return head
    invariance = INVARIANCES[name]
    small = shrink.shrunk(machine, invariance, key)
    again = shrink.failure(small, invariance, key)
    return f"{head}\n{shrink.report(small, name, again if again is not None else error)}"


def run(
    seeds: Iterable[int], kinds: Sequence[str], *, minutes: float | None = None, shrinking: bool = True,
    share: float = SHARE, only: Sequence[str] = (), show: bool = False,
) -> Totals:  # fmt: skip
    """Try machines of these kinds with these seeds."""
    names = list(only) or list(INVARIANCES)
    totals = Totals({name: Count() for name in names})
    begin = time.monotonic()
    for seed in seeds:
        if minutes is not None and time.monotonic() - begin > 60.0 * minutes:
            break
        rng = np.random.default_rng([seed, 0])
        kind = kind_of(seed, kinds, rng)
        chosen = [name for name in names if only or _is_due(name, seed, share, rng)]
        before = len(totals.failures)
        try_machine(ALL_KINDS[kind](seed), totals, chosen, shrinking=shrinking)
        if show:
            for text in totals.failures[before:]:
                print(text, "\n", flush=True)
    totals.seconds = time.monotonic() - begin
    return totals


def kind_of(seed: int, kinds: Sequence[str], rng: np.random.Generator) -> str:
    """Kind of machine of a seed. Later kinds have their own random numbers."""
    first = [kind for kind in kinds if kind in KINDS] or list(kinds)
    chosen = first[int(rng.integers(len(first)))]
    later = [kind for kind in kinds if kind in LATER]
    own = np.random.default_rng([seed, 1])
    if later and own.random() < OF_LATER:
        return later[int(own.integers(len(later)))]
    return chosen


def _is_due(name: str, seed: int, share: float, rng: np.random.Generator) -> bool:
    """Whether an invariance is tried with a machine."""
    one = BY_NAME[name]
    if one.one_of:
        return seed % one.one_of == FIRST
    return bool(rng.random() < share * one.weight)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command: `python -m machines --seeds 0:300`."""
    parser = argparse.ArgumentParser(prog="machines", description=__doc__)
    parser.add_argument("--seeds", default="0:300", help="first and last seed, FIRST:LAST")
    parser.add_argument("--kinds", default="", help=f"kinds of machines: {', '.join(ALL_KINDS)}")
    parser.add_argument("--minutes", type=float, default=None, help="stop after this time")
    parser.add_argument("--only", default="", help=f"invariances: {', '.join(INVARIANCES)}")
    parser.add_argument("--share", type=float, default=SHARE, help="share of the invariances tried with each machine")
    parser.add_argument("--no-shrink", action="store_true", help="print failing machines without making them smaller")
    parser.add_argument(
        "--times", action="store_true", help="print the processor time and the skipped trials of each invariance"
    )
    parser.add_argument(
        "--counts",
        default="",
        help="file for the counts (JSON); `python -m machines.counts FILE ...` writes the page from such files",
    )
    given = parser.parse_args(arguments)
    first, _, last = given.seeds.partition(":")
    kinds = [kind.strip() for kind in given.kinds.split(",") if kind.strip()] or list(ALL_KINDS)
    only = [name.strip() for name in given.only.split(",") if name.strip()]
    totals = run(
        range(int(first), int(last or int(first) + 1)), kinds, minutes=given.minutes, shrinking=not given.no_shrink,
        share=given.share, only=only, show=True,
    )  # fmt: skip
    print("\n".join(totals.lines()))
    print(f"{sum(totals.machines.values())} machines in {totals.seconds:.0f} s, {totals.violations} violations")
    if given.times:
        for name, count in sorted(totals.counts.items(), key=lambda item: -item[1].seconds):
            reasons = "; ".join(f"{reason} {number}" for reason, number in count.skipped.most_common(4))
            print(
                f"{name:<24} {count.seconds:7.1f} s, {count.tried} tried, {sum(count.skipped.values())} skipped: {reasons}"
            )
    if given.counts:
        counts.save(totals, Path(given.counts), given.seeds)
    return 1 if totals.violations else 0


if __name__ == "__main__":
    sys.exit(main())
