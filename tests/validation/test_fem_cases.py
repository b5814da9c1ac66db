"""Natural frequencies of a shaft and of an annular plate against beam and plate theory."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from references.hex_grids import annulus, cylinder, dofs, nodes_where
from references.natural_frequencies import natural_frequencies
from scipy.linalg import expm
from scipy.optimize import brentq

from pitchline.fem.elasticity import stiffness_and_mass
from pitchline.fem.solid_grid import SolidGrid
from pitchline.fem.sparse_solver import factorise
from pitchline.fem.surface_loads import faces_among, pressure_loads
from pitchline.parts.gears.geometry.inputs import Material

STEEL = Material("steel", density=7850.0, youngs_modulus=2.1e11, poissons_ratio=0.3)


@functools.cache
def shaft(across: int, along: int) -> tuple[SolidGrid, Any, Any]:
    """A round steel shaft, length 200 mm, diameter 20 mm: grid, K and M."""
    grid = cylinder(0.01, 0.2, (across, along), order=2)
    return grid, *stiffness_and_mass(grid, STEEL)


COWPER = 6 * (1 + 0.3) / (7 + 6 * 0.3)
"""Shear coefficient of the circle for ν = 0.3: G. R. Cowper, Journal of Applied Mechanics 33 (1966) 335-340."""
HUTCHINSON = 6 * (1 + 0.3) ** 2 / (7 + 12 * 0.3 + 4 * 0.3**2)
"""The same for vibrations: J. R. Hutchinson, Journal of Applied Mechanics 68 (2001) 87-92."""


def timoshenko(ends: str, kappa: float, near: Sequence[float]) -> np.ndarray:
    """Frequencies [Hz] of the shaft as Timoshenko's beam, one within 1 % about each of `near`.

    y = (w, φ, EIφ', κGA(w' - φ)) obeys y' = A(ω) y; the free part of exp(A L) is singular at a natural frequency.
    """
    E, rho, L, area = STEEL.youngs_modulus, STEEL.density, 0.2, np.pi * 0.01**2
    second, shear = np.pi / 4 * 0.01**4, kappa * E / 2.6 * area
    unknown = slice(0, 2) if ends == "free" else slice(2, 4)

    def condition(f: float) -> float:
        w2 = (2 * np.pi * f) ** 2
        turning, shift = rho * second * w2, rho * area * w2
        A = np.array([[0, 1, 0, 1 / shear], [0, 0, 1 / (E * second), 0], [0, -turning, 0, -1], [-shift, 0, 0, 0]])
        return float(np.linalg.det(expm(A * L)[2:, unknown]))

    return np.array([brentq(condition, 0.99 * f, 1.01 * f, xtol=1e-9) for f in near])


class TestShaft:
    """Bending and torsion of the shaft, with published and closed-form values."""

    TIMOSHENKO = (359.743415182178, 2182.3145090757084, 5828.461686533498)
    """Clamped at one end."""
    TORSION = 4009.573306347085
    """√(G/ρ)/(4L) of the shaft clamped at one end."""
    TIP_STIFFNESS = 618501.0536754904
    """3 EI/L³ [N/m]."""

    def test_free_bending(self) -> None:
        """No clamp, no difference: elasticity agrees with the beam to the error of the grid, less than 1e-3 here.

        That takes Hutchinson's shear coefficient; Cowper's lies 1e-3 and 2e-3 too low.
        """
        _, K, M = shaft(4, 16)
        f = natural_frequencies(K, M, 10, shift=-1e6)
        assert f[5] < 0.1  # six rigid motions
        np.testing.assert_allclose(f[[6, 8]], f[[7, 9]], rtol=1e-6)
        # Euler's beam, (4.7300², 7.8532²)/2π √(EI/ρA)/L²; rotary inertia and shear take 2 % and 6 % off
        euler = (
            np.array([4.730040744862704, 7.853204624095838]) ** 2 * 0.005 / 0.04 * np.sqrt(2.1e11 / 7850) / (2 * np.pi)
        )
        near = euler * [0.977, 0.942]
        best, usual = timoshenko("free", HUTCHINSON, near), timoshenko("free", COWPER, near)
        np.testing.assert_allclose(f[[6, 8]], best, rtol=1e-3)
        assert (abs(best / f[[6, 8]] - 1) < abs(usual / f[[6, 8]] - 1)).all()

    def test_clamped(self) -> None:
        """The clamp holds the contraction of the cross-section too, which a beam knows nothing of: in effect the shaft is

        shorter by some 3 % of its diameter, and bending 0.5 % higher; the stresses at the rim of the clamp are singular,
        and the last tenths converge slowly from above. Torsion has nothing of this.
        """
        np.testing.assert_allclose(timoshenko("clamped", COWPER, self.TIMOSHENKO), self.TIMOSHENKO, rtol=1e-6)
        coarse, fine = (self.clamped(shaft(*counts)) for counts in ((2, 12), (4, 20)))
        assert (fine[[0, 2, 5]] > self.TIMOSHENKO).all()
        assert (coarse[[0, 2, 5]] > fine[[0, 2, 5]]).all()
        np.testing.assert_allclose(fine[[0, 2, 5]], fine[[1, 3, 6]], rtol=1e-6)
        np.testing.assert_allclose(fine[[0, 2, 5]], self.TIMOSHENKO, rtol=8e-3)
        assert fine[4] == pytest.approx(self.TORSION, rel=1e-6)

    @staticmethod
    def clamped(body: tuple[SolidGrid, Any, Any]) -> np.ndarray:
        grid, K, M = body
        return natural_frequencies(K, M, 7, fixed=dofs(nodes_where(grid, lambda x, y, z: np.abs(z) < 1e-9)))

    def test_stiffness_of_the_tip(self) -> None:
        """With shear, 1/k = L³/3EI + L/κGA; the clamp, as above, three times as much as in half the frequency."""
        grid, K, _ = shaft(4, 20)
        loads = np.zeros(K.shape[0])
        end = faces_among(grid, nodes_where(grid, lambda x, y, z: np.isclose(z, 0.2)))
        loads[0::3] = -pressure_loads(grid, end, 1.0)[2::3]  # a constant traction along x instead of z
        free = np.setdiff1d(np.arange(len(loads)), dofs(nodes_where(grid, lambda x, y, z: np.abs(z) < 1e-9)))
        u = factorise(K[free][:, free]).solve(loads[free])
        stiffness = loads.sum() ** 2 / (loads[free] @ u)
        beam = 1 / (1 / self.TIP_STIFFNESS + 0.2 / (COWPER * 2.1e11 / 2.6 * np.pi * 0.01**2))
        assert beam < stiffness < 1.012 * beam


class TestFreeAnnularPlate:
    """A thin plate with a hole of 0.3 of its radius, both edges free.

    Kirchhoff's theory: Ω = ω a² √(ρh/D) with D = E h³/12(1 - ν²); values for ν = 0.3 from the determinant of Bessel
    functions, as tabulated for other ν by A. W. Leissa, Vibration of Plates, NASA SP-160 (1969), by nodal diameters n.
    """

    KIRCHHOFF = {2: 4.905985103431344, 0: 8.35347567594238, 3: 12.2658283799949}

    def parameters(self, thickness: float) -> np.ndarray:
        """Ω of the lowest elastic modes (n = 2 twice, 0, 3 twice) of the plate with a = 1 m."""
        grid = annulus(0.3, 1.0, thickness, (3, 16, 1), order=2)
        K, M = stiffness_and_mass(grid, STEEL, formulation="reduced")
        scale = np.sqrt(12 * (1 - 0.3**2) * STEEL.density / STEEL.youngs_modulus) / thickness * 2 * np.pi
        f = natural_frequencies(K, M, 11, shift=-((2.0 / scale * 2 * np.pi) ** 2))
        assert f[5] < 1e-3 * f[6]  # six rigid motions
        return f[6:] * scale

    def test_thin_limit(self) -> None:
        """Shear and rotary inertia lower the frequencies by c (h/a)²: two thicknesses tell the limit of none."""
        thick, thin = self.parameters(0.08), self.parameters(0.04)
        expected = np.array([self.KIRCHHOFF[n] for n in (2, 2, 0, 3, 3)])
        assert (thick < thin).all()
        assert (thin < expected).all()
        np.testing.assert_allclose((4 * thin - thick) / 3, expected, rtol=3e-3)
