"""Counts of runs, and the table of the page docs/validation/machines.md.

    python -m machines --seeds 0:20000 --counts counts.json
    python -m machines.counts counts.json

Several files, of runs with different seeds, are added.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from machines.invariances import ALL

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "machines.md"
BEGIN, END = "<!-- table of counts: begin -->", "<!-- table of counts: end -->"


def save(totals: Any, path: Path, seeds: str) -> None:
    """Write the counts of a run to a file."""
    data = {
        "seeds": seeds,
        "machines": dict(totals.machines),
        "refused": dict(totals.refused),
        "analyses": dict(totals.analyses),
        "invariances": {name: [count.tried, count.violations] for name, count in totals.counts.items()},
        "seconds": round(totals.seconds),
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def table(runs: Sequence[dict[str, Any]]) -> str:
    """Tables of the page: the sums over some runs."""
    machines: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    violations: Counter[str] = Counter()
    for run in runs:
        machines.update(run["machines"])
        refused.update(run["refused"])
        for name, (count, wrong) in run["invariances"].items():
            tried[name] += count
            violations[name] += wrong
    seeds = ", ".join(run["seeds"] for run in runs)
    lines = [
        f"{sum(machines.values())} machines, seeds {seeds}.",
        "",
        "| kind | machines | refused by name |",
        "|---|---:|---:|",
    ]
    lines += [f"| {kind} | {number} | {refused[kind]} |" for kind, number in sorted(machines.items())]
    lines += ["", "| invariance | what must hold | tolerance | machines | violations |", "|---|---|---|---:|---:|"]
    lines += [
        f"| {one.name} | {_told(one.function)} | {one.tolerance} | {tried[one.name]} | {violations[one.name]} |"
        for one in ALL
    ]
    return "\n".join(lines)


def _told(function: Any) -> str:
    """First paragraph of the description of a function, without its full stop."""
    text = " ".join((function.__doc__ or "").split("\n\n")[0].split())
    return text.removesuffix(".").replace("|", "\\|")


def written(page: str, runs: Sequence[dict[str, Any]]) -> str:
    """The page with the table of these runs."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table(runs)}\n\n{END}{after}"


def main(files: Sequence[str]) -> int:
    """Command: write the table of some runs into the page."""
    if not files:
        print(__doc__)
        return 2
    runs = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), runs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
