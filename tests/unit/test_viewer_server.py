"""The local server: who is let in and who is not, what is answered, and that it stays up whatever is sent to it."""

from __future__ import annotations

import re
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import url2pathname

import numpy as np
import pytest
from references.http_requests import ask, raw

import pitchline as pl
from pitchline.errors import PitchlineError
from pitchline.results import Result, Signal
from pitchline.viewer import ViewRecord, record_of
from pitchline.viewer.server import Server, json_answer
from pitchline.viewer.server.question import MOST_BODY

TIME = np.linspace(0.0, 1.0, 5001)
ODD = '<b>"x",&#'


def result(folder: Path) -> Result:
    position = np.stack([TIME, TIME**2, np.sin(50.0 * TIME)], axis=1)
    signals = [
        Signal("mesh.force", np.cos(300.0 * TIME), TIME, "N", "normal force"),
        Signal("cart.position", position, TIME, "m"),
        Signal(ODD, 2.0 * position, TIME, components=("a.b", "c,d", "e/f")),
    ]
    made = Result(kind="dynamics", model_name="rig", time=TIME, signals={s.name: s for s in signals})
    return pl.load(made.save(folder / "run.nc"), lazy=True)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = result(tmp_path_factory.mktemp("server"))
    with Server([record_of(found, signals=False), ViewRecord("as built", record_of(found).block)]) as made:
        made.add("POST", "/api/echo", lambda question: json_answer(dict(question.data)))
        made.add("GET", "/api/wrong", lambda question: json_answer([][1]))
        made.start()
        yield made


# --- the eleven points of security -------------------------------------------------------------------------


def test_1_only_this_machine_can_reach_it(server: Server) -> None:
    assert server._http.socket.getsockname() == ("127.0.0.1", server.port)
    assert server._http.socket.family == socket.AF_INET
    assert server.port > 0
    others = {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {
        "127.0.0.1",
        "127.0.1.1",
    }
    for other in others:
        with pytest.raises(OSError):
            socket.create_connection((other, server.port), timeout=1.0).close()


@pytest.mark.parametrize("path", ["/", "/viewer.js", "/api/records"])
def test_2_the_host_must_be_this_server(server: Server, path: str) -> None:
    port = server.port
    for good in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"):
        assert ask(server, path, hosts=[good]).status == 200
    for bad in (
        [f"evil.example:{port}"], ["127.0.0.1"], [f"127.0.0.1:{port + 1}"], [f"127.0.0.1:{port}", "evil.example"], [], [""],
        [f"127.0.0.1:{port}.evil.example"], [f"0.0.0.0:{port}"], [f"127.0.0.1:{port}"] * 2,
    ):  # fmt: skip
        assert ask(server, path, hosts=bad).status == 421


def test_3_pages_of_other_origins_are_refused(server: Server) -> None:
    port = server.port
    assert ask(server, "/api/records", Origin=f"http://127.0.0.1:{port}").status == 200
    assert ask(server, "/api/records", Sec_Fetch_Site="same-origin").status == 200
    for origin in ("http://evil.example", "null", "", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}"):
        for path in ("/", "/api/records"):
            assert ask(server, path, Origin=origin).status == 403
    for site in ("cross-site", "same-site", ""):
        for path in ("/viewer.js", "/api/records"):
            assert fetched(server, path, site, "navigate", "document") == 403
        # a file or a link may lead to the page, but not put it into a frame or ask for it as data
        assert fetched(server, "/", site, "navigate", "document") == 200
        assert fetched(server, "/", site, "navigate", "iframe") == 403
        assert fetched(server, "/", site, "no-cors", "empty") == 403


def fetched(server: Server, path: str, site: str, mode: str, what: str) -> int:
    return ask(server, path, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode, Sec_Fetch_Dest=what).status


def test_4_the_token_is_needed_in_its_header(server: Server) -> None:
    with Server() as other:
        assert len(server.token) >= 43 and server.token != other.token
    assert server.address == f"http://127.0.0.1:{server.port}/#{server.token}"
    assert ask(server, "/api/records").status == 200
    for path in ("/api/records", "/api/scene?record=0", "/api/none", "/none"):
        told = ask(server, path, token=False)
        assert told.status == 401 and "pitchline view" in told.data["error"]
    wrong = [
        {"Authorization": "Bearer x"}, {"Authorization": server.token}, {"Authorization": f"Basic {server.token}"},
        {"Authorization": "Bearer "}, {"Authorization": f"Bearer {server.token}x"}, {"Authorization": "Bearer \xff"},
        {"Cookie": f"token={server.token}"}, {"X_Token": server.token},
    ]  # fmt: skip
    for headers in wrong:
        assert ask(server, "/api/records", token=False, **headers).status == 401
    assert ask(server, f"/api/records?token={server.token}", token=False).status == 401
    assert not any("cookie" in key.lower() for path in ("/", "/api/records") for key in ask(server, path).headers)
    # what is public tells nobody the token
    for path in ("/", "/viewer.js", "/viewer.css"):
        public = ask(server, path, token=False)
        assert public.status == 200 and server.token.encode() not in public.body


def test_5_the_browser_is_opened_through_a_file_of_the_user(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from pitchline.viewer.server import server as opening

    opened: list[str] = []
    monkeypatch.setattr(opening, "open_in_browser", lambda address: opened.append(address) or True)
    with Server() as own:
        own.start()
        assert opening.open_page(own)
        assert own.token not in opened[0] and opened[0].startswith("file:")
        file = _path(opened[0])
        assert own.address in file.read_text("utf-8")
        if sys.platform != "win32":
            assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
        assert ask(own, "/", token=False).status == 200 and file.exists()
        assert ask(own, "/api/records").status == 200  # the page has come
        _until(lambda: not file.parent.exists())
    with Server() as own:  # ... or the server ends before
        assert opening.open_page(own)
        file = _path(opened[-1])
        assert file.exists()
    assert not file.parent.exists()
    monkeypatch.setattr(opening, "open_in_browser", lambda address: opened.append(address) or False)
    with Server() as own:
        assert not opening.open_page(own)
        assert not _path(opened[-1]).exists()


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/%2e%2e/x", "//etc/passwd", "/..\\x", "/viewer.js/..", "/dist/viewer.js", "/viewer.js%00",
     "/favicon.ico", "/api", "/api/", "/api/scene/", "/API/records"],
)  # fmt: skip
def test_6_no_path_of_a_request_becomes_one_of_a_file(server: Server, path: str) -> None:
    assert ask(server, path).status in (400, 404)


