"""The element of elastic flanks: balance, objectivity and tangents of what every gear pair owes, at rest and within a step; what it
remembers, and when; its modes as coordinates of their own.

The common contract of elements (tests/unit/test_element_contract.py) does not fit: its force belongs to a step, and its tangent
leaves out what is small (the change of compliance with the phase).
"""

import math
from typing import Any

import numpy as np
import pytest
from references.element_bench import moved, random_rotation
from references.flank_bench import FlankBench
from references.observed_order import observed_order
from scipy.integrate import solve_ivp

import pitchline as pl
from pitchline.engine.elements.contract import TANGENT
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.parts.gears.teeth import Teeth
from pitchline.parts.meshes.kernel_flank import flank_alone

H = 1e-6
TURNING = np.array([[0, 0, 0, 0, 0, 200.0], [0, 0, 0, 0, 0, -200.0 * 17 / 23]])


@pytest.fixture(scope="module")
def bench() -> FlankBench:
    return FlankBench(damping_ratio=0.02)


# ----------------------------------------------------------------------------------------------------- what every pair owes


@pytest.mark.parametrize("turn", [1e-3, -1e-3])
def test_forces_and_moments_balance(bench: FlankBench, turn: float) -> None:
    """At rest and within a step: what A gets B gives, force and moment about any point."""
    P = bench.pressed(turn)
    bench.rest(bench.built)
    for h in (0.0, H):
        bench.begin_from(bench.built, h)
        r, _ = bench.look(P, h=h)
        R = [P[k, 3:].reshape(3, 3) for k in range(2)]
        force = r[:3] + r[6:9]
        moment = sum(R[k] @ r[6 * k + 3 : 6 * k + 6] + np.cross(P[k, :3], r[6 * k : 6 * k + 3]) for k in range(2))
        size = np.linalg.norm(r[:3])
        assert size > 100.0
        assert np.linalg.norm(force) < 1e-12 * size
        assert np.linalg.norm(moment) < 1e-12 * size


def test_the_element_does_not_care_where_the_world_is(bench: FlankBench) -> None:
    rng = np.random.default_rng(1)
    P = bench.pressed(1e-3)
    Q, x0 = random_rotation(rng), rng.standard_normal(3)
    turned = P.copy()
    for k in range(2):
        turned[k, :3], turned[k, 3:] = x0 + Q @ P[k, :3], (Q @ P[k, 3:].reshape(3, 3)).ravel()
    found = []
    for X in (P, turned):
        bench.rest(X)
        found.append(bench.look(X)[0])
    here, there = found
    for k in (0, 6):
        np.testing.assert_allclose(there[k : k + 3], Q @ here[k : k + 3], atol=1e-6 * np.abs(here).max())
        np.testing.assert_allclose(there[k + 3 : k + 6], here[k + 3 : k + 6], atol=1e-6 * np.abs(here).max())


STEPS = np.tile([1e-9] * 3 + [1e-7] * 3, 2)


def differences(bench: FlankBench, P: np.ndarray, *, opened: bool) -> np.ndarray:
    """Central differences of the residual at rest by the poses."""
    columns = []
    for j, e in enumerate(STEPS):
        sides = []
        for sign in (1.0, -1.0):
            dq = np.zeros(12)
            dq[j] = sign * e
            sides.append(bench.look(moved(P, dq.reshape(2, 6)), opened=opened)[0])
        columns.append((sides[0] - sides[1]) / (2.0 * e))
    return np.array(columns).T


def test_the_tangent_is_nearly_the_derivative_of_the_residual(bench: FlankBench) -> None:
    """Central differences, contact at rest; what the tangent leaves out is below a percent of it."""
    P = bench.pressed(1e-3)
    bench.rest(bench.built)
    J = bench.look(P, TANGENT)[1]
    found = differences(bench, P, opened=False)
    scale = np.abs(found).max(axis=0)
    kept = scale > 1e-3 * scale.max()
    assert np.abs(J - found)[:, kept].max() < 1e-2 * scale.max()


def test_within_a_short_step_the_gears_answer_by_inertia(bench: FlankBench) -> None:
    """The shorter the step, the less the modes can yield: the force of a sudden approach grows towards that of the residual
    compliance alone."""
    P = bench.pressed(2e-4)
    bench.rest(bench.built)

    def force(h: float) -> float:
        bench.begin_from(bench.built, h)
        return float(np.linalg.norm(bench.look(P, h=h)[0][:3]))

    forces = [force(h) for h in (1e-5, 3e-6, 1e-6)]
    assert force(0.0) < forces[1] < forces[2]


