"""Loaded: teeth whose force comes from tables of loaded tooth contact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import array
from ..computed_table import ComputedTable
from ..load_table import LoadTable
from ..rotations import Array
from .common import (
    Variable,
    choice,
)
from .friction import Friction
from .options import read_damping, read_flanks
from .table_options import load_count, read_coast, read_computation

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

    Parameters
    ----------
    loads
        Of a table from elsewhere: F [N], increasing from 0; at least two. Of a computed table: how many, the first of them
        0, spaced with the square of their number, because most of the bend is at light loads; 8 without it.
    approach
        u [m]: a row for each load, with a value for each of n equally spaced phases 0, 1/n, ... (n−1)/n. Rows of one value
        do not vary. u increases with the load in every column. Without it the table is computed.
    coast
        The same for the coast flank, at the same loads and phases; None: the drive flank seen at −φ, which is right where
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
    coast: Array | bool | None
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
        coast: object = None,
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
        read = _read_computed if approach is None else _read_table
        values: dict[str, object] = {
            **read(what, loads, approach, coast, along, computation),
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
        result.__dict__.update(
            {k: v for k, v in vars(self).items() if k != "tables"}, loads=table.loads, approach=table.approach, coast=table.coast
        )
        return result

    @cached_property
    def tables(self) -> tuple[LoadTable, LoadTable]:
        """The drive and the coast flank, interpolated, in the direction of `along`."""
        if self.approach is None or isinstance(self.loads, int):
            raise ModelError("Loaded: the table is computed from the gears of a pair; read it from GearMesh.loaded")
        phases = self.approach.shape[1]
        coast = self.coast if isinstance(self.coast, np.ndarray) else self.approach[:, -np.arange(phases)]
        return LoadTable.through(self.loads, self.approach), LoadTable.through(self.loads, coast)


def _read_computed(
    what: Subject, loads: object, _approach: object, coast: object, along: str, computation: Mapping[str, object]
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
        raise ModelError(f"{what}: coast belongs to loads and approach, which are missing; give them too", about=what.at("coast"))
    return {"loads": load_count(loads, what), "approach": None, "coast": read_coast(coast, what / "coast")}


def _read_table(
    what: Subject, loads: object, approach: object, coast: object, _along: str, computation: Mapping[str, object]
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
    forces = _read_loads(loads, what / "loads")
    rows = _read_approach(approach, forces, what / "approach")
    back = None if coast is None else _read_approach(coast, forces, what / "coast")
    if back is not None and back.shape != rows.shape:
        raise ModelError(
            f"{what}: coast has {back.shape[1]} phases and approach {rows.shape[1]}; give both at the same phases",
            about=what.at("coast"),
        )
    return {"loads": forces, "approach": rows, "coast": back}


def _read_loads(value: object, what: str) -> Array:
    loads = array(value, "force", what=what, at_least=2)
    if loads[0] != 0.0:
        raise ModelError(
            f"{what}: the first load must be 0, where the teeth just touch, got {loads[0]:g} N; add a row of "
            "the approach without load",
            about=what,
        )
    falls = np.flatnonzero(np.diff(loads) <= 0.0)
    if falls.size:
        i = int(falls[0])
        raise ModelError(
            f"{what}: must increase, but {loads[i + 1]:g} N follows {loads[i]:g} N (place {i + 1}); sort them", about=what
        )
    return loads


def _read_approach(value: object, loads: Array, what: Subject) -> Array:
    if isinstance(value, np.ndarray) and value.ndim == 2:
        value = list(value)
    if not isinstance(value, (list, tuple)) or not all(isinstance(row, (list, tuple, np.ndarray)) for row in value):
        raise ModelError(f"{what}: expected a row for each load, a list of lists, got {shown(value)}", about=what)
    if len(value) != len(loads):
        raise ModelError(f"{what}: {len(value)} rows for {len(loads)} loads; give one row for each load", about=what)
    rows = [array(row, "length", what=what / i) for i, row in enumerate(value)]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ModelError(
                f"{what}: row {i} has {len(row)} phases and row 0 has {len(rows[0])}; give the same in all rows", about=what
            )
    result = np.array(rows)
    falls = np.argwhere(np.diff(result, axis=0) <= 0.0)
    if falls.size:
        i, j = (int(k) for k in falls[0])
        raise ModelError(
            f"{what}: must increase with the load, but at phase {j}/{result.shape[1]} it goes from {result[i, j]:g} m at "
            f"{loads[i]:g} N to {result[i + 1, j]:g} m at {loads[i + 1]:g} N; teeth that carry more give more",
            about=what,
        )
    result.flags.writeable = False
    return result
