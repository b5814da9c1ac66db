"""Joints, loads and bushings in closed form."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import Probe, accepted, call, energies, exponential, pose, report, residual
from references.element_cases import JOINTS, NODES, WAVE, random_pair, some_bushing, some_joint, some_load

from pitchline.engine.elements.contract import ANGLE, RESIDUAL, encode_measure
from pitchline.parts.springs.kernel import FORCE, TORQUE, bushing

seeds = st.integers(0, 2**32 - 1)

ROWS = {
    "revolute": "tttrr", "spherical": "ttt", "universal": "tttr", "fixed": "tttrrr", "cylindrical": "ttrr",
    "prismatic": "ttrrr", "planar": "trr", "point_on_line": "tt", "point_on_plane": "t", "parallel_axes": "rr",
}  # fmt: skip


def frames_in_world(probe: Probe, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The joint frames of `some_joint` with this seed, in the world."""
    pair = random_pair(np.random.default_rng(seed))
    assert np.array_equal(pair.P, probe.P)
    R = [probe.rotation(0), probe.rotation(1)]
    return [(probe.P[k, :3] + R[k] @ o, R[k] @ F) for k, (o, F) in enumerate(pair.frames)]


@pytest.mark.parametrize("kind", JOINTS)
@settings(max_examples=15)
@given(seed=seeds)
def test_constraint_values_of_joints(kind: str, seed: int) -> None:
    """Which lengths and which products of axes a joint holds at zero."""
    probe = some_joint(np.random.default_rng(seed), kind=kind)
    (oA, A), (oB, B) = frames_in_world(probe, seed)
    x, y, z = A.T
    d = oB - oA
    parallel = [z @ B[:, 0], z @ B[:, 1]]
    expected = {
        "revolute": [*d, *parallel],
        "spherical": [*d],
        "universal": [*d, z @ B[:, 0]],
        "fixed": [*d, *parallel, x @ B[:, 1]],
        "cylindrical": [x @ d, y @ d, *parallel],
        "prismatic": [x @ d, y @ d, *parallel, x @ B[:, 1]],
        "planar": [z @ d, *parallel],
        "point_on_line": [x @ d, y @ d],
        "point_on_plane": [z @ d],
        "parallel_axes": parallel,
    }[kind]
    assert probe.element.rows == ROWS[kind]
    np.testing.assert_allclose(residual(probe)[12:], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("following", [False, True])
@pytest.mark.parametrize("what", [FORCE, TORQUE])
@settings(max_examples=15)
@given(seed=seeds)
def test_loads(what: int, following: bool, seed: int) -> None:
    """The load on B in world or B axes, its reaction on A at the same point of space; power of both."""
    probe = some_load(np.random.default_rng(seed), what=what, following=following)
    waves = probe.functions.view(WAVE)
    wt = waves["omega"] * probe.t
    f = waves["constant"] + waves["slope"] * probe.t + waves["cosine"] * np.cos(wt) + waves["sine"] * np.sin(wt)
    RA, RB = probe.rotation(0), probe.rotation(1)
    fW = RB @ f if following else f
    arm = RB @ probe.element.values["point"]
    point = probe.P[1, :3] + arm
    zero = np.zeros(3)
    if what == FORCE:
        wrenches = [(-fW, np.cross(point - probe.P[0, :3], -fW)), (fW, np.cross(arm, fW))]
    else:
        wrenches = [(zero, -fW), (zero, fW)]
    expected = np.concatenate([-wrenches[0][0], -RA.T @ wrenches[0][1], -wrenches[1][0], -RB.T @ wrenches[1][1]])
    np.testing.assert_allclose(residual(probe), expected, rtol=0, atol=1e-11)
    np.testing.assert_allclose(call(probe, RESIDUAL, load=0.3).r, 0.3 * expected, rtol=0, atol=1e-11)
    assert energies(probe)[2] == pytest.approx(-expected @ probe.V.ravel(), rel=1e-10, abs=1e-10)


@settings(max_examples=15)
@given(seed=seeds)
def test_a_bushing_is_linear_for_small_deformations(seed: int) -> None:
    """Frame B moved by u and turned by phi in the axes of A: force -K_uu u - K_up phi, to first order."""
    rng = np.random.default_rng(seed)
    probe = some_bushing(rng, damped=False)
    K, a, b = probe.element.values["stiffness"], *(probe.element.values["on"][frame] for frame in "ab")
    oA, FA, oB, FB = a["at"], a["axes"].reshape(3, 3), b["at"], b["axes"].reshape(3, 3)
    RA, e = probe.rotation(0), 1e-7
    u, phi = rng.normal(size=(2, 3))
    RB = RA @ FA @ exponential(e * phi) @ FB.T
    xB = probe.P[0, :3] + RA @ (oA + FA @ (e * u)) - RB @ oB
    probe = replace(probe, P=np.stack([probe.P[0], pose(xB, RB)]), V=0 * probe.V, memory=np.zeros(3))
    out = report(probe)
    np.testing.assert_allclose(out["deflection"], e * u, rtol=0, atol=1e-14)
    np.testing.assert_allclose(out["rotation"], e * phi, rtol=0, atol=1e-13)
    effort = -K @ np.concatenate([u, phi])
    W = RA @ FA
    np.testing.assert_allclose(out["force"] / e, W @ effort[:3], rtol=0, atol=1e-5)
    np.testing.assert_allclose(out["moment"] / e, W @ effort[3:], rtol=0, atol=1e-5)


@pytest.mark.parametrize("turns", [0, 1, -3, 1000])
def test_a_bushing_counts_the_turns_of_its_axis(turns: int) -> None:
    """A shaft in its bearing: after whole turns the twist is 2 pi n, and so is the torque of a torsional stiffness."""
    eye = (np.zeros(3), np.eye(3))
    K = np.diag([0, 0, 0, 0, 0, 2.0])
    element = bushing("b", NODES, encode_measure(ANGLE, eye, eye), K, np.zeros((6, 6)))
    h = np.zeros(3)
    P = np.stack([pose(np.zeros(3), np.eye(3))] * 2)
    for step in range(4 * abs(turns) + 1):
        angle = 0.1 + np.sign(turns) * step * np.pi / 2
        P[1, 3:] = exponential(np.array([0, 0, np.remainder(angle, 2 * np.pi)])).ravel()
        probe = Probe(element, P, np.zeros((2, 6)), np.zeros((2, 6)), np.zeros(0), memory=h)
        h = accepted(probe)
    assert h[0] == pytest.approx(0.1 + 2 * np.pi * turns, rel=1e-12)
    assert report(probe)["moment"][2] == pytest.approx(-2 * (0.1 + 2 * np.pi * turns), rel=1e-12)
    assert report(probe)["rotation"][2] == pytest.approx(0.1 + 2 * np.pi * turns, rel=1e-12)
