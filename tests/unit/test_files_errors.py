"""Everything that is wrong in a file is told at once, with file, line, key and the way out."""

from pathlib import Path

import pytest

import pitchline as pl
from pitchline import files

GOOD = """\
name = "pair"
[parameters]
module = "2 mm"
[gears.g]
teeth = 20
normal_module = "= module"
face_width = "10 mm"
[bodies.a]
gear = "g"
position = [0, 0, 0]
[bodies.b]
gear = "g"
mesh_with = "a"
[joints.hinge_a]
kind = "revolute"
a = "ground"
b = "a"
[joints.hinge_b]
kind = "revolute"
a = "ground"
b = "b"
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { kind = "elastic", stiffness = "2e8 N/m" }
[drives.motor]
joint = "hinge_a"
speed = "100 rpm"
[loads.load]
kind = "torque"
on = "hinge_b"
value = "-20 N*m"
[[analyses]]
name = "settle"
kind = "statics"
[[analyses]]
name = "run"
kind = "dynamics"
start = "settle"
duration = "1 ms"
[figures]
force = { signal = "mesh.normal_force", of = "mean" }
[plot]
signals = ["mesh.normal_force"]
"""


def test_the_good_file_is_good() -> None:
    assert files.check(GOOD) == []


CASES = [
    # (what is replaced, by what, line, key, parts of the message)
    ('name = "pair"', "name = 3", 1, "name", ["must be a text"]),
    ('name = "pair"', "gravty = [0, 0, 1]", 1, "gravty", ['did you mean "gravity"?']),
    ('name = "pair"', 'gravity = [0, 0, "9.81 m"]', 1, "gravity", ["acceleration", "9.81 m"]),
    ('name = "pair"', 'plane = "xw"', 1, "plane", ['"xy", "yz" or "zx"']),
    ('module = "2 mm"', 'module = "2 mmm"', 3, "parameters.module", ['unknown unit "mmm"']),
    ('module = "2 mm"', "module = [1]", 3, "parameters.module", ["a number, a text with a unit"]),
    ('module = "2 mm"', 'module = "= modul"', 3, "parameters.module", ['unknown parameter "modul"']),
    (
        'module = "2 mm"',
        'module = "= x"\nx = "= y"\ny = "= module"',
        3,
        "parameters.module",
        ["circular reference", "module -> x -> y -> module"],
    ),
    ('module = "2 mm"', 'module = "2 kg"', 6, "gears.g.normal_module", ["expected length", "mass"]),
    ('module = "2 mm"', "my-module = 2", 3, "parameters.my-module", ["letters, digits and _"]),
    ('module = "2 mm"', 'module = "2 mm"\npi = 3', 4, "parameters.pi", ["Choose another"]),
    ("teeth = 20", "teeth = 20.5", 5, "gears.g.teeth", ["whole number", "20.5"]),
    ("teeth = 20", "teth = 20", 5, "gears.g.teth", ['did you mean "teeth"?']),
    ("teeth = 20", 'kind = "rak"', 5, "gears.g.kind", ['did you mean "rack"?']),
    ('"= module"', '"= module * teeth"', 6, "gears.g.normal_module", ['unknown parameter "teeth"']),
    ('gear = "g"\nposition', 'gear = "gg"\nposition', 9, "bodies.a.gear", ["no gear 'gg'", 'did you mean "g"?']),
    ("position = [0, 0, 0]", "position = [0, 0]", 10, "bodies.a.position", ["expected 3 values"]),
    ('mesh_with = "a"', 'mesh_with = "b"', 13, "bodies.b.mesh_with", ["unknown wheel"]),
    ('mesh_with = "a"', 'mesh_with = "c"', 13, "bodies.b.mesh_with", ['unknown wheel "c"']),
    (
        'kind = "revolute"\na = "ground"\nb = "a"',
        'kind = "hinge"\na = "ground"\nb = "a"',
        15,
        "joints.hinge_a.kind",
        ["no joint 'hinge'"],
    ),
    ('kind = "revolute"\na = "ground"\nb = "a"', 'a = "ground"\nb = "a"', 14, "joints.hinge_a", ['"kind" is missing']),
    (
        'b = "a"\n[joints.hinge_b]',
        'b = "aa"\n[joints.hinge_b]',
        17,
        "joints.hinge_a.b",
        ['unknown body "aa"', 'did you mean "a"?'],
    ),
    (
        'b = "a"\n[joints.hinge_b]',
        'b = { body = "aa" }\n[joints.hinge_b]',
        17,
        "joints.hinge_a.b.body",
        ["no body 'aa'"],
    ),
    ('b = "a"\n[joints.hinge_b]', "[joints.hinge_b]", 14, "joints.hinge_a", ['"b" is missing']),
    (
        'b = "a"\n[joints.hinge_b]',
        'b = "a"\naxis = "w"\n[joints.hinge_b]',
        18,
        "joints.hinge_a.axis",
        ["'w' is not a direction"],
    ),
    ('"2e8 N/m"', '"2e8 N*m"', 25, "gear_pairs.mesh.mesh.stiffness", ["expected stiffness", "torque"]),
    ('"2e8 N/m"', "-5", 25, "gear_pairs.mesh.mesh.stiffness", ["greater than zero"]),
    ('"2e8 N/m"', '{ kind = "fourier", period = "1 s" }', 25, "gear_pairs.mesh.mesh.stiffness", ['over="angle"']),
    ('"2e8 N/m" }', '"2e8 N/m", dampnig = 3 }', 25, "gear_pairs.mesh.mesh.dampnig", ['did you mean "damping"']),
    (
        'mesh = { kind = "elastic", stiffness = "2e8 N/m" }',
        'mesh = "elastc"',
        25,
        "gear_pairs.mesh.mesh",
        ["there is no mesh 'elastc'", 'did you mean "elastic"?'],
    ),
    ('"100 rpm"', '"100 m/s"', 28, "drives.motor.speed", ["angular velocity", "100 m/s"]),
    ('"100 rpm"', '{ kind = "ramp", start = 0 }', 28, "drives.motor.speed", ['"end" is missing']),
    ('"100 rpm"', '{ kind = "rampe" }', 28, "drives.motor.speed.kind", ['did you mean "ramp"?']),
    ('joint = "hinge_a"', 'joint = "hinge_c"', 27, "drives.motor.joint", ['unknown joint "hinge_c"']),
    ('value = "-20 N*m"', "value = [1, 2]", 32, "loads.load.value", ["not a quantity"]),
    ('on = "hinge_b"', "on = 4", 31, "loads.load.on", ["must be the name of a part", "4"]),
    ("[loads.load]", "[load.load]", 29, "load", ['did you mean "loads"?']),
    ('kind = "statics"', 'kind = "static"', 35, "analyses[0].kind", ['did you mean "statics"?']),
    ('duration = "1 ms"', 'duraton = "1 ms"', 40, "analyses[1].duraton", ['did you mean "duration"?']),
    ('duration = "1 ms"', 'duration = "-1 ms"', 40, "analyses[1].duration", ["greater than zero"]),
    ('duration = "1 ms"', 'duration = "1 ms"\nrho = 1.5', 41, "analyses[1].rho", ["0 <= rho < 1"]),
    ('start = "settle"', 'start = "setle"', 39, "analyses[1].start", ['did you mean "settle"?']),
    ('start = "settle"', 'name = "settle"', 39, "", ["is not TOML"]),
    ('of = "mean"', 'of = "average"', 42, "figures.force.of", ["there is no evaluation 'average'"]),
    ('of = "mean"', 'of = "amplitude"', 42, "figures.force", ["needs a frequency"]),
    ('of = "mean"', 'of = "mean", after = "1 m"', 42, "figures.force.after", ["expected time"]),
    ('of = "mean"', 'of = "mean", analysis = "runn"', 42, "figures.force.analysis", ['did you mean "run"?']),
    ('of = "mean"', 'of = "mean", unit = "lbff"', 42, "figures.force.unit", ['unknown unit "lbff"']),
    (
        'signal = "mesh.normal_force"',
        'signal = "mehs.normal_force"',
        42,
        "figures.force.signal",
        ['did you mean "mesh"'],
    ),
    (
        'signals = ["mesh.normal_force"]',
        'signal = ["mesh.normal_force"]',
        44,
        "plot.signal",
        ['did you mean "signals"?'],
    ),
]


