"""Small motions: the matrices against differences of the nonlinear equations, and against closed forms."""

import math
import re
from typing import Any

import numpy as np
import pytest
from references.observed_order import observed_order
from references.small_motions import errors

import pitchline as pl
from pitchline.analyses.operating_point import OperatingPoint
from pitchline.analyses.steady_motion import at_rest, steady_motion, turning_point

STEPS = (2e-4, 1e-4)
"""In radians and metres times numbers of size one: errors of central differences fall with their square."""

# --- against the nonlinear equations ------------------------------------------------------------------------------------


def rotor(spin: float = 50.0) -> pl.Model:
    """A disc on an elastic, damped support below its centre."""
    m = pl.Model("rotor")
    m.body("disc", mass=2.0, inertia=(0.1, 0.1, 0.2), angular_velocity=(0, 0, spin))
    m.bushing(
        "support",
        m.ground,
        "disc",
        at=(0, 0, -0.1),
        stiffness=[1e3, 1e3, 2e3, 50, 50, 0],
        damping=[1, 1, 2, 0.1, 0.1, 0],
    )
    return m


def wheels(mesh: Any, *, held: bool = False) -> pl.Model:
    """Two helical wheels on hinges in cases on elastic supports, under balanced torques."""
    m = pl.Model("wheels")
    a = m.gear_body(
        "a", pl.Gear(teeth=20, normal_module=0.01, face_width=0.05, helix_angle="15 deg"), position=(0, 0, 0), axis="z"
    )
    other = pl.Gear(teeth=31, normal_module=0.01, face_width=0.05, helix_angle="-15 deg")
    b = m.gear_body("b", other, mesh_with=a, towards=(1, 0.3, 0))
    for w in (a, b):
        case = m.body(f"case_{w.name}", mass=3.0, inertia=(0.1, 0.1, 0.2), position=w.position)
        m.bushing(
            f"support_{w.name}",
            m.ground,
            case,
            at=w.position,
            stiffness=[1e6, 2e6, 3e6, 1e4, 2e4, 1e4],
            damping=[10, 9, 8, 1, 1, 1],
        )
        m.revolute(f"hinge_{w.name}", case, w, at=w.position, axis="z")
    m.torque("in", "hinge_a", 20.0)
    m.torque("out", "hinge_b", 31.0)
    if held:
        m.drive("brake", "hinge_b", angle=0)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


ELASTIC, RIGID = pl.Elastic(1e6, damping=10.0, backlash=0), pl.Rigid()


def assert_second_order(found: tuple[list[float], list[float]], *, constrained: bool = True) -> None:
    for kind in found if constrained else found[:1]:
        assert kind[-1] < 1e-4
        assert observed_order(kind) == pytest.approx(2.0, abs=0.1)


def test_spinning_body_on_a_support() -> None:
    """Six coordinates: gyroscopic terms, geometric stiffness of none, an eccentric bushing."""
    assert_second_order(errors(OperatingPoint.of(rotor(), None), STEPS), constrained=False)


@pytest.mark.parametrize("mesh", [ELASTIC, RIGID], ids=["elastic", "rigid"])
@pytest.mark.parametrize("reduce", [True, False])
def test_loaded_wheels_on_flexible_supports(mesh: Any, reduce: bool) -> None:
    """At rest and turning, with the separating force, which has no potential (rigid teeth: C is not B^T)."""
    loaded = pl.statics(wheels(mesh, held=True))
    rest = at_rest(wheels(mesh), loaded, reduce=reduce)
    steps = STEPS if mesh is ELASTIC else (1.6e-3, 8e-4)  # elastic: small against the deflection of the teeth
    assert_second_order(errors(rest, steps))
    turning = turning_point(rest, 100.0 * steady_motion(rest, "hinge_a"))
    assert np.abs(turning.motion.D - rest.motion.D).max() > 1.0  # gyroscopic
    assert_second_order(errors(turning, steps))
    assert (rest.motion.L is rest.motion.N) == (mesh is ELASTIC)


@pytest.mark.parametrize("mesh", [ELASTIC, RIGID], ids=["elastic", "rigid"])
def test_with_and_without_reduced_coordinates(mesh: Any) -> None:
    loaded = pl.statics(wheels(mesh, held=True))
    a, b = (pl.modes(wheels(mesh), about=loaded, reduce=reduce) for reduce in (True, False))
    assert a.rigid == b.rigid == 1
    np.testing.assert_allclose(a.eigenvalues, b.eigenvalues, rtol=1e-8)


