"""The complete argument parser, completion, limits of computing time, and the start of the program."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence

from pitchline import startup
from pitchline.base.budget import Allowance, allowed
from pitchline.base.progress.display import Display, showing
from pitchline.errors import PitchlineError, SolveError

from .check import add_check, add_check_element
from .compare import add_compare
from .export import add_export, add_fmu, add_import
from .gear import add_gear
from .info import add_gallery, add_info
from .linear import add_campbell, add_modes, add_response
from .ltca import add_loads, add_ltca
from .plot import add_plot, add_report
from .result_tables import add_tables, add_values
from .run import FAILED, FINE, INTERRUPTED, WRONG, Commands, Parser, add_run, command, say
from .sweep import add_sweep
from .view import add_view
from .warm import add_warm

__all__ = ["add_completion", "chosen_budget", "build_parser", "main"]


# ---- completion

# ``pitchline completion``: print a script for shell completion of commands, options, models and files.

_EXAMPLES = """\
  bash:  pitchline completion bash > ~/.local/share/bash-completion/completions/pitchline
  zsh:   pitchline completion zsh > ~/.zfunc/_pitchline         (with fpath+=~/.zfunc before compinit)
  fish:  pitchline completion fish > ~/.config/fish/completions/pitchline.fish
  now:   source <(pitchline completion bash)
"""


def add_completion(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "completion",
        "print a completion script for your shell",
        "Print a script with which the shell completes commands, options, models and files.",
        _EXAMPLES,
        _completion,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def _completion(given: argparse.Namespace) -> int:
    from .completion_scripts import script

    print(script(given.shell), end="")
    return FINE


# ---- long computations

# Question to the user before a computation that takes longer than its budget.


def chosen_budget(given: argparse.Namespace, display: Display) -> Allowance:
    """The budget of a command: none with --yes, otherwise the default, with a question on a terminal."""
    if getattr(given, "yes", False):
        return Allowance(math.inf, always=True)
    return Allowance(ask=_question(display))


def _question(display: Display) -> Callable[[str], bool] | None:
    """Function that asks a question on the terminal; None without a terminal: then the computation ends with the estimate."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(question: str) -> bool:
        display.note(f"{question} [y/N] ")
        try:
            return sys.stdin.readline().strip().lower() in ("y", "yes")
        except (OSError, ValueError):
            return False

    return ask


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


# ---- program

# Main function: from the arguments to the exit status.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    try:
        startup.started()
        parser = build_parser()
        given = parser.parse_args(arguments)
        if given.version:
            return _version()
        if given.command is None:
            parser.print_help()
            return FINE
        # progress and questions on stderr, so that programs can read stdout
        with showing() as display, allowed(chosen_budget(given, display)):
            status = int(given.command(given))
        sys.stdout.flush()
        return status
    except SolveError as error:
        say(error)
        return FAILED
    except BrokenPipeError:
        # the reader of the output has closed it; the rest of the buffer cannot be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except (PitchlineError, OSError) as error:
        say(error)
        return WRONG
    except MemoryError:
        say("out of memory. Reduce the size of the task, or close other programs")
        return FAILED
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


def _version() -> int:
    from pitchline.version import __version__

    print(f"pitchline {__version__}")
    return FINE