@pytest.mark.parametrize("old, new, line, key, parts", CASES, ids=[f"{n}-{case[3]}" for n, case in enumerate(CASES)])
def test_each_problem_has_its_place_and_the_way_out(old: str, new: str, line: int, key: str, parts: list[str]) -> None:
    assert old in GOOD
    found = files.check(GOOD.replace(old, new, 1), source="pair.toml")
    assert found
    mine = [problem for problem in found if (problem.line, problem.key) == (line, key)]
    assert mine, [str(problem) for problem in found]
    assert all(problem.file == "pair.toml" for problem in found)
    for part in parts:
        assert part in mine[0].message, mine[0].message


FLANKS = [
    (
        "modifications_a = { kind = 'tip_relief', amount = '9 um' }",
        "modifications_a",
        "Specify this key for the gear in [gears]",
    ),
    ("elements_a = { siz = '1 mm' }", "elements_a.siz", '"size"'),
    ("elements_b = 3", "elements_b", "must be a table"),
    ("teeth_a = { }", "teeth_a", "Specify this key for the gear in [gears]"),
    ("damping_ratio = 2", "damping_ratio", "less than 1"),
]


@pytest.mark.parametrize("said, key, words", FLANKS, ids=[key for _, key, _ in FLANKS])
def test_problems_of_elastic_flanks(said: str, key: str, words: str) -> None:
    text = GOOD.replace('"elastic", stiffness = "2e8 N/m"', '"flank"')
    assert files.check(text) == []
    found = files.check(text.replace('"flank"', f'"flank", {said}'))
    told = [problem for problem in found if str(problem.key) == f"gear_pairs.mesh.mesh.{key}"]
    assert told and words in told[0].message


