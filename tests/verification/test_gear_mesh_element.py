"""The gear mesh element against the pair of 15 coordinates, and what holds for teeth whatever the numbers.

Pairs of every kind, misaligned by up to 0.05 rad and 0.05 r, on nodes away from the wheels, either flank and the gap; laws
with backlash, damping, transmission error, varying stiffness in series, rounded corners, line contact, friction, losses.

All identities are exact. u is rounded to about z 1e-15 m_n, with z = 200 teeth to 2e-13 m_n, and teeth are pressed together by at
least 2e-3 m_n: forces agree to a few 1e-10, identities without the difference u + x - offset to 1e-12.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import accepted, energies, random_rotation, report, residual
from references.element_cases import turned_world, with_rigid_velocity
from references.gear_mesh_cases import LENGTH, LoadedMesh, loaded_meshes, loads_on, mesh_states, never_pulling
from references.gear_pairs import KINDS

from pitchline.parts.gears.compile import loss_levers

EQUIVALENT = 1e-9
ROUNDING = 1e-12

every_kind = pytest.mark.parametrize("kind", KINDS)
few, some = settings(max_examples=6), settings(max_examples=12)
LAWS = {
    "with damping": {},
    "line contact": {"line": True},
    "line contact, nearly aligned": {"line": True, "misalignment": 0.01},
    "rounded corners": {"smooth": True},
    "not energy consistent": {"consistent": False},
    "friction and losses": {"friction": True, "losses": True, "line": True},
}
every_law = pytest.mark.parametrize("law", LAWS)


def approach(mesh: LoadedMesh) -> float:
    """u in the pitch in which the teeth stand."""
    return float(mesh.state.q.u + math.pi * mesh.state.gears.pitch.normal_module * mesh.whole_teeth)


# ---- the same as with 15 coordinates


@every_law
@every_kind
@few
@given(data=st.data())
def test_residual_is_that_of_fifteen_coordinates(kind: str, law: str, data: st.DataObject) -> None:
    """r = -B^T lambda - separating force, friction and losses; multipliers from the rows of psi_A, psi_B and u."""
    mesh = data.draw(loaded_meshes(kind, **LAWS[law]))
    error = np.abs(residual(mesh.probe()) - mesh.residual())
    assert np.all(error <= EQUIVALENT * mesh.scale)


@pytest.mark.parametrize("limited", [False, True])
@every_kind
@few
@given(data=st.data())
def test_damper_that_never_pulls(kind: str, limited: bool, data: st.DataObject) -> None:
    """The sum keeps the sign of the spring's force; if the damper is limited in both directions, no more than the spring."""
    mesh = data.draw(loaded_meshes(kind, flanks=("drive", "coast")))
    mesh = replace(mesh, law=never_pulling(replace(mesh.law, damping=30 * mesh.law.damping), limited=limited))
    f = mesh.forces(mesh.state.q, mesh.state.v)
    assert abs(f.damper) <= abs(f.elastic) or not limited
    r, probe = mesh.residual(), mesh.probe()
    assert np.all(np.abs(residual(probe) - r) <= EQUIVALENT * mesh.scale)
    assert report(probe)["normal_force"] * f.elastic.real >= -EQUIVALENT * mesh.scale[0]


