"""Figures said by expressions: over signals, properties, parameters and earlier figures, checked before the run."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import files

PAIR = """
name = "pair"
[parameters]
torque = "20 N*m"
ratio = 1.5
speed = "3000 rpm"
[gears.pinion]
teeth = 20
normal_module = "2 mm"
face_width = "20 mm"
[gears."the wheel"]
teeth = 30
normal_module = "2 mm"
face_width = "20 mm"
[bodies.a]
gear = "pinion"
[bodies.b]
gear = "the wheel"
mesh_with = "a"
towards = "x"
[joints]
hinge_a = { kind = "revolute", a = "ground", b = "a" }
hinge_b = { kind = "revolute", a = "ground", b = "b" }
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { kind = "elastic", stiffness = "2e8 N/m", damping_ratio = 0.05 }
[drives.motor]
joint = "hinge_a"
speed = "= speed"
[loads.brake]
kind = "torque"
on = "hinge_b"
value = "= torque"
[[analyses]]
name = "settle"
kind = "statics"
[[analyses]]
name = "run up"
kind = "kinematics"
duration = "10 ms"
step = "0.1 ms"
[[analyses]]
name = "shapes"
kind = "modes"
[figures]
"""


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    return files.read(PAIR.replace("[figures]", "")).run()


def figures(run: dict[str, Any], text: str) -> dict[str, Any]:
    return {figure.key: figure for figure in files.read(PAIR + text).findings(run)}


def value(run: dict[str, Any], expression: str, more: str = "") -> Any:
    return figures(run, f"x = {{ value = '''= {expression}'''{more} }}")["x"].value


@pytest.mark.parametrize(
    "expression, wanted",
    [
        ("2 * gears.pinion.teeth", 40),
        ('gears["the wheel"].teeth / gears.pinion.teeth', 1.5),
        ("gears.b.teeth", 30),
        ("gears.pinion.material.youngs_modulus / '206 GPa'", 1.0),
        ("gear_pairs.mesh.centre_distance / '50 mm'", 1.0),
        ("gear_pairs.mesh.a.base_diameter / gears.pinion.base_diameter", 1.0),
        ("gear_pairs.mesh.contact_ratio - gear_pairs.mesh.total_contact_ratio", 0.0),
        ("gear_pairs.mesh.law.mean_stiffness > '1e8 N/m'", True),
        ("norm(bodies.b.position) / '50 mm'", 1.0),
        ("bodies.b.position[0] / '50 mm'", 1.0),
        ("bodies.a.inertia[2][2] / gears.pinion.blank.inertia[2]", 1.0),
        ("ratio + parameters.ratio", 3.0),
        ("[1, 2, 3][1]", 2),
        ("sum([1, 2, 3]) + max(1, 4) + max([5, 6]) + count([1, 1])", 18),
        ("percentile([4, 1, 2, 3, 5], 25) + percentile([1, 2], 95)", 2 + 1.95),
        ("std([1, 2, 3, 4]) ** 2", 5 / 3),
        ("select([1, 2, 3, 4], [4, 3, 2, 1] < 3)", [3, 4]),
        ("count(select(['1 mm', '2 mm', '3 mm'], ['1 mm', '2 mm', '3 mm'] >= '2 mm'))", 2),
        ("mean([1, 2, 3, 4] > 3)", 0.25),
        ("nearest('12 mm', ['0 mm', '10 mm', '20 mm'], [5, 6, 7])", 6),
        ("select(analyses.shapes.frequencies, analyses.shapes.frequencies > '1e9 Hz')", []),
        ("dot([1, 2, 3], [1, 1, 1])", 6),
        ("cross([1, 0, 0], [0, 1, 0])", [0, 0, 1]),
        ("interpolate(1.5, [1, 2], [10, 20])", 15.0),
        ("2 ** 3 + round(2.6) % 2", 9),
        ("sin('30 deg') + cos(0) + atan2(0, 1)", 1.5),
        ("1 < 2", True),
        ("sqrt('200 N*m/rad' / '2 kg*m^2') * '1 s'", 10.0),
        ("-final(\"run up: hinge_b.angular_speed\") / final('run up: hinge_a.angular_speed')", 2 / 3),
        ("norm(\"hinge_a.angle\" * [3, 4])[0] / '1 rad' * 0", None),
        ("max(abs(-\"run up: hinge_a.angle\")) / ('10 ms' * speed)", 1.0),
        ('value("run up: hinge_a.angle", "5 ms") / (speed * \'5 ms\')', 1.0),
        ('mean(between("run up: hinge_a.angle", "2 ms", "4 ms")) / (speed * \'3 ms\')', 1.0),
        ("time_of_max(\"run up: hinge_a.angle\") / '10 ms'", 1.0),
        ('at_max("run up: hinge_a.angle", "run up: hinge_b.angle") / final("run up: hinge_b.angle")', 1.0),
        ('integral("run up: hinge_a.angular_speed") / final("run up: hinge_a.angle")', 1.0),
        ("duration(\"run up: hinge_a.angle\") / '10 ms'", 1.0),
        ("count(analyses.shapes.frequencies) > 0", True),
        ('frequency(1) == frequency("shapes", 1)', True),
        ("analyses.shapes.stable", True),
    ],
)
def test_values(run: dict[str, Any], expression: str, wanted: Any) -> None:
    if wanted is None:
        with pytest.raises(pl.FileError):
            value(run, expression)
        return
    found = value(run, expression)
    assert found == (pytest.approx(wanted) if not isinstance(wanted, bool) else wanted)


def test_forces_and_their_closed_form(run: dict[str, Any]) -> None:
    found = figures(
        run,
        """
