"""Reference of every name: each is documented, has an example that test_docs.py runs, and typed arguments with units."""

import importlib.util
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pitchline as pl

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "reference" / "api").glob("*.md"))
TEXTS = {page.stem: page.read_text(encoding="utf-8") for page in PAGES}
EXAMPLES = "\n".join(
    block for text in TEXTS.values() for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
)
DIRECTIVE = re.compile(r"^\.\. auto(\w+):: pitchline\.([\w.]+)\n((?:   .*\n)*)", re.MULTILINE)

_spec = importlib.util.spec_from_file_location("argument_types", DOCS / "argument_types.py")
assert _spec is not None and _spec.loader is not None
types = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(types)


def methods(owner: type) -> list[str]:
    return [name for name, _ in inspect.getmembers(owner, inspect.isroutine) if not name.startswith("_")]


def documented() -> dict[str, str]:
    """Name without "pitchline." -> stem of its page; members of a directive too."""
    found = {}
    for stem, text in TEXTS.items():
        for _, name, options in DIRECTIVE.findall(text):
            found[name] = stem
            for member in re.findall(r"\w+", " ".join(re.findall(r":members:(.*(?:\n      .*)*)", options))):
                found[f"{name}.{member}"] = stem
    return found


def public() -> list[str]:
    return sorted({*pl.__all__, *(f"views.{name}" for name in pl.views.__all__)} - {"views"})


def calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What users call: public functions, classes that are made, methods of models and results."""
    for name in public():
        target = pl
        for part in name.split("."):
            target = getattr(target, part)
        if callable(target) and name not in types.RESULTS:
            yield name, target
    for owner in (pl.Model, pl.Result):
        for name in methods(owner):
            yield f"{owner.__name__}.{name}", getattr(owner, name)


@pytest.mark.parametrize("name", public())
def test_every_name_is_documented_with_an_example(name: str) -> None:
    assert name in documented(), f"{name} is on no page of docs/reference/api"
    assert re.search(rf"\b{name.split('.')[-1]}\b", EXAMPLES), f"{name} is in no example of docs/reference/api"


@pytest.mark.parametrize("owner", [pl.Model, pl.Result, pl.Signal], ids=lambda owner: owner.__name__)
def test_every_method_is_documented_with_an_example(owner: type) -> None:
    unneeded = {"to_pandas", "to_xarray", "from_run"}  # other packages; made by analyses
    for name in set(methods(owner)) - unneeded:
        assert f"{owner.__name__}.{name}" in documented(), name
        assert re.search(rf"\.{name}\b", EXAMPLES), f"{owner.__name__}.{name} is in no example"


@pytest.mark.parametrize(("name", "target"), list(calls()), ids=lambda each: each if isinstance(each, str) else "")
def test_every_argument_is_described_and_typed(name: str, target: Callable[..., Any]) -> None:
    explained = re.sub(r"^```.*?^```$", "", TEXTS[documented()[name]], flags=re.MULTILINE | re.DOTALL)
    text = " ".join([inspect.getdoc(target) or "", *re.findall(r"`(\w+)`", explained)])
    for argument, given in inspect.signature(target).parameters.items():
        if argument == "self" or given.kind in (given.VAR_POSITIONAL, given.VAR_KEYWORD):
            continue
        assert re.search(rf"\b{argument}\b", text), f"{name}: {argument} is not described"
        kind = types.argument_type(name, argument, given.annotation)
        assert not re.search(r"\b(object|Quantity|TimeValue)\b|^Any$|_empty", kind), f"{name}: {argument} has no type"


def test_units_of_types_agree_with_the_docstrings() -> None:
    """Where a docstring states units of an argument, those of the types in the signature are among them."""
    from pitchline.files.element_schema import argument_texts

    units = {kind: plain(unit) for kind, (unit, _) in types.QUANTITIES.items() if unit}
    compared = 0
    for name, target in calls():
        for argument, text in argument_texts(target).items():
            given = inspect.signature(target).parameters.get(argument)
            kind = "" if given is None else types.argument_type(name, argument, given.annotation)
            stated = {plain(unit) for unit in re.split("[,;]", ",".join(re.findall(r"\[([^\]]+)\]", text)))}
            stated &= set(units.values())
            found = {units[each] for each in re.findall(r"\w+", kind) if each in units}
            if stated and found:
                compared += 1
                assert found & stated, f"{name}: {argument} is in {', '.join(stated)}, not a {kind}"
    assert compared > 350


def plain(unit: str) -> str:
    """A unit without differences of writing: N*m, N m and N·m."""
    for old, new in (("*", " "), ("·", " "), ("^2", "²"), ("^3", "³"), ("^4", "⁴")):
        unit = unit.replace(old, new)
    return unit.strip()


def test_all_types_are_explained() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    for kind, (unit, _) in types.QUANTITIES.items():
        assert f"| `{kind}` | {unit or '–'} |" in page
