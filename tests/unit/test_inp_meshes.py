"""Meshes from input files of Abaqus and CalculiX: sets, included files, materials, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.fem.own_mesh.inp_mesh import mesh_of_inp, read_inp

CUBES = """** two cubes of 10 mm, one on the other
*Heading
*Node, nset=all
 1, 0, 0, 0
 2, 10, 0, 0
 3, 10, 10, 0
 4, 0, 10, 0
*Include, input=upper.inc
*Element, type=C3D8R, elset=lower
 1, 1, 2, 3, 4, 11, 12, 13, 14
*Element, type=C3D8, elset=upper
 7, 11, 12, 13, 14,
 21, 22, 23, 24
*Nset, nset=Foot, generate
 1, 4
*Nset, nset=Top
 21, 22,
 23, 24
*Nset, nset=ends
 Foot, Top
*Material, name=iron
*Elastic
 110000., 0.28
*Density
 7.2e-9,
*Material, name=light
*Elastic
 70000., 0.33
*Density
 2.7e-9
*Solid section, elset=lower, material=iron
*Solid section, elset=upper, material=light
"""
UPPER = """*Node
 11, 0, 0, 10
 12, 10, 0, 10
 13, 10, 10, 10
 14, 0, 10, 10
 21, 0, 0, 20
 22, 10, 0, 20
 23, 10, 10, 20
 24, 0, 10, 20
 99, 500, 0, 0
"""


@pytest.fixture
def cubes(tmp_path: Path) -> Path:
    (tmp_path / "upper.inc").write_text(UPPER)
    (tmp_path / "cubes.inp").write_text(CUBES)
    return tmp_path / "cubes.inp"


def test_sets_materials_and_units(cubes: Path) -> None:
    mesh = mesh_of_inp(read_inp(cubes), "mm", None)
    assert mesh.labels is not None
    assert sorted(mesh.labels[mesh.node_set("foot")]) == [1, 2, 3, 4]
    assert sorted(mesh.labels[mesh.node_set("ENDS")]) == [1, 2, 3, 4, 21, 22, 23, 24]
    assert not mesh.used[list(mesh.labels).index(99)]
    assert [group.material.youngs_modulus for group in mesh.groups] == [110e9, 70e9]
    body = pl.read_superelement(
        cubes, interfaces={"foot": "Foot", "top": {"nodes": [21, 22, 23, 24]}}, modes=0, units="mm"
    )
    assert body.mass == pytest.approx((7200 + 2700) * 1e-6, rel=1e-12)
    assert np.allclose(body.positions, [[0.005, 0.005, 0.0], [0.005, 0.005, 0.02]])
    steel = pl.read_superelement(cubes, interfaces={"foot": "Foot"}, modes=0, units="mm", material=pl.STEEL)
    assert steel.mass == pytest.approx(2e-6 * pl.STEEL.density, rel=1e-12)


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("C3D8R", "C3D6", "elements of type C3D6 are not supported"),
        ("*Heading", "*Part, name=p", r"line 2: files with \*PART are not supported"),
        ("*Solid section, elset=upper, material=light", "", "element 7 has no .SOLID SECTION"),
        ("*Density\n 2.7e-9\n", "", "material LIGHT has no .DENSITY"),
        (" 3, 10, 10, 0\n", "", "element 1 refers to node 3, which has no coordinates"),
        ("*Elastic\n 70000., 0.33", "*Elastic, type=engineering constants\n 1,1,1", "LIGHT is not isotropic"),
        (" 70000., 0.33", " 70000., 0.33, 20\n 65000., 0.33, 200", r"\*ELASTIC of material LIGHT has 2 rows"),
        (" 1, 0, 0, 0", " 1, zero, 0, 0", r"line 3: \*NODE cannot be read"),
        ("7.2e-9", "7200", r"denser than any metal.*units=\"mm\""),
    ],
)
def test_what_is_refused(cubes: Path, old: str, new: str, message: str) -> None:
    cubes.write_text(CUBES.replace(old, new))
    with pytest.raises(pl.ModelError, match=f"(?s){message}"):
        pl.read_superelement(cubes, interfaces={"foot": "Foot"}, modes=0, units="mm")


def test_units_must_be_said_and_fit(cubes: Path) -> None:
    with pytest.raises(pl.ModelError, match="specify the units"):
        pl.read_superelement(cubes, interfaces={"foot": "Foot"}, modes=0)
    with pytest.raises(pl.ModelError, match=r"faster waves"):
        pl.read_superelement(cubes, interfaces={"foot": "Foot", "top": "TOP"}, modes=0, units="m")
    with pytest.raises(pl.ModelError, match=r'the file type "\.stl" is not supported'):
        pl.read_superelement("part.stl", interfaces={"a": "b"}, modes=0, units="mm")


def test_bars_of_gmsh_are_left_out(cubes: Path) -> None:
    """Gmsh writes curves as T3D2, and meshio hexahedra as C3D8RH. Bars with a material are refused."""
    bars = "*Element, type=T3D2, elset=Line1\n 90, 1, 2\n"
    cubes.write_text(cubes.read_text().replace("*Nset", bars + "*Nset", 1).replace("C3D8R", "C3D8RH"))
    assert pl.solid_mesh(cubes, units="mm").elements == 2
    cubes.write_text(cubes.read_text() + "*Solid section, elset=Line1, material=light\n 1.,\n")
    with pytest.raises(pl.ModelError, match=r"element 90 is a bar \(T3D2, T3D3\) with the material LIGHT"):
        pl.solid_mesh(cubes, units="mm")
