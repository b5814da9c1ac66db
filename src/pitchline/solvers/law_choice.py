"""Laws of elements that switch, chosen together during a run.

Within Newton's iteration elements choose their laws one by one, which may not end, or end with laws that contradict each other.
Then the run is stopped at this instant, and the laws follow from the balance of all forces there, as at the start of an analysis.
"""

from dataclasses import dataclass

import numpy as np

from ..elements.sticking import DRIVEN, FRESH, MODE, STICKS
from ..errors import SolveError
from ..system.matrix import Evaluator
from ..system.system import State, System
from .consistent import MassFactors, held
from .either_matrix import diagonal_like, row_of
from .impact import balance_motion
from .motion import Motion
from .shared_loads import shares
from .switching import rows_of_laws, stop_laws

MOST_CHOICES = 5
"""Largest number of choices at one time."""
MOST_CLOSE, CLOSEST = 50, 1e-3
"""Number of successive choices, and their smallest mean distance as a fraction of the first step of the run."""


@dataclass
class LawChoice:
    """Choices of laws during a run."""

    t: float = -1e300
    """Time of the last choice [s]."""
    tries: int = 0
    """Number of choices at this time."""
    choices: int = 0
    before: float = -1e300
    """Time of an earlier choice, `MOST_CLOSE` choices ago at most [s]."""

    def choose(self, system: System, motion: Motion) -> bool:
        """Choose all laws again at the present state. False: no choice lets the motion continue."""
        p = motion.progress
        h = float(p["h_want"])
        state = motion.state()
        self.tries = self.tries + 1 if state.t <= self.t else 1
        self.t = state.t
        self.choices += 1
        if self.tries > MOST_CHOICES:
            return False
        if self.choices % MOST_CLOSE == 0:
            if self.t - self.before < MOST_CLOSE * CLOSEST * float(motion.options["step"]):
                return False
            self.before = self.t
        stop_laws(system, state, h)
        try:
            balance_motion(system, state)
            stop_motion(system, state)
        except SolveError:
            return False
        motion.set(state)
        p["events"] += 1
        p["h_last"] = 0.0
        p["extrapolate"] = p["have_factors"] = p["restart"] = p["seek"] = p["starts"] = 0
        p["h_event"] = 0.0
        return True


def stop_motion(system: System, state: State) -> None:
    """Smallest change of the velocities after which elements that hold do not move: they stopped at a speed near zero, for which a
    short step would need a large force."""
    if system.n == system.n_q:
        return
    evaluator = Evaluator(system)
    _, K = evaluator.tangent(state, mass=1.0, moving=False, lam=state.lam, small_as_array=True)
    laws = [i for i in rows_of_laws(system) if np.any(row_of(K, i, system.n_q))]
    factors = MassFactors(system, held(system, K + diagonal_like(K, shares(system, evaluator, laws))))
    for _ in range(2):
        x = factors.solve(-np.concatenate([np.zeros(system.n_q), evaluator.rates(state)]))
        state.v += x[: system.n_q]


def switching_now(system: System, motion: Motion) -> list[str]:
    """Names of the elements that switch which do not move: they have just stopped, or break away, or hold."""
    work = motion.work
    found = []
    for e, element in enumerate(system.elements):
        if element.switches:
            memory = work.mem[int(system.mem0[e]) + element.law_place :]
            if memory[DRIVEN] == 0.0 and (memory[MODE] == STICKS or memory[FRESH] != 0.0):
                found.append(element.name)
    return found or [x.name for x in system.elements if x.switches]
