"""The law of a gear mesh by tables over the tilt, for comparison: `table_law` at the tilt of each flank, which may be complex.

Between two tilts of a `TiltTable` the approach of first touch and the compliances are cubics in f; they are mixed here for complex
f, and everything else is `FlankTable`. The moment against the tilt is -dV*/df, V* being linear in first touch and compliances.
"""

from dataclasses import dataclass, replace

import numpy as np
from references.cardona_pair import Coordinates
from references.gear_mesh_cases import LoadedMesh, some_law
from references.hoop_law import HoopForces, HoopLaw
from references.table_law import FlankTable, encoded_tilts, replace_by_springs, some_table

from pitchline.parts.meshes.tables import LoadTable, TiltTable


def at_tilt(table: TiltTable, tilt: complex, d: int = 0) -> LoadTable:
    """The table at a complex tilt; d = 1: its derivative."""
    f = table.tilts
    i = int(np.clip(np.searchsorted(f, np.real(tilt), side="right") - 1, 0, len(f) - 2))
    h = f[i + 1] - f[i]
    inside = tilt
    if not f[0] <= np.real(tilt) <= f[-1]:
        inside = f[0] if np.real(tilt) < f[0] else f[-1]
    y = (inside - f[i]) / h
    value = np.array([1 - 3 * y**2 + 2 * y**3, 3 * y**2 - 2 * y**3, h * (y - 2 * y**2 + y**3), h * (y**3 - y**2)])
    slope = np.array([6 * (y**2 - y) / h, 6 * (y - y**2) / h, 1 - 4 * y + 3 * y**2, 3 * y**2 - 2 * y])
    weights = slope if d else value + (tilt - inside) * slope
    parts = table.tables[i], table.tables[i + 1], table.slopes[i], table.slopes[i + 1]
    touch = sum(w * one.touch for w, one in zip(weights, parts, strict=True))
    compliance = sum(w * one.compliance for w, one in zip(weights, parts, strict=True))
    return LoadTable(parts[0].knots, touch, compliance)


@dataclass(frozen=True, kw_only=True)
class TiltLaw(HoopLaw):
    """Tables over the tilt in place of springs."""

    drive: TiltTable
    coast: TiltTable
    across: float = 0.9
    towards: float = 0.4

    def both_moments(
        self, teeth: int, u: complex, psi_a: complex, psi_b: complex, tilts: tuple[complex, complex], rates: np.ndarray
    ) -> tuple[HoopForces, complex, complex]:
        """Forces, and the moments of the drive and of the coast flank. `rates` as in `forces`."""
        _, (x, x_a, x_b) = self.terms(teeth, psi_a, psi_b)
        s, angle = u + x - self.offset, teeth * psi_a
        f = energy = by_phase = 0j
        moments = [0j, 0j]
        bears = False
        flanks, touching = [], []
        for k, (table, sign, approach) in enumerate(((self.drive, 1, s), (self.coast, -1, -(s + self.backlash)))):
            flank = FlankTable(at_tilt(table, tilts[k]))
            flanks.append((sign, 0j, 0.0, sign * self.rate(rates, x_a, x_b)))
            touching.append(0j)
            if np.real(approach) > np.real(flank.approach(0.0, angle)):
                bears = True
                force = flank.force(approach + 0j, angle)
                f += sign * force
                energy += force * approach - flank.complementary(force, angle)
                by_phase -= teeth * flank.complementary(force, angle, 1)
                moments[k] = -FlankTable(at_tilt(table, tilts[k], 1)).complementary(force, angle)
                touching[-1] = self.along_errors(teeth * flank.approach(0.0, angle, 1))
                flanks[-1] = (sign, force, 1.0, flanks[-1][3] - touching[-1] * rates[0])
        damper, by_touch = self.damper_of_tables(flanks, touching)
        by_phase += by_touch
        along = f + self.along_errors(damper)
        torques = (along * x_a + by_phase, along * x_b) if self.energy_consistent else (0.0, 0.0)
        return HoopForces(f, *torques, 0.0, damper, energy, float(bears)), *moments

    def encode(self, **more) -> tuple[np.void, np.ndarray]:
        _, functions = replace_by_springs(self).encode(**more)
        drive, coast = encoded_tilts(self.drive), encoded_tilts(self.coast)
        places = (len(functions), len(functions) + len(drive), max(self.drive.bend, self.coast.bend))
        law, _ = replace_by_springs(self).encode(tables=places, tilt=(self.across, self.towards), **more)
        return law, np.concatenate([functions, drive, coast])


