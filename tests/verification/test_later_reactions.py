"""Reactions of joints of a run: computed when they are read, with the numbers of the run."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from references.repeated_calls import pair

import pitchline as pl
from pitchline.analyses import dynamics as dynamics_module
from pitchline.analyses import reactions
from pitchline.results.series import DeferredSignal

NAMES = [f"{joint}.{what}" for joint in ("first", "second") for what in ("force", "moment")]


def run(speed: float = 300.0) -> pl.Result:
    return pl.dynamics(pair(speed), duration=2e-4, step=1e-6)


def at_once(monkeypatch: pytest.MonkeyPatch, speed: float = 300.0) -> pl.Result:
    with monkeypatch.context() as patch:
        patch.setattr(dynamics_module, "reactions_later", lambda *given: None)
        return run(speed)


def test_the_same_numbers_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, found = at_once(monkeypatch), run()
    assert list(found.signals) == list(expected.signals)
    assert [name for name, signal in found.signals.items() if isinstance(signal, DeferredSignal)] == NAMES
    assert all(found[name].equals(expected[name]) for name in found.signals)


def test_reading_later_is_reading_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """After other calls of the same structure, and after a change of the model."""
    m = pair()
    first = pl.dynamics(m, duration=2e-4, step=1e-6)
    m.torsion_spring("spring", "second", stiffness=500.0)
    m.gravity = (0.0, 9.81, 0.0)
    others = [pl.dynamics(m, duration=2e-4, step=1e-6), run(100.0), run(200.0)]
    assert all(first[name].equals(at_once(monkeypatch)[name]) for name in NAMES)
    assert others[2]["first.force"].equals(at_once(monkeypatch, 200.0)["first.force"])
    assert not others[0]["first.force"].equals(first["first.force"])


def test_the_reaction_is_the_tooth_force_and_the_weight() -> None:
    """The hinge of a wheel that turns about its centre of mass carries the force of the teeth and the weight."""
    m = pair()
    m.gravity = (0.0, -9.81, 0.0)
    result = pl.dynamics(m, duration=2e-4, step=1e-6)
    weight = 2.0 * np.array([0.0, -9.81, 0.0])
    carried = result["second.force"].values + result["mesh.force_b"].values + weight
    assert np.abs(carried).max() < 1e-9 * np.abs(result["mesh.force_b"].values).max()


def test_what_is_known_without_the_values() -> None:
    result = run()
    force = result["first.force"]
    assert (force.shape, force.ndim, len(force), force.unit) == ((len(result.time), 3), 2, len(result.time), "N")
    assert force.dtype == np.float64 and force.rate is None
    assert "values" not in vars(force)
    assert force.values is force.values
    with pytest.raises(ValueError, match="read-only"):
        force.values[0] = 0.0


def test_one_reading_computes_all_and_frees_the_samples() -> None:
    result = run()
    compute = vars(result["first.force"])["_compute"].func.__self__
    assert compute._from is not None
    _ = result["first.force"].final
    assert compute._from is None
    assert np.isfinite(result["second.moment"].values).all()


def test_copies_and_files_have_the_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = at_once(monkeypatch)["second.force"]
    results = [pickle.loads(pickle.dumps(run())), copy.deepcopy(run())]
    run().save(tmp_path / "run.h5")
    results.append(pl.load(tmp_path / "run.h5"))
    assert all(result["second.force"].equals(expected) for result in results)
    assert type(results[0]["second.force"]) is pl.Signal


def test_several_threads_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, result = at_once(monkeypatch), run()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda name: result[name].values, 5 * NAMES))
    assert all(np.array_equal(a, expected[name].values) for a, name in zip(found, 5 * NAMES, strict=True))


def test_large_runs_and_redundant_joints_are_computed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    m = pair()
    m.revolute("third", m.ground, "wheel", at=(0.1, 0, 0.05), axis="z")
    redundant = pl.dynamics(m, duration=1e-5, step=1e-6)
    monkeypatch.setattr(reactions, "MOST_KEPT", 1e3)
    for result in (redundant, run()):
        assert not any(isinstance(signal, DeferredSignal) for signal in result.signals.values())
