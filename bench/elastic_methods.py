"""Published runs of elastic gears by three methods: strips (ours), nodes on surfaces (the published one), finite elements.

    python bench/elastic_methods.py [impacts] [study] [meshing] [stages] [beveloid] [--pictures FOLDER]

Prints rows of tables in markdown: figure 4 (impacts by all methods, grids refined), the dependence of the published method on modes
and penalty, and figures 5 to 15. With --pictures, draws the curves of the methods into one picture each.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import pitchline as pl
from pitchline import gallery
from pitchline.gallery.model_kinds import GalleryFile

GRIDS = ((0.4, 1.2, 4), (0.25, 0.8, 6))
"""Grids of the finite elements: edges along the flank and inside [mm], elements along the face."""
OTHERS = {
    "meshing": ("meshing-spur-20", "meshing-spur-100", "meshing-helical-20", "meshing-helical-100", "meshing-spur-100-relieved",
                "meshing-helical-100-relieved"),
    "stages": ("torque-stages", "torque-stages-helical"),
    "beveloid": ("beveloid-50", "beveloid-200"),
}  # fmt: skip
BEVELOID = {"modes": [1000, 1000], "elements": {"flank_edge": "0.26 mm", "face_elements": 8}}
"""As published: 1000 modes of each gear."""


def _row(name: str, run: pl.Result) -> str:
    """First impact: start, duration [µs], largest force and that of the mean over 5 µs [N], speed after it [rad/s], drift."""
    t, f = run.time, run["mesh.contact_force"].values
    first = np.flatnonzero(f > 0.0)
    start = t[first[0]]
    # contact ends at the last sample before a pause of 20 µs
    pauses = np.flatnonzero(np.diff(t[first]) > 20e-6)
    end = t[first[pauses[0]]] if len(pauses) else t[first[-1]]
    after = float(np.interp(end + 1e-6, t, run["in.angular_speed"].values))
    inside = (t >= start) & (t <= end)
    window = max(1, round(5e-6 / (t[1] - t[0])))
    mean = np.convolve(f, np.ones(window) / window, "same")
    energy = run["energy.kinetic"].values + run["energy.potential"].values
    drift = float(np.abs(energy / energy[0] - 1.0).max())
    return (
        f"| {name} | {1e6 * start:.1f} | {1e6 * (end - start):.1f} | {f[inside].max():.0f} | {mean[inside].max():.0f} "
        f"| {after:.2f} | {drift:.1e} | {run.statistics['wall_time']:.2f} |"
    )


def impacts(folder: Path | None) -> None:
    """Figure 4: three impacts by strips and nodes, the first one by finite elements on two grids."""
    for name in ("impact-helical", "impact-spur"):
        m = gallery.model(name).build()
        curves = {
            "strips": pl.dynamics(m, duration="0.5 ms", step="0.5 us", output_step="0.5 us", rho=0.95),
            "nodes, 200 and 500 modes": pl.node_contact_motion(m, duration="0.5 ms", output_step="0.5 us"),
        }
        for edge, size, count in GRIDS:
            grid = {"flank_edge": f"{edge} mm", "size": f"{size} mm", "face_elements": count}
            curves[f"finite elements, {edge} mm"] = pl.explicit_motion(
                m, duration="0.14 ms", output_step="0.5 us", elements_a=grid, elements_b=grid
            )
        print(f"\n{name}: start, duration / µs, peak, peak of 5 µs / N, speed / rad/s, energy drift, run / s")
        for label, run in curves.items():
            print(_row(label, run), flush=True)
        if folder is not None:
            _picture(folder / f"methods_{name}.png", curves)


def study() -> None:
    """The published method with other numbers of modes and other penalties; the first impact of the spur pair."""
    m = gallery.model("impact-spur").build()
    for modes in ([200, 500], [500, 1000], [1000, 1000]):
        for penalty in (1.7e7, 6.8e7, 2.7e8, 1.1e9):
            run = pl.node_contact_motion(m, duration="0.14 ms", output_step="0.5 us", modes=modes, penalty=penalty)
            print(_row(f"{modes[0]}, {modes[1]} modes, {penalty:.2g} N/m", run), flush=True)
    for slave in ("a", "b"):
        run = pl.node_contact_motion(m, duration="0.14 ms", output_step="0.5 us", slave=slave)
        print(_row(f"only nodes of gear {slave.upper()}", run), flush=True)


def others(what: str, folder: Path | None) -> None:
    """Figures 5 to 15: range of the total force and speed of the gear in the second half of the runs, by strips and by nodes."""
    for name in OTHERS[what]:
        file = gallery.model(name)
        assert isinstance(file, GalleryFile)
        m = file.build()
        step = next(s for s in file.file.steps if s.kind == "dynamics")
        length = step.options["duration"]
        every = "5 us"
        options = {k: v for k, v in step.options.items() if k in ("step", "rho")}
        curves = {"strips": pl.dynamics(m, duration=length, output_step=every, **options)}
        more: dict[str, Any] = {}
        if what == "beveloid":
            more = {"modes": BEVELOID["modes"], "elements_a": BEVELOID["elements"], "elements_b": BEVELOID["elements"]}
        curves["nodes"] = pl.node_contact_motion(m, duration=length, output_step=every, **more)
        for label, run in curves.items():
            late = run.time > 0.4 * run.time[-1]
            f, w = run["mesh.contact_force"].values[late], run["out.angular_speed"].values[late]
            pairs = np.count_nonzero(run["mesh.pair_forces"].values[late], axis=1)
            print(
                f"| {name} | {label} | {f.mean():.0f} | {f.min():.0f}–{f.max():.0f} | {pairs.min()} to {pairs.max()} | "
                f"{np.ptp(w):.2f} | {run.statistics['wall_time']:.1f} |",
                flush=True,
            )
        if folder is not None:
            _picture(folder / f"methods_{name}.png", curves)


def _picture(path: Path, curves: dict[str, pl.Result]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    for label, run in curves.items():
        above.plot(1e3 * run.time, run["mesh.contact_force"].values, label=label, lw=1)
        driven = "in" if "impact" in path.name else "out"
        below.plot(1e3 * run.time, run[f"{driven}.angular_speed"].values, lw=1)
    above.set_ylabel("normal force / N")
    below.set_ylabel("speed / (rad/s)")
    below.set_xlabel("time / ms")
    above.legend()
    figure.savefig(path, dpi=110)


def main() -> None:
    """All parts, or those that are named."""
    said = sys.argv[1:]
    folder = Path(said[said.index("--pictures") + 1]) if "--pictures" in said else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    chosen = [word for word in said if word in ("impacts", "study", *OTHERS)] or ["impacts", "study", *OTHERS]
    for word in chosen:
        if word == "impacts":
            impacts(folder)
        elif word == "study":
            study()
        else:
            others(word, folder)


if __name__ == "__main__":
    main()
