"""Involutes that are imported as points: the same transmission error as the analytic flanks, and convergence to it."""

import numpy as np
import pytest

import pitchline as pl

SIZE = {"normal_module": "2 mm", "face_width": "15 mm"}
A = pl.Gear(teeth=20, helix_angle="15 deg", modifications=pl.LeadCrowning("5 um"), **SIZE)
B = pl.Gear(teeth=31, helix_angle="-15 deg", **SIZE)
POSITIONS = {"positions": 4, "strips": 5}


@pytest.mark.slow
def test_transmission_error_of_imported_involutes_converges_to_that_of_the_analytic_flanks():
    expected = pl.rigid_contact(A, B, **POSITIONS).transmission_error
    errors = {}
    for points in (9, 17, 33):
        teeth = []
        for gear in (A, B):
            exact = pl.surface_teeth(gear)
            flanks = {side: exact.points(side, points, points) for side in ("left", "right")}
            teeth.append(pl.Teeth.from_points(gear.with_(modifications=None), **flanks))
        errors[points] = np.abs(pl.rigid_contact(*teeth, **POSITIONS).transmission_error - expected).max()
    assert errors[9] < 2e-7 and errors[17] < 1e-8 and errors[33] < 1e-9
    assert errors[9] > 8.0 * errors[17] > 64.0 * errors[33]
