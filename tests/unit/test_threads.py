"""The engine from several threads at once, also as the very first thing in a process."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import pitchline as pl
from pitchline.fem import sparse_solver as blas_threads

FIRST_USE = """
import threading
from concurrent.futures import ThreadPoolExecutor

together = threading.Barrier(4)

def run(k):
    together.wait()
    import pitchline as pl
    m = pl.Model(f"pendulum {k}", gravity=(0, 0, -9.81))
    rod = m.body("rod", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
    rest = pl.statics(m)
    return pl.dynamics(m, duration=0.05, step=1e-3)["rod.position"].values.tobytes()

with ThreadPoolExecutor(4) as pool:
    print(len(set(pool.map(run, range(4)))))
"""


def test_the_first_use_of_the_engine_may_come_from_several_threads() -> None:
    """All threads load the package and ask for the same compiled functions at the same time; all get the same bits."""
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1])}
    run = subprocess.run(
        [sys.executable, "-c", FIRST_USE], env=environment, capture_output=True, text=True, timeout=500
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "1"


def test_threads_that_use_one_blas_thread_leave_the_number_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that came first leaves first: it must not restore for both, nor the second one restore what it found."""
    count = [4]

    def put(n: int) -> None:
        count[0] = n

    monkeypatch.setattr(blas_threads, "_libraries", lambda: [(lambda: count[0], put)])
    inside, left = threading.Event(), threading.Event()

    def second() -> None:
        with blas_threads.one_blas_thread():
            inside.set()
            assert left.wait(60)
            seen.append(count[0])

    seen: list[int] = []
    thread = threading.Thread(target=second)
    with blas_threads.one_blas_thread():
        thread.start()
        assert inside.wait(60)
    left.set()
    thread.join()
    assert (seen, count) == ([1], [4])
