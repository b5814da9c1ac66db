"""First zero of a cubic in 0 .. 1 from its values `left`, `right` and slopes `rise`, `fall` at both ends: text.

`left` is not negative; the residual of an earlier zero counts as zero. There is a zero if the cubic is negative at the end, or at a
minimum on the way to it. ESTIMATE gives x, nearly this zero (2 without one), so that the first of several events can be chosen.
KEEP keeps its cubic, and ROOT then computes its zero `soonest`.
"""

__all__ = ["CUBIC_NAMES", "ESTIMATE", "KEEP", "ROOT"]

ITERATIONS = 60
"""Five are enough, except where bisection is necessary."""

_PARTS = ("left", "rise", "bend", "twist", "high")
CUBIC_NAMES = ("soonest", "x", "right", "fall", *_PARTS, *(f"{name}_of_first" for name in _PARTS))
"""Variables of these texts that need a value before."""

_VALUE, _SLOPE = "(left + {0}*(rise + {0}*(bend + {0}*twist)))", "(rise + {0}*(2.0*bend + 3.0*{0}*twist))"
ESTIMATE = [
    "x = 2.0",
    "if right < 0.0 or (rise < 0.0 and fall > 0.0):",
    "    bend = 3.0*(right - left) - 2.0*rise - fall",
    "    twist = rise + fall - 2.0*(right - left)",
    "    high = 1.0",
    "    low = 0.0",
    "    if rise < 0.0 and bend*bend > 3.0*twist*rise:",
    "        turn = bend + math.sqrt(bend*bend - 3.0*twist*rise)",
    "        if turn > -rise:",  # a minimum inside
    f"            low = {_VALUE.format('(-rise/turn)')}",
    "            high = -rise/turn if low < 0.0 else 1.0",
    "    if low < 0.0:",
    "        x = high*(1.0 - math.sqrt(low/(low - left)))",
    "    elif right < 0.0:",
    "        x = left/(left - right)",
    "        if rise > 0.0:",  # from the right: `left` itself may be a zero, that of an earlier event
    "            x = max(1.0 - right/fall, 0.5) if fall < 0.0 else 0.5",
    f"        better = x - {_VALUE.format('x')}/{_SLOPE.format('x')}",
    "        x = better if better > 0.0 and better < 1.0 else x",
]
KEEP = [f"{name}_of_first = {name}" for name in _PARTS]
ROOT = [
    *(f"{name} = {name}_of_first" for name in _PARTS),
    "low = 0.0",
    "if left == 0.0 and rise <= 0.0:",
    "    soonest = 0.0",
    "else:",
    f"    for iteration in range({ITERATIONS}):",
    f"        value = {_VALUE.format('soonest')}",
    "        if value < 0.0:",
    "            high = soonest",
    "        else:",
    "            low = soonest",
    f"        change = value/{_SLOPE.format('soonest')}",
    "        x = soonest - change",
    "        if abs(change) < 1e-7:",  # the error is now the square of it
    "            soonest = x",
    "            break",
    "        soonest = x if x > low and x < high else 0.5*(low + high)",
]
