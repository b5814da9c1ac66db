"""``pitchline fmu``: options, tables of model files, messages."""

import json
from pathlib import Path

import pytest

from pitchline.cli.program import main
from pitchline.files import check

TEXT = """\
name = "rotor"

[parameters]
inertia = "0.2 kg*m^2"

[bodies.disc]
mass = "2 kg"
inertia = ["0.1 kg*m^2", "0.1 kg*m^2", "= inertia"]

[joints.axle]
kind = "revolute"
a = "ground"
b = "disc"

[loads.motor]
kind = "torque"
on = "axle"
value = "3 N*m"
"""
TABLE = """
[fmu]
inputs = ["motor"]
outputs = ["axle.angular_speed"]
step = "1 ms"
"""


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rotor.toml"
    path.write_text(TEXT + TABLE, encoding="utf-8")
    return path


def test_the_table_of_the_file_is_used(file, capsys):
    assert main(["fmu", "rotor.toml"]) == 0
    text = capsys.readouterr().out
    assert (file.parent / "rotor.fmu").is_file()
    for words in ("rotor.fmu", "motor", "N*m", "axle.angular_speed", "parameters.inertia", "needs:", "Python"):
        assert words in text
    assert main(["fmu", "rotor.toml", "-o", "rotor.fmu"]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["fmu", "rotor.toml", "-o", "rotor.fmu", "--force"]) == 0


def test_options_replace_the_table(file, capsys):
    line = [
        "fmu",
        "rotor.toml",
        "--fmi",
        "3",
        "--input",
        "motor=ramp",
        "--signal",
        "axle.angle",
        "--json",
        "--step",
        "2ms",
    ]
    assert main(line) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["fmi"] == 3
    assert [v["name"] for v in made["variables"]] == ["time", "motor", "axle.angle", "parameters.inertia"]


def test_possible_names_are_listed(file, capsys):
    assert main(["fmu", "rotor.toml", "--list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["inputs"] == {"motor": "N*m"}
    assert found["parameters"] == {"inertia": "kg*m^2"}
    assert found["signals"]["axle.angle"] == "rad"
    assert main(["fmu", "rotor.toml", "--list"]) == 0
    assert "axle.angle" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--input", "motr"], "motor"),
        (["--input", "motor=spline"], "extrapolate"),
        (["--input", "=hold"], "NAME=COURSE"),
        (["--input", "motor=hold", "--input", "motor=ramp"], "given twice"),
        (["--signal", "axle.speed"], "no signal"),
        (["--parameter", "mass"], "no parameter"),
        (["-o", "rotor.zip"], "must end in .fmu"),
        (["--start", "rest"], "no analysis"),
    ],
)
def test_wrong_options(file, capsys, options, words):
    assert main(["fmu", "rotor.toml", *options]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('inputs = ["motr"]', 'no input "motr"'),
        ('outputs = ["axle.speed"]', 'no signal "axle.speed"'),
        ('parameters = ["mass"]', "no parameter"),
        ("parameters = 3", "list of names"),
        ('step = "0 s"', "greater than zero"),
        ('stop_time = "3 kg"', "stop_time"),
        ('start = "rest"', "no analysis"),
        ('output = ["axle.angle"]', 'unknown key; did you mean "outputs"'),
        ("rho = []", "rho"),
    ],
)
def test_wrong_tables_are_found_by_check(tmp_path, table, words):
    path = tmp_path / "rotor.toml"
    path.write_text(f"{TEXT}\n[fmu]\n{table}\n", encoding="utf-8")
    (problem,) = check(path)
    assert problem.line == TEXT.count("\n") + 3
    assert words in problem.message


def test_a_table_that_is_not_one(tmp_path):
    path = tmp_path / "rotor.toml"
    path.write_text(f"fmu = 3\n{TEXT}", encoding="utf-8")
    assert any("must be a table" in problem.message for problem in check(path))
