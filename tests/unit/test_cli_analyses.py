"""The commands campbell and ltca, and the warnings of check."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.pair_file import PAIR

import pitchline as pl
from pitchline import cli
from pitchline.cli.jobs import find_job
from pitchline.cli.loaded_pairs import own_statics
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.parts.gears import analysis_contact as general_gears

COARSE = {
    "order": 1, "flank_elements": 3, "fillet_elements": 1, "root_elements": 1, "across_elements": 2, "body_elements": 2,
    "face_elements": 3,
}  # fmt: skip
BORED = PAIR.replace('face_width = "20 mm"', 'face_width = "20 mm"\nbore = "12 mm"')


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pair.toml").write_text(BORED, encoding="utf-8")
    return tmp_path


def command(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


# --- campbell ------------------------------------------------------------------------------------------


def test_critical_speeds_of_a_pair(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order of the teeth meets the one frequency of the pair at f/z; gyroscopic forces change nothing here."""
    assert command("campbell", "pair.toml", "--speeds", "0:30000rpm:31", "-o", "out", "--json") == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    frequency = figures["mode_1.frequency"]["value"][0]
    found = {figures[f"crossing_{n}.order"]["value"]: figures[f"crossing_{n}.speed"]["value"] for n in (1, 2, 3)}
    for order, name in ((20, "mesh"), (40, "2 x mesh"), (60, "3 x mesh")):
        assert found[name] == pytest.approx(2.0 * math.pi * frequency / order, rel=1e-9)
    assert sorted(path.name for path in (here / "out").iterdir()) == [
        "pair-campbell.csv", "pair-campbell.nc", "pair-campbell.png",
    ]  # fmt: skip
    assert command("campbell", "pair.toml", "--speeds", "0:30000rpm:31") == 0
    said = capsys.readouterr().out
    assert f'31 speeds of "hinge_a" from 0 rpm to {30000:g} rpm' in said and "critical speeds" in said
    assert f"{60.0 * frequency / 20:.6g}" in said


