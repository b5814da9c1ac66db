"""``pitchline import``: write a model file from a file of another program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..errors import ModelError, shown
from ..exchange.formats import FORMATS, ImportOption
from .exit_status import FINE, say
from .options import Commands, add_force, add_json, add_output, add_yes, command, completes
from .untrusted_files import printable

__all__ = ["add"]

EXAMPLES = """\
  pitchline import gearbox.rexs                      write gearbox.toml and list what was used and what was not
  pitchline import gearbox.rexs -o model.toml        to another file
  pitchline import gearbox.rexs --run                also run the analyses of the new file and print its tables

The report lists first what is not in the model, then what was assumed.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    names = ", ".join(one.name for one in FORMATS)
    parser = command(
        commands,
        "import",
        "write a model file from a file of another program",
        f"Read a file of another program and write a model file. Formats: {names}.",
        EXAMPLES,
        _import,
    )
    action = parser.add_argument("file", metavar="FILE", type=Path, help="file of another program")
    completes(action, *(ending for one in FORMATS for ending in one.endings + one.possible))
    add_output(parser, "FILE", "the model (default: the name of FILE with the ending .toml, in the current folder)")
    parser.add_argument("--format", metavar="FORMAT", help=f"format of the file (default: by its ending): {names}")
    parser.add_argument("--run", action="store_true", help="run the analyses of the model")
    for option, formats in _options().values():
        _add_option(parser, option, formats)
    add_json(parser)
    add_yes(parser)
    add_force(parser)


def _options() -> dict[str, tuple[ImportOption, list[str]]]:
    """Options of all formats by flag, with the names of the formats that have them."""
    found: dict[str, tuple[ImportOption, list[str]]] = {}
    for one in FORMATS:
        for option in one.options:
            found.setdefault(option.flag, (option, []))[1].append(one.name)
    return found


def _add_option(parser: argparse.ArgumentParser, option: ImportOption, formats: list[str]) -> None:
    ways: dict[str, dict[str, Any]] = {
        "text": {"metavar": option.metavar},
        "number": {"metavar": option.metavar, "type": float},
        "flag": {"action": "store_true", "default": None},
        "texts": {"metavar": option.metavar, "action": "append"},
        "pairs": {"metavar": option.metavar, "action": "append"},
    }
    how = ways[option.kind]
    parser.add_argument(
        option.flag, dest=f"option_{option.argument}", help=f"{option.help} ({', '.join(formats)})", **how
    )


def _given_options(given: argparse.Namespace) -> dict[str, Any]:
    """Options that were specified, as arguments of the reader."""
    found: dict[str, Any] = {}
    for option, _ in _options().values():
        value = getattr(given, f"option_{option.argument}")
        if value is not None:
            found[option.argument] = _pairs(option, value) if option.kind == "pairs" else value
    return found


def _pairs(option: ImportOption, texts: list[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ModelError(f"{option.flag} {shown(text)}: expected {option.metavar}")
        pairs[name.strip()] = value.strip()
    return pairs


def _import(given: argparse.Namespace) -> int:
    from ..exchange.formats import import_model
    from ..exchange.imported import KINDS
    from .output import chosen_file

    stem = given.file.name.split(".")[0] or "model"
    # checked before the file is read, so that no work is lost
    target = chosen_file(given.output, stem, ".toml", force=given.force)
    imported = import_model(given.file, format=given.format, **_given_options(given))
    written = imported.write(target, overwrite=given.force, how_to_overwrite="add --force")
    outcome = None
    if not given.json:
        text = imported.report.text()
        if text:
            print(printable(text), end="\n\n")
        print(f"model    {written[0]}")
        for path in written[1:]:
            print(f"file     {path}")
    if given.run:
        from .job_run import perform
        from .jobs import find_job

        outcome = perform(find_job(str(written[0])), quiet=given.json)
    if given.json:
        from .job_run import as_data
        from .run import print_json

        notes = {kind: imported.report.of(kind) for kind in KINDS}
        files = {"file": str(written[0]), "files": [str(path) for path in written[1:]]}
        print_json({**files, "report": notes, **({} if outcome is None else {"run": as_data(outcome)})})
    elif outcome is not None and outcome.status == FINE:
        from .run import show

        print()
        show(outcome, tables=False)
    if outcome is not None and outcome.status != FINE:
        say(outcome.failure)
        return outcome.status
    return FINE
