"""A gear by cyclic symmetry against CalculiX on the grid of the whole gear; run where `ccx` is installed."""

from pathlib import Path

import numpy as np
import pytest
from references import calculix

import pitchline as pl
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.fem.sector_grid import sector_grid, whole_gear
from pitchline.fem.solid_grid import SolidGrid

pytestmark = pytest.mark.skipif(not calculix.INSTALLED, reason="CalculiX (ccx) is not installed")

STEEL = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)


def test_frequencies_of_a_helical_gear_on_its_shaft(tmp_path: Path) -> None:
    """All of them one by one, pairs of nodal diameters twice; CalculiX prints seven digits."""
    gear = pl.Gear(
        teeth=8,
        normal_module="2 mm",
        helix_angle="15 deg",
        profile_shift=0.4,
        tip_alteration=-0.1,
        face_width="6 mm",
        bore="6 mm",
    )
    grid = sector_grid(
        pl.Teeth(gear),
        flank_elements=2,
        fillet_elements=1,
        root_elements=1,
        across_elements=2,
        body_elements=2,
        face_elements=1,
    )
    found = elastic_gear(
        grid.teeth, material=STEEL, bore="fixed", up_to="100 kHz", offsets=0, grid=grid, formulation="full", cache=False
    ).all_frequencies
    assert len(found) > 8
    whole = whole_gear(grid)
    # CalculiX reads 20 characters a number, which cuts exponents off: a gear 1000 times as large has none
    large = SolidGrid(np.where(np.abs(whole.nodes) < 1e-12, 0.0, 1e3 * whole.nodes), whole.elements)
    theirs = calculix.frequencies(
        tmp_path, large, STEEL, element="C3D20", count=len(found), fixed=whole.node_set("bore")
    )
    np.testing.assert_allclose(found, 1e3 * theirs, rtol=1e-6)
