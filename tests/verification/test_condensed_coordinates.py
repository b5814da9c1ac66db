"""Condensed coordinates of elements: what an element answers with them eliminated, and with rows of their own, is the same.

One set of tests for all such elements: two bodies pressed on each other through elastic ones with twenty modes, and gears with
elastic flanks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from references.flank_runs import flank, pair_model
from references.own_elements import added, elastic_pair
from references.user_elements import ElasticLink
from scipy.linalg import expm

import pitchline as pl
from pitchline.analyses.observers import starting_point
from pitchline.analyses.operating_point import OperatingPoint
from pitchline.analyses.start_positions import prepare
from pitchline.analyses.time_options import TimeOptions
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.system import State, System, opened, opened_state
from pitchline.engine.solvers.consistent import consistent_accelerations, project_velocities
from pitchline.engine.solvers.integrator import Integrator, SampleStore
from pitchline.engine.solvers.time_loop import advance

rng = np.random.default_rng(4)
OMEGA = 2.0 * np.pi * np.sort(rng.uniform(2e3, 60e3, 20))
PHI = rng.uniform(0.5, 2.0, 20)
CONTACT, MASSES, HELD = 3e8, (0.4, 0.7), (2e7, 5e7)


@dataclass
class Case:
    """A model with such an element, its equilibrium, and a small push on it."""

    model: Callable[[float], pl.Model]
    """With a push of a size."""
    push: float
    output: str
    step: float
    steps: int
    input: str
    error: float
    """Of the longer step, over the largest deflection."""


def blocks(push: float = 0.0) -> pl.Model:
    """Two blocks on springs, pressed on each other along x."""
    m = pl.Model("blocks", gravity=(0, 0, 0))
    for name, mass, held in zip("ab", MASSES, HELD, strict=True):
        body = m.body(name, mass=mass, inertia=(1, 1, 1))
        m.prismatic(f"guide {name}", m.ground, body, axis="x")
        m.bushing(f"held {name}", m.ground, body, stiffness=(held, 0, 0, 0, 0, 0))
    m.force("press", "a", (1e3 + push, 0, 0))
    return m


def wheels(push: float = 0.0) -> pl.Model:
    return pair_model(flank(), phase=0.25, torque=5.0 + push, drive={"angle": 0})


CASES = {
    "blocks": Case(blocks, 1.0, "guide a.displacement", 2e-6, 150, "guide a.force", 2e-3),
    "wheels": Case(wheels, 1e-3, "out.angle", 1e-6, 100, "out.torque", 1e-2),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    pair = elastic_pair("pair", "a", "b", stiffness=CONTACT, omega=OMEGA, phi=PHI)
    with added(*([pair] if request.param == "blocks" else [])):
        yield CASES[request.param]


def test_statics_is_the_solution_of_all_at_once(case: Case) -> None:
    """At the closed equilibrium the rows of the modes are in balance, and those of the bodies are the same."""
    rest = pl.statics(case.model(0.0))
    point = OperatingPoint.of(case.model(0.0), rest)
    assert point.closed is not None
    first = point.system.own.first
    r = Evaluator(point.system).residual(point.state, moving=False)
    moved = point.state.copy()
    moved.own[:] = 0.0
    forces = Evaluator(point.system).residual(moved, moving=False)
    assert np.abs(r[first : point.system.n_q]).max() < 1e-9 * np.abs(forces[first : point.system.n_q]).max()
    assert np.abs(r[:first]).max(initial=0.0) < 1e-9 * np.abs(forces).max()


def test_without_the_modes_the_open_stiffness_is_the_closed_one(case: Case) -> None:
    """Schur complement of K over the modes, for the whole system."""
    rest = pl.statics(case.model(0.0))
    point = OperatingPoint.of(case.model(0.0), rest)
    assert point.closed is not None
    closed = point.closed.initial_state(point.state.t)
    closed.pose[:], closed.mem[:] = point.state.pose, point.state.mem
    n = point.closed.n_q
    K = Evaluator(point.system).tangent(point.state, mass=0.0, stiffness=1.0, moving=False)[1].toarray()
    expected = Evaluator(point.closed).tangent(closed, mass=0.0, stiffness=1.0, moving=False)[1].toarray()[:n, :n]
    own = slice(n, point.system.n_q)
    found = K[:n, :n] - K[:n, own] @ np.linalg.solve(K[own, own], K[own, :n])
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def test_frequencies_are_those_of_the_full_problem() -> None:
    """Blocks and twenty modes in one matrix."""
    G = np.concatenate([[1.0, -1.0], -PHI])
    K = CONTACT * np.outer(G, G) + np.diag([*HELD, *OMEGA**2])
    m = np.array([*MASSES, *np.ones(20)])
    expected = np.sqrt(np.linalg.eigvalsh(K / np.sqrt(np.outer(m, m)))) / (2.0 * np.pi)
    with added(elastic_pair("pair", "a", "b", stiffness=CONTACT, omega=OMEGA, phi=PHI)):
        found = pl.modes(blocks())
        rest = pl.statics(blocks())
        point = OperatingPoint.of(blocks(), rest)
    assert found.frequencies == pytest.approx(expected, rel=1e-9)
    x = np.linalg.solve(K, [1e3, *np.zeros(21)])
    assert point.state.own == pytest.approx(x[2:], rel=1e-9)
    assert rest["pair.contact"].values[-1] == pytest.approx(CONTACT * (G @ x), rel=1e-9)


def test_begin_comes_before_evaluations_at_rest() -> None:
    """An element that works out its compliance in `begin`, at rest too: statics has the inner spring, and modes its mass."""
    m = pl.Model("link", gravity=(0, 0, 0))
    block = m.body("block", mass=2.0, inertia=(1, 1, 1), position=(1, 0, 0))
    m.prismatic("guide", m.ground, block, axis="x")
    m.force("pull", block, (10.0, 0, 0))
    m.add(ElasticLink("link", a=m.ground, b=block, stiffness=3e3, inner=2e3, mass=0.5, free_length=1.0))
    rest = pl.statics(m)
    assert rest["guide.displacement"].values[-1] == pytest.approx(10.0 * (1 / 3e3 + 1 / 2e3), rel=1e-9)
    found = pl.modes(m, about=rest)
    K, M = np.array([[3e3, -3e3], [-3e3, 5e3]]), np.array([2.0, 0.5])
    expected = np.sqrt(np.linalg.eigvalsh(K / np.sqrt(np.outer(M, M)))) / (2 * np.pi)
    assert found.frequencies == pytest.approx(expected, rel=1e-7)


# ------------------------------------------------------------------------------------------------------------------ steps


def started(case: Case, push: float, *, as_unknowns: bool) -> tuple[System, State, Any]:
    """At the equilibrium without the push, with condensed coordinates as they are or as unknowns of Newton."""
    rest = pl.statics(case.model(0.0))
    ready = prepare(case.model(push), starting_point(case.model(push), rest), until=1.0, reduce=True)
    system, state = ready.system, ready.state
    if as_unknowns:
        other = opened(system)
        system, state = other, opened_state(system, other, state)
    project_velocities(system, state)
    consistent_accelerations(system, state)
    return system, state, ready


def moved(case: Case, h: float, steps: int, *, as_unknowns: bool) -> np.ndarray:
    """Change of the coordinates of the bodies, step by step."""
    system, state, ready = started(case, case.push, as_unknowns=as_unknowns)
    options = _options(duration=h * steps, step=h, output_step=h).layout(system, state)
    integrator = Integrator.begin(system, state, options, ready.rank, ready.loose)
    store = SampleStore(system)
    store.add(integrator)
    assert integrator.run(store) == 0
    samples = store.samples(integrator)
    # small angles about z, or displacements along x
    last = samples.pose[:, -1] if case.output == "out.angle" else samples.pose[:, 1]
    if case.output == "out.angle":
        return np.asarray(2.0 * (last[:, 6] * last[0, 3] - last[:, 3] * last[0, 6]))
    return np.asarray(last[:, 0] - last[0, 0])


def _options(**given: Any) -> TimeOptions:
    known = dict.fromkeys(
        (
            "duration",
            "step",
            "tolerance",
            "output_step",
            "rho",
            "hht",
            "max_step",
            "min_step",
            "newton_tolerance",
            "stabilised",
        )
    )
    return TimeOptions.read(**(known | {"tolerance": 1e-6} | given))


@pytest.mark.parametrize("as_unknowns", [False, True])
def test_steps_are_of_second_order(case: Case, as_unknowns: bool) -> None:
    """A small push, against the matrix exponential of the linear model, whose modes are open."""
    rest = pl.statics(case.model(0.0))
    linear = pl.linear_model(case.model(0.0), case.input, case.output, about=rest)
    k = len(linear.A)
    A = np.zeros((k + 1, k + 1))
    A[:k, :k], A[:k, k] = linear.A, linear.B[:, 0] * case.push
    E = expm(A * case.step)
    z = np.zeros(k + 1)
    z[k] = 1.0
    exact = [0.0]
    for _ in range(case.steps):
        z = E @ z
        exact.append(float(linear.C[0] @ z[:k]))
    size = np.abs(exact).max()
    errors = []
    for pieces in (1, 2):
        found = moved(case, case.step / pieces, case.steps * pieces, as_unknowns=as_unknowns)[::pieces]
        errors.append(float(np.sqrt(np.mean((found - exact) ** 2))) / size)
    assert errors[0] < case.error
    assert errors[1] < 0.35 * errors[0]


# --------------------------------------------------------------------------------------------------------- rejected steps


def test_a_rejected_step_leaves_no_trace(case: Case) -> None:
    """Under error control, with a first step far too long: state, memory and condensed coordinates stay byte by byte."""
    system, state, ready = started(case, 100.0 * case.push, as_unknowns=False)
    options = _options(duration=1e-2, tolerance=1e-12, max_step=1e-3)
    integrator = Integrator.begin(system, state, options.layout(system, state), ready.rank, ready.loose)
    motion = integrator.motion
    motion.progress["h_want"] = 20.0 * case.step
    store = SampleStore(system)
    store.add(integrator)
    motion.write_to(store.open)
    kept = {
        name: array.tobytes()
        for name, array in motion.arrays().items()
        if name not in ("progress", "dense_factors", "pivot")
    }
    if integrator._pivots_missing:
        assert integrator._take_pivots()
    advance(motion.address, 1)
    assert motion.progress["rejected"] == 1 and motion.progress["steps"] == 0
    assert state.condensed.any()
    for name, before in kept.items():
        assert motion.arrays()[name].tobytes() == before, name


def test_reactions_of_reduced_joints_know_how_condensed_coordinates_move() -> None:
    """A hinge that became a coordinate carries what the same hinge with multipliers carries, though the inner mass swings."""
    found = []
    for reduce in (True, False):
        m = pl.Model("arm", gravity=(0, 0, 0))
        arm = m.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
        m.revolute("hinge", m.ground, arm, axis="y", at=(0, 0, 0))
        link = {"stiffness": "4 kN/m", "inner": "1 kN/m", "mass": "0.2 kg", "free_length": "0.9 m"}
        m.add(ElasticLink("link", a=m.ground, at_a=(1.0, 0, 1.0), b=arm, at_b=(1.0, 0, 0), **link))
        found.append(pl.dynamics(m, duration=0.1, step=1e-4, reduce=reduce)["hinge.force"].values)
    swings = np.ptp(found[1][5:], axis=0).max()
    assert swings > 10.0
    np.testing.assert_allclose(found[0][5:], found[1][5:], atol=1e-2 * swings)
