"""Equilibrium of a model with rigid stops: which of them are in contact is found by repeated searches.

In a search every stop is either closed at one limit, like a joint, or open. Then stops that would have to pull are released,
and the limit that is exceeded most is closed.
"""

import numpy as np

from ..elements.rigid_stop import APART, BY_FORCE, OPEN_LIMIT, RIGID_STOP, RigidStop
from ..errors import listed
from ..system.matrix import no_multipliers
from ..system.system import State, System
from .balance import Balance
from .contacts import ContactRows, ContactSide
from .equilibrium import EquilibriumSearch

BEYOND = 1e-10
"""Distance beyond a limit that counts as rounding, in radians or as a fraction of the length of the model."""


class StoppedSearch(EquilibriumSearch):
    """Search for the static equilibrium of a state, also with rigid stops."""

    def __init__(self, system: System, state: State) -> None:
        super().__init__(system, state)
        rows = self.contact_rows = ContactRows(system)
        self.stops = [row for row in rows.rows if rows.element(row).kind is RIGID_STOP]

    def run(self, load: float = 1.0) -> Balance:
        """Iterate to equilibrium."""
        balance = self._with_stops(load) if self.stops else super().run(load)
        if self.rounding:
            balance.external, balance.rounding = self._loads(load), self.rounding
        return balance

    def _loads(self, load: float) -> float:
        """The largest force of loads and weights."""
        lam = no_multipliers(self.system)
        with_loads, without = (
            self.evaluator.tangent(self.state, mass=0.0, moving=False, load=part, lam=lam)[0] for part in (load, 0.0)
        )
        return float(np.abs(self._forces(with_loads - without)).max(initial=0.0))

    def _with_stops(self, load: float) -> Balance:
        """Searches with other stops in contact, until those that are closed push and no limit is exceeded."""
        self._guess_soft_forces(load)
        side = {row: self._available(row, int(np.sign(self.state.lam[row]))) for row in self.stops}
        iterations = 0
        try:
            for _ in range(10 + 4 * len(self.stops)):
                for row in self.stops:
                    self._hold(row, side[row] or APART)
                    if not side[row]:
                        self.state.lam[row] = 0.0
                balance = super().run(load)
                iterations += balance.iterations
                balance.iterations = iterations
                if not balance.converged or not self._changed(side):
                    break
            else:
                several = listed(dict.fromkeys(self.contact_rows.element(row).name for row in self.stops))
                balance.converged = False
                balance.worst = f"which of the rigid stops {several} are in contact is not found"
        finally:
            for row in self.stops:
                self._hold(row, BY_FORCE)
        return balance

    def _changed(self, side: dict[int, int]) -> bool:
        """Release stops that pull; otherwise close the limit that is exceeded most. Return whether there is one."""
        pulls = [row for row in self.stops if side[row] * self.state.lam[row] < 0.0]
        for row in pulls:
            side[row] = 0
        if pulls:
            return True
        for row in self.stops:
            self._hold(row, BY_FORCE)
        free = [ContactSide(row, s) for row in self.stops if not side[row] for s in (1, -1)]
        depth = self.contact_rows.penetrations(self.state, free, self.evaluator)
        if not free or float(np.max(depth)) <= BEYOND:
            return False
        worst = free[int(np.argmax(depth))]
        side[worst.row] = worst.side
        return True

    def _available(self, row: int, side: int) -> int:
        """The side, or 0 if the stop has no limit there."""
        values = self.contact_rows.element(row).values
        limit = values["upper"] if side > 0 else values["lower"]
        return 0 if abs(limit) >= OPEN_LIMIT else side

    def _hold(self, row: int, how: int) -> None:
        s = self.system
        first = s.parameter0[self.contact_rows.elements[row]]
        s.parameters[first : first + RigidStop.size].view(RigidStop.dtype)[0]["held"] = how
