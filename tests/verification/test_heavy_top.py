"""The heavy top on a ball joint, spinning at 30 rad/s: conserved quantities and comparison with a reference of order
8."""

import numpy as np
import pytest
from references.mechanisms import GRAVITY, heavy_top
from references.newton_euler import Mechanism, rotation
from references.observed_order import largest, observed_order

import pitchline as pl

INERTIA = np.array([0.234375, 0.234375, 0.46875])
MASS = 15.0
DURATION = 2.0
SAMPLES = np.linspace(0, DURATION, 21)


@pytest.fixture(scope="module")
def reference():
    return Mechanism(heavy_top()).solve(SAMPLES)


def conserved(result: pl.Result) -> np.ndarray:
    """(n, 3): energy, angular momentum about the vertical and about the axis of the top, all about the tip."""
    R = np.array([rotation(q) for q in result["top.orientation"].values])
    w, x, v = (result[f"top.{s}"].values for s in ("angular_velocity", "position", "velocity"))
    body = np.einsum("nij,ni->nj", R, w)
    L = MASS * np.cross(x, v) + np.einsum("nij,nj->ni", R, INERTIA * body)
    energy = 0.5 * MASS * np.sum(v * v, axis=1) + 0.5 * body**2 @ INERTIA + MASS * GRAVITY * x[:, 2]
    return np.stack([energy, L[:, 2], np.sum(L * R[:, :, 2], axis=1)], axis=1)


@pytest.mark.parametrize(
    "options",
    [{"reduce": False}, {"reduce": False, "stabilised": True}, {"reduce": False, "hht": -0.05}, {"reduce": True}],
    ids=["index 3", "stabilised", "HHT", "reduced"],
)
def test_motion_and_reaction(reference, options) -> None:
    errors = []
    for step in (2e-3, 1e-3):
        result = pl.dynamics(
            heavy_top(), duration=DURATION, step=step, output_step=0.1, newton_tolerance=1e-9, **options
        )
        weight = MASS * GRAVITY
        errors.append(
            [
                largest(result["top.position"].values, reference.position["top"]),
                largest(result["top.velocity"].values, reference.velocity["top"]),
                largest(result["tip.force"].values, reference.force["tip"]) / weight,
            ]
        )
    for column in np.array(errors).T:
        assert observed_order(column) > 1.9
    # (h w)^2 = 9e-4 at h = 1 ms bounds the error of one radian of nutation, of which there are few
    assert np.max(errors[-1]) < 1e-2


@pytest.mark.parametrize("reduce", [True, False])
def test_energy_and_momenta(reduce) -> None:
    """To O((h w)^2), h w = 0.03 at h = 1 ms, over some fifty radians; about the axis of the top exactly."""
    drift = []
    for step in (2e-3, 1e-3):
        result = pl.dynamics(heavy_top(), duration=DURATION, step=step, newton_tolerance=1e-9, reduce=reduce)
        values = conserved(result)
        drift.append(np.max(np.abs(values / values[0] - 1), axis=0))
        own = result["energy.kinetic"].values + result["energy.potential"].values
        assert largest(own, values[:, 0]) < 1e-9 * values[0, 0]
        assert largest(result["energy.balance_error"].values, own - own[0]) < 1e-9 * values[0, 0]
    energy, vertical, axial = np.array(drift).T
    assert energy[-1] < 0.2 * 0.03**2 and observed_order(energy) > 1.9
    assert vertical[-1] < 10 * 0.03**2 and observed_order(vertical) > 1.9
    assert axial[-1] < 1e-12


def test_steady_precession() -> None:
    """A gyroscope level with the ground precesses at Omega = m g l/(I3 w3): I3 w3 Omega = m g l (level axis).

    The circular motion of the disc is held by the tip: force m Omega^2 l inwards, m g upwards.
    """
    m = pl.Model("gyroscope", gravity=(0, 0, -GRAVITY))
    I3, spin, l = 0.5, 100.0, 0.4
    rate = MASS * GRAVITY * l / (I3 * spin)
    turning = {"angular_velocity": (spin, 0, rate), "velocity": (0, l * rate, 0)}
    m.body("disc", mass=MASS, inertia=(I3, 0.3, 0.3), position=(l, 0, 0), **turning)
    m.spherical("tip", m.ground, "disc", at=(0, 0, 0))
    result = pl.dynamics(m, duration=2.0, step=5e-4, newton_tolerance=1e-9)
    t = result.time
    circle = l * np.stack([np.cos(rate * t), np.sin(rate * t), 0 * t], axis=1)
    bound = (5e-4 * spin) ** 2  # (h w)^2, for each of the five radians that it precesses
    assert largest(result["disc.position"].values, circle) < bound * l * rate * 2.0
    inwards = np.sum(result["tip.force"].values * circle, axis=1) / l
    assert largest(inwards, -MASS * rate**2 * l) < bound * MASS * GRAVITY
    assert largest(result["tip.force"].values[:, 2], MASS * GRAVITY) < bound * MASS * GRAVITY
