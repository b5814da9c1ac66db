"""Analyses in sequence, and the named figures taken from their results."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import files
from pitchline.files.figure_specs import FigureSpec
from pitchline.files.model_file import finding

ROTOR = """
name = "rotor"
[bodies.disk]
mass = 1
inertia = [1, 1, 2]
[joints.hinge]
kind = "revolute"
a = "ground"
b = "disk"
[loads.swing]
kind = "torque"
on = "hinge"
value = { kind = "harmonic", amplitude = "4 N*m", frequency = "5 Hz" }
[loads.coil]
kind = "torsion_spring"
joint = "hinge"
stiffness = "100 N*m/rad"
"""
STEPS = """
[[analyses]]
name = "rest"
kind = "statics"
[[analyses]]
name = "run"
kind = "dynamics"
start = "rest"
duration = "0.1 s"
step = "1 ms"
[[analyses]]
name = "shapes"
kind = "modes"
about = "rest"
"""


def made(values: np.ndarray, time: np.ndarray, **others: np.ndarray) -> dict[str, Any]:
    signals = {"a.force": pl.Signal("a.force", values, time, "N")}
    signals |= {f"a.{name}": pl.Signal(f"a.{name}", array, time, "rad") for name, array in others.items()}
    return {"run": pl.Result(kind="dynamics", model_name="model", time=time, signals=signals)}


def value(run: dict[str, Any], **asked: Any) -> Any:
    return finding(FigureSpec("key", "a.force", analysis="run", **asked), run).value


T = np.linspace(0.0, 1.0, 1001)
WAVE = 3.0 + 2.0 * np.cos(2 * np.pi * 5 * T) + 0.5 * np.sin(2 * np.pi * 15 * T)


@pytest.mark.parametrize(
    "of, wanted",
    [
        ("mean", 3.0),
        ("rms", math.sqrt(9 + 2 + 0.125)),
        ("final", 5.0),
        ("initial", 5.0),
        ("max", WAVE.max()),
        ("min", WAVE.min()),
        ("peak_to_peak", np.ptp(WAVE)),
    ],
)
def test_plain_figures(of: str, wanted: float) -> None:
    assert value(made(WAVE, T), of=of) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("after", [None, 0.0, 0.2])
@pytest.mark.parametrize("frequency, wanted", [(5.0, 2.0), (15.0, 0.5), (10.0, 0.0)])
def test_amplitudes_at_a_frequency(after: float | None, frequency: float, wanted: float) -> None:
    """Exact where the other waves fit in the window as well."""
    assert value(made(WAVE, T), of="amplitude", frequency=frequency, after=after) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("after", [0.25, 0.3337, 0.61])
def test_amplitudes_are_those_of_the_last_whole_periods(after: float) -> None:
    """Wherever the window starts; between two samples it begins with a straight line."""
    wave = 3.0 + 2.0 * np.cos(2 * np.pi * 7 * T)
    assert value(made(wave, T), of="amplitude", frequency=7.0, after=after) == pytest.approx(2.0, rel=1e-4)


def test_amplitudes_of_an_order() -> None:
    angle = 2 * np.pi * (2 * T + 3 * T**2)  # a run-up
    run = made(1.0 + 2.0 * np.cos(3 * angle), T, angle=angle)
    assert value(run, of="amplitude", order=3.0, angle="a.angle") == pytest.approx(2.0, rel=2e-3)
    assert value(run, of="amplitude", order=2.0, angle="a.angle") == pytest.approx(0.0, abs=5e-3)


def test_windows_values_and_units() -> None:
    run = made(10.0 * T, T)
    assert value(run, of="min", after=0.4) == pytest.approx(4.0)
    assert value(run, of="max", before=0.4) == pytest.approx(4.0)
    assert value(run, of="mean", after=0.2, before=0.4) == pytest.approx(3.0)
    assert value(run, of="value", at=0.25) == pytest.approx(2.5)
    figure = finding(FigureSpec("key", "a.force", "final", "run", unit="lbf"), run)
    assert (figure.unit, figure.value) == ("lbf", pytest.approx(10 / 4.4482216152605))


@pytest.mark.parametrize(
    "said, wanted", [("expected = 3", 3.0), ('expected = "3 N*m"', 3000.0), ('expected = [1, "2 N*m"]', [1.0, 2000.0])]
)
def test_what_is_expected_is_in_the_unit_of_the_figure(said: str, wanted: Any) -> None:
    figure = f'[figures.x]\nsignal = "swing.torque"\nanalysis = "rest"\nunit = "N*mm"\n{said}\n'
    (spec,) = files.read(ROTOR + STEPS + figure).figures
    assert spec.expected == pytest.approx(wanted)


def test_figures_of_an_analysis_that_was_not_carried_out() -> None:
    with pytest.raises(pl.PitchlineError, match='"run" was not run'):
        value({}, of="mean")


def test_vectors_have_figures_by_component() -> None:
    run = made(np.column_stack([T, 2 * T, np.sin(2 * np.pi * 10 * T)]), T)
    assert value(run, of="max")[:2] == [1.0, 2.0]
    assert value(run, of="amplitude", frequency=10.0)[2] == pytest.approx(1.0)
    assert finding(FigureSpec("key", "a.force.y", "max", "run"), run).value == 2.0


@pytest.mark.parametrize(
    "asked, message",
    [
        ({"of": "amplitude", "frequency": 0.5}, "shorter than one period"),
        ({"of": "amplitude", "frequency": 800.0}, "two samples per period"),
        ({"of": "mean", "after": 3.0}, "no sample"),
        ({"of": "mean", "unit": "m"}, "cannot be expressed in m"),
        ({"of": "value", "at": 3.0}, "outside the record"),
    ],
)
def test_what_results_do_not_have(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(pl.PitchlineError, match=message):
        value(made(WAVE, T), **asked)


def test_a_run_goes_through_its_analyses_and_tells() -> None:
    figures = """
