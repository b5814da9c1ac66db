"""A failing machine with as few parts, options and digits as possible, and the script that shows the failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Case, Skip, Violation
from machines.machine import Machine, Part, script
from machines.values import SAME, Call, Change, Value

Invariance = Callable[[Case], None]
PLACED = ("axis", "position", "orientation")
"""Arguments whose default is an axis or a point of the world: without them a machine is not moved as a whole."""
MOST_TRIALS = 200
KEPT = ("material", "smoothing_speed", "friction_speed", "efficiency_speed", "creep_speed")
"""Arguments whose default has a unit: without them a machine does not scale."""


def failure(machine: Machine, invariance: Invariance, key: list[int]) -> Exception | None:
    """Violation of an invariance by a machine, or an error that the program does not name; None if it holds."""
    case = Case(machine, np.random.default_rng(key))
    try:
        invariance(case)
    except Skip:
        return None
    except Exception as error:  # an error of the program is a violation too
        return error
    return None


def shrunk(machine: Machine, invariance: Invariance, key: list[int], trials: int = MOST_TRIALS) -> Machine:
    """Smaller machine that fails in the same way."""
    first = failure(machine, invariance, key)
    kind = type(first)
    left = trials
    progress = True
    while progress and left > 0:
        progress = False
        for smaller in _smaller(machine):
            left -= 1
            if left <= 0:
                break
            try:
                again = failure(smaller, invariance, key)
            except Exception:  # a machine that cannot be built is not smaller
                continue
            if type(again) is kind and _same(first, again):
                machine, progress = smaller, True
                break
    return machine


def _same(first: Exception | None, again: Exception | None) -> bool:
    """Whether two failures have the same form: the quantity of a violation, or the end of the message of an error."""
    if isinstance(first, Violation):
        return _quantity(str(first)) == _quantity(str(again))
    return str(first)[-40:] == str(again)[-40:]


def _quantity(text: str) -> tuple[str, str]:
    """First word of a violation, and the signal without the name of its part."""
    before, _, signal = text.partition(": ")
    return before.split()[0], signal.partition(":")[0].rpartition(".")[2] if "." in signal.partition(":")[0] else ""


def _smaller(machine: Machine) -> Iterator[Machine]:
    """Machines with one part, option or digit less."""
    for part in reversed(machine.parts):
        without = machine.without(part.name)
        if without.parts:
            yield without
    if any(machine.gravity):
        yield replace(machine, gravity=(0.0, 0.0, 0.0))
    if machine.steps > 1:
        yield replace(machine, steps=max(1, machine.steps // 4))
    for i, part in enumerate(machine.parts):
        for key in part.given:
            if key in KEPT or key in PLACED:
                continue
            given = {k: v for k, v in part.given.items() if k != key}
            yield _with(machine, i, replace(part, given=given))
    for i, part in enumerate(machine.parts):
        for key, value in part.given.items():
            for simple in _simpler(value):
                yield _with(machine, i, replace(part, given={**part.given, key: simple}))


def _with(machine: Machine, i: int, part: Part) -> Machine:
    return machine.with_parts([*machine.parts[:i], part, *machine.parts[i + 1 :]])


def _simpler(value: Any) -> Iterator[Any]:
    """Values with fewer options or digits."""
    if isinstance(value, Call):
        for key in value.given:
            if key not in KEPT:
                yield replace(value, given={k: v for k, v in value.given.items() if k != key})
        for key, inner in value.given.items():
            for simple in _simpler(inner):
                yield replace(value, given={**value.given, key: simple})
        return
    inner = getattr(value, "value", None)
    if not isinstance(value, Value) or inner is None or isinstance(inner, (str, bool)):
        return
    try:
        numbers = np.asarray(inner, float)
    except (TypeError, ValueError):
        return
    name = type(value).__name__
    options = [] if name in ("Turn", "OwnTurn") else [_digits(numbers, 1), _digits(numbers, 2)]
    if name in ("Turn", "OwnTurn", "Tensor", "Matrix6"):
        options = [np.eye(len(numbers)) * _scale(numbers), *([np.diag(np.diag(numbers))] if name != "Turn" else [])]
    elif name in ("Point", "Arrow", "OwnArrow"):
        options += [np.zeros(3)] if name != "Arrow" or value.unit else [np.array([0.0, 0.0, 1.0])]  # type: ignore[attr-defined]
    for option in options:
        if not np.array_equal(option, numbers):
            yield replace(value, value=_plain(option))  # type: ignore[type-var]


def _scale(numbers: np.ndarray) -> float:
    return float(f"{abs(np.linalg.det(numbers)) ** (1 / len(numbers)):.1g}")


def _digits(numbers: np.ndarray, digits: int) -> np.ndarray:
    return np.vectorize(lambda x: float(f"{x:.{digits}g}"), otypes=[float])(numbers)


def _plain(numbers: np.ndarray) -> Any:
    value = numbers.tolist()
    return tuple(map(tuple, value)) if numbers.ndim == 2 else tuple(value) if numbers.ndim == 1 else value


def report(machine: Machine, name: str, error: Exception) -> str:
    """Script of a few lines: both models, and what is compared."""
    lines = [f"# {name}: {str(error)[:300]}", "import pitchline as pl", script(machine)]
    other, by = getattr(error, "other", None), getattr(error, "by", SAME)
    if other is not None:
        lines += ["# the same machine after the change:", script(other, by, "other")]
        lines += [_analysis(str(error), "m", machine, SAME), _analysis(str(error), "other", other, by)]
    else:
        lines.append(_analysis(str(error), "m", machine, SAME))
    code = getattr(error, "code", "")
    return "\n".join([*lines, *([code] if code else [])])


def _analysis(text: str, variable: str, machine: Machine, by: Change) -> str:
    if text.startswith("statics"):
        return f"pl.statics({variable})"
    if text.startswith("modes"):
        return f"print(pl.modes({variable}).eigenvalues)"
    options = "".join(f", {key}={value!r}" for key, value in {**machine.time(by), **machine.options}.items())
    run = f"run = pl.dynamics({variable}{options})"
    signal = text.partition("motion: ")[2].partition(":")[0]
    return f"{run}\nprint(run.signals[{signal!r}].values[-1])" if signal else run
