"""Microgeometry: shapes, starts, signs, sums, derivatives, single teeth, measured grids."""

import math

import numpy as np
import pytest

import pitchline.parts.gears.teeth as t
from pitchline.errors import ModelError
from pitchline.gears import Gear

GEAR = Gear(teeth=24, normal_module="2 mm", face_width="20 mm", helix_angle="15 deg")
RING = Gear(teeth=60, normal_module="2 mm", face_width="20 mm", helix_angle="15 deg", internal=True)
UM = 1e-6


def flank(*modifications, gear=GEAR, **more):
    return t.Teeth(gear, left=list(modifications), **more).left


@pytest.mark.parametrize("gear", [GEAR, RING])
def test_tip_and_root_relief(gear):
    plain = flank(gear=gear)
    form, tip = float(plain.form_roll_length(0.0)), float(plain.tip_roll_length(0.0))
    towards_tip = math.copysign(1.0, tip - form)
    for shape, half in (("linear", 0.5), ("parabolic", 0.25)):
        relieved = flank(t.TipRelief("10 um", length="2 mm", shape=shape), gear=gear)
        L = tip - towards_tip * np.array([0.0, 1e-3, 2e-3, 3e-3])
        assert np.allclose(relieved.deviation(L, 0.003), -10 * UM * np.array([1.0, half, 0.0, 0.0]), atol=1e-18)
        relieved = flank(t.RootRelief("8 um", length="1 mm", shape=shape), gear=gear)
        L = form + towards_tip * np.array([0.0, 0.5e-3, 1e-3, 3e-3])
        assert np.allclose(relieved.deviation(L, 0.003), -8 * UM * np.array([1.0, half, 0.0, 0.0]), atol=1e-18)


def test_three_ways_to_say_where_a_relief_begins():
    plain = flank()
    tip = float(plain.tip_roll_length(0.0))
    begin = tip - 2e-3
    diameter = 2.0 * math.hypot(begin, plain.involute.base_radius)
    L = np.linspace(begin - 1e-3, tip, 9)
    found = [
        flank(t.TipRelief("10 um", **{key: value})).deviation(L, 0.0)
        for key, value in (("length", 2e-3), ("roll_length", begin), ("diameter", diameter))
    ]
    assert np.allclose(found[0], found[1], atol=1e-18) and np.allclose(found[0], found[2], atol=1e-17)


def test_smooth_modifications_at_the_corners():
    plain = flank()
    form, tip = float(plain.form_roll_length(0.0)), float(plain.tip_roll_length(0.0))
    L, z = np.array([form, 0.5 * (form + tip), tip])[:, None], np.array([-0.01, 0.0, 0.01])
    one, h, w = np.ones((3, 3)), np.array([-1.0, 0.0, 1.0])[:, None], np.array([-1.0, 0.0, 1.0])
    cases = [
        (t.ProfileCrowning("4 um"), -4 * h**2 * one),
        (t.LeadCrowning("5 um"), -5 * w**2 * one),
        (t.PressureAngleSlope("6 um"), 3 * h * one),
        (t.HelixSlope("7 um"), 3.5 * w * one),
        (t.Bias("3 um"), 3 * h * w),
        (t.PitchDeviation("-2 um"), -2 * one),
        (t.EndRelief("9 um", length="4 mm"), -9 * w**2 * one),
        (t.EndRelief("9 um", length="4 mm", end="upper"), -9 * np.array([0.0, 0.0, 1.0]) * one),
        (t.EndRelief("9 um", length="4 mm", end="lower", shape="parabolic"), -9 * np.array([1.0, 0.0, 0.0]) * one),
    ]
    for item, expected in cases:
        assert np.allclose(flank(item).deviation(L, z), expected * UM, atol=1e-17), item
    # added up, in any grouping
    total = flank(cases[0][0] + cases[1][0], cases[4][0]).deviation(L, z)
    assert np.allclose(total, (cases[0][1] + cases[1][1] + cases[4][1]) * UM, atol=1e-17)


ALL = (
    t.TipRelief("10 um", length="2 mm", shape="parabolic"),
    t.RootRelief("10 um", length="1 mm"),
    t.EndRelief("9 um", length="6 mm", shape="parabolic"),
    t.ProfileCrowning("4 um"),
    t.LeadCrowning("5 um"),
    t.PressureAngleSlope("6 um"),
    t.HelixSlope("7 um"),
    t.Bias("3 um"),
    t.DeviationGrid(
        1e-6 * np.random.default_rng(0).normal(size=(6, 5)),
        roll_lengths=np.linspace(0.002, 0.014, 6),
        faces=np.linspace(-0.01, 0.01, 5),
    ),
)


@pytest.mark.parametrize("item", ALL, ids=lambda item: type(item).__name__)
def test_derivatives(item):
    """Central differences with steps of 1 µm: the third derivative of 10 µm over 1 mm cubed leaves 1e-9."""
    side = flank(item)
    rng = np.random.default_rng(4)
    L, z = rng.uniform(0.0045, 0.012, 50), rng.uniform(-0.0099, 0.0099, 50)
    h = 1e-6
    terms = side.deviation_terms(L, z)
    by_L = (side.deviation(L + h, z) - side.deviation(L - h, z)) / (2 * h)
    by_z = (side.deviation(L, z + h) - side.deviation(L, z - h)) / (2 * h)
    assert np.allclose(terms.by_length, by_L, atol=1e-8) and np.allclose(terms.by_face, by_z, atol=1e-8)


