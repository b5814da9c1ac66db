"""Warnings for elastic structures that start with a jump of speed: a drive or a joint moves one node, while the "
"others are at rest."""

from __future__ import annotations

import numpy as np

from ..model.station import Station
from ..system.system import State, System

__all__ = ["angular_velocities", "jerked_structures"]

NOTED = 0.01
"""Fraction of the angular velocity by which the nodes of a structure may differ."""
ROUNDED = 1e-12
"""Fraction of the largest angular velocity of all structures, or of 1 rad/s, that is rounding."""


def angular_velocities(system: System, state: State) -> dict[str, dict[str, np.ndarray]]:
    """Angular velocities of the stations in world axes [rad/s], by structure and body; empty without structures."""
    if not system.model.structures:
        return {}
    nodes = system.kinematics(state)
    found: dict[str, dict[str, np.ndarray]] = {}
    for k, plan in enumerate(system.nodes, 1):
        if isinstance(plan.body, Station):
            R = nodes["R"][k].reshape(3, 3)
            found.setdefault(plan.body.structure, {})[plan.body.name] = R @ nodes["w"][k]
    return found


def jerked_structures(system: System, state: State, before: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """Warn for every structure if constraints changed the velocities of only some of its nodes.

    before: `angular_velocities` of the start, before constraints were satisfied."""
    found = []
    after = angular_velocities(system, state)
    fastest = max((float(np.linalg.norm(w)) for now in after.values() for w in now.values()), default=0.0)
    for name, now in after.items():
        change = {body: now[body] - before[name][body] for body in now}
        size = max(float(np.linalg.norm(w)) for w in (*now.values(), *before[name].values()))
        mean = np.mean(list(change.values()), axis=0)
        if max(float(np.linalg.norm(w - mean)) for w in change.values()) <= max(
            NOTED * size, ROUNDED * max(fastest, 1.0)
        ):
            continue
        most = max(change, key=lambda body: float(np.linalg.norm(change[body])))
        structure = system.model.structures[name]
        found.append(
            f'{structure.subject} starts with a jump of speed: joints or drives rotate its station "{most}" at '
            f"{np.linalg.norm(now[most]):.4g} rad/s, {np.linalg.norm(change[most]):.4g} rad/s different from the model. The "
            f"other stations follow as an elastic wave. Give the {structure.kind} the speed of its drive, or start "
            "from kinematics(...)"
        )
    return found
