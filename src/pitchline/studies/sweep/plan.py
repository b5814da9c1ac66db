"""SweepPlan: everything that determines the values of a sweep. A store belongs to one plan."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import PitchlineError, listed
from ...version import __version__
from ..points import Points
from ..sources import Source
from .request import SweepRequest

__all__ = ["OtherPlanError", "SweepPlan"]

FORMAT = 2
_PARTS = ("version", "python", "source", "request", "points")
"""Entries that determine the values."""


class OtherPlanError(PitchlineError):
    """A store belongs to another sweep."""


@dataclass(frozen=True)
class SweepPlan:
    """Plan of a sweep as plain data.

    data : format, version, version of Python, source (texts of the files, or checksums of what a function depends on), request,
        points
    """

    data: Mapping[str, Any]

    @staticmethod
    def of(source: Source, points: Points, request: SweepRequest) -> SweepPlan:
        """Plan of a sweep."""
        data = {
            "format": FORMAT,
            "version": __version__,
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            "source": source.to_data(),
            "request": request.to_data(),
            "points": points.to_data(),
        }
        return SweepPlan(json.loads(json.dumps(data)))  # as it is read back: tuples are lists

    @property
    def digest(self) -> str:
        """Checksum of what determines the values."""
        text = json.dumps([self.data.get(part) for part in _PARTS], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> str:
        """Text of plan.json."""
        return json.dumps({**self.data, "sha256": self.digest}, indent=1, ensure_ascii=False) + "\n"

    @staticmethod
    def from_json(text: str) -> SweepPlan:
        """Plan from `to_json`. ValueError if the text is damaged."""
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("it is not a table")
        plan = SweepPlan({key: value for key, value in data.items() if key != "sha256"})
        if data.get("format") != FORMAT:
            raise ValueError(f"its format is {data.get('format')!r:.20}; this version of pitchline reads {FORMAT}")
        if data.get("sha256") != plan.digest:
            raise ValueError("its checksum is wrong; it was changed")
        return plan

    def differences(self, other: SweepPlan) -> Iterator[str]:
        """What is different in another plan, as texts."""
        mine, its = self.data, other.data
        if mine["version"] != its["version"]:
            yield f"pitchline {its['version']} instead of {mine['version']}"
        if mine["python"] != its["python"]:
            yield f"Python {its['python']} instead of {mine['python']}"
        yield from _source_differences(mine["source"], its["source"])
        for key, words in (("figures", "the figures"), ("signals", "the signals")):
            if mine["request"][key] != its["request"][key]:
                yield words
        run, its_run = mine["request"]["run"], its["request"]["run"]
        if run is not None and its_run is not None:
            yield from (f"the function run: {text}" for text in _source_differences(run, its_run))
        elif run != its_run:
            yield "the function run"
        yield from _point_differences(mine["points"], its["points"])


def _source_differences(mine: Mapping[str, Any], its: Mapping[str, Any]) -> Iterator[str]:
    if mine["kind"] != its["kind"]:
        yield f"a {its['kind']} instead of a {mine['kind']}"
        return
    if mine["name"] != its["name"]:
        yield f'the model "{its["name"]}" instead of "{mine["name"]}"'
    if mine["kind"] == "file":
        files = [*mine["files"], *(name for name in its["files"] if name not in mine["files"])]
        changed = [name for name in files if mine["files"].get(name) != its["files"].get(name)]
        if changed:
            yield f"the text of {listed(changed)}"
        yield from _value_differences(mine["overrides"], its["overrides"], "the value of the file")
    else:
        yield from _value_differences(mine.get("values", {}), its.get("values", {}), "its default")
    parts, others = mine.get("parts", {}), its.get("parts", {})
    changed = [name for name in {**parts, **others} if parts.get(name) != others.get(name)]
    if changed:
        yield f"other content of {listed(changed)}"


def _value_differences(mine: Mapping[str, str], its: Mapping[str, str], absent: str) -> Iterator[str]:
    for name in [*mine, *(name for name in its if name not in mine)]:
        if mine.get(name) != its.get(name):
            yield f"{name}: {its.get(name, absent)} instead of {mine.get(name, absent)}"


def _point_differences(mine: Mapping[str, Any], its: Mapping[str, Any]) -> Iterator[str]:
    before = len(mine["axes"]), len(its["axes"])
    names = [*mine["axes"], *(name for name in its["axes"] if name not in mine["axes"])]
    for name in names:
        own, other = mine["axes"].get(name), its["axes"].get(name)
        if own is None or other is None:
            yield f"{name} is {'not ' if other is None else ''}varied"
        elif any(own[key] != other[key] for key in ("values", "unit", "along")):
            yield f"values of {name}: {_range(other)} instead of {_range(own)}"
    if before[0] == before[1] and list(mine["axes"]) != list(its["axes"]) and set(mine["axes"]) == set(its["axes"]):
        yield "the order of the parameters"


def _range(axis: Mapping[str, Any]) -> str:
    values = axis["values"]
    ends = _short(values[0]) if len(values) == 1 else f"{_short(values[0])} ... {_short(values[-1])}"
    return f"{len(values)} value{'s' if len(values) > 1 else ''} {ends}{' ' + axis['unit'] if axis['unit'] else ''}"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
