"""Gears in model files: modifications, tool, body, measured flanks; what is written reads back to the same gear."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.files import check, read

HEAD = """name = "pair"
[gears.wheel]
teeth = 57
normal_module = "3 mm"
face_width = "30 mm"
"""
CSV = "L\\\\z;-15;0;15\n# measured on Monday\n10,0;0;1;2\n20;0;-1,5;2\n30;1;1;1;\n"
GRID = pl.DeviationGrid(
    [[0, 1e-6, 2e-6], [0, -1.5e-6, 2e-6], [1e-6, 1e-6, 1e-6]],
    roll_lengths=[0.01, 0.02, 0.03],
    faces=[-0.015, 0.0, 0.015],
)


def gear_of(folder: Path, text: str) -> pl.Gear:
    (folder / "flank.csv").write_text(CSV, encoding="utf-8")
    file = folder / "model.toml"
    file.write_text(f'{HEAD}{text}\n[bodies.wheel]\ngear = "wheel"\n', encoding="utf-8")
    gear = read(file).model.wheels["wheel"].gear
    assert isinstance(gear, pl.Gear)
    return gear


def test_everything_a_gear_says(tmp_path: Path) -> None:
    gear = gear_of(
        tmp_path,
        """
profile_shift_angle = "2 deg"
tool = { kind = "hob", protuberance = "0.05 mm", protuberance_angle = "14 deg" }
body = { bore = "30 mm", rim_thickness = "8 mm", web_thickness = "10 mm", hub_diameter = "50 mm" }
[gears.wheel.modifications]
both = { kind = "tip_relief", amount = "20 um", length = "2 mm" }
left = [{ kind = "deviation_grid", file = "flank.csv", length_unit = "mm", deviation_unit = "um" }]
right = [{ kind = "helix_slope", amount = "3 um" }, { kind = "end_relief", amount = "4 um", length = "2 mm", end = "upper" }]
[gears.wheel.modifications.per_tooth]
3 = { kind = "pitch_deviation", amount = "8 um" }
"5 left" = [{ kind = "bias", amount = "2 um" }]
""",
    )
    said = gear.modifications
    assert gear.profile_shift_angle == pytest.approx(np.radians(2)) and gear.body.hub_diameter == 0.05
    assert gear.tool == pl.Hob(protuberance="0.05 mm", protuberance_angle="14 deg")
    assert said.both == (pl.TipRelief("20 um", length="2 mm"),) and len(said.right) == 2
    assert [key for key, _ in said.per_tooth] == [(3, "both"), (5, "left")]
    assert np.allclose(said.left[0].values, GRID.values, atol=1e-20)  # type: ignore[attr-defined]
    again = read(_model(gear).to_toml()).model.wheels["wheel"].gear
    assert again == gear and hash(again) == hash(gear)


def _model(gear: pl.Gear) -> pl.Model:
    m = pl.Model("written")
    m.gear_body("wheel", gear)
    return m


RING = pl.Gear(teeth=60, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="140 mm")


@pytest.mark.parametrize(
    "gear",
    [
        RING.with_(tool=pl.Shaper(teeth=25)),
        RING.with_(tool=pl.Shaper(tip_rounding="0.4 mm"), modifications=pl.ProfileCrowning("3 um")),
        pl.Gear(
            teeth=20,
            normal_module=0.0031,
            face_width="1 in",
            modifications={"right": GRID, "per_tooth": {(2, "left"): GRID}},
        ),
        pl.Gear(
            teeth=20,
            normal_module="2 mm",
            face_width=0.02,
            bore="10 mm",
            modifications=pl.RootRelief(1e-5, diameter=0.039),
        ),
    ],
)
def test_written_and_read(gear: pl.Gear) -> None:
    text = _model(gear).to_toml()
    assert read(text).model.wheels["wheel"].gear == gear
    assert ("bore = " in text) == bool(gear.bore) and "body" not in text.split("[bodies")[0]


def test_one_list_is_of_all_flanks(tmp_path: Path) -> None:
    one = gear_of(tmp_path, 'modifications = { kind = "lead_crowning", amount = "5 um" }')
    many = gear_of(tmp_path, 'modifications = [{ kind = "lead_crowning", amount = "5 um" }]')
    assert one == many and one.modifications == pl.FlankModifications(pl.LeadCrowning("5 um"))


def test_the_solid_of_a_gear(tmp_path: Path) -> None:
    gear = gear_of(tmp_path, 'bore = "30 mm"')
    text = (
        (tmp_path / "model.toml").read_text()
        + """
