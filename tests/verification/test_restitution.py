"""Rigid stops and rigid teeth with a coefficient of restitution: closed forms, momentum, energy, order, rest and release."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

G = 10.0


def ball(e: float, height: float = 1.0, **stop: Any) -> pl.Model:
    m = pl.Model("ball", gravity=(0, 0, -G))
    body = m.body("ball", mass=2.0, inertia=(1, 1, 1), position=(0, 0, height))
    rail = m.prismatic("rail", m.ground, body, axis="z")
    m.stop("floor", rail, lower=-height, **({"restitution": e} | stop))
    return m


def bounced(t: float, e: float, height: float = 1.0) -> float:
    """Height of a bouncing ball."""
    fall = math.sqrt(2 * height / G)
    if t < fall:
        return height - 0.5 * G * t**2
    speed, at = e * G * fall, fall
    while speed > 1e-9 and t > at + 2 * speed / G:
        at, speed = at + 2 * speed / G, e * speed
    return max(0.0, speed * (t - at) - 0.5 * G * (t - at) ** 2) if speed > 1e-9 else 0.0


class TestBouncingBall:
    @pytest.mark.parametrize("options", ({"step": 0.01}, {"step": 0.13}, {"output_step": 0.02}), ids=str)
    def test_motion_is_exact(self, options: dict[str, Any]) -> None:
        """Under constant gravity the method is exact between impacts. With any step, also one longer than a bounce."""
        run = pl.dynamics(ball(0.7), duration=2.4, **options)
        exact = [bounced(t, 0.7) for t in run.time]
        np.testing.assert_allclose(run["rail.displacement"].values + 1, exact, atol=3e-6)
        before = run.time < 1.7  # five impacts
        np.testing.assert_allclose((run["rail.displacement"].values + 1)[before], np.array(exact)[before], atol=1e-11)

    def test_comes_to_rest(self) -> None:
        """All energy is lost after sqrt(2 h/g) (1 + e)/(1 - e); then the floor carries the weight."""
        run = pl.dynamics(ball(0.5), duration=2.0, step=0.01)
        rest = math.sqrt(2 / G) * 3.0
        z = run["rail.displacement"].values + 1
        assert np.all(np.abs(z[run.time > rest + 1e-9]) < 1e-12)
        assert z[run.time < rest - 0.02][-1] > 1e-6
        assert run["floor.force"].final == pytest.approx(2 * G, rel=1e-9)
        assert run["floor.contact"].final == -1
        assert run["energy.dissipated"].final == pytest.approx(2 * G, rel=1e-12)
        assert abs(run["energy.balance_error"].values).max() < 1e-12 * 2 * G
        assert 5 < run["floor.impacts"].final == run.statistics["impacts"] < 30

    def test_impulse(self) -> None:
        """m (1 + e) v at the first impact, and its force is not part of the samples."""
        run = pl.dynamics(ball(0.6), duration=0.8, step=0.01)
        assert run["floor.impulse"].final == pytest.approx(2 * 1.6 * math.sqrt(2 * G), rel=1e-12)
        assert run["floor.impulse"].unit == "N*s"
        assert np.all(run["floor.force"].values == 0.0)

    @pytest.mark.slow
    def test_without_loss(self) -> None:
        """e = 1 over 10^5 steps and 500 impacts."""
        run = pl.dynamics(ball(1.0, 0.05), duration=100.0, step=1e-3, output_step=1.0)
        energy = run["energy.kinetic"].values + run["energy.potential"].values
        assert run.statistics["steps"] >= 100_000 and run["floor.impacts"].final == 500
        assert abs(energy - energy[0]).max() < 1e-8 * 2 * G * 0.05

    def test_samples_stay_on_their_grid(self) -> None:
        run = pl.dynamics(ball(0.5), duration=2.0, step=0.01, output_step=0.05)
        np.testing.assert_allclose(run.time, np.arange(41) * 0.05, atol=1e-15)


def pendulum(e: float, **model: Any) -> pl.Model:
    m = pl.Model("pendulum", gravity=(0, -9.81, 0), **model)
    bob = m.body("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, bob, at=(0, 0, 0), axis="z")
    m.stop("wall", hinge, lower="-90 deg", restitution=e)
    return m


@pytest.mark.parametrize(
    ("model", "options"), (({}, {}), ({}, {"reduce": False}), ({"plane": "xy"}, {}), ({}, {"reduce": False, "stabilised": True})),
    ids=str,
)  # fmt: skip
def test_pendulum_against_a_stop(model: dict[str, Any], options: dict[str, Any]) -> None:
    """Through the lowest position with sqrt(2 m g / I); the rebound height is e^2 of it. Observed order 2."""
    found = []
    for h in (8e-3, 4e-3, 2e-3):
        run = pl.dynamics(pendulum(0.7, **model), duration=2.0, step=h, **options)
        assert run["wall.impacts"].final == 2
        assert run["hinge.angle"].values.min() > -math.pi / 2 - 1e-9
        found.append(run["hinge.angle"].final)
    assert math.log2(abs((found[0] - found[1]) / (found[1] - found[2]))) == pytest.approx(2.0, abs=0.15)
    first = run["hinge.angle"].values[(run.time > 0.6) & (run.time < 1.2)].max()
    assert -math.sin(first) == pytest.approx(1 - 0.49, abs=1e-3)


class TestFreeBodies:
    """Two free bodies on a common slide."""

    @staticmethod
    def run(e: float, turn: tuple[float, ...] = (0.0, 0.0, 0.0)) -> pl.Result:
        m = pl.Model("two")
        at, w, v = np.array([1.0, 0, 0]), np.array(turn), np.array([0.5, 0.1, 0])
        a = m.body("a", mass=2.0, inertia=(0.1, 0.2, 0.3), velocity=v, angular_velocity=w)
        b = m.body(
            "b",
            mass=3.0,
            inertia=(0.3, 0.1, 0.2),
            position=at,
            velocity=v + np.cross(w, at) - (1, 0, 0),
            angular_velocity=w,
        )
        m.stop("end", m.prismatic("slide", a, b, axis="x"), lower=-0.4, upper=0.4, restitution=e)
        return pl.dynamics(m, duration=1.0, step=1e-2)

    @pytest.mark.parametrize("e", (0.0, 0.5, 1.0))
    def test_momentum_and_energy(self, e: float) -> None:
        run = self.run(e)
        momentum = 2 * run["a.velocity"].values + 3 * run["b.velocity"].values
        assert abs(momentum - momentum[0]).max() < 1e-14
        bodies = [(m, run[f"{n}.position"].values, run[f"{n}.velocity"].values) for n, m in (("a", 2), ("b", 3))]
        turned = sum(m * np.cross(x, v) for m, x, v in bodies)
        # each step adds to the positions, and each sum is rounded by up to half a unit in the last place of its greatest number
        sums = run.statistics["steps"] * sum(m * np.abs(x).max() * np.abs(v).max() for m, x, v in bodies)
        assert abs(turned - turned[0]).max() < 0.5 * np.finfo(float).eps * sums
        assert run["slide.speed"].final == pytest.approx(e, abs=1e-12)
        lost = run["energy.kinetic"].values[0] - run["energy.kinetic"].final
        assert lost == pytest.approx(0.5 * 1.2 * (1 - e**2), abs=1e-12)  # reduced mass 6/5
        assert run["energy.dissipated"].final == pytest.approx(lost, abs=1e-12)

    def test_rotating(self) -> None:
        """Linear momentum stays exact in any pose."""
        run = self.run(0.5, (0.3, -0.2, 0.5))
        momentum = 2 * run["a.velocity"].values + 3 * run["b.velocity"].values
        assert run["end.impacts"].final == 1
        assert abs(momentum - momentum[0]).max() < 1e-13


def chain(gap: float, restitution: tuple[float, ...]) -> pl.Result:
    """Sliders of equal mass in a row. The first one moves."""
    m = pl.Model("chain")
    count = len(restitution) + 1
    bodies = [
        m.body(f"b{i}", mass=1.0, inertia=(1, 1, 1), position=(i, 0, 0), velocity=(float(i == 0), 0, 0))
        for i in range(count)
    ]
    m.prismatic("rail", m.ground, bodies[0], axis="x")
    for i, e in enumerate(restitution):
        m.stop(
            f"s{i}", m.prismatic(f"j{i}", bodies[i], bodies[i + 1], axis="x", at=(i, 0, 0)), lower=-gap, restitution=e
        )
    return pl.dynamics(m, duration=0.5, step=0.01)


class TestSeveralContacts:
    def speeds(self, run: pl.Result, count: int) -> list[float]:
        return [float(run[f"b{i}.velocity"].values[-1, 0]) for i in range(count)]

    def test_one_after_another(self) -> None:
        """With gaps the last of four takes the whole momentum, as in Newton's cradle."""
        for gap in (1e-7, 0.1):
            assert self.speeds(chain(gap, (1.0, 1.0, 1.0)), 4) == pytest.approx([0, 0, 0, 1], abs=1e-12)

    def test_at_once(self) -> None:
        """Bodies in contact: one impact of all, by Newton's law (Moreau). [2 -1; -1 2] L = (2, 0)."""
        assert self.speeds(chain(0.0, (1.0, 1.0)), 3) == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-12)

    @pytest.mark.parametrize("restitution", ((1.0, 0.0), (0.0, 1.0), (0.9, 0.2, 0.7), (0.3, 1.0, 0.0, 0.8)))
    def test_energy_is_never_gained(self, restitution: tuple[float, ...]) -> None:
        run = chain(0.0, restitution)
        assert sum(self.speeds(run, len(restitution) + 1)) == pytest.approx(1.0, abs=1e-12)
        assert run["energy.kinetic"].final <= 0.5 + 1e-12
        assert run["energy.dissipated"].final >= -1e-12
        for i in range(len(restitution)):
            assert run[f"j{i}.displacement"].values.min() > -1e-9

    def test_complementarity(self) -> None:
        """Random problems, also with more contacts than degrees of freedom."""
        from pitchline.engine.solvers.switching import pushing

        rng = np.random.default_rng(1)
        for n, rank in ((1, 1), (3, 3), (5, 5), (5, 3), (8, 4)):
            for _ in range(20):
                a = rng.normal(size=(n, rank))
                W = a @ a.T
                q = W @ rng.normal(size=n)
                z = pushing(W, q)
                w = W @ z - q
                size = np.abs(q).max()
                assert z.min() >= 0.0 and w.min() > -1e-6 * size
                assert np.abs(z * w).max() < 1e-6 * size * max(1.0, np.abs(z).max())


