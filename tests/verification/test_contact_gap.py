"""The compiled gap is that of the rigid contact of the same teeth."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.contact.strip_gaps import strip_gaps
from pitchline.contact.strips import gaps, position_of
from pitchline.contact.surface_strips import flank_shape
from pitchline.parts.gears.teeth import place_teeth
from pitchline.parts.gears.teeth.rigid_contact import FlankPair

CHANGES = [pl.TipRelief("18 um", length="1.8 mm", shape="parabolic"), pl.LeadCrowning("8 um")]


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "second, helix, internal", [(37, 0.0, False), (37, 20.0, False), (60, 0.0, True), (60, 15.0, True)]
)
def test_gap_of_rigid_flanks(second: int, helix: float, internal: bool, side: str) -> None:
    beta = math.radians(helix)
    pinion = pl.Gear(teeth=18, normal_module="2 mm", face_width="10 mm", helix_angle=beta)
    wheel = pinion.with_(teeth=second, helix_angle=beta if internal else -beta, internal=internal)
    a, b = pl.Teeth(pinion, both=CHANGES), pl.Teeth(wheel, both=CHANGES, per_tooth={3: pl.PitchDeviation("5 um")})
    pose, _ = place_teeth(a, b)
    pair = FlankPair(a, b, side, pose)
    A, B = flank_shape(pair.a), flank_shape(pair.b)
    rng = np.random.default_rng(1)
    L, z = rng.uniform(*A.limits[0], 60), rng.uniform(-4.9e-3, 4.9e-3, 60)
    met = 0
    for angle in (-0.2, 0.0, 0.13):
        for tooth in (-1, 0, 1):
            gap, opposite = np.empty(60), np.empty(60, dtype=np.int64)
            gaps(A.record, B.record, position_of(pose, angle, pair.ratio * angle), tooth, L, z, gap, opposite)
            g, tooth_b = pair.gap(np.full(60, angle), np.full(60, tooth), L, z)
            found = np.isfinite(g)
            met += int(found.sum())
            expected = g[found] * B.base_radius * B.base_helix_cosine
            # deviations are linear between points of a table: 8 nm are a part of 1/2000 of the relief
            assert gap[found] == pytest.approx(expected, abs=8e-9)
            assert opposite[found].tolist() == tooth_b[found].tolist()
    assert met > 100


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("first", [18, 37])
def test_levers_at_the_start_of_a_linear_relief(first: int, side: str) -> None:
    """Flank A has two normals there, whose levers differ by the slope of the relief, 1 %. The contact has the normal of flank B, an
    involute: its lever is the base radius."""
    relief = pl.TipRelief("18 um", length="1.8 mm")
    pinion = pl.Gear(teeth=first, normal_module="2 mm", face_width="10 mm")
    wheel = pinion.with_(teeth=55 - first)
    a, b = pl.Teeth(pinion, both=[relief]), pl.Teeth(wheel, both=[relief])
    pose, _ = place_teeth(a, b)
    found = strip_gaps(a, b, pose, side=side, zeta=np.array([-4e-3, 0.0, 4e-3]))
    start = a.flank(side).tip_roll_length(0.0) - 1.8e-3
    there = np.abs(found.roll_a - start) < 1e-8
    assert there.any()
    assert found.lever[there] == pytest.approx(0.5 * wheel.base_diameter, rel=1e-6)


def test_levers_on_parabolic_reliefs() -> None:
    """Both flanks have one normal in a smooth contact."""
    a, b = (pl.Teeth(pl.Gear(teeth=z, normal_module="2 mm", face_width="10 mm"), both=CHANGES[:1]) for z in (18, 37))
    pose, _ = place_teeth(a, b)
    found = strip_gaps(a, b, pose, side="left", zeta=np.array([0.0]))
    pair = FlankPair(a, b, "left", pose)
    inside = np.isfinite(found.play)
    for flank, roll in ((pair.a, found.roll_a), (pair.b, found.roll_b)):
        form, tip = float(flank.form_roll_length(0.0)), float(flank.tip_roll_length(0.0))
        inside &= (roll > 1.01 * form) & (roll < 0.99 * tip)
    p, n = (x(found.roll_b[inside], found.zeta_b[inside]) for x in (pair.b.point, pair.b.normal))
    assert found.lever[inside] == pytest.approx(np.abs(p[:, 0] * n[:, 1] - p[:, 1] * n[:, 0]), rel=1e-4)
