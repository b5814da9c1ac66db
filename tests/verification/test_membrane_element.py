"""The membrane under the contract of elements: tangents, objectivity, momentum, power, energies; and rigid motions, patch test."""

import numpy as np
import pytest
from references.element_bench import Probe, pose, random_rotation, residual

from pitchline.engine.elements.contract_checks import check_element
from pitchline.parts.membranes.kernel import membrane_element
from pitchline.parts.membranes.mesh import MembraneMatrices, membrane_matrices, plane_stress

TRIANGLE = np.array([(0.0, 0.0), (1.3, 0.2), (0.4, 0.9)])
QUADRILATERAL = np.array([(0.0, 0.0), (1.3, 0.2), (1.1, 1.2), (-0.2, 0.8)])


def matrices(corners: np.ndarray, *, prestress: float = 0.0, young: float = 50.0) -> MembraneMatrices:
    points = np.column_stack([corners, np.zeros(len(corners))])
    return membrane_matrices(
        points, np.eye(3), thickness=0.1, elasticity=plane_stress(young, 0.3), density=7.0,
        prestress=np.array([prestress, 0.5 * prestress, 0.2 * prestress]),
    )  # fmt: skip


def random_state(rng: np.random.Generator, corners: np.ndarray, *, damping: float, gravity: float) -> Probe:
    """Corners at random places of bodies that are deformed, turned and moving."""
    count = len(corners)
    placed = tuple((0.3 * rng.normal(size=3), np.eye(3)) for _ in range(count))
    element = membrane_element(
        "web", tuple(range(1, count + 1)), placed, matrices(corners, prestress=3.0), damping=damping,
        gravity=gravity * rng.normal(size=3),
    )  # fmt: skip
    turn = random_rotation(rng)
    poses = []
    for corner, (at, _) in zip(corners, placed, strict=True):
        R = random_rotation(rng)
        x = turn @ (np.append(corner, 0.0) + 0.2 * rng.normal(size=3))
        poses.append(pose(x - R @ at, R))
    return Probe(element, np.array(poses), rng.normal(size=(count, 6)), rng.normal(size=(count, 6)), np.zeros(0))


@pytest.mark.parametrize("corners", [TRIANGLE, QUADRILATERAL], ids=["triangle", "quadrilateral"])
@pytest.mark.parametrize("gravity", [0.0, 1.0])
def test_contract(corners: np.ndarray, gravity: float) -> None:
    verdicts, _ = check_element(lambda rng: random_state(rng, corners, damping=0.07, gravity=gravity), states=3)
    for verdict in verdicts:
        if gravity and verdict.check.name == "forces rotate with the world":
            continue  # gravity does not
        assert verdict.passed, f"{verdict.check.name}: {verdict.worst} {verdict.reason}"


@pytest.mark.parametrize("corners", [TRIANGLE, QUADRILATERAL], ids=["triangle", "quadrilateral"])
def test_rigid_motions_have_no_energy_and_no_force(corners: np.ndarray) -> None:
    rng = np.random.default_rng(5)
    placed = tuple((np.zeros(3), np.eye(3)) for _ in corners)
    element = membrane_element("web", tuple(range(1, len(corners) + 1)), placed, matrices(corners))
    for _ in range(5):
        R, x = random_rotation(rng), rng.normal(size=3)
        poses = np.array([pose(x + R @ np.append(c, 0.0), random_rotation(rng)) for c in corners])
        still = np.zeros((len(corners), 6))
        assert np.abs(residual(Probe(element, poses, still, still, np.zeros(0)))).max() < 1e-13


def test_mass_of_a_rectangle_is_the_consistent_one() -> None:
    rectangle = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])
    expected = 7.0 * 0.1 * 2.0 / 36.0 * np.array([(4, 2, 1, 2), (2, 4, 2, 1), (1, 2, 4, 2), (2, 1, 2, 4)])
    assert matrices(rectangle).mass == pytest.approx(expected, rel=1e-12)
