"""Run of the time loop: chunks, pivots, changes of rank, interruption."""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..errors import SolveError
from ..math.calling import address_of
from ..system.matrix import Evaluator
from ..system.rank import Rank, find_redundant, merged, strength
from ..system.system import State, System
from ..system.train import Train
from ..system.train_search import NotATrain, find_train
from . import general_steps, train_steps
from . import run_record as ends
from .consistent import close_again, contradiction, project_velocities
from .contact_event import ContactEvent
from .contacts import ContactRows
from .impact import balance_motion
from .law_choice import LawChoice
from .motion import Motion
from .sample_store import SampleStore
from .sparse_lu import analyse
from .time_loop import advance

CONFLICT, STALLED, TOO_FAST = 100, 101, 102
"""Results of a run, in addition to those of the time loop: a redundant constraint contradicts the others; impacts or changes of
the rank follow each other without progress in time; a body moves faster than light."""
MOST_IDLE = 200
"""Maximum number of contact events in a row at the same instant."""
MOST_INTERRUPTS, SLOWEST = 400, 1e-9
"""Number of interruptions in a row (impacts, singular matrices, changes of the rank) within this fraction of the duration of a
run, at which it ends."""
FAINT = 1e-100
"""Force of a closed contact, relative to the force that closes it, that is rounding."""
LIGHT = 3e8
"""Speed of a point of the model at which a run ends [m/s]."""
MAX_TROUBLES = 12
"""Maximum number of attempts to pass one singular matrix."""
BETTER = 3.0
"""Kept constraints are chosen again if others are farther from dependent by this factor."""
CHOOSE_EVERY = 20
"""Minimum number of steps between two checks of the kept constraints; doubled after each check without change."""
MOST_CHOOSE_WAIT = 20_000
INCONSISTENT = 0.05
"""Largest correction of the speeds, relative to the largest one, when a run becomes stabilised."""
TRAIN = "train of hinged wheels"
CHUNK_SECONDS = 0.2
"""Compiled code returns after about this time, so that a run can be interrupted and show its progress."""


