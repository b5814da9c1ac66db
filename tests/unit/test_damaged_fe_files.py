"""Damaged files of finite element programs: what was once read wrongly or ended in another error is refused with its place."""

from pathlib import Path

import pytest
from references.damaged_fe_files import CUBES, abaqus_matrices, calculix, harwell_boeing, inp_meshes

import pitchline as pl

INP = {
    "a card with the name of a method": ("*Heading", "*_init__", None),
    "a file that includes itself": ("upper.inc", "cubes.inp", "line 7.*included in itself"),
    "an included file that is missing": ("upper.inc", "lower.inc", "line 7.*there is no file"),
    "a set of very many nodes": (" 1, 4, 1", " 1, 2000000000, 1", "line 13.*more than 5,000,000 members"),
    "a set that doubles itself": (" foot, top", " foot, top" + ", ends" * 40, "more than 5,000,000 members"),
    "a number of a node beyond 32 bits": (" 4, 0, 10, 0", " 99999999999999999999, 0, 10, 0", "is not the number of a node"),
    "coordinates that are not finite": (" 4, 0, 10, 0", " 4, 0, nan, 0", "line 2.*not a finite number"),
    "a node at two positions": (" 4, 0, 10, 0", " 4, 0, 10, 0\n 4, 0, 11, 0", "node 4 has been specified before"),
    "an element with too few nodes": (" 21, 22, 23, 24\n*Nset, nset=foot", " 21, 22\n*Nset, nset=foot", "7, does not have 8"),
    "an element that is specified twice": (" 7, 11, 12", " 1, 11, 12", "element 1 has been specified before"),
    "Young's modulus alone": (" 110000., 0.28", " 110000.", "must have Young's modulus and Poisson's ratio"),
    "no material before its values": ("*Material, name=iron\n", "", r"there is no \*MATERIAL before it"),
    "cylindrical coordinates": ("nset=all", "system=C", r"\*NODE, SYSTEM is not supported"),
    "elements that are generated": ("*Heading", "*Elgen", r"line 1: \*ELGEN is not supported"),
}  # fmt: skip


@pytest.mark.parametrize("case", INP)
def test_meshes(case: str, tmp_path: Path) -> None:
    old, new, message = INP[case]
    text = CUBES.decode()
    assert old in text
    (tmp_path / "cubes.inp").write_text(text.replace(old, new, 1))
    read, _ = inp_meshes()
    if message is None:
        read(tmp_path / "cubes.inp")
        return
    with pytest.raises(pl.ModelError, match=f"(?s)cubes.inp.*{message}"):
        read(tmp_path / "cubes.inp")


def test_an_empty_coordinate_is_zero(tmp_path: Path) -> None:
    (tmp_path / "cubes.inp").write_bytes(CUBES.replace(b" 4, 0, 10, 0", b" 4, , 10, "))
    read, _ = inp_meshes()
    assert read(tmp_path / "cubes.inp").mass == pytest.approx(0.0144)  # type: ignore[attr-defined]


MATRICES = {
    "calculix: an entry twice": ("cubes.sti", lambda lines: [*lines, lines[3]], "have two entries"),
    "calculix: a row that is no whole number": ("cubes.mas", lambda lines: ["1.5 1 3", *lines], "row 1.5 and column 1"),
    "calculix: a row that does not exist": ("cubes.mas", lambda lines: ["1000000000 1 3", *lines], "row 1e.09 and column 1 of 36"),
    "calculix: a degree of freedom twice": ("cubes.dof", lambda lines: [lines[1], *lines[1:]], "component 2 of node 1 has 2 rows"),
    "calculix: a degree of freedom without node": ("cubes.dof", lambda lines: ["x", *lines], "line 1.*such as 12.3, got 'x'"),
    "abaqus: a term with two values": ("bar_STIF1.mtx", lambda lines: [*lines, "1, 1, 1, 1, 3"], "specified before with another"),
    "abaqus: a large number of a node": ("bar_STIF1.mtx", lambda lines: ["9" * 20 + ",1,1,1,2.", *lines], "line 1: expected node"),
    "harwell-boeing: a row that does not exist": (
        "bar_k.hb", lambda lines: [*lines[:6], f"{10**7:8d}" + lines[6][8:], *lines[7:]], "an entry is in row 10000000 of 12"
    ),
    "harwell-boeing: very many entries": (
        "bar_k.hb", lambda lines: [*lines[:2], "RSA 12 12 1000000000 0", *lines[3:]], "heading requires 1000000000"
    ),
    "harwell-boeing: a matrix of many rows": (
        "bar_k.hb", lambda lines: [*lines[:2], "RSA 1000000000 1000000000 24 0", *lines[3:]], "pointers, but the heading requires"
    ),
    "harwell-boeing: digits that Python does not read": (
        "bar_k.mapping", lambda lines: [*lines[:2], "\u00b2 1 UX", *lines[2:]], "line 3: expected row, node"
    ),
    "harwell-boeing: rows exchanged": ("bar_k.mapping", lambda lines: [lines[0], *lines[:0:-1]], None),
    "harwell-boeing: a missing row": ("bar_k.mapping", lambda lines: [*lines[:3], *lines[4:]], "row 3 is missing"),
}  # fmt: skip


@pytest.mark.parametrize("case", MATRICES)
def test_matrices(case: str, tmp_path: Path) -> None:
    name, change, message = MATRICES[case]
    kind = case.partition(":")[0]
    made = {"calculix": lambda: calculix(tmp_path), "abaqus": abaqus_matrices, "harwell-boeing": harwell_boeing}[kind]
    read, files = made()
    lines = dict(files)[name].decode().splitlines()
    (tmp_path / name).write_text("\n".join(change(lines)) + "\n", encoding="latin-1")
    if message is None:
        read(tmp_path / name)
        return
    with pytest.raises(pl.ModelError, match=f"(?s){message}"):
        read(tmp_path / name)
