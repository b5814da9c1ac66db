"""``pitchline gallery`` and ``pitchline info``: list the models of the gallery; show the contents of a result file."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.errors import PitchlineError

from .run import FINE, Commands, add_force, add_output, add_result, command, completes, printable, read_from

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["add_gallery", "add_info"]


# ---- gallery

# ``pitchline gallery``: list the shipped models, or copy one.

_EXAMPLES = """\
  pitchline gallery                              list the models, one line each
  pitchline gallery --copy helical-pair          write helical-pair.toml to edit and run
  pitchline gallery --copy press -o mine.toml    write the copy under another name
  pitchline gallery --copy press -o -            print the file
"""


def add_gallery(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "gallery",
        "list the shipped models, or copy one",
        "List the shipped models, or copy one.",
        _EXAMPLES,
        _gallery,
    )
    action = parser.add_argument("--copy", metavar="NAME", help="write the file of this model, to edit and run")
    completes(action, "gallery")
    add_output(
        parser,
        "FILE",
        "the copy (default: NAME.toml, or NAME.py for a program, in the current folder); - prints it",
    )
    add_force(parser)


def _gallery(given: argparse.Namespace) -> int:
    if given.copy is None:
        if given.output is not None:
            from pitchline.errors import ModelError

            raise ModelError("-o specifies the file for a copy. Specify also the model, with --copy NAME")
        from pitchline.gallery.console import list_models

        print(list_models())
        return FINE
    from pitchline.gallery.catalogue import model

    from .run import chosen_file, write_text

    one = model(given.copy)
    text, suffix = one.copy()
    if given.output == Path("-"):
        print(text, end="")
        return FINE
    path = chosen_file(given.output, one.name, suffix, force=given.force)
    write_text(path, text, force=given.force)
    print(path)
    if suffix == ".py":
        print(f"{one.name} is a Python program. Run it with: python {path}", file=sys.stderr)
    return FINE


_EXAMPLES_info = """\
  pitchline info out/press.nc             model, analysis, warnings, signals with their units
  pitchline info map.nc                   result of a study: ranges of its values, failed points
  pitchline info out/press.nc --model     the stored model: text of its model file, or its elements as JSON
"""


def add_info(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "info",
        "show the contents of a result file",
        "Show the contents of a result file: model, analysis, how it ended, warnings, statistics, signals, version.",
        _EXAMPLES_info,
        _info,
    )
    add_result(parser)
    parser.add_argument("--model", action="store_true", help="print only the model that is stored in the file")


def _info(given: argparse.Namespace) -> int:
    from .result_files import load_result, load_study

    study = load_study(given.result)
    if study is not None:
        if given.model:
            raise PitchlineError(f'"{given.result}" is the result of a study, which does not contain its model')
        print(printable(str(study)))
        return FINE
    result = load_result(given.result)
    with read_from(given.result):
        text = _model(result) if given.model else result_text(str(given.result), result)
    print(printable(text))
    return FINE


def result_text(name: str, result: Result) -> str:
    """Contents of the file as text."""
    time = result.time
    span = f", t = {time[0]:g} to {time[-1]:g} s" if len(time) > 1 else f", t = {time[0]:g} s" if len(time) else ""
    rows = [
        ("file", name),
        ("model", f"{result.model_name}{_parts(result.model)}"),
        ("from", _origin(result)),
        ("analysis", f"{result.kind}{_called(result)}, {result.status}"),
        ("samples", f"{result.samples}{span}"),
        ("message", result.message),
        ("options", _pairs({key: value for key, value in result.options.items() if value is not None})),
        ("statistics", _pairs(result.statistics)),
        ("version", f"pitchline {result.version}"),
        *(("warning", text) for text in result.warnings),
    ]
    lines = [
        textwrap.fill(text, 110, initial_indent=f"{key:<12}", subsequent_indent=" " * 12, break_long_words=False)
        for key, text in rows
        if text
    ]
    return "\n".join([*lines, "", _signals(result)])


def _signals(result: Result) -> str:
    from pitchline.results.result import text_table

    if not result.signals:
        return "no signals"
    lines = {*result.model.get("shafts", {}), *result.model.get("beams", {})}
    rows, between = [], 0
    for signal in result.signals.values():
        if signal.name.partition(".")[0].rpartition(" node ")[0] in lines:
            between += 1
            continue
        parts = "" if not signal.components else " ".join(signal.components)
        rows.append([signal.name, signal.unit or "-", parts, signal.description])
    table = text_table(["signal", "unit", "components", "description"], rows, left=4)
    return f"{table}\n\nand {between} signals of nodes between stations" if between else table


def _parts(model: dict[str, Any]) -> str:
    """Number of elements of the model: ": 2 bodies, 2 joints"."""
    counts = []
    for key in (
        "bodies", "shafts", "beams", "flexible_bodies", "membranes", "joints", "drives", "loads", "gear_pairs", "elements",
    ):  # fmt: skip
        number = len(model.get(key, ()))
        if number:
            word = key.replace("_", " ")
            single = word.replace("bodies", "body") if word.endswith("bodies") else word[:-1]
            counts.append(f"{number} {word if number > 1 else single}")
    return ": " + ", ".join(counts) if counts else ""


def _origin(result: Result) -> str:
    source = result.source
    changed = "".join(f" --set {key}={value}" for key, value in source.get("set", {}).items())
    if "gallery" in source:
        return f"the gallery; run it again with: pitchline run {source['gallery']}{changed}"
    if "text" in source:
        return f"{source.get('name', 'a model file')}{changed}, stored in this file; run it again with: pitchline run RESULT"
    return "Python"


def _called(result: Result) -> str:
    name = result.source.get("analysis", "")
    return f' "{name}"' if name and name != result.kind else ""


def _pairs(data: dict[str, Any]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_short(value)}" for key, value in data.items())


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _model(result: Result) -> str:
    if "text" in result.source:
        return str(result.source["text"]).rstrip("\n")
    import json

    from pitchline.results.series import to_json

    return json.dumps(json.loads(to_json(result.model)), indent=2, ensure_ascii=False)
