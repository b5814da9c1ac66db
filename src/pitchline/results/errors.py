"""What can go wrong when results are built, asked, saved or loaded."""

from __future__ import annotations

from pitchline.disk.errors import StorageError
from pitchline.errors import PitchlineError


class SignalError(PitchlineError, ValueError):
    """A signal that cannot be built, or was asked for something it does not hold."""


class UnknownSignalError(PitchlineError, KeyError):
    """A result was asked for a signal it does not have; the message lists the nearest names."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would put the whole message in quotes.
        return str(self.args[0]) if self.args else ""


class ResultFileError(StorageError):
    """A result file that cannot be written or read: missing, in the way, damaged, or not ours."""
