"""Deformation in a view: displacements of shafts and flexible bodies against results, closed forms and finite elements."""

from types import SimpleNamespace

import numpy as np
import pytest
from references.kept_arrays import KeptArrays
from references.superelements import bar

import pitchline as pl
from pitchline.parts.flexible.drawing import surface_displacements
from pitchline.parts.flexible.scene import add_flexible_fields, deformed_of
from pitchline.solids.rotations import quaternion_of
from pitchline.viewer import record_of
from pitchline.viewer.scene_checked import scene
from pitchline.viewer.scene_parts import SceneSource


def test_displacements_of_a_shaft_are_those_of_the_result() -> None:
    """A cantilever: F l³/3EI at its end, and F l²/2EI of tilt, with the shear of a short beam beside it."""
    m = pl.Model("cantilever")
    shaft = m.shaft("rod", [pl.ShaftSection("300 mm", outer="20 mm")], stations={"middle": "150 mm"})
    m.fixed("clamp", m.ground, shaft["start"])
    m.force("push", shaft["end"], (0, "100 N", "5 N"))
    result = pl.statics(m)
    block = KeptArrays()
    head = scene(SceneSource.of_result(result), block)
    rod = head["deformed"]["structures"][0]
    places = [station["place"] for station in rod["stations"]]
    assert places == sorted(places) and places[0] == 0.0 and places[-1] == pytest.approx(0.3)
    for station in rod["stations"]:
        np.testing.assert_array_equal(block.values[station["shift"]], result[f"{station['body']}.deflection"].values)
        np.testing.assert_array_equal(block.values[station["tilt"]], result[f"{station['body']}.tilt"].values)
    I = np.pi * 0.02**4 / 64.0
    end = rod["stations"][-1]
    assert block.values[end["shift"]][0, 1] == pytest.approx(100.0 * 0.3**3 / (3.0 * 206e9 * I), rel=0.01)
    assert block.values[end["tilt"]][0, 0] == pytest.approx(-100.0 * 0.3**2 / (2.0 * 206e9 * I), rel=1e-3)
    assert rod["largest_across"] == pytest.approx(block.values[end["shift"]][0, 1], rel=1e-9)
    assert rod["largest"] >= rod["largest_across"]
    assert rod["moves_with"] in result.model["shafts"]["rod"]["stations"]


def _rotation(near: np.ndarray) -> np.ndarray:
    """The rotation matrix nearest to a matrix."""
    U, _, V = np.linalg.svd(near)
    return U @ V


def test_a_shaft_that_is_carried_around_bends_from_a_straight_line() -> None:
    """Stations on a parabola of 10 µm that turns and travels: what is left is the parabola less the line that fits it best."""
    s = np.linspace(0.0, 0.4, 5)
    bent = 1e-5 * (s / 0.4) ** 2
    expected = bent - np.polyval(np.polyfit(s, bent, 1), s)
    stations, signals = {}, {}
    turns = [np.eye(3), np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])]
    for k, place in enumerate(s):
        name = f"rod {k}"
        stations[name] = {"station": str(k), "position": [0.0, 0.0, place], "orientation": np.eye(3).tolist()}
        tilt = 2e-5 * place / 0.4**2  # d bent/ds, about −y where the rod bends towards x
        own = np.array([[1.0, 0.0, tilt], [0.0, 1.0, 0.0], [-tilt, 0.0, 1.0]])
        signals[f"{name}.position"] = np.array([T @ [bent[k], 0.0, place] + [0.0, i, 0.0] for i, T in enumerate(turns)])
        signals[f"{name}.orientation"] = np.array([quaternion_of(T @ _rotation(own)) for T in turns])
        signals[f"{name}.deflection"] = signals[f"{name}.position"] - [0.0, 0.0, place]
        signals[f"{name}.tilt"] = np.array([[0.0, tilt, 0.0], [1.5, 0.0, 0.0]])
    said = {"name": "rod", "position": [0.0] * 3, "orientation": np.eye(3).tolist(), "stations": stations}
    source = SceneSource({"bodies": {}, "shafts": {"rod": said}}, np.arange(2.0), slice(None), signals)
    block = KeptArrays()
    entry = deformed_of(source, block, SimpleNamespace(structures={"rod": "rod 2"}))["structures"][0]
    assert "straight line" in entry["text"]
    found = np.array([block.values[station["shift"]] for station in entry["stations"]])
    np.testing.assert_allclose(found[:, 0] @ [1.0, 0.0, 0.0], expected, atol=1e-9)
    np.testing.assert_allclose(found[:, 1] @ turns[1], np.outer(expected, [1.0, 0.0, 0.0]), atol=1e-9)


def test_a_flexible_body_deforms_as_its_finite_elements() -> None:
    m = pl.Model("held bar")
    body = m.flexible_body("bar", bar(8))
    m.fixed("clamp", m.ground, body["a"])
    m.force("push", body["b"], (0, pl.Ramp("0 N", "1 kN", 0, "1 ms"), "200 N"))
    run = pl.dynamics(m, duration="1 ms", step="20 us", output_step="0.1 ms")
    source, block = SceneSource.of_result(run, m), KeptArrays()
    head = scene(source, block)
    add_flexible_fields(head, source, block, m)
    entry = head["deformed"]["structures"][0]
    fields, amounts = (block.values[entry["field"][key]] for key in ("corners", "amounts"))
    shape = next(one for one in head["bodies"] if one["name"] == "bar")["parts"][0]["shape"]
    points = block.values[head["shapes"][shape]["position"]]
    for sample in (3, -1):
        whole = surface_displacements(body, run, sample=sample)
        drawn = np.einsum("rpk,r->pk", fields, amounts[:, sample])
        row = [int(np.argmin(np.linalg.norm(body.superelement.points - p, axis=1))) for p in points[::7]]
        np.testing.assert_allclose(drawn[::7], whole[row], atol=2e-4 * entry["largest"])
    far = [np.linalg.norm(surface_displacements(body, run, sample=k), axis=1).max() for k in range(run.samples)]
    assert entry["largest"] == pytest.approx(max(far), rel=2e-4)


def test_what_is_not_shown_is_said() -> None:
    m = pl.Model("held bar")
    body = m.flexible_body("bar", bar(8))
    m.fixed("clamp", m.ground, body["a"])
    m.force("push", body["b"], (0, "1 kN", 0))
    notes = scene(SceneSource.of_result(pl.statics(m)), KeptArrays())["notes"]
    assert any("bar" in note and "model=" in note for note in notes)
    assert record_of(m).block  # a model that was not run has nothing to magnify
    assert scene(SceneSource.of_model(m), KeptArrays())["deformed"]["structures"] == []
