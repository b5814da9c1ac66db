"""Energy of the gear mesh: its elastic forces are the gradient of what it says it stores, and its powers add up.

V(u, psi_A, psi_B, tau) of the law, with u, psi_A, psi_B and tau functions of the two poses. The separating force is no part of
that gradient: u does not know of a change of the centre distance along the tooth height.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.cardona_pair import Wrench, derivative
from references.element_bench import Probe, energies, moved, residual
from references.gear_mesh_cases import LoadedMesh, loaded_meshes, loads_on, mesh_states
from references.gear_pairs import KINDS
from scipy.integrate import quad

EXACT = 1e-9
every_kind = pytest.mark.parametrize("kind", KINDS)
few = settings(max_examples=6)
LAWS = {
    "point contact": {},
    "line contact": {"line": True},
    "line contact, nearly aligned": {"line": True, "misalignment": 0.01},
    "rounded corners": {"smooth": True},
    "tables of loaded teeth": {"tables": True},
}
every_law = pytest.mark.parametrize("law", LAWS)


def stored(mesh: LoadedMesh, dq: np.ndarray) -> np.ndarray:
    """V after increments of the poses."""
    q = mesh.state.pair.engaged(mesh.state.q.moved(dq))
    return np.array(mesh.forces(q, mesh.state.v).energy)


def separating(mesh: LoadedMesh) -> np.ndarray:
    """The separating force in a residual (12,)."""
    pair, q = mesh.state.pair, mesh.state.q
    force = np.real(pair.separating_force(q, mesh.forces(q, mesh.state.v).hoop))
    return -pair.spread(q, Wrench(force, np.zeros(3)))


@every_law
@every_kind
@few
@given(data=st.data())
def test_elastic_forces_are_the_gradient_of_the_energy(kind: str, law: str, data: st.DataObject) -> None:
    """r less the separating force = dV/dq with error and stiffness varying over the mesh cycle and over turns."""
    mesh = data.draw(loaded_meshes(kind, damping=False, **LAWS[law]))
    gradient = derivative(lambda d: stored(mesh, d), 12)
    assert np.all(np.abs(residual(mesh.probe()) - separating(mesh) - gradient) <= EXACT * mesh.scale)


@every_kind
@few
@given(data=st.data())
def test_without_energy_consistency_the_force_of_u_alone(kind: str, data: st.DataObject) -> None:
    """Then r less the separating force = f du/dq, and error and stiffness put in (f x' + k' G) dpsi/dt."""
    mesh = data.draw(loaded_meshes(kind, damping=False, consistent=False))
    pair, state, probe = mesh.state.pair, mesh.state, mesh.probe()
    f = mesh.forces(state.q, state.v).elastic.real
    gradient = derivative(lambda d: pair.engaged(state.q.moved(d)).u, 12)
    assert np.all(np.abs(residual(probe) - separating(mesh) - f * gradient) <= EXACT * mesh.scale)


@pytest.mark.parametrize("consistent", [True, False])
@every_kind
@few
@given(data=st.data())
def test_powers_add_up(kind: str, consistent: bool, data: st.DataObject) -> None:
    """r . v = dV/dt + dissipated - put in, the separating force putting in what it does on an opening centre distance."""
    mesh = data.draw(loaded_meshes(kind, consistent=consistent, line=True, friction=True, losses=True))
    v, probe = mesh.state.v, mesh.probe()
    _, energy, put_in, dissipated = energies(probe)
    rate = derivative(lambda e: stored(mesh, e[0] * v), 1)[0]
    size = np.sum(mesh.scale * np.abs(v))
    assert residual(probe) @ v == pytest.approx(rate + dissipated - put_in, abs=EXACT * size)
    expected = mesh.forces(mesh.state.q, v).energy.real
    assert energy == pytest.approx(expected, abs=EXACT * mesh.scale[0] * mesh.state.gears.pitch.normal_module)


@every_kind
@few
@given(data=st.data())
def test_damper_and_friction_only_take(kind: str, data: st.DataObject) -> None:
    mesh = data.draw(loaded_meshes(kind, line=True, friction=True))
    assert energies(mesh.probe())[3] >= 0


@every_kind
@few
@given(data=st.data())
def test_at_rest_nothing_is_dissipated(kind: str, data: st.DataObject) -> None:
    mesh = data.draw(loaded_meshes(kind, line=True, friction=True, losses=True))
    assert not np.any(energies(replace(mesh.probe(), V=np.zeros((2, 6))))[2:])


@pytest.mark.parametrize("line", [False, True])
@every_kind
@settings(max_examples=2)
@given(data=st.data())
def test_work_along_a_path_through_the_backlash(kind: str, line: bool, data: st.DataObject) -> None:
    """From flank to flank, misaligning on the way: work on the teeth less what the separating force puts in = V_1 - V_0.

    By an adaptive rule that closes in on the kinks of the force.
    """
    state = data.draw(mesh_states(kind))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    mesh = data.draw(loads_on(state, flanks=("drive",), damping=False, line=line))
    probe, module = mesh.probe(), state.gears.pitch.normal_module
    back = -2 * (mesh.law.backlash + 0.02 * module) / state.pair.weights[0]  # of A, to the coast flank
    aside = 0.003 * module * rng.normal(size=12) * np.tile(np.repeat([1.0, 1 / state.radius], 3), 2)
    V = (state.spinning(back, 0.0).v + aside).reshape(2, 6)

    def at(e: float) -> Probe:
        return replace(probe, P=moved(probe.P, e * V), V=V)

    def power(e: float) -> float:
        _, _, put_in, dissipated = energies(at(e))
        assert dissipated == 0
        return float(residual(at(e)) @ V.ravel() + put_in)

    first, last = energies(at(0.0))[1], energies(at(1.0))[1]
    size = max(first, last, np.sum(mesh.scale * np.abs(V.ravel())))
    work, _ = quad(power, 0, 1, epsabs=1e-9 * size, epsrel=0, limit=200)
    assert work == pytest.approx(last - first, abs=1e-8 * size)
