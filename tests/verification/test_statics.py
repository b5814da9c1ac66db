"""Static equilibria in closed form (to 1e-9 of the lengths and forces at hand), or from the equations of statics
solved apart."""

import numpy as np
import pytest
from references.observed_order import largest
from scipy.optimize import brentq

import pitchline as pl

G = 9.81


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("start", [-170, -90, -1, 0, 30, 90, 135, 175])
def test_pendulum_hangs(start, reduce) -> None:
    """From wherever it starts, however far: straight down, held by its weight."""
    m = pl.Model("pendulum", gravity=(0, -G, 0))
    turn = np.radians(start)
    m.body("rod", solid=pl.bar(1.0, 0.05, 0.05, mass=3.0), position=(0.5 * np.sin(turn), -0.5 * np.cos(turn), 0),
           orientation=pl.Rotation("z", turn - np.pi / 2))  # fmt: skip
    m.revolute("hinge", m.ground, "rod", at=(0, 0, 0), axis="z")
    result = pl.statics(m, reduce=reduce)
    assert largest(result["rod.position"].values[0], [0, -0.5, 0]) < 1e-9
    assert largest(result["hinge.force"].values[0], [0, 3 * G, 0]) < 1e-8
    assert not result.warnings


def test_upright_pendulum_is_let_go() -> None:
    """Exactly upright is an equilibrium too, but none in which a machine would come to rest."""
    m = pl.Model("pendulum", gravity=(0, -G, 0))
    m.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 1, 0))
    m.revolute("hinge", m.ground, "bob", at=(0, 0, 0), axis="z")
    result = pl.statics(m)
    assert largest(result["bob.position"].values[0], [0, -1, 0]) < 1e-8
    assert not result.warnings


@pytest.mark.parametrize("trial", range(20))
def test_chains_hang_down(trial) -> None:
    """Up to four bars hinged in a row, thrown anywhere: all come to hang below one another, of 2^n equilibria the
    only stable."""
    random = np.random.default_rng(trial)
    m = pl.Model("chain", gravity=(0, -G, 0))
    previous, at, reach = m.ground, np.zeros(3), 0.0
    for i in range(1 + trial % 4):
        angle, length = random.uniform(-np.pi, np.pi), random.uniform(0.3, 1.0)
        step = length * np.array([np.cos(angle), np.sin(angle), 0])
        body = m.body(f"bar{i}", mass=random.uniform(0.5, 3.0), inertia=(0.05, 0.05, 0.05), position=at + step / 2)
        m.revolute(f"hinge{i}", previous, body, at=at, axis="z")
        previous, at, reach = body, at + step, reach + length
    result = pl.statics(m, reduce=trial % 2 == 0)
    assert largest(result[f"bar{trial % 4}.position"].values[0], [0, length / 2 - reach, 0]) < 1e-7
    assert not result.warnings


def test_spring_scale() -> None:
    """m g = k x."""
    m = pl.Model("scale", gravity=(0, 0, -G))
    m.body("pan", mass=2.5, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1.0))
    m.prismatic("guide", m.ground, "pan", axis="z")
    m.spring("spring", m.ground, "pan", at_a=(0, 0, 0), stiffness=500.0, free_length=0.8, damping=10.0)
    result = pl.statics(m)
    assert result["spring.length"].values[0] == pytest.approx(0.8 + 2.5 * G / 500.0, rel=1e-10)
    assert result["spring.force"].values[0] == pytest.approx(2.5 * G, rel=1e-9)


def test_weight_on_two_springs() -> None:
    """Springs from (+-a, 0): 2 k (1 - L0/L) y = m g with L^2 = a^2 + y^2."""
    a, k, free, mass = 1.0, 300.0, 0.9, 5.0
    m = pl.Model("sling", gravity=(0, -G, 0))
    m.body("load", mass=mass, inertia=(0.1, 0.1, 0.1), position=(0.2, -0.3, 0))
    m.planar("plane", m.ground, "load", axis="z")
    m.bushing("upright", m.ground, "load", stiffness=(0, 0, 0, 0, 0, 10.0))
    for i, x in enumerate((-a, a)):
        m.spring(f"spring{i}", m.ground, "load", at_a=(x, 0, 0), stiffness=k, free_length=free)
    y = brentq(lambda y: 2 * k * (1 - free / np.hypot(a, y)) * y - mass * G, 0.01, 2.0, xtol=1e-14)
    result = pl.statics(m)
    assert largest(result["load.position"].values[0], [0, -y, 0]) < 1e-9


