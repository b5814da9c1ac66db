"""Membranes in a real browser: surfaces that deform with their nodes, in their colour, hidden and picked by name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.viewer import page_html, record_of

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
MAGENTA = "#c020a0"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, open_page: Any) -> Any:
    """A sheet between two bars, of which one sinks: it is 0.2 m by 0.1 m at first, then stretched and bent."""
    m = pl.Model("sheet", gravity=(0, 0, -9.81))
    bar = m.body("bar", mass=0.2, inertia=(1e-3, 1e-3, 1e-3), position=(0.2, 0.05, 0))
    slide = m.prismatic("slide", m.ground, bar, axis="z")
    m.drive("motion", slide, displacement=pl.Ramp(0, -0.04, 0, "10 ms"))
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (0.2, 0, 0), (0.2, 0.1, 0), (0, 0.1, 0)], (6, 3))
    m.membrane(
        "sheet", mesh, thickness="1 mm", material=pl.Material("rubber", density=1100, youngs_modulus=5e6, poissons_ratio=0.45),
        attached={"ground": "side 4", "bar": "side 2"}, colour=MAGENTA, damping="1 ms",
    )  # fmt: skip
    run = pl.dynamics(m, duration="12 ms", step="0.2 ms", output_step="1 ms")
    path = Path(tmp_path_factory.mktemp("sheet")) / "sheet.html"
    path.write_text(page_html([record_of(run)], "sheet"), "utf-8")
    page = open_page(path, reduced_motion="reduce")
    page.page.set_viewport_size({"width": 900, "height": 560})
    page.settle()
    return page, run


def painted(picture: np.ndarray) -> np.ndarray:
    """Pixels with the hue of the sheet, light or shaded."""
    r, g, b = np.moveaxis(picture, -1, 0)
    return (r > 1.3 * g) & (b > 1.15 * g)


CORNERS = "() => Array.from(pitchlineView.world.loaded.sheets.all[0].mesh.geometry.attributes.position.array)"


def test_the_surface_goes_with_its_nodes(opened: Any) -> None:
    page, run = opened
    first = page.view(0.0)
    assert painted(first).mean() > 0.02
    at_first = np.array(page.page.evaluate(CORNERS)).reshape(-1, 3)
    last = page.view(float(run.time[-1]))
    moved = np.array(page.page.evaluate(CORNERS)).reshape(-1, 3)
    sheet = run.model["membranes"]["sheet"]
    free = [k for k in range(len(moved)) if str(k) not in sheet["attached"]]
    for k in free[::3]:
        assert moved[k] == pytest.approx(run[f"sheet {k}.position"].values[-1], abs=1e-5)
    held = moved[:, 0] > 0.2 - 1e-6
    assert held.sum() == 4 and moved[held, 2] == pytest.approx(at_first[held, 2] - 0.04, abs=1e-5)
    assert np.abs(first - last).max(axis=-1).mean() > 1.0 and painted(last).mean() > 0.02
    assert page.messages == []


def test_it_is_hidden_and_picked_by_its_name(opened: Any) -> None:
    page, _ = opened
    shown = painted(page.view(0.0))
    y, x = (int(np.median(k)) for k in np.nonzero(shown))
    hit = page.page.evaluate("([x, y]) => pitchlineView.world.pick.solid(x, y)?.name", [x, y])
    assert hit == "sheet"
    page.page.evaluate("() => pitchlineView.store.set({ hidden: new Set(['sheet']) })")
    assert painted(page.view()).mean() < 0.1 * shown.mean()
    page.page.evaluate("""() => {
      const { store } = pitchlineView, cut = { on: true, by: 'x', place: 0.5, flip: false };
      store.set({ hidden: new Set(), look: { ...store.state.look, cut } });
    }""")
    half = painted(page.view()).mean()
    assert 0.2 * shown.mean() < half < 0.9 * shown.mean()
    assert page.messages == []
