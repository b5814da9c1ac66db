"""What a page shows first: what is upwards, from where it is looked at, room for the view, words where nothing is drawn."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.viewer import page_html, record_of

POINT = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}


def spur(name: str, face_width: str, **more: Any) -> pl.Model:
    m = pl.Model(name, **more)
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width=face_width) for z in (20, 30)]
    a = m.gear_body("a", gears[0])
    b = m.gear_body("b", gears[1], mesh_with="a", towards="x")
    m.drive("motor", m.revolute("on a", m.ground, a), speed="1 rad/s")
    m.revolute("on b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    return m


def bevel() -> pl.Model:
    m = pl.Model("bevel")
    cone = math.atan2(40, 16)
    wheel = pl.Gear(teeth=40, normal_module="2 mm", face_width="10 mm", cone_angle=cone)
    pinion = pl.Gear(teeth=16, normal_module="2 mm", face_width="10 mm", cone_angle=math.pi / 2 - cone)
    m.gear_body("wheel", wheel, axis="y", **POINT)
    m.gear_body("pinion", pinion, mesh_with="wheel", towards="z", **POINT)
    m.gear_pair("mesh", "wheel", "pinion", mesh=pl.Rolling())
    return m


def linkage() -> pl.Model:
    """Flat in the plane of x and y, with gravity against y."""
    m = pl.Model("linkage", gravity=(0, -9.81, 0))
    m.body("rod", shape=pl.bar("0.5 m", "0.3 m", "20 mm"), **POINT)
    return m


def hidden() -> pl.Model:
    m = pl.Model("hidden")
    m.body("ball", shape=pl.sphere("0.1 m"), hidden=True, **POINT)
    return m


MODELS = {
    "flat": lambda: spur("flat", "10 mm"), "long": lambda: spur("long", "200 mm"),
    "weighty": lambda: spur("weighty", "200 mm", gravity=(0, 0, -9.81)),
    "bevel": bevel, "linkage": linkage, "hidden": hidden, "empty": lambda: pl.Model("empty"),
}  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, open_page: Any) -> Any:
    """Models as they are built, all in one page."""
    path = Path(tmp_path_factory.mktemp("first")) / "built.html"
    path.write_text(page_html([record_of(make()) for make in MODELS.values()], "built"), "utf-8")
    return open_page(path, reduced_motion="reduce")


def stands(page: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Upwards, and towards the eye, in the first view of a model."""
    up, back = page.page.evaluate(
        """record => {
          const { store, world } = pitchlineView;
          store.set({ record });
          world.home();
          return [world.eye.up.toArray(), world.eye.back().toArray()];
        }""",
        list(MODELS).index(name),
    )
    return np.array(up), np.array(back)


@pytest.mark.parametrize(
    ("name", "up"),
    [("flat", (0, 0, 1)), ("long", (0, 1, 0)), ("weighty", (0, 0, 1)), ("bevel", (0, 0, 1)), ("linkage", (0, 1, 0))],
)
def test_upwards_is_against_gravity_and_long_shafts_lie_without_it(
    built: Any, name: str, up: tuple[float, ...]
) -> None:
    found, back = stands(built, name)
    np.testing.assert_allclose(found, up, atol=1e-12)
    assert 0.1 < back @ found < 0.9  # from above, and not along
    drawn = built.page.evaluate("() => pitchlineView.world.eye.matrixWorld.elements.slice(4, 7)")
    assert np.dot(drawn, found) > 0.4  # upwards in the picture too


def test_flat_mechanisms_are_seen_from_their_side_and_bevels_from_their_teeth(built: Any) -> None:
    _, back = stands(built, "linkage")
    assert abs(back[2]) > 0.8
    _, back = stands(built, "bevel")
    wheel, pinion = (
        np.array(
            built.page.evaluate("n => pitchlineView.world.loaded.bodies.byName.get(n).group.position.toArray()", name)
        )
        for name in ("wheel", "pinion")
    )
    assert np.sign(back[1]) == np.sign((pinion - wheel)[1])  # the pinion stands on the side of the teeth


def test_the_hand_turns_the_view_about_what_is_upwards(built: Any) -> None:
    up, before = stands(built, "long")
    built.page.evaluate("() => pitchlineView.world.controls.turn(0.5, 0)")
    after = np.array(built.page.evaluate("() => pitchlineView.world.eye.back().toArray()"))
    assert after @ up == pytest.approx(before @ up, abs=1e-12)
    assert np.linalg.norm(after - before) > 0.3


def test_models_as_built_leave_the_room_of_the_plot_to_the_view(built: Any) -> None:
    assert not built.page.locator("#plot").is_visible()
    built.page.click("#fold-plot")
    assert built.page.locator("#plot").is_visible()
    built.page.click("#fold-plot")


