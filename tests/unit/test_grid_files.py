"""Grids and surfaces as files: closed surfaces, exact volumes, files that other programs read."""

import base64
import shutil
import subprocess
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from references.box_grids import bend, block

import pitchline.parts.gears.teeth as t
from pitchline.base.storage.free_names import StorageError
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.sector_grid import sector_grid, whole_gear
from pitchline.fem.solid_grid import SolidGrid, gear_volume, grid_volume
from pitchline.files.grid_file import set_name, together, write_grid, write_inp, write_vtu
from pitchline.gears import STEEL, Gear, cone_angles
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.solid_surface import gear_surface
from pitchline.parts.gears.triangles import Triangles, outer_faces, skin, write_stl

CCX = shutil.which("ccx")
SPUR = Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="14 mm")


def closed(surface: Triangles) -> bool:
    """Every edge once in each direction: two triangles share it, and see it from opposite sides."""
    corners = surface.triangles
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    there = edges @ np.array([len(surface.points), 1])
    back = edges @ np.array([1, len(surface.points)])
    return len(np.unique(there)) == len(there) and bool(np.array_equal(np.sort(there), np.sort(back)))


# --- surfaces of solid grids --------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2])
def test_skin_of_a_box_is_closed_and_exact(order):
    grid = block((3, 2, 4), order, size=(3.0, 1.0, 2.0))
    surface = skin(grid)
    assert closed(surface)
    assert surface.volume == pytest.approx(6.0, rel=1e-14)
    assert len(surface.triangles) == 2 * (6 + 12 + 8) * (2 if order == 1 else 6)
    out = np.einsum("ti,ti->t", surface.face_normals, surface.points[surface.triangles].mean(axis=1) - [1.5, 0.5, 1.0])
    assert (out > 0.0).all()
    # all nodes of the surface, none of the inside
    on_it = ((grid.nodes == 0.0) | (grid.nodes == [3.0, 1.0, 2.0])).any(axis=1)
    assert len(surface.points) == np.count_nonzero(on_it)
    assert np.array_equal(np.unique(outer_faces(grid.elements)[0]), np.flatnonzero(on_it))


@pytest.mark.parametrize("order", [1, 2])
def test_volume_of_the_skin_follows_that_of_the_elements(order):
    """Chords leave a curved face by h²: halving the elements leaves a quarter of the difference to the ring."""
    errors = []
    for n in (2, 4, 8):
        grid = block((1, n, 1), order, place=bend)
        surface = skin(grid)
        assert closed(surface)
        if order == 1:  # here the faces are flat: triangles and elements have one volume
            assert surface.volume == pytest.approx(grid_volume(grid), rel=1e-12)
        errors.append(abs(surface.volume - 1.5))
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([2.0, 2.0], abs=0.05)


def test_normals_are_smooth_on_bends_and_sharp_at_edges():
    surface = skin(block((1, 16, 1), 1, place=bend)).smoothed()
    assert surface.normals is not None
    at = surface.points[surface.triangles]
    radius = np.hypot(at[..., 0], at[..., 1])
    outer = np.isclose(radius, 2.0).all(axis=1) & (np.abs(surface.face_normals[:, 2]) < 0.5)
    inside = outer & (np.abs(np.arctan2(at[..., 1], at[..., 0]) - 0.5) < 0.4).all(axis=1)
    true = at[inside] * [0.5, 0.5, 0.0]
    assert np.linalg.norm(surface.normals[inside] - true, axis=-1).max() < 0.02
    top = surface.face_normals[:, 2] > 0.9
    assert surface.normals[top] == pytest.approx(
        np.broadcast_to([0.0, 0.0, 1.0], surface.normals[top].shape), abs=1e-12
    )


# --- surfaces of gears ---------------------------------------------------------------------------------

