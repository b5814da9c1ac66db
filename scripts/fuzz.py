"""Damage valid files in many ways and read them: every reader must succeed or raise an error of pitchline with a message.

python scripts/fuzz.py                       all readers, 10,000 mutations each, and 500 sessions with each kind of FMU
python scripts/fuzz.py rexs --count 500      one reader
python scripts/fuzz.py fmu-sessions          random calls of the functions of FMI 2 and 3, and processes that are ended
python scripts/fuzz.py rexs --first 4711 --count 1    repeat one mutation
"""

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from references.fmu_hosts import run_sessions
from references.fuzzed_readers import READERS
from references.mutations import survives

SESSIONS = "fmu-sessions"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "readers", nargs="*", metavar="READER", help=f"default: all of {', '.join([*READERS, SESSIONS])}"
    )
    parser.add_argument("--count", type=int, help="mutations for each reader (default: 10000), or sessions (500)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first mutation (default: 0)")
    given = parser.parse_args()
    unknown = [name for name in given.readers if name not in (*READERS, SESSIONS)]
    if unknown:
        parser.error(f"there is no reader {unknown[0]}; readers: {', '.join([*READERS, SESSIONS])}")
    warnings.simplefilter("ignore")
    failed = 0
    for name in given.readers or [*READERS, SESSIONS]:
        if name == SESSIONS:
            failed += not _sessions(given.first, given.count or 500)
        else:
            failed += not _fuzz(name, given.first, given.count or 10_000)
    return 1 if failed else 0


def _fuzz(name: str, first: int, count: int) -> bool:
    """Damage the files of one reader; whether all mutations ended as they must."""
    read, files = READERS[name]()
    start = time.monotonic()

    def progress(seed: int, _good: bool) -> None:
        if (seed - first + 1) % 1000 == 0:
            print(f"{name}: {seed - first + 1} of {count}", file=sys.stderr)

    with tempfile.TemporaryDirectory() as folder:
        try:
            fine = survives(read, files, range(first, first + count), Path(folder), on_seed=progress)
        except AssertionError as error:
            print(f"{name}: FAILED: {error}")
            return False
    seconds = time.monotonic() - start
    print(f"{name}: {count} mutations, {fine} read, {count - fine} refused with a message, {seconds:.0f} s")
    return True


def _sessions(first: int, count: int) -> bool:
    """Sessions with both kinds of FMU; whether all ended as they must."""
    fine = True
    for kind in ("self-contained", "python"):
        for version in (2, 3):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    text = run_sessions(Path(folder), kind=kind, version=version, first=first, count=count)
                except AssertionError as error:
                    fine, text = False, f"FAILED: {error}"
            print(f"{SESSIONS}: {kind}, FMI {version}, {count} sessions, {text}", flush=True)
    return fine


if __name__ == "__main__":
    sys.exit(main())
