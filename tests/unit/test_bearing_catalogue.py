"""Geometry estimated from catalogue numbers against bearings whose inner geometry is published, and the friction
torque by hand.
"""

import math
from typing import Any

import pytest

from pitchline.errors import ModelError
from pitchline.parts.bearings.design import ball_dynamic_rating, ball_static_rating, estimated_geometry
from pitchline.parts.bearings.life import friction_torque

MM, KN = 1e-3, 1e3
DEG = math.pi / 180.0

# Bore, outer diameter, width [mm], C and C_0 [kN] of catalogues (NSK; 6305: SKF). Geometry: 6203 and 6205 from the Case
# Western Reserve bearing data centre, 6209 and 218 from Harris's examples, 6206 and 6308 from published defect
# frequencies (Z and D_w/D_pw), 6305 from the example of ISO/TS 16281 programs; cylindrical rollers from the raceway
# diameters F and E that catalogues give: D_w = (E - F)/2.
BALLS = {
    "6203": ((17, 40, 12, 9.55, 4.8), 8, 6.747),
    "6205": ((25, 52, 15, 14.0, 7.85), 9, 7.938),
    "6206": ((30, 62, 16, 19.5, 11.3), 9, 9.525),
    "6305": ((25, 62, 17, 23.4, 11.6), 7, 11.5),
    "6308": ((40, 90, 23, 40.5, 24.0), 8, 15.081),
}
ROLLERS = {
    "NU 206 E": ((30, 62, 16, 39.0, 37.5), 9.0),
    "NU 209 E": ((45, 85, 19, 63.0, 66.5), 11.0),
    "NU 308 E": ((40, 90, 23, 83.0, 81.5), 14.0),
}


@pytest.mark.parametrize("name", BALLS)
def test_deep_groove_ball_bearings(name: str) -> None:
    (d, D, B, C, C0), balls, ball = BALLS[name]
    found = estimated_geometry("DeepGrooveBall", d * MM, D * MM, B * MM, C * KN, C0 * KN)
    assert found["balls"] == balls
    assert found["ball"] == pytest.approx(ball * MM, rel=0.015)
    assert found["pitch"] == pytest.approx(0.5 * (d + D) * MM)
    # and the ratings of the true geometry are those of the catalogue: the formulas hold
    true = (balls, ball * MM, found["pitch"])
    assert ball_static_rating(*true) == pytest.approx(C0 * KN, rel=0.01)
    assert ball_dynamic_rating(*true) == pytest.approx(C * KN, rel=0.045)


def test_6209_has_the_right_load_capacity_though_not_the_number_of_balls() -> None:
    """Harris's 209 has 9 balls of 12.7 mm. Ten of 11.9 mm have the same C_0 and a C nearer to the catalogue: the
    limit of such estimates.
    """
    found = estimated_geometry("DeepGrooveBall", 45 * MM, 85 * MM, 19 * MM, 31.5 * KN, 20.4 * KN)
    assert abs(found["balls"] - 9) <= 1
    assert found["balls"] * found["ball"] ** 2 == pytest.approx(9 * (12.7 * MM) ** 2, rel=0.03)
    assert found["ball"] == pytest.approx(12.7 * MM, rel=0.07)


def test_angular_contact_ball_bearing_218() -> None:
    true = (16, 22.225 * MM, 125.26 * MM)
    ratings = (ball_dynamic_rating(*true, contact_angle=40 * DEG), ball_static_rating(*true, contact_angle=40 * DEG))
    found = estimated_geometry("AngularContactBall", 90 * MM, 160 * MM, 30 * MM, *ratings, contact_angle=40 * DEG)
    assert found["balls"] == 16 and found["ball"] == pytest.approx(22.225 * MM, rel=0.01)
    assert found["contact_angle"] == 40 * DEG


@pytest.mark.parametrize("name", ROLLERS)
def test_cylindrical_roller_bearings(name: str) -> None:
    (d, D, B, C, C0), roller = ROLLERS[name]
    found = estimated_geometry("CylindricalRoller", d * MM, D * MM, B * MM, C * KN, C0 * KN)
    assert found["roller"] == pytest.approx(roller * MM, rel=0.03)
    assert found["rollers"] * found["roller"] < math.pi * found["pitch"]
    assert "contact_angle" not in found


