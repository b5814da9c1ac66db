"""Scales that make unknowns and equations comparable."""

import numpy as np

from ..elements.contract import Element
from .reduction import NodePlan


def multiplier_scales(nodes: list[NodePlan], elements: list[Element], length: float) -> np.ndarray:
    """Mass or inertia of the bodies of each multiplier. It scales constraint rows to the magnitude of the rows of motion."""
    mass = [np.nan] + [p.mass for p in nodes]
    inertia = [np.nan] + [p.mean_inertia for p in nodes]

    def mean(values: list[float], fallback: float) -> float:
        good = [v for v in values if v > 0]
        return float(np.add.reduce(good) / len(good)) if good else fallback

    mean_mass = mean(mass, 1.0)
    mean_inertia = mean(inertia, mean_mass * length**2)
    scale = []
    for e in elements:
        of_row = {}
        for row in dict.fromkeys(e.rows):
            where, fallback = (mass, mean_mass) if row == "t" else (inertia, mean_inertia)
            good = [where[n] for n in e.nodes if where[n] > 0]
            of_row[row] = sum(good) / len(good) if good else fallback
        scale += [of_row[row] for row in e.rows]
    return np.array(scale, float)


def node_weights(T: np.ndarray, ndof: np.ndarray, length: float) -> np.ndarray:
    """1 for coordinates that rotate a node, 1/length for those that move it, in the order of the coordinates."""
    turns = np.any(T[:, 3:] != 0, axis=1)  # (nodes, 6)
    used = np.arange(6) < ndof[:, None]
    return np.where(turns, 1.0, 1 / length)[used]
