"""Snapshot: poses, velocities and joint angles by name, passed from one analysis to the next."""

from dataclasses import dataclass, field

import numpy as np

from ..model import Model


@dataclass
class Snapshot:
    """Position and motion of every body. Body origin in world axes, angular velocity in world axes."""

    t: float
    position: dict[str, np.ndarray]
    orientation: dict[str, np.ndarray]  # rotation matrices R_WB
    velocity: dict[str, np.ndarray]
    angular_velocity: dict[str, np.ndarray]
    angle: dict[str, float] = field(default_factory=dict)
    """Joint angles including full revolutions."""
    mesh: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """For gear pairs: psi_A and psi_B including full revolutions, and the approach of the teeth along the hoop."""
    own: dict[str, np.ndarray] = field(default_factory=dict)
    """For elements: open coordinates, "ELEMENT.COORDINATE", and rates, "ELEMENT.COORDINATE_rate". It may contain other values."""
    memory: dict[str, np.ndarray] = field(default_factory=dict)
    """For elements with outputs: memory, "ELEMENT.memory" (see `kept_memory`)."""

    @staticmethod
    def of_model(model: Model, t: float = 0.0) -> "Snapshot":
        """Initial conditions of the model."""
        bodies = model.bodies
        return Snapshot(
            t,
            {n: np.array(b.position) for n, b in bodies.items()},
            {n: np.array(b.orientation) for n, b in bodies.items()},
            {n: np.array(b.velocity) for n, b in bodies.items()},
            {n: np.array(b.angular_velocity) for n, b in bodies.items()},
        )
