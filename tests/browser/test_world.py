"""The 3D view in a real browser: cut, isolate, see-through, cameras, picking, following, keys, no WebGL."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitchline.viewer import page_html, record_of

from .conftest import OpenPage

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Planetary gears, run, and as built: two records."""
    from pitchline.gallery import model

    made = model("planetary")
    records = [record_of(list(made.run().values())[-1]), record_of(made.build(), "as built")]
    path = Path(tmp_path_factory.mktemp("world")) / "planetary.html"
    path.write_text(page_html(records, "planetary"), "utf-8")
    return path


@pytest.fixture(scope="module")
def opened(path: Path, open_page: Any) -> Any:
    page = open_page(path, reduced_motion="reduce")
    page.page.set_viewport_size({"width": 1040, "height": 660})  # fewer pixels, quicker pictures
    page.settle()
    return page


@pytest.fixture
def world(opened: Any) -> Iterator[Any]:
    """The page as it was opened: everything shown, nothing selected, the first view."""
    yield opened
    opened.page.keyboard.press("Escape")
    opened.page.evaluate("""() => {
      const app = pitchlineView, { store, world } = app;
      store.set({ record: 0, time: 0, playing: false, selected: "", hidden: new Set(), clear: new Set() });
      store.set({ look: { ...store.state.look, follow: "", turning: false, cut: { on: false, by: "x", place: 0.5, flip: false },
                          names: false, floor: false, frames: "none", joints: null, edges: true } });
      world.home();
    }""")
    assert opened.messages == []


def click(page: Any, *selectors: str) -> None:
    for selector in selectors:
        page.page.click(selector)


# a point on the upper face of a body's gear, between the pin and the teeth, as the screen shows it
ON_FACE = """(name) => {
  const { world } = pitchlineView, body = world.loaded.bodies.byName.get(name), { support } = body.parts[0].shape;
  const top = support.reduce((a, b) => (b.z > a.z + 1e-9 || (Math.abs(b.z - a.z) < 1e-9 && b.x > a.x) ? b : a)).clone();
  top.x *= 0.78; top.y *= 0.78;
  const p = top.applyMatrix4(body.parts[0].holder.matrixWorld).project(world.eye), box = world.canvas.getBoundingClientRect();
  return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
}"""
# where bodies stand in the picture, -1 to 1, with their depth
IN_PICTURE = """(names) => names.map((name) => {
  const { world } = pitchlineView, { group } = world.loaded.bodies.byName.get(name);
  return group.position.clone().setFromMatrixPosition(group.matrixWorld).project(world.eye).toArray();
})"""


def test_what_is_drawn_is_seen(world: Any) -> None:
    picture = world.view()
    assert picture.var() > 500.0
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 200


def test_the_cut_takes_away_and_gives_back_to_the_bit(world: Any) -> None:
    whole = world.view()
    click(world, "#tool-cut")
    world.page.select_option("#cut-by", "y")
    cut = world.view()
    assert np.abs(whole - cut).mean() > 3.0
    click(world, "#cut-flip")
    other = world.view()
    assert np.abs(other - cut).mean() > 3.0
    world.page.evaluate("() => document.activeElement.blur()")
    world.page.keyboard.press("c")
    np.testing.assert_array_equal(world.view()[:-90], whole[:-90])  # less the toolbar, whose button has the focus


def test_isolate_hide_and_see_through(world: Any) -> None:
    whole = world.view()
    click(world, "#tree [data-name=sun] .name")
    click(world, "#selected [data-action=isolate]")
    assert set(world.page.evaluate("() => [...pitchlineView.store.state.hidden]")) == {
        "ring", "carrier", "planet_1", "planet_2", "planet_3"
    }  # fmt: skip
    alone = world.view()
    click(world, "#selected [data-action=isolate]")
    click(world, "#selected [data-action=clear]")
    clear = world.view()
    click(world, "#selected [data-action=clear]", "#tree [data-name=sun] input")
    hidden = world.view()
    click(world, "#tree [data-name=sun] input")
    world.page.keyboard.press("Escape")
    again = world.view()
    np.testing.assert_array_equal(whole, again)
    differences = [np.abs(whole - p).mean() for p in (alone, clear, hidden)]
    assert differences[0] > differences[2] > differences[1] > 0.02