def test_wheels_pushed_into_each_other_touch_on_both_flanks(bench: FlankBench) -> None:
    """Teeth without backlash that follow their centres: forces along the hoop cancel, those that part the wheels add up, and all of
    them are the gradient of the energy."""
    P = moved(bench.built, np.array([[0.0] * 6, [-2e-5, 0.0, 0.0, 0.0, 0.0, 2e-6]]))
    bench.rest(P)
    found = bench.report()
    assert found["contact_force"] > 500.0 and abs(found["normal_force"]) < 0.2 * found["contact_force"]
    assert np.abs(found["pair_forces"]).sum() < found["contact_force"]  # a tooth touches on both sides
    r, J = bench.look(P, TANGENT)
    assert r[6] == pytest.approx(-found["contact_force"] * math.sin(math.radians(20.0)), rel=1e-2)
    for j, e in ((6, 1e-9), (11, 1e-7)):
        energies, residuals = [], []
        for sign in (1.0, -1.0):
            dq = np.zeros(12)
            dq[j] = sign * e
            Q = moved(P, dq.reshape(2, 6))
            residuals.append(bench.look(Q)[0])
            bench.rest(Q)
            energies.append(bench.report()["potential"])
            bench.rest(P)
        assert r[j] == pytest.approx((energies[0] - energies[1]) / (2.0 * e), rel=1e-3, abs=1e-2)
        assert J[6, j] == pytest.approx((residuals[0] - residuals[1])[6] / (2.0 * e), rel=2e-2, abs=1e-3 * abs(J[6, 6]))


# ------------------------------------------------------------------------------------------------- what it keeps, and when


def test_nothing_is_remembered_before_a_state_is_accepted(bench: FlankBench) -> None:
    """At the beginning of a step, in its iterations, and in a report, byte by byte; at rest as well."""
    rng = np.random.default_rng(5)
    bench.rest(bench.pressed(5e-4))
    kept = bench.kept
    for h in (0.0, H, 3e-6):
        bench.begin_from(bench.pressed(5e-4), h, TURNING)
        assert bench.kept == kept
        for _ in range(5):
            P = moved(bench.pressed(5e-4), rng.uniform(-1e-5, 1e-5, (2, 6)))
            for opened in (False, True) if h == 0.0 else (False,):
                bench.look(P, TANGENT, h=h, V=TURNING, opened=opened)
                assert bench.kept == kept
        bench.report()
        assert bench.kept == kept
    bench.end_at(P, h, TURNING)
    assert bench.kept != kept


def test_a_rejected_step_leaves_no_trace(bench: FlankBench) -> None:
    """A step that was begun and looked at, and another length in its place: the same bits as without the first."""
    found = []
    for tried in (False, True):
        P = bench.pressed(5e-4)
        bench.rest(P)
        for _ in range(3):
            if tried:
                bench.begin_from(P, 4e-6, TURNING)
                bench.look(moved(P, 4e-6 * TURNING + 1e-5), TANGENT, h=4e-6, V=TURNING)
            end = moved(P, H * TURNING)
            bench.begin_from(P, H, TURNING)
            r, J = bench.look(end, TANGENT, h=H, V=TURNING)
            bench.end_at(end, H, TURNING)
            P = end
        found.append((r.tobytes(), J.tobytes(), bench.kept))
    assert found[0] == found[1]


def test_between_steps_the_modes_stay_where_they_are(bench: FlankBench) -> None:
    """A look at the accepted state of a motion finds the force that was accepted, not that of equilibrium; reactions of joints
    are recovered from such looks."""
    P = bench.pressed(5e-4)
    bench.rest(P)
    for _ in range(20):
        end = moved(P, H * TURNING + [[0.0] * 5 + [2e-6], [0.0] * 6])
        bench.begin_from(P, H, TURNING)
        bench.end_at(end, H, TURNING)
        P = end
    force = bench.report()["force_a"]
    # but for strips that were collected where the wheels were expected, 2e-6 rad away
    np.testing.assert_allclose(bench.look(P, V=TURNING)[0][:3], -force, atol=1e-5 * np.abs(force).max())
    bench.rest(P)
    assert np.linalg.norm(bench.look(P)[0][:3] + force) > 3e-4 * np.linalg.norm(force)


