"""Reduction of finite elements to interfaces and modes, against the whole finite element model."""

import numpy as np
import pytest
import scipy.linalg as sl
from references.calculix import INSTALLED
from references.superelements import BLOCK, FACES, SIZE, STEEL, FullBar, bar, full_bar
from scipy.sparse.linalg import eigsh, splu

from pitchline.errors import ModelError
from pitchline.fem.element_matrices import TET_EDGES, element_masses, element_stiffnesses
from pitchline.fem.own_mesh.inp_mesh import SolidMesh, mesh_matrices
from pitchline.parts.flexible import Superelement
from pitchline.parts.flexible.shapes import shape_mesh
from pitchline.parts.flexible.superelement import read_superelement
from pitchline.parts.flexible.writing import read_dmig


@pytest.fixture(scope="module")
def full() -> FullBar:
    return full_bar()


def rigid_motions(body: Superelement) -> np.ndarray:
    """(6k, 6) motions of the interfaces, in their axes, when the body moves as one."""
    rows = []
    for x, axes in zip(body.positions, body.axes, strict=True):
        arm = np.array([[0, x[2], -x[1]], [-x[2], 0, x[0]], [x[1], -x[0], 0]])
        rows += [np.hstack([axes.T, axes.T @ arm]), np.hstack([np.zeros((3, 3)), axes.T])]
    return np.vstack(rows)


def test_static_deflection_is_that_of_the_whole_model(full: FullBar) -> None:
    """Exact, however few modes."""
    body = bar(0)
    force = np.random.default_rng(0).normal(size=12)
    load = np.zeros(full.K_rigid.shape[0] - 6)
    load[:12] = force
    whole = splu(full.K_rigid[6:, 6:].tocsc()).solve(load)[:12]
    assert np.allclose(np.linalg.solve(body.stiffness[6:, 6:], force), whole, rtol=1e-9, atol=0)


def test_frequencies_come_from_above_and_converge(full: FullBar) -> None:
    """A reduction restricts the motion: every frequency is too high, and with more modes never higher (Courant)."""
    whole = np.sqrt(np.sort(eigsh(full.K_rigid, 12, full.M_rigid, sigma=-1e6, return_eigenvectors=False))[6:]) / (
        2 * np.pi
    )
    previous = np.full(6, np.inf)
    for modes in (0, 4, 8, 16, 40):
        found = bar(modes).free_frequencies[:6]
        assert np.all(found >= whole * (1 - 1e-9))
        assert np.all(found <= previous * (1 + 1e-9))
        previous = found
    assert np.allclose(previous[:3], whole[:3], rtol=5e-4)
    assert np.allclose(previous, whole, rtol=3e-3)


def test_held_modes_are_those_of_the_whole_model(full: FullBar) -> None:
    inner_K, inner_M = full.K_rigid[18:, 18:], full.M_rigid[18:, 18:]
    whole = np.sqrt(np.sort(eigsh(inner_K, 8, inner_M, sigma=0.0, return_eigenvectors=False))) / (2 * np.pi)
    assert np.allclose(bar(8).frequencies, whole, rtol=1e-8)
    limit = float(np.mean(whole[4:6]))
    by_limit = Superelement.from_shape(BLOCK, STEEL, interfaces=FACES, modes_to=limit)
    assert np.allclose(by_limit.frequencies, whole[:5], rtol=1e-8)
    # amplitudes are largest displacements
    size = np.linalg.norm(bar(8).shapes[:, :, 18:], axis=1).max(axis=0)
    assert np.all(size <= 1 + 1e-6)


@pytest.mark.parametrize("rigid", [True, False])
def test_rigid_motions_and_mass(rigid: bool) -> None:
    body = bar(4, rigid=rigid)
    R = rigid_motions(body)
    assert np.abs(body.stiffness @ R).max() < 1e-9 * np.abs(body.stiffness).max()
    whole = R.T @ body.mass_matrix[: len(R), : len(R)] @ R
    mass = STEEL.density * np.prod(SIZE)
    assert body.mass == pytest.approx(mass, rel=1e-12)
    assert np.allclose(body.centre_of_mass, np.array(SIZE) / 2, rtol=1e-10)
    x, y, z = SIZE
    expected = mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    assert np.allclose(body.inertia, expected, rtol=1e-9, atol=1e-12)
    assert np.allclose(whole[:3, :3], mass * np.eye(3), rtol=1e-9, atol=1e-9 * mass)