@dataclass
class Integrator:
    """Advances a state in time. It contains all data for an exact continuation."""

    system: System
    motion: Motion
    rank: Rank
    wall: float = 0.0
    pivotings: int = 0
    rank_changes: int = 0
    impacts: int = 0
    idle: int = 0
    """Contact events in a row at the same instant."""
    last_change: float = 0.0
    """Time of the last change of the omitted constraints [s]."""
    looked_ahead: float = -math.inf
    """Time at which contacts ahead were computed because the equations of a step had no solution [s]."""
    interrupts: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_INTERRUPTS))
    """Times of the last interruptions of the compiled loop by impacts, singular matrices and changes of the rank [s]."""
    train: Train | None = None
    """Train, if the system is one and is stepped as one."""
    evaluator: str = "general"
    """Evaluator of the steps, and the reason why another one is not used."""

    @staticmethod
    def begin(system: System, state: State, options: np.ndarray, rank: Rank, loose: float) -> "Integrator":
        """Start from a consistent state. `loose`: initial violation of omitted constraints."""
        motion = Motion(system, options)
        motion.set(state)
        p = motion.progress
        p["h_want"] = motion.options["step"]
        p["stop"] = motion.first_stop()
        p["loose_limit"] = 10 * loose + 1e-7 * system.length
        p["choose_at"], p["choose_wait"] = 0 if system.redundant.size else -1, CHOOSE_EVERY
        integrator = Integrator(system, motion, rank)
        integrator.take_train(state)
        integrator.take_evaluator()
        integrator._choose_again()
        integrator.set_power(state)
        return integrator

    def resize(self) -> None:
        """Adapt the motion to the current layout."""
        self.motion.resize()
        self.take_evaluator()

    @cached_property
    def laws(self) -> LawChoice:
        """Laws of elements that switch, where Newton's iteration does not find them."""
        return LawChoice()

    def take_evaluator(self) -> None:
        """Functions of the time loop: those of the train, or the general ones."""
        if self.train is not None:
            found = train_steps.addresses() | {"evaluator": self.train.address}
        else:
            found = general_steps.addresses(self.system.dense, bool(self.motion.options["stabilised"]))
        for name, address in found.items():
            self.motion.run[name] = address

    def take_train(self, start: State) -> None:
        """Step the system as a train if it is one at this state, to which its coordinates are relative."""
        o = self.motion.options
        try:
            if not o["fixed"]:
                raise NotATrain("the step size is controlled by the error")
            by_user = o["stabilised"] and not o["small_step"]
            if by_user:  # a train satisfies constraints in velocities too
                raise NotATrain("steps are stabilised")
            self.train = find_train(self.system, start)
        except NotATrain as why:
            self.evaluator = f"general: {why}"
            return
        self.evaluator = TRAIN
        self.train.set_motion({name: getattr(self.motion, name) for name in ("v", "vd", "a", "vd_before")})

    def _leave_train(self) -> None:
        """Continue from here with the general method, if necessary with smaller steps."""
        self.train = None
        self.evaluator = f"{TRAIN} to t = {self.t:g} s, then general: Newton's method failed there"
        self.take_evaluator()

    def set_power(self, state: State) -> None:
        """Supplied and dissipated power at the state at which the motion starts."""
        p = self.motion.progress
        p["power_in"], p["power_out"], p["power_teeth"] = Evaluator.passing(self.system).power(state)

    @property
    def t(self) -> float:
        return float(self.motion.progress["t"])

    def state(self) -> State:
        return self.motion.state()

    def run(self, samples: "SampleStore", watch: Callable[["Integrator"], None] | None = None) -> int:
        """Continue to the end. Return DONE, STUCK, BLOWN, TOO_SMALL, CHATTER, CONFLICT, STALLED or TOO_FAST. `watch` is called
        between chunks and may raise."""
        address_of(advance)  # compiled before the time measurement starts
        budget = 64
        trouble_at, troubles = -1, 0
        while True:
            if self._pivots_missing and not self._take_pivots():
                return ends.STUCK
            self.motion.write_to(samples.open)
            began = time.perf_counter()
            outcome = advance(self.motion.address, budget)
            seconds = time.perf_counter() - began
            self.wall += seconds
            if outcome == ends.STUCK and self.train is not None:
                self._leave_train()
                continue
            if outcome == ends.STUCK and (self._choose_again(last_resort=True) or self._contact_ahead()):
                continue
            if outcome in (ends.DONE, ends.STUCK, ends.BLOWN, ends.TOO_SMALL, ends.CHATTER):
                return int(outcome)
            if outcome == ends.FULL:
                samples.close(self)
            elif outcome == ends.IMPACT:
                if not self._impact():
                    return ends.STUCK
                if self.motion.progress["sample_due"]:
                    samples.add(self)
            elif outcome == ends.SWITCH:
                if not self._choose_laws():
                    return ends.CHATTER
            elif outcome == ends.PIVOT:
                step = int(self.motion.progress["steps"])
                trouble_at, troubles = step, troubles + 1 if step == trouble_at else 1
                if not self._regular_again(troubles):
                    if not self._choose_laws():  # elements may choose in turn laws that need different pivots
                        return ends.STUCK
                    troubles = 0
            elif outcome == ends.CHOOSE:
                self._choose_again()
            elif outcome == ends.STABILISE:
                if not self._stabilise():
                    return ends.STUCK
            elif outcome == ends.LOOSE and not self._gain_rank():
                return CONFLICT
            if outcome not in (ends.CHUNK, ends.FULL) and self._stalled():
                return STALLED
            if outcome == ends.CHUNK and self.fastest > LIGHT:
                return TOO_FAST
            if outcome == ends.CHUNK and seconds < 0.5 * CHUNK_SECONDS:
                budget = min(2 * budget, 1_000_000)
            elif seconds > 2 * CHUNK_SECONDS:
                budget = max(1, budget // 2)
            if watch is not None:
                watch(self)

    def _choose_laws(self) -> bool:
        """Choose the laws of all elements together. False: nothing switches, or no choice lets the motion continue."""
        chosen = any(e.switches for e in self.system.elements) and self.laws.choose(self.system, self.motion)
        if chosen:
            self.set_power(self.state())
        return chosen

    def _lift_contacts(self) -> bool:
        """Forces of closed contacts without load decrease from step to step, until rounding makes the matrix singular. Return
        whether there is one; it is then the same small force as after an impact."""
        rows = ContactRows(self.system)
        lam = self.motion.lam
        faint = [row for row in rows.rows if 0.0 < abs(lam[row]) < FAINT * rows.element(row).closing_force]
        for row in faint:
            lam[row] = self.motion.lam_before[row] = math.copysign(1e-12 * rows.element(row).closing_force, lam[row])
        return bool(faint)

    @property
    def fastest(self) -> float:
        """Largest speed of a body at a distance of the length of the model [m/s]."""
        n = self.system.own.first
        speeds = np.abs(self.motion.v[:n]) * self.system.layout.weight[:n]
        return self.system.length * float(np.max(speeds, initial=0.0))

    def _stalled(self) -> bool:
        """Whether the last interruptions followed each other without progress in time."""
        self.interrupts.append(self.t)
        o = self.motion.options
        slow = SLOWEST * float(o["t_end"] - o["t0"])
        return len(self.interrupts) == MOST_INTERRUPTS and self.t - self.interrupts[0] <= slow

    def _contact_ahead(self) -> bool:
        """The equations of a step have no solution: perhaps because of rows that close in it, which depend on drives or on
        each other. Move to their first contact, where an impact decides. False: no rows are open, or this was tried here."""
        s, m, p = self.system, self.motion, self.motion.progress
        if self.train is not None or not s.layout.opening.size or self.looked_ahead == self.t:
            return False
        self.looked_ahead = self.t
        o = m.options
        stop = float(o["t_end"])
        if o["interval"] > 0.0:
            stop = min(stop, float(o["t0"] + (p["stop_index"] + 1) * o["interval"]))
        left = stop - self.t
        h = min(max(float(p["h_last"]), float(p["h_want"])), left)
        m.run["h"], m.run["t1"], m.run["lands"] = h, stop if h == left else self.t + h, int(h == left)
        m.work.lam[:] = m.lam  # those of the step that failed have no meaning
        p["h_want"] = h
        p["sample_due"] = 0
        return h > 0.0 and self._impact()

    def _stabilise(self) -> bool:
        """Continue in the stabilised form, because steps have become so short that index 3 amplifies rounding. False if speeds
        violate the constraints so much that the motion is lost."""
        self.motion.options["stabilised"] = 1
        self.take_evaluator()
        weight = self.system.layout.weight[: self.system.n_q]
        before, accelerations = self.motion.v.copy(), np.abs(self.motion.vd)
        try:
            self.balance_again()
        except SolveError:  # a singular position: the next steps correct the speeds
            return True
        change = float(np.max(np.abs(self.motion.v - before) * weight, initial=0.0))
        # a part that stops has no speed left: the speed that its acceleration causes in a normal step counts, too
        speed = np.maximum(np.abs(before), float(self.motion.options["step"]) * accelerations)
        return change < INCONSISTENT * float(np.max(speed * weight, initial=0.0)) + 1e-9

    def balance_again(self) -> None:
        """Speeds by the smallest change that satisfies the constraints, then accelerations, as at the start of a run."""
        motion, state = self.motion, self.state()
        project_velocities(self.system, state, lam=state.lam)
        balance_motion(self.system, state)
        motion.v[:], motion.vd[:], motion.a[:], motion.vd_before[:] = state.v, state.vd, state.vd, state.vd
        motion.lam[:], motion.lam_before[:] = state.lam, state.lam
        motion.work.mem[:] = state.mem
        motion.progress["extrapolate"] = 0
        motion.progress["have_factors"] = 0
        if self.train is not None:
            self.train.set_motion({name: getattr(motion, name) for name in ("v", "vd", "a", "vd_before")})
        self.set_power(state)

    def _impact(self) -> bool:
        """Teeth or stops come into contact in the computed step: move to this instant, where speeds change instantaneously, and
        continue from there. False: not even short steps lead there."""
        p = self.motion.progress
        h = float(self.motion.run["h"])
        p["sample_due"] = 0
        before = self.t
        struck = ContactEvent(self.system, self.motion, self._take_pivots).take()
        if not self.t >= before:
            return False
        self.idle = 0 if self.t > before else self.idle + 1
        if self.idle > MOST_IDLE:
            return False
        if struck is None:
            p["h_want"] = 0.25 * h
            p["have_factors"] = 0
            return bool(p["h_want"] >= self.motion.options["h_min"])
        p["work_out"] += struck.lost
        p["work_in"] += struck.put_in
        self.set_power(self.state())
        self.impacts += len(struck.impulses)
        return True

    def _regular_again(self, attempt: int) -> bool:
        """The matrix is singular, or its pivots are not suitable: first new pivots; then without constraints that have become
        dependent at this position; then steps that avoid the position."""
        chosen = bool(self.motion.progress["restart"]) and attempt <= len(self.system.elements)  # laws after an event
        if (attempt == 1 or chosen) and not self.system.dense and self._take_pivots():
            return True
        if not (self._lift_contacts() or self._lose_rank() or self._contact_ahead()):
            self.motion.progress["h_want"] *= 0.61
            self._take_pivots()  # those of a longer step may not be suitable: masses have a larger part now
        return attempt < MAX_TROUBLES or chosen

    @property
    def _pivots_missing(self) -> bool:
        """Whether the sparse matrix of the general steps has no pivots yet."""
        return self.train is None and not self.system.dense and self.motion.sparse_factors[0][0] != self.system.n

    def _take_pivots(self) -> bool:
        """Order and pivots of a sparse matrix at the current state; False if it is singular, or dense, and so without pivots."""
        s, m = self.system, self.motion
        if s.dense:
            return False
        general_steps.prepare_matrix(m.address)
        try:
            m.set_sparse_factors(analyse(s.n, s.layout.Ap, s.layout.Ai, m.work.Ax))
        except RuntimeError:
            return self._lose_rank()  # the new layout determines its pivots later
        self.pivotings += 1
        self.motion.progress["have_factors"] = 0
        return True

    def _relayout(self, rank: Rank) -> None:
        self.last_change = self.t
        groups = merged([set(g.tolist()) for g in (*self.rank.groups, *rank.groups)])
        self.rank = Rank(rank.redundant, groups, rank.weakest)
        self.system.relayout(rank.redundant)
        self.motion.lam[rank.redundant] = 0.0
        self.motion.lam_before[:] = self.motion.lam
        self.motion.progress["extrapolate"] = 0
        self.motion.progress["choose_at"] = self.motion.progress["steps"] + CHOOSE_EVERY if rank.redundant.size else -1
        self.motion.progress["choose_wait"] = CHOOSE_EVERY
        self.motion.progress["least_gain"] = self.motion.progress["growth"] = 0.0
        self.rank_changes += 1
        self.resize()

    def left_out(self) -> str:
        """Text with the number of omitted constraints of each joint."""
        owners = [self.system.row_owner(int(l)).name for l in self.system.redundant]
        return ", ".join(f'{owners.count(name)} of "{name}"' for name in dict.fromkeys(owners)) or "none"

    def _choose_again(self, *, last_resort: bool = False) -> bool:
        """Check the choice of dependent constraints. The kept ones may have come close to dependent, while all together keep
        their rank: Newton failed, or the multipliers respond more strongly. Then others are kept from here on. Return whether
        the choice changed."""
        progress = self.motion.progress
        fresh = progress["choose_at"] == progress["steps"] + CHOOSE_EVERY
        if not self.system.redundant.size or (last_resort and fresh):
            return False
        self.motion.progress["least_gain"] = self.motion.progress["growth"] = 0.0
        state = self.state()
        rank = find_redundant(self.system, state, strongest=True)
        if rank.redundant.size != self.system.redundant.size or rank.weakest < BETTER * strength(self.system, state):
            progress["choose_at"] = progress["steps"] + progress["choose_wait"]
            progress["choose_wait"] = min(2 * progress["choose_wait"], MOST_CHOOSE_WAIT)
            return False
        self._relayout(rank)
        # the new kept rows were satisfied through the others, with amplified rounding errors: correct positions without an impulse
        if close_again(self.system, state):
            self.motion.work.pose0[:] = state.pose
        if last_resort:
            self.motion.progress["h_want"] = self.motion.options["step"]
        return True

    def _lose_rank(self) -> bool:
        """Omit constraints that have become dependent at the current position."""
        state = self.state()
        rank = find_redundant(self.system, state, strongest=True)
        if rank.redundant.size <= self.system.redundant.size and rank.weakest < BETTER * strength(self.system, state):
            return False
        self._relayout(rank)
        return True

    def _gain_rank(self) -> bool:
        """An omitted constraint opens: add those that are independent now. False: it is still dependent, and its gap is so
        large that it contradicts the others."""
        self.motion.progress["least_gain"] = self.motion.progress["growth"] = 0.0
        state = self.state()
        rank = find_redundant(self.system, state, strongest=True)
        if rank.redundant.size != self.system.redundant.size or rank.weakest > BETTER * strength(self.system, state):
            self._relayout(rank)
        elif contradiction(self.system, state) is not None:
            return False
        else:
            self.motion.progress["loose_limit"] *= 2.0  # a small misplacement
        return True
