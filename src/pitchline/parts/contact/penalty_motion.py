"""Penalty motion: a pair of elastic gears by explicit steps and penalty contact, for comparison."""

from __future__ import annotations

import copy
import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from pitchline.analyses.observers import Moment, finished, reached, starting_point
from pitchline.analyses.run_warnings import EnergyBalance, balance_warning, blow_up
from pitchline.analyses.signals import build_signals, samples_of
from pitchline.analyses.start_positions import Prepared, prepare
from pitchline.analyses.time_options import DEFAULT_SAMPLES, SampleMemory, check_memory, positive_time, ran_out
from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted, foresee
from pitchline.base.progress.display import engineering, staged
from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.system import State
from pitchline.engine.solvers import penalty_steps
from pitchline.engine.solvers.consistent import displace, project_velocities
from pitchline.engine.solvers.integrator import Integrator, SampleStore
from pitchline.engine.solvers.linear import Motion
from pitchline.engine.solvers.run_record import DONE, Options
from pitchline.errors import BudgetError, ModelError, SolveError
from pitchline.model.model import Model
from pitchline.numerics.fields import packed
from pitchline.results.result import Result
from pitchline.results.status import Status
from pitchline.units.quantity import quantity

from ..bodies.kernel_constraint import SCALAR_CONSTRAINT
from ..bodies.part import ANGLE
from ..gears.part import Wheel
from ..meshes import kernel_flank_steps as rk
from ..meshes.inertia import inertia_in_mesh
from ..meshes.kernel_flank import FLANK_MESH, flank_alone
from ..meshes.kernel_flank_records import FlankMemory
from ..meshes.laws.flank import Flank
from ..meshes.part import GearMesh
from ..springs.kernel_load import SCALAR_FORCE
from ..springs.part import JointLoad, TorsionSpring

__all__ = ["PenaltyPair", "TurningMap", "PenaltyRunner", "penalty_motion"]


# ---- penalty pair

# Two wheels with elastic flanks, read from a compiled model for the explicit steps of `parts.meshes.kernel_flank_steps`.

PRESSED = 2e-5
"""[m] Approach beyond first contact that defines which strips may touch together."""
LOOKS = 16
"""Number of angles within a pitch at which the highest frequency is computed."""


@dataclass(frozen=True)
class TurningMap:
    """Rotation of joints and teeth as a function of the coordinates of the system, from its start."""

    coordinate: list[int]  # of the wheels A and B
    joint: list[str]
    joint_turn: list[float]
    angle: list[float]
    psi: list[float]
    psi_turn: list[float]
    approach: float


