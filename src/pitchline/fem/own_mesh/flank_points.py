"""Points on the flanks of one tooth of a mesh of a user, to make teeth of them."""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from ...errors import ModelError, shown
from ...gears.gear import Gear
from ..meshes.solid_mesh import FloatArray
from .gear_solid import gear_solid
from .options import MeshedGear

__all__ = ["points_of_tooth"]


def points_of_tooth(own: MeshedGear, gear: Gear, side: str) -> FloatArray:
    """(n, 3) nodes of the named flank, of the tooth closest to the x axis [m]."""
    if side not in ("left", "right"):
        raise ModelError(f'{own.called}: side must be "left" or "right", got {shown(side)}')
    if own.flanks is None:
        raise ModelError(f'{own.called}: name the sets of the flanks: flanks={{"left": ..., "right": ...}}')
    solid = gear_solid(own, gear, gear.material)
    tables = [table for name in own.flanks[side] for table in solid.faces_in(name) if len(table)]
    n = len(solid.nodes)
    first = np.concatenate([np.repeat(t[:, 0], t.shape[1] - 1) for t in tables])
    other = np.concatenate([t[:, 1:].ravel() for t in tables])
    _, part = connected_components(sp.coo_matrix((np.ones(len(first)), (first, other)), shape=(n, n)), directed=False)
    members = np.unique(np.concatenate([t.ravel() for t in tables]))
    turn = 0.0 if own.turn is None else own.turn
    P = (solid.nodes[:, 0] + 1j * solid.nodes[:, 1]) * np.exp(1j * turn)
    best = min(np.unique(part[members]), key=lambda k: abs(np.angle(P[members[part[members] == k]].mean())))
    chosen = members[part[members] == best]
    if abs(np.angle(P[chosen].mean())) > 2.0 * math.pi / gear.teeth:
        raise ModelError(f"{solid.what}: no {side} flank is next to the x axis. Rotate the mesh: turn=...")
    return np.stack([P[chosen].real, P[chosen].imag, solid.nodes[chosen, 2]], axis=-1)
