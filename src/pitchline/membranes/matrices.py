"""Constant matrices of a membrane element: a flat triangle (3 nodes) or quadrilateral (4 nodes) in plane stress.

The strain is that of Green-Lagrange, E = (F^T F - 1)/2 at the integration points, from the positions of the nodes in space; so
rigid motions, however large, have no strain. Quadrilaterals have four enhanced strain modes (Simo and Rifai 1990) for
bending in their plane. Their amplitudes are eliminated here: the energy is a quadratic form of the strains at all
integration points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray

__all__ = ["MembraneMatrices", "membrane_matrices", "plane_stress"]

_G = 1.0 / np.sqrt(3.0)
_POINTS = np.array([(-_G, -_G), (_G, -_G), (_G, _G), (-_G, _G)])
_CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


@dataclass(frozen=True, eq=False)
class MembraneMatrices:
    """Data of one element with n nodes and p integration points.

    Attributes
    ----------
    gradients : (p * n, 2)
        Derivatives of the shape functions with respect to the element axes [1/m].
    rest : (3 p,)
        F^T F/2 without load: components 11, 22, and twice 12.
    stiffness : (3 p, 3 p)
        Stress resultants, times the areas of the points, by strains [N*m].
    initial : (3 p,)
        The same of the prestress [N*m].
    mass : (n, n)
        Consistent mass [kg].
    volumes : (p,)
        Thickness times area of each point [m^3].
    axes : (3, 3)
        Element axes in the axes of the nodes, as columns: x and y in its plane, z its normal.
    """

    gradients: Array
    rest: Array
    stiffness: Array
    initial: Array
    mass: Array
    volumes: Array
    axes: Array


def plane_stress(young: float, poisson: float) -> Array:
    """(3, 3): stresses 11, 22, 12 by strains 11, 22 and twice 12, in plane stress [Pa]."""
    return (
        young
        / (1.0 - poisson**2)
        * np.array([(1.0, poisson, 0.0), (poisson, 1.0, 0.0), (0.0, 0.0, 0.5 * (1.0 - poisson))])
    )


def membrane_matrices(
    points: Array, axes: Array, *, thickness: float, elasticity: Array, density: float, prestress: Array
) -> MembraneMatrices:
    """Matrices of an element.

    points: (n, 3) nodes without load. axes: (3, 3) element axes. elasticity: (3, 3) in element axes [Pa]. prestress: (3,)
    stresses 11, 22, 12 [Pa].
    """
    flat = (points - points[0]) @ axes[:, :2]
    if len(points) == 3:
        J = np.array([flat[1], flat[2]]).T
        found = [(np.array([(-1.0, -1.0), (1.0, 0.0), (0.0, 1.0)]) @ np.linalg.inv(J), 0.5 * float(np.linalg.det(J)))]
        enhanced: list[Array] = [np.zeros((3, 0))]
        shape = [np.full(3, 1.0 / 3.0)]
        mass = density * thickness * found[0][1] / 12.0 * (np.ones((3, 3)) + np.eye(3))
    else:
        found, enhanced, shape = _quadrilateral(flat)
        mass = sum(density * thickness * w * np.outer(N, N) for N, (_, w) in zip(shape, found, strict=True))  # type: ignore[assignment]
    volumes = thickness * np.array([w for _, w in found])
    count = len(found)
    C = np.zeros((3 * count, 3 * count))
    P = np.zeros((enhanced[0].shape[1], 3 * count))
    own = np.zeros((P.shape[0], P.shape[0]))
    rest = np.zeros(3 * count)
    for g, ((dN, _), G) in enumerate(zip(found, enhanced, strict=True)):
        mine = slice(3 * g, 3 * g + 3)
        C[mine, mine] = volumes[g] * elasticity
        P[:, mine] = volumes[g] * G.T @ elasticity
        own += volumes[g] * G.T @ elasticity @ G
        F = points.T @ dN
        metric = F.T @ F
        rest[mine] = 0.5 * metric[0, 0], 0.5 * metric[1, 1], metric[0, 1]
    if len(own):
        C -= P.T @ np.linalg.solve(own, P)
    gradients = np.concatenate([dN for dN, _ in found])
    initial = np.concatenate([volume * prestress for volume in volumes])
    return MembraneMatrices(gradients, rest, 0.5 * (C + C.T), initial, mass, volumes, axes)


def _quadrilateral(flat: Array) -> tuple[list[tuple[Array, float]], list[Array], list[Array]]:
    """For each integration point: gradients (4, 2) and area, enhanced modes (3, 4), shape functions (4,)."""
    centre = flat.T @ (0.25 * _CORNERS)
    back = np.linalg.inv(centre)
    modes = [np.array(m) for m in (((1, 0), (0, 0)), ((0, 0), (0, 1)), ((0, 0.5), (0.5, 0)), ((0, 0.5), (0.5, 0)))]
    found, enhanced, shape = [], [], []
    for xi, eta in _POINTS:
        N = 0.25 * (1.0 + xi * _CORNERS[:, 0]) * (1.0 + eta * _CORNERS[:, 1])
        by = 0.25 * np.stack(
            [_CORNERS[:, 0] * (1.0 + eta * _CORNERS[:, 1]), _CORNERS[:, 1] * (1.0 + xi * _CORNERS[:, 0])], axis=1
        )
        J = flat.T @ by
        size = float(np.linalg.det(J))
        G = np.zeros((3, 4))
        for k, (mode, value) in enumerate(zip(modes, (xi, eta, xi, eta), strict=True)):
            e = float(np.linalg.det(centre)) / size * value * back.T @ mode @ back
            G[:, k] = e[0, 0], e[1, 1], 2.0 * e[0, 1]
        found.append((by @ np.linalg.inv(J), size))
        enhanced.append(G)
        shape.append(N)
    return found, enhanced, shape
