"""Declared elements: the base class of elements, and the fields that it collects.

DeclaredElement: an element that is one class declaration. In the API its name is `pitchline.extend.Element`.

A subclass declares its fields and its equations. Constructor, checks, description, tables of model files, schema and signals
follow from the fields. The compiled part (records, addresses) is in `engine.elements.declared_kind`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Place, Subject, near_names, shown
from pitchline.functions.piecewise import Function
from pitchline.functions.sampled import as_function
from pitchline.parts.bodies.part import Body, Joint
from pitchline.solids.mass_properties import MassProperties
from pitchline.units.quantity import array, quantity, vector

from .names import Frame, check_name
from .signal_expression import SignalExpression, as_signal

__all__ = [
    "REQUIRED",
    "CoordinatesField",
    "DeclaredField",
    "DerivedField",
    "FrameField",
    "JointField",
    "ParameterField",
    "RoomField",
    "OutputField",
    "SignalField",
    "KERNELS",
    "DeclaredElement",
]


# ---- element fields

# Fields for the declaration of elements (see `declared_element`).

REQUIRED: Any = object()
"""Used in place of a default: the user must specify a value."""
Count = int | str
"""A number, or the name of the field that contains the number."""


class DeclaredField:
    """Field of a declared element. On an element it reads as its value. It cannot be assigned."""

    name: str

    def __init__(self, text: str, unit: str = "") -> None:
        self.text, self.unit = text, unit

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, element: Any, owner: type | None = None) -> Any:
        return self if element is None else element.values.get(self.name)

    def __set__(self, element: Any, value: object) -> None:
        raise AttributeError(
            f"{element.words}.{self.name} cannot be changed; make a new element with replaced({self.name}=...)"
        )

    @property
    def described(self) -> str:
        """Description with unit."""
        return f"{self.text} [{self.unit}]" if self.unit else self.text


class FrameField(DeclaredField):
    """Frame on a body. `x` contains its node, `s` its position in node axes. default: name of a body, None if required."""

    def __init__(self, text: str, default: str | None = None) -> None:
        super().__init__(text)
        self.default = default


class JointField(DeclaredField):
    """Angle or displacement of a joint. coordinate None: the only coordinate of the joint."""

    def __init__(self, text: str, coordinate: str | None) -> None:
        super().__init__(text)
        self.coordinate = coordinate


class ParameterField(DeclaredField):
    """Value that the user specifies."""

    def __init__(
        self,
        kind: str,
        text: str,
        unit: str = "",
        default: Any = REQUIRED,
        *,
        limits: tuple[float | None, float | None] = (None, None),
        check: tuple[float, float] | None = None,
        options: tuple[str, ...] = (),
        count: Count = 1,
        arguments: tuple[str, ...] = (),
        increasing: bool = False,
        any_unit: bool = False,
    ) -> None:
        super().__init__(text, unit)
        self.kind, self.default, self.limits, self.options = kind, default, limits, options
        self.check, self.count, self.arguments, self.increasing = check, count, arguments, increasing
        self.dimension = None if any_unit else unit or "number"
        """Dimension of values with units; None: any, converted to SI."""

    @property
    def annotation(self) -> str:
        """Type of the argument in the signature."""
        optional = " | None" if self.default is None else ""
        return _ANNOTATIONS.get(self.kind, "object") + optional

    @property
    def described(self) -> str:
        return f"{super().described} ({', '.join(self.options)})" if self.options else super().described

    def read(self, value: Any, what: Subject) -> Any:
        """Read and check a value that the user specified.

        Parameters
        ----------
        value
            Value: a number in SI or a text with a unit.
        what
            Name of the argument in messages.
        """
        if value is None and self.default is None:
            return None
        made = _READERS[self.kind](self, value, what)
        low, high = self.limits
        for limit, bad, word in ((low, np.less, "less"), (high, np.greater, "more")):
            if limit is not None and np.any(bad(made, limit)):
                raise ModelError(
                    f"{what}: must not be {word} than {_with(limit, self.unit)}, got {shown(value)}", about=what
                )
        if self.increasing and np.any(np.diff(made) <= 0.0):
            at = int(np.argmax(np.diff(made) <= 0.0))
            raise ModelError(
                f"{what}: values must increase, but {_with(float(made[at + 1]), self.unit)} follows "
                f"{_with(float(made[at]), self.unit)}; sort the table",
                about=what,
            )
        return made


def _with(value: float, unit: str) -> str:
    return f"{value:g} {unit}".strip()


def _number(field: ParameterField, value: Any, what: Subject) -> float:
    return quantity(value, field.dimension, what=what)


def _vector(field: ParameterField, value: Any, what: Subject) -> Any:
    return vector(value, field.unit or "number", what=what)


def _numbers(field: ParameterField, value: Any, what: Subject) -> Any:
    if isinstance(field.count, int):
        return vector(value, field.unit or "number", what=what, size=field.count)
    return array(value, field.dimension, what=what)


def _integer(field: ParameterField, value: Any, what: Subject) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ModelError(f"{what}: expected a whole number, got {shown(value)}", about=what)
    return int(value)


def _flag(field: ParameterField, value: Any, what: Subject) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ModelError(f"{what}: expected True or False, got {shown(value)}", about=what)
    return bool(value)


def _choice(field: ParameterField, value: Any, what: Subject) -> str:
    if not isinstance(value, str) or value not in field.options:
        raise ModelError(f"{what}: unknown option {shown(value)}; {near_names(str(value), field.options)}", about=what)
    return value


def _function(field: ParameterField, value: Any, what: Subject) -> Function:
    return as_function(value, field.unit or None, what=what)


def _law(field: ParameterField, value: Any, what: Subject) -> Callable[..., float]:
    if isinstance(value, type) or not callable(value):
        said = f"({', '.join(field.arguments)})"
        raise ModelError(
            f"{what}: expected a Python function of {said}, got {shown(value)}; write lambda {said[1:-1]}: ...",
            about=what,
        )
    made: Callable[..., float] = value
    return made


def _input(field: ParameterField, value: Any, what: Subject) -> Function | SignalExpression:
    """Signal that an element reads: an expression over signals, or a function of time."""
    return as_signal(value, field.unit or None, what=what)


_READERS: dict[str, Callable[[ParameterField, Any, Subject], Any]] = {
    "number": _number, "vector": _vector, "numbers": _numbers, "integer": _integer, "flag": _flag, "choice": _choice,
    "function": _function, "law": _law, "input": _input,
}  # fmt: skip


_ANNOTATIONS = {
    "number": "float | str", "vector": "Sequence[float | str]", "numbers": "Sequence[float | str]", "integer": "int",
    "flag": "bool", "choice": "str", "function": "float | str | Function | Callable[[float], float]",
    "input": "float | str | Function | SignalExpression", "law": "Callable[..., float]",
}  # fmt: skip


class DerivedField(DeclaredField):
    """Number, array or record for the compiled functions that `derive` computes from the parameters."""

    def __init__(self, text: str, unit: str, size: Count, columns: Count, record: Any) -> None:
        super().__init__(text, unit)
        self.size, self.columns, self.record = size, columns, record

    @property
    def counts(self) -> tuple[str, ...]:
        """Names of sizes that follow only from the array."""
        return tuple(count for count in (self.size, self.columns) if isinstance(count, str))


class CoordinatesField(DeclaredField):
    """Coordinates that belong to the element."""

    def __init__(self, count: Count, unit: str, text: str, order: int, condensed: bool, typical: float) -> None:
        super().__init__(text, unit)
        self.count, self.order, self.condensed, self.typical = count, order, condensed, typical

    @property
    def start_arguments(self) -> dict[str, str]:
        """Arguments for initial values, with units: the coordinate and, if it has a mass, its rate. None if it is condensed."""
        rate = {f"{self.name}_rate": f"{self.unit or 1}/s"} if self.order == 2 else {}
        return {} if self.condensed else {self.name: self.unit} | rate

    def read_start(self, value: Any, unit: str, what: Subject) -> Any:
        """Read initial values: one number, or one for each coordinate."""
        made = array(value if isinstance(value, (list, tuple, np.ndarray)) else [value], unit or "number", what=what)
        if isinstance(self.count, int) and len(made) != self.count:
            raise ModelError(f"{what}: expected {self.count} initial values, got {len(made)}", about=what)
        return made

    @property
    def count_name(self) -> str:
        """Name of the number of coordinates in the record `x`."""
        return self.count if isinstance(self.count, str) else f"n_{self.name}"


class RoomField(DeclaredField):
    """Memory or scratch: a number, a vector, a matrix or an array."""

    def __init__(self, size: Count, columns: Count, text: str, start: float = 0.0) -> None:
        super().__init__(text)
        self.size, self.columns, self.start = size, columns, start


class MemoryField(RoomField):
    """Values that are kept from step to step. Only `accept` writes them."""

    kept: str = ""
    """Signal from which a run that starts from a result takes the value."""


class ScratchField(RoomField):
    """Values that are kept within one step."""


class SignalField(DeclaredField):
    """Value that `report` computes for every sample."""

    def __init__(self, unit: str, text: str, size: int) -> None:
        super().__init__(text, unit)
        self.size = size


class OutputField(SignalField):
    """Signal that `respond` computes from own coordinates and inputs. Other elements can read it."""


KERNELS = ("evaluate", "begin", "accept", "guard", "respond", "report")
"""Functions that are compiled."""
FieldKind = TypeVar("FieldKind", bound=DeclaredField)
_ROWS = ("length", "angle")
_PLACE = "Sequence[float | str] | str | None"


class DeclaredElement:
    """Base class of all declared elements.

    Class attributes of a subclass, in addition to its fields
    ----------------------------------------------------------
    key : str
        Type name in model files, for elements of this package. Classes outside the package use "module:Class".
    rows : tuple of str
        Constraint rows. One entry for each row: "length" (the multiplier is a force) or "angle" (a moment).
    soft : bool
        The rows are compliant (they deform with their multipliers), or open and close.
    switches : bool
        The rows change between a constraint and a law of their multiplier, at events that `guard` locates.
    firm : int
        Of an element that switches: number of its first rows that do not.
    has_inertia : bool
        The residual depends on accelerations of nodes.
    exchanges_power : bool
        The element adds to `ask.power_in` or `ask.power_out`.
    observes : bool
        The element causes no forces and has no rows, memory or own coordinates. It is evaluated only for output, in `report`.
    meeting : bool
        The two frames coincide in the initial pose, as those of a joint. The user gives bodies, and one point `at` and one
        direction `axis` of z for both. Default: those of the second body, or of the first if the second is the ground.
    linear_note : str
        Warning in statics and linear analyses, in which the element does not act as in time (a sampled controller). Optional.
    """

    key: ClassVar[str] = ""
    rows: ClassVar[tuple[str, ...]] = ()
    soft: ClassVar[bool] = False
    switches: ClassVar[bool] = False
    firm: ClassVar[int] = 0
    has_inertia: ClassVar[bool] = False
    exchanges_power: ClassVar[bool] = True
    observes: ClassVar[bool] = False
    meeting: ClassVar[bool] = False
    linear_note: ClassVar[str] = ""
    fields: ClassVar[Mapping[str, DeclaredField]] = MappingProxyType({})

    name: str
    values: Mapping[str, Any]
    """Values of frames, joints and parameters by name."""

    def __init_subclass__(cls) -> None:
        if DeclaredElement not in cls.__bases__:
            raise TypeError(f"{cls.__name__}: a declared element cannot be a base class of others; derive from Element")
        cls.fields = MappingProxyType(
            {name: field for name, field in vars(cls).items() if isinstance(field, DeclaredField)}
        )
        if not cls.__module__.startswith(f"{__name__.partition('.')[0]}.") or not vars(cls).get("key"):
            cls.key = f"{cls.__module__}:{cls.__qualname__}"  # short keys are only for elements of the package
        _check_declaration(cls)
        cls.__signature__ = _signature(cls)  # type: ignore[attr-defined]  # for help, editors and model files

    @names_wrong_arguments
    def __init__(self, name: str, /, **given: Any) -> None:
        if type(self) is DeclaredElement:
            raise TypeError("Element declares nothing; derive a class from it")
        words = element_subject(type(self), check_name(name, type(self).__name__))
        values, problems = _read(type(self), words, given)
        if not problems:
            problems = _checked(type(self), words, values)
        if problems:
            raise ModelError(problems, title=f"{words} has problems")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", MappingProxyType(values))

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.fields:
            super().__setattr__(name, value)  # the field raises an error with the reason
        raise AttributeError(f"{self.words} cannot be changed")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @staticmethod
    def check(values: Mapping[str, Any]) -> None:
        """Raise a ModelError if the values do not agree with each other. `derive` may rely on this check.

        Parameters
        ----------
        values
            Values of the parameters by name, in SI.
        """

    @property
    def words(self) -> Subject:
        """Name of the element in messages."""
        return element_subject(type(self), self.name)

    def argument(self, name: str) -> Subject:
        """Name of an argument of the element in messages.

        Parameters
        ----------
        name
            Name of the argument.
        """
        return argument_subject(self.words, name)

    def added_mass(self) -> MassProperties | None:
        """Mass that an element with one frame adds to its body, in the axes of that frame. None: no mass."""
        return None

    @classmethod
    def what(cls) -> str:
        """Description of the element: the first line of its docstring."""
        return (inspect.getdoc(cls) or cls.__name__).splitlines()[0].strip()

    @classmethod
    def fields_of(cls, kind: type[FieldKind]) -> dict[str, FieldKind]:
        """Fields of one kind, by name.

        Parameters
        ----------
        kind
            Class of the fields.
        """
        return {name: field for name, field in cls.fields.items() if isinstance(field, kind)}

    @property
    def frames(self) -> dict[str, Any]:
        """Frames by name. Before the element is added to a model, a frame may be the name of a body."""
        return {name: self.values[name] for name in self.fields_of(FrameField)}

    @property
    def functions(self) -> Iterator[Function]:
        """Functions of time of the element."""
        return (value for value in self.values.values() if isinstance(value, Function))

    def replaced(self, **changes: Any) -> DeclaredElement:
        """Return the same element with other values.

        Parameters
        ----------
        changes
            Arguments of the element with their new values.
        """
        given = {key: value for key, value in self.values.items() if key not in changes}
        for key in changes.keys() & self.fields_of(FrameField).keys():  # a new frame has its own position
            for place in place_arguments(type(self), key):
                given.pop(place, None)
        return type(self)(self.name, **given, **changes)

    @property
    def start(self) -> dict[str, Any]:
        """Initial values that were specified for the element's own coordinates and their rates."""
        names = (name for c in self.fields_of(CoordinatesField).values() for name in c.start_arguments)
        return {name: self.values[name] for name in names if name in self.values}

    @property
    def given(self) -> dict[str, Any]:
        """Parameters that differ from their defaults."""
        parameters = self.fields_of(ParameterField)
        return {
            name: self.values[name]
            for name, p in parameters.items()
            if not _same(self.values[name], p, self.argument(name))
        }


