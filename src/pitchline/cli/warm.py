"""``pitchline warm``: compile the complete engine in advance, in two processes."""

from __future__ import annotations

import argparse
import importlib
import os
import pathlib
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitchline.base.progress.display import stage

from .run import FINE, WRONG, Commands, command, say

__all__ = ["Task", "add_warm", "tasks"]

_EXAMPLES = """\
  pitchline warm                          after installation from source, or in the build of a container image
  PITCHLINE_CACHE_DIR=/opt/code pitchline warm
"""


def add_warm(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "warm",
        "compile the engine in advance",
        "Compile all functions of the engine that are not compiled yet, in two processes, and store the code. Without this "
        "command, each run compiles the functions that it needs.",
        _EXAMPLES,
        _warm,
    )
    parser.add_argument("--alone", action="store_true", help="use only one process")
    parser.add_argument(
        "--help-another", action="store_true", help=argparse.SUPPRESS
    )  # see pitchline.numerics.machine_code.helper
    parser.add_argument("--later", default="", help=argparse.SUPPRESS)  # parts of names that the helper compiles last
    parser.add_argument(
        "--baseline", action="store_true", help="compile for all processors of this architecture, not only for this one"
    )
    parser.add_argument(
        "--ship", metavar="FILE", help="write all compiled code to one file, for a Python wheel; implies --baseline"
    )


@dataclass(frozen=True)
class Task:
    """A function to compile for given argument types."""

    function: Any
    signature: Any

    @property
    def name(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def done(self) -> bool:
        """Whether its compiled code exists."""
        known = self.signature.args in self.function.overloads
        return known or bool(self.function._cache.has(self.signature, self.function.targetctx))

    def compile(self) -> None:
        """Compile it and store the code."""
        from pitchline.numerics.machine_code.compiled import compile_for

        compile_for(self.function, self.signature)


def tasks() -> list[Task]:
    """All compiled functions of the package; those of the engine in the order of their dependencies.

    They are found automatically: functions with an explicit signature, and functions of the element kinds.
    """
    package = __name__.partition(".")[0]
    modules = list(_modules(package))
    from pitchline.declare.declared_element import KERNELS
    from pitchline.numerics.machine_code.compiled import FUNCTIONS

    found = {}
    for kind in _kinds(modules):
        for name in KERNELS:
            if getattr(kind, name) is not None:
                task = Task(getattr(kind, name), kind.signature(name))
                found[id(task.function), task.signature.args] = task
    for function in FUNCTIONS:
        if function.__module__.partition(".")[0] == package and hasattr(function, "signature"):
            found[id(function), function.signature.args] = Task(function, function.signature)
    order = {module.__name__: i for i, module in enumerate(modules)}
    return sorted(
        found.values(), key=lambda task: (order.get(task.function.__module__, -1), task.name, str(task.signature))
    )


def _kinds(modules: list[Any]) -> Iterator[Any]:
    """Element kinds that modules contain or declare."""
    from pitchline.declare.declared_element import DeclaredElement
    from pitchline.engine.elements.contract import ElementKind
    from pitchline.engine.elements.declared_kind import kind_of

    for module in modules:
        for value in vars(module).values():
            if isinstance(value, ElementKind):
                yield value
            elif isinstance(value, type) and issubclass(value, DeclaredElement) and "evaluate" in vars(value):
                yield kind_of(value)


def _modules(package: str) -> Iterator[Any]:
    """All modules of the package: those with few compiled functions first, then the engine in the order of its
    dependencies."""
    from pitchline.numerics.machine_code.compiled import COMPILED_PACKAGES

    names = [
        i.name
        for i in pkgutil.walk_packages(sys.modules[package].__path__, f"{package}.")
        if not i.name.endswith("__main__")
    ]
    engine = [f"{package}.{name}." for name in COMPILED_PACKAGES]
    names.sort(key=lambda name: (next((i for i, start in enumerate(engine) if name.startswith(start)), -1), name))
    for name in names:
        yield importlib.import_module(name)


def _warm(given: argparse.Namespace) -> int:
    if given.baseline or given.ship:
        from pitchline.numerics.machine_code.machine_code import baseline, missing_features

        wanted = baseline()
        if wanted is None or (lacking := missing_features()):
            say("this processor has no baseline" if wanted is None else f"this processor lacks {', '.join(lacking)}")
            return WRONG
        import numba

        os.environ.update(wanted.settings)
        numba.config.reload_config()
    from pitchline.numerics.machine_code.code_cache import ship
    from pitchline.numerics.machine_code.compiled import COMPILING, cache_directory
    from pitchline.numerics.machine_code.helper import no_more_help, start_helper

    folder = cache_directory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        say(f'cannot store compiled code in "{folder}": {error.strerror or error}')
        return WRONG
    no_more_help()
    if given.help_another:
        return _help(folder, tuple(filter(None, given.later.split(","))))
    helper = None if given.alone else start_helper()
    todo = tasks()
    with stage(COMPILING, total=len(todo)) as now:
        for k, task in enumerate(todo):
            if not task.done():
                now.done(k, task.name)
                task.compile()
        if helper is not None:
            now.done(len(todo), "the second process")
            helper.wait()
    if given.ship:
        ship([(task.function, task.signature) for task in todo], pathlib.Path(given.ship))
    return FINE


def _help(folder: pathlib.Path, later: tuple[str, ...]) -> int:
    """Start with the last function, but leave functions with these names to the end.

    End when all functions are compiled or the other process has ended.
    """
    from pitchline.numerics.machine_code.helper import help_is_over, when_nobody_waits

    over = when_nobody_waits()
    try:
        for task in sorted(reversed(tasks()), key=lambda task: any(name in task.name for name in later)):
            if over.is_set():
                break
            if not task.done():
                task.compile()
    finally:
        help_is_over(folder)
    return FINE
