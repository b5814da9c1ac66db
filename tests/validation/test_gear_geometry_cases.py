"""Gear geometry against published numbers and worked examples.

* Six pairs by the formulas of ISO 21771:2007 and ISO 6336-1:2006, 9.3, method B (C_M = 0.8, C_R = 1), tips shortened by
  k = (a − a_d)/m_n − Σx where external; an independent evaluation of the formulas, checked on worked examples of the
  standard.
* ISO/TR 6336-30:2017, annex A, example 1, as transcribed in the Drivetrain package of G. Reboucas
  (github:gfsReboucas/Drivetrain).
* Crossed helical wheels: closed forms for radii, centre distance, ratio and sliding (Litvin; ISO 21771).
* Worm drives: closed form of efficiency and self-locking (Niemann; Shigley).

Diameters of internal wheels are negative in the standard and in the table, positive in pitchline.
"""

import math

import pytest

from pitchline.gears import STEEL, Gear, GearPair, efficiency, iso_stiffness, profile_shift_sum, self_locking_friction

NAMES = (
    "alpha_t", "alpha_wt", "beta_b", "a_d", "a_w", "d1", "d2", "db1", "db2", "da1", "da2", "df1", "df2", "dw1", "dw2",
    "g_alpha", "p_et", "eps_alpha", "eps_beta", "T1A", "T1B", "T1C", "T1D", "T1E",
    "c_th", "c_prime", "c_gamma_alpha", "c_gamma_beta",
)  # fmt: skip
"""Angles in deg, lengths in mm, stiffnesses in N/(mm µm)."""

# z1, z2, m_n, b, alpha_n, beta, x1, x2 (mm, deg), then the values of NAMES.
PAIRS: dict[str, tuple[tuple, tuple[float, ...]]] = {
    "Do, Ziegler & Eberhard 18/37": (
        (18, 37, 2.0, 10.0, 20.0, 0.0, 0.0, 0.0),
        (
            20.0, 19.999999999999993, 0.0, 55.0, 55.0, 36.0, 74.0, 33.828934348292705, 69.53725393815722, 40.0,
            78.0, 31.0, 69.0, 36.0, 74.0, 9.52888113845703, 5.904262868187098, 1.613898525724494, 0.0,
            1.1435506469761982, 4.768168917246131, 6.1563625798620345, 7.047813515163297, 10.67243178543323,
            15.913434738072272, 12.412479095696373, 18.127481058771952, 15.40835889995616,
        ),
    ),
    "Kubo/Ozguven 25/25": (
        (25, 25, 4.0, 15.0, 20.0, 0.0, 0.0, 0.0),
        (
            20.0, 19.999999999999993, 0.0, 100.0, 100.0, 100.0, 100.0, 93.96926207859084, 93.96926207859084,
            108.0, 108.0, 90.0, 90.0, 100.0, 100.0, 19.031225136820204, 11.808525736374197, 1.6116512392565385,
            0.0, 7.585394597873329, 14.808093998319336, 17.10100716628343, 19.393920334247525,
            26.616619734693533, 15.68214180419905, 12.23207060727526, 17.843391466485304, 15.166882746512508,
        ),
    ),
    "profile shifted 12/40": (
        (12, 40, 3.0, 30.0, 20.0, 0.0, 0.5, 0.3),
        (
            20.0, 23.928600428843563, 0.0, 78.0, 80.18805932682406, 36.0, 120.0, 33.828934348292705,
            112.76311449430901, 44.57611865364813, 127.37611865364813, 31.5, 114.3, 37.00987353545726,
            123.36624511819085, 11.609029767413205, 8.856394302280648, 1.3108076911643052, 0.0,
            2.905045772239836, 5.657681237372392, 7.505563602579117, 11.761440074520484, 14.51407553965304,
            17.331237794114717, 13.51836547940948, 16.66957445163736, 14.169138283891755,
        ),
    ),
    "pressure angle 25 deg, 28/28": (
        (28, 28, 3.175, 6.35, 25.0, 0.0, 0.0, 0.0),
        (
            25.0, 24.99999999999999, 0.0, 88.89999999999999, 88.89999999999998, 88.89999999999999,
            88.89999999999999, 80.57076226755817, 80.57076226755817, 95.24999999999999, 95.24999999999999,
            80.96249999999999, 80.96249999999999, 88.89999999999998, 88.89999999999998, 13.231940865023525,
            9.04001838692466, 1.4637072955694421, 0.0, 12.169411301862315, 16.36133377996118,
            18.785381734374077, 21.209429688786976, 25.40135216688584, 16.130333091378336, 13.839825792402614,
            18.653046934413034, 15.855089894251078,
        ),
    ),
    "internal helical 21/-75": (
        (21, -75, 2.5, 25.0, 20.0, 12.0, 0.25, 0.25),
        (
            20.41031175365969, 17.066845469555755, 11.26651880179529, 69.00799015338947, 67.654936349163,
            53.672881230414035, -191.688861537193, 50.3032569762316, -179.65448920082716, 59.922881230414035,
            -185.438861537193, 48.672881230414035, -196.688861537193, 52.620506049349, -187.930378747675,
            13.15988546675122, 7.5253496461032725, 1.7487407344010368, 0.6618034664048045, 3.121499859269978,
            8.756035679917925, 7.721722516265079, 10.64684950537325, 16.281385326021198, 19.506089553548367,
            14.882271063271629, 23.239492987373605, 19.753569039267564,
        ),
    ),
    "Wu, Zuo & Parey 19/48": (
        (19, 48, 3.175, 16.0, 20.0, 0.0, 0.0, 0.0),
        (
            20.0, 19.999999999999993, 0.0, 106.36249999999998, 106.36249999999998, 60.324999999999996,
            152.39999999999998, 56.68695734890992, 143.2091554077724, 66.675, 158.74999999999997,
            52.387499999999996, 144.46249999999998, 60.32499999999999, 152.39999999999998, 15.424483814420675,
            9.373017303247018, 1.6456263031838527, 0.0, 2.1264740762677086, 8.177940587441366,
            10.316182573060477, 11.499491379514726, 17.550957890688384, 16.450652641763767, 12.831509060575739,
            19.044778879862957, 16.188062047883513,
        ),
    ),
}  # fmt: skip


