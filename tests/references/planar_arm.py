"""Arm with two links in a plane, with closed forms of its equations of motion."""

import numpy as np

import pitchline as pl

G = 9.81
L1, L2 = 1.0, 0.8
M1, C1, I1 = 2.0, 0.4, 0.3
M2, C2, I2 = 1.5, 0.3, 0.15
ROTOR, RATIO = 3e-4, 10


def arm(*, rotors: bool = False, plane: str | None = None) -> pl.Model:
    """The arm stretched along x; with rotors, a motor with a gear stage on each joint."""
    m = pl.Model("2R", gravity=(0, -G, 0), plane=plane)
    upper = m.body("upper", mass=M1, inertia=(0.11, 0.2, I1), centre_of_mass=(C1, 0, 0))
    lower = m.body("lower", mass=M2, inertia=(0.06, 0.1, I2), centre_of_mass=(C2, 0, 0), position=(L1, 0, 0))
    m.revolute("shoulder", m.ground, upper, axis="z")
    m.revolute("elbow", upper, lower, at=(L1, 0, 0), axis="z")
    if rotors:
        for name, carrier, link, x in (("motor_1", m.ground, upper, 0.0), ("motor_2", upper, lower, L1)):
            rotor = m.body(f"rotor_{name[-1]}", mass=0.2, inertia=(2e-4, 2e-4, ROTOR), position=(x, 0.11, 0))
            m.revolute(name, carrier, rotor, axis="z")
            m.gear_pair(f"stage_{name[-1]}", rotor, link, mesh=pl.Rolling(ratio=RATIO))
    return m


def mass(q: np.ndarray) -> np.ndarray:
    """Mass matrix without rotors."""
    a, b = I2 + M2 * C2**2, M2 * L1 * C2 * np.cos(q[1])
    return np.array([[I1 + M1 * C1**2 + M2 * L1**2 + a + 2 * b, a + b], [a + b, a]])


def bias(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Coriolis and centrifugal terms."""
    h = M2 * L1 * C2 * np.sin(q[1])
    return np.array([-h * (2 * qd[0] * qd[1] + qd[1] ** 2), h * qd[0] ** 2])


def weight(q: np.ndarray) -> np.ndarray:
    """Torques that hold the weight."""
    second = M2 * C2 * G * np.cos(q[0] + q[1])
    return np.array([(M1 * C1 + M2 * L1) * G * np.cos(q[0]) + second, second])


def tip(q: np.ndarray) -> np.ndarray:
    """Jacobian (2, 2) of the tip of the lower link."""
    s1, c1, s, c = np.sin(q[0]), np.cos(q[0]), np.sin(q.sum()), np.cos(q.sum())
    return np.array([[-L1 * s1 - L2 * s, -L2 * s], [L1 * c1 + L2 * c, L2 * c]])
