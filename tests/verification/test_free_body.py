"""Free bodies: closed-form motion, and what is conserved."""

import numpy as np
import pytest
from references import rigid_body
from references.newton_euler import rotation
from references.observed_order import largest, observed_order

import pitchline as pl


def body_axes(result: pl.Result, name: str) -> np.ndarray:
    """(n, 3, 3) R_WB of a body."""
    return np.array([rotation(q) for q in result[f"{name}.orientation"].values])


def spin_momentum(result: pl.Result, name: str, inertia: np.ndarray) -> np.ndarray:
    """(n, 3) angular momentum about the centre of mass, world axes."""
    R = body_axes(result, name)
    w = result[f"{name}.angular_velocity"].values
    return np.einsum("nij,jk,nlk,nl->ni", R, inertia, R, w)


def test_thrown_body() -> None:
    """Constant acceleration is integrated exactly: x = x0 + v0 t + g t^2/2, whatever the step; the spin stays."""
    m = pl.Model("thrown", gravity=(0.1, -0.2, -9.81))
    m.body(
        "stone", mass=2.0, inertia=(1.0, 1.0, 1.0), position=(1, 2, 3), velocity=(4, -5, 20), angular_velocity=(3, 2, 1)
    )
    result = pl.dynamics(m, duration=4.0, step=0.05)
    t = result.time[:, None]
    g = np.array([0.1, -0.2, -9.81])
    assert largest(result["stone.position"].values, [1, 2, 3] + t * [4, -5, 20] + t**2 / 2 * g) < 1e-12
    assert largest(result["stone.velocity"].values, [4, -5, 20] + t * g) < 1e-12
    assert largest(result["stone.angular_velocity"].values, [3, 2, 1]) < 1e-13
    assert np.max(np.abs(result["energy.balance_error"].values)) < 1e-9


INERTIA_SYMMETRIC = (2.0, 2.0, 3.0)


@pytest.mark.parametrize("options", [{}, {"hht": -0.1}, {"rho": 0.9}])
def test_symmetric_top(options) -> None:
    """Regular precession about the angular momentum (`references.rigid_body`), to order 2 in attitude and angular
    velocity."""
    w = np.array([0.8, 0.3, 2.0])
    R, omega = rigid_body.symmetric_top(5.0, INERTIA_SYMMETRIC, w)
    errors = []
    for step in (0.02, 0.01):
        m = pl.Model("top")
        m.body("top", mass=1.0, inertia=INERTIA_SYMMETRIC, angular_velocity=w)
        result = pl.dynamics(m, duration=5.0, step=step, output_step=5.0, newton_tolerance=1e-10, **options)
        errors.append(
            [largest(body_axes(result, "top")[-1], R), largest(result["top.angular_velocity"].values[-1], omega)]
        )
    for column in np.array(errors).T:
        assert observed_order(column) == pytest.approx(2.0, abs=0.1)
    assert np.max(errors[-1]) < 2e-3  # (h |w|)^2 |w| t = 4e-3 in order of magnitude


INERTIA_BOX = (1.0, 2.0, 3.0)


def test_asymmetric_top() -> None:
    """Jacobi's elliptic functions in body axes, over more than a period."""
    w = (1.2, 0.0, 1.0)
    t = np.linspace(0, 10, 101)
    exact = rigid_body.asymmetric_top(t, INERTIA_BOX, w)
    assert largest(exact[0], w) < 1e-14
    errors = []
    for step in (0.02, 0.01):
        m = pl.Model("box")
        m.body("box", mass=1.0, inertia=INERTIA_BOX, angular_velocity=w)
        result = pl.dynamics(m, duration=10.0, step=step, output_step=0.1, newton_tolerance=1e-10)
        seen = np.einsum("nij,ni->nj", body_axes(result, "box"), result["box.angular_velocity"].values)
        errors.append(largest(seen, exact))
    assert observed_order(errors) == pytest.approx(2.0, abs=0.1)
    assert errors[-1] < 1e-3


def test_tumbling_box_over_1000_seconds() -> None:
    """Turning about the middle axis the box turns over every 2 K(k)/p seconds (Dzhanibekov), for ever.

    Energy and angular momentum err by less than 0.2 (h |w|)^2 during a turnover and come back: after sixty of them
    less than 0.5 (h |w|)^3 is lost. The mean time between turnovers, which near the separatrix magnifies every change
    of energy, is right to 1e-3.
    """
    start = (0.01, 1.0, 0.02)
    inertia = np.diag(INERTIA_BOX)
    for step in (0.05, 0.02):
        m = pl.Model("box")
        m.body("box", mass=1.0, inertia=INERTIA_BOX, angular_velocity=start, velocity=(1, 2, 3))
        result = pl.dynamics(m, duration=1000.0, step=step, output_step=0.5)
        T = result["energy.kinetic"].values - 0.5 * 14
        L = np.linalg.norm(spin_momentum(result, "box", inertia), axis=1)
        for conserved in (T, L):
            drift = conserved / conserved[0] - 1
            assert np.max(np.abs(drift)) < 0.2 * step**2
            assert np.abs(np.median(drift[-200:])) < 0.5 * step**3
        assert largest(result["box.position"].values, result.time[:, None] * [1, 2, 3]) < 1e-8
        middle = np.einsum("nij,ni->nj", body_axes(result, "box"), result["box.angular_velocity"].values)[:, 1]
        k = np.flatnonzero(np.diff(np.sign(middle)))
        crossings = result.time[k] + 0.5 * middle[k] / (middle[k] - middle[k + 1])
        assert np.diff(crossings).mean() == pytest.approx(rigid_body.turnover_time(INERTIA_BOX, start), rel=1e-3)


@pytest.mark.parametrize("joint", ["spherical", "universal", "revolute", "spring"])
def test_momentum_of_two_bodies_in_space(joint) -> None:
    """What acts between bodies leaves linear momentum alone (exactly: the method adds only forces that balance) and
    angular momentum to O(h^2)."""
    inertia = {"a": np.diag([0.2, 0.3, 0.4]), "b": np.diag([0.1, 0.25, 0.3])}
    mass = {"a": 1.0, "b": 2.0}
    drift = []
    for step in (4e-3, 2e-3):
        m = pl.Model("pair")
        m.body("a", mass=1.0, inertia=inertia["a"], angular_velocity=(1, 2, 0.5), velocity=(0.3, 0, 0))
        m.body("b", mass=2.0, inertia=inertia["b"], position=(1, 0.2, 0), angular_velocity=(0, -1, 3))
        match joint:
            case "spring":
                m.spring(
                    "link", "a", "b", at_a=(0.2, 0, 0), at_b=(0.8, 0.3, 0), stiffness=50.0, free_length=0.4, damping=1.0
                )
            case "universal":
                m.universal("link", "a", "b", at=(0.5, 0, 0), axis="z", axis_b="y")
            case _:
                getattr(m, joint)("link", "a", "b", at=(0.5, 0, 0), axis="z")
        result = pl.dynamics(m, duration=3.0, step=step, output_step=0.1, newton_tolerance=1e-9)
        P = sum(mass[n] * result[f"{n}.velocity"].values for n in "ab")
        L = sum(
            spin_momentum(result, n, inertia[n])
            + mass[n] * np.cross(result[f"{n}.position"].values, result[f"{n}.velocity"].values)
            for n in "ab"
        )
        assert largest(P, P[0]) < 1e-8
        drift.append(largest(L, L[0]))
    assert drift[-1] < 20 * 2e-3**2 * 10
    assert observed_order(drift) > 1.8
