"""How far the teeth of a gear move because its body deforms between its seat and its mean motion.

The seat is the bore, or the outside of a ring. An elastic body that floats, with inertia that balances the forces of its teeth,
moves with the mean of its mass. On a shaft the seat moves, and the body twists and shifts between both. Two fields of a disc in
plane stress contain this: of the torque (n = 0) and of the resultant force (n = 1), both from the seat at radius s to the root at
radius R. The displacement of the teeth with the seat held, less that of the floating disc against its mean motion, is the
compliance that the floating disc lacks.
"""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray
from .gear import Gear
from .material import Material

__all__ = ["seat_compliance"]

_RINGS = 80
"""Elements from the seat to the root."""


def seat_compliance(gear: Gear, *, seat: float) -> float:
    """Displacement of the teeth along the transverse line of action by a unit force on it [m/N]. seat: radius of the seat [m]."""
    root = 0.5 * gear.root_diameter
    r = np.geomspace(seat, root, _RINGS + 1)
    width = _widths(gear, 0.5 * (r[1:] + r[:-1]))
    base = 0.5 * gear.base_diameter
    along = min(base / (0.5 * gear.reference_diameter), 1.0)  # cosine of the angle from the hoop to the line of action
    twist = _twist(r, width, gear.material)
    radial, hoop = _shift(r, width, gear.material)
    return base**2 * twist + (1.0 - along**2) * radial + along**2 * hoop


def _widths(gear: Gear, r: FloatArray) -> FloatArray:
    """Thickness of the body [m] at radii: of the face, the web or the hub."""
    face = gear.required_face_width("the twist of an elastic gear")
    width = np.full_like(r, face)
    if gear.body.web_thickness is not None:
        web = r < 0.5 * gear.inside_of_rim
        if gear.body.hub_diameter is not None:
            web &= r > 0.5 * gear.body.hub_diameter
        width[web] = gear.body.web_thickness
    return width


def _twist(r: FloatArray, width: FloatArray, material: Material) -> float:
    """Rotation of the root by a torque [rad/(N m)]: against the held seat, less that against the mean rotation.

    dφ/dr = T(r)/(2π G b r³), where inertia takes up T(r) of the floating disc in proportion to ∫ b r³ dr.
    """
    shear = material.youngs_modulus / (2.0 * (1.0 + material.poissons_ratio))
    by_torque = np.abs(0.5 * (1.0 / r[:-1] ** 2 - 1.0 / r[1:] ** 2)) / (2.0 * np.pi * shear * width)
    inertia = np.abs(width * (r[1:] ** 4 - r[:-1] ** 4))
    share = inertia / inertia.sum()
    carried = np.cumsum(share) - 0.5 * share  # torque in the middle of each element, from the free seat outwards
    floating = np.concatenate([[0.0], np.cumsum(carried * by_torque)])
    mean = float(share @ (0.5 * (floating[1:] + floating[:-1])))
    return float(by_torque.sum()) - (float(floating[-1]) - mean)


def _shift(r: FloatArray, width: FloatArray, material: Material) -> tuple[float, float]:
    """Displacements of the root by a radial and by a tangential unit force there [m/N], as in `_twist`.

    u = U cos θ, v = V sin θ: strains U', (U + V)/r, V' − (U + V)/r; linear elements in r, one point each.
    """
    E, nu = material.youngs_modulus, material.poissons_ratio
    n = len(r)
    K, M = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    law = E / (1.0 - nu * nu) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
    for k in range(n - 1):
        a, b = r[k], r[k + 1]
        R, L = 0.5 * (a + b), b - a
        B = np.array([[-1 / L, 0, 1 / L, 0], [0.5 / R, 0.5 / R, 0.5 / R, 0.5 / R],
                      [-0.5 / R, -1 / L - 0.5 / R, -0.5 / R, 1 / L - 0.5 / R]])  # fmt: skip
        part = slice(2 * k, 2 * k + 4)
        area = np.pi * width[k] * R * abs(L)
        K[part, part] += area * B.T @ law @ B
        M[part, part] += 0.25 * area * np.kron([[1.0, 1.0], [1.0, 1.0]], np.eye(2))
    loads = np.zeros((2 * n, 2))
    loads[-2, 0], loads[-1, 1] = 1.0, -1.0
    held = np.linalg.solve(K[2:, 2:], loads[2:])
    rigid = np.tile([1.0, -1.0], n)
    mass = float(rigid @ M @ rigid)
    balanced = loads - np.outer(M @ rigid, rigid @ loads) / mass
    floating = np.zeros((2 * n, 2))
    floating[2:] = np.linalg.solve(K[2:, 2:], balanced[2:])
    floating -= np.outer(rigid, rigid @ M @ floating) / mass
    both = loads[2:].T @ held - loads.T @ floating
    return float(both[0, 0]), float(both[1, 1])
