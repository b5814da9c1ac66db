"""Gear data and geometry: wheels, racks and pairs of them by ISO 21771; no dynamics.

>>> from pitchline.gears import Gear, GearPair
>>> pinion = Gear(teeth=18, normal_module="2 mm", face_width="10 mm")
>>> pair = GearPair(pinion, pinion.with_(teeth=37))
>>> round(pair.transverse_contact_ratio, 4)
1.6139
"""

from .. import teeth
from .axes import Alignment
from .blank import BlankProperties
from .contact import PathOfContact
from .gear import Gear, hypoid_pinion
from .inputs import STEEL, GearBody, Hob, Material, Shaper
from .involute import inverse_involute, involute
from .kinds import Kind, PitchGeometry, WorkingGeometry, centre_distance, cone_angles, profile_shift_sum, tooth_rotation
from .pair import GearPair
from .placement import Placement
from .rack import Rack
from .reference import EquivalentCylinder
from .table import (
    DataSheet,
    IsoStiffness,
    Row,
    data_sheet,
    data_sheet_text,
    efficiency,
    iso_stiffness,
    self_locking_friction,
)

__all__ = [
    # what the user says
    "Gear",
    "GearBody",
    "Hob",
    "Shaper",
    "Rack",
    "Material",
    "STEEL",
    # two of them
    "GearPair",
    "Kind",
    "WorkingGeometry",
    "PathOfContact",
    "centre_distance",
    "profile_shift_sum",
    "cone_angles",
    "hypoid_pinion",
    "efficiency",
    "self_locking_friction",
    "IsoStiffness",
    "iso_stiffness",
    # where they belong
    "PitchGeometry",
    "Placement",
    "Alignment",
    "tooth_rotation",
    # their shape
    "teeth",
    # tables
    "DataSheet",
    "Row",
    "data_sheet",
    "data_sheet_text",
    # parts
    "BlankProperties",
    "EquivalentCylinder",
    "involute",
    "inverse_involute",
]
