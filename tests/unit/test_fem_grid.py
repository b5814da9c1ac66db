"""Grids of sectors: what the options do, how the parts are named, what is refused."""

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.fem import SectorGrid, SolidGrid, grid_quality, grid_volume, sector_grid, whole_gear
from pitchline.fem.hexahedra import FACES
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import PitchDeviation, Teeth, TipRelief

PINION = {"teeth": 18, "normal_module": "2 mm", "face_width": "10 mm"}
COARSE = {"flank_elements": 5, "face_elements": 2}


def pinion(**others: object) -> Teeth:
    return Teeth(Gear(**PINION | {"bore": "14 mm"} | others))  # type: ignore[arg-type]


def ring(**others: object) -> Teeth:
    given = {"teeth": 50, "normal_module": "2 mm", "face_width": "10 mm", "internal": True, "rim_diameter": "120 mm"}
    return Teeth(Gear(**given | others))  # type: ignore[arg-type]


def cube(order: int) -> SolidGrid:
    """One element of edges 1, 2 and 3."""
    corners = np.array(
        [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0], [0, 0, 3], [1, 0, 3], [1, 2, 3], [0, 2, 3]], dtype=float
    )
    edges = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
    if order == 1:
        return SolidGrid(corners, np.arange(8)[None])
    return SolidGrid(np.concatenate([corners, [(corners[a] + corners[b]) / 2 for a, b in edges]]), np.arange(20)[None])


# --- solid grids and their quality --------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2])
def test_a_box_is_perfect(order: int) -> None:
    quality = grid_quality(cube(order))
    assert quality.order == order and quality.valid
    assert quality.scaled_jacobian == pytest.approx(1.0, abs=1e-14)
    assert quality.jacobian_ratio == pytest.approx(1.0, abs=1e-14)
    assert quality.aspect_ratio == pytest.approx(3.0) and quality.volume == pytest.approx(6.0)
    assert (quality.shortest_edge, quality.longest_edge) == pytest.approx((1.0, 3.0))
    assert grid_volume(cube(order)) == pytest.approx(6.0)
    assert "scaled Jacobian" in str(quality)


def test_a_sheared_box_has_the_sine_of_its_angle() -> None:
    box = cube(1)
    nodes = box.nodes + np.array([1.0, 0.0, 0.0]) * box.nodes[:, 1:2]  # 45 degrees
    assert grid_quality(SolidGrid(nodes, box.elements)).scaled_jacobian == pytest.approx(np.sqrt(0.5))


def test_an_element_inside_out_is_seen() -> None:
    box = cube(1)
    assert not grid_quality(SolidGrid(box.nodes * np.array([-1.0, 1.0, 1.0]), box.elements)).valid
    curved = cube(2)
    nodes = curved.nodes.copy()
    nodes[8] += np.array([0.45, 0.0, 0.0])  # a mid-edge node close to a corner: the corner tangent turns round
    assert not grid_quality(SolidGrid(nodes, curved.elements)).valid


def test_solid_grids_are_checked() -> None:
    with pytest.raises(ModelError, match="8 or 20 nodes each"):
        SolidGrid(np.zeros((4, 3)), np.zeros((1, 4)))
    with pytest.raises(ModelError, match="refer to the nodes 2 to 9, but there are 8"):
        SolidGrid(np.zeros((8, 3)), np.arange(2, 10)[None])
    with pytest.raises(ModelError, match='no set of nodes "borre"; did you mean "bore"'):
        sector_grid(pinion(), **COARSE).solid.node_set("borre")


