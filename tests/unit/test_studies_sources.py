"""Sources of studies: model files, gallery models and functions; checks of parameters."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.studies.sources import FileSource, FunctionSource, source_of

TEXT = """
name = "pendulum"
include = ["rod.toml"]
[parameters]
length = { value = "1 m", min = "10 cm", max = "2 m" }
start = "10 deg"
rate = "2 Hz"
links = 1
kind = { choices = ["round", "square"] }
[joints.hinge]
kind = "revolute"
a = "ground"
b = "rod"
axis = "y"
"""
ROD = """
[bodies.rod]
mass = "1 kg"
inertia = ["1 kg*m^2", "1 kg*m^2", "1 kg*m^2"]
position = ["= length", 0, 0]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "rod.toml").write_text(ROD)
    path = tmp_path / "pendulum.toml"
    path.write_text(TEXT)
    return path


def test_parameters_of_a_file(file: Path) -> None:
    source = source_of(file)
    found = {name: (p.default, p.unit, p.choices) for name, p in source.parameters.items()}
    assert found == {
        "length": (1.0, "m", ()),
        "start": (np.deg2rad(10), "rad", ()),
        "rate": (2.0, "Hz", ()),
        "links": (1, "", ()),
        "kind": ("round", "", ("round", "square")),
    }
    assert source.name == "pendulum"


def test_a_source_builds_in_another_process_without_the_files(file: Path) -> None:
    source = source_of(pl.load(file, start="20 deg"))
    for path in file.parent.iterdir():
        path.unlink()
    again = pickle.loads(pickle.dumps(source))
    assert again.build({"length": "0.5 m"}).bodies["rod"].position[0] == 0.5
    assert again.read({"length": 0.25}).parameters["start"] == f"{float(np.deg2rad(20))!r} rad"
    assert isinstance(again, FileSource) and set(again.files) == {"pendulum.toml", "rod.toml"}


def test_points_are_fitted_to_the_units_of_the_file(file: Path) -> None:
    fits = source_of(file).fitted(pl.grid(length=[0.5, 1], rate=["60 rpm"], links=[2]))
    assert fits.units == {"length": "m", "rate": "Hz", "links": ""}
    assert fits.at(0) == {"length": "0.5 m", "rate": "1.0 Hz", "links": 2}


@pytest.mark.parametrize(
    "points, message",
    [
        (dict(lenght=[1]), 'no parameter "lenght"; did you mean "length"'),
        (dict(length=["1 s"]), "length: got time .s., expected length, e.g. in m"),
        (dict(length=["1 m", "3 m"]), "length: 3 m is greater than the upper limit, 2 m"),
        (dict(length=["long"]), "length: 'long' is not a number"),
        (dict(kind=["oval"]), "'oval' is not one of the choices"),
        (dict(kind=[1]), "1 is not one of the choices"),
    ],
)
def test_points_that_do_not_fit_a_file(file: Path, points: dict, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        source_of(file).fitted(pl.grid(points))


def test_gallery_models_are_sources() -> None:
    source = source_of("kubo-c")
    assert isinstance(source, FileSource) and "speed" in source.parameters
    assert "payload" in source_of("robot-arm").parameters
    with pytest.raises(pl.ModelError, match='no model "kubo-x"'):
        source_of("kubo-x")


def build(length: float, f: float | str = "2 Hz", kind: str = "round") -> pl.Model:
    m = pl.Model(f"{length} {f} {kind}")
    m.body("rod", solid=pl.bar(length, "2 cm", "2 cm", mass="1 kg"))
    return m


def test_functions_get_numbers_in_the_units_of_their_defaults() -> None:
    source = source_of(build)
    assert isinstance(source, FunctionSource)
    points = source.fitted(pl.grid(length=["50 cm"], f=["60 rpm"], kind=["square"]))
    assert source.build(points.at(0)).name == "0.5 1.0 square"
    assert source.build({"length": "50 cm", "f": "60 rpm"}).name == "0.5 1.0 round"
    assert source.build({"length": 2}).name == "2 2 Hz round"
    square = source_of(build, overrides={"kind": "square", "f": "60 rpm"})
    assert (square.name, square.build({"length": 2}).name) == ("build", "2 1.0 square")


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: source_of(build).check(["lenth"]), 'function build has no parameter "lenth"; did you mean "length"'),
        (lambda: source_of(build).check(["kind"]), "argument length has no value"),
        (lambda: source_of(lambda: 3).build({}), "must return a Model, got 3"),
        (lambda: source_of(lambda x, /: x), "argument x cannot be given by name"),
        (lambda: source_of(build(1.0)), "Write a function that builds the model"),
        (lambda: source_of(7), "needs a model file, a name of the gallery or a function"),
        (lambda: source_of(Path("model.txt")), "must end in .toml"),
        (lambda: source_of("robot-arm", overrides={"payload": 1}), "add its values to the points"),
        (lambda: source_of(build, overrides={"knd": "square"}), 'no parameter "knd"; did you mean "kind"'),
        (lambda: source_of("kubo-c", overrides={"sped": 3}), 'no parameter "sped"'),
    ],
)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        call()  # type: ignore[operator]


def test_functions_with_any_arguments() -> None:
    source = source_of(lambda **values: pl.Model(repr(values)))
    points = source.fitted(pl.grid({"x": ["1 mm"], "y": ["a"]}))
    assert source.build(points.at(0)).name == "{'x': 0.001, 'y': 'a'}"


def test_a_function_that_gets_numbers_of_hz_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    """A parameter without a unit could be a speed in rad/s."""
    points = pl.grid(f=["50 Hz", "60 Hz"])
    assert source_of(lambda f=1.0: f).fitted(points).at(0) == {"f": "50.0 Hz"}
    assert 'f is the number of Hz: 50 for "50 Hz". For a speed in rad/s, specify rpm' in capsys.readouterr().err
    source_of(build).fitted(pl.grid(length=[1.0], f=["50 Hz"]))  # its default has a unit
    source_of(lambda f=1.0: f).fitted(pl.grid(f=["50 Hz", "60 rpm"]))
    assert not capsys.readouterr().err


def test_values_beyond_a_limit_have_few_digits_and_a_usual_unit(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    limits = 'parameters.speed = { value = "3000 rpm", min = 0, max = "9000 rpm" }'
    path.write_text(f'name = "limits"\n{limits}\nbodies.a = {{ mass = 1, inertia = [1, 1, 1] }}\n')
    for speed, words in (
        ("-2000 rpm", "-209.44 rad/s is less than"),
        ("1e4 rpm", r"1047.2 rad/s is greater than .* 942.478 rad/s"),
    ):
        with pytest.raises(pl.ModelError, match=words):
            source_of(path).fitted(pl.grid(speed=[speed, "100 rpm"]))
