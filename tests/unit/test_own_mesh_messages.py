"""Own meshes that are refused: each message names the file, the item, the value and what to do."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.gear_meshes import inp, msh

import pitchline as pl
from pitchline import files
from pitchline.fem.own_mesh import whole_elastic_gear as memory_need
from pitchline.fem.sector_grid import sector_grid, whole_gear

GEAR = pl.Gear(teeth=9, normal_module="2 mm", face_width="4 mm", bore="7 mm", profile_shift=0.45)
COARSE: dict[str, Any] = {
    "flank_elements": 3, "fillet_elements": 1, "root_elements": 1, "across_elements": 2, "body_elements": 2, "face_elements": 1,
}  # fmt: skip
SECTOR = sector_grid(GEAR, **COARSE)
SOLID = SECTOR.solid
SETS = {name.replace(" ", "_"): nodes for name, nodes in SOLID.node_sets.items()}
FLANKS = {"left": "left_flank", "right": "right_flank"}
TOOTH = pl.SolidMesh.of(SOLID.nodes, SOLID.elements, pl.STEEL, SETS)
GRID = whole_gear(SECTOR)
WHOLE = pl.SolidMesh.of(GRID.nodes, GRID.elements, pl.STEEL, GRID.node_sets)


def refused(words: str, mesh: pl.SolidMesh = TOOTH, *, gear: pl.Gear = GEAR, bore: str = "fixed", **given: Any) -> None:
    with pytest.raises(pl.ModelError, match=f"(?s){words}"):
        pl.elastic_gear(gear, grid=pl.MeshedGear(mesh, **given), bore=bore, cache=False)


def moved(nodes: Any) -> pl.SolidMesh:
    return replace(TOOTH, nodes=np.asarray(nodes))


def test_units_and_axis() -> None:
    refused(
        r"largest diameter of the mesh is 2\d{4}.*file is in mm, but units=.m. was specified", moved(1e3 * SOLID.nodes)
    )
    refused("file is in m, but units=.mm. was specified", moved(1e-3 * SOLID.nodes))
    refused("tip diameter of the gear is 2.*axis=|covers only .*axis=", moved(SOLID.nodes[:, [2, 0, 1]]))
    refused("largest diameter of the mesh.*Specify the gear of this mesh", gear=GEAR.with_(teeth=12))


def test_sets() -> None:
    refused('there is no set "flank"; .*left_flank', flanks={"left": "flank", "right": "right_flank"})
    refused('there is no set "hole"', bore_set="hole")
    refused(
        "right_flank. is on the right flanks, but was specified for the left",
        flanks={"left": "right_flank", "right": "left_flank"},
    )
    refused(
        "node \\d+ of the set .*mm away from the left flank",
        gear=GEAR.with_(profile_shift=0.7, tip_diameter=GEAR.tip_diameter),
        flanks=FLANKS,
    )
    refused(
        "no face on the surface",
        replace(TOOTH, node_sets={"few": SETS["left_flank"][:3]}),
        flanks={"left": "few", "right": "few"},
    )
    refused('the set "none" has no nodes', replace(TOOTH, node_sets={"none": np.zeros(0, int)}), bore_set="none")


@pytest.mark.parametrize("named", [True, False])
def test_another_tooth_thickness(named: bool) -> None:
    """A difference of the profile shift of 0.02 (with sets: of 0.05), and what is smaller than the elements resolve."""
    given: dict[str, Any] = {"flanks": FLANKS} if named else {}
    shift = 0.05 if named else 0.02
    for sign, word in ((1.0, "thinner"), (-1.0, "thicker")):
        other = GEAR.with_(profile_shift=0.45 + sign * shift, tip_diameter=GEAR.tip_diameter)
        away = 2e3 * shift * np.sin(GEAR.normal_pressure_angle)
        refused(
            rf"-?{away:.3g} µm \(median\) .* left flanks .*are {word}. .* profile shift of {shift}, or of the "
            rf"backlash_allowance of {2e-3 * away / np.cos(GEAR.normal_pressure_angle):.3g} mm.*flank_points",
            gear=other,
            **given,
        )
    pl.elastic_gear(
        GEAR.with_(profile_shift=0.453, tip_diameter=GEAR.tip_diameter), grid=pl.MeshedGear(TOOTH, **given), cache=False
    )


def test_another_helix_and_large_distances(capsys: pytest.CaptureFixture[str]) -> None:
    refused(
        "At the ends of the face they are 16.* µm on either side.*Specify the helix angle",
        gear=GEAR.with_(helix_angle="0.5 deg"),
        flanks=FLANKS,
    )
    nodes = SOLID.nodes.copy()
    tip = SETS["left_flank"][np.argmax(np.hypot(*nodes[SETS["left_flank"], :2].T))]
    nodes[tip, 1] -= 3e-5
    pl.elastic_gear(GEAR, grid=pl.MeshedGear(moved(nodes), flanks=FLANKS), cache=False)
    found = re.search(
        r"at most ([\d.]+) µm away from the left flanks .* Contact has the flanks", capsys.readouterr().err
    )
    assert found is not None and 20.0 < float(found[1]) < 30.0


def test_cuts() -> None:
    nodes = SOLID.nodes.copy()
    node = int(SECTOR.high_side[5])
    nodes[node, 2] += 2e-4
    refused("cuts do not match: node .* is 0.2 mm away", moved(nodes), sector=("low_side", "high_side"))
    fewer = {**SETS, "low_side": SETS["low_side"][:-1]}
    refused(
        'cut "low_side" has 12 nodes, but "high_side" has 13',
        replace(TOOTH, node_sets=fewer),
        sector=("low_side", "high_side"),
    )
    turned = SOLID.nodes.copy()
    turned[SECTOR.high_side, 2] *= 0.9
    refused("covers only .* deg of the gear|match only in part", moved(turned))
    refused("sector=True is specified, but the mesh is a whole gear", WHOLE, sector=True)


def test_elements() -> None:
    shuffled = replace(
        TOOTH, groups=(replace(TOOTH.groups[0], elements=SOLID.elements[:, [4, 5, 6, 7, 0, 1, 2, 3, *range(8, 20)]]),)
    )
    refused("node .* of element 0 is .* mm away from the middle of the edge", shuffled)
    below = [4, 5, 6, 7, 0, 1, 2, 3, *range(12, 16), *range(8, 12), *range(16, 20)]
    upside_down = replace(TOOTH, groups=(replace(TOOTH.groups[0], elements=SOLID.elements[:, below]),))
    refused("element 0 of 20 nodes .* is inverted", upside_down)
    tets = pl.SolidMesh.of(SOLID.nodes, SOLID.elements[:, [0, 1, 3, 4]], pl.STEEL)
    refused("element 0 is a tetrahedron of 4 nodes, which is much too stiff", tets)
    n = len(SOLID.nodes)
    double = SOLID.elements.copy()
    double[-1, double[-1] == double[-1, 0]] = n
    nodes = np.concatenate([SOLID.nodes, SOLID.nodes[SOLID.elements[-1, :1]]])
    cut = pl.SolidMesh.of(nodes, double, pl.STEEL, SETS)
    refused(f"nodes \\d+ and {n} are at the same position \\(1 such pairs\\).*cracks=True", cut)
    loose = pl.SolidMesh.of(
        np.concatenate([SOLID.nodes, SOLID.nodes[SOLID.elements[0]] + (0, 0, 0.05)]),
        np.concatenate([SOLID.elements, n + np.arange(20)[None]]), pl.STEEL, SETS,
    )  # fmt: skip
    refused("mesh has 2 parts that are not connected. The smallest has 20 nodes and contains element", loose)


def test_teeth() -> None:
    refused(
        "flanks of the mesh are 4 mm wide, but the face width of the gear is 5 mm", gear=GEAR.with_(face_width="5 mm")
    )
    few = np.setdiff1d(GRID.node_set("left flank"), GRID.node_set("left flank of tooth 4")[-3:])
    partly = replace(WHOLE, node_sets={"l": few, "r": GRID.node_set("right flank")})
    refused(r"left flank of tooth 4 has \d+ % of the area.*missing=\[4\]", partly, flanks={"left": "l", "right": "r"})
    refused("more than 8000 in all. Specify at most", WHOLE, rows=40, lines=40)
    refused("all teeth are missing", WHOLE, missing=list(range(9)))


@pytest.mark.parametrize("given, words", [
    ({"mesh": 3}, "mesh must be the name of a file or a SolidMesh"),
    ({"mesh": "a.inp"}, "specify the units of the file"),
    ({"mesh": "a.inp", "units": "cm"}, "specify the units.*got 'cm'"),
    ({"mesh": TOOTH, "units": "mm"}, "a SolidMesh is in SI already"),
    ({"mesh": TOOTH, "flanks": {"left": "a"}}, "flanks must be"),
    ({"mesh": TOOTH, "flanks": {"left": "a", "right": []}}, "flanks.right must be the name of a set"),
    ({"mesh": TOOTH, "sector": ("a", "a")}, "sector must be two names"),
    ({"mesh": TOOTH, "rows": 5}, "specify rows and lines"),
    ({"mesh": TOOTH, "rows": 1, "lines": 4}, "rows"),
    ({"mesh": TOOTH, "axis": "w"}, "axis must be"),
    ({"mesh": TOOTH, "missing": 3}, "missing must be a list"),
    ({"mesh": TOOTH, "turn": "3 mm"}, "turn"),
    ({"mesh": TOOTH, "material": "steel"}, "material must be a Material"),
])  # fmt: skip
def test_options(given: dict[str, Any], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        pl.MeshedGear(**given)


def test_files(tmp_path: Path) -> None:
    for name, words in (("a.stp", "file type .* is not supported"), ("a.msh", "there is no such file")):
        with pytest.raises(pl.ModelError, match=words):
            pl.solid_mesh(tmp_path / name, units="mm")
    file = msh(tmp_path / "a.msh", SOLID.nodes, SOLID.elements, {"left": SETS["left_flank"]})
    text = file.read_text()
    for old, new, words in (
        ("4.1 0 8", "3 0 8", "version '3' is not supported"),
        ("3 1 17 ", "3 1 12 ", "hexahedra of 27 nodes are not supported.*SecondOrderIncomplete"),
        ("$EndElements", "", r"section \$Elements has no end"),
        ("\n3 1 0 ", "\n3 1 0 9", "the number of nodes is"),
    ):
        assert old in text
        file.write_text(text.replace(old, new, 1))
        with pytest.raises(pl.ModelError, match=f"(?s)a.msh.*{words}"):
            pl.solid_mesh(file, units="mm")


def test_a_whole_gear_where_all_teeth_must_be_alike() -> None:
    with pytest.raises(pl.ModelError, match="no nodal diameters"):
        pl.gear_modes(
            GEAR, up_to="50 kHz", grid={"mesh": WHOLE, "flanks": {"left": "left flank", "right": "right flank"}}
        )


MODEL = """
[gears.a]
teeth = 9
normal_module = "2 mm"
face_width = "4 mm"
profile_shift = 0.45
[gears.b]
teeth = 14
normal_module = "2 mm"
face_width = "4 mm"
bore = "14 mm"
[bodies.a]
gear = "a"
mass = 0.1
inertia = [1e-5, 1e-5, 1e-5]
[bodies.b]
gear = "b"
mesh_with = "a"
mass = 0.1
inertia = [1e-5, 1e-5, 1e-5]
[joints]
one = { kind = "revolute", a = "ground", b = "a" }
two = { kind = "revolute", a = "ground", b = "b" }
[gear_pairs.mesh]
a = "a"
b = "b"
[gear_pairs.mesh.mesh]
kind = "flank"
modes = "0 Hz"
elements_b = { body = "rigid" }
[gear_pairs.mesh.mesh.elements_a]
mesh = "tooth.inp"
units = "mm"
flanks = { left = "left_flank", right = "right_flank" }
bore_set = "bore"
rows = 5
lines = 4
"""


def test_model_files(tmp_path: Path) -> None:
    """A mesh next to the model file, which is read, written and read again."""
    inp(tmp_path / "tooth.inp", SOLID.nodes, SOLID.elements, SETS)
    file = tmp_path / "pair.toml"
    file.write_text(MODEL)
    model = pl.load(file).model
    mesh = model.gear_pairs["mesh"].mesh
    assert isinstance(mesh, pl.Flank) and mesh.elements_a["bore_set"] == "bore"
    found = pl.elastic_gear(GEAR, grid=mesh.elements_a, cache=False)
    assert found.grids["left"].shape == (5, 4)
    again = tmp_path / "again.toml"
    files.save(model, again)
    assert pl.load(again).model.gear_pairs["mesh"].mesh.elements_a == mesh.elements_a  # type: ignore[union-attr]
    # two different meshes of the same name
    elements = {"mesh": str(tmp_path / "tooth.inp"), "units": "mm"}
    other = tmp_path / "other"
    other.mkdir()
    inp(other / "tooth.inp", SOLID.nodes, SOLID.elements, {})
    for second, words in (
        ({"mesh": str(other / "tooth.inp"), "units": "mm"}, "have the same name.*Rename one of them"),
        ({"mesh": TOOTH}, 'gear pair "mesh".*elements_b: a solid mesh in memory cannot be'),
    ):
        wrong = pl.Model("wrong")
        a, b = (wrong.gear_body(name, GEAR, position=x) for name, x in (("a", (0, 0, 0)), ("b", (0.022, 0, 0))))
        wrong.gear_pair("mesh", a, b, mesh=pl.Flank(elements_a=elements, elements_b=second))
        with pytest.raises(pl.ModelError, match=f"(?s){words}"):
            files.save(wrong, tmp_path / "wrong.toml")
    for old, new, words in (
        ('units = "mm"', "", "specify the units of the file"),
        ('"tooth.inp"', '"../tooth.inp"', "outside the folder of the model file"),
        ("bore_set", "boreset", "unknown key.*bore_set"),
    ):
        file.write_text(MODEL.replace(old, new))
        with pytest.raises(pl.PitchlineError, match=f"(?s){words}"):
            pl.load(file)


@pytest.mark.parametrize("free, words", [
    ([1e7], r"the equations of [\d,]+ nodes needs about [\d.]+ GB of memory, but 0.01 GB are free. Use larger elements"),
    ([1e9, 1e5], r"the elimination of [\d,]+ nodes needs about .* GB of memory, but 0.0001 GB"),
    ([1e9, 1e9, 1e5], "the factor of .* nodes needs about"),
])  # fmt: skip
def test_memory(free: list[float], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a whole gear: an estimate before anything large is computed."""
    monkeypatch.setattr(memory_need, "available_memory", lambda: free.pop(0))
    with pytest.raises(pl.ModelError, match=f"(?s)mesh: {words}"):
        pl.elastic_gear(GEAR, grid=pl.MeshedGear(WHOLE), up_to="90 kHz" if len(free) > 2 else None, cache=False)
