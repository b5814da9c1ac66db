"""Explicit motion: a pair of gears as full finite element models, by central differences."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping
from typing import Any

from ..arguments import names_wrong_arguments
from ..budget import budgeted
from ..errors import ModelError, shown
from ..fem.elastic_gear import SIDES
from ..fem.explicit_gear import explicit_gear
from ..fem.flank_lattice import flank_lattice
from ..model import Model
from ..model.meshes import Flank
from ..progress import staged
from ..results.result import Result
from ..solvers.consistent import project_velocities
from .explicit_pair import ExplicitPair, GearElements
from .memory import SampleMemory, check_memory
from .node_contact_motion import grid_of, node_penalty, positive_penalty, teeth_of
from .node_pair import SLAVES
from .penalty_motion import PART, _run, _steps, _understood
from .preparation import prepare
from .starting_point import starting_point
from .time_options import DEFAULT_SAMPLES, positive_time

__all__ = ["explicit_motion"]

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
