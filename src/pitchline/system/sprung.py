"""Teeth of statics as springs: the system of small motions about an equilibrium.

In statics the force of elastic teeth is a separate unknown, with a row that is not a constraint. Small motions have the force
as a function of the approach, with its damping.
"""

from dataclasses import replace

import numpy as np

from ..elements.contract import Element
from ..elements.gear_mesh import GEAR_MESH
from ..elements.mesh_law import COMPLIANT, SPRING
from ..elements.sticking_mesh import STICKING_MESH
from .system import State, System

__all__ = ["sprung"]


def sprung(system: System, state: State) -> tuple[System, State]:
    """Return the system without unknown forces of elastic teeth, and its state; the same ones if there are none."""
    elements = [_as_spring(e) for e in system.elements]
    if all(new is old for new, old in zip(elements, system.elements, strict=True)):
        return system, state
    other = System(
        system.model, system.nodes, elements, system.functions, system.length, opened=system.opened, plane=system.plane
    )
    other.rank_tolerance = system.rank_tolerance
    rows = _rows(system, other)
    place = np.full(max(system.n_lam, 1), -1, np.int64)
    place[rows] = np.arange(rows.size)
    redundant = place[system.redundant]
    other.relayout(redundant[redundant >= 0])
    found = other.initial_state(state.t)
    for name in ("pose", "v", "vd", "mem", "own", "condensed"):
        getattr(found, name)[:] = getattr(state, name)
    found.lam[: rows.size] = state.lam[rows]
    return other, found


def _as_spring(element: Element) -> Element:
    """The element with the tooth force as a function of the approach; the same one if it has no unknown force."""
    if element.kind not in (GEAR_MESH, STICKING_MESH) or not element.rows:
        return element
    parameters = element.parameters.copy()
    values = element.kind.parameters.named(parameters)
    law = (values["pair"] if element.kind is STICKING_MESH else values)["law"]
    if law["form"] != COMPLIANT:
        return element
    law["form"] = SPRING
    if element.kind is STICKING_MESH:
        return replace(
            element,
            parameters=parameters,
            rows=element.rows[element.firm :],
            firm=0,
            firm_soft=False,
            closing_force=0.0,
        )
    return replace(element, parameters=parameters, rows="", soft=False, closing_force=0.0)


def _rows(system: System, other: System) -> np.ndarray:
    """The multipliers of the system that the other one has too."""
    kept = []
    for e in range(len(system.elements)):
        last = int(system.lam0[e + 1])
        kept.append(np.arange(last - int(other.lam0[e + 1] - other.lam0[e]), last))
    return np.concatenate([*kept, np.zeros(0, np.int64)]).astype(np.int64)
