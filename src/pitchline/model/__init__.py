"""The model as the user says it: frozen, validated, no mechanics."""

from .body import Body
from .drives import Drive
from .frames import Frame
from .functions import (
    Constant,
    Fourier,
    Function,
    Harmonic,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Sampled,
    Sum,
    Table,
    as_function,
)
from .joints import KINDS, Joint
from .loads import Bushing, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from .model import Model
from .rotations import Rotation
from .solids import MassProperties, bar, cylinder, sphere, tube

__all__ = [
    "KINDS",
    "Body",
    "Bushing",
    "Constant",
    "Drive",
    "Force",
    "Fourier",
    "Frame",
    "Function",
    "Harmonic",
    "Joint",
    "JointLoad",
    "Load",
    "MassProperties",
    "Model",
    "PiecewisePolynomial",
    "Polynomial",
    "Ramp",
    "Rotation",
    "Sampled",
    "Spring",
    "Stop",
    "Sum",
    "Table",
    "Torque",
    "TorsionSpring",
    "as_function",
    "bar",
    "cylinder",
    "sphere",
    "tube",
]
