"""Texts are plain engineering English: words of a list are not used in documentation, docstrings and messages."""

from pathlib import Path

import pytest
from references import plain_words


@pytest.mark.parametrize(
    "file", plain_words.text_files(), ids=lambda file: file.relative_to(plain_words.ROOT).as_posix()
)
def test_texts_use_plain_words(file: Path) -> None:
    assert plain_words.report(file) == []


@pytest.mark.parametrize(
    "text, found",
    [
        ("The file says which", ["says"]),
        ("`what it says` in [a page](say.md)", []),
        ("it is no number, there is no number, it is no longer a number", ["is no "]),
        ("right to 3 %, to the right", ["right to "]),
        ("stands for a body; the body stands here", ["stands"]),
        ("some 15 %", ["some 15"]),
    ],
)
def test_unused_words_are_found(text: str, found: list[str]) -> None:
    assert [word for _, word, _ in plain_words.unused_words(text)] == found
