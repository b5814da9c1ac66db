"""Gears from a solid mesh of the user: the same numbers as the grid they come from, with cyclic symmetry or without."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from references import calculix
from references.gear_meshes import inp, msh, tetrahedra

import pitchline as pl
from pitchline.contact.flank_data import flank_data
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.fem.element_matrices import TET_EDGES
from pitchline.fem.sector_grid import SectorGrid, sector_grid, whole_gear
from pitchline.files.grid_file import write_inp, write_vtu
from pitchline.parts.gears.teeth import place_teeth
from pitchline.parts.meshes.compile import encode_flanks

GEAR = pl.Gear(teeth=9, normal_module="2 mm", face_width="4 mm", bore="7 mm", helix_angle="15 deg", profile_shift=0.45)
MATE = GEAR.with_(teeth=14, helix_angle="-15 deg", bore="14 mm")
COARSE: dict[str, Any] = {
    "flank_elements": 3, "fillet_elements": 1, "root_elements": 1, "across_elements": 2, "body_elements": 2, "face_elements": 1,
}  # fmt: skip
FLANKS = {"left": "left flank", "right": "right flank"}
LIMIT = 90e3
SIDES = ("left", "right")


@pytest.fixture(scope="module")
def sector() -> SectorGrid:
    return sector_grid(GEAR, **COARSE)


@pytest.fixture(scope="module")
def cyclic(sector: SectorGrid) -> dict[str, ElasticGear]:
    return {b: pl.elastic_gear(GEAR, grid=sector, bore=b, up_to=LIMIT, cache=False) for b in ("fixed", "free", "shaft")}


@pytest.fixture(scope="module")
def whole(sector: SectorGrid) -> pl.SolidMesh:
    grid = whole_gear(sector)
    return pl.SolidMesh.of(grid.nodes, grid.elements, pl.STEEL, grid.node_sets)


def same(found: ElasticGear, expected: ElasticGear, tolerance: float) -> None:
    """Frequencies, compliance and mass."""
    assert found.frequencies == pytest.approx(expected.frequencies, rel=1e-9)
    assert np.array_equal(found.nodal_diameters, expected.nodal_diameters)
    for sides, C in expected.compliance.items():
        assert found.compliance[sides] == pytest.approx(C, abs=tolerance * np.abs(C).max())
    assert found.mass == pytest.approx(expected.mass, rel=1e-10)
    assert found.inertia == pytest.approx(expected.inertia, rel=1e-10)


@pytest.mark.parametrize("kind", ["inp", "vtu", "msh 4.1", "msh 2.2"])
def test_a_sector_that_was_written_and_read_again(
    kind: str, sector: SectorGrid, cyclic: dict[str, ElasticGear], tmp_path: Path
) -> None:
    sets = {name.replace(" ", "_"): nodes for name, nodes in sector.solid.node_sets.items()}
    if kind == "inp":
        file = write_inp(tmp_path / "tooth.inp", sector, material=pl.STEEL)
        given: dict[str, Any] = {"flanks": {"left": "LEFT_FLANK", "right": "RIGHT_FLANK"}, "bore_set": "BORE"}
        given["sector"] = ("HIGH_SIDE", "LOW_SIDE")  # in either order
    elif kind == "vtu":
        file, given = write_vtu(tmp_path / "tooth.vtu", sector), {"flanks": FLANKS, "sector": ("low side", "high side")}
    else:
        file, given = msh(tmp_path / "tooth.msh", sector.solid.nodes, sector.solid.elements, sets, kind[4:]), {}
        if kind == "msh 2.2":
            given = {"flanks": {"left": "left_flank", "right": ["right_flank"]}, "bore_set": "bore"}
    for bore in ("fixed", "free", "shaft") if kind == "inp" else ("free",):
        grid = pl.MeshedGear(file, units="m" if kind == "vtu" else "mm", **given)
        found = pl.elastic_gear(GEAR, grid=grid, bore=bore, up_to=LIMIT, cache=False)
        same(found, cyclic[bore], 1e-8)


@pytest.mark.parametrize("bore", ["fixed", "free", "shaft"])
def test_a_whole_gear_of_equal_sectors_is_that_of_cyclic_symmetry(
    bore: str, whole: pl.SolidMesh, cyclic: dict[str, ElasticGear]
) -> None:
    found = pl.elastic_gear(GEAR, grid=pl.MeshedGear(whole, flanks=FLANKS), bore=bore, up_to=LIMIT, cache=False)
    known = cyclic[bore]
    assert isinstance(found, pl.WholeElasticGear) and not found.symmetric and not found.missing.any()
    assert found.frequencies == pytest.approx(known.all_frequencies, rel=1e-8)
    for i in SIDES:
        for j in SIDES:
            tolerance = 1e-8 * np.abs(known.compliance[i, j]).max()
            parts = known.modal_compliance(i, j)
            for k in range(GEAR.teeth):
                for o in range(-3, 4):
                    between = known.compliance_between(i, k + o, j, k)
                    assert found.compliance_between(i, k + o, j, k) == pytest.approx(between, abs=tolerance)
                    assert found.modal_compliance(i, j)[k, o + 3] == pytest.approx(parts[o + 3], abs=tolerance)
    assert found.mass == pytest.approx(known.mass, rel=1e-12)
    assert found.inertia_tensor == pytest.approx(np.diag(known.inertia), abs=1e-12 * known.inertia[2])
    assert np.abs(found.centre).max() < 1e-12


@pytest.fixture(scope="module")
def pairs(whole: pl.SolidMesh, cyclic: dict[str, ElasticGear]) -> tuple[ElasticGear, ElasticGear, ElasticGear]:
    """The gear with symmetry, the same without, and its mate."""
    own = pl.elastic_gear(GEAR, grid=pl.MeshedGear(whole, flanks=FLANKS), up_to=LIMIT, cache=False)
    return cyclic["fixed"], own, pl.elastic_gear(MATE, grid=COARSE, up_to=LIMIT, cache=False)


def test_loaded_contact_without_symmetry(pairs: tuple[ElasticGear, ElasticGear, ElasticGear]) -> None:
    known, own, mate = pairs
    for a, b, c, d in ((known, mate, own, mate), (mate, known, mate, own)):
        first, second = (
            pl.loaded_contact(*two, torque=5.0, positions=3, pitches=2, start=7) for two in ((a, b), (c, d))
        )
        assert second.transmission_error == pytest.approx(first.transmission_error, rel=1e-7)
        first_cells, second_cells = (pl.flank_contact(*two, torque=5.0, phase=[0.3, 8.3]) for two in ((a, b), (c, d)))
        assert second_cells.transmission_error == pytest.approx(first_cells.transmission_error, rel=1e-7)


def test_flanks_in_motion_without_symmetry(pairs: tuple[ElasticGear, ElasticGear, ElasticGear]) -> None:
    """Modes and residual compliance of each tooth, on either gear, at any angle."""
    known, own, mate = pairs
    forces = []
    for a, b in ((known, mate), (own, mate), (mate, known), (mate, own)):
        pose, _ = place_teeth(a.teeth, b.teeth, None)
        law = encode_flanks(flank_data(a, b, pose, up_to=LIMIT), lever_b=0.01).alone()
        row = []
        for psi in (0.0, 1.3, 5.1):
            law.forget()
            assert law.rest(3e-5, psi)
            row.append(float(law.memory["contact"]["force"]))
        forces.append(row)
    assert forces[1] == pytest.approx(forces[0], rel=1e-7)
    assert forces[3] == pytest.approx(forces[2], rel=1e-7)


def test_a_hole_below_a_tooth_shows_once_a_revolution(
    whole: pl.SolidMesh, pairs: tuple[ElasticGear, ElasticGear, ElasticGear]
) -> None:
    known, _, mate = pairs
    group = whole.groups[0]
    each = len(group.elements) // GEAR.teeth
    centres = whole.nodes[group.elements[:, :8]].mean(axis=1)
    body = np.hypot(centres[:, 0], centres[:, 1]) < 0.0055
    gone = np.zeros(len(group.elements), dtype=bool)
    gone[np.flatnonzero(body[3 * each : 4 * each])[:1] + 3 * each] = True
    assert gone.sum() == 1
    damaged = replace(whole, groups=(replace(group, elements=group.elements[~gone]),))
    own = pl.elastic_gear(GEAR, grid=pl.MeshedGear(damaged, flanks=FLANKS, bore_set="bore"), cache=False)
    assert own.mass < known.mass and isinstance(own, pl.WholeElasticGear) and np.abs(own.centre[:2]).max() > 1e-6
    found = pl.loaded_contact(own, mate, torque=5.0, positions=2, pitches=GEAR.teeth)
    ideal = pl.loaded_contact(known, mate, torque=5.0, positions=2, pitches=1)
    more = found.transmission_error[0].reshape(-1, 2) - ideal.transmission_error[0]
    assert (more > -1e-9).all()  # removing material never makes it stiffer
    softest = int(np.argmax(more.max(axis=1)))
    assert (-softest) % GEAR.teeth in (2, 3, 4)  # at phase p tooth −p is in mesh
    assert more.max() > 5.0 * np.median(more)


def test_a_missing_tooth_carries_no_load(
    whole: pl.SolidMesh, pairs: tuple[ElasticGear, ElasticGear, ElasticGear]
) -> None:
    known, _, mate = pairs
    own = pl.elastic_gear(GEAR, grid=pl.MeshedGear(whole, flanks=FLANKS, missing=[0]), up_to=LIMIT, cache=False)
    assert isinstance(own, pl.WholeElasticGear) and own.missing.tolist() == [True] + 8 * [False]
    ideal = pl.loaded_contact(known, mate, torque=5.0, positions=16, start=-0.5)
    mine = ideal.pairs.tolist().index(0)
    carried = ideal.pair_load[0] > 0.0
    double = int(np.flatnonzero(carried[:, mine] & (carried.sum(axis=1) > 1))[0])
    found = pl.loaded_contact(own, mate, torque=5.0, positions=1, start=ideal.phase[double])
    assert 0 not in found.pairs
    assert found.transmission_error[0, 0] > 1.2 * ideal.transmission_error[0, double]
    with pytest.raises(pl.ModelError, match="Teeth are missing"):
        pl.loaded_contact(own, mate, torque=5.0, positions=1, start=-0.125)
    pose, _ = place_teeth(own.teeth, mate.teeth, None)
    law = encode_flanks(flank_data(own, mate, pose, up_to=LIMIT), lever_b=0.01).alone()
    assert law.rest(3e-5, 0.0)
    assert 0 not in law.candidates["tooth"][law.candidates["force"] > 0.0]


def test_tetrahedra_converge_to_the_hexahedra() -> None:
    """Half a percent softer or stiffer on a coarse grid, and less on a finer one."""
    errors = []
    for finer in (1, 2):
        options = {key: finer * count for key, count in COARSE.items()}
        sector = sector_grid(GEAR, **options)
        nodes, elements, sets = tetrahedra(sector)
        mesh = pl.SolidMesh.of(nodes, elements, pl.STEEL, sets)
        known = pl.elastic_gear(GEAR, grid=sector, up_to=LIMIT, cache=False)
        found = pl.elastic_gear(GEAR, grid=pl.MeshedGear(mesh, flanks=FLANKS), up_to=LIMIT, cache=False)
        errors.append(float(np.abs(found.frequencies / known.frequencies - 1.0).max()))
        total, mean = (float(g.compliance["left", "left"][3].mean()) for g in (found, known))
        assert total == pytest.approx(mean, rel=0.03 / finer)
    assert errors[1] < 0.01 and errors[1] < 0.6 * errors[0]


@pytest.mark.skipif(not calculix.INSTALLED, reason="CalculiX is not installed")
def test_frequencies_of_calculix(tmp_path: Path) -> None:
    """A segment of one tooth, of tetrahedra of 10 nodes, held at its bore.

    With curved edges the frequencies differ by 0.1 %, with straight edges, as here, by 4e-5.
    """
    gear = GEAR.with_(helix_angle=0)
    nodes, elements, sets = tetrahedra(sector_grid(gear, **COARSE))
    for e, (a, b) in enumerate(TET_EDGES):
        nodes[elements[:, 4 + e]] = 0.5 * (nodes[elements[:, a]] + nodes[elements[:, b]])
    solid: Any = SimpleNamespace(nodes=nodes, elements=elements)
    expected = calculix.frequencies(tmp_path, solid, pl.STEEL, element="C3D10", count=4, fixed=sets["bore"])
    named = {"L": sets["left flank"], "R": sets["right flank"], "HELD": sets["bore"]}
    file = inp(tmp_path / "segment.inp", nodes, elements, named)
    grid = pl.MeshedGear(file, units="mm", flanks={"left": "L", "right": "R"}, sector=False, bore_set="HELD", turn=0)
    found = pl.elastic_gear(gear, grid=grid, up_to=1.001 * expected[-1], cache=False)
    assert found.frequencies == pytest.approx(expected, rel=1e-4)


def test_a_mesh_anywhere_about_its_axis(sector: SectorGrid, cyclic: dict[str, ElasticGear]) -> None:
    """Rotated and moved along the axis, and with another axis."""
    P = (sector.solid.nodes[:, 0] + 1j * sector.solid.nodes[:, 1]) * np.exp(2.0j)
    nodes = np.stack([sector.solid.nodes[:, 2] + 0.1, P.real, P.imag], axis=-1)
    mesh = pl.SolidMesh.of(nodes, sector.solid.elements, pl.STEEL, sector.solid.node_sets)
    found = pl.elastic_gear(GEAR, grid=pl.MeshedGear(mesh, flanks=FLANKS, axis="x"), up_to=LIMIT, cache=False)
    same(found, cyclic["fixed"], 1e-7)


def test_results_are_kept_by_the_contents_of_the_mesh(
    sector: SectorGrid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))
    solid = sector.solid
    meshes = [
        pl.SolidMesh.of(solid.nodes * f, solid.elements, pl.STEEL, solid.node_sets) for f in (1.0, 1.0, 1.0 + 1e-6)
    ]
    found = [pl.elastic_gear(GEAR, grid=pl.MeshedGear(mesh, flanks=FLANKS)) for mesh in meshes]
    assert len(list(tmp_path.glob("gears/mesh-*.h5"))) == 2
    assert np.array_equal(found[0].compliance["left", "left"], found[1].compliance["left", "left"])
    assert not np.array_equal(found[0].compliance["left", "left"], found[2].compliance["left", "left"])
