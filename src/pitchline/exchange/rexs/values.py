"""Texts of values in REXS files, and their meaning: numbers, flags, coded arrays."""

from __future__ import annotations

import base64
import binascii
import math
import re
from typing import Any

import numpy as np

__all__ = ["CODES", "JSON_NUMBER", "NumberText", "bare", "decoded", "encoded", "float_of", "guessed", "typed"]

CODES: dict[str, str] = {"int32": "<i4", "float32": "<f4", "float64": "<f8"}
"""Code of an array -> type of its numbers, little-endian."""
JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,300}")
FLAGS = {"true": True, "false": False}
MOST_DIGITS = 400
"""Longest text of a number."""


class NumberText(str):
    """Number as it is written in a JSON file."""

    __slots__ = ()


def bare(text: str | None) -> str | None:
    """Text without blanks around numbers and flags; None for an empty text, which means no value."""
    if text is None:
        return None
    short = text.strip()
    if not short:
        return None
    return short if short in FLAGS or _NUMBER.fullmatch(short[: MOST_DIGITS + 1]) else text


def float_of(text: str) -> float:
    """Finite number of a text. ValueError with the reason otherwise."""
    short = text.strip()
    if len(short) > MOST_DIGITS or not _NUMBER.fullmatch(short):
        if short.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise ValueError("is not a finite number")
        if _NUMBER.fullmatch(short.replace(",", ".")):
            raise ValueError("is not a number. Write a point instead of the comma")
        raise ValueError("is not a number")
    number = float(short)
    if not math.isfinite(number):
        raise ValueError("is too large for a number")
    return number


def integer_of(text: str) -> int:
    """Integer of a text; "2.0" is accepted as well."""
    short = text.strip()
    if _INTEGER.fullmatch(short):
        number = int(short)
    else:
        value = float_of(short)
        if value != math.floor(value):
            raise ValueError("is not an integer")
        number = int(value)
    if abs(number) > 2**63:
        raise ValueError("is too large for an integer")
    return number


def flag_of(text: str) -> bool:
    """Flag of a text: true, false, in any case; 1 and 0 as XML has it."""
    short = text.strip().lower()
    if short in ("true", "1"):
        return True
    if short in ("false", "0"):
        return False
    raise ValueError('is neither "true" nor "false"')


def typed(text: str | None, value_type: str) -> Any:
    """Value of a text for a type of the standard. ValueError with the reason if it does not fit."""
    if text is None:
        return None
    if value_type.startswith("floating_point"):
        return float_of(text)
    if value_type.startswith(("integer", "reference_component", "array_of_integer")):
        return integer_of(text)
    if value_type.startswith("boolean"):
        return flag_of(text)
    return str(text)


def guessed(text: str | None) -> str:
    """Type of the standard for a text of unknown type."""
    if text in FLAGS:
        return "boolean"
    if text is not None and len(text) <= MOST_DIGITS and JSON_NUMBER.fullmatch(text):
        return "integer" if text.lstrip("-").isdigit() else "floating_point"
    return "string"


def decoded(text: str, code: str) -> np.ndarray:
    """Numbers of a coded array. ValueError with the reason if the text or the code is wrong."""
    if code not in CODES:
        raise ValueError(f'the code "{code}" is unknown. Known codes: {", ".join(CODES)}')
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("the coded text is not valid base64") from error
    size = np.dtype(CODES[code]).itemsize
    if len(data) % size:
        raise ValueError(f"the coded text has {len(data)} bytes, which is not a multiple of {size} ({code})")
    numbers = np.frombuffer(data, dtype=CODES[code]).astype(float if code[0] == "f" else np.int64)
    if not np.all(np.isfinite(numbers)):
        raise ValueError("contains a value that is not a finite number")
    return numbers


def encoded(numbers: np.ndarray, code: str) -> str:
    """Coded text of an array, row by row."""
    return base64.b64encode(np.ascontiguousarray(numbers, dtype=CODES[code]).tobytes()).decode("ascii")
