"""Parameters of a file: their declaration, computation in the order of dependencies, and use."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

from pitchline.errors import ModelError, near_names, shown
from pitchline.units.parser import DIMENSIONS, NONE
from pitchline.units.quantity import LARGEST, canonical_unit, dimension_name

from .amounts import RESERVED, Amount, AmountError, Expression, evaluate, is_expression, names_in, parse
from .key_lines import Path
from .sources import Sources

__all__ = [
    "KEYS",
    "Known",
    "Word",
    "compute",
    "descriptions",
    "filled",
    "plain_value",
    "DeclaredParameter",
    "declared_parameters",
]


KEYS = ("value", "description", "min", "max", "choices")
"""Keys of a parameter that is specified as a table."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORDS = ("and", "as", "assert", "async", "await", "class", "def", "del", "elif", "else", "except", "for", "from", "if",
          "import", "in", "is", "lambda", "not", "or", "pass", "return", "try", "while", "with", "yield", "None", "True", "False",
          "break", "continue", "finally", "global", "nonlocal", "raise")  # fmt: skip


class Word(str):
    """Value of a parameter that is one of several texts, e.g. the kind of a mesh."""


Known = Amount | Word
"""Value of a parameter."""


def plain_value(text: object) -> Any:
    """Value from the command line: an integer, a number, or the text itself."""
    if not isinstance(text, str):
        return text
    for kind in (int, float):
        try:
            return kind(text.strip())
        except ValueError:
            continue
    return text.strip()


def compute(sources: Sources, overrides: Mapping[str, object]) -> dict[str, Known]:
    """All parameters by name. Errors are added to the problems of the sources."""
    given = sources.data.get("parameters", {})
    if not isinstance(given, dict):
        sources.problems.append(
            sources.problem(("parameters",), f"must be a table of names and values, got {shown(given)}")
        )
        given = {}
    said = {name: _said_value(value, name, sources) for name, value in given.items()}
    plain = {name: value for name, value in said.items() if not is_expression(value) and not isinstance(value, dict)}
    own = {name: value for name, value in plain.items() if name in overrides}
    first = dict(said)
    for name, value in overrides.items():
        if name not in said:
            message = f'there is no parameter "{name}" to set; {near_names(name, said)}'
            sources.problems.append(sources.problem(("parameters",), message))
            continue
        if value is None:
            message = "must be a number, a text with a unit or a text, got None. Omit it for the value in the file"
            sources.problems.append(sources.problem(("parameters", name), message))
            said[name] = None
            continue
        said[name] = (
            _chosen(said[name], value) if isinstance(said[name], dict) else _replaced(name, plain_value(value), first)
        )
    trees: dict[str, Expression] = {}
    known: dict[str, Known] = {}
    for name, value in said.items():
        if value is None:  # its error is already reported
            continue
        try:
            if isinstance(value, dict):
                known[_checked(name)] = _word(value)
            elif is_expression(value):
                trees[_checked(name)] = parse(value)
            else:
                known[_checked(name)] = _amount(value)
        except (AmountError, ModelError) as error:
            _wrong(sources, ("parameters", name), error)
    _evaluate(trees, known, said, sources)
    for name, value in own.items():
        _check_kind(name, value, known, sources)
    for name, table in given.items():
        if isinstance(table, dict) and name in known:
            _check_bounds(name, table, known, sources)
    return known


