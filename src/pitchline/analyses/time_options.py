"""Options of a time integration: reading, checks, limits of memory, and conversion for the time loop."""

import contextlib
import gc
import math
import threading
import time as clock
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.base.budget import foresee
from pitchline.base.storage.free_names import available_memory
from pitchline.engine.compile.matrix_plan import local_pattern
from pitchline.engine.compile.station_signals import station_specs
from pitchline.engine.compile.system import State, System
from pitchline.engine.elements.contract import ENERGIES
from pitchline.engine.solvers.integrator import SampleStore
from pitchline.engine.solvers.newton import DEFAULT
from pitchline.engine.solvers.run_record import Options, look_way, most_turn
from pitchline.engine.solvers.time_loop import coefficients
from pitchline.errors import ModelError, Place, SolveError, Subject, UnitError, shown
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel import BODY
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

__all__ = [
    "constraint_number",
    "set_constraint_options",
    "SampleMemory",
    "built",
    "check_memory",
    "check_run",
    "fitting_step",
    "ran_out",
    "thinned",
]


# ---- constraint options

# Scale and penalty of the constraints in the matrix of Newton's method, as options of the analyses.
#
# The forces of a constraint are B^T (k lambda - p Phi), and its row is k Phi = 0. k is the scale, p the penalty. They
# change the condition of the matrix, not the solution. The automatic scale of a row is k = m / s: m is the mass or
# the inertia of the bodies that it connects, s = beta h^2 in dynamics and 1 s^2 in statics.

LEAST, MOST = 1e-8, 1e8
"""Limits of the scale, relative to the automatic one. Beyond them, rounding would determine the reaction forces."""
MOST_PENALTY = 1e4
"""Largest penalty, relative to the scale and to the automatic scale. A larger one would hide masses and stiffnesses by rounding."""


def constraint_number(value: Any, name: str, *, may_be_zero: bool) -> float | str | None:
    """Check an option: a factor of the automatic scale, or a stiffness with its unit. None: automatic."""
    if value is None:
        return None
    what = Subject(name, Place(argument=(name,)))
    try:
        number, unit = quantity(value, "number", what=what), ""
    except UnitError:
        try:
            number, unit = quantity(value, "stiffness", what=what), " N/m"
        except UnitError:
            raise ModelError(
                f'{name} must be a number (multiple of the automatic scale) or a stiffness such as "1e6 N/m", got {shown(value)}',
                about=what,
            ) from None
    if unit:
        if number <= 0.0:
            raise ModelError(f"{name} must be greater than zero, got {number:g} N/m", about=what)
        return f"{number!r} N/m"
    if may_be_zero and number == 0.0:
        return 0.0
    most = MOST_PENALTY if may_be_zero else MOST
    if not LEAST <= number <= most:
        least = "0, or from 1e-08" if may_be_zero else "from 1e-08"
        raise ModelError(
            f"{name} is a multiple of the automatic scale and must be {least} to {most:.0e}, got {number:g}. Use values near 1, "
            'or a stiffness such as "1e6 N/m"',
            about=what,
        )
    return number


def set_constraint_options(
    system: System, scale: float | str | None, penalty: float | str | None, *, s: float = 1.0
) -> None:
    """Apply both options to a system. s: factor of the rows of motion [s^2], beta h^2 in dynamics."""
    if (scale is None and not penalty) or not system.n_lam:
        return
    found = _rows(system, scale, "constraint_scale", s, default=1.0)
    given = _rows(system, penalty, "constraint_penalty", s, default=0.0)
    largest = float(np.max(given / found))
    if largest > MOST_PENALTY * (1.0 + 1e-9):
        raise ModelError(
            f"constraint_penalty is {largest:.3g} times constraint_scale, more than {MOST_PENALTY:.0e}. Use a smaller penalty or a "
            "larger scale, best of the same magnitude",
            about=Subject("constraint_penalty", Place(argument=("constraint_penalty",))),
        )
    system.set_constraint_factors(found, np.where(_always_rigid(system), given, 0.0))