def test_along_the_axis_all_axes_are_points(world: Any) -> None:
    """The planets stand about the sun in a circle, and both ends of an axis fall on one point."""
    world.page.keyboard.press("a")
    world.settle()
    sun, *planets = np.array(world.page.evaluate(IN_PICTURE, ["sun", "planet_1", "planet_2", "planet_3"]))[:, :2]
    box = world.page.locator("#view").bounding_box()
    apart = [np.hypot(*((p - sun) * [box["width"], box["height"]])) for p in planets]
    np.testing.assert_allclose(apart, apart[0], rtol=1e-3)
    ends = np.array(
        world.page.evaluate("""() => {
      const { world } = pitchlineView, { holder } = world.loaded.bodies.byName.get("sun").parts[0];
      const point = (z) => world.eye.position.clone().set(0, 0, z).applyMatrix4(holder.matrixWorld);
      return [-0.01, 0.03].map((z) => point(z).project(world.eye).toArray());
    }""")
    )
    np.testing.assert_allclose(ends[0, :2], ends[1, :2], atol=1e-9)
    assert world.page.evaluate("() => pitchlineView.world.eye.back().toArray()") == pytest.approx([0, 0, 1], abs=1e-12)


def test_views_along_x_y_z_look_along_them(world: Any) -> None:
    for key, back in (("x", [1, 0, 0]), ("y", [0, -1, 0]), ("z", [0, 0, 1])):
        for sign in (1, -1):  # once more: from the other side
            world.page.keyboard.press(key)
            assert world.page.evaluate("() => pitchlineView.world.eye.back().toArray()") == pytest.approx(
                [sign * v for v in back], abs=1e-12
            )


def test_at_the_mesh_the_contact_is_in_the_middle_and_large(world: Any) -> None:
    click(world, "#tree [data-name=ring_2] .name", "#selected [data-action=mesh]")
    at, teeth = world.page.evaluate("""() => {
      const { world, block } = pitchlineView, pair = block.head.pairs.find((p) => p.name === "ring_2");
      const at = world.loaded.places.mesh(pair, 0), gear = world.loaded.places.gear(pair.wheel_a);
      return [at.project(world.eye).toArray(), (2 * world.eye.half()) / gear.shape.detail];
    }""")
    assert at[:2] == pytest.approx([0, 0], abs=1e-9)
    assert 3 < teeth < 6


def test_the_whole_motion_fits_into_the_picture(world: Any) -> None:
    for key in "rxyza":
        world.page.keyboard.press(key)
        points = np.array(
            world.page.evaluate(
                "() => pitchlineView.world.seenPoints().map((p) => p.project(pitchlineView.world.eye).toArray())"
            )
        )
        assert np.abs(points[:, :2]).max() <= 1.0
        assert np.abs(points[:, :2]).max() > 0.75
        assert np.abs(points[:, 2]).max() <= 1.0  # nothing is cut off by near and far


@pytest.mark.parametrize("name", ["planet_1", "sun", "ring"])
def test_a_click_selects_what_is_there(world: Any, name: str) -> None:
    if name == "ring":
        world.page.keyboard.press("z")
        world.settle()
        box = world.page.locator("#view").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        size = world.page.evaluate("""() => {
          const { world } = pitchlineView, r = Math.max(...world.loaded.bodies.byName.get("ring").support.map((p) => p.x));
          return (r * 0.97) / (2 * world.eye.half()) * world.canvas.clientHeight;
        }""")
        centre = np.array(world.page.evaluate(IN_PICTURE, ["sun"]))[0] * [box["width"] / 2, -box["height"] / 2, 0]
        x, y = x + centre[0] + size * 0.6, y + centre[1] + size * 0.8
    else:
        world.settle()
        x, y = world.page.evaluate(ON_FACE, name)
    world.page.mouse.move(x, y)
    world.settle()
    assert world.page.text_content("#tip") == name
    world.page.mouse.click(x, y)
    assert world.page.evaluate("() => pitchlineView.store.state.selected") == name
    assert world.page.text_content("#selected h2") == name
    assert "Teeth" in world.page.text_content("#selected .info")
    assert world.page.get_attribute(f"#tree [data-name={name}]", "aria-selected") == "true"
    world.page.keyboard.press("Escape")
    assert world.page.evaluate("() => pitchlineView.store.state.selected") == ""


def test_values_of_the_selected_part_are_those_of_the_time(world: Any) -> None:
    click(world, "#tree [data-name=sun_1] .name")
    for t in (0.0, 0.05):
        world.page.evaluate("t => pitchlineView.store.set({ time: t })", t)
        world.settle()
        text = world.page.text_content('#selected [data-signal="sun_1.normal_force"]')
        assert text == {0.0: "1.478 kN", 0.05: "1.518 kN"}[t]


