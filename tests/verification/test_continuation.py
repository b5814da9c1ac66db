"""Branches of periodic motions: maps with closed forms, and a gear pair with backlash against sweeps, Floquet and Liouville."""

import math

import numpy as np
import pytest
from references.backlash_flow import BacklashFlow
from references.map_flow import circle, logistic, neimark_sacker, pitchfork

import pitchline as pl
from pitchline.studies.continuation.branch import Corrector, around_corner

UP, DOWN = 0.89812791, 0.69527348
"""Folds of the pair with 400 cut steps a cycle; with 1600 uncut ones 0.89813 and 0.69527."""


# ---- maps


def test_period_doublings_of_the_logistic_map():
    """r = 3, then 1 + sqrt(6) on the branch of two cycles, which is x± = (r + 1 ± sqrt((r - 3)(r + 1))) / 2r."""
    one = pl.continuation(logistic(), over="r", start=2.5, end=3.6)
    (first,) = one.doublings
    assert first.parameter == pytest.approx(3.0, abs=2e-8)
    assert first.multiplier == pytest.approx(-1.0, abs=1e-9)
    assert list(one.stable) == [r <= 3.0 + 1e-7 for r in one.parameter]
    two = one.switch(first, cycles=2)
    (second,) = two.doublings
    assert second.parameter == pytest.approx(1 + math.sqrt(6), abs=2e-8)
    r = two.parameter[1:]
    root = np.sqrt((r - 3) * (r + 1))
    expected = np.stack([(r + 1 + root) / (2 * r), (r + 1 - root) / (2 * r)])
    assert np.abs(two.states[1:, 0] - expected).min(axis=0).max() < 1e-8
    four = two.switch(second)
    assert four.cycles == 4
    assert four.doublings[0].parameter == pytest.approx(3.5440903596, abs=2e-8)


def test_fold_of_a_subharmonic_motion():
    """The motion of three cycles of the logistic map begins at r = 1 + sqrt(8)."""
    flow = logistic()
    start = flow.settle(np.array([0.5]), 3.84, 3000)
    branch = pl.continuation(flow, over="r", start=3.84, end=3.8, cycles=3, state=start, settle=0)
    assert branch.folds[0].parameter == pytest.approx(1 + math.sqrt(8), abs=1e-9)
    assert branch.folds[0].multiplier == pytest.approx(1.0, abs=1e-6)
    assert branch.folds[0].sweep == "down"
    assert branch.stable[0] and not branch.stable[-1]


def test_torus():
    branch = pl.continuation(neimark_sacker(0.7), over="p", start=-0.2, end=0.3)
    (torus,) = branch.tori
    assert torus.parameter == pytest.approx(0.0, abs=1e-9)
    assert torus.angle == pytest.approx(0.7, abs=1e-9)
    assert not branch.folds and not branch.doublings and not branch.intersections
    assert list(branch.stable) == [p <= 1e-6 for p in branch.parameter]


def test_intersection_and_both_halves_of_the_other_branch():
    branch = pl.continuation(pitchfork(), over="p", start=-0.5, end=0.5)
    (point,) = branch.intersections
    assert point.parameter == pytest.approx(0.0, abs=1e-8)
    assert not branch.folds
    for side in (1, -1):
        other = branch.switch(point, side=side)
        x, p = other.states[1:, 0], other.parameter[1:]
        np.testing.assert_allclose(x * x, p, atol=1e-7)
        assert np.all(other.stable[1:])
        assert p[-1] == 0.5


def test_a_disturbed_intersection_is_none():
    """With x -> (1 + p) x - x^3 + shift the branches separate: one goes past without a special point."""
    branch = pl.continuation(pitchfork(0.01), over="p", start=-0.5, end=0.5)
    assert not branch.special and branch.complete


def test_closed_branch():
    """The unit circle: folds at p = 1 and p = -1, and the branch ends where it began."""
    branch = pl.continuation(circle(), over="p", start=0.0, end=2.0, settle=0, max_step=0.02)
    assert [fold.parameter for fold in branch.folds] == pytest.approx([1.0], abs=1e-12)
    assert branch.parameter[-1] == 0.0 and branch.states[-1, 0] == pytest.approx(-1.0)
    whole = pl.continuation(circle(), over="p", start=0.0, end=2.0, limits=(-2.0, 2.0), settle=0, max_step=0.02)
    assert [fold.parameter for fold in whole.folds] == pytest.approx([1.0, -1.0], abs=1e-12)
    assert "closed" in whole.ended and whole.complete


