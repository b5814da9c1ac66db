"""What analyses say of an operating point: what holds, what grows, what turns, and what is rounding."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.model import Loaded

PHASES = 2 * np.pi * np.arange(12) / 12
LOADS = np.array([0.0, 500.0, 1500.0, 4000.0, 8000.0])


def table(error: float = 2e-6, ripple: float = 0.15, *, wave: Any = np.sin, **more: Any) -> Loaded:
    """Teeth whose stiffness and first touch vary over the mesh cycle."""
    k = 4e8 * (1.0 + ripple * np.cos(PHASES))
    return Loaded(LOADS, [F / k + 1e-9 * F**0.6 + error * wave(PHASES) for F in LOADS], along="normal", **more)


def drive_line(mesh: Any, *, helix: float = 0.0, soft: float = 1e8) -> pl.Model:
    """A motor on a hinge, an elastic coupling, a pair of wheels on bushings, torques that balance."""
    first = pl.Gear(teeth=25, normal_module="4 mm", helix_angle=helix, face_width="30 mm")
    second = pl.Gear(teeth=50, normal_module="4 mm", helix_angle=-helix, face_width="30 mm")
    m = pl.Model("drive line")
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", second, mesh_with=a, towards="x")
    for name, body in (("A1", a), ("B1", b)):
        m.bushing(name, m.ground, body, axis="z", stiffness=(soft, soft, soft, 1e-3 * soft, 1e-3 * soft, 0))
    m.gear_pair("mesh", a, b, mesh=mesh)
    motor = m.body("motor", mass=5.0, inertia=(0.1, 0.1, 0.2), position=(0, 0, -0.3))
    shaft = m.revolute("shaft", m.ground, motor, axis="z")
    m.bushing("coupling", motor, a, axis="z", stiffness=(0, 0, 0, 0, 0, 1e5))
    m.torque("drive", shaft, 200.0)
    m.torque("load", b, (0, 0, 400.0))
    return m


def on_hinges(mesh: Any, *, phase: float = 0.0) -> pl.Model:
    """Two wheels on hinges under torques that balance on average."""
    gears = [pl.Gear(teeth=z, normal_module="4 mm", face_width="30 mm") for z in (25, 50)]
    m = pl.Model("pair")
    a = m.gear_body("a", gears[0], position=(0, 0, 0), axis="z", phase=phase)
    b = m.gear_body("b", gears[1], mesh_with=a, towards="x")
    m.revolute("ha", m.ground, a)
    m.revolute("hb", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torque("drive", "ha", 200.0)
    m.torque("load", "hb", 400.0)
    return m


# ------------------------------------------------------------------------------------------------ shafts that turn under load


@pytest.mark.parametrize("helix", [0.0, 0.3])
def test_a_loaded_shaft_turns_steadily(helix: float) -> None:
    """Bearings that the load has tilted feel it turn; nothing is stretched. What does hold a shaft is still named."""
    m = drive_line(table(), helix=helix)
    rest = pl.statics(m)
    found = pl.campbell(m, "shaft", [0.0, 100.0], about=rest)
    assert found.orders["mesh"] == pytest.approx(25.0, rel=1e-6)  # about an axis that has tilted
    assert pl.floquet(m, "shaft", [100.0], about=rest, steps=8, samples=8).multipliers.size
    m.torsion_spring("hold", "shaft", stiffness=1e-3)
    with pytest.raises(pl.ModelError, match='"shaft" cannot rotate steadily: it would stretch "hold"'):
        pl.campbell(m, "shaft", [0.0, 100.0], about=rest)


# ------------------------------------------------------------------------------------------------------ what grows, and why


def upright(missing: float) -> pl.Model:
    """A pendulum that stands on a spring almost strong enough, w^2 = -missing/J, next to a pin that vibrates with 1e6 rad/s."""
    m = pl.Model("slow", gravity=(0, 0, -9.81))
    m.body("rod", mass=1.0, inertia=(0.75, 0.75, 0.75), position=(0, 0, 0.5))
    hinge = m.revolute("hinge", m.ground, "rod", at=(0, 0, 0), axis="x")
    m.torsion_spring("spring", hinge, stiffness=9.81 * 0.5 - missing)
    m.body("pin", mass=1e-6, inertia=(1e-9, 1e-9, 1e-9), position=(1, 0, 0))
    m.prismatic("guide", m.ground, "pin", axis="x")
    m.bushing("stiff", m.ground, "pin", stiffness=(1e6, 0, 0, 0, 0, 0))
    return m


def test_slow_growth_beside_fast_vibrations() -> None:
    """Growth is told from rounding, and what cannot be is said."""
    found = pl.modes(upright(0.04))
    np.testing.assert_allclose(found.decaying, [-0.2, 0.2], rtol=1e-4)
    assert not found.stable and "motions grow at 0.2 1/s" in found.warnings[-1]
    lost = pl.modes(upright(1e-6))
    assert lost.rigid == 1 and lost.stable
    assert "motions up to 0.000159 Hz cannot be distinguished from rigid-body motions" in lost.warnings[-1]


def test_a_torque_on_a_body_that_tilts_is_named() -> None:
    """Unloaded teeth, undamped: the two tilting modes of the wheel are alike, and the torque T on it makes one grow,
    Re s = T/(2 J w)."""
    m = drive_line(pl.Elastic(4e8, backlash=0, separating=False))
    found = pl.modes(m)
    (s,) = found.growing
    J = m.bodies["b"].inertia[0, 0]
    assert s.real == pytest.approx(400.0 / (2 * J * abs(s)), rel=1e-3)
    (said,) = [text for text in found.warnings if f"motions grow at {abs(s) / (2 * math.pi):.4g} Hz" in text]
    assert 'The torques "load" act on bodies that can tilt' in said


def test_wheels_on_their_way_over_a_maximum() -> None:
    """At a phase with most energy of the teeth a rotation grows: said as that, not as a vibration; gone with the mean."""
    m = on_hinges(table(wave=np.cos, backlash=0), phase=math.pi / 25)
    state = pl.kinematics(held(m), duration=1e-9, step=1e-9)
    found = pl.modes(m, about=state)
    assert found.decaying.max() > 1.0 and not found.stable
    (said,) = [text for text in found.warnings if "grow" in text]
    assert "at this phase of the mesh cycle the teeth drive the wheels" in said and "mean_stiffness=True" in said
    mean = pl.modes(m, about=state, mean_stiffness=True)
    assert mean.stable and mean.rigid == 1


def held(m: pl.Model) -> pl.Model:
    """The same with wheel a held where it stands."""
    other = on_hinges(table(wave=np.cos, backlash=0), phase=math.pi / 25)
    other.drive("hold", "ha", angle=0.0)
    assert other.bodies.keys() == m.bodies.keys()
    return other


# ------------------------------------------------------------------------------------------------------------------- statics


@pytest.mark.parametrize("ripple", [0.15, 1e-3, 1e-5])
def test_teeth_that_vary_hold_their_wheels(ripple: float) -> None:
    """Stiffness along the phase is small against that of the teeth and as good as any: stable where their energy is least,
    however weak the variation."""
    m = on_hinges(table(0.0, ripple, wave=np.cos, backlash=0), phase=0.3 * 2 * math.pi / 25)
    rest = pl.statics(m)
    assert not rest.warnings
    assert rest["mesh.phase"].final == pytest.approx(0.5, abs=1e-4)


def test_teeth_that_do_not_vary_are_indifferent() -> None:
    (said,) = pl.statics(on_hinges(table(0.0, 0.0, backlash=0))).warnings
    assert "neutral in 1 direction" in said


def test_a_phase_with_most_energy_is_left_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the top of the energy, by symmetry an equilibrium, the wheels roll half a pitch on; kept there, the warning says
    which body would turn, how fast, and that it is the phase of the teeth."""
    from pitchline.analyses import statics as statics_module

    m = on_hinges(table(-2e-6, -0.15, wave=np.cos, backlash=0))
    left = pl.statics(m)
    assert left["mesh.phase"].final == pytest.approx(0.5, abs=1e-6) and not left.warnings
    monkeypatch.setattr(statics_module, "MOST_NUDGES", 0)
    kept = pl.statics(m)
    assert min(kept["mesh.phase"].final, 1.0 - kept["mesh.phase"].final) < 1e-6
    (said,) = kept.warnings
    assert "unstable in 1 direction" in said and "rotation about (0, 0," in said
    assert 'The teeth of "mesh" vary over the mesh cycle and have the largest energy at this phase' in said
