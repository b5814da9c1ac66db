"""What parts look like: said in Python and in files, described, kept in results, written back; and no number depends on it."""

from pathlib import Path
from typing import Any

import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.files import FileError, read

GEAR = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm")


def full(stl: Path | None = None) -> pl.Model:
    """A model with looks of every kind of part."""
    m = pl.Model("looks", gravity=(0, 0, -9.81))
    solid = pl.cylinder("20 mm", "0.1 m", density=7800, axis="x") + pl.bar(0.1, 0.02, 0.01, mass=1).moved((0.05, 0, 0))
    crank = m.body("crank", solid=solid.turned(pl.Rotation("z", "30 deg")), colour="blue", centre_of_mass=(0, 0, 0.1))
    m.revolute("hinge", m.ground, crank, axis="y")
    m.gear_body("pinion", GEAR, colour="red", shape=pl.tube(0.01, 0.005, 0.1).turned(pl.Rotation((1, 1, 0), 0.3)))
    hub = m.body("hub", solid=pl.cone(0.02, 0.01, 0.1, mass=1))
    m.wheel("rim", hub, GEAR, colour="#123")
    m.body("bare", solid=pl.sphere(0.1, mass=1), shape=[], position=(1, 0, 0))
    shaft = m.shaft("shaft", [pl.ShaftSection("0.1 m", "20 mm")], colour="steel", position=(0, 1, 0))
    m.look(shaft["start"], shape=pl.sphere("20 mm"))
    m.attached_mass("disc", shaft["end"], solid=pl.cylinder(0.1, 0.01, mass=3), centre_of_mass=(0, 0, 0.01))
    floor, cone = pl.bar(1, 1, 0.01).moved((0, 0, -0.1)), pl.cone(0.1, 0.05, 0.2, axis="x").coloured("orange")
    m.look("ground", shape=[floor, cone], colour="#D3D3D340")
    if stl is not None:
        m.body("part", mass=1, inertia=(1, 1, 1), shape=pl.stl(stl, scale="1 mm"))
    return m


@pytest.fixture
def stl(tmp_path: Path) -> Path:
    lines = ["facet normal 0 0 0", "outer loop", "vertex 0 0 0", "vertex 1 0 0", "vertex 0 1 0", "endloop", "endfacet"]
    path = tmp_path / "plate.stl"
    path.write_text("\n".join(["solid plate", *lines, "endsolid plate"]))
    return path


def test_what_is_described() -> None:
    said = full().describe()
    crank = said["bodies"]["crank"]
    assert [piece["type"] for piece in crank["shape"]] == ["cylinder", "box"] and crank["colour"] == "#0072B2"
    assert crank["shape"][0]["position"] == [0, 0, 0.1]  # moved with the solid
    assert said["bodies"]["pinion"]["shape"][0]["inner"] == 0.005 and "colour" not in said["wheels"]["pinion"]
    assert "shape" not in said["bodies"]["hub"]  # the solid of a body with a wheel stands for the wheel
    assert said["wheels"]["rim"]["colour"] == "#112233"
    assert said["bodies"]["bare"]["shape"] == []
    assert said["shafts"]["shaft"]["colour"] == "#8A949E"
    assert said["shafts"]["shaft"]["stations"]["shaft start"]["shape"][0]["type"] == "sphere"
    assert said["elements"]["disc"]["shape"][0]["position"] == [0, 0, 0.01]
    ground = said["ground"]
    assert "colour" not in crank["shape"][0]
    assert len(ground["shape"]) == 2 and (ground["colour"], ground["opacity"]) == ("#D3D3D3", 64 / 255)
    assert ground["shape"][1]["colour"] == "#E69F00" and "colour" not in ground["shape"][0]


def test_the_solid_of_a_body_with_wheels_is_drawn_where_it_does_not_stand_for_them() -> None:
    def shape(solid: pl.MassProperties, **mass: bool) -> Any:
        m = pl.Model("wheel")
        body = m.body("body", solid=solid)
        m.wheel("wheel", body, GEAR, **mass)
        return m.describe()["bodies"]["body"].get("shape")

    shaft = pl.tube("15 mm", "5 mm", "200 mm", density=7830)
    assert shape(shaft) is None
    assert shape(shaft, with_mass=True) == shape(shaft + GEAR.solid.moved((0, 0, 1))) == shaft.shape.described
    assert shape(GEAR.solid) is None


def test_a_model_without_looks_describes_none() -> None:
    m = pl.Model("plain")
    m.body("a", mass=1, inertia=(1, 1, 1))
    said = m.describe()
    assert not m.looks and "ground" not in said and not {"shape", "colour", "hidden"} & set(said["bodies"]["a"])


def test_files_say_the_same(tmp_path: Path, stl: Path) -> None:
    m = full(stl)
    path = tmp_path / "model.toml"
    m.to_toml(path)
    again = read(path).model
    assert again.describe() == m.describe()
    assert again.to_toml() == path.read_text()


