"""The law of a gear mesh by tables of loaded teeth, for comparison: forces as derivatives of an energy found by integration.

A `LoadTable` says the compliance c(F, theta) of a flank, linear in F between knots, and its first touch u_0(theta), as cubics of
theta. All else is made of them here, for complex numbers: u = u_0 + int c dF by the trapezoidal rule, which is exact; F from u by
Newton; the complementary energy V* = int u dF by Gauss points; V = F u - V*, dV/dtheta at constant u = -dV*/dtheta.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from references.hoop_law import NO_RATES, HoopForces, HoopLaw

from pitchline.parts.meshes.kernel_law import encode_table
from pitchline.parts.meshes.kernel_tilt import encode_tilt_table
from pitchline.parts.meshes.tables import LoadTable, TiltTable

GAUSS = 0.5 + 0.5 / math.sqrt(3.0) * np.array([-1.0, 1.0])


def encoded(table: LoadTable) -> np.ndarray:
    """As numbers among the functions of a system."""
    return encode_table(table.knots, table.approaches, table.compliance, table.areas)


def encoded_tilts(table: TiltTable) -> np.ndarray:
    """The same of a table over the tilt."""
    parts = (table.cubics(name) for name in ("approaches", "compliance", "areas"))
    return encode_tilt_table(table.tilts, table.tables[0].knots, *parts)


@dataclass(frozen=True)
class FlankTable:
    """One flank; angles are those of the mesh cycle, `d`: how many times to differentiate by them."""

    table: LoadTable

    def cubic(self, c: np.ndarray, angle: complex, d: int) -> complex:
        n = len(c)
        part = angle * n / (2 * math.pi)
        j = math.floor(part.real)
        c, x = c[j % n], part - j
        if d == 0:
            return c[0] + x * (c[1] + x * (c[2] + x * c[3]))
        return (c[1] + x * (2 * c[2] + 3 * x * c[3])) * n / (2 * math.pi)

    def pieces(self, force: complex) -> list[complex]:
        """Knots below a force, and the force."""
        return [*(k for k in self.table.knots if k < np.real(force) or k == 0.0), force]

    def compliance(self, force: complex, angle: complex, d: int) -> complex:
        knots, c = self.table.knots, self.table.compliance
        m = min(max(int(np.searchsorted(knots, np.real(force), side="right")) - 1, 0), len(knots) - 1)
        here = self.cubic(c[:, m], angle, d)
        if m == len(knots) - 1 or np.real(force) < 0:
            return here
        there = self.cubic(c[:, m + 1], angle, d)
        return here + (there - here) * (force - knots[m]) / (knots[m + 1] - knots[m])

    def approach(self, force: complex, angle: complex, d: int = 0) -> complex:
        u = self.cubic(self.table.touch, angle, d)
        for a, b in pairwise(self.pieces(force)):
            u += 0.5 * (b - a) * (self.compliance(a, angle, d) + self.compliance(b, angle, d))
        return u

    def complementary(self, force: complex, angle: complex, d: int = 0) -> complex:
        pieces = list(pairwise(self.pieces(force)))
        return sum(0.5 * (b - a) * self.approach(a + x * (b - a), angle, d) for a, b in pieces for x in GAUSS)

    def force(self, u: complex, angle: complex) -> complex:
        f: complex = 0.0
        for _ in range(60):
            step = (self.approach(f, angle) - u) / self.compliance(f, angle, 0)
            f = f - step
            f = complex(max(f.real, 0.0), f.imag) if isinstance(f, complex) else max(f, 0.0)
            if abs(step) <= 1e-15 * abs(f):
                break
        return f


@dataclass(frozen=True, kw_only=True)
class TableLaw(HoopLaw):
    """Tables in place of springs; `stiffness` is then only a size."""

    drive: LoadTable
    coast: LoadTable

    def forces(
        self,
        teeth: int,
        u: complex,
        psi_a: complex,
        psi_b: complex,
        *,
        tau: complex = 0.0,
        rates: np.ndarray = NO_RATES,
    ) -> HoopForces:
        _, (x, x_a, x_b) = self.terms(teeth, psi_a, psi_b)
        s, angle = u + x - self.offset, teeth * psi_a
        f = energy = by_phase = 0j
        bears = False
        flanks, touching = [], []
        for table, sign, approach in ((self.drive, 1, s), (self.coast, -1, -(s + self.backlash))):
            flank = FlankTable(table)
            flanks.append((sign, 0j, 0.0, sign * self.rate(rates, x_a, x_b)))
            touching.append(0j)
            if np.real(approach) > np.real(flank.approach(0.0, angle)):
                bears = True
                force = flank.force(approach, angle)
                f += sign * force
                energy += force * approach - flank.complementary(force, angle)
                by_phase -= teeth * flank.complementary(force, angle, 1)
                touching[-1] = self.along_errors(teeth * flank.approach(0.0, angle, 1))
                flanks[-1] = (sign, force, 1.0, flanks[-1][3] - touching[-1] * rates[0])
        damper, by_touch = self.damper_of_tables(flanks, touching)
        by_phase += by_touch
        along = f + self.along_errors(damper)
        torques = (along * x_a + by_phase, along * x_b) if self.energy_consistent else (0.0, 0.0)
        return HoopForces(f, *torques, 0.0, damper, energy, float(bears))

    def approach(self, force: float, angle: complex) -> complex:
        """s at which the teeth carry a force; negative on the coast flank."""
        if force >= 0:
            return FlankTable(self.drive).approach(force, angle)
        return -self.backlash - FlankTable(self.coast).approach(-force, angle)

    def encode(self, **more) -> tuple[np.void, np.ndarray]:
        _, functions = replace_by_springs(self).encode(**more)
        drive, coast = encoded(self.drive), encoded(self.coast)
        places = (len(functions), len(functions) + len(drive), max(self.drive.bend, self.coast.bend))
        law, _ = replace_by_springs(self).encode(tables=places, **more)
        return law, np.concatenate([functions, drive, coast])


def replace_by_springs(law: TableLaw) -> HoopLaw:
    """The same without its tables."""
    return HoopLaw(**{name: getattr(law, name) for name in HoopLaw.__dataclass_fields__})


def some_table(rng: np.random.Generator, stiffness: float, depth: float, touch: float, *, phases: int = 6) -> LoadTable:
    """Teeth that stiffen under load: about `depth` deep at the largest of some loads; first touch within `touch`."""
    loads = stiffness * depth * np.concatenate([[0.0], np.sort(rng.uniform(0.05, 0.95, rng.integers(0, 3))), [1.0]])
    slopes = (1.0 + np.cumsum(rng.uniform(0, 0.5, (len(loads) - 1, 1)), axis=0)) * rng.uniform(
        1.0, 1.6, (len(loads) - 1, phases)
    )
    first = touch * rng.uniform(-1, 1, (1, phases))
    rises = np.diff(loads)[:, None] / (stiffness * slopes)
    return LoadTable.through(loads, np.concatenate([first, first + np.cumsum(rises, axis=0)]))


def with_tables(law: HoopLaw, rng: np.random.Generator, depth: float) -> TableLaw:
    """A law whose springs are replaced by tables, within and beyond their loads about `depth` deep."""
    k = next(float(x) if isinstance(x, float) else x.mean for x in law.stiffness)
    drive, coast = (some_table(rng, k, depth * rng.uniform(0.3, 2.0), 0.1 * law.backlash) for _ in range(2))
    values = {name: getattr(law, name) for name in HoopLaw.__dataclass_fields__}
    return TableLaw(**values | {"stiffness": (k,), "smoothing": 0.0, "width": 0.0}, drive=drive, coast=coast)
