"""``pitchline compare``: differences between two results, signal by signal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .run import FINE, WRONG, Commands, add_allow, add_json, add_signals, command, completes, say

if TYPE_CHECKING:
    from .comparison import ComparedSide, Comparison

__all__ = ["add_compare"]

ROWS = 20
"""Default limit for the rows of the table."""

_EXAMPLES = """\
  pitchline compare out/pair.nc new/pair.nc                     two results; the signals that differ most come first
  pitchline compare out/pair.nc new/pair.nc "mesh.*" --all      selected signals, one line each
  pitchline compare out/pair.nc new/pair.nc --tolerance 1e-6    exit status 1 if a difference is larger
  pitchline compare out/pair.nc pair.toml                       a result and its model, which is run now
  pitchline compare kubo-a kubo-b mesh.normal_force             two models; both are run

B is compared with A at the time points of A in the common time range. B is interpolated between its samples. The relative
difference is the largest difference divided by the largest magnitude of the signal. If a model has several analyses, the last
one is compared.
"""


def add_compare(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "compare",
        "compare two results",
        "List the differences between the signals and figures of two results.",
        _EXAMPLES,
        _compare,
    )
    for name, metavar in (("first", "A"), ("second", "B")):
        action = parser.add_argument(
            name, metavar=metavar, help="result file (.nc), or a model to run: file (.toml) or gallery name"
        )
        completes(action, "gallery", ".nc", ".toml")
    add_signals(parser, optional=True)
    parser.add_argument(
        "--tolerance", metavar="X", help="largest relative difference that counts as equal, e.g. 1e-6 or 0.1%%"
    )
    parser.add_argument("--all", action="store_true", help=f"list every signal that differs (default: at most {ROWS})")
    add_json(parser)
    add_allow(parser)


def _compare(given: argparse.Namespace) -> int:
    from pitchline.units.quantity import quantity

    from .comparison import compared, read_side
    from .run import number_or_text

    tolerance = None
    if given.tolerance is not None:
        tolerance = quantity(number_or_text(given.tolerance), "number", what="--tolerance")
    a, b = (read_side(text, given.allow) for text in (given.first, given.second))
    found = compared(a.result, b.result, given.signals, a.figures, b.figures)
    if given.json:
        from .run import print_json

        print_json(_as_data(a, b, found))
    else:
        from .run import printable

        print(printable(_text(a, b, found, ROWS if not given.all else len(found.differences))))
    return FINE if tolerance is None else _judged(found, tolerance)


def _judged(found: Comparison, tolerance: float) -> int:
    """Return status 1 and print the reason if the results differ by more than the tolerance."""
    far = [one.name for one in found.differences if not one.relative <= tolerance]
    far += [one.key for one in found.figures if not one.relative <= tolerance]
    lone = (*found.only_a, *found.only_b, *found.other)
    if far:
        more = f" and {len(far) - 5} more" if len(far) > 5 else ""
        say(f"relative differences above {tolerance:g}: {', '.join(far[:5])}{more}")
    if lone:
        say(f"signals that A and B do not both have: {_listed(lone)}")
    return WRONG if far or lone else FINE


def _text(a: ComparedSide, b: ComparedSide, found: Comparison, rows: int) -> str:
    from pitchline.results.result import text_table

    from .comparison import changes

    lines = [f"A  {a}", f"B  {b}", *(f"   {line}" for line in changes(a.result, b.result)), ""]
    at = "at the same times" if found.same_times else "at the times of A, B interpolated"
    lines += [
        f"compared from t = {found.start:g} s to {found.end:g} s, {at}" if found.end > found.start else "compared",
        "",
    ]
    apart = [one for one in found.differences if one.relative > 0.0]
    equal = len(found.differences) - len(apart)
    body = [
        [one.name, one.unit or "-", f"{one.largest:.4g}", f"{one.time:.6g}", f"{one.rms:.4g}", f"{one.relative:.3g}"]
        for one in apart[:rows]
    ]
    if body:
        lines.append(text_table(["signal", "unit", "largest |B - A|", "at t/s", "rms", "relative"], body, left=2))
    if apart[rows:]:
        lines.append(f"and {len(apart) - rows} more, all at or below {apart[rows].relative:.3g}; --all lists them")
    if equal:
        lines += [*([""] if body else []), f"{equal} signal{'s are' if equal > 1 else ' is'} identical"]
    if found.figures:
        body = [
            [one.key, one.unit or "-", f"{one.a:.7g}", f"{one.b:.7g}", f"{one.relative:.3g}"] for one in found.figures
        ]
        lines += ["", text_table(["figure", "unit", "A", "B", "relative"], body, left=2)]
    for words, names in (
        ("only in A", found.only_a),
        ("only in B", found.only_b),
        ("with a different unit or shape", found.other),
    ):
        if names:
            lines += ["", f"{words}: {_listed(names)}"]
    return "\n".join([*lines, "", _verdict(found)])


def _verdict(found: Comparison) -> str:
    if not found.differences:
        return "no signal in common"
    if found.largest == 0.0:
        return "no difference"
    worst = found.differences[0]
    return f"largest relative difference of a signal: {worst.relative:.3g} ({worst.name} at t = {worst.time:.6g} s)"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _as_data(a: ComparedSide, b: ComparedSide, found: Comparison) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for one in found.differences:
        numbers = {"largest_difference": (one.largest, one.unit), "rms_difference": (one.rms, one.unit)}
        numbers |= {"relative_difference": (one.relative, ""), "time": (one.time, "s")}
        figures |= {f"{one.name}.{key}": _number(value, unit) for key, (value, unit) in numbers.items()}
    for figure in found.figures:
        numbers = {
            "a": (figure.a, figure.unit),
            "b": (figure.b, figure.unit),
            "relative_difference": (figure.relative, ""),
        }
        figures |= {f"{figure.key}.{key}": _number(value, unit) for key, (value, unit) in numbers.items()}
    analyses = [{"name": side.name, "kind": side.result.kind, "status": str(side.result.status)} for side in (a, b)]
    lone = {"only_in_a": list(found.only_a), "only_in_b": list(found.only_b), "of_other_form": list(found.other)}
    return {"model": a.result.model_name, "analyses": analyses, "figures": figures, **lone}


def _number(value: float, unit: str) -> dict[str, Any]:
    import math

    return {"value": value if math.isfinite(value) else None, "unit": "" if unit == "1" else unit}
