"""Every command that the documentation and the help show is one that the program understands."""

import re
import shlex
from pathlib import Path

import pytest

from pitchline import cli, gallery
from pitchline.cli.program import build_parser

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = (
    "run", "sweep", "gallery", "import", "check", "gear", "ltca", "modes", "response", "campbell", "values", "tables", "compare",
    "export", "plot", "view", "info", "report", "completion",
)  # fmt: skip


def commands_of(text: str) -> list[list[str]]:
    """The arguments of each line that begins with `pitchline`; remarks, pipes and what follows && left out."""
    found = []
    for line in re.findall(r"^\s*(?:\w+:\s+)?pitchline (.*)$", text, re.MULTILINE):
        words = shlex.split(re.split(r"\s(?:&&|\||>)|\s{3,}", line)[0], comments=True)
        found.append(words)
    return found


def shown() -> list[list[str]]:
    commands = []
    for page in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            commands += commands_of(block)
    return commands


@pytest.mark.parametrize("words", shown(), ids=" ".join)
def test_commands_of_the_documentation_are_understood(words: list[str]) -> None:
    given = build_parser().parse_args(words)
    assert given.command is not None
    model = getattr(given, "model", None)
    if isinstance(model, str) and "." not in model:
        assert model in gallery.MODELS


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_the_help_are_understood(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main([name, "--help"])
    examples = commands_of(capsys.readouterr().out.partition("examples:\n")[2])
    assert len(examples) >= 2
    for words in examples:
        given = build_parser().parse_args(words)
        model = getattr(given, "model", None)
        if isinstance(model, str) and "." not in model:
            assert model in gallery.MODELS
