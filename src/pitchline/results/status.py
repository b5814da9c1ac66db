"""How an analysis ended."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Outcome of an analysis, kept inside its `Result` together with everything computed so far."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def advice(self) -> str:
        """What the outcome means for the numbers in the result, and what to do next."""
        return _ADVICE[self]


_ADVICE = {
    Status.COMPLETED: "The analysis reached its end; the whole range asked for is there.",
    Status.INTERRUPTED: (
        "The run was stopped from outside. What it computed until then is complete and exact; "
        "start another analysis from this result to go on from its last state."
    ),
    Status.FAILED: (
        "The solver gave up. The samples up to that time are valid; the message says when and where it "
        "stopped. Look at the signals just before, then try a smaller step, a gentler ramp of loads and "
        "drives, or more damping where the motion became violent."
    ),
}
