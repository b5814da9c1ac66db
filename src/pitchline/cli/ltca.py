"""``pitchline ltca`` and ``pitchline loads``: contact of the loaded teeth of a model, and the nodal loads of its teeth."""

from __future__ import annotations

import argparse
import contextlib
import csv
import functools
import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.base.storage.free_names import StorageError

from .run import (
    FINE,
    Commands,
    add_about,
    add_allow,
    add_force,
    add_json,
    add_model,
    add_output,
    add_pair,
    add_result,
    add_set,
    add_yes,
    command,
)

if TYPE_CHECKING:
    from pitchline.parts.contact.results_flank import FlankContact, LoadedContact

    from .jobs import Job
    from .loaded_pairs import LoadedPair

__all__ = ["Table", "contact_table", "asked_to_try_again", "kept_elsewhere", "add_ltca", "csv_text", "add_loads"]


# ---- contact tables

# Tooth contact results as a table: column heads and rows.

Table = tuple[Sequence[str], Iterable[Iterable[Any]]]


def contact_table(found: Any) -> Table | None:
    """Table of loaded, rigid or flank contact; None for other objects."""
    from pitchline.parts.contact.results_flank import FlankContact, LoadedContact
    from pitchline.parts.gears.teeth.rigid_contact import RigidContact

    if isinstance(found, LoadedContact):
        pairs = [f"load of tooth {k} [N]" for k in found.pairs]
        heads = ["torque [N*m]", "phase", "transmission error [m]", "tangent stiffness [N/m]", "largest pressure [Pa]",
                 "edge pressure [Pa]", *pairs]  # fmt: skip
        return heads, _loaded(found)
    if isinstance(found, RigidContact):
        columns = (found.phase, found.angle, found.transmission_error, found.roll_length, found.face)
        return ["phase", "angle [rad]", "transmission error [m]", "roll length [m]", "face [m]"], zip(
            *columns, strict=True
        )
    if isinstance(found, FlankContact):
        heads = ["torque [N*m]", "phase", "tooth of A", "tooth of B", "force [N]", "length [m]", "width [m]", "area [m^2]",
                 "largest pressure [Pa]", "at an edge"]  # fmt: skip
        return heads, _patches(found)
    return None


def _loaded(found: LoadedContact) -> Iterator[list[Any]]:
    for t, torque in enumerate(found.torque):
        for i, phase in enumerate(found.phase):
            own = (found.transmission_error, found.tangent_stiffness, found.max_pressure, found.edge_pressure)
            yield [torque, phase, *(array[t, i] for array in own), *found.pair_load[t, i]]


def _patches(found: FlankContact) -> Iterator[list[Any]]:
    for t, torque in enumerate(found.torque):
        for i, phase in enumerate(found.phase):
            for p in found.patches[t][i]:
                teeth = [int(p.tooth_a), int(p.tooth_b)]
                yield [torque, phase, *teeth, p.total_force, p.length, p.width, p.area, p.peak_pressure, int(p.on_edge)]


# ---- failed writes

# Handling of results that cannot be written: wait for disk space, or save to a temporary folder.


def asked_to_try_again(problem: str) -> bool:
    """On a terminal: print the problem, wait until the user has made space, and return whether to try again."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"error: {problem}", file=sys.stderr)
    question = "The result is still in memory. Press Enter to try again, or type no to cancel: "
    print(question, end="", file=sys.stderr, flush=True)
    try:
        answer = sys.stdin.readline()
    except (KeyboardInterrupt, OSError):
        return False
    return bool(answer) and not answer.strip().lower().startswith("n")


def kept_elsewhere(path: Path, write: Callable[[Path], object]) -> Path | None:
    """Write the file of this name to a new temporary folder. Return None if that fails as well."""
    folder: Path | None = None
    try:
        folder = Path(tempfile.mkdtemp(prefix="pitchline-"))
        write(folder / path.name)
        return folder / path.name
    except (OSError, StorageError):
        if folder is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(folder)
        return None


_EXAMPLES = """\
  pitchline ltca gearbox.toml                            all gear pairs under the load of the static analysis of the file
  pitchline ltca gearbox.toml --about run                under the load at the end of the analysis "run"
  pitchline ltca gearbox.toml --pair mesh --torque 250Nm
  pitchline ltca gearbox.toml --pair mesh --torque 50Nm --torque 150Nm --torque 250Nm -o out
  pitchline ltca helical-pair --torque 300Nm --positions 64 --json

