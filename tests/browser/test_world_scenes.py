"""Scenes made by hand in a real browser: every simple shape, springs, fast bodies with few samples, names that look like HTML."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitchline.parts.shafts.scene import rotations_between
from pitchline.viewer import ViewRecord, page_html
from pitchline.viewer.block import Block

ODD = '<b>"x"'
SHAPES = {
    "box": {"type": "box", "size": [0.04, 0.02, 0.06], "axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "at": [0, 0, 0]},
    "rod": {"type": "cylinder", "size": [0.02, 0.08], "axis": [1, 0, 0], "at": [0, 0, 0]},
    "tube": {"type": "cylinder", "size": [0.03, 0.04, 0.02], "axis": [0, 0, 1], "at": [0, 0, 0.01]},
    "cone": {"type": "cone", "size": [0.03, 0.01, 0.06], "axis": [0, 0, 1], "at": [0, 0, 0]},
    "capsule": {"type": "capsule", "size": [0.01, 0.04], "axis": [0, 1, 0], "at": [0, 0, 0]},
    "sphere": {"type": "sphere", "size": [0.025], "at": [0, 0, 0]},
}
TURN_OF_ROD = "() => pitchlineView.world.loaded.bodies.byName.get('rod').group.quaternion.toArray()"
SPEED = 2 * math.pi * 7.3  # of the rod: 7.3 turns a sample


def page_of_shapes() -> str:
    block, time = Block(), np.array([0.0, 1.0, 2.0])
    bodies = []
    for k, shape in enumerate(SHAPES):
        place, turn = np.zeros((3, 3)), np.zeros((3, 4))
        place[:, 0], turn[:, 0] = 0.12 * k, 1.0
        more = {}
        if shape == "box":
            place[:, 2] = [0.0, 0.05, 0.1]
        if shape == "capsule":
            place[2] = turn[2] = np.nan  # as a failed run may end
        if shape == "rod":
            angle = SPEED * time
            turn = np.column_stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)])
            spin, told = rotations_between(time, turn, np.tile([0.0, 0.0, SPEED], (3, 1)))
            assert told and spin is not None
            more = {"spin": block.add_columns("spin", spin)}
        bodies.append({
            "name": ODD if shape == "sphere" else shape, "group": "Bodies", "info": [["Mass", "<i>1</i> kg"]], **more,
            "place": block.add_columns(f"{shape}/x", place), "turn": block.add_columns(f"{shape}/q", turn),
            "parts": [{"shape": shape, "position": [0, 0, 0], "rotation": np.eye(3).tolist(), "kind": "shape"}],
        })  # fmt: skip
    spring = {
        "name": "coil", "kind": "spring", "radius": 0.006,
        "a": {"body": "box", "position": [0, 0, -0.03]}, "b": {"body": "ground", "position": [0, 0, -0.1]},
    }  # fmt: skip
    head: dict[str, Any] = {
        "format": 1, "name": "shapes", "title": "shapes", "kind": "dynamics", "status": "completed", "message": "",
        "version": "", "samples": 3, "warnings": [], "notes": [], "time": block.add("time", time, "f8"),
        "signal_time": "time", "shapes": SHAPES, "bodies": bodies, "joints": [], "springs": [spring], "pairs": [],
        "arrows": [], "contact": {"lines": [], "tables": []}, "signals": [], "parameters": [],
    }  # fmt: skip
    return page_html([ViewRecord("shapes", block.bytes(head))], "shapes")


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory, open_page: Any) -> Any:
    path = Path(tmp_path_factory.mktemp("shapes")) / "shapes.html"
    path.write_text(page_of_shapes(), "utf-8")
    return open_page(path, reduced_motion="reduce")


def test_shapes_have_the_sizes_that_are_said(shapes: Any) -> None:
    found = shapes.page.evaluate("""() => Object.fromEntries(pitchlineView.world.loaded.bodies.all.map((body) => {
      const { geometry } = body.parts[0].mesh;
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox;
      return [body.said.parts[0].shape, [min.toArray(), max.toArray()]];
    }))""")
    sizes = {
        "box": [[-0.02, -0.01, -0.03], [0.02, 0.01, 0.03]], "rod": [[-0.04, -0.02, -0.02], [0.04, 0.02, 0.02]],
        "tube": [[-0.03, -0.03, -0.01], [0.03, 0.03, 0.03]], "cone": [[-0.03, -0.03, -0.03], [0.03, 0.03, 0.03]],
        "capsule": [[-0.01, -0.03, -0.01], [0.01, 0.03, 0.01]], "sphere": [[-0.025] * 3, [0.025] * 3],
    }  # fmt: skip
    for name, box in sizes.items():
        np.testing.assert_allclose(found[name], box, atol=1e-7, err_msg=name)


def test_surfaces_are_closed_and_look_outwards(shapes: Any) -> None:
    """The volume by the divergence theorem, from the triangles as they are drawn."""
    found = shapes.page.evaluate("""() => Object.fromEntries(pitchlineView.world.loaded.bodies.all.map((body) => {
      const { geometry } = body.parts[0].mesh, p = geometry.attributes.position.array, { array } = geometry.index;
      let volume = 0;
      for (let k = 0; k < array.length; k += 3) {
        const [a, b, c] = [0, 1, 2].map((i) => p.subarray(3 * array[k + i], 3 * array[k + i] + 3));
        const across = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        volume += (a[0] * across[0] + a[1] * across[1] + a[2] * across[2]) / 6;
      }
      return [body.said.parts[0].shape, volume];
    }))""")
    pi = math.pi
    volumes = {
        "box": 0.04 * 0.02 * 0.06, "rod": pi * 0.02**2 * 0.08, "tube": pi * (0.03**2 - 0.02**2) * 0.04,
        "cone": pi * 0.06 / 3 * (0.03**2 + 0.03 * 0.01 + 0.01**2), "capsule": pi * 0.01**2 * 0.04 + 4 / 3 * pi * 0.01**3,
        "sphere": 4 / 3 * pi * 0.025**3,
    }  # fmt: skip
    for name, volume in volumes.items():
        assert found[name] == pytest.approx(volume, rel=0.02), name  # circles are drawn with 48 sides and more


def test_a_fast_body_turns_the_right_way_between_samples(shapes: Any) -> None:
    for t in (0.1, 0.5, 1.25, 1.9):
        shapes.page.evaluate("t => pitchlineView.store.set({ time: t })", t)
        _, _, z, w = shapes.page.evaluate(TURN_OF_ROD)
        assert abs(w * math.cos(SPEED * t / 2) + z * math.sin(SPEED * t / 2)) == pytest.approx(1.0, abs=1e-6)


def test_a_spring_stretches_with_its_ends(shapes: Any) -> None:
    lengths = []
    for t in (0.0, 1.0, 2.0):
        shapes.page.evaluate("t => pitchlineView.store.set({ time: t })", t)
        lengths.append(shapes.page.evaluate("""() => {
          const { mesh, length } = pitchlineView.world.loaded.springs.all[0];
          return mesh.scale.z * length;
        }"""))  # fmt: skip
    np.testing.assert_allclose(lengths, [0.07, 0.12, 0.17], rtol=1e-6)


def test_the_spring_is_in_the_picture(shapes: Any) -> None:
    shapes.page.keyboard.press("y")
    low = shapes.page.evaluate("() => Math.min(...pitchlineView.world.seenPoints().map((p) => p.z))")
    assert low == pytest.approx(-0.1, abs=1e-6)


def test_names_are_texts(shapes: Any) -> None:
    shapes.page.evaluate("name => pitchlineView.store.set({ selected: name })", ODD)
    assert shapes.page.text_content("#selected h2") == ODD
    assert "<i>1</i> kg" in shapes.page.text_content("#selected .info")
    assert shapes.page.locator("#tree [aria-selected=true]").inner_text().startswith(ODD)
    shapes.page.keyboard.press("i")
    assert shapes.page.evaluate("() => [...pitchlineView.store.state.hidden].length") == 5
    shapes.page.keyboard.press("s")
    assert shapes.page.locator("b", has_text="x").count() == 0
    assert shapes.messages == []


def test_a_body_without_numbers_leaves_the_view_where_it_is(shapes: Any) -> None:
    shapes.page.evaluate("() => pitchlineView.store.set({ time: 2, selected: 'capsule' })")
    for key in ("a", "g", "f", "c", "c", "g"):
        shapes.page.keyboard.press(key)
        shapes.settle()
    shapes.page.evaluate("() => pitchlineView.world.views.zoomTo('capsule')")
    where = shapes.page.evaluate("""() => {
      const { matrixWorld, projectionMatrix } = pitchlineView.world.eye;
      return [...matrixWorld.elements, ...projectionMatrix.elements];
    }""")
    assert None not in where and np.isfinite(where).all()
    shapes.page.evaluate("() => pitchlineView.store.set({ time: 0, selected: '' })")
    assert shapes.messages == []


def test_an_unknown_shape_is_refused_by_name(shapes: Any) -> None:
    text = shapes.page.evaluate("""() => {
      const { world, block } = pitchlineView;
      block.head.shapes.box.type = "torus";
      world.loaded.bodies.shapes.clear();
      try { world.load(); } catch (error) { return error.message; } finally { block.head.shapes.box.type = "box"; }
    }""")
    assert '"box"' in text and '"torus"' in text
