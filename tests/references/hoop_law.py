"""The law of a gear mesh for comparison: spring with backlash, damper, transmission error, varying stiffness, line contact.

    s = u + x(psi_A, psi_B) - offset ,   1/k = sum 1/k_i(psi_A, psi_B) ,   V = (k/w) int G(s + tau y) dy over the face width

with G' = g = [[s]], the dead zone of the backlash. Forces are derivatives of V by u, psi_A, psi_B, tau, written for complex
numbers; integrals over the width by Gauss points between the kinks, where G is a polynomial.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pitchline.functions import FourierLine
from pitchline.parts.meshes.kernel_law import (
    ALWAYS,
    IN_CONTACT,
    LIMITED,
    NEVER_PULLING,
    OF_DEFLECTION,
    OVER_B,
    OVER_CYCLE,
    encode_law,
)

NO_RATES = np.zeros(3)


@dataclass(frozen=True)
class Wave:
    """mean + sum a_n cos(n phi) + b_n sin(n phi) over an angle: z_A psi_A, psi_A or psi_B."""

    over: int
    mean: float
    cos: np.ndarray
    sin: np.ndarray

    def value(self, teeth: int, psi_a: complex, psi_b: complex) -> np.ndarray:
        """Value, and derivatives by psi_A and psi_B."""
        factor = teeth if self.over == OVER_CYCLE else 1
        phi = psi_b if self.over == OVER_B else factor * psi_a
        n = np.arange(1, len(self.cos) + 1)
        c, s = np.cos(n * phi), np.sin(n * phi)
        f = self.mean + self.cos @ c + self.sin @ s
        d = factor * ((n * self.sin) @ c - (n * self.cos) @ s)
        return np.array([f, 0, d] if self.over == OVER_B else [f, d, 0])

    def encode(self) -> np.ndarray:
        return FourierLine(self.mean, 0.0, 1.0, self.cos, self.sin).encode()


class HoopForces(NamedTuple):
    """Forces of the elastic potential by u, psi_A, psi_B (error and stiffness alone) and tau; damper; energy."""

    elastic: complex
    torque_a: complex
    torque_b: complex
    moment: complex
    damper: complex
    energy: complex
    bearing: complex
    """Part of the width in contact; of a rounded law the slope g'."""
    lost: complex = 0.0
    """Power that the damper dissipates."""

    @property
    def hoop(self) -> complex:
        """f: spring and damper."""
        return self.elastic + self.damper