def portal(sag: float = 0.0) -> pl.Model:
    """A beam on three parallel links (in space 13 constraints repeat others), its weight carried by a spring."""
    m = pl.Model("portal", gravity=(0, -9.81, 0))
    m.body("beam", mass=3.0, inertia=(0.1, 0.2, 0.3), position=(0.5, 1.0, 0.0))
    for i, x in enumerate((0.0, 0.5, 1.0)):
        link = m.body(f"link_{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(x, 0.5, 0.0))
        m.revolute(f"foot_{i}", m.ground, link, at=(x, 0, 0), axis="z")
        m.revolute(f"head_{i}", link, "beam", at=(x, 1, 0), axis="z")
    m.spring("tie", m.ground, "beam", at_a=(-1, 1, 0), at_b=(0, 1, 0), stiffness=500.0, damping=2.0)
    return m


@pytest.mark.parametrize("reduce", [True, False])
def test_redundant_constraints(reduce: bool) -> None:
    """One degree of freedom, the angle of the links: (3 m_b + 3 (J + m/4)) theta'' + c theta' + (k - g (m_b + 3 m/2)) theta = 0."""
    point = OperatingPoint.of(portal(), None, reduce=reduce)
    assert point.rank.redundant.size > 0
    # the accelerations; of multipliers only the part is unique that no redundant constraint shares
    found, _ = errors(point, STEPS)
    assert found[-1] < 1e-4
    J = 3.0 * 1.0 + 3 * (0.1 + 1.0 * 0.25)
    k = 500.0 - 9.81 * (3.0 + 1.5)
    modes = pl.modes(portal(), reduce=reduce)
    assert modes.frequencies == pytest.approx([math.sqrt(k / J) / (2 * math.pi)], rel=1e-10)
    assert modes.damping_ratios == pytest.approx([2.0 / (2 * math.sqrt(k * J))], rel=1e-9)


def planetary(speed: float, *, separating: bool = False, follow: bool | None = None) -> pl.Model:
    """Sun on an elastic bearing, ring held, carrier on a hinge with three pinned planets; all in their speeds."""
    z_s, z_p, z_r = 24, 36, 96
    sun, planet, ring = (
        pl.Gear(
            teeth=z, normal_module=0.002, internal=internal, face_width=0.02, tip_alteration=-0.2 if internal else 0.0
        )
        for z, internal in ((z_s, False), (z_p, False), (z_r, True))
    )
    m = pl.Model("planetary")
    s = m.gear_body("sun", sun, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, (1 + z_r / z_s) * speed))
    m.wheel("ring", m.ground, ring, at=(0, 0, 0), axis="z")
    carrier = m.body("carrier", mass=1.0, inertia=(0.01, 0.01, 0.02), angular_velocity=(0, 0, speed))
    m.bushing("bearing", m.ground, s, at=(0, 0, 0), stiffness=[1e6, 1e6, 1e6, 1e3, 1e3, 0])
    m.revolute("hinge", m.ground, carrier, at=(0, 0, 0), axis="z")
    mesh = pl.Elastic(1e8, damping=10.0, backlash=0, separating=separating, follow_centres=follow)
    for i in range(3):
        out = np.array([math.cos(2 * math.pi * i / 3), math.sin(2 * math.pi * i / 3), 0])
        spin, v = (0, 0, (1 - z_r / z_p) * speed), np.cross([0, 0, speed], 0.06 * out)
        p = m.gear_body(f"planet_{i}", planet, mesh_with=s, towards=out, velocity=v, angular_velocity=spin)
        m.revolute(f"pin_{i}", carrier, p, axis="z")
        m.gear_pair(f"sun_{i}", s, p, mesh=mesh)
        m.gear_pair(f"ring_{i}", p, "ring", mesh=mesh)
    return m


@pytest.mark.parametrize("reduce", [True, False])
def test_planets_on_a_turning_carrier(reduce: bool) -> None:
    """Seen from axes that turn with the carrier; planets that spin against it, and centrifugal forces of their pins."""
    point = OperatingPoint.of(planetary(40.0), None, turning_with="carrier", reduce=reduce)
    assert_second_order(errors(point, (1e-4, 5e-5), np.array([0, 0, 40.0])))


