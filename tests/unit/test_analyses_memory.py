"""Memory for samples: predicted and refused with a way out; where it runs out all the same, what was computed is kept."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.analyses import dynamics as dynamics_module
from pitchline.analyses import kinematics as kinematics_module
from pitchline.analyses import time_options as memory
from pitchline.analyses.observers import starting_point
from pitchline.analyses.start_positions import prepare
from pitchline.analyses.time_options import SampleMemory, check_memory
from pitchline.base.storage.free_names import available_memory
from pitchline.engine.solvers import integrator as sample_store_module
from pitchline.engine.solvers.integrator import SampleStore


def chain(count: int = 2) -> pl.Model:
    m = pl.Model("chain", gravity=(0, 0, -9.81))
    last = m.ground
    for i in range(count):
        link = m.body(f"link {i}", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=(i + 0.5, 0, 0))
        m.revolute(f"hinge {i}", last, link, at=(i, 0, 0), axis="y")
        last = link
    return m


@pytest.fixture(autouse=True)
def no_earlier_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_reading", (-math.inf, 0.0))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> float:
    """A machine with one megabyte left."""
    monkeypatch.setattr(memory, "available_memory", lambda: 1e6)
    return 1e6


@pytest.mark.parametrize(
    "options",
    [
        {"duration": "1000 s", "step": "1 ms", "output_step": "1 ms"},
        {"duration": "1000 s", "output_step": "0.1 ms"},
    ],
)
def test_too_many_samples_are_refused_with_the_step_that_fits(options: dict[str, str], small: float) -> None:
    with pytest.raises(pl.ModelError) as caught:
        pl.dynamics(chain(), **options)
    text = str(caught.value)
    assert re.match(
        r'dynamics of model "chain" would keep [\d,]+ samples of (at least )?[\d.]+ (kB|bytes): [\d.]+ (GB|MB)', text
    )
    assert "1 MB are free" in text
    step = float(re.search(r'output_step = "([\d.e+-]+) s"', text)[1])
    each = SampleMemory.of(prepare(chain(), starting_point(chain(), None), until=1.0, reduce=True).system).peak
    assert 1000.0 / step * each <= 0.51 * small
    if "step" in options:
        assert step / 1e-3 == pytest.approx(round(step / 1e-3), rel=1e-9)
    # what is advised is taken
    with pytest.raises(KeyboardInterrupt):
        pl.dynamics(chain(), **options | {"output_step": step}, progress=_stop)


def _stop(now: float, end: float) -> None:
    raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def interruptions(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption ends the test's run at once instead of giving a result."""
    monkeypatch.setattr(dynamics_module, "_result", _raising(dynamics_module._result))


def _raising(real: object) -> object:
    def result(*args: object) -> object:
        if args[4] == "interrupted":
            raise KeyboardInterrupt
        return real(*args)

    return result


