"""Grids of straight bevel gears: on the spherical involutes, of the exact volume, matched from tooth to tooth."""

import math

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.fem import bevel_sector_grid, grid_quality, grid_volume, whole_gear
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import BevelTeeth

SHARED = {"normal_module": "3 mm", "face_width": "15 mm"}
GEARS = {
    (z, cone): BevelTeeth(Gear(teeth=z, cone_angle=f"{cone} deg", **SHARED))
    for z, cone in ((14, 15), (20, 45), (40, 70), (30, -35))
}


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("key", GEARS)
def test_nodes_lie_on_the_flanks_and_sides_match(key: tuple[int, int], order: int) -> None:
    teeth = GEARS[key]
    sector = bevel_sector_grid(teeth, rim_thickness="5 mm", order=order, flank_elements=5, face_elements=2)
    quality = grid_quality(sector.solid)
    assert quality.scaled_jacobian > 0.7 and quality.valid
    nodes = sector.solid.nodes
    R = teeth.gear.mean_cone_distance + sector.flanks["left"].zeta
    np.testing.assert_allclose(R[[0, -1]], teeth.cone_distances)
    for side, flank in (("left", teeth.left), ("right", teeth.right)):
        patch = sector.flanks[side]
        there = patch.nodes >= 0
        expected = flank.involute.point(patch.lengths / R, np.broadcast_to(R, patch.lengths.shape))
        np.testing.assert_allclose(nodes[patch.nodes[there]], expected[there], atol=1e-15)
        assert patch.lengths[0] / R == pytest.approx(np.full(len(R), flank.form), abs=1e-12)
        steps = np.linalg.norm(np.diff(nodes[patch.nodes[::order, 0]], axis=0), axis=1)
        np.testing.assert_allclose(steps, steps.mean(), rtol=0.01)  # chords of equal arcs
    tip = nodes[sector.solid.node_sets["tip"]] - np.array([0.0, 0.0, teeth.apex])
    np.testing.assert_allclose(
        np.arctan2(np.hypot(tip[:, 0], tip[:, 1]), np.abs(tip[:, 2])), teeth.tip_cone, rtol=1e-12
    )
    low, high = (nodes[side] @ np.array([1.0, 1.0j, 0.0]) for side in (sector.low_side, sector.high_side))
    np.testing.assert_allclose(low * np.exp(1j * teeth.gear.angular_pitch), high, atol=1e-15)
    np.testing.assert_allclose(nodes[sector.low_side, 2], nodes[sector.high_side, 2], atol=1e-15)


@pytest.mark.parametrize("key", GEARS)
def test_the_volume_is_that_of_the_cones(key: tuple[int, int]) -> None:
    """V = Ω (R_o³ − R_i³)/3, the solid angle Ω = ∮ (cos γ_rim − cos γ) dφ by the trapezium rule on a fine outline."""
    teeth = GEARS[key]
    R_i, R_o = teeth.cone_distances
    rim = 4e-3
    sector = bevel_sector_grid(teeth, rim_thickness=rim)
    outline = np.concatenate(list(teeth.section(1.0, points=800).values()))
    gamma = np.arccos(np.abs(outline[:, 2] - teeth.apex))
    azimuth = np.arctan2(outline[:, 1], outline[:, 0])
    inner = teeth.root_cone - rim / teeth.gear.mean_cone_distance
    height = math.cos(inner) - np.cos(gamma)
    angle = float(np.sum(0.5 * (height[1:] + height[:-1]) * np.diff(azimuth)))
    exact = angle * (R_o**3 - R_i**3) / 3.0
    assert grid_volume(sector.solid) == pytest.approx(exact, rel=3e-5)
    assert grid_volume(whole_gear(sector)) == pytest.approx(teeth.gear.teeth * exact, rel=3e-5)


def test_wrong_options_are_refused() -> None:
    teeth = GEARS[20, 45]
    with pytest.raises(ModelError, match="reaches the axis"):
        bevel_sector_grid(teeth, rim_thickness="40 mm")
    with pytest.raises(ModelError, match="expected BevelTeeth"):
        bevel_sector_grid("teeth", rim_thickness="4 mm")  # type: ignore[arg-type]
    assert repr(bevel_sector_grid(teeth, rim_thickness="4 mm")).startswith("BevelSectorGrid(20 teeth, SolidGrid(")
