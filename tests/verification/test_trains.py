"""Gears on rigid bearings: stepped as scalar coordinates, they move as in space.

The mesh frame of wheels on fixed axes is constant, so that the approach of the teeth is an affine function of their angles,
for every kind of pair and however the axes lie. A train takes drives as constraints on positions. If the general way does
too, both differ by rounding and by what Newton leaves (relative 1e-7 of the accelerations by default, tightened here). In the
stabilised form the constraints hold in speeds also: the difference is the error of the method, of second order.
"""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.train_search import NotATrain, find_train
from pitchline.engine.solvers.integrator import SampleStore
from pitchline.gears import cone_angles

TWO_PI = 2 * math.pi
RIPPLE = pl.Fourier(TWO_PI, 2e8, cos=[3e7, 1e7], sin=[0.0, 5e6], over="angle")
RUNOUT = pl.Varying(pl.Fourier(TWO_PI, 0.0, sin=[5e-6], over="angle"), over="revolution of b")
EXACT = {"newton_tolerance": 1e-12}
SHOWN = (
    *(f"mesh.{x}" for x in ("normal_force", "approach", "deflection", "stiffness", "contact", "psi_a", "psi_b", "force_a")),
    *(f"on a.{x}" for x in ("angle", "angular_speed", "force")), "on b.angle", "on b.displacement", "on b.force",
    "coupling.rotation", "coupling.moment", "return.torque", "speed.torque", "a.angular_acceleration",
)  # fmt: skip


def gear(teeth: int, **more: object) -> pl.Gear:
    return pl.Gear(teeth=teeth, normal_module="3 mm", face_width="25 mm", **more)


def wheels(kind: str) -> tuple[pl.Gear, pl.Gear | pl.Rack, dict[str, object]]:
    a, b = cone_angles(19, 31, math.pi / 2)
    return {
        "spur": (gear(19), gear(31), {}),
        "helical": (gear(19, helix_angle=0.3), gear(31, helix_angle=-0.3), {}),
        "internal": (gear(19), gear(57, internal=True, rim_diameter="220 mm"), {}),
        "bevel": (gear(19, cone_angle=a), gear(31, cone_angle=b), {}),
        "crossed": (gear(19, helix_angle=0.5), gear(31, helix_angle=0.6), {"shaft_angle": 1.1}),
        "rack": (gear(19), pl.Rack(normal_module="3 mm", teeth=60, face_width="25 mm"), {}),
    }[kind]


def machine(kind: str = "spur", *, load: object = 40.0, friction: float | None = None, **mesh: object) -> pl.Model:
    """A motor, a shaft, a pair of wheels anywhere in space, a load."""
    first, second, how = wheels(kind)
    m = pl.Model(f"train {kind}")
    axis = np.array([0.3, -0.5, 0.8])
    a = m.gear_body("a", first, position=(0.1, 0.2, -0.1), axis=axis, phase=0.4)
    rack = isinstance(second, pl.Rack)
    more = {"mass": 3.0, "inertia": (0.01, 0.01, 0.01)} if rack else {}
    b = m.gear_body("b", second, mesh_with=a, **how, **more)
    z = a.orientation[:, 2]
    motor = m.body("motor", mass=1.0, inertia=(4e-3,) * 3, position=a.position - 0.2 * z, orientation=a.orientation)
    on_a = m.revolute("on a", m.ground, a)
    drive = m.revolute("shaft", m.ground, motor)
    m.bushing("coupling", motor, a, at=a.position, axis=z, stiffness=(0, 0, 0, 0, 0, 2e3), damping=(0, 0, 0, 0, 0, 0.4))
    m.torsion_spring("return", on_a, stiffness=3.0, damping=0.01)
    if rack:
        out = m.prismatic("on b", m.ground, b, axis=b.orientation[:, 1])
        m.force("load", out, 300.0)
    else:
        out = m.revolute("on b", m.ground, b)
        m.torque("load", out, load)
    m.torque("brake", "a", tuple(0.5 * z))
    # a damper that acts in contact alone jumps there: a step may end on either side of the jump
    law = {"damping_ratio": 0.05, "damping_acts": "always", "backlash": "30 um", "error": RUNOUT} | mesh
    if rack:
        law["error"] = pl.Fourier(TWO_PI, 0.0, cos=[5e-6], over="angle")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(RIPPLE, friction=friction, **law))
    m.drive("speed", drive, speed=pl.Ramp(0, 60, 0, "20 ms"))
    return m


def is_train(m: pl.Model) -> bool:
    try:
        find_train(*compile_model(m))
    except NotATrain:
        return False
    return True


