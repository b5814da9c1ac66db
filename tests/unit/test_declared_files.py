"""Declared elements in model files, schema, writer, summary, report, scheme, checkpoints; elements of users by permission."""

import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import numba
import pytest
from references.drag import Drag

import pitchline as pl
from pitchline.analyses.checkpoint import fingerprint
from pitchline.extend import Element, frame, number
from pitchline.files import check, read, schema
from pitchline.files.element_schema import element_schema
from pitchline.parts.springs.speed_loads import CubicSpring
from pitchline.views.scheme.scene import read_scene

FILE = """
name = "rig"

[bodies.ball]
mass = "1 kg"
inertia = ["1 kg*m^2", "1 kg*m^2", "1 kg*m^2"]

[bodies.weight]
mass = "1 kg"
inertia = ["1 kg*m^2", "1 kg*m^2", "1 kg*m^2"]
position = ["1 m", 0, 0]

[elements.spring]
type = "cubic_spring"
a = "ball"
b = "weight"
at_b = ["1 m", 0, "10 mm"]
stiffness = "2 N/mm"

[elements.air]
type = "references.drag:Drag"
on = "ball"
coefficient = "0.02 N*s^2/m^2"
"""
MINE = FILE.index("[elements.air]")


def test_a_file_says_elements_of_the_package() -> None:
    model = read(FILE[:MINE]).model
    spring = model.elements["spring"]
    assert isinstance(spring, CubicSpring)
    assert (spring.stiffness, spring.cubic, spring.a.body_name) == (2000.0, 0.0, "ball")
    assert spring.b.position.tolist() == [0.0, 0.0, 0.01]


def test_a_class_of_the_user_must_be_allowed() -> None:
    (problem,) = check(FILE)
    assert problem.key == "elements.air.type" and problem.line == FILE[:MINE].count("\n") + 2
    assert (
        "is code of the module references.drag. It runs only if you allow it: use the option --allow references.drag"
        in problem.message
    )
    assert check(FILE, allow="references") == []
    assert check(FILE, allow=["other", "references.drag"]) == []
    assert len(check(FILE, allow="references.dr")) == 1
    assert isinstance(read(FILE, allow="references.drag").model.elements["air"], Drag)


@pytest.mark.parametrize(
    "before, after, key, message",
    [
        (
            '"2 N/mm"',
            '"2 kg"',
            "elements.spring.stiffness",
            'CubicSpring "spring".stiffness: expected stiffness (N/m), got mass',
        ),
        ('b = "weight"', 'b = "wait"', "elements.spring.b", 'unknown body "wait"; did you mean "weight"?'),
        ('at_b = ["1 m", 0, "10 mm"]', "at_b = [1, 2]", "elements.spring.at_b", "expected 3 values"),
        ('type = "cubic_spring"', 'type = "cubic"', "elements.spring.type", "there is no element 'cubic'"),
        ('type = "cubic_spring"', "", "elements.spring", "must be a table with a type"),
        ('stiffness = "2 N/mm"', "", "elements.spring", '"stiffness" is missing. Add it'),
        ('stiffness = "2 N/mm"', "stiffness = 1\nstif = 2", "elements.spring.stif", 'unknown key "stif"'),
        ('"ball"\nb', '"weight"\nb', "elements.spring", 'all its ends are on "weight"'),
    ],
)
def test_errors_stand_at_their_keys(before: str, after: str, key: str, message: str) -> None:
    text = FILE[:MINE]
    assert before in text
    (problem,) = check(text.replace(before, after))
    assert problem.key == key
    assert message in problem.message


def test_what_is_written_reads_back_and_leaves_out_defaults() -> None:
    model = read(FILE, allow="references").model
    text = model.to_toml()
    table = text[text.index("[elements.spring]") : text.index("[elements.air]")]
    assert table.split("\n")[1:-2] == [
        'type = "cubic_spring"', 'a = "ball"', 'b = "weight"', 'at_b = ["1 m", 0, "10 mm"]', 'stiffness = "2000 N/m"',
    ]  # fmt: skip
    again = read(text, allow="references").model
    assert again.describe() == model.describe()


def test_frames_of_any_kind_are_written() -> None:
    m = read(FILE[:MINE]).model
    turned = m.bodies["ball"].frame("hook", position=(0.1, 0.2, 0.3), axis="x")
    m.add(CubicSpring("second", a=turned, b=m.ground, at_b=(0, 0, 1 / 3), stiffness=1.0, damping="3 N*s/m"))
    assert read(m.to_toml()).model.describe() == m.describe()


def test_a_class_that_no_file_can_name_is_not_written() -> None:
    class Local(Element):
        """Here only."""

        on = frame("body")

        def evaluate(s, m, x, w, ask, r, J):
            r[0] += 1.0

    m = read(FILE[:MINE]).model
    m.add(Local("local", on="ball"))
    with pytest.raises(pl.ModelError, match='Local "local": its class is not in a module that can be imported by name'):
        m.to_toml()