def evaluated(z1: int, z2: int, mn: float, b: float, an: float, beta: float, x1: float, x2: float) -> tuple[float, ...]:
    common = dict(
        normal_module=f"{mn} mm", normal_pressure_angle=f"{an} deg", face_width=f"{b} mm", dedendum_factor=1.25
    )
    internal = z2 < 0
    pinion = Gear(teeth=z1, profile_shift=x1, helix_angle=f"{beta} deg", **common)
    wheel = Gear(
        teeth=abs(z2), profile_shift=x2, helix_angle=f"{beta if internal else -beta} deg", internal=internal, **common
    )
    pair = GearPair(pinion, wheel).shortened()
    pinion, wheel, path, stiffness = pair.a, pair.b, pair.path_of_contact, iso_stiffness(pair)
    assert isinstance(wheel, Gear)
    s, mm, unit = wheel.sense, 1e3, 1e-9
    return (
        math.degrees(pinion.transverse_pressure_angle),
        math.degrees(pair.transverse_working_pressure_angle),
        math.degrees(pinion.base_helix_angle),
        mm * pair.reference_centre_distance,
        mm * pair.centre_distance,
        mm * pinion.reference_diameter,
        mm * wheel.reference_diameter * s,
        mm * pinion.base_diameter,
        mm * wheel.base_diameter * s,
        mm * pinion.tip_diameter,
        mm * wheel.tip_diameter * s,
        mm * pinion.root_diameter,
        mm * wheel.root_diameter * s,
        mm * pair.working_diameters[0],
        mm * pair.working_diameters[1] * s,
        mm * path.length,
        mm * path.base_pitch,
        pair.transverse_contact_ratio,
        pair.overlap_ratio,
        mm * path.start,
        mm * path.inner_single,
        mm * path.pitch_point,
        mm * path.outer_single,
        mm * path.end,
        unit * stiffness.theoretical,
        unit * stiffness.single,
        unit * stiffness.mesh_alpha,
        unit * stiffness.mesh_beta,
    )


@pytest.mark.parametrize("case", PAIRS)
def test_geometry_table(case: str) -> None:
    given, expected = PAIRS[case]
    for name, value, reference in zip(NAMES, evaluated(*given), expected, strict=True):
        assert value == pytest.approx(reference, rel=1e-12, abs=1e-13), name


def test_iso_tr_6336_30_example_1() -> None:
    """z 17/103, m_n 8, β 15.8°, x1 0.145, a 500 mm, b 100 mm, basic rack ISO 53 D; T1 = 9000 N m at 360 rpm."""
    common = dict(normal_module="8 mm", face_width="100 mm", dedendum_factor=1.4, root_radius_factor=0.39)
    pinion = Gear(teeth=17, profile_shift=0.145, helix_angle="15.8 deg", **common)
    pair = GearPair(pinion, Gear(teeth=103, helix_angle="-15.8 deg", **common), centre_distance="500 mm")
    assert isinstance(pair.b, Gear)
    assert pinion.virtual_teeth == pytest.approx(18.905, abs=6e-4)
    assert pair.b.virtual_teeth == pytest.approx(114.543, abs=6e-4)
    stiffness = iso_stiffness(pair)
    assert 1e-9 * stiffness.theoretical == pytest.approx(17.85584, abs=2e-5)
    assert 1e-9 * stiffness.single == pytest.approx(12.37047, abs=2e-5)
    assert 1e-9 * stiffness.mesh_alpha == pytest.approx(17.46485, rel=2e-4)
    assert 1e-9 * stiffness.mesh_beta == pytest.approx(14.84512, rel=2e-4)
    assert 2 * 9000.0 / pinion.reference_diameter == pytest.approx(127352.0, abs=1.0)
    assert math.pi * pinion.reference_diameter * 360 / 60 == pytest.approx(2.664, abs=6e-4)
    # Zone factor Z_H and elasticity factor Z_E [sqrt(N/mm²)] of ISO 6336-2.
    alpha_wt, alpha_t = pair.transverse_working_pressure_angle, pinion.transverse_pressure_angle
    zone = 2 * math.cos(pinion.base_helix_angle) * math.cos(alpha_wt) / (math.cos(alpha_t) ** 2 * math.sin(alpha_wt))
    assert math.sqrt(zone) == pytest.approx(2.39533, abs=1e-4)
    elastic = 1e-6 * STEEL.youngs_modulus / (2 * math.pi * (1 - STEEL.poissons_ratio**2))
    assert math.sqrt(elastic) == pytest.approx(189.8117, abs=1e-3)
    # The shift it was designed for is the one this centre distance needs, to the figures printed.
    assert profile_shift_sum(pair.a, pair.b, "500 mm") == pytest.approx(0.145, abs=5e-4)
    assert pair.warnings == ()