def element_subject(cls: type, name: str) -> Subject:
    """Name of an element in messages, with its location in the model."""
    return Subject(f'{cls.__name__} "{name}"', Place(("elements", name)))


def argument_subject(element: Subject, argument: str) -> Subject:
    """Name of an argument of an element in messages."""
    return element.at(argument).called(f"{element}.{argument}")


def point_argument(cls: type[DeclaredElement], frame: str) -> str:
    """Argument for the world point of a frame: `at` if there is one for all frames, otherwise `at_NAME`."""
    return "at" if cls.meeting or len(cls.fields_of(FrameField)) == 1 else f"at_{frame}"


def place_arguments(cls: type[DeclaredElement], frame: str) -> tuple[str, ...]:
    """Arguments for the position of a frame."""
    return (point_argument(cls, frame), *(("axis",) if cls.meeting else ()))


def _same(value: Any, field: ParameterField, what: Subject) -> bool:
    """Whether a value equals the default."""
    if field.default is REQUIRED or field.default is None or value is None:
        return value is field.default
    default = field.read(field.default, what)
    if isinstance(value, (Function, SignalExpression)):
        return value.describe() == default.describe()
    return bool(np.array_equal(value, default))


def _check_declaration(cls: type[DeclaredElement]) -> None:
    """Raise an error immediately if the declaration of a class is wrong."""
    reserved = {name for name in dir(DeclaredElement) if not name.startswith("__")} | {
        "name",
        "values",
        "view",
        "lam",
        "n_rows",
    }
    points = {place for name in cls.fields_of(FrameField) for place in place_arguments(cls, name)}
    if cls.meeting and len(cls.fields_of(FrameField)) != 2:
        raise TypeError(f"{cls.__name__}: an element with meeting=True needs exactly two frames")
    for name in cls.fields:
        if name in reserved or name in points:
            raise TypeError(
                f'{cls.__name__}: "{name}" is reserved and cannot be the name of a field; choose another name'
            )
    if cls.observes and (cls.rows or any(isinstance(x, CoordinatesField | MemoryField) for x in cls.fields.values())):
        raise TypeError(f"{cls.__name__}: an element that only observes has no rows, own coordinates or memory")
    if "evaluate" not in vars(cls):
        raise TypeError(f"{cls.__name__}: has no evaluate(s, m, x, w, ask, r, J)")
    acts = (FrameField, JointField, OutputField)
    if not any(isinstance(field, acts) for field in cls.fields.values()):
        raise TypeError(
            f"{cls.__name__}: declare at least one frame or joint on which the element acts, or an output_signal"
        )
    if bool(cls.fields_of(OutputField)) != ("respond" in vars(cls)):
        raise TypeError(
            f"{cls.__name__}: outputs and respond(s, m, x, w, ask, y, Y) belong together; declare both or none"
        )
    ends = [
        isinstance(field, JointField) for field in cls.fields.values() if isinstance(field, (FrameField, JointField))
    ]
    if ends != sorted(ends, reverse=True) or (
        any(ends) and not isinstance(next(iter(cls.fields.values())), JointField)
    ):
        raise TypeError(f"{cls.__name__}: declare joints first, because their rows come first")
    for row in cls.rows:
        if row not in _ROWS:
            raise TypeError(f'{cls.__name__}: rows are "length" or "angle", got {row!r}')
    known = {name for name, p in cls.fields_of(ParameterField).items() if p.kind == "integer"}
    known |= {p.count for p in cls.fields_of(ParameterField).values() if isinstance(p.count, str)}
    known |= {count for field in cls.fields_of(DerivedField).values() for count in field.counts}
    for field in cls.fields.values():
        sizes = (field.size, field.columns) if isinstance(field, RoomField) else ()
        for count in (field.count,) if isinstance(field, CoordinatesField) else sizes:
            if isinstance(count, str) and count not in known:
                raise TypeError(
                    f'{cls.__name__}.{field.name}: "{count}" is neither an integer field nor the length of a list'
                )


