"""The mechanisms that every code in the benchmark simulates, and what a run returns.

Chain
    N square bars of length L = 0.5 m, width 0.05 m and mass 1 kg lie in a line along x, starting at the
    origin, and hang together by revolute joints at their ends whose axes are y and z by turns. They fall from
    rest under g = (0, 4, -9) m/s² for 1 s. Every body is free in space: 6N coordinates, 5N constraints.

N-four-bar
    Problem A02 of the IFToMM multibody benchmark library: N square windows side by side, that is N + 1 cranks
    and N couplers, each a slender rod of 1 m and 1 kg. The cranks start upright, their tips B_i with 1 m/s in
    x; g = 9.81 m/s² in -y; 10 s. One degree of freedom, but N + 1 whenever all rods lie in one line.
"""

from dataclasses import dataclass

import numpy as np

# The same for every code: the step, and the spectral radius at infinity of generalized-alpha.
STEP = 1e-3  # s
SPECTRAL_RADIUS = 0.7

CHAIN_SIZES = (2, 10, 50, 200, 500)
CHAIN_DURATION = 1.0  # s
BAR_LENGTH, BAR_WIDTH, BAR_MASS = 0.5, 0.05, 1.0  # m, m, kg
CHAIN_GRAVITY = (0.0, 4.0, -9.0)  # m/s²
CHAIN_AXES = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))  # axis of joint i: CHAIN_AXES[i % 2]

WINDOWS = 40
FOUR_BAR_DURATION = 10.0  # s
ROD_LENGTH, ROD_MASS = 1.0, 1.0  # m, kg
ROD_INERTIA = ROD_MASS * ROD_LENGTH**2 / 12  # kg m², across the rod
# About the rod itself it does not turn: any small number the triangle inequality admits.
ROD_INERTIA_ALONG = 1e-3 * ROD_INERTIA
FOUR_BAR_GRAVITY = (0.0, -9.81, 0.0)  # m/s²
TIP_SPEED = 1.0  # m/s


@dataclass(frozen=True)
class Run:
    """What one simulation returns.

    wall_time   s, of the time loop alone: building, assembling and compiling the model are not in it
    positions   (n, 3) m, centres of mass at the end; in the order of the chain, or crank 0, crank 1, coupler
                0, crank 2, coupler 1, ...
    steps       time steps taken
    iterations  Newton iterations, all together; 0 where the code does not say
    """

    wall_time: float
    positions: np.ndarray
    steps: int
    iterations: int = 0


def bar_inertia() -> tuple[float, float, float]:
    """Principal moments of a bar of the chain about its centre, its length along x, in kg m²."""
    along = BAR_MASS / 12 * 2 * BAR_WIDTH**2
    across = BAR_MASS / 12 * (BAR_LENGTH**2 + BAR_WIDTH**2)
    return along, across, across
