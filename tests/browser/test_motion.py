"""Forces, colours, contact and deformation in a real browser: they come and go, follow their controls, and return to the bit."""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pitchline as pl
from pitchline.viewer import page_html, record_of


def _machine() -> pl.Result:
    """A pinion on a shaft that bends, in springs, with a wheel: something of everything."""
    gears = [pl.Gear(teeth=z, normal_module="4 mm", face_width="30 mm", bore="40 mm") for z in (20, 30)]
    m = pl.Model("machine")
    shaft = m.shaft("rod", [pl.ShaftSection("300 mm", outer="40 mm")], stations={"middle": "150 mm"}, speed="20 rad/s")
    m.wheel("pinion", shaft["middle"], gears[0])
    b = m.gear_body("wheel", gears[1], mesh_with="pinion", towards="x", angular_velocity=(0, 0, -20 * 20 / 30))
    for end in ("start", "end"):
        m.bushing(end, m.ground, shaft[end], stiffness=(1e8, 1e8, 1e8, 0, 0, 0), damping=(1e3, 1e3, 1e3, 0, 0, 0))
    hinge = m.revolute("hinge", m.ground, b)
    m.gear_pair("mesh", "pinion", b, mesh=pl.Elastic("1e8 N/m", damping_ratio=0.3))
    m.torque("drive", shaft["start"], (0, 0, "100 N*m"))
    m.torsion_spring("brake", hinge, damping="11 N*m*s/rad", free_angle=0)
    return pl.dynamics(m, duration="40 ms", step="20 us", output_step="0.5 ms")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, open_page: object) -> object:
    path = Path(tmp_path_factory.mktemp("motion")) / "machine.html"
    path.write_text(page_html([record_of(_machine())], "machine"), "utf-8")
    page = open_page(path)
    page.page.locator("#effects summary").click()
    return page


def _seen(page: object, t: float | None = None) -> np.ndarray:
    """What is drawn in the view, without the controls that lie over it: right after it is drawn the canvas can be read."""
    if t is not None:
        page.page.evaluate("t => pitchlineView.store.set({ time: t })", t)
    address = page.page.evaluate(
        "() => { pitchlineView.world.draw(); return document.getElementById('view').toDataURL(); }"
    )
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))).astype(float)


def _change(page: object, selector: str, value: str) -> None:
    """Move a slider or choose, as a hand would: with the event that follows."""
    page.page.locator(selector).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event(e.tagName === 'SELECT' ? 'change' : 'input')); }", value
    )


def test_arrows_come_and_go_by_group(machine: object) -> None:
    with_teeth = _seen(machine, 0.03)
    box = machine.page.locator("#effects input[data-group=mesh]")
    assert box.is_checked() and not machine.page.locator("#effects input[data-group=joint]").is_checked()
    box.uncheck()
    without = _seen(machine)
    assert np.abs(with_teeth - without).max() > 60.0
    machine.page.locator("#effects input[data-group=mesh]").check()
    np.testing.assert_array_equal(_seen(machine), with_teeth)


def test_the_legend_says_how_long_a_force_is(machine: object) -> None:
    bar = machine.page.locator("#legend .scale:has(.force)")
    words, before = bar.inner_text(), bar.locator(".bar").bounding_box()["width"]
    number, unit = words.removeprefix("force").split()
    newtons = float(number) * {"N": 1.0, "kN": 1e3}[unit]
    longest = machine.page.evaluate(
        "() => pitchlineView.effects.arrows.largest('force', pitchlineView.effects.groups())"
    )
    assert before == pytest.approx(120.0 * newtons / longest, abs=2.5)  # the greatest arrow is 120 px long
    _change(machine, "#effects input[data-effect=arrowScale]", "0.3")
    after = machine.page.evaluate("() => pitchlineView.store.state.effects.arrowScale")
    assert after == pytest.approx(10**0.3)
    _change(machine, "#effects input[data-effect=arrowScale]", "0")
    assert machine.page.locator("#legend .scale:has(.force)").inner_text() == words