# --- the sector ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2])
def test_patches_name_the_flank_nodes(order: int) -> None:
    sector = sector_grid(pinion(helix_angle="15 deg"), order=order, flank_elements=6, face_elements=3)
    for side, patch in sector.flanks.items():
        assert patch.nodes.shape == patch.lengths.shape == (6 * order + 1, 3 * order + 1)
        odd = np.add.outer(np.arange(6 * order + 1) % 2, np.arange(3 * order + 1) % 2) == 2
        assert np.array_equal(patch.nodes == -1, odd if order == 2 else np.zeros_like(odd))
        there = patch.nodes >= 0
        flank = sector.teeth.flank(side)
        expected = flank.involute.point(patch.lengths, patch.zeta)
        np.testing.assert_allclose(sector.solid.nodes[patch.nodes[there]], expected[there], atol=1e-17)
        assert np.array_equal(np.unique(patch.nodes[there]), sector.solid.node_sets[f"{side} flank"])
        np.testing.assert_allclose(patch.lengths[0], flank.form_roll_length(patch.zeta))
        np.testing.assert_allclose(patch.lengths[-1], flank.tip_roll_length(patch.zeta))
        assert (np.diff(patch.zeta) > 0).all() and patch.zeta[-1] == pytest.approx(5e-3)


def test_defaults_follow_the_module() -> None:
    """Edges of a tenth of the module on the flank; the same grid, scaled, at any module."""
    small = sector_grid(pinion())
    large = sector_grid(pinion(normal_module="6 mm", face_width="30 mm", bore="42 mm"))
    assert 2000 < len(small.solid.nodes) < 4000
    assert 0.9 * 0.2e-3 < small.flank_edge <= 0.2e-3 * (1 + 1e-9)
    assert np.array_equal(small.solid.elements, large.solid.elements)
    np.testing.assert_allclose(3.0 * small.solid.nodes, large.solid.nodes, atol=1e-12)


def test_options_are_counts_or_lengths() -> None:
    teeth = pinion()
    fine = sector_grid(teeth, order=1, flank_edge="0.05 mm", size="0.4 mm", face_elements=4)
    assert 0.045e-3 < fine.flank_edge <= 0.05e-3 * (1 + 1e-9)
    given = sector_grid(
        teeth,
        order=1,
        flank_elements=7,
        fillet_elements=3,
        root_elements=3,
        across_elements=6,
        body_elements=8,
        face_elements=4,
    )
    assert len(given.solid.elements) == ((7 + 3) * 6 + (2 * 3 + 6) * 8) * 4
    assert len(given.solid.nodes) == ((7 + 3) * (6 + 1) + (2 * 3 + 6 + 1) * (8 + 1)) * 5


def test_the_first_elements_below_the_flank_are_as_thick_as_asked_for() -> None:
    """Halfway up, where the tooth is about as thick as on its reference circle: within 15 %."""
    counts = []
    for depth in (0.1e-3, 0.4e-3):
        sector = sector_grid(pinion(), order=1, flank_depth=depth, flank_elements=10, face_elements=2)
        patch = sector.flanks["left"].nodes
        row = sector.solid.elements[np.isin(sector.solid.elements, patch[4:6, :2]).sum(axis=1) == 4]
        assert len(row) == 1
        within = sector.solid.nodes[np.setdiff1d(row[0], patch)]
        flank = sector.solid.nodes[patch[4:6, :2].ravel()]
        thickness = np.linalg.norm(within[:, None] - flank[None], axis=-1).min(axis=1)
        np.testing.assert_allclose(thickness, depth, rtol=0.15)
        counts.append(len(sector.solid.elements))
    assert counts[0] > counts[1]


def exterior(grid: SolidGrid) -> np.ndarray:
    """Corners of the faces that belong to one element only."""
    faces = np.concatenate([grid.elements[:, list(face[:4])] for face in FACES])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    assert count.max() == 2
    return faces[first[count == 1]]


@pytest.mark.parametrize("teeth", [pinion(helix_angle="20 deg"), ring()], ids=["external", "internal"])
@pytest.mark.parametrize("order", [1, 2])
def test_the_surface_is_made_of_the_named_parts(teeth: Teeth, order: int) -> None:
    """No cracks: a face of one element alone lies in one of the sets, and every set has such faces."""
    for whole in (False, True):
        sector = sector_grid(teeth, order=order, **COARSE)
        grid = whole_gear(sector) if whole else sector.solid
        left = exterior(grid)
        for name, nodes in grid.node_sets.items():
            if "of tooth" in name:
                continue
            inside = np.isin(left, nodes).all(axis=1)
            assert inside.any(), name
            left = left[~inside]
        assert len(left) == 0


