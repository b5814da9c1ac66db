"""Run the fast tests with every installed Python that the package supports: ``make test-pythons``.

Each version has a virtual environment of its own, for example `.venv-3.12`. Interpreters are found on the PATH and in
~/.pyenv/versions. A version that is not installed is skipped and named. Arguments: versions such as ``3.13``; all by default.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = os.environ | {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}


def supported() -> list[str]:
    """Versions in the classifiers of pyproject.toml, e.g. ["3.11", "3.12"]."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each) for each in project["classifiers"])
    return [match[1] for match in found if match]


def interpreter(version: str) -> str | None:
    """An interpreter of this version that runs, or None."""
    own = [path / "bin" / "python" for path in sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*"))]
    for candidate in (shutil.which(f"python{version}"), *map(str, reversed(own))):
        if candidate is None or not Path(candidate).exists():
            continue
        shown = subprocess.run([candidate, "--version"], capture_output=True, text=True)
        if shown.returncode == 0 and shown.stdout.startswith(f"Python {version}."):
            return candidate
    return None


def environment(version: str, python: str) -> str:
    """The interpreter of the virtual environment of this version, which is filled again if pyproject.toml is newer."""
    folder = ROOT / f".venv-{version}"
    own, stamp, project = folder / "bin" / "python", folder / ".test", ROOT / "pyproject.toml"
    if not own.exists():
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
    if not stamp.exists() or stamp.stat().st_mtime < project.stat().st_mtime:
        subprocess.run([own, "-m", "pip", "install", "--quiet", "--editable", ".[test]"], check=True, cwd=ROOT)
        stamp.touch()
    return str(own)


def tested(version: str) -> str:
    """Run the fast tests; returns one line about the result."""
    python = interpreter(version)
    if python is None:
        return "not installed, skipped"
    own = environment(version, python)
    subprocess.run([own, "-m", "pitchline", "warm"], check=True, cwd=ROOT, env=ENVIRONMENT)
    start = time.perf_counter()
    run = subprocess.run([own, "-m", "pytest", "-q", "-n", "2", "--fast"], cwd=ROOT, env=ENVIRONMENT)
    return f"{'passed' if run.returncode == 0 else 'FAILED'} in {time.perf_counter() - start:.0f} s"


def main(versions: list[str]) -> int:
    if unknown := set(versions) - set(supported()):
        print(f"not a supported version: {', '.join(sorted(unknown))}. Supported: {', '.join(supported())}")
        return 1
    lines = {version: tested(version) for version in versions or supported()}
    for version, line in lines.items():
        print(f"Python {version}: {line}")
    return int(any(line.startswith("FAILED") for line in lines.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
