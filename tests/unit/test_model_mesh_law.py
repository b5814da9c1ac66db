"""The law of rigid and elastic teeth on the base circle, as it follows from what the user says."""

import math
from typing import Any

import pytest
from references.mesh_values import TURN, WAVE

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack, iso_stiffness
from pitchline.model import (
    Elastic,
    Fourier,
    MeshLaw,
    Rigid,
    Varying,
)
from pitchline.parts.meshes.force_law import effective_mass

SPUR = Gear(teeth=20, normal_module="4 mm", normal_pressure_angle="20 deg", face_width="20 mm")
PAIR = GearPair(SPUR, SPUR.with_(teeth=40, backlash_allowance="30 um"))
COSINE = math.cos(math.radians(20))


def law_of(mesh: Elastic | Rigid, pair: GearPair = PAIR, **others: Any) -> MeshLaw:
    return MeshLaw.of(mesh, pair, 0.01, 0.04, **others)


# ------------------------------------------------------------------------------------------------------- MeshLaw


HELIX = math.radians(24)
HELICAL = GearPair(SPUR.with_(helix_angle=HELIX), SPUR.with_(teeth=40, helix_angle=-HELIX), centre_distance="132 mm")
RING = GearPair(SPUR.with_(helix_angle=HELIX), SPUR.with_(teeth=70, helix_angle=HELIX, internal=True))
GIVEN: dict[str, Any] = dict(
    damping=100.0, backlash=5e-5, smoothing=1e-6, effective_mass=0.5,
    error=[1e-6, Varying(Fourier(TURN, sin=(2e-6,), over="angle"), "revolution of b")],
)  # fmt: skip


def assert_same(law: MeshLaw, stiffness: float, length: float) -> None:
    """The law of GIVEN, with stiffness, damping and mass times a factor, and lengths times another."""
    assert law.stiffness[0] == pytest.approx(2e8 * stiffness, rel=1e-14)
    assert law.stiffness[1](1.0) == pytest.approx(WAVE(1.0) * stiffness, rel=1e-14)  # type: ignore[operator]
    assert law.mean_stiffness == pytest.approx(1e8 * stiffness, rel=1e-12)
    assert law.damping == pytest.approx(100 * stiffness, rel=1e-14)
    assert law.effective_mass == pytest.approx(0.5 * stiffness, rel=1e-14)
    assert law.backlash == pytest.approx(5e-5 * length, rel=1e-14) and law.offset == pytest.approx(0.5 * law.backlash)
    assert law.smoothing == pytest.approx(1e-6 * length, rel=1e-14)
    assert law.errors[0] == pytest.approx(1e-6 * length, rel=1e-14)
    assert law.errors[1](1.0) == pytest.approx(2e-6 * math.sin(1.0) * length, rel=1e-14)  # type: ignore[operator]
    assert law.errors[1].over == "revolution of b"  # type: ignore[union-attr]


@pytest.mark.parametrize("pair", [HELICAL, RING, PAIR], ids=["helical", "internal", "spur"])
def test_directions(pair: GearPair) -> None:
    """From the gears alone: lengths l_n = l_b cos β_b along the normal, l_h = l_b c/r_b along the hoop; the same energy."""
    beta_b = pair.a.base_helix_angle
    ratio = 0.5 * pair.pitch.normal_module * pair.a.teeth / (0.5 * pair.a.base_diameter)  # c/r_b
    for along, length in ((None, 1.0), ("base circle", 1.0), ("normal", math.cos(beta_b)), ("hoop", ratio)):
        law = law_of(Elastic((2e8, WAVE), along=along, **GIVEN), pair)
        assert_same(law, length**2, 1.0 / length)
    assert law_of(Elastic((2e8, WAVE), along="line of action", **GIVEN), pair).stiffness[0] == pytest.approx(
        2e8 * math.cos(beta_b) ** 2
    )  # the name of the normal in earlier versions
    assert_same(law_of(Elastic((2e8, WAVE), **GIVEN), pair).along_hoop(1.0 / ratio), ratio**-2, ratio)


