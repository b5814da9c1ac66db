"""Rigid teeth within their backlash have no force: rounding of its equation has no effect on the results."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.analyses.observers import starting_point
from pitchline.analyses.signals import build_signals, samples_of
from pitchline.analyses.start_positions import prepare


@pytest.mark.parametrize("rounding", (4e-22, -4e-22, 3e-304))
def test_rounding_of_the_force_chooses_no_flank(rounding: float) -> None:
    """The sliding speed is that of the normal of a flank. The wheels move sideways, so that both flanks give different speeds."""
    gear = {"normal_module": "2 mm", "face_width": "20 mm"}
    m = pl.Model("apart")
    a = m.gear_body("a", pl.Gear(teeth=20, helix_angle=0.3, **gear), position=(0, 0, 0), axis="z")
    b = m.gear_body(
        "b", pl.Gear(teeth=30, helix_angle=-0.3, **gear), mesh_with=a, towards=(1, 0, 0), velocity=(0.02, 0.01, 0.03)
    )
    m.revolute("hinge", m.ground, a)
    m.bushing("support", m.ground, b, stiffness=(1e7, 1e7, 1e7, 0, 0, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash="40 um"))
    ready = prepare(m, starting_point(m, None), until=0.0, reduce=True)
    found = []
    for force in (0.0, rounding):
        ready.state.lam[:] = force
        found.append(build_signals(ready.system, samples_of([ready.state.copy()]), ready.rank, inertial=False))
    for signals in found:
        assert signals["mesh.contact"].values[-1] == 0.0
        assert signals["mesh.normal_force"].values[-1] == 0.0
    one, other = (signals["mesh.sliding_speed"].values[-1] for signals in found)
    assert one > 0.0
    assert np.array_equal(one, other)
