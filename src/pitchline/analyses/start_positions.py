"""Start of an analysis: preparation of the system, positions of joints, twists of gearboxes.

Joints that are not specified keep their initial positions, or those of their drives. Other bodies follow through joints, gears and
rigid ratios. The joints of an elastic gear ratio follow each other with its twist, which is zero unless it is specified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.engine.compile.compiler import compile_model, remembers
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Evaluator, Rank
from pitchline.engine.compile.station_signals import NodeMotion
from pitchline.engine.compile.system import State, System
from pitchline.engine.solvers.consistent import assemble_positions, gaps, project_velocities, scale_laws
from pitchline.engine.solvers.linearised import null_space
from pitchline.engine.solvers.switching import find_driven
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.numerics.functions import value_of
from pitchline.numerics.slow_laws import raise_stored, take_stored
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.springs.part import Stop
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from .joint_choice import (
    JointCoordinate,
    as_array,
    choose,
    coordinate_of,
    joint_state,
    move_to,
    read_positions,
    set_speeds,
)
from .signals import build_signals, samples_of
from .time_options import check_size, no_garbage

__all__ = ["start_at_positions"]


# ---- preparation

# First steps of all analyses: compile, assemble, warn.


@dataclass
class Prepared:
    """A model ready to be solved."""

    system: System
    state: State
    rank: Rank
    warnings: list[str]

    @property
    def loose(self) -> float:
        """Violation of the constraints that were left out as redundant."""
        if not self.rank.redundant.size:
            return 0.0
        return gaps(self.system, self.state, redundant_only=True)[0].size * max(self.system.length, 1.0)


@no_garbage()
def prepare(
    model: Model,
    start: Snapshot,
    *,
    until: float,
    reduce: bool,
    load: float = 1.0,
    static: bool = False,
    rigid_structures: bool = False,
) -> Prepared:
    """Compile a model at a starting point and close its constraints."""
    system, state = compile_model(
        model, start, until=until, reduce=reduce, static=static, rigid_structures=rigid_structures
    )
    take_stored()  # left over from another analysis
    scale_laws(system, state)
    rank = assemble_positions(system, state, load=load)
    find_driven(system, state)
    if remembers(system):
        system.commit(state)
        raise_stored()  # of a program in the loop that cannot start
    if load == 1.0:
        _count_turns_of_drives(system, state)
    return Prepared(system, state, rank, list(model.warnings) + redundancy_warnings(system, rank))


def _count_turns_of_drives(system: System, state: State) -> None:
    """Give driven angles the revolutions of their drives: 10 rad stay 10 rad, although the pose is that of 10 - 4 pi."""
    for e, element in enumerate(system.elements[: system.active]):
        target = imposed_value(system, state, e) if element.kind is SCALAR_CONSTRAINT and element.rows == "r" else None
        if target is not None:
            turns = np.round((target - state.mem[system.mem0[e]]) / (2 * np.pi))
            state.mem[system.mem0[e]] += 2 * np.pi * turns


def imposed_value(system: System, state: State, e: int) -> float | None:
    """Target of a drive at the state's time; None for a constraint with a constant value."""
    place = int(system.elements[e].values["function"])
    return None if place < 0 else float(value_of(system.functions, place, state.t)[0])


def conflict_message(what: str, model: Model, name: str, t: float) -> str:
    """Message for a redundant constraint that contradicts the others."""
    return (
        f'{what} of model "{model.name}" stopped at t = {t:g} s: the mechanism is jammed. "{name}" can no longer be satisfied, '
        "because other joints and drives already fix the same coordinate at another value. Remove one of them, or apply the "
        "drive to a coordinate that is free"
    )


def redundancy_warnings(system: System, rank: Rank) -> list[str]:
    """Warn for every set of joints that constrain the same motion more than once."""
    warnings = []
    redundant = set(rank.redundant.tolist())
    for group in rank.groups:
        later = list(dict.fromkeys(system.row_owner(int(l)).name for l in group if int(l) in redundant))
        names = list(dict.fromkeys(system.row_owner(int(l)).name for l in group))
        others = [n for n in names if n not in later]
        count = int(np.sum(np.isin(group, rank.redundant)))
        held = "; ".join(
            [f"{count} constraint{'s' if count > 1 else ''} of {_listed(later)} repeat{'' if count > 1 else 's'} constraints of "
             f"{_listed(others) if others else 'the same item'}"]
        )  # fmt: skip
        warnings.append(
            f"redundant: {held}. The motion is unique. The distribution of loads among these joints is not; the "
            "result has the least-norm distribution"
        )
    return warnings


