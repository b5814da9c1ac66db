"""Types of rolling bearings: what they read, what they refuse, seats, catalogue numbers, files."""

import tomllib

import numpy as np
import pytest
from references.bearing_cases import ALL, ANGULAR, DEEP, LOOSE, NEEDLE, PAIR, SPHERICAL, TAPERED

import pitchline as pl
from pitchline.files import check, read

BALLS = {"balls": 7, "ball": "11.5 mm", "pitch": "43.5 mm"}
ROLLERS = {"rollers": 14, "roller": "10 mm", "length": "12 mm", "pitch": "60 mm"}


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"balls": 12}, "balls: 12 balls of 11.5 mm do not fit on a pitch circle of 43.5 mm; the maximum is 11"),
        ({"balls": 2}, "balls: must be from 3 to"),
        ({"balls": 7.5}, "balls: expected a whole number, got 7.5"),
        ({"pitch": "10 mm"}, "pitch: 10 mm is too small for balls of 11.5 mm"),
        ({"ball": "3 kg"}, "ball: expected length"),
        ({"inner_groove": 0.5}, "inner_groove: the ratio of groove radius to ball diameter must be above 0.5"),
        ({"clearance": "2 mm"}, "clearance: 2 mm is larger than the maximum for these grooves, 1.15 mm"),
        (
            {"clearance": "-0.3 mm"},
            "clearance: the contact pressure of the rolling elements without load is .* GPa, more than the 4.2",
        ),
        ({"bore": "35 mm"}, "bore: 35 mm overlaps the balls, whose inner circle has a diameter of 32 mm"),
        ({"outer": "50 mm"}, "outer: 50 mm overlaps the balls"),
        (
            {"ball": 11.5, "pitch": 43.5},
            'ball: 11.5 m is not plausible: plain numbers are in metres; if you mean millimetres, write "11.5 mm"',
        ),
        ({"material": "glass"}, "material: unknown option 'glass'"),
        ({"rating": "-1 kN"}, "rating: must be greater than zero"),
        ({"ratting": "1 kN"}, 'there is no argument "ratting"; did you mean "rating"'),
    ],
)
def test_impossible_ball_bearings_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(pl.PitchlineError, match=message):
        pl.DeepGrooveBall(**{**BALLS, **changes})


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: pl.AngularContactBall(**BALLS, contact_angle="90 deg"),
            "contact_angle: must be from 5 to 85 deg, got 90 deg",
        ),
        (lambda: pl.AngularContactBall(**BALLS, contact_angle="25 deg", arrangement="tandem"), "distance: is missing"),
        (
            lambda: pl.AngularContactBall(**BALLS, contact_angle="25 deg", distance="9 mm"),
            "distance: needs two rows",
        ),
        (
            lambda: pl.CylindricalRoller(**ROLLERS, width="11 mm"),
            "length: rollers of 12 mm are longer than the width of the bearing",
        ),
        (lambda: pl.CylindricalRoller(**ROLLERS, flanges="both"), "axial_stiffness: needs flanges: specify both"),
        (
            lambda: pl.CylindricalRoller(**ROLLERS, rows_of_rollers=2),
            "distance: is the axial distance between two rows",
        ),
        (lambda: pl.CylindricalRoller(**ROLLERS, clearance="-0.5 mm"), "clearance: the contact pressure .* GPa"),
        (lambda: pl.TaperedRoller(**ROLLERS, contact_angle="1 deg"), "contact_angle: must be from 3 to 60 deg"),
        (
            lambda: pl.SphericalRoller(**ROLLERS, contact_angle="9 deg", osculation=1.2),
            "osculation: must be from 0.8 to 1",
        ),
        (lambda: pl.NeedleRoller(**ROLLERS, profile="conical"), "profile: unknown option 'conical'"),
        (
            lambda: pl.DeepGrooveBall.from_catalogue(bore="62 mm", outer="30 mm", width="9 mm", C="9 kN"),
            "30 mm is not larger",
        ),
        (lambda: NEEDLE.under(force=(0, 0, 5)), "cannot carry a force along its axis, got 5"),
        (lambda: SPHERICAL.under(moment=(1, 0)), "cannot carry a moment about x, got 1"),
    ],
)
def test_impossible_bearings_are_refused(make, message: str) -> None:
    with pytest.raises(pl.PitchlineError, match=message):
        make()