def test_campbell_as_the_file_says(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = 'shaft = "hinge_a"\nspeeds = [0, "10000 rpm"]\norders = { unbalance = 1 }\nstart = "settle"\n'
    analysis = f'\n[[analyses]]\nkind = "campbell"\n{said}'
    Path("said.toml").write_text(BORED + analysis, encoding="utf-8")
    assert command("campbell", "said.toml") == 0
    said = capsys.readouterr().out
    assert '2 speeds of "hinge_a" from 0 rpm to 10000 rpm' in said and "orders: unbalance = 1" in said
    assert command("campbell", "said.toml", "--speeds", "0:500rpm:3", "--orders", "fourth=4", "--orders", "7") == 0
    said = capsys.readouterr().out
    assert '3 speeds of "hinge_a" from 0 rpm to 500 rpm' in said and "orders: fourth = 4, 7 = 7" in said


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "specify the speeds, e.g. --speeds 0:6000rpm"),
        (["--speeds", "6000rpm"], "expected FROM:TO or FROM:TO:NUMBER"),
        (["--speeds", "100:6000rpm"], "only one end has a unit"),
        (["--speeds", "0:6000rpm:1"], "the number at least 2"),
        (["--speeds", "6000rpm:0"], "less than the second"),
        (["--speeds", "0:6000mm"], "expected angular velocity"),
        (["--speeds", "0:6000rpm", "--shaft", "hinge_c"], 'no joint "hinge_c"; did you mean "hinge_'),
        (["--speeds", "0:6000rpm", "--orders", "x=y"], "expected NAME=N"),
    ],
)
def test_campbell_refused(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert command("campbell", "pair.toml", *arguments) == 1
    assert message in capsys.readouterr().err


def test_campbell_without_a_driven_shaft(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("free.toml").write_text(
        BORED.replace('[drives.motor]\njoint = "hinge_a"\nspeed = "1200 rpm"\n', ""), encoding="utf-8"
    )
    assert command("campbell", "free.toml", "--speeds", "0:6000rpm") == 1
    assert "--shaft NAME" in capsys.readouterr().err
    assert command("campbell", "free.toml", "--speeds", "0:6000rpm:2", "--shaft", "hinge_b") == 0
    assert "mesh = 30" in capsys.readouterr().out
    assert command("campbell", "four-bar", "--speeds", "0:6000rpm") == 1


# --- ltca ----------------------------------------------------------------------------------------------


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finite elements that take no time; what the command does with them is tested here."""

    def quick(gear: Any, **options: Any) -> ElasticGear:
        return elastic_gear(gear, grid=COARSE, offsets=1, cache=False)

    monkeypatch.setattr(general_gears, "elastic_gear", quick)


@pytest.mark.usefixtures("coarse")
def test_loaded_contact_at_the_torque_of_the_model(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The load of 20 N*m on the wheel is that of the pair at rest; the mean stiffness is that of the Python call."""
    assert command("ltca", "pair.toml", "--positions", "8", "--json") == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert np.abs(figures["mesh.torque"]["value"]) == pytest.approx([20.0], rel=1e-6)
    model = pl.load("pair.toml").model
    found = pl.loaded_contact(model, "mesh", torque=figures["mesh.torque"]["value"], positions=8)
    assert figures["mesh.stiffness.mean"] == {"value": pytest.approx(found.mean_stiffness.tolist()), "unit": "N/m"}
    assert figures["mesh.transmission_error.peak_to_peak"]["value"] == pytest.approx(found.peak_to_peak.tolist())


@pytest.mark.usefixtures("coarse")
def test_loaded_contact_as_a_table_with_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torques = ["--torque", "10Nm", "--torque", "20 N*m"]
    assert command("ltca", "pair.toml", "--pair", "mesh", *torques, "--positions", "8", "-o", "out") == 0
    said = capsys.readouterr().out
    assert "mesh: spur pair of 20 and 30 teeth, m_n = 2 mm; torque as specified" in said
    assert [line.split()[-2:] for line in said.splitlines() if line.startswith("torque on wheel B")] == [["10", "20"]]
    for words in ("transmission error, peak to peak", "mesh stiffness, mean", "contact ratio under load", "pressure"):
        assert words in said
    assert sorted(path.name for path in (here / "out").iterdir()) == ["pair-ltca.csv", "pair-ltca.png"]
    assert len((here / "out" / "pair-ltca.csv").read_text().splitlines()) == 1 + 2 * 8


@pytest.mark.parametrize(
    "model, arguments, message",
    [
        ("pair.toml", ["--pair", "mish"], 'has no such gear pair; did you mean "mesh"?'),
        ("pair.toml", ["--torque", "5 mm"], "--torque: expected torque"),
        ("pair.toml", ["--torque", "5 Nm", "--about", "run"], "Specify only one of them"),
        (
            "pair.toml",
            ["--set", "load=0 Nm"],
            "no load in the static equilibrium of pair. Specify a torque on wheel B",
        ),
        ("press", [], "has no gear pairs"),
        ("spiral-bevel", [], "mesh: skipped, because it is a spiral bevel pair"),
    ],
)
def test_loaded_contact_refused(
    here: Path, capsys: pytest.CaptureFixture[str], model: str, arguments: list[str], message: str
) -> None:
    assert command("ltca", model, *arguments) == 1
    assert message in capsys.readouterr().err


# --- check ---------------------------------------------------------------------------------------------


def checked(text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    Path("doubtful.toml").write_text(text, encoding="utf-8")
    assert command("check", "doubtful.toml") == 0
    return capsys.readouterr().out.splitlines()


def test_plain_numbers_in_another_unit_are_warned_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PAIR.replace('module = "2 mm"', "module = 3").replace('speed = "1200 rpm"', "speed = 1200")
    said = checked(text, capsys)
    line = 1 + text.splitlines().index('normal_module = "= module"')
    assert (
        f"doubtful.toml:{line}: warning: gears.pinion.normal_module: 3 m is an unusual value. "
        'Plain numbers are in metres; write "3 mm"' in said[0]
    )
    assert (
        'warning: drives.motor.speed: 1200 rad/s is 11459.2 rpm. Plain numbers are in rad/s; write "1200 rpm"'
        in said[2]
    )
    assert said[-1].startswith("doubtful.toml: fine") and said[-1].endswith("; 3 warnings")


@pytest.mark.parametrize(
    "old, new, message",
    [
        ('face_width = "20 mm"', "face_width = 20", "gears.pinion.face_width: 20 m"),
        ("position = [0, 0, 0]", "position = [0, 100, 0]", "bodies.a.position: 100 m"),
        ('face_width = "20 mm"', 'face_width = "20 mm"\ndensity = 7.85', "gears.pinion.density: 7.85 kg/m^3"),
    ],
)
def test_further_plain_numbers(
    here: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    assert any(
        f"warning: {message} is an unusual value. Plain numbers are in " in line
        for line in checked(PAIR.replace(old, new, 1), capsys)
    )


def test_warnings_of_the_model_have_the_line_of_the_pair(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = checked(PAIR.replace("teeth = 20", "teeth = 8"), capsys)
    line = 1 + PAIR.splitlines().index("[gear_pairs.mesh]")
    assert said[0].startswith(f"doubtful.toml:{line}: warning: gear_pairs.mesh: wheel A: undercut")
    assert said[-1].endswith("; 2 warnings")
    assert pl.load("doubtful.toml").model.warnings[0].startswith('gear pair "mesh": wheel A: undercut')


def test_misspelt_signals_are_problems(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.toml").write_text(PAIR.replace("mesh.normal_force", "mesh.normal_farce"), encoding="utf-8")
    assert command("check", "wrong.toml") == 1
    said = capsys.readouterr().out
    assert said.count('did you mean "mesh.normal_force"') == 3  # two figures and the plot
    assert "plot.signals" in said and 'figures."mesh.force.mean"' in said


@pytest.mark.parametrize(
    "name, statics", [("two-stage", "loads"), ("helical-pair", "statics"), ("robot-arm", "statics")]
)
def test_loads_are_those_of_the_last_static_analysis(name: str, statics: str) -> None:
    """At the time and from the start that the file says; without one those of the equilibrium at the start."""
    assert own_statics(find_job(name, [], [])) == statics
