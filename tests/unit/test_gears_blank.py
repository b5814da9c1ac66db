"""Mass and inertia of blanks against their closed forms and against each other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.gears import Gear, Rack
from pitchline.parts.gears.teeth import BevelTeeth, Teeth, outline


def section(points: np.ndarray, teeth: int = 1) -> tuple[float, float]:
    """Area and polar second moment inside one pitch of an outline (n, 2) and its radii, times the number of teeth."""
    a, b = points[:-1], points[1:]
    turned = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    polar = turned * ((a * a).sum(axis=1) + (a * b).sum(axis=1) + (b * b).sum(axis=1))
    return 0.5 * teeth * float(turned.sum()), teeth * float(polar.sum()) / 12.0


def test_cylinder() -> None:
    """m = ρ (A − πr²) b, I_zz = ρ (J − πr⁴/2) b, I_xx = I_zz/2 + m b²/12, with A and J of a fine polygon of the teeth."""
    g = Gear(teeth=40, normal_module="2 mm", face_width="20 mm", bore="30 mm", density=7800)
    r, b = 0.015, 0.02
    area, polar = section(outline(Teeth(g), points=2000))
    m, axial = 7800 * (area - math.pi * r**2) * b, 7800 * (polar - math.pi * r**4 / 2) * b
    blank = g.blank
    assert blank.mass == pytest.approx(m, rel=1e-7)
    assert blank.inertia[2] == pytest.approx(axial, rel=1e-7)
    assert blank.inertia[0] == blank.inertia[1] == pytest.approx(axial / 2 + m * b**2 / 12, rel=1e-7)
    assert blank.centre_of_mass == (0.0, 0.0, pytest.approx(0.0, abs=1e-18))


def test_internal_ring() -> None:
    ring = Gear(teeth=40, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="110 mm", density=1000)
    area, polar = section(outline(Teeth(ring), points=2000))
    assert ring.blank.mass == pytest.approx(1000 * (math.pi * 0.055**2 - area) * 0.02, rel=1e-7)
    assert ring.blank.inertia[2] == pytest.approx(1000 * (math.pi * 0.055**4 / 2 - polar) * 0.02, rel=1e-7)
    with pytest.raises(ModelError, match=r"Specify rim_diameter"):
        _ = ring.with_(rim_diameter=None).blank


@settings(max_examples=15)
@given(st.floats(0.01, 80), st.floats(0.0, 0.015), st.sampled_from((-1, 1)))
def test_bevel_gear(degrees: float, bore: float, sign: int) -> None:
    """By sectors from the axis to the outline of the teeth on the unit sphere, less the root cone; and discs of the body below.

    Heights are from the middle of the face on the axis, at the mean cone distance, so that the sums of flat cones lose no figures.
    """
    b = 0.006
    g = Gear(
        teeth=20, normal_module=0.002, cone_angle=sign * math.radians(degrees), face_width=b, bore=bore, density=1.0
    )
    teeth, mean, r = BevelTeeth(g), g.mean_cone_distance, 0.5 * bore
    root, outer = teeth.root_cone, mean + b / 2
    pieces = teeth.section(mean, points=1000).values()
    p = np.concatenate([piece[:-1, :2] for piece in pieces] + [list(pieces)[-1][-1:, :2]])
    polar = np.arcsin(np.minimum(np.hypot(*p.T) / mean, 1.0))
    turn = np.diff(np.unwrap(np.arctan2(p[:, 1], p[:, 0])))
    x, w = np.polynomial.legendre.leggauss(20)
    x, w = 0.5 + 0.5 * x, 0.5 * w
    ends = 0.5 * (polar[1:] + polar[:-1])[:, None]
    angles, weights = root + (ends - root) * x, (ends - root) * w * turn[:, None] * g.teeth
    s, t = np.sin(angles.ravel()), b * (x - 0.5)
    R, area = mean + t, weights.ravel() * s
    z = t[:, None] - R[:, None] * 2.0 * np.sin(0.5 * angles.ravel()) ** 2
    dm = area * (R**2 * w * b)[:, None]
    sums = np.array([dm.sum(), (dm * z).sum(), (dm * z**2).sum(), (dm * (R[:, None] * s) ** 2).sum()])

    def height(R: float, angle: float) -> float:
        return R - mean - R * 2.0 * math.sin(0.5 * angle) ** 2

    edges = height(mean - b / 2, root), height(outer, root), height(outer, teeth.back_cone)
    for low, high, radius in (
        (*edges[:2], lambda z: outer * math.sin(root) + (z - edges[1]) * math.tan(root)),
        (*edges[1:], lambda z: np.sqrt((b / 2 - z) * (2.0 * outer - (b / 2 - z)))),
    ):
        z = low + (high - low) * (np.arange(4000) + 0.5) / 4000
        square = radius(z) ** 2
        dm = math.pi * np.maximum(square - r**2, 0.0) * (high - low) / 4000
        sums += dm.sum(), dm @ z, dm @ z**2, dm @ (square + r**2) / 2
    mass, first, second, axial = sums
    found = g.blank
    assert found.mass == pytest.approx(mass, rel=1e-5)
    assert found.inertia[2] == pytest.approx(axial, rel=1e-5)
    centre = first / mass + 2.0 * mean * math.sin(math.radians(degrees) / 2) ** 2
    assert found.centre_of_mass[2] == pytest.approx(sign * centre, abs=1e-7)
    assert found.inertia[0] == pytest.approx(axial / 2 + second - first**2 / mass, rel=1e-5)


@pytest.mark.parametrize("cone", [1e-9, -1e-7, 1e-6])
def test_flat_cone_becomes_a_cylinder(cone: float) -> None:
    """Whose teeth have circles as fillets; the apex is up to 20,000 km away."""
    gear = Gear(teeth=20, normal_module=0.002, cone_angle=cone, face_width=0.01)
    pieces = list(BevelTeeth(gear).section(gear.mean_cone_distance, points=1000).values())
    one = np.concatenate([piece[:-1, :2] for piece in pieces] + [pieces[-1][-1:, :2]])
    area, polar = section(one, gear.teeth)
    m, axial = gear.density * area * 0.01, gear.density * polar * 0.01
    flat, disc = gear.blank, gear.with_(cone_angle=0).blank
    assert flat.mass == pytest.approx(m, rel=5e-6)
    assert flat.inertia[2] == pytest.approx(axial, rel=1e-5)
    assert flat.inertia[0] == flat.inertia[1] == pytest.approx(axial / 2 + m * 0.01**2 / 12, rel=1e-5)
    assert flat.centre_of_mass[2] == pytest.approx(0.0, abs=1e-2 * abs(cone))
    assert flat.mass == pytest.approx(disc.mass, rel=0.01)
    with pytest.raises(ModelError, match=r"crown wheel is flat"):
        _ = gear.with_(cone_angle="90 deg").blank
    with pytest.raises(ModelError, match=r"cone angle of 1e-10 rad is too far away .* Specify cone_angle=0"):
        _ = gear.with_(cone_angle=1e-10).blank


def test_rack() -> None:
    """A bar below the roots, and teeth of straight flanks and fillets; of an even number the middle lies half a pitch along y.

    Fillets of the radius ρ on flanks at the angle α touch the root line at ρ tan(π/4 − α/2) from the corner. With this
    length t, the corner is  ρ t − ρ² (π/2 − α)/2  of area.
    """
    rack = Rack(teeth=10, normal_module=0.002, face_width=0.02, depth=0.03, density=1000)
    L, alpha, rho = 10 * math.pi * 0.002, math.radians(20.0), rack.root_radius
    assert rack.length == pytest.approx(L)
    high, low = rack.addendum, rack.dedendum
    trapezoid = (high + low) * (math.pi * 0.001 + (low - high) * math.tan(alpha))
    corner = rho**2 * (math.tan(math.pi / 4 - alpha / 2) - (math.pi / 2 - alpha) / 2)
    bar, tooth = 1000 * 0.02 * L * (0.03 - low), 1000 * 0.02 * (trapezoid + 2 * corner)
    m = bar + 10 * tooth
    assert rho > 0.0 and rack.blank.mass == pytest.approx(m, rel=1e-12)

    # moments by strips across the height
    x = -low + (high + low) * (np.arange(20000) + 0.5) / 20000
    half = math.pi * 0.0005 - x * math.tan(alpha)
    y = rho - low - x  # above: of the centres of the fillets
    aside = math.pi * 0.0005 - (rho - low) * math.tan(alpha) + rho / math.cos(alpha)
    half = np.where(y > rho * math.sin(alpha), aside - np.sqrt(np.maximum(rho**2 - y**2, 0.0)), half)
    dm = 1000 * 0.02 * 2 * half * (high + low) / 20000
    middle = -(0.03 + low) / 2
    centre = (bar * middle + 10 * float(dm @ x)) / m
    assert rack.blank.centre_of_mass == pytest.approx((centre, math.pi * 0.001, 0.0), rel=1e-6)
    places = math.pi * 0.002 * (np.arange(10) - 4.5)
    along = bar * L**2 / 12 + tooth * float(places @ places) + 10 * float(dm @ half**2) / 3
    assert rack.blank.inertia[0] == pytest.approx(along + m * 0.02**2 / 12, rel=1e-6)
    across = bar * (middle**2 + (0.03 - low) ** 2 / 12) + 10 * float(dm @ x**2) - m * centre**2
    assert rack.blank.inertia[1] == pytest.approx(across + m * 0.02**2 / 12, rel=1e-6)
    assert Rack(teeth=9, normal_module=0.002, face_width=0.02, depth=0.03).blank.centre_of_mass[1] == 0.0
    with pytest.raises(ModelError, match=r"Specify depth"):
        _ = Rack(teeth=10, normal_module=0.002, face_width=0.02).blank
    with pytest.raises(ModelError, match=r"mass requires the face width"):
        _ = Rack(teeth=10, normal_module=0.002).blank
    with pytest.raises(ModelError, match=r"rack: the tooth thickness is not positive"):
        Rack(teeth=10, normal_module=0.002, backlash_allowance="4 mm")
    with pytest.raises(ModelError, match=r"rack: helix_angle"):
        Rack(teeth=10, normal_module=0.002, helix_angle="95 deg")
