"""StateLaw: a Python function of time, angle and speed of the joint on which a load acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["StateLaw"]


@dataclass(frozen=True, eq=False)
class StateLaw:
    """Python function of signals.

    Attributes
    ----------
    function
        Function of numbers in SI. It is compiled.
    signals
        Names of its arguments: "t" for the time, otherwise "PART.SIGNAL".
    """

    function: Callable[..., float]
    signals: tuple[str, ...]

    def describe(self) -> dict[str, Any]:
        """Return the law as plain data."""
        return {"function": "law", "callable": repr(self.function), "signals": list(self.signals)}
