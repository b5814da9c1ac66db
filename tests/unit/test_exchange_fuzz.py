"""Damaged files of other programs: each reader ends in a result or in an error of pitchline. `scripts/fuzz.py` does more."""

import warnings
from pathlib import Path

import pytest
from references.fuzzed_readers import READERS
from references.mutations import mutated, survives

from pitchline.errors import PitchlineError

MUTATIONS = 120
FEWER = {"step": 25}
"""Readers that take long: the CAD kernel crashes on one of eight damaged files, and its process starts again."""


def test_a_seed_always_gives_the_same_mutation_and_seeds_differ() -> None:
    data = b'<a b="12.5">text</a>\n' * 20
    assert mutated(7, data) == mutated(7, data)
    assert len({mutated(seed, data) for seed in range(100)}) > 90


def test_another_error_is_reported_with_its_seed(tmp_path: Path) -> None:
    def bad(path: Path) -> None:
        raise KeyError("x")

    with pytest.raises(AssertionError, match=r"seed 3 of a\.txt: KeyError"):
        survives(bad, [("a.txt", b"1")], [3], tmp_path)


def test_an_error_without_a_message_is_reported(tmp_path: Path) -> None:
    def bad(path: Path) -> None:
        raise PitchlineError("")

    with pytest.raises(AssertionError, match="no message"):
        survives(bad, [("a.txt", b"1")], [0], tmp_path)


@pytest.mark.parametrize("name", sorted(READERS))
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    read, files = READERS[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        survives(read, files, range(FEWER.get(name, MUTATIONS)), tmp_path)
