"""Angular momentum of all bodies of a result."""

from typing import Any

import numpy as np

import pitchline as pl


def total_angular_momentum(run: Any, model: pl.Model) -> np.ndarray:
    """About the origin (samples, 3), for bodies with the centre of mass at their origin."""
    H = 0.0
    for name, body in model.bodies.items():
        w, x, y, z = run[f"{name}.orientation"].values.T
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        omega = run[f"{name}.angular_velocity"].values
        inertia = body.inertia.copy()
        for element in model.elements.values():
            if element.key == "spin_inertia" and model.joints[element.on].body_b == name:
                n = model.joints[element.on].frame_b.rotation[:, 2]
                inertia = inertia + element.inertia * np.outer(n, n)
        H = H + np.einsum("ijs,jk,lks,sl->si", R, inertia, R, omega)
        H = H + body.mass * np.cross(run[f"{name}.position"].values, run[f"{name}.velocity"].values)
    return H
