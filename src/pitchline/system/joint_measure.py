"""Measure of one coordinate of a joint."""

import numpy as np

from ..elements.contract import Element
from ..elements.scalar_geometry import ANGLE, DISPLACEMENT, Measure
from ..model.joints import ANGLE as ANGLE_NAME


def joint_measure(observer: Element, coordinate: str) -> np.void:
    """Measure of one coordinate of an observed joint."""
    at, kind = observer.kind.parameters.place("on")
    measure = Measure.named(observer.parameters[at : at + kind.size].copy())
    measure["kind"] = ANGLE if coordinate == ANGLE_NAME else DISPLACEMENT
    return measure
