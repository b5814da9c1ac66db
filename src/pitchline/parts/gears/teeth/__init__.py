"""Real teeth: profiles, flank surfaces, microgeometry, measures, and rigid contact of two gears.

>>> from pitchline.gears import Gear
>>> from pitchline import Teeth, TipRelief
>>> teeth = Teeth(Gear(teeth=18, normal_module="2 mm", face_width="10 mm"), both=TipRelief("18 um", length="2 mm"))
>>> round(1e3 * teeth.root_form_diameter, 3), teeth.undercut
(33.835, False)
"""

from ..modifications.deviations import (
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
)
from ..modifications.relief import EndRelief, RootRelief, TipRelief
from .bevel import (
    BevelFlank,
    BevelTeeth,
    Half,
    ball_diameter,
    double_helical,
    outline,
    over_balls,
    span,
    span_diameter,
    span_teeth,
    tooth_section,
)
from .flank import InvoluteFlank, ToothFlank
from .generating_rack import Forms, GeneratingRack, ToothSurface, basic_rack
from .rigid_contact import RigidContact, place_teeth, rigid_contact
from .teeth import ShaperCutter, Teeth

__all__ = [
    "Teeth",
    "ToothFlank",
    "InvoluteFlank",
    "ToothSurface",
    "Forms",
    "BevelTeeth",
    "BevelFlank",
    "basic_rack",
    "GeneratingRack",
    "ShaperCutter",
    "Half",
    "double_helical",
    "outline",
    "tooth_section",
    # microgeometry
    "Modification",
    "SumOfModifications",
    "FlankModifications",
    "Deviation",
    "FlankRange",
    "TipRelief",
    "RootRelief",
    "EndRelief",
    "ProfileCrowning",
    "LeadCrowning",
    "PressureAngleSlope",
    "HelixSlope",
    "Bias",
    "DeviationGrid",
    "PitchDeviation",
    # measures
    "span",
    "span_teeth",
    "span_diameter",
    "over_balls",
    "ball_diameter",
    # two gears
    "RigidContact",
    "rigid_contact",
    "place_teeth",
]