def test_an_arrow_under_the_pointer_says_what_it_is(machine: object) -> None:
    _seen(machine, 0.03)
    x, y = machine.page.evaluate("""() => {
        const { arrows } = pitchlineView.effects, { camera, loaded } = pitchlineView.world;
        const arrow = arrows.all.find((a) => a.said.name === "mesh.force_b");
        const p = arrow.point.clone().lerp(arrow.tip, 0.5).applyMatrix4(loaded.bodies.root.matrixWorld).project(camera);
        const box = document.getElementById("view").getBoundingClientRect();
        return [box.left + (0.5 + 0.5 * p.x) * box.width, box.top + (0.5 - 0.5 * p.y) * box.height];
    }""")
    machine.page.mouse.move(x, y)
    words = machine.page.locator("#arrow-tip").inner_text()
    assert "mesh.force_b" in words and "on wheel" in words and "force on wheel B" in words
    machine.page.mouse.move(5, 5)


def test_displacements_are_magnified_and_return(machine: object) -> None:
    true = _seen(machine, 0.03)
    slider = machine.page.locator("#effects input[data-effect=magnification]").element_handle()
    _change(machine, "#effects input[data-effect=magnification]", "2")
    assert slider.evaluate("e => e.isConnected")  # a hand that drags it does not lose it
    bent = _seen(machine)
    assert np.abs(bent - true).mean() > 0.5
    assert "100 times" in machine.page.locator("#legend").inner_text()
    _change(machine, "#effects select[data-effect=colour]", "displacement")
    coloured = _seen(machine)
    assert np.abs(coloured - bent).mean() > 1.0
    assert "displacement" in machine.page.locator("#legend figcaption").first.inner_text()
    _change(machine, "#effects select[data-effect=colour]", "own")
    _change(machine, "#effects input[data-effect=magnification]", "0")
    np.testing.assert_array_equal(_seen(machine), true)


def test_teeth_are_coloured_by_their_force_and_lines_of_contact_are_drawn(machine: object) -> None:
    plain = _seen(machine, 0.03)
    _change(machine, "#effects select[data-effect=colour]", "force")
    force = _seen(machine)
    assert np.abs(force - plain).max() > 40.0
    largest = float(machine.page.locator("#legend .colour-bar").first.get_attribute("data-largest"))
    force_now = "() => Math.max(...pitchlineView.effects.layers.meshColour.pairs[0].force)"
    assert largest == pytest.approx(machine.page.evaluate(force_now))
    _change(machine, "#effects select[data-effect=colour]", "own")
    machine.page.locator("#effects input[data-effect=contact]").check()
    lines = _seen(machine)
    assert machine.page.evaluate("() => pitchlineView.effects.contact.drawn[0].patches") >= 1
    assert np.abs(lines - plain).max() > 20.0
    machine.page.locator("#effects input[data-effect=contact]").uncheck()
    np.testing.assert_array_equal(_seen(machine), plain)


def test_pressures_are_drawn_for_the_chosen_load(tmp_path: Path, open_page: object) -> None:
    from references.loaded_pairs import pair

    from pitchline.parts.contact.loaded_contact import loaded_contact

    path = tmp_path / "contact.html"
    found = loaded_contact(*pair(), torque=[20.0, 60.0], positions=4)
    path.write_text(page_html([record_of(found)], "contact"), "utf-8")
    page = open_page(path)
    page.page.locator("#effects summary").click()
    heavy = _seen(page)
    assert "pressure on the flanks (MPa)" in page.page.locator("#legend figcaption").inner_text()
    page.page.locator("#effects select[data-effect=load]").select_option("20 N·m")
    light = _seen(page)
    assert np.abs(heavy - light).max() > 20.0
    page.page.locator("#effects select[data-effect=load]").select_option("60 N·m")
    np.testing.assert_array_equal(_seen(page), heavy)
    assert page.messages == [] and len(page.requests) == 1


def test_nothing_was_asked_or_said(machine: object) -> None:
    assert machine.messages == [] and len(machine.requests) == 1
