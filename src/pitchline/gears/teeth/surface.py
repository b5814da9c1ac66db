"""Surfaces of a tooth as functions: point, normal and curvature over (profile, face) coordinates.

Every surface of a cylindrical or conical wheel is a family of transverse sections. A section is written as a complex
number, so that rotations are products:

    p(u, ζ) = (Re P(u, ζ), Im P(u, ζ), ζ) ,

with the face coordinate ζ along the axis of the gear [m]. From P and its derivatives follow the tangents, the two
fundamental forms and the principal curvatures (do Carmo, Differential Geometry of Curves and Surfaces, 1976, ch. 3).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import ComplexArray, FloatArray

__all__ = ["Forms", "SectionDerivatives", "ToothSurface", "space_point"]


class SectionDerivatives(NamedTuple):
    """P and its partial derivatives by u and ζ; complex arrays of one shape."""

    P: ComplexArray
    u: ComplexArray
    z: ComplexArray
    uu: ComplexArray
    uz: ComplexArray
    zz: ComplexArray


class Forms(NamedTuple):
    """First fundamental form E, F, G and second one L, M, N of the outward normal, L = −n·p_uu: convex is positive."""

    E: FloatArray
    F: FloatArray
    G: FloatArray
    L: FloatArray
    M: FloatArray
    N: FloatArray


def space_point(section: ComplexArray, z: npt.ArrayLike) -> FloatArray:
    """(…, 3) from a transverse section and the axial coordinate."""
    P, zz = np.broadcast_arrays(section, np.asarray(z, dtype=np.float64))
    return np.stack([P.real, P.imag, zz], axis=-1)


class ToothSurface(ABC):
    """One surface of tooth 0: u runs from the middle of the space to the tip of the tooth, ζ along the axis [m].

    Arrays u and ζ of any shapes that broadcast; all points in the axes of the gear [m].
    """

    facing: float
    """Sign of p_u × p_ζ that makes the normal point out of the material."""

    @abstractmethod
    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""

    @abstractmethod
    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives, in closed form."""

    @abstractmethod
    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Where the surface begins and ends in u at the face coordinates ζ."""

    # ------------------------------------------------------------------------------------------- what follows from them

    def point(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """p(u, ζ) [m], (…, 3)."""
        return space_point(self.section(u, z), z)

    def tangents(self, u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """p_u and p_ζ, (…, 3) each."""
        d = self.derivatives(u, z)
        return space_point(d.u, 0.0), space_point(d.z, 1.0)

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material, (…, 3)."""
        n = self.facing * np.cross(*self.tangents(u, z))
        unit: FloatArray = n / np.linalg.norm(n, axis=-1, keepdims=True)
        return unit

    def forms(self, u: npt.ArrayLike, z: npt.ArrayLike) -> Forms:
        """Both fundamental forms."""
        d = self.derivatives(u, z)
        n = self.normal(u, z)
        across = n[..., 0] - 1j * n[..., 1]  # Re(across · Q) is n · q for a transverse vector q
        E = np.abs(d.u) ** 2
        F = (np.conj(d.u) * d.z).real
        G = np.abs(d.z) ** 2 + 1.0
        return Forms(E, F, G, -(across * d.uu).real, -(across * d.uz).real, -(across * d.zz).real)

    def curvatures(self, u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Principal curvatures k_1 >= k_2 [1/m], positive where the material is convex.

        The roots of  (EG − F²) k² − (EN − 2FM + GL) k + (LN − M²) = 0 .
        """
        E, F, G, L, M, N = self.forms(u, z)
        area = E * G - F * F
        mean = 0.5 * (E * N - 2.0 * F * M + G * L) / area
        gauss = (L * N - M * M) / area
        root = np.sqrt(np.maximum(mean * mean - gauss, 0.0))
        return mean + root, mean - root
