"""Two wheels as finite elements in explicit steps, read from a compiled model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..elements import explicit_elements as explicit
from ..elements import flank_rk4 as rk
from ..elements.node_records import NodeContact
from ..fem.elastic_gear import SIDES
from ..fem.explicit_gear import ExplicitGear
from ..fem.flank_lattice import FlankLattice
from ..gears.teeth import Teeth
from ..math.calling import address_of
from ..math.fields import packed
from ..model import Model
from .node_pair import SLAVES, ContactNodes, contact_record
from .penalty_pair import PenaltyPair
from .preparation import Prepared

__all__ = ["ExplicitPair", "GearElements"]


class GearElements:
    """The finite elements of a gear in motion: displacements, rates and forces of all nodes in all sectors."""

    def __init__(self, teeth: Teeth, gear: ExplicitGear, lattices: dict[str, FlankLattice]) -> None:
        self.teeth, self.gear, self.lattices = teeth, gear, lattices
        sector, width = gear.sector, gear.width
        unknowns = sector.size + sector.n_side
        self.arrays = {name: np.zeros((unknowns, width)) for name in ("u", "v", "a", "f", "inner")}
        angles = 2.0 * math.pi * np.arange(width) / sector.count
        K = gear.stiffness
        self.arrays |= {
            "starts": K.indptr.astype(np.int64), "columns": K.indices.astype(np.uint32),
            "blocks": np.ascontiguousarray(K.data.reshape(-1, 9)), "mass": gear.mass, "rigid": gear.rigid,
            "cosine": np.cos(angles), "sine": np.sin(angles), "shares": np.zeros((explicit.RIGID, width)),
        }  # fmt: skip
        both = [lattices[side].weights for side in SIDES]
        nodes = np.concatenate([w.indices for w in both])  # one node for each point
        self.places = gear.places[nodes]
        self.point_masses = gear.mass[self.places]

    @property
    def record(self) -> dict[str, Any]:
        """Values of `ElementGear`."""
        sector = self.gear.sector
        return {
            "sectors": sector.count, "interior": sector.n_interior, "size": sector.size, "inverse": self.gear.inverse.ravel(),
            **self.arrays,
        }  # fmt: skip

    @property
    def nodes(self) -> ContactNodes:
        """The nodes of its flanks."""
        data = {"paired": 0, "omega": np.zeros(0), "diameters": np.zeros(0)}
        values = {"u": self.arrays["u"], "f": self.arrays["f"], "places": self.places}
        return ContactNodes(self.teeth, self.lattices, data, 0, values)

    @property
    def bytes(self) -> int:
        """Memory of all arrays."""
        return sum(array.nbytes for array in self.arrays.values())


class ExplicitPair(PenaltyPair):
    """Two wheels of finite elements, in the form that `elements.explicit_elements` requires."""

    def __init__(
        self,
        ready: Prepared,
        model: Model,
        name: str,
        gears: tuple[GearElements, GearElements],
        *,
        penalty: float,
        slave: str,
    ) -> None:
        self._gears = gears
        self._start = ready, model, name, penalty, slave
        super().__init__(ready, model, name)
        self.penalty = penalty
        self.modes_a, self.modes_b = (3 * one.gear.nodes for one in gears)
        self.elements = packed(
            explicit.ExplicitRun,
            {
                "pair": self.record, "product": address_of(explicit.stiffness_product),
                "advance": address_of(explicit.advance_nodes), "accelerate": address_of(explicit.accelerate_nodes),
                "a": gears[0].record, "b": gears[1].record,
            },
        )  # fmt: skip

    def _record(self) -> np.ndarray:
        ready, model, name, penalty, slave = self._start
        nodes = self._gears[0].nodes, self._gears[1].nodes
        self.contact = contact_record(ready, self, model, name, nodes, penalty=penalty, slave=slave, by_modes=False)
        v = self.state.v[self.map.coordinate].astype(np.float64)
        return self._packed(np.zeros(rk.WHEELS), v, {"by_nodes": 1, "nodes": self.contact})

    @property
    def named_contact(self) -> np.void:
        """Names and values of the contact, without arrays."""
        named: np.void = self.contact[: NodeContact.size].view(NodeContact.dtype)[0]
        return named

    def highest_frequency(self) -> float:
        """Upper bound of the natural frequencies of both gears with the springs of contact [Hz].

        Of springs c between slave nodes of mass m_s and faces with nodes of mass m_m: c (1/m_s + n/m_m), where n bounds the sum of
        the shape functions of a node over all slave nodes.
        """
        elements = max((2 * math.pi * one.gear.frequency) ** 2 for one in self._gears)
        passes = [i for i, chosen in enumerate(SLAVES[self._start[4]]) if chosen]
        areas = [float(np.mean([one.lattices[side].areas.mean() for side in SIDES])) for one in self._gears]
        springs = 0.0
        for i in passes:
            slave, master = self._gears[i], self._gears[1 - i]
            crowd = 2.0 * max(1.0, areas[1 - i] / areas[i])
            springs += 1.0 / float(slave.point_masses.min()) + crowd / float(master.point_masses.min())
        wheels = max((s["stiffness"] / self.wheels["inertia"][s["wheel"]] for s in self.springs), default=0.0)
        return math.sqrt(elements + self.penalty / len(passes) * springs + wheels) / (2 * math.pi)
