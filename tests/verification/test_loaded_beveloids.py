"""Conical involute gears: the tooth force of `Loaded` and `Flank` acts along the true normals of the flanks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from references.imported_pairs import imported, rig, rigid_loaded

import pitchline as pl
from pitchline.parts.gears.surfaces import surface_teeth

LOAD = 100.0
"""[N m]"""


def gears(helix: float, cone_a: float, cone_b: float) -> tuple[pl.Gear, pl.Gear]:
    common = {"normal_module": "3 mm", "face_width": "15 mm"}
    return (
        pl.Gear(teeth=22, helix_angle=f"{helix} deg", profile_shift_angle=f"{cone_a} deg", bore="20 mm", **common),
        pl.Gear(teeth=31, helix_angle=f"{-helix} deg", profile_shift_angle=f"{cone_b} deg", bore="30 mm", **common),
    )


def force_on_b(a: pl.Gear, contact: pl.SurfaceContact, position: int) -> np.ndarray:
    """Of all cells in a position, along the normals of the flanks of A, in the axes in which A turns [N]."""
    teeth, total = surface_teeth(a), np.zeros(3)
    for patch in contact.patches[0][position]:
        normal = teeth.flank(contact.side).normal(patch.place_a[..., 0], patch.place_a[..., 1])
        x, y, z = np.einsum("ij,ijk->k", patch.force, normal)
        c, s = (f(a.angular_pitch * patch.tooth_a + contact.angle[position]) for f in (math.cos, math.sin))
        total += (c * x - s * y, s * x + c * y, z)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("helix, cone_a, cone_b", [(0, 5, -5), (15, 5, -5)])
def test_the_force_is_that_of_the_flanks(helix: float, cone_a: float, cone_b: float) -> None:
    """With axes that are parallel too, where pitch surfaces are cylinders: a tooth that is a wedge pushes along the axis."""
    a, b = gears(helix, cone_a, cone_b)
    coarse = {"face_elements": 1, "flank_elements": 4, "body_elements": 2}
    for side in (1.0, -1.0):
        contact = pl.loaded_contact(pl.rigid_gear(a), pl.rigid_gear(b), torque=side * LOAD, positions=2, cells=9)
        expected = np.mean([force_on_b(a, contact, i) for i in (0, 1)], axis=0)
        assert abs(expected[2]) > 60.0
        for mesh in (rigid_loaded((LOAD,)), pl.Flank(elements_a=coarse, elements_b=coarse, modes=0)):
            rest = pl.statics(rig(a, b, mesh, load=side * LOAD))
            # the bearing of A holds it against the reaction of B
            assert rest["hinge a.force"].final == pytest.approx(expected, abs=2e-3 * np.linalg.norm(expected))


@pytest.mark.slow
@pytest.mark.parametrize("points", [0, 17])
def test_the_table_is_that_of_the_contact_analysis(points: int) -> None:
    a, b = gears(15, 4, 6)
    if points:
        a, b = imported(a, points), imported(b, points)
    made = rig(a, b, rigid_loaded((LOAD,))).gear_pairs["mesh"]
    table = made.loaded
    for side, approach in ((1.0, table.approach), (-1.0, table.coast)):
        kept = {"rows": 7, "lines": 9}
        found = pl.loaded_contact(
            pl.rigid_gear(a, **kept), pl.rigid_gear(b, **kept), torque=side * LOAD, positions=2, cells=9
        )
        assert approach[1, ::2] == pytest.approx(found.transmission_error[0], rel=2e-3)


def test_other_springs_are_refused() -> None:
    a, b = gears(0, 5, -5)
    assert rig(a, b, pl.Elastic("loaded", torque=LOAD)).gear_pairs["mesh"].request is not None
    for mesh in (pl.Elastic("1 GN/m"), pl.Elastic("loaded", torque=LOAD, contact="line"), pl.Rigid()):
        with pytest.raises(pl.ModelError, match=r"does not support conical involute gears.*Loaded\(\.\.\.\)"):
            rig(a, b, mesh)
