"""Shape functions, quadrature, assembly and surface loads of hexahedra."""

import numpy as np
import pytest
from references.hex_grids import annulus, box, distorted, nodes_where

from pitchline.errors import ModelError
from pitchline.fem.elasticity import mass_matrix, stiffness_and_mass, stiffness_matrix
from pitchline.fem.element_matrices import element_masses, element_stiffnesses
from pitchline.fem.hexahedra import EDGES, FACES, REFERENCE_NODES, gauss_points, shape_functions, shape_gradients
from pitchline.fem.solid_grid import SolidGrid
from pitchline.fem.surface_loads import face_shapes, faces_among, pressure_loads
from pitchline.parts.gears.geometry.inputs import STEEL

POINTS = np.random.default_rng(3).uniform(-1, 1, (7, 3))


@pytest.mark.parametrize("n", [8, 20])
class TestShapes:
    def test_one_at_its_own_node_and_zero_at_the_others(self, n: int) -> None:
        np.testing.assert_allclose(shape_functions(n, REFERENCE_NODES[:n]), np.eye(n), atol=1e-15)

    def test_gradients_are_derivatives(self, n: int) -> None:
        step = 1e-5
        for i in range(3):
            d = step * np.eye(3)[i]
            difference = (shape_functions(n, POINTS + d) - shape_functions(n, POINTS - d)) / (2 * step)
            np.testing.assert_allclose(shape_gradients(n, POINTS)[:, i], difference, atol=1e-9)

    def test_polynomials_are_reproduced(self, n: int) -> None:
        """All of degree 1; with 20 nodes all of degree 2."""
        x, y, z = REFERENCE_NODES[:n].T
        u, v, w = POINTS.T
        fields = [(1 + x - 2 * y + z, 1 + u - 2 * v + w)]
        if n == 20:
            fields.append((x**2 - y * z + 3 * z**2 + x * y, u**2 - v * w + 3 * w**2 + u * v))
        for nodal, true in fields:
            np.testing.assert_allclose(shape_functions(n, POINTS) @ nodal, true, atol=1e-14)


def test_mid_edges_lie_between_their_corners_and_faces_point_outwards() -> None:
    for e, (a, b) in enumerate(EDGES):
        np.testing.assert_array_equal(REFERENCE_NODES[8 + e], (REFERENCE_NODES[a] + REFERENCE_NODES[b]) / 2)
    for face in FACES:
        p = REFERENCE_NODES[list(face)]
        normal = np.cross(p[1] - p[0], p[3] - p[0])
        assert normal @ p[:4].mean(axis=0) > 0
        np.testing.assert_array_equal(p[4:], (p[:4] + np.roll(p[:4], -1, axis=0)) / 2)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_gauss_rule_is_exact_to_its_degree_and_no_further(n: int) -> None:
    points, weights = gauss_points(n)

    def integral(power: int) -> float:
        return float(weights @ np.prod(points**power, axis=1))

    for power in range(2 * n):
        exact = 0.0 if power % 2 else (2 / (power + 1)) ** 3
        assert integral(power) == pytest.approx(exact, abs=1e-14)
    assert abs(integral(2 * n) - (2 / (2 * n + 1)) ** 3) > 1e-3


class TestAssembly:
    @pytest.mark.parametrize(("order", "formulation"), [(1, "incompatible"), (1, "full"), (2, "full"), (2, "reduced")])
    def test_sum_of_the_elements(self, order: int, formulation: str) -> None:
        """More elements than are computed at a time: each of them arrives once, at its own place."""
        grid = distorted(box((1, 1, 2), (4, 5, 4), order=order), 0.2)
        K, M = stiffness_and_mass(grid, STEEL, formulation=formulation)
        material = {"youngs_modulus": STEEL.youngs_modulus, "poissons_ratio": STEEL.poissons_ratio}
        places = grid.nodes[grid.elements]
        elements = element_stiffnesses(places, **material, formulation=formulation)
        masses = element_masses(places, density=STEEL.density)
        dense, dense_mass = np.zeros(K.shape), np.zeros((len(grid.nodes),) * 2)
        for nodes, k, m in zip(grid.elements, elements, masses, strict=True):
            where = (3 * nodes[:, None] + np.arange(3)).ravel()
            dense[np.ix_(where, where)] += k
            dense_mass[np.ix_(nodes, nodes)] += m
        np.testing.assert_allclose(K.toarray(), dense, atol=1e-12 * abs(dense).max())
        np.testing.assert_allclose(M.toarray(), np.kron(dense_mass, np.eye(3)), atol=1e-12 * dense_mass.max())

    @pytest.mark.parametrize("order", [1, 2])
    def test_symmetric_to_the_last_digit(self, order: int) -> None:
        K, M = stiffness_and_mass(distorted(box((1, 1, 1), (2, 2, 2), order=order), 0.3), STEEL)
        assert abs(K - K.T).max() <= 1e-15 * abs(K).max()
        assert abs(M - M.T).max() == 0.0

    @pytest.mark.parametrize("order", [1, 2])
    def test_lumped_mass_is_diagonal_positive_and_complete(self, order: int) -> None:
        grid = distorted(box((1, 2, 3), (2, 2, 2), order=order), 0.2)
        lumped = mass_matrix(grid, STEEL, lumped=True)
        assert lumped.nnz == lumped.shape[0]
        assert lumped.diagonal().min() > 0
        assert lumped.sum() / 3 == pytest.approx(6 * STEEL.density, rel=1e-12)

    def test_wrong_formulations_name_the_right_ones(self) -> None:
        with pytest.raises(ModelError, match=r'"reduced" is not one of 8-node .*"incompatible", "full"'):
            stiffness_matrix(box((1, 1, 1), (1, 1, 1), order=1), STEEL, formulation="reduced")
        with pytest.raises(ModelError, match='"incompatible" is not one of 20-node'):
            stiffness_matrix(box((1, 1, 1), (1, 1, 1), order=2), STEEL, formulation="incompatible")

    @pytest.mark.parametrize("order", [1, 2])
    def test_an_element_inside_out_is_named(self, order: int) -> None:
        grid = box((1, 1, 70), (1, 1, 70), order=order)
        elements = grid.elements.copy()
        turned = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19][: elements.shape[1]]
        elements[66] = elements[66][turned]
        with pytest.raises(ModelError, match="element 66 of the grid is inverted"):
            stiffness_and_mass(SolidGrid(grid.nodes, elements), STEEL)