def _rows(system: System, value: float | str | None, name: str, s: float, *, default: float) -> np.ndarray:
    """s times the scale or penalty of every row."""
    if value is None:
        return default * system.own_scale
    if isinstance(value, float):
        return value * system.own_scale
    stiffness = quantity(value, "stiffness", what=name)
    lengths = system.structure.is_length[: system.n_lam]
    rows: np.ndarray = s * stiffness * np.where(lengths, 1.0, system.length**2)
    factors = rows / system.own_scale
    worst = factors[np.argmax(np.abs(np.log(factors)))]
    if not LEAST**1.5 <= worst <= MOST**1.5:
        usual = float(np.median(system.own_scale[lengths])) if lengths.any() else float(np.median(system.own_scale))
        raise ModelError(
            f"{name} = {stiffness:g} N/m is {worst:.2g} times the automatic scale of a constraint, outside 1e-12 to 1e+12. "
            f"The automatic scale of this model is about {usual / s:.2g} N/m",
            about=Subject(name, Place(argument=(name,))),
        )
    return rows


def _always_rigid(system: System) -> np.ndarray:
    """Rows (n_lam) without compliance that neither open nor slip: their multiplier is not in their own equation."""
    rigid = np.ones(system.n_lam, bool)
    for e, element in enumerate(system.elements):
        count = len(element.rows)
        if not count:
            continue
        rows = slice(int(system.lam0[e]), int(system.lam0[e]) + count)
        own = local_pattern(element, system.functions, opened=system.opened).diagonal()[-count:]
        rigid[rows] = ~(own | np.array(element.soft_rows, bool)) & (not element.switches)
        rigid[int(system.lam0[e]) + np.array(element.opening_rows, int)] = False
    return rigid


# ---- dense matrices

# Limit for dense matrices: large ones are made only on request.

MOST_COORDINATES = 1500
"""Number of coordinates up to which dense matrices are made without request: a few seconds, a few hundred MB."""

LEAST_TIME = 1e-11
"""Least computing time on any machine, divided by the third power of the number of coordinates [s]: reduction of one matrix."""


def foresee_dense(coordinates: int) -> None:
    """Compare the least time of a dense linear analysis with the budget."""
    foresee(
        float(coordinates) ** 3,
        LEAST_TIME,
        f"dense matrices of {coordinates:,} coordinates",
        "request some of the modes, with count= or highest=",
    )


def gigabytes(coordinates: int) -> float:
    """Memory of a dense linear analysis [GB]: about ten matrices of all coordinates, and a few of twice the size."""
    return 8e-9 * (10 + 3 * 4) * coordinates**2


def check_size(model_name: str, coordinates: int) -> None:
    """Raise an error if dense matrices would be large."""
    if coordinates > MOST_COORDINATES:
        raise ModelError(
            f'model "{model_name}" has {coordinates} coordinates. With dense matrices this takes about '
            f"{gigabytes(coordinates):.2g} GB and {_duration(coordinates)}. With sparse matrices, modes computes "
            "some of the modes: "
            "specify count=20, or highest= with a frequency. To compute all modes, specify dense=True"
        )


def _duration(coordinates: int) -> str:
    """Of the eigenvalues of the states, which go with the third power."""
    minutes = 25.0 * (2 * coordinates) ** 3 / 5e9 / 60.0
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"


# ---- garbage

# Pauses of Python's garbage collector while many long-lived objects are created.

_lock = threading.Lock()
_pauses = 0
_was_on = False


@contextlib.contextmanager
def no_garbage() -> Iterator[None]:
    """Pause the garbage collector. For a large model it would take a quarter of the time.

    Pauses of several threads may overlap. The collector continues when the last pause ends."""
    global _pauses, _was_on
    with _lock:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()