class PenaltyPair:
    """Two wheels of a compiled model, in the form that `parts.meshes.kernel_flank_steps` requires."""

    elements: np.ndarray | None = None
    """Finite elements of both gears in explicit steps; None: the gears move by their modes."""

    def __init__(self, ready: Prepared, model: Model, name: str) -> None:
        self.system, self.state = ready.system, ready.state
        system = self.system
        self.element = next(e for e, x in enumerate(system.elements) if x.kind is FLANK_MESH)
        place = int(system.mem0[self.element]) + FlankMemory.place("flanks")[0]
        self.memory = slice(place, int(system.mem1[self.element]))
        """Position of the memory of the flanks in that of the system."""
        self.condensed = [slice(g.first, g.first + g.count) for g in system.own.condensed if g.element == self.element]
        """Positions of the modal coordinates of both gears among the condensed coordinates of the system."""
        part = model.gear_pairs[name]
        assert isinstance(part.mesh, Flank)
        self.penalty, self.damping_ratio, self.limit = part.mesh.penalty, part.mesh.damping_ratio, part.mesh.modes
        self.map = _turning(ready, model, name)
        self.teeth = part.pair.pitch.teeth_a
        self.flanks = flank_alone(system.elements[self.element])
        self.modes_a, self.modes_b = (int(self.flanks.parameters[gear]["modes"]) for gear in "ab")
        self.wheels = self._wheels(model, part)
        self.loads, self.springs = self._on_joints(model)
        self.record = self._record()

    def _record(self) -> np.ndarray:
        """The run at its start. Forces of strips before it are not of interest."""
        modes = [np.concatenate([row[place] for place in self.condensed]) for row in self.state.condensed]
        x = np.concatenate([np.zeros(rk.WHEELS), modes[0]])
        v = np.concatenate([self.state.v[self.map.coordinate], modes[1]])
        return self._packed(x, v, {})

    def _packed(self, x: np.ndarray, v: np.ndarray, more: dict[str, Any]) -> np.ndarray:
        """The run with coordinates and rates, and values of further fields."""
        flanks, memory, _, scratch = self.flanks.records
        others = {name: np.zeros_like(x) for name in ("a", "x_stage", "v_stage", "a_stage", "x_sum", "v_sum")}
        values = {
            "flanks": flanks, "memory": memory, "scratch": scratch, "functions": self.system.functions, "wheels": self.wheels,
            "n_loads": len(self.loads), "loads": self.loads, "n_springs": len(self.springs), "springs": self.springs,
            "approach": self.map.approach, "x": x, "v": v,
        }  # fmt: skip
        return packed(rk.PenaltyRun, values | others | more)

    @property
    def run(self) -> np.void:
        """Names and values of the run."""
        named: np.void = self.record[: rk.PenaltyRun.size].view(rk.PenaltyRun.dtype)[0]
        return named

    def row(self, name: str) -> np.ndarray:
        """Coordinates "x", rates "v" or accelerations "a": rotations of the wheels, modes of both gears."""
        start = int(self.run[name])
        return self.record[start : start + int(self.run["n"])]

    def _wheels(self, model: Model, part: GearMesh) -> np.ndarray:
        system, found = self.system, self.map
        rows = np.zeros(rk.WHEELS, rk.PenaltyWheel.dtype)
        pitch = part.pair.pitch
        sides: tuple[tuple[Wheel, float], ...] = (
            (part.wheel_a, 0.5 * pitch.normal_module * pitch.teeth_a),
            (part.wheel_b, 0.5 * pitch.normal_module * pitch.teeth_b),
        )
        for i, (wheel, lever) in enumerate(sides):
            inertia = inertia_in_mesh(model, wheel)
            drive = -1
            for element in system.elements[: system.active]:
                said = model.drives.get(element.name)
                if element.kind is SCALAR_CONSTRAINT and said is not None and said.joint_name == found.joint[i]:
                    drive = int(element.values["function"])
            rows[i] = inertia, found.psi_turn[i], lever, found.joint_turn[i], found.angle[i], found.psi[i], drive
        return rows

    def _on_joints(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        loads, springs = [], []
        for name, load in model.loads.items():
            assert isinstance(load, (JointLoad, TorsionSpring))
            wheel = self.map.joint.index(load.joint_name)
            if isinstance(load, TorsionSpring):
                springs.append((wheel, load.stiffness, load.damping, load.free_angle))
            else:
                found = next(x for x in self.system.elements if x.name == name and x.kind is SCALAR_FORCE)
                loads.append((wheel, int(found.values["function"])))
        return np.array(loads, rk.PenaltyLoad.dtype), np.array(springs, rk.PenaltySpring.dtype)

    def highest_frequency(self) -> float:
        """Of both gears and all strips that may touch together, in all positions over a pitch [Hz]."""
        gears = self.flanks.parameters
        both = self.flanks.frequencies()
        omega = []
        for gear, own in (("a", both[: self.modes_a]), ("b", both[self.modes_a :])):
            omega += [own, own[: int(gears[gear]["paired"])]]
        squares = np.concatenate([np.zeros(rk.WHEELS), *omega]) ** 2
        for spring in self.springs:
            squares[spring["wheel"]] += spring["stiffness"] / self.wheels["inertia"][spring["wheel"]]
        rows = np.zeros((int(gears["room"]), squares.size))
        highest = float(squares.max())
        play = self._play(rows)
        for k in range(LOOKS):
            psi = self.map.psi[0] + 2 * math.pi * k / (LOOKS * self.teeth)
            for u in play:
                count = rk.strips_near(self.record, u, psi, rows)
                if count:
                    highest = max(highest, _largest(squares, self.penalty, rows[:count]))
        return math.sqrt(highest) / (2 * math.pi)

    def damper_limit(self) -> float:
        """Largest stable step for the dampers on the joints [s]: on the real axis the Runge-Kutta method is stable "
        "up to c h/I = 2.78."""
        rates = np.zeros(rk.WHEELS)
        for spring in self.springs:
            rates[spring["wheel"]] += spring["damping"] / self.wheels["inertia"][spring["wheel"]]
        rates[self.wheels["drive"] >= 0] = 0.0
        return 2.6 / float(rates.max()) if rates.any() else math.inf

    def _play(self, rows: np.ndarray) -> tuple[float, float]:
        """Approaches at which either flank is pressed by PRESSED: found by looking where strips begin to be near."""

        def near(u: float) -> bool:
            psi = (self.map.psi[0] + 2 * math.pi * k / (4 * self.teeth) for k in range(4))
            return any(rk.strips_near(self.record, u, one, rows) > 0 for one in psi)

        middle, reach = float(self.map.approach), 0.5 * math.pi * float(self.wheels["lever"][0]) * 2 / self.teeth
        ends = []
        for sign in (1.0, -1.0):
            low, high = 0.0, reach
            for _ in range(30):
                between = 0.5 * (low + high)
                low, high = (low, between) if near(middle + sign * between) else (between, high)
            ends.append(middle + sign * (high + PRESSED))
        return ends[0], ends[1]


def _largest(squares: np.ndarray, penalty: float, rows: np.ndarray) -> float:
    """Largest eigenvalue of diag(squares) + penalty rows^T rows."""
    n = squares.size

    def product(x: np.ndarray) -> np.ndarray:
        x = x.reshape(-1)
        return np.asarray(squares * x + penalty * (rows.T @ (rows @ x)))

    if n < 64:
        return float(np.linalg.eigvalsh(np.diag(squares) + penalty * rows.T @ rows)[-1])
    start = rows.sum(axis=0) + 1e-3 * np.abs(rows).max()
    found = eigsh(LinearOperator((n, n), matvec=product, dtype=np.float64), 1, which="LA", v0=start, tol=1e-4)
    return float(found[0][0]) if isinstance(found, tuple) else float(found[0])


def _turning(ready: Prepared, model: Model, name: str) -> TurningMap:
    """By moving the wheels one at a time; both must turn about the axes of their teeth."""
    system, state = ready.system, ready.state
    if system.n_q != rk.WHEELS:
        raise ModelError(
            f'penalty motion of model "{model.name}": each wheel must have one degree of freedom, the rotation'
        )
    turn = 1e-3
    states = [state.copy() for _ in range(5)]
    for i in range(rk.WHEELS):
        for k, by in ((1, turn), (2, -turn)):
            dq = np.zeros(rk.WHEELS)
            dq[i] = by
            displace(system, states[2 * i + k], dq)
    signals = build_signals(system, samples_of(states), ready.rank, inertial=True)
    part = model.gear_pairs[name]
    joints, coordinates = [], []
    psi = [signals[f"{name}.psi_a"].values, signals[f"{name}.psi_b"].values]
    angles, turns, psi_turns = [], [], []
    for side, wheel in enumerate((part.wheel_a, part.wheel_b)):
        joint = next(
            j.name for j in model.joints.values() if wheel.body_name in (j.frame_a.body_name, j.frame_b.body_name)
        )
        values = signals[f"{joint}.{ANGLE}"].values
        i = int(np.argmax([abs(values[1] - values[2]), abs(values[3] - values[4])]))
        up, down = 2 * i + 1, 2 * i + 2
        joint_turn, psi_turn = ((x[up] - x[down]) / (2 * turn) for x in (values, psi[side]))
        even = abs(psi[side][up] + psi[side][down] - 2 * psi[side][0])
        if abs(abs(psi_turn) - 1.0) > 1e-6 or abs(abs(joint_turn) - 1.0) > 1e-6 or even > 1e-9:
            raise ModelError(
                f'penalty motion of model "{model.name}": joint "{joint}" does not rotate "{wheel.body_name}" about '
                "the axis of its "
                "teeth. Put the joint on that axis, or use dynamics"
            )
        joints.append(joint)
        coordinates.append(i)
        angles.append(float(values[0]))
        turns.append(float(np.sign(joint_turn)))
        psi_turns.append(float(np.sign(psi_turn)))
    approach = float(signals[f"{name}.approach"].values[0]) / model.gear_pairs[name].length_factor
    return TurningMap(coordinates, joints, turns, angles, [float(x[0]) for x in psi], psi_turns, approach)


# ---- penalty runner

# Run of a pair of wheels with penalty contact, in the form that the time loop requires.


class PenaltyRunner:
    """Run of a pair with steps h and a sample after every `every`-th step, up to the time `end`."""

    def __init__(self, pair: PenaltyPair, h: float, every: int, end: float) -> None:
        self.pair, self.h, self.every, self.end = pair, h, every, end
        system = pair.system
        drives = [
            (int(system.lam0[e]), pair.map.joint.index(system.model.drives[element.name].joint_name))
            for e, element in enumerate(system.elements[: system.active])
            if element.kind is SCALAR_CONSTRAINT
        ]
        self._drives = np.array(drives, penalty_steps.PenaltyDrive.dtype)
        a, b = pair.condensed
        elements = pair.elements
        further = {} if elements is None else {"by_elements": 1, "elements": elements}
        self._record = packed(
            penalty_steps.PenaltySteps,
            further
            | {
                "pair": pair.record, "wheel_a": pair.map.coordinate[0], "wheel_b": pair.map.coordinate[1],
                "condensed_a": a.start, "condensed_b": b.start, "memory_place": pair.memory.start, "memory": pair.flanks.m,
                "n_drives": len(drives), "drives": self._drives, "shown": np.zeros(rk.WHEELS),
            },
        )  # fmt: skip

    def integrator(self, state: State, rank: Rank) -> tuple[Integrator, SampleStore]:
        """Return the run at its start, with the first sample."""
        options = np.zeros(1, Options.dtype)
        options["fixed"], options["step"], options["interval"], options["every"] = 1, self.h, self.h, self.every
        options["t0"], options["t_end"] = state.t, self.end
        motion = Motion(self.pair.system, options)
        motion.set(state)
        motion.progress["h_want"] = self.h
        integrator = Integrator(
            self.pair.system, motion, rank, evaluator="explicit steps of a pair with penalty contact"
        )
        found = penalty_steps.addresses() | {"evaluator": self._record.ctypes.data}
        for name, address in found.items():
            motion.run[name] = address
        penalty_steps.start(motion.address)
        store = SampleStore(self.pair.system)
        store.add(integrator)
        self._kept = integrator
        return integrator, store


LEAST_STEP = 1e-7
"""Least computing time of a step on any machine [s]."""
PART = 0.9
"""Fraction of the largest stable step that is used if no step is specified."""


@names_wrong_arguments
@staged("penalty motion of {}")
@budgeted
def penalty_motion(
    model: Model,
    *,
    duration: Any,
    penalty: Any = None,
    step: Any = None,
    output_step: Any = None,
    modes: Any = None,
    budget: Any = None,
) -> Result:
    """Compute the motion of a pair of elastic gears by explicit Runge-Kutta steps of order 4, with penalty contact.

    This is the integrator of Do, Ziegler and Eberhard, for comparison with `dynamics`. The force on a strip of the flanks that
    penetrates by g is c_p g. The gears deform only by their modes. Steps are constant. Neither statics (modes that are left out
    are missing) nor contact (the penalty is elastic) is exact, and steps must be short. The method is stable for

        w_max h < 2.8          (2.6 with strong damping),

    where w_max is the highest natural circular frequency of both gears coupled by the penalty springs of all strips that may touch.
    Errors are of order h⁴ as long as the same strips touch. If strips enter or leave contact, the force has a corner and the order
    is lower.

    The model must consist of two wheels, each on one revolute joint to the ground, a gear pair with a `Flank` mesh without
    friction, and only drives, torques and torsion springs on the joints. The motion starts from its initial conditions.

    Parameters
    ----------
    duration : [s].
    penalty : stiffness c_p of a strip [N/m]; default: that of the mesh.
    step : [s], fitted to the duration or output_step; default: 0.9 times the largest stable step.
    output_step : time between samples [s]; default: every n-th step, at most 1000 samples.
    modes : highest frequency of the modes that move [Hz]; default: that of the mesh.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the result so far.

    The result has the signals of `dynamics`. Its statistics contain "largest_stable_step" [s] and "highest_frequency" [Hz].
    """
    began = clock.perf_counter()
    snapshot = starting_point(model, None)
    part = _understood(model)
    span = positive_time(duration, "duration")
    given = None if step is None else positive_time(step, "step")
    out = None if output_step is None else positive_time(output_step, "output_step")
    if out is not None and out > span:
        raise ModelError(f"output_step ({out:g} s) must not be greater than the duration ({span:g} s)")
    stiff = _with_penalty(model, part, penalty, modes)
    ready = prepare(stiff, snapshot, until=snapshot.t + span, reduce=True)
    project_velocities(ready.system, ready.state)
    pair = PenaltyPair(ready, stiff, part.name)
    frequency = pair.highest_frequency()
    limit = min(stability_limit(pair.damping_ratio) / (2 * math.pi * frequency), pair.damper_limit())
    if given is not None and given > limit:
        raise ModelError(
            f'penalty motion of model "{model.name}": a step of {given:.3g} s is not stable. Gears, teeth and penalty have a '
            f"natural frequency of {frequency:.4g} Hz. With the dampers on the joints, steps must be shorter than "
            f"{limit:.3g} s. Use a smaller step, a smaller penalty or fewer modes"
        )
    each = SampleMemory.of(ready.system).peak
    check_memory(
        f'penalty motion of model "{model.name}"', DEFAULT_SAMPLES if out is None else span / out + 1.0, each,
        lambda fit: f'specify output_step = "{span / max(fit - 1, 1):.2g} s" or a longer one',
    )  # fmt: skip
    h, every, samples = _steps(span, given or PART * limit, out)
    return _run(
        model, ready, pair, h, every, samples, began,
        {"largest_stable_step": limit, "highest_frequency": frequency},
        {"duration": span, "step": h, "output_step": every * h, "penalty": pair.penalty, "modes": pair.limit},
    )  # fmt: skip


def stability_limit(damping_ratio: float = 0.0) -> float:
    """Circular frequency times step up to which the Runge-Kutta method is stable, for all damping ratios up to a limit.

    R(z) = 1 + z + z²/2 + z³/6 + z⁴/24 must stay within the unit circle: 2 sqrt 2 without damping, 2.62 at the minimum."""
    radius = np.linspace(2.5, 2.9, 4001)
    angle = (
        0.5 * math.pi + np.arcsin(np.linspace(0.0, damping_ratio, 64)) if damping_ratio else np.array([0.5 * math.pi])
    )
    z = radius * np.exp(1j * angle[:, None])
    grows = np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) > 1.0 + 1e-12
    first = np.where(grows.any(axis=1), radius[grows.argmax(axis=1)], radius[-1])
    return float(first.min() - 1e-3)


