"""Points of a sweep in several processes: evaluation of one point, blocks of points, the pool."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from pitchline.analyses.observers import Moment, observed_by
from pitchline.base.budget import unless_given
from pitchline.errors import ModelError, PitchlineError, shown
from pitchline.fem.sparse_solver import one_blas_thread
from pitchline.model.model import Model
from pitchline.results.figures import Figure
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import Status

from ..sources import FileSource, FunctionSource, ProgramSource, Source
from ..study_result import FAILED
from .payload import files_read
from .store import LAST, PointBlock, PointOutcome, StudyValue, SweepRequest
from .worker import receive, send

__all__ = [
    "evaluate",
    "block_of",
    "inside_a_point",
    "BlockRunner",
    "LostBlock",
    "OwnProcess",
    "ProcessPool",
    "WorkerError",
    "can_start_processes",
]


_COMPONENTS: dict[tuple[str, ...], str] = {("x", "y", "z"): "component"}


class _PointObserver:
    """Collects the warnings of all analyses of a point. Ctrl-C ends the point, not only an analysis."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def reached(self, moment: Moment) -> None:
        """Nothing to do."""

    def finished(self, result: Result) -> None:
        """Called with the result of each analysis."""
        if result.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        self.warnings += result.warnings


def evaluate(source: Source, request: SweepRequest, values: Mapping[str, Any]) -> PointOutcome:
    """Outcome of one point. An error of this point is its reason; it does not raise an exception."""
    began = time.perf_counter()
    observer = _PointObserver()
    outcome = PointOutcome()
    with files_read() as files:
        try:
            with observed_by(observer), one_blas_thread(), unless_given():
                _compute(source, request, values, outcome)
        except (Exception, SystemExit) as error:  # one point must not end the others
            outcome = PointOutcome(FAILED, _reason(error))
    outcome.files = files
    outcome.warnings = tuple(dict.fromkeys(observer.warnings))
    outcome.seconds = time.perf_counter() - began
    return outcome


def _reason(error: BaseException) -> str:
    """Reason of a failure; with the line of the code if it is not an error of pitchline."""
    text = str(error).strip()
    if isinstance(error, PitchlineError):
        return text
    place = ""
    with suppress(IndexError):
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f" ({frame.filename}, line {frame.lineno})"
    return f"{type(error).__name__}: {text or 'no message'}{place}"


def _compute(source: Source, request: SweepRequest, values: Mapping[str, Any], outcome: PointOutcome) -> None:
    if isinstance(source, FunctionSource):
        found = source.call(values)
        if request.run is not None:
            found = request.run(found)
        if (
            not isinstance(found, (Model, Result)) and hasattr(found, "findings") and hasattr(found, "run")
        ):  # a ModelFile
            _run_file(found, request, outcome)
        else:
            _of_function(source, request, found, outcome)
    elif isinstance(source, FileSource):
        _run_file(source.read(values), request, outcome)
    elif isinstance(source, ProgramSource):
        program = source.with_values(values)
        run = program.run()
        _add_figures(program.figures(run), request, outcome)
        _add_signals(run, request, outcome)
    else:
        raise ModelError(f"a sweep cannot run a source of type {type(source).__name__}")


def _run_file(file: Any, request: SweepRequest, outcome: PointOutcome) -> None:
    """Run what the figures need. Studies of the file are left out, unless a requested figure needs them."""
    if request.figures is not None and not request.signals:
        _add_figures(list(file.evaluate(request.figures).values()), request, outcome)
        return
    names = {step.name for step in file.steps if not step.is_study}
    needed = {name for spec in file.figures if spec.key in (request.figures or ()) for name in spec.needed}
    run = file.run(only=names | needed)
    keys = [spec.key for spec in file.figures if spec.show and {*spec.needed} <= {*run}]
    _add_figures(file.findings(run, keys if request.figures is None else request.figures), request, outcome)
    _add_signals({name: found for name, found in run.items() if name in names}, request, outcome)


def _add_figures(figures: list[Figure], request: SweepRequest, outcome: PointOutcome) -> None:
    for figure in figures:
        if request.figures is None or figure.key in request.figures:
            outcome.values[figure.key] = _value(figure.key, figure.value, figure.unit, figure.description)


def _value(name: str, value: Any, unit: str = "", description: str = "") -> StudyValue:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ModelError(f'the value "{name}" must be a number or an array of numbers, got {shown(value)}')
    if np.ma.is_masked(value):
        raise ModelError(f'the value "{name}" is masked: it has no number')
    # true and false as 1 and 0, so that points without a value are nan
    array = np.array(array, dtype=float)
    if not np.isfinite(array).all():
        wrong = array[~np.isfinite(array)].ravel()[0]
        place = "" if array.ndim == 0 else f" (item {np.flatnonzero(~np.isfinite(array).ravel())[0]})"
        raise ModelError(f'the value "{name}" is {wrong:g}{place}, which is not a finite number')
    return StudyValue(array, unit, tuple(f"item_{n}" for n in array.shape), description)


# --- signals -----------------------------------------------------------------------------------------


