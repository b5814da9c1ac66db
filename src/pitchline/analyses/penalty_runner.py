"""Run of a pair of wheels with penalty contact, in the form that the time loop requires."""

from __future__ import annotations

import numpy as np

from ..elements import flank_rk4 as rk
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..math.fields import packed
from ..solvers import penalty_steps
from ..solvers.integrator import Integrator
from ..solvers.motion import Motion
from ..solvers.run_record import Options
from ..solvers.sample_store import SampleStore
from ..system.rank import Rank
from ..system.system import State
from .penalty_pair import PenaltyPair

__all__ = ["PenaltyRunner"]


class PenaltyRunner:
    """Run of a pair with steps h and a sample after every `every`-th step, up to the time `end`."""

    def __init__(self, pair: PenaltyPair, h: float, every: int, end: float) -> None:
        self.pair, self.h, self.every, self.end = pair, h, every, end
        system = pair.system
        drives = [
            (int(system.lam0[e]), pair.map.joint.index(system.model.drives[element.name].joint_name))
            for e, element in enumerate(system.elements[: system.active])
            if element.kind is SCALAR_CONSTRAINT
        ]
        self._drives = np.array(drives, penalty_steps.PenaltyDrive.dtype)
        a, b = pair.condensed
        elements = pair.elements
        further = {} if elements is None else {"by_elements": 1, "elements": elements}
        self._record = packed(
            penalty_steps.PenaltySteps,
            further
            | {
                "pair": pair.record, "wheel_a": pair.map.coordinate[0], "wheel_b": pair.map.coordinate[1],
                "condensed_a": a.start, "condensed_b": b.start, "memory_place": pair.memory.start, "memory": pair.flanks.m,
                "n_drives": len(drives), "drives": self._drives, "shown": np.zeros(rk.WHEELS),
            },
        )  # fmt: skip

    def integrator(self, state: State, rank: Rank) -> tuple[Integrator, SampleStore]:
        """Return the run at its start, with the first sample."""
        options = np.zeros(1, Options.dtype)
        options["fixed"], options["step"], options["interval"], options["every"] = 1, self.h, self.h, self.every
        options["t0"], options["t_end"] = state.t, self.end
        motion = Motion(self.pair.system, options)
        motion.set(state)
        motion.progress["h_want"] = self.h
        integrator = Integrator(
            self.pair.system, motion, rank, evaluator="explicit steps of a pair with penalty contact"
        )
        found = penalty_steps.addresses() | {"evaluator": self._record.ctypes.data}
        for name, address in found.items():
            motion.run[name] = address
        penalty_steps.start(motion.address)
        store = SampleStore(self.pair.system)
        store.add(integrator)
        self._kept = integrator
        return integrator, store
