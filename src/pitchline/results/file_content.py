"""Content of a result file: plain data (the head) and arrays by key, for every way of reading the file.

head      attributes: texts and the format, as in `netcdf_names`; signals: name -> unit, description, components, key of the
          rate; states: name -> "bool" or ""
arrays    "time", the values of signals under their names, "rate/NAME", "state/NAME"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.disk.errors import StorageError
from pitchline.results.errors import ResultFileError
from pitchline.results.lazy_signal import held
from pitchline.results.netcdf_names import FORMAT, global_attributes, shared_rates, signal_attributes
from pitchline.results.plain_data import from_json
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import Status

__all__ = ["RATE", "STATE", "check_format", "head_of", "result_of", "state_arrays", "text_form"]

RATE, STATE = "rate/", "state/"
_JSON = {"warnings": list, "statistics": dict, "options": dict, "model": dict, "source": dict}
_TEXTS = ("kind", "model_name", "message", "pitchline_version")
_BY_LOADED_FLANK = 3
"""Format since which gear pairs count by the flank that bears."""
_ON_BASE_CIRCLE = 4
"""Format since which their lengths and stiffness are on the base circle."""


def text_form(text: str) -> str:
    """A text as a file can hold it: a lone surrogate has no UTF-8 (escaped, it is still valid inside JSON), a zero ends it."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def head_of(result: Result) -> dict[str, Any]:
    """All data except the arrays."""
    rates = shared_rates(result)
    signals = {}
    for name, signal in result.signals.items():
        about = signal_attributes(signal)
        signals[name] = {
            "unit": text_form(about.get("units", "")),
            "description": text_form(about.get("description", "")),
            "components": [text_form(label) for label in signal.components],
            "rate": "" if held(signal, "rate") is None else rates.get(name, RATE + name),
        }
    attributes = {key: text_form(v) if isinstance(v, str) else int(v) for key, v in global_attributes(result).items()}
    states = {name: "bool" if array.dtype == bool else "" for name, array in result.states.items()}
    return {"attributes": attributes, "signals": signals, "states": states}


def state_arrays(result: Result) -> dict[str, NDArray[Any]]:
    """States as they are stored. netCDF has no booleans: they are bytes, and the head records it."""
    arrays = {}
    for name, array in result.states.items():
        if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8 or array.dtype == np.float16:
            raise ResultFileError(f'state "{name}" has type {array.dtype}; only real numbers can be saved')
        if not name or "/" in name or not name.isprintable() or name.startswith("axis"):
            raise ResultFileError(f'state name "{name}": must be printable, without "/", and not begin with "axis"')
        arrays[name] = array.astype(np.int8) if array.dtype == bool else array
    return arrays


def check_format(version: object, writer: object, called: str) -> int:
    """Format of a result file, if it is known."""
    if isinstance(version, np.integer):
        version = int(version)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ResultFileError(f"{called} has the unknown result format {version!r:.40}; formats 1 to {FORMAT} are read")
    if version > FORMAT:
        raise ResultFileError(
            f"{called} has result format {version}, this version of pitchline reads up to {FORMAT}; "
            f"it was written by pitchline {writer!s:.40}: update to read it"
        )
    return version


def result_of(
    head: dict[str, Any], arrays: Mapping[str, Any], called: str, signal: Callable[..., Signal] = Signal
) -> Result:
    """The result; content of a wrong type or shape is a ResultFileError that names it.

    signal:  makes the signals; what `arrays` holds under their names is for it to know
    """
    try:
        return _result(head, arrays, signal)
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError, StorageError) as error:
        reason = str(error.args[0] if error.args else error).strip() or type(error).__name__
        raise ResultFileError(f"{called} is damaged, or not as pitchline writes it: {reason}") from error


def _result(head: dict[str, Any], arrays: Mapping[str, Any], signal: Callable[..., Signal]) -> Result:
    attributes, time = head["attributes"], _real(arrays["time"], "time")
    texts = {key: _text(attributes.get(key, ""), key) for key in (*_TEXTS, "status")}
    data = {key: from_json(_text(attributes.get(key, ""), key) or "null") for key in _JSON}
    for key, kind in _JSON.items():
        if data[key] is None and key == "source":
            data[key] = {}
        if not isinstance(data[key], kind):
            raise ValueError(f'"{key}" is not a {"list" if kind is list else "table"}')
    if not all(isinstance(text, str) for text in data["warnings"]):
        raise ValueError("a warning is not a text")
    signals = {}
    for name, about in head["signals"].items():
        rate = _text(about["rate"], "rate")
        signals[name] = signal(
            name=name,
            values=_real(arrays[name], name),
            time=time,
            unit=_text(about["unit"], "unit"),
            description=_text(about["description"], "description"),
            components=tuple(_text(label, "component") for label in about["components"]),
            rate=_real(arrays[rate], rate) if rate else None,
        )
    data["warnings"] += _other_signs(attributes.get("pitchline_result_format"), signals)
    states = {name: _state(arrays[STATE + name], _text(mark, name)) for name, mark in head["states"].items()}
    return Result(
        kind=texts["kind"],
        model_name=texts["model_name"],
        time=time,
        signals=signals,
        status=Status(texts["status"]),
        message=texts["message"],
        states=states,
        version=texts["pitchline_version"],
        **data,
    )


def _other_signs(version: object, signals: dict[str, Signal]) -> list[str]:
    """Warnings where signals of gear pairs have the signs or the directions of an earlier version."""
    pairs = [name.removesuffix(".transmission_error") for name in signals if name.endswith(".transmission_error")]
    pairs = [f'"{pair}"' for pair in pairs if f"{pair}.approach" in signals]
    if not pairs or not isinstance(version, (int, np.integer)):
        return []
    found = []
    if version < _BY_LOADED_FLANK:
        found.append(
            f"forces, deflection and transmission error of {', '.join(pairs)} have the signs of the version of pitchline that "
            "wrote this file: negative on the coast flank, backlash included; run the model again for those of this version"
        )
    if version < _ON_BASE_CIRCLE:
        found.append(
            f"transmission error and deflection of {', '.join(pairs)} are along the normal of the flanks, approach and stiffness "
            "along the hoop, as in the version of pitchline that wrote this file; run the model again for those on the base circle"
        )
    return found


def _real(array: Any, name: str) -> Any:
    if array.dtype != np.float64:
        raise ValueError(f'"{name}" holds {array.dtype}, not real numbers')
    return array


def _state(array: NDArray[Any], mark: str) -> NDArray[Any]:
    if array.dtype.kind not in "iuf" or mark not in ("", "bool"):
        raise ValueError(f"a state holds {array.dtype}, not real numbers")
    return array.astype(bool) if mark == "bool" else array


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f'"{name}" is not a text')
    return value
