"""The element of teeth that follow their centres: forces are the gradient of its energy, exactly, wherever the wheels stand.

All kinds of pairs, misaligned by up to a twentieth of their radius and angle; on either flank, in the gap, and with both flanks
bearing (centres pressed together by more than the backlash allows). Derivatives by differences of fourth order, with two steps:
of 1e-4 of the module rounding and truncation are both some 1e-10 of the function; where that steps over a kink (an edge lifts, a
damper that is limited) a thirtieth of it does not, with rounding of 1e-8.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from references.element_bench import Probe, call, central, energies, moved, report, residual
from references.gear_mesh_cases import LoadedMesh, mesh_states, never_pulling, some_law
from references.gear_pairs import KINDS

from pitchline.engine.elements.contract import TANGENT
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import COMPLIANT, encode_geometry

CLOSE = 2e-7
LAWS = {
    "point contact": {},
    "line contact": {"line": True},
    "rounded corners": {"smooth": True},
    "tables of loaded teeth": {"tables": True},
}
PLACES = ("drive", "gap", "coast", "both")
every_kind = pytest.mark.parametrize("kind", KINDS)
every_law = pytest.mark.parametrize("law", LAWS)
few = settings(max_examples=4, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def following(mesh: LoadedMesh, **more) -> Probe:
    """The element of a mesh, following its centres."""
    probe, g = mesh.probe(**more), mesh.state.pair
    geometry = encode_geometry(g.pitch, g.point_a, g.triad_a, g.point_b, g.triad_b, length=1.0, follow_centres=True)
    element = gear_mesh("mesh", (3, 7), geometry, probe.element.values["law"])
    return replace(probe, element=element, lam=np.zeros(len(element.rows)))


def closer(mesh: LoadedMesh) -> float:
    """t y: by how much both flanks are closer with the centres where they are."""
    f, p = mesh.state.pair.frames(mesh.state.q), mesh.state.pair.pitch
    gap = f.C_a - f.C_b
    return float(math.tan(p.pressure_angle) * np.real(gap @ f.H_a[:, 1]))


def placed(kind: str, law: str, place: str, draw: Callable, **options) -> LoadedMesh:
    """Teeth that stand so with their centres where they are."""
    state = draw(mesh_states(kind))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    made = some_law(state, rng, flank="drive" if place == "both" else place, **LAWS[law], **options)
    mesh = LoadedMesh(state, made)
    ty, b = closer(mesh), made.backlash
    if place == "both":
        depth = 0.02 * state.gears.pitch.normal_module
        # both flanks deeper than tables vary and than a tilt can lift an edge in point contact
        made = replace(made, offset=made.offset + rng.uniform(-0.3, 0.3) * depth)
        b = -2.0 * depth if law != "tables of loaded teeth" else -2.0 * depth - made.backlash
    return replace(mesh, law=replace(made, offset=made.offset + ty, backlash=b + 2.0 * ty))


def steps(mesh: LoadedMesh) -> list[np.ndarray]:
    """Two of (12,) of the finite differences; corners are rounded over a length that they resolve too."""
    h = 1e-4 * mesh.state.gears.pitch.normal_module
    if mesh.law.smoothing:
        h = min(h, 0.01 * mesh.law.smoothing)
    return [factor * np.tile(np.repeat([h, h / mesh.state.radius], 3), 2) for factor in (1.0, 1 / 30)]


def by_positions(probe: Probe, function: Callable[[Probe], np.ndarray], h: np.ndarray) -> np.ndarray:
    """Columns of derivatives by the increments of both poses."""

    def column(i: int) -> np.ndarray:
        def at(d: float) -> np.ndarray:
            dq = np.zeros(12)
            dq[i] = d
            return np.atleast_1d(function(replace(probe, P=moved(probe.P, dq.reshape(2, 6)))))

        return central(at, float(h[i]))

    return np.stack([column(i) for i in range(12)], axis=1)


@every_law
@every_kind
@few
@given(data=st.data())
def test_force_is_the_gradient_of_the_energy(kind: str, law: str, data: st.DataObject) -> None:
    mesh = placed(kind, law, data.draw(st.sampled_from(PLACES)), data.draw, damping=False)
    probe = replace(following(mesh), V=np.zeros((2, 6)))
    slopes = [by_positions(probe, lambda p: energies(p)[1], h)[0] for h in steps(mesh)]
    assert min(np.max(np.abs(residual(probe) - slope) / mesh.scale) for slope in slopes) <= CLOSE


@every_law
@every_kind
@few
@given(data=st.data())
def test_power(kind: str, law: str, data: st.DataObject) -> None:
    """Power that goes in = dV/dt + what is lost; nothing is put in. The damper loses in any motion."""
    mesh = placed(kind, law, data.draw(st.sampled_from(PLACES)), data.draw)
    probe = following(mesh)
    rate = central(
        lambda e: energies(probe.along(e))[1], float(np.min(steps(mesh)[1] / (1e-30 + np.abs(probe.V.ravel()))))
    )
    _, _, put_in, lost = energies(probe)
    size = float(mesh.scale @ np.abs(probe.V.ravel()))
    assert put_in == 0.0
    assert lost >= 0.0
    assert abs(residual(probe) @ probe.V.ravel() - rate - lost) <= CLOSE * size


@every_law
@every_kind
@few
@given(data=st.data())
def test_tangent(kind: str, law: str, data: st.DataObject) -> None:
    """Stiffness in motion, with the damper: exact. Friction apart."""
    mesh = placed(kind, law, data.draw(st.sampled_from(PLACES)), data.draw)
    if data.draw(st.booleans()):
        mesh = replace(mesh, law=never_pulling(mesh.law))
    probe = following(mesh)
    J = call(probe, TANGENT, stiffness=1.0).J[:12, :12]
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    by_unit = np.outer(unit, unit)
    k = mesh.law.terms(mesh.state.gears.pitch.teeth_a, mesh.state.q.psi_a, mesh.state.q.psi_b)[0][0].real
    force = np.max(mesh.scale[:3]) / mesh.state.gears.pitch.normal_module
    size = max(k, force, float(np.max(np.abs(J) / by_unit)))
    errors = [np.max(np.abs(J - by_positions(probe, residual, h)) / by_unit) for h in steps(mesh)]
    assert min(errors) <= CLOSE * size


@every_kind
@settings(max_examples=8)
@given(data=st.data())
def test_as_one_multiplier(kind: str, data: st.DataObject) -> None:
    """At lambda = f the same forces and, lambda condensed out, the same stiffness as the law of the approach."""
    place = data.draw(st.sampled_from(PLACES))
    mesh = placed(kind, "point contact", place, data.draw, damping=False)
    spring = replace(following(mesh), V=np.zeros((2, 6)))
    other = following(mesh, form=COMPLIANT)
    f = report(spring)["normal_force"] * math.cos(mesh.state.gears.pitch.pressure_angle)
    other = replace(other, V=np.zeros((2, 6)), lam=np.array([f]))
    r = residual(other)
    assert np.max(np.abs(r[:12] - residual(spring)) / mesh.scale) <= 1e-9
    assert abs(r[12]) <= 1e-9 * mesh.state.gears.pitch.normal_module
    assert energies(other)[1] == pytest.approx(energies(spring)[1], rel=1e-9, abs=1e-12 * np.max(mesh.scale))
    if place == "gap":
        return
    J = call(other, TANGENT, stiffness=1.0).J[:13, :13]
    condensed = J[:12, :12] - np.outer(J[:12, 12], J[12, :12]) / J[12, 12]
    expected = call(spring, TANGENT, stiffness=1.0).J[:12, :12]
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    assert np.max(np.abs(condensed - expected) / np.outer(unit, unit)) <= 1e-9 * np.max(
        np.abs(expected) / np.outer(unit, unit)
    )