@pytest.mark.parametrize(
    "z1, z2, beta1, beta2, mn, r1, r2, distance, ratio, sliding",
    [
        (20, 40, 30, 60, 2, 23.09401076758503, 79.99999999999999, 103.09401076758502, 2, 1.9999999999999996),
        (12, 36, 50, 20, 3, 28.00302888348742, 57.465599713699255, 85.46862859718668, 3, 0.9999999999999999),
        (1, 40, 87.1376, 2.8624, 4, 40.05004185057675, 80.09993721269626, 120.14997906327301, 40, 1.0012492151587034),
        (15, 15, 45, 45, 2.5, 26.51650429449553, 26.51650429449553, 53.03300858899106, 1, 1.414213562373095),
    ],
)
def test_crossed_helical(z1, z2, beta1, beta2, mn, r1, r2, distance, ratio, sliding) -> None:
    """r = m_n z / (2 cos β), a = r1 + r2, w1/w2 = z2/z1, v_s/(w1 r1) = sin Σ / cos β2; hands alike, Σ = β1 + β2."""
    a, b = (Gear(teeth=z, normal_module=f"{mn} mm", helix_angle=f"{h} deg") for z, h in ((z1, beta1), (z2, beta2)))
    pair = GearPair(a, b, shaft_angle=f"{beta1 + beta2} deg")
    assert 1e3 * pair.pitch.radius_a == pytest.approx(r1, rel=1e-10)
    assert 1e3 * pair.pitch.radius_b == pytest.approx(r2, rel=1e-10)
    assert 1e3 * pair.centre_distance == pytest.approx(distance, rel=1e-10)
    assert pair.ratio == pytest.approx(ratio, rel=1e-12)
    assert abs(1 / pair.speed_ratio) == pytest.approx(ratio, rel=1e-12)
    assert pair.pitch.sliding_ratio == pytest.approx(sliding, rel=1e-10)


@pytest.mark.parametrize(
    "lead, friction, alpha, worm_drives, wheel_drives",
    [
        (5.7106, 0.05, 20, 0.6492309496711216, 0.46543522533179027),
        (11.3099, 0.04, 20, 0.8174942484477085, 0.7805189504632519),
        (4, 0.08, 20, 0.4482784903244905, -0.2161890837335118),
        (24, 0.03, 20, 0.9198291427409545, 0.9152846044652095),
        (3.3665, 0.1, 14.5, 0.36065185617398604, -0.7513448282744788),
        (math.degrees(math.atan(0.1)), 0.05, 20, 0.649230681, 0.465434588),
        (20, 0.03, 20, 0.908676370, 0.901806987),
        (3, 0.10, 14.5, 0.334777254, -0.965663871),
    ],
)
@pytest.mark.parametrize("hand", [1, -1])
def test_worm(lead, friction, alpha, worm_drives, wheel_drives, hand) -> None:
    """η = (cos α − μ tan γ)/(cos α + μ cot γ), the wheel driving (cos α − μ cot γ)/(cos α + μ tan γ).

    The wheel cannot drive for μ >= cos α tan γ.
    """
    common = dict(normal_module="4 mm", normal_pressure_angle=f"{alpha} deg")
    worm = Gear(starts=2, lead_angle=f"{hand * lead} deg", **common)
    pair = GearPair(worm, Gear(teeth=40, helix_angle=f"{hand * lead} deg", **common))
    assert pair.kind == "worm" and pair.shaft_angle == pytest.approx(math.pi / 2)
    assert efficiency(pair, friction, driver="a") == pytest.approx(worm_drives, rel=1e-10, abs=5e-10)
    assert efficiency(pair, friction, driver="b") == pytest.approx(wheel_drives, rel=1e-10, abs=5e-10)
    limit = math.cos(math.radians(alpha)) * math.tan(math.radians(lead))
    assert self_locking_friction(pair, driver="b") == pytest.approx(limit, rel=1e-12)