class TestRestAndRelease:
    @staticmethod
    def model(**more: Any) -> tuple[pl.Model, Any]:
        m = pl.Model("rest", **more)
        body = m.body("b", mass=2.0, inertia=(1, 1, 1))
        return m, m.prismatic("rail", m.ground, body, axis="z")

    def test_statics_finds_the_stop(self) -> None:
        m, rail = self.model(gravity=(0, 0, -G))
        m.stop("end", rail, lower=-0.3, upper=0.2)
        rest = pl.statics(m)
        assert rest["rail.displacement"].final == pytest.approx(-0.3, abs=1e-14)
        assert rest["end.force"].final == pytest.approx(20.0, rel=1e-12)

    @pytest.mark.parametrize(("load", "at", "force"), ((5, 0.05, 0), (50, 0.2, -30), (-50, -0.1, 40), (-5, -0.05, 0)))
    def test_statics_with_a_spring(self, load: float, at: float, force: float) -> None:
        """The stop carries what the spring does not. Small motions: free between the limits."""
        m, rail = self.model()
        m.spring("spring", m.ground, "b", at_a=(0, 0, -1), stiffness=100.0)
        m.body("c", mass=2.0, inertia=(1, 1, 1), position=(0, 0, 1))
        m.prismatic("other", m.ground, "c", axis="z")
        m.spring("link", "b", "c", stiffness=100.0)
        m.stop("end", rail, lower=-0.1, upper=0.2)
        m.force("load", rail, load)
        rest = pl.statics(m)
        assert rest["rail.displacement"].final == pytest.approx(at, abs=1e-10)
        assert rest["end.force"].final == pytest.approx(force, abs=1e-8)
        modes = pl.modes(m, about=rest)
        golden = np.sqrt(50 * (3 - np.sqrt(5)) / 2), np.sqrt(50 * (3 + np.sqrt(5)) / 2)
        expected = golden if force == 0 else (math.sqrt(50.0),)
        np.testing.assert_allclose(modes.frequencies, np.array(expected) / (2 * math.pi), rtol=1e-6)

    def test_release(self) -> None:
        """A force that grows lifts the body at its weight: z = 20/6 (t - 0.5)^3."""
        m, rail = self.model(gravity=(0, 0, -G))
        m.stop("end", rail, lower=0.0, restitution=0.5)
        m.force("pull", rail, pl.Polynomial((0, 40.0)))
        run = pl.dynamics(m, duration=1.0, step=1e-3)
        later = np.clip(run.time - 0.5, 0.0, None)
        np.testing.assert_allclose(run["rail.displacement"].values, 20 / 6 * later**3, atol=2e-6)
        np.testing.assert_allclose(run["end.force"].values, np.clip(20 - 40 * run.time, 0, None), atol=0.05)
        assert run["end.impacts"].final == 0

    @pytest.mark.parametrize(
        ("speed", "e", "after"), ((2.0, 0.0, 2.0), (2.0, 0.5, 2.0), (-2.0, 0.5, 1.0), (-2.0, 0.0, 0.0))
    )
    def test_start_in_contact(self, speed: float, e: float, after: float) -> None:
        """A stop does not hold a body that moves away."""
        m = pl.Model("start")
        body = m.body("b", mass=2.0, inertia=(1, 1, 1), velocity=(0, 0, speed))
        m.stop("end", m.prismatic("rail", m.ground, body, axis="z"), lower=0.0, restitution=e)
        run = pl.dynamics(m, duration=0.1, step=0.01)
        assert run["rail.speed"].final == pytest.approx(after, abs=1e-12)

    @pytest.mark.slow
    def test_stiff_mode(self) -> None:
        """A stiff spring that the step does not resolve, and a contact that returns within the step: energy only falls."""
        m = pl.Model("stiff", gravity=(0, 0, -G))
        a = m.body("a", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0.1))
        b = m.body("b", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 1))
        low = m.prismatic("low", m.ground, a, axis="z")
        m.prismatic("high", m.ground, b, axis="z")
        m.spring("spring", a, b, stiffness=1e7)
        m.stop("floor", low, lower=-0.1, restitution=0.6)
        run = pl.dynamics(m, duration=0.5, step=1e-3)
        energy = run["energy.kinetic"].values + run["energy.potential"].values
        assert np.diff(energy).max() < 1e-2 * energy[0]
        assert run["low.displacement"].values.min() > -0.1 - 1e-9


