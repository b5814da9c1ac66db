"""Systems with condensed coordinates opened: all coordinates of elements have rows of their own, for linear analyses."""

import numpy as np

from .own_coordinates import Group
from .system import State, System


def opened_system(system: System) -> System:
    """The same system with all coordinates of its elements open."""
    twin = System(system.model, system.nodes, system.elements, system.functions, system.length, opened=True, plane=system.plane)
    twin.rank_tolerance = system.rank_tolerance
    twin.relayout(system.redundant)
    return twin


def opened_state(system: System, twin: System, state: State) -> State:
    """A state of a system as one of its opened twin. Condensed coordinates are taken to move steadily."""
    n = system.own.first
    v, vd, own = np.zeros(twin.n_q), np.zeros(twin.n_q), np.zeros(twin.own.count)
    v[:n], vd[:n] = state.v[:n], state.vd[:n]
    still = np.zeros(state.condensed.shape[1])
    sources = [(g, (state.own, state.v[n:], state.vd[n:])) for g in system.own.open]
    sources += [(g, (state.condensed[0], state.condensed[1], still)) for g in system.own.condensed]
    places = {_name(g): slice(g.first, g.first + g.count) for g in twin.own.open}
    for group, values in sources:
        for to, value in zip((own, v[n:], vd[n:]), values, strict=True):
            to[places[_name(group)]] = value[group.first : group.first + group.count]
    return State(state.t, state.pose.copy(), v, vd, state.lam.copy(), state.mem.copy(), own, np.zeros((2, 0)))


def settle(system: System, state: State) -> None:
    """Put coordinates of an opened system that are condensed elsewhere where they are at rest in this pose."""
    work = system.workspace
    work.question(state.t)
    work.set(state)
    work.place(moving=False)
    work.accept()
    n = system.own.first
    state.mem[:], state.own[:], state.v[n:] = work.mem, work.own, work.v[n:]


def _name(group: Group) -> tuple[int, str]:
    return group.element, group.what.name
