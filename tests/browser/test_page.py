"""A page of one file in a real browser: what it shows, that it moves, that it asks nothing of the outside."""

from pathlib import Path

import numpy as np
import pytest

from pitchline.viewer import page_html, record_of


@pytest.fixture(scope="module")
def planetary(tmp_path_factory: pytest.TempPathFactory, open_page: object) -> object:
    from pitchline.gallery import model

    result = list(model("planetary").run().values())[-1]
    path = Path(tmp_path_factory.mktemp("page")) / "planetary.html"
    path.write_text(page_html([record_of(result)], "planetary"), "utf-8")
    return open_page(path)


def test_it_is_not_empty(planetary: object) -> None:
    picture = planetary.view(0.0)
    assert picture.var() > 500.0
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 200


def test_it_moves_and_returns_to_the_bit(planetary: object) -> None:
    first, later, again = planetary.view(0.0), planetary.view(0.15), planetary.view(0.0)
    assert np.abs(first - later).mean() > 0.5
    np.testing.assert_array_equal(first, again)


def test_it_asks_for_nothing_and_says_nothing(planetary: object) -> None:
    assert len(planetary.requests) == 1
    assert planetary.messages == []
