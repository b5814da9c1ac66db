"""Errors of results: building, access, saving and loading."""

from __future__ import annotations

from pitchline.base.storage.free_names import StorageError
from pitchline.errors import PitchlineError


class SignalError(PitchlineError, ValueError):
    """A signal is invalid, or does not have the requested component, time or sample."""


class UnknownSignalError(PitchlineError, KeyError):
    """A result does not have the requested signal; the message lists similar names."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would put the whole message in quotes.
        return str(self.args[0]) if self.args else ""


class ResultFileError(StorageError):
    """A result file cannot be written or read: it is missing, exists already, is damaged, or is not a result file."""