def test_other_rollers_fit_into_their_section() -> None:
    for kind, numbers, angle, e in (
        ("TaperedRoller", (30, 62, 17.25, 43.0, 47.5), 14.04 * DEG, 0.37),
        ("SphericalRoller", (60, 110, 28, 166.0, 166.0), None, 0.24),
        ("SphericalRoller", (60, 130, 46, 271.0, 285.0), None, 0.35),
        ("NeedleRoller", (30, 47, 17, 25.5, 35.5), None, None),
    ):
        d, D, B, C, C0 = numbers
        found = estimated_geometry(kind, d * MM, D * MM, B * MM, C * KN, C0 * KN, angle)
        assert found["pitch"] + found["roller"] < D * MM and found["pitch"] - found["roller"] > d * MM
        assert found["length"] < B * MM
        if e is not None:  # the e of the catalogue from the contact angle
            assert 1.5 * math.tan(found["contact_angle"]) == pytest.approx(e, rel=0.05)


def test_without_static_rating() -> None:
    found = estimated_geometry("DeepGrooveBall", 25 * MM, 52 * MM, 15 * MM, 14.0 * KN)
    assert found["balls"] == 9 and found["ball"] == pytest.approx(7.938 * MM, rel=0.03)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"C": 140e3, "C0": 78.5e3}, "C = 140 kN does not fit these dimensions"),
        ({"C": 14.0, "C0": 7.85}, "Check units"),
        ({"bore": 0.052, "outer": 0.025}, "must be less than the outer diameter"),
        ({"kind": "DeepGroveBall"}, 'did you mean "DeepGrooveBall"'),
        ({"width": -1.0}, "width must be greater than zero"),
        ({"contact_angle": 0.3}, "this type has no contact angle"),
        ({"kind": "AngularContactBall"}, "specify contact_angle"),
    ],
)
def test_what_cannot_be(change: dict[str, Any], message: str) -> None:
    numbers = {"kind": "DeepGrooveBall", "bore": 0.025, "outer": 0.052, "width": 0.015, "C": 14e3, "C0": 7.85e3}
    with pytest.raises(ModelError, match=message):
        estimated_geometry(**(numbers | change))


def test_friction_torque_by_hand() -> None:
    """6205, 1 kN radial, 3000 rpm, 20 mm²/s, oil bath: f_0 = 2, f_1 = 0.0005 (1/7.85)^0.55, d_m = 38.5 mm."""
    known = {"mean_diameter": 38.5 * MM, "viscosity": 20e-6, "static_rating": 7.85e3, "static_load": 1e3}
    found = friction_torque("DeepGrooveBall", 1e3, 0.0, 3000.0 * math.pi / 30.0, **known)
    assert found.viscous == pytest.approx(1e-3 * 1e-7 * 2.0 * (20.0 * 3000.0) ** (2.0 / 3.0) * 38.5**3)
    assert found.load == pytest.approx(0.0005 * (1.0 / 7.85) ** 0.55 * 1e3 * 38.5e-3)
    assert found.torque == found.viscous + found.load
    slow = friction_torque("DeepGrooveBall", 1e3, 0.0, 10.0, **known)
    assert slow.viscous == pytest.approx(1e-3 * 160e-7 * 2.0 * 38.5**3)  # ν n below 2000
    assert friction_torque("DeepGrooveBall", 1e3, 0.0, 0.0, **known).viscous == 0.0
    thrust = friction_torque("DeepGrooveBall", 0.0, 1e3, 10.0, **known)
    assert thrust.load == pytest.approx(3.0 * slow.load)
    given = friction_torque(
        "CylindricalRoller", 1e3, 0.0, 10.0, mean_diameter=0.05, viscosity=20e-6, viscous_factor=2.0, load_factor=4e-4
    )
    assert given.load == pytest.approx(4e-4 * 1e3 * 0.05)
    with pytest.raises(ModelError, match="needs static_rating and static_load"):
        friction_torque("DeepGrooveBall", 1e3, 0.0, 10.0, mean_diameter=0.05, viscosity=20e-6)
    with pytest.raises(ModelError, match='unknown lubrication "oil"'):
        friction_torque("DeepGrooveBall", 1e3, 0.0, 10.0, **known, lubrication="oil")
