"""Status of an analysis."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Status of an analysis, stored in its `Result` with everything computed so far."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def advice(self) -> str:
        """Meaning of the status for the numbers in the result, and advice."""
        return _ADVICE[self]


_ADVICE = {
    Status.COMPLETED: "The analysis reached its end. The result covers the whole requested range.",
    Status.INTERRUPTED: (
        "The run was stopped from outside. All samples up to that time are valid. "
        "Start another analysis from this result to continue from its last state."
    ),
    Status.FAILED: (
        "The solver stopped. The samples up to that time are valid. The message gives the time and the place of the failure. "
        "Look at the signals just before it, then try a smaller step, a slower ramp of loads and drives, or more damping."
    ),
}