class TestSurfaceLoads:
    @pytest.mark.parametrize("n", [4, 8])
    def test_face_shapes_are_those_of_the_hexahedron_on_its_face(self, n: int) -> None:
        plane = POINTS[:, :2]
        N, dN = face_shapes(n, plane)
        solid = np.column_stack([plane, np.ones(len(plane))])
        n_solid = 8 if n == 4 else 20
        top = list(FACES[1][:n])
        np.testing.assert_allclose(N, shape_functions(n_solid, solid)[:, top], atol=1e-14)
        np.testing.assert_allclose(dN, shape_gradients(n_solid, solid)[:, :2, top], atol=1e-14)

    @pytest.mark.parametrize("order", [1, 2])
    def test_pressure_all_around_is_in_balance(self, order: int) -> None:
        """∮ n dA = 0 and ∮ x × n dA = 0 for any closed surface."""
        grid = distorted(box((1, 1, 1), (2, 2, 2), order=order), 0.3, inside_only=False)
        faces = np.concatenate([faces_among(grid, _side(grid.order, axis, end)) for axis in range(3) for end in (0, 1)])
        assert len(faces) == 24
        f = pressure_loads(grid, faces, 5e6).reshape(-1, 3)
        assert abs(f).max() > 1e5
        np.testing.assert_allclose(f.sum(axis=0), 0, atol=1e-7)
        np.testing.assert_allclose(np.cross(grid.nodes, f).sum(axis=0), 0, atol=1e-7)

    @pytest.mark.parametrize("order", [1, 2])
    def test_pressure_that_varies_has_its_force_and_moment(self, order: int) -> None:
        """p = p0 x on the top of a box, given at the nodes: force p0 a²b/2 downwards, at x = 2a/3."""
        a, b, p0 = 2.0, 3.0, 4e5
        grid = box((a, b, 1), (3, 2, 1), order=order)
        faces = faces_among(grid, nodes_where(grid, lambda x, y, z: z > 1 - 1e-9))
        f = pressure_loads(grid, faces, p0 * grid.nodes[faces, 0]).reshape(-1, 3)
        np.testing.assert_allclose(f.sum(axis=0), [0, 0, -p0 * a**2 * b / 2], atol=1e-6)
        assert f[:, 2] @ grid.nodes[:, 0] == pytest.approx(-p0 * a**3 * b / 3, rel=1e-12)

    def test_pressure_in_a_bore_pushes_outwards(self) -> None:
        ring = annulus(0.01, 0.03, 0.02, (1, 12, 2), order=2)
        faces = faces_among(ring, nodes_where(ring, lambda x, y, z: np.hypot(x, y) < 0.0101))
        f = pressure_loads(ring, faces, 1e6).reshape(-1, 3)
        radial = (f[:, :2] * ring.nodes[:, :2]).sum(axis=1) / np.hypot(*ring.nodes.T[:2])
        # the edges are parabolas through three points of each 30 degrees of the circle
        assert radial.sum() == pytest.approx(1e6 * 2 * np.pi * 0.01 * 0.02, rel=2e-4)


def _side(order: int, axis: int, end: int) -> np.ndarray:
    """Nodes of one side of a distorted unit box of two elements each way, by the places they had before."""
    plain = box((1, 1, 1), (2, 2, 2), order=order)
    return np.flatnonzero(np.abs(plain.nodes[:, axis] - end) < 1e-9)