If the file has no static analysis, the static equilibrium at the start is used. Torques are torques on wheel B. Positive torques
load the left flanks of wheel A, negative torques the right flanks. Tip relief and other modifications are those of the gears.
Misalignment and centre distance are those of the operating point, including deflections of shafts and bearings. With --torque,
the gears are in their initial positions. The elasticity of the gears comes from finite elements, which are computed once and
stored. In planetary stages, equal gears under equal load are computed once.
"""


def add_ltca(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "ltca",
        "loaded tooth contact of the gears of a model",
        "Loaded tooth contact of the gear pairs of a model: transmission error, mesh stiffness, contact ratio, pressure.",
        _EXAMPLES,
        _ltca,
    )
    add_model(parser)
    add_pair(parser)
    parser.add_argument(
        "--torque",
        metavar="TORQUE",
        action="append",
        default=[],
        help="torque on wheel B, e.g. 250Nm (default: from the operating point); may be repeated",
    )
    add_about(parser, default="statics")
    parser.add_argument("--positions", metavar="N", type=int, default=32, help="mesh positions per pitch (default: 32)")
    add_output(parser, "DIR", "picture and table (CSV) of each pair")
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)


def _ltca(given: argparse.Namespace) -> int:
    from pitchline.errors import ModelError

    from .jobs import find_job
    from .loaded_pairs import as_data, as_text, contact_of, pairs_of
    from .run import ready_folder

    if given.torque and given.about is not None:
        raise ModelError(
            "--torque specifies the load, and --about takes it from an operating point. Specify only one of them"
        )
    job = find_job(given.model, given.set, given.allow)
    if given.output is not None:
        ready_folder(given.output)
    pairs, left_out = pairs_of(job, given)
    found = contact_of(job.model(), pairs, given.positions)
    if given.json:
        from .run import print_json

        print_json(as_data(job.name, found, left_out))
    else:
        print("\n\n".join([*(as_text(pair) for pair in found), *left_out]))
    if given.output is not None:
        _write(given, job, found)
    return FINE


def _write(given: argparse.Namespace, job: Job, found: list[LoadedPair]) -> None:
    from pitchline import views  # noqa: F401  (what was found can then draw itself)
    from pitchline.base.progress.display import stage

    from .run import folder_names, write_atomically, write_text

    pass

    for n, pair in enumerate(found):
        stem = f"{job.name}-ltca-{pair.names[0]}" if len(found) > 1 else f"{job.name}-ltca"
        with folder_names(given.output, stem, [".png", ".csv"], force=given.force) as (picture, table):
            write_text(table, csv_text(pair.contact) or "", force=given.force)
            with stage(f"writing {picture.name}"):
                write_atomically(picture, functools.partial(_draw, pair), force=given.force)
        if not given.json:
            print(f"{'' if n else chr(10)}picture  {picture}\ntable    {table}")


def _draw(pair: LoadedPair, draft: Path) -> None:
    pair.contact.plot(path=draft)


# ---- tables

# Results of analyses without signals as CSV tables.


def csv_text(found: Any) -> str | None:
    """Table of a result; None if it has none."""
    from pitchline.results.linear_files import FrequencyResponse
    from pitchline.results.modes import Campbell, Modes

    pass
    from .result_files import spectrum_table

    if isinstance(found, Modes):
        return _text(
            ["mode", "frequency [Hz]", "damping ratio", "kind", "moving bodies"],
            zip(
                range(1, len(found) + 1),
                found.frequencies,
                found.damping_ratios,
                found.kinds,
                found.descriptions,
                strict=True,
            ),
        )
    if isinstance(found, FrequencyResponse):
        heads, columns = ["frequency [Hz]"], [found.frequency]
        for output in found.outputs:
            for given in found.inputs:
                heads += [
                    f"{output} / {given} [{found.unit(output, given) or '1'}]",
                    f"phase of {output} / {given} [deg]",
                ]
                columns += [found.magnitude(output, given), found.phase(output, given)]
        return _text(heads, zip(*columns, strict=True))
    if isinstance(found, Campbell):
        heads = ["speed [rad/s]", *(f"mode {k + 1} [Hz]" for k in range(found.frequencies.shape[1]))]
        return _text(heads, ([speed, *row] for speed, row in zip(found.speeds, found.frequencies, strict=True)))
    table = contact_table(found) or spectrum_table(found)
    return None if table is None else _text(*table)


def _text(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([item if isinstance(item, str | int) else f"{float(item):.10g}" for item in row] for row in rows)
    return stream.getvalue()


# ---- tooth loads

# ``pitchline loads``: forces on the teeth of a gear as loads for stress analysis.

_EXAMPLES_tooth_loads = """\
  pitchline loads out/gearbox.nc --from-model gearbox.toml --gear pinion               table in tooth_loads_pinion.csv
  pitchline loads out/gearbox.nc --from-model gearbox.toml --gear pinion --at 12ms -o pinion.inp   Abaqus, CalculiX: grid and loads
  pitchline loads out/gearbox.nc --from-model gearbox.toml --gear pinion --style amplitude -o pinion.bdf   Nastran: loads over time

