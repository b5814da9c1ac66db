"""Hexahedra against what linear elasticity says: patch test, rigid motions, Lamé's cylinder, bending, mass."""

import functools

import numpy as np
import pytest
from references.hex_grids import annulus, box, cylinder, distorted, dofs, nodes_where
from references.natural_frequencies import natural_frequencies
from references.observed_order import observed_order

from pitchline.fem.elasticity import mass_matrix, stiffness_and_mass, stiffness_matrix
from pitchline.fem.element_matrices import element_stiffnesses
from pitchline.fem.hexahedra import REFERENCE_NODES
from pitchline.fem.solid_grid import SolidGrid, nodal_stresses, point_strains, point_stresses, von_mises
from pitchline.fem.sparse_solver import factorise
from pitchline.fem.surface_loads import faces_among, pressure_loads
from pitchline.fem.tooth_sector import rigid_modes, rigid_properties
from pitchline.parts.gears.geometry.inputs import Material

STEEL = Material("steel", density=7850.0, youngs_modulus=2.1e11, poissons_ratio=0.3)
FORMULATIONS = [(1, "incompatible"), (1, "full"), (2, "full"), (2, "reduced")]
each_formulation = pytest.mark.parametrize(("order", "formulation"), FORMULATIONS)


def solved(K, fixed: np.ndarray, values: np.ndarray | float, loads: np.ndarray) -> np.ndarray:
    """u with K u = loads where u[fixed] = values."""
    u = np.zeros(K.shape[0])
    u[fixed] = values
    free = np.setdiff1d(np.arange(len(u)), fixed)
    u[free] = factorise(K[free][:, free]).solve((loads - K @ u)[free])
    return u


