"""K_Hbeta of elastic flanks whose faces meet in part."""

import numpy as np
import pytest
from references.elastic_pair import COARSE, gears

import pitchline as pl

TORQUE = 20.0


@pytest.mark.parametrize(("width", "shift"), [("20 mm", 0.0), ("10 mm", 0.005)], ids=["wide pinion", "shifted face"])
def test_the_mean_is_that_over_the_faces_that_meet(width: str, shift: float) -> None:
    """The rest of a face carries nothing: it must not make the load look uneven."""
    first, second = (teeth.gear for teeth in gears())
    m = pl.Model("pair", gravity=(0, 0, 0))
    a = m.gear_body("a", first.with_(face_width=width), axis="z")
    b = m.gear_body("b", second, mesh_with=a, towards="x", axial_shift=shift)
    m.drive("held", m.revolute("in", m.ground, a), angle=0)
    m.torque("load", m.revolute("out", m.ground, b), TORQUE)
    fine = COARSE | {"face_elements": 4}
    m.gear_pair("mesh", a, b, mesh=pl.Flank(modes=0, elements_a=fine, elements_b=fine))
    factor = float(np.asarray(pl.statics(m)["mesh.face_load_factor"].final))
    assert 1.0 < factor < 1.45  # over the whole face of A: about twice as much