def test_error_control_thins_out_earlier_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not know how many samples there will be, so that it cannot refuse them."""
    whole = pl.dynamics(chain(), duration=3, max_step=2e-3)
    assert len(whole.time) > 1200
    each = SampleMemory.of(prepare(chain(), starting_point(chain(), None), until=1.0, reduce=True).system).peak
    monkeypatch.setattr(memory, "_reading", (-math.inf, 0.0))
    monkeypatch.setattr(memory, "available_memory", lambda: 1000.0 * each)
    thin = pl.dynamics(chain(), duration=3, max_step=2e-3)
    assert 300 < len(thin.time) <= 1.5 * 512
    assert set(thin.time) <= set(whole.time)
    monkeypatch.setattr(memory, "available_memory", lambda: 500.0 * each)
    with pytest.raises(pl.ModelError, match="would keep 768 samples"):
        pl.dynamics(chain(), duration=3, max_step=2e-3)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"duration": 1, "output_step": 1e-12}, "samples"),
        ({"duration": 1e3, "step": 1e-9, "output_step": 1e-9, "budget": "unlimited"}, "samples"),
        ({"duration": 1, "output_step": 1e-300}, "output_step .* is too small for a duration"),
        ({"duration": 1e50, "step": 1e-300}, "step .* is too small for a duration"),
        ({"duration": 1, "step": 1e-17}, "step .* is too small for a duration"),
    ],
)
def test_absurd_numbers_are_refused_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        pl.dynamics(chain(), **options)


@pytest.mark.parametrize("step", [1e-12, 1e-300])
def test_absurd_numbers_of_positions_are_refused_too(step: float) -> None:
    with pytest.raises(pl.ModelError, match=r'kinematics of model "chain" would keep .* samples .*; specify step = "'):
        pl.kinematics(chain(), duration=1, step=step)


def test_positions_are_compared_with_what_is_free(small: float) -> None:
    with pytest.raises(pl.ModelError, match='specify step = "'):
        pl.kinematics(chain(), duration=1, step=1e-4)


def test_the_prediction_is_what_is_taken() -> None:
    """Bytes of the arrays themselves, against the sum of those that a run makes."""
    m = chain(3)
    ready = prepare(m, starting_point(m, None), until=1.0, reduce=False)
    store = SampleStore(ready.system)
    each = SampleMemory.of(ready.system)
    assert sum(x.nbytes for x in store.open) == each.stored * SampleStore.BLOCK
    result = pl.dynamics(m, duration=1, step=1e-3, reduce=False)
    numbers = sum(np.asarray(s.values).size for s in result.signals.values())
    assert 8 * numbers <= each.signals * len(result.time) <= 1.5 * 8 * numbers
    assert SampleMemory.least(m).peak < each.peak


@pytest.mark.slow
def test_limits_of_the_process_count() -> None:
    """A process that may take 400 MB more, on a machine of any size."""
    code = (
        "import resource, pitchline as pl\n"
        "from pitchline.base.storage.free_names import available_memory\n"
        "pl.dynamics\n"  # its code is loaded before the limit
        "used = 4096 * int(open('/proc/self/statm').read().split()[0])\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 400_000_000,) * 2)\n"
        "assert available_memory() < 4.1e8\n"
        "m = pl.Model('m'); m.body('b', mass=1, inertia=(1, 1, 1))\n"
        "try: pl.dynamics(m, duration=100, step=1e-5, output_step=1e-5)\n"
        "except pl.ModelError as error: print(error)\n"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("this system does not say what a process takes")
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1]), "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert "would keep 10,000,001 samples" in run.stdout and "output_step" in run.stdout


def test_what_is_free_is_known() -> None:
    assert available_memory() > 0.0


def test_small_needs_use_an_earlier_reading_and_large_ones_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    readings: list[float] = []

    def reading() -> float:
        readings.append(1e9)
        return 1e9

    monkeypatch.setattr(memory, "available_memory", reading)
    for count in (10.0, 10.0, 99_000.0):
        check_memory("a run", count, 100.0, lambda fit: "")
    assert len(readings) == 1
    check_memory("a run", 101_000.0, 100.0, lambda fit: "")
    assert len(readings) == 2
    with pytest.raises(pl.ModelError, match="would keep 100,000,000 samples"):
        check_memory("a run", 1e8, 100.0, lambda fit: "")
    monkeypatch.setattr(memory, "_reading", (memory.clock.monotonic() - 2.0 * memory.READ_AGAIN, 1e9))
    check_memory("a run", 10.0, 100.0, lambda fit: "")
    assert len(readings) == 4


def test_a_system_that_says_nothing_refuses_absurd_numbers_only() -> None:
    check_memory("a run", 1e9, 100.0, lambda fit: "", free=math.inf)
    with pytest.raises(pl.ModelError, match="would keep 1e\\+13 samples"):
        check_memory("a run", 1e13, 100.0, lambda fit: "", free=math.inf)


# ---- where memory runs out all the same


def test_the_command_line_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two analyses; the second has no memory for its model."""
    from pitchline import cli
    from pitchline.analyses import statics as statics_module

    m = chain(1)
    text = (
        m.to_toml()
        + """
[[analyses]]
kind = "dynamics"
duration = "10 ms"
step = "1 ms"
[[analyses]]
kind = "statics"
"""
    )
    monkeypatch.chdir(tmp_path)
    Path("chain.toml").write_text(text, encoding="utf-8")

    def none(*args: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(statics_module, "prepare", none)
    assert cli.main(["run", "chain.toml", "-o", "out"]) == 2
    said = capsys.readouterr().err
    assert "out of memory" in said and "Traceback" not in said
    assert pl.load(next(Path("out").glob("*.nc"))).status == "completed"
    assert (
        cli.main(["response", "chain.toml", "--input", "x", "--signal", "y", "--frequencies", "1Hz:2Hz:1000000000000"])
        == 1
    )
    assert "too many" in capsys.readouterr().err


def test_a_run_without_memory_for_more_samples_keeps_those_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = pl.dynamics(chain(), duration=1.0, step=1e-3, output_step=1e-3)
    made, new = [], sample_store_module.new_samples

    def scarce(*sizes: int) -> object:
        made.append(sizes)
        if len(made) > 3:
            raise MemoryError
        return new(*sizes)

    monkeypatch.setattr(sample_store_module, "new_samples", scarce)
    with pytest.raises(
        pl.SolveError, match=r'dynamics of model "chain" ran out of memory at t = 0\.7\d* s.*output_step'
    ) as caught:
        pl.dynamics(chain(), duration=1.0, step=1e-3, output_step=1e-3)
    part = caught.value.result
    assert part.status == "failed" and len(part.time) == 3 * SampleStore.BLOCK
    np.testing.assert_array_equal(part["link 1.position"].values, plain["link 1.position"].values[: len(part.time)])


def test_a_result_without_memory_for_all_samples_has_every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = pl.dynamics(chain(), duration=0.9, step=1e-3, output_step=1e-3)
    build = dynamics_module.build_signals

    def scarce(system: object, samples: object, *args: object, **options: object) -> object:
        if len(samples.t) > 300:
            raise MemoryError
        return build(system, samples, *args, **options)

    monkeypatch.setattr(dynamics_module, "build_signals", scarce)
    thin = pl.dynamics(chain(), duration=0.9, step=1e-3, output_step=1e-3)
    assert thin.status == "completed" and "every 4th" in thin.warnings[-1]
    np.testing.assert_array_equal(thin.time, plain.time[::4])
    np.testing.assert_array_equal(thin["link 1.position"].values, plain["link 1.position"].values[::4])


def test_kinematics_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    m = chain(1)
    m.drive("drive", "hinge 0", angle=pl.Ramp(0, 1, 0, 1))
    reached = kinematics_module.reached
    seen: list[float] = []

    def scarce(moment: object) -> None:
        reached(moment)
        seen.append(moment.time)
        if len(seen) == 7:
            raise MemoryError

    monkeypatch.setattr(kinematics_module, "reached", scarce)
    with pytest.raises(pl.SolveError, match="ran out of memory") as caught:
        pl.kinematics(m, duration=1, step=0.1)
    assert len(caught.value.result.time) == 7
