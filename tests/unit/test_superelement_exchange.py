"""Reduced bodies as files of other programs: DMIG, Matrix Market, terms of Abaqus, Harwell-Boeing; written and read back."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from references.superelements import bar

import pitchline as pl
from pitchline.parts.flexible.writing import body_matrices, dmig_number, field_16, read_dmig

TEXT_DIGITS = {".mtx": 1e-12, ".pch": 1e-9}
"""Relative error of frequencies: a DMIG field has 12 digits, of which rigid body motions take some."""


@pytest.fixture(scope="module")
def body() -> pl.Superelement:
    return bar(6)


def read_back(file, body, units):
    interfaces = {name: name for name in body.interfaces}
    return pl.read_superelement(file, units=units, interfaces=interfaces, modes=len(body.modal_stiffness))


@pytest.mark.parametrize("units", ["mm", "m"])
@pytest.mark.parametrize("end", [".pch", ".mtx"])
def test_a_written_body_reads_back_with_the_same_frequencies_and_mass(body, tmp_path, end, units) -> None:
    first = pl.write_superelement(body, tmp_path / f"bar{end}", units=units)[0]
    again = read_back(first, body, units)
    exact = TEXT_DIGITS[end]
    assert np.abs(again.free_frequencies / body.free_frequencies - 1).max() < exact
    assert np.abs(again.frequencies / body.frequencies - 1).max() < exact
    assert again.mass == pytest.approx(body.mass, rel=exact)
    assert np.abs(again.inertia - body.inertia).max() < 10 * exact * body.inertia.max()
    assert again.positions == pytest.approx(body.positions, rel=1e-12)
    assert np.abs(again.stiffness - body.stiffness).max() < exact * body.stiffness.max()


def test_interfaces_with_other_axes_are_written_in_the_axes_of_the_body(tmp_path) -> None:
    turned = {"a": {"node_set": "z-", "orientation": pl.Rotation((1, 2, 3), 0.6).matrix}, "b": {"node_set": "z+"}}
    options = {"interfaces": turned, "modes": 4}
    made = pl.Superelement.from_shape(
        {"kind": "block", "size": (0.03, 0.02, 0.12), "element": 0.01}, pl.STEEL, **options
    )
    file = pl.write_superelement(made, tmp_path / "bar.mtx", units="mm")[0]
    again = pl.read_superelement(file, units="mm", interfaces={"a": "a", "b": "b"}, modes=4)
    assert np.abs(again.free_frequencies / made.free_frequencies - 1).max() < 1e-11
    R = turned["a"]["orientation"]
    K = again.stiffness[:3, :3]
    assert np.abs(R.T @ K @ R - made.stiffness[:3, :3]).max() < 1e-10 * K.max()


def test_the_wrong_unit_is_refused(body, tmp_path) -> None:
    file = pl.write_superelement(body, tmp_path / "bar.pch", units="mm")[0]
    with pytest.raises(pl.ModelError, match=r"units|mass|resists"):
        read_back(file, body, "m")


def test_a_field_of_sixteen_columns_keeps_as_many_digits_as_fit() -> None:
    for value in (1.0, -1.0, np.pi * 1e9, -np.pi * 1e9, np.pi * 1e-12, -np.pi * 1e-123, 1e100, -123456.789012345):
        text = field_16(value)
        assert len(text) == 16
        assert dmig_number(text) == pytest.approx(value, rel=1e-10 if abs(np.log10(abs(value))) > 99 else 1e-11)


def test_small_large_and_free_fields_give_the_same_matrix(tmp_path) -> None:
    small = (
        "DMIG    KAAX           0       6       2       0                       2\n"
        "DMIG    KAAX           1       1               1       1     3.5               +\n"
        "+              1       2   -1.25               2       0  1.5D+1\n"
        "DMIG    MAAX           0       6       2       0\n"
        "DMIG    MAAX           1       1               1       1   2.5-3\n"
    )
    large = (
        "DMIG*   KAAX                           0               6               2*\n*                      0\n"
        "DMIG*   KAAX                           1               1                *\n"
        "*                      1               1             3.5*\n*                      1               2           -1.25*\n"
        "*                      2               0          1.5D+1\n"
        "DMIG*   MAAX                           0               6               2\n"
        "DMIG*   MAAX                           1               1                *\n"
        "*                      1               1           2.5-3\n"
    )
    free = (
        "$ comment, with a comma\nDMIG,KAAX,0,6,2,0,,,2\nDMIG,KAAX,1,1,,1,1,3.5,,+\n+,1,2,-1.25,,2,0,1.5D+1\n"
        "DMIG*,MAAX,0,6,2\nDMIG*,MAAX,1,1,,*\n*,1,1,2.5-3\n"
    )
    found = []
    for name, text in (("small", small), ("large", large), ("free", free)):
        (tmp_path / f"{name}.pch").write_text(text)
        found.append(read_dmig(tmp_path / f"{name}.pch"))
    for one in found:
        assert one.dofs.tolist() == [[1, 1], [1, 2], [2, 0]]
        assert one.K.toarray().tolist() == [[3.5, -1.25, 15.0], [-1.25, 0.0, 0.0], [15.0, 0.0, 0.0]]
        assert one.M.toarray()[0, 0] == 2.5e-3


def test_terms_of_abaqus_and_harwell_boeing_give_the_same_body(body, tmp_path) -> None:
    nodes_only = pl.read_superelement(  # without modal coordinates, which these formats do not have
        pl.write_superelement(bar(0), tmp_path / "bar.mtx", units="m")[0],
        units="m",
        interfaces={n: n for n in "abc"},
        modes=0,
    )
    K, M, labels = body_matrices(bar(0))
    words = ("UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ")
    (tmp_path / "bar_k.mapping").write_text(
        "Matrix Eqn Node DOF\n" + "\n".join(f"{i + 1:8d}{n:8d}   {words[c - 1]}" for i, (n, c) in enumerate(labels))
    )
    for name, A in (("STIF1", K), ("MASS1", M)):
        lines = [
            f"{a}, {b}, {c}, {d}, {A[i, j]!r}"
            for i, (a, b) in enumerate(labels)
            for j, (c, d) in enumerate(labels)
            if i >= j and A[i, j]
        ]
        (tmp_path / f"bar_{name}.mtx").write_text("\n".join(lines).replace("np.float64(", "").replace(")", ""))
    for name, A in (("k", K), ("m", M)):
        scipy.io.hb_write(str(tmp_path / f"bar_{name}.hb"), sp.csc_matrix(A))
    positions = {i + 1: place for i, place in enumerate(bar(0).positions)}
    interfaces = {name: {"nodes": [i + 1]} for i, name in enumerate("abc")}
    for file in ("bar_STIF1.mtx", "bar_k.hb"):
        again = pl.read_superelement(tmp_path / file, units="m", positions=positions, interfaces=interfaces, modes=0)
        assert np.abs(again.free_frequencies / nodes_only.free_frequencies - 1).max() < 1e-9, file
        assert again.mass == pytest.approx(body.mass, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bar.pch", "DMIG    KAAX           0       2       2       0\n", "form 2, but 6"),
        ("bar.pch", "DMIG    KAAX           0       6       4       0\n", "complex"),
        ("bar.pch", "DMIG    KAAX           1       1               1       1     3.5\n", "not a punch file"),
        ("bar.pch", "", "there is no DMIG matrix KAAX, it has none"),
        ("bar_x.mtx", "1, 1, 1, 1, 3.0\n", "specify the file of the stiffness"),
        ("bar_stif.mtx", "1, 1, 1, 1, 3.0\n", 'there is no file "bar_mass.mtx"'),
        (
            "bar_stiffness.mtx",
            "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n",
            'no file "bar_nodes.csv"',
        ),
        ("bar_k.hb", "", "bar_k.mapping"),
    ],
)
def test_wrong_files(tmp_path, name, text, message) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(pl.ModelError, match=message):
        pl.read_superelement(tmp_path / name, units="mm", interfaces={"a": {"nodes": [1]}}, modes=0)


def test_wrong_arguments(body, tmp_path) -> None:
    with pytest.raises(pl.ModelError, match='units must be "mm"'):
        pl.write_superelement(body, tmp_path / "bar.pch", units="inch")
    with pytest.raises(pl.ModelError, match=r"must end in \.pch"):
        pl.write_superelement(body, tmp_path / "bar.op4", units="mm")
    pl.write_superelement(body, tmp_path / "bar.pch", units="mm")
    with pytest.raises(pl.PitchlineError, match="already exists"):
        pl.write_superelement(body, tmp_path / "bar.pch", units="mm")
