"""Model files become models: everything the Python API can say, parameters, sections in any order."""

from pathlib import Path

import pytest
from references.machine import FILE, machine

import pitchline as pl
from pitchline import files

PENDULUM = """
name = "pendulum"
gravity = [0, 0, "-9.81 m/s^2"]
[parameters]
length = "1 m"
mass = "2 kg"
[bodies.rod]
solid = { kind = "bar", length = "= length", width = "2 cm", height = "2 cm", mass = "= mass" }
position = ["= length / 2", 0, 0]
[joints.hinge]
kind = "revolute"
a = "ground"
b = "rod"
at = [0, 0, 0]
axis = "y"
"""


def test_a_file_says_all_that_python_can() -> None:
    file = files.read(FILE)
    assert file.model.describe() == machine().describe()
    assert file.name == "machine" and file.description == "one of everything"
    assert [(step.name, step.kind, step.start) for step in file.steps] == [
        ("statics", "statics", None),
        ("run", "dynamics", "statics"),
    ]
    assert file.plot == ("mesh.normal_force", "motor.torque")
    assert file.parameters["pitch_radius"] == "0.024 m"


def test_parameters_may_be_given_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "pendulum.toml"
    file.write_text(PENDULUM, encoding="utf-8")
    assert pl.load(file).model.bodies["rod"].position[0] == 0.5
    assert pl.load(file, length="3 m").model.bodies["rod"].position[0] == 1.5
    again = files.read(file, overrides={"mass": "= length * '2 kg/m'", "length": "4"})  # a number alone is in SI units
    assert (again.model.bodies["rod"].mass, again.parameters["length"]) == (8.0, "4.0 m")


def test_a_name_that_is_no_parameter_cannot_be_set() -> None:
    (problem,) = files.check(PENDULUM, overrides={"lenght": 3})
    assert 'no parameter "lenght"' in problem.message and 'did you mean "length"?' in problem.message


def test_only_model_files_have_parameters(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="only model files"):
        pl.load(tmp_path / "run.nc", length=3)


def test_the_head_may_stand_in_a_table() -> None:
    head, _, rest = PENDULUM.partition("[parameters]")
    text = f"[model]\n{head.strip()}\n[parameters]{rest}"
    assert files.read(text).model.describe() == files.read(PENDULUM).model.describe()


def test_without_a_name_the_file_gives_it(tmp_path: Path) -> None:
    file = tmp_path / "swing.toml"
    file.write_text(PENDULUM.replace('name = "pendulum"\n', ""), encoding="utf-8")
    assert pl.load(file).name == "swing"


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("", "")], ids=["windows", "unix"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_line_ends_and_marks_of_editors_do_not_matter(tmp_path: Path, change: tuple[str, str], mark: bytes) -> None:
    file = tmp_path / "pendulum.toml"
    file.write_bytes(mark + PENDULUM.replace(*change).encode())
    assert files.read(file).model.describe() == files.read(PENDULUM).model.describe()


def test_parts_may_stand_in_any_order() -> None:
    text = """
name = "chain"
[wheels.last]
body = "shaft"
gear = "g"
mesh_with = "middle"
[bodies.middle]
gear = "g"
mesh_with = "first"
[bodies.first]
gear = "g"
position = [0, 0, 0]
[bodies.shaft]
mass = 1
inertia = [1, 1, 1]
position = ["120 mm", 0, 0]
[gears.g]
teeth = 20
normal_module = "2 mm"
face_width = "10 mm"
[joints.a]
kind = "revolute"
a = "ground"
b = "first"
[joints.b]
kind = "revolute"
a = "ground"
b = "middle"
[joints.c]
kind = "revolute"
a = "ground"
b = "shaft"
"""
    m = files.read(text).model
    assert m.bodies["middle"].position[0] == pytest.approx(0.04)
    between = m.placed(m.wheels["last"].frame)[0] - m.bodies["middle"].position
    assert between @ between == pytest.approx(0.04**2)


def test_a_plane_and_its_single_moment() -> None:
    text = 'plane = "xy"\n[bodies.disk]\nmass = 1\ninertia = "2 kg*m^2"\n'
    m = files.read(text).model
    assert m.plane is not None and m.plane.name == "xy" and m.bodies["disk"].inertia[2, 2] == 2.0


def test_gears_by_their_other_modules() -> None:
    text = """
[bodies.worm]
gear = { axial_module = "2 mm", starts = 2, reference_diameter = "20 mm", hand = "left", face_width = "30 mm" }
[bodies.cone]
gear = { outer_module = "4 mm", teeth = 20, cone_angle = "45 deg", face_width = "15 mm" }
position = ["1 m", 0, 0]
"""
    wheels = files.read(text).model.wheels
    assert wheels["worm"].gear == pl.Gear.from_axial_module(
        starts=2, axial_module="2 mm", reference_diameter="20 mm", hand="left", face_width="30 mm"
    )
    assert wheels["cone"].gear == pl.Gear.from_outer_module(
        teeth=20, outer_module="4 mm", cone_angle="45 deg", face_width="15 mm"
    )
    (problem,) = files.check(text.replace(', cone_angle = "45 deg"', ""))
    assert (problem.line, problem.key) == (5, "bodies.cone.gear") and '"cone_angle" is missing' in problem.message


def test_values_of_one_analysis_alone_change_the_model_there() -> None:
    text = (
        PENDULUM
        + '[[analyses]]\nkind = "statics"\nparameters = { length = "2 m" }\n[[analyses]]\nname = "as said"\nkind = "statics"\n'
    )
    run = files.read(text).run()
    # both hang straight down: the centre of mass is half a length below the hinge
    for name, length in (("statics", 2.0), ("as said", 1.0)):
        assert run[name]["rod.position"].final[2] == pytest.approx(-length / 2, rel=1e-9)


def test_a_train_may_stand_on_another() -> None:
    gears = "\n".join(
        f'[gears.{name}]\nteeth = {teeth}\nnormal_module = "2 mm"\nface_width = "20 mm"\n{more}'
        for name, teeth, more in (
            ("sun", 24, ""),
            ("planet", 36, ""),
            ("ring", 96, "internal = true\ntip_alteration = -0.2"),
        )
    )
    wheels = 'sun = "sun"\nplanet = "planet"\nring = "ring"\nfixed = "ring"\nmasses = { carrier = [1, [1, 1, 1]] }\n'
    second = f'[planetary.second]\n{wheels}on = {{ sun = "first carrier" }}\nposition = [0, 0, "0.1 m"]\n'
    text = f"{gears}\n{second}[planetary.first]\n{wheels}"
    m = files.read(text).model
    assert m.wheels["second sun"].body_name == "first carrier"


def test_the_same_file_twice_is_the_same_model() -> None:
    assert files.read(FILE).model.describe() == files.read(FILE).model.describe()
