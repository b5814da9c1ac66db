"""Equations of a lane in plain numpy, and their integration: a reference for kernels and for the reading of models.

The equations are those at the top of `pitchline.studies.batch.lane_train`, written once more, one line each.
"""

from __future__ import annotations

import math

import numpy as np

from pitchline.studies.batch.lane_train import ALWAYS, NEVER_PULLING, FourierSum, LaneMesh, LaneTrain, LoadedTables

TWO_PI = 2.0 * math.pi


class LaneEquations:
    """One lane of a train. x, v: deviations of all rotors and their rates; those of held rotors are 0."""

    def __init__(self, train: LaneTrain, lane: int = 0) -> None:
        self.train = train
        self.p = {name: float(np.broadcast_to(v, (lane + 1,))[lane] if np.ndim(v) == 0 else v[lane]) for name, v in train.values.items()}
        self.n = np.array([r.speed for r in train.rotors])
        self.J = np.array([self.p[r.inertia] for r in train.rotors])
        self.omega = self.p[train.omega]
        self.alpha = self.p[train.acceleration] if train.acceleration else 0.0
        self.free = np.array([not r.held for r in train.rotors])

    def theta(self, t: float) -> float:
        return self.omega * t + 0.5 * self.alpha * t * t

    def row(self, names: dict) -> np.ndarray:
        found = np.zeros(len(self.n))
        for i, name in names.items():
            found[i] = self.p[name]
        return found

    def accelerations(self, t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        p, tr = self.p, self.train
        f = np.array([p[r.torque] + (p[r.torque_rate] * t if r.torque_rate else 0.0) for r in tr.rotors])
        f -= self.n * self.J * self.alpha
        for mesh in tr.meshes:
            F, moments = self.mesh(mesh, t, x, v)[:2]
            f -= self.row(mesh.levers) * F
            for phase, M in zip(mesh.phases, moments, strict=True):
                f -= self.row(phase.teeth) * M
        for s in tr.springs:
            a = self.row(s.levers)
            f -= a * (p[s.stiffness] * (a @ x + p[s.offset]) + p[s.damping] * (a @ v))
        return np.where(self.free, f / self.J, 0.0)

    def mesh(self, mesh: LaneMesh, t: float, x: np.ndarray, v: np.ndarray) -> tuple[float, list[float], float, float]:
        """(F, M of each phase, u, g)."""
        p = self.p
        phi = [ph.order * self.theta(t) + p[ph.angle] + self.row(ph.teeth) @ x for ph in mesh.phases]
        levers = self.row(mesh.levers)
        u, rate = levers @ x + p[mesh.origin], levers @ v
        X, dX = p[mesh.error] if mesh.error else 0.0, [0.0] * len(phi)
        for term in mesh.errors:
            value, slope = self.term(term, phi)
            X += value
            dX[term.phase] += slope
        s, b = u + X, p[mesh.backlash]
        c = p[mesh.damping]
        if mesh.loaded is not None:
            return self._loaded(mesh, mesh.loaded, phi, u, s, b, c, rate, dX)
        C, dC = p[mesh.compliance] if mesh.compliance else 0.0, [0.0] * len(phi)
        for term in mesh.stiffness:
            k, slope = self.term(term, phi)
            C += 1.0 / k
            dC[term.phase] -= slope / k**2
        K = 1.0 / C
        dK = [-d * K * K for d in dC]
        if mesh.smoothing:
            d = p[mesh.smoothing]
            r, q, h = math.hypot(s, d), math.hypot(s + b, d), 0.5 * b
            w = math.hypot(h, d)
            g = 0.5 * (s + r) + 0.5 * (s + b - q)
            g1 = 1.0 + 0.5 * (s / r - (s + b) / q)
            G = 0.25 * (s * s + s * r + d * d * math.asinh(s / d) + (s + b) ** 2 - (s + b) * q - d * d * math.asinh((s + b) / d))
            G -= 0.5 * (h * h - h * w - d * d * math.asinh(h / d))
        else:
            g = max(s, 0.0) + min(s + b, 0.0)
            G, g1 = 0.5 * g * g, 1.0 if b == 0.0 or s >= 0.0 or s <= -b else 0.0
        elastic = K * g
        damper = self._damper(mesh, c * rate * (1.0 if mesh.damping_mode == ALWAYS else g1), elastic)
        M = [(elastic * dx + dk * G) if mesh.consistent else 0.0 for dx, dk in zip(dX, dK, strict=True)]
        return elastic + damper, M, u, g

    def _damper(self, mesh: LaneMesh, force: float, elastic: float) -> float:
        if mesh.damping_mode == NEVER_PULLING and abs(force) > abs(elastic):
            return math.copysign(elastic, elastic * force) if elastic * force > 0 else -elastic
        return force

    def term(self, term, phi: list[float]) -> tuple[float, float]:  # type: ignore[no-untyped-def]
        a, p = phi[term.phase], self.p
        if isinstance(term, FourierSum):
            h = np.arange(1, len(term.cos) + 1)
            c, s = np.array([p[n] for n in term.cos]), np.array([p[n] for n in term.sin])
            C, S = np.cos(h * a), np.sin(h * a)
            return p[term.mean] + c @ C + s @ S, float(h @ (s * C - c * S))
        n = len(term.coefficients)
        i, y = cell(n, a)
        c0, c1, c2, c3 = term.coefficients[i]
        k = p[term.scale]
        return k * (c0 + y * (c1 + y * (c2 + y * c3))), k * n / TWO_PI * (c1 + y * (2.0 * c2 + 3.0 * y * c3))

    def _loaded(self, mesh: LaneMesh, table: LoadedTables, phi, u, s, b, c, rate, dX):  # type: ignore[no-untyped-def]
        F, V_phi, stiff = 0.0, 0.0, 0.0
        for flank, (sign, approach) in enumerate(((1.0, s), (-1.0, -(s + b)))):
            force, star, k = flank_state(table, flank, approach, phi[table.phase])
            F += sign * force
            V_phi -= star
            stiff += k
        damper = c * rate if mesh.damping_mode == ALWAYS or stiff > 0.0 else 0.0
        damper = self._damper(mesh, damper, F)
        M = [F * dx for dx in dX]
        M[table.phase] += V_phi
        return F + damper, [m if mesh.consistent else 0.0 for m in M], u, F

    # ---- integration

    def run(self, x: np.ndarray, v: np.ndarray, cycles: float, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Runge-Kutta of order 4 with `steps` equal time steps a cycle: (times, x, v) at the ends of all steps."""
        x, v = np.where(self.free, x, 0.0), np.where(self.free, v, 0.0)
        count = round(cycles * steps)
        t, found = 0.0, [(0.0, x, v)]
        for k in range(count):
            h = self._time((k + 1) * TWO_PI / steps) - t
            a1 = self.accelerations(t, x, v)
            a2 = self.accelerations(t + h / 2, x + h / 2 * v, v + h / 2 * a1)
            a3 = self.accelerations(t + h / 2, x + h / 2 * (v + h / 2 * a1), v + h / 2 * a2)
            a4 = self.accelerations(t + h, x + h * (v + h / 2 * a2), v + h * a3)
            x, v = x + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            t += h
            found.append((t, x, v))
        return tuple(np.array(part) for part in zip(*found, strict=True))  # type: ignore[return-value]

    def _time(self, theta: float) -> float:
        return 2.0 * theta / (self.omega + math.sqrt(self.omega**2 + 2.0 * self.alpha * theta))


def cell(n: int, angle: float) -> tuple[int, float]:
    """Interval of a table over 2 pi, and the fraction of it."""
    y = angle / TWO_PI
    y = n * (y - math.floor(y))
    i = min(int(y), n - 1)
    return i, y - i


def flank_state(table: LoadedTables, flank: int, approach: float, angle: float) -> tuple[float, float, float]:
    """(force, derivative of the complementary energy by the angle, stiffness) of a flank."""
    loads = table.loads[flank]
    n = table.approaches.shape[1]
    i, y = cell(n, angle)
    powers, slopes = np.array([1.0, y, y * y, y**3]), np.array([0.0, 1.0, 2.0 * y, 3.0 * y * y]) * n / TWO_PI
    U, c = table.approaches[flank, i] @ powers, table.compliances[flank, i] @ powers
    if approach <= U[0]:
        return 0.0, 0.0, 0.0
    m = int(np.searchsorted(U, approach, side="right")) - 1
    k = (c[m + 1] - c[m]) / (loads[m + 1] - loads[m]) if m < len(loads) - 1 else 0.0
    rest = approach - U[m]
    tau = 2.0 * rest / (c[m] + math.sqrt(max(c[m] ** 2 + 2.0 * k * rest, 0.0)))
    U1, c1, A1 = table.approaches[flank, i] @ slopes, table.compliances[flank, i] @ slopes, table.areas[flank, i] @ slopes
    k1 = (c1[m + 1] - c1[m]) / (loads[m + 1] - loads[m]) if m < len(loads) - 1 else 0.0
    star = A1[m] + U1[m] * tau + c1[m] * tau**2 / 2 + k1 * tau**3 / 6
    return loads[m] + tau, star, 1.0 / (c[m] + k * tau)
