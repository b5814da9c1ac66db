"""Analyses of files that are about the teeth of a pair, or about signals of an earlier analysis."""

from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import files

PAIR = """
name = "pair"
[parameters]
load = "100 N*m"
z = 18
[gears.pinion]
teeth = "= z"
normal_module = "3 mm"
face_width = "15 mm"
bore = "20 mm"
[gears.wheel]
teeth = 24
normal_module = "3 mm"
face_width = "15 mm"
bore = "30 mm"
[bodies.a]
gear = "pinion"
[bodies.b]
gear = "wheel"
mesh_with = "a"
towards = "x"
[joints]
hinge_a = { kind = "revolute", a = "ground", b = "a" }
hinge_b = { kind = "revolute", a = "ground", b = "b" }
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { kind = "elastic", stiffness = "2e8 N/m" }
[loads.brake]
kind = "torque"
on = "hinge_b"
value = "= load"
[drives.motor]
joint = "hinge_a"
angle = { kind = "polynomial", coefficients = [0, "10 rad/s", "2000 rad/s^2"] }
"""
STEPS = """
[[analyses]]
kind = "rigid_contact"
pair = "mesh"
positions = 4
[[analyses]]
name = "turn"
kind = "dynamics"
duration = "0.2 s"
step = "0.2 ms"
[[analyses]]
name = "lines"
kind = "spectrum"
signal = "b.position.x"
after = "0.1 s"
[[analyses]]
kind = "spectrogram"
signal = "b.position.x"
duration = "50 ms"
[[analyses]]
kind = "order_spectrum"
signal = "= cos(3 * 'hinge_a.angle')"
angle = "hinge_a.angle"
[[analyses]]
name = "map"
kind = "order_map"
analysis = "turn"
signal = "= '2 mm' * cos(3 * 'hinge_a.angle')"
angle = "hinge_a.angle"
revolutions = 1
max_order = 8
[[analyses]]
name = "track"
kind = "order_track"
signal = "= '2 mm' * cos(3 * 'hinge_a.angle')"
angle = "turn: hinge_a.angle"
order = 3
[[analyses]]
name = "held"
kind = "peak_hold"
signal = "hinge_a.angle"
speed = "hinge_a.angular_speed"
bins = 5
[[analyses]]
name = "cycle"
kind = "fold"
signal = "mesh.phase"
phase = "mesh.phase"
before = "40 ms"
[figures]
track = { value = "= max(analyses.track.amplitude)", unit = "mm", expected = 2 }
map = { value = "= max(max(analyses.map.amplitude))" }
order = { value = "= at_max(analyses.order_spectrum.amplitude, analyses.order_spectrum.order)" }
held = { value = "= analyses.held.maximum - final('turn: hinge_a.angle')", unit = "rad" }
speed = { value = "= analyses.held.speed_at_maximum", unit = "rpm" }
cycle = { value = "= final(analyses.cycle.mean)" }
te = { value = "= analyses.rigid_contact.peak_to_peak", unit = "um" }
line = { value = "= analyses.lines.frequency[1]" }
"""


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    return files.read(PAIR + STEPS).run()


def test_results_are_those_of_the_functions(run: dict[str, Any]) -> None:
    file = files.read(PAIR + STEPS)
    turn = run["turn"]
    signal = turn["b.position.x"].between(0.1 - 1e-10, 0.2)
    np.testing.assert_array_equal(run["lines"].amplitude, pl.spectrum(signal).amplitude)
    held = pl.peak_hold(turn["hinge_a.angle"], turn["hinge_a.angular_speed"], bins=5)
    np.testing.assert_array_equal(run["held"].highest, held.highest)
    contact = pl.rigid_contact(file.model, "mesh", positions=4)
    np.testing.assert_array_equal(run["rigid_contact"].transmission_error, contact.transmission_error)
    assert {type(found).__name__ for found in run.values()} == {
        "RigidContact", "Result", "Spectrum", "Spectrogram", "OrderSpectrum", "OrderMap", "OrderTrack", "PeakHold", "Folded"
    }  # fmt: skip
    assert all(found.kind and found.warnings is not None for found in run.values())


def test_figures_over_them(run: dict[str, Any]) -> None:
    found = {figure.key: figure for figure in files.read(PAIR + STEPS).findings(run)}
    assert found["track"].value == pytest.approx(2.0, rel=1e-3) and found["track"].unit == "mm"
    assert found["map"].value == pytest.approx(2e-3, rel=0.05) and found["map"].unit == "m"
    assert found["order"].value == pytest.approx(3.0)
    assert found["held"].value == pytest.approx(0.0, abs=1e-9)
    assert found["speed"].value == pytest.approx((10 + 2 * 2000 * 0.2) * 30 / np.pi, rel=1e-3)
    assert found["te"].value == pytest.approx(0.0, abs=1e-6)
    assert found["line"].unit == "Hz" and found["line"].value == pytest.approx(10.0, rel=0.01)


