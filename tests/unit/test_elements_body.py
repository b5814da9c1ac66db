"""The rigid body: its balance against Newton and Euler at the centre of mass, its energy, its report."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import call, energies, report, residual
from references.element_cases import some_body

from pitchline.engine.elements.contract import RESIDUAL

seeds = st.integers(0, 2**32 - 1)


def parts(seed: int):
    """A body off its node, and what its parameters mean: m, g, d, inertia about the centre of mass, origin."""
    probe = some_body(np.random.default_rng(seed), centred=False)
    p = probe.element.values
    m, g, d, origin = p["mass"], p["gravity"], p["centre_of_mass"], p["origin"]
    about_node = p["inertia"].reshape(3, 3)
    return probe, m, g, d, about_node - m * (d @ d * np.eye(3) - np.outer(d, d)), origin


@settings(max_examples=30)
@given(seed=seeds)
def test_newton_and_euler_at_the_centre_of_mass(seed: int) -> None:
    """Force m (a_C - g) at C; moment I_C alpha + omega x I_C omega about C; both reduced to the node."""
    probe, m, g, d, I, _ = parts(seed)
    R, w, al = probe.rotation(0), probe.V[0, 3:], probe.A[0, 3:]
    a_C = probe.A[0, :3] + R @ (np.cross(al, d) + np.cross(w, np.cross(w, d)))
    force = m * (a_C - g)
    moment = I @ al + np.cross(w, I @ w) + np.cross(d, R.T @ force)
    np.testing.assert_allclose(residual(probe), np.concatenate([force, moment]), rtol=1e-11, atol=1e-11)


@settings(max_examples=30)
@given(seed=seeds)
def test_energies(seed: int) -> None:
    """T = m v_C^2/2 + omega.I_C omega/2, U = -m g.x_C."""
    probe, m, g, d, I, _ = parts(seed)
    R, w = probe.rotation(0), probe.V[0, 3:]
    x_C = probe.P[0, :3] + R @ d
    v_C = probe.V[0, :3] + R @ np.cross(w, d)
    kinetic, potential, put_in, lost = energies(probe)
    assert kinetic == pytest.approx(0.5 * m * v_C @ v_C + 0.5 * w @ I @ w, rel=1e-12)
    assert potential == pytest.approx(-m * g @ x_C, rel=1e-12, abs=1e-12)
    assert put_in == lost == 0


@settings(max_examples=30)
@given(seed=seeds)
def test_report_of_the_body_origin(seed: int) -> None:
    probe, *_, o = parts(seed)
    R, w, al = probe.rotation(0), probe.V[0, 3:], probe.A[0, 3:]
    out = report(probe)
    np.testing.assert_allclose(out["position"], probe.P[0, :3] + R @ o, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(out["velocity"], probe.V[0, :3] + R @ np.cross(w, o), rtol=1e-12, atol=1e-12)
    relative = np.cross(al, o) + np.cross(w, np.cross(w, o))
    np.testing.assert_allclose(out["acceleration"], probe.A[0, :3] + R @ relative, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(out["angular_velocity"], R @ w, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(out["angular_acceleration"], R @ al, rtol=1e-12, atol=1e-12)


def test_weight_follows_the_load_factor() -> None:
    """At rest, at half load, half the weight."""
    probe, m, g, *_ = parts(3)
    rest = replace(probe, V=0 * probe.V, A=0 * probe.A)
    full, half = (call(rest, RESIDUAL, load=x).r for x in (1.0, 0.5))
    np.testing.assert_allclose(half, 0.5 * full, rtol=1e-14)
    np.testing.assert_allclose(full[:3], -m * g, rtol=1e-14)
