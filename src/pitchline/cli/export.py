"""``pitchline fmu`` and ``pitchline import``: models for other programs, and models from their files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pitchline.errors import ModelError, shown
from pitchline.exchange.formats import FORMATS, ImportOption

from .run import (
    FINE,
    Commands,
    add_allow,
    add_force,
    add_json,
    add_model,
    add_output,
    add_result,
    add_set,
    add_signals,
    add_yes,
    command,
    completes,
    printable,
    say,
)

__all__ = ["add_export", "add_fmu", "add_import"]


# ---- export

# ``pitchline export``: signals of a result as CSV, Parquet, MAT or NPZ.

_EXAMPLES = """\
  pitchline export out/press.nc -o press.parquet                 all signals, with units
  pitchline export out/press.nc -o press.mat "guide.*"           selected signals, for MATLAB
  pitchline export out/press.nc -o press.csv billet.force
  pitchline export bench.wav -o bench.parquet                    a measurement in another format

The ending of FILE is the format: .csv, .parquet (needs pyarrow), .mat (version 5) or .npz (NumPy).
"""


def add_export(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "export",
        "write signals of a result for other programs",
        "Write signals of a result, or of a measurement, as CSV, Parquet, MAT or NPZ, with names, units and time.",
        _EXAMPLES,
        _export,
    )
    add_result(parser)
    add_signals(parser, optional=True)
    add_output(parser, "FILE", "the signals; its ending is the format")
    add_force(parser)


def _export(given: argparse.Namespace) -> int:
    from pitchline.errors import PitchlineError
    from pitchline.exchange.measurements.reader import is_measurement, read_measurement
    from pitchline.results.result import Result

    if given.output is None:
        raise PitchlineError("specify the file with -o, e.g. -o run.parquet. Its ending is the format")
    if is_measurement(given.result):
        path = read_measurement(given.result).export(given.output, *given.signals, overwrite=given.force)
    else:
        with Result.load(given.result, lazy=True) as result:
            path = result.export(given.output, *given.signals, overwrite=given.force)
    print(path)
    return FINE


_EXAMPLES_fmu = """\
  pitchline fmu gearbox.toml                         inputs and outputs of the table [fmu] of the file
  pitchline fmu helical-pair --input load --signal mesh.normal_force --step 10us -o box.fmu
  pitchline fmu gearbox.toml --fmi 3 --input motor=extrapolate --signal output.angular_speed
  pitchline fmu gearbox.toml --self-contained        machine code inside, for machines without Python
  pitchline fmu gearbox.toml --list                  names of all possible inputs, signals and parameters