Forces are in the axes of the gear. Files .inp contain its finite element grid, with a fixed bore.
"""


def add_loads(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "loads",
        "write the forces on the teeth of a gear as loads for stress analysis",
        "Distribute the tooth forces of a result over the teeth and flanks of a gear, and write a table or load cards.",
        _EXAMPLES_tooth_loads,
        _loads,
    )
    add_result(parser)
    parser.add_argument("--from-model", metavar="FILE", required=True, help="model file or gallery model of the result")
    parser.add_argument("--gear", metavar="NAME", required=True, help="gear whose teeth are loaded")
    parser.add_argument("--pair", metavar="NAME", help="use only this gear pair of the model")
    parser.add_argument(
        "--at", metavar="TIME", action="append", default=[], help="values at this time, e.g. 5ms; may be repeated"
    )
    parser.add_argument(
        "--style", choices=("steps", "amplitude"), default="steps", help="a step for each time, or one step"
    )
    parser.add_argument(
        "--length-unit", choices=("mm", "m"), default="mm", help="units of load cards: mm, t, s (default) or m, kg, s"
    )
    parser.add_argument(
        "--element-order",
        type=int,
        choices=(1, 2),
        default=2,
        help="1: elements with 8 nodes, 2: elements with 20 nodes (default: 2)",
    )
    add_output(parser, "FILE", "the file: .csv, .parquet, .inp, .bdf or .dat (default: GEAR_loads.csv)")
    add_yes(parser)
    add_force(parser)


def _loads(given: argparse.Namespace) -> int:
    from pitchline.exchange.tooth_load_export import tooth_loads

    from .jobs import find_job
    from .result_files import load_result
    from .run import chosen_file

    target = chosen_file(given.output, f"tooth_loads_{given.gear}", ".csv", force=given.force)
    result = load_result(given.result)
    model = find_job(given.from_model).model()
    loads = tooth_loads(model, result, given.gear, pair=given.pair, times=given.at or None, order=given.element_order)
    written = loads.write(Path(target), units=given.length_unit, style=given.style, overwrite=given.force)
    print(f"{len(loads.time)} times, {len(loads.nodes)} loaded nodes, {len(loads.rows['time'])} rows of teeth")
    print(f"loads    {written}")
    return FINE
