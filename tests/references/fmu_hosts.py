"""Random sessions with FMUs of both kinds, each in a process of its own that a crash ends."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from references.native_fmus import STEP, pair

import pitchline as pl
from pitchline.exchange.fmi.instance import description_from_bytes

PROGRAM = Path(__file__).with_name("fmu_sessions.py")
OUTPUTS = ["mesh.normal_force", "first.angular_speed", "energy.kinetic"]
INPUTS = ["motor", "load"]


def run_sessions(folder: Path, *, kind: str, version: int, first: int, count: int) -> str:
    """Run sessions with the FMU of a gear pair. AssertionError, with the last lines, if the importing program fails or ends.

    kind: "python" or "self-contained"
    """
    place = folder / f"{kind}{version}"
    place.mkdir()
    made = pl.export_fmu(
        pair(), place / "pair.fmu", inputs=INPUTS, outputs=OUTPUTS, step=STEP, fmi_version=version,
        self_contained=kind == "self-contained",
    )  # fmt: skip
    with zipfile.ZipFile(made.path) as archive:
        archive.extractall(place)
    references = {c: [v.reference for v in made.variables if v.causality == c] for c in ("input", "output")}
    settings = {
        "library": str(next((place / "binaries").rglob("*.so"))), "version": version,
        "token": description_from_bytes(made.path.read_bytes(), "pair.fmu").token, "resources": str(place / "resources"),
        "inputs": references["input"], "outputs": references["output"], "first": first, "count": count,
        "kills": kind == "python",
    }  # fmt: skip
    (place / "settings.json").write_text(json.dumps(settings))
    command = [sys.executable, "-X", "faulthandler", str(PROGRAM), str(place / "settings.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, (
        f"{kind}, FMI {version}, seed {lines[-1:]}, status {done.returncode}: {done.stderr[-2000:]}"
    )
    return lines[-1]
