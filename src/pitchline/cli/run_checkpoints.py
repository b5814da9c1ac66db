"""Checkpoints of ``pitchline run``: a folder next to its results that exists until the run is complete."""

from __future__ import annotations

import argparse
import shlex
import shutil
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..disk.names import safe_stem
from ..errors import ModelError, PitchlineError
from ..progress import note

if TYPE_CHECKING:
    from ..analyses.checkpoint_plan import CheckpointPlan

__all__ = ["RunCheckpoints", "checkpoints"]

DEFAULT_SECONDS = 30.0


def checkpoints(name: str, given: argparse.Namespace) -> RunCheckpoints:
    """Requested checkpoints. Errors are reported before the run."""
    wanted = given.checkpoint or given.checkpoint_every is not None
    if not wanted and not given.resume:
        return RunCheckpoints(None, None)
    option = "--resume" if given.resume else "--checkpoint"
    if given.output is None:
        raise ModelError(f"{option}: checkpoints are written to the folder of the results. Specify it with -o DIR")
    from ..analyses.checkpoint_plan import CheckpointPlan
    from ..units import quantity
    from .output import ready_folder

    seconds = DEFAULT_SECONDS
    if given.checkpoint_every is not None:
        seconds = quantity(given.checkpoint_every, "time", what="--checkpoint-every")
        if seconds < 0.0:
            raise ModelError(f"--checkpoint-every must not be negative, got {given.checkpoint_every}")
    folder = ready_folder(given.output) / f"{safe_stem(name)}.checkpoint"
    run = RunCheckpoints(folder, CheckpointPlan(folder, seconds, resume=given.resume))
    run.prepare(force=given.force)
    return run


class RunCheckpoints:
    """The checkpoint folder and its lock; a context that reserves it for this process."""

    def __init__(self, folder: Path | None, plan: CheckpointPlan | None) -> None:
        self.folder, self.plan = folder, plan
        self._lock: Any = None

    def prepare(self, *, force: bool) -> None:
        """Create the folder, or use that of an earlier run."""
        assert self.folder is not None and self.plan is not None
        there = any(self.folder.glob("*.ckpt"))
        if self.plan.resume and not there:
            raise ModelError(
                f'--resume: "{self.folder}" contains no checkpoints. A run with --checkpoint writes them, and removes them when '
                "it is complete"
            )
        try:
            self.folder.mkdir(exist_ok=True)
            self._hold()
            if there and not self.plan.resume:
                if not force:
                    self.release()
                    raise ModelError(
                        f'"{self.folder}" contains checkpoints of a run that was not completed. Continue it with --resume, or '
                        "start again with --force"
                    )
                for file in self.folder.glob("*.ckpt"):
                    file.unlink()
            for file in self.folder.glob(".*"):  # incomplete files of a run that was killed during writing
                file.unlink(missing_ok=True)
        except OSError as error:
            raise PitchlineError(f'cannot write checkpoints to "{self.folder}": {error.strerror or error}') from error

    def _hold(self) -> None:
        """Lock the folder. The operating system releases the lock when the process ends."""
        assert self.folder is not None
        try:
            import fcntl
        except ImportError:  # a system without such locks
            return
        lock = (self.folder / "lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise ModelError(
                f'"{self.folder}" is in use by another run. Wait for it, or specify another folder'
            ) from None
        except OSError:  # a disk without locks
            lock.close()
            return
        self._lock = lock

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def complete(self) -> None:
        """Remove the checkpoints when everything is computed and written."""
        if self.folder is None:
            return
        self._tell_of_resume()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell_how_to_go_on(self, given: argparse.Namespace) -> None:
        """Print how to continue a run that ended early."""
        if self.folder is None:
            return
        self._tell_of_resume()
        if any(self.folder.glob("*.ckpt")):
            settings = "".join(f" --set {shlex.quote(each)}" for each in given.set)
            note(
                f"continue with: pitchline run {shlex.quote(given.model)} -o {shlex.quote(str(given.output))}{settings} --resume"
            )

    def _tell_of_resume(self) -> None:
        if self.plan is not None and self.plan.resume and self.plan.taken:
            from ..progress.words import engineering

            times = ", ".join(f"t = {engineering(t)}" for t in self.plan.taken)
            note(f"continued from {times}")

    def __enter__(self) -> RunCheckpoints:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
        if self.folder is not None and kind is not None and not any(self.folder.glob("*.ckpt")):
            shutil.rmtree(self.folder, ignore_errors=True)  # nothing was computed
