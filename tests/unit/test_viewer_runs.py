"""Runs that a page asks for: one at a time, in a process of their own, with values that are checked; saved under new names."""

import io
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import pitchline as pl
from pitchline.cli import view_worker
from pitchline.files.parameters import DeclaredParameter
from pitchline.viewer import record_of
from pitchline.viewer.server import Server
from pitchline.viewer.server.run_routes import Runnable, add_run_routes

WORKER = """
import json, pathlib, sys, time
job = json.loads(sys.stdin.readline())
def say(event, **data):
    print(json.dumps({"event": event, **data}), flush=True)
print("no event at all")
say("progress", title="dynamics", detail="", fraction=0.5, left=2.0)
if job["speed"] == "broken":
    sys.exit("Segmentation fault <of> some kind")
if job["speed"] == "slow":
    assert sys.stdin.readline() == "stop\\n"
    say("ended", status=130, message="interrupted")
    sys.exit()
if job["speed"] == "deaf":
    sys.stdin.readline(), sys.stdin.readline()
while pathlib.Path(job["hold"]).exists():
    time.sleep(0.005)
folder = pathlib.Path(job["folder"])
(folder / "0.block").write_bytes(pathlib.Path(job["block"]).read_bytes())
(folder / "0.nc").write_bytes(pathlib.Path(job["result"]).read_bytes())
say("found", number=0, name="speed=" + job["speed"], result=True, file=True)
say("ended", status=0, message="", remarks=["not shown, because there is no view for them: ripple"])
"""


class Crank(Runnable):
    """A model whose runs copy a result that is there already."""

    name, source, has_file = "crank", "crank.toml", True
    command = (sys.executable, "-S", "-c", WORKER)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        model = pl.Model("crank")
        model.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"))
        result = pl.Result(kind="dynamics", model_name="crank", time=[0.0, 0.1], signals={}, model=model.describe())
        self.block, self.result = folder / "made.block", result.save(folder / "made.nc")
        self.block.write_bytes(record_of(result, "a run", signals=False).block)

    def declared(self) -> Sequence[DeclaredParameter]:
        return (DeclaredParameter("speed", "1", "rad/s"),)

    def analyses(self) -> Sequence[str]:
        return ["spin"]

    def check(self, values: Mapping[str, str]) -> None:
        text = "[parameters]\nspeed = '1 rad/s'\n[bodies.rod]\nmass = 1\ninertia = [1, 1, 1]\n"
        pl.files.read(text, overrides={} if values.get("speed", "").isalpha() else values)

    def label(self, values: Mapping[str, str]) -> str:
        return f"speed={values['speed']}"

    def job(self, values: Mapping[str, str]) -> dict[str, Any]:
        hold = self.folder / "hold"  # a run does not end while this file exists
        return {"speed": values["speed"], "block": str(self.block), "result": str(self.result), "hold": str(hold)}

    def text(self, values: Mapping[str, str]) -> str:
        return f"[parameters]\nspeed = '{values['speed']}'\n"


