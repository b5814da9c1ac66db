"""sweep: run a model at all points of a study, on processes or a Dask cluster."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import DEFAULT, longer, present, with_budget
from pitchline.base.progress.display import Stage, current, engineering, note, span, stage
from pitchline.base.storage.free_names import available_memory, size_text
from pitchline.errors import ModelError, PitchlineError, shown
from pitchline.units.quantity import quantity
from pitchline.version import __version__

from ..points.parameter_values import Points
from ..points.samples import points_of
from ..sources import Source, source_of
from ..study_result import FAILED, NOT_COMPUTED, StudyResult
from .payload import file_digest, main_script, packed, unpacked
from .process_pool import (
    BlockRunner,
    LostBlock,
    OwnProcess,
    ProcessPool,
    WorkerError,
    block_of,
    can_start_processes,
    inside_a_point,
)
from .store import RESULT, OtherPlanError, PointBlock, PointOutcome, SweepPlan, SweepRequest, SweepStore, result_of

__all__ = ["DaskCluster", "connected", "Dispatcher", "missing_ranges", "StudyError", "StudyTooLong", "sweep"]


# ---- dask cluster

# DaskCluster: computes blocks of points on the workers of a Dask cluster.

_POLL = 0.5
_PATIENCE = 10.0
"""Time without a worker after which a message is shown [s]."""
_payloads: dict[bytes, Any] = {}
"""On a worker: payload -> source and request, so that a sweep is unpacked once."""


def _compute(payload: bytes, first: int, values: Sequence[Mapping[str, Any]]) -> PointBlock:
    """On a worker: compute a block."""
    if payload not in _payloads:
        _payloads.clear()
        _payloads[payload] = unpacked(payload)
    source, request = _payloads[payload]
    return block_of(source, request, first, values)


def _version() -> str:
    """On a worker: its version of pitchline."""
    return __version__


@contextlib.contextmanager
def connected(client: Any) -> Iterator[Any]:
    """A Dask client: the given one, or one that is connected to this address of a scheduler while the context is open."""
    try:
        import distributed
    except ImportError:
        raise PitchlineError(
            'client needs Dask, which is not installed. Install it with: pip install "pitchline[dask]"'
        ) from None
    if isinstance(client, distributed.Client):
        if client.asynchronous:
            raise PitchlineError(
                "sweep: the client is asynchronous. Make it with Client(address), without asynchronous=True"
            )
        yield client
        return
    if not isinstance(client, str):
        raise PitchlineError(
            f'sweep: client must be a dask.distributed Client or the address of a scheduler, e.g. "tcp://10.0.0.5:8786", '
            f"got {shown(client)}"
        )
    try:
        made = distributed.Client(client, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise PitchlineError(
            f'no Dask scheduler answers at "{client}" ({shown(str(error))}). Start one with: dask scheduler, or correct the address'
        ) from error
    with made:
        yield made


class DaskCluster(BlockRunner):
    """Workers of a Dask cluster. Dask gives the block of a worker that ended to another one.

    client : a Dask client
    payload : of `packed`
    """

    def __init__(self, client: Any, payload: bytes) -> None:
        self.client, self.payload = client, payload
        self._futures: dict[Any, tuple[int, int]] = {}
        self._done: queue.Queue[Any] = queue.Queue()
        self._counted = (0.0, 1)
        self._check_versions()

    @property
    def slots(self) -> int:  # type: ignore[override]
        """Number of workers, which may change."""
        now = time.monotonic()
        if now - self._counted[0] > 2.0:
            self._counted = (now, max(1, len(self.client.nthreads())))
        return self._counted[1]

    def _check_versions(self) -> None:
        """Wait for a worker and compare its version of pitchline."""
        future = self.client.submit(_version, pure=False)
        self._wait_for(future)
        try:
            found = future.result()
        except Exception as error:
            raise WorkerError(
                f"the workers of the Dask cluster cannot run pitchline ({shown(str(error))}). Install pitchline {__version__} there"
            ) from error
        if found != __version__:
            raise WorkerError(
                f"the workers of the Dask cluster have pitchline {found}, this process has {__version__}. Install the same version"
            )

    def _wait_for(self, future: Any) -> None:
        began, told = time.monotonic(), False
        while not future.done():
            time.sleep(0.01)
            if not told and time.monotonic() - began > _PATIENCE and not self.client.nthreads():
                note("the Dask cluster has no workers. The sweep waits for them; end it with Ctrl-C")
                told = True

    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Compute a block on a worker."""
        future = self.client.submit(_compute, self.payload, first, values, pure=False)
        self._futures[future] = (first, len(values))
        future.add_done_callback(self._done.put)

    def next(self) -> PointBlock | LostBlock:
        """The next block that is complete or lost."""
        from distributed import KilledWorker

        waited, told = time.monotonic(), False
        while True:
            try:
                future = self._done.get(timeout=_POLL)
            except queue.Empty:
                if time.monotonic() - waited > _PATIENCE and not self.client.nthreads():
                    current().detail = "waiting for workers"
                    if not told:
                        note("the Dask cluster has no workers. The sweep waits for them; end it with Ctrl-C")
                        told = True
                continue
            first, count = self._futures.pop(future)
            try:
                block: PointBlock = future.result()
                return block
            except KilledWorker as error:
                return LostBlock(first, count, f"the Dask worker ended several times ({shown(str(error), width=120)})")
            except Exception as error:
                raise WorkerError(
                    f"the Dask cluster could not compute the points {first} to {first + count - 1} ({shown(str(error))})"
                ) from error
            finally:
                # Dask computes a finished block again if the worker that holds it ends, unless it is released.
                future.release()

    def close(self) -> None:
        """Cancel what is not complete."""
        with contextlib.suppress(Exception):
            self.client.cancel(list(self._futures))
        self._futures.clear()