RELIEF = {"both": t.TipRelief("30 um", length="1 mm"), "per_tooth": {3: t.PitchDeviation("6 um")}}
GEARS = {
    "spur": SPUR,
    "solid": SPUR.with_(bore=0.0),
    "helical": SPUR.with_(helix_angle="25 deg"),
    "undercut": SPUR.with_(teeth=8, bore="4 mm"),
    "internal": Gear(teeth=50, normal_module="2 mm", face_width="10 mm", internal=True, helix_angle="10 deg"),
    "beveloid": t.Teeth(SPUR, profile_shift_angle="10 deg"),
    "modified": t.Teeth(SPUR.with_(helix_angle="10 deg"), **RELIEF),
    "double helical": t.double_helical(SPUR.with_(helix_angle="25 deg"), gap="4 mm"),
    "worm": Gear(starts=2, normal_module="2 mm", lead_angle="5 deg", face_width="30 mm"),
    "bevel": Gear(teeth=16, normal_module="2 mm", face_width="8 mm", cone_angle="30 deg", bore="8 mm"),
    "bevel to the apex": Gear(teeth=40, normal_module="2 mm", face_width="8 mm", cone_angle="-70 deg"),
}


@pytest.mark.parametrize("name", GEARS)
def test_surface_of_a_gear_is_closed(name):
    surface = gear_surface(GEARS[name], profile_points=8)
    assert closed(surface)
    assert surface.volume > 0.0
    assert surface.normals is not None
    agree = np.einsum("ti,tci->tc", surface.face_normals, surface.normals)
    assert agree.min() > (0.9 if name != "worm" else 0.7)  # shaded as it is shaped; a worm has slender triangles


@pytest.mark.parametrize("name", ["spur", "helical", "internal", "undercut"])
def test_volume_of_a_gear_is_that_of_its_teeth(name):
    """Arcs are drawn by chords over δ = 4° at most, along the axis of helical teeth too: a disc is less by δ²/6."""
    gear = GEARS[name].with_(rim_diameter="120 mm") if name == "internal" else GEARS[name]
    teeth = t.Teeth(gear)
    disc = 0.25 * np.pi * max(gear.rim_diameter or 0.0, gear.tip_diameter) ** 2 * gear.face_width
    lost = np.radians(4.0) ** 2 / 6.0 * disc
    assert gear_surface(teeth, profile_points=24).volume == pytest.approx(gear_volume(teeth), abs=lost)


def test_points_on_the_flanks_are_those_of_the_teeth():
    teeth = GEARS["modified"]
    surface = gear_surface(teeth, profile_points=9, face_points=5)
    for side in ("left", "right"):
        flank = surface.flanks[side]
        tooth = np.arange(20)[:, None, None]
        assert surface.points[flank.points] == pytest.approx(
            teeth.flank(side).point(flank.length, flank.face, tooth), abs=1e-15
        )
        assert set(surface.triangles[flank.triangles].ravel()) == set(flank.points.ravel())
        assert len(flank.triangles) == 20 * 8 * 4 * 2


def test_surface_says_what_is_wrong():
    with pytest.raises(ModelError, match="face width"):
        gear_surface(Gear(teeth=20, normal_module="2 mm"))
    with pytest.raises(ModelError, match="expected Teeth"):
        gear_surface(3)
    with pytest.raises(ModelError, match="profile_points"):
        gear_surface(SPUR, profile_points=1)
    with pytest.raises(ModelError, match="halves"):
        gear_surface([SPUR])


# --- STL -----------------------------------------------------------------------------------------------

RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def read_stl(path: Path) -> tuple[Triangles, np.ndarray]:
    """Points that are equal to the bit are one."""
    data = path.read_bytes()
    records = np.frombuffer(data, RECORD, offset=84)
    assert int.from_bytes(data[80:84], "little") == len(records)
    points, inverse = np.unique(records["corners"].reshape(-1, 3), axis=0, return_inverse=True)
    return Triangles(points.astype(float), inverse.reshape(-1, 3)), records["normal"]


