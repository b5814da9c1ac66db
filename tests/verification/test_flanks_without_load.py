"""Teeth without load at the operating point: rounding of positions does not choose a flank and does not hide the choice."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pitchline as pl


def pair(mesh: Any, turn: np.ndarray, *, supported: bool) -> pl.Model:
    """Two wheels without any load, far from the origin. supported: the first one on a stiff bushing, otherwise on a hinge."""
    m = pl.Model("no load", gravity=(0, 0, 0))
    gear = pl.Gear(teeth=24, normal_module=3e-3, face_width=0.03, helix_angle=0.2)
    m.gear_body("a", gear=gear, position=(1.3, -0.7, 2.1), orientation=turn)
    mate = pl.Gear(teeth=41, normal_module=3e-3, face_width=0.03, helix_angle=-0.2)
    m.gear_body("b", gear=mate, mesh_with="a", towards=tuple(turn[:, 0]))
    m.revolute("hinge of b", "ground", "b")
    if supported:
        stiffness = np.diag([7e10, 7e10, 7e10, 5e7, 5e7, 1e3])
        frame = m.ground.frame(position=(1.3, -0.7, 2.1), rotation=turn)
        m.bushing("support", frame, m.bodies["a"].frame(), stiffness=stiffness)
    else:
        m.revolute("hinge of a", "ground", "a")
        m.torsion_spring("spring", joint="hinge of a", stiffness=1e3)
    m.gear_pair("mesh", "a", "b", mesh=mesh)
    return m


TURNS = [turn.as_matrix() for turn in Rotation.random(12, rng=np.random.default_rng(5))]


@pytest.mark.parametrize("mesh", [pl.Rigid(follow_centres=False), pl.Elastic(stiffness=1e6, follow_centres=False)])
def test_undetermined_flank_is_refused(mesh: Any) -> None:
    """The separating force of the first wheel has a kink without load: there are no small motions, wherever the pair stands."""
    for turn in TURNS:
        with pytest.raises(pl.ModelError, match='"mesh": the analysis cannot determine which flank is loaded'):
            pl.modes(pair(mesh, turn, supported=True))


@pytest.mark.parametrize("reduce", [True, False])
def test_fixed_centres_need_no_flank(reduce: bool) -> None:
    """Wheels on hinges cannot come closer: both flanks give the same equations, in all coordinates."""
    for turn in TURNS:
        m = pair(pl.Elastic(stiffness=1e8), turn, supported=False)
        found = pl.modes(m, reduce=reduce)
        assert "initial state" in str(found.operating_point) and "either" in str(found.operating_point)
