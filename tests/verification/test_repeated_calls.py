"""Calls for models that differ in numbers only share plans: the results are those of a new process, to the bit."""

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from references.repeated_calls import VARIANTS, digest, digests, forget, pair

import pitchline as pl
from pitchline.analyses.observers import starting_point
from pitchline.analyses.start_positions import prepare
from pitchline.engine.compile import matrix_plan, structure, workspace_plan
from pitchline.engine.compile import matrix_plan as pattern
from pitchline.engine.compile.rank import _least_eigenvalue


@pytest.fixture(scope="module")
def first_calls() -> dict[str, list[str]]:
    """Digests of all variants, each computed with nothing kept from earlier calls."""
    found = {}
    for name, variants in VARIANTS.items():
        for n, make in enumerate(variants):
            forget()
            found[f"{name} {n}"] = digests(make())
    return found


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.parametrize("name", VARIANTS)
def test_calls_after_others_of_the_same_structure(name: str, first_calls: dict[str, list[str]]) -> None:
    first, second = VARIANTS[name]
    found = [digests(make()) for make in (first, second, first, second)]
    assert found == 2 * [first_calls[f"{name} 0"], first_calls[f"{name} 1"]]
    assert found[0] != found[1]


@pytest.mark.slow
def test_a_new_process_gives_the_same(first_calls: dict[str, list[str]]) -> None:
    paths = [str(Path(pl.__file__).parents[1]), str(Path(__file__).parents[1])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    run = subprocess.run(
        [sys.executable, "-m", "references.repeated_calls"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == first_calls


def test_the_same_model_again_and_a_model_that_was_changed() -> None:
    """Parts that the user adds, and another gravity, count in the next call."""
    m = pair()
    before = [digest(pl.dynamics(m, duration=1e-4, step=1e-6)) for _ in range(2)]
    assert before[0] == before[1]
    m.torsion_spring("spring", "second", stiffness=500.0)
    m.gravity = (0.0, 9.81, 0.0)
    changed = pl.dynamics(m, duration=1e-4, step=1e-6)
    forget()
    n = pair()
    n.torsion_spring("spring", "second", stiffness=500.0)
    n.gravity = (0.0, 9.81, 0.0)
    assert digest(changed) == digest(pl.dynamics(n, duration=1e-4, step=1e-6)) != before[0]
    assert np.abs(changed["spring.torque"].values).max() > 0.0


def test_a_model_is_checked_again_after_a_change() -> None:
    m = pair()
    pl.statics(m)
    m.body("loose", mass=0, inertia=(0, 0, 0), position=(1, 0, 0))
    for _ in range(2):
        with pytest.raises(pl.ModelError, match='body "loose": zero mass on a free body'):
            pl.dynamics(m, duration=1e-5, step=1e-6)
    pl.dynamics(m.replaced(without="loose"), duration=1e-5, step=1e-6)


def test_the_description_of_a_result_is_that_of_the_model_at_the_call() -> None:
    m = pair()
    said = m.describe()
    results = [pl.dynamics(m, duration=1e-5, step=1e-6) for _ in range(3)]
    m.body("more", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.look("pinion", colour="red")
    m.gravity = (0, 0, -9.81)
    assert m.describe() != said
    plain = json.loads(json.dumps(said))
    assert results[0].model == plain
    assert results[0].model is results[0].model
    assert pickle.loads(pickle.dumps(results[1])).model == plain
    assert copy.copy(results[2]).model == plain
    assert "_later_model" not in vars(results[0])
    with pytest.raises(AttributeError, match="no attribute 'modle'"):
        _ = results[2].modle


def test_a_result_saves_its_description(tmp_path: Path) -> None:
    m = pair()
    pl.statics(m).save(tmp_path / "loaded.h5")
    assert pl.load(tmp_path / "loaded.h5").model == json.loads(json.dumps(m.describe()))


def test_threads_share_plans() -> None:
    """Several threads with models of the same structure, each with its own numbers."""

    def run(speed: float) -> str:
        return digest(pl.dynamics(pair(speed), duration=2e-4, step=1e-6))

    speeds = [100.0 + 10.0 * i for i in range(12)]
    alone = [run(speed) for speed in speeds]
    forget()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, speeds)) == alone


def chain(count: int) -> pl.Model:
    m, last = pl.Model("chain"), None
    for i in range(count):
        link = m.body(f"link {i}", solid=pl.bar(0.1, 0.01, 0.01, mass=0.1), position=(0.1 * i + 0.05, 0, 0))
        m.revolute(f"joint {i}", last or m.ground, link, at=(0.1 * i, 0, 0), axis="y")
        last = link
    return m


def free_bodies(count: int) -> pl.Model:
    """Of another structure for each number."""
    m = pl.Model("bodies")
    for i in range(count):
        m.body(f"body {i}", mass=1, inertia=(1, 1, 1), position=(i, 0, 0))
    return m


def compiled(model: pl.Model) -> None:
    prepare(model, starting_point(model, None), until=1.0, reduce=True).system.workspace  # noqa: B018


def test_few_plans_are_kept() -> None:
    kept = (structure._kept, workspace_plan._kept, matrix_plan._kept_plan)
    for count in range(1, 3 + max(cache.cache_info().maxsize or 0 for cache in kept)):
        compiled(free_bodies(count))
    for cache in kept:
        assert cache.cache_info().currsize == cache.cache_info().maxsize
    assert len(pattern._probes) <= pattern.MOST_PROBES


def test_large_systems_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "LARGEST_KEPT", 3)
    monkeypatch.setattr(workspace_plan, "LARGEST_KEPT", 3)
    monkeypatch.setattr(matrix_plan, "LARGEST_KEPT", 10)
    before = digest(pl.dynamics(chain(3), duration=1e-3, step=1e-4))
    for cache in (structure._kept, workspace_plan._kept, matrix_plan._kept_plan):
        assert cache.cache_info().currsize == 0
    monkeypatch.undo()
    assert digest(pl.dynamics(chain(3), duration=1e-3, step=1e-4)) == before


def test_kept_plans_cannot_be_changed() -> None:
    model = pair()
    system = prepare(model, starting_point(model, None), until=1.0, reduce=True).system
    for array in (system.lam0, system.mem0, system.dof0, system.layout.entry_from, system.layout.constraints):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_the_bound_of_eigenvalues_is_a_bound() -> None:
    """Rows are taken as independent by it, without elimination."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows = rng.normal(size=(rng.integers(1, 7), 12)) * (rng.random((1, 12)) < 0.6)
        least = np.linalg.eigvalsh(rows @ rows.T)[0]
        assert _least_eigenvalue(rows) <= least + 1e-12 * np.abs(rows).max() ** 2
    assert _least_eigenvalue(np.eye(5, 12)) == 1.0