@pytest.mark.parametrize("turning", [False, True])
def test_following_keeps_a_body_in_its_place(world: Any, turning: bool) -> None:
    names = ["planet_2", "sun"]
    click(world, "#tree [data-name=planet_2] .name", "#selected [data-action=follow]")
    if turning:
        click(world, "#follow-turning")
    world.settle()
    before = np.array(world.page.evaluate(IN_PICTURE, names))
    first = world.view()
    world.page.evaluate("() => pitchlineView.store.set({ time: 0.15 })")
    world.settle()
    after = np.array(world.page.evaluate(IN_PICTURE, names))
    np.testing.assert_allclose(after[0, :2], before[0, :2], atol=1e-6)
    assert np.abs(after[1] - before[1]).max() > 0.02
    world.page.evaluate("() => pitchlineView.store.set({ time: 0 })")
    np.testing.assert_array_equal(world.view(), first)
    # letting go leaves the picture as it is at that time
    world.page.evaluate("() => pitchlineView.store.set({ time: 0.15 })")
    world.settle()
    held = np.array(world.page.evaluate(IN_PICTURE, names))
    click(world, "#follow-stop")
    world.settle()
    np.testing.assert_allclose(np.array(world.page.evaluate(IN_PICTURE, names))[:, :2], held[:, :2], atol=1e-6)


def test_by_keys_alone(world: Any) -> None:
    page = world.page
    page.focus("#tree [role=treeitem]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("() => pitchlineView.store.state.selected") == "sun"
    page.keyboard.press("Space")
    assert page.evaluate("() => [...pitchlineView.store.state.hidden]") == ["sun"]
    page.keyboard.press("Space")
    page.keyboard.press("Shift+F10")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # follow
    assert page.evaluate("() => pitchlineView.store.state.look.follow") == "sun"
    assert page.evaluate("() => document.activeElement.dataset.name") == "sun"
    page.focus("#view")
    stand = """() => {
      const { eye } = pitchlineView.world;
      return [...eye.quaternion.toArray(), eye.distance, ...eye.target.toArray()];
    }"""
    for key in ("Control+ArrowLeft", "Control+ArrowUp", "Control+Shift+ArrowRight", "PageUp"):
        before = page.evaluate(stand)
        page.keyboard.press(key)
        assert page.evaluate(stand) != before, key


def test_turning_by_hand_stops_upright_over_head(world: Any) -> None:
    box = world.page.locator("#view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 60
    world.page.mouse.move(x, y)
    world.page.mouse.down()
    world.page.mouse.move(x, y + 350, steps=7)
    world.page.mouse.up()
    assert world.page.evaluate("() => pitchlineView.world.eye.back().toArray()") == pytest.approx([0, 0, 1], abs=1e-6)


def test_at_rest_edges_are_smooth_and_the_same_again(world: Any) -> None:
    rough = world.view(0.0)
    world.smooth(True)
    smooth, _, again = world.view(0.0), world.view(0.02), world.view(0.0)
    world.smooth(False)
    np.testing.assert_array_equal(smooth, again)

    def jumps(picture: np.ndarray) -> float:
        return float((np.abs(np.diff(picture, axis=1)).max(axis=2) > 60).mean())

    assert jumps(smooth) < 0.7 * jumps(rough)
    np.testing.assert_array_equal(world.view(0.0), rough)


def test_another_record_leaves_nothing_behind(world: Any) -> None:
    def held(record: int) -> tuple[int, int]:
        world.page.evaluate("k => pitchlineView.store.set({ record: k })", record)
        world.settle()
        memory = world.page.evaluate("() => ({ ...pitchlineView.world.renderer.info.memory })")
        return memory["geometries"], memory["textures"]

    first = held(1), held(0)
    for _ in range(2):
        assert (held(1), held(0)) == first


def test_lost_graphics_are_told_and_come_back(world: Any) -> None:
    before = world.view()
    world.page.evaluate("""() => {
      globalThis.lost = pitchlineView.world.renderer.getContext().getExtension("WEBGL_lose_context");
      lost.loseContext();
    }""")
    world.page.wait_for_selector("#no-picture:not([hidden])")
    assert "lost" in world.page.text_content("#no-picture")
    world.page.evaluate("() => lost.restoreContext()")
    world.page.wait_for_selector("#no-picture[hidden]", state="attached")
    np.testing.assert_array_equal(world.view(), before)
    world.messages[:] = [m for m in world.messages if "Context" not in m and "CONTEXT_LOST" not in m]


def test_without_webgl_the_page_says_so_and_the_rest_works(browser: Any, path: Path) -> None:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    without = browser.browser_type.launch(executable_path=program, args=["--no-sandbox", "--disable-3d-apis"])
    try:
        page = OpenPage(without, path.as_uri())
        assert "no WebGL 2" in page.page.text_content("#no-picture")
        page.page.click("#tree [data-name=planet_1] .name")
        assert page.page.text_content("#selected h2") == "planet_1"
        for key in ("a", "c", "m", "f"):  # of the view: they do nothing, and break nothing
            page.page.keyboard.press(key)
        assert not page.page.locator("#tools").is_visible() and not page.page.locator("#triad").is_visible()
        assert page.page.locator("#selected [data-signal]").count() > 10
        assert page.messages == []
    finally:
        without.close()
