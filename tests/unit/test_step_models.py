"""Models from STEP files: bodies of one or more parts, densities, model files with shapes, command line."""

import json
from pathlib import Path

import numpy as np
import pytest
from references.step_files import StepAssembly, box, tube

import pitchline as pl
from pitchline.cli.program import main
from pitchline.exchange.safe_xml import ExchangeError
from pitchline.exchange.step.parts import import_step
from pitchline.exchange.step.reading import CadProcess

pytest.importorskip("OCP")
STEEL, ALUMINIUM = 7830.0, 2700.0


@pytest.fixture(scope="module")
def reader():
    with CadProcess() as process:
        yield process


@pytest.fixture(scope="module")
def turn() -> np.ndarray:
    return pl.Rotation((1, -1, 2), 0.4).matrix


@pytest.fixture(scope="module")
def arm(tmp_path_factory, turn) -> Path:
    made = StepAssembly("arm")
    link = made.part("link", box(200, 30, 20), colour=(0.2, 0.4, 0.6), density=2.7)
    motor = made.part("motor", tube(25, 5, 60))
    made.place(link, "link_1", rotation=turn, position=(10, 20, 30))
    made.place(link, "link_2", position=(0, 0, 100))
    made.place(motor, rotation=turn.T, position=(-40, 0, 0))
    return made.write(tmp_path_factory.mktemp("step") / "arm.step")


def world(body: pl.Body) -> pl.MassProperties:
    return pl.MassProperties(body.mass, body.centre_of_mass, body.inertia).turned(body.orientation).moved(body.position)


def test_one_body_for_each_instance(arm, reader, turn) -> None:
    model = import_step(arm, density=STEEL, reader=reader).model
    assert list(model.bodies) == ["link_1", "link_2", "motor"]
    one = model.bodies["link_1"]
    assert one.mass == pytest.approx(ALUMINIUM * 0.2 * 0.03 * 0.02, rel=1e-12)
    assert np.allclose(one.orientation, turn, atol=1e-12)
    assert one.position == pytest.approx([0.01, 0.02, 0.03], abs=1e-14)
    assert model.bodies["motor"].mass == pytest.approx(STEEL * np.pi * (0.025**2 - 0.005**2) * 0.06, rel=1e-12)
    assert model.looks["link_1"].shape.pieces[0].colour == "#336699"


def test_merged_parts_have_the_sum_of_their_masses_and_the_axes_of_the_first(arm, reader) -> None:
    single = import_step(arm, density=STEEL, reader=reader).model
    merged = import_step(arm, density=STEEL, bodies={"upper": ["motor", "link_1"]}, reader=reader).model
    assert list(merged.bodies) == ["upper", "link_2"]
    whole = world(single.bodies["motor"]) + world(single.bodies["link_1"])
    found = world(merged.bodies["upper"])
    assert found.mass == pytest.approx(whole.mass, rel=1e-15)
    assert found.centre_of_mass == pytest.approx(whole.centre_of_mass, abs=1e-15)
    assert np.abs(found.inertia - whole.inertia).max() < 1e-13 * whole.inertia.max()
    assert np.allclose(merged.bodies["upper"].position, single.bodies["motor"].position)
    assert len(merged.looks["upper"].shape.pieces) == 2


def test_densities_and_masses_by_pattern(arm, reader) -> None:
    model = import_step(
        arm, density=1000, materials={"link_1": pl.STEEL, "alloy": "2 g/cm^3"}, masses={"mot*": "3 kg"}, reader=reader
    ).model
    volume = 0.2 * 0.03 * 0.02
    masses = {name: body.mass for name, body in model.bodies.items()}
    assert masses == pytest.approx({"link_1": 7830 * volume, "link_2": 2000 * volume, "motor": 3.0}, rel=1e-12)


