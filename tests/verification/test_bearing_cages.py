"""Results of rolling bearings over the positions of the cage: at rest, turning, and with evenly distributed stiffness."""

import math
from inspect import signature

import numpy as np
import pytest
from references.bearing_cases import ALL, ANGULAR, TAPERED

import pitchline as pl
from pitchline.parts.bearings.design import SMOOTH, BearingDesign
from pitchline.parts.bearings.life import friction_constants
from pitchline.parts.bearings.mounting import MountedBearing

DEFLECTION, ROTATION = np.array([2e-5, 5e-6, 3e-5]), np.array([1e-4, -2e-4, 0.0])
FORCE = (4000.0, 800.0, 1500.0)
PAIRS = ("back-to-back", "face-to-face", "tandem")


def variant(design: BearingDesign, **changes: object) -> BearingDesign:
    """The same bearing with other arguments."""
    given = {name: getattr(design, name) for name in signature(type(design)).parameters}
    return type(design)(**given | changes)


def rated(design: BearingDesign, **changes: object) -> BearingDesign:
    return variant(design, rating="50 kN", static_rating="40 kN", **changes)


CASES = {name: rated(design) for name, design in ALL.items()} | {
    f"{design.kind}, {text}": rated(design, arrangement=text, distance="25 mm")
    for design in (ANGULAR, TAPERED)
    for text in PAIRS
}


SPEEDS = [(name, speed) for name in CASES for speed in (0.0, 1500.0) if not speed or CASES[name].rolling == "ball"]


@pytest.mark.parametrize("name, speed", SPEEDS)
def test_even_stiffness_is_the_mean_over_the_positions_of_the_cage(name: str, speed: float) -> None:
    """At the same deflections. The positions of the rolling elements of all cages together are those of even stiffness."""
    design = CASES[name]
    even = MountedBearing(design, design.law(cage="smooth", speed=speed))
    turning = MountedBearing(design, design.law(cage="turning", speed=speed))
    pitch = 2.0 * math.pi / design.number
    turned = [np.array([*ROTATION[:2], k * pitch / SMOOTH / design.cage_ratio]) for k in range(SMOOTH)]
    states, state = [turning.at(DEFLECTION, angle) for angle in turned], even.at(DEFLECTION, ROTATION)

    assert state.energy == pytest.approx(np.mean([one.energy for one in states]), rel=1e-12)
    force, stiffness = (
        np.mean([getattr(one, key) for one in states], axis=0)[..., :5] for key in ("force", "stiffness")
    )
    np.testing.assert_allclose(state.force[:5], force, atol=1e-12 * abs(force).max())
    np.testing.assert_allclose(state.stiffness[:5, :5], stiffness[:5], atol=1e-12 * abs(stiffness).max())

    for key in ("loads", "pressures", "angles"):
        each = np.stack([getattr(one, key) for one in states], axis=-1).reshape(design.rows, -1)
        np.testing.assert_allclose(getattr(state, key), each, rtol=1e-9, atol=1e-12 * abs(each).max())
    assert np.count_nonzero(state.loads) >= SMOOTH

    for ring in ("inner", "outer"):
        lives = [turning.reference_life(DEFLECTION, angle, turning_against_load=ring) for angle in turned]
        life = even.reference_life(DEFLECTION, ROTATION, turning_against_load=ring)
        assert 0.99 * min(lives) < life < 1.01 * max(lives)


def held(design: BearingDesign, cage: str) -> pl.Result:
    """A shaft in one bearing, under the same load whatever the cage; the shaft turns."""
    m = pl.Model("held")
    shaft = m.body("shaft", mass=1, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, 100))
    friction = {"lubrication": "oil bath", "viscosity": "30 mm^2/s", "load_factor": 1e-3}
    m.bearing("B", m.ground, shaft, design, cage=cage, **friction)
    m.bushing("support", m.ground, shaft, stiffness=["1 N/um"] * 3 + ["50 kN*m/rad"] * 2 + ["10 N*m/rad"])
    m.force("load", shaft, FORCE)
    return pl.statics(m)


