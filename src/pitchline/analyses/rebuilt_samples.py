"""Samples of a system from the signals of a result: positions and rates of all bodies, counted angles, own coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elements.coordinate import COORDINATE
from ..errors import ModelError, shown
from ..model import Model
from ..results.result import Result
from ..solvers.motion import Samples
from ..system.compiler import compile_model
from ..system.gear_elements import recall_turns
from ..system.station_signals import world_axes
from ..system.system import State, System
from .operating_point import check_model
from .starting_point import starting_point

__all__ = ["rebuilt"]


def rebuilt(model: Model, run: Any, what: str) -> tuple[System, Samples]:
    """The system of a model, and its samples in a result."""
    check_model(model)
    if not isinstance(run, Result):
        raise ModelError(f"{what}: expected a Result of the model, got {shown(run)}")
    snapshot = starting_point(model, run, time=float(run.time[0]) if run.time.size else None)
    system, state = compile_model(model, snapshot, until=float(run.time[-1]))
    if system.own.condensed_count:
        name = system.elements[system.own.condensed[0].element].name
        raise ModelError(f'{what}: gear pair "{name}" has internal coordinates that a result does not contain')
    n = len(run.time)
    pose = np.repeat(state.pose[None], n, axis=0)
    v, vd = np.zeros((n, system.n_q)), np.zeros((n, system.n_q))
    for k, plan in enumerate(system.nodes, 1):
        name = plan.body.name
        x, q, u, w, a, al = (
            run[f"{name}.{s}"].values
            for s in ("position", "orientation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
        )
        R = world_axes(q)
        arm = R @ plan.offset
        pose[:, k, :3], pose[:, k, 3:] = x + arm, q
        spin = np.cross(w, arm)
        inverse = np.linalg.pinv(plan.T)
        mine = slice(int(system.dof0[k]), int(system.dof0[k] + system.ndof[k]))
        own = np.einsum("nji,nj->ni", R, w), np.einsum("nji,nj->ni", R, al)
        v[:, mine] = np.concatenate([u + spin, own[0]], axis=1) @ inverse.T
        vd[:, mine] = np.concatenate([a + np.cross(al, arm) + np.cross(w, spin), own[1]], axis=1) @ inverse.T
    mem = np.repeat(state.mem[None], n, axis=0)
    for e, element in enumerate(system.elements):
        if element.kind is COORDINATE and f"{element.name}.angle" in run:
            mem[:, system.mem0[e]] = run[f"{element.name}.angle"].values
    own_values = _own(system, run, v, n)
    samples = Samples(
        t=np.array(run.time), pose=pose, v=v, vd=vd, lam=np.zeros((n, state.lam.size)), mem=mem, own=own_values,
        condensed=np.zeros((n, 2, 0)), work=np.zeros((n, 3)),
    )  # fmt: skip
    if model.gear_pairs:
        _count_teeth(system, state, samples, run)
    return system, samples


def _own(system: System, run: Result, v: np.ndarray, n: int) -> np.ndarray:
    """Open coordinates of elements; their rates are written into v."""
    found = np.zeros((n, system.own.count))
    for g in system.own.open:
        name = f"{system.elements[g.element].name}.{g.what.name}"
        mine = slice(g.first, g.first + g.count)
        if name in run:
            found[:, mine] = run[name].values.reshape(n, -1)
        if f"{name}_rate" in run:
            v[:, system.own.first :][:, mine] = run[f"{name}_rate"].values.reshape(n, -1)
    return found


def _count_teeth(system: System, state: State, samples: Samples, run: Result) -> None:
    """Memory of gear pairs: teeth in contact and revolutions of each sample."""
    pairs = [(e, x) for e, x in enumerate(system.elements) if x.name in system.model.gear_pairs]
    for k in range(len(samples.t)):
        now = state_of(state, samples, k)
        system.commit(now)
        for e, element in pairs:
            mine = slice(int(system.mem0[e]), int(system.mem1[e]))
            psi_a, psi_b, approach = (
                float(run[f"{element.name}.{s}"].values[k]) for s in ("psi_a", "psi_b", "approach")
            )
            approach /= system.model.gear_pairs[element.name].length_factor
            recall_turns(element, now.mem[mine], psi_a, psi_b, approach)
            samples.mem[k, mine] = now.mem[mine]


def state_of(like: State, samples: Samples, k: int) -> State:
    """One of the samples as a state."""
    now = like.copy()
    now.t = float(samples.t[k])
    for name in ("pose", "v", "vd", "lam", "mem", "own"):
        getattr(now, name)[...] = getattr(samples, name)[k]
    return now
