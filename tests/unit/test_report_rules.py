"""Rules that every report follows: order of sections, complete tables, numbers as people write them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline import files, gallery
from pitchline.parts.meshes.drawing import draw_pair, mesh_chart
from pitchline.parts.meshes.drawing_report import sharing
from pitchline.results import Signal
from pitchline.results.figures import Figure, figures_table, report_text
from pitchline.results.figures import report as plain_report
from pitchline.results.status import Scales
from pitchline.views import plot_mesh, write_report
from pitchline.views.plots import MOST_RATIO, _panels
from pitchline.views.report.energy import mesh_orders, reference_joint, run_ups
from pitchline.views.report.numbers import report_data

SECTIONS = [
    "key-results", "machine", "view", "gears", "loads", "shafts", "power", "sharing", "histories", "gear-pairs", "run-up",
    "vibration", "studies", "energy", "warnings", "method", "parts",
]  # fmt: skip

NOISE = re.compile(r"10⁻[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]|\de-[1-9]\d")
"""Powers of ten that are rounding in any machine."""

MACHINES = ("planetary", "differential", "run-up")


def machine(damping: str = "200 N*s/m") -> pl.Model:
    """A pair of gears, one on a bushing, one on a joint, with a spring and a damper."""
    m = pl.Model("rig", gravity=(0, 0, "-9.81 m/s^2"))
    gear = pl.Gear(teeth=20, normal_module="2 mm", helix_angle="10 deg", face_width="15 mm", bore="12 mm")
    a = m.gear_body("pinion", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("wheel", gear.with_(teeth=30, helix_angle="-10 deg"), mesh_with=a, towards=(1, 0, 0))
    hub = m.body("hub", solid=pl.cylinder("20 mm", "10 mm", mass="1 kg"))
    m.bushing(
        "mount", m.ground, hub, axis="z", stiffness=["50 N/um"] * 3 + ["10 kN*m/rad"] * 3, damping=[500] * 3 + [10] * 3
    )
    m.revolute("input", hub, a)
    m.revolute("output", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("2e8 N/m", damping_ratio=0.05))
    m.spring("strut", m.ground, hub, at_a=(0, "50 mm", 0), stiffness="1 N/mm", damping=damping)
    m.drive("motor", m.joints["input"], speed=100.0)
    m.torque("load", m.joints["output"], 50.0)
    return m


@pytest.fixture(scope="module")
def rig() -> dict[str, pl.Result]:
    m = machine()
    rest = pl.statics(m)
    return {"rest": rest, "run": pl.dynamics(m, duration="20 ms", start=rest, step="20 us", output_step="100 us")}


@pytest.fixture(scope="module")
def ran() -> dict[str, tuple[dict, list]]:
    found = {}
    for name in MACHINES:
        file = files.read((Path(gallery.__file__).parent / "models" / f"{name}.toml").read_text(encoding="utf-8"))
        results = file.run()
        found[name] = (results, file.findings(results))
    return found


@pytest.fixture(scope="module")
def pages(ran, tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("reports")
    return {
        name: write_report(folder / f"{name}.html", results, figures=figures, scene=False).read_text(encoding="utf-8")
        for name, (results, figures) in ran.items()
    }


def section(page: str, key: str) -> str:
    """Text of one section without tags and pictures."""
    found = re.search(rf'<section id="{key}">(.*?)</section>', page, re.S)
    assert found is not None, key
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]*>", " ", found[1], flags=re.S))


# --- sections and tables -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MACHINES)
def test_sections_are_in_the_order_of_an_engineering_report(pages, name):
    found = re.findall(r'<section id="([\w-]+)">', pages[name])
    found = [key for key in found if key != "status"]
    assert found == [key for key in SECTIONS if key in found]
    assert {"key-results", "machine", "gears", "loads", "power", "gear-pairs", "energy", "method"} <= set(found)


def test_loads_have_every_gear_bearing_bushing_joint_spring_and_drive(rig, tmp_path):
    """In statics and in dynamics alike."""
    page = write_report(tmp_path / "r.html", rig, scene=False).read_text(encoding="utf-8").replace("<wbr>", "")
    text = section(page, "loads")
    statics, dynamics = text[: text.index("run : dynamics")], text[text.index("run : dynamics") :]
    for part in (statics, dynamics):
        for name in ("mesh pinion", "mesh wheel", "mount", "input", "output", "strut", "motor", "load"):
            assert f" {name} " in part, name
        for words in ("bushing", "revolute joint", "spring", "Gear forces", "Bearing loads", "Reactions on ground"):
            assert words in part, words
    assert "largest" in dynamics and "largest" not in statics
    machine_text = section(page, "machine")
    assert "spring, 1000 N/m" in machine_text and "damping 200 N·s/m" in machine_text


def test_loads_in_the_table_are_those_of_the_result(rig, tmp_path):
    page = write_report(tmp_path / "r.html", rig["rest"], scene=False).read_text(encoding="utf-8").replace("<wbr>", "")
    radial = rig["rest"].bearing_loads(joints=True)["output", "radial"]
    row = re.search(r"<tr><td><code>output</code></td>.*?</tr>", page, re.S)
    assert f'<td class="n">{radial:.4g}</td>' in row[0]


def test_a_damper_is_listed(tmp_path):
    m = machine()
    m.spring("dashpot", m.ground, m.bodies["hub"], at_a=(0, "80 mm", 0), stiffness=0, damping="30 N*s/m")
    page = write_report(tmp_path / "r.html", {}, model=m, scene=False).read_text(encoding="utf-8")
    assert "damper, 30 N·s/m" in page


@pytest.mark.parametrize("name", MACHINES)
def test_every_gear_pair_has_a_chart(ran, pages, name):
    text = section(pages[name].replace("<wbr>", ""), "gear-pairs")
    for pair in next(iter(ran[name][0].values())).model["gear_pairs"]:
        assert f"Gear pair {pair} " in text


def test_power_in_is_power_out_losses_and_stored_energy(rig, tmp_path):
    page = write_report(tmp_path / "r.html", rig["run"], scene=False).read_text(encoding="utf-8")
    rows = dict(
        re.findall(r"<tr><td>([A-Z][a-z ]+)</td>.*?<td class=\"n\">([^<]*) %</td></tr>", section_html(page, "power"))
    )
    numbers = {key: float(value.replace("−", "-").replace("< ", "")) for key, value in rows.items()}
    assert numbers["Power in"] == 100.0
    total = sum(numbers[key] for key in ("Power in", "Power out", "Losses", "Change of stored energy"))
    assert total == pytest.approx(numbers["Check sum"], abs=0.5)
    assert abs(numbers["Check sum"]) < 2.0


def section_html(page: str, key: str) -> str:
    return re.search(rf'<section id="{key}">(.*?)</section>', page, re.S)[1]


def test_planets_share_and_opposed_meshes_do_not(ran, pages):
    """A spider gear of a differential drives both sides against each other: that is no load sharing."""
    text = section(pages["planetary"], "sharing")
    assert "K γ = 1" in text
    results, _ = ran["differential"]
    made = sharing(report_data(results, model=None, figures=(), title=None, source=None, signals=()), _NoPictures())
    assert "spider" not in made


class _NoPictures:
    def embed(self, *_: object, **__: object) -> str:
        return ""


# --- run-ups -------------------------------------------------------------------------------------------


def test_a_run_up_has_an_order_map_with_the_mesh_order(ran):
    results, _ = ran["run-up"]
    run = results["run-up"]
    assert mesh_orders(run, "bearing_a.angle") == {"mesh": pytest.approx(10.0, rel=1e-3)}
    assert reference_joint(run, run.model) == "bearing_a"
    only = report_data({"run-up": run}, model=None, figures=(), title=None, source=None, signals=())
    assert "Gear pair" in run_ups(only, _NoPictures())
    steady = report_data(ran["planetary"][0], model=None, figures=(), title=None, source=None, signals=())
    assert "svg" not in run_ups(steady, _NoPictures())  # 1.6 revolutions are no run-up


# --- numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MACHINES)
def test_reports_have_no_rounding_noise(pages, name):
    for key in re.findall(r'<section id="([\w-]+)">', pages[name]):
        if key != "method":  # tolerances are small on purpose
            found = NOISE.search(section(pages[name], key))
            assert found is None, (
                f"{key}: {found and section(pages[name], key)[max(0, found.start() - 60) : found.end() + 20]}"
            )


def test_figures_that_are_rounding_are_zero_and_json_is_exact():
    figures = [Figure("a.angle", -2.64e-24, "rad"), Figure("a.force", 3e-8, "N"), Figure("b.force", 120.0, "N")]
    text = figures_table(figures)
    assert not re.search(r"e-\d", text)
    assert [line.split()[1] for line in text.splitlines()[2:]] == ["0", "0", "120"]
    assert "-2.64e-24" in report_text(plain_report("m", {}, figures))
    alone = figures_table([Figure("a.displacement", 3e-9, "m")])  # the only content: a real value
    assert "3e-09" in alone


def test_units_of_one_quantity_share_a_scale():
    scales = Scales([(2.0, "m"), ([1.0, 3.0], "N*m"), (5.0, "J")])
    assert scales.least("mm") == pytest.approx(2e-6)
    assert scales.clean(1e-9, "um") == 0.0
    assert scales.clean(1e-9, "J") == 0.0 and scales.clean(1e-8, "J") == 1e-8  # energy and torque are two quantities
    assert scales.clean(4e-9, "furlong") == 4e-9


def test_a_table_of_signals_writes_rounding_as_zero():
    t = np.linspace(0.0, 1.0, 5)
    signals = {"a.force": Signal("a.force", 1e3 * t, t, "N"), "b.force": Signal("b.force", 1e-14 * t, t, "N")}
    result = pl.Result(kind="dynamics", model_name="m", time=t, signals=signals)
    assert result.table("b.force").splitlines()[2].split()[2:] == ["0"] * 4


# --- plots ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MACHINES)
def test_one_axis_has_one_quantity_and_one_magnitude(ran, name):
    for result in ran[name][0].values():
        if not isinstance(result, pl.Result):
            continue
        names = [signal for signal, found in result.signals.items() if not found.components]
        for k in range(0, len(names), 20):
            for panel in _panels(result, tuple(names[k : k + 20]), None, None):
                assert len({line.signal.unit for line in panel.lines}) == 1
                peaks = np.array([np.nanmax(np.abs(line.signal.values), initial=0.0) for line in panel.lines])
                real = peaks[peaks > 1e-9 * peaks.max()]
                assert not real.size or real.max() <= MOST_RATIO * real.min() * (1 + 1e-12)


def assert_inside(figure) -> None:
    figure.canvas.draw()
    drawn = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= -0.01 and drawn.x1 <= width + 0.01 and drawn.y1 <= height + 0.01


def test_the_chart_of_a_pair_is_inside_its_figure_and_names_do_not_overlap():
    from references.reported import result

    run = result()
    run.signals["mesh.transmission_error"] = Signal("mesh.transmission_error", 1e-6 * np.cos(run.time), run.time, "m")
    modes = [100.0, 310.0, 320.0, 321.0, 640.0, 1500.0]
    figure = draw_pair(run, "mesh", mesh_chart(run, "mesh"), others={"stage 2": 120.0}, modes=modes)
    assert_inside(figure)
    names = [text for ax in figure.axes for text in ax.texts if text.get_text()]
    assert {"mesh", "2 × mesh", "stage 2", "320 Hz"} <= {text.get_text() for text in names}
    boxes = [text.get_window_extent().padded(-0.5) for text in names]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])
    assert_inside(draw_pair(run, "mesh", None))
    assert_inside(plot_mesh(run, "mesh", modes=modes))
