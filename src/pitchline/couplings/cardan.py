"""CardanJoint: an ideal universal joint of two shafts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.rotations import Array, direction

__all__ = ["CardanJoint"]

_WHAT = Subject("cardan joint")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class CardanJoint:
    """Universal joint of two shafts without mass and play. In a model it is a joint of the kind "universal".

    With the angle beta between the shafts, and angles measured from the position where the pin on the first shaft is
    perpendicular to their plane, tan(phi_2) = tan(phi_1) cos(beta).

    Parameters
    ----------
    pin
        Direction of the pin on the first shaft, world axes in the initial pose, perpendicular to that shaft. Default:
        perpendicular to the plane of both shafts, or x of the first one if they are aligned.
    """

    pin: Array | None

    def __init__(self, pin: object = None) -> None:
        object.__setattr__(self, "pin", None if pin is None else direction(pin, what=_WHAT / "pin"))

    def pins(self, axes_a: Array, axes_b: Array, what: Subject) -> tuple[Array, Array]:
        """Directions of the pins on both shafts, world axes.

        Parameters
        ----------
        axes_a, axes_b
            Axes (3, 3) of the frames of both shafts; z is the shaft axis.
        what
            Name of the joint in messages.
        """
        first, second = axes_a[:, 2], axes_b[:, 2]
        if abs(float(first @ second)) < 0.02:
            raise ModelError(f"{what}: the shafts are perpendicular, so that a cardan joint cannot rotate", about=what)
        if self.pin is None:
            across = np.cross(first, second)
            pin = axes_a[:, 0] if np.linalg.norm(across) < 1e-9 else across / np.linalg.norm(across)
        else:
            pin = self.pin
            if abs(float(pin @ first)) > 1e-6:
                near = pin - (pin @ first) * first
                raise ModelError(
                    f"{what}: the pin must be perpendicular to the first shaft, z of its frame, {_words(first)} in the world; the "
                    f"nearest such direction is {_words(near / np.linalg.norm(near))}"
                    if np.linalg.norm(near) > 1e-6
                    else f"{what}: the pin must be perpendicular to the first shaft, not along it",
                    about=what,
                )
        other = np.cross(second, pin)
        return pin, other / np.linalg.norm(other)


def _words(d: Array) -> str:
    return "(" + ", ".join(f"{x:.6g}" for x in d + 0.0) + ")"