def test_signals_of_expressions_have_names_and_units(run: dict[str, Any]) -> None:
    assert run["map"].unit == "m" and run["map"].name == "'2 mm' * cos(3 * 'hinge_a.angle')"


def test_loaded_contact_takes_the_gears_of_the_model() -> None:
    steps = '[[analyses]]\nkind = "loaded_contact"\ntorque = ["20 N*m", "= load"]\npositions = 4\n'
    steps += '[[analyses]]\nname = "loads"\nkind = "statics"\n'
    steps += '[[analyses]]\nname = "there"\nkind = "loaded_contact"\nabout = "loads"\npositions = 1\n'
    asked = """
[figures]
te = { value = "= analyses.loaded_contact.peak_to_peak", unit = "um" }
stiffness = { value = "= analyses.loaded_contact.mean_stiffness[1]", unit = "N/um" }
ratio = { value = "= analyses.loaded_contact.loaded_contact_ratio[1]" }
pressure = { value = "= max(analyses.loaded_contact.max_pressure)[0]", unit = "MPa" }
share = { value = "= max(max(analyses.loaded_contact.load_sharing))[0]" }
lag = { value = "= mean(analyses.loaded_contact.transmission_error[1])", expected = "= load / '1 kN'" }
"""
    file = files.read(PAIR + steps + asked)
    run = file.run()
    contact = pl.loaded_contact(file.model, "mesh", torque=[20.0, 100.0], positions=4)
    found = {figure.key: figure.value for figure in file.findings(run)}
    assert found["te"] == pytest.approx(1e6 * contact.peak_to_peak)
    assert found["stiffness"] == pytest.approx(1e-6 * contact.mean_stiffness[1])
    assert found["ratio"] == contact.loaded_contact_ratio[1]
    assert found["pressure"] == pytest.approx(1e-6 * contact.max_pressure[0].max())
    assert found["share"] == contact.load_sharing[0].max()
    assert run["there"].torque == pytest.approx([100.0], rel=1e-6)
    assert run["there"].transmission_error[0, 0] == pytest.approx(contact.transmission_error[1, 0], rel=1e-6)


@pytest.mark.parametrize(
    "step, key, message",
    [
        ('kind = "loaded_contact"', "", '"torque" is missing'),
        ('kind = "loaded_contact"\ntorque = "5 m"', ".torque", "expected torque"),
        ('kind = "loaded_contact"\ntorque = [1, "5 m"]', ".torque[1]", "expected torque"),
        ('kind = "loaded_contact"\ntorque = 1\npair = "mash"', ".pair", "no gear pair 'mash'; did you mean \"mesh\""),
        ('kind = "loaded_contact"\nabout = "trun"', ".about", 'did you mean "turn"'),
        ('kind = "loaded_contact"\nabout = "flat"', ".about", "has no state to start from"),
        ('kind = "rigid_contact"\ncentre_distance = 1', ".centre_distance", "unknown key"),
        ('kind = "flank_contact"\ntorque = 1\nelements_a = { faces = 2 }', ".elements_a.faces", "unknown key"),
        ('kind = "penalty_motion"', "", '"duration" is missing'),
        ('kind = "spectrum"', "", '"signal" is missing'),
        ('kind = "spectrum"\nsignal = "a.speed"', ".signal", "there is no signal 'a.speed'"),
        ('kind = "spectrum"\nsignal = "= 2 * load"', ".signal", "is not a signal over time"),
        ('kind = "spectrum"\nsignal = "= \'a.position.x\' + load"', ".signal", "cannot add length and torque"),
        ('kind = "spectrum"\nsignal = 3', ".signal", "must be the name of a signal"),
        ('kind = "spectrum"\nsignal = "a.position.x"\nafter = "2 m"', ".after", "expected time"),
        ('kind = "spectrum"\nsignal = "a.position.x"\nanalysis = "trun"', ".analysis", 'did you mean "turn"'),
        ('kind = "spectrum"\nsignal = "a.position.x"\nanalysis = "flat"', ".analysis", "has no signals"),
        ('kind = "spectrum"\nsignal = "a.position.x"\nparameters = { z = 3 }', ".parameters", "unknown key"),
    ],
)
def test_mistakes_have_their_place(step: str, key: str, message: str) -> None:
    first = '[[analyses]]\nkind = "rigid_contact"\nname = "flat"\n[[analyses]]\nname = "turn"\nkind = "kinematics"\n'
    text = PAIR + first + 'duration = 1\nstep = 0.1\n[[analyses]]\nname = "it"\n' + step
    (problem,) = files.check(text)
    assert (problem.key, message in problem.message) == (f"analyses[2]{key}", True), problem


