"""``pitchline campbell``, ``pitchline modes`` and ``pitchline response``: natural frequencies, modes and responses."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from pitchline.errors import ModelError

from .run import (
    FINE,
    Commands,
    add_about,
    add_allow,
    add_dense,
    add_force,
    add_highest,
    add_json,
    add_model,
    add_output,
    add_set,
    add_turning_with,
    add_yes,
    command,
    number_or_text,
)

if TYPE_CHECKING:
    from pitchline.model.model import Model

    from .jobs import Job

__all__ = ["add_campbell", "add_modes", "read_range", "add_response"]


_POINTS = 61
"""Default number of speeds."""

_EXAMPLES = """\
  pitchline campbell gearbox.toml --speeds 0:6000rpm             critical speeds of the driven shaft
  pitchline campbell gearbox.toml --speeds 0:6000rpm --shaft motor_shaft --highest 5kHz
  pitchline campbell gearbox.toml --speeds 500rpm:6000rpm:111 --about statics -o out
  pitchline campbell rotor --shaft shaft --speeds 0:3000rpm --orders "unbalance=1"
  pitchline campbell gearbox.toml                                with the analysis "campbell" of the file

An order is the number of excitations per revolution of the shaft. The default orders are the first three multiples of every
tooth-meshing frequency. Specify the speeds as FROM:TO or FROM:TO:NUMBER (equal steps). Modes are followed from speed to speed by
their shapes. Choose steps that are small enough.
"""


def add_campbell(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "campbell",
        "natural frequencies over speed, critical speeds",
        "Natural frequencies of a model over the speed of a shaft, and the speeds at which orders of the shaft excite them.",
        _EXAMPLES,
        _campbell,
    )
    add_model(parser)
    parser.add_argument("--speeds", metavar="FROM:TO:N", help="speeds of the shaft, e.g. 0:6000rpm:121")
    parser.add_argument(
        "--shaft", metavar="NAME", help="hinge or shaft whose speed is varied (default: the driven hinge)"
    )
    parser.add_argument(
        "--orders",
        metavar="NAME=N",
        action="append",
        default=[],
        help="excitation N times per revolution of the shaft (default: tooth meshing); may be repeated",
    )
    add_about(parser)
    add_turning_with(parser)
    add_highest(parser)
    add_dense(parser)
    add_output(parser, "DIR", "the result file (.nc), the diagram and the table (CSV)")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)


def _campbell(given: argparse.Namespace) -> int:
    from pitchline.analyses.campbell import campbell

    from .jobs import FileJob, find_job
    from .linear_commands import about, deliver

    job = find_job(given.model, given.set, given.allow)
    model = job.model()
    of_file: dict[str, Any] = {}
    if isinstance(job, FileJob):
        step = next((step for step in job.file.steps if step.kind == "campbell"), None)
        if step is not None:
            model, of_file = job.file.model_of(step), dict(step.options)
            given.about = given.about or step.start
    options = _options(given, job, model, of_file)
    found = campbell(model, about=about(job, given), **options)
    return deliver(given, job, "campbell", "campbell", found, _figures(found), _text(found), FINE)


def _options(given: argparse.Namespace, job: Job, model: Model, of_file: dict[str, Any]) -> dict[str, Any]:
    """Settings from the command line. Settings that are not given there come from the file."""
    from pitchline.errors import ModelError

    pass

    options = dict(of_file)
    said = {
        "shaft": given.shaft,
        "turning_with": given.turning_with,
        "highest": number_or_text(given.highest),
        "dense": given.dense or None,
        "orders": _orders(given.orders),
    }
    options |= {key: value for key, value in said.items() if value is not None}
    if given.speeds is not None:
        options["speeds"] = read_range(
            "--speeds", given.speeds, "angular velocity", example="0:6000rpm:121", number=_POINTS, at_least=2
        )
    if "speeds" not in options:
        raise ModelError(
            f'campbell: specify the speeds, e.g. --speeds 0:6000rpm. "{job.name}" has no analysis "campbell" that specifies them'
        )
    if "shaft" not in options:
        options["shaft"] = driven_shaft(model)
    return options


def _orders(texts: list[str]) -> dict[str, float] | None:
    from pitchline.errors import ModelError, shown

    orders = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            orders[name.strip() or number.strip()] = float(number)
        except ValueError:
            raise ModelError(f"--orders {shown(text)}: expected NAME=N, e.g. unbalance=1") from None
    return orders or None


def driven_shaft(model: Model) -> str:
    """The driven hinge, or the only hinge, or the only elastic shaft."""
    from pitchline.errors import ModelError

    hinges = [name for name, joint in model.joints.items() if "angle" in joint.coordinates]
    driven = [
        drive.joint_name
        for drive in model.drives.values()
        if drive.joint_name in hinges and drive.coordinate == "angle"
    ]
    chosen = list(dict.fromkeys(driven)) or hinges or list(model.shafts)
    if not chosen:
        raise ModelError(f'campbell: model "{model.name}" has no hinge or shaft whose speed can be varied')
    if len(chosen) > 1:
        known = ", ".join(chosen[:12]) + (", ..." if len(chosen) > 12 else "")
        raise ModelError(
            f'campbell: specify the hinge or shaft whose speed is varied with --shaft NAME. "{model.name}" has: {known}'
        )
    return chosen[0]


def _text(found: Any) -> str:
    """Print the modes at both ends of the range, then the critical speeds."""
    from pitchline.results.part_quantities import reported
    from pitchline.results.result import text_table

    first, last = (f"{_rpm(speed):.5g} rpm" for speed in (found.speeds[0], found.speeds[-1]))
    lines = [
        f'Campbell diagram of model "{found.model_name}": {len(found.speeds)} speeds of "{found.shaft}" from {first} to {last}',
        *reported(found.operating_point),
        "",
        text_table(
            ["mode", "kind", f"Hz at {first}", f"Hz at {last}", "damping ratio"],
            [
                [str(k + 1), found.kinds[k], _hertz(found.frequencies[0, k]), _hertz(found.frequencies[-1, k]),
                 f"{found.damping_ratios[0, k]:.4g}"]
                for k in range(found.frequencies.shape[1])
            ],
            left=2,
        ),
        "",
        "orders: " + (", ".join(f"{name} = {order:.6g}" for name, order in found.orders.items()) or "none"),
        "",
    ]  # fmt: skip
    if found.crossings:
        rows = [
            [c.order, str(c.mode + 1), f"{_rpm(c.speed):.6g}", f"{c.speed:.6g}", f"{c.frequency:.6g}"]
            for c in found.crossings
        ]
        lines += [
            "critical speeds",
            "",
            text_table(["order", "mode", "speed/rpm", "speed/(rad/s)", "frequency/Hz"], rows),
        ]
    else:
        lines.append("no order excites a mode in this speed range")
    return "\n".join([*lines, *(f"warning: {text}" for text in found.warnings)])


def _rpm(speed: float) -> float:
    return speed * 30.0 / math.pi


def _hertz(frequency: float) -> str:
    return "-" if math.isnan(frequency) else f"{frequency:.6g}"  # the mode became overdamped within the range


def _figures(found: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {"speed": {"value": found.speeds.tolist(), "unit": "rad/s"}}
    for k in range(found.frequencies.shape[1]):
        values = [None if math.isnan(value) else value for value in found.frequencies[:, k].tolist()]
        figures[f"mode_{k + 1}.frequency"] = {"value": values, "unit": "Hz"}
    for n, crossing in enumerate(found.crossings, 1):
        figures[f"crossing_{n}.order"] = {"value": crossing.order, "unit": ""}
        figures[f"crossing_{n}.mode"] = {"value": crossing.mode + 1, "unit": ""}
        figures[f"crossing_{n}.speed"] = {"value": crossing.speed, "unit": "rad/s"}
        figures[f"crossing_{n}.frequency"] = {"value": crossing.frequency, "unit": "Hz"}
    return figures


# ---- modes

# ``pitchline modes``: natural frequencies and mode shapes of a model.

_EXAMPLES_modes = """\
  pitchline modes planetary                         about the initial state, or statics if the teeth need a load
  pitchline modes gearbox.toml --about settle       about the end of its analysis "settle"
  pitchline modes gearbox.toml --about statics      about its static equilibrium
  pitchline modes gearbox.toml --about out/run.nc   about the end of a result
  pitchline modes gearbox.toml -o out --json        picture and table in out/, the numbers as JSON
  pitchline modes large.toml --count 20             the lowest 20 modes; --highest 2kHz: all up to a frequency
