"""Span, dimension over balls, thicknesses and form diameters: formulas of ISO 21771 against the surfaces themselves."""

import math

import numpy as np
import pytest
from references.teeth_cases import random_gears

from pitchline.errors import ModelError
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth, ball_diameter, over_balls, span, span_diameter, span_teeth


def span_of_surfaces(teeth: Teeth, k: int) -> float:
    """The distance of two parallel planes: the point of each flank whose normal has a given direction, by Newton.

    The direction lies in the tangent plane of the base cylinder, so that any one with the right slope serves: that of
    the flank in the middle of the face. L of each flank follows from the points and normals of the surfaces alone.
    """
    gear = teeth.gear
    right, left = (
        (teeth.right.involute, teeth.left.involute)
        if not gear.internal
        else (teeth.left.involute, teeth.right.involute)
    )
    turn = (k - 1) * gear.angular_pitch if not gear.internal else k * gear.angular_pitch
    rotation = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    L0 = teeth.left.roll_length(span_diameter(gear, k))
    n = left.normal(L0, 0.0) @ rotation.T
    # the other flank: the L, ζ = 0, with the normal −n; the angle of its normal is monotonic in L
    low, high = 0.0, 6.0 * float(L0)

    def off(L: float) -> float:
        m = -right.normal(L, 0.0)
        return float(n[0] * m[1] - n[1] * m[0])

    start = off(low)
    for _ in range(90):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if off(middle) * start > 0.0 else (low, middle)
    return float(abs((rotation @ left.point(L0, 0.0) - right.point(0.5 * (low + high), 0.0)) @ n))


@pytest.mark.parametrize("internal, seed", [(False, 21), (True, 22)])
def test_span(internal, seed):
    for teeth in random_gears(80, seed, internal=internal):
        gear = teeth.gear
        k = span_teeth(gear)
        assert gear.base_diameter < span_diameter(gear) < (gear.root_diameter if internal else 1.05 * gear.tip_diameter)
        assert span_of_surfaces(teeth, k) == pytest.approx(span(gear, k), rel=1e-11)


def test_span_of_a_textbook_gear():
    """m = 1, z = 20, α = 20°, x = 0: W_3 = 7.6604, as in tables of base tangent lengths."""
    assert 1e3 * span(Gear(teeth=20, normal_module="1 mm"), 3) == pytest.approx(7.6604, abs=5e-5)


def ball_of_surfaces(teeth: Teeth, D: float) -> float:
    """M from the ball that touches the flank and whose centre lies on the middle line of the space, ζ = 0: Newton."""
    gear, flank = teeth.gear, teeth.left.involute
    half = math.pi / gear.teeth
    turn = np.array([[math.cos(half), math.sin(half), 0], [-math.sin(half), math.cos(half), 0], [0, 0, 1]])
    x = np.array([float(teeth.left.roll_length(gear.reference_diameter)), 0.0])

    def centre(x):
        return turn @ (flank.point(*x) + 0.5 * D * flank.normal(*x))

    for _ in range(30):
        F = centre(x)[1:]
        h = 1e-6 * gear.normal_module
        J = np.stack([(centre(x + h * e)[1:] - centre(x - h * e)[1:]) / (2 * h) for e in np.eye(2)], axis=1)
        x = x - np.linalg.solve(J, F)
    d_K = 2.0 * centre(x)[0]
    return d_K * (1.0 if gear.teeth % 2 == 0 else math.cos(0.5 * half)) + gear.sense * D


@pytest.mark.parametrize("internal, seed", [(False, 31), (True, 32)])
def test_dimension_over_balls(internal, seed):
    for teeth in random_gears(60, seed, internal=internal):
        gear = teeth.gear
        for D in (None, 1.05 * ball_diameter(gear)):
            expected = over_balls(gear, D)
            assert ball_of_surfaces(teeth, ball_diameter(gear) if D is None else D) == pytest.approx(
                expected, rel=1e-11
            )


def test_dimension_over_pins_of_a_textbook_gear():
    """m = 1 mm, z = 20, α = 20°, D = 1.728 mm: the textbook formula, its involute inverted by bisection."""
    gear = Gear(teeth=20, normal_module="1 mm")
    inv = math.tan(math.radians(20)) - math.radians(20) + 1.728 / (20 * math.cos(math.radians(20))) - math.pi / 40
    low, high = 0.0, 1.4
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if math.tan(middle) - middle < inv else (low, middle)
    M = 20 * math.cos(math.radians(20)) / math.cos(low) + 1.728
    assert 1e3 * over_balls(gear, "1.728 mm") == pytest.approx(M, rel=1e-13)
    with pytest.raises(ModelError, match="does not touch"):
        over_balls(gear, "0.2 mm")


@pytest.mark.parametrize("internal, seed", [(False, 41), (True, 42)])
def test_thickness_and_diameters(internal, seed):
    for teeth in random_gears(150, seed, internal=internal):
        gear = teeth.gear
        low, high = sorted((teeth.root_form_diameter, teeth.tip_form_diameter))
        d = np.linspace(low, high, 5)
        expected = [gear.tooth_thickness_at(x) for x in d]
        assert np.allclose(teeth.tooth_thickness(d), expected, rtol=0, atol=1e-13 * gear.reference_diameter)
        # by the points themselves: the arc between left and right flank
        L = teeth.left.roll_length(d)
        P, Q = teeth.left.involute.section(L, 0.0), teeth.right.involute.section(L, 0.0)
        assert np.allclose(np.abs(P), 0.5 * d, rtol=1e-14)
        assert np.allclose(0.5 * d * np.angle(P / Q), expected, rtol=0, atol=1e-13 * gear.reference_diameter)
        assert abs(teeth.left.root.section(0.5, 0.0)) == pytest.approx(0.5 * gear.root_diameter, rel=1e-13)
        if not internal and not teeth.undercut:
            assert teeth.root_form_diameter == pytest.approx(gear.root_form_diameter, rel=1e-13)