def _signature(cls: type[DeclaredElement]) -> inspect.Signature:
    only = inspect.Parameter.KEYWORD_ONLY
    found = [inspect.Parameter("name", inspect.Parameter.POSITIONAL_ONLY, annotation="str")]
    for name, field in cls.fields.items():
        if isinstance(field, (FrameField, JointField)):
            default = getattr(field, "default", None) or inspect.Parameter.empty
            kind = "Joint | str" if isinstance(field, JointField) else "Body | Frame | str"
            found.append(inspect.Parameter(name, only, default=default, annotation=kind))
        elif isinstance(field, ParameterField):
            default = inspect.Parameter.empty if field.default is REQUIRED else field.default
            found.append(inspect.Parameter(name, only, default=default, annotation=field.annotation))
    places = dict.fromkeys(place for name in cls.fields_of(FrameField) for place in place_arguments(cls, name))
    found += [inspect.Parameter(place, only, default=None, annotation=_PLACE) for place in places]
    for c in cls.fields_of(CoordinatesField).values():
        start = "float | str | Sequence[float | str] | None"
        found += [inspect.Parameter(name, only, default=None, annotation=start) for name in c.start_arguments]
    return inspect.Signature(found)


def _read(
    cls: type[DeclaredElement], words: Subject, given: Mapping[str, Any]
) -> tuple[dict[str, Any], list[ModelError]]:
    """Read the values, and collect all errors of the given arguments."""
    known = [name for name in inspect.signature(cls).parameters if name != "name"]
    problems = [
        ModelError(f'{words}: there is no argument "{key}"; {near_names(key, known)}', about=words.at(key))
        for key in given
        if key not in known
    ]
    values: dict[str, Any] = {}
    for name, field in cls.fields.items():
        try:
            if isinstance(field, FrameField) and field.default is not None and given.get(name) is None:
                given = {**given, name: field.default}
            if isinstance(field, (FrameField, JointField)) and name not in given:
                raise ModelError(f'{words}: "{name}" is missing: {field.text}', about=words)
            if isinstance(field, FrameField):
                values |= _frame(cls, name, given, argument_subject(words, name))
            elif isinstance(field, JointField):
                values[name] = _joint(given[name], argument_subject(words, name))
            elif isinstance(field, ParameterField):
                if name not in given and field.default is REQUIRED:
                    raise ModelError(f'{words}: "{name}" is missing: {field.described}', about=words)
                values[name] = field.read(given.get(name, field.default), argument_subject(words, name))
            elif isinstance(field, CoordinatesField):
                for key, unit in field.start_arguments.items():
                    if given.get(key) is not None:
                        values[key] = field.read_start(given[key], unit, argument_subject(words, key))
        except ModelError as error:
            problems.append(error)
    if not problems:
        problems = _lengths(cls, words, values)
    return values, problems


