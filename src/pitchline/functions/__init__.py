"""Functions of time, for loads, drives and other values that vary."""

from .piecewise import Constant, Fourier, FourierLine, Function, Harmonic, PiecewisePolynomial
from .polynomial import Polynomial, Sum
from .sampled import Ramp, Sampled, Table, as_function

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
