"""Results of contact analyses over the mesh cycle: transmission error, stiffness, load sharing, forces of tooth pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import PitchlineError, shown
from pitchline.results.result import Result

__all__ = ["MeshCycle", "check_place", "ToothPairForce", "tooth_pair_forces"]


def check_place(place: object, count: int, what: str) -> None:
    """Check the number of a torque or of a position, counted from 0."""
    if isinstance(place, bool) or not isinstance(place, (int, np.integer)) or not -count <= place < count:
        raise PitchlineError(
            f"loaded contact: {what} is a number from 0 to {count - 1}, in the order of the analysis, got {shown(place)}"
        )


@names_wrong_arguments
class MeshCycle:
    """Quantities that follow from those of each position: t torques, n positions, p pairs of teeth."""

    torque: FloatArray
    phase: FloatArray
    transmission_error: FloatArray
    no_load_error: FloatArray
    tangent_stiffness: FloatArray
    pairs: IntArray
    pair_load: FloatArray
    base_radius: float
    positions_per_pitch: int

    # ----------------------------------------------------------------------------------------------------- of the mesh

    @property
    def force(self) -> FloatArray:
        """F = T/r_b [N] in the transverse plane; (t,). The normal force is F/cos β_b."""
        return np.abs(self.torque) / self.base_radius

    @property
    def transmission_error_angle(self) -> FloatArray:
        """e/r_b [rad] of gear B; (t, n)."""
        return self.transmission_error / self.base_radius

    @property
    def deflection(self) -> FloatArray:
        """Deflection of the teeth [m]: loaded minus no-load transmission error; (t, n)."""
        return self.transmission_error - self.no_load_error

    @property
    def peak_to_peak(self) -> FloatArray:
        """Peak-to-peak transmission error [m]; (t,)."""
        return np.ptp(self.transmission_error, axis=1)

    @property
    def secant_stiffness(self) -> FloatArray:
        """F/deflection [N/m]; (t, n)."""
        return self.force[:, None] / self.deflection

    @property
    def mean_stiffness(self) -> FloatArray:
        """Mean of the tangent stiffness [N/m]; (t,). Divided by the face width: c_γα of ISO 6336-1."""
        return self.tangent_stiffness.mean(axis=1)

    def spectrum(self) -> tuple[FloatArray, FloatArray]:
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
    def load_sharing(self) -> FloatArray:
        """Fraction of the load that each tooth pair carries; (t, n, p)."""
        return self.pair_load / self.pair_load.sum(axis=2, keepdims=True)

    def engagement(self, torque: int = 0) -> tuple[FloatArray, FloatArray]:
        """One pair of teeth from its first contact to its last: phase, from that of tooth 0, and its share of the load.

        Of a run over one pitch; (m,) each, ascending.
        """
        check_place(torque, len(self.torque), "torque")
        place = self.phase[:, None] + self.pairs
        order = np.argsort(place, axis=None, kind="stable")
        return place.ravel()[order], self.load_sharing[torque].ravel()[order]

    @property
    def loaded_contact_ratio(self) -> FloatArray:
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


# ---- tooth pairs

# Forces of single tooth pairs in a mesh with `Flank`.

_SIGNAL = ".pair_forces"
_BOUNCE = 0.05
"""Gaps shorter than this fraction of the record belong to one contact: teeth that bounce."""


@dataclass(frozen=True, eq=False)
class ToothPairForce:
    """One passage of a tooth pair through the mesh: time [s], normal force [N], (n,) each; index of the tooth in the signal."""

    time: FloatArray
    force: FloatArray
    index: int


def tooth_pair_forces(result: Result, pair: str | None = None) -> list[ToothPairForce]:
    """Force of each tooth pair of a gear pair while it was in contact, in the order of their first contact.

    The forces of tooth k are at index k modulo 8; a pair leaves the mesh long before its index is used again.
    """
    name = gear_pair_with_forces(result, pair)
    forces, time = result[f"{name}{_SIGNAL}"].values, result.time
    found = []
    for index, slot in enumerate(forces.T):
        loaded = np.concatenate([[False], slot != 0.0, [False]])
        joined: list[list[int]] = []
        for begin, end in np.flatnonzero(loaded[1:] != loaded[:-1]).reshape(-1, 2):
            if joined and begin - joined[-1][1] < _BOUNCE * len(time):
                joined[-1][1] = int(end)
            else:
                joined.append([int(begin), int(end)])
        found += [ToothPairForce(time[max(b - 1, 0) : e + 1], slot[max(b - 1, 0) : e + 1], index) for b, e in joined]
    return sorted(found, key=lambda one: float(one.time[0]))


def gear_pair_with_forces(result: Result, pair: str | None = None) -> str:
    """The gear pair of a name, or the only one, that has forces of single tooth pairs."""
    able = [name.removesuffix(_SIGNAL) for name in result.signals if name.endswith(_SIGNAL)]
    if not able:
        raise PitchlineError(
            "no gear pair of this result has forces of single tooth pairs; meshes with Flank have them"
        )
    if pair is None and len(able) == 1:
        return able[0]
    if pair not in able:
        raise PitchlineError(f"specify the gear pair: {', '.join(able)}" + (f', got "{pair}"' if pair else ""))
    return pair
