"""Faults of own meshes that would give wrong elasticity without an error: refused. And unusual meshes that are right."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from references.gear_meshes import tetrahedra
from unit.test_own_mesh_messages import COARSE, FLANKS, GEAR, GRID, SECTOR, SETS, SOLID, TOOTH, WHOLE, refused

import pitchline as pl
from pitchline.fem.element_matrices import TET_EDGES

ELEMENTS = SOLID.elements
NAMES = {"left": "left flank", "right": "right flank"}
TURNED = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19]


def made(mesh: pl.SolidMesh, **given: Any) -> Any:
    return pl.elastic_gear(GEAR, grid=pl.MeshedGear(mesh, **given), cache=False)


def test_coordinates_that_are_not_numbers() -> None:
    nodes = SOLID.nodes.copy()
    nodes[7] = np.nan
    refused(r"coordinates of node 7 are not finite \(1 such nodes\)", replace(TOOTH, nodes=nodes), flanks=FLANKS)


@pytest.mark.parametrize(
    "order", [list(range(20)), [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 17, 18, 19, 16]]
)
def test_elements_that_are_there_twice(order: list[int]) -> None:
    twice = pl.SolidMesh.of(SOLID.nodes, np.concatenate([ELEMENTS, ELEMENTS[3:4, order]]), pl.STEEL, SETS)
    refused(r"elements 3 and 16 have the same nodes \(1 elements are there twice\). Remove one", twice, flanks=FLANKS)


def test_elements_of_different_order_next_to_each_other() -> None:
    """Nodes in the middles of edges on the common faces would be loose."""
    mixed = pl.SolidMesh.of(SOLID.nodes, [ELEMENTS[8:], ELEMENTS[:8, :8]], pl.STEEL, SETS)
    refused("elements of different kinds meet at the nodes .* Use elements of the same order", mixed, flanks=FLANKS)
    five = ELEMENTS[:1, [[0, 1, 3, 4], [1, 2, 3, 6], [1, 3, 4, 6], [1, 4, 5, 6], [3, 4, 6, 7]]].reshape(-1, 4)
    middles = [np.array([[a, b] for a in row for b in row if a < b]) for row in five]
    edges = np.unique(np.concatenate([np.sort(m, axis=1) for m in middles]), axis=0)
    number = {tuple(edge): len(SOLID.nodes) + k for k, edge in enumerate(edges.tolist())}
    rows = [[*row, *(number[tuple(sorted((row[a], row[b])))] for a, b in TET_EDGES)] for row in five.tolist()]
    nodes = np.concatenate([SOLID.nodes, SOLID.nodes[edges].mean(axis=1)])
    mesh = pl.SolidMesh.of(nodes, [ELEMENTS[1:], np.array(rows)], pl.STEEL, SETS)
    refused("no tetrahedra on faces of hexahedra", mesh, flanks=FLANKS, cracks=True)


def test_bores_and_missing_teeth() -> None:
    refused(r"node \d+ is on the bore and on a flank \(\d+ such nodes\)", flanks=FLANKS, bore_set="left_flank")
    everything = {**GRID.node_sets, "all": np.arange(len(GRID.nodes))}
    refused("is on the bore and on a flank", replace(WHOLE, node_sets=everything), flanks=NAMES, bore_set="all")
    refused("missing: there is no tooth 12. The gear has the teeth 0 to 8", WHOLE, flanks=NAMES, missing=[3, 12])


@pytest.mark.slow
def test_some_teeth_of_a_gear() -> None:
    """Two of nine teeth fit together, but do not go round."""
    part = pl.SolidMesh.of(GRID.nodes, GRID.elements[: 2 * len(ELEMENTS)], pl.STEEL, GRID.node_sets)
    refused("covers only 80 deg of the gear.*sector=False", part, flanks=NAMES)
    found = made(part, flanks=NAMES, sector=False)
    assert isinstance(found, pl.WholeElasticGear) and found.missing.sum() == 7
    assert found.mass == pytest.approx(2 / 9 * made(WHOLE, flanks=NAMES).mass, rel=1e-9)


def test_an_axis_beside_that_of_the_gear() -> None:
    refused(
        "check that the axis of the gear is z of the mesh",
        replace(WHOLE, nodes=GRID.nodes + (1e-4, 0, 0)),
        flanks=NAMES,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["straight edges", "noise"])
def test_all_of_the_bore_is_found(kind: str) -> None:
    """Corners of straight faces are farther from the axis than the middles of their edges."""
    nodes, elements, sets = tetrahedra(SECTOR)
    if kind == "straight edges":
        for e, (a, b) in enumerate(TET_EDGES):
            nodes[elements[:, 4 + e]] = 0.5 * (nodes[elements[:, a]] + nodes[elements[:, b]])
        mesh, given = pl.SolidMesh.of(nodes, elements, pl.STEEL, sets), {"flanks": NAMES}
    else:
        noise = 2e-6 * np.random.default_rng(1).normal(size=GRID.nodes.shape)
        mesh, given = replace(WHOLE, nodes=GRID.nodes + noise), {"flanks": NAMES}
    found, known = made(mesh, **given), made(mesh, bore_set="bore", **given)
    expected = known.compliance["left", "left"]
    assert found.compliance["left", "left"] == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


def test_a_step_next_to_the_bore_is_not_held() -> None:
    """The body of a sector is cut back in its upper half: the cylinder there is not the bore, also if faces are long."""
    two = pl.sector_grid(GEAR, **COARSE | {"face_elements": 2, "body_elements": 4})
    solid = two.solid
    middle = solid.nodes[solid.elements[:, :8]].mean(axis=1)
    inner = np.hypot(middle[:, 0], middle[:, 1])
    kept = (inner > np.unique(np.round(inner, 6))[0] + 1e-5) | (middle[:, 2] < 0.0)
    assert 0 < np.count_nonzero(~kept) < 5
    sets = {name: np.intersect1d(rows, solid.elements[kept]) for name, rows in solid.node_sets.items()}
    mesh = pl.SolidMesh.of(solid.nodes, solid.elements[kept], pl.STEEL, sets)
    found, known = made(mesh, flanks=NAMES), made(mesh, flanks=NAMES, bore_set="bore")
    expected = known.compliance["left", "left"]
    assert found.compliance["left", "left"] == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


def test_a_mirrored_mesh_with_its_elements_turned() -> None:
    """Spur teeth are symmetrical: with exchanged sets the mirror image is the same gear."""
    mesh = pl.SolidMesh.of(SOLID.nodes * (1, -1, 1), ELEMENTS[:, TURNED], pl.STEEL, SETS)
    refused("is on the right flanks, but was specified for the left ones", mesh, flanks=FLANKS)
    refused(
        "is inverted or has no volume",
        replace(TOOTH, nodes=SOLID.nodes * (1, -1, 1)),
        flanks={"left": "right_flank", "right": "left_flank"},
    )
    found = made(mesh, flanks={"left": "right_flank", "right": "left_flank"})
    expected = made(TOOTH, flanks=FLANKS).compliance
    assert found.compliance["left", "left"] == pytest.approx(expected["left", "left"], rel=1e-6, abs=1e-14)
