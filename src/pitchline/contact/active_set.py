"""Which points of contact carry load: λ >= 0, gap >= 0, λ gap = 0, with a given sum of the forces, compiled.

    gap = g − x 1 + A λ ,     1ᵀ λ = F ,

for the forces λ [N], with the gaps g [m] before any load, the symmetric positive definite compliance A [m/N] and the
approach x [m] of the two bodies. On the set that is taken to touch, gap = 0: with A y = 1 and A z = g,

    x = (F + 1ᵀz) / 1ᵀy ,    λ = x y − z ,    dF/dx = 1ᵀy ,

so that the tangent stiffness comes along. Then points that pull leave the set, points that overlap enter it (a primal-dual
active set, which is a semismooth Newton method: Hintermüller, Ito & Kunisch 2002). From a near set it takes one to three
rounds, roughly solved, and one more for the last digits. Should it go round in circles, points leave at once but enter only when
none pulls, and one at a time (as in Kalker 1990, the NORM algorithm). A is that of the cells of strips, see `strip_compliance`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pitchline.base.types import FloatArray, IntArray
from pitchline.numerics.fields import INTEGER, NUMBER, elsewhere, embedded, fields, packed, record_over
from pitchline.numerics.machine_code.compiled import A1, unlocked_entry

from .compliance import SHARES
from .strip_compliance import Compliance, Vectors, factorise_strips, sinking, solve_two

__all__ = ["CONVERGED", "CYCLED", "INDEFINITE", "CellLoads", "CellSolver", "HatShares"]


CONVERGED, CYCLED, INDEFINITE = 0, 1, 2

_ROUGH, _ACCURACY = 1e-5, 1e-12
"""Of the loads, while the set is being found and at last."""
_ROUGH_ROUNDS = 4
"""At most: errors of the loads can make the set go round in circles."""
_ROUNDS = 25
_CAREFUL_ROUNDS = 400

_ActiveSet = fields(
    "ActiveSet",
    cells=INTEGER,
    gaps=elsewhere("cells"),  # before load [m]
    force=NUMBER,  # of all cells together [N]
    compliance=embedded(Compliance),
    active=elsewhere("cells", of="integer"),  # which cells are taken to touch; changed
    # the answer
    load=elsewhere("cells"),  # [N]
    approach=NUMBER,  # x [m]
    stiffness=NUMBER,  # dF/dx [N/m]
    rounds=INTEGER,
    status=INTEGER,
    # overwritten
    vectors=embedded(Vectors),
    known=elsewhere(2, "cells"),  # y and z of all cells, from which the next round starts
    apart=elsewhere("cells"),  # gaps under load
)
_active_set_at = record_over(_ActiveSet)


@unlocked_entry
def _solve(numbers: A1) -> None:
    """Loads from the set `active` on."""
    s = _active_set_at(numbers, 0)
    c, v = s.compliance, s.vectors
    n, force = s.cells, s.force
    gaps, active, load, known, apart, touching = s.gaps, s.active, s.load, s.known, s.apart, c.touching
    right, yz, r = v.right, v.x, v.r
    s.approach = 0.0
    s.stiffness = 0.0
    for i in range(n):
        known[0, i] = 0.0
        known[1, i] = 0.0
    accuracy = _ROUGH
    for rounds in range(_ROUNDS + _CAREFUL_ROUNDS):
        s.rounds = rounds
        if rounds == _ROUGH_ROUNDS:
            accuracy = _ACCURACY
        m = factorise_strips(c, active, rounds == 0)
        if m == 0:  # the nearest point touches first
            nearest = 0
            for i in range(n):
                if gaps[i] < gaps[nearest]:
                    nearest = i
            active[nearest] = 1
            m = factorise_strips(c, active, False)
        for k in range(m):
            right[0, k] = 1.0
            right[1, k] = gaps[touching[k]]
            yz[0, k] = known[0, touching[k]]
            yz[1, k] = known[1, touching[k]]
        if m < 0 or not solve_two(c, v, accuracy):
            s.status = INDEFINITE
            return
        stiffness = 0.0
        x = force
        for k in range(m):
            stiffness += yz[0, k]
            x += yz[1, k]
        x /= stiffness
        s.approach = x
        s.stiffness = stiffness
        s.rounds = rounds + 1
        for i in range(n):
            load[i] = 0.0
            known[0, i] = 0.0
            known[1, i] = 0.0
            apart[i] = gaps[i] - x
        pulling = 0
        for k in range(m):
            i = touching[k]
            load[i] = x * yz[0, k] - yz[1, k]
            r[0, k] = load[i]
            r[1, k] = 0.0
            if load[i] <= 0.0:
                active[i] = 0
                pulling += 1
            else:
                known[0, i] = yz[0, k]
                known[1, i] = yz[1, k]
        sinking(c, v, r, apart)
        tolerance = -max(1e-9, accuracy) * (abs(x) + abs(force / stiffness))
        overlapping = 0
        worst = -1
        for i in range(n):
            if load[i] == 0.0 and active[i] == 0 and apart[i] < tolerance:
                overlapping += 1
                if worst < 0 or apart[i] < apart[worst]:
                    worst = i
        if pulling == 0 and overlapping == 0:
            if accuracy == _ACCURACY:
                s.status = CONVERGED
                return
            accuracy = _ACCURACY
            continue
        if rounds < _ROUNDS:
            for i in range(n):
                if load[i] == 0.0 and apart[i] < tolerance:
                    active[i] = 1
        elif pulling == 0:
            active[worst] = 1
    s.status = CYCLED


class HatShares(NamedTuple):
    """Of one gear: compliance of its hats [m/N], and for each cell its hats and their shares, see `compliance`."""

    compliance: FloatArray
    entries: IntArray
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class CellLoads:
    """The approach x [m], dF/dx [N/m], loads [N] of the cells, and how they were found: CONVERGED, CYCLED or INDEFINITE."""

    approach: float
    stiffness: float
    loads: FloatArray
    rounds: int
    status: int


class CellSolver:
    """Finds loads of cells, for one contact after the other: arrays and records are made once and grow with the contact."""

    def __init__(self) -> None:
        self._cells = self._hats = self._count = 0

    def _make_room(self, cells: int, hats: int, count: int) -> None:
        """For so many cells and hats at most, and strips of `count` cells."""
        self._cells, self._hats, self._count = cells, hats, count
        work = {
            "touching": np.empty(cells, dtype=np.int64),
            "firsts": np.empty(cells + 1, dtype=np.int64),
            "U": np.empty((count, count)),
            "inverses": np.empty((cells, count)),
            "inverted": np.empty(cells, dtype=np.int64),
        }
        vectors = {name: np.empty((2, cells)) for name in ("right", "x", "r", "z", "p", "d", "q")}
        vectors |= {name: np.empty((2, hats)) for name in ("forces", "answers")}
        own = {"known": np.empty((2, cells)), "apart": np.empty(cells)}
        self._kept = work, vectors, own  # the record holds their addresses
        self._record = packed(_ActiveSet, {"compliance": work, "vectors": vectors, **own})
        self._set = self._record.view(_ActiveSet.dtype)[0]
        self._compliance, self._vectors = self._set["compliance"], self._set["vectors"]
        self._gears = self._compliance["a"], self._compliance["b"]

    def __call__(
        self, laws: FloatArray, a: HatShares, b: HatShares, gaps: FloatArray, force: float, active: IntArray
    ) -> CellLoads:  # fmt: skip
        """Loads of n cells from the set `active` (n,) on, which is changed.

        laws: (strips, count) [m/N] the answer of a strip's cells to a load on one, by their distance in cells; n = strips · count.
        gaps: (n,) before load [m].
        """
        strips, count = laws.shape
        n, hats = strips * count, max(len(a.compliance), len(b.compliance))
        if n > self._cells or hats > self._hats or count != self._count:
            self._make_room(max(n, self._cells), max(hats, self._hats), count)
        loads = np.empty(n)
        s, c, v = self._set, self._compliance, self._vectors
        s["cells"] = c["cells"] = v["cells"] = n
        s["force"] = force
        s["gaps"], s["load"], s["active"] = _address(gaps, n), _address(loads, n), _address(active, n, np.int64)
        c["strips"], c["ends"], v["hats"] = strips, strips + 1, hats
        c["laws"] = _address(laws, n)
        for record, gear in zip(self._gears, (a, b), strict=True):
            size = len(gear.compliance)
            record["size"], record["cells"], record["C"] = size, n, _address(gear.compliance, size * size)
            record["entries"] = _address(gear.entries, SHARES * n, np.int64)
            record["weights"] = _address(gear.weights, SHARES * n)
        _solve(self._record)
        return CellLoads(float(s["approach"]), float(s["stiffness"]), loads, int(s["rounds"]), int(s["status"]))


def _address(array: np.ndarray, size: int, dtype: type = np.float64) -> int:
    """Of an array that compiled code will take as it is."""
    if array.dtype != dtype or array.size != size or not array.flags.c_contiguous:
        raise TypeError(f"expected {size} contiguous numbers of {np.dtype(dtype)}, got {array.shape} of {array.dtype}")
    return int(array.ctypes.data)
