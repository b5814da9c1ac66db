"""Residual and matrix of whole models: every entry against finite differences, in every layout.

The matrix is compared as a whole: an entry that the sparsity pattern misses shows as a wrong zero.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import central, exponential, skew
from references.random_models import random_mechanism

from pitchline.engine.compile.assembly import assemble_at
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.matrix_plan import compressed_columns
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.system import DENSE_LIMIT, State, System
from pitchline.engine.elements.contract import TANGENT
from pitchline.solids.rotations import quaternion_of

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=8)
layouts = pytest.mark.parametrize("reduce", [True, False])


def random_state(rng: np.random.Generator, system: System, state: State, *, spread: float = 0.2) -> State:
    """Away from the initial positions, moving, with multipliers: constraints are violated."""
    state = state.copy()
    system.displace(state, spread * rng.uniform(-1, 1, size=system.n_q))
    state.v[:], state.vd[:] = rng.normal(size=(2, system.n_q))
    state.lam[: system.n_lam_active] = rng.normal(size=system.n_lam_active)
    state.t = float(rng.uniform(0, 1))
    system.commit(state)
    return state


def differences(system: System, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """d(residual) by accelerations, velocities, positions, scaled multipliers."""
    evaluate = Evaluator(system).residual

    def changed(name: str, i: int, e: float) -> State:
        s = state.copy()
        if name == "q":
            system.displace(s, e * np.eye(system.n_q)[i])
        else:
            getattr(s, name)[i] += e
        return s

    def columns(name: str, places: np.ndarray) -> np.ndarray:
        found = [central(lambda e, i=i: evaluate(changed(name, int(i), e))) for i in places]
        return np.stack(found, axis=1) if found else np.zeros((system.n, 0))

    q = np.arange(system.n_q)
    live = np.flatnonzero(system.layout.equation >= 0)
    by_lam = columns("lam", live) * system.layout.lam_scale[live]
    return columns("vd", q), columns("v", q), columns("q", q), by_lam


@layouts
@pytest.mark.parametrize("bodies", [1, 2, 4])
@few
@given(seed=seeds)
def test_the_assembled_tangent_is_the_derivative_of_the_residual(bodies: int, reduce: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_mechanism(rng, bodies)
    system, state = compile_model(model, until=2.0, reduce=reduce)
    state = random_state(rng, system, state)
    nq = system.n_q
    by_a, by_v, by_q, by_lam = differences(system, state)
    a, b, c = 0.7, 1.3, 0.4
    r, J = Evaluator(system).tangent(state, mass=a, damping=b, stiffness=c)
    expected = np.concatenate([a * by_a + b * by_v + c * by_q, by_lam], axis=1)
    expected[nq:, :nq] = by_q[nq:]
    scale = max(1.0, float(np.max(np.abs(expected))))
    np.testing.assert_allclose(J.toarray(), expected, rtol=0, atol=1e-8 * scale)
    assert np.array_equal(r, Evaluator(system).residual(state))


def test_both_layouts_of_the_matrix_are_met() -> None:
    """The models above are small enough for the dense and large enough for the sparse matrix."""
    sizes = [
        compile_model(random_mechanism(np.random.default_rng(0), n), until=2.0, reduce=r)[0].n
        for n in (1, 2, 4)
        for r in (True, False)
    ]
    assert min(sizes) <= DENSE_LIMIT < max(sizes)


@layouts
@few
@given(seed=seeds)
def test_left_out_rows_change_nothing_else(reduce: bool, seed: int) -> None:
    """A layout without some multipliers is the full one without their rows and columns (their multipliers being zero)."""
    rng = np.random.default_rng(seed)
    system, state = compile_model(random_mechanism(rng, 3), until=2.0, reduce=reduce)
    state = random_state(rng, system, state)
    out = rng.choice(system.n_lam_active, size=3, replace=False)
    state.lam[out] = 0.0
    keep = np.setdiff1d(np.arange(system.n), system.n_q + out)
    r, J = Evaluator(system).tangent(state, mass=0.7, damping=1.3, stiffness=0.4)
    system.relayout(out)
    r2, J2 = Evaluator(system).tangent(state, mass=0.7, damping=1.3, stiffness=0.4)
    np.testing.assert_allclose(r2, r[keep], rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(J2.toarray(), J.toarray()[np.ix_(keep, keep)], rtol=1e-14, atol=1e-14)


@layouts
@few
@given(seed=seeds)
def test_the_matrix_of_increments(reduce: bool, seed: int) -> None:
    """Turned by T(theta) the matrix belongs to the increments of a step: d r(pose o exp(dq)) / d dq.

    Increments below 0.1 rad; no gravity, because inertia is not turned."""
    rng = np.random.default_rng(seed)
    system, start = compile_model(random_mechanism(rng, 3, gravity=False), until=2.0, reduce=reduce)
    start = random_state(rng, system, start)
    start.v[:] = start.vd[:] = 0.0
    dq = 0.05 * rng.uniform(-1, 1, size=system.n_q)
    work = Evaluator(system).work
    work.question(start.t, stiffness=1.0)
    work.set(start, dq=dq)
    work.place()
    assemble_at(work.address, TANGENT, True)
    if system.dense:
        J = work.Ax.reshape(system.n, system.n).T
    else:
        y = system.layout
        J = np.zeros((system.n, system.n))
        for column in range(system.n):
            span = slice(int(y.Ap[column]), int(y.Ap[column + 1]))
            J[y.Ai[span], column] = work.Ax[span]
    evaluate = Evaluator(system).residual

    def along(i: int, e: float) -> np.ndarray:
        s = start.copy()
        system.displace(s, dq + e * np.eye(system.n_q)[i])
        return evaluate(s)

    expected = np.stack([central(lambda e, i=i: along(i, e)) for i in range(system.n_q)], axis=1)
    scale = max(1.0, float(np.max(np.abs(expected))))
    np.testing.assert_allclose(J[:, : system.n_q], expected, rtol=0, atol=2e-7 * scale)


@layouts
@few
@given(seed=seeds)
def test_rates_and_convective_terms(reduce: bool, seed: int) -> None:
    """dPhi/dt along the motion, and its own derivative at constant v."""
    rng = np.random.default_rng(seed)
    system, state = compile_model(random_mechanism(rng, 3), until=2.0, reduce=reduce)
    state = random_state(rng, system, state)
    evaluator = Evaluator(system)

    def later(e: float) -> State:
        s = state.copy()
        system.displace(s, e * state.v)
        s.t = state.t + e
        return s

    nq = system.n_q
    rates = central(lambda e: evaluator.residual(later(e))[nq:])
    scale = max(1.0, float(np.max(np.abs(rates))))
    np.testing.assert_allclose(evaluator.rates(state), rates, rtol=0, atol=1e-8 * scale)
    convective = central(lambda e: evaluator.rates(later(e)))
    np.testing.assert_allclose(evaluator.convective(state), convective, rtol=0, atol=1e-6 * scale)


@settings(max_examples=30)
@given(entries=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40))
def test_compressed_columns(entries: list[tuple[int, int]]) -> None:
    """Every entry finds its place, entries that meet share one, columns are sorted."""
    row, column = np.array(entries).T
    Ap, Ai, place = compressed_columns(7, row, column)
    assert Ap[0] == 0 and Ap[-1] == Ai.size == len(set(entries))
    for (i, j), p in zip(entries, place, strict=True):
        assert Ai[p] == i and Ap[j] <= p < Ap[j + 1]
    for j in range(7):
        assert np.all(np.diff(Ai[Ap[j] : Ap[j + 1]]) > 0)


@settings(max_examples=50)
@given(theta=st.tuples(*[st.floats(-4, 4)] * 3))
def test_quaternions_of_rotation_matrices(theta: tuple[float, float, float]) -> None:
    """R(q) is R again, also for half turns."""
    R = exponential(np.array(theta))
    w, x, y, z = q = quaternion_of(R)
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15) and w >= 0
    again = np.eye(3) + 2 * w * skew(q[1:]) + 2 * skew(q[1:]) @ skew(q[1:])
    np.testing.assert_allclose(again, R, rtol=0, atol=1e-14)
    assert (x, y, z) == tuple(q[1:])
