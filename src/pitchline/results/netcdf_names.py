"""Names, dimensions and attributes of a result outside this library: in its file and in xarray.

dimensions   time, and one dimension for each set of component labels: "component" for (x, y, z),
             "component_wxyz" and the like for others
variables    time, the component labels, and every signal under its name `element.signal`,
             with units, long_name and description; `rate` names the variable that holds its derivative
attributes   title, kind, model_name, status, message, pitchline_version, pitchline_result_format,
             and as JSON text: warnings, statistics, options, model, and source where there is one;
             in the file, `checksums` too: SHA-256 of every array and of all the rest
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.disk.stored_array import StoredArray
from pitchline.results.lazy_signal import held
from pitchline.results.plain_data import to_json
from pitchline.results.signal import Signal

if TYPE_CHECKING:
    from pitchline.results.result import Result

#: Version of the file; a reader refuses files with a larger number. 2: with checksums. 3: signals of gear pairs by the flank that
#: bears. 4: their lengths and stiffness on the base circle.
FORMAT = 4

_Key = tuple[int, tuple[int, ...], tuple[int, ...]]


def dimension_names(result: Result) -> dict[tuple[str, ...], str]:
    """Component labels -> name of their dimension, different from the name of every signal."""
    names: dict[tuple[str, ...], str] = {}
    for signal in result.signals.values():
        labels = signal.components
        if not labels or labels in names:
            continue
        joined = "".join(labels)
        plain_labels = len(joined) <= 8 and joined.isalnum() and joined.isascii()
        name = f"component_{joined if plain_labels else len(labels)}"
        if labels == ("x", "y", "z"):
            name = "component"
        while name in result.signals or name in names.values():
            name += "_"
        names[labels] = name
    return names


def global_attributes(result: Result) -> dict[str, Any]:
    """Attributes of the whole, in the order in which a reader sees them; empty ones left out."""
    attributes = {
        "title": f"{result.model_name}: {result.kind}",
        "kind": result.kind,
        "model_name": result.model_name,
        "status": result.status.value,
        "message": result.message,
        "warnings": to_json(result.warnings),
        "statistics": to_json(result.statistics),
        "options": to_json(result.options),
        "model": to_json(result.model),
        "source": to_json(result.source) if result.source else "",
        "pitchline_version": result.version,
        "pitchline_result_format": np.int32(FORMAT),
    }
    return {key: value for key, value in attributes.items() if not isinstance(value, str) or value}


def signal_attributes(signal: Signal) -> dict[str, str]:
    """units, long_name and description of one signal; empty ones left out."""
    # Plots made by netCDF readers put long_name on the axis: the name in words, not the whole description.
    words = signal.name.replace(".", " ").replace("_", " ")
    attributes = {"units": signal.unit, "long_name": words, "description": signal.description}
    return {key: value for key, value in attributes.items() if value}


def shared_rates(result: Result) -> dict[str, str]:
    """Signal -> the signal whose values are its rate, where both are the same memory or the same array of a file.

    A velocity that serves as the rate of a position is then stored once.
    """
    values = {name: held(signal, "values") for name, signal in result.signals.items()}
    owners = {_memory(array): name for name, array in values.items() if array is not None and array.size}
    found: dict[str, str] = {}
    for name, signal in result.signals.items():
        rate = held(signal, "rate")
        if rate is not None and rate.size and _memory(rate) in owners:
            found[name] = owners[_memory(rate)]
    return found


def _memory(array: np.ndarray[Any, Any] | StoredArray) -> _Key:
    if isinstance(array, StoredArray):
        return id(array), (), ()
    return array.ctypes.data, array.shape, array.strides
