"""Functions of time, for loads, drives and other values that vary."""

from .base import Function
from .convert import as_function
from .fourier import Constant, Fourier, FourierLine, Harmonic
from .piecewise import PiecewisePolynomial
from .polynomial import Polynomial
from .ramp import Ramp
from .sampled import Sampled
from .sum import Sum
from .table import Table

__all__ = [
    "Constant",
    "Fourier",
    "FourierLine",
    "Function",
    "Harmonic",
    "PiecewisePolynomial",
    "Polynomial",
    "Ramp",
    "Sampled",
    "Sum",
    "Table",
    "as_function",
]
