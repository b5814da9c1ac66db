"""Snapshot: poses, velocities and joint angles by name, to carry from one analysis to the next."""

from dataclasses import dataclass, field

import numpy as np

from ..model import Model


@dataclass
class Snapshot:
    """Where every body is and how it moves. Body origin in world axes, angular velocity in world axes."""

    t: float
    position: dict[str, np.ndarray]
    orientation: dict[str, np.ndarray]  # rotation matrices R_WB
    velocity: dict[str, np.ndarray]
    angular_velocity: dict[str, np.ndarray]
    angle: dict[str, float] = field(default_factory=dict)
    """Joint angles with their turns."""
    mesh: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """Of gear pairs: psi_A and psi_B with their turns, and the approach of the teeth."""
    own: dict[str, np.ndarray] = field(default_factory=dict)
    """Of elements: their open coordinates, "ELEMENT.COORDINATE", and rates, "ELEMENT.COORDINATE_rate"; others may be among them."""

    @staticmethod
    def of_model(model: Model, t: float = 0.0) -> "Snapshot":
        """The initial conditions that the model states."""
        bodies = model.bodies
        return Snapshot(
            t,
            {n: np.array(b.position) for n, b in bodies.items()},
            {n: np.array(b.orientation) for n, b in bodies.items()},
            {n: np.array(b.velocity) for n, b in bodies.items()},
            {n: np.array(b.angular_velocity) for n, b in bodies.items()},
        )
