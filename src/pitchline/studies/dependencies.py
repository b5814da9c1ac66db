"""Content of everything that a function of the user depends on, as checksums by name: the key of stored points.

The search starts at a function and follows what it reads: functions and classes, values of globals and closures, default values,
attributes of modules, and modules with all modules that these import. Code is identified by its byte code and constants, modules
by their syntax: comments, docstrings, line numbers and paths have no effect. Modules of Python, of pitchline and of installed
packages are identified by name and version. An object whose content cannot be identified (an open file, a lock, a generator)
raises ModelError: such a function can have no store.
"""

from __future__ import annotations

import ast
import copyreg
import dis
import functools
import hashlib
import importlib.util
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.errors import ModelError

__all__ = ["function_parts", "module_parts"]

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented))
_READS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
_LIBRARIES = tuple(Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "platstdlib", "purelib", "platlib"))
_OWN = __name__.partition(".")[0]
_ABSENT = object()


def function_parts(function: Any) -> dict[str, str]:
    """Checksums of everything that a function depends on, by name. ModelError if a part cannot be identified."""
    search = _ModuleSearch()
    search.add(function, "the fixed values of the function")
    return search.finished()


def module_parts(names: Iterable[str]) -> dict[str, str]:
    """Checksums of modules of the user, of the modules that they import, and of their classes in memory, by name."""
    search = _ModuleSearch()
    for name in names:
        search.module_files(name)
        for item in list(vars(sys.modules.get(name, types)).values()) if not _is_library(name) else ():
            if isinstance(item, type) and item.__module__ == name:
                search.add(item, name)
    return search.finished()


