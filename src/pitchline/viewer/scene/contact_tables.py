"""Pressures on the flanks of gear A over the mesh cycle and the load, from an analysis of the contact, as a page draws them.

Each load and position has its patches, one a pair of teeth: rows along the face with their ζ and the roll lengths at both rims,
and pressures in columns from the first rim to the second, evenly along the profile (L²/2r_b).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...results.flank_contact import ContactPatch, FlankContact
from ...results.loaded_contact import LoadedContact
from ..block import Block

__all__ = ["pressure_table"]

Array = NDArray[np.float64]
Patch = tuple[int, Array, Array, Array, Array]
"""Tooth of A, ζ (r,), L at both rims (r,), pressures (r, c)."""

_ROWS, _COLUMNS = 41, 13


def pressure_table(
    found: LoadedContact | FlankContact, pair: str, block: Block, *, torques: Sequence[int] | None = None
) -> dict[str, Any]:
    """The patches of some torques, by their places, or of all. pair: whose they are."""
    chosen = range(len(found.torque)) if torques is None else torques
    if isinstance(found, LoadedContact):
        angles, loads = found.angle, found.force[list(chosen)] / np.cos(found.base_helix_angle)
        states = [_of_strips(found, t, i) for t in chosen for i in range(len(angles))]
        largest, edge = found.max_pressure[list(chosen)].max(), found.edge_pressure[list(chosen)].max()
    else:
        angles, loads = found.phase * found.a.gear.angular_pitch, found.normal_force[list(chosen)].mean(axis=1)
        patches = [found.patches[t][i] for t in chosen for i in range(len(angles))]
        states = [[_of_patch(patch) for patch in now] for now in patches]
        largest = max((patch.pressure_inside for now in patches for patch in now), default=0.0)
        edge = max((patch.peak_pressure for now in patches for patch in now), default=0.0)
    all_patches = [patch for state in states for patch in state]
    rows = max((len(patch[1]) for patch in all_patches), default=0)
    columns = max((patch[4].shape[1] for patch in all_patches), default=0)
    flank = found.a.flank(found.side).involute
    name = f"pressure {len(block.arrays)}"

    def add(key: str, values: Any, dtype: str = "f4") -> str:
        return block.add(f"{name}/{key}", values, dtype)

    lines = [
        [patch[1] for patch in all_patches],
        [patch[2] for patch in all_patches],
        [patch[3] for patch in all_patches],
    ]
    stacked = [np.array([_padded(one, rows) for one in line]).reshape(-1, rows) for line in lines]
    pressure = np.array([_padded(patch[4], rows, fill=0.0) for patch in all_patches]).reshape(-1, rows, columns)
    return {
        "pair": pair, "side": int(flank.side), "base_radius": flank.base_radius, "base_angle": flank.base_angle,
        "twist": flank.twist, "rows": rows, "columns": columns, "loads": [float(load) for load in loads],
        "angles": add("angles", angles), "first": add("first", np.cumsum([0, *(len(state) for state in states)]), "u4"),
        "tooth": add("tooth", [patch[0] for patch in all_patches], "i2"), "zeta": add("zeta", stacked[0]),
        "low": add("low", stacked[1]), "high": add("high", stacked[2]), "pressure": add("values", pressure),
        "labels": [f"{found.torque[t]:.5g} N·m" for t in chosen],
        "largest": float(largest or edge), "cut": bool(edge > 1.02 * (largest or edge)), "text": _words(found, chosen),
    }  # fmt: skip


def _words(found: LoadedContact | FlankContact, chosen: Sequence[int]) -> str:
    torques = ", ".join(f"{found.torque[t]:.5g}" for t in chosen)
    count = len(found.phase)
    where = "one position" if count == 1 else f"{count} positions of the mesh cycle"
    return f"Pressure of the {found.kind} of elastic gears under {torques} N·m on gear B, computed in {where}."


def _padded(values: Array, rows: int, fill: float | None = None) -> Array:
    """With more rows at the end: the last one again, so that nothing is drawn there, or a value."""
    more = rows - len(values)
    last = values[-1:] if fill is None else np.full_like(values[-1:], fill)
    return np.concatenate([values, np.repeat(last, more, axis=0)]) if more else values


def _of_patch(patch: ContactPatch) -> Patch:
    zeta, low, high = (values[:: max(1, len(values) // (_ROWS - 1))] for values in patch.outline)
    t = np.linspace(0.0, 1.0, _COLUMNS)
    L = np.sqrt(low[:, None] ** 2 + t * (high**2 - low**2)[:, None])
    return patch.tooth_a, zeta, low, high, patch.pressure_at(L, np.broadcast_to(zeta[:, None], L.shape))


def _of_strips(found: LoadedContact, torque: int, position: int) -> list[Patch]:
    load = found.flank_load(torque, position)
    made = []
    for tooth in np.unique(load.tooth_a):
        own = np.flatnonzero((load.tooth_a == tooth) & (load.line_load > 0.0))
        if not len(own):
            continue
        own = own[np.argsort(load.face[own])]
        ends = load.face[own[[0, -1]]]
        own = own[np.unique(np.linspace(0, len(own) - 1, min(len(own), _ROWS)).round().astype(int))]
        L, p, zeta = load.roll_length_a[own], load.pressure[own], load.face[own]
        if L[0, 0] > L[0, -1]:
            L, p = L[:, ::-1], p[:, ::-1]
        # strips have a width: the patch ends at the rims of the first and the last
        width = found.widths[np.searchsorted(found.faces, ends)]
        half = 0.5 * found.a.gear.required_face_width("contact")
        ends = np.clip(ends + np.array([-0.5, 0.5]) * width, -half, half)
        zeta, L, p = np.array([ends[0], *zeta, ends[1]]), L[[0, *range(len(own)), -1]], p[[0, *range(len(own)), -1]]
        made.append((int(tooth), zeta, L[:, 0], L[:, -1], p))
    return made