def test_pairs_without_common_base_circles() -> None:
    """Along the normal, and no base circle; bevel gears as their virtual cylindrical gears."""
    crossed = GearPair(
        SPUR.with_(helix_angle="45 deg"), SPUR.with_(helix_angle="45 deg"), shaft_angle="90 deg", what="x"
    )
    assert law_of(Elastic(2e8), crossed).stiffness == law_of(Elastic(2e8, along="normal"), crossed).stiffness == (2e8,)
    with pytest.raises(
        ModelError, match=r'crossed helical pair has no base circles in one plane; omit along, or specify .*"normal"'
    ):
        law_of(Elastic(2e8, along="base circle"), crossed)
    cone, spiral = math.radians(45), math.radians(35)
    gears = [SPUR.with_(cone_angle=cone, helix_angle=sign * spiral) for sign in (1, -1)]
    bevel = GearPair(*gears)
    sine = math.sin(spiral) * math.cos(math.radians(20))
    assert law_of(Elastic(2e8, along="normal"), bevel).stiffness[0] == pytest.approx(2e8 * (1 - sine**2), rel=1e-12)
    assert law_of(Elastic(2e8, along="base circle"), bevel).stiffness == law_of(Elastic(2e8), bevel).stiffness == (2e8,)


def test_the_working_pressure_angle_counts() -> None:
    """Only for what is measured on the pitch circles: base circles do not change with the centre distance."""
    wider = GearPair(SPUR, SPUR, centre_distance="80.5 mm")
    law = law_of(Elastic(1e8), wider)
    assert law.stiffness[0] == 1e8
    assert law_of(Elastic(1e8, along="hoop"), wider).stiffness[0] == pytest.approx(1e8 / (80 / 80.5 * COSINE) ** 2)
    assert law.backlash == pytest.approx(wider.normal_backlash) and wider.backlash > 0.0


@pytest.mark.parametrize("side, part", [("centred", 0.5), ("drive", 0.0), ("coast", 1.0)])
def test_backlash_and_its_place(side: str, part: float) -> None:
    given_, own = (
        law_of(Elastic(1e8, along="hoop", backlash=1e-4, backlash_side=side)),
        law_of(Rigid(backlash_side=side)),
    )
    assert given_.backlash == pytest.approx(1e-4 * COSINE) and given_.offset == pytest.approx(part * 1e-4 * COSINE)
    assert own.backlash == pytest.approx(30e-6 * COSINE) and own.offset == pytest.approx(part * 30e-6 * COSINE)
    assert law_of(Elastic(1e8, backlash=0, backlash_side=side)).backlash == 0.0


def test_teeth_that_overlap_have_no_backlash() -> None:
    tight = GearPair(SPUR, SPUR, centre_distance="79.99 mm")
    assert tight.backlash < 0.0
    assert law_of(Rigid(), tight).backlash == 0.0


def test_effective_mass() -> None:
    """1/m_e = r_bA²/I_A + r_bB²/I_B; of a rack cos² α_t and the mass."""
    base = 0.04 * COSINE
    assert effective_mass(PAIR, 0.01, 0.04) == pytest.approx(1 / (base**2 / 0.01 + (2 * base) ** 2 / 0.04))
    assert effective_mass(PAIR, 0.01, math.inf) == pytest.approx(0.01 / base**2)
    assert effective_mass(PAIR, math.inf, 0.04) == pytest.approx(0.04 / (2 * base) ** 2)
    assert effective_mass(PAIR, math.inf, math.inf) == math.inf
    assert effective_mass(PAIR, 0.0, 0.04) == effective_mass(PAIR, 0.01, 0.0) == 0.0
    helix = math.radians(20)
    pinion = SPUR.with_(helix_angle=helix)
    wheel = SPUR.with_(teeth=40, helix_angle=-helix)
    transverse = math.cos(math.atan(math.tan(math.radians(20)) / math.cos(helix)))
    base = 0.04 / math.cos(helix) * transverse
    expected = 1 / (base**2 / 0.01 + (2 * base) ** 2 / 0.04)
    assert effective_mass(GearPair(pinion, wheel), 0.01, 0.04) == pytest.approx(expected)
    rack = Rack(teeth=30, normal_module="4 mm", helix_angle=-helix)
    expected = 1 / (base**2 / 0.01 + transverse**2 / 3.0)
    assert effective_mass(GearPair(pinion, rack), 0.01, 3.0) == pytest.approx(expected)


