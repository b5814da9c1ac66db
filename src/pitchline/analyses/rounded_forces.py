"""Loads so small that numbers do not resolve the deflection of stiff teeth under them."""

from ..solvers.balance import Balance

__all__ = ["rounded_forces", "too_small"]

UNCERTAIN = 100.0
"""Load, relative to the force of the smallest displacement that numbers resolve, below which forces are uncertain."""
UNLOADED = 1e-6
"""Relative load below which a model counts as unloaded."""


def _stated(balance: Balance) -> str:
    return (
        f"the loads of {balance.external:.2g} N (torques divided by the length of the model) deflect the teeth by little "
        f"more than numbers resolve, or less. Their smallest displacement causes {balance.rounding:.2g} N"
    )


def rounded_forces(balance: Balance) -> list[str]:
    """Warning if forces of teeth are uncertain."""
    if not balance.rounding <= balance.external < UNCERTAIN * balance.rounding:
        return []
    part = 100.0 * balance.rounding / balance.external
    return [
        f"forces are uncertain by up to {part:.2g} %: {_stated(balance)}. Use a smaller stiffness, or Rolling teeth, whose force "
        "is not a deflection"
    ]


def too_small(balance: Balance) -> str:
    """Message if forces of teeth are rounding; empty if they are not, or if there is no load."""
    if not UNLOADED * balance.rounding < balance.external < balance.rounding:
        return ""
    return (
        f"the forces cannot be computed: {_stated(balance)}. Use a smaller stiffness, or Rolling teeth, whose force is not a "
        "deflection, or larger loads"
    )
