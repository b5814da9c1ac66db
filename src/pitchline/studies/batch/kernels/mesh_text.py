"""Force law of a mesh at a stage: text.

    s = Σ l_i y_i + origin + X ,   g = max(s, 0) + min(s + b, 0) ,   F = K g + damping ,
    M_p = K g ∂X/∂φ_p + ∂K/∂φ_p (max(s, 0)² + min(s + b, 0)²)/2 ,   as `elements.spring_law` and `elements.dead_zone`.

With frozen sides (see `cut_text`) the variables drive{k} and coast{k}, 1 or 0, replace the comparisons of s with 0 and −b.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..lane_train import ALWAYS, NEVER_PULLING, LaneMesh, LaneTrain
from .numbers import LaneNumbers
from .phase_text import Phases
from .terms_text import MeshTerms, TableStore
from .text import product, total

__all__ = ["MeshText"]

_NEXT_TO_ZERO = 5e-324


@dataclass
class MeshText:
    """Text of a mesh, and of the torques of its forces.

    k : index. `levers`, `teeth` : identifiers of l_i, and of z_i for each phase, of free rotors.
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

    @property
    def one_sided(self) -> bool:
        """Whether there is no backlash in any lane."""
        return not self.backlash

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
        out += self._damped(frozen)
        out += [f"a{i} -= {lever}*F{k}" for i, lever in self.levers.items()]
        return out + (self._torques() if self.mesh.consistent else [])

    def _elastic(self, frozen: bool) -> list[str]:
        k = self.k
        if self.mesh.smoothing:
            return self._rounded()
        if self.one_sided:
            out = [f"g{k} = s{k}"]
        elif frozen:
            out = [f"e{k} = drive{k}*s{k}", f"n{k}c = coast{k}*(s{k} + {self.backlash})", f"g{k} = e{k} + n{k}c"]
        else:
            out = [f"e{k} = max(s{k}, 0.0)", f"n{k}c = min(s{k} + {self.backlash}, 0.0)", f"g{k} = e{k} + n{k}c"]
        return [*out, f"f{k} = K{k}*g{k}"]

    def _rounded(self) -> list[str]:
        """Corners rounded by hyperbolas over a length."""
        k, numbers = self.k, self.numbers
        length = numbers.of(self.mesh.smoothing)
        square = numbers.use(f"dd{k}", length * length)
        out = [f"t{k} = {total([f's{k}', self.backlash])}"]
        out += [f"r{k} = math.sqrt(s{k}*s{k} + {square})", f"w{k} = math.sqrt(t{k}*t{k} + {square})"]
        return [*out, f"g{k} = 0.5*(s{k} + r{k}) + 0.5*(t{k} - w{k})", f"f{k} = K{k}*g{k}"]

    def _contact(self, frozen: bool) -> str:
        """Number of flanks in contact; with rounded corners, the slope of g."""
        k = self.k
        if self.mesh.smoothing:
            return f"(1.0 + 0.5*(s{k}/r{k} - t{k}/w{k}))"
        if frozen:
            return f"(drive{k} + coast{k})"
        return f"((1.0 if s{k} >= 0.0 else 0.0) + (1.0 if s{k} <= {self.limit} else 0.0))"

    def _damped(self, frozen: bool) -> list[str]:
        k, mode = self.k, self.mesh.damping_mode
        if not self.damping:
            return [f"F{k} = f{k}"]
        always = mode == ALWAYS or (self.one_sided and not self.mesh.smoothing)
        contact = "" if always else f"*{self._contact(frozen)}"
        if mode != NEVER_PULLING:
            return [f"F{k} = f{k} + {self.damping}*({self.rate}){contact}"]
        # the sum neither pulls nor exceeds twice the spring
        out = [f"p{k} = {self.damping}*({self.rate}){contact}", f"abs_f{k} = abs(f{k})"]
        return [*out, f"F{k} = f{k} + min(max(p{k}, -abs_f{k}), abs_f{k})"]

    def _torques(self) -> list[str]:
        """Torques of errors and stiffness that vary with a phase."""
        k, out = self.k, []
        for p, phase in enumerate(self.mesh.phases):
            error, stiffness = self.terms.error_slopes.get(p, ""), self.terms.stiffness_slopes.get(p, "")
            teeth = self.phases.group_of(phase).teeth if error or stiffness else {}
            if not teeth:
                continue
            energy = product(stiffness, self._energy())
            out.append(f"M{k} = {total([product(f'f{k}', error), energy])}")
            out += [f"a{i} -= {z}*M{k}" for i, z in teeth.items()]
        return out

    @property
    def apart(self) -> str:
        """1 if the teeth are not in contact, otherwise 0."""
        k = self.k
        return f"1.0 if s{k} < 0.0 and s{k} > {self.limit} else 0.0"

    @property
    def cos_alpha(self) -> str:
        return repr(float(self.mesh.cos_alpha))

    def advance(self, of: str, *, rate: bool = False) -> str:
        """Approach u without errors, or its rate, from the variables `of` of the rotors."""
        origin = "" if rate else self.numbers.named(f"u{self.k}_0", self.mesh.origin)
        return total([*(product(lever, f"{of}{i}") for i, lever in self.levers.items()), origin], "0.0")

    def signal(self, name: str) -> str:
        """Text of a signal after a stage."""
        k, cosine = self.k, self.cos_alpha
        force = f"{1.0 / self.mesh.cos_alpha!r}*F{k}"
        u = self.advance("y")
        if name == "signed_force":
            return force
        if name == "approach":
            return u
        if name == "contact":
            return f"(1.0 if g{k} > 0.0 else 0.0) - (1.0 if g{k} < 0.0 else 0.0)"
        drive = {"normal_force": force, "deflection": f"{cosine}*g{k}", "transmission_error": f"{cosine}*({u})"}[name]
        if self.one_sided:  # all samples refer to one flank, which the mean force determines after the run
            return drive
        coast = f"-{cosine}*({total([u, self.backlash])})" if name == "transmission_error" else f"-{drive}"
        return f"({drive}) if g{k} > 0.0 or (g{k} == 0.0 and {u} + 0.5*{self.backlash} >= 0.0) else ({coast})"

    def _energy(self) -> str:
        """Energy of the teeth divided by the stiffness."""
        k = self.k
        if not self.mesh.smoothing:
            return f"0.5*g{k}*g{k}" if self.one_sided else f"(0.5*(e{k}*e{k} + n{k}c*n{k}c))"
        half = 0.5 * self.numbers.of(self.mesh.backlash)
        length = self.numbers.of(self.mesh.smoothing)
        square = length * length
        middle = 0.5 * (half * half - half * np.sqrt(half * half + square) - square * np.arcsinh(half / length))
        d, dd = self.numbers.use(f"inv_d{k}", 1.0 / length), self.numbers.use(f"dd{k}", square)
        g0 = self.numbers.use(f"G0{k}", -middle)
        curved = f"0.25*(s{k}*(s{k} + r{k}) + t{k}*(t{k} - w{k}) + {dd}*(math.asinh(s{k}*{d}) - math.asinh(t{k}*{d})))"
        return f"({total([curved, g0])})"