DEFAULT_RHO = 0.7
DEFAULT_TOLERANCE, STRUCTURE_TOLERANCE = 1e-6, 1e-9
"""Tolerance of the local error, in radians and fractions of the model's length, for models without and with structures. Deflections
of structures are about 1e-6 of their length."""
LOOK_AFTER = 1.0
"""Rotation after which elements update their number of revolutions [rad], less for long steps (`engine.solvers.run_record`)."""
TURN_LIMIT = 0.1
"""Largest rotation of a body in one step under error control [rad]. Above about 0.2, reaction forces of orbiting "
"bodies lose accuracy."""
SMALLEST_STEP = 1e-13
"""Smallest step under error control, divided by the duration."""
MOST_STEPS = 1e15
"""Number of steps above which times cannot be distinguished: double precision has 16 digits."""
SMALL_STEP = 2e-5
"""Step below which a run with fixed steps is stabilised by default [s], for a model at the origin. There, rounding of positions is
about 1e-6 of the model's length per s^2 in accelerations."""
FOLLOW = 0.02
"""Default tolerance of corrections, relative to the local error of the step."""
DEFAULT_SAMPLES = 1000
"""Largest number of samples of a run with fixed step if no output step is specified."""


def _option(name: str) -> Subject:
    """An option by its name, which is what messages call it."""
    return Subject(name, Place(argument=(name,)))


def positive_time(value: Any, what: str) -> float:
    """A time greater than zero [s]."""
    number = quantity(value, "time", what=what)
    if number <= 0.0:
        raise ModelError(f"{what} must be greater than zero, got {number:g} s", about=what)
    return number


def _distance(system: System, state: State) -> float:
    """Largest distance of a body from the origin, divided by the length of the model."""
    return float(np.max(np.abs(state.pose[:, :3]), initial=0.0)) / system.length


def small_step(system: System, state: State) -> float:
    """Step below which constraints on positions give inaccurate reaction forces [s]. Positions have the rounding u = 1.1e-16 (1 +
    distance), relative to the length of the model, and reactions that of the accelerations u/(beta h^2), times the amplification
    of the mechanism."""
    return SMALL_STEP * math.sqrt(1.0 + _distance(system, state))


