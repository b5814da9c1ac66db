"""Parsing and evaluation of expressions of figures, such as "= mean('mesh.normal_force') / load", and cells of tables.

Expressions of figures: "= mean('mesh.normal_force') / load". Parsed by Python's parser, evaluated by a restricted
evaluator.

As in `amounts`, nothing is compiled, and only the functions of `figure_functions` are called. Length, depth and
sizes are
limited. A text in an expression is a quantity if it starts with a number, '5 mm'. Otherwise it is the name of a signal.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pitchline.errors import ModelError, PitchlineError, near_names, shown

from .amounts import MOST_KEPT, Amount, AmountError, read_tree
from .figure_functions import FUNCTIONS
from .figure_numbers import Numbers, combined, compared, listed, picked, powered

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = [
    "OF_MODES",
    "Chain",
    "ExpressionScope",
    "evaluate_figure",
    "parse_figure",
    "cell_of_table",
    "planned_cell",
    "table_names",
]


LONGEST = 1000
"""Largest number of characters."""
_DEEPEST = 40
_MOST_ITEMS = 200
_HELP = (
    "use + - * / ** %, < >, parentheses, lists [a, b], numbers, texts with units, signal names in quotes, parameters, earlier "
    f"figures, properties, e.g. gears.NAME.teeth, and the functions {', '.join([*FUNCTIONS, 'frequency', 'damping_ratio'])}"
)
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
OF_MODES = {"frequency": "frequencies", "damping_ratio": "damping_ratios"}
"""Functions of a mode, and the property of modes that they return."""

Chain = tuple["str | int | tuple[str | int, ...]", ...]
"""gears.pinion.teeth or analyses["c"].patch(0, 1).area, step by step; a tuple contains the arguments of a call of the
step before."""


class ExpressionScope(Protocol):
    """Meaning of names in an expression."""

    def name(self, name: str) -> Numbers: ...

    def signal(self, text: str) -> Numbers | None: ...

    def chain(self, chain: Chain) -> Numbers: ...

    def mode(self, analysis: str | None, prop: str, mode: int) -> Numbers: ...


@lru_cache(maxsize=MOST_KEPT)
def parse_figure(text: str) -> ast.expr:
    """Syntax tree of the text "= ...", which must not be changed. AmountError if it is not an expression."""
    body = text.lstrip().removeprefix("=").replace("\n", " ").replace("\r", " ").replace("\t", " ").strip()
    tree = read_tree(body, longest=LONGEST, cut_into="figures with show = false", help_text=_HELP)
    _check(tree, body, 0)
    return tree


def _check(node: ast.expr, body: str, depth: int) -> None:
    """Check that every node is of an allowed kind."""
    if depth > _DEEPEST:
        raise AmountError(
            f"{shown(body)} has too many nested levels (more than {_DEEPEST}). Split it into figures with show = false"
        )
    inner: Sequence[ast.expr] = []
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float, str)):
            raise AmountError(f"{shown(node.value)} in {shown(body)} is not a quantity; {_HELP}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (*_SIGNS, ast.Pow)):
        inner = [node.left, node.right]
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], tuple(_COMPARED)):
        inner = [node.left, *node.comparators]
    elif isinstance(node, ast.List) and len(node.elts) <= _MOST_ITEMS:
        inner = node.elts
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in (*FUNCTIONS, *OF_MODES):
            known = [*FUNCTIONS, *OF_MODES]
            raise AmountError(f'unknown function "{node.func.id}" in {shown(body)}; {near_names(node.func.id, known)}')
        inner = node.args
    elif isinstance(node, ast.Subscript) and not _is_chain(node):
        _index(node, body)
        inner = [node.value]
    elif isinstance(node, ast.Name) or _is_chain(node):
        return
    else:
        raise AmountError(f"{shown(body)} is not plain arithmetic ({type(node).__name__}); {_HELP}")
    for item in inner:
        _check(item, body, depth + 1)


def _index(node: ast.Subscript, body: str) -> int:
    at, sign = node.slice, 1
    if isinstance(at, ast.UnaryOp) and isinstance(at.op, ast.USub):
        at, sign = at.operand, -1
    if not isinstance(at, ast.Constant) or isinstance(at.value, bool) or not isinstance(at.value, int):
        raise AmountError(f"{shown(body)}: an index must be an integer, e.g. [0]")
    return sign * at.value


def _is_chain(node: ast.expr) -> bool:
    return isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)) and _chain(node) is not None


def _chain(node: ast.expr) -> Chain | None:
    """Name with its attributes, keys and calls; None for other expressions."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        before = _chain(node.value)
        return None if before is None else (*before, node.attr)
    if isinstance(node, ast.Subscript):
        before = _chain(node.value)
        at = node.slice
        negative = isinstance(at, ast.UnaryOp) and isinstance(at.op, ast.USub)
        inner = at.operand if isinstance(at, ast.UnaryOp) else at
        if before is None or not isinstance(inner, ast.Constant) or isinstance(inner.value, (bool, float)):
            return None
        if not isinstance(inner.value, (int, str)) or (isinstance(inner.value, str) and inner is not at):
            return None
        return (*before, -inner.value if negative and isinstance(inner.value, int) else inner.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        before = _chain(node.func)
        given = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, (int, str))]
        return None if before is None or len(given) < len(node.args) else (*before, tuple(given))
    return None


