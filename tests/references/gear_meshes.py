"""Meshes of gears as files of other programs, written by small functions of their own."""

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
    from pitchline.fem.meshes.solid_mesh import FACES_OF

    faces = np.concatenate([elements[:, list(face)] for face in FACES_OF[elements.shape[1]]])
    return faces[chosen[faces].all(axis=1)]


def msh(
    path: Path, nodes: np.ndarray, elements: np.ndarray, sets: Mapping[str, np.ndarray], version: str = "4.1"
) -> Path:
    """A file of Gmsh in mm; sets of nodes become physical surfaces."""
    each = elements.shape[1]
    kind = {8: 5, 20: 17, 10: 11}[each]
    order = {8: list(range(8)), 20: GMSH_20, 10: GMSH_10}[each]
    surfaces = []
    for members in sets.values():
        chosen = np.zeros(len(nodes), dtype=bool)
        chosen[members] = True
        surfaces.append(faces_of(elements, chosen))
    lines = ["$MeshFormat", f"{version} 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(sets) + 1)]
    lines += [f'2 {k + 1} "{name}"' for k, name in enumerate(sets)] + ['3 99 "gear"', "$EndPhysicalNames"]
    places = 1e3 * nodes
    if version == "4.1":
        lines += ["$Entities", f"0 0 {len(sets)} 1"]
        lines += [f"{k + 1} 0 0 0 1 1 1 1 {k + 1} 0" for k in range(len(sets))] + [
            "1 0 0 0 1 1 1 1 99 0",
            "$EndEntities",
        ]
        lines += ["$Nodes", f"1 {len(nodes)} 1 {len(nodes)}", f"3 1 0 {len(nodes)}"]
        lines += [str(n + 1) for n in range(len(nodes))] + [_numbers(p, " ") for p in places]
        blocks = [(2, k + 1, faces) for k, faces in enumerate(surfaces)] + [(3, 1, elements[:, order])]
        total = sum(len(rows) for _, _, rows in blocks)
        lines += ["$EndNodes", "$Elements", f"{len(blocks)} {total} 1 {total}"]
        number = 0
        for dimension, tag, rows in blocks:
            lines.append(f"{dimension} {tag} {kind if dimension == 3 else FACE_KIND[rows.shape[1]]} {len(rows)}")
            for row in rows:
                number += 1
                lines.append(" ".join(map(str, [number, *(row + 1)])))
    else:
        lines += ["$Nodes", str(len(nodes))]
        lines += [f"{n + 1} {_numbers(p, ' ')}" for n, p in enumerate(places)]
        lines += ["$EndNodes", "$Elements", str(len(elements) + sum(map(len, surfaces)))]
        number = 0
        for k, faces in enumerate(surfaces):
            for row in faces:
                number += 1
                lines.append(" ".join(map(str, [number, FACE_KIND[len(row)], 2, k + 1, k + 1, *(row + 1)])))
        for row in elements[:, order]:
            number += 1
            lines.append(" ".join(map(str, [number, kind, 2, 99, 1, *(row + 1)])))
    path.write_text("\n".join([*lines, "$EndElements", ""]))
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
