"""Force or torque on the coordinate of a joint: a torque on its angle, or a force on its displacement.

With the gradient g of the coordinate s with respect to the positions of both nodes, an effort e that acts against s enters the
residual as e g; a torque T on the second body is e = -T. The rows of the joint's nodes are the first twelve of the element.
"""

from ..math.compiled import A1, A2, F8, block
from .contract import Ask, Node
from .scalar_geometry import Measure, measure_stiffness, turning


@block
def add_effort(r: A1, g: A1, e: F8):
    """Add an effort to the residual."""
    for i in range(12):
        r[i] += e * g[i]


@block
def add_effort_tangent(J: A2, s: Measure, a: Node, b: Node, g: A1, ask: Ask, e: F8, by_position: F8, by_rate: F8):
    """Derivative of an effort e, in J[0:12, 0:12], which contains zeros. by_position, by_rate: de/ds and de/d(ds/dt)."""
    K = ask.K
    D = ask.D
    measure_stiffness(s, a, b, J)  # the rate changes with position by V^T J
    for j in range(12):
        change = K * (by_position * g[j] + by_rate * turning(J, j, a, b)) + D * by_rate * g[j]
        for i in range(12):
            J[i, j] = K * e * J[i, j] + g[i] * change
