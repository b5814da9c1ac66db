"""Inputs of a stepper and their courses, and checks of stored states against the compiled system.

Checks of a checkpoint against the compiled system. Compiled code does not check array bounds.

A checksum detects damage, but not a manipulated file. Therefore every size, and every number that is an array index, is checked
here.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import StorageError
from pitchline.base.storage.stored_array import Sealed, array_digest, seal_bytes, write_arrays
from pitchline.declare.declared_element import DeclaredElement, ParameterField
from pitchline.declare.structure import Station
from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.system import System
from pitchline.engine.solvers.integrator import Integrator, SampleStore
from pitchline.engine.solvers.linear import Motion, Samples, new_samples
from pitchline.errors import ModelError, near_names, shown
from pitchline.functions.piecewise import Function
from pitchline.functions.polynomial import ORDER, HeldInput, HeldIntegral
from pitchline.model.model import Model
from pitchline.numerics.functions import Pieces
from pitchline.parts.springs.part import Drive, Force, JointLoad, Torque
from pitchline.results.result import Result

__all__ = [
    "Unfit",
    "check_about",
    "check_alike",
    "check_factors",
    "check_motion",
    "check_rank",
    "check_samples",
    "check_start",
    "lost_speeds",
    "HOLDS",
    "LOAD",
    "POSITION",
    "SPEED",
    "StepperInput",
    "available_inputs",
    "read_inputs",
    "with_inputs",
    "InputChange",
    "InputCourse",
    "StepperState",
]


_FAR = 1e12
"""Limit for positions [m], revolutions and memory of elements. Larger values do not occur in a run."""


class Unfit(Exception):
    """The checkpoint does not fit the model. The message states what differs."""


def _need(fits: bool | np.bool_, what: str) -> None:
    if not fits:
        raise Unfit(what)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and bool(np.isfinite(value))


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62


def _places(values: np.ndarray, size: int, *, least: int = 0) -> bool:
    """Whether all are whole numbers from `least` to below `size`."""
    return bool(np.all((values >= least) & (values < size)))


def check_about(about: Mapping[str, Any]) -> None:
    """Check the types of the plain data."""
    for key in ("start_time", "seconds", "wall", "rank_tolerance", "last_change"):
        _need(_number(about.get(key)), f'"{key}" is not a number')
    for key in ("pivotings", "rank_changes", "impacts"):
        _need(_count(about.get(key)), f'"{key}" is not a whole number of 0 or more')
    options = about.get("options")
    _need(isinstance(options, dict) and _number(options.get("duration")) and options["duration"] > 0, "its options")
    _need(isinstance(about.get("fingerprint"), str) and isinstance(about.get("reduce"), bool), "its options")
    _need(isinstance(about.get("evaluator"), str), '"evaluator" is not a string')
    for key in ("warnings", "bodies"):
        texts = about.get(key)
        _need(isinstance(texts, list) and all(isinstance(text, str) for text in texts), f'"{key}" are not strings')
    angles, meshes, groups = about.get("angles"), about.get("meshes"), about.get("groups")
    _need(isinstance(angles, dict) and all(_number(angle) for angle in angles.values()), '"angles" are not numbers')
    _need(isinstance(meshes, dict), '"meshes" are not numbers')
    assert isinstance(meshes, dict)
    for three in meshes.values():
        _need(isinstance(three, list) and len(three) == 3 and all(map(_number, three)), '"meshes" are not numbers')
    _need(isinstance(groups, list) and all(isinstance(group, list) for group in groups), '"groups" are not lists')


def check_start(model: Model, names: Sequence[str], data: Mapping[str, np.ndarray]) -> None:
    """Check the initial state: one entry for each body."""
    _need(sorted(names) == sorted(model.bodies), "its bodies differ from those of the model")
    for key, shape in (("position", (3,)), ("orientation", (3, 3)), ("velocity", (3,)), ("angular_velocity", (3,))):
        array = data[f"start_{key}"]
        _need(array.shape == (len(names), *shape) or (not names and array.size == 0), f"the {key} at the start")
        _need(array.dtype == np.float64 and np.all(np.isfinite(array)), f"the {key} at the start")


def check_rank(system: System, redundant: np.ndarray, groups: Sequence[Sequence[Any]]) -> None:
    """Check the redundant multipliers and those that share loads."""
    _need(redundant.ndim == 1 and redundant.dtype == np.int64, "its redundant constraints")
    _need(
        np.unique(redundant).size == redundant.size and _places(redundant, system.n_lam_active),
        "its redundant constraints",
    )
    for group in groups:
        _need(all(_count(l) and l < system.n_lam for l in group), "constraints that share loads")


def check_motion(motion: Motion, start: float, end: float) -> None:
    """Check the values of the motion and of the time loop. Array shapes were checked before."""
    arrays = motion.arrays()
    for name, array in arrays.items():
        for field in array.dtype.names or ("",):
            values = array[field] if field else array
            infinite = name == "options" and not np.any(np.isnan(values))
            _need(infinite or np.all(np.isfinite(values)), f'"motion_{name}" contains a value that is not a number')
    _need(np.all(np.abs(arrays["pose"]) < _FAR) and np.all(np.abs(arrays["mem"]) < _FAR), "its positions")
    p, o, n = motion.progress, motion.options, max(motion.system.n, 1)
    for flag in ("have_factors", "extrapolate", "sample_due"):
        _need(p[flag] in (0, 1), "a flag of the time loop")
    counters = np.array([p[name] for name in p.dtype.names or () if p.dtype[name] == np.int64])
    _need(p["steps"] >= 0 and p["stop_index"] >= 0 and np.all(np.abs(counters) < 2**60), "a counter of the time loop")
    _need(p["stride"] >= 1, "a counter of the time loop")
    _need(0 <= p["samples"] <= SampleStore.BLOCK, "the number of its samples")
    _need(o["step"] > 0.0, "its steps")
    _need(0 <= o["every"] < 2**53, "its samples")
    _need(o["t0"] == start and abs(o["t_end"] - end) <= 1e-9 * max(abs(end), end - start), "its duration")
    _need(start <= p["t"] <= o["t_end"], "the time that it has reached")
    _need(_places(arrays["pivot"], n), "the pivots of its matrix")
    _need(0 <= p["worst"] < n, "the number of an unknown")


def check_factors(system: System, fi: np.ndarray, fx: np.ndarray) -> None:
    """Check the sparse factors (if any): sizes, permutations, pointers and rows."""
    _need(fi.dtype == np.uint32 and fx.dtype == np.float64 and fi.ndim == fx.ndim == 1 and fi.size >= 3, "its factors")
    head = fi[:3].astype(np.int64)
    n, nl, nu = (int(k) for k in head)
    if n == 0:  # none yet, or the dense solver is used
        _need(fx.size >= 1 and not np.any(fi), "its factors")
        return
    _need(not system.dense and n == system.n, "the size of its factors")
    _need(fi.size == 5 + 4 * n + nl + nu and fx.size == 3 * n + nl + nu, "the size of its factors")
    places = fi[3:].astype(np.int64)
    row_place, column_at, rest = places[:n], places[n : 2 * n], places[2 * n :]
    lower, upper, rows_l, rows_u = np.split(rest, np.cumsum([n + 1, n + 1, nl]))
    for order in (row_place, column_at):
        _need(np.array_equal(np.sort(order), np.arange(n)), "the order of its factors")
    for pointers, size in ((lower, nl), (upper, nu)):
        _need(
            pointers[0] == 0 and pointers[-1] == size and np.all(np.diff(pointers) >= 0), "the columns of its factors"
        )
    _need(_places(rows_l, n) and _places(rows_u, n), "the rows of its factors")


def check_samples(system: System, motion: Motion, samples: Samples) -> None:
    """Check that all samples have the same length and the sizes of the system."""
    count = len(samples.t) if samples.t.ndim == 1 else -1
    _need(count >= max(int(motion.progress["samples"]), 1), "its samples")
    wanted = new_samples(0, system)
    for key, like in wanted._asdict().items():
        array = getattr(samples, key)
        _need(array.dtype == np.float64 and array.shape == (count, *like.shape[1:]), f'"samples_{key}"')
    _need(np.all(np.isfinite(samples.t)) and np.all(np.diff(samples.t) >= 0.0), "the times of its samples")


def check_alike(kept: Mapping[str, np.ndarray], like: Mapping[str, np.ndarray], part: str) -> None:
    """Check that names and shapes are those of a new run."""
    for key, array in like.items():
        there = kept.get(key)
        _need(there is not None and there.shape == array.shape and there.dtype == array.dtype, f'"{part}_{key}"')
        _need(there is not None and np.all(np.isfinite(there)) and np.all(np.abs(there) < _FAR), f'"{part}_{key}"')


# ---- lost speeds

# Warning for runs that start from an equilibrium: the initial velocities of the model are not used.

_NAMED = 3


def lost_speeds(model: Model, start: Result | None) -> list[str]:
    """Warn if bodies with an initial velocity start at rest, from the end of statics."""
    if start is None or start.kind != "statics":
        return []
    moving = [body for body in model.bodies.values() if body.velocity.any() or body.angular_velocity.any()]
    found = list(dict.fromkeys(_subject(model, body) for body in moving))
    if not found:
        return []
    named = ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} others" if len(found) > _NAMED else "")
    return [
        f"the run starts at rest, from the end of statics. The initial speed of {named} is not used. Leave out "
        "start= to use it, or "
        "set the speed with kinematics(start=...) first"
    ]


def _subject(model: Model, body: object) -> str:
    if isinstance(body, Station):
        return str(model.structures[body.structure].subject)
    return f'body "{body.name}"'  # type: ignore[attr-defined]  # all that moves is a body


# ---- stepper inputs

# Inputs of a stepper: the values of a model that can be set during a run.

HOLDS = ("hold", "extrapolate", "ramp")
AXES = ("x", "y", "z")
LOAD, SPEED, POSITION = "value", "speed", "position"


@dataclass(frozen=True)
class StepperInput:
    """Input of a stepper.

    name:        name of a load or drive, "load.x" for a component, or "element.field"
    unit:        SI unit of its values
    description: meaning
    start:       value at the start of the run
    hold:        course between two settings: "hold", "extrapolate" or "ramp"
    quantity:    "value", "speed" or "position"
    """

    name: str
    unit: str
    description: str
    start: float
    hold: str
    quantity: str
    part: str
    field: str
    """Component of a load, or field of an element; otherwise empty."""
    varies: bool = False
    """Whether the function of time that the input replaces is not constant."""


def available_inputs(model: Model, time: float = 0.0) -> dict[str, StepperInput]:
    """All values of a model that can be inputs, by name: loads, drives and fields of elements that are functions of time."""
    found: list[StepperInput] = []
    for drive in model.drives.values():
        found += _of_drive(drive, time)
    for load in model.loads.values():
        if isinstance(load, JointLoad) and isinstance(load.function, Function):
            what, unit = ("torque", "N*m") if load.coordinate == "angle" else ("force", "N")
            text = f'{what} "{load.name}" on joint "{load.joint_name}"'
            found.append(_input(load.name, unit, text, load.function, time, LOAD, load.name, ""))
        elif isinstance(load, (Force, Torque)):
            what, unit = ("force", "N") if isinstance(load, Force) else ("torque", "N*m")
            for axis, component in zip(AXES, load.components, strict=True):
                if isinstance(component, Function):
                    text = f'{axis} component of {what} "{load.name}"'
                    name = f"{load.name}.{axis}"
                    found.append(_input(name, unit, text, component, time, LOAD, load.name, axis))
    for element in model.elements.values():
        for name, field in element.fields_of(ParameterField).items():
            value = element.values.get(name)
            if field.kind in ("function", "input") and isinstance(value, Function):
                text = f'{field.text}, of {type(element).__name__} "{element.name}"'
                called = f"{element.name}.{name}"
                found.append(_input(called, field.unit, text, value, time, LOAD, element.name, name))
    return {one.name: one for one in found}


def _input(
    name: str, unit: str, text: str, function: Function, time: float, quantity: str, part: str, field: str
) -> StepperInput:
    hold = "hold" if quantity == LOAD else "ramp"
    return StepperInput(name, unit, text, function(time), hold, quantity, part, field, not function.is_constant)


def _of_drive(drive: Drive, time: float) -> list[StepperInput]:
    if not isinstance(drive.function, Function):
        return []
    rotates = drive.coordinate == "angle"
    quantity = SPEED if drive.given == "speed" else POSITION
    unit = ("rad" if rotates else "m") + ("/s" if quantity == SPEED else "")
    text = f'{"speed" if quantity == SPEED else drive.coordinate} of drive "{drive.name}"'
    return [_input(drive.name, unit, text, drive.function, time, quantity, drive.name, "")]


def read_inputs(model: Model, given: Any, time: float) -> dict[str, StepperInput]:
    """Inputs that the user names: a list of names, or a mapping from names to "hold", "extrapolate" or "ramp"."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, (Mapping, Iterable)):
        raise ModelError(f"inputs must be a list of names, got {shown(given)}")
    known = available_inputs(model, time)
    chosen: dict[str, StepperInput] = {}
    for name in given:
        hold = given[name] if isinstance(given, Mapping) else None
        for one in _named(model, name, known):
            if one.name in chosen:
                raise ModelError(f'inputs: "{one.name}" is given twice. Name each input once')
            chosen[one.name] = one if hold is None else dataclasses.replace(one, hold=_checked(one, hold))
    return chosen


