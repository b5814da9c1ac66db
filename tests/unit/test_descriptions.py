"""Fields of elements whose value is an object that describes a part: in Python, files, schema, writer and compiled functions."""

import dataclasses
import tomllib

import jsonschema
import numpy as np
import pytest
from references.spring_stack import SpringStack, Stack

import pitchline as pl
from pitchline.engine.elements.contract_checks import check_element
from pitchline.engine.elements.random_declared import random_declared
from pitchline.extend import description
from pitchline.files import check, read
from pitchline.files.element_schema import element_schema

FILE = """
name = "rig"

[bodies.ball]
mass = "1 kg"
inertia = ["1 kg*m^2", "1 kg*m^2", "1 kg*m^2"]
position = ["0.2 m", 0, 0]

[elements.stack]
type = "references.spring_stack:SpringStack"
a = "ground"
b = "ball"
stack = { kind = "stack", stiffness = ["1 N/mm", "3 N/mm"], material = "rubber" }
"""


def test_a_file_says_a_description_and_the_writer_writes_it() -> None:
    model = read(FILE, allow="references").model
    made = model.elements["stack"].stack
    assert (made.stiffness.tolist(), made.gap, made.material) == ([1000.0, 3000.0], 0.1, "rubber")
    written = tomllib.loads(model.to_toml())["elements"]["stack"]
    assert written["stack"] == {"kind": "stack", "stiffness": ["1000 N/m", "3000 N/m"], "material": "rubber"}
    again = read(model.to_toml(), allow="references").model
    assert again.describe() == model.describe()
    assert model.describe()["elements"]["stack"]["parameters"]["stack"]["value"]["words"] == "2 springs of rubber"
    assert "stack 2 springs of rubber" in model.summary()


def test_another_constructor_is_a_kind() -> None:
    said = FILE[FILE.index("{") : FILE.index("}")]
    file = FILE.replace(said, '{ kind = "equal", count = 3, stiffness = "1 N/mm" ')
    assert read(file, allow="references").model.elements["stack"].stack.stiffness.tolist() == [1000.0] * 3


@pytest.mark.parametrize(
    "old, new, key, words",
    [
        ('kind = "stack", ', "", "elements.stack.stack", '"kind" is missing'),
        (
            '"stack", st',
            '"stuck", st',
            "elements.stack.stack.kind",
            "there is no kind here 'stuck'; did you mean \"stack\"?",
        ),
        ('"1 N/mm", "3', '"1 mm", "3', "elements.stack.stack.stiffness", "expected stiffness"),
        ("material", "matter", "elements.stack.stack.matter", 'unknown key "matter"'),
        ('stiffness = ["1 N/mm", "3 N/mm"], ', "", "elements.stack.stack", '"stiffness" is missing'),
    ],
)
def test_what_is_wrong_is_told_at_its_place(old: str, new: str, key: str, words: str) -> None:
    (problem,) = check(FILE.replace(old, new), allow="references")
    assert problem.key.startswith(key) and words in problem.message


def test_the_schema_has_a_table_for_each_kind() -> None:
    schema = {**element_schema(SpringStack), "$defs": pl.files.schema()["$defs"]}
    table = tomllib.loads(FILE)["elements"]["stack"]
    valid = jsonschema.Draft202012Validator(schema)
    valid.validate(table)
    valid.validate({**table, "stack": {"kind": "equal", "count": 3, "stiffness": "1 N/mm"}})
    wood = {"kind": "stack", "stiffness": [1], "material": "wood"}
    for bad in ({"kind": "equal", "count": 2.5, "stiffness": 1}, wood, {"kind": "?"}):
        with pytest.raises(jsonschema.ValidationError):
            valid.validate({**table, "stack": bad})


def test_compiled_functions_see_derived_arrays() -> None:
    verdicts, _ = check_element(lambda rng: random_declared(SpringStack, rng), states=4, seed=1)
    assert all(verdict.passed for verdict in verdicts if verdict.worst is not None)
    m = pl.Model("rig")
    ball = m.body("ball", mass=1, inertia=(1, 1, 1), position=(0.2, 0, 0))
    m.add(SpringStack("stack", a=m.ground, b=ball, stack=Stack(stiffness=[1000.0, 3000.0])))
    assert pl.dynamics(m, duration=1e-3)["stack.tension"].values[0] == pytest.approx(4000.0 * 0.1)


def test_other_values_are_refused() -> None:
    with pytest.raises(pl.ModelError, match="expected one of Stack, got 3"):
        SpringStack("stack", a="ground", b="ball", stack=3)
    with pytest.raises(pl.ModelError, match='"stack" is missing: the springs'):
        SpringStack("stack", a="ground", b="ball")


def test_classes_are_frozen() -> None:
    @dataclasses.dataclass
    class Loose:
        stiffness: float

    with pytest.raises(TypeError, match="Loose must be a frozen dataclass"):
        description({"loose": Loose}, "may change")
    with pytest.raises(TypeError, match="neither a class nor a class method"):
        description({"array": np.zeros}, "no class")
