"""The gear mesh with its tooth force as an unknown of its own: compliant (statics) and rigid teeth.

Compliant, at lambda = f: the same equilibrium as the spring, and condensing lambda out of the bordered tangent gives the
spring's, which is compared with complex steps elsewhere. Rigid: the row is s itself on the flank that bears.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.cardona_pair import derivative
from references.element_bench import Probe, call, central, residual
from references.gear_mesh_cases import LoadedMesh, loaded_meshes
from references.gear_pairs import KINDS
from references.table_law import TableLaw

from pitchline.engine.elements.contract import RATE, RESIDUAL, TANGENT
from pitchline.parts.meshes.kernel_law import COMPLIANT, RIGID

EXACT = 1e-9
every_kind = pytest.mark.parametrize("kind", KINDS)
few = settings(max_examples=6)


def evaluated(probe: Probe, lam: float, mode: int) -> tuple[np.ndarray, np.ndarray]:
    """(r, J) of the local block with all factors one."""
    outcome = call(replace(probe, lam=np.full(len(probe.element.rows), lam)), mode, stiffness=1.0, damping=1.0)
    return outcome.r, outcome.J


def stiffness(mesh: LoadedMesh, force: float) -> float:
    """k at a force."""
    law, q, teeth = mesh.law, mesh.state.q, mesh.state.gears.pitch.teeth_a
    if isinstance(law, TableLaw):
        return float((law.drive if force >= 0 else law.coast).stiffness(abs(force), teeth * q.psi_a / (2 * np.pi)))
    return float(law.terms(teeth, q.psi_a, q.psi_b)[0][0].real)


def at_rest(mesh: LoadedMesh) -> LoadedMesh:
    return replace(mesh, state=replace(mesh.state, v=np.zeros(12)))


def opening(mesh: LoadedMesh, dq: np.ndarray, lam: float, compliant: bool) -> np.ndarray:
    """s of the flank that bears, less lambda/k."""
    state, law = mesh.state, mesh.law
    p = state.gears.pitch
    q = state.pair.engaged(state.q.moved(dq))
    k, x = law.terms(p.teeth_a, q.psi_a, q.psi_b)
    s = q.u + np.pi * p.normal_module * mesh.whole_teeth + x[0] - law.offset
    if isinstance(law, TableLaw):
        return np.array(s - law.approach(lam, p.teeth_a * q.psi_a))
    return np.array(s + (law.backlash if lam < 0 else 0) - (lam / k[0] if compliant else 0))


@pytest.mark.parametrize("tables", [False, True])
@pytest.mark.parametrize("consistent", [True, False])
@every_kind
@few
@given(data=st.data())
def test_compliant_teeth_are_the_spring(kind: str, consistent: bool, tables: bool, data: st.DataObject) -> None:
    mesh = at_rest(data.draw(loaded_meshes(kind, damping=False, consistent=consistent, tables=tables)))
    spring, probe = mesh.probe(), mesh.probe(form=COMPLIANT)
    assert probe.element.rows == "t"
    lam = mesh.forces(mesh.state.q, mesh.state.v).elastic.real
    r, J = evaluated(probe, lam, TANGENT)
    expected, K = evaluated(spring, 0.0, TANGENT)
    k = stiffness(mesh, lam)
    assert np.all(np.abs(r[:12] - expected) <= EXACT * mesh.scale)
    assert abs(r[12]) <= EXACT * mesh.scale[0] / k
    condensed = J[:12, :12] - np.outer(J[:12, 12], J[12, :12]) / J[12, 12]
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    size = np.max(np.abs(K) / np.outer(unit, unit))
    assert np.max(np.abs(condensed - K) / np.outer(unit, unit)) <= EXACT * max(size, k * (lam != 0))
    if lam:
        assert J[12, 12] == pytest.approx(-1 / k, rel=1e-12)


@pytest.mark.parametrize(("form", "tables"), [(COMPLIANT, False), (COMPLIANT, True), (RIGID, False)])
@every_kind
@few
@given(data=st.data())
def test_row_and_column_are_derivatives(kind: str, form: int, tables: bool, data: st.DataObject) -> None:
    """J[12, :] = dPhi/dq, J[:, 12] = dr/dlambda; dPhi/dt is the row times the velocities."""
    mesh = data.draw(loaded_meshes(kind, flanks=("drive", "coast"), damping=False, tables=tables))
    lam = mesh.forces(mesh.state.q, mesh.state.v).elastic.real
    probe = mesh.probe(form=form, mass=1e-3)
    r, J = evaluated(probe, lam, TANGENT)
    row = derivative(lambda d: opening(mesh, d, lam, form == COMPLIANT), 12)
    unit = np.tile(np.repeat([1.0, mesh.state.gears.pitch.radius_a], 3), 2)
    assert r[12] == pytest.approx(
        float(opening(mesh, np.zeros(12), lam, form == COMPLIANT).real), abs=1e-12 * mesh.state.radius
    )
    assert np.max(np.abs(J[12, :12] - row) / unit) <= EXACT * np.max(np.abs(row) / unit)
    # a long step may cross a knot of a table, a short one loses digits: the best of three counts
    columns = [
        central(lambda d: evaluated(probe, lam * (1 + d), RESIDUAL)[0][:12], step) / lam for step in (0.1, 0.01, 0.001)
    ]
    errors = [np.max(np.abs(J[:12, 12] - column) / unit) / np.max(np.abs(column) / unit) for column in columns]
    assert min(errors) <= EXACT
    rate = evaluated(probe, lam, RATE)[0][12]
    assert rate == pytest.approx(row @ mesh.state.v, abs=EXACT * np.sum(np.abs(row * mesh.state.v)))


@every_kind
@few
@given(data=st.data())
def test_rigid_teeth_push_as_elastic_ones(kind: str, data: st.DataObject) -> None:
    """At the same force, if nothing varies: the wrench has no stiffness in it."""
    mesh = at_rest(data.draw(loaded_meshes(kind, flanks=("drive", "coast"), damping=False, varying=False)))
    lam = mesh.forces(mesh.state.q, mesh.state.v).elastic.real
    r, _ = evaluated(mesh.probe(form=RIGID, mass=1e-3), lam, RESIDUAL)
    assert np.all(np.abs(r[:12] - residual(mesh.probe())) <= EXACT * mesh.scale)


@pytest.mark.parametrize("form", [COMPLIANT, RIGID])
@every_kind
@few
@given(data=st.data())
def test_in_the_gap_there_is_no_force(kind: str, form: int, data: st.DataObject) -> None:
    """The row says lambda = 0, and does not know the poses."""
    mesh = data.draw(loaded_meshes(kind, flanks=("gap",), damping=False))
    r, J = evaluated(mesh.probe(form=form, mass=1e-3), 0.0, TANGENT)
    assert not np.any(r)
    assert not np.any(J[12, :12])
    assert J[12, 12] < 0