def test_averaging_interface_is_the_least_energy_for_a_mean_motion(full: FullBar) -> None:
    """Dense answer: minimum of the energy of the whole model under the six mean motions of each interface."""
    body = bar(0, "ac", rigid=False)
    nodes, _, sets = shape_mesh(BLOCK)
    inside = np.flatnonzero(np.all((nodes >= FACES["c"]["box"]["low"]) & (nodes <= FACES["c"]["box"]["high"]), axis=1))
    K, weights = full.K.toarray(), full.M.diagonal()
    rows = []
    for members, place in ((sets["z-"], body.positions[0]), (inside, body.positions[1])):
        B = np.zeros((3 * len(nodes), 6))
        for node in members:
            p = nodes[node] - place
            B[3 * node : 3 * node + 3] = np.hstack(
                [np.eye(3), np.array([[0, p[2], -p[1]], [-p[2], 0, p[0]], [p[1], -p[0], 0]])]
            )
        W = weights[:, None] * B
        rows.append(np.linalg.solve(B.T @ W, W.T))
    C = np.vstack(rows)
    size = np.abs(K).max()
    saddle = np.block([[K / size, C.T], [C, np.zeros((12, 12))]])
    right = np.vstack([np.zeros((len(K), 12)), np.eye(12)])
    forces = -size * np.linalg.solve(saddle, right)[len(K) :]
    assert np.allclose(body.stiffness, forces, rtol=0, atol=1e-7 * np.abs(forces).max())


def test_rigid_faces_are_stiffer_than_averaging_ones() -> None:
    assert np.all(bar(16, rigid=False).free_frequencies[:4] < bar(16).free_frequencies[:4])


