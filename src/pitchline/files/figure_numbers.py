"""Numbers of expressions of figures: a number, a vector, rows of numbers or a signal, with its dimension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.base.types import AnyArray
from pitchline.results.signal import Signal
from pitchline.units.parser import BASE_UNITS, DIMENSIONS, NONE, Exponents, parse_unit
from pitchline.units.quantity import LARGEST, dimension_name

from .amounts import Amount, AmountError, combined_powers, raised_powers, whole_powers

__all__ = ["Numbers", "aligned", "combined", "compared", "listed", "of_signal", "picked", "powered", "series_like"]

_MOST_EXPONENT = 64.0


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers in SI units with the powers of their dimension.

    values: a number (), a vector (k,) or rows; of a signal (samples,) or (samples, components); logical values are bool
    unit:   unit of the source, if it has one, because a torque and an energy have the same dimension
    signal: whether they are samples over time
    known:  whether the values are true values. Before the run, values of results are ones of the right shape, if it is
    known
    shaped: whether the shape is the true one
    """

    values: AnyArray
    powers: Exponents = NONE
    unit: str = ""
    signal: Signal | None = field(default=None, repr=False)
    known: bool = True
    shaped: bool = True

    @staticmethod
    def of_amount(amount: Amount) -> Numbers:
        return Numbers(np.asarray(amount.value), amount.powers)

    @staticmethod
    def of_unit(values: Any, unit: str, *, known: bool = True, shaped: bool = True) -> Numbers:
        """Numbers in a unit. Frequencies are not in SI units: Hz means revolutions per second."""
        said = parse_unit("" if unit == "1" else unit)
        array = np.asarray(values)
        scaled = array if array.dtype == bool or said.factor == 1.0 else array * said.factor
        return Numbers(scaled, said.powers, "" if unit == "1" else unit, known=known, shaped=shaped)

    @property
    def dimension(self) -> str:
        return dimension_name(self.powers) or "a number"

    def default_unit(self) -> str:
        """The default unit."""
        if self.unit or self.powers == NONE:
            return self.unit
        for unit, _ in DIMENSIONS.values():
            said = parse_unit(unit)
            if said.powers == self.powers and said.factor == 1.0:
                return unit
        return "*".join(base if n == 1 else f"{base}^{n}" for base, n in zip(BASE_UNITS, self.powers, strict=True) if n)

    def converted(self, unit: str) -> AnyArray:
        """Values in a unit. AmountError if it has another dimension."""
        wanted = parse_unit("" if unit == "1" else unit)
        if wanted.powers[:-1] != self.powers[:-1]:
            raise AmountError(f"is {self.dimension} and cannot be expressed in {unit}")
        if wanted.powers[-1] != self.powers[-1] and not wanted.radians_only:
            own = self.default_unit()
            raise AmountError(f"is in {own}, which contains no angle. Multiply by '1 rad' or '1 rev' to get {unit}")
        return self.values if self.values.dtype == bool else self.values / wanted.factor

    def with_(self, values: Any, **changes: Any) -> Numbers:
        return replace(self, values=_limited(values, self.known), **changes)


def of_signal(signal: Signal, *, known: bool = True) -> Numbers:
    """Signal over time."""
    made = Numbers.of_unit(signal.values, signal.unit, known=known)
    return replace(made, signal=signal if made.values is signal.values else series_like(made.values, signal))


def series_like(values: AnyArray, signal: Signal) -> Signal:
    """Values computed from a signal, at its times."""
    return Signal("expression", np.asarray(values, dtype=np.float64), signal.time)


def _limited(values: Any, known: bool) -> AnyArray:
    """Checked values. Values that are unknown before the run become ones, so that later functions stay in their range."""
    array = np.asarray(values)
    if not known:
        return np.ones(array.shape, dtype=array.dtype)
    if array.dtype.kind == "f" and np.any(np.abs(array) > LARGEST):
        raise AmountError(f"the result is not a number below {LARGEST:g}")
    return array


def aligned(a: Numbers, b: Numbers) -> tuple[AnyArray, AnyArray, Signal | None]:
    """Values that can be combined: for each component, at the same times."""
    signal = a.signal or b.signal
    both = a.signal is not None and b.signal is not None and a.known and b.known
    if both and not np.array_equal(a.signal.time, b.signal.time):  # type: ignore[union-attr]
        names = " and ".join(f'"{x.signal.name}"' for x in (a, b) if x.signal is not None)
        raise AmountError(f"{names} are not sampled at the same times. Use final(...) of each")
    parts = [(x.values.shape[1:] if x.signal is not None else x.values.shape) for x in (a, b)]
    if all(parts) and parts[0] != parts[1] and a.shaped and b.shaped:
        raise AmountError(f"{_shape(parts[0])} and {_shape(parts[1])} cannot be combined")
    rank = max(len(part) for part in parts)
    values = [
        x.values.reshape(x.values.shape + (1,) * (rank - len(part))) if x.signal is not None else x.values
        for x, part in zip((a, b), parts, strict=True)
    ]
    if not (a.shaped and b.shaped):
        values = [np.ones((2,)) if x.signal is not None else np.ones(()) for x in (a, b)]
    return values[0], values[1], signal


def _shape(part: tuple[int, ...]) -> str:
    return f"{part[0]} components" if len(part) == 1 else f"an array of {' x '.join(map(str, part))} numbers"


