"""Kinematics in closed form: positions to 1e-9, velocities to 1e-8, forces from virtual work."""

import numpy as np
import pytest
from references.observed_order import largest
from scipy.optimize import brentq

import pitchline as pl

G = 9.81


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_slider_crank(offset, reduce) -> None:
    """x = r cos(phi) + sqrt(l^2 - (e - r sin(phi))^2); the motor carries dV/dphi of the weights."""
    r, l, w = 0.2, 0.5, 3.0
    m = pl.Model("slider-crank", gravity=(0, -G, 0))
    tilt = np.arcsin(offset / l)
    x0 = r + l * np.cos(tilt)
    m.body("crank", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(r / 2, 0, 0))
    m.body("rod", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(r + l / 2 * np.cos(tilt), offset / 2, 0))
    m.body("slider", mass=3.0, inertia=(0.1, 0.1, 0.1), position=(x0, offset, 0))
    m.revolute("main", m.ground, "crank", at=(0, 0, 0), axis="z")
    m.revolute("pin", "crank", "rod", at=(r, 0, 0), axis="z")
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.point_on_line("wrist", "slider", "rod", at=(x0, offset, 0), axis="z")
    m.drive("motor", "main", speed=w)
    result = pl.kinematics(m, duration=4.0, step=0.02, reduce=reduce)
    phi = w * result.time
    s, c = np.sin(phi), np.cos(phi)
    root = np.sqrt(l**2 - (offset - r * s) ** 2)
    slide = r * c + root
    assert largest(result["slider.position"].values[:, 0], slide) < 1e-9
    speed = w * (-r * s + (offset - r * s) * r * c / root)
    assert largest(result["slider.velocity"].values[:, 0], speed) < 1e-8
    # V = g (m_c r s/2 + m_r (r s + e)/2), motor torque = dV/dphi
    torque = G * (1.0 * r * c / 2 + 2.0 * r * c / 2)
    assert largest(result["motor.torque"].values, torque) < 1e-7


@pytest.mark.parametrize("angle", [10, 30, 45])
def test_universal_joint(angle) -> None:
    """Shafts at the angle beta: tan(phi_2) = cos(beta) tan(phi_1), turn after turn; torques in the inverse ratio of
    speeds.

    d phi_2/d phi_1 = cos(beta)/(1 - sin^2(beta) cos^2(phi_1)) ... with phi_1 = 0 where the pin of the first shaft is
    normal to the plane of the shafts: cos(beta)/(cos^2(phi_1) + cos^2(beta) sin^2(phi_1)).
    """
    beta = np.radians(angle)
    s, c = np.sin(beta), np.cos(beta)
    m = pl.Model("universal")
    m.body("input", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(-0.5, 0, 0))
    m.body("output", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5 * c, 0.5 * s, 0))
    m.revolute("bearing 1", m.ground, "input", at=(-0.5, 0, 0), axis="x")
    m.revolute("bearing 2", m.ground, "output", at=(0.5 * c, 0.5 * s, 0), axis=(c, s, 0))
    m.universal("cross", "input", "output", at=(0, 0, 0), axis="z", axis_b=(-s, c, 0))
    m.drive("motor", "bearing 1", speed=2.0)
    m.torque("load", "bearing 2", -7.0)
    result = pl.kinematics(m, duration=10.0, step=0.05)
    phi = 2.0 * result.time
    turns = np.round(phi / (2 * np.pi))
    exact = np.arctan2(c * np.sin(phi), np.cos(phi))
    exact += 2 * np.pi * np.round((phi - exact) / (2 * np.pi))
    assert turns[-1] >= 3
    assert largest(result["bearing 2.angle"].values, exact) < 1e-9
    ratio = c / (np.cos(phi) ** 2 + c**2 * np.sin(phi) ** 2)
    assert largest(result["bearing 2.angular_speed"].values, 2.0 * ratio) < 1e-8
    assert largest(result["motor.torque"].values, 7.0 * ratio) < 1e-7