@pytest.mark.parametrize(
    "query",
    ["record=-1", "record=2&name=mesh.force", "record=x", "record=", "", "record=0&record=1", "record=0",
     "record=1&name=mesh.force", "record=0&name=mesh.force&px=0",
     "record=0&name=mesh.force&px=99999999", "record=0&name=mesh.force&px=1e3",
     "record=0&name=mesh.force", "record=0&name=none&px=9", "record=0&name=../../x&px=9", "record=0&name=cart.position&px=9",
     "record=0&name=mesh.force&px=9&from=nan", "record=0&name=mesh.force&px=9&to=inf", "record=0&name=mesh.force&px=9&from=2&to=1",
     "record=0&name=mesh.force&px=9&from=x", "record=0&name=mesh.force&px=9&more=1", "record=0&px=9&" + "name=mesh.force&" * 17,
     "record=0&px=999999&" + "name=mesh.force&" * 9, "record=0&name=%ff&px=9", "&".join(f"a{i}=1" for i in range(70)),
     "record=999999999999999999999999"],
)  # fmt: skip
def test_6_signals_and_numbers_are_checked(server: Server, query: str) -> None:
    told = ask(server, f"/api/series?{query}")
    assert told.status in (400, 404) and told.data["error"]


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/", "GET", 200), ("/viewer.js", "HEAD", 200), ("/api/records", "GET", 200), ("/none", "GET", 404), ("/", "DELETE", 501),
     ("/api/records", "POST", 405), ("/api/records", "OPTIONS", 501), ("/api/wrong", "GET", 500), ("/%", "GET", 404)],
)  # fmt: skip
def test_7_every_answer_has_the_headers(
    server: Server, path: str, method: str, status: int, capsys: pytest.CaptureFixture
) -> None:
    told = ask(server, path, method, body=b"{}" if method == "POST" else None)
    assert told.status == status
    _has_the_headers({key.lower(): value for key, value in told.headers.items()})
    if status == 500:
        assert "IndexError" in capsys.readouterr().err and b"Index" not in told.body


