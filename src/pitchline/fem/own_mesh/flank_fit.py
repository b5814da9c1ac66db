"""Whether the flanks of a mesh are those of the gear: thickness and helix of the teeth, and the largest distance.

Corners of elements are on the flanks in a mesh of the same geometry, whatever the size of its elements. Modifications and
measured deviations are small, and are largest at the ends of the flank. Another profile shift, tooth thickness or helix angle moves
all corners of a flank, or its ends in opposite directions. The tolerance of these is a part of the module and a quarter of the
distance between the edges of elements and the flank (their chord error): below that the mesh does not resolve them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...errors import ModelError
from ...gears.gear import Gear
from ...gears.surfaces.surface_teeth import SurfaceTeeth
from ...gears.teeth import Teeth
from ...progress import note
from ..meshes.solid_mesh import FloatArray, IntArray
from .flank_places import places_on_flank
from .gear_solid import GearSolid

__all__ = ["check_fit"]

_THICKNESS, _HELIX, _NOTED = 0.002, 0.004, 0.005
"""In modules."""
_CHORD, _MOST = 0.25, 0.003
"""Part of the chord error, at most [modules]."""
_SAMPLE = 500
"""Faces of a tooth, about, whose chord error is computed."""
_ENDS = 0.3
"""Part of the face width at each of its ends."""


def check_fit(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: str, faces: Mapping[int, tuple[IntArray, ...]]
) -> None:
    """An error for teeth of another thickness or helix angle than those of the gear. A note states other large distances."""
    gear = teeth.gear
    assert isinstance(gear, Gear)
    tables = [
        table[:, : 3 if table.shape[1] in (3, 6) else 4] for each in faces.values() for table in each if len(table)
    ]
    nodes = np.unique(np.concatenate([table.ravel() for table in tables]))
    at = places_on_flank(teeth, side, solid.nodes[nodes])
    chord = _chord_error(solid.nodes, teeth, side, tables, nodes, at.above)
    module = gear.normal_module
    more = min(_CHORD * chord, _MOST * module)
    inside = (at.profile > 0.2) & (at.profile < 0.8)
    inside = inside if inside.any() else np.ones(len(nodes), dtype=bool)
    offset = float(np.median(at.above[inside]))
    largest = float(np.abs(at.above).max())
    found = (
        f"{solid.what}: corners of elements are {1e6 * offset:+.3g} µm (median) and at most {1e6 * largest:.3g} µm away from the "
        f"{side} flanks of the gear, outwards of its material"
    )
    limit = _THICKNESS * module + more
    if abs(offset) > limit:
        angle = gear.normal_pressure_angle
        raise ModelError(
            f"{found}; the tolerance is {1e6 * limit:.3g} µm. The teeth of the mesh are "
            f"{'thicker' if offset > 0.0 else 'thinner'}. This is a difference of the profile shift of "
            f"{abs(offset) / (module * math.sin(angle)):.3g}, or of the backlash_allowance of "
            f"{2e3 * abs(offset) / math.cos(angle):.3g} mm. Specify the gear of this mesh (profile_shift, backlash_allowance), or "
            "use the flanks of the mesh itself: `MeshedGear.flank_points`"
        )
    share = (at.face - at.face.min()) / max(float(np.ptp(at.face)), 1e-30)
    first, last = inside & (share < _ENDS), inside & (share > 1.0 - _ENDS)
    if first.any() and last.any():
        lean = 0.5 * float(np.median(at.above[last]) - np.median(at.above[first]))
        limit = _HELIX * module + more
        if abs(lean) > limit:
            raise ModelError(
                f"{found}. At the ends of the face they are {1e6 * abs(lean):.3g} µm on either side of it, more than "
                f"{1e6 * limit:.3g} µm. Specify the helix angle and the profile shift angle of this mesh for the gear, or use the "
                "flanks of the mesh itself: `MeshedGear.flank_points`"
            )
    if largest > _NOTED * module:
        note(f"{found}. Contact has the flanks of the gear; the mesh defines their elasticity only")


def _chord_error(
    nodes: FloatArray,
    teeth: Teeth | SurfaceTeeth,
    side: str,
    tables: list[IntArray],
    corners: IntArray,
    above: FloatArray,
) -> float:
    """Median of the largest distance of the straight edges of each face from the flank between its corners [m]."""
    height = np.zeros(len(nodes))
    height[corners] = above
    largest = []
    for every in tables:
        table = every[:: max(1, len(every) // _SAMPLE)]
        ends = np.stack([table, np.roll(table, -1, axis=1)])
        pairs, back = np.unique(np.sort(ends.reshape(2, -1), axis=0), axis=1, return_inverse=True)
        middle = places_on_flank(teeth, side, 0.5 * (nodes[pairs[0]] + nodes[pairs[1]]))
        apart = np.abs(middle.above - 0.5 * (height[pairs[0]] + height[pairs[1]]))
        largest.append(apart[back.ravel()].reshape(table.shape).max(axis=1))
    return float(np.median(np.concatenate(largest)))
