"""Elastic flanks that feel the tilt of their wheels: tangents, energy, and the same gears built with that tilt."""

import math

import numpy as np
import pytest
from references.elastic_pair import COARSE, gears
from references.element_bench import moved
from references.flank_bench import FlankBench

import pitchline as pl
from pitchline.engine.elements.contract import TANGENT

ALPHA = math.radians(20.0)
STEPS = np.tile([1e-9] * 3 + [1e-7] * 3, 2)
TILT = 4e-4
"""In the plane of action: some of the strips lift off, on a face of 10 mm."""


@pytest.fixture(scope="module", params=[0.0, 0.2])
def bench(request: pytest.FixtureRequest) -> FlankBench:
    return FlankBench(helix=request.param, tilt=True)


def tilted(bench: FlankBench, turn: float, tilt: float = TILT) -> np.ndarray:
    """Pressed together, B turned about the line of action's own normal in the section, and a little about everything."""
    dq = np.zeros((2, 6))
    dq[1, 3:5] = tilt * math.cos(ALPHA), 0.3 * tilt
    return moved(bench.pressed(turn), dq)


@pytest.mark.parametrize("turn", [1e-3, -1e-3])
def test_the_moment_is_a_derivative_of_the_energy(bench: FlankBench, turn: float) -> None:
    """Of what the flanks store at rest, by all directions in which B can tilt: differences, and the residual."""
    P = tilted(bench, turn)

    def stored(dq: np.ndarray) -> float:
        bench.rest(moved(P, dq))
        return float(bench.report()["potential"])

    bench.rest(P)
    r, h = bench.look(P)[0], 2e-6
    for j in (3, 4, 9, 10):
        dq = np.zeros(12)
        dq[j] = h
        slope = (stored(dq.reshape(2, 6)) - stored(-dq.reshape(2, 6))) / (2 * h)
        assert slope == pytest.approx(r[j], abs=3e-3 * np.abs(r[3:6]).max())


def test_the_tangent_is_nearly_the_derivative_of_the_residual(bench: FlankBench) -> None:
    """As without tilt, within a percent; moments by tilting and, with open modes, forces on the modes by tilting too."""
    P = tilted(bench, 1e-3)
    bench.rest(P)
    for opened in (False, True):
        J = bench.look(P, TANGENT, opened=opened)[1]
        columns = []
        for j, e in enumerate(STEPS):
            dq = np.zeros(12)
            dq[j] = e
            sides = [bench.look(moved(P, sign * dq.reshape(2, 6)), opened=opened)[0] for sign in (1.0, -1.0)]
            columns.append((sides[0] - sides[1]) / (2.0 * e))
        found = np.array(columns).T
        tilting = [3, 4, 9, 10]
        blocks = [tilting, list(range(12, len(J)))] if opened else [tilting]
        for rows in blocks:
            part = found[np.ix_(rows, tilting)]
            assert np.abs(J[np.ix_(rows, tilting)] - part).max() < 1e-2 * np.abs(part).max()
        scale = np.abs(found[:12]).max(axis=0)
        assert np.abs(J[:12, :12] - found[:12]).max() < 1e-2 * scale.max()


def test_without_the_modes_the_open_stiffness_is_the_closed_one(bench: FlankBench) -> None:
    P = tilted(bench, 1e-3)
    bench.rest(P)
    closed_r, closed = bench.look(P, TANGENT)
    r, K = bench.look(P, TANGENT, opened=True)
    np.testing.assert_allclose(r[:12], closed_r, atol=1e-12 * np.abs(closed_r).max())
    condensed = K[:12, :12] - K[:12, 12:] @ np.linalg.solve(K[12:, 12:], K[12:, :12])
    np.testing.assert_allclose(condensed, closed, atol=1e-12 * np.abs(closed).max())