def test_modes_of_a_turning_planetary() -> None:
    """At rest the two directions are alike: all modes that move the sun sideways are double. Turning parts them."""
    rest, turning = (pl.modes(planetary(speed), turning_with="carrier") for speed in (0.0, 200.0))
    assert rest.rigid == turning.rigid == 1
    assert list(rest.of_kind("rotational").shape) == [2]
    for f, kind, times in zip(rest.frequencies, rest.kinds, rest.multiplicity, strict=True):
        assert times == (2 if kind == "tilting" or (kind == "translational" and f > 400) else 1)
    assert turning.multiplicity.max() == 1
    # rotations about the axis do not see it, but for the stiffness that centrifugal forces give: (Omega/omega)^2
    np.testing.assert_allclose(turning.of_kind("rotational"), rest.of_kind("rotational"), rtol=(200.0 / 1.6e4) ** 2)


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
    np.testing.assert_allclose(2 * np.pi * modes.frequencies[1:], math.sqrt(2 * 9.81 * 0.5 / (0.1 + 2 * 0.25)), rtol=1e-6)


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


# --- operating points -----------------------------------------------------------------------------------------------------


def test_idle_teeth_have_no_separating_force() -> None:
    """|f| tan(alpha) has a kink at f = 0: its mean slope is taken, and said. Loaded, the flank that bears counts, and the stiffness
    is symmetric if the teeth follow their centres."""
    mesh = pl.Elastic(1e6, backlash=0)
    m2 = pl.Model("unloaded")
    a = m2.gear_body("a", pl.Gear(teeth=20, normal_module=0.01, face_width=0.05), position=(0, 0, 0), axis="z")
    b = m2.gear_body("b", pl.Gear(teeth=30, normal_module=0.01, face_width=0.05), mesh_with=a)
    m2.revolute("ha", m2.ground, a)
    m2.bushing("sb", m2.ground, b, at=b.position, stiffness=[1e6, 1e6, 1e6, 1e4, 1e4, 0])
    m2.gear_pair("mesh", a, b, mesh=mesh)
    point = OperatingPoint.of(m2, None)
    np.testing.assert_allclose(point.motion.K, point.motion.K.T, atol=1e-9 * np.abs(point.motion.K).max())
    assert 'gear pairs "mesh" carry no load' in point.warnings[-1]
    for follow in (True, False):
        mesh = pl.Elastic(1e6, backlash=0, follow_centres=follow)
        loaded = OperatingPoint.of(wheels(mesh), pl.statics(wheels(mesh, held=True)))
        assert not any("carry no load" in text for text in loaded.warnings)
        assert (np.abs(loaded.motion.K - loaded.motion.K.T).max() > 1e-3 * np.abs(loaded.motion.K).max()) is not follow


def test_teeth_that_feed_a_vibration_are_named() -> None:
    """A separating force that is no gradient: of the double modes of a symmetric train it makes one grow and one decay. (So does a
    torque of constant direction on a body that tilts, a little; damping of the bearing is enough for that.)"""

    def loaded(separating: bool, follow: bool) -> pl.Modes:
        m = planetary(0.0, separating=separating, follow=follow)
        m.bushing("oil", m.ground, "sun", at=(0, 0, 0), stiffness=[0] * 6, damping=[1, 1, 1, 0.01, 0.01, 0])
        m.torque("in", "sun", (0, 0, 20.0))
        m.drive("brake", "hinge", angle=0.0)
        return pl.modes(m, about=pl.statics(m))

    for calm in (loaded(False, False), loaded(True, True)):
        assert calm.stable and not any("potential" in text for text in calm.warnings)
    fed = loaded(True, False)
    assert not fed.stable and fed.damping_ratios.min() < -0.01
    assert re.search(r'separating force of gear pairs "sun_\d".*follow_centres=True', fed.warnings[-1])


def test_teeth_in_their_backlash_are_named() -> None:
    m = wheels(pl.Elastic(1e6, backlash=1e-4))
    assert any('gear pair "mesh" stands in its backlash' in text for text in pl.modes(m).warnings)


def test_mean_stiffness() -> None:
    """Springs that vary: the frequency goes with the square root of the mean, or of the value at hand."""
    m = pl.Model("varying")
    gear = pl.Gear(teeth=10, normal_module=0.2, normal_pressure_angle="29 deg")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1, 1, 1))
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1, 1, 1))
    for w in (a, b):
        m.revolute(f"h_{w.name}", m.ground, w)
    waves = pl.Fourier("360 deg", 1.0, cos=[0.3], over="angle")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(pl.Varying(waves, "mesh cycle"), along="hoop", backlash=0))
    now, mean = (2 * np.pi * pl.modes(m, mean_stiffness=mean).frequencies[-1] for mean in (False, True))
    assert now == pytest.approx(math.sqrt(2 * 1.3), rel=1e-9)
    assert mean == pytest.approx(math.sqrt(2.0), rel=1e-9)
