"""View: the page of models and results as Python hands it out: saved, opened, in a notebook."""

import builtins
import html
import os
import re
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pitchline as pl
from pitchline.base.storage.free_names import StorageError
from pitchline.viewer import View
from pitchline.viewer import view as browser
from pitchline.viewer import view as notebook
from pitchline.viewer import view as temporary_pages
from pitchline.viewer import view as view_module

NAME = '<b>"rod" & hinge</b>'


@pytest.fixture(scope="module")
def model() -> pl.Model:
    m = pl.Model(NAME, gravity=(0, 0, "-9.81 m/s^2"))
    rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
    m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
    return m


@pytest.fixture(scope="module")
def result() -> pl.Result:
    return pl.Result(kind="kinematics", model_name="crank", time=[0.0, 0.1], signals={}, model=_crank().describe())


def _crank() -> pl.Model:
    m = pl.Model("crank")
    m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
    return m


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Addresses that would have been opened; temporary pages go to a folder of the test."""
    addresses: list[str] = []
    monkeypatch.setattr(browser.webbrowser, "open", lambda address: not addresses.append(address))
    monkeypatch.setattr(temporary_pages.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":9")
    return addresses


def test_several_things_stand_in_one_page_under_names_that_differ(model: pl.Model, result: pl.Result) -> None:
    view = pl.view(model, result, {"spin": result, "number": 3.0}, result, show=False)
    assert view.names == (NAME, "kinematics", "spin", "kinematics (2)")
    assert view.title == f"{NAME}, crank"
    assert view.html().count('class="record"') == 4
    assert pl.view(result, result, names=("old", "new"), title="both", show=False).names == ("old", "new")


def test_lists_of_things(model: pl.Model, result: pl.Result) -> None:
    assert pl.view([result, model], (result,), show=False).names == ("kinematics", NAME, "kinematics (2)")


def test_the_model_of_another_result_is_refused(model: pl.Model, result: pl.Result) -> None:
    other = _crank()
    other.body("second", mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(
        pl.PitchlineError, match=r"was not computed from the model that is given, .* differ in bodies, 'second'"
    ):
        pl.view(result, model=other, show=False)
    assert pl.view(result, model=_crank(), show=False).names == ("kinematics",)


@pytest.mark.parametrize(
    ("option", "words"),
    [({"show": "no"}, "show must be True or False, got 'no'"), ({"names": 3}, "names must be texts")],
)
def test_options_that_are_none(result: pl.Result, option: dict[str, Any], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        pl.view(result, **{"show": False, **option})


def test_what_is_left_out_of_a_run_is_said(result: pl.Result, capfd: pytest.CaptureFixture[str]) -> None:
    pl.view({"spin": result, "number": 3.0}, show=False)
    assert "not in the page, having no view: number" in capfd.readouterr().err


@pytest.mark.parametrize(
    "things, options, words",
    [
        ((), {}, "nothing to show; give a result"),
        (({"a": 1.0},), {}, "none of a has a view"),
        ((3.0,), {}, "expected a result, a model"),
        (("pair.txt",), {}, '"pair.txt" cannot be shown. Specify a result file'),
        ((_crank(),), {"names": ("a", "b")}, "2 names for 1 items"),
        ((_crank(), _crank()), {"names": ("a", "a")}, "names must differ"),
        ((_crank(),), {"height": 20}, "height must be a whole number of pixels from 200 to 4000, got 20"),
        ((_crank(),), {"theme": "black"}, "theme must be one of system, light, dark, got 'black'"),
        ((_crank(),), {"heigth": 300}, 'there is no argument "heigth"; did you mean "height"'),
    ],
)
def test_wrong_arguments_are_said(things: tuple[object, ...], options: dict[str, object], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=re.escape(words)):
        pl.view(*things, show=False, **options)


def test_files_are_shown_by_their_names(result: pl.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "first run.nc")
    _crank().to_toml(tmp_path / "crank.toml")
    assert pl.view(tmp_path / "first run.nc", str(tmp_path / "crank.toml"), show=False).names == ("first run", "crank")


def test_a_page_is_saved_whole_and_no_file_is_replaced_unasked(result: pl.Result, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    view = result.view(path=path)
    assert path.read_text("utf-8") == view.html()
    with pytest.raises(StorageError, match="already exists"):
        result.view(path=path)
    path.write_text("mine")
    assert view.save(path, overwrite=True) == path
    assert path.read_text("utf-8") == view.html()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_script_opens_a_page_that_only_its_user_can_read(model: pl.Model, opened: list[str], capsys: object) -> None:
    view = model.view()
    (address,) = opened
    (path,) = Path(temporary_pages.tempfile.gettempdir()).glob("*/*.html")
    assert address == path.as_uri()
    assert str(path) in capsys.readouterr().out
    assert path.read_text("utf-8") == view.html()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_temporary_pages_are_removed_after_a_day(model: pl.Model, opened: list[str]) -> None:
    old, kept = model.view().open(), model.view().open()
    os.utime(old.parent, (0, 0))
    model.view()
    assert not old.exists()
    assert kept.exists()


def test_without_a_screen_the_page_is_named_and_no_text_browser_starts(
    model: pl.Model, opened: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(browser.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    path = model.view(show=False).open()
    assert opened == []
    assert f"the page is {path}" in capsys.readouterr().out


def test_a_notebook_shows_the_page_in_place_and_opens_nothing(
    model: pl.Model, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "get_ipython", lambda: SimpleNamespace(kernel=1), raising=False)
    view = model.view(height=420)
    assert opened == []
    shown = view._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == view.html()
    assert 'height="420"' in shown
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert "<b>" not in shown
    monkeypatch.setattr(builtins, "get_ipython", SimpleNamespace, raising=False)  # IPython in a terminal
    assert not notebook.in_notebook()


def test_pages_too_large_are_said(
    model: pl.Model, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: object
) -> None:
    view = model.view(show=False)
    monkeypatch.setattr(view_module, "MOST_INLINE", 1000)
    monkeypatch.setattr(view_module, "LARGE", 1000)
    assert "a notebook shows up to 1 kB" in view._repr_html_()
    assert "iframe" not in view._repr_html_()
    view.save(tmp_path / "page.html")
    assert "page.html takes" in capfd.readouterr().err
    monkeypatch.setattr(view_module, "MOST", 1000)
    with pytest.raises(pl.PitchlineError, match="browsers open at most 1 kB: show fewer results"):
        model.view(show=False).html()


def test_it_says_what_it_is(result: pl.Result) -> None:
    assert (
        repr(result.view(show=False))
        == "View of crank: kinematics; open() shows it in a browser, save(path) writes the page"
    )
    assert isinstance(result.view(show=False), View)


def test_a_page_is_not_written_under_the_name_of_a_result(tmp_path: Path) -> None:
    shown = pl.view(pl.Model("empty"), show=False)
    for name in ("run.nc", "model.toml", "page"):
        with pytest.raises(pl.PitchlineError, match=r"ends in \.html"):
            shown.save(tmp_path / name, overwrite=True)
    assert not list(tmp_path.iterdir())
