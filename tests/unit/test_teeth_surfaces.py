"""Surfaces of teeth: closed-form derivatives, normals and curvatures against finite differences of the points."""

import math

import numpy as np
import pytest

from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth

HELICAL = {"normal_module": "2 mm", "face_width": "20 mm", "helix_angle": "17 deg"}
TEETH = {
    "helical": Teeth(Gear(teeth=24, **HELICAL)),
    "internal": Teeth(Gear(teeth=60, internal=True, **HELICAL)),
    "conical": Teeth(Gear(teeth=24, **HELICAL), profile_shift_angle="6 deg", protuberance="0.04 mm"),
}


def surfaces(teeth):
    for flank in (teeth.left, teeth.right):
        middle = 0.5 * float(flank.form_roll_length(0.0) + flank.tip_roll_length(0.0))
        yield flank.involute, middle, 1e-5
        yield flank.fillet, 0.55, 1e-3
        yield flank.root, 0.5, 1e-3
    if teeth is TEETH["conical"]:
        yield teeth.left.fillet, 1.5, 1e-3  # on the protuberance flank
    yield teeth.tip, 0.2, 1e-3


@pytest.mark.parametrize("name", TEETH)
def test_derivatives(name):
    """Five-point differences; the error of their second derivatives is about 1e-16/h² of the size."""
    for surface, u, h in surfaces(TEETH[name]):
        z, k = 0.003, 2e-4
        d = surface.derivatives(u, z)
        weights1, weights2 = np.array([1, -8, 0, 8, -1]) / 12, np.array([-1, 16, -30, 16, -1]) / 12
        steps = np.arange(-2, 3)
        by_u = surface.section(u + h * steps, z)
        by_z = surface.section(u, z + k * steps)
        both = surface.section((u + h * steps)[:, None], z + k * steps)
        size = abs(d.P)
        assert abs(weights1 @ by_u / h - d.u) < 1e-9 * size / h
        assert abs(weights1 @ by_z / k - d.z) < 1e-9 * size / k
        assert abs(weights2 @ by_u / h**2 - d.uu) < 1e-11 * size / h**2
        assert abs(weights2 @ by_z / k**2 - d.zz) < 1e-11 * size / k**2
        assert abs(weights1 @ both @ weights1 / (h * k) - d.uz) < 1e-11 * size / (h * k)


@pytest.mark.parametrize("name", TEETH)
def test_normals_point_out_of_the_material(name):
    """Unit length, at right angles to the tangents; towards the space at half the depth, to the axis or away from it."""
    teeth = TEETH[name]
    sense = teeth.gear.sense
    for surface, u, _ in surfaces(teeth):
        n, p = surface.normal(u, 0.002), surface.point(u, 0.002)
        assert np.linalg.norm(n) == pytest.approx(1.0, rel=1e-15)
        for t in surface.tangents(u, 0.002):
            assert abs(n @ t) < 1e-13 * np.linalg.norm(t)
        if surface in (teeth.left.involute, teeth.right.involute):
            assert surface.side * n[1] > 0.5
        elif surface is teeth.tip or surface in (teeth.left.root, teeth.right.root):
            assert sense * (n[:2] @ p[:2]) > 0.8 * np.hypot(*p[:2])


@pytest.mark.parametrize("name", TEETH)
def test_curvatures(name):
    """The shape operator from differences of the normals; dn = k dp along principal directions."""
    for surface, u, h in surfaces(TEETH[name]):
        z, k = 0.001, 1e-4
        p_u, p_z = surface.tangents(u, z)
        n_u = (surface.normal(u + h, z) - surface.normal(u - h, z)) / (2 * h)
        n_z = (surface.normal(u, z + k) - surface.normal(u, z - k)) / (2 * k)
        J = np.stack([p_u, p_z], axis=1)
        W = np.linalg.lstsq(J, np.stack([n_u, n_z], axis=1), rcond=None)[0]
        expected = np.sort(np.linalg.eigvals(W).real)[::-1]
        found = surface.curvatures(u, z)
        assert np.allclose(found, expected, rtol=2e-4, atol=1e-4 * np.abs(expected).max())


def test_involute_curvature_is_that_of_the_helicoid():
    """σ cos β_b / L and 0, by the fundamental forms as well."""
    for teeth, sign in ((TEETH["helical"], 1.0), (TEETH["internal"], -1.0)):
        flank = teeth.left.involute
        L = np.linspace(0.004, 0.012, 5)
        expected = sign * math.cos(teeth.gear.base_helix_angle) / L
        from_forms = super(type(flank), flank).curvatures(L, 0.001)
        for found in (flank.curvatures(L, 0.001), from_forms):
            assert np.allclose(found[0] + found[1], expected, rtol=1e-11)
            assert np.allclose(found[0] * found[1], 0.0, atol=1e-8 * expected[0] ** 2)


def test_root_radius_of_curvature_at_the_bottom():
    """Where the rounded tip touches the root: ρ + X²/(r + X), the generated radius on its deepest point, spur.

    (X: depth of the centre of the rounding below the rolling line, by Euler and Savary.)
    """
    gear = Gear(teeth=24, normal_module="2 mm", face_width="10 mm", root_radius_factor=0.3)
    teeth = Teeth(gear)
    r, X = 0.5 * gear.reference_diameter, teeth.rack.depth - teeth.rack.radius
    radius = teeth.rack.radius + X**2 / (r + X)
    k = teeth.left.fillet.curvatures(1e-9, 0.0)
    assert min(k) == pytest.approx(-1.0 / radius, rel=1e-6)


def test_arrays_of_any_shape():
    flank = TEETH["helical"].left
    L, z = np.linspace(0.004, 0.01, 7)[:, None], np.linspace(-0.01, 0.01, 5)
    assert flank.involute.point(L, z).shape == (7, 5, 3)
    assert flank.involute.normal(L, z).shape == (7, 5, 3)
    assert flank.involute.curvatures(L, z)[0].shape == (7, 5)
    assert flank.point(L, z, 3).shape == (7, 5, 3)
    assert np.allclose(flank.involute.point(L, z)[3, 2], flank.involute.point(L[3, 0], z[2]), rtol=0.0, atol=1e-17)
    assert flank.fillet.forms(0.5, z).E.shape == (5,)