TORQUE = 20.0
FINE = COARSE | {"face_elements": 4}
FELT, UNFELT = (pl.Flank(modes=0, elements_a=FINE, elements_b=FINE, tilt=felt) for felt in (True, False))


def pair(
    mesh: pl.Flank, *, helix: float = 0.0, tilting: tuple[float, float] | None = None, built: pl.Result | None = None
) -> pl.Model:
    """A held in its hinge; B on springs that let it tilt under two moments, or in a hinge, built as it stood in a result."""
    first, second = (teeth.gear for teeth in gears(helix))
    m = pl.Model("pair", gravity=(0, 0, 0))
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z")
    m.drive("held", m.revolute("in", m.ground, a), angle=0)
    if built is None:
        b = m.gear_body("b", second, mesh_with=a, towards="x")
        assert tilting is not None
        m.bushing("out", m.ground, b, axis="z", stiffness=(1e12, 1e12, 1e12, 1e4, 1e4, 0))
        m.torque("load", b, (*tilting, TORQUE))
    else:
        w, x, y, z = (float(q) for q in built["b.orientation"].final)
        b = m.gear_body("b", second, position=tuple(built["b.position"].final), orientation=(w, x, y, z))
        axis = b.orientation[:, 2]
        m.torque("load", m.revolute("out", m.ground, b, axis=tuple(axis)), TORQUE)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def of(result: pl.Result, name: str) -> float:
    return float(result[f"mesh.{name}"].final)


@pytest.mark.parametrize(("helix", "close"), [(0.0, 5e-4), (0.2, 2e-3)])
def test_tilting_is_the_same_as_being_built_tilted(helix: float, close: float) -> None:
    """Gaps of flanks built on tilted axes are another way to the same contact; helical teeth, which the tilt also closes by moving
    them along the axis, too. What is built is not counted twice."""
    tilt = pl.statics(pair(FELT, helix=helix, tilting=(3.0, 0.0)))
    built = pl.statics(pair(UNFELT, helix=helix, built=tilt))
    same = built if helix else pl.statics(pair(FELT, built=tilt))
    for name in ("face_load_factor", "peak_pressure", "normal_force"):
        assert of(built, name) == pytest.approx(of(tilt, name), rel=5 * close if name == "peak_pressure" else close)
        assert of(same, name) == pytest.approx(of(built, name), rel=1e-4)
    assert abs(of(tilt, "tilt")) > 1e-4
    assert not any("tilted relative" in text for text in tilt.warnings)
    unfelt = pl.statics(pair(UNFELT, helix=helix, tilting=(3.0, 0.0)))
    assert of(tilt, "face_load_factor") > of(unfelt, "face_load_factor") + 0.2
    (told,) = (text for text in unfelt.warnings if "tilted relative" in text)
    assert "Flank(tilt=True)" in told


def test_energy_of_a_wheel_that_tilts_in_motion() -> None:
    """Modes, strips and a wheel that swings on its supports: what is missing falls with the step."""

    def run(step: str) -> float:
        m = pair(pl.Flank(modes="60 kHz", elements_a=COARSE, elements_b=COARSE, tilt=True), tilting=(0.0, 0.0))
        m.torque("swing", m.bodies["b"], (pl.Harmonic("4 N*m", "2 kHz"), 0.0, 0.0))
        made = m.replaced(without="out")
        made.bushing("out", made.ground, made.bodies["b"], axis="z", stiffness=(1e8, 1e8, 1e8, 1e4, 1e4, 0))
        rest = pl.statics(made)
        r = pl.dynamics(made, duration="0.5 ms", step=step, start=rest)
        assert np.ptp(r["mesh.tilt"].values) > 1e-4
        assert np.ptp(r["mesh.face_load_factor"].values) > 0.1
        return float(np.max(np.abs(r["energy.balance_error"].values)) / np.max(r["energy.potential"].values))

    coarse, fine = run("2 us"), run("0.5 us")
    assert fine < 0.3 * coarse
    assert fine < 2e-3
