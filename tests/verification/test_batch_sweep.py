"""Sweeps of a batch up and down: the jumps of a pair with backlash."""

import numpy as np
import pytest
from references.lane_rigs import scaled_pair

import pitchline as pl

STEP = 0.0025
UP, DOWN = (0.8975, 0.9), (0.6975, 0.695)
"""Folds of the pair are at 0.89813 and 0.69527 (shooting with 1600 steps a cycle)."""
LANES = {"damping": [0.03, 0.2]}
REDUCE = ["mesh.deflection.peak_to_peak", "mesh.contact_loss"]


@pytest.fixture(scope="module")
def swept() -> pl.BatchSweep:
    values = np.arange(0.6625, 0.93, STEP)
    made = pl.batch(scaled_pair, threads=1)
    return made.sweep("speed", values, lanes=LANES, settle=400, record=10, reduce=REDUCE)


@pytest.mark.slow
def test_jumps_at_the_folds(swept: pl.BatchSweep) -> None:
    assert [(j.direction, j.lane) for j in swept.jumps] == [("up", 0), ("down", 0)]
    for jump, (before, after) in zip(swept.jumps, (UP, DOWN), strict=True):
        assert (jump.before, jump.after) == pytest.approx((before, after), abs=1e-9)
    up, down = swept.jumps
    assert up.high > 1.1 * up.low and down.high < 0.5 * down.low


@pytest.mark.slow
def test_hysteresis_between_the_folds(swept: pl.BatchSweep) -> None:
    """Only between the folds, only with little damping, and only where teeth part."""
    speed, gap = swept["speed"], np.abs(swept.hysteresis())
    assert gap.shape == (len(speed), 2)
    assert gap[:, 1].max() < 1e-6
    between = (speed > 0.6955) & (speed < 0.898)
    assert gap[between, 0].min() > 0.01
    assert gap[(speed < 0.6945) | (speed > 0.9005), 0].max() < 1e-4
    loss = swept["mesh.contact_loss"]
    inner = between & (speed < 0.895)  # at the upper fold the teeth begin to part
    assert loss[0, inner, 0].max() == 0.0 < loss[1, inner, 0].min()


def linear_pair(speed: float = 1.0, damping: float = 0.03) -> pl.Model:
    """Without backlash there is one motion, and no jump."""
    return scaled_pair(speed=speed, damping=damping, ripple=0.05, backlash=0.0)


@pytest.mark.slow
def test_a_linear_pair_does_not_jump() -> None:
    """Its resonance is narrower than the steps; with few cycles the motion follows late, which is no jump or has a warning."""
    made = pl.batch(linear_pair, threads=1)
    values, reduce = np.linspace(0.8, 1.2, 15), REDUCE[:1]
    calm = made.sweep("speed", values, lanes={"damping": [0.01, 0.1]}, settle=150, record=4, reduce=reduce)
    assert calm.jumps == () and calm.warnings == ()
    late = made.sweep("speed", values, lanes={"damping": [0.005, 0.03]}, settle=3, record=4, reduce=reduce)
    assert not late.jumps or "jumps the motion had not settled after 3 cycles" in late.warnings[0]


def test_one_direction() -> None:
    made = pl.batch(scaled_pair, threads=1)
    found = made.sweep("speed", [0.5, 0.51], then=None, lanes=LANES, settle=20, record=2, reduce=REDUCE)
    assert found.dims == ("speed", "point") and found.jumps == ()
    assert found.fine.all() and found.swept == "speed"
    assert found.facts["cycles"] == 44
    with pytest.raises(pl.ModelError, match="the sweep has one direction"):
        found.hysteresis()
    # each value starts from the end of the one before
    first = made.run({**LANES, "speed": 0.5}, settle=20, record=2, steps=100, reduce=REDUCE)
    second = made.run({**LANES, "speed": 0.51}, settle=20, record=2, steps=100, start=first, reduce=REDUCE)
    np.testing.assert_array_equal(second["final.rate"], found["final.rate"][1])
