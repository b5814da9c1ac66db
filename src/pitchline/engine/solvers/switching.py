"""Laws of elements that switch (friction): their choice at the start of an analysis, in statics, and between steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from pitchline.errors import ModelError
from pitchline.parts.friction.kernel_sticking import (
    DRIVEN,
    FRESH,
    HELD,
    INACTIVE,
    MEMORY,
    MODE,
    QUASI_STATIC,
    REST,
    ROOT,
    SLOW,
    STICKS,
    STOPPED,
    UNLIMITED,
)

from ..compile.rank import Evaluator, Rank, depends_on_others, find_redundant
from ..compile.system import State, System

# ---- complementarity

# Linear complementarity problem of impulses that only push.

DEPENDENT = 1e-12
"""Compliance of contacts that depend on each other, relative to the largest response."""


def pushing(W: np.ndarray, q: np.ndarray) -> np.ndarray:
    """z >= 0 with W z - q >= 0 and z (W z - q) = 0. W (n, n) has no negative eigenvalue.

    Principal pivoting by the least index (Murty), which ends for positive definite W. More contacts than degrees of freedom
    share the impulse. Where nothing can move (W is singular and no z solves it), z is the one with the smallest error: check it."""
    n = len(q)
    sizes = np.linalg.svd(W, compute_uv=False) if n else np.ones(1)
    if sizes[-1] < 1e2 * DEPENDENT * sizes[0]:
        W = W + DEPENDENT * sizes[0] * np.eye(n)
    small = 1e-13 * float(np.max(np.abs(q), initial=0.0))
    active = q > 0.0
    z = np.zeros(n)
    for _ in range(50 + 2 ** min(n, 12)):
        z = np.zeros(n)
        if active.any():
            z[active] = _solution(W[np.ix_(active, active)], q[active])
        w = W @ z - q
        wrong = np.flatnonzero(np.where(active, z < 0.0, w < -small))
        if not wrong.size:
            return z
        active[wrong[0]] = not active[wrong[0]]
    return np.maximum(z, 0.0)


def _solution(W: np.ndarray, q: np.ndarray) -> np.ndarray:
    """z with W z = q, or with the smallest error if W is singular."""
    try:
        return np.linalg.solve(W, q)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(W, q, rcond=None)[0]


MOST_CHOICES, TOGETHER = 40, 12
"""Largest number of changes of laws at one state; number after which only one element changes at a time."""
EXCEEDED = 1e-7
"""Excess of an effort in a step that ends at a contact, relative to the limits, that counts as rounding."""
MOST_TRIED = 5
"""Largest number of elements at rest of which all combinations of laws are tried."""


def _place(system: System, e: int) -> int:
    """Place of the law of an element in the memory of the state."""
    return int(system.mem0[e]) + system.elements[e].law_place


def find_driven(system: System, state: State) -> None:
    """Mark elements whose coordinate is prescribed by drives: they cannot stick, and act as forces."""
    if not any(e.rows and not e.passive and (not e.switches or e.firm) for e in system.elements):
        return
    for e, element in enumerate(system.elements):
        if element.switches:
            first = _place(system, e)
            trial = state.copy()
            trial.mem[first + MODE] = STICKS
            state.mem[first + DRIVEN] = float(depends_on_others(system, trial, e))


def row_of_law(system: System, e: int) -> int:
    """Multiplier of the row of an element that switches."""
    return int(system.lam0[e]) + system.elements[e].firm


def rows_of_laws(system: System) -> list[int]:
    """Equations of the rows that switch."""
    found = []
    for e, element in enumerate(system.elements):
        if element.switches and not element.passive:
            first, last = row_of_law(system, e), int(system.lam0[e + 1])
            found += [int(i) for i in system.layout.equation[first:last] if i >= 0]
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


def one_change(system: System, state: State, before: np.ndarray, k: int) -> None:
    """Keep the change of the law of only one element, in turn with k: changes of all elements at once may repeat for ever."""
    changed = []
    for e, element in enumerate(system.elements):
        mine = slice(int(system.mem0[e]), int(system.mem1[e]))
        if element.switches and state.mem[_place(system, e) + MODE] != before[_place(system, e) + MODE]:
            changed.append(mine)
    kept = k % max(len(changed), 1)
    for i, mine in enumerate(changed):
        if i != kept:
            state.mem[mine] = before[mine]


def combinations(system: System, state: State) -> Iterator[None]:
    """Set all combinations of laws of the elements that may hold at a state, first those in which most of them hold."""
    mine = [_place(system, e) for e, x in enumerate(system.elements) if x.switches]
    candidates = [p for p in mine if state.mem[p + DRIVEN] == 0.0 and state.mem[p + FRESH] != 1.0]
    candidates = [p for p in candidates if _may_hold(system, state, p)]
    if len(candidates) > MOST_TRIED:
        return
    found = sorted(product((STICKS, 1.0, -1.0), repeat=len(candidates)), key=lambda laws: -laws.count(STICKS))
    for laws in found:
        for p, law in zip(candidates, laws, strict=True):
            state.mem[p + MODE] = law
        yield


def _may_hold(system: System, state: State, place: int) -> bool:
    """Whether the element with its law at this place does not move at a state."""
    e = next(e for e, x in enumerate(system.elements) if x.switches and _place(system, e) == place)
    work = system.workspace
    work.question(state.t)
    work.set(state)
    return abs(_rate_of(system, e)) <= REST


def stop_laws(system: System, state: State, h: float) -> None:
    """Before all laws are chosen again during a run: elements that hold, or that do not move, stick; the others slip in the
    direction of their motion. h: step, for the largest speed that is rest."""
    work = system.workspace
    work.question(state.t)
    work.set(state)
    work.place()
    grip = float(work.ask["grip"][0])
    for e, element in enumerate(system.elements):
        if not element.switches:
            continue
        memory = state.mem[_place(system, e) :]
        if memory[MODE] == INACTIVE or memory[DRIVEN] != 0.0:
            continue
        root = float(work.scratch_of(e)["step"][ROOT])
        still = abs(_rate_of(system, e)) <= max(REST, SLOW * h * grip / root)
        if memory[MODE] == STICKS or memory[FRESH] != 0.0 or still:
            memory[FRESH] = STOPPED
        memory[MODE] = INACTIVE


def omit_free_rows(system: System, state: State) -> None:
    """Make the layout without the rows of elements that do not stick: their multiplier is only a record of the effort."""
    free = [
        np.arange(row_of_law(system, e), system.lam0[e + 1])
        for e, element in enumerate(system.elements)
        if element.switches and not _sticks(state.mem[_place(system, e) :])
    ]
    if free:
        system.relayout(np.union1d(system.redundant, np.concatenate(free)).astype(np.int64))


def _sticks(memory: np.ndarray) -> bool:
    return bool(memory[MODE] == STICKS and memory[DRIVEN] == 0.0)


def hold_laws(system: System, state: State) -> Rank | None:
    """Statics: all elements stick at the present position, except on coordinates that drives move. Return the rank with their
    rows, or None if there are none."""
    mine = [e for e, element in enumerate(system.elements) if element.switches]
    if not mine:
        return None
    trial = state.copy()
    trial.v[:] = 0.0
    choose_laws(Evaluator(system), trial)
    state.mem[:] = trial.mem
    for e in mine:
        system.elements[e].soft = not _sticks(state.mem[_place(system, e) :])
    rank = find_redundant(system, state)
    system.relayout(rank.redundant)
    omit_free_rows(system, state)
    # friction on the same coordinate shares its load by its limits (`share_efforts`), not by the least norm
    own = {l for e in mine for l in range(row_of_law(system, e), int(system.lam0[e + 1]))}
    groups = [np.array([l for l in group if int(l) not in own], np.int64) for group in rank.groups]
    return Rank(rank.redundant, [group for group in groups if group.size > 1], rank.weakest)


def hold_together(system: System, state: State) -> list[int]:
    """Statics: elements that hold the same motion at different coordinates. Their shares of the load are not unique."""
    sticking = [e for e, x in enumerate(system.elements) if x.switches and _sticks(state.mem[_place(system, e) :])]
    mine = {row_of_law(system, e): e for e in sticking}
    if len(mine) < 2:
        return []
    found: list[int] = []
    for group in find_redundant(system, state).groups:
        members = [mine[int(l)] for l in group if int(l) in mine]
        if len({tuple(id(x) for x in system.elements[e].turns.values()) or (e,) for e in members}) > 1:
            found += [e for e in members if e not in found]
    return found


def shares_left_open(system: System, state: State, together: list[int]) -> list[str]:
    """Statics: warning that elements which hold the same motion have a load, whose shares are not unique."""
    efforts = [abs(float(state.lam[row_of_law(system, e)])) for e in together]
    if not together or max(efforts) <= 1e-9 * float(np.max(np.abs(state.lam), initial=0.0)):
        return []
    names = ", ".join(f'"{system.elements[e].name}"' for e in together)
    return [
        f"{names} hold the same motion at rest, which is statically indeterminate: their efforts together are unique, the share "
        "of each is one of several. In dynamics they share by their limits"
    ]


def release_laws(system: System, state: State) -> None:
    """Before an impact: friction has no impulse, so that its law follows from the speeds after the impact. A freewheel without a
    limit that is locked transmits the impulse."""
    for e, element in enumerate(system.elements):
        if element.switches:
            memory = state.mem[_place(system, e) :]
            locked = memory[MODE] == STICKS and _unlimited(system, state, e) != 0.0
            if not locked:
                memory[MODE], memory[FRESH] = INACTIVE, 0.0


def check_start(system: System, state: State) -> None:
    """Raise an error for a freewheel without a limit of its torque that starts in its locked direction."""
    for e, element in enumerate(system.elements):
        law = float(state.mem[_place(system, e) + MODE]) if element.switches else 0.0
        if abs(law) == 1.0 and law == _unlimited(system, state, e):
            raise ModelError(
                f'"{element.name}" starts to move in its locked direction. Specify initial velocities in its free direction or '
                "zero, or its capacity, so that it can slip"
            )


def follow_laws(system: System, state: State) -> bool:
    """Kinematics: friction follows the velocities of the state. Return whether it has changed."""
    mine = [e for e, element in enumerate(system.elements) if element.switches]
    if not mine:
        return False
    before = state.mem.copy()
    for e in mine:
        first = _place(system, e)
        state.mem[first : first + MEMORY] = 0.0
    choose_laws(Evaluator(system), state)
    work = system.workspace
    work.set(state)
    work.place()
    for e in mine:
        memory = state.mem[_place(system, e) :]
        if abs(memory[MODE]) == 1.0:
            memory[FRESH], memory[HELD] = QUASI_STATIC, _rate_of(system, e)
        else:
            memory[MODE] = INACTIVE
    return not np.allclose(before, state.mem, rtol=1e-9, atol=1e-12)


def _rate_of(system: System, e: int) -> float:
    """Rate of the coordinate of an element at the state of the workspace, which sticks for this."""
    work = system.workspace
    first = _place(system, e)
    kept = work.mem[first + MODE], work.mem[first + FRESH]
    work.mem[first + MODE], work.mem[first + FRESH] = STICKS, 0.0
    work.place()
    rate = work.element_rate(e)
    work.mem[first + MODE], work.mem[first + FRESH] = kept
    return rate


def slip_speeds(system: System, state: State) -> dict[int, float]:
    """Speeds of the elements that slip, positive in the direction of their slip."""
    found: dict[int, float] = {}
    work = system.workspace
    work.question(state.t)
    work.set(state)
    for e, element in enumerate(system.elements):
        if element.switches:
            memory = state.mem[_place(system, e) :]
            if abs(memory[MODE]) == 1.0 and memory[DRIVEN] == 0.0:
                found[e] = float(memory[MODE]) * _rate_of(system, e)
    return found


def breaks_away(system: System, state: State) -> bool:
    """Whether an element that sticks has exceeded its limit at a state of a motion."""
    found = []
    for e, element in enumerate(system.elements):
        if element.switches:
            memory = state.mem[_place(system, e) :]
            if memory[MODE] == STICKS and memory[DRIVEN] == 0.0:
                effort, (low, high) = float(state.lam[row_of_law(system, e)]), _limits(system, state, e)
                found.append((effort, high if effort > 0.0 else -low))
    most = max((limit for _, limit in found if limit < UNLIMITED), default=0.0)
    return any(abs(effort) > limit + EXCEEDED * max(limit, most) for effort, limit in found)


@dataclass(frozen=True)
class Slip:
    """An element whose effort exceeds the largest one at rest."""

    name: str
    needed: float
    most: float
    unit: str
    element: int
    direction: float


def share_efforts(system: System, state: State) -> None:
    """Statics: elements on the same coordinate share their effort by their limits."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for e, element in enumerate(system.elements):
        if element.switches and not element.soft:
            groups.setdefault(tuple(id(x) for x in element.turns.values()) or (e,), []).append(e)
    for members in groups.values():
        if len(members) > 1:
            total = sum(float(state.lam[row_of_law(system, e)]) for e in members)
            limits = [abs(_limits(system, state, e)[1 if total > 0.0 else 0]) for e in members]
            for e, limit in zip(members, limits, strict=True):
                state.lam[row_of_law(system, e)] = total * limit / max(sum(limits), 1e-300)


