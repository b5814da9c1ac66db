"""Inertia of the coordinates of elements that switch, which of them can hold the same motion, and how they share its load.

With the matrix of masses and constraints, the response of the coordinate of element i to a unit effort of element j is

    W_ij = g_i (M^-1 restricted by the constraints) g_j ,

so that 1/W_ii is the inertia of a coordinate. A coordinate that depends on the others has no own part in W. Contacts that may
close (teeth with backlash, stops) count as closed for that.
"""

from typing import Any

import numpy as np

from ..elements.sticking import DRIVEN, MODE, STICKS
from ..elements.sticking_scales import ALONE, LIMIT0, ROOT, SHARED, UNLIMITED
from ..system.matrix import Evaluator
from ..system.system import State, System
from .contacts import ContactRows, ContactSide
from .either_matrix import diagonal_like, factors_of

REGULAR = 1e-9
"""Relative compliance of constraints, which makes redundant rows harmless."""
OWN = 1e-6
"""Part of the response of a coordinate that is its own, below which it depends on others."""
SMALLEST = 1e-6
"""Smallest limit, relative to the largest, by which loads are shared."""


def law_parameters(system: System, e: int) -> np.void | None:
    """Parameters of an element that switches, by name; None without a scale of its row."""
    element = system.elements[e]
    first, kind = int(system.parameter0[e]), element.kind.parameters
    if not element.switches or "reference" not in (kind.dtype.names or ()):
        return None
    found: np.void = system.parameters[first : first + kind.size].view(kind.dtype)[0]
    return found


def scale_laws(system: System, state: State) -> None:
    """Set the inertia that scales the rows of elements that switch, and whether they share their loads with others."""
    mine = [e for e in range(len(system.elements)) if law_parameters(system, e) is not None]
    rows = ContactRows(system).rows
    if not mine or (len(mine) == 1 and not rows):
        return
    inertia = _responses(system, state, mine, np.zeros(max(system.n_lam, 1)))
    closed = ContactRows(system).closing([ContactSide(row, 1) for row in rows])
    bound = inertia if not rows else _responses(system, state, mine, closed)
    dependent = np.ones(len(mine), bool) if inertia is None or bound is None else _dependent(bound, inertia)
    for k, e in enumerate(mine):
        response = 0.0 if inertia is None else float(inertia[k, k])
        for values in (law_parameters(system, e), _apart(system, e)):
            if values is not None:
                if response > 0.0 and np.isfinite(response):
                    values["reference"] = 1.0 / response
                values["compliance"] = SHARED if dependent[k] else ALONE


def _apart(system: System, e: int) -> np.void | None:
    """Parameters of the element while its contact is held open."""
    element = system.elements[e]
    if element.apart is None:
        return None
    kind = element.kind.parameters
    found: np.void = element.apart[: kind.size].view(kind.dtype)[0]
    return found


def _responses(system: System, state: State, mine: list[int], lam: np.ndarray) -> np.ndarray | None:
    """W; None if masses and constraints are singular."""
    trial = state.copy()
    laws = [int(system.lam0[e]) + system.elements[e].firm for e in mine]
    for e in mine:
        memory = trial.mem[int(system.mem0[e]) + system.elements[e].law_place :]
        memory[MODE], memory[DRIVEN] = STICKS, 0.0
    _, K = Evaluator(system).tangent(trial, mass=1.0, moving=False, lam=lam, small_as_array=True)
    if system.own.first_order.size:  # coordinates without mass do not move
        fixed = np.zeros(system.n)
        fixed[system.own.first_order] = 1.0
        K = K + diagonal_like(K, fixed)
    own = np.array([int(system.layout.equation[l]) for l in laws])
    if np.any(own < 0):
        return None
    shift = np.zeros(system.n)
    live = np.flatnonzero(system.layout.equation >= 0)
    shift[system.layout.equation[live]] = -REGULAR * system.layout.lam_scale[live]
    rest = np.setdiff1d(np.arange(system.n), own)
    try:
        factors = factors_of((K + diagonal_like(K, shift))[rest][:, rest])
        X = np.column_stack([factors.solve(_dense(K[rest][:, own])[:, i]) for i in range(len(own))])
    except RuntimeError:
        return None
    scale = system.layout.lam_scale[laws]
    W: np.ndarray = _dense(K[own][:, rest]) @ X / scale / scale[:, None]
    return W if np.all(np.isfinite(W)) else None


def _dense(block: Any) -> np.ndarray:
    found: np.ndarray = block if isinstance(block, np.ndarray) else block.toarray()
    return found


def _dependent(W: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Whether each coordinate depends on the others or on closed contacts. free: W with open contacts."""
    size, most = np.diag(W), np.diag(free)
    found: np.ndarray = ~(size > OWN * np.abs(most))
    left = np.flatnonzero(~found)
    root = np.sqrt(size[left])
    unit = W[np.ix_(left, left)] / root / root[:, None]
    found[left] = 1.0 / np.diag(np.linalg.inv(unit + 1e-3 * OWN * np.eye(len(left)))) < OWN
    return found


def shares(system: System, evaluator: Evaluator, rows: list[int]) -> np.ndarray:
    """A very small compliance of rows that stick, as an addition to the diagonal of the matrix (n,): smaller for elements with
    larger limits at the evaluated state. The inertia of a coordinate makes those of different coordinates comparable."""
    found = np.zeros(system.n)
    sticking, limits = [], []
    for e, element in enumerate(system.elements):
        if element.switches and not element.passive:
            l = int(system.lam0[e]) + element.firm
            if int(system.layout.equation[l]) in rows:
                sticking.append((e, l))
                limits.append(_limit(evaluator, e))
    known = [x for x in limits if 0.0 <= x < UNLIMITED]
    most = max(known, default=0.0)
    for (e, l), limit in zip(sticking, limits, strict=True):
        part = 1.0 if most <= 0.0 or not 0.0 <= limit < UNLIMITED else max(limit / most, SMALLEST)
        values = law_parameters(system, e)
        inertia = float(system.layout.lam_scale[l]) if values is None else float(values["reference"])
        compliance = SHARED / part if values is None or values["compliance"] > ALONE else ALONE
        found[int(system.layout.equation[l])] = -compliance * system.layout.lam_scale[l] ** 2 / inertia
    return found


def _limit(evaluator: Evaluator, e: int) -> float:
    """Largest effort at rest of an element, over the root of its inertia; negative if unknown."""
    scratch = evaluator.work.scratch_of(e)
    if "step" not in (scratch.dtype.names or ()):
        return -1.0
    step = scratch["step"]
    limit, root = float(step[LIMIT0]), float(step[ROOT])
    return UNLIMITED if limit >= UNLIMITED else (limit / root if root > 0.0 else -1.0)
