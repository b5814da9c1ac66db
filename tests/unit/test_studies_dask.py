"""Sweeps over a Dask cluster: same bits, a killed worker, addresses, messages."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from references.sweep_functions import PAIR, calls, logged, square
from references.sweep_kills import killer

import pitchline as pl
from pitchline.studies.sweep import sweep as dask_cluster

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    options = dict(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as made:
        yield made


def test_same_bits_as_one_process(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "pair.toml"
    file.write_text(PAIR)
    points = pl.grid(speed=pl.linspace("-6000 rpm", "6000 rpm", 12))
    one = pl.sweep(file, points, signals="mesh.normal_force", workers=1)
    two = pl.sweep(file, points, signals="mesh.normal_force", client=client.scheduler.address)
    for name in one.variables:
        assert np.array_equal(one[name], two[name])


def test_a_killed_worker_loses_nothing(client: Any, tmp_path: Path) -> None:
    log, store, done = tmp_path / "log", tmp_path / "a.sweep", {}
    n = 60
    points = pl.grid(x=[float(k) for k in range(n)])
    thread = threading.Thread(target=killer, args=(log, store, 5, done))
    thread.start()
    found = pl.sweep(logged, points, parameters={"log": str(log)}, store=store, client=client)
    thread.join()
    assert found["square"].tolist() == [float(k * k) for k in range(n)] and not found.failed
    computed = [x for _, x in calls(log)]
    assert set(computed) == {float(k) for k in range(n)}
    assert all(computed.count(float(i)) == 1 for i in done["complete"])
    assert os.getpid() not in {pid for pid, _ in calls(log)}  # only workers compute


def test_functions_inside_functions(client: Any) -> None:
    assert pl.sweep(lambda x: {"y": x + 1}, pl.grid(x=[1.0, 2.0]), client=client)["y"].tolist() == [2, 3]


def test_messages(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    points = pl.grid(x=[1.0, 2.0])
    with pytest.raises(pl.PitchlineError, match=r"must be a dask.distributed Client or the address"):
        pl.sweep(lambda x: x, points, client=3)
    with pytest.raises(pl.PitchlineError, match=r'no Dask scheduler answers at "nothing://x"'):
        pl.sweep(lambda x: x, points, client="nothing://x")
    monkeypatch.setattr(dask_cluster, "__version__", "99.0")
    with pytest.raises(
        pl.PitchlineError, match=r"workers of the Dask cluster have pitchline .*, this process has 99.0"
    ):
        pl.sweep(lambda x: x, points, client=client)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(pl.PitchlineError, match=r'pip install "pitchline\[dask\]"'):
        pl.sweep(lambda x: x, points, client=client)


def test_blocks_of_workers_that_end_again_and_again() -> None:
    """Dask gives up after several workers: the points are tried one by one, and then they have failed."""
    from distributed import KilledWorker

    from pitchline.base.progress import Stage
    from pitchline.studies.sweep.process_pool import LostBlock
    from pitchline.studies.sweep.sweep import Dispatcher

    class Done:
        def __init__(self, error: Exception | None, value: object = None) -> None:
            self.error, self.value = error, value

        def result(self) -> object:
            if self.error is not None:
                raise self.error
            return self.value

        def done(self) -> bool:
            return True

        def release(self) -> None: ...

        def add_done_callback(self, call: Any) -> None:
            call(self)

    class Cluster:
        def nthreads(self) -> dict[str, int]:
            return {"worker": 1}

        def submit(self, function: Any, *arguments: Any, pure: bool) -> Done:
            if function is dask_cluster._version:
                return Done(None, dask_cluster.__version__)
            return (
                Done(KilledWorker("block", SimpleNamespace(address="tcp://a"), 3))
                if arguments[1] == 2
                else Done(None, function(*arguments))
            )

        def cancel(self, futures: list[Any]) -> None: ...

    from pitchline.studies.sources import source_of
    from pitchline.studies.sweep.payload import packed
    from pitchline.studies.sweep.store import SweepRequest

    points = pl.grid(x=[1.0, 2.0, 3.0, 4.0])
    runner = dask_cluster.DaskCluster(Cluster(), packed(source_of(square), SweepRequest()))
    runner.submit(2, [points.at(2)])
    assert isinstance(runner.next(), LostBlock)
    blocks: list[Any] = []
    Dispatcher(points, [range(4)], blocks.append, Stage("sweep")).run(runner, size=2)
    status = {i: int(block.status[i - block.first]) for block in blocks for i in block.points}
    assert status == {0: 0, 1: 0, 2: 1, 3: 0}
    assert "the Dask worker ended several times" in next(
        reason for block in blocks for reason in block.reasons.values()
    )