class _ModuleSearch:
    """A search through functions, classes, values and modules. Each is visited once."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}
        self._labels: dict[int, str] = {}
        self._kept: list[Any] = []
        """Objects whose ids are labels."""
        self._waiting: list[tuple[Any, str]] = []
        self._files: set[str] = set()

    def finished(self) -> dict[str, str]:
        """The checksums, after all that waits."""
        while self._waiting:
            item, label = self._waiting.pop(0)
            self.parts[label] = _joined(self._described(item, label))
        return dict(sorted(self.parts.items()))

    def add(self, item: Any, where: str) -> str:
        """Label of a function or class, whose content is a part of its own."""
        if id(item) not in self._labels:
            label = self._free_label(item, where)
            self._labels[id(item)] = label
            self._kept.append(item)
            self._waiting.append((item, label))
        return self._labels[id(item)]

    def _free_label(self, item: Any, where: str) -> str:
        kind = "class" if isinstance(item, type) else "function" if isinstance(item, types.FunctionType) else ""
        label = f"{kind} {item.__qualname__}" if kind else where
        taken = {*self._labels.values(), *self.parts}
        return next(
            text for k in range(len(taken) + 1) if (text := label if k == 0 else f"{label} ({k + 1})") not in taken
        )

    # ---- functions and classes

    def _described(self, item: Any, label: str) -> Iterator[str]:
        if isinstance(item, types.FunctionType):
            yield from self._function(item, label)
        elif isinstance(item, type):
            yield from self._class(item, label)
        else:
            yield self._value(item, label)

    def _function(self, function: types.FunctionType, label: str) -> Iterator[str]:
        yield _code(function.__code__, function.__doc__)
        yield self._value((function.__defaults__, function.__kwdefaults__), f"a default value of {label}")
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                value = _ABSENT
            yield self._read(name, value, function.__code__)
        names = function.__globals__
        for name in sorted(_globals_read(function.__code__)):
            if name in names:
                yield self._read(name, names[name], function.__code__)
        for name in sorted(_imports(function.__code__, function.__globals__.get("__package__") or "")):
            yield name
            self.module_files(name)

    def _read(self, name: str, value: Any, code: types.CodeType) -> str:
        """A name that code reads. Its value is a part with this name, if it is not plain code."""
        if isinstance(value, types.ModuleType):
            return _joined([name, *self._module(value, code)])
        text = self._value(value, name)
        if not isinstance(value, (types.FunctionType, type)):
            key = f"value {name}"
            self.parts[key] = text if key not in self.parts else _joined([self.parts[key], text])
        return _joined([name, text])

    def _class(self, kind: type, label: str) -> Iterator[str]:
        for base in kind.__bases__:
            yield self._value(base, label)
        for name, value in sorted(vars(kind).items()):
            if name in ("__dict__", "__weakref__", "__doc__", "__module__", "__firstlineno__", "__static_attributes__"):
                continue
            if name.startswith("_abc") or isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType)):
                continue
            yield name
            yield self._value(value, f"{label}.{name}")

    # ---- modules

    def _module(self, module: types.ModuleType, code: types.CodeType) -> Iterator[str]:
        """A module, and the attributes whose names occur in the code: they may have been assigned after the import."""
        yield module.__name__
        if _is_library(module.__name__):
            yield _version(module.__name__)
            return
        self.module_files(module.__name__)
        for name in sorted(_names_in(code)):
            value = vars(module).get(name, _ABSENT)
            if isinstance(value, types.ModuleType):
                yield value.__name__
                if not _is_library(value.__name__):
                    self.module_files(value.__name__)
            elif value is not _ABSENT:
                yield self._read(f"{module.__name__}.{name}", value, code)

    def module_files(self, name: str) -> None:
        """Parts with the content of a module of the user, and of all modules of the user that it imports."""
        if name in self._files or _is_library(name):
            return
        self._files.add(name)
        spec = _spec(name)
        origin = getattr(spec, "origin", None)
        if spec is None or origin is None or not Path(origin).is_file():
            return
        content = Path(origin).read_bytes()
        label = f"module {name}"
        if not origin.endswith(".py"):
            self.parts[label] = hashlib.sha256(content).hexdigest()
            return
        try:
            tree = ast.parse(content)
        except SyntaxError as error:
            raise ModelError(f"the module {name} cannot be read: {error}") from error
        self.parts[label] = hashlib.sha256(ast.dump(_without_docstrings(tree)).encode()).hexdigest()
        package = name if spec.submodule_search_locations is not None else name.rpartition(".")[0]
        for other in sorted(_imported_by(tree, package)):
            self.module_files(other)

    # ---- values

    def _value(self, value: Any, where: str, above: tuple[int, ...] = ()) -> str:
        """Checksum of a value. Functions and classes in it become parts."""
        return _joined(self._value_parts(value, where, above))

    def _value_parts(self, value: Any, where: str, above: tuple[int, ...]) -> Iterator[str]:
        kind = type(value)
        yield f"{kind.__module__}.{kind.__qualname__}"
        if kind in _PLAIN or value is _ABSENT:
            yield repr(value) if value is not _ABSENT else "absent"
            return
        if id(value) in above:  # an object that contains itself
            yield f"above {len(above) - above.index(id(value))}"
            return
        inside = (*above, id(value))
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            yield f"{value.dtype.descr} {value.shape}"
            yield hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        elif kind in (list, tuple):
            yield from (self._value(item, where, inside) for item in value)
        elif kind in (set, frozenset):
            yield from sorted(self._value(item, where, inside) for item in value)
        elif kind in (dict, types.MappingProxyType):
            for key, item in value.items():
                yield self._value(key, where, inside)
                yield self._value(item, where, inside)
        elif isinstance(value, types.ModuleType):
            yield value.__name__
            self.module_files(value.__name__)
        elif (inner := _function_of(value)) is not None:
            yield self._value(inner, where, inside)
            if isinstance(value, types.MethodType):
                yield self._value(value.__self__, where, inside)
        elif isinstance(value, (types.FunctionType, type)):
            name = str(getattr(value, "__module__", None) or "")
            is_library = _is_library(name)
            yield f"{name}.{value.__qualname__} {_version(name)}" if is_library else self.add(value, where)
        elif isinstance(value, types.CodeType):
            yield _code(value)
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc)) and not _has_state(value):
            yield f"{getattr(value, '__module__', '')}.{value.__name__}"
        else:
            yield from self._object(value, where, inside)

    def _object(self, value: Any, where: str, inside: tuple[int, ...]) -> Iterator[str]:
        """An object by its class and its state."""
        kind = type(value)
        yield self._value(kind, where, inside)
        compiled = getattr(value, "py_func", None)
        if compiled is not None:
            yield self._value(compiled, where, inside)
            return
        try:
            own = copyreg.dispatch_table.get(kind)
            state = value.__reduce_ex__(4) if own is None else own(value)
        except Exception as error:
            raise ModelError(
                f'the points of this sweep cannot be stored: "{where}" is an object of type {kind.__name__}, whose content cannot '
                f"be identified ({error}), so a change of it would not be noticed. Make it inside the function, or leave out "
                "store"
            ) from error
        if isinstance(state, str):
            yield state
            return
        function, arguments, *more = state
        yield self._value(function, where, inside)
        yield self._value(arguments, where, inside)
        for item in more:
            if isinstance(item, Iterator):
                item = list(item)
            yield self._value(item, where, inside)


# ---- code


def _code(code: types.CodeType, doc: str | None = None) -> str:
    """Byte code, names and constants, without file, lines and docstring."""
    constants = code.co_consts
    if constants and doc is not None and constants[0] == doc:
        constants = (None, *constants[1:])
    parts = [code.co_code.hex(), getattr(code, "co_exceptiontable", b"").hex(), str(code.co_flags)]
    parts += [repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount))]
    parts += [repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))]
    parts += [_code(item) if isinstance(item, types.CodeType) else _constant(item) for item in constants]
    return _joined(parts)


def _constant(value: Any) -> str:
    text = repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)
    return f"{type(value).__name__} {text}"


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """It and the functions and classes inside it."""
    yield code
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            yield from _codes(item)


def _globals_read(code: types.CodeType) -> set[str]:
    return {str(i.argval) for one in _codes(code) for i in dis.get_instructions(one) if i.opname in _READS}


def _names_in(code: types.CodeType) -> set[str]:
    return {name for one in _codes(code) for name in one.co_names}


def _imports(code: types.CodeType, package: str) -> set[str]:
    """Modules that a function imports itself."""
    names = set()
    for one in _codes(code):
        instructions = list(dis.get_instructions(one))
        for k, instruction in enumerate(instructions):
            if instruction.opname == "IMPORT_NAME":
                level = instructions[k - 2].argval if k >= 2 and isinstance(instructions[k - 2].argval, int) else 0
                origin = _absolute(str(instruction.argval), level, package)
                names.add(origin)
                for follows in instructions[k + 1 :]:
                    if follows.opname != "IMPORT_FROM":
                        if follows.opname.startswith("STORE"):
                            continue
                        break
                    names.add(f"{origin}.{follows.argval}")
    return names


def _imported_by(tree: ast.AST, package: str) -> set[str]:
    """Modules that a module imports; names that it imports from packages may be modules, too."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin = _absolute(node.module or "", node.level, package)
            names |= {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
    return names - {""}


def _absolute(name: str, level: int, package: str) -> str:
    if level == 0:
        return name
    base = package.rsplit(".", level - 1)[0] if level > 1 else package
    return f"{base}.{name}".strip(".")


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:] or [ast.Pass()]
    return tree


