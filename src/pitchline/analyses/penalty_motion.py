"""Penalty motion: a pair of elastic gears by explicit steps and penalty contact, for comparison."""

from __future__ import annotations

import copy
import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..budget import budgeted, foresee
from ..errors import BudgetError, ModelError, SolveError
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.loads import JointLoad, TorsionSpring
from ..model.meshes import Flank
from ..progress import staged
from ..progress.words import engineering
from ..results.result import Result
from ..results.status import Status
from ..solvers.consistent import project_velocities
from ..solvers.integrator import Integrator
from ..solvers.run_record import DONE
from ..units import quantity
from .energy_balance import EnergyBalance, balance_warning, blow_up
from .memory import SampleMemory, check_memory, ran_out
from .observers import Moment, finished, reached
from .penalty_pair import PenaltyPair
from .penalty_runner import PenaltyRunner
from .preparation import Prepared, prepare
from .signals import build_signals
from .starting_point import starting_point
from .time_options import DEFAULT_SAMPLES, positive_time

__all__ = ["penalty_motion"]

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
