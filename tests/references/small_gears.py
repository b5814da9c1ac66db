"""Small gears for tests of models: spur wheels, a ring, a rack, a bevel, and a body of unit mass to carry them."""

from pitchline.gears import Gear, Rack

SPUR = Gear(teeth=20, normal_module="4 mm", face_width="20 mm")
LARGE = SPUR.with_(teeth=40)
RING = Gear(teeth=80, normal_module="4 mm", face_width="20 mm", internal=True, rim_diameter="360 mm")
RACK = Rack(teeth=21, normal_module="4 mm", face_width="20 mm", depth="10 mm")
UNIT = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}

BEVEL = Gear(teeth=20, normal_module="4 mm", cone_angle="45 deg", face_width="10 mm")
