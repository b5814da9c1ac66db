"""Backlash, damping and errors of a mesh that vary over angles or time, fixed lines of action, rigid line contact, friction on the
path of contact and over the load: forces, powers and tangents of the element against differences of fourth order.

The pairs are misaligned, on either flank and in the gap. Tolerances as in the tests of teeth that follow their centres.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from references.element_bench import Probe, call, central, derivatives, energies, moved, report, residual
from references.gear_mesh_cases import LoadedMesh, mesh_states, some_law

from pitchline.engine.elements.contract import RATE, TANGENT
from pitchline.functions import FourierLine
from pitchline.parts.friction.kernel import encode_friction_map
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import (
    BY_LOAD,
    COMPLIANT,
    OVER_A,
    OVER_B,
    OVER_CYCLE,
    OVER_TIME,
    RIGID,
    STRIBECK,
    encode_geometry,
)
from pitchline.parts.meshes.laws import FrictionTable

CLOSE = 5e-7
KINDS = ("helical", "internal", "spiral bevel")
LAWS = ({}, {"smooth": True}, {"tables": True}, {"line": True})
every_kind = pytest.mark.parametrize("kind", KINDS)
few = settings(max_examples=4, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def varied(mesh: LoadedMesh, rng: np.random.Generator, *, line: int = 0, follow: bool = False, **more) -> Probe:
    """The element with a backlash over an angle and time, dampers over both wheels, and an error over time."""
    probe = mesh.probe(**more)
    law, functions, module = probe.element.values["law"], [probe.functions], mesh.state.gears.pitch.normal_module

    def put(mean: float, swing: float, omega: float = 1.0) -> int:
        at = sum(f.size for f in functions)
        functions.append(FourierLine(mean, 0.0, omega, *(swing * rng.uniform(-1, 1, (2, 2)))).encode())
        return at

    small = 1e-4 * module
    law["n_plays"], law["plays"][..., :2] = 2, (put(0.0, small), put(0.0, small, 3.0))
    law["plays_over"][..., :2] = rng.choice([OVER_CYCLE, OVER_A, OVER_B]), OVER_TIME
    n = int(law["n_errors"])
    law["errors"][..., n], law["errors_over"][..., n], law["n_errors"] = put(0.0, small, 2.0), OVER_TIME, n + 1
    c = float(law["damping"])
    if c:
        law["n_dampers"], law["resistance"], law["damping"] = 2, 0.3 / c, 0.0
        law["dampers"][..., :2], law["dampers_over"][..., :2] = (
            (put(3 * c, 0.3 * c), put(3 * c, 0.3 * c)),
            (OVER_A, OVER_B),
        )
    g = mesh.state.pair
    geometry = encode_geometry(
        g.pitch, g.point_a, g.triad_a, g.point_b, g.triad_b, length=1.0, follow_centres=follow, line=line
    )
    element = gear_mesh("mesh", (3, 7), geometry, law)
    return replace(
        probe, element=element, functions=np.concatenate(functions), t=float(rng.uniform(0, 5)),
        lam=np.zeros(len(element.rows)), memory=np.append(probe.memory, [0.0, 0.0]),
    )  # fmt: skip


def cases(data: st.DataObject, kind: str, **options) -> tuple[LoadedMesh, np.random.Generator]:
    state = data.draw(mesh_states(kind, misalignment=0.2))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    flank = data.draw(st.sampled_from(("drive", "coast", "gap")))
    return LoadedMesh(state, some_law(state, rng, flank=flank, **options)), rng


def step(mesh: LoadedMesh) -> np.ndarray:
    h = 1e-4 * mesh.state.gears.pitch.normal_module
    if mesh.law.smoothing:
        h = min(h, 0.01 * mesh.law.smoothing)
    return np.tile(np.repeat([h, h / mesh.state.radius], 3), 2)


def by_positions(probe: Probe, function, h: np.ndarray) -> np.ndarray:
    def column(i: int) -> np.ndarray:
        def at(d: float) -> np.ndarray:
            dq = np.zeros(12)
            dq[i] = d
            return np.atleast_1d(function(replace(probe, P=moved(probe.P, dq.reshape(2, 6)))))

        return central(at, float(h[i]))

    return np.stack([column(i) for i in range(12)], axis=1)


@every_kind
@few
@given(data=st.data())
def test_force_is_the_gradient_of_the_energy(kind: str, data: st.DataObject) -> None:
    mesh, rng = cases(data, kind, damping=False, **data.draw(st.sampled_from(LAWS)))
    line = data.draw(st.sampled_from((0, 1, -1)))
    probe = varied(mesh, rng, line=line, follow=True)
    probe = replace(probe, V=np.zeros((2, 6)))
    h = step(mesh)
    errors = [
        np.max(np.abs(residual(probe) - by_positions(probe, lambda p: energies(p)[1], f * h)[0]) / mesh.scale)
        for f in (1.0, 1 / 30)
    ]
    assert min(errors) <= CLOSE


@every_kind
@few
@given(data=st.data())
def test_power(kind: str, data: st.DataObject) -> None:
    """The power of the wheels is the rate of the energy and the losses, less what errors and backlash over time put in."""
    consistent = data.draw(st.booleans())
    mesh, rng = cases(data, kind, consistent=consistent, **data.draw(st.sampled_from(LAWS)))
    probe = varied(mesh, rng, line=data.draw(st.sampled_from((0, 1, -1))), follow=data.draw(st.booleans()))
    h = float(np.min(step(mesh) / (1e-30 + np.abs(probe.V.ravel())))) / 30
    rate = central(lambda e: energies(probe.along(e))[1], h)
    _, _, put_in, lost = energies(probe)
    assert lost >= 0.0
    size = float(mesh.scale @ np.abs(probe.V.ravel()))
    assert abs(residual(probe) @ probe.V.ravel() - rate - lost + put_in) <= CLOSE * size


@every_kind
@few
@given(data=st.data())
def test_tangent(kind: str, data: st.DataObject) -> None:
    law = data.draw(st.sampled_from(LAWS))
    mesh, rng = cases(data, kind, consistent=data.draw(st.booleans()), **law)
    probe = varied(mesh, rng, line=data.draw(st.sampled_from((0, 1, -1))), follow=data.draw(st.booleans()))
    J = call(probe, TANGENT, stiffness=1.0).J[:12, :12]
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    by_unit = np.outer(unit, unit)
    k = mesh.law.terms(mesh.state.gears.pitch.teeth_a, mesh.state.q.psi_a, mesh.state.q.psi_b)[0][0].real
    force = np.max(mesh.scale[:3]) / mesh.state.gears.pitch.normal_module
    size = max(k, force, float(np.max(np.abs(J) / by_unit)))
    errors = [np.max(np.abs(J - by_positions(probe, residual, f * step(mesh))) / by_unit) for f in (1.0, 1 / 30)]
    assert min(errors) <= CLOSE * size
    D = call(probe, TANGENT, damping=1.0).J[:12, :12]
    v = np.max(np.abs(probe.V))
    by_rates = np.stack([
        central(lambda d, i=i: residual(replace(probe, V=probe.V + d * np.eye(12)[i].reshape(2, 6))), 1e-3 * v)
        for i in range(12)
    ], axis=1)[:12]  # fmt: skip
    np.testing.assert_allclose(D, by_rates, atol=1e-6 * np.max(np.abs(by_rates)) + 1e-9 * np.max(mesh.scale) / v)


@pytest.mark.parametrize("form", [COMPLIANT, RIGID])
@few
@given(data=st.data())
def test_multiplier_form(form: int, data: st.DataObject) -> None:
    """Tangent, and rate of the rows: the derivative of the row along the motion, including time."""
    mesh, rng = cases(data, data.draw(st.sampled_from(KINDS)), damping=False, varying=data.draw(st.booleans()))
    line = data.draw(st.sampled_from((0, 1, -1)))
    probe = varied(mesh, rng, line=line, follow=form == COMPLIANT, form=form, mass=1.0)
    force = float(np.max(mesh.scale[:3]))
    s = report(probe)["approach"] - mesh.law.offset
    probe = replace(probe, lam=np.array([force if s > -0.5 * mesh.law.backlash else -force]))
    J = call(probe, TANGENT, stiffness=1.0).J
    h = step(mesh) / 10
    by_unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    row = by_positions(probe, lambda p: residual(p)[12], h)[0]
    np.testing.assert_allclose(J[12, :12] / by_unit, row / by_unit, atol=1e-6)
    column = central(lambda d: residual(replace(probe, lam=probe.lam + d)), 1e-3 * force)[:12]
    np.testing.assert_allclose(J[:12, 12] / by_unit, column / by_unit, atol=1e-9)
    K = by_positions(probe, lambda p: residual(p)[:12], h)
    size = max(force / mesh.state.gears.pitch.normal_module, float(np.max(np.abs(K) / np.outer(by_unit, by_unit))))
    np.testing.assert_allclose(
        J[:12, :12] / np.outer(by_unit, by_unit), K / np.outer(by_unit, by_unit), atol=1e-5 * size
    )
    along = central(lambda e: residual(probe.along(e))[12], float(np.min(h / (1e-30 + np.abs(probe.V.ravel())))))
    rate = call(probe, RATE).r[12]
    assert rate == pytest.approx(along, rel=1e-5, abs=1e-7 * float(np.max(np.abs(probe.V))))


@few
@given(data=st.data())
def test_rigid_line_contact(data: st.DataObject) -> None:
    """Its second row is the tilt about the line of centres; the multiplier is the moment, and a second contact force."""
    mesh, _ = cases(data, data.draw(st.sampled_from(KINDS)), damping=False, line=True)
    probe = mesh.probe(form=RIGID, mass=1.0)
    probe.element.values["law"]["backlash"] = 0.0
    assert probe.element.rows == "tr"
    force, w = float(np.max(mesh.scale[:3])), mesh.law.width
    probe = replace(probe, lam=np.array([force, 0.2 * force * w]), memory=np.append(probe.memory, [0.0, 0.0]))
    J, seen = call(probe, TANGENT, stiffness=1.0).J, report(probe)
    np.testing.assert_allclose(residual(probe)[13], mesh.state.pair.tilt(mesh.state.q).real, atol=1e-12)
    by_lam = derivatives(probe)[3][:12]
    by_unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)[:, None]
    np.testing.assert_allclose(J[:12, 12:] / by_unit, by_lam / by_unit, atol=2e-6)
    h = step(mesh) / 10
    rows = by_positions(probe, lambda p: residual(p)[12:], h)
    np.testing.assert_allclose(J[12:, :12] / by_unit.T, rows / by_unit.T, atol=1e-6)
    along = central(lambda e: residual(probe.along(e))[12:], float(np.min(h / (1e-30 + np.abs(probe.V.ravel())))))
    np.testing.assert_allclose(call(probe, RATE).r[12:], along, rtol=1e-5, atol=1e-7 * float(np.max(np.abs(probe.V))))
    cosine = math.cos(mesh.state.gears.pitch.pressure_angle)
    assert seen["second_contact_force"] == pytest.approx(0.4 * force / cosine, rel=1e-12)


TABLE = FrictionTable(
    [0.0, 1.0, 4.0, 20.0], [0.0, 1.0, 3.0], [[0.1, 0.08, 0.06, 0.05], [0.09, 0.07, 0.06, 0.05], [0.07] * 4]
)


@pytest.mark.parametrize("on_path", [True, False])
@pytest.mark.parametrize("kind", [BY_LOAD, STRIBECK])
@few
@given(data=st.data())
def test_friction(on_path: bool, kind: int, data: st.DataObject) -> None:
    """The loss is never negative, its power that of friction, and the derivatives by velocities and by the force are exact."""
    mesh, _ = cases(data, "helical", damping=False, varying=False)
    state, radius = mesh.state, mesh.state.radius
    force = 2.0 * float(np.max(mesh.scale[:3]))
    speed = float(np.max(np.abs(state.v)))
    hermite = TABLE.hermite * [1.0, 1 / speed, 1 / force, 1 / speed / force]
    values = encode_friction_map(TABLE.speeds * speed, TABLE.forces * force, hermite)
    law = replace(mesh.law, friction_speed=0.1 * speed, friction=(STRIBECK, 0.05, 0.07, 0.5 * speed, 0.02 / speed))
    probe = replace(mesh, law=law).probe(form=COMPLIANT, path=0.1 * radius if on_path else 0.0)
    probe.element.values["law"]["friction"] = kind
    probe.element.values["law"]["mu_table"] = probe.functions.size
    probe = replace(probe, functions=np.append(probe.functions, values), lam=np.array([force]))
    seen = report(probe)
    assert seen["friction_loss"] >= (0.0 if not on_path else -1e-3 * force * speed)
    J = call(probe, TANGENT, stiffness=1.0, damping=0.0).J
    column = central(lambda d: residual(replace(probe, lam=probe.lam + d)), 1e-4 * force)[:12]
    by_unit = np.tile(np.repeat([1.0, radius], 3), 2)
    np.testing.assert_allclose(J[:12, 12] / by_unit, column / by_unit, atol=1e-7)
    D = call(probe, TANGENT, damping=1.0).J[:12, :12]
    rates = np.stack([
        central(lambda d, i=i: residual(replace(probe, V=probe.V + d * np.eye(12)[i].reshape(2, 6))), 1e-4 * speed)
        for i in range(12)
    ], axis=1)[:12]  # fmt: skip
    np.testing.assert_allclose(D, rates, atol=2e-6 * np.max(np.abs(rates)))
