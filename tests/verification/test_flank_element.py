"""The element of elastic flanks: balance, objectivity and tangents of what every gear pair owes, at rest and within a step.

The common contract of elements (tests/unit/test_element_contract.py) does not fit: this element works in scratch of its own,
its force belongs to a step, and its tangent leaves out what is small (the change of compliance with the phase).
"""

from dataclasses import dataclass

import numpy as np
import pytest
from references.elastic_pair import COARSE, gears
from references.element_bench import moved, random_rotation

import pitchline as pl
from pitchline.elements.contract import (
    C_D,
    C_K,
    C_L,
    C_M,
    COMMIT,
    DAMP,
    LOAD,
    MAX_LOCAL,
    MAX_NODES,
    MAX_REPORT,
    N_COEFFICIENTS,
    RESIDUAL,
    TANGENT,
    TIME,
    Element,
    call_at,
)
from pitchline.system.compiler import compile_model


@dataclass
class Bench:
    """The element by itself: two nodes that can be put anywhere."""

    element: Element
    P: np.ndarray
    memory: np.ndarray

    @staticmethod
    def of(**options: object) -> "Bench":
        a, b = gears()
        m = pl.Model("pair", gravity=(0, 0, 0))
        body_a = m.gear_body("a", a.gear, position=(0, 0, 0), axis="z")
        body_b = m.gear_body("b", b.gear, mesh_with=body_a)
        mesh = pl.Flank(elements_a=COARSE, elements_b=COARSE, modes="60 kHz", **options)
        m.gear_pair("mesh", body_a, body_b, mesh=mesh)
        system, state = compile_model(m)
        e = next(i for i, x in enumerate(system.elements) if x.name == "mesh")
        K = system.kinematics(state)
        return Bench(system.elements[e], K[list(system.elements[e].nodes), :12].copy(), system.elements[e].memory.copy())

    def call(self, mode: int, P: np.ndarray, *, memory: np.ndarray, t: float = 0.0, stiffness: float = 0.0) -> np.ndarray:
        p = np.full((MAX_NODES, 12), 1e3)
        p[:2] = P
        c = np.zeros(N_COEFFICIENTS)
        c[[TIME, C_M, C_D, C_K, LOAD, DAMP, C_L]] = t, 0.0, 0.0, stiffness, 1.0, 1.0, 1.0
        r, J, rest = np.zeros(max(MAX_LOCAL, MAX_REPORT)), np.zeros((MAX_LOCAL, MAX_LOCAL)), np.zeros((MAX_NODES, 6))
        e = self.element
        call_at(e.kind.address, e.parameters, memory, np.zeros(1), p, rest, rest, np.zeros(8), c, mode, r, J)
        return J[:12, :12].copy() if mode == TANGENT else r[:12].copy()

    def begun(self, P: np.ndarray) -> np.ndarray:
        """Memory of a start at rest in this pose."""
        memory = self.memory.copy()
        self.call(COMMIT, P, memory=memory)
        return memory


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench.of()


def pressed(bench: Bench, turn: float) -> np.ndarray:
    """Wheel A turned against B, slightly out of line."""
    rng = np.random.default_rng(3)
    dq = np.zeros((2, 6))
    dq[0, 5] = turn
    dq += np.concatenate([rng.uniform(-2e-6, 2e-6, (2, 3)), rng.uniform(-1e-5, 1e-5, (2, 3)) * [1, 1, 0]], axis=1)
    return moved(bench.P, dq)


@pytest.mark.parametrize("turn", [1e-3, -1e-3])
def test_forces_and_moments_balance(bench: Bench, turn: float) -> None:
    """At rest and within a step: what A gets B gives, force and moment about any point."""
    P = pressed(bench, turn)
    memory = bench.begun(bench.P)
    for t in (0.0, 1e-6):
        r = bench.call(RESIDUAL, P, memory=memory.copy(), t=t)
        R = [P[k, 3:].reshape(3, 3) for k in range(2)]
        force = r[:3] + r[6:9]
        moment = sum(R[k] @ r[6 * k + 3 : 6 * k + 6] + np.cross(P[k, :3], r[6 * k : 6 * k + 3]) for k in range(2))
        size = np.linalg.norm(r[:3])
        assert size > 100.0
        assert np.linalg.norm(force) < 1e-12 * size
        assert np.linalg.norm(moment) < 1e-12 * size


def test_the_element_does_not_care_where_the_world_is(bench: Bench) -> None:
    rng = np.random.default_rng(1)
    P = pressed(bench, 1e-3)
    Q, x0 = random_rotation(rng), rng.standard_normal(3)
    turned = P.copy()
    for k in range(2):
        turned[k, :3], turned[k, 3:] = x0 + Q @ P[k, :3], (Q @ P[k, 3:].reshape(3, 3)).ravel()
    here, there = (bench.call(RESIDUAL, X, memory=bench.begun(X)) for X in (P, turned))
    for k in (0, 6):
        np.testing.assert_allclose(there[k : k + 3], Q @ here[k : k + 3], atol=1e-6 * np.abs(here).max())
        np.testing.assert_allclose(there[k + 3 : k + 6], here[k + 3 : k + 6], atol=1e-6 * np.abs(here).max())


def test_the_tangent_is_nearly_the_derivative_of_the_residual(bench: Bench) -> None:
    """Central differences, contact at rest; what the tangent leaves out is below a percent of it."""
    P = pressed(bench, 1e-3)
    memory = bench.begun(bench.P)
    J = bench.call(TANGENT, P, memory=memory.copy(), stiffness=1.0)
    found = np.zeros((12, 12))
    steps = np.tile([1e-9] * 3 + [1e-7] * 3, 2)
    for j, h in enumerate(steps):
        sides = []
        for sign in (1.0, -1.0):
            dq = np.zeros(12)
            dq[j] = sign * h
            sides.append(bench.call(RESIDUAL, moved(P, dq.reshape(2, 6)), memory=memory.copy()))
        found[:, j] = (sides[0] - sides[1]) / (2.0 * h)
    scale = np.abs(found).max(axis=0)
    kept = scale > 1e-3 * scale.max()
    assert np.abs(J - found)[:, kept].max() < 1e-2 * scale.max()


def test_within_a_short_step_the_gears_answer_by_inertia(bench: Bench) -> None:
    """The shorter the step, the less the modes can yield: the force of a sudden approach grows towards that of the residual
    compliance alone."""
    P = pressed(bench, 2e-4)
    memory = bench.begun(bench.P)
    at_rest = np.linalg.norm(bench.call(RESIDUAL, P, memory=memory.copy())[:3])
    forces = [np.linalg.norm(bench.call(RESIDUAL, P, memory=memory.copy(), t=t)[:3]) for t in (1e-5, 3e-6, 1e-6)]
    assert at_rest < forces[1] < forces[2]
