"""Checks of declared elements: in the package, and `pitchline check-element` for those of users."""

import numpy as np
import pytest
from references.drag import Drag
from references.user_elements import ElasticLink, Misspelt, Motor, Rod, SpeedControl, Wrong

import pitchline as pl
from pitchline.cli import main
from pitchline.declare.search import declared_elements
from pitchline.engine.elements.contract_checks import CHECKS, check_element
from pitchline.engine.elements.random_declared import random_declared


@pytest.mark.parametrize("cls", [*declared_elements().values(), Drag, Motor, SpeedControl, ElasticLink, Rod])
def test_declared_elements_keep_the_contract(cls: type) -> None:
    """All checks, at tolerances a hundred times below those that users are granted where they are not exact."""
    verdicts, _ = check_element(lambda rng: random_declared(cls, rng), states=10, seed=1)
    assert len(verdicts) == len(CHECKS)
    for verdict in verdicts:
        assert verdict.worst is None or verdict.worst <= 1e-2 * verdict.check.allowed, verdict.check.name


def test_the_check_of_open_and_condensed_answers_applies() -> None:
    verdicts, _ = check_element(lambda rng: random_declared(ElasticLink, rng), states=2)
    assert verdicts[-1].check.name.startswith("open and condensed") and verdicts[-1].worst is not None


def test_a_wrong_element_fails_every_check_that_applies() -> None:
    verdicts, _ = check_element(lambda rng: random_declared(Wrong, rng), states=3)
    assert all(not verdict.passed for verdict in verdicts if verdict.worst is not None)
    assert "evaluate writes data other than r, J, scratch or power" in {verdict.reason for verdict in verdicts}


def test_random_values_lie_in_the_declared_ranges() -> None:
    rng = np.random.default_rng(0)
    values = [random_declared(declared_elements()["cubic_spring"], rng).element.values for _ in range(20)]
    assert all(0.1 <= v["cubic"] <= 1.0 and 0.5 <= v["stiffness"] <= 2.0 for v in values)
    assert len({float(v["cubic"]) for v in values}) == 20


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-element", "cubic_spring", "--states", "3"]) == 0
    out = capsys.readouterr().out
    assert "CubicSpring: Spring and damper between two points" in out
    assert "tangents are derivatives of the residual" in out and "FAIL" not in out
    assert main(["check-element", "references.user_elements:Wrong", "--states", "2"]) == 1
    assert "FAIL: evaluate writes data other than r, J, scratch or power" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name, message",
    [
        ("cubic_sprung", "there is no element 'cubic_sprung'; did you mean \"cubic_spring\"?"),
        ("references.user_elements:Nothing", "cannot be imported: AttributeError"),
        ("no_such_module_anywhere:A", "cannot be imported: ModuleNotFoundError"),
        ("references.user_elements:math", "is not an element class"),
    ],
)
def test_the_command_says_what_it_cannot_find(name: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-element", name]) == 1
    assert message in capsys.readouterr().err


def test_a_function_that_cannot_be_compiled_is_named_with_its_line() -> None:
    m = pl.Model("m")
    body = m.body("body", mass=1, inertia=(1, 1, 1))
    m.add(Misspelt("e", on=body, stiffness=1.0))
    with pytest.raises(pl.ModelError) as error:
        pl.dynamics(m, duration=0.01)
    text = str(error.value)
    assert text.startswith("Misspelt.evaluate cannot be compiled: Unknown attribute 'stifness' of Misspelt (\"")
    assert text.endswith("r[0] += s.stifness * x.on.x[0])") and "user_elements.py" in text