def _named(model: Model, name: object, known: Mapping[str, StepperInput]) -> list[StepperInput]:
    """One input, or all components of a force or torque."""
    if not isinstance(name, str):
        raise ModelError(f"inputs: expected names, got {shown(name)}")
    if name in known:
        return [known[name]]
    of_part = [one for one in known.values() if one.part == name]
    if of_part and (name in model.loads or len(of_part) == 1):
        return of_part
    if of_part:
        choices = ", ".join(f'"{one.name}"' for one in of_part)
        raise ModelError(f'inputs: element "{name}" has several inputs. Name one of {choices}')
    if name in model.drives or name in model.loads:
        raise ModelError(
            f'inputs: "{name}" is not a function of time, but follows signals or a law of the model. Only drives, forces and '
            "torques with values over time can be inputs. Give it a constant value in the model"
        )
    hint = near_names(name, list(known)) if known else "the model has no loads, drives or signals that can be inputs"
    raise ModelError(f'inputs: there is no input "{name}"; {hint}')


def _checked(one: StepperInput, hold: object) -> str:
    if hold not in HOLDS:
        raise ModelError(f'inputs: "{one.name}": expected "hold", "extrapolate" or "ramp", got {shown(hold)}')
    if one.quantity == POSITION and hold != "ramp":
        raise ModelError(
            f'inputs: "{one.name}" is the position of a drive, which cannot jump. Use "ramp", or a drive with a speed'
        )
    return str(hold)


