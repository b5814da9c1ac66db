"""The gear rig of Kubo as every code in the benchmark simulates it: its numbers, its four cases, what a run returns.

Disk 1 turns at a given speed and drives, over a shaft, wheel A; it meshes with wheel B, which drives, over another shaft, disk
2 with its load. Numbers of Ozguven (J. Sound Vib. 145, 1991) as in Cardona (1997), section 7.3, in inch, lbf and second.
All codes calculate with these numbers, whatever the names of their units.

=====  ===============  ========
case   supports         backlash
=====  ===============  ========
A      rigid            none
B      flexible         none
C      rigid            b
D      flexible         b
=====  ===============  ========

The line of centres is vertical (y). With the turn φ of the line of centres, ψ_A = θ_A - φ, ψ_B = θ_B - φ,

    u = r (ψ_A + ψ_B),    s = u + X (1 - cos z ψ_A),    f = k_m [[s]] + c_m u_dot,

[[s]] = s for s >= 0, 0 for -b < s < 0, s + b for s <= -b. The error does work: wheel A also feels k_m [[s]] dx/dψ_A.

At the start everything turns at its speed, the teeth touch without force and the shafts are wound up by the load, so that the
torsional modes keep quiet. Angles are counted from there: the load then stands at A and at B, as the two wound-up shafts
pass it on.
"""

import math
from dataclasses import dataclass

import numpy as np

TEETH, RADIUS, PRESSURE_ANGLE = 25, 1.9685, math.radians(20)  # both wheels: number, pitch radius in in
INERTIA, MASS = 0.0102, 5.36e-3  # both wheels and, the first, disk 2: lbf in s², lbf s²/in
MESH_STIFFNESS, MESH_DAMPING_RATIO = 1.477e7, 0.1  # k_m in lbf/in, in the hoop direction
ERROR, BACKLASH = 3.937e-3, 1.968e-3  # X and b in in, in the hoop direction
SHAFT_STIFFNESS = (1.7e4, 3.0e4)  # disk 1 to A, B to disk 2: lbf in/rad
SHAFT_DAMPING = (0.076026, 0.12369)  # lbf in s/rad
SUPPORT_STIFFNESS, SUPPORT_DAMPING = 1.477e7, 50.0  # each direction: lbf/in, lbf s/in
LOAD, SPEED = 945.8, 400 * math.pi  # on disk 2 in lbf in, of disk 1 in rad/s

EFFECTIVE_MASS = INERTIA / (2 * RADIUS**2)  # of the mesh, in the hoop direction: lbf s²/in
MESH_DAMPING = 2 * MESH_DAMPING_RATIO * math.sqrt(MESH_STIFFNESS * EFFECTIVE_MASS)  # c_m in lbf s/in
MESH_PERIOD = 2 * math.pi / (TEETH * SPEED)  # 0.2 ms

# The race at equal steps.
DURATION, STEP = 0.1, 1e-6  # s

# Work and precision: the window is short enough for the impacts of all codes to stay together, and samples lie where all
# steps meet. The largest step has 20 points to a mesh period, 6 to a period of the mesh's own vibration (16.9 kHz).
WINDOW, SAMPLE = 5e-3, 1e-5  # s
STEPS = (1e-5, 5e-6, 2e-6, 1e-6, 5e-7, 2e-7, 1e-7)  # s


@dataclass(frozen=True)
class Case:
    """One of the four, and whether the error does work (it does not in the classical lumped equations)."""

    flexible: bool
    backlash: float  # in
    consistent: bool = True


CASES = {
    "A": Case(flexible=False, backlash=0.0),
    "B": Case(flexible=True, backlash=0.0),
    "C": Case(flexible=False, backlash=BACKLASH),
    "D": Case(flexible=True, backlash=BACKLASH),
}


@dataclass(frozen=True)
class History:
    """What one simulation returns.

    wall_time   s, of the time loop alone: building, assembling and compiling the model are not in it
    time        (n,) s, the samples; none where only the time was wanted
    force       (n,) lbf, normal force of the mesh there
    steps       time steps taken
    iterations  Newton iterations, all together; 0 where there are none or the code does not say
    """

    wall_time: float
    time: np.ndarray
    force: np.ndarray
    steps: int
    iterations: int = 0


def precision(history: History, exact: History) -> float:
    """Root mean square of the error of the mesh force, as a part of that of the force itself."""
    if history.time.shape != exact.time.shape or not np.allclose(history.time, exact.time, atol=1e-9):
        raise ValueError(f"samples at {history.time.size} instants cannot be compared with {exact.time.size} others")
    return float(np.sqrt(np.mean((history.force - exact.force) ** 2) / np.mean(exact.force**2)))
