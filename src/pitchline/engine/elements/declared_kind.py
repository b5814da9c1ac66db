"""From a declared element to records and compiled functions: the kind of its class, and the element of a compiled model."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as with_default
from typing import Any

import numpy as np

from pitchline.declare.declared_element import (
    KERNELS,
    CoordinatesField,
    DeclaredElement,
    DerivedField,
    FrameField,
    JointField,
    MemoryField,
    OutputField,
    ParameterField,
    RoomField,
    ScratchField,
    SignalField,
)
from pitchline.errors import ModelError, Subject
from pitchline.functions.piecewise import Constant, Function
from pitchline.numerics.fields import (
    INTEGER,
    NUMBER,
    VECTOR,
    Fields,
    behind,
    embedded,
    fields,
    inline,
    packed,
    reference,
)
from pitchline.numerics.fields import numbers as so_many
from pitchline.numerics.laws import address_of_law, numba_line
from pitchline.numerics.machine_code.calling import address_of
from pitchline.numerics.machine_code.compiled import kernel
from pitchline.numerics.machine_code.content import Unidentified, key_of
from pitchline.numerics.packing import FieldKind

from .contract import Coordinates, Element, ElementKind, Input, Measure, Nothing, Placed, SignalSpec, Turns, seen

__all__ = [
    "Surroundings", "code_digest", "compile_kind", "declared_element", "kind_of", "number_of_coordinates", "published_signals",
]  # fmt: skip

TUPLES = (1, 3, 9)
"""Sizes of memory and scratch that are a number, a vector or a matrix in compiled functions; others are arrays."""
_NOT_IN_RECORD = ("description", "input")
"""Parameters that are not in the record `s`."""
_INTEGERS = ("integer", "flag", "choice", "function", "law")


@dataclass(frozen=True)
class Surroundings:
    """Data of the ends of an element for the compile step, and the storage of functions of time.

    nodes:     node indices, two of a joint
    frames:    frames by name, (position, rotation) in node axes
    world:     the same in the world in the initial pose
    measures:  measures of the joints on which it acts, by name; observers: the elements that count their revolutions
    start:     angles or displacements of these joints in the initial pose
    place_of:  adds a function of time to those of the system, and returns its index
    gravity:   acceleration in world axes (3,)
    source_of: source of a signal that the element reads, from its value and the name of the argument
    """

    nodes: tuple[int, ...]
    frames: Mapping[str, tuple[np.ndarray, np.ndarray]]
    world: Mapping[str, tuple[np.ndarray, np.ndarray]]
    place_of: Callable[[Function], int]
    measures: Mapping[str, np.void] = with_default(default_factory=dict)
    observers: Mapping[str, Element] = with_default(default_factory=dict)
    start: Mapping[str, float] = with_default(default_factory=dict)
    gravity: np.ndarray = with_default(default_factory=lambda: np.zeros(3))
    source_of: Callable[[Any, Subject], Any] = with_default(default=lambda value, what: None)


_kinds: dict[type[DeclaredElement], ElementKind] = {}


def kind_of(cls: type[DeclaredElement]) -> ElementKind:
    """Kind of all elements of a declared class. Nothing is compiled yet."""
    if cls not in _kinds:
        _kinds[cls] = _kind(cls)
    return _kinds[cls]


def _kind(cls: type[DeclaredElement]) -> ElementKind:
    functions = {name: vars(cls)[name] for name in KERNELS if name in vars(cls)}
    compiled = {name: kernel(getattr(function, "__func__", function)) for name, function in functions.items()}
    return ElementKind(
        name=cls.__name__,
        parameters=_parameters(cls),
        seen=seen(
            *_nodes(cls),
            rows=bool(cls.rows),
            coordinates=_coordinates(cls),
            more=dict.fromkeys(_turns(cls), reference(Turns)) | dict.fromkeys(_inputs(cls), reference(Input)),
        ),
        memory=Turns if _uses_memory_of_joint(cls) else _room(cls, MemoryField),
        turns=_turns(cls),
        scratch=_room(cls, ScratchField),
        signals=(*_signals(cls, output=False), *_signals(cls, output=True)),
        inputs=_inputs(cls),
        outputs=_signals(cls, output=True),
        coordinates=_coordinates(cls),
        has_inertia=cls.has_inertia,
        exchanges_power=cls.exchanges_power,
        full_pattern=True,
        **compiled,
    )


def _signals(cls: type[DeclaredElement], *, output: bool) -> tuple[SignalSpec, ...]:
    """Signals that `report` computes, or outputs."""
    found = cls.fields_of(SignalField).items()
    return tuple(SignalSpec(name, f.unit, f.text, f.size) for name, f in found if isinstance(f, OutputField) == output)


def _inputs(cls: type[DeclaredElement]) -> tuple[str, ...]:
    """Names of the signals that it reads."""
    return tuple(name for name, p in cls.fields_of(ParameterField).items() if p.kind == "input")


def _turns(cls: type[DeclaredElement]) -> tuple[str, ...]:
    """Names of the counted revolutions of its joints in the record `x`."""
    return tuple(f"{name}_turns" for name in cls.fields_of(JointField))


def _uses_memory_of_joint(cls: type[DeclaredElement]) -> bool:
    """Whether `m` is the memory of its only joint. An element with memory of its own reads that of its joints in `x`."""
    return len(cls.fields_of(JointField)) == 1 and not cls.fields_of(MemoryField)


def _nodes(cls: type[DeclaredElement]) -> list[str]:
    """Names of the nodes in the record `x`, in the order of the local block."""
    found: list[str] = []
    for name, field in cls.fields.items():
        if isinstance(field, FrameField):
            found.append(name)
        elif isinstance(field, JointField):
            found += [f"{name}_a", f"{name}_b"]
    return found


def _parameters(cls: type[DeclaredElement]) -> Fields:
    layout: dict[str, FieldKind] = {}
    for name, field in cls.fields.items():
        if isinstance(field, FrameField):
            layout[name] = embedded(Placed)
        elif isinstance(field, JointField):
            layout[name] = embedded(Measure)
        elif isinstance(field, DerivedField):
            layout |= dict.fromkeys(field.counts, INTEGER)
            layout[name] = _derived_kind(field)
        elif isinstance(field, ParameterField) and field.kind not in _NOT_IN_RECORD:
            layout[name] = _parameter(field)
            if field.kind == "numbers" and isinstance(field.count, str):
                layout.setdefault(field.count, INTEGER)
    return fields(cls.__name__, **layout)


def _derived_kind(field: DerivedField) -> FieldKind:
    if field.record is not None:
        return embedded(field.record)
    if isinstance(field.size, str):
        return behind(field.size, field.columns)
    return NUMBER if field.size == 1 else so_many(field.size)


def _parameter(field: ParameterField) -> FieldKind:
    if field.kind in _INTEGERS:
        return INTEGER
    if field.kind == "vector":
        return VECTOR
    if field.kind == "numbers":
        return behind(field.count) if isinstance(field.count, str) else so_many(field.count)
    return NUMBER


def _coordinates(cls: type[DeclaredElement]) -> tuple[Coordinates, ...]:
    return tuple(
        Coordinates(name, c.count_name, c.unit, c.text, c.order, c.condensed, c.typical)
        for name, c in cls.fields_of(CoordinatesField).items()
    )


def _room(cls: type[DeclaredElement], kind: type[RoomField]) -> Fields:
    """Record of memory or scratch."""
    layout: dict[str, FieldKind] = {}
    for name, field in cls.fields_of(kind).items():
        if isinstance(field.size, str):
            layout |= {count: INTEGER for count in (field.size, field.columns) if isinstance(count, str)}
            layout[name] = behind(str(field.size), field.columns)
        elif field.columns or field.size not in TUPLES:
            layout[name] = inline(field.size, int(field.columns))
        else:
            layout[name] = NUMBER if field.size == 1 else so_many(field.size)
    return fields(f"{cls.__name__} {kind.__name__.removesuffix('Field').lower()}", **layout) if layout else Nothing


def compile_kind(cls: type[DeclaredElement]) -> ElementKind:
    """Compile the functions of a class. If this fails, a ModelError names class, function and line."""
    kind = kind_of(cls)
    for name in KERNELS:
        function = getattr(kind, name)
        if function is None:
            continue
        try:
            address_of(function, kind.signature(name))
        except Exception as error:  # numba does not catch some errors of the functions it calls
            raise ModelError(f"{cls.__name__}.{name} cannot be compiled: {numba_line(error)}") from error
    return kind


def code_digest(part: DeclaredElement) -> bytes:
    """Hash of the compiled functions of an element and of its laws, for checkpoints, which are valid only for the same
    equations."""
    kind = kind_of(type(part))
    laws = [part.values[name] for name, p in type(part).fields_of(ParameterField).items() if p.kind == "law"]
    digest = hashlib.sha256()
    for function in (*(getattr(kind, name) for name in KERNELS), *laws):
        try:
            digest.update(b"" if function is None else key_of(function))
        except Unidentified:  # at least its own code
            code = getattr(function, "py_func", function).__code__
            digest.update(code.co_code + repr(code.co_consts).encode())
    return digest.digest()


def declared_element(part: DeclaredElement, around: Surroundings) -> Element:
    """Element of a compiled model."""
    cls, kind = type(part), compile_kind(type(part))
    values = _derived(part, around)
    counts = _counts(part, values)
    packed_values = {
        name: _packed_value(part, field, values[name], around) for name, field in _given_fields(cls).items()
    }
    packed_values |= {name: {"at": at, "axes": axes} for name, (at, axes) in around.frames.items()}
    packed_values |= around.measures
    element = Element(
        kind,
        part.name,
        around.nodes,
        packed(kind.parameters, packed_values),
        rows="".join("t" if row == "length" else "r" for row in cls.rows),
        soft=cls.soft or cls.switches,
        switches=cls.switches,
        firm=cls.firm,
        every_step=bool(cls.fields_of(MemoryField)) or any(c.condensed for c in kind.coordinates),
        counts={c.count_name: _size(c.count, counts) for c in cls.fields_of(CoordinatesField).values()},
        signals=published_signals(part),
    )
    element.inputs = tuple(
        around.source_of(Constant(0.0) if values[name] is None else values[name], part.argument(name))
        for name in kind.inputs
    )
    element.direct = _direct(part, kind)
    element.outside = values.get("outside_session")
    for name, values_given in part.start.items():
        count = element.counts[_coordinate_of(cls, name).count_name]
        if len(values_given) != count:
            what = part.argument(name)
            raise ModelError(f"{what}: expected {count} initial values, got {len(values_given)}", about=what)
        element.start[name] = values_given
    element.turns = {f"{name}_turns": counter for name, counter in around.observers.items()}
    if around.observers and _uses_memory_of_joint(cls):
        element.shares_memory_of = next(iter(around.observers.values()))
    else:
        element.memory = _start(cls, MemoryField, kind.memory, counts)
    element.scratch = _start(cls, ScratchField, kind.scratch, counts)
    return element


def published_signals(part: DeclaredElement) -> tuple[str, ...] | None:
    """Names of the signals of an element: all, except those that `hidden_signals(values)` of its class names."""
    hook = vars(type(part)).get("hidden_signals")
    if hook is None:
        return None
    hidden = getattr(hook, "__func__", hook)(part.values)
    return tuple(name for name in type(part).fields_of(SignalField) if name not in hidden)


def _direct(part: DeclaredElement, kind: ElementKind) -> tuple[bool, ...]:
    """Whether outputs depend directly on each input: on all, except if `direct_inputs(values)` of the class names some."""
    hook = vars(type(part)).get("direct_inputs")
    names = kind.inputs if hook is None else getattr(hook, "__func__", hook)(part.values)
    return tuple(name in names for name in kind.inputs)


def _coordinate_of(cls: type[DeclaredElement], argument: str) -> CoordinatesField:
    return next(c for c in cls.fields_of(CoordinatesField).values() if argument in c.start_arguments)


def _given_fields(cls: type[DeclaredElement]) -> dict[str, ParameterField | DerivedField]:
    """Fields of the record of parameters. Descriptions are only for `derive`."""
    parameters = {name: p for name, p in cls.fields_of(ParameterField).items() if p.kind not in _NOT_IN_RECORD}
    return {**parameters, **cls.fields_of(DerivedField)}


def _derived(part: DeclaredElement, around: Surroundings) -> dict[str, Any]:
    """Parameters after `derive`, which gets frames as (position, rotation) in the world and joints as their angle or
    displacement, both in the initial pose, and gravity."""
    cls = type(part)
    values = {name: part.values[name] for name in cls.fields_of(ParameterField)}
    derive = vars(cls).get("derive")
    if derive is not None:
        given = {**values, **around.world, **around.start, "gravity": around.gravity}
        values |= getattr(derive, "__func__", derive)(given)
    for name in _given_fields(cls):
        if values.get(name) is None:
            raise ModelError(
                f"{part.argument(name)}: has no value; derive(values) must return one", about=part.argument(name)
            )
    return values


def _packed_value(part: DeclaredElement, field: ParameterField | DerivedField, value: Any, around: Surroundings) -> Any:
    if isinstance(field, ParameterField):
        if field.kind == "function":
            return around.place_of(value)
        if field.kind == "choice":
            return field.options.index(value)
        if field.kind == "law":
            return address_of_law(value, len(field.arguments), part.argument(field.name))
    return value


def _counts(part: DeclaredElement, values: Mapping[str, Any]) -> dict[str, int]:
    """Numbers by name: integer fields, and lengths of lists."""
    found: dict[str, int] = {}
    for name, p in part.fields_of(ParameterField).items():
        if p.kind == "integer":
            found[name] = int(values[name])
        elif p.kind == "numbers" and isinstance(p.count, str):
            found[p.count] = len(values[name])
    for name, derived in part.fields_of(DerivedField).items():
        found |= dict(zip(derived.counts, np.shape(values[name]), strict=False))  # a number of columns may be fixed
    return found


def number_of_coordinates(
    part: DeclaredElement, what: Coordinates, world: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> int:
    """Number of coordinates with a name. world: frames by name, (position, rotation) in the world."""
    field = next(c for name, c in type(part).fields_of(CoordinatesField).items() if name == what.name)
    if isinstance(field.count, int):
        return field.count
    values = {name: part.values[name] for name in part.fields_of(ParameterField)}
    derive = vars(type(part)).get("derive")
    try:
        if derive is not None:
            values |= getattr(derive, "__func__", derive)({**values, **world, "gravity": np.zeros(3)})
        return _size(field.count, _counts(part, values))
    except (KeyError, TypeError):
        return 0


def _size(count: int | str, counts: Mapping[str, int]) -> int:
    return counts[count] if isinstance(count, str) else count


def _start(cls: type[DeclaredElement], kind: type[RoomField], record: Fields, counts: Mapping[str, int]) -> np.ndarray:
    """Initial content of memory or scratch, with arrays behind the record."""
    values: dict[str, Any] = {}
    for name, field in cls.fields_of(kind).items():
        shape = (
            (_size(field.size, counts), _size(field.columns, counts)) if field.columns else (_size(field.size, counts),)
        )
        content = np.full(shape, field.start)
        values[name] = field.start if field.size == 1 and not field.columns else content
    return packed(record, values)