[figures.hidden]
value = "= torque / (0.5 * gears.b.base_diameter)"
show = false
[figures."mesh.force"]
value = '= abs(final("settle: mesh.normal_force"))'
expected = "= hidden"
unit = "kN"
digits = 8
[figures.both]
value = ["= mesh.force", "= figures.hidden"]
expected = ["= hidden", "1 kN"]
[figures.vector]
value = '= final("settle: hinge_b.force")'
[figures.power]
value = "= torque * speed"
unit = "kW"
""",
    )
    force = 20.0 / (0.5 * 0.06 * math.cos(math.radians(20)))
    assert list(found) == ["mesh.force", "both", "vector", "power"]
    assert found["mesh.force"].unit == "kN" and found["mesh.force"].digits == 8
    assert found["mesh.force"].value == pytest.approx(force / 1e3)
    assert found["mesh.force"].expected == pytest.approx(force / 1e3)
    assert (found["both"].unit, found["both"].value) == ("N", pytest.approx([force, force]))
    assert found["both"].expected == pytest.approx([force, 1e3])
    assert found["vector"].unit == "N" and len(found["vector"].value) == 3
    assert found["power"].value == pytest.approx(20 * 100 * math.pi / 1e3)


def test_figures_say_which_analyses_they_need() -> None:
    asked = (
        """a = { value = '= final("settle: mesh.approach")' }\nb = { value = "= 2 * a" }\nc = { value = "= ratio" }"""
    )
    file = files.read(PAIR + asked)
    assert [spec.needed for spec in file.figures] == [("settle",), ("settle",), ()]


def test_units_of_results_are_shown_as_they_come(run: dict[str, Any]) -> None:
    found = figures(run, 'f = { value = "= frequency(1)" }\nt = { value = \'= -final("settle: motor.torque")\' }')
    assert (found["f"].unit, found["t"].unit) == ("Hz", "N*m")
    assert found["f"].value == pytest.approx(run["shapes"].frequencies[0])


def test_numbers_in_percent(run: dict[str, Any]) -> None:
    found = figures(run, 'x = { value = "= 1 / 4", unit = "%", expected = "= ratio / 6" }')["x"]
    assert found.value == pytest.approx(25.0) and found.expected == pytest.approx(25.0)


def test_windows_hold_for_all_reductions(run: dict[str, Any]) -> None:
    window = ', analysis = "run up", after = "4 ms", before = "6 ms", unit = "rad"'
    found = value(run, 'mean("hinge_a.angle") + 0 * max("hinge_b.angle")', window)
    assert found == pytest.approx(0.005 * 100 * math.pi)


@pytest.mark.parametrize(
    "expression, message",
    [
        ('final("settle: mesh.normal_farce")', 'did you mean "mesh.normal_force"'),
        ('final("settle: mush.normal_force")', "there is no part 'mush'; did you mean \"mesh\""),
        ('final("setle: mesh.normal_force")', "no analysis 'setle'; did you mean \"settle\""),
        ('final("shapes: mesh.normal_force")', "has no signals"),
        ('final("settle: energy.kinetic")', "there is no part 'energy'"),
        ("fnal(1)", 'unknown function "fnal".*"final"'),
        ("gears.pinon.teeth", "there is no gear 'pinon'; did you mean \"pinion\""),
        ("gears.pinion.tooth", 'no such property; did you mean .*"teeth"'),
        ("gears.pinion", "specify a property"),
        ("gear_pairs.mash.ratio", "no gear pair 'mash'"),
        ("bodies.c.mass", "there is no body 'c'"),
        ("analyses.shapes.freqencies", 'did you mean "frequencies"'),
        ("analyses.settle.torque", "has signals"),
        ("analyses.nothing.torque", "there is no analysis 'nothing'"),
        ("frequency(0)", "takes the number of a mode, from 1"),
        ('frequency("settle", 1)', "no modes analysis 'settle'"),
        ("torqe", 'did you mean "torque"'),
        ("later.figure", "neither an earlier figure nor a property"),
        ("gears", "is a group. Specify an item"),
        ("mean(mesh.normal_force)", 'is a signal. Write it in quotes, "mesh.normal_force"'),
        ("torque + ratio", "cannot add torque or energy and number"),
        ('final("mesh.normal_force") + final("motor.torque")', "cannot add force and torque"),
        ('"mesh.normal_force"', "it is a signal over time. Use final"),
        ('"mesh.normal_force" > 3', "cannot compare"),
        ("torque ** 0.5", "does not have integer powers"),
        ("sin(torque)", "takes an angle or a number"),
        ("1 / 0", "by zero"),
        ("log(0)", "is not a number"),
        ("[1, torque]", "cannot list"),
        ("[1, [1, 2]]", "different sizes"),
        ("[1, 2][5]", "the list has 2 items, counted from 0"),
        ("[1, 2][ratio]", "an index must be an integer"),
        ("bodies.a.position[7]", "the list has 3 items"),
        ("value(3, 4)", "takes a signal"),
        ("percentile([1, 2], 101)", "from 0 to 100, got 101"),
        ("percentile([1, 2], '5 mm')", "must be a number from 0 to 100"),
        ("percentile([1, 2], [5, 6])", "must be one number"),
        ("percentile('mesh.approach', 5)", "takes a list, not a signal"),
        ("percentile([[1, 2], [3, 4]], 5)", "takes a list of numbers"),
        ("std([1])", "at least two values, got 1"),
        ("select([1, 2], [1, 2, 3] > 1)", "a condition for each of its items"),
        ("select([1, 2], ['1 mm', '2 mm'])", "must be a comparison of lists, got length"),
        ("select('mesh.approach', 1)", "takes lists, not signals"),
        ("nearest('1 mm', [1, 2], [1, 2])", "x is length, but xs is number"),
        ("nearest(1, [1, 2], [1, 2, 3])", "two lists of the same length"),
        ("mean()", "takes 1 arguments, got 0"),
        ("amplitude(\"mesh.normal_force\", '2 N')", "takes a frequency"),
        ("__import__('os')", "unknown function"),
        ("().__class__", "not plain arithmetic"),
        ("gears.pinion.__class__", "no such property"),
        ("gears.pinion.with_(1)", "no such property"),
        ("(lambda: 1)()", "not plain arithmetic"),
        ("[x for x in [1]]", "not plain arithmetic"),
        ("9 ** 9 ** 9", "too large"),
        ("1 if 2 else 3", "not plain arithmetic"),
        ("", "is empty"),
        ("2 ^ 3", r"use \*\* for powers"),
        ("+".join(["1"] * 600), "characters, but at most"),
        ("(" * 60 + "1" + ")" * 60 + "+" + "-" * 60 + "1", "too many nested levels"),
        ("max(1, 'x.y')", "there is no part 'x'"),
        ("3 mm", "not a valid expression"),
        ("'3 mmm'", 'unknown unit "mmm"'),
    ],
)
def test_what_is_wrong_is_told_before_the_run(expression: str, message: str) -> None:
    with pytest.raises(pl.FileError, match=message) as error:
        files.read(PAIR + f"[figures.x]\nvalue = '''= {expression}'''\nanalysis = \"settle\"")
    assert [problem.key for problem in error.value.found] == ["figures.x.value"]


@pytest.mark.parametrize(
    "table, key, message",
    [
        ('value = "= torque"\nunit = "m"', "unit", "torque or energy and cannot be expressed in m"),
        ('value = "= torque"\nunit = "mmm"', "unit", 'unknown unit "mmm"'),
        ('value = \'= 1 / "2 s"\'\nunit = "Hz"', "unit", "contains no angle"),
        ('value = "= torque"\nexpected = "= speed"', "expected", "cannot be expressed in"),
        ('value = "= torque"\nexpected = "= torqe"', "expected", "torqe"),
        ('value = "= torque"\nsignal = "mesh.approach"', "signal", 'has no "signal"'),
        ('value = "= torque"\ndigits = 0', "digits", "from 1 to 17"),
        ('value = "max(1, 2)"', "value", 'an expression starts with "="'),
        ('value = "= torque"\nshow = 1', "show", "true or false"),
        ('value = "= torque"\nanalysis = "x"', "analysis", "there is no analysis 'x'"),
    ],
)
def test_wrong_tables(table: str, key: str, message: str) -> None:
    (problem,) = files.check(PAIR + f"[figures.x]\n{table}\n")
    assert problem.key == f"figures.x.{key}" and message in problem.message
    assert PAIR.count("\n") < problem.line


def test_a_name_that_is_a_parameter_and_a_figure_is_asked_about() -> None:
    (problem,) = files.check(PAIR + 'ratio = { value = "= 2" }\nx = { value = "= ratio" }\n')
    assert "is the name of a parameter and of a figure" in problem.message


def test_parts_that_an_analysis_leaves_out_have_no_signals_in_it() -> None:
    text = PAIR.replace('kind = "statics"', 'kind = "statics"\nwithout = ["brake"]')
    (problem,) = files.check(text + "x = { value = \"= final('settle: brake.torque')\" }\n")
    assert "there is no part 'brake'" in problem.message


def test_a_figure_that_needs_a_wrong_one_is_not_told_as_well() -> None:
    (problem,) = files.check(PAIR + 'a = { value = "= 1 + wrong" }\nx = { value = "= 2 * a" }\n')
    assert problem.key == "figures.a.value"


def test_results_that_do_not_have_what_is_asked_for(run: dict[str, Any]) -> None:
    for expression, message in (
        ("frequency(50)", "modes; there is no mode 50"),
        ("analyses.shapes.frequencies[50]", "counted from 0"),
        ('value("run up: hinge_a.angle", "3 s")', "outside the record"),
        ("1 / (frequency(1) - frequency(1))", "by zero"),
    ):
        with pytest.raises(pl.FileError, match=f"figures.x: .*{message}"):
            value(run, expression)


def test_an_analysis_that_was_not_carried_out(run: dict[str, Any]) -> None:
    with pytest.raises(pl.FileError, match='"run up" was not run'):
        value({"settle": run["settle"]}, 'final("run up: hinge_a.angle")')


def test_signals_of_a_model_are_known_without_a_run(run: dict[str, Any]) -> None:
    model = files.read(PAIR.replace("[figures]", "")).model
    known = pl.signals_of(model, energies=False)
    assert list(known) == list(run["settle"].signals) == list(run["run up"].signals)
    for name, signal in run["settle"].signals.items():
        assert (signal.unit, max(1, len(signal.components))) == (known[name].unit, known[name].size)
    assert "energy.kinetic" in pl.signals_of(model)


def test_long_expressions_may_be_cut_into_lines(run: dict[str, Any]) -> None:
    found = figures(run, "[figures.x]\nvalue = '''=\n  gears.pinion.teeth\n  + gears.b.teeth\n'''\n")
    assert found["x"].value == 50


def test_amplitudes_in_expressions_are_those_of_the_keys(run: dict[str, Any]) -> None:
    both = figures(
        run,
        """
