"""Closed loops whose redundant constraints change with the position: right at every step, in all coordinates.

Loops fall freely, so that their energy is constant. Generalized-alpha keeps it to order 2; an error of the choice of constraints
does not fall with the step.
"""

import numpy as np
import pytest
from references import closed_loops
from references.observed_order import largest

import pitchline as pl

OPTIONS = [{}, {"reduce": False}, {"stabilised": True}, {"hht": -0.1}]


def energy_error(result: pl.Result) -> float:
    return float(np.max(np.abs(result["energy.balance_error"].values)))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("angle", [0.3, 0.7, 1.5, 2.5])
def test_bennett(angle: float, options: dict) -> None:
    """Two passages and more of positions where the constraints kept so far are dependent; the loop has some 20 J."""
    for step in (2e-3, 1e-3, 4e-4):
        result = pl.dynamics(closed_loops.bennett(angle), duration=2.0, step=step, output_step=0.1, **options)
        assert energy_error(result) < 200 * step**2
        assert result.statistics["rank_changes"] >= 1


@pytest.mark.parametrize("step", [1e-3, 2e-4, 1e-4])
def test_bricard(step: float) -> None:
    """Reduced coordinates keep other constraints than six coordinates a body; the motion is the same."""
    runs = [
        pl.dynamics(closed_loops.bricard(), duration=2.0, step=step, output_step=0.1, reduce=reduce)
        for reduce in (True, False)
    ]
    for result in runs:
        assert energy_error(result) < 10 * step**2
        # with a choice of its own for every position Newton hardly ever fails, where one choice for all failed 100 times
        assert result.statistics["newton_failures"] < 5
    for i in range(5):
        assert largest(*(r[f"bar{i}.position"].values for r in runs)) < 0.1 * step**2 + 1e-9


@pytest.mark.parametrize("model", [closed_loops.bricard, lambda: closed_loops.bennett(0.7)], ids=["Bricard", "Bennett"])
def test_error_control(model) -> None:
    for tolerance in (1e-5, 1e-7):
        result = pl.dynamics(model(), duration=2.0, tolerance=tolerance, output_step=0.1)
        assert energy_error(result) < 100 * tolerance ** (2 / 3)


def test_driven() -> None:
    """The torque of a motor does not know which constraints are left out."""
    fine = pl.dynamics(closed_loops.bennett(0.3, speed=3.0), duration=2.0, step=2e-4, output_step=0.1, reduce=False)
    for options in ({"step": 1e-3}, {"step": 1e-3, "stabilised": True}, {"tolerance": 1e-7}):
        result = pl.dynamics(closed_loops.bennett(0.3, speed=3.0), duration=2.0, output_step=0.1, **options)
        error = largest(result["motor.torque"].values, fine["motor.torque"].values)
        assert error < 1e-3 * np.max(np.abs(fine["motor.torque"].values))


def test_resumed(tmp_path) -> None:
    """The same bits, interrupted between two changes of the choice or not."""
    options = {"duration": 2.0, "step": 2e-4, "output_step": 0.01}
    whole = pl.dynamics(closed_loops.bennett(0.7), **options)

    def interrupt(now: float, end: float) -> None:
        if now > 0.5:
            raise KeyboardInterrupt

    file = tmp_path / "run.checkpoint"
    first = pl.dynamics(closed_loops.bennett(0.7), **options, checkpoint=file, progress=interrupt)
    assert first.status is pl.Status.INTERRUPTED
    second = pl.resume(closed_loops.bennett(0.7), file)
    assert second.statistics["rank_changes"] == whole.statistics["rank_changes"] >= 2
    for name in whole.signals:
        assert np.array_equal(second[name].values, whole[name].values), name


def test_small_step() -> None:
    """180,000 steps: at this one, a single choice of constraints ended in a position where they are dependent."""
    result = pl.dynamics(closed_loops.bricard(), duration=9.0, step=5e-5, output_step=0.5)
    assert result.status is pl.Status.COMPLETED
    assert energy_error(result) < 5e-8
