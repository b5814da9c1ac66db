"""Elastic shafts that vibrate and spin, against continuous shafts and closed forms."""

import numpy as np
import pytest
import scipy.linalg
from references.beam_chain import BeamChain
from references.continuous_shaft import whirl_frequencies
from references.observed_order import observed_order

import pitchline as pl
from pitchline.parts.shafts.sections import BeamSection
from pitchline.parts.shafts.segment import Segment

STEEL = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)
TUBE = BeamSection.circle(0.06, inner=0.03, material=STEEL)
IN_PLANE = (0, 4)  # displacement along x, rotation about y


def frequencies(length: float, elements: int, mass: str, coordinates: tuple[int, ...]) -> np.ndarray:
    """Of a free tube [rad/s], rising; of motions in these coordinates of the nodes alone."""
    chain = BeamChain.straight([Segment.uniform(length / elements, TUBE)] * elements, mass=mass)
    K, M = chain.matrices()
    mine = np.array([6 * k + c for k in range(elements + 1) for c in coordinates])
    return np.sqrt(np.abs(scipy.linalg.eigh(K[np.ix_(mine, mine)], M[np.ix_(mine, mine)], eigvals_only=True)))


@pytest.mark.parametrize(
    ("length", "bounds"), [(0.24, (1.7e-2, 1.3e-3)), (0.6, (8.5e-3, 2.2e-4)), (1.2, (3.2e-3, 7e-5))]
)
def test_bending_of_a_free_tube(length: float, bounds: tuple[float, float]) -> None:
    """Four lowest frequencies of tubes of 4, 10 and 20 diameters against the continuous shaft, with 8 and with 16 elements."""
    first = 22.37 / length**2 * np.sqrt(TUBE.stiffness[3, 3] / TUBE.mass[0, 0])  # without shear: above the first one
    exact = whirl_frequencies([("shaft", length, TUBE)], 0.3 * first, 9.5 * first)[:4]
    for elements, bound in zip((8, 16), bounds, strict=True):
        found = frequencies(length, elements, "tuned", IN_PLANE)[2:6]
        np.testing.assert_allclose(found, exact, rtol=bound)


def test_orders_of_frequencies() -> None:
    """Consistent and lumped masses leave an error of h²; the tuned one has h⁴ in torsion and axial motion."""
    length = 0.6
    exact = whirl_frequencies([("shaft", length, TUBE)], 2000.0, 8000.0)[0]
    for mass, bound in (("consistent", 2.0), ("lumped", 2.0)):
        errors = [abs(frequencies(length, n, mass, IN_PLANE)[2] / exact - 1) for n in (10, 20)]
        assert observed_order(errors) == pytest.approx(bound, abs=0.1)
    tuned, consistent = (
        abs(frequencies(length, 16, mass, IN_PLANE)[2] / exact - 1) for mass in ("tuned", "consistent")
    )
    assert tuned < 0.2 * consistent
    for coordinate, speed in ((5, TUBE.stiffness[5, 5] / TUBE.mass[5, 5]), (2, TUBE.stiffness[2, 2] / TUBE.mass[2, 2])):
        exact = np.pi * np.sqrt(speed) / length
        errors = [abs(frequencies(length, n, "tuned", (coordinate,))[1] / exact - 1) for n in (4, 8)]
        assert observed_order(errors) == pytest.approx(4.0, abs=0.1)
        errors = [abs(frequencies(length, n, "consistent", (coordinate,))[1] / exact - 1) for n in (8, 16)]
        assert observed_order(errors) == pytest.approx(2.0, abs=0.1)


def test_whirl_of_a_spinning_tube_on_springs() -> None:
    """Campbell diagram of a model against the continuous shaft that spins: forward and backward, and their critical speeds."""
    length, k = 0.6, 5e7
    m = pl.Model("tube", gravity=(0, 0, 0))
    shaft = m.shaft("tube", [pl.ShaftSection(length, 0.06, inner=0.03)], material=STEEL, elements=16)
    for end, z in (("start", 0.0), ("end", length)):
        m.bushing(end, m.ground, shaft[end], at=(0, 0, z), stiffness=[k, k, 1e6, 0, 0, 0])
    parts = [("spring", k), ("shaft", length, TUBE), ("spring", k)]
    spin = 3000.0
    found = pl.campbell(m, "tube", [0.0, spin, 2 * spin, 3 * spin], highest="900 Hz", orders={})
    for sign, name in ((1.0, "forward"), (-1.0, "backward")):
        exact = whirl_frequencies(parts, 500.0, 6000.0, spin=lambda w, s=sign: s * spin, samples=80)
        mine = 2 * np.pi * np.sort(found.frequencies[1, sign * found.whirl[1] > 0.5])
        np.testing.assert_allclose(mine[: len(exact)], exact, rtol=2e-4)
        exact = whirl_frequencies(parts, 500.0, 6000.0, spin=lambda w, s=sign: s * w, samples=80)
        np.testing.assert_allclose(getattr(found, f"critical_{name}")[: len(exact)], exact, rtol=3e-4)
    assert len(exact) == 2