a = { signal = "b.position.x", of = "amplitude", frequency = "100 Hz", analysis = "run up" }
b = { value = '= amplitude("run up: b.position.x", "100 Hz")' }
c = { value = '= amplitude("run up: b.position.x", 2, "run up: hinge_a.angle")' }
d = { signal = "b.position.x", of = "amplitude", order = 2, angle = "hinge_a.angle", analysis = "run up" }
""".replace("100 Hz", "200 Hz"),
    )
    assert both["a"].value == both["b"].value and both["c"].value == both["d"].value
    assert np.isfinite(both["a"].value)


MESHES = {
    "table": 'mesh = { kind = "loaded", loads = [0, 1000], approach = [[0, 0], [1e-5, 1.1e-5]] }',
    "computed": 'mesh = { kind = "loaded", torque = "30 N*m", loads = 3, phases = 8 }',
    "line": 'mesh = { kind = "elastic", stiffness = "2e8 N/m", contact = "line" }',
    "rigid": 'mesh = "rigid"',
    "rolling": 'mesh = "rolling"',
}


@pytest.mark.parametrize("mesh", MESHES)
def test_signals_of_every_mesh_are_known_without_its_table(mesh: str) -> None:
    text = PAIR[: PAIR.index("[[analyses]]")]
    old = 'mesh = { kind = "elastic", stiffness = "2e8 N/m", damping_ratio = 0.05 }'
    text = text.replace(old, MESHES[mesh]).replace('face_width = "20 mm"', 'face_width = "20 mm"\nbore = "15 mm"')
    model = files.read(text).model
    known = pl.signals_of(model, energies=False)
    assert list(known) == list(pl.statics(model).signals)