def evaluate_figure(tree: ast.expr, scope: ExpressionScope) -> Numbers:
    """Evaluate; AmountError describes errors."""
    try:
        with np.errstate(all="ignore"):
            return _value(tree, scope)
    except AmountError:
        raise
    except (ModelError, PitchlineError) as error:
        raise AmountError(str(error)) from error
    except (
        TypeError,
        ValueError,
        ArithmeticError,
        LookupError,
        AttributeError,
    ) as error:  # shapes that no function checks
        raise AmountError(f"cannot be computed: {shown(str(error), width=200)}") from error


def _value(tree: ast.expr, scope: ExpressionScope) -> Numbers:
    if isinstance(tree, ast.Constant):
        return _constant(tree.value, scope)
    if isinstance(tree, ast.Name):
        return Numbers(np.asarray(math.pi)) if tree.id == "pi" else scope.name(tree.id)
    if isinstance(tree, ast.UnaryOp):
        inner = _value(tree.operand, scope)
        return combined(Numbers(np.asarray(-1)), inner, "*") if isinstance(tree.op, ast.USub) else inner
    if isinstance(tree, ast.BinOp):
        a, b = _value(tree.left, scope), _value(tree.right, scope)
        return powered(a, b) if isinstance(tree.op, ast.Pow) else combined(a, b, _SIGNS[type(tree.op)])
    if isinstance(tree, ast.Compare):
        return compared(_value(tree.left, scope), _value(tree.comparators[0], scope), _COMPARED[type(tree.ops[0])])
    if isinstance(tree, ast.List):
        return listed([_value(item, scope) for item in tree.elts])
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        return _called(tree.func.id, tree.args, scope)
    chain = _chain(tree)
    if chain is not None:
        return scope.chain(chain)
    assert isinstance(tree, ast.Subscript)
    return picked(_value(tree.value, scope), _index(tree, "the index"))


def _called(name: str, given: Sequence[ast.expr], scope: ExpressionScope) -> Numbers:
    if name in OF_MODES:
        texts = [a.value for a in given if isinstance(a, ast.Constant)]
        analysis = texts[0] if len(texts) == 2 and isinstance(texts[0], str) else None
        mode = texts[-1] if texts else None
        if len(texts) != len(given) or not isinstance(mode, int) or mode < 1 or len(texts) > 1 + (analysis is not None):
            raise AmountError(f'{name}(...) takes the number of a mode, from 1: {name}(2), or {name}("analysis", 2)')
        return scope.mode(analysis, OF_MODES[name], mode)
    function = FUNCTIONS[name]
    if not function.fewest <= len(given) <= function.most:
        count = str(function.fewest) if function.fewest == function.most else f"{function.fewest} to {function.most}"
        raise AmountError(f"{name}(...) takes {count} arguments, got {len(given)}: {function.says}")
    return function.call(*(_value(item, scope) for item in given))


def _constant(value: object, scope: ExpressionScope) -> Numbers:
    if isinstance(value, str):
        found = scope.signal(value)
        if found is not None:
            return found
    return Numbers.of_amount(Amount.of(value, "the expression"))


# ---- table figures

# Numbers of results tables in expressions of figures: analyses.rest.bearing_loads.B1.radial.


def table_names() -> tuple[str, ...]:
    """Names of the tables."""
    from pitchline.results.all_tables import COLUMNS_OF

    return tuple(COLUMNS_OF)


def planned_cell(chain: Chain) -> Numbers:
    """Placeholder before the run: 1 with the right unit. Rows are known only with the result."""
    *_, unit = _read(chain)
    return Numbers.of_unit(1.0, unit, known=False, shaped=False)


def cell_of_table(result: Result, chain: Chain, after: float | None, before: float | None) -> Numbers:
    """The number; for a record over time its mean, or with _max or _rms after the column name its maximum or rms."""
    table, part, key, statistic, unit = _read(chain)
    made = getattr(result, table)(after=after, before=before)
    try:
        several = len(made.statistics) > 1
        return Numbers.of_unit(made[(part, key, statistic)] if several else made[part, key], unit)
    except PitchlineError as error:
        raise AmountError(str(error)) from error


def _read(chain: Chain) -> tuple[str, str, str, str, str]:
    """Table, row, column, statistic and unit."""
    from pitchline.results.all_tables import COLUMNS_OF

    table = str(chain[0])
    if len(chain) != 3 or not all(isinstance(step, str) for step in chain):
        raise AmountError(f'{table}: specify the row and the column: {table}.PART.COLUMN, or {table}["PART"].COLUMN')
    part, column = str(chain[1]), str(chain[2])
    units = {one.key: one.unit for one in COLUMNS_OF[table]}
    key, statistic = column, "mean"
    for ending in ("max", "rms", "mean"):
        if column not in units and column.endswith(f"_{ending}"):
            key, statistic = column.removesuffix(f"_{ending}"), ending
    if key not in units:
        raise AmountError(f'{table}: there is no column "{column}"; {near_names(column, units)}')
    return table, part, key, statistic, units[key]