def rig() -> tuple[pl.Model, pl.Body]:
    m = pl.Model("rig")
    return m, m.body("shaft", mass=1, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, "20 mm"))


@pytest.mark.parametrize(
    "design, options, message",
    [
        (
            LOOSE,
            {"preload": "100 kN"},
            'RollingBearing "B": deep groove ball bearing: preload: the contact pressure of the rolling elements',
        ),
        (LOOSE, {"offset": "1 mm"}, "offset: the contact pressure of the rolling elements"),
        (NEEDLE, {"preload": "1 kN"}, "preload: an axial force cannot preload it; specify a negative clearance"),
        (NEEDLE, {"offset": "1 um"}, "offset: it has no contact angle"),
        (TAPERED, {"speed": "100 rpm"}, "speed: centrifugal forces are computed only for balls"),
        (LOOSE, {"cage": "spinning"}, "unknown option 'spinning'"),
        ("6206", {}, "expected one of DeepGrooveBall, AngularContactBall"),
        (LOOSE, {"dampin": 1}, 'there is no argument "dampin"; did you mean "damping"'),
    ],
)
def test_what_a_bearing_refuses(design: object, options: dict[str, object], message: str) -> None:
    m, shaft = rig()
    with pytest.raises(pl.PitchlineError, match=message):
        m.bearing("B", m.ground, shaft, design, **options)
    assert "B" not in m.elements


def test_both_rings_stand_at_the_inner_one() -> None:
    m, shaft = rig()
    bearing = m.bearing("B", m.ground, shaft, LOOSE)
    np.testing.assert_allclose(m.placed(bearing.a)[0], (0, 0, 0.02))
    np.testing.assert_allclose(m.placed(bearing.b)[0], (0, 0, 0.02))


def test_pairs_have_two_rows_and_their_rating() -> None:
    assert (ANGULAR.rows, PAIR.rows, SPHERICAL.rows) == (1, 2, 2)
    assert PAIR.whole_rating == pytest.approx(24e3 * 2**0.7) and SPHERICAL.whole_rating == 130e3
    wide = PAIR.law().at(np.array([0, 0, 0, 1e-4, 0, 0])).stiffness[3, 3]
    close = pl.AngularContactBall(
        balls=12, ball="9 mm", pitch="46 mm", contact_angle="25 deg", arrangement="face-to-face", width="16 mm"
    )
    assert wide > 5 * close.law().at(np.array([0, 0, 0, 1e-4, 0, 0])).stiffness[3, 3]


def test_a_preload_is_met_by_its_shift() -> None:
    for bearing in (ANGULAR, PAIR, TAPERED):
        single = bearing if bearing.rows == 1 else ANGULAR
        assert single.law(offset=bearing.offset_of(400.0)).at(np.zeros(6)).force[2] == pytest.approx(400.0, rel=1e-9)
    loaded = PAIR.law(offset=PAIR.offset_of(400.0)).at(np.zeros(6))
    assert loaded.force == pytest.approx(np.zeros(6), abs=1e-8)
    assert loaded.loads.min() > 50.0


def test_catalogue_numbers_give_an_estimate_that_says_so() -> None:
    made = pl.DeepGrooveBall.from_catalogue(bore="30 mm", outer="62 mm", width="16 mm", C="20.3 kN", C0="11.2 kN")
    assert (made.balls, made.rating, made.bore) == (9, 20300.0, 0.03)
    assert made.estimated and "estimated from catalogue data" in made.words
    m, shaft = rig()
    m.bearing("B", m.ground, shaft, made)
    assert any("internal geometry is estimated" in text for text in m.warnings)
    assert "estimated" in m.summary()


@pytest.mark.parametrize("name", ALL)
def test_files_say_every_type(name: str) -> None:
    m, shaft = rig()
    options = {"preload": "200 N"} if "angular" in name else {}
    m.bearing("B", m.ground, shaft, ALL[name], cage="turning", damping="100 N*s/m", axis="x", **options)
    text = m.to_toml()
    assert read(text).model.describe() == m.describe()
    assert tomllib.loads(text)["elements"]["B"]["design"]["kind"] == ALL[name].kind


