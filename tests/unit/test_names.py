"""Sizes and names over the tree: short files, few arguments, one name for one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pitchline"
FOLDERS = ("src", "tests", "bench")

MOST_LINES = 700
MOST_ARGUMENTS = 12
CALLED_BY_OTHERS = {"bench/kubo_exudyn.py": {"force"}}
"""Functions that other libraries call: Exudyn counts the arguments of its user functions."""

VAGUE_MODULES = {"keeper", "mesh_door", "plain", "rebuilt", "saying", "shelf", "subject", "working"}
"""Names of modules that do not tell their subject."""


def python_files() -> list[Path]:
    return sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))


def named(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


SIGNATURE = re.compile(r"\bdef \w+\((.*?)\)\s*(?:->|:)", re.DOTALL)


def may_be_wide(text: str) -> bool:
    """Whether a signature has as many commas: only then the file is parsed, which takes long for all of them."""
    return any(signature.count(",") >= MOST_ARGUMENTS for signature in SIGNATURE.findall(text))


def wide_functions(tree: ast.AST) -> Iterator[str]:
    """Functions with too many positional parameters, `self` and `cls` aside."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
            if len(parameters) - (parameters[:1] in (["self"], ["cls"])) > MOST_ARGUMENTS:
                yield node.name


def test_no_file_is_long() -> None:
    long = {named(file) for file in python_files() if len(file.read_text(encoding="utf-8").splitlines()) > MOST_LINES}
    assert long == set()


def test_no_function_takes_many_arguments() -> None:
    found = {}
    for file in python_files():
        text = file.read_text(encoding="utf-8")
        names = set(wide_functions(ast.parse(text))) if may_be_wide(text) else set()
        if names:
            found[named(file)] = names
    assert found == CALLED_BY_OTHERS


@pytest.mark.parametrize(
    "code, wide",
    [
        (f"def f({', '.join('abcdefghijkl')}): ...", []),
        (f"def f({', '.join('abcdefghijklm')}): ...", ["f"]),
        (f"def f({', '.join('abcdefghijkl')}, *, m=1, n=2): ...", []),
        (f"def f({', '.join('abcdefg')}, /, {', '.join('hijklm')}): ...", ["f"]),
        (f"class A:\n    def f(self, {', '.join('abcdefghijkl')}): ...", []),
        (f"def f():\n    def g({', '.join('abcdefghijklm')}): ...", ["g"]),
    ],
)
def test_wide_functions_are_found(code: str, wide: list[str]) -> None:
    assert list(wide_functions(ast.parse(code))) == wide
    assert may_be_wide(code) or not wide


DEFINED = re.compile(r"^\s*class _*(\w+)\b[^\n]*[:(]|^_*(\w+)(?:: [^=\n]+)? = fields\(", re.MULTILINE)
"""A class, or the name of a record of compiled code."""


def test_every_class_and_record_has_a_name_of_its_own() -> None:
    """Also where one of two is private: a reader should not have to ask which is meant."""
    homes = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        for a_class, record in DEFINED.findall(file.read_text(encoding="utf-8")):
            homes[a_class or record].append(named(file))
    assert len(homes) > 1000
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_modules_tell_their_subject() -> None:
    assert [named(file) for file in sorted(SOURCE.rglob("*.py")) if file.stem in VAGUE_MODULES] == []


def test_finite_elements_form_a_grid_and_teeth_a_mesh() -> None:
    """ "Mesh" is tooth contact; `np.meshgrid` is another word, and a solid mesh comes from another program."""
    files = [*(SOURCE / "fem").glob("*.py"), *(SOURCE / "files").glob("grid_*.py")]
    assert len(files) > 20
    found = [
        f"{named(file)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"(?<![a-z])mesh(es|ed|ing)?(?![a-z])", line, re.IGNORECASE)
        and not re.search(r'own_mesh|"mesh"|[Ss]olid mesh|own mesh', line)
    ]
    assert found == []
