"""Gear pairs whose stiffness varies, against closed forms: parametric instability and dynamic factors.

Every model is a gear pair set up so that its equation of motion is exactly the published one. Reference values are
closed forms or independent solutions (Floquet) to the digits given.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references.observed_order import richardson
from references.vibrating_pair import ALPHA, ARM, TEETH, two_wheels

import pitchline as pl

# --- parametric instability -------------------------------------------------------------------------------------------


class TestMathieu:
    """x'' + 2 ζ x' + (1 + ε cos L t) x = 0, ζ = 0.05: wheel A turns at constant speed, the stiffness varies over the mesh
    cycle, L = z ω, and x is the approach of the teeth of the other wheel, which is free.

    Nayfeh and Mook, Nonlinear Oscillations: L = 2 ± sqrt(ε²/4 - 4 ζ²) to first order. Values by Floquet, to 1e-6.
    """

    ZETA = 0.05
    BOUNDARIES = [
        (0.3, 1.8831440170835734, +1), (0.3, 2.106392377929034, -1),
        (0.5, 1.7625457143741916, +1), (0.5, 2.2182415897677323, -1),
    ]  # fmt: skip
    """ε, L, and on which side of it the motion grows."""

    def model(self, eps: float, L: float, *, consistent: bool = False) -> pl.Model:
        """x(0) = 0, x'(0) = 1e-6. Wheel A being driven, the torque of the stiffness on it changes nothing."""
        stiffness = pl.Varying(pl.Fourier("360 deg", 1.0, cos=[eps], over="angle"))
        mesh = pl.Elastic(
            stiffness, along="hoop", damping=2 * self.ZETA, damping_acts="always", backlash=0.0,
            energy_consistent=consistent,
        )  # fmt: skip
        return two_wheels(ARM**2, mesh, driven=L / TEETH, kick=1e-6 / ARM)

    def monodromy(self, eps: float, L: float, n: int, **options: Any) -> np.ndarray:
        """From (x, x') to (x, x') one period later (2, 2), from the states after 0, 1 and 2 periods."""
        T = 2 * math.pi / L
        result = pl.dynamics(
            self.model(eps, L, **options), duration=2 * T, step=T / n, output_step=T, newton_tolerance=1e-11
        )
        rate = ARM * (result["hinge b.angular_speed"].values + L / TEETH)
        y = np.array([result["mesh.approach"].values / math.cos(ALPHA), rate])
        return y[:, 1:] @ np.linalg.inv(y[:, :2])

    @pytest.mark.parametrize("consistent", (False, True))
    @pytest.mark.parametrize("eps, L, grows", BOUNDARIES)
    def test_boundaries(self, eps: float, L: float, grows: int, consistent: bool) -> None:
        """A multiplier of -1, 1 + tr + det = 0; the product of both is e^(-2 ζ T)."""
        T = 2 * math.pi / L
        assert np.linalg.det(self.monodromy(eps, L, 500)) == pytest.approx(math.exp(-2 * self.ZETA * T), rel=1e-4)

        def boundary(step: float) -> np.ndarray:
            n = round(T / step)

            def distance(at: float) -> float:
                M = self.monodromy(eps, at, n, consistent=consistent)
                return 1.0 + float(np.trace(M) + np.linalg.det(M))

            return np.array(secant(distance, L - 0.003, L + 0.003))

        assert richardson(boundary, T / 300) == pytest.approx(L, abs=1e-6)

    @pytest.mark.parametrize("eps, L, grows", BOUNDARIES)
    def test_growth_and_decay(self, eps: float, L: float, grows: int) -> None:
        """0.02 inside the boundary motions grow, 0.02 outside they die away."""
        rates = {}
        for side in (-1, 1):
            at = L + 0.02 * side
            T = 2 * math.pi / at
            result = pl.dynamics(self.model(eps, at), duration=160 * T, step=T / 100, output_step=2 * T)
            # Floquet: sampled every other period the dominant part is e^(σ t) times a constant
            x = np.abs(result["mesh.approach"].values[40:])
            rates[side] = math.log(x[-1] / x[0]) / (result.time[-1] - result.time[40])
        assert rates[grows] > 0 > rates[-grows]

    def test_smallest_amplitude(self) -> None:
        """Below ε = 0.2 (4 ζ to first order, by Floquet 0.199985) the damper wins at every speed."""
        for eps, grows in ((0.195, False), (0.205, True)):
            largest = max(
                np.max(np.abs(np.linalg.eigvals(self.monodromy(eps, L, 300)))) for L in np.linspace(1.96, 2.02, 13)
            )
            assert (largest > 1) == grows


