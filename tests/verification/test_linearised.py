"""Small motions: the matrices against differences of the nonlinear equations, and operating points."""

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


# --- operating points -----------------------------------------------------------------------------------------------------


def test_idle_teeth_have_no_separating_force() -> None:
    """|f| tan(alpha) has a kink at f = 0: refused. Loaded, the flank that bears counts, and the stiffness is symmetric if the
    teeth follow their centres."""
    mesh = pl.Elastic(1e6, backlash=0)
    m2 = pl.Model("unloaded")
    a = m2.gear_body("a", pl.Gear(teeth=20, normal_module=0.01, face_width=0.05), position=(0, 0, 0), axis="z")
    b = m2.gear_body("b", pl.Gear(teeth=30, normal_module=0.01, face_width=0.05), mesh_with=a)
    m2.revolute("ha", m2.ground, a)
    m2.bushing("sb", m2.ground, b, at=b.position, stiffness=[1e6, 1e6, 1e6, 1e4, 1e4, 0])
    m2.gear_pair("mesh", a, b, mesh=mesh)
    with pytest.raises(
        pl.ModelError, match=r'gear pair "mesh": .* cannot determine which flank is loaded: it carries no load'
    ):
        OperatingPoint.of(m2, None)
    for follow in (True, False):
        mesh = pl.Elastic(1e6, backlash=0, follow_centres=follow)
        loaded = OperatingPoint.of(wheels(mesh), pl.statics(wheels(mesh, held=True)))
        assert loaded.stated.flanks["mesh"] in ("drive", "coast")
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
    assert any('gear pair "mesh" is within its backlash' in text for text in pl.modes(m, about="initial").warnings)


def test_tables_without_load_have_no_stiffness() -> None:
    """backlash=0 is no way out where it is said already."""
    m = wheels(pl.Loaded([0.0, 1e3], [[2e-6], [1e-5]], backlash=0))
    (found,) = (text for text in pl.modes(m, about="initial").warnings if "no stiffness" in text)
    assert "carries no load" in found and "backlash" not in found


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
