"""Tools that cut teeth: data in addition to the basic rack of the gear."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from .inputs import angle, size, whole

__all__ = ["Hob", "Shaper"]

_HOB, _SHAPER = Subject("hob"), Subject("shaper")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Hob:
    """A hob or rack cutter for external teeth. Its profile is the basic rack of the gear.

    Parameters
    ----------
    protuberance
        Protuberance of the rounded tip of the rack over its flank [m]: clears the root for a later finishing of the
        flanks.
    protuberance_angle
        Profile angle [rad] of the flank between tip and main flank; default: half the pressure angle, or more if the rounded
        tip requires it.
    """

    protuberance: float
    protuberance_angle: float | None

    def __init__(self, *, protuberance: object = 0.0, protuberance_angle: object = None) -> None:
        object.__setattr__(self, "protuberance", size(protuberance, "length", _HOB / "protuberance"))
        slope = protuberance_angle
        if slope is not None:
            slope = angle(slope, _HOB / "protuberance_angle", lowest=0, highest=60)
        if slope is not None and not self.protuberance:
            raise ModelError(
                "hob: protuberance_angle has no effect without a protuberance. Specify both, or leave it out",
                about=_HOB.at("protuberance_angle"),
            )
        object.__setattr__(self, "protuberance_angle", slope)


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Shaper:
    """A pinion-type cutter for internal teeth.

    Parameters
    ----------
    teeth
        Number of teeth of the cutter; default: half the teeth of the internal gear, or less to avoid trimming of tips.
    tip_rounding
        Radius [m] of its tips; default: root radius of the basic rack of the gear.
    """

    teeth: int | None
    tip_rounding: float | None

    def __init__(self, *, teeth: object = None, tip_rounding: object = None) -> None:
        count = None if teeth is None else whole(teeth, _SHAPER / "teeth", at_least=3)
        object.__setattr__(self, "teeth", count)
        rounding = None if tip_rounding is None else size(tip_rounding, "length", _SHAPER / "tip_rounding")
        object.__setattr__(self, "tip_rounding", rounding)
