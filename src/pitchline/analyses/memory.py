"""Memory for samples, compared with the free memory before a run."""

import math
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..disk.free_memory import available_memory
from ..elements.body import BODY
from ..elements.contract import ENERGIES
from ..errors import ModelError, SolveError
from ..model import Model
from ..results.result import Result
from ..solvers.integrator import SampleStore
from ..system.station_signals import station_specs
from ..system.system import System
from .time_options import TimeOptions, sample_count

__all__ = [
    "SampleMemory",
    "built",
    "check_memory",
    "check_run",
    "fitting_step",
    "ran_out",
    "thinned",
]

USABLE = 0.9
"""Fraction of the free memory that samples may use; the rest is for the system and for uncertainty."""
ADVISED = 0.5
"""Fraction of the free memory that the advice of a message uses."""
MOST_SAMPLES = 10**12
"""Upper limit on every machine."""
READ_AGAIN = 1.0
"""The free memory is read again after this time [s]."""
SMALL = 0.01
"""Fraction of the free memory up to which an earlier reading is good enough."""
_reading = (-math.inf, 0.0)
"""Time of the last reading of the free memory [s], and its value [bytes]."""


@dataclass(frozen=True)
class SampleMemory:
    """Bytes of one sample: in the store of a run, and as signals of a result. `part`: smallest fraction of the "
    "whole that these are."""

    stored: int
    signals: int
    part: float = 1.0

    @property
    def peak(self) -> int:
        """Peak while a result is built: samples in blocks, joined samples, signals."""
        return 2 * self.stored + self.signals

    @staticmethod
    def of(system: System) -> "SampleMemory":
        nodes, inertial = len(system.ndof), sum(1 for e in system.elements if e.kind is BODY)
        lam, mem = max(system.n_lam, 1), max(system.n_mem, 1)
        own = system.own.count + 2 * system.own.condensed_count
        stored = 8 * (1 + 7 * nodes + 2 * system.n_q + lam + mem + own + 3)
        reported = sum(e.kind.reported for e in system.elements)
        reported += sum(
            spec.size for structure in system.model.structures.values() for _, spec in station_specs(structure)
        )
        return SampleMemory(stored, 8 * (reported + len(ENERGIES) + 12 * inertial + 5))

    @staticmethod
    def least(model: Model) -> "SampleMemory":
        """A lower bound, known before the model is compiled (which may take long: finite elements)."""
        bodies = sum(1 for body in model.bodies.values() if not body.is_ground)
        return SampleMemory(8 * (3 + 7 * bodies), 8 * (5 + 19 * bodies), part=0.1)


def _surely_fits(size: float) -> bool:
    """Whether a need is small, compared with a free memory that was read a moment ago. Reading takes longer than a short run."""
    time, free = _reading
    return size <= SMALL * free and clock.monotonic() - time < READ_AGAIN


def _free_memory() -> float:
    """Read the free memory, and keep the value for small needs that follow."""
    global _reading
    free = available_memory()
    _reading = clock.monotonic(), free
    return free


def check_memory(
    what: str, count: float, each: float, cure: Callable[[int], str], *, part: float = 1.0, free: float | None = None
) -> None:
    """Raise an error if `count` samples of `each` bytes do not fit into memory.

    cure: advice, as a function of the number that would fit; part: smallest fraction of a whole sample that `each` is.
    """
    if free is None and count < MOST_SAMPLES and _surely_fits(count * each):
        return
    room = _free_memory() if free is None else free
    if count < MOST_SAMPLES and count * each <= USABLE * room:
        return
    fit = max(2, int(min(part * ADVISED * room / each, 1e6 if math.isinf(room) else math.inf)))
    has = "" if math.isinf(room) else f", and {_size(room)} are free"
    asked = (
        f"{_number(count)} samples of {'at least ' if part < 1.0 else ''}{_size(each)}: {_size(count * each)} of memory"
    )
    raise ModelError(f"{what} would keep {asked}{has}; {cure(fit)}")


def check_run(model: Model, options: TimeOptions, each: SampleMemory) -> int:
    """Raise an error if the samples of `dynamics` do not fit into memory. The message has the output step that would fit.

    With error control and no output step, the number of samples is not known before the run. Samples are thinned out above a
    number, which is returned: less than usual if memory is short. Between two thinnings the number grows by half.
    """
    count = sample_count(options)
    most = SampleStore.MOST
    if count is None:
        if not _surely_fits(1.5 * most * each.peak):
            fit = USABLE * _free_memory() / (1.5 * each.peak)
            most = int(min(max(fit // SampleStore.BLOCK, 2.0) * SampleStore.BLOCK, most))
        count = 1.5 * most

    def cure(fit: int) -> str:
        step = fitting_step(options, fit)
        return (
            f'specify output_step = "{step:.4g} s" or a longer one'
            if step < options.duration
            else "use a smaller model"
        )

    check_memory(f'dynamics of model "{model.name}"', count, each.peak, cure, part=each.part)
    return most


def built(build: Callable[[], Result], thin: Callable[[], bool], *, what: str) -> Result:
    """Return a result. If there is not enough memory, it has every second, fourth, ... sample, with a warning."""
    every = 1
    while True:
        try:
            result = build()
            break
        except MemoryError:  # what was taken comes free when this block is left, not before
            pass
        if not thin():
            raise SolveError(f"{what} ran out of memory. No samples could be kept. {_LESS}")
        every *= 2
    if every > 1:
        result.warnings.append(
            f"there was not enough memory for all samples. The result contains only every {every}th sample. {_LESS}"
        )
    return result


def thinned(states: list[Any]) -> bool:
    """Remove every second state, but not the first one; False if there is nothing to remove."""
    del states[1::2]
    return len(states) > 1


def ran_out(what: str, t: float, samples: int) -> str:
    """Message for a run that ended because there was not enough memory."""
    kept = "The result contains the samples up to this time"
    return f"{what} ran out of memory at t = {t:g} s, after {samples:,} samples. {kept}. {_LESS}"


_LESS = "To keep fewer samples, specify a longer output_step. Or close other programs"


def fitting_step(options: TimeOptions, fit: int) -> float:
    """Output step [s] for at most `fit` samples: a multiple of a fixed step, with two digits."""
    wanted = options.duration / max(fit - 1, 1)
    if options.step is None:
        power = 10.0 ** math.floor(math.log10(wanted) - 1)
        return math.ceil(wanted / power) * power
    multiple = math.ceil(wanted / options.step)
    power = 10 ** max(0, len(str(multiple)) - 2)
    return -(-multiple // power) * power * options.step


def _number(count: float) -> str:
    return f"{count:,.0f}" if count < 1e12 else f"{count:.3g}"


def _size(bytes_: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if bytes_ >= size:
            return f"{bytes_ / size:,.3g} {unit}"
    return f"{bytes_:.0f} bytes"