def with_inputs(model: Model, inputs: Iterable[StepperInput]) -> tuple[Model, dict[str, HeldInput]]:
    """Copy of a model in which the functions of these inputs are set from outside, and these functions by name."""
    held = {one.name: HeldInput(one.start) for one in inputs}
    changed: dict[str, Any] = {}
    for one in inputs:
        part: Any = changed.get(one.part) or model.drives.get(one.part) or model.loads.get(one.part)
        part = part or model.elements[one.part]
        function = held[one.name]
        if isinstance(part, DeclaredElement):
            changed[one.part] = part.replaced(**{one.field: function})
        elif one.field:
            components = tuple(
                function if axis == one.field else old for axis, old in zip(AXES, part.components, strict=True)
            )
            changed[one.part] = dataclasses.replace(part, components=components)
        else:
            changed[one.part] = dataclasses.replace(part, function=function)
    return (model.replaced(*changed.values()) if changed else model), held


# ---- input course

# Course of an input between two settings, as a polynomial in the table of functions.
#
# | quantity | hold | extrapolate | ramp | |---|---|---|---| | load, signal of an element | the new value at once |
# line through the last two values | linear from the old to the new value | | speed of a drive | the new speed at once
# | line through the last two speeds | linear from the old to the new speed | | position of a drive | refused |
# refused | cubic to the new position, with continuous speed |
#
# The coordinate of a drive with a speed is the integral of the speed. A ramp reaches its value at the end of the next
# interval.