# ---- what is understood


def _understood(model: Model, kind: str = "penalty motion") -> GearMesh:
    """The one gear pair of a model of the right kind."""
    what = f'{kind} of model "{model.name}"'
    advice = "it supports two wheels on revolute joints to the ground with one gear pair. For other models use dynamics"
    if len(model.gear_pairs) != 1:
        raise ModelError(f"{what}: the model has {len(model.gear_pairs)} gear pairs; {advice}")
    part = next(iter(model.gear_pairs.values()))
    if not isinstance(part.mesh, Flank):
        raise ModelError(
            f'{what}: the mesh of gear pair "{part.name}" is {type(part.mesh).__name__}; it must be a Flank'
        )
    if part.mesh.friction:
        raise ModelError(
            f'{what}: gear pair "{part.name}" has friction, which this analysis does not support. Set friction to 0'
        )
    bodies = [name for name, body in model.bodies.items() if not body.is_ground]
    wheels = [part.wheel_a.body_name, part.wheel_b.body_name]
    if sorted(bodies) != sorted(wheels):
        other = next((name for name in bodies if name not in wheels), wheels[0])
        raise ModelError(f'{what}: body "{other}" is not one of two wheels in mesh; {advice}')
    for name in wheels:
        joints = [j for j in model.joints.values() if name in (j.frame_a.body_name, j.frame_b.body_name)]
        if len(joints) != 1 or joints[0].kind != "revolute" or len(model.joints) != 2:
            raise ModelError(f'{what}: wheel "{name}" must be on one revolute joint to the ground; {advice}')
    for load in model.loads.values():
        if not isinstance(load, (JointLoad, TorsionSpring)):
            raise ModelError(
                f'{what}: {type(load).__name__.lower()} "{load.name}" is not supported. Only torques and torsion springs on '
                "the joints of the wheels are supported"
            )
    for structure in model.structures.values():
        raise ModelError(f"{what}: {structure.subject} is not supported; {advice}")
    for element in model.elements.values():
        raise ModelError(f"{what}: {element.words} is not supported; {advice}")
    for wheel in (part.wheel_a, part.wheel_b):
        arm = model.bodies[wheel.body_name].centre_of_mass - wheel.frame.position
        off = float(np.linalg.norm(np.cross(arm, wheel.frame.rotation[:, 2])))
        if np.any(model.gravity) and off > 1e-9:
            raise ModelError(
                f'{what}: the centre of mass of "{wheel.body_name}" is {off:g} m off its axis, so its weight would turn it. '
                "Leave out gravity, or use dynamics"
            )
    return part


