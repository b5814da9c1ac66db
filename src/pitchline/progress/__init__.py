"""What takes time says so: stages of a computation, and how they are shown.

    with stage("contact table", total=32) as now:
        for i in range(32):
            ...
            now.done(i + 1)

Computations mark their stages with `stage`; this costs microseconds. What is shown, and where, is decided by whoever runs
them: the command line shows all stages, Python programs those they do not ask for (compilation, finite elements), and all of
them after `show_progress`.
"""

from .display import Display, show_progress, showing
from .stages import Stage, counted, current, listen, note, stage, staged

__all__ = ["Display", "Stage", "counted", "current", "listen", "note", "show_progress", "showing", "stage", "staged"]