def _checked(cls: type[DeclaredElement], words: Subject, values: Mapping[str, Any]) -> list[ModelError]:
    """Errors that the check of the class itself finds in its values."""
    try:
        cls.check(values)
    except ModelError as error:
        pairs = zip(error.problems, error.places, strict=True)
        return [ModelError(f"{words}: {text}", about=words.at(*place.argument)) for text, place in pairs]
    return []


def _frame(cls: type[DeclaredElement], name: str, given: Mapping[str, Any], what: Subject) -> dict[str, Any]:
    """Read a frame. For a body that is given by name, keep name and point until the element is added to a model."""
    end = given[name]
    places = {place: given[place] for place in place_arguments(cls, name) if given.get(place) is not None}
    if isinstance(end, Frame):
        if places:
            said = " and ".join(places)
            raise ModelError(
                f"{what}: a frame already defines the position; omit {said}, or give the body in place of the frame",
                about=what,
            )
        return {name: end}
    if not isinstance(end, (Body, str)):
        raise ModelError(f"{what}: expected a body, a frame or the name of a body, got {shown(end)}", about=what)
    return {name: end, **places}


def _joint(value: Any, what: Subject) -> Any:
    if not isinstance(value, (Joint, str)):
        raise ModelError(f"{what}: expected a joint or the name of one, got {shown(value)}", about=what)
    return value


def _lengths(cls: type[DeclaredElement], words: Subject, values: Mapping[str, Any]) -> list[ModelError]:
    """Lists that share a name for their length must have the same length."""
    seen: dict[str, tuple[str, int]] = {}
    problems = []
    for name, p in cls.fields_of(ParameterField).items():
        if p.kind == "numbers" and isinstance(p.count, str) and values[name] is not None:
            first, size = seen.setdefault(p.count, (name, len(values[name])))
            if len(values[name]) != size:
                what = argument_subject(words, name)
                text = (
                    f"{what}: has {len(values[name])} values, but {first} has {size}; specify the same number of values"
                )
                problems.append(ModelError(text, about=what))
    return problems
