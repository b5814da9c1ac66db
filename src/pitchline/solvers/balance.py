"""Result of a search for equilibrium."""

from dataclasses import dataclass

__all__ = ["Balance"]


@dataclass
class Balance:
    """Result of a search for equilibrium."""

    converged: bool
    iterations: int
    imbalance: float
    worst: str
    """Description of the unknown that is farthest from equilibrium."""
    drifted: bool = False
    """The search followed a load without resistance: other load steps lead to the same result."""
    applied: float = 0.0
    """For a search without result: the largest acting force, in the units of the imbalance."""
    external: float = 0.0
    """The largest force of loads and weights, in the same units; computed only with compliant rows (teeth)."""
    rounding: float = 0.0
    """Force of the smallest displacement of teeth that numbers resolve, in the same units."""
