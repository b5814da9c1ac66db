"""Text of the forces of a mesh: stiffness and errors over its phases, tables of loaded teeth, backlash."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pitchline.errors import ModelError

from ..lane_train import FourierSum, LaneMesh, LaneTable, LaneTrain, Term
from .phase_text import TURN, DamperText, LaneNumbers, Number, Phases
from .small_text import indented, product, total

__all__ = ["RoundedText", "MeshTerms", "TableStore", "LoadedText", "MeshText", "ForceText"]


# ---- rounded text

# Dead zone with corners that are rounded by hyperbolas, as `parts.springs.kernel_stop`: text.


class RoundedText:
    """Text of a mesh with a smoothing length d: g = (s + r(s))/2 + (s + b - r(s + b))/2 with r(x) = sqrt(x² + d²)."""

    def __init__(self, k: int, mesh: LaneMesh, numbers: LaneNumbers, backlash: str) -> None:
        self._k, self._backlash = k, backlash
        half, length = 0.5 * numbers.of(mesh.backlash), numbers.of(mesh.smoothing)
        square = length * length
        middle = 0.5 * (half * half - half * np.sqrt(half * half + square) - square * np.arcsinh(half / length))
        self._square = numbers.use(f"dd{k}", square)
        self._inverse, self._middle = numbers.use(f"inv_d{k}", 1.0 / length), numbers.use(f"G0{k}", -middle)

    def force_text(self) -> list[str]:
        """Lines up to g{k} and f{k}."""
        k = self._k
        out = [f"t{k} = {total([f's{k}', self._backlash])}"]
        out += [f"r{k} = math.sqrt(s{k}*s{k} + {self._square})", f"w{k} = math.sqrt(t{k}*t{k} + {self._square})"]
        return [*out, f"g{k} = 0.5*(s{k} + r{k}) + 0.5*(t{k} - w{k})", f"f{k} = K{k}*g{k}"]

    @property
    def slope(self) -> str:
        """Derivative of g."""
        k = self._k
        return f"(1.0 + 0.5*(s{k}/r{k} - t{k}/w{k}))"

    @property
    def forces(self) -> tuple[str, str]:
        """Forces of the drive and of the coast flank."""
        k = self._k
        return f"0.5*K{k}*(s{k} + r{k})", f"0.5*K{k}*(w{k} - t{k})"

    @property
    def shares(self) -> tuple[str, str]:
        """Derivatives of their depths."""
        k = self._k
        return f"(0.5 + 0.5*s{k}/r{k})", f"(0.5 - 0.5*t{k}/w{k})"

    @property
    def energy(self) -> str:
        """Integral of g, zero in the middle of the backlash."""
        k, d = self._k, self._inverse
        bent = f"{self._square}*(math.asinh(s{k}*{d}) - math.asinh(t{k}*{d}))"
        return f"({total([f'0.25*(s{k}*(s{k} + r{k}) + t{k}*(t{k} - w{k}) + {bent})', self._middle])})"


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


# ---- loaded text

# Loaded teeth: force from the approach by tables of both flanks, as `parts.meshes.kernel_law` and `parts.meshes.kernel_loaded`:
# text.
#
# A flank that is not in contact is left out by a branch. Vectors would load all numbers of the tables of both flanks
# one by one, which takes longer than lane after lane.


class LoadedText:
    """Text of a mesh with tables of loaded teeth.

    phase : index of the phase of the tables. slope : text of the derivative of the energy by it, after a stage.
    """

    def __init__(
        self, k: int, mesh: LaneMesh, numbers: LaneNumbers, phases: Phases, tables: TableStore, backlash: str
    ) -> None:
        assert mesh.loaded is not None
        self._k, self._backlash, table = k, backlash, mesh.loaded
        self.phase = table.phase
        phase = mesh.phases[table.phase]
        self._group = phases.group_of(phase)
        self._phase_rate = phases.rate
        self._shift = numbers.use(f"load{k}_n", phases.shift(phase) / TURN)
        self.knots, self._intervals = table.loads.shape[1], table.approaches.shape[1]
        self._by = repr(self._intervals / TURN)
        self._loads = [tables.add(row) for row in table.loads]
        steps = np.diff(table.loads, append=np.inf)  # beyond the last knot the compliance stays
        self._inverses = [tables.add(1.0 / row) for row in steps]
        cubics = {"U": table.approaches, "c": table.compliances, "A": table.areas}
        self._cubics = {(name, flank): tables.add(all_[flank]) for name, all_ in cubics.items() for flank in (0, 1)}
        self.slope = f"(slope{k}d + slope{k}c)"

    def touch_text(self) -> list[str]:
        """Lines up to near{k}d and near{k}c: approach of each flank beyond first contact."""
        k, p = self._k, f"load{self._k}_"
        out = [*interval_text(p, f"n{self._group.index}", self._shift, self._intervals), f"{p}i = {p}i*{self.knots}"]
        for flank, side in enumerate("dc"):
            u = f"s{k}" if side == "d" else f"-(s{k} + {self._backlash or '0.0'})"
            out += [f"{p}u{side} = {u}", *self._value("U", flank, f"{p}i", f"touch{k}{side}", slope=f"turn{k}{side}")]
            out.append(f"near{k}{side} = {p}u{side} - touch{k}{side}")
        return out

    def force_text(self, frozen: bool) -> list[str]:
        """Lines up to f{k}, g{k} and the parts of `slope`."""
        k, out = self._k, []
        for flank, side in enumerate("dc"):
            on = f"{'drive' if side == 'd' else 'coast'}{k}" if frozen else f"near{k}{side}"
            out += [f"force{k}{side} = 0.0", f"slope{k}{side} = 0.0", f"bent{k}{side} = 0.0", f"if {on} > 0.0:"]
            out += indented([*self._flank(flank, side), f"bent{k}{side} = near{k}{side}"], 1)
        return [*out, f"f{k} = force{k}d - force{k}c", f"g{k} = bent{k}d - bent{k}c"]

    @property
    def phase_rate(self) -> str:
        """Rate of the phase of the tables."""
        return self._phase_rate(self._group)

    def touch_rate(self, side: str) -> str:
        """Rate of the approach of first contact."""
        return f"turn{self._k}{side}*({self.phase_rate})"

    def _value(self, name: str, flank: int, row: str, to: str, slope: str = "") -> list[str]:
        """A cubic of the row `row` (phase times knots, plus knot), and its derivative by the phase."""
        p, place = f"load{self._k}_", self._cubics[name, flank]
        x, c = f"{p}x", [f"{to}_{power}" for power in range(4)]
        out = [f"{to}_at = {place} + 4*({row})", *(f"{c[power]} = G[{to}_at + {power}]" for power in range(4))]
        out.append(f"{to} = {c[0]} + {x}*({c[1]} + {x}*({c[2]} + {x}*{c[3]}))")
        return [*out, f"{slope} = {self._by}*({c[1]} + {x}*(2.0*{c[2]} + 3.0*{x}*{c[3]}))"] if slope else out

    def _flank(self, flank: int, side: str) -> list[str]:
        """Force and dV/dφ of a flank: force{k}, slope{k}."""
        p, m = f"load{self._k}_", f"load{self._k}_m{side}"
        out, size = [f"{m} = np.int32(0)"], 1
        while size < self.knots:
            size *= 2
        while size > 1:
            size //= 2
            # the last knot whose approach is not above u
            out.append(f"{p}t = min({m} + np.int32({size}), np.int32({self.knots - 1}))")
            out += self._value("U", flank, f"{p}i + {p}t", f"{p}V")
            out.append(f"{m} = {p}t if {p}V <= {p}u{side} else {m}")
        row, after = f"{p}i + {m}", f"{p}i + min({m} + np.int32(1), np.int32({self.knots - 1}))"
        for name in "UcA":
            out += self._value(name, flank, row, f"{p}{name}", slope=f"{p}{name}p")
        out += self._value("c", flank, after, f"{p}e", slope=f"{p}ep")
        out += [
            f"{p}g = G[{self._inverses[flank]} + {m}]",
            f"{p}b = {p}g*({p}e - {p}c)",
            f"{p}bp = {p}g*({p}ep - {p}cp)",
        ]
        out.append(f"{p}r = {p}u{side} - {p}U")
        out.append(f"{p}t = 2.0*{p}r/({p}c + math.sqrt(max({p}c*{p}c + 2.0*{p}b*{p}r, 0.0)))")
        out.append(f"{p}h = 0.5*{p}t*{p}t")
        out.append(f"force{self._k}{side} = G[{self._loads[flank]} + {m}] + {p}t")
        third = f"{1.0 / 3.0!r}*{p}t*{p}h"
        out.append(f"slope{self._k}{side} = -({p}Ap + {p}Up*{p}t + {p}cp*{p}h + {p}bp*({third}))")
        return out


# ---- mesh text

# Force law of a mesh at a stage: text.
#
#     s = Σ l_i y_i + origin + X ,   g = max(s, 0) + min(s + b, 0) ,   F = K g + damping ,
#     M_p = K g ∂X/∂φ_p + ∂K/∂φ_p (max(s, 0)² + min(s + b, 0)²)/2 ,   as `parts.springs.kernel_law` and `parts.springs.kernel_stop`.
#
# In frozen text (see `CutText`) the variables drive{k} and coast{k}, 1 or 0, replace the comparisons of s with 0 and
# −b; those of the damper are in `phase_text`. `fresh` makes them those of the state.

_NEXT_TO_ZERO = 5e-324


@dataclass
class MeshText:
    """Text of a mesh, and of the torques of its forces.

    k : index. `levers` : identifiers of l_i of free rotors.
    """

    k: int
    mesh: LaneMesh
    train: LaneTrain
    numbers: LaneNumbers
    phases: Phases
    tables: TableStore

    def __post_init__(self) -> None:
        k, mesh, numbers = self.k, self.mesh, self.numbers
        free = set(self.train.free)
        named = {i: numbers.named(f"l{k}_{i}", name) for i, name in mesh.levers.items() if i in free}
        self.levers = {i: name for i, name in named.items() if name}
        self.terms = MeshTerms(k, mesh, numbers, self.phases, self.tables)
        self.constant = numbers.use(f"o{k}", numbers.of(mesh.origin) + self.terms.error_constant)
        self.damping = numbers.named(f"damp{k}", mesh.damping)
        backlash = numbers.of(mesh.backlash)
        self.backlash = numbers.use(f"b{k}", backlash)
        # without backlash one flank is always in contact, and only one
        self.limit = numbers.use(
            f"m{k}", np.where(backlash == 0.0, -_NEXT_TO_ZERO, -backlash) if np.ndim(backlash) else -backlash
        )
        self.loaded = LoadedText(k, mesh, numbers, self.phases, self.tables, self.backlash) if mesh.loaded else None
        self.rounded = RoundedText(k, mesh, numbers, self.backlash) if mesh.smoothing else None
        self.damper = DamperText(self)

    @property
    def one_sided(self) -> bool:
        """Whether one of the flanks is always in contact, in all lanes."""
        return not self.backlash and not self.loaded

    @property
    def sides(self) -> bool:
        """Whether the law changes where a flank comes into contact."""
        return not (self.one_sided or self.rounded)

    @property
    def rate(self) -> str:
        """Rate of approach without that of the errors."""
        return total((product(lever, f"u{i}") for i, lever in self.levers.items()), "0.0")

    def stage_text(self, *, frozen: bool = False) -> list[str]:
        """Lines up to F{k}, g{k}, s{k} and the torques in a_i."""
        k = self.k
        approach = [product(lever, f"y{i}") for i, lever in self.levers.items()]
        out = [*self.terms.text, f"s{k} = {total([*approach, self.constant, self.terms.error_terms], '0.0')}"]
        out += self._elastic(frozen)
        out += self.damper.stage_text(frozen)
        out += [f"a{i} -= {lever}*F{k}" for i, lever in self.levers.items()]
        return out + (self._torques() if self.mesh.consistent else [])

    def _elastic(self, frozen: bool) -> list[str]:
        k = self.k
        fresh = indented([f"drive{k} = {self.on_drive}", f"coast{k} = {self.on_coast}"], 1)
        choice = ["if fresh:", *fresh] if frozen and self.sides else []
        if self.loaded:
            return [*self.loaded.touch_text(), *choice, *self.loaded.force_text(frozen)]
        if self.rounded:
            return self.rounded.force_text()
        if self.one_sided:
            out = [f"g{k} = s{k}"]
        elif frozen:
            out = [
                *choice,
                f"e{k} = drive{k}*s{k}",
                f"n{k}c = coast{k}*(s{k} + {self.backlash})",
                f"g{k} = e{k} + n{k}c",
            ]
        else:
            out = [f"e{k} = max(s{k}, 0.0)", f"n{k}c = min(s{k} + {self.backlash}, 0.0)", f"g{k} = e{k} + n{k}c"]
        return [*out, f"f{k} = K{k}*g{k}"]

    @property
    def distances(self) -> tuple[str, str]:
        """Texts, after a stage, of what is positive in contact of the drive and of the coast flank."""
        k = self.k
        return (f"near{k}d", f"near{k}c") if self.loaded else (f"s{k}", f"({self.limit} - s{k})")

    @property
    def on_drive(self) -> str:
        """Whether the drive flank is in contact, 1 or 0."""
        return f"1.0 if {self.distances[0]} {'>' if self.loaded else '>='} 0.0 else 0.0"

    @property
    def on_coast(self) -> str:
        """The same of the coast flank."""
        return f"1.0 if {self.distances[1]} {'>' if self.loaded else '>='} 0.0 else 0.0"

    def _torques(self) -> list[str]:
        """Torques of errors and stiffness that vary with a phase."""
        k, out = self.k, []
        for p, phase in enumerate(self.mesh.phases):
            error, stiffness = self.terms.error_slopes.get(p, ""), self.terms.stiffness_slopes.get(p, "")
            energy = product(stiffness, self._energy()) if stiffness else ""
            if self.loaded and self.loaded.phase == p:
                energy = total([self.loaded.slope, self.damper.touching])
            teeth = self.phases.group_of(phase).teeth if error or energy else {}
            if teeth:
                out.append(f"M{k} = {total([product(self.damper.along_errors, error), energy])}")
                out += [f"a{i} -= {z}*M{k}" for i, z in teeth.items()]
        return out

    def _energy(self) -> str:
        """Energy of the teeth divided by the stiffness."""
        k = self.k
        if self.rounded:
            return self.rounded.energy
        return f"0.5*g{k}*g{k}" if self.one_sided else f"(0.5*(e{k}*e{k} + n{k}c*n{k}c))"

    @property
    def watched(self) -> list[tuple[str, list[str]]]:
        """What a step observes to find a change of side: texts after a stage, and the values that they cross."""
        k = self.k
        if not self.sides:
            return []
        sides = (
            [(distance, ["0.0"]) for distance in self.distances] if self.loaded else [(f"s{k}", ["0.0", self.limit])]
        )
        return sides + [(limit, ["0.0"]) for limit in self.damper.limits]

    def approach_rate(self) -> str:
        """Rate of s at a stage."""
        rates = [self.rate] if self.levers else []
        for p, slope in self.terms.error_slopes.items():
            rates.append(product(slope, f"({self.phases.rate(self.phases.group_of(self.mesh.phases[p]))})"))
        return total(rates, "0.0")


# ---- force text

# ForceText: accelerations of all free rotors at a stage, from y and u.


class ForceText:
    """Text of the accelerations of a train, and the numbers to which it refers."""

    def __init__(self, train: LaneTrain, lanes: int | None = None, variant: str = "near") -> None:
        self.train = train
        self.numbers = LaneNumbers(train.values, lanes)
        self.phases = Phases(train, self.numbers, variant)
        self.tables = TableStore()
        self.meshes = [
            MeshText(k, mesh, train, self.numbers, self.phases, self.tables) for k, mesh in enumerate(train.meshes)
        ]
        self.free = train.free
        self._check()
        self.timed = any(train.rotors[i].torque_rate for i in self.free)
        self.ramp = bool(train.acceleration)
        self.turning = any(mesh.damper.turns for mesh in self.meshes)
        """Whether forces depend on the speed of phases."""

    def _check(self) -> None:
        """Numbers that would give wrong results without a message."""
        train, of = self.train, self.numbers.of
        if not self.free:
            raise ModelError(
                f'batch "{train.name}": the motion of every part is prescribed, there is nothing to compute'
            )
        positive = {
            f'rotor "{train.rotors[i].name}": the moment of inertia': train.rotors[i].inertia for i in self.free
        }
        for what, name in {**positive, f'batch "{train.name}": the speed of the base cycle': train.omega}.items():
            values = np.atleast_1d(of(name))
            if (values <= 0.0).any():
                lane = int(np.argmax(values <= 0.0))
                where = f" in lane {lane}" if values.size > 1 else ""
                raise ModelError(f"{what} must be positive, got {values[lane]:g}{where}")

    def stage_text(self, *, ahead: str = "", exact: bool = False, frozen: bool = False) -> list[str]:
        """Lines up to a_i; see `Phases.stage_text` and `MeshText.stage_text` for the options."""
        out = self.phases.stage_text(ahead=ahead, exact=exact)
        out += [f"a{i} = {self._torque(i)}" for i in self.free]
        for mesh in self.meshes:
            out += mesh.stage_text(frozen=frozen)
        out += self._springs()
        for i in self.free:
            inverse = self.numbers.use(f"inv{i}", 1.0 / self.numbers.of(self.train.rotors[i].inertia))
            out.append(f"a{i} = {total([f'a{i}*{inverse}', self._drift(i)])}")
        return out

    def _torque(self, i: int) -> str:
        rotor, numbers = self.train.rotors[i], self.numbers
        constant, rate = numbers.named(f"T{i}", rotor.torque), numbers.named(f"R{i}", rotor.torque_rate)
        return total([constant, product(rate, "time")], "0.0")

    def _drift(self, i: int) -> str:
        """Acceleration of the steady rolling, with the opposite sign."""
        acceleration = self.numbers.of(self.train.acceleration)
        return self.numbers.use(f"alpha{i}", -self.train.rotors[i].speed * acceleration)

    def _springs(self) -> list[str]:
        out = []
        for k, spring in enumerate(self.train.springs):
            named = {i: self.numbers.named(f"a{k}_{i}", name) for i, name in spring.levers.items() if i in self.free}
            levers = {i: name for i, name in named.items() if name}
            stiffness, damping = (
                self.numbers.named(f"sk{k}", spring.stiffness), self.numbers.named(f"sc{k}", spring.damping)
            )  # fmt: skip
            offset = self.numbers.named(f"se{k}", spring.offset)
            stretch = total([*(product(a, f"y{i}") for i, a in levers.items()), offset])
            rate = total(product(a, f"u{i}") for i, a in levers.items())
            force = total([product(stiffness, stretch), product(damping, rate)])
            if force and levers:
                out.append(f"spring = {force}")
                out += [f"a{i} -= {a}*spring" for i, a in levers.items()]
        return out
