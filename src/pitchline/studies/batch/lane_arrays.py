"""LaneArrays: the numbers of a train as arrays, for work on all lanes at once: mean and largest stiffness, levers, loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .lane_train import FourierSum, LaneMesh, LaneTable, LaneTrain, LoadedTables, Term

__all__ = ["LaneArrays", "MeshArrays"]

MEANS = 1.0 / np.arange(1, 5)
"""Means of the powers 0 .. 3 of a fraction from 0 to 1."""


@dataclass(frozen=True, eq=False)
class MeshArrays:
    """A mesh. levers : (lanes, rotors); others (lanes,). stiffness, stiffest : mean and largest, 0 with tables.

    offset : u + X without vibration. loaded : tables, if there are any.
    """

    levers: np.ndarray
    stiffness: np.ndarray
    stiffest: np.ndarray
    offset: np.ndarray
    backlash: np.ndarray
    damping: np.ndarray
    loaded: LoadedTables | None

    def force(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(force, stiffness) at the approach s, with means over the cycle."""
        b = self.backlash
        if self.loaded is None:
            touching = (s >= 0.0) | (s <= -b)
            return self.stiffness * (np.maximum(s, 0.0) + np.minimum(s + b, 0.0)), np.where(
                touching, self.stiffness, 0.0
            )
        found, k = np.zeros_like(s), np.zeros_like(s)
        for flank, (sign, approach) in enumerate(((1.0, s), (-1.0, -(s + b)))):
            force, stiff = _mean_flank(self.loaded, flank, approach)
            found += sign * force
            k += stiff
        return found, k


class LaneArrays:
    """Arrays of a train with `lanes` lanes. Lanes that have the same numbers may be represented by one."""

    def __init__(self, train: LaneTrain) -> None:
        self.train = train
        sizes = {np.size(v) for v in train.values.values() if np.ndim(v)}
        self.lanes = sizes.pop() if sizes else 1
        self.n = np.array([r.speed for r in train.rotors])
        self.free = list(train.free)

    def of(self, name: str) -> np.ndarray:
        """(lanes,) numbers of a name; zeros without a name."""
        value = self.train.values[name] if name else 0.0
        return np.broadcast_to(np.asarray(value, float), (self.lanes,))

    def row(self, names: Mapping[int, str]) -> np.ndarray:
        """(lanes, rotors) levers."""
        found = np.zeros((self.lanes, len(self.n)))
        for i, name in names.items():
            found[:, i] = self.of(name)
        return found

    @cached_property
    def inertia(self) -> np.ndarray:
        """(lanes, rotors)"""
        return np.stack([self.of(r.inertia) for r in self.train.rotors], axis=1)

    @cached_property
    def torque(self) -> np.ndarray:
        """(lanes, rotors) loads at the start, less those that accelerate the train."""
        found = np.stack([self.of(r.torque) for r in self.train.rotors], axis=1)
        return found - self.inertia * self.n * self.of(self.train.acceleration)[:, None]

    @cached_property
    def meshes(self) -> list[MeshArrays]:
        """Meshes in the order of the train."""
        return [self._mesh(mesh) for mesh in self.train.meshes]

    @cached_property
    def springs(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """(levers (lanes, rotors), stiffness, damping, offset) of the springs."""
        return [
            (self.row(s.levers), self.of(s.stiffness), self.of(s.damping), self.of(s.offset))
            for s in self.train.springs
        ]

    def _mesh(self, mesh: LaneMesh) -> MeshArrays:
        X = self.of(mesh.origin) + self.of(mesh.error)
        for term in mesh.errors:
            X = X + self._range(term)[0]
        mean, least = self.of(mesh.compliance).copy(), self.of(mesh.compliance).copy()
        for term in mesh.stiffness:
            middle, largest = self._range(term)
            mean, least = mean + 1.0 / middle, least + 1.0 / largest
        with np.errstate(divide="ignore"):
            k, top = (np.where(c > 0.0, 1.0 / c, 0.0) for c in (mean, least))
        if mesh.loaded is not None:
            stiffest = np.full(self.lanes, 1.0 / float(_values(mesh.loaded.compliances).min()))
            k, top = np.zeros(self.lanes), stiffest
        return MeshArrays(self.row(mesh.levers), k, top, X, self.of(mesh.backlash), self.of(mesh.damping), mesh.loaded)

    def _range(self, term: Term) -> tuple[np.ndarray, np.ndarray]:
        """(mean, a bound of the largest value) of a term."""
        if isinstance(term, FourierSum):
            mean = self.of(term.mean)
            waves = sum(
                (np.hypot(self.of(c), self.of(s)) for c, s in zip(term.cos, term.sin, strict=True)),
                np.zeros(self.lanes),
            )
            return mean, mean + waves
        mean, scale, values = self.of(term.mean), self.of(term.scale), _values(term.coefficients)
        ends = np.stack([scale * values.min(), scale * values.max()])
        return mean + scale * _mean(term), mean + ends.max(axis=0)


def _mean(table: LaneTable) -> float:
    return float(np.mean(table.coefficients @ MEANS))


def _values(cubics: np.ndarray) -> np.ndarray:
    """Values of cubics at several fractions of their intervals."""
    x = np.linspace(0.0, 1.0, 9)
    return cubics @ np.stack([x**k for k in range(4)])


def _mean_flank(table: LoadedTables, flank: int, approach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(force, stiffness) of a flank at its mean approaches over the cycle."""
    loads = table.loads[flank]
    U, c = (np.mean(part[flank] @ MEANS, axis=0) for part in (table.approaches, table.compliances))
    m = np.clip(np.searchsorted(U, approach, side="right") - 1, 0, len(U) - 1)
    after = np.minimum(m + 1, len(U) - 1)
    width = np.where(after > m, loads[after] - loads[m], 1.0)
    k = (c[after] - c[m]) / width
    rest = np.maximum(approach - U[m], 0.0)
    tau = 2.0 * rest / (c[m] + np.sqrt(np.maximum(c[m] ** 2 + 2.0 * k * rest, 0.0)))
    touching = approach > U[0]
    return np.where(touching, loads[m] + tau, 0.0), np.where(touching, 1.0 / (c[m] + k * tau), 0.0)