def test_files_take_catalogue_numbers() -> None:
    text = """
name = "rig"
[bodies.shaft]
mass = 1
inertia = [1, 1, 1]
position = [0, 0, "50 mm"]
[elements.B]
type = "bearing"
a = "ground"
b = "shaft"
design = { kind = "deep_groove_ball_from_catalogue", bore = "30 mm", outer = "62 mm", width = "16 mm", C = "20.3 kN" }
"""
    bearing = read(text).model.elements["B"]
    assert bearing.design.estimated and bearing.a.position[2] == 0.05
    (problem,) = check(text.replace('"62 mm"', '"20 mm"'))
    assert problem.key == "elements.B.design.outer" and "is not larger than the bore" in problem.message


def on_shaft(place: str = "20 mm", sections: object = None, **design: object) -> pl.Model:
    m = pl.Model("seat")
    parts = sections or [pl.ShaftSection("40 mm", outer="25 mm"), pl.ShaftSection("60 mm", outer="30 mm")]
    shaft = m.shaft("s", parts, stations={"seat": place})
    m.bearing("B", m.ground, shaft["seat"], pl.DeepGrooveBall(**BALLS, **design))
    return m


def test_a_bore_that_is_larger_than_the_shaft_is_told() -> None:
    assert on_shaft(bore="25 mm", width="17 mm").warnings == ()
    (text,) = on_shaft(bore="27 mm", width="17 mm").warnings
    assert 'its bore is 27 mm, but the diameter of shaft "s" there is 25 mm' in text


def test_rings_off_the_shaft_and_wider_than_their_seat_are_errors() -> None:
    with pytest.raises(pl.ModelError, match="its bore of 24 mm is smaller than"):
        on_shaft(bore="24 mm")
    with pytest.raises(pl.ModelError, match="its ring, 17 mm wide, is wider than its seat"):
        on_shaft("36 mm", bore="25 mm", width="17 mm")
    m = on_shaft()
    pair = pl.AngularContactBall(
        balls=12,
        ball="9 mm",
        pitch="46 mm",
        contact_angle="25 deg",
        arrangement="back-to-back",
        bore="25 mm",
        width="21 mm",
    )
    with pytest.raises(pl.ModelError, match="its ring, 42 mm wide, is wider than its seat"):
        m.bearing("pair", m.ground, m.bodies["s seat"], pair)
    with pytest.raises(pl.ModelError, match='at 130 mm from its start it is not on shaft "s", which ends at 100 mm'):
        m.bearing("off", m.ground, m.bodies["s seat"], DEEP, at=(0, 0, "130 mm"))
    with pytest.raises(pl.ModelError, match='its axis is inclined by 90 deg to shaft "s"'):
        m.bearing("across", m.ground, m.bodies["s seat"], DEEP, axis="x")


def test_what_several_bearings_say_is_one_sentence() -> None:
    m, shaft = rig()
    made = pl.DeepGrooveBall.from_catalogue(bore="30 mm", outer="62 mm", width="16 mm", C="20.3 kN")
    for n, names in enumerate(('"1"', '"1" and "2"', '"1", "2" and "3"', "", "", '"1", "2", "3", "4" and 2 others'), 1):
        m.bearing(str(n), m.ground, shaft, made)
        (text,) = m.warnings
        assert text.startswith(f"RollingBearing {names}: ") or not names


def test_ratings_in_a_wrong_unit_are_told() -> None:
    assert on_shaft(rating="23.4 kN", static_rating="11.6 kN").warnings == ()
    (text,) = on_shaft(rating=23.4).warnings
    assert "its rating of 23.4 N is far from the 2.2" in text and "of ISO 281 for its geometry" in text
    m, shaft = rig()
    for name, design in ALL.items():
        m.bearing(name, m.ground, shaft, design)
    assert m.warnings == ()


def test_lives_need_a_rating() -> None:
    m, shaft = rig()
    m.bearing("B", m.ground, shaft, pl.DeepGrooveBall(**BALLS))
    m.force("load", shaft, (1000, 0, 0))
    loads = pl.rolling_loads(pl.statics(m), "B")
    assert loads.loads.sum(axis=(1, 2)) > 1000
    with pytest.raises(
        pl.ModelError, match='bearing "B": deep groove ball bearing: has no rating, which its life needs'
    ):
        loads.lives()
    with pytest.raises(pl.PitchlineError, match='there is no bearing "C"'):
        pl.rolling_loads(pl.statics(m), "C")
