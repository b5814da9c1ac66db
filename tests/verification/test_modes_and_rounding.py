"""Rounding chooses nothing in linear analyses: no flank of teeth without deflection, and no stiffness of loads that have none."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pitchline as pl

TURNS = [turn.as_matrix() for turn in Rotation.random(6, rng=np.random.default_rng(8))]
AT = np.array([0.3, -0.7, 1.1])
SPEED, K_TEETH, C_TEETH = 20.0, 1e7, 1e2


def wheels(mesh: Any, turn: np.ndarray, *, mate_speed: float, supported: bool) -> pl.Model:
    """Two wheels in mesh that rotate. supported: the first one on a bushing, so that the centres can move; otherwise on a hinge."""
    m = pl.Model("wheels", gravity=(0, 0, 0))
    gears = [pl.Gear(teeth=z, normal_module=3e-3, face_width=0.03) for z in (24, 36)]
    axis = turn[:, 2]
    m.gear_body("a", gears[0], position=tuple(AT), orientation=turn, angular_velocity=tuple(SPEED * axis))
    m.gear_body("b", gears[1], mesh_with="a", towards=tuple(turn[:, 0]), angular_velocity=tuple(mate_speed * axis))
    m.revolute("hinge of b", "ground", "b")
    if supported:
        frame = m.ground.frame(position=tuple(AT), rotation=turn)
        m.bushing("support", frame, m.bodies["a"].frame(), stiffness=np.diag([1e8, 1e8, 1e8, 1e5, 1e5, 0.0]))
    else:
        m.revolute("hinge of a", "ground", "a")
    m.gear_pair("mesh", "a", "b", mesh=mesh)
    return m


def frequency(m: pl.Model) -> float:
    """Of two wheels on hinges: the hoop stiffness over the inertias, reduced to the reference circles."""
    across = sum((0.5 * 3e-3 * z) ** 2 / m.bodies[name].inertia[2, 2] for name, z in (("a", 24), ("b", 36)))
    return float(np.sqrt(K_TEETH * across) / (2.0 * np.pi))


@pytest.mark.parametrize("turn", TURNS)
def test_a_damper_does_not_determine_the_loaded_flank(turn: np.ndarray) -> None:
    """Teeth that follow their centres have the stiffness of the deflected flank. Their wheels approach, so that the damper has a
    force, but the deflection is rounding. The load determines the flank, and without one there is none."""
    mesh = pl.Elastic(K_TEETH, damping=C_TEETH, backlash=0, follow_centres=True)
    m = wheels(mesh, turn, mate_speed=-0.9 * SPEED * 24 / 36, supported=True)
    with pytest.raises(pl.ModelError, match='"mesh": the analysis cannot determine which flank is loaded'):
        pl.modes(m)


@pytest.mark.parametrize("turn", TURNS)
def test_friction_of_unloaded_teeth_is_left_out(turn: np.ndarray) -> None:
    """Losses are proportional to the magnitude of the tooth force: about no load their mean slope is zero."""
    mesh = pl.Elastic(K_TEETH, backlash=0, along="hoop", efficiency=0.8)
    m = wheels(mesh, turn, mate_speed=-SPEED * 24 / 36, supported=False)
    found = pl.modes(m)
    assert found.frequencies[-1] == pytest.approx(frequency(m), rel=1e-9)
    assert not found.decaying.size and not found.growing.size
    assert any('"mesh" rotates without load' in text for text in found.warnings)


@pytest.mark.parametrize("reduce", (True, False))
def test_a_damper_in_the_backlash_is_no_contact(reduce: bool) -> None:
    """A damper that always acts has a force in the gap, also one of rounding: the teeth have no stiffness there."""
    mesh = pl.Elastic(K_TEETH, backlash=1e-4, damping=C_TEETH, damping_acts="always")
    for rate in (1.0, 0.9):
        m = wheels(mesh, TURNS[0], mate_speed=-rate * SPEED * 24 / 36, supported=False)
        found = pl.modes(m, about="initial", reduce=reduce)
        assert found.operating_point is not None and dict(found.operating_point.flanks) == {"mesh": "none"}
        assert any("within its backlash" in text for text in found.warnings)


@pytest.mark.parametrize("turn", TURNS)
def test_a_slipping_clutch_has_no_stiffness(turn: np.ndarray) -> None:
    """The friction moment acts about the axis of the hinges. Its rounding across them is not a stiffness."""
    m = pl.Model("clutch", gravity=(0, 0, 0))
    for name, mass, speed in (("a", 3.0, 0.0), ("b", 1.0, 0.3)):
        m.body(
            name, mass=mass, inertia=(0.04 * mass,) * 3, orientation=turn, angular_velocity=tuple(speed * turn[:, 2])
        )
        m.revolute(f"hinge of {name}", "ground", m.bodies[name].frame())
    m.clutch("clutch", joint="hinge of a", other="hinge of b", capacity=1.3)
    found = pl.modes(m)
    assert found.rigid == 2 and not found.decaying.size and not found.growing.size


def test_a_rotating_body_on_a_screw_has_no_stiffness() -> None:
    """Inertia forces of the rotation have rounding too."""
    for turn in TURNS:
        m = pl.Model("screw", gravity=(0, 0, 0))
        m.body("nut", mass=1.0, inertia=(0.07, 0.07, 0.07), angular_velocity=tuple(2.0 * turn[:, 2]))
        m.screw("screw", "nut", "ground", at=(1.0, -0.8, 2.0), axis=tuple(turn[:, 2]), lead=0.03)
        for reduce in (True, False):
            found = pl.modes(m, reduce=reduce)
            assert found.rigid == 1 and not found.decaying.size and not found.growing.size


@pytest.mark.parametrize("turn", TURNS)
def test_a_free_rotor_without_load_is_neutral(turn: np.ndarray) -> None:
    """The forces of the support are rounding of the positions. The search does not follow them about the free axis."""
    m = pl.Model("free rotor", gravity=(0, 0, 0))
    m.body("base", mass=0.5, inertia=(0.05, 0.06, 0.055), orientation=turn, position=tuple(3.0 * AT))
    m.rotor("rotor", on="base", inertia=0.002)
    stiffness = np.diag([4e4, 2e4, 3e4, 250.0, 300.0, 240.0])
    m.bushing(
        "mount", "ground", m.bodies["base"].frame(position=(-0.1, 0.2, 0.13), rotation=turn.T), stiffness=stiffness
    )
    found = pl.statics(m)
    assert any("neutral in 1 direction" in text for text in found.warnings)
    np.testing.assert_allclose(found["base.position"].final, 3.0 * AT, atol=1e-12)
