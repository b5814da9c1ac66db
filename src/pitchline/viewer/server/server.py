"""The server: its port on this machine, its token, its table of routes, its beginning and end."""

from __future__ import annotations

import contextlib
import errno
import html
import os
import secrets
import shutil
import socket
import socketserver
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Any

from pitchline.errors import PitchlineError, shown

from ..records import ViewRecord
from ..view import open_in_browser, write_temporary_page
from .handler import BrowserConnections, handler_of
from .question import Answer, EventStream, Question, Reading, ServedRecords, json_answer, page_files

__all__ = ["Route", "Server", "open_page"]


HOST = "127.0.0.1"
MOST_CONNECTIONS = 64
Route = Callable[[Question], Answer | EventStream]


class Server:
    """Serves records to the page in a browser on this machine.

    records:  what the page shows; `records.add(record)` adds one while it runs
    address:  of the page, with the token behind the #, which browsers do not send
    token:    32 random bytes as text
    public:   path -> answer, without token: the page and its parts, the same for everyone
    routes:   path -> method -> handler; see `add`
    visited:  set once somebody has shown the token
    closing:  set when the server ends
    """

    def __init__(self, records: Iterable[ViewRecord] = (), *, port: int = 0) -> None:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise PitchlineError(
                f"port must be a whole number from 1 to 65535, or 0 for any that is free; got {shown(port)}"
            )
        self.records = ServedRecords(records)
        self.token = secrets.token_urlsafe(32)
        self.public: Mapping[str, Callable[[], Answer]] = page_files()
        self.routes: dict[str, dict[str, Route]] = {}
        self.visited, self.closing = threading.Event(), threading.Event()
        self._at_close: list[Callable[[], object]] = []
        self._thread: threading.Thread | None = None
        self._running = threading.Lock()
        self.add("GET", "/api/routes", self._offered)
        reading = Reading(self.records)
        self.at_close(reading.close)
        for path, handler in reading.routes().items():
            self.add("GET", path, handler)
        try:
            self._http = _LoopbackServer((HOST, port), handler_of(self))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PitchlineError(
                    f"port {port} is in use by another program; choose another one, or 0 for any one"
                ) from error
            raise PitchlineError(f"cannot use port {port}: {error.strerror or error}; choose another one") from error
        self.port: int = self._http.server_address[1]
        self.hosts = frozenset({f"{HOST}:{self.port}", f"localhost:{self.port}"})

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/#{self.token}"

    def add(self, method: str, path: str, handler: Route) -> None:
        """Answer `method` ("GET" or "POST") of a path by a handler. It is called in a thread of its own, several at a time."""
        if method not in ("GET", "POST") or not path.startswith("/api/") or method in self.routes.get(path, {}):
            raise ValueError(f"route {method} {path}: no such method, not under /api/, or there already")
        self.routes.setdefault(path, {})[method] = handler

    def _offered(self, question: Question) -> Answer:
        """The paths that are answered: a page asks for nothing else, such as runs where there is no model to run."""
        question.only()
        return json_answer(sorted(self.routes))

    def at_close(self, call: Callable[[], object]) -> None:
        """Have something done when the server ends, such as ending a run. The last ones come first."""
        self._at_close.append(call)

    def start(self) -> None:
        """Serve in a thread, until `close()`."""
        self._thread = threading.Thread(target=self.serve, daemon=True, name="pitchline view")
        self._thread.start()

    def serve(self) -> None:
        """Serve until `close()` is called from another thread, or Ctrl-C is pressed (KeyboardInterrupt)."""
        with self._running:
            if not self.closing.is_set():
                self._http.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        """End: connections are closed, what `at_close` was given is done. Twice does no harm."""
        if self.closing.is_set():
            return
        self.closing.set()
        if self._running.locked():
            self._http.shutdown()
        self._http.server_close()
        self._http.close_connections()
        for call in reversed(self._at_close):
            with contextlib.suppress(OSError):
                call()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _LoopbackServer(ThreadingHTTPServer):
    """A limited number of connections, each with a thread; nobody outside this machine reaches it.

    A new connection takes the place of one that is idle, first of those that never showed the token: other programs on this
    machine cannot keep the owner of the page out by holding connections open.
    """

    daemon_threads = True
    request_queue_size = 32
    # Elsewhere than on POSIX this would let another program listen to the same port.
    allow_reuse_address = os.name == "posix"

    def __init__(self, address: tuple[str, int], handler: type[Any]) -> None:
        self.connections = BrowserConnections(MOST_CONNECTIONS)
        super().__init__(address, handler)

    def server_bind(self) -> None:
        # Not that of HTTPServer, which asks the network for the name of this machine.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        socketserver.TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self.connections.admit(request):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.remove(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that broke while it was closed is nobody's concern."""

    def close_connections(self) -> None:
        """End those that wait for another request or send events."""
        self.connections.shut()


# ---- opening

# The browser, opened at the page of a server without the token on any command line, where every user of the machine
# sees it.

LONGEST = 60.0
"""How long the file stays if no browser comes [s]."""


def open_page(server: Server) -> bool:
    """Open the page through a file that only the user can read and that leads there; it goes when the page has come. False where
    there is no browser.
    """
    path = write_temporary_page(_leads_to(server.address), "pitchline view")

    def remove() -> None:
        shutil.rmtree(path.parent, ignore_errors=True)

    def remove_later() -> None:
        server.visited.wait(LONGEST)
        remove()

    server.at_close(remove)
    if not open_in_browser(path.as_uri()):
        remove()
        return False
    threading.Thread(target=remove_later, daemon=True, name="pitchline view: opened").start()
    return True


def _leads_to(address: str) -> str:
    shown = html.escape(address)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>pitchline view</title>\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta http-equiv="refresh" content="0;url={shown}"></head>\n'
        f'<body><p><a href="{shown}">Open the view</a></p></body></html>\n'
    )