@pytest.mark.parametrize("kind", ["spur", "helical", "internal", "bevel", "crossed", "rack"])
@pytest.mark.parametrize("consistent", [True, False])
def test_same_motion_as_in_space(kind: str, consistent: bool) -> None:
    m = machine(kind, energy_consistent=consistent)
    assert is_train(m)
    options = {"duration": "30 ms", "step": "20 us", "output_step": "1 ms", **EXACT}
    scalar, spatial = (pl.dynamics(m, **options, reduce=reduce, stabilised=False) for reduce in (True, False))
    assert scalar.statistics["evaluator"] == "train of hinged wheels"
    assert list(scalar.signals) == list(spatial.signals)
    for name in SHOWN:
        if name in scalar:
            one, other = scalar[name].values, spatial[name].values
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-6 * max(np.abs(other).max(), 1e-6), err_msg=name)


def test_the_stabilised_form_differs_by_its_error_of_second_order() -> None:
    """In short steps the general way is stabilised by default, a train is not: their motions come together as h^2."""
    apart = []
    for step in ("20 us", "10 us"):
        options = {"duration": "10 ms", "step": step, "output_step": "1 ms", **EXACT}
        scalar, spatial = pl.dynamics(machine(), **options), pl.dynamics(machine(), **options, reduce=False)
        apart.append(np.abs(scalar["on a.angle"].values - spatial["on a.angle"].values).max())
    assert apart[0] < 1e-7 * np.abs(spatial["on a.angle"].values).max()
    assert math.log2(apart[0] / apart[1]) == pytest.approx(2.0, abs=0.15)


def test_energy_is_accounted_for_as_in_space() -> None:
    m = machine("bevel")
    options = {"duration": "30 ms", "step": "10 us", **EXACT}
    scalar, spatial = pl.dynamics(m, **options), pl.dynamics(m, **options, reduce=False)
    for name in ("work", "dissipated", "kinetic", "potential"):
        a, b = scalar[f"energy.{name}"].values[-1], spatial[f"energy.{name}"].values[-1]
        assert a == pytest.approx(b, rel=1e-6)


def test_turns_cost_no_digit() -> None:
    """After a thousand turns at constant speed the pair is in the state of the first one: the approach repeats to rounding."""
    first, second, _ = wheels("spur")
    m = pl.Model("long run")
    a = m.gear_body("a", first, axis="z")
    b = m.gear_body("b", second, mesh_with=a)
    m.drive("speed", m.revolute("on a", m.ground, a), speed=100 * TWO_PI)
    m.torque("load", m.revolute("on b", m.ground, b), 20.0)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("1e8 N/m", damping_ratio=0.5))
    assert is_train(m)
    settled = pl.dynamics(m, duration="10 s", step="0.5 ms", output_step="1 s", start=pl.kinematics(m, times=[0, 1e-9]))
    approach = settled["mesh.approach"].values
    assert settled["on a.angle"].values[-1] == pytest.approx(1000 * TWO_PI, abs=1e-6)
    base = 3e-3 * 31 / 2 * math.cos(math.radians(20))
    expected = 20.0 / base / 1e8
    np.testing.assert_allclose(np.abs(approach[1:]), expected, rtol=0, atol=2e-12)


REASONS = {
    "friction": 'the teeth of "mesh" have friction',
    "flexible bearing": 'body "free" neither rotates about one fixed axis nor slides along one',
    "unbalance": 'the weight of body "heavy" causes a torque, or its axis is not a principal axis',
    "rigid teeth with play": 'the rigid teeth of "other mesh" have play or errors',
    "a stop": 'the force of "end" is not linear',
    "a force": '"push" is of a kind that trains do not support: force',
    "error control": "the step size is controlled by the error",
}


@pytest.mark.parametrize("why", REASONS)
def test_what_is_not_scalar_takes_the_general_way(why: str) -> None:
    m = machine(friction=0.05 if why == "friction" else None)
    if why == "flexible bearing":
        free = m.gear_body("free", gear(25), position=(0, 0, 1))
        m.bushing("bearing", m.ground, free, stiffness=(1e7,) * 6)
    elif why == "unbalance":
        m.gravity = (0, 0, -9.81)
        heavy = m.body("heavy", mass=1.0, inertia=(1e-3,) * 3, centre_of_mass=(0.01, 0, 0), position=(1, 0, 0))
        m.revolute("on heavy", m.ground, heavy, axis="y")
    elif why == "rigid teeth with play":
        first, second, _ = wheels("spur")
        c = m.gear_body("c", first, position=(1, 0, 0), axis="z")
        d = m.gear_body("d", second, mesh_with=c)
        m.revolute("on c", m.ground, c)
        m.revolute("on d", m.ground, d)
        m.gear_pair("other mesh", c, d, mesh=pl.Rigid(backlash="20 um"))
    elif why == "a stop":
        m.stop("end", "on a", lower=-1.0, upper=1.0, stiffness=10.0)
    elif why == "a force":
        m.force("push", "a", (0.0, 0.0, 1.0))
    assert is_train(m) == (why == "error control")
    options = {"tolerance": 1e-6} if why == "error control" else {"step": "50 us"}
    run = pl.dynamics(m, duration="2 ms", **options)
    assert run.status is pl.Status.COMPLETED
    assert run.statistics["evaluator"] == f"general: {REASONS[why]}"
    assert f"evaluator: general: {REASONS[why]}" in run.summary()


