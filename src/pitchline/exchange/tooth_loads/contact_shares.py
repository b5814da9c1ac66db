"""Shares of the tooth force at the nodes of a gear grid, from loaded contact, over mesh phase and load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...fem.sector_grid import SectorGrid
from ...results.loaded_contact import LoadedContact

__all__ = ["ContactShares", "Share", "contact_shares"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Share:
    """Shares in one position under one load.

    teeth, mates: (m,) numbers of teeth of this gear and of the other one, not wrapped. nodes: (m,) of the sector grid of one tooth.
    part: (m,) fraction of the normal force, sum 1. pressure: by tooth [Pa]
    """

    teeth: IntArray
    mates: IntArray
    nodes: IntArray
    part: FloatArray
    pressure: dict[int, float]


@dataclass(frozen=True, eq=False)
class ContactShares:
    """Shares of one flank over loads and positions of one mesh cycle.

    forces: (t,) normal forces [N]. shares: [t][n] positions of one pitch. side: of this gear. teeth_step, mates_step: by which the
    numbers of teeth change from one mesh cycle to the next.
    """

    forces: FloatArray
    shares: list[list[Share]]
    side: str
    teeth_step: int
    mates_step: int

    def at(self, phase: float, force: float) -> list[tuple[float, Share, int]]:
        """(weight, shares, mesh cycles) that are added for a phase [pitches of gear A] and a force [N]."""
        n = len(self.shares[0])
        place = phase * n
        low = int(np.floor(place))
        beyond = place - low
        t = int(np.clip(np.searchsorted(self.forces, force) - 1, 0, max(len(self.forces) - 2, 0)))
        loads = [(1.0, t)]
        if len(self.forces) > 1:
            over = float(np.clip((force - self.forces[t]) / (self.forces[t + 1] - self.forces[t]), 0.0, 1.0))
            loads = [(1.0 - over, t), (over, t + 1)]
        found = []
        for weight, level in loads:
            for part, position in ((1.0 - beyond, low), (beyond, low + 1)):
                if weight * part > 0.0:
                    found.append((weight * part, self.shares[level][position % n], position // n))
        return found


def contact_shares(contact: LoadedContact, sector: SectorGrid, *, second: bool) -> ContactShares:
    """Shares at the nodes of the sector grid of gear A, or of gear B if `second`."""
    side = _side(contact, second)
    patch = sector.flanks[side]
    step = sector.solid.order
    nodes = patch.nodes[::step, ::step]
    lengths, zeta = patch.lengths[::step, ::step].mean(axis=1), patch.zeta[::step]
    if lengths[0] > lengths[-1]:
        nodes, lengths = nodes[::-1], lengths[::-1]
    end = "b" if second else "a"
    rows = [
        [_share(contact, t, n, end, nodes, lengths, zeta) for n in range(len(contact.phase))]
        for t in range(len(contact.torque))
    ]
    internal = contact.b.gear.internal
    forward, back = -1, -1 if internal else 1
    steps = (back, forward) if second else (forward, back)
    forces = contact.force / np.cos(contact.base_helix_angle)
    return ContactShares(forces, rows, side, *steps)


def _side(contact: LoadedContact, second: bool) -> str:
    """Flank of the gear that touches: of gear B the one whose normals are opposite to those of gear A."""
    if not second:
        return contact.side
    one = contact.contacts[0][0]
    cell, strip = int(np.argmax(one.loads)), int(np.argmax(one.loads)) // one.count
    A = contact.a.flank(contact.side).involute
    n_a = _turned(
        A.normal(one.cells["length_a"][cell], one.cells["face_a"][cell]),
        contact.angle[0] + contact.a.gear.angular_pitch * one.strips["tooth_a"][strip],
    )
    found = {}
    for side in ("left", "right"):
        B = contact.b.flank(side).involute
        own = _turned(
            B.normal(one.cells["length_b"][cell], one.cells["face_b"][cell]),
            contact.angle_b[0] + contact.b.gear.angular_pitch * one.strips["tooth_b"][strip],
        )
        found[side] = float(n_a @ contact.placement_b.rotation @ own)
    return min(found, key=lambda side: found[side])


def _turned(vector: FloatArray, angle: float) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1], vector[2]])


def _share(
    contact: LoadedContact, t: int, n: int, end: str, nodes: IntArray, lengths: FloatArray, zeta: FloatArray
) -> Share:
    one = contact.contacts[t][n]
    loads = np.asarray(one.loads, dtype=np.float64)
    active = np.flatnonzero(loads > 0.0)
    strip = active // one.count
    teeth, mates = one.strips[f"tooth_{end}"][strip], one.strips[f"tooth_{'a' if end == 'b' else 'b'}"][strip]
    part = loads[active] / loads[active].sum()
    i, u = _between(lengths, one.cells[f"length_{end}"][active])
    j, v = _between(zeta, one.cells[f"face_{end}"][active])
    corners = ((0, 0, (1 - u) * (1 - v)), (1, 0, u * (1 - v)), (0, 1, (1 - u) * v), (1, 1, u * v))
    all_nodes = np.concatenate([nodes[i + a, j + b] for a, b, _ in corners])
    parts = np.concatenate([part * weight for _, _, weight in corners])
    owner, mate = np.tile(teeth, 4), np.tile(mates, 4)
    keys, where = np.unique(np.stack([owner, mate, all_nodes]), axis=1, return_inverse=True)
    summed: FloatArray = np.asarray(np.bincount(where.ravel(), parts, minlength=keys.shape[1]), dtype=np.float64)
    kept = summed > 0.0
    height, width = one.strips["height"][strip], contact.widths[one.strips["slice"][strip]]
    pressure = loads[active] / (height * width)
    largest = {int(k): float(pressure[teeth == k].max()) for k in np.unique(teeth)}
    return Share(keys[0][kept], keys[1][kept], keys[2][kept], summed[kept], largest)


def _between(grid: FloatArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Interval of an ascending grid and position in it, 0 to 1; values outside are at its ends."""
    at = np.clip(np.searchsorted(grid, values) - 1, 0, len(grid) - 2)
    return at, np.clip((values - grid[at]) / (grid[at + 1] - grid[at]), 0.0, 1.0)
