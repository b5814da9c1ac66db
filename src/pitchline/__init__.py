"""pitchline: gears in three-dimensional multibody dynamics.

>>> import pitchline as pl
>>> m = pl.Model("pendulum", gravity=(0, 0, "-9.81 m/s^2"))
>>> rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
>>> hinge = m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
>>> run = pl.dynamics(m, duration="1 s")

Analyses are loaded at first use, because they bring the compiled engine with them.
"""

import importlib
from typing import TYPE_CHECKING, Any

from . import views
from .errors import ModelError, PitchlineError, SolveError, UnitError
from .gears import STEEL, Gear, GearPair, Material, Rack, data_sheet_text
from .model import (
    Body,
    Constant,
    Elastic,
    Fourier,
    Frame,
    Function,
    Harmonic,
    Joint,
    MassProperties,
    Model,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Rigid,
    Rolling,
    Rotation,
    Stribeck,
    Sum,
    Table,
    Varying,
    Wheel,
    bar,
    cylinder,
    sphere,
    tube,
)
from .results import Result, Signal, Spectrum, Status, spectrum

if TYPE_CHECKING:
    from .analyses.dynamics import dynamics, resume
    from .analyses.kinematics import kinematics
    from .analyses.statics import statics

_LATE = {
    "dynamics": "analyses.dynamics",
    "kinematics": "analyses.kinematics",
    "resume": "analyses.dynamics",
    "statics": "analyses.statics",
}

__all__ = [
    "Body",
    "Constant",
    "Elastic",
    "Fourier",
    "Frame",
    "Function",
    "Gear",
    "GearPair",
    "Harmonic",
    "Joint",
    "MassProperties",
    "Material",
    "Model",
    "ModelError",
    "PiecewisePolynomial",
    "PitchlineError",
    "Polynomial",
    "Rack",
    "Ramp",
    "Result",
    "Rigid",
    "Rolling",
    "Rotation",
    "STEEL",
    "Signal",
    "SolveError",
    "Spectrum",
    "Status",
    "Stribeck",
    "Sum",
    "Table",
    "UnitError",
    "Varying",
    "Wheel",
    "bar",
    "cylinder",
    "data_sheet_text",
    "dynamics",
    "kinematics",
    "load",
    "resume",
    "spectrum",
    "sphere",
    "statics",
    "tube",
    "views",
]

load = Result.load
"""Load a result file."""


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(importlib.import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
