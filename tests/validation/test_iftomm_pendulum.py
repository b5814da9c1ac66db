"""IFToMM benchmark A01, the simple pendulum (see `references.pendulum`).

The method is of order 2: two runs with steps h and h/2 are extrapolated to step zero, which leaves an error of O(h^3)
to O(h^4).
"""

import numpy as np
import pytest
from references import pendulum
from references.observed_order import largest, observed_order, richardson

import pitchline as pl

TIMES = np.array(list(pendulum.A01))


def on_a_hinge() -> pl.Model:
    """The bob, a point mass, on a revolute joint."""
    m = pl.Model("pendulum", gravity=(0, -pendulum.GRAVITY, 0))
    bob = m.body("bob", mass=pendulum.MASS, inertia=(0, 0, 0), position=(-pendulum.LENGTH, 0, 0))
    m.revolute("joint", m.ground, bob, at=(0, 0, 0), axis="z")
    return m


def on_a_ball() -> pl.Model:
    """The bob on a spherical joint, with so little inertia of its own (1e-9 kg m^2) that only its mass matters."""
    m = pl.Model("pendulum", gravity=(0, -pendulum.GRAVITY, 0))
    bob = m.body("bob", mass=pendulum.MASS, inertia=(1e-9, 1e-9, 1e-9), position=(-pendulum.LENGTH, 0, 0))
    m.spherical("joint", m.ground, bob, at=(0, 0, 0))
    return m


def on_a_rod() -> pl.Model:
    """The bob, sliding in the plane, at a fixed distance from a point."""
    m = pl.Model("pendulum", gravity=(0, -pendulum.GRAVITY, 0))
    bob = m.body("bob", mass=pendulum.MASS, inertia=(1e-9, 1e-9, 1e-9), position=(-pendulum.LENGTH, 0, 0))
    m.planar("plane", m.ground, bob, axis="z")
    m.distance("joint", m.ground, bob, at_a=(0, 0, 0))
    return m


def run(model: pl.Model, step: float, **options: object) -> pl.Result:
    return pl.dynamics(model, duration=10.0, step=step, output_step=1.0, newton_tolerance=1e-10, **options)


@pytest.mark.parametrize("options", [{}, {"reduce": False}])
@pytest.mark.parametrize("build", [on_a_hinge, on_a_ball, on_a_rod])
def test_positions(build, options) -> None:
    def positions(step: float) -> np.ndarray:
        return run(build(), step, **options)["bob.position"].values[TIMES.astype(int), :2]

    expected = np.array(list(pendulum.A01.values()))
    assert largest(richardson(positions, 1e-3), expected) < 1e-7


@pytest.mark.parametrize("options", [{}, {"stabilised": True}, {"hht": -0.1}])
@pytest.mark.parametrize("build", [on_a_hinge, on_a_ball])
def test_order_of_positions_velocities_and_reactions(build, options) -> None:
    errors = []
    t = np.arange(11.0)
    for step in (4e-3, 2e-3, 1e-3):
        result = run(build(), step, reduce=False, **options)
        errors.append(
            [
                largest(result["bob.position"].values[:, :2], pendulum.position(t)),
                largest(result["bob.velocity"].values[:, :2], pendulum.velocity(t)),
                largest(result["joint.force"].values[:, :2], pendulum.reaction(t)),
            ]
        )
    for column in np.array(errors).T:
        assert observed_order(column) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("options", [{}, {"stabilised": True}, {"hht": -0.1}])
def test_order_on_a_rod(options) -> None:
    """The reaction of the rod is a push: minus the tension of the pendulum."""
    t = np.arange(11.0)
    tension = np.linalg.norm(pendulum.reaction(t), axis=1)
    errors = []
    for step in (2e-3, 1e-3):
        result = run(on_a_rod(), step, **options)
        error = [largest(result["bob.position"].values[:, :2], pendulum.position(t))]
        error.append(largest(result["joint.force"].values, -tension))
        errors.append(error)
    for column in np.array(errors).T:
        assert observed_order(column) == pytest.approx(2.0, abs=0.15)


def test_period() -> None:
    """Swings between passages through the lowest point, extrapolated to step zero."""
    assert pendulum.period() == pytest.approx(pendulum.A01_PERIOD, rel=1e-10)

    def measured(step: float) -> np.ndarray:
        result = pl.dynamics(on_a_hinge(), duration=10.0, step=step, output_step=step)
        t, x, v = result.time, result["bob.position"].values[:, 0], result["bob.velocity"].values[:, 0]
        at = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
        # cubic through value and slope at both ends of the step, its zero by Newton
        h = step
        zeros = []
        for i in at:
            c = np.array(
                [2 * (x[i] - x[i + 1]) + h * (v[i] + v[i + 1]), 3 * (x[i + 1] - x[i]) - h * (2 * v[i] + v[i + 1])]
            )
            p = np.array([c[0], c[1], h * v[i], x[i]])
            roots = np.roots(p)
            zeros.append(t[i] + h * float(np.min(roots[np.isreal(roots) & (roots.real >= 0)].real)))
        return np.diff(zeros).mean(keepdims=True)

    assert richardson(measured, 2e-3)[0] == pytest.approx(pendulum.A01_PERIOD, rel=1e-8)
