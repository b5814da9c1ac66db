"""A wheel for machines like this one, with the machine code of the engine inside: ``make wheel``.

The code is compiled for a processor that all current machines have (see `pitchline.numerics.machine_code.machine_code`) and kept
with all other compiled code, so that the next build compiles what has changed. Needs hatchling.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build(folder: Path) -> Path:
    """Build the wheel into a folder; returns its file."""
    paths = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as place:
        shipped = Path(place) / "shipped.code"
        run = [sys.executable, "-m", "pitchline", "warm", "--ship", str(shipped)]
        subprocess.run(run, check=True, env=os.environ | {"PYTHONPATH": paths})
        run = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder.resolve())]
        subprocess.run(run, check=True, cwd=ROOT, env=os.environ | {"PITCHLINE_SHIPPED_CODE": str(shipped)})
    return max(folder.glob("pitchline-*.whl"), key=lambda file: file.stat().st_mtime)


if __name__ == "__main__":
    wheel = build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")
