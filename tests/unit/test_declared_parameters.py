"""Parameters of a model file as a form shows them, and its text with other values."""

import re
import tomllib

import pytest

from pitchline import gallery
from pitchline.errors import PitchlineError
from pitchline.files import FileError, read
from pitchline.files.sources import with_parameters

TEXT = """name = "a # b"
[parameters]
kind = { choices = ["elastic", "rigid"] }   # of the mesh
teeth = 21                                  # of the # wheel
speed = { value = "1500 rpm", min = "= '600 rpm'", max = "3000 rpm", description = "of the motor" }
width = "2.5e1 mm"
"odd" = 'length #1 m'  # not a value
[parameters.ratio]
value = 0.5
max = 1
[bodies.rod]
mass = 1
inertia = [1, 1, 1]
"""
GOOD = TEXT.replace("\"odd\" = 'length #1 m'  # not a value\n", 'half = "= width / 2" # \'of "it"\'\n')


def test_values_units_bounds_choices_and_remarks() -> None:
    said = {one.name: one.as_data() for one in read(GOOD).declared}
    assert list(said) == ["kind", "teeth", "speed", "width", "half", "ratio"]
    assert said["kind"] == {
        "name": "kind",
        "value": "elastic",
        "unit": "",
        "text": "of the mesh",
        "choices": ("elastic", "rigid"),
    }
    assert said["teeth"] == {"name": "teeth", "value": "21", "unit": "", "text": "of the # wheel"}
    assert said["speed"] == {
        "name": "speed",
        "value": "1500",
        "unit": "rpm",
        "text": "of the motor",
        "low": 600.0,
        "high": 3000.0,
    }
    assert said["width"] == {"name": "width", "value": "2.5e1", "unit": "mm", "text": ""}
    assert said["half"] == {
        "name": "half",
        "value": "0.0125",
        "unit": "m",
        "text": "'of \"it\"'",
        "formula": "= width / 2",
    }
    assert said["ratio"] == {"name": "ratio", "value": "0.5", "unit": "", "text": "", "high": 1.0}


def test_values_that_are_set_are_in_the_unit_of_the_file() -> None:
    set_now = {"kind": "rigid", "speed": "40 Hz", "width": "0.03", "half": "1 mm"}
    said = {one.name: one for one in read(GOOD, overrides=set_now).declared}
    assert (said["kind"].value, said["speed"].value, said["width"].value) == ("rigid", "2400", "30")
    assert (said["half"].value, said["half"].unit, said["half"].formula) == ("0.001", "m", "")


@pytest.mark.parametrize("name", ["helical-pair", "planetary", "fidelities"])
def test_models_of_the_gallery_say_the_same_as_their_files(name: str) -> None:
    file = gallery.model(name).file
    assert {one.name for one in file.declared} == set(file.parameters)
    again = {one.name: f"{one.value} {one.unit}".strip() for one in file.declared if not one.formula}
    for key, value in read(gallery.model(name).path, overrides=again).parameters.items():
        expected = file.parameters[key]
        if isinstance(expected, str) and " " in expected:
            value, expected = float(value.split()[0]), float(expected.split()[0])
        assert value == (pytest.approx(expected, rel=1e-12) if isinstance(expected, float) else expected)


@pytest.mark.parametrize(
    "values, old, new",
    [
        ({"teeth": 23}, "teeth = 21 ", "teeth = 23 "),
        ({"kind": "rigid"}, "kind = { choices", 'kind = { value = "rigid", choices'),
        ({"speed": "20 Hz"}, 'value = "1500 rpm"', 'value = "20 Hz"'),
        ({"width": "1 in"}, 'width = "2.5e1 mm"', 'width = "1 in"'),
        ({"half": "= width / 3"}, '"= width / 2"', '"= width / 3"'),
        ({"ratio": 0.75}, "value = 0.5", "value = 0.75"),
    ],
)
def test_the_text_with_another_value_differs_there_alone(values: dict[str, object], old: str, new: str) -> None:
    assert with_parameters(GOOD, values) == GOOD.replace(old, new)


def test_parameters_of_included_files_get_an_entry_of_their_own() -> None:
    text = "include = 'part.toml'\n[bodies.rod]\nmass = 1\n"
    changed = with_parameters(text, {"a": 2, "b": "3 mm"}, {"a": {"value": 1, "max": 9}, "b": "1 mm"})
    assert tomllib.loads(changed) == {**tomllib.loads(text), "parameters": {"a": {"value": 2, "max": 9}, "b": "3 mm"}}
    assert changed.startswith(text)


def test_a_value_that_is_not_found_is_said() -> None:
    with pytest.raises(PitchlineError, match='the value of the parameter "a" was not found in the text'):
        with_parameters('[parameters]\na = """\n2 mm"""\n', {"a": "3 mm"})


@pytest.mark.parametrize("name", ["teeth", "speed", "width", "half", "ratio"])
@pytest.mark.parametrize("value", [10**400, -(10**400), "7" * 400, "7" * 5000, "1e101", None])
def test_values_that_are_not_numbers_in_range_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(FileError) as caught:
        read(GOOD, overrides={name: value})
    assert all(problem.key == f"parameters.{name}" for problem in caught.value.found)
    words = "got None" if value is None else "finite|too large|too long|not a number"
    assert re.search(words, str(caught.value))
