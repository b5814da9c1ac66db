"""Elements that are declared as classes: constructor, checks, model, motion."""

import inspect
import math

import numpy as np
import pytest
from references.drag import Drag
from references.user_elements import Everything, Rod

import pitchline as pl
from pitchline.extend import (
    Element,
    coordinates,
    frame,
    memory,
    number,
)
from pitchline.parts.springs.speed_loads import CubicSpring


def falling(coefficient: object = "0.02 N*s^2/m^2") -> pl.Model:
    m = pl.Model("fall", gravity=(0, 0, "-9.81 m/s^2"))
    ball = m.body("ball", solid=pl.sphere("10 cm", mass="1 kg"))
    m.add(Drag("air", on=ball, coefficient=coefficient))
    return m


def hanging(**options: object) -> pl.Model:
    """A rod on a spring from a point off its centre."""
    m = pl.Model("rod", gravity=(0, 0, -9.81))
    rod = m.body(
        "rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=(0.5, 0, 0), velocity=(0.3, 1.0, 0.2)
    )
    spring = {
        "a": rod,
        "at_a": (1, 0, 0),
        "b": m.ground,
        "at_b": (1, 0, "0.8 m"),
        "stiffness": "2 N/mm",
        "cubic": "1e5 N/m^3",
    }
    m.add(CubicSpring("spring", **spring | options))
    return m


def test_drag_slows_a_fall_as_the_closed_form_says() -> None:
    """v = -v_e tanh(g t / v_e), v_e^2 = m g / k; the tolerance is that of second order at this step."""
    run = pl.dynamics(falling(), duration="5 s", step="5 ms")
    end = math.sqrt(9.81 / 0.02)
    speed = run["ball.velocity"].values[:, 2]
    np.testing.assert_allclose(speed, -end * np.tanh(9.81 * run.time / end), atol=2e-5 * end)
    assert run["air.force"].unit == "N"
    assert run["air.force"].description == "drag on the body"
    np.testing.assert_allclose(run["air.force"].values[:, 2], 0.02 * speed**2, rtol=1e-12)
    assert np.abs(run["energy.balance_error"].values).max() < 1e-5 * run["energy.kinetic"].values.max()


def test_a_cubic_spring_conserves_energy_and_without_its_third_power_is_a_spring() -> None:
    run = pl.dynamics(hanging(), duration="0.5 s", step="0.2 ms")
    assert np.abs(run["energy.balance_error"].values).max() < 1e-4 * run["energy.kinetic"].values.max()
    plain = hanging(cubic=0.0, damping=3.0)
    other = plain.replaced(without="spring")
    other.spring("spring", "rod", "ground", at_a=(1, 0, 0), at_b=(1, 0, 0.8), stiffness="2 N/mm", damping=3.0)
    a, b = (pl.dynamics(m, duration="0.2 s", step="0.5 ms") for m in (plain, other))
    for name in ("rod.position", "energy.potential", "energy.dissipated"):
        np.testing.assert_allclose(a[name].values, b[name].values, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(a["spring.tension"].values, b["spring.force"].values, rtol=1e-8, atol=1e-8)


def test_linear_analyses_and_statics_see_it() -> None:
    m = pl.Model("mass on a spring")
    mass = m.body("mass", solid=pl.sphere("10 cm", mass="2 kg"), position=(1, 0, 0))
    m.prismatic("slide", m.ground, mass, axis="x")
    m.add(CubicSpring("spring", a="ground", b=mass, stiffness="200 N/m", cubic="4e4 N/m^3"))
    assert pl.modes(m).frequencies[-1] == pytest.approx(10.0 / (2 * math.pi), rel=1e-9)
    m.force("pull", mass, ("24 N", 0, 0))
    rest = pl.statics(m)
    (e,) = (root.real for root in np.roots([4e4, 0, 200, -24]) if root.imag == 0.0)
    assert rest["slide.displacement"].values[-1] == pytest.approx(e, rel=1e-9)
    stiffened = math.sqrt((200 + 3 * 4e4 * e**2) / 2) / (2 * math.pi)
    assert pl.modes(m, about=rest).frequencies[-1] == pytest.approx(stiffened, rel=1e-9)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"stiffness": "2 kg"}, "CubicSpring \"s\".stiffness: expected stiffness (N/m), got mass: '2 kg'"),
        ({"stiffness": -1.0}, 'CubicSpring "s".stiffness: must not be less than 0 N/m, got -1.0'),
        ({}, 'CubicSpring "s": "stiffness" is missing: stiffness at the free length [N/m]'),
        ({"stiffness": 1.0, "cubik": 2.0}, 'CubicSpring "s": there is no argument "cubik"; did you mean "cubic"?'),
        ({"stiffness": 1.0, "a": 3}, 'CubicSpring "s".a: expected a body, a frame or the name of a body, got 3'),
        ({"stiffness": 1.0, "a": "rot"}, 'CubicSpring "s".a: unknown body "rot"; did you mean "rod"?'),
        ({"stiffness": 1.0, "a": "ground"}, 'CubicSpring "s": all its ends are on "ground"; connect different bodies'),
    ],
)
def test_errors_name_item_value_and_way_out(given: dict[str, object], message: str) -> None:
    m = hanging()
    with pytest.raises(pl.ModelError) as error:
        m.add(CubicSpring("s", **{"a": "rod", "b": "ground"} | given))
    assert str(error.value) == message
    assert list(m.elements) == ["spring"]


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(pl.ModelError) as error:
        CubicSpring("s", a="rod", stiffness="1 s", cubic="x")
    assert len(error.value.problems) == 3


