"""Local page of ``pitchline view``: its server, the browser, and the model that the page can run."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import PitchlineError
from ..files.declared_parameters import DeclaredParameter
from ..viewer.server.runnable import Runnable
from .exit_status import FINE, say
from .job_parameters import parameters_of
from .jobs import FileJob, Job, find_job, read_settings
from .untrusted_files import printable
from .viewed import changes_text

if TYPE_CHECKING:
    from .viewed import Viewed

__all__ = ["JobToRun", "serve_view"]


_START = "import sys; sys.path[:] = sys.argv.pop().split('\\n'); from pitchline.cli.view_worker import main; sys.exit(main())"
"""The process finds modules in the same folders: pitchline need not be installed, and --allow can name modules of this
folder."""


class JobToRun(Runnable):
    """NAME|FILE with the options of the command. drawn: drawing options of `record_of`."""

    def __init__(self, job: Job, given: argparse.Namespace, drawn: Mapping[str, object]) -> None:
        self._job, self._what, self._allow = job, given.model, list(given.allow)
        self._drawn = dict(drawn)
        self._set = read_settings(given.set)
        self.command = (
            sys.executable,
            "-P",
            "-c",
            _START,
            "\n".join(str(Path(place).absolute()) for place in sys.path),
        )
        path = Path(given.model).expanduser()
        self.name, self.has_file = job.name, isinstance(job, FileJob)
        self._is_file = path.is_file()
        self.source = path.name if self._is_file else given.model
        # for a gallery model: the folder in which the command was given
        self.folder = path.resolve().parent if self._is_file else Path.cwd()

    def declared(self) -> Sequence[DeclaredParameter]:
        return parameters_of(self._job)

    def analyses(self) -> Sequence[str]:
        return [name for name, _ in self._job.planned()]

    def check(self, values: Mapping[str, str]) -> None:
        self._changed(values)

    def label(self, values: Mapping[str, str]) -> str:
        return changes_text(self._whole(values)) or "as in the file"

    def job(self, values: Mapping[str, str]) -> dict[str, Any]:
        what = str(Path(self._what).expanduser().resolve()) if self._is_file else self._what
        return {"model": what, "set": self._whole(values), "allow": self._allow, "drawn": self._drawn}

    def text(self, values: Mapping[str, str]) -> str:
        from .changed_model import changed_text

        job = self._changed(values)
        if not isinstance(job, FileJob):
            raise PitchlineError(
                f"{self.name} is a Python program, not a model file. Copy it with: pitchline gallery --copy {self.name}"
            )
        return changed_text(job, self._whole(values), beside=self._is_file and self._what.lower().endswith(".toml"))

    def _whole(self, values: Mapping[str, str]) -> dict[str, str]:
        return {**self._set, **values}

    def _changed(self, values: Mapping[str, str]) -> Job:
        return find_job(self._what, [f"{name}={value}" for name, value in self._whole(values).items()], self._allow)


def serve_view(found: Viewed, given: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from ..viewer.server import Server
    from ..viewer.server.opening import open_page
    from ..viewer.server.run_routes import add_run_routes
    from .view import tell

    def find() -> Runnable | str:
        job = found.job()
        return job if isinstance(job, str) else JobToRun(job, given, found.drawn)

    with Server(found.records(signals=False)) as server, _ended_by_signals() as ended:
        tell(found)
        if found.failure:
            say(found.failure)
        add_run_routes(server, find)
        server.start()
        opened = not given.no_browser and open_page(server)
        shown = "shown in the browser" if opened else "open this address in a browser on this machine"
        print(printable(f"{found.title}: {shown}; press Ctrl-C to end"))
        print(server.address, flush=True)
        _wait(ended)
    print("ended")
    return FINE


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[threading.Event]:
    """Event that is set by Ctrl-C, or by the signal that ends the program or closes its terminal."""
    ended = threading.Event()

    def end(number: int, frame: Any) -> None:
        ended.set()

    ending = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {number: signal.signal(number, end) for number in ending}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait(ended: threading.Event) -> None:
    while not ended.wait(0.5):  # on Windows, signals are not processed during an unlimited wait
        pass