GEAR = pl.Gear(teeth=20, normal_module="4 mm", face_width="20 mm")


def wheels(e: float, speed: float = 1.0) -> pl.Model:
    """Two equal wheels in hinges, the first of which rotates."""
    m = pl.Model("teeth")
    a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, speed))
    b = m.gear_body("b", GEAR, mesh_with=a, towards="x")
    m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=1e-4, restitution=e))
    return m


class TestTeeth:
    @pytest.mark.parametrize("e", (0.0, 0.3, 0.9, 1.0))
    def test_impacts_across_the_backlash(self, e: float) -> None:
        """After n impacts the relative speed is (-e)^n, the angular momentum is unchanged, the energy is (1 + e^2n)/2."""
        run = pl.dynamics(wheels(e), duration=0.03, step=1e-4)
        n = int(run.statistics["impacts"])
        assert run["mesh.impacts"].final == n
        first = run["mesh.impulse"].values[np.flatnonzero(run["mesh.impacts"].values)[0]]
        inertia = 2 * run["energy.kinetic"].values[0]
        assert first * 0.04 * math.cos(math.radians(20)) == pytest.approx(0.5 * inertia * (1 + e), rel=1e-9)
        a, b = (run[f"hinge {w}.angular_speed"].values for w in "ab")
        np.testing.assert_allclose(a - b, 1.0, rtol=1e-13)
        assert (a + b)[-1] == pytest.approx((-e) ** n, abs=1e-9)
        energy = run["energy.kinetic"].values
        assert energy[-1] / energy[0] == pytest.approx(0.5 * (1 + e ** (2 * n)), rel=1e-9)
        play = 0.5e-4 / math.cos(math.radians(20))
        assert abs(run["mesh.approach"].values).max() <= play * (1 + 1e-9)
        crossing = play / 0.04 * np.array([1.0, *(2 / e**k for k in range(1, 60))]) if e else np.array([play / 0.04])
        assert n == np.sum(np.cumsum(crossing) < 0.03)

    def test_driven_wheel_comes_to_rest_on_the_flank(self) -> None:
        """A drive at constant speed and a load: the teeth rebound and then carry the load. The drive supplies the losses."""
        m = wheels(0.5, 0.0)
        m.drive("drive", "hinge a", speed=1.0)
        m.torque("load", "hinge b", 1.0)
        run = pl.dynamics(m, duration=0.3, step=2e-4)
        assert run["mesh.normal_force"].final == pytest.approx(1 / (0.04 * math.cos(math.radians(20))), rel=1e-6)
        assert run["hinge b.angular_speed"].final == pytest.approx(-1.0, abs=1e-8)
        assert run["energy.dissipated"].final > 0
        assert abs(run["energy.balance_error"].values).max() < 1e-9 * run["energy.dissipated"].final


