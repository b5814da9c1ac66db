"""The pitch geometry in the signs of Cardona, against published and closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.gear_pairs import KINDS, angles, pairs

from pitchline.gears import Gear, GearPair, PitchGeometry, tooth_rotation


def geometry(r_a: float, r_b: float, gamma: tuple[float, float], beta: tuple[float, float]) -> PitchGeometry:
    """Only what places the wheels; teeth and module do not enter."""
    return PitchGeometry(
        radius_a=r_a,
        radius_b=r_b,
        gamma_a=gamma[0],
        gamma_b=gamma[1],
        beta_a=beta[0],
        beta_b=beta[1],
        teeth_a=1,
        teeth_b=1,
        normal_module=1.0,
        pressure_angle=0.35,
    )


@pytest.mark.parametrize(
    "r_a, r_b, gamma, beta, Z, centre, shaft, offset",
    [
        # spur
        (5.0, 5.0, (0, 0), (0, 0), [1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 10, 0], 0, 10.0),
        # bevel of example 7.1, axes to the apex
        (
            5.0, 1.0, (-1.373400766945016, -0.19739555984988078), (0, 0),
            [0, -1, 0, -1, 0, 0, 0, 0, -1], [1, 5, 0], 90, 0.0,
        ),
        # crossed helical, 30 and 25 deg
        (
            0.06, 0.04, (0, 0), (0.5235987755982988, 0.4363323129985824),
            [0.573576436351046, 0, -0.8191520442889918, 0, -1, 0, -0.8191520442889918, 0, -0.5735764363510462],
            [0, 0.1, 0], 55, 0.1,
        ),
        # internal
        (0.1, 0.03, (math.pi, 0), (0, 0), [-1, 0, 0, 0, 1, 0, 0, 0, -1], [0, 0.07, 0], 180, 0.07),
        # hypoid, axes to the apex
        (
            0.11, 0.045, (-1.0821041362364843, -0.4188790204786391), (0.5759586531581288, -0.8377580409572782),
            [0.05514261898997696, -0.9910575429203448, 0.12150818158303242, -0.9700793868629698, -0.08199343429445449,
             -0.22852365285931675, 0.23644296300480327, -0.10527118956908343, -0.9659258262890683],
            [0.044597589431415514, 0.11368970454325045, 0.004737203530608755], 86.83895731007298, 0.031524559087679135,
        ),
    ],
)  # fmt: skip
def test_closed_forms(r_a, r_b, gamma, beta, Z, centre, shaft, offset) -> None:
    """Z, x_AB in the triad of A, shaft angle and offset: Cardona, equations (7) to (16), corrected."""
    g = geometry(r_a, r_b, gamma, beta)
    np.testing.assert_allclose(g.Z, np.reshape(Z, (3, 3)), atol=1e-12)
    np.testing.assert_allclose(g.centre, centre, atol=1e-12 * r_a)
    assert math.degrees(g.shaft_angle) == pytest.approx(shaft, abs=1e-9)
    assert g.axis_distance == pytest.approx(offset, abs=1e-12)


@given(angles(-90, 180), angles(-90, 90), angles(-80, 80), angles(-80, 80), angles(-40, 40))
def test_only_the_sum_of_the_helix_angles_counts(g_a: float, g_b: float, b_a: float, b_b: float, more: float) -> None:
    first = geometry(1.0, 0.4, (g_a, g_b), (b_a, b_b))
    np.testing.assert_allclose(first.Z, geometry(1.0, 0.4, (g_a, g_b), (b_a + more, b_b - more)).Z, atol=1e-15)
    np.testing.assert_allclose(first.Z @ first.Z.T, np.eye(3), atol=1e-15)
    cosine = math.cos(g_a) * math.cos(g_b) * math.cos(b_a + b_b) - math.sin(g_a) * math.sin(g_b)
    assert math.cos(first.shaft_angle) == pytest.approx(cosine, abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_map_from_the_gears(kind: str, data: st.DataObject) -> None:
    """β left-hand positive but for internal wheels, γ 0, δ or 180 deg, m_n z/2 = r cos β, and the signs of the axes."""
    pair = data.draw(pairs(kind))
    p = pair.pitch
    wheels = [(pair.a, p.radius_a, p.gamma_a, p.beta_a, p.axis_sign_a)]
    if kind != "rack and pinion":
        wheels.append((pair.b, p.radius_b, p.gamma_b, p.beta_b, p.axis_sign_b))
    for gear, radius, gamma, beta, sign in wheels:
        assert radius * math.cos(beta) == pytest.approx(p.normal_module * gear.teeth / 2, rel=1e-12)
        assert gamma == (math.pi if gear.internal else abs(gear.cone_angle))
        assert sign == (-1.0 if gear.internal or gear.cone_angle < 0 else 1.0)
        if gear.helix_angle:
            assert math.copysign(1, beta) == -gear.sense * math.copysign(1, gear.helix_angle)
    # The same triad of the teeth from both wheels.
    D = np.diag([1.0, -1.0, -1.0])
    np.testing.assert_allclose(p.Y_a, p.Z @ p.Y_b @ D, atol=1e-14)


def test_triads_of_the_gears() -> None:
    """M0 through a tooth, X0 through a space, about the axis or its reverse."""
    ring, pinion = Gear(teeth=60, normal_module=0.002, internal=True), Gear(teeth=20, normal_module=0.002)
    p = GearPair(ring, pinion).pitch
    np.testing.assert_allclose(p.triad_a, np.column_stack([(0, 0, -1), (1, 0, 0), (0, -1, 0)]), atol=1e-16)
    half = math.pi / 20
    c, s = math.cos(half), math.sin(half)
    np.testing.assert_allclose(p.triad_b, np.column_stack([(0, 0, 1), (c, s, 0), (-s, c, 0)]), atol=1e-16)
    with pytest.raises(ValueError):
        p.Z[0, 0] = 2.0


def test_tooth_rotation() -> None:
    """η1 = cos β μ1 − sin β μ3 for γ = 0; η1 = cos γ μ1 + sin γ μ2 for β = 0."""
    np.testing.assert_allclose(tooth_rotation(0.0, 0.3)[:, 0], (math.cos(0.3), 0, -math.sin(0.3)))
    np.testing.assert_allclose(tooth_rotation(0.3, 0.0)[:, 0], (math.cos(0.3), math.sin(0.3), 0))
