"""Settings shared by all tests, their selection (``--fast``, ``--all``), and times of files (``--times FILE``)."""

import gc
import os
import signal
import time
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from references.child_processes import Children
from references.child_processes import children as started_children
from references.fast_lane import fast_files

# No deadline: the first example may compile a kernel. Derandomised: every run tests the same examples.
settings.register_profile("pitchline", deadline=None, derandomize=True)
settings.load_profile("pitchline")


LONGEST_FIRST = (
    "unit/test_wheel.py",
    "unit/test_docs.py",
    "unit/test_gallery_files.py",
    "unit/test_compiled_once.py",
    "unit/test_extending.py",
    "browser/test_world.py",
    "unit/test_element_contract.py",
    "verification/test_gear_mesh_element.py",
    "verification/test_batch_kernels.py",
    "unit/test_studies_workers.py",
    "browser/test_served_page.py",
)
"""Files that take longest, which two processes start with: at the end of the run neither waits long for the other."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast",
        action="store_true",
        help="run only the fast tests: files in tests/fast_lane.txt, without the tests that are marked slow",
    )
    parser.addoption(
        "--all", action="store_true", dest="all_tests", help="run all tests, also those that are marked long"
    )
    parser.addoption("--times", default="", help="file for the processor times of the test files [s]")


def pytest_collection(session: pytest.Session) -> None:
    """Collection makes many objects that live as long as the run: a search for garbage among them only takes time."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()
    gc.enable()


_times: Counter[str] = Counter()
"""Processor time of each test file [s], with the processes that its tests started."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    begin = os.times()
    result = yield
    end = os.times()
    _times[item.nodeid.partition("::")[0]] += sum(end[:4]) - sum(begin[:4])
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    file = session.config.getoption("--times")
    if file and _times:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        lines = [f"{seconds:.2f}\t{name}\n" for name, seconds in _times.most_common()]
        Path(f"{file}{worker and '.' + worker}").write_text(
            f"{time.process_time():.2f}\tthis process\n" + "".join(lines), encoding="utf-8"
        )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of the other tests are not even imported: collecting all tests takes long."""
    if config.getoption("--fast") and collection_path.is_file():
        return True if collection_path not in fast_files() else None
    return None


def left_out(config: pytest.Config) -> tuple[str, ...]:
    """Markers of the tests that this run leaves out."""
    if config.getoption("--fast"):
        return ("slow", "long")
    return () if config.getoption("all_tests") else ("long",)


def pytest_report_header(config: pytest.Config) -> str:
    if config.getoption("--fast"):
        return "tests: the fast ones (make test-fast)"
    if config.getoption("all_tests"):
        return "tests: all (make test-all)"
    return "tests: all but those that are marked long (make test; make test-all runs them too)"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    first = {Path(__file__).parent / file: rank for rank, file in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: first.get(item.path, len(first)))
    markers = left_out(config)
    without = [item for item in items if any(item.get_closest_marker(marker) for marker in markers)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if item not in set(without)]


@pytest.fixture
def keyboard() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, as in a terminal, here and in processes that the test starts.

    A shell starts jobs in its background with SIGINT ignored, and so do some servers.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def children() -> Iterator[Children]:
    """Starts processes, like `subprocess.Popen`, that end with the test."""
    yield from started_children()
