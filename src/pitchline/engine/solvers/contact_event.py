"""First contact within a step: the instant, the motion up to it, and the impact.

The step was computed, and closed rows that were open. It is not accepted. The motion from its start is computed again with
these rows held open; the root of the penetration over the length of this motion is the time of contact. Therefore the time of
impact has the order of the method. Parts of a step below SHORT of it are computed as a series, because in a very short step
rounding errors of positions would become forces.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pitchline.numerics.machine_code.compiled import F8, I8, entry
from pitchline.parts.friction.kernel_sticking import REST
from pitchline.parts.meshes.kernel_sticking import STICKING_MESH
from pitchline.parts.springs.kernel_stop import RIGID_STOP

from ..compile.nodes import largest_motion, move
from ..compile.rank import Evaluator
from ..compile.system import State, System
from .consistent import CLOSED, TOUCH, ContactRows, ContactSide
from .impact import Impact, Struck
from .linear import Motion
from .newton import call_close, call_newton
from .run_record import DONE, PIVOT, call_accept
from .switching import breaks_away, release_laws, slip_speeds
from .time_loop import accept_poses, accept_rates, add_work, end_step, run_at, sample_due, start_accelerations

# ---- flight

# A step of any length that is computed first, and accepted later: the motion up to an impact.
#
# The steps are those of the time loop, with the same formulas and Newton iteration. While the motion to the impact is
# computed, rows that are open stay open (`contacts.held_apart`).


@entry
def fly(address: I8, h: F8) -> I8:
    """Compute a step of the length h from the accepted motion, without accepting it. Return the result of Newton."""
    run = run_at(address)
    run.h = h
    run.t1 = run.progress.t + h
    start_accelerations(run)
    run.progress.have_factors = 0
    outcome = call_newton(run.newton, run)
    if outcome == DONE and run.options.stabilised != 0 and run.system.n_constraints > 0:
        call_close(run.close, run)
    move(run.system)
    return outcome


@entry
def land(address: I8, t: F8):
    """The computed step becomes the motion. It ends at the time t."""
    run = run_at(address)
    sys = run.system
    run.t1 = t
    run.turned, run.way = largest_motion(sys, sys.dq)
    accept_rates(run)
    accept_poses(run)
    add_work(run)
    run.progress.turn_rate = run.turned / run.h
    if sys.n_accepts > 0:
        call_accept(run.accept, sys)
        run.progress.turned = 0.0
        run.progress.moved = 0.0


@entry
def count_stop(address: I8, lands: I8):
    """After the last part of a step: count its stop, and note whether a sample is due. lands: whether it ends at a stop."""
    run = run_at(address)
    run.lands = lands
    run.t1 = run.progress.t
    run.progress.sample_due = sample_due(run, run.progress.steps)
    end_step(run)


SHORT = 1e-3
"""Fraction of a step below which a part of it is computed as a series."""
MOST_TRIALS = 60
SHORTEST = 1e-7
"""Shortest step, as a fraction of the first one of the run, that is divided to separate a stop of friction from a contact."""
OPEN = 1e-9
"""Multiplier of an open row, as a fraction of that at the end of the step (as in `events.closes`)."""


class Hit(NamedTuple):
    """Fraction of the step at which contact starts, and contacts that close there in any case."""

    fraction: float
    resting: set[ContactSide]


class ContactEvent:
    """First contact in the step that was computed from the accepted motion. `new_pivots` is called if a matrix needs others."""

    def __init__(self, system: System, motion: Motion, new_pivots: Callable[[], bool]) -> None:
        self.system, self.motion, self.new_pivots = system, motion, new_pivots
        self.rows = ContactRows(system)
        self.evaluator = Evaluator(system)
        self.h, self.t1 = float(motion.run["h"]), float(motion.run["t1"])
        self.lands = int(motion.run["lands"])
        self.start = motion.state()
        self.flown = 0.0
        self.found = motion.work.lam.copy()
        self._sort(self.found)

    def _sort(self, found: np.ndarray) -> None:
        """Contacts that are closed at the start of the step, and both sides of all other rows. found: multipliers at its end."""
        self.closed: list[ContactSide] = []
        self.open: list[ContactSide] = []
        for row in self.rows.rows:
            before = float(self.start.lam[row])
            side = 1 if before > 0.0 else -1
            contact = ContactSide(row, side)
            bears = before != 0.0 and abs(before) >= OPEN * abs(found[row])
            if bears and self.rows.penetrations(self.start, [contact], self.evaluator)[0] > -CLOSED:
                self.closed.append(contact)
            else:
                self.open += [ContactSide(row, 1), ContactSide(row, -1)]
        self.open_rows = list(dict.fromkeys(c.row for c in self.open))

    def take(self) -> Struck | None:
        """Move to the impact, apply it, and continue the step if only a short part is left. None: the motion cannot be
        computed with this step."""
        full = self._depths(1.0) if self.open else None
        if full is None:
            return None
        hit = self._first(full)
        if hit is None or self._stops_before(hit.fraction) or not self._go(hit.fraction):
            return None
        if hit.fraction == 1.0 and np.max(full) <= TOUCH:  # no contact with open rows held open: the step is valid
            count_stop(self.motion.address, self.lands)
            return Struck()
        state = self.motion.state()
        struck = self._strike(state, hit)
        if hit.fraction == 0.0 and not struck.impulses and set(struck.closed) == set(self.closed):
            self._close_gently(state)
        left = self.t1 - state.t
        if left < SHORT * self.h:
            self._series(state, left, self.t1)
        self._set(state)
        count_stop(self.motion.address, self.lands if left < SHORT * self.h else 0)
        return struck

    # ---- motion without contact

    def _state(self) -> State:
        """State at the end of the motion that was computed last."""
        w = self.motion.work
        return State(self.start.t + self.flown * self.h, w.pose.copy(), w.v.copy(), w.vd.copy(), w.lam.copy(), w.mem.copy(),
                     w.own.copy(), w.condensed.copy())  # fmt: skip

    def _fly(self, fraction: float) -> bool:
        """Compute the motion over this fraction of the step, with open rows held open."""
        if fraction == self.flown:
            return True
        for _ in range(2):
            with self.rows.held_apart(self.open_rows):
                outcome = fly(self.motion.address, fraction * self.h)
                if outcome == PIVOT and self.new_pivots():
                    continue
            break
        self.flown = fraction if outcome == DONE else 0.0
        return bool(outcome == DONE)

    def _depths(self, fraction: float) -> np.ndarray | None:
        """Penetrations of the open rows after this fraction of the step."""
        if fraction < SHORT:
            state = self.start.copy()
            self._series(state, fraction * self.h, self.start.t + fraction * self.h)
        elif self._fly(fraction):
            state = self._state()
        else:
            return None
        return self.rows.penetrations(state, self.open, self.evaluator)

    def _series(self, state: State, dt: float, t: float) -> None:
        """Continue a state over a short time, to second order."""
        self.system.displace(state, dt * state.v + 0.5 * dt * dt * state.vd)
        state.v += dt * state.vd
        state.t = t

    # ---- time of contact

    def _first(self, full: np.ndarray) -> Hit | None:
        """First contact. full: penetrations at the end of the step."""
        depth = self.rows.penetrations(self.start, self.open, self.evaluator)
        rates = self._rates(depth)
        touching = depth > -TOUCH
        if np.any(touching & (rates > 0.0)):
            return Hit(0.0, set())
        late = full > TOUCH
        if not late.any():
            return Hit(1.0, set())
        first = np.zeros(len(depth))  # a contact that has just rebounded counts after its largest gap
        resting = set()
        for i in np.flatnonzero(touching & late):
            turns = rates[i] + depth[i] - full[i]
            first[i] = 0.5 * rates[i] / turns if turns != 0.0 else 0.0
            between = self._depths(float(first[i]))
            if between is None:
                return None
            if between[i] >= -TOUCH:
                if -0.5 * rates[i] * first[i] > 10.0 * TOUCH:  # other motions within the step: it is too long for them
                    return None
                resting.add(self.open[i])
        if resting:
            return Hit(0.0, resting)
        return self._root(depth, full, np.flatnonzero(late), np.where(touching, first, -1.0))

    def _stops_before(self, fraction: float) -> bool:
        """Whether an element that slips comes to rest before the contact, or one that holds breaks away. Then a shorter step leads
        to this event: with friction that drives backwards, contacts would be found that do not occur."""
        if fraction < SHORT or self.h < SHORTEST * float(self.motion.options["step"]) or not self._fly(fraction):
            return False
        before = slip_speeds(self.system, self.start)
        if breaks_away(self.system, self._state()):
            return True
        after = slip_speeds(self.system, self._state())
        return any(after[e] < -REST - 1e-6 * v for e, v in before.items() if v > 0.0 and e in after)

    def _rates(self, depth: np.ndarray) -> np.ndarray:
        """Change of the penetrations over the step at the speeds of its start."""
        moved = self.start.copy()
        part = 1e-6
        self.system.displace(moved, part * self.h * moved.v)
        return (self.rows.penetrations(moved, self.open, self.evaluator) - depth) / part

    def _root(self, depth: np.ndarray, full: np.ndarray, late: np.ndarray, first: np.ndarray) -> Hit | None:
        """Fraction at which the largest penetration is zero: regula falsi (Illinois), with bisections if it is slow."""

        def largest(fraction: float) -> float | None:
            found = self._depths(fraction)
            if found is None:
                return None
            return float(np.max(np.where(fraction > first, found, -np.inf)[late]))

        low, high = 0.0, 1.0
        f_low = float(np.max(np.where(first < 0.0, depth, -np.inf)[late]))
        if not np.isfinite(f_low):
            low = float(np.max(first))
            f_low = largest(low * (1.0 + 1e-12)) or -TOUCH
        f_high = float(np.max(full[late]))
        for trial in range(MOST_TRIALS):
            if f_high <= TOUCH:
                break
            at = (
                (low * f_high - high * f_low) / (f_high - f_low)
                if trial % 4 < 3 and f_low < 0.0
                else 0.5 * (low + high)
            )
            f = largest(at)
            if f is None:
                return None
            if abs(f) <= 1e-2 * TOUCH or high - low < 1e-15:
                return Hit(at, set())
            if f > 0.0:
                high, f_high = at, f
                f_low *= 0.5 if trial % 4 else 1.0
            else:
                low, f_low = at, f
                f_high *= 0.5 if trial % 4 else 1.0
        return Hit(high, set())

    # ---- impact

    def _go(self, fraction: float) -> bool:
        """The motion over this fraction of the step becomes that of the run."""
        t = self.t1 if fraction == 1.0 else self.start.t + fraction * self.h
        if fraction >= SHORT:
            if not self._fly(fraction):
                return False
            land(self.motion.address, t)
            return True
        state = self.start.copy()
        self._series(state, fraction * self.h, t)
        p = self.motion.progress
        for name in ("in", "out", "teeth"):
            p[f"work_{name}"] += fraction * self.h * p[f"power_{name}"]
        self.motion.set(state)
        return True

    def _strike(self, state: State, hit: Hit) -> Struck:
        """Apply the impact to the state."""
        depth = self.rows.penetrations(state, self.open, self.evaluator)
        closed = [c for c in self.closed if c.side * state.lam[c.row] > 0.0]
        touching = [c for c, d in zip(self.open, depth, strict=True) if d > -TOUCH]
        release_laws(self.system, state)
        struck = Impact(self.system, self.rows, closed, touching).apply(state, self.h, no_rebound=hit.resting)
        for c in struck.closed:
            # a contact without force is closed too: otherwise it would close again in the next step
            least = 1e-6 * abs(struck.impulses.get(c, 0.0)) / self.h + 1e-12 * self.rows.element(c.row).closing_force
            if hit.fraction == 0.0:  # nor may its force be so small that it would count as open
                least = max(least, 10.0 * OPEN * c.side * float(self.found[c.row]))
            if c.side * state.lam[c.row] < least and c not in closed:
                state.lam[c.row] = c.side * least
        for c, impulse in struck.impulses.items():
            e = self.rows.elements[c.row]
            kind = self.system.elements[e].kind
            first = self.system.mem0[e]
            memory = state.mem[first : first + kind.memory.size].view(kind.memory.dtype)[0]
            if kind is STICKING_MESH:
                memory = memory["mesh"]
            memory["impacts"] += 1.0
            memory["impulse"] += -c.side * impulse if kind is RIGID_STOP else impulse
        return struck

    def _close_gently(self, state: State) -> None:
        """Nothing happens at the start of the step: contacts without speed and force close later in it, without an impact. A very
        small force lets the step do so."""
        depth = self.rows.penetrations(state, self.open, self.evaluator)
        for c, d in zip(self.open, depth, strict=True):
            if d > -TOUCH and c.side * self.found[c.row] > 0.0:
                state.lam[c.row] = 1e-6 * self.found[c.row]

    def _set(self, state: State) -> None:
        self.motion.set(state)
        p = self.motion.progress
        p["h_last"] = 0.0
        p["extrapolate"] = p["have_factors"] = 0
        p["restart"] = p["seek"] = 0
        p["h_event"] = 0.0
