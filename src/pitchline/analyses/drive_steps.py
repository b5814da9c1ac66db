"""Steps from one equilibrium to the next along the drives, so that driven angles keep their number of revolutions."""

import math

import numpy as np

from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.scalar_geometry import ANGLE
from ..solvers.balance import Balance
from ..solvers.consistent import displace
from ..solvers.rates import quasi_static_velocities
from ..solvers.stopped_equilibrium import StoppedSearch
from ..system.system import State, System
from .preparation import imposed_value

__all__ = ["follow_drives"]

FAR = 1.0
"""Difference between a driven angle and its prediction [rad] above which an intermediate time is computed first."""
HALF_TURN = 3.0
"""Above this angle [rad] the nearest position with the same pose may belong to another revolution."""
SHORTEST = 1e-9
"""Shortest intermediate step, as a fraction of the whole step."""
MOST_SEARCHES = 2000
"""Largest number of equilibria on the way to one time."""
MOST_PIECES = 100_000
"""Largest number of pieces of one prediction."""


def follow_drives(search: StoppedSearch, now: float, *, first: bool = False) -> Balance:
    """Find the equilibrium at the time `now`, with its velocities, from the present state of a search.

    first: the present state is not an equilibrium yet, and its velocities are not those of the drives.

    The start is predicted with the velocities. If the prediction misses the driven angles, or no equilibrium is found from there,
    intermediate times are computed first: an angle that is off by more than half a revolution would be found on another one."""
    system, state = search.system, search.state
    begin = state.t
    way = [now]
    iterations = 0
    if first:
        state.v[:] = 0.0
        if now > begin:
            way.append(begin)
    searches = 0
    while way:
        before = state.copy()
        if not _predict(system, state, way[-1]):
            far = _motion(system, state) * (now - begin)
            return Balance(
                False, iterations, 0.0, f"the motion from the position before is {far:.3g} rad or model lengths"
            )
        off, drive = _farthest(system, state)
        divisible = way[-1] - before.t > SHORTEST * (now - begin)
        if off > FAR and divisible:
            _restore(state, before)
            way.append(0.5 * (before.t + way[-1]))
            continue
        if off > HALF_TURN:
            return Balance(False, iterations, 0.0, f'the angle of drive "{drive}" jumps by {off:.3g} rad')
        searches += 1
        if searches > MOST_SEARCHES:
            why = f"the motion from the position before needs more than {MOST_SEARCHES} intermediate positions"
            return Balance(False, iterations, 0.0, f"{why} (reached: t = {state.t:.6g} s)")
        balance = search.run()
        iterations += balance.iterations
        if not balance.converged:
            if off > 0.01 * FAR and divisible:
                _restore(state, before)
                way.append(0.5 * (before.t + way[-1]))
                continue
            if first and state.t == begin < now:
                _restore(state, before)
                way.pop()  # the time asked for may have an equilibrium all the same
                continue
            return Balance(False, iterations, balance.imbalance, balance.worst)
        state.v[:] = quasi_static_velocities(system, state)
        way.pop()
    return Balance(True, iterations, balance.imbalance, "", external=balance.external, rounding=balance.rounding)


def _motion(system: System, state: State) -> float:
    """Largest speed of a coordinate, in radians or lengths of the model per second."""
    return float(np.max(np.abs(state.v) * system.layout.weight[: system.n_q], initial=0.0))


def _predict(system: System, state: State, now: float) -> bool:
    """Move on along the velocities, in pieces short enough for angles to count their turns. False: too many pieces."""
    way = _motion(system, state) * (now - state.t)
    if way > MOST_PIECES:
        return False
    pieces = max(1, math.ceil(way))
    if way > 0.0:
        for _ in range(pieces):
            displace(system, state, (now - state.t) / pieces * state.v)
            system.commit(state)
    state.t = now
    return True


def _farthest(system: System, state: State) -> tuple[float, str]:
    """How far a driven angle is from its target, turns counted [rad], and the name of its drive."""
    found = (0.0, "")
    for e in system.layout.driven:
        element = system.elements[e]
        assert element.kind is SCALAR_CONSTRAINT
        if element.values["on"]["kind"] == ANGLE:
            target = imposed_value(system, state, int(e))
            assert target is not None
            found = max(found, (abs(target - float(state.mem[system.mem0[e]])), element.name))
    return found


def _restore(state: State, before: State) -> None:
    state.t = before.t
    state.v[:], state.vd[:] = before.v, before.vd
    state.go_back(before)