# ---- modules of libraries


@functools.cache
def _is_library(name: str) -> bool:
    """Whether a module belongs to Python, to pitchline or to an installed package."""
    root = name.partition(".")[0]
    if root in ("", "__main__", "__mp_main__"):
        return False
    if root == _OWN or root in sys.stdlib_module_names:
        return True
    origin = getattr(_spec(root), "origin", None)
    if origin is None:
        return False
    path = Path(origin).resolve()
    return any(path.is_relative_to(folder) for folder in _LIBRARIES)


def _spec(name: str) -> Any:
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if spec is not None:
        return spec
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None


def _version(name: str) -> str:
    root = name.partition(".")[0]
    return str(getattr(sys.modules.get(root), "__version__", ""))


def _function_of(value: Any) -> Any:
    """Function inside a method, a property, a partial function or a function that stores its results."""
    if isinstance(value, property):
        return (value.fget, value.fset, value.fdel)
    if isinstance(value, (types.MethodType, staticmethod, classmethod)):
        return value.__func__
    if isinstance(value, functools.partial):
        return (value.func, value.args, value.keywords)
    if isinstance(value, functools.cached_property):
        return value.func
    if isinstance(value, functools._lru_cache_wrapper):
        return value.__wrapped__
    return None


def _has_state(value: Any) -> bool:
    owner = getattr(value, "__self__", None)
    return owner is not None and not isinstance(owner, types.ModuleType)


def _joined(parts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part) + part.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