def _with_penalty(model: Model, part: GearMesh, penalty: Any, modes: Any) -> Model:
    """The same model with the penalty and the modes asked for, teeth on fixed centres."""
    mesh = part.mesh
    assert isinstance(mesh, Flank)
    stiffness = mesh.penalty if penalty is None else quantity(penalty, "stiffness", what="penalty")
    if stiffness <= 0.0:
        raise ModelError(
            f"penalty must be greater than zero, got {stiffness:g} N/m. Use a few times the stiffness of a strip of a tooth, "
            'such as "1e9 N/m"'
        )
    frequency = mesh.modes if modes is None else quantity(modes, "frequency", what="modes")
    if frequency <= 0.0:
        raise ModelError(
            f"modes must be greater than zero, got {frequency:g} Hz. Without modes the gears would be rigid"
        )
    changed = copy.copy(mesh)
    for name, value in (("penalty", stiffness), ("modes", frequency), ("follow_centres", False)):
        object.__setattr__(changed, name, value)
    return model.replaced(replace(part, mesh=changed))


# ---- running


def _steps(span: float, step: float, out: float | None) -> tuple[float, int, int]:
    """(step, steps a sample, samples after the first)."""
    if out is not None:
        every = max(1, math.ceil(out / step - 1e-6))
        return out / every, every, max(1, round(span / out))
    count = max(1, math.ceil(span / step - 1e-6))
    every = math.ceil(count / DEFAULT_SAMPLES)
    samples = math.ceil(count / every)
    return span / (samples * every), every, samples