def test_string() -> None:
    """A bob on a string comes to hang below its point, the string longer by m g/k; a second string stays slack."""
    m = pl.Model("string", gravity=(0, 0, -G))
    m.body("bob", mass=1.2, inertia=(0.01, 0.01, 0.01), position=(0.6, 0.1, -0.5))
    m.string("taut", m.ground, "bob", at_a=(0, 0, 0), stiffness=800.0, free_length=0.7)
    m.string("slack", m.ground, "bob", at_a=(0.2, 0, -0.6), stiffness=800.0, free_length=1.5)
    result = pl.statics(m)
    assert largest(result["bob.position"].values[0], [0, 0, -0.7 - 1.2 * G / 800.0]) < 1e-8
    assert result["taut.force"].values[0] == pytest.approx(1.2 * G, rel=1e-8)
    assert result["slack.force"].values[0] == 0.0


@pytest.mark.parametrize(("stiffness", "mass"), [(20.0, 1.0), (2.0, 1.0), (0.5, 3.0)])
def test_torsion_spring(stiffness, mass) -> None:
    """A level bar on a hinge with a spring: k phi = m g l/2 cos(phi); soft ones let it hang nearly down."""
    m = pl.Model("bar", gravity=(0, -G, 0))
    m.body("bar", solid=pl.bar(0.8, 0.02, 0.02, mass=mass), position=(0.4, 0, 0))
    m.revolute("hinge", m.ground, "bar", at=(0, 0, 0), axis="z")
    m.torsion_spring("spring", "hinge", stiffness=stiffness)
    result = pl.statics(m)
    phi = brentq(lambda p: stiffness * p - mass * G * 0.4 * np.cos(p), 0, np.pi / 2, xtol=1e-15)
    assert result["hinge.angle"].values[0] == pytest.approx(-phi, abs=1e-9)
    assert result["spring.torque"].values[0] == pytest.approx(stiffness * phi, rel=1e-8)


def test_beam_balance() -> None:
    """Arms a, pans m1 and m2 on knife edges, beam M with its centre d below the pivot: tan(phi) = (m1 - m2) a/(M d)."""
    a, d, beam, m1, m2 = 0.3, 0.05, 2.0, 0.52, 0.47
    m = pl.Model("balance", gravity=(0, 0, -G))
    m.body("beam", mass=beam, inertia=(0.1, 0.1, 0.1), centre_of_mass=(0, 0, -d))
    m.revolute("pivot", m.ground, "beam", at=(0, 0, 0), axis="y")
    for name, x, mass in (("left", -a, m1), ("right", a, m2)):
        m.body(name, mass=mass, inertia=(1e-3, 1e-3, 1e-3), position=(x, 0, -0.2))
        m.revolute(f"edge {name}", "beam", name, at=(x, 0, 0), axis="y")
    result = pl.statics(m)
    assert np.tan(result["pivot.angle"].values[0]) == pytest.approx(-(m1 - m2) * a / (beam * d), rel=1e-9)
    assert largest(result["edge left.force"].values[0], [0, 0, m1 * G]) < 1e-8
    assert largest(result["pivot.force"].values[0], [0, 0, (beam + m1 + m2) * G]) < 1e-8


@pytest.mark.parametrize("axes", ["body", "world"])
def test_follower_force(axes) -> None:
    """A link on a torsion spring, pushed across its tip: k phi = F L if the force follows, k phi = F L cos(phi) if
    not."""
    k, length = 10.0, 0.5
    for force in (5.0, 30.0, 60.0):
        m = pl.Model("link")
        m.body("link", solid=pl.bar(length, 0.01, 0.01, mass=1.0), position=(length / 2, 0, 0))
        m.revolute("hinge", m.ground, "link", at=(0, 0, 0), axis="z")
        m.torsion_spring("spring", "hinge", stiffness=k)
        m.force("push", "link", (0, force, 0), at=(length, 0, 0), axes=axes)
        phi = force * length / k
        if axes == "world":
            phi = brentq(lambda p, f=force: k * p - f * length * np.cos(p), 0, np.pi, xtol=1e-15)
        assert pl.statics(m)["hinge.angle"].values[0] == pytest.approx(phi, abs=1e-9)


