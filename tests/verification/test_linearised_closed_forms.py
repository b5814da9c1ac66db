"""Small motions against closed forms."""

import math

import numpy as np
import pytest

import pitchline as pl

# --- closed forms -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spin", [0.0, 30.0, 200.0])
def test_whirl_of_a_disc(spin: float) -> None:
    """I_t phi'' - i I_p Omega phi' + k phi = 0: omega = (g +- sqrt(g^2 + 4 k/I_t))/2, g = I_p Omega/I_t."""
    m = pl.Model("disc")
    m.body("disc", mass=1.0, inertia=(0.1, 0.1, 0.2), angular_velocity=(0, 0, spin))
    m.spherical("centre", m.ground, "disc", at=(0, 0, 0))
    m.bushing("spring", m.ground, "disc", at=(0, 0, 0), stiffness=[0, 0, 0, 40.0, 40.0, 0])
    g = 0.2 * spin / 0.1
    root = math.sqrt(g * g + 4 * 40.0 / 0.1)
    modes = pl.modes(m)
    assert modes.rigid == 1
    np.testing.assert_allclose(2 * np.pi * modes.frequencies[1:], [(root - g) / 2, (root + g) / 2], rtol=1e-12)
    np.testing.assert_allclose(modes.damping_ratios, 0.0, atol=1e-12)
    if spin:  # one whirls against, the other with the rotation: phi_y = -+ i phi_x
        against, along = (modes.shapes[i, 0, 4] / modes.shapes[i, 0, 3] for i in (1, 2))
        assert against == pytest.approx(1j, abs=1e-9)
        assert along == pytest.approx(-1j, abs=1e-9)
    else:
        assert list(modes.multiplicity) == [1, 2, 2]


@pytest.mark.parametrize("spin", [3.0, 12.0])
def test_mass_on_springs_in_a_turning_frame(spin: float) -> None:
    """Isotropic springs know no direction: seen from turning axes omega_0 becomes |omega_0 +- Omega|."""
    m = pl.Model("turning")
    carrier = m.body("carrier", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, 0, spin))
    bob = m.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(0, 0, spin))
    m.drive("motor", m.revolute("hinge", m.ground, carrier, axis="z"), speed=spin)
    m.bushing("springs", carrier, bob, at=(0, 0, 0), stiffness=[100, 100, 1e6, 1e5, 1e5, 1e5])
    resting, turning = (pl.modes(m, turning_with=with_) for with_ in (None, "carrier"))
    np.testing.assert_allclose(2 * np.pi * resting.frequencies[:2], [10.0, 10.0], rtol=1e-10)
    np.testing.assert_allclose(2 * np.pi * turning.frequencies[:2], sorted((abs(10.0 - spin), 10.0 + spin)), rtol=1e-10)


def test_planet_pinned_to_a_turning_carrier() -> None:
    """A pendulum in the field Omega^2 a: a rod pinned at a, its centre of mass l further out, swings with
    omega^2 = Omega^2 m a l / (J + m l^2)."""
    spin, a, l, mass, J = 7.0, 0.4, 0.1, 2.0, 0.03
    m = pl.Model("pinned")
    carrier = m.body("carrier", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, 0, spin))
    rod = m.body(
        "rod",
        mass=mass,
        inertia=(J, J, J),
        position=(a + l, 0, 0),
        velocity=(0, spin * (a + l), 0),
        angular_velocity=(0, 0, spin),
    )
    m.drive("motor", m.revolute("hinge", m.ground, carrier, axis="z"), speed=spin)
    m.revolute("pin", carrier, rod, at=(a, 0, 0), axis="z")
    for reduce in (True, False):
        modes = pl.modes(m, turning_with="carrier", reduce=reduce)
        expected = spin * math.sqrt(mass * a * l / (J + mass * l * l))
        np.testing.assert_allclose(2 * np.pi * modes.frequencies, [expected], rtol=1e-10)