def test_the_result_says_that_it_ran_as_a_train() -> None:
    run = pl.dynamics(machine(), duration="1 ms", step="50 us")
    assert run.statistics["evaluator"] == "train of hinged wheels"
    assert "evaluator: train of hinged wheels" in run.summary()


def test_the_same_bits_in_pieces_and_resumed(tmp_path, monkeypatch) -> None:
    options = {"duration": "20 ms", "step": "20 us", "output_step": "0.2 ms"}
    whole = pl.dynamics(machine(), **options)

    def progress(now: float, end: float) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "run.npz"
    part = pl.dynamics(machine(), **options, checkpoint=file, progress=progress)
    assert part.status is pl.Status.INTERRUPTED
    rest = pl.resume(machine(), file)
    monkeypatch.setattr(SampleStore, "BLOCK", 7)
    pieces = pl.dynamics(machine(), **options)
    for other in (rest, pieces):
        for name in whole.signals:
            assert np.array_equal(whole[name].values, other[name].values), name


def row_of_wheels(number: int, mesh: object = None) -> pl.Model:
    """Wheels of 20 and 30 teeth in turn, each rolling on the next; a torque on the first, a brake on the last."""
    m = pl.Model("row")
    x = 0.0
    hinges = []
    for i in range(number):
        body = m.body(f"w{i}", mass=1.0, inertia=(5e-4, 5e-4, 2e-4 * (1 + i % 3)), position=(x, 0, 0))
        hinges.append(m.revolute(f"h{i}", m.ground, body))
        if i:
            m.gear_pair(f"g{i}", f"w{i - 1}", f"w{i}", mesh=pl.Rolling(ratio=(1.5, 2 / 3)[i % 2 == 0]))
        x += 0.05
    m.torque("motor", hinges[0], 0.3)
    m.torsion_spring("brake", hinges[-1], damping=0.01)
    return m


def test_a_row_of_rolling_wheels_moves_as_one() -> None:
    """d(omega)/dt = (T g_0 - c g_n^2 omega)/J, J = sum g_i^2 I_i; tooth forces from the balance of the wheels beyond."""
    m = row_of_wheels(7)
    assert is_train(m)
    run = pl.dynamics(m, duration=0.5, step=1e-4, output_step=0.05)
    inertia = np.array([2e-4 * (1 + i % 3) for i in range(7)])
    gain = np.array([(1.0, -2 / 3)[i % 2] for i in range(7)])
    J, c = float(inertia @ gain**2), 0.01 * gain[-1] ** 2
    speed = 0.3 / c * (1 - np.exp(-c / J * run.time))
    np.testing.assert_allclose(run["h0.angular_speed"].values, speed, rtol=0, atol=1e-6 * speed.max())
    for i in range(7):
        np.testing.assert_allclose(run[f"h{i}.angle"].values, gain[i] * run["h0.angle"].values, rtol=0, atol=1e-12)
    spatial = pl.dynamics(m, duration=0.5, step=1e-4, output_step=0.05, reduce=False)
    for i in range(1, 7):
        force = spatial[f"g{i}.tangential_force"].values
        np.testing.assert_allclose(
            run[f"g{i}.tangential_force"].values[1:], force[1:], rtol=0, atol=1e-6 * np.abs(force).max()
        )


def test_wheels_tied_in_a_loop_take_the_general_way() -> None:
    """Four equal wheels round a square hold one motion four times: redundant, and left to the analysis of rank."""
    m = pl.Model("square")
    for i, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        body = m.body(f"w{i}", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(x, y, 0))
        m.revolute(f"h{i}", m.ground, body)
    for i in range(4):
        m.gear_pair(f"g{i}", f"w{i}", f"w{(i + 1) % 4}", mesh=pl.Rolling(ratio=1))
    m.torque("motor", "h0", 1.0)
    assert not is_train(m)
    run = pl.dynamics(m, duration=0.5, step=1e-3)
    assert run["h2.angle"].values[-1] == pytest.approx(0.5 * (1.0 / 4) * 0.5**2, rel=1e-9)


def test_a_wheel_that_turns_far_in_a_step_is_stepped_in_pieces() -> None:
    """5 rad a step: more than whole turns can be counted from."""
    m = pl.Model("fast")
    m.body("a", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 50))
    m.body("b", mass=1, inertia=(1, 1, 1), position=(0.2, 0, 0), angular_velocity=(0, 0, -50))
    hinge = m.revolute("hinge a", m.ground, "a")
    m.revolute("hinge b", m.ground, "b")
    m.gear_pair("mesh", "a", "b", mesh=pl.Rolling(ratio=1))
    result = pl.dynamics(m, duration=1.0, step=0.1)
    assert result[f"{hinge.name}.angle"].final == pytest.approx(50.0, rel=1e-12)
