"""Elastic teeth over a face that is tilted in the plane of action: forces, moments and tangents against an energy found by
integration, closed forms of wheels that tilt, and the balance of energy."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from references.cardona_pair import derivative
from references.element_bench import call, residual
from references.gear_mesh_cases import mesh_states, never_pulling
from references.tilt_law import TiltedMesh
from references.tilted_slices import Slices
from references.tilted_springs_law import springs_over_face
from references.tilted_wheels import NORMAL, RADIUS, WIDTH, axis_of_b, build, of, tilting_moment

import pitchline as pl
from pitchline.engine.elements.contract import TANGENT

EXACT = 1e-9
few = settings(max_examples=6, phases=(Phase.explicit, Phase.reuse, Phase.generate))
TEETH = Slices(width=WIDTH, crown=0.0)
STIFFNESS = TEETH.stiffness * WIDTH


def drawn(data: st.DataObject, kind: str, **options) -> TiltedMesh:
    state = data.draw(mesh_states(kind))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    return springs_over_face(state, rng, flank=data.draw(st.sampled_from(("drive", "gap", "coast", "both"))), **options)


def close(mesh: TiltedMesh, J: np.ndarray, expected: np.ndarray) -> None:
    p, q = mesh.state.gears.pitch, mesh.state.q
    unit = np.tile(np.repeat([1.0, mesh.state.radius], 3), 2)
    by_unit = np.outer(unit, unit)
    k = mesh.law.terms(p.teeth_a, q.psi_a, q.psi_b)[0][0].real
    assert np.max(np.abs(J - expected) / by_unit) <= EXACT * max(float(np.max(np.abs(expected) / by_unit)), k)


@pytest.mark.parametrize("kind", ["spur", "helical", "internal", "rack and pinion"])
@few
@given(data=st.data())
def test_force_and_tangent_are_those_of_the_energy(kind: str, data: st.DataObject) -> None:
    """Complex steps through the pair of 15 coordinates: in motion, damped, stiffness and errors varying over the mesh cycle."""
    mesh = drawn(data, kind, consistent=data.draw(st.booleans()))
    if data.draw(st.booleans()):
        mesh = replace(mesh, law=never_pulling(mesh.law))
    probe = mesh.probe()
    assert np.all(np.abs(residual(probe) - mesh.residual()) <= EXACT * mesh.scale)
    close(mesh, call(probe, TANGENT, stiffness=1.0).J[:12, :12], derivative(lambda d: mesh.residual(d), 12))
    close(mesh, call(probe, TANGENT, damping=1.0).J[:12, :12], derivative(lambda d: mesh.residual(None, d), 12))


@pytest.mark.parametrize("load", [300.0, -300.0])
@pytest.mark.parametrize("tilting", [(10.0, 0.0, 0.0), (-6.0, 9.0, 0.0), (60.0, 0.0, 0.0), (0.0, -90.0, 0.0)])
def test_force_moment_and_face_load_factor_have_closed_forms(load: float, tilting: tuple[float, ...]) -> None:
    """Whole face: M = k f b^2/12, K = 1 + f b/(2 s). A part q of it: F = k q^2 f b/2, M = F b (1/2 - q/3), K = 2/q."""
    rest = pl.statics(
        build(pl.Elastic(STIFFNESS, tilt=True, backlash="200 um", follow_centres=False), load=load, tilting=tilting)
    )
    force, f, flank = abs(load) / RADIUS, float(of(rest, "tilt")), int(math.copysign(1, load))
    if abs(f) * WIDTH / 2 <= force / STIFFNESS:
        moment, factor, lag = (
            STIFFNESS * f * WIDTH**2 / 12,
            1 + abs(f) * WIDTH / 2 * STIFFNESS / force,
            force / STIFFNESS,
        )
    else:
        part = math.sqrt(2 * force / (STIFFNESS * abs(f) * WIDTH))
        moment, factor = math.copysign(force * WIDTH * (0.5 - part / 3), f), 2 / part
        lag = abs(f) * WIDTH * (part - 0.5)
    assert TEETH.approach(force, f) == pytest.approx(lag, rel=1e-9)
    assert of(rest, "transmission_error") == pytest.approx(lag, rel=2e-3)
    assert tilting_moment(rest, flank) == pytest.approx(moment, rel=1e-4)
    assert of(rest, "face_load_factor") == pytest.approx(factor, rel=1e-3)
    assert -axis_of_b(rest) @ NORMAL[flank] == pytest.approx(f, rel=1e-3)
    assert not rest.warnings


def test_shafts_and_teeth_share_the_moment() -> None:
    """A moment on a wheel: what its supports do not carry the teeth do; in the plane of action with k b^2/12, across it with
    nothing."""
    soft, mesh = 2e4, pl.Elastic(STIFFNESS, tilt=True, backlash="200 um", follow_centres=False)
    about = np.cross([0.0, 0.0, 1.0], NORMAL[1])
    for axis, added in ((about, STIFFNESS * WIDTH**2 / 12), (NORMAL[1], 0.0)):
        rest = [pl.statics(build(mesh, soft=soft, tilting=tuple(moment * axis))) for moment in (15.0, -15.0)]
        turned = [np.cross([0.0, 0.0, 1.0], axis_of_b(result)) @ axis for result in rest]
        assert 30.0 / (turned[0] - turned[1]) == pytest.approx(soft + added, rel=3e-3)  # the force turns with the wheel


def test_table_and_springs_of_the_same_teeth_agree() -> None:
    """A table over the tilt of teeth without crowning is that of the springs, but for its interpolation."""
    table = TEETH.mesh(5e3, 5e-4, tilts=21, loads=15, backlash="200 um")
    results = [
        pl.statics(build(mesh, load=300.0, tilting=(20.0, 5.0, 0.0)))
        for mesh in (table, pl.Elastic(STIFFNESS, tilt=True, backlash="200 um"))
    ]
    for name, within in (("tilt", 0.01), ("face_load_factor", 0.02), ("transmission_error", 0.02)):
        tabled, springs = (float(of(r, name)) for r in results)
        assert springs == pytest.approx(tabled, rel=within)


@pytest.mark.parametrize("follow", [False, True])
def test_energy_of_tilting_wheels(follow: bool) -> None:
    """Undamped, shaken, tilting through their play with a stiffness that varies: what is missing falls with the square of the
    step."""
    options = {"follow_centres": True} if follow else {"separating": False}
    varying = pl.Fourier("360 deg", mean=STIFFNESS, cos=[0.2 * STIFFNESS], over="angle")
    mesh = pl.Elastic(varying, tilt=True, backlash="10 um", **options)
    swing = (pl.Harmonic("20 N*m", "700 Hz"), pl.Harmonic("15 N*m", "1100 Hz"), 0.0)
    m = build(mesh, load=pl.Harmonic("80 N*m", "500 Hz", offset="30 N*m"), tilting=swing, across=1e8, speed="20 rad/s")
    runs = [pl.dynamics(m, duration="2 ms", step=step, rho=0.99, output_step="20 us") for step in (2e-6, 5e-7)]
    errors = [
        float(np.max(np.abs(r["energy.balance_error"].values)) / np.max(r["energy.potential"].values)) for r in runs
    ]
    assert set(runs[1]["mesh.contact"].values) == {-1.0, 0.0, 1.0}
    factors = runs[1]["mesh.face_load_factor"].values
    assert np.max(factors) > 2.0 > np.min(factors[factors > 0.0])
    assert errors[1] < 0.15 * errors[0]
    assert errors[1] < 1e-3


def test_trains_keep_their_tilt() -> None:
    """Hinged wheels whose axes are not parallel: the fast way and the general way agree."""
    mesh = pl.Elastic(STIFFNESS, tilt=True, backlash="50 um", damping_ratio=0.03)
    load = pl.Harmonic("150 N*m", "700 Hz", offset="60 N*m")
    m = build(mesh, soft=None, turned=(8e-4, 0.0), speed="5 rad/s", load=load)
    fast, general = (pl.dynamics(m, duration="2 ms", step="2 us", output_step="20 us", reduce=r) for r in (True, False))
    assert len(set(general["mesh.contact"].values)) == 3
    for name in ("normal_force", "tilt", "face_load_factor"):
        a, b = (r[f"mesh.{name}"].values for r in (fast, general))
        assert np.max(np.abs(a - b)) < 1e-6 * np.max(np.abs(b))


def test_helical_and_internal_pairs_have_the_sign_of_loaded_contact() -> None:
    """The gap closes towards +z of gear A where the tilt is positive, as `misalignment` of loaded contact: there the load is."""
    for helix, internal in (("12 deg", False), ("0 deg", True), ("-15 deg", True)):
        first = pl.Gear(teeth=20, normal_module="3 mm", face_width=WIDTH, helix_angle=helix)
        other = f"{helix}" if internal else f"-{helix}".replace("--", "")
        second = pl.Gear(teeth=61, normal_module="3 mm", face_width=WIDTH, helix_angle=other, internal=internal,
                         rim_diameter="220 mm" if internal else None)  # fmt: skip
        for sign in (1, -1):
            m = pl.Model("pair")
            a = m.gear_body("a", first, position=(0, 0, 0), axis="z")
            b = m.gear_body("b", second, mesh_with=a, towards="x")
            m.drive("hold", m.revolute("hinge", m.ground, a), angle=0)
            m.bushing("support", m.ground, b, axis="z", stiffness=(1e12, 1e12, 1e12, 5e4, 5e4, 0))
            m.torque("load", b, (0, 0, 200.0))
            m.torque("tilting", b, (sign * 15.0, 0.0, 0.0))
            m.gear_pair("mesh", a, b, mesh=pl.Elastic(STIFFNESS, tilt=True, backlash="200 um"))
            rest = pl.statics(m)
            f, force, couple = (of(rest, name) for name in ("tilt", "force_b", "contact_moment"))
            normal = np.append(force[:2], 0.0) / np.linalg.norm(force[:2])  # A presses B along it
            assert f * (np.cross([0, 0, 1.0], normal) @ -couple) > 0.0  # the load on B moved towards +z
            assert -axis_of_b(rest) @ normal * float(f) > 0.0


def test_where_the_tilt_is_felt() -> None:
    """Not on plain bodies unless said; where it cannot be, the message says why."""
    assert build(pl.Elastic(STIFFNESS)).gear_pairs["mesh"].law.tilt_width == 0.0
    assert build(pl.Elastic(STIFFNESS, tilt=True)).gear_pairs["mesh"].law.tilt_width == WIDTH
    assert "mesh.face_load_factor" not in pl.statics(build(pl.Elastic(STIFFNESS))).signals
    with pytest.raises(pl.ModelError, match="both model a tilt"):
        pl.Elastic(STIFFNESS, tilt=True, contact="line")
    with pytest.raises(pl.ModelError, match="omit smoothing"):
        pl.Elastic(STIFFNESS, tilt=True, smoothing="1 um")
    with pytest.raises(pl.ModelError, match="must be True or False"):
        pl.Elastic(STIFFNESS, tilt="1 mrad")  # type: ignore[arg-type]
    bevel = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="45 deg")
    m = pl.Model("bevels")
    a = m.gear_body("a", bevel, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", bevel, mesh_with=a, towards="x")
    with pytest.raises(pl.ModelError, match="plane of action"):
        m.gear_pair("mesh", a, b, mesh=pl.Elastic("1e8 N/m", tilt=True))