An input is a load, a drive, a component such as wind.x, or a field of an element such as controller.setpoint. After "=" the course
between two settings: hold, extrapolate or ramp. The FMU needs Python with pitchline on the machine that runs it, unless it is
self-contained.
"""


def add_fmu(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "fmu",
        "export a model as FMU for co-simulation",
        "Write a model as FMU (FMI 2 or 3, co-simulation), for other programs.",
        _EXAMPLES_fmu,
        _fmu,
    )
    add_model(parser)
    add_output(parser, "FILE", "the FMU (default: the name of the model with the ending .fmu, in the current folder)")
    parser.add_argument("--fmi", metavar="VERSION", type=int, choices=(2, 3), default=2, help="2 (default) or 3")
    parser.add_argument("--input", metavar="NAME", action="append", help="input of the model; may be repeated")
    parser.add_argument("--signal", metavar="SIGNAL", action="append", help="output signal; may be repeated")
    parser.add_argument(
        "--parameter", metavar="NAME", action="append", help="parameter of the FMU; may be repeated (default: all)"
    )
    parser.add_argument("--step", metavar="TIME", help="fixed step inside the FMU, e.g. 10us (default: error control)")
    parser.add_argument("--communication-step", metavar="TIME", help="suggested communication step, e.g. 1ms")
    parser.add_argument("--stop-time", metavar="TIME", help="suggested end of the simulation")
    parser.add_argument(
        "--start", metavar="ANALYSIS", help='start from the result of this analysis of the file, or from "statics"'
    )
    parser.add_argument(
        "--self-contained",
        action="store_true",
        help="FMU with machine code, which needs no Python on the target machine",
    )
    parser.add_argument("--list", action="store_true", help="list possible inputs, outputs and parameters, and exit")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_force(parser)


def _fmu(given: argparse.Namespace) -> int:
    from pitchline.exchange.fmi.export import export_fmu

    from .jobs import FileJob, find_job
    from .run import chosen_file, print_json

    job = find_job(given.model, given.set, given.allow)
    model: Any = job.file if isinstance(job, FileJob) else job.model()
    if given.list:
        return _list(model, json=given.json)
    target = chosen_file(given.output, job.name, ".fmu", force=given.force)
    made = export_fmu(
        model, target, inputs=_inputs(given.input), outputs=given.signal, parameters=given.parameter, step=given.step,
        fmi_version=given.fmi, start=given.start, communication_step=given.communication_step, stop_time=given.stop_time,
        self_contained=given.self_contained, allow=given.allow, overwrite=given.force,
    )  # fmt: skip
    if given.json:
        variables = [
            {"name": v.name, "causality": v.causality, "unit": v.unit, "start": v.start, "description": v.description}
            for v in made.variables
        ]
        print_json(
            {"file": str(made.path), "fmi": made.version, "variables": variables, "needs": list(made.needs),
             "warnings": list(made.warnings)}
        )  # fmt: skip
        return FINE
    for text in made.warnings:
        print(f"warning: {printable(text)}", file=sys.stderr)
    print(f"FMU      {made.path} (FMI {made.version}, co-simulation)")
    for causality in ("input", "output", "parameter"):
        names = made.named(causality)
        if names:
            print(f"\n{causality}s")
            width = max(len(v.name) for v in names)
            for v in names:
                start = "" if v.start is None else f"  start {v.start}"
                print(f"  {v.name:<{width}}  {v.unit or '1':<8}{start}")
    print("\nThe machine that runs this FMU needs:")
    for text in made.needs:
        print(f"  - {text}")
    return FINE


def _inputs(given: list[str] | None) -> Any:
    """Names, or names with their courses."""
    if given is None or not any("=" in text for text in given):
        return given
    found: dict[str, str | None] = {}
    for text in given:
        name, equals, course = text.partition("=")
        if not name or (equals and not course):
            raise ModelError(f"--input {shown(text)}: expected NAME or NAME=COURSE, e.g. motor=hold")
        if name in found:
            raise ModelError(f"--input {shown(text)}: {name} is given twice")
        found[name] = course or None
    return found


def _list(model: Any, *, json: bool) -> int:
    from pitchline.analyses.stepper_state import available_inputs
    from pitchline.engine.compile.station_signals import signals_of
    from pitchline.model.model import Model

    from .run import print_json

    plain = model if isinstance(model, Model) else model.model
    declared = [] if isinstance(model, Model) else [one for one in model.declared if not one.formula]
    inputs = {name: one.unit for name, one in available_inputs(plain).items()}
    signals = {name: spec.unit for name, spec in signals_of(plain).items()}
    parameters = {one.name: one.unit for one in declared}
    if json:
        print_json({"inputs": inputs, "signals": signals, "parameters": parameters})
        return FINE
    for title, names in (("inputs", inputs), ("signals", signals), ("parameters", parameters)):
        print(title if names else f"{title}: none")
        width = max((len(name) for name in names), default=0)
        for name, unit in names.items():
            print(f"  {name:<{width}}  {unit or '1'}")
    return FINE


# ---- import file

# ``pitchline import``: write a model file from a file of another program.

_EXAMPLES_import_file = """\
  pitchline import gearbox.rexs                      write gearbox.toml and list what was used and what was not
  pitchline import gearbox.rexs -o model.toml        to another file
  pitchline import gearbox.rexs --run                also run the analyses of the new file and print its tables

The report lists first what is not in the model, then what was assumed.
"""


def add_import(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    names = ", ".join(one.name for one in FORMATS)
    parser = command(
        commands,
        "import",
        "write a model file from a file of another program",
        f"Read a file of another program and write a model file. Formats: {names}.",
        _EXAMPLES_import_file,
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
    from pitchline.exchange.formats import import_model
    from pitchline.exchange.mass_table import KINDS

    from .run import chosen_file

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
        from .jobs import find_job, perform

        outcome = perform(find_job(str(written[0])), quiet=given.json)
    if given.json:
        from .jobs import as_data
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
