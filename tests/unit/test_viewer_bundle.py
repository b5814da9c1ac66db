"""The script and style sheet of the viewer are what its sources give: built again from the lock file, byte by byte."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES, BUNDLE = ROOT / "viewer", ROOT / "src" / "pitchline" / "viewer" / "dist"
FILES = ("viewer.js", "viewer.css", "LICENSES.txt")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with what the lock file names, type checked and built."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node is not installed: the bundle is not built again")
    folder = tmp_path_factory.mktemp("bundle") / "viewer"
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("node_modules"))
    wanted = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"]
    unreachable = "the packages of the lock file cannot be fetched here: the bundle is not built again"
    try:
        fetched = subprocess.run(wanted, cwd=folder, capture_output=True, text=True, timeout=90)
    except subprocess.TimeoutExpired:
        pytest.skip(unreachable)
    if fetched.returncode and re.search(
        r"EAI_AGAIN|ENOTFOUND|ECONN|ETIMEDOUT|E[45]\d\d|EIDLETIMEOUT|ENETUNREACH", fetched.stderr
    ):
        pytest.skip(unreachable)
    assert fetched.returncode == 0, fetched.stderr
    return folder


def test_types_are_right(built: Path) -> None:
    checked = subprocess.run(["npm", "run", "check"], cwd=built, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_the_same_bytes_again(built: Path, tmp_path: Path) -> None:
    made = subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=built, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (BUNDLE / name).read_bytes(), f"{name}: run `make bundle`"


def test_lock_file_names_versions_and_no_addresses() -> None:
    said = json.loads((SOURCES / "package.json").read_text())
    for version in (said["dependencies"] | said["devDependencies"]).values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert "://" not in re.sub(r'"url": "[^"]*"', "", (SOURCES / "package-lock.json").read_text())


def test_licences_go_with_the_bundle() -> None:
    licences = (BUNDLE / "LICENSES.txt").read_text("utf-8")
    assert licences.count("Permission is hereby granted") == 2  # three and uPlot


def test_nothing_reads_html_from_data_or_evaluates_text() -> None:
    """Texts of results are never HTML, and the policy of the page forbids eval."""
    for file in SOURCES.glob("src/**/*.js"):
        text = file.read_text("utf-8")
        for banned in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert banned not in text, f"{file.name}: {banned}"


def test_units_have_the_prefix_that_fits(built: Path) -> None:
    """Far below the least prefix, as rounding is, a value stands in its plain unit."""
    values = [[6.9e-21, "m"], [1.835e-13, "N"], [3e-9, "m"], [2.5e-12, "m"], [1478.0, "N"], [2e11, "Pa"], [0.0, "m"]]
    each = f"for (const [value, unit] of {json.dumps(values)}) console.log(quantity(value, unit));"
    script = f"import {{ quantity }} from './src/format.js'; {each}"
    said = subprocess.run(["node", "--input-type=module", "-e", script], cwd=built, capture_output=True, text=True)
    expected = ["6.900e−21 m", "1.835e−13 N", "3.000 nm", "0.002500 nm", "1.478 kN", "200.0 GPa", "0 m"]
    assert said.stdout.splitlines() == expected, said.stderr
