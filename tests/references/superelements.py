"""Superelements for tests: a steel bar of bricks with three interfaces, and one of random numbers."""

from functools import cache

import numpy as np
import scipy.sparse as sp
from references.element_bench import Probe, exponential, pose, random_rotation

from pitchline.fem.own_mesh.inp_mesh import SolidMesh, mesh_matrices
from pitchline.parts.flexible import Superelement
from pitchline.parts.flexible.kernel import superelement_element
from pitchline.parts.flexible.reduction import rigid_rows
from pitchline.parts.flexible.shapes import shape_mesh
from pitchline.parts.gears.geometry.inputs import Material

STEEL = Material("steel", density=7850.0, youngs_modulus=2.1e11, poissons_ratio=0.3)
SIZE = (0.03, 0.02, 0.12)
BLOCK = {"kind": "block", "size": SIZE, "element": 0.01}
PATCH = {"low": (0.0099, -1e-6, 0.0549), "high": (0.0201, 1e-6, 0.0651)}
FACES = {"a": {"node_set": "z-"}, "b": {"node_set": "z+"}, "c": {"box": PATCH}}
"""Both ends of the bar and a patch on its side."""


@cache
def bar(modes: int = 8, faces: str = "abc", rigid: bool = True) -> Superelement:
    """The bar with so many modes, on some of its faces."""
    chosen = {name: {**FACES[name], "rigid": rigid} for name in faces}
    return Superelement.from_shape(BLOCK, STEEL, interfaces=chosen, modes=modes)


@cache
def full_bar() -> "FullBar":
    return FullBar()


class FullBar:
    """The bar as one large finite element model whose faces are rigid: what the superelement must agree with."""

    def __init__(self, faces: str = "abc") -> None:
        nodes, elements, sets = shape_mesh(BLOCK)
        mesh = SolidMesh.of(nodes, elements, STEEL, sets)
        inside = np.all((nodes >= PATCH["low"]) & (nodes <= PATCH["high"]), axis=1)
        members = {"a": sets["z-"], "b": sets["z+"], "c": np.flatnonzero(inside)}
        self.K, self.M = mesh_matrices(mesh)
        tied = np.concatenate([members[name] for name in faces])
        free = np.setdiff1d(np.arange(len(nodes)), tied)
        own = (3 * free[:, None] + np.arange(3)).ravel()
        self.places = [nodes[members[name]].mean(axis=0) for name in faces]
        G = sp.lil_matrix((3 * len(nodes), 6 * len(faces) + len(own)))
        for k, name in enumerate(faces):
            for node in members[name]:
                arm = nodes[node] - self.places[k]
                G[3 * node : 3 * node + 3, 6 * k : 6 * k + 6] = rigid_rows(np.zeros(3, int), np.arange(3), arm[None])
        G[own, 6 * len(faces) + np.arange(len(own))] = 1.0
        self.G = G = G.tocsc()
        self.K_rigid, self.M_rigid = (G.T @ self.K @ G).tocsc(), (G.T @ self.M @ G).tocsc()


def _positive(rng: np.random.Generator, n: int) -> np.ndarray:
    A = rng.normal(size=(n, n))
    return A @ A.T / max(n, 1) + np.eye(n)


def random_superelement(rng: np.random.Generator, interfaces: int, modes: int) -> Superelement:
    """Of numbers near 1, so that errors in no part are hidden by the size of others."""
    n = 6 * interfaces + modes
    return Superelement(
        tuple("abcd"[:interfaces]), rng.normal(size=(interfaces, 3)), np.array([random_rotation(rng) for _ in range(interfaces)]),
        _positive(rng, 6 * interfaces), rng.uniform(0.5, 2.0, modes), _positive(rng, n), np.zeros(modes), 1.0, np.zeros(3),
        np.eye(3), np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.zeros((0, 3, n), np.float32),
    )  # fmt: skip


def random_probe(rng: np.random.Generator, interfaces: int, modes: int, *, gravity: float) -> Probe:
    """A random superelement on nodes that are shifted from its interfaces, deformed, anywhere in the world, moving."""
    body = random_superelement(rng, interfaces, modes)
    placed = tuple((rng.normal(size=3), random_rotation(rng)) for _ in range(interfaces))
    pull = gravity * rng.normal(size=3)
    element = superelement_element(
        "body", tuple(range(1, interfaces + 1)), placed, body, damping=0.3, modal_damping=0.2, gravity=pull
    )
    Q, x0 = random_rotation(rng), rng.normal(size=3)
    rows = []
    for node in element.nodes:
        at, axes = placed[node - 1]
        R = body.axes[node - 1] @ axes.T
        x = body.positions[node - 1] - R @ at
        rows.append(pose(x0 + Q @ (x + 0.2 * rng.normal(size=3)), Q @ R @ exponential(0.3 * rng.normal(size=3))))
    return Probe(
        element, np.array(rows), rng.normal(size=(interfaces, 6)), rng.normal(size=(interfaces, 6)), np.zeros(0),
        own={"modes": rng.normal(size=(3, modes))},
    )  # fmt: skip
