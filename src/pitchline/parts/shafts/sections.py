"""Sections of shafts and beams: stiffness, mass and stresses, with the logarithm of rigid motions.

Section axes: z along the beam, x and y across. A stiffness matrix (6, 6) relates the strain (gamma_x, gamma_y, epsilon_z, kappa_x,
kappa_y, kappa_z) of the line of nodes to the force and moment (F_x, F_y, F_z, M_x, M_y, M_z) about it. A mass matrix (6, 6) relates
the velocity of the section to its momentum per length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from ..gears.geometry.inputs import STEEL, Material, in_mm, number, positive, size

__all__ = [
    "adjoint",
    "coefficients",
    "commutator",
    "exp_se3",
    "inverse_tangent",
    "log_se3",
    "log_so3",
    "skew",
    "checked_matrix",
    "rectangle_torsion",
    "rectangle_torsion_modulus",
    "section_mass",
    "section_stiffness",
    "shear_factor_of_tube",
    "BeamSection",
    "read_material",
    "round_section",
    "ShaftSection",
]


# ---- se3

# Rigid motions as six-vectors (translation, rotation) in body axes: exponential, logarithm and their derivatives.
#
# For d = (v, w): ad_d (u, t) = (w x u + v x t, w x t). The derivative of the logarithm, log(H exp(dh)) = d + T^-1(d)
# dh, is a polynomial of ad_d, because ad_d has the minimal polynomial x (x^2 + phi^2)^2, phi = |w|:
#
# T^-1(d) = 1 + ad/2 + c2 ad^2 + c4 ad^4
#
# (Sonneville, Cardona and Brüls, Comput. Methods Appl. Mech. Engrg. 268, 2014; Selig, Geometric Fundamentals of
# Robotics).

Array = np.ndarray
SERIES_BELOW = 0.05
"""Limit of phi^2 for the series. Below it, their error is below rounding; above it, cancellation is negligible."""


def skew(a: Array) -> Array:
    """Matrix of the cross product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def log_so3(R: Array) -> Array:
    """Rotation vector of a rotation matrix, |w| <= pi. Exact for very small angles and close to pi."""
    a = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = float(np.linalg.norm(a)), 0.5 * (float(np.trace(R)) - 1.0)
    if cosine > -0.9:
        return a * (np.arctan2(sine, cosine) / sine if sine > 1e-8 else 1.0 + sine**2 / 6.0)
    # near 180 deg: quaternion from its largest component, 4 q_i q_j = R_ij + R_ji
    i = int(np.argmax(np.diag(R)))
    j, k = (i + 1) % 3, (i + 2) % 3
    root = np.sqrt(1.0 + R[i, i] - R[j, j] - R[k, k])
    q = np.zeros(3)
    q[i], q[j], q[k] = 0.5 * root, 0.5 * (R[j, i] + R[i, j]) / root, 0.5 * (R[k, i] + R[i, k]) / root
    w = 0.5 * (R[k, j] - R[j, k]) / root
    if w < 0.0:
        q, w = -q, -w
    size = float(np.linalg.norm(q))
    return q * (2.0 * np.arctan2(size, w) / size)


def axis_rotation(before: Array, now: Array) -> Array:
    """Smallest rotation vectors (n, 3) between unit vectors, (n, 3) or (3,) each: angle times axis."""
    across = np.cross(before, now)
    sine = np.linalg.norm(across, axis=-1)
    angle = np.arctan2(sine, np.sum(before * now, axis=-1))
    size = np.where(sine > 1e-12, sine, 1.0)
    return np.asarray(across * np.where(sine > 1e-12, angle / size, 1.0)[..., None])


def coefficients(f2: float) -> tuple[float, float]:
    """c2, c4 of T^-1, for f2 = |rotation|^2."""
    if f2 < SERIES_BELOW:
        c2 = 1 / 12 - f2**2 / 30240 - f2**3 / 604800 - f2**4 / 15966720
        c4 = -1 / 720 - f2 / 15120 - f2**2 / 403200 - f2**3 / 11975040
        return c2, c4
    f = np.sqrt(f2)
    cotangent, sine2 = 1 / np.tan(f / 2), np.sin(f / 2) ** 2
    gamma, slope = f / 2 * cotangent, cotangent / 2 - f / 4 / sine2
    return 2 * (1 - gamma) / f2 + slope / (2 * f), (1 - gamma) / f2**2 + slope / (2 * f**3)