def test_two_universal_joints_make_a_constant_speed() -> None:
    """The classical drive shaft: equal angles and yokes in one plane give phi_3 = phi_1."""
    beta = np.radians(25)
    s, c = np.sin(beta), np.cos(beta)
    end = np.array([c, s, 0])
    m = pl.Model("drive shaft")
    m.body("input", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(-0.5, 0, 0))
    m.body("middle", mass=1.0, inertia=(0.1, 0.1, 0.1), position=end / 2)
    m.body("output", mass=1.0, inertia=(0.1, 0.1, 0.1), position=end + [0.5, 0, 0])
    m.revolute("bearing 1", m.ground, "input", at=(-0.5, 0, 0), axis="x")
    # the output may slide, so that nothing is redundant
    m.cylindrical("bearing 3", m.ground, "output", at=end + [0.5, 0, 0], axis="x")
    m.universal("cross 1", "input", "middle", at=(0, 0, 0), axis="z", axis_b=(-s, c, 0))
    m.universal("cross 2", "output", "middle", at=end, axis="z", axis_b=(-s, c, 0))
    m.drive("motor", "bearing 1", speed=1.0)
    result = pl.kinematics(m, duration=10.0, step=0.05)
    assert largest(result["bearing 3.angle"].values, result.time) < 1e-8
    assert largest(result["bearing 3.angular_speed"].values, 1.0) < 1e-7