def _joined(a: Numbers, b: Numbers, values: AnyArray, powers: Exponents, unit: str, signal: Signal | None) -> Numbers:
    known, shaped = a.known and b.known, a.shaped and b.shaped
    values = _limited(values, known)
    return Numbers(values, powers, unit, None if signal is None else series_like(values, signal), known, shaped)


def _number(a: Numbers) -> AnyArray:
    return a.values.astype(float) if a.values.dtype == bool else a.values


def _sum_powers(a: Numbers, b: Numbers, doing: str) -> Exponents:
    if a.powers[:-1] != b.powers[:-1]:
        raise AmountError(f"cannot {doing} {a.dimension} and {b.dimension}")
    return a.powers if a.powers[-1] else b.powers


def combined(a: Numbers, b: Numbers, sign: str) -> Numbers:
    """a + b, a - b, a * b, a / b or a % b."""
    x, y, signal = aligned(replace(a, values=_number(a)), replace(b, values=_number(b)))
    if sign in "/%" and b.known and np.any(y == 0):
        raise AmountError("division by zero")
    function: dict[str, Callable[[Any, Any], Any]] = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "/": _divided, "%": np.mod
    }  # fmt: skip
    if sign in "*/":
        s = 1 if sign == "*" else -1
        p, q = a.powers, b.powers
        powers = combined_powers(p, q, s)
        unit = a.unit if q == NONE else (b.unit if p == NONE and sign == "*" else "")
    else:
        powers = _sum_powers(a, b, {"+": "add", "-": "subtract", "%": "divide, for a remainder,"}[sign])
        unit = a.unit if a.unit == b.unit else ""
    return _joined(a, b, function[sign](x, y), powers, unit, signal)


def _divided(x: AnyArray, y: AnyArray) -> AnyArray:
    """Exact quotients of integers stay integers."""
    if x.dtype.kind == "i" and y.dtype.kind == "i" and not np.any(x % y):
        return np.asarray(x // y)
    return np.asarray(x / y)


def powered(a: Numbers, b: Numbers) -> Numbers:
    """a ** b. If a has a unit, the exponent must be one number that is known before the run."""
    if b.powers != NONE:
        raise AmountError(f"an exponent must not have a unit, got {b.dimension}")
    x, y, signal = aligned(replace(a, values=_number(a)), replace(b, values=_number(b)))
    powers = NONE
    if a.powers != NONE:
        if not b.known or b.values.ndim:
            raise AmountError("the exponent of a quantity with a unit must be one number that is known before the run")
        raised = raised_powers(a.powers, float(b.values))
        if any(power != round(power) or abs(power) > 12 for power in raised):
            raise AmountError(f"{a.dimension} to the power {b.values:g} does not have integer powers of the base units")
        powers = whole_powers(raised)
    if b.known and np.any(np.abs(y) > _MOST_EXPONENT):
        raise AmountError(f"an exponent is too large (at most {_MOST_EXPONENT:g})")
    with np.errstate(all="ignore"):
        whole = x.dtype.kind == "i" and y.dtype.kind == "i" and np.all(y >= 0)
        values = np.asarray(x.astype(float) ** y.astype(float))
        if whole and np.all(np.abs(values) < 2.0**53):
            values = np.asarray(x**y)
    if a.known and b.known and not np.all(np.isfinite(values)) and np.all(np.isfinite(x)):
        raise AmountError("a power is not a real number, or out of the range of numbers")
    return _joined(a, b, values, powers, "", signal)


def compared(a: Numbers, b: Numbers, sign: str) -> Numbers:
    """Comparison, a < b etc.: true or false."""
    _sum_powers(a, b, "compare")
    if a.signal is not None or b.signal is not None:
        raise AmountError("signals cannot be compared. Use final(...), max(...) or a similar function first")
    x, y, _ = aligned(a, b)
    function = {
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
        "==": np.equal,
        "!=": np.not_equal,
    }
    known, shaped = a.known and b.known, a.shaped and b.shaped
    return Numbers(np.asarray(function[sign](x, y)), known=known, shaped=shaped)


def listed(items: Sequence[Numbers]) -> Numbers:
    """[a, b, c]: a vector, or rows."""
    if not items:
        raise AmountError("a list must contain values, [1, 2, 3]")
    if any(item.signal is not None for item in items):
        raise AmountError(
            "a list must contain numbers. Use final(...), mean(...) or a similar function of a signal first"
        )
    for item in items[1:]:
        _sum_powers(items[0], item, "list")
    known, shaped = all(x.known for x in items), all(x.shaped for x in items)
    if shaped and len({item.values.shape for item in items}) > 1:
        raise AmountError("the items of a list have different sizes")
    units = {item.unit for item in items}
    values = np.stack([_number(item) for item in items]) if shaped else np.ones(len(items))
    return Numbers(values, items[0].powers, units.pop() if len(units) == 1 else "", known=known, shaped=shaped)


def picked(a: Numbers, index: int) -> Numbers:
    """a[i], from 0: component of a signal, or item of a list."""
    if not a.shaped:
        return a
    shape = a.values.shape[1:] if a.signal is not None else a.values.shape
    if not shape:
        raise AmountError(f"[{index}]: the value is one number, not a list")
    if not -shape[0] <= index < shape[0]:
        raise AmountError(
            f"[{index}]: " + (f"the list has {shape[0]} items, counted from 0" if shape[0] else "the list is empty")
        )
    if a.signal is None:
        return replace(a, values=np.asarray(a.values[index]))
    values = np.asarray(a.values[:, index])
    return replace(a, values=values, signal=series_like(values, a.signal))
