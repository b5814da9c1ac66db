"""One connection: reads requests, has them checked and answered, and sends the answers with the headers of the policy."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from pitchline.errors import PitchlineError

from .question import HEADERS, Answer, EventStream, Question, Refusal, check_sender, check_token, read_body

if TYPE_CHECKING:
    from .server import Server, _LoopbackServer

__all__ = ["BrowserConnections", "Handler"]


# ---- connections

# The connections of a server: at most so many, and a new one takes the place of one that is idle.

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


_MOST_DRAINED = 1 << 20
_REASONS = {
    400: "this is not a request that is read here",
    414: "the address is too long",
    431: "the headers are too long",
    501: "this method is not answered here",
    505: "this version of HTTP is not supported",
}


class Handler(BaseHTTPRequestHandler):
    """Of one connection, in a thread of its own."""

    protocol_version = "HTTP/1.1"
    timeout = 30  # of a client that sends or takes nothing [s]
    disable_nagle_algorithm = True  # head and body leave as two packets: otherwise a small answer waits 40 ms
    wbufsize = 65536
    owner: Server
    server: _LoopbackServer

    def version_string(self) -> str:
        return "pitchline"

    def log_message(self, *_: object) -> None:
        """Nothing is logged: what users look at is their own."""

    def do_GET(self) -> None:
        self._serve("GET")

    def do_HEAD(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def _serve(self, method: str) -> None:
        with self.server.connections.busy(self.connection):
            self._answer(method)

    def _answer(self, method: str) -> None:
        try:
            answer = self._answer_to(method)
        except Refusal as refusal:
            answer = refusal.answer()
        except PitchlineError as error:
            answer = Refusal(409, str(error)).answer()
        except Exception:  # a mistake of ours: the page is told that there was one, the terminal which
            if self.owner.closing.is_set():
                answer = Refusal(503, "the server ends").answer()
            else:
                traceback.print_exc(file=sys.stderr)
                answer = Refusal(500, "the server met an error, which is shown in its terminal").answer()
        if isinstance(answer, EventStream):
            self._send_events(answer)
        else:
            self._send(answer)

    def _answer_to(self, method: str) -> Answer | EventStream:
        owner = self.owner
        question = Question.of_target(self.path)
        check_sender(self.headers, owner.hosts, page=question.path == "/")
        if question.path in owner.public and method == "GET":
            self._refuse_body()
            question.only()
            return owner.public[question.path]()
        check_token(self.headers, owner.token)
        self.server.connections.trust(self.connection)
        handlers = owner.routes.get(question.path, {})
        if not handlers:
            raise Refusal(404, "there is nothing under this address")
        if method not in handlers:
            raise Refusal(405, f"{method} is not answered here", {"Allow": ", ".join(sorted(handlers))})
        if method == "POST":
            question = Question(question.path, question.query, read_body(self.headers, self.rfile))
        else:
            self._refuse_body()
        owner.visited.set()
        return handlers[method](question)

    def _refuse_body(self) -> None:
        if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
            raise Refusal(400, "nothing may be sent here")

    # --- sending -----------------------------------------------------------------------------------

    def _send(self, answer: Answer) -> None:
        self._head(
            answer.status, {"Content-Type": answer.kind, "Content-Length": str(len(answer.body)), **answer.headers}
        )
        if getattr(self, "command", None) != "HEAD":
            self.wfile.write(answer.body)
        if answer.status >= 400:
            self._drain()

    def _send_events(self, stream: EventStream) -> None:
        self._head(200, {"Content-Type": "text/event-stream; charset=utf-8", "Connection": "close"})
        events = iter(stream.events)
        try:
            if self.command == "HEAD":
                return
            self.wfile.flush()
            for event in events:
                text = ":\n\n" if event is None else f"data: {json.dumps(event, allow_nan=False)}\n\n"
                self.wfile.write(text.encode())
                self.wfile.flush()
                if self.owner.closing.is_set():
                    return
        finally:
            if (close := getattr(events, "close", None)) is not None:
                close()

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        if status >= 400:
            headers = {**headers, "Connection": "close"}
        for key, value in {**HEADERS, **headers}.items():
            self.send_header(key, value)
        self.end_headers()
        if headers.get("Connection") == "close":
            self.close_connection = True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer to data that is not a request. The page of the standard library repeats the request; this one does not."""
        self.request_version = self.protocol_version  # an answer with headers, whatever was sent
        self.close_connection = True
        self._send(Refusal(code, _REASONS.get(code, "this is not answered here")).answer())

    def _drain(self) -> None:
        """Take what is still on its way: closing at once would reset the connection before the answer is read."""
        with contextlib.suppress(OSError, ValueError):
            self.wfile.flush()
            self.connection.settimeout(0.2)
            left = min(_MOST_DRAINED, int(getattr(self, "headers", {}).get("Content-Length", 0)))
            while left > 0 and (got := len(self.rfile.read1(min(left, 65536)))):
                left -= got

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError):  # the page was closed
            super().handle()


def handler_of(owner: Server) -> type[Any]:
    """The handler of one server."""
    return type("HandlerOfServer", (Handler,), {"owner": owner})
