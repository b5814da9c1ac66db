"""Floquet multipliers of meshing pairs against Mathieu's equation, Liouville's theorem, eigenvalues and runs over time."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

TEETH, ZETA = 20, 0.05


def pair(
    eps: float,
    *,
    driven: bool = True,
    zeta: float = ZETA,
    consistent: bool = False,
    kick: float = 0.0,
    speed: float = 0.0,
) -> pl.Model:
    """x'' + 2 zeta x' + (1 + eps cos L t) x = 0 of the approach x of the teeth, L = z omega; both wheels free: half the masses."""
    m = pl.Model("pair")
    gear = pl.Gear(teeth=TEETH, normal_module=2.0 / TEETH)
    inertia = 1.0 if driven else 2.0
    a = m.gear_body(
        "a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(inertia,) * 3, angular_velocity=(0, 0, speed)
    )
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(inertia,) * 3, angular_velocity=(0, 0, kick - speed))
    shaft = m.revolute("shaft", m.ground, a)
    m.revolute("output", m.ground, b)
    if driven:
        m.drive("motor", shaft, speed=speed)
    wave = pl.Varying(pl.Fourier("360 deg", 1.0, cos=[eps], over="angle"))
    mesh = pl.Elastic(
        wave, along="hoop", damping=2 * zeta, damping_acts="always", backlash=0, energy_consistent=consistent
    )
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


BOUNDARIES = [
    (0.3, 1.8831440170835734, +1), (0.3, 2.106392377929034, -1),
    (0.5, 1.7625457143741916, +1), (0.5, 2.2182415897677323, -1),
]  # fmt: skip
"""Nayfeh and Mook, Nonlinear Oscillations, damped Mathieu equation, zeta = 0.05; values by Floquet, to 1e-6."""


@pytest.mark.parametrize("driven", [True, False])
@pytest.mark.parametrize(("eps", "L", "grows"), BOUNDARIES)
def test_boundaries_of_the_principal_instability(eps: float, L: float, grows: int, driven: bool) -> None:
    """The largest multiplier passes |mu| = 1, through -1, at L: unstable 1e-5 inside, stable 1e-5 outside."""
    speeds = np.array([L - 1e-5, L, L + 1e-5]) / TEETH
    found = pl.floquet(pair(eps, driven=driven), "shaft", speeds)
    assert found.largest[1, 0] == pytest.approx(1.0, abs=1e-6)
    assert found.multipliers[1, 0, 0] == pytest.approx(-1.0, abs=1e-6)
    assert list(found.stable[:, 0][[0, 2]]) == ([True, False] if grows > 0 else [False, True])


def test_smallest_ripple_that_grows() -> None:
    """4 zeta, to first order; 0.19998472 by Floquet."""
    L = np.linspace(1.98, 2.0, 41)
    found = pl.floquet(pair(0.5), "shaft", L / TEETH, ripples=[2 * 0.1997, 2 * 0.2003])
    assert np.all(found.stable[:, 0]) and not np.all(found.stable[:, 1])


@pytest.mark.parametrize("consistent", [True, False])
def test_liouville(consistent: bool) -> None:
    """The product of the multipliers is exp(-2 zeta T), whatever the stiffness does."""
    found = pl.floquet(
        pair(0.7, consistent=consistent), "shaft", np.array([0.3, 1.0, 1.9, 2.6]) / TEETH, ripples=[0.0, 0.5, 1.0]
    )
    product = found.multipliers.prod(axis=2)
    expected = np.exp(-2 * ZETA * found.periods)[:, None] * np.ones(3)
    np.testing.assert_allclose(product.real, expected, rtol=1e-10)
    np.testing.assert_allclose(product.imag, 0.0, atol=1e-10)
    np.testing.assert_allclose(found.periods, 2 * np.pi / np.array([0.3, 1.0, 1.9, 2.6]), rtol=1e-7)


def test_method_is_of_fourth_order() -> None:
    speeds = [1.9 / TEETH]

    def largest(steps: int) -> float:
        return float(pl.floquet(pair(0.5), "shaft", speeds, steps=steps).largest[0, 0])

    exact = largest(256)
    errors = [abs(largest(steps) - exact) for steps in (4, 8, 16)]
    assert math.log2(errors[1] / errors[2]) == pytest.approx(4.0, abs=0.3)


