"""The simple pendulum in closed form, and the values of benchmark A01.

theta from the downward vertical, released at rest from theta_0:

    sin(theta/2) = k cd(u, k),   d theta/dt = -2 k k' w sn(u, k)/dn(u, k),   u = w t,   w^2 = g/L,
    k = sin(theta_0/2),   k' = cos(theta_0/2),   period = 4 K(k)/w

Benchmark: IFToMM multibody benchmark library, problem A01; M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, "A
benchmarking system for MBS simulation software", Multibody System Dynamics 16 (2006) 179-190. m = 1 kg, L = 1 m, g =
9.81 m/s^2, at rest at x = -1 m, y = 0.
"""

import numpy as np
from scipy.special import ellipj, ellipk

MASS = 1.0
LENGTH = 1.0
GRAVITY = 9.81
START = -0.5 * np.pi

A01 = {
    1.0: (0.9862917511318754, -0.165010853125541),
    2.0: (-0.793566195343323, -0.60848393044379),
    5.0: (-0.9423054350437567, -0.3347543384140022),
    10.0: (-0.275087462576117, -0.961419205099125),
}
"""Time [s]: position (x, y) of the bob [m]; to 1e-7 m."""
A01_PERIOD = 2.367841947576237
"""[s]"""


def angle(t: np.ndarray, start: float = START) -> tuple[np.ndarray, np.ndarray]:
    """(theta, d theta/dt) at the times t."""
    w, k = np.sqrt(GRAVITY / LENGTH), np.sin(0.5 * start)
    sn, cn, dn, _ = ellipj(w * np.asarray(t), k * k)
    return 2 * np.arcsin(k * cn / dn), -2 * k * np.cos(0.5 * start) * w * sn / dn


def position(t: np.ndarray) -> np.ndarray:
    """(n, 2) position of the bob."""
    theta, _ = angle(t)
    return LENGTH * np.stack([np.sin(theta), -np.cos(theta)], axis=-1)


def velocity(t: np.ndarray) -> np.ndarray:
    """(n, 2) velocity of the bob."""
    theta, rate = angle(t)
    return LENGTH * rate[..., None] * np.stack([np.cos(theta), np.sin(theta)], axis=-1)


def reaction(t: np.ndarray) -> np.ndarray:
    """(n, 2) force of the joint on the bob: m (g cos theta + L theta'^2) towards the joint."""
    theta, rate = angle(t)
    tension = MASS * (GRAVITY * np.cos(theta) + LENGTH * rate**2)
    return -tension[..., None] * np.stack([np.sin(theta), -np.cos(theta)], axis=-1)


def period(start: float = START) -> float:
    return float(4 * ellipk(np.sin(0.5 * start) ** 2) / np.sqrt(GRAVITY / LENGTH))
