"""The picture of "How it is built": the way of the data from model to result. Writes docs/images/way_of_the_data.svg."""

from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

SAID, COMPILED, MOVING, FOUND, CODE = "#e8eef7", "#e4f1e4", "#fdf3dc", "#f3e6ef", "#eeeeee"
INK = "#222222"

BOXES = {
    # name: (x, y, width, height, colour, title, text)
    "file": (
        0.2, 8.35, 2.6, 1.05, SAID, "model file",
        "TOML: tables by name",
    ),
    "python": (
        0.2, 7.0, 2.6, 1.05, SAID, "Python",
        "m.spring(...), m.add(...)",
    ),
    "model": (
        3.7, 7.45, 2.7, 1.5, SAID, "Model",
        "bodies, joints, drives, loads,\n"
        "gear pairs, elements: frozen,\n"
        "checked, with units",
    ),
    "compile": (
        7.3, 7.45, 2.7, 1.5, COMPILED, "compile step",
        "bodies to nodes, functions of\n"
        "time to one pool, parts to\n"
        "elements: packed records",
    ),
    "system": (
        7.3, 5.1, 2.7, 1.5, COMPILED, "System",
        "constant: parameters, maps of\n"
        "nodes, places of unknowns,\n"
        "pattern of the matrix",
    ),
    "state": (
        3.7, 5.1, 2.7, 1.5, MOVING, "State",
        "poses, velocities, own\n"
        "coordinates, multipliers,\n"
        "memory of elements",
    ),
    "workspace": (
        3.7, 2.75, 6.3, 1.5, MOVING, "Workspace",
        "records over all arrays of an evaluation: nodes x, memory m,\n"
        "scratch w, what is asked, residual r, matrix J; each element is\n"
        "one row of addresses: its functions, s, m, x, w",
    ),
    "kernels": (
        0.2, 2.75, 2.6, 1.5, CODE, "compiled functions",
        "evaluate, begin, accept,\n"
        "report of each element;\n"
        "keys by content",
    ),
    "loop": (
        3.7, 0.4, 2.7, 1.5, MOVING, "time loop",
        "stops, samples, step control;\n"
        "steps by an evaluator: general\n"
        "(Newton), or trains of wheels",
    ),
    "result": (
        7.3, 0.4, 2.7, 1.5, FOUND, "Result",
        "signals with names and units,\n"
        "energies, statistics; files,\n"
        "plots, reports",
    ),
    "linear": (
        0.2, 0.4, 2.6, 1.5, MOVING, "statics, linear",
        "equilibrium; M, D, K for\n"
        "modes, responses,\n"
        "Campbell, Floquet",
    ),
}  # fmt: skip
ARROWS = (
    ("file", "model", ""),
    ("python", "model", ""),
    ("model", "compile", ""),
    ("compile", "system", ""),
    ("system", "state", "start"),
    ("system", "workspace", ""),
    ("state", "workspace", ""),
    ("kernels", "workspace", "addresses"),
    ("workspace", "loop", ""),
    ("loop", "result", "samples"),
    ("workspace", "linear", ""),
)


def edge(a: tuple, b: tuple) -> tuple[tuple[float, float], tuple[float, float]]:
    """Points on the sides of two boxes that face each other."""
    ax, ay, aw, ah = a[:4]
    bx, by, bw, bh = b[:4]
    if bx >= ax + aw or ax >= bx + bw:
        y0, y1 = ay + ah / 2, by + bh / 2
        if by <= y0 <= by + bh:
            y1 = y0
        return ((ax + aw, y0), (bx, y1)) if bx >= ax + aw else ((ax, y0), (bx + bw, y1))
    low, high = max(ax, bx), min(ax + aw, bx + bw)
    x = (low + high) / 2
    return ((x, ay), (x, by + bh)) if ay > by else ((x, ay + ah), (x, by))


def main() -> None:
    figure, ax = plt.subplots(figsize=(8.2, 7.6))
    for x, y, width, height, colour, title, text in BOXES.values():
        ax.add_patch(
            FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.12", fc=colour, ec=INK, lw=0.9)
        )
        ax.text(x + width / 2, y + height - 0.14, title, ha="center", va="top", fontsize=10, weight="bold", color=INK)
        ax.text(x + width / 2, y + height - 0.48, text, ha="center", va="top", fontsize=7.6, color=INK, linespacing=1.3)
    for first, second, text in ARROWS:
        start, end = edge(BOXES[first], BOXES[second])
        if second == "linear":
            start, end = (4.2, 2.75), (2.4, 1.9)
        ax.add_patch(
            FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=11, lw=1.0, color=INK, shrinkA=0, shrinkB=0)
        )
        if text:
            ax.text(
                (start[0] + end[0]) / 2,
                (start[1] + end[1]) / 2 + 0.1,
                text,
                ha="center",
                va="bottom",
                fontsize=7,
                color=INK,
            )
    ax.set_xlim(0, 10.2)
    ax.set_ylim(0.2, 9.6)
    ax.set_aspect("equal")
    ax.axis("off")
    figure.subplots_adjust(0, 0, 1, 1)
    target = Path(__file__).parents[1] / "images" / "way_of_the_data.svg"
    matplotlib.rcParams["svg.hashsalt"] = "pitchline"  # the same file every time
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
