"""Trains: systems in which every body rotates about, or slides along, one fixed axis, and all elements are scalar.

Gears on rigid bearings are an example: the mesh frame of two wheels on fixed axes is constant, psi_A and psi_B are the angles
of the wheels plus constants, and the approach u is an affine function of both (exact, for every kind of pair). Shafts (torsion
of a bushing between coaxial wheels), torsion springs and loads on joints are also scalar. The equations are then

    M_i dv_i/dt + sum over springs a_i (k e + c de/dt) + sum over meshes a_i w - loads = 0,     e = a_i q_i + a_j q_j + e_0,

a few numbers for each step. Rigid teeth and rolling wheels couple coordinates, c_A a_i q_i + c_B a_j q_j = 0. Coupled wheels
have one common coordinate y, q_i = g_i y, and the tooth forces follow from the equilibrium of each wheel, starting with the
outermost one. Therefore a train of any length needs only a few operations for each wheel.

`train_search` determines whether a system is a train.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..math.functions import is_constant, value_of
from ..math.record_addresses import address, new_record
from . import train_records as records
from .system import State, System

TABLES = {
    "wheels": records.TrainWheel,
    "springs": records.TrainSpring,
    "loads": records.TrainLoad,
    "drives": records.TrainDrive,
    "ties": records.Tie,
    "pairs": records.Pair,
}
STATE = {"wheels": ("x", "turns"), "pairs": ("psi_a", "psi_b", "teeth")}
"""Fields of the tables that change during a run; rates and accelerations are those of the motion."""


class Train:
    """Tables of a train, and the record for compiled code. Coordinates are relative to the state in which it was found."""

    def __init__(self, system: System, start: State, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self.pose, self.mem = start.pose.copy(), start.mem.copy()
        self._system = system  # owns parameters and functions
        self.tables = {name: np.zeros(len(rows[name]), record.dtype) for name, record in TABLES.items()}
        for name, table in self.tables.items():
            for field in rows[name][0] if rows[name] else ():
                table[field] = [row[field] for row in rows[name]]
        self._derive()
        free = int(self.tables["wheels"]["group"].max()) + 1
        self._base, self._W, self._x = np.zeros((free, free)), np.zeros((free, free)), np.zeros(free)
        counts = {f"n_{name}": len(table) for name, table in self.tables.items()}
        arrays = {"start": self.pose, "base": self._base, "W": self._W, "x": self._x}
        self._record = new_record(records.TrainRecord, {"n_free": free, **counts, **self.tables, **arrays})

    def _derive(self) -> None:
        """Compute derived values."""
        s, wheels, loads, ties, pairs = (
            self._system,
            *(self.tables[name] for name in ("wheels", "loads", "ties", "pairs")),
        )
        wheels["weight"] = s.layout.weight[: len(wheels)]
        ties["ratio"] = wheels["gain"][ties["child"]] / wheels["gain"][ties["parent"]]
        pairs["teeth_law"] = address(s.parameters) + 8 * s.parameter0[pairs["element"]]
        for load in loads:
            place = int(load["function"])
            load["is_constant"] = is_constant(s.functions, place)
            load["now"] = load["factor"] * value_of(s.functions, place, 0.0)[0]

    @property
    def address(self) -> int:
        """Of its record."""
        return address(self._record)

    def set_motion(self, motion: Mapping[str, np.ndarray]) -> None:
        """Rates and accelerations (v, vd, a, vd_before) of the coordinates."""
        for name, values in motion.items():
            self.tables["wheels"][name] = values

    def state(self) -> dict[str, np.ndarray]:
        """State in addition to the motion, for an exact continuation: the initial state, and the current one."""
        found = {"pose": self.pose, "mem": self.mem}
        return found | {
            f"{name}_{field}": self.tables[name][field] for name, fields in STATE.items() for field in fields
        }

    def set_state(self, kept: Mapping[str, np.ndarray]) -> None:
        """Continue from the state of another train with the same initial state."""
        for name, fields in STATE.items():
            for field in fields:
                self.tables[name][field] = kept[f"{name}_{field}"]
