"""Errors carry the part and the argument that they are about; files turn these into lines, and never read messages for it."""

import ast
from pathlib import Path

import pytest

import pitchline as pl
from pitchline import files
from pitchline.errors import ModelError, Place, Subject
from pitchline.units import quantity, vector

SOURCE = Path(__file__).parents[2] / "src" / "pitchline"


# ---- subjects


def test_a_subject_is_its_words_and_its_place() -> None:
    hinge = Subject('joint "hinge"', Place(("joints", "hinge")))
    axis = hinge / "axis"
    assert axis == 'joint "hinge": axis' and axis.place.path == ("joints", "hinge", "axis")
    assert axis / 2 == 'joint "hinge": axis[2]' and (axis / 2).place.argument == ("axis", 2)
    assert hinge.at("table", 0) == hinge and hinge.at("table", 0).place.argument == ("table", 0)
    assert axis.called("the axis") == "the axis" and axis.called("the axis").place == axis.place
    assert Subject(axis).place == axis.place and Subject("plain words").place == Place()


def test_errors_without_a_subject_have_no_place() -> None:
    error = ModelError("something is wrong")
    assert error.problems == ["something is wrong"] and error.places == [Place()]
    with pytest.raises(pl.UnitError) as caught:
        quantity("2 kg", "length", what="length")
    assert caught.value.places == [Place()]


def test_errors_of_several_problems_bring_their_places() -> None:
    what = Subject("gear", Place(argument=("teeth",)))
    both = ModelError([ModelError("one", about=what), "two"], title="all")
    assert both.problems == ["one", "two"] and both.places == [what.place, Place()]
    assert str(both) == "all (2):\n  - one\n  - two"


def test_items_of_lists() -> None:
    with pytest.raises(pl.UnitError, match=r"body: position\[1\]") as caught:
        vector((0, "2 kg", 0), "length", what=Subject("body") / "position")
    assert caught.value.places[0].argument == ("position", 1)


# ---- in Python


