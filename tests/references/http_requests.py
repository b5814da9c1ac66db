"""Requests to the local server, as a browser or as a program sends them."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from typing import Any

from pitchline.viewer.server import Server


class Reply:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = response.status, dict(response.getheaders()), response.read()

    @property
    def data(self) -> Any:
        return json.loads(self.body)


def ask(
    server: Server, path: str, method: str = "GET", *, body: bytes | None = None, hosts: list[str] | None = None,
    token: bool = True, **headers: str,
) -> Reply:  # fmt: skip
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for host in [f"127.0.0.1:{server.port}"] if hosts is None else hosts:
        connection.putheader("Host", host)
    given = ({"Authorization": f"Bearer {server.token}"} if token else {}) | {
        k.replace("_", "-"): v for k, v in headers.items()
    }
    if body is not None:
        given = {"Content-Length": str(len(body)), "Content-Type": "application/json"} | given
    for key, value in given.items():
        connection.putheader(key, value)
    connection.endheaders(body)
    with contextlib.closing(connection):
        return Reply(connection.getresponse())


def raw(server: Server, data: bytes, *, seconds: float = 5.0) -> bytes:
    """Everything that comes back, until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as line:
        line.sendall(data)
        found = b""
        with contextlib.suppress(ConnectionError):
            while part := line.recv(65536):
                found += part
        return found