@dataclass(frozen=True)
class TimeOptions:
    """Checked options of `dynamics`."""

    duration: float
    step: float | None
    tolerance: float | str | None
    """In radians and fractions of the model's length, or a length with its unit; None: that of `for_model`."""
    output_step: float | None
    rho: float | None
    hht: float | None
    max_step: float | None
    min_step: float | None
    newton_tolerance: float | None
    stabilised: bool | None
    """None: the choice of `for_start`."""
    constraint_scale: float | str | None = None
    constraint_penalty: float | str | None = None
    """Multiples of the automatic scale of constraints, or stiffnesses with their unit; None: automatic."""

    @staticmethod
    def read(
        *, duration: Any, step: Any, tolerance: Any, output_step: Any, rho: Any, hht: Any, max_step: Any, min_step: Any,
        newton_tolerance: Any, stabilised: Any, constraint_scale: Any = None, constraint_penalty: Any = None,
    ) -> "TimeOptions":  # fmt: skip
        """Check all options before the analysis."""
        span = positive_time(duration, _option("duration"))
        h = None if step is None else positive_time(step, _option("step"))
        out = None if output_step is None else positive_time(output_step, _option("output_step"))
        for shorter, name in ((h, "step"), (out, "output_step")):
            if shorter is not None and span / shorter > MOST_STEPS:
                raise ModelError(
                    f"{name} ({shorter:g} s) is too small for a duration of {span:g} s: this gives {span / shorter:.3g} steps, but "
                    f"times can be distinguished only up to {MOST_STEPS:.0e} steps. Specify a longer {name} or a shorter duration",
                    about=_option(name),
                )
        if h is not None and (max_step is not None or min_step is not None):
            given = "max_step" if max_step is not None else "min_step"
            raise ModelError(
                "step is fixed. Leave out max_step and min_step, or leave out step to use error control",
                about=_option(given),
            )
        if h is not None and out is not None and abs(out / h - round(out / h)) > 1e-6 * out / h:
            raise ModelError(
                f"output_step ({out:g} s) must be a multiple of step ({h:g} s)", about=_option("output_step")
            )
        if rho is not None and hht is not None:
            raise ModelError("specify rho (generalized-alpha) or hht (HHT), not both", about=_option("hht"))
        if rho is not None:
            rho = _number_time_options(rho, _option("rho"))
            if not 0.0 <= rho < 1.0:
                raise ModelError(
                    f"rho, the spectral radius at infinity, must be in 0 <= rho < 1, "
                    f"got {rho:g} (1 leaves constrained systems undamped)",
                    about=_option("rho"),
                )
        if hht is not None:
            hht = _number_time_options(hht, _option("hht"))
            if not -1 / 3 - 1e-12 <= hht < 0.0:
                raise ModelError(
                    f"hht, the alpha of HHT, must be in -1/3 <= alpha < 0, got {hht:g}", about=_option("hht")
                )
        accuracy = None if tolerance is None else _tolerance(tolerance, _option("tolerance"))
        newton_accuracy = None if newton_tolerance is None else _fraction(newton_tolerance, _option("newton_tolerance"))
        smallest = None if min_step is None else positive_time(min_step, _option("min_step"))
        largest = None if max_step is None else positive_time(max_step, _option("max_step"))
        if smallest is not None and largest is not None and smallest > largest:
            raise ModelError(
                f"min_step ({smallest:g} s) is larger than max_step ({largest:g} s)", about=_option("min_step")
            )
        scale = constraint_number(constraint_scale, "constraint_scale", may_be_zero=False)
        penalty = constraint_number(constraint_penalty, "constraint_penalty", may_be_zero=True)
        for name, found in (("constraint_scale", scale), ("constraint_penalty", penalty)):
            if isinstance(found, str) and h is None:
                raise ModelError(
                    f"{name} as a stiffness requires a fixed step, because the automatic scale depends on the step. Specify step, "
                    f"or {name} as a multiple of the automatic scale",
                    about=_option(name),
                )
        if rho is None and hht is None:
            rho = DEFAULT_RHO
        return TimeOptions(
            span,
            h,
            accuracy,
            out,
            rho,
            hht,
            largest,
            smallest,
            newton_accuracy,
            True if h is None and stabilised is None else None if stabilised is None else bool(stabilised),
            scale,
            penalty,
        )

    def for_model(self, model: Model) -> "TimeOptions":
        """Options with the default tolerance for a model if none is specified."""
        if self.tolerance is not None:
            return self
        return replace(self, tolerance=STRUCTURE_TOLERANCE if model.structures else DEFAULT_TOLERANCE)

    def for_start(self, system: System, state: State) -> "TimeOptions":
        """Options with the form of the constraints for a fixed step, if it is not specified: index 3, or stabilised if the step is
        so small that index 3 would amplify rounding."""
        if self.stabilised is not None:
            return self
        assert self.step is not None
        return replace(self, stabilised=bool(self.step < small_step(system, state) and system.n_lam_active > 0))

    def set_constraints(self, system: System) -> None:
        """Apply the scale and the penalty of constraints to a system."""
        _, _, beta, _ = coefficients(self.rho, self.hht)
        s = 1.0 if self.step is None else beta * self.step**2
        set_constraint_options(system, self.constraint_scale, self.constraint_penalty, s=s)

    def tolerance_of(self, system: System) -> float:
        """Tolerance of the local error, in radians and fractions of the model's length."""
        assert self.tolerance is not None
        if not isinstance(self.tolerance, str):
            return self.tolerance
        length = quantity(self.tolerance, "length", what="tolerance")
        if length >= system.length:
            raise ModelError(
                f"tolerance must be smaller than the length of the model ({system.length:.3g} m), got {length:.3g} m",
                about=_option("tolerance"),
            )
        return length / system.length

    def layout(self, system: System, state: State) -> np.ndarray:
        """The options of the time loop, by name."""
        o = np.zeros(1, Options.dtype)
        o["am"], o["af"], o["beta"], o["gamma"] = coefficients(self.rho, self.hht)
        h, interval, every = self._steps(system, state)
        o["rtol"], o["floor"] = self.newton_tolerance or DEFAULT, 1e-14 * (1.0 + _distance(system, state))
        o["follow"] = FOLLOW if self.newton_tolerance is None else 0.0
        o["stabilised"], o["fixed"], o["step"] = bool(self.stabilised), self.step is not None, h
        # below the default smallest step an end would never be reached
        smallest = 1e-10 * min(h, self.duration) if self.step is not None else SMALLEST_STEP * self.duration
        o["h_min"], o["h_max"] = self.min_step or smallest, self.max_step or self.duration
        o["tolerance"], o["turn_limit"] = self.tolerance_of(system), TURN_LIMIT
        o["t0"], o["t_end"], o["interval"], o["every"] = state.t, state.t + self.duration, interval, every
        # elements that move on their own are told of every step; others count turns, and need to be less often
        o["look_after"] = -1.0 if any(e.every_step for e in system.elements) else LOOK_AFTER
        o["most_turn"], o["look_way"] = most_turn(system), look_way(system)
        return o

    def _steps(self, system: System, state: State) -> tuple[float, float, int]:
        """(first step, interval of stops, stops per sample)."""
        if self.step is not None:
            count = max(1, math.ceil(self.duration / self.step - 1e-6))
            # equal steps: a remainder at the end would disturb the multipliers
            h = self.duration / count if self.output_step is None else self.step
            every = (
                math.ceil(count / DEFAULT_SAMPLES) if self.output_step is None else round(self.output_step / self.step)
            )
            return h, h, max(1, every)
        acceleration = float(np.max(np.abs(state.vd) * system.layout.weight[: system.n_q], initial=0.0))
        speed = float(np.max(np.abs(state.v) * system.layout.weight[: system.n_q], initial=0.0))
        h = min(
            self.duration / 100,
            0.1 * math.sqrt(self.tolerance_of(system) / max(acceleration, 1e-300)) if acceleration else math.inf,
        )
        h = min(h, 0.01 / speed if speed else math.inf, self.max_step or math.inf)
        h = max(h, self.min_step or SMALLEST_STEP * self.duration)
        return h, self.output_step or 0.0, 1 if self.output_step else 0


