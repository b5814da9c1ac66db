"""Equations of one lane of a batch in plain Python, for integration by scipy: independent of the generated kernels."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from pitchline.studies.batch.lane_train import (
    ALWAYS,
    LIMITED,
    NEVER_PULLING,
    OF_DEFLECTION,
    FourierSum,
    LaneMesh,
    LaneTrain,
    LoadedTables,
    Term,
)

TURN = 2.0 * math.pi


class Lane:
    """One lane of a train: forces at a time, and integration with events at the ends of contact."""

    def __init__(self, train: LaneTrain, lane: int = 0) -> None:
        self.train = train
        self.v = {name: float(value[lane] if np.ndim(value) else value) for name, value in train.values.items()}
        self.free = list(train.free)
        self.omega, self.acceleration = self.v[train.omega], self.v.get(train.acceleration, 0.0)

    def theta(self, t: float) -> float:
        return self.omega * t + 0.5 * self.acceleration * t * t

    def time(self, theta: float) -> float:
        """Time at which θ is reached."""
        root = math.sqrt(self.omega**2 + 2.0 * self.acceleration * theta)
        return 2.0 * theta / (self.omega + root)

    def full(self, part: np.ndarray) -> np.ndarray:
        x = np.zeros(len(self.train.rotors))
        x[self.free] = part
        return x

    def angles(self, mesh: LaneMesh, t: float, x: np.ndarray) -> list[float]:
        """Phases of a mesh."""
        of = self.v
        return [
            phase.order * self.theta(t) + of[phase.angle] + sum(of[z] * x[i] for i, z in phase.teeth.items())
            for phase in mesh.phases
        ]

    def term(self, term: Term, angles: list[float]) -> tuple[float, float]:
        """Value and derivative by its phase."""
        phi, of = angles[term.phase], self.v
        if isinstance(term, FourierSum):
            value, slope = of[term.mean], 0.0
            for h, name in enumerate(term.cos, 1):
                value += of[name] * math.cos(h * phi)
                slope -= h * of[name] * math.sin(h * phi)
            for h, name in enumerate(term.sin, 1):
                value += of[name] * math.sin(h * phi)
                slope += h * of[name] * math.cos(h * phi)
            return value, slope
        n, scale = len(term.coefficients), of[term.scale]
        at = (phi / TURN) % 1.0 * n
        c, x = term.coefficients[min(int(at), n - 1)], at - min(int(at), n - 1)
        mean = of[term.mean] if term.mean else 0.0
        return mean + scale * float(np.polyval(c[::-1], x)), scale * n / TURN * (c[1] + 2 * c[2] * x + 3 * c[3] * x * x)

    def approach(self, mesh: LaneMesh, t: float, x: np.ndarray) -> float:
        """s of a mesh."""
        of, angles = self.v, self.angles(mesh, t, x)
        u = sum(of[lever] * x[i] for i, lever in mesh.levers.items()) + of[mesh.origin]
        return u + (of[mesh.error] if mesh.error else 0.0) + sum(self.term(e, angles)[0] for e in mesh.errors)

    def law(self, mesh: LaneMesh, t: float, x: np.ndarray, w: np.ndarray) -> tuple[float, float, list[float], float]:
        """Hoop force, its elastic part, torques by phase, and energy."""
        of, angles = self.v, self.angles(mesh, t, x)
        s, b = self.approach(mesh, t, x), of[mesh.backlash]
        xs = [0.0] * len(angles)
        for error in mesh.errors:
            xs[error.phase] += self.term(error, angles)[1]
        if mesh.loaded is not None:
            f, forces, touch, energy, slope = loaded(mesh.loaded, s, b, angles[mesh.loaded.phase])
            bears = [float(force > 0.0) for force in forces]
            contact = max(bears)
            torques = [0.0] * len(xs)
            torques[mesh.loaded.phase] += slope
        else:
            k, ks = self.stiffness(mesh, angles)
            g, G, contact = self.zone(mesh, s, b)
            f, energy, touch = k * g, k * G, [0.0, 0.0]
            forces, bears = self.flanks(mesh, k, s, b)
            torques = [slope_k * G for slope_k in ks]
        rate = sum(of[lever] * w[i] for i, lever in mesh.levers.items())
        along = f
        if mesh.damping_rate == OF_DEFLECTION:
            speed = self.omega + self.acceleration * t
            turning = [p.order * speed + sum(of[z] * w[i] for i, z in p.teeth.items()) for p in mesh.phases]
            rate += sum(slope_x * turn for slope_x, turn in zip(xs, turning, strict=True))
            spin = turning[mesh.loaded.phase] if mesh.loaded else 0.0
        else:
            touch, spin = [0.0, 0.0], 0.0
        c = of[mesh.damping]
        if mesh.damping_mode == NEVER_PULLING and (b != 0.0 or mesh.loaded):
            pushes = [
                bear * max(force + c * (sign * rate - lag * spin) * share, 0.0) - force
                for sign, bear, force, lag, share in zip(
                    (1.0, -1.0), [float(bear > 0.0) for bear in bears], forces, touch, bears, strict=True
                )
            ]
            damping, lag_torque = pushes[0] - pushes[1], -sum(p * lag for p, lag in zip(pushes, touch, strict=True))
        else:
            lag = (bears[1] * touch[1] - bears[0] * touch[0]) / max(sum(bears), 1.0)
            damping = c * (rate + lag * spin) * (1.0 if mesh.damping_mode == ALWAYS else contact)
            if mesh.damping_mode == LIMITED:
                damping = min(max(damping, -abs(f)), abs(f))
            lag_torque = damping * lag
        if mesh.damping_rate == OF_DEFLECTION:
            along = f + damping
            if mesh.loaded:
                torques[mesh.loaded.phase] += lag_torque
        torques = [torque + along * slope_x for torque, slope_x in zip(torques, xs, strict=True)]
        return f + damping, f, torques if mesh.consistent else [0.0] * len(angles), energy

    def flanks(self, mesh: LaneMesh, k: float, s: float, b: float) -> tuple[list[float], list[float]]:
        """Forces of both flanks, and their parts in contact."""
        if not mesh.smoothing:
            return [k * max(s, 0.0), k * max(-s - b, 0.0)], [float(s >= 0.0), float(s <= -b)]
        d, t = self.v[mesh.smoothing], s + b
        r, q = math.hypot(s, d), math.hypot(t, d)
        return [0.5 * k * (s + r), 0.5 * k * (q - t)], [0.5 + 0.5 * s / r, 0.5 - 0.5 * t / q]

    def stiffness(self, mesh: LaneMesh, angles: list[float]) -> tuple[float, list[float]]:
        compliance, slopes = self.v[mesh.compliance] if mesh.compliance else 0.0, [0.0] * len(angles)
        for spring in mesh.stiffness:
            k, k1 = self.term(spring, angles)
            compliance += 1.0 / k
            slopes[spring.phase] -= k1 / k**2
        k = 1.0 / compliance
        return k, [-slope * k * k for slope in slopes]

    def zone(self, mesh: LaneMesh, s: float, b: float) -> tuple[float, float, float]:
        """g, its integral, and the number of flanks in contact (its slope, if rounded)."""
        if not mesh.smoothing:
            drive, coast = max(s, 0.0), min(s + b, 0.0)
            return drive + coast, 0.5 * (drive**2 + coast**2), (float(s >= 0.0) + float(s <= -b)) if b != 0.0 else 1.0
        d, t = self.v[mesh.smoothing], s + b
        r, q, h = math.hypot(s, d), math.hypot(t, d), 0.5 * b
        G = 0.25 * (s * s + s * r + d * d * math.asinh(s / d) + t * t - t * q - d * d * math.asinh(t / d))
        G -= 0.5 * (h * h - h * math.hypot(h, d) - d * d * math.asinh(h / d))
        return 0.5 * (s + r) + 0.5 * (t - q), G, 1.0 + 0.5 * (s / r - t / q)

    def rates(self, t: float, state: np.ndarray) -> np.ndarray:
        """Derivative of (x, x') of the free rotors."""
        half, of = len(self.free), self.v
        x, w = self.full(state[:half]), self.full(state[half:])
        force = np.array([of[r.torque] + (of[r.torque_rate] * t if r.torque_rate else 0.0) for r in self.train.rotors])
        for mesh in self.train.meshes:
            total, _, torques, _ = self.law(mesh, t, x, w)
            for i, lever in mesh.levers.items():
                force[i] -= of[lever] * total
            for phase, torque in zip(mesh.phases, torques, strict=True):
                for i, z in phase.teeth.items():
                    force[i] -= of[z] * torque
        for spring in self.train.springs:
            e = sum(of[a] * x[i] for i, a in spring.levers.items()) + of[spring.offset]
            e_rate = sum(of[a] * w[i] for i, a in spring.levers.items())
            for i, a in spring.levers.items():
                force[i] -= of[a] * (of[spring.stiffness] * e + of[spring.damping] * e_rate)
        a = [
            force[i] / of[self.train.rotors[i].inertia] - self.train.rotors[i].speed * self.acceleration
            for i in self.free
        ]
        return np.concatenate([state[half:], a])

    def energy(self, t: float, state: np.ndarray) -> float:
        """Kinetic and elastic energy, less the work of constant torques."""
        half, of = len(self.free), self.v
        x, w = self.full(state[:half]), self.full(state[half:])
        out = sum(self.law(mesh, t, x, w)[3] for mesh in self.train.meshes)
        for i in self.free:
            rotor = self.train.rotors[i]
            out += 0.5 * of[rotor.inertia] * w[i] ** 2 - of[rotor.torque] * x[i]
        for spring in self.train.springs:
            e = sum(of[a] * x[i] for i, a in spring.levers.items()) + of[spring.offset]
            out += 0.5 * of[spring.stiffness] * e * e
        return out

    def integrate(
        self, state: np.ndarray, theta: float, *, tolerance: float = 1e-12, theta0: float = 0.0
    ) -> np.ndarray:
        """State at θ, restarted wherever teeth touch or part."""
        return self.followed(state, theta, tolerance=tolerance, theta0=theta0)[0]

    def followed(
        self, state: np.ndarray, theta: float, *, tolerance: float = 1e-12, theta0: float = 0.0
    ) -> tuple[np.ndarray, float]:
        """The same, and the time for which the teeth of the first mesh were not in contact."""
        events = [self._event(mesh, side) for mesh in self.train.meshes for side in (0, 1)]
        t, end, state, apart = self.time(theta0), self.time(theta), np.array(state, float), 0.0
        while t < end:
            run = solve_ivp(
                self.rates, (t, end), state, method="DOP853", events=events, rtol=tolerance, atol=tolerance * 1e-3
            )
            assert run.success
            middle = run.y[:, len(run.t) // 2]
            sides = [event(run.t[len(run.t) // 2], middle) for event in events[:2]]
            apart += (run.t[-1] - t) * (sides[0] < 0.0 < sides[1])
            t, state = run.t[-1], run.y[:, -1]
            if run.status == 1:  # across the event: one short step
                step = min(1e-9 * TURN / self.omega, end - t)
                state = state + step * self.rates(t + 0.5 * step, state + 0.5 * step * self.rates(t, state))
                t += step
        return state, apart

    def _event(self, mesh: LaneMesh, side: int) -> Callable[[float, np.ndarray], float]:
        def event(t: float, state: np.ndarray) -> float:
            x = self.full(state[: len(self.free)])
            s = self.approach(mesh, t, x)
            if mesh.loaded is not None:
                touch = touches(mesh.loaded, self.angles(mesh, t, x)[mesh.loaded.phase])
                return s - touch[0] if side == 0 else s + self.v[mesh.backlash] + touch[1]
            return s if side == 0 else s + self.v[mesh.backlash]

        event.terminal = True  # type: ignore[attr-defined]
        return event


def _cubics(table: np.ndarray, flank: int, phi: float) -> tuple[np.ndarray, np.ndarray]:
    """Values and derivatives by φ of all knots."""
    n = table.shape[1]
    at = (phi / TURN) % 1.0 * n
    j = min(int(at), n - 1)
    x, c = at - j, table[flank, j]
    return c @ [1, x, x * x, x**3], n / TURN * (c @ [0, 1, 2 * x, 3 * x * x])


def touches(tables: LoadedTables, phi: float) -> tuple[float, float]:
    """Approach of first contact of both flanks."""
    return _cubics(tables.approaches, 0, phi)[0][0], _cubics(tables.approaches, 1, phi)[0][0]


def loaded(
    tables: LoadedTables, s: float, b: float, phi: float
) -> tuple[float, list[float], list[float], float, float]:
    """Force, those of both flanks, the derivative of their unloaded approach by φ, energy and its derivative by φ."""
    energy = slope = 0.0
    forces, touch = [0.0, 0.0], [0.0, 0.0]
    for flank, u in enumerate((s, -(s + b))):
        U, U1 = _cubics(tables.approaches, flank, phi)
        c, c1 = _cubics(tables.compliances, flank, phi)
        A, A1 = _cubics(tables.areas, flank, phi)
        F = tables.loads[flank]
        if u <= U[0]:
            continue
        m = int(np.searchsorted(U, u, side="right")) - 1
        bend = (c[m + 1] - c[m]) / (F[m + 1] - F[m]) if m + 1 < len(F) else 0.0
        bend1 = (c1[m + 1] - c1[m]) / (F[m + 1] - F[m]) if m + 1 < len(F) else 0.0
        rest = u - U[m]
        tau = 2.0 * rest / (c[m] + math.sqrt(c[m] ** 2 + 2.0 * bend * rest))
        forces[flank], touch[flank] = F[m] + tau, U1[0]
        star = A[m] + U[m] * tau + c[m] * tau**2 / 2 + bend * tau**3 / 6
        energy += (F[m] + tau) * u - star
        slope -= A1[m] + U1[m] * tau + c1[m] * tau**2 / 2 + bend1 * tau**3 / 6
    return forces[0] - forces[1], forces, touch, energy, slope
