"""Shapes, colours and STL files: what they accept and refuse, how they move, and what results keep of them."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.solids.mass_properties import MOST_TRIANGLES, TriangleMesh, drawn_mesh
from pitchline.solids.rotations import read_colour

CORNERS = np.array([[x, y, z] for x in (0, 20) for y in (0, 30) for z in (0, 50)], dtype=float)
QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
BOX = np.array([CORNERS[[q[0], *two]] for q in QUADS for two in (q[1:3], q[2:4])])
"""Twelve triangles of a box of 20 x 30 x 50 with a corner at the origin, seen from outside against the clock."""


def binary(corners: np.ndarray, heading: bytes = b"") -> bytes:
    records = b"".join(struct.pack("<12fH", 0, 0, 0, *one.ravel(), 0) for one in corners)
    return heading.ljust(80) + struct.pack("<I", len(corners)) + records


def text(corners: np.ndarray) -> bytes:
    lines = ["solid box"]
    for one in corners:
        lines += [
            "facet normal 0 0 0",
            " outer loop",
            *(f"  vertex {x} {y} {z}" for x, y, z in one),
            " endloop",
            "endfacet",
        ]
    return "\n".join([*lines, "endsolid box", ""]).encode()


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(content: bytes) -> Path:
        path = tmp_path / "part.stl"
        path.write_bytes(content)
        return path

    return write


def box_solid() -> pl.MassProperties:
    return pl.bar("20 mm", "30 mm", "50 mm", density=7800).moved(("10 mm", "15 mm", "25 mm"))


# ---- solids remember their shapes


def test_a_solid_without_mass_is_a_shape_and_moves_as_a_solid_does() -> None:
    def part(**mass: Any) -> Any:
        one = pl.cylinder("20 mm", "0.1 m", axis="x", **mass).turned(pl.Rotation("z", "90 deg")).moved((0, 0, 1))
        return (one + pl.bar(1, 2, 3, **mass).moved((1, 2, 3))).turned(pl.Rotation("x", "90 deg"))

    shape, solid = part(), part(density=1000)
    assert isinstance(shape, pl.Shape) and isinstance(solid, pl.MassProperties)
    assert shape.described == solid.shape.described
    cylinder, bar = shape.described
    assert cylinder["type"] == "cylinder" and (cylinder["radius"], cylinder["length"]) == (0.02, 0.1)
    assert np.allclose(cylinder["position"], (0, -1, 0)) and np.allclose(
        np.array(cylinder["rotation"])[:, 2], (0, 0, 1)
    )
    assert bar["size"] == [1, 2, 3] and np.allclose(bar["position"], (1, -3, 2))


def test_the_centre_of_a_box_shape_is_its_centre_of_mass() -> None:
    solid = pl.bar(1, 2, 3, mass=1).moved((1, 2, 3)).turned(pl.Rotation((1, 1, 0), 0.7))
    assert np.allclose(solid.shape.pieces[0].position, solid.centre_of_mass)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("radii", [(0.1, 0.04), (0.0, 0.2), (0.1, 0.1)])
def test_a_cone_by_slices(axis: str, radii: tuple[float, float]) -> None:
    cone = pl.cone(*radii, 0.3, density=1000, axis=axis)
    n, k = 2000, "xyz".index(axis)
    places = (np.arange(n) + 0.5) / n * 0.3 - 0.15
    slices = [np.pi * 1000 * 0.3 / n * (radii[0] + (radii[1] - radii[0]) * (z / 0.3 + 0.5)) ** 2 for z in places]
    r2 = np.array(slices) / (np.pi * 1000 * 0.3 / n)
    mass, centre = np.sum(slices), np.sum(slices * places) / np.sum(slices)
    axial = np.sum(slices * r2) / 2
    assert cone.mass == pytest.approx(mass, rel=1e-5)
    assert cone.centre_of_mass[k] == pytest.approx(centre, rel=1e-5, abs=1e-12)
    assert cone.inertia[k, k] == pytest.approx(axial, rel=1e-5)
    across = axial / 2 + np.sum(slices * (places - centre) ** 2)
    assert cone.inertia[k - 1, k - 1] == pytest.approx(across, rel=1e-5)


# ---- STL files


@pytest.mark.parametrize(
    "content", [binary(BOX), binary(BOX, b"solid of a program"), text(BOX)], ids=["binary", "solid", "text"]
)
def test_a_box_from_a_file_has_the_mass_of_the_box(content: bytes, file: Callable[[bytes], Path]) -> None:
    solid, box = pl.stl(file(content), scale="1 mm", density=7800), box_solid()
    assert solid.mass == pytest.approx(box.mass, rel=1e-12)
    assert np.allclose(solid.centre_of_mass, box.centre_of_mass, rtol=1e-12)
    assert np.allclose(solid.inertia, box.inertia, rtol=1e-12, atol=1e-12 * box.inertia.max())
    assert solid.shape.pieces[0].described["count"] == [8, 12]


def test_a_surface_inside_out_and_one_with_a_cavity(file: Callable[[bytes], Path]) -> None:
    assert pl.stl(file(binary(BOX[:, ::-1])), scale=1e-3, mass=2).inertia == pytest.approx(
        pl.stl(file(binary(BOX)), scale=1e-3, mass=2).inertia
    )
    middle = BOX.mean(axis=(0, 1))
    hollow = np.concatenate([BOX, ((BOX - middle) / 2 + middle)[:, ::-1]])
    assert pl.stl(file(binary(hollow)), scale="1 mm", density=1000).mass == pytest.approx(1000 * 3e-5 * 7 / 8)
    beside = np.concatenate([BOX, (BOX + 100)[:, ::-1]])
    with pytest.raises(ModelError, match="inside out"):
        pl.stl(file(binary(beside)), scale="1 mm", density=1000)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "it has 0 bytes"),
        (b"x" * 200, "is damaged"),
        (binary(BOX)[:-1], "specifies 12 triangles, which require 684 bytes, but it has 683"),
        (binary(BOX[:0]), "has no triangles"),
        (binary(np.full((1, 3, 3), np.nan)), "triangle 1 of 1 has a corner"),
        (binary(np.ones((1, 3, 3))), "no triangle has an area"),
        (b" " * 80 + struct.pack("<I", MOST_TRIANGLES + 1) + bytes(50 * (MOST_TRIANGLES + 1)), "coarser"),
        (text(BOX).replace(b"vertex 0.0 0.0 0.0", b"vertex 0.0 zero 0.0", 1), 'line 4: expected "vertex" and three numbers'),
        (text(BOX).replace(b"endfacet\n", b"", 1), "line 8: a facet begins, but that of line 2"),
        (text(BOX).replace(b"  vertex 0.0 0.0 0.0\n", b"", 1), "a facet ends with 2 vertices"),
        (text(BOX).replace(b"endsolid box\n", b""), "cut off"),
        (text(BOX) + b"hello\n", "line 87: 'hello' does not belong"),
    ],
)  # fmt: skip
def test_damaged_files_are_told(content: bytes, message: str, file: Callable[[bytes], Path]) -> None:
    with pytest.raises(ModelError) as caught:
        pl.stl(file(content), scale="1 mm")
    assert message in str(caught.value) and "part.stl" in str(caught.value)


def test_mass_is_not_counted_twice(file: Callable[[bytes], Path]) -> None:
    path = file(binary(np.concatenate([BOX, BOX])))
    with pytest.raises(ModelError, match="12 of 24 triangles are duplicates"):
        pl.stl(path, scale="1 mm", density="7800 kg/m^3")


def test_open_surfaces_have_a_shape_and_no_mass(file: Callable[[bytes], Path]) -> None:
    path = file(binary(BOX[1:]))
    assert isinstance(pl.stl(path, scale="1 mm"), pl.Shape)
    with pytest.raises(ModelError, match="not closed"):
        pl.stl(path, scale="1 mm", density=7800)


def test_what_stl_refuses(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"'none\.stl' cannot be read: No such file"):
        pl.stl(tmp_path / "none.stl", scale="1 mm")
    with pytest.raises(ModelError, match="scale must be greater than zero"):
        pl.stl(tmp_path / "none.stl", scale=0)
    with pytest.raises(ModelError, match="path must be the name of a file"):
        pl.stl(3, scale=1)  # type: ignore[call-overload]


def test_a_described_mesh_is_drawn_with_creases(file: Callable[[bytes], Path]) -> None:
    (piece,) = pl.stl(file(binary(BOX)), scale="1 mm").described
    drawn = drawn_mesh(piece)
    assert drawn.position.shape == (24, 3) and drawn.index.shape == (12, 3)  # three normals at each of eight corners
    assert len(drawn.edge) == 12 and drawn.position.max() == pytest.approx(0.05)
    outwards = drawn.position - drawn.position.mean(axis=0)
    assert (np.einsum("ni,ni->n", outwards, drawn.normal) > 0).all()


def test_a_smooth_surface_is_drawn_without_creases(file: Callable[[bytes], Path]) -> None:
    angle = np.linspace(0, 2 * np.pi, 37)
    ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    ring[-1] = ring[0]
    top = ring + (0, 0, 1)
    wall = [[ring[i], ring[i + 1], top[i + 1]] for i in range(36)] + [[ring[i], top[i + 1], top[i]] for i in range(36)]
    (piece,) = pl.stl(file(binary(np.array(wall))), scale=1).described
    drawn = drawn_mesh(piece)
    assert len(drawn.position) == 72 and len(drawn.edge) == 72  # the open ends alone
    assert np.allclose(drawn.normal[:, :2], drawn.position[:, :2], atol=0.05)


@pytest.mark.parametrize(
    "change",
    [
        {"count": [8, 13]}, {"count": [7, 12]}, {"count": [10**9, 12]}, {"count": "8"}, {"vertices": "!"}, {"vertices": None},
        {"triangles": "AAAA"}, {"scale": -1.0}, {"scale": None},
    ],
)  # fmt: skip
def test_damaged_descriptions_are_told(change: dict[str, Any], file: Callable[[bytes], Path]) -> None:
    (piece,) = pl.stl(file(binary(BOX)), scale="1 mm").described
    with pytest.raises(ModelError, match="damaged"):
        drawn_mesh({**piece, **change})


def test_a_described_mesh_is_the_same_again(file: Callable[[bytes], Path]) -> None:
    mesh = pl.stl(file(binary(BOX)), scale="1 mm").pieces[0].mesh
    assert mesh is not None
    again = TriangleMesh.from_description(mesh.described())
    assert np.array_equal(again.vertices, mesh.vertices) and np.array_equal(again.triangles, mesh.triangles)


# ---- colours


@pytest.mark.parametrize(
    "said, meant",
    [
        ("#0072b2", "#0072B2"), ("#abc", "#AABBCC"), (" Blue ", "#0072B2"), ("light grey", "#D3D3D3"), ("#11223380", "#11223380"),
        ("#112233ff", "#112233"),
    ],
)  # fmt: skip
def test_colours(said: str, meant: str) -> None:
    assert read_colour(said, "colour") == meant  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "said, message",
    [("bleu", '"blue"'), ("#12345", "is not a colour"), (3, "got 3"), ("", "known"), ("#11223300", "hidden")],
)
def test_wrong_colours(said: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        read_colour(said, "colour")  # type: ignore[arg-type]


def test_a_model_file_says_which_files_it_needs_beside_it(
    file: Callable[[bytes], Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = file(binary(BOX))
    m = pl.Model("m")
    m.body("part", mass=1.0, inertia=(1.0, 1.0, 1.0), shape=pl.stl(path, scale="1 mm"))
    m.to_toml(path.parent / "beside.toml")
    assert not capfd.readouterr().err
    (tmp_path / "other").mkdir()
    m.to_toml(tmp_path / "other" / "m.toml")
    assert f'm.toml reads "part.stl" from its own folder: copy {path}' in capfd.readouterr().err


def test_files_of_one_name_cannot_both_lie_beside_a_model_file(tmp_path: Path) -> None:
    m = pl.Model("m")
    for folder, corners in (("left", BOX), ("right", BOX[1:])):
        path = tmp_path / folder / "part.stl"
        path.parent.mkdir()
        path.write_bytes(binary(corners))
        m.body(folder, mass=1.0, inertia=(1.0, 1.0, 1.0), shape=pl.stl(path, scale="1 mm"))
    with pytest.raises(
        ModelError, match=r"bodies\.right cannot be written .*left.part\.stl and .* have the same name. Rename one"
    ):
        m.to_toml()