_FIRST, _LAST = Pieces.size, Pieces.size + 2 + ORDER
"""Knots and coefficients of a record in the table of functions."""


@dataclass(frozen=True)
class InputChange:
    """Change of an input at the start of an interval.

    places:      its functions
    jump:        of the value of a load or signal
    curvature:   jump of the second derivative of the coordinate of a drive
    speed_jumps: whether the speed of a drive jumps
    """

    places: list[int]
    jump: float
    curvature: float
    speed_jumps: bool


class InputCourse:
    """Course of one input during a run. `target` is the value that was set last."""

    def __init__(self, spec: StepperInput, function: HeldInput, system: System, time: float) -> None:
        self.spec = spec
        self.places: list[int] = []
        coordinate = function.value
        for held, place in system.held:
            if held is function:
                self.places.append(place)
            elif isinstance(held, HeldIntegral) and held.of is function:
                self.places.append(place)
                coordinate = held.value_at_t0
        self._functions = system.functions
        self.target = function.value
        speed = function.value if spec.quantity == SPEED else 0.0
        self._t, self._c = time, (coordinate, speed, 0.0, 0.0)
        self._end = (coordinate, speed)
        """Value and slope of the polynomial at the end of the interval, free of rounding errors where they are specified."""
        self._before = (time, function.value)
        """Time and value of the setting before, for extrapolation."""

    @property
    def value(self) -> float:
        """Present value of the input: at the end of the last interval."""
        return self._end[1] if self.spec.quantity == SPEED else self._end[0]

    def may_jump(self) -> bool:
        """Whether the next interval can start with a jump of forces or accelerations."""
        c = self._c
        steady = c[1] if self.spec.quantity == SPEED else c[0]
        return self.target != steady or any(c[2:]) or (self.spec.quantity != SPEED and c[1] != 0.0)

    def plan(self, t: float, end: float) -> InputChange | None:
        """Set the course from t to the end of the interval. None: it continues as before."""
        value, slope = self._end
        h = end - t
        rate = self._slope(t)
        wanted = getattr(self, f"_{self.spec.quantity}")(value, slope, h, rate)
        if wanted[1:] == self._c[1:] and self._goes_on(wanted[0], t):
            self._end = self._at(end) if any(wanted[1:]) else self._end
            return None
        x = t - self._t
        curvature = 2.0 * wanted[2] - (2.0 * self._c[2] + 6.0 * self._c[3] * x)
        drive = self.spec.quantity != LOAD
        jump = 0.0 if drive else wanted[0] - value
        speed_jumps = drive and wanted[1] != slope
        self._t, self._c = t, wanted
        self._end = self._reached(end)
        self.write()
        return InputChange(self.places, jump, curvature if drive else 0.0, speed_jumps)

    def write(self) -> None:
        """Write the polynomial into the table of functions."""
        for place in self.places:
            self._functions[place + _FIRST : place + _LAST] = (self._t, self._t + 1.0, *self._c)

    def state(self) -> tuple[float, ...]:
        """All numbers for an exact continuation."""
        return (self.target, self._t, *self._c, *self._end, *self._before)

    def restore(self, state: tuple[float, ...]) -> None:
        """Continue from an earlier state."""
        self.target, self._t = state[:2]
        self._c = (state[2], state[3], state[4], state[5])
        self._end, self._before = (state[6], state[7]), (state[8], state[9])
        self.write()

    def _slope(self, t: float) -> float:
        """Slope of a line through the last two settings."""
        before, value = self._before
        self._before = (t, self.target)
        return (self.target - value) / (t - before) if self.spec.hold == "extrapolate" and t > before else 0.0

    def _value(self, value: float, slope: float, h: float, rate: float) -> tuple[float, float, float, float]:
        if self.spec.hold == "ramp":
            return (value, (self.target - value) / h, 0.0, 0.0)
        return (self.target, rate, 0.0, 0.0)

    def _speed(self, value: float, slope: float, h: float, rate: float) -> tuple[float, float, float, float]:
        if self.spec.hold == "ramp":
            return (value, slope, 0.5 * (self.target - slope) / h, 0.0)
        return (value, self.target, 0.5 * rate, 0.0)

    def _position(self, value: float, slope: float, h: float, rate: float) -> tuple[float, float, float, float]:
        mean = (self.target - value) / h
        return (value, slope, 2.0 * (mean - slope) / h, (slope - mean) / (h * h))

    def _goes_on(self, value: float, t: float) -> bool:
        """Whether a polynomial with the same coefficients from t on is the present one."""
        c = self._c
        if c[1] == c[2] == c[3] == 0.0:
            return value == c[0]
        return self.spec.quantity == SPEED and c[2] == c[3] == 0.0  # the coordinate at constant speed

    def _at(self, t: float) -> tuple[float, float]:
        x, c = t - self._t, self._c
        return c[0] + x * (c[1] + x * (c[2] + x * c[3])), c[1] + x * (2.0 * c[2] + 3.0 * x * c[3])

    def _reached(self, end: float) -> tuple[float, float]:
        """Value and slope at the end of the interval: what was specified, without rounding errors."""
        value, slope = self._at(end)
        if self.spec.quantity == SPEED:
            return value, self.target if self.spec.hold == "ramp" else slope
        if self.spec.quantity == LOAD:
            return self.target if self.spec.hold == "ramp" else value, slope
        return self.target, (self.target - self._c[0]) / (end - self._t)


