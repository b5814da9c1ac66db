"""The gear mesh with tables over the tilt of its wheels: forces, moments and tangents against an energy found by integration.

Pairs of every kind, misaligned, on nodes away from the wheels' centres; within the tilts of the table and beyond; on either flank
and on both at once.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from references.cardona_pair import derivative
from references.element_bench import call, central, energies, moved, residual
from references.gear_mesh_cases import mesh_states, never_pulling
from references.tilt_law import TiltedMesh, some_tilted_mesh

from pitchline.engine.elements.contract import RATE, RESIDUAL, TANGENT
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import COMPLIANT, encode_geometry

EXACT = 1e-9
FORCE = {"spiral bevel": 1e-8}
"""Of kinds whose force is less exact: 1.1e-9 was seen, with a frame that is found by Newton's steps on both sides."""
KINDS = ("spur", "helical", "internal", "rack and pinion", "spiral bevel")
FLANKS = ("drive", "gap", "coast", "both")
every_kind = pytest.mark.parametrize("kind", KINDS)
few = settings(max_examples=6, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def drawn(data: st.DataObject, kind: str, flanks: tuple[str, ...] = FLANKS, **options) -> TiltedMesh:
    state = data.draw(mesh_states(kind))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    return some_tilted_mesh(state, rng, flank=data.draw(st.sampled_from(flanks)), **options)


def close(mesh: TiltedMesh, J: np.ndarray, expected: np.ndarray) -> None:
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    by_unit = np.outer(unit, unit)
    size = max(float(np.max(np.abs(expected) / by_unit)), 0.01 * mesh.law.drive.mean_stiffness)
    assert np.max(np.abs(J - expected) / by_unit) <= EXACT * size


@every_kind
@few
@given(data=st.data())
def test_force_and_tangent_are_those_of_the_energy(kind: str, data: st.DataObject) -> None:
    """Complex steps through the pair of 15 coordinates: in motion, damped, energy consistent or not."""
    mesh = drawn(data, kind, consistent=data.draw(st.booleans()))
    if data.draw(st.booleans()):
        mesh = replace(mesh, law=never_pulling(mesh.law))
    probe = mesh.probe()
    assert np.all(np.abs(residual(probe) - mesh.residual()) <= FORCE.get(kind, EXACT) * mesh.scale)
    close(mesh, call(probe, TANGENT, stiffness=1.0).J[:12, :12], derivative(lambda d: mesh.residual(d), 12))
    close(mesh, call(probe, TANGENT, damping=1.0).J[:12, :12], derivative(lambda d: mesh.residual(None, d), 12))


@every_kind
@few
@given(data=st.data())
def test_the_moment_is_a_derivative_of_the_energy(kind: str, data: st.DataObject) -> None:
    """Of what the element itself reports as potential; with teeth that follow their centres too. The separating force apart, which
    has a potential only then."""
    mesh = drawn(data, kind, damping=False)
    follow = data.draw(st.booleans())
    g, probe = mesh.state.pair, mesh.probe()
    geometry = encode_geometry(
        g.pitch, g.point_a, g.triad_a, g.point_b, g.triad_b, length=1.0, separating=follow, follow_centres=follow
    )
    element = gear_mesh("mesh", (3, 7), geometry, probe.element.values["law"])
    probe = replace(probe, element=element, V=np.zeros((2, 6)))
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    J = call(probe, TANGENT, stiffness=1.0).J[:12, :12]
    errors, tangent_errors = [], []
    for h in (1e-4, 3e-6):
        h *= mesh.state.gears.pitch.normal_module

        def along(i: int, what, h: float = h) -> np.ndarray:
            def at(d: float) -> np.ndarray:
                dq = np.zeros(12)
                dq[i] = d
                return np.atleast_1d(what(replace(probe, P=moved(probe.P, dq.reshape(2, 6)))))

            return central(at, h / unit[i])

        slope = np.array([along(i, lambda p: energies(p)[1])[0] for i in range(12)])
        errors.append(np.max(np.abs(residual(probe) - slope) / mesh.scale))
        columns = np.stack([along(i, residual) for i in range(12)], axis=1)
        size = max(mesh.law.drive.mean_stiffness, float(np.max(np.abs(J) / np.outer(unit, unit))))
        tangent_errors.append(np.max(np.abs(J - columns) / np.outer(unit, unit)) / size)
    assert min(errors) <= 2e-7
    assert min(tangent_errors) <= 2e-7


@every_kind
@few
@given(data=st.data())
def test_loads_balance(kind: str, data: st.DataObject) -> None:
    mesh = drawn(data, kind, ("drive", "coast", "both"))
    Q, q = residual(mesh.probe()), mesh.state.q
    force = Q[0:3] + Q[6:9]
    moment = np.cross(q.x_a, Q[0:3]) + q.R_a @ Q[3:6] + np.cross(q.x_b, Q[6:9]) + q.R_b @ Q[9:12]
    size = np.max(mesh.scale) * (1 + np.max(np.abs(np.concatenate([q.x_a, q.x_b]))) / mesh.state.radius)
    assert np.max(np.abs(np.append(force, moment))) <= 1e-12 * size


@pytest.mark.parametrize("consistent", [True, False])
@every_kind
@few
@given(data=st.data())
def test_as_one_multiplier(kind: str, consistent: bool, data: st.DataObject) -> None:
    """At lambda = f the same forces, and condensing lambda gives the same tangent; the row and its rate."""
    mesh = drawn(data, kind, ("drive", "coast"), damping=False, consistent=consistent)
    mesh = replace(mesh, state=replace(mesh.state, v=0.1 * mesh.state.v))
    lam = float(np.real(mesh.forces(mesh.state.q, mesh.state.v).elastic))
    spring = replace(mesh.probe(), V=np.zeros((2, 6)))
    probe = mesh.probe(form=COMPLIANT)
    probe = replace(probe, lam=np.array([lam]))
    at_rest = replace(probe, V=np.zeros((2, 6)))
    found = call(at_rest, TANGENT, stiffness=1.0, damping=1.0)
    r, J = found.r, found.J
    assert np.all(np.abs(r[:12] - residual(spring)) <= EXACT * mesh.scale)
    assert abs(r[12]) <= EXACT * mesh.scale[0] * abs(J[12, 12])
    condensed = J[:12, :12] - np.outer(J[:12, 12], J[12, :12]) / J[12, 12]
    close(mesh, condensed, call(spring, TANGENT, stiffness=1.0).J[:12, :12])
    rate = call(probe, RATE, stiffness=1.0, damping=1.0).r[12]
    row = J[12, :12]
    assert rate == pytest.approx(row @ mesh.state.v, abs=EXACT * np.sum(np.abs(row * mesh.state.v)))
    assert call(probe, RESIDUAL).r[12] == pytest.approx(r[12], abs=EXACT * mesh.scale[0] * abs(J[12, 12]))
