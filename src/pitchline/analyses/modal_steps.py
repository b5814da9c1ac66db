"""Steps that resolve the modes of elastic gears."""

import math
from dataclasses import replace

from ..errors import ModelError
from ..model import Flank, Model
from .time_options import TimeOptions

__all__ = ["fitted_to_modes", "modal_warnings"]

PER_PERIOD = 4.0
"""Steps per period of the highest mode: forces are linear within a step."""


def _longest(model: Model) -> tuple[float, str]:
    """The longest step that the highest modes allow [s], infinite without elastic gears; and the pair that asks for it."""
    found = [(made.mesh.modes, name) for name, made in model.gear_pairs.items() if isinstance(made.mesh, Flank)]
    highest, name = max(found, default=(0.0, ""))
    return (1.0 / (PER_PERIOD * highest), name) if highest else (math.inf, "")


def fitted_to_modes(options: TimeOptions, model: Model) -> TimeOptions:
    """Limit the steps of error control so that they resolve the modes, unless a longest step is specified."""
    longest, _ = _longest(model)
    if options.step is not None or options.max_step is not None or longest == math.inf:
        return options
    return replace(options, max_step=longest)


def _check(step: float, longest: float, name: str) -> None:
    """Beyond two steps in a period the coupling of modes and contact grows without bound."""
    if step > 0.9 * 0.5 * PER_PERIOD * longest:
        raise ModelError(
            f'gear pair "{name}": steps of {1e6 * step:.3g} µs are too long for its modes. The highest mode has a period of '
            f"{1e6 * PER_PERIOD * longest:.3g} µs. Use a step of {1e6 * longest:.3g} µs or less, or request fewer modes"
        )


def modal_warnings(options: TimeOptions, model: Model) -> list[str]:
    """Warn if the steps do not resolve the motion of the modes."""
    longest, name = _longest(model)
    step = options.step if options.step is not None else options.max_step
    if step is None or step <= longest * (1.0 + 1e-6):
        return []
    _check(step, longest, name)
    return [
        f'gear pair "{name}": steps of {1e6 * step:.3g} µs are longer than a quarter of the period of the highest mode in motion, '
        f"so its vibrations are lost. Use a step of {1e6 * longest:.3g} µs or less, or request fewer modes"
    ]
