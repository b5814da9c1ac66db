"""Stores of sweeps: parts, resuming, other plans, damaged files, full disks."""

import errno
import importlib
import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from references.sweep_functions import PAIR, calls, logged, square

import pitchline as pl
from pitchline.base.storage.free_names import StorageError
from pitchline.studies.sources import FileSource
from pitchline.studies.sweep import sweep as dispatch
from pitchline.studies.sweep.store import OtherPlanError

POINTS = pl.grid(x=[float(k) for k in range(10)])


def parts(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "parts").iterdir())


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "BLOCK_SECONDS", 0.0)


def swept(log: Path, store: Path, points: pl.Points = POINTS, **options: object) -> pl.StudyResult:
    return pl.sweep(logged, points, parameters={"log": str(log), "pause": 0.0}, store=store, workers=1, **options)


@pytest.mark.usefixtures("small_blocks")
def test_only_missing_parts_are_computed(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "a.sweep"
    first = swept(log, store)
    assert len(calls(log)) == 10 and parts(store)[0] == "000000-000000.npz"
    assert np.array_equal(pl.load(store / "result.nc")["square"], first["square"])
    again = swept(log, store)
    assert len(calls(log)) == 10
    assert np.array_equal(again["square"], first["square"])
    for name in (parts(store)[3], parts(store)[7]):
        (store / "parts" / name).unlink()
    assert (pl.load(store).status == 2).sum() == 2
    third = swept(log, store)
    assert sorted(x for _, x in calls(log)[10:]) == [3.0, 7.0]
    assert np.array_equal(third["square"], first["square"])


def fragile(x: float, log: str) -> dict[str, float]:
    """Fails at x = 3 as long as there is no file `log`."""
    if x in (3.0, 4.0) and not Path(log).exists():
        raise MemoryError("too much")
    return {"x2": x * x}


def test_failed_points_are_computed_again_on_request(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "a.sweep"

    def swept_again(**options: bool) -> pl.StudyResult:
        return pl.sweep(fragile, POINTS, parameters={"log": str(log)}, store=store, workers=1, **options)

    assert list(swept_again().failed) == [3, 4]
    log.write_text("")
    assert list(swept_again().failed) == [3, 4]
    found = swept_again(retry_failed=True)
    assert not found.failed and not found.reasons and found["x2"].tolist() == [x * x for x in range(10)]
    assert not pl.load(store).failed and not pl.load(store / "result.nc").failed


@pytest.mark.usefixtures("small_blocks")
def test_damaged_parts_are_named_and_computed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, store = tmp_path / "log", tmp_path / "a.sweep"
    first = swept(log, store)
    broken = store / "parts" / parts(store)[4]
    broken.write_bytes(broken.read_bytes()[:-30])
    (store / "parts" / "notes.txt").write_text("of a user")
    again = swept(log, store)
    assert "000004-000004.npz" in capsys.readouterr().err
    assert np.array_equal(again["square"], first["square"]) and len(calls(log)) == 11


def test_interrupted_writes_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, store = tmp_path / "log", tmp_path / "a.sweep"
    real = np.savez

    def full(stream: object, **arrays: object) -> None:
        stream.write(b"half")  # type: ignore[attr-defined]
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(dispatch, "BLOCK_SECONDS", 0.0)
    calls_before = [0]

    def third_fails(stream: object, **arrays: object) -> None:
        calls_before[0] += 1
        (full if calls_before[0] == 3 else real)(stream, **arrays)  # type: ignore[operator]

    monkeypatch.setattr(np, "savez", third_fails)
    with pytest.raises(StorageError, match=r"000002-000002.npz.*No space left.*the same call continues there"):
        swept(log, store)
    assert parts(store) == ["000000-000000.npz", "000001-000001.npz"]
    found = swept(log, store)
    assert found["square"].tolist() == [x * x for x in range(10)]
    assert [x for _, x in calls(log)] == [0.0, 1.0, 2.0, *map(float, range(2, 10))]


def changed(**changes: object) -> dict[str, object]:
    return {"source": square, "points": POINTS, "figures": None, "parameters": None} | changes


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(points=pl.grid(x=[1.0, 2.0])), r"values of x: 10 values 0 ... 9 instead of 2 values 1 ... 2"),
        (dict(points=POINTS * pl.grid(y=[1.0])), "y is not varied"),
        (
            dict(source=lambda x: {"square": x}),
            'the model "square" instead of "<lambda>"; other content of "function <lambda>"',
        ),
        (dict(figures=["square"]), "the figures"),
        (dict(parameters={"y": 2.0}), "y: its default instead of 2.0"),
        (dict(source=PAIR, points=pl.grid(speed=[100.0])), "a function instead of a file; .*x is varied"),
    ],
)
def test_a_store_of_another_plan_is_refused(tmp_path: Path, changes: dict, message: str) -> None:
    store = tmp_path / "a.sweep"
    pl.sweep(square, POINTS, store=store, workers=1)
    before = {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    given = changed(**changes)
    with pytest.raises(OtherPlanError, match=message) as caught:
        pl.sweep(given.pop("source"), given.pop("points"), store=store, workers=1, **given)
    assert "Choose another folder" in str(caught.value)
    assert {path: path.read_bytes() for path in store.rglob("*") if path.is_file()} == before


def test_values_that_a_function_keeps_are_part_of_the_plan(tmp_path: Path) -> None:
    def made(k: float) -> object:
        return lambda x: {"y": k * x}

    pl.sweep(made(2.0), POINTS, store=tmp_path / "a.sweep", workers=1)
    assert pl.sweep(made(2.0), POINTS, store=tmp_path / "a.sweep", workers=1)["y"][3] == 6.0
    with pytest.raises(OtherPlanError, match=r"variable k: 2.0 instead of 3.0"):
        pl.sweep(made(3.0), POINTS, store=tmp_path / "a.sweep", workers=1)


def test_changes_of_a_file_and_its_values_are_named(tmp_path: Path) -> None:
    file, store, points = tmp_path / "pair.toml", tmp_path / "a.sweep", pl.grid(speed=[100.0])
    file.write_text(PAIR)
    pl.sweep(file, points, store=store, workers=1)
    with pytest.raises(OtherPlanError, match="ripple: the value of the file instead of 5e7 N/m"):
        pl.sweep(file, points, store=store, workers=1, parameters={"ripple": "5e7 N/m"})
    file.write_text(PAIR + "# new")
    with pytest.raises(OtherPlanError, match=r'the text of "pair.toml"'):
        pl.sweep(file, points, store=store, workers=1)


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    from pitchline.studies.sweep.store import SweepPlan

    store = tmp_path / "a.sweep"
    pl.sweep(square, POINTS, store=store, workers=1)
    data = json.loads((store / "plan.json").read_text())
    del data["sha256"]
    (store / "plan.json").write_text(SweepPlan({**data, "version": "0.0.1"}).to_json())
    with pytest.raises(OtherPlanError, match=r"pitchline 0.0.1 instead of"):
        pl.sweep(square, POINTS, store=store, workers=1)


@pytest.mark.parametrize("text, message", [("{", "damaged"), ("[]", "not a table"), ('{"format": 7}', "format is 7")])
def test_damaged_plans_are_named(tmp_path: Path, text: str, message: str) -> None:
    store = tmp_path / "a.sweep"
    pl.sweep(square, POINTS, store=store, workers=1)
    (store / "plan.json").write_text(text)
    with pytest.raises(StorageError, match=message):
        pl.sweep(square, POINTS, store=store, workers=1)


def test_a_changed_plan_is_named(tmp_path: Path) -> None:
    store = tmp_path / "a.sweep"
    pl.sweep(square, POINTS, store=store, workers=1)
    plan = store / "plan.json"
    plan.write_text(plan.read_text().replace("9.0", "8.0"))
    with pytest.raises(StorageError, match="checksum is wrong"):
        pl.load(store)


def test_folders_of_others_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StorageError, match=r'is not the store of a sweep: it contains "thesis.tex"'):
        pl.sweep(square, POINTS, store=tmp_path, workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(StorageError, match="is a file"):
        pl.sweep(square, POINTS, store=tmp_path / "thesis.tex", workers=1)


def test_signals_in_a_store(tmp_path: Path) -> None:
    def build(x: float) -> dict[str, object]:
        t = np.linspace(0, 1, 4)
        return {"s": pl.Signal("s", np.stack([t, t, x * t], axis=1), t, "m", components=("x", "y", "z"))}

    found = pl.sweep(build, POINTS, store=tmp_path / "a.sweep", workers=1)
    again = pl.load(tmp_path / "a.sweep")
    assert np.array_equal(again["s"], found["s"]) and found["s"].shape == (10, 4, 3)
    assert again.variables["s"].dims == ("time", "component")


def test_several_writers_of_one_store(tmp_path: Path) -> None:
    from pitchline.studies.sources import source_of
    from pitchline.studies.sweep.process_pool import block_of
    from pitchline.studies.sweep.store import SweepPlan, SweepRequest, SweepStore

    source, request, folder = source_of(square), SweepRequest(), tmp_path / "a.sweep"
    plan = SweepPlan.of(source, source.fitted(POINTS), request)
    one, two = SweepStore.open(folder, plan), SweepStore.open(folder, plan)
    blocks = {
        first: block_of(source, request, first, [POINTS.at(i) for i in range(first, first + 4)]) for first in (0, 2, 6)
    }
    for store, first in ((one, 0), (two, 0), (two, 2), (one, 6)):  # the same part twice, and parts that overlap
        store.write(blocks[first])
    found = pl.load(folder)
    assert not found.failed and found["square"].tolist() == [x * x for x in range(10)]
    assert found.facts["seconds"] < sum(float(block.seconds.sum()) for block in blocks.values())


SCRIPT = """
import numpy as np
{imports}
GAIN = {gain}
TABLE = {{"a": np.arange(5000.0) * {scale}}}

class Law:
    order = {order}

    def __call__(self, x):
        return x ** self.order

def helper(x):
    return {helper}

def f(x, law=Law()):
    {inside}
    return {{"y": GAIN * helper(x) + TABLE["a"][1] + law(x) {more}}}
"""
FIRST = dict(gain=2.0, scale=1.0, order=2, helper="x + 1", imports="", inside="pass", more="")


def script(**changes: object) -> object:
    """The function f of a script that was typed: there is no file with its source."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec(SCRIPT.format(**{**FIRST, **changes}), names)
    return names["f"]


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(helper="x + 2"), 'content of "function helper"'),
        (dict(gain=3.0), 'content of .*"value GAIN"'),
        (dict(scale=1.5), 'content of .*"value TABLE"'),
        (dict(order=3), 'content of .*"class Law"'),
        (dict(more="+ x"), 'content of "function f"'),
    ],
)
def test_everything_that_a_function_reads_is_part_of_the_plan(tmp_path: Path, changes: dict, message: str) -> None:
    """A helper, a global, an array in a container, a class: the points would be others, so the store is refused."""
    store, points = tmp_path / "a.sweep", pl.grid(x=[1.0, 2.0])
    first = pl.sweep(script(), points, store=store, workers=1)
    assert np.array_equal(pl.sweep(script(), points, store=store, workers=1)["y"], first["y"])
    assert not np.array_equal(pl.sweep(script(**changes), points, workers=1)["y"], first["y"])
    with pytest.raises(OtherPlanError, match=message):
        pl.sweep(script(**changes), points, store=store, workers=1)


@pytest.mark.parametrize("inside", [False, True])
def test_modules_and_what_they_import_are_part_of_the_plan(tmp_path: Path, monkeypatch, inside: bool) -> None:
    """A module that the script imports, and one that this module imports; comments have no effect."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "outer_of_sweep.py").write_text("from inner_of_sweep import K\n\ndef g(x):\n    return K * x\n")
    (tmp_path / "inner_of_sweep.py").write_text("K = 2.0\n")
    line = "import outer_of_sweep"
    changes = {"inside" if inside else "imports": line, "more": "+ outer_of_sweep.g(x)"}
    store, points = tmp_path / "a.sweep", pl.grid(x=[1.0])

    def run() -> float:
        for name in ("outer_of_sweep", "inner_of_sweep"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        importlib.invalidate_caches()
        return float(pl.sweep(script(**changes), points, store=store, workers=1)["y"][0])

    first = run()
    (tmp_path / "inner_of_sweep.py").write_text("# the same\nK = 2.0\n")
    assert run() == first
    (tmp_path / "inner_of_sweep.py").write_text("K = 20.0\n")
    with pytest.raises(OtherPlanError, match="module inner_of_sweep"):
        run()


def of_file(x: float, table: str) -> dict[str, float]:
    return {"y": x * float(np.loadtxt(table)[0])}


def test_files_that_points_read_are_part_of_the_plan(tmp_path: Path) -> None:
    table, store, points = tmp_path / "table.csv", tmp_path / "a.sweep", pl.grid(x=[1.0, 2.0])

    def run() -> list[float]:
        return pl.sweep(of_file, points, parameters={"table": str(table)}, store=store, workers=1)["y"].tolist()

    table.write_text("3 4\n")
    assert run() == run() == [3.0, 6.0]
    table.write_text("5 4\n")
    with pytest.raises(OtherPlanError, match=r'points 0 to 0 read the file ".*table.csv", which has changed'):
        run()
    table.unlink()
    with pytest.raises(OtherPlanError, match=r"does not exist any more"):
        run()


def test_modules_of_own_elements_are_part_of_the_plan(tmp_path: Path, monkeypatch) -> None:
    """The module of an element that a model file names: here by its syntax, and by its classes in memory."""
    monkeypatch.syspath_prepend(tmp_path)
    text = "class Spring:\n    rate = {}\n"
    source = FileSource("m", "m.toml", {"m.toml": b'type = "own_of_sweep:Spring"'}, {}, ("own_of_sweep",))
    parts = []
    for rate in (1.0, 1.0, 2.0):
        (tmp_path / "own_of_sweep.py").write_text(text.format(rate))
        monkeypatch.delitem(sys.modules, "own_of_sweep", raising=False)
        importlib.invalidate_caches()
        importlib.import_module("own_of_sweep")
        parts.append(source.to_data()["parts"])
    assert parts[0] == parts[1]
    assert {name for name in parts[0] if parts[0][name] != parts[2][name]} == {"module own_of_sweep", "class Spring"}


def test_what_cannot_be_identified_has_no_store(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as log:
        points, given = pl.grid(x=[1.0]), {"log": log}
        function = partial(lambda x, log: {"y": x}, **given)
        with pytest.raises(pl.ModelError, match=r"cannot be stored: .*TextIOWrapper.*leave out store"):
            pl.sweep(function, points, store=tmp_path / "a.sweep", workers=1)
        assert pl.sweep(function, points, workers=1)["y"].tolist() == [1.0]


@pytest.mark.parametrize(
    "value, reason", [(np.nan, "is nan"), (-np.inf, "is -inf"), (np.ma.masked, "is masked"), ([1.0, np.inf], "item 1")]
)
def test_values_that_are_not_numbers_are_failed_points(value: object, reason: str) -> None:
    found = pl.sweep(
        lambda x: {"y": value if x == 2.0 else np.zeros(np.shape(value))}, pl.grid(x=[1.0, 2.0]), workers=1
    )
    assert found.status.tolist() == [0, 1] and reason in found.reasons[1]