@pytest.mark.parametrize(("angle", "stable"), [(0.0, True), (math.pi, False)])
def test_pendulum(angle: float, stable: bool) -> None:
    """omega^2 = m g l/(J + m l^2) hanging; upright s = +- omega, both."""
    m = pl.Model("pendulum", gravity=(0, -9.81, 0))
    bob = m.body("bob", mass=2.0, inertia=(0.2, 0.2, 0.3), position=(0.5 * math.sin(angle), -0.5 * math.cos(angle), 0))
    m.revolute("hinge", m.ground, bob, at=(0, 0, 0), axis="z")
    modes = pl.modes(m)
    omega = math.sqrt(2.0 * 9.81 * 0.5 / (0.3 + 2.0 * 0.25))
    assert modes.stable is stable
    if stable:
        np.testing.assert_allclose(2 * np.pi * modes.frequencies, [omega], rtol=1e-10)
        assert not modes.warnings and not modes.decaying.size
    else:
        assert not len(modes)
        np.testing.assert_allclose(modes.decaying, [-omega, omega], rtol=1e-10)
        assert "the operating point is not stable: motions grow" in modes.warnings[0]


def slider(damping: float, stiffness: float = 100.0) -> pl.Model:
    m = pl.Model("slider")
    block = m.body("block", mass=1.0, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, block, axis="x")
    m.spring("spring", m.ground, block, at_a=(-1, 0, 0), at_b=(0, 0, 0), stiffness=stiffness, damping=damping)
    return m


def test_damped_and_overdamped() -> None:
    """s^2 + 2 zeta omega s + omega^2 = 0; above zeta = 1 two real roots, below a pair."""
    light = pl.modes(slider(4.0))
    assert light.damping_ratios == pytest.approx([0.2], rel=1e-12)
    assert 2 * np.pi * light.damped_frequencies == pytest.approx([10 * math.sqrt(1 - 0.04)], rel=1e-12)
    heavy = pl.modes(slider(40.0))
    assert not len(heavy) and heavy.stable
    np.testing.assert_allclose(heavy.decaying, [-20 - math.sqrt(300), -20 + math.sqrt(300)], rtol=1e-12)
    assert "without oscillation" in heavy.table()


@pytest.mark.parametrize("spin", [5.0, 15.0])
def test_internal_damping_of_a_rotor(spin: float) -> None:
    """A damper that turns along feeds the whirl above the critical speed: of z = x + i y
    s^2 + c/m (s - i Omega) + omega_0^2 = 0."""
    m = pl.Model("rotor")
    shaft = m.body("shaft", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, 0, spin))
    disc = m.body("disc", mass=2.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(0, 0, spin))
    m.drive("motor", m.revolute("hinge", m.ground, shaft, axis="z"), speed=spin)
    m.bushing(
        "springs", shaft, disc, at=(0, 0, 0), stiffness=[200, 200, 1e6, 1e5, 1e5, 1e5], damping=[4, 4, 0, 0, 0, 0]
    )
    modes = pl.modes(m)
    # of each root or its conjugate the one with Im s > 0
    roots = np.roots([1.0, 2.0, 100.0 - 2j * spin])
    roots = np.where(roots.imag < 0, roots.conj(), roots)
    np.testing.assert_allclose(modes.eigenvalues[:2], roots[np.argsort(np.abs(roots))], rtol=1e-10)
    assert modes.stable == (spin < 10.0)
    assert bool(modes.warnings) == (spin > 10.0)