def test_a_report_is_that_of_the_accepted_state(bench: FlankBench) -> None:
    """Whatever was looked at since."""
    P = bench.pressed(5e-4)
    bench.rest(P)
    expected = bench.report()
    assert expected["contact_force"] > 100.0 and expected["potential"] > 0.0
    bench.look(bench.pressed(1e-3))
    bench.put(P)
    assert all(np.array_equal(value, expected[name]) for name, value in bench.report().items())


# ------------------------------------------------------------------------------------------------------------- open modes


def own_frequencies(bench: FlankBench) -> np.ndarray:
    """Circular frequency of every modal coordinate, pairs twice."""
    values = bench.element.values["flanks"]
    both, found = flank_alone(bench.element).frequencies(), []
    for gear in "ab":
        n, paired = int(values[gear]["modes"]), int(values[gear]["paired"])
        found += [both[:n], both[:paired]]
        both = both[n:]
    return np.concatenate(found)


@pytest.mark.parametrize("options", [{}, {"penalty": 1e9}, {"follow_centres": False}, {"helix": 0.2}])
def test_without_the_modes_the_open_stiffness_is_the_closed_one(options: dict[str, Any]) -> None:
    """Schur complement over the modes at rest, where they follow the forces of the teeth."""
    bench = FlankBench(**options)
    w = own_frequencies(bench)
    for turn in (1e-3, -5e-4):
        P = bench.pressed(turn)
        bench.rest(P)
        closed_r, closed = bench.look(P, TANGENT)
        r, K = bench.look(P, TANGENT, opened=True)
        assert K.shape[0] == 12 + w.size > 30
        forces = w * w * np.concatenate([rows[0] for rows in bench.coordinates.values()])
        np.testing.assert_allclose(r[12:], 0.0, atol=1e-12 * np.abs(forces).max())
        np.testing.assert_allclose(r[:12], closed_r, atol=1e-12 * np.abs(closed_r).max())
        condensed = K[:12, :12] - K[:12, 12:] @ np.linalg.solve(K[12:, 12:], K[12:, :12])
        np.testing.assert_allclose(condensed, closed, atol=1e-12 * np.abs(closed).max())
        assert np.abs(K[:12, :12] - closed).max() > 1e-3 * np.abs(closed).max()


def test_the_open_tangent_is_the_derivative_of_the_open_residual(bench: FlankBench) -> None:
    """By the poses nearly, as without the modes; by the modes to the accuracy of differences."""
    P = bench.pressed(1e-3)
    bench.rest(P)
    J = bench.look(P, TANGENT, opened=True)[1]
    found = differences(bench, P, opened=True)
    for rows in (slice(0, 12), slice(12, None)):
        part = found[rows]
        scale = np.abs(part).max(axis=0)
        kept = scale > 1e-3 * scale.max()
        assert np.abs(J[rows, :12] - part)[:, kept].max() < 1e-2 * scale.max()
    column = 12
    for rows in bench.coordinates.values():
        for i in range(rows.shape[1]):
            sides = []
            for sign in (1.0, -1.0):
                rows[0, i] += sign * 1e-11
                sides.append(bench.look(P, opened=True)[0])
                rows[0, i] -= sign * 1e-11
            by_mode = (sides[0] - sides[1]) / 2e-11
            assert np.abs(J[:, column] - by_mode).max() < 1e-4 * np.abs(by_mode).max()
            column += 1


def test_rates_and_accelerations_of_open_modes(bench: FlankBench) -> None:
    """Mass 1 and the damping 2 zeta w of every mode, in the residual and in the tangent."""
    bench.rest(bench.built)
    before = bench.look(bench.built, opened=True)[0]
    w = own_frequencies(bench)
    rng = np.random.default_rng(2)
    for rows in bench.coordinates.values():
        rows[1:] = rng.uniform(-1.0, 1.0, rows[1:].shape)
    rates, accelerations = (np.concatenate([rows[i] for rows in bench.coordinates.values()]) for i in (1, 2))
    moving = bench.look(bench.built, opened=True)[0] - before
    assert moving[12:] == pytest.approx(accelerations + 2 * 0.02 * w * rates, rel=1e-9)
    assert not moving[:12].any()
    bench.ask["M"], bench.ask["D"], bench.ask["K"] = 1.0, 0.0, 0.0
    M = bench.evaluate(TANGENT, opened=True)[1]
    bench.ask["M"], bench.ask["D"] = 0.0, 1.0
    D = bench.evaluate(TANGENT, opened=True)[1]
    bench.ask["D"] = 0.0
    assert np.array_equal(M, np.diag([0.0] * 12 + [1.0] * w.size))
    np.testing.assert_allclose(D, np.diag(np.concatenate([np.zeros(12), 2 * 0.02 * w])), rtol=1e-12)


