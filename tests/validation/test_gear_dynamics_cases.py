"""Vibrating gear pairs against published models and closed forms: backlash oscillator, parametric instability, dynamic
factors, gears with losses and play of the Modelica library.

Every model is a gear pair set up so that its equation of motion is exactly the published one. Reference values are
closed forms or independent solutions (event-driven shooting, Floquet, Dymola) to the digits given. The integration is of
order 2: with n steps a period its error is some (2π/n)²/12, near a resonance as often as large as the amplification; kinks
do not spoil the order. Two runs with n and 2 n steps extrapolated leave some 1e-2 of that.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references.observed_order import richardson

import pitchline as pl

ALPHA = math.radians(20)
MODULE, TEETH = 4e-3, 20
ARM = 0.5 * MODULE * TEETH
"""Of the wheels below: u = ARM (ψ_A + ψ_B)."""
GEAR = pl.Gear(teeth=TEETH, normal_module=MODULE, normal_pressure_angle=ALPHA)


def wheel_on_ground(inertia: float, mesh: pl.Elastic, torque: Any) -> pl.Model:
    """Wheel A in a hinge, under a torque, in mesh with a wheel that stands still: u = ARM ψ."""
    m = pl.Model("one wheel")
    a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", mass=1.0, inertia=(inertia, inertia, inertia))
    b = m.wheel("b", m.ground, GEAR, mesh_with=a, towards=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, a)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torque("load", hinge, torque)
    return m


def two_wheels(
    inertia: float, mesh: pl.Elastic, *, torques: tuple[Any, Any] = (0.0, 0.0), driven: float | None = None, kick: float = 0.0
) -> pl.Model:
    """Two wheels in hinges with torques; or wheel A driven at a speed, and B turning with it, faster by `kick`."""
    m = pl.Model("two wheels")
    J, speed = (inertia, inertia, inertia), driven or 0.0
    a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", mass=1.0, inertia=J, angular_velocity=(0, 0, speed))
    on_b = {"mass": 1.0, "inertia": J, "angular_velocity": (0, 0, kick - speed)}
    b = m.gear_body("b", GEAR, mesh_with=a, towards=(1, 0, 0), **on_b)
    hinge_a, hinge_b = m.revolute("hinge", m.ground, a), m.revolute("hinge b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    if driven is None:
        m.torque("load", hinge_a, torques[0])
    else:
        m.drive("motor", hinge_a, speed=driven)
    m.torque("load b", hinge_b, torques[1])
    return m


# --- oscillator with backlash -----------------------------------------------------------------------------------------


class TestBacklashOscillator:
    """A. Kahraman, R. Singh, Non-linear dynamics of a spur gear pair, J. Sound Vib. 142 (1990) 49-75:

        x'' + 2 ζ x' + g(x) = F_m + F_ah W² cos(W t),    g(x) = x - 1, 0, x + 1  for x > 1, |x| <= 1, x < -1

    with ζ = 0.05, F_m = 0.1, F_ah = 0.05. Values by event-driven shooting, to 1e-9. Here x = u/(b/2), k = m_e = 1, and the
    damper acts in the gap too.
    """

    ZETA, F_M, F_AH = 0.05, 0.1, 0.05
    PLAY = 5e-5
    """b/2 [m]."""
    UPPER = {
        0.75: (0.22472379316596838, 1.3530419599874832, 0.7163491448086768, 0.9981246159779726),
        0.78: (0.21121488284393752, 1.340932368410583, 0.7435481904359158, 1.0108517813034346),
        0.80: (0.20225840207438855, 1.3330093010368111, 0.7615700656216449, 1.0190120702399197),
        0.82: (0.19359209472043623, 1.3253336704355974, 0.7789160670269828, 1.026687044774715),
        0.85: (0.18130072674784398, 1.3143622848014942, 0.8032955397478991, 1.0371790969635986),
        0.90: (0.1628599924352107, 1.2975814521117106, 0.8392489119223908, 1.0519809282108574),
        1.00: (0.133082833812164, 1.2692553677926302, 0.8952878759711904, 1.0731147362401523),
        1.10: (0.11088904448771825, 1.2467209762893998, 0.9349894315133751, 1.0861074359193612),
        1.20: (0.09421178764893078, 1.2286165189308489, 0.9633181449545769, 1.0938280488182968),
        1.30: (0.08147747318080371, 1.2137775073121446, 0.9838099391229729, 1.0981157312413163),
        1.40: (0.07138724290961093, 1.200934324199823, 0.9990325057279648, 1.0999715042280531),
    }
    """W: rms(x - mean), largest, smallest, mean x of the branch on which the teeth separate."""
    LINEAR = {0.40: 0.0067267279399649, 0.60: 0.0198005544233590, 1.50: 0.0631862950839022, 2.00: 0.0470360434191540}
    LINEAR_BELOW = 0.80, 0.061357199108175886
    """W: rms(x - mean) without separation."""

    def mesh(self) -> pl.Elastic:
        return pl.Elastic(
            1.0, along="hoop", damping=2 * self.ZETA, damping_acts="always", backlash=2 * self.PLAY
        )  # fmt: skip

    def model(self, W: float | None, since: float = 0.0, wheels: int = 1) -> pl.Model:
        """Under the load with its cosine starting at the time `since`; W None: under the mean load."""
        size = self.PLAY * ARM
        torque: Any = self.F_M * size
        if W is not None:
            wave = self.F_AH * W**2 * size
            torque = pl.Fourier(
                2 * math.pi / W, torque, cos=[wave * math.cos(W * since)], sin=[wave * math.sin(W * since)]
            )
        if wheels == 1:
            return wheel_on_ground(ARM**2, self.mesh(), torque)
        # m_e = (1/2) I/ARM²: both wheels have twice the inertia, and both carry the whole load
        return two_wheels(2 * ARM**2, self.mesh(), torques=(torque, torque))

    def at_rest(self, wheels: int = 1) -> pl.Result:
        """x = 1 + F_m: loaded and at rest."""
        result = pl.statics(self.model(None, wheels=wheels))
        assert result["mesh.approach"].final / self.PLAY == pytest.approx(1 + self.F_M, rel=1e-10)
        return result

    def settled(
        self, W: float, start: pl.Result, *, n: int = 2000, periods: int = 60, wheels: int = 1, **options: Any
    ) -> tuple[np.ndarray, pl.Result]:
        """x over one period (n + 1 samples) after some periods of settling, and the run itself."""
        T = 2 * math.pi / W
        common = {"step": T / n, "newton_tolerance": 1e-10, **options}
        model = self.model(W, float(start.time[-1]), wheels)
        before = pl.dynamics(model, duration=periods * T, output_step=periods * T, start=start, **common)
        period = pl.dynamics(model, duration=T, output_step=T / n, start=before, **common)
        return period["mesh.approach"].values / self.PLAY, period

    @staticmethod
    def figures(x: np.ndarray) -> np.ndarray:
        """rms(x - mean), largest, smallest, mean over a period of even samples."""
        y = x[:-1]
        return np.array([np.std(y), np.max(x), np.min(x), np.mean(y)])

    def test_onset_of_separation(self) -> None:
        """Grazing where the linear amplitude is the mean deflection, F_ah W²/|1 - W² + 2 i ζ W| = F_m: with p = W²
        (F_ah²/F_m² - 1) p² + (2 - 4 ζ²) p - 1 = 0."""
        p = np.roots([self.F_AH**2 / self.F_M**2 - 1, 2 - 4 * self.ZETA**2, -1])
        onsets = np.sort(np.sqrt(p))
        np.testing.assert_allclose(onsets, [0.8206310877120871, 1.4070884660225917], rtol=1e-9)
        # in time: on a sweep up the teeth stay in touch until 1 % below the first onset and from 1 % above the second one
        # on; in between they separate
        last = self.at_rest()
        for W in (0.5, 0.7, 0.78, 0.99 * onsets[0], 1.01 * onsets[0], 0.99 * onsets[1], 1.01 * onsets[1]):
            x, last = self.settled(W, last, n=400)
            assert (np.min(x) < 1.0) == (onsets[0] < W < onsets[1])
            assert set(last["mesh.contact"].values) == ({0.0, 1.0} if onsets[0] < W < onsets[1] else {1.0})

    @pytest.mark.parametrize("W, rms", [*LINEAR.items(), LINEAR_BELOW])
    def test_without_separation(self, W: float, rms: float) -> None:
        """F_ah W²/|1 - W² + 2 i ζ W|/√2; the transient has fallen to e^(-ζ t) < 1e-8."""
        closed = self.F_AH * W**2 / abs(1 - W**2 + 2j * self.ZETA * W) / math.sqrt(2)
        assert closed == pytest.approx(rms, rel=1e-6)
        start, periods = self.at_rest(), math.ceil(400 * W / (2 * math.pi))

        def run(step: float) -> np.ndarray:
            n = round(2 * math.pi / W / step)
            return self.figures(self.settled(W, start, n=n, periods=periods)[0])

        assert richardson(run, 2 * math.pi / W / 400)[0] == pytest.approx(rms, rel=1e-6)

    @pytest.mark.parametrize("W", (0.90, 1.00, 1.10, 1.20, 1.30, 1.40))
    def test_with_separation(self, W: float) -> None:
        """Reached from rest. n = 2000: (2π/n)²/12 = 1e-6, amplified some 4 times."""
        x, _ = self.settled(W, self.at_rest())
        np.testing.assert_allclose(self.figures(x), self.UPPER[W], rtol=1e-5)

    def test_sweep_down_to_the_jump(self) -> None:
        """Where both branches exist the upper one is reached from above only; it ends in a fold at W = 0.70804."""
        last = self.settled(0.90, self.at_rest(), n=1000)[1]
        for W in (0.85, 0.82, 0.80, 0.78, 0.75):
            x, last = self.settled(W, last, n=1000)
            np.testing.assert_allclose(self.figures(x), self.UPPER[W], rtol=2e-5)
        for W in (0.73, 0.715):
            x, last = self.settled(W, last, n=500)
            assert np.min(x) < 0.75
        x, last = self.settled(0.70, last, n=500)
        assert np.min(x) > 1.0

    @pytest.mark.parametrize("options", ({}, {"reduce": False}), ids=str)
    @pytest.mark.parametrize("wheels", (1, 2))
    def test_transient(self, wheels: int, options: dict[str, Any]) -> None:
        """W = 0.9 from x = 1.1, x' = 0: after ten periods x = 0.86912229, x' = 0.07591265, through two kinks a period.

        Errors of the kinks are O(h²) too, but not smoothly so: n = 2000 and 4000 extrapolated leave about 1e-7.
        """
        T, start = 2 * math.pi / 0.9, self.at_rest(wheels)

        def run(step: float) -> np.ndarray:
            result = pl.dynamics(
                self.model(0.9, wheels=wheels), duration=10 * T, step=step, output_step=10 * T, start=start,
                newton_tolerance=1e-10, **options,
            )  # fmt: skip
            rate = wheels * result["hinge.angular_speed"].final * ARM
            return np.array([result["mesh.approach"].final, rate]) / self.PLAY

        np.testing.assert_allclose(richardson(run, T / 2000), [0.8691222889496697, 0.07591265148004844], atol=2e-7)


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
        y = np.array([result["mesh.approach"].values, rate])
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
            1.0, along="hoop", damping_ratio=zeta, effective_mass=1.0, damping_acts="always", backlash=0.0, error=error
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


# --- Kubo's rig -------------------------------------------------------------------------------------------------------


class Rig:
    """Kubo's rig (A. Cardona, 1997, section 7.3, after Özgüven 1991): disk 1 at constant speed, shaft, wheel A, wheel B,
    shaft, disk 2 under a torque. Numbers in inch, pound-force and second, taken as they are.

        mesh: k_m and c_m = 2 ζ sqrt(k_m m_e) along the hoop on both flanks, error X (1 - cos z ψ_A)
    """

    RADIUS, TEETH, MASS = 1.9685, 25, 5.36e-3
    INERTIA, INERTIA_1, INERTIA_2 = 0.0102, 0.051, 0.0102
    K_M, ZETA, X, TORQUE = 1.477e7, 0.1, 0.003937, 945.8
    K_T1, C_T1, K_T2, C_T2 = 1.7e4, 0.076026, 3e4, 0.12369
    K_S, C_S = 1.477e7, 50.0

    @classmethod
    def build(
        cls, rpm: float, X: float, *, torque: float = 0.0, elastic: bool = False, consistent: bool = True, smooth: bool = False
    ) -> pl.Model:
        """Turning at its speed. elastic: wheels on supports instead of hinges; smooth: with the mean of the error only."""
        m, speed, r = pl.Model("rig"), rpm * math.pi / 30, cls.RADIUS
        gear = pl.Gear(teeth=cls.TEETH, normal_module=2 * r / cls.TEETH, normal_pressure_angle=ALPHA)

        def turning(mass: float, J: float, omega: float) -> dict[str, Any]:
            return {"mass": mass, "inertia": (J / 2, J / 2, J), "angular_velocity": (0, 0, omega)}

        a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", **turning(cls.MASS, cls.INERTIA, speed))
        b = m.gear_body("b", gear, mesh_with=a, towards=(0, 1, 0), **turning(cls.MASS, cls.INERTIA, -speed))
        m.body("disk 1", position=(0, 0, -5), **turning(0.1, cls.INERTIA_1, speed))
        m.body("disk 2", position=(0, 2 * r, 5), **turning(0.1, cls.INERTIA_2, -speed))
        for i, wheel, k, c in ((1, a, cls.K_T1, cls.C_T1), (2, b, cls.K_T2, cls.C_T2)):
            m.revolute(f"axle {i}", m.ground, f"disk {i}", axis="z")
            m.bushing(
                f"shaft {i}", f"disk {i}", wheel, axis="z", stiffness=(0, 0, 0, 0, 0, k), damping=(0, 0, 0, 0, 0, c)
            )
            if elastic:
                k, c = cls.K_S, cls.C_S
                m.bushing(
                    f"support {i}", m.ground, wheel, axis="z",
                    stiffness=(k, k, k, k * r**2, k * r**2, 0), damping=(c, c, c, c * r**2, c * r**2, 0),
                )  # fmt: skip
            else:
                m.revolute(f"support {i}", m.ground, wheel, axis="z")
        error = pl.Varying(pl.Fourier("360 deg", X, cos=[] if smooth else [-X], over="angle"))
        mesh = pl.Elastic(
            cls.K_M, along="hoop", damping_ratio=cls.ZETA, damping_acts="always", backlash=0.0, error=error,
            energy_consistent=consistent, follow_centres=False,
        )  # fmt: skip
        m.gear_pair("mesh", a, b, mesh=mesh)
        m.drive("motor", "axle 1", speed=speed)
        m.torque("load", "axle 2", torque)
        return m


SPEEDS = {
    10000: 0.06472344363996839, 20000: 0.3201808162077127, 30000: 1.1583820875935673, 38000: 3.970860395867358,
    41000: 5.0203049620710125, 48000: 2.986485253951499,
}  # fmt: skip
"""rpm: amplitude of the hoop force over k_m X."""


@pytest.mark.parametrize("rpm, amplitude", SPEEDS.items())
def test_kubo_rig_in_the_linear_range(rpm: float, amplitude: float) -> None:
    """Three degrees of freedom, from the frequency domain. An error of 1e-7 in, and no torque of the error on wheel A, make
    the rig linear: the error shifts its own phase by z ψ < 1e-6.

    After 100 periods the mesh (ζ = 0.1) is steady; slow torsion of the shafts, hardly excited, is fitted by a straight line.
    Two step sizes extrapolated: (2π/100)²/12 = 3e-4 becomes some 1e-5.
    """
    T = 60 / (rpm * Rig.TEETH)
    model = Rig.build(rpm, 1e-7, consistent=False)

    def run(step: float) -> np.ndarray:
        common = {"step": step, "newton_tolerance": 1e-10}
        start = pl.dynamics(model, duration=100 * T, output_step=100 * T, **common)
        record = pl.dynamics(model, duration=10 * T, output_step=step, start=start, **common)
        t, f = record.time, record["mesh.normal_force"].values * math.cos(ALPHA)
        w = 2 * math.pi / T
        waves = np.stack([np.cos(w * t), np.sin(w * t), np.ones_like(t), t - t[0]], axis=1)
        return np.hypot(*np.linalg.lstsq(waves, f)[0][:2]) / (1e-7 * Rig.K_M)

    assert richardson(run, T / 100) == pytest.approx(amplitude, rel=1e-4)


class TestCardonaRig:
    """Cases A (hinges) and B (elastic supports) of section 7.3 at 12000 rpm with X = 0.003937, contact on both flanks.

    Linear, but for the torque f dx/dψ of the error and, on supports, for the turning of the mesh: 1e-3. The steady state of
    an independent integration (HHT, 0.5 us, 2 s) is met within 0.5 % of its peaks, steps of 2 us here costing 0.1 %.
    """

    T = 2e-4
    LINEAR = {False: 5581.0044855, True: 5581.0044855 * 1.407513}
    """Amplitude of the hoop force at the mesh frequency by elastic supports."""

    _records: dict[bool, pl.Result] = {}

    def record(self, elastic: bool) -> pl.Result:
        """40 mesh periods after statics, kinematics and dynamics from each other; run once."""
        if elastic not in self._records:
            options: dict[str, Any] = {"torque": Rig.TORQUE, "elastic": elastic}
            smooth, rig = Rig.build(12000, Rig.X, smooth=True, **options), Rig.build(12000, Rig.X, **options)
            turning = pl.kinematics(smooth, times=[self.T], start=pl.statics(smooth))
            until = 1500 * self.T if elastic else 2500 * self.T  # torsion of the shafts dies away slowly
            steps = {"step": self.T / 100}
            settled = pl.dynamics(rig, duration=until, output_step=until, start=turning, **steps)
            self._records[elastic] = pl.dynamics(
                rig, duration=40 * self.T, output_step=self.T / 100, start=settled, **steps
            )
        return self._records[elastic]

    def amplitude(self, values: np.ndarray) -> float:
        """At the mesh frequency, over 40 periods."""
        y = np.asarray(values)[:-1]
        return float(abs(2 * np.mean(y * np.exp(2j * math.pi * np.arange(len(y)) / 100))))

    @pytest.mark.parametrize("elastic", (False, True), ids=("A", "B"))
    def test_mesh_force(self, elastic: bool) -> None:
        """The mean is T_2/r; the amplitude that of the linear rig."""
        force = self.record(elastic)["mesh.normal_force"].values * math.cos(ALPHA)
        assert np.mean(force[:-1]) == pytest.approx(Rig.TORQUE / Rig.RADIUS, rel=2e-3)
        assert self.amplitude(force) == pytest.approx(self.LINEAR[elastic], rel=5e-3)
        smallest, largest = {False: (-5325.7, 6666.8), True: (-7754.0, 8951.0)}[elastic]
        normal = force / math.cos(ALPHA)
        np.testing.assert_allclose([np.min(normal), np.max(normal)], [smallest, largest], rtol=5e-3)

    def test_supports(self) -> None:
        """Elastic supports amplify the mesh force by 1.4 and the horizontal reaction by 2.18 ("almost 2" in the paper). The
        vertical reaction of hinges never pulls, that of supports does, between -4431 and +1080."""
        ratio = self.amplitude(self.record(True)["mesh.normal_force"].values)
        ratio /= self.amplitude(self.record(False)["mesh.normal_force"].values)
        assert ratio == pytest.approx(1.408, rel=1e-2)
        on_support = {key: -self.record(key)["support 1.force"].values for key in (False, True)}
        horizontal = [self.amplitude(on_support[key][:, 0]) for key in (False, True)]
        assert horizontal[0] == pytest.approx(self.LINEAR[False], rel=5e-3)
        assert horizontal[1] / horizontal[0] == pytest.approx(2.179, rel=1e-2)
        assert np.max(on_support[False][:, 1]) <= 0.0
        vertical = on_support[True][:, 1]
        np.testing.assert_allclose([np.min(vertical), np.max(vertical)], [-4431, 1080], atol=5e-3 * 4431)


# --- Modelica ---------------------------------------------------------------------------------------------------------


class TestModelicaBacklash:
    """Modelica.Mechanics.Rotational.Examples.Backlash (MAP-LIB_ReferenceResults v4.0.0, Dymola): J = 5, c = 20000, d = 50,
    b = 45°, let go from φ = 90°; the damper never pulls: d |ω| <= c |z|, z being the deflection beyond the play.

    All is proportional to the amplitude, so that teeth can do it on a scale of 1/1000.
    """

    SCALE = 1e-3
    PHI = [0.24983585543462897, -0.9618360731274346, 0.23150292885147825, 0.19030749483440493, -0.3099580434848448,
           0.2318581780891115, -0.030655837555291398, -0.24101745603497737, 0.5133033799983822, -0.15558130248932495]  # fmt: skip
    OMEGA = [52.89371864948797, 12.002529746948506, -26.984165928101675, 21.561416938628653, -17.228425749860044,
             13.76619349617329, -10.999733616023494, 8.789222655767725, -2.045679837679461, -7.022936883083969]  # fmt: skip
    """At t = 0.1, 0.2 ... 1 s; rad and rad/s. An independent integration; Dymola within 2e-5 and 7e-4."""

    def model(self, torque: float) -> pl.Model:
        mesh = pl.Elastic(
            2e4 / ARM**2, along="hoop", damping=50 / ARM**2, damping_acts="never pulling",
            backlash=math.pi / 4 * self.SCALE * ARM,
        )  # fmt: skip
        return wheel_on_ground(5.0, mesh, torque)

    @pytest.mark.parametrize("options", ({}, {"reduce": False}), ids=str)
    def test_motion(self, options: dict[str, Any]) -> None:
        """Seven impacts; the clipped damper makes corners in the force, h = 50 us against 1/63 s."""
        held = pl.statics(self.model(2e4 * (math.pi / 2 - math.pi / 8) * self.SCALE))
        assert held["hinge.angle"].final == pytest.approx(math.pi / 2 * self.SCALE, rel=1e-12)
        result = pl.dynamics(self.model(0.0), duration=1.0, step=5e-5, output_step=0.1, start=held, **options)
        np.testing.assert_allclose(result["hinge.angle"].values[1:] / self.SCALE, self.PHI, atol=2e-4)
        np.testing.assert_allclose(result["hinge.angular_speed"].values[1:] / self.SCALE, self.OMEGA, atol=0.02)

    def test_teeth_never_pull(self) -> None:
        """The force has the sign of the deflection, and is at most twice that of the spring; energy only falls."""
        held = pl.statics(self.model(2e4 * (math.pi / 2 - math.pi / 8) * self.SCALE))
        result = pl.dynamics(self.model(0.0), duration=0.3, step=5e-5, output_step=1e-3, start=held)
        force, spring = result["mesh.normal_force"].values, 2e4 / ARM**2 * result["mesh.deflection"].values / math.cos(ALPHA) ** 2
        assert np.all(force * spring >= 0.0)
        assert np.all(np.abs(force) <= 2 * np.abs(spring) * (1 + 1e-9))
        energy = result["energy.kinetic"].values + result["energy.potential"].values
        assert np.all(np.diff(energy) <= 1e-6 * energy[0])


class TestModelicaLossyGear:
    """Modelica.Mechanics.Rotational.Examples.LossyGearDemo1 (Dymola): ratio 2, J_1 = 1, J_2 = 1.5, the mesh with η = 0.5
    either way, τ_1 = 10 sin 2πt, τ_2 = -10 + 2.5 t: backward, stuck, forward, stuck, backward.

    Pelchen, Schweiger, Otter, Modeling and simulating the efficiency of gearboxes, 2002; solved with events to 1e-9. Here
    teeth are rigid and sticking is creeping, by some 1e-7 rad/s of wheel A. Wheel B of an outer pair turns backwards.
    """

    PHI = [-0.0007618638778477693, -0.001116890488856239, -0.001116890488856239, -0.0011168903726560637, -0.0010110411897374977,
           -0.0005173181488839166, 0.00010683402367863052, 0.0002083571939122657, 0.0002083571939122657,
           1.6624352216667414e-05]  # fmt: skip
    OMEGA = [-0.019504326889424998, 0.0, 0.0, 7.256067501577097e-07, 0.005698103190102418,
             0.013181195059168952, 0.008695041415427734, 0.0, 0.0, -0.0162619293809859]  # fmt: skip
    """At t = 0.05, 0.1 ... 0.5 s."""
    SWITCHES = 0.08047713385588176, 0.19951990084761023, 0.3713427780494799, 0.46453946163624527

    def run(self, **options: Any) -> pl.Result:
        m = pl.Model("lossy gear")
        a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0, 1.0, 1.0))
        other = GEAR.with_(teeth=2 * TEETH)
        b = m.gear_body("b", other, mesh_with=a, towards=(1, 0, 0), mass=1.0, inertia=(1.5, 1.5, 1.5))
        hinge_a, hinge_b = m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=0.0, efficiency=0.5, efficiency_speed=1e-7))
        m.torque("load a", hinge_a, pl.Harmonic(10.0, 1.0))
        m.torque("load b", hinge_b, pl.Polynomial((10.0, -2.5)))
        return pl.dynamics(m, duration=0.5, step=2e-5, output_step=1e-3, **options)

    @pytest.mark.parametrize("options", ({}, {"reduce": False}), ids=str)
    def test_motion(self, options: dict[str, Any]) -> None:
        """To 1e-6 rad and 1e-5 rad/s. The force jumps where the teeth stick, which costs O(h), 2e-5 s times 1 rad/s²."""
        result = self.run(**options)
        np.testing.assert_allclose(-result["hinge b.angle"].values[50::50], self.PHI, atol=1e-6)
        np.testing.assert_allclose(-result["hinge b.angular_speed"].values[50::50], self.OMEGA, atol=1e-5)
        # it sticks between the switches, and nowhere else
        speed, t = np.abs(result["hinge b.angular_speed"].values), result.time
        stuck = np.zeros(len(t), bool)
        for begin, end in (self.SWITCHES[:2], self.SWITCHES[2:]):
            stuck |= (t > begin + 1e-3) & (t < end - 1e-3)
            near = (t > begin - 1e-3) & (t < end + 1e-3)
            assert np.all(speed[near & stuck] < 1e-6)
        moving = (t > 2e-3) & (t < self.SWITCHES[0] - 2e-3) | (t > self.SWITCHES[1] + 5e-3) & (t < self.SWITCHES[2] - 2e-3)
        assert np.all(speed[moving] > 1e-5)

    def test_half_of_the_power_is_lost(self) -> None:
        """The loss is (1 - η) of the power given by the wheel that drives, torques being those of the teeth."""
        result = self.run()
        powers = [
            np.sum(result[f"mesh.moment_{w}"].values * result[f"{w}.angular_velocity"].values, axis=1) for w in "ab"
        ]  # of the teeth on the wheels
        given = np.maximum(-powers[0], -powers[1])
        moving = np.abs(result["hinge a.angular_speed"].values) > 1e-3
        np.testing.assert_allclose(result["mesh.loss"].values[moving], 0.5 * given[moving], rtol=1e-6)
        assert np.all(result["mesh.loss"].values >= 0.0)
