"""Loaded: teeth whose force is defined by tables of loaded tooth contact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.parts.gears.geometry.directions import BASE_CIRCLE

from ..computed_table import ComputedTable, FaceLoadTable
from ..tables import LoadTable, TiltTable
from .common import Friction, Variable, read_along, read_damping, read_flanks
from .flank import (
    load_count,
    read_approach,
    read_coast,
    read_computation,
    read_face_loads,
    read_loads,
    read_tilts,
    tilts_to_compute,
)

__all__ = ["Loaded"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Loaded:
    """Teeth with the force of a loaded tooth contact analysis: approach over load and mesh phase.

    ``Loaded()`` computes its table from the gears of the pair, with their modifications, bodies and material, at the centre
    distance and with the face offset and the misaligned axes of the initial pose. The table is computed when the force law of
    the pair is first needed: when an analysis starts, or when `GearMesh.law` or `GearMesh.loaded` is read. It is kept in the
    user's cache folder. Every kind of pair whose flanks are known has a table: involutes, racks, straight bevel and conical
    gears, and imported flanks of any gear, also spiral bevel and hypoid. ``Loaded(loads, approach)`` uses a table from another
    source.

    The table is u(F, φ), the approach at which the teeth carry the force F at the phase φ. At F = 0 it is the approach of
    first contact, the transmission error without load: zero for perfect involutes, larger if material is removed. With the
    approach u of the teeth of A towards those of B, further errors x and the backlash b, all in one direction,

        s = u + x − offset ,   f = F_drive(s, φ) − F_coast(−(s + b), φ) ,   F = 0 before first contact .

    f > 0 on the drive flank: wheel A pushes forwards (+ψ). f < 0 on the coast flank.

    **Phase.** φ = z_A ψ_A / 2π, as in `Varying(over="mesh cycle")`. φ = 0 if the middle of a tooth of A points at the pitch
    point (with phase="fit", or wheels placed with mesh_with, a space of B is opposite to it). φ increases when A rotates
    forwards, by 1 for each tooth. Column j of the table is the phase j/n.

    **Interpolation.** In F the approach consists of parabolas with a continuous stiffness, which increase wherever the points
    do. In φ it consists of periodic cubic splines. Beyond the largest load the stiffness is constant. The signal `table_load`,
    the force divided by the largest load, is then larger than 1, and results contain a warning.

    **Tilt.** Wheels whose axes do not stay parallel have a higher load on one end of the face. With `tilts` the table is u(F,
    f, φ). f is the slope of the gap along the face in the plane of action of the flank: the angle of the axis of B relative to
    that of A, positive if the gap closes towards +z of gear A, as `misalignment` of `loaded_contact`. u is then the approach
    at the pitch point, in the middle of the common face. The teeth resist the tilt with the moment that follows from the same
    energy. Between tilts there are cubic splines; beyond them the table is extrapolated linearly. The signal `table_tilt`, the
    tilt divided by the largest one, is then larger than 1, and results contain a warning. Without `tilts` the tilt of the
    wheels has no effect.

    Parameters
    ----------
    loads
        Given table: F [N], increasing from 0; at least two. Computed table: number of loads, including 0. They are spaced
        quadratically, because the curvature is largest at light loads. Default 10.
    approach
        u [m]: one row for each load, with one value for each of n equally spaced phases 0, 1/n, ... (n−1)/n. Rows with one
        value do not vary. u must increase with the load in every column. Default: the table is computed.
    tilts
        Given table: f [rad], increasing from negative to positive values; `approach` then has one table for each tilt.
        Computed table: the largest tilt, for 9 tilts from −f to f, or the tilts themselves. It needs cylindrical gears on parallel
        axes. Such a table is computed with parallel axes; the misalignment of the initial pose is then a tilt. 9 tilts take nine
        times as long as none; five times for spur gears with symmetric faces. Default: no tilts.
    face_load_factor
        K_Hβ of a given table, the largest load per face width divided by its mean: as `approach`, but without the row at zero load.
        Computed tables include it. It is the signal `face_load_factor`, and has no effect on the motion.
    coast_face_load_factor
        The same for the coast flank, if `coast` is given.
    coast
        Given table: approach of the coast flank, at the same loads, phases and tilts. The tilts are in the plane of action of
        the coast flank. Default None: the drive flank at −φ and −f. This is exact if both flanks of the teeth have the same
        shape (rotated by 180° about the line of centres). Computed table: True or False, whether the coast flank has its own
        table. Default None: only if flanks or axes are not symmetric.
    along
        Direction in which loads, approach, damping, effective mass, backlash and errors are measured, as in `Elastic`. Default
        None: on the base circle, with the force F = T/r_b of a torque and the displacement r_b Δψ, as in contact analyses; along
        the normal for crossed axes, hypoid and conical involute gears. "normal" and "hoop" are for given tables.
        With κ = cos α_t / cos β, cos α_n, or 1: F_hoop = κ F, u_hoop = u/κ.
    torque
        Largest torque on wheel B [N m] of a computed table, or several increasing torques, which are then its loads. Of a rack:
        force [N], as a number. Default None: the torque at which the Hertzian pressure at the pitch point, on the common face, is
        1500 MPa between steel teeth (for other materials: the same fraction of their modulus). Crossed helical, worm, spiral
        bevel, hypoid and conical gears need a value.
    phases
        Number of phases in a mesh cycle of a computed table. Default 128. 32 is sufficient for statics, and for teeth that
        take over the load gradually. Kinks of spur teeth without relief need 128 or more.
    bore
        Support of the finite elements of computed tables. "fixed" (default): at the bore, as for a torque that is transmitted by a
        shaft. "free": the gear is not supported, and deflections are relative to its mean motion, as in `Flank`.
    elements_a, elements_b
        Options of the finite element grids, as for `sector_grid`: ``{"size": "1 mm"}``.
    resolution, cells
        Number of cells in the Hertzian half width, and across a strip of contact: the pressure resolution of computed tables.
        Default 4 and 15.
    damping, damping_ratio, effective_mass, damping_acts, damping_rate
        As in `Elastic`, δ being the deflection from the approach without load. k in c = 2 ζ sqrt(k m_e) is the stiffness at
        the largest load, mean over the mesh cycle.
    backlash, backlash_side
        As in `Elastic`: play between flanks without errors. Default None: from the geometry of the pair.
    error
        As in `Elastic`, added to the approach: errors that the table does not contain, such as runout or single pitch errors.
    energy_consistent
        Whether table and errors also cause the torque about ψ that makes their force a gradient. Default True.
    friction, friction_speed, sliding, efficiency, efficiency_speed, sticks, line_of_action, separating, follow_centres
        As in `Elastic`.
    """

    loads: FloatArray | int
    approach: FloatArray | None
    tilts: FloatArray | None
    face_load_factor: FloatArray | None
    coast: FloatArray | bool | None
    coast_face_load_factor: FloatArray | None
    along: str | None
    torque: float | tuple[float, ...] | None
    phases: int
    bore: str
    elements_a: Mapping[str, object]
    elements_b: Mapping[str, object]
    resolution: float
    cells: int
    damping: float | tuple[Variable, ...] | None
    damping_ratio: float | None
    effective_mass: float | None
    damping_acts: str
    damping_rate: str
    backlash: float | tuple[Variable, ...] | None
    backlash_side: str
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    sticks: bool
    sliding: str
    line_of_action: str
    separating: bool
    follow_centres: bool

    def __init__(
        self,
        loads: object = None,
        approach: object = None,
        *,
        tilts: object = None,
        face_load_factor: object = None,
        coast: object = None,
        coast_face_load_factor: object = None,
        along: str | None = None,
        torque: object = None,
        phases: object = 128,
        bore: str = "fixed",
        elements_a: Mapping[str, object] | None = None,
        elements_b: Mapping[str, object] | None = None,
        resolution: object = 4.0,
        cells: object = 15,
        damping: object = None,
        damping_ratio: object = None,
        effective_mass: object = None,
        damping_acts: str = "never pulling",
        damping_rate: str = "deflection",
        backlash: object = None,
        backlash_side: str = "centred",
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        sticks: bool = False,
        sliding: str = "pitch point",
        line_of_action: str = "automatic",
        separating: bool = True,
        follow_centres: bool | None = None,
    ) -> None:
        what = Subject("Loaded")
        computation = read_computation(
            what, torque=torque, phases=phases, bore=bore, elements_a=elements_a, elements_b=elements_b, resolution=resolution,
            cells=cells,
        )  # fmt: skip
        direction = read_along(along, what / "along")
        factors = {"face_load_factor": face_load_factor, "coast_face_load_factor": coast_face_load_factor}
        if approach is None:
            table = _read_computed(what, loads, tilts, coast, factors, direction, computation)
        else:
            table = _read_table(what, loads, approach, tilts, coast, factors, computation)
        values: dict[str, object] = {
            **table,
            "along": direction,
            **computation,
            **read_damping(
                what, damping=damping, damping_ratio=damping_ratio, effective_mass=effective_mass, damping_acts=damping_acts,
                damping_rate=damping_rate,
            ),
            **read_flanks(
                what, backlash=backlash, backlash_side=backlash_side, error=error, energy_consistent=energy_consistent,
                friction=friction, friction_speed=friction_speed, efficiency=efficiency, efficiency_speed=efficiency_speed,
                sticks=sticks, sliding=sliding, line_of_action=line_of_action,
                separating=separating, follow_centres=follow_centres,
            ),
        }  # fmt: skip
        if tilts is not None and line_of_action != "automatic":
            raise ModelError(
                f"{what}: tilts in the plane of action of each flank need both flanks; omit line_of_action, or tilts",
                about=what.at("line_of_action"),
            )
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def computed(self) -> bool:
        """Whether the table is computed from the gears."""
        return self.approach is None

    def with_table(self, table: ComputedTable) -> Loaded:
        """Return the same mesh with a computed table.

        Parameters
        ----------
        table
            Computed table.
        """
        result = object.__new__(type(self))
        kept = {k: v for k, v in vars(self).items() if k not in ("tables", "face_loads")}
        result.__dict__.update(kept | vars(table))
        return result

    @cached_property
    def tables(self) -> tuple[LoadTable | TiltTable, LoadTable | TiltTable]:
        """Interpolated tables of the drive and the coast flank, in the direction of `along`."""
        loads, approach = self._values()
        own = self.coast if isinstance(self.coast, np.ndarray) else None
        mirror = approach[..., -np.arange(approach.shape[-1])]
        if self.tilts is None:
            return LoadTable.through(loads, approach), LoadTable.through(loads, mirror if own is None else own)
        drive = TiltTable.through(self.tilts, loads, approach)
        if own is not None:
            return drive, TiltTable.through(self.tilts, loads, own)
        return drive, TiltTable.through(-self.tilts[::-1], loads, mirror[::-1])

    @cached_property
    def face_loads(self) -> tuple[FaceLoadTable, FaceLoadTable] | None:
        """K_Hβ of the drive and the coast flank, in the direction of `along`. None if it is not known."""
        if self.face_load_factor is None:
            return None
        loads, _ = self._values()
        tilts = np.zeros(1) if self.tilts is None else self.tilts

        def table(factors: FloatArray) -> FaceLoadTable:
            return FaceLoadTable(loads[1:], tilts, factors if factors.ndim == 3 else factors[None])

        drive = table(self.face_load_factor)
        return drive, drive.mirrored() if self.coast_face_load_factor is None else table(self.coast_face_load_factor)

    def _values(self) -> tuple[FloatArray, FloatArray]:
        if self.approach is None or isinstance(self.loads, int):
            raise ModelError("Loaded: the table is computed from the gears of a pair; read it from GearMesh.loaded")
        return self.loads, self.approach


def _read_computed(
    what: Subject,
    loads: object,
    tilts: object,
    coast: object,
    factors: Mapping[str, object],
    along: str | None,
    computation: Mapping[str, object],
) -> dict[str, object]:
    if along not in (None, BASE_CIRCLE):
        raise ModelError(
            f"{what}: computed tables are on the base circle (crossed axes: along the normal); omit "
            f'along="{along}", or specify loads and approach',
            about=what.at("along"),
        )
    if isinstance(loads, (list, tuple, np.ndarray)):
        raise ModelError(
            f"{what}: the loads {shown(loads)} have no approach; specify a row of it for each load, or omit both and specify "
            "torque=..., the largest torque of the computed table",
            about=what.at("approach"),
        )
    if isinstance(computation["torque"], tuple) and loads is not None:
        raise ModelError(f"{what}: several torques are the loads themselves; omit loads", about=what.at("loads"))
    if isinstance(coast, (list, tuple, np.ndarray)):
        raise ModelError(
            f"{what}: coast needs loads and approach, which are missing; specify them too", about=what.at("coast")
        )
    for name, value in factors.items():
        if value is not None:
            raise ModelError(
                f"{what}: {name} needs loads and approach, which are missing; specify them too", about=what.at(name)
            )
    return {
        "loads": load_count(loads, what),
        "approach": None,
        "tilts": tilts_to_compute(tilts, what / "tilts"),
        "coast": read_coast(coast, what / "coast"),
        **factors,
    }


def _read_table(
    what: Subject,
    loads: object,
    approach: object,
    tilts: object,
    coast: object,
    factors: Mapping[str, object],
    computation: Mapping[str, object],
) -> dict[str, object]:
    plain: dict[str, object] = {
        "torque": None, "phases": 128, "bore": "fixed", "elements_a": {}, "elements_b": {}, "resolution": 4.0, "cells": 15,
    }  # fmt: skip
    for name, default in plain.items():
        if computation[name] != default:
            raise ModelError(
                f"{what}: {name} is for tables that are computed from the gears, but loads and approach are given; omit "
                f"{name}, or both of them",
                about=what.at(name),
            )
    forces = read_loads(loads, what / "loads")
    at = read_tilts(tilts, what / "tilts")
    rows = read_approach(approach, forces, at, what / "approach")
    back = None if coast is None else read_approach(coast, forces, at, what / "coast")
    if back is not None and back.shape != rows.shape:
        raise ModelError(
            f"{what}: coast has {back.shape[-1]} phases but approach has {rows.shape[-1]}; use the same phases for both",
            about=what.at("coast"),
        )
    found = {
        name: None if value is None else read_face_loads(value, rows.shape, what / name)
        for name, value in factors.items()
    }
    drive, other = found["face_load_factor"], found["coast_face_load_factor"]
    if other is not None and (back is None or drive is None):
        raise ModelError(
            f"{what}: coast_face_load_factor needs coast and face_load_factor; specify all three",
            about=what.at("coast"),
        )
    if drive is not None and back is not None and other is None:
        raise ModelError(
            f"{what}: with coast, face_load_factor is only that of the drive flank; specify coast_face_load_factor too",
            about=what.at("coast_face_load_factor"),
        )
    return {"loads": forces, "approach": rows, "tilts": at, "coast": back, **found}
