"""From two gears to the table of their loaded teeth.

At every phase and load two elastic gears are pressed together (`elastic_pair`), and how far gear B gives way on its base
circle is the approach of the table,

    u(F, φ) = x/cos β_b ,    F = T/r_b ,

with x along the normals of the flanks, which is the lagging transmission error of `loaded_contact`. Without load x is
the least gap of the rigid flanks: first touch.

**Which tilts.** Tables over the tilt f repeat that with gear B tilted in the plane of action. It turns about the middle of its
face, and the approach of the table is that at the pitch point: what the tilt closes there is added, and so it is where the
axis is misaligned in the initial pose.

**Which phase.** `Loaded` counts φ = z_A ψ_A / 2π from where the middle of a tooth of A points at the pitch point, A
turning forwards; so does the pose of the contact analysis, whose tooth 0 of A is then in a space of B. Wheel A pushes
forwards with its left flanks: these are the drive side, the right flanks the coast side at the same phases.

**Which loads.** Hertz's contact stiffens with the logarithm of the load, crowned flanks with its square root or so:
most of the bend is at light loads. Loads spaced with the square of their number meet it.

**Which phases.** Where a pair of spur teeth comes in or leaves, the approach has a kink, and the jump of its rate is what
rings the wheels. A spline rounds it off over the distance of two phases, which is to be short against the period of the
mesh's own vibration at the speed of the run: too few phases make gears too quiet.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, PitchlineError
from ..fem.elastic_gear import ElasticGear, elastic_gear
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import Teeth
from ..model.computed_table import ComputedTable, TableRequest
from ..model.table_request import has_even_faces, is_symmetric, teeth_of
from ..progress import stage
from .general_tables import general_table
from .load_cycle import load_cycle
from .mesh_pose import MeshPose, mesh_pose
from .surface_elastic_pair import elastic_pair, involutes_of

__all__ = ["compute_table", "loaded_table"]

FloatArray = npt.NDArray[np.float64]
BothTeeth = tuple[Teeth | SurfaceTeeth, Teeth | SurfaceTeeth]

_NEIGHBOURS = 3
"""Elastic gears know at least so many neighbour teeth: they are kept, and most pairs can then use them."""


def loaded_table(request: TableRequest, *, what: str) -> ComputedTable:
    """The table of two gears. what: of whom, for progress and errors."""
    given = []
    for name, gear in (("a", request.gear_a), ("b", request.gear_b)):
        try:
            given.append(teeth_of(gear))
        except ModelError as error:
            raise ModelError(f"{what}, gear {name}: {error}") from None
    teeth = given[0], given[1]
    reach = _NEIGHBOURS
    if request.placement is None:
        reach = max(reach, math.ceil(_pose(request, teeth, "left").pair.total_contact_ratio))
    a, b = (
        _elastic(one, request.bore, reach, elements, f"{what}, gear {name}")
        for name, one, elements in zip("ab", teeth, (request.elements_a, request.elements_b), strict=True)
    )
    with stage(f"table of loaded contact of {what}", implied=True) as now:
        tell = now.telling(None)
        compute = compute_table if request.placement is None else general_table
        try:
            return compute(request, a, b, lambda part: tell(part, "contact"))
        except PitchlineError as error:
            raise type(error)(f"{what}: {error}") from error


def _elastic(teeth: Any, bore: str, reach: int, elements: Mapping[str, object], what: str) -> ElasticGear:
    name = f"{what}, {teeth.gear.teeth} teeth"
    try:
        found = elastic_gear(teeth, bore=bore, offsets=reach, grid=elements or None, name=name)
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None
    if not found.symmetric:
        raise ModelError(
            f"{what}: the mesh is a whole gear, whose teeth may differ, but a table contains only one mesh cycle. "
            f"Use Flank(), or a mesh "
            "of one tooth"
        )
    return found


def compute_table(
    request: TableRequest, a: ElasticGear, b: ElasticGear, done: Callable[[float], None] | None = None
) -> ComputedTable:
    """The table of two elastic gears. done: called with the part that is done, from 0 to 1."""
    teeth = a.teeth, b.teeth
    own_coast = request.coast
    if own_coast is None:
        moved = request.face_offset or request.deviation or request.inclination
        own_coast = bool(moved) or not all(is_symmetric(one) for one in teeth)
    sides = ("left", "right") if own_coast else ("left",)
    tilts = np.array(request.tilts) if request.tilts else np.zeros(1)
    mirrored = _is_mirrored(request, teeth, tilts)
    computed = tilts[tilts >= 0.0] if mirrored else tilts
    torques = np.array(request.torques)
    u: list[FloatArray] = []
    factors: list[FloatArray] = []
    for i, (side, tilt) in enumerate(itertools.product(sides, computed.tolist())):

        def told(part: float, before: int = i) -> None:
            if done is not None:
                done((before + part) / (len(sides) * len(computed)))

        pose = _pose(request, teeth, side, tilt)
        pair = elastic_pair(a, b, side=side, pose=pose.placement, resolution=request.resolution, cells=request.cells)
        found, most = load_cycle(pair, pose, torques, request.phases, told, start=request.start)
        u.append(found + pose.closing_at_pitch_point(request.pitch_point))
        factors.append(most)
    parts = [_of_sides(rows, len(sides), request, mirrored) for rows in (u, factors)]
    (drive, coast), (drive_factors, coast_factors) = parts
    force = np.concatenate([[0.0], torques / pair.shape_b.base_radius])
    return ComputedTable(force, drive, coast, drive_factors, coast_factors)


def _of_sides(
    rows: list[FloatArray], sides: int, request: TableRequest, mirrored: bool
) -> tuple[FloatArray, FloatArray | None]:
    """Tables of the drive and the coast flank, over all tilts; without tilt if it is not a variable."""
    values = np.array(rows).reshape(sides, -1, *rows[0].shape)
    if not request.tilts:
        values = values[:, 0]
    elif mirrored:
        values = np.concatenate([values[:, :0:-1], values], axis=1)
    return values[0], values[1] if sides > 1 else None


def _is_mirrored(request: TableRequest, teeth: BothTeeth, tilts: FloatArray) -> bool:
    """Whether tilts to both sides do the same, exchanging the ends of the face: spur teeth that are the same from both."""
    if len(tilts) == 1 or any(one.gear.helix_angle for one in teeth) or request.face_offset or request.pitch_point:
        return False
    both = np.allclose(tilts, -tilts[::-1], rtol=1e-9, atol=0.0) and bool((tilts == 0.0).any())
    return both and all(has_even_faces(one) for one in teeth)


def _pose(request: TableRequest, teeth: BothTeeth, side: str, tilt: float = 0.0) -> MeshPose:
    a, b = (involutes_of(one) for one in teeth)
    return mesh_pose(
        a, b, side, centre_distance=request.centre_distance, misalignment=tilt, deviation=request.deviation,
        inclination=request.inclination, face_offset=request.face_offset,
    )  # fmt: skip