def test_the_schema_describes_them() -> None:
    own = element_schema(CubicSpring)
    assert own["required"] == ["type", "a", "b", "stiffness"]
    assert own["properties"]["stiffness"]["description"] == "stiffness at the free length [N/m]"
    whole = schema()
    assert own in whole["properties"]["elements"]["additionalProperties"]["oneOf"]
    data = tomllib.loads(FILE)
    valid = jsonschema.Draft202012Validator(whole)
    valid.validate(data)
    data["elements"]["spring"]["stif"] = 1
    with pytest.raises(jsonschema.ValidationError):
        valid.validate(data)


def test_summary_and_description() -> None:
    m = read(FILE, allow="references").model
    lines = m.summary().splitlines()
    assert lines[0].endswith("0 loads, 2 elements")
    assert lines[-2:] == [
        "  spring  CubicSpring, ball - weight: stiffness 2000 N/m",
        "  air     Drag, ball: coefficient 0.02 N*s^2/m^2",
    ]
    said = m.describe()["elements"]["spring"]
    assert said["type"] == "CubicSpring" and said["key"] == "cubic_spring"
    assert said["parameters"]["stiffness"] == {"value": 2000.0, "unit": "N/m", "text": "stiffness at the free length"}


def test_report_and_scheme_show_them(tmp_path: Path) -> None:
    m = read(FILE, allow="references").model
    run = pl.dynamics(m, duration=0.01, step=1e-3)
    file = tmp_path / "rig.html"
    pl.views.write_report(file, run)
    text = file.read_text(encoding="utf-8")
    assert "a stiffness that increases with extension and compression; stiffness 2" in text
    assert "growing with the square of the speed; coefficient " in text
    assert [link.kind for link in read_scene(m.describe()).links] == ["Element", "Element"]


def test_a_checkpoint_knows_the_equations() -> None:
    def drag(power: float) -> type[Element]:
        class Power(Element):
            """A force."""

            on = frame("body")
            size = number("N", "size", 1.0)

            def evaluate(s, m, x, w, ask, r, J):
                r[0] += s.size * power

        return Power

    marks = []
    for power in (1.0, 1.0, 2.0):
        m = read(FILE[:MINE]).model
        m.add(drag(power)("force", on="ball"))
        marks.append(fingerprint(m, 0.0, 1.0))
    assert marks[0] == marks[1] != marks[2]
    m = read(FILE[:MINE]).model
    assert fingerprint(m, 0, 1) != fingerprint(m.replaced(m.elements["spring"].replaced(stiffness=1.0)), 0, 1)


@pytest.mark.slow
def test_the_command_runs_a_file_with_an_element_of_the_user(tmp_path: Path) -> None:
    """The module lies in the present folder; nothing of it is imported unless it is allowed."""
    source = Path(__file__).parents[1] / "references" / "drag.py"
    (tmp_path / "lab.py").write_text(source.read_text(encoding="utf-8") + "\nprint('code runs')\n", encoding="utf-8")
    text = (
        FILE.replace("references.drag", "lab") + '\n[[analyses]]\nname = "run"\nkind = "dynamics"\nduration = "10 ms"\n'
    )
    (tmp_path / "rig.toml").write_text(text, encoding="utf-8")
    results = [
        subprocess.run([sys.executable, "-m", "pitchline", *arguments], cwd=tmp_path, capture_output=True, text=True)
        for arguments in (
            ["check", "rig.toml"],
            ["check", "rig.toml", "--allow", "lab"],
            ["run", "rig.toml", "--allow-code"],
        )
    ]
    assert [result.returncode for result in results] == [1, 0, 0], results
    assert "code runs" not in results[0].stdout and "--allow lab" in results[0].stdout
    assert "code runs" in results[1].stdout and "fine" in results[1].stdout
    assert "air: force" in results[2].stdout


def test_an_element_of_the_user_compiles_nothing_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one run, a model with a class that was never seen before compiles the functions of that class alone."""
    m = read(FILE[:MINE]).model
    pl.dynamics(m, duration=0.01, step=1e-3)
    compiled: list[str] = []
    before = numba.core.compiler.compile_extra

    def counted(typing, target, function, *rest, **options):
        compiled.append(function.__qualname__.rpartition("<locals>.")[2])
        return before(typing, target, function, *rest, **options)

    monkeypatch.setattr(numba.core.compiler, "compile_extra", counted)

    class New(Element):
        """A constant force."""

        on = frame("body")
        size = number("N", "size", 1.0)

        def evaluate(s, m, x, w, ask, r, J):
            r[0] += s.size

        def report(s, m, x, w, ask, out):
            out.power_in = -s.size * x.on.v[0]

    m.add(New("new", on="ball"))
    pl.dynamics(m, duration=0.01, step=1e-3)
    assert sorted(name.rpartition(".")[2] for name in compiled) in (["evaluate", "report"], [])  # or from their files
