"""Contact of elastic flanks: what is asked wrongly, its tables, and its pictures."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from references.elastic_pair import COARSE, MODULE, gears

from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.gears import Gear
from pitchline.parts.contact.drawing_flank import plot_flank_contact
from pitchline.parts.contact.flank_contact import flank_contact
from pitchline.parts.contact.results_flank import FlankContact
from pitchline.parts.gears.teeth import Teeth


@cache
def held() -> tuple[ElasticGear, ElasticGear]:
    a, b = (elastic_gear(t, grid=COARSE, cache=False) for t in gears())
    return a, b


@cache
def found() -> FlankContact:
    return flank_contact(*held(), torque=["20 N*m", "60 N*m"], phase=0.1, strips=10, cells=9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"torque": 0.0}, "not zero"),
        ({"torque": [10.0, -10.0]}, "with the same sign"),
        ({"torque": 10.0, "phase": []}, "in pitches"),
        ({"torque": 10.0, "bore": "glued"}, '"fixed", "free" or "shaft"'),
        ({"torque": 10.0, "method": "guess"}, '"cells", "strips" or "nodes"'),
        ({"torque": 10.0, "strips": 2}, "strips"),
        ({"torque": 10.0, "elements_a": {"face_elements": 3}}, "Leave out elements_a"),
    ],
)
def test_mistakes_are_named(options: dict[str, object], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        flank_contact(*held(), **options)  # type: ignore[arg-type]


def test_gears_are_asked_for() -> None:
    with pytest.raises(ModelError, match="b must be a Gear, Teeth or an ElasticGear"):
        flank_contact(held()[0], "gear", torque=10.0)  # type: ignore[arg-type]
    ring = Teeth(
        Gear(teeth=40, internal=True, normal_module=MODULE, face_width="10 mm", rim_diameter="110 mm"), cutter_teeth=15
    )
    with pytest.raises(ModelError, match="the pinion first"):
        flank_contact(ring, held()[0], torque=10.0)


def test_progress_comes_to_its_end() -> None:
    told: list[float] = []
    flank_contact(*held(), torque=5.0, strips=8, cells=7, progress=lambda part, what: told.append(part))
    assert told[-1] == 1.0 and told == sorted(told)


def test_the_table_has_a_line_for_each_pair_of_teeth() -> None:
    lines = found().table().splitlines()
    assert len(lines) == 2 + found().tooth_pairs.sum()
    assert str(found()).startswith("contact of elastic flanks of 17/23 teeth by cells, left flanks of gear A")
    assert sum(found().shares(0).values()) == pytest.approx(1.0)


def test_teeth_that_carry_nothing_have_no_patch() -> None:
    with pytest.raises(PitchlineError, match="these do: -1, 0"):
        found().patch(0, 0, 5)


def test_strips_say_where_they_are_not_good_enough() -> None:
    wide = flank_contact(*held(), torque="4000 N*m", phase=0.1, method="strips")
    assert any("half widths" in text for text in wide.warnings)
    assert any("gaps of strips are computed up to" in text for text in wide.warnings)
    assert not found().warnings


def test_patches_are_drawn_on_the_flank_where_they_are() -> None:
    picture = plot_flank_contact(found())
    panels = [ax for ax in picture.axes if ax.get_xlabel() != "" or ax.get_title(loc="left")]
    assert [ax.get_title(loc="left") for ax in panels] == ["20 N·m", "60 N·m"]
    flank = found().a.left
    for ax, now in zip(panels, (found().patches[t][0] for t in (0, 1)), strict=True):
        drawn = [line.get_xydata() for line in ax.lines if line.get_color() == "#7A1F00"]
        assert len(drawn) == 2 * len(now)
        for patch, low, high in zip(now, drawn[::2], drawn[1::2], strict=True):
            assert 1e-3 * np.ptp(low[:, 0]) == pytest.approx(patch.ends[1] - patch.ends[0])
            # in the scale of the face: as wide as the patch, about the roll length of its middle
            assert 1e-3 * (high - low)[:, 1].max() == pytest.approx(patch.width, rel=0.02)
            arc = float(patch.roll_a.mean()) ** 2 / (2.0 * flank.involute.base_radius)
            assert 0.5e-3 * (high + low)[:, 1].mean() == pytest.approx(arc, abs=0.1 * patch.width)


@pytest.mark.parametrize("over", ["roll length", "diameter"])
def test_the_upright_axis_can_be_chosen(over: str) -> None:
    ax = plot_flank_contact(found(), torque=60.0, over=over).axes[0]
    assert over in ax.get_ylabel()
    low, high = ax.get_ylim()
    ends = found().a.left.form_roll_length(0.0), found().a.left.tip_roll_length(0.0)
    if over == "diameter":
        ends = tuple(2.0 * found().a.left.involute.radius(L) for L in ends)
    assert low < 1e3 * ends[0] < 1e3 * ends[1] < high


def test_the_teeth_show_the_colours_of_the_patch(tmp_path: Path) -> None:
    """Yellow, the end of the colours, is there where the patch is and only with it."""
    path = tmp_path / "teeth.png"
    full = plot_flank_contact(found(), "teeth", width=2.4, close_up="4 mm", limit=1e8, path=path)
    pale = plot_flank_contact(found(), "teeth", width=2.4, close_up="4 mm", limit=1e13)

    def yellow(figure: object) -> int:
        image = np.asarray(figure.axes[0].images[0].get_array())  # type: ignore[attr-defined]
        return int(((image[..., 0] > 0.7) & (image[..., 1] > 0.7) & (image[..., 2] < 0.35)).sum())

    assert path.stat().st_size > 1000
    assert yellow(full) > 20 > yellow(pale)


def test_pictures_that_are_not_there_are_named() -> None:
    for options, words in (
        ({"what": "tooth"}, "teeth"),
        ({"over": "height"}, "roll length"),
        ({"position": 3}, "1 positions"),
        ({"torque": 30.0}, "only 20, 60"),
    ):
        with pytest.raises(PitchlineError, match=words):
            plot_flank_contact(found(), **options)  # type: ignore[arg-type]
