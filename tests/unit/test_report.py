"""The report: one valid HTML file, nothing from elsewhere, everything said, whatever the results are."""

import base64
import gzip
import html
import json
import math
import re
import shutil
import subprocess
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from references.reported import machine, result

import pitchline as pl
from pitchline.base.storage.free_names import StorageError
from pitchline.results.signal import Signal
from pitchline.views import write_report
from pitchline.views.report.energy import exchanged
from pitchline.views.report.numbers import ReportData, report_data
from pitchline.views.report.page import scene

VOID = {"meta", "br", "wbr", "link", "img", "hr"}


class Page(HTMLParser):
    """Reads a page, and fails where tags do not match."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.open, self.words, self.tags, self.frames = [], [], [], [], [], []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, name, attributes):
        self.tags.append(name)
        if name == "iframe":
            self.frames.append(set(dict(attributes)["sandbox"].split()))
        for key, value in attributes:
            if key == "id":
                self.ids.append(value)
            if key in ("src", "href", "xlink:href", "action"):
                self.links.append(value)
        if name not in VOID:
            self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.handle_starttag(name, attributes)
        if name not in VOID:
            self.open.pop()

    def handle_endtag(self, name):
        assert self.open and self.open[-1] == name, f"</{name}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if "style" not in self.open[-1:]:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


def check(path):
    """The page, after the checks that hold for every report."""
    page = Page(path)
    assert len(page.ids) == len(set(page.ids)), "ids occur twice"
    for link in page.links:
        assert link.startswith(("#", "data:")), f"leads out of the page: {link}"
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids, f"leads nowhere: {link}"
    for name in re.findall(r"url\(#([^)]+)\)", path.read_text(encoding="utf-8")):
        assert name in page.ids
    assert "script" not in page.tags
    assert page.frames in ([], [{"allow-scripts", "allow-downloads"}])  # of an origin of its own
    assert not re.search(r"https?://", path.read_text(encoding="utf-8"))
    return page


# --- the page as a whole -------------------------------------------------------------------------------


def test_work_of_teeth_without_a_potential_is_told(tmp_path):
    run = result()
    run.signals["energy.teeth"] = Signal("energy.teeth", np.linspace(0.0, 1.25, run.samples), run.time, "J")
    words = "the work includes 1.25 J at the end"
    assert words in write_report(tmp_path / "r.html", run).read_text(encoding="utf-8")
    assert words not in write_report(tmp_path / "s.html", result()).read_text(encoding="utf-8")


def test_every_section_is_there(tmp_path):
    figures = [("mesh.normal_force.mean", 1500.0, "N", "mean force of the teeth")]
    page = check(write_report(tmp_path / "r.html", result(), figures=figures))
    for key in ("key-results", "machine", "gears", "loads", "histories", "gear-pairs", "energy", "method", "parts"):
        assert key in page.ids
    for words in (
        "machine", "mean force of the teeth", "pinion", "20 : 30", "transverse contact ratio", "Energy balance",
        "Method", "elastic, 200 MN/m, damping ratio 0.05", "motor", "Gear pair", "force over the mesh cycle", "Joint loads",
    ):  # fmt: skip
        assert words in page.text, words
    assert page.tags.count("svg") >= 4
    assert "view" in page.ids and len(page.frames) == 1


@pytest.mark.parametrize(
    "mesh, words",
    [
        (
            pl.Loaded([0, 100, 3000], [[0, 1e-7], [1e-6, 2e-6], [3e-6, 4e-6]]),
            "loaded teeth, 3 loads to 3000 N at 2 phases",
        ),
        (
            pl.Loaded([0, 1], [[0], [1]], coast=[[0], [2]], backlash="20 um"),
            "loaded teeth, 2 loads to 1 N at 1 phase, coast flanks of their own, backlash 20 µm",
        ),
        (pl.Loaded(), "loaded teeth, table from the gears"),
        (pl.Loaded(torque="80 N*m"), "loaded teeth, table from the gears to 80 N·m on B"),
        (pl.Elastic(), "elastic, stiffness after ISO 6336"),
        (pl.Elastic("loaded", torque="80 N*m"), "elastic, stiffness of loaded teeth at 80 N·m on B"),
        (pl.Flank(friction=0.05), "elastic flanks, modes to 80 kHz, friction 0.05"),
        (pl.Flank(modes=0, penalty="1e8 N/m"), "elastic flanks, no modes, penalty 100 MN/m"),
    ],
)
def test_meshes_in_words(tmp_path, mesh, words):
    m = machine()
    m.gear_pair("other", "pinion", "wheel", mesh=mesh)
    page = check(write_report(tmp_path / "r.html", result(model=m)))
    assert words in page.text


def test_energy_error_is_held_against_the_energy_exchanged(tmp_path):
    assert exchanged(result()) == pytest.approx(5.0)
    assert "0.02 %" in check(write_report(tmp_path / "r.html", result())).text


def data_of(results):
    return report_data(results, model=None, figures=(), title="<both>", source=None, signals=())


def test_all_results_are_in_one_view_and_what_moves_comes_first():
    still, moving = result("statics", 1), result()
    page = html.unescape(re.search('srcdoc="([^"]*)"', scene(data_of({"moving": moving, "still": still})))[1])
    assert (
        page.startswith("<!doctype html>")
        and "Content-Security-Policy" in page
        and "<title>&lt;both&gt;</title>" in page
    )
    blocks = [gzip.decompress(base64.b64decode(one)) for one in re.findall('class="record">([^<]*)<', page)]
    assert [json.loads(one[12 : 12 + int.from_bytes(one[8:12], "little")])["name"] for one in blocks] == [
        "moving",
        "still",
    ]


def test_a_machine_that_cannot_be_drawn_is_told(monkeypatch):
    found = result()
    found.model["bodies"] = {"pinion": 3}
    assert "The 3D view is not available" in scene(data_of(found))
    monkeypatch.setattr("pitchline.views.report.page._MOST", 1000)
    assert "Use the command pitchline view" in scene(data_of(result()))
    nothing = SimpleNamespace(model_name="", plot=None)
    assert scene(ReportData("", "", {"spectrum": nothing}, {}, {})) == ""


def test_several_results_and_a_title(tmp_path):
    runs = {"at rest": result("statics", 1), "running": result()}
    page = check(write_report(tmp_path / "r.html", runs, title="Gearbox 7", source="box.toml"))
    assert "Gearbox 7" in page.text and "box.toml" in page.text
    assert "at rest (statics), running (dynamics)" in page.text


def test_the_same_results_give_the_same_page(tmp_path):
    pages = [write_report(tmp_path / f"{i}.html", result()).read_text(encoding="utf-8") for i in (1, 2)]
    dated = [re.sub(r"Written <b>[^<]*</b>", "", page) for page in pages]
    assert dated[0] == dated[1]


def test_a_result_file_alone_gives_the_report(tmp_path):
    result().save(tmp_path / "r.nc")
    page = check(pl.Result.load(tmp_path / "r.nc").report(tmp_path / "r.html"))
    assert "20 : 30" in page.text and "transverse contact ratio" in page.text


def test_chosen_signals_are_drawn(tmp_path):
    page = check(write_report(tmp_path / "r.html", result(), signals=["mesh.*", "input.force.x"]))
    assert "input. force. x" in page.text.replace(".x", ". x")


def test_planets_share_their_load(tmp_path):
    m = pl.Model("planets")
    sun = m.gear_body("sun", pl.Gear(teeth=24, normal_module="2 mm", face_width="10 mm"), position=(0, 0, 0), axis="z")
    signals, t = [], np.linspace(0.0, 1.0, 11)
    for i in range(3):
        angle = 2 * math.pi * i / 3
        planet = m.gear_body(
            f"planet_{i}", pl.Gear(teeth=36, normal_module="2 mm", face_width="10 mm"), mesh_with=sun,
            towards=(math.cos(angle), math.sin(angle), 0),
        )  # fmt: skip
        m.gear_pair(f"mesh_{i}", sun, planet)
        signals.append(Signal(f"mesh_{i}.signed_force", np.full(11, 100.0 + 10.0 * i), t, "N"))
    run = pl.Result(
        kind="dynamics", model_name="planets", time=t, signals={s.name: s for s in signals}, model=m.describe()
    )
    page = check(write_report(tmp_path / "r.html", run))
    assert "Load sharing" in page.text and "= 1.091." in page.text


def test_linear_results_have_their_pictures(tmp_path):
    modes = pl.Modes(
        model_name="machine", bodies=("pinion",), eigenvalues=np.array([-1.0 + 100.0j]), shapes=np.ones((1, 1, 6), complex),
        kinetic=np.array([[[0.2, 0.8, 0.0]]]), strain={"mesh": np.array([1.0])}, multiplicity=np.array([1]),
        kinds=("torsional",), descriptions=("pinion turns",), rigid=0, decaying=np.zeros(0), warnings=("a word of warning",),
    )  # fmt: skip
    page = check(write_report(tmp_path / "r.html", {"modes": modes}, model=machine()))
    assert "pinion turns" in page.text and "A word of warning." in page.text and "15.9" in page.text


# --- what goes wrong -----------------------------------------------------------------------------------


def test_special_characters_stay_text(tmp_path):
    name = '<script>alert("x")</script> & co'
    m = pl.Model(name)
    a = m.body("<b>&body", mass=1, inertia=(1, 1, 1), position=(0, 0, 0))
    m.revolute('hinge"<i>', m.ground, a)
    t = np.array([0.0, 1.0])
    run = pl.Result(
        kind="dynamics", model_name=name, time=t, model=m.describe(), warnings=["<script>bad()</script>"],
        signals={'hinge"<i>.angular_speed': Signal('hinge"<i>.angular_speed', t, t, "rad/s", "<u>speed</u>")},
        message="a\x00b", status="interrupted",
    )  # fmt: skip
    page = check(write_report(tmp_path / "r.html", {"<em>run</em>": run}, title=name, source="<a>.toml"))
    assert "script" not in page.tags and "em" not in page.tags and "u" not in page.tags
    assert 'alert("x")' in page.text and "<b>&" in page.text


def test_a_failed_result_says_so_first(tmp_path):
    failed = result(status="failed", message="the step became too small at t = 3 ms")
    path = write_report(tmp_path / "r.html", failed)
    page, text = check(path), path.read_text(encoding="utf-8")
    assert text.index("the step became too small") < text.index('<section id="machine"')
    assert "dynamics failed" in page.text


def test_an_interrupted_result_is_reported(tmp_path):
    page = check(write_report(tmp_path / "r.html", result(status="interrupted", samples=120)))
    assert "dynamics interrupted" in page.text


def test_an_empty_result_is_reported(tmp_path):
    empty = pl.Result(
        kind="dynamics", model_name="m", time=np.zeros(0), signals={}, status="failed", message="no start"
    )
    page = check(write_report(tmp_path / "r.html", empty))
    assert "The result has no samples" in page.text and "no start" in page.text


def test_a_result_without_a_model_is_reported(tmp_path):
    page = check(write_report(tmp_path / "r.html", result(model=False)))
    assert "unknown machine" in page.text and "do not contain their model" in page.text
    assert "mesh. normal_ force" in page.text or "normal_" in page.text


def test_values_that_are_no_numbers_are_reported(tmp_path):
    t = np.array([0.0, 1.0, 2.0])
    odd = Signal("input.angular_speed", np.array([1.0, np.nan, np.inf]), t, "rad/s")
    run = pl.Result(kind="dynamics", model_name="m", time=t, signals={odd.name: odd}, model=machine().describe())
    check(write_report(tmp_path / "r.html", run, figures=[("f", math.nan, "N", ""), ("g", [1.0, math.inf], "", "")]))


def test_a_model_alone_is_reported(tmp_path):
    page = check(write_report(tmp_path / "r.html", {}, model=machine()))
    assert "Model without analysis" in page.text and "20 : 30" in page.text


def test_nothing_at_all_is_an_error(tmp_path):
    with pytest.raises(pl.PitchlineError, match="nothing to report"):
        write_report(tmp_path / "r.html", {})
    with pytest.raises(pl.PitchlineError, match='"run" is a int'):
        write_report(tmp_path / "r.html", {"run": 3})
    assert not list(tmp_path.iterdir())


def test_an_existing_file_stays_unless_told_otherwise(tmp_path):
    path = tmp_path / "r.html"
    path.write_text("mine")
    with pytest.raises(StorageError, match="already exists"):
        write_report(path, result("statics", 1))
    assert path.read_text() == "mine"
    write_report(path, result("statics", 1), overwrite=True, scene=False)
    page = check(path)
    assert not page.frames and "view" not in page.ids
    assert [file.name for file in tmp_path.iterdir()] == ["r.html"]


def test_a_failure_leaves_nothing_behind(tmp_path, monkeypatch):
    import pitchline.views.report.page as module

    monkeypatch.setattr(module, "method", lambda about: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(tmp_path / "r.html", result("statics", 1))
    assert not list(tmp_path.iterdir())


def test_a_variant_says_what_differs(tmp_path):
    runs = {"with backlash": result("statics", 1, machine(backlash="50 um")), "without": result("statics", 1)}
    page = check(write_report(tmp_path / "r.html", runs))
    assert "Differences of the model in with backlash" in page.text and "gear_ pairs. mesh. mesh. backlash" in page.text


def test_redundant_warnings_are_said_once(tmp_path):
    runs = {name: result("statics", 1, warnings=["something is redundant"]) for name in ("one", "two")}
    assert check(write_report(tmp_path / "r.html", runs)).text.count("Something is redundant.") == 1


# --- in a browser --------------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to look at the page with")
def test_a_browser_shows_it(tmp_path):
    write_report(tmp_path / "r.html", result())
    picture = tmp_path / "r.png"
    command = [
        str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile",
        "--window-size=800,1200", f"--screenshot={picture}", (tmp_path / "r.html").as_uri(),
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"Chromium does not run here: {error}")
    assert picture.stat().st_size > 20_000
