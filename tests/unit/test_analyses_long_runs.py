"""Long runs: interrupted from the keyboard, written to checkpoints, resumed to the same bits."""

import gc
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from references.child_processes import Children

import pitchline as pl

OPTIONS = {
    "fixed step": {"step": 1e-3, "output_step": 1e-2},
    "error control": {"output_step": 1e-2},
    "every step": {},
    "stabilised": {"step": 1e-3, "stabilised": True},
}


def chain(count: int = 2, name: str = "chain", damping: float = 0.1, doubled: bool = True) -> pl.Model:
    """Pendulums on pendulums, hinges doubled (redundant), a bushing and a callable load: everything that has memory."""
    m = pl.Model(name, gravity=(0, 0, -9.81))
    before = m.ground
    for i in range(count):
        b = m.body(
            f"rod {i}", solid=pl.bar(1, 0.1, 0.1, mass=1), position=(i + 0.5, 0, 0), angular_velocity=(0, 1.0, 0)
        )
        joint = m.revolute(f"hinge {i}", before, b, at=(i, 0, 0), axis="y")
        if doubled:
            m.revolute(f"double {i}", before, b, at=(i, 1, 0), axis="y")
        m.torsion_spring(f"coil {i}", joint, stiffness=1, damping=damping)
        before = b
    m.bushing("mount", m.ground, before, stiffness=(1, 1, 1, 0, 0, 0), damping=(0.1,) * 6)
    m.force("push", before, (lambda t: np.sin(3 * t), 0, 0))
    return m


def stop_at(time: float):
    """A progress function that presses Ctrl-C once the run has come to a time."""

    def progress(t: float, end: float) -> None:
        if t >= time:
            raise KeyboardInterrupt

    return progress


def same_bits(a: pl.Result, b: pl.Result) -> None:
    assert np.array_equal(a.time, b.time)
    assert list(a.signals) == list(b.signals)
    for name in a.signals:
        assert np.array_equal(a[name].values, b[name].values), name


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("count", [2, 5], ids=["dense", "sparse"])
def test_a_run_in_pieces_gives_the_same_bits(tmp_path: Path, name: str, count: int) -> None:
    """Interrupted after its first chunk, then again, then brought to its end."""
    whole = pl.dynamics(chain(count), duration=0.5, **OPTIONS[name])
    file = tmp_path / "run.npz"
    first = pl.dynamics(chain(count), duration=0.5, **OPTIONS[name], checkpoint=file, progress=stop_at(0.0))
    assert first.status is pl.Status.INTERRUPTED
    assert first.message.startswith("interrupted at t = ") and first.message.endswith("of 0.5 s")
    assert 0 < first.time[-1] < 0.5
    n = len(first.time)
    for signal_name in ("rod 0.position", "energy.kinetic"):
        assert np.array_equal(first[signal_name].values, whole[signal_name].values[:n])
    second = pl.resume(chain(count), file, progress=stop_at(0.0))
    assert second.time[-1] > first.time[-1] or second.status is pl.Status.COMPLETED
    last = pl.resume(chain(count), file) if second.status is pl.Status.INTERRUPTED else second
    assert last.status is pl.Status.COMPLETED
    same_bits(last, whole)
    assert last.statistics["steps"] == whole.statistics["steps"]
    assert last.options == whole.options
    assert not file.exists()  # a finished run needs none


def test_an_interrupted_run_is_a_start_for_another() -> None:
    first = pl.dynamics(chain(), duration=5, step=1e-3, progress=stop_at(0.0))
    assert first.status is pl.Status.INTERRUPTED and first.status.advice
    then = pl.dynamics(chain(), duration=0.01, start=first)
    np.testing.assert_allclose(then["rod 1.position"].values[0], first["rod 1.position"].final, atol=1e-9)


def test_progress_is_told_of_the_run_and_its_errors_are_its_own() -> None:
    seen: list[tuple[float, float]] = []
    pl.dynamics(chain(), duration=0.5, step=1e-3, progress=lambda t, end: seen.append((t, end)))
    assert seen and all(end == 0.5 for _, end in seen)
    assert [t for t, _ in seen] == sorted(t for t, _ in seen)

    def failing(t: float, end: float) -> None:
        raise LookupError("in the caller's own code")

    with pytest.raises(LookupError, match="own code"):
        pl.dynamics(chain(), duration=0.5, step=1e-3, progress=failing)


