"""One element in any state, evaluated from Python, moved, differentiated: what checks of elements use as well."""

from pitchline.engine.elements.random_declared import ProbedElement as Probe
from pitchline.engine.elements.random_declared import (
    accepted,
    call,
    central,
    contents,
    derivatives,
    energies,
    exponential,
    littered,
    moved,
    pose,
    random_rotation,
    report,
    reported,
    residual,
    scale_of,
    single,
    skew,
)

__all__ = [
    "Probe", "accepted", "call", "central", "contents", "derivatives", "energies", "exponential", "littered", "moved",
    "pose", "random_rotation", "report", "reported", "residual", "scale_of", "single", "skew",
]  # fmt: skip
