"""The gear pair of Cardona in full: 15 coordinates, 3 constraints. Slow, complete, written for comparison.

Cardona, Flexible three dimensional gear modelling, 1997, with the misprints corrected (D in Z and in H_B, the sign of
z_B psi_B in phi1, the sign of the psi_B row of phi3) and one point and one direction for the separating force, so that
forces balance in every position.

    q = (x_A, Theta_A, x_B, Theta_B, psi_A, psi_B, u)

    M'' = R_A M0 Rot1(psi_A)^T ,  H_A = M'' Y_A ,    C_A = x_A + R_A p_A + r_A mu2''
    X'' = R_B X0 Rot1(psi_B)^T ,  H_B = X'' Y_B D ,  C_B = x_B + R_B p_B + r_B xi2''       (columns eta1, eta2, eta3)

    phi1 = cos(alpha) [u - c_A psi_A - c_B psi_B] ,   c = m_n z/2
    phi2 = (C_A - C_B) . eta3_A
    phi3 = eta2_A . eta3_B

Rack (B): X'' = R_B X0, C_B = x_B + R_B p_B + s xi3; its travel s stands in the place of psi_B, and c_B = -cos(beta_B).

Rotation increments are material, dR = R skew(dTheta). Every function takes complex numbers: with a coordinate moved by
i h, h = 1e-30, imaginary parts divided by h are derivatives exact to rounding.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pitchline.gears import PitchGeometry

TINY = 1e-30
"""Step of complex-step derivatives."""
D = np.diag([1.0, -1.0, -1.0])


def skew(a: np.ndarray) -> np.ndarray:
    """skew(a) b = a x b."""
    return np.array([[0 * a[0], -a[2], a[1]], [a[2], 0 * a[0], -a[0]], [-a[1], a[0], 0 * a[0]]])


def exponential(theta: np.ndarray) -> np.ndarray:
    """exp(theta~), also of complex vectors (no conjugate, no norm)."""
    S, square = skew(theta), theta @ theta
    if abs(square) < 1e-6:
        first, second = 1 - square / 6 + square**2 / 120, 0.5 - square / 24 + square**2 / 720
    else:
        angle = np.sqrt(square)
        first, second = np.sin(angle) / angle, (1 - np.cos(angle)) / square
    return np.eye(3) + first * S + second * (S @ S)


def tooth_matrix(gamma: float, beta: float) -> np.ndarray:
    """Y = Rot3(gamma) Rot2(beta)."""
    cg, sg, cb, sb = np.cos(gamma), np.sin(gamma), np.cos(beta), np.sin(beta)
    return np.array([[cg * cb, -sg, cg * sb], [sg * cb, cg, sg * sb], [-sb, 0.0, cb]])


def about_axis(psi: complex) -> np.ndarray:
    """Rot1(psi)."""
    c, s = np.cos(psi), np.sin(psi)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


class Coordinates(NamedTuple):
    """Poses of the two nodes, psi_A, psi_B (rack: the travel s), u."""

    x_a: np.ndarray
    R_a: np.ndarray
    x_b: np.ndarray
    R_b: np.ndarray
    psi_a: complex = 0.0
    psi_b: complex = 0.0
    u: complex = 0.0

    def moved(self, dq: np.ndarray) -> "Coordinates":
        """After increments of all 15, or of the first 12."""
        d = np.concatenate([dq, np.zeros(15 - len(dq))])
        return Coordinates(
            self.x_a + d[0:3],
            self.R_a @ exponential(d[3:6]),
            self.x_b + d[6:9],
            self.R_b @ exponential(d[9:12]),
            self.psi_a + d[12],
            self.psi_b + d[13],
            self.u + d[14],
        )


class Frames(NamedTuple):
    """What the pair makes of its coordinates."""

    M: np.ndarray  # mu1'', mu2'', mu3''
    X: np.ndarray  # xi1'', xi2'', xi3''
    H_a: np.ndarray  # eta1, eta2, eta3 of A
    H_b: np.ndarray  # and of B
    centre_a: np.ndarray
    C_a: np.ndarray
    C_b: np.ndarray


class Wrench(NamedTuple):
    """Force and couple on A at the point C_B, world axes; on B the opposite."""

    force: np.ndarray
    couple: np.ndarray


Forces = tuple[complex, complex, complex]
"""Generalised forces conjugate to u, psi_A, psi_B."""


@dataclass(frozen=True)
class CardonaPair:
    """Pitch geometry, and centres p and triads M0, X0 fixed in the nodes, in node axes."""

    pitch: PitchGeometry
    point_a: np.ndarray
    triad_a: np.ndarray
    point_b: np.ndarray
    triad_b: np.ndarray

    # ------------------------------------------------------------------------------------------------- kinematics

    @property
    def Y_a(self) -> np.ndarray:
        return tooth_matrix(self.pitch.gamma_a, self.pitch.beta_a)

    @property
    def Y_b(self) -> np.ndarray:
        return tooth_matrix(self.pitch.gamma_b, self.pitch.beta_b)

    @property
    def weights(self) -> np.ndarray:
        """(c_A, c_B): u = c_A psi_A + c_B psi_B."""
        p = self.pitch
        half = 0.5 * p.normal_module
        return np.array([half * p.teeth_a, -np.cos(p.beta_b) if p.is_rack else half * p.teeth_b])

    def frames(self, q: Coordinates) -> Frames:
        p = self.pitch
        M = q.R_a @ self.triad_a @ about_axis(q.psi_a).T
        centre_a, centre_b = q.x_a + q.R_a @ self.point_a, q.x_b + q.R_b @ self.point_b
        if p.is_rack:
            X = q.R_b @ self.triad_b
            C_b = centre_b + q.psi_b * X[:, 2]
        else:
            X = q.R_b @ self.triad_b @ about_axis(q.psi_b).T
            C_b = centre_b + p.radius_b * X[:, 1]
        return Frames(M, X, M @ self.Y_a, X @ self.Y_b @ D, centre_a, centre_a + p.radius_a * M[:, 1], C_b)

    def constraints(self, q: Coordinates) -> np.ndarray:
        """phi1, phi2, phi3."""
        f = self.frames(q)
        c_a, c_b = self.weights
        return np.array(
            [
                np.cos(self.pitch.pressure_angle) * (q.u - c_a * q.psi_a - c_b * q.psi_b),
                (f.C_a - f.C_b) @ f.H_a[:, 2],
                f.H_a[:, 1] @ f.H_b[:, 2],
            ]
        )

    def gradients(self, q: Coordinates) -> np.ndarray:
        """B (3, 15), by hand."""
        f = self.frames(q)
        cosine = np.cos(self.pitch.pressure_angle)
        c_a, c_b = self.weights
        eta2, eta3, h3 = f.H_a[:, 1], f.H_a[:, 2], f.H_b[:, 2]
        Y_a = self.Y_a
        minus_dC = -f.X[:, 2] if self.pitch.is_rack else self.pitch.radius_b * f.X[:, 2]
        dh3 = self._turned_eta3(f)
        across = np.cross(eta2, h3)
        zero = np.zeros(3)
        return np.stack(
            [
                np.concatenate([zero, zero, zero, zero, [-c_a * cosine, -c_b * cosine, cosine]]),
                np.concatenate(
                    [
                        eta3,
                        q.R_a.T @ np.cross(eta3, q.x_a - f.C_b),
                        -eta3,
                        q.R_b.T @ np.cross(eta3, f.C_b - q.x_b),
                        [(Y_a[2, 2] * f.M[:, 1] - Y_a[1, 2] * f.M[:, 2]) @ (f.centre_a - f.C_b), minus_dC @ eta3, 0],
                    ]
                ),
                np.concatenate(
                    [zero, q.R_a.T @ across, zero, -q.R_b.T @ across, [-Y_a[1, 1] * f.M[:, 2] @ h3, dh3 @ eta2, 0]]
                ),
            ]
        )

    def engaged(self, q: Coordinates) -> Coordinates:
        """psi_A, psi_B, u that satisfy the constraints, by Newton from those of q, which must be near.

        Three steps more than real parts need, for the imaginary ones.
        """
        q = q._replace(psi_a=q.psi_a + 0j, psi_b=q.psi_b + 0j)
        more = 3
        for _ in range(60):
            P = self.gradients(q)[1:, 12:14]
            step = -np.linalg.solve(P, self.constraints(q)[1:])
            q = q._replace(psi_a=q.psi_a + step[0], psi_b=q.psi_b + step[1])
            if np.max(np.abs(step.real)) < 1e-12 * (1 + abs(q.psi_a) + abs(q.psi_b)):
                more -= 1
                if more == 0:
                    break
        else:
            raise ArithmeticError("the pair does not engage near the given angles")
        c_a, c_b = self.weights
        q = q._replace(u=c_a * q.psi_a + c_b * q.psi_b)
        if all(np.isrealobj(x) for x in q[:4]):
            return q._replace(psi_a=q.psi_a.real, psi_b=q.psi_b.real, u=q.u.real)
        return q

    def rates(self, q: Coordinates, v: np.ndarray) -> np.ndarray:
        """d(psi_A, psi_B, u)/dt of engaged wheels with the velocities v (12,) of the nodes."""
        B = self.gradients(q)
        psi = -np.linalg.solve(B[1:, 12:14], B[1:, :12] @ v)
        return np.append(psi, self.weights @ psi)

    # ----------------------------------------------------------------------------------------------------- forces

    def multipliers(self, q: Coordinates, forces: Forces) -> np.ndarray:
        """lambda from the rows of u, psi_A, psi_B: (f, g_A, g_B) = B^T lambda; lambda1 is the normal force."""
        f, g_a, g_b = forces
        return np.linalg.solve(self.gradients(q)[:, 12:15].T, np.array([g_a, g_b, f]))

    def loads(self, q: Coordinates, forces: Forces, *, separating: bool = True) -> np.ndarray:
        """Generalised forces on the nodes (12,): forces in world axes, moments in node axes. A residual has -loads."""
        lam = self.multipliers(q, forces)
        loads = lam @ self.gradients(q)[:, :12]
        if separating:
            loads = loads + self.spread(q, Wrench(self.separating_force(q, forces[0]), np.zeros(3)))
        return loads

    def separating_force(self, q: Coordinates, f: complex) -> np.ndarray:
        """On A: -|f| tan(alpha) eta2_A, at C_B."""
        size = f * np.sign(np.real(f)) * np.tan(self.pitch.pressure_angle)
        return -size * self.frames(q).H_a[:, 1]

    def spread(self, q: Coordinates, w: Wrench) -> np.ndarray:
        """The loads (12,) of a wrench on A at C_B and of its opposite on B."""
        C = self.frames(q).C_b
        return np.concatenate(
            [
                w.force,
                q.R_a.T @ (np.cross(C - q.x_a, w.force) + w.couple),
                -w.force,
                -q.R_b.T @ (np.cross(C - q.x_b, w.force) + w.couple),
            ]
        )

    def relative_velocity(self, q: Coordinates, v: np.ndarray) -> np.ndarray:
        """Of the material of A against that of B at C_B, world axes."""
        C = self.frames(q).C_b
        v_a = v[0:3] + np.cross(q.R_a @ v[3:6], C - q.x_a)
        v_b = v[6:9] + np.cross(q.R_b @ v[9:12], C - q.x_b)
        return v_a - v_b

    def friction(
        self, q: Coordinates, v: np.ndarray, f: complex, mu: Callable[[complex], complex], v_0: float
    ) -> Wrench:
        """On A: -mu(v_s) |F_n| v_s / sqrt(v_s^2 + v_0^2), v_s the relative velocity across the normal of the teeth."""
        alpha = self.pitch.pressure_angle
        sign = np.sign(np.real(f))
        H = self.frames(q).H_a
        normal = np.cos(alpha) * H[:, 2] + sign * np.sin(alpha) * H[:, 1]
        relative = self.relative_velocity(q, v)
        slip = relative - (normal @ relative) * normal
        size = mu(np.sqrt(slip @ slip)) * sign * f / np.cos(alpha)
        return Wrench(-size / np.sqrt(slip @ slip + v_0**2) * slip, np.zeros(3))

    # ------------------------------------------------------------------------------------------------------- tilt

    def tilt(self, q: Coordinates) -> complex:
        """tau = eta1_A . eta3_B: the teeth of A against those of B about the centre line."""
        f = self.frames(q)
        return f.H_a[:, 0] @ f.H_b[:, 2]

    def tilt_gradient(self, q: Coordinates) -> np.ndarray:
        """d tau / dq (15,)."""
        f = self.frames(q)
        eta1, h3, Y = f.H_a[:, 0], f.H_b[:, 2], self.Y_a
        turn = np.cross(eta1, h3)
        by_a = (Y[2, 0] * f.M[:, 1] - Y[1, 0] * f.M[:, 2]) @ h3
        by_b = self._turned_eta3(f) @ eta1
        return np.concatenate([np.zeros(3), q.R_a.T @ turn, np.zeros(3), -q.R_b.T @ turn, [by_a, by_b, 0]])

    def _turned_eta3(self, f: Frames) -> np.ndarray:
        """d eta3_B / d psi_B."""
        if self.pitch.is_rack:
            return np.zeros(3)
        return -(self.Y_b[2, 2] * f.X[:, 1] - self.Y_b[1, 2] * f.X[:, 2])


def derivative(function: Callable[[np.ndarray], np.ndarray], n: int) -> np.ndarray:
    """d function / d x at x = 0 of n variables, by complex steps; columns are the variables."""
    return np.stack([np.imag(function(1j * TINY * row)) / TINY for row in np.eye(n)], axis=-1)