def _add_signals(run: Mapping[str, Any], request: SweepRequest, outcome: PointOutcome) -> None:
    several = len(request.signals) > 1
    for analysis, names in request.signals.items():
        key = analysis if analysis != LAST else list(run)[-1]
        result = run[key]
        if not isinstance(result, Result):
            raise ModelError(f'the analysis "{key}" does not have signals. Choose another analysis')
        for selected in result.select(*names):
            _add_signal(selected, f"{key}." if several else "", selected.name, outcome)


def _add_signal(signal: Signal, prefix: str, name: str, outcome: PointOutcome) -> None:
    """Signal with its times. Signals with the same times share a dimension."""
    time_dim = f"{prefix}time"
    known = outcome.axes.get(time_dim)
    if known is not None and not np.array_equal(known.values, signal.time):
        time_dim = f"{prefix}{name}.time"
    outcome.axes[time_dim] = StudyValue(np.asarray(signal.time, dtype=float), "s")
    dims: tuple[str, ...] = (time_dim,)
    if signal.components:
        labels = tuple(signal.components)
        dim = _COMPONENTS.get(labels, f"component_{''.join(labels)}")
        outcome.labels[dim] = labels
        dims = (time_dim, dim)
    values = np.array(signal.values, dtype=float)
    if np.isinf(values).any() or np.isnan(values).all():  # a signal may be nan at some samples, e.g. without contact
        raise ModelError(f'the signal "{name}" has no finite numbers')
    outcome.values[f"{prefix}{name}"] = StudyValue(values, signal.unit, dims, signal.description)


# --- functions ---------------------------------------------------------------------------------------


def _of_function(source: FunctionSource, request: SweepRequest, found: Any, outcome: PointOutcome) -> None:
    """Values from what the functions of the user returned."""
    called = source.called if request.run is None else FunctionSource(request.run).called
    if isinstance(found, Model):
        raise ModelError(
            f"{called} returned a model. Specify what to compute: run=function, which gets the model and returns a dict of numbers"
        )
    if isinstance(found, Result):
        found = {found.kind: found}
    if isinstance(found, Mapping) and found and all(isinstance(one, Result) for one in found.values()):
        if not request.signals:
            raise ModelError(
                f'{called} returned a Result. Return a dict of numbers, or choose signals, e.g. signals=["mesh.normal_force"]'
            )
        _add_signals(found, request, outcome)
        return
    if isinstance(found, (list, tuple)) and found and all(isinstance(one, Figure) for one in found):
        found = {figure.key: figure for figure in found}
    if not isinstance(found, Mapping):
        found = {"value": found}
    chosen = list(found) if request.figures is None else list(request.figures)
    for name in chosen:
        if name not in found:
            raise ModelError(f'{called} did not return "{name}", but {", ".join(map(str, found)) or "nothing"}')
        _add(str(name), found[name], outcome)


def _add(name: str, value: Any, outcome: PointOutcome) -> None:
    if isinstance(value, Signal):
        _add_signal(value, "", name, outcome)
    elif isinstance(value, Figure):
        outcome.values[name] = _value(name, value.value, value.unit, value.description)
    elif isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
        outcome.values[name] = _value(name, value[0], value[1])
    else:
        outcome.values[name] = _value(name, value)


# ---- blocks

# block_of: compute consecutive points, one after the other.

_lock = threading.RLock()
"""A process computes one point at a time, also if a cluster gives it several threads. A point may contain a sweep."""
_depth = [0]
"""Number of points that this process is computing, one inside the other."""


def inside_a_point() -> bool:
    """Whether this process is computing a point. A sweep inside a point does not start processes by itself."""
    return _depth[0] > 0


def block_of(source: Source, request: SweepRequest, first: int, values: Sequence[Mapping[str, Any]]) -> PointBlock:
    """Outcomes of points. values : parameter values of the points first, first + 1, ..."""
    outcomes = []
    for one in values:
        with _lock:
            _depth[0] += 1
            try:
                outcomes.append(evaluate(source, request, one))
            finally:
                _depth[0] -= 1
    return PointBlock.of(first, outcomes)


# ---- runners

# BlockRunner: computes blocks of points, here or elsewhere; OwnProcess computes them in this process.


class LostBlock(NamedTuple):
    """A block whose process ended before it was complete.

    first, size : its first point and number of points
    reason : how the process ended
    """

    first: int
    size: int
    reason: str


class BlockRunner(ABC):
    """Computes blocks of points.

    slots : number of blocks that are computed at the same time
    """

    slots: int

    @abstractmethod
    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Compute a block. values : parameter values of the points first, first + 1, ..."""

    @abstractmethod
    def next(self) -> PointBlock | LostBlock:
        """Wait for the next block that is complete or lost."""

    @abstractmethod
    def close(self) -> None:
        """End everything that is still computed."""


class OwnProcess(BlockRunner):
    """Computes blocks in this process."""

    slots = 1

    def __init__(self, source: Source, request: SweepRequest) -> None:
        self.source, self.request = source, request
        self._waiting: deque[tuple[int, Sequence[Mapping[str, Any]]]] = deque()

    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Keep the block for `next`."""
        self._waiting.append((first, values))

    def next(self) -> PointBlock | LostBlock:
        """Compute the first block."""
        return block_of(self.source, self.request, *self._waiting.popleft())

    def close(self) -> None:
        """Nothing to do."""
        self._waiting.clear()