def commutator(d: Array) -> Array:
    """ad_d (6, 6)."""
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = skew(d[3:])
    A[:3, 3:] = skew(d[:3])
    return A


def inverse_tangent(d: Array) -> Array:
    """T^-1(d) (6, 6): log(H exp(dh)) = d + T^-1(d) dh for H = exp(d)."""
    A = commutator(d)
    A2 = A @ A
    c2, c4 = coefficients(float(d[3:] @ d[3:]))
    return np.eye(6) + 0.5 * A + c2 * A2 + c4 * A2 @ A2


def exp_se3(d: Array) -> tuple[Array, Array]:
    """Position and rotation matrix of the motion with the logarithm d."""
    t = d[3:]
    x = float(t @ t)
    if x < SERIES_BELOW:
        sine = 1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72)))
        a = 0.5 - x / 24 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90)))
        b = 1 / 6 - x / 120 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110)))
    else:
        f = np.sqrt(x)
        sine, a, b = np.sin(f) / f, (1 - np.cos(f)) / x, (f - np.sin(f)) / (x * f)
    W = skew(t)
    return d[:3] + a * W @ d[:3] + b * W @ W @ d[:3], np.eye(3) + sine * W + a * W @ W


def log_se3(x: Array, R: Array) -> Array:
    """Logarithm d of the motion to the position x and rotation R."""
    t = log_so3(R)
    f2 = float(t @ t)
    if f2 < SERIES_BELOW:
        c = 1 / 12 + f2 / 720 + f2**2 / 30240 + f2**3 / 1209600 + f2**4 / 47900160
    else:
        c = (1 - 0.5 * np.sqrt(f2) / np.tan(0.5 * np.sqrt(f2))) / f2
    W = skew(t)
    return np.concatenate([x - 0.5 * W @ x + c * W @ W @ x, t])


def adjoint(x: Array, R: Array) -> Array:
    """Ad (6, 6) of a frame at x with axes R: transforms body vectors of that frame to the frame in which x and R are given."""
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = R
    A[:3, 3:] = skew(x) @ R
    return A


# ---- section matrices

# Stiffness and mass matrices of a section from its properties, and checks of matrices from the user.

SYMMETRIC = 1e-9
"""Largest asymmetry, relative to the diagonal, that counts as rounding."""


def shear_factor_of_tube(poissons_ratio: float, ratio: float) -> float:
    """kappa of a hollow circle, ratio = inner / outer diameter (Cowper, J. Appl. Mech. 33, 1966)."""
    nu, m2 = poissons_ratio, ratio * ratio
    a = (1 + m2) ** 2
    return 6 * (1 + nu) * a / ((7 + 6 * nu) * a + (20 + 12 * nu) * m2)


def rectangle_torsion(width: float, height: float) -> float:
    """Torsion constant of a rectangle [m^4], Saint-Venant series."""
    a, b = max(width, height), min(width, height)
    series = sum(math.tanh(n * math.pi * a / (2 * b)) / n**5 for n in range(1, 40, 2))
    return a * b**3 * (1 / 3 - 64 * b / (math.pi**5 * a) * series)


def rectangle_torsion_modulus(width: float, height: float) -> float:
    """W_t [m^3]: the largest shear stress, in the middle of the long side, is M_z / W_t (Saint-Venant)."""
    a, b = max(width, height), min(width, height)
    series = sum(_sech(n * math.pi * a / (2 * b)) / n**2 for n in range(1, 200, 2))
    return rectangle_torsion(width, height) / (b * (1 - 8 / math.pi**2 * series))


def _sech(x: float) -> float:
    return 1 / math.cosh(x) if x < 300 else 0.0


