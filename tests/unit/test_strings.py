"""Strings: springs that never push."""

import numpy as np
import pytest

import pitchline as pl


@pytest.mark.parametrize("moved", [0.0, 1.5e-16, -1.5e-16, 4e-16, -4e-16])
def test_a_string_at_its_free_length_is_taut_if_it_gets_longer(moved: float) -> None:
    # its free length is the initial one: rounding of the positions must not decide whether the damper acts
    away = np.array([0.9, 0.2, 0.1])
    length = float(np.linalg.norm(away))
    m = pl.Model("string")
    m.body("body", mass=1, inertia=(1, 1, 1), position=(1.0, 0.3, 0.2), velocity=(1.0, 0.1, 0.0))
    m.string("string", "ground", "body", at_a=(0.1, 0.1, 0.1), stiffness=500, damping=20, free_length=length + moved)
    run = pl.dynamics(m, duration="1 ms", step="1 ms")
    rate = float(np.dot(away / length, (1.0, 0.1, 0.0)))
    assert run["string.force"].values[0] == pytest.approx(20 * rate, rel=1e-9)


@pytest.mark.parametrize(("speed", "force"), [(1.0, 20.0), (-1.0, 0.0), (0.0, 0.0)])
def test_a_string_without_stretch(speed: float, force: float) -> None:
    m = pl.Model("string")
    m.body("body", mass=1, inertia=(1, 1, 1), position=(1.0, 0.0, 0.0), velocity=(speed, 0.0, 0.0))
    m.string("string", "ground", "body", at_a=(0.0, 0.0, 0.0), stiffness=500, damping=20)
    assert pl.dynamics(m, duration="1 ms", step="1 ms")["string.force"].values[0] == pytest.approx(force)


@pytest.mark.parametrize("moved", [0.0, 1.5e-16, -1.5e-16, 4e-16, -4e-16])
def test_a_string_at_rest_at_its_free_length_is_slack_in_linear_analyses(moved: float) -> None:
    m = pl.Model("string", gravity=(0, 0, 0))
    m.body("body", mass=2, inertia=(1, 1, 1), position=(1.0, 0.3, 0.2))
    m.prismatic("slide", "ground", "body", axis="x")
    m.spring("spring", "ground", "body", at_a=(0, 0.3, 0.2), stiffness=800)
    m.string("string", "ground", "body", at_a=(0.1, 0.3, 0.2), stiffness=500, free_length=0.9 + moved)
    assert pl.modes(m).eigenvalues == pytest.approx([20j], rel=1e-9)


def test_rounding_of_the_rate_does_not_decide() -> None:
    # a body turns about the other end of its string: the rate is zero, and rounding depends on the orientation
    found = []
    for angle in np.linspace(0.0, 3.0, 7):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ np.array(
            [[1.0, 0.0, 0.0], [0.0, s, c], [0.0, -c, s]]
        )
        m = pl.Model("string", gravity=(0, 0, 0))
        m.body("body", mass=2, inertia=(0.2, 0.2, 0.2), orientation=turn, angular_velocity=turn @ (0.3, 0.8, -0.4))
        m.string("string", "ground", "body", at_a=(0, 0, 0), at_b=turn @ (2.0, 3.0, 0.5), stiffness=100)
        found.append(float(np.max(np.abs(pl.modes(m).eigenvalues))))
    assert found == pytest.approx([0.943398113] * 7, rel=1e-6)


@pytest.mark.parametrize("moved", [0.0, 1.5e-16, -1.5e-16, 4e-16, -4e-16])
def test_a_string_that_gets_longer_is_stiff_in_linear_analyses(moved: float) -> None:
    m = pl.Model("string", gravity=(0, 0, 0))
    m.body("body", mass=2, inertia=(1, 1, 1), position=(1.0, 0.3, 0.2), velocity=(0.5, 0, 0))
    m.prismatic("slide", "ground", "body", axis="x")
    m.string("string", "ground", "body", at_a=(0.1, 0.3, 0.2), stiffness=800, free_length=0.9 + moved)
    assert pl.modes(m).eigenvalues == pytest.approx([20j], rel=1e-9)
