"""One side of the teeth of a gear: root, fillet and involute, with its modifications."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...errors import ModelError
from ..arrays import along
from ..gear import Gear
from ..inputs import in_mm
from ..modifications import RIDGE, Deviation, FlankRange, Modification
from .arrays import FloatArray, IntArray
from .involute_flank import InvoluteFlank
from .junction import Junction
from .surface import ToothSurface, space_point

__all__ = ["ToothFlank"]

_BESIDE = np.array([-1e-9, 1e-9])
"""Distances [m] from a line at which its slopes are taken."""


class ToothFlank:
    """The left or right side of the teeth.

    Attributes
    ----------
    involute : InvoluteFlank
        The working flank, over (roll length L, ζ) in m; unmodified.
    fillet, root : ToothSurface
        From the involute to the root, and from there to the middle of the space; over (u, ζ).
    modification : Modification
        Of all teeth; `of_tooth` has what is added on single ones.
    """

    def __init__(
        self,
        gear: Gear,
        involute: InvoluteFlank,
        fillet: ToothSurface,
        root: ToothSurface,
        form: Junction | float,
        tip_radius: Callable[[FloatArray], tuple[FloatArray, float]],
        modification: Modification,
        of_tooth: Mapping[int, Modification],
    ) -> None:
        self.gear, self.involute, self.fillet, self.root = gear, involute, fillet, root
        self.junction = form if isinstance(form, Junction) else None
        self._form = form
        self._tip_radius = tip_radius
        self.modification = modification
        self.of_tooth = of_tooth

    # -------------------------------------------------------------------------------------------- where the flank ends

    def form_roll_length(self, z: npt.ArrayLike) -> FloatArray:
        """L_F(ζ) [m]: where the involute ends towards the root."""
        zz = np.asarray(z, dtype=np.float64)
        return self._form.roll_length(zz) if isinstance(self._form, Junction) else np.full_like(zz, self._form)

    @property
    def conical(self) -> bool:
        """Whether the ends of the flank change along the face: a conical involute gear."""
        return bool(self._tip_radius(np.zeros(1))[1])

    def tip_roll_length(self, z: npt.ArrayLike) -> FloatArray:
        """L_a(ζ) [m]: where the involute ends at the tip."""
        return self.involute.roll_length(self._tip_radius(np.asarray(z, dtype=np.float64))[0])

    def tip_angle(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Polar angle of the tip edge [rad] over ζ, with two derivatives.

        ϑ = s σ (η − inv α_a) + κζ ,  d inv α/dr = L/(r_b r) ,  d² inv α/dr² = (1/L − L/r²)/r_b .
        """
        zz = np.asarray(z, dtype=np.float64)
        r, rise = self._tip_radius(zz)
        flank = self.involute
        L, s = flank.roll_length(r), flank.side
        value = s * flank.half_angle(r, zz)
        if not rise:
            return value, np.full_like(zz, flank.twist), np.zeros_like(zz)
        slope = L / (flank.base_radius * r)
        with np.errstate(divide="ignore"):  # a tip on the base circle
            bend = (1.0 / L - L / r**2) / flank.base_radius
        return value, flank.twist - flank.curl * slope * rise, -flank.curl * bend * rise**2

    @cached_property
    def range(self) -> FlankRange:
        """Form and tip in the middle of the face, and the face width, to which modifications refer."""
        return FlankRange(
            base_radius=self.involute.base_radius,
            form=float(self.form_roll_length(0.0)),
            tip=float(self.tip_roll_length(0.0)),
            face_width=self.gear.required_face_width("a modified flank"),
            sense=self.gear.sense,
        )

    def roll_length(self, diameter: npt.ArrayLike) -> FloatArray:
        """L = sqrt(d² − d_b²)/2 [m] on a circle of a diameter [m]; an error inside the base circle."""
        d = np.asarray(diameter, dtype=np.float64)
        if (d < 2.0 * self.involute.base_radius * (1.0 - 1e-12)).any():
            raise ModelError(
                f"flank: there is no involute at the diameter {in_mm(float(d.min()))}, inside the base circle of "
                f"{in_mm(2.0 * self.involute.base_radius)}. Specify a larger one"
            )
        return self.involute.roll_length(0.5 * d)

    # -------------------------------------------------------------------------------------------------- modified flank

    @property
    def modified(self) -> bool:
        """Whether any tooth departs from the ideal flank."""
        return bool(self.of_tooth) or bool(getattr(self.modification, "parts", True))

    @cached_property
    def ridges(self) -> tuple[FloatArray, FloatArray]:
        """Roll lengths and face coordinates [m] at which the slope of the deviation of a tooth falls in a step.

        The flank has a convex edge there, such as the start of a linear relief. The pressure of ideal bodies has no limit on it.
        """
        lengths: set[float] = set()
        faces: set[float] = set()
        flank, places = self.range, np.linspace(-0.45, 0.45, 3)
        usual = next((k for k in range(self.gear.teeth) if k not in self.of_tooth), 0)
        for tooth in (usual, *self.of_tooth):
            parts = [self.modification, *([self.of_tooth[tooth]] if tooth in self.of_tooth else [])]
            for part in parts:
                at_lengths, at_faces = part.breaks(flank)
                for L in at_lengths:
                    slopes = self.deviation_terms(L + _BESIDE[:, None], places * flank.face_width, tooth).by_length
                    if (slopes[0] - slopes[1]).max() > RIDGE:
                        lengths.add(float(L))
                for z in at_faces:
                    middle = flank.middle + places[:, None] * (flank.tip - flank.form)
                    slopes = self.deviation_terms(middle, z + _BESIDE, tooth).by_face
                    if (slopes[:, 0] - slopes[:, 1]).max() > RIDGE:
                        faces.add(float(z))
        return np.array(sorted(lengths)), np.array(sorted(faces))

    def check_modifications(self) -> None:
        """An error where a modification does not fit the flank, such as a relief that is longer than it."""
        for modification in (self.modification, *self.of_tooth.values()):
            modification.deviation(self.range, np.array([self.range.form, self.range.tip]), np.zeros(2))

    def deviation_terms(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> Deviation:
        """δ(L, ζ) [m] of a tooth with its derivatives by L and ζ."""
        L, zz = along(length, z)
        L, k = np.broadcast_arrays(L, np.asarray(tooth, dtype=np.int64) % self.gear.teeth)
        zz = np.broadcast_to(zz, L.shape)
        if not self.modified:
            zero = np.zeros_like(L)
            return Deviation(zero, zero, zero)
        total = [np.array(term) for term in self.modification.deviation(self.range, L, zz)]
        for number, extra in self.of_tooth.items():
            here = k == number
            if here.any():
                for term, more in zip(total, extra.deviation(self.range, L[here], zz[here]), strict=True):
                    term[here] += more
        return Deviation(*total)

    def deviation(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> FloatArray:
        """δ(L, ζ) [m] along the normal, positive outwards; of one tooth, or of an array of them."""
        return self.deviation_terms(length, z, tooth).value

    def point(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> FloatArray:
        """p + δ n [m], (…, 3): the modified flank of a tooth.

        = (e^{iτ} (r_b + i c (L + σ δ cos β_b)), ζ − s δ sin β_b): along the normal the base tangent is the same.
        """
        flank = self.involute
        L, zz = along(length, z)
        delta = self.deviation(L, zz, tooth)
        beta = flank.base_helix_angle
        arm = L + flank.sense * delta * math.cos(beta)
        turn = flank.direction(L, zz) + self.gear.angular_pitch * np.asarray(tooth, dtype=np.int64)
        P = np.exp(1j * turn) * (flank.base_radius + 1j * flank.curl * arm)
        return space_point(P, zz - flank.side * delta * math.sin(beta))

    def normal(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> FloatArray:
        """The unit normal of the modified flank out of the material, (…, 3).

        From the tangents p_L + δ_L n + δ n_L and p_ζ + δ_ζ n + δ n_ζ, with n_L = (σ cos β_b / r_b) e_r and
        n_ζ = −s κ cos β_b e_r.
        """
        flank = self.involute
        L, zz = along(length, z)
        k: IntArray = np.asarray(tooth, dtype=np.int64)
        turn = np.exp(1j * self.gear.angular_pitch * k)
        d = self.deviation_terms(L, zz, k)
        beta, r_b = flank.base_helix_angle, flank.base_radius
        e_r = np.exp(1j * flank.direction(L, zz))
        ideal = flank.normal(L, zz)
        if not self.modified:
            return space_point((ideal[..., 0] + 1j * ideal[..., 1]) * turn, ideal[..., 2])
        # In the triad (e_r, generator g, n) of the ideal flank: p_L = (L/r_b) e_r, p_ζ = −cκL e_r + g / cos β_b.
        bend = d.value * math.cos(beta)
        a_r, a_n = (L + flank.sense * bend) / r_b, d.by_length
        b_r, b_g, b_n = -flank.twist * flank.side * (flank.sense * L + bend), 1.0 / math.cos(beta), d.by_face
        # (a_r, 0, a_n) × (b_r, b_g, b_n), turned outwards by the sign of its last component
        out_r, out_g, out_n = -a_n * b_g, a_n * b_r - a_r * b_n, a_r * b_g
        size = np.sqrt(out_r**2 + out_g**2 + out_n**2) * np.where(out_n < 0.0, -1.0, 1.0)
        g = 1j * e_r * math.sin(beta), math.cos(beta)
        across = out_r * e_r + out_g * g[0] + out_n * (ideal[..., 0] + 1j * ideal[..., 1])
        along_z = out_g * g[1] + out_n * ideal[..., 2]
        return space_point(across / size * turn, along_z / size)
