"""Microgeometry of tooth flanks: modifications and deviations."""

from .deviations import (
    RIDGE,
    Bias,
    Deviation,
    DeviationGrid,
    FlankModifications,
    FlankRange,
    HelixSlope,
    LeadCrowning,
    Modification,
    PitchDeviation,
    PressureAngleSlope,
    ProfileCrowning,
    SumOfModifications,
    as_flank_modifications,
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
