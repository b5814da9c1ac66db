"""Stiffness and errors of a mesh over its phases: text of K, X and their derivatives by each phase."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ....errors import ModelError
from ..lane_train import FourierSum, LaneMesh, LaneTable, Term
from .numbers import LaneNumbers, Number
from .phase_text import TURN, Phases
from .text import product, total

__all__ = ["MeshTerms", "TableStore"]


class TableStore:
    """Tables of all lanes in one vector."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray] = []
        self.size = 0

    def add(self, numbers: np.ndarray) -> int:
        """Place of the first number."""
        part = np.ascontiguousarray(numbers, float).ravel()
        place = self.size
        self._parts.append(part)
        self.size += part.size
        return place

    def vector(self) -> np.ndarray:
        """All numbers."""
        return np.concatenate([*self._parts, np.zeros(1)])


@dataclass
class _PhaseSum:
    """Value and derivatives by phase, as texts; constant : part that does not vary."""

    constant: Number = 0.0
    terms: list[str] = field(default_factory=list)
    slopes: dict[int, list[str]] = field(default_factory=dict)

    def add(self, phase: int, value: list[str], slope: list[str]) -> None:
        self.terms += [one for one in value if one]
        self.slopes.setdefault(phase, []).extend(one for one in slope if one)


class MeshTerms:
    """Text of stiffness and errors of a mesh.

    After `text`, K{k} and X{k} hold the values (X without its constant part), and `stiffness_slopes` and `error_slopes` have the
    texts of the derivatives by each phase of the mesh, without those that are zero.
    """

    def __init__(self, k: int, mesh: LaneMesh, numbers: LaneNumbers, phases: Phases, tables: TableStore) -> None:
        self._k, self._mesh, self._numbers, self._phases, self._tables = k, mesh, numbers, phases, tables
        self._lines: list[str] = []
        self._table_count = 0
        self.stiffness_slopes: dict[int, str] = {}
        self.error_slopes: dict[int, str] = {}
        self.error_constant = numbers.of(mesh.error)
        self._errors()
        if mesh.loaded is None:
            self._stiffness()

    @property
    def text(self) -> list[str]:
        """Lines of a stage."""
        return self._lines

    def _errors(self) -> None:
        k, found = self._k, _PhaseSum()
        for n, term in enumerate(self._mesh.errors):
            self._add(found, term, f"x{k}_{n}_")
        self.error_constant = self.error_constant + found.constant
        if found.terms:
            self._lines.append(f"X{k} = {total(found.terms)}")
        self.error_terms = f"X{k}" if found.terms else ""
        for phase, slopes in found.slopes.items():
            if slopes:
                self._lines.append(f"X{k}_{phase} = {total(slopes)}")
                self.error_slopes[phase] = f"X{k}_{phase}"

    def _stiffness(self) -> None:
        k, mesh = self._k, self._mesh
        compliance = self._numbers.of(mesh.compliance)
        if not mesh.stiffness:
            if not np.all(compliance > 0.0):
                raise ModelError(f'mesh "{mesh.name}": the stiffness must be positive and finite')
            self._lines.append(f"K{k} = {self._numbers.use(f'k{k}', 1.0 / compliance)}")
            return
        if len(mesh.stiffness) == 1 and not mesh.compliance:
            self._single(mesh.stiffness[0], f"K{k}")
            return
        springs, by_phase = [], dict[int, list[str]]()
        for n, term in enumerate(mesh.stiffness):
            name = f"K{k}_{n}s"
            slopes = self._single(term, name, f"k{k}_{n}_")
            self._lines += [f"{name} = 1.0/{name}"]  # from here on a compliance
            springs.append(name)
            for phase, slope in slopes.items():
                by_phase.setdefault(phase, []).append(f"{slope}*{name}*{name}")
        constant = self._numbers.use(f"comp{k}", compliance)
        self._lines.append(f"K{k} = 1.0/({total([constant, *springs])})")
        for phase, parts in by_phase.items():
            self._lines.append(f"K{k}_{phase} = K{k}*K{k}*({total(parts)})")
            self.stiffness_slopes[phase] = f"K{k}_{phase}"

    def _single(self, term: Term, name: str, prefix: str = "") -> dict[int, str]:
        """One varying spring."""
        found = _PhaseSum()
        own = bool(prefix)
        self._add(found, term, prefix or f"k{self._k}_")
        constant = self._numbers.use(f"{prefix or f'k{self._k}_'}0", found.constant)
        self._lines.append(f"{name} = {total([constant, *found.terms], '0.0')}")
        slopes = {}
        for phase, parts in found.slopes.items():
            if parts:
                slope = f"{name}_{phase}d" if own else f"{name}_{phase}"
                self._lines.append(f"{slope} = {total(parts)}")
                slopes[phase] = slope
        if not own:
            self.stiffness_slopes = slopes
        return slopes

    def _add(self, found: _PhaseSum, term: Term, prefix: str) -> None:
        if isinstance(term, FourierSum):
            self._fourier(found, term, prefix)
        else:
            self._table(found, term, prefix)

    def _fourier(self, found: _PhaseSum, term: FourierSum, prefix: str) -> None:
        numbers, phase = self._numbers, self._mesh.phases[term.phase]
        group, shift = self._phases.group_of(phase), self._phases.shift(phase)
        found.constant = found.constant + numbers.of(term.mean)
        for h in range(1, max(len(term.cos), len(term.sin)) + 1):
            names = ["".join(part[h - 1 : h]) for part in (term.cos, term.sin)]
            if not any(numbers.present(name) for name in names):
                continue
            a, b = (numbers.of(name) for name in names)
            if np.ndim(shift) or shift != 0.0:  # cos(h (φ + shift)) = cos(h shift) cos(h φ) - sin(h shift) sin(h φ)
                c, s = np.cos(h * shift), np.sin(h * shift)
                a, b = a * c + b * s, b * c - a * s
            cos, sin = numbers.use(f"{prefix}c{h}", a), numbers.use(f"{prefix}s{h}", b)
            values = [product(cos, f"c{group.index}_{h}"), product(sin, f"s{group.index}_{h}")]
            up, down = product(sin, f"c{group.index}_{h}"), product(cos, f"s{group.index}_{h}")
            times = "" if h == 1 else f"{float(h)!r}*"
            slope = (
                f"{times}({up} - {down})"
                if up and down
                else f"{times}{up}"
                if up
                else f"-{times}{down}"
                if down
                else ""
            )
            found.add(term.phase, values, [slope])

    def _table(self, found: _PhaseSum, term: LaneTable, prefix: str) -> None:
        """Cubics by the fraction of the cycle."""
        numbers, phase = self._numbers, self._mesh.phases[term.phase]
        group = self._phases.group_of(phase)
        found.constant = found.constant + numbers.of(term.mean)
        shift = numbers.use(f"{prefix}n", self._phases.shift(phase) / TURN)
        scale = numbers.named(f"{prefix}f", term.scale)
        place, intervals = self._tables.add(term.coefficients), len(term.coefficients)
        self._lines += interval_text(prefix, f"n{group.index}", shift, intervals)
        at, x = f"{prefix}i", f"{prefix}x"
        self._lines.append(f"{at} = {place} + 4*{at}")
        for power in range(4):
            self._lines.append(f"{prefix}p{power} = G[{at} + {power}]")
        p = [f"{prefix}p{power}" for power in range(4)]
        self._lines.append(f"{prefix}v = {p[0]} + {x}*({p[1]} + {x}*({p[2]} + {x}*{p[3]}))")
        self._lines.append(f"{prefix}w = {intervals / TURN!r}*({p[1]} + {x}*(2.0*{p[2]} + 3.0*{x}*{p[3]}))")
        found.add(term.phase, [product(scale, f"{prefix}v")], [product(scale, f"{prefix}w")])


def interval_text(prefix: str, fraction: str, shift: str, intervals: int) -> list[str]:
    """Index {prefix}i of the interval of a fraction of the cycle, and the fraction {prefix}x of the interval."""
    lines = [f"{prefix}x = {fraction}"]
    if shift:
        lines = [f"{prefix}x = {fraction} + {shift}", f"{prefix}x = {prefix}x - math.floor({prefix}x)"]
    lines.append(f"{prefix}x = {float(intervals)!r}*{prefix}x")
    lines.append(f"{prefix}i = min(max(np.int32({prefix}x), np.int32(0)), np.int32({intervals - 1}))")
    return [*lines, f"{prefix}x = {prefix}x - {prefix}i"]
