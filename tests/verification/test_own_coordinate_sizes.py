"""Own coordinates of elements of any size: y' = a y, from one to beyond all bounds, and down from large values."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.extend import TANGENT, Element, coordinates, frame, number

LARGEST = 1e150
"""Beyond it a run counts as blown up."""


class Growth(Element):
    """A state of first order that grows, or decays, exponentially."""

    on = frame("a body, which feels nothing")
    rate = number("1/s", "a of y' = a y")
    y = coordinates(1, "1", "the state", order=1)

    def evaluate(s, m, x, w, ask, r, J):
        r[6] += x.y_rate[0] - s.rate * x.y[0]
        if ask.mode == TANGENT:
            J[6, 6] += ask.D - ask.K * s.rate


def model(rate: float, start: float) -> pl.Model:
    m = pl.Model("growth", gravity=(0, 0, 0))
    m.add(Growth("state", on=m.body("body", mass=1, inertia=(1, 1, 1)), rate=rate, y=start))
    return m


@pytest.mark.parametrize("options", [{"step": 1e-5}, {"tolerance": 1e-6}])
def test_growth_beyond_all_bounds_ends_the_run_where_it_must(options: dict[str, float]) -> None:
    with pytest.raises(pl.SolveError, match=r'diverged .* first at "state"') as caught:
        pl.dynamics(model(1e3, 1.0), duration=1.0, **options)
    assert caught.value.time == pytest.approx(math.log(LARGEST) / 1e3, rel=2e-3)


@pytest.mark.parametrize("start", [1e-9, 1.0, 1e9, -1e30])
def test_decay_is_the_same_from_every_size(start: float) -> None:
    run = pl.dynamics(model(-5.0, start), duration=1.0, step=1e-3)
    np.testing.assert_allclose(run["state.y"].values, start * np.exp(-5.0 * run.time), rtol=2e-5)
    assert run.statistics["cut_steps"] == 0