# ---- stepper state

# State of a stepper: all numbers for an exact repetition, in memory and as bytes.

KIND = "pitchline stepper state"
FORMAT = 1
_BEGINNING = b"pitchline stepper state\n"
_PROGRAM = "program_"
_COUNTS = ("pivotings", "rank_changes", "impacts", "idle", "last_change", "evaluator", "wall")
"""Plain attributes of an integrator."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class StepperState:
    """State of a `Stepper` at one time. Restored, it repeats the motion to the last bit.

    time:   of the state [s]
    owner:  identifies the model, inputs, outputs and options to which it belongs
    arrays: numbers by name
    about:  other data
    """

    time: float
    owner: str
    arrays: dict[str, np.ndarray]
    about: dict[str, Any]

    @property
    def size(self) -> int:
        """Size of the numbers in bytes."""
        return sum(array.nbytes for array in self.arrays.values())

    def to_bytes(self) -> bytes:
        """The state as bytes with checksums, for `Stepper.restore` in another process."""
        stream = io.BytesIO()
        stream.write(_BEGINNING)
        places = write_arrays(stream, self.arrays)
        digests = {key: array_digest(array) for key, array in self.arrays.items()}
        about = {"format": FORMAT, "owner": self.owner, "time": self.time, "about": self.about}
        stream.write(seal_bytes(KIND, about, self.arrays, places, digests))
        return stream.getvalue()

    @staticmethod
    def from_bytes(data: bytes) -> StepperState:
        """Read a state that `to_bytes` wrote, and verify its checksums."""
        stream = io.BytesIO(bytes(data))
        if stream.read(len(_BEGINNING)) != _BEGINNING:
            raise ModelError("the bytes are not the state of a stepper")
        try:
            sealed = Sealed(stream, "the state of a stepper")
            if sealed.kind != KIND or sealed.head.get("format") != FORMAT:
                raise ModelError("the state of the stepper was written by another version of pitchline")
            arrays = {key: np.array(sealed.array(key)) for key in sealed.entries}
        except StorageError as error:
            raise ModelError(f"{error}") from None
        head = sealed.head
        return StepperState(float(head["time"]), str(head["owner"]), arrays, dict(head["about"]))


def _motion_arrays(integrator: Integrator) -> dict[str, np.ndarray]:
    """Arrays of the motion by name; records as one array of numbers each."""
    found = {}
    for name, array in integrator.motion.arrays().items():
        found[f"motion_{name}"] = array if array.dtype.names is None else array.view(np.float64)
    return found


def taken(
    integrator: Integrator, owner: str, more: dict[str, np.ndarray], programs: dict[str, np.ndarray]
) -> StepperState:
    """Copy the state of an integrator. more: other arrays of the stepper; programs: states of programs in the loop."""
    arrays = {name: array.copy() for name, array in _motion_arrays(integrator).items()}
    arrays["redundant"] = integrator.system.redundant.copy()
    if not integrator.system.dense:
        arrays["factor_integers"], arrays["factor_floats"] = (x.copy() for x in integrator.motion.sparse_factors)
    if integrator.train is not None:
        arrays |= {f"train_{name}": array.copy() for name, array in integrator.train.state().items()}
    arrays |= {f"{_PROGRAM}{name}": array for name, array in programs.items()}
    about: dict[str, Any] = {name: getattr(integrator, name) for name in _COUNTS}
    about["groups"] = [group.tolist() for group in integrator.rank.groups]
    about["weakest"] = integrator.rank.weakest
    return StepperState(integrator.t, owner, arrays | {f"stepper_{k}": v.copy() for k, v in more.items()}, about)


def programs_of(state: StepperState) -> dict[str, np.ndarray]:
    """States of programs in the loop."""
    return {name.removeprefix(_PROGRAM): array for name, array in state.arrays.items() if name.startswith(_PROGRAM)}


def put_back(state: StepperState, integrator: Integrator, more: dict[str, np.ndarray]) -> None:
    """Restore the state of an integrator. more: other arrays of the stepper, which are overwritten."""
    system, motion = integrator.system, integrator.motion
    if "redundant" not in state.arrays:
        raise ModelError('the state of the stepper is damaged: "redundant" is missing')
    redundant = state.arrays["redundant"]
    is_train = "train_pose" in state.arrays
    try:
        if is_train and integrator.train is None:
            raise Unfit("its gear train does not exist in the model")
        if not np.array_equal(redundant, system.redundant):
            check_rank(system, redundant, state.about["groups"])
            system.relayout(redundant)
            integrator.resize()
        wanted = _motion_arrays(integrator) | {f"stepper_{k}": v for k, v in more.items()}
        if is_train and integrator.train is not None:
            wanted |= {f"train_{name}": array for name, array in integrator.train.state().items()}
        for name, mine in wanted.items():
            theirs = state.arrays.get(name)
            if theirs is None or theirs.shape != mine.shape or theirs.dtype != mine.dtype:
                raise Unfit(f'"{name}" has another size')
        pivots = state.arrays["motion_pivot"]
        if pivots.size and not (pivots.min() >= 0 and pivots.max() < system.n):
            raise Unfit("the pivots of its matrix")
        if not system.dense:
            factors = (state.arrays["factor_integers"].copy(), state.arrays["factor_floats"].copy())
            check_factors(system, *factors)
            motion.set_sparse_factors(factors)
    except Unfit as unfit:
        raise ModelError(f"the state of the stepper is damaged or belongs to another model: {unfit}") from None
    for name, mine in wanted.items():
        mine[...] = state.arrays[name]
    for name in _COUNTS:
        setattr(integrator, name, state.about[name])
    groups = [np.array(group, np.int64) for group in state.about["groups"]]
    integrator.rank = Rank(redundant.copy(), groups, state.about["weakest"])
    if is_train and integrator.train is not None:
        integrator.train.set_motion({name: getattr(motion, name) for name in ("v", "vd", "a", "vd_before")})