@pytest.mark.parametrize("e", (0.0, 0.3))
def test_hanging_chain(e: float) -> None:
    """Links that close one after another, with contacts that transmit impulses: within the limits, and energy only falls."""
    m = pl.Model("chain", gravity=(0, 0, -G))
    last: Any = m.ground
    for i in range(6):
        link = m.body(f"b{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(i + 1.0, 0, 0))
        hinge = m.revolute(f"h{i}", last, link, at=(i + 0.5, 0, 0), axis="y")
        m.stop(f"s{i}", hinge, lower=-0.3, upper=0.3, restitution=e)
        last = link
    run = pl.dynamics(m, duration=0.5, step=2e-3)
    assert run.statistics["impacts"] > 10
    assert max(abs(run[f"h{i}.angle"].values).max() for i in range(6)) < 0.3 + 1e-6
    energy = run["energy.kinetic"].values + run["energy.potential"].values
    assert np.diff(energy).max() < 1e-3 * np.ptp(run["energy.potential"].values)


def test_impulses_that_increase_the_energy_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the solution of the impulses is wrong, here by a factor of 3, the run ends with the names of the parts."""
    from pitchline.engine.solvers import impact

    right = impact.pushing
    monkeypatch.setattr(impact, "pushing", lambda *given: 3.0 * right(*given))
    with pytest.raises(pl.SolveError, match=r'the impact of "floor" at t = .* would increase the energy'):
        pl.dynamics(ball(0.5), duration=1.0, step=1e-3)
