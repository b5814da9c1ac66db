"""Inputs and outputs of linear models, motions that grow without excitation, and steady motion.

Inputs of a linear model and their effect on the equations of motion.

Names of inputs:

    "load"            a torque or force of the model on a joint       "load.x"   a component of a force or torque on a body
    "motor"           the motion that a drive imposes
    "pid.setpoint"    a signal that an element reads: a value is added to it
    "mesh.error"      the error of the teeth of a gear pair, on the base circle
    "hinge.torque"    a torque on the angle of a joint ("slide.force": a force on its displacement)
    "body.force.x"    a force at a body's centre of mass, "body.torque.x" a torque, in world axes

Loads of the last two types are added to a copy of the model with the value zero. The effect of an input is the difference
quotient of the residual. The residual is linear in loads and errors. Dampers of teeth act on the rate of errors, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.declare.declared_element import DeclaredElement, ParameterField
from pitchline.declare.signal_expression import shifted
from pitchline.engine.compile.system import State, System
from pitchline.engine.solvers.consistent import consistent_accelerations, displace
from pitchline.engine.solvers.linearised import sparse_motion
from pitchline.engine.solvers.sparse_modes import Growing, growing
from pitchline.engine.solvers.switching import omit_free_rows
from pitchline.errors import ModelError, near_names
from pitchline.functions.piecewise import Constant, Function
from pitchline.functions.sampled import Ramp
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.bodies.kernel_row import SIGNAL_DRIVE
from pitchline.parts.bodies.part import ANGLE, Joint
from pitchline.parts.meshes.force_law import MeshLaw
from pitchline.parts.meshes.laws.common import DAMPING_RATES, FrictionTable, Stribeck
from pitchline.parts.meshes.laws.varying import TIME, Varying
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.springs.part import Force, JointLoad, Load, Torque
from pitchline.results.result import Result
from pitchline.results.signal import Signal

from .operating_point import OperatingPoint, check_model, speed_of, with_mean_stiffness
from .signals import build_signals, flanks_of, parts_of, samples_of

if TYPE_CHECKING:
    from .operating_point import OperatingPoint

__all__ = ["why_growing", "Growing", "growing", "growth_warnings"]


AXES = "xyz"


@dataclass(frozen=True)
class VariedInput:
    """An input that is varied."""

    name: str
    unit: str
    vary: Callable[[Model, float], Model] | None
    """Returns the model with the input increased by this amount; None: a drive, whose equation is used directly."""
    drive: str = ""
    step: float = 1.0
    """Step of the difference quotient."""
    vary_rate: Callable[[Model, float, float], Model] | None = None
    """Returns the model with this rate of the input at a time, if the rate has an effect of its own."""

    @property
    def is_motion(self) -> bool:
        return self.vary is None


def read_inputs(model: Model, names: tuple[str, ...]) -> tuple[Model, list[VariedInput]]:
    """Return (a copy of the model in which all inputs exist, the inputs)."""
    added: list[Load] = []
    inputs = [_read(model, added, name) for name in names]
    model = model.replaced(*added)
    for given in inputs:
        if given.vary is not None:
            try:
                given.vary(model, given.step)
            except ModelError as error:  # such as a force out of the plane of a planar model
                raise ModelError(f'input "{given.name}": {error}') from None
    return model, inputs


def _read(model: Model, added: list[Load], name: str) -> VariedInput:
    """One input; a load that the model does not have is appended to those added."""
    if name in model.drives:
        unit = "rad" if model.drives[name].coordinate == ANGLE else "m"
        return VariedInput(name, unit, None, drive=name)
    if name in model.loads:
        load = model.loads[name]
        if isinstance(load, JointLoad) and not isinstance(
            load.function, Function
        ):  # a load in addition to that of signals
            added.append(JointLoad(_new_name(model, added), load.joint_name, load.coordinate, Constant(0.0)))
            load = added[-1]
        return _load(load, name, None)
    owner, _, last = name.rpartition(".")
    if owner in model.loads and last in AXES:
        return _load(model.loads[owner], name, AXES.index(last))
    if owner in model.gear_pairs and last == "error":
        return _error(model, name, owner)
    if owner in model.elements and last in _element_inputs(model.elements[owner]):
        return _element_input(name, owner, last, model)
    if owner in model.joints and last in ("torque", "force"):
        wanted = ANGLE if last == "torque" else "displacement"
        if wanted not in model.joints[owner].coordinates:
            raise ModelError(f'input "{name}": joint "{owner}" has no {wanted} to act on')
        added.append(JointLoad(_new_name(model, added), owner, wanted, Constant(0.0)))
        return _load(added[-1], name, None)
    body, _, what = owner.rpartition(".")
    if body in model.bodies and what in ("force", "torque") and last in AXES:
        added.append(_on_body(model, _new_name(model, added), body, what))
        return _load(added[-1], name, AXES.index(last))
    known = [
        *model.drives,
        *model.loads,
        *(f"{g}.error" for g in model.gear_pairs),
        *(f"{e}.{i}" for e, element in model.elements.items() for i in _element_inputs(element)),
        *(f"{j}.torque" for j in model.joints),
    ]
    raise ModelError(
        f'input "{name}" does not exist; {near_names(name, known)}. An input is a load or a drive of the model, "PAIR.error", '
        '"ELEMENT.INPUT", "JOINT.torque", "JOINT.force", "BODY.force.x" or "BODY.torque.x"'
    )


def _new_name(model: Model, added: list[Load]) -> str:
    return f"input {len(model.loads) + len(added)}"


def _on_body(model: Model, name: str, body: str, what: str) -> Force | Torque:
    """A load on a body whose components are all zero."""
    zero = (Constant(0.0), Constant(0.0), Constant(0.0))
    if what == "torque":
        return Torque(name, body, zero)
    return Force(name, model.bodies[body].frame(name, position=model.bodies[body].centre_of_mass), zero)


def _load(found: Load, name: str, axis: int | None) -> VariedInput:
    if isinstance(found, JointLoad):
        unit = "N*m" if found.coordinate == ANGLE else "N"
        return VariedInput(name, unit, lambda m, d: m.replaced(replace(found, function=shifted(found.function, d))))
    if not isinstance(found, (Force, Torque)):
        kind = type(found).__name__.lower()
        raise ModelError(
            f'input "{name}": {kind} "{found.name}" has no value to vary. Specify a force, torque or drive'
        )
    if axis is None:
        raise ModelError(f'input "{name}": specify the component: "{name}.x", "{name}.y" or "{name}.z"')

    def vary(m: Model, d: float) -> Model:
        x, y, z = (shifted(f, d) if i == axis else f for i, f in enumerate(found.components))
        return m.replaced(replace(found, components=(x, y, z)))

    return VariedInput(name, "N*m" if isinstance(found, Torque) else "N", vary)


def _element_inputs(element: DeclaredElement) -> list[str]:
    """Names of the signals that an element reads."""
    return [name for name, p in element.fields_of(ParameterField).items() if p.kind == "input"]


def _element_input(name: str, owner: str, argument: str, model: Model) -> VariedInput:
    field = model.elements[owner].fields[argument]

    def vary(m: Model, d: float) -> Model:
        element = m.elements[owner]
        return m.replaced(element.replaced(**{argument: shifted(element.values[argument], d)}))

    return VariedInput(name, field.unit, vary)


def _error(model: Model, name: str, pair: str) -> VariedInput:
    found = model.gear_pairs[pair]

    def vary(m: Model, d: float) -> Model:
        law = replace(found.law, errors=(*found.law.errors, d))
        return m.replaced(found.with_law(law))

    def vary_rate(m: Model, d: float, t: float) -> Model:
        line = Ramp(-d, d, t - 1.0, t + 1.0, smooth=False)
        law = replace(found.law, errors=(*found.law.errors, Varying(line, TIME)))
        return m.replaced(found.with_law(law))

    # small against any deflection, large against the rounding of u
    step = 1e-6 * found.pair.pitch.normal_module
    return VariedInput(name, "m", vary, step=step, vary_rate=vary_rate if _damps_errors(found.law) else None)


def _damps_errors(law: MeshLaw) -> bool:
    """Whether the damper of a mesh acts on the rate of its errors."""
    own = law.own is not None
    return own or (not law.rigid and law.damping > 0.0 and law.damping_rate == DAMPING_RATES.index("deflection"))


def drive_row(system: System, drive: str) -> int:
    """Equation of a drive."""
    for e, element in enumerate(system.elements[: system.active]):
        if element.name == drive and element.kind in (SCALAR_CONSTRAINT, SIGNAL_DRIVE):
            row = int(system.layout.equation[system.lam0[e]])
            if row >= 0:
                return row
    raise ModelError(f'input "{drive}": this drive repeats other constraints. Remove one of them')


def residual_rate(
    given: VariedInput, system: System, residual: Callable[[Model], np.ndarray], model: Model, time: float
) -> np.ndarray:
    """Derivative (n,) of all residuals by the rate of an input."""
    if given.vary_rate is None:
        return np.zeros(system.n)
    d = given.step
    return (residual(given.vary_rate(model, d, time)) - residual(given.vary_rate(model, -d, time))) / (2.0 * d)


def residual_change(
    given: VariedInput, system: System, residual: Callable[[Model], np.ndarray], model: Model
) -> np.ndarray:
    """Derivative (n,) of all residuals by an input."""
    if given.vary is None:
        change = np.zeros(system.n)
        row = drive_row(system, given.drive)
        l = int(np.flatnonzero(system.layout.equation == row)[0])
        change[row] = -system.layout.lam_scale[l]
        return change
    d = given.step
    return (residual(given.vary(model, d)) - residual(given.vary(model, -d))) / (2.0 * d)


# ---- outputs

# Outputs of a linear model: signals of a result as linear functions of small motions.
#
# y = Q x + V x' + A x'' + L lam + U u + Ud u'
#
# by central differences of the signals of the elements: one sample for each coordinate, rate, acceleration,
# multiplier and input, varied up and down. Signals are linear in accelerations, multipliers and inputs, and at most
# quadratic in rates. Signs of gear pairs are those of the loaded flank at the operating point. Otherwise, for
# unloaded teeth without backlash, the two samples would refer to different flanks and their difference would be zero.

POSITION_STEPS = (1e-8, 1e-5)
"""Steps of coordinates [rad, or fractions of the model's length or of the typical size of internal coordinates]. The first is far
below tooth deflections. The second has less round-off and is used if it gives the same result."""


@dataclass
class OutputMap:
    """Matrices (outputs, ...) of the chosen signals, for x in fixed axes and multipliers in units of the system's scales."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    Q: np.ndarray
    V: np.ndarray
    A: np.ndarray
    L: np.ndarray
    U: np.ndarray
    Ud: np.ndarray


def check_outputs(point: OperatingPoint, names: tuple[str, ...]) -> None:
    """Check that all names are signals or components of signals."""
    _picked(build_signals(point.system, samples_of([point.state.copy()]), point.rank, inertial=True), names)


def output_map(point: OperatingPoint, names: tuple[str, ...], inputs: list[VariedInput], model: Model) -> OutputMap:
    """Return the linear map of the requested signals."""
    s, state = point.system, point.state
    n = s.n_q
    live = np.flatnonzero(s.layout.equation >= 0)
    lengths = s.sizes
    rate_step = 1e-5 * (1.0 + float(np.max(np.abs(state.v), initial=0.0)))
    moved = np.concatenate([POSITION_STEPS[0] * lengths, POSITION_STEPS[1] * lengths])
    steps = np.concatenate([moved, np.full(n, rate_step), np.ones(n), s.layout.lam_scale[live]])
    states = []
    for k, step in enumerate(steps):
        for sign in (1.0, -1.0):
            states.append(_varied(s, state, k if k < n else k - n, sign * step, live))
    flanks = flanks_of(s, state)
    parts = parts_of(s, names)
    picked, units = _picked(
        build_signals(s, samples_of(states), point.rank, inertial=True, flanks=flanks, parts=parts), names
    )
    G = (picked[0::2] - picked[1::2]) / (2.0 * np.concatenate([steps[: 4 * n], np.ones(live.size)]))[:, None]
    small, large, Gv, Ga, Gl = (part.T for part in np.split(G, [n, 2 * n, 3 * n, 4 * n]))
    rounding = 4.0 * np.finfo(float).eps * np.abs(picked).max(axis=0)[:, None] / moved[:n]
    Gq = np.where(np.abs(large - small) <= rounding + 1e-6 * np.abs(large), large, small)
    axes = point.motion.axes
    order = np.argsort(s.layout.equation[live])
    return OutputMap(
        names, units, Gq @ axes.T, Gv @ axes.T - Ga @ axes.T @ point.motion.spin, Ga @ axes.T, Gl[:, order],
        _by_inputs(point, names, inputs, model, flanks), _by_inputs(point, names, inputs, model, flanks, rates=True),
    )  # fmt: skip


def _varied(s: System, state: State, k: int, step: float, live: np.ndarray) -> State:
    n = s.n_q
    other = state.copy()
    if k < n:
        dq = np.zeros(n)
        dq[k] = step
        displace(s, other, dq)
    elif k < 2 * n:
        other.v[k - n] += step
    elif k < 3 * n:
        other.vd[k - 2 * n] += step
    else:
        other.lam[live[k - 3 * n]] += step
    return other


def _by_inputs(
    point: OperatingPoint,
    names: tuple[str, ...],
    inputs: list[VariedInput],
    model: Model,
    flanks: dict[str, float],
    *,
    rates: bool = False,
) -> np.ndarray:
    """What inputs, or their rates, do at once, (outputs, inputs)."""
    U = np.zeros((len(names), len(inputs)))
    for j, given in enumerate(inputs):
        vary = partial(_with_rate, given, point.state.t) if rates and given.vary_rate else None if rates else given.vary
        if vary is None:
            continue
        sides = []
        for sign in (1.0, -1.0):
            other = point.compiled(vary(model, sign * given.step))
            signals = build_signals(
                other,
                samples_of([point.state.copy()]),
                point.rank,
                inertial=True,
                flanks=flanks,
                parts=parts_of(other, names),
            )
            sides.append(_picked(signals, names)[0][0])
        U[:, j] = (sides[0] - sides[1]) / (2.0 * given.step)
    return U


def _with_rate(given: VariedInput, time: float, model: Model, rate: float) -> Model:
    assert given.vary_rate is not None
    return given.vary_rate(model, rate, time)


def _picked(signals: dict[str, Signal], names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Values (samples, outputs) and units of signals, or of components of them."""
    columns, units = [], []
    for name in names:
        signal = signals.get(name)
        if signal is None:
            owner, _, label = name.rpartition(".")
            whole = signals.get(owner)
            if whole is None or label not in whole.components:
                raise ModelError(f'output "{name}" is not a signal of this model; {near_names(name, list(signals))}')
            signal = whole.component(label)
        if signal.ndim > 1:
            choice = " or ".join(f'"{name}.{c}"' for c in signal.components)
            raise ModelError(f'output "{name}" has several components. Specify one: {choice}')
        columns.append(np.asarray(signal.values, float))
        units.append(signal.unit)
    return np.stack(columns, axis=1), tuple(units)


# ---- self excitation

# Cause of a growing vibration: elements whose forces have no potential and add energy to it, with advice for each.

MAIN = 0.1
"""Fraction of the power added to a vibration from which an element is named."""
MOST = 3
"""Number of elements of a type that are named."""


def why_growing(point: OperatingPoint, values: np.ndarray, X: np.ndarray) -> str:
    """Text on the fastest growing vibration: source of its energy, and advice. Empty if nothing grows or the source is not known.

    values: eigenvalues [1/s]; X (n, modes): shapes in the coordinates of the point's motion.
    """
    swinging = np.flatnonzero(values.imag > 0.0)
    if not swinging.size:
        return ""
    worst = swinging[np.argmax(values[swinging].real)]
    if values[worst].real <= 0.0:
        return ""
    fed = point.fed_by(complex(values[worst]), X[:, worst])
    total = sum(power for power in fed.values() if power > 0.0)
    named = sorted((name for name, power in fed.items() if power > MAIN * total), key=lambda name: -fed[name])
    # rigid teeth push by a multiplier, whose share is not in their matrix
    rigid = [name for name in point.without_potential() if point.model.gear_pairs[name].law.rigid]
    by_cure: dict[str, list[str]] = {}
    for name in dict.fromkeys([*named, *rigid]):
        by_cure.setdefault(_cure(point, name, complex(values[worst])), []).append(f'"{name}"')
    return "".join(f". {cure.format(_listed(names))}" for cure, names in by_cure.items())


def _listed(names: list[str]) -> str:
    return ", ".join(names[:MOST]) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")


def _cure(point: OperatingPoint, name: str, s: complex) -> str:
    """What is special about an element that feeds a vibration of eigenvalue s; {} stands for the names of those alike."""
    pairs, load = point.model.gear_pairs, point.model.loads.get(name)
    if name in pairs:
        return _of_teeth(pairs[name].law, name in point.without_potential())
    if isinstance(load, (Force, Torque)) and load.axes == "body":
        return (
            'The loads {} rotate with their bodies and have no potential. If this is not intended, specify axes="world"'
        )
    if isinstance(load, Torque):
        return (
            "The torques {} act on bodies that can tilt, and have no potential. A bearing damping of more than "
            f"{100 * s.real / abs(s):.2g} % of critical damping prevents this"
        )
    return "The energy comes from {}"


def _of_teeth(law: MeshLaw, pushed: bool) -> str:
    if pushed:
        return (
            "The separating force of gear pairs {} has no potential and adds energy to vibrations of flexible supports. Specify "
            "follow_centres=True, the default of elastic teeth, for their meshes"
        )
    varying = law.tables is not None or any(
        isinstance(part, Varying) for part in (*law.stiffness, *law.errors, *law.plays)
    )
    if varying and not law.energy_consistent:
        return (
            "Stiffness and errors of gear pairs {} have no potential. Specify energy_consistent=True for their meshes"
        )
    if isinstance(law.friction, (FrictionTable, Function, Stribeck)):
        return (
            "The friction of gear pairs {} may decrease with speed and add energy. Compare with a constant coefficient"
        )
    if law.friction is not None or law.efficiency is not None:
        return "Friction and losses of gear pairs {} rotate with their wheels and add energy. Compare without them"
    return "The energy comes from gear pairs {}"


# ---- growing motions

# Unstable motions about an operating point: which ones exceed round-off, and their cause.

ALONG_THE_PHASE = 1e-6
"""x^T K x over |x|^T |K| |x| with the mean mesh stiffness, for a motion that is only rolling of the wheels."""


def growth_warnings(point: OperatingPoint, grows: Growing) -> list[str]:
    """Warnings for these motions."""
    rolling = [(s, x) for s, x in grows if abs(s.imag) <= 1e-12 * abs(s) and _rolls(point, x.real)]
    others = [(s, x) for s, x in grows if not any(x is y for _, y in rolling)]
    return [_on_the_way(point, *one) for one in rolling[:1]] + _unstable(point, others)


def _unstable(point: OperatingPoint, grows: Growing) -> list[str]:
    if not grows:
        return []
    names = [
        f"{abs(s) / (2 * np.pi):.4g} Hz" if abs(s.imag) > 1e-12 * abs(s) else f"{s.real:.4g} 1/s" for s, _ in grows
    ]
    why = why_growing(point, np.array([s for s, _ in grows]), np.stack([x for _, x in grows], axis=1))
    return [f"the operating point is not stable: motions grow at {', '.join(names[:4])}{why}"]


def _rolls(point: OperatingPoint, x: np.ndarray) -> bool:
    """Whether a motion would stretch nothing if teeth had their mean stiffness and no errors: wheels roll on along the phase."""
    pass

    if not point.model.gear_pairs:
        return False
    K = even_point(point).small.K
    return bool(abs(x @ (K @ x)) <= ALONG_THE_PHASE * (np.abs(x) @ (abs(K) @ np.abs(x))))


def _on_the_way(point: OperatingPoint, s: complex, x: np.ndarray) -> str:
    turns = np.linalg.norm(point.body_motion(x[:, None].real)[:, 3:, 0], axis=1)
    body = point.system.nodes[int(np.argmax(turns))].body.name
    return (
        f"at this phase of the mesh cycle the teeth drive the wheels: a rotation of the machine (mainly of "
        f'"{body}") grows at {s.real:.3g} 1/s. It is not a vibration. The energy of the teeth varies with the phase, '
        "and a running machine "
        "passes through this phase. Use mean_stiffness=True, or linearise about a stable equilibrium"
    )


# ---- steady motion

# Steady rotation of a machine about an operating point: velocities of all bodies while a shaft rotates and nothing "
# "is stretched.

RATE_STEP = 1e-3
"""Time step of the differences of order 4 that give rates along a motion [s]."""
STRETCHES_NOTHING = 1e-9
"""Square of a frequency, relative to the largest one, that counts as zero."""


def shaft_name(model: Model, shaft: Any) -> Any:
    """The name of a joint or an elastic shaft of the model that is given as such; other values are returned as they are."""
    for kind, own in ((Joint, model.joints), (Shaft, model.shafts)):
        if isinstance(shaft, kind):
            if own.get(shaft.name) is not shaft:
                raise ModelError(
                    f'shaft: "{shaft.name}" is not part of model "{model.name}". Use one of its own, or a name'
                )
            return shaft.name
    return shaft


def check_shaft(model: Model, shaft: str) -> None:
    """Check that the name is that of a joint with an angle or of an elastic shaft."""
    check_model(model)
    if isinstance(shaft, str) and shaft in model.shafts:
        return
    if not isinstance(shaft, str) or shaft not in model.joints:
        known, word = [*model.joints, *model.shafts], "joint or shaft" if model.shafts else "joint"
        raise ModelError(f'shaft: the model has no {word} "{shaft}"; {near_names(str(shaft), known)}')
    if ANGLE not in model.joints[shaft].coordinates:
        raise ModelError(f'shaft: joint "{shaft}" has no angle. Specify a revolute joint of the shaft')


def rates(point: OperatingPoint, signals: tuple[str, ...], x: np.ndarray) -> np.ndarray:
    """Derivatives of signals that depend only on positions, along velocities x (n,) in fixed axes."""
    parts = parts_of(point.system, signals)
    moved = [point.moved(way * x) for way in (RATE_STEP, -RATE_STEP, 2 * RATE_STEP, -2 * RATE_STEP)]
    found = build_signals(point.system, samples_of(moved), point.rank, inertial=True, parts=parts)
    near, far = (np.array([found[name].values[i] - found[name].values[i + 1] for name in signals]) for i in (0, 2))
    return np.asarray((8.0 * near - far) / (12.0 * RATE_STEP))


def steady_motion(point: OperatingPoint, shaft: str) -> np.ndarray:
    """Velocities x' (n,), in fixed axes, while the shaft rotates at 1 rad/s and nothing is stretched. point: at rest."""
    check_shaft(point.model, shaft)
    even = even_point(point)
    m = even.motion
    _, _, K = m.reduced()
    scale = np.linalg.cholesky(m.metric())
    # in coordinates of unit mass: of several motions the one with the least energy
    k = np.linalg.solve(scale, np.linalg.solve(scale, K.T).T)
    left, size, right = np.linalg.svd(k)
    free = size <= STRETCHES_NOTHING * size.max(initial=0.0)
    x = _imposed(point, shaft)
    if x is None:
        h = np.linalg.solve(scale, _gradient(point, shaft) @ m.N)
        turns = right[free] @ h
        if turns @ turns <= 1e-12 * (h @ h) or not np.any(h):
            raise ModelError(
                f'shaft "{shaft}" cannot rotate steadily: joints, drives, springs or weights hold it. Remove them, or '
                "specify the shaft that rotates"
            )
        y = right[free].T @ turns / (turns @ turns)
        x = m.N @ np.linalg.solve(scale.T, y)
    else:
        force = left.T @ np.linalg.solve(scale, m.L.T @ (m.K @ x))
        y = right.T @ (np.where(free, 0.0, force) / np.where(free, 1.0, size))
        x = x - m.N @ np.linalg.solve(scale.T, y)
    stretched = even.stretched_by(x)
    if stretched:  # beyond what turning the loads that it carries explains
        raise ModelError(
            f'shaft "{shaft}" cannot rotate steadily: it would stretch "{stretched[0]}". Remove that item, or '
            "specify the shaft that rotates"
            ". For a model under load, specify its equilibrium: about=statics(model)"
        )
    return x


def even_point(point: OperatingPoint) -> OperatingPoint:
    """Operating point with constant mesh stiffness and without transmission errors, so that rotation does not load the teeth."""
    system, state = point.compiled(with_mean_stiffness(point.model, errors=False)), point.state.copy()
    consistent_accelerations(system, state, state.lam)
    omit_free_rows(system, state)
    return replace(point, system=system, state=state, small=sparse_motion(system, state))


def _imposed(point: OperatingPoint, shaft: str) -> np.ndarray | None:
    """Some motion of the constraints with a shaft at 1 rad/s that a drive turns."""
    drives = [d.name for d in point.model.drives.values() if d.joint_name == shaft and d.coordinate == ANGLE]
    if not drives:
        return None
    s = point.system
    row = drive_row(s, drives[0])
    p = np.zeros(s.n)
    p[row] = s.layout.lam_scale[int(np.flatnonzero(s.layout.equation == row)[0])]
    return np.asarray(np.linalg.pinv(point.motion.B) @ p[s.n_q :])


def _gradient(point: OperatingPoint, shaft: str) -> np.ndarray:
    """Of the angular speed of the shaft by velocities (n,); of an elastic one that of its start."""
    if shaft in point.model.shafts:
        start = next(iter(point.model.shafts[shaft].stations.values())).name
        k = point.system.node_of[start]
        axis = point.rotations()[k - 1][:, 2]
        return np.asarray(axis @ point.body_motion(np.eye(point.system.n_q))[k - 1, 3:])
    return output_map(point, (f"{shaft}.angular_speed",), [], point.model).V[0]


def turning_point(point: OperatingPoint, x: np.ndarray, turning_with: str | None = None) -> OperatingPoint:
    """Same positions with velocities x (n,); motions in axes that rotate with a body, if one is given."""
    state = point.state.copy()
    state.v[:] = point.increments(x)
    consistent_accelerations(point.system, state)
    turning = None if turning_with is None else speed_of(point.system, state, turning_with)
    return replace(point, state=state, small=sparse_motion(point.system, state, turning=turning))


def at_rest(
    model: Model, about: Result | str | None, *, mean_stiffness: bool = False, reduce: bool = True, dense: bool = False
) -> OperatingPoint:
    """The operating point without its velocities."""
    point = OperatingPoint.of(model, about, mean_stiffness=mean_stiffness, reduce=reduce, dense=dense)
    return turning_point(point, np.zeros(point.system.n_q)) if np.any(point.state.v) else point