[figures."angle.max"]
signal = "hinge.angle"
of = "max"
analysis = "run"
unit = "deg"
description = "largest swing"
[figures.first]
analysis = "shapes"
mode = 1
expected = 1.125
[figures."first.damping"]
analysis = "shapes"
of = "damping_ratio"
mode = 1
"""
    file = files.read(ROTOR + STEPS + figures)
    seen: list[tuple[str, bool]] = []
    reached: list[float] = []
    run = file.run(
        progress=lambda now, end: reached.append(now / end),
        on_step=lambda step, result: seen.append((step.name, result is not None)),
    )
    assert seen == [(name, done) for name in ("rest", "run", "shapes") for done in (False, True)]
    assert reached and max(reached) <= 1.0 + 1e-9
    found = {figure.key: figure for figure in file.findings(run)}
    assert found["angle.max"].value == pytest.approx(math.degrees(run["run"]["hinge.angle"].max()))
    assert (found["angle.max"].unit, found["angle.max"].description) == ("deg", "largest swing")
    assert found["first"].value == pytest.approx(math.sqrt(100 / 2) / (2 * math.pi))
    assert (found["first"].unit, found["first"].expected) == ("Hz", 1.125)
    assert found["first.damping"].value == pytest.approx(0.0, abs=1e-9)


def test_a_figure_that_the_results_do_not_have_has_its_line() -> None:
    asked = '[figures]\nx = { signal = "hinge.angle", analysis = "run", after = "3 s" }\n'
    file = files.read(ROTOR + STEPS + asked, source="rotor.toml")
    with pytest.raises(pl.FileError, match=r'rotor.toml:33: figures.x: .*"hinge.angle": no sample'):
        file.findings(file.run())


def test_signals_that_the_model_does_not_have_are_told_before_the_run() -> None:
    asked = '[figures]\nx = { signal = "hinge.angel", analysis = "run" }\n'
    (problem,) = files.check(ROTOR + STEPS + asked, source="rotor.toml")
    assert str(problem).startswith("rotor.toml:33: figures.x.signal: there is no signal 'hinge.angel'; did you mean")


def test_an_analysis_that_the_model_does_not_allow_has_its_line() -> None:
    file = files.read(
        ROTOR + '[[analyses]]\nkind = "campbell"\nshaft = "hinge"\nspeeds = [3, 2]\n', source="rotor.toml"
    )
    with pytest.raises(pl.FileError, match=r"rotor.toml:18: analyses\[0\]: speeds must be one or more increasing"):
        file.run()


def test_a_solve_that_fails_keeps_what_it_has() -> None:
    """A slider is driven farther than the rod that holds it allows."""
    text = """
[bodies.slider]
mass = 1
inertia = [1, 1, 1]
[bodies.rod]
mass = 1
inertia = [1, 1, 1]
position = ["0.5 m", 0, 0]
[joints.guide]
kind = "prismatic"
a = "ground"
b = "slider"
axis = "x"
[joints.link]
kind = "spherical"
a = "slider"
b = "rod"
at = [0, 0, 0]
[joints.end]
kind = "spherical"
a = "ground"
b = "rod"
at = ["1 m", 0, 0]
[drives.push]
joint = "guide"
displacement = { kind = "ramp", start = 0, end = "-1 m" }
[[analyses]]
kind = "kinematics"
duration = "1 s"
"""
    kept: list[Any] = []
    with pytest.raises(pl.SolveError):
        files.read(text).run(on_step=lambda step, result: kept.append(result))
    assert kept[0] is None and kept[-1].status == "failed"
