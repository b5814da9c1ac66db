"""The files of the fast tests, with the CPU time that was measured for each."""

from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
LIST = TESTS / "fast_lane.txt"


@cache
def fast_files() -> dict[Path, float]:
    """Files of the fast tests and their CPU times [s]. A line of the list: seconds, path below the folder of the tests."""
    lines = [
        line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    ]
    return {TESTS / path: float(seconds) for seconds, path in lines}
