"""First zero of a cubic from its values and slopes at both ends: where in a step a flank comes into contact or leaves it."""

from ....math.compiled import F8, leaf

__all__ = ["crossing"]



@leaf
def crossing(a: F8, ra: F8, b: F8, rb: F8) -> F8:
    """First x in 0 .. 1 at which the cubic with values a, b and slopes ra, rb at 0 and 1 becomes negative, if it is in the middle
    or at the end; otherwise 2. a < 0 counts as zero: the residual of an earlier zero."""
    a = max(a, 0.0)
    c2 = 3.0 * (b - a) - 2.0 * ra - rb
    c3 = ra + rb - 2.0 * (b - a)
    middle = a + 0.5 * (ra + 0.5 * (c2 + 0.5 * c3))
    low = 0.0
    high = 1.0
    if middle < 0.0:
        high = 0.5
    elif b < 0.0:
        low = 0.5
    else:
        return 2.0
    if a == 0.0 and low == 0.0 and ra <= 0.0:
        return 0.0
    x = low + (high - low) * (a if low == 0.0 else middle) / ((a if low == 0.0 else middle) - (middle if low == 0.0 else b))
    for _ in range(60):
        p = a + x * (ra + x * (c2 + x * c3))
        if p < 0.0:
            high = x
        else:
            low = x
        new = x - p / (ra + x * (2.0 * c2 + 3.0 * x * c3))
        if not (new > low and new < high):
            new = 0.5 * (low + high)
        if abs(new - x) <= 1e-7:  # Newton's next step would be its square
            return new
        x = new
    return x
