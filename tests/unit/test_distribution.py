"""The source archive and the wheel: their contents, and the installed package in an empty environment.

The environment has nothing but the wheel. The packages that pitchline needs are read from the environment of the tests, so
nothing is downloaded.
"""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import numpy
import pytest

import pitchline

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pitchline"
NAME = f"pitchline-{pitchline.__version__}"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"

STATICS = """
import pitchline as pl
m = pl.Model("rod on a spring", gravity=(0, 0, "-10 m/s^2"))
rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="2 kg"), position=("0.5 m", 0, 0))
hinge = m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
m.torsion_spring("spring", hinge, stiffness="1 kN m/rad")
found = pl.statics(m)
print(found.version, found.status.name, abs(found["hinge.force"].values[0, 2]).round(9))
"""


def build(folder: Path, target: str, into: Path) -> Path:
    """Build with the backend that pyproject.toml names; returns the file."""
    environment = {name: value for name, value in os.environ.items() if name != "PITCHLINE_SHIPPED_CODE"}
    line = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    subprocess.run(line, check=True, cwd=folder, env=environment, capture_output=True, timeout=300)
    (made,) = into.iterdir()
    return made


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source archive, as an installer does."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return build(folder / NAME, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty virtual environment with the wheel installed; its folder of programs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    programs = folder / SCRIPTS
    line = ["--python", str(programs / "python"), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *line], check=True, timeout=300)
    (packages,) = {path.parent for path in folder.rglob("pitchline") if (path / "__init__.py").is_file()}
    (packages / "needed.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n", encoding="utf-8")
    return programs


def output(line: list[str], folder: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA_"))}
    run = subprocess.run(line, cwd=folder, env=clean, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_archive_has_sources_tests_and_documentation(archive: Path) -> None:
    with tarfile.open(archive) as packed:
        names = {name.removeprefix(f"{NAME}/") for name in packed.getnames()}
    assert archive.name == f"{NAME}.tar.gz"
    assert {
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "CITATION.cff",
        "Makefile",
        "pyproject.toml",
    } <= names
    assert {"hatch_build.py", "scripts/build_wheel.py", "docs/conf.py", "bench/run.py", "viewer/package.json"} <= names
    assert "tests/unit/test_distribution.py" in names
    sources = {path.relative_to(ROOT).as_posix() for path in SOURCE.rglob("*.py")}
    assert sources <= names
    assert [name for name in names if name.startswith((".venv", "out/", "docs/_build", "viewer/node_modules"))] == []
    assert [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".code"))] == []


def test_the_wheel_has_the_package_and_nothing_else(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel)
    names = set(packed.namelist())
    assert wheel.name == f"{NAME}-py3-none-any.whl"
    assert {name.split("/")[0] for name in names} == {"pitchline", f"{NAME}.dist-info"}
    assert {"pitchline/py.typed", "pitchline/files/schema.json", f"{NAME}.dist-info/licenses/LICENSE"} <= names
    for folder, ending in (("", "*.py"), ("gallery/models", "*"), ("viewer/dist", "*")):
        files = [path for path in (SOURCE / folder).rglob(ending) if path.is_file() and "__pycache__" not in path.parts]
        assert files and {f"pitchline/{path.relative_to(SOURCE).as_posix()}" for path in files} <= names
    about = Parser().parsestr(packed.read(f"{NAME}.dist-info/METADATA").decode())
    assert about["Version"] == pitchline.__version__
    assert about["Requires-Python"] == ">=3.11"
    assert "Typing :: Typed" in about.get_all("Classifier", [])
    assert any(each.startswith("numba<") for each in about.get_all("Requires-Dist", []))


def test_the_installed_package_runs_in_an_empty_environment(environment: Path, tmp_path: Path) -> None:
    python, program = str(environment / "python"), str(environment / "pitchline")
    code = "import pitchline; print(pitchline.__version__, pitchline.__file__)"
    version, file = output([python, "-c", code], tmp_path).split()
    assert version == pitchline.__version__
    assert Path(file).is_relative_to(environment.parent)
    assert output([program, "--version"], tmp_path) == f"pitchline {version}\n"
    assert len(output([program, "gallery"], tmp_path).splitlines()) >= 50
    assert output([python, "-c", STATICS], tmp_path) == f"{version} COMPLETED 20.0\n"
