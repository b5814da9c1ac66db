"""Models as lanes: the scalar equations of a lane give the motion of `pl.dynamics`.

The equations are integrated by scipy, with restarts at the ends of contact, to 1e-10. Runs of `pl.dynamics` are extrapolated
from two step sizes: their error is 1e-7 or less while teeth stay in contact, and 1e-5 where they separate within a run.
"""

from collections.abc import Callable

import numpy as np
import pytest
from references.lane_agreement import disagreement
from references.lane_rigs import (
    elastic,
    loaded,
    pair_with_drag,
    pair_with_ratio,
    planetary_rig,
    ripple,
    rolling_pair,
    rolling_rack,
    table,
)

import pitchline as pl

SERIES = (ripple(8e8, 1e8), ripple(9e8, 0.5e8, over="revolution of b"), 1e9)
WAVES = np.sin(np.arange(8.0))

SMOOTH: dict[str, Callable[[], pl.Model]] = {
    "in contact on both flanks": lambda: rolling_pair(mesh=elastic(backlash=0, damping_acts="in contact")),
    "springs in series": lambda: rolling_pair(mesh=elastic(stiffness=SERIES, backlash=0)),
    "table of stiffness": lambda: rolling_pair(mesh=elastic(stiffness=table(4e8 + 5e7 * WAVES), backlash=0)),
    "table of an error": lambda: rolling_pair(mesh=elastic(error=table(4e-6 * WAVES, "revolution of a"), backlash=0)),
    "classical torsional model": lambda: rolling_pair(mesh=elastic(energy_consistent=False, backlash=0)),
    "rounded corners": lambda: rolling_pair(mesh=elastic(smoothing="2 um")),
    "other direction": lambda: rolling_pair(speed=-400.0, mesh=elastic(backlash=0)),
    "ratio": pair_with_ratio,
    "carrier": lambda: planetary_rig(tangential_errors=[5e-6, -5e-6, 0.0]),
    "carrier, weight": lambda: planetary_rig(gravity=9.81),
    "stepped planets": lambda: planetary_rig("stepped"),
    "pairs of planets": lambda: planetary_rig("meshed"),
    "rigid ring meshes": lambda: planetary_rig(ring=pl.Rigid()),
}
PARTING: dict[str, Callable[[], pl.Model]] = {
    "impacts": rolling_pair,
    "coast flank": lambda: rolling_pair(torque=-60.0),
    "never pulling": lambda: rolling_pair(mesh=elastic(damping_acts="never pulling")),
    "loaded teeth": lambda: rolling_pair(mesh=loaded()),
    "planets part": lambda: planetary_rig(mesh=elastic(backlash="40 um")),
    "rack": rolling_rack,
}


@pytest.mark.parametrize("name", SMOOTH)
def test_lane_gives_the_motion_of_dynamics(name: str) -> None:
    assert disagreement(SMOOTH[name]()) < 2e-6


@pytest.mark.parametrize("name", PARTING)
def test_lane_gives_the_motion_of_dynamics_with_impacts(name: str) -> None:
    assert disagreement(PARTING[name](), steps=8000) < 5e-5


def test_a_damper_to_the_ground_is_a_load() -> None:
    assert disagreement(pair_with_drag(), cycles=2, time=0.0) < 2e-6


@pytest.mark.parametrize(
    "options",
    [{"drive": pl.Ramp(400.0, 500.0, 0, 0.05, smooth=False)}, {"torque": pl.Ramp(20.0, 60.0, 0, 0.05, smooth=False)}],
    ids=["speed", "torque"],
)
def test_ramps(options: dict) -> None:
    assert disagreement(rolling_pair(mesh=elastic(backlash=0), **options), cycles=2, time=0.0) < 2e-6
