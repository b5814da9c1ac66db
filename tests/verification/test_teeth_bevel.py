"""Straight bevel teeth of spherical involutes: joints, normals, curvatures, thickness, conjugacy."""

import itertools
import math

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair
from pitchline.parts.gears.teeth import BevelTeeth


def bevels():
    rng = np.random.default_rng(8)
    for _ in range(60):
        z1, z2 = int(rng.integers(14, 30)), int(rng.integers(20, 60))
        m, shaft = 1e-3 * rng.uniform(1, 6), math.radians(rng.uniform(60, 100))
        delta = math.atan2(math.sin(shaft), z2 / z1 + math.cos(shaft))
        common = {"normal_module": m, "face_width": 5 * m, "normal_pressure_angle": f"{rng.uniform(17.5, 25)} deg"}
        yield Gear(teeth=z1, cone_angle=delta, **common), Gear(teeth=z2, cone_angle=shaft - delta, **common)


def test_parts_join_smoothly_and_lie_on_spheres():
    necks = 0
    for gear in itertools.chain.from_iterable(bevels()):
        teeth = BevelTeeth(gear)
        R, m = gear.mean_cone_distance, gear.normal_module
        apex = np.array([0.0, 0.0, teeth.apex])
        parts = list(teeth.section(R).values())
        for a, b in itertools.pairwise(parts):
            assert np.abs(a[-1] - b[0]).max() < 1e-12 * R
        for part in parts:
            assert np.allclose(np.linalg.norm(part - apex, axis=-1), R, rtol=1e-13)
        for flank in (teeth.left, teeth.right):
            n = [flank.fillet.normal(1.0, R), flank.involute.normal(flank.form, R)]
            if flank.neck is not None:
                necks += 1
                assert n[0] @ flank.neck.normal(0.0, R) == pytest.approx(1.0, abs=1e-12)
                assert n[1] @ flank.neck.normal(1.0, R) == pytest.approx(1.0, abs=1e-12)
            else:
                assert n[0] @ n[1] == pytest.approx(1.0, abs=1e-12)
            assert flank.involute.side * n[1][1] > 0.5
        # the thickness on the mean pitch circle is that of the gear
        pitch = teeth.left.involute.arc(abs(gear.cone_angle))
        p = teeth.left.involute.point(pitch, R)
        assert p[2] == pytest.approx(0.0, abs=1e-12 * m)
        half = 0.5 * gear.reference_diameter * math.atan2(p[1], p[0])
        assert 2.0 * half == pytest.approx(gear.transverse_tooth_thickness, rel=1e-11)
    assert necks > 5


def test_normals_and_curvatures_by_differences():
    gear = Gear(teeth=20, cone_angle="-40 deg", normal_module="3 mm", face_width="15 mm")
    teeth = BevelTeeth(gear)
    R = gear.mean_cone_distance
    for flank in (teeth.left, teeth.right):
        for surface, w in ((flank.involute, 0.5 * (flank.form + flank.tip)), (flank.fillet, 0.5)):
            h = 1e-5
            t = (surface.point(w + h, R) - surface.point(w - h, R)) / (2 * h)
            n = surface.normal(w, R)
            along = surface.point(w, R + 1e-4) - surface.point(w, R)
            assert np.linalg.norm(n) == pytest.approx(1.0)
            assert abs(n @ t) < 1e-9 * np.linalg.norm(t) and abs(n @ along) < 1e-12
            k = (surface.normal(w + h, R) - surface.normal(w - h, R)) / (2 * h) @ t / (t @ t)
            assert sum(surface.curvatures(w, R)) == pytest.approx(k, rel=1e-6)


def test_pairs_are_conjugate():
    """B turns by the play only, zero here, wherever A stands: the least azimuth gap on the sphere R_m, by zooming in."""
    seen = 0
    for a, b in itertools.islice(bevels(), 16):
        pinion, wheel = BevelTeeth(a), BevelTeeth(b)
        A, B = pinion.left.involute, wheel.left.involute
        ends_a, ends_b = (pinion.left.form, pinion.left.tip), (wheel.left.form, wheel.left.tip)
        pair = GearPair(a, b)
        between = float(A.arc(a.cone_angle) + B.arc(b.cone_angle))  # the base cones along the plane of action
        if max(ends_a[1], ends_b[1]) > between:
            continue  # tips that would reach below the base cone of the other
        seen += 1
        pose, ratio = pair.place(), pair.speed_ratio
        R, pitch_b = a.mean_cone_distance, b.angular_pitch
        for phase in np.linspace(0.0, 1.0, 9):
            angle = phase * a.angular_pitch
            best = np.inf
            for tooth in (-2, -1, 0, 1):
                turn = angle + tooth * a.angular_pitch
                low, high = ends_a
                for _ in range(24):
                    e = np.linspace(low, high, 81)
                    p = A.point(e, R)
                    P = (p[:, 0] + 1j * p[:, 1]) * np.exp(1j * turn)
                    q = (np.stack([P.real, P.imag, p[:, 2]], axis=-1) - pose.position) @ pose.rotation
                    polar = np.arctan2(np.hypot(q[:, 0], q[:, 1]), q[:, 2] - wheel.apex)
                    arc = B.arc(polar)
                    azimuth = np.arctan2(q[:, 1], q[:, 0]) - ratio * angle
                    gap = np.mod(azimuth - B.half_angle(arc) + 0.1 * pitch_b, pitch_b) - 0.1 * pitch_b
                    gap = np.where((arc < ends_b[0]) | (arc > ends_b[1]) | (polar < B.base_cone), np.inf, gap)
                    k = int(np.argmin(gap))
                    if not np.isfinite(gap[k]):
                        break
                    best = min(best, float(gap[k]))
                    width = 0.1 * (high - low)
                    low, high = max(e[k] - width, ends_a[0]), min(e[k] + width, ends_a[1])
            assert abs(best) * 0.5 * b.reference_diameter < 1e-12 * b.normal_module
    assert seen >= 5


def test_messages():
    with pytest.raises(ModelError, match="with a cone_angle"):
        BevelTeeth(Gear(teeth=20, normal_module="2 mm"))
    with pytest.raises(ModelError, match="only straight"):
        BevelTeeth(Gear(teeth=20, normal_module="2 mm", cone_angle="45 deg", helix_angle="20 deg"))
    with pytest.raises(ModelError, match="crown wheel"):
        BevelTeeth(Gear(teeth=20, normal_module="2 mm", cone_angle="90 deg"))