class Asked:
    """A server and a page that asks it."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder

    def __call__(self, path: str, data: object = None, token: str | None = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.server.token if token is None else token}"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        sent = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}{path}", sent, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read() if path == "/api/progress" else json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def events(self) -> list[dict[str, Any]]:
        """Of the present run, to its end."""
        lines = self("/api/progress")[1].decode().split("\n\n")
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Asked]:
    with Server([]) as server:
        add_run_routes(server, lambda: Crank(tmp_path))
        server.start()
        yield Asked(server, tmp_path)


def test_a_run_adds_its_record_and_can_be_saved(ask: Asked) -> None:
    (ask.folder / "hold").touch()
    status, run = ask("/api/run", {"parameters": {"speed": "2 rad/s"}})
    assert (status, run["run"], run["name"], run["state"]) == (200, 1, "speed=2 rad/s", "running")
    (ask.folder / "hold").unlink()
    last = ask.events()[-1]
    assert (last["state"], last["records"], last["fraction"], last["remarks"]) == (
        "completed", [0], 1.0, ["not shown, because there is no view for them: ripple"],
    )  # fmt: skip
    assert [said["name"] for said in ask("/api/records")[1]] == ["a run"]
    assert ask("/api/parameters")[1]["runs"] == [last]
    assert ask("/api/save", {"run": 1, "what": "model", "name": "quick.toml"}) == (200, {"saved": "quick.toml"})
    assert (ask.folder / "quick.toml").read_text() == "[parameters]\nspeed = '2 rad/s'\n"
    assert ask("/api/save", {"run": 1, "what": "result", "record": 0, "name": "quick"}) == (200, {"saved": "quick.nc"})
    assert (ask.folder / "quick.nc").read_bytes() == (ask.folder / "made.nc").read_bytes()
    for what in ("model", "result"):
        status, said = ask("/api/save", {"run": 1, "what": what, "name": "quick"})
        assert status == 409
        assert "already exists" in said["error"]
    assert ask("/api/save", {"run": 1, "what": "result", "record": 7, "name": "other"})[0] == 404
    assert ask("/api/save", {"run": 2, "what": "model", "name": "other"})[0] == 404
    for name in ("../quick2", "/quick2", "a/b", "..", "", " ", ".hidden", "con", "a\0b", "x" * 400):
        status, said = ask("/api/save", {"run": 1, "what": "result", "name": name})
        assert (status, "cannot be the name of a file" in said["error"]) == (400, True), name
    assert sorted(path.name for path in ask.folder.iterdir()) == ["made.block", "made.nc", "quick.nc", "quick.toml"]


@pytest.mark.parametrize(
    "path, data, status, words",
    [
        ("/api/run", {"parameters": {"speed": "3 kg"}}, 422, "does not take these values"),
        ("/api/run", {"parameters": {"speed": "3" * 400}}, 422, "does not take these values"),
        ("/api/save", {"run": 10**400, "what": "model", "name": "a"}, 404, "there is no run"),
        ("/api/run", {"parameters": {"teeth": "3"}}, 400, 'declares no parameter "teeth"'),
        ("/api/run", {"parameters": {"speed": 3}}, 400, "a table of names and texts"),
        ("/api/run", {"parameters": {"speed": "3\n--allow=os"}}, 400, "one line of at most 500 characters"),
        ("/api/run", {"parameters": {"speed": "3" * 501}}, 400, "one line of at most 500 characters"),
        ("/api/run", {"parameters": {}, "model": "/etc/passwd"}, 400, "only these can be sent here: parameters"),
        ("/api/stop", {}, 409, "no run is under way"),
        ("/api/stop", {"run": 1}, 400, "only these can be sent here: nothing"),
        ("/api/save", {"run": True, "what": "model", "name": "a"}, 400, "run: a whole number is needed"),
        ("/api/progress?run=1", None, 400, "only these can be asked for"),
        ("/api/run", None, 405, "GET is not answered here"),
        ("/api/stop", None, 405, "GET is not answered here"),
        ("/api/save", None, 405, "GET is not answered here"),
    ],
)
def test_what_is_wrong_is_refused(ask: Asked, path: str, data: object, status: int, words: str) -> None:
    found, said = ask(path, data)
    assert (found, words in said["error"]) == (status, True), said
    assert ask("/api/parameters")[1]["runs"] == []


def test_a_wrong_value_names_its_parameter(ask: Asked) -> None:
    _, said = ask("/api/run", {"parameters": {"speed": "3 kg"}})
    ((problem,),) = (said["problems"],)
    assert problem["parameter"] == "speed"
    assert problem["message"].startswith("got 3 kg (mass), expected angular velocity")


@pytest.mark.parametrize("path", ["/api/parameters", "/api/run", "/api/progress", "/api/stop", "/api/save"])
def test_without_the_token_nothing_is_answered(ask: Asked, path: str) -> None:
    assert ask(path, None if path in ("/api/parameters", "/api/progress") else {}, token="wrong")[0] == 401


def test_a_server_without_a_model_says_why() -> None:
    with Server([]) as server:
        add_run_routes(server, lambda: "built in Python")
        server.start()
        ask = Asked(server, Path())
        assert ask("/api/parameters") == (200, {"why": "built in Python"})
        assert ask("/api/run", {"parameters": {}}) == (409, {"error": "built in Python"})
        assert ask("/api/stop", {})[0] == 409


def test_one_run_at_a_time_and_stop(ask: Asked) -> None:
    ask("/api/run", {"parameters": {"speed": "slow"}})
    status, said = ask("/api/run", {"parameters": {"speed": "2 rad/s"}})
    assert (status, "a run is under way already" in said["error"]) == (409, True)
    assert ask("/api/stop", {})[1]["state"] == "stopping"
    assert (ask.events()[-1]["state"], ask.events()[-1]["message"]) == ("stopped", "interrupted")
    assert ask("/api/run", {"parameters": {"speed": "2 rad/s"}})[0] == 200
    assert ask.events()[-1]["state"] == "completed"


def test_a_run_that_does_not_stop_is_ended_when_asked_twice(ask: Asked) -> None:
    ask("/api/run", {"parameters": {"speed": "deaf"}})
    ask("/api/stop", {})
    ask("/api/stop", {})
    assert ask.events()[-1]["state"] == "stopped"


def test_a_process_that_breaks_is_a_failed_run_with_its_last_words(ask: Asked) -> None:
    ask("/api/run", {"parameters": {"speed": "broken"}})
    last = ask.events()[-1]
    assert last["state"] == "failed"
    assert last["message"] == "the run ended unexpectedly (status 1): Segmentation fault <of> some kind"


def test_the_end_of_the_server_is_the_end_of_the_run(tmp_path: Path) -> None:
    with Server([]) as server:
        runs = add_run_routes(server, lambda: Crank(tmp_path)).runs
        server.start()
        runs.start({"speed": "slow"})
        process = runs._process._process
        folder = runs._folder
        assert process.poll() is None and folder.is_dir()
        if os.name == "posix":
            assert folder.stat().st_mode & 0o777 == 0o700
    assert process.poll() is not None
    assert not folder.exists()


MODEL = """
[parameters]
duration = "1000 s"
[bodies.rod]
mass = "1 kg"
inertia = [1, 1, 1]
[[analyses]]
name = "fly"
kind = "dynamics"
duration = "= duration"
step = "1 ms"
"""


def test_the_process_keeps_what_was_computed_until_it_is_stopped(tmp_path: Path) -> None:
    """The work of the process, in this one: it is interrupted when the first steps are taken."""
    (tmp_path / "fly.toml").write_text(MODEL, "utf-8")
    said = io.StringIO()
    reports = view_worker.Reports(said)
    stop = threading.Event()

    def interrupt() -> None:
        while not stop.is_set() and not any(stage.fraction for stage in reports._active):
            time.sleep(0.01)
        if not stop.is_set():
            view_worker._thread.interrupt_main()

    before = view_worker.listen(reports)
    watching = threading.Thread(target=interrupt)
    watching.start()
    job = {
        "model": str(tmp_path / "fly.toml"), "set": {"duration": "900 s"}, "allow": [], "drawn": {},
        "folder": str(tmp_path), "taken": ["duration=900 s"],
    }  # fmt: skip
    try:
        ended = view_worker._run(job, reports)
    finally:
        stop.set()
        view_worker.listen(before)
        watching.join()
    assert ended["status"] == 130
    found = [json.loads(line) for line in said.getvalue().splitlines()]
    assert [(one["event"], one["name"]) for one in found if one["event"] == "found"] == [
        ("found", "duration=900 s (2)")
    ]
    result = pl.load(tmp_path / "0.nc")
    assert result.status == "interrupted"
    assert 0.0 < result.time[-1] < 900.0
    assert result.source["set"] == {"duration": "900 s"}
    assert (tmp_path / "0.block").read_bytes().startswith(b"PLVIEW1")
