"""Campbell diagram of the stepped rotor of the gallery, side by side with ROSS.

Same rotor (Nelson and McVaugh 1976 with shear), same speeds, one thread. The error is that of the bending frequencies at the
highest speed against transfer matrices of the continuous shaft. ROSS has consistent masses: it is run with one element a section
and with as many as the accuracy of pitchline needs. It is looked for where $ROSS_PYTHON points, or in the environment of this bench
(pip install ross-rotordynamics); without it its rows are missing, and that is said.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

SPEEDS = np.linspace(0.0, 100_000.0, 21) * np.pi / 30  # rad/s
EXACT = np.array([11446.30, 21018.20, 43288.92, 50384.24, 59441.67, 95494.46])
"""Six lowest bending frequencies at the highest speed [rpm], of the continuous shaft."""
RPM = 30 / np.pi
ELEMENTS, ROSS_CUTS = (4, 12, 18), (1, 3)
"""Elements at least; elements a section, of which there are eighteen."""


def bench(repeats: int) -> None:
    """Print the table."""
    print(f"\nCampbell diagram of the stepped rotor, {len(SPEEDS)} speeds up to 100,000 rpm")
    print(f"{'code':<28}{'coordinates':>12}{'build':>12}{'diagram':>12}{'worst error of 6 frequencies':>32}")
    for elements in ELEMENTS:
        _row(*_pitchline(elements, repeats))
    for cuts in ROSS_CUTS:
        said = _ross(cuts, repeats)
        if said is None:
            print("ROSS: not installed, left out (pip install ross-rotordynamics, or ROSS_PYTHON=its python)")
            break
        found = np.array(said["last"]) * RPM
        bending = np.array([found[np.argmin(np.abs(found - exact))] for exact in EXACT])
        _row(f"ROSS {said['version']}, {18 * cuts} elements", said["coordinates"], said["build"], said["time"], bending)


def _row(name: str, coordinates: int, build: float, wall: float, bending: np.ndarray) -> None:
    print(f"{name:<28}{coordinates:>12}{1e3 * build:>9.0f} ms{1e3 * wall:>9.0f} ms{_error(bending):>32.1e}")


def _pitchline(elements: int, repeats: int) -> tuple[str, int, float, float, np.ndarray]:
    import pitchline as pl
    from pitchline import gallery

    file = gallery.model("stepped-rotor", elements=elements, speed=0)
    pl.campbell(file.build(), "rotor", SPEEDS[:2], orders={}, highest="1.6 kHz")
    builds, times = [], []
    for _ in range(repeats):
        began = time.perf_counter()
        model = file.build()
        built = time.perf_counter()
        found = pl.campbell(model, "rotor", SPEEDS, orders={}, highest="1.6 kHz")
        builds.append(built - began)
        times.append(time.perf_counter() - built)
    bending = np.sort(found.frequencies[-1, np.abs(found.whirl[-1]) > 0.5]) * 60
    return (
        f"pitchline, {len(model.shafts['rotor'].segments)} elements",
        6 * len(model.bodies),
        min(builds),
        min(times),
        bending,
    )


def _error(found: np.ndarray) -> float:
    return float(np.max(np.abs(found[: len(EXACT)] / EXACT - 1)))


def _ross(cuts: int, repeats: int) -> dict[str, Any] | None:
    """What ROSS says, in a process of its own; None where it is not installed."""
    from pitchline import gallery

    python = os.environ.get("ROSS_PYTHON", sys.executable)
    look = "import importlib.util as u, sys; sys.exit(u.find_spec('ross') is None)"
    if subprocess.run([python, "-c", look], check=False).returncode:
        return None
    shaft = gallery.model("stepped-rotor").build().shafts["rotor"]
    given = {
        "sections": [[s.length, s.outer, s.inner] for s in shaft.sections],
        "cuts": cuts,
        "speeds": SPEEDS.tolist(),
        "repeats": repeats,
    }
    script = Path(__file__).with_name("ross_rotor.py")
    done = subprocess.run([python, str(script), json.dumps(given)], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    bench(3)
