"""First zero of a cubic in 0 .. 1 from its values `left`, `right` and slopes `rise`, `fall` at both ends: text.

`left` is not negative; the residual of an earlier zero counts as zero. There is a zero if the cubic is negative in the middle or at
the end. ESTIMATE gives x, nearly this zero, so that the first of several events can be chosen; KEEP keeps its cubic, and ROOT then
computes its zero `soonest`.
"""

from .text import indented

__all__ = ["CUBIC_NAMES", "ESTIMATE", "KEEP", "ROOT"]

ITERATIONS = 60
"""Five are enough, except where bisection is necessary."""

_PARTS = ("left", "right", "rise", "fall", "middle")
CUBIC_NAMES = ("soonest", "x", *_PARTS, *(f"{name}_of_first" for name in _PARTS))
"""Variables of these texts that need a value before."""

_COEFFICIENTS = ["bend = 3.0*(right - left) - 2.0*rise - fall", "twist = rise + fall - 2.0*(right - left)"]
ESTIMATE = [
    "middle = 0.5*(left + right) + 0.125*(rise - fall)",
    "if middle < 0.0 or right < 0.0:",
    *indented(_COEFFICIENTS, 1),
    "    x = 0.5*left/(left - middle) if middle < 0.0 else 0.5 + 0.5*middle/(middle - right)",
    "    x = x - (left + x*(rise + x*(bend + x*twist)))/(rise + x*(2.0*bend + 3.0*x*twist))",
    "    x = min(max(x, 0.0), 0.5) if middle < 0.0 else min(max(x, 0.5), 1.0)",
]
KEEP = [f"{name}_of_first = {name}" for name in _PARTS]
ROOT = [
    *(f"{name} = {name}_of_first" for name in _PARTS),
    *_COEFFICIENTS,
    "low = 0.0 if middle < 0.0 else 0.5",
    "high = low + 0.5",
    "if left == 0.0 and low == 0.0 and rise <= 0.0:",
    "    soonest = 0.0",
    "else:",
    f"    for turn in range({ITERATIONS}):",
    "        value = left + soonest*(rise + soonest*(bend + soonest*twist))",
    "        if value < 0.0:",
    "            high = soonest",
    "        else:",
    "            low = soonest",
    "        x = soonest - value/(rise + soonest*(2.0*bend + 3.0*soonest*twist))",
    "        if not (x > low and x < high):",
    "            x = 0.5*(low + high)",
    "        moved = abs(x - soonest)",
    "        soonest = x",
    "        if moved < 1e-7:",  # the error is now the square of it
    "            break",
]
