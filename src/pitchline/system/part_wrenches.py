"""Forces and moments of parts on the bodies that they act on, from their residuals at samples.

The residual of an element is the same for all kinds of elements: no kind can be left out. The parts whose signals contain
their forces (joints, drives, loads, gear pairs, rolling bearings, beams) are not recorded a second time.
"""

from typing import Any

import numpy as np

from ..declared_elements.axial_support import AxialSupport
from ..declared_elements.rolling_bearing import RollingBearing
from ..elements.contract import RESIDUAL
from ..math.compiled import B1, I8, entry
from ..math.fields import INTEGER, elsewhere, fields, record_at, reference
from ..math.record_addresses import address, new_record
from ..model.beam_line import BeamLine
from . import records
from .assembly import evaluate, evaluate_open
from .reporting import SampleArrays, SampleTable, set_sample
from .signal_pass import update_all_signals
from .station_signals import world_axes
from .system import System
from .workspace import Workspace

__all__ = ["part_wrenches"]

Wrenches = fields(
    "Wrenches",
    system=reference(records.SystemRecord),
    samples=reference(SampleTable),
    samples_count=INTEGER,
    n_acting=INTEGER,
    n_places=INTEGER,
    n_columns=INTEGER,
    acting=elsewhere("n_acting", of="integer"),  # numbers of elements
    places=elsewhere("n_places", of="integer"),  # first column for each of their nodes, element by element; -1: none
    columns=elsewhere("samples_count", "n_columns"),
)
_at = record_at(Wrenches)


@entry
def _fill(address: I8, inertial: B1):
    """Sum of the residuals of the elements of each part, for each node."""
    w = _at(address)
    sys = w.system
    columns = w.columns
    r = sys.local_r
    for k in range(w.samples.count):
        set_sample(sys, w.samples, k, inertial)
        update_all_signals(sys)
        place = 0
        for n in range(w.n_acting):
            e = sys.elements[w.acting[n]]
            if sys.ask.open != 0:
                evaluate_open(sys, e)
            else:
                evaluate(sys, e, RESIDUAL)
            for i in range(e.n_nodes):
                first = w.places[place]
                place += 1
                if first >= 0:
                    for j in range(6):
                        columns[k, first + j] += r[6 * i + j]


def part_wrenches(
    system: System, samples: Any, *, inertial: bool, load: float = 1.0
) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """(force, moment about the origin of the body) by part and body, world axes, each (samples, 3).

    They are forces of the part on the body. Parts that act on one body only (loads from outside) are left out.
    """
    acting, names = _acting(system)
    keys: dict[tuple[str, int], int] = {}
    places: list[int] = []
    for e, name in zip(acting, names, strict=True):
        own = _stations(system, name)
        for node in system.elements[e].nodes:
            places.append(-1 if node in own else 6 * keys.setdefault((name, node), len(keys)))
    if not keys:
        return {}
    n = len(samples.t)
    columns, work = np.zeros((n, 6 * len(keys))), Workspace(system)
    work.question(load=load, damped=inertial)
    if inertial and system.own.condensed_count:
        work.ask["open"] = 1
    kept = SampleArrays(samples)
    record = new_record(Wrenches, {
        "system": work.address, "samples": kept.address, "samples_count": n, "n_acting": len(acting), "n_places": len(places),
        "n_columns": columns.shape[1], "acting": np.array(acting, np.int64), "places": np.array(places, np.int64),
        "columns": columns,
    })  # fmt: skip
    _fill(address(record), inertial)

    found = {}
    for (name, node), k in keys.items():
        force, moment = -columns[:, 6 * k : 6 * k + 3], -columns[:, 6 * k + 3 : 6 * k + 6]
        body = system.model.ground.name
        if node:
            plan = system.nodes[node - 1]
            body, R = plan.body.name, world_axes(samples.pose[:, node, 3:])
            moment = np.einsum("nij,nj->ni", R, moment) + np.cross(R @ plan.offset, force)
        found[name, body] = force, moment
    return found


def _acting(system: System) -> tuple[list[int], list[str]]:
    """Elements between bodies whose signals do not contain their forces, with the names of their parts."""
    m = system.model
    counted = {*m.joints, *m.drives, *m.loads, *m.gear_pairs}
    counted |= {name for name, part in m.elements.items() if isinstance(part, (RollingBearing, AxialSupport))}
    counted |= {name for name, part in m.structures.items() if isinstance(part, BeamLine)}
    nodes: dict[str, set[int]] = {}
    chosen: list[int] = []
    for e in range(system.active):
        element = system.elements[e]
        if element.name in counted or element.name in m.bodies:  # bodies, and what keeps them in the plane of a model
            continue
        chosen.append(e)
        nodes.setdefault(element.name, set()).update(element.nodes)
    kept = [e for e in chosen if len(nodes[system.elements[e].name]) > 1]
    return kept, [system.elements[e].name for e in kept]


def _stations(system: System, name: str) -> set[int]:
    """Nodes of a structure: what its elements exchange there is not a force on another body."""
    structure = system.model.structures.get(name)
    if structure is None:
        return set()
    own = {station.name for station in structure.stations.values()}
    return {k for k, plan in enumerate(system.nodes, 1) if plan.body.name in own}
