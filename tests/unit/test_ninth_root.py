"""The ninth root of roller contacts."""

import numpy as np

from pitchline.numerics.functions import ninth_root
from pitchline.numerics.machine_code.compiled import A1, entry


@entry
def roots(x: A1, y: A1):
    for i in range(x.size):
        y[i] = ninth_root(x[i])


def test_it_is_right_to_the_last_digits() -> None:
    """Over all that numbers hold, and at the ends of the parts into which the mantissa is divided."""
    spread = np.random.default_rng(5).uniform(-300, 300, 2000)
    ends = 1.0 + np.arange(128) / 128
    x = np.concatenate([10.0**spread, ends, np.nextafter(ends, 0), [2.3e-308, 1.7e308]])
    y = np.empty_like(x)
    roots(x, y)
    exact = x.astype(np.longdouble) ** (np.longdouble(1) / 9)
    assert abs(y / exact - 1).max() < 1e-15