def section_stiffness(
    shear: tuple[float, float],
    axial: float,
    bending: tuple[float, float],
    torsion: float,
    centroid: tuple[float, float],
    shear_centre: tuple[float, float],
    angle: float,
) -> Array:
    """Stiffness (6, 6) about the line of nodes.

    In principal axes: shear (GA_x, GA_y), EA, (EI_x, EI_y), GJ. These axes are rotated by `angle` about z. Axial force and
    bending act about the centroid, shear and torsion about the shear centre. Both points are in beam axes.
    """
    turn = _turned(angle)
    principal = turn @ np.diag([*shear, axial, *bending, torsion]) @ turn.T
    strain = np.eye(6)  # strains at centroid and shear centre from those of the line of nodes
    strain[2, 3], strain[2, 4] = centroid[1], -centroid[0]
    strain[0, 5], strain[1, 5] = -shear_centre[1], shear_centre[0]
    return strain.T @ principal @ strain


def section_mass(mass: float, inertia: tuple[float, float], centroid: tuple[float, float], angle: float) -> Array:
    """Mass (6, 6) about the line of nodes, from mass and rotary inertias about the principal axes, per length."""
    turn = _turned(angle)
    principal = turn @ np.diag([mass, mass, mass, *inertia, sum(inertia)]) @ turn.T
    carry = adjoint(-np.array([*centroid, 0.0]), np.eye(3))
    return carry.T @ principal @ carry


def _turned(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return adjoint(np.zeros(3), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))


