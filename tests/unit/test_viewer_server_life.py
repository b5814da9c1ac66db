"""The local server under bad conditions: clients that hang, send garbage or go away; its beginning and its end."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from references.child_processes import Children

from pitchline.errors import PitchlineError
from pitchline.viewer.server import EventStream, Question, Refusal, Server, json_answer
from pitchline.viewer.server import handler as handling
from pitchline.viewer.server import server as serving


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        made.start()
        yield made


def request(server: Server, path: str = "/api/records", more: str = "") -> bytes:
    lines = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n{more}\r\n"
    )
    return lines.encode()


def line_to(server: Server, seconds: float = 10.0) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=seconds)


def everything(line: socket.socket) -> bytes:
    """Until the other side closes."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := line.recv(65536):
            found += part
    return found


def answers(server: Server) -> bool:
    with line_to(server) as line:
        line.sendall(request(server, more="Connection: close\r\n"))
        return everything(line).startswith(b"HTTP/1.1 200")


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 10.0
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def test_one_connection_serves_many_requests_without_delay(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    headers = {"Authorization": f"Bearer {server.token}"}
    with contextlib.closing(connection):
        connection.request("GET", "/api/records", headers=headers)
        assert connection.getresponse().read() == b"[]"
        line = connection.sock
        for method in ("GET", "HEAD", "GET"):
            connection.request(method, "/api/records", headers=headers)
            told = connection.getresponse()
            assert told.status == 200 and told.headers["Content-Length"] == "2"
            assert told.read() == (b"" if method == "HEAD" else b"[]")
        assert connection.sock is line
        (here,) = server._http.connections
        # two packets without waiting for the receipt of the first: 40 ms otherwise
        assert here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n", 400),
        (b"\r\n\r\n" + b"\0" * 100 + b"\r\n\r\n", 0),
        (b"GET\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n\r\n", 505),
        (b"GET / HTTP/x\r\n\r\n", 400),
        (b"PRI * HTTP/1.1\r\n\r\n", 501),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431),
        (b"GET http://evil.example/api/records HTTP/1.1\r\nHost: evil.example\r\n\r\n", 400),
        (b"GET //evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: [\r\n\r\n", 421),
        (b"GET /?\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n", 421),
        (b"GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ],
)
def test_garbage_is_refused_and_forgotten(server: Server, sent: bytes, status: int) -> None:
    with line_to(server) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        told = everything(line)
    assert not told if status == 0 else told.startswith(f"HTTP/1.1 {status} ".encode()), told[:200]
    assert answers(server)


def test_a_body_where_none_belongs_is_refused(server: Server) -> None:
    # it would be read as the next request of the connection
    inner = request(server, "/api/none")
    with line_to(server) as line:
        line.sendall(request(server, more=f"Content-Length: {len(inner)}\r\n") + inner)
        assert everything(line).count(b"HTTP/1.1 ") == 1


