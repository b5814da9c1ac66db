"""DaskCluster: computes blocks of points on the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import PitchlineError, shown
from ...progress import current, note
from ...version import __version__
from .blocks import block_of
from .payload import unpacked
from .point_block import PointBlock
from .process_pool import WorkerError
from .runners import BlockRunner, LostBlock

__all__ = ["DaskCluster", "connected"]

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
