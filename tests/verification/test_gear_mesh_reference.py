"""The gear pair with which the mesh element is compared, checked by itself: geometry, gradients, balance, rolling.

All identities are exact, derivatives by complex steps have no truncation error: tolerances are those of rounding.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.cardona_pair import CardonaPair, Coordinates, D, derivative, tooth_matrix
from references.gear_mesh_cases import MeshState, mesh_states
from references.gear_pairs import KINDS, angles

from pitchline.gears import PitchGeometry

ROUNDING = 1e-12
every_kind = pytest.mark.parametrize("kind", KINDS)
some = settings(max_examples=12)


def wheels(
    r_a: float, r_b: float, gamma: tuple[float, float], beta: tuple[float, float], alpha: float = 0.35
) -> CardonaPair:
    """A pair on triads along the world's axes, of one tooth a wheel."""
    p = PitchGeometry(
        radius_a=r_a, radius_b=r_b, gamma_a=gamma[0], gamma_b=gamma[1], beta_a=beta[0], beta_b=beta[1],
        teeth_a=1, teeth_b=1, normal_module=2 * r_a * math.cos(beta[0]), pressure_angle=alpha,
    )  # fmt: skip
    Z = tooth_matrix(gamma[0], beta[0]) @ D @ tooth_matrix(gamma[1], beta[1]).T
    return CardonaPair(p, np.zeros(3), np.eye(3), np.zeros(3), Z)


def aligned(pair: CardonaPair) -> Coordinates:
    """In the reference position: C_A = C_B."""
    p = pair.pitch
    x_b = np.array([0.0, p.radius_a, 0.0]) - p.radius_b * pair.triad_b[:, 1]
    return Coordinates(np.zeros(3), np.eye(3), x_b, np.eye(3))


@pytest.mark.parametrize(
    "r_a, r_b, gamma, beta, Z, centre",
    [
        (5.0, 5.0, (0, 0), (0, 0), [1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 10, 0]),
        (
            5.0, 1.0, (-1.373400766945016, -0.19739555984988078), (0, 0), [0, -1, 0, -1, 0, 0, 0, 0, -1], [1, 5, 0],
        ),
        (
            0.06, 0.04, (0, 0), (0.5235987755982988, 0.4363323129985824),
            [0.573576436351046, 0, -0.8191520442889918, 0, -1, 0, -0.8191520442889918, 0, -0.5735764363510462],
            [0, 0.1, 0],
        ),
        (0.1, 0.03, (math.pi, 0), (0, 0), [-1, 0, 0, 0, 1, 0, 0, 0, -1], [0, 0.07, 0]),
        (
            0.11, 0.045, (-1.0821041362364843, -0.4188790204786391), (0.5759586531581288, -0.8377580409572782),
            [0.05514261898997696, -0.9910575429203448, 0.12150818158303242, -0.9700793868629698, -0.08199343429445449,
             -0.22852365285931675, 0.23644296300480327, -0.10527118956908343, -0.9659258262890683],
            [0.044597589431415514, 0.11368970454325045, 0.004737203530608755],
        ),
    ],
)  # fmt: skip
def test_closed_forms_of_the_reference_position(r_a, r_b, gamma, beta, Z, centre) -> None:
    """Z and x_AB of spur, bevel, crossed, internal and hypoid pairs (equations (7) to (16) of the paper, corrected)."""
    pair = wheels(r_a, r_b, gamma, beta)
    np.testing.assert_allclose(pair.triad_b.ravel(), Z, atol=1e-15)
    q = aligned(pair)
    np.testing.assert_allclose(q.x_b, centre, rtol=0, atol=1e-15 * r_a)
    np.testing.assert_allclose(pair.constraints(q), 0, atol=1e-15)
    f = pair.frames(q)
    np.testing.assert_allclose(f.H_a, f.H_b, atol=1e-15)


@every_kind
@some
@given(data=st.data())
def test_gradients_are_the_derivatives_of_the_constraints(kind: str, data: st.DataObject) -> None:
    """Away from phi = 0 too."""
    state: MeshState = data.draw(mesh_states(kind))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    pair, q = state.pair, state.q.moved(0.05 * rng.normal(size=15))
    expected = derivative(lambda d: pair.constraints(q.moved(d)), 15)
    np.testing.assert_allclose(pair.gradients(q), expected, rtol=0, atol=ROUNDING * np.max(np.abs(expected)))


@every_kind
@some
@given(data=st.data())
def test_constraints_hold_and_misalignment_is_as_drawn(kind: str, data: st.DataObject) -> None:
    """The wheels engage on the branch where C_A is near C_B and eta of both nearly the same."""
    state: MeshState = data.draw(mesh_states(kind))
    f = state.pair.frames(state.q)
    scale = max(1.0, *np.abs(state.q.x_a), *np.abs(state.q.x_b))
    np.testing.assert_allclose(state.pair.constraints(state.q), 0, atol=1e-14 * scale * max(1.0, abs(state.q.psi_b)))
    assert np.max(np.abs(f.H_a - f.H_b)) < 0.5
    assert np.linalg.norm(f.C_a - f.C_b) < 0.3 * state.gears.pitch.radius_a


