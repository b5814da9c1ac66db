"""What takes long is shown: one live line on a terminal, one line for each long stage elsewhere."""

import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

import pitchline as pl
from pitchline import cli
from pitchline.analyses.observers import Moment, in_words, reached
from pitchline.base.progress import Display, Stage, counted, current, display, listen, note, showing, stage, staged
from pitchline.base.progress.display import engineering, line_of, span

MOMENT = Moment("dynamics", "pair", time=0.03, start=0.01, end=0.11, steps=1234, step=2.5e-6)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def old(one: Stage, seconds: float = 10.0) -> Stage:
    """As if it had begun long ago."""
    one.began -= seconds
    return one


def lines(stream: io.StringIO) -> list[str]:
    """What was drawn, one after the other."""
    return [text for text in re.split(r"\r|\x1b\[K", stream.getvalue()) if text]


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread of its own draws: the test does."""
    monkeypatch.setattr(Display, "_watch", lambda self: None)


@pytest.mark.usefixtures("still")
class TestDisplay:
    def test_a_terminal_shows_one_live_line(self) -> None:
        terminal = Terminal()
        with showing(terminal) as shown, stage("table", total=4) as now:
            shown.show()  # too early
            old(now).done(1, "contact")
            shown.show()
            now.done(2, "contact")
            shown.show()
        assert lines(terminal) == ["table  25%  contact  10 s  30 s left", "table  50%  contact  10 s  10 s left"]
        assert terminal.getvalue().endswith("\r\x1b[K")  # and takes it away

    def test_elsewhere_each_long_stage_is_one_line(self) -> None:
        pipe = io.StringIO()
        with showing(pipe) as shown, stage("dynamics") as outer:
            with stage("quick"):
                shown.show()
            old(outer)
            with stage("table") as inner:
                old(inner)
                shown.show()
                shown.show()
            shown.show()
        assert pipe.getvalue() == "pitchline: dynamics ...\npitchline: table ...\n"

    @pytest.mark.parametrize("stream", [io.StringIO, Terminal])
    def test_many_short_stages_of_one_kind_count_together(self, stream: type[io.StringIO]) -> None:
        out = stream()
        with showing(out) as shown:
            for _ in range(5):
                with stage("compiling", repeated=True) as now:
                    old(now, 0.9)
                    shown.show()
        assert out.getvalue().count("compiling") == (3 if out.isatty() else 1)

    def test_the_line_keeps_to_the_width_of_the_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "30")
        terminal = Terminal()
        with showing(terminal) as shown, stage("a very long description of what is being computed") as now:
            old(now)
            shown.show()
        assert [len(line) for line in lines(terminal)] == [29]

    def test_python_programs_are_told_of_what_they_did_not_ask_for(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown = Display(everything=False)
        before = listen(shown)
        try:
            with stage("dynamics") as asked, stage("finite elements", implied=True) as implied:
                old(asked), old(implied)
                shown.show()
        finally:
            listen(before)
        assert capsys.readouterr().err == "pitchline: finite elements ...\n"

    def test_it_can_be_switched_on_and_off(self, capsys: pytest.CaptureFixture[str]) -> None:
        try:
            for on in (True, False):
                pl.show_progress(on)
                with stage("dynamics") as now:
                    old(now)
                    active = listen(None)
                    listen(active)
                    active.show()
        finally:
            pl.show_progress(False)
        assert capsys.readouterr().err == "pitchline: dynamics ...\n"

    def test_a_note_stays(self) -> None:
        terminal = Terminal()
        with showing(terminal) as shown, stage("table") as now:
            old(now)
            shown.show()
            note("the disk is full")
        assert terminal.getvalue().endswith("\r\x1b[Kpitchline: the disk is full\n")

    def test_a_closed_stream_ends_no_computation(self) -> None:
        pipe = io.StringIO()
        with showing(pipe) as shown, stage("table") as now:
            old(now)
            pipe.close()
            shown.show()
            note("nobody sees this")


def test_a_thread_shows_what_the_computation_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computation does nothing but wait; the line comes all the same, and before it ends."""
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    monkeypatch.setattr(display, "PAUSE", 0.001)
    said = threading.Event()

    class Pipe(io.StringIO):
        def write(self, text: str) -> int:
            said.set()
            return super().write(text)

    pipe = Pipe()
    with showing(pipe), stage("one long call"):
        assert said.wait(60.0)
    assert pipe.getvalue() == "pitchline: one long call ...\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_shows_its_own_progress() -> None:
    """The thread of the parent is not there, and its lock may have been held."""
    code = (
        "import os, time\nfrom pitchline.base.progress import stage, display, listen\n"
        "display.PATIENCE, display.PAUSE = 0.0, 0.01\nshown = display.Display()\nlisten(shown)\n"
        "with stage('parent'):\n    time.sleep(0.3)\n"
        "shown._condition.acquire()\n"
        "if os.fork() == 0:\n    with stage('child'):\n        time.sleep(0.3)\n    os._exit(0)\n"
        "shown._condition.release()\nos.wait()\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == "pitchline: parent ...\npitchline: child ...\n"


def test_stages_of_several_threads_do_not_mix() -> None:
    met, told = threading.Barrier(2), {}

    def work(k: int) -> None:
        with stage(f"part {k}"):
            met.wait(60)
            told[k] = current().title
            met.wait(60)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {0: "part 0", 1: "part 1"} and current().title == ""


# ---- what computations say


@pytest.fixture
def heard() -> Iterator[list[Stage]]:
    """All stages that began."""
    stages: list[Stage] = []
    before = listen(SimpleNamespace(began=stages.append, ended=lambda s: None, note=lambda text: None))
    yield stages
    listen(before)


def pendulum() -> pl.Model:
    m = pl.Model("a\npendulum", gravity=(0, 0, -9.81))
    rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
    m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
    return m


def test_analyses_are_stages_with_their_model_on_one_line(heard: list[Stage]) -> None:
    rest = pl.statics(pendulum())
    pl.dynamics(pendulum(), duration=0.1, step=1e-3)
    pl.kinematics(pendulum(), duration=0.1, start=rest)
    pl.modes(pendulum(), about=rest)
    kinds = [s.title for s in heard if not s.repeated]
    assert kinds == [f'{kind} of "a pendulum"' for kind in ("statics", "dynamics", "kinematics", "modes")]
    run = next(s for s in heard if s.title.startswith("kinematics"))
    assert run.fraction == 1.0 and "101 positions" in run.detail


def test_finite_elements_are_a_stage_that_comes_to_its_end(heard: list[Stage]) -> None:
    teeth = pl.Teeth(pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="12 mm"))
    told: list[float] = []
    options = {"size": "3 mm"}
    pl.elastic_gear(teeth, grid=options, cache=False, progress=lambda part, what: told.append(part))
    (one,) = [s for s in heard if not s.repeated]
    assert one.title == "finite elements of a gear with 20 teeth" and one.implied
    assert one.fraction == told[-1] == 1.0


