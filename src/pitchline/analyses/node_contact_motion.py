"""Node contact motion: a pair of elastic gears by their modes, contact of nodes with surfaces, and explicit steps."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..budget import budgeted
from ..errors import ModelError, shown
from ..fem.elastic_gear import SIDES
from ..fem.flank_lattice import FlankLattice
from ..fem.node_modes import NodeModes, node_modes
from ..fem.sector_grid import SectorGrid, sector_grid
from ..gears import Gear
from ..gears.teeth import Teeth
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.meshes import Flank
from ..progress import staged
from ..results.result import Result
from ..solvers.consistent import project_velocities
from ..units import quantity
from .memory import SampleMemory, check_memory
from .node_pair import PRESSED_NODES, SLAVES, NodePair, modal_nodes
from .penalty_motion import _run, _steps, _understood, stability_limit
from .preparation import prepare
from .starting_point import starting_point
from .time_options import DEFAULT_SAMPLES, positive_time

__all__ = ["node_contact_motion"]

PART = 0.5
"""Fraction of the largest stable step that is used if no step is specified. Near its limit the method damps vibrations."""
DEEPEST = 1e-3
"""[m] Penetration of rigid flanks beyond which the step is not chosen again."""
MODES = (200, 500)
"""Modes of both gears, as published."""


@names_wrong_arguments
@staged("node contact motion of {}")
@budgeted
def node_contact_motion(
    model: Model,
    *,
    duration: Any,
    modes: Any = MODES,
    penalty: Any = None,
    slave: str = "both",
    step: Any = None,
    output_step: Any = None,
    elements_a: Mapping[str, object] | None = None,
    elements_b: Mapping[str, object] | None = None,
    budget: Any = None,
) -> Result:
    """Compute the motion of a pair of elastic gears as published by Do, Ziegler and Eberhard, for comparison with `dynamics`.

    Both gears deform only by their natural modes. Every node of the flanks that penetrates the opposite flank, a surface of
    bilinear faces between its nodes, is pushed out by a spring (penalty). Nodes are displaced before the search. The Runge-Kutta
    method of order 4 with constant steps integrates rotations and modes. Steps that are too long for the highest frequency of modes
    and springs are cut, with a warning.

    Modes that are left out are missing in the deflection, flanks are polygons, and the penalty is arbitrary: see the theory page on
    elastic gears in motion. The model is as for `penalty_motion`: two wheels, each on one revolute joint to the ground, a gear pair
    with a `Flank` mesh without friction, drives, torques and torsion springs on the joints.

    Parameters
    ----------
    duration : [s].
    modes : number of modes of the gears A and B, such as [200, 500] (default); or the highest frequency for both, such as "80 kHz".
    penalty : stiffness of a node [N/m]; default: E √A of the mean area A of a node.
    slave : gear whose nodes touch: "a", "b", or "both" (default): two passes with half of the penalty each.
    step : [s]; default: half of the largest stable step.
    output_step : time between samples [s]; default: every n-th step, at most 1000 samples.
    elements_a, elements_b : options of the grids as for `sector_grid`; default: those of the mesh.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the result so far.

    The result has the signals of `dynamics`. `mesh.strips_in_contact` is the number of nodes in contact, `mesh.peak_pressure` the
    greatest force of a node divided by the mean area of a node. Its statistics contain sizes and times of the preparation.
    """
    began = clock.perf_counter()
    snapshot = starting_point(model, None)
    part = _understood(model, "node contact motion")
    span = positive_time(duration, "duration")
    given = None if step is None else positive_time(step, "step")
    out = None if output_step is None else positive_time(output_step, "output_step")
    if out is not None and out > span:
        raise ModelError(f"output_step ({out:g} s) must not be greater than the duration ({span:g} s)")
    if slave not in SLAVES:
        raise ModelError(f'slave must be "a", "b" or "both", got {shown(slave)}')
    wanted = wanted_modes(modes)
    stiffness = None if penalty is None else positive_penalty(penalty)
    mesh = part.mesh
    assert isinstance(mesh, Flank)
    teeth = teeth_of(part)
    grids = [
        grid_of(one, mesh_options if own is None else own, f"elements_{letter}")
        for one, mesh_options, own, letter in zip(
            teeth, (mesh.elements_a, mesh.elements_b), (elements_a, elements_b), "ab", strict=True
        )
    ]
    found: list[NodeModes] = []
    for one, grid, want, letter in zip(teeth, grids, wanted, "ab", strict=True):
        options = {"count": want} if isinstance(want, int) else {"up_to": want}
        found.append(node_modes(one, grid, bore=mesh.bore, name=f'gear {letter} of "{part.name}"', **options))
    prepared = clock.perf_counter() - began
    stiffness = node_penalty([one.lattices for one in found], teeth) if stiffness is None else stiffness
    ready = prepare(model, snapshot, until=snapshot.t + span, reduce=True)
    project_velocities(ready.system, ready.state)
    gears = modal_nodes(teeth[0], found[0]), modal_nodes(teeth[1], found[1])
    depth = PRESSED_NODES
    while True:
        pair = NodePair(ready, model, part.name, gears, penalty=stiffness, slave=slave)
        more = _MoreNodes(pair, last=depth > DEEPEST)
        frequency = pair.highest_frequency(depth)
        limit = min(stability_limit(pair.damping_ratio) / (2 * math.pi * frequency), pair.damper_limit())
        warnings = []
        wish = PART * limit
        if given is not None and given > limit:
            warnings.append(
                f"the step of {given:.3g} s was cut to {PART * limit:.3g} s: modes and penalty springs have a natural frequency of "
                f"{frequency:.4g} Hz, and steps must be shorter than {limit:.3g} s"
            )
        elif given is not None:
            wish = given
        each = SampleMemory.of(ready.system).peak
        check_memory(
            f'node contact motion of model "{model.name}"', DEFAULT_SAMPLES if out is None else span / out + 1.0, each,
            lambda fit: f'specify output_step = "{span / max(fit - 1, 1):.2g} s" or a longer one',
        )  # fmt: skip
        h, every, samples = _steps(span, wish, out)
        try:
            result = _run(
                model, ready, pair, h, every, samples, began,
                {
                    "largest_stable_step": limit, "highest_frequency": frequency, "preparation_time": prepared,
                    "nodes_a": found[0].nodes, "nodes_b": found[1].nodes,
                    "flank_nodes_a": found[0].lattices["left"].points.shape[0] * found[0].lattices["left"].points.shape[1],
                    "flank_nodes_b": found[1].lattices["left"].points.shape[0] * found[1].lattices["left"].points.shape[1],
                    "highest_mode_a": float(found[0].frequencies[-1]), "highest_mode_b": float(found[1].frequencies[-1]),
                    "stored_bytes": sum(one.file_size for one in found),
                    "bytes_of_all_nodes": sum(one.bytes_of_all_nodes for one in found),
                },
                {
                    "duration": span, "step": h, "output_step": every * h, "penalty": stiffness, "modes": list(wanted),
                    "slave": slave,
                },
                "node contact motion", warnings, more.check,
            )  # fmt: skip
            more.check()
        except _MoreNodesTouch:
            depth *= 4.0
            continue
        result.statistics["most_nodes_in_contact"] = float(pair.named_contact["most"])
        result.statistics["deepest_penetration"] = float(pair.named_contact["deepest"])
        return result


class _MoreNodesTouch(Exception):
    """More nodes touched than the step was chosen for: it must be chosen again, for more."""


@dataclass(frozen=True)
class _MoreNodes:
    """Ends a run in which more nodes touch than the step was chosen for; last: not this one."""

    pair: NodePair
    last: bool

    def check(self) -> None:
        if not self.last and float(self.pair.named_contact["most"]) > self.pair.looked_at:
            raise _MoreNodesTouch


def teeth_of(part: GearMesh) -> tuple[Teeth, Teeth]:
    """Involute teeth of both gears of a pair, which must not have modifications of single teeth."""
    found = []
    for wheel in (part.wheel_a, part.wheel_b):
        if not isinstance(wheel.gear, Gear) or wheel.gear.flanks is not None:
            kind = "imported flanks" if isinstance(wheel.gear, Gear) else f"a {type(wheel.gear).__name__}"
            raise ModelError(
                f'gear pair "{part.name}": wheel "{wheel.name}" has {kind}, which contact of nodes does not support. It supports '
                "spur, helical and conical involute gears. Use dynamics"
            )
        teeth = Teeth(wheel.gear)
        if any(teeth.flank(side).of_tooth for side in SIDES):
            raise ModelError(
                f'gear pair "{part.name}": wheel "{wheel.name}" has modifications of single teeth, which contact of nodes does not '
                "support. Leave them out, or use dynamics"
            )
        found.append(teeth)
    return found[0], found[1]


def grid_of(teeth: Teeth, options: object, what: str, order: int | None = None) -> SectorGrid:
    """The grid of a gear. Modifications move the flanks of the contact, not those of the elements."""
    if not isinstance(options, Mapping):
        raise ModelError(f'{what} must be options of the grid such as {{"flank_edge": "0.2 mm"}}, got {shown(options)}')
    chosen = dict(options)
    if chosen.get("modified"):
        raise ModelError(f"{what}: modified flanks are those of the gear; leave out modified")
    if order is not None and chosen.setdefault("order", order) != order:
        raise ModelError(f"{what}: explicit steps need elements of order {order}, got {shown(chosen['order'])}")
    return sector_grid(teeth, **chosen)


def node_penalty(lattices: Sequence[Mapping[str, FlankLattice]], teeth: tuple[Teeth, Teeth]) -> float:
    """E √A, with the mean area A of the nodes of the flanks [N/m]."""
    areas = np.concatenate([lattice.areas.ravel() for one in lattices for lattice in one.values()])
    return min(one.gear.material.youngs_modulus for one in teeth) * math.sqrt(float(areas.mean()))


def positive_penalty(penalty: Any) -> float:
    stiffness = quantity(penalty, "stiffness", what="penalty")
    if not stiffness > 0.0:
        raise ModelError(
            f'penalty must be greater than zero, got {stiffness:g} N/m. It is the stiffness of a node, such as "1e8 N/m"'
        )
    return float(stiffness)


def wanted_modes(modes: Any) -> tuple[int, int] | tuple[float, float]:
    """Numbers of modes of both gears, or the highest frequency [Hz] twice."""
    advice = 'modes must be the numbers of modes of both gears, such as [200, 500], or a frequency such as "80 kHz"'
    if isinstance(modes, (list, tuple, np.ndarray)):
        whole = [
            int(m)
            for m in modes
            if isinstance(m, (int, float, np.integer)) and not isinstance(m, bool) and float(m).is_integer()
        ]
        if len(modes) != 2 or len(whole) != 2 or min(whole) < 1:
            raise ModelError(f"{advice}; got {shown(modes)}")
        return whole[0], whole[1]
    frequency = float(quantity(modes, "frequency", what="modes"))
    if not frequency > 0.0:
        raise ModelError(f"{advice}; got {shown(modes)}")
    return frequency, frequency
