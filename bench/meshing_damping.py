"""How much of the published runs with elastic gears depends on damping, which is not published: prints the tables of the guide.

    python bench/meshing_damping.py [beveloid]

Each line is one run of the gallery, such as ``pitchline run meshing-spur-100 --set drag=0 --set damping_ratio=0.02``.
"""

from __future__ import annotations

import sys

from pitchline import gallery

PAIRS = ("meshing-spur-100", "meshing-spur-100-relieved", "meshing-helical-100")
CASES = ((0.67, 0.02), (0.1, 0.02), (0.0, 0.02), (0.67, 0.0), (0.0, 0.0))
"""Drag [N m s/rad] and damping ratio."""
CONICAL = ((5.4, 0.02), (0.67, 0.02), (0.0, 0.02), (0.0, 0.0))


def _cells(name: str, drag: float, ratio: float) -> dict[str, object]:
    one = gallery.model(name, drag=drag, damping_ratio=ratio)
    return {figure.key: figure.value for figure in one.figures(one.run())}


def _line(drag: float, ratio: float, cells: list[str]) -> str:
    return f"| {drag:g} | {100 * ratio:g} % | " + " | ".join(cells) + " |"


def main() -> None:
    """Rows of tables in markdown."""
    if "beveloid" in sys.argv[1:]:
        for drag, ratio in CONICAL:
            cells = []
            for name in ("beveloid-50", "beveloid-200"):
                found = _cells(name, drag, ratio)
                cells.append(
                    f"{found['total_force.min']:.0f}–{found['total_force.max']:.0f}, {found['tooth_pairs.min']}, "
                    f"{found['gear.speed_ripple']:.2f}"
                )
            print(_line(drag, ratio, cells), flush=True)
        return
    for drag, ratio in CASES:
        cells = []
        for name in PAIRS:
            found = _cells(name, drag, ratio)
            cells.append(f"{found['total_force.min']:.0f}–{found['total_force.max']:.0f}")
        for name in ("torque-stages", "torque-stages-helical"):
            found = _cells(name, drag, ratio)
            cells.append(", ".join(f"{value:.2f}" for value in found["speed_change"]))  # type: ignore[attr-defined]
        print(_line(drag, ratio, cells), flush=True)


if __name__ == "__main__":
    main()
