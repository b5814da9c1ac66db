"""Integrator: evaluators of the time loop, kept samples, changes of rank, laws that switch, interruption."""

import contextlib
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pitchline.errors import SolveError
from pitchline.numerics.fields import record_as
from pitchline.numerics.machine_code.calling import address_of
from pitchline.numerics.machine_code.compiled import F8, I8, block, leaf
from pitchline.parts.friction.kernel_sticking import DRIVEN, FRESH, MODE, STICKS

from ..compile import train_search as train_records
from ..compile.assembly import accept_state
from ..compile.nodes import move, spread_rates
from ..compile.rank import Evaluator, Rank, find_redundant, merged, strength
from ..compile.system import State, System
from ..compile.train_search import NotATrain, Train, find_train
from . import general_steps
from . import run_record as ends
from .consistent import ContactRows, MassFactors, close_again, contradiction, held, project_velocities, shares
from .contact_event import ContactEvent
from .impact import balance_motion
from .linear import Motion, Samples, analyse, diagonal_like, new_samples, row_of
from .run_record import BLOWN, DONE, HALF_TURN, STUCK, Run, call_accept
from .switching import rows_of_laws, stop_laws
from .time_loop import advance, end_step, plan_step, record_at_address, sample_due
from .train_step import accept, balance, impose, newton, predict, set_step_size

# ---- law choice

# Laws of elements that switch, chosen together during a run.
#
# Within Newton's iteration elements choose their laws one by one, which may not end, or end with laws that contradict
# each other. Then the run is stopped at this instant, and the laws follow from the balance of all forces there, as at
# the start of an analysis.

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


# ---- sample store

# Samples of a run, in blocks that are added during the run.


