"""``pitchline response``: how a model answers to vibration of a load, a drive or a tooth error, over frequency."""

from __future__ import annotations

import argparse
from typing import Any

from .exit_status import FINE
from .options import Commands, add_about, add_allow, add_force, add_json, add_model, add_output, add_set, command

__all__ = ["add", "frequencies"]

POINTS = 500
"""Frequencies where their number is not said."""
MOST_POINTS = 1_000_000
"""Of frequencies; more is a slip."""

EXAMPLES = """\
  pitchline response kubo-b --input mesh.error --output mesh.normal_force
  pitchline response gearbox.toml --input load --output mesh.normal_force --about statics -o out
  pitchline response gearbox.toml --input motor --output b.position.x --frequencies 10Hz:5kHz:200

An input is a load or a drive of the model, PAIR.error, JOINT.torque, JOINT.force, BODY.force.x or BODY.torque.x; an output is
a signal, with .x, .y or .z for a component. Frequencies are FROM:TO or FROM:TO:NUMBER, in equal steps of the logarithm.
"""


def add(commands: Commands) -> None:
    """Its options."""
    parser = command(
        commands,
        "response",
        "frequency response from inputs to outputs",
        "Frequency response of the small motions of a model about an operating point.",
        EXAMPLES,
        _response,
    )
    add_model(parser)
    parser.add_argument("--input", metavar="NAME", action="append", required=True, help="what vibrates; may be repeated")
    parser.add_argument("--output", metavar="SIGNAL", action="append", required=True, help="what answers; may be repeated")
    parser.add_argument(
        "--frequencies", metavar="FROM:TO:N", help="such as 10Hz:5kHz:200 (default: round all eigenfrequencies)"
    )
    add_about(parser)
    add_output(parser, "DIR", "folder for the Bode plot and the table (CSV)", long="--directory", dest="directory")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_force(parser)


def frequencies(text: str) -> Any:
    """Frequencies [Hz] of FROM:TO:NUMBER."""
    import numpy as np

    from ..errors import ModelError
    from ..units import quantity

    parts = text.split(":")
    wrong = ModelError(f'--frequencies {text}: say it as FROM:TO or FROM:TO:NUMBER, such as "10Hz:5kHz:200"')
    if len(parts) not in (2, 3):
        raise wrong
    low, high = (quantity(_plain(part), "frequency", what=f"--frequencies {text}") for part in parts[:2])
    try:
        number = int(parts[2]) if len(parts) == 3 else POINTS
    except ValueError:
        raise wrong from None
    if not 0.0 < low <= high or number < 1:
        raise ModelError(f"--frequencies {text}: the first must be above 0 and not above the second, the number at least 1")
    if number > MOST_POINTS:
        raise ModelError(f"--frequencies {text}: {number} frequencies are too many; give {MOST_POINTS} at most")
    return np.geomspace(low, high, number)


def _plain(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _response(given: argparse.Namespace) -> int:
    from ..analyses.frequency_response import frequency_response
    from .jobs import find_job
    from .linear_commands import about, deliver

    wanted = None if given.frequencies is None else frequencies(given.frequencies)
    job = find_job(given.model, given.set, given.allow)
    found = frequency_response(
        job.model(), given.input, given.output, frequencies=wanted, about=about(job, given)
    )
    given.output = given.directory
    return deliver(given, job, "response", "frequency_response", found, _figures(found), _text(found), FINE)


def _text(found: Any) -> str:
    """Peaks and dips of every pair of input and output."""
    import numpy as np

    lines = [f'frequency response of model "{found.model_name}"']
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
