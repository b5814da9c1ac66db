"""Two rods on ball joints: a pendulum on a pendulum, in three dimensions.

Nearby starts part exponentially, so no closed form holds for long. What must stay, whatever the motion does:

    T + V                                  (gravity is the only force that works)
    L_z = sum m (x v_y - y v_x) + (R I R^T omega)_z    (gravity has no moment about the vertical through the support)
"""

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run", "vertical_momentum"]

PLOT = ("lower.position", "support.force", "energy.kinetic", "energy.potential")


def build() -> pl.Model:
    """Both rods horizontal at the start, at a right angle to each other, the lower one swinging sideways."""
    m = pl.Model("double-pendulum", gravity=(0, 0, "-9.81 m/s^2"))
    rod = pl.bar("1 m", "4 cm", "4 cm", mass="2 kg")
    upper = m.body("upper", solid=rod, position=("0.5 m", 0, 0))
    lower = m.body(
        "lower",
        solid=rod,
        position=("1 m", "0.5 m", 0),
        orientation=pl.Rotation("z", "90 deg"),
        velocity=(0.5, 0, 0),
        angular_velocity=(0, 0, -1),
    )
    m.spherical("support", m.ground, upper, at=(0, 0, 0))
    m.spherical("elbow", upper, lower, at=("1 m", 0, 0))
    return m


def run() -> Run:
    """Ten seconds with error control."""
    return {"swing": pl.dynamics(build(), duration="10 s", tolerance=1e-8, output_step="10 ms")}


def vertical_momentum(model: pl.Model, result: pl.Result) -> np.ndarray:
    """L_z over time [kg m^2/s]; the origin of each rod is its centre of mass."""
    total = np.zeros(result.samples)
    for name, body in model.bodies.items():
        x, v = result[f"{name}.position"].values, result[f"{name}.velocity"].values
        total += body.mass * (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])
        R = rotations(result[f"{name}.orientation"].values)
        omega = result[f"{name}.angular_velocity"].values
        total += np.einsum("nij,jk,nlk,nl->ni", R, body.inertia, R, omega)[:, 2]
    return total


def rotations(q: np.ndarray) -> np.ndarray:
    """R (n, 3, 3) of quaternions (n, 4), scalar first."""
    w, x, y, z = q.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1),
        ],
        axis=1,
    )


def figures(run: Run) -> list[Figure]:
    """What stays, and how far it is thrown about meanwhile."""
    result = run["swing"]
    model = build()
    momentum = vertical_momentum(model, result)
    error = float(np.max(np.abs(result["energy.balance_error"].values)))
    turns = np.unwrap(np.arctan2(*result["lower.position"].values[:, 1::-1].T))
    return [
        Figure("energy.start", float(result["energy.kinetic"][0] + result["energy.potential"][0]), "J", "energy at the start"),
        Figure("energy.kinetic.max", float(np.max(result["energy.kinetic"].values)), "J", "largest kinetic energy"),
        Figure("energy.error", error, "J", "largest error of the energy", 0.0, 2),
        Figure("momentum.start", float(momentum[0]), "kg*m^2/s", "vertical angular momentum at the start"),
        Figure("momentum.change", float(np.ptp(momentum)), "kg*m^2/s", "its largest change", 0.0, 2),
        Figure("turns", float(turns[-1] - turns[0]) / (2 * np.pi), "", "turns about the vertical", digits=3),
        Figure("support.force.max", float(np.max(result["support.force"].norm().values)), "N", "largest force at the support"),
    ]
