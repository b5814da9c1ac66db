"""Lines to mark in a spectrum or a map: mesh frequencies with their harmonics, orders and natural frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Modes
from pitchline.units import quantity
from pitchline.views import style

#: A frequency, an order, or several: by name, or in a row.
Marked = float | str | Mapping[str, float | str] | Sequence[float | str]

#: Colours of the lines of meshes, one after the other, and of modes.
MESH_COLOURS = (style.COLOURS[1], "#8A3FA0", style.COLOURS[6], "#B07A00")
ORDER_COLOUR, MODE_COLOUR = "#0B5C8F", "#12734F"

#: Two values closer than this fraction of themselves are one line with both names.
_SAME = 1e-4

#: Harmonics of a mesh that are marked if no number is given.
MOST_HARMONICS = 8


@dataclass(frozen=True)
class MarkedLine:
    """A line at a frequency [Hz] or at an order."""

    name: str
    value: float
    colour: str


def last_value(end: object, what: str, *, orders: bool) -> float | None:
    """Return the end of an axis, a frequency [Hz] or an order; None if it is not specified."""
    if end is None:
        return None
    return _order(end, f"{what}: end") if orders else _frequency(end, f"{what}: end")


def mesh_marks(
    given: Marked | None, harmonics: int | None, end: float, what: str, *, orders: bool = False
) -> list[MarkedLine]:
    """Mesh frequencies [Hz] (or mesh orders) up to `end` with their multiples; the multiples of one line come last."""
    if harmonics is not None and (harmonics < 1 or int(harmonics) != harmonics):
        raise PitchlineError(f"{what}: harmonics must be a whole number, 1 or more, got {harmonics!r}")
    read = _order if orders else _frequency
    found = [
        (k, name, read(value, f"{what}: mesh"))
        for k, (name, value) in enumerate(_by_name(given, "mesh", "mesh {}").items())
    ]
    marks = [
        (n, MarkedLine(name if n == 1 else f"{n} × {name}", n * value, MESH_COLOURS[k % len(MESH_COLOURS)]))
        for k, name, value in found
        for n in range(1, (MOST_HARMONICS if harmonics is None else int(harmonics)) + 1)
        if n * value <= end
    ]
    return _joined([mark for _, mark in sorted(marks, key=lambda item: item[0])])


def order_marks(given: Marked | None, what: str) -> list[MarkedLine]:
    """Orders by name, or numbers, which are named "order 19"."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        values = [given] if isinstance(given, (int, float, str)) else list(given)
        numbers = [_order(value, f"{what}: orders") for value in values]
        given = {f"order {number:g}": number for number in numbers}
    return _joined([MarkedLine(name, _order(value, f"{what}: orders"), ORDER_COLOUR) for name, value in given.items()])


def mode_marks(given: Modes | Marked | None, end: float, what: str) -> list[MarkedLine]:
    """Natural frequencies [Hz] up to `end`: of a `Modes` result with the numbers of its table, or as given."""
    if given is None:
        return []
    if isinstance(given, Modes):
        return _of_modes(given, end)
    if isinstance(given, Mapping):
        named = {name: _frequency(value, f"{what}: modes") for name, value in given.items()}
    else:
        values = [given] if isinstance(given, (int, float, str)) else list(given)
        numbers = [_frequency(value, f"{what}: modes") for value in values]
        named = {hertz(number): number for number in numbers}
    return _joined([MarkedLine(name, value, MODE_COLOUR) for name, value in named.items() if 0.0 < value <= end])


def hertz(frequency: float) -> str:
    """A frequency in a label: "512 Hz", "12.3 kHz"."""
    if frequency >= 1e4:
        return f"{frequency / 1e3:.3g} kHz" if frequency < 1e6 else f"{frequency / 1e3:.0f} kHz"
    return f"{frequency:.3g} Hz" if frequency < 1e3 else f"{frequency:.0f} Hz"


def _of_modes(modes: Modes, end: float) -> list[MarkedLine]:
    groups: list[tuple[list[int], float]] = []
    for i, f in enumerate(modes.frequencies):
        if i < modes.rigid or not 0.0 < f <= end:
            continue
        if groups and abs(f - groups[-1][1]) <= _SAME * f:
            groups[-1][0].append(i + 1)
        else:
            groups.append(([i + 1], float(f)))
    return [
        MarkedLine(
            f"mode{'s' if len(numbers) > 1 else ''} {_range(numbers)}: {hertz(f)}", f, MODE_COLOUR
        )
        for numbers, f in groups
    ]  # fmt: skip


def _range(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def _by_name(given: Marked | None, one: str, several: str) -> dict[str, float | str]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, (int, float, str)):
        return {one: given}
    values = list(given)
    return {one: values[0]} if len(values) == 1 else {several.format(k + 1): value for k, value in enumerate(values)}


def _frequency(value: object, what: str) -> float:
    return _positive(quantity(value, "frequency", what=what), what, "Hz")


def _order(value: object, what: str) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise PitchlineError(f"{what}: an order is a number, got {value!r}") from None
    return _positive(number, what, "")


def _positive(value: float, what: str, unit: str) -> float:
    if not (np.isfinite(value) and value > 0.0):
        raise PitchlineError(f"{what}: values must be greater than zero, got {value:g} {unit}".rstrip())
    return float(value)


def _joined(marks: Iterable[MarkedLine]) -> list[MarkedLine]:
    """Lines at one place as one line: "stage 1 = 2 × stage 2", or the first name and how many others."""
    groups: list[list[MarkedLine]] = []
    for mark in marks:
        same = next((g for g in groups if abs(g[0].value - mark.value) <= _SAME * mark.value), None)
        if same is None:
            groups.append([mark])
        else:
            same.append(mark)
    return [MarkedLine(_joined_name([one.name for one in group]), group[0].value, group[0].colour) for group in groups]


def _joined_name(names: list[str]) -> str:
    names = list(dict.fromkeys(names))
    return " = ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} others"
