"""Condensed coordinates of elements as open coordinates: the system for linear analyses."""

from .own_coordinates import Group
from .system import State, System


def opened(system: System) -> System:
    """Return the system with a row for every condensed coordinate; the system itself if it has none."""
    if system.opened or not system.own.condensed_count:
        return system
    other = System(
        system.model, system.nodes, system.elements, system.functions, system.length, opened=True, plane=system.plane
    )
    other.rank_tolerance = system.rank_tolerance
    other.relayout(system.redundant)
    return other


def opened_state(system: System, other: System, state: State) -> State:
    """Convert a state to the opened system. Condensed coordinates have no acceleration yet."""
    if other is system:
        return state
    found = other.initial_state(state.t)
    for name in ("pose", "lam", "mem"):
        getattr(found, name)[:] = getattr(state, name)
    first = system.own.first
    found.v[:first], found.vd[:first] = state.v[:first], state.vd[:first]
    places = _places(other.own.open)
    for g in system.own.open:
        mine, theirs = slice(g.first, g.first + g.count), places[g.element, g.what.name]
        found.own[theirs] = state.own[mine]
        found.v[first:][theirs], found.vd[first:][theirs] = state.v[first:][mine], state.vd[first:][mine]
    for g in system.own.condensed:
        mine, theirs = slice(g.first, g.first + g.count), places[g.element, g.what.name]
        found.own[theirs], found.v[first:][theirs] = state.condensed[:, mine]
    return found


def settle(system: System, other: System, state: State) -> None:
    """Evaluate the elements at a state of the opened system at rest: memory and condensed coordinates adapt to the forces."""
    closed = system.initial_state(state.t)
    for name in ("pose", "lam", "mem"):
        getattr(closed, name)[:] = getattr(state, name)
    first = system.own.first
    closed.v[:first] = state.v[:first]
    places = _places(other.own.open)
    for g in system.own.open:
        mine, theirs = slice(g.first, g.first + g.count), places[g.element, g.what.name]
        closed.own[mine], closed.v[first:][mine] = state.own[theirs], state.v[first:][theirs]
    system.commit(closed)
    state.mem[:] = closed.mem
    for g in system.own.condensed:
        theirs = places[g.element, g.what.name]
        state.own[theirs], state.v[first:][theirs] = closed.condensed[:, g.first : g.first + g.count]


def _places(groups: list[Group]) -> dict[tuple[int, str], slice]:
    return {(g.element, g.what.name): slice(g.first, g.first + g.count) for g in groups}