def _listed(names: list[str], most: int = 6) -> str:
    shown = ", ".join(f'"{n}"' for n in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


_RATIO = "elastic_gear_ratio"
_SPEEDS = {"angular_speed": "angle", "speed": "displacement"}
_SAME = 1e-7
"""Largest difference of two positions that are specified twice [rad, m]."""
_ROUNDED = 1e-13
"""Fraction of the largest velocity that is rounding."""
Place = tuple[str, str]
"""Joint and coordinate."""


def start_at_positions(model: Model, given: Mapping[str, Any]) -> Result:
    """A result with one sample, at positions and rates by name: "JOINT", "JOINT.angle", "JOINT.displacement",
    "JOINT.angular_speed", "JOINT.speed", and "GEARBOX.twist" for an elastic gear ratio."""
    positions, speeds, twists = _read(model, given)
    initial = _initial(model)
    positions = _through_gearboxes(model, positions, twists, initial)
    positions = {place: value for place, value in positions.items() if not _is_driven(model, place, value)}
    free = _freed(model, positions)
    ready = prepare(free, Snapshot.of_model(free), until=0.0, reduce=True, rigid_structures=True)
    system, state = ready.system, ready.state
    evaluator = Evaluator(system)
    if np.any(state.v):
        project_velocities(system, state)
    coordinates = _chosen(model, system, state, evaluator, [*positions, *speeds])
    here = joint_state(system, state, coordinates, evaluator)
    q, qd = read_positions(system, state, coordinates), here.G @ state.v[: system.own.first]
    for i, c in enumerate(coordinates):
        place = ("" if c.joint is None else c.joint.name, c.coordinate)
        q[i], qd[i] = positions.get(place, q[i]), speeds.get(place, qd[i])
    found = move_to(system, state, coordinates, evaluator, q)
    set_speeds(system, found, evaluator, qd)
    v = found.state.v
    v[np.abs(v) < _ROUNDED * np.max(np.abs(v), initial=0.0)] = 0.0  # bodies that stay at rest do so exactly
    _check_twists(model, NodeMotion(system, found.state), twists, initial, positions)
    signals = build_signals(system, samples_of([found.state]), ready.rank, inertial=False)
    return Result(kind="start", model_name=model.name, time=np.zeros(1), signals=signals)


def _read(model: Model, given: Mapping[str, Any]) -> tuple[dict[Place, float], dict[Place, float], dict[str, float]]:
    """Positions and rates of joints, and twists of gearboxes, in SI."""
    positions: dict[Place, float] = {}
    speeds: dict[Place, float] = {}
    twists: dict[str, float] = {}
    for name, value in given.items():
        if not isinstance(name, str):
            raise ModelError(f"start: expected names of joints, got {shown(name)}")
        owner, _, last = name.rpartition(".")
        element = model.elements.get(owner if last == "twist" else name)
        what = f'start: "{name}"'
        if element is not None and element.key == _RATIO:
            twists[element.name] = quantity(value, "angle", what=what)
        elif owner in model.joints and last in _SPEEDS:
            place = _place(model, owner, _SPEEDS[last], name)
            dimension = "angular velocity" if place[1] == "angle" else "velocity"
            speeds[place] = quantity(value, dimension, what=what)
        else:
            owner, last = (name, "") if name in model.joints else (owner, last)
            place = _place(model, owner, last, name)
            if place in positions:
                raise ModelError(f"{what}: this coordinate is specified twice. Remove one of them")
            positions[place] = quantity(value, "angle" if place[1] == "angle" else "length", what=what)
    return positions, speeds, twists


def _place(model: Model, joint: str, coordinate: str, name: str) -> Place:
    if joint not in model.joints:
        known = [*(j.name for j in model.joints.values() if j.coordinates)]
        known += [f"{e.name}.twist" for e in model.elements.values() if e.key == _RATIO]
        raise ModelError(
            f'start: there is no joint or elastic gear ratio "{name}"; {near_names(name, known)}. Specify joints, such as '
            '{"hinge": "30 deg"}, or twists of gearboxes, such as {"gearbox.twist": 0.001}'
        )
    own = model.joints[joint].coordinates
    chosen = own[0] if not coordinate and (len(own) == 1 or model.joints[joint].kind == "screw") else coordinate
    if chosen not in own:
        ways = " or ".join(f'"{joint}.{one}"' for one in own) or "another joint: it has no angle and no displacement"
        raise ModelError(
            f'start: "{name}" is not a coordinate of joint "{joint}" ({model.joints[joint].kind}). Use {ways}'
        )
    return joint, chosen


def _initial(model: Model) -> dict[Place, float]:
    """Coordinates of all joints in the initial pose."""
    ready = prepare(model, Snapshot.of_model(model), until=0.0, reduce=True, rigid_structures=True)
    motion = NodeMotion(ready.system, ready.state)
    return {(j.name, c): motion.coordinate(j, c) for j in model.joints.values() for c in j.coordinates}


def _gearboxes(model: Model) -> list[tuple[str, Place, Place, float]]:
    """Elastic gear ratios: name, input, output, ratio."""
    found = []
    for element in model.elements.values():
        if element.key == _RATIO:
            a, b = (element.values[side] for side in "ab")
            found.append((element.name, (a, "angle"), (b, "angle"), float(element.values["ratio"])))
    return found


def _through_gearboxes(
    model: Model, positions: Mapping[Place, float], twists: Mapping[str, float], initial: Mapping[Place, float]
) -> dict[Place, float]:
    """Positions with those of joints at the other side of elastic gear ratios: θ_a/i − θ_b is the twist."""
    known = dict(positions)
    boxes = _gearboxes(model)
    for name, a, b, _ in boxes:
        if name in twists and a not in known and b not in known:
            known[b] = initial[b]  # the output keeps its place, the input turns
    for _ in boxes:
        for name, a, b, ratio in boxes:
            twist = twists.get(name, 0.0)
            if b in known and a not in known:
                known[a] = initial[a] + ratio * (known[b] - initial[b] + twist)
            elif a in known and b not in known:
                known[b] = initial[b] + (known[a] - initial[a]) / ratio - twist
    return known


def _check_twists(
    model: Model,
    motion: NodeMotion,
    twists: Mapping[str, float],
    initial: Mapping[Place, float],
    known: Mapping[Place, float],
) -> None:
    """Refuse twists that contradict the positions."""
    for name, a, b, ratio in _gearboxes(model):
        if name not in twists:
            continue
        turned = [known.get(place, initial[place]) - initial[place] for place in (a, b)]
        twist = turned[0] / ratio - turned[1]
        if abs(twist - twists[name]) > _SAME * max(1.0, abs(twist)):
            raise ModelError(
                f'start: the positions of "{a[0]}" and "{b[0]}" give "{name}" a twist of {twist:.9g} rad, not {twists[name]:.9g} '
                "rad. Leave out one of the three"
            )


def _is_driven(model: Model, place: Place, value: float) -> bool:
    """Whether a drive prescribes this position already. ModelError if it prescribes another one."""
    for drive in model.drives.values():
        if (drive.joint_name, drive.coordinate) != place or drive.given != "position":
            continue
        at = drive.function(0.0) if callable(drive.function) else None
        if at is None or abs(float(at) - value) > _SAME * max(1.0, abs(value)):
            said = "" if at is None else f", which is {float(at):.9g} at t = 0"
            raise ModelError(
                f'start: joint "{place[0]}" is prescribed by the drive "{drive.name}"{said}, and cannot start at {value:.9g}. '
                "Change the drive, or leave out the joint"
            )
        return True
    return False


def _freed(model: Model, positions: Mapping[Place, float]) -> Model:
    """The model without rigid stops, speeds of the joints that are moved, and backlash of rigid gear pairs."""
    out = [load.name for load in model.loads.values() if isinstance(load, Stop) and load.rigid]
    out += [drive.name for drive in model.drives.values() if (drive.joint_name, drive.coordinate) in positions]
    loose = [p for p in model.gear_pairs.values() if p.known_law.rigid and p.known_law.backlash > 0.0]
    return model.replaced(*(p.with_law(replace(p.law, backlash=0.0, offset=0.0)) for p in loose), without=out)


def _chosen(
    model: Model, system: System, state: State, evaluator: Evaluator, first: list[Place]
) -> list[JointCoordinate]:
    """Independent coordinates, the specified ones first."""
    check_size(model.name, system.n_q)
    n, nq = system.own.first, system.n_q
    lam = np.zeros_like(state.lam)
    K = as_array(evaluator.tangent(state, mass=1.0, moving=False, lam=lam, small_as_array=True)[1])
    free = null_space(K[nq:, :n] * system.sizes[:n])
    if not free.shape[1]:
        raise ModelError(f'start: model "{model.name}" cannot move. Leave out start')
    motion = NodeMotion(system, state)
    found = choose(system, motion, system.sizes[:n, None] * free, None, [joint for joint, _ in first])
    chosen = {(c.joint.name, c.coordinate) for c in found if c.joint is not None}
    for place in first:
        if place not in chosen:
            name = coordinate_of(model.joints[place[0]], place[1]).name
            raise ModelError(
                f'start: "{name}" follows from the other joints, gears and drives, and cannot be chosen. Leave it out, or leave '
                "out one of the others"
            )
    return found