def test_all_problems_are_told_at_once() -> None:
    text = GOOD
    for old, new in (
        ("teeth = 20", "teeth = -1"),
        ('"2e8 N/m"', '"2e8 kg"'),
        ('of = "mean"', 'of = "men"'),
        ('"1 ms"', '"1 m"'),
    ):
        text = text.replace(old, new, 1)
    with pytest.raises(pl.FileError) as caught:
        files.read(text, source="pair.toml")
    assert [problem.line for problem in caught.value.found] == [5, 25, 40]
    assert str(caught.value).startswith("pair.toml has problems (3):\n  - pair.toml:5: gears.g.teeth: ")
    assert isinstance(caught.value, pl.ModelError)


def test_what_follows_from_a_problem_is_not_told_again() -> None:
    found = files.check(GOOD.replace("teeth = 20", "teeth = -1", 1))
    assert [problem.key for problem in found] == ["gears.g.teeth"]
    found = files.check(GOOD.replace('module = "2 mm"', 'module = "2 xx"', 1))
    assert [problem.key for problem in found] == ["parameters.module"]


def test_problems_of_the_whole_model_name_the_part() -> None:
    found = files.check(GOOD + "[bodies.free]\nmass = 0\ninertia = [0, 0, 0]\n")
    assert [(problem.line, problem.key) for problem in found] == [(45, "bodies.free")]


@pytest.mark.parametrize(
    "text, line",
    [
        ("a = 1\nb = [1, 2\nc = 3\n", 3),
        ("a = 1\nb = \n", 2),
        ("[a\n", 1),
        ('a = "x\n', 1),
        ("a = 1\na = 2\n", 2),
        ("a = [1,\n", 1),
        ("a = 1\n\n\x00", 3),
        ("x = " + "[" * 5000 + "\n", 1),
        (".".join("a" * 5000) + " = 1\n", 1),
        ("x = " + "9" * 5000 + "\n", 1),
    ],
    ids=range(10),
)
def test_what_is_not_toml_has_its_line_too(text: str, line: int) -> None:
    (problem,) = files.check(text)
    assert problem.line == line and len(problem.message) < 300


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    assert "folder" in files.check(tmp_path)[0].message
    (tmp_path / "gearbox.toml").write_text("")
    assert 'did you mean "gearbox.toml"?' in files.check(tmp_path / "gaerbox.toml")[0].message
    (tmp_path / "bytes.toml").write_bytes(b"a = 1\nb = '\xff'\n")
    (problem,) = files.check(tmp_path / "bytes.toml")
    assert problem.line == 2 and "UTF-8" in problem.message


def test_a_problem_reads_as_compilers_write_it() -> None:
    problem = files.Problem("pair.toml", 12, "gears.g.teeth", "must be whole")
    assert str(problem) == "pair.toml:12: gears.g.teeth: must be whole"


def test_a_wrong_parameter_is_told_once() -> None:
    """Analyses that change it as well know that it is there."""
    text = GOOD.replace("[gears.g]", 'fidelity = { choices = ["rigid", "elastic"], value = "elastik" }\n[gears.g]', 1)
    text += '\n[[analyses]]\nname = "other"\nkind = "statics"\nparameters = { fidelity = "rigid" }\n'
    (found,) = files.check(text)
    assert found.key == "parameters.fidelity" and 'did you mean "elastic"' in found.message