@pytest.mark.parametrize("direction", [1, -1])
def test_a_smooth_branch_is_not_left_backwards(direction):
    """Where a step fails without a corner, the search for one does not find the part of the branch that was followed."""
    corrector = Corrector(circle(), 1, 1.0, np.ones(1))
    points = []
    for angle in direction * np.linspace(0.3, 0.8, 12) + (0.0 if direction > 0 else 1.1):
        tangent = direction * np.array([-np.sin(angle), np.cos(angle)])
        points.append(corrector.on_plane(np.array([np.cos(angle), np.sin(angle)]), tangent, tangent))
    found = around_corner(corrector, points, 0.6)
    if found is not None:
        assert (corrector.scaled(found) - corrector.scaled(points[-1])) @ points[-1].tangent > 0.0


# ---- gear pair with backlash


@pytest.fixture(scope="module")
def branch():
    return pl.continuation(BacklashFlow(), over="w", start=2.4, end=0.6)


def test_folds_of_the_pair(branch):
    """Where sweeps jump up and down; the multiplier is 1, and between them the motions are unstable."""
    down, up = branch.folds
    assert (down.sweep, up.sweep) == ("down", "up")
    assert up.parameter == pytest.approx(UP, abs=1e-7)
    assert down.parameter == pytest.approx(DOWN, abs=1e-7)
    for fold in branch.folds:
        assert fold.multiplier == pytest.approx(1.0, abs=1e-7)
        assert 0.0 < fold.error < 1e-8
    between = slice(down.index + 1, up.index)
    assert not branch.stable[between].any()
    assert branch.stable[up.index + 1 :].all()
    assert branch.complete and branch.parameter[-1] == 0.6


@pytest.mark.parametrize("max_step", [0.01, 0.3])
def test_folds_do_not_depend_on_the_steps_along_the_branch(max_step):
    found = pl.continuation(BacklashFlow(), over="w", start=1.4, end=0.6, max_step=max_step)
    assert [fold.parameter for fold in found.folds] == pytest.approx([DOWN, UP], abs=1e-8)


def test_folds_are_of_fourth_order_with_cut_steps():
    """The error of the time steps decreases with their fourth power, and is the one that the fold states."""
    found = [pl.continuation(BacklashFlow(steps=n), over="w", start=1.4, end=0.6).folds[0] for n in (100, 200)]
    errors = [abs(fold.parameter - DOWN) for fold in found]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.7)
    for fold, error in zip(found, errors, strict=True):
        assert 0.3 < fold.error / error < 3.0


def test_steps_over_the_corners_of_the_law_give_no_false_folds():
    """Without cut steps the map has small corners. Folds that are nearer than the error of the steps are not distinguished."""
    for max_step in (0.005, 0.05):
        found = pl.continuation(BacklashFlow(cut=False), over="w", start=1.4, end=0.6, max_step=max_step)
        assert [fold.sweep for fold in found.folds] == ["down", "up"]
        assert [fold.parameter for fold in found.folds] == pytest.approx([DOWN, UP], abs=4e-4)


def test_product_of_the_multipliers(branch):
    """Liouville: exp(-2 z T) at every point of the branch, stable or not."""
    expected = np.exp(-2 * 0.03 * 2 * np.pi / branch.parameter)
    np.testing.assert_allclose(branch.multipliers.prod(axis=1), expected, rtol=5e-8)


def test_motions_repeat(branch):
    flow = branch.study.flow
    for k in range(0, len(branch), 9):
        end = flow.settle(branch.states[k], branch.parameter[k], 1)
        np.testing.assert_allclose(end, branch.states[k], atol=1e-8)


def test_stable_motions_attract_and_unstable_ones_do_not(branch):
    """A small deviation decays over 200 cycles, or grows."""
    flow = branch.study.flow
    for k in branch.at(0.8):
        y, w = branch.states[k], branch.parameter[k]
        later = flow.settle(y + [1e-4, 0.0], w, 200)
        assert (np.abs(later - y).max() < 1e-7) == branch.stable[k]


def test_sweeps_jump_at_the_folds(branch):
    """A sweep up leaves the lower branch between 0.895 and 0.9; the largest multiplier passes 1 there."""
    flow = branch.study.flow
    for start, way, fold in ((0.885, 0.0025, UP), (0.71, -0.0025, DOWN)):
        upper = way < 0.0
        y = branch.states[branch.at(start)[0 if upper else -1]]
        ranges, speeds = [], start + way * np.arange(10)
        for w in speeds:
            y = flow.settle(y, w, 400)
            ranges.append(flow.shoot(y, w, 1).figures["x.peak_to_peak"])
        jump = int(np.argmax(np.abs(np.diff(ranges))))
        assert min(speeds[jump : jump + 2]) < fold < max(speeds[jump : jump + 2])


