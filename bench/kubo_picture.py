"""Work against precision of the gear rig as a picture: one panel for each case."""

from pathlib import Path

from kubo_bench import Curve
from kubo_rig import CASES

from pitchline.views import style
from pitchline.views.picture import Picture, check_path, save

MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def draw(found: dict[str, list[Curve]], path: Path) -> None:
    """Time across, error up, both logarithmic: the lower left is where one wants to be."""
    import matplotlib.style

    labels = list(dict.fromkeys(curve.label for curves in found.values() for curve in curves))
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(style.WIDTH, 2.4 * style.PANEL_HEIGHT), layout="constrained")
        panels = figure.subplots(2, 2, sharex=True, sharey=True)
        handles = {}
        for ax, (name, curves) in zip(panels.flat, found.items(), strict=True):
            case = CASES[name]
            supports = "flexible" if case.flexible else "rigid"
            ax.set_title(f"{name}: {supports} supports, {'backlash' if case.backlash else 'no backlash'}", loc="left")
            for curve in curves:
                index = labels.index(curve.label)
                times = [point.wall_time * 1e3 for point in curve.points]
                errors = [point.error for point in curve.points]
                (handles[curve.label],) = ax.loglog(
                    times, errors, marker=MARKERS[index % len(MARKERS)], ms=3.5, **style.line_style(index)
                )
            ax.margins(x=0.05)
        for ax in panels[1]:
            ax.set_xlabel("time of the loop (ms)")
        for ax in panels[:, 0]:
            ax.set_ylabel("error of the mesh force")
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3)
        save(figure, check_path(path), "gear rig of Kubo: work and precision")
