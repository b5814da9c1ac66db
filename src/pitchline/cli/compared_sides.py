"""The two sides of `compare`: result files, or models that are run; and the differences between their models and
options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import PitchlineError, SolveError
from .exit_status import FAILED, FINE, INTERRUPTED

if TYPE_CHECKING:
    from ..gallery import Figure
    from ..results import Result

__all__ = ["ComparedSide", "changes", "read_side"]


@dataclass(frozen=True)
class ComparedSide:
    """One of the two sides. called: as the user gave it; name: name of the analysis."""

    called: str
    name: str
    result: Result
    figures: Sequence[Figure] = ()

    def __str__(self) -> str:
        from ..results.report import headline

        return f"{self.called}: {headline(self.result)}"


def read_side(text: str, allow: Sequence[str]) -> ComparedSide:
    """Load the result, or run the model."""
    from ..results import Result

    path = Path(text).expanduser()
    if path.suffix.lower() != ".nc":
        from ..exchange.measurements.reader import is_measurement, read_measurement

        if is_measurement(path):
            return ComparedSide(text, "measurement", read_measurement(path))
    if path.suffix.lower() == ".nc":
        from .result_files import findings_of

        result = Result.load(path)
        name = str(result.source.get("analysis", "")) or result.kind
        return ComparedSide(text, name, result, findings_of(result, path.name, allow)[0])
    from .job_run import perform
    from .jobs import find_job

    outcome = perform(find_job(text, (), allow), quiet=True)
    if outcome.status == INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.status != FINE:
        raise (SolveError if outcome.status == FAILED else PitchlineError)(f"{text}: {outcome.failure}")
    results = [(name, found) for name, found in outcome.run.items() if isinstance(found, Result)]
    if not results:
        raise PitchlineError(f"{text}: none of its analyses has signals to compare")
    return ComparedSide(text, *results[-1], outcome.figures)


def changes(a: Result, b: Result) -> Iterator[str]:
    """Lines about differences between the models and options of two results."""
    sources = [dict(result.source) for result in (a, b)]
    if sources[0].get("text") != sources[1].get("text") and all("text" in source for source in sources):
        yield "their model files differ"
    sides: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("parameters", dict(sources[0].get("set", {})), dict(sources[1].get("set", {}))),
        ("options", a.options, b.options),
        ("", {"version of pitchline": a.version}, {"version of pitchline": b.version}),
    ]
    for words, x, y in sides:
        said = [f"{key} {_short(x, key)} / {_short(y, key)}" for key in {**x, **y} if x.get(key) != y.get(key)]
        if said:
            yield f"{words}{': ' if words else ''}{', '.join(said)}"


def _short(data: dict[str, Any], key: str) -> str:
    return f"{data[key]:.6g}" if isinstance(data.get(key), float) else str(data.get(key, "not set"))