class SampleStore:
    """Samples in blocks that are added during the run.

    A run that samples after every step and exceeds MOST samples continues with every second, fourth ... step, and removes the
    samples in between. The blocks are filled at the same steps for all chunk sizes, so that the samples are the same in every run.
    """

    BLOCK = 256
    MOST = 16384

    def __init__(self, system: System) -> None:
        self.most, self._system = self.MOST, system
        self._closed: list[Samples] = []
        self.open = new_samples(self.BLOCK, system)

    def __len__(self) -> int:
        """Number of samples in full blocks."""
        return sum(len(block.t) for block in self._closed)

    def add(self, integrator: "Integrator") -> None:
        """Sample the current motion."""
        integrator.motion.write_to(self.open)
        record_at_address(integrator.motion.address)

    def close(self, integrator: "Integrator") -> None:
        """The open block is full: start another one."""
        new = new_samples(self.BLOCK, self._system)  # first: if there is not enough memory, nothing has changed
        self._closed.append(self.open)
        self.open = new
        progress = integrator.motion.progress
        progress["samples"] = 0
        if integrator.motion.options["every"] == 0 and sum(len(b.t) for b in self._closed) >= self.most:
            self._closed = [Samples(*(x[::2].copy() for x in self._joined(self._closed)))]
            progress["stride"] *= 2

    def restore(self, samples: Samples, integrator: "Integrator") -> None:
        """Set the samples of the earlier part of a run, with the same blocks."""
        filled = int(integrator.motion.progress["samples"])
        whole = len(samples.t) - filled
        if whole:
            self._closed = [Samples(*(x[:whole] for x in samples))]
        for mine, theirs in zip(self.open, samples, strict=True):
            mine[:filled] = theirs[whole:]

    def thin(self, integrator: "Integrator") -> bool:
        """Remove every second sample, if memory is insufficient. False if there is nothing to remove."""
        filled = int(integrator.motion.progress["samples"])
        blocks = [*self._closed, Samples(*(x[:filled] for x in self.open))]
        if sum(len(b.t) for b in blocks) < 3:
            return False
        integrator.motion.progress["samples"] = 0
        self._closed = []
        at = 0
        while blocks:  # one block at a time, so that memory is released before more is allocated
            one = Samples(*(x[at % 2 :: 2] for x in blocks[0]))
            at += len(blocks.pop(0).t)
            with contextlib.suppress(MemoryError):  # unchanged in this case: joined, it needs half the memory anyway
                one = Samples(*(x.copy() for x in one))
            self._closed.append(one)
        return True

    def samples(self, integrator: "Integrator") -> Samples:
        """All samples so far."""
        filled = int(integrator.motion.progress["samples"])
        return self._joined([*self._closed, Samples(*(x[:filled] for x in self.open))])

    @staticmethod
    def _joined(blocks: list[Samples]) -> Samples:
        return Samples(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


# ---- train steps

# Steps of trains of hinged wheels (see `engine.compile.train_search`), an evaluator of the time loop.
#
# Steps are fixed and never repeated: if Newton fails, `general_steps` continues. The motion is in the tables of the
# train. Poses, rates and memory of the system are updated when they are needed.

_train = record_as(train_records.TrainRecord)


@block
def _place(run: Run, back: F8):
    """System at the current state, or earlier by the fraction `back` of the last step: poses, rates, multipliers."""
    sys = run.system
    train = _train(run.evaluator)
    dq = sys.dq
    for i in range(train.n_wheels):
        w = train.wheels[i]
        dq[i] = w.x - back * w.dq
        run.v0[i] = w.v
        run.vd0[i] = w.vd
        run.a[i] = w.a
        run.vd_before[i] = w.vd_before
        sys.v[i] = w.v
        sys.vd[i] = w.vd
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    for k in range(sys.n_nodes):
        sys.pose0[k].x = train.start[k].x
        sys.pose0[k].q = train.start[k].q
    move(sys)
    spread_rates(sys)
    for k in range(sys.n_nodes):
        sys.pose0[k].x = sys.pose[k].x
        sys.pose0[k].q = sys.pose[k].q


@block
def _look(run: Run):
    """Elements count their revolutions: also within the last step, if it was large."""
    p = run.progress
    turned = run.turned
    run.system.ask.t = p.t
    run.system.ask.h = p.h_last
    looks = math.ceil(turned / HALF_TURN) if turned > 0.0 else 1
    first = 0 if p.turned + turned / looks > HALF_TURN else 1
    for k in range(first, looks + 1):
        _place(run, 1.0 - k / looks)
        call_accept(run.accept, run.system)
    p.turned = 0.0


@leaf
def _step(run: Run, train: train_records.TrainRecord) -> I8:
    """One planned step. 0 if Newton fails."""
    h = run.h
    if h != train.h:
        set_step_size(run, train, h)
    tolerance = predict(run, train, h)
    impose(train, run.system.ask.functions, run.t1)
    # forces of ties and drives are needed at the end of the step only if a sample is due
    if newton(run, train, h, run.due, tolerance) == 0:
        return 0
    balance(run, train, h)
    run.turned = accept(run, train, h, run.t1)
    return 1


@block
def take_steps(run: Run, n: I8) -> I8:
    """Take up to n steps, until a sample is due or a problem occurs."""
    train = _train(run.evaluator)
    p = run.progress
    look_after = run.options.look_after
    run.taken = 0
    while run.taken < n:
        if p.t >= run.options.t_end:
            return DONE
        run.taken += 1
        plan_step(run, 0.0)
        run.due = sample_due(run, p.steps + 1)
        if _step(run, train) == 0:
            run.due = 0
            return STUCK
        end_step(run)
        turned = run.turned
        p.turn_rate = turned / run.h
        if run.due != 0 or p.turned + turned > min(look_after, HALF_TURN - 1.1 * turned):
            _look(run)
        else:
            p.turned += turned
        if not abs(train.wheels[0].v) < 1e150:
            return BLOWN
        if run.due != 0:
            return DONE
    return DONE


@block
def show(run: Run):
    """Update poses and rates of the system."""
    _place(run, 0.0)


def addresses() -> dict[str, int]:
    """Addresses of the functions that the steps call, by their fields in the record of the run."""
    return {"accept": address_of(accept_state), "take_steps": address_of(take_steps), "show": address_of(show)}


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
            found = addresses() | {"evaluator": self.train.address}
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
        self._move_loads()
        self.motion.lam_before[:] = self.motion.lam
        self.motion.progress["extrapolate"] = 0
        self.motion.progress["choose_at"] = self.motion.progress["steps"] + CHOOSE_EVERY if rank.redundant.size else -1
        self.motion.progress["choose_wait"] = CHOOSE_EVERY
        self.motion.progress["least_gain"] = self.motion.progress["growth"] = 0.0
        self.rank_changes += 1
        self.resize()

    def _move_loads(self) -> None:
        """The constraints that are kept now carry the loads of those that are omitted now. Samples contain these loads."""
        lam, omitted = self.motion.lam, self.system.redundant
        state = self.state()
        moved = bool(np.any(lam[omitted]))
        lam[omitted] = state.lam[omitted] = 0.0
        if not moved:
            return
        try:
            balance_motion(self.system, state)
        except SolveError:  # a singular position: the next step finds the loads
            return
        shared = np.concatenate(self.rank.groups)
        shared = shared[
            ~np.isin(shared, ContactRows(self.system).rows)
        ]  # signs of their forces are those of the side in contact
        lam[shared] = state.lam[shared]

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
        # the new kept rows were satisfied through the others, with amplified rounding errors: correct positions without an
        # impulse
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
