"""Sweeps over processes of this machine: same bits, killed processes, functions that cannot be sent."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from references.child_processes import Children
from references.sweep_functions import PAIR, calls, deadly, logged
from references.sweep_kills import killer

import pitchline as pl
from pitchline.studies.sweep import payload, process_pool
from pitchline.studies.sweep.process_pool import WorkerError

pytestmark = pytest.mark.slow


def test_same_bits_as_one_process(tmp_path: Path) -> None:
    file = tmp_path / "pair.toml"
    file.write_text(PAIR)
    points = pl.grid(speed=pl.linspace("-6000 rpm", "6000 rpm", 12))
    one = pl.sweep(file, points, signals="mesh.normal_force", workers=1)
    two = pl.sweep(file, points, signals="mesh.normal_force", workers=2)
    for name in one.variables:
        assert np.array_equal(one[name], two[name])
    assert one.failed == two.failed == {}


def test_a_killed_process_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, store, done = tmp_path / "log", tmp_path / "a.sweep", {}
    n = 60
    points = pl.grid(x=[float(k) for k in range(n)])
    thread = threading.Thread(target=killer, args=(log, store, 5, done))
    thread.start()
    found = pl.sweep(logged, points, parameters={"log": str(log)}, store=store, workers=2)
    thread.join()
    assert found["square"].tolist() == [float(k * k) for k in range(n)] and not found.failed
    computed = [x for _, x in calls(log)]
    assert set(computed) == {float(k) for k in range(n)}
    # nothing that was finished is computed twice; only the points of the killed process are
    assert all(computed.count(float(i)) == 1 for i in done["complete"])
    victims = {x for pid, x in calls(log) if pid == done["pid"]}
    assert {x for x in computed if computed.count(x) > 1} <= victims
    assert len({pid for pid, _ in calls(log)} - {os.getpid()}) == 3  # it was replaced


def test_a_point_that_ends_its_process_has_failed(capsys: pytest.CaptureFixture[str]) -> None:
    found = pl.sweep(deadly, pl.grid(x=[float(k) for k in range(8)]), workers=2)
    assert list(found.failed) == [5]
    assert "signal SIGKILL" in found.failed[5] and "tried 2 times" in found.failed[5]
    assert found["x" if "x" in found.variables else "figure.x"][7] == 7.0


def test_functions_that_cannot_be_sent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    points = pl.grid(x=[1.0, 2.0, 3.0])
    # With cloudpickle, also functions inside functions can be sent.
    assert pl.sweep(lambda x: {"y": x + 1}, points, workers=2)["y"].tolist() == [2, 3, 4]
    monkeypatch.setattr(payload, "_cloudpickle", lambda: None)
    with pytest.raises(
        payload.UnsendableFunction, match=r"function <lambda> cannot be sent.*top level of a module.*workers=1"
    ):
        pl.sweep(lambda x: {"y": x}, points, workers=2)
    assert pl.sweep(lambda x: {"y": x}, points)["y"].tolist() == [1, 2, 3]
    assert "the sweep uses one process: function <lambda>" in capsys.readouterr().err
    lock = threading.Lock()
    monkeypatch.undo()
    with pytest.raises(payload.UnsendableFunction, match="Remove open files, locks"):
        pl.sweep(lambda x: {"y": bool(lock)}, points, workers=2)


SCRIPT = """
import sys
import pitchline as pl
if sys.argv[1] == "plain":
    from pitchline.studies.sweep import payload
    payload._cloudpickle = lambda: None

def build(x):
    print("from the user")  # must not disturb the messages between processes
    return {"y": 2 * x}

GUARD
    print(pl.sweep(build, pl.grid(x=[1.0, 2.0, 3.0]), workers=2)["y"].tolist())
"""


@pytest.mark.parametrize(
    "guard, how, out",
    [
        ('if __name__ == "__main__":', "plain", "[2.0, 4.0, 6.0]"),
        ("if True:", "cloudpickle", "[2.0, 4.0, 6.0]"),
        ("if True:", "plain", 'Put the code that calls sweep below the line: if __name__ == "__main__":'),
    ],
)
def test_functions_of_a_script(tmp_path: Path, guard: str, how: str, out: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("GUARD", guard))
    done = subprocess.run([sys.executable, str(script), how], capture_output=True, text=True, timeout=120)
    assert out in done.stdout + done.stderr


def test_processes_that_cannot_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    points = pl.grid(x=[1.0, 2.0, 3.0])
    monkeypatch.setattr(process_pool.sys, "executable", "")
    with pytest.raises(pl.ModelError, match=r"cannot start Python processes. Use workers=1"):
        pl.sweep(logged, points, parameters={"log": str(tmp_path / "log")}, workers=2)


def test_modules_that_other_processes_do_not_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import types

    module = types.ModuleType("only_here")
    exec("def build(x):\n    return {'y': x}", module.__dict__)
    module.build.__module__ = "only_here"
    monkeypatch.setitem(sys.modules, "only_here", module)
    with pytest.raises(WorkerError, match=r"a process of the sweep cannot start: ModuleNotFoundError: .*only_here"):
        pl.sweep(module.build, pl.grid(x=[1.0, 2.0, 3.0]), workers=2)


def test_ctrl_c_in_a_terminal_keeps_the_parts(tmp_path: Path, keyboard: None, children: Children) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys
            import pitchline as pl
            from references.sweep_functions import logged

            points = pl.grid(x=[float(k) for k in range(400)])
            found = pl.sweep(logged, points, parameters={"log": sys.argv[1]}, store=sys.argv[2], workers=2)
            print("computed", int((found.status == 0).sum()))
            """
        )
    )
    log, store = tmp_path / "log", tmp_path / "a.sweep"
    run = [sys.executable, str(script), str(log), str(store)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = children(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    while len(list(store.glob("parts/*.npz"))) < 5:
        time.sleep(0.02)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "the sweep was stopped after" in err and "The same call continues" in err, err
    count = int(out.split()[-1])
    assert count == int((pl.load(store).status == 0).sum()) < 400
    # its processes have ended too
    time.sleep(0.3)
    before = log.read_text()
    time.sleep(0.3)
    assert log.read_text() == before