def hanging_bars(count: int, length: float, mass: float, span: float) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of uniform bars that hang in a chain, and the pulls (H, V) of its first support on it.

    The pull H along x is the same everywhere, V falls by m g a bar: tan(theta_i) = -(V_{i-1} + V_i)/(2 H), and the
    chain ends at (span, 0). By symmetry V_0 = n m g/2; one equation for H is left.
    """
    v = mass * G * (count / 2 - np.arange(count) - 0.5)

    def excess(pull: float) -> float:
        return float(np.sum(length * np.cos(np.arctan2(-v, pull))) - span)

    pull = brentq(excess, 1e-9, 1e6, xtol=1e-14, rtol=1e-15)
    return np.arctan2(-v, pull), np.array([-pull, count * mass * G / 2])


@pytest.mark.parametrize(("count", "span"), [(4, 0.6), (10, 0.7), (20, 0.9)])
def test_hanging_chain(count, span) -> None:
    """A chain of bars between two supports, started as a zigzag far from equilibrium."""
    length, mass = 1.0 / count, 0.3
    m = pl.Model("chain", gravity=(0, -G, 0))
    rise = np.sqrt(length**2 - (span / count) ** 2)
    previous, at = m.ground, np.zeros(3)
    for i in range(count):
        step = np.array([span / count, -rise if i % 2 == 0 else rise, 0])
        bar = m.body(f"bar{i}", solid=pl.bar(length, 0.01, 0.01, mass=mass), position=at + step / 2,
                     orientation=pl.Rotation("z", np.arctan2(step[1], step[0])))  # fmt: skip
        m.revolute(f"hinge{i}", previous, bar, at=at, axis="z")
        previous, at = bar, at + step
    m.point_on_line("end", m.ground, previous, at=at, axis="z")
    slopes, pull = hanging_bars(count, length, mass, span)
    tips = np.cumsum(length * np.stack([np.cos(slopes), np.sin(slopes)], axis=1), axis=0)
    centres = tips - 0.5 * length * np.stack([np.cos(slopes), np.sin(slopes)], axis=1)
    result = pl.statics(m)
    found = np.array([result[f"bar{i}.position"].values[0, :2] for i in range(count)])
    assert largest(found, centres) < 1e-8
    assert largest(result["hinge0.force"].values[0, :2], pull) < 1e-7 * np.linalg.norm(pull)
    assert largest(result["end.force"].values[0, :2], pull * [-1, 1]) < 1e-7 * np.linalg.norm(pull)


def test_stop_bushing_and_screw() -> None:
    """A weight on a stop sinks by m g/k; on a bushing by K^-1 f; on a thread it winds a torsion spring by m g p/k_t."""
    weight = 4.0 * G
    m = pl.Model("rests", gravity=(0, 0, -G))
    for name in ("on stop", "on bushing", "on thread"):
        m.body(name, mass=4.0, inertia=(0.1, 0.1, 0.1))
    m.prismatic("guide", m.ground, "on stop", axis="z")
    m.stop("floor", "guide", lower=-0.2, stiffness=1e5, damping=10.0)
    stiffness = np.diag([1e4, 1e4, 2e4, 50, 50, 50.0])
    stiffness[0, 2] = stiffness[2, 0] = 4e3
    m.bushing("mount", m.ground, "on bushing", stiffness=stiffness)
    m.screw("thread", m.ground, "on thread", lead=0.02, axis="z")
    m.torsion_spring("coil", "thread", stiffness=0.3)
    result = pl.statics(m)
    assert result["guide.displacement"].values[0] == pytest.approx(-0.2 - weight / 1e5, rel=1e-10)
    assert result["floor.force"].values[0] == pytest.approx(weight, rel=1e-9)
    assert largest(result["on bushing.position"].values[0], np.linalg.solve(stiffness[:3, :3], [0, 0, -weight])) < 1e-10
    pitch = 0.02 / (2 * np.pi)
    assert result["thread.angle"].values[0] == pytest.approx(-weight * pitch / 0.3, rel=1e-9)
    assert result["thread.thrust"].values[0] == pytest.approx(weight, rel=1e-9)


def test_drive_brought_to_its_target() -> None:
    """A drive at t = 2 s holds a loaded arm at its angle; the torque is that of the weight, whatever the way there."""
    m = pl.Model("arm", gravity=(0, -G, 0))
    m.body("arm", solid=pl.bar(1.0, 0.02, 0.02, mass=2.0), position=(0.5, 0, 0))
    m.revolute("hinge", m.ground, "arm", at=(0, 0, 0), axis="z")
    m.drive("motor", "hinge", angle=pl.Polynomial((0, 1.2)))
    result = pl.statics(m, time=2.0)
    assert result["hinge.angle"].values[0] == pytest.approx(2.4, abs=1e-11)
    assert result["motor.torque"].values[0] == pytest.approx(2.0 * G * 0.5 * np.cos(2.4), rel=1e-9)


def test_four_bar_under_load() -> None:
    """A linkage with a spring on its coupler: least potential energy in its one coordinate, solved apart."""
    crank, coupler, rocker, base, k = 0.4, 1.0, 0.7, 0.9, 60.0

    def pose(phi: float) -> tuple[np.ndarray, np.ndarray]:
        a = crank * np.array([np.cos(phi), np.sin(phi)])
        d = np.array([base, 0]) - a
        s = np.linalg.norm(d)
        along = (coupler**2 - rocker**2 + s**2) / (2 * s)
        e = d / s
        return a, a + along * e + np.sqrt(coupler**2 - along**2) * np.array([-e[1], e[0]])

    def energy(phi: float) -> float:
        a, b = pose(phi)
        weights = 1.0 * a[1] / 2 + 2.0 * (a[1] + b[1]) / 2 + 1.5 * b[1] / 2
        return float(weights * G + 0.5 * k * (np.linalg.norm(b - [1.5, 0.5]) - 0.3) ** 2)

    a, b = pose(1.0)
    m = pl.Model("four-bar", gravity=(0, -G, 0))
    for name, p, q, mass in (("crank", (0, 0), a, 1.0), ("coupler", a, b, 2.0), ("rocker", b, (base, 0), 1.5)):
        p, q = np.append(p, 0.0), np.append(q, 0.0)
        m.body(name, mass=mass, inertia=(0.1, 0.1, 0.1), position=(p + q) / 2)
    m.revolute("foot", m.ground, "crank", at=(0, 0, 0), axis="z")
    m.revolute("left", "crank", "coupler", at=(*a, 0), axis="z")
    m.revolute("pivot", m.ground, "rocker", at=(base, 0, 0), axis="z")
    m.point_on_line("right", "coupler", "rocker", at=(*b, 0), axis="z")
    m.spring("spring", m.ground, "coupler", at_a=(1.5, 0.5, 0), at_b=(*b, 0), stiffness=k, free_length=0.3)
    result = pl.statics(m)
    turned = 1.0 + result["foot.angle"].values[0]
    e = 1e-4
    slope = brentq(lambda p: (energy(p + e) - energy(p - e)) / (2 * e), turned - 0.05, turned + 0.05, xtol=1e-10)
    assert turned == pytest.approx(slope, abs=1e-6)
    assert energy(turned + 0.01) > energy(turned) < energy(turned - 0.01)


@pytest.mark.parametrize("length", [1.0, 64.0])
def test_a_free_rotor_does_not_hold_up_the_search_and_is_named(length: float) -> None:
    """Nothing holds the rotor about its axis, where the stiffness is rounding. The spring under it settles at once, whatever the
    unit of length, and the warning names the rotor with its rotation."""
    m = pl.Model("rotor on springs", gravity=(-0.4, -0.6, 9.78))
    for name, at in (("a", (0.2, -0.6, -2.0)), ("b", (0.95, -0.34, -0.87))):
        solid = np.array(((0.4, -0.04, -0.06), (-0.04, 0.3, 0.03), (-0.06, 0.03, 0.4))) * length**2
        m.body(
            name,
            mass=3.0,
            inertia=solid,
            position=length * np.array(at),
            centre_of_mass=(-0.1 * length, 0.1 * length, 0),
        )
        k = np.array((1.6e4, 4.8e4, 7e3, 435 * length**2, 343 * length**2, 57 * length**2))
        m.bushing(f"mount {name}", m.ground, name, at=length * (np.array(at) - 0.3), stiffness=k)
    m.rotor("disc", "b", axis=(-0.013, 0.98, -0.19), inertia=0.001 * length**2)
    result = pl.statics(m)
    total = result.reactions().parts[-1].values["value"]
    assert total["force_z"] == pytest.approx(6 * 9.78, rel=1e-9)
    (warning,) = result.warnings
    assert 'nothing holds body "disc rotor", rotation about (' in warning
