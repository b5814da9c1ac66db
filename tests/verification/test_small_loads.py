"""Loads so small that numbers do not resolve the deflection of stiff teeth: right, uncertain with a warning, or refused."""

import numpy as np
import pytest

import pitchline as pl

STIFFNESS = 1e10
"""[N/m]; under 1 N the teeth deflect by 1e-10 m."""


def stage(torque) -> pl.Model:
    common = {"normal_module": "2 mm", "face_width": "30 mm"}
    sun, planet = pl.Gear(teeth=24, bore="15 mm", **common), pl.Gear(teeth=36, bore="30 mm", **common)
    ring = pl.Gear(teeth=96, internal=True, addendum_factor=0.8, rim_diameter="230 mm", **common)
    teeth = pl.Elastic(STIFFNESS)
    m = pl.Model("stage")
    made = pl.planetary(
        m, "stage", sun=sun, planet=planet, ring=ring, fixed="ring", mesh_sun=teeth, mesh_ring=teeth,
        masses={"carrier": pl.cylinder("70 mm", "15 mm", density="7850 kg/m^3")},
    )  # fmt: skip
    m.drive("motor", made.bearings["sun"], angle=0.0)
    m.torque("load", made.bearings["carrier"], torque)
    return m


def forces(result, which: str) -> np.ndarray:
    return np.array([result[f"stage {which} mesh {i}.signed_force"].final for i in (1, 2, 3)])


@pytest.mark.parametrize("torque", [1.0, -1.0, 1e-3, -1e-3])
@pytest.mark.parametrize(
    "analysis", [pl.statics, lambda m: pl.kinematics(m, times=[0.0])], ids=["statics", "kinematics"]
)
def test_small_loads_press_the_right_flanks(analysis, torque) -> None:
    """The torque of the carrier over the ratio 5, at the base circle of the sun; each planet has a third."""
    result = analysis(stage(torque))
    each = torque / 5.0 / (0.024 * np.cos(np.radians(20.0))) / 3.0
    assert np.allclose(forces(result, "sun"), -each, rtol=2e-4)
    assert np.allclose(forces(result, "ring"), each, rtol=2e-4)
    assert result.warnings == []


def test_uncertain_forces_are_reported() -> None:
    (warning,) = pl.statics(stage(1e-5)).warnings
    assert "forces are uncertain by up to" in warning and "Rolling teeth" in warning


@pytest.mark.parametrize(
    "analysis", [pl.statics, lambda m: pl.kinematics(m, times=[0.0])], ids=["statics", "kinematics"]
)
def test_loads_below_rounding_are_refused(analysis) -> None:
    """Without this, the teeth of the ring have forces of any sign."""
    with pytest.raises(
        pl.SolveError, match=r"the forces cannot be computed: the loads of .* N .*Use a smaller stiffness"
    ):
        analysis(stage(1e-7))


def test_no_load_is_not_a_small_load() -> None:
    result = pl.statics(stage(0.0))
    assert not [text for text in result.warnings if "uncertain" in text]
    assert np.max(np.abs(forces(result, "ring"))) < 1e-5


def test_a_load_that_passes_through_zero_is_not_refused() -> None:
    """Kinematics compares with the largest load of all positions."""
    result = pl.kinematics(stage(pl.Ramp(1.0, -1.0, 0.0, 1.0, smooth=False)), times=[0.0, 0.25, 0.5, 0.75, 1.0])
    assert result.warnings == []
