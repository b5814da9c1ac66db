"""Content of a compiled function, as far as its machine code depends on it: the key of its code.

The key includes byte code, constants, default values, the values of the globals, closure variables and module attributes that
the function reads, and the same of every function that it calls. It does not include paths, times, line numbers and
docstrings. Therefore a changed constant changes only the keys of functions that read it, and a moved source tree keeps its keys.

Functions of Python's library, numpy and numba are identified by name: their versions are part of the key (see `code_cache`).
Objects that cannot be identified reliably (a dictionary, an object with a state) raise `Unidentified`: such code is not stored.

The values are those in memory, not those in files. A value may be assigned again before the next check. Code that was compiled
before then contains the old value; therefore functions that call such a function have no key any more.
"""

import dataclasses
import enum
import hashlib
import inspect
import opcode
import sys
import types as python
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import Signature, builtin_registry
from numba.extending import _Intrinsic

__all__ = ["Unidentified", "content_of", "key_of"]

LIBRARIES = frozenset(sys.stdlib_module_names) | {"numba", "llvmlite", "numpy"}
_LOAD_GLOBAL, _EXTENDED = opcode.opmap["LOAD_GLOBAL"], opcode.EXTENDED_ARG
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


class Unidentified(Exception):
    """A dependency of compiled code cannot be identified by its content."""


class FunctionContent:
    """One function: the digest of its own content, the functions to which it refers, and the bindings at this time.

    A node is valid as long as all bindings are unchanged: (names, name, value).
    """

    __slots__ = ("bindings", "calls", "digest", "function", "lasting")

    def __init__(self, function: Any) -> None:
        self.function = function  # kept, so that its id stays unique
        self.bindings: list[tuple[Any, str, Any]] = []
        self.calls: list[Any] = []
        self.lasting = True
        self.digest = b""

    def holds(self) -> bool:
        return (
            bool(self.digest)
            and self.lasting
            and all(_bound(names, name) is value for names, name, value in self.bindings)
        )


_nodes: dict[int, FunctionContent] = {}
_codes: dict[Any, bytes] = {}
_types: dict[int, FunctionContent] = {}
_ABSENT = object()


def key_of(thing: Any) -> bytes:
    """Digest of a dispatcher, an intrinsic or a function with all functions that it calls; `Unidentified` if there is none."""
    order: dict[int, int] = {}
    waiting, digest = [thing], hashlib.sha256()
    nodes: list[FunctionContent] = []
    while waiting:
        one = waiting.pop()
        if id(one) in order:
            continue
        order[id(one)] = len(order)
        node = _node_of(one)
        nodes.append(node)
        waiting += node.calls
    for (
        node
    ) in nodes:  # functions may call each other recursively: a call is represented by the index of the called function
        digest.update(node.digest + repr([order[id(called)] for called in node.calls]).encode())
    return digest.digest()


def content_of(value: Any) -> bytes:
    """Digest of a plain value, a type or a signature."""
    node = FunctionContent(value)
    digest = _value(value, node)
    return digest + b"".join(key_of(called) for called in node.calls)


def _node_of(thing: Any) -> FunctionContent:
    """Return the node of this check. If its content changed since another check, it permanently has no key."""
    known = _nodes.get(id(thing))
    if known is not None and known.holds():
        return known
    node = FunctionContent(thing)
    _nodes[id(thing)] = node
    if known is not None and not known.digest:
        raise Unidentified(f"{_name(thing)} had no key before")
    node.digest = b""  # unchanged if the next line raises
    digest = _joined(_described(thing, node))
    if known is not None and (known.digest != digest or _ids(known) != _ids(node)):
        raise Unidentified(f"{_name(thing)} reads a value that was assigned again")
    node.digest = digest
    return node


def _ids(node: FunctionContent) -> bytes:
    return repr([id(called) for called in node.calls]).encode()


def _joined(parts: Iterator[Any]) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        text = part if isinstance(part, bytes) else str(part).encode()
        digest.update(b"%d:" % len(text) + text)
    return digest.digest()


def _described(thing: Any, node: FunctionContent) -> Iterator[Any]:
    """Parts of the own content of a callable. The functions that it calls are added to the node."""
    if isinstance(thing, Dispatcher):
        compiled: Any = thing
        cache = compiled._cache
        if not getattr(cache, "by_content", False) and (compiled.overloads or not isinstance(cache, NullCache)):
            raise Unidentified(f"{_name(thing)} was compiled before its dependencies were identified")
        yield "dispatcher"
        yield _value(tuple(sorted(thing.targetoptions.items())), node)
        yield _value(tuple(sorted((thing.locals or {}).items())), node)
        yield _name(compiled._compiler.pipeline_class)
        yield _value(getattr(thing, "signature", None), node)
        function = thing.py_func
    elif isinstance(thing, _Intrinsic):
        yield f"intrinsic {thing._prefer_literal} {inspect.signature(thing._defn)}"
        yield _value(tuple(sorted(thing._ctor_kwargs.items())), node)
        function = thing._defn
    else:
        yield "function"
        function = thing
        for template in _overloads(thing):
            if not hasattr(template, "_overload_func") or template._impl_cache:
                raise Unidentified(f"replacement of {_name(thing)} in compiled code")
            yield _value(tuple(sorted((template._jit_options or {}).items())), node)
            yield repr(getattr(template, "_inline", None))
            node.calls.append(template._overload_func)
    yield _name(function, function.__code__.co_qualname)
    yield _code_digest(function.__code__, function.__doc__)
    for attribute in ("__code__", "__defaults__", "__kwdefaults__"):
        node.bindings.append((function, attribute, getattr(function, attribute)))
    yield _value((function.__defaults__, function.__kwdefaults__), node)
    yield from _reads(function, node)


