"""``pitchline check-element``: check that a user-defined element meets the requirements of elements."""

from __future__ import annotations

import argparse
import math

from .exit_status import FINE, WRONG
from .options import Commands, command

__all__ = ["add"]

EXAMPLES = """\
  pitchline check-element my.module:CubicSpring     your own class; modules are found from the current folder
  pitchline check-element cubic_spring              an element of the package
  pitchline check-element my.module:Drag --states 200

Values are drawn from the ranges number(..., check=(low, high)) of the declaration. Other values are the defaults.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "check-element",
        "check a user-defined element",
        "Evaluate an element at random states. Compare tangents with finite differences, and forces with power and energies.",
        EXAMPLES,
        _check_element,
    )
    parser.add_argument(
        "element", metavar="MODULE:CLASS", help="class derived from pitchline.extend.Element; its module is imported"
    )
    parser.add_argument("--states", metavar="N", type=int, default=20, help="number of random states (default: 20)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the random numbers (default: 0)")


def _check_element(given: argparse.Namespace) -> int:
    from ..elements.contract_checks import check_element
    from ..elements.random_declared import random_declared
    from ..errors import ModelError
    from ..files.element_types import element_class
    from .jobs import read_allowed

    if given.states < 1:
        raise ModelError(f"--states {given.states}: must be at least 1")
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
