"""Keys of stored results hold the source code of their method."""

from pathlib import Path

import pytest

from pitchline.base.storage import stored_array


def test_a_change_of_the_code_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_array, "_PACKAGE", tmp_path)
    (tmp_path / "method" / "inner").mkdir(parents=True)
    source = tmp_path / "method" / "inner" / "sum.py"
    keys = set()
    for text in ("a + b", "a - b"):
        source.write_text(text, encoding="utf-8")
        stored_array.source_digest.cache_clear()
        keys.add(stored_array.source_digest("method"))
    stored_array.source_digest.cache_clear()
    assert len(keys) == 2


def test_a_folder_that_does_not_exist_is_an_error() -> None:
    """Otherwise a folder that was moved would leave old results valid."""
    with pytest.raises(ValueError, match='"elsewhere" is not a folder'):
        stored_array.source_digest("fem", "elsewhere")


def test_the_folders_of_all_keys_exist() -> None:
    from pitchline.parts.meshes.computed_table import _METHOD

    assert stored_array.source_digest(*_METHOD) != stored_array.source_digest("parts/flexible", "fem")
