"""Text of a gallery program that runs by itself: its module after the modules that it needs."""

from __future__ import annotations

import ast
import inspect
import sys
from types import ModuleType

__all__ = ["program_text"]

_SHARED = ("figures", "parameters")
"""Modules of the gallery that a program imports like the rest of the package; its own modules are copied into the text.
"""
_MAIN = """

if __name__ == "__main__":
    from pitchline.gallery.figures import figures_table

    print(figures_table(figures(run())))
"""


def program_text(module: ModuleType) -> str:
    """One script: docstring, imports, modules in the order of their dependencies, and the main part."""
    parts: dict[str, ast.Module] = {}
    _collect(module, parts)
    doc = ast.get_docstring(parts[module.__name__], clean=False)
    imports: dict[str, None] = {}
    bodies = []
    for name, tree in parts.items():
        source = inspect.getsource(sys.modules[name]).splitlines()
        kept = [node for node in tree.body if not _is_docstring(node) and not _is_all(node)]
        for node in kept:
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not _is_part(node):
                imports[ast.unparse(_absolute(node))] = None
        body = [node for node in kept if not isinstance(node, (ast.Import, ast.ImportFrom))]
        bodies.append("\n".join(source[_first_line(body[0], source) :]).rstrip())
    head = sorted(imports, key=lambda line: ("__future__" not in line, "pitchline" in line, line))
    return f'"""{doc}"""\n\n' + "\n".join(head) + "\n\n" + "\n\n\n".join(bodies) + "\n" + _MAIN


def _collect(module: ModuleType, parts: dict[str, ast.Module]) -> None:
    """The module after all modules that it needs."""
    tree = ast.parse(inspect.getsource(module))
    package = module.__name__.rpartition(".")[0]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and _is_part(node) and f"{package}.{node.module}" not in parts:
            _collect(sys.modules[f"{package}.{node.module}"], parts)
    parts[module.__name__] = tree


def _is_part(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is not None and node.module not in _SHARED
    )


def _is_docstring(node: ast.stmt) -> bool:
    """Docstring of the module. Texts after other statements explain these and are kept."""
    return isinstance(node, ast.Expr) and node.lineno == 1


def _is_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"


def _absolute(node: ast.Import | ast.ImportFrom) -> ast.Import | ast.ImportFrom:
    if isinstance(node, ast.ImportFrom) and node.level:
        package = {1: "pitchline.gallery", 2: "pitchline"}[node.level]
        return ast.ImportFrom(f"{package}.{node.module}", node.names, 0)
    return node


def _first_line(node: ast.stmt, source: list[str]) -> int:
    """First line of a statement, including its decorators and the comment above it."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
    while first and source[first - 1].startswith("#"):
        first -= 1
    return first