def test_parts_of_the_ground_are_only_drawn(arm, reader) -> None:
    model = import_step(arm, bodies={"ground": ["motor"]}, reader=reader).model
    assert list(model.bodies) == ["link_1", "link_2"]
    piece = model.looks["ground"].shape.pieces[0]
    assert piece.position == pytest.approx([-0.04, 0, 0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r'no density for 1 part: "motor".*Specify density="7850 kg/m\^3"'),
        ({"density": -1}, "density must be greater than zero, got -1"),
        ({"density": "3 mm"}, "density"),
        ({"density": 1, "materials": {"whel*": 3}}, r'materials: no part has the name "whel\*"'),
        ({"density": 1, "bodies": {"a": ["link*"], "b": ["link_1"]}}, '"link_1" belongs to the bodies "a" and "b"'),
        ({"density": 1, "bodies": {"motor": ["link*"]}}, 'the name "motor" of a body is also that of a part'),
        ({"density": 1, "bodies": {"a": []}}, 'body "a": specify names of parts'),
        ({"density": 1, "bodies": ["a"]}, "bodies must be a table"),
        ({"density": 1, "leave_out": ["*"]}, "all parts are left out"),
        ({"masses": {"motor": 0}}, 'part "motor": mass must be greater than zero'),
        ({"materials": ["a"]}, "materials must be a table"),
        ({"tolerance": 0}, "tolerance must be greater than zero"),
    ],
)
def test_wrong_options(arm, reader, options, message) -> None:
    with pytest.raises(pl.PitchlineError, match=message):
        import_step(arm, **options, reader=reader)


def test_a_model_file_reads_back_to_the_same_model_with_its_shapes(arm, reader, tmp_path) -> None:
    model = import_step(arm, density=STEEL, bodies={"upper": ["motor", "link_1"]}, reader=reader).model
    model.revolute("hinge", model.ground, model.bodies["upper"], axis="y")
    model.to_toml(tmp_path / "arm.toml")
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".stl", ".stl", ".toml"]
    again = pl.load(tmp_path / "arm.toml").model
    assert again.describe() == model.describe()
    with pytest.raises(pl.PitchlineError, match="already exists"):
        model.to_toml(tmp_path / "arm.toml")
    model.to_toml(tmp_path / "other.toml")  # the same shapes are kept


def test_another_file_of_the_same_name_is_not_replaced(arm, reader, tmp_path) -> None:
    model = import_step(arm, density=STEEL, reader=reader).model
    model.to_toml(tmp_path / "arm.toml")
    stl = next(tmp_path.glob("*.stl"))
    stl.write_bytes(b"other")
    with pytest.raises(pl.PitchlineError, match=rf"{stl.name}.*already exists"):
        model.to_toml(tmp_path / "second.toml")
    assert not (tmp_path / "second.toml").exists()


def test_the_model_runs(arm, reader) -> None:
    model = import_step(
        arm, density=STEEL, bodies={"one": ["link_1", "motor"]}, leave_out=["link_2"], reader=reader
    ).model
    model.revolute("hinge", model.ground, model.bodies["one"], axis="z")
    model.torque("motor torque", "hinge", "1 N*m")
    run = pl.dynamics(model, duration="10 ms", step="1 ms")
    I = world(model.bodies["one"])
    x = I.centre_of_mass - model.bodies["one"].position
    moment = I.inertia[2, 2] + I.mass * (x[0] ** 2 + x[1] ** 2)
    assert run["hinge.angular_speed"].final == pytest.approx(0.01 / moment, rel=1e-9)


@pytest.mark.slow
def test_command_line(arm, tmp_path, monkeypatch, capfd) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--density", "7830 kg/m^3", "--body", "upper=motor,link_1", "--json"]
    assert main(["import", str(arm), *options]) == 0
    out = capfd.readouterr().out
    data = json.loads(out)  # nothing of the kernel on standard output
    assert Path(data["file"]).name == "arm.toml"
    assert len(data["files"]) == 2
    model = pl.load("arm.toml").model
    assert list(model.bodies) == ["upper", "link_2"]
    assert main(["import", str(arm), *options]) != 0
    assert "already exists" in capfd.readouterr().err


def test_from_step_reads_with_its_own_process(arm) -> None:
    model = pl.from_step(arm, density=pl.STEEL, gravity=(0, 0, -9.81), name="robot")
    assert model.name == "robot"
    assert len(model.bodies) == 3
    with pytest.raises(ExchangeError, match="cannot be read"):
        pl.from_step(arm.with_name("none.step"))