def supported(eps: float) -> pl.Model:
    """Two wheels in cases on elastic, damped supports, so that several modes take part; the disc of one is a gyroscope."""
    m = pl.Model("supported")
    gear = pl.Gear(teeth=TEETH, normal_module=0.01, face_width=0.03)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a)
    m.drive("motor", m.revolute("shaft", m.ground, a), speed=0.0)
    case = m.body("case", mass=2.0, inertia=(0.01, 0.01, 0.01), position=b.position)
    m.bushing(
        "support",
        m.ground,
        case,
        at=b.position,
        stiffness=[3e6, 2e6, 4e6, 2e4, 3e4, 2e4],
        damping=[90, 80, 70, 3, 4, 3],
    )
    m.revolute("bearing", case, b, axis="z")
    wave = pl.Varying(pl.Fourier("360 deg", 2e7, cos=[eps * 2e7], over="angle"))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(wave, damping=100.0, damping_acts="always", backlash=0, separating=False))
    return m


def test_without_ripple_the_multipliers_are_those_of_the_eigenvalues() -> None:
    """mu = exp(s T) of the modes at that speed, gyroscopic terms included."""
    speeds = [20.0, 400.0]
    found = pl.floquet(supported(0.4), "shaft", speeds, ripples=[0.0])
    diagram = pl.campbell(supported(0.4), "shaft", speeds)
    omega, zeta = 2 * np.pi * diagram.frequencies, diagram.damping_ratios
    s = omega * (-zeta + 1j * np.sqrt(1 - zeta**2))
    for k, T in enumerate(found.periods):
        mu = np.exp(np.concatenate([s[k], s[k].conj()]) * T)
        expected, actual = (np.sort_complex(np.round(v, 9)) for v in (mu, found.multipliers[k, 0]))
        assert len(expected) == len(actual)
        distance = np.abs(actual[:, None] - expected).min(axis=1)
        assert distance.max() < 1e-6


def test_free_rotation_is_left_out() -> None:
    """Both wheels free: the approach alone remains, with two multipliers."""
    found = pl.floquet(pair(0.3, driven=False), "shaft", [1.5 / TEETH, 2.0 / TEETH])
    assert found.multipliers.shape == (2, 1, 2)
    same = pl.floquet(pair(0.3), "shaft", [1.5 / TEETH, 2.0 / TEETH])
    np.testing.assert_allclose(np.sort(np.abs(found.multipliers)), np.sort(np.abs(same.multipliers)), rtol=1e-6)


def test_growth_of_a_run_over_time() -> None:
    """Inside the instability a small push grows by ln|mu|/T; sampled every other period its dominant part is a pure exponential."""
    L = 2.0
    T = 2 * math.pi / L
    found = pl.floquet(pair(0.5), "shaft", [L / TEETH])
    options: dict[str, Any] = {"duration": 60 * T, "step": T / 200, "output_step": 2 * T, "newton_tolerance": 1e-11}
    run = pl.dynamics(pair(0.5, speed=L / TEETH, kick=1e-6), **options)
    x = np.abs(run["mesh.approach"].values[10:])
    rate = np.polyfit(run.time[10:], np.log(x), 1)[0]
    assert found.growth[0, 0] > 0
    assert rate == pytest.approx(found.growth[0, 0], rel=2e-3)


def test_a_revolution_as_the_period() -> None:
    """The same stability, with multipliers to the power of the number of teeth."""
    speeds = [1.5 / TEETH, 2.0 / TEETH]
    one, whole = (
        pl.floquet(pair(0.3), "shaft", speeds, cycle=cycle, steps=n, samples=n)
        for cycle, n in (("mesh", 64), ("revolution", 640))
    )
    np.testing.assert_allclose(whole.largest, one.largest**TEETH, rtol=1e-4)
    np.testing.assert_allclose(whole.growth, one.growth, rtol=1e-4)
    np.testing.assert_allclose(whole.periods, TEETH * one.periods, rtol=1e-7)