def sample_count(options: TimeOptions) -> float | None:
    """Number of samples of a run; None with error control and no output step, because it is not known."""
    if options.output_step is not None:
        return options.duration / options.output_step + 1.0
    if options.step is None:
        return None
    return min(options.duration / options.step, float(DEFAULT_SAMPLES)) + 1.0


def _tolerance(value: Any, what: str) -> float | str:
    """A part of lengths and of a radian, or a length with its unit."""
    try:
        return _fraction(value, what)
    except UnitError:
        try:
            length = quantity(value, "length", what=what)
        except UnitError:
            raise ModelError(
                f"{what} must be a number between 0 and 1 (radians, and fractions of the model's length) or a length such as "
                f'"0.5 nm", got {shown(value)}',
                about=what,
            ) from None
    if length <= 0.0:
        raise ModelError(f"{what} must be greater than zero, got {length:g} m", about=what)
    return f"{length!r} m"


def _number_time_options(value: Any, what: str) -> float:
    return quantity(value, "number", what=what)


def _fraction(value: Any, what: str) -> float:
    number = _number_time_options(value, what)
    if not 0.0 < number < 1.0:
        raise ModelError(f"{what} must be between 0 and 1, got {number:g}", about=what)
    return number


# ---- memory

# Memory for samples, compared with the free memory before a run.

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
