"""Damage valid files in many ways and read them: every reader must succeed or raise an error of pitchline with a message.

python scripts/fuzz.py                       all readers, 10,000 mutations each
python scripts/fuzz.py rexs --count 500      one reader
python scripts/fuzz.py rexs --first 4711 --count 1    repeat one mutation
"""

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from references.fuzzed_readers import READERS
from references.mutations import survives


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"default: all of {', '.join(READERS)}")
    parser.add_argument("--count", type=int, default=10_000, help="mutations for each reader (default: 10000)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first mutation (default: 0)")
    given = parser.parse_args()
    unknown = [name for name in given.readers if name not in READERS]
    if unknown:
        parser.error(f"there is no reader {unknown[0]}; readers: {', '.join(READERS)}")
    warnings.simplefilter("ignore")
    failed = 0
    for name in given.readers or READERS:
        failed += not _fuzz(name, given.first, given.count)
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


if __name__ == "__main__":
    sys.exit(main())
