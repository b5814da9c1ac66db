"""Robot descriptions of the package example-robot-data; tests are skipped, with the reason, if it is not installed."""

import sys
from pathlib import Path

import pytest


def robot_file(name: str) -> Path:
    """Path of a file of the package, such as "panda_description/urdf/panda.urdf"."""
    for folder in map(Path, sys.path):
        path = folder / "cmeel.prefix" / "share" / "example-robot-data" / "robots" / name
        if path.is_file():
            return path
    pytest.skip("example-robot-data is not installed")
