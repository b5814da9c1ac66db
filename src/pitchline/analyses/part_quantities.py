"""Energies and momentum of the parts of a model during a run, from samples that are computed again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.reporting import Reporter
from pitchline.engine.compile.station_signals import world_axes
from pitchline.engine.compile.system import State, System
from pitchline.engine.elements.frame_motion import COORDINATE
from pitchline.engine.solvers.linear import Samples
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.gears.compile import recall_turns
from pitchline.results.part_quantities import Momentum, PartEnergies
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.units.quantity import vector

from .observers import starting_point
from .operating_point import check_model

__all__ = ["rebuilt", "energies", "momentum"]


# ---- rebuilt samples

# Samples of a system from the signals of a result: positions and rates of all bodies, counted angles, own
# coordinates.


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


SAME = 1e-7
"""Largest difference between the sum of all parts and the energy of the run, relative to the largest energy."""
CENTRE = "centre of mass"


@names_wrong_arguments
def energies(model: Model, run: Result, *, groups: Mapping[str, Any] | None = None) -> PartEnergies:
    """Compute kinetic and potential energy of every part of a model during a run.

    Bodies have kinetic energy and the potential energy of their weight; springs, bushings, bearings, gear pairs, shafts and
    elements have elastic energy. The sums are the energies of the run.

    Parameters
    ----------
    model
        Model of the run.
    run
        Result of the model, also one that was loaded from a file.
    groups
        Parts by name of a group, such as ``{"arm": ["link", "rotor", "spring"]}``. Default: every part.
    """
    system, samples = rebuilt(model, run, "energies")
    reported = sorted({e.name for e in system.elements if e.kind.report is not None})
    known = [name for name in dict.fromkeys(e.name for e in system.elements) if name in reported]
    chosen = {name: [name] for name in known} if groups is None else _groups(groups, known)
    found: dict[str, np.ndarray] = {}
    for name in dict.fromkeys(part for parts in chosen.values() for part in parts) if groups is not None else known:
        values, _ = Reporter(system, {name}).report(samples, inertial=True)
        found[name] = values[:, :2].copy()
    if groups is None:
        _check_sums(run, found)
        chosen = {name: parts for name, parts in chosen.items() if np.any(found[name])}
    sums = {name: np.sum([found[part] for part in parts], axis=0) for name, parts in chosen.items()}
    return PartEnergies(
        np.array(run.time),
        {name: values[:, 0].copy() for name, values in sums.items()},
        {name: values[:, 1].copy() for name, values in sums.items()},
    )


def _groups(given: Any, known: list[str]) -> dict[str, list[str]]:
    if not isinstance(given, Mapping) or not given:
        raise ModelError(f"groups: expected parts by name of a group, got {shown(given)}")
    return {str(name): _parts(parts, known, f'group "{name}"') for name, parts in given.items()}


def _parts(given: Any, known: list[str], what: str) -> list[str]:
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else []
    if not names:
        raise ModelError(f"{what}: specify names of parts, got {shown(given)}")
    for name in names:
        if name not in known:
            raise ModelError(f'{what}: there is no part "{name}"; {near_names(str(name), known)}')
        if names.count(name) > 1:
            raise ModelError(f'{what}: "{name}" is given twice')
    return names


def _check_sums(run: Result, found: Mapping[str, np.ndarray]) -> None:
    """The sums must be the energies of the run: otherwise the model is another one."""
    total = np.sum(list(found.values()), axis=0)
    size = max([1e-300, *(float(np.abs(x).max(initial=0.0)) for x in found.values())])
    for i, name in enumerate(("kinetic", "potential")):
        if f"energy.{name}" in run:
            off = float(np.abs(total[:, i] - run[f"energy.{name}"].values).max(initial=0.0))
            if off > SAME * size:
                raise ModelError(
                    f"energies: the {name} energy of the parts differs from that of the run by up to {off:.3g} J. The run is "
                    "that of another model, or an element has an energy that depends on its past"
                )


@names_wrong_arguments
def momentum(model: Model, run: Result, *, about: Any = None, parts: Any = None) -> Momentum:
    """Compute momentum and angular momentum of a model during a run, in world axes.

    Parameters
    ----------
    model
        Model of the run.
    run
        Result of the model, also one that was loaded from a file.
    about
        Reference point of the angular momentum: a point fixed in the world [m], or "centre of mass" of the parts. Default: the
        origin.
    parts
        Names of bodies, shafts, beams, flexible bodies or attached masses. Default: all.
    """
    central = isinstance(about, str) and about == CENTRE
    if isinstance(about, str) and not central:
        raise ModelError(f'about must be a point [m] or "{CENTRE}", got {shown(about)}')
    point = np.zeros(3) if about is None or central else vector(about, "length", what="about")
    system, samples = rebuilt(model, run, "momentum")
    massive = [e for e in range(system.active) if system.elements[e].kind.has_inertia]
    if parts is not None:
        names = _parts(parts, list(dict.fromkeys(system.elements[e].name for e in massive)), "parts")
        massive = [e for e in massive if system.elements[e].name in names]
    p, L, centre = _momentum(system, samples, massive, point)
    if central:
        L = L - np.cross(centre - point, p)
    return Momentum(
        _signal("momentum", p, samples.t, "kg*m/s", "momentum"),
        _signal("angular_momentum", L, samples.t, "kg*m^2/s", f"angular momentum about {_words(about)}"),
        _signal("centre_of_mass", centre, samples.t, "m", "centre of mass"),
    )


def _words(about: Any) -> str:
    if about is None:
        return "the origin"
    return f"the {CENTRE}" if isinstance(about, str) else f"the point {tuple(np.asarray(about).tolist())}"


def _signal(name: str, values: np.ndarray, t: np.ndarray, unit: str, text: str) -> Signal:
    return Signal(name, values, t, unit, f"{text}, world axes", ("x", "y", "z"))


def _momentum(
    system: System, samples: Any, massive: list[int], point: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(momentum, angular momentum about a point, centre of mass), each (samples, 3).

    The inertia forces of accelerations that are equal to the velocities, at rest, are the momentum of an element. Those of a
    uniform acceleration along each axis are its mass, and with their moments its centre of mass."""
    n = len(samples.t)
    p, L, centre = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))
    like = system.initial_state(0.0)
    evaluator = Evaluator(system)
    work = evaluator.work
    for k in range(n):
        state = state_of(like, samples, k)
        velocities = state.v.copy()
        state.v[:] = 0.0
        state.vd[:] = 0.0
        evaluator.place(state)
        x, R = work.bodies["x"].copy(), work.bodies["R"].reshape(-1, 3, 3).copy()
        at_rest = [work.element(e)[0] for e in massive]

        def forces(e: int, rest: np.ndarray, x: np.ndarray = x, R: np.ndarray = R) -> tuple[np.ndarray, np.ndarray]:
            change = work.element(e)[0] - rest
            force, moment = np.zeros(3), np.zeros(3)
            for i, g in enumerate(system.elements[e].nodes):
                f, m = change[6 * i : 6 * i + 3], R[g] @ change[6 * i + 3 : 6 * i + 6]
                force += f
                moment += m + np.cross(x[g] - point, f)
            return force, moment

        state.vd[:] = velocities
        evaluator.place(state)
        for e, rest in zip(massive, at_rest, strict=True):
            f, m = forces(e, rest)
            p[k] += f
            L[k] += m
        # uniform accelerations along x and y: force = mass, moment = (centre - point) x force
        mass, first = 0.0, np.zeros(3)
        state.vd[:] = 0.0
        evaluator.place(state)
        for axis in (0, 1):
            work.bodies["a"][1:] = np.eye(3)[axis]
            for e, rest in zip(massive, at_rest, strict=True):
                f, m = forces(e, rest)
                if axis == 0:
                    mass += f[0]
                    first[1] -= m[2]
                    first[2] += m[1]
                else:
                    first[0] += m[2]
        centre[k] = point + first / mass if mass > 0.0 else point
    return p, L, centre