# ---- a real interrupt


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
@pytest.mark.parametrize("options", [{"step": 1e-5, "output_step": 1e-4}, {"step": 1e-5, "output_step": 1e-5}], ids=str)
def test_ctrl_c_in_the_midst_of_compiled_code(
    tmp_path: Path, keyboard: None, children: Children, options: dict
) -> None:
    """Nothing computed is lost, and the checkpoint goes on to the same bits."""
    armed: list[subprocess.Popen] = []

    def progress(t: float, end: float) -> None:
        if t > 0.05 and not armed:  # chunks are long now: the signal comes within the next ones
            armed.append(children(["sh", "-c", f"sleep 0.03; kill -INT {os.getpid()}"]))

    file = tmp_path / "run.npz"
    gc.collect()
    gc.disable()  # Python drops a signal that arrives while it collects the models of other tests
    try:
        first = pl.dynamics(chain(doubled=False), duration=1, **options, checkpoint=file, progress=progress)
    finally:
        gc.enable()
    armed[0].wait()
    assert first.status is pl.Status.INTERRUPTED
    h = options["output_step"]
    reached = float(first.message.split("t = ")[1].split(" s")[0])
    assert first.time[-1] > 0.05 and reached - first.time[-1] <= 1.01 * h + 1e-5 * reached
    np.testing.assert_allclose(np.diff(first.time), h, rtol=1e-6)
    last = pl.resume(chain(doubled=False), file)
    assert last.status is pl.Status.COMPLETED
    np.testing.assert_allclose(np.diff(last.time), h, rtol=1e-6)
    n = len(first.time)
    assert np.array_equal(last["rod 1.position"].values[:n], first["rod 1.position"].values)
    whole = pl.dynamics(chain(doubled=False), duration=1, **options)
    same_bits(last, whole)


# ---- checkpoints


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    file = tmp_path / "run.npz"
    pl.dynamics(chain(), duration=0.5, step=1e-3, checkpoint=file, progress=stop_at(0.0))
    assert file.exists()
    return file


def test_checkpoints_are_written_as_often_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    seen: list[bool] = []
    options = {"duration": 0.5, "step": 1e-3, "checkpoint": file}
    pl.dynamics(chain(), **options, checkpoint_seconds=0, progress=lambda t, end: seen.append(file.exists()))
    assert not seen[0] and all(seen[1:]) and len(seen) > 2
    seen.clear()
    pl.dynamics(chain(), **options, checkpoint_seconds="1 h", progress=lambda t, end: seen.append(file.exists()))
    assert not any(seen)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_run_says_so_and_keeps_its_last_checkpoint(tmp_path: Path) -> None:
    """A crank that pulls its rod off the guide where sin(angle) = 0.8: resumed, the run fails again at the same time."""
    m = pl.Model("crank")
    crank = m.body("crank", mass=1, inertia=(1, 1, 1))
    rod = m.body("rod", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    main = m.revolute("main", m.ground, crank, at=(0, 0, 0), axis="z")
    m.revolute("pin", crank, rod, at=(1, 0, 0), axis="z")
    m.point_on_line("guide", m.ground, rod, at=(1.8, 0, 0), axis="x")
    m.drive("motor", main, speed=1.0)
    file = tmp_path / "run.npz"
    with pytest.raises(pl.SolveError, match=r"stopped at t = 0\.92") as first:
        pl.dynamics(m, duration=2, step=1e-3, checkpoint=file, checkpoint_seconds=0)
    assert first.value.result.time[-1] == pytest.approx(np.arcsin(0.8), abs=2e-3)
    with pytest.raises(pl.SolveError) as again:
        pl.resume(m, file)
    assert again.value.time == first.value.time
    same_bits(again.value.result, first.value.result)


def test_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(pl.ModelError, match=r'checkpoint ".*none\.npz" does not exist'):
        pl.resume(chain(), tmp_path / "none.npz")


@pytest.mark.parametrize(
    "other", [chain(3), chain(2, "another"), chain(2, damping=0.2)], ids=["bodies", "name", "values"]
)
def test_the_checkpoint_of_another_model(checkpoint: Path, other: pl.Model) -> None:
    with pytest.raises(
        pl.ModelError, match=rf'does not belong to model "{other.name}" in its present form. Resume with the model'
    ):
        pl.resume(other, checkpoint)


def test_the_checkpoint_of_another_callable(checkpoint: Path) -> None:
    """Callables count by what they return, not by where they happen to be in memory."""
    m = chain().replaced(without="push")
    m.force("push", "rod 1", (lambda t: np.sin(3.1 * t), 0, 0))
    with pytest.raises(pl.ModelError, match="does not belong to model"):
        pl.resume(m, checkpoint)


NOT_ONE = "is not a checkpoint of pitchline or is damaged"

DAMAGES = {
    "empty": (lambda f: f.write_bytes(b""), NOT_ONE),
    "text": (lambda f: f.write_text("hello " * 100), NOT_ONE),
    "cut in half": (lambda f: f.write_bytes(f.read_bytes()[:9000]), "damaged or was cut short"),
    "cut at the end": (lambda f: f.write_bytes(f.read_bytes()[:-20]), "damaged or was cut short"),
    "one byte changed": (
        lambda f: f.write_bytes((b := f.read_bytes())[:6000] + bytes([b[6000] ^ 255]) + b[6001:]), "damaged",
    ),
    "an array": (lambda f: np.save(f.open("wb"), np.zeros(3)), NOT_ONE),
    "of an earlier version": (lambda f: np.savez(f, x=np.zeros(3)), "was written by another version of pitchline"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_damaged_checkpoint(checkpoint: Path, name: str) -> None:
    damage, message = DAMAGES[name]
    damage(checkpoint)
    with pytest.raises(pl.ModelError, match=message):
        pl.resume(chain(), checkpoint)
