"""The N-four-bar mechanism: parallelograms in a row, its motion in one coordinate, and the values of benchmark A02.

With theta from the upward vertical all cranks turn alike, n_c = N + 1 cranks and n_k = N couplers of mass m and
length L:

    (n_c/3 + n_k) m L^2 theta'' = (n_c/2 + n_k) m g L sin theta

When the cranks are level all links lie on a line: the constraints lose rank, and the mechanism could go on as a
different one.

Benchmark: IFToMM multibody benchmark library, problem A02; M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, "A
benchmarking system for MBS simulation software", Multibody System Dynamics 16 (2006) 179-190. N = 2, m = 1 kg, L = 1
m, g = 9.81 m/s^2, cranks upright, tip speed 1 m/s.
"""

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import pitchline as pl

GRAVITY = 9.81

A02 = {
    1.0: (-0.19502030194951908, -0.9807992056621572, -6.676678036881111),
    2.0: (0.05781579576791293, 0.9983272678634612, 1.0172601366200529),
    3.0: (-0.5493397393007479, -0.8355990969507964, -5.480464031252733),
    4.0: (0.11761610237629815, 0.9930591384513856, 1.0690392650278242),
    5.0: (-0.8113104610029067, -0.5846155453520296, -3.5691173972150887),
    10.0: (0.3284581115358561, 0.9445185381803256, 1.4230514701957728),
}
"""Time [s]: x and y [m] and speed in x [m/s] of the tip of the first crank; to 1e-6 m and 2e-6 m/s."""


def angle(
    times: np.ndarray, *, windows: int = 2, start: float = 0.0, speed: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """(theta, theta') at the times, the first of which is the start."""
    cranks = windows + 1
    pull = GRAVITY * (cranks / 2 + windows) / (cranks / 3 + windows)

    def derivative(t: float, y: np.ndarray) -> tuple[float, float]:
        return y[1], pull * np.sin(y[0])

    run = solve_ivp(derivative, (times[0], times[-1]), (start, speed), "DOP853", times, rtol=1e-13, atol=1e-14)
    return run.y[0], run.y[1]


def model(*, windows: int = 2, start: float = 0.0, speed: float = 1.0, planar: bool = False) -> pl.Model:
    """Cranks "crank0".. on "foot0".., couplers "coupler1".. between "left1".. and "right1"..

    planar: couplers on planar joints to ground, pinned by points on lines, so that nothing is redundant in a general
    position; else revolute joints everywhere, with three redundant constraints a window.
    """
    m = pl.Model("four-bar", gravity=(0, -GRAVITY, 0))
    thin, along = 1.0 / 12.0, 1e-4
    s, c = np.sin(start), np.cos(start)
    pin: Any = m.point_on_line if planar else m.revolute
    previous = None
    for i in range(windows + 1):
        crank = m.body(
            f"crank{i}",
            mass=1.0,
            inertia=(thin, along, thin),
            position=(i + s / 2, c / 2, 0),
            orientation=pl.Rotation("z", -start),
            velocity=(speed * c / 2, -speed * s / 2, 0),
            angular_velocity=(0, 0, -speed),
        )
        m.revolute(f"foot{i}", m.ground, crank, at=(i, 0, 0), axis="z")
        if previous is not None:
            coupler = m.body(
                f"coupler{i}",
                mass=1.0,
                inertia=(along, thin, thin),
                position=(i - 0.5 + s, c, 0),
                velocity=(speed * c, -speed * s, 0),
            )
            if planar:
                m.planar(f"plane{i}", m.ground, coupler, axis="z")
            pin(f"left{i}", previous, coupler, at=(i - 1 + s, c, 0), axis="z")
            pin(f"right{i}", crank, coupler, at=(i + s, c, 0), axis="z")
        previous = crank
    return m