def _replaced(name: str, value: Any, said: Mapping[str, Any]) -> Any:
    """Value that replaces that of the file. A plain number is in SI units of the same dimension.

    For a frequency it is in Hz, as everywhere, although rad/s is the coherent SI unit.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if isinstance(said.get(name), str) and said[name].rstrip().endswith("Hz") and abs(value) <= LARGEST:
        return f"{value!r} Hz"
    own = _first_value(name, said, ())
    if (
        own is None or own.powers == NONE or not abs(value) <= LARGEST
    ):  # too large: refused with its name, where it is read
        return value
    return Amount(float(value), own.powers).plain


def _first_value(name: str, said: Mapping[str, Any], above: tuple[str, ...]) -> Amount | None:
    """Value of a parameter as in the file; None if it has none, which is reported elsewhere."""
    value = said.get(name)
    if value is None or isinstance(value, dict) or name in above:
        return None
    try:
        if not is_expression(value):
            return _amount(value)
        tree = parse(value)
        needs = {other: _first_value(other, said, (*above, name)) for other in names_in(tree)}
        return evaluate(tree, {other: amount for other, amount in needs.items() if amount is not None})
    except (AmountError, ModelError):
        return None


def descriptions(sources: Sources) -> dict[str, str]:
    """Descriptions of the parameters, by name."""
    given = sources.data.get("parameters", {})
    tables = (
        {name: table for name, table in given.items() if isinstance(table, dict)} if isinstance(given, dict) else {}
    )
    return {name: str(table["description"]) for name, table in tables.items() if "description" in table}


def _said_value(value: Any, name: str, sources: Sources) -> Any:
    """Value of a parameter, which can be in a table with a description and bounds; None in case of an error."""
    if not isinstance(value, dict):
        return value
    path: Path = ("parameters", name)
    wrong = [key for key in value if key not in KEYS]
    for key in wrong:
        sources.problems.append(sources.problem((*path, key), f'unknown key "{key}"; {near_names(key, KEYS)}'))
    if "choices" in value:
        return value
    if "value" not in value:
        sources.problems.append(sources.problem(path, '"value" is missing. Add it'))
    if not isinstance(value.get("description", ""), str):
        text = f"must be a text, got {shown(value['description'])}"
        sources.problems.append(sources.problem((*path, "description"), text))
    return value.get("value")


def _check_kind(name: str, said: Any, known: dict[str, Known], sources: Sources) -> None:
    """Check that a new value has the dimension of the value in the file, or is a number in SI units."""
    try:
        own = _amount(said)
    except (AmountError, ModelError):  # already reported
        return
    new = known.get(name)
    if isinstance(new, Amount) and NONE not in (own.powers, new.powers) and own.powers[:-1] != new.powers[:-1]:
        message = f"got {new} ({dimension_name(new.powers)}), expected {dimension_name(own.powers)}, e.g. {shown(said)}"
        sources.problems.append(sources.problem(("parameters", name), message))
        del known[name]


def _check_bounds(name: str, table: Mapping[str, Any], known: Mapping[str, Known], sources: Sources) -> None:
    value = known[name]
    if not isinstance(value, Amount):
        return
    for key, sign, words in (("min", 1.0, "less than the lower limit"), ("max", -1.0, "greater than the upper limit")):
        if key not in table:
            continue
        path: Path = ("parameters", name, key)
        try:
            bound = evaluate(parse(table[key]), known) if is_expression(table[key]) else _amount(table[key])
            if NONE not in (bound.powers, value.powers) and bound.powers[:-1] != value.powers[:-1]:
                raise AmountError(
                    f"is {dimension_name(bound.powers)}, but the parameter is {dimension_name(value.powers)}"
                )
        except (AmountError, ModelError) as error:
            _wrong(sources, path, error)
            continue
        if sign * (value.value - bound.value) < 0.0:
            sources.problems.append(sources.problem(("parameters", name), f"{value} is {words}, {bound}"))


def _evaluate(trees: dict[str, Expression], known: dict[str, Known], said: Mapping[str, Any], sources: Sources) -> None:
    needs = {name: {other for other in names_in(tree) if other in trees} for name, tree in trees.items()}
    while True:
        sorter = TopologicalSorter(needs)
        try:
            order = list(sorter.static_order())
            break
        except CycleError as error:
            ring = error.args[1][::-1]
            chain = " -> ".join(ring[:12]) + (" -> ..." if len(ring) > 12 else "")
            for name in set(ring):
                needs.pop(name, None)
            message = f"circular reference of parameters: {chain}. Specify a value for one of them"
            sources.problems.append(sources.problem(("parameters", ring[0]), message))
            needs = {name: others & set(needs) for name, others in needs.items()}
    for name in order:
        missing = [other for other in names_in(trees[name]) if other in said and other not in known]
        if missing:  # its error is already reported
            continue
        try:
            known[name] = evaluate(trees[name], known)
        except AmountError as error:
            _wrong(sources, ("parameters", name), error)


def _checked(name: str) -> str:
    if not _NAME.match(name) or name in _WORDS:
        raise AmountError(
            f"{shown(name)} cannot be used in expressions. Names of parameters consist of letters, digits and _, e.g. face_width"
        )
    if name in RESERVED:
        raise AmountError(f'"{name}" is a reserved name of expressions. Choose another name')
    return name


def _chosen(given: dict[str, Any], value: object) -> dict[str, Any]:
    """Table of choices with another value."""
    return {**given, "value": value}


def _word(table: Mapping[str, Any]) -> Word:
    """Selected text of a table { choices = [...], value = "..." }; default: the first choice."""
    choices = table.get("choices")
    if set(table) - {"choices", "value", "description"} or not isinstance(choices, list) or not choices:
        raise AmountError(f'must be a table, e.g. {{ choices = ["elastic", "loaded"] }}, got {shown(dict(table))}')
    if not all(isinstance(word, str) and word.isprintable() and word.strip() for word in choices):
        raise AmountError(f"choices must be texts, got {shown(choices)}")
    value = table.get("value", choices[0])
    if not isinstance(value, str) or value not in choices:
        raise AmountError(f"{shown(value)} is not one of the choices; {near_names(str(value), choices)}")
    return Word(value)


def _amount(value: object) -> Amount:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise AmountError(
            f'must be a number, a text with a unit, a text "= expression", or {{ choices = [...] }}, got {shown(value)}'
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise AmountError(f"{value} is not finite. Specify a finite number")
    return Amount.of(value, shown(value))


def filled(value: Any, path: Path, known: Mapping[str, Known], sources: Sources) -> Any:
    """Value of the file with all its expressions evaluated. An expression with an error is reported, and not changed."""
    if isinstance(value, dict):
        return {key: filled(item, (*path, key), known, sources) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, (*path, n), known, sources) for n, item in enumerate(value)]
    if not is_expression(value):
        return value
    try:
        tree = parse(value)
        given = sources.data.get("parameters")
        if any(isinstance(given, dict) and name in given and name not in known for name in names_in(tree)):
            return Broken(value)  # its error is already reported
        if isinstance(tree, ast.Name) and isinstance(known.get(tree.id), Word):
            return str(known[tree.id])
        return evaluate(tree, known).plain
    except (AmountError, ModelError) as error:
        _wrong(sources, path, error)
        return Broken(value)


class Broken(str):
    """Expression without a value; the error is already reported."""


def _wrong(sources: Sources, path: Path, error: Exception) -> None:
    sources.problems.append(sources.problem(path, str(error)))


# ---- declared parameters

# Declared parameters of a model file for input forms: value and unit, bounds, choices, description.

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