def release(system: System, state: State, slip: Slip) -> bool:
    """Statics: an element that would slip acts with its largest effort, so that others that stick carry the rest. False: no
    other one sticks."""
    memory = state.mem[_place(system, slip.element) :]
    memory[MODE], memory[FRESH], memory[HELD] = slip.direction, QUASI_STATIC, 0.0
    system.elements[slip.element].soft = True
    if not any(x.switches and not x.soft for x in system.elements):
        return False
    state.lam[row_of_law(system, slip.element)] = 0.0
    system.relayout(find_redundant(system, state).redundant)
    omit_free_rows(system, state)
    return True


ROUNDED = 2e-15
"""Rounding of positions, relative to the length of the model, or in radians."""


def first_slip(system: System, state: State) -> Slip | None:
    """The element with the largest effort, relative to its limits, if it would slip."""
    worst, found = 1.0 + 1e-9, None
    for e, element in enumerate(system.elements):
        if not element.switches or element.soft:
            continue
        effort = float(state.lam[row_of_law(system, e)])
        low, high = _limits(system, state, e)
        most = high if effort > 0.0 else -low
        if most > 0.0:
            ratio = abs(effort) / most
        else:
            ratio = np.inf if abs(effort) > _rounded_effort(system, state, element.rows[-1]) else 0.0
        if ratio > worst:
            unit = "N*m" if element.rows[-1] == "r" else "N"
            worst, found = ratio, Slip(element.name, abs(effort), most, unit, e, float(np.sign(effort)))
    return found


