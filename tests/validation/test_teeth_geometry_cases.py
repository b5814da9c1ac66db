"""Surfaces of teeth against the geometry of six pairs by the formulas of ISO 21771:2007 (as in test_gear_geometry_cases).

Diameters are read off the surfaces, path and length of contact off the flanks in contact. Tips are shortened by
k = (a − a_d)/m_n − Σx where external. Diameters of internal wheels are negative in the standard, positive here.
"""

import math

import numpy as np
import pytest

from pitchline.gears import Gear, GearPair
from pitchline.parts.gears.teeth import Teeth, rigid_contact

NAMES = ("a_w", "db1", "db2", "da1", "da2", "df1", "df2", "g_alpha", "T1A", "T1C", "T1E")
# z1, z2, m_n, b, alpha_n, beta, x1, x2 (mm, deg), then the values of NAMES in mm.
# fmt: off
PAIRS: dict[str, tuple[tuple, tuple[float, ...]]] = {
    "Do/Ziegler/Eberhard straight 18/37": (
        (18, 37, 2.0, 10.0, 20.0, 0.0, 0.0, 0.0),
        (
            55.0, 33.828934348292705, 69.53725393815722, 40.0, 78.0, 31.0, 69.0, 9.52888113845703,
            1.1435506469761982, 6.1563625798620345, 10.67243178543323,
        ),
    ),
    "Kubo/Ozguven 25/25 m4": (
        (25, 25, 4.0, 15.0, 20.0, 0.0, 0.0, 0.0),
        (
            100.0, 93.96926207859084, 93.96926207859084, 108.0, 108.0, 90.0, 90.0, 19.031225136820204,
            7.585394597873329, 17.10100716628343, 26.616619734693533,
        ),
    ),
    "profile shifted 12/40 x=.5/.3": (
        (12, 40, 3.0, 30.0, 20.0, 0.0, 0.5, 0.3),
        (
            80.18805932682406, 33.828934348292705, 112.76311449430901, 44.57611865364813,
            127.37611865364813, 31.5, 114.3, 11.609029767413205, 2.905045772239836, 7.505563602579117,
            14.51407553965304,
        ),
    ),
    "alpha 25 28/28": (
        (28, 28, 3.175, 6.35, 25.0, 0.0, 0.0, 0.0),
        (
            88.89999999999998, 80.57076226755817, 80.57076226755817, 95.24999999999999, 95.24999999999999,
            80.96249999999999, 80.96249999999999, 13.231940865023525, 12.169411301862315,
            18.785381734374077, 25.40135216688584,
        ),
    ),
    "internal helical 21/-75 beta 12 x=.25/.25": (
        (21, -75, 2.5, 25.0, 20.0, 12.0, 0.25, 0.25),
        (
            67.654936349163, 50.3032569762316, 179.65448920082716, 59.922881230414035, 185.438861537193,
            48.672881230414035, 196.688861537193, 13.15988546675122, 3.121499859269978, 7.721722516265079,
            16.281385326021198,
        ),
    ),
    "Wu/Zuo/Parey 19/48 Pd=8": (
        (19, 48, 3.175, 16.0, 20.0, 0.0, 0.0, 0.0),
        (
            106.36249999999998, 56.68695734890992, 143.2091554077724, 66.675, 158.74999999999997,
            52.387499999999996, 144.46249999999998, 15.424483814420675, 2.1264740762677086,
            10.316182573060477, 17.550957890688384,
        ),
    ),
}
# fmt: on


@pytest.mark.parametrize("name", PAIRS)
def test_surfaces_and_contact(name):
    (z1, z2, m, b, alpha, beta, x1, x2), values = PAIRS[name]
    want = {key: 1e-3 * value for key, value in zip(NAMES, values, strict=True)}
    common = {"normal_module": f"{m} mm", "normal_pressure_angle": f"{alpha} deg", "face_width": f"{b} mm"}
    first = Gear(teeth=z1, helix_angle=f"{beta} deg", profile_shift=x1, **common)
    inside = z2 < 0
    second = Gear(
        teeth=abs(z2), helix_angle=f"{beta if inside else -beta} deg", profile_shift=x2,
        internal=inside, **common,
    )  # fmt: skip
    pair = GearPair(first, second).shortened()
    assert pair.centre_distance == pytest.approx(want["a_w"], rel=1e-9)
    a, t = Teeth(pair.a), Teeth(pair.b)
    for teeth, k in ((a, "1"), (t, "2")):
        assert 2.0 * teeth.left.involute.base_radius == pytest.approx(want["db" + k], rel=1e-9)
        assert 2.0 * abs(teeth.tip.section(0.3, 0.0)) == pytest.approx(want["da" + k], rel=1e-9)
        assert 2.0 * abs(teeth.left.root.section(0.3, 0.0)) == pytest.approx(want["df" + k], rel=1e-9)
    # ends of the path: the tips of both, seen from the base circle of the first
    reach = math.sqrt(
        want["a_w"] ** 2 - (0.5 * (want["db2"] - want["db1"] if inside else want["db1"] + want["db2"])) ** 2
    )
    tip = float(t.left.tip_roll_length(0.0))
    start = tip - reach if inside else reach - tip
    assert start == pytest.approx(want["T1A"], rel=1e-9)
    assert float(a.left.tip_roll_length(0.0)) == pytest.approx(want["T1E"], rel=1e-9)
    run = rigid_contact(a, t, centre_distance=pair.centre_distance, positions=40, strips=3)
    assert np.abs(run.transmission_error).max() < 1e-12 * pair.a.normal_module
    touch = run.strip_roll_length[run.strip_gap < 1e-12]
    step = pair.a.transverse_base_pitch / 40
    # the ring's tips would meet the fillets of the pinion: there contact begins with its involute
    first_touch = max(want["T1A"], float(a.left.form_roll_length(0.0)))
    assert (first_touch > want["T1A"]) == inside and bool(pair.warnings) >= inside
    assert first_touch - 1e-9 < touch.min() < first_touch + step
    assert want["T1E"] - step < touch.max() < want["T1E"] + 1e-9