# ---- process pool

# ProcessPool: processes on this machine that compute blocks of points.
#
# The processes are started with the Python of this process, without importing its main script. Each has one thread
# for BLAS and numba. A process that ends without an answer is replaced, and its block is reported as lost.

THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_MOST_FAILED_STARTS = 3
_POLL = 0.5


class WorkerError(PitchlineError):
    """The processes of a sweep cannot work."""


def can_start_processes() -> bool:
    """Whether this program can start Python processes. A program that embeds Python may not."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


class ProcessPool(BlockRunner):
    """Processes on this machine.

    count : number of processes
    payload : of `packed`
    script : main script that they import, or ""
    """

    def __init__(self, count: int, payload: bytes, script: str = "") -> None:
        self.slots = count
        self.payload, self.script = payload, script
        self._waiting: deque[tuple[int, Sequence[Mapping[str, Any]]]] = deque()
        self._condition = threading.Condition()
        self._done: queue.Queue[PointBlock | LostBlock | Exception] = queue.Queue()
        self._closed = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._failed_starts = 0
        self._threads = [
            threading.Thread(target=self._serve, args=(k,), name=f"pitchline sweep {k}", daemon=True)
            for k in range(count)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pids(self) -> list[int]:
        """Process ids of the processes that are running."""
        return [process.pid for process in list(self._processes.values())]

    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Compute a block as soon as a process is free."""
        with self._condition:
            self._waiting.append((first, values))
            self._condition.notify()

    def next(self) -> PointBlock | LostBlock:
        """The next block that is complete or lost."""
        while True:
            try:
                found = self._done.get(timeout=_POLL)  # with a timeout, so that Ctrl-C is noticed on every system
            except queue.Empty:
                continue
            if isinstance(found, Exception):
                raise found
            return found

    def close(self) -> None:
        """End all processes, also in the middle of a block."""
        with self._condition:
            self._closed = True
            self._waiting.clear()
            self._condition.notify_all()
        for process in list(self._processes.values()):
            with contextlib.suppress(OSError):
                process.kill()
        for thread in self._threads:
            thread.join(timeout=10.0)

    # ---- one thread for each process

    def _serve(self, k: int) -> None:
        try:
            while not self._closed:
                self._run_one(k)
        except Exception as error:
            if not self._closed:
                self._done.put(error)

    def _run_one(self, k: int) -> None:
        """Start a process and give it blocks until it ends."""
        block = self._take()
        if block is None:
            return
        with self._process(k) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                send(process.stdin, (self.script, sys.argv, self.payload))
                kind, found = receive(process.stdout)
            except (OSError, EOFError):
                kind, found = "ended", f"it ended with {_ending(process)}"
            if kind != "ready":
                self._put_back(block)
                self._start_failed(kind, str(found))
                return
            while block is not None:
                try:
                    send(process.stdin, block)
                    done: PointBlock = receive(process.stdout)[1]
                except (OSError, EOFError):
                    self._done.put(LostBlock(block[0], len(block[1]), f"its process ended with {_ending(process)}"))
                    return
                self._done.put(done)
                block = self._take()

    def _start_failed(self, kind: str, reason: str) -> None:
        """Report a process that could not start. One that was killed meanwhile is started again a few times."""
        with self._condition:
            self._failed_starts += 1
            again = kind == "ended" and self._failed_starts <= _MOST_FAILED_STARTS * self.slots
        if not again and not self._closed:
            raise WorkerError(
                f"a process of the sweep cannot start: {reason}. Use workers=1 to compute in this process, or correct the reason"
            )

    def _take(self) -> tuple[int, Sequence[Mapping[str, Any]]] | None:
        """The next block; None when the pool is closed."""
        with self._condition:
            while not self._waiting and not self._closed:
                self._condition.wait()
            return None if self._closed else self._waiting.popleft()

    def _put_back(self, block: tuple[int, Sequence[Mapping[str, Any]]]) -> None:
        with self._condition:
            self._waiting.appendleft(block)
            self._condition.notify()

    @contextlib.contextmanager
    def _process(self, k: int) -> Any:
        """A process that is ended at the end of the context."""
        code = f"import sys; sys.path[:] = {sys.path!r}\nfrom {__package__}.worker import main; main()"
        own_group: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
            if os.name == "nt"
            else {"start_new_session": True}  # Ctrl-C is for the process that started the sweep
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(THREADS, "1")},
            **own_group,
        )
        self._processes[k] = process
        try:
            if self._closed:
                process.kill()
            yield process
        finally:
            self._processes.pop(k, None)
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()


def _ending(process: subprocess.Popen[bytes]) -> str:
    """How a process ended, as text."""
    try:
        code = process.wait(timeout=5.0)
    except subprocess.TimeoutExpired:
        return "a closed connection"
    if code >= 0:
        return f"status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    memory = "; the system does this if memory is short" if name == "SIGKILL" else ""
    return f"the signal {name}{memory}"
