"""Files of Gmsh: the same mesh from all versions, as text and in binary of both byte orders, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from references.gear_meshes import msh

import pitchline as pl
from pitchline.fem.hexahedra import reference_nodes

KINDS = [
    ("2.2", "", 8), ("2.2", "<", 8), ("2.2", ">", 8), ("4.0", "", 8), ("4.0", "<", 8), ("4.0", ">", 8),
    ("4.1", "", 8), ("4.1", "<", 8), ("4.1", ">", 8), ("4.1", "<", 4), ("4.1", ">", 4),
]  # fmt: skip


def cube(each: int) -> tuple[np.ndarray, np.ndarray]:
    """Two hexahedra on top of each other, or one tetrahedron of 10 nodes."""
    if each == 10:
        corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        pairs = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
        return 1e-2 * np.concatenate([corners, [corners[list(p)].mean(axis=0) for p in pairs]]), np.arange(10)[None]
    one = 0.5 * (reference_nodes(each) + 1.0)
    both = np.concatenate([one, one + (0, 0, 1)])
    nodes, rows = np.unique(both, axis=0, return_inverse=True)
    return 1e-2 * nodes, rows.reshape(2, each)


@pytest.mark.parametrize("version, order, word", KINDS)
@pytest.mark.parametrize("each", [8, 10, 20])
def test_all_versions_text_and_binary(each: int, version: str, order: str, word: int, tmp_path: Path) -> None:
    nodes, elements = cube(each)
    sets = {"low side": np.flatnonzero(nodes[:, 2] == 0.0), "x": np.flatnonzero(nodes[:, 0] == 0.0)}
    file = msh(tmp_path / "a.msh", nodes, elements, sets, version, order, word)
    mesh = pl.solid_mesh(file, units="mm", material=pl.STEEL)
    assert mesh.nodes == pytest.approx(nodes, abs=1e-18) and np.array_equal(mesh.groups[0].elements, elements)
    assert {name: sum(len(t) for t in tables) for name, tables in mesh.face_sets.items()} == {
        "low side": 1, "x": 1 if each == 10 else 2
    }  # fmt: skip
    for name, tables in mesh.face_sets.items():
        assert set(np.concatenate([t.ravel() for t in tables])) == set(sets[name])


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return change


REFUSED: dict[str, tuple[str, str, Callable[[bytes], bytes], str]] = {
    "version": ("4.1", "", replaced(b"4.1 0 8", b"3.0 0 8"), "version '3.0' is not supported"),
    "kind": ("4.1", "", replaced(b"4.1 0 8", b"4.1 5 8"), "line 2.*must be 0 .text. or 1 .binary., got '5'"),
    "size": ("2.2", "<", replaced(b"2.2 1 8", b"2.2 1 4"), "numbers of '4' bytes are not supported"),
    "byte order": ("4.1", "<", replaced(b"8\n\1\0\0\0", b"8\n\1\1\0\0"), "defines the byte order is missing"),
    "binary taken for text": ("4.1", "<", replaced(b"4.1 1 8", b"4.1 0 8"), "line .*Entities: the section ends too early"),
    "text taken for binary": ("4.1", "", replaced(b"4.1 0 8\n", b"4.1 1 8\n\1\0\0\0\n"), "byte .*number of entities is"),
    "cut": ("4.1", "<", lambda data: data[: data.index(b"$EndNodes") - 40], "section .Nodes has no end"),
    "shorter": ("2.2", "<", lambda data: data.replace(data[-30:], data[-25:]), "byte .*ends too early"),
    "longer": ("4.1", "<", replaced(b"$EndElements", b"12345$EndElements"), "byte .*longer than its numbers of items, by 5"),
    "longer text": ("4.1", "", replaced(b"$EndElements", b"7 8\n$EndElements"), "line .*longer than its numbers"),
    "twice": ("2.2", "", lambda data: data + data[data.index(b"$Nodes") :], "two sections .Nodes. Save the mesh as one"),
    "no end": ("4.1", "", lambda data: b"$EndNodes\n" + data, ".EndNodes without its beginning"),
    "parameters": ("2.2", "", lambda d: d.replace(b"Nodes", b"ParametricNodes"), "SaveParametric = 0"),
    "not a number": ("4.1", "", replaced(b"\n10 10 ", b"\n10 ten "), "line .*expected 0 whole numbers and 3 numbers"),
    "not finite": ("2.2", "", replaced(b" 10 10 ", b" 10 1e300 "), "node .*coordinates must be finite"),
    "kind of element": ("2.2", "", replaced(b" 5 2 99", b" 92 2 99"), "line .*elements of type 92 are not supported"),
    "27 nodes": ("4.1", "", replaced(b"\n3 1 5 2", b"\n3 1 12 2"), "hexahedra of 27 nodes.*SecondOrderIncomplete = 1"),
    "tags": ("2.2", "", replaced(b" 5 2 99", b" 5 30 99"), "has 30 tags and"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, tmp_path: Path) -> None:
    version, order, change, words = REFUSED[case]
    nodes, elements = cube(8)
    file = msh(tmp_path / "a.msh", nodes, elements, {"x": np.flatnonzero(nodes[:, 0] == 0.0)}, version, order)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(pl.ModelError, match=f"(?s)a.msh.*{words}"):
        pl.solid_mesh(file, units="mm")


def test_partitions_and_groups(tmp_path: Path) -> None:
    """Elements belong to parts of a surface and to two physical volumes."""
    nodes, elements = cube(8)
    file = msh(tmp_path / "a.msh", nodes, elements, {"x": np.flatnonzero(nodes[:, 0] == 0.0)})
    text = file.read_text()
    # the surface of the faces becomes part 5 of surface 1 in partition 2
    part = "$PartitionedEntities\n2\n0\n0 0 1 0\n5 2 1 1 2 0 0 0 1 1 1 1 1 0\n$EndPartitionedEntities\n"
    file.write_text(text.replace("$Nodes\n", part + "$Nodes\n", 1).replace("\n2 1 3 2\n", "\n2 5 3 2\n"))
    assert [len(t) for t in pl.solid_mesh(file, units="mm").face_sets["x"]] == [2]
    # version 2 repeats elements that belong to two physical volumes
    msh(file, nodes, elements, {}, "2.2")
    lines = file.read_text().splitlines()
    at = lines.index("$Elements")
    own = lines[at + 2 : at + 4]
    again = [f"{3 + k} 5 2 98 1 {line.split(maxsplit=5)[5]}" for k, line in enumerate(own)]
    lines[at + 1 : at + 4] = ["4", *own, *again]
    file.write_text("\n".join(lines))
    mesh = pl.solid_mesh(file, units="mm")
    assert mesh.elements == 2 and mesh.groups[0].label(1) == 2
