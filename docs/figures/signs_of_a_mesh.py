"""The picture of "Signs and directions" in the notation: forces, lag and backlash. Writes docs/images/signs_of_a_mesh.svg."""

import math
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Polygon

import pitchline as pl
from pitchline.parts.gears.teeth.bevel import outline

INK, GREY = "#222222", "#8a8a8a"
WHEEL_A, WHEEL_B = "#dfe9f5", "#fbeedb"
FORCE, COMPONENT, LAG = "#b3261e", "#7a3f9d", "#1f5fa8"
ALPHA = math.radians(20)


def arrow(ax: Axes, start, end, colour=INK, **more) -> None:
    given = {"arrowstyle": "-|>", "mutation_scale": 12, "lw": 1.6, "shrinkA": 0, "shrinkB": 0} | more
    ax.add_patch(FancyArrowPatch(start, end, color=colour, zorder=5, **given))


def word(ax: Axes, x: float, y: float, text: str, colour=INK, *, paper: str = "none", **more) -> None:
    given = {"ha": "center", "va": "center", "fontsize": 8.2} | more
    box = None if paper == "none" else {"fc": paper, "ec": "none", "pad": 1.2}
    ax.text(x, y, text, color=colour, zorder=6, bbox=box, **given)


def wheels(ax: Axes) -> None:
    """Two wheels, A driving: what acts on each of them."""
    z_a, z_b, play = 13, 17, 0.2  # module 1; play along the pitch circle, much more than gears have
    r_a, r_b = 0.5 * z_a, 0.5 * z_b
    a = r_a + r_b
    for centre, z, r, turn, colour in (
        (0.0, z_a, r_a, 0.5 * play / r_a, WHEEL_A),
        (a, z_b, r_b, math.pi + math.pi / z_b, WHEEL_B),
    ):
        gear = pl.Gear(teeth=z, normal_module=1e-3, face_width=1e-2, backlash_allowance=1e-3 * play / 2)
        points = 1e3 * outline(pl.Teeth(gear), points=12)
        c, s = math.cos(turn), math.sin(turn)
        xy = points[:, :2] @ np.array([[c, s], [-s, c]]) + (centre, 0.0)
        ax.add_patch(Polygon(xy, closed=True, fc=colour, ec=INK, lw=0.8, zorder=1))
        angle = np.linspace(0, 2 * math.pi, 400)
        ax.plot(centre + r * np.cos(angle), r * np.sin(angle), color=GREY, lw=0.6, ls=(0, (8, 3, 1, 3)), zorder=2)
        ax.plot(centre, 0.0, "+", color=INK, ms=7, zorder=3)
        word(ax, centre + 0.75, -0.55, "z ⊙", fontsize=8)
    direction, point = np.array([math.sin(ALPHA), math.cos(ALPHA)]), np.array([r_a, 0.0])
    ax.plot(*np.stack([point - 6.6 * direction, point + 6.6 * direction]).T, color=GREY, lw=0.8, ls="--", zorder=2)
    word(ax, r_a + 2.42, 6.1, "line of action", GREY, ha="left", fontsize=7.6, paper="white")
    for on, sense, ha, other in (("B", 1.0, "left", "right"), ("A", -1.0, "right", "left")):
        tip = point + sense * 4.6 * direction
        corner = np.array([point[0], tip[1]])
        arrow(ax, point, corner, COMPONENT, lw=1.4)
        arrow(ax, corner, tip, COMPONENT, lw=1.4)
        arrow(ax, point, tip, FORCE, lw=2.4, mutation_scale=15)
        paper = WHEEL_B if on == "B" else WHEEL_A
        word(
            ax,
            tip[0] + sense * 0.35,
            tip[1] - sense * 0.25,
            f"normal_force\non {on}",
            FORCE,
            ha=ha,
            weight="bold",
            paper=paper,
        )
        word(
            ax,
            point[0] - sense * 0.35,
            0.72 * corner[1],
            "tangential_force",
            COMPONENT,
            ha=other,
            fontsize=7.8,
            paper="white",
        )
        word(
            ax,
            corner[0] - sense * 0.3,
            corner[1] + sense * 0.5,
            "radial_force",
            COMPONENT,
            ha=other,
            fontsize=7.8,
            paper="white",
        )
    for centre, r, first, last, bend in ((0.0, 2.6, -65, 65, 0.5), (a, 3.8, 238, 122, -0.5)):
        ends = [(centre + r * math.cos(math.radians(t)), r * math.sin(math.radians(t))) for t in (first, last)]
        arrow(ax, *ends, INK, connectionstyle=f"arc3,rad={bend}", lw=1.3)
    word(ax, -1.1, -2.2, "A drives:\nmesh_velocity > 0\npower > 0", fontsize=8)
    word(ax, a + 0.9, -2.2, "B is driven,\nand lags", fontsize=8)
    word(ax, -1.6, 1.7, "A", fontsize=15, weight="bold")
    word(ax, a + 1.4, 1.7, "B", fontsize=15, weight="bold")
    ax.set_xlim(-3.4, a + 3.0)
    ax.set_ylim(-7.2, 7.2)


