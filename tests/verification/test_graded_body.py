"""Fewer unknowns deep in the body of a gear: the same compliance but for some hundredths of a percent, and never more of it."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.contact.loaded_tables import _between, _is_smooth, _straight_between
from pitchline.fem import node_modes as elastic_gears
from pitchline.fem.cyclic_symmetry import CyclicSector
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.fem.gear_file import _half_turn
from pitchline.fem.graded_body import graded_body
from pitchline.fem.sector_grid import sector_grid

GRID = {"flank_edge": "0.6 mm", "size": "1.8 mm", "face_elements": 6, "body_elements": 9}


def teeth(helix: str = "0 deg", **more: object) -> pl.Teeth:
    return pl.Teeth(
        pl.Gear(teeth=41, normal_module="3 mm", face_width="30 mm", bore="40 mm", helix_angle=helix), **more
    )


@pytest.mark.parametrize("helix", ["0 deg", "18 deg"])
def test_the_compliance_is_that_of_all_nodes(helix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work of a line load at half height and of a load at an end of the face, on the tooth and its neighbours."""
    few = elastic_gear(teeth(helix), grid=GRID, cache=False)
    monkeypatch.setattr(elastic_gears, "graded_body", lambda grid: None)
    all_nodes = elastic_gear(teeth(helix), grid=GRID, cache=False)
    rows, lines = few.grids["left"].shape
    load = np.zeros((rows, lines, 2))
    load[rows // 2, :, 0] = 1.0 / lines
    load[rows // 2, :3, 1] = 1.0 / 3.0
    load = load.reshape(-1, 2)

    def answers(gear: ElasticGear) -> np.ndarray:
        return np.array([np.diag(load.T @ C @ load) for C in gear.compliance["left", "left"]])

    found, exact = answers(few), answers(all_nodes)
    own = exact[3]
    assert np.abs(found - exact).max(axis=0) / own == pytest.approx(0.0, abs=5e-4)
    assert (found[3] < own).all()
    assert (few.mass, few.inertia.tolist()) == (all_nodes.mass, all_nodes.inertia.tolist())


@pytest.mark.parametrize("helix", ["0 deg", "18 deg"])
def test_a_turn_of_the_bore_is_met_exactly(helix: str) -> None:
    """Displacements of all nodes in a turn about the axis are those of the places in it."""
    grid = sector_grid(teeth(helix), **GRID)
    body = graded_body(grid)
    assert body is not None and len(body.places) < 0.8 * len(grid.solid.nodes)

    def turned(x: np.ndarray) -> np.ndarray:
        return np.column_stack([-x[:, 1], x[:, 0], np.zeros(len(x))]).ravel()

    assert body.shapes @ turned(body.places) == pytest.approx(turned(np.asarray(grid.solid.nodes)), abs=1e-12)


def test_no_choice_where_the_body_is_no_ring() -> None:
    """Wheels with a web and conical gears keep all nodes, and elements of first order."""
    assert graded_body(sector_grid(teeth(), rim_thickness="6 mm", web_thickness="10 mm", **GRID)) is None
    assert graded_body(sector_grid(teeth(), order=1, face_elements=4, flank_edge="0.6 mm", size="1.8 mm")) is None


def test_masses_are_not_left_out_where_they_are_needed() -> None:
    with pytest.raises(pl.ModelError, match="requires the masses"):
        CyclicSector.of(sector_grid(teeth(), **GRID), teeth().gear.material, bore="free", massless=True)


def test_smooth_cycles_are_known_from_every_second_phase() -> None:
    phase = np.arange(64) / 64
    u = 1e-7 * np.sin(2 * np.pi * phase) + 2e-8 * np.cos(6 * np.pi * phase)
    assert _is_smooth(u[None, ::2])
    assert _between(u[None, ::2])[0] == pytest.approx(u, abs=1e-20)
    kink = 1e-6 * np.abs(phase - 0.5)
    assert not _is_smooth(kink[None, ::2])
    assert _straight_between(kink[None, ::2])[0] == pytest.approx(kink, abs=1e-20)


def test_half_a_turn_is_found() -> None:
    """Cylindrical teeth are the same from both ends of the face."""
    from pitchline.fem.cyclic_symmetry import CondensedSector

    for helix in ("0 deg", "18 deg"):
        given = teeth(helix)
        grid = sector_grid(given, **GRID)
        sector = CyclicSector.of(grid, given.gear.material, bore="fixed", body=graded_body(grid), massless=True)
        basis, kept = _half_turn(CondensedSector(sector, keep_factors=False))
        assert kept is not None
        assert abs(basis.T @ basis - np.eye(len(kept))).max() < 1e-14