@pytest.mark.parametrize("gear", [GEAR, RING])
@pytest.mark.parametrize("side", ["left", "right"])
def test_modified_points_and_normals(gear, side):
    """p + δ n of the ideal flank, and a normal at right angles to the differences of such points."""
    items = [item for item in ALL if not isinstance(item, t.DeviationGrid)]
    teeth = t.Teeth(gear, both=items)
    part = teeth.flank(side)
    middle = 0.5 * (part.range.form + part.range.tip)
    L, z = middle + np.linspace(-1.5e-3, 1.5e-3, 5)[:, None], np.linspace(-0.008, 0.008, 4)
    ideal = part.involute
    delta = part.deviation(L, z)
    assert np.allclose(part.point(L, z), ideal.point(L, z) + delta[..., None] * ideal.normal(L, z), rtol=0, atol=1e-16)
    n, h = part.normal(L, z, 2), 1e-7
    assert np.allclose(np.linalg.norm(n, axis=-1), 1.0)
    for a, b in ((h, 0.0), (0.0, h)):
        tangent = (part.point(L + a, z + b, 2) - part.point(L - a, z - b, 2)) / (2 * h)
        assert np.abs(np.sum(tangent * n, axis=-1)).max() < 1e-8
    turned = ideal.point(L, z) @ _turn(2 * gear.angular_pitch).T
    assert np.abs(part.point(L, z, 2) - turned).max() < 3e-5
    assert np.sum(n * (ideal.normal(L, z) @ _turn(2 * gear.angular_pitch).T), axis=-1).min() > 0.999


def _turn(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def test_sides_and_single_teeth():
    teeth = t.Teeth(
        GEAR,
        both=t.LeadCrowning("4 um"),
        right=t.PressureAngleSlope("6 um"),
        per_tooth={3: t.PitchDeviation("5 um"), (3, "left"): t.PitchDeviation("1 um"), (7, "right"): t.Bias("2 um")},
    )
    assert teeth.left.deviation(0.006, 0.0) == 0.0
    assert teeth.left.deviation(0.006, 0.01) == pytest.approx(-4 * UM)
    tip = teeth.right.tip_roll_length(0.0)
    assert teeth.right.deviation(tip, 0.0) == pytest.approx(3 * UM)
    assert np.allclose(teeth.left.deviation(0.006, 0.0, [2, 3, 4, 7, 27]), [0, 6 * UM, 0, 0, 6 * UM])
    assert np.allclose(teeth.right.deviation(tip, 0.01, [2, 3, 7]), [-UM, 4 * UM, UM])
    assert not t.Teeth(GEAR).left.modified and teeth.left.modified


def test_grid_reproduces_bicubics():
    """A spline without a knot at its second points is exact for polynomials of the third degree in each direction."""
    rows, columns = np.array([0.002, 0.003, 0.0055, 0.007, 0.011]), np.array([-0.01, -0.004, 0.0, 0.007, 0.01])

    def shape(L, z):
        x, y = (L - 0.006) / 0.004, z / 0.01
        return UM * (1 + x - 2 * x**2 * y + 0.5 * x**3 - x**3 * y**3 + y**2)

    item = t.DeviationGrid(shape(rows[:, None], columns), roll_lengths=rows, faces=columns)
    L, z = np.linspace(0.002, 0.011, 23)[:, None], np.linspace(-0.01, 0.01, 17)
    assert np.allclose(flank(item).deviation(L, z), shape(L, z), rtol=0, atol=1e-13 * UM * 1e3)
    # its points, exactly; beyond its edge the edge
    assert np.allclose(flank(item).deviation(rows[:, None], columns), item.values, rtol=0, atol=1e-19)
    assert flank(item).deviation(0.02, 0.0) == pytest.approx(shape(0.011, 0.0))
    # two and three points: straight, parabola
    small = t.DeviationGrid([[0.0, 1.0, 4.0], [1.0, 2.0, 5.0]], roll_lengths=[0.0, 1.0], faces=[0.0, 1.0, 2.0])
    assert small.deviation(flank().range, 0.5, 1.5).value == pytest.approx(0.5 + 2.25)


def test_messages():
    cases = [
        ("the start is missing", lambda: t.TipRelief("10 um")),
        ("not both", lambda: t.TipRelief("10 um", length="1 mm", diameter="50 mm")),
        ("linear", lambda: t.RootRelief("10 um", length="1 mm", shape="cubic")),
        ("must not be negative", lambda: t.TipRelief("-10 um", length="1 mm")),
        ("the flank extends from", lambda: flank(t.TipRelief("10 um", length="30 mm")).deviation(0.01, 0.0)),
        ("inside the base circle", lambda: flank(t.TipRelief("10 um", diameter="30 mm")).deviation(0.01, 0.0)),
        ("longer than the face", lambda: flank(t.EndRelief("10 um", length="30 mm")).deviation(0.01, 0.0)),
        ("upper", lambda: t.EndRelief("10 um", length="3 mm", end="left")),
        ("increasing", lambda: t.DeviationGrid([[0.0]], roll_lengths=[1.0], faces=[0.0])),
        ("shape", lambda: t.DeviationGrid([[0.0, 1.0]], roll_lengths=[0.0, 1.0], faces=[0.0, 1.0])),
        ("expected a modification", lambda: t.Teeth(GEAR, left="relief")),
        ("the teeth 0 to 23", lambda: t.Teeth(GEAR, per_tooth={24: t.Bias("1 um")})),
        ("tooth number", lambda: t.Teeth(GEAR, per_tooth={"3": t.Bias("1 um")})),
        (
            "face_width",
            lambda: t.Teeth(Gear(teeth=20, normal_module=2e-3), left=t.Bias("1 um")).left.deviation(0.006, 0),
        ),
        ("no involute at the diameter", lambda: flank().roll_length(0.02)),
    ]
    for text, call in cases:
        with pytest.raises(ModelError, match=text):
            call()
