"""A drive train cut at its coupling: one half is exported as an FMU, and runs in the loop of the other half."""

import shutil
import sys

import numpy as np
import pytest

import pitchline as pl

pytest.importorskip("fmpy")
if sys.platform != "linux" or shutil.which("cc") is None:
    pytest.skip("FMUs without Python need a C compiler; tried on Linux", allow_module_level=True)

STIFFNESS, DAMPING = 50.0, 0.2


def motor_half():
    m = pl.Model("motor half")
    a = m.body("a", mass=1, inertia=(1, 1, 0.02))
    m.torque("motor", m.revolute("first", m.ground, a, axis="z"), pl.expression("1 + 0.5*sin(20*t)"))
    return m


def load_half(m):
    b = m.body("b", mass=1, inertia=(1, 1, 0.05))
    axis = m.revolute("second", m.ground, b, axis="z")
    m.torque("drag", axis, pl.expression("-0.02*second.angular_speed"))
    return m


def coupling(angle, speed):
    return f"{STIFFNESS}*(first.angle - {angle}) + {DAMPING}*(first.angular_speed - {speed})"


def angles(model):
    return pl.dynamics(model, duration="0.3 s", step="0.1 ms", output_step="10 ms")["first.angle"].values


@pytest.mark.slow
def test_two_halves_are_the_whole(tmp_path):
    """The error falls with the square of the communication step."""
    whole = load_half(motor_half())
    law = coupling("second.angle", "second.angular_speed")
    whole.torque("back", "first", pl.expression(f"-({law})"))
    whole.torque("coupling", "second", pl.expression(law))
    exact = angles(whole)

    load = load_half(pl.Model("load half"))
    load.torque("coupling", "second", "0 N*m")
    file = tmp_path / "load.fmu"
    outputs = ["second.angle", "second.angular_speed"]
    pl.export_fmu(load, file, inputs=["coupling"], outputs=outputs, step="0.1 ms", self_contained=True)
    law = coupling("load.second_angle", "load.second_angular_speed")
    errors = []
    for step in ("4 ms", "2 ms"):
        m = motor_half()
        m.add(pl.fmu("load", file, step=step, inputs={"coupling": law}, between="linear"))
        m.torque("back", "first", pl.expression(f"-({law})"))
        errors.append(np.abs(angles(m) - exact).max())
    assert errors[1] < 1e-3 * np.ptp(exact)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)
