"""Tables and pictures of a machine with shafts and rolling bearings: in Python, in files, at the command line, in
reports.
"""

import math
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline import cli
from pitchline.files import read
from pitchline.parts.bearings.life import friction_torque, hours, life_factor
from pitchline.results.tables_results import ResultTable, TableColumn, TableRow

FILE = """
name = "one shaft"

[shafts.input]
sections = [
    { length = "40 mm", outer = "25 mm" }, { length = "60 mm", outer = "40 mm" }, { length = "50 mm", outer = "30 mm" },
]
stations = { left = "20 mm", middle = "70 mm", right = "130 mm" }
speed = "1500 rpm"

[elements.B1]
type = "bearing"
a = "ground"
b = "input left"
[elements.B1.design]
kind = "deep_groove_ball_from_catalogue"
bore = "25 mm"
outer = "52 mm"
width = "15 mm"
C = "14 kN"
C0 = "7.85 kN"

[elements."B 2"]
type = "bearing"
a = "ground"
b = "input right"
[elements."B 2".design]
kind = "cylindrical_roller_from_catalogue"
bore = "30 mm"
outer = "62 mm"
width = "16 mm"
C = "39 kN"
C0 = "37.5 kN"

[loads.push]
kind = "force"
on = "input middle"
value = [0, "-2 kN", "800 N"]

[loads.twist]
kind = "torque"
on = "input start"
value = [0, 0, "100 N*m"]

[loads.brake]
kind = "bushing"
a = "ground"
b = "input end"
stiffness = [0, 0, 0, 0, 0, "1e5 N*m/rad"]

[[analyses]]
name = "rest"
kind = "statics"

[figures]
life = { value = "= analyses.rest.bearing_lives.B1.life_time", unit = "h" }
load = { value = "= analyses.rest.bearing_loads['B 2'].radial", unit = "N" }
stress = { value = "= analyses.rest.shaft_deflections['input middle'].bending_stress", unit = "MPa" }

[[plot]]
what = "shaft"

[[plot]]
what = "bearing"
bearing = "B1"
name = "ball"
"""


@pytest.fixture(scope="module")
def rest() -> pl.Result:
    found = read(FILE).run()["rest"]
    assert isinstance(found, pl.Result)
    return found


def test_bearing_lives_by_hand(rest: pl.Result) -> None:
    """P of a deep groove bearing from its loads: F_a / (Z D_w²) gives Y; L10 = (C/P)³."""
    loads, lives = rest.bearing_loads(), rest.bearing_lives()
    radial, axial = loads["B1", "radial"], abs(loads["B1", "axial"])
    assert axial == pytest.approx(800.0, rel=1e-6)
    design = pl.rolling_loads(rest, "B1").bearing.design
    relative = axial / (design.number * (1e3 * design.diameter) ** 2)
    assert 1.38 < relative < 2.07
    y = 1.45 + (relative - 1.38) / (2.07 - 1.38) * (1.31 - 1.45)
    assert lives["B1", "load"] == pytest.approx(0.56 * radial + y * axial, rel=1e-6)
    life = (14e3 / lives["B1", "load"]) ** 3
    assert lives["B1", "life"] == pytest.approx(life, rel=1e-9)
    assert lives["B1", "life_time"] == pytest.approx(3600.0 * hours(life, 50.0 * math.pi), rel=1e-9)
    assert lives["B1", "reference_life"] == pytest.approx(float(pl.rolling_loads(rest, "B1").lives()[0]), rel=1e-9)
    assert lives["B1", "static_safety"] == pytest.approx(7.85e3 / max(radial, 0.6 * radial + 0.5 * axial), rel=1e-9)
    assert lives["B 2", "load"] == pytest.approx(loads["B 2", "radial"], rel=1e-9)
    assert lives["B 2", "life"] == pytest.approx((39e3 / loads["B 2", "radial"]) ** (10.0 / 3.0), rel=1e-9)
    assert lives["B1", "max_pressure"] == pytest.approx(float(rest["B1.max_pressure"].final))


