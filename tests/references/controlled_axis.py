"""A rotor on a hinge with a motor, for tests of controllers."""

from typing import Any

import numpy as np

import pitchline as pl

INERTIA = 0.02
FRICTION = 0.01


def rotor(name: str = "axis model") -> tuple[pl.Model, Any]:
    """Model with the joint "axis" of a body with the inertia 0.02 kg m^2."""
    m = pl.Model(name)
    body = m.body("rotor", mass=1, inertia=(1, 1, INERTIA))
    return m, m.revolute("axis", m.ground, body, axis="z")


def controlled(element: Any, law: str, *more: Any) -> pl.Model:
    """Rotor with elements and a motor after a law."""
    m, hinge = rotor()
    for one in (element, *more):
        m.add(one)
    m.torque("motor", hinge, pl.expression(law))
    return m


def pid_matrices(P: float, I: float, D: float, time: float) -> tuple[np.ndarray, ...]:
    """A, B, C, D of angle, speed, integral part and filtered angle; inputs: set point, torque; outputs: angle, output, error."""
    J, c = INERTIA, FRICTION
    A = np.array(
        [
            [0, 1, 0, 0],
            [(-P - D / time) / J, -c / J, 1 / J, D / time / J],
            [-I, 0, 0, 0],
            [1 / time, 0, 0, -1 / time],
        ]
    )
    B = np.array([[0, 0], [P / J, 1 / J], [I, 0], [0, 0]])
    C = np.array([[1, 0, 0, 0], [-P - D / time, 0, 1, D / time], [-1, 0, 0, 0]])
    return A, B, C, np.array([[0, 0], [P, 0], [1, 0]])


def sampled_reference(
    samples: int,
    period: float,
    P: float,
    I: float,
    D: float,
    *,
    resolution: float = 0.0,
    delayed: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Angles at the samples and held outputs of a sampled PID with the target 1 on the rotor without friction: exact recursion."""
    q = v = z = pending = 0.0
    before, angles, outputs = None, [0.0], []
    for _ in range(samples):
        measured = q if not resolution else resolution * np.floor(q / resolution + 0.5)
        rate = 0.0 if before is None else (measured - before) / period
        new = P * (1.0 - measured) + z - D * rate
        z += period * I * (1.0 - measured)
        before = measured
        u, pending = (pending, new) if delayed else (new, new)
        a = u / INERTIA
        q, v = q + v * period + 0.5 * a * period**2, v + a * period
        angles.append(q)
        outputs.append(u)
    return np.array(angles), np.array(outputs)
