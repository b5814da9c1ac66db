"""Declared parameters of a model file for input forms: value and unit, bounds, choices, description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from ..units import canonical_unit, dimension_name
from ..units.table import DIMENSIONS, NONE
from .amounts import Amount
from .expressions import evaluate, is_expression, parse
from .parameters import Known, Word
from .sources import Sources

__all__ = ["DeclaredParameter", "declared_parameters"]

_QUANTITY = re.compile(r"\s*(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<unit>[^\s\d].*)\Z", re.DOTALL)
_ALWAYS = ("name", "value", "unit", "text")


@dataclass(frozen=True)
class DeclaredParameter:
    """One parameter.

    value:     its number in `unit`, or its text
    unit:      as in the file; empty for a plain number or a text
    text:      its description, or the comment on its line
    low, high: bounds in `unit`, or None
    choices:   allowed texts; empty for a number
    formula:   expression of a computed parameter, e.g. "= 2 * teeth"; empty for a value
    """

    name: str
    value: str
    unit: str = ""
    text: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    formula: str = ""

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON; empty entries are left out."""
        return {key: value for key, value in asdict(self).items() if key in _ALWAYS or value not in (None, (), "")}


def declared_parameters(
    sources: Sources, known: Mapping[str, Known], overrides: Mapping[str, object]
) -> tuple[DeclaredParameter, ...]:
    """Parameters of a file without problems. known: their values; overrides: values set by the user."""
    given = sources.data.get("parameters", {})
    return tuple(
        _declared(name, said, known, _remark(sources.line_text(("parameters", name))), is_set=name in overrides)
        for name, said in given.items()
    )


def _declared(name: str, said: Any, known: Mapping[str, Known], remark: str, *, is_set: bool) -> DeclaredParameter:
    table = said if isinstance(said, dict) else {"value": said}
    text = str(table.get("description", "")) or remark
    value = known[name]
    if isinstance(value, Word):
        return DeclaredParameter(name, str(value), text=text, choices=tuple(table["choices"]))
    raw = table["value"]
    formula = str(raw).strip() if is_expression(raw) and not is_set else ""
    quantity = _QUANTITY.match(raw) if isinstance(raw, str) and not is_expression(raw) else None
    unit, scale = _unit_of(quantity, value)
    number = quantity["number"] if quantity and not is_set else _number(value, scale)
    low, high = (_bound(table.get(key), known, scale) for key in ("min", "max"))
    return DeclaredParameter(name, number, unit, text, low, high, formula=formula)


def _unit_of(quantity: re.Match[str] | None, value: Amount) -> tuple[str, float]:
    """Unit of a parameter in the file, and its size in SI units; the usual unit if the parameter is computed."""
    if quantity:
        unit = quantity["unit"].strip()
    elif value.powers == NONE:
        return "", 1.0
    else:
        dimension = dimension_name(value.powers).split(" or ")[0]
        unit = (
            canonical_unit(dimension)
            if dimension in DIMENSIONS
            else str(Amount(1.0, value.powers).plain).partition(" ")[2]
        )
    return unit, float(Amount.of(f"1 {unit}", unit).value)


def _number(value: Amount, scale: float) -> str:
    return str(value.value) if isinstance(value.value, int) and scale == 1.0 else f"{value.value / scale:.12g}"


def _bound(raw: Any, known: Mapping[str, Known], scale: float) -> float | None:
    if raw is None:
        return None
    amounts = {name: amount for name, amount in known.items() if isinstance(amount, Amount)}
    bound = evaluate(parse(raw), amounts) if is_expression(raw) else Amount.of(raw)
    return float(f"{bound.value / scale:.12g}")


@lru_cache(maxsize=1024)
def _remark(line: str) -> str:
    """The comment at the end of a line of TOML."""
    quote = ""
    for k, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote and (quote == "'" or line[k - 1] != "\\") else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            return line[k + 1 :].strip()
    return ""
