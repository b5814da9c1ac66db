"""Gaps of general surfaces: against the closed forms of involutes, and against dense clouds of points."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.contact.strip_gaps import relative_radii
from pitchline.contact.surface_strips import SurfacePair
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces import surface_teeth
from pitchline.parts.gears.teeth import place_teeth
from pitchline.parts.gears.teeth.rigid_contact import FlankPair

GEAR = {"normal_module": "2 mm", "face_width": "15 mm"}


def helical(z, beta="20 deg", **more):
    return pl.Gear(teeth=z, helix_angle=beta, **(GEAR | more))


@pytest.fixture(scope="module")
def involutes():
    a, b = pl.Teeth(helical(20)), pl.Teeth(helical(31, "-20 deg"))
    pose, _ = place_teeth(a, b)
    analytic = FlankPair(a, b, "left", pose)
    return analytic, SurfacePair(surface_teeth(a), surface_teeth(b), pose, "left", ratio=analytic.ratio)


def test_gaps_of_involutes_are_those_of_the_closed_form(involutes):
    analytic, pair = involutes
    u, phi = np.linspace(0.02, 0.98, 9), np.linspace(-0.2, 0.2, 5)[:, None]
    p = pair.patch_a.point(u, 0.3)
    L = np.sqrt(p[:, 0] ** 2 + p[:, 1] ** 2 - analytic.a.involute.base_radius**2)
    zeros = np.zeros((5, 9), dtype=int)
    gap, tooth, _, _ = analytic.meeting(phi + zeros, zeros, L + zeros, p[:, 2] + zeros)
    met = pair.meet(phi, 0, u, 0.3)
    faced = np.isfinite(gap)
    assert faced.any() and not faced.all()
    assert ((met["inside"] >= 0.0) == faced).all()
    np.testing.assert_allclose(met["gap"][faced], gap[faced], atol=1e-11)
    assert (met["tooth"][faced] == tooth[faced]).all()
    flank = analytic.b.involute
    np.testing.assert_allclose(met["lever_b"][faced], flank.base_radius * math.cos(flank.base_helix_angle), rtol=1e-9)
    # the distance along the normal of an involute is that along the base tangent, and the slope is that of γ
    distance, _, _, inside = pair.normal_gaps(phi, 0, u, 0.3)
    np.testing.assert_allclose(distance[inside & faced], met["normal_gap"][inside & faced], atol=1e-12)
    h = 1e-5
    numeric = (pair.meet(phi, 0, u + h, 0.3)["gap"] - pair.meet(phi, 0, u - h, 0.3)["gap"]) / (2.0 * h)
    np.testing.assert_allclose(met["slope_u"][faced], numeric[faced], atol=1e-7)


def test_least_gaps_and_curvatures_of_involutes(involutes):
    analytic, pair = involutes
    v, phi = np.linspace(0.0, 1.0, 5), np.linspace(-0.2, 0.2, 5)[:, None]
    z = (v - 0.5) * 0.015
    gap, L = analytic.strip(phi + 0 * z, np.zeros((5, 5), dtype=int), z + 0 * phi)
    found = pair.least_on_lines(phi, 0, v)
    both = np.isfinite(gap)
    assert (np.isfinite(found.gap) == both).all()
    lever = analytic.b.involute.base_radius
    assert np.abs(found.gap - gap)[both].max() * lever < 1e-9
    teeth = pair.least_of_teeth(phi, pair.teeth_a)
    assert (np.isfinite(teeth.gap).sum(axis=1) >= 2).all()
    assert np.abs(teeth.gap.min(axis=1)).max() * lever < 1e-10  # conjugate: no play, nothing before contact
    k1, k2, direction = pair.curvatures(0.0, 0, found.u[2, 2], 0.5)
    _, _, L_b, _ = analytic.meeting(np.zeros(1), np.zeros(1, dtype=int), L[2, 2:3], z[2:3])
    assert k1 == pytest.approx(1.0 / relative_radii(analytic, L[2, 2:3], L_b)[0], rel=1e-6)
    assert abs(k2) < 1e-4 * k1
    assert np.linalg.norm(direction) == pytest.approx(1.0)


def _turned(axis, angle):
    k = axis / np.linalg.norm(axis)
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K


def _cloud(pair, phi, n=81):
    """Least γ of each tooth of A: points of a dense grid of A against flank B, interpolated over r and z."""
    from scipy.interpolate import LinearNDInterpolator

    grid = np.linspace(0.0, 1.0, n)
    p = pair.patch_b.point(grid[:, None], grid).reshape(-1, 3)
    turns = isinstance(pair.b.gear, pl.Gear)

    def seen(x):
        if turns:
            return np.hypot(x[:, 0], x[:, 1]), np.arctan2(x[:, 1], x[:, 0])
        return x[:, 0], x[:, 1]

    r, angle = seen(p)
    scale = np.ptp(r), np.ptp(p[:, 2])
    flank = LinearNDInterpolator(np.stack([r / scale[0], p[:, 2] / scale[1]], axis=-1), angle)
    pitch = pair.b.gear.angular_pitch if turns else pair.b.gear.transverse_pitch
    sign = 1.0 if pair.side_b == "left" else -1.0
    least = []
    for k in pair.teeth_a:
        q = pair.a.points(pair.side, n, n, tooth=int(k)).reshape(-1, 3) @ _turned(np.array([0.0, 0.0, 1.0]), phi).T
        q = (q - pair.pose.position) @ pair.pose.rotation
        r, angle = seen(q)
        raw = angle - flank(np.stack([r / scale[0], q[:, 2] / scale[1]], axis=-1)) - pair.ratio * phi
        raw = sign * (np.angle(np.exp(1j * raw)) if turns else raw)
        raw = raw[np.isfinite(raw)]
        least.append((raw - np.floor(raw / pitch + 0.1) * pitch).min() if raw.size else np.inf)
    return np.array(least)


BEVEL = math.atan(20 / 31)
KINDS = {
    "crossed": lambda: pl.GearPair(helical(9, "45 deg"), helical(12, "45 deg"), shaft_angle="90 deg"),
    "bevel": lambda: pl.GearPair(
        pl.Gear(teeth=20, cone_angle=BEVEL, **GEAR), pl.Gear(teeth=31, cone_angle=math.pi / 2 - BEVEL, **GEAR)
    ),
    "rack": lambda: pl.GearPair(
        pl.Gear(teeth=14, helix_angle="20 deg", **GEAR), pl.Rack(teeth=7, helix_angle="-20 deg", **GEAR)
    ),
    "worm": lambda: pl.GearPair(helical(1, "85 deg", face_width="30 mm"), helical(40, "5 deg"), shaft_angle="90 deg"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_contact_is_missed_in_random_poses(kind):
    rng = np.random.default_rng(len(kind))
    gears = KINDS[kind]()
    a, b = surface_teeth(gears.a), surface_teeth(gears.b)
    for side in ("left", "right"):
        nominal = gears.place()
        pose = Placement(
            nominal.position + 50e-6 * rng.normal(size=3),
            _turned(rng.normal(size=3), 2e-3 * rng.normal()) @ nominal.rotation,
        )
        pair = SurfacePair(a, b, pose, side, ratio=gears.pitch.speed_ratio)
        phi = rng.uniform(-0.5, 0.5)
        cloud, found = _cloud(pair, phi), pair.least_of_teeth(phi, pair.teeth_a)
        lever = np.where(np.isfinite(found.gap), found.at["lever_b"], 0.0)
        faced = np.isfinite(cloud)
        assert faced.any()
        assert np.isfinite(found.gap[faced]).all()
        # linear interpolation of the cloud is wrong by less than a micrometre; its points lie beside the least gap
        apart = (cloud[faced] - found.gap[faced]) * lever[faced]
        assert apart.min() > -1e-6
        assert apart.max() < 60e-6


def test_sides_that_do_not_face_their_direction_are_refused():
    teeth = surface_teeth(helical(20))
    swapped = type(teeth)(teeth.gear, teeth.right, teeth.left)
    pose, _ = place_teeth(pl.Teeth(helical(20)), pl.Teeth(helical(31, "-20 deg")))
    with pytest.raises(pl.ModelError, match=r"the left flank of the gear with 20 teeth does not face \+y everywhere"):
        SurfacePair(swapped, teeth, pose, "left", ratio=-1.0)
