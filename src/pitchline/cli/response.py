"""``pitchline response``: frequency response of a model to a varying load, drive or tooth error."""

from __future__ import annotations

import argparse
from typing import Any

from .exit_status import FINE
from .options import (
    Commands,
    add_about,
    add_allow,
    add_force,
    add_json,
    add_model,
    add_output,
    add_set,
    add_yes,
    command,
)

__all__ = ["add"]

POINTS = 500
"""Default number of frequencies."""

EXAMPLES = """\
  pitchline response kubo-b --input mesh.error --signal mesh.normal_force
  pitchline response gearbox.toml --input load --signal mesh.normal_force --about statics -o out
  pitchline response gearbox.toml --input motor --signal b.position.x --frequencies 10Hz:5kHz:200

An input is a load or a drive of the model, PAIR.error, JOINT.torque, JOINT.force, BODY.force.x or BODY.torque.x. An output is
a signal, with .x, .y or .z for a component. Specify frequencies as FROM:TO or FROM:TO:NUMBER (equal logarithmic steps).
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "response",
        "frequency response from inputs to outputs",
        "Frequency response of small vibrations of a model about an operating point.",
        EXAMPLES,
        _response,
    )
    add_model(parser)
    parser.add_argument(
        "--input", metavar="NAME", action="append", required=True, help="input of the model; may be repeated"
    )
    parser.add_argument(
        "--signal", metavar="SIGNAL", action="append", required=True, help="output signal; may be repeated"
    )
    parser.add_argument(
        "--frequencies", metavar="FROM:TO:N", help="e.g. 10Hz:5kHz:200 (default: range of all natural frequencies)"
    )
    add_about(parser)
    add_output(parser, "DIR", "the result file (.nc), the Bode plot and the table (CSV)")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)


def _response(given: argparse.Namespace) -> int:
    from ..analyses.frequency_response import frequency_response
    from .jobs import find_job
    from .linear_commands import about, deliver
    from .ranges import read_range

    wanted = None
    if given.frequencies is not None:
        wanted = read_range(
            "--frequencies", given.frequencies, "frequency", example="10Hz:5kHz:200", number=POINTS, logarithmic=True
        )
    job = find_job(given.model, given.set, given.allow)
    found = frequency_response(job.model(), given.input, given.signal, frequencies=wanted, about=about(job, given))
    return deliver(given, job, "response", "frequency_response", found, _figures(found), _text(found), FINE)


def _text(found: Any) -> str:
    """Peaks and dips of every pair of input and output."""
    import numpy as np

    from ..results.operating_state import reported

    lines = [f'frequency response of model "{found.model_name}"', *reported(found.operating_point)]
    f = found.frequency
    for given in found.inputs:
        for output in found.outputs:
            unit = found.unit(output, given)
            size = found.magnitude(output, given)
            lines += ["", f"{output} / {given} [{unit or '1'}]"]
            lines += [f"  {at:>12.6g} Hz  {value:>12.6g}  {what}" for at, value, what in _marks(f, size)]
            peaks = found.linear.peaks(output, given) / (2 * np.pi)
            dips = found.linear.dips(output, given) / (2 * np.pi)
            for name, values in (("resonances", peaks), ("antiresonances", dips)):
                if values.size:
                    lines.append(f"  {name:<16}{', '.join(f'{value:.6g}' for value in values[:12])} Hz")
    return "\n".join([*lines, *(f"warning: {text}" for text in found.warnings)])


def _marks(f: Any, size: Any) -> list[tuple[float, float, str]]:
    """First, largest and last point."""
    k = int(size.argmax())
    chosen = {0: "first", len(f) - 1: "last"} | {k: "largest"}
    return [(float(f[i]), float(size[i]), chosen[i]) for i in sorted(chosen)]


def _figures(found: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {"frequency": {"value": found.frequency.tolist(), "unit": "Hz"}}
    for given in found.inputs:
        for output in found.outputs:
            key, unit = f"{output}/{given}", found.unit(output, given)
            figures[f"{key}.magnitude"] = {"value": found.magnitude(output, given).tolist(), "unit": unit}
            figures[f"{key}.phase"] = {"value": found.phase(output, given).tolist(), "unit": "deg"}
    return figures
