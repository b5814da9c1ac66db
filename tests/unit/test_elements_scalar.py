"""Measures and laws in closed form: angle, displacement, distance, helix; loads, springs, strings, tables, stops."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from references.element_bench import Probe, accepted, call, energies, exponential, pose, report, reported, residual
from references.element_cases import MEASURES, NODES, Pair, random_pair, some_coordinate

from pitchline.engine.elements.contract import ANGLE, DISPLACEMENT, DISTANCE, RATE, RESIDUAL, encode_measure
from pitchline.engine.elements.frame_motion import coordinate
from pitchline.functions import Constant, Polynomial, Table
from pitchline.parts.bodies.kernel_constraint import scalar_constraint
from pitchline.parts.springs.kernel_load import LAW_LINEAR, LAW_LOAD, LAW_STOP, LAW_TABLE, scalar_force

seeds = st.integers(0, 2**32 - 1)
x_values = st.floats(-2, 2).filter(lambda x: abs(x) > 1e-3)
EYE = (np.zeros(3), np.eye(3))


def on(pair: Pair, element, **more) -> Probe:
    state = {"V": np.zeros((2, 6)), "A": np.zeros((2, 6)), "lam": np.zeros(1 if element.rows else 0)}
    return Probe(element, pair.P, memory=np.array([pair.angle, 0.0, 0.0]), **(state | more))


def apart(x: float, v: float = 0.0, *, law: int, functions: np.ndarray | None = None, **values: float) -> Probe:
    """A law on the displacement along z of B from A, x long and growing by v."""
    element = scalar_force("f", NODES, encode_measure(DISPLACEMENT, EYE, EYE), law, **values)
    P = np.stack([pose(np.zeros(3), np.eye(3)), pose(np.array([0.0, 0.0, x]), np.eye(3))])
    V = np.zeros((2, 6))
    V[1, 2] = v
    F = np.zeros(1) if functions is None else functions
    return Probe(element, P, V, np.zeros((2, 6)), np.zeros(0), functions=F, memory=np.zeros(3))


@pytest.mark.parametrize("name", MEASURES)
@settings(max_examples=20)
@given(seed=seeds, pitch=st.floats(-2, 2))
def test_measures(name: str, seed: int, pitch: float) -> None:
    pair = random_pair(np.random.default_rng(seed))
    (oA, FA), (oB, _) = pair.frames
    xA, xB = (row[:3] + row[3:].reshape(3, 3) @ o for row, o in zip(pair.P, (oA, oB), strict=True))
    slide = (pair.P[0, 3:].reshape(3, 3) @ FA[:, 2]) @ (xB - xA)
    expected = {
        "angle": pair.angle,
        "displacement": slide,
        "distance": np.linalg.norm(xB - xA),
        "helix": slide - pitch * pair.angle,
    }[name]
    element = scalar_constraint("s", NODES, encode_measure(MEASURES[name], *pair.frames, pitch))
    assert report(on(pair, element))["coordinate"] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=30)
@given(start=st.floats(-1e4, 1e4), steps=st.lists(st.floats(-3, 3), min_size=1, max_size=30))
def test_an_angle_counts_every_turn(start: float, steps: list[float]) -> None:
    """Steps of less than half a turn, any number of them: the angle is their sum, without drift."""
    angle, h = start, np.array([start, 0.0, 0.0])
    element = coordinate("c", NODES, encode_measure(ANGLE, EYE, EYE), ("angle",))
    probe = replace(some_coordinate(np.random.default_rng(0)), element=element)
    for step in steps:
        angle += step
        R = exponential(np.array([0.0, 0.0, np.remainder(angle, 2 * np.pi)]))
        probe = replace(probe, P=np.stack([pose(np.zeros(3), np.eye(3)), pose(np.zeros(3), R)]), memory=h)
        assert report(probe)["angle"] == pytest.approx(angle, abs=1e-11 * (1 + abs(angle)))
        h = accepted(probe)
    assert h[0] == pytest.approx(angle, abs=1e-11 * (1 + abs(angle)))


@settings(max_examples=20)
@given(seed=seeds)
def test_reported_rates_of_a_joint(seed: int) -> None:
    """With parallel axes the rate of the angle is z . (omega_B - omega_A)."""
    rng = np.random.default_rng(seed)
    pair = random_pair(rng)
    (oA, FA), (oB, FB) = pair.frames
    RA = pair.P[0, 3:].reshape(3, 3)
    RB = RA @ FA @ exponential(np.array([0.0, 0.0, 0.4])) @ FB.T
    P = np.stack([pair.P[0], pose(pair.P[1, :3], RB)])
    V = rng.normal(size=(2, 6))
    element = coordinate("c", NODES, encode_measure(ANGLE, (oA, FA), (oB, FB)), ("angle",))
    probe = replace(some_coordinate(rng), element=element, P=P, V=V, memory=np.zeros(3))
    expected = (RA @ FA[:, 2]) @ (RB @ V[1, 3:] - RA @ V[0, 3:])
    assert report(probe)["angular_speed"] == pytest.approx(expected, rel=1e-10, abs=1e-10)
    assert report(probe)["angle"] == pytest.approx(0.4, abs=1e-12)


def test_a_load_pushes_along_its_coordinate_and_follows_the_load_factor() -> None:
    """Force on B along z: f(t) times the load factor."""
    probe = apart(1.0, law=LAW_LOAD, function=0, functions=Polynomial([1.0, 2.0, 3.0]).encode())
    probe = replace(probe, t=0.5)
    for factor in (1.0, 0.25):
        r = call(probe, RESIDUAL, load=factor).r
        assert r[8] == pytest.approx(-factor * (1 + 2 * 0.5 + 3 * 0.25))


@given(x=x_values, v=st.floats(-3, 3), k=st.floats(0, 10), c=st.floats(0, 10), string=st.booleans())
def test_springs_and_strings(x: float, v: float, k: float, c: float, string: bool) -> None:
    """e = k x + c v, energy k x^2/2; a string is slack at x <= 0 and never pushes."""
    probe = apart(1.5 + x, v, law=LAW_LINEAR, free=1.5, damping=c, string=string, stiffness=k)
    x = probe.P[1, 2] - 1.5
    e = k * x + c * v
    energy = 0.5 * k * x * x
    if string and x <= 0:
        e = energy = 0.0
    elif string:
        e = max(e, 0.0)
    assert residual(probe)[8] == pytest.approx(e, abs=1e-12)
    assert energies(probe)[1] == pytest.approx(energy, abs=1e-12)
    assert energies(probe)[3] == pytest.approx((e - (k * x if not string or x > 0 else 0.0)) * v, abs=1e-11)


TABLE = ([-1.0, 0.0, 0.5, 2.0], [-3.0, 0.0, 1.0, 10.0])


@given(x=x_values, v=st.floats(-3, 3), c=st.floats(0, 10), string=st.booleans())
def test_tables(x: float, v: float, c: float, string: bool) -> None:
    """Force by interpolation, its ends held; energy by quadrature of the same from zero extension."""
    table = Table(*TABLE)
    codes = [table.encode(), table.integral(0.0, 0.0).encode()]
    values = {"free": 1.0, "damping": c, "string": string, "function": 0, "energy": codes[0].size}
    probe = apart(1.0 + x, v, law=LAW_TABLE, functions=np.concatenate(codes), **values)
    x = probe.P[1, 2] - 1.0
    knots = np.unique(np.clip([*TABLE[0], x], min(x, 0.0), max(x, 0.0)))
    area = float(np.trapezoid(np.interp(knots, *TABLE), knots)) * (1 if x > 0 else -1)
    e = float(np.interp(x, *TABLE)) + c * v
    if string:
        e, area = (max(e, 0.0), area) if x > 0 else (0.0, 0.0)
    assert residual(probe)[8] == pytest.approx(e, abs=1e-11)
    assert energies(probe)[1] == pytest.approx(area, abs=1e-11)


@given(
    x=x_values,
    v=st.floats(-3, 3),
    k=st.floats(0.1, 10),
    c=st.floats(0, 10),
    open_side=st.sampled_from(["", "lower", "upper"]),
)
def test_stops(x: float, v: float, k: float, c: float, open_side: str) -> None:
    """k (x - limit) + c v beyond a limit, never pulling back."""
    lower = -1e300 if open_side == "lower" else -0.7
    upper = 1e300 if open_side == "upper" else 0.9
    beyond = x - lower if x < lower else x - upper if x > upper else 0.0
    assume(not beyond or abs(beyond) > 1e-3)
    e = 0.0
    if beyond < 0:
        e = min(k * beyond + c * v, 0.0)
    elif beyond > 0:
        e = max(k * beyond + c * v, 0.0)
    probe = apart(x, v, law=LAW_STOP, lower=lower, upper=upper, stiffness=k, damping=c)
    assert residual(probe)[8] == pytest.approx(e, abs=1e-11)
    assert energies(probe)[1] == pytest.approx(0.5 * k * beyond**2, abs=1e-11)
    assert energies(probe)[3] >= -1e-12


def test_two_coincident_points_have_no_direction_and_no_force() -> None:
    """The distance has no gradient at zero: nothing, rather than nan."""
    element = scalar_force("f", NODES, encode_measure(DISTANCE, EYE, EYE), LAW_LINEAR, free=1.0, stiffness=5.0)
    P = np.stack([pose(np.zeros(3), np.eye(3))] * 2)
    probe = Probe(element, P, np.ones((2, 6)), np.zeros((2, 6)), np.zeros(0), memory=np.zeros(3))
    assert not np.any(residual(probe))


@settings(max_examples=20)
@given(turns=st.integers(-(10**6), 10**6), gap=st.floats(-3, 3))
def test_a_driven_angle_is_compared_to_the_nearest_turn(turns: int, gap: float) -> None:
    """Phi = s - s* with both a million turns away costs only the digits of the target itself."""
    target = 0.3 + 2 * np.pi * turns
    element = scalar_constraint("d", NODES, encode_measure(ANGLE, EYE, EYE), function=0, rotational=True)
    R = exponential(np.array([0.0, 0.0, 0.3 + gap]))
    P = np.stack([pose(np.zeros(3), np.eye(3)), pose(np.zeros(3), R)])
    probe = Probe(element, P, np.zeros((2, 6)), np.zeros((2, 6)), np.ones(1), functions=Constant(target).encode(),
                  memory=np.zeros(3))  # fmt: skip
    assert residual(probe)[12] == pytest.approx(gap, abs=4e-16 * abs(target) + 1e-14)


@pytest.mark.parametrize(("kind", "start"), [(ANGLE, 0.2), (DISPLACEMENT, 0.4)])
def test_the_load_factor_brings_a_drive_from_its_start_to_its_target(kind: int, start: float) -> None:
    """s* = start + load (f - start): start is in the memory, angle and displacement apart."""
    element = scalar_constraint("d", NODES, encode_measure(kind, EYE, EYE), function=0)
    P = np.stack([pose(np.zeros(3), np.eye(3)), pose(np.array([0.0, 0.0, 1.0]), np.eye(3))])
    probe = Probe(element, P, np.zeros((2, 6)), np.zeros((2, 6)), np.ones(1), functions=Constant(0.9).encode(),
                  memory=np.array([0.0, 0.2, 0.4]))  # fmt: skip
    here = 0.0 if kind == ANGLE else 1.0
    for load in (0.0, 0.25, 1.0):
        assert call(probe, RESIDUAL, load=load).r[12] == pytest.approx(here - (start + load * (0.9 - start)), abs=1e-14)


def test_a_drive_reports_its_effort_and_power() -> None:
    """effort = -lambda on B along the coordinate; power = effort times the imposed rate."""
    element = scalar_constraint("d", NODES, encode_measure(DISPLACEMENT, EYE, EYE), function=0)
    P = np.stack([pose(np.zeros(3), np.eye(3)), pose(np.array([0.0, 0.0, 1.0]), np.eye(3))])
    V = np.zeros((2, 6))
    V[1, 2] = 2.0
    probe = Probe(element, P, V, np.zeros((2, 6)), np.array([3.0]), functions=Polynomial([1.0, 2.0]).encode(),
                  memory=np.zeros(3))  # fmt: skip
    out = {
        "kinetic": 0,
        "potential": 0,
        "power_in": -6,
        "power_out": 0,
        "coordinate": 1,
        "rate": 2,
        "effort": -3,
        "power": -6,
    }
    assert reported(probe) == out
    assert call(probe, RATE).r[12] == 0