def test_modified_life_by_hand(rest: pl.Result) -> None:
    """κ = ν/ν_1 with ν_1 = 4500 / √(n D_pw), C_u = C_0/22, a_ISO of balls for 1 ≤ κ ≤ 4."""
    lives = rest.bearing_lives(viscosity="15 cSt", contamination=0.6, reliability=0.95)
    kappa = 15.0 / (4500.0 / math.sqrt(1500.0 * 38.5))
    assert lives["B1", "viscosity_ratio"] == pytest.approx(kappa, rel=1e-9) and kappa < 1.0
    limit = 7.85e3 / 22.0
    rest_of = 1.0 - (2.5671 - 1.9987 / kappa**0.19087) ** 0.83 * (0.6 * limit / lives["B1", "load"]) ** (1.0 / 3.0)
    assert lives["B1", "modified_life"] == pytest.approx(0.64 * 0.1 * rest_of**-9.3 * lives["B1", "life"], rel=1e-9)
    # of L10r with the load of which L10r is the basic life
    factor = lives["B1", "modified_reference_life"] / (0.64 * lives["B1", "reference_life"])
    reference_load = 14e3 * lives["B1", "reference_life"] ** (-1.0 / 3.0)
    assert factor == pytest.approx(life_factor(kappa, 0.6, limit / reference_load, rolling="ball"), rel=1e-9)
    assert "kappa" in str(lives) and "kappa" not in str(rest.bearing_lives())
    thin = rest.bearing_lives(viscosity="1 cSt")
    assert math.isnan(thin["B1", "modified_life"]) and any("too thin" in note for note in thin.notes)
    for wrong, message in (
        ({"contamination": 0.5}, "give the viscosity"),
        ({"viscosity": "1 cSt", "contamination": 2}, "from 0, severe"),
    ):
        with pytest.raises(pl.ModelError, match=message):
            rest.bearing_lives(**wrong)


def test_lives_over_a_load_spectrum(rest: pl.Result) -> None:
    alone = rest.bearing_lives()
    same = pl.bearing_lives_over([(rest, 3.0), (rest, 1.0)])
    for key in ("load", "life", "life_time", "reference_life"):
        assert same["B1", key] == pytest.approx(alone["B1", key], rel=1e-9)
    for wrong, message in (
        ([], "at least one result"),
        ([(rest, 0.0)], "greater than zero"),
        ([(rest, -1.0)], "not be negative"),
    ):
        with pytest.raises(pl.ModelError, match=message):
            pl.bearing_lives_over(wrong)


def test_bearing_loads_and_shaft_by_hand(rest: pl.Result) -> None:
    """Levers: 2 kN at 50 and 60 mm from the bearings, but for the moment of the ball bearing against its tilt."""
    loads, shaft = rest.bearing_loads(), rest.shaft_deflections()
    tilting = loads["B1", "tilting"] + loads["B 2", "tilting"]
    assert loads["B1", "radial"] + loads["B 2", "radial"] == pytest.approx(2000.0, rel=1e-4)
    assert loads["B1", "radial"] == pytest.approx(2000.0 * 60.0 / 110.0, abs=tilting / 0.11)
    at = shaft["input middle", "bending_moment"]
    assert at == pytest.approx(
        loads["B 2", "radial"] * 0.06 - loads["B 2", "tilting"], abs=2.0 * loads["B 2", "tilting"] + 0.1
    )
    assert shaft["input middle", "bending_stress"] == pytest.approx(at / (math.pi * 0.04**3 / 32), rel=1e-3)
    assert abs(shaft["input left", "torque"]) == pytest.approx(100.0, rel=1e-6)
    line = rest.shaft("input")
    k = int(np.argmin(np.abs(line.place - 0.07)))
    across = (line.deflection @ line.axes)[k]
    assert shaft["input middle", "deflection"] == pytest.approx(math.hypot(across[0], across[1]), rel=1e-6)
    assert shaft["input middle", "place"] == pytest.approx(0.07)
    stiffness = 206e9 / 2.6 * math.pi / 32
    assert shaft["input middle", "twist"] == pytest.approx(
        -100 / stiffness * (0.04 / 0.025**4 + 0.03 / 0.04**4), rel=1e-4
    )
    assert line.twist[[0, k]] == pytest.approx([0.0, shaft["input middle", "twist"]])
    assert not any("node" in name for name in shaft.names)
    assert repr(line).startswith("ShaftLine('input' at 0 s: ") and len(repr(line)) < 130