@pytest.mark.parametrize("name", CASES)
def test_results_agree_over_the_cage(name: str) -> None:
    """In statics, the table of lives and the loads of rolling elements, of a shaft that the load presses into the bearing.

    A load between two of 7 to 24 rolling elements differs from one at an element by less than these limits.
    """
    results = {cage: held(CASES[name], cage) for cage in ("rest", "turning", "smooth")}
    rows = {
        cage: {row["name"]: row for row in r.bearing_lives(viscosity="100 mm^2/s").rows}["B"]
        for cage, r in results.items()
    }
    loads = {cage: pl.rolling_loads(r, "B") for cage, r in results.items()}
    for cage, r in results.items():
        assert r["B.max_load"].values[0] == pytest.approx(loads[cage].loads.max(), rel=1e-9)
        assert r["B.max_pressure"].values[0] == pytest.approx(loads[cage].pressures.max(), rel=1e-9)
        assert rows[cage]["max_load"] == pytest.approx(loads[cage].loads.max(), rel=1e-9)
        assert rows[cage]["reference_life"] == pytest.approx(loads[cage].lives()[0], rel=1e-9)
    for cage in ("turning", "smooth"):
        for signal, limit in (("max_load", 0.06), ("max_pressure", 0.03), ("force", 0.03), ("deflection", 0.05)):
            found, rest = (results[key][f"B.{signal}"].values[0] for key in (cage, "rest"))
            assert found == pytest.approx(rest, rel=limit, abs=limit * np.max(np.abs(rest))), signal
        for column, value in rows["rest"].items():
            limit = 0.02 if "reference" in column else 0.05
            if isinstance(value, float) and math.isfinite(value):
                assert rows[cage][column] == pytest.approx(value, rel=limit), column


@pytest.mark.parametrize("design", [ANGULAR, TAPERED], ids=["balls", "rollers"])
def test_two_bearings_in_tandem_rub_as_two_single_ones(design: BearingDesign) -> None:
    """Each carries half of the load: the friction torque of the pair is twice that of one, in the element and in the table."""
    single, pair = rated(design), rated(design, arrangement="tandem", distance="25 mm")
    named = {
        "lubrication": "oil bath",
        "viscosity": 30e-6,
        "viscous_factor": None,
        "load_factor": None,
        "friction_speed": 0.1,
    }

    def torque(bearing: BearingDesign, load: float) -> float:
        s = friction_constants({"design": bearing, **named})
        radial, axial = 0.8 * load, 0.6 * load
        static = max(s["static_radial"] * radial + s["static_axial"] * axial, radial)
        deciding = max(s["axial"] * axial - s["radial"] * radial, radial)
        return s["viscous"] + s["load"] * (static / s["static_rating"]) ** s["exponent"] * deciding

    assert torque(pair, 2000.0) == pytest.approx(2.0 * torque(single, 1000.0), rel=1e-12)

    tables = []
    for bearing, share in ((single, 1.0), (pair, 2.0)):
        m = pl.Model("shaft")
        shaft = m.body("shaft", mass=1, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, 100))
        m.bearing("B", m.ground, shaft, bearing, cage="smooth")
        m.bushing("tilts", m.ground, shaft, stiffness=[0, 0, 0, "50 kN*m/rad", "50 kN*m/rad", 0])
        m.force("load", shaft, (share * 800.0, 0, share * 600.0))
        m.revolute("pivot", m.ground, m.body("other", mass=1, inertia=(1, 1, 1)), axis="z")
        tables.append(pl.statics(m).bearing_friction(viscosity="30 mm^2/s").rows[0])
    for column in ("viscous", "load", "torque"):
        assert tables[1][column] == pytest.approx(2.0 * tables[0][column], rel=1e-6), column
    assert tables[0]["load"] > 0.0


def test_the_picture_of_even_stiffness_has_the_loads_of_real_rolling_elements() -> None:
    r = held(CASES["cylindrical"], "smooth")
    heights = [patch.get_height() for patch in pl.views.plot_bearing(r, "B").axes[0].patches]
    assert max(heights) == pytest.approx(r["B.max_load"].values[0], rel=1e-9)
