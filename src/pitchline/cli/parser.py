"""The complete argument parser; source of ``--help`` and of the completion scripts."""

from __future__ import annotations

from .campbell import add as add_campbell
from .check import add as add_check
from .check_element import add as add_check_element
from .compare import add as add_compare
from .completion import add as add_completion
from .export import add as add_export
from .fmu import add as add_fmu
from .gallery import add as add_gallery
from .gear import add as add_gear
from .import_file import add as add_import
from .info import add as add_info
from .ltca import add as add_ltca
from .modes import add as add_modes
from .options import Parser
from .plot import add as add_plot
from .report import add as add_report
from .response import add as add_response
from .result_tables import add as add_tables
from .run import add as add_run
from .sweep import add as add_sweep
from .tooth_loads import add as add_loads
from .values import add as add_values
from .view import add as add_view
from .warm import add as add_warm

__all__ = ["build_parser"]

COMMANDS = (
    add_run, add_sweep, add_gallery, add_import, add_fmu, add_check, add_check_element, add_gear, add_ltca, add_modes, add_response,
    add_campbell, add_values, add_export, add_tables, add_compare, add_plot, add_view, add_loads, add_info, add_report, add_warm,
    add_completion,
)  # fmt: skip

EXAMPLES = """\
examples:
  pitchline gallery                              list the shipped models
  pitchline run helical-pair -o out              run a model; picture and result in out/
  pitchline check gearbox.toml                   list all errors and warnings of a model file
  pitchline run gearbox.toml --set teeth=21      run it with another parameter value
  pitchline sweep gearbox.toml --over teeth=19,20,21
  pitchline ltca gearbox.toml --torque 250Nm     loaded tooth contact of its gear pairs
  pitchline values out/helical-pair.nc "mesh.*"  values of signals: min, max, mean, rms
  pitchline plot out/helical-pair.nc "mesh.*"    plot signals of a result
  pitchline view out/helical-pair.nc             show the motion in the browser
  pitchline COMMAND --help                       options and examples of a command

exit status: 0 success, 1 error in the model or in the command, 2 a solver failed, 130 interrupted
"""


def build_parser() -> Parser:
    """The parser of ``pitchline`` with all commands."""
    parser = Parser(prog="pitchline", description="Gears in three-dimensional multibody dynamics.", epilog=EXAMPLES)
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for add in COMMANDS:
        add(commands)
    return parser
