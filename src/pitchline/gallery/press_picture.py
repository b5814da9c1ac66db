"""The picture of the press: the machine, drawn from its result, beside what its three analyses found."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import pitchline as pl

from ..units import quantity
from ..views import style
from .figures import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

STEEL, SHADE, FLOOR = "#4D4D4D", "#E4E4E4", "#8C8C8C"
BLUE, RED, GREEN, GREY = style.COLOURS[0], style.COLOURS[1], style.COLOURS[2], "#7F7F7F"


def draw(run: Run, parameters: Mapping[str, Any], path: Path | None = None) -> "Figure":
    """Draw all three analyses of the press, with its sizes from the parameters of its file; with `path`, save as well."""
    import matplotlib.style

    from ..views.picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    sizes = [quantity(parameters[name], "length", what=name) for name in ("crank_radius", "rod_length")]
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(7.6, 4.3), layout="constrained")
        grid = figure.add_gridspec(3, 2, width_ratios=(1.0, 1.75))
        _machine(figure.add_subplot(grid[:, 0]), run["free"], *sizes)
        first = figure.add_subplot(grid[0, 1])
        panels = [first, *(figure.add_subplot(grid[i, 1], sharex=first) for i in (1, 2))]
        _speed(panels[0], run["spun"], run["free"])
        _forces(panels[1], run["rest"], run["free"])
        _energy(panels[2], run["free"])
        for ax in panels[:-1]:
            ax.tick_params(labelbottom=False)
        panels[-1].set_xlabel("time (s)")
        figure.align_ylabels(panels)
        if target is not None:
            save(figure, target, "press: statics, kinematics, dynamics")
    return figure


# --- the machine ---------------------------------------------------------------------------------------


def _machine(ax: "Axes", free: pl.Result, radius: float, length: float) -> None:
    """Side view (x, z) at the first touch of the billet."""
    from matplotlib.patches import Circle, Rectangle

    touch = int(np.argmax(free["billet.force"].values > 0.0))
    shaft, pin = _point(free, "crank", touch), _point(free, "crank", touch, (0.0, 0.0, radius))
    ram, foot = _point(free, "ram", touch), _point(free, "frame", touch)[1]
    face = ram[1] - 0.2

    def box(x: float, z: float, width: float, height: float, **look: Any) -> None:
        ax.add_patch(Rectangle((x, z), width, height, **{"edgecolor": "none", **look}))

    for x, z, width, height in (
        (-0.85, 0.0, 0.2, 2.35),
        (0.65, 0.0, 0.2, 2.35),
        (-0.85, 0.0, 1.7, 0.3),
        (-0.85, 2.25, 1.7, 0.1),
    ):
        box(x, z + foot, width, height, facecolor=SHADE)
    box(-0.35, foot + 0.3, 0.7, face - 0.12 - foot - 0.3, facecolor=SHADE)
    for x in (-0.7, 0.7):
        box(x - 0.1, -0.1, 0.2, 0.1 + foot, facecolor=BLUE, alpha=0.45)
    ax.plot([-0.95, 0.95], [-0.1, -0.1], color=FLOOR, lw=1.5)

    ax.add_patch(Circle(tuple(shaft), 0.6, facecolor="#F4F4F4", edgecolor=STEEL, lw=1.6))
    ax.add_patch(Circle(tuple(shaft), radius, facecolor="none", edgecolor=GREY, lw=0.8, ls=(0, (4, 2))))
    box(ram[0] - 0.18, face, 0.36, 0.4, facecolor="#C9D7E8", edgecolor=STEEL, lw=1.0, zorder=2)
    box(-0.12, face - 0.12, 0.24, 0.12, facecolor=RED, edgecolor=STEEL, lw=0.6)
    rod = np.array([_point(free, "rod", touch, (0.0, 0.0, sign * length / 2)) for sign in (1, -1)])
    ax.plot(*rod.T, color=STEEL, lw=3.4, solid_capstyle="round", zorder=3)
    ax.plot(*np.array([shaft, pin]).T, color=STEEL, lw=5.5, solid_capstyle="round", zorder=4)
    ax.plot(*np.array([shaft, pin, rod[1]]).T, "o", color="white", markeredgecolor=STEEL, ms=4.0, zorder=5)

    label: dict[str, Any] = {"fontsize": 7.5, "color": STEEL, "va": "center"}
    ax.text(0.0, shaft[1] + 0.4, "flywheels", ha="center", **label)
    ax.text(0.22, ram[1] - 0.06, "ram", ha="left", **label)
    ax.text(0.16, face - 0.06, "billet", ha="left", **{**label, "color": RED})
    ax.text(0.0, -0.05, "rubber mounts", ha="center", **{**label, "color": BLUE})
    ax.set(xlim=(-0.97, 0.97), ylim=(-0.12, 2.4), aspect="equal")
    ax.axis("off")


def _point(result: pl.Result, body: str, k: int, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> np.ndarray:
    """(x, z) of a point given in body axes."""
    w, x, y, z = result[f"{body}.orientation"].values[k]
    q = np.array([x, y, z])
    p = np.array(at)
    turned = p + 2 * w * np.cross(q, p) + 2 * np.cross(q, np.cross(q, p))
    return np.asarray((result[f"{body}.position"].values[k] + turned)[[0, 2]])


# --- what was found ------------------------------------------------------------------------------------


NOTE: dict[str, Any] = {
    "fontsize": 7.5,
    "color": "#5A5A5A",
    "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1.5},
}


def _speed(ax: "Axes", spun: pl.Result, free: pl.Result) -> None:
    rpm = 60 / (2 * np.pi)
    for result in (spun, free):
        ax.plot(result.time, result["left_bearing.angular_speed"].values * rpm, color=BLUE)
    ax.set(ylabel="speed (rpm)", ylim=(0, 240))
    handover = float(free.time[0])
    ax.axvline(handover, color=STEEL, lw=0.8, ls=":")
    ax.text(handover - 0.06, 224, "kinematics: motor on, no inertia", ha="right", va="center", **NOTE)
    ax.text(handover + 0.06, 224, "dynamics: motor off, forging", ha="left", va="center", **NOTE)


def _forces(ax: "Axes", rest: pl.Result, free: pl.Result) -> None:
    ax.plot(free.time, free["billet.force"].values / 1e3, color=RED, label="on the billet")
    ax.plot(free.time, free["left_bearing.force"].norm().values / 1e3, color=BLUE, label="in one crank bearing")
    sink = -1e3 * float(rest["frame.position"].values[-1, 2])
    ax.text(0.06, 100, f"statics: the frame sinks\n{sink:.2f} mm into its mounts", va="center", **NOTE)
    ax.set(ylabel="force (kN)", ylim=(0, None))
    ax.legend(loc="upper left", bbox_to_anchor=(0.02, 0.98), handlelength=1.6)


def _energy(ax: "Axes", free: pl.Result) -> None:
    stored = free["energy.kinetic"].values + free["energy.potential"].values - free["energy.potential"].values[0]
    lost = free["energy.dissipated"].values
    ax.plot(free.time, stored / 1e3, color=BLUE, label="stored")
    ax.plot(free.time, lost / 1e3, color=RED, label="dissipated")
    ax.plot(free.time, (stored + lost) / 1e3, color=GREEN, ls=(0, (4, 1.5)), label="sum")
    ax.set(ylabel="energy (kJ)", ylim=(0, None))
    error = float(np.max(np.abs(free["energy.balance_error"].values)))
    ax.text(0.06, 4.5, f"the balance closes to {error:.1f} J", va="center", **NOTE)
    ax.legend(loc="upper left", bbox_to_anchor=(0.02, 0.98), handlelength=1.6)
