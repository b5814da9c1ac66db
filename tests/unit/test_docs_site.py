"""The documentation as a site: no request to the network, all pages reachable, pictures where pages draw, short guides."""

import ast
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
GUIDES = sorted((DOCS / "howto").glob("*.md"))
PICTURE = re.compile(r"path=\"[\w/]+\.(?:png|svg)\"")
SHOWN = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
EXTERNAL = re.compile(r"(?:https?:)?//[\w.-]+\.\w+")


def without_code(page: Path) -> list[str]:
    """Lines of a page that are neither code nor empty."""
    text = re.sub(r"^(```|:::).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [line for line in text.splitlines() if line.strip()]


def test_pages_need_no_network() -> None:
    """The configuration and the files of the pages name no other host."""
    conf = ast.parse((DOCS / "conf.py").read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(conf) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert not [text for text in texts if EXTERNAL.search(text)]
    values = {
        node.targets[0].id: node.value
        for node in conf.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert "mathjax_path" in values  # the default is a script on another host
    for file in (DOCS / "_static").iterdir():
        assert not EXTERNAL.search(file.read_text(encoding="utf-8")), file.name
    for page in DOCS.rglob("*.md"):
        if "_build" not in page.parts:
            loaded = re.findall(r"<(?:script|link|img|iframe)[^>]+", page.read_text(encoding="utf-8"))
            assert not [tag for tag in loaded if EXTERNAL.search(tag)], page.name


@pytest.mark.parametrize("folder", ["tutorials", "howto"])
def test_every_page_is_in_the_contents(folder: str) -> None:
    index = (DOCS / folder / "index.md").read_text(encoding="utf-8")
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```$", index, re.MULTILINE | re.DOTALL)
    listed = [line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")]
    assert sorted(listed) == sorted({page.stem for page in (DOCS / folder).glob("*.md")} - {"index"})


@pytest.mark.parametrize("page", [*TUTORIALS, *GUIDES], ids=lambda page: f"{page.parent.name}/{page.name}")
def test_pages_that_draw_show_a_picture(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if PICTURE.search(text):
        assert SHOWN.search(text), f"{page.name} writes a picture and shows none"


@pytest.mark.parametrize("page", [page for page in TUTORIALS if page.stem != "index"], ids=lambda page: page.name)
def test_a_tutorial_has_several_pictures(page: Path) -> None:
    shown = SHOWN.findall(page.read_text(encoding="utf-8"))
    assert len(shown) >= (1 if page.stem == "python_and_files" else 2)


def test_pictures_of_the_pages_are_small() -> None:
    for page in (*TUTORIALS, *GUIDES):
        for name in SHOWN.findall(page.read_text(encoding="utf-8")):
            assert (page.parent / name).stat().st_size < 150_000, name


@pytest.mark.parametrize("page", [page for page in GUIDES if page.stem != "index"], ids=lambda page: page.name)
def test_a_guide_is_short(page: Path) -> None:
    assert len(without_code(page)) <= 60


def test_terms_of_the_glossary_are_sorted_and_unique() -> None:
    text = (DOCS / "concepts" / "glossary.md").read_text(encoding="utf-8")
    terms = [line for line in text.partition(":::{glossary}")[2].splitlines() if re.match(r"[A-Za-z]", line)]
    assert 60 <= len(terms) == len({term.lower() for term in terms})
    assert terms == sorted(terms, key=str.lower)
