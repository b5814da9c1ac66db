"""Mass properties against direct integration and against each other."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.model import MassProperties, Rotation, bar, cylinder, sphere, tube


def integrated(inside: Callable[[np.ndarray], np.ndarray], half: float, density: float) -> tuple[float, np.ndarray]:
    """Mass and inertia of a solid by counting small cubes; good to about one per cent."""
    n = 60
    x = (np.arange(n) + 0.5) / n * 2 * half - half
    points = np.stack(np.meshgrid(x, x, x, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(points)]
    dm = density * (2 * half / n) ** 3
    second = dm * points.T @ points
    return dm * len(points), np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize(
    "solid, inside",
    [
        (
            cylinder(0.4, 0.6, density=1000.0),
            lambda p: (np.hypot(p[:, 0], p[:, 1]) < 0.4) & (np.abs(p[:, 2]) < 0.3),
        ),
        (
            cylinder(0.4, 0.6, density=1000.0, axis="x"),
            lambda p: (np.hypot(p[:, 1], p[:, 2]) < 0.4) & (np.abs(p[:, 0]) < 0.3),
        ),
        (
            tube(0.45, 0.2, 0.5, density=1000.0, axis="y"),
            lambda p: (np.abs(np.hypot(p[:, 0], p[:, 2]) - 0.325) < 0.125) & (np.abs(p[:, 1]) < 0.25),
        ),
        (bar(0.9, 0.5, 0.3, density=1000.0), lambda p: np.all(np.abs(p) < (0.45, 0.25, 0.15), axis=1)),
        (sphere(0.45, density=1000.0), lambda p: np.linalg.norm(p, axis=1) < 0.45),
    ],
)
def test_formulas(solid: MassProperties, inside: Callable[[np.ndarray], np.ndarray]) -> None:
    mass, inertia = integrated(inside, 0.5, 1000.0)
    assert solid.mass == pytest.approx(mass, rel=0.02)
    np.testing.assert_allclose(solid.inertia, inertia, atol=0.02 * np.abs(inertia).max())
    np.testing.assert_array_equal(solid.centre_of_mass, 0.0)


def test_exact_values() -> None:
    c = cylinder("100 mm", "20 mm", mass="2 kg")
    assert c.inertia[2, 2] == pytest.approx(0.01)
    assert c.inertia[0, 0] == pytest.approx(2 * (3 * 0.01 + 0.0004) / 12)
    assert cylinder(1, 1, density="1 g/cm^3").mass == pytest.approx(1000 * math.pi)
    assert tube(1, 0, 1, mass=3).inertia == pytest.approx(cylinder(1, 1, mass=3).inertia)


def test_two_half_bars_are_one_bar() -> None:
    half = bar(0.5, 0.2, 0.1, density=1.0)
    both = half.moved((-0.25, 0, 0)) + half.moved(("250 mm", 0, 0))
    whole = bar(1.0, 0.2, 0.1, density=1.0)
    assert both.mass == pytest.approx(whole.mass)
    np.testing.assert_allclose(both.inertia, whole.inertia, atol=1e-15)
    np.testing.assert_allclose(both.centre_of_mass, 0.0, atol=1e-15)


def test_turning() -> None:
    turned = cylinder(0.1, 0.5, mass=1.0).moved((0, 0, 1)).turned(Rotation("y", "90 deg"))
    np.testing.assert_allclose(turned.inertia, cylinder(0.1, 0.5, mass=1.0, axis="x").inertia, atol=1e-15)
    np.testing.assert_allclose(turned.centre_of_mass, (1, 0, 0), atol=1e-15)


def test_arrays_are_read_only() -> None:
    with pytest.raises(ValueError):
        sphere(1, mass=1).inertia[0, 0] = 2.0


def test_adding_something_else() -> None:
    with pytest.raises(TypeError):
        sphere(1, mass=1) + 3.0  # type: ignore[operator]
    nothing = MassProperties(0, (0, 0, 0), (0, 0, 0))
    assert (nothing + nothing).mass == 0.0


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: cylinder(0, 1, mass=1), "cylinder: radius must be greater than zero"),
        (lambda: cylinder("1 s", 1, mass=1), "cylinder: radius: expected length"),
        (lambda: cylinder(1, -1, mass=1), "cylinder: length"),
        (lambda: cylinder(1, 1, mass=1, density=1), "not both"),
        (lambda: cylinder(1, 1, mass=0), "mass must be greater than zero"),
        (lambda: cylinder(1, 1, density=-1), "density must be greater than zero"),
        (lambda: cylinder(1, 1, mass=1, axis="w"), 'axis must be "x", "y" or "z"'),
        (lambda: cylinder(1, 1, mass=1, axis=(0, 0, 1)), ".turned"),  # type: ignore[arg-type]
        (lambda: tube(1, 1, 1, mass=1), "inner_radius"),
        (lambda: tube(1, -0.1, 1, mass=1), "inner_radius"),
        (lambda: bar(1, 0, 1, mass=1), "bar: width"),
        (lambda: sphere(-1, mass=1), "sphere: radius"),
        (lambda: MassProperties(-1, (0, 0, 0), (1, 1, 1)), "negative"),
        (lambda: MassProperties(1, (0, 0, 0), (1, 1, 3)), "sum of the others"),
        (lambda: MassProperties(1, (0, 0), (1, 1, 1)), "centre_of_mass"),
        (lambda: sphere(1, mass=1).moved((1, 2)), "moved"),
        (lambda: sphere(1, mass=1).turned("x"), "turned"),
    ],
)
def test_what_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)