@every_kind
@some
@given(data=st.data())
def test_coordinates_rates_and_energy(kind: str, data: st.DataObject) -> None:
    """u, psi_A, psi_B, the point of contact, the forces in the triads, energy, losses, misalignment."""
    mesh = data.draw(loaded_meshes(kind, line=True, friction=True))
    state, pair, q, law = mesh.state, mesh.state.pair, mesh.state.q, mesh.law
    p, out = state.gears.pitch, report(mesh.probe())
    f, frames = mesh.forces(q, state.v), pair.frames(q)
    assert out["approach"] == pytest.approx(LENGTH * approach(mesh), abs=1e-11 * p.normal_module)
    assert out["transmission_error"] == pytest.approx(
        (approach(mesh) - law.offset) * LENGTH, abs=1e-11 * p.normal_module
    )
    assert [out["psi_a"], out["psi_b"]] == pytest.approx([q.psi_a, q.psi_b], rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(out["contact_point"], frames.C_b, rtol=0, atol=1e-12 * p.radius_a)
    assert out["misalignment"] == pytest.approx(np.linalg.norm(frames.C_a - frames.C_b), abs=1e-12 * p.radius_a)
    assert out["tilt"] == pytest.approx(pair.tilt(q), abs=1e-12)
    assert out["normal_force"] == pytest.approx(
        f.hoop.real / math.cos(p.pressure_angle), abs=EQUIVALENT * mesh.scale[0]
    )
    assert out["phase"] == pytest.approx((p.teeth_a * q.psi_a / (2 * math.pi)) % 1.0, abs=1e-11)
    # forces on the wheels, and moments about their centres
    loads = -residual(mesh.probe())
    on_a, on_b = loads[0:3], loads[6:9]
    centre_b = frames.C_b if p.is_rack else q.x_b + q.R_b @ pair.point_b
    moment_a = q.R_a @ loads[3:6] + np.cross(q.x_a - frames.centre_a, on_a)
    moment_b = q.R_b @ loads[9:12] + np.cross(q.x_b - centre_b, on_b)
    size, arm = mesh.scale[0], np.max(mesh.scale)
    off_a, off_b = (-1.0 if math.cos(gamma) < -1e-9 else 1.0 for gamma in (p.gamma_a, p.gamma_b))
    for end, values, signs in (
        ("", frames.M.T @ on_a, (p.axis_sign_a, -off_a, -1.0)),
        ("_b", frames.X.T @ on_b, (p.axis_sign_b, -off_b, -1.0)),
    ):
        found = [out[f"{name}{end}"] for name in ("axial_force", "radial_force", "tangential_force")]
        np.testing.assert_allclose(found, signs * values, rtol=0, atol=ROUNDING * size)
    couple = moment_a - np.cross(frames.C_b - frames.centre_a, on_a)
    np.testing.assert_allclose(out["contact_moment"], couple, rtol=0, atol=ROUNDING * arm)
    for name, value, scale in (
        ("force_a", on_a, size), ("force_b", on_b, size), ("moment_a", moment_a, arm), ("moment_b", moment_b, arm),
    ):  # fmt: skip
        np.testing.assert_allclose(out[name], value, rtol=0, atol=ROUNDING * scale, err_msg=name)
    # powers
    energy = energies(mesh.probe())[1]
    assert energy == pytest.approx(f.energy.real, abs=EQUIVALENT * mesh.scale[0] * p.normal_module)
    lost = -pair.friction(q, state.v, f.hoop, mesh.friction_coefficient, law.friction_speed).force.real @ (
        pair.relative_velocity(q, state.v)
    )
    power = mesh.scale[0] * np.max(np.abs(state.v * np.tile(3 * [1] + 3 * [p.radius_a], 2)))
    assert out["friction_loss"] == pytest.approx(lost, abs=EQUIVALENT * power)
    assert out["loss"] == pytest.approx(lost + f.lost.real, abs=EQUIVALENT * power)


# ---- mechanics


@every_law
@every_kind
@few
@given(data=st.data())
def test_forces_and_moments_balance(kind: str, law: str, data: st.DataObject) -> None:
    """Sums of forces, and of moments about the origin, are nothing in every position."""
    mesh = data.draw(loaded_meshes(kind, **LAWS[law]))
    q, r, scale = mesh.state.q, residual(mesh.probe()), mesh.scale
    moment = np.cross(q.x_a, r[0:3]) + q.R_a @ r[3:6] + np.cross(q.x_b, r[6:9]) + q.R_b @ r[9:12]
    reach = max(np.linalg.norm(q.x_a), np.linalg.norm(q.x_b))
    assert np.all(np.abs(r[0:3] + r[6:9]) <= ROUNDING * scale[0])
    assert np.all(np.abs(moment) <= ROUNDING * (np.max(scale) + reach * scale[0]))


@every_law
@every_kind
@few
@given(data=st.data())
def test_objective(kind: str, law: str, data: st.DataObject) -> None:
    """A rigid motion of both nodes turns the forces and leaves moments in node axes, u and psi; a rigid velocity does nothing."""
    mesh = data.draw(loaded_meshes(kind, **LAWS[law]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    radius, probe = mesh.state.gears.pitch.radius_a, mesh.probe()
    x0, Q = radius * rng.normal(size=3), random_rotation(rng)
    moved = turned_world(probe, x0, Q)
    before, after = residual(probe).copy(), residual(moved)
    for i in (0, 6):
        before[i : i + 3] = Q @ before[i : i + 3]
    assert np.all(np.abs(after - before) <= EQUIVALENT * mesh.scale)
    one, other = report(probe), report(moved)
    length, force = 1e-12 * radius, EQUIVALENT * mesh.scale[0]
    power = force * np.max(np.abs(mesh.state.v * np.tile(3 * [1] + 3 * [radius], 2)))
    limits = {
        "approach": length,
        "misalignment": length,
        "psi_a": 1e-12,
        "psi_b": 1e-12,
        "normal_force": force,
        "loss": power,
    }
    for name, limit in limits.items():
        assert one[name] == pytest.approx(other[name], rel=0, abs=limit), name
    spin = rng.normal(size=3)
    carried = with_rigid_velocity(probe, radius * rng.normal(size=3), spin)
    size = mesh.scale * (1 + mesh.law.damping * radius * np.linalg.norm(spin) / mesh.scale[0])
    assert np.all(np.abs(residual(carried) - residual(probe)) <= EQUIVALENT * size)
    # in the frame of the mesh, which moves along
    other, speed = report(carried), power / force + radius * np.linalg.norm(spin)
    for name, limit in {"mesh_velocity": 1e-9 * speed, "power": np.max(size) / radius * speed * EQUIVALENT}.items():
        assert one[name] == pytest.approx(other[name], rel=0, abs=limit), name


@every_kind
@some
@given(data=st.data())
def test_efficiency(kind: str, data: st.DataObject) -> None:
    """Powers of driven and driving wheel, aligned and rolling in a frame at rest, are as eta to 1, whichever drives."""
    etas, omega = (0.93, 0.97), data.draw(st.sampled_from((-100.0, -0.1, 0.1, 100.0)))
    state = data.draw(mesh_states(kind, misalignment=0.0))
    state = state.spinning(omega, state.rolled_b(omega))
    mesh = data.draw(loads_on(state, flanks=("drive", "coast"), damping=False, varying=False))
    mesh = replace(mesh, law=replace(mesh.law, loss_levers=loss_levers(state.gears.pitch, *etas), loss_speed=1e-9))
    r, v = residual(mesh.probe()), mesh.state.v
    of_a, of_b = r[:6] @ v[:6], r[6:] @ v[6:]  # what each wheel does on the teeth
    f = mesh.forces(mesh.state.q, v).hoop.real
    drives = f * omega > 0
    assert (of_a > 0) == drives
    eta = -of_b / of_a if drives else -of_a / of_b
    assert eta == pytest.approx(etas[0 if drives else 1], rel=1e-9)
    out = report(mesh.probe())
    assert out["loss"] == pytest.approx(of_a + of_b, rel=1e-9)
    assert [out["power"], out["power_b"]] == pytest.approx([of_a, -of_b], rel=1e-9)
    assert out["mesh_velocity"] == pytest.approx(omega * state.gears.pitch.radius_a, rel=1e-9)


# ---- turns


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "rack and pinion"])
@some
@given(data=st.data())
def test_a_million_turns_cost_no_digit(kind: str, data: st.DataObject) -> None:
    """psi count turns of both wheels, u and the forces keep every bit."""
    mesh = data.draw(loaded_meshes(kind))
    p, probe = mesh.state.gears.pitch, mesh.probe()
    times = data.draw(st.integers(-(10**6), 10**6)) // max(p.teeth_a, p.teeth_b)
    turns = np.array([times * p.teeth_b, -times * p.teeth_a])
    memory = probe.memory + np.array([*(2 * math.pi * turns), 0.0, 0.0])
    later = replace(probe, memory=memory)
    a, b = report(probe), report(later)
    assert abs(a["approach"] - b["approach"]) < 1e-15
    assert np.array_equal(residual(probe), residual(later))
    assert [b["psi_a"], b["psi_b"]] == pytest.approx(memory[:2], rel=1e-15)


@every_kind
@few
@given(data=st.data())
def test_turns_are_counted_and_teeth_stay_with_each_other(kind: str, data: st.DataObject) -> None:
    """100 steps of up to 0.9 rad of the faster wheel, rolling: psi grow as the wheels turn, u stays to rounding."""
    mesh = data.draw(loaded_meshes(kind))
    state, probe = mesh.state, mesh.probe()
    p = state.gears.pitch
    step = 0.9 * data.draw(st.sampled_from((-1, 1))) / (1.0 if p.is_rack else max(1.0, p.teeth_a / p.teeth_b))
    probe = replace(probe, memory=accepted(replace(probe, memory=probe.element.memory)))
    first = report(probe)
    assert abs(first["approach"]) / LENGTH <= 0.5 * math.pi * p.normal_module * (1 + ROUNDING)
    assert abs(first["psi_a"]) <= math.pi and (p.is_rack or abs(first["psi_b"]) <= math.pi)
    for n in range(1, 101):
        probe = replace(probe, P=state.turned(n * step, state.rolled_b(n * step)).P)
        last = report(probe)
        assert last["approach"] == pytest.approx(first["approach"], abs=1e-11 * p.normal_module)
        probe = replace(probe, memory=accepted(probe))
        assert accepted(probe) == pytest.approx(probe.memory, rel=1e-15)
    assert last["psi_a"] == pytest.approx(first["psi_a"] + 100 * step, abs=1e-11)
    assert last["psi_b"] == pytest.approx(first["psi_b"] + state.rolled_b(100 * step), abs=1e-11)
