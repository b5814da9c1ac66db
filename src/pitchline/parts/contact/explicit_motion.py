"""Explicit motion: a pair of gears as full finite element models, by central differences."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.analyses.observers import starting_point
from pitchline.analyses.start_positions import Prepared, prepare
from pitchline.analyses.time_options import DEFAULT_SAMPLES, SampleMemory, check_memory, positive_time
from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted
from pitchline.base.progress.display import staged
from pitchline.engine.solvers.consistent import project_velocities
from pitchline.errors import ModelError, shown
from pitchline.fem.cyclic_symmetry import ExplicitGear, explicit_gear
from pitchline.fem.elastic_gear import SIDES
from pitchline.fem.graded_body import FlankLattice, flank_lattice
from pitchline.model.model import Model
from pitchline.numerics.fields import packed
from pitchline.numerics.machine_code.calling import address_of
from pitchline.results.result import Result

from ..bodies import kernel_explicit as explicit
from ..gears.teeth.teeth import Teeth
from ..meshes import kernel_flank_steps as rk
from ..meshes.laws.flank import Flank
from .kernel_records import NodeContact
from .node_contact import SLAVES, ContactNodes, contact_record, grid_of, node_penalty, positive_penalty, teeth_of
from .penalty_motion import PART, PenaltyPair, _run, _steps, _understood

__all__ = ["ExplicitPair", "GearElements", "explicit_motion"]


# ---- explicit pair

# Two wheels as finite elements in explicit steps, read from a compiled model.


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
    """Two wheels of finite elements, in the form that `parts.bodies.kernel_explicit` requires."""

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


FACTOR = 4.0
"""Penalty of a node, in E √A: finite elements have all compliances of the gears, so that springs may be stiff."""


@names_wrong_arguments
@staged("explicit motion of {}")
@budgeted
def explicit_motion(
    model: Model,
    *,
    duration: Any,
    penalty: Any = None,
    slave: str = "both",
    step: Any = None,
    output_step: Any = None,
    elements_a: Mapping[str, object] | None = None,
    elements_b: Mapping[str, object] | None = None,
    budget: Any = None,
) -> Result:
    """Compute the motion of a pair of gears with all their finite elements, for comparison with reduced gears.

    Both gears are complete grids of 8-node elements with lumped masses. Nothing is reduced: every node moves. Nodes of the flanks
    touch the opposite flanks as in `node_contact_motion`. Central differences integrate the motion. Steps are shorter than
    the time of a wave through the smallest element, some nanoseconds: this is for impacts and other short events, and takes
    seconds for a tenth of a millisecond of coarse grids, minutes for fine ones.

    Each wheel rotates on its joint; elastic motion is relative to that rotation, with small displacements. Joints act as if
    distributed like the mass of the gear, as in `Flank`. The model is as for `penalty_motion`. Damping of modes is not supported.

    Parameters
    ----------
    duration : [s].
    penalty : stiffness of a node in contact [N/m]; default: 4 E √A of the mean area A of a node.
    slave : gear whose nodes touch: "a", "b", or "both" (default): two passes with half of the penalty each.
    step : [s]; default: 0.9 times the largest stable step. Longer steps are cut, with a warning.
    output_step : time between samples [s]; default: every n-th step, at most 1000 samples.
    elements_a, elements_b : options of the grids as for `sector_grid`; default: those of the mesh. The order is 1.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the result so far.

    The result has the signals of `dynamics`. `mesh.strips_in_contact` is the number of nodes in contact. Its statistics contain the
    number of nodes, the memory of the arrays in bytes, and the largest stable step.
    """
    began = clock.perf_counter()
    snapshot = starting_point(model, None)
    part = _understood(model, "explicit motion")
    span = positive_time(duration, "duration")
    given = None if step is None else positive_time(step, "step")
    out = None if output_step is None else positive_time(output_step, "output_step")
    if out is not None and out > span:
        raise ModelError(f"output_step ({out:g} s) must not be greater than the duration ({span:g} s)")
    if slave not in SLAVES:
        raise ModelError(f'slave must be "a", "b" or "both", got {shown(slave)}')
    wanted = None if penalty is None else positive_penalty(penalty)
    mesh = part.mesh
    assert isinstance(mesh, Flank)
    if mesh.damping_ratio:
        raise ModelError(
            f'explicit motion of model "{model.name}": the mesh of gear pair "{part.name}" has damping_ratio = '
            f"{mesh.damping_ratio:g} of its modes, which finite elements do not have. Set it to 0"
        )
    if mesh.bore != "free":
        raise ModelError(
            f'explicit motion of model "{model.name}": the mesh of gear pair "{part.name}" has bore = "{mesh.bore}"; only '
            '"free" is supported'
        )
    teeth = teeth_of(part)
    gears = []
    for one, of_mesh, own, letter in zip(
        teeth, (mesh.elements_a, mesh.elements_b), (elements_a, elements_b), "ab", strict=True
    ):
        what = f"elements_{letter}"
        options = of_mesh if own is None else own
        grid = grid_of(one, options, what, order=1)
        gears.append(
            GearElements(
                one, explicit_gear(grid, one.gear.material), {side: flank_lattice(grid, one, side) for side in SIDES}
            )
        )
    stiffness = FACTOR * node_penalty([gear.lattices for gear in gears], teeth) if wanted is None else wanted
    ready = prepare(model, snapshot, until=snapshot.t + span, reduce=True)
    project_velocities(ready.system, ready.state)
    prepared = clock.perf_counter() - began
    pair = ExplicitPair(ready, model, part.name, (gears[0], gears[1]), penalty=stiffness, slave=slave)
    frequency = pair.highest_frequency()
    limit = min(1.0 / (math.pi * frequency), pair.damper_limit())
    warnings = []
    wish = PART * limit
    if given is not None and given > limit:
        warnings.append(
            f"the step of {given:.3g} s was cut to {wish:.3g} s: elements and penalty springs have natural frequencies up to "
            f"{frequency:.4g} Hz, and steps must be shorter than {limit:.3g} s"
        )
    elif given is not None:
        wish = given
    check_memory(
        f'explicit motion of model "{model.name}"', DEFAULT_SAMPLES if out is None else span / out + 1.0,
        SampleMemory.of(ready.system).peak,
        lambda fit: f'specify output_step = "{span / max(fit - 1, 1):.2g} s" or a longer one',
    )  # fmt: skip
    h, every, samples = _steps(span, wish, out)
    result = _run(
        model, ready, pair, h, every, samples, began,
        {
            "largest_stable_step": limit, "highest_frequency": frequency, "preparation_time": prepared,
            "nodes_a": gears[0].gear.nodes, "nodes_b": gears[1].gear.nodes,
            "memory_bytes": sum(gear.bytes for gear in gears),
        },
        {"duration": span, "step": h, "output_step": every * h, "penalty": stiffness, "slave": slave},
        "explicit motion", warnings,
    )  # fmt: skip
    result.statistics["most_nodes_in_contact"] = float(pair.named_contact["most"])
    result.statistics["deepest_penetration"] = float(pair.named_contact["deepest"])
    return result
