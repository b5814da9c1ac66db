"""The connections of a server: at most so many, and a new one takes the place of one that is idle."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["BrowserConnections"]

PATIENCE = 2.0
"""Time in which the thread of a connection that is shut must end [s]."""


@dataclass
class _BrowserConnection:
    """trusted: it has shown the token. busy: a request is being answered. since: when that began or ended."""

    trusted: bool = False
    busy: bool = False
    shut: bool = False
    since: float = field(default_factory=time.monotonic)

    @property
    def rank(self) -> tuple[bool, float]:
        """The lowest one gives up its place: strangers first, then the one that has been idle for longest."""
        return self.trusted, self.since


class BrowserConnections:
    """Open connections, each with a thread. most: their largest number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[socket.socket, _BrowserConnection] = {}
        self._left = threading.Condition()

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[socket.socket]:
        return iter(list(self._open))

    def admit(self, request: socket.socket) -> bool:
        """Add a connection. If there are too many, an idle one is shut; False if all are busy with answers."""
        with self._left:
            if len(self._open) >= self._most:
                idle = {
                    one: about
                    for one, about in self._open.items()
                    if not about.shut and not (about.busy and about.trusted)
                }
                if not idle:
                    return False
                chosen = min(idle, key=lambda one: idle[one].rank)
                idle[chosen].shut = True
                with contextlib.suppress(OSError):
                    chosen.shutdown(socket.SHUT_RDWR)
                if not self._left.wait_for(lambda: len(self._open) < self._most, PATIENCE):
                    return False
            self._open[request] = _BrowserConnection()
            return True

    def trust(self, request: socket.socket) -> None:
        """The connection has shown the token."""
        with self._left:
            if request in self._open:
                self._open[request].trusted = True

    @contextlib.contextmanager
    def busy(self, request: socket.socket) -> Iterator[None]:
        """While a request is answered."""
        self._note(request, busy=True)
        try:
            yield
        finally:
            self._note(request, busy=False)

    def _note(self, request: socket.socket, *, busy: bool) -> None:
        with self._left:
            if request in self._open:
                self._open[request].busy, self._open[request].since = busy, time.monotonic()

    def remove(self, request: socket.socket) -> None:
        """The thread of the connection has ended."""
        with self._left:
            self._open.pop(request, None)
            self._left.notify_all()

    def shut(self) -> None:
        """End those that wait for another request or send events."""
        for request in self:
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)
