"""Parts of the report: numbers, words, variants, and gears from a description."""

import math

import pytest
from references.reported import machine, result

from pitchline.parts.gears.part import gear_of, pair_of
from pitchline.views.report.html import code, table, tag, text
from pitchline.views.report.model_words import differences
from pitchline.views.report.numbers import number, quantity, vector
from pitchline.views.report.page import main_signals

# --- pieces --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"), (-66.66667, "−66.67"), (16712.0, "16712"), (1e-6, "10⁻⁶"), (1.234e-5, "1.234·10⁻⁵"), (math.nan, "–"),
        (-math.inf, "−∞"),
        (1234567, "1\N{NARROW NO-BREAK SPACE}234\N{NARROW NO-BREAK SPACE}567"), (True, "yes"),
        (2.5e9, "2.5·10⁹"),
    ],
)  # fmt: skip
def test_numbers(value, shown):
    assert number(value) == shown


def test_quantities_take_a_prefix():
    assert quantity(2.587e9, "N/m") == "2.587 GN/m"
    assert quantity(1.2e-4, "m") == "0.12 mm"
    assert vector((1.0, 1e-17, -2.0)) == "1, 0, −2"


def test_html_pieces_escape():
    assert tag("p", "<x>", title='a"b') == '<p title="a&quot;b">&lt;x&gt;</p>'
    assert text("\x00") == "\ufffd"
    assert code("a.b_<c>") == "<code>a.<wbr>b_&lt;c&gt;</code>"
    assert table(["h"], []) == ""


def test_gears_and_pairs_are_made_again_from_descriptions():
    m = machine()
    said = m.describe()
    assert gear_of(said["wheels"]["pinion"]["gear"]) == m.wheels["pinion"].gear
    made = pair_of(said["gear_pairs"]["mesh"], said)
    assert made is not None
    assert made.total_contact_ratio == pytest.approx(m.gear_pairs["mesh"].pair.total_contact_ratio)
    assert gear_of({"type": "Gear", "teeth": -1}) is None and gear_of(None) is None


@pytest.mark.parametrize(
    "name", ["worm", "hypoid", "crossed-helical", "rack-and-pinion", "internal-pair", "spiral-bevel", "bevel-pair"]
)
def test_every_kind_of_pair_is_made_again(name):
    from pitchline.gallery import model

    said = model(name).build().describe()
    for one in said["gear_pairs"].values():
        made = pair_of(one, said)
        assert made is not None and str(made.kind) == one["kind"]


def test_main_signals_are_speeds_forces_and_torques():
    run = result()
    assert main_signals(run, run.model) == [
        "input.angular_speed", "output.angular_speed", "mesh.normal_force", "motor.torque",
    ]  # fmt: skip


def test_differences_of_descriptions():
    found = differences({"a": {"b": [1, {"c": 2}]}, "d": 1}, {"a": {"b": [1, {"c": 3}]}, "e": 1})
    assert [place for place, *_ in found] == ["a.b[1].c", "d", "e"]