def checked_matrix(value: object, what: str, *, definite: bool) -> Array:
    """Read a symmetric matrix (6, 6) without negative eigenvalues. definite: also without zero eigenvalues."""
    try:
        matrix = np.array(value, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected a 6x6 matrix of numbers in SI units", about=what) from None
    if matrix.shape != (6, 6) or not np.all(np.isfinite(matrix)):
        raise ModelError(f"{what}: expected a 6x6 matrix of finite numbers, got the shape {matrix.shape}", about=what)
    size = np.sqrt(np.abs(np.diag(matrix)))
    scale = np.outer(size, size)
    skewness = np.abs(matrix - matrix.T)
    worst = np.unravel_index(int(np.argmax(skewness - SYMMETRIC * scale)), (6, 6))
    if skewness[worst] > SYMMETRIC * scale[worst]:
        i, j = int(worst[0]), int(worst[1])
        raise ModelError(
            f"{what}: must be symmetric, got {matrix[i, j]:g} in row {i + 1}, column {j + 1} but {matrix[j, i]:g} in "
            "the mirrored position",
            about=what,
        )
    matrix = 0.5 * (matrix + matrix.T)
    units = np.where(size > 0, size, 1.0)
    lowest = float(np.linalg.eigvalsh(matrix / np.outer(units, units))[0])
    if lowest < (1e-12 if definite else -1e-9):
        needs = "positive definite: every strain needs energy" if definite else "without negative eigenvalues"
        raise ModelError(
            f"{what}: must be {needs}; its lowest eigenvalue, scaled by the diagonal, is {lowest:.3g}", about=what
        )
    return matrix


Pair = tuple[float, float]


@names_wrong_arguments
@dataclass(frozen=True, init=False, eq=False)
class BeamSection:
    """Constant section of a beam.

    `BeamSection.circle`, `.tube`, `.rectangle` and `.from_properties` make common sections. `BeamSection(stiffness=, mass=)`
    takes the matrices directly. Axes: z along the beam, x and y across.

    Attributes
    ----------
    stiffness : (6, 6)
        Force and moment per strain, about the line of nodes [N, N m, N m²]
    mass : (6, 6)
        Momentum per length and velocity, about the line of nodes [kg/m, kg, kg m]
    area : float
        [m²]; 0 if unknown
    bending_moduli : (2,)
        Section moduli W_x, W_y [m³] for stresses due to the moments about the principal axes; 0 if unknown
    torsion_modulus : float
        W_t [m³]; 0 if unknown
    round : bool
        Circle or tube: the bending stress follows from the resultant moment.
    centroid, shear_centre : (2,)
        x and y from the line of nodes [m]
    angle : float
        Angle of the principal axes from x and y [rad]
    shape : str
        "circle", "tube", "rectangle", "properties" or "matrices"
    given : mapping
        Arguments of its constructor, in SI units
    """

    stiffness: Array
    mass: Array
    area: float
    bending_moduli: Pair
    torsion_modulus: float
    round: bool
    centroid: Pair
    shear_centre: Pair
    angle: float
    shape: str
    given: Mapping[str, Any] = field(repr=False)

    def __init__(self, *, stiffness: object, mass: object) -> None:
        what = Subject("beam section")
        K = checked_matrix(stiffness, what / "stiffness", definite=True)
        M = checked_matrix(mass, what / "mass", definite=False)
        _fill(self, K, M, shape="matrices", given={"stiffness": K, "mass": M})

    @classmethod
    def circle(
        cls, diameter: object, *, inner: object = 0.0, material: Material = STEEL, centroid: object = (0.0, 0.0)
    ) -> BeamSection:
        """Make a circle or tube. The shear factor is that of Cowper (1966).

        Parameters
        ----------
        diameter
            Outer diameter [m].
        inner
            Inner diameter [m]. Default 0: solid.
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        """
        what = Subject("beam section")
        outer = positive(diameter, "length", what / "diameter")
        bore = size(inner, "length", what / "inner")
        if bore >= outer:
            raise ModelError(
                f"{what}: the inner diameter {in_mm(bore)} must be smaller than the outer diameter {in_mm(outer)}",
                about=what.at("inner"),
            )
        at = _pair(centroid, "length", what / "centroid")
        given = {"diameter": outer, "inner": bore, "material": read_material(material, what), "centroid": at}
        return _round(outer, bore, material, at, "circle", given)

    @classmethod
    def tube(
        cls, outer: object, wall: object, *, material: Material = STEEL, centroid: object = (0.0, 0.0)
    ) -> BeamSection:
        """Make a tube from its outer diameter and wall thickness.

        Parameters
        ----------
        outer
            Outer diameter [m].
        wall
            Wall thickness [m].
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        """
        what = Subject("beam section")
        diameter = positive(outer, "length", what / "outer")
        thickness = positive(wall, "length", what / "wall")
        if 2 * thickness > diameter * (1 + 1e-12):
            raise ModelError(
                f"{what}: the wall thickness of {in_mm(thickness)} is more than half the outer diameter {in_mm(diameter)}",
                about=what.at("wall"),
            )
        at = _pair(centroid, "length", what / "centroid")
        given = {"outer": diameter, "wall": thickness, "material": read_material(material, what), "centroid": at}
        return _round(diameter, max(diameter - 2 * thickness, 0.0), material, at, "tube", given)

    @classmethod
    def rectangle(
        cls,
        width: object,
        height: object,
        *,
        material: Material = STEEL,
        centroid: object = (0.0, 0.0),
        angle: object = 0.0,
    ) -> BeamSection:
        """Make a rectangle. Shear factor 10 (1 + ν)/(12 + 11 ν) (Cowper 1966), torsion by Saint-Venant.

        Parameters
        ----------
        width, height
            Dimensions along x and y [m].
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        angle
            Rotation of the rectangle about z [rad]. Default 0.
        """
        what = Subject("beam section")
        b, h = positive(width, "length", what / "width"), positive(height, "length", what / "height")
        m = read_material(material, what)
        at, turn = _pair(centroid, "length", what / "centroid"), quantity(angle, "angle", what=what / "angle")
        shear = 10 * (1 + m.poissons_ratio) / (12 + 11 * m.poissons_ratio) * b * h
        values = _SectionNumbers(
            m, b * h, (b * h**3 / 12, h * b**3 / 12), rectangle_torsion(b, h), (shear, shear),
            (b * h**2 / 6, h * b**2 / 6), rectangle_torsion_modulus(b, h), at, at, turn,
        )  # fmt: skip
        return values.section("rectangle", {"width": b, "height": h, "material": m, "centroid": at, "angle": turn})

    @classmethod
    def from_properties(
        cls,
        area: object,
        second_moments: object,
        torsion_constant: object,
        *,
        shear_areas: object = None,
        bending_moduli: object = None,
        torsion_modulus: object = 0.0,
        material: Material = STEEL,
        centroid: object = (0.0, 0.0),
        shear_centre: object = None,
        angle: object = 0.0,
    ) -> BeamSection:
        """Make a section from tabulated properties.

        Parameters
        ----------
        area
            Area [m²].
        second_moments
            (I_x, I_y) about the principal axes through the centroid [m⁴].
        torsion_constant
            Torsion constant [m⁴].
        shear_areas
            (A_x, A_y) [m²]. Default: 5/6 of the area.
        bending_moduli
            (W_x, W_y) [m³], for stresses. Optional.
        torsion_modulus
            W_t [m³], for stresses. Default 0: unknown.
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        shear_centre
            x and y of the shear centre from the line of nodes [m]. Default: the centroid.
        angle
            Angle of the principal axes from x and y [rad]. Default 0.
        """
        what = Subject("beam section")
        m = read_material(material, what)
        A = positive(area, "area", what / "area")
        I = _pair(second_moments, "m^4", what / "second_moments", above_zero=True)
        J = positive(torsion_constant, "m^4", what / "torsion_constant")
        shear = (5 * A / 6, 5 * A / 6)
        if shear_areas is not None:
            shear = _pair(shear_areas, "area", what / "shear_areas", above_zero=True)
        W = (
            (0.0, 0.0)
            if bending_moduli is None
            else _pair(bending_moduli, "volume", what / "bending_moduli", above_zero=True)
        )
        Wt = size(torsion_modulus, "volume", what / "torsion_modulus")
        at = _pair(centroid, "length", what / "centroid")
        centre = at if shear_centre is None else _pair(shear_centre, "length", what / "shear_centre")
        turn = quantity(angle, "angle", what=what / "angle")
        given = {
            "area": A, "second_moments": I, "torsion_constant": J, "shear_areas": shear, "bending_moduli": W,
            "torsion_modulus": Wt, "material": m, "centroid": at, "shear_centre": centre, "angle": turn,
        }  # fmt: skip
        return _SectionNumbers(m, A, I, J, shear, W, Wt, at, centre, turn).section("properties", given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BeamSection):
            return NotImplemented
        mine, theirs = dict(self.given), dict(other.given)
        return self.shape == other.shape and all(np.array_equal(mine[k], theirs[k]) for k in mine)

    def __hash__(self) -> int:
        return hash((self.stiffness.tobytes(), self.mass.tobytes()))


@dataclass(frozen=True)
class _SectionNumbers:
    """Properties of a section with one material."""

    material: Material
    area: float
    second_moments: Pair
    torsion_constant: float
    shear_areas: Pair
    bending_moduli: Pair
    torsion_modulus: float
    centroid: Pair
    shear_centre: Pair
    angle: float
    round: bool = False

    def section(self, shape: str, given: Mapping[str, Any]) -> BeamSection:
        E, rho = self.material.youngs_modulus, self.material.density
        G = E / 2 / (1 + self.material.poissons_ratio)
        (Ix, Iy), (Ax, Ay) = self.second_moments, self.shear_areas
        K = section_stiffness(
            (G * Ax, G * Ay), E * self.area, (E * Ix, E * Iy), G * self.torsion_constant, self.centroid, self.shear_centre,
            self.angle,
        )  # fmt: skip
        M = section_mass(rho * self.area, (rho * Ix, rho * Iy), self.centroid, self.angle)
        made = object.__new__(BeamSection)
        _fill(
            made, K, M, shape=shape, given=given, area=self.area, bending_moduli=self.bending_moduli,
            torsion_modulus=self.torsion_modulus, round=self.round, centroid=self.centroid,
            shear_centre=self.shear_centre, angle=self.angle,
        )  # fmt: skip
        return made


def round_section(outer: float, inner: float, material: Material) -> BeamSection:
    """Make a circle or ring from checked diameters [m]."""
    return _round(
        outer, inner, material, (0.0, 0.0), "circle", {"diameter": outer, "inner": inner, "material": material}
    )


def _round(
    outer: float, inner: float, material: Material, at: Pair, shape: str, given: Mapping[str, Any]
) -> BeamSection:
    area = math.pi / 4 * (outer**2 - inner**2)
    moment = math.pi / 64 * (outer**4 - inner**4)
    shear = shear_factor_of_tube(material.poissons_ratio, inner / outer) * area
    W = 2 * moment / outer
    values = _SectionNumbers(
        material, area, (moment, moment), 2 * moment, (shear, shear), (W, W), 2 * W, at, at, 0.0, round=True
    )
    return values.section(shape, given)


def _fill(
    section: BeamSection,
    stiffness: Array,
    mass: Array,
    *,
    shape: str,
    given: Mapping[str, Any],
    area: float = 0.0,
    bending_moduli: Pair = (0.0, 0.0),
    torsion_modulus: float = 0.0,
    round: bool = False,
    centroid: Pair = (0.0, 0.0),
    shear_centre: Pair = (0.0, 0.0),
    angle: float = 0.0,
) -> None:
    stiffness.flags.writeable = mass.flags.writeable = False
    values = {
        "stiffness": stiffness, "mass": mass, "area": area, "bending_moduli": bending_moduli, "torsion_modulus": torsion_modulus,
        "round": round, "centroid": centroid, "shear_centre": shear_centre, "angle": angle, "shape": shape,
        "given": MappingProxyType(dict(given)),
    }  # fmt: skip
    for name, value in values.items():
        object.__setattr__(section, name, value)


def read_material(value: object, what: Subject) -> Material:
    """Check that a value is a material, and return it."""
    if not isinstance(value, Material):
        raise ModelError(
            f"{what}: material must be a Material, such as pl.STEEL, got {shown(value)}", about=what.at("material")
        )
    return value


def _pair(value: object, dimension: str, what: Subject, *, above_zero: bool = False) -> Pair:
    if not isinstance(value, list | tuple | np.ndarray) or len(value) != 2:
        raise ModelError(f"{what}: expected two values (x, y), got {shown(value)}", about=what)
    read = positive if above_zero else (lambda v, d, w: quantity(v, d, what=w))
    return read(value[0], dimension, what / 0), read(value[1], dimension, what / 1)


# ---- shaft section

# One section of a stepped shaft: a cylinder or a cone, solid or hollow.


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class ShaftSection:
    """Section of a shaft with a given length: a cylinder, or a cone if `outer_end` or `inner_end` is given.

    Attributes
    ----------
    length : float
        [m]
    outer, outer_end : float
        Outer diameter at the start and at the end [m]
    inner, inner_end : float
        Diameter of the bore at the start and at the end [m]; 0: solid
    material : Material | None
        None: the material of the shaft
    notch_factor : float
        Fatigue notch factor, at least 1: the reported bending stress is the nominal stress times this factor.
    """

    length: float
    outer: float
    inner: float
    outer_end: float
    inner_end: float
    material: Material | None
    notch_factor: float

    def __init__(
        self,
        length: object,
        outer: object,
        *,
        inner: object = 0.0,
        outer_end: object = None,
        inner_end: object = None,
        material: Material | None = None,
        notch_factor: object = 1.0,
    ) -> None:
        what = Subject("shaft section")
        begin = positive(outer, "length", what / "outer")
        bore = size(inner, "length", what / "inner")
        end = begin if outer_end is None else positive(outer_end, "length", what / "outer_end")
        bore_end = bore if inner_end is None else size(inner_end, "length", what / "inner_end")
        for of, hole, where in ((begin, bore, "inner"), (end, bore_end, "inner_end")):
            if hole >= of:
                raise ModelError(
                    f"{what}: the bore {in_mm(hole)} must be smaller than the outer diameter {in_mm(of)} there",
                    about=what.at(where),
                )
        factor = number(notch_factor, what / "notch_factor")
        if factor < 1.0:
            raise ModelError(f"{what}: notch_factor must be at least 1, got {factor:g}", about=what.at("notch_factor"))
        values = {
            "length": positive(length, "length", what / "length"), "outer": begin, "inner": bore, "outer_end": end,
            "inner_end": bore_end, "notch_factor": factor,
            "material": None if material is None else read_material(material, what),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def uniform(self) -> bool:
        """Whether it is a cylinder, with a cylindrical bore or without bore."""
        return self.outer == self.outer_end and self.inner == self.inner_end

    def diameters(self, share: float) -> tuple[float, float]:
        """Outer and inner diameter [m] at a fraction of the length.

        Parameters
        ----------
        share
            Fraction of the length, 0 to 1.
        """
        return (
            self.outer + share * (self.outer_end - self.outer),
            self.inner + share * (self.inner_end - self.inner),
        )

    def at(self, share: float, material: Material) -> BeamSection:
        """Return the section at a fraction of the length.

        Parameters
        ----------
        share
            Fraction of the length, 0 to 1.
        material
            Material of the shaft. It is used unless the section has its own material.
        """
        return round_section(*self.diameters(share), self.material or material)