"""


def add_modes(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "modes",
        "natural frequencies and mode shapes",
        "Natural frequencies, damping ratios and shapes of small vibrations of a model about an operating point.",
        _EXAMPLES_modes,
        _modes,
    )
    add_model(parser)
    add_about(parser)
    add_turning_with(parser)
    parser.add_argument("--mean-stiffness", action="store_true", help="use the mean mesh stiffness of the mesh cycle")
    parser.add_argument("--count", metavar="N", type=int, help="number of modes, from the lowest (default: all)")
    parser.add_argument("--lowest", metavar="FREQUENCY", help="modes above this frequency, e.g. 500Hz")
    add_highest(parser)
    add_dense(parser)
    add_output(parser, "DIR", "the result file (.nc), the picture and the table (CSV)")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)


def _modes(given: argparse.Namespace) -> int:
    from pitchline.analyses.modes import modes

    from .jobs import find_job
    from .linear_commands import about, deliver

    job = find_job(given.model, given.set, given.allow)
    found = modes(
        job.model(), about=about(job, given), turning_with=given.turning_with, mean_stiffness=given.mean_stiffness,
        count=given.count, lowest=number_or_text(given.lowest), highest=number_or_text(given.highest), dense=given.dense,
    )  # fmt: skip
    return deliver(given, job, "modes", "modes", found, _figures_modes(found), str(found), FINE)


def _figures_modes(found: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for i, (frequency, damping) in enumerate(zip(found.frequencies, found.damping_ratios, strict=True), 1):
        figures[f"mode_{i}.frequency"] = {"value": float(frequency), "unit": "Hz"}
        figures[f"mode_{i}.damping_ratio"] = {"value": float(damping), "unit": ""}
    return figures


# ---- ranges

# Ranges of frequencies and speeds in options: FROM:TO or FROM:TO:NUMBER.

MOST_POINTS = 1_000_000
"""Larger numbers are probably a mistake."""


def read_range(
    option: str, text: str, dimension: str, *, example: str, number: int, logarithmic: bool = False, at_least: int = 1
) -> Any:
    """Values of a range in ascending order, in SI units (Hz for frequencies). `number`: default number of values."""
    import numpy as np

    from pitchline.units.quantity import quantity

    parts = text.split(":")
    wrong = ModelError(f'{option} {text}: expected FROM:TO or FROM:TO:NUMBER, e.g. "{example}"')
    if len(parts) not in (2, 3):
        raise wrong
    ends = [number_or_text(part) for part in parts[:2]]
    if len({type(end) for end in ends}) == 2 and 0.0 not in ends:
        raise ModelError(f'{option} {text}: only one end has a unit. Specify it for both, e.g. "{example}"')
    low, high = (quantity(end, dimension, what=f"{option} {text}") for end in ends)
    try:
        number = int(parts[2]) if len(parts) == 3 else number
    except ValueError:
        raise wrong from None
    least, above = (0.0, "above 0") if logarithmic else (-np.inf, "finite")
    if not least < low <= high or number < at_least or (number > 1 and low == high):
        raise ModelError(
            f"{option} {text}: the first value must be {above} and less than the second, and the number at least {at_least}"
        )
    if number > MOST_POINTS:
        raise ModelError(f"{option} {text}: {number} values are too many. Specify at most {MOST_POINTS}")
    return np.geomspace(low, high, number) if logarithmic else np.linspace(low, high, number)


# ---- response

# ``pitchline response``: frequency response of a model to a varying load, drive or tooth error.

_POINTS_response = 500
"""Default number of frequencies."""

_EXAMPLES_response = """\
  pitchline response kubo-b --input mesh.error --signal mesh.normal_force
  pitchline response gearbox.toml --input load --signal mesh.normal_force --about statics -o out
  pitchline response gearbox.toml --input motor --signal b.position.x --frequencies 10Hz:5kHz:200