def mathieu(eps, zeta, speed):
    """Pair of wheels: x'' + 2 zeta x' + (1 + eps cos z speed t) x = 0 of the approach of the teeth."""
    m = pl.Model("pair")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0,) * 3)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1.0,) * 3)
    shaft = m.revolute("shaft", m.ground, a)
    m.revolute("output", m.ground, b)
    m.drive("motor", shaft, speed=speed)
    wave = pl.Varying(pl.Fourier("360 deg", 1.0, cos=[eps], over="angle"))
    mesh = pl.Elastic(wave, along="hoop", damping=2 * zeta, damping_acts="always", backlash=0, energy_consistent=False)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def test_period_doublings_are_the_limits_of_parametric_resonance(branch):
    """Above 1.9 the teeth do not part: the multipliers are those of Mathieu's equation, by another method."""
    upper, lower = branch.doublings
    speeds = np.array([lower.parameter, upper.parameter]) / 20
    found = pl.floquet(mathieu(0.2, 0.03, 0.1), "shaft", speeds)
    np.testing.assert_allclose(found.multipliers[:, 0, 0], -1.0, atol=1e-6)
    for point, mu in zip((lower, upper), found.multipliers[:, 0], strict=True):
        np.testing.assert_allclose(np.sort(point.multipliers.real), np.sort(mu.real), atol=1e-6)


def test_branch_of_twice_the_period(branch):
    """It begins upright, as a linear motion has any amplitude, and bends to lower speeds when the teeth part."""
    two = branch.switch(branch.doublings[0], cycles=2)
    flow = branch.study.flow
    assert two.cycles == 2 and two.parameter[0] == branch.doublings[0].parameter
    for k in range(1, len(two), 12):
        y, w = two.states[k], two.parameter[k]
        size = max(1.0, np.abs(y).max())
        np.testing.assert_allclose(flow.settle(y, w, 2), y, atol=1e-7 * size)
        assert np.abs(flow.settle(y, w, 1) - y).max() > 1e-4
    upright = two["contact_loss"][: len(two) // 3] == 0.0
    np.testing.assert_allclose(two.parameter[: len(two) // 3][upright], two.parameter[0], atol=1e-8)
    (fold,) = two.folds
    assert fold.sweep == "down" and fold.parameter == pytest.approx(1.345397, abs=1e-5)
    assert "grows without limit near 2.07" in two.ended and not two.complete
    # above the fold a motion stays on the branch, below it leaves
    y = two.states[fold.index - 2]
    assert np.abs(flow.settle(y, 1.347, 400) - y).max() < 0.01
    assert np.abs(flow.settle(y, 1.343, 400) - y).max() > 0.05


def test_branch_between_two_period_doublings():
    """With a backlash that the motion never crosses, the branch of two cycles ends at the other period doubling."""
    one = pl.continuation(BacklashFlow(backlash=9.0), over="w", start=2.3, end=1.7)
    first, second = one.doublings
    for begin, end in ((first, second), (second, first)):
        two = one.switch(begin, limits=(0.5, 2.3))
        assert two.ended == "the branch joins that of 1 cycle at another period doubling"
        assert two.complete and len(two.folds) == 1 and len(two.intersections) == 1
        assert two.parameter[-1] == pytest.approx(end.parameter, abs=1e-6)
        np.testing.assert_allclose(two.states[-1], end.state, atol=1e-3)


def test_linear_oscillator_has_the_multipliers_of_its_eigenvalues():
    """exp(lambda T) with lambda = -z ± i sqrt(1 - z^2)."""
    found = pl.continuation(BacklashFlow(0.1, 0.0, 0.1, 0.0, steps=800), over="w", start=1.5, end=0.8, max_step=0.3)
    eigenvalue = -0.1 + 1j * math.sqrt(1 - 0.01)
    expected = np.exp(eigenvalue * 2 * np.pi / found.parameter)
    expected = np.where(expected.imag < 0.0, expected.conj(), expected)
    np.testing.assert_allclose(found.multipliers[:, 0], expected, atol=1e-8)
    assert np.all(found.stable) and not found.special
