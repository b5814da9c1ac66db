"""Shafts and beams in motion: frequencies, energy with spin, continuation, kinematics."""

import math

import numpy as np
import pytest

import pitchline as pl

E, RHO = 206e9, 7830.0


def rotor(speed: str = "0 rpm", **options: object) -> pl.Model:
    """A shaft on two springs with a disc whose centre is off the axis."""
    m = pl.Model("rotor", gravity=(0.0, -9.81, 0.0))
    s = m.shaft(
        "s", [pl.ShaftSection("0.4 m", outer="20 mm")], axis="x", stations={"disc": "0.15 m"}, speed=speed, **options
    )
    m.attached_mass("disc", s["disc"], solid=pl.cylinder("60 mm", "20 mm", density=RHO), centre_of_mass=("20 um", 0, 0))
    for name in ("start", "end"):
        place = m.ground.frame(position=s[name].position, axis="x")
        m.bushing(f"B {name}", place, s[name], stiffness=(1e7, 1e7, 1e7, 0, 0, 0), damping=(1e2, 1e2, 1e2, 0, 0, 0))
    return m


@pytest.fixture(scope="module")
def run() -> pl.Result:
    return pl.dynamics(rotor("6000 rpm"), duration="20 ms", step="20 us")


def test_energy_balance_of_a_spinning_rotor(run: pl.Result) -> None:
    """What moves besides the spin: gravity and unbalance; the balance closes to a thousandth of it."""
    moved = float(np.ptp(run["energy.potential"].values) + run["energy.dissipated"].values[-1])
    assert np.max(np.abs(run["energy.balance_error"].values)) < 1e-3 * moved
    spin = 2 * math.pi * 100
    J = (
        rotor().structures["s"].inertia_about(np.zeros(3), np.array([1.0, 0.0, 0.0]))
        + RHO * math.pi * 0.06**4 / 2 * 0.02
    )
    assert run["energy.kinetic"].values[0] == pytest.approx(J * spin**2 / 2, rel=1e-3)


def test_signals_are_those_announced(run: pl.Result) -> None:
    announced = pl.signals_of(rotor("6000 rpm"))
    assert set(run.signals) <= set(announced)
    assert "s disc.bending_stress" in run.signals and "s.force_a" not in run.signals
    assert "B start, B end: force, moment" in run.summary()


def test_dynamics_from_statics_stays() -> None:
    """Statics is the start of a run in which nothing moves, and a speed of the shaft is not used: a warning says so."""
    m = rotor("6000 rpm")
    still = pl.statics(m)
    after = pl.dynamics(m, duration="1 ms", step="20 us", start=still)
    drift = after["s disc.position"].values - still["s disc.position"].final
    assert np.max(np.abs(drift)) < 1e-4 * np.linalg.norm(still["s disc.deflection"].final)
    assert any('The initial speed of shaft "s" is not used' in text for text in after.warnings)
    assert "initial speed" not in " ".join(pl.dynamics(rotor(), duration="20 us", step="20 us", start=still).warnings)


def test_a_speed_that_an_analysis_without_inertia_loses_is_told() -> None:
    m = rotor("6000 rpm")
    still, followed = pl.statics(m), pl.kinematics(m, times=[0])
    assert any('shaft "s" rotates at 628.3 rad/s at the start, but has no drive' in text for text in followed.warnings)
    after = pl.dynamics(m, duration="0.1 ms", step="20 us", start=still)
    assert after["s disc.angular_velocity"].final == pytest.approx(np.zeros(3), abs=1e-3)
    assert any('shaft "s" has a speed of 628.3 rad/s in the model' in text for text in after.warnings)
    assert not pl.dynamics(m, duration="0.1 ms", step="20 us").warnings


def test_default_elements_give_the_first_frequency_and_more_give_more() -> None:
    """Free uniform shaft, 50 diameters long: (4.7300, 7.8532, 10.9956)^2/(2 pi L^2) sqrt(EI/m), less about 0.5 % by shear."""
    d, L = 0.01, 0.5
    exact = np.array([4.730041, 7.853205, 10.995608]) ** 2 / (2 * math.pi * L**2) * math.sqrt(E * d**2 / 16 / RHO)

    def bending(**options: object) -> np.ndarray:
        m = pl.Model("free")
        m.shaft("s", [pl.ShaftSection(L, outer=d)], **options)
        found = pl.modes(m).frequencies
        return np.asarray(found[found > 1.0][::2][:3])

    plain, fine = bending(), bending(frequency=f"{exact[2]} Hz")
    assert plain[0] == pytest.approx(exact[0], rel=0.01)
    assert fine == pytest.approx(exact, rel=0.006)
    assert abs(fine[0] / exact[0] - 1) < 0.002


def test_beam_between_two_bodies_is_a_spring() -> None:
    """Two bodies on the ends of a light bar, with rigid offsets: axial frequency sqrt(EA/L (1/m + 1/m))."""
    m = pl.Model("pair")
    bodies = [
        m.body(name, mass=2.0, inertia=(1e-2,) * 3, position=(x, 0.0, 0.0)) for name, x in (("a", 0.0), ("b", 1.0))
    ]
    ends = [body.frame(position=(x, 0.0, 0.0)) for body, x in zip(bodies, (0.2, -0.2), strict=True)]
    light = pl.Material("light", density=1e-3, youngs_modulus=E)
    beam = m.beam("bar", *ends, pl.BeamSection.circle("10 mm", material=light), elements=1)
    assert not beam.stations and beam.length == pytest.approx(0.6)
    found = pl.modes(m)
    axial = math.sqrt(E * math.pi / 4 * 0.01**2 / 0.6) / (2 * math.pi)
    assert np.min(np.abs(found.frequencies / axial - 1)) < 1e-6


def test_shaft_is_rigid_in_kinematics() -> None:
    """A driven shaft turns as one body, however it is loaded."""
    m = rotor()
    m.revolute("hinge", m.ground, m.shafts["s"]["start"])
    m = m.replaced(without=["B start", "B end"])
    m.drive("turn", "hinge", speed="60 rpm")
    found = pl.kinematics(m, duration="0.25 s", step="0.05 s")
    assert np.max(np.abs(found["s end.deflection"].values)) < 1e-12
    assert found["s end.angular_velocity"].final == pytest.approx((2 * math.pi, 0.0, 0.0), abs=1e-9)


def test_a_drive_jerks_a_shaft_at_rest() -> None:
    """Said, and cured by the speed of the shaft or by a start from kinematics."""
    m = rotor().replaced(without="B start")
    m.revolute("hinge", m.ground, m.shafts["s"]["start"])
    m.drive("turn", "hinge", speed="600 rpm")
    jerk, spun, begun = (
        pl.dynamics(model, duration="0.1 ms", start=start)
        for model, start in (
            (m, None),
            (m.replaced(m.shafts["s"].replaced(speed="600 rpm")), None),
            (m, pl.kinematics(m, duration="1 ms", step="1 ms")),
        )
    )
    assert any(
        'shaft "s" starts with a jump of speed' in text and '"s start" at 62.83 rad/s' in text for text in jerk.warnings
    )
    assert not any("jerk" in text for text in (*spun.warnings, *begun.warnings))
    assert begun["s end.angular_velocity"].initial[0] == pytest.approx(20 * math.pi, rel=1e-9)


def test_mode_shares_count_the_whole_shaft() -> None:
    found = pl.modes(rotor())
    assert found.kinetic.sum(axis=(1, 2)) == pytest.approx(1.0)
    assert all("node" not in text for text in found.descriptions)