An input is a load or a drive of the model, PAIR.error, JOINT.torque, JOINT.force, BODY.force.x or BODY.torque.x. An output is
a signal, with .x, .y or .z for a component. Specify frequencies as FROM:TO or FROM:TO:NUMBER (equal logarithmic steps).
"""


def add_response(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "response",
        "frequency response from inputs to outputs",
        "Frequency response of small vibrations of a model about an operating point.",
        _EXAMPLES_response,
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
    from pitchline.analyses.frequency_response import frequency_response

    from .jobs import find_job
    from .linear_commands import about, deliver

    pass

    wanted = None
    if given.frequencies is not None:
        wanted = read_range(
            "--frequencies",
            given.frequencies,
            "frequency",
            example="10Hz:5kHz:200",
            number=_POINTS_response,
            logarithmic=True,
        )
    job = find_job(given.model, given.set, given.allow)
    found = frequency_response(job.model(), given.input, given.signal, frequencies=wanted, about=about(job, given))
    return deliver(
        given, job, "response", "frequency_response", found, _figures_response(found), _text_response(found), FINE
    )


def _text_response(found: Any) -> str:
    """Peaks and dips of every pair of input and output."""
    import numpy as np

    from pitchline.results.part_quantities import reported

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


def _figures_response(found: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {"frequency": {"value": found.frequency.tolist(), "unit": "Hz"}}
    for given in found.inputs:
        for output in found.outputs:
            key, unit = f"{output}/{given}", found.unit(output, given)
            figures[f"{key}.magnitude"] = {"value": found.magnitude(output, given).tolist(), "unit": unit}
            figures[f"{key}.phase"] = {"value": found.phase(output, given).tolist(), "unit": "deg"}
    return figures
