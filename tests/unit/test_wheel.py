"""A wheel with machine code: installed elsewhere, with nothing compiled before, it compiles nothing and gives the same bits."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import pitchline
from pitchline.numerics.machine_code.machine_code import baseline, missing_features

ROOT = Path(__file__).parents[2]
CODE = "pitchline/numerics/machine_code/shipped.code"
RUN = """
import hashlib
import pitchline as pl
from pitchline import gallery
for case in "cd":  # wheels on hinges, in space on flexible supports
    run = pl.dynamics(gallery.model(f"kubo-{case}").build(), duration="2 ms", step="2 us")
    signals = b"".join(run[name].values.tobytes() for name in run.names())
    print(hashlib.sha256(signals).hexdigest(), len(signals))
from pitchline.numerics.machine_code.compiled import FUNCTIONS
print(sum(len(f.overloads) for f in FUNCTIONS) > 10, sum(sum(f.stats.cache_misses.values()) for f in FUNCTIONS), pl.__file__)
"""


def in_a_process(code: str, **environment: str) -> list[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    run = subprocess.run(
        [sys.executable, "-c", code], env=plain | environment, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == "" or "compiling" in run.stderr
    return run.stdout.splitlines()


@pytest.mark.skipif(
    baseline() is None or bool(missing_features()), reason="this processor is not one that wheels are built for"
)
def test_a_wheel_runs_elsewhere_without_compiling_anything(tmp_path: Path) -> None:
    built, installed, cache = tmp_path / "dist", tmp_path / "elsewhere", tmp_path / "cache"
    subprocess.run([sys.executable, str(ROOT / "scripts" / "build_wheel.py"), str(built)], check=True, timeout=600)
    (wheel,) = built.iterdir()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.split("-", 2)[2].startswith(f"{python}-{python}")
    assert wheel.name.endswith(sysconfig.get_platform().replace("-", "_").replace(".", "_") + ".whl")
    assert CODE in zipfile.ZipFile(wheel).namelist()
    install = [
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-compile",
        "--target",
        str(installed),
        str(wheel),
    ]
    subprocess.run([sys.executable, "-m", *install], check=True)
    shipped = in_a_process(RUN, PYTHONPATH=str(installed), PITCHLINE_CACHE_DIR=str(cache))
    assert shipped[-1] == f"True 0 {installed / 'pitchline' / '__init__.py'}"
    assert not cache.exists()
    here = in_a_process(RUN, PYTHONPATH=str(Path(pitchline.__file__).parents[1]))  # compiled for this processor
    assert shipped[:-1] == here[:-1] and len(here) == 3


def test_an_installation_from_sources_compiles_nothing_and_is_for_all_machines(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PITCHLINE_SHIPPED_CODE"}
    environment["PITCHLINE_CACHE_DIR"] = str(tmp_path / "cache")
    line = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "dist")]
    subprocess.run(line, check=True, cwd=ROOT, env=environment, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert CODE not in names
    models = [path.name for path in (ROOT / "src" / "pitchline" / "gallery" / "models").iterdir()]
    assert models and {f"pitchline/gallery/models/{name}" for name in models} <= set(names)
    assert not (tmp_path / "cache").exists()