def _reads(function: Any, node: FunctionContent) -> Iterator[Any]:
    """Values of closure variables, globals and attributes of modules."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:
            raise Unidentified(f"{name} of {function.__qualname__} has no value yet") from None
        node.bindings.append((cell, "cell_contents", value))
        yield name
        yield _value(value, node, function.__code__)
    names = function.__globals__
    for name in sorted(_globals_read(function.__code__)):
        value = _bound(names, name)
        node.bindings.append((names, name, value))
        yield name
        yield "built in" if value is _ABSENT else _value(value, node, function.__code__)


def _bound(names: Any, name: str) -> Any:
    if isinstance(names, dict):
        return names.get(name, _ABSENT)
    return getattr(names, name, _ABSENT)


# ---- values


def _value(value: Any, node: FunctionContent, code: python.CodeType | None = None) -> bytes:
    """Digest of a value that a function reads. Functions are added to its calls."""
    return _joined(_value_parts(value, node, code))


def _value_parts(value: Any, node: FunctionContent, code: python.CodeType | None) -> Iterator[Any]:
    kind = type(value)
    if kind in _PLAIN:
        yield f"{kind.__name__} {value!r}"
    elif isinstance(value, types.Type):
        yield _type_digest(value, node)
    elif isinstance(value, ir.Type):
        yield f"machine type {value}"
    elif isinstance(value, Signature):
        yield "signature"
        yield _value((value.return_type, *value.args, value.recvr), node)
    elif isinstance(value, enum.Enum):
        yield _name(kind)
        yield _value(value.value, node)
    elif isinstance(value, np.generic) and not value.dtype.hasobject:
        yield f"{kind.__name__} {value.dtype.descr}"
        yield value.tobytes()
    elif isinstance(value, tuple | list | frozenset):
        node.lasting &= not isinstance(value, list)
        yield f"{kind.__name__} {getattr(kind, '_fields', '')}"
        inside = [_value(one, node, code) for one in value]
        yield from sorted(inside) if isinstance(value, frozenset) else inside
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        node.lasting = False
        yield f"array {value.dtype.descr} {value.shape} {value.strides}"
        yield value.tobytes()
    elif isinstance(value, np.dtype) and not value.hasobject:
        yield f"dtype {value.descr}"
    elif isinstance(value, python.ModuleType):
        yield from _module(value, node, code, set())
    elif isinstance(value, type):
        yield from _class(value, node)
    elif dataclasses.is_dataclass(value):
        yield from _class(kind, node)
        node.lasting &= kind.__dataclass_params__.frozen
        for field in dataclasses.fields(value):
            yield field.name
            yield _value(getattr(value, field.name), node)
    else:
        yield from _callable(value, node)


def _callable(value: Any, node: FunctionContent) -> Iterator[Any]:
    if isinstance(value, python.FunctionType | python.BuiltinFunctionType) and _root(value.__module__) in LIBRARIES:
        yield _name(value)
    elif isinstance(value, Dispatcher | _Intrinsic | python.FunctionType):
        node.calls.append(value)
        yield "call"
    elif isinstance(value, np.ufunc) and any(one is value for one in vars(np).values()):
        yield str(value)
    else:
        raise Unidentified(f"an object of type {type(value).__name__}")


def _module(
    module: python.ModuleType, node: FunctionContent, code: python.CodeType | None, seen: set[str]
) -> Iterator[Any]:
    """Its name, and the values of all attributes whose names occur in the code."""
    seen.add(module.__name__)
    library = _root(module.__name__) in LIBRARIES
    yield f"module {module.__name__ if library else ''}"
    for name in sorted(_names_in(code)) if code is not None else ():
        value = getattr(module, name, _ABSENT)
        if value is _ABSENT or (library and type(value) not in _PLAIN):
            continue
        if isinstance(value, python.ModuleType) and value.__name__ in seen:
            continue
        node.bindings.append((module, name, value))
        yield name
        yield from (
            _module(value, node, code, seen) if isinstance(value, python.ModuleType) else (_value(value, node, code),)
        )


def _class(kind: type, node: FunctionContent) -> Iterator[Any]:
    """A class of a library or an exception by its name; others with all their definitions."""
    yield f"class {_name(kind)}"
    if _root(kind.__module__) in LIBRARIES or issubclass(kind, BaseException):
        return
    if issubclass(kind, enum.Enum):
        yield _value(tuple((member.name, member.value) for member in kind), node)
        return
    for base in kind.__bases__:
        yield _value(base, node)
    for name, value in sorted(vars(kind).items()):
        function = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
        if isinstance(function, python.FunctionType):
            yield name
            if function.__code__.co_filename != "<string>":  # generated by a dataclass or a named tuple
                node.calls.append(function)
        elif not (name.startswith("__") or name.startswith("_abc")) or name == "__match_args__":
            yield name
            yield _value(value, node) if not isinstance(value, python.MemberDescriptorType) else "slot"


def _type_digest(kind: types.Type, node: FunctionContent) -> bytes:
    """A type of numba: its class, name and key; for types defined elsewhere also the functions that generate their code."""
    if id(kind) not in _types:
        apart = FunctionContent(kind)
        parts: list[Any] = [f"type {_name(type(kind))}", kind.name]
        if kind.key is not kind.name:
            parts.append(_value(kind.key, apart))
        if hasattr(kind, "layout") and not getattr(kind, "named_by_content", False):
            parts.append(_value(kind.layout, apart))
        own = [k.__module__ for k in type(kind).__mro__ if _root(k.__module__) not in LIBRARIES]
        parts += [_generator(sys.modules[module]) for module in own]
        apart.digest = _joined(iter(parts))
        _types[id(kind)] = apart
    node.calls += _types[id(kind)].calls
    return _types[id(kind)].digest


_generators: dict[str, bytes] = {}


def _generator(module: python.ModuleType) -> bytes:
    """Code of all functions of a module that defines a type: they are registered with numba without a name."""
    if module.__name__ not in _generators:
        parts: list[Any] = []
        for name, value in sorted(vars(module).items()):
            if type(value) in (*_PLAIN, tuple) and not name.startswith("__"):
                parts.append(f"{name} {value!r}")
            for function in _functions_of(value):
                if function.__module__ == module.__name__:
                    parts += [name, _code_digest(function.__code__, function.__doc__)]
        _generators[module.__name__] = _joined(iter(parts))
    return _generators[module.__name__]


def _functions_of(value: Any) -> Iterator[Any]:
    value = getattr(value, "fget", None) or getattr(value, "__func__", None) or getattr(value, "_defn", None) or value
    if isinstance(value, python.FunctionType):
        yield value
    elif isinstance(value, type):
        for _, one in sorted(vars(value).items()):
            if not isinstance(one, type):
                yield from _functions_of(one)


# ---- byte code


def _code_digest(code: python.CodeType, doc: str | None = None) -> bytes:
    """Byte code, names and constants, without file, lines and docstring."""
    if code not in _codes:
        constants = code.co_consts
        if constants and doc is not None and constants[0] == doc:
            constants = (None, *constants[1:])
        parts: list[Any] = [code.co_code, getattr(code, "co_exceptiontable", b""), code.co_flags]
        parts += [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount]
        parts += [code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars]
        parts += [
            _code_digest(c) if isinstance(c, python.CodeType) else f"{type(c).__name__} {_constant(c)}"
            for c in constants
        ]
        _codes[code] = _joined(iter(parts))
    return _codes[code]


def _constant(value: Any) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _globals_read(code: python.CodeType) -> set[str]:
    """Names of the globals that it and its inner functions read (without names of attributes)."""
    found, raw, extended = set(), code.co_code, 0
    for at in range(0, len(raw), 2):
        operation, argument = raw[at], raw[at + 1] | extended
        extended = argument << 8 if operation == _EXTENDED else 0
        if operation == _LOAD_GLOBAL:
            found.add(code.co_names[argument >> 1])
    for constant in code.co_consts:
        if isinstance(constant, python.CodeType):
            found |= _globals_read(constant)
    return found


def _names_in(code: python.CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python.CodeType):
            found |= _names_in(constant)
        elif isinstance(constant, str) and constant.isidentifier():
            found.add(constant)  # getattr(module, "name")
    return found


_registered: dict[int, list[tuple[Any, Any]]] = {}
"""Entries of numba's registry for a function, by the id of the function (which the registry keeps)."""


def _overloads(function: Callable[..., Any]) -> list[Any]:
    """Templates that replace a plain function in compiled code."""
    for key, kind in builtin_registry.globals[sum(map(len, _registered.values())) :]:
        _registered.setdefault(id(key), []).append((key, kind))
    return [t for _, kind in _registered.get(id(function), ()) for t in getattr(kind, "templates", ())]


def _root(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _name(thing: Any, name: str = "") -> str:
    """Name of a function or class; of this package without the module, so that code may move to another file."""
    own = _root(thing.__module__) == _root(__name__)
    return f"{'' if own else thing.__module__}.{name or thing.__qualname__}"
