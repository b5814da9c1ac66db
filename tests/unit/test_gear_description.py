"""A gear is the whole description: fixed, equal by content, hashable, in words; teeth and grids follow from it."""

import copy
import json
import pickle

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.gears import data_sheet

SPUR = {"teeth": 24, "normal_module": "2 mm", "face_width": "20 mm"}
RELIEF, CROWNING = pl.TipRelief("10 um", length="1 mm"), pl.LeadCrowning("5 um")
GRID = pl.DeviationGrid([[0.0, 1e-6], [2e-6, 0.0]], roll_lengths=[5e-3, 10e-3], faces=[-0.01, 0.01])
WEB = pl.GearBody(bore="10 mm", rim_thickness="4 mm", web_thickness="6 mm", hub_diameter="20 mm")


def whole(**changes: object) -> pl.Gear:
    """A gear that says everything."""
    said: dict[str, object] = {
        "modifications": pl.FlankModifications(
            [RELIEF, CROWNING], left=GRID, per_tooth={3: pl.PitchDeviation("5 um"), (7, "right"): pl.Bias("1 um")}
        ),
        "tool": pl.Hob(protuberance="0.03 mm"),
        "body": WEB,
    }
    return pl.Gear(**SPUR, **(said | changes))


def test_equal_and_hashable_by_content() -> None:
    again = pl.DeviationGrid(GRID.values.tolist(), roll_lengths=["5 mm", "10 mm"], faces=[-0.01, 0.01])
    one, other = whole(), whole()
    assert again == GRID and hash(again) == hash(GRID) and again is not GRID
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    for changes in (
        {"modifications": None},
        {"modifications": RELIEF},
        {"tool": None},
        {"body": WEB.with_(hub_diameter="22 mm")},
        {"profile_shift_angle": "1 deg"},
    ):
        assert whole(**changes) != one
    assert pl.DeviationGrid(GRID.values * 2, roll_lengths=GRID.roll_lengths, faces=GRID.faces) != GRID


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda gear: pickle.loads(pickle.dumps(gear))])
def test_copies_are_equal_and_as_fixed(again) -> None:
    gear = again(whole())
    assert gear == whole() and hash(gear) == hash(whole())
    with pytest.raises(AttributeError):
        gear.teeth = 25
    with pytest.raises(AttributeError):
        gear.modifications.both = ()
    values = gear.modifications.left[0].values
    with pytest.raises(ValueError, match="read-only"):
        values[0, 0] = 1.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        values.flags.writeable = True


def test_what_was_given_may_change_afterwards() -> None:
    array, parts = np.zeros((2, 2)), [RELIEF]
    grid = pl.DeviationGrid(array, roll_lengths=[5e-3, 1e-2], faces=[-0.01, 0.01])
    gear = pl.Gear(**SPUR, modifications=parts)
    array[:] = 1.0
    parts.append(CROWNING)
    assert not grid.values.any() and gear.modifications.both == (RELIEF,)


def test_ways_to_say_modifications() -> None:
    said = pl.FlankModifications(RELIEF)
    assert pl.Gear(**SPUR, modifications=RELIEF).modifications == said
    assert pl.Gear(**SPUR, modifications=[RELIEF]).modifications == said
    assert pl.Gear(**SPUR, modifications={"both": (RELIEF,)}).modifications == said
    assert pl.Gear(**SPUR, modifications=RELIEF + CROWNING) == pl.Gear(**SPUR, modifications=[RELIEF, CROWNING])
    assert pl.Gear(**SPUR, modifications=[]) == pl.Gear(**SPUR) and not pl.Gear(**SPUR).modifications
    order = {(7, "right"): RELIEF, 3: CROWNING}, {3: CROWNING, (7, "right"): RELIEF}
    assert pl.FlankModifications(per_tooth=order[0]) == pl.FlankModifications(per_tooth=order[1])


def test_short_forms_of_the_body_and_of_the_tool() -> None:
    gear = pl.Gear(**SPUR, bore="10 mm")
    assert (
        gear
        == pl.Gear(**SPUR, body=pl.GearBody(bore="10 mm"))
        == pl.Gear(**SPUR, bore=0.01, body=pl.GearBody(bore=0.01))
    )
    assert gear.bore == 0.01 and gear.with_(bore="12 mm").body == pl.GearBody(bore="12 mm")
    assert whole().with_(bore="12 mm").body == WEB.with_(bore="12 mm")
    assert pl.Gear(**SPUR, tool=pl.Hob()) == pl.Gear(**SPUR)
    with pytest.raises(ModelError, match=r"bore is 12 mm, and 10 mm in the body. Specify it once"):
        pl.Gear(**SPUR, bore="12 mm", body=pl.GearBody(bore="10 mm"))


