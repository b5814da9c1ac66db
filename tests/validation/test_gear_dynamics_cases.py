"""Vibrating gear pairs against published models and closed forms: backlash oscillator, gears with losses and play of the
Modelica library.

Every model is a gear pair set up so that its equation of motion is exactly the published one. Reference values are
closed forms or independent solutions (event-driven shooting, Dymola) to the digits given. The integration is of
order 2: with n steps a period its error is some (2π/n)²/12, near a resonance as often as large as the amplification; kinks
do not spoil the order. Two runs with n and 2 n steps extrapolated leave some 1e-2 of that.
"""

import math
from typing import Any

import numpy as np
import pytest
from references.observed_order import richardson
from references.vibrating_pair import ALPHA, ARM, GEAR, TEETH, two_wheels

import pitchline as pl


def wheel_on_ground(inertia: float, mesh: pl.Elastic, torque: Any) -> pl.Model:
    """Wheel A in a hinge, under a torque, in mesh with a wheel that stands still: u = ARM ψ."""
    m = pl.Model("one wheel")
    a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", mass=1.0, inertia=(inertia, inertia, inertia))
    b = m.wheel("b", m.ground, GEAR, mesh_with=a, towards=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, a)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torque("load", hinge, torque)
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
        assert result["mesh.approach"].final / math.cos(ALPHA) / self.PLAY == pytest.approx(1 + self.F_M, rel=1e-10)
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
        return period["mesh.approach"].values / math.cos(ALPHA) / self.PLAY, period

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
            return np.array([result["mesh.approach"].final / math.cos(ALPHA), rate]) / self.PLAY

        np.testing.assert_allclose(richardson(run, T / 2000), [0.8691222889496697, 0.07591265148004844], atol=2e-7)


# --- Modelica ---------------------------------------------------------------------------------------------------------