def test_an_element_cannot_be_changed_but_replaced() -> None:
    m = hanging()
    spring = m.elements["spring"]
    with pytest.raises(AttributeError, match=r'"spring".stiffness cannot be changed; make a new element with replaced'):
        spring.stiffness = 3.0
    with pytest.raises(AttributeError, match="cannot be changed"):
        spring.other = 3.0
    other = m.replaced(spring.replaced(stiffness="5 N/m"))
    assert (other.elements["spring"].stiffness, spring.stiffness) == (5.0, 2000.0)
    assert not m.replaced(without="spring").elements
    with pytest.raises(pl.ModelError, match='needs body "rod", which is removed'):
        m.replaced(without="rod")


def test_names_are_unique_over_the_model() -> None:
    m = hanging()
    with pytest.raises(pl.ModelError, match="name is already used by an element of model"):
        m.body("spring", mass=1, inertia=(1, 1, 1))


def test_the_signature_tells_the_arguments() -> None:
    assert list(inspect.signature(CubicSpring).parameters) == [
        "name", "a", "b", "stiffness", "cubic", "damping", "free_length", "at_a", "at_b",
    ]  # fmt: skip
    assert list(inspect.signature(Drag).parameters) == ["name", "on", "coefficient", "at"]


def test_kinds_of_parameters() -> None:
    made = Everything("e", on="body", forces=["1 kN", 2.0], lengths=[1, 2], side="right", load=pl.Ramp(0, 1, t1=1))
    assert made.forces.tolist() == [1000.0, 2.0]
    assert (made.side, made.stages, made.locked) == ("right", 2, False)
    for given, message in (
        ({"lengths": [1]}, ".lengths: has 1 values, but forces has 2; specify the same number of values"),
        ({"stages": 2.5}, ".stages: expected a whole number, got 2.5"),
        ({"stages": 5}, ".stages: must not be more than 4, got 5"),
        ({"locked": 1}, ".locked: expected True or False, got 1"),
        ({"side": "lift"}, ".side: unknown option 'lift'; did you mean \"left\"?"),
        ({"load": "3 N*m"}, ".load: expected force"),
    ):
        with pytest.raises(pl.ModelError) as error:
            Everything("e", **{"on": "body", "forces": [1, 2], "lengths": [1, 2]} | given)
        assert message in str(error.value)


@pytest.mark.parametrize(
    "members, message",
    [
        ({}, "has no evaluate"),
        ({"evaluate": len}, "declare at least one frame or joint"),
        (
            {"evaluate": len, "on": frame("b"), "view": number("", "n")},
            '"view" is reserved and cannot be the name of a field',
        ),
        (
            {"evaluate": len, "on": frame("b"), "at": number("", "n")},
            '"at" is reserved and cannot be the name of a field',
        ),
        ({"evaluate": len, "on": frame("b"), "rows": ("metre",)}, 'rows are "length" or "angle"'),
        ({"evaluate": len, "on": frame("b"), "c": coordinates("n", "m", "c")}, '"n" is neither an integer field'),
        ({"evaluate": len, "on": frame("b"), "c": memory("c", "n")}, '"n" is neither an integer field'),
    ],
)
def test_wrong_declarations_are_refused(members: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        type("Wrong", (Element,), members)


def test_all_kinds_of_parameters_reach_the_compiled_functions() -> None:
    m = hanging()
    given = {"forces": [1, 2, 4], "lengths": [7, 8, 9], "side": "right", "locked": True, "load": pl.Ramp(0, 10, t1=1)}
    m.add(Everything("all", on="rod", stages=3, axis=(0, 0, 5), **given))
    run = pl.dynamics(m, duration="0.5 s", step="0.1 s")
    np.testing.assert_allclose(run["all.shown"].values[-1], [5, 3, 1, 1, 4, 9, 2, 5, 7])


def test_a_declared_constraint_is_the_joint_of_its_kind() -> None:
    """A rod of constant length, against the joint that keeps a distance: the same motion and the same force."""
    runs = []
    for own in (True, False):
        m = hanging().replaced(without="spring")
        if own:
            m.add(Rod("rod 2", a="ground", at_a=(1, 0, 0.8), b="rod", at_b=(1, 0, 0), length="0.8 m"))
        else:
            m.distance("rod 2", "ground", "rod", at_a=(1, 0, 0.8), at_b=(1, 0, 0))
        runs.append(pl.dynamics(m, duration="0.3 s", step="1 ms"))
    np.testing.assert_allclose(runs[0]["rod.position"].values, runs[1]["rod.position"].values, atol=1e-9)
    assert runs[0].statistics["unknowns"] == runs[1].statistics["unknowns"] == 7
    assert runs[0]["rod 2.tension"].values[-1] > 0.0


def test_an_element_whose_forces_are_no_numbers_is_named() -> None:
    """A spring whose ends coincide has no direction."""
    m = pl.Model("point")
    m.add(CubicSpring("spring", a=m.ground, b=m.body("body", mass=1, inertia=(1, 1, 1)), stiffness="1 kN/m"))
    with pytest.raises(pl.SolveError, match='"spring" gives forces that are not numbers at the start'):
        pl.dynamics(m, duration="1 s")
