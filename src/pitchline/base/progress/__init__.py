"""Progress of long computations: stages, and their display.

    with stage("contact table", total=32) as now:
        for i in range(32):
            ...
            now.done(i + 1)

Computations mark their stages with `stage`, which takes microseconds. The caller decides which stages are shown, and
where. The
command line shows all stages. Python programs show only implied stages (compilation, finite elements), and all stages
after `show_progress`.
"""

from .display import Display, Stage, counted, current, listen, note, show_progress, showing, stage, staged

__all__ = ["Display", "Stage", "counted", "current", "listen", "note", "show_progress", "showing", "stage", "staged"]
