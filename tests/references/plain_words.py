"""Words that the texts of pitchline do not use, with what is written instead, and where texts are found.

Texts are the documentation, docstrings, string constants of the package (messages, descriptions, reports), comments of
shipped model files and the strings of the viewer. From the root of the project,

    python tests/references/plain_words.py src/pitchline/model docs/howto

lists what is found below these paths.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

UNUSED = {
    r"say|says|said|saying": "specify, state, give, report, print, show",
    r"tells?|told|speaks?|spoke|spoken": "state, report, show, name",
    r"knows": "has, contains, is known",
    r"anew": "again",
    r"alone": "only",
    r"beside": "next to, compared with, in addition to",
    r"likewise": "also, in the same way",
    r"at hand": "available",
    r"rooms?": "space, memory, package",
    r"affairs?|journey|doors?|walks?|walked|firm ground|ways? back": "plain technical words",
    r"feels?|felt": "takes ... into account, responds to, is subject to",
    r"findings?": "results, figures",
    r"things?": "the name of the item",
    r"words?": "text, name, term, description",
    r"wants?|wanted": "requires, requested",
    r"held against|holds? (it|them|these|this) against": "compared with",
    r"(?<!there )is no (?!longer|more|less|larger|smaller|greater|higher|lower|better|worse)": "is not a",
    r"(?<!there )are no (?!longer|more|less|larger|smaller|greater|higher|lower|better|worse)": "are not",
    r"stands?(?! for| in for|-)|stood": "is, is located, is written",
    r"some \d+": "about",
    r"right to (?=[\d.]+|some|about|the last)": "accurate to",
    r"dies (out|away)|die (out|away)|died (out|away)": "decays",
    r"let (it|them|its)": "use, set, choose",
    r"no use": "not useful, has no effect",
    r"comes? to light|brought to light": "becomes visible",
    r"own accord|of course|thus far": "(leave out)",
}
"""Pattern of words, without regard to case, and what to write instead."""

_PATTERN = re.compile("|".join(rf"(?P<p{i}>\b(?:{words})\b)" for i, words in enumerate(UNUSED)), re.IGNORECASE)
_CODE_SPAN = re.compile(r"``[^`]*``|`[^`\n]*`|\]\([^)]*\)")
_JS_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`")

_JS_VALUE = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")


def unused_words(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, the word that was found and what to write instead; names in backquotes and targets of links are not read."""
    for number, line in enumerate(text.splitlines()):
        for match in _PATTERN.finditer(_CODE_SPAN.sub("``", line)):
            index = int(match.lastgroup[1:]) if match.lastgroup else 0
            yield number, match[0], list(UNUSED.values())[index]


def markdown_texts(file: Path) -> Iterator[tuple[int, str]]:
    """A page without its code blocks, as one text of the same lines."""
    lines, code = [], False
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            code = not code if not line.lstrip().startswith("```{") or code else _is_code(line)
            lines.append("")
        else:
            lines.append("" if code else line)
    yield 1, "\n".join(lines)


def _is_code(fence: str) -> bool:
    return fence.lstrip().startswith(("```{code", "```{eval", "```{raw", "```{toctree", "```{literal", "```{math"))


def python_texts(file: Path) -> Iterator[tuple[int, str]]:
    """Docstrings and string constants with their first lines; short identifiers are not texts."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def toml_texts(file: Path) -> Iterator[tuple[int, str]]:
    """Comments and descriptions of a model file."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        described = re.match(r"\s*(?:description|name|title) = (.*)", line)
        comment = re.search(r"(?:^|\s)#\s(.*)", line)
        for match in (described, comment):
            if match:
                yield number, match[1]


def javascript_texts(file: Path) -> Iterator[tuple[int, str]]:
    """Strings of the viewer that have more than one word."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        for match in _JS_STRING.finditer(line):
            text = _JS_VALUE.sub("", match[0][1:-1])  # values in a text are code
            if " " in text:
                yield number, text


READERS = {".md": markdown_texts, ".py": python_texts, ".toml": toml_texts, ".js": javascript_texts}


def text_files(root: Path = ROOT) -> list[Path]:
    """All files whose texts users read."""
    found = list(root.glob("*.md"))
    for folder, patterns in (("docs", ("*.md",)), ("src/pitchline", ("*.py", "*.toml")), ("viewer/src", ("*.js",))):
        found += [file for pattern in patterns for file in (root / folder).rglob(pattern)]
    return sorted(file for file in found if "_build" not in file.parts and "dist" not in file.parts)


def report(file: Path) -> list[str]:
    """One line for each unused word of a file."""
    return [
        f'{file.relative_to(ROOT).as_posix()}:{first + line}: "{word}"; write: {instead}'
        for first, text in READERS[file.suffix](file)
        for line, word, instead in unused_words(text)
    ]


if __name__ == "__main__":
    chosen = [Path(each).resolve() for each in sys.argv[1:]] or [ROOT]
    for each in text_files():
        if any(each.is_relative_to(path) for path in chosen):
            print(*report(each), sep="\n", end="\n" if report(each) else "")
