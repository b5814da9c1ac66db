"""Expressions over parameters: parsed by Python's parser, evaluated by an evaluator that only supports arithmetic.

Nothing is compiled, and only the functions of `amounts` are called. Length, depth, exponents and sizes are limited, so
that no
text can run code, block the program or fill the memory.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Mapping
from functools import lru_cache

from ..errors import UnitError, near_names, shown
from . import amounts
from .amounts import FUNCTIONS, Amount, AmountError

__all__ = ["LONGEST", "RESERVED", "Expression", "evaluate", "is_expression", "names_in", "parse", "read_tree"]

LONGEST = 500
"""Largest number of characters."""
MOST_KEPT = 1024
"""Number of parsed expressions that are kept."""
_DEEPEST = 40
RESERVED = ("pi", *FUNCTIONS)
_CONSTANTS = {"pi": Amount(math.pi)}
_HELP = f"use + - * / ** %, parentheses, numbers, texts with units, parameters, pi, {', '.join(FUNCTIONS)}"

Expression = ast.expr


def is_expression(value: object) -> bool:
    """Whether a value of a file is an expression: a text that starts with "="."""
    return isinstance(value, str) and (value.startswith("=") or value.lstrip().startswith("="))


def read_tree(body: str, *, longest: int, cut_into: str, help_text: str) -> Expression:
    """Syntax tree of an expression without its "=". AmountError if it is not an expression. The kinds of its nodes are
    not checked."""
    if len(body) > longest:
        raise AmountError(
            f"the expression has {len(body)} characters, but at most {longest} are allowed. Split it into {cut_into}"
        )
    if not body:
        raise AmountError('the expression after "=" is empty')
    if not body.isprintable():
        raise AmountError(f"{shown(body)} contains characters that cannot be printed")
    if "^" in body and '"' not in body and "'" not in body:
        raise AmountError(f"{shown(body)}: use ** for powers, e.g. r**2")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(body, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise AmountError(f"{shown(body)} is not a valid expression; {help_text}") from None


@lru_cache(maxsize=MOST_KEPT)
def parse(text: str) -> Expression:
    """Syntax tree of the text "= ...", which must not be changed. AmountError if it is not an expression."""
    body = text.lstrip().removeprefix("=").strip()
    tree = read_tree(body, longest=LONGEST, cut_into="parameters", help_text=_HELP)
    _check(tree, body, 0)
    return tree


@lru_cache(maxsize=MOST_KEPT)
def names_in(tree: Expression) -> tuple[str, ...]:
    """Parameters that an expression needs."""
    return tuple(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in RESERVED)


def evaluate(tree: Expression, known: Mapping[str, Amount | str]) -> Amount:
    """Evaluate; AmountError describes errors."""
    if isinstance(tree, ast.Constant):
        return _constant(tree.value)
    if isinstance(tree, ast.Name):
        if tree.id in _CONSTANTS:
            return _CONSTANTS[tree.id]
        if tree.id not in known:
            raise AmountError(f'unknown parameter "{tree.id}"; {near_names(tree.id, known)}')
        found = known[tree.id]
        if isinstance(found, str):
            raise AmountError(
                f'parameter "{tree.id}" is the text {shown(found)}, not a quantity. Use it only as "= {tree.id}"'
            )
        return found
    if isinstance(tree, ast.UnaryOp):
        inner = evaluate(tree.operand, known)
        return Amount(-inner.value, inner.powers) if isinstance(tree.op, ast.USub) else inner
    if isinstance(tree, ast.BinOp):
        a, b = evaluate(tree.left, known), evaluate(tree.right, known)
        if isinstance(tree.op, (ast.Add, ast.Sub)):
            return amounts.summed(a, b, 1 if isinstance(tree.op, ast.Add) else -1)
        return _PRODUCTS[type(tree.op)](a, b)
    assert isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)
    function, fewest, most = FUNCTIONS[tree.func.id]
    if not fewest <= len(tree.args) <= most:
        count = str(fewest) if fewest == most else f"{fewest} or more"
        raise AmountError(f"{tree.func.id}(...) takes {count} arguments, got {len(tree.args)}")
    return function(*(evaluate(item, known) for item in tree.args))


_PRODUCTS = {ast.Mult: amounts.times, ast.Div: amounts.divided, ast.Mod: amounts.modulo, ast.Pow: amounts.powered}


def _constant(value: object) -> Amount:
    try:
        return Amount.of(value, "the expression")
    except UnitError as error:
        raise AmountError(str(error)) from None


def _check(node: ast.expr, body: str, depth: int) -> None:
    """Check that every node is of an allowed kind."""
    if depth > _DEEPEST:
        raise AmountError(f"{shown(body)} has too many nested levels (more than {_DEEPEST}). Split it into parameters")
    inner: list[ast.expr] = []
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float, str)):
            raise AmountError(f"{shown(node.value)} in {shown(body)} is not a quantity; {_HELP}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, *_PRODUCTS)):
        inner = [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in FUNCTIONS:
            raise AmountError(
                f'unknown function "{node.func.id}" in {shown(body)}; {near_names(node.func.id, FUNCTIONS)}'
            )
        inner = node.args
    elif isinstance(node, ast.Name):
        if node.id in FUNCTIONS:
            raise AmountError(f'"{node.id}" in {shown(body)} is a function; write {node.id}(...)')
    else:
        said = type(node).__name__
        raise AmountError(f"{shown(body)} is not plain arithmetic ({said}); {_HELP}")
    for item in inner:
        _check(item, body, depth + 1)
