"""Quantities as users give them: ``"2 mm"``, ``"12000 rpm"``, ``"1e5 N*m/rad"`` become SI numbers.

Inside pitchline everything is SI: m, kg, s, rad, N, N*m, Hz. A plain number is SI as it is; a text is a
number and a unit and is checked against the dimension that is expected.

A unit is a product of names with ``*`` (or a blank), ``/``, ``^`` and parentheses; metric prefixes may stand
before metric units. Torques may be one word: ``Nm``, ``kNm``, ``Nmm``. Products and quotients are read from the
left: ``N/m*s`` is ``(N/m)*s``.

The radian is dimensionless in SI. Here it is tracked, and forgiven where it makes no difference:
``N*m/rad`` may stand for ``N*m`` and the other way round. Turns are angles: ``1 rev = 2 pi rad``,
``1 Hz = 1 rev/s``, so ``"50 Hz"`` is an angular velocity of 100 pi rad/s and ``"3000 rpm"`` a frequency
of 50 Hz. ``1/min`` and ``min^-1`` are revolutions per minute, as on the plate of a machine; ``1/s`` is rad/s, as in SI.

Upper and lower case matter: ``nm`` is a nanometre, ``Nm`` (as ``N*m``) a newton metre; ``Mm`` is refused.
"""

from .arrays import array, matrix, vector
from .quantity import LARGEST, canonical_unit, compatible, dimension_name, dimension_of, quantity
from .table import DIMENSIONS, Exponents

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
