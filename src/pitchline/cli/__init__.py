"""The ``pitchline`` command: run, check, view and report models from a shell.

Each command has its own file. The function `add` of the file defines the options and imports nothing else. Other
modules are
imported when the command runs, so ``pitchline --help`` answers at once.

Exit status: 0 success, 1 error in the model or in the command, 2 a solver failed, 130 interrupted.
"""

from .program import main

__all__ = ["main"]