@pytest.mark.parametrize("what", ["sector", "whole", "pair", "surface"])
def test_stl(what, tmp_path):
    sector = sector_grid(t.Teeth(SPUR), order=2, flank_edge="0.7 mm", size="2 mm", face_elements=2)
    whole = whole_gear(sector)
    volume = {"sector": 1, "whole": 20, "pair": 40, "surface": 20}[what] * grid_volume(sector.solid)
    away = gear_surface(SPUR).moved(np.eye(3), (0.05, 0.0, 0.0))
    given = {"sector": sector, "whole": whole, "pair": [whole, away], "surface": gear_surface(SPUR)}[what]
    path = write_stl(tmp_path / "gear.stl", given)
    surface, normals = read_stl(path)
    assert closed(surface)
    assert surface.volume * 1e-9 == pytest.approx(volume, rel=4e-3)  # mm; chords
    assert np.linalg.norm(normals - surface.face_normals, axis=1).max() < 1e-2  # figures of Float32


# --- VTK -----------------------------------------------------------------------------------------------


def read_vtu(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a file."""
    root = ElementTree.parse(path).getroot()
    assert root.attrib["compressor"] == "vtkZLibDataCompressor" and root.attrib["header_type"] == "UInt64"
    piece = root.find("UnstructuredGrid/Piece")
    found = {"points": int(piece.attrib["NumberOfPoints"]), "cells": int(piece.attrib["NumberOfCells"])}
    for array in root.iter("DataArray"):
        text = array.text.strip()
        header = np.frombuffer(base64.b64decode(text[:44])[:32], "<u8")  # four numbers: 44 letters
        assert header[0] == 1 and header[2] == 0
        raw = zlib.decompress(base64.b64decode(text[44:]))
        assert len(raw) == header[1] and len(base64.b64decode(text[44:])) == header[3]
        values = np.frombuffer(raw, np.dtype(array.attrib["type"].lower()).newbyteorder("<"))
        components = int(array.attrib.get("NumberOfComponents", 1))
        found[array.attrib["Name"]] = values.reshape(-1, components) if components > 1 else values
    return found


@pytest.mark.parametrize("order", [1, 2])
def test_vtu(order, tmp_path):
    grid = block((2, 1, 1), order)
    n = len(grid.nodes)
    u = np.arange(3.0 * n).reshape(n, 3)
    path = write_vtu(
        tmp_path / "box.vtu", grid, point_data={"displacement": u, 'a "field" & <more>': u[:, 0].astype(np.float32)},
        cell_data={"number": np.arange(2), "inside": np.array([True, False])},
    )  # fmt: skip
    found = read_vtu(path)
    assert (found["points"], found["cells"]) == (n, 2)
    assert np.array_equal(found["Points"], grid.nodes)
    assert np.array_equal(found["connectivity"].reshape(2, -1), grid.elements)
    assert found["offsets"].tolist() == [grid.elements.shape[1], 2 * grid.elements.shape[1]]
    assert found["types"].tolist() == [{1: 12, 2: 25}[order]] * 2
    assert np.array_equal(np.flatnonzero(found["high end"]), grid.node_sets["high end"])
    assert np.array_equal(found["displacement"], u)
    assert np.array_equal(found['a "field" & <more>'], u[:, 0])
    assert found["number"].tolist() == [0, 1] and found["inside"].tolist() == [1, 0]
    only = read_vtu(write_vtu(tmp_path / "few.vtu", grid, node_sets=["low end"]))
    assert "low end" in only and "high end" not in only


def test_vtu_says_what_is_wrong(tmp_path):
    grid = block((1, 1, 1), 1)
    with pytest.raises(ModelError, match=r"shape \(3,\), but the grid has 8 nodes"):
        write_vtu(tmp_path / "a.vtu", grid, point_data={"u": np.zeros(3)})
    with pytest.raises(ModelError, match="complex"):
        write_vtu(tmp_path / "a.vtu", grid, point_data={"u": np.zeros(8, complex)})
    with pytest.raises(ModelError, match="numbers"):
        write_vtu(tmp_path / "a.vtu", grid, point_data={"u": ["x"] * 8})
    with pytest.raises(ModelError, match="no set of nodes"):
        write_vtu(tmp_path / "a.vtu", grid, node_sets=["end"])
    with pytest.raises(ModelError, match="expected a SolidGrid"):
        write_vtu(tmp_path / "a.vtu", "grid")
    assert list(tmp_path.iterdir()) == []


# --- Abaqus and CalculiX -------------------------------------------------------------------------------


def run_ccx(path: Path) -> dict[str, np.ndarray]:
    """What CalculiX prints about the job: the last line of numbers after each heading of the .dat file."""
    done = subprocess.run([str(CCX), path.stem], cwd=path.parent, capture_output=True, text=True, timeout=60)
    assert "*ERROR" not in done.stdout, done.stdout[-2000:]
    found: dict[str, np.ndarray] = {}
    heading = ""
    for line in filter(str.strip, path.with_suffix(".dat").read_text().splitlines()):
        try:
            found[heading] = np.array([float(word) for word in line.split()])
        except ValueError:
            heading = line.split("(")[0].split(" for set")[0].strip()
    return found


STEP = """\
*BOUNDARY
LOW_END, 1, 1
Y_0, 2, 2
Z_0, 3, 3
*STEP
*STATIC
{load}
*NODE PRINT, NSET=LOW_END, TOTALS=ONLY
RF
*NODE PRINT, NSET=HIGH_END
U
*END STEP
"""


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("units, element", [("mm", "C3D20"), ("mm", "C3D8I"), ("m", "C3D20R"), ("m", "C3D8")])
def test_calculix_finds_material_surfaces_and_sets(units, element, tmp_path):
    """A bar under a pull p: u = p l / E, and the reaction p A; the same in both systems of units."""
    l, w, h = 0.1, 0.02, 0.03
    grid = block((4, 2, 1), 2 if "20" in element else 1, size=(l, w, h))
    pull, per_metre = (100.0, 1e3) if units == "mm" else (1e8, 1.0)  # MPa, Pa
    path = write_inp(
        tmp_path / "bar.inp", grid, material=STEEL, element=element, units=units,
        steps=STEP.format(load=f"*DSLOAD\nHIGH_END, P, {-pull}"),
    )  # fmt: skip
    found = run_ccx(path)
    force = found["total force"]
    assert force == pytest.approx([-1e8 * w * h, 0.0, 0.0], rel=1e-6, abs=1e-3)
    assert found["displacements"][1] == pytest.approx(per_metre * 1e8 * l / STEEL.youngs_modulus, rel=1e-5)


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("units", ["mm", "m"])
def test_calculix_finds_the_density(units, tmp_path):
    """A bar held at one end, without sideways motion, swings along its axis at c/(4 l), c² = E (1 − ν)/((1 + ν)(1 − 2ν) ρ)."""
    l = 0.1
    steps = "*BOUNDARY\nNALL, 2, 3\nLOW_END, 1, 1\n*STEP\n*FREQUENCY\n1\n*END STEP\n"
    grid = block((6, 1, 1), 2, size=(l, 0.01, 0.01))
    path = write_inp(tmp_path / "bar.inp", grid, material=STEEL, units=units, steps=steps)
    row = next(value for value in run_ccx(path).values() if len(value) == 5)
    nu = STEEL.poissons_ratio
    c = np.sqrt(STEEL.youngs_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu) * STEEL.density))
    # quadratic elements, a twelfth of a quarter wave between nodes: (π/24)⁴/180 and the like
    assert row[3] == pytest.approx(c / (4.0 * l), rel=1e-5)


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("order", [1, 2])
def test_calculix_reads_a_sector(order, tmp_path):
    """Its volume is that of its elements, and pressure on both flanks and on the tip leaves a pull through the bore.

    On a closed surface a pressure p sums up to zero; what acts on the tooth alone is minus what acts on the rest of it.
    """
    sector = sector_grid(t.Teeth(SPUR), order=order, flank_edge="0.7 mm", size="2 mm", face_elements=2)
    loads = "".join(
        f"{name}, P, 10.\n" for name in ("LEFT_FLANK", "RIGHT_FLANK", "TIP", "LEFT_FILLET", "RIGHT_FILLET", "ROOT")
    )
    steps = f"*BOUNDARY\nBORE, 1, 3\n*STEP\n*STATIC\n*DSLOAD\n{loads}"
    steps += "*NODE PRINT, NSET=BORE, TOTALS=ONLY\nRF\n*EL PRINT, ELSET=EALL, TOTALS=ONLY\nEVOL\n*END STEP\n"
    found = run_ccx(write_inp(tmp_path / "sector.inp", sector, material=STEEL, steps=steps))
    assert found["total volume"][0] == pytest.approx(1e9 * grid_volume(sector.solid), rel=2e-6)  # seven figures printed
    low = sector.solid.nodes[sector.low_side]
    root = low[np.hypot(low[:, 0], low[:, 1]).argmax()]
    chord = 2.0 * abs(root[1])  # across the outer edge of the cut, by the face width
    assert found["total force"] == pytest.approx([10.0 * 1e6 * chord * 0.010, 0.0, 0.0], rel=2e-4, abs=0.1)


def test_inp_lines_and_names(tmp_path):
    grid = block((3, 3, 3), 2)
    text = write_inp(tmp_path / "box.inp", grid, material=STEEL).read_text()
    data = [line for line in text.splitlines() if not line.startswith("*")]
    assert max(line.rstrip(",").count(",") for line in data) == 15
    assert max(len(field.strip()) for line in data for field in line.split(",")) <= 20
    assert "*NSET, NSET=LOW_END" in text and "*SURFACE, NAME=LOW_END, TYPE=ELEMENT" in text
    assert "units: mm, t, s, N, MPa" in text and "7.83" in text and "2.06" in text
    assert "*MATERIAL" not in write_inp(tmp_path / "plain.inp", grid).read_text()
    assert set_name("left flank of tooth 3") == "LEFT_FLANK_OF_TOOTH_3" and set_name("3 x") == "SET_3_X"
    with pytest.raises(ModelError, match="20 nodes, element must be one of C3D20, C3D20R"):
        write_inp(tmp_path / "a.inp", grid, element="C3D8")
    with pytest.raises(ModelError, match="units"):
        write_inp(tmp_path / "a.inp", grid, units="inch")
    twice = SolidGrid(grid.nodes, grid.elements, {"low end": [0], "Low End": [1]})
    with pytest.raises(ModelError, match="LOW_END, which is already in use"):
        write_inp(tmp_path / "a.inp", twice)


# --- one function---------------------------------------------------------------------------------------


def test_write_grid_chooses_by_the_ending_and_replaces_nothing(tmp_path):
    grid = block((1, 1, 1), 1)
    for suffix, start in ((".vtu", b"<?xml"), (".stl", b"pitchline"), (".inp", b"** pitchline")):
        path = write_grid(tmp_path / f"box{suffix}", grid)
        assert path.read_bytes().startswith(start)
        before = path.read_bytes()
        with pytest.raises(StorageError, match="already exists"):
            write_grid(path, block((2, 1, 1), 1))
        assert path.read_bytes() == before
        write_grid(path, block((2, 1, 1), 1), overwrite=True)
        assert path.read_bytes() != before
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(PitchlineError, match=r"must end in one of .vtu, .stl, .inp"):
        write_grid(tmp_path / "box.obj", grid)
    with pytest.raises(ModelError, match=r"Write it as .stl"):
        write_grid(tmp_path / "skin.vtu", skin(grid))
    with pytest.raises(StorageError, match="does not exist"):
        write_grid(tmp_path / "nowhere" / "box.stl", grid)


def test_grids_together():
    one, two = block((1, 1, 1), 1), block((2, 1, 1), 1)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    both = together({"a": one, "b": two}, {"b": Placement(np.array([5.0, 0.0, 0.0]), turn)})
    assert grid_volume(both) == pytest.approx(2.0)
    high = both.nodes[both.node_sets["b high end"]]
    assert np.allclose(high[:, 1], 1.0) and high[:, 0].min() == pytest.approx(4.0)
    assert closed(skin(both))
    with pytest.raises(ModelError, match="8 nodes and with 20"):
        together({"a": one, "b": block((1, 1, 1), 2)})


def test_bevels_of_a_pair_are_read():
    angles = cone_angles(16, 30, 0.5 * np.pi)
    for z, angle in zip((16, 30), angles, strict=True):
        assert closed(gear_surface(Gear(teeth=z, normal_module="2 mm", face_width="8 mm", cone_angle=angle)))
