"""The bevel wheels and the three wheels of A. Cardona (1997), sections 7.1 and 7.2, in simulation.

Statics and kinematics are solved by Newton to the last digits, 1e-9 of the largest force; runs at constant speed with
rigid teeth are steady from the first step on and as exact as Newton in a step, 1e-8.
"""

import math
from typing import Any

import numpy as np
import pytest
from references.steady_pairs import ANY_MASS, EXACT, final

import pitchline as pl

# --- Cardona 7.1: bevel wheels ----------------------------------------------------------------------------------------


def bevel(moment: float, mesh: str, time: float) -> pl.Result:
    """A. Cardona, Flexible three dimensional gear modelling, 1997, section 7.1: wheel A (z = 50, r = 5) fixed, wheel B
    (z = 10, r = 1) on a bar that turns by 1 rad about y; the bar exerts a moment on wheel B about its direction."""
    m = pl.Model("bevel pair")
    cone = math.atan2(5, 1)
    common = {"normal_module": 0.2, "normal_pressure_angle": math.radians(20)}
    gear_a = pl.Gear(teeth=50, cone_angle=-cone, **common)  # both axes towards the apex
    gear_b = pl.Gear(teeth=10, cone_angle=-(math.pi / 2 - cone), **common)
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="y", **ANY_MASS)
    b = m.gear_body("b", gear_b, mesh_with=a, towards=(0, 0, 1), **ANY_MASS)
    np.testing.assert_allclose(b.position, (0, 1, 5), atol=1e-12)
    bar = m.body("bar", **ANY_MASS)
    m.fixed("foundation", a, m.ground, at=(0, 0, 0), axis="z")
    hinge = m.revolute("bar hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    hinge_b = m.revolute("hinge b", bar, b, axis=(0, 0, 1))
    laws = {"rigid": pl.Rigid(), "stiff": pl.Elastic(2e8, backlash=0.0, follow_centres=False)}
    m.gear_pair("mesh", a, b, mesh=laws[mesh])
    m.drive("motor", hinge, angle=pl.Ramp(0, 1.0, 0, 1.0))
    m.torque("external", hinge_b, moment)
    return pl.statics(m, time=time)


@pytest.mark.parametrize("mesh", ("rigid", "stiff"))
@pytest.mark.parametrize("sense", (1.0, -1.0))
def test_bevel_pair_of_cardona(sense: float, mesh: str) -> None:
    """F_n = M/(r_B cos α); the wheels part with M tan α/r_B across the cones, δ_A = atan 5. The sign of M is not printed.

    Stiff teeth give by 6e-6 of the radius of wheel B, by which it turns further; the forces go with the bar.
    """
    start, result, rtol = bevel(1000.0 * sense, mesh, 0.0), bevel(1000.0 * sense, mesh, 1.0), EXACT
    assert final(result, "mesh.normal_force") == pytest.approx(1064.177772475912, rel=rtol)
    force = {
        1.0: (480.237740386, -356.902178248, -880.037998783),
        -1.0: (-600.366871350, -356.902178248, 802.903970833),
    }[sense]
    moment = (964.175349384, 5000.0 * sense, -1501.614137053)
    np.testing.assert_allclose(final(result, "foundation.force"), force, rtol=rtol)
    np.testing.assert_allclose(final(result, "foundation.moment"), moment, rtol=rtol)
    np.testing.assert_allclose(final(result, "hinge b.force"), force, rtol=rtol)
    np.testing.assert_allclose(final(result, "hinge b.moment"), (38.567013975, 0, -60.064565482), rtol=1e-8, atol=1e-6)
    assert final(result, "motor.torque") == pytest.approx(5000.0 * sense, rel=rtol)
    np.testing.assert_allclose(final(result, "b.position"), (4.207354924, 1, 2.701511529), atol=1e-9)
    # in the mesh frame, which goes with the bar, the wheels turn by 1 and 5 rad
    turns = [abs(final(result, f"mesh.psi_{w}") - final(start, f"mesh.psi_{w}")) for w in "ab"]
    np.testing.assert_allclose(turns, (1.0, 5.0), rtol=rtol if mesh == "rigid" else 1e-5)


# --- Cardona 7.2: three wheels ----------------------------------------------------------------------------------------


def three_wheels(angle: float, mesh: str = "rigid") -> pl.Result:
    """Section 7.2: three wheels (r = 5) on a bar from the origin, the first fixed; a motor on the bar turns the third."""
    m = pl.Model("three wheels")
    gear = pl.Gear(teeth=50, normal_module=0.2)
    laws = {"rigid": pl.Rigid(), "stiff": pl.Elastic(2e10, backlash=0.0)}
    bar = m.body("bar", **ANY_MASS)
    before: Any = None
    for i in (1, 2, 3):
        placed: dict[str, Any] = {"mesh_with": before, "towards": (1, 0, 0)}
        if before is None:
            placed = {"position": (0, 0, 0), "axis": "z"}
        wheel = m.gear_body(f"wheel {i}", gear, **placed, **ANY_MASS)
        if before is None:
            m.fixed("foundation", wheel, m.ground, axis="z")
        else:
            m.revolute(f"hinge {i}", bar, wheel, axis="z")
            m.gear_pair(f"mesh {i - 1}{i}", before, wheel, mesh=laws[mesh])
        before = wheel
    m.revolute("bar hinge", m.ground, bar, at=(0, 0, 0), axis="z")
    m.string("string", m.ground, bar, at_a=(30, -50, 0), at_b=(30, 0, 0), stiffness=1000.0, free_length=50.0)
    m.drive("motor", "hinge 3", angle=pl.Ramp(0, angle, 0, 1.0))
    return pl.statics(m, time=1.0)


@pytest.mark.parametrize("mesh", ("rigid", "stiff"))
def test_three_wheels_of_cardona(mesh: str) -> None:
    """L = |(30 cos 1 - 30, 30 sin 1 + 50)|, M = k (1 - 50/L)(1500 cos 1 + 900 sin 1), F_t = M/5, F_n = F_t/cos α.

    The string needs wheel 3 turned by -1 rad against the bar; +1 rad would leave it slack. Stiff teeth give by 1e-6 of the
    radius in each mesh, and the bar turns by as much less.
    """
    result, rtol = three_wheels(-1.0, mesh), EXACT if mesh == "rigid" else 1e-5
    assert final(result, "bar hinge.angle") == pytest.approx(1.0, rel=rtol)
    assert final(result, "hinge 2.angle") == pytest.approx(1.0, rel=rtol)
    assert final(result, "string.force") == pytest.approx(26497.508481395, rel=rtol)
    for name in ("mesh 12", "mesh 23"):
        assert final(result, f"{name}.normal_force") == pytest.approx(115580.964190006, rel=rtol)
        assert final(result, f"{name}.tangential_force") == pytest.approx(108610.579152669, rel=rtol)
    assert final(result, "mesh 12.contact") * final(result, "mesh 23.contact") < 0
    assert final(result, "motor.torque") == pytest.approx(-543052.895763345, rel=rtol)
    np.testing.assert_allclose(final(result, "foundation.moment"), (0, 0, -543052.895763345), rtol=rtol, atol=1e-4)
    forces = {
        "foundation": (70033.950855, -91946.750953, 0),
        "bar hinge": (65256.993883, -65883.392807, 0),
        "hinge 2": (182785.302000, -117365.092716, 0),
        "hinge 3": (-112751.351145, 25418.341763, 0),
    }
    for name, force in forces.items():
        np.testing.assert_allclose(final(result, f"{name}.force"), force, rtol=rtol, atol=2e5 * rtol)


def test_three_wheels_the_other_way() -> None:
    """Wheel 3 turned by +1 rad: the string is slack and nothing bears."""
    result = three_wheels(1.0)
    assert final(result, "bar hinge.angle") == pytest.approx(-1.0, rel=EXACT)
    for name in ("string.force", "mesh 12.normal_force", "motor.torque"):
        assert final(result, name) == pytest.approx(0.0, abs=1e-6)