def test_it_says_when_nothing_is_drawn(built: Any) -> None:
    stands(built, "empty")
    assert built.page.locator("#nothing").text_content() == "There are no bodies to draw."
    stands(built, "hidden")
    assert built.page.locator("#nothing").is_visible() and "hidden" in built.page.locator("#nothing").text_content()
    built.page.click("#tree [data-name=ball] input")
    assert not built.page.locator("#nothing").is_visible()
    assert built.messages == []


@pytest.fixture(scope="module")
def rolling(tmp_path_factory: pytest.TempPathFactory, open_page: Any) -> Any:
    """Wheels that only roll, so that their forces are zero, behind a plate."""
    path = Path(tmp_path_factory.mktemp("first")) / "rolling.html"
    m = spur("rolling", "10 mm")
    m.body("plate", position=(0.02, 0, 0.05), shape=pl.bar("0.3 m", "0.3 m", "2 mm"), **POINT)
    m.fixed("bolts", m.ground, "plate")
    path.write_text(page_html([record_of(pl.kinematics(m, duration="1 s", step="0.1 s"))], "rolling"), "utf-8")
    return open_page(path)


def test_at_the_mesh_nothing_stands_before_the_teeth(rolling: Any) -> None:
    middle = """() => {
      const { world } = pitchlineView, { clientWidth: w, clientHeight: h } = world.canvas;
      return world.pick.solid(w / 2, h / 2)?.name;
    }"""
    rolling.page.keyboard.press("z")
    rolling.settle()
    assert rolling.page.evaluate(middle) == "plate"
    rolling.page.keyboard.press("m")
    rolling.settle()
    assert rolling.page.evaluate(middle) in ("a", "b")
    rolling.page.evaluate("() => pitchlineView.world.controls.turn(0.01, 0)")  # from another side all is drawn again
    rolling.settle()
    assert rolling.page.evaluate(middle) == "plate"


def test_first_curves_are_not_zero(rolling: Any) -> None:
    (curve,) = rolling.page.evaluate("() => pitchlineView.store.state.curves")
    low, high = rolling.page.evaluate(
        "name => pitchlineView.source.series(0, [name]).then(({ low }) => [Math.min(...low[0]), Math.max(...low[0])])",
        curve["name"],
    )
    assert max(abs(low), abs(high)) > 1e-6


def test_rounding_beside_large_values_is_zero_in_the_legend(rolling: Any) -> None:
    before = rolling.page.evaluate("() => pitchlineView.store.state.curves")
    names = ["b.position.x", "mesh.transmission_error"]
    rolling.page.evaluate(
        "names => pitchlineView.store.set({ time: 0.7, curves: names.map((name) => ({ record: 0, name })) })", names
    )
    rolling.settle()
    error = rolling.page.evaluate(
        "n => pitchlineView.source.series(0, [n]).then(({ low }) => Math.max(...low[0]))", names[1]
    )
    assert 0.0 < error < 1e-14
    assert rolling.page.locator(".plot-legend .value").all_text_contents() == ["50.00 mm", "0 mm"]
    rolling.page.evaluate("curves => pitchlineView.store.set({ time: 0, curves })", before)


def test_a_window_that_changes_ends_a_journey_of_the_view(rolling: Any) -> None:
    rolling.page.evaluate("() => { pitchlineView.world.views.side('x'); pitchlineView.world.home(); }")
    rolling.page.set_viewport_size({"width": 700, "height": 900})
    rolling.settle()
    stand = "() => [pitchlineView.world.eye.distance, ...pitchlineView.world.eye.target.toArray()]"
    seen = rolling.page.evaluate(stand)
    rolling.page.evaluate("() => pitchlineView.world.views.home(true)")
    assert seen == pytest.approx(rolling.page.evaluate(stand), rel=1e-6, abs=1e-9)


def test_models_far_from_the_origin_say_that_the_picture_is_not_exact() -> None:
    from pitchline.viewer.scene_checked import far_away
    from pitchline.viewer.scene_parts import SceneSource

    m = pl.Model("far")
    m.body("a", position=(1e6, 0, 0), shape=pl.sphere(0.1), **POINT)
    m.body("b", position=(1e6, 1, 0), shape=pl.sphere(0.1), **POINT)
    (note,) = far_away(SceneSource.of_model(m))
    assert "1e+06 m from the origin" in note and "0.1 m only" in note
    near = pl.Model("near")
    near.body("a", position=(1.0, 0, 0), **POINT)
    near.body("b", position=(1.0, 1, 0), **POINT)
    assert far_away(SceneSource.of_model(near)) == []
