"""Budget of computing time: estimates before and during an analysis, questions, what is kept."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.base import budget
from pitchline.cli import main


def pendulum() -> pl.Model:
    m = pl.Model("pendulum", gravity=(0, 0, -9.81))
    rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
    m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
    return m


@pytest.fixture
def clock(monkeypatch):
    """Time that only the test advances."""
    now = [100.0]
    monkeypatch.setattr(budget.time, "perf_counter", lambda: now[0])
    return now


def metered(seconds=3600.0, ask=None):
    return budget.Meter("dynamics", budget.Allowance(seconds, ask))


def advance(meter, clock, seconds: float, start: float, end: float) -> None:
    """The meter is read every second while the fraction done goes from start to end."""
    for k in range(round(seconds)):
        clock[0] += 1.0
        meter.check(start + (end - start) * (k + 1) / seconds)


def test_an_estimate_above_the_budget_ends_the_computation(clock) -> None:
    """1 % of the work in 100 s: 9900 s are left."""
    meter = metered()
    meter.check(0.0)
    with pytest.raises(
        pl.BudgetError, match=r"dynamics would take about 2 h 4\d min more.*budget is 1 h.*budget=\"5 h\""
    ) as caught:
        advance(meter, clock, 100.0, 0.0, 0.01)
    assert caught.value.seconds == pytest.approx(9970.0, abs=1.0)  # at the first estimate, after 30 s
    assert clock[0] == 130.0


def test_a_slow_start_and_a_slow_part_do_not_end_it(clock) -> None:
    """The rate since the start and that of the last half of the elapsed time both have to be too slow."""
    meter = metered()
    meter.check(0.0)
    advance(meter, clock, 14.0, 0.0, 1e-6)
    advance(meter, clock, 100.0, 1e-6, 0.3)
    advance(meter, clock, 200.0, 0.3, 0.3001)
    advance(meter, clock, 100.0, 0.3001, 0.999)


def test_a_long_first_part_without_progress_has_no_estimate(clock) -> None:
    """Finite elements before the first position: on a slow computer they take longer than the patience."""
    meter = metered()
    meter.check(0.0)
    advance(meter, clock, 3000.0, 0.0, 0.0)
    advance(meter, clock, 30.0, 0.0, 0.5)
    stuck = metered()
    stuck.check(0.0)
    with pytest.raises(pl.BudgetError, match="still at its start after 1 h"):
        advance(stuck, clock, 4000.0, 0.0, 0.0)


def test_a_short_budget_is_compared_early(clock) -> None:
    meter = metered(10.0)
    meter.check(0.0)
    with pytest.raises(pl.BudgetError):
        advance(meter, clock, 3.0, 0.0, 0.01)


@pytest.mark.parametrize("answer", [True, False])
def test_the_user_is_asked_once(clock, answer) -> None:
    asked = []
    meter = metered(ask=lambda question: asked.append(question) or answer)
    meter.check(0.0)
    if answer:
        advance(meter, clock, 200.0, 0.0, 0.01)
    else:
        with pytest.raises(pl.BudgetError):
            advance(meter, clock, 200.0, 0.0, 0.01)
    assert len(asked) == 1 and asked[0].endswith("The budget is 1 h. Continue?")


def test_the_number_of_steps_is_estimated_before_the_run() -> None:
    with pytest.raises(pl.BudgetError, match=r"would take at least 2 days 7 h \(1e\+12 steps of 0.001 ns\)") as caught:
        pl.dynamics(pendulum(), duration=1.0, step=1e-12)
    assert caught.value.result is None and caught.value.seconds == pytest.approx(2e5)
    with pytest.raises(pl.BudgetError, match=r"at most 0.001 ns"):
        pl.dynamics(pendulum(), duration=1.0, max_step=1e-12)
    with pytest.raises(pl.BudgetError, match="10,001 positions"):
        pl.kinematics(pendulum(), duration=1.0, step=1e-4, budget="0.1 s")


def test_a_run_keeps_what_was_computed_and_can_be_resumed(tmp_path: Path) -> None:
    file, times = tmp_path / "run.checkpoint", []
    m = pendulum()
    for run in (
        lambda: pl.dynamics(m, duration=1e6, output_step=1e3, checkpoint=file, budget="0.5 s"),
        lambda: pl.resume(m, file, budget="0.5 s"),
    ):
        with pytest.raises(pl.BudgetError, match=r"the budget is 0\.5 s") as caught:
            run()
        result = caught.value.result
        assert result.status is pl.Status.INTERRUPTED and result.message == str(caught.value)
        times.append(caught.value.time)
    assert 0.0 < times[0] < times[1] < 1e6


def test_kinematics_keeps_its_positions(monkeypatch) -> None:
    monkeypatch.setattr("pitchline.analyses.kinematics.LEAST_POSITION", 0.0)
    m = pendulum()
    m.drive("motor", "hinge", speed=1.0)
    with pytest.raises(pl.BudgetError) as caught:
        pl.kinematics(m, duration=1e3, step=1e-2, budget="0.2 s")
    assert caught.value.result.samples > 1


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("5 N", "dynamics: budget: expected time"),
        (-1, 'dynamics: budget must be a positive time such as "8 h", or "unlimited", got -1'),
        ("no limit", "dynamics: budget"),
    ],
)
def test_wrong_budgets(given, text) -> None:
    with pytest.raises(pl.ModelError, match=text):
        pl.dynamics(pendulum(), duration=1.0, budget=given)


def test_no_limit() -> None:
    assert pl.dynamics(pendulum(), duration=0.01, budget="unlimited").status is pl.Status.COMPLETED
    assert pl.dynamics(pendulum(), duration=0.01, budget=float("inf")).status is pl.Status.COMPLETED


def test_analyses_inside_a_study_have_its_budget() -> None:
    def study(speed):
        return {"seconds": budget.present().seconds}

    found = pl.sweep(study, pl.grid(speed=[1.0, 2.0]), workers=1, budget="3 h")
    assert found["seconds"].tolist() == [10800.0, 10800.0]
    assert budget.present().seconds == budget.DEFAULT


FILE = """
name = "pendulum"
[bodies.rod]
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
[joints]
hinge = { kind = "revolute", a = "ground", b = "rod", at = [0, 0, 0], axis = "y" }
[[analyses]]
kind = "dynamics"
duration = "10 ms"
step = "1 us"
budget = "BUDGET"
"""


def test_model_files_and_the_command_line(tmp_path: Path, capsys) -> None:
    file = tmp_path / "pendulum.toml"
    file.write_text(FILE.replace("BUDGET", "1 ms"))
    assert main(["run", str(file)]) == 2
    assert "would take at least 0.002 s (1e+04 steps of 1 us)" in capsys.readouterr().err
    assert main(["run", str(file), "--yes"]) == 0
    file.write_text(FILE.replace("BUDGET", "1 mm"))
    assert main(["run", str(file)]) == 1
    assert "budget: expected time" in capsys.readouterr().err


def test_questions_on_a_terminal(monkeypatch, capsys, tmp_path: Path) -> None:
    from pitchline.cli import program as long_computations

    file = tmp_path / "pendulum.toml"
    file.write_text(FILE.replace("BUDGET", "1 ms"))

    class Terminal:
        answer = "y\n"

        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return self.answer

    monkeypatch.setattr(long_computations.sys, "stdin", Terminal())
    monkeypatch.setattr(long_computations.sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["run", str(file)]) == 0
    assert "Continue? [y/N]" in capsys.readouterr().err


def ended(monkeypatch, after: int) -> None:
    """The budget ends every analysis after some items or evaluations."""
    calls = []

    def check(_meter, fraction: float) -> None:
        calls.append(fraction)
        if len(calls) > after:
            raise pl.BudgetError("the budget is used up", seconds=1.0)

    monkeypatch.setattr(budget.Meter, "check", check)


def test_a_campbell_diagram_keeps_the_computed_speeds(monkeypatch) -> None:
    m, speeds = pendulum(), [0.0, 1.0, 2.0, 3.0]
    whole = pl.campbell(m, "hinge", speeds[:2])
    ended(monkeypatch, 2)
    with pytest.raises(pl.BudgetError) as caught:
        pl.campbell(m, "hinge", speeds)
    part = caught.value.result
    np.testing.assert_array_equal(part.speeds, whole.speeds)
    np.testing.assert_array_equal(part.frequencies, whole.frequencies)
    assert part.shapes.shape == whole.shapes.shape and "the budget is used up" in part.warnings


def test_a_frequency_response_keeps_the_computed_frequencies(monkeypatch) -> None:
    m, frequencies = pendulum(), [0.1, 0.2, 0.3, 0.4]
    whole = pl.frequency_response(m, "hinge.torque", "hinge.angle", frequencies=frequencies[:3])
    ended(monkeypatch, 3)
    with pytest.raises(pl.BudgetError) as caught:
        pl.frequency_response(m, "hinge.torque", "hinge.angle", frequencies=frequencies)
    part = caught.value.result
    np.testing.assert_array_equal(part.frequency, whole.frequency)
    np.testing.assert_array_equal(part.response, whole.response)
    assert part.shapes.shape == whole.shapes.shape and "the budget is used up" in part.warnings


def test_an_optimum_keeps_its_evaluations(monkeypatch) -> None:
    ended(monkeypatch, 5)
    with pytest.raises(pl.BudgetError) as caught:
        pl.optimum(lambda x: {"size": (x - 0.3) ** 2}, {"x": (0.0, 1.0)}, minimise="size")
    part = caught.value.result
    assert len(part.evaluations.points) == 6 and not part.converged
    assert part.value == min(part.evaluations["objective"])
    assert "the budget is used up" in part.warnings


def test_floquet_keeps_the_computed_speeds(monkeypatch) -> None:
    m, speeds = pendulum(), [1.0, 2.0, 3.0]
    whole = pl.floquet(m, "hinge", speeds[:2], cycle="revolution")
    ended(monkeypatch, 2)
    with pytest.raises(pl.BudgetError) as caught:
        pl.floquet(m, "hinge", speeds, cycle="revolution")
    part = caught.value.result
    for name in ("speeds", "periods", "multipliers"):
        np.testing.assert_array_equal(getattr(part, name), getattr(whole, name))
    assert "the budget is used up" in part.warnings


@pytest.mark.parametrize(
    "analysis", [pl.modes, lambda m, **options: pl.linear_model(m, "hinge.torque", "hinge.angle", **options)]
)
def test_modes_and_matrices_have_a_budget(monkeypatch, analysis) -> None:
    """The least time grows with the third power of the number of coordinates."""
    m = pendulum()
    analysis(m, budget="1 s")
    monkeypatch.setattr("pitchline.analyses.time_options.LEAST_TIME", 7200.0)
    with pytest.raises(pl.BudgetError, match="dense matrices of 1 coordinates"):
        analysis(m)
    analysis(m, budget="unlimited")