def secant(f: Callable[[float], float], a: float, b: float) -> float:
    """A root of a nearly straight function between two points, to rounding."""
    fa, fb = f(a), f(b)
    for _ in range(6):
        a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
        fb = f(b)
        if abs(b - a) < 1e-10:
            break
    return b


# --- dynamic factors --------------------------------------------------------------------------------------------------


def harmonic(values: np.ndarray) -> tuple[float, float]:
    """(mean, amplitude of the first harmonic) of even samples over a whole period; the last repeats the first."""
    y = np.asarray(values)[:-1]
    n = len(y)
    return float(np.mean(y)), float(abs(2 * np.mean(y * np.exp(2j * math.pi * np.arange(n) / n))))


class TestDynamicFactor:
    """H. N. Özgüven, D. R. Houser, J. Sound Vib. 125 (1988) 71-83: m_e x'' + c x' + k (x - e) = F_0, e = E cos ω t.

    The largest tooth force over F_0 is DF = 1 + (k E/F_0) r²/|1 - r² + 2 i ζ r|, r = ω/ω_n.
    """

    FACTORS = [
        (0.05, 0.3, 1.019769479712581), (0.05, 0.5, 1.0665190105237738), (0.05, 0.8, 1.34708873250985),
        (0.05, 1.0, 3.0), (0.05, 1.2, 1.631481773901061), (0.05, 2.0, 1.2660760420950958),
        (0.1, 0.3, 1.0197373641742586), (0.1, 0.5, 1.066081860045509), (0.1, 0.8, 1.3249107728427583),
        (0.1, 1.0, 2.0), (0.1, 1.2, 1.574622556816688), (0.1, 2.0, 1.264327440182036),
    ]  # fmt: skip
    """ζ, r, DF with k E/F_0 = 0.2."""
    PEAKS = [(0.05, 1.002509414234171, 10.012523486435176), (0.1, 1.0101525445522106, 5.02518907629606)]
    """ζ, r at the peak, amplification there."""

    def force(self, zeta: float, r: float, n: int) -> tuple[float, float]:
        """Mean and amplitude of the hoop force over F_0 once transients have fallen to e^-18."""
        F_0 = 1e-4
        error = pl.Varying(pl.Fourier("360 deg", cos=[0.2 * F_0], over="angle"))
        mesh = pl.Elastic(
            1.0, along="hoop", damping_ratio=zeta, effective_mass=1.0, damping_acts="always",
            damping_rate="approach", backlash=0.0, error=error,
        )  # fmt: skip
        model = two_wheels(ARM**2, mesh, driven=r / TEETH, torques=(0.0, F_0 * ARM))
        T = 2 * math.pi / r
        periods = math.ceil(18 / zeta / T)
        common = {"step": T / n, "newton_tolerance": 1e-10}
        start = pl.dynamics(model, duration=periods * T, output_step=periods * T, **common)
        record = pl.dynamics(model, duration=T, output_step=T / n, start=start, **common)
        mean, amplitude = harmonic(record["mesh.normal_force"].values * math.cos(ALPHA) / F_0)
        return mean, amplitude

    @pytest.mark.parametrize("zeta, r, factor", FACTORS)
    def test_factors(self, zeta: float, r: float, factor: float) -> None:
        """n = 400: (2π/n)²/12 = 2e-5, times r² and the slope of the resonance curve, at most about 5."""
        mean, amplitude = self.force(zeta, r, 400)
        assert mean == pytest.approx(1.0, abs=1e-6)
        assert 1 + amplitude == pytest.approx(factor, abs=1e-4)

    @pytest.mark.parametrize("zeta, r, amplification", PEAKS)
    def test_peaks(self, zeta: float, r: float, amplification: float) -> None:
        """Largest at r = 1/sqrt(1 - 2 ζ²)."""
        assert r == pytest.approx(1 / math.sqrt(1 - 2 * zeta**2), rel=1e-9)
        forces = [self.force(zeta, q * r, 200)[1] / 0.2 for q in (0.99, 1.0, 1.01)]
        assert forces[1] == pytest.approx(amplification, rel=1e-4)
        assert forces[1] > max(forces[0], forces[2])
