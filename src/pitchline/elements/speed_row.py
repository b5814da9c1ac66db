"""Derivative of the rate of a joint coordinate, for states of elements whose equations contain the speed of a joint."""

from ..math.compiled import A1, A2, F8, I8, block
from .contract import Ask, Node
from .scalar_geometry import Measure, measure_stiffness, turning


@block
def speed_derivative(J: A2, s: Measure, a: Node, b: Node, g: A1, ask: Ask, row: A1):
    """row (12) = D d(ds/dt)/dv + K d(ds/dt)/dq. J[0:12, 0:12] contains zeros before and after."""
    measure_stiffness(s, a, b, J)
    K = ask.K
    D = ask.D
    for j in range(12):
        row[j] = K * turning(J, j, a, b) + D * g[j]
    for i in range(12):
        for j in range(12):
            J[i, j] = 0.0


@block
def add_speed_row(J: A2, i: I8, factor: F8, row: A1):
    """Add factor times the derivative of the speed to row i."""
    for j in range(12):
        J[i, j] += factor * row[j]


@block
def add_effort_by_state(J: A2, j: I8, factor: F8, g: A1):
    """Add the derivative `factor` of an effort with respect to a state to column j."""
    for i in range(12):
        J[i, j] += factor * g[i]
