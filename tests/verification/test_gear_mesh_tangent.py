"""The tangent of the gear mesh against complex steps through the pair of 15 coordinates: exact but for rounding.

Stiffness and damping apart. What the element leaves out by intent is how friction and losses turn with the poses: with them
its stiffness is exact at rest, and while the wheels turn about their own axes.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.cardona_pair import derivative
from references.element_bench import call
from references.gear_mesh_cases import LoadedMesh, loaded_meshes, loads_on, mesh_states, never_pulling
from references.gear_pairs import KINDS

from pitchline.engine.elements.contract import TANGENT

EXACT = 1e-9
every_kind = pytest.mark.parametrize("kind", KINDS)
few = settings(max_examples=5)
LAWS = {
    "point contact": {},
    "line contact": {"line": True},
    "line contact, nearly aligned": {"line": True, "misalignment": 0.01},
    "rounded corners": {"smooth": True},
    "tables of loaded teeth": {"tables": True},
    "not energy consistent": {"consistent": False},
}
every_law = pytest.mark.parametrize("law", LAWS)


def tangent(mesh: LoadedMesh, part: str) -> np.ndarray:
    return call(mesh.probe(), TANGENT, **{part: 1.0}).J[:12, :12]


def check(mesh: LoadedMesh, J: np.ndarray, expected: np.ndarray, floor: float = 0.0) -> None:
    """Relative to the largest entry, with moments and rotations measured by the pitch radius."""
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    by_unit = np.outer(unit, unit)
    size = max(np.max(np.abs(expected) / by_unit), floor)
    assert np.max(np.abs(J - expected) / by_unit) <= EXACT * size


def stiffness_size(mesh: LoadedMesh) -> float:
    """k, of which a mesh with lifted edges has only a part."""
    q = mesh.state.q
    return 0.01 * mesh.law.terms(mesh.state.gears.pitch.teeth_a, q.psi_a, q.psi_b)[0][0].real


@every_law
@every_kind
@few
@given(data=st.data())
def test_stiffness_and_damping_at_rest(kind: str, law: str, data: st.DataObject) -> None:
    """c_K dr/dq and c_D dr/dv, misaligned, on either flank and in the gap."""
    mesh = data.draw(loaded_meshes(kind, **LAWS[law]))
    mesh = replace(mesh, state=replace(mesh.state, v=np.zeros(12)))
    check(mesh, tangent(mesh, "stiffness"), derivative(lambda d: mesh.residual(d), 12), stiffness_size(mesh))
    check(mesh, tangent(mesh, "damping"), derivative(lambda d: mesh.residual(None, d), 12), 0.01 * mesh.law.damping)


@every_law
@every_kind
@few
@given(data=st.data())
def test_stiffness_in_motion(kind: str, law: str, data: st.DataObject) -> None:
    """The rate of u, and with it the force of the damper, changes with the poses too."""
    mesh = data.draw(loaded_meshes(kind, **LAWS[law]))
    check(mesh, tangent(mesh, "stiffness"), derivative(lambda d: mesh.residual(d), 12), stiffness_size(mesh))


@every_kind
@few
@given(data=st.data())
def test_stiffness_of_a_damper_that_never_pulls(kind: str, data: st.DataObject) -> None:
    mesh = data.draw(loaded_meshes(kind, line=True))
    mesh = replace(mesh, law=never_pulling(mesh.law))
    check(mesh, tangent(mesh, "stiffness"), derivative(lambda d: mesh.residual(d), 12), stiffness_size(mesh))
    check(mesh, tangent(mesh, "damping"), derivative(lambda d: mesh.residual(None, d), 12), 0.01 * mesh.law.damping)


@every_kind
@few
@given(data=st.data())
def test_no_damping_without_dampers(kind: str, data: st.DataObject) -> None:
    assert not np.any(tangent(data.draw(loaded_meshes(kind, damping=False)), "damping"))


@every_kind
@few
@given(data=st.data())
def test_damping_of_dampers_friction_and_losses(kind: str, data: st.DataObject) -> None:
    """c_D dr/dv in motion, the force of the damper acting on friction and losses too."""
    mesh = data.draw(loaded_meshes(kind, line=True, friction=True, losses=True))
    check(mesh, tangent(mesh, "damping"), derivative(lambda d: mesh.residual(None, d), 12), 0.01 * mesh.law.damping)


@every_kind
@few
@given(data=st.data())
def test_friction_at_rest(kind: str, data: st.DataObject) -> None:
    """mu |F_n| / v_0 across the normal."""
    mesh = data.draw(loaded_meshes(kind, friction=True, damping=False))
    mesh = replace(mesh, state=replace(mesh.state, v=np.zeros(12)))
    check(mesh, tangent(mesh, "damping"), derivative(lambda d: mesh.residual(None, d), 12))


@every_kind
@few
@given(data=st.data())
def test_losses_at_rest(kind: str, data: st.DataObject) -> None:
    """lever |f| / omega_0 about the relative rotation."""
    mesh = data.draw(loaded_meshes(kind, losses=True, damping=False))
    mesh = replace(mesh, state=replace(mesh.state, v=np.zeros(12)))
    check(mesh, tangent(mesh, "damping"), derivative(lambda d: mesh.residual(None, d), 12))


@every_kind
@few
@given(data=st.data())
def test_stiffness_of_friction_and_losses_along_turning_wheels(kind: str, data: st.DataObject) -> None:
    """K v is the whole derivative of the residual while both wheels turn about fixed axes, misaligned, at any speeds.

    Friction of a rack apart: the arm of its force changes.
    """
    state = data.draw(mesh_states(kind, off_centre=0.0))
    rack = state.gears.pitch.is_rack
    a, b = data.draw(st.tuples(*[st.floats(-50, 50)] * 2))
    state = state.spinning(a, b * state.radius if rack else b)
    mesh = data.draw(loads_on(state, friction=not rack, losses=True))
    v = state.v
    expected = derivative(lambda e: mesh.residual(e[0] * v), 1)[:, 0]
    unit = np.tile(np.repeat([1.0, state.radius], 3), 2)
    size = max(np.max(np.abs(expected) / unit), stiffness_size(mesh) * np.max(np.abs(v * unit)))
    assert np.max(np.abs(tangent(mesh, "stiffness") @ v - expected) / unit) <= EXACT * size
