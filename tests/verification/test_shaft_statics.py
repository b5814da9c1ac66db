"""Shafts and beams in statics against closed forms of beam theory (Timoshenko; Gere & Goodno, Mechanics of Materials)."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.shafts.segment import segment_stiffness

E, NU, RHO = 206e9, 0.3, 7830.0
G = E / 2 / (1 + NU)
KAPPA = 6 * (1 + NU) / (7 + 6 * NU)
SMALL = 1e-3
"""Loads [N] so small that large rotations do not show."""
TORQUE = 5.0
"""[N m]"""


def area(d: float, inner: float = 0.0) -> float:
    return math.pi / 4 * (d**2 - inner**2)


def second(d: float, inner: float = 0.0) -> float:
    return math.pi / 64 * (d**4 - inner**4)


def turned(found: pl.Result, station: str) -> float:
    """Angle of a station against the clamped start [rad]."""
    w0, *v0 = found["s start.orientation"].final
    w1, *v1 = found[f"{station}.orientation"].final
    return float(2 * np.linalg.norm(w0 * np.array(v1) - w1 * np.array(v0) - np.cross(v0, v1)))


@pytest.mark.parametrize("elements", [1, 3])
def test_cantilever_under_its_weight_and_a_force(elements: int) -> None:
    """w = F L^3/3EI + F L/kGA + q L^4/8EI + q L^2/2kGA; the clamp carries F + q L and F L + q L^2/2."""
    d, L, g = 0.03, 0.5, 1e-4
    q = RHO * area(d) * g
    m = pl.Model("cantilever", gravity=(0.0, -g, 0.0))
    s = m.shaft("s", [pl.ShaftSection(L, outer=d)], axis="x", elements=elements)
    m.fixed("clamp", m.ground, s["start"])
    m.force("F", s["end"], (0.0, -SMALL, 0.0))
    found = pl.statics(m)
    EI, kGA = E * second(d), KAPPA * G * area(d)
    w = SMALL * L**3 / 3 / EI + SMALL * L / kGA + q * L**4 / 8 / EI + q * L**2 / 2 / kGA
    assert found["s end.deflection"].final[1] == pytest.approx(-w, rel=1e-7)
    assert found["clamp.force"].final[1] == pytest.approx(SMALL + q * L, rel=1e-9)
    moment = SMALL * L + q * L**2 / 2
    assert found["s start.moment_after"].final[2] == pytest.approx(-moment, rel=1e-9)
    assert found["s start.bending_stress"].final == pytest.approx(moment * d / 2 / second(d), rel=1e-9)


def test_cone_under_a_force_and_a_torque() -> None:
    """From d1 at the free end to d2: 64 F L^3/(3 pi E d1 d2^3) in bending, 4 F L/(pi k G d1 d2) in shear, and in torsion
    32 T L (d1^2 + d1 d2 + d2^2)/(3 pi G d1^3 d2^3)."""
    d1, d2, L = 0.02, 0.04, 0.3
    m = pl.Model("cone")
    s = m.shaft("s", [pl.ShaftSection(L, outer=d2, outer_end=d1)], axis="x", elements=1)
    m.fixed("clamp", m.ground, s["start"])
    m.force("F", s["end"], (0.0, SMALL, 0.0))
    m.torque("T", s["end"], (TORQUE, 0.0, 0.0))
    found = pl.statics(m)
    w = 64 * SMALL * L**3 / (3 * math.pi * E * d1 * d2**3) + 4 * SMALL * L / (math.pi * KAPPA * G * d1 * d2)
    assert found["s end.deflection"].final[1] == pytest.approx(w, rel=1e-5)
    twist = 32 * TORQUE * L * (d1**2 + d1 * d2 + d2**2) / (3 * math.pi * G * d1**3 * d2**3)
    assert turned(found, "s end") == pytest.approx(twist, rel=1e-5)
    line = found.shaft("s")
    assert line.torque == pytest.approx(TORQUE, rel=1e-6)
    assert line.torsion_stress[-1] == pytest.approx(16 * TORQUE / math.pi / d1**3, rel=1e-6)


def test_stepped_hollow_shaft_is_a_chain_of_flexibilities() -> None:
    """Extension and twist of a stepped bar with a bore: sum of L/EA and L/GJ; weight hangs as q L^2/2EA."""
    parts = ((0.1, 0.03, 0.0), (0.2, 0.05, 0.02), (0.15, 0.04, 0.01))
    m = pl.Model("bar", gravity=(0.0, 0.0, -1e-3))
    s = m.shaft("s", [pl.ShaftSection(L, outer=d, inner=i) for L, d, i in parts], axis="-z", elements=1)
    m.fixed("clamp", m.ground, s["start"])
    m.force("F", s["end"], (0.0, 0.0, -SMALL))
    m.torque("T", s["end"], (0.0, 0.0, -TORQUE))
    found = pl.statics(m)
    weights = [RHO * area(d, i) * L * 1e-3 for L, d, i in parts]
    stretch = twist = 0.0
    for k, (L, d, i) in enumerate(parts):
        pull = SMALL + sum(weights[k + 1 :]) + weights[k] / 2
        stretch += pull * L / E / area(d, i)
        twist += TORQUE * L / G / 2 / second(d, i)
    # one element shares its weight out as an even bar would: a little less exact between steps
    assert found["s end.deflection"].final[2] == pytest.approx(-stretch, rel=2e-3)
    assert turned(found, "s end") == pytest.approx(twist, rel=1e-9)
    assert m.mass == pytest.approx(sum(weights) / 1e-3, rel=1e-12)


def influence(x: float, a: float, L: float, EI: float, kGA: float) -> float:
    """Deflection at x of a simply supported Timoshenko beam by a unit force at a."""
    if x > a:
        x, a = L - x, L - a
    b = L - a
    return b * x * (L**2 - b**2 - x**2) / (6 * EI * L) + b * x / (L * kGA)


def test_shaft_on_four_bearings() -> None:
    """Twice statically indeterminate: the force method with influence lines of the simply supported beam."""
    d, L = 0.04, 0.9
    inner, force = (0.25, 0.6), 0.4
    EI, kGA = E * second(d), KAPPA * G * area(d)
    A = np.array([[influence(x, y, L, EI, kGA) for y in inner] for x in inner])
    X = np.linalg.solve(A, [influence(x, force, L, EI, kGA) for x in inner])
    right = (force - X @ inner) / L
    expected = {"start": 1.0 - X.sum() - right, "b": X[0], "c": X[1], "end": right}
    m = pl.Model("four")
    s = m.shaft(
        "s", [pl.ShaftSection(L, outer=d)], axis="x", stations={"b": inner[0], "load": force, "c": inner[1]}, elements=1
    )
    m.spherical("start", m.ground, s["start"])
    for name in ("b", "c", "end"):
        m.point_on_line(name, m.ground, s[name])
    m.force("F", s["load"], (0.0, -SMALL, 0.0))
    found = pl.statics(m)
    for name, reaction in expected.items():
        assert found[f"{name}.force"].final[1] == pytest.approx(SMALL * reaction, rel=1e-6, abs=1e-9)
    sag = influence(force, force, L, EI, kGA) - X @ [influence(force, x, L, EI, kGA) for x in inner]
    assert found["s load.deflection"].final[1] == pytest.approx(-SMALL * sag, rel=1e-6)
    line = found.shaft("s")
    at = int(np.argmin(np.abs(line.place - force)))
    moment = expected["start"] * force + X[0] * (force - inner[0])
    assert line.bending_moment[at] == pytest.approx(SMALL * abs(moment), rel=1e-6)
    assert line.deflection[at, 1] == pytest.approx(-SMALL * sag, rel=1e-6)
    on_bearing = np.abs(line.place - inner[0]) < 1e-9
    assert on_bearing.sum() == 2 and np.max(np.abs(line.deflection[on_bearing, 1])) < 1e-9 * SMALL * sag


@pytest.mark.parametrize("plane", [None, "xy"])
def test_portal_frame(plane: str | None) -> None:
    """Two clamped columns and a beam, k = I_b h/(I_c L), members that only bend: sway F h^3 (3k + 2)/(12 E I_c (6k + 1)),
    moment of the clamps F h (3k + 1)/(2 (6k + 1))."""
    h, L, Ic, Ib = 3.0, 4.0, 2e-6, 5e-6

    def only_bends(I: float) -> pl.BeamSection:
        return pl.BeamSection.from_properties(1e3, (I, I), 1e-6, shear_areas=(1e3, 1e3))

    m = pl.Model("portal", plane=plane)
    left = m.beam("left", m.ground.frame(position=(0, 0, 0)), (0.0, h, 0.0), only_bends(Ic), elements=1)
    right = m.beam("right", m.ground.frame(position=(L, 0, 0)), (L, h, 0.0), only_bends(Ic), elements=1)
    m.beam("top", left["end"], right["end"], only_bends(Ib), elements=2)
    m.force("F", left["end"], (SMALL, 0.0, 0.0))
    found = pl.statics(m)
    k = Ib * h / (Ic * L)
    sway = SMALL * h**3 / (12 * E * Ic) * (3 * k + 2) / (6 * k + 1)
    assert found["left end.deflection"].final[0] == pytest.approx(sway, rel=1e-6)
    assert found["right end.deflection"].final[0] == pytest.approx(sway, rel=1e-6)
    foot = SMALL * h / 2 * (3 * k + 1) / (6 * k + 1)
    assert abs(found["left.start_moment"].final[2]) == pytest.approx(foot, rel=1e-6)
    assert abs(found["right.start_moment"].final[2]) == pytest.approx(foot, rel=1e-6)


@pytest.mark.parametrize("elements", [1, 4])
def test_quarter_circle(elements: int) -> None:
    """Castigliano, force at the free end of a clamped quarter circle: along the radius of the clamp pi F R^3/4EI + pi F R (1/EA +
    1/kGA)/4, out of the plane F R^3 (pi/4 (1/EI + ...)) with torsion (3 pi/4 - 2)/GJ and shear pi/2 1/kGA."""
    d, R = 0.01, 0.4
    section = pl.BeamSection.circle(d)
    EI, GJ, EA, kGA = E * second(d), 2 * G * second(d), E * area(d), KAPPA * G * area(d)
    m = pl.Model("arc")
    s = m.beam("arc", m.ground.frame(position=(R, 0, 0)), (0.0, R, 0.0), section, tangent="y", elements=elements)
    assert s.length == pytest.approx(math.pi / 2 * R, rel=1e-12)
    m.force("F", s["end"], (0.0, SMALL, SMALL))
    found = pl.statics(m)["arc end.deflection"].final
    # force along y at (0, R): lever R cos(phi) with the angle phi of the section from the x axis
    along = SMALL * math.pi / 4 * (R**3 / EI + R / EA + R / kGA)
    assert found[1] == pytest.approx(along, rel=2e-6)
    out = SMALL * (R**3 * (math.pi / 4 / EI + (3 * math.pi / 4 - 2) / GJ) + math.pi / 2 * R / kGA)
    assert found[2] == pytest.approx(out, rel=2e-6)


def test_spline_through_points_of_a_circle_is_that_circle() -> None:
    """Length and stiffness of a curve through points approach those of the arc."""
    R, section = 0.4, pl.BeamSection.circle(0.01)
    angles = np.linspace(0.0, math.pi / 2, 9)[1:-1]
    points = [(R * math.cos(a), R * math.sin(a), 0.0) for a in angles]
    m = pl.Model("spline")
    arc = m.beam("arc", (R, 0.0, 0.0), (0.0, R, 0.0), section, tangent="y", elements=8)
    free = m.beam(
        "free", (R, 0.0, 0.0), (0.0, R, 0.0), section, points=points, tangent="y", end_tangent="-x", elements=8
    )
    assert free.length == pytest.approx(arc.length, rel=1e-5)
    assert free.solid.centre_of_mass == pytest.approx(arc.solid.centre_of_mass, rel=1e-4, abs=1e-9)
    for name in ("arc", "free"):
        m.fixed(f"clamp {name}", m.ground, m.beams[name]["start"])
        m.force(f"F {name}", m.beams[name]["end"], (0.0, SMALL, 0.0))
    found = pl.statics(m)
    assert found["free end.deflection"].final == pytest.approx(found["arc end.deflection"].final, rel=1e-3, abs=1e-12)


def test_effective_diameter_behind_a_step() -> None:
    """Bending flexibility int dz/EI of a step from d to D: with a cone of 45 degrees that of the cone, 64/(6 pi E) (1/d^3 - 1/D^3),
    takes the place of the part of D as long as the cone; a hub counts as a section of its diameter."""
    d, D, hub, L = 0.03, 0.05, 0.08, 0.1
    sections = [pl.ShaftSection(L, outer=d), pl.ShaftSection(L, outer=D)]
    length = (D - d) / 2
    cone = 64 / (6 * math.pi * E) * (1 / d**3 - 1 / D**3) - length / (E * second(D))
    seat = 0.04 * (1 / second(hub) - 1 / second(D)) / E
    plain = L * (1 / second(d) + 1 / second(D)) / E
    for options, expected in (
        ({}, plain),
        ({"step_angle": "45 deg"}, plain + cone),
        ({"stations": {"hub": 0.15}, "hubs": {"hub": (hub, 0.04)}}, plain + seat),
    ):
        shaft = pl.Shaft("s", sections, **options)
        assert np.linalg.inv(segment_stiffness(shaft.line))[3, 3] == pytest.approx(expected, rel=1e-5)
        assert shaft.solid.mass == pytest.approx(RHO * L * (area(d) + area(D)), rel=1e-9)


def test_twist_tilt_and_line_of_a_beam_that_has_turned() -> None:
    """A beam on a hinge that is driven a quarter of a turn down: twist T L/(G J), its weight as tension, and no bending."""
    L, torque = 1.0, 10.0
    m = pl.Model("arm", gravity=(0, 0, -9.81))
    b = m.beam("b", (0, 0, 0), (L, 0, 0), pl.BeamSection.circle("20 mm"))
    m.drive("angle", m.revolute("hinge", m.ground, b["start"], axis="y"), angle=math.pi / 2)
    m.torque("end", b["end"], (0, 0, torque))
    rest = pl.statics(m)
    G, J = 206e9 / 2.6, math.pi * 0.02**4 / 32
    assert rest["b end.twist"].final == pytest.approx(-torque * L / (G * J), rel=1e-9)
    assert rest["b end.tilt"].final == pytest.approx((0, math.pi / 2, 0), abs=1e-6)
    line = rest.shaft("b")
    weight = 7830 * math.pi * 0.02**2 / 4 * 9.81
    assert line.axial_force == pytest.approx(weight * (L - line.place), abs=1e-6 * weight)
    assert line.torque == pytest.approx(-torque, rel=1e-9)
    assert np.max(line.bending_moment) < 1e-6 * torque and line.slope[:, 1] == pytest.approx(math.pi / 2, abs=1e-6)


def test_rotor_in_bearings_rests_wherever_its_sections_are_cut() -> None:
    """Rolling bearings hardly hold the rotation of the shaft, which is exact to the rounding of the forces only. One section or two
    are the same beam: the same deflection, and bearing forces in balance with the load."""
    L, load = 0.3, 260.0 * np.array([3.0, 0.0, -1.0]) / math.sqrt(10.0)  # across the shaft
    left = pl.AngularContactBall(
        pitch=0.046, balls=10, ball=0.0117, contact_angle=0.3, arrangement="face-to-face", distance=0.0175
    )
    right = pl.SphericalRoller(
        pitch=0.046, rollers=8, roller=0.0117, length=0.0185, contact_angle=0.336, osculation=0.975
    )
    found = []
    for share in (0.3, 0.5, 0.6):
        m = pl.Model("rotor")
        cut = [pl.ShaftSection(part * L, outer=0.03) for part in (share, 1.0 - share)]
        s = m.shaft("s", cut, axis=(1.0, 2.0, 3.0), stations={"left": 0.1 * L, "seat": 0.4 * L, "right": 0.9 * L})
        m.bearing("left", m.ground, s["left"], design=left)
        m.bearing("right", m.ground, s["right"], design=right)
        m.force("load", s["seat"], tuple(load))
        found.append(pl.statics(m))
    for rest in found:
        assert rest["left.force"].final + rest["right.force"].final == pytest.approx(-load, abs=1e-7 * 260.0)
        assert rest["s seat.deflection"].final == pytest.approx(found[0]["s seat.deflection"].final, rel=1e-6)
