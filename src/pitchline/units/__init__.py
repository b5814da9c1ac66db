"""Quantities with units: ``"2 mm"``, ``"12000 rpm"``, ``"1e5 N*m/rad"`` are converted to SI numbers.

pitchline uses SI units internally: m, kg, s, rad, N, N*m, Hz. A plain number is in SI units. A text is a
number and a unit. Its dimension is checked.

A unit is a product of names with ``*`` (or a blank), ``/``, ``^`` and parentheses. Metric units can have metric
prefixes. Torques can be written without a sign: ``Nm``, ``kNm``, ``Nmm``. Products and quotients are evaluated from
left to right: ``N/m*s`` is ``(N/m)*s``.

The radian is dimensionless in SI. Here it is tracked, but ignored where it makes no difference: ``N*m/rad`` can be
used for ``N*m`` and vice versa. Revolutions are angles: ``1 rev = 2 pi rad``, ``1 Hz = 1 rev/s``. Therefore
``"50 Hz"`` is an angular velocity of 100 pi rad/s and ``"3000 rpm"`` a frequency of 50 Hz. ``1/min`` and ``min^-1``
are revolutions per minute, as on the nameplate of a machine. ``1/s`` is rad/s, as in SI.

Upper and lower case matter: ``nm`` is a nanometre, ``Nm`` (as ``N*m``) a newton metre; ``Mm`` is rejected.
"""

from .parser import DIMENSIONS, Exponents
from .quantity import LARGEST, array, canonical_unit, compatible, dimension_name, dimension_of, matrix, quantity, vector

__all__ = [
    "DIMENSIONS",
    "LARGEST",
    "Exponents",
    "array",
    "canonical_unit",
    "compatible",
    "dimension_name",
    "dimension_of",
    "matrix",
    "quantity",
    "vector",
]