def test_loads_that_are_zero_are_shown_without_a_direction(rest: pl.Result) -> None:
    """The roller bearing has no axial load; without any load both columns stay, and no direction is made of rounding."""
    assert "axial [N]" in str(rest.bearing_loads()) and "at [deg]" in str(rest.bearing_loads())
    m = pl.Model("upright", gravity=(0, 0, -9.81))
    shaft = m.shaft("s", [pl.ShaftSection("100 mm", outer="25 mm")], stations={"seat": "50 mm"})
    m.bushing("held", m.ground, shaft["seat"], stiffness=(1e8, 1e8, 1e8, 1e4, 1e4, 1e4))
    loads = pl.statics(m).bearing_loads()
    assert loads["held", "axial"] == pytest.approx(9.81 * m.mass) and math.isnan(loads["held", "direction"])
    assert "radial [N]" in str(loads) and "at [deg]" not in str(loads)


def test_friction_of_bearings(rest: pl.Result) -> None:
    table, loads = rest.bearing_friction("20 cSt"), rest.bearing_loads()
    by_hand = friction_torque(
        "CylindricalRoller", loads["B 2", "radial"], 0.0, 50.0 * math.pi, mean_diameter=0.046, viscosity=20e-6
    )
    assert table["B 2", "torque"] == pytest.approx(by_hand.torque, rel=1e-6)
    total = table["B1", "power"] + table["B 2", "power"]
    assert table["total", "power"] == pytest.approx(total)
    with pytest.raises(pl.ModelError, match='unknown lubrication "oil"'):
        rest.bearing_friction("20 cSt", lubrication="oil")


def test_tables_and_figures_of_files(rest: pl.Result) -> None:
    assert list(rest.tables()) == ["bearing_loads", "bearing_lives", "shaft_deflections", "reactions"]
    found = {figure.key: figure.value for figure in read(FILE).findings({"rest": rest})}
    assert found["life"] == pytest.approx(rest.bearing_lives()["B1", "life_time"] / 3600.0)
    assert found["load"] == pytest.approx(rest.bearing_loads()["B 2", "radial"])
    assert found["stress"] == pytest.approx(1e-6 * rest.shaft_deflections()["input middle", "bending_stress"])


@pytest.mark.parametrize(
    "change, message",
    [
        (
            ("bearing_lives.B1.life_time", "bearing_lives.B1.lifetime"),
            'there is no column "lifetime"; did you mean "life_time"',
        ),
        (("bearing_lives.B1.life_time", "bearing_lives.B1"), "specify the row and the column"),
        (('unit = "h"', 'unit = "N"'), "is not a matter of N|in s|time"),
        (('bearing = "B1"\nname', 'bearing = "B3"\nname'), "there is no bearing 'B3'"),
        (('what = "shaft"\n', 'what = "shaft"\nbearing = "B1"\n'), 'only a plot with what = "bearing" has "bearing"'),
        (
            ('what = "shaft"\n', 'what = "shaft"\nsignals = ["B1.force"]\n'),
            'a plot with what = "shaft" has no "signals"',
        ),
        (('what = "shaft"\n', 'what = "shafts"\n'), "there is no picture 'shafts'; did you mean \"shaft\""),
    ],
)
def test_what_is_wrong_in_a_file_is_told_before_the_run(change: tuple[str, str], message: str) -> None:
    with pytest.raises(pl.FileError, match=message):
        read(FILE.replace(*change))


