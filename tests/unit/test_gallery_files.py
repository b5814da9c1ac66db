"""The gallery is model files: each is listed, complete in itself, and its copy gives the same figures to the last digit."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from references.gallery_runs import figures_of, run_of

import pitchline as pl
from pitchline import cli, files, gallery
from pitchline.gallery.catalogue import FOLDER
from pitchline.gallery.figures import figures_table, report

FILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
PROGRAMS = [name for name in gallery.MODELS if name not in FILES]
SHORTER = {
    **{f"kubo-{case}": ["--set", "settling=10 ms"] for case in "abcd"},
    **{name: ["--set", "duration=1 ms"] for name in FILES if name.startswith("meshing")},
    **{name: ["--set", "stage=1.5 ms"] for name in FILES if name.startswith("torque-stages")},
    "beveloid-50": ["--set", "pitches=0.25"],
    "beveloid-200": ["--set", "pitches=0.25"],
    "wind-gearbox": ["--set", "duration=30 ms"],
    "backlash-map": ["--set", "speeds=12", "--set", "torques=6"],
    "jump": ["--set", "speeds=21", "--set", "settle=100"],
    "bifurcation": ["--set", "speeds=21", "--set", "settle=100", "--set", "samples=16"],
    "planet-tolerances": ["--set", "samples=4"],
    "relief-map": ["--set", "amounts=2", "--set", "lengths=2"],
    "relief-optimum": ["--set", "evaluations=4"],
}
"""Settings with which both are run, where others run the model in full length."""
LONG = ("gearbox", "demo-gearbox")
"""Not run here: finite elements of four gears. `test_gearbox` and `test_demo` run them with simpler teeth."""


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def test_every_file_is_listed() -> None:
    assert [name for name in gallery.MODELS if name in FILES] and set(FILES) <= set(gallery.MODELS)
    assert not list(FOLDER.glob("[!a-z]*")) and {path.suffix for path in FOLDER.iterdir()} == {".toml"}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_complete_in_itself(name: str) -> None:
    """It says its name and what it is, explains itself first, and includes nothing: a copy of it is all that a user needs."""
    text = text_of(name)
    data = tomllib.loads(text)
    assert text.startswith("# ") and "include" not in data
    assert data["name"] == name and data["description"] == gallery.MODELS[name]
    assert data["parameters"] and data["analyses"] and data["figures"]
    assert all(len(line) <= 150 for line in text.splitlines())
    one = gallery.model(name)
    assert isinstance(one, gallery.GalleryFile)
    assert one.build() is not one.build() and one.build().name == name
    assert "speed" in data["parameters"]


@pytest.mark.parametrize("name", FILES)
def test_a_file_follows_the_schema(name: str) -> None:
    jsonschema.Draft202012Validator(files.schema()).validate(tomllib.loads(text_of(name)))


RUN_BY_DAY = ("helical-pair", "planetary", "backlash-map")
"""Copies that each run of the tests computes. Equal texts give equal models, so that one of each kind of analysis is enough."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in RUN_BY_DAY else pytest.mark.long) for name in FILES if name not in LONG],
)
def test_a_copy_gives_the_same_figures(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """pitchline gallery --copy NAME, then pitchline run NAME.toml: to the last digit."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["gallery", "--copy", name]) == 0
    assert capsys.readouterr().out == f"{name}.toml\n"
    assert Path(f"{name}.toml").read_text(encoding="utf-8") == text_of(name)
    settings = SHORTER.get(name, [])
    assert cli.main(["run", f"{name}.toml", "--json", *settings]) == 0
    said = json.loads(capsys.readouterr().out)
    if settings:
        assert cli.main(["run", name, "--json", *settings]) == 0
        own = json.loads(capsys.readouterr().out)
        assert said == own and own["figures"]
        return
    wanted = report(name, run_of(name), list(figures_of(name).values()))
    assert said["model"] == name
    assert _timeless(said["figures"]) == _timeless(json.loads(json.dumps(wanted["figures"])))
    assert [analysis["name"] for analysis in said["analyses"]] == list(run_of(name))


def _timeless(figures: dict[str, object]) -> dict[str, object]:
    """Without computing times, which differ from run to run."""
    return {key: figure for key, figure in figures.items() if not key.startswith("time.")}


@pytest.mark.parametrize("name", [*SHORTER, *LONG])
def test_a_copy_reads_to_the_same_model(name: str, tmp_path: Path) -> None:
    text, suffix = gallery.model(name).copy()
    (tmp_path / f"mine{suffix}").write_text(text, encoding="utf-8")
    copy, own = files.read(tmp_path / "mine.toml"), gallery.model(name).file
    assert text == text_of(name) and copy.model.describe() == own.model.describe()
    assert (copy.steps, copy.figures, copy.plot) == (own.steps, own.figures, own.plot)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_says_itself(name: str) -> None:
    """The copy of a program compiles, and imports no other program of the gallery."""
    text, suffix = gallery.model(name).copy()
    assert suffix == ".py"
    compile(text, f"{name}.py", "exec")
    assert "\nfrom ." not in text and "pitchline.gallery.robot" not in text and 'if __name__ == "__main__"' in text


def test_a_copied_program_runs(tmp_path: Path) -> None:
    """By itself, and prints its figures."""
    name = "robot-arm"
    (tmp_path / "mine.py").write_text(gallery.model(name).copy()[0], encoding="utf-8")
    run = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, check=True)

    def rows(text: str) -> list[list[str]]:
        """But for that which is a computing time."""
        return [
            line.split() for line in text.splitlines() if line.strip("- ") and not line.startswith("realtime_factor")
        ]

    assert rows(run.stdout) == rows(figures_table(list(figures_of(name).values())))


# --- parameters ----------------------------------------------------------------------------------------------------------------

FAST = ("bevel-pair", "worm", "helical-pair", "crossed-helical", "internal-pair", "hypoid", "spiral-bevel", "rack-and-pinion",
        "planetary", "rotor", "speed-control", "cam-follower")  # fmt: skip


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("speed", ["6000 rpm", "-40 rad/s"])
def test_closed_forms_follow_the_speed(name: str, speed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """At another speed, and backwards. Forces at constant speed do not depend on it, closed forms do where they must: 1e-3 of
    each, and of the largest force where it is zero (whirl of the rotor: by the square of its turn in a step, 5e-3)."""
    one = gallery.model(name, speed=speed)
    figures = one.figures(one.run())
    size = (
        max(float(np.max(np.abs(f.value))) for f in figures if f.unit == "N")
        if any(f.unit == "N" for f in figures)
        else 1.0
    )
    bound = 5e-3 if name == "rotor" else 1e-3
    for figure in figures:
        if figure.expected is not None:
            zero = 1e-6 * size if figure.unit == "N" else 1e-9
            np.testing.assert_allclose(figure.value, figure.expected, rtol=bound, atol=zero, err_msg=figure.key)


@pytest.mark.parametrize("name", FILES)
def test_every_model_has_parameters_that_reach_it(name: str) -> None:
    one = gallery.model(name)
    # without a drive the speed only tells a mesh frequency
    key = "speed" if one.build().drives else next(name for name in one.parameters if name != "speed")
    other = gallery.model(name, **{key: _doubled(one.parameters[key])})
    assert other.parameters[key] != one.parameters[key]
    assert other.build().describe() != one.build().describe() or other.file.steps != one.file.steps


def test_a_number_alone_is_in_si_units() -> None:
    """Also where the file says the value as an expression."""
    assert gallery.model("rotor", speed="300").parameters["speed"] == "300.0 s^-1*rad"
    assert gallery.model("worm", torque=50, friction=0.04).parameters["friction"] == 0.04
    plain, said = (gallery.model("helical-pair", speed=speed).build().describe() for speed in (300, "300 rad/s"))
    assert plain == said


def _doubled(value: object) -> object:
    number, _, unit = str(value).partition(" ")
    return f"{2 * float(number)!r} {unit}" if unit else 2 * float(number)


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("four-bar", {"sped": 1}, 'four-bar.toml:.*there is no parameter "sped" to set; did you mean "speed"'),
        ("four-bar", {"speed": "60 N"}, "speed"),
        ("four-bar", {"speed": 0}, "by zero"),
        ("heavy-top", {"speed": "10 rad/s"}, "heavy-top.toml:.*parameters.precession: .* is not a real number"),
        ("speed-control", {"proportional": 2}, "parameters.zeta.*greater than the upper limit"),
        ("press", {"speed": "fast"}, r"^press.toml:21: parameters.speed: 'fast'"),
    ],
)
def test_what_is_wrong_with_a_setting_is_said_before_computing(name: str, given: dict[str, object], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        gallery.model(name, **given)
