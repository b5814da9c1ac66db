"""Teeth as spline surfaces: points, normals and derivatives against the analytic flanks."""

import pickle

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.parts.gears.surfaces import FlankPatch, surface_teeth
from pitchline.parts.gears.surfaces.fitting import fit_patch
from pitchline.parts.gears.teeth import BevelTeeth, Teeth

GEARS = {
    "spur": pl.Gear(teeth=18, normal_module="2 mm", face_width="10 mm"),
    "helical": pl.Gear(teeth=25, normal_module="3 mm", face_width="30 mm", helix_angle="20 deg"),
    "internal": pl.Gear(
        teeth=60, normal_module="2 mm", face_width="20 mm", helix_angle="-10 deg", internal=True, rim_diameter="150 mm"
    ),
    "beveloid": pl.Gear(teeth=30, normal_module="3 mm", face_width="20 mm", profile_shift_angle="8 deg"),
    "modified": pl.Gear(
        teeth=25,
        normal_module="3 mm",
        face_width="30 mm",
        helix_angle="20 deg",
        modifications=[
            pl.TipRelief("30 um", length="4 mm"),
            pl.LeadCrowning("10 um"),
            pl.EndRelief("10 um", length="3.3 mm"),
        ],
    ),
    "worm": pl.Gear(starts=1, normal_module="2 mm", lead_angle="5 deg", face_width="12 mm"),
}
U, V = np.linspace(0.0, 1.0, 31)[:, None], np.linspace(0.0, 1.0, 23)


def place_on(flank, p):
    """L and ζ of the unmodified involute whose normal goes through points of a modified flank."""
    involute, beta = flank.involute, flank.involute.base_helix_angle
    zeta = p[..., 2]
    length = involute.roll_length(np.hypot(p[..., 0], p[..., 1]))
    full, z = length, zeta
    if flank.modified:
        for _ in range(12):
            delta = flank.deviation(length, zeta)
            length = full - involute.sense * delta * np.cos(beta)
            zeta = z + involute.side * delta * np.sin(beta)
    return length, zeta


@pytest.mark.parametrize("name", GEARS)
def test_points_and_normals_of_involutes_are_those_of_the_analytic_flanks(name):
    gear = GEARS[name]
    teeth, surfaces = Teeth(gear), surface_teeth(gear)
    assert surfaces.error < 1e-9
    for side in ("left", "right"):
        flank, patch = teeth.flank(side), surfaces.flank(side)
        p = patch.point(U, V)
        length, zeta = place_on(flank, p)
        assert np.linalg.norm(p - flank.point(length, zeta), axis=-1).max() < 1e-9
        assert np.linalg.norm(patch.normal(U, V) - flank.normal(length, zeta), axis=-1).max() < 1e-8
        # from root to tip, along +z
        assert gear.sense * (length[-1] - length[0]).min() > 0.0 and (zeta[:, -1] > zeta[:, 0]).all()


@pytest.mark.parametrize("name", ["helical", "internal", "beveloid"])
def test_principal_curvatures_are_those_of_the_involute(name):
    teeth, surfaces = Teeth(GEARS[name]), surface_teeth(GEARS[name])
    flank, patch = teeth.left, surfaces.left
    length, zeta = place_on(flank, patch.point(U, V))
    for found, expected in zip(patch.curvatures(U, V), flank.involute.curvatures(length, zeta), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=2e-3)


def test_derivatives_are_those_of_the_points():
    patch = surface_teeth(GEARS["helical"]).left
    u, v, h = np.array([0.13, 0.5, 0.92]), np.array([0.31, 0.77, 0.08]), 1e-4
    terms = patch.terms(u, v)

    def difference(f, du, dv):
        # fourth order
        return (
            8.0 * (f(u + du, v + dv) - f(u - du, v - dv)) - f(u + 2 * du, v + 2 * dv) + f(u - 2 * du, v - 2 * dv)
        ) / (12.0 * h)

    first = [lambda a, b, k=k: patch.tangents(a, b)[k] for k in (0, 1)]
    np.testing.assert_allclose(terms[:, 1], difference(patch.point, h, 0.0), atol=1e-12)
    np.testing.assert_allclose(terms[:, 2], difference(patch.point, 0.0, h), atol=1e-12)
    np.testing.assert_allclose(terms[:, 3], difference(first[0], h, 0.0), atol=1e-10)
    np.testing.assert_allclose(terms[:, 4], difference(first[0], 0.0, h), atol=1e-10)
    np.testing.assert_allclose(terms[:, 4], difference(first[1], h, 0.0), atol=1e-10)
    np.testing.assert_allclose(terms[:, 5], difference(first[1], 0.0, h), atol=1e-10)


@pytest.mark.parametrize("cone", ["30 deg", "-60 deg"])
def test_straight_bevel_teeth(cone):
    gear = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle=cone)
    teeth, surfaces = BevelTeeth(gear), surface_teeth(gear)
    R = np.linspace(*teeth.cone_distances, 9)
    for side in ("left", "right"):
        flank, patch = getattr(teeth, side), surfaces.flank(side)
        arcs = np.linspace(max(flank.form, 0.03 * flank.tip), flank.tip, 20)[:, None]
        found = patch.project(flank.involute.point(arcs, R))
        assert found.away.max() < 1e-9
        np.testing.assert_allclose(
            patch.normal(found.u, found.v), flank.involute.normal(arcs, R + 0.0 * arcs), atol=1e-8
        )
        np.testing.assert_allclose(found.v[5], (R - R[0]) / (R[-1] - R[0]), atol=1e-9)
        assert (np.diff(found.u, axis=0) > 0.0).all()


