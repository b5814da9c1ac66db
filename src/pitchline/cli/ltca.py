"""``pitchline ltca``: loaded tooth contact of the gear pairs of a model: transmission error, stiffness, pressure."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path
from typing import TYPE_CHECKING

from .exit_status import FINE
from .options import (
    Commands,
    add_about,
    add_allow,
    add_force,
    add_json,
    add_model,
    add_output,
    add_pair,
    add_set,
    add_yes,
    command,
)

if TYPE_CHECKING:
    from .jobs import Job
    from .loaded_pairs import LoadedPair

__all__ = ["add"]

EXAMPLES = """\
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


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "ltca",
        "loaded tooth contact of the gears of a model",
        "Loaded tooth contact of the gear pairs of a model: transmission error, mesh stiffness, contact ratio, pressure.",
        EXAMPLES,
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
    from ..errors import ModelError
    from .jobs import find_job
    from .loaded_pairs import as_data, as_text, contact_of, pairs_of
    from .output import ready_folder

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
    from .. import views  # noqa: F401  (what was found can then draw itself)
    from ..progress import stage
    from .output import folder_names, write_atomically, write_text
    from .tables import csv_text

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
