"""IFToMM benchmark A02, the N-four-bar mechanism (see `references.four_bar`): it passes its singular position twice a
turn.

The error is 50 h^2 in positions and 475 h^2 in speeds (h in seconds; observed from 1e-3 to 6e-5 s). The tolerances of
the benchmark, 1e-6 m and 2e-6 m/s, ask for h = 5e-5 s. Newton is iterated to 1e-9, because what it leaves undone near
the singular position is not a smooth function of the step.
"""

import numpy as np
import pytest
from references import four_bar
from references.observed_order import largest

import pitchline as pl

TIMES = np.array(list(four_bar.A02))
EXPECTED = np.array(list(four_bar.A02.values()))


def tip(step: float, *, planar: bool, **options: object) -> np.ndarray:
    """(times, 3): x, y and speed in x of the tip of the first crank; the crank turns about the origin."""
    result = pl.dynamics(
        four_bar.model(windows=2, planar=planar),
        duration=10.0,
        step=step,
        output_step=1.0,
        newton_tolerance=1e-9,
        **options,
    )
    k = TIMES.astype(int)
    centre, speed = result["crank0.position"].values[k], result["crank0.velocity"].values[k]
    return np.stack([2 * centre[:, 0], 2 * centre[:, 1], 2 * speed[:, 0]], axis=1)


def test_reference() -> None:
    """The one-coordinate equation gives the published values."""
    theta, rate = four_bar.angle(np.concatenate([[0.0], TIMES]))
    values = np.stack([np.sin(theta), np.cos(theta), rate * np.cos(theta)], axis=1)[1:]
    assert largest(values, EXPECTED) < 1e-9


@pytest.mark.parametrize("planar", [True, False])
def test_published_values(planar) -> None:
    difference = np.max(np.abs(tip(5e-5, planar=planar) - EXPECTED), axis=0)
    assert np.all(difference < [1e-6, 1e-6, 2e-6])


@pytest.mark.parametrize("options", [{}, {"reduce": False}, {"stabilised": True}, {"hht": -0.1}])
@pytest.mark.parametrize("planar", [True, False])
def test_error_falls_with_the_square_of_the_step(planar, options) -> None:
    for step in (2e-3, 1e-3, 5e-4):
        difference = np.max(np.abs(tip(step, planar=planar, **options) - EXPECTED), axis=0)
        assert np.all(difference < np.array([100, 100, 1000]) * step**2)


@pytest.mark.parametrize("planar", [True, False])
def test_energy(planar) -> None:
    """No energy comes or goes in twenty passages: the balance closes to O(h^2)."""
    for step, limit in ((2e-3, 2e-2), (1e-3, 5e-3)):
        result = pl.dynamics(four_bar.model(planar=planar), duration=10.0, step=step)
        assert np.max(np.abs(result["energy.balance_error"].values)) < limit
