"""Tables of loaded tooth contact that are computed from two gears: their input and their result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..gears import Gear, Rack
from ..solids.rotations import Array

__all__ = ["ComputedTable", "TablePlacement", "TableRequest"]


@dataclass(frozen=True, kw_only=True)
class TablePlacement:
    """Position of two gears with flanks of any shape, and how their motion is measured.

    Attributes
    ----------
    position : (3,)
        Of gear B in the axes of A, in phase [m].
    rotation : (9,)
        Axes of gear B in those of A, row by row.
    ratio : float
        Angle of B over angle of A about their own z axes; of a rack: travel [m] over angle.
    lever : float
        F = T/lever and u = lever · θ, θ the motion of B. The base circle of B for axes with a plane of action [m] (a rack:
        cos α_t), c_B = m_n z_B/2 for all others.
    play : float
        How far B can turn [rad] (a rack travel [m]) from the middle of its backlash until ideal flanks touch.
    forwards : float
        Sign of the angle of A about its z axis when the mesh cycle goes forwards.
    """

    position: tuple[float, ...]
    rotation: tuple[float, ...]
    ratio: float
    lever: float
    play: float
    forwards: float


@dataclass(frozen=True, eq=False, kw_only=True)
class TableRequest:
    """Complete input of a computed table of loaded tooth contact, without the method.

    Attributes
    ----------
    gear_a, gear_b : Gear
        Gears with their modifications or imported flanks, bodies and material. Their axes point in the same direction, unless there
        is a `placement`; gear_b may then be a rack.
    centre_distance, face_offset : float
        [m] face_offset: offset of the middle of the face of B from that of A, along +z.
    deviation, inclination : float
        Angles between the axes of B and A [rad], out of the plane of the axes and in it; see `mesh_pose`.
    start : float
        Angle of gear A [rad] at phase 0.
    torques : (n,)
        Torques on gear B [N m], positive, increasing.
    phases : int
        Number of phases of the mesh cycle.
    tilts : (t,)
        Tilts in the plane of action [rad]. Empty if the tilt is not a variable.
    pitch_point : float
        Position of the pitch point along z of A, from the middle of the face of A [m].
    coast : None | bool
        Whether the coast flanks have their own table. None: only if flanks or axes are not symmetric.
    bore, elements_a, elements_b, resolution, cells
        As in `Loaded`.
    placement : None | TablePlacement
        None for cylindrical gears on parallel axes that point in one direction. Otherwise the position of the gears;
        centre_distance to pitch_point then have no effect.
    """

    gear_a: Gear
    gear_b: Gear | Rack
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
    placement: TablePlacement | None = None


@dataclass(frozen=True, eq=False)
class ComputedTable:
    """Approach of the teeth, in the direction of signals (`gears.directions`): on the base circle of B, r_b, or along the normal.

    Attributes
    ----------
    loads : (m,)
        F = T/r_b [N], from 0.
    approach : (m, n) or (t, m, n)
        u [m] of the drive flanks: one row for each load, one column for each phase of the mesh cycle. With t tilts one table
        for each tilt.
    coast : None | (m, n) or (t, m, n)
        The same for the coast flanks. None: the drive flanks at −φ and −f.
    face_load_factor, coast_face_load_factor : None | (m − 1, n) or (t, m − 1, n)
        K_Hβ at the loads above zero.
    """

    loads: Array
    approach: Array
    coast: Array | None
    face_load_factor: Array | None = None
    coast_face_load_factor: Array | None = None
