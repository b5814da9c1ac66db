"""Order of the coupling with an FMU, against the same system as one model.

The FMU is a continuous system z' = -3 z - u, y = 12 z - D u that acts on an oscillator. It integrates with small steps, so that
the communication step H is the only source of error. Held signals have a delay of H/2 in the direct part D u: order 1. On straight
lines the error is that of the extrapolation: order 2, for FMUs with and without derivatives of inputs.
"""

import sys

import numpy as np
import pytest
from references.c_fmus import LinearFmu

import pitchline as pl

pytest.importorskip("fmpy")
if sys.platform != "linux":
    pytest.skip("the FMUs of these tests are for Linux", allow_module_level=True)

STEPS = (8e-3, 4e-3, 2e-3)


def oscillator():
    m = pl.Model("oscillator")
    rotor = m.body("rotor", mass=1, inertia=(1, 1, 0.02))
    axis = m.revolute("axis", m.ground, rotor, axis="z")
    m.torsion_spring("spring", axis, stiffness=20.0, damping=0.05)
    m.torque("load", axis, pl.expression("0.3*cos(9*t)"))
    return m


def angles(model):
    return pl.dynamics(model, duration="0.4 s", step="0.1 ms", output_step="8 ms")["axis.angle"].values


@pytest.fixture(scope="module", params=[0.0, 0.4], ids=["without direct part", "with direct part"])
def case(request):
    m = oscillator()
    m.add(pl.Integral("z", input=pl.expression("-axis.angular_speed - 3*z.output")))
    m.torque("motor", "axis", pl.expression(f"12*z.output - {request.param}*axis.angular_speed"))
    return request.param, angles(m)


@pytest.mark.slow
@pytest.mark.parametrize(("major", "interpolates"), [(2, True), (2, False), (3, False)])
@pytest.mark.parametrize("between", ["hold", "linear"])
def test_order(case, major, interpolates, between, tmp_path):
    direct, exact = case
    file = LinearFmu(
        A=((-3.0,),), B=((-1.0,),), C=((12.0,),), D=((-direct,),), major=major, interpolates=interpolates
    ).write(tmp_path / "load.fmu")
    errors = []
    for step in STEPS:
        m = oscillator()
        m.add(pl.fmu("part", file, step=step, inputs={"speed": "axis.angular_speed"}, between=between))
        m.torque("motor", "axis", pl.expression("part.torque"))
        errors.append(np.abs(angles(m) - exact).max())
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    if between == "linear":
        assert np.all(np.abs(orders - 2.0) < 0.2)
    elif direct:
        assert np.all(np.abs(orders - 1.0) < 0.1)
    else:
        assert np.all(orders > 1.8)  # the delay of the input and the early output cancel


@pytest.mark.slow
def test_order_of_a_python_function():
    """The direct law y = -0.4 u: order 1 if it is held, 2 on straight lines."""
    m = oscillator()
    m.torque("motor", "axis", pl.expression("-0.4*axis.angular_speed"))
    exact = angles(m)
    for between, order in (("hold", 1.0), ("linear", 2.0)):
        errors = []
        for step in STEPS:
            m = oscillator()
            m.add(
                pl.python_controller(
                    "part", lambda t, w: -0.4 * w, step=step, inputs={"w": "axis.angular_speed"}, between=between
                )
            )
            m.torque("motor", "axis", pl.expression("part.output"))
            errors.append(np.abs(angles(m) - exact).max())
        assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(order, abs=0.2)
