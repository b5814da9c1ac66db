"""Grids of sectors are the gear: nodes on its exact surfaces, its volume with the order of the elements."""

import math

import numpy as np
import pytest

from pitchline.fem import grid_volume, sector_grid
from pitchline.fem.solid_grid import gear_volume, section_area
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth, ToothFlank, outline

SHARED = {"normal_module": "2 mm", "face_width": "12 mm"}
GEARS = {
    "spur": Teeth(Gear(teeth=25, bore="20 mm", root_radius_factor=0.25, **SHARED)),
    "undercut": Teeth(Gear(teeth=11, bore="8 mm", **SHARED)),
    "helical": Teeth(Gear(teeth=37, bore="30 mm", helix_angle="25 deg", **SHARED)),
    "internal": Teeth(Gear(teeth=60, internal=True, rim_diameter="140 mm", helix_angle="15 deg", **SHARED)),
    "beveloid": Teeth(Gear(teeth=30, bore="30 mm", helix_angle="15 deg", **SHARED), profile_shift_angle="8 deg"),
    "protuberance": Teeth(Gear(teeth=29, bore="30 mm", **SHARED), protuberance="0.06 mm"),
}


# --- surfaces ------------------------------------------------------------------------------------------


def fillet_distance(flank: ToothFlank, nodes: np.ndarray) -> np.ndarray:
    """From nodes to the fillet in their sections [m]: nearest of many points, then Newton's method on the tangent."""
    P, z = nodes[:, 0] + 1j * nodes[:, 1], nodes[:, 2]
    low, high = flank.fillet.limits(z)
    u = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, 400)
    near = np.argmin(np.abs(flank.fillet.section(u, z[:, None]) - P[:, None]), axis=1)
    best = u[np.arange(len(u)), near]
    for _ in range(20):
        d = flank.fillet.derivatives(best, z)
        best = np.clip(best + ((P - d.P) * np.conj(d.u)).real / np.maximum(np.abs(d.u) ** 2, 1e-300), low, high)
    return np.abs(flank.fillet.section(best, z) - P)


@pytest.mark.parametrize("name", GEARS)
def test_nodes_lie_on_the_exact_surfaces(name: str) -> None:
    """Corners and mid-edges on involute (by radius and angle), fillet, root and tip, to 1e-13 m."""
    teeth = GEARS[name]
    sector = sector_grid(teeth, order=2, flank_elements=6, face_elements=3)
    nodes, sets = sector.solid.nodes, sector.solid.node_sets
    P, z = nodes[:, 0] + 1j * nodes[:, 1], nodes[:, 2]
    root_or_fillet = np.full(len(nodes), np.inf)
    for side in ("left", "right"):
        flank = teeth.flank(side)
        on = sets[f"{side} flank"]
        half = flank.involute.half_angle(np.abs(P[on]), z[on])
        np.testing.assert_allclose(
            flank.involute.side * np.angle(P[on] * np.exp(-1j * flank.involute.side * half)), 0, atol=1e-12
        )
        fillet = sets[f"{side} fillet"]
        assert fillet_distance(flank, nodes[fillet]).max() < 1e-13
        root = sets["root"]
        radial = np.abs(np.abs(P[root]) - np.abs(flank.root.section(0.0, z[root])))
        root_or_fillet[root] = np.minimum.reduce([root_or_fillet[root], radial, fillet_distance(flank, nodes[root])])
    assert root_or_fillet[sets["root"]].max() < 1e-13
    tip = sets["tip"]
    np.testing.assert_allclose(np.abs(P[tip]), np.abs(teeth.tip.section(0.0, z[tip])), atol=1e-13)


@pytest.mark.parametrize("name", GEARS)
def test_edges_on_the_involute_are_equal(name: str) -> None:
    """In arc length L²/(2 r_b), mid-edge nodes halfway."""
    teeth = GEARS[name]
    sector = sector_grid(teeth, order=2, flank_elements=6, face_elements=2)
    for side, patch in sector.flanks.items():
        arc = patch.lengths**2 / (2.0 * teeth.flank(side).involute.base_radius)
        steps = np.diff(arc, axis=0)
        np.testing.assert_allclose(steps, np.broadcast_to(steps.mean(axis=0), steps.shape), rtol=1e-9)


# --- volumes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GEARS)
def test_the_exact_area_is_that_of_fine_polygons(name: str) -> None:
    """Polygons on the outline are off by the square of their sides: Richardson's extrapolation of two of them."""

    def polygon(points: int) -> float:
        p = outline(GEARS[name], 1e-3, points=points)
        return 0.5 * float(np.sum(p[:-1, 0] * p[1:, 1] - p[1:, 0] * p[:-1, 1]))

    coarse, fine = polygon(49), polygon(97)
    extrapolated = fine + (fine - coarse) / 3.0
    area = float(section_area(GEARS[name], 1e-3)[0])
    assert area == pytest.approx(fine, rel=1e-5)
    assert abs(extrapolated - area) < 0.2 * abs(fine - area)


@pytest.mark.parametrize(("order", "expected"), [(1, 2), (2, 4)])
@pytest.mark.parametrize("name", ["spur", "helical", "internal", "beveloid"])
def test_the_volume_converges_with_the_order_of_the_elements(name: str, order: int, expected: int) -> None:
    """Curved edges are met to h² by straight ones and to h⁴ by parabolas; every count doubled from grid to grid."""
    teeth = GEARS[name]
    exact = gear_volume(teeth) / teeth.gear.teeth
    errors = []
    for k in (1, 2):
        counts = {
            "flank_elements": 6,
            "fillet_elements": 3,
            "root_elements": 4,
            "across_elements": 4,
            "body_elements": 4,
        }
        sector = sector_grid(teeth, order=order, face_elements=2 * k, **{name: k * n for name, n in counts.items()})
        errors.append(abs(grid_volume(sector.solid) / exact - 1.0))
    assert errors[0] < {1: 1e-3, 2: 1e-5}[order]
    # errors of convex flanks and hollow fillets have opposite signs: the sum may fall faster, or a little slower
    assert math.log2(errors[0] / errors[1]) > expected - 1.2


def test_a_fine_grid_has_the_mass_of_the_gear() -> None:
    """The mass that Table 1 of Do, Ziegler and Eberhard leaves with a bore of 0.4 d: 65.381 g and 280.72 g."""
    for z, mass in ((18, 65.3813e-3), (37, 280.723e-3)):
        teeth = Teeth(
            Gear(teeth=z, normal_module="2 mm", face_width="10 mm", root_radius_factor=0.125, bore=0.8e-3 * z)
        )
        assert 7850.0 * gear_volume(teeth) == pytest.approx(mass, rel=2e-6)
        assert 7850.0 * z * grid_volume(sector_grid(teeth).solid) == pytest.approx(mass, rel=5e-6)
