"""``pitchline completion``: print a script for shell completion of commands, options, models and files."""

from __future__ import annotations

import argparse

from .exit_status import FINE
from .options import Commands, command

__all__ = ["add"]

EXAMPLES = """\
  bash:  pitchline completion bash > ~/.local/share/bash-completion/completions/pitchline
  zsh:   pitchline completion zsh > ~/.zfunc/_pitchline         (with fpath+=~/.zfunc before compinit)
  fish:  pitchline completion fish > ~/.config/fish/completions/pitchline.fish
  now:   source <(pitchline completion bash)
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "completion",
        "print a completion script for your shell",
        "Print a script with which the shell completes commands, options, models and files.",
        EXAMPLES,
        _completion,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def _completion(given: argparse.Namespace) -> int:
    from .completion_scripts import script

    print(script(given.shell), end="")
    return FINE
