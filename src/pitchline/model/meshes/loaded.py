"""Loaded: teeth whose force comes from tables of loaded tooth contact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...solids.rotations import Array
from ..computed_table import ComputedTable
from ..face_load_table import FaceLoadTable
from ..load_table import LoadTable
from ..tilt_table import TiltTable
from .common import (
    Variable,
    choice,
)
from .friction import Friction
from .options import read_damping, read_flanks
from .table_options import load_count, read_coast, read_computation, tilts_to_compute
from .table_values import read_approach, read_face_loads, read_loads, read_tilts

__all__ = ["ALONG_LOADED", "Loaded"]

ALONG_LOADED = ("base circle", "line of action", "hoop")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Loaded:
    """Teeth that carry what a loaded tooth contact analysis says: approach over load and phase of the mesh.

    ``Loaded()`` computes its table from the gears of the pair, with their modifications, bodies and material, at the centre
    distance and with the face offset and the misaligned axes of the initial pose. It does so when the law of the pair is
    first needed: when an analysis begins, or where `GearMesh.law` or `GearMesh.loaded` is read. The table is kept in the
    user's cache folder. ``Loaded(loads, approach)`` takes a table from elsewhere.

    The table is u(F, φ), the approach of the teeth with which they carry the force F at the phase φ. At F = 0 it is the
    approach of first touch, the transmission error without load: zero for perfect involutes, greater where material is
    missing. With u the approach of the teeth of A towards those of B, x further errors and b the backlash, all in one
    direction,

        s = u + x − offset ,   f = F_drive(s, φ) − F_coast(−(s + b), φ) ,   F = 0 before first touch .

    f > 0 where wheel A pushes forwards (+ψ, the drive flank), f < 0 on the coast flank.

    **Phase.** φ = z_A ψ_A / 2π, as in `Varying(over="mesh cycle")`: 0 where the middle of a tooth of A points at the pitch
    point (and with phase="fit", or wheels placed by mesh_with, a space of B receives it), growing as A turns forwards, 1 one
    tooth later. Column j of the table is the phase j/n.

    **Between the points** the approach is made of parabolas in F with a continuous stiffness, which increase wherever the
    points do, and of periodic cubic splines in φ. Beyond the largest load the last stiffness stays; the signal
    `table_load`, the force over the largest load, is then greater than 1, and results warn.

    **Tilt.** Wheels whose axes do not stay parallel press on one end of the face. With `tilts` the table is u(F, f, φ), f
    being the slope of the gap along the face in the plane of action of the flank: the angle of the axis of B against that of
    A, positive where it closes the gap towards +z of gear A, as `misalignment` of `loaded_contact`. u is then the approach at
    the pitch point, in the middle of the face on which both gears meet. The teeth resist the tilt with the moment that
    belongs to the same energy. Between tilts there are cubic splines, beyond them the table goes on straight; the signal
    `table_tilt`, the tilt over the largest one, is then greater than 1, and results warn. Without `tilts` the teeth do not
    feel how the wheels tilt.

    Parameters
    ----------
    loads
        Of a table from elsewhere: F [N], increasing from 0; at least two. Of a computed table: how many, the first of them
        0, spaced with the square of their number, because most of the bend is at light loads; 10 without it.
    approach
        u [m]: a row for each load, with a value for each of n equally spaced phases 0, 1/n, ... (n−1)/n. Rows of one value
        do not vary. u increases with the load in every column. Without it the table is computed.
    tilts
        Of a table from elsewhere: f [rad], increasing from below zero to above; `approach` then has a table for each of them.
        Of a computed table: the largest one, for 9 tilts from −f to f, or the tilts themselves. Such a table is computed with
        parallel axes, whatever the initial pose: how the wheels stand in it is a tilt. 9 tilts take nine times as long as
        none, spur gears with symmetric faces five times.
    face_load_factor
        K_Hβ of a table from elsewhere, the greatest load per face width over its mean: as `approach`, but without the row at
        zero load. Computed tables have it. It is the signal `face_load_factor`, and does not act on anything.
    coast_face_load_factor
        The same for the coast flank, where `coast` is given.
    coast
        The same for the coast flank, at the same loads, phases and tilts, these in its own plane of action; None: the drive
        flank seen at −φ and −f, which is right where
        both flanks of the teeth have the same shape (turned half a turn about the line of centres). Of a computed table: True
        or False say whether the coast flank has a table of its own; None: where flanks or axes are not symmetric.
    along
        In which direction loads, approach, damping, effective mass, backlash and errors are measured. "base circle": the
        force F = T/r_b that a torque makes at the base circle and the displacement r_b Δψ there, as contact analyses give
        them (transverse; wheels on parallel axes, racks). "line of action": normal to the flanks. "hoop": across the
        teeth on the pitch surface. With κ = cos α_t / cos β, cos α_n, or 1: F_hoop = κ F, u_hoop = u/κ. Computed tables
        are always along the base circle, and so are the other values.
    torque
        The largest torque on wheel B [N m] that a computed table reaches, or several increasing ones, which are then its
        loads. None: the torque at which the pressure of Hertz at the pitch point, on the shared face, is 1500 MPa between
        steel teeth (between others: the same part of their modulus).
    phases
        In a mesh cycle of a computed table. 32 are enough for statics, and for teeth that take over gradually; kinks of spur
        teeth without relief want 128 or more.
    bore
        How the finite elements of computed tables are held. "fixed": at the bore, as a torque that passes through a shaft
        holds them. "free": the gear floats, deflections count from its mean motion, as in `Flank`.
    elements_a, elements_b
        Options of the finite element grids, as for `sector_grid`: ``{"size": "1 mm"}``.
    resolution, cells
        Cells in Hertz's half width, and across a strip of contact: how finely computed tables resolve pressures.
    damping, damping_ratio, effective_mass, damping_acts
        As in `Elastic`; k in c = 2 ζ sqrt(k m_e) is the stiffness at the largest load, mean over the mesh cycle.
    backlash, backlash_side
        As in `Elastic`: play between flanks that have no error. None: what the geometry of the pair gives.
    error
        As in `Elastic`, added to the approach: what the table does not hold, such as runout or errors of single pitches.
    energy_consistent
        Whether table and errors also give the torque about ψ that makes their force a gradient.
    friction, friction_speed, efficiency, efficiency_speed, separating, follow_centres
        As in `Elastic`.
    """

    loads: Array | int
    approach: Array | None
    tilts: Array | None
    face_load_factor: Array | None
    coast: Array | bool | None
    coast_face_load_factor: Array | None
    along: str
    torque: float | tuple[float, ...] | None
    phases: int
    bore: str
    elements_a: Mapping[str, object]
    elements_b: Mapping[str, object]
    resolution: float
    cells: int
    damping: float | None
    damping_ratio: float | None
    effective_mass: float | None
    damping_acts: str
    backlash: float | None
    backlash_side: str
    error: tuple[Variable, ...]
    energy_consistent: bool
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
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
        along: str = "base circle",
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
        damping_acts: str = "in contact",
        backlash: object = None,
        backlash_side: str = "centred",
        error: object = None,
        energy_consistent: bool = True,
        friction: object = None,
        friction_speed: object = "1 mm/s",
        efficiency: object = None,
        efficiency_speed: object = "1e-3 rad/s",
        separating: bool = True,
        follow_centres: bool | None = None,
    ) -> None:
        what = Subject("Loaded")
        computation = read_computation(
            what, torque=torque, phases=phases, bore=bore, elements_a=elements_a, elements_b=elements_b, resolution=resolution,
            cells=cells,
        )  # fmt: skip
        along = choice(along, ALONG_LOADED, what / "along")
        factors = {"face_load_factor": face_load_factor, "coast_face_load_factor": coast_face_load_factor}
        if approach is None:
            table = _read_computed(what, loads, tilts, coast, factors, along, computation)
        else:
            table = _read_table(what, loads, approach, tilts, coast, factors, computation)
        values: dict[str, object] = {
            **table,
            "along": along,
            **computation,
            **read_damping(
                what, damping=damping, damping_ratio=damping_ratio, effective_mass=effective_mass, damping_acts=damping_acts
            ),
            **read_flanks(
                what, backlash=backlash, backlash_side=backlash_side, error=error, energy_consistent=energy_consistent,
                friction=friction, friction_speed=friction_speed, efficiency=efficiency, efficiency_speed=efficiency_speed,
                separating=separating, follow_centres=follow_centres,
            ),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def computed(self) -> bool:
        """Whether the table is computed from the gears."""
        return self.approach is None

    def with_table(self, table: ComputedTable) -> Loaded:
        """The same with a table that was computed."""
        result = object.__new__(type(self))
        result.__dict__.update({k: v for k, v in vars(self).items() if k not in ("tables", "face_loads")} | vars(table))
        return result

    @cached_property
    def tables(self) -> tuple[LoadTable | TiltTable, LoadTable | TiltTable]:
        """The drive and the coast flank, interpolated, in the direction of `along`."""
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
        """K_Hβ of the drive and the coast flank, in the direction of `along`; None where it is not known."""
        if self.face_load_factor is None:
            return None
        loads, _ = self._values()
        tilts = np.zeros(1) if self.tilts is None else self.tilts

        def table(factors: Array) -> FaceLoadTable:
            return FaceLoadTable(loads[1:], tilts, factors if factors.ndim == 3 else factors[None])

        drive = table(self.face_load_factor)
        return drive, drive.mirrored() if self.coast_face_load_factor is None else table(self.coast_face_load_factor)

    def _values(self) -> tuple[Array, Array]:
        if self.approach is None or isinstance(self.loads, int):
            raise ModelError("Loaded: the table is computed from the gears of a pair; read it from GearMesh.loaded")
        return self.loads, self.approach


def _read_computed(
    what: Subject,
    loads: object,
    tilts: object,
    coast: object,
    factors: Mapping[str, object],
    along: str,
    computation: Mapping[str, object],
) -> dict[str, object]:
    if along != "base circle":
        raise ModelError(
            f'{what}: computed tables are along the base circle; leave out along="{along}", or give loads and approach',
            about=what.at("along"),
        )
    if isinstance(loads, (list, tuple, np.ndarray)):
        raise ModelError(
            f"{what}: the loads {shown(loads)} have no approach; give a row of it for each load, or leave both out and say "
            "torque=..., up to which the table is then computed",
            about=what.at("approach"),
        )
    if isinstance(computation["torque"], tuple) and loads is not None:
        raise ModelError(f"{what}: several torques are the loads themselves; leave out loads", about=what.at("loads"))
    if isinstance(coast, (list, tuple, np.ndarray)):
        raise ModelError(
            f"{what}: coast belongs to loads and approach, which are missing; give them too", about=what.at("coast")
        )
    for name, value in factors.items():
        if value is not None:
            raise ModelError(
                f"{what}: {name} belongs to loads and approach, which are missing; give them too", about=what.at(name)
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
                f"{what}: {name} is for tables that are computed from the gears, and here loads and approach are given; leave "
                f"out {name}, or both of them",
                about=what.at(name),
            )
    forces = read_loads(loads, what / "loads")
    at = read_tilts(tilts, what / "tilts")
    rows = read_approach(approach, forces, at, what / "approach")
    back = None if coast is None else read_approach(coast, forces, at, what / "coast")
    if back is not None and back.shape != rows.shape:
        raise ModelError(
            f"{what}: coast has {back.shape[-1]} phases and approach {rows.shape[-1]}; give both at the same phases",
            about=what.at("coast"),
        )
    found = {
        name: None if value is None else read_face_loads(value, rows.shape, what / name)
        for name, value in factors.items()
    }
    drive, other = found["face_load_factor"], found["coast_face_load_factor"]
    if other is not None and (back is None or drive is None):
        raise ModelError(
            f"{what}: coast_face_load_factor goes with coast and face_load_factor; give all three",
            about=what.at("coast"),
        )
    if drive is not None and back is not None and other is None:
        raise ModelError(
            f"{what}: with coast the face_load_factor is that of the drive flank alone; give coast_face_load_factor too",
            about=what.at("coast_face_load_factor"),
        )
    return {"loads": forces, "approach": rows, "tilts": at, "coast": back, **found}