def test_teeth_follow_from_the_gear_and_their_arguments_are_a_short_form() -> None:
    gear = whole()
    teeth = pl.Teeth(gear)
    short = pl.Teeth(
        pl.Gear(**SPUR, body=WEB), both=[RELIEF, CROWNING], left=GRID, protuberance="0.03 mm",
        per_tooth={3: pl.PitchDeviation("5 um"), (7, "right"): pl.Bias("1 um")},
    )  # fmt: skip
    assert teeth.gear is gear and short.gear == gear and short.rack == teeth.rack
    L, z = (
        np.linspace(*(float(x) for x in (teeth.left.form_roll_length(0.0), teeth.left.tip_roll_length(0.0))), 7),
        0.004,
    )
    for side in ("left", "right"):
        for tooth in (0, 3, 7):
            assert np.array_equal(teeth.flank(side).deviation(L, z, tooth), short.flank(side).deviation(L, z, tooth))
    assert pl.Teeth(gear, both=RELIEF).gear.modifications == pl.FlankModifications(RELIEF)  # they replace
    ring = pl.Gear(teeth=60, normal_module="2 mm", internal=True, tool=pl.Shaper(teeth=25, tip_rounding="0.4 mm"))
    assert (
        pl.Teeth(ring).cutter == pl.Teeth(ring.with_(tool=None), cutter_teeth=25, cutter_tip_rounding="0.4 mm").cutter
    )


def test_beveloids_by_the_gear_alone() -> None:
    gear = pl.Gear(**SPUR, helix_angle="10 deg", profile_shift_angle="4 deg")
    short = pl.Teeth(gear.with_(profile_shift_angle=0), profile_shift_angle="4 deg")
    teeth = pl.Teeth(gear)
    assert short.gear == gear
    z = np.linspace(-0.01, 0.01, 5)
    for side in ("left", "right"):
        a, b = teeth.flank(side), short.flank(side)
        assert np.array_equal(a.point(a.tip_roll_length(z), z), b.point(b.tip_roll_length(z), z))


@pytest.mark.parametrize("degrees", [-7.0, 3.0, 10.0])
def test_numbers_of_a_straight_beveloid_are_those_of_its_teeth(degrees: float) -> None:
    gear = pl.Gear(
        teeth=30, normal_module="2 mm", face_width="10 mm", profile_shift_angle=f"{degrees} deg", profile_shift=0.2
    )
    teeth = pl.Teeth(gear)
    assert gear.base_diameter == pytest.approx(2 * teeth.left.involute.base_radius, rel=1e-14)
    assert gear.root_form_diameter == pytest.approx(teeth.root_form_diameter, rel=1e-12)
    assert gear.root_diameter == pytest.approx(2 * abs(complex(teeth.left.root.section(0.0, 0.0))), rel=1e-12)
    for d in (gear.reference_diameter, gear.tip_diameter):
        assert gear.tooth_thickness_at(d) == pytest.approx(float(teeth.tooth_thickness(d)), rel=1e-12)
    with pytest.raises(ModelError, match="separate base helix angles"):
        _ = gear.base_helix_angle
    with pytest.raises(ModelError, match="separate transverse pressure angles and base circles"):
        _ = gear.with_(helix_angle="10 deg").base_diameter


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"modifications": 3}, "gear: modifications: both: expected a modification such as TipRelief"),
        ({"modifications": {"bth": RELIEF}}, "gear: modifications: there is no 'bth'; did you mean \"both\""),
        ({"modifications": {"per_tooth": {24: RELIEF}}}, "tooth 24: the gear has the teeth 0 to 23"),
        ({"modifications": {"per_tooth": {(1, "top"): RELIEF}}}, 'a side must be "left" or "right"'),
        ({"modifications": {"per_tooth": {-1: RELIEF}}}, "teeth are counted from 0"),
        ({"modifications": RELIEF, "cone_angle": "30 deg"}, "flanks of a bevel wheel .* cannot be modified"),
        ({"tool": pl.Shaper(teeth=20)}, "external ones by a Hob"),
        ({"tool": "hob"}, "tool must be a Hob or a Shaper"),
        ({"tool": pl.Hob(protuberance="1 um"), "internal": True}, "internal teeth are cut by a Shaper"),
        ({"tool": pl.Hob(protuberance="1 um"), "cone_angle": "30 deg"}, "do not depend on a tool"),
        ({"body": 3}, "body must be a GearBody"),
        ({"body": pl.GearBody(rim_thickness="30 mm", web_thickness="5 mm")}, "leaves no web"),
        ({"body": pl.GearBody(rim_thickness="3 mm", web_thickness="20 mm")}, "must be less than the face width 20 mm"),
        (
            {"body": pl.GearBody(bore="20 mm", hub_diameter="15 mm", rim_thickness="3 mm", web_thickness="5 mm")},
            "hub_diameter",
        ),
        ({"body": WEB, "cone_angle": "30 deg"}, "cannot have a web"),
        (
            {"body": pl.GearBody(rim_thickness="3 mm", web_thickness="5 mm"), "internal": True},
            "are for external gears",
        ),
        ({"profile_shift_angle": "4 deg", "cone_angle": "30 deg"}, "Leave out cone_angle, or profile_shift_angle"),
        ({"profile_shift_angle": "4 deg", "internal": True}, "Leave out internal, or profile_shift_angle"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, object], text: str) -> None:
    with pytest.raises(ModelError, match=text):
        pl.Gear(**SPUR, **changes)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: pl.Hob(protuberance_angle="10 deg"), "has no effect without a protuberance"),
        (
            lambda: pl.GearBody(rim_thickness="3 mm"),
            "requires both rim_thickness and web_thickness. Specify web_thickness",
        ),
        (lambda: pl.GearBody(hub_diameter="30 mm"), "is for a wheel with a web"),
        (lambda: pl.GearBody(boer="3 mm"), "boer"),
        (lambda: pl.FlankModifications(per_tooth=[RELIEF]), "must be modifications by tooth"),
    ],
)
def test_parts_that_are_wrong_alone(make, text: str) -> None:
    with pytest.raises(ModelError, match=text):
        make()