def test_signals_need_an_earlier_analysis() -> None:
    (problem,) = files.check(PAIR + '[[analyses]]\nkind = "spectrum"\nsignal = "a.position.x"')
    assert "no earlier analysis with signals" in problem.message


def test_a_pair_that_is_wrong_is_told_once() -> None:
    text = PAIR.replace("2e8 N/m", "2e8 N/mm/m") + '[[analyses]]\nkind = "rigid_contact"\npair = "mesh"\n'
    (problem,) = files.check(text)
    assert problem.key == "gear_pairs.mesh.mesh.stiffness"


def test_signals_that_do_not_allow_it_are_told_with_the_line() -> None:
    turn = '[[analyses]]\nkind = "kinematics"\nduration = "1 ms"\nstep = "0.2 ms"\n'
    cycle = '[[analyses]]\nkind = "fold"\nsignal = "mesh.phase"\nphase = "mesh.phase"\n'
    line = (PAIR + turn).count("\n") + 1
    with pytest.raises(pl.FileError, match=rf"text:{line}: analyses\[1\]: fold of .* one whole cycle is needed"):
        files.read(PAIR + turn + cycle).run()


def test_several_pairs_need_a_name() -> None:
    second = '[gear_pairs.other]\na = "a"\nb = "b"\n'
    (problem,) = files.check(PAIR + second + '[[analyses]]\nkind = "rigid_contact"\n')
    assert "specify the gear pair" in problem.message and '"mesh"' in problem.message


def test_an_elastic_gear_of_the_file() -> None:
    asked = """
[[analyses]]
name = "vibration"
kind = "elastic_gear"
gear = "pinion"
bore = "free"
up_to = "40 kHz"
grid = { face_elements = 2, size = "3 mm" }
[figures]
mass = { value = "= analyses.vibration.mass / gears.pinion.blank.mass" }
first = { value = "= analyses.vibration.frequencies[0]", unit = "kHz" }
"""
    file = files.read(PAIR + asked)
    run = file.run()
    found = {figure.key: figure.value for figure in file.findings(run)}
    assert found["mass"] == pytest.approx(1.0, rel=0.1)
    assert found["first"] == pytest.approx(1e-3 * run["vibration"].frequencies[0])


@pytest.mark.parametrize(
    "old, key, message",
    [
        ('gear = "pinon"', ".gear", 'did you mean "pinion"'),
        ("", "", '"gear" is missing'),
        ('gear = "pinion"\nup_to = "3 m"', ".up_to", "expected frequency"),
        ('gear = "pinion"\ngrid = { sizes = 3 }', ".grid.sizes", "unknown key"),
    ],
)
def test_mistakes_of_an_elastic_gear(old: str, key: str, message: str) -> None:
    (problem,) = files.check(PAIR + f'[[analyses]]\nkind = "elastic_gear"\n{old}\n')
    assert problem.key == f"analyses[0]{key}" and message in problem.message


def test_basic_racks_of_iso_53() -> None:
    text = PAIR.replace('bore = "20 mm"', 'bore = "20 mm"\nbasic_rack = "D"', 1)
    gear = files.read(text).gears["pinion"]
    assert gear == pl.Gear(
        teeth=18, normal_module="3 mm", face_width="15 mm", bore="20 mm", normal_pressure_angle="20 deg", dedendum_factor=1.4,
        root_radius_factor=0.39,
    )  # fmt: skip
    (problem,) = files.check(text.replace('"D"', '"E"'))
    assert problem.key == "gears.pinion.basic_rack" and '"A", "B", "C" and "D"' in problem.message
    (problem,) = files.check(text.replace('"D"', '"D"\naddendum_factor = 1.1'))
    assert problem.key == "gears.pinion.addendum_factor" and "already" in problem.message


def test_steps_figures_and_expressions_are_written_as_they_were_read() -> None:
    file = files.read(PAIR + STEPS)
    again = files.read(files.write(file.model, file.steps, file.figures))
    assert again.steps == file.steps
    assert again.figures == file.figures


def test_an_analysis_runs_only_if_its_condition_is_met() -> None:
    from pitchline import gallery

    default, other = (gallery.model("impact-spur", **settings).file for settings in ({}, {"method": "node to surface"}))
    assert [step.name for step in default.steps if not step.skipped] == ["impacts"]
    assert [step.name for step in other.steps if not step.skipped] == ["nodes"]
    assert {spec.analysis for spec in other.figures} <= {"nodes", ""}
    assert other.plots[0].drawn({"nodes": None}) == ["nodes"]