@pytest.mark.parametrize("along", ["hoop", None])
def test_damping_ratio(along: str | None) -> None:
    """c = 2 ζ sqrt(k m_e) in either direction: with k_hoop = k cos² α and m_hoop = m cos² α both give the same c."""
    law = law_of(Elastic(2e8, damping_ratio=0.05, along=along))
    k = 2e8 / COSINE**2 if along == "hoop" else 2e8
    assert law.damping == pytest.approx(2 * 0.05 * math.sqrt(k * law.effective_mass), rel=1e-14)
    own = law_of(Elastic(2e8, damping_ratio=0.05, along=along, effective_mass=0.7))
    assert own.damping == pytest.approx(
        2 * 0.05 * math.sqrt(2e8 * 0.7) * (COSINE**-2 if along == "hoop" else 1), rel=1e-14
    )
    assert law_of(Elastic(2e8)).damping == law_of(Elastic(2e8, damping_ratio=0)).damping == 0.0
    for mode, acts in enumerate(("never pulling", "in contact", "always", "limited")):
        assert law_of(Elastic(2e8, damping_acts=acts)).damping_mode == mode
    for rate, of in enumerate(("deflection", "approach")):
        assert law_of(Elastic(2e8, damping_rate=of)).damping_rate == rate


def test_damping_ratio_without_mass() -> None:
    for inertia, why in ((0.0, "a wheel has no inertia"), (math.inf, "neither wheel can move")):
        with pytest.raises(ModelError, match=why):
            MeshLaw.of(Elastic(1e8, damping_ratio=0.1), PAIR, inertia, inertia)
        MeshLaw.of(Elastic(1e8, damping_ratio=0.1, effective_mass=1.0), PAIR, inertia, inertia)
        MeshLaw.of(Elastic(1e8, damping_ratio=0.0), PAIR, inertia, inertia)


def test_kubo_rig() -> None:
    """Two equal wheels of I = 0.0102 lbf in s² and r = 1.9685 in, units as printed: m_e = I/(2 r²), c = 2 ζ √(k m_e).

    A. Cardona, Flexible three dimensional gear modelling, 1997, section 7.3; reference computation of m_e and c_m.
    """
    gear = Gear(teeth=25, normal_module=2 * 1.9685 / 25)
    law = MeshLaw.of(Elastic(14.77e6, damping_ratio=0.1, along="hoop"), GearPair(gear, gear), 0.0102, 0.0102)
    law = law.along_hoop(COSINE)
    assert law.effective_mass == pytest.approx(0.0013161316645213938, rel=1e-9)
    assert law.damping == pytest.approx(27.88495270570204, rel=1e-9)
    assert law.backlash == 0.0 and not law.rigid


def test_mean_stiffness_of_springs_in_series() -> None:
    """Constant: 1/k = Σ 1/k_i. Springs over one cycle: mean of the series; over different ones: series of means."""
    assert law_of(Elastic((2e8, 3e8, 6e8))).mean_stiffness == pytest.approx(1e8)
    # k (1 + a sin φ) twice in series is k/2 (1 + a sin φ), with the mean k/2
    assert law_of(Elastic((WAVE, WAVE))).mean_stiffness == pytest.approx(1e8, rel=1e-12)
    # k (1 ± a sin φ) in series are k/2 (1 − a² sin² φ), with the mean k/2 (1 − a²/2)
    opposite = Fourier(TURN, 2e8, sin=(-5e7,), over="angle")
    both = law_of(Elastic((WAVE, opposite)))
    assert both.mean_stiffness == pytest.approx(1e8 * (1 - 0.25**2 / 2), rel=1e-12)
    turns = [Varying(WAVE, f"revolution of {wheel}") for wheel in "ab"]
    assert law_of(Elastic(turns)).mean_stiffness == pytest.approx(1e8, rel=1e-12)
    assert law_of(Elastic((*turns, 1e8))).mean_stiffness == pytest.approx(5e7, rel=1e-12)


