"""Rolling: wheels as ideal pitch surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import quantity
from .common import flag, positive, read_efficiency

__all__ = ["Rolling"]

_LARGEST_TEETH = 10_000


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Rolling:
    """Pitch surfaces that roll on each other without slip: one constraint with one multiplier.

    The force acts along the pitch circles, at one common point of both bodies. There is no separating force and no axial
    force. For spur, helical, internal and bevel pairs and racks, on bodies that may move. Teeth are counted as whole numbers,
    so that the accuracy does not depend on the number of revolutions.

    Parameters
    ----------
    ratio
        r_b / r_a = z_b / z_a, for bodies without gears. Their z axes are the wheel axes, their origins the centres. The radii
        follow from their positions: on parallel axes r_a = l/(1 + ratio) for centres at the distance l. On intersecting axes
        the distances of the centres from the apex define the radii, and must agree with the ratio. It must be a ratio of whole
        numbers up to 10000. Two shafts on one axis: speed of a divided by speed of b, negative for opposite directions; see
        `Model.ratio`.
    internal
        With `ratio`: if True, the larger wheel is a ring around the smaller one, r_a = l/abs(1 - ratio). Default False.
    radius
        Radius of a pinion a without a gear [m]. b is then a rack that moves along its y axis; its x axis points towards the pinion.
    efficiency
        Two shafts on one axis: efficiency of the gearbox, one number, or two (a drives, b drives), as in `Model.ratio`. Default:
        no losses.
    """

    ratio: Fraction | None
    internal: bool
    radius: float | None
    efficiency: tuple[float, float] | None

    def __init__(
        self, *, ratio: object = None, internal: bool = False, radius: object = None, efficiency: object = None
    ) -> None:
        what = Subject("Rolling")
        if ratio is not None and radius is not None:
            raise ModelError(
                "Rolling: ratio is for two wheels, radius for a pinion on a rack; specify one of them",
                about=what.at("radius"),
            )
        if flag(internal, what / "internal") and ratio is None:
            raise ModelError(
                "Rolling: internal needs ratio; gears define themselves whether they are internal",
                about=what.at("internal"),
            )
        object.__setattr__(self, "ratio", None if ratio is None else _whole(ratio, what / "ratio"))
        found = read_efficiency(efficiency, None, what / "efficiency", locking=True)
        object.__setattr__(self, "efficiency", found)
        if found is not None and ratio is None:
            raise ModelError(
                "Rolling: efficiency is for two shafts on one axis, with ratio; for gears use Rigid(efficiency=...)",
                about=what.at("efficiency"),
            )
        if internal and self.ratio == 1:
            raise ModelError(
                "Rolling: a ring and a wheel of the same size (ratio 1) have the same centre and cannot roll",
                about=what.at("ratio"),
            )
        if internal and self.ratio is not None and self.ratio < 0:
            raise ModelError(
                f"Rolling: for a ring, ratio must be greater than zero, got {shown(ratio)}", about=what.at("ratio")
            )
        object.__setattr__(self, "internal", internal)
        object.__setattr__(self, "radius", None if radius is None else positive(radius, "length", what / "radius"))

    @property
    def needs_gears(self) -> bool:
        """Whether the radii are those of gears."""
        return self.ratio is None and self.radius is None

    @property
    def teeth(self) -> tuple[int, int]:
        """Whole numbers of the ratio: z_a, z_b."""
        assert self.ratio is not None
        return self.ratio.denominator, self.ratio.numerator


def _whole(value: object, what: Subject) -> Fraction:
    number = float(value) if isinstance(value, Fraction) else quantity(value, "number", what=what)
    if number == 0.0:
        raise ModelError(
            f"Rolling: ratio must not be zero, got {shown(value)}; for a ring specify internal=True",
            about=what,
        )
    found = Fraction(number).limit_denominator(_LARGEST_TEETH)
    if found == 0 or abs(float(found) - number) > 1e-12 * abs(number) or abs(found.numerator) > _LARGEST_TEETH:
        raise ModelError(
            f"Rolling: ratio {shown(value)} is not a ratio of whole numbers up to {_LARGEST_TEETH}, so that revolutions cannot be "
            "counted exactly; specify it as Fraction(z_b, z_a)",
            about=what,
        )
    return found