def test_opened_the_report_is_that_of_the_present_pose(bench: FlankBench) -> None:
    """Outputs of linear analyses are differences of reports: forces of the teeth follow poses and modes there."""
    P = bench.pressed(1e-3)
    bench.rest(P)
    accepted = bench.report()
    for name in ("contact_force", "normal_force", "peak_pressure", "strips_in_contact"):
        bench.look(P, opened=True)
        assert bench.report(opened=True)[name] == pytest.approx(accepted[name], rel=1e-9)
    Q = bench.pressed(1.01e-3)
    r = bench.look(Q, opened=True)[0]
    np.testing.assert_allclose(bench.report(opened=True)["force_a"], -r[:3], rtol=1e-9)
    assert bench.report(opened=True)["contact_force"] > 1.001 * accepted["contact_force"]


def test_steps_converge_to_the_motion_of_the_open_equations() -> None:
    """Wheel B turned to and fro by little within 40 us: the modes in steps, condensed, against the linear equations with open
    modes, solved to ten digits. Second order."""
    bench, turn, end = FlankBench(damping_ratio=0.02), 1e-8, 4e-5
    P = bench.pressed(1e-3)

    def turned(t: float) -> np.ndarray:
        return moved(P, np.array([[0.0] * 6, [0.0] * 5 + [turn * math.sin(math.pi * t / end) ** 2]]))

    bench.rest(P)
    K = bench.look(P, TANGENT, opened=True)[1]
    n = K.shape[0] - 12
    D = 2 * 0.02 * own_frequencies(bench)

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        pushed = K[12:, 11] * turn * math.sin(math.pi * t / end) ** 2
        return np.concatenate([y[n:], -K[12:, 12:] @ y[:n] - D * y[n:] - pushed])

    exact = solve_ivp(rates, (0.0, end), np.zeros(2 * n), method="DOP853", rtol=1e-10, atol=1e-18).y[:, -1]
    errors = []
    for h in (2e-6, 1e-6, 5e-7):
        bench.rest(P)
        start = np.concatenate([rows[i] for i in range(2) for rows in bench.coordinates.values()])
        for i in range(round(end / h)):
            bench.begin_from(turned(i * h), h)
            bench.end_at(turned((i + 1) * h), h)
        found = np.concatenate([rows[i] for i in range(2) for rows in bench.coordinates.values()]) - start
        errors.append(
            [np.abs(found - exact)[part].max() / np.abs(exact[part]).max() for part in (slice(n), slice(n, None))]
        )
    for one in np.array(errors).T:
        assert one[0] < 0.02 and observed_order(list(one)) == pytest.approx(2.0, abs=0.05)


def test_without_contact_the_frequencies_are_those_of_the_gears() -> None:
    """Every mode of the finite elements below the limit, the two of a pair for themselves, and no other."""
    bench = FlankBench(backlash="60 um")
    bench.rest(bench.built)
    assert bench.report()["strips_in_contact"] == 0.0
    K = bench.look(bench.built, TANGENT, opened=True)[1]
    assert not K[:12, 12:].any() and not K[12:, :12].any()
    found = np.sqrt(np.linalg.eigvalsh(K[12:, 12:])) / (2.0 * math.pi)
    expected = np.sort(np.concatenate([_below(gear, 60e3) for gear in bench.gears]))
    assert found == pytest.approx(expected, rel=1e-12)


def _below(gear: ElasticGear, limit: float) -> np.ndarray:
    return gear.all_frequencies[gear.all_frequencies < limit]


def test_modes_with_one_coordinate_have_real_traces() -> None:
    """n = 0 and, with an even number of teeth, n = z/2: their imaginary parts must not matter."""
    gear = pl.Gear(teeth=18, normal_module="2 mm", face_width="6 mm", bore="14 mm")
    found = pl.elastic_gear(
        Teeth(gear), up_to="120 kHz", grid={"flank_edge": "0.6 mm", "size": "2 mm", "face_elements": 2}
    )
    single = found.multiplicities == 1
    assert {0, 9} <= set(found.nodal_diameters[single])
    for traces in found.traces.values():
        assert np.abs(traces[single].imag).max() < 1e-9 * np.abs(traces[single]).max()