@pytest.mark.parametrize("damping", [0.0, 0.3])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_free_chains(count: int, damping: float) -> None:
    """n equal discs on a shaft, free at both ends: omega_j = 2 sqrt(k/J) sin(j pi/2n), one rigid motion. Damping that goes with
    stiffness: zeta_j = omega_j d/(2 k); a free rotation stays one, however stiff the rest."""
    m = pl.Model("chain")
    J, k = 2.0, 3e6
    before = None
    for i in range(count):
        disc = m.body(f"disc_{i}", mass=1.0, inertia=(J, J, J), position=(0, 0, i), angular_velocity=(0, 0, 5.0))
        m.revolute(f"bearing_{i}", m.ground, disc, axis="z")
        if before is not None:
            shaft = m.cylindrical(f"shaft_{i}", before, disc, axis="z")
            m.torsion_spring(f"spring_{i}", shaft, stiffness=k, damping=damping)
        before = disc
    modes = pl.modes(m)
    omega = 2 * math.sqrt(k / J) * np.sin(np.arange(1, count) * math.pi / (2 * count))
    assert modes.rigid == 1 and len(modes) == count and not modes.decaying.size
    np.testing.assert_allclose(2 * np.pi * modes.frequencies[1:], omega, rtol=1e-8)
    np.testing.assert_allclose(modes.damping_ratios[1:], omega * damping / (2 * k), rtol=1e-6, atol=1e-13)
    assert modes.kinds == ("rigid body",) + ("torsional",) * (count - 1)
    assert modes.strain["spring_1"][0] == 0.0
    np.testing.assert_allclose(sum(modes.strain.values())[1:], 1.0)
    np.testing.assert_allclose(modes.kinetic.sum(axis=(1, 2)), 1.0)


def test_free_bodies_have_six_rigid_motions() -> None:
    """Two bodies on a bushing: six rigid motions, six that oscillate; at rest, with damping too."""
    m = pl.Model("free")
    m.body("a", mass=1.0, inertia=(0.1, 0.2, 0.25))
    m.body("b", mass=2.0, inertia=(0.3, 0.2, 0.25), position=(0.2, 0.1, 0))
    m.bushing(
        "link", "a", "b", at=(0.1, 0, 0.1), stiffness=[1e3, 2e3, 3e3, 10, 20, 30], damping=[1, 2, 3, 0.1, 0.2, 0.3]
    )
    modes = pl.modes(m)
    assert modes.rigid == 6 and len(modes) == 12 and not modes.decaying.size
    assert np.all(modes.damping_ratios[6:] > 0)


def test_free_body_that_spins() -> None:
    """Tilting a free spinning disc: two motions without stiffness, and the wobble at Omega I_p/I_t in resting axes."""
    m = pl.Model("free disc")
    m.body("disc", mass=1.0, inertia=(0.1, 0.1, 0.18), angular_velocity=(0, 0, 20.0))
    modes = pl.modes(m)
    assert modes.rigid == 6
    np.testing.assert_allclose(2 * np.pi * modes.frequencies[6:], [20.0 * 1.8], rtol=1e-10)


def test_rotation_that_nothing_resists() -> None:
    """A round pendulum on a ball joint, brought to rest by statics: two swings alike, and the rotation about its own axis."""
    m = pl.Model("bob", gravity=(0, 0, -9.81))
    bob = m.body("bob", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.3, 0, -0.4))
    m.spherical("joint", m.ground, bob, at=(0, 0, 0))
    modes = pl.modes(m, about=pl.statics(m))
    assert modes.rigid == 1 and not modes.decaying.size
    np.testing.assert_allclose(
        2 * np.pi * modes.frequencies[1:], math.sqrt(2 * 9.81 * 0.5 / (0.1 + 2 * 0.25)), rtol=1e-6
    )


def test_viscous_bearing_of_a_free_rotation() -> None:
    """J phi'' + c phi' = 0: s = 0 and s = -c/J, however slow against the other motions."""
    m = pl.Model("viscous")
    a, b = (m.body(name, mass=1.0, inertia=(1, 1, 1), position=(0, 0, z)) for name, z in (("a", 0), ("b", 1)))
    h, _ = m.revolute("ha", m.ground, a, axis="z"), m.revolute("hb", m.ground, b, axis="z")
    m.torsion_spring("shaft", m.cylindrical("c", a, b, axis="z"), stiffness=1e8)
    m.torsion_spring("oil", h, stiffness=0.0, damping=1e-2)
    modes = pl.modes(m)
    assert modes.rigid == 1 and len(modes) == 2
    np.testing.assert_allclose(modes.decaying, [-1e-2 / 2.0], rtol=1e-6)