class TiltedMesh(LoadedMesh):
    """A mesh whose law has tables over the tilt."""

    def tilts(self, q: Coordinates) -> tuple[complex, complex]:
        f, law = self.state.pair.frames(q), self.law
        across, towards = law.across * (f.M[:, 0] @ f.X[:, 2]), law.towards * (f.M[:, 0] @ f.X[:, 1])
        return towards + across, towards - across

    def tilt_gradients(self, q: Coordinates) -> list[np.ndarray]:
        """By the 12 coordinates of the nodes, psi_A and psi_B."""
        f, law, out = self.state.pair.frames(q), self.law, []
        for side in (1, -1):
            n = side * law.across * f.X[:, 2] + law.towards * f.X[:, 1]
            turned = side * law.across * f.X[:, 1] - law.towards * f.X[:, 2]
            turn = np.cross(f.M[:, 0], n)
            by_b = 0.0 if self.state.pair.pitch.is_rack else f.M[:, 0] @ turned
            out.append(np.concatenate([np.zeros(3), q.R_a.T @ turn, np.zeros(3), -q.R_b.T @ turn, [0.0, by_b]]))
        return out

    def _all(self, q: Coordinates, v: np.ndarray) -> tuple[HoopForces, complex, complex]:
        p = self.state.gears.pitch
        pitches = np.pi * p.normal_module * self.whole_teeth
        rates = self.state.pair.rates(q, v)
        return self.law.both_moments(p.teeth_a, q.u + pitches, q.psi_a, q.psi_b, self.tilts(q), rates)

    def forces(self, q: Coordinates, v: np.ndarray) -> HoopForces:
        return self._all(q, v)[0]

    def residual(self, dq: np.ndarray | None = None, dv: np.ndarray | None = None) -> np.ndarray:
        pair = self.state.pair
        q = self.state.q if dq is None else pair.engaged(self.state.q.moved(dq))
        v = self.state.v if dv is None else self.state.v + dv
        f, *moments = self._all(q, v)
        by_tilt = sum(m * g for m, g in zip(moments, self.tilt_gradients(q), strict=True))
        loads = pair.loads(q, (f.hoop, f.torque_a + by_tilt[12], f.torque_b + by_tilt[13]))
        loads = loads - by_tilt[:12]
        return -(loads if dq is not None or dv is not None else np.real(loads))


def some_tilt_table(rng: np.random.Generator, stiffness: float, depth: float, touch: float, width: float) -> TiltTable:
    """Teeth that are softer and touch earlier where they are tilted; the tilt moves the approach by up to a part of `depth`."""
    count = int(rng.integers(3, 6))
    tilts = np.sort(rng.uniform(0.3, 1.0, count)) * np.linspace(-1, 1, count) * 2.0 * depth / width
    tilts[count // 2] = tilts[count // 2] or 1e-3 * tilts[-1]
    aligned = some_table(rng, stiffness, depth, touch)
    loads = aligned.knots[::2]
    rows = aligned.approach(loads[:, None], np.arange(6)[None, :] / 6)
    skew = rng.uniform(-0.5, 0.5, (1, rows.shape[1]))
    points = [
        rows * (1 + 0.3 * (f / tilts[-1]) ** 2 + 0.1 * skew * f / tilts[-1]) - 0.1 * depth * (f / tilts[-1]) ** 2
        + 0.2 * width * f * skew
        for f in tilts
    ]  # fmt: skip
    return TiltTable.through(tilts, loads, np.array(points))


def some_tilted_mesh(state, rng: np.random.Generator, *, flank: str, **options) -> TiltedMesh:
    """A law on a mesh, its teeth on the given flank."""
    law = some_law(state, rng, flank="drive" if flank == "both" else flank, tables=True, **options)
    angle, depth = np.pi * state.gears.pitch.normal_module, law.drive.approach(law.drive.largest_load, 0.0)
    k = law.drive.mean_stiffness
    width = 2.0 * abs(depth) / 0.03  # tilts of some 0.03, as those of the wheels
    made = {name: getattr(law, name) for name in HoopLaw.__dataclass_fields__}
    drive, coast = (some_tilt_table(rng, k, abs(depth), 0.05 * law.backlash, width) for _ in range(2))
    new = TiltLaw(**made, drive=drive, coast=coast)
    mesh = TiltedMesh(state, new)
    # as deep in its flank as before, however tilted
    q = state.q
    u = q.u + angle * mesh.whole_teeth
    x = new.terms(state.gears.pitch.teeth_a, q.psi_a, q.psi_b)[1][0].real
    theta = state.gears.pitch.teeth_a * q.psi_a
    tilts = mesh.tilts(q)
    touch = [
        float(np.real(FlankTable(at_tilt(t, f)).approach(0.0, theta)))
        for t, f in zip((drive, coast), tilts, strict=True)
    ]
    backlash = new.backlash + max(0.0, -sum(touch)) * 1.5
    deep = abs(depth) * rng.uniform(0.2, 1.5)
    s = {"drive": touch[0] + deep, "coast": -backlash - touch[1] - deep}.get(
        flank, 0.5 * (touch[0] - backlash - touch[1])
    )
    if flank == "both":
        backlash = -sum(touch) - deep
        s = touch[0] + rng.uniform(0.2, 0.8) * deep
    return TiltedMesh(state, replace(new, backlash=float(backlash), offset=float(np.real(u + x - s))))
