"""Phases of a train: cosines, sines and fractions of a cycle at a stage, without a sine in the loop.

Phases with the same order and teeth are one group. Of its angle φ = order θ + φ_0 + Σ z_i x_i the first term is the same for all
lanes: its cosine and sine are tabled at half steps (`phase_table`). In every cycle they are turned by the exact sine and cosine of
φ_0 + Σ z_i x_i at its start, and at a stage by a polynomial of d, the change of Σ z_i x_i since then. Other angles φ_0 of the group
turn the coefficients of a Fourier sum, or shift the place in a table, before the run.

Variant "state" computes sine and cosine of φ at every stage. It is a reference for tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..lane_train import FourierSum, LaneMesh, LanePhase, LaneTrain
from .numbers import LaneNumbers, Number
from .text import product, total

__all__ = ["FAR", "NEAR", "STATE", "TURN", "PhaseGroup", "Phases"]

NEAR, STATE = "near", "state"
FAR = 1.0
"""Largest |d| for the polynomials: their error is less than 1e-12 [rad]."""
_SINE, _COSINE = (6, 20, 42, 72, 110, 156), (2, 12, 30, 56, 90, 132, 182)
"""Quotients of successive divisors of the series of sine and cosine."""
TURN = 2.0 * math.pi


@dataclass
class PhaseGroup:
    """Phases with the same order and teeth.

    order : cycles in one base cycle. teeth : rotor -> identifier of z_i, of free rotors. angle : name of φ_0 of its first phase.
    harmonics : largest multiple of the phase whose cosine is needed.
    fraction : whether tables over the phase need its fraction of a cycle.
    """

    index: int
    order: float
    teeth: dict[int, str]
    angle: str
    harmonics: int = 0
    fraction: bool = False


class Phases:
    """Groups of phases of a train, and the text that evaluates them."""

    def __init__(self, train: LaneTrain, numbers: LaneNumbers, variant: str = NEAR) -> None:
        self.variant, self._train, self._numbers = variant, train, numbers
        self._groups: dict[object, PhaseGroup] = {}
        for mesh in train.meshes:
            for at in range(len(mesh.phases)):
                self._join(mesh, at)
        self.columns: dict[tuple[int, str], int] = {}
        """Columns of the table: (index of the group, "cos", "sin" or "turn")."""
        for group in self.groups:
            if group.harmonics and variant == NEAR:
                self.columns[group.index, "cos"] = len(self.columns)
                self.columns[group.index, "sin"] = len(self.columns)
            if group.fraction or (group.harmonics and variant == STATE):
                self.columns[group.index, "turn"] = len(self.columns)

    @property
    def groups(self) -> list[PhaseGroup]:
        return list(self._groups.values())

    @property
    def moved(self) -> list[PhaseGroup]:
        """Groups that are turned in every cycle."""
        return [group for group in self.groups if group.harmonics and group.teeth and self.variant == NEAR]

    @property
    def lane_names(self) -> list[str]:
        """Variables of a lane that change with the cycle."""
        return [f"{name}{group.index}" for group in self.moved for name in ("ref", "cp", "sp")]

    def group_of(self, phase: LanePhase) -> PhaseGroup:
        """Group of a phase."""
        return self._groups[self._key(phase)]

    def shift(self, phase: LanePhase) -> Number:
        """Angle of a phase relative to that of its group."""
        first = self.group_of(phase).angle
        return 0.0 if phase.angle == first else self._numbers.of(phase.angle) - self._numbers.of(first)

    def _key(self, phase: LanePhase) -> object:
        teeth = (item for item in phase.teeth.items() if not self._train.rotors[item[0]].held)
        return phase.order, tuple(sorted(teeth))

    def _join(self, mesh: LaneMesh, at: int) -> None:
        """Add what a phase of a mesh needs to its group."""
        terms = [term for term in (*mesh.stiffness, *mesh.errors) if term.phase == at]
        loaded = mesh.loaded is not None and mesh.loaded.phase == at
        if not (terms or loaded):
            return
        phase = mesh.phases[at]
        key, g = self._key(phase), len(self._groups)
        if key not in self._groups:
            named = {
                i: self._numbers.named(f"z{g}_{i}", z) for i, z in phase.teeth.items() if not self._train.rotors[i].held
            }
            self._groups[key] = PhaseGroup(g, phase.order, {i: z for i, z in named.items() if z}, phase.angle)
        group = self._groups[key]
        for term in terms:
            if isinstance(term, FourierSum):
                names = [(h, name) for part in (term.cos, term.sin) for h, name in enumerate(part, 1)]
                group.harmonics = max([group.harmonics, *(h for h, name in names if self._numbers.present(name))])
            else:
                group.fraction = True
        group.fraction |= loaded

    def reference_text(self) -> list[str]:
        """At the start of a cycle, from q: exact sine and cosine of φ_0 + Σ z_i x_i."""
        out = []
        for group in self.moved:
            g = group.index
            angle = self._numbers.named(f"angle{g}", group.angle)
            out += [f"ref{g} = {total(product(z, f'q{i}') for i, z in group.teeth.items())}"]
            out += [f"cp{g} = math.cos({total([f'ref{g}', angle])})", f"sp{g} = math.sin({total([f'ref{g}', angle])})"]
        return out

    def stage_text(self, *, ahead: str = "", exact: bool = False) -> list[str]:
        """Cosines, sines and fractions at a stage, from y and the column `at` of the table.

        ahead : variable with the increase of θ since that column, or none. exact : beyond the range of the polynomials, sine and
        cosine; otherwise `far` becomes the largest d².
        """
        out = []
        for group in self.groups:
            if group.harmonics:
                out += self._near(group, ahead, exact) if self.variant == NEAR else self._state(group, ahead)
                out += _multiples(group)
            if group.fraction:
                out += self._fraction(group, ahead)
        return out

    def rate(self, group: PhaseGroup) -> str:
        """Rate of φ at a stage."""
        order = self._numbers.use(f"order{group.index}", group.order)
        return total([product(order, "omega_now"), *(product(z, f"u{i}") for i, z in group.teeth.items())], "0.0")

    def _table(self, group: PhaseGroup, what: str) -> str:
        return f"T[at + {self.columns[group.index, what]}]"

    def _near(self, group: PhaseGroup, ahead: str, exact: bool) -> list[str]:
        g = group.index
        c, s = self._table(group, "cos"), self._table(group, "sin")
        if group.teeth:
            cp, sp = f"cp{g}", f"sp{g}"
        else:
            angle = self._numbers.of(group.angle)
            cp, sp = self._numbers.use(f"cp{g}", np.cos(angle)), self._numbers.use(f"sp{g}", np.sin(angle))
        first = "r" if group.teeth or ahead else ""
        out = [f"c{g}_1{first} = {total([product(c, cp)]) or '0.0'}" + (f" - {product(s, sp)}" if sp else "")]
        out += [f"s{g}_1{first} = {total([product(s, cp), product(c, sp)], '0.0')}"]
        if not first:
            return out
        moved = total(product(z, f"y{i}") for i, z in group.teeth.items())
        since = f"{moved} - ref{g}" if moved else ""
        order = self._numbers.use(f"order{g}", group.order) if ahead else ""
        out += [f"d = {total([since, product(order, ahead)])}", "d2 = d*d"]
        series = [f"sd = d*{_nested(_SINE)}", f"cd = {_nested(_COSINE)}"]
        if exact:
            out += [f"if d2 > {FAR * FAR!r}:", "    sd = math.sin(d)", "    cd = math.cos(d)", "else:"]
            out += ["    " + line for line in series]
        else:
            out += ["far = max(far, d2)", *series]
        return [*out, f"c{g}_1 = c{g}_1r*cd - s{g}_1r*sd", f"s{g}_1 = s{g}_1r*cd + c{g}_1r*sd"]

    def _state(self, group: PhaseGroup, ahead: str) -> list[str]:
        g = group.index
        angle = self._numbers.named(f"angle{g}", group.angle)
        order = self._numbers.use(f"order{g}", group.order) if ahead else ""
        terms = [angle, *(product(z, f"y{i}") for i, z in group.teeth.items()), product(order, ahead)]
        out = [f"d = {total([f'{TURN!r}*' + self._table(group, 'turn'), *terms])}"]
        return [*out, f"c{g}_1 = math.cos(d)", f"s{g}_1 = math.sin(d)"]

    def _fraction(self, group: PhaseGroup, ahead: str) -> list[str]:
        g, of = group.index, self._numbers.of
        angle = self._numbers.use(f"part{g}", of(group.angle) / TURN)
        order = self._numbers.use(f"cycles{g}", group.order / TURN) if ahead else ""
        moved = total(product(z, f"y{i}") for i, z in group.teeth.items())
        terms = [self._table(group, "turn"), angle, product(order, ahead), product(moved, repr(1.0 / TURN))]
        return [f"n{g} = {total(terms)}", f"n{g} = n{g} - math.floor(n{g})"]


def _nested(quotients: tuple[int, ...]) -> str:
    """1 - d2/a (1 - d2/b (...)), without a division."""
    return f"(1.0 - d2*{1.0 / quotients[0]!r}*{_nested(quotients[1:])})" if quotients else "1.0"


def _multiples(group: PhaseGroup) -> list[str]:
    """Cosines and sines of the multiples of the phase, by recurrence."""
    g, out = group.index, []
    for h in range(2, group.harmonics + 1):
        before_c, before_s = ("1.0", "") if h == 2 else (f"c{g}_{h - 2}", f"s{g}_{h - 2}")
        twice = f"two{g}"
        if h == 2:
            out.append(f"{twice} = 2.0*c{g}_1")
        out.append(f"c{g}_{h} = {twice}*c{g}_{h - 1} - {before_c}")
        out.append(f"s{g}_{h} = {twice}*s{g}_{h - 1}" + (f" - {before_s}" if before_s else ""))
    return out
