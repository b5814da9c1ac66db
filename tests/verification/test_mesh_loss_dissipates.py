"""Losses of teeth that move against each other: in the backlash and on elastic teeth the wheels do not rotate in a fixed ratio."""

import numpy as np
import pytest

import pitchline as pl

LOSSES = {
    "friction on the path of contact": {"friction": 0.1, "sliding": "path of contact"},
    "efficiency": {"efficiency": 0.8},
}


def rattling(a: str = "pinion", b: str = "wheel", **losses: object) -> pl.Result:
    """A pinion that vibrates against a wheel at rest, on soft teeth."""
    m = pl.Model("rattle")
    both = {"normal_module": "4 mm", "face_width": "30 mm"}
    m.gear_body("pinion", pl.Gear(teeth=25, **both), angular_velocity=(0, 0, "-3 rad/s"))
    m.gear_body("wheel", pl.Gear(teeth=50, **both), mesh_with="pinion")
    m.revolute("in", m.ground, "pinion"), m.revolute("out", m.ground, "wheel")
    m.torsion_spring("shaft", "out", stiffness="40 kN*m/rad")
    m.torque("motor", "in", "20 N*m")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e6, backlash="20 um", **losses))
    return pl.dynamics(m, duration="20 ms", step="10 us")


@pytest.mark.parametrize("kind", LOSSES)
def test_losses_never_put_energy_in(kind: str) -> None:
    loss = rattling(**LOSSES[kind])["mesh.loss"].values
    assert loss.max() > 1.0
    assert loss.min() >= -1e-12 * loss.max()


@pytest.mark.parametrize("kind", LOSSES)
def test_losses_do_not_depend_on_which_wheel_is_the_first(kind: str) -> None:
    speeds = (
        ({}, {}) if kind != "efficiency" else ({"efficiency_speed": 2e-3}, {"efficiency_speed": 1e-3})
    )  # of the first one
    one, other = rattling(**LOSSES[kind], **speeds[0]), rattling("wheel", "pinion", **LOSSES[kind], **speeds[1])
    assert other["mesh.loss"].values == pytest.approx(one["mesh.loss"].values, abs=1e-9 * one["mesh.loss"].max())
    assert np.ptp(one["out.angle"].values) > 1e-4
    np.testing.assert_allclose(other["out.angle"].values, one["out.angle"].values, rtol=0, atol=1e-12)
