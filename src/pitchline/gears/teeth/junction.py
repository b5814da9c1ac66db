"""Where fillet and involute of an external tooth meet: the form line.

A rounded rack tip without protuberance passes into its straight flank smoothly. The involute then begins at the roll
length  L_F = r sin α_t + X_F / sin α_t  of the last point X_F of the straight flank. Where that is negative the tip of
the rack cuts into the involute (undercut), and where there is a protuberance it does so on purpose: both curves then
cross, and the crossing P_fillet(u) = P_involute(L) is found by bisection and finished by Newton's method.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ...errors import ModelError
from ..inputs import in_deg, in_mm
from .arrays import FloatArray
from .envelope import RackFillet
from .involute_flank import InvoluteFlank

__all__ = ["Junction"]

_SAMPLES = 400
_BISECTIONS = 40
_NEWTON_STEPS = 4
_SLIGHT = 1e-4
"""Roll lengths of this part of the base radius may be lost in rounding: the curves differ by their cubes there."""


class Junction:
    """Ends of fillet and involute at any face coordinate ζ; `undercut`: whether the rack tip cuts into it."""

    def __init__(self, flank: InvoluteFlank, fillet: RackFillet) -> None:
        self.flank, self._fillet = flank, fillet
        self._straight = not fillet.rack.tilt
        self._known: tuple[float, float, bool] | None = None
        if self._straight:
            u, L, cut = self._solve(np.zeros(1))
            self._known = float(u[0]), float(L[0]), bool(cut[0])

    def _both(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
        zz = np.asarray(z, dtype=np.float64)
        if self._known is not None:
            u, L, cut = self._known
            return np.full_like(zz, u), np.full_like(zz, L), np.full(zz.shape, cut)
        flat, where = np.unique(zz, return_inverse=True)
        found_u, found_L, found = self._solve(flat)
        return (found_u[where].reshape(zz.shape), found_L[where].reshape(zz.shape), found[where].reshape(zz.shape))

    def fillet(self, z: npt.ArrayLike) -> FloatArray:
        """u of the fillet where it ends."""
        return self._both(z)[0]

    def roll_length(self, z: npt.ArrayLike) -> FloatArray:
        """L_F [m] where the involute begins."""
        return self._both(z)[1]

    def undercut(self, z: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether the rack tip cuts into the involute there; also where a protuberance does."""
        return self._both(z)[2]

    def _solve(self, z: FloatArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
        flank, fillet, rack = self.flank, self._fillet, self._fillet.rack
        alpha = flank.pressure_angle
        X, _ = rack.transverse(*rack.corner, fillet.side)
        L = rack.reference_radius * math.sin(alpha) + (X + z * rack.rise) / math.sin(alpha)
        u = np.full_like(z, fillet.last)
        cut = -1e-13 * rack.module > L
        if rack.protuberance:
            cut = np.ones_like(cut)
        if cut.any():
            u[cut], L[cut] = self._crossing(z[cut], L[cut] > -_SLIGHT * flank.base_radius)
        return u, np.maximum(L, 0.0), cut

    def _ahead(self, u: FloatArray, z: FloatArray) -> FloatArray:
        """How far the fillet lies outside the tooth [rad], which is taken to go on radially inside the base cylinder."""
        P = self._fillet.section(u, z)
        r = np.abs(P)
        side = self.flank.side
        angle = side * np.angle(P * np.exp(-1j * self.flank.twist * z)) + side * self.flank.twist * z
        return angle - self.flank.half_angle(r, z)

    def _crossing(self, z: FloatArray, slight: npt.NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
        """u and L where the curves cross; where the undercut is too slight to be seen, the ends of both."""
        fillet, flank = self._fillet, self.flank
        # a slight undercut ends close to the end of the rounding, whatever its size: samples get denser there
        grid = np.union1d(np.linspace(0.0, fillet.last, _SAMPLES + 1), 1.0 - np.geomspace(1e-8, 1.0, _SAMPLES + 1))
        inside = self._ahead(grid, z[:, None]) < 0.0
        # the first passage from inside to outside of the involute, seen from the root
        high_enough = np.abs(fillet.section(grid, z[:, None])) >= flank.base_radius
        passages = inside[:, :-1] & ~inside[:, 1:] & high_enough[:, 1:]
        found = passages.any(axis=1)
        if not (found | slight).all():
            raise ModelError(
                f"teeth: the undercut removes the whole involute (base diameter {in_mm(2 * flank.base_radius)}); "
                "use more teeth, a larger profile_shift or a smaller dedendum_factor"
            )
        k = np.argmax(passages, axis=1)
        low, high = grid[k], grid[k + 1]
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            below = self._ahead(middle, z) < 0.0
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        u = high
        L = flank.roll_length(np.abs(fillet.section(u, z)))
        for _ in range(_NEWTON_STEPS):
            a, b = fillet.derivatives(u, z), flank.derivatives(L, z)
            F = a.P - b.P
            # P_u du − P_L dL = −F
            det = -a.u.real * b.u.imag + a.u.imag * b.u.real
            good = np.abs(det) > 1e-12 * np.abs(a.u) * (np.abs(b.u) + 1e-300)
            safe = np.where(good, det, 1.0)
            u = u + np.where(good, (F.real * b.u.imag - F.imag * b.u.real) / safe, 0.0)
            L = L + np.where(good, (F.real * a.u.imag - F.imag * a.u.real) / safe, 0.0)
        self._check_protuberance(u, z)
        return np.where(found, u, fillet.last), np.where(found, L, 0.0)

    def _check_protuberance(self, u: FloatArray, z: FloatArray) -> None:
        """The curve of the protuberance flank, where it is part of the tooth, must not be undercut itself."""
        rack, start = self._fillet.rack, self._fillet.curve(np.ones(1))
        alpha = math.atan(1.0 / abs(float(start.q[0])))
        begin = rack.reference_radius * math.sin(alpha) + (start.X[0] + z * rack.rise) / math.sin(alpha)
        if ((u > 1.0) & (begin < 0.0)).any():
            raise ModelError(
                f"teeth: the rounded tip of the rack undercuts its own protuberance flank of "
                f"{in_deg(rack.protuberance_angle)}. Specify a protuberance_angle closer to the pressure angle, or less "
                "protuberance"
            )