def _run(
    model: Model, ready: Prepared, pair: PenaltyPair, h: float, every: int, samples: int, began: float, statistics: dict[str, Any],
    options: dict[str, Any], kind: str = "penalty motion", warnings: Sequence[str] = (), check: Callable[[], None] | None = None,
) -> Result:  # fmt: skip
    """The steps, by the time loop, and the result. check: called now and then; what it raises ends the run."""
    system = ready.system
    start, end = ready.state.t, ready.state.t + h * every * samples
    steps = PenaltyRunner(pair, h, every, end)
    integrator, store = steps.integrator(ready.state, ready.rank)

    def watch(now: Integrator) -> None:
        if check is not None:
            check()
        reached(Moment(kind, model.name, now.t, start, end, int(now.motion.progress["steps"]), h))

    status, message = Status.COMPLETED, ""
    too_long: BudgetError | None = None
    foresee(every * samples, LEAST_STEP, f"{every * samples:.3g} steps of {engineering(h)}", "use a shorter duration")
    try:
        if integrator.run(store, watch) != DONE:
            status = Status.FAILED
            message = f'{kind} of model "{model.name}" diverged at t = {integrator.t:g} s. Use a smaller step'
    except MemoryError:
        status = Status.FAILED
        message = ran_out(f'{kind} of model "{model.name}"', integrator.t, len(store))
    except BudgetError as error:
        status, message, too_long = Status.INTERRUPTED, str(error), error
    except KeyboardInterrupt:
        status, message = Status.INTERRUPTED, f"interrupted at t = {integrator.t:g} s of {end:g} s"
    stored = store.samples(integrator)
    signals = build_signals(system, stored, ready.rank, inertial=True)
    balance = EnergyBalance.of(signals, system, end - start)
    if status is Status.COMPLETED:
        lost = blow_up(balance)
        if lost:
            status, message = Status.FAILED, f'{kind} of model "{model.name}" diverged: {lost}'
    result = Result(
        kind=kind,
        model_name=model.name,
        time=stored.t,
        signals=signals,
        status=status,
        message=message,
        warnings=[*ready.warnings, *warnings, *balance_warning(balance, "Use a smaller step")],
        statistics={
            "steps": int(integrator.motion.progress["steps"]), "evaluator": integrator.evaluator, "modes_a": pair.modes_a,
            "modes_b": pair.modes_b, **statistics, "wall_time": integrator.wall, "total_time": clock.perf_counter() - began,
        },
        model=model.describe(),
        options=options,
    )  # fmt: skip
    if too_long is not None:
        raise BudgetError(message, seconds=too_long.seconds, result=result, time=integrator.t)
    if status is Status.FAILED:
        raise SolveError(message, result=result, time=integrator.t)
    return finished(result)
