"""Motions, equilibria and positions in which teeth leave contact, and come back."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline import ModelError, SolveError
from pitchline.gears import iso_stiffness

M, WIDTH = 2e-3, 20e-3
DEPTH = 2 * M  # tips of standard wheels overlap by two modules
SMALL = pl.Gear(teeth=20, normal_module=M, face_width=WIDTH)
LARGE = pl.Gear(teeth=40, normal_module=M, face_width=WIDTH)
RADIUS, DISTANCE = 20e-3, 60e-3
INERTIA = 1e-4
BODY = {"mass": 0.5, "inertia": (INERTIA, INERTIA, INERTIA)}
ELASTIC = pl.Elastic("2e8 N/m", damping_ratio=0.05, backlash="0.1 mm", follow_centres=True)


def sliding(mesh: object, way: object, axis: str = "x", *, torque: float = 0.0, spin: float = 0.0) -> pl.Model:
    """Wheel b on a slide that moves along an axis; wheel a turns on the ground."""
    m = pl.Model("sliding")
    a = m.gear_body("a", SMALL, **BODY, angular_velocity=(0, 0, spin))
    b = m.gear_body("b", LARGE, mesh_with=a, towards="x", **BODY, angular_velocity=(0, 0, -0.5 * spin))
    slide = m.body("slide", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=b.position)
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_b", slide, b, axis="z")
    m.drive("way", m.prismatic("guide", m.ground, slide, axis=axis), displacement=way)
    if torque:
        m.torque("load", a, (0, 0, torque))
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def on_rack(mesh: object, *, torque: float = 5.0) -> pl.Model:
    m = pl.Model("rack")
    a = m.gear_body("a", SMALL, **BODY)
    rack = pl.Rack(teeth=10, normal_module=M, face_width=WIDTH, depth="10 mm")
    b = m.gear_body("b", rack, mesh_with=a, towards="-y", mass=0.5, inertia=(INERTIA, INERTIA, INERTIA))
    m.revolute("hinge", m.ground, a, axis="z")
    m.prismatic("guide", m.ground, b, axis="x")
    m.torque("load", a, (0, 0, torque))
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def balance(r: pl.Result) -> float:
    """Largest error of the energy balance over the energy that moved."""
    moved = max(np.ptp(r["energy.kinetic"].values), np.ptp(r["energy.work"].values))
    return float(np.abs(r["energy.balance_error"].values).max() / moved)


# ---- elastic teeth


def test_wheels_pulled_apart_are_free() -> None:
    """After tips part, at v t = 2 m_n, wheel a accelerates by its torque alone; a warning tells when."""
    speed = 1.0
    m = sliding(ELASTIC, pl.Polynomial([0.0, speed]), torque=2.0)
    r = pl.dynamics(m, duration=0.02, output_step=1e-4)
    out = r["mesh.in_mesh"].values == 0.0
    t = r.time
    assert t[out][0] == pytest.approx(DEPTH / speed, abs=1.01e-4)
    assert np.all(r["mesh.normal_force"].values[out] == 0.0)
    free = np.flatnonzero(out)[20:]  # the method forgets the jump of the acceleration within some steps
    omega = r["hinge_a.angular_speed"].values[free]
    assert omega[-1] - omega[0] == pytest.approx(2.0 / INERTIA * (t[free][-1] - t[free][0]), rel=1e-6)
    assert balance(r) < 1e-4  # tolerance 1e-6 a step, some hundred steps in which the force changes
    assert [w for w in r.warnings if 'gear pair "mesh"' in w and "left contact at t = 0.00" in w]


@pytest.mark.parametrize("axis", ["x", "z"])
def test_out_and_in_again(axis: str) -> None:
    """Pulled out of mesh and pushed back while the wheels spin at other speeds: they engage again, with any tooth, energy kept."""
    way = 1.5 * DEPTH if axis == "x" else 1.2 * WIDTH
    moves = pl.Sum([pl.Ramp(0.0, way, 0.01, 0.02), pl.Ramp(0.0, -way, 0.03, 0.04)])
    m = sliding(ELASTIC, moves, axis, torque=1.0, spin=50.0)
    r = pl.dynamics(m, duration=0.06, output_step=1e-4, tolerance=1e-8)
    inside = r["mesh.in_mesh"].values > 0.0
    assert not np.all(inside) and inside[0] and inside[-1]
    assert np.all(r["mesh.normal_force"].values[~inside] == 0.0)
    assert np.abs(r["mesh.approach"].values[-1]) < 0.1 * M
    # driven again: b follows at half the speed
    assert r["hinge_b.angular_speed"].values[-1] == pytest.approx(
        -0.5 * r["hinge_a.angular_speed"].values[-1], rel=0.05
    )
    assert balance(r) < 1e-3
    assert any("on return" in w for w in r.warnings)


@pytest.mark.parametrize("reduce", [True, False])
def test_pinion_past_the_end_of_its_rack(reduce: bool) -> None:
    """The rack keeps its speed, the pinion goes on by its torque; as a train of scalar equations and in general."""
    r = pl.dynamics(on_rack(ELASTIC), duration=0.08, step=1e-5, reduce=reduce)
    s, out = r["mesh.psi_b"].values, r["mesh.in_mesh"].values == 0.0
    end = (0.5 * 10 + 0.5) * math.pi * M  # from the middle of the rack, where the pinion stands at first
    assert np.abs(s[out][0]) == pytest.approx(end, abs=2 * np.abs(np.diff(s)).max())
    assert np.all(r["mesh.normal_force"].values[out] == 0.0)
    v = r["guide.speed"].values[out]
    assert np.ptp(v) < 1e-9 * np.abs(v[0])
    omega, t = r["hinge.angular_speed"].values[out], r.time[out]
    assert omega[-1] - omega[0] == pytest.approx(5.0 / INERTIA * (t[-1] - t[0]), rel=1e-9)
    assert balance(r) < 1e-5


def test_train_and_general_equations_agree_at_the_end_of_a_rack() -> None:
    runs = [pl.dynamics(on_rack(ELASTIC), duration=0.06, step=1e-5, reduce=x) for x in (True, False)]
    one, other = (r["guide.displacement"].final for r in runs)
    assert one == pytest.approx(other, rel=1e-7)


def test_pinion_leaves_its_ring() -> None:
    """An internal pair parts when the pinion moves to the middle of the ring, and not the other way."""
    m = pl.Model("ring")
    ring = pl.Gear(teeth=60, normal_module=M, internal=True, face_width=WIDTH)
    a = m.gear_body("a", SMALL, **BODY)
    slide = m.body("slide", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    b = m.wheel("ring", m.ground, ring, mesh_with=a, towards="x")
    m.revolute("hinge", slide, a, axis="z")
    m.drive("way", m.prismatic("guide", m.ground, slide, axis="x"), displacement=pl.Polynomial([0.0, -1.0]))
    m.torque("load", a, (0, 0, 1.0))
    m.gear_pair("mesh", a, b, mesh=ELASTIC)
    r = pl.dynamics(m, duration=0.006, output_step=1e-4)
    pair = m.gear_pairs["mesh"].pair
    overlap = pair.centre_distance + 0.5 * SMALL.tip_diameter - 0.5 * ring.tip_diameter
    out = r["mesh.in_mesh"].values == 0.0
    assert r.time[out][0] == pytest.approx(overlap, abs=1.01e-4)
    assert np.all(r["mesh.normal_force"].values[out] == 0.0)


# ---- rigid teeth and rolling wheels


@pytest.mark.parametrize(
    "mesh", [pl.Rolling(), pl.Rigid(), pl.Rigid(backlash="0.1 mm")], ids=["rolling", "rigid", "with play"]
)
@pytest.mark.parametrize("step", [None, 1e-4], ids=["error control", "fixed step"])
def test_rigid_wheels_stop_the_run_where_they_part(mesh: object, step: float | None) -> None:
    with pytest.raises(SolveError, match=r'gear pair "mesh" \(tips .* left contact.*use Elastic') as caught:
        pl.dynamics(sliding(mesh, pl.Polynomial([0.0, 1.0]), torque=0.1), duration=0.02, step=step)
    assert caught.value.time == pytest.approx(DEPTH, rel=1e-3)
    assert caught.value.result is not None and len(caught.value.result.time) > 5


def test_rigid_pinion_stops_at_the_end_of_its_rack() -> None:
    with pytest.raises(SolveError, match=r'gear pair "mesh" \(.*end of its rack\) left contact'):
        pl.dynamics(on_rack(pl.Rigid()), duration=0.1, step=1e-4)


def test_rolling_bodies_without_teeth_stop_too() -> None:
    m = pl.Model("wheels")
    a = m.body("a", position=(0, 0, 0), **BODY)
    b = m.body("b", position=(0.1, 0, 0), **BODY)
    slide = m.body("slide", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(0.1, 0, 0))
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_b", slide, b, axis="z")
    m.drive("way", m.prismatic("guide", m.ground, slide, axis="x"), displacement=pl.Polynomial([0.0, 1.0]))
    m.gear_pair("mesh", a, b, mesh=pl.Rolling(ratio=1))
    with pytest.raises(SolveError, match='gear pair "mesh"') as caught:
        pl.dynamics(m, duration=0.1)
    assert caught.value.time == pytest.approx(0.2 * 0.05, rel=1e-2)  # within the last steps that error control takes


# ---- without inertia


def test_equilibrium_out_of_mesh_is_refused() -> None:
    m = sliding(pl.Elastic("2e8 N/m", backlash="0.1 mm", follow_centres=False), 2 * DEPTH)
    m.bushing("spring", m.ground, "a", axis="z", stiffness=(0, 0, 0, 0, 0, 100.0))
    m.bushing("spring_b", "slide", "b", axis="z", stiffness=(0, 0, 0, 0, 0, 100.0))
    assert any("out of mesh" in w for w in pl.statics(m).warnings)  # nothing presses: true, and worth a word
    m.torque("load", "a", (0, 0, 5.0))
    with pytest.raises(SolveError, match=r'gear pair "mesh" \(tips 4 mm apart\) are out of mesh'):
        pl.statics(m)


def test_kinematics_of_wheels_out_of_mesh_is_refused() -> None:
    m = sliding(pl.Rolling(), pl.Polynomial([0.0, 1.0]))
    m.drive("motor", "hinge_a", speed=1.0)
    with pytest.raises(SolveError, match=r'gear pair "mesh" .*left contact') as caught:
        pl.kinematics(m, duration=0.01, step=1e-3)
    assert "from t = 0.005 s" in str(caught.value) or "from t = 0.004 s" in str(caught.value)


# ---- as built


def eccentric(beside: float, mesh: object = ELASTIC) -> pl.Model:
    m = pl.Model("eccentric")
    a = m.gear_body("a", SMALL, **BODY)
    b = m.gear_body("b", LARGE, mesh_with=a, towards="x", **BODY)
    m.revolute("hinge_a", m.ground, a, at=(0, beside, 0), axis="z")
    m.revolute("hinge_b", m.ground, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def test_a_wheel_beside_its_shaft_is_refused() -> None:
    with pytest.raises(
        ModelError, match=r'"mesh": the centre of wheel "a" is 5 mm off the axis of joint "hinge_a".*10 mm.*4 mm'
    ):
        pl.dynamics(eccentric(5e-3), duration=1e-3)
    assert not [w for w in pl.dynamics(eccentric(20e-6), duration=1e-4, step=1e-5).warnings if "off the axis" in w]
    told = [w for w in pl.dynamics(eccentric(0.5e-3), duration=1e-4, step=1e-5).warnings if "off the axis" in w]
    assert len(told) == 1 and "0.5 mm" in told[0] and "changes by 1 mm" in told[0]


def test_a_wheel_on_an_arm_is_not() -> None:
    """A wheel fixed on an arm that turns about the centre of the other: the centre distance stays."""
    m = pl.Model("arm")
    a = m.gear_body("a", SMALL, **BODY)
    b = m.gear_body("b", LARGE, mesh_with=a, towards="x", **BODY)
    arm = m.body("arm", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_arm", m.ground, arm, axis="z")
    m.revolute("hinge_b", arm, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=ELASTIC)
    m.check()
    m = pl.Model("fixed on its arm")
    a = m.gear_body("a", SMALL, **BODY)
    arm = m.body("arm", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    b = m.wheel("b", arm, LARGE, mesh_with=a, towards="x")
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_arm", m.ground, arm, axis="z")
    m.gear_pair("mesh", a, b, mesh=ELASTIC)
    m.check()


def test_faces_that_hardly_meet_are_told_and_counted() -> None:
    m = pl.Model("faces")
    a = m.gear_body("a", SMALL, **BODY)
    b = m.gear_body("b", LARGE, mesh_with=a, towards="x", axial_shift=0.7 * WIDTH, **BODY)
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_b", m.ground, b, axis="z")
    pair = m.gear_pair("mesh", a, b, mesh=pl.Elastic("ISO 6336"))
    assert any("only 30 % of the smaller face is in mesh" in w for w in pair.warnings)
    whole = iso_stiffness(pair.pair).mesh_alpha * WIDTH
    assert pair.law.mean_stiffness == pytest.approx(0.3 * whole, rel=1e-12)


@pytest.mark.parametrize("teeth", [10, 11])
def test_a_pinion_beyond_its_rack(teeth: int) -> None:
    """The middle of the rack's teeth counts; beyond its end within half a pitch a word, farther an error."""
    pitch = math.pi * M
    middle = 0.0 if teeth % 2 else 0.5 * pitch

    def pair(along: float) -> object:
        m = pl.Model("rack")
        a = m.gear_body("a", SMALL, position=(RADIUS, middle + along, 0), **BODY)
        rack = pl.Rack(teeth=teeth, normal_module=M, face_width=WIDTH)
        b = m.gear_body("b", rack, mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
        return m.gear_pair("mesh", a, b, mesh=ELASTIC)

    for side in (1.0, -1.0):
        end = side * 0.5 * teeth * pitch
        assert not any("rack" in w for w in pair(0.99 * end).warnings)
        assert any("beyond the end of the rack" in w for w in pair(end + side * 0.3 * pitch).warnings)
        with pytest.raises(ModelError, match="along the rack"):
            pair(end + side * 0.6 * pitch)


# ---- told afterwards


def test_tips_in_roots_are_told() -> None:
    """Standard wheels have a clearance of a quarter module; the mesh does not resist tips that go deeper."""
    run = pl.dynamics(sliding(ELASTIC, pl.Ramp(0.0, -2e-3, 0.0, 0.01)), duration=0.01, step=1e-5)
    told = [w for w in run.warnings if "closer" in w]
    assert len(told) == 1 and '"mesh": its centres came up to 2 mm closer' in told[0] and "0.5 mm" in told[0]
    quiet = pl.dynamics(sliding(ELASTIC, pl.Ramp(0.0, -0.4e-3, 0.0, 0.01)), duration=0.01, step=1e-5)
    assert not any("closer" in w for w in quiet.warnings)


def test_equilibrium_with_wheels_inside_each_other_is_refused() -> None:
    """Teeth overlap by two modules as built. Statics tells tips in roots, and refuses wheels that are deeper than another tooth."""
    for closer, refused in ((1e-3, False), (10e-3, True)):
        m = sliding(pl.Elastic("2e8 N/m", follow_centres=False), -closer, torque=1.0)
        m.torsion_spring("hold", joint="hinge_b", stiffness=1e3)
        if refused:
            with pytest.raises(SolveError, match='"mesh" are inside each other there: their centres are 10 mm closer'):
                pl.statics(m)
        else:
            told = [w for w in pl.statics(m).warnings if "closer" in w]
            assert len(told) == 1 and "came up to 1 mm closer" in told[0]


def test_teeth_bent_beyond_reason_are_told() -> None:
    """A stiffness in the wrong unit: 100 N on 2e4 N/m bend the teeth by 5 mm, and a pitch has 6.3 mm."""
    m = sliding(pl.Elastic(2e4, along="hoop", damping=50.0, backlash=0.0, follow_centres=False), 0.0)
    m.bushing("held", m.ground, "b", axis="z", stiffness=(0, 0, 0, 0, 0, 1e6), damping=(0, 0, 0, 0, 0, 10.0))
    m.torque("load", "a", (0, 0, pl.Ramp(0.0, 100 * RADIUS, 0.0, 0.2)))
    run = pl.dynamics(m, duration=0.25, step=1e-4)
    assert any("the tooth deflection was up to" in w for w in run.warnings)