def with_mid_edges(nodes: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.sort(corners[:, np.array(TET_EDGES)].reshape(-1, 2), axis=1)
    edges, place = np.unique(pairs, axis=0, return_inverse=True)
    middles = nodes[edges].mean(axis=1)
    return np.concatenate([nodes, middles]), np.hstack([corners, len(nodes) + place.reshape(-1, 6)])


def tetrahedra(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The bar of 4-node tetrahedra, six to a cell, `rows` cells across."""
    n = (rows + 1, rows + 1, 4 * rows + 1)
    grid = np.stack(np.meshgrid(*[np.linspace(0, s, k) for s, k in zip(SIZE, n, strict=True)], indexing="ij"), axis=-1)
    number = np.arange(np.prod(n)).reshape(n)
    c = [number[i : n[0] - 1 + i, j : n[1] - 1 + j, k : n[2] - 1 + k].ravel() for i, j, k in
         ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))]  # fmt: skip
    cells = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]
    return grid.reshape(-1, 3), np.concatenate([np.stack([c[i] for i in cell], axis=1) for cell in cells])


@pytest.mark.parametrize("each", [4, 10])
def test_patch_test_of_tetrahedra(each: int) -> None:
    """A linear displacement is a constant stress: no forces inside, and the energy is exact."""
    nodes, elements = tetrahedra(2)
    inside = np.all((nodes > 1e-9) & (nodes < np.array(SIZE) - 1e-9), axis=1)
    nodes = nodes + 0.1 * SIZE[0] / 2 * np.random.default_rng(1).uniform(-1, 1, nodes.shape) * inside[:, None]
    if each == 10:
        nodes, elements = with_mid_edges(nodes, elements)
    K, M = mesh_matrices(SolidMesh.of(nodes, elements, STEEL))
    G = np.random.default_rng(2).normal(size=(3, 3))
    u = (nodes @ G.T).ravel()
    force = (K @ u).reshape(-1, 3)
    within = np.all((nodes > 1e-9) & (nodes < np.array(SIZE) - 1e-9), axis=1)
    assert np.abs(force[within]).max() < 1e-9 * np.abs(force).max()
    E, nu = STEEL.youngs_modulus, STEEL.poissons_ratio
    lame, shear = E * nu / (1 + nu) / (1 - 2 * nu), E / 2 / (1 + nu)
    strain = (G + G.T) / 2
    energy = np.prod(SIZE) * (lame * np.trace(strain) ** 2 / 2 + shear * np.sum(strain**2))
    assert u @ (K @ u) / 2 == pytest.approx(energy, rel=1e-9)
    assert M.sum() / 3 == pytest.approx(STEEL.density * np.prod(SIZE), rel=1e-12)


def test_ten_node_tetrahedra_agree_with_bricks() -> None:
    """Bending and torsion of the bar, both meshes refined: frequencies to 0.5 %."""
    nodes, elements = with_mid_edges(*tetrahedra(3))
    ends = {
        "a": {"plane": {"point": (0, 0, 0), "normal": "z"}},
        "b": {"plane": {"point": (0, 0, SIZE[2]), "normal": "z"}},
    }
    body = Superelement.from_mesh(nodes, elements, STEEL, interfaces=ends, modes=12)
    bricks = bar(12, "ab")
    assert np.allclose(body.free_frequencies[:4], bricks.free_frequencies[:4], rtol=5e-3)


def test_one_tetrahedron() -> None:
    """Exact mass of a straight 10-node tetrahedron, and six motions without energy."""
    corner = np.array([[0, 0, 0], [1, 0, 0], [0.2, 1, 0], [0.1, 0.3, 1.0]])
    nodes, elements = with_mid_edges(corner, np.array([[0, 1, 2, 3]]))
    M = element_masses(nodes[elements], density=6.0)
    volume = abs(np.linalg.det(corner[1:] - corner[0])) / 6
    assert M.sum() == pytest.approx(6.0 * volume, rel=1e-12)
    assert M[0, 4, 4] == pytest.approx(6.0 * volume * 32 / 420, rel=1e-12)  # of a mid-edge: 32/420 of the mass
    K = element_stiffnesses(nodes[elements], youngs_modulus=1.0, poissons_ratio=0.3, formulation="full")[0]
    values = sl.eigvalsh(K)
    assert np.abs(values[:6]).max() < 1e-12 < 1e-3 < values[6] * 10


@pytest.mark.parametrize(
    "shape, volume",
    [
        ({"kind": "disc", "outer": "200 mm", "bore": "60 mm", "width": "20 mm"}, np.pi * (0.1**2 - 0.03**2) * 0.02),
        (
            {"kind": "plate", "size": (0.3, 0.16, 0.02), "seats": {"one": {"at": (0.08, 0.09), "diameter": 0.062},
             "two": {"at": (0.19, 0.09), "diameter": 0.08}}},
            (0.3 * 0.16 - np.pi * (0.031**2 + 0.04**2)) * 0.02,
        ),
        (
            {"kind": "box", "size": (0.2, 0.16, 0.1), "plate": 0.01, "wall": 0.008,
             "seats": {"one": {"at": (0.08, 0.09), "diameter": 0.06}}},
            0.2 * 0.16 * 0.1 - 0.184 * 0.144 * 0.08 - 2 * np.pi * 0.03**2 * 0.01,
        ),
    ],
)  # fmt: skip
def test_volumes_of_shapes(shape: dict[str, object], volume: float) -> None:
    """Round seats are right to the error of edges of second order."""
    nodes, elements, sets = shape_mesh(shape)
    found = element_masses(nodes[elements], density=1.0).sum()
    assert found == pytest.approx(volume, rel=2e-4)
    assert all(len(rows) > 3 for rows in sets.values())


# ---- files of other programs


def write_bar(path, end: str) -> None:
    nodes, elements, sets = shape_mesh(BLOCK)
    text = ["*NODE,NSET=NALL", *(f"{n + 1},{x:.12g},{y:.12g},{z:.12g}" for n, (x, y, z) in enumerate(nodes))]
    text.append("*ELEMENT,TYPE=C3D20,ELSET=EALL")
    for e, row in enumerate(elements + 1):
        text += [f"{e + 1}," + ",".join(map(str, row[:15])) + ",", ",".join(map(str, row[15:]))]
    for name, label in (("z-", "FOOT"), ("z+", "HEAD")):
        text += [f"*NSET,NSET={label}", *(f"{n + 1}," for n in sets[name])]
    text += [
        "*MATERIAL,NAME=S",
        "*ELASTIC",
        "2.1E11,0.3",
        "*DENSITY",
        "7850.",
        "*SOLID SECTION,ELSET=EALL,MATERIAL=S",
        end,
    ]
    path.write_text("\n".join(text) + "\n")


def run_ccx(path) -> None:
    import subprocess

    subprocess.run(["ccx", path.stem], cwd=path.parent, check=True, capture_output=True, timeout=120)


ENDS = {"a": "foot", "b": "HEAD"}


def test_mesh_of_a_file_is_that_of_the_arrays(tmp_path) -> None:
    write_bar(tmp_path / "bar.inp", "")
    body = read_superelement(tmp_path / "bar.inp", interfaces=ENDS, modes=4, units="m", mass="565.2 g")
    assert np.allclose(body.free_frequencies, bar(4, "ab").free_frequencies, rtol=1e-7)


@pytest.mark.skipif(not INSTALLED, reason="CalculiX (ccx) is not installed")
def test_matrices_of_calculix(tmp_path) -> None:
    """The same body from the matrices that another program assembled."""
    write_bar(tmp_path / "bar.inp", "*STEP\n*FREQUENCY,SOLVER=MATRIXSTORAGE\n6\n*END STEP")
    run_ccx(tmp_path / "bar.inp")
    body = read_superelement(tmp_path / "bar.dof", interfaces=ENDS, modes=4, units="m")
    assert np.allclose(body.free_frequencies, bar(4, "ab").free_frequencies, rtol=1e-6)


@pytest.mark.skipif(not INSTALLED, reason="CalculiX (ccx) is not installed")
def test_substructure_of_calculix_that_is_not_condensed(tmp_path) -> None:
    """CalculiX 2.20 writes K_BB; a later one that condenses would be read."""
    step = "*STEP\n*SUBSTRUCTURE GENERATE\n*RETAINED NODAL DOFS\nFOOT,1,3\nHEAD,1,3\n*SUBSTRUCTURE MATRIX OUTPUT,STIFFNESS=YES,"
    write_bar(tmp_path / "bar.inp", step + "OUTPUT FILE=USER DEFINED,FILE NAME=bar\n*END STEP")
    run_ccx(tmp_path / "bar.inp")
    with pytest.raises(ModelError, match=r"no \*MATRIX, TYPE=MASS.*not condensed"):
        read_superelement(tmp_path / "bar.mtx", interfaces=ENDS, modes=0, units="m")
    text = (tmp_path / "bar.mtx").read_text()
    (tmp_path / "bar.mtx").write_text(text + "*MATRIX,TYPE=MASS\n" + text.partition("*MATRIX")[2].partition("\n")[2])
    with pytest.raises(ModelError, match=r"resists rigid motions.*MATRIXSTORAGE"):
        read_superelement(tmp_path / "bar.mtx", interfaces=ENDS, modes=0, units="m")


def reduced_matrices() -> tuple[np.ndarray, np.ndarray, dict[int, np.ndarray]]:
    """Stiffness and mass of the bar on two nodes of six coordinates, 11 and 12, and four modal coordinates."""
    body = bar(4, "ab")
    n = len(body.mass_matrix)
    K = np.zeros((n, n))
    K[:12, :12], K[range(12, n), range(12, n)] = body.stiffness, body.modal_stiffness
    return K, body.mass_matrix, {11: body.positions[0], 12: body.positions[1]}


LABELS = [(n, c) for n in (11, 12) for c in range(1, 7)] + [(900 + k, 0) for k in range(4)]
"""Six components a node, then scalar points."""


def dmig(name: str, A: np.ndarray, wide: bool) -> list[str]:
    """A symmetric matrix in large or small fields, columns from the diagonal on."""
    lines = [f"DMIG    {name:8}{0:8}{6:8}{2:8}{0:8}"]
    for j, (g, c) in enumerate(LABELS):
        rows = [i for i in range(j, len(LABELS)) if A[i, j] != 0.0]
        if wide:
            lines.append(f"DMIG*   {name:16}{g:16d}{c:16d}")
            lines += [f"*       {LABELS[i][0]:16d}{LABELS[i][1]:16d}{A[i, j]:16.9E}".replace("E", "D") for i in rows]
        else:
            entries = [f"{LABELS[i][0]:8d}{LABELS[i][1]:8d}{_short(A[i, j]):8}{'':8}" for i in rows]
            lines.append(f"DMIG    {name:8}{g:8d}{c:8d}{'':8}{entries[0]}")
            lines += [f"+       {''.join(entries[k : k + 2])}" for k in range(1, len(entries), 2)]
    return lines


def _short(value: float) -> str:
    """A number in eight columns: 1.234+5."""
    mantissa, _, exponent = f"{value:.10E}".partition("E")
    return f"{float(mantissa):.{3 if value >= 0 else 2}f}{int(exponent):+d}"


@pytest.mark.parametrize("units", ["m", "mm"])
def test_dmig_of_nastran(tmp_path, units: str) -> None:
    """mm: mm, t, s."""
    K, M, places = reduced_matrices()
    factor = np.where([c > 3 for _, c in LABELS], 1e-3**0.5, 1e3**0.5) if units == "mm" else np.ones(len(LABELS))
    lines = [*dmig("KAAX", K / np.outer(factor, factor), True), *dmig("MAAX", M / np.outer(factor, factor), True)]
    (tmp_path / "bar.pch").write_text("\n".join(lines) + "\n")
    body = read_superelement(
        tmp_path / "bar.pch", interfaces={"a": {"nodes": [11]}, "b": {"nodes": [12]}}, modes=4, units=units,
        positions={n: list(p) for n, p in places.items()},
    )  # fmt: skip
    assert np.allclose(body.free_frequencies, bar(4, "ab").free_frequencies, rtol=1e-6)
    assert body.mass == pytest.approx(bar().mass, rel=1e-6)


def test_dmig_in_small_fields(tmp_path) -> None:
    """Two entries a line. Four digits are too few for a stiffness free of stress: such a file is refused."""
    K, M, places = reduced_matrices()
    (tmp_path / "bar.pch").write_text("\n".join([*dmig("K2", K, False), *dmig("M2", M, False)]) + "\n")
    found = read_dmig(tmp_path / "bar.pch", ("K2", "M2"))
    assert [tuple(pair) for pair in found.dofs] == LABELS
    assert np.allclose(found.K.toarray(), K, rtol=5e-3, atol=0)
    assert np.allclose(found.M.toarray(), M, rtol=5e-3, atol=0)
    with pytest.raises(ModelError, match="resists rigid motions"):
        read_superelement(
            tmp_path / "bar.pch",
            interfaces={"a": {"nodes": [11]}},
            modes=4,
            units="m",
            positions=places,
            matrices=("K2", "M2"),
        )


def test_mtx_of_abaqus(tmp_path) -> None:
    """A linear user element: nodes in comments, components, lower triangles by rows."""
    K, M, places = reduced_matrices()
    K, M = K[:12, :12], M[:12, :12]
    text = [
        "** substructure",
        "*USER ELEMENT,NODES=2,LINEAR",
        "** ELEMENT NODES",
        "** 11, 12",
        "1,2,3,4,5,6",
        "2,1,2,3,4,5,6",
    ]
    for name, A in (("STIFFNESS", K), ("MASS", M)):
        text.append(f"*MATRIX,TYPE={name}")
        text += [",".join(f"{A[i, j]:.12E}" for j in range(i + 1)) for i in range(12)]
    (tmp_path / "bar.mtx").write_text("\n".join(text) + "\n")
    body = read_superelement(
        tmp_path / "bar.mtx",
        interfaces={"a": {"nodes": [11]}, "b": {"nodes": [12]}},
        modes=0,
        units="m",
        positions=places,
    )
    assert np.allclose(body.stiffness, bar(4, "ab").stiffness, rtol=0, atol=1e-8 * np.abs(K).max())
    assert np.allclose(body.free_frequencies, bar(0, "ab").free_frequencies, rtol=1e-6)


def test_saved_and_read_again(tmp_path) -> None:
    body = bar(4)
    path = body.save(tmp_path / "bar.h5")
    again = read_superelement(path)
    assert again.interfaces == body.interfaces
    assert again.fingerprint == body.fingerprint
    assert np.array_equal(again.shapes, body.shapes)
