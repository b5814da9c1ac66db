"""Losses of a gearbox that is given as a ratio (`declared_elements.lossy_gear_ratio` has the equations)."""

from ..math.compiled import A1, F8, V3, leaf

__all__ = ["loss_of", "set_loss_limits"]


@leaf
def loss_of(levers: V3, T: F8, sign: F8) -> F8:
    """Loss torque over |T| in a direction of motion, with its sign; zero at rest. levers: if a drives, if b drives."""
    if sign == 0.0:
        return 0.0
    return sign * (levers[0] if T * sign > 0.0 else levers[1])


@leaf
def set_loss_limits(levers: V3, T: F8, limits: A1):
    """Limits of the loss torque at rest: those of both directions of motion."""
    limits[0] = loss_of(levers, T, -1.0) * abs(T)
    limits[1] = loss_of(levers, T, 1.0) * abs(T)
