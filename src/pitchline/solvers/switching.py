"""Laws of elements that switch (friction), outside the step loop: at the start of an analysis and in statics."""

import numpy as np

from ..elements.sticking import COMPLIANCE, DRIVEN, MODE, STICKS
from ..system.matrix import Evaluator
from ..system.rank import depends_on_others
from ..system.system import State, System

MOST_CHOICES = 60
"""Largest number of changes of laws at one state."""


def find_driven(system: System, state: State) -> None:
    """Mark elements whose coordinate is prescribed by drives: they cannot stick, and act as forces."""
    if not any(e.rows and not e.passive and not e.switches for e in system.elements):
        return
    for e, element in enumerate(system.elements):
        if element.switches:
            first = int(system.mem0[e])
            trial = state.copy()
            trial.mem[first + MODE] = STICKS
            state.mem[first + DRIVEN] = float(depends_on_others(system, trial, e))


def rows_of_laws(system: System) -> list[int]:
    """Equations of the rows that switch."""
    found = []
    for e, element in enumerate(system.elements):
        if element.switches and not element.passive:
            first, last = int(system.lam0[e]), int(system.lam0[e + 1])
            found += [int(i) for i in system.layout.equation[first:last] if i >= 0]
    return found


def shares(system: System, rows: list[int]) -> np.ndarray:
    """A very small compliance of rows that stick, as an addition to the diagonal of the matrix (n,)."""
    found = np.zeros(system.n)
    live = np.flatnonzero(system.layout.equation >= 0)
    scale = dict(zip(system.layout.equation[live].tolist(), system.layout.lam_scale[live], strict=True))
    for i in rows:
        found[i] = -COMPLIANCE * scale[i]
    return found


def choose_laws(evaluator: Evaluator, state: State) -> bool:
    """Elements choose their laws from velocities, accelerations and multipliers. Return whether the system has such elements,
    and one has changed."""
    system = evaluator.system
    if not any(e.switches for e in system.elements):
        return False
    work = evaluator.work
    work.question(state.t)
    work.set(state)
    work.place()
    work.ask["restart"] = 1
    work.accept()
    changed = int(work.ask["restart"][0]) == 2
    work.ask["restart"] = 0
    for e, element in enumerate(system.elements):
        if element.switches:
            mine = slice(int(system.mem0[e]), int(system.mem1[e]))
            state.mem[mine] = work.mem[mine]
    return changed


def laws_hold(system: System, state: State) -> list[str]:
    """Names of elements that would slip at a state in which they were held."""
    after = state.copy()
    names = []
    if choose_laws(Evaluator(system), after):
        for e, element in enumerate(system.elements):
            mine = slice(int(system.mem0[e]), int(system.mem1[e]))
            if element.switches and np.any(state.mem[mine] != after.mem[mine]):
                names.append(element.name)
    return names
