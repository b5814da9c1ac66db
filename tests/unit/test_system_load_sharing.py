"""Loads that redundant joints share: least norm, same resultant."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.random_models import add_bodies, add_joint

import pitchline as pl
from pitchline.analyses.signals import samples_of
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.rank import Evaluator, find_redundant, no_multipliers
from pitchline.engine.compile.system import System
from pitchline.parts.meshes.compile import least_norm

seeds = st.integers(0, 2**32 - 1)


def gradients(system: System, state) -> np.ndarray:
    """B^T of all multipliers in six coordinates a body."""
    out = np.zeros((6 * len(system.ndof), system.n_lam))
    evaluator = Evaluator(system)
    evaluator.place(state, moving=False, lam=no_multipliers(system))
    for e, element in enumerate(system.elements):
        if element.rows:
            rows = evaluator.element_rows(e)[1]
            for k, g in enumerate(element.nodes):
                out[6 * g : 6 * g + 6, system.lam0[e] : system.lam0[e + 1]] = rows[:, 6 * k : 6 * k + 6].T
    return out[6:]


@pytest.mark.parametrize(("bodies", "doubles"), [(2, 1), (3, 3), (8, 8)])
@pytest.mark.parametrize("reduce", [True, False])
@settings(max_examples=6)
@given(seed=seeds)
def test_least_norm_with_the_same_resultant(bodies: int, doubles: int, reduce: bool, seed: int) -> None:
    """B^T lambda stays; what changed is orthogonal (moments over the length) to what has no resultant. Small groups are
    solved densely, large ones sparsely."""
    rng = np.random.default_rng(seed)
    m = pl.Model("m")
    made = add_bodies(m, rng, bodies)
    for i, b in enumerate(made):
        joint = add_joint(m, rng, f"joint {i}", "revolute", m.ground if i == 0 else made[i - 1], b)
        if i < doubles:
            point, axes = m.placed(joint.frame_a)
            a = m.ground if i == 0 else made[i - 1]
            m.revolute(f"double {i}", a, b, at=point + rng.normal() * axes[:, 2], axis=axes[:, 2])
    if doubles == bodies:  # one loop over everything
        m.spherical("loop", m.ground, made[-1], at=rng.normal(size=3))
        m.spherical("loop again", m.ground, made[-1], at=m.placed(m.joints["loop"].frame_a)[0])
    system, state = compile_model(m, reduce=reduce)
    state.lam[:] = rng.normal(size=state.lam.size)
    samples = samples_of([state.copy(), state.copy()])
    rank = find_redundant(system, state)
    least_norm(system, rank.groups, samples)
    B = gradients(system, state)
    rows = "".join(e.rows for e in system.elements)
    weight = np.array([1.0 if r == "t" else 1.0 / system.length for r in rows])
    before, after = state.lam[: system.n_lam], samples.lam[1][: system.n_lam]
    assert np.array_equal(samples.lam[0], samples.lam[1])
    size = np.max(np.abs(B))
    np.testing.assert_allclose(B @ after, B @ before, rtol=0, atol=1e-7 * size)
    outside = np.setdiff1d(np.arange(system.n_lam), np.concatenate(rank.groups))
    assert np.array_equal(after[outside], before[outside])
    idle = np.linalg.svd(B / weight)[2][np.linalg.matrix_rank(B, tol=1e-7) :]
    assert len(idle) > 0
    np.testing.assert_allclose(idle @ (after * weight), 0, atol=1e-6)


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_equal_joints_share_equally(count: int, reduce: bool) -> None:
    """Fixed joints at one point: each carries m g/n, moment m g a/n."""
    m = pl.Model("bracket", gravity=(0, 0, -10))
    b = m.body("bracket", mass=3, inertia=(1, 1, 1), position=(0.4, 0, 0))
    for i in range(count):
        m.fixed(f"bolt {i}", m.ground, b, at=(0, 0, 0))
    r = pl.statics(m, reduce=reduce)
    for i in range(count):
        np.testing.assert_allclose(r[f"bolt {i}.force"].values, [[0, 0, 30 / count]], atol=1e-9)
        np.testing.assert_allclose(r[f"bolt {i}.moment"].values, [[0, -12 / count, 0]], atol=1e-9)
        assert "not unique" in r[f"bolt {i}.force"].description
    assert len(r.warnings) >= 1 and "least-norm" in r.warnings[0]


def test_unique_reactions_are_not_flagged() -> None:
    m = pl.Model("m", gravity=(0, 0, -10))
    a = m.body("a", mass=3, inertia=(1, 1, 1))
    b = m.body("b", mass=3, inertia=(1, 1, 1), position=(1, 0, 0))
    m.fixed("one", m.ground, a)
    m.fixed("two", m.ground, a)
    m.fixed("alone", m.ground, b)
    r = pl.statics(m)
    assert "not unique" in r["one.force"].description
    assert "not unique" not in r["alone.force"].description