def test_what_is_no_model_is_told_by_the_analysis() -> None:
    with pytest.raises((pl.ModelError, TypeError, AttributeError)):
        pl.statics(3)


def test_the_command_line_shows_progress_beside_its_one_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(display, "PATIENCE", 0.0)
    monkeypatch.setattr(display, "PAUSE", 0.01)
    import json

    assert cli.main(["run", "four-bar", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["model"] == "four-bar"
    assert 'pitchline: kinematics of "four-bar" ...\n' in said.err


def test_moments_in_words() -> None:
    assert in_words(MOMENT, 0.0) == "t = 30 ms of 110 ms  step 2.5 us  1234 steps"
    assert in_words(MOMENT, 0.01).endswith("  0.01 x real time")
    with stage("dynamics") as now:
        reached(MOMENT)
        assert now.fraction == pytest.approx(0.2)
        assert now.left is None  # nothing is known of the rate yet
        now.first = (0.02, now.began - 10.0)
        reached(MOMENT)
        assert now.left == pytest.approx(80.0, rel=0.01)


def test_counting_and_decorating(heard: list[Stage]) -> None:
    @staged("sum of {}")
    def total(model: object, several: list[int]) -> list[str]:
        """Doc."""
        return [current().detail for _ in counted(several)]

    assert total(SimpleNamespace(name="x" * 100), [1, 2]) == ["1 of 2", "2 of 2"]
    assert total.__doc__ == "Doc." and heard[0].title == f'sum of "{"x" * 57}..."'


def test_an_active_stage_does_not_disturb_the_end_of_the_program() -> None:
    code = (
        "import pitchline as pl, threading, time\nfrom pitchline.base.progress import stage, display\n"
        "display.PATIENCE = display.PAUSE = 0.0\npl.show_progress()\n"
        "def work():\n    with stage('endless'):\n        time.sleep(1000)\n"
        "threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.2)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "pitchline: endless ...\n"


@pytest.mark.parametrize(
    "seconds, text",
    [(0.0, "0 s"), (1.5, "1.5 s"), (0.0125, "12.5 ms"), (1e-6, "1 us"), (3e-9, "3 ns"), (3e-12, "0.003 ns")],
)
def test_times_have_prefixes(seconds: float, text: str) -> None:
    assert engineering(seconds) == text


@pytest.mark.parametrize("seconds, text", [(8.2, "8 s"), (125, "2 min 5 s"), (11520, "3 h 12 min")])
def test_spans_in_words(seconds: float, text: str) -> None:
    assert span(seconds) == text


def test_a_line_says_what_it_knows() -> None:
    assert line_of("statics", None, "", 3.0) == "statics  3 s"
    assert line_of("dynamics", 0.01, "1 step", 3.0) == "dynamics   1%  1 step  3 s"
    assert line_of("dynamics", 0.5, "", 3.0, 100.0) == "dynamics  50%  3 s  1 min 40 s left"