def test_rack_flanks_are_planes_with_the_pressure_angle():
    rack = pl.Rack(teeth=10, normal_module="2 mm", face_width="20 mm", helix_angle="15 deg")
    teeth = surface_teeth(rack)
    alpha = rack.normal_pressure_angle
    for side, sign in (("left", 1.0), ("right", -1.0)):
        normal = teeth.flank(side).normal(U, V)
        np.testing.assert_allclose(normal[..., 0], np.sin(alpha))
        np.testing.assert_allclose(sign * normal[..., 1], np.cos(alpha) * np.cos(rack.helix_angle))
    on_reference = teeth.left.project([0.0, 0.25 * rack.transverse_pitch, 0.0])
    assert on_reference.away < 1e-15
    shift = teeth.points("left", 2, 2, tooth=3) - teeth.points("left", 2, 2)
    np.testing.assert_allclose(shift, np.broadcast_to([0.0, 3.0 * rack.transverse_pitch, 0.0], (2, 2, 3)), atol=1e-15)


def test_single_teeth_have_their_own_patches():
    gear = GEARS["spur"].with_(modifications={"per_tooth": {(3, "left"): pl.PitchDeviation("7 um")}})
    teeth, flank = surface_teeth(gear), Teeth(gear).left
    usual, own = teeth.flank("left"), teeth.flank("left", 3)
    assert teeth.flank("left", 21) is own and teeth.flank("right", 3) is teeth.right
    np.testing.assert_allclose(usual.project(own.point(0.4, 0.5)).height, 7e-6, atol=1e-10)
    L = flank.range.middle
    there = flank.point(L, 0.0, 3)
    assert np.abs(teeth.points("left", 301, 3, tooth=3)[:, 1] - there).max(axis=-1).min() < 2e-5


def test_projection_finds_places_inside_and_beyond_the_edges():
    patch = surface_teeth(GEARS["helical"]).right
    random = np.random.default_rng(3)
    u, v, h = random.uniform(0.0, 1.0, 200), random.uniform(0.0, 1.0, 200), random.uniform(-3e-4, 3e-4, 200)
    found = patch.project(patch.point(u, v) + h[:, None] * patch.normal(u, v))
    np.testing.assert_allclose(found.u, u, atol=1e-9)
    np.testing.assert_allclose(found.v, v, atol=1e-9)
    np.testing.assert_allclose(found.height, h, atol=1e-12)
    outside = patch.point(1.0, 0.4) + 1e-4 * patch.tangents(1.0, 0.4)[0]
    assert patch.project(outside).u == 1.0
    assert patch.project(outside, beyond=0.1).u > 1.0


def test_a_moved_patch_moves_with_its_normals_and_keeps_its_curvatures():
    patch = surface_teeth(GEARS["helical"]).left
    c, s = np.cos(0.7), np.sin(0.7)
    R, x = (
        np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]]),
        [1, 2, 3],
    )
    moved = patch.moved(R, x)
    np.testing.assert_allclose(moved.point(U, V), patch.point(U, V) @ R.T + x, atol=1e-14)
    np.testing.assert_allclose(moved.normal(U, V), patch.normal(U, V) @ R.T, atol=1e-11)
    np.testing.assert_allclose(moved.curvatures(U, V), patch.curvatures(U, V), rtol=1e-5, atol=1e-3)
    mirror = surface_teeth(GEARS["spur"])
    np.testing.assert_allclose(mirror.left.mirrored().normal(U, V), mirror.right.normal(U, V), atol=1e-12)


def test_patches_are_compared_by_content_and_can_be_pickled():
    patch = surface_teeth(GEARS["spur"]).left
    again = pickle.loads(pickle.dumps(patch))
    assert again == patch and hash(again) == hash(patch) and again != patch.mirrored()
    np.testing.assert_array_equal(again.point(U, V), patch.point(U, V))


def test_order_of_the_spline_is_six():
    errors = []
    for cells in (4, 8):

        def surface(u, v):
            return np.stack(
                np.broadcast_arrays(np.sin(3.0 * u) + 0.0 * v, np.cos(2.0 * u) * np.cosh(v), v + 0.0 * u), -1
            )

        patch = fit_patch(surface, facing=1.0, start=(cells, 8), tolerance=1.0)
        errors.append(np.abs(patch.point(U, V) - surface(U, V)).max())
    assert 5.0 < np.log2(errors[0] / errors[1]) < 8.0


def test_spiral_bevel_gears_and_other_objects_are_refused():
    spiral = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="30 deg", helix_angle="35 deg")
    with pytest.raises(ModelError, match=r"spiral bevel gear \(spiral angle 35 deg\).*Teeth.from_points"):
        surface_teeth(spiral)
    with pytest.raises(ModelError, match="expected a Gear, a Rack or teeth, got 3"):
        surface_teeth(3)
    with pytest.raises(ModelError, match="face width"):
        surface_teeth(pl.Gear(teeth=20, normal_module="3 mm"))
    with pytest.raises(ModelError, match='side must be "left" or "right"'):
        surface_teeth(GEARS["spur"]).flank("top")


def test_a_plane_needs_two_by_two_control_points():
    corners = [[[0, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 0, 1]]]
    patch = FlankPatch(corners, [0, 0, 1, 1], [0, 0, 1, 1], facing=-1.0)
    np.testing.assert_array_equal(patch.normal(0.3, 0.6), [0.0, 1.0, 0.0])
    assert patch.second(0.3, 0.6)[1].tolist() == [0.0, 0.0, 0.0]
    assert patch.degrees == (1, 1)
