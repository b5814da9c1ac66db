"""Options of a time integration: reading, checks, and conversion for the time loop."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import ModelError, Place, Subject, UnitError, shown
from ..model import Model
from ..solvers.generalized_alpha import coefficients
from ..solvers.newton import DEFAULT
from ..solvers.run_record import Options
from ..solvers.turn_limits import look_way, most_turn
from ..system.system import State, System
from ..units import quantity
from .constraint_options import constraint_number, set_constraint_options

DEFAULT_RHO = 0.7
DEFAULT_TOLERANCE, STRUCTURE_TOLERANCE = 1e-6, 1e-9
"""Tolerance of the local error, in radians and fractions of the model's length, for models without and with structures. Deflections
of structures are about 1e-6 of their length."""
LOOK_AFTER = 1.0
"""Rotation after which elements update their number of revolutions [rad], less for long steps (`solvers.turn_limits`)."""
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
            rho = _number(rho, _option("rho"))
            if not 0.0 <= rho < 1.0:
                raise ModelError(
                    f"rho, the spectral radius at infinity, must be in 0 <= rho < 1, "
                    f"got {rho:g} (1 leaves constrained systems undamped)",
                    about=_option("rho"),
                )
        if hht is not None:
            hht = _number(hht, _option("hht"))
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


def _number(value: Any, what: str) -> float:
    return quantity(value, "number", what=what)


def _fraction(value: Any, what: str) -> float:
    number = _number(value, what)
    if not 0.0 < number < 1.0:
        raise ModelError(f"{what} must be between 0 and 1, got {number:g}", about=what)
    return number
