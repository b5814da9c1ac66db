"""Plots, described parameters and planetary trains in files."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import pitchline as pl
from pitchline import files, views

ROTOR = """
name = "rotor"
[parameters]
speed = { value = "300 rpm", description = "of the shaft", min = 0, max = "6000 rpm" }
length = "0.1 s"
[bodies.disk]
mass = 1
inertia = [1, 1, 2]
[joints.hinge]
kind = "revolute"
a = "ground"
b = "disk"
[drives.motor]
joint = "hinge"
speed = "= speed"
[[analyses]]
name = "run"
kind = "kinematics"
duration = "= length"
step = "1 ms"
[[analyses]]
name = "lines"
kind = "spectrum"
signal = "hinge.angle"
"""
PLOTS = """
[[plot]]
signals = ["hinge.*", "motor.torque"]
title = "turning"
after = "= length / 2"
before = "90 ms"
[[plot]]
analysis = "lines"
end = "200 Hz"
log = true
"""


def test_several_plots_are_drawn(tmp_path: Path) -> None:
    file = files.read(ROTOR + PLOTS)
    run = file.run()
    assert [(plot.name, plot.analysis) for plot in file.plots] == [("", "run"), ("lines", "lines")]
    assert file.plots[0].options == {"title": "turning", "start": 0.05, "end": 0.09}
    assert file.draws(run) and views is not None
    for n in range(2):
        file.draw(run, tmp_path / f"{n}.svg", n)
        assert (tmp_path / f"{n}.svg").stat().st_size > 1000


def test_one_plot_is_a_table() -> None:
    (plot,) = files.read(ROTOR + '[plot]\nsignals = ["hinge.angle"]\n').plots
    assert plot.signals == ("hinge.angle",) and plot.analysis == "run"


@pytest.mark.parametrize(
    "plot, key, message",
    [
        ('[plot]\nsignals = ["hinge.angel"]', "plot.signals[0]", 'did you mean "hinge.angle"'),
        ('[plot]\nsignals = ["hinge.a*", "x*"]', "plot.signals[1]", "there is no part 'x*'"),
        ('[plot]\nsignals = "hinge.angle"', "plot.signals", "must be a list"),
        ('[plot]\nsignal = ["hinge.angle"]', "plot.signal", 'did you mean "signals"'),
        ('[plot]\nanalysis = "run"', "plot", "specify the signals"),
        ('[plot]\nanalysis = "rnu"', "plot.analysis", 'did you mean "run"'),
        (
            '[plot]\nanalysis = "lines"\nsignals = ["hinge.angle"]',
            "plot.signals",
            'a plot of spectrum has no "signals"',
        ),
        ('[plot]\nanalysis = "lines"\nwhat = "pattern"', "plot.what", 'a plot of spectrum has no "what"'),
        ('[plot]\nanalysis = "lines"\nend = "3 m"', "plot.end", "expected frequency"),
        ('[plot]\nanalysis = "lines"\nlog = 1', "plot.log", "true or false"),
        ('[plot]\nanalysis = "lines"\ntitle = 1', "plot.title", "must be a text"),
        (
            '[[plot]]\nanalysis = "lines"\n[[plot]]\nanalysis = "lines"\n[[plot]]\nanalysis = "lines"',
            "plot[2]",
            "another plot",
        ),
        ("plot = 3", "plot", "must be a table"),
        ("plot = [3]", "plot[0]", "must be a table"),
    ],
)
def test_wrong_plots(plot: str, key: str, message: str) -> None:
    text = plot + ROTOR if plot.startswith("plot") else ROTOR + plot
    (problem,) = files.check(text + "\n")
    assert problem.key == key and message in problem.message


def test_parameters_may_say_what_they_are() -> None:
    file = files.read(ROTOR, overrides={"speed": "600 rpm"})
    assert file.descriptions == {"speed": "of the shaft"}
    assert pl.units.quantity(file.parameters["speed"], "angular velocity", what="speed") == pytest.approx(
        62.8318, rel=1e-5
    )


@pytest.mark.parametrize(
    "old, new, overrides, key, message",
    [
        ("", "", {"speed": "-1 rpm"}, "parameters.speed", "less than the lower limit"),
        ("", "", {"speed": "9000 rpm"}, "parameters.speed", "greater than the upper limit"),
        ("", "", {"speed": "9 m"}, "parameters.speed", "(length), expected angular velocity"),
        ("max = ", "maximum = ", {}, "parameters.speed.maximum", 'unknown key "maximum"'),
        ('value = "300 rpm", ', "", {}, "parameters.speed", '"value" is missing'),
        ('"of the shaft"', "3", {}, "parameters.speed.description", "must be a text"),
        ('"6000 rpm"', '"6 m"', {}, "parameters.speed.max", "is length, but the parameter is angular velocity"),
        ('"300 rpm"', '"300 rmp"', {}, "parameters.speed", "unknown unit"),
    ],
)
def test_wrong_parameters(old: str, new: str, overrides: dict[str, Any], key: str, message: str) -> None:
    problems = files.check(ROTOR.replace(old, new, 1), overrides=overrides)
    assert problems and problems[0].key == key and message in problems[0].message


TRAIN = Path(__file__).parents[1] / "references" / "planetary.toml"


def train(folder: Path, more: str) -> Path:
    """The train with other analyses and figures, beside the file of gears that it includes."""
    shutil.copy(TRAIN.parent / "planetary_gears.toml", folder)
    text = TRAIN.read_text(encoding="utf-8")
    path = folder / "train.toml"
    path.write_text(
        text[: text.index("[[analyses]]")] + '[[analyses]]\nname = "rest"\nkind = "statics"\n' + more, encoding="utf-8"
    )
    return path


def test_figures_of_a_planetary_train(tmp_path: Path) -> None:
    asked = """
[figures.ratio]
value = "= planetary.stage.ratio"
[figures.share]
value = '= planetary.stage.load_sharing("rest").k_gamma'
expected = 1
[figures.sun]
value = "= final(planetary.stage.load_sharing().sun)"
[figures.angles]
value = "= planetary.stage.angles"
unit = "deg"
"""
    file = files.read(train(tmp_path, asked))
    assert file.figures[1].needed == ("rest",) and file.figures[0].needed == ()
    found = {figure.key: figure.value for figure in file.findings(file.run())}
    assert found["ratio"] == file.trains["stage"].ratio < 0.0
    assert found["share"] == pytest.approx(1.0) and found["angles"] == pytest.approx([0.0, 120.0, 240.0])


@pytest.mark.parametrize(
    "value, message",
    [
        ("planetary.stge.ratio", "no planetary train 'stge'"),
        ("planetary.stage.load_sharing(3).k_gamma", "takes the name of an analysis"),
        ('planetary.stage.load_sharing("rst").k_gamma', "there is no analysis 'rst'"),
        ("planetary.stage.load_sharing().gamma", 'did you mean "k_gamma"'),
    ],
)
def test_wrong_figures_of_a_planetary_train(tmp_path: Path, value: str, message: str) -> None:
    (problem,) = files.check(train(tmp_path, f"[figures]\nx = {{ value = '''= {value}''' }}\n"))
    assert problem.key == "figures.x.value" and message in problem.message
