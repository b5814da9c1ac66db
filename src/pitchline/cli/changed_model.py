"""Text of a model file with the values that a run used."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from ..errors import PitchlineError
from ..files.changed_parameters import with_parameters
from ..files.parameters import plain_value
from .jobs import FileJob

__all__ = ["changed_text"]


def changed_text(job: FileJob, values: Mapping[str, str], *, beside: bool) -> str:
    """Return the text of the job's file with these values.

    `beside`: whether it is saved in the folder of its included files.
    """
    if job.texts.included and not beside:
        raise PitchlineError(
            f"{job.texts.name} includes other files that are not available here. Save the result instead"
        )
    included: dict[str, Any] = {}
    for text in job.texts.included.values():
        given = tomllib.loads(text).get("parameters", {})
        included |= given if isinstance(given, dict) else {}
    units = {one.name: one.unit for one in job.file.declared}
    return with_parameters(
        job.texts.text, {name: _said(job, name, text, units) for name, text in values.items()}, included
    )


def _said(job: FileJob, name: str, text: str, units: Mapping[str, str]) -> Any:
    """Value as text of a model file. A plain number is in SI units. If the parameter has a unit, the file must state
    it."""
    value = plain_value(text)
    return job.file.parameters[name] if isinstance(value, (int, float)) and units[name] else value
