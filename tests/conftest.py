"""Settings shared by all tests, and the selection of the fast tests (``--fast``)."""

from pathlib import Path

import pytest
from hypothesis import settings
from references.fast_lane import fast_files

# No deadline: the first example may compile a kernel. Derandomised: every run tests the same examples.
settings.register_profile("pitchline", deadline=None, derandomize=True)
settings.load_profile("pitchline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast",
        action="store_true",
        help="run only the fast tests: files in tests/fast_lane.txt, without the tests that are marked slow",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of the other tests are not even imported: collecting all tests takes long."""
    if config.getoption("--fast") and collection_path.is_file():
        return True if collection_path not in fast_files() else None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--fast"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]
