"""The documentation is true: its code runs, its outputs are what is printed, its links and names exist.

Every page with Python blocks is run as one script, block after block, in a folder of its own. A block marked `text` that
follows a Python block is what that block prints; ``...`` in it stands for anything. A code block with a caption is a file
of that name in the folder.
"""

import contextlib
import doctest
import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FOLDERS = (
    "tutorials",
    "howto",
    "concepts",
    "reference",
    "reference/api",
    "gallery",
    "validation",
    "papers",
    "extending",
)
PAGES = [
    ROOT / "README.md",
    DOCS / "index.md",
    *(page for folder in FOLDERS for page in sorted((DOCS / folder).glob("*.md"))),
]
ALL_PAGES = sorted(
    {*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")}
    - set((DOCS / "_build").rglob("*.md"))
)

FENCE = re.compile(r"^```(\S*)")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@dataclass
class Block:
    language: str
    line: int
    """Number of the line before its first line."""
    text: str


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page in their order."""
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    start, language = -1, ""
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if start < 0 and fence:
            start, language = number + 1, fence[1]
        elif start >= 0 and line.rstrip() == "```":
            yield Block(language, start, "".join(lines[start:number]))
            start = -1
    assert start < 0, f"{page}: a block is not closed"


def files_of(page: Path) -> dict[str, str]:
    """Code blocks with a caption: names of files, and what they hold."""
    found = {}
    for block in blocks_of(page):
        head, _, text = block.text.partition("\n\n")
        if block.language == "{code-block}" and head.startswith(":caption: "):
            found[head.removeprefix(":caption: ")] = text
    return found


def python_pages() -> list[Path]:
    return [page for page in PAGES if any(block.language == "python" for block in blocks_of(page))]


def run_page(page: Path, folder: Path) -> list[tuple[Block, str]]:
    """Run the Python blocks of a page; returns each with what it printed."""
    # a file with the code on the lines where the page has it: tracebacks point into the page, and sources are found
    script = folder / f"{page.stem}.py"
    blocks = [block for block in blocks_of(page) if block.language == "python"]
    lines = [""] * (max(block.line + block.text.count("\n") for block in blocks) + 1)
    for block in blocks:
        lines[block.line : block.line + block.text.count("\n")] = block.text.splitlines()
    script.write_text("\n".join(lines), encoding="utf-8")
    names = {"__name__": page.stem, "__file__": str(script)}
    printed = []
    for block in blocks:
        code = compile("\n" * block.line + block.text, str(script), "exec")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        printed.append((block, out.getvalue()))
    return printed


def expected_after(page: Path) -> dict[int, Block]:
    """Line of a Python block -> the `text` block that follows it directly."""
    blocks = list(blocks_of(page))
    return {
        first.line: second
        for first, second in itertools.pairwise(blocks)
        if first.language == "python" and second.language == "text"
    }


LONG_PAGES = (
    "howto/batch.md", "howto/branches.md", "howto/draw_states_and_modes.md", "howto/spiral_bevel_points.md",
    "howto/studies_in_files.md", "reference/api/views.md", "tutorials/gearbox.md",
)  # fmt: skip
"""Pages whose code takes many seconds: it runs with all tests (`make test-all`)."""


def cost(page: Path) -> Any:
    name = str(page.relative_to(ROOT))
    long = name.removeprefix("docs/") in LONG_PAGES
    return pytest.param(page, id=name, marks=pytest.mark.long if long else ())


def test_long_pages_exist() -> None:
    assert {DOCS / name for name in LONG_PAGES} <= set(python_pages())


@pytest.mark.parametrize("page", [cost(page) for page in python_pages()])
def test_code_runs_and_prints_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in files_of(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    expected = expected_after(page)
    checker, flags = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    script = tmp_path / "script"  # not where files of the page are imported from
    script.mkdir()
    for block, printed in run_page(page, script):
        wanted = expected[block.line].text if block.line in expected else ""
        assert checker.check_output(wanted, printed, flags), f"{page}, line {block.line}: printed\n{printed}"


def test_the_example_of_the_readme_runs_again_in_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "script"
    script.mkdir()
    for _ in range(2):
        run_page(ROOT / "README.md", script)
    assert (tmp_path / "resonance.png").exists() and (tmp_path / "pair.html").exists()


def test_the_example_of_the_readme_is_short() -> None:
    (example,) = [block for block in blocks_of(ROOT / "README.md") if block.language == "python"]
    assert example.text.count("\n") <= 14
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 60


def test_the_picture_of_the_readme_is_small() -> None:
    picture = DOCS / "images" / "demo.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert picture.stat().st_size < 150_000


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_commands_of_the_page_are_targets(page: str) -> None:
    targets = re.findall(r"^([\w-]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"\bmake (?:[A-Z]+=\S+ )?([a-z-]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert {"demo", "test"} <= set(named) <= set(targets)


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {target}"
        if anchor and file.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, f"{page.name}: {target}"


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and myst make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def test_pages_keep_to_the_line_length() -> None:
    """Apart from tables, which cannot be broken, and what programs print."""
    for page in ALL_PAGES:
        printed = {
            n for b in blocks_of(page) if b.language == "text" for n in range(b.line, b.line + b.text.count("\n"))
        }
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
            free = line.startswith(("|", "![")) or number in printed
            assert free or len(line) <= 120, f"{page.name}, line {number + 1}: {len(line)} characters"
