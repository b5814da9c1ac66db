"""Clutches whose laws change the pivots of a sparse matrix."""

import numpy as np
import pytest

import pitchline as pl

AXIS = np.array([-0.92676767, 0.15382331, -0.3426953])


def machine() -> pl.Model:
    """A clutch between two wheels on inclined hinges, one of which drives a third wheel over a stiff gear coupling."""
    m = pl.Model("train", gravity=(0, 0, 0))
    axis = tuple(AXIS)
    for name, inertia, along in (("a", 0.08, (0.0, 0.0, 1.0)), ("b", 0.0014, axis), ("c", 0.07, axis)):
        spin = {"angular_velocity": tuple(7.9 * AXIS)} if name == "b" else {}
        m.body(name, mass=1, inertia=(inertia, inertia, inertia), **spin)
        m.revolute(f"hinge {name}", "ground", name, axis=along)
    m.body("free", mass=1, inertia=(0.1, 0.1, 0.1))
    m.revolute("hinge free", "ground", "free")
    m.clutch("clutch", joint="hinge a", other="hinge b", capacity=8.27, viscous=1.65)
    design = pl.GearCoupling(torsional_stiffness=57431, radial_stiffness=1968919, tilt_limit=0.01, tilt_stop_stiffness=57431,
                             friction=0.1, pressure_angle=0.4, friction_rate=0.02, torsional_damping=0.454,
                             radial_damping=0.599)  # fmt: skip
    m.coupling("coupling", a="b", b="c", design=design, at=(-0.302, 0.276, -1.362), axis=axis)
    return m


def test_laws_that_need_different_pivots_are_chosen_together() -> None:
    runs = [pl.dynamics(machine(), duration=0.024, step=0.0012, reduce=reduce) for reduce in (True, False)]
    speeds = [run["hinge a.angular_speed"].final for run in runs]
    assert speeds[1] == pytest.approx(speeds[0], rel=0.01)
    assert runs[1]["hinge b.angular_speed"].final == pytest.approx(speeds[1], rel=1e-6)