def test_sides_match() -> None:
    for teeth in (
        pinion(helix_angle="-30 deg"),
        ring(),
        Teeth(Gear(**PINION, bore="10 mm"), profile_shift_angle="9 deg"),
    ):
        sector = sector_grid(teeth, **COARSE)
        low, high = sector.solid.nodes[sector.low_side], sector.solid.nodes[sector.high_side]
        turn = np.exp(1j * teeth.gear.angular_pitch)
        turned = (low[:, 0] + 1j * low[:, 1]) * turn
        np.testing.assert_allclose(high, np.stack([turned.real, turned.imag, low[:, 2]], axis=-1), atol=1e-16)
        assert len(set(sector.low_side) & set(sector.high_side)) == 0
        assert np.array_equal(sector.bore, sector.solid.node_sets["bore"])
        radius = np.hypot(*sector.solid.nodes[sector.bore, :2].T)
        np.testing.assert_allclose(radius, 0.5 * (teeth.gear.rim_diameter or teeth.gear.bore), rtol=1e-14)


@pytest.mark.parametrize("order", [1, 2])
def test_a_whole_gear_is_z_sectors(order: int) -> None:
    sector = sector_grid(pinion(helix_angle="10 deg"), order=order, **COARSE)
    whole = whole_gear(sector)
    assert len(whole.nodes) == 18 * (len(sector.solid.nodes) - len(sector.high_side))
    assert len(whole.elements) == 18 * len(sector.solid.elements)
    assert np.array_equal(np.unique(whole.elements), np.arange(len(whole.nodes)))
    assert len(np.unique(np.round(whole.nodes / 1e-7), axis=0)) == len(whole.nodes)
    assert grid_volume(whole) == pytest.approx(18 * grid_volume(sector.solid), rel=1e-12)
    third = whole.nodes[whole.node_sets["left flank of tooth 3"]]
    expected = sector.solid.nodes[sector.solid.node_sets["left flank"]]
    turned = (expected[:, 0] + 1j * expected[:, 1]) * np.exp(3j * sector.teeth.gear.angular_pitch)
    np.testing.assert_allclose(third[:, 0] + 1j * third[:, 1], turned, atol=1e-16)
    assert len(whole.node_sets["left flank"]) == 18 * len(expected)
    assert "low side" not in whole.node_sets


def test_a_web_is_thinner_than_the_rim() -> None:
    """Its volume is that of the solid gear without the rings beside the web, to the fourth order of the arcs."""
    teeth = Teeth(Gear(teeth=60, normal_module="2 mm", face_width="20 mm", bore="30 mm"))
    shared = {"order": 2, "flank_elements": 5, "face_elements": 5}
    solid = sector_grid(teeth, **shared)
    web = sector_grid(teeth, **shared, rim_thickness="6 mm", web_thickness="6 mm", hub_diameter="50 mm")
    rim = teeth.gear.root_diameter - 12e-3
    missing = 0.25 * np.pi * (rim**2 - 50e-3**2) * 14e-3 / 60
    assert grid_volume(solid.solid) - grid_volume(web.solid) == pytest.approx(missing, rel=1e-6)
    assert grid_quality(web.solid).valid
    z = web.solid.nodes[:, 2]
    radius = np.hypot(*web.solid.nodes[:, :2].T)
    between = (radius < 0.5 * rim - 1e-9) & (radius > 25e-3 + 1e-9)
    assert np.abs(z[between]).max() == pytest.approx(3e-3)
    assert len(np.unique(web.solid.elements)) == len(web.solid.nodes)
    without_hub = sector_grid(teeth, **shared, rim_thickness="6 mm", web_thickness="6 mm")
    assert np.abs(without_hub.solid.nodes[without_hub.bore, 2]).max() == pytest.approx(3e-3)