# ---- dispatch

# Dispatcher: gives missing points to a runner in blocks, and keeps what comes back.

BLOCK_SECONDS = 0.2
"""Least duration of a block, which hides the cost of sending it [s]."""
MOST_BLOCKS = 4000
"""A large sweep has longer blocks, so that the store does not have too many files."""
AHEAD = 2
"""Blocks in the queue of each slot, so that it never waits."""


def missing_ranges(n: int, blocks: Iterable[PointBlock], *, retry_failed: bool = False) -> list[range]:
    """Ranges of the points that are in no block; with `retry_failed`, also of those that failed."""
    absent = np.ones(n, dtype=bool)
    for block in blocks:
        absent[block.first : block.first + len(block)] &= (block.status == FAILED) & retry_failed
    edges = np.flatnonzero(np.diff(np.concatenate([[False], absent, [False]]).astype(np.int8)))
    return [range(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


class Dispatcher:
    """Computes missing points.

    points : of the sweep
    missing : ranges that are not computed yet
    keep : called with each block that is complete
    stage : shows the progress
    """

    def __init__(
        self, points: Points, missing: Iterable[range], keep: Callable[[PointBlock], None], stage: Stage
    ) -> None:
        self.points, self.keep, self.stage = points, keep, stage
        self.waiting = deque(missing)
        self.fragile: deque[int] = deque()
        """Points of lost blocks: they are computed one by one."""
        self.seconds = 0.0
        """Duration of a point, as a running mean [s]."""
        self.computed = self.failed = 0
        self.unfinished = self.left
        self._lost: dict[int, int] = {}

    @property
    def left(self) -> int:
        """Number of points that are not given to a runner yet."""
        return sum(len(points) for points in self.waiting) + len(self.fragile)

    def run(self, runner: BlockRunner, most: int | None = None, *, size: int | None = None) -> None:
        """Compute the missing points, or the first `most` of them.

        size : points of a block; by default as many as take `BLOCK_SECONDS`
        """
        given = flying = 0
        while True:
            while flying < AHEAD * runner.slots and self.left and (most is None or given < most):
                block = self._cut(size or self._block_size(runner.slots))
                runner.submit(block.start, [self.points.at(i) for i in block])
                flying += 1
                given += len(block)
            if not flying:
                return
            found = runner.next()
            flying -= 1
            if isinstance(found, LostBlock):
                self._return(found)
            else:
                self._done(found, runner.slots)

    def _cut(self, size: int) -> range:
        """The next block: points of lost blocks come last, each for itself."""
        if not self.waiting:
            i = self.fragile.popleft()
            return range(i, i + 1)
        first = self.waiting.popleft()
        if len(first) > size:
            self.waiting.appendleft(first[size:])
        return first[:size]

    def _block_size(self, slots: int) -> int:
        left = self.left
        if self.seconds <= 0.0:
            return 1
        least = math.ceil(BLOCK_SECONDS / self.seconds)
        fair = math.ceil(left / (AHEAD * slots))  # at the end, all slots have something to do
        return max(1, min(max(least, math.ceil(left / MOST_BLOCKS)), fair))

    def _done(self, block: PointBlock, slots: int) -> None:
        self.keep(block)
        mean = float(block.seconds.mean())
        self.seconds = mean if self.computed < 2 else 0.8 * self.seconds + 0.2 * mean
        self.computed += len(block)
        self.failed += int(np.count_nonzero(block.status == FAILED))
        self.unfinished -= len(block)
        n = len(self.points)
        done = n - self.unfinished
        failed = f", {self.failed} failed" if self.failed else ""
        self.stage.done(done, f"{done} of {n} points{failed}")
        self.stage.left = self.seconds * self.unfinished / slots

    def _return(self, lost: LostBlock) -> None:
        """A block of a process that ended: its points are computed again, one by one. A point that does it twice has failed."""
        if lost.size > 1:
            note(
                f"points {lost.first} to {lost.first + lost.size - 1}: {lost.reason}. They are computed again, one by one"
            )
        for i in range(lost.first, lost.first + lost.size):
            if lost.size == 1:
                self._lost[i] = self._lost.get(i, 0) + 1
            if self._lost.get(i, 0) < 2:
                self.fragile.append(i)
                continue
            outcome = PointOutcome(FAILED, f"{lost.reason}. This point was tried {self._lost[i]} times")
            self._done(PointBlock.of(i, [outcome]), 1)


START_SECONDS = 8.0
"""A sweep that takes less than this in one process is computed there: other processes need some seconds to start [s]."""
USABLE = 0.5
"""Fraction of the free memory that the values of a sweep may use."""
SHOWN_REASONS = 3


class StudyError(PitchlineError):
    """A study has no valid point. result : the `StudyResult` with the reasons."""

    def __init__(self, message: str, result: StudyResult) -> None:
        super().__init__(message)
        self.result = result


class StudyTooLong(PitchlineError):
    """A study would take longer than allowed.

    estimate : text with the estimate; seconds : the same as a number [s]; kept : text about points that are in a store
    """

    def __init__(self, estimate: str, seconds: float, kept: str) -> None:
        way = "if this is intended, or use fewer points"
        super().__init__(f'{estimate}. Specify budget="{longer(seconds)}" (command line: --yes) {way}.{kept}')
        self.estimate, self.seconds, self.kept = estimate, seconds, kept


@names_wrong_arguments
@with_budget
def sweep(
    source: Any,
    points: Points | Sequence[Mapping[str, Any]],
    *,
    figures: str | Iterable[str] | None = None,
    signals: str | Iterable[str] | Mapping[str, str | Iterable[str]] | None = None,
    run: Callable[[Any], Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    client: Any = None,
    budget: Any = None,
    max_time: float | str | None = "1 h",
    retry_failed: bool = False,
    allow: str | Iterable[str] = (),
) -> StudyResult:
    """Run a model at all points of a study; return figures and signals as arrays over the points.

    Parameters
    ----------
    source
        Model file (.toml), `ModelFile`, name of the gallery, or a function. The parameters are the arguments of the function. It
        returns a `Model`, for `run`, or a dict of numbers.
    points
        From `grid`, `point_list` or `sample`; or a list of dicts.
    figures
        Names of the figures to keep; default: all.
    signals
        Names or patterns of signals to keep, of the last analysis; or a dict: name of an analysis -> its signals. Default: none.
    run
        For a function that returns a model: function of the model that returns a dict of numbers, of (number, unit), of arrays
        or of signals; or a `Result`, of which `signals` are kept.
    parameters
        Values of other parameters, for all points.
    store
        Folder for the values of points as soon as they are known. The same call with the same store continues a sweep that was
        stopped. Default: none.
    workers
        Number of processes. Default: one for each processor core if the sweep takes longer than a few seconds. 1: this process.
    client
        Client of Dask (`dask.distributed`), or the address of a scheduler, to compute on a cluster.
    budget
        Longest duration that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate after the first
        points is longer, StudyTooLong states it. It also applies to the analyses of each point.
    max_time
        Older name of `budget`; None: no limit.
    retry_failed
        Compute failed points of the store again. Default False: they are kept with their reasons.
    allow
        Modules with user-defined elements that the model file may use.

    Points that fail do not end the sweep: see `StudyResult.failed`. Ctrl-C ends it; the result has the points until then.
    """
    made = source_of(source, allow=allow, overrides=parameters)
    task = _SweepTask(
        made,
        made.fitted(points_of(points, "sweep")),
        SweepRequest.of(figures, signals, run),
        _workers(workers, client),
        client,
        _longest(budget, max_time),
    )
    if parameters:
        twice = [name for name in parameters if name in task.points.axes]
        if twice:
            raise ModelError(f'sweep: "{twice[0]}" is given in points and in parameters. Remove it from one of them')
    task.request.check(made)
    return task.run(store, retry_failed=retry_failed)


def _longest(budget: Any, max_time: float | str | None) -> float:
    """Longest duration [s]."""
    if max_time is None:
        return math.inf
    given = quantity(max_time, "time", what="sweep: max_time")
    return present().seconds if budget is not None or given == DEFAULT else given


def _workers(workers: int | None, client: Any) -> int | None:
    if workers is None:
        return None
    if isinstance(workers, bool) or not isinstance(workers, (int, np.integer)) or workers < 1:
        raise ModelError(f"sweep: workers must be a whole number, 1 or more, got {shown(workers)}")
    if client is not None:
        raise ModelError(
            "sweep: workers is for processes on this machine, client for a Dask cluster. Remove one of them"
        )
    return int(workers)


def _cores() -> int:
    """Processor cores that this process may use; 1 inside a point of another sweep."""
    if inside_a_point():
        return 1
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class _SweepTask:
    """A sweep while it runs."""

    def __init__(
        self,
        source: Source,
        points: Points,
        request: SweepRequest,
        workers: int | None,
        client: Any,
        max_time: float,
    ) -> None:
        self.source, self.points, self.request = source, points, request
        self.workers, self.client, self.max_time = workers, client, max_time
        self.blocks: list[PointBlock] = []
        self.written = 0
        """Number of blocks that are in the store."""
        self.store: SweepStore | None = None
        self._files: dict[str, str] = {}
        """Checksums of the files that the points read."""
        self.complete = False
        """Whether the store had all points already."""

    def run(self, folder: str | os.PathLike[str] | None, *, retry_failed: bool) -> StudyResult:
        """Compute what is missing, and put everything together."""
        if folder is not None:
            self.store = SweepStore.open(Path(folder), SweepPlan.of(self.source, self.points, self.request))
            self.blocks = list(self.store.blocks())
            for block in self.blocks:
                self._check_files(block, {path: file_digest(path) for path in block.files})
            self.written = len(self.blocks)
        missing = missing_ranges(len(self.points), self.blocks, retry_failed=retry_failed)
        interrupted, self.complete = False, not missing
        if missing:
            with stage(f"sweep of {self.source.called}", total=len(self.points)) as now:
                try:
                    self._compute(Dispatcher(self.points, missing, self._keep, now))
                except KeyboardInterrupt:
                    interrupted = True
                    self._write()
        return self._result(interrupted)

    def _check_files(self, block: PointBlock, digests: Mapping[str, str]) -> None:
        """OtherPlanError if stored points were computed with another content of a file."""
        for path, digest in block.files.items():
            if digests[path] == digest or self.store is None:
                continue
            how = "has changed" if digests[path] else "does not exist any more"
            raise OtherPlanError(
                f'the store "{self.store.folder}" cannot be used: its points {block.first} to {block.points[-1]} read the file '
                f'"{path}", which {how} since then. Restore the file, or choose another folder for this sweep'
            )

    def _keep(self, block: PointBlock) -> None:
        if self.store is not None:
            for path, digest in block.files.items():
                self._files.setdefault(path, digest)
            self._check_files(block, self._files)
        self.blocks.append(block)
        self._write()

    def _write(self) -> None:
        """Write the blocks that are not in the store yet: more than one if Ctrl-C came during a write."""
        while self.store is not None and self.written < len(self.blocks):
            self.store.write(self.blocks[self.written])
            self.written += 1

    # ---- computing

    def _compute(self, dispatcher: Dispatcher) -> None:
        with ExitStack() as opened:
            runner: BlockRunner
            if self.client is not None:
                pass

                client = opened.enter_context(connected(self.client))
                runner = DaskCluster(client, packed(self.source, self.request))
                opened.callback(runner.close)
                self._calibrate(dispatcher, runner)
                dispatcher.run(runner)
                return
            count = self._checked_workers(dispatcher)
            here = OwnProcess(self.source, self.request)
            self._calibrate(dispatcher, here, count)
            seconds = dispatcher.seconds * dispatcher.left
            if count > 1 and (self.workers is not None or seconds > START_SECONDS):
                pool = ProcessPool(
                    min(count, max(1, dispatcher.left)),
                    packed(self.source, self.request),
                    main_script(self.source, self.request),
                )
                opened.callback(pool.close)
                dispatcher.run(pool)
            else:
                dispatcher.run(here)

    def _checked_workers(self, dispatcher: Dispatcher) -> int:
        """Number of processes. If functions cannot be sent, an error if the user asked for several, otherwise one."""
        count = min(self.workers or _cores(), dispatcher.left)
        if count == 1:
            return 1
        if not can_start_processes():
            if self.workers is not None:
                raise ModelError("sweep: this program cannot start Python processes. Use workers=1")
            return 1
        try:
            packed(self.source, self.request)
            main_script(self.source, self.request)
        except PitchlineError as error:
            if self.workers is not None:
                raise
            note(f"the sweep uses one process: {error}")
            return 1
        return count

    def _calibrate(self, dispatcher: Dispatcher, runner: BlockRunner, slots: int | None = None) -> None:
        """Compute the first points, before others start: this compiles what is missing, and shows how long a point takes."""
        dispatcher.run(runner, 1, size=1)
        if dispatcher.left and dispatcher.seconds > 0.05:  # the first one may have compiled
            dispatcher.run(runner, 1, size=1)
        self._check_memory()
        count = runner.slots if slots is None else slots
        seconds = dispatcher.seconds * dispatcher.left / count
        if seconds > self.max_time:
            kept = f' The points so far are in "{self.store.folder}".' if self.store is not None else ""
            estimate = (
                f"the sweep would take about {span(seconds)}: {dispatcher.left} points of "
                f"{engineering(dispatcher.seconds)} on {count} process{'es' if count > 1 else ''}"
            )
            ask = present().ask
            if ask is None or not ask(f"{estimate}. Continue?"):
                raise StudyTooLong(estimate, seconds, kept)

    def _check_memory(self) -> None:
        """ModelError if the values of all points do not fit into memory."""
        known = [block for block in self.blocks if (block.status != FAILED).any()]
        if not known:
            return
        each = sum(column.value.values[0].nbytes for column in known[-1].columns)
        total, free = each * len(self.points), available_memory()
        if total > USABLE * free:
            raise ModelError(
                f"sweep: the values of all points need {size_text(total)} of memory ({size_text(each)} for each of "
                f"{len(self.points)} points), and {size_text(free)} are free. Keep figures instead of signals, or use fewer points"
            )

    # ---- result

    def _result(self, interrupted: bool) -> StudyResult:
        result = result_of(self.source.name, self.points, self.blocks)
        done = int(np.count_nonzero(result.status != NOT_COMPUTED))
        texts = list(result.warnings)
        failed = np.flatnonzero(result.status == FAILED).tolist()
        if failed:
            texts.insert(0, f"{len(failed)} of {done} points failed. {self._reasons(result, failed)}")
            note(f"sweep of {self.source.called}: {texts[0]}")
        if interrupted:
            go_on = (
                f'The same call continues: "{self.store.folder}" has them'
                if self.store is not None
                else "With store=FOLDER, the same call would continue there"
            )
            texts.insert(0, f"the sweep was stopped after {done} of {len(result)} points. {go_on}")
            note(f"sweep of {self.source.called}: {texts[0]}")
        result = replace(result, warnings=tuple(texts))
        if not interrupted and len(failed) == len(result):
            raise StudyError(f"all {len(result)} points of the sweep failed. {self._reasons(result, failed)}", result)
        if (
            self.store is not None
            and not interrupted
            and not (self.complete and (self.store.folder / RESULT).is_file())
        ):
            result.save(self.store.folder / RESULT, overwrite=True)
        return result

    def _reasons(self, result: StudyResult, failed: Sequence[int]) -> str:
        """The first different reasons."""
        reasons: dict[str, int] = {}
        for i in failed:
            reasons.setdefault(result.reasons.get(i, ""), i)
        first = [f"Point {i} ({_at(self.points, i)}): {reason}" for reason, i in list(reasons.items())[:SHOWN_REASONS]]
        return ". ".join(first)


def _at(points: Points, i: int) -> str:
    return ", ".join(f"{name} = {value}" for name, value in points.at(i).items())