def _has_the_headers(headers: dict[str, str]) -> None:
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert not any(key.startswith("access-control") for key in headers)
    assert headers["server"] == "pitchline"


def test_7_refusals_do_not_repeat_what_was_asked(server: Server) -> None:
    for data in (
        b"GET /<script>alert(1)</script> HTTP/9.9\r\n\r\n",
        b"<script> / HTTP/1.1\r\n\r\n",
        b"<script>\r\n\r\n",
    ):
        told = raw(server, data)
        assert b"script" not in told.partition(b"\r\n\r\n")[2]
        head = dict(line.split(": ", 1) for line in told.split(b"\r\n\r\n")[0].decode().lower().split("\r\n")[1:])
        _has_the_headers(head)


def test_8_and_9_the_served_page_holds_no_script_style_or_data(server: Server) -> None:
    # the page of one file is tested in test_viewer_page.py and in the browser
    text = ask(server, "/", token=False).body.decode()
    assert re.findall(r"<script[^>]*>(.*?)</script>", text) == [""] and "style=" not in text and " on" not in text
    assert "rig" not in text and "http" not in text
    for source in (Path(__file__).parents[2] / "viewer" / "src").rglob("*.js"):
        code = source.read_text("utf-8")
        assert not re.search(r"\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function", code), (
            source
        )


def test_10_the_source_of_a_stranger_is_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "was_run"
    text = f'[model]\nname = "x"\n[[elements]]\ntype = "os:system"\ncommand = "touch {mark}"\n'
    stranger = Result(
        kind="dynamics",
        model_name="x",
        time=[0.0],
        signals={},
        source={"text": text, "name": "x.toml", "analysis": "run"},
    )
    loaded = pl.load(stranger.save(tmp_path / "stranger.nc"), lazy=True)
    with Server([record_of(loaded, signals=False)]) as server:
        server.start()
        assert ask(server, "/api/scene?record=0").status == 200
        assert (
            ask(server, "/api/run", "POST", body=b"{}").status == 404
        )  # nothing can be run unless a route is added for it
        assert sorted(server.routes) == [f"/api/{name}" for name in ("records", "routes", "scene", "series", "signals")]
        assert ask(server, "/api/routes").data == sorted(server.routes)
        assert all(list(methods) == ["GET"] for methods in server.routes.values())
    assert not mark.exists()


@pytest.mark.parametrize("model", [{"name": 5}, *({"bodies": bad} for bad in ("x", {"a": 3}, {"a": {"mass": []}}, []))])
def test_10_descriptions_that_are_none_are_refused_in_words(tmp_path: Path, model: dict) -> None:
    stranger = Result(kind="dynamics", model_name="x", time=[0.0], signals={}, model=model)
    with pytest.raises(PitchlineError, match="cannot be drawn"):
        record_of(pl.load(stranger.save(tmp_path / "stranger.nc"), lazy=True))


def test_11_nothing_is_asked_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    # names are looked up by these; the page itself is listened to in tests/browser
    for name in ("getfqdn", "gethostbyaddr", "gethostbyname", "getnameinfo"):
        monkeypatch.setattr(socket, name, lambda *_: pytest.fail("asks the network for a name"))
    with Server() as server:
        server.start()
        assert ask(server, "/api/records").data == []


# --- what is answered ----------------------------------------------------------------------------------------


def test_records_scenes_and_signals(server: Server) -> None:
    said = ask(server, "/api/records").data
    assert [(one["name"], one["kind"], one["samples"]) for one in said] == [("dynamics", "dynamics", 5001)] * 2
    told = ask(server, "/api/scene?record=1")
    assert told.body == list(server.records)[1].block and told.headers["Content-Type"] == "application/octet-stream"
    names = [(one["name"], one["unit"], one["components"]) for one in ask(server, "/api/signals?record=0").data]
    assert names[1] == ("cart.position", "m", ["x", "y", "z"]) and names[2][0] == ODD
    assert ask(server, "/api/signals?record=1").data == []


def series(server: Server, names: list[str], **more: object) -> tuple[np.ndarray, np.ndarray]:
    told = ask(server, "/api/series?" + urlencode([("record", 0), *(("name", n) for n in names), *more.items()]))
    assert told.status == 200, told.body
    shape = tuple(int(n) for n in told.headers["X-Shape"].split(","))
    numbers = np.frombuffer(told.body, "<f8")
    return numbers[: shape[2]], numbers[shape[2] :].reshape(shape)