def test_results_keep_them_and_numbers_do_not_change(tmp_path: Path, stl: Path) -> None:
    def model(looks: bool) -> pl.Model:
        m = pl.Model("pendulum", gravity=(0, 0, -9.81))
        more: dict[str, Any] = {"shape": pl.stl(stl, scale="1 mm"), "colour": "green"} if looks else {"shape": []}
        rod = m.body("rod", solid=pl.bar(1, 0.1, 0.1, mass=1), **more)
        m.revolute("hinge", m.ground, rod, at=(0.5, 0, 0), axis="y")
        return m

    seen, unseen = (pl.dynamics(model(looks), duration=0.02) for looks in (True, False))
    assert (seen["rod.position"].values == unseen["rod.position"].values).all()
    stl.unlink()
    path = tmp_path / "rod.nc"
    seen.save(path)
    assert pl.load(path).model["bodies"]["rod"] == seen.model["bodies"]["rod"]
    assert seen.model["bodies"]["rod"]["shape"][0]["count"] == [3, 1]


def test_later_words_change_what_they_say_alone() -> None:
    m = full()
    m.look("crank", hidden=True)
    look = m.looks["crank"]
    assert look.hidden and look.colour == "#0072B2" and look.shape is not None and len(look.shape.pieces) == 2
    m.look(m.bodies["crank"], shape=pl.sphere(1), hidden=False)
    assert m.describe()["bodies"]["crank"]["shape"][0]["type"] == "sphere" and not m.looks["crank"].hidden


def test_copies_keep_the_looks_of_parts_that_stay() -> None:
    m = full()
    copy = m.replaced(without=["rim", "shaft", "disc"])
    assert set(copy.looks) == {"crank", "pinion", "hub", "bare", "ground"}
    copy.look("crank", colour="red")
    assert m.looks["crank"].colour == "#0072B2"


@pytest.mark.parametrize(
    "say, message",
    [
        (lambda m: m.look("crnk", colour="red"), 'or attached mass "crnk"; did you mean "crank"'),
        (lambda m: m.look("crank", shape=3), 'look of "crank": shape: 3 is not a shape; specify cylinder'),
        (lambda m: m.look("crank", shape=pl.MassProperties(1, (0, 0, 0), (1, 1, 1))), "has no shape"),
        (lambda m: m.look("crank", shape=GEAR.solid), "from a gear"),
        (lambda m: m.look("crank", colour="bleu"), 'did you mean "blue"'),
        (lambda m: m.look("crank", hidden=1), "hidden must be true or false"),
        (lambda m: m.look("shaft", shape=pl.sphere(1)), "its shape follows from its type"),
        (lambda m: m.look("rim", shape=pl.sphere(1)), "its shape follows from its type"),
        (lambda m: m.look(3), "expected a body"),
        (lambda m: m.look(full().bodies["crank"], hidden=True), "belongs to another model"),
        (lambda m: m.body("x", solid=pl.cylinder(1, 1)), 'body "x": the solid is a shape (cylinder) without a mass'),
        (lambda m: m.body("x", solid=pl.sphere(1, mass=1), colour="bleu"), 'body "x": colour'),
        (lambda m: pl.sphere(1) + pl.sphere(1, mass=1), "without a mass"),
        (lambda m: pl.sphere(1, mass=1) + pl.sphere(1), "without a mass"),
        (lambda m: m.shaft("y", [pl.ShaftSection(1, 1)], colour="bleu"), 'shaft "y": colour'),
        (lambda m: m.wheel("z", "crank", GEAR, colour="no"), 'wheel "z": colour'),
        (lambda m: m.look("rim", hidden=True), "hidden with its body"),
        (lambda m: m.look("hinge", colour="red"), 'or attached mass "hinge"'),
    ],
)  # fmt: skip
def test_what_is_refused(say: Any, message: str) -> None:
    m = full()
    before = m.describe()
    with pytest.raises(ModelError) as caught:
        say(m)
    assert message in str(caught.value)
    assert m.describe() == before


BODY = "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n"


@pytest.mark.parametrize(
    "text, line, message",
    [
        (BODY + 'colour = "bleu"', 4, '"blue"'),
        (BODY + 'shape = { kind = "cylindr" }', 4, '"cylinder"'),
        (BODY + 'shape = [{ kind = "sphere", radius = -1 }]', 4, "radius must be greater"),
        (BODY + 'shape = { kind = "stl", file = "no.stl", scale = "1 mm" }', 4, "cannot be read"),
        (BODY + 'shape = { kind = "stl", file = "../x.stl", scale = "1 mm" }', 4, "is outside the folder of the model file"),
        (BODY + 'shape = { kind = "stl", file = "x.stl" }', 4, '"scale" is missing'),
        ('[bodies.a]\nsolid = { kind = "sphere", radius = 1 }', 2, "without a mass"),
        ('[looks.grund]\ncolour = "red"', 1, 'did you mean "ground"'),
        ('[looks.ground]\ncolor = "red"', 2, '"colour"'),
    ],
)  # fmt: skip
def test_files_name_the_line(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        read(path)
    assert f"model.toml:{line}: " in str(caught.value) and message in str(caught.value)
