"""Cards and descriptions of the gallery in the documentation, made from the models."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pitchline import gallery

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for folder in (DOCS, DOCS / "figures"):
        monkeypatch.syspath_prepend(str(folder))
    import gallery_pages

    yield gallery_pages
    for name in ("gallery_pages", "live_pages", "gallery_thumbnails"):
        sys.modules.pop(name, None)


def test_every_model_has_one_place(pages: ModuleType) -> None:
    listed = [name for names in pages.GROUPS.values() for family in names for name in family.split()]
    assert sorted(listed) == sorted(gallery.MODELS)


def test_cards_and_sections_show_all_models(pages: ModuleType) -> None:
    cards, models = pages.cards(), pages.models()
    for name in gallery.MODELS:
        assert f'href="models.html#{name}"' in cards
        assert f"### {name}\n" in models
        assert f"pitchline run {name} -o out" in models


def test_a_section_has_description_parameters_and_figures(pages: ModuleType) -> None:
    text = "\n".join(pages.section("bevel-pair", "bevel-pair"))
    assert "normal_module" in text or "Cardona" in text
    assert "```toml\nangle" in text or 'angle = "' in text
    assert "| `mesh.normal_force` |" in text


@pytest.mark.parametrize("page", ["index", "models"])
def test_the_marker_of_a_page_is_replaced(pages: ModuleType, page: str) -> None:
    source = [(DOCS / "gallery" / f"{page}.md").read_text(encoding="utf-8")]
    assert "<!-- gallery" in source[0]
    pages.fill_in(None, f"gallery/{page}", source)
    assert "<!-- gallery" not in source[0]


def test_thumbnails_have_the_size_of_a_card(pages: ModuleType, tmp_path: Path) -> None:
    from gallery_thumbnails import HEIGHT, WIDTH, write_all

    write_all(tmp_path, ["rotor"])
    image = plt.imread(tmp_path / "rotor.png")
    assert image.shape[:2] == (HEIGHT, WIDTH)
    inked = np.mean(np.min(image[:, :, :3], axis=2) < 0.99)
    assert 0.03 < inked < 0.9
