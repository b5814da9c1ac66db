"""Gear data and geometry: wheels, racks and pairs of them by ISO 21771; no dynamics.

>>> from pitchline.gears import Gear, GearPair
>>> pinion = Gear(teeth=18, normal_module="2 mm", face_width="10 mm")
>>> pair = GearPair(pinion, pinion.with_(teeth=37))
>>> round(pair.transverse_contact_ratio, 4)
1.6139
"""

from . import teeth
from .alignment import Alignment
from .blank import BlankProperties
from .compatibility import cone_angles
from .contact import PathOfContact
from .equivalent import EquivalentCylinder
from .gear import Gear
from .gear_body import GearBody
from .hypoid import hypoid_pinion
from .involute import inverse_involute, involute
from .kinds import Kind
from .material import STEEL, Material
from .pair import GearPair
from .pitch import PitchGeometry, tooth_rotation
from .placement import Placement
from .rack import Rack
from .sliding import efficiency, self_locking_friction
from .stiffness import IsoStiffness, iso_stiffness
from .table import DataSheet, Row, data_sheet, data_sheet_text
from .tool import Hob, Shaper
from .working_geometry import WorkingGeometry, centre_distance, profile_shift_sum

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
