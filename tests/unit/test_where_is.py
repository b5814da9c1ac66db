"""The pages "How it is built" and "Where is ...?": files, functions and folders that they name are in the package."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pitchline"
BUILT, WHERE = (ROOT / "docs" / "extending" / name for name in ("how_it_is_built.md", "where_is.md"))

ROW = re.compile(r"^\| (?P<what>.+?) \| `(?P<file>[\w/]+\.py)` \| `(?P<name>\w+)` \|$", re.MULTILINE)
FOLDER = re.compile(r"^\| `(?P<folder>[\w/]+|\.)` \| \S.* \|$", re.MULTILINE)
PLACE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+)`")


def section(page: Path, title: str) -> str:
    """Text of a page between a title of the second level and the next one."""
    return page.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


def defined_in(file: Path) -> set[str]:
    """Functions and classes at the top level of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("page", [BUILT, WHERE], ids=lambda page: page.stem)
def test_named_functions_are_in_their_files(page: Path) -> None:
    rows = [match.groupdict() for match in ROW.finditer(page.read_text(encoding="utf-8"))]
    assert rows
    missing = [
        f"{row['what']}: {row['file']} has no {row['name']}"
        for row in rows
        if not (SOURCE / row["file"]).is_file() or row["name"] not in defined_in(SOURCE / row["file"])
    ]
    assert missing == []


@pytest.mark.parametrize("page", [BUILT, WHERE], ids=lambda page: page.stem)
def test_named_places_exist(page: Path) -> None:
    places = set(PLACE.findall(page.read_text(encoding="utf-8")))
    assert places
    assert [place for place in sorted(places) if not ((SOURCE / place).exists() or (ROOT / place).exists())] == []


def test_there_are_thirty_questions() -> None:
    questions = [match["what"] for match in ROW.finditer(WHERE.read_text(encoding="utf-8"))]
    assert len(questions) == len(set(questions)) >= 30
    assert [text for text in questions if not text.startswith("Where ") or not text.endswith("?")] == []


def test_every_folder_with_code_has_a_line_in_the_tree() -> None:
    listed = [match["folder"] for match in FOLDER.finditer(section(BUILT, "The tree"))]
    folders = {file.parent.relative_to(SOURCE).as_posix() for file in SOURCE.rglob("*.py")}
    assert sorted(listed) == sorted(folders)


def test_every_role_of_a_file_name_is_used() -> None:
    names = re.findall(r"`([\w*]+\.py)`", section(BUILT, "Names of files").partition("\n\nOther files")[0])
    assert [name for name in names if not list((SOURCE / "parts").rglob(name))] == []