@pytest.mark.slow
def test_command_line_and_report(rest: pl.Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rest.save(tmp_path / "one.nc")
    assert cli.main(["tables", str(path)]) == 0
    text = capsys.readouterr().out
    assert "Lives of bearings" in text and "input middle" in text and "Reactions on ground" in text
    assert cli.main(["tables", str(path), "bearing_lives", "-o", str(tmp_path / "lives.csv"), "--json"]) == 0
    assert '"B 2"' in capsys.readouterr().out
    assert (tmp_path / "lives.csv").read_text().startswith("part,what,P [N],C/P,")
    assert cli.main(["tables", str(path), "bearing_live"]) == 1
    assert 'did you mean "bearing_lives"' in capsys.readouterr().err
    assert cli.main(["plot", str(path), "--shaft-line", "input", "-o", str(tmp_path / "shaft.png")]) == 0
    assert (tmp_path / "shaft.png").stat().st_size > 20_000
    assert cli.main(["plot", str(path), "--shaft-line", "input", "--bearings"]) == 1
    assert cli.main(["plot", str(path)]) == 1
    assert "specify what to plot" in capsys.readouterr().err
    page = rest.report(tmp_path / "one.html").read_text()
    for words in ("Bearing lives", "Shaft input", "Loads of rolling elements", "Reactions on ground"):
        assert words in page


def test_run_prints_tables_of_machines_with_bearings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.toml").write_text(FILE)
    assert cli.main(["run", str(tmp_path / "one.toml")]) == 0
    text = capsys.readouterr().out
    assert "Lives of bearings" in text and text.index("Lives of bearings") < text.index("figure")


def test_pictures(rest: pl.Result, tmp_path: Path) -> None:
    figure = pl.views.plot_shaft(rest)
    assert [ax.get_ylabel().partition(" ")[0] for ax in figure.axes] == ["radius", "deflection", "moment", "stress"]
    moment = figure.axes[2]
    drawn = {line.get_label(): line for line in moment.get_lines()}
    assert np.max(drawn["bending"].get_ydata()) == pytest.approx(
        rest.shaft_deflections()["input middle", "bending_moment"], rel=1e-3
    )
    polar = pl.views.plot_bearing(rest, "B1")
    heights = sorted(patch.get_height() for patch in polar.axes[0].patches if patch.get_height() > 0)
    assert heights[-1] == pytest.approx(float(rest["B1.max_load"].final), rel=1e-6)
    for call, message in (
        (lambda: pl.views.plot_shaft(rest, "output"), "no shaft or beam 'output'"),
        (lambda: pl.views.plot_shaft(rest, panels=("stres",)), 'did you mean "stress"'),
        (lambda: pl.views.plot_bearing(rest, "B3"), 'there is no bearing "B3"'),
    ):
        with pytest.raises(pl.PitchlineError, match=message):
            call()


def test_small_numbers_beside_large_ones_are_no_zeros() -> None:
    """A short life beside a long one, a deflection beside a place; but forces that balance each other leave rounding."""
    columns = (TableColumn("place", "z", "m", "mm"), TableColumn("deflection", "u", "m", "um"), TableColumn("life", "L", "s", "h"),
               TableColumn("force", "F", "N"))  # fmt: skip
    numbers = ((0.0, 9e-7, 3.6e7, 1e6), (5.0, 0.0, 3.6e16, 1e-5))
    rows = [dict(zip(("place", "deflection", "life", "force"), row, strict=True)) for row in numbers]
    table = ResultTable("t", columns, tuple(TableRow(f"p{k}", "", {"value": values}) for k, values in enumerate(rows)))
    _, (first, second) = table.cells()
    assert first[-4:] == ["0", "0.9", "10000", "1000000"] and second[-1] == "0"