def tooth(ax: Axes) -> None:
    """A tooth of A in its space of B, on the drive flank; the backlash behind it."""
    t, play = 0.36, 0.7
    bottom = [(4.6, 1.0), (4.6, -1.7), (-4.6, -1.7)]
    space = [(-4.6, 1.0), (-1.45 - t, 1.0), (-1.45 + t, -1.0), (1.45 - t, -1.0), (1.45 + t, 1.0), *bottom]
    ax.add_patch(Polygon(space, closed=True, fc=WHEEL_B, ec=INK, lw=0.9))
    right = 1.45
    of_a = [(-4.6, 1.9), (-4.6, 1.3), (right - 2.9 + play - t * 1.1, 1.3), (right - 2.9 + play + t * 0.7, -0.7),
            (right - t * 0.7, -0.7), (right + t * 1.3, 1.3), (4.6, 1.3), (4.6, 1.9)]  # fmt: skip
    ax.add_patch(Polygon(of_a, closed=True, fc=WHEEL_A, ec=INK, lw=0.9))
    word(ax, -3.9, 1.6, "A", weight="bold", fontsize=11)
    word(ax, -3.9, -1.3, "B", weight="bold", fontsize=11)
    arrow(ax, (2.6, 1.6), (4.2, 1.6), LAG)
    word(ax, 2.4, 1.6, "approach grows", LAG, ha="right", fontsize=7.8)
    word(ax, 2.15, 0.1, "drive flank\ncontact = +1", ha="left", fontsize=7.8)
    word(ax, -2.0, 0.1, "coast flank\ncontact = −1", ha="right", fontsize=7.8)
    y = 0.15
    left = -1.45 - t * y
    arrow(ax, (left, y), (left + play, y), INK, arrowstyle="<|-|>", mutation_scale=8, lw=1.0)
    word(ax, left + play + 0.12, y + 0.03, "b", ha="left", style="italic", fontsize=9)
    ax.set_xlim(-4.6, 4.6)
    ax.set_ylim(-1.7, 1.95)


def over_approach(ax: Axes) -> None:
    """Transmission error and forces over the approach."""
    half = 1.0
    u = np.array([-2.6, -half, 0.0, half, 2.6])
    ax.axvspan(-half, half, color="#f0f0f0", zorder=0)
    ax.axhline(0.0, color=INK, lw=0.7)
    ax.axvline(0.0, color=INK, lw=0.5)
    force = np.sign(u) * np.maximum(np.abs(u) - half, 0.0)
    ax.plot(u, 1.35 * np.abs(force), color=FORCE, lw=2.0)
    ax.plot(u[:2], 1.35 * force[:2], color=FORCE, lw=1.2, ls=(0, (4, 2)))
    ax.plot(u, np.abs(u) - half, color=LAG, lw=2.0)
    word(ax, -1.62, 1.75, "normal_force", FORCE, ha="left", fontsize=7.8)
    word(ax, -1.52, -1.35, "signed_force", FORCE, ha="left", fontsize=7.8)
    word(ax, 2.62, 0.2, "transmission_error", LAG, ha="right", fontsize=7.8)
    word(ax, 2.62, -0.3, "approach", fontsize=7.8, ha="right")
    for x, text in ((-1.85, "coast flank"), (0.0, "gap"), (1.85, "drive flank")):
        word(ax, x, 2.42, text, GREY, fontsize=7.8)
    arrow(ax, (-half, -1.75), (half, -1.75), INK, arrowstyle="<|-|>", mutation_scale=8, lw=1.0)
    word(ax, 0.0, -1.98, "b", style="italic", fontsize=9)
    word(ax, 0.0, -1.35, "negative:\nteeth apart", LAG, fontsize=7.2)
    ax.set_xlim(-2.65, 2.65)
    ax.set_ylim(-2.2, 2.6)


def main() -> plt.Figure:
    figure = plt.figure(figsize=(10.4, 5.0))
    left = figure.add_axes((0.0, 0.0, 0.60, 1.0))
    wheels(left)
    left.set_aspect("equal")
    above, below = figure.add_axes((0.62, 0.60, 0.37, 0.38)), figure.add_axes((0.62, 0.03, 0.37, 0.54))
    tooth(above)
    over_approach(below)
    for ax in (left, above, below):
        ax.axis("off")
    target = Path(__file__).parents[1] / "images" / "signs_of_a_mesh.svg"
    matplotlib.rcParams["svg.hashsalt"] = "pitchline"  # the same file every time
    figure.savefig(target, metadata={"Date": None})
    return figure


if __name__ == "__main__":
    main()