def _rounded_effort(system: System, state: State, row: str) -> float:
    """Effort that springs have by rounding of positions, on an angle ("r") or a length: a part without capacity holds it."""
    _, K = Evaluator(system).tangent(state, mass=0.0, stiffness=1.0, moving=False, small_as_array=True)
    work = ROUNDED * float(np.max(np.abs(K.diagonal()[: system.n_q]) * system.sizes**2, initial=0.0))
    return max(1e-12, work if row == "r" else work / system.length)


def _unlimited(system: System, state: State, e: int) -> float:
    """Direction of slip in which an element has no limit of its effort; 0: none."""
    low, high = _limits(system, state, e)
    if np.isinf(high):
        return 0.0
    return 1.0 if high >= UNLIMITED else (-1.0 if low <= -UNLIMITED else 0.0)


def _limits(system: System, state: State, e: int) -> tuple[float, float]:
    """Limits of the effort of a joint with friction, or of gears; none for other elements, which check theirs themselves."""
    if any(name == "limits" for name, _ in system.elements[e].kind.scratch.layout):
        return _limits_of_gears(system, state, e)
    s = system.elements[e].values
    if "capacity" not in system.elements[e].kind.inputs:
        return -np.inf, np.inf
    evaluator = Evaluator(system)
    evaluator.place(state, moving=False)
    capacity = s["static_ratio"] * max(0.0, evaluator.work.input_value(e, "capacity"))
    return -float(s["backward"] * capacity), float(s["forward"] * capacity)


def _limits_of_gears(system: System, state: State, e: int) -> tuple[float, float]:
    """Limits of the effort of gears, which depend on their load. `begin` computes them."""
    work = system.workspace
    work.question(state.t, damped=False)
    work.set(state)
    work.place(moving=False)
    low, high = work.scratch_of(e)["limits"]
    return float(low), float(high)
