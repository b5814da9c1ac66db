"""Elastic flanks in contact: statics, tangents, conservation, and the motion of their modes."""

import math

import numpy as np
import pytest
from references.elastic_pair import LIMIT, MODULE, TEETH, Rig, data, gears
from scipy.linalg import expm

from pitchline.numerics.machine_code.compiled import A1, A2, F8, entry
from pitchline.parts.gears.teeth import PitchDeviation, Teeth, TipRelief
from pitchline.parts.meshes.kernel_flank_stability import make_propagators

PITCH = 2.0 * math.pi / TEETH[0]
COS_ALPHA = math.cos(math.radians(20.0))


@entry
def propagators(P: A2, omega: A1, zeta: F8, h: F8):
    make_propagators(P, omega, zeta, h)


@pytest.fixture(scope="module")
def rig() -> Rig:
    return Rig(data())


def carried(rig: Rig, force: float, psi: float) -> float:
    """Approach at which the teeth carry a hoop force: the law is monotone."""
    low, high = 0.0, 2e-4
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rig.at_rest(middle, psi)["force"] < force else (low, middle)
    return 0.5 * (low + high)


@pytest.mark.parametrize("zeta", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("turn", [0.05, 1.0, 7.0])
def test_propagators_are_exact_for_forces_that_change_linearly(zeta: float, turn: float) -> None:
    """Against the matrix exponential of (c, v, f, f') over the step."""
    w, h = 3.0e5, turn / 3.0e5
    P = np.zeros((1, 8))
    propagators(P, np.array([w]), zeta, h)
    A = np.array([[0, 1, 0, 0], [-w * w, -2 * zeta * w, 1, 0], [0, 0, 0, 1 / h], [0, 0, 0, 0]])
    E = expm(A * h)
    expected = [*E[0, :2], E[0, 2] - E[0, 3], E[0, 3], *E[1, :2], E[1, 2] - E[1, 3], E[1, 3]]
    # P3 is h²/6 and comes from differences of 1/w²: the digits lost are those of turn²
    assert P[0] == pytest.approx(expected, rel=1e-13 * max(1.0, turn**-3), abs=1e-15)


def test_modes_and_residual_compliance_make_the_same_statics() -> None:
    """Whatever the modes carry, the residual compliance carries the rest."""
    whole, none = Rig(data(modes=LIMIT)), Rig(data(modes=0.0))
    for psi in (0.0, 0.35 * PITCH, 0.7 * PITCH):
        for u in (1e-6, 2e-5):
            assert whole.at_rest(u, psi)["force"] == pytest.approx(none.at_rest(u, psi)["force"], rel=1e-8)


def test_force_is_the_gradient_of_the_stored_energy(rig: Rig) -> None:
    """dE/du = f and dE/dψ = the conjugate force, at rest: contact is conservative, on tips and edges too."""
    for psi in np.linspace(0.0, 1.0, 7) * PITCH:
        u, du, turn = 2e-5, 2e-9, 1e-7
        here = rig.at_rest(u, psi)
        by_u = (rig.energy(rig.at_rest(u + du, psi)) - rig.energy(rig.at_rest(u - du, psi))) / (2 * du)
        by_psi = (rig.energy(rig.at_rest(u, psi + turn)) - rig.energy(rig.at_rest(u, psi - turn))) / (2 * turn)
        assert by_u == pytest.approx(here["force"], rel=2e-5)
        # places and curvatures move with the phase and change the compliance a little, which the law leaves out
        assert by_psi == pytest.approx(here["conjugate"], abs=2e-3 * here["force"] * MODULE * TEETH[0] / 2)


def test_tangent_is_the_derivative_of_the_force(rig: Rig) -> None:
    for psi in (0.1 * PITCH, 0.6 * PITCH):
        u, du = 2e-5, 1e-9
        slope = (rig.at_rest(u + du, psi)["force"] - rig.at_rest(u - du, psi)["force"]) / (2 * du)
        assert rig.at_rest(u, psi)["u_u"] == pytest.approx(slope, rel=1e-4)


def test_both_directions_of_drive_are_mirror_images(rig: Rig) -> None:
    """Spur gears with the same flanks: f(−u, −ψ) = −f(u, ψ)."""
    for psi in (0.0, 0.21 * PITCH, 0.52 * PITCH):
        ahead, back = rig.at_rest(1.5e-5, psi), rig.at_rest(-1.5e-5, -psi)
        assert back["force"] == pytest.approx(-ahead["force"], rel=1e-5)


def test_tip_relief_opens_the_gap_by_its_amount() -> None:
    """Where both teeth touch within the relief the play grows by it; at the pitch point nothing changes."""
    plain, (a, b) = data(), gears()
    relieved = (
        Teeth(a.gear, both=TipRelief("20 um", length="1 mm")),
        Teeth(b.gear, both=TipRelief("20 um", length="1 mm")),
    )
    changed = data(*relieved)
    lever = plain.drive.gaps.lever
    before = np.interp(0.0, plain.drive.gaps.phase, plain.drive.gaps.play[:, 1] * lever[:, 1])
    after = np.interp(0.0, changed.drive.gaps.phase, changed.drive.gaps.play[:, 1] * changed.drive.gaps.lever[:, 1])
    assert after == pytest.approx(before, abs=1e-10)
    tip = a.left.tip_roll_length(0.0)
    gaps = changed.drive.gaps
    on_line = np.abs(gaps.roll_a[:, 1] - (tip - 0.5e-3)).argmin()  # half of the relief of A, none of B
    expected = 20e-6 * (1.0 - (tip - gaps.roll_a[on_line, 1]) / 1e-3)
    found = gaps.play[on_line, 1] * gaps.lever[on_line, 1] - before
    # the nearest point lies a little towards the pitch point: slope² R / 2
    assert found == pytest.approx(expected, abs=0.02**2 * 5e-3)


def test_pitch_errors_act_on_their_tooth_only() -> None:
    a, b = gears()
    early = Teeth(a.gear, per_tooth={0: PitchDeviation("8 um")})
    plain, with_error = Rig(data()), Rig(data(early, b))
    u, psi = 1e-5, 0.25 * PITCH
    # tooth 0 is in mesh at this angle; a few teeth on it is not, and nothing has changed
    assert with_error.at_rest(u, psi)["force"] > 1.2 * plain.at_rest(u, psi)["force"]
    assert with_error.at_rest(u, psi + 6 * PITCH)["force"] == pytest.approx(plain.at_rest(u, psi)["force"], rel=1e-6)
    assert with_error.at_rest(u, psi - TEETH[0] * PITCH)["force"] == pytest.approx(
        with_error.at_rest(u, psi)["force"], rel=1e-6
    )


def impact(rig: Rig, inertia: float, *, speed: float, dt: float, end: float) -> tuple[np.ndarray, float, float]:
    """A pinion thrown against a held gear, exact but for the force between the ends of a step: forces, last speed, energy."""
    psi0 = psi = 0.3 * PITCH
    a0 = 0.0
    rig.at_rest(0.0, psi)
    forces = []
    for _ in range(round(end / dt)):
        a1 = a0
        for last in (False, False, True):
            new = psi + dt * speed + dt * dt / 6.0 * (2.0 * a0 + a1)
            h = rig.step(dt, rig.lever_a * (new - psi0), new, accept=last)
            a1 = -(h["force"] * rig.lever_a + h["conjugate"]) / inertia
        speed += 0.5 * dt * (a0 + a1)
        psi, a0 = new, a1
        forces.append(h["force"])
    return np.array(forces), speed, 0.5 * inertia * speed**2 + rig.energy(rig.present)


def test_an_impact_keeps_momentum_and_energy() -> None:
    """The pinion's momentum changes by the impulse of the teeth (trapezium rule: to rounding), and energy stays to O(h²)."""
    inertia, speed = 1.2e-5, 20.0
    start = 0.5 * inertia * speed**2
    errors = []
    for dt in (2e-6, 1e-6):
        rig = Rig(data(play=2e-5))
        forces, end, energy = impact(rig, inertia, speed=speed, dt=dt, end=1.6e-4)
        assert forces.max() > 100.0 and forces[-1] == 0.0
        impulse = float(np.sum(forces)) * dt * rig.lever_a
        assert inertia * (speed - end) == pytest.approx(impulse, rel=2e-3)
        errors.append(abs(energy / start - 1.0))
    assert errors[1] < 2e-3 and errors[1] < 0.6 * errors[0]


def test_modal_damping_takes_energy_out() -> None:
    inertia, speed = 1.2e-5, 20.0
    rig = Rig(data(play=2e-5), damping_ratio=0.02)
    _, _, energy = impact(rig, inertia, speed=speed, dt=1e-6, end=1.6e-4)
    assert 0.9 < energy / (0.5 * inertia * speed**2) < 0.999


def test_friction_needs_sliding(rig: Rig) -> None:
    """At rest it leaves everything as it is; what it does in motion is shown by whole models (`test_flank_motion`)."""
    rough = Rig(data(), friction=0.1)
    for u in (1e-5, -1e-5):
        here, there = rig.at_rest(u, 0.2 * PITCH), rough.at_rest(u, 0.2 * PITCH)
        assert all(np.array_equal(here[name], there[name]) for name in here) and abs(here["force"]) > 100.0
        assert [there[name] for name in ("friction_a", "friction_b", "friction_loss")] == [0.0, 0.0, 0.0]


def test_a_penalty_stands_in_for_local_and_residual_compliance() -> None:
    """In single contact each strip is then a spring of the penalty in series with the modes: f -> Σ W² c_p u for many modes."""
    none = Rig(data(modes=0.0), penalty=1e8)
    psi = next(x * PITCH for x in np.linspace(0, 1, 50) if _pairs(none, 1e-7, x * PITCH) == 1)
    h = none.at_rest(1e-6, psi)
    strips = len(data().widths)
    assert h["force"] == pytest.approx(strips * 1e8 * 1e-6 * COS_ALPHA**2, rel=1e-3)


def _pairs(rig: Rig, u: float, psi: float) -> int:
    return int(np.count_nonzero(rig.at_rest(u, psi)["pairs"]))