@pytest.mark.parametrize("lead", [0.005, -0.02])
def test_screw(lead) -> None:
    """Displacement = lead * turns over many turns; torque of the drive = force * lead/(2 pi)."""
    m = pl.Model("screw")
    m.body("nut", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.screw("thread", m.ground, "nut", lead=lead, axis="z")
    m.drive("motor", "thread", speed=5.0, coordinate="angle")
    m.force("load", "nut", (0, 0, -80.0))
    for reduce in (True, False):
        result = pl.kinematics(m, duration=20.0, step=0.2, reduce=reduce)
        turns = 5.0 * result.time / (2 * np.pi)
        assert largest(result["thread.angle"].values, 5.0 * result.time) < 1e-9
        assert largest(result["thread.displacement"].values, lead * turns) < 1e-9
        assert largest(result["thread.speed"].values, 5.0 * lead / (2 * np.pi)) < 1e-8
        assert largest(result["motor.torque"].values, 80.0 * lead / (2 * np.pi)) < 1e-8


def test_linkage_in_space() -> None:
    """RSSR: the rocker's angle from the fixed distance of the two balls, solved position by position."""
    foot, pivot = np.zeros(3), np.array([1.0, 0.0, 0.2])
    axis = np.array([0.2, 1.0, 0.0]) / np.linalg.norm([0.2, 1.0, 0.0])
    tip_a, tip_b = np.array([0.0, 0.3, 0.0]), np.array([1.0, 0.2, 0.8])
    length = np.linalg.norm(tip_b - tip_a)

    def turned(x: np.ndarray, about: np.ndarray, angle: float) -> np.ndarray:
        return x * np.cos(angle) + np.cross(about, x) * np.sin(angle) + about * (about @ x) * (1 - np.cos(angle))

    def rocker(phi: float, near: float) -> float:
        a = foot + turned(tip_a - foot, np.array([1.0, 0, 0]), phi)

        def gap(psi: float) -> float:
            return float(np.linalg.norm(pivot + turned(tip_b - pivot, axis, psi) - a) - length)

        return brentq(gap, near - 0.15, near + 0.15, xtol=1e-14)

    m = pl.Model("RSSR")
    m.body("crank", mass=1.0, inertia=(0.1, 0.1, 0.1), position=tip_a / 2)
    m.body("coupler", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(tip_a + tip_b) / 2)
    m.body("rocker", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(pivot + tip_b) / 2)
    m.revolute("foot", m.ground, "crank", at=foot, axis="x")
    m.revolute("pivot", m.ground, "rocker", at=pivot, axis=axis)
    m.spherical("left", "crank", "coupler", at=tip_a)
    # a universal joint takes away the coupler's own spin
    direction = (tip_b - tip_a) / length
    across = np.cross(direction, [0, 0, 1])
    m.universal("right", "coupler", "rocker", at=tip_b, axis=np.cross(direction, across), axis_b=across)
    m.drive("motor", "foot", speed=1.0)
    result = pl.kinematics(m, duration=2 * np.pi, step=0.05)
    psi = 0.0
    for k, phi in enumerate(result.time):
        psi = rocker(phi, psi)
        assert result["pivot.angle"].values[k] == pytest.approx(psi, abs=1e-9)


def test_given_times_and_displacement() -> None:
    """Times as given; a displacement that follows a table; springs decide where drives do not."""
    m = pl.Model("sled")
    m.body("sled", mass=1.0, inertia=(1, 1, 1))
    m.body("trailer", mass=1.0, inertia=(1, 1, 1), position=(-1, 0, 0))
    m.prismatic("track", m.ground, "sled", axis="x")
    m.prismatic("rail", m.ground, "trailer", at=(-1, 0, 0), axis="x")
    m.spring("tow", "trailer", "sled", stiffness=100.0, free_length=1.0)
    m.spring("brake", m.ground, "trailer", at_a=(-3, 0, 0), stiffness=50.0, free_length=2.0)
    m.drive("winch", "track", displacement=pl.Table([0, 1, 3], [0, 0.6, 0.3]))
    times = [0.0, 0.5, 1.0, 1.7, 3.0]
    result = pl.kinematics(m, times=times)
    pulled = np.interp(times, [0, 1, 3], [0, 0.6, 0.3])
    assert largest(result.time, times) == 0.0
    assert largest(result["track.displacement"].values, pulled) < 1e-11
    # series of springs 100 and 50: the trailer goes two thirds of the way
    assert largest(result["trailer.position"].values[:, 0], -1 + pulled * 100 / 150) < 1e-10
    assert largest(result["winch.force"].values, pulled * 100 * 50 / 150) < 1e-8


def test_accelerations_have_their_tangential_part() -> None:
    """A lever driven by 2 t + 3 t^2, a sensor at its tip, and a link that springs hold: closed form, rates of velocities."""
    m = pl.Model("lever", gravity=(0, -9.81, 0))
    lever = m.body("lever", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.revolute("hinge", m.ground, lever, at=(0, 0, 0), axis="z")
    m.drive("drive", "hinge", angle=pl.Polynomial([0, 2, 3]))
    m.sensor("tip", lever, at=(2, 0, 0))
    link = m.body("link", mass=1, inertia=(1, 1, 1), position=(2, 0, 0))
    m.spherical("pin", lever, link, at=(1, 0, 0))
    m.spring("spring", m.ground, link, stiffness=1e3, at_a=(0, 3, 0.5), at_b=(2, 0, 0))
    m.bushing("mount", m.ground, link, at=(2, 0, 0), stiffness=[10, 10, 10, 50, 60, 70])
    run = pl.kinematics(m, duration=0.2, step=1e-3)
    t = run.time
    angle, w, alpha = 2 * t + 3 * t**2, 2 + 6 * t, 6.0
    radial, tangential = (
        np.array([np.cos(angle), np.sin(angle), 0 * t]),
        np.array([-np.sin(angle), np.cos(angle), 0 * t]),
    )
    expected = (alpha * tangential - w**2 * radial).T
    np.testing.assert_allclose(run["lever.acceleration"].values, expected, atol=1e-8)
    np.testing.assert_allclose(run["tip.acceleration"].values, 2 * expected, atol=1e-8)
    np.testing.assert_allclose(run["lever.angular_acceleration"].values[:, 2], alpha, atol=1e-8)
    for kind in ("", "angular_"):
        velocity, found = run[f"link.{kind}velocity"].values, run[f"link.{kind}acceleration"].values
        differences = (velocity[2:] - velocity[:-2]) / 2e-3
        np.testing.assert_allclose(found[1:-1], differences, atol=5e-4 * abs(differences).max())
