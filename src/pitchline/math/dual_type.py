"""Dual: a number together with its derivatives by n inputs, in compiled code only.

A law that is compiled for Duals instead of float64 numbers returns its value and its exact derivatives. A Dual is a struct of
n + 1 float64 numbers in registers: it is not allocated and has no reference count.

Numbers convert to Duals (derivatives 0), so that a variable may be a number on one path and a Dual on another. A Dual never
converts to a number: code that requires one (an item of an array, a function with an explicit signature) does not compile.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.compiler import Flags
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from ..version import __version__

__all__ = ["F8", "DualType", "Operand", "by_value", "called", "dual_of", "is_real", "joined", "operands", "template"]

F8 = types.float64
_DOUBLE = ir.DoubleType()


class DualType(types.Type):
    """Type of a number with n derivatives.

    The version is in the name, because numba stores functions of users with cache=True under the names of their types.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        super().__init__(name=f"Dual({n}, pitchline {__version__})")

    def unify(self, typing: Any, other: Any) -> Any:
        return self if is_real(other) or other == self else None

    def can_convert_from(self, typing: Any, other: Any) -> Any:
        return Conversion.safe if is_real(other) else None


@register_model(DualType)
class _DualModel(models.StructModel):
    def __init__(self, manager: Any, kind: DualType) -> None:
        super().__init__(manager, kind, [("value", F8), ("parts", types.UniTuple(F8, kind.n))])


def is_real(kind: Any) -> bool:
    """Whether a type is a real number that has no derivatives."""
    return isinstance(kind, (types.Integer, types.Float, types.Boolean))


class Operand:
    """Number in generated code: its value, and its derivatives (None for a number that has none)."""

    __slots__ = ("parts", "value")

    def __init__(self, value: Any, parts: Any = None) -> None:
        self.value, self.parts = value, parts


def operands(builder: Any, kinds: Any, values: Any) -> list[Operand]:
    """Operands of a function. Python numbers, which numba passes for constant exponents, become constants."""
    found = []
    for kind, value in zip(kinds, values, strict=True):
        if isinstance(kind, DualType):
            parts = [builder.extract_value(value, [1, i]) for i in range(kind.n)]
            found.append(Operand(builder.extract_value(value, 0), parts))
        else:
            found.append(Operand(ir.Constant(_DOUBLE, float(value)) if isinstance(value, (int, float)) else value))
    return found


def joined(context: Any, builder: Any, kind: DualType, value: Any, parts: Any) -> Any:
    """Dual of its value and its derivatives."""
    made = ir.Constant(context.get_value_type(kind), ir.Undefined)
    made = builder.insert_value(made, value, 0)
    for i, part in enumerate(parts):
        made = builder.insert_value(made, part, [1, i])
    return made


def dual_of(context: Any, builder: Any, kind: DualType, value: Any) -> Any:
    """Dual of a number: its derivatives are 0."""
    return joined(context, builder, kind, value, [ir.Constant(_DOUBLE, 0.0)] * kind.n)


@lower_cast(types.Boolean, DualType)
@lower_cast(types.Integer, DualType)
@lower_cast(types.Float, DualType)
def _cast(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return dual_of(context, builder, wanted, context.cast(builder, value, given, F8))


def template(function: Any, choose: Any) -> None:
    """Type rule of a function: choose(typing context, argument types) returns a signature, or None."""

    class DualTemplate(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if kws or not any(isinstance(kind, DualType) for kind in args):
                return None
            return choose(self.context, args)

    infer_global(function)(DualTemplate)


def called(context: Any, builder: Any, kernel: Any, numbers: Any, results: int) -> list[Any]:
    """Call of a Python function of float64 numbers that returns a tuple of them. It is compiled once, into its callers."""
    flags: Any = Flags()
    flags.error_model = "numpy"  # a division by 0 is not an error
    flags.forceinline = True
    sig = signature(types.UniTuple(F8, results), *[F8] * len(numbers))
    compiled = context.compile_subroutine(builder, kernel, sig, flags=flags)
    found = context.call_internal(builder, compiled.fndesc, sig, numbers)
    return [builder.extract_value(found, i) for i in range(results)]


def _choose_values(function: Any) -> Any:
    def choose(typing: Any, args: Any) -> Any:
        plain = [F8 if isinstance(kind, DualType) else kind for kind in args]
        sig = typing.resolve_function_type(function, plain, {})
        return None if sig is None else signature(sig.return_type, *args)

    return choose


def by_value(function: Any, *, arguments: int = 1, digits: bool = False) -> None:
    """Declare a function whose result has no derivatives, or zero ones (comparisons, floor): numba's own is called."""
    if not digits:
        template(function, _choose_values(function))

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        typing = context.typing_context
        kind = typing.resolve_value_type(function)
        plain = [F8 if isinstance(k, DualType) else k for k in sig.args]
        found = kind.get_call_type(typing, plain, {})
        numbers = [
            context.cast(builder, builder.extract_value(v, 0) if isinstance(k, DualType) else v, p, wanted)
            for k, p, v, wanted in zip(sig.args, plain, values, found.args, strict=True)
        ]
        return context.get_function(kind, found)(builder, numbers)

    if digits:  # the second argument is an integer
        lower_builtin(function, DualType, types.Integer)(generate)
    elif arguments == 1:
        lower_builtin(function, DualType)(generate)
    else:
        for kinds in ((DualType, DualType), (DualType, types.Any), (types.Any, DualType)):
            lower_builtin(function, *kinds)(generate)
