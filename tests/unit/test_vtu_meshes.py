"""VTK files as VTK itself writes them: keys inside of arrays, blocks compressed by zlib and LZMA, appended data."""

import base64
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.fem.hexahedra import reference_nodes

NODES = 5.0 * (reference_nodes(8) + 1.0)
ARRAYS = {
    "Points": ("Float64", NODES),
    "connectivity": ("Int64", np.concatenate([np.arange(8), [0, 3, 2, 1]])),
    "offsets": ("Int64", np.array([8, 12])),
    "types": ("UInt8", np.array([12, 9])),
    "foot": ("Int32", np.array([0, 7])),
}
SECTION = {"Points": "Points", "foot": "CellData"}
KEY = '<InformationKey name="L2_NORM_RANGE" location="vtkDataArray" length="2"><Value index="0">0</Value></InformationKey>'
PACK: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "plain": ("", bytes),
    "zlib": ("vtkZLibDataCompressor", zlib.compress),
    "lzma": ("vtkLZMADataCompressor", lzma.compress),
}
BLOCK = 64


def packed(raw: bytes, pack: str, coded: bool) -> bytes:
    """An array with its header, in blocks of 64 bytes; headers are 32 bits."""
    wrap: Callable[[bytes], bytes] = base64.b64encode if coded else bytes
    if pack == "plain":
        return wrap(np.uint32(len(raw)).tobytes() + raw)
    parts = [PACK[pack][1](raw[at : at + BLOCK]) for at in range(0, len(raw), BLOCK)]
    head = np.array([len(parts), BLOCK, len(raw) % BLOCK, *map(len, parts)], dtype="<u4")
    return wrap(head.tobytes()) + wrap(b"".join(parts))


def vtu(path: Path, form: str, pack: str) -> Path:
    """form: "ascii", "binary", "appended raw" or "appended base64"."""
    kinds = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1", "Int32": "<i4"}
    pieces, data = dict.fromkeys(("Points", "Cells", "CellData"), ""), b""
    for name, (kind, values) in ARRAYS.items():
        raw, text, offset = values.astype(kinds[kind]).tobytes(), "", ""
        if form == "ascii":
            text = " ".join(map(str, values.ravel()))
        elif form == "binary":
            text = packed(raw, pack, True).decode()
        else:
            offset = f' offset="{len(data)}"'
            data += packed(raw, pack, form.endswith("base64"))
        width = ' NumberOfComponents="3"' if values.ndim == 2 else ""
        entry = f'<DataArray type="{kind}" Name="{name}"{width} format="{form.split()[0]}"{offset}>\n {text}\n{KEY}\n</DataArray>\n'
        pieces[SECTION.get(name, "Cells")] += entry
    inside = "".join(f"<{name}>\n{text}</{name}>\n" for name, text in pieces.items())
    end = f'<AppendedData encoding="{form[9:]}">\n_'.encode() + data + b"\n</AppendedData>\n" if data else b""
    kind = f'byte_order="LittleEndian" header_type="UInt32" compressor="{PACK[pack][0]}"'
    head = f'<VTKFile type="UnstructuredGrid" version="0.1" {kind}>'
    grid = (
        f'\n<UnstructuredGrid>\n<Piece NumberOfPoints="8" NumberOfCells="2">\n{inside}</Piece>\n</UnstructuredGrid>\n'
    )
    path.write_bytes((head + grid).encode() + end + b"</VTKFile>\n")
    return path


@pytest.mark.parametrize("form", ["ascii", "binary", "appended raw", "appended base64"])
@pytest.mark.parametrize("pack", PACK)
def test_forms_of_arrays(form: str, pack: str, tmp_path: Path) -> None:
    mesh = pl.solid_mesh(vtu(tmp_path / "a.vtu", form, pack), units="mm", material=pl.STEEL)
    assert mesh.nodes == pytest.approx(1e-3 * NODES) and mesh.groups[0].elements.tolist() == [list(range(8))]
    assert (
        [t.tolist() for t in mesh.face_sets["foot"]]
        == [[[0, 3, 2, 1]]]
        == [t.tolist() for t in mesh.face_sets["foot=7"]]
    )


@pytest.mark.parametrize("pack", ["zlib", "lzma"])
def test_damaged_blocks(pack: str, tmp_path: Path) -> None:
    file = vtu(tmp_path / "a.vtu", "appended raw", pack)
    data = file.read_bytes()
    start = data.index(b"_", data.index(b"<AppendedData")) + 1
    head = np.frombuffer(data[start : start + 12], "<u4")
    for change, words in (
        ({1: 32}, "damaged or too large"), ({1: 128}, "damaged or too large"), ({1: 2**31 + 1}, "more than"),
        ({0: 2**31}, "2147483648 blocks"),
    ):  # fmt: skip
        wrong = head.copy()
        for k, value in change.items():
            wrong[k] = value
        file.write_bytes(data[:start] + wrong.tobytes() + data[start + 12 :])
        with pytest.raises(pl.ModelError, match=f'(?s)a.vtu.*array "Points": cannot be read.*{words}'):
            pl.solid_mesh(file, units="mm")
    file.write_bytes(data.replace(PACK[pack][0].encode(), b"vtkLZ4DataCompressor"))
    with pytest.raises(pl.ModelError, match=r"vtkLZ4DataCompressor.*Save it with zlib"):
        pl.solid_mesh(file, units="mm")
