"""``pitchline fmu``: export a model as FMU for co-simulation."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..errors import ModelError, shown
from .exit_status import FINE
from .options import Commands, add_allow, add_force, add_json, add_model, add_output, add_set, command
from .untrusted_files import printable

__all__ = ["add"]

EXAMPLES = """\
  pitchline fmu gearbox.toml                         inputs and outputs of the table [fmu] of the file
  pitchline fmu helical-pair --input load --signal mesh.normal_force --step 10us -o box.fmu
  pitchline fmu gearbox.toml --fmi 3 --input motor=extrapolate --signal output.angular_speed
  pitchline fmu gearbox.toml --self-contained        machine code inside, for machines without Python
  pitchline fmu gearbox.toml --list                  names of all possible inputs, signals and parameters

An input is a load, a drive, a component such as wind.x, or a field of an element such as controller.setpoint. After "=" the course
between two settings: hold, extrapolate or ramp. The FMU needs Python with pitchline on the machine that runs it, unless it is
self-contained.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "fmu",
        "export a model as FMU for co-simulation",
        "Write a model as FMU (FMI 2 or 3, co-simulation), for other programs.",
        EXAMPLES,
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
    from ..exchange.fmi.export import export_fmu
    from .jobs import FileJob, find_job
    from .output import chosen_file
    from .run import print_json

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
    from ..analyses.stepper_inputs import available_inputs
    from ..model import Model
    from ..system.signal_list import signals_of
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
