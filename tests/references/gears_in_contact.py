"""Two elastic spur gears on hinges, pressed on each other: statics and small vibrations from finite-element modes alone.

Written from the data of the gears (`contact.flank_data`): frequencies, traces of the modes on the flanks, residual compliance, and
the local compliance of strips. Unknowns are both angles and the real and imaginary parts of all modal coordinates. Valid at phases
of the table, for spur gears without modifications on their left flanks, while contact is narrow.
"""

import math
from dataclasses import dataclass

import numpy as np

from pitchline.contact.compliance import contact_modulus
from pitchline.contact.flank_data import FlankData, half_space_scale
from pitchline.contact.strip_gaps import strip_coupling
from pitchline.fem.elastic_gear import ElasticGear


@dataclass
class Strip:
    """A strip of a tooth pair: its tooth on A, face line, place in the table, gap of rigid flanks."""

    tooth: int
    line: int
    row: int
    gap: float


class GearsInContact:
    """The pair with the pinion at `psi` [rad] and the teeth `u` [m] along the hoop nearer than they touch."""

    def __init__(self, data: FlankData, levers: tuple[float, float], psi: float, u: float) -> None:
        self.data, self.levers, self.side = data, levers, data.drive
        self.modulus = contact_modulus(data.a.material, data.b.material)
        self.kappa = half_space_scale(data.a.material) + half_space_scale(data.b.material)
        self.omega = np.concatenate([self._omega(data.a, data.modes_a), self._omega(data.b, data.modes_b)])
        strips = self._strips(psi, u)
        self.strips, self.force = self._press(strips)
        self.amplitudes = self._traces(self.strips).T @ self.force / self.omega**2

    # ---- gears

    @staticmethod
    def _omega(gear: ElasticGear, modes: np.ndarray) -> np.ndarray:
        w = 2.0 * math.pi * gear.frequencies[modes]
        pairs = gear.multiplicities[modes] == 2
        return np.concatenate([w[pairs], w[~pairs], w[pairs]])  # in the order of the element

    def _gear_traces(
        self, gear: ElasticGear, modes: np.ndarray, traces: np.ndarray, tooth: int, place: float, line: int
    ) -> np.ndarray:
        """Displacement of a point of a flank by the modal coordinates of a gear."""
        rows, faces = gear.grids["left"].shape
        i = min(int(place), rows - 2)
        t = place - i
        at = (1.0 - t) * traces[:, i * faces + line] + t * traces[:, (i + 1) * faces + line]
        at = at * np.exp(2j * math.pi * gear.nodal_diameters[modes] * tooth / gear.teeth.gear.teeth)
        pairs = gear.multiplicities[modes] == 2
        return np.concatenate([at[pairs].real, at[~pairs].real, -at[pairs].imag])

    def _traces(self, strips: list[Strip]) -> np.ndarray:
        """(strips, coordinates)."""
        d, side = self.data, self.side
        found = []
        for s in strips:
            on_b = side.gaps.tooth_b + d.sense * s.tooth
            a = self._gear_traces(d.a, d.modes_a, side.traces_a, s.tooth, side.at_a[s.row, s.line], s.line)
            b = self._gear_traces(d.b, d.modes_b, side.traces_b, on_b, side.at_b[s.row, s.line], s.line)
            found.append(np.concatenate([a, b]))
        return np.array(found)

    # ---- contact

    def _strips(self, psi: float, u: float) -> list[Strip]:
        gaps, r_b = self.side.gaps, self.levers[1]
        step = gaps.phase[1] - gaps.phase[0]
        x = psi * self.data.a.teeth.gear.teeth / (2.0 * math.pi)
        found = []
        for tooth in range(-6, 7):
            row = (x + tooth - gaps.phase[0]) / step
            if not -1e-6 < row < len(gaps.phase) - 1 + 1e-6:
                continue
            assert abs(row - round(row)) < 1e-6, "a phase of the table"
            for line, play in enumerate(gaps.play[round(row)]):
                if np.isfinite(play):
                    found.append(Strip(tooth, line, round(row), float(gaps.lever[round(row), line] * (play - u / r_b))))
        return found

    def _between(self, S: np.ndarray, faces: int, c: tuple[float, int], d: tuple[float, int]) -> float:
        """Compliance between two places (along the profile, face line) in a block over hats."""
        total = 0.0
        (p, j), (q, k) = c, d
        rows = S.shape[0] // faces
        i, l = min(int(p), rows - 2), min(int(q), rows - 2)
        for a, wa in ((i, 1.0 - (p - i)), (i + 1, p - i)):
            for b, wb in ((l, 1.0 - (q - l)), (l + 1, q - l)):
                total += wa * wb * S[a * faces + j, b * faces + k]
        return total

    def _compliance(self, strips: list[Strip]) -> np.ndarray:
        """Residual compliance of both gears, and what strips of a tooth do to each other through the half-space."""
        d, side = self.data, self.side
        faces = d.a.grids["left"].shape[1]
        middle_a, middle_b = (int(np.flatnonzero(gear.offsets == 0)[0]) for gear in (d.a, d.b))
        coupling = self.kappa * np.asarray(strip_coupling(d.widths, np.zeros(1)))[0]
        S = np.zeros((len(strips), len(strips)))
        for n, c in enumerate(strips):
            for m, e in enumerate(strips):
                o = c.tooth - e.tooth
                places_a = [(float(side.at_a[s.row, s.line]), s.line) for s in (c, e)]
                places_b = [(float(side.at_b[s.row, s.line]), s.line) for s in (c, e)]
                S[n, m] = self._between(side.compliance_a[middle_a + o], faces, *places_a)
                S[n, m] += self._between(side.compliance_b[middle_b + d.sense * o], faces, *places_b)
                if n != m and o == 0:
                    S[n, m] += coupling[c.line, e.line]
        return S

    def _local(self, strips: list[Strip], force: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Approach of strips under Hertz's pressure, and its derivative by the force, by a difference."""
        width = self.data.widths[[s.line for s in strips]]
        radius = np.array([self.side.gaps.radius[s.row, s.line] for s in strips])

        def approach(f: np.ndarray) -> np.ndarray:
            b = np.sqrt(4.0 * f * radius / (math.pi * self.modulus * width))
            x = 0.5 * math.exp(-0.5) * b
            assert np.all(x < 0.1 * width), "narrow contact"
            return self.kappa * f / width * 2.0 * (np.arcsinh(width / x) - np.sqrt(1.0 + (x / width) ** 2) + x / width)

        e = 1e-4 * force
        return approach(force), (approach(force + e) - approach(force - e)) / (2.0 * e)

    def _press(self, strips: list[Strip]) -> tuple[list[Strip], np.ndarray]:
        """The strips in contact, and their forces, modes following."""
        strips = [s for s in strips if s.gap < 0.0]
        while True:
            Phi, gap = self._traces(strips), np.array([s.gap for s in strips])
            S = self._compliance(strips) + Phi @ (Phi / self.omega**2).T
            force = np.full(len(strips), 10.0)
            for _ in range(60):
                local, slope = self._local(strips, force)
                step = np.linalg.solve(S + np.diag(slope), -(gap + S @ force + local))
                force = np.maximum(force + step, 0.1 * force)
            if np.all(force > 1e-6 * force.max()):
                return strips, force
            strips = [s for s, f in zip(strips, force, strict=True) if f > 1e-6 * force.max()]

    # ---- what is compared

    @property
    def hoop_force(self) -> float:
        """Along the hoop [N]."""
        return float(self._hoop @ self.force)

    @property
    def _hoop(self) -> np.ndarray:
        """Normal gap over approach of the strips."""
        r_b = self.levers[1]
        return np.array([self.side.gaps.lever[s.row, s.line] / r_b for s in self.strips])

    def frequencies(self, inertia: tuple[float, float]) -> np.ndarray:
        """Natural frequencies [Hz] of both angles and all modes, contact staying as it is."""
        Phi, W = self._traces(self.strips), self._hoop
        S = self._compliance(self.strips) + np.diag(self._local(self.strips, self.force)[1])
        G = np.concatenate([-np.outer(W, self.levers), Phi], axis=1)
        K = G.T @ np.linalg.solve(S, G) + np.diag(np.concatenate([[0.0, 0.0], self.omega**2]))
        m = np.concatenate([inertia, np.ones(len(self.omega))])
        squares = np.linalg.eigvalsh(K / np.sqrt(np.outer(m, m)))
        return np.sqrt(np.maximum(squares, 0.0)) / (2.0 * math.pi)
