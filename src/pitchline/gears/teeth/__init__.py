"""Real teeth: profiles, flank surfaces, microgeometry, measures, and rigid contact of two gears.

>>> from pitchline.gears import Gear
>>> from pitchline.gears.teeth import Teeth, TipRelief
>>> teeth = Teeth(Gear(teeth=18, normal_module="2 mm", face_width="10 mm"), both=TipRelief("18 um", length="2 mm"))
>>> round(1e3 * teeth.root_form_diameter, 3), teeth.undercut
(33.835, True)
"""

from ..modifications import (
    Bias,
    Deviation,
    DeviationGrid,
    EndRelief,
    FlankModifications,
    FlankRange,
    HelixSlope,
    LeadCrowning,
    Modification,
    PitchDeviation,
    PressureAngleSlope,
    ProfileCrowning,
    RootRelief,
    SumOfModifications,
    TipRelief,
)
from .bevel import BevelFlank, BevelTeeth
from .double_helical import Half, double_helical
from .flank import ToothFlank
from .generating_rack import GeneratingRack
from .involute_flank import InvoluteFlank
from .iso53 import basic_rack
from .measures import ball_diameter, over_balls, span, span_diameter, span_teeth
from .profile import outline, tooth_section
from .rigid_contact import RigidContact, rigid_contact
from .shaper import ShaperCutter
from .surface import Forms, ToothSurface
from .teeth import Teeth
from .teeth_placement import place_teeth

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
