"""Contact law of elastic flanks without a model, called from Python: from approach and angle to forces and energies."""

import numpy as np

from ..math.compiled import A1, F8, I8, entry
from ..math.fields import Fields, record_over
from .flank_law import accept_contact, begin_step, collect, solve_rest, solve_step
from .flank_records import Candidate, ContactMemory, Flanks, Seen, StripScratch

_flanks, _memory, _scratch, _seen = (
    record_over(Flanks),
    record_over(ContactMemory),
    record_over(StripScratch),
    record_over(Seen),
)


@entry
def _rest(s: A1, m: A1, x: A1, w: A1, u: F8, psi: F8) -> I8:
    return solve_rest(_flanks(s, 0), _memory(m, 0), _scratch(w, 0), u, 0.0, psi)


@entry
def _begin(s: A1, m: A1, x: A1, w: A1, h: F8, u: F8, psi: F8):
    begin_step(_flanks(s, 0), _memory(m, 0), _seen(x, 0), _scratch(w, 0), h)
    collect(_flanks(s, 0), _memory(m, 0), _scratch(w, 0), u, 0.0, psi)


@entry
def _solve(s: A1, m: A1, x: A1, w: A1, u: F8, psi: F8) -> I8:
    return solve_step(_flanks(s, 0), _memory(m, 0), _scratch(w, 0), u, 0.0, psi, 0.0, 0.0)


@entry
def _accept(s: A1, m: A1, x: A1, w: A1):
    accept_contact(_flanks(s, 0), _memory(m, 0), _seen(x, 0), _scratch(w, 0))


class FlankAlone:
    """Elastic flanks with their own arrays: records of parameters, memory and scratch, and the motion of the modes."""

    def __init__(self, s: np.ndarray, m: np.ndarray, w: np.ndarray, coordinates: tuple[int, int]) -> None:
        self.s, self.m, self.w = s.copy(), m.copy(), w.copy()
        self._start = self.m.copy()
        self.motion = {gear: np.zeros((3, n)) for gear, n in zip("ab", coordinates, strict=True)}
        """Coordinates, rates and accelerations of the modes."""
        self._x = np.zeros(1, Seen.dtype)
        for gear, rows in self.motion.items():
            self._x[f"modes_{gear}"] = rows.shape[1]
            for row, part in zip(rows, ("", "_rate", "_acceleration"), strict=True):
                self._x[f"c_{gear}{part}"] = row.ctypes.data

    @property
    def records(self) -> tuple[np.ndarray, ...]:
        """Parameters, memory, what is seen, scratch."""
        return self.s, self.m, self._x.view("f8"), self.w

    @property
    def parameters(self) -> np.void:
        """By name; without the arrays."""
        return _named(self.s, Flanks)

    @property
    def memory(self) -> np.void:
        """By name; without the arrays."""
        return _named(self.m, ContactMemory)

    @property
    def scratch(self) -> np.void:
        """By name; without the arrays."""
        return _named(self.w, StripScratch)

    def frequencies(self) -> np.ndarray:
        """Circular frequencies of all modes of both gears [rad/s]."""
        found = []
        for gear in "ab":
            start = Flanks.place(gear)[0]
            one = self.parameters[gear]
            found.append(self.s[start + int(one["omega"]) :][: int(one["modes"])])
        return np.concatenate(found)

    @property
    def candidates(self) -> np.ndarray:
        """Strips near contact, by name."""
        w = self.scratch
        start, size = int(w["candidates"]), int(w["count"]) * Candidate.size
        return self.w[start : start + size].view(Candidate.dtype)

    def forget(self) -> None:
        """Reset to the initial memory."""
        self.m[:] = self._start

    def rest(self, u: float, psi: float) -> bool:
        """Contact in equilibrium with an approach u [m] at an angle psi of wheel A. False: not converged."""
        solved = bool(_rest(*self.records, u, psi))
        if solved:
            _accept(*self.records)
        return solved

    def begin(self, h: float, u: float, psi: float) -> None:
        """Begin a step h [s] that is expected to end near u and psi."""
        _begin(*self.records, h, u, psi)

    def solve(self, u: float, psi: float) -> bool:
        """Contact at the end of the step. False: not converged."""
        return bool(_solve(*self.records, u, psi))

    def accept(self) -> None:
        """The solution becomes the current state."""
        _accept(*self.records)


def _named(values: np.ndarray, record: Fields) -> np.void:
    named: np.void = values[: record.size].view(record.dtype)[0]
    return named
