"""The superelement under the contract of elements, and as a beam: tangents, objectivity, power, energies."""

import numpy as np
import pytest
from references.element_bench import Probe, pose, random_rotation, residual
from references.superelements import random_probe

from pitchline.engine.elements.contract_checks import check_element
from pitchline.parts.flexible import Superelement
from pitchline.parts.flexible.kernel import superelement_element
from pitchline.parts.shafts.kernel import beam_element
from pitchline.parts.shafts.sections import adjoint, exp_se3, inverse_tangent


@pytest.mark.parametrize("interfaces, modes", [(3, 4), (2, 0), (1, 3)])
@pytest.mark.parametrize("gravity", [0.0, 1.0])
def test_contract(interfaces: int, modes: int, gravity: float) -> None:
    verdicts, _ = check_element(lambda rng: random_probe(rng, interfaces, modes, gravity=gravity), states=3)
    for verdict in verdicts:
        if gravity and verdict.check.name == "forces rotate with the world":
            continue  # gravity does not
        assert verdict.passed, f"{verdict.check.name}: {verdict.worst} {verdict.reason}"


def test_two_interfaces_without_modes_are_a_beam() -> None:
    """The same stiffness on log(H_A^-1 H_B) and mass: the same forces at rest, deformed, and when set in motion, undeformed."""
    rng = np.random.default_rng(4)
    A = rng.normal(size=(18, 18))
    K, M = A[:6, :6] @ A[:6, :6].T, A[:12, :12] @ A[:12, :12].T
    rest = 0.3 * rng.normal(size=6)
    frames = [(np.zeros(3), np.eye(3)), (np.zeros(3), np.eye(3))]
    x, R = exp_se3(rest)
    beam = beam_element("beam", (1, 2), *frames, K=K, M=M, rest=rest, damping=0.1 * K, gravity=np.zeros(3))
    # stiffness against small motions of the second end, the first held, is P^T K P with the tangent operator at rest
    P = np.hstack([-inverse_tangent(-rest), inverse_tangent(rest)])
    assert np.allclose(P @ np.vstack([np.eye(6), np.linalg.inv(adjoint(x, R))]), 0.0, atol=1e-12)
    body = Superelement(
        ("a", "b"), np.array([np.zeros(3), x]), np.array([np.eye(3), R]), P.T @ K @ P, np.zeros(0), M, np.zeros(0), 1.0,
        np.zeros(3), np.eye(3), np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.zeros((0, 3, 12), np.float32),
    )  # fmt: skip
    made = superelement_element("body", (1, 2), tuple(frames), body, damping=0.1)
    Q = random_rotation(rng)
    P0 = pose(rng.normal(size=3), Q)
    assert made.nodes[0] == 1  # the heavier end: from the other one logarithms are the same to first order only
    for bent in (0.0, 1.0):
        moved = Q @ (x + 0.1 * bent * rng.normal(size=3))
        P1 = pose(P0[:3] + moved, Q @ R @ exp_se3(np.r_[np.zeros(3), 0.2 * bent * rng.normal(size=3)])[1])
        a = (1.0 - bent) * rng.normal(size=(2, 6))
        probes = {}
        for element in (beam, made):
            order = [node - 1 for node in element.nodes]
            own = {"modes": np.zeros((3, 0))} if element is made else {}
            one = Probe(element, np.array([P0, P1])[order], np.zeros((2, 6)), a[order], np.zeros(0), own=own)
            r = residual(one).reshape(2, 6)
            probes[element.kind.name] = r[np.argsort(order)]
        assert np.allclose(probes["beam"], probes["superelement"], rtol=0.0, atol=1e-11 * np.abs(probes["beam"]).max())