def test_modified_flanks_are_meshed_where_asked_for() -> None:
    """Nodes keep their circle and section; along the normal they lie δ off the ideal flank."""
    relief = TipRelief("40 um", length="2 mm")
    teeth = Teeth(
        Gear(**PINION, bore="14 mm", helix_angle="20 deg"), both=relief, per_tooth={3: PitchDeviation("9 um")}
    )  # type: ignore[arg-type]
    ideal, modified = (sector_grid(teeth, modified=given, **COARSE) for given in (False, True))
    assert np.array_equal(ideal.solid.elements, modified.solid.elements)
    for side in ("left", "right"):
        patch = modified.flanks[side]
        there = patch.nodes >= 0
        P, Q = (sector.solid.nodes[patch.nodes[there]] @ np.array([1.0, 1.0j, 0.0]) for sector in (modified, ideal))
        flank = teeth.flank(side)
        involute = flank.involute
        beta = involute.base_helix_angle
        np.testing.assert_allclose(np.abs(P), np.abs(Q), rtol=1e-14)
        delta = involute.side * np.angle(P / Q) * involute.base_radius * np.cos(beta)
        z = np.broadcast_to(patch.zeta, patch.lengths.shape)[there]
        L = patch.lengths[there] - delta * np.cos(beta)
        found = flank.modification.deviation(flank.range, L, z + involute.side * delta * np.sin(beta)).value
        np.testing.assert_allclose(delta, found, atol=1e-16)
        assert delta.min() == pytest.approx(-40e-6, rel=2e-2)
    assert grid_quality(modified.solid).valid


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("teeth", "options", "message"),
    [
        (pinion(bore=0.0), {}, "the gear has no bore"),
        (ring(rim_diameter=None), {}, "outer diameter of the internal gear is missing"),
        (ring(), {"bore": "10 mm"}, "an internal gear has no bore"),
        (ring(), {"rim_thickness": "2 mm"}, "rim_thickness is for external gears"),
        (pinion(), {"rim_diameter": "60 mm"}, "rim_diameter is for internal gears"),
        (pinion(), {"bore": "30.95 mm"}, "leaves less than a twentieth of the module"),
        (pinion(face_width=None), {}, "requires the face width"),
        (pinion(), {"order": 3}, "order: must be from 1 to 2"),
        (pinion(), {"flank_edge": "-1 mm"}, "flank_edge: must be greater than zero"),
        (pinion(), {"flank_edge": "1 mm", "flank_elements": 3}, "flank_edge and flank_elements"),
        (pinion(), {"across_elements": 5}, "must be even, got 5. Specify 6"),
        (pinion(), {"modified": 1}, "modified: expected True or False"),
        (pinion(), {"web_thickness": "3 mm"}, "a web requires both rim_thickness and web_thickness"),
        (pinion(), {"web_thickness": "10 mm", "rim_thickness": "2 mm"}, "must be less than the face width"),
        (pinion(), {"web_thickness": "3 mm", "rim_thickness": "8.6 mm"}, "leaves no web"),
        (pinion(), {"web_thickness": "3 mm", "rim_thickness": "2 mm", "hub_diameter": "9 mm"}, "smaller than the bore"),
        (pinion(), {"web_thickness": "3 mm", "rim_thickness": "2 mm", "face_elements": 2}, "face_elements"),
        (
            pinion(),
            {"flank_edge": "0.1 um", "size": "2 um"},
            "elements, more than 2,000,000. Specify a larger flank_edge",
        ),
        ("teeth", {}, "expected Teeth"),
    ],
)
def test_wrong_options_are_refused(teeth: Teeth, options: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        sector_grid(teeth, **options)  # type: ignore[arg-type]


def test_reading_a_grid() -> None:
    sector: SectorGrid = sector_grid(pinion(), **COARSE)
    assert repr(sector).startswith("SectorGrid(Teeth(18 external, m_n 2 mm), SolidGrid(")
    assert sector.solid.order == 2 and sector.solid.corners.shape[1] == 8