def model(plane: str | None = None) -> pl.Model:
    m = pl.Model("machine", plane=plane)
    m.body("arm", mass=1, inertia=(1, 1, 1))
    m.body("bob", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.revolute("hinge", m.ground, "arm", axis="z")
    return m


@pytest.mark.parametrize(
    "wrong, path",
    [
        (lambda m: m.body("c", mass="2 mm", inertia=(1, 1, 1)), ("bodies", "c", "mass")),
        (lambda m: m.body("c", mass=1, inertia=(1, 1, 3)), ("bodies", "c", "inertia")),
        (lambda m: m.revolute("j", "arm", "bop"), ("joints", "j", "b")),
        (lambda m: m.revolute("j", "arm", "bob", axis=(0, 0, "1 m")), ("joints", "j", "axis", 2)),
        (lambda m: m.screw("j", "arm", "bob", lead=0, axis="z"), ("joints", "j", "lead")),
        (lambda m: m.spring("s", "arm", "bop", stiffness=1), ("loads", "s", "b")),
        (lambda m: m.spring("s", "arm", "bob", stiffness=1, table=([0, 1], [0, 1])), ("loads", "s", "table")),
        (lambda m: m.spring("s", "arm", "bob", table=([0, 1], [0, "1 m"])), ("loads", "s", "table", 1, 1)),
        (lambda m: m.bushing("k", "arm", "bob", stiffness=[1, 1, -1, 1, 1, 1]), ("loads", "k", "stiffness")),
        (lambda m: m.force("f", "bob", (0, "1 kg", 0)), ("loads", "f", "value", 1)),
        (lambda m: m.force("f", m.ground, (0, 0, 0)), ("loads", "f", "on")),
        (lambda m: m.torque("t", "hinge", "3 N"), ("loads", "t", "value")),
        (lambda m: m.drive("d", "hing", speed=1.0), ("drives", "d", "joint")),
        (lambda m: m.drive("d", "hinge", speed="3 mm"), ("drives", "d", "speed")),
        (lambda m: m.body("arm", mass=1, inertia=(1, 1, 1)), ()),
        (lambda m: pl.Gear(teeth=20, starts=1, normal_module="2 mm"), ("starts",)),
        (lambda m: pl.Gear(teeth=20, normal_module="2 mm", bore="50 mm"), ("bore",)),
        (lambda m: pl.Elastic(1e8, damping=1.0, damping_ratio=0.1), ("damping_ratio",)),
        (lambda m: pl.Table([0, 1], [0, 1, 2]), ("values",)),
        (lambda m: pl.TipRelief("1 um", length="1 mm", shape="round"), ("shape",)),
    ],
)
def test_errors_carry_part_and_argument(wrong, path: tuple[str | int, ...]) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(pl.ModelError) as caught:
        wrong(model())
    assert [place.path for place in caught.value.places] == [path]


def test_planar_models_and_whole_models() -> None:
    m = model("xy")
    with pytest.raises(pl.ModelError, match="along z") as caught:
        m.force("f", "bob", (0, 0, 1))
    assert caught.value.places == [Place(("loads", "f"), ("value",))]
    m = model()
    m.body("free", mass=0, inertia=(0, 0, 0))
    m.body("loose", mass=1, inertia=(0, 0, 0))
    with pytest.raises(pl.ModelError) as caught:
        m.check()
    assert [place.path for place in caught.value.places] == [("bodies", "free"), ("bodies", "loose")]


# ---- in files


HEAD = """
name = "machine"
[gears.g]
teeth = 20
normal_module = "2 mm"
face_width = "20 mm"
[bodies.arm]
mass = 1
inertia = [1, 1, 1]
[bodies.bob]
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
[joints.hinge]
kind = "revolute"
a = "ground"
b = "arm"
"""


@pytest.mark.parametrize(
    "table, key, message",
    [
        # the message does not quote the argument, or quotes another one first
        (
            '[loads.s]\nkind = "spring"\na = "arm"\nb = "bob"\nstiffness = 1\ntable = [[0, 1], [0, 1]]',
            "loads.s.table",
            "not both",
        ),
        (
            '[loads.f]\nkind = "force"\non = "bob"\nvalue = [0, 0, 1]\nat = [0,\n0,\n"1 kg"]',
            "loads.f.at[2]",
            "got mass",
        ),
        ('[loads.f]\nkind = "force"\non = "bob"\nvalue = [0,\n"1 kg", 0]', "loads.f.value[1]", 'force "f"[1]'),
        ('[loads.f]\nkind = "force"\non = "ground"\nvalue = [0, 0, 1]', "loads.f.on", "acts on the ground"),
        ('[joints.s]\nkind = "screw"\na = "arm"\nb = "bob"\nlead = 0', "joints.s.lead", "lead must not be zero"),
        ('[joints.d]\nkind = "distance"\na = "arm"\nb = "bop"\nat_b = [1, 0, 0]', "joints.d.b", "unknown body"),
        ('[gears.w]\nteeth = 20\nnormal_module = "2 mm"\nbore = "50 mm"', "gears.w.bore", "the bore"),
        ('[gears.w]\nteeth = 20\nstarts = 1\nnormal_module = "2 mm"', "gears.w.starts", "teeth and starts"),
        # a key that is called otherwise in Python
        (
            '[drives.d]\njoint = "hinge"\nangle = { kind = "table", t = [0, 1], values = [0, 1], interpolation = "wavy" }',
            "drives.d.angle.interpolation",
            "linear",
        ),
        # a name that looks like a message about an argument
        (
            '[joints."x: axis"]\nkind = "revolute"\na = "nobody"\nb = "bob"\naxis = "z"',
            'joints."x: axis".a',
            "unknown body",
        ),
        # arguments of arguments
        (
            '[bodies.p]\ngear = "g"\nposition = [5, 0, 0]\naxis = "z"\n[bodies.q]\ngear = "g"\nmesh_with = "p"\n'
            "[bodies.p.mass]\n",
            "bodies.p.mass",
            "is not a quantity",
        ),
        (
            '[gears.n]\nteeth = 20\nnormal_module = "2 mm"\n[bodies.p]\ngear = "n"\nposition = [5, 0, 0]\naxis = "z"\nmass = 1\n'
            'inertia = [1, 1, 1]\n[bodies.q]\ngear = "n"\nmesh_with = "p"\nmass = 1\ninertia = [1, 1, 1]\n'
            '[gear_pairs.m]\na = "p"\nb = "q"\nmesh = { kind = "elastic", stiffness = "ISO 6336" }',
            "gear_pairs.m.mesh.stiffness",
            "depends on the face width",
        ),
    ],
)
def test_files_tell_the_place_of_the_argument(table: str, key: str, message: str) -> None:
    text = HEAD + table + "\n"
    found = files.check(text)
    told = [problem for problem in found if problem.key == key]
    assert len(told) == 1, found
    assert message in told[0].message
    last = key.split(".")[-1].split("[")[0].strip('"')
    line = text.splitlines()[told[0].line - 1]
    assert last in line or "[" in key


def test_the_model_itself() -> None:
    (problem,) = files.check('plane = "xy"\ngravity = [0, 0, 1]\nname = "gravity"\n[bodies.b]\nmass = 1\ninertia = 1\n')
    assert (problem.line, problem.key) == (2, "gravity")
    (problem,) = files.check(
        'gravity = [0, 0, 0]\nplane = "xx"\nname = "gravity"\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n'
    )
    assert (problem.line, problem.key) == (2, "plane")


def test_problems_of_the_whole_model_are_told_at_the_table_that_made_the_part() -> None:
    train = """
plane = "xy"
[gears.wheel]
teeth = 20
normal_module = "2 mm"
[gears.ring]
teeth = 60
normal_module = "2 mm"
internal = true
[planetary.stage]
sun = "wheel"
planet = "wheel"
ring = "ring"
fixed = "ring"
phase = "fit"
[planetary.stage.masses]
sun = [0, [0, 0, 0]]
planet = [1, [1, 1, 1]]
[planetary.stage.bearings]
sun = { stiffness = "1e8 N/m" }
[bodies.free]
mass = 0
inertia = 0
"""
    found = files.check(train)
    assert [(problem.line, problem.key) for problem in found] == [(10, "planetary.stage"), (21, "bodies.free")]
    assert 'body "stage sun": zero mass on a free body' in found[0].message


def test_options_of_dynamics() -> None:
    analysis = '[[analyses]]\nkind = "dynamics"\nduration = "1 s"\n'
    for options, key in (
        ('step = "1 ms"\nmax_step = "2 ms"', "max_step"),
        ("rho = 0.5\nhht = -0.1", "hht"),
        ("tolerance = 3.0", "tolerance"),
        ('min_step = "3 s"\nmax_step = "1 s"', "min_step"),
    ):
        (problem,) = files.check(HEAD + analysis + options + "\n")
        assert problem.key == f"analyses[0].{key}", problem


def test_no_position_is_read_from_the_message_of_an_error() -> None:
    """No module of files compares or searches `str(error)`; only tomllib (document.py) tells lines in no other way."""
    looks = (
        "match",
        "search",
        "fullmatch",
        "findall",
        "sub",
        "startswith",
        "endswith",
        "find",
        "index",
        "partition",
        "split",
    )
    for file in sorted((SOURCE / "files").glob("*.py")):
        if file.name == "document.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            searches = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in looks
            if searches or isinstance(node, ast.Compare):
                assert "str(error" not in ast.unparse(node), f"{file.name}:{node.lineno}"
                assert "error.problems" not in ast.unparse(node), f"{file.name}:{node.lineno}"
