"""Option of a format on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["ImportOption"]


@dataclass(frozen=True)
class ImportOption:
    """Option of one or more formats on the command line.

    flag:     on the command line, for example "--load-case"
    argument: of the function that reads the file, for example "load_case"
    kind:     "text": one text; "flag": True if specified; "texts": may be repeated, a list; "pairs": NAME=VALUE, may be
              repeated, a dictionary; "number": a number
    """

    flag: str
    argument: str
    help: str
    kind: Literal["text", "flag", "texts", "pairs", "number"] = "text"
    metavar: str = "VALUE"
