"""Force law of a mesh at a stage: text.

    s = Σ l_i y_i + origin + X ,   g = max(s, 0) + min(s + b, 0) ,   F = K g + damping ,
    M_p = K g ∂X/∂φ_p + ∂K/∂φ_p (max(s, 0)² + min(s + b, 0)²)/2 ,   as `elements.spring_law` and `elements.dead_zone`.

In frozen text (see `cut_text`) the variables drive{k} and coast{k}, 1 or 0, replace the comparisons of s with 0 and −b; those of
the damper are in `damper_text`. `fresh` makes them those of the state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..lane_train import LaneMesh, LaneTrain
from .damper_text import DamperText
from .loaded_text import LoadedText
from .numbers import LaneNumbers
from .phase_text import Phases
from .rounded_text import RoundedText
from .terms_text import MeshTerms, TableStore
from .text import indented, product, total

__all__ = ["MeshText"]

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
