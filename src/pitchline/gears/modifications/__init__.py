"""Microgeometry of tooth flanks: modifications and deviations."""

from .crowning import Bias, HelixSlope, LeadCrowning, PressureAngleSlope, ProfileCrowning
from .deviation_grid import DeviationGrid
from .flank_modifications import FlankModifications, as_flank_modifications
from .modification import (
    RIDGE,
    Deviation,
    FlankRange,
    Modification,
    PitchDeviation,
    SumOfModifications,
    as_modification,
)
from .relief import EndRelief, RootRelief, TipRelief

__all__ = [
    "RIDGE",
    "Bias",
    "Deviation",
    "DeviationGrid",
    "EndRelief",
    "FlankModifications",
    "FlankRange",
    "HelixSlope",
    "LeadCrowning",
    "Modification",
    "PitchDeviation",
    "PressureAngleSlope",
    "ProfileCrowning",
    "RootRelief",
    "SumOfModifications",
    "TipRelief",
    "as_flank_modifications",
    "as_modification",
]
