"""Meshes of gears as files of other programs, written by small functions of their own."""

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pitchline.fem.hexahedra import CORNERS, EDGES, FACES, shape_functions
from pitchline.fem.sector_grid import SectorGrid

GMSH_20 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 9, 17, 10, 18, 19, 12, 15, 13, 14]
"""Places in the order of VTK of the nodes in Gmsh's order of edges 0-1, 0-3, 0-4, 1-2, 1-5, 2-3, 2-6, 3-7, 4-5, 4-7, 5-6, 6-7."""
GMSH_10 = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]


def faces_of(elements: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Faces of elements of 8, 20 or 10 nodes all of whose nodes are chosen: (k, 4, 8 or 6)."""
    from pitchline.fem.own_mesh.inp_mesh import FACES_OF

    faces = np.concatenate([elements[:, list(face)] for face in FACES_OF[elements.shape[1]]])
    return faces[chosen[faces].all(axis=1)]


def msh(
    path: Path,
    nodes: np.ndarray,
    elements: np.ndarray,
    sets: Mapping[str, np.ndarray],
    version: str = "4.1",
    order: str = "",
    word: int = 8,
) -> Path:
    """A file of Gmsh in mm; sets of nodes become physical surfaces.

    order: "<" or ">" for a binary file. word: bytes of a size_t. Versions 4 have four blocks of nodes: of a point, empty, of a
    surface with parameters, and of the volume.
    """
    each = elements.shape[1]
    kind = {8: 5, 20: 17, 10: 11}[each]
    inside = elements[:, {8: list(range(8)), 20: GMSH_20, 10: GMSH_10}[each]] + 1
    surfaces = []
    for members in sets.values():
        chosen = np.zeros(len(nodes), dtype=bool)
        chosen[members] = True
        surfaces.append(faces_of(elements, chosen) + 1)
    out = bytearray()

    def line(text: str) -> None:
        out.extend(text.encode() + b"\n")

    def put(*values: object) -> None:
        """Numbers of one line: C ints; sizes as ("n", ...); reals."""
        if not order:
            line(
                " ".join(
                    f"{v:.17g}" if isinstance(v, float) else str(v[1] if isinstance(v, tuple) else v) for v in values
                )
            )
            return
        for v in values:
            form = "d" if isinstance(v, float) else {8: "q", 4: "i"}[word] if isinstance(v, tuple) else "i"
            out.extend(struct.pack(order + form, v[1] if isinstance(v, tuple) else v))

    def sizes(*values: object) -> tuple[tuple[str, object], ...]:
        return tuple(("n", v) for v in values)

    line("$MeshFormat")
    line(f"{version} {int(bool(order))} {word}")
    if order:
        put(1)
        line("")
    line("$EndMeshFormat\n$PhysicalNames")
    line(str(len(sets) + 1))
    for k, name in enumerate(sets):
        line(f'2 {k + 1} "{name}"')
    line('3 99 "gear"\n$EndPhysicalNames')
    places = 1e3 * nodes
    old, count = version == "4.0", len(nodes)
    blocks = [(2, k + 1, FACE_KIND[faces.shape[1]], faces) for k, faces in enumerate(surfaces) if len(faces)]
    blocks.append((3, 1, kind, inside))
    total = sum(len(rows) for *_, rows in blocks)
    if version == "2.2":
        line(f"$Nodes\n{count}")
        for n, p in enumerate(places):
            put(n + 1, *map(float, p))
        line(f"$EndNodes\n$Elements\n{total}")
        number = 0
        for dimension, tag, of, rows in blocks:
            if order:
                put(of, len(rows), 2)
            for row in rows:
                number += 1
                put(number, *((of, 2) if not order else ()), tag if dimension == 2 else 99, tag, *map(int, row))
        line("$EndElements")
        path.write_bytes(bytes(out))
        return path
    line("$Entities")
    put(*sizes(1, 0, len(sets), 1))
    put(1, *([0.0] * (6 if old else 3)), *sizes(0))
    for k in range(len(sets)):
        put(k + 1, *[0.0] * 6, *sizes(1), k + 1, *sizes(0))
    put(1, *[0.0] * 6, *sizes(1), 99, *sizes(1), -1)
    line("$EndEntities\n$Nodes")
    ends = [0, 1, 1, count // 2, count]
    put(*sizes(4, count), *(() if old else sizes(1, count)))
    for (dimension, parametric), first, last in zip(((0, 0), (1, 0), (2, 1), (3, 0)), ends, ends[1:], strict=False):
        put(*((1, dimension) if old else (dimension, 1)), parametric, *sizes(last - first))
        more = [0.25] * (dimension if parametric else 0)
        if not old:
            for n in range(first, last):
                put(*sizes(n + 1))
        for n in range(first, last):
            put(*((n + 1,) if old else ()), *map(float, places[n]), *more)
    line("$EndNodes\n$Elements")
    put(*sizes(len(blocks), total), *(() if old else sizes(1, total)))
    number = 0
    for dimension, tag, of, rows in blocks:
        put(*((tag, dimension) if old else (dimension, tag)), of, *sizes(len(rows)))
        for row in rows:
            number += 1
            values = (number, *map(int, row))
            put(*(values if old else sizes(*values)))
    line("$EndElements")
    path.write_bytes(bytes(out))
    return path


def _numbers(values: np.ndarray, between: str) -> str:
    return between.join(f"{value:.17g}" for value in values)


FACE_KIND = {3: 2, 4: 3, 6: 9, 8: 16}


def inp(path: Path, nodes: np.ndarray, elements: np.ndarray, sets: Mapping[str, np.ndarray]) -> Path:
    """A file of Abaqus in mm without a material, with node sets."""
    kind = {8: "C3D8", 20: "C3D20", 10: "C3D10", 4: "C3D4"}[elements.shape[1]]
    lines = ["*NODE"] + [f"{n + 1}, {_numbers(p, ', ')}" for n, p in enumerate(1e3 * nodes)]
    lines.append(f"*ELEMENT, TYPE={kind}")
    for number, row in enumerate(elements, 1):
        entries = [str(number), *(str(n + 1) for n in row)]
        lines.append(", ".join(entries[:16]) + ("," if len(entries) > 16 else ""))
        lines += [", ".join(entries[16:])] if len(entries) > 16 else []
    for name, members in sets.items():
        lines.append(f"*NSET, NSET={name}")
        lines += [", ".join(str(n + 1) for n in members[i : i + 16]) for i in range(0, len(members), 16)]
    path.write_text("\n".join([*lines, ""]))
    return path


def tetrahedra(sector: SectorGrid) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Twelve tetrahedra of 10 nodes in each hexahedron of 20: nodes, elements, and sets.

    Each face is cut by the diagonal of its least corner, with the same numbers on both sides of the sector, so that
    neighbours fit. The
    middles of the edges of hexahedra are nodes already. Others are added where the shape functions of the hexahedron have them, so
    that surfaces stay the same.
    """
    grid = sector.solid
    rank = np.arange(len(grid.nodes))
    rank[sector.high_side] = rank[sector.low_side]
    edges = {tuple(sorted(edge)): 8 + e for e, edge in enumerate(EDGES)}
    places, numbers, rows = list(grid.nodes), {}, []
    for element, hexahedron in enumerate(grid.elements):
        own = grid.nodes[hexahedron]

        def at(key: tuple[int, ...], reference: np.ndarray, own: np.ndarray = own) -> int:
            if key not in numbers:
                numbers[key] = len(places)
                places.append(shape_functions(20, reference[None])[0] @ own)
            return numbers[key]

        centre = at((-1 - element,), np.zeros(3))
        for face in FACES:
            corners = list(face[:4])
            first = int(np.argmin(rank[hexahedron[corners]]))
            corners = corners[first:] + corners[:first]
            for a, b, c in ((0, 1, 2), (0, 2, 3)):
                triple = [corners[a], corners[c], corners[b]]  # seen from the centre
                nodes = [int(hexahedron[k]) for k in triple]
                ends = [*zip(triple, nodes, strict=True)]
                middles = []
                for (i, n), (j, m) in ((ends[0], ends[1]), (ends[1], ends[2]), (ends[2], ends[0])):
                    known = edges.get((min(i, j), max(i, j)))
                    middle = (CORNERS[i] + CORNERS[j]) / 2
                    middles.append(int(hexahedron[known]) if known else at((min(n, m), max(n, m)), middle))
                inner = [at((-1 - element, n), CORNERS[i] / 2) for i, n in ends]
                rows.append([*nodes, centre, *middles, *inner])
    sets = {name: list(members) for name, members in grid.node_sets.items()}
    for name, members in grid.node_sets.items():
        chosen = np.zeros(len(grid.nodes), dtype=bool)
        chosen[members] = True
        for corners in faces_of(grid.elements, chosen)[:, :4]:
            pairs = (tuple(sorted((int(corners[a]), int(corners[b])))) for a, b in ((0, 2), (1, 3)))
            sets[name] += [numbers[pair] for pair in pairs if pair in numbers]
    return np.array(places), np.array(rows), {name: np.array(members) for name, members in sets.items()}