class TestModelicaBacklash:
    """Modelica.Mechanics.Rotational.Examples.Backlash (MAP-LIB_ReferenceResults v4.0.0, Dymola): J = 5, c = 20000, d = 50,
    b = 45°, let go from φ = 90°; the damper is limited: d |ω| <= c |z|, z being the deflection beyond the play.

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
            2e4 / ARM**2, along="hoop", damping=50 / ARM**2, damping_acts="limited",
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
        force, spring = (
            result["mesh.normal_force"].values,
            2e4 / ARM**2 * result["mesh.deflection"].values / math.cos(ALPHA) ** 2,
        )
        assert np.all(force >= 0.0) and np.all(spring >= 0.0)
        assert set(result["mesh.contact"].values) == {1.0, 0.0, -1.0}
        assert np.all(force <= 2 * spring * (1 + 1e-9))
        energy = result["energy.kinetic"].values + result["energy.potential"].values
        assert np.all(np.diff(energy) <= 1e-6 * energy[0])


class TestModelicaBacklashOfAJoint:
    """The same case at its original scale: elastic stops of a joint with a damper that is limited by their spring."""

    @staticmethod
    def model(torque: float, damping_limit: float | None = 1.0) -> pl.Model:
        m = pl.Model("backlash")
        wheel = m.body("wheel", mass=1.0, inertia=(5.0, 5.0, 5.0))
        hinge = m.revolute("hinge", m.ground, wheel, axis="z")
        m.stop(
            "play", hinge, lower="-22.5 deg", upper="22.5 deg", stiffness="20000 N*m/rad", damping="50 N*m*s/rad",
            damping_limit=damping_limit,
        )  # fmt: skip
        m.torque("load", hinge, torque)
        return m

    def run(self, **options: Any) -> pl.Result:
        held = pl.statics(self.model(2e4 * (math.pi / 2 - math.pi / 8)))
        assert held["hinge.angle"].final == pytest.approx(math.pi / 2, rel=1e-12)
        return pl.dynamics(self.model(0.0, **options), duration=1.0, step=5e-5, output_step=0.1, start=held)

    def test_motion(self) -> None:
        result = self.run()
        np.testing.assert_allclose(result["hinge.angle"].values[1:], TestModelicaBacklash.PHI, atol=5e-5)
        np.testing.assert_allclose(result["hinge.angular_speed"].values[1:], TestModelicaBacklash.OMEGA, atol=2e-3)

    def test_the_limit_matters(self) -> None:
        """Without it the damper acts with its whole force as soon as contact starts."""
        found = self.run(damping_limit=None)["hinge.angle"].values[1:]
        assert np.max(np.abs(found - TestModelicaBacklash.PHI)) > 0.01


class TestModelicaLossyGear:
    """Modelica.Mechanics.Rotational.Examples.LossyGearDemo1 (Dymola): ratio 2, J_1 = 1, J_2 = 1.5, the mesh with η = 0.5
    either way, τ_1 = 10 sin 2πt, τ_2 = -10 + 2.5 t: backward, stuck, forward, stuck, backward.

    Pelchen, Schweiger, Otter, Modeling and simulating the efficiency of gearboxes, 2002; solved with events to 1e-9. Here
    teeth are rigid. They stick, as the reference does, or sticking is creeping, by some 1e-7 rad/s of wheel A. Wheel B of an outer
    pair turns backwards. The same with a gearbox that is given as a ratio.
    """

    PHI = [-0.0007618638778477693, -0.001116890488856239, -0.001116890488856239, -0.0011168903726560637, -0.0010110411897374977,
           -0.0005173181488839166, 0.00010683402367863052, 0.0002083571939122657, 0.0002083571939122657,
           1.6624352216667414e-05]  # fmt: skip
    OMEGA = [-0.019504326889424998, 0.0, 0.0, 7.256067501577097e-07, 0.005698103190102418,
             0.013181195059168952, 0.008695041415427734, 0.0, 0.0, -0.0162619293809859]  # fmt: skip
    """At t = 0.05, 0.1 ... 0.5 s."""
    SWITCHES = 0.08047713385588176, 0.19951990084761023, 0.3713427780494799, 0.46453946163624527

    def ratio(self) -> pl.Model:
        m = pl.Model("lossy gear")
        for name, inertia in (("a", 1.0), ("b", 1.5)):
            m.body(name, mass=1.0, inertia=(inertia,) * 3, position=(ord(name) - ord("a"), 0, 0))
            m.revolute(f"hinge {name}", m.ground, name, axis="z")
        m.ratio("gear", "hinge a", "hinge b", ratio=2, efficiency=0.5)
        m.torque("load a", "hinge a", pl.Harmonic(10.0, 1.0))
        m.torque("load b", "hinge b", pl.Polynomial((-10.0, 2.5)))
        return m

    def sticking(self, name: str, step: float = 2e-5, **options: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Angle and speed of wheel B as in the reference, and directions of motion, every 1e-4 s. name: "pair" or "ratio"."""
        m, sign = (self.ratio(), 1.0) if name == "ratio" else (self.model(sticks=True), -1.0)
        run = pl.dynamics(m, duration=0.5, step=step, output_step=1e-4, **options)
        assert 4 <= run.statistics["events"] <= 6
        angle, speed = (sign * run[f"hinge b.{what}"].values for what in ("angle", "angular_speed"))
        return angle, speed, run["gear.state" if name == "ratio" else "mesh.friction_state"].values

    def switches(self, speed: np.ndarray, state: np.ndarray) -> list[float]:
        """Times of stops and starts: zeros of the speed before a stop; after a start it grows with the square of the time."""
        found = []
        for k in np.flatnonzero(np.diff(state)):
            t = 1e-4 * np.arange(len(speed))
            before, after = slice(k - 7, k + 1), slice(k + 2, k + 12)
            x = (speed[before], t[before]) if state[k] != 0.0 else (np.sqrt(np.abs(speed[after])), t[after])
            found.append(float(np.polyval(np.polyfit(*x, 3), 0.0)))
        return found

    @pytest.mark.parametrize("options", ({}, {"reduce": False}), ids=str)
    @pytest.mark.parametrize("name", ("pair", "ratio"))
    def test_sticking(self, name: str, options: dict[str, Any]) -> None:
        """All values of the reference to 1e-7, the times of stops and starts to 1e-6 s; exact rest in between."""
        angle, speed, state = self.sticking(name, **options)
        np.testing.assert_allclose(angle[500::500], self.PHI, atol=1e-8)
        np.testing.assert_allclose(speed[500::500], self.OMEGA, atol=1e-7)
        np.testing.assert_allclose(self.switches(speed, state), self.SWITCHES, atol=1e-6)
        for begin, end in (self.SWITCHES[:2], self.SWITCHES[2:]):
            rest = angle[math.ceil(begin * 1e4) + 1 : math.floor(end * 1e4)]
            assert np.ptp(rest) < 1e-16

    def test_order(self) -> None:
        errors = [
            float(np.max(np.abs(self.sticking("ratio", h)[0][500::500] - self.PHI))) for h in (1e-4, 5e-5, 2.5e-5)
        ]
        assert errors[0] / errors[2] > 12.0

    def model(self, **options: Any) -> pl.Model:
        m = pl.Model("lossy gear")
        a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0, 1.0, 1.0))
        other = GEAR.with_(teeth=2 * TEETH)
        b = m.gear_body("b", other, mesh_with=a, towards=(1, 0, 0), mass=1.0, inertia=(1.5, 1.5, 1.5))
        hinge_a, hinge_b = m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=0.0, efficiency=0.5, efficiency_speed=1e-7, **options))
        m.torque("load a", hinge_a, pl.Harmonic(10.0, 1.0))
        m.torque("load b", hinge_b, pl.Polynomial((10.0, -2.5)))
        return m

    def run(self, **options: Any) -> pl.Result:
        return pl.dynamics(self.model(), duration=0.5, step=2e-5, output_step=1e-3, **options)

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
        moving = (t > 2e-3) & (t < self.SWITCHES[0] - 2e-3) | (t > self.SWITCHES[1] + 5e-3) & (
            t < self.SWITCHES[2] - 2e-3
        )
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
