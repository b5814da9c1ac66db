"""Functions of later layers that earlier ones call."""

import ast
from pathlib import Path

import pytest

from pitchline import facades
from pitchline.errors import PitchlineError


@pytest.mark.parametrize("kind", facades.PLOTTERS)
def test_every_kind_of_picture_has_a_function(kind: str) -> None:
    assert callable(facades.plotter(kind))


def test_unknown_kind_is_named() -> None:
    with pytest.raises(PitchlineError, match="nothing draws Table"):
        facades.plotter("Table")


def test_there_are_few_imports_against_the_order() -> None:
    tree = ast.parse(Path(facades.__file__).read_text(encoding="utf-8"))
    late = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert len(late) <= 12
