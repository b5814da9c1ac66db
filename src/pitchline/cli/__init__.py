"""The command ``pitchline``: models run, checked, looked at and reported from a shell.

One command a file. Each file says its options in `add`, which loads nothing, and imports what it needs where it is carried
out, so that ``pitchline --help`` answers at once.

Exit status: 0 fine, 1 the model or the command is wrong, 2 a solve failed, 130 interrupted.
"""

from .program import main

__all__ = ["main"]
