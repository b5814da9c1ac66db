"""Which cells of a contact lie at an edge: of a tip, of the other end of a flank, or of the face.

At a sharp edge the pressure of elastic bodies has no bound: its value in a cell depends on the size of the cell. A contact that
reaches the end of a flank, so that the last cell there carries load, is therefore marked as far as Hertz's half width goes from
that end; and all that carries load within that distance of an end of the face, the last slice at least.

The start of a linear relief is an obtuse edge: its pressure increases by the same amount whenever the cells are halved. Cells
within a quarter of Hertz's half width of it are marked. Farther away the pressure has a limit, which the cells resolve.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .edge_names import EDGES
from .elastic_pair import Contact, ElasticPair, Ridges

__all__ = ["edge_cells"]

_TIP_A, _TIP_B, _ROOT_A, _ROOT_B, _END, _RELIEF_A, _RELIEF_B = range(1, len(EDGES))
_NEAR_RIDGE = 0.25
"""Distance from the start of a relief within which cells are marked, in half widths."""

IntArray = npt.NDArray[np.int64]


def edge_cells(contact: Contact, pair: ElasticPair) -> IntArray:
    """(strips, cells of a strip) numbers of `EDGES`."""
    strips, count = contact.strips, contact.count
    marks = np.zeros((len(strips), count), dtype=np.int64)
    if len(strips) == 0:
        return marks
    loaded = contact.loads.reshape(-1, count) > 0.0
    height, half = strips["height"], np.maximum(strips["half_width"], strips["height"])
    # ends of the face
    width = pair.widths * pair.shape_a.base_helix_cosine
    low, high = pair.zeta[0] - 0.5 * width[0], pair.zeta[-1] + 0.5 * width[-1]
    here = pair.zeta[strips["slice"]]
    last = (strips["slice"] == 0) | (strips["slice"] == len(pair.zeta) - 1)
    at_end = last | (np.minimum(here - low, high - here) < half)
    marks[at_end[:, None] & loaded] = _END
    # ends of the flanks
    beyond = np.arange(count) * height[:, None]  # of the near border of each cell from the low end
    kinds = _kinds(contact, pair)
    for flag, first, distance, kind in (
        ("at_low", 0, beyond, kinds[0]),
        ("at_high", -1, beyond[:, ::-1], kinds[1]),
    ):
        reached = (strips[flag] != 0) & loaded[:, first]
        near = reached[:, None] & loaded & (distance < half[:, None])
        marks = np.where(near, kind[:, None], marks)
    for name, ridges, relief in (("a", pair.ridges_a, _RELIEF_A), ("b", pair.ridges_b, _RELIEF_B)):
        near = _near_ridge(contact, pair, name, ridges) & loaded & (marks == 0)
        marks[near] = relief
    return marks


def _near_ridge(contact: Contact, pair: ElasticPair, gear: str, ridges: Ridges) -> npt.NDArray[np.bool_]:
    """(strips, cells) whether a cell is close to a convex edge inside the flank of a gear."""
    strips, count = contact.strips, contact.count
    height = strips["height"][:, None]
    half = np.maximum(strips["half_width"][:, None], height)
    near = np.zeros((len(strips), count), dtype=np.bool_)
    lengths, faces = (contact.cells[f"{key}_{gear}"].reshape(-1, count) for key in ("length", "face"))
    if len(ridges[0]):
        step = np.abs(np.diff(lengths, axis=1).mean(axis=1))[:, None]  # of the roll length from cell to cell
        for line in ridges[0]:
            near |= np.abs(lengths - line) / step * height <= np.maximum(_NEAR_RIDGE * half, 0.75 * height)
    width = pair.widths[strips["slice"]][:, None] * pair.shape_a.base_helix_cosine
    for line in ridges[1]:
        near |= np.abs(faces - line) <= np.maximum(_NEAR_RIDGE * half, 0.51 * width)
    return near


def _kinds(contact: Contact, pair: ElasticPair) -> tuple[IntArray, IntArray]:
    """What ends each strip at its least and at its greatest L of gear A."""
    lengths_a = contact.cells["length_a"].reshape(-1, contact.count)
    lengths_b = contact.cells["length_b"].reshape(-1, contact.count)
    step = np.abs(lengths_a[:, 1] - lengths_a[:, 0])
    limits_a, limits_b = (np.array([shape.limits.min(), shape.limits.max()]) for shape in (pair.shape_a, pair.shape_b))
    internal_b = pair.b.teeth.gear.internal

    def of_b(length: npt.NDArray[np.float64]) -> IntArray:
        at_high = np.abs(length - limits_b[1]) < np.abs(length - limits_b[0])
        return np.where(at_high != internal_b, _TIP_B, _ROOT_B)  # the tip of an internal gear has the least L

    low = np.where(lengths_a[:, 0] - limits_a[0] < step, _ROOT_A, of_b(lengths_b[:, 0]))
    high = np.where(limits_a[1] - lengths_a[:, -1] < step, _TIP_A, of_b(lengths_b[:, -1]))
    return low, high
