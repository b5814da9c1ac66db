"""Inputs of a linear model and their effect on the equations of motion.

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

import numpy as np

from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.signal_drive import SIGNAL_DRIVE
from ..errors import ModelError, near_names
from ..model import Model
from ..model.declared_element import DeclaredElement
from ..model.element_fields import ParameterField
from ..model.functions import Constant, Function, Ramp
from ..model.joints import ANGLE
from ..model.loads import Force, JointLoad, Load, Torque
from ..model.mesh_law import MeshLaw
from ..model.meshes import Varying
from ..model.meshes.options import DAMPING_RATES
from ..model.meshes.varying import TIME
from ..model.shifted_signal import shifted
from ..system.system import System

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
