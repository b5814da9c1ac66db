"""The JSON Schema: that of the API, valid, and of one mind with the reader."""

import inspect
import json
import tomllib

import jsonschema
import pytest
from references.machine import FILE, machine

import pitchline as pl
from pitchline import files
from pitchline.files import catalogue
from pitchline.files.schema import generate, schema_text
from pitchline.files.schema_types import ANALYSES
from pitchline.gallery import model

SCHEMA = files.schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def errors(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(tomllib.loads(text))]


def test_the_stored_schema_is_that_of_the_api() -> None:
    """If not: python -m pitchline.files.schema > new.json, and put that in its place."""
    stored = inspect.getfile(files).replace("__init__.py", "schema.json")
    with open(stored, encoding="utf-8") as file:
        assert file.read() == schema_text()
    assert generate() == SCHEMA


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    json.dumps(SCHEMA)


@pytest.mark.parametrize(
    "name",
    [
        "kubo-d", "planetary", "run-up", "press", "four-bar", "worm", "rack-and-pinion", "governor", "planar-spur",
        "meshing-spur-100-relieved",
    ],
)  # fmt: skip
def test_written_files_are_valid(name: str) -> None:
    assert errors(model(name).build().to_toml()) == []


def test_the_machine_of_everything_is_valid() -> None:
    assert errors(FILE.read_text(encoding="utf-8")) == []
    assert errors(machine().to_toml()) == []


@pytest.mark.parametrize(
    "old, new",
    [
        ("teeth = 30", "teth = 30"),
        ("teeth = 30", "teeth = 30.5"),
        ('kind = "prismatic"', 'kind = "prism"'),
        ('kind = "statics"', 'kind = "x"'),
        ("[loads.stop]", "[load.stop]"),
        ('lead = "5 mm"', "led = 1"),
        ('of = "max"', 'of = "most"'),
        ("smooth = false", "smooth = 1"),
        ('gravity = [0, "-9.81 m/s^2", 0]', "gravity = [0, 1]"),
        ('duration = "1 ms"', ""),
        ("damping_ratio = 0.07", "damping_ration = 0.07"),
    ],
)
def test_mistakes_are_seen(old: str, new: str) -> None:
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    assert errors(text.replace(old, new, 1))
    assert files.check(text.replace(old, new, 1))


def test_every_argument_of_the_api_is_known() -> None:
    """Keys come from signatures: a new argument is a new key."""
    properties = {
        kind["properties"]["kind"]["const"]: kind["properties"] for kind in SCHEMA["$defs"]["mesh_table"]["oneOf"]
    }
    assert set(properties["elastic"]) == {"kind", *inspect.signature(pl.Elastic).parameters}
    assert set(catalogue.GEAR_BODY.arguments) == set(inspect.signature(pl.Model.gear_body).parameters) - {
        "self",
        "name",
    }
    kinds = {kind["properties"]["kind"]["const"] for kind in SCHEMA["properties"]["analyses"]["items"]["oneOf"]}
    assert kinds == set(ANALYSES)


def test_editors_have_something_to_show() -> None:
    mesh = SCHEMA["$defs"]["mesh_table"]["oneOf"][0]["properties"]
    assert "stiffness" in mesh and "several of these as springs in series" in mesh["stiffness"]["description"]
    assert mesh["damping_acts"]["enum"] == ["never pulling", "in contact", "always", "limited"]
    assert mesh["damping_rate"]["enum"] == ["deflection", "approach"]