def test_modifications_that_cannot_be_hashed_are_refused() -> None:
    class Own(pl.Modification):
        __hash__ = None  # type: ignore[assignment]

        def deviation(self, flank, length, face):
            raise NotImplementedError

    with pytest.raises(ModelError, match="a Own cannot be hashed"):
        pl.Gear(**SPUR, modifications=Own())


def test_a_relief_that_does_not_fit_is_said_early() -> None:
    gear = pl.Gear(**SPUR, modifications=pl.TipRelief("10 um", length="50 mm"))
    assert any("teeth cannot be made: tip relief: begins at" in text for text in gear.warnings)
    with pytest.raises(ModelError, match="tip relief: begins at the roll length"):
        pl.Teeth(gear)
    beside = pl.DeviationGrid(np.zeros((2, 2)), roll_lengths=[5e-3, 1e-2], faces=[0.008, 0.028])
    assert any("ζ counts from its middle" in text for text in pl.Gear(**SPUR, modifications=beside).warnings)


def test_in_words() -> None:
    text = repr(whole())
    assert text.count("\n") == 4 and "array" not in text
    assert text.startswith("Gear(24 teeth, m_n 2 mm, α_n 20°, b 20 mm)\n")
    assert (
        "modifications: tip relief 10 µm over 1 mm, lead crowning 5 µm; left: measured flank of 2 × 2 points; tooth 3:"
        in text
    )
    assert "tool: hob with protuberance 30 µm" in text and "body: bore 10 mm, rim 4 mm, web 6 mm, hub 20 mm" in text
    sheet = whole().data_sheet()
    assert sheet == data_sheet(whole()) and isinstance(sheet, tuple) and "lead crowning 5 µm" in str(sheet)
    cone = pl.Gear(**SPUR, helix_angle="-10 deg", profile_shift_angle="4 deg")
    assert "β 10° left-hand" in repr(cone) and "θ 4°" in repr(cone)
    assert {"θ"} == {row.symbol for row in cone.data_sheet()} - {row.symbol for row in whole().data_sheet()}


def test_measures_are_of_cylinders() -> None:
    cone = pl.Gear(**SPUR, profile_shift_angle="4 deg")
    for measure in (pl.gears.teeth.span, pl.gears.teeth.over_balls, pl.gears.teeth.ball_diameter):
        with pytest.raises(ModelError, match="not defined for a conical involute gear"):
            measure(cone)


def test_descriptions_give_the_gear_again() -> None:
    """What result files say of a gear is enough for its data sheet."""
    from pitchline.model.describe import plain_data
    from pitchline.parts.gears.part import gear_of

    ring = pl.Gear(teeth=60, normal_module="2 mm", internal=True, rim_diameter="140 mm", tool=pl.Shaper(teeth=25))
    for gear in (whole(), ring, pl.Gear(**SPUR, bore="10 mm", profile_shift_angle="4 deg")):
        said = json.loads(json.dumps(plain_data(gear)))
        assert gear_of(said) == gear
    old = {
        key: value for key, value in said.items() if key not in ("body", "tool", "modifications", "profile_shift_angle")
    }
    assert gear_of(old) == pl.Gear(**SPUR, bore="10 mm")


@pytest.mark.parametrize(
    "given",
    [
        pl.TipRelief(12, length="1 mm"),
        {"per_tooth": {3: pl.PitchDeviation(-5)}},
        {"left": GRID, "right": [CROWNING, pl.Bias("3 mm")]},
    ],
)
def test_deviations_beyond_a_module_are_refused(given: object) -> None:
    """12 in place of "12 um" are twelve metres."""
    with pytest.raises(ModelError, match=r"more than the normal module \(2 mm\). Numbers without a unit are metres"):
        pl.Gear(**SPUR, modifications=given)
    coarse = pl.DeviationGrid([[0.0, 1.0], [2.0, 0.0]], roll_lengths=[5e-3, 10e-3], faces=[-0.01, 0.01])
    with pytest.raises(ModelError, match="measured flank of 2 × 2 points: it is up to 2000 mm"):
        pl.Gear(**SPUR, modifications=coarse)
