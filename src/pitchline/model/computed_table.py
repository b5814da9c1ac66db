"""Tables of loaded teeth that are computed from two gears: what they are computed from, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..gears import Gear
from ..solids.rotations import Array

__all__ = ["ComputedTable", "TableRequest"]


@dataclass(frozen=True, eq=False, kw_only=True)
class TableRequest:
    """All that a table of loaded teeth depends on, but for the method.

    Attributes
    ----------
    gear_a, gear_b : Gear
        With their modifications, bodies and material; their axes point the same way.
    centre_distance, face_offset : float
        [m] face_offset: how far the middle of the face of B stands towards +z from that of A.
    deviation, inclination : float
        Of the axis of B against that of A [rad], out of the plane of the axes and in it; see `mesh_pose`.
    start : float
        Angle of gear A [rad] at the phase 0.
    torques : (n,)
        On gear B [N m], greater than zero, increasing.
    phases : int
    tilts : (t,)
        In the plane of action [rad]; empty where the tilt is no variable.
    pitch_point : float
        Where the pitch point stands, from the middle of the face of A along its z [m].
    coast : None | bool
        Whether the coast flanks have a table of their own; None: where flanks or axes are not symmetric.
    bore, elements_a, elements_b, resolution, cells
        As in `Loaded`.
    """

    gear_a: Gear
    gear_b: Gear
    centre_distance: float
    face_offset: float
    deviation: float
    inclination: float
    start: float
    torques: tuple[float, ...]
    phases: int
    tilts: tuple[float, ...]
    pitch_point: float
    coast: bool | None
    bore: str
    elements_a: Mapping[str, object]
    elements_b: Mapping[str, object]
    resolution: float
    cells: int


@dataclass(frozen=True, eq=False)
class ComputedTable:
    """The approach of the teeth, along the base circle of B.

    Attributes
    ----------
    loads : (m,)
        F = T/r_b [N], from 0.
    approach : (m, n) or (t, m, n)
        u [m] of the drive flanks, a row for each load, over the phases of a mesh cycle; over t tilts a table for each.
    coast : None | (m, n) or (t, m, n)
        Of the coast flanks; None: the drive flanks seen at −φ, and at −f.
    face_load_factor, coast_face_load_factor : None | (m − 1, n) or (t, m − 1, n)
        K_Hβ at the loads above zero.
    """

    loads: Array
    approach: Array
    coast: Array | None
    face_load_factor: Array | None = None
    coast_face_load_factor: Array | None = None