def test_series(server: Server) -> None:
    names = ["mesh.force", "cart.position.z", f"{ODD}.c,d", f"{ODD}.a.b", "cart.position.x", "mesh.force"]
    time, found = series(server, names, px=100)
    assert found.shape == (6, 2, len(time)) and len(time) <= 102
    values = [np.cos(300.0 * TIME), np.sin(50.0 * TIME), 2.0 * TIME**2, 2.0 * TIME, TIME, np.cos(300.0 * TIME)]
    for one, all_values in zip(found, values, strict=True):
        assert (one[0].min(), one[1].max()) == (all_values.min(), all_values.max())
    time, found = series(server, names[:2], px=100, **{"from": 0.5001, "to": 0.5021})
    inside = slice(2500, 2512)  # one sample beyond either end
    np.testing.assert_array_equal(time, TIME[inside])
    np.testing.assert_array_equal(found[:, 0], [values[0][inside], values[1][inside]])
    assert series(server, ["mesh.force"], px=1_000_000)[1].shape == (1, 1, 5001)


def test_long_records_are_reduced_in_parts(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from pitchline.results.series import Columns

    whole = series(server, ["mesh.force", "cart.position.y"], px=50)
    parts = Columns.parts
    monkeypatch.setattr(Columns, "parts", lambda self: parts(self, 170))
    for expected, found in zip(whole, series(server, ["mesh.force", "cart.position.y"], px=50), strict=True):
        np.testing.assert_array_equal(expected, found)


def test_files_that_were_closed_are_told_to_the_page(tmp_path: Path) -> None:
    lazy = result(tmp_path)
    with Server([record_of(lazy, signals=False)]) as server:
        server.start()
        lazy.close()
        told = ask(server, "/api/series?record=0&name=mesh.force&px=9")
        assert told.status == 409 and "was closed" in told.data["error"]


def test_records_can_be_added(tmp_path: Path) -> None:
    with Server() as server:
        server.start()
        assert ask(server, "/api/records").data == []
        assert server.records.add(record_of(result(tmp_path), "second")) == 0
        assert ask(server, "/api/records").data[0]["name"] == "second"


# --- what is sent by POST --------------------------------------------------------------------------------------


def test_a_table_is_taken(server: Server) -> None:
    told = ask(server, "/api/echo", "POST", body='{"parameters": {"µ": "0.1"}, "n": [1, null]}'.encode())
    assert told.status == 200 and told.data == {"parameters": {"µ": "0.1"}, "n": [1, None]}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"[]", {}, 400), (b"", {}, 400), (b"{", {}, 400), (b'{"a": NaN}', {}, 400), (b'{"a": 1, "a": 2}', {}, 400),
        (b"\xff", {}, 400), (b'{"a":' + b"[" * 30_000, {}, 400), (b"{}", {"Content_Type": "text/plain"}, 415),
        (b"{}", {"Content_Type": "application/x-www-form-urlencoded"}, 415), (b"{" + b" " * MOST_BODY + b"}", {}, 413),
        (b"{}", {"Content_Length": "-1"}, 411), (b"{}", {"Content_Length": "2 2"}, 411), (b"{}", {"Content_Length": "9" * 30}, 413),
        (b"2\r\n{}\r\n0\r\n\r\n", {"Transfer_Encoding": "chunked"}, 411),
    ],
)  # fmt: skip
def test_other_things_are_not_taken(server: Server, body: bytes, headers: dict[str, str], status: int) -> None:
    told = ask(server, "/api/echo", "POST", body=body, **headers)
    assert told.status == status and told.data["error"]


def test_posts_need_the_token_and_the_origin_too(server: Server) -> None:
    assert ask(server, "/api/echo", "POST", body=b"{}", token=False).status == 401
    assert ask(server, "/api/echo", "POST", body=b"{}", Origin="http://evil.example").status == 403
    assert ask(server, "/api/echo", "POST", body=b"{}", Sec_Fetch_Site="cross-site").status == 403
    assert ask(server, "/", "POST", body=b"{}", token=False).status == 401
    told = ask(server, "/api/echo")
    assert told.status == 405 and told.headers["Allow"] == "POST"


def _path(address: str) -> Path:
    return Path(url2pathname(urlsplit(address).path))


def _until(condition: Any, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)