[bodies.shaft]
position = ["1 m", 0, 0]
[bodies.shaft.solid]
kind = "sum"
parts = [
  { kind = "tube", outer_radius = "15 mm", inner_radius = "5 mm", length = "0.2 m", density = "7830 kg/m^3" },
  { kind = "gear", gear = "wheel", moved = [0, 0, "50 mm"] },
]
"""
    )
    shaft = read(text).model.bodies["shaft"]
    tube = pl.tube("15 mm", "5 mm", "0.2 m", density=7830)
    assert shaft.mass == (tube + gear.solid.moved((0, 0, 0.05))).mass


@pytest.mark.parametrize(
    ("said", "place", "text"),
    [
        ("modifications = 3", "modifications", "must be a list of modifications"),
        ('modifications = [{ kind = "tip_releif" }]', "modifications[0].kind", 'did you mean "tip_relief"'),
        ('modifications = { kind = "tip_relief", amount = "2 N" }', "modifications.amount", "expected length"),
        ("modifications = { lefft = [] }", "modifications.lefft", 'did you mean "left"'),
        (
            'modifications = { per_tooth = { "57" = { kind = "bias", amount = "2 um" } } }', "modifications.per_tooth",
            "the teeth 0 to 56",
        ),
        ('modifications = { per_tooth = { "x" = [] } }', "modifications.per_tooth.x", "a tooth number"),
        ('modifications = { per_tooth = { "3" = [], " 3" = [] } }', 'modifications.per_tooth." 3"', "already specified"),
        ('modifications = [{ kind = "deviation_grid", file = "../x.csv" }]', "modifications[0].file", "outside the folder"),
        ('modifications = [{ kind = "deviation_grid", file = "x.csv" }]', "modifications[0].file", "cannot be read: No such file"),
        ('modifications = [{ kind = "deviation_grid", file = "flank.csv" }]', "modifications[0]", 'such as length_unit="mm"'),
        ('modifications = [{ kind = "deviation_grid", values = [[0, 1]], faces = [0, 1] }]', "modifications[0]", "roll_lengths"),
        ('tool = "hob"', "tool", "must be a table with a kind"),
        ('tool = { kind = "hob", teeth = 3 }', "tool.teeth", "unknown key"),
        ('tool = { kind = "hob", protuberance = "-1 mm" }', "tool.protuberance", "must not be negative"),
        ('body = { bore = "10 mm", hub_diameter = "30 mm" }', "body.hub_diameter", "is for a wheel with a web"),
        ('body = { bore = "10 mm" }\nbore = "12 mm"', "bore", "Specify it once"),
    ],
)  # fmt: skip
def test_problems_have_their_place(tmp_path: Path, said: str, place: str, text: str) -> None:
    (tmp_path / "flank.csv").write_text(CSV, encoding="utf-8")
    file = tmp_path / "model.toml"
    file.write_text(f'{HEAD}{said}\n[bodies.wheel]\ngear = "wheel"\n', encoding="utf-8")
    (problem,) = check(file)
    assert problem.key == f"gears.wheel.{place}" and text in problem.message
    assert problem.line == 6 + (place == "bore")


def test_a_text_has_no_folder() -> None:
    (problem,) = check(HEAD + 'modifications = [{ kind = "deviation_grid", file = "flank.csv" }]\n')
    assert "Save it as a file first" in problem.message


def test_csv_with_other_separators(tmp_path: Path) -> None:
    for name, text in (
        ("a.csv", "x, -0.015, 0, 0.015\n0.01,0,1e-6,2e-6\n0.02,0,-1.5e-6,2e-6\n0.03,1e-6,1e-6,1e-6\n"),
        ("b.txt", "x -0.015 0 0.015\n0.01 0 1e-6 2e-6\n\n0.02 0 -1.5e-6 2e-6\n0.03 1e-6 1e-6 1e-6\n"),
        ("c.tsv", "\t-0,015\t0\t0,015\n0,01\t0\t1e-6\t2e-6\n0,02\t0\t-1,5e-6\t2e-6\n0,03\t1e-6\t1e-6\t1e-6\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert pl.DeviationGrid.from_csv(tmp_path / name) == GRID


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,0,1\n1,2\n2,3,4\n", {}, "line 2: 2 cells, the first row has 3"),
        ("x,0,1\n1,2,a\n2,3,4\n", {}, "line 2, cell 3: expected a number, got 'a'"),
        ("x,0,1\n", {}, "requires a row of face coordinates and at least two roll lengths"),
        (
            "x,-1,1\n1,0,0\n2,0,9\n",
            {"length_unit": "mm"},
            'deviations are up to 9 m. Specify their unit.*deviation_unit="um"',
        ),
        ("x,-1,1\n2,0,0\n1,0,0\n", {"length_unit": "mm"}, "roll_lengths must be at least two increasing numbers"),
        ("x,-1,1\n1,0,0\n2,0,0\n", {"length_unit": "kg"}, "length"),
        ("x,-1,1\n1,0,nan\n2,0,0\n", {"length_unit": "mm"}, "deviations reach nan|finite"),
    ],
)
def test_csv_that_is_wrong(tmp_path: Path, text: str, options: dict[str, str], message: str) -> None:
    (tmp_path / "flank.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        pl.DeviationGrid.from_csv(tmp_path / "flank.csv", **options)


def test_modifications_of_the_user_cannot_be_written() -> None:
    class Own(pl.Modification):
        def deviation(self, flank, length, face):
            return pl.PitchDeviation("1 um").deviation(flank, length, face)

    gear = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm", modifications=Own())
    with pytest.raises(ModelError, match='gear "wheel": modifications: a Own is not supported in model files'):
        _model(gear).to_toml()
