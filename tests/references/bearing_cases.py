"""One bearing of every type, for tests."""

import pitchline as pl

DEEP = pl.DeepGrooveBall(balls=7, ball="11.5 mm", pitch="43.5 mm", rating="23.4 kN")
LOOSE = pl.DeepGrooveBall(balls=7, ball="11.5 mm", pitch="43.5 mm", clearance="5 um", rating="23.4 kN")
B218 = pl.AngularContactBall(
    balls=16, ball="22.23 mm", pitch="125.26 mm", contact_angle="40 deg", inner_groove=0.5232, outer_groove=0.5232
)
B209 = pl.DeepGrooveBall(
    balls=9, ball="12.7 mm", pitch="65 mm", inner_groove=0.52, outer_groove=0.52, clearance="15 um"
)
ANGULAR = pl.AngularContactBall(balls=12, ball="9 mm", pitch="46 mm", contact_angle="25 deg", rating="24 kN")
PAIR = pl.AngularContactBall(
    balls=12,
    ball="9 mm",
    pitch="46 mm",
    contact_angle="25 deg",
    arrangement="back-to-back",
    width="16 mm",
    rating="24 kN",
)
CYLINDRICAL = pl.CylindricalRoller(
    rollers=14, roller="10 mm", length="12 mm", pitch="60 mm", clearance="20 um", rating="44 kN"
)
FLANGED = pl.CylindricalRoller(
    rollers=14, roller="10 mm", length="12 mm", pitch="60 mm", rows_of_rollers=2, distance="15 mm", flanges="both",
    axial_clearance="10 um", axial_stiffness="100 N/um",
)  # fmt: skip
TAPERED = pl.TaperedRoller(
    rollers=18, roller="10 mm", length="15 mm", pitch="70 mm", contact_angle="14 deg", rating="80 kN"
)
TAPERED_PAIR = pl.TaperedRoller(
    rollers=18,
    roller="10 mm",
    length="15 mm",
    pitch="70 mm",
    contact_angle="14 deg",
    arrangement="face-to-face",
    width="20 mm",
)
SPHERICAL = pl.SphericalRoller(
    rollers=16,
    roller="15 mm",
    length="14 mm",
    pitch="90 mm",
    contact_angle="11 deg",
    clearance="10 um",
    rating="130 kN",
)
NEEDLE = pl.NeedleRoller(rollers=24, roller="3 mm", length="16 mm", pitch="33 mm", rating="25 kN")
ALL = {
    "deep groove": LOOSE, "angular contact": ANGULAR, "pair of angular contact": PAIR, "cylindrical": CYLINDRICAL,
    "two rows with flanges": FLANGED, "tapered": TAPERED, "pair of tapered": TAPERED_PAIR, "spherical": SPHERICAL, "needle": NEEDLE,
}  # fmt: skip
