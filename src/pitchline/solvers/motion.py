"""Motion of a run: arrays that the compiled time loop writes, and its record."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..elements.contract import NEVER
from ..math.record_addresses import address, point
from ..system.system import State, System
from ..system.workspace import Workspace
from .run_record import FactoredAxes, Factors, Output, Progress, Run
from .sparse_lu import no_factors

OWN_ARRAYS = ("v", "vd", "a", "vd_before", "lam", "lam_before")
"""Arrays of the accepted motion, in addition to poses, own coordinates and memory, which are in the workspace."""


class Samples(NamedTuple):
    """Samples of a motion: one row each."""

    t: np.ndarray
    pose: np.ndarray  # (n, nodes, 7)
    v: np.ndarray
    vd: np.ndarray
    lam: np.ndarray
    mem: np.ndarray
    own: np.ndarray
    condensed: np.ndarray  # (n, 2, coordinates): values, rates
    work: (
        np.ndarray
    )  # (n, 3): supplied work, dissipated energy, and work of teeth without a potential (part of the first)


def new_samples(room: int, system: System) -> Samples:
    """Allocate memory for samples of a system."""
    s = system
    shapes: dict[str, tuple[int, ...]] = {
        "t": (), "pose": (len(s.ndof), 7), "v": (s.n_q,), "vd": (s.n_q,), "lam": (max(s.n_lam, 1),), "mem": (max(s.n_mem, 1),),
        "own": (s.own.count,), "condensed": (2, s.own.condensed_count), "work": (3,),
    }  # fmt: skip
    return Samples(**{name: np.zeros((room, *shape)) for name, shape in shapes.items()})


class Motion:
    """Accepted motion, progress and options of a run. Together with the factors of the matrix, all data for an exact
    continuation."""

    def __init__(self, system: System, options: np.ndarray) -> None:
        self.system = system
        self.work = Workspace(system)
        rates, forces = np.zeros((5, system.n_q)), np.zeros((2, self.work.lam.size))
        self.v, self.vd, self.a, self.vd_before, self.a0 = rates
        self.lam, self.lam_before = forces
        first, second = address(rates), address(forces)
        self._places = {
            name: first + 8 * system.n_q * i for i, name in enumerate(("v0", "vd0", "a", "vd_before", "a0"))
        } | {name: second + 8 * self.work.lam.size * i for i, name in enumerate(("lam0", "lam_before"))}
        self._progress = np.zeros(1, Progress.dtype)
        self.progress: np.void = self._progress[0]
        self.progress["stride"] = 1
        self._run_words = np.zeros(Run.size, np.int64)
        self._address = address(self._run_words)
        self._run = np.ndarray((1,), Run.dtype, self._run_words)
        self.run: np.void = self._run[0]
        self.run["options"] = options
        self._output = np.zeros(Output.size, np.int64)
        self.factored = np.zeros((len(system.ndof), FactoredAxes.size))
        self._samples: Samples | None = None
        self._fit()

    @property
    def options(self) -> np.void:
        """Options of the run, by name."""
        found: np.void = self.run["options"]
        return found

    @property
    def address(self) -> int:
        """Address of the record of the run."""
        return self._address

    def resize(self) -> None:
        """Adapt arrays that depend on the equations to the current layout. The factors are lost."""
        self.work = Workspace(self.system, like=self.work)
        self._fit()

    def _fit(self) -> None:
        """Make the arrays that depend on the equations, and point the records to them."""
        s = self.system
        self._x, self._b = np.zeros(s.n), np.zeros(s.n)
        dense = s.n if s.dense else 0
        self.dense_factors, self.pivot = np.zeros((dense, dense)), np.zeros(s.n, np.int64)
        self._factors = np.zeros(Factors.size, np.int64)
        self.set_sparse_factors(no_factors())
        y = s.layout
        point(self._factors, Factors, {
            "n": s.n, "n_columns": y.Ap.size, "n_entries": y.Ai.size, "n_dense": dense, "Ap": y.Ap, "Ai": y.Ai,
            "D": self.dense_factors, "pivot": self.pivot,
        })  # fmt: skip
        point(self._run_words, Run, {
            "n_q": s.n_q, "n_lam": self.lam.size, "n": s.n, "progress": self._progress, "system": self.work.address,
            "n_kinks": s.kinks.size, "kinks": s.kinks,
            "factors": self._factors, "factored": self.factored, "output": self._output, "x": self._x, "b": self._b,
            **self._places,
        })  # fmt: skip
        self.progress["have_factors"] = 0

    def set_sparse_factors(self, factors: tuple[np.ndarray, np.ndarray]) -> None:
        """Pivots and fill of the sparse matrix."""
        self.sparse_factors = factors
        integers, floats = factors
        point(
            self._factors,
            Factors,
            {"n_integers": integers.size, "n_floats": floats.size, "integers": integers, "floats": floats},
        )

    def write_to(self, samples: Samples) -> None:
        """Write samples to these arrays from now on."""
        if samples is self._samples:
            return
        values: dict[str, Any] = {"room": len(samples.t), **samples._asdict()}
        if self._samples is None:  # the sizes of a sample stay the same
            for name, array in samples._asdict().items():
                if name not in ("t", "pose", "work"):
                    values["n_q" if name in ("v", "vd") else f"n_{name}"] = math.prod(array.shape[1:])
        self._samples = samples
        point(self._output, Output, values)

    # ---- states

    def set(self, state: State) -> None:
        """Start at a state, with constant accelerations and multipliers before it."""
        self.work.set(state)
        self.v[:], self.vd[:], self.a[:], self.vd_before[:] = state.v, state.vd, state.vd, state.vd
        self.lam[:], self.lam_before[:] = state.lam, state.lam
        self.progress["t"] = state.t

    def first_stop(self) -> float:
        """The first time at which elements require the end of a step."""
        if not self.system.layout.accepts.size:
            return NEVER
        self.work.question(float(self.progress["t"]))
        self.work.place()
        self.work.accept()
        return float(self.work.ask["stop"][0])

    def state(self) -> State:
        """Return the accepted motion as a new state."""
        w = self.work
        arrays = (w.pose0, self.v, self.vd, self.lam, w.mem, w.own0, w.condensed)
        return State(float(self.progress["t"]), *(x.copy() for x in arrays))

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays for an exact continuation, by name; not copies."""
        w = self.work
        return {name: getattr(self, name) for name in OWN_ARRAYS} | {
            "pose": w.pose0, "own": w.own0, "mem": w.mem, "condensed": w.condensed, "progress": self._progress,
            "options": self._run["options"], "dense_factors": self.dense_factors, "pivot": self.pivot,
            "factored": self.factored,
        }  # fmt: skip
