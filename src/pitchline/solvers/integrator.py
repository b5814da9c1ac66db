"""The run of the step loop: chunks, pivots, changes of rank, interruption."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..math.calling import address_of
from ..system.matrix import Evaluator
from ..system.rank import Rank, find_redundant, merged, strength
from ..system.system import State, System
from ..system.train import Train, find_train
from . import generalized_alpha as ga
from . import step_loop as loop
from .consistent import close_again, contradiction
from .impact import impact
from .sparse_lu import analyse, no_factors
from .train_loop import advance_train, initial_state, scratch

CONFLICT = 100
"""Outcome of a run, besides those of the step loop: a redundant constraint contradicts the others."""
MAX_TROUBLES = 12
"""Attempts to get over one singular matrix."""
BETTER = 3.0
"""Kept constraints are chosen anew when others are farther from dependent by this factor."""
CHOOSE_EVERY = 20
"""Steps between two looks at the choice of constraints, at least; twice as many after each look that changes nothing."""
MOST_CHOOSE_WAIT = 20_000
CHUNK_SECONDS = 0.2
"""Compiled code returns about this often, so that a run can be interrupted and show its progress."""


@dataclass
class Integrator:
    """Advances a state in time; keeps all that is needed to go on bit by bit."""

    system: System
    options: np.ndarray
    motion: loop.Motion
    rank: Rank
    work: loop.Work = field(init=False)
    factors: tuple[np.ndarray, np.ndarray] = field(init=False)
    code: np.ndarray = field(init=False)
    train: Train | None = None
    """Tables of a system that is a train and stepped as one; its state in `train_state`."""
    train_state: np.ndarray = field(default_factory=lambda: np.zeros(0))
    wall: float = 0.0
    pivotings: int = 0
    rank_changes: int = 0
    impacts: int = 0
    last_change: float = 0.0
    """Time at which other constraints were left out last [s]."""

    @staticmethod
    def begin(system: System, state: State, options: np.ndarray, rank: Rank, loose: float) -> "Integrator":
        """Start from a consistent state. `loose`: violation of left-out constraints at the start."""
        m = loop.new_motion(len(system.ndof), system.n_q, state.lam.size, state.mem.size)
        m.pose[:], m.mem[:] = state.pose, state.mem
        m.q[ga.V] = state.v
        m.q[ga.VD] = m.q[ga.A] = m.q[ga.VD_BEFORE] = state.vd
        m.l[:2] = state.lam
        m.floats[ga.T_NOW] = state.t
        m.integers[ga.STRIDE] = 1
        m.floats[ga.H_WANT] = options[ga.STEP]
        m.floats[ga.LOOSE_LIMIT] = 10 * loose + 1e-7 * system.length
        m.integers[[ga.CHOOSE_AT, ga.CHOOSE_WAIT]] = 0 if system.redundant.size else -1, CHOOSE_EVERY
        integrator = Integrator(system, options, m, rank)
        integrator.resize()
        if options[ga.FIXED] and not options[ga.STABILISED]:
            integrator.train = find_train(system, state)
            if integrator.train is not None:
                integrator.train_state = initial_state(integrator.train, state.pose)
        integrator._choose_again()
        m.floats[[ga.POWER_IN, ga.POWER_OUT, ga.POWER_TEETH]] = Evaluator(system).power(state)
        return integrator

    def resize(self) -> None:
        """Fit the scratch arrays to the present layout."""
        s = self.system
        self.work = loop.new_work(len(s.ndof), s.n, s.n_values, s.dense)
        self.factors = no_factors()
        self.code = ga.code_addresses(s.dense, bool(self.options[ga.STABILISED]))
        self.motion.integers[ga.HAVE_FACTORS] = 0

    @property
    def t(self) -> float:
        return float(self.motion.floats[ga.T_NOW])

    def state(self) -> State:
        m = self.motion
        return State(self.t, m.pose.copy(), m.q[ga.V].copy(), m.q[ga.VD].copy(), m.l[ga.LAM].copy(), m.mem.copy())

    def run(self, samples: "SampleStore", watch: Callable[["Integrator"], None] | None = None) -> int:
        """Go on to the end. Returns DONE, STUCK, BLOWN, TOO_SMALL or CONFLICT; `watch` is called between chunks and may raise."""
        address_of(advance_train if self.train is not None else loop.advance)  # compiled before the clock runs
        budget = 64
        trouble_at, troubles = -1, 0
        while True:
            if not self.system.dense and self.factors[0][0] != self.system.n and not self._take_pivots():
                return ga.STUCK
            began = time.perf_counter()
            outcome = self._advance(budget, samples)
            seconds = time.perf_counter() - began
            self.wall += seconds
            if outcome == ga.STUCK and self.train is not None:
                self.train = None  # the general way, with smaller steps where it must, goes on from here
                continue
            if outcome == ga.STUCK and self._choose_again(last_resort=True):
                continue
            if outcome in (ga.DONE, ga.STUCK, ga.BLOWN, ga.TOO_SMALL):
                return int(outcome)
            if outcome == ga.FULL:
                samples.close(self)
            elif outcome == ga.IMPACT:
                self._impact()
                if self.motion.integers[ga.SAMPLE_DUE]:
                    samples.add(self)
            elif outcome == ga.PIVOT:
                step = int(self.motion.integers[ga.STEPS])
                trouble_at, troubles = step, troubles + 1 if step == trouble_at else 1
                if not self._regular_again(troubles):
                    return ga.STUCK
            elif outcome == ga.CHOOSE:
                self._choose_again()
            elif outcome == ga.LOOSE and not self._gain_rank():
                return CONFLICT
            if outcome == ga.CHUNK and seconds < 0.5 * CHUNK_SECONDS:
                budget = min(2 * budget, 1_000_000)
            elif seconds > 2 * CHUNK_SECONDS:
                budget = max(1, budget // 2)
            if watch is not None:
                watch(self)

    def _advance(self, budget: int, samples: "SampleStore") -> int:
        """Take some steps, in the way that the system allows."""
        s, y, w = self.system, self.system.layout, self.work
        if self.train is None:
            return int(
                loop.advance(
                    budget, self.code, self.options, *self.motion, *samples.open, *w, *self.factors, y.Ap, y.Ai, y.weight,
                    y.constraints, y.commits, y.opening, y.driven, *s.assembly_arguments,
                )
            )  # fmt: skip
        return int(
            advance_train(
                budget, self.code, self.options, *self.motion, self.train_state, *samples.open,
                *scratch(self.train), w.pose1, w.K, w.c, y.weight, y.commits, y.nodes, y.T, *self.train.arrays(),
                *s.element_arguments,
            )
        )  # fmt: skip

    def _impact(self) -> None:
        """Teeth have met in the step just taken: their speeds change at once, and the motion begins anew from there.

        The speeds before are those of a step without contact, which the last accelerations give: the step itself brought the
        teeth together by a force of its own length."""
        m, h, gamma = self.motion, float(self.motion.floats[ga.H_LAST]), float(self.options[ga.GAMMA])
        state = self.state()
        start = m.q[ga.V] - h * ((1.0 - gamma) * m.q[ga.A0] + gamma * m.q[ga.A])
        state.v[:] = start + h * m.q[ga.VD_BEFORE]
        m.floats[ga.WORK_OUT] += impact(self.system, state)
        m.q[ga.V] = state.v
        m.q[ga.VD] = m.q[ga.A] = m.q[ga.VD_BEFORE] = state.vd
        m.l[ga.LAM] = m.l[ga.LAM_BEFORE] = state.lam
        m.floats[ga.H_LAST] = 0.0
        m.integers[ga.EXTRAPOLATE] = m.integers[ga.HAVE_FACTORS] = 0
        m.floats[[ga.POWER_IN, ga.POWER_OUT, ga.POWER_TEETH]] = Evaluator(self.system).power(state)
        self.impacts += 1

    def _regular_again(self, attempt: int) -> bool:
        """The matrix is singular, or its pivots do not serve: new pivots first; then without constraints that have become
        dependent at this position; then steps that miss the position."""
        if attempt == 1 and not self.system.dense:
            return self._take_pivots()
        if not self._lose_rank():
            self.motion.floats[ga.H_WANT] *= 0.61
        return attempt < MAX_TROUBLES

    def _take_pivots(self) -> bool:
        """Order and pivots from the matrix at the present state; False if it is singular for good."""
        s, m, k = self.system, self.motion, self.work
        loop.prepare_matrix(self.code, self.options, *m, k.pose1, k.K, k.E, k.r, k.c, k.Ax, *s.assembly_arguments)
        try:
            self.factors = analyse(s.n, s.layout.Ap, s.layout.Ai, k.Ax)
        except RuntimeError:
            return self._lose_rank()  # the new layout takes its pivots later
        self.pivotings += 1
        m.integers[ga.HAVE_FACTORS] = 0
        return True

    def _relayout(self, rank: Rank) -> None:
        self.last_change = self.t
        self.rank = Rank(rank.redundant, merged([set(g.tolist()) for g in (*self.rank.groups, *rank.groups)]), rank.weakest)
        self.system.relayout(rank.redundant)
        self.motion.l[:, rank.redundant] = 0.0
        self.motion.l[ga.LAM_BEFORE] = self.motion.l[ga.LAM]
        self.motion.integers[ga.EXTRAPOLATE] = 0
        self.motion.integers[ga.CHOOSE_AT] = self.motion.integers[ga.STEPS] + CHOOSE_EVERY if rank.redundant.size else -1
        self.motion.integers[ga.CHOOSE_WAIT] = CHOOSE_EVERY
        self.motion.floats[[ga.LEAST_GAIN, ga.GROWTH]] = 0.0
        self.rank_changes += 1
        self.resize()

    def left_out(self) -> str:
        """How many constraints of which joints are left out at present, in words."""
        owners = [self.system.row_owner(int(l)).name for l in self.system.redundant]
        return ", ".join(f'{owners.count(name)} of "{name}"' for name in dict.fromkeys(owners)) or "none"

    def _choose_again(self, *, last_resort: bool = False) -> bool:
        """Of constraints that depend on each other, those that are kept have perhaps come close to dependent, while all together
        keep their rank: Newton failed, or multipliers answer more strongly. Then others are kept from here on. Returns whether
        anything changed."""
        integers = self.motion.integers
        if not self.system.redundant.size or (last_resort and integers[ga.CHOOSE_AT] == integers[ga.STEPS] + CHOOSE_EVERY):
            return False
        self.motion.floats[[ga.LEAST_GAIN, ga.GROWTH]] = 0.0
        state = self.state()
        rank = find_redundant(self.system, state, strongest=True)
        if rank.redundant.size != self.system.redundant.size or rank.weakest < BETTER * strength(self.system, state):
            integers[ga.CHOOSE_AT] = integers[ga.STEPS] + integers[ga.CHOOSE_WAIT]
            integers[ga.CHOOSE_WAIT] = min(2 * integers[ga.CHOOSE_WAIT], MOST_CHOOSE_WAIT)
            return False
        self._relayout(rank)
        # rows that are kept now were met by the others, times what their weakness made of rounding: no kick from that
        if close_again(self.system, state):
            self.motion.pose[:] = state.pose
        if last_resort:
            self.motion.floats[ga.H_WANT] = self.options[ga.STEP]
        return True

    def _lose_rank(self) -> bool:
        """Leave out constraints that have become dependent at the present position."""
        state = self.state()
        rank = find_redundant(self.system, state, strongest=True)
        if rank.redundant.size <= self.system.redundant.size and rank.weakest < BETTER * strength(self.system, state):
            return False
        self._relayout(rank)
        return True

    def _gain_rank(self) -> bool:
        """A left-out constraint opens: take back those that are independent now. False: it is dependent still, and open
        by so much that it contradicts the others."""
        self.motion.floats[[ga.LEAST_GAIN, ga.GROWTH]] = 0.0
        state = self.state()
        rank = find_redundant(self.system, state, strongest=True)
        if rank.redundant.size != self.system.redundant.size or rank.weakest > BETTER * strength(self.system, state):
            self._relayout(rank)
        elif contradiction(self.system, state) is not None:
            return False
        else:
            self.motion.floats[ga.LOOSE_LIMIT] *= 2.0  # misplaced a little
        return True


class SampleStore:
    """Samples in blocks that grow as the run does.

    A run that samples after every step and exceeds MOST samples goes on with every second, fourth ... step, and thins out
    what it has: the blocks fill at the same steps whatever the chunks, so that this too is the same in every run.
    """

    BLOCK = 256
    MOST = 16384

    def __init__(self, system: System, lam_size: int, mem_size: int) -> None:
        self.most = self.MOST
        self._sizes = (len(system.ndof), system.n_q, lam_size, mem_size)
        self._closed: list[loop.Samples] = []
        self.open = loop.new_samples(self.BLOCK, *self._sizes)

    def __len__(self) -> int:
        """Samples in blocks that are full."""
        return sum(len(block.t) for block in self._closed)

    def add(self, integrator: Integrator) -> None:
        """Sample the present motion."""
        loop.record(*integrator.motion, *self.open)

    def close(self, integrator: Integrator) -> None:
        """The open block is full: begin another."""
        new = loop.new_samples(self.BLOCK, *self._sizes)  # first: where there is no memory for it, all is as it was
        self._closed.append(self.open)
        self.open = new
        integers = integrator.motion.integers
        integers[ga.SAMPLES] = 0
        if integrator.options[ga.EVERY] == 0 and sum(len(b.t) for b in self._closed) >= self.most:
            self._closed = [loop.Samples(*(x[::2].copy() for x in self._joined(self._closed)))]
            integers[ga.STRIDE] *= 2

    def restore(self, samples: loop.Samples, integrator: Integrator) -> None:
        """Take over the samples of the earlier part of a run, blocks as they were."""
        filled = int(integrator.motion.integers[ga.SAMPLES])
        whole = len(samples.t) - filled
        if whole:
            self._closed = [loop.Samples(*(x[:whole] for x in samples))]
        for mine, theirs in zip(self.open, samples, strict=True):
            mine[:filled] = theirs[whole:]

    def thin(self, integrator: Integrator) -> bool:
        """Give up every second sample, to get over a lack of memory; False where there is nothing to give up."""
        filled = int(integrator.motion.integers[ga.SAMPLES])
        blocks = [*self._closed, loop.Samples(*(x[:filled] for x in self.open))]
        if sum(len(b.t) for b in blocks) < 3:
            return False
        integrator.motion.integers[ga.SAMPLES] = 0
        self._closed = []
        at = 0
        while blocks:  # block by block, so that memory comes free before more is taken
            one = loop.Samples(*(x[at % 2 :: 2] for x in blocks[0]))
            at += len(blocks.pop(0).t)
            with contextlib.suppress(MemoryError):  # as it is then: joined, it takes half the memory all the same
                one = loop.Samples(*(x.copy() for x in one))
            self._closed.append(one)
        return True

    def samples(self, integrator: Integrator) -> loop.Samples:
        """All samples so far."""
        filled = int(integrator.motion.integers[ga.SAMPLES])
        return self._joined([*self._closed, loop.Samples(*(x[:filled] for x in self.open))])

    @staticmethod
    def _joined(blocks: list[loop.Samples]) -> loop.Samples:
        return loop.Samples(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))
