"""sweep: run a model at all points of a study."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments import names_wrong_arguments
from ...budget import DEFAULT, longer, present, with_budget
from ...disk.errors import size_text
from ...disk.free_memory import available_memory
from ...errors import ModelError, PitchlineError, shown
from ...progress import note, stage
from ...progress.words import engineering, span
from ...units import quantity
from ..points import Points
from ..points.designs import points_of
from ..sources import Source, source_of
from ..study_result import FAILED, NOT_COMPUTED, StudyResult
from .assembly import result_of
from .blocks import inside_a_point
from .dispatch import Dispatcher, missing_ranges
from .payload import main_script, packed
from .plan import OtherPlanError, SweepPlan
from .point_block import PointBlock
from .process_pool import ProcessPool, can_start_processes
from .read_files import file_digest
from .request import SweepRequest
from .runners import BlockRunner, OwnProcess
from .store import RESULT, SweepStore

__all__ = ["StudyError", "StudyTooLong", "sweep"]

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
                from .dask_cluster import DaskCluster, connected

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
