"""Bodies, springs and loads of a rolling tree, as constants of its coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ....elements.body import BODY
from ....elements.bushing import BUSHING
from ....elements.contract import Element
from ....elements.load import FORCE_LOAD, TORQUE_LOAD
from ....elements.scalar_force import LAW_LINEAR, SCALAR_FORCE
from ....model.functions import Sampled
from ....system.train_search import NotATrain
from .rolling_tree import EXACT, RollingTree, snapped
from .time_lines import last_change, line_of

__all__ = ["InertiaRead", "LoadRead", "SpringRead", "last_load_change", "read_inertia", "read_loads", "read_springs"]


@dataclass(frozen=True, eq=False)
class InertiaRead:
    """Constant mass matrix (n, n) of the coordinates, and constant forces (n,) of gravity."""

    mass: np.ndarray
    force: np.ndarray


@dataclass(frozen=True, eq=False)
class SpringRead:
    """Extension a . (q - q0) + offset; force stiffness * extension + damping * rate."""

    name: str
    a: np.ndarray
    stiffness: float
    damping: float
    offset: float


@dataclass(frozen=True, eq=False)
class LoadRead:
    """Force (n,) on the coordinates at a time, its rate, and the time until which it is exact."""

    force: np.ndarray
    rate: np.ndarray
    until: float


def read_inertia(tree: RollingTree) -> InertiaRead:
    """Mass matrix and weight. Both must be constant."""
    n, samples = tree.count, len(tree.positions)
    M, forces = np.zeros((samples, n, n)), np.zeros((samples, n))
    size = np.zeros(n)
    for e, _ in _of_kinds(tree, BODY):
        for k in range(samples):
            M[k] += tree.mass(e, k)
            # with rates: a constant mass matrix has no velocity terms, which this tests as well
            rates = 3.0 * tree.positions[k][::-1] if k else None
            one = tree.residual(e, k, rates)
            forces[k] += one
            size = np.maximum(size, np.abs(one))
    scale = np.sqrt(np.outer(np.diag(M[0]), np.diag(M[0])))
    if np.any(np.abs(M - M[0]) > EXACT * np.maximum(scale, 1e-300)):
        raise NotATrain("the inertia of its bodies changes while they rotate: a centre of mass is not on its axis")
    wrong = np.abs(forces - forces[0]) > EXACT * (size + np.abs(M[0]).sum(axis=1))
    if np.any(wrong):
        c = tree.coordinates[int(np.argmax(wrong.any(axis=0)))]
        raise NotATrain(
            f'the weight of bodies, or their inertia, causes a torque on joint "{c.name}" that changes with its angle'
        )
    return InertiaRead(M[0], -forces[0])


def read_springs(tree: RollingTree) -> list[SpringRead]:
    """Linear springs and dampers between coordinates."""
    found = []
    for e, element in _of_kinds(tree, BUSHING, SCALAR_FORCE):
        if element.kind is BUSHING or element.values["law"] == LAW_LINEAR:
            spring = _spring(tree, e, element)
            if spring is not None:
                found.append(spring)
    return found


def _spring(tree: RollingTree, e: int, element: Element) -> SpringRead | None:
    n = tree.count
    at_rest = np.array([tree.residual(e, k) for k in range(len(tree.positions))])
    K, rest = tree.linear(at_rest)
    C = np.array([tree.residual(e, 0, unit) for unit in np.eye(n)]) - at_rest[0]
    rounding = _rounding(tree, element, "stiffness")
    stiff = float(np.abs(K).max(initial=0.0)) > rounding
    damped = float(np.abs(C).max(initial=0.0)) > _rounding(tree, element, "damping")
    size = float(np.abs(at_rest).max(initial=0.0))
    if np.any(rest > EXACT * size + rounding) or not _same_damping(tree, e, at_rest, C):
        raise NotATrain(f'the force of "{element.name}" is not a linear function of the rotations of its bodies')
    if not stiff and not damped:
        return None
    (k, a), (c, b) = (_rank_one(part) if acts else (0.0, None) for part, acts in ((K, stiff), (C, damped)))
    along = a if stiff else b
    several = along is None or (stiff and damped and (b is None or np.any(np.abs(along - b) > EXACT)))
    offset = 0.0
    if along is not None and stiff:
        first = int(np.argmax(np.abs(along)))
        offset = float(at_rest[0, first] / (k * along[first]))
        several |= bool(np.any(np.abs(at_rest[0] - k * offset * along) > EXACT * size + rounding))
    if several or along is None:
        raise NotATrain(f'"{element.name}" acts on its bodies in several directions at once')
    return SpringRead(element.name, along, k, c, offset)


def _rounding(tree: RollingTree, element: Element, what: str) -> float:
    """Torque by rounding of the positions: stiffness in directions in which the bodies do not move."""
    K = np.atleast_2d(np.abs(element.values[what]))
    length = np.ones(len(K))
    length[:3] = tree.system.length
    return 1e-13 * float(np.max(K * np.outer(length, length)))


def _same_damping(tree: RollingTree, e: int, at_rest: np.ndarray, C: np.ndarray) -> bool:
    for k in range(tree.count + 1, len(tree.positions)):
        rates = 3.0 * tree.positions[k][::-1]
        found = tree.residual(e, k, rates) - at_rest[k]
        if np.any(
            np.abs(found - rates @ C)
            > EXACT * (np.abs(rates) @ np.abs(C) + np.abs(at_rest[k]))
            + _rounding(tree, tree.system.elements[e], "damping")
        ):
            return False
    return True


def _rank_one(K: np.ndarray) -> tuple[float, np.ndarray | None]:
    """(k, a) with K = k a a^T, the largest entry of a being 1; a is None if K is not of this form."""
    j = int(np.argmax(np.abs(np.diag(K))))
    k = float(K[j, j])
    if k == 0.0:
        return 0.0, None
    a = K[j] / k
    largest = float(a[np.argmax(np.abs(a))])
    a, k = snapped(a / largest), k * largest**2
    return (k, a) if np.all(np.abs(K - k * np.outer(a, a)) <= EXACT * abs(k)) else (k, None)


def read_loads(tree: RollingTree, t: float) -> LoadRead:
    """Loads from time t on: they must be constant or straight ramps, and must not depend on the rotations."""
    force, rate, until = np.zeros(tree.count), np.zeros(tree.count), math.inf
    for e, element in _loads(tree):
        lines = [line_of(tree.system.functions, place, t, f'load "{element.name}"') for place in _functions(element)]
        until = min([until, *(line.until for line in lines)])
        rises = any(line.slope for line in lines)
        # the next time at which the lines are exact
        later = t + (min(1.0, 0.5 * (until - t)) if math.isfinite(until) else 1.0)
        for_times = [t, later] if rises else [t]
        values = np.array([[-tree.residual(e, k, t=at) for k in range(len(tree.positions))] for at in for_times])
        size = float(np.abs(values).max(initial=0.0)) or 1.0
        if np.any(np.abs(values - values[:, :1]) > EXACT * size):
            raise NotATrain(f'the torque of load "{element.name}" on the axes of its bodies changes while they rotate')
        force += values[0, 0]
        if rises:
            rate += (values[1, 0] - values[0, 0]) / (later - t)
    return LoadRead(force, rate, until)


def last_load_change(tree: RollingTree) -> float:
    """Time from which on all loads are straight lines."""
    times = [last_change(tree.system.functions, place) for _, element in _loads(tree) for place in _functions(element)]
    return max(times, default=0.0)


def _loads(tree: RollingTree) -> Iterator[tuple[int, Element]]:
    for e, element in _of_kinds(tree, SCALAR_FORCE, TORQUE_LOAD, FORCE_LOAD):
        if element.kind is not SCALAR_FORCE or element.values["law"] != LAW_LINEAR:
            load = tree.model.loads[element.name]
            functions = getattr(load, "components", None) or (getattr(load, "function", None),)
            if any(isinstance(f, Sampled) for f in functions):
                raise NotATrain(
                    f'load "{element.name}" is a Python function of time. A number, a Ramp or a Table is possible'
                )
            yield e, element


def _functions(element: Element) -> list[int]:
    names = ("function",) if element.kind is SCALAR_FORCE else ("x", "y", "z")
    return [int(element.values[name]) for name in names]


def _of_kinds(tree: RollingTree, *kinds: object) -> Iterator[tuple[int, Element]]:
    for e, element in enumerate(tree.system.elements[: tree.system.active]):
        if element.kind in kinds:
            yield e, element
