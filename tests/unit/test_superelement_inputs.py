"""What is wrong with a flexible body is said before anything is computed: interfaces, units, elements, modes."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references.superelements import BLOCK, SIZE, STEEL

import pitchline as pl
from pitchline.parts.flexible.shapes import shape_mesh

ENDS = {"a": "z-", "b": "z+"}
NODES, ELEMENTS, SETS = shape_mesh({**BLOCK, "element": 0.02})


def make(nodes: Any = NODES, elements: Any = ELEMENTS, **options: Any) -> pl.Superelement:
    said = {"interfaces": ENDS, "node_sets": SETS, "modes": 0} | options
    return pl.Superelement.from_mesh(nodes, elements, STEEL, **said)


def shape(**changes: Any) -> pl.Superelement:
    table = {"kind": "plate", "size": (0.2, 0.1, 0.01), "seats": {"one": {"at": (0.05, 0.05), "diameter": 0.04}}}
    return pl.Superelement.from_shape(table | changes, interfaces={"one": "one"}, modes=0)


def inverted() -> pl.Superelement:
    swapped = ELEMENTS.copy()
    swapped[2] = swapped[2][[4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19]]
    return make(elements=swapped)


def two_parts() -> pl.Superelement:
    return make(np.concatenate([NODES, NODES + (1, 0, 0)]), np.concatenate([ELEMENTS, ELEMENTS + len(NODES)]))


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "no interface": (lambda: make(interfaces={}), "requires at least one"),
    "a set that does not exist": (lambda: make(interfaces={"a": "z_"}), 'interface "a": there is no node set "z_"; known: "x-"'),
    "nodes off the mesh": (
        lambda: make(interfaces={"a": {"plane": {"point": (0, 0, 5), "normal": "z"}}}),
        r"no node of an element is on the plane through (0, 0, 5).*the mesh extends from (0, 0, 0) to (0.03, 0.02, 0.12) m",
    ),
    "a node number that does not exist": (lambda: make(interfaces={"a": {"nodes": [1, 2, 99999]}}), "there is no node 99999"),
    "two nodes": (lambda: make(interfaces={"a": {"nodes": [0, 1]}}), "2 nodes do not define its rotations"),
    "nodes in a line": (
        lambda: make(interfaces={"a": {"box": {"low": (0, 0, 0), "high": (1, 0, 0)}, "tolerance": 1e-9}}), "in one line"
    ),
    "a node in two interfaces": (lambda: make(interfaces={"a": "z-", "b": "x-"}), 'belongs to the interfaces "a" and "b"'),
    "two ways to say the nodes": (
        lambda: make(interfaces={"a": {"node_set": "z-", "nodes": [1]}}), "specify one of node_set.*got node_set and nodes"
    ),
    "a misspelt key": (lambda: make(interfaces={"a": {"nodeset": "z-"}}), 'interface "a".*"nodeset".*node_set'),
    "neither modes nor a frequency": (lambda: make(modes=None), "specify either modes_to.*got neither"),
    "modes and a frequency": (lambda: make(modes_to="1 kHz"), "not both"),
    "a negative number of modes": (lambda: make(modes=-1), "modes must be a whole number"),
    "a frequency without modes": (lambda: make(modes=None, modes_to=0), "modes_to must be greater than zero"),
    "a huge frequency": (lambda: make(modes=None, modes_to="1 GHz"), r"modes_to = 1e\+09 Hz requires .* modes, at most"),
    "a length for a frequency": (lambda: make(modes=None, modes_to="3 mm"), "modes_to: expected frequency"),
    "another mass than stated": (lambda: make(mass="1 kg"), r"the mass is 0.5652 kg, but 1 kg are stated.*units=\"mm\""),
    "millimetres as metres": (lambda: make(1e3 * NODES), "the body measures 120 m.*state the mass"),
    "numbers of nodes from 1": (lambda: make(elements=ELEMENTS + 1), "begin with 0"),
    "an inverted element": (inverted, r"element 2 of 20 nodes .* is inverted"),
    "two bodies": (two_parts, "parts of the mesh that are not connected"),
    "elements of five nodes": (lambda: make(elements=np.zeros((2, 5), int)), r"\(m, 10\) for tetrahedra"),
    "no elements": (lambda: make(elements=np.zeros((0, 8), int)), "there are no elements"),
    "not a material": (lambda: pl.Superelement.from_mesh(NODES, ELEMENTS, "steel", interfaces=ENDS, modes=0), "pl.STEEL"),
    "an unknown shape": (lambda: shape(kind="cube"), "kind must be one of block, disc, plate, box"),
    "a misspelt dimension": (lambda: shape(sizes=1), "there is no sizes; did you mean .*size"),
    "a seat off the plate": (lambda: shape(seats={"one": {"at": (0.01, 0.05), "diameter": 0.04}}), "too close to the edge"),
    "seats that touch": (
        lambda: shape(seats={"one": {"at": (0.05, 0.05), "diameter": 0.04}, "two": {"at": (0.09, 0.05), "diameter": 0.04}}),
        'holes "one" and "two" are too close',
    ),
    "too many elements": (lambda: shape(element="0.1 mm"), "at most 60000 are allowed"),
    "walls that fill a box": (lambda: shape(kind="box", plate=0.005, wall=0.06), "leave no space"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_said(case: str) -> None:
    call, message = BAD[case]
    with pytest.raises(pl.PitchlineError) as told:
        call()
    pattern = message if "\\" in message else re.sub(r"([()?])", r"\\\1", message)
    assert re.search(pattern, str(told.value), re.DOTALL), str(told.value)


def test_matrices_in_other_units_than_the_nodes() -> None:
    """K and M of mm, t, s with places in m: no longer free of stress under rotations. All of mm, t, s: waves too fast."""
    from pitchline.fem.own_mesh.inp_mesh import SolidMesh, mesh_matrices

    K, M = mesh_matrices(SolidMesh.of(NODES, ELEMENTS, STEEL))
    dofs = [(n, c) for n in range(len(NODES)) for c in (1, 2, 3)]
    ends = {name: {"nodes": SETS[way]} for name, way in ENDS.items()}

    def read(scale: float, k: float, m: float) -> pl.Superelement:
        places = dict(enumerate(scale * NODES))
        return pl.Superelement.from_matrices(k * K, m * M, dofs, places, interfaces=ends, modes=0)

    assert read(1.0, 1.0, 1.0).mass == pytest.approx(STEEL.density * np.prod(SIZE))
    with pytest.raises(pl.ModelError, match="120 m"):
        read(1e3, 1e-3, 1e-3)
    with pytest.raises(pl.ModelError, match="denser than any metal"):
        read(1e-3, 1e3, 1e3)
    with pytest.raises(pl.ModelError, match="faster waves than any solid"):
        read(1.0, 1e6, 1.0)
    with pytest.raises(pl.ModelError, match="resists rigid motions"):
        pl.Superelement.from_matrices(K + 1e6 * M, M, dofs, dict(enumerate(NODES)), interfaces=ends, modes=0)
    places = {n: p for n, p in enumerate(NODES) if n != 7}
    with pytest.raises(pl.ModelError, match="have no position, the first is node 7"):
        pl.Superelement.from_matrices(K, M, dofs, places, interfaces=ends, modes=0)


def test_nodes_of_no_element_do_not_matter() -> None:
    more = np.concatenate([[[9.0, 9.0, 9.0]], NODES, [[-3.0, 0.0, 0.0]]])
    sets = {name: np.append(rows + 1, 0) for name, rows in SETS.items()}
    body = make(more, ELEMENTS + 1, node_sets=sets)
    assert body.mass == pytest.approx(make().mass, rel=1e-12)
    assert np.allclose(body.stiffness, make().stiffness, rtol=1e-6, atol=1e-6 * np.abs(body.stiffness).max())


def test_one_interface_is_enough() -> None:
    body = make(interfaces={"a": "z-"}, modes=3)
    m = pl.Model("cantilever")
    part = m.flexible_body("bar", body)
    m.fixed("clamp", m.ground, part["a"])
    assert np.allclose(pl.modes(m).frequencies, body.frequencies, rtol=1e-9)
    assert np.abs(body.stiffness).max() < 1e-3  # rigid motions cost nothing


def test_model_refuses() -> None:
    m = pl.Model("plane", plane="xy")
    body = make()
    with pytest.raises(pl.ModelError, match="flexible bodies deform in space"):
        m.flexible_body("bar", body)
    m = pl.Model("bars")
    with pytest.raises(pl.ModelError, match="must be a Superelement"):
        m.flexible_body("bar", "bar.inp")
    with pytest.raises(pl.ModelError, match="modal_damping is a damping ratio"):
        m.flexible_body("bar", body, modal_damping=2)
    with pytest.raises(pl.ModelError, match="damping must not be negative"):
        m.flexible_body("bar", body, damping=-1)
    made = m.flexible_body("bar", body)
    with pytest.raises(pl.ModelError, match="has no station 'c'"):
        made["c"]


def test_mass_that_is_not_positive() -> None:
    from pitchline.fem.own_mesh.inp_mesh import SolidMesh, mesh_matrices

    K, M = mesh_matrices(SolidMesh.of(NODES, ELEMENTS, STEEL))
    dofs = [(n, c) for n in range(len(NODES)) for c in (1, 2, 3)]
    places, ends = dict(enumerate(NODES)), {"a": {"nodes": SETS["z-"]}}
    with pytest.raises(pl.ModelError, match="negative entries on its diagonal"):
        pl.Superelement.from_matrices(K, -M, dofs, places, interfaces=ends, modes=0)
    lopsided = M.tolil()
    lopsided[0, 1] = 1.0
    with pytest.raises(pl.ModelError, match="mass matrix is not symmetric"):
        pl.Superelement.from_matrices(K, lopsided, dofs, places, interfaces=ends, modes=0)
    with pytest.raises(pl.ModelError, match=r"the mass matrix has the shape \(3, 3\)"):
        pl.Superelement.from_matrices(K, np.eye(3), dofs, places, interfaces=ends, modes=0)


def test_a_reduction_is_kept(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory, and as a file that another process finds; a damaged file is computed anew."""
    from pitchline.parts.flexible import superelement_file as superelement_cache

    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(superelement_cache, "_known", {})
    monkeypatch.setattr(superelement_cache, "WORTH_KEEPING", 10)
    first = make(modes=1)
    assert make(modes=1) is first
    (file,) = (tmp_path / "superelements").glob("*.h5")
    superelement_cache._known.clear()
    again = make(modes=1)
    assert again is not first
    assert again.fingerprint == first.fingerprint
    assert make(modes=2).fingerprint != first.fingerprint
    superelement_cache._known.clear()
    file.write_bytes(file.read_bytes()[:-100])
    assert make(modes=1).fingerprint == first.fingerprint