@each_formulation
class TestPatch:
    """A linear displacement field is a solution of elasticity; a grid of any shape must reproduce it exactly."""

    STRAIN = np.array([[1.0, 0.4, -0.2], [0.1, -0.6, 0.5], [0.3, 0.7, 0.8]]) * 1e-3
    """du_i/dx_j."""

    def test_linear_field_inside_from_its_values_on_the_boundary(self, order: int, formulation: str) -> None:
        grid = distorted(box((1.0, 1.2, 0.8), (3, 3, 3), order=order), 0.25)
        K = stiffness_matrix(grid, STEEL, formulation=formulation)
        low, high = grid.nodes.min(axis=0), grid.nodes.max(axis=0)
        outside = np.flatnonzero((np.isclose(grid.nodes, low) | np.isclose(grid.nodes, high)).any(axis=1))
        assert len(outside) < len(grid.nodes)
        exact = grid.nodes @ self.STRAIN.T
        u = solved(K, dofs(outside), exact[outside].ravel(), np.zeros(K.shape[0]))
        np.testing.assert_allclose(u.reshape(-1, 3), exact, atol=1e-13)
        # and its strains and stresses are constant
        eps = (self.STRAIN + self.STRAIN.T) / 2
        strains = point_strains(grid, u, STEEL, formulation=formulation)
        expected = np.array([eps[0, 0], eps[1, 1], eps[2, 2], 2 * eps[0, 1], 2 * eps[1, 2], 2 * eps[2, 0]])
        np.testing.assert_allclose(strains, np.broadcast_to(expected, strains.shape), atol=1e-13)
        lame, shear = 0.3 * 2.1e11 / (1.3 * 0.4), 2.1e11 / 2.6
        sigma = lame * np.trace(eps) * np.eye(3) + 2 * shear * eps
        stresses = nodal_stresses(grid, u, STEEL, formulation=formulation)
        expected = sigma[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]
        np.testing.assert_allclose(stresses, np.broadcast_to(expected, stresses.shape), atol=1e-9 * abs(sigma).max())

    def test_uniform_tension_of_a_free_block(self, order: int, formulation: str) -> None:
        """Consistent forces of a constant traction, six supports only: u_x = σ x/E, u_y = -ν σ y/E, exactly."""
        grid = distorted(box((2.0, 1.0, 1.0), (3, 2, 2), order=order), 0.25)
        K = stiffness_matrix(grid, STEEL, formulation=formulation)
        sides = [nodes_where(grid, lambda x, y, z, at=at: np.isclose(x, at)) for at in (0.0, 2.0)]
        loads = sum(pressure_loads(grid, faces_among(grid, side), -3e8) for side in sides)
        corner = [int(np.argmin(((grid.nodes - p) ** 2).sum(axis=1))) for p in ([0, 0, 0], [2, 0, 0], [0, 1, 0])]
        held = np.array(
            [[corner[i], component] for i, component in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
        ) @ [3, 1]
        u = solved(K, held, 0.0, loads).reshape(-1, 3)
        np.testing.assert_allclose(u, grid.nodes * [1.0, -0.3, -0.3] * 3e8 / 2.1e11, atol=1e-14)


@each_formulation
class TestRigidMotions:
    def test_no_force_and_six_zero_eigenvalues(self, order: int, formulation: str) -> None:
        grid = distorted(annulus(0.5, 1.0, 0.4, (2, 3, 2), order=order, angle=1.0), 0.2, inside_only=False)
        K = stiffness_matrix(grid, STEEL, formulation=formulation)
        assert abs(K @ rigid_modes(grid.nodes)).max() < 1e-14 * abs(K).max() * K.shape[0]
        values = np.linalg.eigvalsh(K.toarray()) / abs(K).max()
        assert abs(values[:6]).max() < 1e-13
        assert values[6] > 1e-4

    def test_one_element_alone(self, order: int, formulation: str) -> None:
        """Six modes without energy; reduced integration of 20 nodes has six more: 60 - 8 points of 6 strains each."""
        coordinates = REFERENCE_NODES[None, : 8 if order == 1 else 20]
        K = element_stiffnesses(coordinates, youngs_modulus=1.0, poissons_ratio=0.3, formulation=formulation)[0]
        values = np.linalg.eigvalsh(K)
        free = 12 if formulation == "reduced" else 6
        assert abs(values[:free]).max() < 1e-13
        assert values[free] > 1e-2

    def test_reduced_integration_needs_more_than_a_row(self, order: int, formulation: str) -> None:
        """In a row of single elements, clamped at its end, each keeps one mode without energy; two rows keep none."""
        zeros = []
        for across in (1, 2):
            grid = box((3.0, across, 1.0), (3, across, 1), order=order)
            K = stiffness_matrix(grid, STEEL, formulation=formulation)
            free = np.setdiff1d(np.arange(K.shape[0]), dofs(nodes_where(grid, lambda x, y, z: x < 1e-9)))
            values = np.linalg.eigvalsh(K[free][:, free].toarray()) / abs(K).max()
            zeros.append(int((abs(values) < 1e-12).sum()))
        assert zeros == ([3, 0] if formulation == "reduced" else [0, 0])

    def test_a_turned_body_has_turned_matrices(self, order: int, formulation: str) -> None:
        grid = distorted(box((1, 1, 1), (2, 1, 1), order=order), 0.2, inside_only=False)
        R = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
        R *= np.linalg.det(R)
        turned = SolidGrid(grid.nodes @ R.T + [0.3, -0.2, 0.9], grid.elements)
        K, M = stiffness_and_mass(grid, STEEL, formulation=formulation)
        K2, M2 = stiffness_and_mass(turned, STEEL, formulation=formulation)
        T = np.kron(np.eye(len(grid.nodes)), R)
        np.testing.assert_allclose(K2.toarray(), T @ K.toarray() @ T.T, atol=1e-12 * abs(K).max())
        np.testing.assert_allclose(M2.toarray(), M.toarray(), atol=1e-13 * abs(M).max())


class TestLame:
    """A long thick cylinder, 1 to 2, under pressure p inside, ends held: Lamé's solution for plane strain.

    u_r = (1 + ν) p a² / (E (b² - a²)) ((1 - 2ν) r + b²/r), σ_r,θ = p a²/(b² - a²) (1 ∓ b²/r²), σ_z = 2 ν p a²/(b² - a²).
    """

    A, B, P = 1.0, 2.0, 1e8

    @classmethod
    @functools.cache
    def run(cls, order: int, formulation: str, n: int) -> tuple[float, float]:
        """Relative errors: of the energy, and largest of the nodal stresses by p."""
        grid = annulus(cls.A, cls.B, 0.5 / n, (n, n, 1), order=order, angle=np.pi / 2)
        radius = np.hypot(*grid.nodes.T[:2])
        K = stiffness_matrix(grid, STEEL, formulation=formulation)
        loads = pressure_loads(grid, faces_among(grid, np.flatnonzero(radius < cls.A * 1.0001)), cls.P)
        held = np.concatenate(
            [
                dofs(nodes_where(grid, lambda x, y, z: np.abs(y) < 1e-9), 1),
                dofs(nodes_where(grid, lambda x, y, z: np.abs(x) < 1e-9), 0),
                dofs(np.arange(len(grid.nodes)), 2),
            ]
        )
        u = solved(K, np.unique(held), 0.0, loads)
        E, nu, c = STEEL.youngs_modulus, STEEL.poissons_ratio, cls.P * cls.A**2 / (cls.B**2 - cls.A**2)
        inner = (1 + nu) * c / E * ((1 - 2 * nu) * cls.A + cls.B**2 / cls.A)
        energy = cls.P * inner * np.pi / 2 * cls.A * 0.5 / n / 2
        s = nodal_stresses(grid, u, STEEL, formulation=formulation)
        r, t, z = c * (1 - cls.B**2 / radius**2), c * (1 + cls.B**2 / radius**2), 2 * nu * c
        exact = np.sqrt(((r - t) ** 2 + (t - z) ** 2 + (z - r) ** 2) / 2)
        return abs(loads @ u / 2 / energy - 1), float(abs(von_mises(s) - exact).max()) / cls.P

    @each_formulation
    def test_order_of_the_energy(self, order: int, formulation: str) -> None:
        """Energy converges with twice the order of the element: h² and h⁴."""
        errors = [self.run(order, formulation, n)[0] for n in (2, 4, 8)]
        assert observed_order(errors) == pytest.approx(2 * order, abs=0.35)
        assert errors[-1] < (1.3e-2 if order == 1 else 1e-5)

    @each_formulation
    def test_stresses_at_the_nodes_converge(self, order: int, formulation: str) -> None:
        """Continued to the boundary they lose an order there: at least h for 8 nodes, h² for 20."""
        errors = [self.run(order, formulation, n)[1] for n in (2, 4, 8)]
        assert observed_order(errors) > order - 0.3
        assert errors[-1] < (0.15 if order == 1 else 0.035)


class TestBending:
    """Slender bars, ν = 0: the clamp then holds nothing that a beam would not hold too."""

    WOOD = Material("no contraction", density=1.0, youngs_modulus=1e9, poissons_ratio=0.0)

    @pytest.mark.parametrize(("order", "formulation"), [(1, "incompatible"), (2, "full"), (2, "reduced")])
    def test_force_at_the_end_of_a_cantilever(self, order: int, formulation: str) -> None:
        """F L³/3EI + 6/5 F L/GA, Timoshenko's beam of rectangular section."""
        L, H, F = 0.2, 0.01, 100.0
        grid = box((L, H, H), (10, 1, 1) if order == 1 else (20, 2, 2), order=order)
        K = stiffness_matrix(grid, self.WOOD, formulation=formulation)
        end = nodes_where(grid, lambda x, y, z: np.isclose(x, L))
        loads = np.zeros(K.shape[0])
        # consistent forces of a constant shear: those of a pressure, turned from x to z
        loads[2::3] = -pressure_loads(grid, faces_among(grid, end), F / H**2)[0::3]
        u = solved(K, dofs(nodes_where(grid, lambda x, y, z: np.isclose(x, 0))), 0.0, loads)
        beam = F * L**3 / (3 * 1e9 * H**4 / 12) + 1.2 * F * L / (0.5e9 * H**2)
        # 8 nodes: the deflection is a cubic, made of parabolas with the right curvature in the middle: 1/(4 · 10²) less
        assert loads @ u / F == pytest.approx(beam * (0.9975 if order == 1 else 1.0), rel=5e-4)

    @pytest.mark.parametrize(
        ("formulation", "part"), [("incompatible", 1.0), ("full", 1 / 3)], ids=["internal modes", "without"]
    )
    def test_moments_at_both_ends(self, formulation: str, part: float) -> None:
        """u_x = -κ x z with κ = M/EI. The internal modes are the parabola of the true solution, exactly.

        Without them an element of length l and height h answers with shear, too stiff by 1 + (1 - ν)/2 (l/h)² = 3.
        """
        grid = box((4.0, 1.0, 1.0), (2, 1, 1), order=1)
        grid = SolidGrid(grid.nodes - [0.0, 0.5, 0.5], grid.elements)
        K = stiffness_matrix(grid, self.WOOD, formulation=formulation)
        faces = faces_among(grid, nodes_where(grid, lambda x, y, z: np.isclose(x, 0) | np.isclose(x, 4)))
        assert len(faces) == 2
        loads = pressure_loads(grid, faces, 1e6 * grid.nodes[faces][..., 2])
        start = nodes_where(grid, lambda x, y, z: np.isclose(x, 0))
        held = np.unique(np.concatenate([dofs(start, 0), [3 * start[0] + 1, 3 * start[0] + 2, 3 * start[1] + 1]]))
        u = solved(K, held, 0.0, loads).reshape(-1, 3)
        end = grid.nodes[:, 0] > 3.9
        np.testing.assert_allclose(u[end, 0], -part * 1e6 / 1e9 * 4.0 * grid.nodes[end, 2], rtol=1e-10)
        stresses = point_stresses(grid, u, self.WOOD, formulation=formulation)[..., 0]
        assert abs(stresses).max() == pytest.approx(part * 1e6 * 0.5 / np.sqrt(3), rel=1e-10)


class TestMass:
    def test_cylinder_converges_to_its_mass_and_inertia(self) -> None:
        """The parabolas of 20-node elements make an error of h⁴ in the shape of the circle."""
        R, L = 0.03, 0.05
        mass = STEEL.density * np.pi * R**2 * L
        polar, across = mass * R**2 / 2, mass * (3 * R**2 + L**2) / 12
        errors = []
        for n in (2, 4, 8):
            body = rigid_properties(cylinder(R, L, (n, 1), order=2), STEEL)
            np.testing.assert_allclose(body.centre, [0, 0, L / 2], atol=1e-15)
            np.testing.assert_allclose(body.inertia - np.diag(np.diag(body.inertia)), 0, atol=1e-12 * polar)
            errors.append(
                abs(np.array([body.mass / mass, body.inertia[2, 2] / polar, body.inertia[0, 0] / across]) - 1).max()
            )
        assert observed_order(errors) == pytest.approx(4, abs=0.3)
        assert errors[-1] < 3e-5

    @pytest.mark.parametrize("order", [1, 2])
    def test_a_box_is_exact_and_rigid_modes_weigh_what_the_body_does(self, order: int) -> None:
        a, b, c = size = (0.3, 0.2, 0.1)
        grid = distorted(box(size, (2, 2, 2), order=order), 0.3)
        M = stiffness_and_mass(grid, STEEL)[1]
        body = rigid_properties(grid, STEEL, mass=M)
        m = 7850.0 * a * b * c
        assert body.mass == pytest.approx(m, rel=1e-13)
        inertia = m / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
        np.testing.assert_allclose(body.inertia, inertia, atol=1e-12 * m * a * a)
        modes = rigid_modes(grid.nodes, about=body.centre)
        expected = np.zeros((6, 6))
        expected[:3, :3], expected[3:, 3:] = body.mass * np.eye(3), body.inertia
        np.testing.assert_allclose(modes.T @ (M @ modes), expected, atol=1e-13 * m)


def test_longitudinal_waves_of_a_rod() -> None:
    """ν = 0, free ends: f = k/(2L) √(E/ρ). Known errors of elements of length h, with the wave number κ = k π/L:

    20 nodes with consistent mass (κh)⁴/1440 too high; lumped masses too low by an error that grows as (κh)².
    """
    rod = Material("rod", density=1000.0, youngs_modulus=1e9, poissons_ratio=0.0)
    grid = box((1.0, 0.1, 0.1), (10, 1, 1), order=2)
    exact = np.arange(1, 4) / 2 * np.sqrt(1e9 / 1000.0)
    sideways = dofs(np.arange(len(grid.nodes)), 1, 2)
    K, M = stiffness_and_mass(grid, rod)
    f = natural_frequencies(K, M, 4, fixed=sideways, shift=-1e4)
    assert f[0] < 1e-2
    np.testing.assert_allclose(f[1:] / exact - 1, (np.arange(1, 4) * np.pi / 10) ** 4 / 1440, rtol=0.06)
    lumped = natural_frequencies(K, mass_matrix(grid, rod, lumped=True), 3, fixed=sideways, shift=-1e4)
    errors = 1 - lumped[1:] / exact[:2]
    assert 0 < errors[0] < 0.01
    assert observed_order([errors[1], errors[0]]) == pytest.approx(2, abs=0.1)