@every_kind
@some
@given(data=st.data())
def test_loads_balance(kind: str, data: st.DataObject) -> None:
    """Sum of forces and of moments about the origin: nothing, for any multipliers, separating force included."""
    state: MeshState = data.draw(mesh_states(kind))
    q, pair = state.q, state.pair
    Q = pair.loads(q, (1.0, 0.01, -0.02))
    force = Q[0:3] + Q[6:9]
    moment = np.cross(q.x_a, Q[0:3]) + q.R_a @ Q[3:6] + np.cross(q.x_b, Q[6:9]) + q.R_b @ Q[9:12]
    np.testing.assert_allclose(np.append(force, moment), 0, atol=ROUNDING * np.max(np.abs(Q)))


@every_kind
@some
@given(data=st.data())
def test_aligned_multipliers_and_rates(kind: str, data: st.DataObject) -> None:
    """Aligned: lambda1 = f/cos alpha, lambda2 = -f, lambda3 = 0, and du/dt = (v_A - v_B) . eta3 at the pitch point."""
    state: MeshState = data.draw(mesh_states(kind, misalignment=0.0))
    q, pair, alpha = state.q, state.pair, state.gears.pitch.pressure_angle
    lam = pair.multipliers(q, (2.0, 0.0, 0.0))
    scale = max(1.0, state.gears.pitch.radius_a / state.radius)
    np.testing.assert_allclose(lam, [2 / math.cos(alpha), -2, 0], atol=1e-10 * scale)
    rates = pair.rates(q, state.v)
    expected = pair.relative_velocity(q, state.v) @ pair.frames(q).H_a[:, 2]
    assert rates[2] == pytest.approx(expected, abs=1e-10 * scale * np.max(np.abs(state.v)))


@every_kind
@some
@given(data=st.data())
def test_forces_are_the_gradient_of_the_approach(kind: str, data: st.DataObject) -> None:
    """-B^T lambda of f = 1 is du/dq, and of g = 1 dpsi/dq, of the wheels engaged again after each increment."""
    state: MeshState = data.draw(mesh_states(kind))
    q, pair = state.q, state.pair

    def engaged(d: np.ndarray) -> np.ndarray:
        e = pair.engaged(q.moved(d))
        return np.array([e.u, e.psi_a, e.psi_b])

    expected = derivative(engaged, 12)
    for row, forces in zip(expected, np.eye(3), strict=True):
        Q = -pair.loads(q, tuple(forces), separating=False)
        np.testing.assert_allclose(Q, row, rtol=0, atol=1e-11 * np.max(np.abs(expected)))
    np.testing.assert_allclose(pair.rates(q, state.v)[[2, 0, 1]], expected @ state.v, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "starts, lead, alpha, mu", [(2, math.atan(0.1), 20, 0.05), (1, 5, 20, 0.05), (4, 20, 20, 0.03)]
)
@pytest.mark.parametrize("direction", [1, -1])
def test_efficiency_of_a_worm(starts: int, lead: float, alpha: float, mu: float, direction: int) -> None:
    """Worm drives: (cos a - mu tan L)/(cos a + mu cot L); wheel drives: (cos a - mu cot L)/(cos a + mu tan L)."""
    L, a = (lead if lead < 1 else math.radians(lead)), math.radians(alpha)
    module, teeth = 1.0, 40
    p = PitchGeometry(
        radius_a=module * teeth / 2 / math.cos(L), radius_b=module * starts / 2 / math.sin(L), gamma_a=0.0, gamma_b=0.0,
        beta_a=L, beta_b=math.pi / 2 - L, teeth_a=teeth, teeth_b=starts, normal_module=module, pressure_angle=a,
    )  # fmt: skip
    Z = tooth_matrix(0.0, L) @ D @ tooth_matrix(0.0, math.pi / 2 - L).T
    pair = CardonaPair(p, np.zeros(3), np.eye(3), np.zeros(3), Z)
    q = aligned(pair)
    f = pair.frames(q)
    omega_b = direction
    v = np.concatenate([np.zeros(3), -omega_b * starts / teeth * f.M[:, 0], np.zeros(3), omega_b * f.X[:, 0]])
    c, t = math.cos(a), math.tan(L)
    for worm_drives, expected in ((True, (c - mu * t) / (c + mu / t)), (False, (c - mu / t) / (c + mu * t))):
        hoop = 1.0 if (direction > 0) == worm_drives else -1.0
        Q = pair.loads(q, (hoop, 0, 0)) + pair.spread(q, pair.friction(q, v, hoop, lambda _: mu, 0.0))
        wheel, worm = Q[3:6] @ v[3:6], Q[9:12] @ v[9:12]
        assert (worm < 0) == worm_drives
        assert (-wheel / worm if worm_drives else -worm / wheel) == pytest.approx(expected, rel=1e-12)


@given(angles(-90, 180), angles(-90, 90), angles(-80, 80), angles(-80, 80))
def test_tooth_triads_coincide(g_a: float, g_b: float, b_a: float, b_b: float) -> None:
    pair = wheels(1.0, 0.4, (g_a, g_b), (b_a, b_b))
    f = pair.frames(aligned(pair))
    np.testing.assert_allclose(f.H_a, f.H_b, atol=1e-14)