def jeffcott(external: float) -> tuple[pl.Model, float]:
    """A disc in the middle of a shaft with hardly any mass, its ends held; internal damping beta k, external damping so many times
    as much. Also its frequency."""
    light = pl.Material("light steel", density=1e-2, youngs_modulus=2.1e11, poissons_ratio=0.3)
    section = BeamSection.circle(0.02, material=light)
    mass, beta, length = 2.0, 2e-5, 0.4
    k = 1 / (length**3 / (48 * section.stiffness[3, 3]) + length / (4 * section.stiffness[0, 0]))
    m = pl.Model("jeffcott", gravity=(0, 0, 0))
    sections, stations = [pl.ShaftSection(length, 0.02)], {"disc": length / 2}
    shaft = m.shaft("shaft", sections, material=light, stations=stations, elements=2, damping=beta)
    disc = m.body("disc", mass=mass, inertia=(1e-6, 1e-6, 2e-6), position=(0, 0, length / 2))
    m.fixed("seat", shaft["disc"], disc, at=(0, 0, length / 2))
    m.spherical("left", m.ground, shaft["start"], at=(0, 0, 0))
    m.point_on_line("right", m.ground, shaft["end"], at=(0, 0, length), axis="z")
    c = external * beta * k
    m.bushing("oil", m.ground, disc, at=(0, 0, length / 2), stiffness=np.zeros(6), damping=[c, c, 0, 0, 0, 0])
    return m, float(np.sqrt(k / mass))


@pytest.mark.parametrize("external", [0.5, 1.0])
def test_internal_damping_destabilises_above_its_threshold(external: float) -> None:
    """Forward whirl grows above omega_0 (1 + c_e/c_i), and nothing grows below (Genta, Dynamics of Rotating Systems, 2005)."""
    m, omega = jeffcott(external)
    threshold = omega * (1 + external)
    found = pl.campbell(m, "shaft", [0.998 * threshold, 1.002 * threshold], orders={}, highest="200 Hz")
    forward = np.flatnonzero(found.whirl[0] > 0.5)[:1]
    backward = np.flatnonzero(found.whirl[0] < -0.5)[:1]
    assert found.damping_ratios[0, forward] > 0 > found.damping_ratios[1, forward]
    assert np.all(found.damping_ratios[:, backward] > 0)
    np.testing.assert_allclose(2 * np.pi * found.frequencies[:, forward], omega, rtol=1e-4)
    (text,) = found.warnings
    assert (
        text.startswith(f"from {1.002 * threshold:.5g} rad/s")
        and f"motions grow at {omega / (2 * np.pi):.4g}"[:-1] in text
    )


def spinning(*, damping: float) -> pl.Model:
    """A shaft with an unbalanced disc between its bearings, spinning at 300 rad/s from the start."""
    m = pl.Model("spinning", gravity=(0, -9.81, 0))
    shaft = m.shaft(
        "shaft", [pl.ShaftSection(0.2, 0.02), pl.ShaftSection(0.3, 0.03)], stations={"disc": 0.2}, elements=6, damping=damping,
        speed=300.0,
    )  # fmt: skip
    disc = m.body("disc", mass=3.0, inertia=(0.01, 0.01, 0.02), position=(0, 0, 0.2), centre_of_mass=(1e-4, 0, 0),
                  angular_velocity=(0, 0, 300))  # fmt: skip
    m.fixed("seat", shaft["disc"], disc, at=(0, 0, 0.2))
    for end, z in (("start", 0.0), ("end", 0.5)):
        m.bushing(
            end, m.ground, shaft[end], at=(0, 0, z), stiffness=[2e7, 2e7, 1e6, 0, 0, 0], damping=[50, 50, 50, 0, 0, 0]
        )
    return m


def test_energy_balance_of_a_spinning_shaft() -> None:
    """Kinetic, strain and potential energy change by what bearings and the shaft itself dissipate, to the square of the step."""
    m = spinning(damping=2e-6)
    errors = []
    for step in (4e-5, 2e-5):
        found = pl.dynamics(m, duration=0.02, step=step, output_step=4e-4)
        balance = found["energy.balance_error"].values
        errors.append(float(np.abs(balance).max()))
        dissipated = found["energy.dissipated"].values
        assert dissipated[-1] > 0 and np.all(np.diff(dissipated) > 0)
    assert observed_order(errors) == pytest.approx(2.0, abs=0.5)
    assert errors[-1] < 1e-2 * dissipated[-1]
