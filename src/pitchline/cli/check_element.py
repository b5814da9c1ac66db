"""``pitchline check-element``: whether an element of one's own keeps the contract of elements."""

from __future__ import annotations

import argparse
import math

from .exit_status import FINE, WRONG
from .options import Commands, command

__all__ = ["add"]

EXAMPLES = """\
  pitchline check-element my.module:CubicSpring     a class of your own, found from the present folder
  pitchline check-element cubic_spring              an element of the package
  pitchline check-element my.module:Drag --states 200

Values come from the ranges number(..., check=(low, high)) of its declaration, or are its defaults.
"""


def add(commands: Commands) -> None:
    """Its options."""
    parser = command(
        commands,
        "check-element",
        "check an element of your own",
        "Evaluate an element at random states and compare tangents with differences, forces, power and energies with each other.",
        EXAMPLES,
        _check_element,
    )
    parser.add_argument(
        "element", metavar="MODULE:CLASS", help="a class derived from pitchline.extend.Element; its module is run"
    )
    parser.add_argument("--states", metavar="N", type=int, default=20, help="number of random states (20)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the random numbers (0)")


def _check_element(given: argparse.Namespace) -> int:
    from ..elements.contract_checks import check_element
    from ..elements.random_declared import random_declared
    from ..errors import ModelError
    from ..files.element_types import element_class
    from .jobs import read_allowed

    if given.states < 1:
        raise ModelError(f"--states {given.states}: give at least 1")
    cls = element_class(given.element, read_allowed([given.element.partition(":")[0]]))
    verdicts, element = check_element(lambda rng: random_declared(cls, rng), states=given.states, seed=given.seed)
    print(f"{cls.__name__}: {cls.what()}")
    print(f"{given.states} random states, {len(element.nodes)} nodes, {element.size()} rows\n")
    width = max(len(verdict.check.name) for verdict in verdicts)
    print(f"{'check':<{width}}  {'worst':>9}  {'allowed':>9}")
    for verdict in verdicts:
        worst = "-" if verdict.worst is None else _number(verdict.worst)
        how = "does not apply" if verdict.worst is None else "pass" if verdict.passed else "FAIL"
        reason = f": {verdict.reason}" if verdict.reason else ""
        print(f"{verdict.check.name:<{width}}  {worst:>9}  {_number(verdict.check.allowed):>9}  {how}{reason}")
    return FINE if all(verdict.passed for verdict in verdicts) else WRONG


def _number(value: float) -> str:
    if value == 0.0:
        return "equal"
    return "differs" if math.isinf(value) else f"{value:.1e}"
