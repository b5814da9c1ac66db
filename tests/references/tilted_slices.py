"""Teeth as slices of equal stiffness with crowning: their table over the tilt in closed form, but for one root.

A slice at y, |y| < b/2, of a flank that has approached by u and is tilted by f carries c' (u + f y - crown (2y/b)^2) where that is
positive. All along the base circle.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

import pitchline as pl

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True)
class Slices:
    stiffness: float = 14e9  # c' [N/m^2]
    width: float = 30e-3
    crown: float = 8e-6

    def pressed(self, u: float, f: float) -> tuple[float, float, float]:
        """Force, moment about the middle of the face, greatest load per width."""
        half, c4 = 0.5 * self.width, self.crown * 4 / self.width**2
        edges = [-half, half]
        if c4:  # the depth is a parabola
            root = f * f + 4 * c4 * u
            inner = [(f - np.sqrt(root)) / (2 * c4), (f + np.sqrt(root)) / (2 * c4)] if root > 0 else [0.0, 0.0]
            edges = [float(np.clip(y, -half, half)) for y in inner]
        elif f:
            touch = -u / f
            edges = [max(-half, touch), half] if f > 0 else [-half, min(half, touch)]
        low, high = min(edges), max(edges)
        y = 0.5 * (low + high) + 0.5 * (high - low) * POINTS
        q = self.stiffness * np.maximum(u + f * y - c4 * y * y, 0.0)
        w = 0.5 * (high - low) * WEIGHTS
        top = np.clip(f / (2 * c4), -half, half) if c4 else np.sign(f) * half
        return float(q @ w), float((q * y) @ w), float(self.stiffness * max(u + f * top - c4 * top**2, 0.0))

    def touch(self, f: float) -> float:
        half, c4 = 0.5 * self.width, self.crown * 4 / self.width**2
        top = float(np.clip(f / (2 * c4), -half, half)) if c4 else float(np.sign(f) * half)
        return -f * top + c4 * top**2

    def approach(self, force: float, f: float) -> float:
        first = self.touch(f)
        if force == 0:
            return first
        deep = first + 10 * force / (self.stiffness * self.width) + self.width * abs(f) + self.crown
        return brentq(lambda u: self.pressed(u, f)[0] - force, first, deep, xtol=1e-16)

    def mesh(
        self, largest: float, tilt: float, *, loads: int = 9, tilts: int = 9, phases: int = 1, **more
    ) -> pl.Loaded:
        """The table, the same at all phases."""
        F, f = largest * (np.arange(loads) / (loads - 1)) ** 2, np.linspace(-tilt, tilt, tilts)
        u = np.array([[self.approach(force, one) for force in F] for one in f])
        K = np.array(
            [[self.pressed(u[i, k], f[i])[2] * self.width / F[k] for k in range(1, loads)] for i in range(tilts)]
        )

        def over(values: np.ndarray) -> np.ndarray:
            return np.repeat(values[..., None], phases, axis=-1)

        return pl.Loaded(F, over(u), tilts=f, face_load_factor=over(K), **more)
