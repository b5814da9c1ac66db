"""OwnMesh: base class of mesh laws that users declare."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

from pitchline.declare.declared_element import REQUIRED, ParameterField
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.units.quantity import quantity

from .common import (
    SIDES,
    Friction,
    Variable,
    choice,
    flag,
    read_along,
    read_backlash,
    read_efficiency,
    read_errors,
    read_follow_centres,
    read_friction,
    read_line_of_action,
    read_sliding,
    read_speeds,
    read_sticks,
)

__all__ = ["OwnMesh"]

_OPTIONS: dict[str, Any] = {
    "backlash": None,
    "backlash_side": "centred",
    "error": None,
    "friction": None,
    "friction_speed": "1 mm/s",
    "efficiency": None,
    "efficiency_speed": "1e-3 rad/s",
    "sticks": False,
    "sliding": "pitch point",
    "line_of_action": "automatic",
    "separating": True,
    "follow_centres": None,
}
"""Options of every law, with their defaults; see `Elastic`."""
ARGUMENTS = ("s", "approach", "rate", "phase")


class OwnMesh:
    """Base class of mesh laws that users declare: fields made by `number`, and a function `force`.

        class Hertz(MeshLaw):
            load = number("N", "force at a penetration of 10 um", least=0.0)

            def force(s, approach, rate, phase):
                return s.load * (approach / 1e-5) ** 1.5

    `force` returns the force of the loaded flank [N], positive if it pushes. It is called only in contact.
    s: the fields by name, in SI. approach: penetration of the loaded flank [m]. rate: its rate [m/s].
    phase: fraction of the mesh cycle, 0 to 1. It is compiled, with exact derivatives. It may call `math`, and functions
    that numba compiled.

    Parameters
    ----------
    values
        Values of the fields. And options, as in `Elastic`: backlash, backlash_side, error, friction, friction_speed,
        efficiency, efficiency_speed, sticks, sliding, line_of_action, separating, follow_centres.

    Force, penetration and lengths are in one direction, as `along` of `Elastic`: by default on the base circle (crossed axes: along
    the normal). Specify another in the class: ``along = "normal"``, or "hoop".
    """

    fields: ClassVar[Mapping[str, ParameterField]] = MappingProxyType({})
    key: ClassVar[str] = ""
    along: ClassVar[str | None] = None
    energy_consistent: ClassVar[bool] = False

    values: Mapping[str, float]
    backlash: float | tuple[Variable, ...] | None
    backlash_side: str
    error: tuple[Variable, ...]
    friction: Friction | None
    friction_speed: float
    efficiency: tuple[float, float] | None
    efficiency_speed: float
    sticks: bool
    sliding: str
    line_of_action: str
    separating: bool
    follow_centres: bool

    def __init_subclass__(cls) -> None:
        if OwnMesh not in cls.__bases__:
            raise TypeError(
                f"{cls.__name__}: a declared mesh law cannot be a base class of others; derive from MeshLaw"
            )
        cls.fields = MappingProxyType({n: f for n, f in vars(cls).items() if isinstance(f, ParameterField)})
        cls.key = f"{cls.__module__}:{cls.__qualname__}"
        cls.along = read_along(cls.along, f"{cls.__name__}.along")
        for name, field in cls.fields.items():
            if field.kind != "number":
                raise TypeError(f"{cls.__name__}.{name}: fields of a mesh law are numbers; declare it with number(...)")
            if field.unit:
                quantity(
                    f"1 {field.unit}", field.unit, what=f"{cls.__name__}.{name}"
                )  # an unknown unit is an error here
            if name in _OPTIONS or name in ("values", "fields", "force", "key", "along"):
                raise TypeError(
                    f'{cls.__name__}: "{name}" is reserved and cannot be the name of a field; choose another name'
                )
        force = vars(cls).get("force")
        given = None if force is None else tuple(inspect.signature(getattr(force, "__func__", force)).parameters)
        if given is None or len(given) != len(ARGUMENTS):
            raise TypeError(f"{cls.__name__}: needs a function force({', '.join(ARGUMENTS)})")
        only = inspect.Parameter.KEYWORD_ONLY
        empty = inspect.Parameter.empty
        own = {n: empty if f.default is REQUIRED else f.default for n, f in cls.fields.items()}
        cls.__signature__ = inspect.Signature(
            [inspect.Parameter(name, only, default=default) for name, default in (own | _OPTIONS).items()]
        )

    def __init__(self, **given: Any) -> None:
        cls = type(self)
        what = Subject(cls.__name__)
        if cls is OwnMesh:
            raise TypeError("MeshLaw declares nothing; derive a class from it")
        known = [*cls.fields, *_OPTIONS]
        for key in given:
            if key not in known:
                raise ModelError(f'{what}: there is no argument "{key}"; {near_names(key, known)}', about=what.at(key))
        values: dict[str, float] = {}
        for name, field in cls.fields.items():
            if name not in given and field.default is REQUIRED:
                raise ModelError(f'{what}: "{name}" is missing: {field.described}', about=what)
            values[name] = field.read(given.get(name, field.default), what / name)
        options = {name: given.get(name, default) for name, default in _OPTIONS.items()}
        friction, efficiency, sticks = options["friction"], options["efficiency"], options["sticks"]
        read: dict[str, Any] = {
            "values": MappingProxyType(values),
            "backlash": read_backlash(options["backlash"], what / "backlash"),
            "backlash_side": choice(options["backlash_side"], SIDES, what / "backlash_side"),
            "error": read_errors(options["error"], what / "error"),
            "friction": read_friction(friction, what),
            "efficiency": read_efficiency(efficiency, friction, what / "efficiency", locking=sticks is True),
            "sticks": read_sticks(sticks, friction, efficiency, what),
            "sliding": read_sliding(options["sliding"], friction, what),
            "line_of_action": read_line_of_action(options["line_of_action"], options["separating"], what),
            "separating": flag(options["separating"], what / "separating"),
            "follow_centres": read_follow_centres(
                options["follow_centres"], options["separating"], what / "follow_centres"
            ),
            **read_speeds(what, options["friction_speed"], options["efficiency_speed"]),
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v:g}' for k, v in self.values.items())})"

    @classmethod
    def function(cls) -> Callable[..., Any]:
        """The function `force` of the class."""
        force = vars(cls)["force"]
        return getattr(force, "__func__", force)

    def typical_stiffness(self, depth: float, what: Subject) -> float:
        """Return the secant stiffness at a small penetration [N/m]. It scales equations and checks.

        Parameters
        ----------
        depth
            Penetration [m].
        what
            Name of the pair, for messages.
        """
        force, name = self.function(), f"{type(self).__name__}.force"
        try:
            found = [
                float(force(SimpleNamespace(**self.values), depth, 0.0, phase)) for phase in (0.0, 0.25, 0.5, 0.75)
            ]
        except Exception as error:
            raise ModelError(
                f"{what}: {name} fails at an approach of {depth:.3g} m: {type(error).__name__}: {error}",
                about=what.at("mesh"),
            ) from error
        if not all(math.isfinite(f) for f in found) or sum(found) <= 0.0:
            raise ModelError(
                f"{what}: {name} must return a positive force in contact, but at an approach of {depth:.3g} m it returned "
                f"{shown(found[0])}",
                about=what.at("mesh"),
            )
        return sum(found) / len(found) / depth

    @property
    def options(self) -> dict[str, Any]:
        """Options by name, and the values of the fields."""
        return {**self.values, **{name: getattr(self, name) for name in _OPTIONS}}