def test_stiffness_of_iso_6336() -> None:
    """b c_γα on the base circle, whatever the direction of the other values."""
    for along in (None, "normal", "hoop"):
        law = law_of(Elastic("ISO 6336", along=along, backlash=1e-4), HELICAL)
        assert law.stiffness[0] == pytest.approx(0.02 * iso_stiffness(HELICAL).mesh_alpha, rel=1e-14)


def test_rigid_teeth() -> None:
    law = law_of(Rigid(error=WAVE.scaled(1e-14), efficiency=0.98))
    assert law.rigid and law.stiffness == () and law.mean_stiffness == math.inf and law.damping == 0.0
    assert len(law.errors) == 1 and law.efficiency == (0.98, 0.98) and law_of(Rigid(friction=0.1)).friction == 0.1
    assert law.effective_mass == pytest.approx(effective_mass(PAIR, 0.01, 0.04))


def test_rigid_teeth_by_penalty() -> None:
    """Ten times the stiffness of ISO 6336, or as said, with a damping ratio of 0.1 where there is a mass."""
    k = 10 * 0.02 * iso_stiffness(PAIR).mesh_alpha
    law = law_of(Rigid(method="penalty"))
    assert not law.rigid and law.stiffness[0] == pytest.approx(k)
    assert law.damping == pytest.approx(0.2 * math.sqrt(k * law.effective_mass))
    assert law_of(Rigid(method="penalty", penalty="1e10 N/m")).stiffness == (1e10,)
    assert MeshLaw.of(Rigid(method="penalty"), PAIR, 0.0, 1.0).damping == 0.0


CROSSED = GearPair(
    SPUR.with_(helix_angle="45 deg"), SPUR.with_(helix_angle="45 deg"), shaft_angle="90 deg", what='gear pair "x"'
)
NARROW = GearPair(SPUR.with_(face_width=None), SPUR, what='gear pair "x"')
RACK = GearPair(SPUR, Rack(teeth=30, normal_module="4 mm", face_width="20 mm"), what='gear pair "x"')


@pytest.mark.parametrize(
    "mesh, pair, message",
    [
        (
            Elastic("ISO 6336"),
            CROSSED,
            "stiffness: ISO 6336 applies to cylindrical wheels on parallel axes, not to a crossed",
        ),
        (Elastic("ISO 6336"), RACK, "not to a rack and pinion pair"),
        (Elastic("ISO 6336"), NARROW, "specify face_width for both gears"),
        (Rigid(method="penalty"), NARROW, "specify penalty"),
        (Elastic(1e8, contact="line"), CROSSED, 'have point contact; omit contact="line"'),
        (Elastic(1e8, contact="line"), NARROW, "line contact needs the face width"),
        (Elastic(1e8, error=Varying(WAVE.scaled(1e-14), "revolution of b")), RACK, "B is a rack"),
        (Elastic(Varying(WAVE, "revolution of b")), RACK, "stiffness varies"),
    ],
)
def test_laws_that_a_pair_cannot_have(mesh: Any, pair: GearPair, message: str) -> None:
    with pytest.raises(ModelError) as error:
        law_of(mesh, pair, what=pair.what)
    assert message in str(error.value)
    assert str(error.value).startswith('gear pair "x": ')


def test_line_contact() -> None:
    mesh = Elastic(1e8, contact="line")
    assert law_of(mesh).line_width == 0.02
    assert law_of(mesh, face_width=0.012).line_width == 0.012
    assert law_of(mesh, RACK).line_width == 0.02
    assert law_of(Elastic(1e8)).line_width == 0.0
