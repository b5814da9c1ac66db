"""Plain data of a result in addition to its arrays, in a form that JSON stores without loss."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np

#: Strict JSON has no nan and no infinity; they are written as {"$float": "nan"}.
_FLOAT_MARK = "$float"
_AS_THEY_ARE = {bool, str, int, float, type(None)}


def plain_data(value: Any) -> Any:
    """Convert `value` to dicts, lists, text, numbers, booleans and None.

    Tuples and arrays become lists, unknown types their repr: saving never fails because of the type of an option.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is list:
        return [item if type(item) in _AS_THEY_ARE else plain_data(item) for item in value]
    if kind is dict:
        return {
            key if type(key) is str else str(key): item if type(item) in _AS_THEY_ARE else plain_data(item)
            for key, item in value.items()
        }
    if isinstance(value, Enum):
        return plain_data(value.value)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain_data(value.tolist())
    if isinstance(value, set | frozenset):
        return sorted((plain_data(item) for item in value), key=repr)
    return repr(value)


def to_json(value: Any) -> str:
    """Strict JSON text of plain data."""
    return json.dumps(_marked(value), ensure_ascii=False, allow_nan=False)


def from_json(text: str) -> Any:
    """The plain data that `to_json` wrote."""
    return json.loads(text, object_hook=_unmarked)


def _marked(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOAT_MARK: repr(value)}
    if isinstance(value, dict):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    return value


def _unmarked(item: dict[str, Any]) -> Any:
    return float(item[_FLOAT_MARK]) if item.keys() == {_FLOAT_MARK} else item