@dataclass(frozen=True, kw_only=True)
class HoopLaw:
    """Numbers along the hoop."""

    stiffness: tuple[float | Wave, ...]
    errors: tuple[float | Wave, ...] = ()
    damping: float = 0.0
    damping_mode: int = IN_CONTACT
    damping_rate: int = OF_DEFLECTION
    backlash: float = 0.0
    offset: float = 0.0
    smoothing: float = 0.0
    energy_consistent: bool = True
    width: float = 0.0
    friction: tuple[float, ...] = ()
    friction_speed: float = 1e-3
    loss_levers: tuple[float, float] = (0.0, 0.0)
    loss_speed: float = 1e-3

    # ------------------------------------------------------------------------------------------------ dead zone

    def energy_of(self, s: complex) -> complex:
        """G(s), zero in the gap (of a rounded law: in its middle)."""
        b, d = self.backlash, self.smoothing
        if not d:
            return 0.5 * self.contact(s) ** 2

        def half(x: complex, sign: int) -> complex:
            return 0.25 * (x * x + sign * (x * np.sqrt(x * x + d * d) + d * d * np.arcsinh(x / d)))

        return half(s, 1) + half(s + b, -1) - half(-b / 2, 1) - half(b / 2, -1)

    def contact(self, s: complex) -> complex:
        """g(s) = [[s]]."""
        b, d = self.backlash, self.smoothing
        if d:
            return 0.5 * (s + np.sqrt(s * s + d * d)) + 0.5 * (s + b - np.sqrt((s + b) ** 2 + d * d))
        return s if np.real(s) >= 0 else s + b if np.real(s) <= -b else 0 * s

    def slope(self, s: complex) -> complex:
        """g'(s)."""
        b, d = self.backlash, self.smoothing
        if d:
            return 1 + 0.5 * (s / np.sqrt(s * s + d * d) - (s + b) / np.sqrt((s + b) ** 2 + d * d))
        return 0.0 if -b < np.real(s) < 0 else 1.0

    def depths(self, s: complex) -> complex:
        """Sum of the depths of both flanks; `contact` is their difference."""
        b, d = self.backlash, self.smoothing
        if d:
            return 0.5 * (np.sqrt(s * s + d * d) + np.sqrt((s + b) ** 2 + d * d) - b)
        return s if np.real(s) >= 0 else -(s + b) if np.real(s) <= -b else 0 * s

    def shares(self, s: complex) -> complex:
        """Its derivative by s."""
        b, d = self.backlash, self.smoothing
        if d:
            return 0.5 * (s / np.sqrt(s * s + d * d) + (s + b) / np.sqrt((s + b) ** 2 + d * d))
        return 1.0 if np.real(s) >= 0 else -1.0 if np.real(s) <= -b else 0.0

    def over_the_width(self, function: Callable[[complex], complex], s: complex, tau: complex) -> np.ndarray:
        """Mean over the width w, |y| < w/2, of function(s + tau y) and of y function(s + tau y)."""
        half = 0.5 * self.width
        if not half or tau == 0:
            return np.array([function(s), 0 * s])
        inner = [y for y in (-s / tau, -(s + self.backlash) / tau) if abs(np.real(y)) < half]
        edges = sorted([-half, *inner, half], key=np.real)
        points, weights = np.polynomial.legendre.leggauss(4)
        total = np.zeros(2, dtype=complex)
        for a, b in pairwise(edges):
            for x, weight in zip(points, weights, strict=True):
                y = 0.5 * (a + b) + 0.5 * (b - a) * x
                total += 0.5 * (b - a) * weight * function(s + tau * y) * np.array([1, y])
        return total / self.width

    # ---------------------------------------------------------------------------------------------------- forces

    def terms(self, teeth: int, psi_a: complex, psi_b: complex) -> tuple[np.ndarray, np.ndarray]:
        """k and x, each with its derivatives by psi_A and psi_B."""
        compliance, error = np.zeros(3, complex), np.zeros(3, complex)
        for k in self.stiffness:
            f = k.value(teeth, psi_a, psi_b) if isinstance(k, Wave) else np.array([k, 0, 0])
            compliance += [1 / f[0], -f[1] / f[0] ** 2, -f[2] / f[0] ** 2]
        for x in self.errors:
            error += x.value(teeth, psi_a, psi_b) if isinstance(x, Wave) else np.array([x, 0, 0])
        stiffness = np.array([1 / compliance[0], *(-compliance[1:] / compliance[0] ** 2)])
        return stiffness, error

    def damper(self, flanks: list[tuple[int, complex, complex, complex]]) -> list[complex]:
        """Forces of the damper on flanks (sign, force of the springs, part in contact, rate of deflection), without signs."""
        if self.damping_mode == NEVER_PULLING:
            wanted = [(force, self.damping * share * rate) for _, force, share, rate in flanks]
            return [-force if np.real(force + damper) < 0 else damper for force, damper in wanted]
        if self.damping_mode == ALWAYS:  # a force along u, whichever flank
            return [self.damping * flanks[0][3], 0.0]
        found = [self.damping * share * rate for _, _, share, rate in flanks]
        if self.damping_mode == LIMITED:
            total, spring = (
                sum(f[0] * x for f, x in zip(flanks, of, strict=True)) for of in (found, [f[1] for f in flanks])
            )
            if abs(np.real(total)) > abs(np.real(spring)):
                ratio = np.sign(np.real(total) * np.real(spring))
                return [ratio * f[1] for f in flanks]
        return found

    def damper_of_tables(
        self, flanks: list[tuple[int, complex, complex, complex]], touching: list[complex]
    ) -> tuple[complex, complex]:
        """Force of the damper along u, and its torque by the unloaded approach, whose slope is `touching` where flanks are in
        contact."""
        if (
            self.damping_mode != NEVER_PULLING
        ):  # a force along u, relative to the flank in contact, or to the mean of both
            bearing = [k for k in (0, 1) if flanks[k][2]] or [0]
            slope = -np.mean([flanks[k][0] * touching[k] for k in bearing])
            damper = self.damping * np.mean([flanks[k][0] * flanks[k][3] for k in bearing])
            spring = flanks[0][1] - flanks[1][1]
            if self.damping_mode != ALWAYS and not flanks[bearing[0]][2]:
                damper = 0.0
            elif self.damping_mode == LIMITED and abs(np.real(damper)) > abs(np.real(spring)):
                damper = spring * np.sign(np.real(damper) * np.real(spring))
            return damper, damper * slope
        on_drive, on_coast = self.damper(flanks)
        return on_drive - on_coast, -(on_drive * touching[0] + on_coast * touching[1])

    def rate(self, rates: np.ndarray, x_a: complex, x_b: complex) -> complex:
        """Rate of deflection of the drive flank, from those of psi_A, psi_B and u."""
        return rates[2] + (rates[0] * x_a + rates[1] * x_b if self.damping_rate == OF_DEFLECTION else 0.0)

    def along_errors(self, damper: complex) -> complex:
        """What of the damper acts along errors."""
        return damper if self.damping_rate == OF_DEFLECTION else 0.0

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
        """All forces; `rates`: of psi_A, psi_B, u."""
        (k, k_a, k_b), (x, x_a, x_b) = self.terms(teeth, psi_a, psi_b)
        s = u + x - self.offset
        G = self.over_the_width(self.energy_of, s, tau)[0]
        g, arm = self.over_the_width(self.contact, s, tau)
        bearing = self.over_the_width(self.slope, s, tau)[0]
        f = k * g
        n = self.over_the_width(self.depths, s, tau)[0]
        shares = self.over_the_width(self.shares, s, tau)[0]
        rate = self.rate(rates, x_a, x_b)
        drive = (1, 0.5 * k * (n + g), 0.5 * (bearing + shares), rate)
        coast = (-1, 0.5 * k * (n - g), 0.5 * (bearing - shares), -rate)
        on_drive, on_coast = self.damper([drive, coast])
        damper = on_drive - on_coast
        along = f + self.along_errors(damper)
        torques = (along * x_a + k_a * G, along * x_b + k_b * G) if self.energy_consistent else (0.0, 0.0)
        return HoopForces(f, *torques, k * arm, damper, k * G, bearing, damper * rate)

    # -------------------------------------------------------------------------------------------------- encoding

    def encode(self, **more) -> tuple[np.void, np.ndarray]:
        """Parameters of the element's law and the table of functions; `more` goes to `encode_law`."""
        table: list[np.ndarray] = [np.full(3, 1e3)]

        def put(terms: tuple[float | Wave, ...]) -> list[float | tuple[int, int]]:
            out: list[float | tuple[int, int]] = []
            for t in terms:
                if isinstance(t, Wave):
                    out.append((sum(len(x) for x in table), t.over))
                    table.append(t.encode())
                else:
                    out.append(t)
            return out

        law = encode_law(
            stiffness=put(self.stiffness), errors=put(self.errors), damping=self.damping, damping_mode=self.damping_mode,
            damping_rate=self.damping_rate,
            backlash=self.backlash, offset=self.offset, smoothing=self.smoothing,
            energy_consistent=self.energy_consistent, width=self.width, friction=self.friction,
            friction_speed=self.friction_speed, loss_levers=self.loss_levers, loss_speed=self.loss_speed, **more,
        )  # fmt: skip
        return law, np.concatenate(table)
