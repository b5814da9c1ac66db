"""Version numbers: the same one everywhere, and bounds of packages whose internal parts are used."""

import re
import tomllib
from pathlib import Path

import pytest

import pitchline as pl
from pitchline.numerics.machine_code import numba_version
from pitchline.numerics.machine_code.numba_version import (
    FIRST_TESTED,
    FIRST_UNTESTED,
    UntestedNumbaWarning,
    check_numba,
)

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def requirement(name: str) -> str:
    (found,) = [each for each in PROJECT["dependencies"] if re.match(rf"{name}\b", each)]
    return found


def test_results_carry_the_version() -> None:
    made = pl.Result(kind="statics", model_name="rig", time=[0.0], signals={})
    assert made.version == pl.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", pl.__version__)


def test_the_changelog_has_the_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", CHANGELOG, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1] == pl.__version__
    dates = re.findall(r"^## \[\d.*?\] - (\d{4}-\d{2}-\d{2})$", CHANGELOG, re.MULTILINE)
    assert len(dates) == len(headings) - 1
    assert dates == sorted(dates, reverse=True)


def test_the_citation_file_has_the_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    values = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    assert values["cff-version"] == "1.2.0"
    assert values["version"] == pl.__version__
    assert values["license"] == PROJECT["license"]
    assert re.search(rf"^## \[{re.escape(pl.__version__)}\] - {values['date-released']}$", CHANGELOG, re.MULTILINE)
    assert {"title", "message", "type"} <= set(values)
    assert "authors:" in lines and "  - name: " + PROJECT["authors"][0]["name"] in lines


def test_bounds_of_numba_are_those_of_the_package() -> None:
    first, end = (".".join(map(str, bound)) for bound in (FIRST_TESTED, FIRST_UNTESTED))
    assert requirement("numba") == f"numba>={first},<{end}"
    assert re.fullmatch(r"llvmlite>=[\d.]+,<[\d.]+", requirement("llvmlite"))


@pytest.mark.parametrize("found", ["0.60.0", "0.69.0", "0.69.0rc1", "1.0.0"])
def test_an_untested_numba_is_named(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_version, "version", lambda name: found)
    with pytest.warns(UntestedNumbaWarning, match=rf"numba {re.escape(found)} is installed.* pip install \"numba>="):
        check_numba.__wrapped__()


@pytest.mark.parametrize("found", ["0.61.0", "0.68.1", "0.68.2.dev0"])
def test_a_tested_numba_is_not_mentioned(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_version, "version", lambda name: found)
    check_numba.__wrapped__()
