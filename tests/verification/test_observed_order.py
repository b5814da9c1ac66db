"""Order 2 in positions, velocities and reactions, for mechanisms in the plane and in space.

Errors are the largest ones over samples every tenth of a second, against a reference of order 8 that solves the same
equations in another form (`references.newton_euler`). With steps h and h/2 a method of order 2 has the quotient 4;
the next term of the expansion, of relative size h w with frequencies w up to some ten rad/s, moves the observed order
by less than 0.15. Some quantities gain more: the stabilised form has the velocities of driven mechanisms to order 3.
"""

import functools

import numpy as np
import pytest
from references import mechanisms
from references.newton_euler import Mechanism, Motion
from references.observed_order import largest, observed_order

import pitchline as pl

MODELS = {
    "double pendulum": mechanisms.double_pendulum,
    "heavy top": mechanisms.heavy_top,
    "slider-crank, free": functools.partial(mechanisms.slider_crank, driven=False),
    "slider-crank, driven": functools.partial(mechanisms.slider_crank, driven=True, offset=0.05),
    "four-bar in space": mechanisms.four_bar_in_space,
}
METHODS = {
    "index 3": {},
    "stabilised": {"stabilised": True},
    "HHT": {"hht": -0.1},
    "rho 0.4, stabilised": {"rho": 0.4, "stabilised": True},
}
DURATION = 1.0
SAMPLES = np.linspace(0, DURATION, 11)


@functools.cache
def reference(name: str) -> Motion:
    return Mechanism(MODELS[name]()).solve(SAMPLES)


def errors(name: str, step: float, **options: object) -> dict[str, float]:
    """Largest errors over all bodies and joints, relative to the largest value of the quantity where that is above
    1."""
    exact = reference(name)
    result = pl.dynamics(
        MODELS[name](), duration=DURATION, step=step, output_step=0.1, newton_tolerance=1e-9, **options
    )
    found = {}
    for quantity in ("position", "velocity", "angular_velocity", "force", "moment", "torque"):
        values = getattr(exact, quantity)
        scale = max([1.0] + [float(np.max(np.abs(v))) for v in values.values()])
        # the first sample is exact; multipliers need a few steps to forget it
        parts = [largest(result[f"{owner}.{quantity}"].values[1:], v[1:]) / scale for owner, v in values.items()]
        found[quantity] = max(parts, default=0.0)
    return found


@pytest.mark.parametrize("reduce", [True, False], ids=["reduced", "six coordinates"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MODELS)
def test_order_two(name, method, reduce) -> None:
    coarse = errors(name, 2e-3, reduce=reduce, **METHODS[method])
    fine = errors(name, 1e-3, reduce=reduce, **METHODS[method])
    for quantity, error in fine.items():
        if error > 1e-8:  # joints in the plane have no moments, free mechanisms no drives
            assert observed_order([coarse[quantity], error]) > 1.85, quantity
    assert max(fine["position"], fine["velocity"], fine["force"]) < 2e-3


@pytest.mark.parametrize("name", MODELS)
def test_start_is_consistent(name) -> None:
    """Reactions in the first sample follow from the equations of motion: no error of the method."""
    exact = reference(name)
    result = pl.dynamics(MODELS[name](), duration=1e-3, step=1e-3)
    for quantity in ("force", "moment", "torque"):
        for owner, values in getattr(exact, quantity).items():
            size = max(1.0, float(np.max(np.abs(values))))
            assert largest(result[f"{owner}.{quantity}"].values[0], values[0]) < 1e-9 * size
