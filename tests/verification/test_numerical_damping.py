"""Numerical damping: on a linear oscillator every step is one product with the amplification matrix of the method.

A linear recurrence y_{n+1} = A y_n makes each component obey the characteristic polynomial of A (Cayley-Hamilton):
x_{n+3} + c1 x_{n+2} + c2 x_{n+1} + c3 x_n = 0. Measured positions must do so to rounding, for all h w.
"""

import numpy as np
import pytest
from references.amplification import amplification_matrix, spectral_radius

import pitchline as pl

STEP = 1e-3
MASS = 2.0
DEFLECTION = 1e-5
"""[m]; so small that the first guess of a step, h^2 a/2 = W^2/2 of it, is a sensible length for all W."""
METHODS = [{"rho": 0.0}, {"rho": 0.5}, {"rho": 0.7}, {"rho": 0.9}, {"hht": -0.05}, {"hht": -0.3}]


def oscillator(W: float) -> pl.Model:
    """A slider on a linear spring with h w = W, displaced and at rest."""
    m = pl.Model("oscillator")
    m.body("slider", mass=MASS, inertia=(1.0, 1.0, 1.0), position=(DEFLECTION, 0, 0))
    m.prismatic("guide", m.ground, "slider", axis="x")
    on_ground, on_slider = m.ground.frame(), m.bodies["slider"].frame()
    m.bushing("spring", on_ground, on_slider, stiffness=(MASS * (W / STEP) ** 2, 0, 0, 0, 0, 0))
    return m


def deflections(W: float, count: int, **options: object) -> np.ndarray:
    """Deflection of the spring at every step."""
    result = pl.dynamics(
        oscillator(W), duration=count * STEP, step=STEP, output_step=STEP, newton_tolerance=1e-10, **options
    )
    return result["slider.position"].values[:, 0]


@pytest.mark.parametrize("W", [0.1, 0.5, 2.0, 10.0, 1e2, 1e3])
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_every_step_is_the_amplification_matrix(method, W) -> None:
    x = deflections(W, 60, **method)
    c = np.poly(amplification_matrix(W, **method))
    left = x[3:] + c[1] * x[2:-1] + c[2] * x[1:-2] + c[3] * x[:-3]
    assert np.max(np.abs(left)) < 1e-9 * np.max(np.abs(x))


@pytest.mark.parametrize("reduce", [True, False])
def test_first_steps(reduce) -> None:
    """From rest, with the exact acceleration as algorithmic one: y_n = A^n y_0."""
    W = 0.7
    A = amplification_matrix(W, rho=0.7)
    y = DEFLECTION * np.array([1.0, 0.0, -(W**2)])
    x = deflections(W, 20, reduce=reduce)
    for n in range(21):
        assert x[n] == pytest.approx(y[0], abs=1e-10 * DEFLECTION)
        y = A @ y


@pytest.mark.parametrize("rho", [0.3, 0.5, 0.7, 0.9])
def test_high_frequencies_die_by_rho_a_step(rho) -> None:
    """For h w -> infinity the amplitude falls by rho a step, up to powers of n from the multiple eigenvalue."""
    assert spectral_radius(amplification_matrix(1e5, rho=rho)) == pytest.approx(rho, rel=1e-3, abs=2e-3)
    n = 40
    x = np.abs(deflections(1e4, 2 * n, rho=rho))
    # a triple eigenvalue -rho: |x_n| ~ n^2 rho^n; compare the decay from n to 2 n with the powers taken out
    first, second = np.max(x[n - 3 : n + 1]), np.max(x[2 * n - 3 : 2 * n + 1])
    assert (second / first / 4) ** (1 / n) == pytest.approx(rho, rel=0.06)


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_low_frequencies_are_kept(method) -> None:
    """At h w = 0.1 a thousand steps lose what the spectral radius says: 1 - |zeta| = O((h w)^3) or O((h w)^4)."""
    W = 0.1
    x = deflections(W, 1000, **method)
    loss = spectral_radius(amplification_matrix(W, **method)) ** 900
    first, last = np.max(np.abs(x[1:65])), np.max(np.abs(x[-64:]))
    assert last / first == pytest.approx(loss, rel=0.02)
