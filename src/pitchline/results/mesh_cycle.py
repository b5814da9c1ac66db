"""What contact analyses under load have in common: transmission error, stiffness and load sharing over a part of the mesh cycle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, shown

__all__ = ["MeshCycle", "check_place"]

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]


def check_place(place: object, count: int, what: str) -> None:
    """Check the number of a torque or of a position, counted from 0."""
    if isinstance(place, bool) or not isinstance(place, (int, np.integer)) or not -count <= place < count:
        raise PitchlineError(
            f"loaded contact: {what} is a number from 0 to {count - 1}, in the order of the analysis, got {shown(place)}"
        )


@names_wrong_arguments
class MeshCycle:
    """Quantities that follow from those of each position: t torques, n positions, p pairs of teeth."""

    torque: Array
    phase: Array
    transmission_error: Array
    no_load_error: Array
    tangent_stiffness: Array
    pairs: IntArray
    pair_load: Array
    base_radius: float
    positions_per_pitch: int

    # ----------------------------------------------------------------------------------------------------- of the mesh

    @property
    def force(self) -> Array:
        """F = T/r_b [N] in the transverse plane; (t,). The normal force is F/cos β_b."""
        return np.abs(self.torque) / self.base_radius

    @property
    def transmission_error_angle(self) -> Array:
        """e/r_b [rad] of gear B; (t, n)."""
        return self.transmission_error / self.base_radius

    @property
    def deflection(self) -> Array:
        """Deflection of the teeth [m]: loaded minus no-load transmission error; (t, n)."""
        return self.transmission_error - self.no_load_error

    @property
    def peak_to_peak(self) -> Array:
        """Peak-to-peak transmission error [m]; (t,)."""
        return np.ptp(self.transmission_error, axis=1)

    @property
    def secant_stiffness(self) -> Array:
        """F/deflection [N/m]; (t, n)."""
        return self.force[:, None] / self.deflection

    @property
    def mean_stiffness(self) -> Array:
        """Mean of the tangent stiffness [N/m]; (t,). Divided by the face width: c_γα of ISO 6336-1."""
        return self.tangent_stiffness.mean(axis=1)

    def spectrum(self) -> tuple[Array, Array]:
        """Orders of the mesh frequency, and amplitudes [m] of the transmission error at them; (m,) and (t, m).

        Order 0 is left out. With several pitches there are orders between whole ones.
        """
        n = len(self.phase)
        lines = np.abs(np.fft.rfft(self.transmission_error, axis=1)) * 2.0 / n
        if n % 2 == 0:
            lines[:, -1] *= 0.5
        orders = np.arange(lines.shape[1]) * self.positions_per_pitch / n
        return orders[1:], lines[:, 1:]

    # ----------------------------------------------------------------------------------------------- of pairs of teeth

    @property
    def load_sharing(self) -> Array:
        """Fraction of the load that each tooth pair carries; (t, n, p)."""
        return self.pair_load / self.pair_load.sum(axis=2, keepdims=True)

    def engagement(self, torque: int = 0) -> tuple[Array, Array]:
        """One pair of teeth from its first contact to its last: phase, from that of tooth 0, and its share of the load.

        Of a run over one pitch; (m,) each, ascending.
        """
        check_place(torque, len(self.torque), "torque")
        place = self.phase[:, None] + self.pairs
        order = np.argsort(place, axis=None, kind="stable")
        return place.ravel()[order], self.load_sharing[torque].ravel()[order]

    @property
    def loaded_contact_ratio(self) -> Array:
        """How many pairs of teeth carry load, on average over the cycle; (t,).

        Entry and exit are found between positions, where the share, continued in a straight line, comes to zero.
        """
        return np.array([self._carried(t) for t in range(len(self.torque))])

    def _carried(self, t: int) -> float:
        step, total = 1.0 / self.positions_per_pitch, 0.0
        place = np.rint((self.phase[:, None] - self.phase[0] + self.pairs) * self.positions_per_pitch).astype(np.int64)
        pitches = len(self.phase) / self.positions_per_pitch
        if pitches > 1.0:  # with pitch errors pairs differ: count positions
            return float((self.pair_load[t] > 0.0).sum(axis=1).mean())
        share = np.zeros(int(np.ptp(place)) + 3)
        share[place - place.min() + 1] = self.load_sharing[t]
        carrying = np.flatnonzero(share > 0.0)
        total = len(carrying) - 1.0
        for first, inner in ((carrying[0], 1), (carrying[-1], -1)):
            slope = share[first + inner] - share[first]
            total += min(share[first] / slope, 1.0) if slope > 0.0 else 0.5
        return total * step

    def torque_index(self, torque: float) -> int:
        """Index of a torque [N m] in `torque`."""
        found = int(np.argmin(np.abs(self.torque - torque)))
        if not math.isclose(self.torque[found], torque, rel_tol=1e-9):
            known = ", ".join(f"{T:g}" for T in self.torque)
            raise PitchlineError(f"loaded contact: no torque of {torque:g} N m was computed, only {known}")
        return found