def test_clients_that_hang_do_not_stop_others(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(handling.Handler, "timeout", 0.5)
    server.add("POST", "/api/echo", lambda question: json_answer(dict(question.data)))
    with contextlib.ExitStack() as lines:
        silent = [lines.enter_context(line_to(server)) for _ in range(5)]
        half = lines.enter_context(line_to(server))
        half.sendall(request(server)[:-10])
        short, known = (lines.enter_context(line_to(server)) for _ in range(2))
        head = f"POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 50\r\n"
        short.sendall(f"{head}\r\n{{".encode())
        known.sendall(
            f"{head}Content-Type: application/json\r\nAuthorization: Bearer {server.token}\r\n\r\n{{".encode()
        )
        assert answers(server)
        assert all(everything(line) == b"" for line in (*silent, half))  # closed after the time they have
        assert everything(short).startswith(b"HTTP/1.1 401")
        assert everything(known).startswith(b"HTTP/1.1 408")
    assert capsys.readouterr().err == ""


def test_a_client_that_takes_nothing_is_left_alone(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handling.Handler, "timeout", 0.3)
    server.add("GET", "/api/large", lambda _: json_answer("x" * 30_000_000))
    with line_to(server) as line:
        line.sendall(request(server, "/api/large"))
        until(lambda: len(server._http.connections) == 1)
        until(lambda: not server._http.connections)
    assert answers(server)


def test_idle_connections_do_not_keep_the_owner_of_the_page_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page keeps its connection, new ones of its owner are answered, and those of strangers make room."""
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 4)
    with Server() as server, contextlib.ExitStack() as lines:
        server.start()
        page = lines.enter_context(line_to(server))
        page.sendall(request(server))
        assert page.recv(65536).startswith(b"HTTP/1.1 200")
        strangers = [lines.enter_context(line_to(server)) for _ in range(20)]
        half = lines.enter_context(line_to(server))
        half.sendall(request(server)[:-10])  # with the token, but without the end of its head
        until(lambda: len(server._http.connections) == 4)
        for _ in range(6):
            assert answers(server)
            until(lambda: len(server._http.connections) < 4)  # the server has seen its end
        assert [everything(line) for line in strangers[:-2]] == [b""] * 18
        page.sendall(request(server))
        assert page.recv(65536).startswith(b"HTTP/1.1 200")
        assert len(server._http.connections) <= 4


def test_there_is_a_limit_to_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)
    gate = threading.Event()

    def waits(_: Question) -> Any:
        gate.wait(10.0)
        return json_answer("done")

    with Server() as server, contextlib.ExitStack() as lines:
        server.add("GET", "/api/waits", waits)
        server.start()
        held = [lines.enter_context(line_to(server)) for _ in range(3)]
        for line in held:
            line.sendall(request(server, "/api/waits"))
        until(lambda: sum(about.busy and about.trusted for about in server._http.connections._open.values()) == 3)
        with line_to(server) as line:
            assert everything(line) == b""  # all are busy with answers
        gate.set()
        assert all(line.recv(65536).startswith(b"HTTP/1.1 200") for line in held)
        assert answers(server)


def test_several_pages_are_answered_beside_each_other(server: Server) -> None:
    together = threading.Barrier(4, timeout=10.0)

    def waits(_: Question) -> Any:
        together.wait()  # passes only when four requests are answered at the same time
        return json_answer("done")

    server.add("GET", "/api/waits", waits)
    found: list[bytes] = []

    def asks() -> None:
        with line_to(server) as line:
            line.sendall(request(server, "/api/waits", "Connection: close\r\n"))
            found.append(everything(line))

    threads = [threading.Thread(target=asks) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [told.endswith(b'"done"') for told in found] == [True] * 4


# --- events -------------------------------------------------------------------------------------------------


def test_events_come_as_they_happen_and_end_with_the_page(server: Server) -> None:
    go, ended = threading.Event(), threading.Event()

    def events() -> Iterator[Any]:
        try:
            yield {"time": 0.1, "end": 1.0}
            go.wait(10.0)
            yield {"time": 0.2, "text": "one\ntwo"}
            while True:
                yield None
                time.sleep(0.01)
        finally:
            ended.set()

    server.add("GET", "/api/progress", lambda _: EventStream(events()))
    with line_to(server) as line:
        line.sendall(request(server, "/api/progress"))
        told = b""
        while b"1.0}\n\n" not in told:
            told += line.recv(65536)
        head, _, body = told.partition(b"\r\n\r\n")
        assert b"text/event-stream" in head and b"Content-Security-Policy" in head
        assert body == b'data: {"time": 0.1, "end": 1.0}\n\n'
        go.set()
        told = b""
        while told.count(b"\n\n") < 3:
            told += line.recv(65536)
        assert json.loads(told.split(b"\n\n")[0].removeprefix(b"data: ")) == {"time": 0.2, "text": "one\ntwo"}
        assert b":\n\n" in told and not ended.is_set()
    assert ended.wait(10.0)
    assert answers(server)


def test_events_end_with_the_server() -> None:
    ended = threading.Event()

    def events() -> Iterator[Any]:
        try:
            while True:
                yield {}
                time.sleep(0.01)
        finally:
            ended.set()

    with Server() as server:
        server.add("GET", "/api/progress", lambda _: EventStream(events()))
        server.start()
        line = line_to(server)
        line.sendall(request(server, "/api/progress"))
        assert line.recv(10)
    assert ended.wait(10.0)
    with line:
        assert everything(line) is not None  # closed: this returns


# --- beginning and end --------------------------------------------------------------------------------------


def test_a_port_that_is_taken(server: Server) -> None:
    with pytest.raises(PitchlineError, match=f"port {server.port} is in use by another program; choose another"):
        Server(port=server.port)


@pytest.mark.parametrize("port", [-1, 65536, "80", True, 1.5])
def test_ports_that_are_none(port: object) -> None:
    with pytest.raises(PitchlineError, match="port must be a whole number"):
        Server(port=port)


def test_the_same_port_again_at_once() -> None:
    with Server() as first:
        first.start()
        assert answers(first)
    with Server(port=first.port) as second:
        second.start()
        assert answers(second)
        assert second.token != first.token


def test_closing_does_what_was_asked_for_once_the_last_first() -> None:
    done: list[str] = []
    server = Server()
    server.at_close(lambda: done.append("first"))
    server.at_close(lambda: done.append("second"))
    server.close()
    server.close()
    server.serve()  # returns at once
    assert done == ["second", "first"]
    with pytest.raises(ConnectionError):
        line_to(server).close()


def test_routes_are_checked() -> None:
    with Server() as server:
        for method, path in (("PUT", "/api/x"), ("GET", "/x"), ("GET", "/api/records")):
            with pytest.raises(ValueError, match="route"):
                server.add(method, path, lambda _: json_answer(1))


def test_a_refusal_of_a_handler_is_told(server: Server) -> None:
    def refuses(_: Question) -> Any:
        raise Refusal(409, "a run is under way")

    server.add("GET", "/api/refuses", refuses)
    with line_to(server) as line:
        line.sendall(request(server, "/api/refuses"))
        told = everything(line)
    assert told.startswith(b"HTTP/1.1 409 ") and told.endswith(b'{"error": "a run is under way"}')


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_ends_it(keyboard: None, children: Children) -> None:
    program = (
        "from pitchline.viewer.server import Server\n"
        "with Server() as server:\n"
        "    server.at_close(lambda: print('closed', flush=True))\n"
        "    print(server.address, flush=True)\n"
        "    try:\n        server.serve()\n"
        "    except KeyboardInterrupt:\n        pass\n"
    )
    started = children([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert started.stdout is not None
    address = started.stdout.readline()
    port, token = address.strip().removeprefix("http://127.0.0.1:").split("/#")
    with socket.create_connection(("127.0.0.1", int(port)), timeout=10) as idle:  # an open page does not keep it
        idle.sendall(
            f"GET /api/records HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        )
        assert idle.recv(100).startswith(b"HTTP/1.1 200")
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=20)
    assert (out, err, started.returncode) == ("closed\n", "", 0)
