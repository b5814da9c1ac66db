"""Text of phases, dampers and clocks of a train, and the start values of a launch.

Phases of a train: cosines, sines and fractions of a cycle at a stage, without a sine in the loop.

Phases with the same order and teeth are one group. Of its angle φ = order θ + φ_0 + Σ z_i x_i the first term is the same for all
lanes: its cosine and sine are tabled at half steps (`PhaseTable`). In every cycle they are turned by the exact sine and cosine of
φ_0 + Σ z_i x_i at its start, and at a stage by a polynomial of d, the change of Σ z_i x_i since then. Other angles φ_0 of the group
turn the coefficients of a Fourier sum, or shift the place in a table, before the run.

Variant "state" computes sine and cosine of φ at every stage. It is a reference for tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from pitchline.errors import ModelError

from ..lane_train import (
    ALWAYS,
    LIMITED,
    NEVER_PULLING,
    OF_DEFLECTION,
    FourierSum,
    LaneMesh,
    LanePhase,
    LaneTrain,
    Values,
)
from .small_text import product, total

if TYPE_CHECKING:
    from .force_text import MeshText

__all__ = [
    "DamperText",
    "LaneNumbers",
    "Number",
    "ClockText",
    "FAR",
    "NEAR",
    "STATE",
    "TURN",
    "PhaseGroup",
    "Phases",
    "PhaseTable",
    "Launch",
    "launches",
]


# ---- damper text

# Damper of a mesh at a stage, as `parts.meshes.kernel_records`: text.
#
# In frozen text (see `CutText`) variables replace comparisons: open{k}d and open{k}c, 1 or 0, that of the force of a
# flank with zero; limit{k}, −1, 0 or 1, that of a LIMITED damper with the spring. `fresh` and renew{k} make them
# those of the state.

_FAR = -1e300


class DamperText:
    """Text of the damper of a mesh."""

    def __init__(self, mesh: MeshText) -> None:
        self._mesh, self.k, self.mode = mesh, mesh.k, mesh.mesh.damping_mode
        self.coefficient = mesh.damping
        deflects = bool(self.coefficient) and mesh.mesh.damping_rate == OF_DEFLECTION
        self._deflects = deflects
        self._touches = deflects and mesh.loaded is not None
        self.turns = self._touches or (deflects and bool(mesh.terms.error_slopes))
        """Whether it depends on the speed of phases."""
        # without backlash teeth are in contact on both flanks, with a linear law
        self.never_pulls = bool(self.coefficient) and self.mode == NEVER_PULLING and bool(mesh.backlash or mesh.loaded)
        self._least = ""
        if self.never_pulls and not mesh.loaded:
            backlash = mesh.numbers.of(mesh.mesh.backlash)
            floor = np.where(backlash == 0.0, _FAR, 0.0) if np.ndim(backlash) else 0.0
            self._least = mesh.numbers.use(f"floor{self.k}", floor)

    @property
    def by_force(self) -> bool:
        """Whether the flank in contact is that which pushes: a linear law without backlash."""
        return bool(self.coefficient) and self.mode == NEVER_PULLING and self._mesh.one_sided

    @property
    def kinked(self) -> bool:
        """Whether the force has kinks besides those at the ends of contact."""
        return self._mesh.sides and (self.never_pulls or (bool(self.coefficient) and self.mode == LIMITED))

    @property
    def along_errors(self) -> str:
        """Force that acts along errors."""
        return f"F{self.k}" if self._deflects else f"f{self.k}"

    @property
    def touching(self) -> str:
        """Torque of the damper by the unloaded approach of tables, about their phase."""
        k = self.k
        if not self._touches:
            return ""
        if self.never_pulls:
            return f"(force{k}d - F{k}d)*turn{k}d + (force{k}c - F{k}c)*turn{k}c"
        return f"(F{k} - f{k})*lag{k}"

    def stage_text(self, frozen: bool) -> list[str]:
        """Lines up to F{k}."""
        k = self.k
        if not self.coefficient:
            return [f"F{k} = f{k}"]
        rate = self._mesh.approach_rate() if self._deflects else self._mesh.rate
        out = [f"rate{k} = {rate}"]
        if self._touches:
            loaded = self._mesh.loaded
            assert loaded is not None
            out.append(f"spin{k} = {loaded.phase_rate}")
        if self.never_pulls:
            return out + self._of_flanks(frozen)
        return out + self._of_both(frozen)

    def _of_flanks(self, frozen: bool) -> list[str]:
        """Flanks that never pull."""
        k, c, mesh = self.k, self.coefficient, self._mesh
        least = self._least or "0.0"
        on = (f"drive{k}", f"coast{k}") if frozen and mesh.sides else (f"({mesh.on_drive})", f"({mesh.on_coast})")
        if mesh.loaded:
            springs, rates = (f"force{k}d", f"force{k}c"), [f"rate{k}", f"-rate{k}"]
            if self._touches:
                rates = [f"{rate} - turn{k}{side}*spin{k}" for rate, side in zip(rates, "dc", strict=True)]
            shares = ("", "")
        elif mesh.rounded:
            springs, rates = mesh.rounded.forces, [f"rate{k}", f"-rate{k}"]
            shares, on = mesh.rounded.shares, ("", "")
        else:
            springs, rates, shares = (f"K{k}*e{k}", f"-K{k}*n{k}c"), [f"rate{k}", f"-rate{k}"], ("", "")
        out = []
        for n, side in enumerate("dc"):
            share = f"*{shares[n]}" if shares[n] else ""
            out.append(f"push{k}{side} = {springs[n]} + {c}*({rates[n]}){share}")
        if frozen and mesh.sides:
            out += [f"if fresh or renew{k}:", f"    renew{k} = False"]
            out += [f"    open{k}{side} = 1.0 if push{k}{side} < {least} else 0.0" for side in "dc"]
            out += [f"F{k}{side} = {on[n]}*(1.0 - open{k}{side})*push{k}{side}" for n, side in enumerate("dc")]
        else:
            factor = [f"{one}*" if one else "" for one in on]
            out += [f"F{k}{side} = {factor[n]}max(push{k}{side}, {least})" for n, side in enumerate("dc")]
        return [*out, f"F{k} = F{k}d - F{k}c"]

    def _contact(self, frozen: bool) -> str:
        """Number of flanks in contact; for loaded teeth at most 1; with rounded corners, the slope of g."""
        mesh = self._mesh
        if mesh.rounded:
            return mesh.rounded.slope
        drive, coast = self._on(frozen)
        return f"max({drive}, {coast})" if mesh.loaded else f"({drive} + {coast})"

    def _on(self, frozen: bool) -> tuple[str, str]:
        k, mesh = self.k, self._mesh
        return (f"drive{k}", f"coast{k}") if frozen else (f"({mesh.on_drive})", f"({mesh.on_coast})")

    def _of_both(self, frozen: bool) -> list[str]:
        """Laws that refer to both flanks together."""
        k, c, mode, mesh = self.k, self.coefficient, self.mode, self._mesh
        out, rate = [], f"rate{k}"
        if self._touches:
            drive, coast = self._on(frozen)
            out = [f"lag{k} = ({coast}*turn{k}c - {drive}*turn{k}d)/max({drive} + {coast}, 1.0)"]
            rate += f" + lag{k}*spin{k}"
        always = mode == ALWAYS or (mesh.one_sided and not mesh.rounded)
        contact = "" if always else f"*{self._contact(frozen)}"
        if mode != LIMITED:
            return [*out, f"F{k} = f{k} + {c}*({rate}){contact}"]
        # the sum neither pulls nor exceeds twice the spring
        out += [f"p{k} = {c}*({rate}){contact}"]
        if not (frozen and self.kinked):
            return [*out, f"h{k}_ = abs(f{k})", f"F{k} = f{k} + min(max(p{k}, -h{k}_), h{k}_)"]
        out += [f"h{k}_ = (drive{k} - coast{k})*f{k}", f"if fresh or renew{k}:", f"    renew{k} = False"]
        out += [f"    limit{k} = 1.0 if p{k} > h{k}_ else -1.0 if p{k} < -h{k}_ else 0.0"]
        return [*out, f"F{k} = f{k} + (p{k} if limit{k} == 0.0 else limit{k}*h{k}_)"]

    # ---- changes within a step

    @property
    def limits(self) -> list[str]:
        """Texts after a stage that cross zero at kinks."""
        k = self.k
        if not self.kinked:
            return []
        if self.mode == LIMITED:
            return [f"h{k}_ - abs(p{k})"]
        drive, coast = self._on(frozen=False)
        return [f"{drive}*push{k}d", f"{coast}*push{k}c"]

    def frozen_names(self) -> list[str]:
        """Variables that stay within a step, with their first values."""
        k = self.k
        if not self.kinked:
            return []
        names = [f"limit{k}"] if self.mode == LIMITED else [f"open{k}d", f"open{k}c"]
        return [*(f"{name} = 0.0" for name in names), f"renew{k} = True"]

    def events(self) -> list[tuple[str, str, str, str]]:
        """Changes: (value that crosses zero, its sign now, line that makes the change, condition)."""
        k = self.k
        if not self.kinked:
            return []
        if self.mode == LIMITED:
            return [
                (
                    value,
                    f"-1.0 if limit{k} == {limit} else 1.0",
                    f"limit{k} = 0.0 if limit{k} == {limit} else {limit}",
                    f"drive{k} + coast{k} > 0.0",
                )
                for value, limit in ((f"h{k}_ - p{k}", "1.0"), (f"h{k}_ + p{k}", "-1.0"))
            ]
        return [
            (
                total([f"push{k}{side}", f"-{self._least}" if self._least else ""]),
                f"1.0 - 2.0*open{k}{side}",
                f"open{k}{side} = 1.0 - open{k}{side}",
                f"{flank}{k} > 0.0",
            )
            for flank, side in (("drive", "d"), ("coast", "c"))
        ]


# ---- numbers

# LaneNumbers: the numbers that a kernel's text refers to, uniform ones in a vector and varying ones in rows.

Number = float | np.ndarray
"""The same for all lanes, or (lanes,)."""


class LaneNumbers:
    """Numbers by identifier. A number that is zero in all lanes has no identifier: its terms are left out of the text.

    values : numbers of the train by name.
    lanes : their number; at least that of the longest array.
    """

    def __init__(self, values: Values, lanes: int | None = None) -> None:
        self._values = values
        sizes = {np.size(value) for value in values.values() if np.ndim(value)}
        if any(np.ndim(value) > 1 for value in values.values()) or len(sizes) > 1:
            raise ModelError(
                f"numbers of a batch: expected one number or one for each lane, got arrays of {sorted(sizes)} numbers"
            )
        found = max(sizes, default=1)
        if lanes is not None and sizes and lanes != found:
            raise ModelError(f"numbers of a batch: expected one number for each of {lanes} lanes, got {found}")
        self.lanes = lanes or found
        self.uniform: dict[str, float] = {}
        self.varying: dict[str, np.ndarray] = {}

    def of(self, name: str) -> Number:
        """Number with this name of the train; 0 without a name."""
        if not name:
            return 0.0
        if name not in self._values:
            raise ModelError(f'the train of a batch has no number "{name}"')
        value = self._values[name]
        return np.asarray(value, float) if np.ndim(value) else float(value)

    def present(self, name: str) -> bool:
        """Whether a number of the train may be different from zero."""
        return bool(np.ndim(self.of(name)) or self.of(name) != 0.0)

    def use(self, identifier: str, value: Number) -> str:
        """Identifier of a number in the text; empty if the number is zero."""
        if isinstance(value, np.ndarray) and value.ndim:
            self.varying.setdefault(
                identifier, value
            )  # also if all are equal: the text depends on names, not on coincidence
        elif value == 0.0:
            return ""
        else:
            self.uniform.setdefault(identifier, float(value))
        return identifier

    def named(self, identifier: str, name: str) -> str:
        """The same for a number of the train."""
        return self.use(identifier, self.of(name))

    def vector(self) -> np.ndarray:
        """Uniform numbers in the order of their identifiers."""
        return np.array(list(self.uniform.values()), float)

    def rows(self) -> np.ndarray:
        """Varying numbers: a row for each identifier."""
        return np.array(list(self.varying.values()), float).reshape(len(self.varying), self.lanes)


# ---- clock text

# ClockText: time and speed at a stage. All lanes have the same steps of the base cycle θ.
#
# At constant speed a step takes h = Δθ/ω. On a ramp, ω² = ω_0² + 2 ω' θ: θ is then the independent variable, dx/dθ =
# x'/ω, and a step is h = Δθ with all rates divided by ω. A lane whose speed would reach zero in a cycle stops before
# it: `go` becomes 0.

SLOWEST = 1e-6
"""Fraction of the initial speed that counts as zero."""


class ClockText:
    """Text of the time of a train.

    lane_names : variables of a lane that change with the cycle.
    """

    def __init__(self, train: LaneTrain, numbers: LaneNumbers, *, timed: bool, speeds: bool = False) -> None:
        self._numbers = numbers
        omega = numbers.of(train.omega)
        self.ramp, self._timed, self._speeds = bool(train.acceleration), timed, speeds
        self.lane_names = ["go", "cycles_done"] if self.ramp else []
        self._omega = numbers.use("omega", omega) if self.ramp or speeds else ""
        if self.ramp:
            acceleration = numbers.of(train.acceleration)
            self._square = numbers.use("omega_square", omega * omega)
            self._gain = numbers.use("omega_gain", 2.0 * acceleration)
            self._least = numbers.use("omega_least", SLOWEST * SLOWEST * omega * omega)
        else:
            self._inverse = numbers.use("per_omega", 1.0 / np.asarray(omega) if np.ndim(omega) else 1.0 / omega)

    def step_text(self) -> list[str]:
        """Lines before a step: h and its parts."""
        length = "step_angle" if self.ramp else f"step_angle*{self._inverse}"
        return [f"h = {length}", "h2 = 0.5*h", f"h6 = {1.0 / 6.0!r}*h"]

    def cycle_text(self) -> list[str]:
        """Lines at the start of a cycle."""
        if not self.ramp:
            return []
        end = self._squared("(theta_c + cycle_angle)")
        here = self._squared("theta_c")
        lines = [f"go = 1.0 if min({end}, {here}) > {self._least} else 0.0"]
        return [*lines, "cycles_done += go"]

    def stage_text(self, theta: str) -> list[str]:
        """Lines at a stage; theta: text of the angle of the base cycle since the start."""
        out = []
        if self.ramp:
            out += [f"w2 = max({self._squared(theta)}, {self._least})", "r = go/math.sqrt(w2)"]
            if self._timed or self._speeds:
                out.append("omega_now = w2*r")
            if self._timed:
                out.append(f"time = 2.0*({theta})/({self._omega} + omega_now)")
        elif self._timed:
            out.append(f"time = ({theta})*{self._inverse}")
        if self._speeds and not self.ramp:
            out.append(f"omega_now = {self._omega}")
        return out

    def rate(self, name: str) -> str:
        """Derivative by the independent variable of a quantity with this rate in time."""
        return f"{name}*r" if self.ramp else name

    def _squared(self, theta: str) -> str:
        return f"{self._square} + {self._gain}*({theta})" if self._gain else self._square


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


# ---- phase table

# PhaseTable: cosine, sine and fraction of a cycle of order θ at the half steps of a launch, the same for all lanes.

LARGEST = 1 << 20
"""Numbers of a table [8 MB]."""
_SAME = 1e-13
"""Relative difference up to which an order is a ratio of whole numbers: orders are computed from such ratios."""


class PhaseTable:
    """Tables of the phases of a train for steps of a base cycle.

    period : base cycles after which all phases repeat, if the table of so many cycles is not too large; otherwise 0.
    most : base cycles in one launch.
    """

    def __init__(self, phases: Phases, steps: int) -> None:
        self._phases, self._steps = phases, steps
        self._orders = [_ratio(group.order) for group in phases.groups]
        self.width = max(len(phases.columns), 1)
        room = max(LARGEST // (2 * steps * self.width), 1)
        period = math.lcm(*(order.denominator for order in self._orders)) if self._orders else 1
        self.period = period if period <= room else 0
        self.most = room if not self.period else 0
        self._known: np.ndarray | None = None

    def of(self, first: int, cycles: int) -> tuple[np.ndarray, int, int]:
        """Table, column of the start of cycle `first` and column at which it starts again, each times the width."""
        if not self.period:
            return self._tabled(first, cycles), 0, (2 * self._steps * cycles + 2) * self.width
        if self._known is None:
            self._known = self._tabled(0, self.period)
        return (
            self._known,
            2 * self._steps * (first % self.period) * self.width,
            2 * self._steps * self.period * self.width,
        )

    def _tabled(self, first: int, cycles: int) -> np.ndarray:
        half = np.arange(2 * self._steps * cycles + 1)
        out = np.zeros((half.size, self.width))
        for (g, what), column in self._phases.columns.items():
            order = self._orders[g]
            start = order * first % 1
            turn: np.ndarray
            if order.denominator <= 1 << 20:  # whole numbers have no rounding errors
                size = 2 * self._steps * order.denominator
                turn = (half * (order.numerator % size) + round(start * size)) % size / size
            else:
                turn = half * (float(order) / (2 * self._steps)) + float(start)
                turn -= np.floor(turn)
            out[:, column] = turn if what == "turn" else np.cos(TURN * turn) if what == "cos" else np.sin(TURN * turn)
        return out.ravel()


def _ratio(order: float) -> Fraction:
    """The ratio of small whole numbers that an order is, or its exact value."""
    near = Fraction(order).limit_denominator(100_000)
    return near if abs(float(near) - order) <= _SAME * abs(order) else Fraction(order)


# ---- launch

# Launch: base cycles of all lanes that one call of a kernel makes.


@dataclass(frozen=True)
class Launch:
    """One call of a kernel.

    whole : cycles, steps, keep, first_cycle, table_start, table_end, first_point, as `KernelText.argument_text` reads them.
    angles : of a base cycle, a step and half a step. table : of the phases.
    """

    whole: tuple[int, ...]
    angles: tuple[float, ...]
    table: np.ndarray


def launches(
    phases: PhaseTable, *, settle: int, record: int, steps: int, points: int, first_cycle: int, most: int
) -> list[Launch]:
    """Launches of a run: at most `most` cycles each, first those that are not recorded. points: samples at the ends of the last
    cycles."""
    most = max(min(most, phases.most or most), 1)
    out, at = [], 0
    for cycles, keep in ((settle, 0), (record, 1)):
        end = at + cycles
        while at < end:
            part = min(most, end - at)
            table, start, stop = phases.of(first_cycle + at, part)
            first_point = settle + record - points - at
            whole = (part, steps, keep, first_cycle + at, start, stop, first_point)
            out.append(Launch(whole, (TURN, TURN / steps, 0.5 * TURN / steps), table))
            at += part
    return out
